package kb

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/window"
)

const sample = `// a file of shapes
term cut
name      Cut | 斷 | 断 | キリ | 끊음
alias     duan | kiri
purpose   cut
note      what parts stones

term ponnuki
name      Ponnuki | 開花 | 开花 | ポン抜き | 빵때림
form      shape

shape knight-cut
terms     cut
name      Cut of the knight's move | 小飛斷 | 小飞断 | ケイマの切り | 날일자 끊음
purpose   connect cut break-out
urgency   4
ours      a
theirs    a b
place     30
overrides term:ponnuki
yields    ponnuki-stones
origin    paper
source    figure 17
note      one line
draw
  _ _ & @ *
  _ b X O _
  _ X a X {OX}
  _ _ O {.#} #

shape ponnuki-stones
terms     ponnuki
urgency   1
origin    hand
draw
  . O .
  O . O
  . O .

check knight-cut yes
  . X O .
  X a X .

check ponnuki-stones no
  . O
`

// TestRoundTrip holds that what is written reads back, and is written the same.
func TestRoundTrip(t *testing.T) {
	f := Parse("sample", []byte(sample))
	if len(f.Faults) > 0 {
		t.Fatal(f.Faults[0])
	}
	if len(f.Terms) != 2 || len(f.Entries) != 2 || len(f.Checks) != 2 {
		t.Fatalf("%d terms, %d shapes, %d checks", len(f.Terms), len(f.Entries), len(f.Checks))
	}
	e := &f.Entries[0]
	if want := []Spot{{1, 1}, {2, 2}}; !slices.Equal(e.Theirs, want) || len(e.Ours) != 1 || e.Ours[0] != want[1] {
		t.Errorf("good points %v and %v", e.Ours, e.Theirs)
	}
	if e.At(4, 2) != Own|Enemy || e.At(3, 3) != pattern.Empty|pattern.Off || e.At(0, 0) != Any || e.At(4, 0) != OnBoard || e.At(-1, 9) != Any {
		t.Errorf("cells are read wrongly:\n%s", e.Diagram())
	}
	if e.Purpose != 11 || e.Urgency != Urgent || e.Place != [2]uint8{3, 0} || e.Origin != Paper {
		t.Errorf("purpose %d, urgency %d, place %v, origin %v", e.Purpose, e.Urgency, e.Place, e.Origin)
	}
	write := func(f *File) []byte {
		var out []byte
		for i := range f.Terms {
			out = append(f.Terms[i].AppendTo(out), '\n')
		}
		for i := range f.Entries {
			out = append(f.Entries[i].AppendTo(out), '\n')
		}
		for i := range f.Checks {
			out = append(f.Checks[i].AppendTo(out), '\n')
		}
		return out
	}
	text := write(f)
	again := Parse("sample", text)
	if len(again.Faults) > 0 {
		t.Fatalf("%v\n%s", again.Faults[0], text)
	}
	if second := write(again); !bytes.Equal(text, second) {
		t.Errorf("written\n%s\nthen\n%s", text, second)
	}
	for i := range f.Entries {
		a, b := f.Entries[i], again.Entries[i]
		a.Line, b.Line = 0, 0
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%+v\nreads back as\n%+v", a, b)
		}
	}
}

