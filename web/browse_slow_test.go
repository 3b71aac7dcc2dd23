package web_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/internal/browser"
)

// Nothing that somebody does while an answer is on its way is lost: lines and
// phones are slow.

// holdBack keeps the answers to requests of a method whose path contains a text,
// until letGo.
func holdBack(p *browser.Page, method, path string) {
	p.Helper()
	p.JS(fmt.Sprintf(`(() => { const ask = window.fetch; window.held = 0; const free = new Promise(go => window.letGo = go);
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
