package endgame

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"qipu/game"
)

// What a table holds of a position, for the side to move: a byte. 1 is lost in 0 plies, 2
// won in 1, 3 lost in 2 and so on.
const (
	unknown     byte = 0   // while it is built; a draw when it is done
	heldByMover byte = 253 // a draw that the side to move holds by checks alone
	heldByOther byte = 254 // the same of the other side
	nothing     byte = 255 // no position, or another number has it
	anyDraw     byte = 255 // of the best move out of a table: to a draw

	deepest = 250 // plies that can be told
)

// codeOf returns the byte for an end in so many plies: won where that is odd.
func codeOf(plies int) byte { return byte(plies + 1) }

// values are those of a table in memory.
type values struct {
	*shape
	of [2][]byte // with the first side to move, with the second
}

// builder works out one table.
type builder struct {
	*shape
	exits   map[exit]*door
	value   [2][]uint32 // with the first side to move, with the second; four positions a word
	left    [2][]uint32 // moves that stay in the table and are not known to lose
	out     [2][]byte   // what the best move is worth that leaves it; 0 where there is none
	workers int
	tell    func(done, total int64)
	done    atomic.Int64
	latest  atomic.Int32 // the greatest code of out
	fault   atomic.Pointer[error]
}

// exit is a way out of a table: a man is taken, a man becomes another, or both; -1 for
// neither.
type exit struct{ taken, mover, become int }

// door is where it leads.
type door struct {
	to    *values
	slots []int // of the men there, by slot here; -1 for what is taken
	swap  bool
}

