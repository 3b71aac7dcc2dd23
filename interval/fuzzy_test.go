package interval

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// ground returns what likeness needs of a made-up game: some of its pieces
// jump, and neighbours are related.
func (a *alphabet) ground() pattern.Ground {
	var looks []board.Look
	for _, o := range a.owners {
		looks = append(looks, board.Look{Owner: int(o)})
	}
	g := pattern.Ground{Board: a.board, Relations: func(dst []game.Relation, b *board.Planes) []game.Relation {
		return game.AppendContacts(dst, looks, b)
	}}
	if a.style == "move" {
		g.Steps = func(dst []board.Point, p board.Piece, at board.Point) []board.Point {
			for _, d := range [][2]int{{2, 1}, {-2, -1}, {0, 3}} {
				if x, y := at.X()+d[0], at.Y()+d[1]; p%2 == 0 && x >= 0 && x < a.board.Size.W && y >= 0 && y < a.board.Size.H {
					dst = append(dst, board.At(x, y))
				}
			}
			return dst
		}
	}
	return g
}

// randomWeights returns weights of every kind.
func (a *alphabet) randomWeights(rng *rand.Rand) *pattern.Weights {
	w := &pattern.Weights{Empty: []float64{0, .25, 1, .37}[rng.IntN(4)], Line: []float64{0, 1, .3}[rng.IntN(3)], Moved: []float64{0, .5, .75, 1}[rng.IntN(4)]}
	for range a.board.Kinds {
		w.Piece = append(w.Piece, []float64{1, 1, 3, 7, .4371}[rng.IntN(5)])
	}
	if rng.IntN(4) == 0 {
		w.Relation = []float64{.25, .5, 1}[rng.IntN(3)]
	}
	return w
}

// naiveLikes measures every position in every placement.
func naiveLikes(like *pattern.Like, lines []*played, lanes *Mask, least float64) (list []Like) {
	var s pattern.Scratch
	for lane, l := range lines {
		if !lanes.Has(lane) {
			continue
		}
		best, value := Like{Lane: uint16(lane)}, -1.
		rank, last := uint8(0), 0 // of best, and the position that counts last
		for j := range l.positions {
			at := &l.positions[j]
			if !at.own || at.ply < like.From || like.To >= 0 && at.ply > like.To {
				continue
			}
			for i := range like.Placements {
				q := &like.Placements[i]
				if q.Turn == pattern.FirstToMove && at.turn != game.First || q.Turn == pattern.SecondToMove && at.turn != game.Second {
					continue
				}
				v, r, others := like.Value(&s, i, at.on, like.Score(&s, i, at.on, 0)), pattern.Rank(q.Symmetry), naiveOthers(like, i, at.on)
				switch {
				case v < least || v < value:
				case v > value || r < rank:
					best = Like{uint16(lane), at.slot, int32(i), float32(v), 1, others}
					value, rank, last = v, r, j
				case r == rank:
					if others < best.Others {
						best.Slot, best.Placement, best.Others = at.slot, int32(i), others
					}
					if last < j {
						best.Plies++
						last = j
					}
				}
			}
		}
		if value >= 0 {
			list = append(list, best)
		}
	}
	return list
}

// naiveOthers counts the pieces in the region of a placement that it does not ask
// for.
func naiveOthers(like *pattern.Like, placement int, on []board.Piece) uint16 {
	n := 0
	for _, pt := range like.Placements[placement].Region {
		n += number(on[pt] != board.Empty)
	}
	for _, c := range like.Cells(placement) {
		n -= number(c.Needed)
	}
	return uint16(max(n, 0))
}

