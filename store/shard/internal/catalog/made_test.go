package catalog_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// save saves a query in an Update of its own.
func save(t testing.TB, db *catalog.DB, s store.Saved) (id int64) {
	t.Helper()
	update(t, db, func(tx *catalog.Tx) (err error) {
		id, err = tx.SaveQuery(s)
		return err
	})
	return id
}

// savedList returns the saved queries as lines of number, name or "auto", text,
// kind and what was found.
func savedList(t testing.TB, db *catalog.DB) string {
	t.Helper()
	list, err := db.SavedQueries(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, s := range list {
		name := s.Name
		if s.Auto {
			name = "auto" + name
		}
		lines = append(lines, fmt.Sprintf("%d %s %q %s %d/%d", s.ID, name, s.Query, s.Kind, s.Hits, s.Found))
		if s.Games != nil {
			t.Errorf("query %d comes with its games", s.ID)
		}
		if games, err := db.SavedGames(t.Context(), s.ID); err != nil || int(games.GetCardinality()) != s.Found {
			t.Errorf("query %d found %d, and has %v (%v)", s.ID, s.Found, games, err)
		}
	}
	return strings.Join(lines, "\n")
}

func TestSaved(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 10)...)
	some := roaring.BitmapOf(ids[2:6]...)
	steps := []struct {
		do   func(tx *catalog.Tx) error
		want string
	}{
		{func(tx *catalog.Tx) error { // two searches, one of them twice
			for _, s := range []store.Saved{{Query: "a"}, {Query: "b", Kind: "go"}, {Query: "a", Games: some, Hits: 9}} {
				s.Auto = true
				if _, err := tx.SaveQuery(s); err != nil {
					return err
				}
			}
			return nil
		}, "1 auto \"a\"  9/4\n2 auto \"b\" go 0/0"},
		{func(tx *catalog.Tx) error { // the same text about another game is another query
			_, err := tx.SaveQuery(store.Saved{Query: "a", Kind: "go", Auto: true})
			return err
		}, "3 auto \"a\" go 0/0\n1 auto \"a\"  9/4\n2 auto \"b\" go 0/0"},
		{func(tx *catalog.Tx) error { return tx.RenameQuery(2, "Büchse", "") }, "2 Büchse \"b\" go 0/0\n3 auto \"a\" go 0/0\n1 auto \"a\"  9/4"},
		{func(tx *catalog.Tx) error { // an automatic one becomes a named one
			_, err := tx.SaveQuery(store.Saved{Name: "Alpha", Query: "a", Note: "x"})
			return err
		}, "1 Alpha \"a\"  9/4\n2 Büchse \"b\" go 0/0\n3 auto \"a\" go 0/0"},
		{func(tx *catalog.Tx) error { // a search finds the named one
			_, err := tx.SaveQuery(store.Saved{Query: "b", Kind: "go", Auto: true, Games: some, Hits: 5})
			return err
		}, "1 Alpha \"a\"  9/4\n2 Büchse \"b\" go 5/4\n3 auto \"a\" go 0/0"},
		{func(tx *catalog.Tx) error { // another text under the name: nothing is known of it
			_, err := tx.SaveQuery(store.Saved{Name: "alpha", Query: "a", Kind: "go"})
			return err
		}, "2 Büchse \"b\" go 5/4\n1 alpha \"a\" go 0/0"},
		{func(tx *catalog.Tx) error { return tx.SetHits(1, store.Version{Near: 1}, some, 3) }, "2 Büchse \"b\" go 5/4\n1 alpha \"a\" go 3/4"},
		{func(tx *catalog.Tx) error { return tx.SetHits(1, store.Version{Near: 1}, nil, 0) }, "2 Büchse \"b\" go 5/4\n1 alpha \"a\" go 0/0"},
		{func(tx *catalog.Tx) error { return tx.Delete(ids[2:4]) }, "2 Büchse \"b\" go 5/2\n1 alpha \"a\" go 0/0"},
		{func(tx *catalog.Tx) error { return tx.DropQuery(1) }, "2 Büchse \"b\" go 5/2"},
		{func(tx *catalog.Tx) error { // numbers do not come again
			_, err := tx.SaveQuery(store.Saved{Name: "new", Query: "a"})
			return err
		}, "2 Büchse \"b\" go 5/2\n4 new \"a\"  0/0"},
	}
	for i, s := range steps {
		update(t, db, s.do)
		if got := savedList(t, db); got != s.want {
			t.Fatalf("step %d:\n%s\nwant\n%s", i, got, s.want)
		}
	}
	if some.GetCardinality() != 4 {
		t.Errorf("the caller's bitmap is now %v", some)
	}
	for name, f := range map[string]struct {
		do   func(tx *catalog.Tx) error
		want error
	}{
		"rename to taken": {func(tx *catalog.Tx) error { return tx.RenameQuery(4, "BÜCHSE", "other") }, store.ErrExists},
		"rename to fold":  {func(tx *catalog.Tx) error { return tx.RenameQuery(4, "other", "büchse") }, store.ErrExists},
		"rename nothing":  {func(tx *catalog.Tx) error { return tx.RenameQuery(1, "z", "") }, store.ErrNoRow},
		"drop nothing":    {func(tx *catalog.Tx) error { return tx.DropQuery(1) }, store.ErrNoRow},
		"hits of nothing": {func(tx *catalog.Tx) error { return tx.SetHits(1, store.Version{Near: 1}, some, 3) }, store.ErrNoRow},
		"two by one name": {func(tx *catalog.Tx) error {
			_, err := tx.SaveQuery(store.Saved{Name: "new", Fold: "büchse", Query: "c"})
			return err
		}, store.ErrExists},
		"no text":      {func(tx *catalog.Tx) error { _, err := tx.SaveQuery(store.Saved{Name: "x"}); return err }, nil},
		"no name":      {func(tx *catalog.Tx) error { _, err := tx.SaveQuery(store.Saved{Query: "x"}); return err }, nil},
		"rename empty": {func(tx *catalog.Tx) error { return tx.RenameQuery(4, "", "") }, nil},
		"named automatic": {func(tx *catalog.Tx) error {
			_, err := tx.SaveQuery(store.Saved{Name: "x", Query: "x", Auto: true})
			return err
		}, nil},
	} {
		if err := db.Update(t.Context(), f.do); err == nil || f.want != nil && !errors.Is(err, f.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSavedName looks queries up, and reads back everything about one.
func TestSavedName(t *testing.T) {
	db := open(t)
	add(t, db, entry(1))
	want := store.Saved{
		Name: "馬後炮 Mate", Fold: "马后炮mate", Kind: "xiangqi", Query: `board:"..."`, Described: "cannon behind horse", Note: "note\nof two lines",
		Version: store.Version{Near: 1}, Hits: 12, Games: roaring.BitmapOf(1), Found: 1,
	}
	want.ID = save(t, db, want)
	save(t, db, store.Saved{Name: "Ärger", Fold: "arger", Query: "x"})
	save(t, db, store.Saved{Name: "arger", Fold: "arger2", Query: "y"})
	for name, query := range map[string]string{
		"馬後炮 Mate": want.Query, "馬後炮 MATE": want.Query, "马后炮mate": want.Query, "马后炮MATE": want.Query,
		"Ärger": "x", "äRGER": "x", "arger": "y", "ARGER": "y", "arger2": "y", "馬後炮": "", "": "",
	} {
		s, err := db.SavedQuery(t.Context(), name)
		if s.Query != query || (query == "") != errors.Is(err, store.ErrNoRow) {
			t.Errorf("%q is %+v (%v)", name, s, err)
		}
	}
	want.Stamp, want.Version = 2, store.Version{} // the name began it
	want.Alias = want.Described
	got, err := db.SavedQuery(t.Context(), want.Name)
	for _, at := range []time.Time{got.Created, got.Used} {
		if !noted(at) {
			t.Errorf("saved at %v", at)
		}
	}
	got.Created, got.Used, want.Games = time.Time{}, time.Time{}, nil
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("saved %+v, want %+v (%v)", got, want, err)
	}
}

// TestDescribed looks queries up by what describes them.
func TestDescribed(t *testing.T) {
	db := open(t)
	look := func(name, want string) {
		t.Helper()
		s, err := db.SavedQuery(t.Context(), name)
		if got := fmt.Sprint(s.Query, " ", s.Name, " ", s.Alias); err != nil || got != want {
			t.Errorf("%q is %s, want %s (%v)", name, got, want, err)
		}
	}
	note := func(query string) {
		t.Helper()
		save(t, db, store.Saved{Query: query, Described: "Three stones", Fold: "threestones", Auto: true})
	}
	note("a")
	look("threestones", "a  threestones")
	look("Three stones", "a  threestones")
	time.Sleep(20 * time.Millisecond)
	note("b")
	look("threestones", "b  threestones")
	time.Sleep(20 * time.Millisecond)
	note("a")
	look("threestones", "a  threestones")
	// What has a name goes before what has none, and keeps its alias.
	save(t, db, store.Saved{Name: "Mine", Query: "b", Described: "Three stones"})
	look("threestones", "b Mine threestones")
	look("mine", "b Mine threestones")
	save(t, db, store.Saved{Name: "Mine", Query: "c", Described: "Four Stones"})
	look("threestones", "a  threestones")
	look("four stones", "c Mine four stones")
	update(t, db, func(tx *catalog.Tx) error { return tx.RenameQuery(1, "Other", "") })
	look("threestones", "a Other threestones")
	// And what is called so before what is described so.
	save(t, db, store.Saved{Name: "THREESTONES", Query: "d"})
	look("threestones", "d THREESTONES ")
	look("Three stones", "a Other threestones")
}

// TestSavedLimit notes more searches than are kept.
func TestSavedLimit(t *testing.T) {
	db := open(t)
	note := func(tx *catalog.Tx, n int) {
		if _, err := tx.SaveQuery(store.Saved{Query: fmt.Sprint("q", n), Auto: true}); err != nil {
			t.Fatal(err)
		}
	}
	save(t, db, store.Saved{Name: "named", Query: "old"})
	update(t, db, func(tx *catalog.Tx) error {
		for n := range 1000 {
			note(tx, n)
		}
		return nil
	})
	time.Sleep(20 * time.Millisecond) // more than any clock's step
	update(t, db, func(tx *catalog.Tx) error {
		note(tx, 0) // used again, it stays
		for n := range 5 {
			note(tx, 1000+n)
		}
		return nil
	})
	list, err := db.SavedQueries(t.Context())
	if err != nil || len(list) != 1001 || list[0].Name != "named" {
		t.Fatalf("%d are left (%v)", len(list), err)
	}
	left := map[string]bool{}
	for _, s := range list {
		left[s.Query] = true
	}
	for n, want := range map[int]bool{0: true, 1: false, 5: false, 6: true, 999: true, 1004: true} {
		if left[fmt.Sprint("q", n)] != want {
			t.Errorf("query %d is left: %v", n, !want)
		}
	}
	if n, err := db.Counts(t.Context()); err != nil || n.Saved != 1 || n.Automatic != 1000 {
		t.Errorf("counts %+v (%v)", n, err)
	}
}

// TestQuiet checks which changes have the generation rise, so that what was
// found can be told from what is out of date.
func TestQuiet(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 5)...)
	id := save(t, db, store.Saved{Name: "n", Query: "q"})
	for _, c := range []struct {
		name  string
		do    func(tx *catalog.Tx) error
		quiet bool
	}{
		{"note", func(tx *catalog.Tx) error { _, err := tx.SaveQuery(store.Saved{Query: "x", Auto: true}); return err }, true},
		{"hits", func(tx *catalog.Tx) error { return tx.SetHits(id, store.Version{Near: 3}, roaring.BitmapOf(ids...), 5) }, true},
		{"hits and a tag", func(tx *catalog.Tx) error {
			return errors.Join(tx.SetHits(id, store.Version{Near: 3}, roaring.BitmapOf(ids...), 5), tx.Tag("a", ids))
		}, false},
		{"save twice", func(tx *catalog.Tx) error {
			_, err1 := tx.SaveQuery(store.Saved{Name: "o", Query: "named:n"})
			_, err2 := tx.SaveQuery(store.Saved{Name: "n", Query: "q"})
			return errors.Join(err1, err2)
		}, false},
		{"save", func(tx *catalog.Tx) error { _, err := tx.SaveQuery(store.Saved{Name: "m", Query: "x"}); return err }, false},
		{"untag", func(tx *catalog.Tx) error { return tx.Untag("a", ids[:1]) }, false},
		{"edit", func(tx *catalog.Tx) error { _, err := tx.AddPlayerEdit(store.PlayerEdit{Op: "x"}); return err }, false},
		{"nothing", func(tx *catalog.Tx) error { return nil }, false},
	} {
		before, err1 := db.Generation(t.Context())
		update(t, db, c.do)
		after, err2 := db.Generation(t.Context())
		if err := errors.Join(err1, err2); err != nil || (after == before) != c.quiet || after > before+1 {
			t.Errorf("%s: from %d to %d (%v)", c.name, before, after, err)
		}
	}

	// What was found holds over the name of the query itself, and over nothing else.
	all := roaring.BitmapOf(ids...)
	for name, c := range map[string]struct {
		do    func(tx *catalog.Tx) error
		holds bool
	}{
		"nothing": {func(*catalog.Tx) error { return nil }, true},
		"note": {func(tx *catalog.Tx) error {
			_, err := tx.SaveQuery(store.Saved{Query: "noted", Auto: true})
			return err
		}, true},
		"a tag": {func(tx *catalog.Tx) error { return tx.Tag("a", ids) }, false},
		"a name": {func(tx *catalog.Tx) error {
			_, err := tx.SaveQuery(store.Saved{Name: "another", Query: "q"})
			return err
		}, false},
	} {
		for round := range 3 {
			before, err := db.Generation(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			found := before
			if round == 2 {
				found-- // out of date already
			}
			update(t, db, func(tx *catalog.Tx) error {
				keep := func(tx *catalog.Tx) error {
					_, err := tx.SaveQuery(store.Saved{Name: "kept", Query: "q", Version: store.Version{Near: found}, Games: all, Hits: 5})
					return err
				}
				if round == 0 {
					return errors.Join(keep(tx), c.do(tx))
				}
				return errors.Join(c.do(tx), keep(tx))
			})
			now, err1 := db.Generation(t.Context())
			s, err2 := db.SavedQuery(t.Context(), "kept")
			if err := errors.Join(err1, err2); err != nil || (s.Stamp == now) != (c.holds && round < 2) || now != before+1 || s.Found != 5 {
				t.Errorf("%s, round %d: from %d to %d, found in %d (%v)", name, round, before, now, s.Stamp, err)
			}
		}
	}
}

