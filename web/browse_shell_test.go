package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"qipu/internal/browser"
	"qipu/web"
)

func since(t time.Time) time.Duration { return time.Since(t).Round(time.Millisecond) }

// TestSettings: language and colours change at once, are there after a reload,
// and what a link says wins over them.
func TestSettings(t *testing.T) {
	t.Parallel()
	p := visit(t, "/settings", browser.Desktop)
	light := p.Text(`getComputedStyle(document.documentElement).backgroundColor`)
	p.Click(p.Named("Dark"))
	p.Until("it is dark", `document.documentElement.dataset.theme === 'dark' && getComputedStyle(document.documentElement).backgroundColor !== `+literal(light))
	if got := p.Text(`document.querySelector('meta[name=theme-color]').content`); got != "#171614" {
		t.Errorf("the frame of the browser is %s", got)
	}
	p.JS(`(() => { const s = [...document.querySelectorAll('select')].find(s => s.value === ''); s.value = 'ko'; s.dispatchEvent(new Event('change')) })()`, nil)
	p.Until("it is Korean", `document.documentElement.lang === 'ko' && document.querySelector('h1').textContent === '설정'`)
	p.Click(`header .tools a[href="/help"]`)
	p.Until("the next page is Korean, too", `location.pathname === '/help' && document.querySelector('h1').textContent === '도움말'`)
	p.Reload()
	p.Settle()
	if !p.Holds(`document.documentElement.lang === 'ko' && document.documentElement.dataset.theme === 'dark' && document.querySelector('h1').textContent === '도움말'`) {
		t.Error("the choices are gone after a reload")
	}
	// A link that says how the board is to look wins over the settings.
	p.JS(`localStorage.setItem('qipu.prefs', JSON.stringify({coordinates: false}))`, nil)
	p.Go("/search?g=othello")
	p.Settle()
	without := p.Text(`document.querySelectorAll('.board svg text').length`)
	p.Go("/search?g=othello&coordinates=on")
	p.Settle()
	if with := p.Text(`document.querySelectorAll('.board svg text').length`); with == without {
		t.Errorf("a link with coordinates shows %s texts, the settings without %s", with, without)
	}
	p.Go("/settings")
	p.Settle()
	p.Click(p.Named("Reset all settings"))
	p.Click(`dialog[open] footer .danger`)
	p.Until("the settings are as at first", `[...document.querySelectorAll('.toggle')].find(e => e.textContent === 'Coordinates').querySelector('input').checked`)
}

// TestLanguages: the menu in the header changes all texts, and the language of
// the document; the browser's wish holds where nothing was chosen.
func TestLanguages(t *testing.T) {
	t.Parallel()
	p := visit(t, "/settings", browser.Desktop)
	names := map[string]string{"en": "English", "zh-Hant": "繁體中文", "zh-Hans": "简体中文", "ja": "日本語", "ko": "한국어"}
	seen := map[string]string{}
	for _, lang := range append(web.Languages()[1:], "en") {
		p.Click(`header .tools .menu-at button`)
		p.Click(p.Named(names[lang]))
		p.Until("it is "+lang, `document.documentElement.lang === '`+lang+`'`)
		p.Settle()
		check(p, "keys", "names")
		text := p.Text(`document.querySelector('main').innerText`)
		for other, before := range seen {
			if before == text {
				t.Errorf("the page says the same in %s and %s", lang, other)
			}
		}
		seen[lang] = text
	}
	for wish, want := range map[string]string{"zh-TW": "zh-Hant", "zh-CN": "zh-Hans", "ja-JP": "ja", "fr": "en"} {
		p := visit(t, "/help", browser.Desktop.In(wish))
		if got := p.Text(`document.documentElement.lang`); got != want {
			t.Errorf("who wants %s gets %s", wish, got)
		}
	}
}

