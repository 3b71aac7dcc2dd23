package server

import (
	"context"
	"encoding/json"
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
		{Name: "mute", Protocol: "gtp", Games: []string{"xiangqi"}, Command: append([]string{"env", "QIPU_TRICK=gtp xiangqi none"}, tricks.Command()...)},
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
	if list := fetch[view.Engines](w, "/engines", "game", "xiangqi").Engines; len(list) != 3 || list[0].Name != "trickster" || list[0].Protocol != "uci" {
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

	if v.By == nil || v.By.Engine != "trickster" || !v.By.Counts || len(v.By.Accuracy) > 0 {
		t.Errorf("whose values: %+v", v.By)
	}
	if own := fetch[view.Values](w, "/values", "game", "xiangqi", "level", "1"); own.By == nil || !own.By.Counts || len(own.By.Accuracy) == 0 {
		t.Errorf("values of our own engine: %+v", own.By)
	}
	if own := fetch[view.Values](w, "/values", "game", "othello:6x6", "level", "1"); own.By == nil || own.By.Counts || own.By.Engine == "" {
		t.Errorf("values of an engine that nobody has measured: %+v", own.By)
	}
	reviewed := func(engine string) *view.Review {
		r := httptest.NewRecorder()
		w.handler.ServeHTTP(r, httptest.NewRequest("GET", target("/review", "game", "xiangqi", "line", "h2e2 h9g7", "engine", engine), nil))
		_, last, _ := strings.Cut(r.Body.String(), "event: review\ndata: ")
		var x view.Review
		if err := json.Unmarshal([]byte(strings.TrimSpace(strings.SplitN(last, "\n", 2)[0])), &x); err != nil {
			t.Fatalf("a review by %s: %v: %s", engine, err, r.Body)
		}
		return &x
	}
	if x := reviewed("trickster"); x.By.Engine != "trickster" || !x.By.Counts || len(x.Moves) != 2 || !x.Moves[0].Known {
		t.Errorf("a review by another program: %+v", x)
	}
	if x := reviewed("mute"); x.By.Engine != "mute" || x.By.Counts || len(x.Moves) != 0 || x.Facts == nil {
		t.Errorf("a review by a program that tells no values: %+v", x)
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

// TestTeacher: another program values positions for the book, and its name and how far
// it came stand beside them. One that tells no values is refused, and so is our own
// engine where nobody has measured it.
func TestTeacher(t *testing.T) {
	file := guests.Open(filepath.Join(t.TempDir(), "qipu.toml"), builtin.Games())
	t.Setenv("QIPU_TRICK", "uci xiangqi none")
	for _, g := range []guests.Guest{
		{Name: "trickster", Protocol: "uci", Command: tricks.Command()},
		{Name: "mute", Protocol: "gtp", Games: []string{"xiangqi"}, Command: append([]string{"env", "QIPU_TRICK=gtp xiangqi none"}, tricks.Command()...)},
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
	for range 2 {
		playOut(w, "xiangqi", "h2e2 h9g7")
	}
	ask := func(engine string) view.BookLearner {
		return view.BookLearner{Game: "xiangqi", Do: "start", Engine: engine, Level: 10, Games: 2}
	}
	own := ask("")
	own.Game = "chess"
	if p := send[guard.Problem](w, 422, "POST", "/book/learning", own); p.Code != "no-teacher" {
		t.Errorf("taught by an engine that nobody has measured: %+v", p)
	}
	for engine, code := range map[string]string{"mute": "no-values", "nobody": "no-engine"} {
		if p := send[guard.Problem](w, 422, "POST", "/book/learning", ask(engine)); p.Code != code {
			t.Errorf("taught by %q: %+v", engine, p)
		}
	}
	got := send[view.BookLearning](w, 200, "POST", "/book/learning", ask("trickster"))
	for end := time.Now().Add(testkit.Patience); got.Phase != "done" && got.Problem == "" && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		got = fetch[view.BookLearning](w, "/book/learning", "game", "xiangqi")
	}
	if got.Phase != "done" || got.Teacher != "trickster" || got.Searched < 2 || got.Errors > 0 {
		t.Errorf("%+v", got)
	}
	e := fetch[view.BookEntry](w, "/book", "game", "xiangqi", "line", "h2e2", "threshold", "1")
	if e.Values.E == nil || e.Values.By != "trickster" || e.Values.ELevel != 3 {
		t.Errorf("%+v", e.Values)
	}
}
