// Package kb is the knowledge base of Go shapes: local patterns with what a
// player should know of them. Its form follows Yan and Yen, "Design and
// Implementation of Pattern Knowledge Base" (棋形知識庫之設計與製作).
//
// An [Entry] is one shape: a diagram of any size, the good points of both sides
// in it, what they are good for ([Purpose]), how urgent they are ([Urgency]), the
// Go terms it belongs to, its names in five languages, and where it comes from.
// A [Base] is many of them with their [Term]s, in layers: what is shipped, and
// above it the folders of users. The package knows no rules of play: whether a
// good point is good in this very position, which liberties and ladders decide,
// is for the layer above (package advise).
//
// # Files
//
// A base is made of text files whose names end in ".shapes". They hold blocks,
// each begun by its kind and its id, with one field a line, and parted by empty
// lines; lines that begin with // are comments:
//
//	term cut
//	name     Cut | 斷 | 断 | キリ | 끊음
//	purpose  cut
//
//	shape crosscut-point
//	terms    cut
//	name     Cutting point of the knight's move | 小飛斷點 | 小飞断点 | ケイマの切り | 날일자 끊는 점
//	purpose  connect cut break-out
//	urgency  4
//	ours     a
//	theirs   a
//	origin   paper
//	source   Yan and Yen, figure 17
//	draw
//	  _ _ _ _ _
//	  _ _ X O _
//	  _ X a X _
//	  _ _ O _ _
//	  _ _ _ _ _
//
//	check crosscut-point yes
//	  . X O .
//	  X a X .
//	  . O . .
//
// Names stand in the order English, traditional Chinese, simplified Chinese,
// Japanese, Korean. The cells of a diagram are
//
//	O  own stone           X  enemy stone        .  empty
//	&  not own             @  not enemy          *  anything on the board
//	#  outside the board   _  anything, outside the board too
//	{O.#}  one of these    a to z but o and x  an empty point that a field names
//
// where &, @ and * do not match outside the board. The fields of a shape:
//
//	terms      ids of its terms, the main one first
//	name       as above; without one a shape is called like its main term
//	alias      other names, parted by |
//	purpose    words as in Purposes
//	urgency    4 urgent, 3 important, 2 ordinary, 1 special cases only
//	ours       the points that are good for own to play
//	theirs     the points that are good for the enemy to play
//	place      two digits: the line of the middle point of the diagram, counted
//	           from the nearest edge above or below, and from the nearest edge at
//	           the left or right, as drawn; 0 is any line
//	overrides  ids of shapes, or terms as in term:cut, whose advice this one
//	           replaces where both speak of a point
//	yields     the same seen from the other side: what replaces this one; of
//	           two that say so of each other, the one that does it by id and not
//	           by term replaces, else both are heard
//	origin     hand, paper, mined or user
//	source     where it is from
//	note       free text
//	draw       the diagram, in the lines below
//
// A term has name, alias, purpose, note and form: "move" where the term names
// the move on a good point (hane), "shape" where it names the stones (ponnuki).
//
// A check is a fixture: a part of a board on which the shape must match ("yes"),
// with O as own and with all of its letters on good points, or must not ("no"):
// not so that a good point lies on a letter, or not at all if there is none.
// Columns and rows of # are the edges of the board; where there are none, the
// part lies in the middle of a large empty board.
package kb
