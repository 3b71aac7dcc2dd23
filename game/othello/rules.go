package othello

import (
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
)

// The pieces of the game, which are also the sides plus one.
const (
	Black board.Piece = 1
	White board.Piece = 2
)

// Rules is Othello on a board of one size.
type Rules struct {
	size board.Size
	info game.Info
	geo  board.Geometry
}

var (
	_ game.Rules  = (*Rules)(nil)
	_ game.Varied = (*Rules)(nil)
)

// Standard is Othello on 8x8.
var Standard = game.Must(New(board.Size{W: 8, H: 8}))

// The reasons why a move is refused.
var (
	errNoFlip error = game.Illegal("the move turns no disc over")
	errKind   error = game.Illegal("a move is one square or a pass")
)

// New returns Othello on a board whose sides are even and at least 4.
func New(s board.Size) (*Rules, error) {
	if !s.Valid() || s.W%2 != 0 || s.H%2 != 0 || s.W < 4 || s.H < 4 {
		return nil, fmt.Errorf("othello: size %v: both sides must be even, from 4 to %d", s, board.MaxSide-1)
	}
	r := &Rules{size: s, info: info(s), geo: geometry(s)}
	return r, nil
}

func info(s board.Size) game.Info {
	i := game.Info{
		Name:   "othello",
		Titles: board.Names{En: "Othello", Hant: "黑白棋", Hans: "黑白棋", Ja: "オセロ", Ko: "오셀로"},
		Howto: board.Names{
			En:   "Place a disc so that discs of the other side lie in a straight line between it and another of yours: they turn over. Who cannot do so passes. At the end the side with more discs wins.",
			Hant: "落子時要在直線、橫線或斜線上夾住對方的棋子，被夾住的棋子全部翻成己方。無處可下就停一手；雙方都不能下時，棋子多的一方獲勝。",
			Hans: "落子时要在直线、横线或斜线上夹住对方的棋子，被夹住的棋子全部翻成己方。无处可下就停一手；双方都不能下时，棋子多的一方获胜。",
			Ja:   "相手の石を自分の石で縦・横・斜めにはさむように打つと、はさんだ石が裏返ります。打てる場所がなければパス。最後に石の多い方が勝ちです。",
			Ko:   "상대 돌을 내 돌 사이에 가로·세로·대각선으로 끼우도록 두면 그 돌이 뒤집힙니다. 둘 곳이 없으면 패스합니다. 끝났을 때 돌이 많은 쪽이 이깁니다.",
		},
		Tools:   []string{"learn", "xot"},
		Aliases: []string{"reversi", "リバーシ"},
		Sides: []game.SideInfo{
			{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "X*xbB"},
			{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "Oo0wW"},
		},
		Notations: []game.NotationInfo{
			{Name: "square", Summary: "column letter and row number from the top left: f5; pass"},
		},
		Discs: true,
		Choices: []game.Choice{
			{Titles: board.Names{En: "Board", Hant: "棋盤", Hans: "棋盘", Ja: "盤", Ko: "판"}, Values: []game.ChoiceValue{{Word: "8x8"}, {Word: "6x6"}, {Word: "10x10"}}},
		},
		Variants:   []game.VariantInfo{{Name: "WxH", Summary: "board size, both sides even: 6x6, 10x10"}},
		Symmetries: game.BoardSymmetries(s),
		Perft:      game.PerftOptions{KeepEnded: true},
	}
	for _, sym := range game.BoardSymmetries(s) {
		sym.Swap = true
		i.Symmetries = append(i.Symmetries, sym)
	}
	if s != (board.Size{W: 8, H: 8}) {
		i.Variant = s.String()
	}
	return i
}

func geometry(s board.Size) board.Geometry {
	g := board.Geometry{
		Size:  s,
		Cells: true,
		Lines: board.Grid(s, true),
		Labels: board.Labels{
			Top:  board.Letters(s.W, 'a', ""),
			Left: make([]string, s.H),
		},
		Theme: board.Theme{Board: "#1f7a4d", Line: "#0c3a23", Mark: "#ffd54a"},
		Pieces: []board.Look{
			{Names: board.Names{En: "black disc", Hant: "黑子", Hans: "黑子", Ja: "黒石", Ko: "흑돌"}, Owner: 0, Swap: White,
				Letters: "X*x#", Symbol: "●", Fill: "#1b1b1b", Edge: "#000000", Ink: "#ffffff"},
			{Names: board.Names{En: "white disc", Hant: "白子", Hans: "白子", Ja: "白石", Ko: "백돌"}, Owner: 1, Swap: Black,
				Letters: "Oo", Symbol: "○", Fill: "#f4f2ec", Edge: "#8b8b84", Ink: "#111111"},
		},
	}
	for y := range s.H {
		g.Labels.Left[y] = strconv.Itoa(y + 1)
	}
	if s.W >= 8 && s.H >= 8 {
		for _, y := range []float64{1.5, float64(s.H) - 2.5} {
			for _, x := range []float64{1.5, float64(s.W) - 2.5} {
				g.Dots = append(g.Dots, board.Spot{X: x, Y: y})
			}
		}
	}
	return g
}

