// Package search answers questions about the documents of a library on servers. It
// is the port index.Store: Index.View is a state of the log, and scans, look-ups
// and lists are asked of all shards, whose answers add up.
//
// # Statements let through too much, never too little
//
// An expression becomes a condition that lets through at least what the expression
// does (asker); what is fetched is decided again by whoever asked, and documents
// that do not count in the state are left out here.
//
// # What is kept
//
// Documents never change. What was fetched is kept together with the extent of
// documents that it is about, and stays true: a later view asks for what was
// committed since, and an earlier one leaves out what it does not know. A value in
// a cache is never changed, so that goroutines share it without a lock; where two
// have fetched the same, the one about more documents stays.
//
// # Who may call
//
// Index is safe for concurrent use, and so is a view, but for Hide, which is for
// who opened it and has not used it yet. Views stay valid when the library is
// closed. Each cache has a mutex of its own; none of them is held while a server
// is asked, and no two at once.
package search