// TestLateHits keeps what a search found that did not see what others deleted.
func TestLateHits(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 5)...)
	id := save(t, db, store.Saved{Name: "n", Query: "q"})
	seen, err := db.Generation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := roaring.BitmapOf(ids...)
	check := func(want string) {
		t.Helper()
		if b, err := db.SavedGames(t.Context(), id); err != nil || b.String() != want {
			t.Errorf("found %v, want %s (%v)", b, want, err)
		}
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.SetHits(id, store.Version{Near: seen}, all, 5) })
	check("{1,2,3,4,5}")
	if all.HasRunCompression() {
		t.Error("the caller's bitmap was packed, which others may be reading")
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.Delete(ids[:2]) })
	check("{3,4,5}")
	update(t, db, func(tx *catalog.Tx) error { return tx.SetHits(id, store.Version{Near: seen}, all, 5) })
	check("{3,4,5}")
	update(t, db, func(tx *catalog.Tx) error {
		return errors.Join(tx.Delete(ids[2:3]), tx.SetHits(id, store.Version{Near: seen + 1}, all, 5))
	})
	check("{4,5}")
	now, _ := db.Generation(t.Context())
	err = db.Update(t.Context(), func(tx *catalog.Tx) error {
		return tx.SetHits(id, store.Version{Near: now}, roaring.BitmapOf(4, 99), 5)
	})
	if !errors.Is(err, store.ErrNoGame) {
		t.Errorf("a game that never was: %v", err)
	}
}

