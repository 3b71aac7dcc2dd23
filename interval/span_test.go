package interval

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// intervalsOf returns the intervals of the positions of a line that a function
// says yes to, told position by position.
func intervalsOf(lane int, l *played, is func(at *position) bool) (list Timeline) {
	open := false
	for i := range l.positions {
		at := &l.positions[i]
		if is(at) {
			if !open {
				list = append(list, Span{Lane: uint16(lane), From: at.slot})
			}
			list[len(list)-1].To = l.End
			open = true
			continue
		}
		if open {
			list[len(list)-1].To = at.slot
		}
		open = false
	}
	return list
}

// momentsOf does that for all lanes of a mask.
func momentsOf(lines []*played, lanes *Mask, is func(lane int, at *position) bool) (list Timeline) {
	for lane, l := range lines {
		if lanes.Has(lane) {
			list = append(list, intervalsOf(lane, l, func(at *position) bool { return is(lane, at) })...)
		}
	}
	return list
}

// naiveSpans returns all intervals by looking at every position.
func naiveSpans(p *pattern.Pattern, places []pattern.Placement, lines []*played, lanes *Mask) (list []Placed) {
	for i := range places {
		for _, s := range momentsOf(lines, lanes, func(_ int, at *position) bool { return holds(p, &places[i], at) }) {
			list = append(list, Placed{s, int32(i)})
		}
	}
	return list
}

// checkTimeline checks that a timeline is one: in order, without intervals that
// touch, and along the positions of the lines.
func checkTimeline(t testing.TB, list Timeline, lines []*played) {
	t.Helper()
	for i, s := range list {
		l := lines[s.Lane]
		_, skipped := slices.BinarySearch(l.Skips, s.From)
		_, ended := slices.BinarySearch(l.Skips, s.To)
		if s.From >= s.To || s.To > l.End || skipped || ended {
			t.Fatalf("%+v in a line of %d slots without %v", s, l.End, l.Skips)
		}
		if i > 0 && (list[i-1].Lane > s.Lane || list[i-1].Lane == s.Lane && list[i-1].To >= s.From) {
			t.Fatalf("%+v behind %+v", s, list[i-1])
		}
	}
}

// differAt tells where two lists part.
func differAt[T comparable](got, want []T) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("%d, want %d; number %d and on: %+v, want %+v", len(got), len(want), i, got[i:min(i+3, len(got))], want[i:min(i+3, len(want))])
}

// TestSpans compares intervals with boards replayed slot by slot.
func TestSpans(t *testing.T) {
	for i, a := range alphabets() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(21, uint64(i)))
			var m Matcher
			var got []Placed
			cases, again, trunk, turned := 0, 0, 0, 0
			for round := range testkit.Scale(25, 1000) {
				n := 1 + rng.IntN(24)
				if round%20 == 0 {
					n = []int{63, 64, 65, 130}[rng.IntN(4)]
				}
				lines, b := a.block(t, rng, n)
				for range 8 {
					p := a.randomPattern(rng, lines)
					places, err := pattern.Compile(p, a.board)
					if err != nil {
						continue
					}
					lanes := someLanes(rng, b)
					want := naiveSpans(p, places, lines, &lanes)
					program := Compile(places, p, b.Points, b.Kinds)
					got = m.AppendSpans(got[:0], b, program, &lanes)
					if !slices.Equal(got, want) {
						t.Fatalf("%d lanes, %+v: %s", n, p, differAt(got, want))
					}
					merged := m.Merge(nil, b, got)
					checkTimeline(t, merged, lines)
					any := momentsOf(lines, &lanes, func(_ int, at *position) bool {
						return slices.ContainsFunc(places, func(q pattern.Placement) bool { return holds(p, &q, at) })
					})
					if !slices.Equal(merged, any) {
						t.Fatalf("merged: %s", differAt(merged, any))
					}
					if moments := m.AppendMoments(nil, b, program, &lanes); !slices.Equal(moments, any) {
						t.Fatalf("moments: %s", differAt(moments, any))
					}
					rng.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
					for _, part := range [][]Placed{got, got[:min(len(got), 5)], nil} {
						sorted := Timeline{{3, 0, 9}}
						for _, s := range part {
							sorted = append(sorted, s.Span)
						}
						sorted = sorted[:1+len(sorted[1:].settle())]
						if merged := m.Merge(Timeline{{3, 0, 9}}, b, part); !slices.Equal(merged, sorted) {
							t.Fatalf("in another order: %s", differAt(merged, sorted))
						}
					}
					got = m.AppendSpans(got[:0], b, program, &lanes)
					// The first position of a line's own is that of the hits.
					hits := m.AppendHits(nil, b, program, &lanes)
					for _, h := range hits {
						own := Own(nil, b, m.Merge(nil, b, runOf(got, h.Placement, h.Lane)))
						if len(own) == 0 || own[0].From != h.Slot {
							t.Fatalf("%+v is not the begin of %+v", h, own)
						}
					}
					cases++
					for j, s := range want {
						if j > 0 && want[j-1].Placement == s.Placement && want[j-1].Lane == s.Lane {
							again++
						}
						if s.From < b.From(int(s.Lane)) {
							trunk++
						}
						if places[s.Placement].Turn != pattern.AnyTurn {
							turned++
						}
					}
				}
			}
			if cases == 0 || again < cases || trunk < cases || turned < cases {
				t.Errorf("%d cases, %d second intervals, %d before the line's own, %d with a turn: the test has become empty", cases, again, trunk, turned)
			}
		})
	}
}

