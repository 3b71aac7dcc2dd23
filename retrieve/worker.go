package retrieve

import (
	"slices"

	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
)

// worker verifies batches. It holds buffers for one goroutine.
type worker struct {
	*finder
	matcher interval.Matcher
	hits    []interval.Hit // of the focus
	other   []interval.Hit
	job     *job

	// The lanes that the focus was looked for in, and those it was found in.
	asked, holds interval.Mask

	row   [interval.Lanes]int32 // the row of each lane, from 1
	first map[laneTwin]int      // hits by lane and place, where there are twins

	// next has what came behind each hit: lane, entry of the table, ply and the
	// side that moved, from the highest bit down. In order, the first of each
	// lane and entry is the pick of the line.
	next []uint64
}

// laneTwin is a place of the pattern in a lane, whoever is to move.
type laneTwin struct {
	lane  uint16
	place int32
}

func newWorker(f *finder) *worker { return &worker{finder: f} }

// run answers the query for one batch.
func (w *worker) run(j *job) {
	w.job = j
	w.matcher.Work = interval.Work{}
	w.hits = w.hits[:0]
	w.asked, w.holds = interval.Mask{}, interval.Mask{}
	j.table = table{fold: w.fold, lines: w.Variations}
	found := w.eval(w.query, j.batch.Lanes)
	if w.focus != nil {
		// A disjunction may have found lanes before it came to the focus.
		w.look(found)
		w.dropTwins()
	}
	w.gather(&found)
	j.work = w.matcher.Work
}

// eval returns the lanes among some that a query asks for. Parts of a
// conjunction see only what the parts before them left.
func (w *worker) eval(q query.Q, lanes interval.Mask) interval.Mask {
	if lanes.Empty() {
		return lanes
	}
	switch q := q.(type) {
	case query.And:
		for _, cheap := range []bool{true, false} { // sets of games before boards
			for _, part := range q {
				if _, games := part.(query.Games); games == cheap {
					lanes = w.eval(part, lanes)
				}
			}
		}
		return lanes
	case query.Or:
		var any interval.Mask
		for _, part := range q {
			m := w.eval(part, lanes)
			for i := range any {
				any[i] |= m[i]
			}
		}
		return any
	case query.Not:
		m := w.eval(q.Q, lanes)
		for i := range lanes {
			lanes[i] &^= m[i]
		}
		return lanes
	case query.Const:
		if q {
			return lanes
		}
	case query.Games:
		for lane := range w.job.batch.Block.N {
			if lanes.Has(lane) && !q.Set.Contains(w.job.batch.Game(lane)) {
				lanes[lane/64] &^= 1 << (lane % 64)
			}
		}
		return lanes
	case *query.Shape:
		if q == w.focus {
			w.look(lanes)
			for i := range lanes {
				lanes[i] &= w.holds[i]
			}
			return lanes
		}
		w.other = w.matcher.AppendHits(w.other[:0], w.job.batch.Block, w.programs[q], &lanes)
		return lanesOf(w.other)
	}
	return interval.Mask{}
}

// look looks for the focus in lanes where that was not done yet.
func (w *worker) look(lanes interval.Mask) {
	for i := range lanes {
		lanes[i] &^= w.asked[i]
		w.asked[i] |= lanes[i]
	}
	if lanes.Empty() {
		return
	}
	begin := len(w.hits)
	w.hits = w.matcher.AppendHits(w.hits, w.job.batch.Block, w.programs[w.focus], &lanes)
	m := lanesOf(w.hits[begin:])
	for i := range m {
		w.holds[i] |= m[i]
	}
}

func lanesOf(hits []interval.Hit) (m interval.Mask) {
	for i := range hits {
		m.Set(int(hits[i].Lane))
	}
	return m
}

// twinsOf returns, where a pattern is its own picture with the sides exchanged
// and asks for a side to move, for each placement the one at the same place that
// differs in nothing but the turn, if it comes before it, and else itself. It
// returns nil where there are none: with a turn and both sides alone there can
// be.
func twinsOf(p *pattern.Pattern, places []pattern.Placement) []int32 {
	if !p.Swap || p.Turn == pattern.AnyTurn {
		return nil
	}
	type corner struct{ x, y int }
	known := map[corner][]int32{}
	twins := make([]int32, len(places))
	some := false
	for i := range places {
		q := &places[i]
		at := corner{q.X, q.Y}
		twins[i] = int32(i)
		for _, j := range known[at] {
			if o := &places[j]; o.Size == q.Size && slices.Equal(o.Points, q.Points) && slices.Equal(o.Sets, q.Sets) {
				twins[i], some = j, true
			}
		}
		if twins[i] == int32(i) {
			known[at] = append(known[at], int32(i))
		}
	}
	if !some {
		return nil
	}
	return twins
}

// dropTwins leaves of two hits that differ in the side to move alone the
// earlier one.
func (w *worker) dropTwins() {
	if w.twins == nil {
		return
	}
	if w.first == nil {
		w.first = map[laneTwin]int{}
	}
	clear(w.first)
	keep := w.hits[:0]
	for _, h := range w.hits {
		at := laneTwin{h.Lane, w.twins[h.Placement]}
		i, known := w.first[at]
		switch {
		case !known:
			w.first[at] = len(keep)
			keep = append(keep, h)
		case h.Beat < keep[i].Beat:
			keep[i] = h
		}
	}
	w.hits = keep
}

