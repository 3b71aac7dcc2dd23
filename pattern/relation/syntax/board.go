package syntax

// All that is Xiangqi's own in the language is in this file: the board, the kinds
// of pieces and the names of areas.

// The board.
const (
	Game          = "xiangqi" // the one that there are such patterns for
	Width, Height = 9, 10
	Points        = Width * Height
)

// The kinds of pieces, in the order of the pieces of a side.
const (
	King = iota
	Advisor
	Elephant
	Chariot
	Horse
	Cannon
	Soldier
	Kinds
	AnyKind = 1<<Kinds - 1
)

// PieceWords are the words for the kinds.
var PieceWords = [Kinds]string{"king", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"}

// PieceWord is the word for any kind.
const PieceWord = "piece"

// The points of a pattern are those of its owner: file f from the owner's right
// and rank r from the owner's back rank are the point (r-1)*9 + f-1. That is how
// the board lies for the second side; for the first it is turned by half.
func pointAt(file, rank int) uint8 { return uint8((rank-1)*Width + file - 1) }

// FileAt and RankAt return where a point of a pattern lies.
func FileAt(p uint8) int { return int(p%Width) + 1 }
func RankAt(p uint8) int { return int(p/Width) + 1 }

// AreaNames are the areas that have names, first those of the owner's enemy.
var AreaNames = []struct {
	Name string
	In   func(file, rank int) bool
}{
	{"palace", func(f, r int) bool { return f >= 4 && f <= 6 && r >= 8 }},
	{"our palace", func(f, r int) bool { return f >= 4 && f <= 6 && r <= 3 }},
	{"their half", func(_, r int) bool { return r >= 6 }},
	{"our half", func(_, r int) bool { return r <= 5 }},
	{"river", func(_, r int) bool { return r == 5 || r == 6 }},
	{"edge", func(f, _ int) bool { return f == 1 || f == 9 }},
	{"board", func(_, _ int) bool { return true }},
}
