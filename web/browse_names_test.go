package web_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	keys "github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
	"qipu/view"
)

// screens is a game of Xiangqi in which both sides have something with a name soon.
const screens = `[Game "Chinese Chess"]
[Event "中炮過河車對屏風馬"]
[Red "Left"]
[Black "Right"]
[Result "1-0"]
[Format "ICCS"]

1. H2-E2 H9-G7 2. H0-G2 I9-H9 3. I0-H0 B9-C7 4. H0-H6 C6-C5 5. C3-C4 D9-E8 1-0
`

// called serves a library that has it.
func called(t testing.TB) (base string) {
	return serve(t, func(t testing.TB, base string) {
		if _, err := importAll(base, "", []given{{"screens.pgn", []byte(screens)}}); err != nil {
			t.Fatal(err)
		}
	})
}

// asked returns what the server says.
func asked[T any](t testing.TB, base, path string, query ...string) (v T) {
	t.Helper()
	q := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		q.Set(query[i], query[i+1])
	}
	if err := call("GET", base+"/api/v1"+path+"?"+q.Encode(), "", nil, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// named waits until the cards on the page are those of a list.
func named(p *browser.Page, what string, list []view.Name) {
	p.Helper()
	ids := []string{}
	for _, n := range list {
		ids = append(ids, n.ID)
	}
	text, _ := json.Marshal(ids) // ids are always JSON
	p.Until(what, `JSON.stringify([...document.querySelectorAll('.name-card')].map(e => e.dataset.id)) === `+literal(string(text)))
}

// TestNamesList: what has a name is found by game, kind and words, with the mouse
// and with keys.
func TestNamesList(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := theWorld(t).base
	p := b.Page(t, base, browser.Desktop)
	p.Go("/names")
	p.Settle()
	all := asked[view.NameList](t, base, "/names", "game", "xiangqi", "limit", "48")
	named(p, "all names of Xiangqi are there", all.Names)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	for _, g := range all.Kinds {
		if g.Names > 0 && !p.Holds(fmt.Sprintf(`[...document.querySelectorAll('[aria-label=Kind] label')].some(e => e.textContent.endsWith(' %d'))`, g.Names)) {
			t.Errorf("the %d names of kind %s are not counted", g.Names, g.Kind)
		}
	}
	mates := asked[view.NameList](t, base, "/names", "game", "xiangqi", "kind", "mate", "order", "name", "limit", "48")
	if len(mates.Names) < 3 {
		t.Fatalf("there are %d mates", len(mates.Names))
	}
	p.Click(`[aria-label=Kind] label:nth-child(2)`)
	p.Until("it is in the address", `location.search.includes('kind=mate')`)
	p.JS(`(() => { const e = document.querySelector('.names select'); e.value = 'name'; e.dispatchEvent(new Event('change')); })()`, nil)
	named(p, "the mates are there by name", mates.Names)
	same(p)
	if n := p.Text(`document.querySelectorAll('.name-card .role').length`); n == "0" {
		t.Error("no piece has a ring on any card")
	}

	// By keys: to the box, a word, and to the first card.
	want := mates.Names[1]
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys("/")
	p.Until("the box has the focus", `document.activeElement.matches('.names input[type=search]')`)
	p.Keys(want.Names.Hant)
	found := asked[view.NameList](t, base, "/names", "game", "xiangqi", "kind", "mate", "order", "name", "q", want.Names.Hant, "limit", "48")
	named(p, "what is called so is there", found.Names)
	if !slices.ContainsFunc(found.Names, func(n view.Name) bool { return n.ID == want.ID }) {
		t.Fatalf("%s does not find %s", want.Names.Hant, want.ID)
	}
	p.JS(`document.querySelector('.name-card[data-id="`+want.ID+`"]').focus()`, nil)
	p.Keys(keys.Enter)
	p.Until("its page", `location.pathname === '/names/xiangqi/`+want.ID+`' && !!document.querySelector('.name-page h1')`)
	p.Back()
	p.Until("the catalogue is as it was", `location.search.includes('kind=mate') && !!document.querySelector('.name-card')`)

	// Another game, and nothing at all.
	p.JS(`[...document.querySelectorAll('.name-filters .seg label')].find(e => e.textContent === 'Othello').click()`, nil)
	p.Fill(".names input[type=search]", "nothing is called so")
	p.Until("nothing is found", `!!document.querySelector('.list-end .empty') && location.search.includes('g=othello')`)
	p.Click(p.Named("Show all"))
	named(p, "all names of Othello are there", asked[view.NameList](t, base, "/names", "game", "othello", "order", "name", "limit", "48").Names)
}

// TestNamesDetail: one of them with all that is known of it.
func TestNamesDetail(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := theWorld(t).base
	p := b.Page(t, base, browser.Desktop)
	list := asked[view.NameList](t, base, "/names", "game", "xiangqi", "kind", "mate", "limit", "10").Names
	d := asked[view.NameDetail](t, base, "/names/"+list[0].ID, "game", "xiangqi")
	p.Go("/names/xiangqi/" + d.Name.ID)
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	for _, want := range []string{d.Name.ID, d.Name.Names.En, d.Name.Names.Hant, d.Name.Note, d.Name.Source, d.Text} {
		if !p.Holds(`document.querySelector('main').textContent.includes(` + literal(want) + `)`) {
			t.Errorf("the page does not say %q", want)
		}
	}
	yes, rings := 0, 0
	for _, x := range d.Boards {
		if x.Match {
			yes++
		}
		rings += len(x.Roles)
	}
	if len(d.Boards) == 0 || yes == 0 {
		t.Errorf("%s has %d fixtures, %d of them good", d.Name.ID, len(d.Boards), yes)
	}
	if got, want := p.Text(`['true', 'false'].map(x => document.querySelectorAll('.name-boards figure[data-match=' + x + '] svg.board').length).join(' ') + ' ' + document.querySelectorAll('.name-boards figure .role').length`), fmt.Sprint(yes, len(d.Boards)-yes, rings); got != want {
		t.Errorf("fixtures and rings are %s, not %s", got, want)
	}
	if to := p.Text(`new URLSearchParams(document.querySelector('.head a.primary').search).get('q')`); to != d.Name.Query {
		t.Errorf("where it occurs leads to %s, not %s", to, d.Name.Query)
	}
	p.Keys("s")
	p.Until("the search tells the name", `location.pathname === '/search' && [...document.querySelectorAll('.condition .chip')].some(e => e.textContent.includes(`+literal(d.Name.Names.En)+`))`)
	p.Settle()
	check(p, "names", "frame", "keys")
	p.Click(`.condition .chip > button`)
	p.Until("the chip leads back", `location.pathname === '/names/xiangqi/`+d.Name.ID+`'`)

	// An opening has a line.
	openings := asked[view.NameList](t, base, "/names", "game", "othello", "kind", "opening", "limit", "10").Names
	o := asked[view.NameDetail](t, base, "/names/"+url.PathEscape(openings[0].ID), "game", "othello")
	p.Go("/names/othello/" + url.PathEscape(o.Name.ID))
	p.Settle()
	p.Keys("e")
	p.Until("the explorer walks it", `location.pathname === '/explore' && new URLSearchParams(location.search).get('m') === `+literal(o.Line)+` && [...document.querySelectorAll('.names-here .chip')].some(e => e.dataset.id === `+literal(o.Name.ID)+`)`)
	p.Go("/names/xiangqi/there-is-none")
	p.Settle()
	if !p.Holds(`/No such name/.test(document.querySelector('h1').textContent)`) {
		t.Error("a name that is not there is not missed")
	}
}

// TestNamesOverlay: the viewer and the explorer tell what has a name on the board,
// and light its pieces.
func TestNamesOverlay(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := called(t)
	p := b.Page(t, base, browser.Desktop)
	const line = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7"
	here := asked[view.NamesAt](t, base, "/names/at", "game", "xiangqi", "line", line).Names
	if len(here) == 0 {
		t.Fatal("nothing has a name")
	}
	chips := func(what string, list []view.NameAt) {
		t.Helper()
		ids := []string{}
		for _, n := range list {
			ids = append(ids, n.ID)
		}
		p.Until(what, `!document.querySelector('.names-here.stale') && [...document.querySelectorAll('.names-here .chip')].map(e => e.dataset.id).join(' ') === `+literal(strings.Join(ids, " ")))
	}
	p.Go("/records/1#6")
	p.Settle()
	p.Keys("m")
	p.Until("it is in the address", `location.search.includes('names=1')`)
	chips("what has a name is told", here)
	hears(p, here[0].Names.En)
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	for i, n := range here {
		p.JS(fmt.Sprintf(`document.querySelectorAll('.names-here .chip > button')[%d].focus()`, i), nil)
		p.Until(n.ID+" is lit", fmt.Sprintf(`document.querySelectorAll('.stage .role').length === %d`, len(n.Roles)))
		if n.Side >= 0 && !p.Holds(fmt.Sprintf(`document.querySelectorAll('.names-here .chip')[%d].querySelector('.side-mark').getAttribute('aria-label') === %q`, i, []string{"Red", "Black"}[n.Side])) {
			t.Errorf("%s does not say whose it is", n.ID)
		}
	}
	p.JS(`document.activeElement.blur()`, nil)
	p.Until("it is dark again", `document.querySelectorAll('.stage .role').length === 0`)

	// What is pressed stays lit, move by move, while it stands.
	i := slices.IndexFunc(here, func(n view.NameAt) bool { return len(n.Roles) > 0 })
	if i < 0 {
		t.Fatal("nothing has parts")
	}
	p.JS(fmt.Sprintf(`(() => { const e = document.querySelectorAll('.names-here .chip > button')[%d]; e.click(); e.blur(); })()`, i), nil)
	p.Until("it stays lit", fmt.Sprintf(`document.querySelectorAll('.stage .role').length === %d && !!document.querySelector('.names-here [aria-pressed=true]')`, len(here[i].Roles)))
	p.Keys(keys.Home)
	chips("at the start is what is there", asked[view.NamesAt](t, base, "/names/at", "game", "xiangqi").Names)
	p.Keys(keys.ArrowRight)
	first := asked[view.NamesAt](t, base, "/names/at", "game", "xiangqi", "line", "h2e2").Names
	chips("another position, other names", first)
	p.Go("/records/1?names=1#6")
	p.Settle()
	chips("the address brings it back", here)
	if to := p.Text(`new URLSearchParams(document.querySelector('.names-here a:last-child').search).get('q')`); to != here[0].Query {
		t.Errorf("the search is %s, not %s", to, here[0].Query)
	}
	p.Keys("m")
	p.Until("it is taken off", `!location.search.includes('names') && document.querySelector('.names-here').closest('[hidden]') !== null`)

	p.Go("/explore?g=xiangqi&m=" + url.QueryEscape(line))
	p.Settle()
	chips("the explorer tells it too", here)
	p.JS(fmt.Sprintf(`document.querySelectorAll('.names-here .chip > button')[%d].focus()`, i), nil)
	p.Until("and lights it", fmt.Sprintf(`document.querySelectorAll('.stage .role').length === %d`, len(here[i].Roles)))
	p.Click(`.names-here a[href^="/names/"]`)
	p.Until("the catalogue has it", `location.pathname === '/names/xiangqi/`+here[0].ID+`' && !!document.querySelector('.name-page')`)
}

// TestNamesTerms: the words of the library, and a title that is taken apart.
func TestNamesTerms(t *testing.T) {
	t.Parallel()
	b := shared(t)
	base := called(t)
	p := b.Page(t, base, browser.Desktop)
	p.Go("/names")
	p.Settle()
	p.Click(p.Named("Terms"))
	list := asked[view.Terms](t, base, "/terms", "game", "xiangqi", "limit", "500")
	if len(list.Terms) == 0 {
		t.Fatal("there are no terms")
	}
	p.Until("the terms are there", fmt.Sprintf(`location.search.includes('tab=terms') && document.querySelectorAll('.name-terms tr[data-id]').length === %d`, len(list.Terms)))
	p.Settle()
	check(p, "names", "frame", "contrast", "keys", "focus", "width")
	const title = "中炮過河車對屏風馬"
	split := asked[view.SplitTerms](t, base, "/terms/split", "game", "xiangqi", "text", title)
	if len(split.Pieces) < 2 {
		t.Fatalf("%s is %d pieces", title, len(split.Pieces))
	}
	p.Fill(".name-terms input", title)
	p.Until("the title is taken apart", fmt.Sprintf(`document.querySelectorAll('.name-split .chip').length === %d`, len(split.Pieces)))
	for i, x := range split.Pieces {
		side := ""
		if x.Side >= 0 {
			side = []string{"red", "black"}[x.Side]
		}
		if got := p.Text(fmt.Sprintf(`(e => [e.querySelector('.chip-text > span').textContent, e.dataset.term ?? '', e.dataset.side ?? '', !!e.querySelector('a')].join('|'))(document.querySelectorAll('.name-split .chip')[%d])`, i)); got != fmt.Sprintf("%s|%s|%s|%t", x.Text, x.Term, side, x.Term != "") {
			t.Errorf("piece %d is %s, not %+v", i, got, x)
		}
	}
	check(p, "names", "frame", "contrast", "width")
	i := slices.IndexFunc(list.Terms, func(x view.Term) bool { return x.Name != "" })
	if i < 0 {
		t.Fatal("no term stands for a pattern")
	}
	x := list.Terms[i]
	p.Click(`tr[data-id="` + x.ID + `"] td:last-child a`)
	p.Until("its pattern", `location.pathname === '/names/xiangqi/`+x.Name+`' && !!document.querySelector('.name-page')`)
}
