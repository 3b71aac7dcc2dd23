package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
)

// tableRows returns the moves in the table of the explorer.
func tableRows(p *browser.Page) (list []string) {
	p.Helper()
	p.JS(`[...document.querySelectorAll('.explore-moves tbody .move')].map(x => x.textContent)`, &list)
	return list
}

// played waits until so many moves lead to the board.
func played(p *browser.Page, n int) {
	p.Helper()
	p.Until(fmt.Sprintf("%d moves are played", n), fmt.Sprintf(`[...document.querySelectorAll('.explore-line [aria-current]')].length === 1 && [...document.querySelectorAll('.explore-line button')].findIndex(b => b.hasAttribute('aria-current')) === %d`, n))
	p.Settle()
}

// TestExplorePlay plays stones by click, by the table and by keys, and walks along
// the line.
func TestExplorePlay(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=weiqi", browser.Desktop)
	clickPoint(p, 15, 3)
	played(p, 1)
	if got := pieces(p); got != 1 {
		t.Fatalf("%d stones after a click", got)
	}
	hears(p, "game")
	if len(tableRows(p)) == 0 {
		t.Fatal("nobody goes on here, though the demo set does")
	}
	p.Click(`.explore-moves tbody tr:nth-child(1)`)
	played(p, 2)
	clickPoint(p, 9, 9)
	played(p, 3)
	line := p.URL()
	same(p)

	// The line goes on beyond the board.
	p.Keys(kb.ArrowLeft)
	played(p, 2)
	if got := p.Text(`document.querySelectorAll('.explore-line li').length`); got != "4" {
		t.Errorf("a step back leaves %s of the 4 parts of the line", got)
	}
	same(p)
	p.Keys(kb.Home)
	played(p, 0)
	p.Keys(kb.End)
	played(p, 3)
	if got := p.URL(); got != line {
		t.Errorf("at the end again it is %s, not %s", got, line)
	}
	p.Keys(kb.PageUp)
	played(p, 0)
	clickPoint(p, 15, 3) // the move of the line: it stays
	played(p, 1)
	if got := p.Text(`document.querySelectorAll('.explore-line li').length`); got != "4" {
		t.Errorf("the move of the line cuts it to %s parts", got)
	}
	clickPoint(p, 2, 15) // another one: the rest goes
	played(p, 2)
	if got := p.Text(`document.querySelectorAll('.explore-line li').length`); got != "3" {
		t.Errorf("another move leaves %s parts of the line", got)
	}
	p.Back() // and comes back
	played(p, 1)
	if got := p.Text(`document.querySelectorAll('.explore-line li').length`); got != "4" {
		t.Errorf("Back gives %s parts of the line", got)
	}
	p.JS(`history.forward()`, nil)
	played(p, 2)
	p.Click(`.explore-line li:nth-child(2) button`)
	played(p, 1)

	x, y := spot(p, 9, 9)
	p.Wheel(x, y, -120)
	played(p, 0)
	p.Wheel(x, y, 120)
	played(p, 1)

	// On a stone nothing can be played, and nothing happens.
	clickPoint(p, 15, 3)
	p.Until("it says why", `document.querySelector('.toast.error')`)
	played(p, 1)
}

