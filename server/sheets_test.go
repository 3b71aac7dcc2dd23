package server

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"qipu/server/guard"
	"qipu/view"
	"qipu/view/studyview"
)

// TestSheet writes on a record by the interface: moves by the rules, comments with markup,
// signs, undoing; and the record stays as it is.
func TestSheet(t *testing.T) {
	w := newWorld(t)
	id := ""
	for _, n := range w.ids() {
		if r := fetch[view.FullRecord](w, "/records/"+strconv.Itoa(int(n))); r.Summary.Game == "weiqi" && len(r.Nodes) > 20 {
			id = strconv.Itoa(int(n))
			break
		}
	}
	at := "/records/" + id + "/sheet"
	before := fetch[view.FullRecord](w, "/records/"+id)
	x := fetch[studyview.StudySheet](w, at)
	if !x.Writes || x.Undo || x.Revision != 0 || len(x.Record.Nodes) != len(before.Nodes) || x.Nodes[3] == "" {
		t.Fatalf("%+v", x)
	}
	write := func(status int, edits ...studyview.StudyEdit) *studyview.StudySheet {
		return send[studyview.StudySheet](w, status, "POST", at, studyview.StudyEdits{Edits: edits, Seen: x.Revision})
	}
	const markup = `<img src=x onerror=alert(1)> & "quotes"`
	x = write(200, studyview.StudyEdit{Do: "play", Node: x.Nodes[3], Text: "K10"})
	n := x.Last
	if n < 0 || x.Record.Nodes[n].Parent != 3 || len(x.Record.Nodes) != len(before.Nodes)+1 || x.Record.Nodes[n].Changes[1] == 0 {
		t.Fatalf("last %d: %+v", n, x.Record.Nodes[max(n, 0)])
	}
	x = write(200, studyview.StudyEdit{Do: "comment", Node: x.Nodes[n], Text: markup}, studyview.StudyEdit{Do: "glyph", Node: x.Nodes[n], Text: "!?"},
		studyview.StudyEdit{Do: "sign", Node: x.Nodes[n], Sign: "arrow", Points: "K10:Q16", Text: "red"})
	if got := x.Record.Nodes[n]; got.Comment != markup || got.Quality != "!?" || len(got.Marks) != 1 || got.Marks[0].Kind != "arrow" || got.Marks[0].Text != "red" {
		t.Errorf("%+v", got)
	}
	if again := fetch[view.FullRecord](w, "/records/"+id); len(again.Nodes) != len(before.Nodes) {
		t.Error("the record itself has changed")
	}
	if p := w.file(at+"/file", "apart", "true"); p.Code != http.StatusOK || !strings.Contains(p.Body.String(), "onerror") {
		t.Errorf("%d %s", p.Code, p.Body)
	}
	if m := fetch[view.Position](w, "/records/"+id+"/position", "node", strconv.Itoa(n), "of", "library", "seen", strconv.Itoa(x.Revision)); len(m.Moves) != 4 {
		t.Errorf("the position behind the variation: %+v", m.Moves)
	}
	// What is sent twice under one name is written once.
	sent := studyview.StudyEdits{Edits: []studyview.StudyEdit{{Do: "comment", Node: "r.1", Text: "once"}}, Sent: "page-1.1", Page: "page-1"}
	a := send[studyview.StudySheet](w, 200, "POST", at, sent)
	if b := send[studyview.StudySheet](w, 200, "POST", at, sent); a.Revision != b.Revision {
		t.Errorf("revisions %d and %d", a.Revision, b.Revision)
	}
	// Somebody who had not seen it contradicts, and nothing is dropped.
	sent.Sent, sent.Page, sent.Edits[0].Text = "page-2.1", "page-2", "twice"
	c := send[studyview.StudySheet](w, 200, "POST", at, sent)
	if len(c.Conflicts) != 1 || c.Record.Nodes[1].Comment != "once\n\ntwice" {
		t.Errorf("%+v, %q", c.Conflicts, c.Record.Nodes[1].Comment)
	}
	for range 3 {
		c = write(200, studyview.StudyEdit{Do: "undo"})
	}
	if len(c.Conflicts) != 0 || c.Record.Nodes[n].Comment != "" || !c.Redo {
		t.Errorf("%+v", c.Conflicts)
	}
	for _, bad := range []struct {
		status int
		studyview.StudyEdit
	}{
		{422, studyview.StudyEdit{Do: "play", Node: "r.3", Text: "Z99"}},
		{422, studyview.StudyEdit{Do: "sign", Node: "r.3", Sign: "triangle", Points: "Z99"}},
		{422, studyview.StudyEdit{Do: "sign", Node: "r.3", Sign: "triangle"}},
		{422, studyview.StudyEdit{Do: "comment", Node: "nowhere"}},
		{404, studyview.StudyEdit{Do: "comment", Node: "r.99999"}},
		{422, studyview.StudyEdit{Do: "delete"}},
		{422, studyview.StudyEdit{Do: "burn"}},
		{422, studyview.StudyEdit{Do: "glyph", Node: "r.1", Text: "!!!"}},
		{422, studyview.StudyEdit{Do: "comment", Node: "r.1", Text: strings.Repeat("x", 70_000)}},
	} {
		send[guard.Problem](w, bad.status, "POST", at, studyview.StudyEdits{Edits: []studyview.StudyEdit{bad.StudyEdit}})
	}
	if list := fetch[studyview.StudyList](w, "/sheets"); len(list.Sheets) != 1 || list.Sheets[0].Changes != c.Revision {
		t.Errorf("%+v", list)
	}
	if log := fetch[studyview.StudyLog](w, at+"/log"); len(log.Changes) != c.Revision {
		t.Errorf("%d changes in the log, revision %d", len(log.Changes), c.Revision)
	}
	// The record goes, and what was written on it stays.
	send[struct{}](w, 204, "DELETE", "/records/"+id, nil)
	if x := fetch[studyview.StudySheet](w, at); !x.Gone || len(x.Record.Nodes) != len(c.Record.Nodes) {
		t.Errorf("gone %t, %d nodes", x.Gone, len(x.Record.Nodes))
	}
}
