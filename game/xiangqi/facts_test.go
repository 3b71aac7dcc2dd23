package xiangqi_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

func has(set [2]uint64, i int) bool { return set[i/64]>>(i%64)&1 != 0 }

// index returns the dense index of a point as ICCS writes it.
func index(t testing.TB, name string) int {
	t.Helper()
	p, ok := xiangqi.Standard.Geometry().Point(name)
	if !ok {
		t.Fatalf("no point %s", name)
	}
	return xiangqi.Standard.Geometry().Size.Index(p)
}

// A side that is mated stays so without pieces that do no work, and does not
// without those that do; the position is as it was.
func TestMatedWithout(t *testing.T) {
	for _, c := range []struct {
		name, fen  string
		work, idle []string
	}{
		{"cannon behind horse", "3k5/9/3N5/9/3C5/9/9/9/R8/4K4 b", []string{"d5", "d7", "d9"}, []string{"a1", "a5", "e0"}},
		{"two chariots", "R2k5/1R7/9/9/9/9/9/9/9/4K4 b", []string{"a9", "b8"}, []string{"c5", "e0"}},
		{"chariot and king", "3k5/9/9/9/9/9/9/9/3R5/4K4 b", []string{"d1", "e0"}, []string{"i0"}},
		{"no mate", "R2k5/9/9/9/9/9/9/9/9/4K4 b", []string{"a9", "e0", "d9", "i0"}, nil},
	} {
		p := position(t, c.fen).(*xiangqi.Position)
		before, moves := p.Hash(), p.CountMoves()
		for i, list := range [][]string{c.work, c.idle} {
			for _, at := range list {
				if got := p.MatedWithout(index(t, at)); got != (i == 1) {
					t.Errorf("%s: mated without the piece on %s is %v", c.name, at, got)
				}
			}
		}
		if p.Hash() != before || p.CountMoves() != moves {
			t.Errorf("%s: the position is not as it was", c.name)
		}
	}
}

// Who waits for the king on a point is told as if it had gone there, and the
// position is as it was.
func TestAwait(t *testing.T) {
	for _, c := range []struct {
		name, fen, to string
		want          []string
	}{
		{"along the line it leaves", "R2k5/9/9/9/9/9/9/9/9/5K3 b", "e9", []string{"a9"}},
		{"the other king", "3k5/9/9/9/9/9/9/9/9/4K4 b", "e9", []string{"e0"}},
		{"nobody", "3k5/9/9/9/9/9/9/9/9/4K4 b", "d8", nil},
		{"it takes what stands there", "3k5/3R5/9/4N4/9/9/9/9/9/5K3 b", "d8", []string{"e6"}},
		{"its own piece", "3k5/1R1n5/9/9/9/9/9/9/9/5K3 b", "d8", []string{"b8"}},
		{"a cannon that gets its screen", "3knC3/9/9/9/9/9/9/9/9/5K3 b", "d9", []string{"f9"}},
		{"outside its palace", "3k5/9/9/9/9/9/9/9/9/4K4 b", "e0", nil},
		{"of the side that is not to move", "4k4/9/9/9/9/9/9/4r4/9/3K5 b", "e0", []string{"e2"}},
	} {
		p := position(t, c.fen).(*xiangqi.Position)
		before, moves := p.Hash(), p.CountMoves()
		side := p.Turn()
		if c.name == "of the side that is not to move" {
			side = side.Opponent()
		}
		var want [2]uint64
		for _, at := range c.want {
			i := index(t, at)
			want[i/64] |= 1 << (i % 64)
		}
		if got := p.Await(side, index(t, c.to)); got != want {
			t.Errorf("%s: %x, want %x", c.name, got, want)
		}
		if p.Await(side, -1) != [2]uint64{} || p.Await(side, 90) != [2]uint64{} {
			t.Errorf("%s: somebody waits outside the board", c.name)
		}
		if p.Hash() != before || p.CountMoves() != moves {
			t.Errorf("%s: the position is not as it was", c.name)
		}
	}
}