// gather makes rows and continuations of the lanes that were found.
func (w *worker) gather(found *interval.Mask) {
	j, b := w.job, w.job.batch
	j.rows = make([]Row, 0, found.Count())
	for lane := range b.Block.N {
		w.row[lane] = 0
		if !found.Has(lane) {
			continue
		}
		j.rows = append(j.rows, Row{
			Game: b.Game(lane), Ply: -1, Day: b.Day(lane), last: b.LastDay(lane), Result: b.Result(lane),
			Rating: max(b.Rating(lane, 0), b.Rating(lane, 1)), Rank: max(b.Rank(lane, 0), b.Rank(lane, 1)),
		})
		w.row[lane] = int32(len(j.rows))
	}
	if w.focus == nil {
		return
	}
	places := w.programs[w.focus].Placements
	for i := range w.hits {
		h := &w.hits[i]
		if w.row[h.Lane] == 0 {
			continue
		}
		row := &j.rows[w.row[h.Lane]-1]
		place := &places[h.Placement]
		ply := b.Block.Ply(int(h.Lane), h.Beat)
		j.hits++
		row.Occurrences++
		if w.All {
			row.All = append(row.All, Occurrence{Ply: ply, Symmetry: place.Symmetry, X: place.X, Y: place.Y, Variation: !b.Main})
		}
		if row.Ply < 0 || int32(ply) < row.Ply {
			row.Ply, row.Symmetry, row.X, row.Y, row.Variation = int32(ply), place.Symmetry, int8(place.X), int8(place.Y), !b.Main
		}
		if !w.NoContinuations {
			w.continuation(h, place, ply)
		}
	}
	w.pick()
}

// The parts of an element of worker.next: the rest are the entry of the table.
const (
	plyShift   = 1
	entryShift = plyShift + 16
	laneShift  = 64 - 16
)

// pick counts each game once for each continuation.
func (w *worker) pick() {
	b, t := w.job.batch, &w.job.table
	slices.Sort(w.next)
	last := ^uint64(0)
	for _, n := range w.next {
		if n>>entryShift == last {
			continue
		}
		last = n >> entryShift
		lane, side := int(n>>laneShift), game.Side(n&1)
		p := pick{
			entry: int32(n << 16 >> (16 + entryShift)), ply: uint16(n >> plyShift), side: side,
			result: b.Result(lane), rating: b.Rating(lane, int(side)),
		}
		if t.lines {
			t.pickLine(p, b.Game(lane))
		} else {
			t.pick(&p)
		}
	}
	w.next = w.next[:0]
}

// continuation counts what came next in the region of a hit.
func (w *worker) continuation(h *interval.Hit, place *pattern.Placement, ply int) {
	b, lane := w.job.batch, int(h.Lane)
	t := &w.job.table
	end := b.Block.End(lane)
	beat := b.Block.After(lane, h.Beat) // of the next move, wherever
	if beat == end {
		t.ended++
		return
	}
	next := b.Block.Next(place, lane, h.Beat)
	key := moveKey{fx: -1}
	size := w.Kind.Board.Size
	switch {
	case len(place.Region) == size.Area():
		// What arrives nowhere on the whole board is a pass.
		if key.pass = !next.Direct || w.several(place, &next, lane, h.Beat); key.pass {
			next.Beat, next.Direct = beat, true
		}
	case next.Beat == 0:
		t.ended++
		t.elsewhere++
		return
	case !next.Direct:
		t.elsewhere++
	}
	if !key.pass {
		x, y := place.Back(size.Point(int(next.Point)))
		key.x, key.y = int8(x), int8(y)
		if next.From >= 0 {
			from := size.Point(next.From)
			// A piece that comes from outside counts as dropped.
			if dx, dy := from.X()-place.X, from.Y()-place.Y; dx >= 0 && dx < place.Size.W && dy >= 0 && dy < place.Size.H {
				fx, fy := place.Back(from)
				key.fx, key.fy = int8(fx), int8(fy)
			}
		}
	}
	side := interval.Mover(next.Beat)
	key.side = asDrawn(side, place.Symmetry.Swap)
	e := t.entry(key)
	e.occur(b.Day(lane), b.LastDay(lane))
	if next.Direct {
		e.direct++
	}
	w.next = append(w.next, uint64(lane)<<laneShift|uint64(e.number)<<entryShift|uint64(ply)<<plyShift|uint64(side))
}

// several reports whether other pieces arrived together with the first one: it
// was a set-up then, and no move. Of those that arrive together Next names the
// one on the first point.
func (w *worker) several(place *pattern.Placement, next *interval.Next, lane int, after uint16) bool {
	if w.Kind.Moving {
		return false
	}
	rest := pattern.Placement{Region: place.Region[next.Point+1:]} // the whole board: points are their own numbers
	more := w.job.batch.Block.Next(&rest, lane, after)
	return more.Beat == next.Beat
}

// asDrawn returns which side of the pattern as drawn a side of the game is.
func asDrawn(side game.Side, swapped bool) game.Side {
	if swapped {
		return side.Opponent()
	}
	return side
}
