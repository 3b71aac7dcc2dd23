// Package interval finds patterns in games without replaying them.
//
// The history of a point in one line of play is a short list of (time, piece).
// A pattern holds while every one of its points is in a state that it allows:
// on the intersection of intervals. For points that change once, that is
//
//	lo = the latest arrival at a point that must be occupied
//	hi = the earliest arrival at a point that must be empty
//
// and the pattern holds from lo until hi, if lo < hi. Points that change more
// often (captures, discs turned over, pieces that move) are leap-frogged: time
// is advanced to the next moment that each of them accepts until all agree.
//
// Time is counted in ply slots. A slot is a ply, but for one thing: the first side
// moves on odd slots and the second on even ones, always. Where a record breaks
// the alternation (handicap, one side twice), a slot is skipped. Therefore the
// slot of an arrival can be told from half of it and the piece that arrived,
// and one byte holds it for games of up to 506 moves.
//
// When a pattern holds is a [Timeline]: a set of moments in all lanes of a
// block. Timelines also tell when so many pieces stand somewhere, which plies
// have been played and who is to move, and are combined like sets, or in time:
// see [Then], [Longer] and [Firsts].
//
// What no arrival tells is said by a [Marker], which walks along a line and names
// intervals with the side whose they are. A [MarkColumn] keeps them for many
// lines; they become a timeline by [AppendOwners].
//
// Lines are kept in a [Block] of up to 512, column by column: all that a
// pattern asks of one point lies side by side, and a block stays in the second
// level cache while a pattern is tried at all its places. A block is one string
// of bytes that is used as it lies in a mapped file.
package interval
