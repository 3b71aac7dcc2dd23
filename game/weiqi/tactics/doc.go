// Package tactics is small, exact reading on positions of Go: what a stone does
// when it is put down, whether a string is caught in a ladder, and whether it
// can be captured at all.
//
//	r := tactics.New(p)                     // p is a *weiqi.Position
//	m := r.After(weiqi.Black, at)           // liberties, captures, ko
//	l := r.Ladder(at, weiqi.Black)          // the string at a point, Black to move
//	c := r.Capture(at, weiqi.Black)
//
// A [Reader] plays on the position and takes every move back; it allocates
// nothing once its buffers have grown. Whose turn the position says it is does
// not matter: the caller names the side that moves first, and the ko point
// counts where that is the side to move.
//
// # What the verdicts mean
//
// The hunter wants the stone at a point off the board, the prey wants it to
// stay. A verdict is a proof or it is [Unknown]:
//
//   - [Caught]: whatever the prey plays, on the whole board, passes and all ko
//     threats in the world included, the stone is taken.
//   - [Free] from [Reader.Capture]: whatever the hunter plays, all ko threats
//     included, the string comes to have more than [Reach] liberties with the
//     hunter to move. Chasing it further is not reading but strategy.
//   - [Free] from [Reader.Ladder]: there is no chain of ataris that takes the
//     stone. A net or a loose ladder may; a ladder is ataris only.
//   - [Ko]: it is taken if the hunter wins a ko, and no proof without was found.
//   - [Unknown]: the reading came to its limit, or the string neither gets out
//     nor falls: two eyes, a seki, a race. Those are questions of life and death.
//
// # How
//
// A ladder needs no tricks. A string in atari has a complete list of answers:
// its last liberty, and the capture of a string that touches it and is in atari
// itself. A string of two liberties is put into atari on either of them.
//
// Capture adds quiet moves: a net, a move that takes away the third liberty.
// After a quiet move the prey may play anywhere. The reader lets it pass first;
// if the hunter then succeeds, the proof of that rests on a zone: the points
// played in it, the strings it relies on, and enough of their liberties. A move
// outside the zone changes nothing in it, so the same proof answers it; moves
// inside are tried one by one. The same holds with the roles exchanged, which
// gives the proofs of Free. The number of quiet moves grows until the limit of
// nodes is reached. (Null moves and zones are common property of computer Go:
// T. Thomsen, "Lambda-search in game trees", 2000; T. Cazenave, "Abstract proof
// search", 2001; C.-C. Shih et al., "A novel approach to solving goal-achieving
// problems for board games", 2022.)
package tactics
