package staging

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"qipu/builtin"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard"
	"qipu/store/storetest"
)

// sameGames returns records of the same games for a writer, some whole and some up
// to their middle.
func sameGames(n, writer int) (list []*record.Played) {
	m := storetest.NewMaker(builtin.Games(), 9)
	for i := range n {
		g := m.Game("weiqi", "19x19", 90)
		g.Facts.Players[0].Name, g.Facts.Players[1].Name = fmt.Sprint("Black ", i), fmt.Sprint("White ", i)
		if (i+writer)%3 == 0 {
			facts := g.Facts
			g = m.Cut(g, 60)
			g.Facts = facts
		}
		g.Place.File = fmt.Sprintf("game %d of %d", i, writer)
		list = append(list, m.Play(g))
	}
	return list
}

// tag gives games a tag.
func tag(t *testing.T, d *Library, name string, ids []uint32) {
	t.Helper()
	if err := d.near.Update(t.Context(), func(tx shard.Tx) error { return tx.Tag(name, ids) }); err != nil {
		t.Error(err)
	}
}

// tagged checks that a tag has all games that there are.
func tagged(t *testing.T, d *Library, name string, want int) {
	t.Helper()
	if err := d.far.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	ids, err := d.IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	set, err := d.Notes().Tagged(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if int(ids.GetCardinality()) != want || !set.Equals(ids) {
		t.Errorf("there are %v, want %d; tagged are %v", ids.ToArray(), want, set.ToArray())
	}
}

// TestSameGames has writers play the same games, each in its own folder, and ship
// them at once: each game is on the servers once, and has the tags of all.
func TestSameGames(t *testing.T) {
	const writers, n = 3, 12
	f := fleet(t)
	var desks []*Library
	for i := range writers {
		d := open(t, f, filepath.Join(t.TempDir(), fmt.Sprint(i)))
		defer d.Close()
		desks = append(desks, d)
	}
	var wait sync.WaitGroup
	for i, d := range desks {
		wait.Go(func() {
			for part := range slices.Chunk(sameGames(n, i), 5) {
				added, err := d.Add(t.Context(), store.Batch{Records: part})
				if err != nil {
					t.Error(err)
					return
				}
				tag(t, d, "mine", numbers(added))
			}
			if err := d.Ship(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	for _, d := range desks {
		tagged(t, d, "mine", n)
	}
}

// TestRejoin joins games that two writers brought who knew nothing of each other:
// tags go with them, of the one who repairs and of one who comes later.
func TestRejoin(t *testing.T) {
	f := fleet(t)
	var dirs [2]string
	for i := range dirs {
		dirs[i] = filepath.Join(t.TempDir(), fmt.Sprint(i))
		d := open(t, f, dirs[i])
		added, err := d.far.Add(t.Context(), store.Batch{Records: sameGames(6, i)})
		if err != nil {
			t.Fatal(err)
		}
		tag(t, d, "mine", numbers(added))
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			for _, n := range f.Nodes() {
				n.Exec(t, fmt.Sprintf("RENAME TABLE %[1]s.log TO %[1]s.hidden", f.Database()))
				n.Exec(t, fmt.Sprintf("CREATE TABLE %[1]s.log AS %[1]s.hidden", f.Database()))
			}
		}
	}
	for _, n := range f.Nodes() {
		n.Exec(t, fmt.Sprintf("INSERT INTO %[1]s.log SELECT * FROM %[1]s.hidden", f.Database()))
	}
	d := open(t, f, dirs[0])
	defer d.Close()
	if n, err := d.Repair(t.Context(), nil); err != nil || n != 6 {
		t.Errorf("%d were repaired, %v", n, err)
	}
	tagged(t, d, "mine", 6)
	later := open(t, f, dirs[1])
	defer later.Close()
	tagged(t, later, "mine", 6)
}
