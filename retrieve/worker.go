package retrieve

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/index"
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
	stopped <-chan struct{} // the scan is given up: nothing more needs to be found

	// Buffers of moments: see moment.go.
	placed, followed, anchored []interval.Placed
	pairs                      map[[2]*query.Shape]*interval.Pairs

	// Buffers of marks: see mark.go. Owners are the intervals of the focus in
	// the lanes of owning.
	marks             []interval.Mark
	intervals, owners []interval.Owned
	owning            interval.Mask

	// likes are how like the boards of lanes are to the focus.
	likeness interval.LikeMatcher
	likes    []interval.Like

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

func newWorker(f *finder) *worker {
	return &worker{finder: f, first: map[laneTwin]int{}, pairs: map[[2]*query.Shape]*interval.Pairs{}}
}

// run answers the query for one batch.
func (w *worker) run(j *job) {
	w.job = j
	w.matcher.Work = interval.Work{}
	w.hits, w.likes = w.hits[:0], w.likes[:0]
	w.asked, w.holds = interval.Mask{}, interval.Mask{}
	j.table = nextMoves{fold: w.fold, lines: w.Variations}
	if w.Depth > 0 {
		j.tree = &Node{}
	}
	found := w.eval(w.marked, j.batch.Lanes)
	if w.focus.node != nil {
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
	if lanes.Empty() || w.givenUp() {
		return interval.Mask{}
	}
	switch q := q.(type) {
	case query.And:
		for pass := range 3 { // facts, then boards, then what must be walked along
			for _, part := range q {
				order := 0
				if hasMoments(part) {
					if order = 1; w.late(part) {
						order = 2
					}
				}
				if order == pass {
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
				lanes[i] &^= m[i] // found already; run looks for the focus there
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
		for i, word := range lanes {
			for ; word != 0; word &= word - 1 {
				bit := bits.TrailingZeros64(word)
				if !q.Set.Contains(w.job.batch.Game(i*64 + bit)) {
					lanes[i] &^= 1 << bit
				}
			}
		}
		return lanes
	case *query.Fact:
		w.selections[q].Filter(&w.job.batch.Columns, &lanes)
		return lanes
	case focusMark:
		w.look(lanes)
		for i := range lanes {
			lanes[i] &= w.holds[i]
		}
		return lanes
	}
	if s := plainShape(q); s != nil {
		w.other = w.matcher.AppendHits(w.other[:0], w.job.batch.Block, w.programs[s], &lanes)
		return lanesOf(w.other)
	}
	if like, ok := q.(*query.Fuzzy); ok {
		var m interval.Mask
		for _, l := range w.likeness.AppendLikes(nil, w.job.batch.Block, w.compared[like], &lanes, like.Min) {
			m.Set(int(l.Lane))
		}
		return m
	}
	when := interval.Own(nil, w.job.batch.Block, w.timeline(q, lanes))
	return when.Lanes()
}

// givenUp reports whether the scan has been given up. A block with many boards
// may take long.
func (w *worker) givenUp() bool {
	select {
	case <-w.stopped:
		return true
	default:
		return false
	}
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
	var m interval.Mask
	switch begin := len(w.hits); {
	case w.focus.like != nil:
		n := len(w.likes)
		w.likes = w.likeness.AppendLikes(w.likes, w.job.batch.Block, w.compared[w.focus.like], &lanes, w.focus.like.Min)
		for i := range w.likes[n:] {
			l := &w.likes[n+i]
			m.Set(int(l.Lane))
			w.hits = append(w.hits, interval.Hit{Lane: l.Lane, Slot: l.Slot, Placement: l.Placement})
		}
	case plainShape(w.focus.node) != nil:
		w.hits = w.matcher.AppendHits(w.hits, w.job.batch.Block, w.programs[w.focus.anchor], &lanes)
		m = lanesOf(w.hits[begin:])
	case w.focus.node == query.Q(w.focus.mark):
		m = w.lookOwned(lanes)
	default:
		m = w.lookMoments(lanes)
	}
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
	clear(w.first)
	keep := w.hits[:0]
	for _, h := range w.hits {
		at := laneTwin{h.Lane, nowhere}
		if h.Placement != nowhere {
			at.place = w.twins[h.Placement]
		}
		i, known := w.first[at]
		switch {
		case !known:
			w.first[at] = len(keep)
			keep = append(keep, h)
		case h.Slot < keep[i].Slot:
			keep[i] = h
		}
	}
	w.hits = keep
}

// gather makes rows and continuations of the lanes that were found.
func (w *worker) gather(found *interval.Mask) {
	j, b := w.job, w.job.batch
	j.rows = make([]Row, 0, found.Count())
	for lane := range b.Columns.Len() {
		w.row[lane] = 0
		if !found.Has(lane) {
			continue
		}
		row := Row{Game: b.Game(lane), Ply: -1}
		w.describe(&row, &b.Columns, lane)
		j.rows = append(j.rows, row)
		w.row[lane] = int32(len(j.rows))
	}
	if w.focus.node == nil {
		return
	}
	var places []pattern.Placement
	switch {
	case w.focus.like != nil:
		places = w.alike[w.focus.like].Placements
	case w.focus.anchor != nil:
		places = w.programs[w.focus.anchor].Placements
	case w.focus.mark != nil:
		places = owners
	}
	if w.Depth > 0 { // games must come one after the other to be counted once
		slices.SortFunc(w.hits, func(x, y interval.Hit) int {
			return cmp.Or(cmp.Compare(x.Lane, y.Lane), cmp.Compare(x.Slot, y.Slot), cmp.Compare(x.Placement, y.Placement))
		})
	}
	for i := range w.hits {
		h := &w.hits[i]
		if w.row[h.Lane] == 0 {
			continue
		}
		row := &j.rows[w.row[h.Lane]-1]
		ply := b.Block.Ply(int(h.Lane), h.Slot)
		j.hits++
		row.Occurrences++
		var place pattern.Placement
		if h.Placement != nowhere {
			place = places[h.Placement]
		}
		if w.All {
			row.All = append(row.All, Occurrence{Ply: ply, Symmetry: place.Symmetry, X: place.X, Y: place.Y, Variation: !b.Main})
		}
		if row.Ply < 0 || int32(ply) < row.Ply {
			row.Ply, row.Symmetry, row.X, row.Y, row.Variation = int32(ply), place.Symmetry, int8(place.X), int8(place.Y), !b.Main
		}
		switch {
		case h.Placement == nowhere || w.focus.anchor == nil:
		case w.Depth > 0:
			w.grow(h, &places[h.Placement])
		case !w.NoContinuations:
			w.continuation(h, &places[h.Placement], ply)
		}
	}
	w.pick()
	for i := range w.likes {
		l := &w.likes[i]
		if at := w.row[l.Lane]; at != 0 {
			row := &j.rows[at-1]
			row.Likeness, row.Others, row.Plies, row.rank = float64(l.Score), int32(l.Others), int32(l.Plies), pattern.Rank(places[l.Placement].Symmetry)
			row.batch, row.like = b, *l
		}
	}
}

// describe fills in what the columns tell of a line.
func (f *finder) describe(row *Row, c *index.Columns, i int) {
	row.Day, row.last, row.Result = c.Day(i), c.LastDay(i), c.Result(i)
	row.Rating = max(c.Rating(i, 0), c.Rating(i, 1))
	row.Rank = max(c.Rank(i, 0), c.Rank(i, 1))
	if f.whose != nil {
		row.whose = f.whose.side(c, i)
	}
	if f.By == ByLength {
		n, _ := c.Number(i, query.Plies)
		row.plies = int32(n)
	}
	for k, col := range f.By.columns() {
		row.keys[k] = f.texts.keep(c.Text(i, col))
	}
}

// keeper keeps texts beyond the view that they are read from, each once. It is
// safe for concurrent use.
type keeper struct {
	mu   sync.Mutex
	text map[string]string
}

func (k *keeper) keep(text string) string {
	if text == "" {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kept, ok := k.text[text]
	if !ok {
		if k.text == nil {
			k.text = map[string]string{}
		}
		kept = strings.Clone(text)
		k.text[kept] = kept
	}
	return kept
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
	if b.Block.After(lane, h.Slot) == b.Block.End(lane) {
		t.ended++
		return
	}
	key, next, ok := w.following(place, lane, h.Slot)
	if !ok {
		t.ended++
		t.elsewhere++
		return
	}
	if !next.Direct {
		t.elsewhere++
	}
	e := t.entry(key)
	e.occur(b.Day(lane), b.LastDay(lane))
	if next.Direct {
		e.direct++
	}
	side := interval.Mover(next.Slot)
	w.next = append(w.next, uint64(lane)<<laneShift|uint64(e.number)<<entryShift|uint64(ply)<<plyShift|uint64(side))
}

// following returns the first move behind a slot in the region of a placement,
// in the frame of the pattern; false where there is none.
func (w *worker) following(place *pattern.Placement, lane int, after uint16) (key moveKey, next interval.Next, ok bool) {
	b := w.job.batch
	slot := b.Block.After(lane, after) // of the next move, wherever
	if slot == b.Block.End(lane) {
		return key, next, false
	}
	next = b.Block.Next(place, lane, after)
	key = moveKey{fx: -1}
	size := w.Kind.Board.Size
	switch {
	case len(place.Region) == size.Area():
		// What arrives nowhere on the whole board is a pass.
		if key.pass = !next.Direct || w.several(place, &next, lane, after); key.pass {
			next.Slot, next.Direct = slot, true
		}
	case next.Slot == 0:
		return key, next, false
	}
	if !key.pass {
		x, y := place.Back(size.Point(int(next.Point)))
		key.x, key.y = int8(x), int8(y)
		if w.Kind.NamesPieces() {
			was := board.Empty
			if next.From >= 0 {
				was = b.Block.At(lane, next.From, next.Slot-1)
			}
			key.piece = w.Kind.Named(was, b.Block.At(lane, int(next.Point), next.Slot))
		}
		if next.From >= 0 {
			from := size.Point(next.From)
			// A piece that comes from outside counts as dropped.
			if dx, dy := from.X()-place.X, from.Y()-place.Y; dx >= 0 && dx < place.Size.W && dy >= 0 && dy < place.Size.H {
				fx, fy := place.Back(from)
				key.fx, key.fy = int8(fx), int8(fy)
			}
		}
	}
	key.side = asDrawn(interval.Mover(next.Slot), place.Symmetry.Swap)
	return key, next, true
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
	return more.Slot == next.Slot
}

// asDrawn returns which side of the pattern as drawn a side of the game is.
func asDrawn(side game.Side, swapped bool) game.Side {
	if swapped {
		return side.Opponent()
	}
	return side
}
