package othello

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// wide is a position on any other size than 8x8, as bit planes.
type wide struct {
	planes  board.Planes
	turn    game.Side
	history []wideUndo
}

// wideUndo is what a move turned over, and its square or NoPoint for a pass.
type wideUndo struct {
	flips  board.Plane
	square board.Point
}

var (
	_ game.Position = (*wide)(nil)
	_ game.Planar   = (*wide)(nil)
	_ game.Changer  = (*wide)(nil)
	_ game.Copier   = (*wide)(nil)
)

func newWide(s game.Setup) *wide {
	return &wide{planes: *s.Board.Clone(), turn: s.Turn}
}

// Copy returns the position with its history.
func (w *wide) Copy() game.Position {
	return &wide{planes: *w.planes.Clone(), turn: w.turn, history: slices.Clone(w.history)}
}

// directions are the eight neighbours, four with rising bits first.
var directions = [8][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}, {-1, 0}, {1, -1}, {0, -1}, {-1, -1}}

func (w *wide) Turn() game.Side { return w.turn }

func (w *wide) Planes() *board.Planes { return &w.planes }

// movable returns the squares where a side can play: it walks all runs of all
// discs at once, one step a round.
func (w *wide) movable(side game.Side) board.Plane {
	own, opp := &w.planes.Of[side], &w.planes.Of[side^1]
	var moves board.Plane
	for _, d := range directions {
		run := own.Shift(w.planes.Size, d[0], d[1])
		run.And(opp)
		for !run.Empty() {
			run = run.Shift(w.planes.Size, d[0], d[1])
			moves.Or(&run)
			run.And(opp)
		}
	}
	moves.AndNot(own)
	moves.AndNot(opp)
	return moves
}

func (w *wide) canMove(side game.Side) bool {
	moves := w.movable(side)
	return !moves.Empty()
}

// turned returns the discs that a disc of the side to move on p turns over.
func (w *wide) turned(p board.Point) (flips board.Plane) {
	own, opp := &w.planes.Of[w.turn], &w.planes.Of[w.turn^1]
	for _, d := range directions {
		var run board.Plane
		for x, y := p.X()+d[0], p.Y()+d[1]; x >= 0 && y >= 0 && x < w.planes.Size.W && y < w.planes.Size.H; x, y = x+d[0], y+d[1] {
			q := board.At(x, y)
			if own.Has(q) {
				flips.Or(&run)
			}
			if !opp.Has(q) {
				break
			}
			run.Add(q)
		}
	}
	return flips
}

func (w *wide) AppendMoves(dst []game.Move) []game.Move {
	moves := w.movable(w.turn)
	if moves.Empty() {
		if w.canMove(w.turn ^ 1) {
			return append(dst, game.Pass)
		}
	}
	for p := range moves.Points() {
		dst = append(dst, game.Drop(p))
	}
	return dst
}

func (w *wide) legal(m game.Move) error {
	_, err := w.effect(m)
	return err
}

// effect returns what a move turns over, or why it is refused.
func (w *wide) effect(m game.Move) (flips board.Plane, err error) {
	to := m.To()
	switch {
	case to == board.NoPoint || m != game.Drop(to):
		return flips, passable(m, w.canMove(w.turn), w.canMove(w.turn^1))
	case !w.planes.Size.Has(to):
		return flips, game.ErrOffBoard
	case w.planes.At(to) != board.Empty:
		return flips, game.ErrOccupied
	}
	if flips = w.turned(to); flips.Empty() {
		return flips, errNoFlip
	}
	return flips, nil
}

func (w *wide) Play(m game.Move) error {
	flips, err := w.effect(m)
	if err != nil {
		return err
	}
	own, opp := &w.planes.Of[w.turn], &w.planes.Of[w.turn^1]
	own.Or(&flips)
	opp.AndNot(&flips)
	if m != game.Pass {
		own.Add(m.To())
	}
	w.history = append(w.history, wideUndo{flips, m.To()})
	w.turn ^= 1
	return nil
}

func (w *wide) Undo() {
	last := len(w.history) - 1
	u := &w.history[last]
	w.turn ^= 1
	own, opp := &w.planes.Of[w.turn], &w.planes.Of[w.turn^1]
	if u.square != board.NoPoint {
		own.Remove(u.square)
	}
	own.AndNot(&u.flips)
	opp.Or(&u.flips)
	w.history = w.history[:last]
}

func (w *wide) AppendChanged(dst []game.Changed) []game.Changed {
	last := len(w.history) - 1
	if last < 0 || w.history[last].square == board.NoPoint {
		return dst
	}
	u := &w.history[last]
	piece := board.Piece(w.turn^1) + 1
	dst = append(dst, game.Changed{Point: u.square, Piece: piece})
	for q := range u.flips.Points() {
		dst = append(dst, game.Changed{Point: q, Piece: piece})
	}
	return dst
}

func (w *wide) Outcome() game.Outcome {
	if w.canMove(game.First) || w.canMove(game.Second) {
		return game.Outcome{}
	}
	return outcome(w.planes.Of[0].Count(), w.planes.Of[1].Count(), w.planes.Size.Area())
}

// Hash hashes the size too, so that boards of different sizes never meet.
func (w *wide) Hash() uint64 {
	return w.planes.Hash() ^ w.planes.Size.Key() ^ board.Mix(1<<33|uint64(w.turn))
}