// TestFaults holds that a fault names its line, and that nothing else is lost.
func TestFaults(t *testing.T) {
	const good = "shape fine\nours a\ndraw\n  X a O\n\n"
	tests := []struct {
		text string
		line int
		want string
	}{
		{"name before\n", 1, "before the first block"},
		{"shape UPPER\ndraw\n  X\n", 1, "without an id"},
		{"shape p\ncolour red\ndraw\n  X\n", 2, `"colour" is no field`},
		{"shape p\n", 1, "has no diagram"},
		{"shape p\ndraw\n  X a\n", 1, "the letter a of the diagram is in no field"},
		{"shape p\nours b\ndraw\n  X .\n", 2, "no letter"},
		{"shape p\ndraw\n  X O\n  X\n", 4, "a row of 1 cells below one of 2"},
		{"shape p\ndraw\n  X ? O\n", 3, `'?' is no cell`},
		{"shape p\ndraw\n  X 黑 O\n", 3, `'黑' is no cell`},
		{"shape p\ndraw\n  X {O\n", 3, "a set without end"},
		{"shape p\ndraw\n  X {}\n", 3, "a set of nothing"},
		{"shape p\ndraw\n  X {&}\n", 3, "in a set"},
		{"shape p\nurgency 5\ndraw\n  X\n", 2, "is no urgency"},
		{"shape p\nplace 3\ndraw\n  X\n", 2, "is no place"},
		{"shape p\norigin sky\ndraw\n  X\n", 2, "is no origin"},
		{"shape p\npurpose win\ndraw\n  X\n", 2, "is no purpose"},
		{"shape p\nname a|b|c|d|e|f\ndraw\n  X\n", 2, "6 names"},
		{"shape p\ndraw\n  . . _\n", 1, "has no stone"},
		{"shape p\npurpose avoid\ndraw\n  X\n", 1, "says avoid but names no point"},
		{"shape p\ndraw\n  " + strings.Repeat("X", 20) + "\n", 3, "at most 19"},
		{"shape p\ndraw\n" + strings.Repeat("  X\n", 20), 1, "at most 19"},
		{"term p\nform sky\n", 2, "is no form"},
		{"term p\ndraw\n", 2, "is no field of a term"},
		{"check p maybe\n  X\n", 1, "says yes or no"},
		{"check p yes\n  X _\n", 2, "a board has only"},
		{"check p yes\nname a\n  X\n", 2, "has no fields"},
	}
	for _, test := range tests {
		f := Parse("t.shapes", []byte(test.text+"\n"+good))
		if len(f.Faults) != 1 || f.Faults[0].Line != test.line || !strings.Contains(f.Faults[0].Reason, test.want) {
			t.Errorf("%q: %v, want line %d: %s", test.text, f.Faults, test.line, test.want)
		}
		if len(f.Entries) != 1 || f.Entries[0].ID != "fine" {
			t.Errorf("%q: the shape behind it is lost", test.text)
		}
	}
}

// TestLayers holds that later files replace what earlier ones have, and that
// twice in one file is a fault.
func TestLayers(t *testing.T) {
	fsys := fstest.MapFS{
		"a.shapes":     {Data: []byte("shape p\nnote first\ndraw\n  X O\n\nshape p\ndraw\n  X\n")},
		"sub/b.shapes": {Data: []byte("shape q\ndraw\n  X O O\n")},
		"c.txt":        {Data: []byte("no shapes at all")},
	}
	files, err := Read(fsys, "here/")
	if err != nil || len(files) != 2 {
		t.Fatal(len(files), err)
	}
	b := New(append(files, Parse("own", []byte("shape p\nnote second\ndraw\n  X X\n")))...)
	if len(b.Entries) != 2 || b.Entry("p").Note != "second" || b.Entry("q") == nil || b.Entry("r") != nil {
		t.Errorf("%d entries, p is %q", len(b.Entries), b.Entry("p").Note)
	}
	if len(b.Faults) != 1 || b.Faults[0].Error() != "here/a.shapes:6: the shape p stands in line 1 already" {
		t.Errorf("faults %v", b.Faults)
	}
	if files, err := Read(fstest.MapFS{}, ""); err != nil || len(files) != 0 {
		t.Error(files, err)
	}
}

// TestFind holds that names in all languages, aliases and ids are found.
func TestFind(t *testing.T) {
	b := New(Parse("sample", []byte(sample)))
	for _, name := range []string{"cut", "CUT", "斷", "断", "キリ", "끊음", "kiri"} {
		if m := b.Find(name); m == nil || m.Term == nil || m.Term.ID != "cut" {
			t.Errorf("%s is %+v", name, m)
		}
	}
	for _, name := range []string{"knight-cut", "knight cut", "小飞断", "小飛斷", "ケイマの切り"} {
		if m := b.Find(name); m == nil || len(m.Entries) != 1 || m.Entries[0].ID != "knight-cut" {
			t.Errorf("%s is %+v", name, m)
		}
	}
	if m := b.Find("nothing"); m != nil {
		t.Errorf("nothing is %+v", m)
	}
	if near := b.Nearest("ponuki", 3); !slices.Contains(near, "ponnuki") {
		t.Errorf("near ponuki lie %q", near)
	}
	if n := b.Title(b.Entry("ponnuki-stones")); n.Ko != "빵때림" {
		t.Errorf("a shape without a name is called %+v", n)
	}
	if got := len(b.Of("cut")); got != 1 {
		t.Errorf("%d shapes of cut", got)
	}
}

