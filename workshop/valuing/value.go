package valuing

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"qipu/book"
	"qipu/engine"
	"qipu/engine/reversi"
)

// Options say how places are searched.
type Options struct {
	Level int // plies

	// Often is how many games make a place one that is searched LevelOften plies deep.
	Often, LevelOften int

	Threads int
	Hash    int64 // of each

	// Each is told of every search, as a line, and of how many are done and to do; it
	// is called by one at a time. The lines of all searches are what Resume reads.
	Each func(line string, done, all int) error
}

func (o *Options) level(p *Place) int {
	if p.Games >= o.Often {
		return o.LevelOften
	}
	return o.Level
}

// Resume takes over what was found before. Lines that are cut, and leaves that lead to
// a place by now, are left out; of two searches the deeper counts.
func Resume(r io.Reader, list []*Place) error {
	at := map[book.Key]*Place{}
	for _, p := range list {
		at[p.Key] = p
	}
	in := bufio.NewScanner(r)
	for in.Scan() {
		var key book.Key
		var f Found
		n, err := fmt.Sscanf(in.Text(), "%x %x %d %d %t %t %d %d;", &key.Hi, &key.Lo, &f.Level, &f.Depth, &f.Exact, &f.Below, &f.Square, &f.Value)
		if n != 8 || err != nil {
			continue
		}
		if p := at[key]; p != nil && (f.Square >= none || p.except>>f.Square&1 == 0) && f.better(&p.leaf) {
			p.leaf = f
		}
	}
	return in.Err()
}

func (f *Found) line(k book.Key) string {
	return fmt.Sprintf("%x %x %d %d %t %t %d %d;\n", k.Hi, k.Lo, f.Level, f.Depth, f.Exact, f.Below, f.Square, f.Value)
}

// chunk is how many places a thread takes at a time.
const chunk = 8

// margin is how much less than the moves to places a leaf may be worth and still be
// told apart.
const margin = engine.Unit

// Value searches the places that were not searched as deep before, in the order that
// they have, until its context ends, which is no error.
func Value(ctx context.Context, list []*Place, o Options) error {
	var todo []*Place
	for _, p := range list {
		if p.leaf.Level < o.level(p) && !p.leaf.Exact && !(p.leaf.Level > 0 && p.leaf.Square >= none) {
			todo = append(todo, p)
		}
	}
	v := &valuer{o: o, todo: todo, worth: map[*Place]engine.Value{}}
	for _, p := range list {
		v.settle(p)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	for range max(o.Threads, 1) {
		wait.Go(func() {
			e := reversi.New(engine.Options{Hash: o.Hash})
			defer e.Close()
			for ctx.Err() == nil {
				i := int(v.next.Add(1)-1) * chunk
				if i >= len(todo) {
					return
				}
				for _, p := range todo[i:min(i+chunk, len(todo))] {
					if err := v.search(ctx, e, p); err != nil {
						cancel(err)
						return
					}
				}
			}
		})
	}
	wait.Wait()
	return v.failed
}

// valuer is one call of Value.
type valuer struct {
	o    Options
	todo []*Place
	next atomic.Int64

	mu     sync.Mutex
	worth  map[*Place]engine.Value // of places all of whose moves are known
	done   int
	failed error
}

// settle works out what a place is worth, where that is known. The caller holds the
// lock, or is alone.
func (v *valuer) settle(p *Place) {
	if p.leaf.Level == 0 {
		return
	}
	best, known := v.behind(p)
	if !known {
		return
	}
	if p.leaf.Square < none {
		best = max(best, p.leaf.Value)
	}
	v.worth[p] = best
}

// behind returns the best of what the moves to places are worth; known is false where
// one of them is not known yet.
func (v *valuer) behind(p *Place) (best engine.Value, known bool) {
	best = engine.NoValue
	for _, l := range p.links {
		w, ok := v.worth[l.to]
		if !ok {
			return engine.NoValue, false
		}
		if !l.same {
			w = -w
		}
		best = max(best, w)
	}
	return best, true
}

func (v *valuer) search(ctx context.Context, e *reversi.Engine, p *Place) error {
	v.mu.Lock()
	floor, _ := v.behind(p)
	v.mu.Unlock()
	if floor != engine.NoValue {
		floor -= margin
	}
	level := v.o.level(p)
	l, ok, err := e.Leaf(ctx, p.Key.Hi, p.Key.Lo, reversi.LeafOptions{Depth: level, Except: p.except, Floor: floor, Keep: true})
	if err != nil || ctx.Err() != nil {
		return err
	}
	f := Found{Level: level, Depth: l.Depth, Exact: l.Exact, Below: l.Below, Square: l.Square, Value: l.Value}
	if !ok {
		f.Square = none
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	p.leaf = f
	v.settle(p)
	v.done++
	if v.o.Each != nil && v.failed == nil {
		v.failed = v.o.Each(f.line(p.Key), v.done, len(v.todo))
	}
	return v.failed
}
