package jobs

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSanitise(t *testing.T) {
	for _, c := range []struct{ name, shown, disk string }{
		{"a.sgf", "a.sgf", "a.sgf"},
		{"folder/sub/a.sgf", "folder/sub/a.sgf", "folder/sub/a.sgf"},
		{"棋譜/第一局.sgf", "棋譜/第一局.sgf", "棋譜/第一局.sgf"},
		{"", "file", "file"},
		{".", "file", "file"},
		{"..", "file", "file"},
		{"../../etc/passwd", "etc/passwd", "etc/passwd"},
		{"/etc/passwd", "etc/passwd", "etc/passwd"},
		{`..\..\windows\system.ini`, "windows/system.ini", "windows/system.ini"},
		{`C:\games\a.sgf`, "games/a.sgf", "games/a.sgf"},
		{`\\server\share\a.sgf`, "server/share/a.sgf", "server/share/a.sgf"},
		{"a/./b//c.sgf", "a/b/c.sgf", "a/b/c.sgf"},
		{"a/.../b", "a/b", "a/b"},
		{"a\x00b.sgf", "ab.sgf", "ab.sgf"},
		{"a\nb\tc.sgf", "a b c.sgf", "a b c.sgf"},
		{"a\u202efgs.exe", "afgs.exe", "afgs.exe"},
		{"\xff\xfe.sgf", "_.sgf", "_.sgf"},
		{"con", "con", "_con"},
		{"aux.sgf", "aux.sgf", "_aux.sgf"},
		{"x/COM1.tar.gz", "x/COM1.tar.gz", "x/_COM1.tar.gz"},
		{"lpt¹", "lpt¹", "_lpt¹"},
		{"comet.sgf", "comet.sgf", "comet.sgf"},
		{`a<b>:"|?*.sgf`, `a<b>:"|?*.sgf`, "a_b______.sgf"},
		{"a:stream", "a:stream", "a_stream"},
		{"trailing.", "trailing.", "trailing_"},
		{" spaces /a ", "spaces/a", "spaces/a"},
		{"~2/a", "~2/a", "_2/a"},
		{strings.Repeat("x", 300) + ".sgf", strings.Repeat("x", 116) + ".sgf", strings.Repeat("x", 116) + ".sgf"},
		{strings.Repeat("d/", 50) + "a", strings.Repeat("d/", 11) + "a", strings.Repeat("d/", 11) + "a"},
	} {
		if shown, disk := Sanitise(c.name); shown != c.shown || disk != c.disk {
			t.Errorf("%q: %q, %q, not %q, %q", c.name, shown, disk, c.shown, c.disk)
		}
	}
}

// FuzzSanitise states the laws of names: whatever comes, the file stays in its
// folder, on every system, and to sanitise again changes nothing.
func FuzzSanitise(f *testing.F) {
	for _, s := range []string{"a/b.sgf", `..\x`, "C:/x", "aux.", "\u2028", strings.Repeat("ü", 200), "a. ", "COM1 .x", ". .", "/~x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		shown, disk := Sanitise(name)
		for _, s := range []string{shown, disk} {
			if !fs.ValidPath(s) || s == "." || !utf8.ValidString(s) || !filepath.IsLocal(filepath.FromSlash(s)) {
				t.Fatalf("%q: %q", name, s)
			}
		}
		if strings.ContainsAny(disk, "<>:\"|?*\\\x00") {
			t.Fatalf("%q: %q", name, disk)
		}
		for part := range strings.SplitSeq(disk, "/") {
			stem, _, _ := strings.Cut(part, ".")
			if len(part) > maxPart+1 || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || reserved(strings.ToUpper(strings.TrimSpace(stem))) {
				t.Fatalf("%q: the part %q of %q", name, part, disk)
			}
		}
		if again, _ := Sanitise(shown); again != shown {
			t.Fatalf("%q: %q, then %q", name, shown, again)
		}
		if _, again := Sanitise(disk); again != disk {
			t.Fatalf("%q: %q, then %q on the disk", name, disk, again)
		}
	})
}

// TestCollisions checks that no file takes the place of another, whatever they
// are called.
func TestCollisions(t *testing.T) {
	m, _ := setup(t, Options{})
	u, err := m.Begin(Spec{})
	check0(t, err)
	defer u.Abort()
	names := []string{"a.sgf", "a.sgf", "A.sgf", "a.sgf/b", "d/x", "d", "d/x", "q?", "q*", "../a.sgf"}
	seen := map[string]bool{}
	for i, n := range names {
		f, err := u.Add(n, bytes.NewReader(make([]byte, i)))
		if err != nil || f.Size != int64(i) || seen[f.Name] {
			t.Errorf("%s: %+v, %v", n, f, err)
		}
		seen[f.Name] = true
	}
	paths := map[string]bool{}
	for i, e := range u.files {
		info, err := u.root.Stat(e.Path)
		if err != nil || info.Size() != int64(i) {
			t.Errorf("%+v: %v", e, err)
		}
		paths[e.Path] = true
	}
	if len(paths) != len(names) {
		t.Errorf("%d files for %d", len(paths), len(names))
	}
}
