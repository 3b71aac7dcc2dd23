package interval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// marks are moments as the words say: for each lane, whether each of its
// positions is one.
type marks [][]bool

func (k marks) timeline(lines []*played) (list Timeline) {
	for lane, l := range lines {
		i := 0
		list = append(list, intervalsOf(lane, l, func(*position) bool { i++; return k[lane][i-1] })...)
	}
	return list
}

// each makes marks by asking of every position.
func each(lines []*played, is func(lane, i int) bool) marks {
	k := make(marks, len(lines))
	for lane, l := range lines {
		for i := range l.positions {
			k[lane] = append(k[lane], is(lane, i))
		}
	}
	return k
}

// randomMarks are more or less dense from lane to lane.
func randomMarks(rng *rand.Rand, lines []*played) marks {
	density, turn := make([]int, len(lines)), false
	for i := range density {
		density[i] = rng.IntN(5)
	}
	return each(lines, func(lane, i int) bool {
		if rng.IntN(4) == 0 { // in intervals
			turn = rng.IntN(5) < density[lane]
		}
		return turn
	})
}

// TestTimeline compares the algebra with marks on every position.
func TestTimeline(t *testing.T) {
	for n, alpha := range alphabets() {
		t.Run(alpha.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(31, uint64(n)))
			kept := Timeline{{1, 2, 3}}
			for range testkit.Scale(40, 2000) {
				lines, blk := alpha.block(t, rng, 1+rng.IntN(30))
				lanes := someLanes(rng, blk)
				x, y := randomMarks(rng, lines), randomMarks(rng, lines)
				a, b := x.timeline(lines), y.timeline(lines)
				within := rng.IntN(6)
				check := func(name string, got Timeline, is func(lane, i int) bool) {
					t.Helper()
					if !slices.Equal(got[:1], kept) {
						t.Fatalf("%s changed what was there before", name)
					}
					got = got[1:]
					checkTimeline(t, got, lines)
					if want := each(lines, is).timeline(lines); !slices.Equal(got, want) {
						t.Fatalf("%s: %s\n%+v\n%+v", name, differAt(got, want), a, b)
					}
				}
				in := func(lane int) bool { return lanes.Has(lane) }
				first := func() Timeline { return slices.Clone(kept) }
				check("whole", Whole(first(), blk, &lanes), func(lane, i int) bool { return in(lane) })
				check("intersect", Intersect(first(), a, b), func(lane, i int) bool { return x[lane][i] && y[lane][i] })
				check("unite", Unite(first(), a, b), func(lane, i int) bool { return x[lane][i] || y[lane][i] })
				check("complement", Complement(first(), blk, &lanes, a), func(lane, i int) bool { return in(lane) && !x[lane][i] })
				check("own", Own(first(), blk, a), func(lane, i int) bool { return x[lane][i] && lines[lane].positions[i].own })
				check("then", Then(first(), blk, a, b, within), func(lane, i int) bool {
					for j := range i {
						by := lines[lane].positions[i].ply - lines[lane].positions[j].ply
						if y[lane][i] && x[lane][j] && by >= 1 && (within == 0 || by <= within) {
							return true
						}
					}
					return false
				})
				check("longer", Longer(first(), blk, a, within), func(lane, i int) bool {
					from, to := i, i
					for from > 0 && x[lane][from-1] {
						from--
					}
					for to+1 < len(x[lane]) && x[lane][to+1] {
						to++
					}
					return x[lane][i] && to-from+1 > within
				})
				check("firsts", Firsts(first(), blk, a), func(lane, i int) bool { return x[lane][i] && !slices.Contains(x[lane][:i], true) })
				check("lasts", Lasts(first(), blk, a), func(lane, i int) bool { return x[lane][i] && !slices.Contains(x[lane][i+1:], true) })
				some := a.Lanes()
				for lane, l := range lines {
					if part := a.Lane(lane); some.Has(lane) != slices.Contains(x[lane], true) || some.Has(lane) != (len(part) > 0) {
						t.Fatalf("lane %d: %v, %+v", lane, some.Has(lane), part)
					}
					for i, at := range l.positions {
						if a.Has(lane, at.slot) != x[lane][i] {
							t.Fatalf("lane %d, position %d: %v", lane, i, a.Has(lane, at.slot))
						}
					}
				}
				var parts Timeline
				for lane, part := range a.ByLane() {
					if !slices.Equal(part, a.Lane(lane)) {
						t.Fatalf("lane %d: %+v", lane, part)
					}
					parts = append(parts, part...)
				}
				if !slices.Equal(parts, a) {
					t.Fatal("the lanes are not the whole")
				}
				place := slices.Clone(a)
				if got := Longer(place[:0], blk, place, within); !slices.Equal(got, Longer(nil, blk, a, within)) {
					t.Fatal("longer differs in place")
				}
				place = slices.Clone(a)
				if got := Lasts(place[:0], blk, place); !slices.Equal(got, Lasts(nil, blk, a)) {
					t.Fatal("lasts differs in place")
				}
				place = slices.Clone(a)
				if got := Own(place[:0], blk, place); !slices.Equal(got, Own(nil, blk, a)) {
					t.Fatal("own differs in place")
				}
			}
		})
	}
}

