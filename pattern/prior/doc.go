// Package prior tells where the next move of a game of Go is likely, by patterns
// alone: nothing is read ahead, and nothing is searched.
//
//	model, err := prior.Load()
//	var b prior.Board
//	b.Reset(position, lastButOne, last)
//	guesses := model.Predict(nil, &b) // all legal points, the likeliest first
//	err = b.Play(move)                // contexts follow move by move
//
// # Contexts
//
// A context is what lies in a disc around an empty point as the side to move
// sees it: own stone, enemy stone, nothing, or the edge. Twelve discs grow from
// the four neighbours to more than two hundred points, and there are seven
// families of contexts:
//
//	Stones     the stones
//	Liberties  and the liberties (1, 2, 3, more) of the strings that touch the point
//	Last       and a mark where the last move lies, and on the strings it touches
//	Before     and a mark where the move before it lies
//	Answer     the disc around the last move, with a mark on the point
//	Forward    the disc around the move before it, with marks on the last move and the point
//	Phase      the smallest discs, and how full the board is
//
// Contexts that are the same under the eight symmetries of the board and the
// exchange of colours are one. Those that were played often have a weight. The
// score of a point is the sum of the weights of its contexts, in every family
// from the smallest disc on as far as they are known, and the probability of a
// move there is the softmax of the scores of all legal points: the model of
// Bradley and Terry as Coulom has it ("Computing Elo ratings of move patterns in
// the game of Go", 2007), with discs after him and Stern, Herbrich and Graepel
// ("Bayesian pattern ranking for move prediction in the game of Go", 2006), and
// contexts around the last move after the response patterns of Silver et al.
// ("Mastering the game of Go with deep neural networks and tree search", 2016).
//
// # Cost
//
// A Board keeps the hash of every disc through all symmetries: a stone that
// comes or goes is one exclusive or for each point in its reach. Contexts without
// recent moves are remembered until something in their disc changes. A position
// takes about 0.3 ms from nothing, half of that from the one before it.
//
// # Weights
//
// Package learn fits the weights to games, and
//
//	qipu workshop train go go-pro-6300.tar.gz go-pro-more.tar.gz go-kgs6d.tar.gz go-tom9d.tar.gz go-tygem9d.tar.gz \
//	  --source "professional games of the collection at CWI, KGS 6 dan, TOM and Tygem 9 dan: 86,300 records" \
//	  --out weights.bin
//
// makes those that are embedded (five minutes on 16 cores): professional games of
// the collection at CWI, games of KGS with a player of 6 dan or more, and games
// of 9 dan players on TOM and Tygem, on 19x19, handicap games included. One game
// of twenty was left out (learn.GoHeld). The share of its moves that were the
// first guess, among the first five, and among the first ten:
//
//	KGS 6 dan              45.5 %   74.7 %   83.5 %   495 games
//	professional, 6,300    41.7 %   69.0 %   78.9 %   340 games
//	professional, 30,000   42.1 %   69.5 %   79.3 %   250 games
//	TOM 9 dan              44.9 %   73.1 %   82.7 %   250 games
//	Tygem 9 dan            45.1 %   73.6 %   82.7 %   250 games
//
// What the families add, trained on no more than 475 games of KGS and tried on 60
// others. Phase cost 0.3 to 0.8 points of the first guess in this run and another
// of its size. It is in the embedded weights because these were trained before
// that comparison; what it is worth with many games was not measured.
//
//	Stones       21.0 %   47.0 %   61.0 %
//	+ Liberties  22.4 %   49.8 %   63.6 %
//	+ Last       33.7 %   62.1 %   73.1 %
//	+ Before     34.3 %   62.5 %   73.3 %
//	+ Answer     37.3 %   65.8 %   75.6 %
//	+ Forward    37.6 %   65.9 %   75.5 %
//	+ Phase      36.8 %   65.5 %   75.4 %
package prior
