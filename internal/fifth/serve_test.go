package fifth_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	root "qipu"
	"qipu/internal/browser"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/server"
	"qipu/view"
	"qipu/web"
)

// serve serves a library of the three games, with pages.
func serve(t *testing.T) (base string) {
	t.Helper()
	dir := t.TempDir()
	lib, err := root.Open(t.Context(), filepath.Join(dir, "library"),
		root.Options{Create: true, Games: set.Games(), Formats: set.Formats(), Engine: set.Engine})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
	file := filepath.Join(dir, "games.btl")
	if err := os.WriteFile(file, []byte(games), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Import(t.Context(), library.ImportOptions{}, file); err != nil {
		t.Fatal(err)
	}
	pages, err := web.New(web.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), lib, server.Options{Web: pages, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.Close(); _ = s.Close(t.Context()) })
	return h.URL
}

// ask asks the interface.
func ask[T any](t *testing.T, method, address string, body any) (into T) {
	t.Helper()
	var sent io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		sent = strings.NewReader(string(data))
	}
	r, err := http.NewRequestWithContext(t.Context(), method, address, sent)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode >= 300 {
		t.Fatalf("%s %s: %s %v %s", method, address, reply.Status, err, data)
	}
	if text, ok := any(&into).(*string); ok {
		*text = string(data)
	} else if err := json.Unmarshal(data, &into); err != nil {
		t.Fatal(err)
	}
	return into
}

// refused asks the interface for what it does not do, and returns what it says.
func refused(t *testing.T, address string) string {
	t.Helper()
	reply, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	data, err := io.ReadAll(reply.Body)
	if err != nil || reply.StatusCode < 400 {
		t.Errorf("%s: %s %v %s", address, reply.Status, err, data)
	}
	return string(data)
}

// turn waits until it is the person's turn or the game is over.
func turn(t *testing.T, base, id string) view.Session {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if s := ask[view.Session](t, "GET", base+"/api/v1/sessions/"+id, nil); s.State != "thinking" {
			return s
		}
	}
	t.Fatal("the engine does not move")
	return view.Session{}
}

// ahead returns the move that comes nearest to the other end.
func ahead(legal []view.Move, side int) string {
	best := legal[0]
	for _, m := range legal {
		if side == 0 && m.To < best.To || side == 1 && m.To > best.To {
			best = m
		}
	}
	return best.Text
}

// ended checks that a game that is over has become a record with the right winner.
func ended(t *testing.T, base string, s *view.Session) {
	t.Helper()
	testkit.Until(t, "the game is a record", func() bool { // it comes behind the last move
		if s.Result == nil || s.Result.Record == 0 {
			*s = ask[view.Session](t, "GET", base+"/api/v1/sessions/"+s.ID, nil)
		}
		return s.Result != nil && s.Result.Record != 0
	})
	if s.Result.Winner < 0 {
		t.Fatalf("the game ended as %+v", s.Result)
	}
	letter := []string{"W+", "B+"}[s.Result.Winner]
	rec := ask[view.FullRecord](t, "GET", fmt.Sprint(base, "/api/v1/records/", s.Result.Record), nil)
	if s.Result.Text != letter || rec.Summary.Result != letter || rec.Summary.Winner != s.Result.Winner || rec.Main != s.Position.Ply {
		t.Errorf("%+v is the record %+v", s.Result, rec.Summary)
	}
}

