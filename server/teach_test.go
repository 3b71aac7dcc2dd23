package server

import (
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/view"
)

// TestTeach plays a game: a moment later the book has a value of the engine's for
// the positions of its opening, beside that of its result.
func TestTeach(t *testing.T) {
	const level, plies = 10, 30 // at which, and how many moves
	w := newWorld(t)
	_, base := served(t, w.lib)
	g := newGamer(base, 3)
	var s view.Session
	if err := g.call("POST", "/sessions", view.NewSession{Game: "othello", Level: 1, Seed: 7}, &s); err != nil {
		t.Fatal(err)
	}
	if err := g.finish(&s); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(testkit.Patience)
	for {
		var e view.BookEntry
		if err := g.call("GET", target("/book", "game", "othello", "line", s.Position.Moves[0].Text)[len(api.Prefix):], nil, &e); err != nil {
			t.Fatal(err)
		}
		if v := e.Values; v.E != nil {
			if *v.E < -8 || *v.E > 8 || v.ELevel < level || v.ELow == nil && v.EHigh == nil {
				t.Errorf("E %v (level %d) of the first move", *v.E, v.ELevel)
			}
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the book has learnt nothing")
		}
		time.Sleep(50 * time.Millisecond)
	}
	var info view.BookInfo
	if err := g.call("GET", target("/book/info", "game", "othello")[len(api.Prefix):], nil, &info); err != nil || info.Searched < plies {
		t.Errorf("%d positions were searched (%v)", info.Searched, err)
	}
}
