package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"qipu/server/api"
	"qipu/server/guard"
	"qipu/store"
	"qipu/view"
)

// ownHane is a shape of a term that nobody else has.
const ownHane = `term own-hane
name  Own hane | 自己的扳 | 自己的扳 | 自分のハネ | 나의 젖힘

shape own-hane-1
terms own-hane
purpose press
urgency 4
ours a
note of a test
draw
  . a
  O X

check own-hane-1 yes
  . a .
  O X .
  . X .

check own-hane-1 no
  . a .
  . X .
  O O .
`

// TestShapes: shapes are listed by what they are sorted by, page by page, and
// changed by whoever may.
func TestShapes(t *testing.T) {
	w := newWorld(t)
	before := fetch[view.ShapeIndex](w, "/shapes/index")
	if before.Total == 0 || !before.Writable || before.Own != 0 || len(before.Purposes) != 13 || len(before.Urgencies) != 4 {
		t.Fatalf("%+v", before)
	}
	if n := before.Urgencies[0] + before.Urgencies[1] + before.Urgencies[2] + before.Urgencies[3]; n != before.Total {
		t.Errorf("%d urgencies of %d shapes", n, before.Total)
	}
	// A page after the other is the whole list, each shape once.
	met := map[string]bool{}
	for cursor := ""; ; {
		page := fetch[view.Shapes](w, "/shapes", "limit", "7", "cursor", cursor, "order", "urgency")
		for _, s := range page.Shapes {
			if met[s.ID] || len(s.Cells) != s.Size.Area() || s.Pictures < 1 || s.Layer != "shipped" {
				t.Errorf("%+v", s)
			}
			met[s.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(met) != before.Total {
		t.Errorf("%d shapes on the pages, %d in all", len(met), before.Total)
	}
	saved := send[view.ShapeDetail](w, 200, "PUT", "/shapes/own-hane-1", view.ShapeText{Text: ownHane})
	if saved.Shape.Layer != "library" || saved.Shape.Names.Ja != "自分のハネ" || !strings.Contains(saved.Text, "note      of a test") || len(saved.Checks) != 2 || saved.Query != "named:own-hane-1" || !strings.Contains(saved.Paper, "_ _ O X _\n") {
		t.Errorf("%+v", saved)
	}
	if !slices.Equal(saved.Shape.Cells, []int{1, 1, 2, 4}) || !slices.Equal(saved.Shape.Ours, []int{1}) || saved.Shape.Pictures != 8 {
		t.Errorf("%+v", saved.Shape)
	}
	for _, filter := range [][]string{{"term", "own-hane"}, {"term", "自分のハネ"}, {"q", "TEST of 나의"}, {"purpose", "press", "urgency", "4", "q", "own-hane"}, {"origin", "user", "term", "own hane"}} {
		if list := fetch[view.Shapes](w, "/shapes", filter...); list.Total != 1 || list.Shapes[0].ID != "own-hane-1" {
			t.Errorf("%q: %+v", filter, list)
		}
	}
	for _, filter := range [][]string{{"term", "own-hane", "purpose", "cut"}, {"term", "own-hane", "urgency", "3"}, {"term", "own-hane", "origin", "mined"}, {"q", "own-hane nothing"}} {
		if list := fetch[view.Shapes](w, "/shapes", filter...); list.Total != 0 {
			t.Errorf("%q: %+v", filter, list)
		}
	}
	if now := fetch[view.ShapeIndex](w, "/shapes/index"); now.Total != before.Total+1 || now.Own != 1 || len(now.Terms) != len(before.Terms)+1 {
		t.Errorf("%+v", now)
	}
	if p := refused(w, "/shapes", "term", "nothing"); p.Code != "no-term" {
		t.Errorf("%+v", p)
	}
	if p := refused(w, "/shapes", "purpose", "nothing"); p.Code != "no-purpose" {
		t.Errorf("%+v", p)
	}
	// Others write to the file, and answers that were kept are made anew.
	file := filepath.Join(w.lib.Records().Dir(), "shapes", "own-hane.shapes")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "of a test", "of another test", 1)+"\nshape bad\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := fetch[view.ShapeDetail](w, "/shapes/own-hane-1"); got.Shape.Note != "of another test" {
		t.Errorf("%+v", got.Shape)
	}
	report := fetch[view.ShapeReport](w, "/shapes/lint")
	if !slices.ContainsFunc(report.Findings, func(f view.ShapeFinding) bool {
		return f.Kind == "syntax" && f.File == "library/own-hane.shapes" && f.Line > 10
	}) || report.Shapes != before.Total+1 {
		t.Errorf("%+v", report)
	}
	send[struct{}](w, 204, "DELETE", "/shapes/own-hane-1", nil)
	if r := w.request("/shapes/own-hane-1"); r.Code != 404 {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	if p := send[guard.Problem](w, 404, "DELETE", "/shapes/own-hane-1", nil); p.Code != "not-found" {
		t.Errorf("%+v", p)
	}
	if p := send[guard.Problem](w, 409, "DELETE", "/shapes/paper-figure-17", nil); p.Code != "not-own" {
		t.Errorf("%+v", p)
	}
}

// TestShapeCheck: a text is understood before it is kept, and what is wrong with
// it is told with its line.
func TestShapeCheck(t *testing.T) {
	w := newWorld(t)
	got := send[view.ShapeReport](w, 200, "POST", "/shapes/check", view.ShapeText{Text: ownHane})
	if got.Shape == nil || got.Shape.ID != "own-hane-1" || slices.ContainsFunc(got.Findings, func(f view.ShapeFinding) bool { return f.Kind == "syntax" || f.Kind == "fixture" }) {
		t.Errorf("%+v", got)
	}
	wrong := strings.Replace(ownHane, "  . a .\n  O X .", "  . . a\n  O X .", 1)
	got = send[view.ShapeReport](w, 200, "POST", "/shapes/check", view.ShapeText{Text: wrong})
	if !slices.ContainsFunc(got.Findings, func(f view.ShapeFinding) bool { return f.Kind == "fixture" && f.ID == "own-hane-1" }) {
		t.Errorf("%+v", got.Findings)
	}
	for text, line := range map[string]int{"": 1, "shape x\nours a\ndraw\n  O ! O\n": 4, ownHane + strings.ReplaceAll(ownHane, "own-hane-1", "two"): 1} {
		got := send[view.ShapeReport](w, 200, "POST", "/shapes/check", view.ShapeText{Text: text})
		if got.Shape != nil || len(got.Findings) != 1 || got.Findings[0].Kind != "syntax" || got.Findings[0].Line != line {
			t.Errorf("%q: %+v", text, got)
		}
		if p := send[guard.Problem](w, 422, "PUT", "/shapes/x", view.ShapeText{Text: text}); p.Code != "shape" {
			t.Errorf("%q: %+v", text, p)
		}
	}
	if p := send[guard.Problem](w, 422, "PUT", "/shapes/x", view.ShapeText{Text: ownHane}); p.Code != "other-shape" {
		t.Errorf("%+v", p)
	}
	if r := w.request("/shapes/own-hane-1"); r.Code != 404 {
		t.Error("a shape that was only looked at is kept")
	}
}

// TestShapesReadOnly: a server that may not write tells so, and whose files lie
// where is told to nobody else.
func TestShapesReadOnly(t *testing.T) {
	w := newWorld(t)
	s, err := New(t.Context(), w.lib, Options{Exposed: true, Token: "secret", Holder: "another server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	other := &world{t: t, ctx: w.ctx, lib: w.lib, Server: s, handler: s.Handler()}
	if fetch[view.ShapeIndex](other, "/shapes/index").Writable {
		t.Error("it says that it is writable")
	}
	for _, method := range []string{"PUT", "DELETE"} {
		if p := send[guard.Problem](other, 409, method, "/shapes/own-hane-1", view.ShapeText{Text: ownHane}); p.Code != "read-only" {
			t.Errorf("%s: %+v", method, p)
		}
	}
	guarded := s.Guard.Wrap(s.Handler())
	r := httptest.NewRecorder()
	req := httptest.NewRequest("POST", "http://localhost"+api.Prefix+"/shapes/check", strings.NewReader(`{"text":"x"}`))
	req.Header.Set("Content-Type", "application/json")
	if guarded.ServeHTTP(r, req); r.Code != http.StatusOK {
		t.Errorf("guests may not ask about a shape: %d %s", r.Code, r.Body)
	}
}

// TestShapesKept: answers have an ETag, which holds until a shape changes; names
// of shapes in queries change with them.
func TestShapesKept(t *testing.T) {
	w := newWorld(t)
	tag := w.request("/shapes/index").Header().Get("ETag")
	if tag == "" || tag != w.request("/shapes/index").Header().Get("ETag") {
		t.Errorf("ETag %q", tag)
	}
	find := []string{"q", "named:own-hane-1", "game", "weiqi:9x9"}
	if p := refused(w, "/find", find...); p.Code != "query" {
		t.Errorf("%+v", p)
	}
	send[view.ShapeDetail](w, 200, "PUT", "/shapes/own-hane-1", view.ShapeText{Text: ownHane})
	if now := w.request("/shapes/index").Header().Get("ETag"); now == tag {
		t.Error("the ETag of before")
	}
	answer := fetch[view.Answer](w, "/find", find...)
	if answer.Games == 0 {
		t.Fatalf("%+v", answer)
	}
	send[view.ShapeDetail](w, 200, "PUT", "/shapes/own-hane-1", view.ShapeText{Text: strings.NewReplacer("  . a\n  O X\n\n", "  O a O a O\n\n").Replace(ownHane)})
	if again := fetch[view.Answer](w, "/find", find...); again.Games >= answer.Games {
		t.Errorf("%d games, and %d before the shape was drawn otherwise", again.Games, answer.Games)
	}
}

// TestAdvice: good points of a position are told with the shapes that call them
// so, for whom they are, and what they cover.
func TestAdvice(t *testing.T) {
	w := newWorld(t)
	send[view.ShapeDetail](w, 200, "PUT", "/shapes/own-hane-1", view.ShapeText{Text: ownHane})
	const line = "E5 E4" // the hane of either side is around the other's stone
	got := fetch[view.Advice](w, "/advice", "game", "weiqi:9x9", "line", line)
	of := func(a *view.Advice, side int) (names []string) {
		for _, p := range a.Points {
			if p.Side == side && slices.ContainsFunc(p.Reasons, func(r view.AdviceReason) bool { return r.Shape == "own-hane-1" }) {
				names = append(names, p.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	if black, white := of(got, 0), of(got, 1); !slices.Equal(black, []string{"D4", "F4"}) || !slices.Equal(white, []string{"D5", "F5"}) {
		t.Errorf("Black %v, White %v", black, white)
	}
	for i, p := range got.Points {
		if p.Urgency < 1 || p.Urgency > 4 || i > 0 && p.Urgency > got.Points[i-1].Urgency || len(p.Reasons) == 0 {
			t.Errorf("%+v", p)
		}
		for _, r := range p.Reasons {
			if !slices.Contains(r.Stones, p.Point) || !slices.IsSorted(r.Stones) {
				t.Errorf("%s at %d covers %v", r.Shape, p.Point, r.Stones)
			}
		}
	}
	if len(got.Likely) != 10 || got.Likely[0].Share < got.Likely[9].Share || got.Likely[9].Share <= 0 {
		t.Errorf("%+v", got.Likely)
	}
	if len(got.Hints) != 5 {
		t.Errorf("hints %+v", got.Hints)
	}
	for i, h := range got.Hints {
		if h.Chance <= 0 || i > 0 && h.Chance > got.Hints[i-1].Chance || h.Name == "" || h.Refuted || h.Reasons == nil {
			t.Errorf("hint %d: %+v", i+1, h)
		}
	}
	if one := fetch[view.Advice](w, "/advice", "game", "weiqi:9x9", "line", line, "side", "second", "likely", "0"); len(of(one, 0)) != 0 || len(of(one, 1)) != 2 || len(one.Likely) != 0 {
		t.Errorf("%+v", one)
	}
	// A hane into the enemy's mouth is refused, and told with how urgent it would be.
	into := []string{"/advice", "game", "weiqi:9x9", "line", "D4 E4 pass F5 pass E6", "side", "first", "refused"}
	for _, all := range []bool{false, true} {
		got := fetch[view.Advice](w, into[0], append(into[1:], strconv.FormatBool(all))...)
		at := slices.IndexFunc(got.Points, func(p view.AdvicePoint) bool { return p.Name == "E5" && p.Refused })
		if (at >= 0) != all || all && (got.Points[at].Urgency != 4 || got.Points[at].Reasons[0].Refused == "") {
			t.Errorf("refused ones too %v: %+v", all, got.Points)
		}
	}
	if p := refused(w, "/advice", "game", "othello"); p.Code != "no-shapes" {
		t.Errorf("%+v", p)
	}
}

// TestShapesTogether: shapes are changed while others read them. Everybody gets
// an answer that is whole, and what was saved last is what is there.
//
//qipu:race
func TestShapesTogether(t *testing.T) {
	w := newWorld(t)
	var wait sync.WaitGroup
	const rounds = 6
	for i := range 3 {
		id := "own-hane-" + strconv.Itoa(i+1)
		wait.Go(func() {
			for round := range rounds {
				text := strings.ReplaceAll(strings.Replace(ownHane, "of a test", "round "+strconv.Itoa(round), 1), "own-hane-1", id)
				send[view.ShapeDetail](w, 200, "PUT", "/shapes/"+id, view.ShapeText{Text: text})
				if round == 2 {
					send[struct{}](w, 204, "DELETE", "/shapes/"+id, nil)
				}
			}
		})
		wait.Go(func() {
			for range rounds {
				for _, path := range []string{"/shapes?limit=5&order=seen", "/shapes/index", "/shapes/paper-figure-17", "/shapes/questions?n=3", "/advice?game=weiqi:9x9&line=E5+E4+F4", "/find?game=weiqi&q=named:own-hane"} {
					if r := w.request(path); r.Code >= 500 {
						t.Errorf("%s: %d %s", path, r.Code, r.Body)
					}
				}
			}
		})
	}
	wait.Wait()
	list := fetch[view.Shapes](w, "/shapes", "term", "own-hane")
	for _, s := range list.Shapes {
		if s.Note != "round "+strconv.Itoa(rounds-1) {
			t.Errorf("%s is that of %s", s.ID, s.Note)
		}
	}
	if list.Total != 3 || len(w.lib.Knowledge().Shapes().Base.Faults) > 0 {
		t.Errorf("%d shapes, %v", list.Total, w.lib.Knowledge().Shapes().Base.Faults)
	}
}

// TestShapeAddresses: no shape can be called as something else is that its address
// would name.
func TestShapeAddresses(t *testing.T) {
	w := newWorld(t)
	words := []string{"new"} // a page
	for _, e := range endpoints(w.Server) {
		if word, ok := strings.CutPrefix(e.path, "/shapes/"); ok && !strings.ContainsAny(word, "{/") {
			words = append(words, word)
		}
	}
	if len(words) < 4 {
		t.Fatalf("only %q", words)
	}
	for _, word := range words {
		text := view.ShapeText{Text: strings.ReplaceAll(ownHane, "own-hane-1", word)}
		if p := send[guard.Problem](w, 422, "PUT", "/shapes/"+word, text); !strings.Contains(p.Detail, "choose another") {
			t.Errorf("%s: %+v", word, p)
		}
		if r := send[view.ShapeReport](w, 200, "POST", "/shapes/check", text); r.Total != 1 || r.Findings[0].Kind != "syntax" {
			t.Errorf("%s: %+v", word, r)
		}
	}
}

// TestShapeExamples: evidence names files, and the answer the records of the
// library that came from them, where there is one.
func TestShapeExamples(t *testing.T) {
	w := newWorld(t)
	list, err := w.lib.Records().Games(w.ctx, w.ids())
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(g store.Game) bool { return g.Kind != "weiqi 19x19" })
	file := list[0].Source.File
	kind, err := w.lib.Records().Kind("weiqi")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"elsewhere/" + file, file, "elsewhere/no-such-file.sgf", filepath.Base(file)[1:]}
	records, err := w.lib.Search().RecordsOf(t.Context(), kind, files)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{list[0].ID, list[0].ID, 0, 0} {
		if records[i] != want {
			t.Errorf("%s: record %d, want %d", files[i], records[i], want)
		}
	}
}

// TestShapeQuestions: the same seed asks the same; answers are points of the
// picture.
func TestShapeQuestions(t *testing.T) {
	w := newWorld(t)
	send[view.ShapeDetail](w, 200, "PUT", "/shapes/own-hane-1", view.ShapeText{Text: ownHane})
	a := fetch[view.ShapeQuestions](w, "/shapes/questions", "term", "own-hane", "seed", "5")
	if len(a.Questions) != 1 {
		t.Fatalf("%+v", a)
	}
	turned := map[int]bool{}
	for seed := range 30 {
		q := fetch[view.ShapeQuestions](w, "/shapes/questions", "term", "own-hane", "seed", strconv.Itoa(seed+1)).Questions[0]
		if q.Shape != "own-hane-1" || len(q.Answer) != 1 || q.Cells[q.Answer[0]] != 1 || len(q.Cells) != 9 {
			t.Errorf("%+v", q)
		}
		turned[q.Answer[0]] = true
	}
	if q := fetch[view.ShapeQuestions](w, "/shapes/questions", "term", "own-hane", "purpose", "press").Questions; len(q) != 1 {
		t.Errorf("of its purpose: %+v", q)
	}
	if q := fetch[view.ShapeQuestions](w, "/shapes/questions", "term", "own-hane", "purpose", "cut").Questions; len(q) != 0 {
		t.Errorf("of another purpose: %+v", q)
	}
	if p := refused(w, "/shapes/questions", "purpose", "nothing"); p.Code != "no-purpose" {
		t.Errorf("%+v", p)
	}
	if len(turned) < 4 {
		t.Errorf("the picture is turned %d ways", len(turned))
	}
	if all := fetch[view.ShapeQuestions](w, "/shapes/questions", "n", "3", "seed", "1").Questions; len(all) == 0 || len(all) > 3 {
		t.Errorf("%d questions", len(all))
	}
}
