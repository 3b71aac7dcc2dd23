package web_test

import (
	"strconv"
	"strings"
	"testing"

	"qipu/internal/browser"
)

// TestPlayersMerged: two players become one by a dialog that tells beforehand
// what happens, and two again when it is undone.
func TestPlayersMerged(t *testing.T) {
	t.Parallel()
	base := serve(t, sampleGames)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/players")
	p.Settle()
	count := p.Text(`document.querySelectorAll('.people tbody tr').length`)
	p.Fill(`[data-search]`, "demo a")
	p.Until("the list is searched", `new URLSearchParams(location.search).get('q') === 'demo a' && [...document.querySelectorAll('.people tbody th a')].some(a => a.textContent === 'Demo Ada') && document.querySelectorAll('.people tbody tr').length < `+count)
	p.Fill(`[data-search]`, "")
	p.Until("all are there", `document.querySelectorAll('.people tbody tr').length === `+count)
	p.Click(`input[aria-label="Choose Demo Ada"]`)
	p.Click(`input[aria-label="Choose Demo Bob"]`)
	p.Click(p.Named("Merge"))
	p.Until("it tells what will be", `/Demo (Ada|Bob), Demo (Ada|Bob) will be listed as Demo (Ada|Bob)\./.test(document.querySelector('.dialog-says')?.textContent)`)
	check(p, "names", "contrast")
	p.Fill(`dialog input[maxlength]`, "Demo Abba")
	p.Until("it tells the new name", `document.querySelector('.dialog-says').textContent.endsWith('will be listed as Demo Abba.') && !document.querySelector('dialog [value=yes]').disabled`)
	p.Click(`dialog [value=yes]`)
	p.Until("they are one", `(() => { const names = [...document.querySelectorAll('.people tbody th a')].map(a => a.textContent); return names.includes('Demo Abba') && !names.includes('Demo Ada') && !names.includes('Demo Bob') && names.length === `+count+` - 1 })()`)
	p.Click(`.people tbody th a[href="/players/Demo%20Abba"]`)
	p.Until("the page of both", `document.querySelector('h1')?.textContent === 'Demo Abba' && ['Demo Ada', 'Demo Bob'].every(n => document.querySelector('.names').textContent.includes(n))`)
	p.Settle()
	check(p, "names", "frame", "contrast")
	p.Go("/players?tab=edits")
	p.Settle()
	p.Click(p.Named("Undo"))
	p.Until("it is undone", `document.querySelector('.undone') !== null`)
	p.Click(p.Named("Players"))
	p.Go("/players")
	p.Until("they are two again", `(() => { const names = [...document.querySelectorAll('.people tbody th a')].map(a => a.textContent); return names.includes('Demo Ada') && names.includes('Demo Bob') && !names.includes('Demo Abba') && names.length === `+count+` })()`)
}

// TestPlayersPhone: on a phone the games and the score of a player are seen beside
// the name.
func TestPlayersPhone(t *testing.T) {
	t.Parallel()
	p := visit(t, "/players", browser.Phone)
	p.Until("the players are there", `document.querySelector('.people tbody tr')`)
	if !p.Holds(`[...document.querySelectorAll('.people tbody tr')].every(tr => [...tr.querySelectorAll('td.num:not(.when), td.how-far, th')].every(c => { const r = c.getBoundingClientRect(); return r.width > 40 && r.left >= 0 && r.right <= innerWidth && c.scrollWidth <= c.clientWidth + 1 }))`) {
		t.Error("a name, its games or its score are outside of the window: ", p.Text(`JSON.stringify([...document.querySelectorAll(".people tbody tr:first-child > *")].map(c => [c.className, c.getBoundingClientRect().right, c.scrollWidth, c.clientWidth]))`))
	}
}

// TestPlayer: the page of a player leads to the games, and to those against
// somebody.
func TestPlayer(t *testing.T) {
	t.Parallel()
	p := visit(t, "/players/{player}", browser.Desktop)
	n := p.Text(`document.querySelector('.head .btn.primary').textContent.replace(/\D/g, '')`)
	if n == "" || n == "0" {
		t.Fatalf("the player has %q games", n)
	}
	p.Click(`.head .btn.primary`)
	p.Until("the games are listed", `location.pathname === '/records' && new URLSearchParams(location.search).get('q').includes('Ito Haru')`)
	p.Settle()
	p.Until("the list tells of "+n+" games", `document.querySelector('main')?.innerText.replace(/,/g, '').includes('`+n+`')`)
}

// TestEventsMerged: names of events become one as players do, the games of both are
// found under it, and the journal tells of it and takes it back.
func TestEventsMerged(t *testing.T) {
	t.Parallel()
	base := serve(t, sampleGames)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/players")
	p.Settle()
	p.Click(`.head a[href="/events"]`)
	p.Until("the events are there", `location.pathname === '/events' && document.querySelectorAll('.people tbody tr').length > 2`)
	p.Settle()
	check(p, "names", "frame", "contrast")
	count := p.Text(`document.querySelectorAll('.people tbody tr').length`)
	names := p.Text(`[...document.querySelectorAll('.people tbody th a')].slice(0, 2).map(a => a.textContent).join('\n')`)
	a, b, _ := strings.Cut(names, "\n")
	p.Click(`.people tbody tr:nth-child(1) input`)
	p.Click(`.people tbody tr:nth-child(2) input`)
	p.Click(p.Named("Merge"))
	p.Fill(`dialog input[maxlength]`, "The Great Cup")
	p.Until("it tells the new name", `document.querySelector('.dialog-says').textContent.endsWith('will be listed as The Great Cup.') && !document.querySelector('dialog [value=yes]').disabled`)
	p.Click(`dialog [value=yes]`)
	p.Until("they are one", `(() => { const names = [...document.querySelectorAll('.people tbody th a')].map(a => a.textContent); return names.includes('The Great Cup') && names.length === `+count+` - 1 })()`)
	n := p.Text(`document.querySelector('.people tbody tr td.num').textContent`)
	p.Click(`.people tbody th a`)
	p.Until("the games of both are listed", `location.pathname === '/records' && new URLSearchParams(location.search).get('q') === 'event="The Great Cup"' && document.querySelector('main')?.innerText.includes('`+n+`')`)
	p.Go("/log")
	p.Until("the journal tells of it", `document.querySelector('main')?.innerText.includes('The Great Cup')`)
	p.Go("/events?tab=edits")
	p.Settle()
	p.Click(p.Named("Undo"))
	p.Until("it is undone", `document.querySelector('.undone') !== null`)
	p.Go("/events")
	p.Until("they are two again", `(() => { const names = [...document.querySelectorAll('.people tbody th a')].map(a => a.textContent); return names.includes(`+strconv.Quote(a)+`) && names.includes(`+strconv.Quote(b)+`) && names.length === `+count+` })()`)
}
