package puct

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/tactics"
)

const (
	ladderLimit = 400  // moves that the reading of one ladder may play
	futile      = 0.05 // what is left of a move that reading refutes
	urgent      = 0.06 // what a move has at least that takes a string of two stones or more
)

// correct changes what the net says of moves where reading knows better: strings that
// a ladder takes do not run, strings that can be taken are looked at, and eyes are not
// filled.
func (w *worker) correct() {
	p, me := w.p, w.p.Turn()
	size := p.Planes().Size
	index := func(at board.Point) int { return at.Y()*size.W + at.X() }
	var room [2]board.Point
	w.refuted = w.refuted[:0]
	for at := range size.Points() {
		side, ok := p.SideAt(at)
		if !ok {
			if i := index(at); w.sight.Moves[i] > 0 && w.eyeOf(me, at) {
				w.sight.Moves[i] *= futile
			}
			continue
		}
		if p.Head(at) != at {
			continue
		}
		switch n := p.Liberties(at, 3); {
		case side == me && n == 1:
			to := p.AppendLiberties(room[:0], at, 1)[0]
			if i := index(to); w.sight.Moves[i] > 0 && w.reader.After(me, to).Captured == 0 && w.caught(at, me, to) {
				w.sight.Moves[i] *= futile
				w.refuted = append(w.refuted, game.Drop(to))
			}
		case side != me && n == 1 && p.StringSize(at) > 1:
			w.raise(index(p.AppendLiberties(room[:0], at, 1)[0]))
		case side != me && n == 2 && p.StringSize(at) > 1:
			if l := w.reader.Ladder(at, me); l.Verdict == tactics.Caught && len(l.Line) > 0 && l.Line[0] != board.NoPoint {
				w.raise(index(l.Line[0]))
			}
		}
	}
}

// caught reports whether a string in atari is taken by a ladder though it runs.
func (w *worker) caught(at board.Point, side game.Side, to board.Point) bool {
	if w.p.Play(game.Drop(to)) != nil {
		return false
	}
	defer w.p.Undo()
	return w.p.Liberties(at, 3) < 3 && w.reader.Ladder(at, side.Opponent()).Verdict == tactics.Caught
}

func (w *worker) raise(i int) {
	if x := w.sight.Moves[i]; x > 0 {
		w.sight.Moves[i] = max(x, urgent)
	}
}

// eyeOf reports whether an empty point is an eye of a side that no neighbour threatens:
// all beside it are its stones, and so are enough of the corners.
func (w *worker) eyeOf(side game.Side, at board.Point) bool {
	p, size := w.p, w.p.Planes().Size
	x, y := at.X(), at.Y()
	own := func(x, y int) (here, mine bool) {
		if x < 0 || y < 0 || x >= size.W || y >= size.H {
			return false, false
		}
		s, ok := p.SideAt(board.At(x, y))
		return true, ok && s == side
	}
	for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		here, mine := own(x+d[0], y+d[1])
		if here && (!mine || p.Liberties(board.At(x+d[0], y+d[1]), 2) < 2) {
			return false
		}
	}
	lost, edge := 0, false
	for _, d := range [4][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		switch here, mine := own(x+d[0], y+d[1]); {
		case !here:
			edge = true
		case !mine:
			lost++
		}
	}
	return lost == 0 || lost == 1 && !edge
}

// ending tells where nothing is to be gained.
type ending struct {
	known   bool
	useless board.Plane
}

// ending asks the judge which points of the position are worth a move. The sight is
// that of the position.
func (w *worker) ending() (e ending) {
	if r, err := w.judged(); err == nil {
		e.useless, e.known = w.judge.Useless(w.p, r, w.sight.Owner)
	}
	return e
}
