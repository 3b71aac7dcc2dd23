package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"qipu/internal/browser"
	"qipu/server"
	"qipu/view"
)

// TestPasskeyPages: who has come by a link makes a passkey, logs in by it, and revokes it. The browser
// is a real one, its authenticator one of the protocol of its tools.
func TestPasskeyPages(t *testing.T) {
	b := shared(t)
	base, stop, err := start(filepath.Join(t.TempDir(), "library"), nil, func(o *server.Options) { o.Exposed, o.Token, o.Rate = true, "owner-token", -1 })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	base = strings.Replace(base, "127.0.0.1", "localhost", 1) // passkeys are bound to a name
	owner := func(path, body string, into any) {
		t.Helper()
		r, err := http.NewRequest("POST", base+"/api/v1"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer owner-token")
		r.Header.Set("Content-Type", "application/json")
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer reply.Body.Close()
		if err := json.NewDecoder(reply.Body).Decode(into); err != nil || reply.StatusCode != http.StatusOK {
			t.Fatal(reply.Status, err)
		}
	}
	var anna view.Person
	owner("/people", `{"name":"Anna","role":"member"}`, &anna)
	var link view.KeyLink
	owner("/people/"+anna.ID+"/link", "{}", &link)
	p := b.Page(t, base, browser.Desktop)
	p.Authenticator()
	p.Go("/enter#" + strings.Repeat("A", 26))
	p.Settle()
	p.Click(".page form .btn.primary")
	p.Until("a wrong key is refused, and nothing else asked for", `document.body.textContent.toLowerCase().includes('not good any more') && !document.querySelector('dialog[open]')`)
	p.Go("/help") // an address that differs behind its # alone is no other page
	p.Go("/enter#" + link.Key)
	p.Settle()
	p.Click(".page form .btn.primary")
	p.Until("Anna is in", `document.querySelector('.page h2')?.textContent === 'Anna'`)
	p.Settle()
	p.Click(p.Named("Make a passkey"))
	p.Until("it is listed", `[...document.querySelectorAll('tbody th')].some(x => /^Passkey: .*localhost$/.test(x.textContent))`)
	check(p, "names", "frame", "contrast", "width")
	p.Click(p.Named("Make a passkey")) // the device has one
	p.Until("it is told", `document.body.textContent.includes('This device has a passkey of yours already.')`)
	for round := range 2 {
		p.Click(p.Named("Log out"))
		p.Until("nobody is in", `document.querySelector('.page h2')?.textContent === 'Not logged in'`)
		p.Go("/enter")
		p.Settle()
		check(p, "names", "frame", "contrast", "width")
		p.Click(p.Named("Log in with a passkey"))
		p.Until(fmt.Sprintf("Anna is in again (%d)", round), `location.pathname === '/me' && document.querySelector('.page h2')?.textContent === 'Anna'`)
		p.Settle()
	}
	p.JS(`[...document.querySelectorAll('tr')].find(x => /Passkey/.test(x.textContent)).querySelector('button').click()`, nil)
	p.Until("who came by it is out", `!document.querySelector('tbody') || location.pathname === '/enter' || document.querySelector('.page h2')?.textContent !== 'Anna'`)
	p.Go("/enter")
	p.Settle()
	p.Click(p.Named("Log in with a passkey"))
	p.Until("it is refused", `document.body.textContent.toLowerCase().includes('not good any more')`)
}
