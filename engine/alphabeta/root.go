package alphabeta

import (
	"slices"
	"time"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// rootMove is what is known of a move of the root.
type rootMove struct {
	engine.Line
	read bool // in the pass that is going on
}

// aspire is half the width of the first window of a depth.
const aspire = engine.Unit / 2

// deepen reads ply by ply deeper until a limit ends it.
func (s *search) deepen(watch func(*engine.Report)) {
	list := make([]rootMove, len(s.root))
	for i, m := range s.root {
		list[i] = rootMove{Line: engine.Line{Move: m, Value: engine.NoValue}}
	}
	first := 1
	if s.NoDeepening {
		first = s.depth
	}
	for d := first; d <= s.depth; d++ {
		s.iteration = d
		s.must = d == 1
		horizon := s.horizon
		s.readRoot(list, d)
		s.must = false
		if s.stopped {
			break
		}
		s.values[d&1] = list[0].Value
		s.tell(list, d, watch)
		if s.horizon == horizon || s.settled(list[:s.multi], d) || !s.soft.IsZero() && time.Now().After(s.soft) {
			return
		}
	}
	if s.stopped && s.err == nil {
		s.salvage(list, watch)
	}
}

// settled reports whether reading deeper cannot change the values: the game is
// won or lost by all of the lines within the depth.
func (s *search) settled(list []rootMove, depth int) bool {
	for i := range list {
		v := max(list[i].Value, -list[i].Value)
		if v < engine.Decided || int(engine.Win-v) > depth {
			return false
		}
	}
	return true
}

// readRoot reads the moves of the root to a depth, with a narrow window around
// the last value first where one line is asked for.
func (s *search) readRoot(list []rootMove, depth int) {
	// Judgements swing with who has moved last: the value to expect is that of
	// two plies before.
	lo, hi := -inf, inf
	if last := s.values[depth&1]; s.multi == 1 && depth > 2 && !s.NoAspiration && !s.NoCuts && !s.NoDeepening && last > -engine.Decided && last < engine.Decided {
		lo, hi = last-aspire, last+aspire
	}
	for width := 4 * engine.Unit; ; width *= 8 {
		best := s.pass(list, depth, lo, hi)
		switch {
		case s.stopped:
			return
		case best <= lo && lo > -inf:
			if lo = best - width; width > 100*engine.Unit || lo < -engine.Decided {
				lo = -inf
			}
		case best >= hi && hi < inf:
			if hi = best + width; width > 100*engine.Unit || hi > engine.Decided {
				hi = inf
			}
		default:
			return
		}
	}
}

// pass reads the moves of the root once within a window, and puts the best
// first. As many as were asked for get their values, the others bounds.
func (s *search) pass(list []rootMove, depth int, lo, hi engine.Value) engine.Value {
	for i := range list {
		list[i].read = false
	}
	best, side := -inf, s.p.Turn()
	if s.record != nil {
		s.record.Enter(game.NoMove, false, int32(lo), int32(hi))
		defer func() { s.record.Leave(int32(best), s.reason(), s.by) }()
	}
	s.why, s.by = trace.Read, 0
	for i := range list {
		alpha := max(lo, s.least(list))
		m := &list[i]
		horizon := s.horizon
		s.play(m.Move, 0)
		if s.stopped {
			break
		}
		v := s.child(side, depth-1, 0, alpha, hi, i >= s.multi)
		s.undo()
		if s.stopped {
			break
		}
		m.read, m.Value, m.Bound = true, v, engine.Even
		switch {
		case v <= alpha && !s.NoCuts && alpha > -inf:
			m.Bound = engine.AtMost
		case v >= hi && hi < inf:
			m.Bound = engine.AtLeast
		}
		m.Exact = s.horizon == horizon
		if m.Bound == engine.Even || len(m.Moves) == 0 {
			m.Moves = append([]game.Move{m.Move}, s.pv[1]...)
		}
		best = max(best, v)
		s.why, s.by = trace.Read, 0
		if v >= hi && hi < inf {
			s.why, s.by = trace.Cut, i+1
			break
		}
	}
	if !s.stopped {
		arrange(list)
	}
	return best
}

// least returns the value that a move must exceed to be among those asked for.
func (s *search) least(list []rootMove) engine.Value {
	if s.NoCuts {
		return -inf
	}
	var found []engine.Value
	for i := range list {
		if list[i].read && list[i].Bound != engine.AtMost {
			found = append(found, list[i].Value)
		}
	}
	if len(found) < s.multi {
		return -inf
	}
	slices.Sort(found)
	return found[len(found)-s.multi]
}

// arrange brings the moves with values to the front, the best first, and leaves
// the others as they are.
func arrange(list []rootMove) {
	slices.SortStableFunc(list, func(a, b rootMove) int {
		va, vb := a.read && a.Bound != engine.AtMost, b.read && b.Bound != engine.AtMost
		switch {
		case va && vb:
			return int(b.Value) - int(a.Value)
		case va:
			return -1
		case vb:
			return 1
		}
		return 0
	})
}

// salvage makes use of a pass that was broken off: the move that was best before
// is read first, so that a better one is better indeed.
func (s *search) salvage(list []rootMove, watch func(*engine.Report)) {
	known := 0
	for i := range list {
		if list[i].read && list[i].Bound != engine.AtMost {
			known++
		}
	}
	if known == 0 || s.report != nil && (s.multi > 1 || !list[0].read || list[0].Bound == engine.AtMost) {
		return
	}
	arrange(list)
	multi := s.multi
	s.multi = min(multi, known)
	s.tell(list, s.iteration, watch)
	s.multi = multi
}

// tell makes the report, and shows it to who watches.
func (s *search) tell(list []rootMove, depth int, watch func(*engine.Report)) {
	r := &engine.Report{Depth: depth, Nodes: s.nodes, Elapsed: time.Since(s.began), Note: s.note, Selectivity: 100}
	if s.candidates != nil {
		r.Selectivity = 0
	}
	if s.record != nil {
		r.Counters = s.record.Counters()
	}
	for _, m := range list[:s.multi] {
		line := m.Line
		line.Moves = s.lengthen(slices.Clone(m.Moves), depth)
		r.Lines = append(r.Lines, line)
	}
	s.report = r
	if watch != nil {
		watch(r)
	}
}

// lengthen goes on with a line by what the table knows, where a cut has ended it
// early.
func (s *search) lengthen(line []game.Move, depth int) []game.Move {
	if s.table == nil {
		return line
	}
	n := 0
	for _, m := range line {
		if s.p.Play(m) != nil {
			break
		}
		n++
		s.last[n] = m
	}
	line = line[:n]
	for n < min(depth, maxPly) && !s.p.Outcome().Over() {
		e := s.table.find(s.key(n))
		if e == nil || e.bound != engine.Even || s.p.Play(e.move) != nil {
			break
		}
		n++
		s.last[n] = e.move
		line = append(line, e.move)
	}
	for range n {
		s.p.Undo()
	}
	return line
}
