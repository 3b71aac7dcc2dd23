package puct

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/game/weiqi"
)

// search is one thought.
type search struct {
	engine *Engine
	tree   *tree
	limits engine.Limits
	watch  func(*engine.Report)

	began      time.Time
	soft, hard time.Time // zero for none

	mu    sync.Mutex // of all below, and of the tree
	back  sync.Cond  // something was looked at
	err   error
	note  string
	done  int64 // looks of this thought
	ended bool
	told  time.Time
	next  int64 // looks at which watch is told

	stands  engine.Value // what the net says of the root
	refuted []game.Move

	owners []float64 // sums of what the net said, for the side to move at the root
	looks  int
}

// depthOf returns what stands for a depth in plies, which a tree of this kind does not
// have: how often its visits were doubled, 1 for a single one. visitsOf is the least
// number of visits that has a depth.
func depthOf(visits int64) int { return bits.Len64(uint64(visits)) }

func visitsOf(depth int) int64 { return 1 << min(depth-1, 40) }

func (s *search) run(ctx context.Context, p *weiqi.Position, last []board.Point) error {
	s.began = time.Now()
	s.back.L = &s.mu
	s.limit()
	threads := min(max(s.limits.Threads, 1), 64)
	first, err := s.engine.worker(0)
	if err != nil {
		return err
	}
	unhook := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		s.ended = true
		s.mu.Unlock()
		s.back.Broadcast()
	})
	defer unhook()
	first.begin(p, last, s.limits.Seed)
	if err := s.root(first); err != nil {
		return err
	}
	var crew sync.WaitGroup
	for i := 1; i < threads; i++ {
		w, err := s.engine.worker(i)
		if err != nil {
			return err
		}
		w.begin(p.Copy().(*weiqi.Position), last, s.limits.Seed)
		crew.Go(func() { s.work(w, nil) })
	}
	s.work(first, s.watch)
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.back.Broadcast()
	crew.Wait()
	return s.err
}

// limit sets the times.
func (s *search) limit() {
	soft, hard := s.limits.Time, s.limits.Time
	if c := s.limits.Clock; c != nil {
		moves := c.Moves
		if moves <= 0 {
			moves = 40
		}
		share := c.Left/time.Duration(moves+1) + c.Increment*3/4
		most := max(c.Left-50*time.Millisecond, c.Left/2) * 3 / 4
		share, most = min(share, most), min(share*2, most)
		if hard == 0 || most < hard {
			soft, hard = share, most
		}
	}
	if hard > 0 {
		s.soft, s.hard = s.began.Add(soft), s.began.Add(hard)
	}
}

// root looks at the root where nobody has, and leaves of its moves those that may
// gain something.
func (s *search) root(w *worker) error {
	w.moves = w.moves[:0]
	n := &s.tree.nodes[0]
	if n.state != open {
		v, err := w.look(true)
		if err != nil {
			return err
		}
		s.stands, s.refuted = valueOf(v.lead), slices.Clone(w.refuted)
		s.store(0, w, &v)
		s.done++
		s.remember(w)
	} else if err := w.see(); err != nil { // the end of the game is asked for
		return err
	} else {
		w.seen = true
		s.stands = valueOf(w.sight.Lead)
		s.remember(w)
	}
	e := w.ending()
	if !e.known {
		return nil
	}
	n = &s.tree.nodes[0]
	list := s.tree.edges[n.first : n.first+n.count]
	kept, sum := list[:0], float32(0)
	for _, x := range list {
		if x.move == game.Pass {
			x.prior = max(x.prior, passes)
		} else if e.useless.Has(x.move.To()) {
			continue
		}
		kept, sum = append(kept, x), sum+x.prior
	}
	for i := range kept {
		kept[i].prior /= sum
	}
	slices.SortStableFunc(kept, func(a, b edge) int {
		switch {
		case a.prior > b.prior:
			return -1
		case a.prior < b.prior:
			return 1
		}
		return 0
	})
	if n.count = int32(len(kept)); n.count == 1 {
		s.note = "nothing left"
	}
	return nil
}

// passes is how likely a pass is at least where the end of a game is near.
const passes = 0.05

// work visits until it is enough.
func (s *search) work(w *worker, watch func(*engine.Report)) {
	for s.visit(w) {
		if watch != nil {
			if r := s.news(); r != nil {
				watch(r)
			}
		}
	}
}

