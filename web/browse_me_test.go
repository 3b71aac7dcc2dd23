package web_test

import (
	"path/filepath"
	"testing"

	"qipu/internal/browser"
)

// TestMyGames: a name is made and chosen, says which player it is, and sees how the games went; a mistake
// in a quiz comes back to the name and not to the browser.
func TestMyGames(t *testing.T) {
	base, stop, err := start(filepath.Join(t.TempDir(), "library"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	sampleGames(t, base)
	p := shared(t).Page(t, base, browser.Desktop)
	p.Go("/me")
	p.Settle()
	p.Fill(".page input[maxlength='60']", "Mia")
	p.Click(p.Named("Add"))
	p.Until("the name can be chosen", `[...document.querySelectorAll('[aria-pressed]')].some(x => x.textContent === 'Mia')`)
	p.Click("[aria-pressed]")
	p.Until("the part about games", `document.querySelector('.career form input')`)
	p.Fill(".career form input", "Demo Alpha")
	p.Click(p.Named("This is me"))
	p.Until("the games are counted", `document.querySelector('.career .names a')?.textContent === 'Demo Alpha' && document.querySelectorAll('.career table').length > 4`)
	p.Until("all parts", `[...document.querySelectorAll('.career h3')].map(x => x.textContent).join('; ') === 'Side; Years; Opponent’s strength; Opponents; Latest games; First moves · Go 9x9'`)
	if text := p.Text(`document.querySelector('.career p.muted:not(:first-child)').textContent`); text == "" {
		t.Error("no summary")
	}
	p.Go("/learn/openings?g=othello&o=f5+d6&level=strict")
	p.Settle()
	p.JS(`fetch('/api/v1/me/boxes', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({deck: 'othello', key: 'f5 d6', right: false})})`, nil)
	p.Go("/me")
	p.Until("the question waits", `document.body.textContent.includes('Questions that come back: 1')`)
	if p.Holds(`(localStorage.getItem('qipu.learn') ?? '').includes('f5 d6')`) {
		t.Error("the browser has kept it, too")
	}
}
