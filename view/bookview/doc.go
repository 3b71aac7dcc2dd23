// Package bookview makes the answers about books: what results, engines and people say
// of a position and its moves, the best first.
package bookview
