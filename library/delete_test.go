package library_test

import (
	"os"
	"path/filepath"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/sample"
)

// TestDeletedComesBack deletes a game that was read from a compressed file: the
// next import of the file brings it back.
func TestDeletedComesBack(t *testing.T) {
	dir := t.TempDir()
	l, err := qipu.Open(t.Context(), filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := filepath.Join(dir, sample.PlayedFile)
	if err := os.CopyFS(dir, sample.Played()); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{sample.PlayedGames, 0, 2} {
		if i == 2 {
			if err := l.Records().Delete(t.Context(), 3, 5); err != nil {
				t.Fatal(err)
			}
		}
		report, err := l.Import(t.Context(), library.ImportOptions{}, file)
		if err != nil {
			t.Fatal(err)
		}
		if report.New != want {
			t.Errorf("import %d: %d new games, want %d", i+1, report.New, want)
		}
	}
}
