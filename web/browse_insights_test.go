package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"qipu/internal/browser"
	"qipu/view"
)

// TestInsights reads a report of a small library, which has nothing to tell and says so,
// and takes a finding through the queue to an entry.
func TestInsights(t *testing.T) {
	base := serve(t, sampleGames)
	p := theWorld(t).browser.Page(t, base, browser.Desktop)
	p.Go("/insights?g=othello")
	p.Until("the report is there", `document.body.textContent.includes('9 games were looked at') && document.body.textContent.includes('Left out')`)
	p.Go("/insights?g=renju&player=Nobody")
	p.Until("it says that there is nothing", `!!document.querySelector('.trouble') && document.querySelector('.trouble').textContent.includes('nothing to mine')`)

	// A game in which Othello has been played for twenty plies is in the demo set.
	in := view.QueueFinding{Game: "othello 8x8", Query: "game:othello", At: "ply:20", Finding: view.Finding{
		Kind: "rule", Title: "Corner", Sentence: "Corner: black scores more", Items: []view.FindingItem{}, Then: []view.FindingItem{}, Games: 9, Query: "game:othello moves:20..",
		Samples: []view.FindingPlace{{Record: othelloGame(t, base), Ply: 20}},
	}}
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var queued view.QueuedFinding
	if err := call("POST", base+"/api/v1/insights/queue", "application/json", strings.NewReader(string(body)), &queued); err != nil || queued.State != "open" {
		t.Fatalf("%+v %v", queued, err)
	}
	p.Go("/insights/queue")
	p.Until("the queue is there, with a board", `document.querySelectorAll('.finding').length === 1 && !!document.querySelector('.finding-board svg.board')`)
	p.Fill(`.field input`, "anna")
	p.Click(p.Named("Accept"))
	p.Until("it is accepted", `document.querySelector('.finding .tag')?.textContent === 'Accepted'`)
	p.Click(p.Named("Make it an entry"))
	p.Until("it asks for a name", `!!document.querySelector('dialog[open] input')`)
	p.Click(`dialog[open] button[type=submit]`)
	p.Until("it is an entry", `!!document.querySelector('.finding')?.textContent.includes('It is the saved query')`)
	q := asked[view.FindingsQueue](t, base, "/insights/queue")
	if f := q.Findings[0]; f.Entry != "Corner" || f.As != "query" || len(f.Verdicts) != 1 || f.Verdicts[0].Reader != "anna" || f.Verdicts[0].Says != "accept" {
		t.Errorf("%+v", f)
	}

	// What is about a name may become a note on it.
	in.Game, in.Query, in.Finding.Title, in.Finding.Sentence = "xiangqi 9x10", "game:xiangqi", "Palace horse", "Red's 臥槽馬 by move 20: red scores more"
	in.Finding.Items, in.Finding.Samples = []view.FindingItem{{ID: "red.elbow-horse", Name: "elbow-horse", Kind: "structure"}}, []view.FindingPlace{}
	if body, err = json.Marshal(in); err != nil {
		t.Fatal(err)
	}
	if err := call("POST", base+"/api/v1/insights/queue", "application/json", strings.NewReader(string(body)), &queued); err != nil || len(queued.Names) != 1 {
		t.Fatalf("%+v %v", queued, err)
	}
	p.Go("/insights/queue?state=open")
	p.Until("it is there", `document.querySelectorAll('.finding').length === 1`)
	p.Click(p.Named("Accept"))
	p.Until("it is accepted", `document.querySelectorAll('.finding').length === 0`)
	p.Go("/insights/queue?state=accepted")
	p.Until("both are there", `document.querySelectorAll('.finding').length === 2`)
	p.Click(p.Named("Make it an entry"))
	p.Until("it asks for what", `document.querySelectorAll('dialog[open] select option').length === 4`)
	p.JS(`(x => { x.value = 'note'; x.dispatchEvent(new Event('change', {bubbles: true})); })(document.querySelector('dialog[open] select'))`, nil)
	p.Until("a note has no name", `document.querySelector('dialog[open] input').closest('.field').hidden && document.querySelector('dialog[open] textarea').closest('.field').hidden`)
	p.Click(`dialog[open] button[type=submit]`)
	p.Until("it is a note", `document.body.textContent.includes('It is a note on')`)
	p.Go("/names/xiangqi/elbow-horse")
	p.Until("the name has it", `document.body.textContent.includes('Found in the records') && document.body.textContent.includes('accepted by anna')`)

	// What is about a term of Go stands with the shapes of the term.
	in.Game, in.Query, in.Finding.Title, in.Finding.Sentence = "weiqi 19x19", "game:go", "Approach", "Black's approach by move 20: black scores more"
	in.Finding.Items = []view.FindingItem{{ID: "black.approach", Name: "approach", Kind: "shape"}}
	for _, step := range []struct {
		method, path string
		body         any
	}{
		{"POST", "", in},
		{"PUT", "/verdict", view.FindingVerdict{Reader: "anna", Says: "accept"}},
		{"PUT", "/entry", view.FindingEntry{As: "note"}},
	} {
		if body, err = json.Marshal(step.body); err != nil {
			t.Fatal(err)
		}
		path := "/api/v1/insights/queue"
		if step.path != "" {
			path += "/" + queued.ID + step.path
		}
		if err := call(step.method, base+path, "application/json", strings.NewReader(string(body)), &queued); err != nil {
			t.Fatal(step.path, err)
		}
	}
	p.Go("/shapes/approach-star-low")
	p.Until("the shape has it", `document.body.textContent.includes("Black's approach by move 20")`)
	for path, want := range map[string]int{"/shapes/approach-small-low": 1, "/shapes/paper-figure-17": 0} {
		if d := asked[view.ShapeDetail](t, base, path); len(d.Found) != want {
			t.Errorf("%s has %d findings", path, len(d.Found))
		}
	}
}

// othelloGame returns a game of Othello.
func othelloGame(t testing.TB, base string) uint32 {
	var list struct {
		Records []struct{ Record struct{ ID uint32 } }
	}
	if err := call("GET", base+"/api/v1/records?limit=1&q=moves%3E30&game=othello", "", nil, &list); err != nil || len(list.Records) == 0 {
		t.Fatal(err, list)
	}
	return list.Records[0].Record.ID
}
