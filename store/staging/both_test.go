package staging

import (
	"path/filepath"
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/record"
	"qipu/store"
	"qipu/store/storetest"
)

// again returns records as they are read another time.
func again(records ...*record.Played) (list []*record.Played) {
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for _, p := range records {
		list = append(list, referee.Play(p.Game))
	}
	return list
}

// scanned returns the games of a view, as often as they come.
func scanned(t *testing.T, d *Library) (ids []uint32) {
	t.Helper()
	v, err := d.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	k, err := d.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	for b, err := range v.Scan(t.Context(), &index.Plan{Kind: k, Facts: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range b.Lanes.Count() {
			ids = append(ids, b.Columns.Game(i))
		}
	}
	slices.Sort(ids)
	return ids
}

// TestBoth has games in both places, as an interrupted shipping leaves them: they
// are found once, and deleted for good.
func TestBoth(t *testing.T) {
	f, m := fleet(t), storetest.NewMaker(builtin.Games(), 5)
	dir := filepath.Join(t.TempDir(), "desk")
	d := open(t, f, dir)
	defer d.Close()
	o := at(dir)
	o.ReadOnly = true
	reader, err := Open(t.Context(), f.URL(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	records := games(m, 6)
	// One that a batch has twice is one game.
	added, err := d.Add(t.Context(), store.Batch{Records: append(slices.Clone(records), again(records[0])...)})
	if err != nil {
		t.Fatal(err)
	}
	ids := numbers(added)
	if ids[6] != ids[0] || added[6].Status != store.StatusDuplicate {
		t.Errorf("a record that comes twice is %v and %v", added[0], added[6])
	}
	ids = ids[:6]
	has(t, d, ids)
	has(t, reader, ids)
	if _, err := d.far.Add(t.Context(), store.Batch{Records: again(records[:3]...), Numbers: ids[:3]}); err != nil {
		t.Fatal(err)
	}
	if got := scanned(t, d); !slices.Equal(got, ids) {
		t.Errorf("a view yields %v, not %v", got, ids)
	}
	if err := d.Delete(t.Context(), ids[:1]); err != nil {
		t.Fatal(err)
	}
	// What is read while games are shipped is read where they are then.
	n := 0
	for text, err := range reader.Texts(t.Context(), ids[1:]) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == 1 {
			if err := d.Ship(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if len(text.Record) == 0 {
			t.Errorf("game %d has no record", text.ID)
		}
	}
	if n != 5 {
		t.Errorf("%d records were read, not 5", n)
	}
	has(t, reader, ids[1:])
	has(t, d, ids[1:])
	if got := scanned(t, reader); !slices.Equal(got, ids[1:]) {
		t.Errorf("after shipping, a view yields %v, not %v", got, ids[1:])
	}
}
