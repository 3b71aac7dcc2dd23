// Package window finds local shapes on boards of two kinds of stones: thousands
// of shapes in all orientations and both colours, on a whole board in tens of
// microseconds, or move by move in one or two.
//
// A [Shape] says which states each point of a small region may be in: empty,
// own, enemy, outside the board. [Compile] makes a [Set] of many shapes. A
// [Windows] holds a board as one word for every point, two bits for each of
// the 25 points around it, and is kept over changes of the board at 25 words a
// point. A [Tracker] keeps the hits as well.
//
//	set, err := window.Compile(shapes, window.Options{})
//	w := window.NewWindows(planes.Size)
//	w.Reset(planes)
//	for _, hit := range set.AppendHits(nil, w) {
//		good := hit.Point(shapes[hit.Shape].Size, x, y) // cell x, y of the shape as drawn
//	}
//
// # Words
//
// A point is 00 empty, 01 the first side, 10 the second side, 11 outside the
// board, and "these points are so" is one AND and one compare. The bits are
// laid out from the centre outwards: the centre in the lowest two, then the
// four points next to it, the four diagonal ones, and the ring of sixteen. Ten
// bits above tell which of the five columns and rows are outside, so that "any
// state, but on the board" is a mask too. Exchanging the bits of each pair
// exchanges the colours.
//
// # Search
//
// The window of a shape is laid around a cell that must be on the board, where
// the 3x3 in its middle says most. Wildcards of the 3x3 are expanded. Of the
// sixteen pictures of every 3x3 (eight symmetries, two colours) one stands for
// all; a list for each holds the rings of all shapes whose middle can look so.
// A window of the board is turned to that picture by a table and a rotation of
// its ring, and what its list holds is turned back. Sixteen times less memory
// than with all pictures in the index keeps it in the cache.
//
// Short lists are tests of rings, one AND and one compare each; sets that no
// mask expresses are expanded into several. Long ones are blocks of 64 rings
// that are tested together with eight ANDs, whatever their sets.
//
// What a window does not see is looked at afterwards: further windows five
// cells apart for larger shapes, lines, and cells that would need too many
// tests. Shapes whose middle says next to nothing are tested at every point.
//
// # Reference
//
// [Bitmapping] is the algorithm of the paper that this package grew from
// (棋形知識庫之設計與製作, "Design and Implementation of Pattern Knowledge Base"):
// six integers of 25 bits against three of the board. [Variable] is the older
// form of lists of points coded 1, 2, 4, 8. Both are kept to be compared with.
//
// The package knows boards and symmetries, but no rules, no advice, no files.
package window
