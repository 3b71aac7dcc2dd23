package judge_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// random returns a position that came about by playing anywhere for a while.
func random(t testing.TB, size string, seed uint64, moves int) *weiqi.Position {
	t.Helper()
	r, err := weiqi.Standard.Variant(size)
	if err != nil {
		t.Fatal(err)
	}
	p := r.Start().(*weiqi.Position)
	rng := rand.New(rand.NewPCG(seed, 7))
	var list []game.Move
	for range moves {
		list = p.AppendMoves(list[:0])
		m := list[rng.IntN(len(list))]
		if m == game.Pass {
			continue
		}
		if err := p.Play(m); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// turned returns the position seen in a mirror, and with colours exchanged.
func turned(t testing.TB, p *weiqi.Position, sym board.Symmetry, swap bool) *weiqi.Position {
	t.Helper()
	planes := p.Planes()
	size := sym.Turned(planes.Size)
	r, err := weiqi.Standard.Variant(fmt.Sprintf("%dx%d", size.W, size.H))
	if err != nil {
		t.Fatal(err)
	}
	s := game.NewSetup(r)
	for i := range planes.Of {
		to := i
		if swap {
			to = 1 - i
		}
		s.Board.Of[to] = planes.Of[i].Transform(planes.Size, sym)
	}
	q, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return q.(*weiqi.Position)
}

// TestLaws holds every method to what all judgements must be: complete, of a piece
// with itself, and the same whichever way the board lies and whoever has which
// colour.
func TestLaws(t *testing.T) {
	j := judge.New()
	sizes := []string{"1x1", "1x7", "5x5", "7x4", "9x9", "13x13", "19x19"}
	for n := range testkit.Scale(60, 2000) {
		p := random(t, sizes[n%len(sizes)], uint64(n), 20+n*7%300)
		for _, m := range judge.Methods() {
			o := judge.Options{Method: m.Name, Nodes: 300}
			if m.Name == "search" && n%10 > 0 {
				continue
			}
			r, err := j.Judge(p, o)
			if err != nil {
				t.Fatal(err)
			}
			whole(t, j.Board(), &m, r)
			sym := board.Symmetry(n % 8)
			q := turned(t, p, sym, n%3 > 0)
			b := *j.Board() // the lists are read no more
			stones := b.Stone
			of := b.Of
			r2, err := j.Judge(q, o)
			if err != nil {
				t.Fatal(err)
			}
			for at := range p.Planes().Size.Points() {
				to := sym.Apply(p.Planes().Size, at)
				c := life.CellOf(at)
				if stones[c] == life.Empty {
					continue
				}
				v, w := &r.Strings[of[c]], r2.At(j.Board(), to)
				// Reading is cut off at a number of moves, which it tries in the order of
				// the board: what hangs on it may be unclear one way and clear the other.
				if m.Name == judge.Default && (v.Unclear || w.Unclear) {
					continue
				}
				if v.Status != w.Status || v.Unclear != w.Unclear || v.Proved != w.Proved {
					t.Fatalf("%s, board %d: %v is %v (unclear %v, proved %v), turned %v (unclear %v, proved %v)\n%s", m.Name, n, at, v.Status, v.Unclear, v.Proved, w.Status, w.Unclear, w.Proved, game.FormatPosition(p.Rules(), p))
				}
			}
		}
	}
}

// whole checks that a judgement is complete.
func whole(t testing.TB, b *life.Board, m *judge.Method, r *judge.Report) {
	t.Helper()
	if len(r.Strings) != len(b.Strings) || r.Method != m.Name {
		t.Fatalf("%s: %d verdicts on %d strings by %s", m.Name, len(r.Strings), len(b.Strings), r.Method)
	}
	seen := make([]int, len(r.Strings))
	for g := range r.Groups {
		for _, i := range r.Groups[g].Strings {
			seen[i]++
			if r.Strings[i].Group != g || r.Strings[i].Side != r.Groups[g].Side {
				t.Fatalf("%s: string %d is in group %d and says %d", m.Name, i, g, r.Strings[i].Group)
			}
		}
	}
	for i := range r.Strings {
		v := &r.Strings[i]
		switch {
		case seen[i] != 1:
			t.Fatalf("%s: string %d is in %d groups", m.Name, i, seen[i])
		case !m.Proof && v.Status == life.Unknown:
			t.Fatalf("%s says nothing of string %d", m.Name, i)
		case m.Proof && v.Proved != (v.Status != life.Unknown):
			t.Fatalf("%s: string %d is %v, proved %v", m.Name, i, v.Status, v.Proved)
		case v.Proved && v.Unclear:
			t.Fatalf("%s: string %d is proved and unclear", m.Name, i)
		case v.Chance < 0 || v.Chance > 1:
			t.Fatalf("%s: string %d has a chance of %v", m.Name, i, v.Chance)
		case v.Head != b.Strings[i].Head.Point():
			t.Fatalf("%s: string %d begins at %v", m.Name, i, v.Head)
		}
		if owner := r.Owner[v.Head]; v.Status == life.Alive && owner != life.Owner(b.Strings[i].Colour) {
			t.Fatalf("%s: the living string %d is owned by %v", m.Name, i, owner)
		}
	}
	for _, c := range b.On {
		if !m.Proof && r.Owner[c.Point()] == life.Nobody {
			t.Fatalf("%s: %v has no owner", m.Name, c.Point())
		}
	}
}

// TestForgets checks that a judge is not led by what it saw before.
func TestForgets(t *testing.T) {
	used := judge.New()
	for n := range testkit.Scale(20, 300) {
		p := random(t, []string{"19x19", "5x5", "13x9", "25x25", "9x9"}[n%5], uint64(n), 60+n*13%200)
		for _, m := range []string{"static", "graph", "verdict"} {
			a, err := used.Judge(p, judge.Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			b, err := judge.New().Judge(p, judge.Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(a, b) {
				t.Fatalf("%s, board %d: a judge that was used says %s, a new one %s", m, n, a.Score, b.Score)
			}
		}
	}
}

// TestEarly judges boards of games that have just begun.
func TestEarly(t *testing.T) {
	for _, moves := range []int{1, 2, 20} {
		r, err := judge.New().Judge(random(t, "19x19", 5, moves), judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Early || slices.ContainsFunc(r.Strings, func(v life.Verdict) bool { return !v.Unclear }) {
			t.Errorf("after %d moves: early %v, %+v", moves, r.Early, r.Strings)
		}
	}
}

// TestTrace checks that steps change nothing, and that what they name is there.
func TestTrace(t *testing.T) {
	j := judge.New()
	for n := range testkit.Scale(20, 300) {
		p := random(t, []string{"9x9", "19x19"}[n%2], uint64(n), 150+n)
		for _, m := range judge.Methods() {
			o := judge.Options{Method: m.Name, Nodes: 200}
			plain, err := j.Judge(p, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Trace = true
			r, err := j.Judge(p, o)
			if err != nil {
				t.Fatal(err)
			}
			if len(plain.Steps) > 0 {
				t.Fatalf("%s makes steps that nobody asked for", m.Name)
			}
			for i := range r.Strings {
				v, w := &r.Strings[i], &plain.Strings[i]
				if v.Status != w.Status || v.Unclear != w.Unclear || v.Group != w.Group {
					t.Fatalf("%s: string %d is %v with steps and %v without", m.Name, i, v.Status, w.Status)
				}
				for _, k := range v.Steps {
					if k < 0 || k >= len(r.Steps) {
						t.Fatalf("%s: string %d rests on step %d of %d", m.Name, i, k, len(r.Steps))
					}
				}
				if !slices.IsSorted(v.Steps) {
					t.Fatalf("%s: string %d rests on steps %v", m.Name, i, v.Steps)
				}
				if v.Status != life.Unknown && len(v.Steps) == 0 && m.Name != "fill" {
					t.Fatalf("%s: string %d is %v for no reason", m.Name, i, v.Status)
				}
			}
			for k := range r.Steps {
				s := &r.Steps[k]
				if s.Rule.Text() == "" {
					t.Fatalf("%s: rule %q has no text", m.Name, s.Rule)
				}
				for _, at := range append(slices.Clone(s.Strings), s.Points...) {
					if !p.Planes().Size.Has(at) {
						t.Fatalf("%s: step %d names %v", m.Name, k, at)
					}
				}
			}
		}
	}
}

// TestKnown judges boards that leave no doubt.
func TestKnown(t *testing.T) {
	for _, c := range []struct{ name, rules, board, want string }{
		{"an invader on either side", "japanese", `
. . . X O . . . .
. . . X O . . . .
. . . X O . . . .
. . . X O . . . .
. o . X O . . x .
. . . X O . . . .
. . . X O . . . .
. . . X O . . . .
. . . X O . . . .`, "W+15.5"},
		{"a seki over two liberties", "japanese", `
. O % . & X . . .
. O % . & X . . .
O O % % & X . . .
. O O O X X . . .
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .`, "B+7.5"},
		{"area", "chinese,komi=0", `
. X O .
X X O O
. X O .
X X O O`, "Draw"},
		{"nothing", "japanese,komi=0", `
. . .
. . .
. . .`, "Draw"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, want := drawn(t, c.rules, c.board)
			r, err := judge.New().Judge(p, judge.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Strings {
				if r.Strings[i].Status != want.Strings[i].Status {
					t.Errorf("%v is %v, want %v", r.Strings[i].Head, r.Strings[i].Status, want.Strings[i].Status)
				}
			}
			if got := r.Score.String(); got != c.want {
				t.Errorf("the score is %s, want %s", got, c.want)
			}
		})
	}
}

func TestNoMethod(t *testing.T) {
	_, err := judge.New().Judge(random(t, "5x5", 1, 3), judge.Options{Method: "guess"})
	if err == nil {
		t.Fatal("an unknown method judges")
	}
}

func FuzzJudge(f *testing.F) {
	f.Add(uint8(9), uint8(9), uint64(1), uint16(60))
	f.Add(uint8(25), uint8(25), uint64(2), uint16(900))
	f.Add(uint8(1), uint8(9), uint64(3), uint16(20))
	f.Fuzz(func(t *testing.T, w, h uint8, seed uint64, moves uint16) {
		p := random(t, fmt.Sprintf("%dx%d", 1+w%25, 1+h%25), seed, int(moves%1200))
		j := judge.New()
		for _, m := range judge.Methods() {
			r, err := j.Judge(p, judge.Options{Method: m.Name, Nodes: 50, Trace: seed%2 == 0})
			if err != nil {
				t.Fatal(err)
			}
			whole(t, j.Board(), &m, r)
		}
	})
}
