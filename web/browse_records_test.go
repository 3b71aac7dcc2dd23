package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
)

// listed waits until the library tells a number of records.
func listed(p *browser.Page, n string) {
	p.Helper()
	p.Until(n+" records are told", `document.querySelector('.records-title [role=status]').textContent.startsWith(`+literal(n+" ")+`)`)
	p.Settle()
}

func counted(p *browser.Page) string {
	p.Helper()
	return p.Text(`document.querySelector('.records-title [role=status]').textContent.split(' ')[0]`)
}

// scrollUntil scrolls down a list as a reader does, to its end and a little back,
// until something holds.
func scrollUntil(p *browser.Page, expression string) {
	p.Helper()
	for range 60 {
		if p.Holds(expression) {
			return
		}
		p.JS(`scrollTo(0, document.body.scrollHeight - 2500)`, nil)
		p.Settle()
		p.JS(`scrollTo(0, document.body.scrollHeight)`, nil)
		p.Settle()
	}
	p.Errorf("the list has no such end: %s", expression)
}

// TestRecordsFacets narrows the list by facets, chips and words.
func TestRecordsFacets(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records?g=weiqi", browser.Desktop)
	all := counted(p)
	facet := func(group, label string) (n string) {
		t.Helper()
		find := `[...document.querySelectorAll('.facets details')].find(d => d.querySelector('summary').textContent === ` + literal(group) + `)`
		p.JS(`(() => { const b = [...`+find+`.querySelectorAll('li button')].find(b => b.querySelector('.cut').textContent === `+literal(label)+`); b.setAttribute('data-facet', ''); return b.querySelector('.num').textContent })()`, &n)
		p.Click(`[data-facet]`)
		return n
	}
	n := facet("Player", people[0])
	listed(p, n)
	if got := p.Text(`new URLSearchParams(location.search).get('q')`); got != `player="`+people[0]+`"` && got != `player:"`+people[0]+`"` {
		t.Errorf("the query is %s", got)
	}
	if got := p.Text(`document.querySelector('.records-chips').textContent`); !strings.Contains(got, people[0]) {
		t.Errorf("the chips are %q", got)
	}
	if p.Holds(`[...document.querySelectorAll('.game-row')].some(r => !r.textContent.includes(` + literal(people[0]) + `))`) {
		t.Error("the list has games of others")
	}
	same(p)
	m := facet("Event", "Spring League")
	listed(p, m)
	if got := p.Text(`document.querySelectorAll('.records-chips .chip').length`); got != "2" {
		t.Errorf("two conditions make %s chips", got)
	}
	p.Click(`.records-chips .chip:nth-child(1) .chip-x`)
	p.Until("the chip is gone", `document.querySelectorAll('.records-chips .chip').length === 1`)
	p.Settle()
	p.Back()
	listed(p, m)
	p.Click(p.Named("Clear the filters"))
	listed(p, all)

	// The box: completion, words, and mistakes.
	p.Fill(`.query-text`, "play")
	p.Until("completions are offered", `document.querySelector('.completions:not([hidden])')?.textContent.includes('player')`)
	p.Keys(kb.ArrowDown)
	p.Keys(kb.Enter)
	p.Until("one is taken", `document.querySelector('.query-text').value.startsWith('player')`)
	p.Fill(`.query-text`, "player:(")
	p.Until("a mistake is shown", `document.querySelector('.mistake:not([hidden]) strong')`)
	p.Fill(`.query-text`, "haru")
	p.Until("words narrow the list", `new URLSearchParams(location.search).get('q') === 'haru'`)
	listed(p, n)
	p.Fill(`.query-text`, "nobodywouldwritethis league")
	p.Until("nothing is found, and it says what to leave out", `document.querySelector('.records-list + .list-end .empty button')`)
	p.Settle()
	same(p)
}

