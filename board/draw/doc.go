// Package draw makes pictures of every board game from its [board.Geometry]
// alone: scalable ones for pages and files, text ones for terminals.
//
// The main type is [Scene], a plain struct that says what is to be seen: the
// board, the pieces, and what is laid under and over them (tints, last move,
// numbers, marks, values, arrows, regions). Its zero value is an empty picture, and whatever is
// left zero is left out. Every drawing function only reads the Scene.
//
//	s := &draw.Scene{Geometry: rules.Geometry(), Planes: position.Planes(), Coordinates: true}
//	svg := draw.AppendSVG(nil, s)
//	fmt.Print(draw.Text(s, draw.TextOptions{}))
//
// The same Scene always gives the same bytes. Pictures need no style sheet, no
// script and no Chinese font: the characters on pieces are outlines. The ids
// inside are made from what they name, so that any number of pictures may stand
// in one page.
//
// The package refuses to know rules: it draws what it is told, be it legal or
// not. It reports no errors either: points off the board and values that are no
// numbers are passed over, colours that are not written #rgb or #rrggbb fall
// back to plain ones, and any text is escaped. It makes no pixels.
package draw