// build works a table out. under has the tables that moves lead to from it.
func build(ctx context.Context, s *shape, under func(Material) *values, workers int, tell func(done, total int64)) (*values, error) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := &builder{shape: s, exits: map[exit]*door{}, workers: workers, tell: tell}
	if err := b.doors(under); err != nil {
		return nil, err
	}
	for side := range 2 {
		b.value[side] = make([]uint32, (s.size+3)/4)
		b.left[side] = make([]uint32, (s.size+3)/4)
		b.out[side] = make([]byte, s.size)
	}
	for side := range 2 {
		b.each(ctx, func(w *worker, from, to int) { w.begin(side, from, to) })
	}
	still := 0 // plies that ended nothing
	for plies := 1; still < 2 || plies < int(b.latest.Load()); plies++ {
		if ctx.Err() != nil {
			break
		}
		if plies > deepest {
			return nil, fmt.Errorf("%s: wins take more than %d plies, which tables cannot tell", s.x, deepest)
		}
		var found atomic.Int64
		for side := range 2 {
			b.each(ctx, func(w *worker, from, to int) { found.Add(w.back(side, plies, from, to)) })
			b.each(ctx, func(w *worker, from, to int) { found.Add(w.arrive(side, plies, from, to)) })
		}
		if still++; found.Load() > 0 {
			still = 0
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if f := b.fault.Load(); f != nil {
		return nil, *f
	}
	v := &values{shape: s}
	for side := range 2 {
		b.out[side], b.left[side] = nil, nil
		v.of[side] = make([]byte, s.size)
		for i := range v.of[side] {
			v.of[side][i] = get(b.value[side], i)
		}
		b.value[side] = nil
	}
	return v, nil
}

// doors finds all ways out of the table.
func (b *builder) doors(under func(Material) *values) error {
	for mover, m := range b.slots {
		for taken := -1; taken < len(b.slots); taken++ {
			if taken == 0 || taken == 1 || taken > 1 && b.slots[taken]&1 == m&1 {
				continue
			}
			for _, k := range append([]int{-1}, b.becomes(m)...) {
				if taken < 0 && k < 0 {
					continue
				}
				d, err := b.door(exit{taken, mover, k}, under)
				if err != nil {
					return err
				}
				b.exits[exit{taken, mover, k}] = d
			}
		}
	}
	return nil
}

func (b *builder) door(e exit, under func(Material) *values) (*door, error) {
	x := b.x.clone()
	now := slices.Clone(b.slots)
	if e.taken >= 0 {
		t := b.slots[e.taken]
		x.have[t&1][t.kind()]--
	}
	if e.become >= 0 {
		m := b.slots[e.mover]
		x.have[m&1][m.kind()]--
		x.have[m&1][e.become]++
		now[e.mover] = manOf(e.become, m.side())
	}
	d := &door{slots: make([]int, len(b.slots))}
	x, d.swap = x.ordered()
	if d.to = under(x); d.to == nil {
		return nil, fmt.Errorf("%s needs a table of %s, which is not there", b.x, x)
	}
	used := make([]bool, len(d.to.slots))
	for i, m := range now {
		d.slots[i] = -1
		if i == e.taken {
			continue
		}
		if d.swap {
			m ^= 1
		}
		for j, other := range d.to.slots {
			if !used[j] && other == m {
				d.slots[i], used[j] = j, true
				break
			}
		}
	}
	return d, nil
}

// each runs f over all numbers, a block at a time, on all cores.
func (b *builder) each(ctx context.Context, f func(w *worker, from, to int)) {
	block := max(1<<10, min(1<<16, b.size/(4*b.workers)+1)) &^ 3
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(b.workers, b.size/block+1) {
		all.Go(func() {
			w := &worker{builder: b}
			for ctx.Err() == nil {
				from := int(next.Add(1)-1) * block
				if from >= b.size {
					return
				}
				f(w, from, min(from+block, b.size))
			}
		})
	}
	all.Wait()
}

// worker is one of those who build.
type worker struct {
	*builder
	p, q place
	seen []int
}

// get and put read and write one of the bytes in words. What is written was 0 before;
// several may write the same at once, and one of them is told that it was the first.
func get(words []uint32, i int) byte {
	return byte(atomic.LoadUint32(&words[i>>2]) >> (8 * (i & 3)))
}

func put(words []uint32, i int, v byte) (first bool) {
	shift := 8 * (i & 3)
	return byte(atomic.OrUint32(&words[i>>2], uint32(v)<<shift)>>shift) == 0
}

// begin looks at positions for the first time: which are none, which are over, how many
// moves stay in the table and what the best of the others is worth.
func (w *worker) begin(side, from, to int) {
	for i := from; i < to; i++ {
		v, left, out := nothing, 0, byte(0)
		if w.put(&w.p, i) {
			if n, _ := w.number(&w.p); n == i && !w.attacked(&w.p, side, -1) {
				left, out = w.moves(side)
				v = unknown
				switch {
				case left > 0 || out != 0:
				case w.men.StuckLoses || w.attacked(&w.p, 1-side, -1):
					v = codeOf(0)
				default:
					out = anyDraw
				}
			}
		}
		w.lift(&w.p)
		if left > 254 {
			err := fmt.Errorf("%s: a position has %d moves: tables can tell no more than 254", w.x, left)
			w.fault.Store(&err)
		}
		w.out[side][i] = out
		if out != anyDraw {
			for old := w.latest.Load(); int32(out) > old && !w.latest.CompareAndSwap(old, int32(out)); {
				old = w.latest.Load()
			}
		}
		put(w.value[side], i, v)
		put(w.left[side], i, byte(left))
	}
	if done := w.done.Add(int64(to - from)); w.tell != nil {
		w.tell(done, 2*int64(w.size))
	}
}

// moves counts the moves of a side that stay in the table, those to one number as one,
// and tells what the best of the others is worth: 0 where there are none, else the code
// of the end for who moves, or anyDraw.
func (w *worker) moves(side int) (left int, out byte) {
	p := &w.p
	w.seen = w.seen[:0]
	twice := w.lone[p.sq[1-side]]
	for slot, m := range w.slots {
		if int(m&1) != side {
			continue
		}
		from := p.sq[slot]
		for i := range w.ways[m][from] {
			v := &w.ways[m][from][i]
			w.targets(p, v, func(to square, taken int) {
				if taken >= 0 && (w.slots[taken]&1 == m&1 || taken < 2) {
					return
				}
				p.occ.remove(from)
				p.occ.add(to)
				p.sq[slot] = to
				switch {
				case w.attacked(p, 1-side, taken):
				case taken >= 0 || v.becomes != nil:
					out = w.leave(side, slot, taken, v, out)
				case twice:
					n, _ := w.number(p)
					w.seen = append(w.seen, n)
				default:
					left++
				}
				p.sq[slot] = from
				if taken < 0 {
					p.occ.remove(to)
				}
				p.occ.add(from)
			})
		}
	}
	if twice {
		slices.Sort(w.seen)
		left = len(slices.Compact(w.seen))
	}
	return left, out
}

// targets calls f with every square that a way leads to, and the slot of the man there,
// of either side; -1 for none.
func (s *shape) targets(p *place, v *way, f func(to square, taken int)) {
	switch v.kind {
	case game.Stride, game.Advance, game.Strike:
		last := v.path[len(v.path)-1]
		taken := int(p.on[last]) - 1
		if p.occ.meets(v.over) || v.kind == game.Advance && taken >= 0 || v.kind == game.Strike && taken < 0 {
			return
		}
		f(last, taken)
	case game.Slide:
		for _, to := range v.path {
			taken := int(p.on[to]) - 1
			if f(to, taken); taken >= 0 {
				return
			}
		}
	case game.Shoot:
		i := 0
		for ; i < len(v.path) && p.on[v.path[i]] == 0; i++ {
			f(v.path[i], -1)
		}
		for i++; i < len(v.path); i++ {
			if taken := int(p.on[v.path[i]]) - 1; taken >= 0 {
				f(v.path[i], taken)
				return
			}
		}
	}
}

// leave returns the better of what a way out of the table is worth and of what was best.
func (w *worker) leave(side, slot, taken int, v *way, best byte) byte {
	if v.becomes == nil {
		return better(best, w.beyond(side, exit{taken, slot, -1}))
	}
	for _, k := range v.becomes {
		best = better(best, w.beyond(side, exit{taken, slot, k}))
	}
	return best
}

// beyond returns the worth of the position on the other side of a door, for who has gone
// through.
func (w *worker) beyond(side int, e exit) byte {
	d := w.exits[e]
	for i, to := range d.slots {
		if to < 0 {
			continue
		}
		q := w.p.sq[i]
		if d.swap {
			q = w.turn[w.swap][q]
		}
		w.q.sq[to] = q
	}
	turn := 1 - side
	if d.swap {
		turn = side
	}
	n, _ := d.to.number(&w.q)
	if c := d.to.of[turn][n]; c != unknown && c < heldByMover {
		return c + 1
	}
	return anyDraw
}

// better returns the better of two codes for who has them: 0 is none.
func better(a, b byte) byte {
	rank := func(c byte) int {
		switch {
		case c == 0:
			return -1 << 10
		case c == anyDraw:
			return 0
		case c&1 == 0: // won: the sooner, the better
			return 1<<9 - int(c)
		}
		return int(c) - 1<<9
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// back goes from positions that end in one ply less to those that lead there: where
// these are lost, to those won; where they are won, to those that may have nothing else.
func (w *worker) back(side, plies, from, to int) (found int64) {
	code := codeOf(plies - 1)
	words := w.value[side]
	pattern := uint32(code) * 0x01010101
	for at := from >> 2; at < (to+3)>>2; at++ {
		x := atomic.LoadUint32(&words[at]) ^ pattern
		for hit := (x - 0x01010101) &^ x & 0x80808080; hit != 0; hit &= hit - 1 {
			// A byte above one that is zero may be taken for zero, too.
			if i := at<<2 + bits.TrailingZeros32(hit)>>3; i < w.size && get(words, i) == code {
				found += w.unmove(side, plies, i)
			}
		}
	}
	return found
}

// unmove takes back the moves that lead to a position where a side is to move.
func (w *worker) unmove(side, plies, number int) (found int64) {
	p := &w.p
	w.put(p, number)
	mover := 1 - side
	twice := w.lone[p.sq[side]]
	w.seen = w.seen[:0]
	visit := func(slot int, from square) {
		was := p.sq[slot]
		p.sq[slot] = from
		if n, _ := w.number(p); twice {
			w.seen = append(w.seen, n)
		} else {
			found += w.settle(mover, plies, n)
		}
		p.sq[slot] = was
	}
	for slot, m := range w.slots {
		if int(m&1) != mover {
			continue
		}
		at := p.sq[slot]
		p.occ.remove(at)
		for _, h := range w.hops[m][at] {
			if p.on[h.from] == 0 && !p.occ.meets(h.over) && (slot > 1 || w.apart(p, slot, h.from)) {
				visit(slot, h.from)
			}
		}
		for _, line := range w.lines[m][at] {
			for _, from := range line {
				if p.on[from] != 0 {
					break
				}
				visit(slot, from)
			}
		}
		p.occ.add(at)
	}
	w.lift(p)
	if twice {
		slices.Sort(w.seen)
		for _, n := range slices.Compact(w.seen) {
			found += w.settle(mover, plies, n)
		}
	}
	return found
}

// apart reports whether kings of which one stands on a square are a pair.
func (w *worker) apart(p *place, slot int, at square) bool {
	kings := [2]square{p.sq[0], p.sq[1]}
	kings[slot] = at
	return w.pairOf[int(kings[0])*w.area+int(kings[1])] >= 0
}

// settle notes what a move to a position that ends in plies-1 means for who makes it.
func (w *worker) settle(side, plies, n int) (found int64) {
	if get(w.value[side], n) != unknown {
		return 0
	}
	if plies&1 != 0 {
		if put(w.value[side], n, codeOf(plies)) {
			return 1
		}
		return 0
	}
	shift := 8 * (n & 3)
	if byte(atomic.AddUint32(&w.left[side][n>>2], ^uint32(0)<<shift)>>shift) != 0 {
		return 0
	}
	// All moves that stay lose. One that leaves may take longer, or not lose at all.
	if out := w.out[side][n]; out == 0 || out&1 != 0 && out != anyDraw && out <= codeOf(plies) {
		put(w.value[side], n, codeOf(plies))
		return 1
	}
	return 0
}

// arrive settles positions whose best move leaves the table and ends in just so many
// plies.
func (w *worker) arrive(side, plies, from, to int) (found int64) {
	code := codeOf(plies)
	if int32(code) > w.latest.Load() {
		return 0
	}
	for i, out := range w.out[side][from:to] {
		if out != code {
			continue
		}
		if i += from; get(w.value[side], i) == unknown && (plies&1 != 0 || get(w.left[side], i) == 0) {
			put(w.value[side], i, code)
			found++
		}
	}
	return found
}