// A cannon goes where nothing stands before it, and would take behind one screen.
func TestReachOfCannons(t *testing.T) {
	p := position(t, "4k4/9/9/9/4p4/9/4C4/9/9/3K5 b").(*xiangqi.Position)
	at := index(t, "e3")
	for _, c := range []struct {
		point      string
		goes, take bool
	}{
		{"e4", true, false}, {"e5", false, false}, {"e6", false, true}, {"e8", false, true}, {"e9", true, true},
		{"e0", true, false}, {"a3", true, false}, {"d4", false, false},
	} {
		if i := index(t, c.point); has(p.Reach(at, false), i) != c.goes || has(p.Reach(at, true), i) != c.take {
			t.Errorf("%s: goes there %v, takes there %v", c.point, has(p.Reach(at, false), i), has(p.Reach(at, true), i))
		}
	}
	if p.Reach(index(t, "a0"), false) != [2]uint64{} || p.Reach(-1, true) != [2]uint64{} || p.Reach(90, false) != [2]uint64{} {
		t.Error("an empty point, or one outside the board, reaches something")
	}
}

// What the facts say of pairs is what AppendRelations lists, but for pins by a
// cannon of the nearer of two pieces, which only the facts tell.
func TestFactsAreRelations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	size := xiangqi.Standard.Geometry().Size
	seen := map[game.RelationKind]int{}
	for range testkit.Scale(20, 400) {
		p := xiangqi.Standard.Start().(*xiangqi.Position)
		for range 90 {
			list := p.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			if err := p.Play(list[rng.IntN(len(list))]); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(6) != 0 {
				continue
			}
			listed := map[game.Relation]bool{}
			for _, r := range xiangqi.Standard.AppendRelations(nil, p.Planes()) {
				listed[game.Relation{Kind: r.Kind, From: r.From, To: r.To}] = true
			}
			planes := p.Planes()
			for i := range size.Area() {
				for j := range size.Area() {
					from, to := size.Point(i), size.Point(j)
					by, on := planes.At(from), planes.At(to)
					if by == board.Empty || on == board.Empty || i == j {
						if pinned, _ := p.Pinned(i); p.Blocks(i, j) || has(pinned, j) || p.Screens(i, j) {
							t.Fatal("an empty point does something")
						}
						continue
					}
					reached := has(p.Reach(i, false), j)
					pinned, heed := p.Pinned(i)
					if has(pinned, j) && !has(heed, j) {
						t.Fatal("a piece is pinned by what does not decide it")
					}
					same := (by <= xiangqi.RedSoldier) == (on <= xiangqi.RedSoldier)
					for _, c := range []struct {
						kind game.RelationKind
						is   bool
					}{
						{game.Attack, reached && !same}, {game.Protect, reached && same}, {game.Block, p.Blocks(i, j)},
						{game.Pin, has(pinned, j)}, {game.Screen, p.Screens(i, j)},
					} {
						want := listed[game.Relation{Kind: c.kind, From: from, To: to}]
						cannons := c.kind == game.Pin && c.is && (by == xiangqi.RedCannon || by == xiangqi.BlackCannon)
						if c.is != want && !cannons {
							t.Fatalf("relation %d of %v and %v: the facts say %v, the list %v", c.kind, from, to, c.is, want)
						}
						if c.is {
							seen[c.kind]++
						}
					}
				}
			}
			checkers := p.Checkers(p.Turn())
			if (checkers != [2]uint64{}) != p.InCheck() || p.Checkers(p.Turn().Opponent()) != [2]uint64{} {
				t.Fatal("the checkers and the check do not agree")
			}
			if p.Stuck() != (len(p.AppendMoves(nil)) == 0) {
				t.Fatal("stuck and the list of moves do not agree")
			}
			// To lift any piece never breaks anything.
			before, n := p.Hash(), p.CountMoves()
			for i := -1; i <= size.Area(); i++ {
				p.MatedWithout(i)
				p.Await(game.First, i)
				p.Await(game.Second, i)
			}
			if p.Hash() != before || p.CountMoves() != n {
				t.Fatal("the position has changed")
			}
		}
	}
	for _, k := range []game.RelationKind{game.Attack, game.Protect, game.Block, game.Pin, game.Screen} {
		if seen[k] == 0 {
			t.Errorf("no relation of kind %d was seen", k)
		}
	}
}
