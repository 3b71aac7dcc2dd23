// Package theory is what engines and people say of positions: the second half
// of the book, beside the statistics of package book.
//
// A Theory is the graph of the valued positions of one kind of game. A position
// holds what was found out about it and cannot be derived: the best move that
// leads to no other valued position (the leaf) with its value, level and
// bounds, the exact value where it was solved, what a person set, and a note.
// All else follows from the graph, and is kept up to date along every way that
// leads to a position that changes:
//
//	E   by negamax over the valued positions that moves lead to, and the leaf
//	X   where the position was solved, or all of its moves are
//
// R, the value by results of games, is that of package book. The three are never
// mixed: E and X of a position stand beside each other, and no result of a game
// ever enters one of them. In the back-up of E a move counts with what is known
// best of it: what a person set, else X, else E.
//
//	t, err := theory.Open(ctx, othello.Standard, theory.Options{Store: store})
//	entry := t.Look(position)
//	l := theory.Learner{Theory: t, Searcher: engine, Level: 12}
//	err = l.Deviate(ctx, position, 2*engine.Unit, 4*engine.Unit)
//	choice, ok := t.Choose(position, theory.ChoiceOptions{Budget: 2 * engine.Unit})
//
// Learning can be stopped at any moment and taken up again: there is no state
// but the values themselves.
//
// Files of values that other programs read are those of package exchange.
//
// The package searches nothing itself, and knows neither engines nor stores: a
// Searcher and a Store are given to it.
package theory