// TestRecordsEndless: the list goes on to its last record, in the order that was
// asked for.
func TestRecordsEndless(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records?g=weiqi", browser.Desktop)
	p.JS(`(() => { const s = document.querySelector('.records-order select'); s.value = '-date'; s.dispatchEvent(new Event('change', {bubbles: true})) })()`, nil)
	p.Until("the order is in the address", `new URLSearchParams(location.search).get('sort') === '-date'`)
	p.Settle()
	same(p)
	n := counted(p)
	scrollUntil(p, `document.querySelector('.records-list + .list-end').textContent.includes('That is all')`)
	var years []int
	p.JS(`[...document.querySelectorAll('.records-list .game-row')].map(r => +(r.textContent.match(/(?:19|20)\d\d(?= ·)/)?.[0] ?? 0))`, &years)
	if fmt.Sprint(len(years)) != n {
		t.Errorf("the list ends after %d of %s records", len(years), n)
	}
	for i := 1; i < len(years); i++ {
		if years[i-1] != 0 && years[i] > years[i-1] {
			t.Errorf("row %d is of %d, after %d", i, years[i], years[i-1])
			break
		}
	}
	// The place in the list is kept by Back.
	p.JS(`scrollTo(0, 3000)`, nil)
	p.JS(`[...document.querySelectorAll('.game-row')].find(r => r.getBoundingClientRect().top > 200).click()`, nil)
	p.Until("a record is open", `/^.records.\d+$/.test(location.pathname)`)
	p.Settle()
	p.Back()
	p.Until("the list is where it was", `location.pathname === '/records' && Math.abs(scrollY - 3000) < 5`)
}

// TestRecordsBulk: tags, collections and deleting, of some and of all.
func TestRecordsBulk(t *testing.T) {
	t.Parallel()
	theWorld(t)
	base := serve(t, sampleGames)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/records?g=othello")
	p.Settle()
	all := counted(p)
	box := func(i int) (x, y float64) {
		return p.At(fmt.Sprintf(`.pick-row:nth-child(%d) input`, i))
	}
	x, y := box(1)
	p.ClickXY(x, y)
	x, y = box(3)
	p.ClickWith(x, y, chromedp.ModifierShift)
	p.Until("three are selected", `document.querySelector('.records-bulk b').textContent.startsWith('3 ') && document.querySelectorAll('.pick-row :checked').length === 3`)
	label := func(item, name string) {
		t.Helper()
		p.Click(p.Named("Tags and collections"))
		p.Click(p.Named(item))
		p.Fill(`dialog input`, name)
		p.Click(`dialog footer .primary`)
		p.Until("the dialog is closed", `!document.querySelector('dialog')`)
		p.Settle()
	}
	count := func(q string) (n int) {
		t.Helper()
		var r struct{ Games int }
		if err := call("GET", base+"/api/v1/records?limit=1&q="+url.QueryEscape(q), "", nil, &r); err != nil {
			t.Fatal(err)
		}
		return r.Games
	}
	label("Add a tag", "for study")
	if got := count(`tag:"for study"`); got != 3 {
		t.Errorf("%d records have the tag", got)
	}
	label("Remove a tag", "for study")
	if got := count(`tag:"for study"`); got != 0 {
		t.Errorf("%d records still have the tag", got)
	}
	label("Put into a collection", "Evenings")
	if got := count(`collection:Evenings`); got != 3 {
		t.Errorf("%d records are in the collection", got)
	}
	p.Keys(kb.Escape)
	p.Until("none is selected", `document.querySelector('.records-bulk').hidden`)

	// What is exported is what is selected.
	p.JS(`document.querySelector('.records-bar .check input').click()`, nil)
	p.Until("all are selected", `document.querySelector('.records-bulk b').textContent.startsWith(`+literal(all+" ")+`)`)
	p.Click(p.Named("Export"))
	var href string
	p.JS(`[...document.querySelectorAll('.menu:not([hidden]) a[download]')].find(a => a.textContent.includes('CSV')).href`, &href)
	reply, err := http.Get(href)
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if got := reply.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("the export comes as %q", got)
	}
	p.Keys(kb.Escape)

	// The number must be typed before anything is deleted.
	x, y = box(1)
	p.ClickXY(x, y) // all but this one
	p.Click(p.Named("Select none"))
	x, y = box(2)
	p.ClickXY(x, y)
	before := count("game:othello")
	p.Click(p.Named("Delete"))
	p.Fill(`dialog input`, "7")
	p.Click(`dialog footer .danger`)
	if !p.Holds(`document.querySelector('dialog')`) || count("game:othello") != before {
		t.Error("a wrong number deletes")
	}
	p.Fill(`dialog input`, "1")
	p.Click(`dialog footer .danger`)
	p.Until("it is gone", `!document.querySelector('dialog') && document.querySelector('.toast.success')`)
	p.Settle()
	if got := count("game:othello"); got != before-1 {
		t.Errorf("%d records are left of %d", got, before)
	}

	// Collections are renamed and dropped in the dialog of all of them.
	p.Click(p.Named("Collections and tags"))
	p.Click(p.Named("Rename Evenings"))
	p.Fill(`dialog .label-edit input`, "Mornings")
	p.Keys(kb.Enter)
	p.Until("it has another name", `document.querySelector('dialog .label-name')?.textContent === 'Mornings'`)
	p.Keys(kb.Escape)
	p.Until("the dialog is closed", `!document.querySelector('dialog')`)
	p.Settle()
	if got := count(`collection:Mornings`); got == 0 {
		t.Error("the collection has no records under its new name")
	}
}

