package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
)

// What the page of the laboratory says.
const (
	labBusy  = `document.querySelector('.lab').classList.contains('busy')`
	labFacts = `[...document.querySelectorAll('.lab-facts')].map(x => x.textContent).join(' | ')`
	labWhy   = `(document.querySelector('.lab-why')?.textContent ?? '')`
	labName  = `(document.querySelector('.lab-node-name b')?.textContent ?? '')`
	labClock = `(document.querySelector('.lab-clock')?.textContent ?? '')`
	labSays  = `document.querySelector('.lab-says').textContent`
	labTrees = `[...document.querySelectorAll('.lab-tree canvas')].every(c => c.width > 0 && c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v))`
)

// labAt opens the laboratory, and waits until its methods have run.
func labAt(t testing.TB, path string, v browser.View) *browser.Page {
	t.Helper()
	p := visit(t, path, v)
	p.Until("the methods have run", `!!document.querySelector('.lab-tree') && !`+labBusy)
	return p
}

// TestLabScenes: every scene comes up by its address, and the figures that its text tells
// are those of the methods.
func TestLabScenes(t *testing.T) {
	t.Parallel()
	p := labAt(t, "/lab", browser.Desktop)
	var links []string
	p.Click(p.Named("Scenes"))
	p.JS(`[...document.querySelectorAll('.menu:not([hidden]) a')].map(a => a.getAttribute('href'))`, &links)
	if len(links) < 6 {
		t.Fatalf("scenes: %q", links)
	}
	want := map[string][]string{
		"leaves":  {"+2 a · 48 leaves", "+2 a · 20 leaves", "+2 a · 14 leaves", "+2 a · 12 leaves"},
		"order":   {"leaves", "31 leaves"},
		"deep":    {"leaves", "leaves"},
		"horizon": {"+1 b ·", "+1 e ·"},
		"bstar":   {"0 a3 · 149 leaves", "a3 · 8 leaves · 82 positions"},
		"printed": {"a win in 3 c1 · 10 leaves · 34 positions", "c1 · 32 leaves · 75 positions"},
		"proof":   {"b2 ·", "226 leaves · 3,189 positions"},
	}
	for _, link := range links {
		u, err := url.Parse(link)
		if err != nil {
			t.Fatal(err)
		}
		name := u.Query().Get("scene")
		p := labAt(t, link, browser.Desktop)
		p.Until("the trees of "+name+" are drawn", labTrees)
		facts := strings.Split(p.Text(labFacts), " | ")
		if len(facts) != len(want[name]) {
			t.Errorf("%s: %q", name, facts)
			continue
		}
		for i, w := range want[name] {
			if !strings.Contains(facts[i], w) {
				t.Errorf("%s: tree %d says %q, want %q", name, i+1, facts[i], w)
			}
		}
		if !p.Holds(`document.querySelector('.lab-intro').textContent.length > 60`) {
			t.Errorf("%s is not explained", name)
		}
		check(p, "names", "width")
	}
	p = labAt(t, links[5], browser.Desktop)
	p.Until("the printed form proves nothing", `[...document.querySelectorAll('.lab-foot')].map(x => x.textContent).join().includes('never part')`)
}

