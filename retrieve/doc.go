// Package retrieve answers queries: it plans them for the index, verifies what
// the index lets through, and makes hits, statistics and continuations of it.
//
// Two ways lead to an answer. A whole position is looked up by its hash, and
// costs as much as there are games that reach it ([Explore], and [Find] where
// that is all it asks). Everything else is a scan over the blocks that the
// index lets through, on all cores, in which package interval decides.
package retrieve
