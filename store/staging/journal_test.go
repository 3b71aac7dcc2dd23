package staging

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// facts of a library that an undo has to bring back, game by game.
func everything(t *testing.T, d *Library) (list []string) {
	t.Helper()
	all, err := d.IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	ids := all.ToArray()
	games, err := d.Games(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	places, err := d.Places(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	for text, err := range d.Texts(t.Context(), ids) {
		if err != nil {
			t.Fatal(err)
		}
		g := &games[len(list)]
		list = append(list, fmt.Sprintf("%d %s %+v %d %v %x %x %v", text.ID, g.Kind, g.Facts, g.Added.Unix(), g.Source, text.Record, text.Raw, places[g.ID]))
	}
	found := scanned(t, d)
	if !slices.Equal(found, ids) {
		t.Fatalf("a scan finds %d games, and %d are there", len(found), len(ids))
	}
	tags, err := d.Notes().Tags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tag := range tags {
		set, err := d.Notes().Tagged(t.Context(), tag.Name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("tag %s %v", tag.Name, set))
	}
	rows := 0
	for row, err := range d.ScanResults(t.Context(), "weiqi 9x9") {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("result %d", row.ID))
		rows++
	}
	if rows != len(ids) {
		t.Fatalf("a book reads %d games, and %d are there", rows, len(ids))
	}
	return list
}

func last(t *testing.T, d *Library) store.Change {
	t.Helper()
	list, err := d.Journal().Changes(t.Context(), store.Page{Limit: 1})
	if err != nil || len(list) == 0 {
		t.Fatalf("the journal has %v (%v)", list, err)
	}
	return list[0]
}

// same fails where a library is not as it was.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	if slices.Equal(got, want) {
		return
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Fatalf("%s: %d rows, and %d before; the first that differs:\n%.400s\nbefore\n%.400s", what, len(got), len(want), got[i], want[i])
		}
	}
	t.Fatalf("%s: %d rows, and %d before", what, len(got), len(want))
}

// TestUndoServers takes back imports and deletions of games that lie on servers, and does them
// again: shipped or not, every game is as it was, under its number, on every machine.
func TestUndoServers(t *testing.T) {
	f, m := fleet(t), storetest.NewMaker(builtin.Games(), 31)
	dir := t.TempDir()
	d, other := open(t, f, filepath.Join(dir, "one")), open(t, f, filepath.Join(dir, "two"))
	defer d.Close()
	defer other.Close()
	undo := func(id int64, ship bool) {
		t.Helper()
		if _, err := d.Undo(t.Context(), id); err != nil {
			t.Fatalf("undoing %d: %v", id, err)
		}
		if ship {
			if err := d.Ship(t.Context()); err != nil {
				t.Fatal(err)
			}
			if lies, err := d.lies(t.Context()); err != nil || !lies.IsEmpty() {
				t.Fatalf("%v lie on the desk after shipping (%v)", lies, err)
			}
		}
	}
	ctx := store.Within(t.Context(), store.Deed{Key: "import:1", Op: store.OpImport})
	first := games(m, direct+20)
	added, err := d.Add(ctx, store.Batch{Records: first})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	imported := last(t, d)
	if imported.Op != store.OpImport || imported.Count != len(ids) || imported.Args["new"] != int64(len(ids)) {
		t.Fatalf("the import is noted as %+v", imported)
	}
	edit(t, d, func(tx store.Tx) error { return tx.Tag("fine", ids[5:15]) })
	full := everything(t, d)

	// A deletion, and an undo of it, before and after it was shipped; and again.
	if err := d.Delete(t.Context(), ids[10:30]); err != nil {
		t.Fatal(err)
	}
	deleted := last(t, d)
	if deleted.Op != store.OpDelete || deleted.Count != 20 {
		t.Fatalf("the deletion is noted as %+v", deleted)
	}
	less := everything(t, d)
	if len(less) != len(full)-40 {
		t.Fatalf("%d rows are left of %d", len(less), len(full))
	}
	trash, err := d.Journal().Trash(t.Context(), store.Page{})
	if err != nil || len(trash) != 20 {
		t.Fatalf("in the trash are %d (%v)", len(trash), err)
	}
	undo(deleted.ID, false)
	same(t, "undone", everything(t, d), full)
	undo(last(t, d).ID, false)
	same(t, "done again before it was shipped", everything(t, d), less)
	undo(last(t, d).ID, true)
	same(t, "undone and shipped", everything(t, d), full)
	if err := other.far.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "on another machine", everything(t, other), full)
	undo(last(t, d).ID, true)
	same(t, "done again", everything(t, d), less)
	if _, err := d.Restore(t.Context(), ids[10:12]); err != nil {
		t.Fatal(err)
	}
	if rest, err := d.Games(t.Context(), ids[10:12]); err != nil || len(rest) != 2 {
		t.Fatalf("out of the trash came %v (%v)", rest, err)
	}
	undo(last(t, d).ID, true) // the restoring
	same(t, "restored, and that undone", everything(t, d), less)

	// What is imported again while it is in the trash comes back with its numbers.
	if _, err := d.Add(ctx, store.Batch{Records: again(first...)}); err != nil {
		t.Fatal(err)
	}
	has(t, d, ids)
	grown := last(t, d)
	if grown.ID != imported.ID {
		t.Logf("an import goes on as change %d", grown.ID)
	}
	full = everything(t, d)

	// The import: its games go, and come back.
	undo(imported.ID, false)
	if list, err := d.IDs(t.Context(), ""); err != nil || !list.IsEmpty() {
		t.Fatalf("the import is undone, and %d games are there (%v)", list.GetCardinality(), err)
	}
	undo(last(t, d).ID, true)
	same(t, "imported again", everything(t, d), full)
	if err := other.far.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, "on another machine, at last", everything(t, other), full)
	if _, err := d.Repair(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := d.Check(t.Context(), true, nil, func(p store.Problem) { t.Errorf("%+v", p) }); err != nil {
		t.Fatal(err)
	}
}

// TestDeleteInterrupted: a deletion that reached the trash of the folder, and not the servers,
// comes to its end when the library is opened again.
func TestDeleteInterrupted(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 1, Replicas: 1})
	initialise(t, f)
	m, dir := storetest.NewMaker(builtin.Games(), 32), filepath.Join(t.TempDir(), "desk")
	d := open(t, f, dir)
	added, err := d.Add(t.Context(), store.Batch{Records: games(m, direct)})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	full := everything(t, d)
	err = d.near.Update(t.Context(), func(tx shard.Tx) error {
		if err := d.adopt(t.Context(), tx, ids[:3]); err != nil {
			return err
		}
		if err := tx.Delete(ids[:3]); err != nil {
			return err
		}
		return keepDeleting(tx, roaring.BitmapOf(ids[:3]...))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = open(t, f, dir)
	defer d.Close()
	has(t, d, ids[3:])
	if _, err := d.Undo(t.Context(), last(t, d).ID); err != nil {
		t.Fatal(err)
	}
	same(t, "undone", everything(t, d), full)
	f.Node(0, 0).Kill()
	if err := d.Delete(t.Context(), ids[5:8]); err == nil {
		t.Error("games on servers are deleted while these are away")
	}
}
