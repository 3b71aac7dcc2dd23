package testkit

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestScript(t *testing.T) {
	path := filepath.Join(t.TempDir(), "script.txt")
	text := `# comment

echo a b=c
one
two
----
a c
one
two

echo blank
first

third
----
----
blank
first

third
----
----

echo
----

echo last
----
last
`
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	echo := func(t *testing.T, c Command) string {
		words := append([]string{}, c.Args...)
		if c.Named["b"] != "" {
			words = append(words, c.Named["b"])
		}
		out := strings.Join(words, " ")
		if c.Input != "" {
			out += "\n" + c.Input
		}
		return out
	}
	Script(t, path, echo)
	*rewrite = true
	defer func() { *rewrite = false }()
	Script(t, path, echo)
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Errorf("rewritten script differs: %s", diff(text, string(got)))
	}
	golden := filepath.Join(t.TempDir(), "deep", "golden.txt")
	Golden(t, golden, []byte("x\n"))
	*rewrite = false
	Golden(t, golden, []byte("x\n"))
}

func TestSection(t *testing.T) {
	doc, err := replaceSection("a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n", "x", "new\n\n")
	if want := "a\n<!-- begin x -->\nnew\n<!-- end x -->\nb\n"; err != nil || doc != want {
		t.Errorf("%q, %v, want %q", doc, err, want)
	}
	if _, err := replaceSection("nothing", "x", ""); err == nil {
		t.Error("a section that is not there was replaced")
	}
}

func TestDiff(t *testing.T) {
	if got := diff("a\nb\nc", "a\nx\nc"); !strings.Contains(got, "line 2") || !strings.Contains(got, "x") {
		t.Errorf("diff says %q", got)
	}
	if got := diff("a", "a\nb"); !strings.Contains(got, "(end)") {
		t.Errorf("diff says %q", got)
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	for _, h := range []tar.Header{{Name: "a/", Typeflag: tar.TypeDir}, {Name: "a/1.sgf", Size: 3}, {Name: "a/2.sgf", Size: 3}} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte("abc")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), z.Close(), os.WriteFile(filepath.Join(dir, "x.tar.gz"), packed.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QIPU_DATA", dir)
	var got []string
	for name, data := range Files(t, "x.tar.gz") {
		got = append(got, name+" "+string(data))
	}
	if want := []string{"a/1.sgf abc", "a/2.sgf abc"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