// TestLabSteps: the time line goes step by step, by keys and by buttons, for all trees at
// once; a position tells its board, its window and why it was left, and the address holds
// all of it.
func TestLabSteps(t *testing.T) {
	t.Parallel()
	const scene = "/lab?g=kalah:houses%3D3,seeds%3D3&x=minimax-4.alphabeta-4"
	p := labAt(t, scene, browser.Desktop)
	p.Until("the end is shown", labClock+` === '158 / 158'`)
	p.Keys(kb.Home)
	p.Until("nothing has happened yet", labClock+` === '0 / 158' && document.querySelector('.lab-node').hidden`)
	p.Keys(kb.ArrowRight)
	p.Until("the root is entered", labClock+` === '1 / 158' && `+labName+` === 'The position itself' && `+labWhy+`.includes('being read')`)
	for range 4 {
		p.Keys(kb.ArrowRight)
	}
	p.Until("the first leaf is entered", labName+` === 'a b a a' && document.querySelector('[data-so-far=nodes0]').textContent === '4'`)
	p.Keys(kb.ArrowRight)
	p.Until("it is judged", labWhy+`.includes('Judged as it stands') && document.querySelector('[data-so-far=leaves1]').textContent === '1'`)
	p.Until("its board is there", `[...document.querySelectorAll('.lab-board .layer-texts text')].map(x => x.textContent).join() !== ''`)
	p.Until("the address has the moment", `new URL(location.href).searchParams.get('t') === '6'`)
	p.Reload()
	p.Until("it is the same again", labClock+` === '6 / 158' && `+labName+` === 'a b a a' && !`+labBusy)

	p.Keys("2")
	p.Until("the second tree is looked at", `document.querySelectorAll('.lab-tree')[1].classList.contains('active')`)
	p.Keys("c")
	p.Until("the next cut says why", labWhy+`.startsWith('Cut by move') && `+labWhy+`.includes('need not be read')`)
	at := p.Text(labName)
	p.Keys(kb.ArrowUp)
	p.Until("it goes to the position before", labName+` !== `+strconv.Quote(at)+` && `+strconv.Quote(at)+`.startsWith(`+labName+`)`)
	p.Keys(kb.ArrowDown)
	p.Keys(kb.ArrowRight, chromedp.ModifierShift)
	p.Keys("C")
	p.Keys(kb.End)
	p.Until("the end is there again", labClock+` === '158 / 158'`)

	p.Click(p.Named("One step back"))
	p.Until("the button steps back", labClock+` === '157 / 158'`)
	p.JS(`(r => { r.value = 80; r.dispatchEvent(new Event('input', {bubbles: true})) })(document.querySelector('.lab-time input'))`, nil)
	p.Until("the rail leads there", labClock+` === '80 / 158'`)
	p.JS(`document.activeElement.blur()`, nil) // Space presses a button that has the focus
	p.Keys(" ")
	p.Until("it plays", labClock+` !== '80 / 158'`)
	p.Click(p.Named("Pause"))
	p.Until("it rests", `!!document.querySelector('.lab-time [aria-label="Let the trees grow"]')`)

	// A click on the root of a tree chooses it.
	p.Keys(kb.End)
	x, y := p.At(".lab-tree:nth-child(2) canvas")
	var tall float64
	p.JS(`document.querySelector('.lab-tree:nth-child(2) canvas').clientHeight`, &tall)
	p.ClickXY(x, y-tall/2+14)
	p.Until("the root is chosen", labName+` === 'The position itself' && `+labWhy+`.includes('All moves were read') && location.search.includes('n=1.0')`)
	p.Keys("+")
	p.Keys("0")
	check(p, "names", "contrast", "keys", "focus", "width")
}

// TestLabChoices: game, methods, depth, order and limit are chosen on the page, and each
// is in the address.
func TestLabChoices(t *testing.T) {
	t.Parallel()
	p := labAt(t, "/lab?g=kalah:houses%3D3,seeds%3D3&x=minimax-3", browser.Desktop)
	p.Click(p.Named("Add a method"))
	p.Until("there are two", `document.querySelectorAll('.lab-tree').length === 2 && !`+labBusy+` && location.search.includes('alphabeta-3')`)
	set := func(selector, value string) {
		p.JS(`(s => { s.value = `+strconv.Quote(value)+`; s.dispatchEvent(new Event('change', {bubbles: true})) })(document.querySelector(`+strconv.Quote(selector)+`))`, nil)
	}
	set(".lab-tree:nth-child(2) select", "scout")
	p.Until("scout runs", `location.search.includes('scout-3') && !`+labBusy+` && `+labFacts+`.split('leaves').length === 3`)
	set(".lab-tree:nth-child(2) .lab-number", "5")
	p.Until("it reads deeper", `location.search.includes('scout-5') && !`+labBusy)
	set(".lab-setup label:nth-of-type(3) select", "random")
	p.Until("moves come by chance", `location.search.includes('order=random') && !!document.querySelector('.lab-setup .lab-number')`)
	set(".lab-setup .lab-number", "7")
	p.Until("from a seed", `location.search.includes('seed=7') && !`+labBusy)
	set(".lab-setup label:nth-of-type(1) select", "othello")
	p.Until("another game is there", `location.search.includes('g=othello') && !`+labBusy+` && `+labFacts+`.includes('leaves')`)
	p.Click(".lab-position > summary")
	p.Fill(".lab-position textarea", "f5 d6 c3")
	p.Until("the moves are read", `!document.querySelector('.lab-position .btn.primary').disabled`)
	p.Click(".lab-position .btn.primary")
	p.Until("the position is searched", `new URL(location.href).searchParams.get('m') === 'f5 d6 c3' && !`+labBusy+` && `+labFacts+`.includes('leaves')`)
	p.Click(p.Named("Take this method away"))
	p.Until("one is left", `document.querySelectorAll('.lab-tree').length === 1`)
}

