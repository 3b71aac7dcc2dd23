package mine

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/kb"
	"qipu/pattern/window"
	"qipu/workshop/mine/classify"
)

// MaxExamples is how many examples an entry gets.
const MaxExamples = 3

// Count counts for every entry of a base how often it occurs in games, how often
// it is played, and which games show it: evidence in the order of the base.
//
// Examples are occurrences that were played, one a game, drawn evenly from all
// games by a hash: counting more games changes them, counting the same games
// again does not. Where fewer were played than are wanted, and for shapes to
// avoid, others show where the shape came to stand. Games with the same moves
// under several names count each time.
//
// It takes some seventy microseconds a move for a base of a thousand shapes, most
// of them to list what stands.
func Count(ctx context.Context, base *kb.Base, games iter.Seq2[Game, error], o Options) ([]kb.Evidence, error) {
	t, err := tally(ctx, base.Entries, games, &o, false)
	if err != nil {
		return nil, err
	}
	list := make([]kb.Evidence, len(t))
	for i := range t {
		e := &base.Entries[i]
		v := &list[i]
		*v = kb.Evidence{ID: e.ID, Print: e.Fingerprint(), Seen: t[i].seen, Ours: t[i].ours, Theirs: t[i].theirs}
		for _, x := range t[i].examples {
			v.Examples = append(v.Examples, kb.Example{File: x.file, Ply: x.ply, Title: x.title})
		}
	}
	return list, nil
}

// count is what is known of one entry.
type count struct {
	seen, ours, theirs int
	quick, quickTheirs int // of ours and theirs: played within two moves
	facts              classify.Facts
	examples           []example
}

type example struct {
	key         uint64 // the smallest are kept
	file, title string
	ply         int
}

// compare orders examples, whatever the order in which games came.
func (x example) compare(y example) int {
	return cmp.Or(cmp.Compare(x.key, y.key), cmp.Compare(x.file, y.file), cmp.Compare(x.ply, y.ply))
}

// add keeps an example if it is among the first, one of a game.
func (c *count) add(x example) {
	if len(c.examples) == MaxExamples && x.key > c.examples[MaxExamples-1].key {
		return
	}
	// Copies of a game have the same key: the first name stands for all.
	if i := slices.IndexFunc(c.examples, func(y example) bool { return y.key == x.key }); i >= 0 {
		if x.compare(c.examples[i]) < 0 {
			c.examples[i] = x
		}
		return
	}
	at, _ := slices.BinarySearchFunc(c.examples, x, example.compare)
	c.examples = slices.Insert(c.examples, at, x)
	c.examples = c.examples[:min(len(c.examples), MaxExamples)]
}

// merge adds what another worker has counted.
func (c *count) merge(d *count) {
	c.seen += d.seen
	c.ours += d.ours
	c.theirs += d.theirs
	c.quick += d.quick
	c.quickTheirs += d.quickTheirs
	c.facts.Add(&d.facts)
	for _, x := range d.examples {
		c.add(x)
	}
}

// compile makes a set of entries, which are numbered as in the list.
func compile(entries []kb.Entry) (*window.Set, error) {
	shapes := make([]window.Shape, len(entries))
	for i := range entries {
		shapes[i] = entries[i].Shape()
		if err := shapes[i].Check(); err != nil {
			return nil, fmt.Errorf("mine: %s: %w", entries[i].ID, err)
		}
	}
	set, err := window.Compile(shapes, window.Options{})
	if err != nil {
		return nil, fmt.Errorf("mine: %w", err)
	}
	return set, nil
}

// What an example shows; the first is wanted more.
const (
	wasPlayed = iota
	stood
)

// tally counts entries in games; facts are looked at where they are asked for.
func tally(ctx context.Context, entries []kb.Entry, games iter.Seq2[Game, error], o *Options, facts bool) ([]count, error) {
	set, err := compile(entries)
	if err != nil {
		return nil, err
	}
	ids := make([]uint64, len(entries))
	for i := range entries {
		h := fnv.New64a()
		h.Write([]byte(entries[i].ID))
		ids[i] = h.Sum64()
	}
	total := make([]count, len(entries))
	var all [][]count
	err = each(ctx, games, o, func() func(*Game) {
		own := make([]count, len(entries))
		all = append(all, own)
		w := newWatch(set)
		// The number of the game that gave an example last, of a shape that was
		// played and of one that stood.
		var given [2][]int32
		for i := range given {
			given[i] = make([]int32, len(entries))
		}
		number := int32(0)
		var look looker
		return func(g *Game) {
			number++
			var hash uint64
			show := func(i int32, ply, rank int) {
				if given[rank][i] == number {
					return
				}
				given[rank][i] = number
				if hash == 0 {
					hash = g.hash()
				}
				key := board.Mix(hash^ids[i])>>1 | uint64(rank)<<63
				own[i].add(example{key: key, file: g.File, title: g.Title, ply: ply})
			}
			w.began = func(h window.Hit, ply int) {
				own[h.Shape].seen++
				show(h.Shape, ply, stood)
			}
			w.ended = func(h window.Hit, since int, m *move) {
				e, c := &entries[h.Shape], &own[h.Shape]
				spots, played, quick := e.Ours, &c.ours, &c.quick
				if h.Side() != m.side {
					spots, played, quick = e.Theirs, &c.theirs, &c.quickTheirs
				}
				for _, s := range spots {
					if h.Point(e.Size, int(s.X), int(s.Y)) != m.to {
						continue
					}
					*played++
					if facts && h.Side() == m.side {
						c.facts.Add(look.after(m))
					}
					if m.ply-since < 2 {
						*quick++
					}
					if (h.Side() == m.side || len(e.Ours) == 0) && !e.Avoids() {
						show(h.Shape, m.ply, wasPlayed)
					}
					break
				}
			}
			g.replay(w.begin, func(m *move) bool {
				if facts {
					look.before(m)
				}
				w.step(m)
				return true
			})
		}
	})
	if err != nil {
		return nil, err
	}
	for _, own := range all {
		for i := range own {
			total[i].merge(&own[i])
		}
	}
	return total, nil
}

