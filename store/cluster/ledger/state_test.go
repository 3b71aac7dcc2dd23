package ledger

import (
	"math/rand/v2"
	"qipu/builtin"
	"qipu/index"
	"qipu/store/storetest"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// TestExtent compares extents with bitmaps.
func TestExtent(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 7))
	some := func() (e Extent) {
		for at := random.Uint32N(5); len(e) < random.IntN(6); {
			high := at + 1 + random.Uint32N(6)
			e = append(e, Span{Low: at, High: high})
			at = high + 1 + random.Uint32N(6)
		}
		return e
	}
	for range 2000 {
		a, b := some(), some()
		x, y := a.Documents(), b.Documents()
		if a.Size() != x.GetCardinality() {
			t.Fatalf("%v: %d documents", a, a.Size())
		}
		in := Span{Low: random.Uint32N(30), High: 30 + random.Uint32N(30)}
		within := roaring.New()
		within.AddRange(uint64(in.Low), uint64(in.High))
		if got, want := a.Numbers(in), x.AndCardinality(within); got != want {
			t.Fatalf("%v has %d of %v, want %d", a, got, in, want)
		}
		left := a.Without(b)
		if want := roaring.AndNot(x, y); !left.Documents().Equals(want) || !slices.IsSortedFunc(left, func(p, q Span) int { return int(p.Low) - int(q.Low) }) {
			t.Fatalf("%v without %v: %v", a, b, left)
		}
		for doc := range uint32(70) {
			if a.Has(doc) != x.Contains(doc) {
				t.Fatalf("%v has %d: %t", a, doc, a.Has(doc))
			}
		}
	}
}

// TestLedger folds the same rows in several orders, and more than once.
//
//qipu:race
func TestLedger(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	go19 := "weiqi 19x19"
	rows := []*Commit{
		{Writer: 1, Seq: 1, Low: 1, High: 4, Kinds: []string{go19}, Main: []int64{3}, Variations: []int64{2}, Plies: []int64{300}},
		{Writer: 2, Seq: 1, Low: 65536, High: 65538, Docs: []uint32{65537}, Games: []uint32{2}, Gone: []uint32{2},
			Kinds: []string{go19, go19, go19}, Main: []int64{1, 1, -1}, Variations: []int64{5, 0, -1}, Plies: []int64{150, 80, -100}},
		{Writer: 3, Seq: 1, Low: 131072, High: 131073, Docs: []uint32{131072}, Games: []uint32{2}, Gone: []uint32{2}, // at the same time
			Kinds: []string{go19, go19}, Main: []int64{1, -1}, Variations: []int64{7, -1}, Plies: []int64{170, -100}},
		{Writer: 1, Seq: 2, Gone: []uint32{3}, Kinds: []string{go19}, Main: []int64{-1}, Variations: []int64{0}, Plies: []int64{-90}},
		{Writer: 2, Seq: 2, Gone: []uint32{3}, Kinds: []string{go19}, Main: []int64{-1}, Variations: []int64{0}, Plies: []int64{-90}}, // both delete it
	}
	check := func(st *State) {
		t.Helper()
		if want := []Span{{Low: 1, High: 4}, {Low: 65536, High: 65538}, {Low: 131072, High: 131073}}; !slices.Equal(st.Spans, want) {
			t.Errorf("spans are %v, want %v", st.Spans, want)
		}
		var there []uint32
		for doc := range uint32(200000) {
			if st.Has(doc) {
				there = append(there, doc)
			}
		}
		if want := []uint32{1, 65536, 131072}; !slices.Equal(there, want) {
			t.Errorf("there are %v, want %v", there, want)
		}
		if doc, ok := st.Doc(2); doc != 131072 || !ok || st.Game(131072) != 2 {
			t.Errorf("game 2 has document %d, %v", doc, ok)
		}
		for _, id := range []uint32{3, 65537, 131072, 99} {
			if _, ok := st.Doc(id); ok {
				t.Errorf("game %d is there", id)
			}
		}
		if st.Commits != 5 || len(st.Tally) != 1 {
			t.Fatalf("%d commits, tally %v", st.Commits, st.Tally)
		}
		if got := st.Tally[0]; got.Games != 3 || got.Variations != 8 || got.Plies != 300-100-90+80+170 {
			t.Errorf("tally is %+v", got)
		}
	}
	m := storetest.NewMaker(builtin.Games(), 5)
	for range 50 {
		order := m.Rng.Perm(len(rows))
		l := NewLedger(nil, kinds, 1)
		before := l.Now
		for _, i := range order {
			l.Fold([]*Commit{rows[i], rows[i]})
		}
		check(l.Fold(rows))
		if before.Commits != 0 || len(before.Spans) != 0 || len(before.Games) != 0 || !before.Dead.IsEmpty() {
			t.Fatal("a state has changed")
		}
		// One who deletes the game takes both documents away.
		if got, want := l.Standing(2), []uint32{65537, 131072}; !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Errorf("game 2 has documents %v, want %v", got, want)
		}
	}
	l := NewLedger(nil, kinds, 1)
	check(l.Fold(rows))
}

