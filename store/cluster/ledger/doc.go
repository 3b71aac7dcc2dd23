// Package ledger knows which documents of a library on servers count.
//
// Every shard has the whole log. A row of it, a [Commit], says which numbers of
// documents have come and which are gone. Documents are written to their tables
// first and count from the moment at which their row is in the log of one shard;
// [Ledger.Repair] brings it to the others. Rows may be read in any order and more
// than once: what the [Ledger] makes of them is the same.
//
// A [State] is the log at one moment. It never changes, and is shared by whoever
// asks; a view of the library is one.
//
// Beside it the package has what must be there before the first commit: the tables
// of a server, which servers belong to a library ([Topology]), and [Init], which
// sets them up.
//
// Locks: Ledger.turn is taken before Ledger.mu, which is held for no statement.
package ledger
