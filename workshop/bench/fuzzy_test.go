package bench_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/retrieve"
)

// fuzzyCorpus are the main lines of a library, as a search goes through them.
type fuzzyCorpus struct {
	library *qipu.Library
	kind    *index.Kind
	batches []*index.Batch
	lines   []fuzzyLine
}

type fuzzyLine struct {
	batch *index.Batch
	lane  int
}

func newFuzzyCorpus(tb testing.TB, l *qipu.Library, spec string) *fuzzyCorpus {
	tb.Helper()
	c := &fuzzyCorpus{library: l, kind: kindOf(tb, l, spec)}
	v, err := l.Records().Keeper().(index.Store).View(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { v.Close() })
	for b, err := range v.Scan(tb.Context(), &index.Plan{Kind: c.kind, Expr: index.All{}}) {
		if err != nil {
			tb.Fatal(err)
		}
		c.batches = append(c.batches, b)
		for lane := range b.Block.N {
			if b.Lanes.Has(lane) {
				c.lines = append(c.lines, fuzzyLine{b, lane})
			}
		}
	}
	return c
}

// boardAt returns the board of a line behind a ply, by dense index.
func (c *fuzzyCorpus) boardAt(x fuzzyLine, ply int) []board.Piece {
	on := make([]board.Piece, x.batch.Block.Points)
	line := x.batch.Block.Line(x.lane)
	for _, ch := range line.Changes {
		if line.Ply(ch.Slot) <= ply {
			on[ch.Point] = ch.Piece
		}
	}
	return on
}

// fuzzyQuery is part of a board, with some of its pieces a step away.
type fuzzyQuery struct {
	pattern *pattern.Pattern
	source  fuzzyLine
}

// query cuts a query out of a random board: so many of its pieces, all for 0,
// and some of them moved to a free point next to theirs, or by one of their own
// moves.
func (c *fuzzyCorpus) query(rng *rand.Rand, keep, shift, from int, byMove bool) fuzzyQuery {
	size := c.kind.Board.Size
	stepper, _ := c.kind.Rules.(game.Stepper)
	for {
		x := c.lines[rng.IntN(len(c.lines))]
		plies := x.batch.Block.Plies(x.lane)
		if plies < from {
			continue
		}
		on := c.boardAt(x, from+rng.IntN(plies+1-from))
		var pieces []int
		for pt, p := range on {
			if p != board.Empty {
				pieces = append(pieces, pt)
			}
		}
		if len(pieces) < keep {
			continue
		}
		rng.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
		if keep > 0 {
			pieces = pieces[:keep]
		}
		drawn := make([]board.Piece, len(on))
		for _, pt := range pieces {
			drawn[pt] = on[pt]
		}
		left := shift
		for _, pt := range pieces {
			if left == 0 {
				break
			}
			var to []board.Point
			at := size.Point(pt)
			if byMove {
				to = stepper.AppendSteps(nil, on[pt], at)
			}
			if len(to) == 0 {
				for y := at.Y() - 1; y <= at.Y()+1; y++ {
					for x := at.X() - 1; x <= at.X()+1; x++ {
						if x >= 0 && y >= 0 && x < size.W && y < size.H {
							to = append(to, board.At(x, y))
						}
					}
				}
			}
			to = slices.DeleteFunc(to, func(q board.Point) bool {
				return on[size.Index(q)] != board.Empty || drawn[size.Index(q)] != board.Empty
			})
			if len(to) > 0 {
				drawn[size.Index(to[rng.IntN(len(to))])], drawn[pt] = on[pt], board.Empty
				left--
			}
		}
		if left > 0 {
			continue
		}
		p := &pattern.Pattern{Size: size, Cells: make([]pattern.Set, len(on)), Anchor: pattern.Fixed, To: -1}
		for i, piece := range drawn {
			if p.Cells[i] = pattern.Of(piece); piece == board.Empty {
				p.Cells[i] = pattern.AnyOn(c.kind.Board.Kinds)
			}
		}
		return fuzzyQuery{p, x}
	}
}

// fuzzyShown is how many games a query shows.
const fuzzyShown = 30