// TestWithout subtracts spans.
func TestWithout(t *testing.T) {
	m := storetest.NewMaker(builtin.Games(), 6)
	random := func() (list Extent) {
		at := uint32(0)
		for range m.Rng.IntN(6) {
			low := at + 1 + uint32(m.Rng.IntN(9))
			at = low + 1 + uint32(m.Rng.IntN(9))
			list = append(list, Span{Low: low, High: at})
		}
		return list
	}
	in := func(list []Span, n uint32) bool {
		return slices.ContainsFunc(list, func(s Span) bool { return s.Low <= n && n < s.High })
	}
	for range 1000 {
		a, b := random(), random()
		rest := a.Without(b)
		for n := range uint32(130) {
			if got, want := in(rest, n), in(a, n) && !in(b, n); got != want {
				t.Fatalf("%v without %v is %v", a, b, rest)
			}
		}
	}
}

// TestGroups checks that groups have every document once, and are no larger than
// asked for.
func TestGroups(t *testing.T) {
	st := &State{Spans: []Span{{Low: 1, High: 4}, {Low: 10, High: 11}, {Low: 20, High: 60}, {Low: 70, High: 71}, {Low: 80, High: 81}}, Dead: roaring.BitmapOf(2, 21, 22, 23, 24, 25, 59, 80)}
	for _, c := range []struct{ numbers, spans, dead uint64 }{{1 << 32, 200, 1000}, {5, 200, 1000}, {1 << 32, 1, 1000}, {1 << 32, 2, 1}, {1, 1, 1}, {7, 3, 2}} {
		var got []uint32
		var dead []uint32
		for g := range st.Groups(c.numbers, c.spans, c.dead) {
			n := uint64(0)
			for _, s := range g.Spans {
				n += uint64(s.High - s.Low)
				for doc := s.Low; doc < s.High; doc++ {
					got = append(got, doc)
				}
			}
			if n > c.numbers || uint64(len(g.Spans)) > c.spans || uint64(len(g.Dead)) > c.dead || n == 0 {
				t.Errorf("%+v: a group of %+v", c, g)
			}
			dead = append(dead, g.Dead...)
			for _, doc := range g.Dead {
				if !slices.ContainsFunc(g.Spans, func(s Span) bool { return s.Low <= doc && doc < s.High }) {
					t.Errorf("%+v: %d is dead elsewhere than in %+v", c, doc, g)
				}
			}
		}
		if len(got) != 46 || !slices.IsSorted(got) || !slices.Equal(dead, st.Dead.ToArray()) {
			t.Errorf("%+v: %v, dead %v", c, got, dead)
		}
	}
}

func TestPlan(t *testing.T) {
	list := func(s string) []string { return strings.Split(s, ",") }
	old := &Topology{Epoch: 3, Shards: [][]string{{"a", "b"}, {"c", "d"}}}
	for _, c := range []struct {
		old      *Topology
		hosts    string
		replicas int
		want     string
	}{
		{nil, "a,b", 0, "a b"},
		{nil, "a,b,c,d", 2, "a,b c,d"},
		{nil, "a,b,c", 2, "no multiple of 2"},
		{old, "a,b,c,d", 0, "a,b c,d"},
		{old, "a,b,c,d,e,f", 0, "a,b c,d e,f"},
		{old, "a,b,c,d,e", 0, "no multiple of 2"},
		{old, "a,b", 0, "name these hosts"},
		{old, "c,d,a,b", 2, "name these hosts"},
		{old, "a,b,c,d", 1, "cannot be changed to 1"},
	} {
		got, err := Plan(c.old, list(c.hosts), c.replicas)
		var text string
		if err != nil {
			text = err.Error()
		} else {
			text = got.String()
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s with %d replicas: %s, want %s", c.hosts, c.replicas, text, c.want)
		}
		if err == nil && c.old != nil && (got.Epoch == 4) != (len(got.Shards) == 3) {
			t.Errorf("%s: epoch %d", c.hosts, got.Epoch)
		}
	}
}

