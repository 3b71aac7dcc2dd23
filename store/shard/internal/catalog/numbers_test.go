package catalog_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// numbers returns the range of numbers as text.
func numbers(t testing.TB, db *catalog.DB) string {
	t.Helper()
	low, high, err := db.Numbers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d-%d", low, high)
}

func TestNumbers(t *testing.T) {
	take := func(n int, want uint32) func(*catalog.Tx) error {
		return func(tx *catalog.Tx) error {
			if low, err := tx.TakeIDs(n); err != nil || low != want {
				return fmt.Errorf("%d numbers taken begin with %d, want %d (%w)", n, low, want, err)
			}
			return nil
		}
	}
	add := func(n int, want ...uint32) func(*catalog.Tx) error {
		return func(tx *catalog.Tx) error {
			if ids, err := tx.Add(entriesFrom(0, n)); err != nil || !slices.Equal(ids, want) {
				return fmt.Errorf("games got the numbers %v, want %v (%w)", ids, want, err)
			}
			return nil
		}
	}
	set := func(low, high uint32) func(*catalog.Tx) error {
		return func(tx *catalog.Tx) error { return tx.SetNumbers(low, high) }
	}
	db := open(t)
	refused := errors.New("any other error")
	for i, s := range []struct {
		do   func(*catalog.Tx) error
		want string // the range then
		err  error
	}{
		{func(*catalog.Tx) error { return nil }, "1-0", nil},
		{add(2, 1, 2), "3-0", nil},
		{take(3, 3), "6-0", nil},
		{add(1, 6), "7-0", nil},
		{set(1, 10), "7-0", refused}, // games have some of them
		{set(0, 10), "7-0", refused},
		{set(9, 8), "7-0", refused},
		{set(100, 104), "100-104", nil},
		{add(3, 100, 101, 102), "103-104", nil},
		{add(2), "103-104", catalog.ErrNoNumbers},
		{take(2, 0), "103-104", catalog.ErrNoNumbers},
		{take(-1, 0), "103-104", refused},
		{take(1, 103), "104-104", nil},
		{take(0, 104), "104-104", nil},
		{add(0), "104-104", nil},
		{add(1), "104-104", catalog.ErrNoNumbers},
		{func(tx *catalog.Tx) error { // both in one transaction, and what is added is known in it
			if err := errors.Join(set(50, 60)(tx), add(2, 50, 51)(tx), take(2, 52)(tx), add(1, 54)(tx)); err != nil {
				return err
			}
			if err := tx.SetWaiting([]uint32{53}, true); !errors.Is(err, store.ErrNoGame) {
				return fmt.Errorf("a number that was taken is that of a game: %v", err)
			}
			return errors.Join(tx.SetWaiting([]uint32{2, 50, 51, 54, 102}, true), tx.Link(54, 1, "why"))
		}, "55-60", nil},
		{set(math.MaxUint32, 0), "4294967295-0", nil},
		{func(tx *catalog.Tx) error { _, err := tx.TakeIDs(2); return err }, "4294967295-0", catalog.ErrNoNumbers},
		{set(200, 0), "200-0", nil},
		{add(1, 200), "201-0", nil},
	} {
		err := db.Update(t.Context(), s.do)
		if s.err == nil && err != nil || s.err != nil && err == nil || s.err == catalog.ErrNoNumbers && !errors.Is(err, s.err) {
			t.Errorf("step %d: %v, want %v", i, err, s.err)
		}
		if got := numbers(t, db); got != s.want {
			t.Errorf("step %d: the range is %s, want %s", i, got, s.want)
		}
	}
}

// TestNumbersQuiet checks that nobody who reads has to follow numbers, and that a
// reader finds them.
func TestNumbersQuiet(t *testing.T) {
	dir := t.TempDir()
	db := openAt(t, dir)
	before, err := db.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.SetNumbers(7, 9) })
	update(t, db, func(tx *catalog.Tx) error { _, err := tx.TakeIDs(1); return err })
	if after, err := db.Generation(t.Context()); err != nil || after != before {
		t.Errorf("the generation went from %d to %d (%v)", before, after, err)
	}
	reader, err := catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if got := numbers(t, reader); got != "8-9" {
		t.Errorf("a reader finds the range %s", got)
	}
}

