package server

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/server/guard"
	"qipu/view"
	"qipu/view/bookview"
)

// playOut plays a game between two people and gives it up, and returns what has
// become of it.
func playOut(w *world, game, line string) *view.Session {
	w.t.Helper()
	s := send[view.Session](w, 200, "POST", "/sessions", view.NewSession{Game: game, Side: "both"})
	for _, m := range strings.Fields(line) {
		s = send[view.Session](w, 200, "POST", "/sessions/"+s.ID+"/moves", view.PlayMove{Move: m})
	}
	return send[view.Session](w, 200, "POST", "/sessions/"+s.ID+"/resign", nil)
}

// counted returns what games say of a position and its moves: beside that an engine
// values the positions of a game that was played, when it comes to it.
func counted(e *view.BookEntry) map[string]view.BookMove {
	list := map[string]view.BookMove{"": {Games: e.Games, Reached: e.Below, Score: e.Score, Values: view.BookValues{R: e.Values.R}}}
	for _, m := range e.Moves {
		list[m.Move.Text] = view.BookMove{Games: m.Games, Reached: m.Reached, Share: m.Share, Score: m.Score, Values: view.BookValues{R: m.Values.R}}
	}
	return list
}

// TestBookGrows: a game that was just played is in the next answer of the book of
// games that are played here, in every picture of its position, and its positions are
// new once. What records say stays what it was.
func TestBookGrows(t *testing.T) {
	w := newWorld(t)
	look := func(line, games string) *view.BookEntry {
		t.Helper()
		return fetch[view.BookEntry](w, "/book", "game", "othello", "line", line, "threshold", "1", "games", games)
	}
	before := look("f5", "records")
	records := func(here int) {
		t.Helper()
		now := look("f5", "records")
		if now.Apart.Games != here || now.Apart.Score.Games != here || now.Of != "records" {
			t.Errorf("%+v, and %d games were played here", now.Apart, here)
		}
		if x, y := counted(now), counted(before); !reflect.DeepEqual(x, y) {
			t.Errorf("records say\n%+v\nand said\n%+v", x, y)
		}
	}
	records(0)
	info := fetch[view.BookInfo](w, "/book/info", "game", "othello")
	if info.Games == 0 || info.Positions == 0 || info.Moves == 0 {
		t.Fatalf("%+v", info)
	}
	const line = "f5 f4 e3 f6 g5 d6 e7 g4"
	began := time.Now()
	s := playOut(w, "othello", line)
	if s.Result.Fresh == 0 || s.Result.Fresh > 9 || s.Result.Known {
		t.Errorf("%+v", s.Result)
	}
	after := look("c4", "here")
	t.Logf("played, kept and seen in %v", time.Since(began))
	records(1)
	if after.Games != 1 || after.Of != "here" || after.Apart.Games != before.Games || !after.Known || after.Threshold != 1 || after.Unit != "discs" {
		t.Errorf("%d games after %d: %+v", after.Games, before.Games, after)
	}
	if got := fetch[view.BookInfo](w, "/book/info", "game", "othello"); got.Games != info.Games || got.Here != 1 || got.Positions != info.Positions {
		t.Errorf("%+v after %+v, %d fresh", got, info, s.Result.Fresh)
	}
	sum := 0
	for _, m := range after.Moves {
		sum += m.Games
		if m.Reached < m.Games || m.Share <= 0 || m.Score.Games != m.Games {
			t.Errorf("%+v", m)
		}
	}
	if sum > after.Games {
		t.Errorf("%d games go on of %d", sum, after.Games)
	}
	if s := playOut(w, "othello", line); s.Result.Fresh != 0 || !s.Result.Known {
		t.Errorf("%+v", s.Result)
	}
	records(2)
	if c := fetch[view.BookChoice](w, "/book/choice", "game", "othello", "line", line[:len("f5 f4 e3 f6 g5 d6 e7")], "style", "human", "games", "here"); !c.Found || c.Move.Text != "g4" {
		t.Errorf("people who play here chose %+v", c)
	}
	if got := fetch[view.BookEntry](w, "/book", "game", "othello", "line", "f5", "threshold", "1", "within", `event:"Qipu play"`); got.Games != 0 || got.Apart.Games != 2 {
		t.Errorf("of games that were played here %d are records, and %d are not", got.Games, got.Apart.Games)
	}
	// A record that is deleted is subtracted.
	send[struct{}](w, 204, "DELETE", "/records/"+strconv.Itoa(s.Result.Record), nil)
	if got := look("f5", "here"); got.Games != 1 {
		t.Errorf("%d games, want 1", got.Games)
	}
	records(1)
}

// TestBookEdit: what a person says of a position stands above all else, and can
// be taken back.
func TestBookEdit(t *testing.T) {
	w := newWorld(t)
	value := 3.5
	e := send[view.BookEntry](w, 200, "POST", "/book/values", view.BookEdit{Game: "othello", Line: "f5 d6", Value: &value, Note: "mine"})
	if e.Values.Human == nil || *e.Values.Human != value || e.Values.Note != "mine" {
		t.Fatalf("%+v", e.Values)
	}
	value = 65
	if p := send[guard.Problem](w, 422, "POST", "/book/values", view.BookEdit{Game: "othello", Line: "f5", Value: &value}); p.Code != "value" {
		t.Errorf("%+v", p)
	}
	if p := send[guard.Problem](w, 422, "POST", "/book/values", view.BookEdit{Game: "othello", Line: "a1"}); p.Code != "illegal-move" {
		t.Errorf("%+v", p)
	}
}

