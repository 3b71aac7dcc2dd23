// Package renju is five in a row: Renju, and Gomoku in its two common forms.
//
// [Renju] is the game of the Renju International Federation on 15x15; [New]
// and [Rules.Variant] make the others: three rule sets on boards from 5x5 to
// 25x25.
//
//	p := renju.Renju.Start().(*renju.Position)
//	_, err := game.ParseMoves(renju.Renju, p, "h8 h9 i10")
//	points := p.Forbidden() // where a black stone would be a foul
//	o, ok := renju.OpeningOf(p.Planes().Size, p.Moves())
//
// # Rule sets
//
//	renju     Black wins with exactly five and must not foul; White wins with
//	          five or more and has no limits
//	standard  exactly five wins for both sides, longer rows are nothing
//	free      five or more wins for both sides
//
// A full board is a draw, and so are two passes in a row. Passing is a right
// of Renju players; Gomoku has no use for it, but records contain it, so that
// one law holds for all three.
//
// # Fouls
//
// All definitions are about one line (row, column or diagonal) and the black
// stone that has just been put on it. The edge is like a white stone.
//
//   - Five: an unbroken row of exactly five. It wins whatever else the stone
//     does; all that follows is asked only where no five is made.
//   - Overline: an unbroken row of six or more.
//   - Four: four stones, the new one among them, that one more stone makes a
//     five. Fours are counted by their stones: the two ends of .XXXX. belong
//     to one four, but X.XXX.X, XX.XX.XX and XXX.X.XXX are two fours if the
//     new stone is in the middle part.
//   - Straight four: an unbroken row of four that a stone on either end makes
//     a five.
//   - Three: three stones, the new one among them, that one more stone (the
//     key) makes a straight four without making a five on another line.
//   - A three is real if, with the new stone on the board, one of its keys is
//     no foul itself: no overline, no double-four, and no double-three, which
//     is decided in the same way, with the key stone on the board as well. The
//     recursion ends because each step fills a point.
//   - Double-four: two or more fours. Double-three: two or more real threes.
//     A four and a three are allowed; a four does not excuse two threes.
//
// This is rule 9.3 of the federation read as one recursion. Its letter states
// the exceptions a (overline, double-four) and b (double-three) one beside the
// other; readings can differ only where three threes meet in one stone.
//
// # Forbidden points are playable
//
// A foul does not end a game by itself: White has to point it out, and who
// plays on instead has lost the claim. A forbidden point is therefore a legal
// move; after it [Position.Outcome] says that White has won by a forbidden
// move, with Claim set. A search may stop there, and a record that goes on is
// still a record: with the next move the game is open again.
// [Position.Foul] and [Position.Forbidden] tell the points beforehand,
// [Position.LastFoul] what the last stone did.
//
// # Openings
//
// [OpeningOf] names the 26 openings. The rules about swaps and offered fifth
// moves (RIF, Yamaguchi, Soosyrv, Taraguchi, swap2 and others) are facts about
// the players, not about the position: none of them refuses a move here.
//
// The package has no evaluation, no threat search and no file formats, and it
// does not repair setups: every arrangement of stones is accepted.
package renju