// TestExploreKeys chooses moves by arrows, and points by the cursor.
func TestExploreKeys(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=othello&m=d3", browser.Desktop)
	rows := tableRows(p)
	if len(rows) < 2 {
		t.Fatalf("the table has %q", rows)
	}
	p.Keys(kb.ArrowDown)
	hears(p, rows[0]+" was played in")
	if !p.Holds(`document.querySelector('.explore-moves tbody tr').matches('.chosen') && document.querySelector('.stage .layer-ghost').childElementCount > 0`) {
		t.Error("the chosen move is not on the board")
	}
	p.Keys(kb.ArrowDown)
	hears(p, rows[1]+" was played in")
	p.Keys(kb.ArrowUp)
	hears(p, rows[0]+" was played in")
	p.Keys(kb.Enter)
	played(p, 2)
	if got := pieces(p); got != 6 {
		t.Errorf("after a move %d discs", got)
	}
	if p.Holds(`document.querySelector('.stage .layer-heat').childElementCount === 0`) {
		t.Error("no figures on the board")
	}
	p.Keys("h")
	p.Until("the figures are gone", `document.querySelector('.stage .layer-heat').childElementCount === 0 && new URLSearchParams(location.search).get('heat') === '0'`)
	same(p)
	p.Click(p.Named("Figures on the board"))
	p.Until("the figures are there", `document.querySelector('.stage .layer-heat').childElementCount > 0`)
	p.Keys("f")
	p.Until("it is flipped", `new URLSearchParams(location.search).get('flip') === '1'`)
	p.Keys("t")
	p.Until("the board as text", `/[XO]/.test(document.querySelector('.text-board').textContent)`)
	p.Keys("s")
	p.Until("the search is open", `location.pathname === '/search'`)
}

// TestExploreXiangqi moves a piece by dragging, by two clicks and by keys; what is
// against the rules does not happen.
func TestExploreXiangqi(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=xiangqi", browser.Desktop)
	drag := func(c, r, c2, r2 int) {
		x, y := spot(p, c, r)
		x2, y2 := spot(p, c2, r2)
		p.Drag(x, y, x2, y2)
	}
	drag(7, 7, 4, 7) // the cannon to the middle
	played(p, 1)
	clickPoint(p, 7, 0) // the horse, by two clicks
	p.Until("its moves are shown", `document.querySelector('.stage .layer-signs').querySelectorAll('.legal, .take').length === 2`)
	clickPoint(p, 6, 2)
	played(p, 2)
	drag(0, 9, 4, 4) // a chariot does not move so
	p.Settle()
	played(p, 2)
	p.JS(`document.querySelector('.toasts').replaceChildren()`, nil)
	clickPoint(p, 1, 9)
	clickPoint(p, 1, 9) // and puts it back
	p.Until("nothing is chosen", `document.querySelector('.stage .layer-signs').querySelectorAll('.legal, .take').length === 0`)
	p.Keys("b") // the cursor stands on the last move: the black horse; the red one is at b0
	for range 5 {
		p.Keys(kb.ArrowLeft)
	}
	for range 7 {
		p.Keys(kb.ArrowDown)
	}
	hears(p, "b0")
	p.Keys(kb.Enter)
	p.Until("its moves are shown", `document.querySelector('.stage .layer-signs').querySelectorAll('.legal, .take').length === 2`)
	p.Keys(kb.ArrowRight)
	p.Keys(kb.ArrowUp)
	p.Keys(kb.ArrowUp)
	p.Keys(kb.Enter)
	played(p, 3)
	same(p)
	// Chinese readers get the moves as they write them.
	p.SetView(browser.Desktop.In("zh-TW"))
	p.Reload()
	p.Settle()
	if got := p.Text(`document.querySelector('.explore-line').innerText`); !strings.Contains(got, "炮二平五") || !strings.Contains(got, "馬８進７") {
		t.Errorf("in Chinese the line is %q", got)
	}
}

