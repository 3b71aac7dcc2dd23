// Package breakthrough is Breakthrough: pawns on 8x8 step forward, straight or
// slantwise, and take slantwise; who comes to the last row wins. White begins.
//
// It is a game for tests alone, written from docs/adding-a-game.md: the rules of
// a game that the product does not know. Package internal/fifth takes it all the
// way.
package breakthrough

import (
	"qipu/board"
	"qipu/game"
)

const size = 8

// White's pawns are the first plane, Black's the second.
const (
	White board.Piece = 1
	Black board.Piece = 2
)

// Rules is Breakthrough; the zero value is ready to use.
type Rules struct{}

// Position is a moment of a game.
type Position struct {
	planes  board.Planes
	turn    game.Side
	history []played
}

type played struct {
	move  game.Move
	taken bool
}

var (
	_ game.Rules    = Rules{}
	_ game.Position = (*Position)(nil)
	_ game.Planar   = (*Position)(nil)
	_ game.Changer  = (*Position)(nil)
)

// The reasons why a move is refused.
var (
	errNotYours error = game.Illegal("no pawn of yours stands there")
	errStep     error = game.Illegal("pawns step one row forward")
	errStraight error = game.Illegal("pawns take slantwise only")
	errOwn      error = game.Illegal("a pawn of yours stands there")
)

var info = game.Info{
	Name:   "breakthrough",
	Titles: board.Names{En: "Breakthrough", Hant: "突破棋", Hans: "突破棋", Ja: "ブレイクスルー", Ko: "브레이크스루"},
	Howto: board.Names{
		En:   "Pawns step forward, straight or slantwise, and take slantwise. Who first comes to the last row wins.",
		Hant: "兵只能向前走一步，直走或斜走，斜走可吃子。先到達底線者獲勝。",
		Hans: "兵只能向前走一步，直走或斜走，斜走可吃子。先到达底线者获胜。",
		Ja:   "ポーンは前か斜め前に一つ進み、斜めに取ります。先に最終列に着いた方が勝ちです。",
		Ko:   "폰은 앞이나 대각선 앞으로 한 칸 가고, 대각선으로 잡습니다. 먼저 끝줄에 닿으면 이깁니다.",
	},
	Sides: []game.SideInfo{
		{Name: "white", Titles: board.Names{En: "White", Hant: "白方", Hans: "白方", Ja: "白", Ko: "백"}, Letters: "wW"},
		{Name: "black", Titles: board.Names{En: "Black", Hant: "黑方", Hans: "黑方", Ja: "黒", Ko: "흑"}, Letters: "bB"},
	},
	Notations: []game.NotationInfo{{Name: "squares", Summary: "the squares of the step: e2e3"}},
	Symmetries: []game.Symmetry{
		{}, {Board: board.Mirror}, {Board: board.Flip, Swap: true}, {Board: board.HalfTurn, Swap: true},
	},
}

var geometry = board.Geometry{
	Size:  board.Size{W: size, H: size},
	Cells: true,
	Lines: board.Grid(board.Size{W: size, H: size}, true),
	Labels: board.Labels{
		Top:  board.Letters(size, 'a', ""),
		Left: []string{"8", "7", "6", "5", "4", "3", "2", "1"},
	},
	Pieces: []board.Look{
		{Names: board.Names{En: "white pawn", Hant: "白兵", Hans: "白兵", Ja: "白のポーン", Ko: "백 폰"}, Owner: 0, Swap: Black,
			Letters: "P", Symbol: "♙", Fill: "#f7f5ef", Edge: "#8b8b84", Ink: "#111111"},
		{Names: board.Names{En: "black pawn", Hant: "黑兵", Hans: "黑兵", Ja: "黒のポーン", Ko: "흑 폰"}, Owner: 1, Swap: White,
			Letters: "p", Symbol: "♟", Fill: "#1b1b1b", Edge: "#000000", Ink: "#ffffff"},
	},
	Theme: board.Theme{Board: "#d9b98a", Line: "#7a5a30", Mark: "#c0392b"},
}

// Info returns the facts about the game.
func (Rules) Info() *game.Info { return &info }

// Geometry returns what the board looks like.
func (Rules) Geometry() *board.Geometry { return &geometry }

// Openings returns the named openings: these are made up.
func (Rules) Openings() (text string, drawn bool) {
	return "e2e3|King's step|キングの一歩|王步|王步|킹의 걸음\ne2e3 e7e6|Closed step|閉じた一歩|閉步|闭步|닫힌 걸음\n", false
}

