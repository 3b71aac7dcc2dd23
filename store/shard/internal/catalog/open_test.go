package catalog_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/internal/testkit"
	"qipu/play"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// rewriting reports whether golden files are to be written anew.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

//qipu:race
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "library 50% #1?")
	for _, o := range []catalog.Options{{}, {ReadOnly: true}, {ReadOnly: true, Create: true}} {
		if _, err := catalog.Open(t.Context(), dir, o); !errors.Is(err, store.ErrNoLibrary) || !strings.Contains(err.Error(), dir) {
			t.Fatalf("%+v: %v", o, err)
		}
	}
	if _, err := os.Stat(dir); err == nil {
		t.Fatal("a library that was not to be made was made")
	}
	db := openAt(t, dir)
	add(t, db, entry(1))
	if _, err := os.Stat(filepath.Join(dir, catalog.FileName)); err != nil {
		t.Error(err)
	}

	_, err := catalog.Open(t.Context(), dir, catalog.Options{})
	var locked *store.LockedError
	if !errors.As(err, &locked) || !strings.HasPrefix(locked.Holder, fmt.Sprintf("test (process %d on ", os.Getpid())) {
		t.Fatalf("a second writer: %v", err)
	}
	reader, err := catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := reader.Update(t.Context(), func(*catalog.Tx) error { return nil }); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("writing through a reader: %v", err)
	}
	if err := reader.Compact(t.Context()); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("compacting through a reader: %v", err)
	}
	add(t, db, entry(2))
	same(t, reader, []uint32{1, 2}, []store.Entry{entry(1), entry(2)})

	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	if err := db.Update(t.Context(), func(*catalog.Tx) error { return nil }); !errors.Is(err, store.ErrClosed) {
		t.Errorf("writing after closing: %v", err)
	}
	if _, err := db.Generation(t.Context()); !errors.Is(err, store.ErrClosed) {
		t.Errorf("reading after closing: %v", err)
	}
	// The reader sees what the next writer does.
	before, _ := reader.Generation(t.Context())
	next := openAt(t, dir)
	add(t, next, entry(3))
	if after, err := reader.Generation(t.Context()); err != nil || after != before+1 {
		t.Errorf("the generation went from %d to %d (%v)", before, after, err)
	}
	if err := reader.Close(); err != nil {
		t.Error(err)
	}
}

