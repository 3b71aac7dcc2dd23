package pattern

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"qipu/board"
)

var fuzzed = []string{"weiqi:9x9", "xiangqi", "othello", "renju"}

// FuzzParse states the laws of any text: it is refused with the name of the
// package in front, or it is a pattern that prints back to itself and that
// Compile takes, unless the pattern lies nowhere.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"XO.\nxo*", "1411/3717", "+---\n|X~#\n|.[XO]", "@centre/[^X]?", "@C3\n..", "[+]k/[^.-]0", "RC/[KA.]#", "|X|", "---\nO\n---",
		"", "[", "[^~]", "0", "/", "|", "@", "-", "X|O", "X\n\nO", "\u3000X\r\n", "é", "[^]", "F8", "k1K", "@centre/|X",
	} {
		for i := range fuzzed {
			f.Add(i, text)
		}
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		r := rules(t, fuzzed[uint(i)%uint(len(fuzzed))])
		p, err := Parse(r.Geometry(), text)
		if err != nil {
			if p != nil || !strings.HasPrefix(err.Error(), "pattern: ") {
				t.Fatalf("%v beside %v", p, err)
			}
			return
		}
		canon := p.Format(r.Geometry())
		q, err := Parse(r.Geometry(), canon)
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%q prints as %q, which reads as %+v, not %+v: %v", text, canon, q, p, err)
		}
		if again := q.Format(r.Geometry()); again != canon {
			t.Fatalf("%q prints as %q, and then as %q", text, canon, again)
		}
		b := BoardOf(r)
		if err := p.check(b); err != nil {
			t.Fatalf("%q is read, but means nothing: %v", text, err)
		}
		if p.Size.Area() <= 64 {
			p.Mirror, p.Swap = true, true
			compiled(t, p, b, board.NewPlanes(b.Size, b.Kinds))
		}
	})
}

// FuzzFormat states that every pattern that Compile takes reads back from what
// it prints.
func FuzzFormat(f *testing.F) {
	f.Add(0, uint8(3), uint8(Corner), uint8(Top|Right), uint8(0), []byte{1, 2, 4, 3, 7, 128, 135, 5, 6})
	f.Add(1, uint8(2), uint8(Side), uint8(Left|Right), uint8(0), []byte{1, 2, 4, 8, 16, 32, 64, 128})
	f.Add(2, uint8(1), uint8(Fixed), uint8(0), uint8(9), []byte{255, 7, 0})
	f.Add(3, uint8(4), uint8(Centre), uint8(0), uint8(0), []byte("abcdefgh"))
	f.Fuzz(func(t *testing.T, i int, width, anchor, edges, at uint8, cells []byte) {
		r := rules(t, fuzzed[uint(i)%uint(len(fuzzed))])
		g, b := r.Geometry(), BoardOf(r)
		w := 1 + int(width)%MaxRegion
		h := min(len(cells)/2/w, MaxRegion)
		p := &Pattern{Size: board.Size{W: w, H: h}, Anchor: Anchor(anchor % 5), Edges: Edges(edges) & allEdges, To: -1}
		for k := range w * h {
			set := Set(cells[2*k]) | Set(cells[2*k+1]&127)<<8
			p.Cells = append(p.Cells, set&AnyOn(b.Kinds)|Off*Set(cells[2*k+1]>>7))
		}
		if p.Anchor == Fixed {
			p.At = g.Size.Point(int(at) % g.Size.Area())
		}
		if p.check(b) != nil {
			return
		}
		// What the text does not show is what it stands for.
		switch {
		case p.Anchor == Fixed && p.At == 0 && p.Size == g.Size:
			p.Edges = allEdges
		case p.Anchor == Corner || p.Anchor == Side:
			p.Edges = p.touches()
		default:
			p.Edges = 0
		}
		text := p.Format(g)
		q, err := Parse(g, text)
		if err != nil || !reflect.DeepEqual(p, q) {
			t.Fatalf("%+v prints as\n%s\nwhich reads as %+v: %v", p, text, q, err)
		}
	})
}

// TestCells checks that every set of states of a game has a cell of its own
// that reads back.
func TestCells(t *testing.T) {
	for _, spec := range fuzzed {
		g := rules(t, spec).Geometry()
		var texts []string
		for low := range AnyOn(len(g.Pieces)) + 1 {
			for _, set := range []Set{low, low | Off} {
				if set == 0 {
					continue
				}
				p := &Pattern{Size: board.Size{W: 1, H: 1}, Cells: []Set{set}, To: -1}
				text := p.Format(g)
				q, err := Parse(g, text)
				if err != nil || q.Cells[0] != set {
					t.Fatalf("%s: %b prints as %q, which reads as %v, %v", spec, set, text, q, err)
				}
				texts = append(texts, text)
			}
		}
		slices.Sort(texts)
		if n := len(slices.Compact(texts)); n != 1<<(len(g.Pieces)+2)-1 {
			t.Errorf("%s: %d different cells", spec, n)
		}
	}
}