// TestLabRefusals: what cannot be searched is said in a sentence.
func TestLabRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, where, want string }{
		{"g=tictactoe&m=a1+a2+b1+b2+c1&x=minimax-3", labSays, "The game is over in this position"},
		{"g=kalah&x=minimax-0", labFacts, "reads 1 to 60 plies"},
		{"g=kalah&x=minimax-61", labFacts, "reads 1 to 60 plies"},
		{"g=kalah&x=magic-3", labFacts, "no such method"},
		{"g=kalah&x=minimax-3&nodes=99999999", labFacts, "may enter 1 to 3,000,000 positions"},
		{"g=kalah&x=breadth-60.alphabeta-2&nodes=1000", labFacts, "before a move was found"},
		{"g=nothing&x=minimax-3", labSays, "nothing"},
		{"g=kalah&m=zzz&x=minimax-3", labSays, "zzz"},
		{"g=nim:heaps%3D1&x=minimax-60.bstar-60", labSays, "but one legal move"},
		{"g=xiangqi&x=minimax-3&nodes=10000", `document.querySelector('.lab-foot').textContent`, "limit of 10,000 positions"},
		{"g=xiangqi&x=alphabeta-4&nodes=1000000", `document.querySelector('.lab-foot').textContent`, "more are not drawn"},
	} {
		p := visit(t, "/lab?"+c.path, browser.Phone)
		p.Until(c.path+" says "+c.want, `(`+c.where+`).includes(`+strconv.Quote(c.want)+`) && !`+labBusy)
		check(p, "width", "names")
	}
}

// TestLabStop: a run ends when somebody stops it, and when the page is left: the server
// is not asked any more.
func TestLabStop(t *testing.T) {
	t.Parallel()
	b := shared(t)
	to, err := url.Parse(theWorld(t).base)
	if err != nil {
		t.Fatal(err)
	}
	begun, ended := make(chan struct{}, 10), make(chan struct{}, 10)
	pass := httputil.NewSingleHostReverseProxy(to)
	held := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/v1/lab/tree" {
			r.Host = to.Host
			pass.ServeHTTP(w, r)
			return
		}
		begun <- struct{}{}
		<-r.Context().Done() // a method that never ends
		ended <- struct{}{}
	}))
	defer held.Close()
	p := b.Page(t, held.URL, browser.Desktop)
	p.Go("/lab?g=xiangqi&x=minimax-60.alphabeta-60")
	<-begun
	p.Until("it can be stopped", `!!document.querySelector('.lab-says [data-key=stop]')`)
	p.Click(".lab-says [data-key=stop]")
	<-ended
	p.Until("it is said", `!`+labBusy+` && `+labFacts+` === 'Stopped. | Stopped.'`)
	p.Go("/lab?g=xiangqi&x=minimax-59")
	<-begun
	p.Keys(kb.Escape)
	<-ended
	p.Go("/lab?g=xiangqi&x=minimax-58")
	<-begun
	p.Click(`.nav a[href^="/players"]`)
	<-ended
}

