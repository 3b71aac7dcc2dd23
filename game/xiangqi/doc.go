// Package xiangqi is Chinese chess: the rules, four notations, and the verdicts
// on repetition.
//
// [Standard] is the game as it is mostly played, [Position] one moment of it.
// Columns count from the left and rows from the top as Red sees the board, so
// that Black's back rank is row 0 and Red's is row 9.
//
//	p := xiangqi.Standard.Start()
//	m, err := xiangqi.Standard.ParseMove(p, "炮二平五", game.AnyNotation)
//	err = p.Play(m)
//
// A side without a legal move has lost, be it in check (mate) or not
// (stalemate); moves that leave the kings facing each other are illegal.
//
// # Rule sets
//
// What repetition means is a matter of the rule set, which is the variant of
// the rules. Its verdicts are claims ([game.Outcome].Claim): moves stay
// possible, and records often go on. They are made in Outcome alone; playing
// and listing moves does not pay for them.
//
//	asian       all of the clauses below; the default, because games between
//	            people assume that perpetual chase is not a way out
//	check-only  clauses 1, 2, 3, 12 and 13: what many servers and engines do
//	free        none: only mate and stalemate end a game
//
// The clauses follow the rules of the Asian Xiangqi Federation in the form in
// which programs use them:
//
//  1. A position that stands on the board for the third time, with the same
//     side to move, is judged by all moves since the first of these three
//     times.
//  2. A side whose every move gave check loses (perpetual check), whatever the
//     other side did, unless clause 3 holds.
//  3. If every move of both sides gave check, the game is drawn.
//  4. A side whose every move chased one and the same piece loses (perpetual
//     chase), unless the other side did so too: then the game is drawn. The
//     chasing pieces may change from move to move; a chase of different pieces
//     in turn is allowed.
//  5. A move chases a piece if it attacks it after the move and did not chase
//     it before: an attack that merely goes on is no chase, nor is one that a
//     check has only interrupted. It does not matter which piece moved; opening
//     a line or taking away protection counts.
//  6. A move that gives check is no chase, whatever else it attacks.
//  7. Kings and soldiers may attack as they like: they do not chase.
//  8. Kings are not chased, nor are soldiers on their own side of the river.
//  9. An attack is a capture that would be legal if the side were to move
//     again. A pinned piece attacks nothing off its line.
//  10. A protected piece is not chased, that is one whose capture could legally
//     be answered by a capture on the same point. A protector that is pinned,
//     or a king that may not go there, does not count. Two exceptions: a
//     chariot attacked by a horse or cannon, and a chariot, cannon or horse
//     attacked by an advisor or elephant, are chased even if protected.
//  11. Pieces of one kind that attack each other offer an exchange, which is no
//     chase. It is one where the attacked piece cannot legally take back: a
//     horse whose leg is blocked, a piece that is pinned.
//  12. Any other repetition is a draw.
//  13. 120 plies (60 moves of each side) without a capture are a draw.
//
// The package does not weigh how many pieces attack and protect, does not
// treat a threat of mate as anything but an idle move, and knows none of the
// exceptions that rule books add by way of diagrams.
//
// # What it refuses to do
//
// It reads no files: formats are packages below record. It judges no clock,
// no agreement and no resignation. [Rules.Arrange] tells which positions it
// refuses. The WXF digits 1-7 for pieces are not read, because "2232" would
// have too many meanings.
package xiangqi
