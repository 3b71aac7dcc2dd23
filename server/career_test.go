package server

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/view"
)

// visitor is a browser of the own machine, with the name that it has chosen.
type visitor struct {
	w      *world
	cookie string
}

// ask sends a request, expects a status, and reads the answer.
func (v *visitor) ask(status int, method, path, body string, into any) {
	t := v.w.t
	t.Helper()
	r := httptest.NewRequest(method, "http://localhost"+api.Prefix+path, strings.NewReader(body))
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if v.cookie != "" {
		r.Header.Set("Cookie", "qipu-login="+v.cookie)
	}
	a := httptest.NewRecorder()
	v.w.Guard.Wrap(v.w.handler).ServeHTTP(a, r)
	if a.Code != status {
		t.Fatalf("%s %s: %d, want %d: %.300s", method, path, a.Code, status, a.Body)
	}
	for _, k := range a.Result().Cookies() {
		v.cookie = k.Value
	}
	if into != nil {
		if err := json.Unmarshal(a.Body.Bytes(), into); err != nil {
			t.Fatal(err)
		}
	}
}

// newVisitor makes a profile and chooses it.
func newVisitor(w *world, name string) *visitor {
	v := &visitor{w: w}
	var p view.Person
	v.ask(200, "POST", "/people", `{"name":"`+name+`"}`, &p)
	v.ask(200, "POST", "/people/"+p.ID+"/choose", "", nil)
	return v
}

func countOf(groups []view.Group) (games int) {
	for _, g := range groups {
		games += g.Score.Games
	}
	return games
}

// TestThisIsMe says who one is in the library: history, score by opening, colour, year and strength
// and the repertoire are those of that player, and nobody else's.
func TestThisIsMe(t *testing.T) {
	w := newWorld(t)
	me, other := newVisitor(w, "Me"), newVisitor(w, "Other")
	var list view.Players
	me.ask(200, "GET", "/players?limit=2", "", &list)
	name := list.Players[0].Name
	var mine view.MyNames
	me.ask(404, "PUT", "/me/names/Nobody%20At%20All", "", nil)
	me.ask(200, "PUT", "/me/names/"+strings.ReplaceAll(name, " ", "%20"), "", &mine)
	if len(mine.Names) != 1 || mine.Names[0].Name != name || mine.Names[0].Games != list.Players[0].Games {
		t.Fatalf("%+v, want %+v", mine, list.Players[0])
	}
	var c view.Career
	me.ask(200, "GET", "/me/career?limit=3", "", &c)
	want := list.Players[0].Score
	if c.Score.First != want.First || c.Score.Second != want.Second || c.Score.Draws != want.Draws || c.Score.Low == nil || *c.Score.Low >= *c.Score.High {
		t.Errorf("%+v, want %+v", c.Score, want)
	}
	for what, groups := range map[string][]view.Group{"kinds": c.Kinds, "colours": c.Colours, "years": c.Years, "rivals": c.Rivals} {
		if countOf(groups) != c.Score.Games {
			t.Errorf("%s have %d games of %d: %+v", what, countOf(groups), c.Score.Games, groups)
		}
	}
	if len(c.Games) != min(3, c.Score.Games) || c.Query != `player="`+name+`"` {
		t.Errorf("%d games, %s", len(c.Games), c.Query)
	}
	for _, g := range c.Games {
		if p := g.Record.Players[g.Side].Name; p != name {
			t.Errorf("game %d: %s sat there", g.Record.ID, p)
		}
	}
	var rep view.Repertoire
	me.ask(200, "GET", "/me/repertoire?least=1&plies=2", "", &rep)
	total := 0
	for _, s := range rep.Sides {
		total += s.Tree.Score.Games
		for _, m := range s.Tree.Children {
			if m.Move.Text == "" {
				t.Errorf("a move without a name: %+v", m)
			}
		}
	}
	if total == 0 || total > c.Score.Games {
		t.Errorf("the repertoire has %d games of %d: %+v", total, c.Score.Games, rep)
	}
	var hers view.Career
	if other.ask(200, "GET", "/me/career", "", &hers); hers.Score.Games != 0 || len(hers.Names) != 0 {
		t.Errorf("somebody else sees it: %+v", hers)
	}
	(&visitor{w: w}).ask(409, "GET", "/me/career", "", nil)
	me.ask(204, "DELETE", "/me/names/"+strings.ReplaceAll(name, " ", "%20"), "", nil)
	if me.ask(200, "GET", "/me/career", "", &c); c.Score.Games != 0 {
		t.Errorf("%+v", c.Score)
	}
}

