package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
)

// recordOf returns the record of the shared library that a query finds first.
func recordOf(t testing.TB, q string) (id int64) {
	t.Helper()
	var list struct {
		Records []struct{ Record struct{ ID int64 } }
	}
	if err := call("GET", theWorld(t).base+"/api/v1/records?limit=1&sort=date&q="+url.QueryEscape(q), "", nil, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Records) == 0 {
		t.Fatalf("no record for %s", q)
	}
	return list.Records[0].Record.ID
}

// study is the record of the demo set with variations, labels and comments.
func study(t testing.TB) string {
	return fmt.Sprintf("/records/%d", recordOf(t, `event:"Qipu Demo Studies" date:2026-01-20`))
}

// spot returns where a point of the large board is in the window, counted from
// its top left as the board lies.
func spot(p *browser.Page, column, row int) (x, y float64) {
	p.Helper()
	var at [2]float64
	p.JS(fmt.Sprintf(`(() => { const m = document.querySelector('.stage .board > svg').getScreenCTM(), q = new DOMPoint(%d, %d).matrixTransform(m); return [q.x, q.y] })()`, 40*column, 40*row), &at)
	return at[0], at[1]
}

func clickPoint(p *browser.Page, column, row int) {
	p.Helper()
	x, y := spot(p, column, row)
	p.ClickXY(x, y)
}

// pieces counts what stands on the large board.
func pieces(p *browser.Page) (n int) {
	p.Helper()
	p.JS(`document.querySelectorAll('.stage .layer-pieces > *').length`, &n)
	return n
}

// hears waits until the page has told a screen reader something that contains a
// text.
func hears(p *browser.Page, text string) {
	p.Helper()
	p.Until("a screen reader hears "+text, `document.querySelector('[aria-live=polite]').textContent.includes(`+literal(text)+`)`)
}

// reaches waits for an address.
func reaches(p *browser.Page, address string) {
	p.Helper()
	p.Until("the address is "+address, `decodeURIComponent((location.pathname + location.search + location.hash).replaceAll('+', ' ')) === `+literal(address))
}

// same checks that the page is the same when it is loaded again.
func same(p *browser.Page) {
	p.Helper()
	p.Settle()
	faults(p)
	at, text := p.URL(), p.Text(`audit.text()`)
	p.Reload()
	p.Settle()
	faults(p)
	if got := p.URL(); got != at {
		p.Errorf("reloaded, the address is %s, not %s", got, at)
	}
	if got := p.Text(`audit.text()`); got != text {
		p.Errorf("%s: reloaded, the page says other things:\n%s\nnot\n%s", at, got, text)
	}
}

// clipboard has what the page copies put into a list of the test.
func clipboard(p *browser.Page) {
	p.JS(`(() => { window.copied = []; navigator.clipboard.writeText = async s => { copied.push(s) };
		navigator.clipboard.write = async items => { const [x] = items, type = x.types[0], b = await x.getType(type); copied.push(type === 'text/plain' ? await b.text() : type + ' ' + b.size) } })()`, nil)
}

// lastCopied waits for the nth text that was copied.
func lastCopied(p *browser.Page, n int) string {
	p.Helper()
	p.Until(fmt.Sprintf("%d things were copied", n), fmt.Sprintf(`copied.length === %d`, n))
	return p.Text(fmt.Sprintf(`copied[%d]`, n-1))
}