// rank returns the place of the source of a query among the games that are
// shown, -1 if it is none of them, and the processor time that it took. Games
// are ranked as retrieve.ByLikeness ranks them.
func (c *fuzzyCorpus) rank(tb testing.TB, m *interval.LikeMatcher, q fuzzyQuery, w *pattern.Weights, least float64) (place int, cpu time.Duration) {
	tb.Helper()
	began := testkit.CPU()
	places, err := pattern.Compile(q.pattern, c.kind.Board)
	if err != nil {
		tb.Fatal(err)
	}
	like, err := pattern.NewLike(places, q.pattern, w, pattern.GroundOf(c.kind.Rules))
	if err != nil {
		tb.Fatal(err)
	}
	l := interval.CompileLike(like)
	type ranked struct {
		interval.Like
		rank uint8
		line fuzzyLine
		game uint32
	}
	better := func(x, y ranked) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.rank, y.rank), cmp.Compare(x.Others, y.Others), cmp.Compare(y.Plies, x.Plies), cmp.Compare(x.game, y.game))
	}
	var list []ranked
	var found []interval.Like
	for _, b := range c.batches {
		found = m.AppendLikes(found[:0], b.Block, l, &b.Lanes, least)
		for _, x := range found {
			list = append(list, ranked{x, pattern.Rank(places[x.Placement].Symmetry), fuzzyLine{b, int(x.Lane)}, b.Game(int(x.Lane))})
		}
		slices.SortFunc(list, better)
		list = list[:min(len(list), fuzzyShown)]
	}
	cpu = testkit.CPU() - began
	return slices.IndexFunc(list, func(x ranked) bool { return x.line == q.source }), cpu
}

// ask is rank for a query as a user writes it, with options behind the board.
func (c *fuzzyCorpus) ask(tb testing.TB, q fuzzyQuery, options string) (place int, cpu time.Duration) {
	tb.Helper()
	drawn := strings.TrimSpace(q.pattern.Format(c.kind.Rules.Geometry()))
	question := &ask.Question{
		Text:    fmt.Sprintf("fuzzy:%q%s", strings.ReplaceAll(drawn, "\n", "/"), options),
		Game:    "xiangqi",
		Request: retrieve.Request{Order: retrieve.ByLikeness, Limit: fuzzyShown, Workers: 1},
	}
	began := testkit.CPU()
	reply, err := c.library.Ask(tb.Context(), question)
	cpu = testkit.CPU() - began
	if err != nil {
		tb.Fatalf("%s: %v", question.Text, err)
	}
	source := q.source.batch.Game(q.source.lane)
	return slices.IndexFunc(reply.Rows, func(x retrieve.Row) bool { return x.Game == source }), cpu
}

// fuzzyResult is how well and fast queries of one kind are answered.
type fuzzyResult struct {
	recall      float64 // the share of sources among the first 30
	median, p95 time.Duration
}

func (r fuzzyResult) String() string {
	return fmt.Sprintf("recall@30 %.3f, processor time p50 %.1f ms, p95 %.1f ms", r.recall, millis(r.median), millis(r.p95))
}

// fuzzyCase is one kind of queries: so many pieces of a position at or behind a
// ply, and so many of them shifted.
type fuzzyCase struct {
	keep, shift, from int
	byMove, same      bool             // same: mirrored and exchanged pictures too
	weights           *pattern.Weights // nil for asking in the language, with the defaults
}

func (c *fuzzyCorpus) run(tb testing.TB, k fuzzyCase, seed uint64, queries int) (r fuzzyResult) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(k.keep)))
	var m interval.LikeMatcher
	var times []time.Duration
	for range queries {
		q := c.query(rng, k.keep, k.shift, k.from, k.byMove)
		var place int
		var cpu time.Duration
		switch q.pattern.Mirror, q.pattern.Swap = k.same, k.same; {
		case k.weights != nil:
			// With unit weights lines weigh more, and shifted pieces cost more than
			// the default allows for.
			place, cpu = c.rank(tb, &m, q, k.weights, pattern.DefaultMin-.05)
		case k.same:
			place, cpu = c.ask(tb, q, "")
		default:
			place, cpu = c.ask(tb, q, "{no-mirror no-swap}")
		}
		if place >= 0 {
			r.recall++
		}
		times = append(times, cpu)
	}
	r.recall /= float64(queries)
	r.median, r.p95 = median(times), percentile(times, 95)
	return r
}

