package chess

import (
	"slices"
	"time"

	"qipu/engine"
	"qipu/engine/tree"
	"qipu/game"
)

// deepen reads ply by ply deeper until a limit ends it.
func (th *thought) deepen(watch func(*engine.Report)) {
	w := th.crew[0]
	steady := 0
	for d := 1; d <= th.depth; d++ {
		w.must = d == 1
		first := th.roots[0].move
		done := th.aspire(w, d)
		w.must = false
		if !done {
			break
		}
		th.tell(d, watch)
		if th.settled(d) {
			break
		}
		if th.roots[0].move == first {
			steady++
		} else {
			steady = 0
		}
		if soft := th.budget.Soft; !soft.IsZero() {
			// A choice that does not change needs less time.
			used := soft.Sub(th.began)
			if steady >= 4 {
				used = used * 3 / 4
			}
			if time.Since(th.began) > used {
				break
			}
		}
	}
	if w.stopped {
		th.salvage(watch)
	}
}

// settled reports whether reading deeper cannot change the values: all lines end in
// mates that are within the depth.
func (th *thought) settled(depth int) bool {
	for _, r := range th.roots[:th.multi] {
		v := max(r.value, -r.value)
		if v < mated || mate-v > depth {
			return false
		}
	}
	return true
}

// aspire reads a depth, with a narrow window around the last value first where one line
// is asked for. It reports whether the depth was read to its end.
func (th *thought) aspire(w *worker, depth int) bool {
	for i := range th.roots {
		th.roots[i].old, th.roots[i].value, th.roots[i].bound = th.roots[i].value, worst, engine.AtMost
	}
	lo, hi, width := worst, -worst, 25
	last := th.roots[0].old
	if th.multi == 1 && depth >= 4 && !th.off.Aspiration && last > -mated && last < mated {
		lo, hi = last-width, last+width
	}
	for {
		best := w.pass(th.roots, depth, lo, hi, th.multi)
		if w.stopped {
			return false
		}
		switch {
		case best <= lo && lo > worst:
			hi = (lo + hi) / 2
			lo = best - width
		case best >= hi && hi < -worst:
			hi = best + width
		default:
			sortRoots(th.roots)
			return true
		}
		if width *= 3; width > 500 {
			lo, hi = worst, -worst
		}
	}
}

// pass reads the moves of the root once. So many of the best get values, the others
// bounds.
func (w *worker) pass(roots []root, depth, lo, hi, multi int) int {
	w.depth0 = depth
	f := &w.stack[frames]
	f.eval = unknown
	if f.check = w.b.attacked(w.b.turn); !f.check {
		f.eval = w.judged()
	}
	w.stack[frames+1].killers = [2]move{}
	if w.record != nil {
		w.record.Enter(game.NoMove, false, int32(lo), int32(hi))
		defer func() { w.record.Leave(int32(roots[0].value), w.why, 0) }()
	}
	best := worst
	var values []int
	for i := range roots {
		r := &roots[i]
		alpha := lo
		if len(values) >= multi {
			alpha = max(lo, values[multi-1])
		}
		began := w.nodes
		former, ok := w.play(r.move, 0)
		if !ok {
			continue
		}
		var v int
		if i < multi || alpha == worst {
			v = -w.read(-hi, -alpha, depth-1, 1, false)
		} else {
			red := 0
			if depth >= 4 && i > 3 && former.taken == 0 && r.move.become() == 0 && !w.stack[frames+1].check && !w.off.Late {
				red = tree.Reduction(depth, i) / 2
			}
			v = -w.read(-alpha-1, -alpha, depth-1-red, 1, true)
			if v > alpha && red > 0 && !w.stopped {
				v = -w.read(-alpha-1, -alpha, depth-1, 1, true)
			}
			if v > alpha && !w.stopped {
				v = -w.read(-hi, -alpha, depth-1, 1, false)
			}
		}
		w.back(r.move, former)
		if w.stopped {
			break
		}
		r.nodes += w.nodes - began
		r.value, r.bound = v, engine.Even
		if v <= alpha && alpha > worst {
			r.bound = engine.AtMost
		} else {
			r.pv = append(append(r.pv[:0], r.move), w.pv[1]...)
			values = append(values, v)
			slices.SortFunc(values, func(a, b int) int { return b - a })
		}
		best = max(best, v)
		if v >= hi && hi < -worst {
			r.bound = engine.AtLeast
			break
		}
	}
	if !w.stopped {
		sortRoots(roots)
	}
	return best
}

// sortRoots brings the moves with values to the front, the best first, and leaves the
// others in their order.
func sortRoots(roots []root) {
	slices.SortStableFunc(roots, func(a, b root) int {
		x, y := a.bound != engine.AtMost, b.bound != engine.AtMost
		switch {
		case x && y:
			return b.value - a.value
		case x:
			return -1
		case y:
			return 1
		}
		return 0
	})
}

// salvage makes use of a depth that was broken off: the move that was best before is
// read first, so that a better one is better indeed.
func (th *thought) salvage(watch func(*engine.Report)) {
	if th.report == nil {
		th.roots[0].bound = engine.Even
		if th.roots[0].value == worst {
			th.roots[0].value = 0
		}
		th.roots[0].pv = append(th.roots[0].pv[:0], th.roots[0].move)
		th.multi = 1
		th.tell(1, watch)
		return
	}
	if th.multi > 1 || th.roots[0].bound == engine.AtMost {
		return
	}
	sortRoots(th.roots)
	if th.roots[0].bound == engine.Even {
		th.tell(th.report.Depth, watch)
	}
}

// tell makes the report, and shows it to who watches.
func (th *thought) tell(depth int, watch func(*engine.Report)) {
	w := th.crew[0]
	r := &engine.Report{Depth: depth, Elapsed: time.Since(th.began), Note: th.note, Nodes: w.nodes}
	if len(th.crew) > 1 {
		r.Nodes = max(r.Nodes, th.nodes.Load())
	}
	for _, x := range th.roots[:th.multi] {
		// A mate was read against every defence: moves are left out only where one was found
		// that is not mated.
		sure := x.bound == engine.Even && (x.value >= mated || x.value <= -mated)
		line := engine.Line{Move: w.begin.outer(x.move), Value: outer(x.value), Bound: x.bound, Exact: sure}
		b := w.begin
		for _, m := range w.lengthen(x.pv, depth) {
			line.Moves = append(line.Moves, b.outer(m))
			b.play(m)
		}
		r.Lines = append(r.Lines, line)
	}
	if w.record != nil {
		r.Counters = w.record.Counters()
	}
	th.report = r
	if watch != nil {
		watch(r)
	}
}

// outer returns a value as others have it.
func outer(v int) engine.Value {
	switch {
	case v >= mated:
		return engine.Win - engine.Value(mate-v)
	case v <= -mated:
		return -engine.Win + engine.Value(mate+v)
	}
	return engine.Value(v)
}

// lengthen goes on with a line by what the table knows, where a cut has ended it early.
func (w *worker) lengthen(pv []move, depth int) []move {
	b := w.begin
	line := slices.Clone(pv)
	met := map[uint64]bool{b.hash: true}
	for _, m := range line {
		b.play(m)
		met[b.hash] = true
	}
	for len(line) < depth {
		e, ok := w.table.Find(b.hash)
		m := move(e.Move)
		if !ok || e.Bound != engine.Even || !b.can(m) {
			break
		}
		b.play(m)
		if b.attacked(b.turn^1) || met[b.hash] {
			break
		}
		met[b.hash] = true
		line = append(line, m)
	}
	return line
}
