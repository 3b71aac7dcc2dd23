// Package alphabeta reads ahead in any game: negamax with alpha-beta cuts over
// game.Position, and a judgement of quiet positions by an engine.Evaluator. The
// sign of a value goes over where the turn does, not with every ply: a side may
// move several times in a row.
//
//	e := alphabeta.New(simple.Xiangqi{}, alphabeta.Options{})
//	report, err := e.Think(ctx, task, engine.Limits{Time: time.Second}, nil)
//
// It deepens ply by ply, begins each depth with a narrow window around the last
// value, reads all moves but the first with a null window, remembers positions in
// a table, and orders moves by that table, by killers and by history. Behind the
// last ply it reads on where pieces are taken. Each of these can be switched off
// in [Options], for study: none but the last changes the value of a position,
// which is that of plain minimax of the same depth.
//
// What an evaluator knows beyond a value it tells through optional interfaces:
// [Candidates] on boards with too many moves to read them all, [Tactician] for
// the moves to read behind the last ply, [Gauge] for the size of a mistake.
//
// It is for every game and therefore the fastest at none: Othello on 8x8 has an
// engine of its own. It uses one thread.
package alphabeta
