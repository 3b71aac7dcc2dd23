package web_test

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
	"qipu/internal/testkit"
	"qipu/web"
)

// audit has the questions that are asked of every page.
//
//go:embed testdata/audit.js
var audit string

// routes are all pages of the client, in the states that differ. Each must keep
// everything that this file checks.
var routes = []struct {
	name, path string
	words      bool // much to read: it is checked in all languages
}{
	{"home", "/", true},
	{"search", "/search", true},
	{"search weiqi", "/search?g=weiqi&q=board%3A%22XO%2FOX%22", false},
	{"search words", "/search?g=othello&q=player%3A%22Ito+Haru%22", false},
	{"explore weiqi", "/explore?g=weiqi", true},
	{"explore xiangqi", "/explore?g=xiangqi", false},
	{"explore line", "/explore?g=othello&m=f5+d6", false},
	{"play", "/play?g=othello", true},
	{"play from", "/play?g=othello&m=f5+d6", false},
	{"no game", "/play?g=othello&s=NOBODY", false},
	{"learn", "/learn/openings?g=othello", true},
	{"quiz", "/learn/openings?g=othello&o=f5+d6&quiz=line", true},
	{"no mistakes", "/learn/openings?g=othello&quiz=mistakes", false},
	{"learn shapes", "/learn/shapes", false},
	{"shape quiz", "/learn/shapes?quiz=1&seed=3", false},
	{"no shape mistakes", "/learn/shapes?quiz=mistakes", false},
	{"shapes", "/shapes", true},
	{"shapes found", "/shapes?q=figure&u=4", false},
	{"shapes lint", "/shapes?tab=lint", false},
	{"shape", "/shapes/paper-figure-17", false},
	{"shape editor", "/shapes/paper-figure-17/edit", true},
	{"new shape", "/shapes/new?d=%23%23%23/O.X", false},
	{"no shape", "/shapes/there-is-none", false},
	{"book", "/explore?g=othello&m=f5&t=5&on=r&tab=book", true},
	{"records", "/records", true},
	{"records found", "/records?g=weiqi&q=player%3A%22Ito+Haru%22", false},
	{"record weiqi", "/records/{weiqi}#12", true},
	{"record hints", "/records/{weiqi}?hints=1#12", true},
	{"record life", "/records/{weiqi}?life=1&groups=1#12", false},
	{"names", "/names?g=xiangqi", true},
	{"no names", "/names?g=othello&q=nothing+is+called+so", false},
	{"terms", "/names?g=xiangqi&tab=terms", false},
	{"name", "/names/xiangqi/cannon-behind-horse", true},
	{"record names", "/records/{xiangqi}?names=1#7", false},
	{"judge", "/judge?g=weiqi:9x9&m=XO1XXX1OX/XOOOOOOOX/XXXXXXXXX/9/XXXXXXXXX/OOOOOOOOO/9/4X4/9+black&why=B9", true},
	{"lab", "/lab?g=kalah:houses%3D3,seeds%3D3&x=minimax-4.shallow-4.alphabeta-4.fixed-4&scene=leaves&n=2.5", true},
	{"lab nothing", "/lab?g=kalah&m=nonsense&x=minimax-3", false},
	{"insights", "/insights?g=othello", true},
	{"insights map", "/insights?g=othello&tab=map", false},
	{"insights nothing", "/insights?g=renju&player=Nobody", false},
	{"findings", "/insights/queue", true},
	{"judge nothing", "/judge?g=weiqi:9x9&m=nonsense", false},
	{"record xiangqi", "/records/{xiangqi}#7", false},
	{"import", "/import", true},
	{"job", "/import?job={job}", true},
	{"players", "/players", true},
	{"events", "/events", true},
	{"player", "/players/{player}", true},
	{"log", "/log", true},
	{"cleanup", "/cleanup", true},
	{"trash", "/log?tab=trash", false},
	{"me", "/me", false},
	{"enter", "/enter", false},
	{"settings", "/settings", true},
	{"help", "/help", true},
	{"api", "/api", true},
	{"operation", "/api#find", false},
	{"unknown", "/nowhere", false},
	{"no record", "/records/987654", false},
	{"no job", "/import?job=987654", false},
	{"no player", "/players/Nobody", false},
}

// keyNames returns the names of all texts, as a list for the page.
var keyNames = sync.OnceValue(func() string {
	var texts map[string]string
	data, err := os.ReadFile("i18n/en.json")
	if err == nil {
		err = json.Unmarshal(data, &texts)
	}
	if err != nil {
		panic(err) // the file is part of the package
	}
	names := []string{}
	for name := range texts {
		names = append(names, name, strings.TrimSuffix(name, ".other"))
	}
	list, _ := json.Marshal(names) // texts are always JSON
	return string(list)
})