func TestTags(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 10)...)
	names := func(list []store.Tag, err error) string {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
		var s []string
		for _, c := range list {
			s = append(s, fmt.Sprintf("%s:%d", c.Name, c.Games))
		}
		return strings.Join(s, " ")
	}
	update(t, db, func(tx *catalog.Tx) error {
		return errors.Join(tx.Tag("b", ids[:5]), tx.Tag("b", ids[3:7]), tx.Untag("b", ids[:1]), tx.Tag("a", ids[6:8]), tx.Tag("名局", nil))
	})
	if got := names(db.Tags(t.Context())); got != "a:2 b:6 名局:0" {
		t.Errorf("tags %s", got)
	}
	if got := names(db.TagsOf(t.Context(), 7)); got != "a:2 b:6" {
		t.Errorf("tags of 7: %s", got)
	}
	if got := names(db.TagsOf(t.Context(), 8)); got != "a:2" {
		t.Errorf("tags of 8: %s", got)
	}
	if m, err := db.Tagged(t.Context(), "b"); err != nil || m.String() != "{2,3,4,5,6,7}" {
		t.Errorf("tagged %v (%v)", m, err)
	}
	if _, err := db.Tagged(t.Context(), "c"); !errors.Is(err, store.ErrNoRow) || !strings.Contains(err.Error(), `tag "c"`) {
		t.Errorf("no tag: %v", err)
	}
	for name, c := range map[string]struct {
		f    func(tx *catalog.Tx) error
		want error
	}{
		"rename to same": {func(tx *catalog.Tx) error { return tx.RenameTag("a", "b") }, store.ErrExists},
		"no game":        {func(tx *catalog.Tx) error { return tx.Tag("new", []uint32{1, 99}) }, store.ErrNoGame},
		"untag nothing":  {func(tx *catalog.Tx) error { return tx.Untag("c", ids) }, store.ErrNoRow},
		"rename nothing": {func(tx *catalog.Tx) error { return tx.RenameTag("c", "z") }, store.ErrNoRow},
		"drop nothing":   {func(tx *catalog.Tx) error { return tx.DropTag("c") }, store.ErrNoRow},
	} {
		if err := db.Update(t.Context(), c.f); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, f := range map[string]func(tx *catalog.Tx) error{
		"tag":    func(tx *catalog.Tx) error { return tx.Tag("", ids) },
		"rename": func(tx *catalog.Tx) error { return tx.RenameTag("a", "") },
	} {
		if err := db.Update(t.Context(), f); err == nil || !strings.Contains(err.Error(), "a tag needs a name") {
			t.Errorf("%s without a name: %v", name, err)
		}
	}
	update(t, db, func(tx *catalog.Tx) error {
		return errors.Join(tx.DropTag("a"), tx.RenameTag("b", "a"), tx.Delete(ids[1:3]), tx.DropTag("名局"))
	})
	if got := names(db.Tags(t.Context())); got != "a:4" {
		t.Errorf("tags %s", got)
	}
}

