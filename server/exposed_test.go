package server

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qipu/server/api"
	"qipu/store"
	"qipu/view"
)

// TestPathsOfServer: where others can reach the server, no answer tells where on
// its machine the records were read from; the owner is told.
func TestPathsOfServer(t *testing.T) {
	w := newWorld(t)
	ids := w.ids()
	sources, err := w.lib.Records().Sources(w.ctx, ids[0])
	if err != nil || !filepath.IsAbs(sources[0].File) {
		t.Fatalf("%+v, %v", sources, err)
	}
	folder := filepath.Dir(sources[0].File)
	other, err := New(w.ctx, w.lib, Options{Exposed: true, Holder: "another server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(context.Background())
	for _, address := range []string{
		target("/records/" + itoa(int64(ids[0]))), target("/records/export", "format", "csv"), target("/records/export", "format", "json"),
		target("/query/complete", "q", "file:", "at", "5"), target("/library"),
	} {
		r := httptest.NewRecorder()
		other.Guard.Wrap(other.Handler()).ServeHTTP(r, httptest.NewRequest("GET", "http://localhost"+address, nil))
		if r.Code != 200 || strings.Contains(r.Body.String(), folder) {
			t.Errorf("%s: %d, tells %s", address, r.Code, folder)
		}
	}
	if got := fetch[view.FullRecord](w, "/records/"+itoa(int64(ids[0]))); got.Sources[0].File != sources[0].File {
		t.Errorf("the owner is told %+v", got.Sources)
	}
	for name, want := range map[string]string{
		"/home/ada/games.zip!deep/x.sgf": "games.zip!deep/x.sgf", `C:\Games\x.sgf`: "x.sgf", "../../ada/x.sgf": "x.sgf", "sample/go/x.sgf": "sample/go/x.sgf", "a/x.sgf": "a/x.sgf", "": "",
	} {
		if got := other.ShownFile(name); got != want {
			t.Errorf("%s is shown as %s, want %s", name, got, want)
		}
	}
}

// TestMetricsNeedToken: the figures are the owner's where others can reach the
// server.
func TestMetricsNeedToken(t *testing.T) {
	w := newWorld(t)
	s, err := New(w.ctx, w.lib, Options{Exposed: true, Token: "secret", Holder: "another server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	for token, want := range map[string]int{"": http.StatusUnauthorized, "secret": http.StatusOK} {
		r := httptest.NewRequest("GET", "http://localhost/metrics", nil)
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		got := httptest.NewRecorder()
		s.Guard.Wrap(s.Handler()).ServeHTTP(got, r)
		if got.Code != want {
			t.Errorf("with the token %q: %d", token, got.Code)
		}
	}
}

// TestAbandonedSearch: a search that nobody follows any more ends, and is
// forgotten, so that whoever comes back to it has it made anew and is not told
// TestTold: problems do not tell where the library lies.
func TestTold(t *testing.T) {
	w := newWorld(t)
	err := &os.PathError{Op: "open", Path: filepath.Join(w.lib.Records().Dir(), "jobs", "1", "spool", "x.sgf"), Err: os.ErrNotExist}
	if got := w.Problem(fmt.Errorf("%w: %w", store.ErrNoRow, err)).Error(); strings.Contains(got, w.lib.Records().Dir()) || !strings.Contains(got, "x.sgf") {
		t.Error(got)
	}
}

// TestGuests: without the token guests may play where they were invited, and do
// nothing else.
func TestGuests(t *testing.T) {
	const most = 5 // games of a guest at once
	for _, invited := range []bool{false, true} {
		w := newWorld(t)
		s, err := New(w.ctx, w.lib, Options{Exposed: true, Guests: invited, Token: "secret", Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		send := func(method, path, body string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, "http://localhost"+api.Prefix+path, strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			answer := httptest.NewRecorder()
			s.Guard.Wrap(s.Handler()).ServeHTTP(answer, r)
			return answer
		}
		made := send("POST", "/sessions", `{"game":"othello","level":1}`)
		if !invited {
			if made.Code != http.StatusUnauthorized {
				t.Errorf("a stranger begins a game: %d", made.Code)
			}
		} else {
			var game view.Session
			if err := json.Unmarshal(made.Body.Bytes(), &game); err != nil || made.Code != 200 {
				t.Fatalf("%d %s", made.Code, made.Body)
			}
			if moved := send("POST", "/sessions/"+game.ID+"/moves", `{"move":"f5"}`); moved.Code != 200 {
				t.Errorf("a guest's move: %d %s", moved.Code, moved.Body)
			}
			for range most {
				made = send("POST", "/sessions", `{"game":"othello","level":1}`)
			}
			if made.Code == 200 {
				t.Errorf("a guest plays more than %d games", most)
			}
		}
		for path, body := range map[string]string{"/jobs": `{"sample":true}`, "/book/values": `{"game":"othello","line":"f5","value":1}`} {
			if answer := send("POST", path, body); answer.Code != http.StatusUnauthorized {
				t.Errorf("invited %v: POST %s: %d", invited, path, answer.Code)
			}
		}
		if answer := send("GET", "/sessions", ""); answer.Code != http.StatusUnauthorized {
			t.Errorf("the list of games: %d", answer.Code)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
