package bench_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/pattern"
	"qipu/sample"
)

// classes are those of queries, in the order of reports.
var classes = []string{"board", "corner", "side", "centre", "small", "partial"}

// TestQueryFiles checks that the queries of the benchmarks are what they say,
// and their counts on the demo set and on games that are set up so that each of
// the queries of Go has one.
func TestQueryFiles(t *testing.T) {
	dir := t.TempDir()
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	games := builtin.Games()
	var planted strings.Builder
	var all []benchQuery
	for _, name := range benchGames {
		list, err := readQueries(games, name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, list...)
	}
	for i := range all {
		q := &all[i]
		if !slices.Contains(classes, q.class) || slices.ContainsFunc(all[:i], func(o benchQuery) bool { return o.game == q.game && o.name == q.name }) {
			t.Errorf("%s %s: a name twice, or an unknown class %q", q.game, q.name, q.class)
		}
		if want := map[string]pattern.Anchor{"board": pattern.Fixed, "corner": pattern.Corner, "side": pattern.Side}; want[q.class] != 0 && q.shape.Pattern.Anchor != want[q.class] {
			t.Errorf("%s %s: a %v of class %s", q.game, q.name, q.shape.Pattern.Anchor, q.class)
		}
		if q.game == "weiqi" {
			plant(&planted, q.shape.Pattern, kindOf(t, l, "weiqi").Board)
		}
	}
	in := ingest.Options{Stdin: ingest.Input{Name: "planted.sgf", Reader: strings.NewReader(planted.String())}}
	if _, err := l.Import(t.Context(), library.ImportOptions{Options: in}, "-"); err != nil {
		t.Fatal(err)
	}
	copySample(t, l)
	var out strings.Builder
	for i := range all {
		q := &all[i]
		a := find(t, l, q)
		if q.game == "weiqi" && a.Games == 0 {
			t.Errorf("%s does not find the game that was set up for it", q.name)
		}
		fmt.Fprintf(&out, "%s %s: %d games, %d hits\n", q.game, q.name, a.Games, a.Hits)
	}
	testkit.Golden(t, "testdata/sample.golden", []byte(out.String()))
}

// plant writes a game that is set up with a pattern: what the pattern leaves
// open is empty, and one more stone is played so that no two games are alike.
func plant(w *strings.Builder, p *pattern.Pattern, b pattern.Board) {
	places, err := pattern.Compile(p, b)
	if err != nil {
		panic(err)
	}
	fmt.Fprint(w, "(;GM[1]FF[4]SZ[19]")
	for i, pt := range places[0].Points {
		point := b.Size.Point(int(pt))
		text := string([]byte{'a' + byte(point.X()), 'a' + byte(point.Y())})
		switch places[0].Sets[i] {
		case pattern.Of(1):
			fmt.Fprintf(w, "AB[%s]", text)
		case pattern.Of(2):
			fmt.Fprintf(w, "AW[%s]", text)
		}
	}
	fmt.Fprint(w, ";B[ss])\n")
}

// copySample imports the demo set.
func copySample(t *testing.T, l *qipu.Library) {
	t.Helper()
	files := sample.Files()
	if _, err := l.Import(t.Context(), library.ImportOptions{}, writeFiles(t, files)); err != nil {
		t.Fatal(err)
	}
}

// TestQueryCounts checks what the queries find in real games.
func TestQueryCounts(t *testing.T) {
	for _, name := range benchGames {
		t.Run(name, func(t *testing.T) {
			if !testkit.Full() && (name == "othello" || name == "xiangqi") {
				t.Skip("their imports take too long for every day: make soak runs this")
			}
			corpus := name
			if name == "weiqi" {
				corpus = "paper" // a sixth of the games is enough for counts
			}
			l := openLibrary(t, corpus)
			testkit.Script(t, benchFile(name), func(t *testing.T, c testkit.Command) string {
				q, err := parseQuery(kindOf(t, l, name).Rules.Geometry(), strings.Fields(c.Line), c.Input)
				if err != nil {
					t.Fatal(err)
				}
				q.game = name
				a := find(t, l, &q)
				return fmt.Sprintf("%d games, %d hits", a.Games, a.Hits)
			})
		})
	}
}

// BenchmarkFind measures every query on real games, on one core.
func BenchmarkFind(b *testing.B) {
	for _, name := range benchGames {
		list, err := readQueries(builtin.Games(), name)
		if err != nil {
			b.Fatal(err)
		}
		for i := range list {
			b.Run(name+"/"+list[i].name, func(b *testing.B) { benchmarkFind(b, openLibrary(b, name), &list[i]) })
		}
	}
}

func benchmarkFind(b *testing.B, l *qipu.Library, q *benchQuery) {
	a := find(b, l, q)
	n := 0
	cpu := testkit.CPU()
	for b.Loop() {
		find(b, l, q)
		n++
	}
	b.ReportMetric((testkit.CPU()-cpu).Seconds()*1000/float64(n), "cpu-ms/op")
	b.ReportMetric(float64(a.Games), "games")
	b.ReportMetric(float64(a.Hits), "hits")
	b.ReportMetric(float64(a.Explain.Lines), "candidates")
	b.ReportMetric(float64(a.Explain.Pages), "pages")
}

// BenchmarkImport measures a whole import, in a process of its own.
func BenchmarkImport(b *testing.B) {
	for _, name := range []string{"paper", "xiangqi", "othello", "renju"} {
		b.Run(name, func(b *testing.B) {
			var paths []string
			for _, archive := range corpora[name] {
				paths = append(paths, testkit.Data(b, archive))
			}
			var games int
			var cpu float64
			for b.Loop() {
				s := importAlone(b, b.TempDir(), paths)
				games += s.Games
				cpu += (s.CPU + s.Merge).Seconds()
			}
			b.ReportMetric(float64(games)/cpu, "games/cpu-s")
		})
	}
}
