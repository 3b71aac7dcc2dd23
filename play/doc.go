// Package play is games in progress.
//
// A [Session] is one of them: whose turn it is, what may be done, the clock,
// forced passes, what is taken back, how it ends, and the record that it becomes.
// It does no input or output, asks nobody for the time, and its whole state is a
// small JSON document.
//
//	s, err := play.New(othello.Standard, nil, play.Settings{Game: "othello", Players: [2]play.Player{{Name: "Ada"}, {Level: 5}}}, nil, now)
//	err = s.Play(move, play.By{}, now)
//
// A [Host] runs many of them at once: it has the engine answer, through an
// [Opponent] that is free to ask a book first, lets clocks run out, tells those
// who watch, and acknowledges no move before its [Store] has it. After a restart
// it goes on with every game where it was: one whose engine was thinking thinks
// again.
//
// A game that ends is kept as a record exactly once. The store notes that the
// game is over before the record is made, and which record it is afterwards; what
// happens in between is repeated after a crash, and gives the same record, since
// everything in it comes from the state.
package play
