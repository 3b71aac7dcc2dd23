package shard

import (
	"testing"

	"qipu/record"
)

// TestMergeEnds has games with many lines each in the trash. They stay in their
// tables, so that merging has nothing to gain, and has to come to an end.
func TestMergeEnds(t *testing.T) {
	d := newDesk(t, 21)
	var list []*record.Game
	for range 2 * small().tableLines {
		g := d.Game("weiqi", "9x9", 12)
		d.Branch(g, 4)
		list = append(list, g)
	}
	var ids []uint32
	for _, a := range d.add(list...)[1:] {
		ids = append(ids, a.ID)
	}
	if err := d.Delete(t.Context(), ids); err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		more, err := d.Shard.Merge(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			break
		}
		if n > len(list) {
			t.Fatalf("merged %d times, and there is more", n)
		}
	}
	sound(t, d.Shard)
}
