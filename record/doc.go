// Package record is a game as it was written down: headers, a tree of moves
// still in the text of their notation, comments, set-up, and what is wrong
// with it.
//
// A [Format] reads and writes one file format and knows no rules. It yields
// [Game] values whose moves are text; [Play] resolves and checks them once
// against the rules, and everything that follows (index, book, statistics)
// shares the [Played] it returns.
//
//	for g, err := range sgf.Format.Read(src) { // err is a *Fault: the next game still comes
//		played := record.Play(rules, g)
//		...
//	}
//
// [Lines] plays what stands beside the main line. [AppendGame] and [DecodeGame]
// are the form in which a record is stored, so that its file need not be read
// again.
//
// Nothing is lost and nothing is repaired: a record with an illegal move is
// kept and marked with a [Fault] that names file, place and reason; what a
// format does not understand it carries along.
package record
