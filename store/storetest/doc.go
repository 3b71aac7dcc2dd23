// Package storetest is the conformance kit of index.Store. An implementation's
// test is one call:
//
//	indextest.Run(t, indextest.Config{Games: builtin.Games(), Open: open})
//
// The kit keeps a naive model beside the store: every record that the store
// says it has, replayed board by board. Random histories add records one by one
// and in batches, add them again, delete, merge and reopen; after each step the
// store must say of tallies, lines, positions, patterns, headers and comments what
// the model says. An index may let lines through that do not match, and must
// never hold one back that does; conditions on headers and everything else are
// exact.
//
// [Check] compares a view with a [Model] once, for tests that make a history of
// their own, such as one with faults in it.
//
// The kit does not judge which records are duplicates of each other: a store
// tells by [Added] what it keeps, and is held to that.
package storetest