// The plies from which on positions are cut. Earlier ones are shared by more
// games than are shown.
const (
	earlyGame  = 20 // from which on a search that knows no steps finds as many as published
	middleGame = 60
)

// TestFuzzyRecall measures how often a query with shifted pieces leads back to
// the game that it was cut from.
func TestFuzzyRecall(t *testing.T) {
	c := newFuzzyCorpus(t, openLibrary(t, "xiangqi"), "xiangqi")
	g := c.kind.Rules.Geometry()
	weights, unit := pattern.DefaultWeights(g), pattern.UnitWeights(g)
	queries := testkit.Scale(40, 150)
	for _, k := range []struct {
		name string
		fuzzyCase
		bar float64
	}{
		// The floors hold for other queries too: for 40 of them, with each of
		// seven other seeds.
		{"12 pieces, 2 shifted", fuzzyCase{12, 2, middleGame, false, false, nil}, .97},
		{"8 pieces, 1 shifted", fuzzyCase{8, 1, middleGame, false, false, nil}, .90},
		{"12 pieces, 2 shifted, all pictures", fuzzyCase{12, 2, middleGame, false, true, nil}, .95},
		{"8 pieces, 1 shifted, all pictures", fuzzyCase{8, 1, middleGame, false, true, nil}, .83},
		{"12 pieces, 2 shifted, from the opening", fuzzyCase{12, 2, earlyGame, false, false, nil}, .88},
		{"8 pieces, 1 shifted, from the opening", fuzzyCase{8, 1, earlyGame, false, false, nil}, .70},
		{"12 pieces, 2 shifted, from the opening, all pictures", fuzzyCase{12, 2, earlyGame, false, true, nil}, .80},
		{"8 pieces, 1 shifted, from the opening, all pictures", fuzzyCase{8, 1, earlyGame, false, true, nil}, .65},
		{"all pieces, 2 shifted", fuzzyCase{0, 2, middleGame, false, false, &weights}, .97},
		{"12 pieces, 2 shifted by moves", fuzzyCase{12, 2, middleGame, true, false, &weights}, .93},
		{"8 pieces, 1 shifted by a move", fuzzyCase{8, 1, middleGame, true, false, &weights}, .83},
		{"12 pieces, 2 shifted, unit weights", fuzzyCase{12, 2, middleGame, false, false, &unit}, .85},
	} {
		r := c.run(t, k.fuzzyCase, 17, queries)
		t.Logf("%s: %v", k.name, r)
		if r.recall < k.bar {
			t.Errorf("%s: %v, want a recall of %v", k.name, r, k.bar)
		}
	}
}

// measureFuzzy measures how often a query with shifted pieces leads back to the
// game that it was cut from, and what it costs, from several plies on. The goals
// are those of the early game.
func measureFuzzy(t *testing.T, r *report) {
	c := newFuzzyCorpus(t, openLibrary(t, "xiangqi"), "xiangqi")
	out := newTable("query", "from ply", "pictures", "recall@30", "CPU ms, median", "p95")
	slowest := time.Duration(0)
	for _, k := range []struct {
		keep, shift int
		name        string
		must        float64
	}{
		{12, 2, "12 pieces, 2 shifted", .97},
		{8, 1, "8 pieces, 1 shifted", .90},
	} {
		for _, from := range []int{0, earlyGame, 40, middleGame} {
			for _, same := range []bool{false, true} {
				x := c.run(t, fuzzyCase{k.keep, k.shift, from, false, same, nil}, 17, 300)
				pictures := "as drawn"
				if same {
					pictures = "all"
					if from == earlyGame {
						slowest = max(slowest, x.p95)
					}
				}
				out.row(k.name, fmt.Sprint(from), pictures, fmt.Sprintf("%.3f", x.recall), ms(x.median), ms(x.p95))
				if from == earlyGame && !same {
					r.bar(t, bar{name: fmt.Sprintf("fuzzy, %s, as drawn, from ply %d: recall@30", k.name, from), got: x.recall, must: k.must, more: true})
				}
			}
		}
	}
	r.bar(t, bar{name: fmt.Sprintf("fuzzy, all pictures, from ply %d: CPU, p95", earlyGame), got: millis(slowest), must: 30, unit: "ms"})
	r.section(t, "fuzzy", out.String())
}

