// Package livebook keeps the opening books of a library in step with its games, the
// values of their positions in step with the library, and plays from both.
//
//	books := livebook.New(lib)
//	defer books.Close()
//	b, err := books.Book(ctx, kind)
//
// [Books] holds two books for each kind of game that was asked for: that of the records,
// and that of games that were played here. What this process
// stores or deletes is noted at once and counted when somebody asks; what others have
// changed is found by comparing the stamps of games, once the generation of the
// records is another one. A book is derived: its files may be removed at any time.
//
// The counting itself is in package book, the values in book/theory.
package livebook
