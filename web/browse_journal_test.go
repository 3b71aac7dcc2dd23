package web_test

import (
	"path/filepath"
	"testing"

	"qipu/internal/browser"
)

// TestWayBack: headers of a record are corrected and of many, a deletion and an import are undone
// where they were made and on the page of the journal, and that is undone as well.
func TestWayBack(t *testing.T) {
	base, stop, err := start(filepath.Join(t.TempDir(), "library"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	sampleGames(t, base)
	count := func(query string) (n struct{ Games int }) {
		t.Helper()
		if err := call("GET", base+"/api/v1/records?limit=1&q="+query, "", nil, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	all := count("all").Games
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/records/1?tab=about")
	p.Settle()
	p.Click(p.Named("Correct headers"))
	p.Until("the headers", `document.querySelector('dialog .headers input')`)
	p.Fill("dialog .headers .field:nth-child(5) input", "Spring Cup")
	p.Click("dialog footer [type=submit]")
	p.Until("the new event is shown", `document.querySelector('.rec-head').textContent.includes('Spring Cup')`)
	if n := count("event:spring").Games; n != 1 {
		t.Errorf("%d records have the new event", n)
	}
	p.Click(".toast .btn")
	p.Until("the old event is shown", `!document.querySelector('.rec-head').textContent.includes('Spring Cup')`)

	p.Go("/records?q=game:othello")
	p.Settle()
	some := count("game:othello").Games
	p.Click(".records-bar .check")
	p.Click(p.Named("Correct headers"))
	p.Fill("dialog [maxlength='1000']", "Autumn Cup")
	p.Click("dialog footer [type=submit]")
	p.Until("all of them are corrected", `document.querySelector('.toasts').textContent.includes('records were corrected')`)
	if n := count("event:autumn").Games; n != some {
		t.Errorf("%d of %d have the new event", n, some)
	}

	p.Go("/log")
	p.Settle()
	p.Until("the changes", `document.querySelectorAll('.log .list-row').length >= 4`)
	rows := p.Text(`[...document.querySelectorAll('.log .list-row b')].map(x => x.textContent).join('; ')`)
	if rows != "Headers corrected; Undone: Headers corrected; Headers corrected; Import" {
		t.Errorf("the journal tells %s", rows)
	}
	p.Click(".log .list-row:last-child .btn")
	p.Until("the import is undone", `document.querySelector('.log .list-row b')?.textContent === 'Undone: Import'`)
	if n := count("all").Games; n != 0 {
		t.Errorf("%d records are left of the import", n)
	}
	p.Go("/log?tab=trash")
	p.Settle()
	p.Until("the trash", `document.querySelectorAll('[role=tabpanel]:not([hidden]) .list-row').length > 1`)
	p.Click("[role=tabpanel]:not([hidden]) .list-row .btn")
	p.Until("one is back", `document.querySelector('.toasts').textContent.includes('The record is back')`)
	if n := count("all").Games; n != 1 {
		t.Errorf("%d records came back out of the trash", n)
	}
	p.Go("/log?op=undo")
	p.Settle()
	p.Click(".log .list-row .btn")
	p.Until("the import is done again", `document.querySelector('.log .list-row b')?.textContent === 'Done again: Import'`)
	if n := count("all").Games; n != all {
		t.Errorf("%d records, and there were %d", n, all)
	}
}
