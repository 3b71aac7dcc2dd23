package catalog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// open opens a new library that is closed and verified when the test ends.
func open(t testing.TB) *catalog.DB {
	t.Helper()
	return openAt(t, t.TempDir())
}

func openAt(t testing.TB, dir string) *catalog.DB {
	t.Helper()
	db, err := catalog.Open(t.Context(), dir, catalog.Options{Create: true, Holder: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if !t.Failed() {
			sound(t, db)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// sound checks that Verify finds nothing.
func sound(t testing.TB, db *catalog.DB) {
	t.Helper()
	err := db.Verify(context.Background(), true, func(p catalog.Problem) { t.Errorf("verify: %v", p) })
	if err != nil && !errors.Is(err, store.ErrClosed) {
		t.Error(err)
	}
}

// entry returns the nth of any number of different games.
func entry(n int) store.Entry {
	return store.Entry{
		Kind: []string{"weiqi 19x19", "othello 8x8"}[n%2], Key: uint64(n) * 0x9e3779b97f4a7c15, Head: uint64(n/2) << 40, Plies: n % 300,
		Facts: &facts.Facts{
			Players: [2]facts.Player{{Name: fmt.Sprint("Black ", n%7), Rank: facts.Rank{Grade: 1 + n%9, Scale: 'd'}}, {Name: fmt.Sprint("White ", n%5), Rating: 1500 + n}},
			Event:   "Cup", Date: facts.ParseDate(fmt.Sprintf("%d-05-17", 1900+n%100)), Result: facts.ParseResult(facts.BlackFirst, "B+3.5"), Komi: facts.ParseKomi("6.5"),
		},
		Format: "sgf", Encoding: "utf-8",
		Source: store.Source{File: fmt.Sprintf("games.tar.gz!year/%d.sgf", n), Number: 1, Offset: int64(n)},
		Record: fmt.Appendf(nil, "record %d", n), Raw: fmt.Appendf(nil, "(;GM[1]N[%d])", n),
	}
}

func entriesFrom(n, count int) (list []store.Entry) {
	for i := range count {
		list = append(list, entry(n+i))
	}
	return list
}

func add(t testing.TB, db *catalog.DB, entries ...store.Entry) (ids []uint32) {
	t.Helper()
	update(t, db, func(tx *catalog.Tx) (err error) {
		ids, err = tx.Add(entries)
		return err
	})
	return ids
}

func update(t testing.TB, db *catalog.DB, f func(tx *catalog.Tx) error) {
	t.Helper()
	if err := db.Update(t.Context(), f); err != nil {
		t.Fatal(err)
	}
}

// same checks that games are stored as they were given.
func same(t testing.TB, db *catalog.DB, ids []uint32, entries []store.Entry) {
	t.Helper()
	games, err := db.Games(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(games) != len(entries) {
		t.Fatalf("%d games came back of %d", len(games), len(entries))
	}
	for i, g := range games {
		e := entries[i]
		want := store.Game{ID: ids[i], Kind: e.Kind, Key: e.Key, Head: e.Head, Plies: e.Plies, Format: e.Format, Encoding: e.Encoding, Marked: e.Marked, Source: e.Source, Added: g.Added}
		if e.Facts != nil {
			want.Facts = *e.Facts
		}
		if !reflect.DeepEqual(g, want) {
			t.Fatalf("game %d came back as\n%+v\nand was\n%+v", ids[i], g, want)
		}
		if !noted(g.Added) {
			t.Errorf("game %d was added at %v", ids[i], g.Added)
		}
	}
	i := 0
	for text, err := range db.Texts(t.Context(), ids) {
		if err != nil {
			t.Fatal(err)
		}
		if text.ID != ids[i] || !bytes.Equal(text.Record, entries[i].Record) || !bytes.Equal(text.Raw, entries[i].Raw) {
			t.Fatalf("the record of game %d came back as %q, %q", ids[i], text.Record, text.Raw)
		}
		i++
	}
	if i != len(ids) {
		t.Fatalf("%d records came back of %d", i, len(ids))
	}
}

func TestAdd(t *testing.T) {
	db := open(t)
	odd := []store.Entry{
		{Kind: "renju 15x15"},
		{Kind: "weiqi 19x19", Key: 1 << 63, Head: 1<<64 - 1, Marked: true, Source: store.Source{File: `C:\games\a.sgf`, Number: 3, Offset: 1 << 40}},
		{Kind: "", Source: store.Source{File: "plain.sgf"}, Raw: make([]byte, 3<<20), Facts: &facts.Facts{
			Players: [2]facts.Player{{Name: "a\x00b", Rank: facts.Rank{Grade: 30, Scale: 'k'}, Rating: -5, Team: "名人"}, {Name: "\xff\xfe", Rank: facts.Rank{Grade: 9, Scale: 'p'}, Team: "Team"}},
			Event:   "名人戦", Round: "3", Place: "東京", Date: facts.ParseDate("ca. 1670"), Result: facts.Result{Verdict: facts.SecondWon, Margin: 0.5, How: facts.Count},
			Komi: facts.Komi{Known: true}, Handicap: 9, Ruleset: "japanese", Opening: "中炮", Code: "C21", Source: "book", Author: "x", Time: "3600",
		}},
	}
	entries := append(entriesFrom(0, 300), odd...)
	ids := add(t, db, entries...)
	for i, id := range ids {
		if int(id) != i+1 {
			t.Fatalf("number %d is %d", i, id)
		}
	}
	same(t, db, ids, entries)
	slices.Reverse(ids)
	slices.Reverse(entries)
	same(t, db, ids, entries)

	if _, err := db.Games(t.Context(), []uint32{1, 9999}); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a game that is not there: %v", err)
	}
	if _, _, err := db.Record(t.Context(), 9999); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a record that is not there: %v", err)
	}
	if rows, err := db.ByKey(t.Context(), entry(7).Key); err != nil || len(rows) != 1 || rows[0] != (store.KeyRow{ID: 8, Key: entry(7).Key, Head: entry(7).Head, Kind: "othello 8x8", Plies: 7}) {
		t.Errorf("by key: %v %v", rows, err)
	}
	if rows, err := db.ByHead(t.Context(), entry(7).Head); err != nil || len(rows) != 2 || rows[0].ID != 7 || rows[1].ID != 8 {
		t.Errorf("by head: %v %v", rows, err)
	}
	n := 0
	for row, err := range db.ScanKeys(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		e := entries[len(entries)-1-n]
		if n++; int(row.ID) != n || row.Key != e.Key || row.Head != e.Head || row.Kind != e.Kind || row.Plies != e.Plies {
			t.Fatalf("scan gives %+v for %+v", row, e)
		}
	}
	if n != len(entries) {
		t.Errorf("scan gives %d games", n)
	}
	for range db.ScanKeys(t.Context()) {
		break
	}
	kinds := map[string]int{"weiqi 19x19": 151, "othello 8x8": 150, "renju 15x15": 1, "": 1}
	counts, err := db.Counts(t.Context())
	if err != nil || !reflect.DeepEqual(counts.Games, kinds) || counts.Bytes == 0 || counts.ChunkBytes == 0 || counts.Chunks != 6 {
		t.Errorf("counts: %+v %v", counts, err)
	}
	if b, err := db.IDs(t.Context(), "weiqi 19x19"); err != nil || b.GetCardinality() != 151 || !b.Contains(1) || b.Contains(2) {
		t.Errorf("numbers of a kind: %v %v", b, err)
	}
	if b, err := db.IDs(t.Context(), "chess"); err != nil || !b.IsEmpty() {
		t.Errorf("numbers of no kind: %v %v", b, err)
	}
	if got, err := db.Number("SELECT day1 FROM game WHERE date = '1901-05-17'"); err != nil || got != int64(facts.Day{Year: 1901, Month: 5, Day: 17}.First()) {
		t.Errorf("day %d, %v", got, err)
	}
}

// TestReal stores real games of all kinds, and gets them back.
func TestReal(t *testing.T) {
	for _, name := range []string{"go/go-pro-6300.tar.gz", "othello/wthor.tar.gz", "xiangqi/xiangqi-games.tar.gz", "renju/renju-games.tar.gz", "odd/odd.tar.gz"} {
		t.Run(name, func(t *testing.T) {
			entries := realEntries(t, name, 3000)
			db := open(t)
			ids := add(t, db, entries...)
			same(t, db, ids, entries)
			text, _, err := db.Record(t.Context(), ids[len(ids)/2])
			if err != nil {
				t.Fatal(err)
			}
			if g, err := record.DecodeGame(text); err != nil || !reflect.DeepEqual(g.Facts, *entries[len(ids)/2].Facts) {
				t.Errorf("the record does not decode: %v", err)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	db := open(t)
	add(t, db, entry(1))
	huge := entry(2)
	huge.Raw = make([]byte, 65<<20)
	err := db.Update(t.Context(), func(tx *catalog.Tx) error {
		_, err := tx.Add([]store.Entry{entry(3), huge})
		return err
	})
	if !errors.Is(err, store.ErrTooLarge) {
		t.Fatal(err)
	}
	if b, err := db.IDs(t.Context(), ""); err != nil || b.GetCardinality() != 1 {
		t.Errorf("after the error there are %v games (%v)", b, err)
	}
}

// TestRollback checks that a failed transaction leaves no trace, also not in
// what the writer remembers.
func TestRollback(t *testing.T) {
	db := open(t)
	add(t, db, entry(0))
	before, err := db.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fresh := entry(1)
	fresh.Kind, fresh.Format = "new kind", "new format"
	boom := errors.New("boom")
	var left *catalog.Tx
	fail := func(tx *catalog.Tx) error {
		left = tx
		if _, err := tx.Add([]store.Entry{fresh}); err != nil {
			t.Error(err)
		}
		if err := tx.SetWaiting([]uint32{1, 2}, true); err != nil {
			t.Error(err)
		}
		if rows, err := tx.ByKey(fresh.Key); err != nil || len(rows) != 1 {
			t.Errorf("the transaction sees %v of its own (%v)", rows, err)
		}
		if rows, err := db.ByKey(t.Context(), fresh.Key); err != nil || len(rows) != 0 {
			t.Errorf("others see %v of it (%v)", rows, err)
		}
		return boom
	}
	if err := db.Update(t.Context(), fail); err != boom {
		t.Fatal(err)
	}
	func() {
		defer func() { recover() }()
		_ = db.Update(t.Context(), func(tx *catalog.Tx) error { _ = fail(tx); panic(boom) })
	}()
	if _, err := left.Add(nil); err == nil {
		t.Error("a transaction can be used after its end")
	}
	if after, err := db.Generation(t.Context()); err != nil || after != before {
		t.Errorf("the generation went from %d to %d (%v)", before, after, err)
	}
	ids := add(t, db, fresh)
	if ids[0] != 2 {
		t.Errorf("number %d", ids[0])
	}
	same(t, db, []uint32{1, 2}, []store.Entry{entry(0), fresh})
	if s, err := db.Snapshot(t.Context()); err != nil || s.Generation != before+1 || len(s.Waiting) != 0 {
		t.Errorf("snapshot %+v %v", s, err)
	}
}

func TestReplace(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 4)...)
	var segment, collection int64
	update(t, db, func(tx *catalog.Tx) (err error) {
		segment, err = tx.AddSegment(catalog.Segment{Kind: "weiqi 19x19", File: "1.seg", Games: roaring.BitmapOf(ids...)})
		if err != nil {
			return err
		}
		if collection, err = tx.CreateCollection("mine", ""); err != nil {
			return err
		}
		return errors.Join(tx.Collect(collection, ids), tx.Link(1, 2, "why"))
	})
	fuller := entry(100)
	fuller.Record = bytes.Repeat([]byte("fuller "), 1000)
	update(t, db, func(tx *catalog.Tx) error {
		if err := tx.Replace(2, fuller); err != nil {
			return err
		}
		_, err := tx.AddSegment(catalog.Segment{Kind: "weiqi 19x19", File: "2.seg", Games: roaring.BitmapOf(2)})
		return err
	})
	same(t, db, ids, []store.Entry{entry(0), fuller, entry(2), entry(3)})
	s, err := db.Snapshot(t.Context())
	if err != nil || len(s.Segments) != 2 || s.Segments[0].ID != segment || s.Segments[0].Dead.String() != "{2}" || !s.Segments[1].Dead.IsEmpty() {
		t.Errorf("segments: %+v %v", s, err)
	}
	if m, err := db.Members(t.Context(), collection); err != nil || m.GetCardinality() != 4 {
		t.Errorf("the collection has %v (%v)", m, err)
	}
	if links, err := db.Links(t.Context(), 2); err != nil || !slices.Equal(links, []store.Link{{Game: 1, Why: "why"}}) {
		t.Errorf("links %v (%v)", links, err)
	}
	if list, err := db.Sources(t.Context(), 2); err != nil || !slices.Equal(list, []store.Source{fuller.Source, entry(1).Source}) {
		t.Errorf("sources %v (%v)", list, err)
	}
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error { return tx.Replace(77, fuller) }); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("replacing nothing: %v", err)
	}
	// Back to the first: its source is the main one again, not known twice.
	update(t, db, func(tx *catalog.Tx) error { return tx.Replace(2, entry(1)) })
	if list, err := db.Sources(t.Context(), 2); err != nil || !slices.Equal(list, []store.Source{entry(1).Source, fuller.Source}) {
		t.Errorf("sources %v (%v)", list, err)
	}
}

func TestDelete(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 1200)...)
	update(t, db, func(tx *catalog.Tx) error {
		c, err := tx.CreateCollection("mine", "")
		if err != nil {
			return err
		}
		if _, err := tx.AddSegment(catalog.Segment{Kind: "weiqi 19x19", File: "1.seg", Games: roaring.BitmapOf(ids[:600]...)}); err != nil {
			return err
		}
		if _, err := tx.AddSource(5, store.Source{File: "elsewhere.sgf"}); err != nil {
			return err
		}
		return errors.Join(tx.Collect(c, ids), tx.SetWaiting(ids[600:], true), tx.Link(5, 6, "a"), tx.Link(4, 5, "b"))
	})
	update(t, db, func(tx *catalog.Tx) error { return tx.Delete(append(ids[4:1199:1199], 5, 7777)) })
	if b, err := db.IDs(t.Context(), ""); err != nil || b.String() != "{1,2,3,4,1200}" {
		t.Errorf("left are %v (%v)", b, err)
	}
	s, err := db.Snapshot(t.Context())
	if err != nil || s.Segments[0].Dead.GetCardinality() != 596 || !slices.Equal(s.Waiting, []uint32{1200}) {
		t.Errorf("snapshot %+v %v", s, err)
	}
	if list, err := db.Collections(t.Context()); err != nil || len(list) != 1 || list[0].Games != 5 {
		t.Errorf("collections %+v (%v)", list, err)
	}
	if links, err := db.Links(t.Context(), 4); err != nil || len(links) != 0 {
		t.Errorf("links %v (%v)", links, err)
	}
	if id := add(t, db, entry(1)); id[0] != 1201 {
		t.Errorf("the number after deleting is %d", id[0])
	}
	counts, err := db.Counts(t.Context())
	if err != nil || !reflect.DeepEqual(counts.Games, map[string]int{"weiqi 19x19": 2, "othello 8x8": 4}) || counts.Sources != 0 {
		t.Errorf("counts %+v (%v)", counts, err)
	}
}

func TestSourcesAndInputs(t *testing.T) {
	db := open(t)
	add(t, db, entry(0))
	other := store.Source{File: "games.tar.gz!year/other.sgf", Number: 2}
	for i, s := range []struct {
		source store.Source
		added  bool
	}{{entry(0).Source, false}, {other, true}, {other, false}, {store.Source{File: other.File, Number: 3}, true}, {store.Source{}, true}, {store.Source{}, false}} {
		update(t, db, func(tx *catalog.Tx) error {
			added, err := tx.AddSource(1, s.source)
			if added != s.added {
				t.Errorf("source %d: added %v", i, added)
			}
			return err
		})
	}
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error { _, err := tx.AddSource(2, other); return err }); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a source of no game: %v", err)
	}
	in := store.Input{Path: "/a/b.sgf", Size: 10, ModTime: time.Unix(5, 7)}
	update(t, db, func(tx *catalog.Tx) error { return tx.MarkInput(in) })
	changed := in
	changed.ModTime = time.Unix(5, 8)
	for _, c := range []struct {
		in   store.Input
		want bool
	}{{in, true}, {changed, false}, {store.Input{Path: "x"}, false}} {
		if done, err := db.InputDone(t.Context(), c.in); err != nil || done != c.want {
			t.Errorf("%v: done %v, %v", c.in, done, err)
		}
	}
}

