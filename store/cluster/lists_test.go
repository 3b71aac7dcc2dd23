package cluster

import (
	"testing"

	"qipu/internal/clickhouse"
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
	err := d.shards[0].read(t.Context(), "a long list", func(db conn) error {
		var n uint64
		return db.query(t.Context(), "SELECT count() AS n FROM known WHERE k IN ("+numbers(list)+")", func() error { return nil }, &n)
	})
	if err != nil {
		t.Error(err)
	}
}
