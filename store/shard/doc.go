// Package shard is the embedded store: a folder with a catalogue, which is the
// truth, and tables made from it, which are memory-mapped segments and can be
// made again at any time.
//
//	catalog.db     records, sources, collections, duplicates, the manifest of tables
//	writer.lock    held by the one process that writes; store/remote has others write through it
//	segments/      tables: immutable, named in the manifest or orphans
//	marks/         columns of marks, which may be removed at any time: see package marks
//
// A table holds the lines of one kind of game: blocks of arrival columns, the
// facts of their games, an index of whole positions, the inverted file of 3x3
// windows, and that of the comments. Games that were added one by one wait in the catalogue and are
// kept in a small table in memory until there are enough of them.
//
// Games and manifest change in one transaction, so that whatever a process
// killed at any moment leaves behind is whole; a table that the manifest does
// not name is removed by the next writer.
package shard
