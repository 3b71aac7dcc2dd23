// Package tsumego solves enclosed problems of life and death in Go: whether a group
// lives if a side moves first, whatever the other one does.
//
//	q, err := tsumego.Find{}.In(position, weiqi.Black) // target and zone
//	var s tsumego.Solver
//	x, err := s.Solve(ctx, &q, tsumego.Options{})
//	fmt.Println(x.Outcome, x.Moves, x.Line)
//
// # The question
//
// A [Problem] names stones of the defender, its target, and a zone of points. Both
// sides move in the zone, in turn, or pass; the attacker wants all stones of the
// target off the board, the defender wants one of them to stay. [Find] works both
// out where the enemy encloses a group: the target is then its largest string.
//
// What an outcome claims holds under these assumptions:
//
//   - Everything outside the zone belongs to the attacker and lives. So the
//     defender gains nothing there: no ladder breaker, no connection, and no
//     shortage of liberties of stones of the attacker that reach outside. Stones of
//     the attacker whose liberties all lie in the zone can be taken.
//   - A stone that would have no liberty may not be played.
//   - [Alive] and [Dead] hold whoever has ko threats, and how many: the side that
//     reaches its aim has none, the other one may take back every ko at once, and
//     a position that comes again counts for the other one.
//   - [Ko]: neither of the two, since with all ko threats in the world each side
//     has its way. Longer repetitions are called so as well. Who takes first is
//     decided by a play in which nobody has threats: a ko may not be taken back
//     before both sides have moved once more.
//   - [Seki]: the target stays on the board, but cannot be brought to have two
//     eyes under Benson's theorem, whatever free moves the attacker leaves.
//
// Within them an outcome is a proof. Unknown says that the budget was spent.
//
// # How
//
// The zone is cut out of the board and framed by stones of the attacker with two
// eyes, the defender becomes Black, and the frame is turned to a normal form: the
// same problem has the same answer in all colours and corners. The search then walks
// on a board of the zone alone, of up to 128 points in two words, whose positions are
// copied for every move. Package pn searches it, with up to four questions a problem:
// with ko threats for one side, for the other, for nobody, and whether there are two
// eyes. First guesses of its numbers count the moves that two eyes take.
//
// Moves that change no answer are not tried: those that do not save a target that is
// a single string in atari, those in parts that white stones which cannot be taken
// divide from the target, to fill an eye of a single string, and to take a ko from a
// side that has threats, since it takes back at once. To the attacker who may be shown
// two eyes the defender does not pass, for he would pass as well.
//
// A [Cut] chooses static verdicts that end lines early: Benson's theorem and the
// static rules of package proof, the rule that there is no room for two eyes, and
// the shapes of single eyes. Tests compare every question with the graph of all
// positions under the plain rules, on small zones, and the shapes with searches that
// have no cut-offs.
//
// # What it cannot do
//
// Zones of up to some ten empty points are solved in a fraction of a second, most of
// those of up to fourteen within a few hundred thousand nodes, larger ones only where
// little of them matters. It has no notion yet of which part of a zone a result rests
// on.
package tsumego
