package house

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNoMarks: no file has the marks that git leaves where two changes meet.
func TestNoMarks(t *testing.T) {
	kinds := []string{".go", ".md", ".ts", ".css", ".json", ".txt", ".html", ".py", ".sh", ".toml", ".patterns", ".shapes"}
	read := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || d.Name() == "dist"):
			return filepath.SkipDir
		case d.IsDir() || !slices.Contains(kinds, filepath.Ext(path)) && d.Name() != "Makefile":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		read++
		for _, mark := range []string{"<<<<<<<", ">>>>>>>"} {
			if at := append([]byte("\n"), mark+" "...); bytes.Contains(text, at) || bytes.HasPrefix(text, at[1:]) {
				t.Errorf("%s has marks of changes that met (%s)", path, mark)
			}
		}
		return nil
	})
	if err != nil || read < 1000 {
		t.Fatalf("%d files read, %v", read, err)
	}
}
