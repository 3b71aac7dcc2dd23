// Package proof finds strings that no attack captures, and territory that no enemy
// can live in, without searching through moves. What it claims is never wrong; of the
// rest of the board it says nothing.
//
//	var p proof.Prover                 // keep it: it allocates nothing when used again
//	b.Reset(position.Planes())
//	r := p.Static(&b)                  // or p.Benson(&b)
//	r.Strings[i], r.Owner[cell], r.Points
//
// A region of a colour is a maximal set of connected points without stones of that
// colour: see [life.Regions], which other methods use too. Below, the defender is the side
// that a claim is made for, the attacker the other.
//
// # Benson
//
// [Prover.Benson] is Benson's theorem (1976). A region is vital to a string if all
// its empty points are liberties of the string. The strings that each have two vital
// regions, bordered by no string without two, stay on the board even if the defender
// always passes. The regions vital to one of them are his.
//
// That a region is his needs one thing more, which the theorem leaves out: where
// many stones of the attacker's are taken, he must not find room to live. Of the 565
// counted boards of the tests it makes a difference on two.
//
// # Static
//
// [Prover.Static] follows Müller (1997): the attacker moves first, the two alternate,
// and every attack is answered in the region where it happens, or not at all. So what
// goes on in one region does not disturb another. The rules:
//
//   - A pair is two empty points that serve one purpose; when the attacker takes one,
//     the defender takes the other. No point is in two pairs.
//   - A chain is strings held together by pairs: two points that are both beside the
//     same chains make them one. At every turn of the attacker, each string of a chain
//     that is not yet connected to all of it has two liberties in a pair; so nothing
//     but the chain as a whole can be taken.
//   - An interior point of a region, one beside no stone of the border, is covered by
//     a pair of its neighbours that are beside the border: it never becomes an eye of
//     the attacker's.
//   - A region whose border is one chain, all interior points covered, is an eye: as
//     long as the chain stands, the attacker cannot fill it. If two points each part
//     it, they are a pair that makes it two eyes.
//   - Stones of the attacker's on interior points can be taken, and then have to be
//     covered as well; where that cannot be done, the defender does not answer there.
//   - A region of up to seven points with up to four chains around it is solved
//     outright: all attacks and answers are looked at. It may be one eye to each of the
//     chains though it does not connect them, or two liberties to each, for ever.
//   - The chains with two eyes, bordered by chains with two eyes alone, are safe: this
//     is Benson's theorem once more, over chains.
//   - What is connected to a safe string by a pair is safe.
//
// A region that is walled in by safe strings is territory if the attacker cannot live
// there and the defender can take what is inside. If strings of the wall need the
// region as an eye, they have to be one chain, and every interior point covered: else
// it might be a seki. If none does, it is enough that the attacker has no room for two
// eyes.
//
// # What is claimed
//
// A string that is alive stays on the board, for ever, if its side answers as the
// rules say, whoever moves first and however many moves the attacker makes elsewhere
// in between. A ko needs no fight: no claim rests on one, and the defender never has
// to retake. It may live in a seki. With territory goes that the defender, even if the
// attacker moves first, can bring the board to where all of it is his by Benson's
// theorem and none of it is held by the attacker, and loses none of his safe stones
// meanwhile. The strings of the attacker's inside are dead. The tests play this out on
// every legal board of 3x3 and 4x3 points and on many larger ones.
//
// Nothing is claimed on a board with a string without liberties, which is no position
// of the game. Positions that happened before are not looked at: that positional
// superko forbids an answer because of them is not considered.
//
// Suicide: the claims are for rules that forbid it. With [Prover.Suicide] a region
// has to be vital with all its points beside the string, also those under stones of
// the attacker's, who could take them off himself; that is Benson's theorem under such
// rules. Static proves no more than that then.
package proof