// TestInterface takes the game through the interface of the server.
func TestInterface(t *testing.T) {
	base := serve(t)
	api := base + "/api/v1"
	list := ask[view.Games](t, "GET", api+"/games", nil).Games
	at := slices.IndexFunc(list, func(g view.Game) bool { return g.Spec == "breakthrough" })
	if at < 0 || list[at].Sides[0].Name != "white" || list[at].Howto.En == "" || list[at].Records != 3 || !slices.Equal(list[at].Formats, []string{"sgf", "pgn", "btl"}) {
		t.Fatalf("the games are %+v", list)
	}
	for q, want := range map[string][]string{
		`player:Ann`:          {"1 W+", "3 W+R"},
		`date:2022`:           {"2 B+R"},
		`board:"p./.P"`:       {"2 B+R", "3 W+R"},
		`fuzzy:"O./.X"`:       {"1 W+", "2 B+R", "3 W+R"},
		`named:"Closed step"`: {"1 W+"},
		`result:white`:        {"1 W+", "3 W+R"},
	} {
		a := ask[view.Answer](t, "GET", api+"/find?game=breakthrough&q="+url.QueryEscape(q), nil)
		var got []string
		for _, h := range a.Rows {
			got = append(got, fmt.Sprint(h.Record.ID, " ", h.Record.Result))
			if h.Record.Winner != strings.IndexByte("WB", h.Record.Result[0]) {
				t.Errorf("%s: %+v", q, h.Record)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", q, got, want)
		}
	}
	for _, path := range []string{"/explore?game=breakthrough&openings=true", "/position?game=breakthrough&line=e2e3", "/openings?game=breakthrough", "/names?game=breakthrough",
		"/book?game=breakthrough", "/values?game=breakthrough&level=1", "/review?game=breakthrough&line=e2e3+e7e6&level=1", "/records/facets?by=player",
		"/records/1/file?format=sgf", "/records/1/file?format=pgn", "/records/1/board.svg?ply=3", "/players?q=ann"} {
		if text := ask[string](t, "GET", api+path, nil); len(text) < 20 {
			t.Errorf("%s says %q", path, text)
		}
	}
	for move, want := range map[string]string{"e2e5": "one row forward", "e2-e5": "one row forward", "e7-e6": "no pawn of yours", "e2d1": "one row forward", "e9": "not a move"} {
		if said := refused(t, api+"/position?game=breakthrough&play="+move); !strings.Contains(said, want) {
			t.Errorf("%s is refused with %s, want %q", move, said, want)
		}
	}
	for _, side := range []string{"first", "second"} {
		s := ask[view.Session](t, "POST", api+"/sessions", view.NewSession{Game: "breakthrough", Side: side, Level: 1, Seed: 7})
		for s = turn(t, base, s.ID); s.State != "over"; s = turn(t, base, s.ID) {
			ask[string](t, "POST", api+"/sessions/"+s.ID+"/moves", map[string]any{"move": ahead(s.Position.Legal, s.Position.Turn)})
		}
		ended(t, base, &s)
	}
}

// TestPages plays a game to its end in a browser, and looks at what became of it.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Open(t)
	base := serve(t)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/play?g=breakthrough")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.prefs', '{"animation":false}')`, nil)
	p.Reload()
	p.Settle()
	if text := p.Text(`document.querySelector('main').innerText`); !strings.Contains(text, "Pawns step forward") || !strings.Contains(text, "Choose a piece") {
		t.Errorf("the page does not tell the rules: %s", text)
	}
	p.Click(p.Named("Options"))
	p.Fill(".play-form .slider-number input", "1")
	p.Click("dialog [value=yes]")
	p.Until("the game is there", `location.search.includes('s=') && !!document.querySelector('.play-sides')`)
	id := p.Text(`new URLSearchParams(location.search).get('s')`)
	for s := turn(t, base, id); s.State != "over"; s = turn(t, base, id) {
		p.Until("the page has it", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d`, s.Position.Ply))
		if !p.Holds(`document.activeElement.matches('.explore-type input')`) {
			p.Keys("m")
			p.Until("the box has the focus", `document.activeElement.matches('.explore-type input')`)
			p.Keys(kb.Backspace)
		}
		p.Keys(ahead(s.Position.Legal, s.Position.Turn) + kb.Enter)
		p.Until("the move is made", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length > %d`, s.Position.Ply+1))
	}
	s := turn(t, base, id)
	ended(t, base, &s)
	p.Until("the result is there", `!!document.querySelector('.play-result')`)
	winner := []string{"White", "Black"}[s.Result.Winner]
	if text := p.Text(`document.querySelector('.play-result').innerText`); !strings.Contains(text, winner) {
		t.Errorf("%s has won, and the page says %q", winner, text)
	}
	for _, c := range []struct{ path, want string }{
		{fmt.Sprint("/records/", s.Result.Record), winner[:1] + "+"},
		{"/records/1", "W+"},
		{"/records?q=game:breakthrough", "Ann"},
		{"/explore?g=breakthrough", "e2e3"},
		{"/search?g=breakthrough&q=" + url.QueryEscape(`board:"p./.P"`), "Cid"},
		{"/names?g=breakthrough", "King's step"},
		{"/learn?g=breakthrough", "Breakthrough"},
		{"/", "Breakthrough"},
	} {
		p.Go(c.path)
		p.Until("it is told at "+c.path, fmt.Sprintf(`document.querySelector('main')?.innerText.includes(%q)`, c.want))
	}
	p.Go("/search?g=breakthrough&q=" + url.QueryEscape(`board:"p./.P"`))
	p.Until("the pawns of the query stand on the board", `document.querySelectorAll('.search-stage div.board .layer-pieces > *').length === 2`)
	p.Go("/search?g=breakthrough")
	p.Settle()
	if text := p.Text(`document.querySelector('main').innerText`); strings.Contains(text, "Or ask in words") {
		t.Error("a heading stands above no examples")
	}
	p.Go("/explore?g=breakthrough&m=e2e3")
	p.Settle()
	p.JS(`[...document.querySelectorAll('button')].find(b => b.textContent.includes('Other side to move')).click()`, nil)
	p.Until("the other side moves", `new URLSearchParams(location.search).get('m')?.endsWith(' w')`)
}