// watch follows the hits of a set through a game and tells which come and go.
// It is used by one goroutine.
type watch struct {
	tracker *window.Tracker
	set     *window.Set

	// hits stand now, and since is how many moves had been played when each came
	// to stand.
	hits, next   []window.Hit
	since, after []int32

	// gone and come are the hits that a move may have ended and begun, by their
	// numbers before and behind it.
	gone, come []int32

	// old has the numbers of the hits of gone that have not come again.
	old map[window.Hit]int32

	began func(h window.Hit, ply int)
	ended func(h window.Hit, since int, m *move)
}

func newWatch(set *window.Set) *watch {
	return &watch{set: set, old: map[window.Hit]int32{}}
}

// begin takes up a game.
func (w *watch) begin(p *weiqi.Position) {
	if w.tracker == nil {
		w.tracker = window.NewTracker(w.set, p.Planes().Size)
	}
	w.tracker.Reset(p.Planes())
	w.hits = w.tracker.AppendHits(w.hits[:0])
	w.since = w.since[:0]
	for _, h := range w.hits {
		w.since = append(w.since, 0)
		if w.began != nil {
			w.began(h, 0)
		}
	}
}

// step plays a move and tells what it changed: first what ended, then what
// began.
func (w *watch) step(m *move) {
	w.change(m.play(), m)
}

func (w *watch) change(list []game.Changed, m *move) {
	w.tracker.Change(list)
	w.next = w.tracker.AppendHits(w.next[:0])
	w.align()
	clear(w.old)
	for _, i := range w.gone {
		w.old[w.hits[i]] = i
	}
	for _, j := range w.come {
		w.after[j] = int32(m.ply + 1)
		if i, again := w.old[w.next[j]]; again {
			w.after[j] = w.since[i]
			delete(w.old, w.next[j])
		}
	}
	if w.ended != nil {
		for _, i := range w.gone {
			if _, ended := w.old[w.hits[i]]; ended {
				w.ended(w.hits[i], int(w.since[i]), m)
			}
		}
	}
	w.hits, w.next = w.next, w.hits
	w.since, w.after = w.after, w.since
	if w.began != nil {
		for _, j := range w.come {
			if w.since[j] == int32(m.ply+1) {
				w.began(w.hits[j], m.ply+1)
			}
		}
	}
}

// lookahead is how many hits a run that has come or gone is followed.
const lookahead = 24

// align lays the hits before a move beside those behind it. Nearly all are in both
// lists, in the same order: what is not found beside its like is put into gone and
// come, in which the same hit may stand in both.
func (w *watch) align() {
	w.gone, w.come = w.gone[:0], w.come[:0]
	w.after = slices.Grow(w.after[:0], len(w.next))[:len(w.next)]
	i, j := 0, 0
	for i < len(w.hits) && j < len(w.next) {
		if w.hits[i] == w.next[j] {
			w.after[j] = w.since[i]
			i++
			j++
			continue
		}
		di, dj := w.resume(i, j)
		for range di {
			w.gone = append(w.gone, int32(i))
			i++
		}
		for range dj {
			w.come = append(w.come, int32(j))
			j++
		}
	}
	for ; i < len(w.hits); i++ {
		w.gone = append(w.gone, int32(i))
	}
	for ; j < len(w.next); j++ {
		w.come = append(w.come, int32(j))
	}
}

// resume returns how many hits to leave out of both lists until they agree again.
func (w *watch) resume(i, j int) (di, dj int) {
	old, now := w.hits[i:min(i+lookahead, len(w.hits))], w.next[j:min(j+lookahead, len(w.next))]
	for sum := 1; sum < len(old)+len(now)-1; sum++ {
		for d := max(0, sum-len(now)+1); d <= min(sum, len(old)-1); d++ {
			if old[d] == now[sum-d] {
				return d, sum - d
			}
		}
	}
	return len(old), len(now)
}
