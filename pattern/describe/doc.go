// Package describe gives patterns names that can be read, and makes the same
// patterns from their names.
//
//	三路俥壓7路馬                     Red's chariot of file 3 presses Black's horse of file 7
//	五路炮捉5路卒、五路兵              a cannon, its screen and what it attacks
//	角7x7 黑D16 白F17、C14            stones in the corner, the rest of the region empty
//	全盤 黑52白51 圖 3.X2O11.2X/...   many stones: the counts, and the diagram with its runs
//
// A [Namer] names the patterns of one game on one board. For every pattern p
// that [pattern.Compile] does not call wrong,
//
//	Parse(Name(p)) = Normal(p)
//
// field by field, so that two patterns have one name only if they mean the
// same. Name writes the first of ever more explicit forms that [Namer.Parse]
// takes back to the pattern: phrases of pieces (Xiangqi), a list of points, and
// the diagram, which can say everything. A name says nothing of the game or of
// the size of the board: who keeps names keeps those beside them.
//
// # What a name leaves out
//
// Mirrored pictures and those with the sides exchanged count, as they do in
// queries; a pattern that finds fewer says so in parentheses at the end. There
// stand all options, in the language of the name:
//
//	不鏡映 no mirror      不對調 no swap      原樣 as drawn (neither)
//	輪紅 red to move      10至60手 plies 10..60, 10手起 plies 10.., 至60手 plies ..60
//	其餘空 rest empty     其餘任意 rest any    限d9至f7 within d9:f7
//
// # Phrases of Xiangqi
//
// A piece is named by its file and by its rank, counted as its side counts:
// files from its right, ranks (線) from its back rank. Red has Chinese numerals
// and 帥仕相俥傌炮兵, Black has Arabic ones and 將士象車馬包卒. The rank is left
// out where it is the post of the kind: 1 for 帥仕相俥, 3 for 傌炮, 4 for 兵. All
// points that no phrase names may hold anything. Two pieces may be joined by a
// relation, judged by what the pattern asks for and by nothing else: a point is
// occupied where the pattern does not allow it to be empty.
//
//	壓 presses  stands on the next point before an enemy of another kind, on
//	           that enemy's half of the board
//	塞 blocks   stands on the leg of an enemy horse or in the eye of an enemy elephant
//	牽 pins     a chariot with an enemy between it and that enemy's king or
//	           chariot and nothing else there, or a cannon with one piece more
//	捉 attacks  could take an enemy that is no king and does not face it
//	對 faces    an enemy of the same kind on one line, nothing between
//	保 guards   could take a piece of its own side, were it an enemy
//
// Beside a relation, a rank is left out where these rules give it back; the
// first that has exactly one answer decides, and blockers do not count:
//
//	both pieces stand on their posts
//	the second stands on its post, and the first on the one rank that fits
//	the first stands on its post, and the second on the one rank that fits
//	one pair of ranks fits
//
// A point that must be empty is 三路七線空; a set is 三路七線紅俥或紅炮, or
// 三路七線非空 for all but what follows. 紅子 and 黑子 are all pieces of a side.
// These count as Red counts. In English the same is "red chariot file 3 presses
// black horse file 7".
//
// # Lists and diagrams
//
// Both begin with where the region lies and its size: 浮動 floating, 中腹
// centre, 角 corner (or 右上角 top right corner, 上兩角 top corners), 邊 side (or
// 左邊 left side, 上下邊 top and bottom sides), 全盤 whole board, 定於D16 at D16.
// A list then gives the points of each state. The points are those of the board
// where the region is fixed or stands in a corner; otherwise columns are letters
// from the left and rows numbers from the top, both from the top left cell of
// the region. What is not listed is empty, in Xiangqi anything; a
// list of more than 24 points is written as a diagram: that of package pattern
// without borders, a number before a cell repeating it.
//
// Every Namer reads all languages, also mixed: traditional and simplified
// characters, English, full-width letters and digits, numerals of either kind.
// A word that may mean a piece of either side, such as 车, is that of Red
// behind a Chinese numeral and that of Black behind an Arabic one.
package describe
