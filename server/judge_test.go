package server

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/server/guard"
	"qipu/view"
	"qipu/view/shapeview"
)

// wall is a board that is divided by two walls, with a point between them.
const wall = "2X1O/2X1O/2X1O/2X1O/2XO1 black"

// without takes the time out of a judgement, which never is the same.
func without(w *view.Judgement) *view.Judgement {
	w.Elapsed = 0
	return w
}

// TestJudge: strings, points and the score are told of a board, however it is
// asked for.
func TestJudge(t *testing.T) {
	w := newWorld(t)
	ask := []string{"game", "weiqi:5x5,chinese,komi=2.5", "line", wall, "method", "fill"}
	got := without(fetch[view.Judgement](w, "/judge", ask...))
	if got.Game != "weiqi:5x5,chinese,komi=2.5" || got.Method != "fill" || len(got.Strings) != 3 || len(got.Groups) != 3 || got.Geometry != nil || got.Influence != nil || got.Endgame != nil || len(got.Steps) != 0 {
		t.Errorf("%+v", got)
	}
	want := view.JudgedString{Name: "C5", Points: []int{2, 7, 12, 17, 22}, Side: 0, Status: "alive", Chance: 1, Steps: []int{}}
	if !reflect.DeepEqual(got.Strings[0], want) {
		t.Errorf("%+v", got.Strings[0])
	}
	if !slices.Equal(got.Owner, []int{1, 1, 1, 3, 2, 1, 1, 1, 3, 2, 1, 1, 1, 3, 2, 1, 1, 1, 3, 2, 1, 1, 1, 2, 2}) || len(got.Open) != 0 {
		t.Errorf("%v, open %v", got.Owner, got.Open)
	}
	if want := (view.JudgedScore{Text: "B+6.5", Scoring: "area", Stones: []int{5, 5}, Territory: []int{10, 1}, Prisoners: []int{0, 0}, Dame: 4, Komi: 2.5, Total: []float64{15, 8.5}}); !reflect.DeepEqual(got.Score, want) {
		t.Errorf("%+v", got.Score)
	}
	for i, m := range judge.Methods() {
		said := got.Methods[i]
		if said.Name != m.Name || said.Summary != m.Summary || said.Proof != m.Proof || m.Summary == "" || (said.Strings == 0) != (m.Worth == nil) ||
			m.Worth != nil && (said.Error != m.Worth.Error || said.Wrong != m.Worth.Wrong) {
			t.Errorf("%+v", said)
		}
	}
	posted := without(send[view.Judgement](w, 200, "POST", "/judge", view.JudgeRequest{Game: "weiqi:5x5,chinese,komi=2.5", Line: wall, Method: "fill"}))
	if !reflect.DeepEqual(posted, got) {
		t.Errorf("posted: %+v", posted)
	}
	if counted := fetch[view.Judgement](w, "/judge", append(ask, "scoring", "territory")...); counted.Score.Text != "B+6.5" || counted.Score.Scoring != "territory" {
		t.Errorf("%+v", counted.Score)
	}
	more := fetch[view.Judgement](w, "/judge", append(ask, "influence", "true", "geometry", "true", "endgame", "true")...)
	if e := more.Endgame; e == nil || !slices.Equal(e.Dame, []int{3, 8, 13, 18}) {
		t.Errorf("%+v", e)
	}
	if len(more.Influence) != 25 || more.Influence[2] != 1 || more.Influence[4] != -1 || more.Influence[0] <= 0 || more.Geometry == nil || more.Geometry.Size != (board.Size{W: 5, H: 5}) || len(more.Geometry.Columns) != 5 {
		t.Errorf("%+v", more)
	}
	// Whoever has the answer already is told so.
	first := w.request("/judge", ask...)
	again := httptest.NewRequest("GET", target("/judge", ask...), nil)
	again.Header.Set("If-None-Match", first.Header().Get("ETag"))
	second := httptest.NewRecorder()
	w.handler.ServeHTTP(second, again)
	if first.Header().Get("ETag") == "" || second.Code != 304 {
		t.Errorf("%q: %d", first.Header().Get("ETag"), second.Code)
	}
	for _, x := range []struct {
		code string
		ask  []string
	}{
		{"no-life", []string{"game", "othello"}},
		{"no-game", []string{"game", "shoe"}},
		{"no-method", []string{"game", "weiqi", "method", "guess"}},
		{"no-string", []string{"game", "weiqi", "line", "Q16", "why", "D4"}},
		{"no-string", []string{"game", "weiqi", "line", "Q16", "why", "Z4"}},
		{"no-position", []string{"game", "weiqi:5x5", "line", "XX3/XO3/5/5"}},
	} {
		if p := refused(w, "/judge", x.ask...); p.Code != x.code || p.Hint == "" {
			t.Errorf("%q: %+v", x.ask, p)
		}
	}
	if p := send[guard.Problem](w, 422, "POST", "/judge", view.JudgeRequest{Record: 1, Line: "Q16"}); p.Code != "two-boards" {
		t.Errorf("%+v", p)
	}
}

