package server

import (
	"net/http"
	"testing"
	"time"

	"qipu/view/drillview"
)

// TestDrill: a session has exercises of which each has its answer among the legal moves;
// what was answered counts once, however late and often it is told, and comes no more
// today; a set is made, done by its link, printed and removed.
func TestDrill(t *testing.T) {
	w := newWorld(t)
	first := fetch[drillview.DrillSession](w, "/drill/session", "game", "chess", "count", "8")
	if len(first.Items) != 8 || first.Rating.Points != 1500 {
		t.Fatalf("%d items, %+v", len(first.Items), first.Rating)
	}
	for _, x := range first.Items {
		legal := false
		for _, m := range x.Position.Legal {
			legal = legal || m == x.Answer
		}
		if !legal || x.Game != "chess" || x.Kind == "win" && (len(x.Line) != x.Plies || x.Line[0] != x.Answer) {
			t.Errorf("%+v", x)
		}
	}
	at := time.Now().Add(-8 * time.Hour).UTC() // a night offline
	var answers drillview.DrillAnswers
	for i, x := range first.Items {
		answers.Answers = append(answers.Answers, drillview.DrillAnswered{At: at.Add(time.Duration(i) * time.Minute), Exercise: x.Exercise, Right: i > 0})
	}
	noted := send[drillview.DrillNoted](w, 200, http.MethodPost, "/drill/answers", answers)
	again := send[drillview.DrillNoted](w, 200, http.MethodPost, "/drill/answers", answers)
	if noted.Kept != 8 || again.Kept != 8 || again.Rating != noted.Rating || noted.Rating.Points <= 1500 || noted.Rating.Within >= first.Rating.Within {
		t.Errorf("%+v, then %+v", noted, again)
	}
	second := fetch[drillview.DrillSession](w, "/drill/session", "game", "chess", "count", "8")
	for _, x := range second.Items {
		for _, y := range first.Items[1:] {
			if x.Exercise == y.Exercise {
				t.Errorf("%s comes again at once", x.Exercise)
			}
		}
	}
	if len(second.Themes) == 0 || second.Themes[0].Right == second.Themes[0].Done {
		t.Errorf("the weakest theme is %+v", second.Themes)
	}
	late := drillview.DrillAnswers{Answers: []drillview.DrillAnswered{{At: time.Now().AddDate(1, 0, 0), Exercise: "x"}}}
	send[map[string]any](w, 422, http.MethodPost, "/drill/answers", late)
	send[map[string]any](w, 422, http.MethodPost, "/drill/sets", drillview.MakeDrillSet{Name: "none", Query: "none", Game: "chess"})
	if r := w.request("/drill/session", "set", "gone"); r.Code != 404 {
		t.Errorf("a set that is gone: %d", r.Code)
	}
	set := send[drillview.DrillSet](w, 200, http.MethodPost, "/drill/sets", drillview.MakeDrillSet{Name: "five in a row", Query: "all", Game: "gomoku"})
	if set.Exercises == 0 || !set.Own {
		t.Fatalf("%+v", set)
	}
	if s := fetch[drillview.DrillSession](w, "/drill/session", "set", set.ID); len(s.Items) == 0 || s.Set == nil {
		t.Errorf("%+v", s)
	}
	if s := fetch[drillview.DrillSession](w, "/drill/sets/"+set.ID); len(s.Items) != set.Exercises {
		t.Errorf("a sheet of %d", len(s.Items))
	}
	send[map[string]any](w, 204, http.MethodPut, "/drill/sets/"+set.ID+"/consent", drillview.DrillConsent{Yes: true})
	if c := fetch[drillview.DrillClass](w, "/drill/sets/"+set.ID+"/class"); len(c.Pupils) != 1 || c.Pupils[0].Done != 0 {
		t.Errorf("%+v", c)
	}
	send[map[string]any](w, 204, http.MethodDelete, "/drill/sets/"+set.ID, nil)
	if l := fetch[drillview.DrillSets](w, "/drill/sets"); len(l.Sets) != 0 {
		t.Errorf("%+v", l)
	}
}