func TestPlayerEdits(t *testing.T) {
	db := open(t)
	want := []store.PlayerEdit{
		{ID: 1, Op: "merge", Names: []string{"本因坊秀策", `Kuwahara "Shusaku"`, "<&>\u2028"}, Into: "Shusaku", Undone: true},
		{ID: 2, Op: "split", Names: []string{}},
	}
	update(t, db, func(tx *catalog.Tx) error {
		for _, e := range want {
			if id, err := tx.AddPlayerEdit(e); err != nil || id != e.ID {
				t.Errorf("edit %d got number %d (%v)", e.ID, id, err)
			}
		}
		return tx.UndoPlayerEdit(1)
	})
	got, err := db.PlayerEdits(t.Context())
	for i := range got {
		if !noted(got[i].At) {
			t.Errorf("edit %d was made at %v", i, got[i].At)
		}
		got[i].At = time.Time{}
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("edits %+v\nwant %+v (%v)", got, want, err)
	}
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error { return tx.UndoPlayerEdit(3) }); !errors.Is(err, store.ErrNoRow) {
		t.Errorf("undoing nothing: %v", err)
	}
	for _, e := range []store.PlayerEdit{{Names: []string{"a"}}, {Op: "merge", Names: []string{"\xff"}}} {
		if err := db.Update(t.Context(), func(tx *catalog.Tx) error { _, err := tx.AddPlayerEdit(e); return err }); err == nil {
			t.Errorf("%+v was kept", e)
		}
	}
}