// faults asks the page questions of audit.js, and returns what is wrong.
func faults(p *browser.Page, questions ...string) (list []string) {
	p.Helper()
	p.JS(`window.audit ?? (window.keyNames = new Set(`+keyNames()+`), `+audit+`, true)`, nil)
	// Styles that change pass through a transition, however short, and a window that is not looked at has no frames for it.
	p.JS(`(() => { getComputedStyle(document.querySelector('main')).opacity; for (const a of document.getAnimations()) try { a.finish() } catch { /* it has no end */ } })()`, nil)
	for _, q := range questions {
		var some []string
		p.JS(`audit.`+q+`()`, &some)
		list = append(list, some...)
	}
	return list
}

// check fails the test by what is wrong.
func check(p *browser.Page, questions ...string) {
	p.Helper()
	for _, f := range faults(p, questions...) {
		p.Errorf("%s: %s", p.URL(), f)
	}
}

// speak changes the language, as the menu in another window of the reader would.
func speak(p *browser.Page, lang string) {
	p.Helper()
	p.JS(`(localStorage.setItem('qipu.prefs', JSON.stringify({language: '`+lang+`'})), dispatchEvent(new StorageEvent('storage', {key: 'qipu.prefs'})))`, nil)
	p.Until("the page is in "+lang, `document.documentElement.lang === '`+lang+`'`)
	p.Settle()
}

// TestEveryPage: every page comes up without complaint, has names for its controls,
// can be read by day and by night, and is the same when it is loaded again. On a
// phone nothing is wider than the window and everything can be hit by a finger,
// in all languages; no text is missing in any.
func TestEveryPage(t *testing.T) {
	theWorld(t)
	for _, r := range routes {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			p := visit(t, r.path, browser.Desktop)
			check(p, "names", "frame", "contrast", "keys", "focus", "width")
			at, text := p.URL(), p.Text(`audit.text()`)
			p.SetView(browser.Desktop.AtNight())
			p.Reload()
			p.Settle()
			check(p, "contrast")
			if got := p.URL(); got != at {
				t.Errorf("reloaded, the address is %s, not %s", got, at)
			}
			if got := p.Text(`audit.text()`); got != text {
				t.Errorf("reloaded, the page says other things:\n%s\nnot\n%s", got, text)
			}

			p.SetView(browser.Phone)
			languages := []string{"ja"}
			if r.words || testkit.Full() {
				languages = web.Languages()
			}
			for _, lang := range languages {
				speak(p, lang)
				check(p, "width", "keys", "names", "frame", "targets")
			}
		})
	}
}

// TestEveryKey: the Tab key goes through all that can be used, in order, and what
// has the focus shows it.
func TestEveryKey(t *testing.T) {
	theWorld(t)
	for _, path := range []string{"/", "/search?g=othello", "/play?g=othello", "/learn/openings?g=othello", "/learn/shapes", "/shapes", "/shapes/new", "/names?q=horse", "/names?tab=terms", "/judge", "/lab", "/import", "/players", "/settings"} {
		t.Run("at "+path, func(t *testing.T) {
			t.Parallel()
			p := visit(t, path, browser.Desktop)
			faults(p)
			p.JS(`(() => { document.activeElement.blur(); window.reached = new Set(); window.dull = []; const ring = e => { const s = getComputedStyle(e); return s.outlineStyle + s.outlineWidth + s.boxShadow + s.borderColor + s.backgroundColor; };
				window.wanted = audit.reach();
				const before = new Map(audit.reach().map(e => [e, ring(e)]));
				const look = e => { const box = e.target.closest('label') ?? e.target; if (document.activeElement === e.target && before.get(e.target) === ring(e.target) && getComputedStyle(box).outlineStyle === 'none' && !(e.target.nextElementSibling && getComputedStyle(e.target.nextElementSibling).outlineStyle !== 'none') && ![...e.target.children].some(c => getComputedStyle(c).outlineStyle !== 'none')) dull.push(e.target.outerHTML.slice(0, 120)) };
				// Styles of a page that is still busy may come a moment after the focus.
				document.addEventListener('focusin', e => { reached.add(e.target); setTimeout(() => look(e), 0) }) })()`, nil)
			var n int
			p.JS(`wanted.length`, &n)
			for range n + 5 {
				p.Keys(kb.Tab)
			}
			if missed := p.Text(`wanted.filter(e => e.isConnected && e.getClientRects().length && !reached.has(e)).map(e => e.outerHTML.slice(0, 160)).join('\n')`); missed != "" {
				t.Errorf("Tab does not reach\n%s", missed)
			}
			if dull := p.Text(`dull.join('\n')`); dull != "" {
				t.Errorf("these have the focus, and it cannot be seen:\n%s", dull)
			}
		})
	}
}