// TestRecordKeys goes through a game with variations by all keys.
func TestRecordKeys(t *testing.T) {
	t.Parallel()
	at := study(t)
	p := visit(t, at, browser.Desktop)
	step := func(key, address string, want int, heard string) {
		t.Helper()
		p.Keys(key)
		reaches(p, address)
		if got := pieces(p); got != want {
			t.Errorf("%q: %d pieces, not %d", address, got, want)
		}
		if heard != "" {
			hears(p, heard)
		}
	}
	step(kb.ArrowRight, at+"#1", 1, "1. Q16, Black")
	step(kb.ArrowRight, at+"#2", 2, "2. D16, White")
	step(kb.ArrowLeft, at+"#1", 1, "1. Q16")
	step(kb.PageDown, at+"#11", 11, "11.")
	step(kb.PageUp, at+"#1", 1, "1. Q16")
	for range 4 {
		p.Keys(kb.ArrowRight)
	}
	reaches(p, at+"#5")
	hears(p, "Three stars in a row")
	if got := p.Text(`document.querySelector('.rec-comment').innerText`); !strings.Contains(got, "Three stars in a row") || !strings.Contains(got, "R17") || !strings.Contains(got, "O17") {
		t.Errorf("beside the board stands %q", got)
	}
	if got := p.Text(`[...document.querySelectorAll('.stage .layer-labels text')].map(x => x.textContent).join('')`); got != "AB" {
		t.Errorf("the labels on the board are %q", got)
	}
	step(kb.ArrowRight, at+"#6", 6, "Black has to choose a side")
	p.Keys(kb.ArrowDown) // the other branch
	hears(p, "6. O17, White")
	if got := p.Text(`location.hash`); !strings.HasPrefix(got, "#n") {
		t.Errorf("a variation has the address %s", got)
	}
	if got := p.Text(`document.querySelector('.mv.on').textContent`); got != "6O17" {
		t.Errorf("the list marks %q", got)
	}
	same(p) // a variation has an address, too
	step(kb.ArrowRight, p.Text(`location.pathname`)+p.Text(`'#n' + (+location.hash.slice(2) + 1)`), 7, "7. R14")
	step(kb.ArrowUp, at+"#7", 7, "R16") // as far into the main line
	p.Keys(kb.End)
	hears(p, "White lives in the corner")
	last := p.URL()
	step(kb.Home, at, 0, "Start of the game")
	seek := func(what string) {
		t.Helper()
		p.Keys("g")
		p.Until("the box has the focus", `document.activeElement.matches('.rec-ply')`)
		p.Fill(".rec-ply", what)
		p.Keys(kb.Enter)
	}
	seek("4")
	reaches(p, at+"#4")
	seek("qd") // no move is called so
	p.Until("it says so", `document.querySelector('.toast.error')?.textContent.includes('qd')`)
	p.JS(`document.activeElement.blur()`, nil)
	seek("r17")
	reaches(p, at+"#6")
	p.Keys(kb.Home)
	p.Keys(" ") // plays by itself
	p.Until("it plays", `location.hash === '#1'`)
	p.Keys(" ")
	if p.Holds(`document.querySelector('.rec-bar [aria-pressed=true]')`) {
		t.Error("the second Space does not stop it")
	}
	p.Keys("f")
	p.Until("it is flipped", `new URLSearchParams(location.search).get('flip') === '1'`)
	p.Keys("n")
	p.Until("numbers", `new URLSearchParams(location.search).get('num') === 'last' && [...document.querySelectorAll('.stage .layer-labels text')].some(x => x.textContent === '1')`)
	p.Keys("t")
	p.Until("the board as text", `/\(X\)/.test(document.querySelector('.rec-text').textContent)`)
	same(p)
	names := p.Text(`document.querySelectorAll('.stage .layer-names text').length`)
	p.Keys("c")
	p.Until("coordinates", `document.querySelectorAll('.stage .layer-names text').length !== `+names)
	p.Keys("c")
	p.Go(last)
	p.Settle()
	if got := pieces(p); got < 15 {
		t.Errorf("%s has %d pieces", last, got)
	}
	if !p.Holds(`document.querySelector('.rec-bar [aria-label="One move forward"]').disabled`) {
		t.Error("at the end one can go on")
	}
}

