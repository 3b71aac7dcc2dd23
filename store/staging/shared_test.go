package staging

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// edit changes notes of a desk.
func edit(t *testing.T, d *Library, change func(tx store.Tx) error) {
	t.Helper()
	if err := d.Notes().Edit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// told returns what a desk tells of what people made.
func told(t *testing.T, d *Library) (list []string) {
	t.Helper()
	d.sharing.mu.Lock()
	d.sharing.looked = time.Time{}
	d.sharing.mu.Unlock()
	tags, err := d.Notes().Tags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags {
		games, err := d.Notes().Tagged(t.Context(), tag.Name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("tag %s %v", tag.Name, games))
	}
	collections, err := d.Notes().Collections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range collections {
		games, err := d.Notes().Members(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("collection %s (%s) %v", c.Name, c.Note, games))
	}
	queries, err := d.Notes().SavedQueries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range queries {
		if !s.Auto {
			list = append(list, fmt.Sprintf("query %s: %s", s.Name, s.Query))
		}
	}
	return list
}

// alike fails where desks do not tell the same, which is something.
func alike(t *testing.T, what string, desks ...*Library) []string {
	t.Helper()
	first := told(t, desks[0])
	for i, d := range desks[1:] {
		if other := told(t, d); !slices.Equal(first, other) {
			t.Fatalf("%s: desk %d tells\n%q\nand the first\n%q", what, i+1, other, first)
		}
	}
	return first
}

// TestShared makes collections, tags and queries on two machines by turns: both know all of
// it, by the same names and numbers of games, and so does a third that comes later; each
// change is an entry of the journal where it was made alone, and undone there, undone for all.
func TestShared(t *testing.T) {
	f, m := fleet(t), storetest.NewMaker(builtin.Games(), 21)
	dir := t.TempDir()
	a, b := open(t, f, filepath.Join(dir, "a")), open(t, f, filepath.Join(dir, "b"))
	defer a.Close()
	defer b.Close()
	added, err := a.Add(t.Context(), store.Batch{Records: games(m, 4)})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	if err := a.Ship(t.Context()); err != nil {
		t.Fatal(err)
	}
	var mine int64
	edit(t, a, func(tx store.Tx) (err error) {
		if mine, err = tx.CreateCollection("mine", "a note"); err != nil {
			return err
		}
		if err := tx.Collect(mine, ids[:2]); err != nil {
			return err
		}
		if err := tx.Tag("fine", ids[:3]); err != nil {
			return err
		}
		_, err = tx.SaveQuery(store.Saved{Name: "Long", Fold: "long", Query: "plies>10"})
		return err
	})
	want := []string{fmt.Sprintf("tag fine {%d,%d,%d}", ids[0], ids[1], ids[2]), fmt.Sprintf("collection mine (a note) {%d,%d}", ids[0], ids[1]), "query Long: plies>10"}
	if got := alike(t, "made", a, b); !slices.Equal(got, want) {
		t.Fatalf("it tells\n%q, not\n%q", got, want)
	}
	// The other changes what it has got: renamed things keep their numbers.
	there, err := b.Notes().Collections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	edit(t, b, func(tx store.Tx) error {
		if err := tx.RenameCollection(there[0].ID, "ours", "another"); err != nil {
			return err
		}
		if err := tx.Untag("fine", ids[:1]); err != nil {
			return err
		}
		if err := tx.Tag("fine", ids[3:]); err != nil {
			return err
		}
		_, err := tx.SaveQuery(store.Saved{Name: "LONG", Fold: "long", Query: "plies>20"})
		return err
	})
	want = []string{fmt.Sprintf("tag fine {%d,%d,%d}", ids[1], ids[2], ids[3]), fmt.Sprintf("collection ours (another) {%d,%d}", ids[0], ids[1]), "query LONG: plies>20"}
	if got := alike(t, "changed", a, b); !slices.Equal(got, want) {
		t.Fatalf("it tells\n%q, not\n%q", got, want)
	}
	if c, err := a.Notes().Collections(t.Context()); err != nil || c[0].ID != mine {
		t.Errorf("renamed, the collection has the number %d where it was made, not %d (%v)", c[0].ID, mine, err)
	}
	// Both at once, without knowing of each other.
	hide := func(d *Library, change func(tx store.Tx) error) {
		t.Helper()
		if err := d.near.Notes().Edit(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	hide(a, func(tx store.Tx) error { return tx.Tag("both", ids[:1]) })
	hide(b, func(tx store.Tx) error { return tx.Tag("both", ids[1:2]) })
	hide(a, func(tx store.Tx) error { return tx.DropTag("fine") })
	hide(b, func(tx store.Tx) error { return tx.Tag("fine", ids[:1]) })
	a.made(t.Context())
	b.made(t.Context())
	got := alike(t, "at once", a, b)
	if want := fmt.Sprintf("tag both {%d,%d}", ids[0], ids[1]); got[0] != want {
		t.Errorf("made on both, a tag is %q, not %q", got[0], want)
	}
	if want := fmt.Sprintf("tag fine {%d}", ids[0]); got[1] != want {
		t.Errorf("dropped here and given there, a tag is %q, not %q", got[1], want)
	}
	// The journal of each has what was done there, and an undo is one for all.
	for _, d := range []*Library{a, b} {
		list, err := d.Journal().Changes(t.Context(), store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(list, func(c store.Change) bool { return c.Op == "" }) || len(list) > 5 {
			t.Errorf("the journal of one is %+v", list)
		}
	}
	edit(t, b, func(tx store.Tx) error { return tx.DropCollection(there[0].ID) })
	before := alike(t, "dropped", a, b)
	list, err := b.Journal().Changes(t.Context(), store.Page{Limit: 1})
	if err != nil || list[0].Op != store.OpDropCollection {
		t.Fatalf("the journal begins with %+v, %v", list, err)
	}
	if _, err := b.Undo(t.Context(), list[0].ID); err != nil {
		t.Fatal(err)
	}
	if got := alike(t, "undone", a, b); slices.Equal(got, before) || !slices.Contains(got, want[1]) {
		t.Errorf("undone, it tells\n%q", got)
	}
	// A third that comes later, and one that lost what it knew.
	c := open(t, f, filepath.Join(dir, "c"))
	defer c.Close()
	alike(t, "later", a, b, c)
	if err := a.near.Update(t.Context(), func(tx shard.Tx) error { tx.Silent(); return tx.Keep(sharedName, []byte("lost")) }); err != nil {
		t.Fatal(err)
	}
	a.sharing.dirty.Store(true)
	if got := alike(t, "lost", a, b, c); !slices.Contains(got, want[1]) {
		t.Errorf("it tells\n%q", got)
	}
}

// TestSharedDown: what is made while the servers are away is there at once, and comes to
// them and to others when they are back.
func TestSharedDown(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 1, Replicas: 1})
	initialise(t, f)
	dir := t.TempDir()
	a := open(t, f, filepath.Join(dir, "a"))
	defer a.Close()
	f.Node(0, 0).Kill()
	edit(t, a, func(tx store.Tx) error { return tx.Tag("alone", []uint32{7}) })
	if set, err := a.Notes().Tagged(t.Context(), "alone"); err != nil || !set.Contains(7) {
		t.Fatalf("tagged are %v (%v)", set, err)
	}
	f.Node(0, 0).Start(t)
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(100 * time.Millisecond) {
		a.learnt.Lock()
		a.learnt.failed = time.Time{}
		a.learnt.Unlock()
		a.made(t.Context())
		if rows, err := a.far.Made.Rows(t.Context(), nil); err == nil && len(rows) > 0 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("nothing comes to the servers (%v)", err)
		}
	}
	b := open(t, f, filepath.Join(dir, "b"))
	defer b.Close()
	if got := alike(t, "back", a, b); !slices.Equal(got, []string{"tag alone {7}"}) {
		t.Errorf("it tells %q", got)
	}
}