// TestLikesOracle compares the best moments with those of boards measured one
// by one.
func TestLikesOracle(t *testing.T) {
	for i, a := range alphabets() {
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, uint64(i)))
			var m LikeMatcher
			var got []Like
			cases, found, partly, different := 0, 0, 0, 0
			for round := range testkit.Scale(40, 1000) {
				n := 1 + rng.IntN(16)
				if round%20 == 0 {
					n = []int{63, 64, 65, 300}[rng.IntN(4)]
				}
				lines, b := a.block(t, rng, n)
				for range 4 {
					p := a.randomPattern(rng, lines)
					places, err := pattern.Compile(p, a.board)
					if errors.Is(err, pattern.ErrNoFit) {
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					like, err := pattern.NewLike(places, p, a.randomWeights(rng), a.ground())
					if err != nil {
						t.Fatal(err)
					}
					l := CompileLike(like)
					lanes := someLanes(rng, b)
					least := []float64{0, .3, .6, .75, .9, 1}[rng.IntN(6)]
					want := naiveLikes(like, lines, &lanes, least)
					got = m.AppendLikes(got[:0], b, l, &lanes, least)
					if !slices.Equal(got, want) {
						t.Fatalf("%d lanes, at least %v, %+v:\ngot  %+v\nwant %+v\n%+v", n, least, p, got, want, like.Placements)
					}
					cases++
					for _, x := range want {
						found++
						list := m.AppendDifferences(nil, b, l, x)
						if x.Score < 1 {
							partly++
						} else if len(list) > 0 && like.RelationShare(int(x.Placement)) == 0 {
							for _, d := range list {
								if !free(like, &x, d) {
									t.Fatalf("%+v is alike and yet %+v", x, list)
								}
							}
						}
						different += len(list)
					}
				}
			}
			if found < cases/2 || partly < cases/8 || different < partly/2 {
				t.Errorf("%d cases, %d moments, %d of them partly alike, %d differences: the test has become empty", cases, found, partly, different)
			}
			if m.Work.Lines == 0 || m.Work.Scored < int64(found) || a.style == "move" && m.Work.Slow == m.Work.Lines {
				t.Errorf("%d cases, work %+v", cases, m.Work)
			}
		})
	}
}

// free tells whether a difference costs nothing.
func free(like *pattern.Like, x *Like, d pattern.Difference) bool {
	for _, c := range like.Cells(int(x.Placement)) {
		if int(c.X) == d.X && int(c.Y) == d.Y {
			return c.Weight == 0 || d.Kind == pattern.Moved && c.Moved == c.Weight
		}
	}
	return false
}

// TestLikesForeign checks that a pattern for another board finds nothing.
func TestLikesForeign(t *testing.T) {
	a, other := alphabets()[0], alphabets()[6]
	_, b := a.block(t, rand.New(rand.NewPCG(1, 1)), 3)
	p := &pattern.Pattern{Size: board.Size{W: 1, H: 1}, Cells: []pattern.Set{pattern.Empty}, To: -1}
	places, err := pattern.Compile(p, other.board)
	if err != nil {
		t.Fatal(err)
	}
	w := other.randomWeights(rand.New(rand.NewPCG(1, 1)))
	like, err := pattern.NewLike(places, p, w, other.ground())
	if err != nil {
		t.Fatal(err)
	}
	all := b.All()
	var m LikeMatcher
	if list := m.AppendLikes(nil, b, CompileLike(like), &all, 0); list != nil {
		t.Errorf("found %v", list)
	}
}

// playFrom makes a line of moves alone from a given start.
func (a *alphabet) playFrom(rng *rand.Rand, start []board.Piece) *played {
	l := &played{}
	state := slices.Clone(start)
	for pt, p := range state {
		if p != board.Empty {
			l.Changes = append(l.Changes, Change{0, uint16(pt), p})
		}
	}
	plies := rng.IntN(40)
	for ply := 0; ; ply++ {
		side := game.Side(ply % 2)
		l.positions = append(l.positions, position{slot: uint16(ply), ply: ply, turn: side, on: slices.Clone(state), own: true})
		l.End = uint16(ply + 1)
		if ply == plies {
			return l
		}
		code := a.move(rng, state, side, func(pt int, p board.Piece) {
			state[pt] = p
			l.Changes = append(l.Changes, Change{uint16(ply + 1), uint16(pt), p})
		})
		if l.Moves = append(l.Moves, code); code == NoMove {
			return a.playFrom(rng, start) // a side without pieces
		}
	}
}