// TestRecordWheel: the wheel over the board goes through the moves, and zooms with
// Ctrl as everywhere.
func TestRecordWheel(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records/{weiqi}", browser.Desktop)
	x, y := spot(p, 9, 9)
	p.Wheel(x, y, 120)
	p.Until("a move is made", `location.hash === '#1'`)
	p.Wheel(x, y, 120)
	p.Until("another one", `location.hash === '#2'`)
	p.Wheel(x, y, -120)
	p.Until("and taken back", `location.hash === '#1'`)
	if !p.Holds(`document.querySelector('.stage svg').dispatchEvent(new WheelEvent('wheel', {deltaY: 120, ctrlKey: true, bubbles: true, cancelable: true})) && location.hash === '#1'`) {
		t.Error("the wheel with Ctrl is taken from the browser")
	}
}

// TestRecordTree: a click in the list, on the board and on the buttons leads to the
// same places; the way there is no history.
func TestRecordTree(t *testing.T) {
	t.Parallel()
	at := study(t)
	p := visit(t, "/records", browser.Desktop)
	p.JS(`(() => { const a = document.createElement('a'); a.href = `+literal(at)+`; document.querySelector('main').append(a); a.click() })()`, nil)
	p.Until("the record is open", `document.querySelector('.tree')`)
	p.Settle()
	p.Click(`.mv[href="#5"]`)
	reaches(p, at+"#5")
	clickPoint(p, 13, 2) // O17: a variation
	p.Until("the variation is shown", `document.querySelector('.mv.on')?.textContent === '6O17'`)
	p.Click(p.Named("One move back"))
	reaches(p, at+"#5")
	p.Click(p.Named("One move forward")) // where we were
	p.Until("forward follows the line that was chosen", `document.querySelector('.mv.on')?.textContent === '6O17'`)
	p.Click(p.Named("One move back"))
	p.Click(`.rec-comment button`) // the first of the ways on
	reaches(p, at+"#6")
	p.Click(p.Named("To the start"))
	reaches(p, at)
	p.Back()
	reaches(p, "/records")
}

// TestRecordRegion: a region by the right button, by the tool and by keys leads to a
// search that finds the game.
func TestRecordRegion(t *testing.T) {
	t.Parallel()
	at := study(t)
	finds := func(p *browser.Page) {
		t.Helper()
		p.Until("the search is open", `location.pathname === '/search'`)
		p.Until("the search finds this game", `[...document.querySelectorAll('.hit')].some(a => new URL(a.href).pathname === `+literal(at)+`)`)
	}
	t.Run("right button", func(t *testing.T) {
		p := visit(t, at+"#11", browser.Desktop)
		x, y := spot(p, 12, 0)
		x2, y2 := spot(p, 18, 5)
		p.DragRight(x, y, x2, y2)
		p.Until("the region is in the address", `new URLSearchParams(location.search).get('region') === 'N14:T19'`)
		if got := p.Text(`document.activeElement.textContent`); got != "Search this region" {
			t.Errorf("the focus is on %q", got)
		}
		same(p)
		p.Click(p.Named("Search this region"))
		finds(p)
		if q := p.Text(`new URLSearchParams(location.search).get('q')`); !strings.HasPrefix(q, `board:"-------+/`) {
			t.Errorf("the corner is asked for as %s", q)
		}
		p.Back()
		reaches(p, at+"?region=N14:T19#11")
	})
	t.Run("tool", func(t *testing.T) {
		p := visit(t, at+"#11", browser.Desktop)
		p.Keys("r")
		x, y := spot(p, 13, 1)
		x2, y2 := spot(p, 17, 4)
		p.Drag(x, y, x2, y2)
		p.Until("the region is in the address", `new URLSearchParams(location.search).get('region') === 'O15:S18'`)
		p.Keys(kb.Enter) // the focus is on the link
		finds(p)
	})
	t.Run("keys", func(t *testing.T) {
		p := visit(t, at+"#11", browser.Desktop)
		p.Keys("b")
		hears(p, "last move")
		for range 2 {
			p.Keys(kb.ArrowRight, chromedp.ModifierShift)
			p.Keys(kb.ArrowUp, chromedp.ModifierShift)
		}
		p.Until("there is a region", `new URLSearchParams(location.search).get('region')`)
		hears(p, "Region O18:Q19")
		p.Keys("s")
		finds(p)
	})
}