// Start returns two rows of pawns for each side.
func (r Rules) Start() game.Position {
	s := game.NewSetup(r)
	for x := range size {
		for y := range 2 {
			s.Board.Put(board.At(x, y), Black)
			s.Board.Put(board.At(x, size-1-y), White)
		}
	}
	p, _ := r.Arrange(s)
	return p
}

// Arrange takes any pawns.
func (r Rules) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	return &Position{planes: *s.Board.Clone(), turn: s.Turn}, nil
}

// ParseMove reads two squares, with or without a sign between them.
func (Rules) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	if len(text) == 5 && (text[2] == '-' || text[2] == 'x') {
		text = text[:2] + text[3:]
	}
	if len(text) != 4 {
		return game.NoMove, game.ErrSyntax
	}
	from, ok1 := geometry.Point(text[:2])
	to, ok2 := geometry.Point(text[2:])
	if !ok1 || !ok2 {
		return game.NoMove, game.ErrSyntax
	}
	m := game.Step(from, to)
	return m, p.(*Position).legal(m)
}

// AppendMove appends the two squares.
func (Rules) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return append(append(dst, geometry.Name(m.From())...), geometry.Name(m.To())...)
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// forward is what a step adds to the row.
func (p *Position) forward() int {
	if p.turn == game.First {
		return -1
	}
	return 1
}

// AppendMoves appends the steps of all pawns.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.Outcome().Over() {
		return dst
	}
	for from := range p.planes.Of[p.turn].Points() {
		for dx := -1; dx <= 1; dx++ {
			x, y := from.X()+dx, from.Y()+p.forward()
			if x < 0 || x >= size || y < 0 || y >= size {
				continue
			}
			if m := game.Step(from, board.At(x, y)); p.legal(m) == nil {
				dst = append(dst, m)
			}
		}
	}
	return dst
}

func (p *Position) legal(m game.Move) error {
	from, to := m.From(), m.To()
	switch {
	case p.Outcome().Over():
		return game.ErrOver
	case from == board.NoPoint || m != game.Step(from, to) || !p.planes.Size.Has(from) || !p.planes.Size.Has(to):
		return game.ErrOffBoard
	case !p.planes.Of[p.turn].Has(from):
		return errNotYours
	case to.Y()-from.Y() != p.forward() || to.X()-from.X() < -1 || to.X()-from.X() > 1:
		return errStep
	case p.planes.Of[p.turn].Has(to):
		return errOwn
	case to.X() == from.X() && p.planes.At(to) != board.Empty:
		return errStraight
	}
	return nil
}

// Play makes a step.
func (p *Position) Play(m game.Move) error {
	if err := p.legal(m); err != nil {
		return err
	}
	own, other := &p.planes.Of[p.turn], &p.planes.Of[p.turn^1]
	p.history = append(p.history, played{m, other.Has(m.To())})
	own.Remove(m.From())
	own.Add(m.To())
	other.Remove(m.To())
	p.turn ^= 1
	return nil
}

// Undo takes the last step back.
func (p *Position) Undo() {
	last := p.history[len(p.history)-1]
	p.history = p.history[:len(p.history)-1]
	if last.taken {
		p.planes.Of[p.turn].Add(last.move.To())
	}
	p.turn ^= 1
	p.planes.Of[p.turn].Remove(last.move.To())
	p.planes.Of[p.turn].Add(last.move.From())
}

// AppendChanged appends the two squares of the last step.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	if len(p.history) == 0 {
		return dst
	}
	m := p.history[len(p.history)-1].move
	return append(dst, game.Changed{Point: m.To(), Piece: p.planes.At(m.To())}, game.Changed{Point: m.From()})
}

// Outcome looks for a pawn on the last row, and for sides without pawns.
func (p *Position) Outcome() game.Outcome {
	for side, row := range [2]int{0, size - 1} {
		won := p.planes.Of[1-side].Count() == 0
		for x := range size {
			won = won || p.planes.Of[side].Has(board.At(x, row))
		}
		if won {
			return game.Outcome{State: game.Won, Winner: game.Side(side), Reason: "breakthrough"}
		}
	}
	return game.Outcome{}
}

// Hash returns a key of the position.
func (p *Position) Hash() uint64 { return p.planes.Hash() ^ board.Mix(uint64(p.turn)<<32) }
