package web_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"qipu/builtin"
	"qipu/engine/external/tricks"
	"qipu/engine/guests"
	"qipu/internal/browser"
)

// hosted serves the demo set with another program that plays Xiangqi, and one that
// tells no values.
func hosted(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	file := guests.Open(filepath.Join(dir, "qipu.toml"), builtin.Games())
	for _, g := range []guests.Guest{
		{Name: "trickster", Protocol: "uci", Command: append([]string{"env", "QIPU_TRICK=uci xiangqi none"}, tricks.Command()...)},
		{Name: "mute", Protocol: "gtp", Games: []string{"xiangqi"}, Command: append([]string{"env", "QIPU_TRICK=gtp xiangqi none"}, tricks.Command()...)},
	} {
		if err := file.Add(g); err != nil {
			t.Fatal(err)
		}
	}
	base, stop, err := start(filepath.Join(dir, "library"), file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	sampleGames(t, base)
	return base
}

// pick chooses an engine in a part of the page.
func pick(p *browser.Page, where, name string) {
	p.Helper()
	p.Until("engines can be chosen", `!!document.querySelector('`+where+` .engine-choice option[value="`+name+`"]')`)
	p.JS(`(s => { s.value = '`+name+`'; s.dispatchEvent(new Event('change')) })(document.querySelector('`+where+` .engine-choice select'))`, nil)
}

const (
	liveLines = `document.querySelectorAll('.live-lines li').length`
	liveWhose = `document.querySelector('.live-box').textContent`
)

// TestLive: beside the board an engine tells its lines while it thinks, whose they are
// and in what it is counted; it is off until somebody starts it, and follows the board.
func TestLive(t *testing.T) {
	b := shared(t)
	p := b.Page(t, hosted(t), browser.Desktop)
	p.Go("/explore?g=xiangqi")
	p.Settle()
	p.Until("the panel is there", `!document.querySelector('.live').hidden`)
	p.Click(".live > summary")
	pick(p, ".live", "trickster")
	if p.Holds(liveLines + ` > 0 || performance.getEntriesByType('resource').some(r => r.name.includes('/analysis'))`) {
		t.Error("it thinks though nobody has asked")
	}
	p.Click(".live-go")
	p.Until("it tells lines", liveLines+` === 1 && `+liveWhose+`.includes('trickster')`)
	p.Until("nobody has measured it", liveWhose+`.includes('has not been measured')`)
	if got := p.Text(`document.querySelector('.live-lines b').title`); got != "cp 12" {
		t.Errorf("it said %q", got)
	}
	check(p, "names", "contrast", "keys", "focus", "width")
	p.Click(".live-lines button")
	played(p, 1)
	p.Until("it follows the board", liveLines+` === 1 && `+liveWhose+`.includes('Black')`)
	p.Click(".live-go")
	p.Until("it is off", liveLines+` === 0 && document.querySelector('.live-go').getAttribute('aria-pressed') === 'false'`)

	pick(p, ".live", "mute")
	p.Click(".live-go")
	p.Until("it says why it cannot", liveWhose+`.includes('tells no values') && document.querySelector('.live-go').getAttribute('aria-pressed') === 'false'`)
}

// TestLiveOwn: our own engine tells how wrong it is where that is known, in the
// explorer and beside a record.
func TestLiveOwn(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/explore?g=othello&m=f5d6", "/records/{othello}?tab=review#20"} {
		p := visit(t, path, browser.Phone)
		p.Until("the panel is there", `!document.querySelector('.live').hidden`)
		p.Click(".live > summary")
		p.Click(".live-go")
		p.Until("it tells three lines", liveLines+` === 3`)
		p.Until("its error is known", liveWhose+`.includes('wrong by')`)
		check(p, "names", "width")
		p.Click(".live-go")
		p.Until("it is off", liveLines+` === 0`)
	}
}

// TestReviewBy: a record is reviewed by the engine that is chosen, and the review says
// whose word it is; by one that tells no values there are facts alone.
func TestReviewBy(t *testing.T) {
	b := shared(t)
	base := hosted(t)
	var list struct {
		Records []struct{ Record struct{ ID int64 } }
	}
	if err := call("GET", base+"/api/v1/records?limit=1&q=moves%3C60&game=xiangqi", "", nil, &list); err != nil || len(list.Records) == 0 {
		t.Fatal(list, err)
	}
	p := b.Page(t, base, browser.Desktop)
	p.Go("/records/" + fmt.Sprint(list.Records[0].Record.ID) + "?tab=review")
	p.Settle()
	p.Until("our own tells how wrong it is", `document.querySelector('.review-by').textContent.includes('Qipu')`)
	pick(p, ".review-card", "trickster")
	p.Until("it is the word of the other program", `document.querySelector('.review-by').textContent.includes('trickster') && !!document.querySelector('.review-graph .curve')`)
	pick(p, ".review-card", "mute")
	p.Until("there are facts", `!!document.querySelector('.review-by a[href="/settings"]') && document.querySelector('.review-values').hidden`)
}