// figure17 is the shape as the paper prints it, but for the point that its print
// lost, with the fields on two lines.
const figure17 = `_ _ _ _ _
_ _ X O _
_ X . X _
_ _ O _ _
_ _ _ _ _
33 33 11
4 8 00
`

// TestPaper reads figures 8 and 17 as far as the text has them, and the merged
// form.
func TestPaper(t *testing.T) {
	f := ParsePaper("f", []byte(figure17))
	if len(f.Faults) > 0 || len(f.Entries) != 1 {
		t.Fatal(f.Faults, len(f.Entries))
	}
	e := &f.Entries[0]
	if e.ID != "paper-1" || e.Purpose != Connect|Cut|BreakOut || e.Urgency != Urgent || e.Orientations() != 8 || !slices.Equal(e.Ours, []Spot{{2, 2}}) || !slices.Equal(e.Theirs, e.Ours) {
		t.Errorf("%+v", e)
	}
	want := "; paper-1\n" + strings.Replace(figure17, "11\n4", "11 4", 1)
	if out, err := e.AppendPaper(nil); err != nil || string(out) != want {
		t.Errorf("%v\n%s", err, out)
	}
	// The number of orientations is computed: 4 is wrong, and nothing is lost.
	f = ParsePaper("f", []byte("; mine\n"+strings.Replace(figure17, "4 8 00", "4 4 00", 1)+figure17))
	if len(f.Entries) != 2 || f.Entries[0].ID != "mine" || len(f.Faults) != 1 || !strings.Contains(f.Faults[0].Reason, "has 8 orientations, not 4") {
		t.Errorf("%d shapes, %v", len(f.Entries), f.Faults)
	}
	merged := "; long\n" + strings.Repeat("_ _ O _ _\n", 5) + "+\n" + strings.Repeat("X _ . _ &\n", 5) + "18 00 16 2 4 30\n"
	f = ParsePaper("f", []byte(merged))
	if len(f.Faults) > 0 || len(f.Entries) != 1 || f.Entries[0].Size != (board.Size{W: 10, H: 5}) || f.Entries[0].At(7, 0) != pattern.Empty || !slices.Equal(f.Entries[0].Ours, []Spot{{7, 0}}) {
		if len(f.Faults) == 1 && strings.Contains(f.Faults[0].Reason, "orientations") {
			merged = strings.Replace(merged, "2 4 30", "2 8 30", 1)
		} else {
			t.Fatal(f.Faults)
		}
	}
	if out, err := f.Entries[0].AppendPaper(nil); err != nil || string(out) != merged {
		t.Errorf("%v\n%s", err, out)
	}
	for text, reason := range map[string]string{
		"_ _\n33 33 1 1 8 00\n": "a tile of 1 rows", "33 33 1 1 8 00\n": "rows", figure17[:50] + "33 33\n": "2 fields",
		strings.Replace(figure17, "X .", "X #", 1): "no symbol of the paper", strings.Replace(figure17, "33 33", "11 33", 1): "is not empty", strings.Replace(figure17, "33 33", "66 33", 1): "no point of the shape",
	} {
		f := ParsePaper("f", []byte(text+figure17))
		if len(f.Faults) != 1 || !strings.Contains(f.Faults[0].Reason, reason) || len(f.Entries) != 1 {
			t.Errorf("%q: %v, %d shapes", text, f.Faults, len(f.Entries))
		}
	}
}

