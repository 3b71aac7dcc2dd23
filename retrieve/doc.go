// Package retrieve answers queries: it plans them for the index, verifies what
// the index lets through, and makes hits, statistics and continuations of it.
//
// Two ways lead to an answer. A whole position is looked up by its hash, and
// costs as much as there are games that reach it ([Explore], and [Find] where it
// asks for nothing else, or for that in certain games). Everything else is a
// scan over the blocks that the index lets through, on all cores, in which
// package interval decides, or a marker, whose word is read from columns where the
// store keeps them. Both give the same answer: tests send whole
// positions both ways.
package retrieve
