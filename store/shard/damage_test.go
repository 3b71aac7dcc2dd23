package shard

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/record"
	"qipu/segment"
	"qipu/store"
	"qipu/store/shard/internal/table"
	"qipu/store/storetest"
)

// patient is a store with tables of several kinds, dead lines, and games that
// wait, beside a model that knows what it should say.
type patient struct {
	*library
	story *storetest.History
}

func newPatient(t *testing.T, seed uint64) *patient {
	t.Helper()
	l := newLibrary(t, small())
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, seed)
	p := &patient{l, h}
	for _, b := range []struct{ kind, variant string }{{"weiqi", "9x9"}, {"xiangqi", ""}, {"othello", ""}} {
		var games []*record.Game
		for i := range 40 {
			g := h.Game(b.kind, b.variant, 8+h.Rng.IntN(12))
			h.Head(g)
			if i%2 == 0 {
				h.Branch(g, 2)
			}
			games = append(games, g)
		}
		for chunk := range slices.Chunk(games, 20) {
			if err := h.Put(chunk...); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3 {
		if err := h.Put(h.Game("weiqi", "9x9", 10)); err != nil {
			t.Fatal(err)
		}
	}
	gone := h.Model.IDs()[5:8]
	h.Model.Delete(gone)
	if err := l.Shard.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	p.check(t, "to begin with")
	return p
}

var someEffort = storetest.Effort{Exprs: 6, Keys: 12, Patterns: 2}

// check fails where the store does not say what it should.
func (p *patient) check(t *testing.T, when string) {
	t.Helper()
	if err := p.story.Check(someEffort); err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	sound(t, p.Shard)
}

// sick opens the store again and checks that it says what it should or that it
// is damaged, that Check finds the damage, and that Repair mends it.
func (p *patient) sick(t *testing.T, how string) {
	t.Helper()
	ctx := t.Context()
	if err := p.Reopen(ctx); err != nil {
		t.Fatalf("%s: it does not open: %v", how, err)
	}
	if err := p.story.Check(someEffort); err != nil && !store.Repairable(err) {
		t.Errorf("%s: the answers are neither right nor a damage: %v", how, err)
	}
	if problems(p.Shard) == nil {
		t.Errorf("%s: Check finds nothing", how)
	}
	if p.story.Rng.IntN(4) == 0 {
		// Adding is refused, or works.
		if err := p.story.Put(p.story.Random(30)); err != nil && !store.Repairable(err) {
			t.Errorf("%s: adding fails: %v", how, err)
		}
	}
	if _, err := p.Repair(ctx, nil); err != nil {
		t.Fatalf("%s: it is not repaired: %v", how, err)
	}
	p.check(t, how+", repaired")
}

// sections returns where each section of a segment lies in its file.
func sections(t *testing.T, path string, data []byte) map[string][2]int {
	t.Helper()
	f, err := segment.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	places := map[string][2]int{"header": {0, 64}, "trailer": {len(data) - 64, len(data)}, "anywhere": {0, len(data)}}
	for _, info := range f.Info().Sections {
		s, _ := f.Section(info.Name)
		content, err := s.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		if at := bytes.Index(data, content); at >= 0 && len(content) > 0 {
			places[info.Name] = [2]int{at, at + len(content)}
		}
	}
	return places
}

// TestFlippedByte flips bytes in every part of every table.
func TestFlippedByte(t *testing.T) {
	p := newPatient(t, 3)
	flips := 0
	for flips < testkit.Scale(30, 600) {
		for _, path := range segments(t, p.Dir()) {
			if _, err := os.Stat(path); err != nil {
				continue // made anew since
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			places := sections(t, path, data)
			names := []string{}
			for name := range places {
				names = append(names, name)
			}
			slices.Sort(names)
			name := names[flips%len(names)]
			at := places[name][0] + p.story.Rng.IntN(places[name][1]-places[name][0])
			data[at] ^= 1 << p.story.Rng.IntN(8)
			// The store is open and has the table mapped: it sees the byte as it
			// reads it, or has checked it before.
			if err := os.WriteFile(path+".new", data, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
			p.sick(t, "a flipped byte in "+name)
			flips++
		}
	}
	t.Logf("%d bytes flipped", flips)
}

// TestMissingTable removes tables, one and all.
func TestMissingTable(t *testing.T) {
	p := newPatient(t, 4)
	list := segments(t, p.Dir())
	if len(list) < 4 {
		t.Fatalf("%d tables", len(list))
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	os.Remove(list[0])
	p.sick(t, "a missing table")
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range segments(t, p.Dir()) {
		os.Remove(path)
	}
	ro, err := Open(t.Context(), p.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ro.View(t.Context()); !store.Repairable(err) {
		t.Errorf("a reader of missing tables gets %v", err)
	}
	ro.Close()
	p.sick(t, "all tables missing")
}

// TestTruncatedWhileMapped shortens tables that are in use: that is an error,
// and not the end of the process.
func TestTruncatedWhileMapped(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let anybody shorten a mapped file")
	}
	for _, keep := range []int64{0, 4096, 8192} {
		p := newPatient(t, 5)
		v, err := p.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		kind, err := p.Kinds().Find("weiqi 9x9")
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range segments(t, p.Dir()) {
			if err := os.Truncate(path, keep); err != nil {
				t.Fatal(err)
			}
		}
		rng := rand.New(rand.NewPCG(1, 1))
		err = storetest.Check(t.Context(), v, p.Kinds(), p.story.Model, rng, someEffort)
		if keep == 0 && !store.Repairable(err) {
			t.Errorf("nothing left of the tables: %v", err)
		}
		// Every expression has to bear it.
		for _, e := range []index.Expr{index.Window(3), index.Window(0), index.Every{index.Window(5), index.Reaches(9)}, index.Any{index.Window(1), index.Window(2)}} {
			for b, err := range v.Scan(t.Context(), &index.Plan{Kind: kind, Variations: true, Expr: e}) {
				if err != nil {
					if !store.Repairable(err) {
						t.Errorf("%v: %v", e, err)
					}
					break
				}
				v.Guard(func() error { b.Facts(0); b.Block.Line(0); return nil })
			}
		}
		v.Close()
		if _, err := p.Repair(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		p.check(t, "repaired")
	}
}

// TestTruncatedWhileScanned shortens a table in the middle of a scan, whose
// list of lines lies in the table itself.
//
//qipu:race
func TestTruncatedWhileScanned(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let anybody shorten a mapped file")
	}
	l := newLibrary(t, small())
	m := storetest.NewMaker(builtin.Games(), 9)
	var list []*record.Played
	for range interval.Lanes + 100 {
		list = append(list, m.Play(m.Game("weiqi", "9x9", 6)))
	}
	if _, err := l.Add(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	part := v.(*view).parts[0]
	class := 0
	for ; ; class++ { // one that both blocks have
		lines, err := part.Window(uint16(class))
		if err != nil {
			t.Fatal(err)
		}
		if lines != nil && !lines.IsEmpty() && lines.Minimum() < interval.Lanes && lines.Maximum() >= interval.Lanes {
			break
		}
	}
	batches := 0
	for _, err = range v.Scan(t.Context(), &index.Plan{Kind: part.Kind, Expr: index.Window(class)}) {
		if err != nil {
			break
		}
		batches++
		for _, path := range segments(t, l.Dir()) {
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		}
	}
	if batches != 1 || !store.Repairable(err) {
		t.Errorf("%d batches, then %v", batches, err)
	}
	if _, err := l.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	sound(t, l.Shard)
}

// TestNoRoomForTables has the writing of tables fail: nothing is lost, and it
// works again when there is room.
func TestNoRoomForTables(t *testing.T) {
	p := newPatient(t, 6)
	ctx := t.Context()
	folder := filepath.Join(p.Dir(), segmentDir)
	// The tables stay mapped; no new file can be made where there is no folder.
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Skip("the folder cannot be moved here")
	}
	if err := os.WriteFile(folder, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var b store.Batch
	var games []*record.Game
	for range 40 {
		g := p.story.Game("weiqi", "9x9", 12)
		games = append(games, g)
		b.Records = append(b.Records, p.story.Play(g))
	}
	if _, err := p.Shard.Add(ctx, b); err == nil {
		t.Error("a batch was added without its table")
	}
	if err := p.story.Check(someEffort); err != nil {
		t.Errorf("after the failure: %v", err)
	}
	if err := errors.Join(os.Remove(folder), os.Rename(folder+".away", folder)); err != nil {
		t.Fatal(err)
	}
	if err := p.story.Put(games...); err != nil {
		t.Fatal(err)
	}
	p.check(t, "when there is room again")
}

// TestNewerTable refuses a table that a newer program has made, and leaves it.
func TestNewerTable(t *testing.T) {
	p := newPatient(t, 7)
	path := segments(t, p.Dir())[0]
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	reissue(t, path, table.Version+1)
	if err := p.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.View(t.Context()); !errors.Is(err, segment.ErrNewer) || store.Repairable(err) {
		t.Errorf("a newer table gives %v", err)
	}
	if _, err := p.Repair(t.Context(), nil); !errors.Is(err, segment.ErrNewer) {
		t.Errorf("repairing a newer table gives %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error("the newer table is gone")
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	reissue(t, path, table.Version)
	if err := p.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.check(t, "with the table as it was")
}

// reissue writes a segment again under another version.
func reissue(t *testing.T, path string, version uint32) {
	t.Helper()
	f, err := segment.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	type section struct {
		name  string
		pages [][]byte
	}
	var list []section
	for _, info := range f.Info().Sections {
		s, _ := f.Section(info.Name)
		part := section{name: info.Name}
		for i := range s.Pages() {
			page, err := s.Page(i)
			if err != nil {
				t.Fatal(err)
			}
			part.pages = append(part.pages, bytes.Clone(page))
		}
		list = append(list, part)
	}
	f.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	w, err := segment.Create(filepath.Dir(path), filepath.Base(path), table.Kind, version)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, s := range list {
		w.Section(s.name)
		for _, page := range s.pages {
			w.Write(page)
			w.Page()
		}
	}
	if _, err := w.Commit(); err != nil {
		t.Fatal(err)
	}
}

// TestReindex makes everything anew.
func TestReindex(t *testing.T) {
	p := newPatient(t, 8)
	last := 0
	if err := p.Reindex(t.Context(), func(done, total int) { last = done }); err != nil {
		t.Fatal(err)
	}
	if last != p.story.Model.Len() {
		t.Errorf("the last progress was %d of %d", last, p.story.Model.Len())
	}
	p.check(t, "reindexed")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Reindex(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("reindexing that was cancelled: %v", err)
	}
	p.check(t, "cancelled")
}
