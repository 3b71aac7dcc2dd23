package puct

import (
	"cmp"
	"math"
	"slices"

	"qipu/board"
	"qipu/engine/shaped"
	"qipu/engine/sight"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/proof"
	"qipu/game/weiqi/tactics"
)

// worker looks at positions: one of them belongs to each thread.
type worker struct {
	p      *weiqi.Position
	eye    *sight.Eye
	sight  sight.Sight
	shapes *shaped.Prior // nil where they have no say
	reader *tactics.Reader
	judge  *judge.Judge
	board  life.Board
	prover proof.Prover
	seed   uint64

	last   []board.Point // of the moves that were made, the latest last; passes are NoPoint
	recent [sight.Recent]board.Point

	path   []step      // of the visit that is going on
	leaf   int32       // node at its end
	moves  []game.Move // of it, played on the board
	barred []int32     // edges
	list   []edge      // of the position that was looked at
	seen   bool        // the net has looked at it, too

	refuted []game.Move // of the position that was looked at: what a ladder takes runs
}

// step is an edge of a visit, with the node that it leads to.
type step struct{ by, to int32 }

// verdict is what a look has found out, for the side to move.
type verdict struct {
	utility, lead, win float64
	over               bool // nothing is to be played behind it
}

// Of a utility: how much the chance to win counts, the rest is the lead.
const byChance = 0.8

// worth returns a verdict with its utility.
func (w *worker) worth(win, lead float64) verdict {
	size := w.p.Planes().Size
	points := 2 / math.Pi * math.Atan(lead/math.Sqrt(float64(size.Area())))
	return verdict{utility: byChance*(2*win-1) + (1-byChance)*points, lead: lead, win: win}
}

// begin turns to a position that is the worker's own.
func (w *worker) begin(p *weiqi.Position, last []board.Point, seed uint64) {
	w.p, w.seed = p, seed
	w.last = append(w.last[:0], last...)
	if w.reader == nil {
		w.reader = tactics.New(p)
		w.reader.Limit(ladderLimit)
	} else {
		w.reader.Reset(p)
	}
	w.prover.Suicide = p.Rules().RuleSet().Suicide
}

// forth makes a move, and back takes all of them back. It is false where the rules
// forbid the move.
func (w *worker) forth(m game.Move) bool {
	if w.p.Play(m) != nil {
		return false
	}
	w.last, w.moves = append(w.last, m.To()), append(w.moves, m)
	return true
}

func (w *worker) back() {
	for range w.moves {
		w.p.Undo()
	}
	w.last = w.last[:len(w.last)-len(w.moves)]
}

// key is that of the position, and of all that decides beside it whether the game is
// over and how it is counted: the number of the move, prisoners, the passes just made,
// and whether the board was there before where that ends a game.
func (w *worker) key() uint64 {
	var s game.Setup
	w.p.Note(&s)
	passes := 0
	for i := len(w.last) - 1; i >= 0 && w.last[i] == board.NoPoint && passes < 3; i-- {
		passes++
	}
	more := uint64(len(w.last))<<40 | uint64(uint16(s.Prisoners[0]))<<24 | uint64(uint16(s.Prisoners[1]))<<8 | uint64(passes)
	if passes < 2 && w.p.Outcome().Claim {
		more |= 4
	}
	return board.Mix(w.p.Hash() ^ board.Mix(more))
}

// turned chooses how the net is shown a board.
func (w *worker) turned() uint {
	if w.seed == 0 {
		return 0
	}
	return uint(board.Mix(w.seed^w.p.Hash()) >> 7)
}

// see has the net look at the position.
func (w *worker) see() error {
	n := 0
	for i := len(w.last) - 1; i >= 0 && n < len(w.recent); i-- {
		w.recent[n] = w.last[i]
		n++
	}
	return w.eye.Look(&w.sight, w.p, w.recent[:n], w.turned())
}

