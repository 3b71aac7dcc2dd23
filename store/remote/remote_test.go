package remote

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"qipu/book"
	"qipu/book/theory"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/play"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

func options(dir string) Options {
	return Options{
		Create: true, Holder: "a test", Games: builtin.Games(),
		Open: func(ctx context.Context, how How) (store.Library, error) {
			s, err := shard.Open(ctx, dir, shard.Options{ReadOnly: how.ReadOnly, Create: how.Create, Holder: "a test", Games: builtin.Games(), Kinds: how.Kinds, Marking: how.Marking, NoMerge: true})
			if err != nil {
				return nil, err
			}
			return s, nil
		},
	}
}

func open(t testing.TB, dir string) *Library {
	t.Helper()
	l, err := Open(t.Context(), dir, options(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// pair returns a library twice: as the process has it that writes, and as one that
// writes through it.
func pair(t testing.TB) (writer, other *Library) {
	t.Helper()
	dir := t.TempDir()
	writer = open(t, dir)
	other = open(t, dir)
	if !writer.Leads() || other.Leads() || other.direct {
		t.Fatal("the wrong one writes")
	}
	return writer, other
}

// kit is a library as the kit wants it: changes go through another one.
type kit struct {
	*Library
	writer *Library
	t      *testing.T
}

func (l *kit) Add(ctx context.Context, records []*record.Played) ([]store.Added, error) {
	return l.Library.Add(ctx, store.Batch{Records: records})
}

func (l *kit) BuildMarks(ctx context.Context, markers map[*index.Kind][]interval.Marker) error {
	_, err := l.Library.BuildMarks(ctx, markers, nil)
	return err
}

func (l *kit) Merge(ctx context.Context) error {
	_, err := l.Library.Merge(ctx)
	return err
}

// Reopen ends the one that writes or the one that writes through it, by turns.
func (l *kit) Reopen(ctx context.Context) error {
	if l.Library.Leads() || !l.writer.Leads() {
		if err := l.Library.Close(); err != nil {
			return err
		}
		l.writer = open(l.t, l.dir)
		l.Library = open(l.t, l.dir)
		return nil
	}
	return l.writer.Close()
}

func TestConformance(t *testing.T) {
	storetest.Run(t, storetest.Config{Games: builtin.Games(), Seed: 5, Open: func(t *testing.T) storetest.Library {
		writer, other := pair(t)
		return &kit{other, writer, t}
	}})
}

func games(n int) []*record.Played {
	m := storetest.NewMaker(builtin.Games(), 3)
	var list []*record.Played
	for range n {
		list = append(list, m.Play(m.Game("weiqi", "9x9", 30)))
	}
	return list
}

func count(t testing.TB, l *Library) int {
	t.Helper()
	ids, err := l.Records().IDs(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	return int(ids.GetCardinality())
}

// TestEverything does through another process whatever can be done.
func TestEverything(t *testing.T) {
	writer, l := pair(t)
	ctx := store.As(t.Context(), "somebody")
	var noted []store.Added
	b := store.Batch{Records: games(20), Note: func(added []store.Added) []store.Input {
		noted = added
		return []store.Input{{Path: "/later", Size: 7, ModTime: time.Unix(0, 5)}}
	}, Inputs: []store.Input{{Path: "/file", Size: 3, ModTime: time.Unix(1, 0)}}}
	added, err := l.Add(ctx, b)
	if err != nil || len(added) != 20 || !slices.Equal(noted, added) {
		t.Fatal(len(added), noted, err)
	}
	for _, path := range []string{"/later", "/file"} {
		if in, err := l.Notes().InputOf(ctx, path); err != nil || in == nil {
			t.Error(path, in, err)
		}
	}
	if again, err := l.Add(ctx, store.Batch{Records: games(3), DryRun: true}); err != nil || again[0].Status != store.StatusDuplicate {
		t.Error(again, err)
	}
	err = l.Notes().Edit(ctx, func(tx store.Tx) error {
		id, err := tx.CreateCollection("mine", "a note")
		if err != nil {
			return err
		}
		if _, err := tx.CreateCollection("mine", ""); !errors.Is(err, store.ErrExists) {
			t.Errorf("a second one of the name: %v", err)
		}
		if err := tx.DropTag("none"); !errors.Is(err, store.ErrNoRow) {
			t.Errorf("a tag that is not there: %v", err)
		}
		if list, err := l.Notes().Collections(ctx); err != nil || len(list) != 0 {
			t.Errorf("inside, the notes are those of before: %v %v", list, err)
		}
		return errors.Join(tx.Collect(id, []uint32{1, 2}), tx.Tag("good", []uint32{3}))
	})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := l.Notes().Tagged(ctx, "good"); err != nil || !m.Contains(3) {
		t.Error(m, err)
	}
	stop := errors.New("no")
	if err := l.Notes().Edit(ctx, func(tx store.Tx) error { return errors.Join(tx.DropTag("good"), stop) }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if tags, err := writer.Notes().Tags(ctx); err != nil || len(tags) != 1 {
		t.Errorf("a change that was given up: %v %v", tags, err)
	}
	if err := l.Delete(ctx, []uint32{20}); err != nil || count(t, l) != 19 {
		t.Error(err, count(t, l))
	}
	if err := l.AddSources(ctx, map[uint32][]store.Source{1: {{File: "elsewhere", Number: 2}}}); err != nil {
		t.Error(err)
	}
	if list, err := l.Records().Sources(ctx, 1); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
	testSessions(t, l)
	testValues(t, l)
	for name, err := range map[string]error{"compact": l.Compact(ctx), "reindex": l.Reindex(ctx, nil), "exclusive": l.Exclusive(ctx, func() error { return nil }), "exclusive there": writer.Exclusive(ctx, func() error { return nil })} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n, err := l.Repair(ctx, func(int, int) {}); err != nil || n != 0 {
		t.Error(n, err)
	}
	if err := l.Exclusive(ctx, func() error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
	if writer.Foreign() == 0 || l.Foreign() != -1 {
		t.Errorf("%d changes of others, %d", writer.Foreign(), l.Foreign())
	}
}

func testSessions(t *testing.T, l *Library) {
	ctx, s := t.Context(), l.Notes().Sessions()
	x := &play.Stored{Token: "abc", Kind: "go", State: []byte("{}"), Changed: time.Now()}
	id, err := s.Create(ctx, x)
	if err != nil || id == 0 {
		t.Fatal(id, err)
	}
	x.ID, x.Before, x.State = id, []byte("{}"), []byte(`{"a":1}`)
	if err := s.Save(ctx, x); err != nil {
		t.Error(err)
	}
	x.Before, x.State = []byte("{}"), []byte(`{"b":1}`)
	if err := s.Save(ctx, x); !errors.Is(err, play.ErrStale) {
		t.Errorf("two hosts of one game: %v", err)
	}
	if have, err := s.Load(ctx, "abc"); err != nil || string(have.State) != `{"a":1}` {
		t.Error(have, err)
	}
	if err := errors.Join(s.Tidy(ctx, time.Unix(0, 0)), s.Drop(ctx, id), s.Drop(ctx, id)); err != nil {
		t.Error(err)
	}
}

func testValues(t *testing.T, l *Library) {
	v := l.Notes().Values("othello 8x8")
	if _, ok := v.(theory.Log); !ok {
		t.Error("it cannot tell what has changed")
	}
	row := theory.Row{Key: book.Key{Hi: 1, Lo: 2}, Position: "p", Note: "n"}
	if err := v.Put(t.Context(), []theory.Row{row}); err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range v.Rows(t.Context()) {
		if err != nil || r.Key != row.Key {
			t.Error(r, err)
		}
		n++
	}
	if list, err := v.Find(t.Context(), 1); err != nil || len(list) != 1 || list[0].Note != "n" {
		t.Error(list, err)
	}
	if err := v.Drop(t.Context(), []book.Key{row.Key}); err != nil || n != 1 {
		t.Error(n, err)
	}
}

// TestReader: a library that is open for reading only notes searches beside a writer,
// too, and is none itself.
func TestReader(t *testing.T) {
	writer, _ := pair(t)
	o := options(writer.dir)
	o.ReadOnly = true
	l, err := Open(t.Context(), writer.dir, o)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	tag := func(name string) {
		t.Helper()
		if err := l.Notes().Edit(t.Context(), func(tx store.Tx) error { _, err := tx.CreateCollection(name, ""); return err }); err != nil {
			t.Error(err)
		}
	}
	tag("beside")
	if err := l.Delete(t.Context(), []uint32{1}); !errors.Is(err, store.ErrReadOnly) {
		t.Error(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	tag("alone")
	if list, err := l.Notes().Collections(t.Context()); err != nil || len(list) != 2 || l.Leads() {
		t.Error(list, err)
	}
}

// lossy is a connection that breaks before or behind a write of the host.
type lossy struct {
	net.Conn
	left *atomic.Int64 // writes until then
	said bool          // it is said, and the connection breaks behind it
}

func (c lossy) Write(p []byte) (int, error) {
	if c.left.Add(-1) == 0 {
		if c.said {
			c.Conn.Write(p)
		}
		c.Close()
		return 0, net.ErrClosed
	}
	return c.Conn.Write(p)
}

// TestBroken breaks connections at every message: everything happens once.
func TestBroken(t *testing.T) {
	for _, said := range []bool{false, true} {
		for n := 1; n < 14; n++ {
			t.Run(fmt.Sprint(said, n), func(t *testing.T) {
				writer, l := pair(t)
				for _, ln := range l.free {
					ln.drop()
				}
				var left atomic.Int64
				left.Store(int64(n))
				wrap := func(c net.Conn) net.Conn { return lossy{c, &left, said} }
				writer.host.wrap.Store(&wrap)
				list := games(6)
				for i, p := range list {
					added, err := l.Add(t.Context(), store.Batch{Records: []*record.Played{p}, Note: func([]store.Added) []store.Input { return nil }})
					if err != nil || added[0].Status != store.StatusNew {
						t.Fatalf("record %d: %v %v", i, added, err)
					}
					runs := 0
					err = l.Notes().Edit(t.Context(), func(tx store.Tx) error {
						runs++
						_, err := tx.CreateCollection(fmt.Sprint("c", i), "")
						return errors.Join(err, tx.Tag(fmt.Sprint("t", i), []uint32{1}))
					})
					if err != nil || runs != 1 {
						t.Fatalf("edit %d, %d times: %v", i, runs, err)
					}
				}
				if err := l.Delete(t.Context(), []uint32{1}); err != nil {
					t.Fatal(err)
				}
				if cs, err := l.Notes().Collections(t.Context()); err != nil || len(cs) != len(list) || count(t, l) != len(list)-1 {
					t.Errorf("%d collections, %d games (%v)", len(cs), count(t, l), err)
				}
				if left := left.Load(); left > 0 {
					t.Errorf("nothing broke: %d", left)
				}
			})
		}
	}
}

// TestTakeOver: processes end while others write through them, and one of these takes
// the place.
//
//qipu:race
func TestTakeOver(t *testing.T) {
	dir := t.TempDir()
	libs := []*Library{open(t, dir)}
	for range 3 {
		libs = append(libs, open(t, dir))
	}
	var wg sync.WaitGroup
	for i, l := range libs {
		wg.Go(func() {
			for k := range 12 {
				err := l.Notes().Edit(t.Context(), func(tx store.Tx) error { _, err := tx.CreateCollection(fmt.Sprint(i, " ", k), ""); return err })
				if err != nil {
					t.Errorf("writer %d: %v", i, err)
				}
				if k >= 3*i+2 && i < 3 {
					if err := l.Close(); err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	wg.Wait()
	last := libs[3]
	list, err := last.Notes().Collections(t.Context())
	if err != nil || len(list) != 3+6+9+12 {
		t.Errorf("%d collections (%v)", len(list), err)
	}
	if !last.Leads() {
		t.Error("nobody has the place of the writer")
	}
}

// TestStalled: whoever does not go on with a transaction holds nobody up for good.
func TestStalled(t *testing.T) {
	writer, l := pair(t)
	writer.host.stall = 50 * time.Millisecond
	go1 := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		err := l.Notes().Edit(t.Context(), func(tx store.Tx) error {
			if _, err := tx.CreateCollection("first", ""); err != nil {
				return err
			}
			<-go1
			return tx.Tag("x", []uint32{1})
		})
		if !errors.Is(err, ErrStalled) {
			t.Errorf("told: %v", err)
		}
	})
	testkit.Until(t, "the other one is in its transaction", func() bool {
		writer.host.mu.Lock()
		defer writer.host.mu.Unlock()
		return len(writer.host.lanes) > 0
	})
	if err := writer.Notes().Edit(t.Context(), func(tx store.Tx) error { _, err := tx.CreateCollection("second", ""); return err }); err != nil {
		t.Error(err)
	}
	testkit.Until(t, "the other one is rolled back", func() bool {
		writer.host.mu.Lock()
		defer writer.host.mu.Unlock()
		return len(writer.host.lanes) == 0
	})
	close(go1)
	wg.Wait()
	if list, err := l.Notes().Collections(t.Context()); err != nil || len(list) != 1 {
		t.Error(list, err)
	}
	if err := l.Notes().Edit(t.Context(), func(tx store.Tx) error { return tx.Tag("y", nil) }); err != nil {
		t.Errorf("the next change: %v", err)
	}
}

// TestCancelled: who is interrupted leaves nothing behind.
func TestCancelled(t *testing.T) {
	_, l := pair(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := l.Notes().Edit(ctx, func(tx store.Tx) error {
		if _, err := tx.CreateCollection("first", ""); err != nil {
			return err
		}
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := l.Notes().Edit(t.Context(), func(tx store.Tx) error { _, err := tx.CreateCollection("first", ""); return err }); err != nil {
		t.Error(err)
	}
}

// TestKey: no key, no word. One that others can read is refused, and its remedy told.
func TestKey(t *testing.T) {
	writer, l := pair(t)
	path := filepath.Join(writer.dir, keyName)
	k, err := readKey(writer.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, k.Address} {
		if runtime.GOOS == "windows" { // where TestPipe tells who may
			continue
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	for _, text := range []string{"", "no frame at all, and long enough to be one", "H\xff\xff\xff\xff", "H\x00\x00\x00\x02{}", "T\x00\x00\x00\x00"} {
		c, err := connect(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		c.Write([]byte(text))
		if u, ok := c.(*net.UnixConn); ok {
			u.CloseWrite()
		}
		c.SetReadDeadline(time.Now().Add(testkit.Patience))
		data := make([]byte, 1000)
		n, _ := c.Read(data)
		if said := string(data[:n]); strings.Contains(said, k.Key) || strings.Contains(said, "proof") {
			t.Errorf("%q is answered by %q", text, said)
		}
		c.Close()
	}
	c, err := connect(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	if err := greet(c, "another key than that", protocol); !errors.Is(err, errNobody) {
		t.Error(err)
	}
	c.Close()
	if c, err = connect(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	var version *VersionError
	if err := greet(c, k.Key, "0-old"); !errors.As(err, &version) || !strings.Contains(err.Error(), "another version") {
		t.Error(err)
	}
	c.Close()
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, ln := range l.free {
		ln.drop()
	}
	var open *KeyError
	if err := l.Delete(t.Context(), []uint32{1}); !errors.As(err, &open) || !strings.Contains(err.Error(), "chmod 600") {
		t.Error(err)
	}
	if _, err := Open(t.Context(), writer.dir, options(writer.dir)); !errors.As(err, &open) {
		t.Error(err)
	}
}

// TestLongPath: where the path of the folder is too long for a socket, it is elsewhere.
func TestLongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("long/", 30))
	writer, l := open(t, dir), open(t, dir)
	k, err := readKey(dir)
	if err != nil || l.Leads() || len(k.Address) > longestPath {
		t.Fatal(k.Address, err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(k.Address)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is left behind", k.Address)
	}
}

// FuzzHost: whatever a client says that has the key, the host lives on and changes
// nothing by mistake.
func FuzzHost(f *testing.F) {
	ask, _ := pack(&message{Kind: kindAsk, Op: opEdit, Lane: "x", Turn: 1})
	f.Add(append([]byte{frameTalk, 0, 0, 0, byte(len(ask))}, ask...))
	f.Add([]byte{frameTalk, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{frameBytes, 0, 0, 0, 1, 0})
	dir := f.TempDir()
	l, err := Open(f.Context(), dir, options(dir))
	if err != nil {
		f.Fatal(err)
	}
	defer l.Close()
	f.Fuzz(func(t *testing.T, data []byte) {
		near, far := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			l.host.serve(far)
		}()
		go func() {
			for buf := make([]byte, 512); ; {
				if _, err := near.Read(buf); err != nil {
					return
				}
			}
		}()
		near.SetWriteDeadline(time.Now().Add(testkit.Patience))
		near.Write(data)
		near.Close()
		<-done
		if n := count(t, l); n != 0 {
			t.Errorf("%d games", n)
		}
	})
}
