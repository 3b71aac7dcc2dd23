package web_test

import (
	"strings"
	"testing"

	"qipu/internal/browser"
)

// TestTwoScreens has two browsers sit down at a game by an invitation, while a third
// watches: the link, the names, and what who watches is not offered.
func TestTwoScreens(t *testing.T) {
	a := visit(t, "/play?g=othello", browser.Desktop)
	a.JS(`localStorage.setItem('qipu.prefs', '{"animation":false}')`, nil)
	a.JS(`localStorage.setItem('qipu.play', '{"side":"invite","name":"Ada","tips":false}')`, nil)
	a.Reload()
	a.Settle()
	a.Click(".play-go")
	a.Until("there is an invitation", `document.querySelector('.play-seats img.qr') && document.querySelector('.play-seats code')`)
	link := a.Text(`document.querySelector('.play-seats code').textContent`)
	watch, key, _ := strings.Cut(link, "#")
	if key == "" || !a.Holds(`!location.hash`) {
		t.Fatalf("the link is %s", link)
	}
	path := watch[strings.Index(watch, "/play"):]
	check(a, "names", "frame", "contrast", "width")
	b, c := visit(t, path+"#"+key, browser.Desktop), visit(t, path, browser.Desktop)
	b.Until("somebody may sit down", `document.querySelector('.play-seats input') && !location.hash`)
	check(b, "names", "frame", "contrast", "width")
	b.JS(`document.querySelector('.play-seats input').value = 'Bea'`, nil)
	b.Click(".play-seats .btn.primary")
	for _, p := range []*browser.Page{a, b, c} {
		p.Until("both names are there", `/Ada/.test(document.querySelector('.play-sides').textContent) && /Bea/.test(document.querySelector('.play-sides').textContent)`)
	}
	if !c.Holds(`/watching/.test(document.querySelector('.play-seats').textContent) && !document.querySelector('.play-tools [aria-label="Resign"]')`) {
		t.Error("who watches may play")
	}
}
