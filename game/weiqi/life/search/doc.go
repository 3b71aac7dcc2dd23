// Package search proves life and territory by searching small parts of a board, after
// Müller (1997) and Niu and Müller (2004), and counts how many threats a string can
// ignore, after Popma and Allis.
//
//	var s search.Searcher               // keep it: it is large
//	b.Reset(position.Planes())
//	j.Begin("search", &b)
//	s.Judge(&b, 0, true, &j)
//	x, exact := s.XLife(&b, at, 3, 0)
//
// The defender is the side that a claim is made for, the attacker the other.
//
// # What is claimed
//
// A string that is alive is never taken, and has two eyes in the end, if its side
// answers every attack in the zone where it happens; the attacker moves first and may
// play elsewhere or pass as often as he likes. Of territory, that in the end the
// defender has it all, with the attacker's stones taken off; those are dead. Ko
// counts against the defender: the attacker may retake at once, a line in which the
// defender comes back to an earlier position of the zone is lost for him, and so no
// answer is ever forbidden by ko or superko. Life in a seki is not claimed.
//
// The regions that Benson's theorem rests on are left to package proof.
//
// # Zones
//
// A zone is a connected set of points without stones of the defender's: a whole
// region, walled in by his strings, its blocks; or, where the region is too large, an
// empty area with the attacker's strings that breathe nowhere else; or, where the
// area is too large as well, some of its points. What lies beyond
// an open zone is taken for the attacker's, connected, with liberties for ever; there
// is nothing better for him, so what the defender can force against that he can
// force. Small strings of the defender's that lie inside are part of the zone and may
// be given up.
//
// In a zone a local game is played by the attacker, who moves first and may wait,
// and the defender, who answers inside or passes. Blocks have no liberties but those
// in the zone, unless the assumptions below grant some. A block taken is the end: so
// as long as the game goes on, the zone stays walled in, nothing outside changes
// what happens in it, and a move in the local game is legal if and only if it is on
// the board, but for moves that the local game denies the defender. The game is
// decided by proof-number search (package pn).
//
// # When the search stops
//
// The defender has won where no more answers are needed but the other half of pairs:
// two empty points that serve one purpose, so that when the attacker takes one, the
// defender takes the other. No point serves twice, so one move upsets one pair.
//
//   - Strings are joined to chains by pairs of points beside both.
//   - A part of the zone, walled in by his stones, is an eye of a chain if all its
//     points are beside the chain: whatever is taken there, every point that becomes
//     empty is a liberty, and the attacker cannot fill the last. A point that is
//     beside no chain counts if two of its neighbours that are make a pair: one of
//     them will be a stone before the attacker has the part. If a pair lies in
//     two parts, the defender may have to play in one where the attacker did
//     not: a part must have more points than it lends so.
//   - It is two eyes if two empty points each part it and none of it is in a pair.
//   - Where no territory is claimed and the part has no pairs, it is enough that
//     all empty points are beside the chain, as in Benson's theorem, for the
//     defender then leaves that part alone.
//
// Chains without the eyes that they need fall, and the parts beside them, as in the
// theorem. All blocks have to stand. The attacker cannot live where, inside a wall
// that stands, he has no two points, not beside each other, that no standing string
// is beside.
//
// # Zones that share blocks
//
// Every zone is proved for one way to answer in it, and a move is answered in
// its zone; zones are disjoint, so answers never compete. What a proof may assume of
// a block:
//
//   - Nothing: it needs two eyes in the zone.
//   - That it is safe, and needs nothing: if it was proved by other zones, none of
//     which rests on this one, directly or by way of others.
//   - That it is held, and needs one eye here: if another zone keeps it a liberty
//     for ever. Then it cannot be taken by a move in this zone; and at every turn
//     of the attacker it must have a liberty here.
//   - That it is safe because two other zones each keep it a liberty.
//
// The last two are used for zones together: assume that each keeps its blocks a
// liberty, drop those that cannot under that assumption, and try the others anew with
// what is left, until nothing more is dropped. Then at every turn of the attacker
// each block has liberties in two zones, or is connected to one that has, or needs
// one zone only; the attacker moves in one zone at a time, and can take none.
//
// # Suicide
//
// All this is for rules that forbid it. With [Searcher.Suicide] nothing is searched:
// what is left is Benson's theorem as package proof has it for such rules.
package search
