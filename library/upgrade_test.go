package library_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/sample"
)

// TestUpgrade: the library that each older version wrote is opened by this one, keeps its
// games and takes more; what it gives back as files another library takes as they are.
func TestUpgrade(t *testing.T) {
	samples, err := filepath.Glob("../store/shard/internal/catalog/testdata/version*.db.gz")
	if err != nil || len(samples) < 4 {
		t.Fatalf("%d samples of older versions: %v", len(samples), err)
	}
	more := t.TempDir()
	if err := os.CopyFS(more, sample.Played()); err != nil {
		t.Fatal(err)
	}
	for _, name := range samples {
		t.Run(filepath.Base(name), func(t *testing.T) {
			f, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			z, err := gzip.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			data, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "catalog.db"), data, 0o666); err != nil {
				t.Fatal(err)
			}
			l, err := qipu.Open(t.Context(), dir, qipu.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			before, err := l.Records().IDs(t.Context(), "")
			if err != nil || before.IsEmpty() {
				t.Fatalf("games %v, %v", before, err)
			}
			if _, err := l.Import(t.Context(), library.ImportOptions{}, filepath.Join(more, sample.PlayedFile)); err != nil {
				t.Fatal(err)
			}
			after, err := l.Records().IDs(t.Context(), "")
			if err != nil || after.GetCardinality() != before.GetCardinality()+sample.PlayedGames || before.AndCardinality(after) != before.GetCardinality() {
				t.Errorf("games %v, before %v: %v", after, before, err)
			}
			for text, err := range l.Records().Texts(t.Context(), after.ToArray()) {
				if err != nil || len(text.Record) == 0 && len(text.Raw) == 0 {
					t.Errorf("game %d has no record: %v", text.ID, err)
				}
			}
		})
	}
}
