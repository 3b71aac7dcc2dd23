package mine

import (
	"bytes"
	"testing"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/workshop/mine/classify"
)

// FuzzForm checks that forms of any cells keep what they say: whatever picture
// they are seen in, they have one canonical form, and as an entry they read back
// to the same cells and get a term.
func FuzzForm(f *testing.F) {
	f.Add([]byte{2, 4, 1, 8, 15, 3, 5}, uint8(3), uint8(0))
	f.Add([]byte{}, uint8(0), uint8(4))
	f.Fuzz(func(t *testing.T, cells []byte, row, column uint8) {
		g := loose()
		for i, c := range cells {
			if i+1 < len(g.cells) && c&anyCell != 0 {
				g.cells[1+i] = c & anyCell
			}
		}
		g.line = [2]uint8{row % 5, column % 5}
		c := g.canonical()
		for sym := range board.NumSymmetries {
			if h := g.turn(sym); h.canonical() != c {
				t.Fatalf("%v seen by %v is %v", g, sym, h.canonical())
			}
		}
		e := c.entry()
		terms, _ := classify.Terms(&e, e.Ours[0], nil)
		if len(terms) == 0 || len(terms) > 2 {
			t.Fatalf("%d terms", len(terms))
		}
		e.ID, e.Terms = id(&c, terms[0], false), terms
		if e.Validate() != nil {
			return // no stone
		}
		back := kb.Parse("fuzz.shapes", e.AppendTo(nil))
		if len(back.Faults) > 0 || len(back.Entries) != 1 {
			t.Fatalf("%v of\n%s", back.Faults, e.AppendTo(nil))
		}
		h := formOf(&back.Entries[0])
		if h != c || !bytes.Equal(back.Entries[0].AppendTo(nil), e.AppendTo(nil)) {
			t.Fatalf("%v reads back as %v", c, h)
		}
	})
}

// formOf returns the form that an entry was made of.
func formOf(e *kb.Entry) form {
	f := loose()
	for i := range f.cells {
		set := e.At(int(e.Ours[0].X)+spots[i][0], int(e.Ours[0].Y)+spots[i][1])
		f.cells[i] = uint8(set & kb.OnBoard)
		if set&pattern.Off != 0 {
			f.cells[i] |= off
		}
	}
	f.line = e.Place
	return f
}
