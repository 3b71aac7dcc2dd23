package relation

import "qipu/game"

// Facts are what the position of a game knows beyond where its pieces stand. A
// View offers them; without them all conditions that need them are false.
//
// Points are given by their dense index, and sets of points have bit i%64 of word
// i/64 for the point with index i. Nothing is changed for whoever looks on.
type Facts interface {
	// Reach returns the points that the piece on a point goes to, takes on or
	// protects, whatever is legal. With take it returns those where it would
	// take an enemy that stood there: for a cannon that is another thing.
	Reach(at int, take bool) [2]uint64

	// Checkers returns the pieces that attack the king of a side.
	Checkers(side game.Side) [2]uint64

	// Await returns the pieces that would attack the king of a side, their own
	// king too, if it went to a point and took what stands there.
	Await(side game.Side, at int) [2]uint64

	// Stuck tells that the side to move has no legal move.
	Stuck() bool

	// MatedWithout tells whether the side to move would still be in check and
	// without a legal move if the piece on a point were not there.
	MatedWithout(at int) bool

	// Pinned returns the pieces that the piece on a point pins (see game.Pin), and
	// points outside which nothing decides it.
	Pinned(by int) (pieces, heed [2]uint64)

	// Blocks and Screens tell what the piece on one point does to that on another:
	// see game.RelationKind.
	Blocks(by, on int) bool
	Screens(by, on int) bool
}