// TestExploreTable: what a row shows, and that the figures add up.
func TestExploreTable(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=othello&m=d3", browser.Desktop)
	var games []int
	p.JS(`[...document.querySelectorAll('.explore-moves .share b')].map(b => +b.textContent.replace(/\D/g, ''))`, &games)
	sum := 0
	for _, n := range games[:len(games)-1] {
		sum += n
	}
	if total := games[len(games)-1]; sum != total || total < 100 {
		t.Errorf("the moves were played in %d games, of %d", sum, total)
	}
	hover := func(kind string) {
		p.JS(`document.querySelectorAll('.explore-moves tbody tr')[1].dispatchEvent(new PointerEvent(`+literal(kind)+`, {pointerType: 'mouse'}))`, nil)
	}
	hover("pointerenter")
	p.Until("the row is chosen", `document.querySelectorAll('.explore-moves tbody tr')[1].matches('.chosen') && document.querySelector('.stage .layer-ghost').childElementCount > 0`)
	if got := p.Text(`document.querySelector('.explore-detail').textContent`); !strings.Contains(got, "was played in") {
		t.Errorf("in words the row is %q", got)
	}
	hover("pointerleave")
	p.Until("no row is chosen", `!document.querySelector('.explore-moves .chosen')`)

	// The games below: one click to the moment in the game.
	p.Click(`.game-list .game-row`)
	p.Until("a game is open", `/^.records.\d+$/.test(location.pathname)`)
	p.Back()
	p.Until("the explorer is back", `location.pathname === '/explore'`)
	p.Settle()
	all := p.Text(`document.querySelector('.explore .flush h2').textContent.replace(/\D/g, '')`)
	scrollUntil(p, `document.querySelectorAll('.game-list .game-row').length === `+all)
	p.JS(`scrollTo(0, 0)`, nil)
	p.Click(p.Named("Search this position"))
	p.Until("the search finds as many", `location.pathname === '/search' && document.querySelector('.count')?.textContent.replace(/\D/g, '') === `+literal(all))
}

// TestExploreText: moves that are typed, positions, and what is pasted.
func TestExploreText(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=weiqi", browser.Desktop)
	p.Click(`.explore [role=tabpanel] > details > summary`)
	p.Fill(`.explore-type input`, "k10")
	p.Keys(kb.Enter)
	played(p, 1)
	p.Fill(`.explore-type input`, "k10")
	p.Keys(kb.Enter)
	p.Until("a point that is taken is refused", `document.querySelector('.toast.error')`)
	p.Fill(`.explore textarea:not(.query-text)`, "rubbish")
	p.Until("it says so while one writes", `document.querySelector('.explore textarea:not(.query-text)').getAttribute('aria-invalid') === 'true' && document.querySelector('.explore-says').textContent`)
	p.Fill(`.explore textarea:not(.query-text)`, "19/19/3X15/19/19/19/19/19/19/19/19/19/19/19/19/15O3/19/19/19 w")
	p.Until("it is a position", `!document.querySelector('.explore .btn.primary').disabled && document.querySelector('.explore-says').textContent.includes('2')`)
	p.Click(p.Named("Go there"))
	p.Until("two stones", `document.querySelectorAll('.stage .layer-pieces > *').length === 2`)
	same(p)
	paste := func(text string) {
		t.Helper()
		p.JS(`(() => { document.activeElement.blur(); const d = new DataTransfer(); d.setData('text/plain', `+literal(text)+`); document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true, cancelable: true})) })()`, nil)
	}
	paste("f5 d6 c3 d3")
	p.Until("moves of the game that is open", `new URLSearchParams(location.search).get('g') === 'weiqi' && document.querySelectorAll('.explore-line li').length === 5`)
	paste("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b")
	p.Until("a position of another game", `new URLSearchParams(location.search).get('g') === 'xiangqi' && document.querySelectorAll('.stage .layer-pieces > *').length === 32`)
	p.Settle()

	p.Go("/explore?g=othello&m=" + url.QueryEscape("f5 a1"))
	p.Settle()
	if got := p.Text(`document.querySelector('.explore-state').innerText`); !strings.Contains(got, "cannot be read") {
		t.Errorf("of a line that is none it says %q", got)
	}
	p.Go("/explore?g=othello&m=" + url.QueryEscape("f5 d6 c3 d3 c4 f4 f6 f3 e6 e7 d7 c7"))
	p.Settle()
	if got := p.Text(`document.querySelector('.explore-state').innerText`); !strings.Contains(got, "No game comes here") {
		t.Errorf("where no game comes it says %q", got)
	}
}

