package exchange

import (
	"iter"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/book/theory"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

func opened(t *testing.T, r game.Rules) *theory.Theory {
	t.Helper()
	th, err := theory.Open(t.Context(), r, theory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return th
}

func seq(rows []theory.Row) iter.Seq2[theory.Row, error] {
	return func(yield func(theory.Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestReadFaults(t *testing.T) {
	head := strings.Join(columns, ",") + "\n"
	start := game.FormatPosition(othello.Standard, othello.Standard.Start())
	for name, c := range map[string]struct {
		format Format
		text   string
		rows   int
		faults []int
	}{
		"good":      {CSV, head + "othello," + start + ",f5,0.50,-1.5,2.5,12,,,\n", 1, nil},
		"columns":   {CSV, head + "othello,x\nothello," + start + ",f5,0,0,0,5,,,\n", 1, []int{2}},
		"game":      {CSV, head + "go," + start + ",,,,,,,,\n", 0, []int{2}},
		"move":      {CSV, head + "othello," + start + ",a1,0,0,0,5,,,\n", 0, []int{2}},
		"value":     {CSV, head + "othello," + start + ",f5,zero,0,0,5,,,\n", 0, []int{2}},
		"level":     {CSV, head + "othello," + start + ",f5,0,0,0,-5,,,\n", 0, []int{2}},
		"quote":     {CSV, head + "othello,\"x\"y,f5,0,0,0,5,,,\nothello," + start + ",f5,0,0,0,5,,,\n", 1, []int{2}},
		"edax":      {Edax, "---------------------------OX------XO--------------------------- X,12,f5,0\n", 1, nil},
		"edax bad":  {Edax, "nonsense\n\n---------------------------OX------XO--------------------------- X,12,f5\n---------------------------OX------XO--------------------------- X,12,a1,0\n", 0, []int{1, 3, 4}},
		"edax link": {Edax, "---------------------------OX------XO--------------------------- X,12,--,-127\n", 1, nil},
		"edax old":  {Edax, "---------------------------OX------XO--------------------------- X,12,f5,0,d3,0\n", 1, nil},
		"edax pass": {Edax, strings.Repeat("X", 56) + "XXXXXXO- O,20,PA,-60\n", 1, nil},
		"edax disc": {Edax, "---------------------------OX------XO--------------------------- X,12,f5,65\n", 0, []int{1}},
		"egaroucid": {Egaroucid, egbk(2, egbkStart+"\x02\x15\x07\x00\x00\x00\x01\x1a\x15", egbkStart+"\x02\x46\x00\x00\x00\x00\x82\x41\xff"), 2, nil},
		"no leaf":   {Egaroucid, egbk(1, egbkStart+"\x02\x15\x00\x00\x00\x00\x82\x41\xff"), 0, []int{1}},
		"value 65":  {Egaroucid, egbk(1, egbkStart+"\x41\x15\x07\x00\x00\x00\x01\x1a\x15"), 0, []int{1}},
		"two discs": {Egaroucid, egbk(1, egbkStart[:8]+egbkStart[:8]+"\x02\x15\x07\x00\x00\x00\x01\x1a\x15"), 0, []int{1}},
		"leaf a1":   {Egaroucid, egbk(1, egbkStart+"\x02\x15\x07\x00\x00\x00\x01\x00\x15"), 0, []int{1}},
		"cut":       {Egaroucid, egbk(3, egbkStart+"\x02\x15\x07\x00\x00\x00\x01\x1a\x15"), 1, []int{2}},
	} {
		var faults []int
		rows, err := Read(strings.NewReader(c.text), othello.Standard, c.format, func(f Fault) { faults = append(faults, f.Line) })
		if err != nil || len(rows) != c.rows || !slices.Equal(faults, c.faults) {
			t.Errorf("%s: %d rows, faults %v, %v; want %d and %v", name, len(rows), faults, err, c.rows, c.faults)
		}
	}
	if _, err := Read(strings.NewReader("something\n"), othello.Standard, CSV, nil); err == nil {
		t.Error("a file without a header")
	}
	if _, err := Read(strings.NewReader("\"x\"y\x00\n"), othello.Standard, CSV, nil); err == nil {
		t.Error("a file of other bytes")
	}
	small, err := othello.New(board.Size{W: 4, H: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Format{Edax, Egaroucid} {
		if _, err := Read(strings.NewReader(""), small, f, nil); err == nil {
			t.Errorf("%s on a small board", f)
		}
	}
	for _, text := range []string{"", "something", egbkMagic, egbkMagic + "\x02\x00\x00\x00\x00"} {
		if _, err := Read(strings.NewReader(text), othello.Standard, Egaroucid, nil); err == nil {
			t.Errorf("%q is taken for a book of Egaroucid", text)
		}
	}
}

// egbkStart are the words of the start, the side to move first.
const egbkStart = "\x00\x00\x00\x10\x08\x00\x00\x00" + "\x00\x00\x00\x08\x10\x00\x00\x00"

func egbk(n byte, records ...string) string {
	return egbkMagic + "\x03" + string([]byte{n, 0, 0, 0}) + strings.Join(records, "")
}

// TestEgaroucid reads what a record says, and writes it again.
func TestEgaroucid(t *testing.T) {
	text := egbk(1, egbkStart+"\x01\x15\x00\x00\x00\x00\x01\x1a\x15")
	rows, err := Read(strings.NewReader(text), othello.Standard, Egaroucid, nil)
	if err != nil {
		t.Fatal(err)
	}
	th := opened(t, othello.Standard)
	if _, err := (&theory.Learner{Theory: th}).Merge(t.Context(), seq(rows)); err != nil {
		t.Fatal(err)
	}
	e := th.Look(othello.Standard.Start())
	if e.E != engine.Unit || e.Level != 21 || e.Lower != -engine.Unit || e.Upper != 3*engine.Unit || e.Partial {
		t.Errorf("the start is %+v", e.Values)
	}
	var again strings.Builder
	if err := Write(&again, th, Egaroucid); err != nil {
		t.Fatal(err)
	}
	// Of the four moves that are the same by symmetry any may be the leaf.
	if got := again.String(); len(got) != len(text) || got[:egbkHeader+23] != text[:egbkHeader+23] || got[egbkHeader+24] != 21 {
		t.Errorf("%q has become %q", text, got)
	}
}

// FuzzRead: no file breaks the reader, and what is read can be merged.
func FuzzRead(f *testing.F) {
	f.Add(strings.Join(columns, ",")+"\nothello,"+game.FormatPosition(othello.Standard, othello.Standard.Start())+",f5,0.50,-1.5,2.5,12,,,\n", true)
	f.Add("---------------------------OX------XO--------------------------- X,12,f5,0,d3,0\n", false)
	f.Add(egbk(1, egbkStart+"\x02\x15\x07\x00\x00\x00\x01\x1a\x15"), false)
	f.Fuzz(func(t *testing.T, text string, isCSV bool) {
		format := Edax
		switch {
		case isCSV:
			format = CSV
		case strings.HasPrefix(text, egbkMagic):
			format = Egaroucid
		}
		rows, err := Read(strings.NewReader(text), othello.Standard, format, func(Fault) {})
		if err != nil {
			return
		}
		th := opened(t, othello.Standard)
		if _, err := (&theory.Learner{Theory: th}).Merge(t.Context(), seq(rows)); err != nil {
			t.Fatal(err)
		}
	})
}