// TestPlyTurn compares moments by ply and by the side to move.
func TestPlyTurn(t *testing.T) {
	for i, a := range alphabets() {
		rng := rand.New(rand.NewPCG(22, uint64(i)))
		found := 0
		for range 20 {
			lines, b := a.block(t, rng, 1+rng.IntN(70))
			lanes := someLanes(rng, b)
			for _, bounds := range [][2]int{{0, -1}, {0, 0}, {3, -1}, {-5, 4}, {5, 9}, {9, 5}, {1, 1}, {1000, -1}, {2, 1<<62 - 1}, {0, 1<<63 - 1}, {1 << 62, 1<<63 - 1}} {
				got := AppendPly(nil, b, &lanes, bounds[0], bounds[1])
				want := momentsOf(lines, &lanes, func(_ int, at *position) bool {
					return at.ply >= bounds[0] && (bounds[1] < 0 || at.ply <= bounds[1])
				})
				if !slices.Equal(got, want) {
					t.Fatalf("%s, plies %v: %s", a.name, bounds, differAt(got, want))
				}
			}
			for _, side := range []game.Side{game.First, game.Second} {
				got := AppendTurn(nil, b, &lanes, side)
				want := momentsOf(lines, &lanes, func(_ int, at *position) bool { return at.turn == side })
				if !slices.Equal(got, want) {
					t.Fatalf("%s, side %d: %s", a.name, side, differAt(got, want))
				}
				checkTimeline(t, got, lines)
				found += len(got)
			}
		}
		if found < 100 {
			t.Errorf("%s: %d intervals", a.name, found)
		}
	}
}

// TestPliesAtTheEnds checks bounds that no line reaches.
func TestPliesAtTheEnds(t *testing.T) {
	a := alphabets()[0]
	_, b := a.block(t, rand.New(rand.NewPCG(1, 1)), 5)
	all := b.All()
	var m Matcher
	for _, c := range []struct{ from, to, want int }{{0, -1, 5}, {-1, 1<<63 - 1, 5}, {1 << 62, -1, 0}, {1 << 16, 1 << 20, 0}} {
		p := &pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{pattern.AnyOn(2)}, Anchor: pattern.Fixed, From: c.from, To: c.to}
		places, err := pattern.Compile(p, a.board)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.AppendSpans(nil, b, Compile(places, p, b.Points, b.Kinds), &all); len(got) != c.want {
			t.Errorf("plies %d to %d: %+v", c.from, c.to, got)
		}
	}
}