// look finds out what the position is worth, and writes its moves into the list.
func (w *worker) look(root bool) (v verdict, err error) {
	w.list, w.seen = w.list[:0], false
	o := w.p.Outcome()
	if o.Final() || o.Claim {
		if v, known := w.counted(o); known {
			return v, nil
		}
	}
	if err := w.see(); err != nil {
		return v, err
	}
	w.seen = true
	v = w.worth(w.sight.Win, w.sight.Lead)
	if o.Final() {
		v.over = true
		return v, nil
	}
	if side, ok := w.proved(); ok && !root {
		win := 0.0
		if side == w.p.Turn() {
			win = 1
		}
		v = w.worth(win, w.sight.Lead)
		v.over = true
		return v, nil
	}
	w.expand(root)
	return v, nil
}

// counted returns what a game that is over is worth; it is false where nobody knows
// for sure.
func (w *worker) counted(o game.Outcome) (v verdict, ok bool) {
	win, lead := 0.5, 0.0
	switch {
	case o.State == game.Won:
		win, lead = 1, float64(o.Margin)/2
		if o.Winner != w.p.Turn() {
			win, lead = 0, -lead
		}
	case o.State == game.Unscored:
		r, err := w.judged()
		if err != nil || r.Early || slices.ContainsFunc(r.Strings, func(s life.Verdict) bool { return s.Unclear }) {
			return v, false
		}
		me := w.p.Turn()
		lead = float64(r.Score.Total[me]-r.Score.Total[me.Opponent()]) / 2
		if lead != 0 {
			win = max(0, math.Copysign(1, lead))
		}
	}
	v = w.worth(win, lead)
	v.over = true
	return v, true
}

func (w *worker) judged() (*judge.Report, error) {
	if w.judge == nil {
		w.judge = judge.New()
	}
	return w.judge.Judge(w.p, judge.Options{})
}

// proved returns the side that has proved more than it needs to win, where the area
// is counted and enough of the board is filled to make the question worth its while.
func (w *worker) proved() (side game.Side, ok bool) {
	rules := w.p.Rules()
	planes := w.p.Planes()
	all := planes.Occupied()
	area := planes.Size.Area()
	if rules.RuleSet().Scoring != weiqi.Area || 2*all.Count() < area {
		return 0, false
	}
	w.board.Reset(planes)
	points := w.prover.Static(&w.board).Points
	for side := range points {
		least := 4*points[side] - 2*area // its lead at least, in half points
		if side == int(weiqi.Black) {
			least -= rules.Komi() + 2*rules.Handicap()
		} else {
			least += rules.Komi()
		}
		if least > 0 {
			return game.Side(side), true
		}
	}
	return 0, false
}

// The bounds of a list of moves, where it is not that of the root.
const (
	mostEdges = 48
	massEdges = 0.998
)

// expand lists the moves with how likely they are, the likeliest first.
func (w *worker) expand(root bool) {
	size := w.p.Planes().Size
	if w.shapes != nil {
		w.shapes.Correct(w.p.Planes(), w.p.Turn(), w.sight.Moves)
	}
	w.correct()
	w.list = append(w.list, edge{move: game.Pass, prior: float32(w.sight.Pass)})
	sum := w.sight.Pass
	for i, x := range w.sight.Moves {
		if x > 0 {
			w.list = append(w.list, edge{move: game.Drop(board.At(i%size.W, i/size.W)), prior: float32(x)})
			sum += x
		}
	}
	slices.SortFunc(w.list, func(a, b edge) int { return cmp.Or(cmp.Compare(b.prior, a.prior), cmp.Compare(a.move, b.move)) })
	mass, most := float32(0), len(w.list)
	for i := range w.list {
		w.list[i].prior /= float32(sum)
		if mass += w.list[i].prior; !root && most == len(w.list) && (mass > massEdges || i+1 == mostEdges) {
			most = i + 1
		}
	}
	if rest := w.list[most:]; len(rest) > 0 {
		if at := slices.IndexFunc(rest, func(e edge) bool { return e.move == game.Pass }); at >= 0 { // it can always be played
			w.list[most] = rest[at]
			most++
		}
	}
	w.list = w.list[:most]
}
