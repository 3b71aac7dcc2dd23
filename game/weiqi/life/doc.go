// Package life holds what all methods of judging life and death in Go share: a
// still picture of a board, and the form of a judgement.
//
// [Board] is the picture: strings, empty areas and what touches what, in flat
// tables that are filled once a position and allocate nothing when used again.
//
//	var b life.Board
//	b.Reset(p.Planes())
//	for i := range b.Strings { ... b.Liberties(i) ... }
//
// [Judgement] is the answer: for every string alive, dead, seki or nothing said,
// for every point whose it is, the groups that strings belong to, and the [Step]s
// that led there, which can be replayed one by one. A [Graph] is what the steps of
// the string graph change.
//
// [Marks], [Sets] and [Zeros] are small tools that the methods share.
//
// The methods are packages of their own below this one. They differ in what they
// claim: a proof is never wrong and leaves most of a board open; a verdict says
// something of every string, and says where it is unclear.
package life
