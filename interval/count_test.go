package interval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// TestCount compares counts with boards replayed slot by slot.
func TestCount(t *testing.T) {
	for i, a := range alphabets() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(41, uint64(i)))
			var m Matcher
			var got Timeline
			found, parts := 0, 0
			for round := range testkit.Scale(40, 1500) {
				n := 1 + rng.IntN(24)
				if round%20 == 0 {
					n = []int{63, 64, 65, 130}[rng.IntN(4)]
				}
				lines, b := a.block(t, rng, n)
				for range 8 {
					c := &Counter{Set: pattern.Set(rng.Uint32()) & (pattern.AnyOn(b.Kinds) | pattern.Off)}
					if rng.IntN(2) == 0 {
						c.Set = pattern.Of(board.Piece(rng.IntN(b.Kinds + 1)))
					}
					for pt := range b.Points {
						if rng.IntN(3) == 0 || round%3 == 0 {
							c.Points = append(c.Points, uint16(pt))
						}
					}
					count := func(at *position) (n int) {
						for _, pt := range c.Points {
							if c.Set.Has(at.on[pt]) {
								n++
							}
						}
						return n
					}
					// Bounds near a number that there is.
					l := lines[rng.IntN(len(lines))]
					c.Low = count(&l.positions[rng.IntN(len(l.positions))]) - rng.IntN(2)
					c.High = c.Low + rng.IntN(4) - 1
					switch rng.IntN(6) {
					case 0:
						c.Low = -1 << 63
					case 1:
						c.High = 1<<63 - 1
					}
					lanes := someLanes(rng, b)
					want := momentsOf(lines, &lanes, func(_ int, at *position) bool { return count(at) >= c.Low && count(at) <= c.High })
					got = m.AppendCount(got[:0], b, c, &lanes)
					if !slices.Equal(got, want) {
						t.Fatalf("%d lanes, %+v: %s", n, c, differAt(got, want))
					}
					checkTimeline(t, got, lines)
					found += len(want)
					for j, s := range want {
						if j > 0 && want[j-1].Lane == s.Lane {
							parts++
						}
					}
				}
			}
			if found < 500 || parts < 100 {
				t.Errorf("%d intervals, %d second ones: the test has become empty", found, parts)
			}
			if slices.ContainsFunc(m.counts, func(n int16) bool { return n != 0 }) {
				t.Error("something is left behind in the counts")
			}
		})
	}
}

// TestCountForeign checks a counter for a larger board.
func TestCountForeign(t *testing.T) {
	a := alphabets()[0]
	_, b := a.block(t, rand.New(rand.NewPCG(1, 1)), 3)
	all := b.All()
	var m Matcher
	if got := m.AppendCount(nil, b, &Counter{Set: pattern.Empty, Points: []uint16{0, 25}, High: 2}, &all); len(got) > 0 {
		t.Errorf("%+v with a point outside the board", got)
	}
	if got := m.AppendCount(nil, b, &Counter{Set: pattern.Empty}, &all); !slices.Equal(got, Whole(nil, b, &all)) {
		t.Errorf("none of no points: %+v", got)
	}
}

// othelloBlock is a block of made-up games of Othello: of sixty moves, each of
// which turns the discs that it encloses.
func othelloBlock(t testing.TB) (*Block, int) {
	rng := rand.New(rand.NewPCG(3, 8))
	build := NewBuilder(64, []uint8{0, 1}, false)
	changes := 0
	for !build.Full() {
		var on [64]board.Piece
		l := Line{Changes: []Change{{0, 27, 2}, {0, 28, 1}, {0, 35, 1}, {0, 36, 2}}}
		for _, c := range l.Changes {
			on[c.Point] = c.Piece
		}
		slot, passes := uint16(0), 0
		for side := board.Piece(1); passes < 2; side = 3 - side {
			var moves [][]int
			for pt := range 64 {
				if turned := encloses(&on, pt, side); on[pt] == board.Empty && len(turned) > 0 {
					moves = append(moves, append(turned, pt))
				}
			}
			if passes++; len(moves) == 0 {
				continue
			}
			passes = 0
			if slot++; slot%2 != uint16(side%2) {
				l.Skips = append(l.Skips, slot)
				slot++
			}
			for _, pt := range moves[rng.IntN(len(moves))] {
				on[pt] = side
				l.Changes = append(l.Changes, Change{slot, uint16(pt), side})
			}
		}
		l.End = slot + 1
		if err := l.Check(64, 2); err != nil {
			t.Fatal(err)
		}
		changes += len(l.Changes)
		build.Add(&l)
	}
	b, err := Open(build.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return b, changes
}

// encloses returns the discs that a move turns.
func encloses(on *[64]board.Piece, pt int, side board.Piece) (turned []int) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			var row []int
			for x, y := pt%8+dx, pt/8+dy; (dx != 0 || dy != 0) && x >= 0 && y >= 0 && x < 8 && y < 8; x, y = x+dx, y+dy {
				if on[y*8+x] == side {
					turned = append(turned, row...)
				}
				if on[y*8+x] != 3-side {
					break
				}
				row = append(row, y*8+x)
			}
		}
	}
	return turned
}

// BenchmarkCount counts discs on the whole board, and in a corner.
func BenchmarkCount(b *testing.B) {
	blk, changes := othelloBlock(b)
	all := blk.All()
	var whole []uint16
	for pt := range uint16(64) {
		whole = append(whole, pt)
	}
	for _, c := range []struct {
		name string
		Counter
	}{
		{"black", Counter{Set: pattern.Of(1), Points: whole, Low: 40, High: 64}},
		{"discs", Counter{Set: pattern.Of(1) | pattern.Of(2), Points: whole, Low: 30, High: 40}},
		{"empty", Counter{Set: pattern.Empty, Points: whole, Low: 0, High: 10}},
		{"corners", Counter{Set: pattern.Of(1), Points: []uint16{0, 7, 56, 63}, Low: 3, High: 4}},
	} {
		b.Run(c.name, func(b *testing.B) {
			var m Matcher
			var got Timeline
			for b.Loop() {
				got = m.AppendCount(got[:0], blk, &c.Counter, &all)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/Lanes, "ns/lane")
			b.ReportMetric(float64(changes)/Lanes, "changes/lane")
			b.ReportMetric(float64(len(got)), "found")
		})
	}
}
