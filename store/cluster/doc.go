// Package cluster keeps a library on ClickHouse: records and everything that is
// found of them, on any number of servers. It is the port index.Store over other
// machines, and the truth about the records beside it.
//
// # Documents
//
// What is stored is documents: one version of one game, numbered, never changed.
// The number of a game is that of its first document; where a fuller record takes
// the place of another, or headers are corrected, the game gets a new document. What was
// corrected is part of a document, as its record is. A document lies on one
// shard, whichever: every question goes to all of them, and what they say adds up.
//
// # Commits
//
// Documents of a batch have numbers in a row. They are written to the tables
// first, and count when a row of the log says so, which every shard has: a
// reader knows from the log which numbers are there, which of them are gone and
// which stand for an older game. That is a ledger.State; it never changes, and a view is
// one. What a writer left that was killed in between is never seen.
//
// # Lines and pages
//
// Main lines are there twice: as rows of their own, for questions that are narrowed
// to some games, and as pages, blocks of what came together, for questions that
// are asked of most.
//
// # Packages
//
// A Cluster is four things that share the open servers and their log, a
// ledger.Library, and know nothing of each other but for the columns of marks that
// scans read: records (data, with rows), the index (search) and columns of marks
// (marks). Servers are talked to by wire alone: a shard is one server or several
// replicas, of which the first that answers is asked.
package cluster
