package server

import (
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"qipu/server/passkey"
	"qipu/server/passkey/passkeytest"
	"qipu/view"
)

// The attacks on passkeys, beside those of attack_test.go.

var clubSite = passkey.Site{Origin: "https://games.example.org", Name: "games.example.org"}

// secure has a request come under TLS, with the cookie of that.
func secure(r *http.Request) {
	r.TLS = &tls.ConnectionState{}
	r.Header.Set("Cookie", strings.ReplaceAll(r.Header.Get("Cookie"), "qipu-login=", "__Host-qipu-login="))
}

func body(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func (c *club) offer(who, path string, change ...func(*http.Request)) (w view.PasskeyOffer) {
	c.t.Helper()
	a := c.want(200, c.ask(who, "POST", path, "", append(change, secure)...))
	if err := json.Unmarshal(a.Body.Bytes(), &w); err != nil {
		c.t.Fatal(err)
	}
	return w
}

func (c *club) keep(who string, s passkey.Signed) *httptest.ResponseRecorder {
	return c.ask(who, "POST", "/me/passkeys", body(c.t, &view.NewPasskey{Client: passkey.Text(s.Client), Data: passkey.Text(s.Data)}), secure)
}

// passkey returns a new passkey of somebody.
func (c *club) passkey(who string) *passkeytest.Authenticator {
	c.t.Helper()
	a, err := passkeytest.New(-7)
	if err != nil {
		c.t.Fatal(err)
	}
	c.want(200, c.keep(who, a.Make(clubSite, c.offer(who, "/me/passkeys/offer").Challenge)))
	return a
}

func (c *club) sign(a *passkeytest.Authenticator, site passkey.Site, challenge string) passkey.Signed {
	c.t.Helper()
	s, err := a.Sign(site, challenge)
	if err != nil {
		c.t.Fatal(err)
	}
	return s
}

// enterBy sends what a passkey has signed, and returns the cookie that comes of it.
func (c *club) enterBy(id []byte, user string, s passkey.Signed, change ...func(*http.Request)) (*http.Cookie, *httptest.ResponseRecorder) {
	answer := &view.PasskeyAnswer{ID: passkey.Text(id), User: passkey.Text([]byte(user)), Client: passkey.Text(s.Client), Data: passkey.Text(s.Data), Signature: passkey.Text(s.Signature)}
	a := c.ask("", "POST", "/enter/passkey", body(c.t, answer), append([]func(*http.Request){secure}, change...)...)
	for _, k := range a.Result().Cookies() {
		if strings.HasSuffix(k.Name, "qipu-login") {
			return k, a
		}
	}
	return nil, a
}

// refused checks that nobody was let in, and that nothing is told of why.
func (c *club) refused(k *http.Cookie, a *httptest.ResponseRecorder) {
	c.t.Helper()
	c.want(401, a)
	if k != nil || !strings.Contains(a.Body.String(), "not good any more, or never was") {
		c.t.Errorf("%v %s", k, a.Body)
	}
}

func init() {
	attacks = append(attacks, []attack{
		{name: "passkey: it lets in whose it is, and counts", run: func(c *club) { // or the attacks below would show nothing
			a := c.passkey("Mia")
			for range 2 {
				k, answer := c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge))
				c.want(200, answer)
				if k == nil || !k.Secure || !k.HttpOnly || c.me("", secure, set("Cookie", k.Name+"="+k.Value)).Name != "Mia" {
					c.t.Errorf("%v", k)
				}
			}
			if answer := c.want(200, c.ask("Mia", "GET", "/me/access", "", secure)); !strings.Contains(answer.Body.String(), `"site":"games.example.org"`) {
				c.t.Errorf("not listed: %s", answer.Body)
			}
			if answer := c.want(200, c.ask("Mia", "GET", "/me/export", "", secure)); !strings.Contains(answer.Body.String(), `"passkey"`) {
				c.t.Errorf("not exported: %s", answer.Body)
			}
		}},
		{name: "passkey: signed for another origin", run: func(c *club) {
			a := c.passkey("Mia")
			for _, site := range []passkey.Site{{Origin: "https://evil.example", Name: "games.example.org"}, {Origin: "https://evil.example", Name: "evil.example"}, {Origin: "http://games.example.org", Name: "games.example.org"},
				{Origin: "https://games.example.org:8443", Name: "games.example.org"}, {Origin: "https://games.example.org", Name: "example.org"}} {
				c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, site, c.offer("", "/enter/offer").Challenge)))
			}
		}},
		{name: "passkey: a replayed answer", run: func(c *club) {
			a := c.passkey("Mia")
			s := c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge)
			_, answer := c.enterBy(a.ID, c.id["Mia"], s)
			c.want(200, answer)
			c.refused(c.enterBy(a.ID, c.id["Mia"], s))
		}},
		{name: "passkey: a replayed challenge, signed anew", run: func(c *club) {
			a := c.passkey("Mia")
			challenge := c.offer("", "/enter/offer").Challenge
			_, answer := c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, challenge))
			c.want(200, answer)
			c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, challenge)))
		}},
		{name: "passkey: a challenge that the attacker made up, or that was for something else", run: func(c *club) {
			a := c.passkey("Mia")
			for _, challenge := range []string{"", passkey.Text(make([]byte, 56)), passkey.NewDesk().Challenge("enter"), c.offer("Mia", "/me/passkeys/offer").Challenge} {
				c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, challenge)))
			}
		}},
		{name: "passkey: that of another profile", run: func(c *club) {
			mine, hers := c.passkey("Max"), c.passkey("Olga")
			challenge := func() string { return c.offer("", "/enter/offer").Challenge }
			c.refused(c.enterBy(mine.ID, c.id["Olga"], c.sign(mine, clubSite, challenge())))
			c.refused(c.enterBy(hers.ID, c.id["Olga"], c.sign(mine, clubSite, challenge())))
			c.refused(c.enterBy(hers.ID, c.id["Max"], c.sign(mine, clubSite, challenge())))
			c.refused(c.enterBy(mine.ID, "", c.sign(mine, clubSite, challenge())))
			c.refused(c.enterBy([]byte("nobody's"), c.id["Olga"], c.sign(mine, clubSite, challenge())))
		}},
		{name: "passkey: giving oneself that of somebody else", run: func(c *club) {
			hers := c.passkey("Olga")
			c.want(409, c.keep("Max", hers.Make(clubSite, c.offer("Max", "/me/passkeys/offer").Challenge)))
			k, answer := c.enterBy(hers.ID, c.id["Olga"], c.sign(hers, clubSite, c.offer("", "/enter/offer").Challenge))
			if c.want(200, answer); k == nil || c.me("", secure, set("Cookie", k.Name+"="+k.Value)).Name != "Olga" {
				c.t.Error("it is Olga's no more")
			}
		}},
		{name: "passkey: giving somebody else one's own", run: func(c *club) {
			a, err := passkeytest.New(-7)
			if err != nil {
				c.t.Fatal(err)
			}
			challenge := c.offer("Max", "/me/passkeys/offer").Challenge
			c.want(422, c.keep("Olga", a.Make(clubSite, challenge)))
			c.want(422, c.keep("Olga", a.Make(clubSite, c.offer("", "/enter/offer").Challenge)))
			for _, name := range []string{"cross-site", "same-site"} { // from a page of another site in her browser
				s := a.Make(clubSite, c.offer("Olga", "/me/passkeys/offer").Challenge)
				text := body(c.t, &view.NewPasskey{Client: passkey.Text(s.Client), Data: passkey.Text(s.Data)})
				c.want(403, c.ask("Olga", "POST", "/me/passkeys", text, secure, set("Sec-Fetch-Site", name)))
			}
			c.refused(c.enterBy(a.ID, c.id["Olga"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge)))
		}},
		{name: "passkey: a copy that counts for itself", run: func(c *club) {
			a := c.passkey("Mia")
			copied := *a
			for range 3 {
				_, answer := c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge))
				c.want(200, answer)
			}
			for range 3 {
				k, answer := c.enterBy(a.ID, c.id["Mia"], c.sign(&copied, clubSite, c.offer("", "/enter/offer").Challenge))
				if c.want(401, answer); k != nil || !strings.Contains(answer.Body.String(), "there is a copy of it") {
					c.t.Errorf("%v %s", k, answer.Body)
				}
			}
			copied.Count = 0
			copied.Count-- // signs with 0, as one that does not count
			k, answer := c.enterBy(a.ID, c.id["Mia"], c.sign(&copied, clubSite, c.offer("", "/enter/offer").Challenge))
			if c.want(401, answer); k != nil {
				c.t.Error("it stopped counting, and was let in")
			}
		}},
		{name: "passkey: not unlocked, or nobody there", run: func(c *club) {
			a := c.passkey("Mia")
			for _, flags := range []byte{0, 1, 4} {
				a.Flags = flags
				c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge)))
			}
		}},
		{name: "passkey: one that was revoked", run: func(c *club) {
			a, b := c.passkey("Mia"), c.passkey("Mia")
			k, _ := c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge))
			list, err := c.room.Passkeys(c.ctx, c.id["Mia"])
			if err != nil || len(list) != 2 {
				c.t.Fatal(list, err)
			}
			for i := range list {
				c.want(404, c.ask("Max", "DELETE", "/me/passkeys/"+list[i].ID, "", secure))
				if slices.Equal(list[i].Credential, a.ID) {
					c.want(204, c.ask("Mia", "DELETE", "/me/passkeys/"+list[i].ID, "", secure))
				}
			}
			if m := c.me("", secure, set("Cookie", k.Name+"="+k.Value)); m.ID != "" {
				c.t.Error("who came by it is logged in")
			}
			c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge)))
			_, answer := c.enterBy(b.ID, c.id["Mia"], c.sign(b, clubSite, c.offer("", "/enter/offer").Challenge))
			c.want(200, answer)
			c.want(204, c.ask("Olga", "DELETE", "/people/"+c.id["Mia"]+"/keys", "", secure))
			c.refused(c.enterBy(b.ID, c.id["Mia"], c.sign(b, clubSite, c.offer("", "/enter/offer").Challenge)))
		}},
		{name: "passkey: what is left when the profile is removed", run: func(c *club) {
			a := c.passkey("Mia")
			c.want(204, c.ask("Mia", "DELETE", "/me", "", secure))
			c.refused(c.enterBy(a.ID, c.id["Mia"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge)))
			err := filepath.WalkDir(c.lib.Records().Dir(), func(path string, d os.DirEntry, err error) error {
				if err != nil || !d.Type().IsRegular() {
					return err
				}
				data, err := os.ReadFile(path)
				if strings.Contains(string(data), string(a.ID)) || strings.Contains(string(data), string(a.Public[10:40])) {
					c.t.Errorf("%s still has it", filepath.Base(path))
				}
				return err
			})
			if err != nil {
				c.t.Error(err)
			}
		}},
		{name: "passkey: where nothing is encrypted, or by an address without a name", run: func(c *club) {
			c.want(409, c.ask("", "POST", "/enter/offer", ""))
			c.want(409, c.ask("Mia", "POST", "/me/passkeys/offer", ""))
			c.want(409, c.ask("", "POST", "/enter/offer", "", secure, func(r *http.Request) { r.Host = "127.0.0.1:7070" }))
			c.want(409, c.ask("", "POST", "/enter/offer", "", set("X-Forwarded-Proto", "https")))
			c.want(200, c.ask("", "POST", "/enter/offer", "", func(r *http.Request) { r.Host = "localhost:7070" }))
			if c.me("").Passkeys || !c.me("", secure).Passkeys {
				c.t.Error("/me says otherwise")
			}
		}},
		{name: "passkey: guessed", run: func(c *club) {
			a, err := passkeytest.New(-7)
			if err != nil {
				c.t.Fatal(err)
			}
			waits := 0
			for range 10 {
				k, answer := c.enterBy(a.ID, c.id["Olga"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge))
				if k != nil || answer.Code != 401 && answer.Code != 429 {
					c.t.Errorf("%d %v", answer.Code, k)
				}
				if answer.Code == 429 {
					waits++
				}
			}
			if waits == 0 {
				c.t.Error("one may guess for ever")
			}
		}},
		{name: "passkey: logging a victim in as the attacker", run: func(c *club) {
			a := c.passkey("Max")
			for _, how := range []func(*http.Request){set("Sec-Fetch-Site", "cross-site"), set("Sec-Fetch-Site", "same-site"), func(r *http.Request) { r.Header.Del("Sec-Fetch-Site"); r.Header.Set("Origin", "https://evil.example") }} {
				k, answer := c.enterBy(a.ID, c.id["Max"], c.sign(a, clubSite, c.offer("", "/enter/offer").Challenge), how)
				if c.want(403, answer); k != nil {
					c.t.Error("it was done")
				}
			}
		}},
		{name: "passkey: bytes that are none, and far too many", run: func(c *club) {
			for _, text := range []string{`{"id":"$$","user":"","client":"","data":"","signature":""}`, `{"id":"` + strings.Repeat("A", 100_000) + `","user":"","client":"","data":"","signature":""}`, `{}`,
				`{"id":"AA","user":"AA","client":"AA","data":"AA","signature":"AA"}`} {
				if a := c.ask("", "POST", "/enter/passkey", text, secure); a.Code != 401 && a.Code != 422 || len(a.Body.String()) > 3000 {
					c.t.Errorf("%d, %d bytes", a.Code, a.Body.Len())
				}
			}
			a, err := passkeytest.New(-7)
			if err != nil {
				c.t.Fatal(err)
			}
			a.Public = []byte{0xbf, 0xff}
			c.want(422, c.keep("Mia", a.Make(clubSite, c.offer("Mia", "/me/passkeys/offer").Challenge)))
		}},
	}...)
}

// TestPasskeyBound: nobody fills the disk with passkeys.
func TestPasskeyBound(t *testing.T) {
	c := newClub(t, nil)
	for range 20 {
		c.passkey("Mia")
	}
	a, err := passkeytest.New(-8)
	if err != nil {
		t.Fatal(err)
	}
	c.want(409, c.keep("Mia", a.Make(clubSite, c.offer("Mia", "/me/passkeys/offer").Challenge)))
}