// TestRecordHere: from a moment of a game to the search for its position and to the
// explorer.
func TestRecordHere(t *testing.T) {
	t.Parallel()
	at := study(t)
	p := visit(t, at+"#5", browser.Desktop)
	p.Keys("s")
	p.Until("the search finds this game", `location.pathname === '/search' && [...document.querySelectorAll('.hit')].some(a => new URL(a.href).pathname === `+literal(at)+`)`)
	p.Back()
	reaches(p, at+"#5")
	p.Settle()
	p.Click(p.Named("Search from here"))
	p.Click(p.Named("Explore from here"))
	p.Until("the explorer is open", `location.pathname === '/explore' && document.querySelectorAll('.explore-line li').length === 6`)
}

// TestRecordShare: everything that can be copied holds what it says.
func TestRecordShare(t *testing.T) {
	t.Parallel()
	p := visit(t, study(t)+"#5", browser.Desktop)
	clipboard(p)
	for i, c := range []struct{ item, want string }{
		{"Copy link to this move", "#5"}, {"Copy game as SGF", "Qipu Demo Studies"}, {"Copy position (FEN)", "19/19/19"}, {"Copy moves so far", "Q16 D16 Q4 D4 Q10"},
		{"Copy as text diagram", "X"}, {"Copy picture (SVG)", "<svg"}, {"Copy picture (PNG)", "image/png"},
	} {
		p.Click(p.Named("Copy or save as…"))
		p.Click(p.Named(c.item))
		if got := lastCopied(p, i+1); !strings.Contains(got, c.want) {
			t.Errorf("%s gives %.200q", c.item, got)
		}
	}
	p.Click(p.Named("Copy or save as…"))
	var links []string
	p.JS(`[...document.querySelectorAll('.menu:not([hidden]) a[download]')].map(a => a.getAttribute('href'))`, &links)
	if len(links) < 3 {
		t.Errorf("only %q can be saved", links)
	}
	for _, l := range links {
		if err := call("GET", theWorld(t).base+l, "", nil, nil); err != nil {
			t.Error(err)
		}
	}
	p.Keys(kb.Escape)
	p.Until("the menu is closed", `!document.querySelector('.menu:not([hidden])')`)
}

// TestRecordAddresses: places of a record by address, and what is not there.
func TestRecordAddresses(t *testing.T) {
	t.Parallel()
	at := study(t)
	for _, c := range []struct {
		hash   string
		pieces int
	}{{"#3", 3}, {"#n3", 3}, {"#0", 0}, {"", 0}, {"#rubbish", 0}, {"#n9999", 0}} {
		p := visit(t, at+c.hash, browser.Desktop)
		if got := pieces(p); got != c.pieces {
			t.Errorf("%s has %d pieces, not %d", c.hash, got, c.pieces)
		}
	}
	p := visit(t, "/records/987654", browser.Desktop)
	if got := p.Text(`document.querySelector('main').innerText`); !strings.Contains(got, "987654") {
		t.Errorf("a record that is not there: %s", got)
	}
	p.Click(`main a[href="/records"]`)
	reaches(p, "/records")
}

