package fifth_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	root "qipu"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/gametest/kalah"
	"qipu/game/gametest/pocket"
	"qipu/internal/testkit"
	"qipu/server"
	"qipu/view"
)

// stores judges Kalah by what is stored.
type stores struct{}

func (stores) Evaluate(p game.Position) engine.Value {
	return engine.Value(p.(*kalah.Position).Lead(p.Turn())) * engine.Unit
}

// TestUnlike takes two games that are unlike all others through the interface:
// one of seeds in houses, in which a side may move again, and one of moves that
// name pieces, with pieces in hand.
func TestUnlike(t *testing.T) {
	set := append(builtin.All(),
		builtin.Game{Rules: kalah.Rules{Seeds: 3}, Engine: builtin.Reads(stores{}, 0)},
		builtin.Game{Rules: pocket.Rules{}})
	lib, err := root.Open(t.Context(), filepath.Join(t.TempDir(), "library"), root.Options{Create: true, Games: set.Games(), Formats: set.Formats(), Engine: set.Engine})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	s, err := server.New(t.Context(), lib, server.Options{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	defer func() { h.Close(); _ = s.Close(t.Context()) }()
	api := h.URL + "/api/v1"
	for _, c := range []struct{ name, line, text, board string }{
		{"kalah", "d+a", "N seeds=0,4,4,0,4,4,5,3,3,0,3,3,3,0", "N 0 3 3 3 0 3 3 . N"},
		{"pocket", "a1a2+b5b4+a2a3+b4a3", "p1pp/4/p3/4/1PPP w hand=p", "3(p). . . 3"},
	} {
		p := ask[view.Position](t, "GET", api+"/position?game="+c.name+"&line="+c.line, nil)
		if p.Text != c.text || !strings.Contains(p.Board, c.board) {
			t.Errorf("%s: %q\n%s", c.name, p.Text, p.Board)
		}
		for _, side := range []string{"first", "second"} {
			s := ask[view.Session](t, "POST", api+"/sessions", view.NewSession{Game: c.name, Side: side, Level: 1, Seed: 5})
			for s = turn(t, h.URL, s.ID); s.State != "over" && s.Position.Ply < 40; s = turn(t, h.URL, s.ID) {
				legal := s.Position.Legal
				ask[string](t, "POST", api+"/sessions/"+s.ID+"/moves", map[string]any{"move": legal[s.Position.Ply*5%len(legal)].Text})
			}
			if s.State != "over" {
				s = ask[view.Session](t, "POST", api+"/sessions/"+s.ID+"/resign", nil)
			}
			for end := time.Now().Add(testkit.Patience); s.Result.Record == 0 && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
				s = turn(t, h.URL, s.ID) // the record is made behind the last move
			}
			rec := ask[view.FullRecord](t, "GET", fmt.Sprint(api, "/records/", s.Result.Record), nil)
			if rec.Main != s.Position.Ply || rec.Summary.Winner != s.Result.Winner {
				t.Errorf("%s: the record of %+v is %+v", c.name, s.Result, rec.Summary)
			}
			for _, path := range []string{"/file?format=sgf", "/board.svg?ply=3"} {
				if text := ask[string](t, "GET", fmt.Sprint(api, "/records/", s.Result.Record, path), nil); len(text) < 100 {
					t.Errorf("%s%s says %q", c.name, path, text)
				}
			}
		}
		for _, path := range []string{"/find?q=date:2000..&game=", "/openings?game=", "/names?game=", "/book?game=", "/values?level=1&game=", "/review?level=1&line=" + c.line + "&game=", "/draw.svg?line=" + c.line + "&game=", "/draw.txt?line=" + c.line + "&game="} {
			if text := ask[string](t, "GET", api+path+c.name, nil); len(text) < 10 {
				t.Errorf("%s says %q", path, text)
			}
		}
		reply, err := http.Get(api + "/explore?game=" + c.name)
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if want := map[string]int{"kalah": http.StatusUnprocessableEntity, "pocket": http.StatusOK}[c.name]; reply.StatusCode != want {
			t.Errorf("%s is explored with status %d, want %d", c.name, reply.StatusCode, want)
		}
	}
}