// Info returns the facts about the game.
func (r *Rules) Info() *game.Info { return &r.info }

// Geometry returns what the board looks like.
func (r *Rules) Geometry() *board.Geometry { return &r.geo }

// Variant returns Othello on another size: "6x6".
func (r *Rules) Variant(spec string) (game.Rules, error) {
	if spec == "" {
		return r, nil
	}
	s, err := board.ParseSize(spec)
	if err != nil {
		return nil, fmt.Errorf("othello: variant %q: %w", spec, err)
	}
	v, err := New(s)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Start returns the position with the four discs in the middle.
func (r *Rules) Start() game.Position {
	s := game.NewSetup(r)
	x, y := r.size.W/2, r.size.H/2
	s.Board.Put(board.At(x-1, y-1), White)
	s.Board.Put(board.At(x, y), White)
	s.Board.Put(board.At(x-1, y), Black)
	s.Board.Put(board.At(x, y-1), Black)
	p, _ := r.Arrange(s)
	return p
}

// Arrange accepts every arrangement of discs: a board of one colour or an
// empty one is simply a game that has ended.
func (r *Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	if r.size == (board.Size{W: 8, H: 8}) {
		return newPosition(s), nil
	}
	return newWide(s), nil
}

// ParseMove reads "f5" in either case; "pass", "pa", "ps" and "--" are passes.
func (r *Rules) ParseMove(p game.Position, text string, n game.Notation) (game.Move, error) {
	m, ok := r.Coordinates(text, n)
	if !ok {
		return m, game.ErrSyntax
	}
	return m, p.(legality).legal(m)
}

// Coordinates reads a move without asking whether it is legal. It is false for
// a text that is no move.
func (r *Rules) Coordinates(text string, n game.Notation) (game.Move, bool) {
	if n != game.AnyNotation && n != "square" {
		return game.NoMove, false
	}
	m := Move(text)
	return m, m != game.NoMove
}

// legality is what both kinds of board share besides game.Position.
type legality interface {
	legal(game.Move) error // nil, or why the move is refused
}

// Move returns the move that a text means on a board of any size, legal or
// not, or NoMove.
func Move(text string) game.Move {
	if len(text) < 2 || len(text) > 4 {
		return game.NoMove
	}
	column := text[0] | 0x20
	row, ok := uint(text[1]-'0'), text[1] >= '1' && text[1] <= '9'
	if len(text) == 3 {
		ok = ok && text[2] >= '0' && text[2] <= '9'
		row = row*10 + uint(text[2]-'0')
	}
	if !ok || column < 'a' || column >= 'a'+board.MaxSide || len(text) == 4 || row > board.MaxSide {
		switch strings.ToLower(text) {
		case "pass", "pa", "ps", "--":
			return game.Pass
		}
		return game.NoMove
	}
	return game.Drop(board.At(int(column-'a'), int(row-1)))
}

// anyBoard is the largest board there is.
var anyBoard = board.Size{W: board.MaxSide, H: board.MaxSide}

// AppendMove appends "f5" or "pass"; "none" for what is neither.
func (r *Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	if m == game.Pass {
		return append(dst, "pass"...)
	}
	p := m.To()
	if !anyBoard.Has(p) {
		return append(dst, "none"...)
	}
	return strconv.AppendInt(append(dst, byte('a'+p.X())), int64(p.Y()+1), 10)
}

// passable tells why a move that is no square is refused, if it is.
func passable(m game.Move, canMove, opponentCan bool) error {
	switch {
	case m != game.Pass:
		return errKind
	case canMove:
		return game.ErrNoPass
	case !opponentCan:
		return game.ErrOver
	}
	return nil
}

// outcome judges a game that has ended with these numbers of discs.
func outcome(black, white, area int) game.Outcome {
	margin := black - white
	empty := area - black - white
	switch {
	case margin > 0:
		return game.Outcome{State: game.Won, Winner: game.First, Reason: game.ByCount, Margin: 2 * (margin + empty)}
	case margin < 0:
		return game.Outcome{State: game.Won, Winner: game.Second, Reason: game.ByCount, Margin: 2 * (empty - margin)}
	}
	return game.Outcome{State: game.Drawn, Reason: game.ByCount}
}
