package library_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/sample"
	"qipu/store"
)

// TestCopyAgain copies a library again and again: games that are new, labels that
// games got since, and games that were deleted there all come, and nothing else is
// gone through.
func TestCopyAgain(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.CopyFS(dir, sample.Played()); err != nil {
		t.Fatal(err)
	}
	source, err := qipu.Open(t.Context(), from, qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if _, err := source.Import(t.Context(), library.ImportOptions{}, filepath.Join(dir, sample.PlayedFile)); err != nil {
		t.Fatal(err)
	}
	const n = sample.PlayedGames
	edit := func(do func(tx store.Tx) error) {
		t.Helper()
		if err := source.Records().Edit(t.Context(), do); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		name         string
		do           func()
		fresh, known int // of the copy
		before       int
		tagged, all  int // there, afterwards
	}{
		{"first", func() {}, n, 0, 0, 0, n},
		{"nothing new", func() {}, 0, 0, n, 0, n},
		{"a tag", func() { edit(func(tx store.Tx) error { return tx.Tag("later", []uint32{2, 4}) }) }, 0, 2, n - 2, 2, n},
		{"nothing new again", func() {}, 0, 0, n, 2, n},
		{"a collection, and another game of the tag", func() {
			edit(func(tx store.Tx) error {
				mine, err := tx.CreateCollection("mine", "")
				if err != nil {
					return err
				}
				if err := tx.Collect(mine, []uint32{1, 2}); err != nil {
					return err
				}
				return tx.Tag("later", []uint32{3})
			})
		}, 0, 4, n - 4, 3, n},
		{"a new game", func() {
			one := filepath.Join(dir, "one.sgf")
			if err := os.WriteFile(one, []byte("(;GM[1]SZ[9]PB[A]PW[B]RE[B+R];B[ee];W[cc];B[gg])"), 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := source.Import(t.Context(), library.ImportOptions{}, one); err != nil {
				t.Fatal(err)
			}
		}, 1, 0, n, 3, n + 1},
		{"one deleted there", func() {
			target, err := qipu.Open(t.Context(), to, qipu.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer target.Close()
			if err := target.Records().Delete(t.Context(), 3, 5); err != nil {
				t.Fatal(err)
			}
		}, 2, n - 1, 0, 3, n + 1},
		{"nothing new once more", func() {}, 0, 0, n + 1, 3, n + 1},
		{"one deleted here", func() {
			if err := source.Records().Delete(t.Context(), 6); err != nil {
				t.Fatal(err)
			}
		}, 0, n, 0, 3, n + 1},
		{"nothing new in the end", func() {}, 0, 0, n, 3, n + 1},
	} {
		step.do()
		copied, err := copyAll(t, from, to)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if copied.New != step.fresh || copied.Known != step.known || copied.Before != step.before || copied.Left != 0 {
			t.Errorf("%s: %+v", step.name, *copied)
		}
		target, err := qipu.Open(t.Context(), to, qipu.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		ids, _, err := target.Records().List(t.Context())
		if err != nil || len(ids) != step.all {
			t.Errorf("%s: there are %d games, %v", step.name, len(ids), err)
		}
		tags, err := target.Records().Notes().Tags(t.Context())
		if err != nil || len(tags) != min(1, step.tagged) || len(tags) > 0 && tags[0].Games != step.tagged {
			t.Errorf("%s: the tags are %v, %v", step.name, tags, err)
		}
		target.Close()
	}
	target, err := qipu.Open(t.Context(), to, qipu.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	sets, err := target.Records().Notes().Collections(t.Context())
	if err != nil || !slices.ContainsFunc(sets, func(c store.Collection) bool { return c.Name == "mine" && c.Games == 2 }) {
		t.Errorf("the collections are %v, %v", sets, err)
	}
}
