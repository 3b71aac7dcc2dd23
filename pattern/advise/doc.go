// Package advise tells what a knowledge base of shapes has to say about a
// position of Go: the good points of both sides, how urgent they are, why, and
// which of them do not stand up to liberties and ladders.
//
//	c, faults := advise.Parse("conditions.txt", shipped.Conditions())
//	a, err := advise.New(shipped.Base(), advise.Options{Conditions: c})
//	for _, at := range advise.Merge(a.Advise(p, advise.Ask{})) {
//		fmt.Println(at.Point, at.Urgency, at.Purpose)
//	}
//
// # Conditions
//
// A shape tells the form of the stones and not their state: a cut is a good
// point until the stone that cuts can be taken. The paper that the base grew
// from puts that into a layer above the shapes, and so does this package.
// Conditions are text in files of their own, a rule a line. A rule names what it
// is about, then what must hold; advice of which a rule does not hold is
// refused, and says so in the words behind the //.
//
//	purpose cut: liberties >= 2                  // the stone can be taken at once
//	all except term throw-in snapback: not self-atari
//	term ladder: ladder works                    // the string gets out of the ladder
//	shape paper-figure-17: liberties(4,3) >= 2
//
// A rule is about all advice, or about purposes, terms or shapes by their names,
// any of them enough; what stands behind except is left out. All rules that are
// about a shape must hold. An empty line or one of // alone says nothing.
//
// What can be asked is of the position after the move, with the other side to
// play, unless it says otherwise:
//
//	liberties >= 2       of the string that the stone belongs to; up to 8 are counted
//	captures >= 1        stones taken by the move
//	atari >= 1           enemy strings beside the stone that are left with one liberty
//	self-atari           the string of the stone has one liberty and can be taken
//	snapback             it can, and what takes it is then taken back, with more
//	ko                   the move takes a ko
//	ours, theirs         the point is good for own, or for the enemy, in the shape
//	safe                 no way is found to take the string of the stone
//	dead                 a string that the shape draws for the mover was lost before
//	                     the move: it is taken even if he plays first
//	ladder works         a string that the shape draws for the enemy is taken in a ladder
//	ladder fails         none of them is, and that is certain
//	capture works        one of them can be taken in any way
//	capture fails        none of them can, and that is certain
//
// Numbers are compared by = != < <= > >=. A cell of the shape as drawn, row and
// column counted from 1 as in (4,3), makes liberties, safe, dead, ladder and
// capture speak of the string there. Questions are joined by not, and, or, and
// parentheses. Reading is bounded (see [Options]): what is not found out is
// neither works nor fails, and counts as safe and not dead.
//
// An opinion on life and death that knows more than reading answers safe and
// dead first: see [Safety].
//
// # What comes out
//
// Advice is sorted by urgency, and shapes that say more before those that say
// less. A shape that overrides another silences it on a point where both stand.
// Shapes with the purpose avoid warn of a point: what other shapes say of it is
// kept, and flagged. Matching costs microseconds; conditions cost more, so each
// question is asked once for a point and a side, and only if a rule needs it.
package advise