// goBlock is a block of made-up games of Go on a large board, of which few
// points change twice.
func goBlock(t testing.TB) *Block {
	rng := rand.New(rand.NewPCG(2, 7))
	build := NewBuilder(361, []uint8{0, 1}, false)
	for !build.Full() {
		l := Line{End: uint16(200 + rng.IntN(100))}
		order := rng.Perm(361)
		for slot := uint16(1); slot < l.End; slot++ {
			l.Changes = append(l.Changes, Change{slot, uint16(order[slot]), board.Piece(2 - slot%2)})
			if slot%25 == 0 {
				l.Changes = append(l.Changes, Change{slot, uint16(order[slot-11]), board.Empty})
			}
		}
		build.Add(&l)
	}
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// BenchmarkSpans sets AppendSpans beside AppendHits.
func BenchmarkSpans(b *testing.B) {
	blk := goBlock(b)
	size := stones(19, 19)
	all := blk.All()
	for _, c := range []struct {
		name string
		text string
		turn pattern.Turn
	}{
		{"rare", ".XO./XXOO/.XO.", pattern.AnyTurn}, {"frequent", "XO/..", pattern.AnyTurn}, {"turn", "XO/..", pattern.FirstToMove},
	} {
		p := &pattern.Pattern{To: -1, Mirror: true, Swap: true, Turn: c.turn}
		for _, r := range c.text {
			switch r {
			case '/':
				p.Size.H++
				continue
			case '.':
				p.Cells = append(p.Cells, pattern.Empty)
			case 'X':
				p.Cells = append(p.Cells, pattern.Of(1))
			case 'O':
				p.Cells = append(p.Cells, pattern.Of(2))
			}
		}
		p.Size.H++
		p.Size.W = len(p.Cells) / p.Size.H
		places, err := pattern.Compile(p, size)
		if err != nil {
			b.Fatal(err)
		}
		program := Compile(places, p, blk.Points, blk.Kinds)
		var m Matcher
		var hits []Hit
		var spans []Placed
		b.Run(c.name+"/hits", func(b *testing.B) {
			for b.Loop() {
				hits = m.AppendHits(hits[:0], blk, program, &all)
			}
			b.ReportMetric(float64(len(hits)), "found")
		})
		b.Run(c.name+"/spans", func(b *testing.B) {
			for b.Loop() {
				spans = m.AppendSpans(spans[:0], blk, program, &all)
			}
			b.ReportMetric(float64(len(spans)), "found")
		})
		var merged Timeline
		b.Run(c.name+"/moments", func(b *testing.B) {
			for b.Loop() {
				merged = m.AppendMoments(merged[:0], blk, program, &all)
			}
			b.ReportMetric(float64(len(merged)), "found")
		})
		b.Run(c.name+"/merge", func(b *testing.B) {
			for b.Loop() {
				merged = m.Merge(merged[:0], blk, spans)
			}
			b.ReportMetric(float64(len(merged)), "found")
		})
	}
}

// TestMomentAllocations checks that nothing about moments takes memory once the
// buffers have grown.
func TestMomentAllocations(t *testing.T) {
	for i, a := range alphabets() {
		rng := rand.New(rand.NewPCG(24, uint64(i)))
		lines, b := a.block(t, rng, 100)
		all := b.All()
		var m Matcher
		var x, y, z Timeline
		var placed, behind, followed []Placed
		found := 0
		for range 8 {
			p := a.randomPattern(rng, lines)
			places, err := pattern.Compile(p, a.board)
			if err != nil {
				continue
			}
			program := Compile(places, p, b.Points, b.Kinds)
			pairs := Pair(Half{p, places}, Half{p, places}, a.board)
			follow := NewFollow(Half{p, places}, []FollowStep{{Side: game.First}}, a.board)
			counter := &Counter{Set: pattern.Of(1), Points: []uint16{0, 1, 5, 7}, Low: 1, High: 2}
			run := func() {
				placed = m.AppendSpans(placed[:0], b, program, &all)
				behind = m.AppendThenHere(behind[:0], b, pairs, placed, placed, 3)
				followed = m.AppendFollowed(followed[:0], b, follow, placed)
				x = m.AppendMoments(x[:0], b, program, &all)
				x = m.Merge(x[:0], b, placed)
				y = m.AppendCount(y[:0], b, counter, &all)
				z = Unite(Intersect(z[:0], x, y), x, y)
				z = Complement(z[:0], b, &all, x)
				z = Then(Longer(z[:0], b, x, 1), b, x, y, 2)
				z = AppendTurn(AppendPly(z[:0], b, &all, 2, 9), b, &all, game.Second)
				z = Lasts(Firsts(Own(Whole(z[:0], b, &all), b, x), b, x), b, y)
			}
			run()
			found += len(behind) + len(followed)
			if n := testing.AllocsPerRun(3, run); n > 0 && !a.long {
				t.Errorf("%s: %v allocations", a.name, n)
			}
		}
		if found == 0 {
			t.Errorf("%s: nothing found", a.name)
		}
	}
}
