// Package pn decides questions with two answers by depth-first proof-number
// search: can one side, called the prover, force what it wants, whatever the other
// side, the denier, does? It knows no game: a [Problem] supplies positions.
//
//	var s pn.Search
//	a := s.Solve(problem, 100_000)
//	switch a.Result { case pn.Proved: ... a.Line ... }
//
// # How it searches
//
// A position has a proof number, the least count of positions that would still
// have to turn out proved for it to be proved, and a disproof number likewise.
// The search walks into the child that needs least, under thresholds that let it
// come back only when another child has become better by a quarter, and keeps
// numbers in a table of fixed size. Every position evaluated counts as a node; when
// the budget is spent the answer is Unknown, which claims nothing.
//
// # Repetitions
//
// A position that comes again on the path to itself ends the line, and
// [Search.Repeats] says for whom: by default the prover has failed. The question is
// then one of reaching a goal in finitely many moves, and its answer for a position
// does not depend on how the position came about. What the search finds on the way
// may: "disproved, since all else repeats an earlier position" is true under
// that path alone, for the earlier position may still be proved by another
// move. Results carry therefore the depth of the shallowest position on the
// path that they rest on:
//
//   - A result of the side that repetitions hurt rests on none: its leaves are
//     goals, every step brings a goal nearer, and a play along it cannot go round
//     for ever. It is kept for every path.
//   - A result of the other side whose repetitions all lead to positions at or
//     below it holds by itself: the answers given there keep the play inside for
//     ever. It is kept for every path.
//   - Any other is kept under a key made of the position and the whole sequence of
//     positions before it, and is found again under that path alone.
//
// So nothing false is ever taken from the table, short of two positions that share
// a key of 64 bits.
package pn
