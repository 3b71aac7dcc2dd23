package endgame_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/engine/endgame"
	"qipu/game"
	"qipu/game/chess"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
	"qipu/segment"
)

// figures are what independent programs say: the share of positions won by the side that
// is named first, it being its turn, the plies of the longest win, and where it is known
// how many positions there are.
var figures = []struct {
	rules game.Manned
	name  string
	share string
	plies int
	legal [2]int64
}{
	{chess.Standard, "KQ-K", "100.00", 19, [2]int64{144508, 223944}},
	{chess.Standard, "KR-K", "100.00", 31, [2]int64{175168, 223944}},
	{chess.Standard, "KP-K", "76.51", 55, [2]int64{163328, 168024}},
	{xiangqi.Standard, "KN-KA", "99.72", 37, [2]int64{}},
	{xiangqi.Standard, "KN-KE", "24.11", 31, [2]int64{}},
	{xiangqi.Standard, "KP-K", "84.71", 19, [2]int64{}},
	{xiangqi.Standard, "KP-KA", "8.43", 13, [2]int64{}},
	{xiangqi.Standard, "KC-K", "0.00", 0, [2]int64{}},
	{xiangqi.Standard, "KC-KAA", "4.94", 1, [2]int64{}},
	{xiangqi.Standard, "KAC-KA", "100.00", 27, [2]int64{}},
	{xiangqi.Standard, "KAC-KAA", "99.94", 47, [2]int64{}},
	{xiangqi.Standard, "KR-KAA", "100.00", 19, [2]int64{}},
	{xiangqi.Standard, "KR-KEE", "100.00", 23, [2]int64{}},
	{xiangqi.Standard, "KR-KAEE", "100.00", 35, [2]int64{}},
	{xiangqi.Standard, "KR-KAAE", "100.00", 31, [2]int64{}},
	{xiangqi.Standard, "KR-KAAEE", "82.01", 63, [2]int64{}},
}