// TestJudgeEarly: of a board where nothing is divided yet it is said that the game
// is not over; of one that is divided it is not, though stones on it are unclear.
func TestJudgeEarly(t *testing.T) {
	for line, want := range map[string]bool{
		"E5 C7 G7 C3": true,
		"1O7/9/9/XXXXXXXXX/OOOOOOOOO/9/9/1X7/9 black": false,
	} {
		rules, err := weiqi.Standard.Variant("9x9")
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := game.ParseLine(rules, line)
		if err != nil {
			t.Fatal(err)
		}
		j := judge.New()
		r, err := j.Judge(p.(*weiqi.Position), judge.Options{Method: "graph"})
		if err != nil {
			t.Fatal(err)
		}
		w, err := shapeview.JudgementOf(p.(*weiqi.Position), r, j.Board(), &shapeview.Telling{})
		if err != nil {
			t.Fatal(err)
		}
		unclear := slices.ContainsFunc(w.Strings, func(s view.JudgedString) bool { return s.Unclear })
		if w.Early != want || !unclear {
			t.Errorf("%s: early %v, unclear strings %v", line, w.Early, unclear)
		}
	}
}

// TestJudgeBoards: boards of all forms have an answer.
func TestJudgeBoards(t *testing.T) {
	w := newWorld(t)
	for spec, line := range map[string]string{"weiqi:1x1": "", "weiqi:1x5": "X/1/O/1/X black", "weiqi:25x25": "", "weiqi:7x3": "7/XXXXXXX/7 white", "weiqi": "Q16 pass pass", "weiqi:2x2": "X1/1X white"} {
		for _, m := range judge.Methods() {
			got := fetch[view.Judgement](w, "/judge", "game", spec, "line", line, "method", m.Name, "trace", "true", "influence", "true")
			if got.Method != m.Name || len(got.Owner) != len(got.Pieces) || len(got.Influence) != len(got.Pieces) {
				t.Errorf("%s %s: %+v", spec, m.Name, got)
			}
			stones := 0
			for _, x := range got.Strings {
				stones += len(x.Points)
				for _, p := range x.Points {
					if got.Pieces[p] != x.Side+1 {
						t.Errorf("%s %s: %+v has no stone on %d", spec, m.Name, x, p)
					}
				}
				for _, n := range x.Steps {
					if n < 0 || !got.Cut && n >= len(got.Steps) {
						t.Errorf("%s %s: there is no step %d", spec, m.Name, n)
					}
				}
			}
			for _, p := range got.Pieces {
				if p != 0 {
					stones--
				}
			}
			if stones != 0 {
				t.Errorf("%s %s: %d stones are told too often", spec, m.Name, stones)
			}
		}
	}
}