// TestRecordsKeys goes through the list by keys, and opens a record.
func TestRecordsKeys(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records?g=renju", browser.Desktop)
	p.JS(`document.querySelector('.game-row').focus()`, nil)
	p.Keys(kb.ArrowDown)
	p.Until("the second row", `document.activeElement === document.querySelectorAll('.game-row')[1]`)
	p.Keys("x")
	p.Until("it is picked", `document.querySelector('.records-bulk b').textContent.startsWith('One') || document.querySelector('.records-bulk b').textContent.startsWith('1 ')`)
	p.Keys("x")
	p.Until("and left", `document.querySelector('.records-bulk').hidden`)
	p.Keys(kb.ArrowUp)
	p.Keys("/")
	p.Until("the box has the focus", `document.activeElement.matches('.query-text')`)
	p.JS(`document.querySelector('.game-row').focus()`, nil)
	p.Keys(kb.Enter)
	p.Until("the record is open", `/^.records.\d+$/.test(location.pathname)`)
}

// TestRecordsPhone: the facets lie in a drawer.
func TestRecordsPhone(t *testing.T) {
	t.Parallel()
	p := visit(t, "/records?g=weiqi", browser.Phone)
	if p.Holds(`document.querySelector('.facets').getClientRects().length`) {
		t.Error("the facets are open")
	}
	p.Click(p.Named("Filters"))
	p.Until("the facets are there", `document.querySelector('.facets button').getClientRects().length && document.querySelector('.facets-toggle').getAttribute('aria-expanded') === 'true'`)
	p.Click(`.facets li button`)
	p.Until("a condition", `document.querySelectorAll('.records-chips .chip').length === 1`)
	p.Settle()
	check(p, "width", "targets")
}

// TestRecordsEmpty: an empty library invites to fill it.
func TestRecordsEmpty(t *testing.T) {
	t.Parallel()
	theWorld(t)
	p := shared(t).Page(t, serve(t, nil), browser.Desktop)
	p.Go("/records")
	p.Settle()
	p.Click(`main .empty a[href="/import"]`)
	p.Until("the import is open", `location.pathname === '/import'`)
	p.Go("/explore?g=xiangqi")
	p.Settle()
	if !p.Holds(`document.querySelector('.explore-state a[href="/import"]')`) {
		t.Error("the explorer of an empty library does not say how to fill it")
	}
}
