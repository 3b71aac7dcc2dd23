package livebook_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/library/livebook"
	"qipu/play"
	"qipu/store"
)

// TestOpponent: the engine's side plays what games enough speak for, a lucky win
// with another move does not count, low levels know little and high ones trust
// themselves more.
func TestOpponent(t *testing.T) {
	lib, open := playing(t)
	h := open()
	rules, err := builtin.Games().Find("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	// Who is to move gives up: Black has won behind h9, White behind i9, and once
	// behind j10.
	for i, line := range slices.Concat(slices.Repeat([]string{"h8 h9 i9"}, 24), slices.Repeat([]string{"h8 i9"}, 22), []string{"h8 j10"}) {
		s, err := play.New(rules, nil, play.Settings{Game: "gomoku", Players: [2]play.Player{{Name: "Ada"}, {Name: "Grace"}}}, nil, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		token := fmt.Sprint("game", i)
		if _, err := h.Create(t.Context(), "", token, s); err != nil {
			t.Fatal(err)
		}
		for _, m := range strings.Fields(line) {
			if _, err := h.Play(t.Context(), token, 0, func(s *play.Session) (game.Move, error) { return s.ParseMove(m) }); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.Resign(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	choose := func(level int, style play.Style, line string, seed uint64) string {
		t.Helper()
		p, moves, err := game.ParseLine(rules, line)
		if err != nil {
			t.Fatal(err)
		}
		b := lib.Books().Opponent()
		q := &play.Query{Task: &engine.Task{Rules: rules, Moves: moves}, Level: level, Style: style, Seed: seed}
		for end := time.Now().Add(testkit.Patience); ; { // it does not wait for a book that is being made
			r, ok, err := b.Choose(t.Context(), q)
			switch {
			case errors.Is(err, context.DeadlineExceeded) && time.Now().Before(end):
				continue
			case err != nil:
				t.Fatal(err)
			case !ok:
				return ""
			case r.Note != "book":
				t.Errorf("a move of the book is said to be from %q", r.Note)
			}
			return game.FormatMove(rules, p, r.Move, game.AnyNotation)
		}
	}
	for seed := range uint64(20) {
		if got := choose(5, play.Best, "h8", seed); !slices.Contains([]string{"i9", "g7", "i7", "g9"}, got) {
			t.Errorf("seed %d: %q is played behind h8", seed, got)
		}
	}
	for _, c := range []struct {
		level int
		line  string
		want  bool
	}{
		{1, "h8 h9", true}, {10, "h8", true}, {11, "h8", false}, {1, "h8 h9 i9 i10 j9", false}, {5, "h8 j10", false}, {5, "a1", false},
	} {
		if got := choose(c.level, play.Best, c.line, 1); (got != "") != c.want {
			t.Errorf("level %d behind %s: %q, want any: %v", c.level, c.line, got, c.want)
		}
	}
	seen := map[string]bool{}
	for seed := range uint64(200) {
		seen[choose(20, play.Human, "h8", seed)] = true
	}
	if len(seen) != 3 || seen[""] {
		t.Errorf("people play %v", seen)
	}

	e := engine.WithProber(engine.Random{}, &livebook.BookProber{Book: lib.Books().Opponent(), Level: 5})
	_, moves, err := game.ParseLine(rules, "h8")
	if err != nil {
		t.Fatal(err)
	}
	task := &engine.Task{Rules: rules, Moves: moves}
	if r, err := e.Think(t.Context(), task, engine.Limits{}, nil); err != nil || r.Note != "book" || len(r.Lines[0].Moves) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := e.Think(t.Context(), task, engine.Limits{Multi: -1}, nil); err != nil || r.Note != "" {
		t.Errorf("who asks for values is not asking a book: %+v, %v", r, err)
	}
	kind, err := lib.Records().Kind("gomoku")
	if err != nil {
		t.Fatal(err)
	}
	h.Close()
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Books().Volume(t.Context(), kind); !errors.Is(err, store.ErrClosed) {
		t.Errorf("the book of a closed library: %v", err)
	}
	if r, err := e.Think(t.Context(), task, engine.Limits{}, nil); err != nil || r.Note != "" {
		t.Errorf("without a book: %+v, %v", r, err)
	}
}