// TestMadeStays takes what users made through a failed transaction, a backup
// and a compaction.
func TestMadeStays(t *testing.T) {
	db := open(t)
	ids := add(t, db, entriesFrom(0, 200)...)
	update(t, db, addMade)
	boom := errors.New("boom")
	var left *catalog.Tx
	if err := db.Update(t.Context(), func(tx *catalog.Tx) error {
		left = tx
		if err := errors.Join(tx.DropTag("good"), tx.DropQuery(1), tx.UndoPlayerEdit(1), addMade(tx)); err != nil {
			t.Error(err)
		}
		return boom
	}); err != boom {
		t.Fatal(err)
	}
	checkMade(t, db)
	for name, err := range map[string]error{
		"tag": left.Tag("good", ids), "untag": left.Untag("good", ids), "collect": left.Collect(1, ids), "link": left.Link(1, 2, ""),
		"hits": left.SetHits(1, store.Version{Near: 1}, nil, 0), "made": addMade(left), "undo": left.UndoPlayerEdit(1), "drop": left.DropQuery(1),
	} {
		if err == nil || !strings.Contains(err.Error(), "the transaction is over") {
			t.Errorf("%s after the end: %v", name, err)
		}
	}
	update(t, db, func(tx *catalog.Tx) error { return tx.Delete(ids[10:]) })
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkMade(t, db)
	dir := t.TempDir()
	if err := db.Backup(t.Context(), filepath.Join(dir, catalog.FileName)); err != nil {
		t.Fatal(err)
	}
	restored := openAt(t, dir)
	checkMade(t, restored)
	if n, err := restored.Counts(t.Context()); err != nil || n.Tags != 1 || n.Saved != 1 || n.Automatic != 0 || n.Edits != 1 {
		t.Errorf("counts %+v (%v)", n, err)
	}
}

