// Package query is the tree of what can be asked of a library: boards, sets of
// games, and their combination by and, or, not.
//
// A tree is made by a program or, later, parsed from text; [Simplify] folds
// constants and flattens it; it prints back. The package knows what can be
// asked and nothing of how it is answered.
package query
