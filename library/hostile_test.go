package library_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/library/ask"
	"qipu/retrieve"
	"qipu/store"
)

// A family is hostile input that can be made as large as one likes. A stage that
// compares every record with every other shows in it.
type family struct {
	name string
	make func(n int) []byte // a file whose size grows as n does

	// label is what the library of the family is marked with, nil for nothing.
	label func(tx store.Tx, games []uint32) error
}

// records makes a family of the records that one function writes.
func records(name string, one func(i, n int) string) family {
	return family{name: name, make: func(n int) []byte {
		var b bytes.Buffer
		for i := range n {
			b.WriteString(one(i, n))
			b.WriteByte('\n')
		}
		return b.Bytes()
	}}
}

// single makes a family of one record of n parts.
func single(name, before, after string, part func(i int) string) family {
	return family{name: name, make: func(n int) []byte {
		var b bytes.Buffer
		b.WriteString(before)
		for i := range n * partsEach {
			b.WriteString(part(i))
		}
		b.WriteString(strings.ReplaceAll(after, "$", strings.Repeat(")", n*partsEach)))
		return b.Bytes()
	}}
}

// partsEach is how many parts of one record stand for a record of its own.
const partsEach = 8

// sgf writes a Go game.
func sgf(headers, moves string) string { return "(;GM[1]SZ[19]" + headers + moves + ")" }

// walk writes moves that capture nothing: Black's are above the middle line,
// White's below it. Two of one seed are beginnings of one game.
func walk(seed uint64, plies int) string {
	rng := rand.New(rand.NewPCG(seed, 7))
	var b strings.Builder
	var used [2][171]bool
	for ply := range plies {
		side := ply & 1
		p := rng.IntN(171)
		for used[side][p] {
			p = (p + 1) % 171
		}
		used[side][p] = true
		fmt.Fprintf(&b, ";%c[%c%c]", "BW"[side], 'a'+p%19, 'a'+p/19+10*side)
	}
	return b.String()
}

func players(i int) string { return fmt.Sprintf("PB[Lee %d]PW[Kim %d]", i, i) }

