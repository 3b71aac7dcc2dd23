package sight

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// forget empties what eyes share.
func forget() {
	l := shared()
	for i := range l.slots {
		lock := &l.locks[i%lookLocks]
		lock.Lock()
		l.slots[i] = heard{}
		lock.Unlock()
	}
	l.known.Store(0)
}

// sights returns what is said of the positions of a game by chance on each of some boards.
func sights(t *testing.T, e *Eye) (list []Sight) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, spec := range []string{"9x9", "7x9", "9x7", "9x9,komi=0.5", "9x9,chinese"} {
		r, err := weiqi.Standard.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Start().(*weiqi.Position)
		var last []board.Point
		for ply := range 8 {
			var s Sight
			if err := e.Look(&s, p, last, uint(ply)); err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
			legal := p.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			last = append([]board.Point{m.To()}, last...)
		}
	}
	return list
}

func same(a, b Sight) bool {
	return a.Size == b.Size && slices.Equal(a.Moves, b.Moves) && slices.Equal(a.Owner, b.Owner) && a.Pass == b.Pass && a.Win == b.Win && a.Lead == b.Lead && a.Spread == b.Spread
}

// TestShared: eyes share what nets said, bit for bit, and ask no net twice for the same;
// also many at once, and nothing is shared that was shown differently.
//
//qipu:race
func TestShared(t *testing.T) {
	forget()
	defer forget()
	eye := func() *Eye {
		e, err := New()
		if err != nil {
			t.Error(err)
		}
		return e
	}
	fresh := sights(t, eye())
	if n := shared().known.Load(); n != 0 {
		t.Errorf("%d of %d boards that were never shown are known", n, len(fresh))
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, s := range sights(t, eye()) {
				if !same(s, fresh[i]) {
					t.Errorf("board %d is another one the second time", i)
				}
			}
		})
	}
	all.Wait()
	// Two boards may have the one place of both of their keys, and then in turn.
	if n := shared().known.Load(); n < int64(4*len(fresh))*9/10 {
		t.Errorf("%d of %d looks were known", n, 4*len(fresh))
	}
	e := eye()
	var s Sight
	start := weiqi.Standard.Start().(*weiqi.Position)
	passed := weiqi.Standard.Start().(*weiqi.Position)
	if err := passed.Play(game.Pass); err != nil {
		t.Fatal(err)
	}
	before := shared().known.Load()
	for _, p := range []*weiqi.Position{start, passed} { // nothing but komi tells them apart
		if err := e.Look(&s, p, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	if n := shared().known.Load(); n != before {
		t.Errorf("%d looks at two boards are known", n-before)
	}
}
