package livebook_test

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"qipu"
	"qipu/book"
	"qipu/game/othello"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/livebook"
)

// bookOf returns a book of games of one origin.
func bookOf(t testing.TB, l *qipu.Library, o livebook.Origin) *book.Book {
	t.Helper()
	b, err := l.Books().BookOf(t.Context(), kindOf(t, l, "othello"), o, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// apart checks how many games are in the books of either origin, and that records say
// what they said.
func apart(t testing.TB, l *qipu.Library, recorded, here int, said map[book.Key]book.Counts) {
	t.Helper()
	b, h := bookOf(t, l, livebook.Recorded), bookOf(t, l, livebook.Here)
	if b.Games() != recorded || h.Games() != here {
		t.Fatalf("%d records and %d games that were played here, want %d and %d", b.Games(), h.Games(), recorded, here)
	}
	if !maps.Equal(digest(t, b), said) {
		t.Fatal("records say something else than before")
	}
}

// TestHere: games that are played here change nothing that records say, and are
// counted at once in a book of their own, whoever looks, until they are deleted.
func TestHere(t *testing.T) {
	const moves = "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 g6"
	lib, open := playing(t)
	rng := rand.New(rand.NewPCG(5, 5))
	records := importText(t, lib, "a.txt", transcripts(rng, 60)).New
	// A file that somebody has called as games that are played here are noted is one of records.
	records += importText(t, lib, "play", transcripts(rng, 3)).New
	said := digest(t, othelloBook(t, lib))
	apart(t, lib, records, 0, said)
	h := open()
	played := playGame(t, h, "one", moves)
	apart(t, lib, records, 1, said)
	start := othello.Standard.Start()
	if e, ok := bookOf(t, lib, livebook.Here).Look(start, book.LookOptions{Threshold: 1}); !ok || e.N != 1 || len(e.Moves) != 1 || e.Losses+e.Wins != 1 {
		t.Errorf("the game that was played: %+v", e)
	}
	if known := playGame(t, h, "two", moves); known.Result.Fresh != 0 || played.Result.Fresh == 0 {
		t.Errorf("%d positions are new, and of the same game %d", played.Result.Fresh, known.Result.Fresh)
	}
	apart(t, lib, records, 2, said)

	// Another process that reads, and one of the records that a query finds.
	reader := openBookLibrary(t, lib.Records().Dir(), qipu.Options{ReadOnly: true})
	apart(t, reader, records, 2, said)
	kind := kindOf(t, lib, "othello")
	v, err := lib.Books().Volume(t.Context(), kind)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][2]int{"player:Ada": {0, 2}, "plies:40..": {records, 0}, "plies:1..": {records, 2}} {
		reply, err := lib.Ask(t.Context(), &ask.Question{Text: query, Game: "othello"})
		if err != nil || reply.Games != want[0]+want[1] {
			t.Fatalf("%s finds %+v: %v", query, reply, err)
		}
		if n, err := lib.Books().Narrow(t.Context(), kind, v, query, lib.Search().Finding(t.Context(), query, "othello")); err != nil || n.Book.Games() != want[0] || n.Here.Games() != want[1] || n.Theory != v.Theory {
			t.Errorf("%s: %d records and %d games that were played here: %v", query, n.Book.Games(), n.Here.Games(), err)
		}
	}

	// Copied, they are what they were.
	other := openBookLibrary(t, t.TempDir(), qipu.Options{Create: true})
	ids, err := lib.Records().IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Records().Copy(t.Context(), other.Records(), ids.ToArray(), library.CopyOptions{}); err != nil {
		t.Fatal(err)
	}
	apart(t, other, records, 2, digest(t, bookOf(t, other, livebook.Recorded)))

	if err := lib.Records().Delete(t.Context(), played.Result.Record); err != nil {
		t.Fatal(err)
	}
	apart(t, lib, records, 1, said)
	apart(t, reader, records, 1, said)
	first := ids.ToArray()[0]
	if err := lib.Records().Delete(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	said = digest(t, othelloBook(t, lib))
	apart(t, lib, records-1, 1, said)
	if err := lib.Books().Build(t.Context(), kind, nil); err != nil {
		t.Fatal(err)
	}
	apart(t, lib, records-1, 1, said)
}

// TestMixed opens a book as earlier versions made it, of games of every origin.
func TestMixed(t *testing.T) {
	lib, open := playing(t)
	dir := lib.Records().Dir()
	records := importText(t, lib, "a.txt", transcripts(rand.New(rand.NewPCG(7, 7)), 30)).New
	said := digest(t, othelloBook(t, lib))
	h := open()
	for i := range 3 {
		playGame(t, h, fmt.Sprint("game", i), "f5 d6 c3 d3")
	}
	apart(t, lib, records, 3, said)
	all := book.New(othello.Standard)
	for _, o := range []livebook.Origin{livebook.Recorded, livebook.Here} {
		for g, err := range bookOf(t, lib, o).List() {
			if err == nil {
				copied := *g
				copied.Moves = append(copied.Moves[:0:0], g.Moves...)
				err = all.Add(copied)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	version, err := lib.Records().Version(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	lib.Close()
	for _, path := range bookFiles(t, dir) {
		os.Remove(path)
	}
	const name = "othello-8x8-000041.seg"
	if err := all.Rebuild(t.Context(), book.Change{}, book.BuildOptions{Dir: filepath.Join(dir, "book"), Name: name, Note: version.Stamp()}); err != nil {
		t.Fatal(err)
	}
	all.Close()
	age(t, filepath.Join(dir, "book", name))

	reader := openBookLibrary(t, dir, qipu.Options{ReadOnly: true})
	apart(t, reader, records, 3, said)
	reader.Close()
	l := openBookLibrary(t, dir, qipu.Options{})
	apart(t, l, records, 3, said)
	testkit.Until(t, "the old file is gone", func() bool { return !strings.Contains(fmt.Sprint(bookFiles(t, dir)), name) })
	apart(t, l, records, 3, said)
	l.Close()
	l = openBookLibrary(t, dir, qipu.Options{})
	apart(t, l, records, 3, said)
	if b := bookOf(t, l, livebook.Recorded); b.Mixed() || b.Info().Waiting != 0 {
		t.Errorf("the new file is mixed: %+v", b.Info())
	}
}

// age makes the file of a book one of the version before.
func age(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	seal := func(b []byte) { le.PutUint64(b[56:], xxh3.Hash(b[:56])) }
	head, tail := data[:64], data[len(data)-64:]
	if le.Uint32(head[12:]) != 2 {
		t.Fatalf("the version of the file is %d", le.Uint32(head[12:]))
	}
	le.PutUint32(head[12:], 1)
	seal(head)
	copy(tail[40:48], head[56:])
	seal(tail)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