// families are ordered by what they are aimed at.
var families = []family{
	// What is one with what.
	records("one game", func(i, n int) string { return sgf("PB[A]PW[B]", walk(1, 60)) }),
	records("one game, other players each time", func(i, n int) string { return sgf(players(i), walk(1, 60)) }),
	records("one short game, other players each time", func(i, n int) string { return sgf(players(i), walk(1, 12)) }),
	records("one game, other results and years", func(i, n int) string {
		return sgf(fmt.Sprintf("RE[%c+%d]DT[%d]", "BW"[i&1], i%300, 1000+i%1000), walk(1, 30))
	}),
	records("one game, other comments each time", func(i, n int) string { return sgf("PB[A]PW[B]", walk(1, 60)+fmt.Sprintf("C[comment %d]", i)) }),
	records("two that contradict, copies without headers", func(i, n int) string {
		return sgf([]string{"PB[A]PW[B]RE[B+R]", "PB[C]PW[D]RE[W+R]", ""}[min(i, 2)], walk(1, 3))
	}),
	records("many that contradict, copies without headers", func(i, n int) string {
		if i < n/2 {
			return sgf(players(i), walk(1, 30))
		}
		return sgf("", walk(1, 30))
	}),
	records("many that contradict, copies with one name", func(i, n int) string {
		if i%2 == 0 {
			return sgf(players(i), walk(1, 30))
		}
		return sgf(fmt.Sprintf("PB[Lee %d]", i-1), walk(1, 30))
	}),
	records("many links", func(i, n int) string {
		return sgf(players(i)+fmt.Sprintf("DT[%d]", 1000+3*(i%300)), walk(1, 60))
	}),
	records("beginnings of one game", func(i, n int) string { return sgf("PB[A]PW[B]", walk(1, 10+i%150)) }),
	records("beginnings of one game, other players", func(i, n int) string { return sgf(players(i), walk(1, 10+i%150)) }),
	records("beginnings of one game, other comments", func(i, n int) string {
		return sgf("PB[A]PW[B]", walk(1, 10+i%100)+fmt.Sprintf("C[comment %d]", i))
	}),
	records("each game longer three times", func(i, n int) string {
		return sgf("PB[A]PW[B]", walk(uint64(i%(n/4)), 20+20*(i/(n/4))))
	}),
	records("40 moves in common", func(i, n int) string { return sgf("", forked(uint64(i), 40, 60+i%20)) }),
	records("40 moves in common, beginnings", func(i, n int) string { return sgf("", forked(uint64(i/2), 45, 50+10*(i%2)+i%7)) }),
	records("12 moves in common, other players", func(i, n int) string { return sgf(players(i), forked(uint64(i%(n/4)), 12, 16)) }),
	records("one position in other orders", func(i, n int) string { return sgf(players(i), shuffled(uint64(i), 24)) }),
	records("beginnings of one opening, other players", func(i, n int) string {
		return sgf(players(i), walk(1, 12)+strings.Repeat(";B[];W[]", i%2))
	}),
	records("short games", func(i, n int) string { return sgf("", walk(uint64(i), 3)) }),
	records("empty records", func(i, n int) string { return "(;)" }),
	records("empty records, other players", func(i, n int) string { return sgf(players(i), "") }),
	records("broken records", func(i, n int) string { return "(;GM[1]B[zz];W[" }),
	records("moves that break the rules", func(i, n int) string { return sgf("", fmt.Sprintf(";B[aa];W[aa]C[%d];B[aa]", i)) }),

	// Headers and names.
	records("one player", func(i, n int) string { return sgf(fmt.Sprintf("PB[A]PW[B %d]", i), walk(uint64(i), 20)) }),
	records("one event", func(i, n int) string { return sgf("EV[The Cup]RO[1]"+players(i), walk(uint64(i), 20)) }),
	records("an event each", func(i, n int) string {
		return sgf(fmt.Sprintf("EV[Cup %d]RO[%d]PC[Town %d]", i, i, i), walk(uint64(i), 20))
	}),
	records("names that are alike", func(i, n int) string {
		return sgf(fmt.Sprintf("PB[%s]PW[%s]", strings.Repeat("Anna", 1+i%7)+fmt.Sprint(i), "Anna "+fmt.Sprint(i/2)), walk(uint64(i), 20))
	}),
	records("names that fold alike", func(i, n int) string {
		return sgf(fmt.Sprintf("PB[%s]PW[B]", cased("georgejohannesson", i)), walk(uint64(i), 20))
	}),
	records("large headers", func(i, n int) string { return sgf("GC["+strings.Repeat("large ", 200)+"]", walk(uint64(i), 5)) }),
	single("one large header", "(;GM[1]SZ[19]GC[", "];B[aa])", func(i int) string { return "header " }),
	single("many unknown properties", "(;GM[1]SZ[19]", ";B[aa])", func(i int) string { return fmt.Sprintf("X%s[%d]", letters(i), i) }),
	single("one property many times", "(;GM[1]SZ[19]", ";B[aa])", func(i int) string { return "XX[a]" }),

	// Texts.
	records("one comment", func(i, n int) string { return sgf("", walk(uint64(i), 10)+"C[the same words in every game]") }),
	records("long comments", func(i, n int) string {
		return sgf("", walk(uint64(i), 5)+"C["+strings.Repeat(fmt.Sprintf("w%d ", i), 100)+"]")
	}),
	single("one long comment", "(;GM[1]SZ[19];B[aa]C[", "])", func(i int) string { return fmt.Sprintf("w%d \\] ", i) }),

	// Trees.
	single("a deep tree", "(;GM[1]SZ[19]", "$)", func(i int) string { return fmt.Sprintf("(;%c[]", "BW"[i&1]) }),
	single("a deep tree with a second branch everywhere", "(;GM[1]SZ[19]", "$)", func(i int) string { return fmt.Sprintf("(;%c[aa])(;%c[]", "BW"[i&1], "BW"[i&1]) }),
	single("a wide tree", "(;GM[1]SZ[19]", ")", func(i int) string { return fmt.Sprintf("(;B[%s];W[%s])", point(i), point(i/361+i+1)) }),
	single("brackets", "", "", func(i int) string { return "(" }),
	single("passes", "(;GM[1]SZ[19]", ")", func(i int) string { return fmt.Sprintf(";%c[]", "BW"[i&1]) }),
	single("marks", "(;GM[1]SZ[19];B[aa]LB", ")", func(i int) string { return fmt.Sprintf("[%s:%d]", point(i), i) }),
	single("setup in the middle", "(;GM[1]SZ[19]", ")", func(i int) string { return fmt.Sprintf(";AE[%s]AB[%s]", point(i), point(i+1)) }),
	records("setup positions", func(i, n int) string {
		return sgf(fmt.Sprintf("AB[%s][%s]", point(i), point(i/361+7*i+1)), ";W[dd];B[qq]")
	}),

	// Files and labels.
	tarred("files of an archive", func(i int) string { return sgf("", walk(uint64(i), 5)) }),
	tarred("files of an archive, one game", func(i int) string { return sgf("PB[A]PW[B]", walk(1, 60)) }),
	labelled("a tag for each game", func(tx store.Tx, games []uint32) error {
		for i := range games {
			if err := tx.Tag(fmt.Sprintf("tag %d", i), games[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}),
	labelled("four tags for each game, on one", func(tx store.Tx, games []uint32) error {
		for i := range 4 * len(games) {
			if err := tx.Tag(fmt.Sprintf("tag %d", i), games[:1]); err != nil {
				return err
			}
		}
		return nil
	}),
	labelled("four collections for each game, of one", func(tx store.Tx, games []uint32) error {
		for i := range 4 * len(games) {
			id, err := tx.CreateCollection(fmt.Sprintf("collection %d", i), "")
			if err == nil {
				err = tx.Collect(id, games[:1])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}),
	labelled("a collection for each game", func(tx store.Tx, games []uint32) error {
		for i := range games {
			id, err := tx.CreateCollection(fmt.Sprintf("collection %d", i), "")
			if err == nil {
				err = tx.Collect(id, games[i:i+1])
			}
			if err != nil {
				return err
			}
		}
		return nil
	}),
}

// forked writes moves of which the first so many are those of all games, and the
// others of one.
func forked(seed uint64, common, plies int) string {
	head := walk(1, common)
	var b strings.Builder
	b.WriteString(head)
	rng := rand.New(rand.NewPCG(seed, 9))
	for ply := common; ply < plies; ply++ {
		for {
			move := fmt.Sprintf("%c[%c%c]", "BW"[ply&1], 'a'+rng.IntN(19), 'a'+rng.IntN(9)+10*(ply&1))
			if !strings.Contains(b.String(), move) {
				b.WriteString(";" + move)
				break
			}
		}
	}
	return b.String()
}

// shuffled writes the same moves of each side in an order of its own.
func shuffled(seed uint64, plies int) string {
	moves := strings.Split(walk(1, plies), ";")[1:]
	rng := rand.New(rand.NewPCG(seed, 11))
	rng.Shuffle(plies/2, func(i, j int) { moves[2*i], moves[2*j] = moves[2*j], moves[2*i] })
	rng.Shuffle(plies/2, func(i, j int) { moves[2*i+1], moves[2*j+1] = moves[2*j+1], moves[2*i+1] })
	return ";" + strings.Join(moves, ";")
}

// cased writes a word in one of the ways of upper and lower case.
func cased(word string, i int) string {
	b := []byte(word)
	for k := range b {
		if i>>k&1 == 1 {
			b[k] -= 'a' - 'A'
		}
	}
	return string(b)
}

func letters(i int) string { return fmt.Sprintf("%c%c%c", 'A'+i%26, 'A'+i/26%26, 'A'+i/676%26) }

func point(i int) string { return fmt.Sprintf("%c%c", 'a'+i%19, 'a'+i/19%19) }

// tarred makes a family of archives.
func tarred(name string, one func(i int) string) family {
	return family{name: name, make: func(n int) []byte {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for i := range n {
			text := one(i)
			w.WriteHeader(&tar.Header{Name: fmt.Sprintf("games/%d.sgf", i), Mode: 0o600, Size: int64(len(text))})
			w.Write([]byte(text))
		}
		w.Close()
		return b.Bytes()
	}}
}

func labelled(name string, label func(store.Tx, []uint32) error) family {
	f := records(name, func(i, n int) string { return sgf("", walk(uint64(i), 10)) })
	f.label = label
	return f
}

// spent is what a size of a family costs.
type spent struct{ in, after time.Duration }

// cost imports a file of a family into a library of its own, looks at everything
// there, and returns the time of the processor.
func (f *family) cost(t *testing.T, n, batch int) (s spent) {
	t.Helper()
	dir := t.TempDir()
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "games.sgf")
	if err := os.WriteFile(file, f.make(n), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	began := testkit.CPU()
	l, err := qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(ctx, library.ImportOptions{BatchGames: batch}, file); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil { // when tables have been merged
		t.Fatal(err)
	}
	s.in = testkit.CPU() - began
	began = testkit.CPU()
	if l, err = qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{}); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	all, err := l.Records().IDs(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	if f.label != nil {
		if err := l.Notes().Edit(ctx, func(tx store.Tx) error { return f.label(tx, all.ToArray()) }); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Notes().Tags(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Notes().Collections(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range l.Records().Walk(ctx, all.ToArray()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range all.ToArray()[:min(1, all.GetCardinality())] {
		_, err1 := l.Records().Sources(ctx, id)
		_, err2 := l.Records().Links(ctx, id)
		_, err3 := l.Notes().TagsOf(ctx, id)
		_, err4 := l.Notes().CollectionsOf(ctx, id)
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Players().Register(ctx, ""); err != nil {
		t.Fatal(err)
	}
	for _, by := range []retrieve.Dimension{retrieve.ByPlayer, retrieve.ByEvent} {
		if _, err := l.Ask(ctx, &ask.Question{Text: "player:a", Game: "go", Request: retrieve.Request{By: by, Limit: 20}}); err != nil {
			t.Fatal(err)
		}
	}
	s.after = testkit.CPU() - began
	return s
}

// exponent returns the power of the size by which a cost grows over two doublings.
// Costs that are lost in those of an empty library do not count.
func exponent(small, large time.Duration) float64 {
	const least = 20 * time.Millisecond
	return math.Log2(float64(max(large, least))/float64(max(small, least))) / 2
}

// batches is in how many batches a file is imported, whatever its size: so many
// that tables are merged once. How often they are merged grows with the logarithm of
// the number of batches, which is not what is looked for.
const batches = 16

// TestHostile imports families of hostile files at sizes n, 2n and 4n, each of
// several batches, and looks at the libraries that they make: what it costs grows
// as the files do. Time of the processor is measured, which neighbours on the
// machine only ever make more: what seems to grow too fast is measured again, and
// the least counts. At the small scale of CI the beginnings of curves are seen,
// where a square shows as 2 and much else as more than 1.
func TestHostile(t *testing.T) {
	n, limit := testkit.Scale(384, 8192), 1.5
	if testkit.Full() {
		limit = 1.15
	}
	var table strings.Builder
	fmt.Fprintf(&table, "| family | import of %d | exponent | answers | exponent |\n|---|---:|---:|---:|---:|\n", 4*n)
	rows := 0
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			row, in, after := f.measure(t, n, limit)
			t.Log(row)
			table.WriteString(row + "\n")
			rows++
			if in > limit || after > limit {
				t.Errorf("grows faster than its size to the power of %.2f: %s", limit, row)
			}
		})
	}
	if testkit.Full() && rows == len(families) {
		testkit.Section(t, "../docs/robustness.md", "families", table.String())
	}
}

// measure returns a row of the table, and how what a family costs grows: the import, and
// what comes behind it.
func (f *family) measure(t *testing.T, n int, limit float64) (row string, in, after float64) {
	t.Helper()
	var best [3]spent
	for try := range 5 {
		for i := range best {
			s := f.cost(t, n<<i, n<<i/batches)
			if try == 0 {
				best[i] = s
			}
			best[i] = spent{min(best[i].in, s.in), min(best[i].after, s.after)}
		}
		in, after = exponent(best[0].in, best[2].in), exponent(best[0].after, best[2].after)
		if in <= limit && after <= limit {
			break
		}
	}
	return fmt.Sprintf("| %s | %.2f s | %.2f | %.2f s | %.2f |", f.name, best[2].in.Seconds(), in, best[2].after.Seconds(), after), in, after
}

// TestHostileAgain imports hostile files again: every record finds the game
// that it became, however many there are of its moves.
func TestHostileAgain(t *testing.T) {
	n := testkit.Scale(96, 2000)
	for _, f := range families {
		dir := t.TempDir()
		file := filepath.Join(dir, "games.sgf")
		if err := os.WriteFile(file, f.make(n), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := qipu.Open(t.Context(), filepath.Join(dir, "library"), qipu.Options{Create: true})
		if err != nil {
			t.Fatal(err)
		}
		for try := range 2 {
			report, err := l.Import(t.Context(), library.ImportOptions{BatchGames: n / 4, Again: true}, file)
			if err != nil {
				t.Fatal(err)
			}
			if try > 0 && report.New+report.Twins > 0 {
				t.Errorf("%s: import %d brings %d new games and %d twins", f.name, try+1, report.New, report.Twins)
			}
		}
		l.Close()
	}
}

// TestMutated imports real files of all formats that were flipped, cut, spliced and
// repeated, all at once. However they are broken, a file costs little.
func TestMutated(t *testing.T) {
	var seeds [][2]string // name, text
	root := filepath.Join("..", "testdata", "corpus")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil && len(data) > 0 && len(data) < 32<<10 {
			seeds = append(seeds, [2]string{filepath.Base(path), string(data)})
		}
		return err
	})
	if err != nil || len(seeds) == 0 {
		t.Fatalf("%d files in the corpus: %v", len(seeds), err)
	}
	dir := t.TempDir()
	files := testkit.Scale(300, 50000)
	rng := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := range files {
		seed := seeds[rng.IntN(len(seeds))]
		data := mutate(rng, []byte(seed[1]), seeds[rng.IntN(len(seeds))][1])
		w.WriteHeader(&tar.Header{Name: fmt.Sprintf("%d-%s", i, seed[0]), Mode: 0o600, Size: int64(len(data))})
		w.Write(data)
	}
	w.Close()
	file := filepath.Join(dir, "mutated.tar")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := qipu.Open(t.Context(), filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	began := testkit.CPU()
	report, err := l.Import(t.Context(), library.ImportOptions{BatchGames: testkit.Scale(256, 8192)}, file)
	if err != nil {
		t.Fatal(err)
	}
	spent := testkit.CPU() - began
	t.Logf("%d files, %d games, %d KB: %v", files, report.Games, b.Len()>>10, spent)
	// A megabyte of whole files costs some 0.5 s.
	if most := time.Duration(b.Len()>>10) * 20 * time.Millisecond; spent > most {
		t.Errorf("%d mutated files of %d KB took %v of the processor, want at most %v", files, b.Len()>>10, spent, most)
	}
}

// mutate returns a text with a few things done to it.
func mutate(rng *rand.Rand, data []byte, other string) []byte {
	for range 1 + rng.IntN(4) {
		if len(data) == 0 {
			return data
		}
		at := rng.IntN(len(data))
		to := at + rng.IntN(min(len(data)-at, 200)+1)
		switch rng.IntN(7) {
		case 0:
			data[at] ^= 1 << rng.IntN(8)
		case 1:
			data = data[:at]
		case 2:
			data = append(data[:at:at], data[to:]...)
		case 3:
			data = append(data[:at:at], other[min(at, len(other)):]...)
		case 4:
			data = append(data[:at:at], append(bytes.Repeat(data[at:to], 1+rng.IntN(20)), data[to:]...)...)
		case 5:
			data = append(data[:at:at], append([]byte("99999999999999999999"), data[to:]...)...)
		default:
			data = append(data[:at:at], append(bytes.Repeat([]byte("(;"), rng.IntN(500)), data[to:]...)...)
		}
	}
	return data
}
