package kb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/board"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// randomEntry returns a small shape of few cells with a good point, of all that
// shapes are made of: sets, cells outside the board, places.
func randomEntry(r *rand.Rand, id string) Entry {
	e := Entry{ID: id, Size: board.Size{W: 1 + r.IntN(3), H: 1 + r.IntN(3)}, Urgency: Ordinary}
	e.Cells = make([]pattern.Set, e.Size.Area())
	common := []pattern.Set{Own, Enemy, pattern.Empty, pattern.Empty | Own, pattern.Empty | Enemy, OnBoard, pattern.Off, Any, Any, Any}
	said := 0
	for i := range e.Cells {
		e.Cells[i] = Any
		if said < 5 {
			if e.Cells[i] = common[r.IntN(len(common))]; r.IntN(4) == 0 {
				e.Cells[i] = pattern.Set(1 + r.IntN(7))
				if r.IntN(3) == 0 {
					e.Cells[i] |= pattern.Off
				}
			}
		}
		if e.Cells[i] != Any {
			said++
		}
	}
	at := r.IntN(len(e.Cells))
	e.Cells[at] = pattern.Empty
	e.Ours = []Spot{{int8(at % e.Size.W), int8(at / e.Size.W)}}
	if r.IntN(4) == 0 {
		e.Place = [2]uint8{uint8(r.IntN(3)), uint8(r.IntN(3))}
	}
	return e
}

// brute answers by looking at boards: of all sizes that matter, with the origin on
// every point, and all states of the cells that either view speaks of. It knows
// nothing of views but their cells.
type brute struct{ a, b *view }

// boards calls f with what each view says of every board, until f returns false.
func (q brute) boards(f func(a, b bool) bool) {
	var cells []offset
	for _, c := range slices.Concat(q.a.cells, q.b.cells) {
		if !slices.Contains(cells, c.offset) {
			cells = append(cells, c.offset)
		}
	}
	most := 2*max(q.a.reach, q.b.reach) + 2
	for w := 1; w <= most; w++ {
		for h := 1; h <= most; h++ {
			for x := range w {
				for y := range h {
					var on []offset
					for _, o := range cells {
						if cx, cy := x+int(o.x), y+int(o.y); cx >= 0 && cy >= 0 && cx < w && cy < h {
							on = append(on, o)
						}
					}
					// Count through the states of the cells on the board.
					var states [2*reach + 1][2*reach + 1]pattern.Set
					for y := range states {
						for x := range states[y] {
							states[y][x] = pattern.Off
						}
					}
					for _, o := range on {
						states[o.y+reach][o.x+reach] = pattern.Empty
					}
					for more := true; more; {
						if !f(holds(q.a, &states, x, y, w, h), holds(q.b, &states, x, y, w, h)) {
							return
						}
						more = false
						for _, o := range on {
							at := &states[o.y+reach][o.x+reach]
							if *at != Enemy {
								*at <<= 1
								more = true
								break
							}
							*at = pattern.Empty
						}
					}
				}
			}
		}
	}
}

// reach is how far from the origin the cells of random entries lie at most.
const reach = 3

func holds(v *view, states *[2*reach + 1][2*reach + 1]pattern.Set, x, y, w, h int) bool {
	for _, c := range v.cells {
		if states[c.y+reach][c.x+reach]&c.set == 0 {
			return false
		}
	}
	mx, my := x+int(v.middle.x), y+int(v.middle.y)
	return (v.across == 0 || int(v.across) == min(my, h-1-my)+1) && (v.along == 0 || int(v.along) == min(mx, w-1-mx)+1)
}

