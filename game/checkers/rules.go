package checkers

import (
	"fmt"
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/checkers/squares"
)

// The pieces.
const (
	BlackMan board.Piece = iota + 1
	BlackKing
	WhiteMan
	WhiteKing
)

// Black and White are the sides; Black moves first.
const (
	Black = game.First
	White = game.Second
)

// The notations.
const (
	// Short names the ends of a capture where they tell which one is meant.
	Short game.Notation = "pdn"
	// Long names every square on which the piece comes down.
	Long game.Notation = "squares"
)

// Rules is checkers; the zero value is ready to use.
type Rules struct{}

var (
	_ game.Rules       = Rules{}
	_ game.SetupReader = Rules{}
)

var info = game.Info{
	Name:   "checkers",
	Titles: board.Names{En: "Checkers", Hant: "西洋跳棋", Hans: "西洋跳棋", Ja: "チェッカー", Ko: "체커"},
	Howto: board.Names{
		En:   "Men step forward aslant; kings, which have reached the last row, go back as well. Who can jump over a piece must, and goes on jumping as long as it can. Who cannot move loses.",
		Hant: "兵只能斜向前走一格；到達底線成王，王可前可後。能跳吃必須跳吃，能連跳必須跳到底。無子可動者負。",
		Hans: "兵只能斜向前走一格；到达底线成王，王可前可后。能跳吃必须跳吃，能连跳必须跳到底。无子可动者负。",
		Ja:   "駒は斜め前に 1 つ進みます。最終列に着くとキングになり、後ろにも進めます。取れるときは必ず取り、続けて取れる限り取ります。動けない方が負けです。",
		Ko:   "말은 대각선 앞으로 한 칸 갑니다. 끝줄에 닿으면 킹이 되어 뒤로도 갑니다. 잡을 수 있으면 반드시 잡고, 이어 잡을 수 있는 한 계속 잡습니다. 움직일 수 없으면 집니다.",
	},
	Aliases: []string{"draughts", "english-draughts", "american-checkers", "英國跳棋", "ドラフツ", "드래프츠"},
	Sides: []game.SideInfo{
		{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "Bb"},
		{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "Ww"},
	},
	Notations: []game.NotationInfo{
		{Name: Short, Summary: "squares by number; of captures the ends, if they tell which it is: 11-15, 15x22"},
		{Name: Long, Summary: "squares by number, all on which a piece comes down: 11-15, 15x22x31"},
	},
	Symmetries: []game.Symmetry{{}, {Board: board.HalfTurn, Swap: true}},
	Pairs:      true,
	Draws:      true,
	Ways:       true,
}

var geometry = board.Geometry{
	Size: squares.Size, Cells: true, Lines: board.Grid(squares.Size, true),
	Labels: board.Labels{Top: board.Letters(8, 'a', ""), Left: []string{"8", "7", "6", "5", "4", "3", "2", "1"}},
	Shades: []board.Shade{{Colour: "#8a9a6b"}},
	Pieces: []board.Look{
		{Names: board.Names{En: "black man", Hant: "黑兵", Hans: "黑兵", Ja: "黒の駒", Ko: "흑 말"}, Owner: 0, Swap: WhiteMan,
			Letters: "b", Symbol: "⛂", Fill: "#35302b", Edge: "#0d0b0a", Ink: "#fdfbf5", Weight: 1},
		{Names: board.Names{En: "black king", Hant: "黑王", Hans: "黑王", Ja: "黒のキング", Ko: "흑 킹"}, Owner: 0, Swap: WhiteKing,
			Letters: "B", Symbol: "⛃", Glyph: "♚", Fill: "#35302b", Edge: "#0d0b0a", Ink: "#fdfbf5", Weight: 1.5},
		{Names: board.Names{En: "white man", Hant: "白兵", Hans: "白兵", Ja: "白の駒", Ko: "백 말"}, Owner: 1, Swap: BlackMan,
			Letters: "w", Symbol: "⛀", Fill: "#f6efe0", Edge: "#8d8474", Ink: "#2b2622", Weight: 1},
		{Names: board.Names{En: "white king", Hant: "白王", Hans: "白王", Ja: "白のキング", Ko: "백 킹"}, Owner: 1, Swap: BlackKing,
			Letters: "W", Symbol: "⛁", Glyph: "♚", Fill: "#f6efe0", Edge: "#8d8474", Ink: "#2b2622", Weight: 1.5},
	},
	Theme: board.Theme{Board: "#ece2c6", Line: "#5f6b48", Mark: "#b5482e"},
}

func init() {
	for n := 1; n <= squares.Count; n++ {
		p := squares.Point(n)
		geometry.Shades[0].Points = append(geometry.Shades[0].Points, squares.Size.Index(p))
		geometry.Texts = append(geometry.Texts, board.Caption{At: board.Spot{X: float64(p.X()) - 0.36, Y: float64(p.Y()) - 0.36}, Text: fmt.Sprint(n), Height: 0.2})
	}
}

// Info returns the facts about the game.
func (Rules) Info() *game.Info { return &info }

// Geometry returns what the board looks like.
func (Rules) Geometry() *board.Geometry { return &geometry }

// Start returns twelve men on each side.
func (Rules) Start() game.Position {
	p := &Position{planes: *board.NewPlanes(squares.Size, len(geometry.Pieces))}
	p.put(state{men: [2]set{0x00000FFF, 0xFFF00000}})
	return p
}

// Arrange refuses pieces on light squares, men on the row that would have crowned
// them, and more than twelve pieces of a side.
func (Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(Rules{}); err != nil {
		return nil, err
	}
	var st state
	for piece := range s.Board.Of {
		for p := range s.Board.Of[piece].Points() {
			q := squareOf[p]
			if q == squares.Count {
				return nil, fmt.Errorf("checkers: a piece stands on the light square %s", geometry.Name(p))
			}
			if piece%2 == 0 {
				st.men[piece/2] |= 1 << q
			} else {
				st.kings[piece/2] |= 1 << q
			}
		}
	}
	for side := range st.men {
		name := info.Sides[side].Name
		if n := bits.OnesCount32(st.men[side] | st.kings[side]); n > 12 {
			return nil, fmt.Errorf("checkers: %s has %d pieces, and at most 12 can be", name, n)
		}
		if at := st.men[side] & lastRow[side]; at != 0 {
			return nil, fmt.Errorf("checkers: the man of %s on %d would be a king", name, first(at)+1)
		}
	}
	st.turn = s.Turn
	p := &Position{planes: *board.NewPlanes(squares.Size, len(geometry.Pieces))}
	p.put(st)
	return p, nil
}

// ReadSetup reads positions as players of draughts write them: B:W21,K22:B1,2.
func (r Rules) ReadSetup(text string) (s game.Setup, ok bool, err error) {
	if !squares.Looks(text) {
		return s, false, nil
	}
	rows, err := squares.Rows(text)
	if err != nil {
		return s, true, fmt.Errorf("checkers: %w", err)
	}
	s, err = game.ParseSetup(r, rows)
	return s, true, err
}
