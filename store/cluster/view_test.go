package cluster

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/builtin"
	"qipu/index"
	"qipu/internal/clickhouse"
	"qipu/query"
	"qipu/record"
	"qipu/store/cluster/wire"
	"qipu/store/storetest"
)

// remarked returns so many small games, all with a player and a comment.
func remarked(n int) (list []*record.Played) {
	m := storetest.NewMaker(builtin.Games(), 5)
	for i := range n {
		g := m.Game("weiqi", "9x9", 5+i%20)
		g.Facts.Players[0].Name = fmt.Sprintf("Player %d", i%7)
		g.Nodes[0].More().Comment = fmt.Sprintf("what a game: %d", i)
		list = append(list, m.Play(g))
	}
	return list
}

// answers is how many games each of the questions of a view tells of.
type answers struct{ scan, facts, positions, names, comments int }

// put adds records and returns how many games they became.
func put(t testing.TB, l *library, list []*record.Played) int {
	t.Helper()
	added, err := l.Add(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	games := roaring.New()
	for _, a := range added {
		games.Add(a.ID)
	}
	return int(games.GetCardinality())
}

// askAll asks a view everything.
func askAll(ctx context.Context, v index.View, k *index.Kind) (got answers, err error) {
	var errs []error
	for b, err := range v.Scan(ctx, &index.Plan{Kind: k}) {
		if errs = append(errs, err); err == nil {
			got.scan += b.Lanes.Count()
		}
	}
	for b, err := range v.Scan(ctx, &index.Plan{Kind: k, Facts: true}) {
		if errs = append(errs, err); err == nil {
			got.facts += b.Lanes.Count()
		}
	}
	root, _ := k.Canonical(board.NewPlanes(k.Board.Size, k.Board.Kinds))
	for p, err := range v.Positions(ctx, &index.Lookup{Kind: k, Keys: []uint64{root}}) {
		if errs = append(errs, err); err == nil {
			games := map[uint32]bool{}
			for _, r := range p.Rows {
				games[p.Game(int(r.Line))] = true
			}
			got.positions += len(games)
		}
	}
	for name, err := range v.Names(ctx, k, query.FirstPlayer) {
		errs = append(errs, err)
		got.names += name.Games
	}
	games, err := v.Comments(ctx, k, "what a game")
	if errs = append(errs, err); err == nil {
		got.comments = int(games.GetCardinality())
	}
	for _, err := range errs {
		if err != nil {
			return got, err
		}
	}
	return got, nil
}

// TestMissingShard asks while a shard is dead, and after it is back.
//
//qipu:race
func TestMissingShard(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	l := newLibrary(t, f)
	n := put(t, l, remarked(60))
	k, err := l.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	view := func(ctx context.Context) index.View {
		t.Helper()
		v, err := l.View(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		return v
	}
	old, all := view(t.Context()), answers{n, n, n, n, n}
	if got, err := askAll(t.Context(), old, k); got != all || err != nil || old.Missing() != nil {
		t.Fatalf("%+v, want %+v: %v, missing %v", got, all, err, old.Missing())
	}
	f.Node(1, 0).Kill()
	_, err = askAll(t.Context(), old, k)
	if refuses(t, err, "shard 2", f.Node(1, 0).Addr()); !wire.IsDown(err) || old.Missing() != nil {
		t.Errorf("%v, missing %v", err, old.Missing())
	}
	partial := index.AllowPartial(t.Context())
	for name, v := range map[string]index.View{"old": old, "new": view(partial)} {
		got, err := askAll(partial, v, k)
		if err != nil || got.scan == 0 || got.scan == n || got != (answers{got.scan, got.scan, got.scan, got.scan, got.scan}) {
			t.Errorf("%s: %+v of %d: %v", name, got, n, err)
		}
		if lost := v.Missing(); len(lost) != 1 || !strings.Contains(lost[0], "shard 2") {
			t.Errorf("%s: missing %q", name, lost)
		}
	}
	f.Node(0, 0).Kill()
	if _, err := askAll(partial, old, k); err == nil {
		t.Error("no shard answers, and that is no error")
	}
	f.Node(0, 0).Start(t)
	f.Node(1, 0).Start(t)
	v := view(t.Context())
	if got, err := askAll(t.Context(), v, k); got != all || err != nil || v.Missing() != nil {
		t.Errorf("back again: %+v, want %+v: %v, missing %v", got, all, err, v.Missing())
	}
}

// TestSlowShard checks that a shard that hangs keeps nobody from what another
// has, and is told of in time.
func TestSlowShard(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	l := newLibrary(t, f)
	n := put(t, l, remarked(60))
	k, err := l.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	f.Node(0, 0).Stop(t)
	defer f.Node(0, 0).Continue(t)
	ctx := wire.WithLimit(t.Context(), 3*time.Second)
	for _, err := range v.Scan(ctx, &index.Plan{Kind: k}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	for _, allowed := range []bool{false, true} {
		if allowed {
			ctx = index.AllowPartial(ctx)
		}
		lines := 0
		var failed error
		for b, err := range v.Scan(ctx, &index.Plan{Kind: k}) {
			if err != nil {
				failed = err
				continue
			}
			if failed != nil {
				t.Error("what one shard has comes after the other was given up")
			}
			lines += b.Lanes.Count()
		}
		if lines == 0 || lines >= n {
			t.Errorf("%d lines of %d", lines, n)
		}
		if allowed {
			if lost := v.Missing(); failed != nil || len(lost) != 1 || !strings.Contains(lost[0], "shard 1") {
				t.Errorf("%v, missing %q", failed, lost)
			}
		} else {
			refuses(t, failed, "shard 1", "hangs")
		}
	}
}

// TestScanEnds checks that a scan which is left or cancelled ends at once.
//
//qipu:race
func TestScanEnds(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	put(t, l, remarked(40))
	k, err := l.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for range v.Scan(t.Context(), &index.Plan{Kind: k}) {
		break
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	for b, err := range v.Scan(ctx, &index.Plan{Kind: k}) {
		if b != nil || !errors.Is(err, why) {
			t.Errorf("%v: %v", b, err)
		}
	}
	if _, err := askAll(ctx, v, k); !errors.Is(err, why) {
		t.Error(err)
	}
	other := kindOf(t, "othello 8x8")
	if got, err := askAll(t.Context(), v, other); got != (answers{}) || err != nil {
		t.Errorf("of another game: %+v: %v", got, err)
	}
}

// posted is a posting with all that is told of its game.
type posted struct {
	key   uint64
	game  uint32
	main  bool
	row   index.Posting // without the line
	facts index.Facts
}

// lookedUp looks positions up. Of the facts it returns the numbers.
func lookedUp(t testing.TB, v index.View, l *index.Lookup, admits func(c *index.Columns, line int) bool) map[posted]int {
	t.Helper()
	got := map[posted]int{}
	for p, err := range v.Positions(t.Context(), l) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			if admits != nil && !admits(&p.Columns, int(r.Line)) {
				continue
			}
			x := posted{key: p.Key, game: p.Game(int(r.Line)), main: p.Main, row: r, facts: p.Facts(int(r.Line))}
			x.row.Line, x.facts.Texts = 0, [query.TextColumns]string{}
			got[x]++
		}
	}
	return got
}

// TestLookup compares look-ups whose facts are kept, in a library that changes,
// with those for which everything is fetched, and those with a condition with
// those without.
func TestLookup(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 3)
	defer h.Close()
	rng := h.Rng
	var numbers index.ColumnSet
	for col := query.TextColumns; col < query.Columns; col++ {
		numbers |= index.ColumnsOf(col)
	}
	rows, narrowed := 0, 0
	for step := range 4 {
		var batch []*record.Game
		for range 30 {
			batch = append(batch, h.Random(30))
		}
		if step > 0 {
			for range 10 {
				batch = append(batch, h.Again())
			}
		}
		if err := h.Put(batch...); err != nil {
			t.Fatal(err)
		}
		if step > 1 {
			ids := h.Model.IDs()
			h.Model.Delete(ids[:5])
			if err := l.Delete(t.Context(), ids[:5]); err != nil {
				t.Fatal(err)
			}
		}
		v, err := l.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, tally := range v.Tally() {
			ask := &index.Lookup{Kind: tally.Kind, Variations: step%2 == 0}
			ask.Keys, ask.Columns = keysOf(t, v, tally.Kind, 12), 0
			all := lookedUp(t, v, ask, nil)
			rows += len(all)
			ask.Columns = numbers
			for range 2 {
				if got := lookedUp(t, v, ask, nil); !maps.Equal(got, all) {
					t.Fatalf("%s: %d postings whose facts are kept, %d others", tally.Kind.Name, len(got), len(all))
				}
			}
			if ask.Columns = 0; (i+step)%3 > 0 {
				continue // which takes time
			}
			for _, e := range conditions(rng) {
				admits := func(c *index.Columns, line int) bool { return holds(e, c, line) }
				ask.Expr = nil
				want := lookedUp(t, v, ask, admits)
				ask.Expr = e
				if got := lookedUp(t, v, ask, admits); !maps.Equal(got, want) {
					t.Fatalf("%s, %v: %d postings, %d without the condition", tally.Kind.Name, e, len(got), len(want))
				}
				narrowed += len(want)
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if rows < 100 || narrowed < 100 {
		t.Errorf("%d postings, %d with conditions: the test has become empty", rows, narrowed)
	}
}

// TestLookupTexts compares the texts of a position that many games have, whether
// they are kept or fetched, in a library that changes.
func TestLookupTexts(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	games := remarked(400)
	k, err := l.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	root, _ := k.Canonical(board.NewPlanes(k.Board.Size, k.Board.Kinds))
	texts := func(v index.View, columns index.ColumnSet) map[string]int {
		t.Helper()
		found := map[string]int{}
		for p, err := range v.Positions(t.Context(), &index.Lookup{Kind: k, Keys: []uint64{root}, Columns: columns}) {
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range p.Rows {
				line := int(r.Line)
				found[fmt.Sprint(p.Game(line), p.Text(line, query.FirstPlayer), p.Result(line))]++
			}
		}
		return found
	}
	for step, part := range [][]*record.Played{games[:300], games[300:], nil} {
		if part == nil {
			if err := l.Delete(t.Context(), []uint32{1, 2, 3}); err != nil {
				t.Fatal(err)
			}
		} else {
			put(t, l, part)
		}
		v, err := l.View(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := texts(v, 0)
		for range 2 {
			if got := texts(v, index.ColumnsOf(query.FirstPlayer, query.Result)); !maps.Equal(got, want) || len(want) < 200 {
				t.Errorf("step %d: %d games of which texts are kept, %d others", step, len(got), len(want))
			}
		}
		if err := v.Close(); err != nil {
			t.Fatal(err)
		}
	}
	kept := 0
	for key := range l.Facts.Of {
		if key.Texts == index.ColumnsOf(query.FirstPlayer) {
			kept++
		}
	}
	if kept != len(l.Shards) {
		t.Errorf("the texts of %d chunks are kept, want %d", kept, len(l.Shards))
	}
}

// keysOf returns keys of positions of some lines.
func keysOf(t testing.TB, v index.View, k *index.Kind, n int) (keys []uint64) {
	t.Helper()
	var pos index.Positions
	for b, err := range v.Scan(t.Context(), &index.Plan{Kind: k, Variations: true}) {
		if err != nil {
			t.Fatal(err)
		}
		for lane := range b.Block.N {
			line := b.Block.Line(lane)
			for i, p := range pos.Append(nil, k, &line) {
				if i%5 == lane%5 && len(keys) < n && !slices.Contains(keys, p.Key) {
					keys = append(keys, p.Key)
				}
			}
		}
	}
	return keys
}

// conditions returns some that look-ups narrow by, and some that they do not.
func conditions(rng *rand.Rand) []index.Expr {
	name := selected(query.Fact{Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{[]string{"o", "聶", "李", "\u0000'"}[rng.IntN(4)]}}})
	event := selected(query.Fact{Column: query.Event, Text: &query.Texts{Whole: map[string]struct{}{"honinbo": {}}}})
	long := selected(query.Fact{Column: query.Plies, Low: 5, High: 25})
	some := roaring.New()
	for range 30 {
		some.Add(uint32(rng.IntN(150)))
	}
	return []index.Expr{name, long, index.Games{Bitmap: some}, index.Any{name, event}, index.Every{index.Any{name, long}, index.Games{Bitmap: some}}, index.Any{}, index.Any{long, index.Games{Bitmap: some}}}
}

// holds decides a condition by facts.
func holds(e index.Expr, c *index.Columns, line int) bool {
	every := func(x index.Expr) bool { return holds(x, c, line) }
	switch e := e.(type) {
	case index.Selected:
		return e.Match(c, line)
	case index.Games:
		return e.Contains(c.Game(line))
	case index.Every:
		return !slices.ContainsFunc(e, func(x index.Expr) bool { return !every(x) })
	case index.Any:
		return slices.ContainsFunc(e, every)
	}
	return true
}

// TestScanWindows looks for candidates among a few documents at a time, and among
// all of them.
func TestScanWindows(t *testing.T) {
	l := newLibrary(t, clickhouse.Shared(t))
	h := storetest.NewHistory(t.Context(), builtin.Games(), l, 4)
	defer h.Close()
	for range 2 {
		var batch []*record.Game
		for range 40 {
			batch = append(batch, h.Corner("weiqi"))
		}
		if err := h.Put(batch...); err != nil {
			t.Fatal(err)
		}
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	k, err := l.Kinds().Find("weiqi 19x19")
	if err != nil {
		t.Fatal(err)
	}
	var finder index.Corners
	var windows index.Scanner
	exprs := []index.Expr{nil, selected(query.Fact{Column: query.Plies, Low: 3, High: 8}), index.Reaches(keysOf(t, v, k, 1)[0])}
	for b, err := range v.Scan(t.Context(), &index.Plan{Kind: k}) {
		if err != nil {
			t.Fatal(err)
		}
		line := b.Block.Line(0)
		for _, key := range finder.Append(nil, k, &line) {
			exprs = append(exprs, index.InCorner(key))
		}
		var every index.Every
		for _, class := range windows.Append(nil, k, &line) {
			every = append(every, index.Window(class))
		}
		exprs = append(exprs, every, index.Any{every, index.Reaches(1)}, every[len(every)-1])
	}
	all := l.Index.WindowDocs
	for _, e := range exprs {
		p := &index.Plan{Kind: k, Expr: e}
		want, got := map[uint32]int{}, map[uint32]int{}
		count := func(games map[uint32]int, b *index.Batch) {
			for lane := range b.N() {
				if b.Lanes.Has(lane) {
					games[b.Game(lane)]++
				}
			}
		}
		for most, games := range map[uint64]map[uint32]int{all: want, 13: got} {
			l.Index.WindowDocs = most
			for b, err := range v.Scan(t.Context(), p) {
				if err != nil {
					t.Fatal(err)
				}
				count(games, b)
			}
		}
		if !maps.Equal(got, want) || len(want) == 0 {
			t.Errorf("%v: %d games, %d at once", e, len(got), len(want))
		}
	}
}

func kindOf(t testing.TB, name string) *index.Kind {
	t.Helper()
	k, err := index.NewKinds(builtin.Games()).Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func selected(f query.Fact) index.Selected { return index.Selected{Selection: index.NewSelection(&f)} }