// TestExact holds what Lint is built on against boards.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	var implied, apart, together int
	for range testkit.Scale(300, 20000) {
		a, b := randomEntry(r, "a"), randomEntry(r, "b")
		if r.IntN(2) == 0 { // most shapes have nothing in common: widen one
			b = a
			b.ID, b.Cells = "b", slices.Clone(a.Cells)
			for range 1 + r.IntN(2) {
				i := r.IntN(len(b.Cells))
				if (Spot{int8(i % b.Size.W), int8(i / b.Size.W)}) != b.Ours[0] {
					b.Cells[i] |= pattern.Set(1<<r.IntN(3)) | pattern.Off*pattern.Set(r.IntN(2))
				}
			}
			if r.IntN(4) == 0 {
				b.Place = [2]uint8{}
			}
		}
		sym := board.Symmetry(r.IntN(int(board.NumSymmetries)))
		va, vb := newView(&a, a.Ours[0], false, board.Identity), newView(&b, b.Ours[0], r.IntN(2) == 0, sym)
		va.pack()
		vb.pack()
		wantImplied, wantBoth, some := true, false, false
		brute{va, vb}.boards(func(a, b bool) bool {
			some = some || a
			wantImplied = wantImplied && (!a || b)
			wantBoth = wantBoth || a && b
			return wantImplied || !wantBoth
		})
		if got := implies(va, vb); got != wantImplied {
			t.Fatalf("implies = %v, want %v:\n%s%v\n%s%v %v", got, wantImplied, a.Diagram(), a.Place, b.Diagram(), b.Place, sym)
		}
		if got := compatible(va, vb); got != wantBoth {
			t.Fatalf("compatible = %v, want %v:\n%s%v\n%s%v %v", got, wantBoth, a.Diagram(), a.Place, b.Diagram(), b.Place, sym)
		}
		switch {
		case wantImplied && some:
			implied++
		case wantBoth:
			together++
		default:
			apart++
		}
	}
	if implied < 50 || together < 50 || apart < 50 {
		t.Errorf("%d implied, %d together, %d apart: the cases do not try what they should", implied, together, apart)
	}
}

// TestPairs holds all pairs of a random base against brute force over all
// pictures and good points.
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	n := testkit.Scale(9, 60)
	f := new(File)
	for i := range n {
		e := randomEntry(r, fmt.Sprintf("s%d", i))
		if r.IntN(3) == 0 {
			e.Purpose = Avoid
		}
		f.Entries = append(f.Entries, e)
	}
	b := New(f)
	found := map[[2]string]Kind{}
	for _, x := range b.Lint(LintOptions{}) {
		switch x.Kind {
		case Implied, Override, Contradictory, Identical:
			found[[2]string{x.ID, x.Other}] = x.Kind
		}
	}
	// Twins are reported once, each with the first of them.
	twins := func(i, j int) bool {
		later := b.Entries[max(i, j)].ID
		for pair, kind := range found {
			if kind == Identical && pair[0] == later {
				return b.Entries[i].canonical() == b.Entries[j].canonical()
			}
		}
		return false
	}
	implying, opposing := 0, 0
	for i := range b.Entries {
		for j := range b.Entries {
			x, y := &b.Entries[i], &b.Entries[j]
			canX, _ := x.possible()
			canY, _ := y.possible()
			if i == j || !canX || !canY {
				continue // of what never matches nothing else is said
			}
			wantImplied, wantBoth := false, false
			for sym := range board.NumSymmetries {
				all, both := true, false
				brute{newView(x, x.Ours[0], false, board.Identity), newView(y, y.Ours[0], false, sym)}.boards(func(a, b bool) bool {
					all = all && (!a || b)
					both = both || a && b
					return all || !both
				})
				wantImplied, wantBoth = wantImplied || all, wantBoth || both
			}
			kind, said := found[[2]string{x.ID, y.ID}]
			_, back := found[[2]string{y.ID, x.ID}]
			if wantImplied {
				implying++
				if !said && !back && !twins(i, j) {
					t.Errorf("%s implies %s and lint does not say so:\n%s\n%s", x.ID, y.ID, x.Diagram(), y.Diagram())
				}
			}
			if !wantImplied && said && kind != Contradictory && kind != Identical {
				t.Errorf("lint says that %s implies %s:\n%s\n%s", x.ID, y.ID, x.Diagram(), y.Diagram())
			}
			if !said && kind == "" && i > j {
				if wantBoth && x.Avoids() != y.Avoids() && !wantImplied && !back && !twins(i, j) {
					t.Errorf("%s and %s contradict each other and lint does not say so:\n%s\n%s", x.ID, y.ID, x.Diagram(), y.Diagram())
				}
			}
			if kind == Contradictory {
				opposing++
				if !wantBoth || x.Avoids() == y.Avoids() {
					t.Errorf("lint says that %s and %s contradict each other", x.ID, y.ID)
				}
			}
		}
	}
	if implying == 0 || opposing == 0 {
		t.Errorf("%d implied, %d opposed: nothing was tried", implying, opposing)
	}
}

