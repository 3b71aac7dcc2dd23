package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	keys "github.com/chromedp/chromedp/kb"
	"github.com/evanw/esbuild/pkg/api"

	"qipu/internal/browser"
	"qipu/library/knowledge"
	"qipu/pattern/kb"
)

// ownShapes are shapes of a library: two of a term that nobody else has, of which
// one warns, and a game in which the good point of the first is played at the end.
var ownShapes = map[string]string{
	"own-hane-1": `term own-hane
name  Own hane | 自己的扳 | 自己的扳 | 自分のハネ | 나의 젖힘

shape own-hane-1
terms own-hane
name  First own hane | 第一扳 | 第一扳 | 第一のハネ | 첫째 젖힘
purpose press capture
urgency 4
ours a
note of a test
draw
  . a .
  O X O
  * O *

check own-hane-1 yes
  . . a . .
  . O X O .
  . . O . .

check own-hane-1 no
  . . O . .
  . O X O .
  . . O . .
`,
	"own-hane-2": `shape own-hane-2
terms own-hane
purpose avoid
urgency 2
ours a
draw
  # # # #
  O a X _
  . X X _

check own-hane-2 yes
  # # # # # #
  . O a X . .
  . . X X . .
  . . . . . .

check own-hane-2 no
  . O a X . .
  . . X X . .
`}

const hanging = "(;GM[1]FF[4]SZ[19]PB[Hint]PW[Taker]EV[Shape Study];B[jk];W[jj];B[ij];W[dd];B[kj];W[pp];B[ji])"

