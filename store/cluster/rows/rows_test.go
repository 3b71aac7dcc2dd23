package rows

import (
	"qipu/builtin"
	"qipu/store/storetest"
	"slices"
	"testing"
)

// TestSortByHash sorts rows of which many share a hash.
func TestSortByHash(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 4)
	for _, n := range []int{0, 1, 5, 1000, 20000} {
		rows := make([]corner, n)
		for i := range rows {
			rows[i] = corner{m.Rng.Uint64(), uint32(i)}
			if m.Rng.IntN(3) == 0 {
				rows[i].hash = 7 << (m.Rng.IntN(3) * 30)
			}
		}
		want := slices.Clone(rows)
		slices.SortStableFunc(want, func(x, y corner) int {
			switch {
			case x.hash < y.hash:
				return -1
			case x.hash > y.hash:
				return 1
			}
			return 0
		})
		if got := sortByHash(rows, func(c *corner) uint64 { return c.hash }); !slices.Equal(got, want) {
			t.Errorf("%d rows are not sorted", n)
		}
	}
}
