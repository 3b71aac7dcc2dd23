package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"qipu/internal/browser"
	"qipu/internal/testkit"
	"qipu/sample"
)

// TestHomeEmpty: an empty library invites; one click loads the demo set, and one
// more searches it.
func TestHomeEmpty(t *testing.T) {
	t.Parallel()
	p := shared(t).Page(t, serve(t, nil), browser.Desktop)
	p.Go("/")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys")
	if !p.Holds(`document.querySelector('.invite h1') !== null && document.querySelector('.drop input[type=file]') !== null && document.querySelectorAll('.fan svg').length === 4`) {
		t.Error("the page does not invite")
	}
	if p.Holds(`document.querySelector('form[role=search]') !== null`) {
		t.Error("there is nothing to search")
	}
	p.Click(p.Named(fmt.Sprintf("Load the demo set (%d games)", sample.Games)))
	p.Until("it tells what came", `document.querySelector('.demo').textContent.includes('`+fmt.Sprint(sample.Games)+` new games')`)
	if got := p.Text(`document.activeElement.textContent`); got != "Search these games" {
		t.Errorf("the focus is on %q", got)
	}
	p.Click(p.Named("Search these games"))
	p.Until("a board is shown", `location.pathname === '/search' && document.querySelector('svg.board') !== null`)
	p.Settle()
	// The front page now puts the search first.
	p.Click(`.brand`)
	p.Until("the page has cards of the games", `document.querySelectorAll('.card.game').length >= 4`)
	p.Settle()
	p.Fill(`form[role=search] input`, `player:"Demo Ada"`)
	p.Keys("\r")
	p.Until("the query runs", `location.pathname + location.search === '/search?q=' + encodeURIComponent('player:"Demo Ada"')`)
}

// TestHomePlayed: beside the demo set there are the games that the engine has
// played. What was loaded is offered no more.
func TestHomePlayed(t *testing.T) {
	t.Parallel()
	p := shared(t).Page(t, serve(t, sampleGames), browser.Desktop)
	p.Go("/")
	p.Settle()
	offers := func() string { return p.Text(`document.querySelector('.takers .demo')?.textContent ?? ''`) }
	played := "Load 1,000 games of Othello that the engine played"
	if got := offers(); got != played || sample.PlayedGames != 1000 {
		t.Errorf("with the demo set in the library, the page offers %q", got)
	}
	p.Click(p.Named(played))
	p.Until("it tells what came", `/\b\d+ new games/.test(document.querySelector('.takers .demo').textContent)`)
	p.Reload()
	p.Until("the games are counted", `document.querySelectorAll('.card.game').length >= 4`)
	if got := offers(); got != "" {
		t.Errorf("with all games in the library, the page offers %q", got)
	}
	p.Go("/import")
	p.Until("the imports are listed", `[...document.querySelectorAll('.job-title')].some(a => a.textContent === 'Games of the engine')`)
	if p.Holds(`[...document.querySelectorAll('[role=tab]')].some(e => e.textContent === 'Demo set')`) {
		t.Error("the import page still offers what was imported")
	}
}

// TestHomePaste: the one box tells what it took a text for, and what to do.
func TestHomePaste(t *testing.T) {
	t.Parallel()
	p := visit(t, "/", browser.Desktop)
	for _, c := range []struct{ text, says, offers string }{
		{"(;GM[1]SZ[19]PB[Ada]PW[Bob]DT[1998];B[pd];W[dp])", "SGF: 1 game of Go Ada – Bob · 1998", "Import it|Search this position|Open in the explorer"},
		{"f5 d6 c3", "3 moves of Othello", "Search this position|Open in the explorer"},
		{"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "A position of Xiangqi", "Search this position|Open in the explorer"},
		{`player:"Ito Haru" moves>40`, "A query", "Run the search"},
	} {
		p.Fill(`.paste textarea`, c.text)
		p.Until("it says "+c.says, `document.querySelector('.took').innerText.replace(/\s+/g, ' ').startsWith(`+literal(c.says)+`)`)
		if got := p.Text(`[...document.querySelectorAll('.took .row:first-of-type .btn')].map(e => e.innerText).join('|')`); !strings.HasPrefix(got, c.offers) {
			t.Errorf("%s: it offers %s, not %s", c.text, got, c.offers)
		}
	}
	p.Click(p.Named("Run the search"))
	p.Until("the query runs", `location.pathname === '/search' && new URLSearchParams(location.search).get('q') === 'player:"Ito Haru" and moves>40'`)
}

// TestHomePasteAnywhere: a text that is pasted on a page without a use for it comes
// to the front page, and the record in it can be imported.
func TestHomePasteAnywhere(t *testing.T) {
	t.Parallel()
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/help")
	p.Settle()
	p.JS(`(() => { const d = new DataTransfer(); d.setData('text/plain', '(;GM[1]SZ[9]PB[Ada]PW[Bob];B[ee];W[cc])'); document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true})) })()`, nil)
	p.Until("the front page has it", `location.pathname === '/' && document.querySelector('.took')?.innerText.includes('SGF: 1 game of Go 9x9')`)
	p.Click(p.Named("Import it"))
	p.Until("it is imported", `location.pathname === '/import' && document.querySelector('.tag[data-state=done]') !== null && document.querySelector('.job-words').textContent.startsWith('1 new game')`)
}

// TestFirstBoard: a board stands in the window after the server listens, how soon is
// measured.
func TestFirstBoard(t *testing.T) {
	b := shared(t)
	p := b.Page(t, theWorld(t).base, browser.Desktop) // the tab is there before the server
	p.Go("/help")
	s := launch(t, t.TempDir(), "")
	p.Turn(s.base)
	p.Go("/search")
	p.Until("there is a board", `document.querySelector('svg.board') !== null`)
	took := since(s.listen)
	t.Logf("first board after %v", took)
	if testkit.Full() || os.Getenv("QIPU_BENCH") != "" {
		testkit.Section(t, "../docs/performance.md", "start", fmt.Sprintf("The first board is there %d ms after the server listens.\n", took.Milliseconds()))
		if took.Seconds() > 1 {
			t.Errorf("the first board came %v after the server listened", took)
		}
	}
}