func TestCollections(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 10)...)
	var a, b int64
	update(t, db, func(tx *catalog.Tx) (err error) {
		if a, err = tx.CreateCollection("b", "note"); err != nil {
			return err
		}
		b, err = tx.CreateCollection("a", "")
		return errors.Join(err, tx.Collect(a, ids[:5]), tx.Collect(a, ids[3:7]), tx.Uncollect(a, ids[:1]), tx.Collect(b, ids[6:8]))
	})
	names := func(list []store.Collection, err error) string {
		if err != nil {
			t.Error(err)
		}
		var s []string
		for _, c := range list {
			s = append(s, fmt.Sprintf("%s:%d", c.Name, c.Games))
		}
		return strings.Join(s, " ")
	}
	if got := names(db.Collections(t.Context())); got != "a:2 b:6" {
		t.Errorf("collections %s", got)
	}
	if got := names(db.CollectionsOf(t.Context(), 7)); got != "a:2 b:6" {
		t.Errorf("collections of 7: %s", got)
	}
	if got := names(db.CollectionsOf(t.Context(), 8)); got != "a:2" {
		t.Errorf("collections of 8: %s", got)
	}
	if m, err := db.Members(t.Context(), a); err != nil || m.String() != "{2,3,4,5,6,7}" {
		t.Errorf("members %v (%v)", m, err)
	}
	for name, c := range map[string]struct {
		f    func(tx *catalog.Tx) error
		want error
	}{
		"same name":      {func(tx *catalog.Tx) error { _, err := tx.CreateCollection("a", ""); return err }, store.ErrExists},
		"rename to same": {func(tx *catalog.Tx) error { return tx.RenameCollection(a, "a", "") }, store.ErrExists},
		"no game":        {func(tx *catalog.Tx) error { return tx.Collect(a, []uint32{1, 99}) }, store.ErrNoGame},
		"no collection":  {func(tx *catalog.Tx) error { return tx.Collect(99, ids) }, store.ErrNoRow},
		"rename nothing": {func(tx *catalog.Tx) error { return tx.RenameCollection(99, "z", "") }, store.ErrNoRow},
		"drop nothing":   {func(tx *catalog.Tx) error { return tx.DropCollection(99) }, store.ErrNoRow},
	} {
		if err := db.Update(t.Context(), c.f); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	update(t, db, func(tx *catalog.Tx) error {
		return errors.Join(tx.DropCollection(b), tx.RenameCollection(a, "new", "other"))
	})
	if got := names(db.Collections(t.Context())); got != "new:6" {
		t.Errorf("collections %s", got)
	}
}