func materials(t testing.TB, r game.Manned, names ...string) (list []endgame.Material) {
	for _, n := range names {
		x, err := endgame.ParseMaterial(r.Men(), n)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	return list
}

// TestFigures holds the tables that come with the program against those figures, and
// those that take no time to work out, too; all of them at full size.
func TestFigures(t *testing.T) {
	dir := t.TempDir()
	for _, f := range figures {
		if testkit.Full() || len(f.name) < 6 {
			if err := endgame.Make(t.Context(), f.rules, materials(t, f.rules, f.name), endgame.MakeOptions{Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, from := range []string{"", dir} {
		tables := endgame.Open(from)
		defer tables.Close()
		for _, f := range figures {
			list, err := tables.List(f.rules)
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, l := range list {
				if l.Material != f.name {
					continue
				}
				found = true
				c := l.Counts
				if share := fmt.Sprintf("%.2f", 100*float64(c[0].Won)/float64(c[0].Legal)); share != f.share || c[0].Longest != f.plies {
					t.Errorf("%s: %s %% won in at most %d plies, want %s and %d", f.name, share, c[0].Longest, f.share, f.plies)
				}
				if f.legal[0] != 0 && (c[0].Legal != f.legal[0] || c[1].Legal != f.legal[1]) {
					t.Errorf("%s: %d and %d positions, want %v", f.name, c[0].Legal, c[1].Legal, f.legal)
				}
			}
			if !found {
				t.Errorf("%q has no table of %s", from, f.name)
			}
		}
		if faults := tables.Faults(); len(faults) > 0 {
			t.Error(faults)
		}
	}
}

// TestVerify asks the rules about positions of every table that comes with the program,
// and of others that have more symmetries, men on both sides that harm, and changes of men.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		rules game.Manned
		names []string
	}{
		{xiangqi.Standard, []string{"KPP-K", "KP-KP"}},
		{chess.LosAlamos, []string{"KP-K", "KR-KN"}},
		{chess.Standard, nil},
	} {
		if err := endgame.Make(t.Context(), c.rules, materials(t, c.rules, c.names...), endgame.MakeOptions{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		tables := endgame.Open(dir)
		all, err := tables.List(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		legal := 0
		for _, l := range all {
			got, err := tables.Verify(t.Context(), c.rules, materials(t, c.rules, l.Material)[0], testkit.Scale(60, 5000), 1)
			if err != nil || got.Fault != nil || len(got.Wrong) > 0 {
				t.Errorf("%s %s: %+v, %v", c.rules.Men().Name, l.Material, got, err)
			}
			legal += got.Legal
		}
		if legal < 20*len(all) {
			t.Errorf("%s: only %d positions were asked about", c.rules.Men().Name, legal)
		}
		tables.Close()
	}
}

// TestAlike: positions of both sides, and pictures of one, have the same value.
func TestAlike(t *testing.T) {
	tables := endgame.Open("")
	defer tables.Close()
	for _, c := range []struct {
		rules game.Manned
		text  string
		word  string
		plies int
	}{
		{xiangqi.Standard, "4ka3/9/9/9/9/9/9/3K5/3N5/9 w", "won", 37},
		{xiangqi.Standard, "9/3n5/3k5/9/9/9/9/9/9/4KA3 b", "won", 37},
		{xiangqi.Standard, "3ak4/9/9/9/9/9/9/5K3/5N3/9 w", "won", 37},
		{chess.Standard, "K7/1R6/2k5/8/8/8/8/8 w - - 0 1", "won", 31},
		{chess.Standard, "8/8/8/8/8/2K5/1r6/k7 b - - 0 1", "won", 31},
		{chess.Standard, "8/8/8/8/8/1k6/8/K7 w - - 0 1", "drawn", 0},
	} {
		p, err := game.ParsePosition(c.rules, c.text)
		if err != nil {
			t.Fatal(err)
		}
		v, ok, err := tables.Value(c.rules, p)
		if err != nil || !ok || v.Word() != c.word || v.Plies != c.plies {
			t.Errorf("%s: %+v, %v, %v, want %s in %d", c.text, v, ok, err, c.word, c.plies)
		}
		line, err := tables.Line(c.rules, p, 500)
		if err != nil || len(line) != c.plies {
			t.Errorf("%s: a line of %d plies, %v", c.text, len(line), err)
		}
	}
}

// TestProbe: the tables answer an engine's task, and know nothing of rights to castle, of
// men taken in passing and of full boards.
func TestProbe(t *testing.T) {
	tables := endgame.Open("")
	defer tables.Close()
	for text, known := range map[string]bool{
		"8/8/8/8/1k6/8/8/K2Q4 w - - 0 1":                           true,
		"8/8/8/8/8/1k6/8/R3K3 w Q - 0 1":                           false,
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": false,
	} {
		s, err := game.ParseSetup(chess.Standard, text)
		if err != nil {
			t.Fatal(err)
		}
		r, ok, err := tables.Probe(t.Context(), &engine.Task{Rules: chess.Standard, Start: &s})
		if err != nil || ok != known {
			t.Errorf("%s: %v, %v", text, ok, err)
		}
		if ok && (!r.Best().Exact || r.Best().Value < engine.Decided || len(r.Best().Moves) != int(engine.Win-r.Best().Value)) {
			t.Errorf("%s: %+v", text, r.Best())
		}
	}
}

// TestStop: what was stopped goes on, and what is damaged is told of and made anew.
func TestStop(t *testing.T) {
	dir := t.TempDir()
	r := xiangqi.Standard
	list := materials(t, r, "KN-KA")
	ctx, cancel := context.WithCancel(t.Context())
	var names []string
	o := endgame.MakeOptions{Dir: dir, Workers: 1, Done: func(l endgame.Listed, _ time.Duration) {
		if names = append(names, l.Material); len(names) == 2 {
			cancel()
		}
	}}
	if err := endgame.Make(ctx, r, list, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "xiangqi", "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	var took int
	o.Done = func(_ endgame.Listed, d time.Duration) {
		if d > 0 {
			took++
		}
	}
	if err := endgame.Make(t.Context(), r, list, o); err != nil || took != 2 {
		t.Fatalf("%d tables were made after the stop, %v", took, err)
	}

	path := filepath.Join(dir, "xiangqi", "KN-KA.seg")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"short":   whole[:len(whole)/2],
		"changed": append(append([]byte{}, whole[:len(whole)/2]...), append([]byte{whole[len(whole)/2] ^ 1}, whole[len(whole)/2+1:]...)...),
		"empty":   {},
	} {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		tables := endgame.Open(dir)
		c, err := tables.Verify(t.Context(), r, list[0], 10, 1)
		if c.Fault == nil && len(tables.Faults()) == 0 {
			t.Errorf("%s: nobody notices: %+v, %v", what, c, err)
		}
		if fault := errors.Join(append(tables.Faults(), c.Fault)...); !errors.Is(fault, segment.ErrCorrupt) {
			t.Errorf("%s: %v", what, fault)
		}
		tables.Close()
		if err := endgame.Make(t.Context(), r, list, o); err != nil {
			t.Fatal(err)
		}
		again, err := os.ReadFile(path)
		if err != nil || string(again) != string(whole) {
			t.Errorf("%s: it is not made as it was: %d bytes, %v", what, len(again), err)
		}
	}
}

// TestImpossible: endings that no game can have, and those that tables cannot tell, are
// refused with what to do.
func TestImpossible(t *testing.T) {
	for _, c := range []struct {
		rules      game.Manned
		name, want string
	}{
		{xiangqi.Standard, "KR", "name both sides with their kings, as in KP-K"},
		{xiangqi.Standard, "KR-KAAA", "a side has at most 2 of A"},
		{xiangqi.Standard, "KRRR-K", "a side has at most 2 of R"},
		{xiangqi.Standard, "KQ-K", "there is no man 'Q': write some of KAERNCP"},
		{xiangqi.Standard, "R-K", "begin each side with its king"},
		{xiangqi.Standard, "K-K-K", "more than two kings"},
		{xiangqi.Standard, "KAAEER-KAAEER", "tables have at most 10"},
		{chess.Standard, "KPPPPPPPPP-K", "a side has at most 8 of P"},
	} {
		if _, err := endgame.ParseMaterial(c.rules.Men(), c.name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for name, want := range map[string]string{"KP-KP": "in passing", "KQQRR-KQQRR": "positions: a table has at most"} {
		err := endgame.Make(t.Context(), chess.Standard, materials(t, chess.Standard, name), endgame.MakeOptions{Dir: t.TempDir()})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if x := materials(t, xiangqi.Standard, "KBBA-KHR")[0]; x.String() != "KRN-KAEE" {
		t.Errorf("the stronger side is not the first: %s", x)
	}
}

// TestUpTo: the endings of three men.
func TestUpTo(t *testing.T) {
	names := fmt.Sprint(endgame.UpTo(chess.Standard.Men(), 3), endgame.UpTo(xiangqi.Standard.Men(), 3))
	if names != "[K-K KP-K KN-K KB-K KR-K KQ-K] [K-K KP-K KC-K KN-K KR-K KE-K KA-K]" {
		t.Error(names)
	}
}

// BenchmarkValue asks tables whose blocks are unpacked.
func BenchmarkValue(b *testing.B) {
	tables := endgame.Open("")
	defer tables.Close()
	p, err := game.ParsePosition(xiangqi.Standard, "2bak4/4a4/4b4/9/9/9/9/9/4K4/R8 w")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok, err := tables.Value(xiangqi.Standard, p); !ok || err != nil {
			b.Fatal(ok, err)
		}
	}
}

// BenchmarkMake works KR-KAAEE out on one core, what it needs being there.
func BenchmarkMake(b *testing.B) {
	dir := b.TempDir()
	r := xiangqi.Standard
	list := materials(b, r, "KR-KAAEE")
	o := endgame.MakeOptions{Dir: dir, Workers: 1}
	if err := endgame.Make(b.Context(), r, list, o); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := os.Remove(filepath.Join(dir, "xiangqi", "KR-KAAEE.seg")); err != nil {
			b.Fatal(err)
		}
		if err := endgame.Make(b.Context(), r, list, o); err != nil {
			b.Fatal(err)
		}
	}
}
