package dedupe

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/storetest"
)

// memory is an Existing of items in memory, the first of which is game 1. It looks at
// all of them for every answer, and notes what it is asked.
type memory struct {
	items              []*Item
	keys, heads, reach map[uint64]bool
	crowds             Crowds
}

var _ Existing = (*memory)(nil)

func (m *memory) Crowds() *Crowds          { return &m.crowds }
func (m *memory) Has(key uint64) bool      { m.keys[key] = true; return true }
func (m *memory) HasHead(head uint64) bool { m.heads[head] = true; return true }

func (m *memory) rows(want func(e *store.Entry) bool) (rows []store.KeyRow, err error) {
	for i, it := range m.items {
		if e := &it.Entry; want(e) {
			rows = append(rows, store.KeyRow{ID: uint32(i + 1), Key: e.Key, Head: e.Head, Kind: e.Kind, Plies: e.Plies})
		}
	}
	return rows, nil
}

func (m *memory) ByKey(_ context.Context, key uint64) ([]store.KeyRow, error) {
	return m.rows(func(e *store.Entry) bool { return e.Key == key })
}

func (m *memory) ByHead(_ context.Context, head uint64) ([]store.KeyRow, error) {
	return m.rows(func(e *store.Entry) bool { return e.Head == head })
}

func (m *memory) Games(_ context.Context, ids []uint32) (games []store.Game, err error) {
	for _, id := range ids {
		e := &m.items[id-1].Entry
		games = append(games, store.Game{ID: id, Kind: e.Kind, Key: e.Key, Head: e.Head, Plies: e.Plies, Facts: *e.Facts, Marked: e.Marked})
	}
	return games, nil
}

func (m *memory) Noted(_ context.Context, id uint32, place store.Source) (bool, error) {
	return m.items[id-1].Entry.Source == place, nil
}

func (m *memory) Record(_ context.Context, id uint32) (encoded, raw []byte, err error) {
	e := &m.items[id-1].Entry
	return e.Record, e.Raw, nil
}

func (m *memory) Documents(_ context.Context, ids []uint32) (docs []*index.Document, err error) {
	for _, id := range ids {
		doc := *m.items[id-1].Doc
		doc.Game = id
		docs = append(docs, &doc)
	}
	slices.Reverse(docs) // their order is anybody's
	return docs, nil
}

func (m *memory) Reaching(_ context.Context, k *index.Kind, key uint64) (ids []uint32, err error) {
	m.reach[key] = true
	for i, it := range m.items {
		if it.Doc != nil && it.Doc.Kind == k && slices.ContainsFunc(it.Doc.Found[0].Positions, func(p index.Position) bool { return p.Key == key }) {
			ids = append(ids, uint32(i+1))
		}
	}
	return ids, nil
}

// TestStored compares the stored games that a record is compared with to all
// whose moves are its own, begin it, or go on from it. What an Existing is asked
// for must have been foretold.
func TestStored(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	compared := 0
	for seed := range uint64(testkit.Scale(12, 200)) {
		rng := rand.New(rand.NewPCG(seed, 3))
		maker := storetest.NewMaker(builtin.Games(), seed)
		kind := [][2]string{{"weiqi", "9x9"}, {"weiqi", ""}, {"othello", ""}, {"xiangqi", ""}, {"renju", ""}}[rng.IntN(5)]
		var list []*record.Played
		for range 6 {
			whole := maker.Game(kind[0], kind[1], 20+rng.IntN(60))
			for range 8 {
				g := maker.Cut(whole, rng.IntN(80))
				if rng.IntN(3) > 0 {
					g.Facts.Players[0].Name, g.Facts.Players[1].Name = "Ito", "Park"
				}
				list = append(list, maker.Play(g))
			}
		}
		existing := &memory{items: Items(list[:32], nil, kinds), keys: map[uint64]bool{}, heads: map[uint64]bool{}, reach: map[uint64]bool{}}
		s := newSifter(existing, nil)
		for _, it := range Items(list, nil, kinds) {
			clear(existing.keys)
			clear(existing.heads)
			clear(existing.reach)
			rows, err := s.stored(t.Context(), it)
			if err != nil {
				t.Fatal(err)
			}
			var got []uint32
			for _, r := range rows {
				got = append(got, r.ID)
			}
			slices.Sort(got)
			got = slices.Compact(got)
			if want := compare(existing.items, it); !slices.Equal(got, want) {
				t.Errorf("seed %d: a record of %d plies is compared with %v, want %v", seed, it.Doc.Plies, got, want)
			}
			compared += len(got)
			foretold(t, existing, it)
		}
	}
	if compared == 0 {
		t.Error("no record was compared with any")
	}
}

