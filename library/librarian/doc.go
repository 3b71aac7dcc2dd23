// Package librarian values the positions of a book by itself, those first that
// matter most: by how many games reached them, times how much doubt there is about
// what they are worth.
//
//	l := librarian.New(librarian.Options{Books: books, Kind: kind, Engine: make})
//	err := l.Run(ctx)
//
// What is found is in the values of the book at once. There is no other state:
// whoever runs one again goes on where the last one was stopped or killed.
//
// It takes cores that nobody wants: its threads have a lower priority where the
// system knows such a thing, and wait while somebody else's search runs.
package librarian
