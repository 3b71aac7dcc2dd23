// Package learn fits weights to records: those of the Othello evaluation, and
// those by which package prior foretells moves of Go.
//
// Othello: Train goes from the end of the game towards its beginning. Positions with few
// empty squares are solved and give the weights of the last stage; positions
// before them are valued by a search of a few moves that ends in positions
// whose weights are there already; and so on, stage by stage. Positions are
// those of the games, and others that lie a few unwise moves beside them, since
// a search meets mostly such. Where a record tells the exact value of a
// position, as WTHOR does for 24 empty squares, that is used.
//
//	model, err := learn.Train(ctx, games, learn.Options{Threads: 8}, nil)
//
// One game of twenty is never trained on; Measure tells how far off weights are
// in these. The same games and options give the same weights on every machine,
// with any number of threads.
//
// Go: TrainGo chooses the contexts that were played most often and finds weights
// for which the moves of the games are as likely as can be among all legal ones,
// by stochastic steps down the gradient. Here too one game of twenty is left
// out, copies and turned boards together (GoHeld), and neither threads nor the
// order of the games make a difference; but the exponential function may differ
// in its last bit between kinds of processors, and the weights then with it.
//
//	model, err := learn.TrainGo(ctx, games, learn.GoOptions{Threads: 8}, nil)
//	report := model.Measure(held, 8)
//
// The package knows no files: where games come from and where weights go is the
// caller's business.
package learn
