package livebook_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/book"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/othello"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/record"
	"qipu/sample"
)

// transcripts makes games of Othello to the end, one a line.
func transcripts(rng *rand.Rand, n int) string {
	var text []byte
	for range n {
		p := othello.Standard.Start()
		for moves := p.AppendMoves(nil); len(moves) > 0; moves = p.AppendMoves(nil) {
			m := moves[rng.IntN(len(moves))]
			if m != game.Pass {
				text = othello.Standard.AppendMove(text, p, m, game.AnyNotation)
			}
			p.Play(m)
		}
		text = append(text, '\n')
	}
	return string(text)
}

func openBookLibrary(t testing.TB, dir string, o qipu.Options) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func importText(t testing.TB, l *qipu.Library, name, text string) *library.ImportReport {
	t.Helper()
	in := ingest.Options{Stdin: ingest.Input{Name: name, Reader: strings.NewReader(text)}}
	report, err := l.Import(t.Context(), library.ImportOptions{Options: in, BatchGames: 50}, "-")
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func othelloBook(t testing.TB, l *qipu.Library) *book.Book {
	t.Helper()
	b, err := l.Books().Book(t.Context(), kindOf(t, l, "othello"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// digest is all that a book counts.
func digest(t testing.TB, b *book.Book) map[book.Key]book.Counts {
	t.Helper()
	all := map[book.Key]book.Counts{}
	if err := b.Walk(func(s *book.Spot) bool {
		all[s.Key] = s.Counts
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// inStep checks that the book of a library is the one that its records make.
func inStep(t testing.TB, l *qipu.Library, games int) {
	t.Helper()
	b := othelloBook(t, l)
	if b.Games() != games {
		t.Fatalf("the book has %d games, and not %d", b.Games(), games)
	}
	var list []book.Game
	ids, err := l.Records().IDs(t.Context(), "othello 8x8")
	if err != nil {
		t.Fatal(err)
	}
	referee := record.NewReferee(builtin.Games())
	for _, id := range ids.ToArray() {
		g, _, err := l.Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, book.FromPlayed(othello.Standard, id, 0, referee.Play(g)))
	}
	fresh := book.New(othello.Standard)
	if err := fresh.Add(list...); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(digest(t, fresh), digest(t, b)) {
		t.Fatal("the book differs from one that is made of all records")
	}
}

func bookFiles(t testing.TB, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "book", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBook follows a book through everything that can happen to a library.
func TestBook(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 1))
	l := openBookLibrary(t, dir, qipu.Options{Create: true})
	inStep(t, l, 0)
	report := importText(t, l, "a.txt", transcripts(rng, 120))
	inStep(t, l, report.New)

	// One game, which is played on: the longer record takes the place of the
	// shorter one. It is the same game a third time.
	long := strings.TrimSpace(transcripts(rng, 1))
	short := long[:2*45]
	before := othelloBook(t, l).Positions()
	fresh := othelloBook(t, l).Fresh(&book.Game{Moves: playedText(t, short)})
	importText(t, l, "b.txt", short+"\n")
	inStep(t, l, report.New+1)
	if now := othelloBook(t, l).Positions(); now != before+fresh {
		t.Errorf("%d positions have become %d, where %d are new", before, now, fresh)
	}
	if r := importText(t, l, "c.txt", long+"\n"); r.Fuller != 1 {
		t.Errorf("the longer record is none: %+v", r)
	}
	inStep(t, l, report.New+1)
	importText(t, l, "d.txt", long+"\n")
	inStep(t, l, report.New+1)

	ids, _ := l.Records().IDs(t.Context(), "othello 8x8")
	gone := ids.ToArray()[10:20]
	if err := l.Records().Delete(t.Context(), gone...); err != nil {
		t.Fatal(err)
	}
	games := report.New + 1 - len(gone)
	inStep(t, l, games)

	// Another process that reads.
	reader := openBookLibrary(t, dir, qipu.Options{ReadOnly: true})
	inStep(t, reader, games)
	games += importText(t, l, "e.txt", transcripts(rng, 20)).New
	inStep(t, reader, games)
	if err := l.Records().Delete(t.Context(), ids.ToArray()[0]); err != nil {
		t.Fatal(err)
	}
	games--
	inStep(t, reader, games)
	inStep(t, l, games)
	l.Close()

	// Changes by a process that never asks for the book.
	l = openBookLibrary(t, dir, qipu.Options{})
	games += importText(t, l, "f.txt", transcripts(rng, 5)).New
	l.Records().Delete(t.Context(), ids.ToArray()[1])
	games--
	l.Close()
	l = openBookLibrary(t, dir, qipu.Options{})
	inStep(t, l, games)

	// Copied from another library.
	other := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	inStep(t, other, 0)
	ids, _ = l.Records().IDs(t.Context(), "othello 8x8")
	if _, err := l.Records().Copy(t.Context(), other.Records(), ids.ToArray(), library.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	inStep(t, other, games)
}

// TestBookFiles checks that files of books may be missing, damaged or left over:
// the book is made anew, for reading only in memory.
func TestBookFiles(t *testing.T) {
	dir := t.TempDir()
	l := openBookLibrary(t, dir, qipu.Options{Create: true})
	games := importText(t, l, "a.txt", transcripts(rand.New(rand.NewPCG(2, 2)), 60)).New
	inStep(t, l, games)
	l.Close()
	files := bookFiles(t, dir)
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	whole, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	again := func(readOnly bool, want int) {
		t.Helper()
		l := openBookLibrary(t, dir, qipu.Options{ReadOnly: readOnly})
		inStep(t, l, games)
		l.Close()
		if files = bookFiles(t, dir); len(files) != want {
			t.Fatalf("files %v", files)
		}
	}
	again(false, 1)
	whole[len(whole)/2] ^= 1
	if err := os.WriteFile(files[0], whole, 0o666); err != nil {
		t.Fatal(err)
	}
	again(true, 1)
	again(false, 1)
	os.Remove(files[0])
	again(true, 0)
	again(false, 1)
	// One that a killed process began, and an older one.
	old := filepath.Join(dir, "book", "othello-8x8-000000.seg")
	if err := os.WriteFile(old, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	again(false, 2)
	l = openBookLibrary(t, dir, qipu.Options{})
	games += importText(t, l, "b.txt", transcripts(rand.New(rand.NewPCG(3, 3)), 40)).New
	inStep(t, l, games)
	l.Close() // much has changed: a new file
	again(false, 1)

	// The same records make the same file.
	first, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	l = openBookLibrary(t, dir, qipu.Options{})
	done := 0
	if err := l.Books().Build(t.Context(), kindOf(t, l, "othello"), func(n, _ int) { done = n }); err != nil {
		t.Fatal(err)
	}
	l.Close()
	_ = done // small books are made between two reports
	if files = bookFiles(t, dir); len(files) != 2 || !strings.Contains(files[0], "here-othello") {
		t.Fatalf("files %v: one of records, one of games that were played here", files)
	}
	second, err := os.ReadFile(files[1])
	if err != nil || len(first) != len(second) {
		t.Fatalf("%v: %d bytes, and not %d", err, len(second), len(first))
	}
}

// TestBookFiled checks that a book gets a new file when much has changed, while
// it is in use.
func TestBookFiled(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(4, 4))
	l := openBookLibrary(t, dir, qipu.Options{Create: true})
	games := importText(t, l, "a.txt", transcripts(rng, 60)).New
	inStep(t, l, games)
	first := bookFiles(t, dir)
	for i := range 3 {
		games += importText(t, l, fmt.Sprintf("%d.txt", i), transcripts(rng, 200)).New
		othelloBook(t, l)
	}
	testkit.Until(t, "the files are one, and another than the first", func() bool {
		files := bookFiles(t, dir)
		return len(files) == 1 && !slices.Equal(files, first)
	})
	inStep(t, l, games)
	if files := bookFiles(t, dir); len(files) != 1 || slices.Equal(files, first) {
		t.Errorf("files %v after %v", files, first)
	}
}

// TestBookStopped stops the making of a book: what was stored before is in the
// next one all the same.
func TestBookStopped(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	l := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	games := importText(t, l, "a.txt", transcripts(rng, 1030)).New
	othelloBook(t, l)
	games += importText(t, l, "b.txt", transcripts(rng, 3)).New
	ctx, cancel := context.WithCancel(t.Context())
	err := l.Books().Build(ctx, kindOf(t, l, "othello"), func(done, total int) {
		if done == 0 || total != games {
			t.Errorf("%d of %d games are done, and there are %d", done, total, games)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("it was stopped, and says %v", err)
	}
	if n := othelloBook(t, l).Games(); n != games {
		t.Errorf("%d games, and not %d", n, games)
	}
}

// TestBookConcurrent looks things up while games are stored and deleted: what a
// call has stored is in the next book, and nobody sees less than there was.
func TestBookConcurrent(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	l := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	games := importText(t, l, "a.txt", transcripts(rng, 30)).New
	othelloBook(t, l)
	kind := kindOf(t, l, "othello")
	stop := make(chan struct{})
	var wait sync.WaitGroup
	for range 3 {
		wait.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				b, err := l.Books().Book(t.Context(), kind)
				if err != nil {
					t.Error(err)
					return
				}
				if e, ok := b.Look(kind.Rules.Start(), book.LookOptions{Threshold: 2}); !ok || e.N < games {
					t.Errorf("%d games of at least %d", e.N, games)
					return
				}
			}
		})
	}
	more := games
	for i := range 8 {
		more += importText(t, l, fmt.Sprintf("%d.txt", i), transcripts(rng, 10)).New
		if n := othelloBook(t, l).Games(); n != more {
			t.Errorf("%d games, and not %d", n, more)
		}
	}
	close(stop)
	wait.Wait()
	inStep(t, l, more)
}

// TestBookKinds checks that every game has a book.
func TestBookKinds(t *testing.T) {
	l := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	copySample(t, l)
	tally, err := l.Records().Tally(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, n := range tally {
		kinds[n.Kind.Rules.Info().Name] = true
		b, err := l.Books().Book(t.Context(), n.Kind)
		if err != nil {
			t.Fatal(err)
		}
		e, _ := b.Look(n.Kind.Rules.Start(), book.LookOptions{})
		if b.Games() != n.Games || b.Positions() == 0 {
			t.Errorf("%s: %d of %d games, %d at the start", n.Kind.Name, b.Games(), n.Games, e.N)
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only %v", kinds)
	}
}

func playedText(t testing.TB, text string) (list []game.Move) {
	t.Helper()
	list, err := game.ParseMoves(othello.Standard, othello.Standard.Start(), text)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestBookReport measures the book of all shared games of Othello in a library,
// and puts the table into the document.
func TestBookReport(t *testing.T) {
	if !testkit.Full() {
		t.Skip("a measurement: make soak runs it")
	}
	dir := t.TempDir()
	l := openBookLibrary(t, dir, qipu.Options{Create: true})
	if _, err := l.Import(t.Context(), library.ImportOptions{}, testkit.Data(t, "othello/wthor.tar.gz")); err != nil {
		t.Fatal(err)
	}
	kind := kindOf(t, l, "othello")
	var out strings.Builder
	out.WriteString("| measure | got | must | stretch |\n|---|---|---|---|\n")
	row := func(name, format string, got, must, stretch float64, more bool) {
		fmt.Fprintf(&out, "| %s | "+format+" | "+format+" | "+format+" |\n", name, got, must, stretch)
		if more && got < must || !more && got > must {
			t.Errorf("%s: %v, must be %v", name, got, must)
		}
	}
	began := testkit.CPU()
	if err := l.Books().Build(t.Context(), kind, nil); err != nil {
		t.Fatal(err)
	}
	b := othelloBook(t, l)
	row("stored records into the durable file, games/s of one core", "%.0f", float64(b.Games())/(testkit.CPU()-began).Seconds(), 10000, 40000, true)
	open := time.Hour
	for range 5 {
		r := openBookLibrary(t, dir, qipu.Options{ReadOnly: true})
		began := testkit.CPU()
		othelloBook(t, r)
		open = min(open, testkit.CPU()-began)
		r.Close()
	}
	row("open, nothing changed, ms", "%.0f", open.Seconds()*1e3, 200, 200, false)
	looks, found := 0, testkit.CPU()
	k := book.NewKeyer(othello.Standard)
	for g, err := range b.List() {
		if err != nil {
			t.Fatal(err)
		}
		if g.ID%5 != 0 {
			continue
		}
		p := othello.Standard.Start()
		for _, m := range g.Moves {
			if p.Play(m) != nil {
				t.Fatal("an illegal move")
			}
			if key, _ := k.Key(p); looks >= 0 {
				b.Node(key)
				looks++
			}
		}
	}
	row("look-up with move and canonical form, millions a second", "%.2f", float64(looks)/(testkit.CPU()-found).Seconds()/1e6, 1, 2.5, true)
	first := testkit.CPU()
	b.Look(kind.Rules.Start(), book.LookOptions{NoBelow: true})
	fmt.Fprintf(&out, "| R of the start, the first time, ms | %.0f | | |\n", (testkit.CPU()-first).Seconds()*1e3)
	for _, line := range []string{"f5", "f5d6", "f5d6c3d3c4"} {
		p, _, err := game.ParseLine(kind.Rules, line)
		if err != nil {
			t.Fatal(err)
		}
		began := testkit.CPU()
		e, _ := b.Look(p, book.LookOptions{})
		fmt.Fprintf(&out, "| positions below %s (%d), the first time, ms | %.0f | | |\n", line, e.Below, (testkit.CPU()-began).Seconds()*1e3)
	}
	stored, fold, _, idle := foldGames(t, l, kind, 300)
	ms := func(list []time.Duration, percent int) float64 {
		return list[(len(list)-1)*percent/100].Seconds() * 1e3
	}
	row("finished game folded and visible, 99 of 100, ms by the clock", "%.1f", ms(fold, 99), 50, 5, false)
	fmt.Fprintf(&out, "| the same, half of them and the slowest of 300, ms | %.1f, %.1f | | |\n", ms(fold, 50), ms(fold, 100))
	fmt.Fprintf(&out, "| storing it before that, half of them and 99 of 100, ms | %.1f, %.1f | | |\n", ms(stored, 50), ms(stored, 99))
	fmt.Fprintf(&out, "| half a millisecond of counting meanwhile, 99 of 100 and the slowest, ms | %.1f, %.1f | | |\n", ms(idle, 99), ms(idle, 100))
	r := openBookLibrary(t, dir, qipu.Options{ReadOnly: true})
	began = testkit.CPU()
	othelloBook(t, r)
	fmt.Fprintf(&out, "| open, 300 games behind the file, ms | %.0f | | |\n", (testkit.CPU()-began).Seconds()*1e3)
	testkit.Section(t, "../../docs/book.md", "speed", out.String())
}

// foldGames plays games and stores them. It returns, the quickest first, how long
// storing took, how long the book took to have each, by the clock and in processor
// time, and how long half a millisecond of work took that waits for nothing: what
// the machine itself does to such measures.
func foldGames(t testing.TB, l *qipu.Library, kind *index.Kind, n int) (stored, folded, worked, idle []time.Duration) {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 5))
	start := kind.Rules.Start()
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	othelloBook(t, l).Look(start, book.LookOptions{})
	for range n {
		g := &record.Game{Kind: "othello", Format: "transcript"}
		g.Add(0, 0, "")
		at := int32(0)
		for _, m := range playedText(t, strings.TrimSpace(transcripts(rng, 1))) {
			if m != game.Pass {
				at = g.Add(at, 0, game.FormatMove(othello.Standard, start, m, game.AnyNotation))
			}
		}
		played := referee.Play(g)
		before := othelloBook(t, l).Games()
		began := time.Now()
		if _, err := l.Records().Add(t.Context(), played); err != nil {
			t.Fatal(err)
		}
		stored = append(stored, time.Since(began))
		began = time.Now()
		cpu := testkit.CPU()
		e, ok := othelloBook(t, l).Look(start, book.LookOptions{NoBelow: true})
		folded, worked = append(folded, time.Since(began)), append(worked, testkit.CPU()-cpu)
		if !ok || e.N != before+1 {
			t.Fatalf("%d games have become %d", before, e.N)
		}
		began = time.Now()
		for cpu := testkit.CPU(); testkit.CPU()-cpu < 500*time.Microsecond; {
		}
		idle = append(idle, time.Since(began))
	}
	for _, list := range [][]time.Duration{stored, folded, worked, idle} {
		slices.Sort(list)
	}
	return stored, folded, worked, idle
}

// TestBookFolds holds the promise of the report on a small library: a game is
// visible at once.
func TestBookFolds(t *testing.T) {
	l := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	importText(t, l, "a.txt", transcripts(rand.New(rand.NewPCG(9, 9)), 30))
	_, _, worked, _ := foldGames(t, l, kindOf(t, l, "othello"), 40)
	if half := worked[len(worked)/2]; half > 50*time.Millisecond {
		t.Errorf("half of the games take %v of processor time to be visible", half)
	}
}

func kindOf(tb testing.TB, l *qipu.Library, spec string) *index.Kind {
	tb.Helper()
	k, err := l.Records().Kind(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// copySample imports the demo set.
func copySample(t *testing.T, l *qipu.Library) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "files")
	err := os.CopyFS(dir, sample.Files())
	if err == nil {
		_, err = l.Import(t.Context(), library.ImportOptions{}, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
}