// TestPaperLoss holds that every shape that the form can hold comes back, and
// that it says so of the others.
func TestPaperLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 4))
	for range 500 {
		e := Entry{ID: "p", Size: board.Size{W: 5 * (1 + r.IntN(3)), H: 5 * (1 + r.IntN(2))}, Urgency: Urgency(1 + r.IntN(4)), Purpose: Purpose(r.IntN(1 << (numPurposes - 1)))}
		for range e.Size.Area() {
			e.Cells = append(e.Cells, []pattern.Set{Own, Enemy, pattern.Empty, pattern.Empty | Own, pattern.Empty | Enemy, Any}[r.IntN(6)])
		}
		e.Cells[0] = Own
		for _, to := range []*[]Spot{&e.Ours, &e.Theirs} {
			if i := r.IntN(len(e.Cells)); e.Cells[i] == pattern.Empty {
				*to = []Spot{{int8(i % e.Size.W), int8(i / e.Size.W)}}
			}
		}
		e.Place = [2]uint8{uint8(r.IntN(10)), uint8(r.IntN(10))}
		text, err := e.AppendPaper(nil)
		if err != nil {
			t.Fatal(err)
		}
		f := ParsePaper("", text)
		if len(f.Faults) > 0 || len(f.Entries) != 1 {
			t.Fatalf("%v\n%s", f.Faults, text)
		}
		got := f.Entries[0]
		got.Origin, got.Line = e.Origin, 0
		if !reflect.DeepEqual(got, e) {
			t.Fatalf("%+v\nreads back as\n%+v", e, got)
		}
	}
	e := Entry{ID: "p", Size: board.Size{W: 3, H: 4}, Cells: slices.Repeat([]pattern.Set{Own}, 12), Urgency: Ordinary, Ours: []Spot{{0, 0}}, Place: [2]uint8{3, 0}}
	e.Cells[0] = pattern.Empty
	text, err := e.AppendPaper(nil)
	if want := "; p\n_ _ _ _ _\n_ . O O _\n_ O O O _\n_ O O O _\n_ O O O _\n22 00 0 2 8 30\n"; err != nil || string(text) != want {
		t.Errorf("3x4 in a tile: %v\n%s", err, text)
	}
	e.Ours, e.Size, e.Cells = nil, board.Size{W: 16, H: 1}, slices.Repeat([]pattern.Set{Own}, 16)
	if _, err := e.AppendPaper(nil); !errors.Is(err, ErrForm) {
		t.Errorf("16x1: %v", err)
	}
	e.Size, e.Cells = board.Size{W: 5, H: 5}, slices.Repeat([]pattern.Set{OnBoard}, 25)
	if _, err := e.AppendPaper(nil); !errors.Is(err, ErrForm) {
		t.Errorf("a cell of three states: %v", err)
	}
}

// TestDigits reads the form of Dragon and Jimmy and writes it back.
func TestDigits(t *testing.T) {
	const text = "; bend\n- 1 1\n1 * 2\n5 4 c\n"
	f := ParseDigits("d", []byte(text+"\n7 2 *\n8 8\n\n* q\n"))
	if len(f.Entries) != 2 || len(f.Faults) != 1 || f.Faults[0].Line != 9 || !strings.Contains(f.Faults[0].Reason, "'q' is no cell") {
		t.Fatal(len(f.Entries), f.Faults)
	}
	e := &f.Entries[0]
	if e.ID != "bend" || e.At(0, 0) != Any || e.At(0, 2) != pattern.Empty|Enemy || e.At(2, 2) != Enemy|pattern.Off || !slices.Equal(e.Ours, []Spot{{1, 1}}) {
		t.Errorf("%+v", e)
	}
	if out, err := e.AppendDigits(nil); err != nil || string(out) != text {
		t.Errorf("%v\n%s", err, out)
	}
	e = &f.Entries[1]
	if e.ID != "digits-2" || e.Size != (board.Size{W: 3, H: 2}) || e.At(2, 1) != Any || e.At(0, 1) != pattern.Off {
		t.Errorf("%+v", e)
	}
	r := rand.New(rand.NewPCG(8, 5))
	for i := range 500 {
		e := randomEntry(r, fmt.Sprintf("p%d", i))
		e.Place = [2]uint8{}
		if e.Validate() != nil {
			continue
		}
		text, err := e.AppendDigits(nil)
		if err != nil {
			t.Fatal(err)
		}
		f := ParseDigits("", text)
		if len(f.Faults) > 0 || len(f.Entries) != 1 || !slices.Equal(f.Entries[0].Cells, e.Cells) || f.Entries[0].Size != e.Size || !slices.Equal(f.Entries[0].Ours, e.Ours) {
			t.Fatalf("%v\n%s\nof\n%s", f.Faults, text, e.Diagram())
		}
	}
}