// TestExploreFilters: every collection keeps its own filter, and a link wins.
func TestExploreFilters(t *testing.T) {
	t.Parallel()
	theWorld(t)
	base := serve(t, sampleGames)
	for _, c := range [][2]string{{"/api/v1/collections", `{"name":"My games"}`}, {"/api/v1/collections/records", `{"query":"game:othello date:2026","add":["My games"]}`}} {
		if err := call("POST", base+c[0], "application/json", strings.NewReader(c[1]), nil); err != nil {
			t.Fatal(err)
		}
	}
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/explore?g=othello")
	p.Settle()
	narrow := func(text string) {
		t.Helper()
		if !p.Holds(`document.querySelector('.explore .query-text').getClientRects().length`) {
			p.Click(p.Named("Filter"))
		}
		p.Fill(`.explore .query-text`, text)
		p.Keys(kb.Enter)
		p.Until("the filter is in the address", `(new URLSearchParams(location.search).get('within') ?? '') === `+literal(text))
		p.Settle()
	}
	within := func(want string) {
		t.Helper()
		p.Settle()
		if got := p.Text(`document.querySelector('.explore .query-text').value`); got != want {
			t.Errorf("the filter is %q, not %q", got, want)
		}
	}
	narrow("since 2020")
	p.Click(p.Named("My games"))
	p.Until("the collection is in the address", `new URLSearchParams(location.search).get('in') === 'My games'`)
	within("")
	narrow("moves>=10")
	p.Click(p.Named("All games"))
	within("since 2020")
	p.Click(p.Named("My games"))
	within("moves>=10")
	same(p)
	p.Go("/explore?g=othello&within=" + url.QueryEscape("since 1990"))
	within("since 1990")
	p.Go("/explore?g=othello") // says nothing: as it was last
	within("since 2020")
	narrow("player:(")
	p.Until("a mistake is shown where it is", `document.querySelector('.mistake:not([hidden])')`)
	p.Fill(`.explore .query-text`, "")
	p.Keys(kb.Enter)
	p.Until("no filter", `!new URLSearchParams(location.search).get('within')`)
	p.Click(p.Named("Colours exchanged"))
	p.Until("the option is in the address", `new URLSearchParams(location.search).get('swap') === '1'`)
	same(p)
}

// TestExplorePhone: where points are smaller than fingers, a tap shows the point and
// a second one plays there.
func TestExplorePhone(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=weiqi", browser.Phone)
	clickPoint(p, 15, 3)
	p.Until("the point is shown", `document.querySelector('.stage .bubble text')?.textContent === 'Q16'`)
	clickPoint(p, 3, 15)
	p.Until("another point is shown", `document.querySelector('.stage .bubble text')?.textContent === 'D4'`)
	if pieces(p) != 0 {
		t.Error("one tap plays")
	}
	clickPoint(p, 3, 15)
	played(p, 1)
	if p.Holds(`document.querySelector('.stage .bubble')`) || pieces(p) != 1 {
		t.Error("the second tap does not play")
	}
	p.Click(p.Named("One move back"))
	played(p, 0)
	p.Click(p.Named("Games"))
	p.Until("the tab is in the address", `new URLSearchParams(location.search).get('tab') === 'games'`)
	p.Settle()
	if p.Holds(`document.querySelectorAll('.game-list .game-row').length > 60`) {
		t.Error("a tab that was not shown has loaded all games")
	}
	p.Reload()
	p.Until("the games are shown again", `document.querySelector('.game-row')?.getClientRects().length`)
	p.Click(p.Named("Position"))
	p.Until("the text is there", `document.querySelector('.explore textarea:not(.query-text)').getClientRects().length`)
	// Squares as large as fingers take one tap.
	p.Go("/explore?g=othello")
	p.Settle()
	clickPoint(p, 5, 4)
	played(p, 1)
}
