package library_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/sample"
)

// TestMemory: an import that may take little memory stores more batches and larger
// merges in parts, and in the end the same: every game, its bytes, and what it is one
// with.
func TestMemory(t *testing.T) {
	dir := t.TempDir()
	for i, files := range []fs.FS{sample.Files(), sample.Played()} {
		if err := os.CopyFS(filepath.Join(dir, "files", string(rune('a'+i))), files); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(filepath.Join(dir, "files", "again", string(rune('a'+i))), files); err != nil { // duplicates, in later batches
			t.Fatal(err)
		}
	}
	type result struct {
		report  library.ImportCounts
		batches int
		games   []string
	}
	run := func(name string, memory int64) (r result) {
		l, err := qipu.Open(t.Context(), filepath.Join(dir, name), qipu.Options{Create: true, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		o := library.ImportOptions{OnStored: func(*library.ImportReport) { r.batches++ }}
		report, err := l.Import(t.Context(), o, filepath.Join(dir, "files"))
		if err != nil {
			t.Fatal(err)
		}
		r.report = report.ImportCounts
		ids, err := l.Records().IDs(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for text, err := range l.Records().Texts(t.Context(), ids.ToArray()) {
			if err != nil {
				t.Fatal(err)
			}
			sources, err := l.Records().Sources(t.Context(), text.ID)
			if err != nil {
				t.Fatal(err)
			}
			links, err := l.Records().Links(t.Context(), text.ID)
			if err != nil {
				t.Fatal(err)
			}
			r.games = append(r.games, fmt.Sprintf("%d %+v %v %v", text.ID, text, sources, links))
		}
		if found, _, err := l.Records().Check(t.Context(), true, nil); err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
		return r
	}
	much, little := run("much", 0), run("little", 256<<10)
	if much.batches != 1 || little.batches < 5 {
		t.Errorf("%d batches, and %d where memory is short", much.batches, little.batches)
	}
	if much.report != little.report || much.report.Duplicates == 0 || !slices.Equal(much.games, little.games) {
		t.Errorf("%+v, %d games; with little memory %+v, %d games", much.report, len(much.games), little.report, len(little.games))
	}
}