// FuzzTimeline states the laws of the algebra.
func FuzzTimeline(f *testing.F) {
	f.Add(uint64(1), uint16(0))
	f.Add(uint64(2), uint16(3))
	f.Fuzz(func(t *testing.T, seed uint64, within uint16) {
		rng := rand.New(rand.NewPCG(seed, 1))
		list := alphabets()
		alpha := list[rng.IntN(len(list))]
		lines, blk := alpha.block(t, rng, 1+rng.IntN(8))
		all := blk.All()
		a, b, c := randomMarks(rng, lines).timeline(lines), randomMarks(rng, lines).timeline(lines), randomMarks(rng, lines).timeline(lines)
		not := func(x Timeline) Timeline { return Complement(nil, blk, &all, x) }
		and := func(x, y Timeline) Timeline { return Intersect(nil, x, y) }
		or := func(x, y Timeline) Timeline { return Unite(nil, x, y) }
		then := func(x, y Timeline, n int) Timeline { return Then(nil, blk, x, y, n) }
		whole := Whole(nil, blk, &all)
		n := int(within)
		for name, law := range map[string][2]Timeline{
			"not not":            {not(not(a)), a},
			"De Morgan, and":     {not(and(a, b)), or(not(a), not(b))},
			"De Morgan, or":      {not(or(a, b)), and(not(a), not(b))},
			"and commutes":       {and(a, b), and(b, a)},
			"or commutes":        {or(a, b), or(b, a)},
			"and over or":        {and(a, or(b, c)), or(and(a, b), and(a, c))},
			"a or not a":         {or(a, not(a)), whole},
			"a and not a":        {and(a, not(a)), nil},
			"absorption":         {or(a, and(a, b)), a},
			"whole":              {and(a, whole), a},
			"then, left or":      {then(or(a, b), c, n), or(then(a, c, n), then(b, c, n))},
			"then, right or":     {then(a, or(b, c), n), or(then(a, b, n), then(a, c, n))},
			"then, right and":    {then(a, and(b, c), n), and(then(a, b, n), c)},
			"then grows":         {and(then(a, b, n+1), then(a, b, max(n, 1))), then(a, b, max(n, 1))},
			"then without bound": {then(a, b, 0), then(a, b, 1<<40)},
			"then in two steps":  {then(a, b, 2), or(then(a, b, 1), then(then(a, whole, 1), b, 1))},
			"for 0":              {Longer(nil, blk, a, 0), a},
			"for, twice":         {Longer(nil, blk, Longer(nil, blk, a, n%9), n%7), Longer(nil, blk, a, max(n%9, n%7))},
			"first of first":     {Firsts(nil, blk, Firsts(nil, blk, a)), Firsts(nil, blk, a)},
			"first in all":       {and(Firsts(nil, blk, a), a), Firsts(nil, blk, a)},
			"own":                {Own(nil, blk, a), and(a, Own(nil, blk, whole))},
			"turns":              {not(AppendTurn(nil, blk, &all, game.First)), AppendTurn(nil, blk, &all, game.Second)},
			"plies":              {not(AppendPly(nil, blk, &all, 0, n)), AppendPly(nil, blk, &all, n+1, -1)},
		} {
			if !slices.Equal(law[0], law[1]) {
				t.Errorf("%s: %s", name, differAt(law[0], law[1]))
			}
			checkTimeline(t, law[0], lines)
		}
	})
}

