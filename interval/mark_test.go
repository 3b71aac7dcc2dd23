package interval

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/game"
)

// randomOwned returns the intervals of one line as a writer wants them.
func randomOwned(rng *rand.Rand, end uint16) []Owned {
	var list []Owned
	for range rng.IntN(5) {
		from := uint16(rng.IntN(int(end)))
		list = append(list, Owned{Span{0, from, from + 1 + uint16(rng.IntN(int(end-from)))}, game.Side(rng.IntN(2))})
	}
	return UniteOwned(list)
}

// written is a column beside what was written to it.
type written struct {
	data  []byte
	lines map[int][]Owned
}

func randomColumn(rng *rand.Rand, lines int) written {
	c := written{lines: map[int][]Owned{}}
	var w MarkWriter
	share := []int{1, 3, 40}[rng.IntN(3)]
	for line := range lines {
		if rng.IntN(share) > 0 {
			continue
		}
		end := []uint16{1, 90, 400, MaxSlot + 2}[rng.IntN(4)]
		list := randomOwned(rng, end)
		w.Add(uint32(line), list)
		if len(list) > 0 {
			c.lines[line] = list
		}
	}
	c.data = w.AppendTo([]byte("x"))[1:]
	return c
}

// TestMarkColumn reads back what was written: all lines, and blocks of them.
func TestMarkColumn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		lines := 1 + rng.IntN(3000)
		want := randomColumn(rng, lines)
		c, err := OpenMarks(want.data)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Check(lines); err != nil || c.Lines() != len(want.lines) {
			t.Fatalf("%d lines of %d, %v", c.Lines(), len(want.lines), err)
		}
		for _, of := range []Owner{Anyone, FirstSide, SecondSide} {
			var list []uint32
			for line := range lines {
				if slices.ContainsFunc(want.lines[line], func(o Owned) bool { return of.Has(o.Side) }) {
					list = append(list, uint32(line))
				}
			}
			if got := c.AppendLines(nil, of); !slices.Equal(got, list) {
				t.Fatalf("lines of %d: %v, want %v", of, got, list)
			}
		}
		first := rng.IntN(lines)
		n := 1 + rng.IntN(min(Lanes, lines-first))
		var mask Mask
		var list []Owned
		for lane := range n {
			if rng.IntN(4) == 0 {
				continue
			}
			mask.Set(lane)
			for _, o := range want.lines[first+lane] {
				o.Lane = uint16(lane)
				list = append(list, o)
			}
		}
		if got := c.AppendOwned(nil, first, n, &mask); !slices.Equal(got, list) {
			t.Fatalf("%d lines from %d: %v, want %v", n, first, got, list)
		}
	}
}

// TestUniteOwned compares with sets of slots.
func TestUniteOwned(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	type moment struct {
		lane, slot uint16
		side       game.Side
	}
	for range 500 {
		var list []Owned
		set := map[moment]bool{}
		for range rng.IntN(12) {
			from := uint16(rng.IntN(20))
			o := Owned{Span{uint16(rng.IntN(3)), from, from + 1 + uint16(rng.IntN(6))}, game.Side(rng.IntN(2))}
			list = append(list, o)
			for b := o.From; b < o.To; b++ {
				set[moment{o.Lane, b, o.Side}] = true
			}
		}
		list = UniteOwned(list)
		if !slices.IsSortedFunc(list, Owned.order) {
			t.Fatalf("out of order: %v", list)
		}
		for _, o := range list {
			if o.From > 0 && set[moment{o.Lane, o.From - 1, o.Side}] || set[moment{o.Lane, o.To, o.Side}] {
				t.Fatalf("%v is not all of an interval in %v", o, list)
			}
			for b := o.From; b < o.To; b++ {
				if !set[moment{o.Lane, b, o.Side}] {
					t.Fatalf("%v has a slot too many, or twice", o)
				}
				delete(set, moment{o.Lane, b, o.Side})
			}
		}
		if len(set) > 0 {
			t.Fatalf("%v is missing in %v", set, list)
		}
	}
}

// TestMarkColumnAllocs checks that reading takes no memory but the caller's.
func TestMarkColumnAllocs(t *testing.T) {
	want := randomColumn(rand.New(rand.NewPCG(1, 2)), 2000)
	c, err := OpenMarks(want.data)
	if err != nil {
		t.Fatal(err)
	}
	mask := Mask{}
	for i := range mask {
		mask[i] = ^uint64(0)
	}
	owned, when := make([]Owned, 0, 4000), make(Timeline, 0, 4000)
	lines := make([]uint32, 0, 2000)
	if n := testing.AllocsPerRun(20, func() {
		owned = c.AppendOwned(owned[:0], 512, 512, &mask)
		when = AppendOwners(when[:0], UniteOwned(owned), FirstSide)
		lines = c.AppendLines(lines[:0], SecondSide)
	}); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
	if len(owned) == 0 || len(when) == 0 || len(lines) == 0 {
		t.Error("nothing was read: the test tests nothing")
	}
}

