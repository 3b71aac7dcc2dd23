package syntax

import (
	"fmt"
	"slices"
)

// What the games have of their own in the language is in this file: boards, kinds of
// pieces and the names of areas.

// Board is that of a game, as its patterns see it.
//
// The points of a pattern are those of its owner, who sits at the bottom: file f and
// rank r are the point (r-1)*Width + f-1.
type Board struct {
	Game          string
	Width, Height int
	Kinds         []string // the words for the kinds, in the order of the pieces of a side; the king is the first
	Areas         []AreaName

	// Squares tells that points are written by a letter and a number, as e4, and
	// that files are counted from the left of the first side for both sides.
	// Otherwise they are written FILE.RANK and counted from the right of each.
	Squares bool

	// Wanted are the languages that a name should be given in: those of its players.
	Wanted Tongues
}

// AreaName is an area that has a name.
type AreaName struct {
	Name string
	In   func(file, rank int) bool
}

// Bounds of all boards.
const (
	MaxPoints = 90
	MaxKinds  = 7
)

// King is the first kind of all games.
const King = 0

// The kinds of pieces of Xiangqi.
const (
	Advisor = iota + 1
	Elephant
	Chariot
	Horse
	Cannon
	Soldier
)

// The kinds of pieces of chess.
const (
	Queen = iota + 1
	Rook
	Bishop
	Knight
	Pawn
)

// Xiangqi is the board of Xiangqi. Its areas are first those of the owner's enemy.
var Xiangqi = &Board{
	Game: "xiangqi", Width: 9, Height: 10, Wanted: English | Traditional | Simplified | Japanese | Korean | Vietnamese,
	Kinds: []string{"king", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"},
	Areas: []AreaName{
		{"palace", func(f, r int) bool { return f >= 4 && f <= 6 && r >= 8 }},
		{"our palace", func(f, r int) bool { return f >= 4 && f <= 6 && r <= 3 }},
		{"their half", func(_, r int) bool { return r >= 6 }},
		{"our half", func(_, r int) bool { return r <= 5 }},
		{"river", func(_, r int) bool { return r == 5 || r == 6 }},
		{"edge", func(f, _ int) bool { return f == 1 || f == 9 }},
		{"board", func(_, _ int) bool { return true }},
	},
}

// Chess is the board of chess.
var Chess = &Board{
	Game: "chess", Width: 8, Height: 8, Squares: true, Wanted: English,
	Kinds: []string{"king", "queen", "rook", "bishop", "knight", "pawn"},
	Areas: []AreaName{
		{"their half", func(_, r int) bool { return r >= 5 }},
		{"our half", func(_, r int) bool { return r <= 4 }},
		{"centre", func(f, r int) bool { return f >= 4 && f <= 5 && r >= 4 && r <= 5 }},
		{"edge", func(f, r int) bool { return f == 1 || f == 8 || r == 1 || r == 8 }},
		{"board", func(_, _ int) bool { return true }},
		{"queenside", func(f, _ int) bool { return f <= 4 }},
		{"kingside", func(f, _ int) bool { return f >= 5 }},
		{"light", func(f, r int) bool { return (f+r)%2 != 0 }},
		{"dark", func(f, r int) bool { return (f+r)%2 == 0 }},
	},
}

// Boards are those of all games that there are such patterns for. Patterns that name
// no game are of the first.
var Boards = []*Board{Xiangqi, Chess}

// BoardOf returns the board of a game; nil where there are no such patterns.
func BoardOf(game string) *Board {
	if i := slices.IndexFunc(Boards, func(b *Board) bool { return b.Game == game }); i >= 0 {
		return Boards[i]
	}
	return nil
}

// games returns the games that there are patterns for.
func games() (list []string) {
	for _, b := range Boards {
		list = append(list, b.Game)
	}
	return list
}

// PieceWord is the word for any kind.
const PieceWord = "piece"

// Points returns how many points the board has.
func (b *Board) Points() int { return b.Width * b.Height }

// AnyKind is all kinds.
func (b *Board) AnyKind() uint8 { return 1<<len(b.Kinds) - 1 }

func (b *Board) pointAt(file, rank int) uint8 { return uint8((rank-1)*b.Width + file - 1) }

// FileAt and RankAt return where a point of a pattern lies.
func (b *Board) FileAt(p uint8) int { return int(p)%b.Width + 1 }
func (b *Board) RankAt(p uint8) int { return int(p)/b.Width + 1 }

// square reads a point as squares are written.
func (b *Board) square(text string) (point uint8, ok bool) {
	if !b.Squares || len(text) != 2 || text[0] < 'a' || int(text[0]-'a') >= b.Width || text[1] < '1' || int(text[1]-'1') >= b.Height {
		return 0, false
	}
	return b.pointAt(int(text[0]-'a')+1, int(text[1]-'0')), true
}

func (b *Board) pointText(p uint8) string {
	if b.Squares {
		return fmt.Sprintf("%c%d", 'a'+b.FileAt(p)-1, b.RankAt(p))
	}
	return fmt.Sprintf("%d.%d", b.FileAt(p), b.RankAt(p))
}

// kindsOf returns the kinds that a word means, 0 for none.
func (b *Board) kindsOf(word string) uint8 {
	if word == PieceWord {
		return b.AnyKind()
	}
	if i := slices.Index(b.Kinds, word); i >= 0 {
		return 1 << i
	}
	return 0
}
