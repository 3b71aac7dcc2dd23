package catalog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/internal/testkit"
	"qipu/store"
	"qipu/store/shard/internal/catalog"
)

// TestVerify damages a library in many ways; each is found.
func TestVerify(t *testing.T) {
	for _, c := range []struct{ damage, want string }{
		{"UPDATE chunk SET data = CAST(data || x'00' AS BLOB) WHERE id = 1", "chunk 1: the checksum of a chunk is wrong"},
		{"UPDATE chunk SET sum = 5 WHERE id = 2", "game 65: its chunk 2 is damaged"},
		{"UPDATE chunk SET games = 7 WHERE id = 2", "chunk 2: it has 64 slots and should have 7"},
		{"DELETE FROM chunk WHERE id = 2", "game 65: its chunk 2 is not there"},
		{"UPDATE game SET slot = 64 WHERE id = 3", "game 3: its chunk 1 has no slot 64"},
		{"UPDATE game SET slot = 0 WHERE id = 3", "game 3: it shares its record with game 1"},
		{"DELETE FROM name WHERE text = 'Cup'", "game 1: the text of its event is not there"},
		{"DELETE FROM name WHERE text = 'extra/'", "game 2: the text of a source is not there"},
		{"DELETE FROM kind WHERE id = 2", "reference: 75 games are of the kind 2, which is not there"},
		{"UPDATE kind SET games = 1 WHERE id = 1", "count: 75 games of weiqi 19x19 are there, and 1 should be"},
		{"UPDATE meta SET value = 10 WHERE key = 'game'", "count: the next game would get number 10, and there is a game 150"},
		{"DELETE FROM game WHERE id = 2", "reference: a row of the table source refers to no row of game"},
		{"DELETE FROM game WHERE id = 1", "reference: a row of the table link refers to no row of game"},
		{"DELETE FROM game WHERE id = 9", `reference: the collection "mine" names 1 games that are not there, the first 9`},
		{"DELETE FROM game WHERE id = 9", "reference: the list of waiting games names 1 games that are not there, the first 9"},
		{"DELETE FROM game WHERE id = 9", "reference: the segment 1.seg names 1 games that are not there, the first 9"},
		{"DELETE FROM game WHERE id = 9", `reference: the tag "good" names 1 games that are not there, the first 9`},
		{"DELETE FROM game WHERE id = 9", `reference: the saved query "q" names 1 games that are not there, the first 9`},
		{"UPDATE saved SET name = NULL, games = x'0102'", "reference: the saved query 1 cannot be read"},
		{"UPDATE saved SET found = 3", `count: the saved query "q" found 150 games, and should have found 3`},
		{"UPDATE edit SET names = '[1'", "edit 1: its names cannot be read"},
		{"UPDATE segment SET games = x'0102'", "reference: the segment 1.seg cannot be read"},
		{"UPDATE game SET added = added + 1 WHERE id = 3", "game 3: its row is not what was written"},
		{"UPDATE game SET format = 2 WHERE id = 4", "game 4: its row is not what was written"},
		{"UPDATE game SET number = 77 WHERE id = 5", "game 5: its row is not what was written"},
		{"UPDATE source SET number = 9", "row: a place where game 2 was found is not what was written"},
		{"DELETE FROM source", "row: 1 rows of the table source are gone"},
		{"UPDATE collection SET note = 'x'", "row: row 1 of the table collection is not what was written"},
		{"UPDATE tag SET created = 0", "row: row 1 of the table tag is not what was written"},
		{"UPDATE edit SET into_name = 'x'", "row: row 1 of the table edit is not what was written"},
		{"UPDATE saved SET hits = 3", "row: row 1 of the table saved is not what was written"},
		{"DELETE FROM digest WHERE area = 0 AND id = 7", "game 7: its row is not what was written"},
	} {
		dir := t.TempDir()
		db, err := catalog.Open(t.Context(), dir, catalog.Options{Create: true})
		if err != nil {
			t.Fatal(err)
		}
		ids := add(t, db, entriesFrom(0, 150)...)
		update(t, db, func(tx *catalog.Tx) error {
			id, err := tx.CreateCollection("mine", "")
			_, err2 := tx.AddSegment(catalog.Segment{Kind: "weiqi 19x19", File: "1.seg", Games: roaring.BitmapOf(ids...), Dead: roaring.BitmapOf(3)})
			_, err3 := tx.AddSource(2, store.Source{File: "extra/x.sgf"})
			_, err4 := tx.SaveQuery(store.Saved{Name: "q", Query: "all", Games: roaring.BitmapOf(ids...)})
			_, err5 := tx.AddPlayerEdit(store.PlayerEdit{Op: "merge", Names: []string{"a"}})
			return errors.Join(err, err2, err3, err4, err5, tx.Collect(id, ids), tx.Tag("good", ids), tx.SetWaiting(ids, true), tx.Link(1, 3, "why"))
		})
		sound(t, db)
		if err := db.WithoutReferences(c.damage); err != nil {
			t.Fatalf("%s: %v", c.damage, err)
		}
		// Opened anew, nothing is remembered.
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if db, err = catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true}); err != nil {
			t.Fatal(err)
		}
		for _, full := range []bool{false, true} {
			var found []string
			if err := db.Verify(t.Context(), full, func(p catalog.Problem) { found = append(found, p.String()) }); err != nil {
				t.Errorf("%s: %v", c.damage, err)
			}
			if all := strings.Join(found, "\n"); !strings.Contains(all, c.want) {
				t.Errorf("%s: found (full %v) only\n%s", c.damage, full, all)
			}
		}
		if strings.Contains(c.damage, "SET data") {
			if _, _, err := db.Record(t.Context(), 1); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("reading a damaged record: %v", err)
			}
		}
		db.Close()
	}
}