// news returns a report where there is something to tell.
func (s *search) news() *engine.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || s.done < s.next && time.Since(s.told) < time.Second/4 {
		return nil
	}
	s.next, s.told = max(2*s.next, s.done+1), time.Now()
	return s.tell()
}

// visit follows the tree to a position that nobody has looked at, and looks. It is
// false where the search has ended.
func (s *search) visit(w *worker) bool {
	s.mu.Lock()
	for {
		if s.enough() {
			s.mu.Unlock()
			return false
		}
		if s.pick(w) {
			break
		}
		s.land(w, false) // another one looks there now
		w.back()
		s.back.Wait()
	}
	leaf := w.leaf
	if n := &s.tree.nodes[leaf]; n.state == closed {
		s.store(leaf, w, &n.own)
		s.land(w, true)
		s.done++
		s.mu.Unlock()
		w.back()
		return true
	}
	s.tree.nodes[leaf].state = looking
	s.mu.Unlock()

	v, err := w.look(false)
	w.back()
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.back.Broadcast()
	if err != nil {
		s.tree.nodes[leaf].state = fresh
		s.land(w, false)
		s.err, s.ended = fmt.Errorf("puct: %w", err), true
		return false
	}
	s.store(leaf, w, &v)
	s.remember(w)
	s.land(w, true)
	s.done++
	return true
}

// pick follows the tree, marks the way, and plays it on the board of the worker, so that
// the rules have the last word: the same position can come about in several ways, and a
// move that repeats the board after one of them need not after another. It is false
// where the end of the way is being looked at.
func (s *search) pick(w *worker) bool {
	t := s.tree
	w.path, w.moves, w.leaf = w.path[:0], w.moves[:0], 0
	t.nodes[0].flying++
	for t.nodes[w.leaf].state == open {
		w.barred = w.barred[:0]
		by := t.choose(w.leaf, w.leaf == 0, s.wanted(w.leaf), nil)
		for !w.forth(t.edges[by].move) { // passes are never forbidden
			w.barred = append(w.barred, by)
			by = t.choose(w.leaf, w.leaf == 0, s.wanted(w.leaf), w.barred)
		}
		w.leaf = t.grow(by, w.key())
		t.edges[by].flying++
		t.nodes[w.leaf].flying++
		w.path = append(w.path, step{by, w.leaf})
	}
	return t.nodes[w.leaf].state != looking
}

// wanted is how many moves of the root are to be tried whatever comes of others.
func (s *search) wanted(at int32) int {
	if at != 0 || s.limits.Multi == 0 {
		return 0
	}
	if s.limits.Multi < 0 {
		return 12
	}
	return min(s.limits.Multi, 40)
}

// land ends a visit, which counts or does not: all nodes of the way are summed up anew,
// the last one first.
func (s *search) land(w *worker, counts bool) {
	t := s.tree
	for i := len(w.path); i >= 0; i-- {
		n := &t.nodes[0]
		if i > 0 {
			n = &t.nodes[w.path[i-1].to]
		}
		n.flying--
		if i < len(w.path) {
			e := &t.edges[w.path[i].by]
			e.flying--
			if counts {
				e.visits++
				t.sum(n)
			}
		}
	}
}

// store keeps what a look has found.
func (s *search) store(at int32, w *worker, v *verdict) {
	t := s.tree
	n := &t.nodes[at]
	n.own = *v
	n.visits++
	n.utility += v.utility
	n.lead += v.lead
	n.win += v.win
	switch {
	case n.state == closed:
	case v.over || t.full():
		n.state = closed
	default:
		n.first, n.count, n.state = int32(len(t.edges)), int32(len(w.list)), open
		t.edges = append(t.edges, w.list...)
	}
}

// enough reports whether the search ends.
func (s *search) enough() bool {
	if s.ended {
		return true
	}
	l := &s.limits
	root := &s.tree.nodes[0]
	if root.state != open || root.count < 2 && l.Multi >= 0 || s.tree.full() {
		s.ended = true
		return true
	}
	left := math.Inf(1)
	if l.Nodes > 0 {
		left = float64(l.Nodes - s.done)
	}
	if !s.hard.IsZero() {
		now := time.Now()
		if !now.Before(s.hard) {
			s.ended = true
			return true
		}
		if gone := now.Sub(s.began); gone > 0 && s.done > 0 {
			left = min(left, float64(s.done)*float64(s.soft.Sub(now))/float64(gone))
		}
	}
	if l.Depth > 0 {
		left = min(left, float64(visitsOf(l.Depth)-s.done))
	}
	if left <= 0 || l.Multi == 0 && s.decided(left) {
		s.ended = true
	}
	return s.ended
}