// TestJudgeRecord: a record is counted by the rules that it names, at any moment.
func TestJudgeRecord(t *testing.T) {
	w := newWorld(t)
	list := fetch[view.Records](w, "/records", "game", "weiqi").Records
	if len(list) == 0 {
		t.Fatal("there is no record of Go")
	}
	id := list[0].Record.ID
	end := without(send[view.Judgement](w, 200, "POST", "/judge", view.JudgeRequest{Record: id, Method: "fill"}))
	if got := without(fetch[view.Judgement](w, "/records/"+strconv.Itoa(int(id))+"/judge", "method", "fill")); !reflect.DeepEqual(got, end) || len(end.Strings) == 0 {
		t.Errorf("%+v\n%+v", got, end)
	}
	if got := fetch[view.Judgement](w, "/records/"+strconv.Itoa(int(id))+"/judge", "ply", "1"); len(got.Strings) != 1 || got.Game != end.Game {
		t.Errorf("%+v", got)
	}
	for ply, strings := range map[string]int{`{"record":%d}`: len(end.Strings), `{"record":%d,"ply":0}`: 0, `{"record":%d,"ply":1}`: 1} {
		if got := send[view.Judgement](w, 200, "POST", "/judge", json.RawMessage(fmt.Sprintf(ply, id))); len(got.Strings) != strings {
			t.Errorf("%s: %d strings, not %d", ply, len(got.Strings), strings)
		}
	}
	if r := w.request("/records/"+strconv.Itoa(int(id))+"/judge", "ply", "9999"); r.Code != 404 {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	other := fetch[view.Records](w, "/records", "game", "othello").Records[0].Record.ID
	if p := refused(w, "/records/"+strconv.Itoa(int(other))+"/judge"); p.Code != "no-life" {
		t.Errorf("%+v", p)
	}
}

// TestJudgeSteps: the steps of one string, or all of them, are told with their
// graphs.
func TestJudgeSteps(t *testing.T) {
	rules, err := weiqi.Standard.Variant("5x5")
	if err != nil {
		t.Fatal(err)
	}
	at, _, err := game.ParseLine(rules, wall)
	if err != nil {
		t.Fatal(err)
	}
	pos := at.(*weiqi.Position)
	j := judge.New()
	r, err := j.Judge(pos, judge.Options{Method: "fill"})
	if err != nil {
		t.Fatal(err)
	}
	black, white, low := r.Strings[0].Head, r.Strings[1].Head, r.Strings[2].Head
	r.Steps = []life.Step{
		{Rule: life.RuleGraph, Graph: &life.Graph{
			Vertices: []life.Vertex{{Name: "BS1", Kind: "BS", Points: []board.Point{black}}, {Name: "ES1", Kind: "ES", Points: []board.Point{board.At(0, 0), board.At(1, 0)}, Alive: true}},
			Edges:    []life.Edge{{From: 0, To: 1, Directed: true}},
		}},
		{Rule: life.RuleASG, Side: weiqi.Black, Strings: []board.Point{black}, Points: []board.Point{board.At(1, 1)}, Status: life.Alive, Count: 2},
		{Rule: life.RuleNone, Side: weiqi.White, Strings: []board.Point{white, low}, Status: life.Dead},
	}
	r.Strings[0].Steps = []int{0, 1}
	tell := func(how shapeview.Telling) *view.Judgement {
		w, err := shapeview.JudgementOf(pos, r, j.Board(), &how)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	all := tell(shapeview.Telling{Trace: true})
	if len(all.Steps) != 3 || all.Steps[2].Status != "dead" || !slices.Equal(all.Steps[2].Strings, []int{1, 2}) || all.Steps[1].Text != life.RuleASG.Text() || !slices.Equal(all.Steps[1].Points, []int{6}) {
		t.Errorf("%+v", all.Steps)
	}
	if g := all.Steps[0].Graph; !reflect.DeepEqual(g, &view.StringGraph{
		Vertices: []view.GraphVertex{{Name: "BS1", Kind: "BS", Points: []int{2}}, {Name: "ES1", Kind: "ES", Points: []int{0, 1}, Alive: true}},
		Edges:    []view.GraphEdge{{From: 0, To: 1, Directed: true}},
	}) {
		t.Errorf("%+v", g)
	}
	why := func(point string) (list []int) {
		for _, s := range tell(shapeview.Telling{Why: point}).Steps {
			list = append(list, s.Number)
		}
		return list
	}
	if !slices.Equal(why("C3"), []int{0, 1}) || !slices.Equal(why("E4"), []int{2}) { // by its steps, and by its name
		t.Errorf("%v %v", why("C3"), why("E4"))
	}
	if len(tell(shapeview.Telling{}).Steps) != 0 {
		t.Error("steps are told that nobody asked for")
	}
}

// TestJudgeAtOnce: many may ask at once, and each is answered for his own board.
func TestJudgeAtOnce(t *testing.T) {
	w := newWorld(t)
	lines := []string{"", "Q16", "Q16 D4", "Q16 D4 C3 C4"}
	var want []*view.Judgement
	for _, line := range lines {
		want = append(want, without(send[view.Judgement](w, 200, "POST", "/judge", view.JudgeRequest{Line: line})))
	}
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			if got := without(send[view.Judgement](w, 200, "POST", "/judge", view.JudgeRequest{Line: lines[i%4]})); !reflect.DeepEqual(got, want[i%4]) {
				t.Errorf("%q: %+v", lines[i%4], got)
			}
		})
	}
	wg.Wait()
}