func TestRelease(t *testing.T) {
	old, now := CapsOf(ParseRelease("18.16.1")), CapsOf(ParseRelease("26.7.2.1"))
	if old.Codecs || old.Bitmaps || !now.Codecs || !now.Bitmaps || !old.Version.Before(now.Version) || now.Version.Before(old.Version) {
		t.Errorf("%+v, %+v", old, now)
	}
	if odd := ParseRelease("weird"); odd != (Release{}) {
		t.Error(odd)
	}
}

// TestJoined folds rows in all orders that join games: 1 and 20 are the same, of
// which 20 has a later document, and 2 and 30, of which that of 30 says more.
func TestJoined(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	row := func(seq, low, high uint32, docs, games, gone []uint32, plies ...int64) *Commit {
		r := &Commit{Writer: 1, Seq: seq, Low: low, High: high, Docs: docs, Games: games, Gone: gone}
		for _, n := range plies {
			main := int64(1)
			if n < 0 {
				main = -1
			}
			r.Count("weiqi 19x19", main, 0, n)
		}
		return r
	}
	rows := []*Commit{
		row(1, 1, 2, nil, nil, nil, 100),
		row(2, 2, 3, nil, nil, nil, 40),
		row(3, 20, 21, nil, nil, nil, 50),
		row(4, 21, 22, []uint32{21}, []uint32{20}, []uint32{20}, 100, -50),
		row(5, 30, 31, nil, nil, nil, 90),
		row(6, 0, 0, []uint32{20, 21, 30}, []uint32{1, 1, 2}, []uint32{21, 2}, 50, 100, 90, -50, -100, -90, -100, -40),
		row(7, 0, 0, []uint32{20, 21}, []uint32{1, 1}, []uint32{21}, 50, 100, -50, -100, -100), // by another at the same time
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		l := NewLedger(nil, kinds, 1)
		for _, i := range random.Perm(len(rows)) {
			l.Fold(rows[i : i+1])
		}
		st := l.Known()
		for game, want := range map[uint32]uint32{1: 1, 2: 30, 20: 0, 21: 0, 30: 0} {
			if doc, ok := st.Doc(game); doc != want && ok || ok != (want != 0) {
				t.Fatalf("game %d has the document %d, %t, want %d", game, doc, ok, want)
			}
		}
		for game, want := range map[uint32]uint32{1: 1, 2: 2, 20: 1, 30: 2} {
			if got := st.Joined(game); got != want {
				t.Fatalf("game %d is known as %d, want %d", game, got, want)
			}
		}
		if len(st.Tally) != 1 || st.Tally[0].Games != 2 || st.Tally[0].Plies != 190 {
			t.Fatalf("the tally is %+v", st.Tally)
		}
	}
}

// TestDoubtful folds rows whose writers knew nothing of each other, in all orders.
func TestDoubtful(t *testing.T) {
	row := func(writer, low, high uint32, place int64) *Commit {
		r := &Commit{Writer: writer, Low: low, High: high}
		r.Put(place)
		return r
	}
	settles := &Commit{Writer: 9}
	settles.Settle([]uint64{2 << 32, 3 << 32})
	settles.Put(3)
	rows := []*Commit{row(1, 1, 4, 0), row(2, 10, 12, 1), row(3, 20, 25, 1), row(4, 0, 0, 2), settles}
	for first := range rows {
		for step := 1; step < len(rows); step++ {
			l := NewLedger(nil, index.NewKinds(builtin.Games()), 1)
			settled, met := false, 0
			for i := range rows {
				r := rows[(first+i*step)%len(rows)]
				st := l.Fold([]*Commit{r})
				settled = settled || r == settles
				if r.Writer == 2 || r.Writer == 3 {
					met++
				}
				want, docs := []uint64(nil), uint64(0)
				if met == 2 && !settled {
					want, docs = []uint64{2 << 32, 3 << 32}, 7
				}
				if !slices.Equal(st.Doubtful, want) || st.Doubt.Size() != docs {
					t.Errorf("in doubt are %v, %v, want %v", st.Doubtful, st.Doubt, want)
				}
				if len(l.Counts()) != 0 {
					t.Errorf("marks are counted: %v", l.Counts())
				}
			}
		}
	}
}