// decided reports whether so many more visits cannot make another move the best one.
func (s *search) decided(left float64) bool {
	first, second := int32(-1), int32(0)
	root := &s.tree.nodes[0]
	for i := root.first; i < root.first+root.count; i++ {
		switch v := s.tree.edges[i].visits; {
		case v > first:
			first, second = v, max(first, 0)
		case v > second:
			second = v
		}
	}
	return float64(first-second) > left
}

// line returns a move of the root, and what both sides were found to do best then, as
// far as the rules allow it.
func (s *search) line(first *edge) []game.Move {
	w := s.engine.workers[0] // it stands at the root whenever something is told
	w.moves = w.moves[:0]
	defer w.back()
	for e := first; e != nil && w.forth(e.move) && len(w.moves) < 40; {
		n := &s.tree.nodes[e.child]
		if e = nil; n.state != open {
			break
		}
		for i := n.first; i < n.first+n.count; i++ {
			if x := &s.tree.edges[i]; x.visits > 0 && (e == nil || better(x, e) < 0) {
				e = x
			}
		}
	}
	return slices.Clone(w.moves)
}

// hopeless reports whether the search sees the game as lost.
func (s *search) hopeless() bool {
	n, w := &s.tree.nodes[0], s.engine.workers[0]
	all := w.p.Planes().Occupied()
	return n.visits > 0 && 5*all.Count() > w.p.Planes().Size.Area() && n.win < lostChance*float64(n.visits) && n.lead < -w.margin()*float64(n.visits)
}

// report returns what was found.
func (s *search) report() *engine.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tell()
}

func (s *search) tell() *engine.Report {
	root := &s.tree.nodes[0]
	edges := slices.Clone(s.tree.edges[root.first : root.first+root.count])
	slices.SortFunc(edges, func(a, b edge) int { return better(&a, &b) })
	r := &engine.Report{Nodes: s.done, Depth: depthOf(int64(root.visits)), Elapsed: time.Since(s.began), Note: s.note, Points: true, Owner: s.owner(), Stands: s.stands, Refuted: s.refuted}
	n := max(s.limits.Multi, 1)
	if s.limits.Multi < 0 {
		n = len(edges)
	}
	for i, e := range edges[:min(n, len(edges))] {
		l := engine.Line{Move: e.move, Value: engine.NoValue, Weight: (float64(e.visits) + float64(e.prior)) / float64(root.visits), Likely: float64(e.prior)}
		l.Moves = []game.Move{e.move}
		if e.visits > 0 {
			c := &s.tree.nodes[e.child]
			k := 1 / float64(c.visits)
			l.Value, l.Chance = valueOf(-c.lead*k), chanceOf(1-c.win*k)
			l.Moves = s.line(&e)
		} else if i == 0 && root.visits > 0 {
			l.Value, l.Chance = valueOf(root.lead/float64(root.visits)), chanceOf(root.win/float64(root.visits))
		}
		r.Lines = append(r.Lines, l)
	}
	return r
}

func valueOf(lead float64) engine.Value { return engine.Value(math.Round(lead * float64(engine.Unit))) }

// chanceOf keeps a chance between 0 and 1.
func chanceOf(x float64) float64 { return min(max(x, 1e-4), 1-1e-4) }

// remember adds what the net says of owners to the sum, for the side to move at the root.
func (s *search) remember(w *worker) {
	if !w.seen {
		return
	}
	if s.owners == nil {
		s.owners = make([]float64, len(w.sight.Owner))
	}
	s.looks++
	other := len(w.moves)%2 != 0
	for i, x := range w.sight.Owner {
		if other {
			x = 1 - x
		}
		s.owners[i] += x
	}
}

// owner returns the mean of what the net said of all positions.
func (s *search) owner() []float64 {
	if s.looks == 0 {
		return nil
	}
	list := slices.Clone(s.owners)
	for i := range list {
		list[i] /= float64(s.looks)
	}
	return list
}