// TestLikesUsual compares lines that share their start, as most games do, and
// some that do not; what is usual changes from block to block.
func TestLikesUsual(t *testing.T) {
	men, owners := pieces(5, 6)
	a := &alphabet{board: men, owners: owners, style: "move"}
	rng := rand.New(rand.NewPCG(10, 1))
	var m LikeMatcher
	found := 0
	for range testkit.Scale(60, 1500) {
		starts := make([][]board.Piece, 3)
		for i := range starts {
			starts[i] = make([]board.Piece, men.Size.Area())
			for pt := range starts[i] {
				if rng.IntN(3) == 0 {
					starts[i][pt] = board.Piece(1 + rng.IntN(men.Kinds))
				}
			}
			starts[i][0], starts[i][29] = 1, 8 // a piece of each side
		}
		build := NewBuilder(men.Size.Area(), owners, true)
		var lines []*played
		for range 1 + rng.IntN(100) {
			start := starts[0]
			if rng.IntN(8) == 0 {
				start = starts[1+rng.IntN(2)]
			}
			l := a.playFrom(rng, start)
			lines = append(lines, l)
			build.Add(&l.Line)
		}
		b, err := Open(build.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for i, start := range starts {
			same := b.startAs(start)
			for lane, l := range lines {
				if same.Has(lane) != slices.Equal(l.positions[0].on, start) {
					t.Fatalf("lane %d has start %d: %v", lane, i, same.Has(lane))
				}
			}
		}
		var group sync.WaitGroup
		for range 3 { // readers that find it out at the same time agree
			group.Go(func() {
				u := b.usually()
				for lane, l := range lines {
					if u.same.Has(lane) != slices.Equal(l.positions[0].on, u.on) {
						t.Errorf("lane %d has the usual start: %v", lane, u.same.Has(lane))
					}
				}
			})
		}
		group.Wait()
		if n := b.usually().same.Count(); len(lines) > 60 && 2*n < len(lines) {
			t.Fatalf("%d of %d lanes have the usual start", n, len(lines))
		}
		for range 4 {
			p := a.randomPattern(rng, lines)
			p.Size, p.Anchor, p.At = men.Size, pattern.Fixed, 0
			l := lines[rng.IntN(len(lines))]
			at := l.positions[rng.IntN(len(l.positions))]
			p.Cells = make([]pattern.Set, men.Size.Area())
			for i := range p.Cells {
				if p.Cells[i] = pattern.AnyOn(men.Kinds); at.on[i] != board.Empty && rng.IntN(4) > 0 {
					p.Cells[i] = pattern.Of(at.on[i])
				}
			}
			places, err := pattern.Compile(p, a.board)
			if err != nil {
				t.Fatal(err)
			}
			like, err := pattern.NewLike(places, p, a.randomWeights(rng), a.ground())
			if err != nil {
				t.Fatal(err)
			}
			least := []float64{.3, .6, .75, .9}[rng.IntN(4)]
			lanes := someLanes(rng, b)
			want := naiveLikes(like, lines, &lanes, least)
			if got := m.AppendLikes(nil, b, CompileLike(like), &lanes, least); !slices.Equal(got, want) {
				t.Fatalf("at least %v, %+v:\ngot  %+v\nwant %+v", least, p, got, want)
			}
			found += len(want)
		}
	}
	if found < 100 || m.Work.Slow > 0 {
		t.Errorf("%d moments, work %+v", found, m.Work)
	}
}

// TestLosses checks the counters that are kept bit by bit.
func TestLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 200 {
		var s losses
		var sum [64]int
		for range rng.IntN(12) {
			lanes, n := rng.Uint64()&rng.Uint64(), rng.IntN(40)
			s.add(lanes, n)
			for i := range sum {
				if lanes>>i&1 != 0 {
					sum[i] += min(n, maxLoss+1)
				}
			}
		}
		for limit := range maxLoss + 1 {
			above := s.above(uint64(limit))
			for i, n := range sum {
				if (above>>i&1 != 0) != (n > limit) {
					t.Fatalf("counter %d is %d: above %d is %v", i, n, limit, above>>i&1 != 0)
				}
			}
		}
	}
}

// TestLikesDamaged checks that damaged blocks, as far as they can be opened, end
// no program.
func TestLikesDamaged(t *testing.T) {
	for i, a := range alphabets() {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		lines, good := a.block(t, rng, 70)
		var m LikeMatcher
		opened := 0
		for range testkit.Scale(150, 5000) {
			data := slices.Clone(good.Bytes())
			for range 1 + rng.IntN(20) {
				data[headerSize+rng.IntN(len(data)-headerSize)] = byte(rng.IntN(256))
			}
			b, err := Open(data)
			if err != nil {
				continue
			}
			opened++
			p := a.randomPattern(rng, lines)
			places, err := pattern.Compile(p, a.board)
			if err != nil {
				continue
			}
			like, err := pattern.NewLike(places, p, a.randomWeights(rng), a.ground())
			if err != nil {
				t.Fatal(err)
			}
			l, all := CompileLike(like), b.All()
			for _, x := range m.AppendLikes(nil, b, l, &all, .5) {
				m.AppendDifferences(nil, b, l, x)
			}
		}
		if opened < 20 {
			t.Errorf("%s: %d blocks were opened: the test has become empty", a.name, opened)
		}
	}
}
