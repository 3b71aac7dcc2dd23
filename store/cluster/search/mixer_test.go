package search

import (
	"errors"
	"qipu/index"
	"qipu/store/cluster/wire"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// TestMixer checks the order of batches, and that nobody waits long.
//
//qipu:race
func TestMixer(t *testing.T) { synctest.Test(t, testMixer) }

func testMixer(t *testing.T) {
	m := newMixer(3)
	shards := []*wire.Shard{{Number: 0}, {Number: 1}, {Number: 2}}
	send := func(shard int, keys ...uint64) {
		for _, key := range keys {
			if err := m.put(t.Context(), shard, item{&index.Batch{Pages: int(key)}, key}); err != nil {
				t.Fatal(err)
			}
		}
	}
	next := func() int {
		t.Helper()
		b, err := m.next(t.Context(), shards)
		if err != nil || b == nil {
			t.Fatalf("%v, %v", b, err)
		}
		return b.Pages
	}
	var got []int
	send(0, 5, 7)
	send(1, 1, 6)
	send(2, 2)
	got = append(got, next(), next()) // 1, 2; shard 2 is late then
	began := time.Now()
	got = append(got, next())
	if took := time.Since(began); took != lateAfter {
		t.Errorf("a shard that is late was waited for for %v", took)
	}
	began = time.Now()
	got = append(got, next())
	if took := time.Since(began); took != 0 {
		t.Errorf("it was waited for again, for %v", took)
	}
	send(2, 3, 9)
	m.end(1, nil)
	m.end(0, nil)
	got = append(got, next(), next())
	m.end(2, errors.New("broken"))
	got = append(got, next())
	if want := []int{1, 2, 5, 6, 3, 7, 9}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if b, err := m.next(t.Context(), shards); b != nil || err == nil || err.Error() != "broken" {
		t.Errorf("%v, %v", b, err)
	}
}