// TestBookChoice: the same seed chooses the same move, which is one of the book;
// where it knows nothing, it says so.
func TestBookChoice(t *testing.T) {
	w := newWorld(t)
	a := fetch[view.BookChoice](w, "/book/choice", "game", "othello", "line", "f5", "style", "human", "seed", "4")
	b := fetch[view.BookChoice](w, "/book/choice", "game", "othello", "line", "f5", "style", "human", "seed", "4")
	if !a.Found || *a != *b || a.Move.To < 0 {
		t.Errorf("%+v, %+v", a, b)
	}
	if c := fetch[view.BookChoice](w, "/book/choice", "game", "othello", "line", "f5 f4 e3 f6 g5 d6 e7 g4"); c.Found {
		t.Errorf("%+v", c)
	}
}

// TestOpenings: positions have the names of their openings, by whatever order of
// moves and however the board is turned; games begin behind them.
func TestOpenings(t *testing.T) {
	w := newWorld(t)
	list := fetch[view.Openings](w, "/openings", "game", "othello").Openings
	if len(list) < 70 || list[0].Ply > list[len(list)-1].Ply {
		t.Fatalf("%d openings", len(list))
	}
	ids := map[string]bool{}
	for _, o := range list {
		if ids[o.ID] = true; o.Names.En == "" || o.Line == "" || o.Parent != "" && !ids[o.Parent] {
			t.Errorf("%+v", o)
		}
	}
	for _, line := range []string{"f5 d6 c3 d3 c4", "c4 e3 f6 e6 f5", "f5 d6 c4 d3 c3"} {
		if p := fetch[view.Position](w, "/position", "game", "othello", "line", line); p.Opening.Name != "Tiger" {
			t.Errorf("%s is called %+v", line, p.Opening)
		}
	}
	e := fetch[view.BookEntry](w, "/book", "game", "othello", "line", "f5", "threshold", "1")
	named := 0
	for _, m := range e.Moves {
		if m.Opening != "" && m.Names != nil {
			named++
		}
	}
	if named == 0 {
		t.Errorf("no move makes an opening: %+v", e.Moves)
	}
	s := send[view.Session](w, 200, "POST", "/sessions", view.NewSession{Game: "othello", Side: "both", Opening: "tiger"})
	if s.Position.Ply != 5 || s.Opening.Name != "Tiger" || s.Undo {
		t.Errorf("%+v", s)
	}
	if got := fetch[view.Openings](w, "/openings", "game", "xiangqi"); len(got.Openings) != 0 {
		t.Errorf("%+v", got)
	}
	if got := fetch[view.Openings](w, "/openings", "game", "renju"); len(got.Openings) != 26 {
		t.Errorf("%d openings of Renju", len(got.Openings))
	}
	if p := fetch[view.Position](w, "/position", "game", "go", "line", "Q16 D4 Q3 D17 R9 C14"); p.Opening.Name != "Chinese opening" {
		t.Errorf("%+v", p.Opening)
	}
	// A game cannot begin behind an opening that is many positions.
	if p := send[guard.Problem](w, 422, "POST", "/sessions", view.NewSession{Game: "go", Side: "both", Opening: "komoku"}); p.Code != "opening" {
		t.Errorf("%+v", p)
	}
}

// TestRank: the best moves come first, values of different kinds are not
// compared, and a few lucky games decide nothing.
func TestRank(t *testing.T) {
	n := func(x float64) *float64 { return &x }
	moves := []view.BookMove{
		{Games: 9}, {Games: 50, Reached: 60, Values: view.BookValues{R: n(30)}}, {Games: 8, Reached: 8, Values: view.BookValues{R: n(64)}}, {Games: 3, Values: view.BookValues{E: n(1), R: n(-20)}},
		{Games: 2, Values: view.BookValues{X: n(4), E: n(-3)}}, {Games: 1, Values: view.BookValues{Human: n(2), X: n(9)}},
	}
	bookview.Rank(moves)
	var order []int
	for _, m := range moves {
		order = append(order, m.Games)
	}
	if !slices.Equal(order, []int{2, 1, 3, 50, 9, 8}) || *moves[1].Loss != 2 || *moves[2].Loss != 3 || moves[3].Loss != nil || moves[4].Loss != nil || moves[5].Loss != nil {
		t.Errorf("%v: %+v", order, moves)
	}
}

// TestLibrarian: the owner has positions valued in the background, pauses and goes on;
// a server that starts again goes on by itself with what was begun.
func TestLibrarian(t *testing.T) {
	w := newWorld(t)
	for _, last := range []string{"f4 f6", "f4 e6", "b3 d2"} {
		playOut(w, "othello", "f5 d6 c3 d3 c4 "+last)
	}
	state := func() *view.BookLearning { return fetch[view.BookLearning](w, "/book/learning", "game", "othello") }
	if s := state(); s.Phase != "idle" {
		t.Fatalf("%+v", s)
	}
	do := func(what string) *view.BookLearning {
		return send[view.BookLearning](w, 200, "POST", "/book/learning", view.BookLearner{Game: "othello", Do: what, Level: 4, Games: 2})
	}
	do("start")
	if s := do("pause"); s.Phase != "paused" && s.Phase != "done" {
		t.Errorf("%+v", s)
	}
	do("start")
	for range 4000 {
		if s := state(); s.Phase == "done" || s.Problem != "" {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if s := state(); s.Phase != "done" || s.Total < 5 || s.Valued != s.Total || s.Searched == 0 || s.Level != 4 {
		t.Errorf("%+v", s)
	}
	e := fetch[view.BookEntry](w, "/book", "game", "othello", "line", "f5 d6 c3", "threshold", "1")
	if e.Values.E == nil || e.Values.ELevel < 4 {
		t.Errorf("%+v", e.Values)
	}
	if p := send[guard.Problem](w, 422, "POST", "/book/learning", view.BookLearner{Game: "othello", Do: "dance"}); p.Code == "" {
		t.Errorf("%+v", p)
	}
}
