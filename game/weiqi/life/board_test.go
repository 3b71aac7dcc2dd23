package life_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// drawn reads a board of rows of X for Black, O for White and points.
func drawn(text string) *board.Planes {
	rows := strings.Fields(text)
	p := board.NewPlanes(board.Size{W: len(rows[0]), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range row {
			if k := strings.IndexRune(".XO", c); k > 0 {
				p.Put(board.At(x, y), board.Piece(k))
			}
		}
	}
	return p
}

// scatter throws stones on a board of any size: legal or not, no matter.
func scatter(r *rand.Rand) *board.Planes {
	side := 9
	if r.IntN(8) == 0 {
		side = board.MaxSide
	}
	size := board.Size{W: 1 + r.IntN(side), H: 1 + r.IntN(side)}
	p := board.NewPlanes(size, 2)
	empty := r.IntN(10)
	for at := range size.Points() {
		if r.IntN(9) >= empty {
			p.Put(at, board.Piece(1+r.IntN(2)))
		}
	}
	return p
}

// setOf returns cells as a plane; it fails if one is named twice.
func setOf(t testing.TB, cells []life.Cell) (set board.Plane) {
	t.Helper()
	for _, c := range cells {
		if set.Has(c.Point()) {
			t.Fatalf("%v is there twice", c.Point())
		}
		set.Add(c.Point())
	}
	return set
}

// lists returns all that a board tells, in a form that can be compared.
func lists(b *life.Board) string {
	var all strings.Builder
	fmt.Fprint(&all, b.Size, b.On, b.Stone, b.Of)
	for i := range b.Strings {
		s := &b.Strings[i]
		fmt.Fprint(&all, s.Colour, s.Head, s.Stones, b.Stones(i), b.Liberties(i), b.AreasOf(i), b.Enemies(i))
	}
	for i := range b.Areas {
		a := &b.Areas[i]
		fmt.Fprint(&all, a.Head, a.Size, a.Border, b.Empties(i), b.StringsOf(i))
	}
	return all.String()
}

// checkBoard holds a picture against the planes that it was taken of: strings and
// areas are the parts of the board, with what is beside them, and nothing else is.
func checkBoard(t testing.TB, b *life.Board, p *board.Planes) {
	t.Helper()
	size := p.Size
	free := size.Full()
	free.AndNot(&p.Of[0])
	free.AndNot(&p.Of[1])
	if got := setOf(t, b.On); got != size.Full() || b.Size != size {
		t.Fatalf("%v: the cells are %v", size, got)
	}
	walls := 0
	for c := range life.Cell(life.Cells) {
		if b.Stone[c] == life.Wall {
			if walls++; b.Of[c] != -1 {
				t.Fatalf("the wall %d belongs to %d", c, b.Of[c])
			}
		}
	}
	if walls != life.Cells-size.Area() {
		t.Fatalf("%v: %d walls", size, walls)
	}
	var met board.Plane
	choked := -1
	strings := make([]board.Plane, len(b.Strings))
	for i := range b.Strings {
		s := &b.Strings[i]
		set := setOf(t, b.Stones(i))
		strings[i] = set
		var seed board.Plane
		seed.Add(s.Head.Point())
		if want := seed.Flood(size, &p.Of[s.Colour.Side()]); set != want || set.First() != s.Head.Point() || set.Count() != s.Stones || set.Meets(&met) {
			t.Fatalf("string %d is %v, of %d stones from %v", i, set, s.Stones, s.Head.Point())
		}
		if i > 0 && b.Strings[i-1].Head >= s.Head {
			t.Fatalf("string %d comes after one that begins later", i)
		}
		met.Or(&set)
		want := set.Neighbours(size)
		want.And(&free)
		if got := setOf(t, b.Liberties(i)); got != want {
			t.Fatalf("string %d has the liberties %v, want %v", i, got, want)
		}
		if want.Empty() && choked < 0 {
			choked = i
		}
		for q := range set.Points() {
			if c := life.CellOf(q); b.Stone[c] != s.Colour || int(b.Of[c]) != i {
				t.Fatalf("%v holds %d of string %d", q, b.Stone[c], b.Of[c])
			}
		}
	}
	areas := make([]board.Plane, len(b.Areas))
	for i := range b.Areas {
		a := &b.Areas[i]
		set := setOf(t, b.Empties(i))
		areas[i] = set
		var seed board.Plane
		seed.Add(a.Head.Point())
		if want := seed.Flood(size, &free); set != want || set.First() != a.Head.Point() || set.Count() != a.Size || set.Meets(&met) {
			t.Fatalf("area %d is %v, of %d points from %v", i, set, a.Size, a.Head.Point())
		}
		if i > 0 && b.Areas[i-1].Head >= a.Head {
			t.Fatalf("area %d comes after one that begins later", i)
		}
		met.Or(&set)
		var border [2]int
		for q := range set.Points() {
			for _, step := range life.Steps {
				if s := b.Stone[life.CellOf(q)+step]; s == life.Black || s == life.White {
					border[s-1]++
				}
			}
		}
		if border != a.Border || a.Touches(life.Black) != (border[0] > 0) || a.Touches(life.White) != (border[1] > 0) {
			t.Fatalf("area %d has the border %v, want %v", i, a.Border, border)
		}
	}
	if met != size.Full() || b.Choked() != choked {
		t.Fatalf("%v is in no string and no area, or %d is not the first string without liberties", met, choked)
	}
	beside := func(list []int16, of *board.Plane, others []board.Plane, wanted func(int) bool) bool {
		around := of.Neighbours(size)
		for i := range others {
			if want := wanted(i) && around.Meets(&others[i]); want != slices.Contains(list, int16(i)) {
				return false
			}
		}
		sorted := slices.Sorted(slices.Values(list))
		return len(slices.Compact(sorted)) == len(list)
	}
	all := func(int) bool { return true }
	for i := range strings {
		enemy := func(k int) bool { return b.Strings[k].Colour != b.Strings[i].Colour }
		if !beside(b.AreasOf(i), &strings[i], areas, all) || !beside(b.Enemies(i), &strings[i], strings, enemy) {
			t.Fatalf("string %d is beside the areas %v and the enemies %v", i, b.AreasOf(i), b.Enemies(i))
		}
	}
	for i := range areas {
		if !beside(b.StringsOf(i), &areas[i], strings, all) {
			t.Fatalf("area %d is beside the strings %v", i, b.StringsOf(i))
		}
	}
}

// TestBoard checks pictures of boards of all kinds, taken by a Board that is used
// again and by a fresh one.
func TestBoard(t *testing.T) {
	var used life.Board
	r := rand.New(rand.NewPCG(1, 1))
	for range testkit.Scale(300, 20000) {
		p := scatter(r)
		used.Reset(p)
		checkBoard(t, &used, p)
		var fresh life.Board
		fresh.Reset(p)
		if lists(&used) != lists(&fresh) {
			t.Fatal("a Board that was used before gives another picture")
		}
	}
}

// TestBoardLimits takes the boards with the most of everything.
func TestBoardLimits(t *testing.T) {
	var b life.Board
	for _, side := range [][2]int{{1, 1}, {1, 25}, {25, 1}, {2, 1}, {25, 25}} {
		size := board.Size{W: side[0], H: side[1]}
		for _, put := range []func(x, y int) int{
			func(int, int) int { return 0 },               // nothing
			func(int, int) int { return 1 },               // one string
			func(x, y int) int { return 1 + (x+y)%2 },     // as many strings as points
			func(x, y int) int { return (x + y) % 2 },     // as many areas as can be
			func(x, y int) int { return (x + 2*y) % 3 },   // of all kinds
			func(x, y int) int { return 1 + y%2 },         // long ones
			func(x, y int) int { return min(x%2, 1) * 2 }, // white alone
		} {
			p := board.NewPlanes(size, 2)
			for at := range size.Points() {
				p.Put(at, board.Piece(put(at.X(), at.Y())))
			}
			b.Reset(p)
			checkBoard(t, &b, p)
		}
	}
}

// TestBoardPosition compares with the liberties that a position counts as it is
// played.
func TestBoardPosition(t *testing.T) {
	var b life.Board
	r := rand.New(rand.NewPCG(3, 3))
	for _, name := range []string{"1x7", "5x5", "9x6", "19x19", "25x25"} {
		p := played(t, name, r, 60+r.IntN(300))
		b.Reset(p.Planes())
		if b.Choked() >= 0 {
			t.Fatalf("%s: a string of a position has no liberties", name)
		}
		for i := range b.Strings {
			s := &b.Strings[i]
			at := s.Head.Point()
			liberties := p.AppendLiberties(nil, at, board.MaxPoints)
			slices.Sort(liberties)
			var own []board.Point
			for _, c := range b.Liberties(i) {
				own = append(own, c.Point())
			}
			slices.Sort(own)
			if side, _ := p.SideAt(at); side != s.Colour.Side() || p.StringSize(at) != s.Stones || !slices.Equal(own, liberties) {
				t.Fatalf("%s: the string of %v has %d stones and the liberties %v, want %d and %v", name, at, s.Stones, own, p.StringSize(at), liberties)
			}
		}
	}
}

// played returns a position after so many moves anywhere.
func played(t testing.TB, size string, r *rand.Rand, moves int) *weiqi.Position {
	t.Helper()
	rules, err := weiqi.Standard.Variant(size)
	if err != nil {
		t.Fatal(err)
	}
	p := rules.Start().(*weiqi.Position)
	var list []game.Move
	for range moves {
		list = p.AppendMoves(list[:0])
		if m := list[r.IntN(len(list))]; m != game.Pass {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

// TestLink: after stones were changed by hand, the picture is that of the new board.
func TestLink(t *testing.T) {
	p := drawn(".X. XXO OO.")
	var b life.Board
	b.Reset(p)
	b.Stone[life.CellOf(board.At(2, 0))] = life.White
	b.Stone[life.CellOf(board.At(1, 0))] = life.Empty
	b.Link()
	p.Put(board.At(2, 0), 2)
	p.Put(board.At(1, 0), board.Empty)
	checkBoard(t, &b, p)
}

// TestMarks goes on long enough for the numbers of sweeps to begin anew.
func TestMarks(t *testing.T) {
	var m life.Marks
	for i := range 1 << 17 {
		m.Begin()
		c := life.Cell(i % life.Cells)
		if m.Has(c) || !m.Add(c) || m.Add(c) || !m.Has(c) {
			t.Fatalf("sweep %d: a cell is marked before, or not after", i)
		}
	}
}

// TestSets joins strings at random, and compares with labels that are changed one
// by one.
func TestSets(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var s life.Sets
	for range 20 {
		n := 1 + r.IntN(40)
		s.Reset(n)
		lowest := make([]int, n)
		for i := range lowest {
			lowest[i] = i
		}
		for range n {
			a, b := r.IntN(n), r.IntN(n)
			s.Join(int16(a), int16(b))
			from, to := max(lowest[a], lowest[b]), min(lowest[a], lowest[b])
			for i := range lowest {
				if lowest[i] == from {
					lowest[i] = to
				}
				if got := s.Root(int16(i)); int(got) != lowest[i] {
					t.Fatalf("%d is in the set of %d, want %d", i, got, lowest[i])
				}
			}
		}
	}
}

func FuzzBoard(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(2))
	f.Fuzz(func(t *testing.T, seed uint64) {
		var b life.Board
		p := scatter(rand.New(rand.NewPCG(seed, 5)))
		b.Reset(p)
		checkBoard(t, &b, p)
	})
}

func BenchmarkReset(b *testing.B) {
	p := weiqi.Standard.Start().(*weiqi.Position)
	for i := range 250 {
		at := board.At(i*7%19, i*7/19%19)
		p.Force(game.Side(i&1), game.Drop(at))
	}
	var l life.Board
	l.Reset(p.Planes())
	b.ReportAllocs()
	for b.Loop() {
		l.Reset(p.Planes())
	}
}
