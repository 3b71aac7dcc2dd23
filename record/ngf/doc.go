// Package ngf reads NGF, in which the WBaduk (CyberOro) server and the Chinese
// programs that took it over save games of Go.
//
// A file is a header of plain lines, told apart by their order alone, and then
// the moves:
//
//	title, size, white, black, site, handicap, ?, komi, date, minutes, result,
//	number of moves
//	PMABBQEEQ    PM, the number in letters, the side, and the point: column and
//	             row from B, then backwards again
//
// In another form every line of the header begins with GI, and there are eleven
// of them: title, two players, two empty ones, date, size, handicap, ?, komi,
// number of moves. Which of the players is White is not said there; it is taken
// to be the first, as above, and noted.
//
// The komi is without its half point: in even games half a point is added. A
// point AA is a pass. Text is GBK, Big5, Shift_JIS, EUC-KR or UTF-8, never
// declared. The headers become Tags under the names above; other lines are Tags
// named by their number, but for "IDB[211] text[EndTxt]", a comment to a move, which may
// hold the result.
//
// There is no description of the format by its makers; this is what the files
// say. Read only.
package ngf
