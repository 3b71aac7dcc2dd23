package retrieve

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
	"qipu/store/storetest"
)

// newMark returns a mark of some columns of a marker.
func newMark(p *storetest.Points, of interval.Owner, columns ...int) *query.Mark {
	return &query.Mark{Marker: p, Columns: columns, Of: of, Name: fmt.Sprint("points ", p.Edition)}
}

// marks reports for each ply of a line whether a mark is true of a side.
func (l *line) marks(k *index.Kind, m *query.Mark, side game.Side) []bool {
	if a := asks[m]; a != nil {
		return a.marked(k, l, m.Of, side)
	}
	p := m.Marker.(*storetest.Points)
	on := make([]bool, len(l.boards))
	for ply, cells := range l.boards {
		on[ply] = m.Of.Has(side) && slices.ContainsFunc(m.Columns, func(c int) bool { return p.Holds(c, side, cells) })
	}
	return on
}

// moments reports for each ply of a line, the trunk of a variation included,
// whether a query of moments is true.
func (l *line) moments(k *index.Kind, q query.Q) []bool {
	n := len(l.boards)
	on := make([]bool, n)
	each := func(is func(ply int) bool) []bool {
		for ply := range on {
			on[ply] = is(ply)
		}
		return on
	}
	switch q := q.(type) {
	case query.Const:
		return each(func(int) bool { return bool(q) })
	case *query.Mark:
		a, b := l.marks(k, q, game.First), l.marks(k, q, game.Second)
		return each(func(ply int) bool { return a[ply] || b[ply] })
	case *query.Shape:
		places, err := pattern.Compile(q.Pattern, k.Board)
		return each(func(ply int) bool {
			return err == nil && slices.ContainsFunc(places, func(place pattern.Placement) bool {
				if place.Turn != pattern.AnyTurn && place.Turn != pattern.FirstToMove+pattern.Turn(l.turns[ply]) {
					return false
				}
				for i, pt := range place.Points {
					if !place.Sets[i].Has(l.boards[ply][pt]) {
						return false
					}
				}
				return ply >= q.Pattern.From && (q.Pattern.To < 0 || ply <= q.Pattern.To)
			})
		})
	case query.Ply:
		return each(func(ply int) bool { return ply >= q.From && (q.To < 0 || ply <= q.To) })
	case query.Turn:
		return each(func(ply int) bool { return l.turns[ply] == q.Side })
	case query.And:
		parts := l.all(k, q)
		return each(func(ply int) bool { return !slices.ContainsFunc(parts, func(p []bool) bool { return !p[ply] }) })
	case query.Or:
		parts := l.all(k, q)
		return each(func(ply int) bool { return slices.ContainsFunc(parts, func(p []bool) bool { return p[ply] }) })
	case query.Not:
		part := l.moments(k, q.Q)
		return each(func(ply int) bool { return !part[ply] })
	case query.When:
		return l.moments(k, q.Q)
	case query.Then:
		a, b := l.moments(k, q.A), l.moments(k, q.B)
		return each(func(ply int) bool {
			from := 0
			if q.Within > 0 {
				from = max(0, ply-q.Within)
			}
			return b[ply] && slices.Contains(a[from:max(ply, from)], true)
		})
	case query.For:
		part := l.moments(k, q.Q)
		return each(func(ply int) bool {
			from, to := ply, ply
			for from > 0 && part[from-1] {
				from--
			}
			for to+1 < n && part[to+1] {
				to++
			}
			return part[ply] && to-from >= q.N
		})
	case query.First:
		part := l.moments(k, q.Q)
		return each(func(ply int) bool { return ply == slices.Index(part, true) })
	case query.Last:
		part := l.moments(k, q.Q)
		return each(func(ply int) bool { return part[ply] && !slices.Contains(part[ply+1:], true) })
	}
	panic(fmt.Sprintf("no moments of %T", q))
}

func (l *line) all(k *index.Kind, parts []query.Q) (list [][]bool) {
	for _, p := range parts {
		list = append(list, l.moments(k, p))
	}
	return list
}

