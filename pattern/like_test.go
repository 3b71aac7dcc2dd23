package pattern_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// likeOf lays a pattern onto the board of a game.
func likeOf(t testing.TB, r game.Rules, p *pattern.Pattern, w pattern.Weights) *pattern.Like {
	t.Helper()
	places, err := pattern.Compile(p, pattern.BoardOf(r))
	if err != nil {
		t.Fatal(err)
	}
	l, err := pattern.NewLike(places, p, &w, pattern.GroundOf(r))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// boardOf returns the board of a picture by dense index.
func boardOf(t *testing.T, pieces string) []board.Piece {
	t.Helper()
	on := make([]board.Piece, 90)
	for i, set := range picture(t, pieces).Cells {
		for p := board.Piece(1); p <= 14; p++ {
			if set == pattern.Of(p) {
				on[i] = p
			}
		}
	}
	return on
}

// TestLikeness checks likeness and differences on small examples. Weights are
// those of the paper, and a piece that has moved keeps half.
func TestLikeness(t *testing.T) {
	w := pattern.DefaultWeights(xiangqi.Standard.Geometry())
	w.Moved = .5
	for _, c := range []struct {
		name, pattern, board string
		score, total         float64
		differences          string
	}{
		{"all there", "R00 H40", "R00 H40 k30", 12, 12, ""},
		{"nothing there", "R00 H40", "r00 h40", 0, 12, "taken 0,0; taken 4,0"},
		{"one missing", "R00 H40", "R00", 7, 12, "missing 4,0"},
		{"a neighbour, and the pair is lost", "R00 H40", "R00 H51", 7 + 2, 12, "moved 4,0 from 5,1"},
		{"a jump", "R00 H40", "R00 H52", 7 + 2, 12, "moved 4,0 from 5,2"},
		{"too far", "R00 H40", "R00 H53", 7, 12, "missing 4,0"},
		{"a chariot slides, but not likeness", "R00 H40", "R20 H40", 4, 12, "missing 0,0"},
		{"an elephant jumps", "e42 R00", "e24 R00", 7 + 1, 9, "moved 4,2 from 2,4"},
		{"soldiers step forward, and came from behind", "P36", "P35", 1.5, 3, "moved 3,6 from 3,5"},
		{"one piece for two cells", "H40 H50", "H41", 2, 9, "moved 4,0 from 4,1; missing 5,0"},
		{"a piece in place serves nobody else", "H40 H41", "H40", 4, 9, "missing 4,1"},
		{"a piece is left to the cell that has no other", "H44 H26", "H35 H56", 2 + 2, 8, "moved 4,4 from 5,6; moved 2,6 from 3,5"},
		{"files where they hold more", "R00 R05 A19", "R00 R05", 7 + 7 + 1, 17, "missing 1,9"},
	} {
		p := picture(t, c.pattern)
		l := likeOf(t, xiangqi.Standard, p, w)
		on := boardOf(t, c.board)
		var s pattern.Scratch
		if got, want := l.Value(&s, 0, on, l.Score(&s, 0, on, 0)), c.score/c.total; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		var list []string
		for _, d := range l.AppendDifferences(nil, &s, 0, on) {
			text := fmt.Sprintf("%v %d,%d", d.Kind, d.X, d.Y)
			if d.Kind == pattern.Moved {
				text += " from " + d.At.String()
			}
			list = append(list, text)
		}
		if got := strings.Join(list, "; "); got != c.differences {
			t.Errorf("%s: %s, want %s", c.name, got, c.differences)
		}
	}
}

// TestLikenessOfStones checks cells that may be empty, and that the picture with
// colours exchanged says so of its differences.
func TestLikenessOfStones(t *testing.T) {
	p, err := pattern.Parse(weiqi.Standard.Geometry(), "+---\n|X.x\n|*O.")
	if err != nil {
		t.Fatal(err)
	}
	p.Swap = true
	l := likeOf(t, weiqi.Standard, p, pattern.Weights{Piece: []float64{1, 1}, Empty: .5})
	on := make([]board.Piece, 361)
	on[0], on[1], on[20] = 2, 1, 1 // OX over .X: X.x over *O. with colours exchanged, and a stone too many
	var s pattern.Scratch
	found := 0
	for i, q := range l.Placements {
		if q.X != 0 || q.Y != 0 {
			continue
		}
		found++
		want, kinds := 3., "filled 1,0"
		if !q.Symmetry.Swap {
			want, kinds = 1, "taken 0,0; filled 1,0; taken 1,1"
		}
		if got := l.Value(&s, i, on, l.Score(&s, i, on, 0)); math.Abs(got-want/3.5) > 1e-12 {
			t.Errorf("swapped %v: %v, want %v of 3.5", q.Symmetry.Swap, got*3.5, want)
		}
		var list []string
		for _, d := range l.AppendDifferences(nil, &s, i, on) {
			list = append(list, fmt.Sprintf("%v %d,%d", d.Kind, d.X, d.Y))
			if d.Found != on[d.Point.Y()*19+d.Point.X()] || d.Want.Has(d.Found) {
				t.Errorf("%+v", d)
			}
		}
		if got := strings.Join(list, "; "); got != kinds {
			t.Errorf("swapped %v: %s, want %s", q.Symmetry.Swap, got, kinds)
		}
	}
	if found != 2 {
		t.Errorf("%d pictures in the corner", found)
	}
}

// TestRelationsCount checks the share of relations: a cannon behind its horse,
// somewhere else on the board.
func TestRelationsCount(t *testing.T) {
	w := pattern.DefaultWeights(xiangqi.Standard.Geometry())
	w.Moved = 0
	p := picture(t, "k40 H42 C45")
	for _, c := range []struct {
		relation float64
		board    string
		want     float64
	}{
		{0, "k30 H32 C38", 0},
		{1, "k30 H32 C38", 1}, // the cannon attacks the king over the horse
		{.5, "k30 H32 C38", .5},
		{1, "k30 H33 C18", 0},
		{.5, "k40 H42 C45 A34", 1},
	} {
		w.Relation = c.relation
		l := likeOf(t, xiangqi.Standard, p, w)
		var s pattern.Scratch
		on := boardOf(t, c.board)
		if got := l.Value(&s, 0, on, l.Score(&s, 0, on, 0)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("relation %v, %s: %v, want %v", c.relation, c.board, got, c.want)
		}
	}
}

func TestWeights(t *testing.T) {
	g, stones := xiangqi.Standard.Geometry(), weiqi.Standard.Geometry()
	w := pattern.DefaultWeights(g)
	if !slices.Equal(w.Piece, []float64{1, 2, 2, 7, 4, 5, 3, 1, 2, 2, 7, 4, 5, 3}) || w.Line != 1 {
		t.Errorf("%+v", w)
	}
	if w := pattern.DefaultWeights(stones); !slices.Equal(w.Piece, []float64{1, 1}) || w.Line != 0 || w.Check(2) != nil {
		t.Errorf("%+v", w)
	}
	for want, bad := range map[string]pattern.Weights{
		"14 pieces for a game of 2": w,
		"an empty point":            {Piece: []float64{1, 1}, Empty: -1},
		"a line cannot weigh NaN":   {Piece: []float64{1, 1}, Line: math.NaN()},
		"a piece cannot weigh 101":  {Piece: []float64{1, 101}},
		"pieces that have moved":    {Piece: []float64{1, 1}, Moved: 1.5},
		"relations":                 {Piece: []float64{1, 1}, Relation: -1},
	} {
		if err := bad.Check(2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", bad, err, want)
		}
	}
}

// slowScore finds the score as the words of Like say, by trying every way to
// deal out the pieces.
func slowScore(q *pattern.Placement, b pattern.Board, w *pattern.Weights, steps func([]board.Point, board.Piece, board.Point) []board.Point, across bool, on []board.Piece) (score, total float64) {
	type want struct {
		at     board.Point
		set    pattern.Set
		weight float64
	}
	var lost []want
	var here, all []board.Point
	busy := map[board.Point]bool{}
	for i, pt := range q.Points {
		c := want{b.Size.Point(int(pt)), q.Sets[i], w.Empty}
		need := c.set&pattern.Empty == 0
		if need {
			c.weight = 0
			for j, v := range w.Piece {
				if c.set.Has(board.Piece(j + 1)) {
					c.weight = max(c.weight, v)
				}
			}
			all = append(all, c.at)
		}
		total += c.weight
		switch {
		case c.set.Has(on[pt]):
			score += c.weight
			busy[c.at] = true
			if need {
				here = append(here, c.at)
			}
		case need:
			lost = append(lost, c)
		}
	}
	pairs := func(list []board.Point) (n float64) {
		for i, p := range list {
			for _, r := range list[:i] {
				px, py := q.Back(p)
				rx, ry := q.Back(r)
				if across && py == ry || !across && px == rx {
					n++
				}
			}
		}
		return n * w.Line
	}
	score += pairs(here)
	total += pairs(all)
	near := func(p board.Piece, x, y board.Point) bool {
		if dx, dy := x.X()-y.X(), x.Y()-y.Y(); x != y && dx*dx <= 1 && dy*dy <= 1 {
			return true
		}
		return steps != nil && (slices.Contains(steps(nil, p, x), y) || slices.Contains(steps(nil, p, y), x))
	}
	var deal func(i int) float64
	deal = func(i int) float64 {
		if i == len(lost) {
			return 0
		}
		best := deal(i + 1)
		for pt, p := range on {
			at := b.Size.Point(pt)
			if p != board.Empty && !busy[at] && lost[i].set.Has(p) && near(p, lost[i].at, at) {
				busy[at] = true
				best = max(best, w.Moved*lost[i].weight+deal(i+1))
				delete(busy, at)
			}
		}
		return best
	}
	if w.Moved > 0 {
		score += deal(0)
	}
	return score, total
}

// TestScoreSlow compares scores with those found by trying everything.
func TestScoreSlow(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	b := pattern.Board{Size: board.Size{W: 5, H: 4}, Kinds: 3, Swap: []board.Piece{2, 1, 3}, Symmetries: []game.Symmetry{{}, {Board: board.Mirror}, {Board: board.HalfTurn, Swap: true}}}
	steps := func(dst []board.Point, p board.Piece, at board.Point) []board.Point {
		if x, y := at.X()+2, at.Y()+int(p)-1; p < 3 && x < b.Size.W && y < b.Size.H {
			dst = append(dst, board.At(x, y))
		}
		return dst
	}
	moved, cases := 0, 0
	for range testkit.Scale(400, 10000) {
		p := &pattern.Pattern{Size: board.Size{W: 2 + rng.IntN(3), H: 2 + rng.IntN(3)}, To: -1, Mirror: rng.IntN(2) == 0, Swap: rng.IntN(2) == 0}
		for range p.Size.Area() {
			set := pattern.AnyOn(b.Kinds)
			switch rng.IntN(5) {
			case 0, 1:
				set = pattern.Of(board.Piece(1 + rng.IntN(3)))
			case 2:
				set = pattern.Set(1 + rng.IntN(15))
			}
			p.Cells = append(p.Cells, set)
		}
		w := pattern.Weights{Empty: float64(rng.IntN(3)) / 2, Line: float64(rng.IntN(3)) / 2, Moved: float64(rng.IntN(3)) / 2}
		for range b.Kinds {
			w.Piece = append(w.Piece, float64(rng.IntN(4)))
		}
		ground := pattern.Ground{Board: b}
		if rng.IntN(2) == 0 {
			ground.Steps = steps
		}
		places, err := pattern.Compile(p, b)
		if err != nil {
			t.Fatal(err)
		}
		l, err := pattern.NewLike(places, p, &w, ground)
		if err != nil {
			t.Fatal(err)
		}
		on := make([]board.Piece, b.Size.Area())
		for i := range on {
			if rng.IntN(3) == 0 {
				on[i] = board.Piece(1 + rng.IntN(3))
			}
		}
		var s pattern.Scratch
		across := p.Lines(&w).Across
		for i := range places {
			score, total := slowScore(&places[i], b, &w, ground.Steps, across, on)
			want := 1.
			if total > 0 {
				want = score / total
			}
			got := l.Value(&s, i, on, l.Score(&s, i, on, 0))
			if math.Abs(got-want) > 1e-9 {
				t.Fatalf("%v, want %v: %+v on %v with %+v", got, want, places[i], on, w)
			}
			if least := rng.IntN(l.Total(i) + 2); (l.Score(&s, i, on, 0) >= least) != (l.Score(&s, i, on, least) >= least) {
				t.Fatalf("at least %d: %d, else %d", least, l.Score(&s, i, on, least), l.Score(&s, i, on, 0))
			}
			for _, d := range l.AppendDifferences(nil, &s, i, on) {
				if d.Kind == pattern.Moved {
					moved++
				}
			}
			cases++
		}
	}
	if moved < cases/10 {
		t.Errorf("%d pieces of %d cases have moved: the test has become empty", moved, cases)
	}
}

// ExampleLike tells how like a board is to a pattern, and why not more.
func ExampleLike() {
	g := weiqi.Standard.Geometry()
	p, err := pattern.Parse(g, "+----\n|....\n|..X.\n|.O..")
	if err != nil {
		fmt.Println(err)
		return
	}
	places, err := pattern.Compile(p, pattern.BoardOf(weiqi.Standard))
	if err != nil {
		fmt.Println(err)
		return
	}
	w := pattern.DefaultWeights(g)
	like, err := pattern.NewLike(places, p, &w, pattern.GroundOf(weiqi.Standard))
	if err != nil {
		fmt.Println(err)
		return
	}
	on := make([]board.Piece, g.Size.Area())
	on[g.Size.Index(board.At(2, 1))] = 1
	var s pattern.Scratch
	fmt.Printf("%.2f\n", like.Value(&s, 0, on, like.Score(&s, 0, on, 0)))
	for _, d := range like.AppendDifferences(nil, &s, 0, on) {
		fmt.Println(d.Kind, g.Name(d.Point))
	}
	// Output:
	// 0.86
	// missing B17
}
