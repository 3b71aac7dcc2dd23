package jobs

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/store"
	"qipu/view"
)

func testOptions() Options { return Options{batch: 40} }

func open(t testing.TB, dir string) *library.Library {
	t.Helper()
	lib, err := library.Open(t.Context(), dir, library.Options{Create: true, Games: builtin.Games(), Formats: builtin.Formats()})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func closeAll(t testing.TB, m *Manager, lib *library.Library) {
	t.Helper()
	if err := m.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
}

// given is a file to upload.
type given struct {
	name string
	data []byte
}

// upload starts a job of files.
func upload(t testing.TB, m *Manager, spec Spec, set []given) Job {
	t.Helper()
	u, err := m.Begin(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range set {
		if _, err := u.Add(f.name, bytes.NewReader(f.data)); err != nil {
			t.Fatal(err)
		}
	}
	j, err := u.Start()
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// await waits until a job is in a state.
func await(t testing.TB, m *Manager, id int64, states ...State) Job {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(2 * time.Millisecond) {
		j, err := m.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range states {
			if j.State == s {
				return j
			}
		}
		if j.State.Ended() || time.Now().After(end) {
			t.Fatalf("job %d is %s, not %v: %s", id, j.State, states, j.Error)
		}
	}
}

// result is all that a job came to.
type result struct {
	Job     Job
	Faults  []view.Fault
	Games   []stowed
	Members int
}

// stowed is a game of the library.
type stowed struct {
	store.Game
	Sources []store.Source
	Links   []store.Link
	Record  []byte
}

// outcome reads what a job came to.
func outcome(t testing.TB, dir string, id int64) *result {
	t.Helper()
	lib := open(t, dir)
	m, err := Open(t.Context(), filepath.Join(dir, "jobs"), lib, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(t, m, lib)
	return gathered(t, m, lib, id)
}

func gathered(t testing.TB, m *Manager, lib *library.Library, id int64) *result {
	t.Helper()
	ctx := t.Context()
	j, err := m.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	r := &result{Job: j, Faults: allFaults(t, m, id, 37)}
	db := lib
	ids, err := db.IDs(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	games, err := db.Games(ctx, ids.ToArray())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		s := stowed{Game: g}
		s.Added = time.Time{}
		if s.Sources, err = db.Sources(ctx, g.ID); err == nil {
			s.Links, err = db.Links(ctx, g.ID)
		}
		if err == nil {
			for text, e := range db.Texts(ctx, []uint32{g.ID}) {
				s.Record, err = bytes.Clone(text.Record), e
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		r.Games = append(r.Games, s)
	}
	collections, err := lib.Notes().Collections(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range collections {
		r.Members += c.Games
	}
	return r
}

// allFaults pages through the list of a job.
func allFaults(t testing.TB, m *Manager, id int64, page int) []view.Fault {
	t.Helper()
	list := []view.Fault{}
	for after := int64(0); ; {
		p, err := m.Faults(id, after, page, Filter{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p.Faults...)
		if after = p.Next; after == 0 {
			return list
		}
	}
}

// uninterrupted returns what a set comes to in one go.
func uninterrupted(t testing.TB, set []given) *result {
	t.Helper()
	dir := t.TempDir()
	lib := open(t, dir)
	m, err := Open(t.Context(), filepath.Join(dir, "jobs"), lib, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer closeAll(t, m, lib)
	j := upload(t, m, Spec{Title: "damaged", Collection: "set"}, set)
	await(t, m, j.ID, Done)
	return gathered(t, m, lib, j.ID)
}

// damaged makes a set of so many records, of which many are damaged: cut,
// garbled, with illegal moves, in wrong encodings, empty, binary; some are
// there twice, or longer a second time. They are in collections, in single
// files of a zip archive, and in a packed tar archive.
func damaged(t testing.TB, n int, seed uint64) []given {
	t.Helper()
	d := &damager{rng: rand.New(rand.NewPCG(seed, 9))}
	var err error
	if d.rules, err = builtin.Games().Find("go:9x9"); err != nil {
		t.Fatal(err)
	}
	var set []given
	var zipped, tarred bytes.Buffer
	z := zip.NewWriter(&zipped)
	packed := gzip.NewWriter(&tarred)
	tr := tar.NewWriter(packed)
	for i := 0; i < n; {
		switch k := len(set) % 4; {
		case i >= n*3/4: // the last quarter is in the archives
			data := d.record()
			name := fmt.Sprintf("round %d/%d.sgf", i%7, i)
			if i%2 == 0 {
				w, err := z.Create(name)
				if err == nil {
					_, err = w.Write(data)
				}
				if err != nil {
					t.Fatal(err)
				}
			} else {
				err := tr.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data))})
				if err == nil {
					_, err = tr.Write(data)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			i++
		case k == 3:
			// A folder of small files, some of which are nothing at all.
			for range 9 {
				set = append(set, given{fmt.Sprintf("folder/single %d.sgf", i), d.record()})
				i++
			}
			set = append(set, given{fmt.Sprintf("folder/empty %d.sgf", i), nil}, given{fmt.Sprintf("folder/binary %d.dat", i), d.noise(500)})
		default:
			var b bytes.Buffer
			for range 40 {
				b.Write(d.record())
				b.WriteByte('\n')
				i++
			}
			set = append(set, given{fmt.Sprintf("collection %d.sgf", len(set)), b.Bytes()})
		}
	}
	for _, err := range []error{z.Close(), tr.Close(), packed.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return append(set, given{"棋谱.zip", zipped.Bytes()}, given{"rounds.tar.gz", tarred.Bytes()}, given{"cut.tar.gz", tarred.Bytes()[:tarred.Len()/2]})
}

type damager struct {
	rng   *rand.Rand
	rules game.Rules
	made  []written // earlier records
}

type written struct {
	head  string
	moves []string
}

func (d *damager) noise(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(d.rng.Uint32())
	}
	return b
}

// moves returns a random game.
func (d *damager) moves(n int) []string {
	p := d.rules.Start()
	var list []string
	for range n {
		moves := p.AppendMoves(nil)
		m := moves[d.rng.IntN(len(moves))]
		if m == game.Pass {
			continue
		}
		list = append(list, game.FormatMove(d.rules, p, m, "sgf"))
		if err := p.Play(m); err != nil {
			panic(err)
		}
	}
	return list
}

func (d *damager) record() []byte {
	moves := d.moves(20 + d.rng.IntN(20))
	head := fmt.Sprintf("GM[1]SZ[9]PB[Ito %d]PW[Park]DT[2001-02-03]", d.rng.IntN(1e6))
	switch d.rng.IntN(14) {
	case 0, 1: // again
		if len(d.made) > 0 {
			return sgf(head, d.made[d.rng.IntN(len(d.made))].moves)
		}
	case 2: // longer
		if len(d.made) > 0 {
			old := d.made[d.rng.IntN(len(d.made))]
			return sgf(old.head, append(old.moves[:len(old.moves):len(old.moves)], "tt", "tt"))
		}
	case 3: // illegal
		moves[len(moves)-1] = moves[d.rng.IntN(4)]
	case 4: // cut
		b := sgf(head, moves)
		return b[:d.rng.IntN(len(b))]
	case 5: // garbled
		b := sgf(head, moves)
		for range 6 {
			b[d.rng.IntN(len(b))] = byte(d.rng.Uint32())
		}
		return b
	case 6: // a wrong encoding
		head += "CA[UTF-8]EV[\xb5\xda\xd2\xbb\xbd\xec\xce\xa7\xc6\xe5\xc8\xfc]"
	case 7:
		return []byte("(;)")
	case 8:
		return d.noise(50 + d.rng.IntN(50))
	case 9: // no move at all
		moves[len(moves)/2] = "??"
	}
	d.made = append(d.made, written{head, moves})
	return sgf(head, moves)
}

func sgf(head string, moves []string) []byte {
	var b strings.Builder
	b.WriteString("(;" + head)
	for i, m := range moves {
		fmt.Fprintf(&b, ";%c[%s]", "BW"[i%2], m)
	}
	b.WriteString(")")
	return []byte(b.String())
}