// TestOpenOdd opens what is no library.
func TestOpenOdd(t *testing.T) {
	for name, c := range map[string]struct {
		content string
		want    error
	}{
		"empty":   {"", store.ErrNoLibrary},
		"text":    {strings.Repeat("this is no database\n", 1000), store.ErrDamaged},
		"cut off": {"SQLite format 3\x00", store.ErrDamaged},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, catalog.FileName)
		if err := os.WriteFile(file, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, o := range []catalog.Options{{}, {ReadOnly: true}} {
			if _, err := catalog.Open(t.Context(), dir, o); !errors.Is(err, c.want) {
				t.Errorf("%s, %+v: %v", name, o, err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != c.content {
			t.Errorf("%s: the file was changed (%v)", name, err)
		}
	}
	for _, version := range []string{"-1", "0"} {
		db := open(t)
		if err := errors.Join(db.Exec("UPDATE meta SET value = "+version+" WHERE key = 'version'"), db.Close()); err != nil {
			t.Fatal(err)
		}
		for _, o := range []catalog.Options{{}, {ReadOnly: true}} {
			if _, err := catalog.Open(t.Context(), db.Dir(), o); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("version %s, %+v: %v", version, o, err)
			}
		}
	}
	// A crash at the very beginning leaves an empty file, which is no obstacle.
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, catalog.FileName), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	add(t, openAt(t, dir), entry(1))
}

// sampleFile is the database of a library of a version, compressed: nine tenths
// of it are empty pages.
func sampleFile(version int) string { return fmt.Sprintf("testdata/version%d.db.gz", version) }

// TestSample reads libraries that all versions wrote, for reading only as they
// are, and for writing brought up to date.
func TestSample(t *testing.T) {
	for version := 1; version < int(catalog.Newest()); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			if rewriting() {
				testkit.Golden(t, sampleFile(version), makeSample(t, version))
			}
			dir := copySample(t, version)
			file := filepath.Join(dir, catalog.FileName)
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			reader, err := catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			checkSample(t, reader, version)
			if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
				t.Errorf("reading changed the library (%v)", err)
			}
			// It can be backed up before it is brought up to date.
			backup := filepath.Join(t.TempDir(), "backup", catalog.FileName)
			if err := os.Mkdir(filepath.Dir(backup), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := reader.Backup(t.Context(), backup); err != nil {
				t.Fatal(err)
			}
			if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
				t.Errorf("a backup changed the library (%v)", err)
			}
			kept, err := catalog.Open(t.Context(), filepath.Dir(backup), catalog.Options{ReadOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			checkSample(t, kept, version)
			if err := kept.Close(); err != nil {
				t.Error(err)
			}
			db := openAt(t, dir)
			if n, err := db.Number("SELECT value FROM meta WHERE key = 'version'"); err != nil || n != catalog.Newest() {
				t.Errorf("version %d (%v)", n, err)
			}
			checkSample(t, db, version)
			if version > 4 {
				undoDeleted(t, db)
			}
			add(t, db, entry(5))
			if version == 1 {
				update(t, db, addMade)
			}
			if version < 3 {
				update(t, db, addPlayed)
			}
			// The reader sees what it had no tables for.
			checkMade(t, reader)
			checkPlayed(t, reader)
			if err := reader.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// addMade adds what the second version can keep.
func addMade(tx *catalog.Tx) error {
	_, err1 := tx.SaveQuery(store.Saved{Name: "Mine", Query: "player:shusaku", Games: roaring.BitmapOf(1, 4), Hits: 7})
	_, err2 := tx.AddPlayerEdit(store.PlayerEdit{Op: "merge", Names: []string{"a", "b"}, Into: "c"})
	return errors.Join(err1, err2, tx.Tag("good", []uint32{2, 4}))
}

func checkMade(t *testing.T, db *catalog.DB) {
	t.Helper()
	if b, err := db.Tagged(t.Context(), "good"); err != nil || b.String() != "{2,4}" {
		t.Errorf("tagged %v (%v)", b, err)
	}
	if s, err := db.SavedQuery(t.Context(), "MINE"); err != nil || s.Query != "player:shusaku" || s.Found != 2 || s.Hits != 7 {
		t.Errorf("saved %+v (%v)", s, err)
	}
	if list, err := db.PlayerEdits(t.Context()); err != nil || len(list) != 1 || list[0].Into != "c" {
		t.Errorf("edits %+v (%v)", list, err)
	}
}

// addPlayed adds what the third version can keep.
func addPlayed(tx *catalog.Tx) error {
	_, err1 := tx.AddSession(&play.Stored{Token: "abc", Kind: "othello", State: []byte(`{"version":1}`)})
	id, err2 := tx.AddSession(&play.Stored{Token: "def", Kind: "weiqi:9x9", State: []byte("{}")})
	return errors.Join(err1, err2, tx.SaveSession(&play.Stored{ID: id, State: []byte(`{"over":true}`), Over: true, Record: 4}))
}

func checkPlayed(t *testing.T, db *catalog.DB) {
	t.Helper()
	if list, err := db.Sessions(t.Context()); err != nil || len(list) != 1 || list[0].Token != "abc" || list[0].Kind != "othello" || string(list[0].State) != `{"version":1}` {
		t.Errorf("sessions %+v (%v)", list, err)
	}
	if s, err := db.Session(t.Context(), "def"); err != nil || !s.Over || s.Record != 4 || string(s.State) != `{"over":true}` {
		t.Errorf("session %+v (%v)", s, err)
	}
}

// addDeleted adds what the fifth version can keep: a game in the trash, with its tag.
func addDeleted(t *testing.T, db *catalog.DB) {
	ids := add(t, db, entry(6))
	update(t, db, func(tx *catalog.Tx) error { return tx.Tag("gone", ids) })
	update(t, db, func(tx *catalog.Tx) error { return tx.Delete(ids) })
}

// undoDeleted brings that back.
func undoDeleted(t *testing.T, db *catalog.DB) {
	t.Helper()
	list, err := db.Changes(t.Context(), store.Page{Limit: 1})
	if err != nil || len(list) != 1 || list[0].Op != store.OpDelete {
		t.Fatalf("the journal has %+v (%v)", list, err)
	}
	update(t, db, func(tx *catalog.Tx) error {
		_, err := tx.Undo(db, list[0].ID, nil)
		return err
	})
	if b, err := db.Tagged(t.Context(), "gone"); err != nil || b.String() != "{6}" {
		t.Errorf("tagged %v (%v)", b, err)
	}
	if games, err := db.Games(t.Context(), []uint32{6}); err != nil || games[0].Source != entry(6).Source {
		t.Errorf("%+v (%v)", games, err)
	}
}

// makeSample returns a sample as the program of a version writes it.
func makeSample(t *testing.T, version int) []byte {
	db, err := catalog.OpenVersion(t.Context(), t.TempDir(), version)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	add(t, db, entriesFrom(0, 5)...)
	update(t, db, func(tx *catalog.Tx) error {
		if version > 1 {
			if err := addMade(tx); err != nil {
				return err
			}
		}
		if version > 2 {
			if err := addPlayed(tx); err != nil {
				return err
			}
		}
		c, err := tx.CreateCollection("mine", "a note")
		return errors.Join(err, tx.Collect(c, []uint32{2, 3}), tx.SetWaiting([]uint32{5}, true), tx.Link(1, 2, "why"))
	})
	if version > 4 {
		addDeleted(t, db)
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := db.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// checkSample checks what is in a sample of a version.
func checkSample(t *testing.T, db *catalog.DB, version int) {
	t.Helper()
	sound(t, db)
	s, err := db.Snapshot(t.Context())
	generation := int64(2)
	if version > 4 {
		generation += 3 // see addDeleted
	}
	if err != nil || s.Generation != generation || len(s.Waiting) != 1 {
		t.Fatalf("snapshot %+v (%v)", s, err)
	}
	games, err := db.Games(t.Context(), []uint32{4})
	if err != nil || games[0].Facts != *entry(3).Facts || games[0].Source != entry(3).Source {
		t.Fatalf("%+v (%v)", games, err)
	}
	text, raw, err := db.Record(t.Context(), 4)
	if err != nil || !bytes.Equal(text, entry(3).Record) || !bytes.Equal(raw, entry(3).Raw) {
		t.Fatalf("%q %q (%v)", text, raw, err)
	}
	if m, err := db.Members(t.Context(), 1); err != nil || m.String() != "{2,3}" {
		t.Errorf("%v (%v)", m, err)
	}
	counts, err := db.Counts(t.Context())
	if err != nil || counts.Collections != 1 || counts.Games["weiqi 19x19"] != 3 {
		t.Errorf("counts %+v (%v)", counts, err)
	}
	if version > 2 {
		checkPlayed(t, db)
	} else {
		list, err1 := db.Sessions(t.Context())
		if _, err2 := db.Session(t.Context(), "abc"); err1 != nil || len(list) != 0 || !errors.Is(err2, store.ErrNoRow) {
			t.Errorf("sessions %v (%v, %v)", list, err1, err2)
		}
	}
	if version > 1 {
		checkMade(t, db)
		return
	}
	tags, err1 := db.Tags(t.Context())
	of, err2 := db.TagsOf(t.Context(), 1)
	saved, err3 := db.SavedQueries(t.Context())
	edits, err4 := db.PlayerEdits(t.Context())
	if err := errors.Join(err1, err2, err3, err4); err != nil || len(tags)+len(of)+len(saved)+len(edits)+counts.Tags+counts.Saved+counts.Edits != 0 {
		t.Errorf("tags %v, %v, saved %v, edits %v, counts %+v (%v)", tags, of, saved, edits, counts, err)
	}
	_, err1 = db.Tagged(t.Context(), "good")
	_, err2 = db.SavedQuery(t.Context(), "mine")
	_, err3 = db.SavedGames(t.Context(), 1)
	for i, err := range []error{err1, err2, err3} {
		if !errors.Is(err, store.ErrNoRow) {
			t.Errorf("nothing %d: %v", i, err)
		}
	}
}

// TestOldWriter changes a library as the program of version 1 would.
func TestOldWriter(t *testing.T) {
	dir := t.TempDir()
	old, err := catalog.OpenVersion(t.Context(), dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	ids := add(t, old, entriesFrom(0, 5)...)
	update(t, old, func(tx *catalog.Tx) error { return tx.Delete(ids[1:2]) })
	sound(t, old)
	if err := errors.Join(old.Compact(t.Context()), old.Close()); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, dir)
	update(t, db, func(tx *catalog.Tx) error { return tx.Tag("good", ids[3:4]) })
	if b, err := db.Tagged(t.Context(), "good"); err != nil || b.String() != "{4}" {
		t.Errorf("tagged %v (%v)", b, err)
	}
}

func copySample(t *testing.T, version int) (dir string) {
	t.Helper()
	f, err := os.Open(sampleFile(version))
	if err != nil {
		t.Fatalf("%v (run the test with -rewrite to make it)", err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, catalog.FileName), data, 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestNewer checks that a library of a newer version is refused and not
// touched, and that an upgrade happens as a whole or not at all.
func TestNewer(t *testing.T) {
	dir := copySample(t, 1)
	file := filepath.Join(dir, catalog.FileName)
	if err := catalog.Upgrade(t.Context(), file, "CREATE TABLE more (x)", "CREATE TABLE more (x)"); err == nil {
		t.Fatal("a broken script passed")
	}
	db, err := catalog.Open(t.Context(), dir, catalog.Options{})
	if err != nil {
		t.Fatalf("after a failed upgrade: %v", err)
	}
	sound(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := catalog.Upgrade(t.Context(), file, "CREATE TABLE more (x)"); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []catalog.Options{{}, {Create: true}, {ReadOnly: true}} {
		var newer *store.NewerError
		if _, err := catalog.Open(t.Context(), dir, o); !errors.As(err, &newer) || newer.Have != newer.Know+1 || int64(newer.Know) != catalog.Newest() {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("a newer library was touched (%v)", err)
	}
}

// TestFull fills the disk, as far as the database can tell.
func TestFull(t *testing.T) {
	db := open(t)
	add(t, db, entriesFrom(0, 100)...)
	pages, err := db.Number("PRAGMA page_count")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages+10)); err != nil {
		t.Fatal(err)
	}
	big := entriesFrom(100, 2000)
	for range 2 {
		err = db.Update(t.Context(), func(tx *catalog.Tx) error { _, err := tx.Add(big); return err })
		if !errors.Is(err, store.ErrFull) {
			t.Fatalf("a full disk: %v", err)
		}
	}
	add(t, db, entry(100)) // small enough
	if err := db.Exec("PRAGMA max_page_count = 1000000"); err != nil {
		t.Fatal(err)
	}
	ids := add(t, db, big...)
	if ids[0] != 102 {
		t.Errorf("the first number after the errors is %d", ids[0])
	}
	same(t, db, ids, big)
}

// TestReadOnlyFolder opens a library that nothing can be written beside.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere")
	}
	db := open(t)
	add(t, db, entry(1))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(db.Dir(), 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(db.Dir(), 0o755)
	reader, err := catalog.Open(t.Context(), db.Dir(), catalog.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	same(t, reader, []uint32{1}, []store.Entry{entry(1)})
}

const (
	childDir  = "QIPU_CATALOG_CHILD"
	childSize = 37 // games in a batch of a child
)

// TestMain lets the test binary be the writer that TestKill kills.
func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child adds batches for ever and prints the number after the last game of
// every batch that was committed.
func child(dir string) error {
	ctx := context.Background()
	db, err := catalog.Open(ctx, dir, catalog.Options{Create: true, Holder: "child"})
	if err != nil {
		return err
	}
	all, err := db.IDs(ctx, "")
	if err != nil {
		return err
	}
	for n := int(all.GetCardinality()); ; n += childSize {
		err := db.Update(ctx, func(tx *catalog.Tx) error {
			ids, err := tx.Add(entriesFrom(n, childSize))
			if err == nil && int(ids[0]) != n+1 {
				err = fmt.Errorf("number %d after %d games", ids[0], n)
			}
			_, err2 := tx.SaveQuery(store.Saved{Name: "last", Query: "all", Games: roaring.BitmapOf(ids...), Hits: n + childSize})
			_, err3 := tx.AddPlayerEdit(store.PlayerEdit{Op: "merge", Names: []string{fmt.Sprint(n)}})
			return errors.Join(err, err2, err3, tx.SetWaiting(ids, true), tx.Tag("all", ids))
		})
		if err != nil {
			return err
		}
		fmt.Println(n + childSize)
	}
}

// TestKill kills a writer again and again: what it had committed is there, and
// nothing twice.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	total := 0
	for round := range testkit.Scale(3, 40) {
		cmd := testkit.Process(os.Args[0])
		cmd.Env = append(os.Environ(), childDir+"="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		acknowledged := 0
		if lines.Scan() { // it has begun
			acknowledged, _ = strconv.Atoi(lines.Text())
			var locked *store.LockedError
			if _, err := catalog.Open(t.Context(), dir, catalog.Options{}); !errors.As(err, &locked) || !strings.HasPrefix(locked.Holder, "child") {
				t.Errorf("a second writer: %v", err)
			}
			time.AfterFunc(time.Duration(10+round*37%100)*time.Millisecond, func() { cmd.Process.Kill() })
		}
		for lines.Scan() {
			acknowledged, _ = strconv.Atoi(lines.Text())
		}
		_ = cmd.Wait()
		if acknowledged <= total {
			t.Fatalf("round %d: %d games acknowledged after %d", round, acknowledged, total)
		}

		db, err := catalog.Open(t.Context(), dir, catalog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sound(t, db)
		all, err := db.IDs(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if total = int(all.GetCardinality()); total < acknowledged || total%childSize != 0 || int(all.Maximum()) != total {
			t.Fatalf("%d games are there, the last %d, and %d were acknowledged", total, all.Maximum(), acknowledged)
		}
		same(t, db, all.ToArray(), entriesFrom(0, total))
		if s, err := db.Snapshot(t.Context()); err != nil || len(s.Waiting) != total || s.Generation != int64(total/childSize) {
			t.Errorf("generation %d with %d waiting games (%v)", s.Generation, len(s.Waiting), err)
		}
		if b, err := db.Tagged(t.Context(), "all"); err != nil || !b.Equals(all) {
			t.Errorf("tagged are %v (%v)", b, err)
		}
		if s, err := db.SavedQuery(t.Context(), "last"); err != nil || s.Hits != total || s.Found != childSize {
			t.Errorf("saved is %+v of %d games (%v)", s, total, err)
		}
		if list, err := db.PlayerEdits(t.Context()); err != nil || len(list) != total/childSize {
			t.Errorf("%d edits of %d games (%v)", len(list), total, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
