package retrieve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/gametest"
)

// double is a game of stones in which a side puts two in a row, but for the very
// first: the board shows pieces, and the turn does not go over with every move.
type double struct{ game.Rules }

var doubled = double{connect4.Rules{}}

type doublePosition struct {
	planes  *board.Planes
	turn    game.Side
	left    int // stones that the side has to put
	history []board.Point
}

var (
	doubleInfo     = *connect4.Rules{}.Info()
	doubleGeometry = *connect4.Rules{}.Geometry()
)

func init() {
	size := board.Size{W: 4, H: 3}
	doubleInfo.Name, doubleInfo.Extra, doubleInfo.Symmetries = "double", []string{"left"}, nil
	for _, swap := range []bool{false, true} {
		for _, sym := range size.Symmetries() {
			doubleInfo.Symmetries = append(doubleInfo.Symmetries, game.Symmetry{Board: sym, Swap: swap})
		}
	}
	doubleGeometry.Size, doubleGeometry.Lines = size, board.Grid(size, true)
	doubleGeometry.Labels = board.Labels{Top: board.Letters(4, 'a', ""), Left: []string{"3", "2", "1"}}
}

func (double) Info() *game.Info          { return &doubleInfo }
func (double) Geometry() *board.Geometry { return &doubleGeometry }

func (r double) Start() game.Position {
	return &doublePosition{planes: board.NewPlanes(doubleGeometry.Size, 2), left: 1}
}

func (r double) Arrange(s game.Setup) (game.Position, error) {
	if err := s.Check(r); err != nil {
		return nil, err
	}
	p := &doublePosition{planes: s.Board.Clone(), turn: s.Turn, left: 2}
	if s.Extra != "" {
		p.left = 1
	}
	return p, nil
}

func (double) ParseMove(p game.Position, text string, _ game.Notation) (game.Move, error) {
	at, ok := doubleGeometry.Point(text)
	switch {
	case !ok:
		return game.NoMove, game.ErrSyntax
	case p.(*doublePosition).planes.At(at) != board.Empty:
		return game.Drop(at), game.ErrOccupied
	}
	return game.Drop(at), nil
}

func (double) AppendMove(dst []byte, _ game.Position, m game.Move, _ game.Notation) []byte {
	return append(dst, doubleGeometry.Name(m.To())...)
}

func (p *doublePosition) Turn() game.Side       { return p.turn }
func (p *doublePosition) Planes() *board.Planes { return p.planes }

func (p *doublePosition) Note(s *game.Setup) {
	if p.left == 1 {
		s.Extra = "left=1"
	}
}

func (p *doublePosition) AppendMoves(dst []game.Move) []game.Move {
	for at := range p.planes.Size.Points() {
		if p.planes.At(at) == board.Empty {
			dst = append(dst, game.Drop(at))
		}
	}
	return dst
}

func (p *doublePosition) Play(m game.Move) error {
	if to := m.To(); m != game.Drop(to) || !p.planes.Size.Has(to) || p.planes.At(to) != board.Empty {
		return game.ErrOccupied
	}
	p.history = append(p.history, m.To())
	p.planes.Put(m.To(), board.Piece(p.turn)+1)
	if p.left--; p.left == 0 {
		p.turn, p.left = p.turn.Opponent(), 2
	}
	return nil
}

func (p *doublePosition) Undo() {
	at := p.history[len(p.history)-1]
	side := game.Side(p.planes.At(at) - 1)
	p.left = p.left%2 + 1
	if side != p.turn {
		p.left = 1
	}
	p.turn, p.history = side, p.history[:len(p.history)-1]
	p.planes.Put(at, board.Empty)
}

func (p *doublePosition) Outcome() game.Outcome {
	if all := p.planes.Occupied(); all.Count() == p.planes.Size.Area() {
		return game.Outcome{State: game.Drawn, Reason: game.ByFull}
	}
	return game.Outcome{}
}

func (p *doublePosition) Hash() uint64 {
	return p.planes.Hash() ^ board.Mix(uint64(p.turn)<<32|uint64(p.left))
}

func TestDoubleLaws(t *testing.T) { gametest.Run(t, doubled, gametest.Options{}) }

// TestDouble looks for boards of games in which a side moves twice: who is to
// move, and what was played next, is what the boards of the oracle say.
func TestDouble(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	var list []string
	var reached []game.Position
	for range 80 {
		pos, words := doubled.Start(), []string{}
		for range rng.IntN(10) {
			moves := pos.AppendMoves(nil)
			// Few points, so that games meet.
			m := moves[rng.IntN(min(len(moves), 5))]
			words = append(words, game.FormatMove(doubled, pos, m, game.AnyNotation))
			if err := pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		list = append(list, []string{"first", "second", "draw"}[rng.IntN(3)]+":"+strings.Join(words, " "))
		for range rng.IntN(len(words) + 1) {
			pos.Undo()
		}
		reached = append(reached, pos)
	}
	slices.Sort(list)
	w := library(t, "double", "", "", slices.Compact(list)...)
	hits := 0
	for i, pos := range append(reached, doubled.Start()) {
		a, err := w.checkExplore(t, &ExploreRequest{Kind: w.kinds()[0], Position: pos, Mirror: i%2 == 0, Swap: i%3 == 0, AnyTurn: i%5 == 0})
		if err != nil {
			t.Fatalf("%s: %v", game.FormatPosition(doubled, pos), err)
		}
		hits += a.Hits
	}
	if hits < 100 {
		t.Errorf("%d occurrences: too few to say anything", hits)
	}
}