// ofGames returns the games that a query is true of.
func (w *world) ofGames(r *Request, q query.Q) map[uint32]bool {
	found := map[uint32]bool{}
	for _, l := range w.lines[r.Kind] {
		if l.main {
			found[l.game] = false
		}
	}
	var parts []map[uint32]bool
	each := func(is func(id uint32) bool) map[uint32]bool {
		for id := range found {
			found[id] = is(id)
		}
		return found
	}
	switch q := q.(type) {
	case query.And:
		for _, p := range q {
			parts = append(parts, w.ofGames(r, p))
		}
		return each(func(id uint32) bool {
			return !slices.ContainsFunc(parts, func(p map[uint32]bool) bool { return !p[id] })
		})
	case query.Or:
		for _, p := range q {
			parts = append(parts, w.ofGames(r, p))
		}
		return each(func(id uint32) bool {
			return slices.ContainsFunc(parts, func(p map[uint32]bool) bool { return p[id] })
		})
	case query.Not:
		part := w.ofGames(r, q.Q)
		return each(func(id uint32) bool { return !part[id] })
	case query.Games:
		return each(q.Set.Contains)
	case query.Const:
		return each(func(uint32) bool { return bool(q) })
	}
	for _, l := range w.lines[r.Kind] {
		if (l.main || r.Variations) && slices.Contains(l.moments(r.Kind, q)[l.from:], true) {
			found[l.game] = true
		}
	}
	return found
}

// intervals returns the occurrences of the focus of a query in a line.
func (l *line) intervals(k *index.Kind, f focus) (list []Occurrence) {
	when := l.moments(k, f.node)
	first := len(when)
	for side := range game.Side(2) {
		on := l.marks(k, f.mark, side)
		for ply := 0; ply < len(on); ply++ {
			if !on[ply] {
				continue
			}
			met := false
			for ; ply < len(on) && on[ply]; ply++ {
				if ply >= l.from && when[ply] && !met {
					met = true
					first = min(first, ply)
					list = append(list, Occurrence{Ply: ply, Symmetry: game.Symmetry{Swap: side == game.Second}, Variation: !l.main})
				}
			}
		}
	}
	if at := slices.Index(when[l.from:], true); at >= 0 && l.from+at < first {
		list = append(list, Occurrence{Ply: l.from + at, Variation: !l.main})
	}
	return list
}

// compareMarks holds an answer against the boards.
func (w *world) compareMarks(t testing.TB, r *Request, a *Answer) error {
	bound := compiled(t, r)
	found := w.ofGames(r, bound)
	f := focusOf(bound)
	want := map[uint32][]Occurrence{}
	hits := 0
	for _, l := range w.lines[r.Kind] {
		if found[l.game] && f.mark != nil && (l.main || r.Variations) {
			list := l.intervals(r.Kind, f)
			hits += len(list)
			want[l.game] = append(want[l.game], list...)
		}
	}
	games := 0
	for _, is := range found {
		if is {
			games++
		}
	}
	if a.Games != games || len(a.Rows) != games {
		return fmt.Errorf("%d games, %d rows, want %d", a.Games, len(a.Rows), games)
	}
	var score Score
	for i := range a.Rows {
		row := &a.Rows[i]
		if !found[row.Game] {
			return fmt.Errorf("game %d should not be there", row.Game)
		}
		if f.mark == nil {
			continue
		}
		list := want[row.Game]
		sortOccurrences(list)
		first := int32(-1)
		swaps := map[bool]bool{}
		for _, o := range list {
			if p := int32(o.Ply); first < 0 || p < first {
				first = p
				clear(swaps)
			}
			if int32(o.Ply) == first {
				swaps[o.Symmetry.Swap] = true
			}
		}
		if row.Ply != first || int(row.Occurrences) != len(list) || len(list) > 0 && !swaps[row.Symmetry.Swap] {
			return fmt.Errorf("game %d: ply %d, %d times, exchanged %t; want %v", row.Game, row.Ply, row.Occurrences, row.Symmetry.Swap, list)
		}
		if r.All && !sameOccurrences(row.All, list) {
			return fmt.Errorf("game %d: %v, want %v", row.Game, row.All, list)
		}
		score.result(row.Result, row.Symmetry.Swap)
	}
	if f.mark == nil {
		return nil
	}
	switch {
	case a.Hits != hits:
		return fmt.Errorf("%d hits, want %d", a.Hits, hits)
	case a.First != score.First || a.Second != score.Second || a.Draws != score.Draws:
		return fmt.Errorf("score %+v, want %+v", a.Score, score)
	case len(a.Continuations) > 0 || a.Ended != 0 || a.Elsewhere != 0:
		return fmt.Errorf("a mark has no continuations, but there are %v", a.Continuations)
	}
	return nil
}

