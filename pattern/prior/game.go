package prior

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Game is a line of moves in little memory, to train on and to measure by.
type Game struct {
	rules *weiqi.Rules
	start *board.Planes // nil for an empty board
	steps []uint16      // point, and the side in the top bit
}

const (
	bySecond = 1 << 15
	passing  = bySecond - 1
)

// NewGame returns a game without moves. A start without stones is the same as
// none.
func NewGame(rules *weiqi.Rules, start *board.Planes) *Game {
	g := &Game{rules: rules}
	if start != nil {
		if all := start.Occupied(); !all.Empty() {
			g.start = start
		}
	}
	return g
}

// Add appends a move.
func (g *Game) Add(by game.Side, m game.Move) {
	s := uint16(passing)
	if to := m.To(); to != board.NoPoint {
		s = uint16(to)
	}
	g.steps = append(g.steps, s|uint16(by)<<15)
}

// Len returns the number of moves.
func (g *Game) Len() int { return len(g.steps) }

// Size returns the size of the board.
func (g *Game) Size() board.Size { return g.rules.Size() }

// Hash returns a hash of the first moves, n of them at the most, and the stones
// before them. It is the same for all symmetric pictures of a game.
func (g *Game) Hash(n int) uint64 {
	s := g.rules.Size()
	least := ^uint64(0)
	for _, sym := range s.Symmetries() {
		h := s.Key()
		if g.start != nil {
			h ^= g.start.Transform(sym, nil).Hash()
		}
		for _, step := range g.steps[:min(n, len(g.steps))] {
			to := board.Point(step &^ bySecond)
			if to != passing {
				to = sym.Apply(s, to)
			}
			h = board.Mix(h ^ uint64(to) ^ uint64(step&bySecond))
		}
		least = min(least, h)
	}
	return least
}

// Walk plays the game on the board and calls visit before every stone that is
// put in turn where it may be, with the point it is put on. It ends where the
// board cannot take a move, or visit returns false.
func (g *Game) Walk(b *Board, visit func(to board.Point) bool) {
	setup := game.NewSetup(g.rules)
	if g.start != nil {
		setup.Board = g.start
	}
	if len(g.steps) > 0 {
		setup.Turn = game.Side(g.steps[0] >> 15)
	}
	p, err := g.rules.Arrange(setup)
	if err != nil {
		return
	}
	b.Reset(p.(*weiqi.Position))
	for _, step := range g.steps {
		by, m := game.Side(step>>15), game.Pass
		if to := step &^ bySecond; to != passing {
			m = game.Drop(board.Point(to))
		}
		if m != game.Pass && by == b.pos.Turn() && b.pos.Check(m) == nil && !visit(m.To()) {
			return
		}
		if b.Force(by, m) != nil {
			return
		}
	}
}