// compare returns the games that a record is to be compared with.
func compare(stored []*Item, it *Item) (ids []uint32) {
	n := it.Doc.Plies
	for i, other := range stored {
		m := other.Doc.Plies
		switch {
		case m == n && other.Doc.Key == it.Doc.Key:
		case m < n && m >= LeastBeginning && it.Doc.Prefixes[m] == other.Doc.Key:
		case m > n && n >= LeastBeginning && other.Doc.Prefixes[n] == it.Doc.Key &&
			(n >= index.HeadPlies || bothNamed(it.Entry.Facts, other.Entry.Facts)):
		default:
			continue
		}
		ids = append(ids, uint32(i+1))
	}
	return ids
}

// foretold checks that an Existing was asked for nothing that the item did not name.
func foretold(t *testing.T, existing *memory, it *Item) {
	t.Helper()
	for key := range it.Keys() {
		delete(existing.keys, key)
	}
	delete(existing.heads, it.Entry.Head)
	if key, ok := it.Reaches(); ok {
		delete(existing.reach, key)
	}
	if len(existing.keys) > 0 || len(existing.heads) > 0 || len(existing.reach) > 0 {
		t.Errorf("of a record of %d plies the existing was asked for the keys %v, the heads %v, the positions %v", it.Doc.Plies, existing.keys, existing.heads, existing.reach)
	}
}

// TestKeysEnd stops listing keys early.
func TestKeysEnd(t *testing.T) {
	maker := storetest.NewMaker(builtin.Games(), 1)
	it := Items([]*record.Played{maker.Play(maker.Game("renju", "", 30))}, nil, index.NewKinds(builtin.Games()))[0]
	all := slices.Collect(it.Keys())
	if want := append([]uint64{it.Doc.Key}, it.Doc.Prefixes[LeastBeginning:30]...); !slices.Equal(all, want) {
		t.Errorf("the keys are %x, want %x", all, want)
	}
	for n := range all {
		var got []uint64
		for key := range it.Keys() {
			if got = append(got, key); len(got) == n+1 {
				break
			}
		}
		if !slices.Equal(got, all[:n+1]) {
			t.Errorf("the first %d keys are %x, want %x", n+1, got, all[:n+1])
		}
	}
}

// TestPreparer compares items of records that were prepared with others.
func TestPreparer(t *testing.T) {
	kinds := index.NewKinds(builtin.Games())
	maker := storetest.NewMaker(builtin.Games(), 5)
	prepare := Preparer(kinds)
	list := []*record.Game{{Kind: "shogi", Format: "made", Raw: []byte("1. e4")}, {Kind: "shogi", Format: "made"}}
	for range 30 {
		list = append(list, maker.Random(50))
	}
	for _, g := range list {
		plain, ahead := maker.Play(g), maker.Play(g)
		items := Items([]*record.Played{plain, ahead}, store.Preparations{ahead: prepare(ahead)}, kinds)
		for _, it := range items {
			it.Played, it.Entry.Facts = nil, nil
		}
		if x, y := fmt.Sprint(items[0].Entry, items[0].notes), fmt.Sprint(items[1].Entry, items[1].notes); x != y {
			t.Errorf("an item is\n%s\nand prepared\n%s", x, y)
		}
		if (items[0].Doc == nil) != (g.Kind == "shogi") || (items[1].Doc == nil) != (g.Kind == "shogi") {
			t.Errorf("a record of %s has the documents %v, %v", g.Kind, items[0].Doc, items[1].Doc)
		}
		if g.Kind == "shogi" && (items[0].Entry.Kind != store.UnknownKind || items[0].Entry.Key == 0) {
			t.Errorf("a record without a board has the entry %+v", items[0].Entry)
		}
	}
}