func sameOccurrences(x, y []Occurrence) bool {
	count := map[Occurrence]int{}
	for _, o := range x {
		count[o]++
	}
	for _, o := range y {
		count[o]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}

// randomMoment returns a query of moments.
func (w *world) randomMoment(k *index.Kind, p *storetest.Points, depth int) query.Q {
	rng := w.rng
	part := func() query.Q { return w.randomMoment(k, p, depth-1) }
	if depth > 0 {
		switch rng.IntN(9) {
		case 0:
			return query.When{Q: query.And{part(), part()}}
		case 1:
			return query.When{Q: query.Or{part(), part()}}
		case 2:
			return query.When{Q: query.Not{Q: part()}}
		case 3:
			return query.Then{A: part(), B: part(), Within: rng.IntN(2) * rng.IntN(6)}
		case 4:
			return query.For{Q: part(), N: 1 + rng.IntN(5)}
		case 5:
			return query.First{Q: part()}
		case 6:
			return query.Last{Q: part()}
		}
	}
	switch rng.IntN(9) {
	case 0:
		return query.Ply{From: rng.IntN(6), To: []int{-1, 8, 20}[rng.IntN(3)]}
	case 1:
		return query.Turn{Side: game.Side(rng.IntN(2))}
	case 2:
		return &query.Shape{Pattern: w.randomPattern(k), Geometry: k.Rules.Geometry()}
	}
	columns := rng.Perm(len(p.At))[:1+rng.IntN(2)]
	return newMark(p, interval.Owner(rng.IntN(3)), columns...)
}

// randomMarked returns a query of games about marks.
func (w *world) randomMarked(k *index.Kind, p *storetest.Points, depth int) query.Q {
	rng := w.rng
	part := func() query.Q { return w.randomMarked(k, p, depth-1) }
	if depth > 0 {
		switch rng.IntN(6) {
		case 0:
			return query.And{part(), part()}
		case 1:
			return query.Or{part(), part()}
		case 2:
			return query.Not{Q: part()}
		case 3:
			x := part()
			return query.And{x, part(), x}
		}
	}
	if rng.IntN(8) == 0 {
		set := roaring.New()
		for _, l := range w.lines[k] {
			if rng.IntN(2) == 0 {
				set.Add(l.game)
			}
		}
		return query.Games{Set: set, Why: "chance"}
	}
	return w.randomMoment(k, p, rng.IntN(3))
}

// TestMarkOracle compares answers to random queries with marks with those of
// somebody who looks at every board: without columns, with columns for all
// tables, for some, and of a marker that was changed.
func TestMarkOracle(t *testing.T) {
	for seed := range uint64(testkit.Scale(1, 8)) {
		w := newWorld(t, 500+seed, 330)
		markers := func(edition int) map[*index.Kind][]interval.Marker {
			all := map[*index.Kind][]interval.Marker{}
			for _, k := range w.kinds() {
				all[k] = []interval.Marker{storetest.NewPoints(k, edition)}
			}
			return all
		}
		build := func(edition int) {
			if _, err := w.store.BuildMarks(t.Context(), markers(edition), nil); err != nil {
				t.Fatal(err)
			}
		}
		for _, stage := range []struct {
			name    string
			change  func()
			edition int
			scanned string // whether lines of tables are walked along: all, some or none
		}{
			{"without columns", func() {}, 0, "all"},
			{"with columns", func() { build(0) }, 0, "none"},
			{"with columns of some", func() { w.more(t, 400) }, 0, "some"},
			{"of a changed marker", func() {}, 1, "all"},
			{"with its columns", func() { build(1) }, 1, "none"},
		} {
			stage.change()
			w.reopen(t)
			found, scanned := 0, 0
			for _, k := range w.kinds() {
				p := markers(stage.edition)[k][0].(*storetest.Points)
				for i := range testkit.Scale(25, 150) {
					r := &Request{Kind: k, Variations: w.rng.IntN(2) == 0, Limit: -1, All: w.rng.IntN(2) == 0, Workers: 1 + w.rng.IntN(3)}
					r.Query = w.randomMarked(k, p, w.rng.IntN(3))
					a, err := Find(t.Context(), w.view, r)
					if err == nil {
						err = w.compareMarks(t, r, a)
					}
					if err != nil {
						t.Fatalf("seed %d, %s, %s, request %d, variations %t: %v\n%v", seed, stage.name, k.Name, i, r.Variations, err, r.Query)
					}
					if a.Hits > 0 && Marked(r.Query) != nil {
						found++
					}
					if len(a.Scanned) > 0 {
						scanned++
					}
				}
			}
			if found < 20 {
				t.Errorf("%s: marks were found %d times: the test tests little", stage.name, found)
			}
			if (stage.scanned == "none") != (scanned == 0) {
				t.Errorf("%s: %d answers say that lines were walked along, want %s", stage.name, scanned, stage.scanned)
			}
		}
	}
}

// more adds further records, to tables of their own.
func (w *world) more(t testing.TB, n int) {
	t.Helper()
	maker := storetest.NewMaker(builtin.Games(), uint64(n))
	var played []*record.Played
	for i := range n {
		g := maker.Game("weiqi", []string{"5x5", "9x9"}[i%2], 3+w.rng.IntN(20))
		if w.rng.IntN(3) == 0 {
			maker.Branch(g, 2)
		}
		maker.Head(g)
		played = append(played, maker.Play(g))
	}
	w.add(t, played)
}

// reopen gives the view of the store as it is now.
func (w *world) reopen(t testing.TB) {
	t.Helper()
	v, err := w.store.View(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	w.view = v
}

// TestMarkPlan: what is kept of a mark decides which lines are looked at; a
// negation is not decided by it. Marks are of one kind of game.
func TestMarkPlan(t *testing.T) {
	w := newWorld(t, 77, 300)
	w.more(t, 600)
	k, err := w.store.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	p := storetest.NewPoints(k, 0)
	ask := func(q query.Q) *Answer {
		t.Helper()
		w.reopen(t)
		a, err := Find(t.Context(), w.view, &Request{Kind: k, Query: q, Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	often, never := newMark(p, interval.Anyone, 0), newMark(p, interval.Anyone, 3)
	before := ask(often)
	if before.Explain.Lines != before.Explain.Total || len(before.Scanned) != 1 || before.Scanned[0] != "points 0" {
		t.Errorf("without a column: %d lines of %d, %v walked along", before.Explain.Lines, before.Explain.Total, before.Scanned)
	}
	if _, err := w.store.BuildMarks(t.Context(), map[*index.Kind][]interval.Marker{k: {p}}, nil); err != nil {
		t.Fatal(err)
	}
	after := ask(often)
	if after.Games != before.Games || after.Hits != before.Hits || after.Score != before.Score || after.Explain.Lines >= before.Explain.Lines || len(after.Scanned) > 0 {
		t.Errorf("with a column: %d games in %d lines, %v walked along; before it %d in %d", after.Games, after.Explain.Lines, after.Scanned, before.Games, before.Explain.Lines)
	}
	if got := after.Explain.Plan.String(); got != "marked points 0" {
		t.Errorf("plan %q", got)
	}
	all := int(after.Explain.Total)
	if a := ask(never); a.Games != 0 || len(a.Rows) > 0 {
		t.Errorf("%d games have what is never true", a.Games)
	}
	for _, q := range []query.Q{query.Not{Q: never}, query.When{Q: query.Not{Q: never}}, query.Or{never, query.Not{Q: never}}} {
		if a := ask(q); a.Games != all {
			t.Errorf("%v: %d games of %d", q, a.Games, all)
		}
	}
	if a := ask(query.Not{Q: often}); a.Games != all-after.Games {
		t.Errorf("%d games without what %d of %d have", a.Games, after.Games, all)
	}
	if _, err := Find(t.Context(), w.view, &Request{Kind: k, Query: often, Also: []Part{{k, query.Const(true)}}}); err == nil {
		t.Error("several kinds of game were asked for a mark")
	}
	if identity(&Request{Kind: k, Query: often}) == identity(&Request{Kind: k, Query: newMark(p, interval.FirstSide, 0)}) {
		t.Error("marks of different owners have the same cursors")
	}
}
