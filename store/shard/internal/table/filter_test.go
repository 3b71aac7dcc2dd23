package table

import (
	"qipu/builtin"
	"qipu/store/storetest"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// TestGamesFilter compares the walk along a set of games with the set.
func TestGamesFilter(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 32)
	for range 200 {
		set := roaring.New()
		for range m.Rng.IntN(60) {
			set.Add(uint32(m.Rng.IntN(200)))
		}
		g := newGames(set)
		list := make([]uint32, 300)
		for i := range list {
			list[i] = uint32(m.Rng.IntN(220))
		}
		if m.Rng.IntN(2) == 0 {
			slices.Sort(list)
		}
		for _, id := range list {
			if g.has(id) != set.Contains(id) {
				t.Fatalf("%v: game %d is there: %t", set, id, !set.Contains(id))
			}
		}
	}
}
