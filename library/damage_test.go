package library_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"qipu"
	"qipu/internal/testkit"
	"qipu/library"
)

// corpus makes a library of the games of the repository, closed again.
func corpus(t *testing.T) (dir string, games int) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "library")
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Import(t.Context(), library.ImportOptions{}, filepath.Join("..", "testdata", "corpus")); err != nil {
		t.Fatal(err)
	}
	ids, _, err := l.Records().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir, len(ids)
}

// hurt copies a library and overwrites bytes of its catalogue.
func hurt(t *testing.T, dir string, at int64, data []byte) string {
	t.Helper()
	sick := filepath.Join(t.TempDir(), "sick")
	if err := os.CopyFS(sick, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(sick, "catalog.db"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(data, at); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return sick
}

// TestCopyPastDamage copies libraries with a damaged spot in their catalogue. Each
// copy fails, or tells of every game whether it came along; behind a spot that
// costs a few games all others do.
func TestCopyPastDamage(t *testing.T) {
	dir, games := corpus(t)
	info, err := os.Stat(filepath.Join(dir, "catalog.db"))
	if err != nil {
		t.Fatal(err)
	}
	const page = 8192
	noise := make([]byte, 512)
	rand.Read(noise)
	some := 0
	for at := int64(page); at < info.Size(); at += int64(testkit.Scale(9, 1)) * page {
		sick := hurt(t, dir, at+page-600, noise)
		copied, err := copyAll(t, sick, filepath.Join(t.TempDir(), "copy"))
		switch {
		case err != nil:
			continue
		case copied.New+copied.Known+copied.Left != games:
			t.Errorf("noise at %d: of %d games %d are told of: %+v", at, games, copied.New+copied.Known+copied.Left, *copied)
		case copied.Left > 0:
			some++
		}
	}
	if some == 0 {
		t.Error("no damage cost a few games alone")
	}
}

func copyAll(t *testing.T, from, to string) (*library.Copied, error) {
	t.Helper()
	source, err := qipu.Open(t.Context(), from, qipu.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	target, err := qipu.Open(t.Context(), to, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	ids, unlisted, err := source.Records().List(t.Context())
	if err != nil {
		return nil, err
	}
	copied, err := source.Records().Copy(t.Context(), target.Records(), ids, library.CopyOptions{Key: from, Verify: true})
	if copied != nil {
		copied.Left += unlisted
	}
	return copied, err
}