// TestMatcher holds Find against the matcher of package window.
func TestMatcher(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 6))
	found := 0
	for range 300 {
		e := randomEntry(r, "p")
		set, err := window.Compile([]window.Shape{e.Shape()}, window.Options{})
		if err != nil {
			t.Fatal(err)
		}
		size := board.Size{W: 1 + r.IntN(7), H: 1 + r.IntN(7)}
		pl := board.NewPlanes(size, 2)
		for p := range size.Points() {
			pl.Put(p, board.Piece(r.IntN(3)))
		}
		w := window.NewWindows(size)
		w.Reset(pl)
		want, got := map[board.Point]bool{}, map[board.Point]bool{}
		for _, h := range set.AppendHits(nil, w) {
			if !h.Symmetry.Swap {
				got[h.Point(e.Size, int(e.Ours[0].X), int(e.Ours[0].Y))] = true
			}
		}
		e.Find(pl, func(to func(Spot) board.Point) bool { want[to(e.Ours[0])] = true; return true })
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("the matcher finds %v, Find %v:\n%s%v", got, want, e.Diagram(), e.Place)
		}
		found += len(got)
	}
	if found == 0 {
		t.Error("nothing was found at all")
	}
}

// TestEvidence writes and reads evidence.
func TestEvidence(t *testing.T) {
	list := []Evidence{{ID: "a", Print: 0xabc, Seen: 10, Ours: 4, Theirs: 1, Examples: []Example{{"x/y.sgf", 12, "A - B, 1999 (final)"}, {"z#1.sgf", 3, ""}, {"copy (1) of #5.sgf", 7, "C - D (2nd) #6"}}}, {ID: "b"}}
	text := FormatEvidence(list)
	got, faults := ParseEvidence("e", text)
	if len(faults) > 0 || !reflect.DeepEqual(got, list) {
		t.Errorf("%v %+v\n%s", faults, got, text)
	}
	if _, faults := ParseEvidence("e", []byte("a\tb\n")); len(faults) != 1 {
		t.Error(faults)
	}
	e := Entry{Ours: []Spot{{}}}
	if r := list[0].Rate(&e); r != .4 {
		t.Error(r)
	}
}

// FuzzParse holds for any bytes that reading ends, and that what is read is
// written so that it reads back.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("shape p\ntheirs a b\ndraw\n  a b X\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first := Parse("f", data)
		for i := range first.Entries {
			e := first.Entries[i]
			text := e.AppendTo(nil)
			again := Parse("f", text)
			if len(again.Faults) > 0 || len(again.Entries) != 1 {
				t.Fatalf("%v\n%s", again.Faults, text)
			}
			if got := again.Entries[0]; got.Fingerprint() != e.Fingerprint() || got.Purpose != e.Purpose || !bytes.Equal(text, got.AppendTo(nil)) {
				t.Fatalf("%s\nreads back as\n%s", text, got.AppendTo(nil))
			}
			if text, err := e.AppendPaper(nil); err == nil {
				if f := ParsePaper("f", text); len(f.Faults) > 0 || len(f.Entries) != 1 || f.Entries[0].Fingerprint() != e.padded().Fingerprint() || f.Entries[0].canonical() != e.canonical() {
					t.Fatalf("%v\n%s", f.Faults, text)
				}
			}
		}
		ParsePaper("f", data)
		ParseDigits("f", data)
	})
}

