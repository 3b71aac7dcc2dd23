package reversi

import (
	"math/rand/v2"
	"sync"
	"testing"
)

func TestTable(t *testing.T) {
	tab := newTable(1 << 20)
	k := tab.key(1, 2)
	if _, ok := tab.probe(k); ok {
		t.Error("an empty table knows something")
	}
	tab.store(k, 7, 3, 10, 20, 15, 9, -64, 64)
	e, ok := tab.probe(k)
	if want := (entry{lower: 15, upper: 15, depth: 7, sure: 3, first: 9, then: none}); !ok || e != want {
		t.Errorf("%+v, want %+v", e, want)
	}
	// Two windows of the same search make both bounds; the old move becomes the
	// second.
	k = tab.key(4, 8)
	tab.store(k, 7, 3, 10, 11, 11, 9, -64, 64)
	tab.store(k, 7, 3, 20, 21, 16, 3, -64, 64)
	e, _ = tab.probe(k)
	if want := (entry{lower: 11, upper: 16, depth: 7, sure: 3, first: 9, then: 3}); e != want {
		t.Errorf("%+v, want %+v", e, want)
	}
	tab.store(k, 8, 3, 20, 21, 25, 3, -64, 64)
	e, _ = tab.probe(k)
	if want := (entry{lower: 25, upper: 64, depth: 8, sure: 3, first: 3, then: 9}); e != want {
		t.Errorf("%+v, want %+v", e, want)
	}
	tab.next(false)
	if _, ok := tab.probe(k); !ok {
		t.Error("it forgot")
	}
	tab.next(true)
	if _, ok := tab.probe(tab.key(4, 8)); ok {
		t.Error("it remembers")
	}
	for range 300 {
		tab.next(false)
	}
	if tab.age < 1 || tab.age > 255 {
		t.Errorf("age %d", tab.age)
	}
}

// TestReplace fills one bucket: what was searched deepest stays.
func TestReplace(t *testing.T) {
	tab := newTable(1 << 14)
	k := key{}
	for i := range uint64(20) {
		k.check = i + 1
		tab.store(k, int(40-i), certain, 0, 1, 0, 1, -64, 64)
	}
	for i := range uint64(bucket - 1) {
		k.check = i + 1
		if e, ok := tab.probe(k); !ok || int(e.depth) != int(40-i) {
			t.Errorf("depth %d is gone", 40-i)
		}
	}
	k.check = 20
	if _, ok := tab.probe(k); !ok {
		t.Error("the last one is not there")
	}
}

// TestShared lets threads write the same places: what is read belongs to the
// key.
func TestShared(t *testing.T) {
	tab := newTable(1 << 14)
	var threads sync.WaitGroup
	for i := range uint64(4) {
		threads.Go(func() {
			r := rand.New(rand.NewPCG(i, 1))
			for range 20000 {
				own := r.Uint64N(3000)
				k := tab.key(own, ^own)
				if e, ok := tab.probe(k); ok && int(e.lower) != int(own%50) {
					t.Errorf("%d has the value of another", own)
					return
				}
				tab.store(k, int(own%60), certain, -100, 100, int(own%50), uint8(own%64), -100, 100)
			}
		})
	}
	threads.Wait()
}

// TestSmall holds that threads have tables of their own for few empty squares,
// which forget together with the large one.
func TestSmall(t *testing.T) {
	tab := newTable(1 << 14)
	one, two := tab.smallOf(0), tab.smallOf(1)
	if one == two || one == tab || tab.smallOf(0) != one {
		t.Fatal("tables are mixed up")
	}
	k := tab.key(2, 4)
	one.store(k, 9, certain, 0, 1, 6, 3, -64, 64)
	if e, ok := one.probe(k); !ok || e.lower != 6 {
		t.Errorf("%+v, %v", e, ok)
	}
	if _, ok := two.probe(k); ok {
		t.Error("another thread finds it")
	}
	age := one.age
	tab.next(true)
	if _, ok := one.probe(tab.key(2, 4)); ok || one.age == age {
		t.Error("it remembers")
	}
}