// TestLabFrom: boards of the product lead to the laboratory with their position.
func TestLabFrom(t *testing.T) {
	t.Parallel()
	there := func(p *browser.Page, query string) {
		p.Helper()
		p.Until("the laboratory has the position", `location.pathname === '/lab' && location.search.includes(`+strconv.Quote(query)+`) && !!document.querySelector('.lab-tree') && !`+labBusy+` && `+labFacts+`.includes('leaves')`)
	}
	p := visit(t, "/explore?g=othello&m=f5+d6", browser.Desktop)
	p.Click(p.Named("More"))
	p.Click(`.menu:not([hidden]) a[href^="/lab"]`)
	there(p, "m=f5+d6")
	p = visit(t, "/records/{xiangqi}#7", browser.Desktop)
	p.Click(".rec-tools .menu-at:first-child > button")
	p.Click(`.menu:not([hidden]) a[href^="/lab"]`)
	there(p, "g=xiangqi&m=")
	p = visit(t, "/search?g=othello&q=board%3A%22XO%2FOX%22", browser.Desktop)
	p.Until("there are hits", `!!document.querySelector('.hit-lab')`)
	p.Click(".hit-lab")
	there(p, "g=othello")
	p = visit(t, "/judge?g=go:9x9&m=XO1XXX1OX%2FXOOOOOOOX%2FXXXXXXXXX%2F9%2FXXXXXXXXX%2FOOOOOOOOO%2F9%2F4X4%2F9+black", browser.Desktop)
	p.Until("the board is judged", `!!document.querySelector('.judge-bar a[href^="/lab"]')`)
	p.Click(`.judge-bar a[href^="/lab"]`)
	there(p, "g=weiqi%3A9x9")
	p = visit(t, "/learn/openings?g=othello&o=f5+d6", browser.Desktop)
	p.Until("the opening is there", `!!document.querySelector('.learn-head a[href^="/lab"]')`)
	p.Click(`.learn-head a[href^="/lab"]`)
	there(p, "m=f5+d6")
	p = visit(t, "/names/xiangqi/hollow-cannon", browser.Desktop)
	p.Until("the boards of the name are there", `!!document.querySelector('.head a[href^="/lab"]') && !!document.querySelector('.name-boards a[href^="/lab"]')`)
	p.Click(`.name-boards a[href^="/lab"]`)
	there(p, "g=xiangqi")
}

// TestLabFrames measures what a frame of the largest trees costs, in a real browser: two
// trees of 100,000 positions, fifty places of the time line. What is drawn is counted,
// and bounded by the pixels of the picture; times are told.
func TestLabFrames(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("measures for minutes: QIPU_BENCH=1")
	}
	p := labAt(t, "/lab?g=connect4&x=minimax-6.breadth-6&nodes=300000", browser.Desktop)
	p.Until("the trees are drawn", labTrees)
	var told struct {
		Nodes, Wide, Plies, Drawn int
		Least, Half, Most         float64
	}
	p.JS(`(() => {
		const rail = document.querySelector('.lab-time input'), end = +rail.max, times = [], c = CanvasRenderingContext2D.prototype, old = c.fillRect;
		let drawn = 0, most = 0;
		c.fillRect = function (...a) { drawn++; return old.apply(this, a); };
		const frame = k => new Promise(done => {
			rail.value = Math.round(end * k / 50);
			drawn = 0;
			const began = performance.now();
			rail.dispatchEvent(new Event('input', {bubbles: true}));
			requestAnimationFrame(() => requestAnimationFrame(() => { times.push(performance.now() - began); most = Math.max(most, drawn); done(); }));
		});
		return (async () => {
			for (let k = 1; k <= 50; k++) await frame(k);
			c.fillRect = old;
			times.sort((a, b) => a - b);
			const wide = Math.max(...[...document.querySelectorAll('.lab-tree canvas')].map(x => x.width));
			return {Nodes: [...document.querySelectorAll('.lab-tree')].length, Wide: wide, Plies: 7, Drawn: most, Least: times[0], Half: times[25], Most: times[49]};
		})();
	})()`, &told)
	t.Logf("%d trees, %d pixels wide: at most %d items a frame; from a move of the rail to the second frame after it %.1f ms at the least, %.1f for half, %.1f at the most",
		told.Nodes, told.Wide, told.Drawn, told.Least, told.Half, told.Most)
	if most := told.Nodes * told.Plies * 4 * told.Wide; told.Drawn == 0 || told.Drawn > most {
		t.Errorf("%d items were drawn, want at most %d", told.Drawn, most)
	}
}
