package staging

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"qipu/store"
)

// TestLearn deletes games by one folder that another one has imported and tagged: they
// leave its tags, and their files count as not read there, and no others.
func TestLearn(t *testing.T) {
	f := fleet(t)
	dir := t.TempDir()
	all := sameGames(2*direct, 1)
	var inputs [2]store.Input
	other := open(t, f, filepath.Join(dir, "other"))
	var ids []uint32
	for i := range inputs {
		inputs[i] = store.Input{Path: fmt.Sprintf("/games/%d.sgf", i), Size: 1, ModTime: time.Unix(1, 0)}
		part := all[i*direct : (i+1)*direct]
		for _, p := range part {
			p.Game.Place.File = fmt.Sprintf("%d.sgf", i)
		}
		added, err := other.Add(t.Context(), store.Batch{Records: part, Inputs: inputs[i : i+1]})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, numbers(added)...)
	}
	tag(t, other, "mine", ids)

	// looks compares what a folder knows.
	looks := func(d *Library, what string, games int, read ...bool) {
		t.Helper()
		for i, want := range read {
			done, err := d.Notes().InputDone(t.Context(), inputs[i])
			if err != nil || done != want {
				t.Errorf("%s: file %d counts as read: %t, %v", what, i, done, err)
			}
		}
		set, err := d.Notes().Tagged(t.Context(), "mine")
		if err != nil {
			t.Fatal(err)
		}
		tags, err := d.Notes().Tags(t.Context())
		if err != nil || len(tags) != 1 || tags[0].Games != games || int(set.GetCardinality()) != games {
			t.Errorf("%s: tagged are %d, and the tags are %+v, %v; want %d", what, set.GetCardinality(), tags, err, games)
		}
	}
	looks(other, "before", len(ids), true, true)

	d := open(t, f, filepath.Join(dir, "one"))
	defer d.Close()
	if err := d.Delete(t.Context(), ids[:3]); err != nil {
		t.Fatal(err)
	}
	if err := other.far.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	looks(other, "open meanwhile", len(ids)-3, false, true)
	added, err := other.Add(t.Context(), store.Batch{Records: all[:direct], Inputs: inputs[:1]})
	if err != nil || slices.IndexFunc(added, func(a store.Added) bool { return a.Status == store.StatusNew }) != 0 {
		t.Errorf("what was deleted comes back as %+v, %v", added[:3], err)
	}
	looks(other, "read again", len(ids)-3, true, true)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}

	// One that is only read from learns too, and nothing is learnt twice.
	if err := d.Delete(t.Context(), ids[3:4]); err != nil {
		t.Fatal(err)
	}
	o := at(filepath.Join(dir, "other"))
	o.ReadOnly = true
	reader, err := Open(t.Context(), f.URL(), o)
	if err != nil {
		t.Fatal(err)
	}
	looks(reader, "a reader", len(ids)-4)
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	other = open(t, f, filepath.Join(dir, "other"))
	looks(other, "opened again", len(ids)-4, false, true)
	if err := other.near.Notes().Edit(t.Context(), func(tx store.Tx) error { return tx.MarkInput(inputs[0]) }); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	other = open(t, f, filepath.Join(dir, "other"))
	looks(other, "nothing new", len(ids)-4, true, true)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}

	// Of rows that were swept nobody knows where they came from: no file counts as read.
	if err := d.Delete(t.Context(), ids[4:5]); err != nil {
		t.Fatal(err)
	}
	if _, err := d.far.Sweep(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	other = open(t, f, filepath.Join(dir, "other"))
	defer other.Close()
	looks(other, "swept", len(ids)-5, false, false)
}