// TestFuzzyReal compares the best moments of real games with those of boards
// measured one by one.
func TestFuzzyReal(t *testing.T) {
	c := newFuzzyCorpus(t, openLibrary(t, "xiangqi"), "xiangqi")
	w := pattern.DefaultWeights(c.kind.Rules.Geometry())
	rng := rand.New(rand.NewPCG(18, 1))
	var m interval.LikeMatcher
	var s pattern.Scratch
	found := 0
	for i := range testkit.Scale(6, 60) {
		q := c.query(rng, 6+rng.IntN(12), 2, 0, i%2 == 0)
		q.pattern.Mirror, q.pattern.Swap = i%3 > 0, i%3 > 1
		w.Relation = .3 * float64(i%6/5)
		places, err := pattern.Compile(q.pattern, c.kind.Board)
		if err != nil {
			t.Fatal(err)
		}
		like, err := pattern.NewLike(places, q.pattern, &w, pattern.GroundOf(c.kind.Rules))
		if err != nil {
			t.Fatal(err)
		}
		l := interval.CompileLike(like)
		for _, b := range c.batches {
			var lanes interval.Mask
			for range 3 {
				lanes.Set(rng.IntN(b.Block.N))
			}
			const least = .7
			var want []interval.Like
			for lane := range b.Block.N {
				if lanes.Has(lane) {
					if x, value := slowLike(like, &s, b.Block, lane); value >= least {
						want = append(want, x)
					}
				}
			}
			if got := m.AppendLikes(nil, b.Block, l, &lanes, least); !slices.Equal(got, want) {
				t.Fatalf("query %d: %+v, want %+v", i, got, want)
			}
			found += len(want)
		}
	}
	if found == 0 {
		t.Error("nothing was found: this proves nothing")
	}
}

// slowLike measures every board of a line.
func slowLike(like *pattern.Like, s *pattern.Scratch, b *interval.Block, lane int) (best interval.Like, value float64) {
	line := b.Line(lane)
	on := make([]board.Piece, b.Points)
	best.Lane, value = uint16(lane), -1
	rank, last := uint8(0), uint16(0) // of best, and the slot that counts last
	pieces := 0
	for i, c := range line.Changes {
		if on[c.Point] != board.Empty {
			pieces--
		}
		if on[c.Point] = c.Piece; c.Piece != board.Empty {
			pieces++
		}
		if i+1 < len(line.Changes) && line.Changes[i+1].Slot == c.Slot {
			continue
		}
		for p := range like.Placements {
			v, r := like.Value(s, p, on, like.Score(s, p, on, 0)), pattern.Rank(like.Placements[p].Symmetry)
			others := pieces // on the whole board: so do queries lie
			for _, cell := range like.Cells(p) {
				if cell.Needed {
					others--
				}
			}
			others = max(others, 0)
			switch {
			case v < value:
			case v > value || r < rank:
				best = interval.Like{Lane: uint16(lane), Slot: c.Slot, Placement: int32(p), Score: float32(v), Plies: 1, Others: uint16(others)}
				value, rank, last = v, r, c.Slot
			case r == rank:
				if others < int(best.Others) {
					best.Slot, best.Placement, best.Others = c.Slot, int32(p), uint16(others)
				}
				if last < c.Slot {
					best.Plies++
					last = c.Slot
				}
			}
		}
	}
	return best, value
}

// BenchmarkFuzzy is a query for the 30 games that are most like a board of
// twelve pieces, two of them shifted, in all pictures.
func BenchmarkFuzzy(b *testing.B) {
	c := newFuzzyCorpus(b, openLibrary(b, "xiangqi"), "xiangqi")
	w := pattern.DefaultWeights(c.kind.Rules.Geometry())
	rng := rand.New(rand.NewPCG(19, 1))
	queries := make([]fuzzyQuery, 50)
	for i := range queries {
		queries[i] = c.query(rng, 12, 2, 0, false)
		queries[i].pattern.Mirror, queries[i].pattern.Swap = true, true
	}
	var m interval.LikeMatcher
	i := 0
	for b.Loop() {
		c.rank(b, &m, queries[i%len(queries)], &w, pattern.DefaultMin)
		i++
	}
}