func TestManifest(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 10)...)
	segment := catalog.Segment{Kind: "weiqi 19x19", Variations: true, File: "a.seg", Lines: 12, Bytes: 99, Sum: 1<<64 - 3, Version: 4, Games: roaring.BitmapOf(ids...)}
	var first, second int64
	update(t, db, func(tx *catalog.Tx) (err error) {
		if first, err = tx.AddSegment(segment); err != nil {
			return err
		}
		segment.File = "b.seg"
		second, err = tx.AddSegment(segment)
		return errors.Join(err, tx.SetDead(second, roaring.BitmapOf(3)), tx.SetWaiting(ids[8:], true), tx.SetWaiting(ids[9:], false))
	})
	s, err := db.Snapshot(t.Context())
	if err != nil || s.Generation != 2 || len(s.Segments) != 2 || !slices.Equal(s.Waiting, ids[8:9]) {
		t.Fatalf("snapshot %+v (%v)", s, err)
	}
	got := s.Segments[1]
	if !got.Games.Equals(segment.Games) || got.Dead.String() != "{3}" {
		t.Errorf("bitmaps %v, %v", got.Games, got.Dead)
	}
	got.Games, got.Dead, segment.Games, segment.ID = nil, nil, nil, second
	got.Spare = nil
	if !reflect.DeepEqual(got, segment) {
		t.Errorf("segment %+v, want %+v", got, segment)
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.DropSegments([]int64{first}, nil) })
	for _, f := range []func(tx *catalog.Tx) error{
		func(tx *catalog.Tx) error { return tx.DropSegments([]int64{first}, nil) },
		func(tx *catalog.Tx) error { return tx.SetDead(first, nil) },
	} {
		if err := db.Update(t.Context(), f); !errors.Is(err, store.ErrNoRow) {
			t.Errorf("a segment that is not there: %v", err)
		}
	}
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error { return tx.SetWaiting([]uint32{99}, true) }); !errors.Is(err, store.ErrNoGame) {
		t.Errorf("no game waits: %v", err)
	}
}