// TestDamage overwrites page after page of a library: that is always noticed,
// and nothing panics.
func TestDamage(t *testing.T) {
	db := open(t)
	entries := entriesFrom(0, 600)
	for i := range entries { // originals that do not compress to nothing
		entries[i].Raw = noise(i)
	}
	ids := add(t, db, entries...)
	update(t, db, func(tx *catalog.Tx) error { return tx.SetWaiting(ids, true) })
	good := filepath.Join(t.TempDir(), "good.db")
	if err := db.Backup(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	const page = 8192
	pages := len(data) / page
	if pages < 100 {
		t.Fatalf("only %d pages", pages)
	}
	for p := 0; p < pages; p += testkit.Scale(1+pages/25, 1) {
		dir := t.TempDir()
		bad := bytes.Clone(data)
		copy(bad[p*page:(p+1)*page], bytes.Repeat(noise(p), 5))
		if err := os.WriteFile(filepath.Join(dir, catalog.FileName), bad, 0o666); err != nil {
			t.Fatal(err)
		}
		db, err := catalog.Open(t.Context(), dir, catalog.Options{ReadOnly: true})
		if errors.Is(err, store.ErrDamaged) {
			continue
		} else if err != nil {
			t.Errorf("page %d: %v", p, err)
			continue
		}
		problems := 0
		if err := db.Verify(t.Context(), true, func(catalog.Problem) { problems++ }); err != nil || problems == 0 {
			t.Errorf("page %d: %d problems, %v", p, problems, err)
		}
		for _, id := range ids {
			if id%7 != 0 && !testkit.Full() {
				continue
			}
			_, err1 := db.Games(t.Context(), []uint32{id})
			_, _, err2 := db.Record(t.Context(), id)
			for _, err := range []error{err1, err2} {
				if err != nil && !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNoGame) {
					t.Errorf("page %d: game %d: %v", p, id, err)
				}
			}
		}
		db.Close()
	}
}

// noise returns bytes that do not compress.
func noise(n int) []byte {
	b := make([]byte, 2000)
	x := uint64(n) + 1
	for i := range b {
		x = x*6364136223846793005 + 1442695040888963407
		b[i] = byte(x >> 56)
	}
	return b
}

// TestBackup copies a library while games are being added to it.
//
//qipu:race
func TestBackup(t *testing.T) {
	db := open(t)
	add(t, db, entriesFrom(0, 100)...)
	var writer sync.WaitGroup
	stop := make(chan struct{})
	writer.Go(func() {
		for n := 100; ; n += 10 {
			select {
			case <-stop:
				return
			default:
				add(t, db, entriesFrom(n, 10)...)
			}
		}
	})
	for i := range 3 {
		dir := t.TempDir()
		path := filepath.Join(dir, catalog.FileName)
		if err := db.Backup(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		if err := db.Backup(t.Context(), path); err == nil {
			t.Error("a backup was overwritten")
		}
		restored := openAt(t, dir)
		all, err := restored.IDs(t.Context(), "")
		if err != nil || all.GetCardinality() < 100 || all.GetCardinality()%10 != 0 {
			t.Fatalf("backup %d has %v (%v)", i, all, err)
		}
		same(t, restored, all.ToArray(), entriesFrom(0, int(all.GetCardinality())))
	}
	close(stop)
	writer.Wait()
	if err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "no", "folder.db")); err == nil {
		t.Error("a backup into no folder")
	}
}

//qipu:race
func TestCompact(t *testing.T) {
	db := open(t)
	entries := entriesFrom(0, 600)
	for i := range entries {
		entries[i].Raw = noise(i)
		entries[i].Facts.Event = fmt.Sprint("event ", i)
	}
	ids := add(t, db, entries[:500]...)
	for _, e := range entries[500:] {
		ids = append(ids, add(t, db, e)...)
	}
	before, err := db.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var gone []uint32
	var left []store.Entry
	var leftIDs []uint32
	for i, id := range ids {
		if i%5 != 0 || i < 128 {
			gone = append(gone, id)
		} else {
			left, leftIDs = append(left, entries[i]), append(leftIDs, id)
		}
	}
	replaced := entry(9)
	replaced.Raw = bytes.Repeat([]byte("a"), 300<<10)
	left[0] = replaced
	update(t, db, func(tx *catalog.Tx) error { return errors.Join(tx.Delete(gone), tx.Replace(leftIDs[0], replaced)) })
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	if kept, err := db.Counts(t.Context()); err != nil || kept.ChunkBytes < before.ChunkBytes*9/10 {
		t.Errorf("what is in the trash is gone: %+v (%v)", kept, err)
	}
	if n, err := db.Purge(t.Context(), time.Now().Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("purged %d games (%v)", n, err)
	}
	if n, err := db.Purge(t.Context(), time.Now().Add(time.Hour)); err != nil || n != len(gone) {
		t.Errorf("purged %d games (%v)", n, err)
	}
	same(t, db, leftIDs, left)
	sound(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Compact(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, db, leftIDs, left)
	sound(t, db)
	after, err := db.Counts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if after.Bytes > before.Bytes/3 || after.FreeBytes != 0 || after.Chunks > 5 || after.Names >= before.Names-400 {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
	if wal, err := os.Stat(filepath.Join(db.Dir(), catalog.FileName+"-wal")); err == nil && wal.Size() != 0 {
		t.Errorf("the log has %d bytes", wal.Size())
	}
	// Names that were forgotten come back under new numbers.
	again := add(t, db, entries[:10]...)
	same(t, db, again, entries[:10])
	if int(again[0]) != len(entries)+1 {
		t.Errorf("number %d", again[0])
	}
}