// TestWhole writes what is hard to write and reads it back.
func TestWhole(t *testing.T) {
	many := Entry{ID: "many", Size: board.Size{W: 7, H: 7}, Urgency: Ordinary, Cells: make([]pattern.Set, 49)}
	for i := range many.Cells {
		many.Cells[i] = pattern.Empty
		if i == 0 {
			many.Cells[i] = Own
			continue
		}
		at := Spot{int8(i % 7), int8(i / 7)}
		if i%3 != 0 {
			many.Ours = append(many.Ours, at)
		}
		if i%3 != 1 {
			many.Theirs = append(many.Theirs, at)
		}
	}
	odd := Entry{
		ID: "odd", Size: board.Size{W: 2, H: 1}, Urgency: Ordinary, Cells: []pattern.Set{Own, pattern.Empty}, Ours: []Spot{{1, 0}},
		Names: board.Names{En: "one\nshape two | three"}, Aliases: []string{"a|b", "c\nd"}, Note: "x\ny", Source: "\tz\r\n",
	}
	f := Parse("f", odd.AppendTo(many.AppendTo(nil)))
	if len(f.Faults) > 0 || len(f.Entries) != 2 {
		t.Fatalf("%d entries, faults %v", len(f.Entries), f.Faults)
	}
	if e := f.Entries[0]; !reflect.DeepEqual(e.Ours, many.Ours) || !reflect.DeepEqual(e.Theirs, many.Theirs) || !slices.Equal(e.Cells, many.Cells) {
		t.Errorf("more points than letters were lost: %v, %v", e.Ours, e.Theirs)
	}
	if e := f.Entries[1]; e.Names.En != "one shape two three" || e.Names.Hant != "" || !slices.Equal(e.Aliases, []string{"a b", "c d"}) || e.Note != "x y" || e.Source != "z" {
		t.Errorf("got %+v", e)
	}
	if twice := Parse("f", []byte("shape s\nours a a\ndraw\n  O a\n")); len(twice.Entries) != 1 || len(twice.Entries[0].Ours) != 1 {
		t.Errorf("a point that is named twice: %+v, %v", twice.Entries, twice.Faults)
	}
	bad := Entry{ID: "bad", Size: odd.Size, Cells: odd.Cells, Ours: odd.Ours, Urgency: Ordinary, Purpose: Avoid}
	if text, err := bad.AppendDigits(nil); !errors.Is(err, ErrForm) {
		t.Errorf("a point to avoid became one to play: %s", text)
	}
}

// TestHostile keeps what a file that is none costs small.
func TestHostile(t *testing.T) {
	f := Parse("f", bytes.Repeat([]byte("no shapes here\n"), 100_000))
	if len(f.Faults) > maxFaults || len(f.Faults) == 0 {
		t.Errorf("%d faults", len(f.Faults))
	}
	f = Parse("f", bytes.Repeat([]byte("shape ?\n"), 100_000))
	if len(f.Faults) > maxFaults || len(f.Faults) == 0 {
		t.Errorf("%d faults", len(f.Faults))
	}
	f = Parse("f", bytes.Repeat([]byte("a"), 1<<20))
	if len(f.Faults) != 1 || len(f.Faults[0].Error()) > 200 {
		t.Errorf("%d faults of %d bytes", len(f.Faults), len(f.Faults[0].Error()))
	}
}

// TestTwiceInFolder: the same id in another layer takes the place, in another
// file of the same folder it is a fault.
func TestTwiceInFolder(t *testing.T) {
	text := []byte("shape s\nours a\ndraw\n  O a\n")
	if b := New(Parse("shipped/a.shapes", text), Parse("mine/a.shapes", text)); len(b.Faults) > 0 || b.Entries[0].File != "mine/a.shapes" {
		t.Errorf("%v, from %s", b.Faults, b.Entries[0].File)
	}
	if b := New(Parse("mine/a.shapes", text), Parse("mine/b.shapes", text)); len(b.Faults) != 1 || b.Entries[0].File != "mine/b.shapes" {
		t.Errorf("%v, from %s", b.Faults, b.Entries[0].File)
	}
}