// TestHelp: the keys are listed, every example can be run, and every field has an
// example that runs.
func TestHelp(t *testing.T) {
	t.Parallel()
	p := visit(t, "/help", browser.Desktop)
	if n := p.Text(`document.querySelectorAll('#keys tr').length`); len(n) < 2 {
		t.Errorf("%s keys are listed", n)
	}
	var links []string
	p.JS(`[...new Set([...document.querySelectorAll('.list a, #fields a')].map(a => a.getAttribute('href')))]`, &links)
	if len(links) < 20 {
		t.Fatalf("only %d examples", len(links))
	}
	// The server is asked as the page would ask it: pages of all of them would take minutes.
	for _, link := range links {
		query, ok := strings.CutPrefix(link, "/search?")
		if !ok {
			t.Errorf("%s is no search", link)
			continue
		}
		query = strings.Replace("&"+query, "&g=", "&game=", 1)[1:]
		err := call("GET", theWorld(t).base+"/api/v1/find?limit=1&"+query, "", nil, nil)
		switch {
		case err == nil, strings.Contains(err.Error(), "there is no collection"), strings.Contains(err.Error(), "nothing is called"):
		case strings.Contains(err.Error(), "of which game"): // the page knows
			p := visit(t, link, browser.Desktop)
			if p.Holds(`[...document.querySelectorAll('.mistake')].some(e => e.innerText)`) {
				t.Errorf("the example %s does not run: %s", link, p.Text(`[...document.querySelectorAll('.mistake')].map(e => e.innerText)`))
			}
		default:
			t.Errorf("the example %s does not run: %v", link, err)
		}
	}
	p.Click(`.list a:nth-child(2)`)
	p.Until("the example runs", `location.pathname === '/search' && document.querySelector('svg.board') !== null`)
	p.Settle()
	p.Back()
	p.Until("back is the help", `location.pathname === '/help' && document.querySelector('#keys') !== null`)
	// The question mark shows the keys of any page, Escape closes them.
	p.JS(`document.activeElement.blur()`, nil)
	p.Keys("?")
	p.Until("the keys are shown", `document.querySelector('dialog[open] table.keys') !== null`)
	check(p, "names", "contrast")
	p.Keys(kb.Escape)
	p.Until("they are gone", `document.querySelector('dialog') === null`)
	p.Keys("/")
	p.Until("the slash searches", `location.pathname === '/search'`)
}

// TestAPI: the page lists every operation that the document has, and the form
// asks the server.
func TestAPI(t *testing.T) {
	t.Parallel()
	p := visit(t, "/api", browser.Desktop)
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := call("GET", theWorld(t).base+"/api/v1/openapi.json", "", nil, &doc); err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths {
		for method, op := range item {
			if !p.Holds(`(document.getElementById('` + op.OperationID + `')?.querySelector('summary').textContent ?? '').startsWith('` + strings.ToUpper(method) + ` ` + path + ` ')`) {
				t.Errorf("%s %s is not listed", method, path)
			}
		}
	}
	p.Fill(`.api-nav input`, "get /players/{name}")
	left := 0
	for path, item := range doc.Paths {
		if _, ok := item["get"]; ok && strings.Contains(path, "/players/{name}") {
			left++
		}
	}
	p.Until("the list is filtered", fmt.Sprintf(`[...document.querySelectorAll('.op')].filter(e => e.getClientRects().length).length === %d`, left))
	op := "#" + doc.Paths["/players/{name}"]["get"].OperationID
	p.Click(op + ` summary`)
	p.Fill(op+` .trial input`, "Ito Haru")
	p.Until("the line is there", `document.querySelector('.trial .curl code').textContent.endsWith("/api/v1/players/Ito%20Haru'")`)
	p.Click(p.Named("Send"))
	p.Until("the answer is there", `document.querySelector('.trial .answer')?.textContent.includes('"name": "Ito Haru"')`)
	check(p, "names", "frame", "contrast")
	p.Reload()
	p.Settle()
	if !p.Holds(`location.hash.length > 1 && document.querySelector(location.hash).open`) {
		t.Errorf("after a reload at %s the operation is folded", p.URL())
	}
}

// TestBack: going back brings the place in the page back, too.
func TestBack(t *testing.T) {
	t.Parallel()
	p := visit(t, "/help", browser.Desktop)
	p.JS(`scrollTo(0, 700)`, nil)
	p.Until("the place is noted, as it is when scrolling pauses", `history.state?.scroll === 700`)
	p.JS(`document.querySelector('header .nav a[href^="/players"]').click()`, nil) // a mouse would have to scroll up for it
	p.Until("the players are there", `location.pathname === '/players' && document.querySelector('.people tbody tr') !== null && scrollY === 0`)
	p.Back()
	p.Until("the place is there again", `location.pathname === '/help' && Math.abs(scrollY - 700) < 2`)
	// Links that lead nowhere say so.
	p.Go("/nowhere/else")
	p.Until("it is told", `document.querySelector('h1')?.textContent === 'There is no such page'`)
}
