// Package table is the tables of the embedded store: segments that hold the lines
// of one kind of game as blocks of arrival columns, with the facts of their games,
// an index of whole positions, the inverted file of 3x3 windows, and the comments.
//
// A Builder makes one, for one goroutine; whoever calls Write names the file in the
// manifest afterwards. A Table never changes and is safe for concurrent use. It is
// read inside segment.Guard, while the caller holds a reference to its file. Which
// of its games are dead, and which marks it has, is known beside it: callers bring
// that along. A Filter is for one goroutine and one scan.
package table