// TestPlayedHere plays a game as somebody: it is in the history with its result by level, its
// mistakes are known when it was reviewed, quiz boxes are kept, and all of it is in the export.
func TestPlayedHere(t *testing.T) {
	w := newWorld(t)
	me, other := newVisitor(w, "Me"), newVisitor(w, "Other")
	var s view.Session
	me.ask(200, "POST", "/sessions", `{"game":"othello","side":"first","level":3,"name":"Me"}`, &s)
	me.ask(200, "POST", "/sessions/"+s.ID+"/moves", `{"move":"f5","version":0}`, &s)
	testkit.Until(t, "the engine has moved", func() bool {
		me.ask(200, "GET", "/sessions/"+s.ID, "", &s)
		return s.State == "yours"
	})
	me.ask(200, "POST", "/sessions/"+s.ID+"/resign", "", nil)
	var c view.Career
	testkit.Until(t, "the game is a record", func() bool {
		me.ask(200, "GET", "/me/career?from=here", "", &c)
		return c.Score.Games == 1
	})
	if c.Score.Second != 1 || len(c.Strength) != 1 || c.Strength[0].Kind != "level" || c.Strength[0].Key != "3" || c.Games[0].Won != "loss" || c.Games[0].Side != 0 {
		t.Errorf("%+v", c)
	}
	testkit.Until(t, "the review is done", func() bool {
		var r view.Review
		me.ask(200, "GET", "/sessions/"+s.ID+"/review", "", &r)
		return r.Done
	})
	var m view.Mistakes
	if me.ask(200, "GET", "/me/mistakes", "", &m); m.Games != 1 || m.Plies != 1 {
		t.Errorf("%+v", m)
	}
	if other.ask(200, "GET", "/me/mistakes", "", &m); m.Games != 0 {
		t.Errorf("somebody else's: %+v", m)
	}
	me.ask(204, "POST", "/me/boxes", `{"deck":"othello","key":"f5 d6","right":false,"task":{"line":"f5"}}`, nil)
	me.ask(204, "POST", "/me/boxes", `{"deck":"othello","key":"f5 d6","right":true}`, nil)
	me.ask(204, "POST", "/me/boxes", `{"deck":"othello","key":"f5 f6","right":true}`, nil)
	me.ask(422, "POST", "/me/boxes", `{"deck":"othello","key":"big","right":false,"task":"`+strings.Repeat("x", 20_000)+`"}`, nil)
	var cards view.Cards
	if me.ask(200, "GET", "/me/boxes", "", &cards); len(cards.Cards) != 1 || cards.Cards[0].Box != 1 || cards.Cards[0].Key != "f5 d6" {
		t.Errorf("%+v", cards)
	}
	if other.ask(200, "GET", "/me/boxes", "", &cards); len(cards.Cards) != 0 {
		t.Errorf("somebody else's: %+v", cards)
	}
	var all struct{ Things []struct{ Kind string } }
	me.ask(200, "GET", "/me/export", "", &all)
	kinds := map[string]bool{}
	for _, x := range all.Things {
		kinds[x.Kind] = true
	}
	if !kinds["game"] || !kinds["review"] || !kinds["box"] {
		t.Errorf("%v", kinds)
	}
}
