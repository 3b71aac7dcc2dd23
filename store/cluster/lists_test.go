package cluster

import (
	"testing"

	"qipu/internal/clickhouse"
	"qipu/store/cluster/wire"
)

// TestLongLists asks for more numbers in one statement than old servers take where
// nothing is said.
func TestLongLists(t *testing.T) {
	t.Parallel()
	d := newDesk(t, foundOn(t, clickhouse.Shared(t)), 91)
	list := make([]uint64, 150_000)
	for i := range list {
		list[i] = 1<<63 + uint64(i)
	}
	err := d.Shards[0].Read(t.Context(), "a long list", func(db wire.Conn) error {
		var n uint64
		return db.Query(t.Context(), "SELECT count() AS n FROM known WHERE k IN ("+wire.Numbers(list)+")", func() error { return nil }, &n)
	})
	if err != nil {
		t.Error(err)
	}
}