// shaped serves a library that has them.
func shaped(t testing.TB) (base string) {
	return serve(t, func(t testing.TB, base string) {
		for _, id := range []string{"own-hane-1", "own-hane-2"} { // the first brings the term
			if err := call("PUT", base+"/api/v1/shapes/"+id, "application/json", strings.NewReader(`{"text":`+literal(ownShapes[id])+`}`), nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := importAll(base, "", []given{{"hint.sgf", []byte(hanging)}}); err != nil {
			t.Fatal(err)
		}
	})
}

// cards lists the ids of the shapes that are shown.
func cards(p *browser.Page) string {
	p.Helper()
	return p.Text(`[...document.querySelectorAll('.shape-card')].map(e => e.dataset.id).join(' ')`)
}

// TestShapesList: shapes are found by term, urgency and words, and lint says what
// it thinks of them.
func TestShapesList(t *testing.T) {
	t.Parallel()
	b := shared(t)
	p := b.Page(t, shaped(t), browser.Desktop)
	p.Go("/shapes")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.JS(`[...document.querySelectorAll('.shape-terms a')].find(e => /Own hane/.test(e.textContent)).click()`, nil)
	p.Until("the shapes of the term are there", `document.querySelectorAll('.shape-card').length === 2 && location.search.includes('term=own-hane')`)
	if got := cards(p); got != "own-hane-1 own-hane-2" {
		t.Fatalf("shapes of the term: %s", got)
	}
	if n := p.Text(`document.querySelectorAll('.shape-card .good').length + ' ' + document.querySelectorAll('.shape-card .good.avoid .cross').length`); n != "2 1" {
		t.Errorf("good points and crosses on the cards: %s", n)
	}
	p.JS(`document.querySelectorAll('.shape-filters .seg input')[1].click()`, nil)
	p.Until("only the urgent one stays", `document.querySelectorAll('.shape-card').length === 1 && location.search.includes('u=4')`)
	if got := cards(p); got != "own-hane-1" {
		t.Errorf("urgent: %s", got)
	}
	p.Go("/shapes?q=own-hane-1")
	p.Settle()
	if got := cards(p); got != "own-hane-1" {
		t.Errorf("by words: %s", got)
	}
	p.Fill(".shape-filters input", "nothing is called so")
	p.Until("nothing is found", `!!document.querySelector('.list-end .empty')`)
	p.Click(p.Named("Show all"))
	p.Until("all are back", `document.querySelectorAll('.shape-card').length > 1`)
	p.Click(p.Named("Lint"))
	p.Until("lint has spoken", `location.search.includes('tab=lint') && /shapes, found in/.test(document.querySelector('[role=tabpanel]:not([hidden])').textContent)`)
	p.Settle()
	check(p, "names", "frame", "contrast", "width")
}

// TestShapesDetail: a shape with all that is known of it, and its neighbours.
func TestShapesDetail(t *testing.T) {
	t.Parallel()
	b := shared(t)
	p := b.Page(t, shaped(t), browser.Desktop)
	p.Go("/shapes/own-hane-1")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	for _, want := range []string{"First own hane", "第一扳", "첫째 젖힘", "of a test", "in the library", "must stand", "must not stand"} {
		if !p.Holds(`document.querySelector('main').textContent.includes(` + literal(want) + `)`) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if n := p.Text(`document.querySelectorAll('.shape-checks svg').length`); n != "2" {
		t.Errorf("%s fixtures are drawn", n)
	}
	if said := p.Text(`document.querySelector('.shape-large svg').getAttribute('aria-label')`); !strings.Contains(said, "O X O") || !strings.Contains(said, "column 2, row 1: good point of own, urgent") {
		t.Errorf("the picture says %q", said)
	}
	if to := p.Text(`decodeURIComponent(document.querySelector('.head a.primary').search)`); !strings.Contains(to, "named:own-hane-1") || !strings.Contains(to, "g=weiqi") {
		t.Errorf("where it occurs leads to %s", to)
	}
	p.Keys(keys.ArrowRight)
	p.Until("the next of the term", `location.pathname === '/shapes/own-hane-2' && !!document.querySelector('.shape-large .cross')`)
	p.Settle()
	if !p.Holds(`document.querySelector('.shape-large .off') !== null`) {
		t.Error("the edge of the board is not drawn")
	}
	p.Keys("e")
	p.Until("its editor", `location.pathname === '/shapes/own-hane-2/edit' && !!document.querySelector('.shape-source')`)
	p.Settle()
	p.Go("/shapes/own-hane-1")
	p.Settle()
	p.Click(p.Named("Where does it occur?"))
	p.Until("the search finds the game", `location.pathname === '/search' && /^1 game/.test(document.querySelector('.search .count')?.textContent)`)
	p.Go("/shapes/there-is-none")
	p.Settle()
	if !p.Holds(`/No such shape/.test(document.querySelector('h1').textContent)`) {
		t.Error("a shape that is not there is not missed")
	}
}

// TestShapesEditor makes a shape by keys alone: symbols, good points, fields, a
// finding of lint, undo, and the text both ways.
func TestShapesEditor(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := shaped(t)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/shapes/new")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	text := func() string { return p.Text(`document.querySelector('.shape-source').value`) }
	rows := func() string {
		_, drawn, _ := strings.Cut(text(), "draw\n")
		return strings.Join(strings.Fields(strings.ReplaceAll(drawn, "\n", " / ")), "")
	}
	p.Keys("b") // to the board: the cursor stands in the middle
	p.Until("the cursor is there", `!!document.querySelector('.shape-stage div.board .cursor')`)
	p.Keys("2")
	hears(p, "column 3, row 3, enemy stone")
	p.Keys(keys.ArrowLeft)
	p.Keys("1")
	p.Keys(keys.ArrowRight + keys.ArrowRight)
	p.Keys("1")
	p.Keys(keys.ArrowLeft + keys.ArrowDown)
	p.Keys("1")
	p.Keys(keys.ArrowUp + keys.ArrowUp)
	p.Keys("g")
	hears(p, "good point of own")
	p.Keys(keys.ArrowLeft)
	p.Keys("3")
	p.Keys(keys.ArrowRight + keys.ArrowRight)
	p.Keys("3")
	if got, want := rows(), "_____/_.a._/_OXO_/__O__/_____/"; got != want {
		t.Fatalf("drawn by keys: %s, not %s", got, want)
	}
	if !strings.Contains(text(), "ours      a\n") {
		t.Errorf("the good point has no field:\n%s", text())
	}
	p.Keys("7")
	if !p.Holds(`document.querySelectorAll('.shape-stage div.board .off').length > 0`) {
		t.Error("a point off the board is not drawn")
	}
	p.Keys("z", chromedp.ModifierCtrl)
	p.Keys("z", chromedp.ModifierCtrl)
	if got, want := rows(), "_____/_.a__/_OXO_/__O__/_____/"; got != want {
		t.Errorf("undone: %s, not %s", got, want)
	}
	p.Keys("y", chromedp.ModifierCtrl)
	if got, want := rows(), "_____/_.a._/_OXO_/__O__/_____/"; got != want {
		t.Errorf("redone: %s, not %s", got, want)
	}

	// What lint says of it comes by itself: it has the good point of another.
	p.Until("lint speaks", `document.querySelectorAll('.shape-stage .findings li').length > 0`)
	p.JS(`document.querySelector('.shape-form input').focus()`, nil)
	p.Keys("typed-shape")
	p.JS(`document.querySelector('.shape-form select').focus()`, nil)
	p.JS(`(() => { const e = document.querySelector('.shape-form select'); e.value = 'own-hane'; e.dispatchEvent(new Event('change')); })()`, nil)
	p.Until("the fields are in the text", `/^shape typed-shape$/m.test(document.querySelector('.shape-source').value) && /^terms +own-hane$/m.test(document.querySelector('.shape-source').value)`)
	p.Until("lint knows the other shape", `/own-hane-1/.test(document.querySelector('.shape-stage .findings').textContent)`)
	same(p) // the whole state is in the address

	// The other way: a row is written, and the board has it.
	p.JS(`(() => { const e = document.querySelector('.shape-source'); e.value = e.value.replace('_ O X O _', '_ O X O X').replace('origin', 'note      said by a test\norigin'); e.dispatchEvent(new Event('input')); })()`, nil)
	p.Until("the board has it", `document.querySelectorAll('.shape-stage div.board .layer-pieces > *').length === 5`)
	if got := p.Text(`[...document.querySelectorAll('.shape-form input')].at(-1).value`); got != "said by a test" {
		t.Errorf("the note is %q", got)
	}
	p.JS(`(() => { const e = document.querySelector('.shape-source'); e.value = e.value.replace('_ O X O X', '_ O X ?'); e.dispatchEvent(new Event('input')); })()`, nil)
	p.Until("the fault is told", `/no cell/.test(document.querySelector('.shape-stage .findings')?.textContent) && document.querySelector('.head .primary').disabled`)
	p.JS(`(() => { const e = document.querySelector('.shape-source'); e.value = e.value.replace('_ O X ?', '_ O X O X'); e.dispatchEvent(new Event('input')); })()`, nil)
	p.Until("it can be saved", `!document.querySelector('.head .primary').disabled`)
	p.Keys("s", chromedp.ModifierCtrl)
	p.Until("it is saved", `location.pathname === '/shapes/typed-shape' && !!document.querySelector('.shape-large')`)
	var d struct {
		Shape struct{ Note, Layer, Origin string }
	}
	if err := call("GET", base+"/api/v1/shapes/typed-shape", "", nil, &d); err != nil || d.Shape.Note != "said by a test" || d.Shape.Layer != "library" || d.Shape.Origin != "user" {
		t.Errorf("stored: %+v, %v", d, err)
	}

	// By the mouse: choose, paint a stroke, and take the shape out again.
	p.Go("/shapes/typed-shape/edit")
	p.Settle()
	p.Click(`.shape-stage .tile:nth-child(8)`)
	at := func(column, row int) (x, y float64) {
		var q [2]float64
		p.JS(fmt.Sprintf(`(() => { const m = document.querySelector('.shape-stage .board > svg').getScreenCTM(), q = new DOMPoint(%d, %d).matrixTransform(m); return [q.x, q.y] })()`, 40*column, 40*row), &q)
		return q[0], q[1]
	}
	x1, y1 := at(0, 4)
	x2, y2 := at(4, 4)
	p.Drag(x1, y1, x2, y2)
	p.Until("the stroke is in the text", `/\* \* \* \* \*\n$/.test(document.querySelector('.shape-source').value)`)
	p.Click(p.Named("Add a row above"))
	p.Until("it has grown", `/5 × 6/.test(document.querySelector('.shape-sizes').textContent)`)
	p.Click(p.Named("Delete"))
	p.Until("it asks", `!!document.querySelector('dialog[open]')`)
	p.Click(`dialog [value=yes]`)
	p.Until("it is gone", `location.pathname === '/shapes'`)
	if err := call("GET", base+"/api/v1/shapes/typed-shape", "", nil, nil); err == nil {
		t.Error("the shape is still there")
	}
}

// TestShapesText states the law of the editor: whatever shape of the base is read
// and written, its text is the same, and so is what it does not know of it.
func TestShapesText(t *testing.T) {
	t.Parallel()
	b := shared(t)
	built := api.Build(api.BuildOptions{
		Stdin:  &api.StdinOptions{Contents: `import {read, write} from './src/shapes/text'; window.again = s => { const b = read(s); return b ? write(b) : ''; };`, ResolveDir: ".", Loader: api.LoaderJS},
		Bundle: true, Format: api.FormatIIFE, Target: api.ES2022, LogLevel: api.LogLevelSilent, Loader: map[string]api.Loader{".svg": api.LoaderDataURL},
	})
	if len(built.Errors) > 0 {
		t.Fatalf("bundling: %v", built.Errors)
	}
	p := b.Page(t, theWorld(t).base, browser.Desktop)
	p.Go("/help")
	p.JS(`(() => { `+string(built.OutputFiles[0].Contents)+` })()`, nil)
	base := knowledge.LoadShapes().Base
	texts := []string{ownShapes["own-hane-1"][strings.Index(ownShapes["own-hane-1"], "shape "):]} // with fixtures, and loosely written
	for i := range base.Entries {
		texts = append(texts, string(base.Entries[i].AppendTo(nil)))
	}
	var same []string
	p.JS(`(`+literal(texts)+`).map(again)`, &same)
	if len(same) != len(texts) {
		t.Fatalf("%d texts of %d", len(same), len(texts))
	}
	for i, text := range texts {
		got := kb.Parse("got", []byte(same[i]))
		want := kb.Parse("want", []byte(text))
		if len(got.Faults) > 0 || len(got.Entries) != 1 || len(got.Checks) != len(want.Checks) {
			t.Fatalf("written anew it is no shape: %v\n%s", got.Faults, same[i])
		}
		// The one at the top is loosely written: it means the same.
		if i == 0 {
			text = string(want.Entries[0].AppendTo(nil))
			same[i] = string(got.Entries[0].AppendTo(nil))
		}
		if same[i] != text {
			t.Errorf("written anew it is\n%s\nnot\n%s", same[i], text)
		}
	}
}

// TestShapesNamed: what stands in a region becomes a shape, from the viewer and
// from the search.
func TestShapesNamed(t *testing.T) {
	t.Parallel()
	b := shared(t)
	p := b.Page(t, shaped(t), browser.Desktop)
	p.Go("/records/1?region=J8:L11#6")
	p.Settle()
	p.Click(p.Named("Name this pattern"))
	p.Until("the editor has it", `location.pathname === '/shapes/new' && /O X O\n/.test(document.querySelector('.shape-source')?.value)`)
	// White has moved last: black is own.
	if got := p.Text(`document.querySelector('.shape-source').value.split('draw\n')[1]`); got != "  . . .\n  O X O\n  . O .\n  . . .\n" {
		t.Errorf("the region is\n%s", got)
	}
	p.Go("/search?g=weiqi&q=" + url.QueryEscape(`board:"--/xX/OO"`))
	p.Settle()
	p.Click(p.Named("Name this pattern"))
	p.Until("the editor has it", `location.pathname === '/shapes/new' && !!document.querySelector('.shape-source')?.value.includes('# #')`)
	if got := p.Text(`document.querySelector('.shape-source').value.split('draw\n')[1]`); got != "  # #\n  @ O\n  X X\n" {
		t.Errorf("the search had\n%s", got)
	}
}

// TestShapesHints: the viewer shows what shapes say of the position, and why.
func TestShapesHints(t *testing.T) {
	t.Parallel()
	b := shared(t)
	p := b.Page(t, shaped(t), browser.Desktop)
	p.Go("/records/1?for=both#6")
	p.Settle()
	p.Keys("h")
	p.Until("hints are there", `location.search.includes('hints=1') && document.querySelectorAll('.stage .good').length > 0 && document.querySelectorAll('.hints-points > li').length > 0`)
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	if !p.Holds(`[...document.querySelectorAll('.hints-points > li')].some(e => e.dataset.point === 'K11' && /First own hane/.test(e.textContent) && /urgent/.test(e.textContent) && e.querySelector('a[href="/shapes/own-hane-1"]'))`) {
		t.Errorf("the good point is not told: %s", p.Text(`document.querySelector('.hints').textContent`))
	}
	if !p.Holds(`(l => l.length > 0 && l.length <= 5 && l.every(e => /%.*[+−-]?\d.* → .*points/.test(e.textContent)))([...document.querySelectorAll('.hints-best > li')])`) {
		t.Errorf("the best moves are not told: %s", p.Text(`document.querySelector('.hints').textContent`))
	}
	p.JS(`document.querySelector('.hints-points a[href="/shapes/own-hane-1"]').focus()`, nil)
	p.Until("the shape is lit", `document.querySelectorAll('.stage .lit').length >= 5`)
	p.JS(`document.activeElement.blur()`, nil)
	p.Until("it is dark again", `document.querySelectorAll('.stage .lit').length === 0`)
	if p.Holds(`document.querySelectorAll('.hints-points .tag:is(.u1, .u2)').length > 0`) {
		t.Error("points that are not urgent hide the board")
	}
	least := func(value, is string) {
		p.Helper()
		p.JS(fmt.Sprintf(`(() => { const e = document.querySelectorAll('.hints-bar select')[1]; e.value = %q; e.dispatchEvent(new Event('change')); })()`, value), nil)
		p.Until("least urgency "+value, is)
	}
	least("1", `location.search.includes('least=1') && document.querySelectorAll('.hints-points .tag:is(.u1, .u2)').length > 0`)
	least("3", `!location.search.includes('least') && document.querySelectorAll('.hints-points .tag:is(.u1, .u2)').length === 0`)
	p.Until("the best moves are on the board", `document.querySelectorAll('.stage .warm').length > 0`)
	same(p)
	p.JS(`document.body.focus()`, nil)
	p.Keys(keys.Home)
	p.Until("the empty board has none of it", `![...document.querySelectorAll('.hints-points > li')].some(e => e.dataset.point === 'K11')`)
	p.Keys("h")
	p.Until("they are gone", `!location.search.includes('hints') && document.querySelectorAll('.stage .good').length === 0`)
}

// TestShapesLearn answers by keys alone: one wrong, which comes again.
func TestShapesLearn(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := shaped(t)
	var q struct {
		Questions []struct {
			Shape  string
			Size   struct{ W, H int }
			Cells  []int
			Answer []int
		}
	}
	if err := call("GET", base+"/api/v1/shapes/questions?term=own-hane&n=10&seed=7", "", nil, &q); err != nil || len(q.Questions) != 2 {
		t.Fatalf("%+v, %v", q, err)
	}
	p := b.Page(t, base, browser.Desktop)
	p.Go("/learn/shapes?term=own-hane")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	p.Keys(keys.Enter) // the button has the focus
	p.Until("it asks", `location.search.includes('quiz=1') && !!document.querySelector('.shape-quiz .quiz-ask')`)
	p.Go("/learn/shapes?term=own-hane&quiz=1&seed=7")
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "width")
	// walk brings the cursor from the middle to a point, and answers there.
	walk := func(w, h, to int) {
		p.Helper()
		p.Until("the cursor is there", `!!document.querySelector('.shape-quiz .cursor')`)
		for x := w / 2; x != to%w; {
			if x < to%w {
				p.Keys(keys.ArrowRight)
				x++
			} else {
				p.Keys(keys.ArrowLeft)
				x--
			}
		}
		for y := h / 2; y != to/w; {
			if y < to/w {
				p.Keys(keys.ArrowDown)
				y++
			} else {
				p.Keys(keys.ArrowUp)
				y--
			}
		}
		p.Keys(keys.Enter)
	}
	first := q.Questions[0]
	bad := -1
	for i, c := range first.Cells {
		if c == 1 && i != first.Answer[0] {
			bad = i
		}
	}
	walk(first.Size.W, first.Size.H, bad)
	p.Until("it was wrong", `!!document.querySelector('.quiz-ask.wrong') && document.querySelectorAll('.shape-quiz .good').length === `+fmt.Sprint(len(first.Answer)))
	p.Until("the shape is named", `!document.querySelector('.shape-quiz .side .card:nth-child(2)').hidden && !!document.querySelector('.shape-quiz a[href="/shapes/`+first.Shape+`"]')`)
	check(p, "contrast")
	if n := p.Text(`JSON.parse(localStorage.getItem('qipu.learn')).items.map(x => x.game + ' ' + x.line + ' ' + x.task.shape).join()`); n != "shapes "+first.Shape+" "+first.Shape {
		t.Errorf("what is to come back is %q", n)
	}
	p.Until("Enter goes on", `document.activeElement.matches('.shape-quiz .stage .btn')`)
	p.Keys(keys.Enter)
	second := q.Questions[1]
	p.Until("the next question", `/Question 2 of 3/.test(document.querySelector('.shape-quiz').textContent)`)
	walk(second.Size.W, second.Size.H, second.Answer[0])
	p.Until("it was right", `!!document.querySelector('.quiz-ask.right') && document.activeElement.matches('.shape-quiz .stage .btn')`)
	p.Keys(keys.Enter)
	p.Until("the mistake comes again", `/Question 3 of 3/.test(document.querySelector('.shape-quiz').textContent) && !document.querySelector('.quiz-ask.right')`)

	// Two days later it is asked for, turned another way.
	p.JS(`localStorage.setItem('qipu.learn', localStorage.getItem('qipu.learn').replace(/"due":\d+/, '"due":1'))`, nil)
	p.Go("/learn/shapes")
	p.Settle()
	p.Click(p.Named("1 mistake to repeat"))
	p.Until("it asks for the mistake", `/Question 1 of 1/.test(document.querySelector('.shape-quiz')?.textContent)`)
}
