package shard

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/retell"
	"qipu/store/storetest"
)

// vault is a store that is closed, with what it holds.
type vault struct {
	dir   string
	games map[uint32]store.Game
	texts map[uint32]store.Text
	notes string
	page  int64
	size  int64
	pages map[uint32][]int64 // where the record of each game lies
}

// newVault makes a store with games of all kinds, some deleted, with originals,
// sources, collections, tags and a saved query.
func newVault(t *testing.T) *vault {
	t.Helper()
	ctx := t.Context()
	v := &vault{dir: filepath.Join(t.TempDir(), "vault"), games: map[uint32]store.Game{}, texts: map[uint32]store.Text{}, pages: map[uint32][]int64{}}
	o := small()
	o.tableLines = 0
	s := open(t, v.dir, o)
	m := storetest.NewMaker(builtin.Games(), 7)
	rng := rand.New(rand.NewPCG(7, 7))
	kinds := []struct{ kind, variant string }{{"weiqi", "9x9"}, {"weiqi", ""}, {"xiangqi", ""}, {"othello", ""}, {"renju", ""}}
	var ids []uint32
	for n := 0; n < 1500; {
		var b store.Batch
		for range 150 {
			k := kinds[n%len(kinds)]
			g := m.Game(k.kind, k.variant, 12+rng.IntN(40))
			m.Head(g)
			if n%3 == 0 {
				m.Branch(g, 2)
			}
			g.Place = record.Place{File: fmt.Sprintf("folder %d/file %d.sgf", n%17, n), Number: n%5 + 1, Offset: int64(n)}
			g.Raw = make([]byte, 300)
			for i := range g.Raw {
				g.Raw[i] = byte(rng.Uint32())
			}
			b.Records = append(b.Records, m.Play(g))
			n++
		}
		added, err := s.Add(ctx, b)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range added {
			if !slices.Contains(ids, a.ID) {
				ids = append(ids, a.ID)
			}
		}
	}
	if err := s.Delete(ctx, ids[100:140]); err != nil {
		t.Fatal(err)
	}
	ids = slices.Delete(ids, 100, 140)
	err := s.cat.Update(ctx, func(tx *catalog.Tx) error {
		mine, err := tx.CreateCollection("mine", "those that I like")
		_, err2 := tx.SaveQuery(store.Saved{Name: "q", Query: "all", Games: roaring.BitmapOf(ids[:50]...)})
		_, err3 := tx.AddSource(ids[3], store.Source{File: "elsewhere/x.sgf", Number: 2})
		_, err4 := tx.AddPlayerEdit(store.PlayerEdit{Op: "merge", Names: []string{"a", "b"}, Into: "c"})
		return errors.Join(err, err2, err3, err4, tx.Collect(mine, ids[10:400]), tx.Tag("good", ids[300:320]), tx.Link(ids[0], ids[1], "why"))
	})
	if err != nil {
		t.Fatal(err)
	}
	v.read(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	v.locate(t)
	return v
}

// read notes what a store holds.
func (v *vault) read(t *testing.T, s *Shard) {
	t.Helper()
	ctx := t.Context()
	all, err := s.cat.IDs(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	games, err := s.cat.Games(ctx, all.ToArray())
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range games {
		v.games[g.ID] = g
	}
	for text, err := range s.cat.Texts(ctx, all.ToArray()) {
		if err != nil {
			t.Fatal(err)
		}
		v.texts[text.ID] = store.Text{Record: bytes.Clone(text.Record), Raw: bytes.Clone(text.Raw)}
	}
	v.notes = notesOf(t, s)
}

// notesOf returns what people have made, in words.
func notesOf(t *testing.T, s *Shard) string {
	t.Helper()
	ctx := t.Context()
	collections, err := s.cat.Collections(ctx)
	tags, err2 := s.cat.Tags(ctx)
	saved, err3 := s.cat.SavedQueries(ctx)
	edits, err4 := s.cat.PlayerEdits(ctx)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	words := fmt.Sprintf("%v %v %v %v", collections, tags, len(saved), edits)
	for _, c := range collections {
		members, err := s.cat.Members(ctx, c.ID)
		if err != nil {
			t.Fatal(err)
		}
		words += members.String()
	}
	places, err := s.cat.Places(ctx, []uint32{1, 2, 3, 4, 5})
	if err != nil {
		t.Fatal(err)
	}
	return words + fmt.Sprint(places)
}

// locate finds out from the database itself on which pages the record of each game lies.
func (v *vault) locate(t *testing.T) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(v.dir, catalog.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("SELECT page_size, page_size * page_count FROM pragma_page_size, pragma_page_count").Scan(&v.page, &v.size); err != nil {
		t.Fatal(err)
	}
	rows, err := db.Query("SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = 'chunk' ORDER BY path")
	if err != nil {
		t.Fatal(err)
	}
	type cell struct {
		leaf string
		n    int
	}
	pages := map[cell][]int64{}
	var cells []cell
	leafOf := map[string]int64{}
	for rows.Next() {
		var path, kind string
		var page int64
		var n int
		if err := rows.Scan(&path, &page, &kind, &n); err != nil {
			t.Fatal(err)
		}
		switch kind {
		case "leaf":
			leafOf[path] = page
			for i := range n {
				cells = append(cells, cell{path, i})
			}
		case "overflow": // /leaf/cell+number
			leaf, rest := path[:strings.LastIndex(path, "/")+1], path[strings.LastIndex(path, "/")+1:]
			var i int
			fmt.Sscanf(rest, "%x+", &i)
			pages[cell{leaf, i}] = append(pages[cell{leaf, i}], page)
		}
	}
	slices.SortFunc(cells, func(a, b cell) int {
		if a.leaf != b.leaf {
			return strings.Compare(a.leaf, b.leaf)
		}
		return a.n - b.n
	})
	byChunk := map[int64][]int64{}
	list, err := db.Query("SELECT id FROM chunk ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; list.Next(); i++ {
		var id int64
		if err := list.Scan(&id); err != nil {
			t.Fatal(err)
		}
		byChunk[id] = append(pages[cells[i]], leafOf[cells[i].leaf])
	}
	games, err := db.Query("SELECT id, chunk FROM game")
	if err != nil {
		t.Fatal(err)
	}
	for games.Next() {
		var id uint32
		var chunk int64
		if err := games.Scan(&id, &chunk); err != nil {
			t.Fatal(err)
		}
		v.pages[id] = byChunk[chunk]
	}
}

// hurt returns a copy of the store with some bytes of its catalogue overwritten.
func (v *vault) hurt(t *testing.T, at, n int64, rng *rand.Rand) string {
	t.Helper()
	sick := filepath.Join(t.TempDir(), "sick")
	if err := os.CopyFS(sick, os.DirFS(v.dir)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(sick, catalog.FileName)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := at; i < at+n; i++ {
		data[i] ^= byte(1 + rng.IntN(255))
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return sick
}

// TestSalvage damages catalogues, by one byte to 64 KB anywhere. The damage is
// noticed, unless nothing that anybody can ask for has changed; and all records come
// back, under their numbers, no byte of which was hit.
func TestSalvage(t *testing.T) {
	v := newVault(t)
	seed := uint64(1)
	rng := rand.New(rand.NewPCG(seed, 22))
	var owed, whole, rebuilt, lost, silent, harmless int
	rounds := testkit.Scale(8, 200)
	for round := range rounds {
		n := int64(1) << rng.IntN(17)
		n = min(n+rng.Int64N(n), 64<<10)
		if round%4 == 0 {
			n = 1
		}
		at := rng.Int64N(v.size - n)
		sick := v.hurt(t, at, n, rng)
		name := fmt.Sprintf("round %d: %d bytes at %d", round, n, at)
		noticed := look(t.Context(), sick)
		to := filepath.Join(t.TempDir(), "salvaged")
		fates := map[uint32]store.Fate{}
		sum, err := Salvage(t.Context(), sick, to, Options{Games: builtin.Games()}, func(f store.Fate) { fates[f.Game] = f })
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := open(t, to, Options{Games: builtin.Games(), NoMerge: true})
		due, got, same := v.compare(t, name, s, at, n, fates)
		owed, whole, rebuilt, lost = owed+due, whole+got, rebuilt+sum.Rebuilt, lost+sum.Lost+sum.Unnamed
		if got*100 < due*99 {
			t.Errorf("%s: of %d games whose records are whole %d are there: %+v", name, due, got, *sum)
		}
		if sum.Complete() && len(v.games) != sum.Whole {
			t.Errorf("%s: %d of %d games are there, and none is told to be lost", name, sum.Whole, len(v.games))
		}
		if !noticed && !same {
			silent++
			t.Logf("%s: not noticed", name)
		} else if !noticed {
			harmless++
		}
		if err := problems(s); err != nil {
			t.Errorf("%s: what was salvaged is not sound: %v", name, err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d catalogues: %d of %d games with whole records are there, %d were rebuilt, %d lost; %d damages not noticed, %d of no consequence", rounds, whole, owed, rebuilt, lost, silent, harmless)
	if silent > 0 {
		t.Errorf("%d damages of %d were not noticed", silent, rounds)
	}
}

// look reports whether a deep check finds anything wrong.
func look(ctx context.Context, dir string) bool {
	s, err := Open(ctx, dir, Options{ReadOnly: true, Games: builtin.Games()})
	if err != nil {
		return true
	}
	defer s.Close()
	return problems(s) != nil
}

// compare returns how many games have records that were not hit, how many of these
// are there again, and whether nothing at all differs.
func (v *vault) compare(t *testing.T, name string, s *Shard, at, n int64, fates map[uint32]store.Fate) (due, got int, same bool) {
	t.Helper()
	is := &vault{games: map[uint32]store.Game{}, texts: map[uint32]store.Text{}}
	is.read(t, s)
	same = is.notes == v.notes
	for id, was := range v.texts {
		hit := slices.ContainsFunc(v.pages[id], func(page int64) bool { return (page-1)*v.page < at+n && page*v.page > at })
		now, ok := is.texts[id]
		equal := ok && bytes.Equal(now.Record, was.Record) && bytes.Equal(now.Raw, was.Raw)
		if !hit {
			due++
			if equal {
				got++
			}
		}
		a, b := is.games[id], v.games[id]
		if !equal || a != b {
			same = false
		}
		switch fate := fates[id]; {
		case ok && !equal && fate.State != store.FateRebuilt:
			t.Errorf("%s: game %d is told to be %s, and is another", name, id, fate.State)
		case !ok && fate.State == store.FateWhole || fate.State == store.FateRebuilt && !ok:
			t.Errorf("%s: game %d is told to be %s, and is not there", name, id, fate.State)
		case fate.State == store.FateRebuilt && a.Key != b.Key && !strings.Contains(fate.Reason, "without"):
			t.Errorf("%s: game %d was rebuilt with other moves", name, id)
		}
	}
	for id := range is.texts {
		if _, ok := v.texts[id]; !ok {
			same = false
			if n < 8192 {
				t.Errorf("%s: game %d has come up, which there was not", name, id)
			}
		}
	}
	return due, got, same
}

// TestSalvageNothingWrong salvages a store that is whole.
func TestSalvageNothingWrong(t *testing.T) {
	v := newVault(t)
	to := filepath.Join(t.TempDir(), "salvaged")
	sum, err := Salvage(t.Context(), v.dir, to, Options{Games: builtin.Games()}, func(store.Fate) {})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, to, Options{Games: builtin.Games(), NoMerge: true})
	defer s.Close()
	if _, _, same := v.compare(t, "no damage", s, 0, 0, nil); !same || !sum.Complete() {
		t.Errorf("%+v: it is not the same", *sum)
	}
	if _, err := Salvage(t.Context(), v.dir, to, Options{Games: builtin.Games()}, nil); err == nil {
		t.Error("it was salvaged over another")
	}
}

// TestRetell rebuilds the games of all kinds from their tables: the moves are the same.
func TestRetell(t *testing.T) {
	v := newVault(t)
	path := filepath.Join(v.dir, catalog.FileName)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE chunk SET sum = 1"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	to := filepath.Join(t.TempDir(), "salvaged")
	sum, err := Salvage(t.Context(), v.dir, to, Options{Games: builtin.Games()}, func(store.Fate) {})
	if err != nil {
		t.Fatal(err)
	}
	if sum.Whole > 0 || sum.Rebuilt != len(v.games) {
		t.Errorf("%+v of %d games", *sum, len(v.games))
	}
	s := open(t, to, Options{Games: builtin.Games(), NoMerge: true})
	defer s.Close()
	for id, was := range v.games {
		games, err := s.cat.Games(t.Context(), []uint32{id})
		if err != nil {
			t.Fatal(err)
		}
		is := games[0]
		if is.Key != was.Key || is.Facts != was.Facts || is.Source != was.Source {
			t.Errorf("game %d (%s) was rebuilt otherwise: %d of %d plies", id, was.Kind, is.Plies, was.Plies)
		}
		encoded, _, err := s.cat.Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := record.DecodeGame(encoded); err != nil || g.Nodes[0].Text() != retell.Note {
			t.Errorf("game %d does not tell that it was rebuilt: %v", id, err)
		}
	}
	tagged, err := s.cat.Tagged(t.Context(), RebuiltTag)
	if err != nil || int(tagged.GetCardinality()) != len(v.games) {
		t.Errorf("%d games are tagged: %v", tagged.GetCardinality(), err)
	}
}