// picture returns the cells of a pattern after a symmetry.
func picture(p *pattern.Pattern, b pattern.Board, sym game.Symmetry) (size board.Size, cells []pattern.Set) {
	size = sym.Board.Turned(p.Size)
	cells = make([]pattern.Set, len(p.Cells))
	for i, set := range p.Cells {
		if sym.Swap {
			to := set & (pattern.Empty | pattern.Off)
			for k := range b.Kinds {
				if set.Has(board.Piece(k + 1)) {
					to |= pattern.Of(b.Swap[k])
				}
			}
			set = to
		}
		cells[size.Index(sym.Board.Apply(p.Size, p.Size.Point(i)))] = set
	}
	return size, cells
}

// same tells whether a pattern looks the same in two pictures.
func same(p *pattern.Pattern, b pattern.Board, x, y game.Symmetry) bool {
	if p.Turn != pattern.AnyTurn && x.Swap != y.Swap {
		return false
	}
	sx, cx := picture(p, b, x)
	sy, cy := picture(p, b, y)
	return sx == sy && slices.Equal(cx, cy)
}

// TestThenHere compares Pair with pictures drawn cell by cell, and what follows
// in one place with every pair of positions.
func TestThenHere(t *testing.T) {
	for n, alpha := range alphabets() {
		if alpha.long {
			continue
		}
		t.Run(alpha.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(33, uint64(n)))
			var m Matcher
			found, paired, several := 0, 0, 0
			for range testkit.Scale(200, 3000) {
				lines, blk := alpha.block(t, rng, 1+rng.IntN(8))
				p := alpha.randomPattern(rng, lines)
				if rng.IntN(2) == 0 {
					p.Mirror, p.Swap = true, true
				}
				q := *p
				q.Cells = slices.Clone(p.Cells)
				switch rng.IntN(4) {
				case 0: // one of them looks the same in all pictures
					for i := range q.Cells {
						q.Cells[i] = pattern.AnyOn(alpha.board.Kinds) | pattern.Off
					}
				case 1:
					q.Cells[rng.IntN(len(q.Cells))] = pattern.AnyOn(alpha.board.Kinds)
				case 2:
					q.Cells[rng.IntN(len(q.Cells))] |= pattern.Empty
				}
				if rng.IntN(2) == 0 {
					p.Cells, q.Cells = q.Cells, p.Cells
				}
				pa, err := pattern.Compile(p, alpha.board)
				if err != nil {
					continue
				}
				pb, err := pattern.Compile(&q, alpha.board)
				if err != nil {
					continue
				}
				pairs := Pair(Half{p, pa}, Half{&q, pb}, alpha.board)
				firsts := func(i int) []int32 { return pairs.firsts[pairs.starts[i]:pairs.starts[i+1]] }
				for i := range pb {
					var want []int32
					for j := range pa {
						if pa[j].X == pb[i].X && pa[j].Y == pb[i].Y && slices.ContainsFunc(p.Pictures(alpha.board), func(sym game.Symmetry) bool {
							return same(p, alpha.board, sym, pa[j].Symmetry) && same(&q, alpha.board, sym, pb[i].Symmetry)
						}) {
							want = append(want, int32(j))
						}
					}
					if !slices.Equal(firsts(i), want) {
						t.Fatalf("%+v belongs to %v, want %v\n%+v\n%+v", pb[i], firsts(i), want, p, q)
					}
					paired += len(want)
					if len(want) > 1 {
						several++
					}
				}
				all := blk.All()
				a := m.AppendSpans(nil, blk, Compile(pa, p, blk.Points, blk.Kinds), &all)
				b := m.AppendSpans(nil, blk, Compile(pb, &q, blk.Points, blk.Kinds), &all)
				within := rng.IntN(5)
				var want []Placed
				for i := range pb {
					for _, s := range momentsOf(lines, &all, func(lane int, at *position) bool {
						if !holds(&q, &pb[i], at) {
							return false
						}
						return slices.ContainsFunc(lines[lane].positions, func(before position) bool {
							by := at.ply - before.ply
							return by >= 1 && (within == 0 || by <= within) &&
								slices.ContainsFunc(firsts(i), func(j int32) bool { return holds(p, &pa[j], &before) })
						})
					}) {
						want = append(want, Placed{s, int32(i)})
					}
				}
				if got := m.AppendThenHere(nil, blk, pairs, a, b, within); !slices.Equal(got, want) {
					t.Fatalf("%s", differAt(got, want))
				}
				found += len(want)
			}
			if found < 500 || paired < 500 || several < 20 {
				t.Errorf("%d found, %d pairs, %d with several: the test has become empty", found, paired, several)
			}
		})
	}
}
