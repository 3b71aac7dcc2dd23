package testkit

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"iter"
	"os"
	"testing"
)

// Files yields the files of a .tar.gz archive of the collection of real games,
// with their names in it, in its order. Like Data it skips the test where the
// archive is not there. Those who stop early do not pay for the rest.
func Files(t testing.TB, archive string) iter.Seq2[string, []byte] {
	t.Helper()
	return Archive(t, Data(t, archive))
}

// Archive yields the files of a .tar.gz archive.
func Archive(t testing.TB, path string) iter.Seq2[string, []byte] {
	t.Helper()
	return func(yield func(string, []byte) bool) {
		t.Helper()
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(bufio.NewReader(f))
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(z); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag != tar.TypeReg {
				continue
			}
			data, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(h.Name, data) {
				return
			}
		}
	}
}
