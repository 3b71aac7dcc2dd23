package players_test

import (
	"context"
	"errors"
	"log"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu"
	"qipu/library"
	"qipu/library/ask"
	"qipu/library/players"
	"qipu/sample"
)

// TestPlayerEdits: edits hold until they are undone, and what cannot be meant is
// refused and not kept.
func TestPlayerEdits(t *testing.T) {
	ctx := t.Context()
	l, done := sampleLibrary(ctx)
	defer done()
	var o players.EditOptions
	merge := func(o players.EditOptions, into string, names ...string) (*players.Edited, error) {
		return l.Players().Merge(ctx, into, names, o)
	}
	listed := func(name string) string {
		t.Helper()
		book, err := l.Players().Book(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return book.Canonical(name)
	}
	for name, c := range map[string]struct {
		edit func() (*players.Edited, error)
		want error
	}{
		"nobody":   {func() (*players.Edited, error) { return merge(o, "Demo Alpha", "Demo Alfa") }, players.ErrNoPlayer},
		"somebody": {func() (*players.Edited, error) { return l.Players().Rename(ctx, "Demo Alpha", "Demo Beta", o) }, players.ErrOtherPlayer},
		"himself":  {func() (*players.Edited, error) { return l.Players().Rename(ctx, "Demo Alpha", "Demo Alpha", o) }, players.ErrSamePlayers},
		"alone":    {func() (*players.Edited, error) { return l.Players().Split(ctx, "", []string{"Demo Alpha"}, o) }, players.ErrSamePlayers},
	} {
		if _, err := c.edit(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := merge(o, "Demo Alpha", " "); err == nil {
		t.Error("a name without a letter is taken")
	}
	for _, into := range []string{strings.Repeat("é", 100_000), strings.Repeat("a", 401), "Bo\u202eth", "Bo\x07th", "\u2066Both"} {
		for _, of := range []*players.Directory{l.Players(), l.Players().Events()} {
			if _, err := of.Merge(ctx, into, []string{"Demo Alpha", "Demo Beta"}, players.EditOptions{Force: true}); err == nil || len(err.Error()) > 200 {
				t.Errorf("%.20q is taken as a name: %.300v", into, err)
			}
		}
	}
	dry, err := merge(players.EditOptions{DryRun: true}, "Both", "Demo Alpha", "Demo Beta")
	if err != nil || dry.ID != 0 || dry.After.Canonical("Demo Beta") != "Both" || listed("Demo Beta") != "Demo Beta" {
		t.Fatalf("a dry run: %+v, %v", dry, err)
	}
	if list, err := l.Players().Edits(ctx); err != nil || len(list) != 0 {
		t.Fatalf("%v are kept, %v", list, err)
	}
	if _, err := merge(players.EditOptions{Force: true}, "Both", "Demo Alpha", "Demo Beta", "Demo Nobody"); err != nil {
		t.Fatal(err)
	}
	// The names of one player are one name to queries.
	if got := games(ctx, t, l, "player=Both"); got != 2 || listed("Demo Nobody") != "Both" {
		t.Errorf("%d games, %s", got, listed("Demo Nobody"))
	}
	split, err := l.Players().Split(ctx, "", []string{"Demo Beta"}, o)
	if err != nil || listed("Demo Beta") != "Demo Beta" || listed("Demo Alpha") != "Both" {
		t.Fatalf("%+v, %v", split, err)
	}
	if e, err := l.Players().Undo(ctx, split.ID, true); err != nil || e.Undone || e.Op != players.Split || listed("Demo Beta") != "Demo Beta" {
		t.Errorf("a dry run: %+v, %v", e, err)
	}
	if e, err := l.Players().Undo(ctx, split.ID, false); err != nil || !e.Undone || listed("Demo Beta") != "Both" {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := l.Players().Undo(ctx, split.ID, false); err == nil {
		t.Error("undone twice")
	}
	if _, err := l.Players().Undo(ctx, 99, false); !errors.Is(err, players.ErrNoEdit) {
		t.Error(err)
	}
}

func games(ctx context.Context, t *testing.T, l *qipu.Library, text string) int {
	t.Helper()
	reply, err := l.Ask(ctx, &ask.Question{Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return reply.Games
}

// TestCompleter: names begin with what is typed, or a word of them does, and
// there are no more than asked for.
func TestCompleter(t *testing.T) {
	ctx := t.Context()
	l, done := sampleLibrary(ctx)
	defer done()
	c := l.Search().Completer(ctx)
	for _, x := range []struct {
		field, prefix string
		limit, want   int
		first         string
	}{
		{"player", "demo b", 9, 3, "Demo Beta"}, {"player", "ADA", 9, 3, "Demo Ada"}, {"player", "", 4, 4, ""}, {"player", "mo a", 9, 0, ""},
		{"game", "oth", 9, 1, "othello"}, {"game", "go", 9, 3, "go"}, {"event", "demo", 9, 2, ""}, {"tag", "", 9, 0, ""}, {"moves", "", 9, 0, ""}, {"nosuch", "", 9, 0, ""},
	} {
		got := c.Names(x.field, x.prefix, x.limit)
		if len(got) != x.want || x.first != "" && got[0] != x.first {
			t.Errorf("%s:%s: %q, want %d with %s first", x.field, x.prefix, got, x.want, x.first)
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if got := l.Search().Completer(gone).Names("player", "", 9); len(got) != 0 {
		t.Errorf("%q of a context that is over", got)
	}
}

// sampleLibrary makes a library of the demo set in a temporary folder.
func sampleLibrary(ctx context.Context) (l *qipu.Library, done func()) {
	dir, err := os.MkdirTemp("", "qipu")
	if err != nil {
		log.Fatal(err)
	}
	games := filepath.Join(dir, "games")
	if err := os.CopyFS(games, sample.Files()); err != nil {
		log.Fatal(err)
	}
	l, err = qipu.Open(ctx, filepath.Join(dir, "library"), qipu.Options{Create: true})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := l.Import(ctx, library.ImportOptions{}, games); err != nil {
		log.Fatal(err)
	}
	return l, func() {
		l.Close()
		os.RemoveAll(dir)
	}
}