// TestElsewhere has games that leave the catalogue and live on elsewhere: what
// people made of them stays, until they are forgotten.
func TestElsewhere(t *testing.T) {
	db := open(t)
	var mine, query int64
	update(t, db, func(tx *catalog.Tx) (err error) {
		if mine, err = tx.CreateCollection("mine", ""); err != nil {
			return err
		}
		if err := tx.Collect(mine, []uint32{7}); !errors.Is(err, store.ErrNoGame) {
			return fmt.Errorf("a game that is not there is collected: %v", err)
		}
		return tx.SetNumbers(100, 110)
	})
	ids := add(t, db, entriesFrom(0, 6)...)
	input := store.Input{Path: "/home/games.tar.gz", Size: 9, ModTime: time.Unix(5, 0)}
	update(t, db, func(tx *catalog.Tx) (err error) {
		if query, err = tx.SaveQuery(store.Saved{Name: "q", Query: "all"}); err != nil {
			return err
		}
		_, err = tx.AddSegment(catalog.Segment{Kind: "weiqi 19x19", File: "1.seg", Games: roaring.BitmapOf(ids[:3]...)})
		return errors.Join(err, tx.Collect(mine, append([]uint32{7}, ids...)), tx.Tag("good", append([]uint32{8, 9000}, ids[:2]...)),
			tx.SetHits(query, store.Version{Near: 0}, roaring.BitmapOf(7, 105, 9000), 3), tx.SetWaiting(ids[3:], true), tx.Link(ids[0], ids[5], "why"), tx.MarkInput(input))
	})
	for name, do := range map[string]func(*catalog.Tx) error{
		"collect 0":   func(tx *catalog.Tx) error { return tx.Collect(mine, []uint32{0}) },
		"waits":       func(tx *catalog.Tx) error { return tx.SetWaiting([]uint32{7}, true) },
		"is linked":   func(tx *catalog.Tx) error { return tx.Link(7, 100, "why") },
		"is replaced": func(tx *catalog.Tx) error { return tx.Replace(7, entry(1)) },
	} {
		if err := db.Update(t.Context(), do); !errors.Is(err, store.ErrNoGame) {
			t.Errorf("%s: a game that is elsewhere: %v", name, err)
		}
	}
	sets := func() string {
		t.Helper()
		members, err1 := db.Members(t.Context(), mine)
		tagged, err2 := db.Tagged(t.Context(), "good")
		found, err3 := db.SavedGames(t.Context(), query)
		if err := errors.Join(err1, err2, err3); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(members, tagged, found)
	}
	all := "{7,100,101,102,103,104,105} {8,100,101,9000} {7,105,9000}"
	if got := sets(); got != all {
		t.Fatalf("the sets are %s, want %s", got, all)
	}

	update(t, db, func(tx *catalog.Tx) error { return tx.Release(append([]uint32{7}, ids[:5]...)) })
	if got := sets(); got != all {
		t.Errorf("released, the sets are %s, want %s", got, all)
	}
	if b, err := db.IDs(t.Context(), ""); err != nil || b.String() != "{105}" {
		t.Errorf("left are %v (%v)", b, err)
	}
	s, err := db.Snapshot(t.Context())
	if err != nil || s.Segments[0].Dead.GetCardinality() != 3 || !slices.Equal(s.Waiting, []uint32{105}) {
		t.Errorf("snapshot %+v %v", s, err)
	}
	if links, err := db.Links(t.Context(), 105); err != nil || len(links) != 0 {
		t.Errorf("links %v (%v)", links, err)
	}
	if done, err := db.InputDone(t.Context(), input); err != nil || !done {
		t.Errorf("the file of games that were released counts as not read (%v)", err)
	}

	update(t, db, func(tx *catalog.Tx) error { return tx.Forget([]uint32{7, 100, 9000, 12345}) })
	if got, want := sets(), "{101,102,103,104,105} {8,101} {105}"; got != want {
		t.Errorf("forgotten, the sets are %s, want %s", got, want)
	}
	update(t, db, func(tx *catalog.Tx) error { return errors.Join(tx.Forget(nil), tx.Delete([]uint32{105})) })
	if got, want := sets(), "{101,102,103,104} {8,101} {}"; got != want {
		t.Errorf("deleted, the sets are %s, want %s", got, want)
	}
	if done, err := db.InputDone(t.Context(), input); err != nil || done {
		t.Errorf("the file of a game that was deleted counts as read (%v)", err)
	}
}