// FuzzSaved: whatever names and texts a query has, it is found by its name and
// by its folded name, and saving it again makes no second one.
func FuzzSaved(f *testing.F) {
	f.Add("Mate", "mate", "xiangqi", `board:"X"`, "")
	f.Add("\x00", "", "", "\xff", "İ")
	f.Add("ß", "SS", "", "q", "x\ny")
	f.Fuzz(func(t *testing.T, name, fold, kind, query, described string) {
		if name == "" || query == "" {
			t.Skip("a query without a name or a text is refused")
		}
		db := open(t)
		s := store.Saved{Name: name, Fold: fold, Kind: kind, Query: query, Described: described}
		auto := s
		auto.Name, auto.Fold, auto.Auto = "", "", true
		ids := [4]int64{save(t, db, auto), save(t, db, s), save(t, db, auto), save(t, db, s)}
		if ids != [4]int64{1, 1, 1, 1} {
			t.Errorf("numbers %v", ids)
		}
		for _, by := range []string{name, fold} {
			if by == "" {
				continue
			}
			got, err := db.SavedQuery(t.Context(), by)
			if err != nil || got.Name != name || got.Kind != kind || got.Query != query || got.Described != described || got.Auto {
				t.Errorf("by %q: %+v (%v)", by, got, err)
			}
		}
	})
}
