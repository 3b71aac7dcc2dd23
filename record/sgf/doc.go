// Package sgf reads and writes the Smart Game Format: trees of nodes with
// properties, for Go (GM[1]), Othello (GM[2]), Gomoku and Renju (GM[4]) and
// Xiangqi (GM[7]), in its versions FF[1] to FF[4].
//
//	for g, err := range sgf.Format.Read(src) { ... }
//	err := sgf.Format.(record.Writer).Write(w, games)
//
// # Where things go
//
//	FF, CA               not kept: they say how the file is written. See Encoding
//	GM, SZ               Kind and Variant; a value that makes no sense stays a Prop
//	headers of the root  Tags in the order of the file, escapes resolved; AP as it stands
//	B, W                 Move and Side; the text of a pass is below
//	AB, AW, AE           Setup, rectangles spread out into points
//	PL                   Turn; in a node with a move a Prop, since it says who is next
//	C                    Comment; empty comments stay Props
//	FEN (Xiangqi)        Start
//	all the rest         Props, byte for byte, in the order of the file
//
// Headers of games in other nodes (several games merged into one tree) are
// Props; where the root has no headers, the first node that has some gives the
// Facts.
//
// A node that breaks the rules of the format keeps everything it says:
//   - The root has no move here. A move in the root becomes a node below it.
//   - A second move of the other colour in a node becomes a node below it: this
//     reads files without semicolons, and changes no move.
//   - A second move of the same colour, or a second value, is a Prop "B" or "W".
//   - Set-up and a move in one node stay together; the set-up comes first.
//   - A node behind variations becomes one more variation.
//   - A header with two values is two Tags.
//
// # Moves
//
// Go and Renju: two letters, notation "sgf"; a pass is "tt" up to 19x19, and
// "pass" on larger boards, where tt is a point. Renju squares as "h8" become
// letters when they are read. Othello: notation "square"; letter pairs become
// squares (dc is d3) and are written as such pairs; passes ([], [tt], [PA]) are
// "pass". Xiangqi: notation "iccs"; the format has no rule for it, so four
// letters (from and to, from the top left), "h2e2", "H2-E2" and UCI ranks 1-10
// are read, Chinese and WXF phrases kept under their notation, and ICCS is
// written. Red is W there, as in FEN; where the first move shows that B is, the
// colours of all properties are exchanged.
//
// # Which game
//
// GM says it. Without GM it is Go, unless the record speaks of Renju (5A or SW
// on 15x15, as iwzq.com writes; words such as "renju"; the file name), or its
// moves are squares (Othello on 8x8) or Xiangqi moves. What is no more than
// likely is a Note. Other numbers give a Game without Kind, all values kept.
//
// Files of iwzq.com hold facts in their names alone:
// 【white○_vs_●black】【opening】【result】【event】【number】. Those that the headers
// lack become Tags (ON the opening); those that contradict them are noted.
//
// # What files have in store
//
// Text before, between and after trees; several trees; "( ;"; missing
// semicolons and parentheses; a tree that ends early and goes on; identifiers
// in lower case, or in the long form of FF[3] (Black, CoPyright) or with digits;
// points with commas; brackets that are not escaped (PW[[clan]name]); NUL, BOM,
// UTF-16, lone CR. All of it is read, and noted
// where it may matter. Text before a tree is kept as the header TEXTBEFORE of
// its game, text behind the last one as TEXTBEHIND, and both are written as such. Bytes of Shift_JIS, GBK and Big5 that look like brackets
// and backslashes are told from real ones before the text is decoded.
//
// Games are cut out of the stream one by one: memory is that of one game. A
// game beyond the limits of the source is a fault, and the next one is read.
//
// # Writing
//
// FF[4], CA[UTF-8], lines of about 75 bytes, variations as they are. Games of
// other formats are written from their Facts, the code of the opening as the
// private property ECCO; headers that no property holds go into GC. Properties
// whose names are no identifiers travel as XPROP[name][value]... and are read
// back under their names. Refused: games that the format was not given, position
// texts with ko or prisoners, set-up of other pieces than stones, properties
// that would be read back as moves, stones or headers, moves that would read
// back as others, and games beyond the limits of the reader: every branching of
// a line takes one more pair of parentheses around the rest of it.
package sgf
