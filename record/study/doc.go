// Package study is what people write on a game: variations, comments, signs on points,
// what they think of moves. A sheet is a tree of nodes above a base, which is a record
// or an empty game and never changes, and every change is an operation that says who
// made it and when:
//
//	log := study.NewLog(base)
//	pen := log.Pen("laptop", "anna")
//	n := pen.Add(study.Base(12), record.Second, "dd", now)
//	pen.Set(n, study.Comment, "better", now)
//	tree := log.Tree()
//	merged := tree.Game()
//
// What a sheet says is a function of the set of its operations and of nothing else: not
// of their order, nor of how often one comes. So devices that have the same operations
// show the same, whichever way these travelled; whoever was offline sends them later.
//
// # The rules of merging
//
// A node is added below another and has the name of the operation that added it. All
// else is a value under a key of a node. An operation says which others its writer had
// seen (Seen): it takes the place of values among them, and stands beside those that it
// had not seen. Where several stand, the latest by clock and device is shown, comments
// are joined, and all are told as a [Conflict], until somebody who has seen them decides.
//
// To delete a node is a value, too (Gone). It takes away what its writer had seen: where
// somebody else has changed something below it meanwhile, the branch stays and the
// conflict is told. Restoring wins against deleting. To undo is a value of an operation
// (Off): one that is off counts as if it had never been, and what it had taken the place
// of is there again.
//
// Siblings stand by their rank, a text that can always be put between two others, and
// those of one rank by clock and device. Nothing is ever dropped from the log.
package study
