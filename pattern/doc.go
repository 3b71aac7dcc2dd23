// Package pattern is the language of boards to find: which states the points of
// a region may be in, where on the board the region may lie, and which pictures
// of it count as the same.
//
// A [Pattern] is what a user means; [Compile] lays it onto a board in every way
// that it may lie there and gives the list of [Placement]s that a matcher works
// through. The package knows boards and symmetries, but no rules and no files.
//
// # Diagrams
//
// [Parse] reads a diagram and [Pattern.Format] writes one. Rows are parted by
// line ends or by "/", blanks do not count, and every point of the region is
// one cell:
//
//	X O       a piece of the first and of the second side (games of two kinds, which
//	          read the letters of their position texts, too: B and W in Go)
//	x o       the same or empty (games of two kinds)
//	K A B ... a piece by its letter, upper and lower case as the game writes
//	          its sides (games of more kinds; Xiangqi reads E for B and H for N)
//	.         empty
//	* ?       any state on the board; in games of more kinds 0 is the same
//	#         outside the board
//	~         anything, outside the board too
//	[XO.]     one of these; + and - are any piece of the first and second side
//	[^X]      any state on the board but these
//
// Borders tell which edges of the board the region touches: a row of - and +
// above or below, and | at the left or right of every row. Two edges that meet
// anchor the region in a corner, one edge (or two opposite ones) anchors it
// along the side, all four make it the whole board, none lets it float. A first
// row "@centre" keeps a region off all sides, and one such as "@D16" fixes its
// top left point.
//
//	+--------
//	| . . . .
//	| . . X .
//	| . O . *
//
// Games of two kinds also read the digits of the older literature: each cell is
// the sum of 1 empty, 2 first side, 4 second side and 8 outside the board, in
// base 16. A diagram is in this form when all its cells are such digits.
package pattern
