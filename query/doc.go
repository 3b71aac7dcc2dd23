// Package query is what can be asked of a library: one tree over boards, names,
// text and time.
//
// A query goes through four steps. [Parse] makes a tree of a text, whose leaves
// are as they were written. Package query/bind replaces them by what they mean on
// one kind of board in one library: diagrams by patterns, names by sets of games,
// fields by conditions on columns. [Simplify] folds constants and flattens the tree.
// Package retrieve plans and answers it. Every tree prints the text that it can
// be parsed from.
//
// A query is true of a game, or of a moment of a game: a position of one of its
// lines. Boards, counts, plies and turns are true of moments; combined by
// [When], [Then], [For], [First] and [Last] they stay so, the last two of one
// moment of a line. Wherever a query of
// moments stands for a game, it asks for games that have such a moment: two
// boards joined by And occur in the same game, at any time each; inside When
// they occur at once.
//
// A query that is wrong gives an [Error], which knows the place and shows it
// below the text. Texts, trees and what names stand for are bounded, so that
// any text may be read from anybody. [Complete] and [Reference] serve those who
// are still writing.
//
// The language is described in docs/query.md; the table of its fields there is
// written by the tests.
package query
