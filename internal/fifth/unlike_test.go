package fifth_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	root "qipu"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/gametest/breakthrough"
	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
	"qipu/internal/browser"
	"qipu/internal/testkit"
	"qipu/server"
	"qipu/view"
	"qipu/web"
)

// shown is Kalah among the games that pages list, and not on the shelf of the
// laboratory.
type shown struct{ kalah.Rules }

var shownInfo = func() *game.Info {
	info := *kalah.Rules{Seeds: 3}.Info()
	info.Shelf = ""
	return &info
}()

func (shown) Info() *game.Info { return shownInfo }

// stores judges Kalah by what is stored.
type stores struct{}

func (stores) Evaluate(p game.Position) engine.Value {
	return engine.Value(p.(*kalah.Position).Lead(p.Turn())) * engine.Unit
}

// serveUnlike serves two games that are unlike all others: one of seeds in houses,
// in which a side may move again, and one of moves that name pieces, with pieces in
// hand.
func serveUnlike(t *testing.T) (base string) {
	t.Helper()
	set := append(builtin.All(),
		builtin.Game{Rules: shown{kalah.Rules{Seeds: 3}}, Engine: builtin.Reads(stores{}, 0)},
		builtin.Game{Rules: pocket.Rules{}})
	lib, err := root.Open(t.Context(), filepath.Join(t.TempDir(), "library"), root.Options{Create: true, Games: set.Games(), Formats: set.Formats(), Engine: set.Engine})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lib.Close() })
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

// TestUnlike takes both through the interface.
func TestUnlike(t *testing.T) {
	base := serveUnlike(t)
	api := base + "/api/v1"
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
			for s = turn(t, base, s.ID); s.State != "over" && s.Position.Ply < 40; s = turn(t, base, s.ID) {
				legal := s.Position.Legal
				ask[string](t, "POST", api+"/sessions/"+s.ID+"/moves", map[string]any{"move": legal[s.Position.Ply*5%len(legal)].Text})
			}
			if s.State != "over" {
				s = ask[view.Session](t, "POST", api+"/sessions/"+s.ID+"/resign", nil)
			}
			for end := time.Now().Add(testkit.Patience); s.Result.Record == 0 && time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
				s = turn(t, base, s.ID) // the record is made behind the last move
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

// TestTwice: a program with two games of one name does not begin.
func TestTwice(t *testing.T) {
	twice := append(set, builtin.Game{Rules: breakthrough.Rules{}})
	if _, err := root.Open(t.Context(), filepath.Join(t.TempDir(), "library"), root.Options{Create: true, Games: twice.Games(), Formats: twice.Formats()}); err == nil ||
		!strings.Contains(err.Error(), "two games are called") {
		t.Errorf("opened with %v", err)
	}
}

// TestUnlikePages plays both in a browser: what lies in houses is written on the
// board, and where several moves go to one point it is asked which is meant.
func TestUnlikePages(t *testing.T) {
	if testing.Short() {
		t.Skip("a browser takes its time")
	}
	b := browser.Open(t)
	base := serveUnlike(t)
	p := b.Page(t, base, browser.Desktop)
	line := `[...document.querySelectorAll('.explore-line li button')].slice(1).map(b => b.textContent).join(' ')`
	// point clicks a point of a board, by column and row.
	point := func(column, row int) {
		t.Helper()
		var at [2]float64
		p.JS(fmt.Sprintf(`(() => { const b = document.querySelector('.stage .board svg'), m = b.getScreenCTM(); return [m.a * %d + m.e, m.d * %d + m.f] })()`, 40*column, 40*row), &at)
		p.ClickXY(at[0], at[1])
	}

	// Kalah by two people: the third house of three sows into the store, and moves again.
	p.Go("/play?g=kalah")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"side":"both","tips":false}')`, nil)
	p.JS(`localStorage.setItem('qipu.prefs', '{"animation":false}')`, nil)
	p.Reload()
	p.Settle()
	p.Click(".play-go")
	p.Until("the seeds are there", `document.querySelectorAll('.stage .layer-texts > *').length === 14`)
	p.Settle()
	point(4, 1)
	p.Until("the first move is made", line+` === 'd'`)
	point(1, 1)
	p.Until("the same side has moved again", line+` === 'd a'`)
	seeds := `[...document.querySelectorAll('.stage .layer-texts > *')].map(e => e.textContent).join(' ')`
	if got := p.Text(seeds); got != "0 3 3 3 0 3 3 0 4 4 0 4 4 5" {
		t.Errorf("the board shows %s", got)
	}
	if got := p.Text(`document.querySelector('.stage .board').ariaLabel`); strings.Contains(got, "piece") || !strings.Contains(got, "8 by 2") {
		t.Errorf("the board is read out as %q", got)
	}
	p.Keys("t")
	p.Until("it is a text, too", `/N +0 +3 +3 +3 +0 +3 +3/.test(document.querySelector('.text-board').textContent)`)
	p.Click(p.Named("Resign"))
	p.Click("dialog .btn.danger")
	p.Until("the game is over", `!!document.querySelector('.play-result')`)
	id := p.Text(`new URLSearchParams(location.search).get('s')`)
	var s view.Session
	testkit.Until(t, "the game is a record", func() bool {
		s = ask[view.Session](t, "GET", base+"/api/v1/sessions/"+id, nil)
		return s.Result != nil && s.Result.Record != 0
	})
	p.Go(fmt.Sprint("/records/", s.Result.Record, "#2"))
	p.Settle()
	if got := p.Text(seeds); got != "0 3 3 3 0 3 3 0 4 4 0 4 4 5" {
		t.Errorf("the record shows %s", got)
	}
	for _, path := range []string{"/records", "/", "/search?g=kalah", "/explore?g=kalah", "/learn?g=kalah"} { // none complains
		p.Go(path)
		p.Settle()
	}

	// A pawn on the last row: by pointer, and by keys.
	p.Go("/explore?g=pocket&m=" + url.QueryEscape("3p/P3/4/4/2P1 w"))
	p.Settle()
	point(0, 1)
	point(0, 0)
	p.Until("it is asked", `document.querySelectorAll('dialog .which button').length === 2`)
	if got := p.Text(`document.querySelector('dialog').innerText`); !strings.Contains(got, "become") || !strings.Contains(got, "rook") || !strings.Contains(got, "bishop") {
		t.Errorf("it is asked %q", got)
	}
	p.Keys(kb.Escape)
	p.Until("nobody says", `!document.querySelector('dialog')`)
	p.Settle()
	if got := p.Text(line); got != "" {
		t.Errorf("without an answer it is %q", got)
	}
	point(0, 1)
	point(0, 0)
	p.Until("the first has the focus", `document.activeElement.textContent === 'rook'`)
	p.Keys(kb.ArrowRight)
	p.Until("the second has the focus", `document.activeElement.textContent === 'bishop'`)
	p.Keys(kb.Enter)
	p.Until("the pawn is a bishop", line+` === 'a4a5B'`)

	// What is in hand is dropped on a free point; of several pieces one is asked for.
	p.Go("/explore?g=pocket&m=" + url.QueryEscape("3p/4/4/4/2P1 w hand=PR"))
	p.Settle()
	point(1, 2)
	p.Until("it is asked", `document.querySelectorAll('dialog .which button').length === 2`)
	p.Click("dialog .which button:nth-child(2)")
	p.Until("the rook is put down", line+` === 'R@b3'`)
}