// TestNumber gives numbers to batches.
func TestNumber(t *testing.T) {
	stored := func(id uint32) Candidate { return Candidate{ID: id, Batch: -1} }
	batch := func(i int) Candidate { return Candidate{Batch: i} }
	for name, c := range map[string]struct {
		items    []*Item
		told     string // number, status and the other game of each
		foretold string
		standing []int
	}{
		"nothing": {nil, "[]", "[]", nil},
		"new": {[]*Item{{}, {Status: store.StatusDuplicate, Of: stored(7)}, {}},
			"[{100 new 0 0} {7 duplicate 0 0} {101 new 0 0}]", "[{0 new 0 0} {7 duplicate 0 0} {0 new 0 0}]", []int{0, 2}},
		"fuller": {[]*Item{{Status: store.StatusFuller, Of: stored(7)}, {}, {Status: store.StatusFuller, Of: Candidate{ID: 7, Batch: 0}}},
			"[{7 fuller 0 0} {100 new 0 0} {7 fuller 0 0}]", "[{7 fuller 0 0} {0 new 0 0} {7 fuller 0 0}]", []int{2, 1}},
		"fuller in the batch": {[]*Item{{}, {Status: store.StatusFuller, Of: batch(0)}, {Status: store.StatusDuplicate, Of: batch(1)}},
			"[{100 new 0 0} {100 fuller 0 0} {100 duplicate 0 0}]", "[{0 new 0 0} {0 fuller 0 0} {0 duplicate 0 0}]", []int{1}},
		"before it": {[]*Item{{Status: store.StatusDuplicate, Of: batch(1)}, {Status: store.StatusFuller, Of: batch(2)}, {Status: store.StatusNew}},
			"[{100 duplicate 0 0} {100 fuller 0 0} {100 new 0 0}]", "[{0 duplicate 0 0} {0 fuller 0 0} {0 new 0 0}]", []int{1}},
		"twins": {[]*Item{{Status: store.StatusTwin, Of: stored(7)}, {Status: store.StatusTwin, Of: batch(0)}},
			"[{100 twin 7 0} {101 twin 100 0}]", "[{0 twin 7 0} {0 twin 0 0}]", []int{0, 1}},
	} {
		if got := fmt.Sprint(Foretell(c.items)); got != c.foretold {
			t.Errorf("%s: foretold is %s, want %s", name, got, c.foretold)
		}
		news := 0
		for _, it := range c.items {
			if it.Status == store.StatusNew || it.Status == store.StatusTwin {
				news++
			}
		}
		if next := Number(c.items, 100); next != uint32(100+news) {
			t.Errorf("%s: the next number is %d, and %d games are new", name, next, news)
		}
		if got := fmt.Sprint(Tell(c.items)); got != c.told {
			t.Errorf("%s: told is %s, want %s", name, got, c.told)
		}
		var standing []int
		for _, it := range Standing(c.items) {
			standing = append(standing, slices.Index(c.items, it))
		}
		if !slices.Equal(standing, c.standing) {
			t.Errorf("%s: the items %v stand, want %v", name, standing, c.standing)
		}
	}
}

// TestBeside decides between two records of one game.
func TestBeside(t *testing.T) {
	named := facts.Facts{Players: [2]facts.Player{{Name: "Ito"}, {Name: "Park"}}}
	dated := named
	dated.Date = facts.ParseDate("1999-05-17")
	none := facts.Facts{}
	note := func(plies ...int32) (n Notes) {
		for _, p := range plies {
			n = append(n, store.Remark{Ply: p, Sum: n.Sum()*31 + uint64(p)})
		}
		return n
	}
	for name, c := range map[string]struct {
		a, b          content
		plies, others int
		want          store.Status
		why           string
	}{
		"the same":               {content{facts: &named}, content{facts: &named}, 50, 50, store.StatusDuplicate, ""},
		"says more":              {content{facts: &dated}, content{facts: &named}, 50, 50, store.StatusFuller, ""},
		"says less":              {content{facts: &named}, content{facts: &dated}, 50, 50, store.StatusDuplicate, ""},
		"a little longer":        {content{record: make([]byte, 60), facts: &named}, content{facts: &named}, 50, 50, store.StatusDuplicate, ""},
		"much longer":            {content{record: make([]byte, 65), facts: &named}, content{facts: &named}, 50, 50, store.StatusFuller, ""},
		"goes on":                {content{facts: &named}, content{facts: &named}, 60, 50, store.StatusFuller, ""},
		"breaks off":             {content{facts: &named}, content{facts: &named}, 40, 50, store.StatusDuplicate, ""},
		"goes on without names":  {content{facts: &none}, content{facts: &named}, 60, 50, store.StatusTwin, WhyLonger},
		"breaks off with names":  {content{facts: &named}, content{facts: &none}, 40, 50, store.StatusTwin, WhyLonger},
		"goes on, same comments": {content{facts: &named, notes: note(9, 55)}, content{facts: &named, notes: note(9)}, 60, 50, store.StatusFuller, ""},
		"goes on, fewer":         {content{facts: &named, notes: note(9)}, content{facts: &named, notes: note(9, 45)}, 60, 50, store.StatusTwin, WhyLonger},
		"comments come":          {content{facts: &named, notes: note(9)}, content{facts: &named}, 50, 50, store.StatusFuller, ""},
		"comments are there":     {content{facts: &dated}, content{facts: &named, notes: note(9)}, 50, 50, store.StatusDuplicate, ""},
		"other comments":         {content{facts: &named, notes: note(8)}, content{facts: &named, notes: note(9)}, 50, 50, store.StatusTwin, WhyComments},
		"comments, no names":     {content{facts: &none, notes: note(8)}, content{facts: &named}, 50, 50, store.StatusTwin, WhyNames},
		"names, no comments":     {content{facts: &named}, content{facts: &none, notes: note(8)}, 50, 50, store.StatusTwin, WhyNames},
	} {
		if got, why := c.a.beside(&c.b, c.plies, c.others); got != c.want || why != c.why {
			t.Errorf("%s: %v %q, want %v %q", name, got, why, c.want, c.why)
		}
	}
}
