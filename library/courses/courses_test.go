package courses_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"qipu"
	"qipu/builtin"
	"qipu/game"
	"qipu/library"
	"qipu/library/courses"
	"qipu/library/librarian"
	"qipu/record"
)

const games = `(;GM[1]SZ[9]KM[6.5]RU[Chinese];B[ee];W[gc];B[cc];W[gg];B[cg])
(;GM[1]SZ[9]KM[6.5]RU[Chinese];B[ee];W[cg];B[gg];W[gc];B[cc];W[ec])
(;GM[1]SZ[5]KM[6.5];B[cc];W[bb];B[dd])
`

func open(t *testing.T, dir string, o qipu.Options) *qipu.Library {
	t.Helper()
	l, err := qipu.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// made returns a library of these games.
func made(t *testing.T, dir string) *qipu.Library {
	t.Helper()
	l := open(t, dir, qipu.Options{Create: true})
	path := filepath.Join(t.TempDir(), "games.sgf")
	if err := os.WriteFile(path, []byte(games), 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Import(t.Context(), library.ImportOptions{}, path); err != nil || r.New != 3 {
		t.Fatalf("%+v %v", r, err)
	}
	return l
}

func gameOf(t *testing.T, l *qipu.Library, id uint32) *courses.Game {
	t.Helper()
	g, _, err := l.Record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return courses.GameOf(record.NewReferee(builtin.Whole().Games()).Play(g))
}

// kept counts the courses that there are of a game.
func kept(t *testing.T, l *qipu.Library, g *courses.Game) int {
	t.Helper()
	list, err := courses.New(l.Records()).Of(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		if c.Net != "small" || c.Version == "" || c.Depth != 1 {
			t.Errorf("a course is by %q %q, %d deep", c.Net, c.Version, c.Depth)
		}
	}
	return len(list)
}

// TestCourses: a game that was looked at once has its course, also behind a backup, as
// it comes back out of the trash, and not any more with another komi.
func TestCourses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "library")
	l := made(t, dir)
	g := gameOf(t, l, 1)
	if g == nil || gameOf(t, l, 3) != nil {
		t.Fatal("which games are seen")
	}
	if n := kept(t, l, g); n != 0 {
		t.Fatalf("%d courses before anybody looked", n)
	}
	c, err := courses.New(l.Records()).See(t.Context(), g)
	if err != nil || len(c.Moments) != 6 {
		t.Fatalf("%+v %v", c, err)
	}
	again, err := courses.New(l.Records()).See(t.Context(), g)
	if err != nil || again.Text() != c.Text() || kept(t, l, g) != 1 || kept(t, l, gameOf(t, l, 2)) != 0 {
		t.Fatalf("looked up: %+v %v", again, err)
	}

	backup := filepath.Join(t.TempDir(), "backup")
	if err := l.Records().Keeper().Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	b := open(t, backup, qipu.Options{ReadOnly: true})
	if kept(t, b, gameOf(t, b, 1)) != 1 {
		t.Error("the backup has no course")
	}
	other := gameOf(t, b, 2)
	if c, err := courses.New(b.Records()).See(t.Context(), other); err != nil || len(c.Moments) != 7 || kept(t, b, other) != 0 {
		t.Errorf("a library for reading only: %v", err)
	}

	if err := l.Records().Delete(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Records().Restore(t.Context(), []uint32{1}); err != nil {
		t.Fatal(err)
	}
	if kept(t, l, gameOf(t, l, 1)) != 1 {
		t.Error("a game that came back has no course")
	}
}

// TestLibrarian: it looks at all games that it sees, once.
func TestLibrarian(t *testing.T) {
	l := made(t, t.TempDir())
	kind, err := l.Records().Kind("go:9x9")
	if err != nil {
		t.Fatal(err)
	}
	for want, o := range []librarian.Options{{Limit: 1}, {Threads: 2}, {}} {
		o.Kind, o.Games = kind, l.Records()
		one := librarian.New(o)
		if err := one.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := one.State()
		if !s.Whole || s.Total != 2 || s.Valued != min(want+1, 2) || s.Searched != []int{1, 1, 0}[want] || s.Errors != 0 {
			t.Errorf("%+v", s)
		}
	}
	if kept(t, l, gameOf(t, l, 1)) != 1 || kept(t, l, gameOf(t, l, 2)) != 1 {
		t.Error("games have no course")
	}
}

// TestFits: boards that no net sees, and other games.
func TestFits(t *testing.T) {
	for spec, want := range map[string]bool{"go:9x9": true, "go:19x19": true, "go:5x5": false, "go:1x9": false, "go:21x21": false, "othello": false} {
		r, err := builtin.Whole().Games().Find(spec)
		if err != nil {
			if errors.Is(err, game.ErrSyntax) {
				continue
			}
			t.Fatal(spec, err)
		}
		if courses.Fits(r) != want {
			t.Errorf("%s: %v", spec, !want)
		}
	}
}