// TestPossible holds Unreachable against boards.
func TestPossible(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 3))
	never := 0
	for range testkit.Scale(1000, 20000) {
		e := randomEntry(r, "a")
		v := newView(&e, e.Ours[0], false, board.Identity)
		want := false
		brute{v, v}.boards(func(a, _ bool) bool { want = want || a; return !want })
		got, why := e.possible()
		if got && !want || !got && want && !strings.Contains(why, "liberty") {
			t.Fatalf("possible = %v (%s), want %v:\n%s%v", got, why, want, e.Diagram(), e.Place)
		}
		if !got {
			never++
		}
	}
	if never == 0 {
		t.Error("nothing was impossible")
	}
}

// TestLint is about what lint says, one base a case.
func TestLint(t *testing.T) {
	const head = "term cut\nname a|b|c|d|e\n\n"
	shape := func(id, more, rows string) string {
		return "shape " + id + "\nterms cut\norigin user\nours a\n" + more + "draw\n  " + strings.ReplaceAll(rows, "/", "\n  ") + "\n\n"
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"clean", shape("p", "", "_ X _/X a X/_ O _"), nil},
		{"turned twin", shape("p", "", "X a O/_ _ X") + shape("s", "", "X _/a _/O X"), []string{"error: identical: s is the same shape as p"}},
		{"exchanged twin", shape("p", "", "X a O/_ _ X") + strings.Replace(shape("s", "", "O a X/_ _ O"), "ours", "theirs", 1), []string{"error: identical: s is the same shape as p"}},
		{"moved twin", shape("p", "", "_ _ _ _/_ X a O/_ _ _ X") + shape("s", "", "X a O _/_ _ X _/_ _ _ _"), []string{"error: identical: s is the same shape as p"}},
		{"adds nothing", shape("p", "", "X a O") + shape("s", "", "X a O/_ X _"), []string{"error: implied: s adds nothing to p"}},
		{"special case", shape("p", "", "X a O") + shape("s", "urgency 4\n", "X a O/_ X _"), []string{"error: override: s is a special case of p with other advice: say overrides p"}},
		{"named special case", shape("p", "", "X a O") + shape("s", "urgency 4\noverrides p\n", "X a O/_ X _"), nil},
		{"by term", shape("p", "", "X a O") + shape("s", "urgency 4\noverrides term:cut\n", "X a O/_ X _"), nil},
		{"through another", shape("p", "", "X a O") + shape("q", "urgency 3\noverrides p\n", "X a O/_ X _") + shape("r", "urgency 4\noverrides q\n", "X a O/X X _"), nil},
		{"never heard", shape("p", "overrides s\n", "X a O") + shape("s", "", "X a O/_ X _"), []string{"error: unreachable: s is never heard"}},
		{"contradiction", shape("p", "", "X a _/_ _ O") + shape("s", "purpose avoid\n", "_ a O/_ X _"), []string{"error: contradictory: s and p can match at once"}},
		{"explained", shape("p", "", "X a _/_ _ O") + shape("s", "purpose avoid\nyields p\n", "_ a O/_ X _"), nil},
		{"excluded", shape("p", "", "X a _/X X X") + shape("s", "purpose avoid\n", "O a O/O O O"), nil},
		{"at the edge", shape("p", "", "X a O/# # #") + shape("s", "urgency 4\n", "X a O/# # #/# # _"), []string{"error: identical: s is the same shape as p"}},
		{"other points too", shape("p", "", "X a O") + strings.Replace(shape("s", "", "X a O b/_ X _ _"), "ours a", "ours a b", 1), nil},
		{"each other", shape("p", "overrides term:cut\n", "X a _/_ X _") + shape("s", "overrides term:cut\n", "X a _/_ _ O"), nil},
		{"each other and opposed", shape("p", "overrides s\n", "X a _/_ X _") + shape("s", "purpose avoid\noverrides p\n", "X a _/_ _ O"), []string{
			"error: contradictory: s and p can match at once"}},
		{"an id before a term", shape("p", "overrides s\n", "X a _/_ X _") + shape("s", "purpose avoid\noverrides term:cut\n", "X a _/_ _ O"), nil},
		{"a circle", shape("p", "overrides q\n", "X a _/_ X _") + shape("q", "overrides s\n", "X a _/_ _ O") + shape("s", "overrides p\n", "X a _/_ _ _/_ O _"), []string{
			"error: unreachable: p overrides q and is overridden by it in turn", "error: unreachable: q overrides s", "error: unreachable: s overrides p"}},
		{"a user's general one", shape("p", "", "X a O") + strings.Replace(shape("s", "urgency 4\n", "X a O/_ X _"), "user", "hand", 1) + strings.Replace(shape("r", "urgency 3\n", "X a O/_ . X"), "user", "hand", 1) +
			"check s yes\n  X a O\n  . X .\n\ncheck s no\n  X\n\ncheck r yes\n  X a O\n  . . X\n\ncheck r no\n  X\n", []string{"warning: override: p is more general than 2 others with other advice, such as s, r: say yields"}},
		{"never and special", shape("p", "", "X a O") + shape("s", "urgency 4\n", "X a O/_ X #/_ _ X"), []string{"error: unreachable: s never matches"}},
		{"in vain", shape("p", "", "X a O/_ O _") + shape("s", "overrides p\n", "X a X/X X X"), []string{"warning: override: s overrides p, but they never speak"}},
		{"no such shape", shape("s", "overrides p\n", "X a X/X X X"), []string{"error: override: s names p, which there is not"}},
		{"no room", shape("s", "", "X # a"), []string{"error: unreachable: s never matches: its cells outside"}},
		{"no liberty", shape("s", "", "_ X _ _/X O X a/_ X _ _"), []string{"error: unreachable: s never matches: the stone in row 2, column 2"}},
		{"place and edge", shape("s", "place 30\n", "_ X a/# # #"), []string{"error: unreachable"}},
		{"no term", "shape s\norigin user\nname a|b|c|d|e\nours a\ndraw\n  X a\n", []string{"warning: unnamed: s belongs to no term"}},
		{"strange term", strings.Replace(shape("s", "", "X a"), "terms cut", "terms cut cult", 1), []string{"error: unnamed: s has the term cult"}},
		{"failing checks", shape("s", "", "X a O") + "check s yes\n  X . O\n\ncheck s yes\n  X . X\n\ncheck s no\n  . X . O .\n\ncheck q no\n  .\n\ncheck s yes\n  X . a O\n", []string{
			"error: fixture: a check of q, which there is not", "error: fixture: the check of s fails: the shape does not stand", "error: fixture: the check of s fails: the shape stands there and should not",
			"error: fixture: the check of s fails: the shape does not stand there"}},
		{"no checks", strings.Replace(shape("s", "", "X a O"), "user", "hand", 1), []string{"warning: fixture: s has not both"}},
		{"syntax", shape("s", "", "X a O/X"), []string{"error: syntax: a row of 1 cells below one of 3"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := New(Parse("t", []byte(head+test.text))).Lint(LintOptions{})
			var got []string
			for i := range list {
				_, text, _ := strings.Cut(list[i].String(), ": ")
				got = append(got, text)
			}
			ok := len(got) == len(test.want)
			for i := range min(len(got), len(test.want)) {
				ok = ok && strings.HasPrefix(got[i], test.want[i])
			}
			if !ok {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// synthetic returns a base of n shapes like those that people write: 5x5, a stone
// in every third cell, a good point in the middle.
func synthetic(n int) *Base {
	r := rand.New(rand.NewPCG(8, uint64(n)))
	f := new(File)
	for i := range n {
		e := Entry{ID: fmt.Sprintf("s%d", i), Size: board.Size{W: 5, H: 5}, Urgency: Urgency(1 + r.IntN(4)), Ours: []Spot{{2, 2}}, Theirs: []Spot{{2, 2}}, Origin: User}
		for range 25 {
			e.Cells = append(e.Cells, []pattern.Set{Any, Any, Any, Any, pattern.Empty, Own, Enemy, pattern.Empty | Own, pattern.Empty | Enemy}[r.IntN(9)])
		}
		e.Cells[12], e.Cells[11] = pattern.Empty, Enemy
		if r.IntN(10) == 0 {
			for x := range 5 {
				e.Cells[20+x] = pattern.Off
			}
		}
		if r.IntN(20) == 0 {
			e.Purpose = Avoid
		}
		f.Entries = append(f.Entries, e)
	}
	return New(f)
}

// TestLintTime keeps lint of two thousand shapes within its two seconds, with
// room for a slow processor.
func TestLintTime(t *testing.T) {
	n := testkit.Scale(500, 2000)
	b := synthetic(n)
	testkit.Within(t, fmt.Sprintf("lint of %d shapes", n), 20*time.Second, func() { b.Lint(LintOptions{}) })
}

func BenchmarkLint(b *testing.B) {
	for _, n := range []int{500, 2000} {
		base := synthetic(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				base.Lint(LintOptions{})
			}
		})
	}
}
