package server

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/engine/external/tricks"
	"qipu/engine/guests"
	"qipu/internal/testkit"
	"qipu/server/guard"
	"qipu/view"
)

// TestEngines has another program play, value and review over HTTP, by its name alone.
func TestEngines(t *testing.T) {
	file := guests.Open(filepath.Join(t.TempDir(), "qipu.toml"), builtin.Games())
	t.Setenv("QIPU_TRICK", "uci xiangqi none")
	for _, g := range []guests.Guest{
		{Name: "trickster", Protocol: "uci", Command: tricks.Command()},
		{Name: "ghost", Protocol: "gtp", Games: []string{"xiangqi"}, Command: []string{"/no/such/program"}},
	} {
		if err := file.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	lib := newLibrary(t)
	s, err := New(t.Context(), lib, Options{Log: slog.New(slog.DiscardHandler), Engines: file})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	defer s.Close(context.Background())
	w := &world{t: t, ctx: t.Context(), lib: lib, Server: s, handler: s.Handler()}

	answer := w.request("/engines", "game", "xiangqi")
	if text := answer.Body.String(); strings.Contains(text, tricks.Command()[0]) || strings.Contains(text, "/no/such/program") {
		t.Errorf("commands are told: %s", text)
	}
	if list := fetch[view.Engines](w, "/engines", "game", "xiangqi").Engines; len(list) != 2 || list[0].Name != "trickster" || list[0].Protocol != "uci" {
		t.Errorf("%+v", list)
	}
	if list := fetch[view.Engines](w, "/engines", "game", "othello").Engines; len(list) != 0 {
		t.Errorf("for Othello: %+v", list)
	}

	v := fetch[view.Values](w, "/values", "game", "xiangqi", "line", "h2e2", "engine", "trickster")
	if v.Engine != "trickster" || len(v.Moves) != 1 || v.Moves[0].Told != "cp 12" || v.Unit != "share" {
		t.Errorf("values: %+v", v)
	}
	for _, c := range []struct{ game, engine, code string }{
		{"xiangqi", "nobody", "no-engine"}, {"othello", "trickster", "no-engine"}, {"xiangqi", "sh -c id", "no-engine"},
	} {
		if r := w.request("/values", "game", c.game, "engine", c.engine); r.Code != 422 || !strings.Contains(r.Body.String(), c.code) {
			t.Errorf("%s by %s: %d %s", c.game, c.engine, r.Code, r.Body)
		}
	}

	r := httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", target("/analysis", "game", "xiangqi", "engine", "trickster", "seconds", "1"), nil))
	if text := r.Body.String(); r.Code != 200 || !strings.Contains(text, "event: values") || !strings.Contains(text, `"engine":"trickster"`) || !strings.Contains(text, "event: end") {
		t.Errorf("analysis: %d %s", r.Code, text)
	}
	r = httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", target("/analysis", "game", "xiangqi", "engine", "ghost"), nil))
	if text := r.Body.String(); !strings.Contains(text, "event: problem") || strings.Contains(text, "/no/such/program") {
		t.Errorf("an analysis by nobody: %d %s", r.Code, text)
	}
	r = httptest.NewRecorder()
	w.handler.ServeHTTP(r, httptest.NewRequest("GET", target("/analysis", "game", "othello", "line", "f5", "seconds", "1", "lines", "2"), nil))
	if text := r.Body.String(); !strings.Contains(text, "event: values") || !strings.Contains(text, "event: end") {
		t.Errorf("analysis by our own engine: %d %s", r.Code, text)
	}

	if p := send[guard.Problem](w, 422, "POST", "/sessions", view.NewSession{Game: "xiangqi", Engine: "nobody"}); p.Code != "no-engine" {
		t.Errorf("a game against nobody: %+v", p)
	}
	game := send[view.Session](w, 200, "POST", "/sessions", view.NewSession{Game: "xiangqi", Engine: "trickster", Side: "second"})
	for end := time.Now().Add(testkit.Patience); game.State == "thinking" && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		game = fetch[view.Session](w, "/sessions/"+game.ID)
	}
	if game.State != "yours" || game.Position.Ply != 1 || game.Players[0].Engine != "trickster" || game.Players[0].Name != "trickster" {
		t.Errorf("a game against another program: %+v", game)
	}
}
