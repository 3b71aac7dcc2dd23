// Package bind tells what queries mean: on one kind of board, in one library.
//
// A [Binder] replaces the leaves of a tree as they were written. A diagram, a position
// or a line becomes a pattern ([query.Shape], [query.Fuzzy]), a count of pieces a set
// and the points it looks at, a field a condition on columns, and a name what the
// [Names] of the library say that it stands for. A tree means something else on every
// kind of board, and to a game that does not have what it asks for it gives
// [ErrOtherGame].
//
//	b := bind.Binder{Rules: xiangqi.Standard, Names: names, Text: text}
//	bound, err := b.Bind(tree)
//
// [Check] tells what is wrong with a query without a library. Errors are of type
// [query.Error] and point into the text.
package bind
