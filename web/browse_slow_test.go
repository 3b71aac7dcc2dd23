package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
)

// Nothing that somebody does while an answer is on its way is lost: lines and
// phones are slow.

// holdBack keeps the answers to requests of a method whose path contains a text,
// until letGo.
func holdBack(p *browser.Page, method, path string) {
	p.Helper()
	p.JS(fmt.Sprintf(`(() => { const ask = (window.plainFetch ??= window.fetch); window.held = 0; const free = new Promise(go => window.letGo = go);
		window.fetch = async (to, how) => { const r = await ask(to, how);
			if ((how?.method ?? 'GET') === %q && String(to.url ?? to).includes(%q)) { window.held++; await free; } return r; }; })()`, method, path), nil)
}

func letGo(p *browser.Page) { p.Helper(); p.JS(`letGo()`, nil) }

// TestSlowMove: the engine's reply comes by the stream before the request with the
// move is answered. Whose turn it is may move at once.
func TestSlowMove(t *testing.T) {
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":false}')`, nil)
	hurry(p)
	p.Click(".play-go")
	turn(p)
	holdBack(p, "POST", "/moves")
	at := boxes(p)[0]
	clickPoint(p, at[0], at[1])
	p.Until("both have moved", `document.querySelectorAll('.explore-line li').length >= 3 && document.querySelector('.board .hint')`)
	if !p.Holds(`held === 1`) {
		t.Fatal("the answer was not held back")
	}
	ply := playing(p).Position.Ply
	at = boxes(p)[0]
	clickPoint(p, at[0], at[1])
	letGo(p)
	p.Until("both have moved again", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length >= %d && document.querySelector('.board .hint')`, ply+3))
}

// TestSlowTyping: a move that is being written when the one before it is answered
// is written to its end.
func TestSlowTyping(t *testing.T) {
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/play?g=othello")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"level":1,"tips":false}')`, nil)
	hurry(p)
	p.Click(".play-go")
	turn(p)
	holdBack(p, "POST", "/moves")
	write(p, "f5")
	p.Until("both have moved", `document.querySelectorAll('.explore-line li').length >= 3 && document.querySelector('.board .hint')`)
	ply, at := playing(p).Position.Ply, boxes(p)[0]
	p.Keys(string(rune('a' + at[0])))
	letGo(p)
	p.Settle()
	p.Keys(fmt.Sprint(at[1]+1) + kb.Enter)
	p.Until("both have moved again", fmt.Sprintf(`document.querySelectorAll('.explore-line li').length >= %d && document.querySelector('.board .hint')`, ply+3))
	p.Keys("a1" + kb.Enter)
	p.Until("what is refused comes back", `document.querySelector('.toast.error') && document.querySelector('.explore-type input').value === 'a1'`)

	p.Go("/explore?g=weiqi")
	p.Settle()
	holdBack(p, "GET", "play=")
	p.Click(`.explore [role=tabpanel] > details > summary`)
	p.Until("the box is there", `document.querySelector('.explore-type input')`)
	p.JS(`document.querySelector('.explore-type input').focus()`, nil)
	p.Keys("q16" + kb.Enter)
	p.Until("it is asked for", `held === 1`)
	p.Keys("d")
	letGo(p)
	played(p, 1)
	p.Settle()
	p.Keys("4" + kb.Enter)
	played(p, 2)
	if got := line(p); got != "Q16 D4" {
		t.Errorf("the moves are %q", got)
	}
}

// TestSlowJudge: a stone that is put down while an earlier answer is on its way
// stays.
func TestSlowJudge(t *testing.T) {
	t.Parallel()
	p := visit(t, "/judge?g=weiqi:9x9&edit=1&m="+strings.ReplaceAll(halves, " ", "+"), browser.Desktop)
	holdBack(p, "GET", "/judge")
	p.Click(p.Named("Influence"))
	p.Until("it is asked for", `held === 1`)
	p.Click(".judge .board svg") // the middle is E5: a black stone takes the place of the white one
	letGo(p)
	p.Until("the stone is there", `location.search.includes('1X1XXO1X1')`)
}

// TestSlowPress: a control that is drawn anew between press and release is pressed
// all the same.
func TestSlowPress(t *testing.T) {
	t.Parallel()
	p := visit(t, "/judge?g=weiqi:9x9&m="+strings.ReplaceAll(halves, " ", "+"), browser.Desktop)
	p.JS(`(() => { const b = document.querySelector('.judge-bar'); b.addEventListener('pointerdown', () => history.replaceState(history.state, '', location.href + '&flip=1') ?? dispatchEvent(new PopStateEvent('popstate', {state: null})), {once: true}); })()`, nil)
	p.Click(p.Named("Influence"))
	p.Until("the board is turned, and influence is shown", `location.search.includes('influence=1') && location.search.includes('flip=1')`)
}