// TestRecordByKeyboard opens a game from the list and reads it to its end with Tab,
// Enter and arrows alone; what is heard is each move as the record has it.
func TestRecordByKeyboard(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records?q="+url.QueryEscape(`event:"Qipu Demo Studies" date:2026-01-20`), browser.Desktop)
	at := study(t)
	for range 120 {
		p.Keys(kb.Tab)
		if p.Holds(`document.activeElement.matches('.game-row') && document.activeElement.pathname === ` + literal(at)) {
			break
		}
	}
	p.Keys(kb.Enter)
	p.Until("the record is open", `document.querySelector('.tree')`)
	p.Settle()
	p.JS(`(() => { window.heard = []; new MutationObserver(() => { const s = document.querySelector('[aria-live=polite]').textContent; if (s) heard.push(s) }).observe(document.querySelector('[aria-live=polite]'), {childList: true}) })()`, nil)
	var n int
	p.JS(`document.querySelectorAll('.mv[href^="#"]:not([href^="#n"])').length`, &n)
	if n < 15 {
		t.Fatalf("the main line has %d moves", n)
	}
	for i := range n {
		p.Keys(kb.ArrowRight)
		p.Until("the move is heard", fmt.Sprintf(`heard.length === %d`, i+1))
	}
	var heard, moves []string
	p.JS(`heard`, &heard)
	p.JS(`[...document.querySelectorAll('.mv[href^="#"]:not([href^="#n"])')].map(a => a.querySelector('.san').textContent)`, &moves)
	for i, m := range moves {
		side := []string{"Black", "White"}[i%2]
		if want := fmt.Sprintf("%d. %s, %s", i+1, m, side); !strings.HasPrefix(heard[i], want) {
			t.Errorf("heard %q, not %q", heard[i], want)
		}
	}
	if !strings.Contains(p.Text(`document.querySelector('.stage .board').getAttribute('aria-label')`), moves[n-1]) {
		t.Error("the board does not tell the last move")
	}
	// The moves are one stop of the Tab key, and the arrows work from there.
	for range 40 {
		p.Keys(kb.Tab)
		if p.Holds(`document.activeElement.matches('.mv.on')`) {
			break
		}
	}
	p.Keys(kb.ArrowLeft)
	reaches(p, fmt.Sprintf("%s?q=event:\"Qipu Demo Studies\" date:2026-01-20#%d", at, n-1))
}

// TestRecordHits: opened from a search, the viewer goes from hit to hit and draws
// where they lie.
func TestRecordHits(t *testing.T) {
	t.Parallel()
	p := visit(t, "/search?g=weiqi&q="+url.QueryEscape(`board:"XXO"`), browser.Desktop)
	var href string
	var n int
	p.JS(`(() => { const a = [...document.querySelectorAll('.hit')].find(a => /×[3-9]/.test(a.textContent)); return a.getAttribute('href') })()`, &href)
	p.Go(href)
	p.Settle()
	p.JS(`+document.querySelector('.rec-hits').textContent.match(/of (\d+)/)[1]`, &n)
	if n < 3 {
		t.Fatalf("%s has %d hits", href, n)
	}
	if got := p.Text(`document.querySelector('.rec-hits').textContent`); got != fmt.Sprintf("Hit 1 of %d", n) {
		t.Errorf("opened at the first hit, it says %q", got)
	}
	seen := map[string]bool{}
	for i := 1; i <= n; i++ {
		which := fmt.Sprintf("Hit %d of %d", i, n)
		p.Until("it is "+which, `document.querySelector('.rec-hits').textContent === `+literal(which))
		if !p.Holds(`document.querySelector('.stage .layer-region').childElementCount > 0`) {
			t.Errorf("%s: no region is drawn", which)
		}
		seen[p.URL()] = true
		if i < n {
			p.Keys("]")
		}
	}
	if len(seen) != n {
		t.Errorf("%d hits have %d addresses", n, len(seen))
	}
	p.Keys("]")
	p.Until("it says that this was the last", `document.querySelector('.toast')?.textContent.includes('last hit')`)
	p.Keys("[")
	hears(p, fmt.Sprintf("Hit %d of %d", n-1, n))
	p.Keys(kb.Home)
	p.Until("between hits none is told", `document.querySelector('.rec-hits').textContent.startsWith('Hit –')`)
	p.Click(p.Named("Next hit in this game"))
	hears(p, fmt.Sprintf("Hit 1 of %d", n))
	same(p)
	p.Click(p.Named("Next game of the list"))
	p.Until("another game is open", `!location.pathname.endsWith(`+literal(strings.Split(href, "?")[0])+`)`)
	p.Settle()
	p.Keys(kb.ArrowLeft, chromedp.ModifierShift)
	p.Until("and back", `location.pathname === `+literal(strings.Split(href, "?")[0]))
}