//qipu:race
func TestCancel(t *testing.T) {
	db := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx *catalog.Tx) error {
		if _, err := tx.Add(entriesFrom(0, 10)); err != nil {
			return err
		}
		cancel()
		_, err := tx.Add(entriesFrom(10, 10))
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled update: %v", err)
	}
	if _, err := db.Games(ctx, []uint32{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled read: %v", err)
	}
	if err := db.Update(ctx, func(*catalog.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("an update after cancelling: %v", err)
	}
	// One that waits for its turn gives up too.
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	update(t, db, func(tx *catalog.Tx) error {
		if err := db.Update(ctx, func(*catalog.Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an update that waited: %v", err)
		}
		return nil
	})
	if b, err := db.IDs(t.Context(), ""); err != nil || !b.IsEmpty() {
		t.Errorf("games %v (%v)", b, err)
	}
}

// TestTogether has many goroutines read what others write, replace and pack
// anew.
//
//qipu:race
func TestTogether(t *testing.T) {
	db := open(t)
	add(t, db, entriesFrom(0, 100)...)
	reader, err := catalog.Open(t.Context(), db.Dir(), catalog.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var readers, writers sync.WaitGroup
	for _, db := range []*catalog.DB{db, reader, reader} {
		readers.Go(func() {
			last := int64(0)
			for ctx.Err() == nil {
				s, err := db.Snapshot(t.Context())
				if err != nil || s.Generation < last {
					t.Errorf("snapshot %+v after %d (%v)", s, last, err)
					return
				}
				last = s.Generation
				for text, err := range db.Texts(t.Context(), s.Waiting) {
					if err != nil || !bytes.HasPrefix(text.Record, []byte("record ")) {
						t.Errorf("record %q (%v)", text.Record, err)
						return
					}
				}
			}
		})
	}
	for w := range 3 {
		writers.Go(func() {
			for i := range 8 {
				err := db.Update(t.Context(), func(tx *catalog.Tx) error {
					ids, err := tx.Add(entriesFrom(1000*w+10*i, 5))
					if err != nil {
						return err
					}
					return errors.Join(tx.SetWaiting(ids, true), tx.Replace(uint32(1+w), entry(i)))
				})
				if err == nil && i%3 == 2 {
					err = db.Compact(t.Context())
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	cancel()
	readers.Wait()
	if s, err := reader.Snapshot(t.Context()); err != nil || len(s.Waiting) != 120 {
		t.Errorf("%d games wait (%v)", len(s.Waiting), err)
	}
}

// begun is when these tests were.
var begun = time.Now()

// noted reports whether a time that the catalogue has noted lies between the
// beginning of the tests and now, however long they take. It notes seconds.
func noted(at time.Time) bool {
	return !at.Before(begun.Add(-time.Second)) && !at.After(time.Now().Add(time.Second))
}