// line returns the moves that lead to the board, in the explorer and in a game.
func line(p *browser.Page) string {
	p.Helper()
	return p.Text(`[...document.querySelectorAll('.explore-line li button')].slice(1).map(b => b.textContent).join(' ')`)
}

// TestSlowExplore: moves and steps that are made before the first is answered are
// made behind it, in their order. Who goes elsewhere meanwhile is not called back.
func TestSlowExplore(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=weiqi", browser.Desktop)
	holdBack(p, "GET", "play=")
	clickPoint(p, 15, 3)
	p.Until("the first move is asked for", `held === 1`)
	clickPoint(p, 15, 3) // the second click of a double one
	clickPoint(p, 3, 15)
	clickPoint(p, 15, 15)
	p.Keys(kb.ArrowLeft)
	clickPoint(p, 16, 13)
	if !p.Holds(`held === 1`) || pieces(p) != 0 {
		t.Fatal("a move is made before the one in front of it is answered")
	}
	letGo(p)
	played(p, 3)
	if got := line(p); got != "Q16 D4 R6" || pieces(p) != 3 {
		t.Errorf("the moves are %q, with %d stones", got, pieces(p))
	}
	same(p)

	// A move that is refused takes those with it that were to follow.
	holdBack(p, "GET", "play=")
	clickPoint(p, 3, 15)
	p.Until("it is asked for", `held === 1`)
	clickPoint(p, 9, 9)
	letGo(p)
	p.Until("it is refused", `document.querySelector('.toast.error')`)
	p.Settle()
	if got := line(p); got != "Q16 D4 R6" {
		t.Errorf("behind a move that was refused the line is %q", got)
	}

	holdBack(p, "GET", "play=")
	clickPoint(p, 9, 9)
	p.Until("it is asked for", `held === 1`)
	clickPoint(p, 2, 2)
	p.Back()
	letGo(p)
	played(p, 2)
	if got := line(p); !strings.HasPrefix(got, "Q16 D4") || strings.Contains(got, "K10") {
		t.Errorf("who goes back is called to %q", got)
	}
}

// TestSlowPieces: pieces of the other side can be moved before the move is answered,
// and one that is picked up stays so when figures come.
func TestSlowPieces(t *testing.T) {
	t.Parallel()
	p := visit(t, "/explore?g=xiangqi", browser.Desktop)
	drag := func(c, r, c2, r2 int) {
		x, y := spot(p, c, r)
		x2, y2 := spot(p, c2, r2)
		p.Drag(x, y, x2, y2)
	}
	holdBack(p, "GET", "play=")
	drag(7, 7, 4, 7)
	p.Until("it is asked for", `held === 1`)
	drag(7, 0, 6, 2)
	clickPoint(p, 7, 9)
	letGo(p)
	p.Until("both are made, and the piece is in hand", `document.querySelectorAll('.explore-line li').length === 3 && document.querySelectorAll('.stage .layer-signs :is(.legal, .take)').length === 2`)
	p.Settle() // the figures are there
	clickPoint(p, 6, 7)
	played(p, 3)
	if got := line(p); got != "C2=5 H8+7 H2+3" {
		t.Errorf("the moves are %q", got)
	}
}

// TestSlowTable: two people at one board need not wait for the server between their
// moves.
func TestSlowTable(t *testing.T) {
	base := serve(t, nil)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/play?g=renju")
	p.Settle()
	p.JS(`localStorage.setItem('qipu.play', '{"side":"both","tips":false}')`, nil)
	hurry(p)
	p.Click(".play-go")
	p.Until("the game is there", `document.querySelector('.play-sides') && document.querySelector('.play-status')?.textContent`)
	p.Settle()
	holdBack(p, "POST", "/moves")
	clickPoint(p, 7, 7)
	p.Until("the move is sent", `held === 1`)
	clickPoint(p, 7, 7) // the second click of a double one
	clickPoint(p, 7, 6)
	clickPoint(p, 8, 6)
	letGo(p)
	p.Until("all are made", `document.querySelectorAll('.explore-line li').length === 4`)
	if got := line(p); got != "h8 h9 i9" {
		t.Errorf("the moves are %q", got)
	}
}