// TestRecordGuess: the moves are hidden, and a click tells whether it is the one.
func TestRecordGuess(t *testing.T) {
	t.Parallel()
	at := study(t)
	p := visit(t, at+"?guess=1", browser.Desktop)
	if p.Holds(`document.querySelector('.mv').checkVisibility({visibilityProperty: true})`) {
		t.Error("the next move can be read in the list")
	}
	clickPoint(p, 10, 10)
	hears(p, "not played here")
	clickPoint(p, 15, 3)
	reaches(p, at+"?guess=1#1")
	if got := p.Text(`document.querySelector('.rec-guess .tag').textContent`); got != "0 of 1" {
		t.Errorf("the score is %q", got)
	}
	clickPoint(p, 3, 3)
	reaches(p, at+"?guess=1#2")
	if got := p.Text(`document.querySelector('.rec-guess .tag').textContent`); got != "1 of 2" {
		t.Errorf("the score is %q", got)
	}
}

// TestRecordLabels: tags are put on and taken off at once.
func TestRecordLabels(t *testing.T) {
	t.Parallel()
	theWorld(t)
	base := serve(t, sampleGames)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/records/1")
	p.Settle()
	p.Click(p.Named("Add a tag"))
	p.Fill(`dialog input`, "good shape")
	p.Keys(kb.Enter)
	p.Until("the tag is there", `[...document.querySelectorAll('.chip')].some(c => c.textContent === 'good shape')`)
	same(p)
	p.Click(p.Named("Remove good shape"))
	p.Until("the tag is gone", `![...document.querySelectorAll('.chip')].some(c => c.textContent === 'good shape')`)
}

// TestRecordPhone reads a game with a thumb.
func TestRecordPhone(t *testing.T) {
	t.Parallel()
	at := study(t)
	p := visit(t, at, browser.Phone)
	p.Click(p.Named("One move forward"))
	reaches(p, at+"#1")
	p.Click(p.Named("To the end"))
	p.Until("the end", `document.querySelector('.rec-bar [aria-label="One move forward"]').disabled`)
	p.Click(p.Named("About this game"))
	p.Until("the tab is in the address", `location.search === '?tab=about'`)
	if !strings.Contains(p.Text(`document.querySelector('.facts').innerText`), "japanese") {
		t.Error("the rules are not told")
	}
	same(p)
	p.Click(p.Named("Moves"))
	p.Click(p.Named("Choose a region"))
	x, y := spot(p, 12, 1)
	x2, y2 := spot(p, 17, 6)
	p.Drag(x, y, x2, y2)
	p.Until("a finger draws a region", `new URLSearchParams(location.search).get('region') === 'N13:S18'`)
	p.Click(p.Named("Search this region"))
	p.Until("the search is open", `location.pathname === '/search'`)
}

// TestRecordLeave: the keys for the search and the explorer take the position
// along.
func TestRecordLeave(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records/{othello}#6", browser.Desktop)
	p.Keys("e")
	p.Until("the explorer has the line", `location.pathname === '/explore' && new URLSearchParams(location.search).get('m').trim().split(/\s+/).length === 6`)
	p.Back()
	p.Until("back", `location.pathname.startsWith('/records/') && document.querySelector('.record')`)
	p.Settle()
	p.Keys("/")
	p.Until("the search has the position", `location.pathname === '/search' && new URLSearchParams(location.search).get('q').startsWith('position:')`)
	p.Back()
	p.Until("back again", `location.pathname.startsWith('/records/') && document.querySelector('.record .board')`)
}

// TestCourse: the review of a game of Go has what the net says of all of it, whose opinion
// that is, and leads to the moves.
func TestCourse(t *testing.T) {
	p := visit(t, "/records/{weiqi}?tab=review", browser.Desktop)
	p.Until("the net has looked", `!!document.querySelector('section.review .curve')`)
	if text := p.Text(`document.querySelector('section.review').innerText`); !strings.Contains(text, "By the net") || !strings.Contains(text, "an opinion") {
		t.Errorf("it says %q", text)
	}
	p.Until("the curve has a point for each position", `document.querySelector('section.review .curve').getAttribute('d').split('L').length > 10`)
}
