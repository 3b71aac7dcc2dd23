package shard

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/query"
	"qipu/record"
	"qipu/segment"
	"qipu/store/shard/internal/table"
	"qipu/store/storetest"
	"qipu/text"
)

// players is a fact: the first player's name contains a text.
func players(name string) index.Selected {
	return index.Selected{Selection: index.NewSelection(&query.Fact{
		Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{text.Fold(name)}}, Why: "first:" + name,
	})}
}

// newNamed returns a store of one table of games of Go on 9x9, by players whose
// names count, and the kind of its games.
func newNamed(t *testing.T, games int) (*library, *index.Kind) {
	t.Helper()
	l := newLibrary(t, small())
	m := storetest.NewMaker(builtin.Games(), 31)
	var list []*record.Played
	for i := range games {
		g := m.Game("weiqi", "9x9", 20)
		g.Facts.Players[0].Name = fmt.Sprintf("Player %d", i)
		g.Nodes[1].More().Comment = fmt.Sprintf("第%d局", i)
		list = append(list, m.Play(g))
	}
	if _, err := l.Add(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	k, err := l.Kinds().Find("weiqi 9x9")
	if err != nil {
		t.Fatal(err)
	}
	return l, k
}

// scanAll returns the games and pages of a scan.
func scanAll(t *testing.T, v index.View, p *index.Plan) (games []uint32, pages int, err error) {
	t.Helper()
	for b, err := range v.Scan(t.Context(), p) {
		if err != nil {
			return games, pages, err
		}
		pages += b.Pages
		for lane := range b.N() {
			if b.Lanes.Has(lane) {
				games = append(games, b.Game(lane))
			}
		}
	}
	return games, pages, nil
}

// TestUntouchedPages damages the pages of all blocks but one: scans that need no
// other do not notice.
func TestUntouchedPages(t *testing.T) {
	l, k := newNamed(t, 1200)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := segments(t, l.Dir())[0]
	f, err := segment.Open(path, table.Kinds)
	if err != nil {
		t.Fatal(err)
	}
	blocks, _ := f.Section(table.SecBlocks)
	if blocks.Pages() < 3 {
		t.Fatalf("%d blocks are too few", blocks.Pages())
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < blocks.Pages(); i++ {
		page, err := blocks.Page(i)
		if err != nil {
			t.Fatal(err)
		}
		at := strings.Index(string(data), string(page))
		data[at+len(page)/2] ^= 1
	}
	f.Close()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	ro := open(t, l.Dir(), Options{ReadOnly: true, Games: builtin.Games()})
	k, err = ro.Kinds().Find(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	v, err := ro.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	only := func(ids ...uint32) index.Games { return index.Games{Bitmap: roaring.BitmapOf(ids...)} }
	for _, c := range []struct {
		expr   index.Expr
		facts  bool
		want   int // games
		pages  int
		broken bool
	}{
		{players("player 7"), true, 111, 0, false},
		{nil, true, 1200, 0, false},
		{only(3, 1100), true, 2, 0, false},
		{players("nobody"), false, 0, 0, false},
		{only(5000), false, 0, 0, false},
		{only(3), false, 1, 1, false},
		{index.Every{players("player 7"), only(8, 1100)}, false, 1, 1, false},
		{index.Every{players("player 7"), index.Any{only(8), players("player 71")}}, true, 12, 0, false},
		{index.Any{index.Every{players("nobody"), only(900)}, only(8)}, false, 1, 1, false},
		{players("player 7"), false, 0, 0, true},
		{only(3, 1100), false, 0, 0, true},
		{nil, false, 0, 0, true},
	} {
		games, pages, err := scanAll(t, v, &index.Plan{Kind: k, Expr: c.expr, Facts: c.facts})
		if c.broken {
			if !errors.Is(err, segment.ErrCorrupt) {
				t.Errorf("%v: %v", c.expr, err)
			}
			continue
		}
		if err != nil || len(games) != c.want || pages != c.pages {
			t.Errorf("%v: %d games, %d pages, %v; want %d, %d", c.expr, len(games), pages, err, c.want, c.pages)
		}
	}
}

// TestCommentsSection checks that tables with comments have a section of them,
// tables without have none, and a damaged one is found out.
func TestCommentsSection(t *testing.T) {
	l, k := newNamed(t, 40)
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for folded, want := range map[string]uint64{text.Fold("第7局"): 1, text.Fold("局"): 40, text.Fold("第3"): 11, "": 40, "x": 0} {
		games, err := v.Comments(t.Context(), k, folded)
		if err != nil || games.GetCardinality() != want {
			t.Errorf("%q: %v, %v; want %d games", folded, games, err, want)
		}
	}
	v.Close()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	path := segments(t, l.Dir())[0]
	f, err := segment.Open(path, table.Kinds)
	if err != nil {
		t.Fatal(err)
	}
	section, ok := f.Section(table.SecComment)
	if !ok {
		t.Fatal("there is no section of comments")
	}
	bytes, err := section.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[strings.Index(string(data), string(bytes))+len(bytes)/2] ^= 1
	f.Close()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := l.Reopen(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err = l.View(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Comments(t.Context(), nil, "x"); !errors.Is(err, segment.ErrCorrupt) {
		t.Errorf("searching damaged comments says %v", err)
	}
	v.Close()
	if n, err := l.Repair(t.Context(), nil); n != 40 || err != nil {
		t.Errorf("%d games were repaired, %v", n, err)
	}
	sound(t, l.Shard)

	plain := newLibrary(t, small())
	m := storetest.NewMaker(builtin.Games(), 33)
	var list []*record.Played
	for range 40 {
		list = append(list, m.Play(m.Game("weiqi", "9x9", 20)))
	}
	if _, err := plain.Add(t.Context(), list); err != nil {
		t.Fatal(err)
	}
	if f, err = segment.Open(segments(t, plain.Dir())[0], table.Kinds); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := f.Section(table.SecComment); ok {
		t.Error("a table without comments has a section of them")
	}
}

// TestNames counts names over tables and games that wait, without dead ones.
func TestNames(t *testing.T) {
	l, k := newNamed(t, 30)
	m := storetest.NewMaker(builtin.Games(), 34)
	for i, name := range []string{"player 7", "Player 7", "李 昌鎬"} {
		g := m.Game("weiqi", "9x9", 30+i)
		g.Facts.Players[0].Name = name
		if _, err := l.Add(t.Context(), []*record.Played{m.Play(g)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Shard.Delete(t.Context(), []uint32{1, 2}); err != nil {
		t.Fatal(err)
	}
	v, err := l.View(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var list []index.Name
	for n, err := range v.Names(t.Context(), k, query.FirstPlayer) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	v.Close()
	has := func(name string, games int) {
		t.Helper()
		i := slices.IndexFunc(list, func(n index.Name) bool { return n.Text == name })
		if n := 0; i >= 0 {
			if n = list[i].Games; n != games || list[i].Folded != text.Fold(name) {
				t.Errorf("%+v, want %d games", list[i], games)
			}
		} else if games > 0 {
			t.Errorf("there is no %q", name)
		}
	}
	has("Player 7", 2)
	has("player 7", 1)
	has("李 昌鎬", 1)
	has("Player 0", 0)
	has("Player 5", 1)
	if len(list) != 30 {
		t.Errorf("%d names, want 30", len(list))
	}
	for range v.Names(t.Context(), k, query.Komi) {
		t.Error("a column of numbers has names")
	}
}