// TestMarkColumnDamage checks that Check notices what is not as it should be.
func TestMarkColumnDamage(t *testing.T) {
	var w MarkWriter
	w.Add(3, []Owned{{Span{0, 4, 6}, 0}, {Span{0, 5, 9}, 1}})
	w.Add(7, []Owned{{Span{0, 0, 300}, 1}})
	good := w.AppendTo(nil)
	for name, c := range map[string]struct {
		data  []byte
		lines int
	}{
		"short":           {good[:3], 8},
		"no lines":        {make([]byte, 4), 8},
		"too many lines":  {append([]byte{200}, good[1:]...), 8},
		"cut":             {good[:len(good)-1], 8},
		"more":            {append(slices.Clone(good), 0), 8},
		"a line too many": {good, 7},
		"place":           {bytes.Replace(slices.Clone(good), []byte{3, 0, 0, 0, 0}, []byte{3, 0, 0, 0, 99}, 1), 8},
	} {
		column, err := OpenMarks(c.data)
		if err == nil {
			err = column.Check(c.lines)
		}
		if err == nil {
			t.Errorf("%s: passes", name)
		}
	}
	if c, err := OpenMarks(nil); err != nil || c.Lines() != 0 || c.Check(1) != nil || len(c.AppendLines(nil, Anyone)) > 0 {
		t.Errorf("no bytes: %+v, %v", c, err)
	}
}

// FuzzMarkColumn: whatever the bytes are, reading them ends; those that pass the
// check are what a writer makes of what they say.
func FuzzMarkColumn(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 9))
	f.Add([]byte{}, 10)
	for range 5 {
		f.Add(randomColumn(rng, 300).data, 300)
	}
	f.Fuzz(func(t *testing.T, data []byte, lines int) {
		c, err := OpenMarks(data)
		if err != nil {
			return
		}
		mask := Mask{^uint64(0), ^uint64(0)}
		c.AppendOwned(nil, max(0, min(lines, 1<<30)-64), 128, &mask)
		list := c.AppendLines(nil, Anyone)
		lines = min(lines, 1<<16)
		if c.Check(lines) != nil {
			return
		}
		var w MarkWriter
		one := Mask{1}
		for _, line := range list {
			w.Add(line, c.AppendOwned(nil, int(line), 1, &one))
		}
		again, err := OpenMarks(w.AppendTo(nil))
		if err != nil || again.Check(lines) != nil || !slices.Equal(again.AppendLines(nil, SecondSide), c.AppendLines(nil, SecondSide)) {
			t.Fatalf("%x reads back otherwise", data)
		}
	})
}

func ExampleMarkColumn() {
	var w MarkWriter
	w.Add(2, []Owned{{Span{0, 10, 14}, game.Second}})
	w.Add(5, []Owned{{Span{0, 0, 3}, game.First}, {Span{0, 7, 8}, game.First}})
	data := w.AppendTo(nil)

	c, _ := OpenMarks(data)
	all := Mask{^uint64(0)}
	fmt.Println(c.AppendLines(nil, FirstSide), len(data))
	fmt.Println(AppendOwners(nil, c.AppendOwned(nil, 4, 8, &all), Anyone)) // line 4 is lane 0
	// Output:
	// [5] 22
	// [{1 0 3} {1 7 8}]
}

// BenchmarkMarkColumn reads a column in which every line has two marks, block by
// block.
func BenchmarkMarkColumn(b *testing.B) {
	const lines = 64 * Lanes
	var w MarkWriter
	for line := range uint32(lines) {
		from := uint16(line % 90)
		w.Add(line, []Owned{{Span{0, from, from + 5}, 0}, {Span{0, from + 9, from + 30}, 1}})
	}
	data := w.AppendTo(nil)
	c, err := OpenMarks(data)
	if err != nil {
		b.Fatal(err)
	}
	mask := Mask{}
	for i := range mask {
		mask[i] = ^uint64(0)
	}
	var owned []Owned
	for b.Loop() {
		for first := 0; first < lines; first += Lanes {
			owned = c.AppendOwned(owned[:0], first, Lanes, &mask)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/lines, "ns/line")
	b.ReportMetric(float64(len(data))/lines, "B/line")
}
