package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"qipu/library/profiles"
	"qipu/server/api"
	"qipu/store/people"
	"qipu/view"
)

// club is a server that others can reach, with some who have logged in.
type club struct {
	*world
	t       *testing.T
	server  *Server
	handler http.Handler
	room    *profiles.Room
	id      map[string]string // by name
	cookie  map[string]string // by name: the value
}

func newClub(t *testing.T, change func(*Options)) *club {
	w := newWorld(t)
	o := Options{Exposed: true, Token: "owner-token", Holder: "another server", Rate: -1, Hosts: []string{"games.example.org"}, Log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	s, err := New(w.ctx, w.lib, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	c := &club{world: w, t: t, server: s, handler: s.Guard.Wrap(s.Handler()), room: w.lib.People(), id: map[string]string{}, cookie: map[string]string{}}
	for name, role := range map[string]people.Role{"Gus": people.Guest, "Mia": people.Member, "Max": people.Member, "Eve": people.Editor, "Olga": people.Owner} {
		p, err := c.room.Add(w.ctx, name, role)
		if err != nil {
			t.Fatal(err)
		}
		c.id[name] = p.ID
		if c.cookie[name], err = c.room.Choose(w.ctx, p.ID, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// ask sends a request as somebody, or as nobody for "", from a page of the server itself.
func (c *club) ask(who, method, path, body string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://games.example.org"+api.Prefix+path, strings.NewReader(body))
	r.RemoteAddr = "198.51.100.7:4000"
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if who != "" {
		r.Header.Set("Cookie", "qipu-login="+c.cookie[who])
	}
	for _, f := range change {
		f(r)
	}
	answer := httptest.NewRecorder()
	c.handler.ServeHTTP(answer, r)
	return answer
}

// want checks a status.
func (c *club) want(status int, a *httptest.ResponseRecorder) *httptest.ResponseRecorder {
	c.t.Helper()
	if a.Code != status {
		c.t.Errorf("%d, want %d: %.300s", a.Code, status, a.Body)
	}
	return a
}

// me returns who the server takes somebody for.
func (c *club) me(who string, change ...func(*http.Request)) (m view.Me) {
	a := c.want(200, c.ask(who, "GET", "/me", "", change...))
	if err := json.Unmarshal(a.Body.Bytes(), &m); err != nil {
		c.t.Fatal(err)
	}
	return m
}

func set(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// invited returns the key of an invitation.
func (c *club) invited(name string) string {
	key, err := c.room.Invite(c.ctx, c.id[name])
	if err != nil {
		c.t.Fatal(err)
	}
	return key
}

// enter logs in, and returns the cookie that comes of it.
func (c *club) enter(key string, change ...func(*http.Request)) (*http.Cookie, *httptest.ResponseRecorder) {
	a := c.ask("", "POST", "/enter", fmt.Sprintf(`{"key":%q}`, key), change...)
	for _, k := range a.Result().Cookies() {
		if strings.HasSuffix(k.Name, "qipu-login") {
			return k, a
		}
	}
	return nil, a
}

// TestAttacks tries to be somebody else, to do what one may not, and to read what is
// somebody else's. None succeeds.
func TestAttacks(t *testing.T) {
	for _, attack := range attacks {
		t.Run(attack.name, func(t *testing.T) { attack.run(newClub(t, attack.options)) })
	}
	if len(attacks) < 30 {
		t.Errorf("%d attacks", len(attacks))
	}
}

type attack struct {
	name    string
	options func(*Options)
	run     func(*club)
}

var attacks = []attack{
	{name: "fixation: a log-in that the attacker chose", run: func(c *club) {
		planted := "qipu-login=PLANTEDPLANTEDPLANTEDPLANT"
		k, _ := c.enter(c.invited("Mia"), set("Cookie", planted))
		if k == nil || k.Value == "PLANTEDPLANTEDPLANTEDPLANT" || c.me("", set("Cookie", planted)).ID != "" {
			c.t.Error("the planted log-in is good")
		}
	}},
	{name: "fixation: the log-in of before is good afterwards", run: func(c *club) {
		old := c.cookie["Gus"]
		k, _ := c.enter(c.invited("Mia"), set("Cookie", "qipu-login="+old))
		if k == nil || k.Value == old || c.me("Gus").ID != "" {
			c.t.Error("the log-in of before stays")
		}
	}},
	{name: "replay of a used link", run: func(c *club) {
		key := c.invited("Mia")
		if k, _ := c.enter(key); k == nil {
			c.t.Fatal("the link is good for nothing")
		}
		k, a := c.enter(key)
		if k != nil {
			c.t.Error("a used link logs in")
		}
		c.want(401, a)
	}},
	{name: "replay of a link by many at once", run: func(c *club) {
		key, in := c.invited("Mia"), make(chan bool, 8)
		var all sync.WaitGroup
		for range cap(in) {
			all.Go(func() { k, _ := c.enter(key); in <- k != nil })
		}
		all.Wait()
		close(in)
		n := 0
		for ok := range in {
			if ok {
				n++
			}
		}
		if n != 1 {
			c.t.Errorf("%d logged in by one link", n)
		}
	}},
	{name: "a link as the key of a program", run: func(c *club) {
		c.want(401, c.ask("", "GET", "/me/access", "", set("Authorization", "Bearer "+c.invited("Olga"))))
	}},
	{name: "a log-in as the key of a program, and a key as a log-in", run: func(c *club) {
		c.want(401, c.ask("", "GET", "/people", "", set("Authorization", "Bearer "+c.cookie["Olga"])))
		_, key, err := c.room.AddKey(c.ctx, c.id["Olga"], "")
		if err != nil {
			c.t.Fatal(err)
		}
		c.want(401, c.ask("", "GET", "/people", "", set("Cookie", "qipu-login="+key)))
		c.want(200, c.ask("", "GET", "/people", "", set("Authorization", "Bearer "+key)))
	}},
	{name: "guessed keys", run: func(c *club) {
		waits := 0
		for range 12 {
			k, a := c.enter("GUESSEDGUESSEDGUESSEDGUESS")
			if k != nil {
				c.t.Fatal("a guess logs in")
			}
			if a.Code == http.StatusTooManyRequests && a.Header().Get("Retry-After") != "" {
				waits++
			}
		}
		if waits < 5 {
			c.t.Errorf("only %d of 12 guesses were told to wait", waits)
		}
		if k, _ := c.enter(c.invited("Mia")); k == nil {
			c.t.Error("the right key of who shares the address is refused")
		}
	}},
	{name: "guessed keys of programs", run: func(c *club) {
		waits := 0
		for range 12 {
			if c.ask("", "GET", "/people", "", set("Authorization", "Bearer GUESS")).Code == http.StatusTooManyRequests {
				waits++
			}
		}
		if waits < 5 {
			c.t.Errorf("only %d of 12 guesses were told to wait", waits)
		}
	}},
	{name: "CSRF as JSON", run: csrf("application/json")},
	{name: "CSRF as a form", run: csrf("application/x-www-form-urlencoded")},
	{name: "CSRF as plain text", run: csrf("text/plain")},
	{name: "CSRF as a form of files", run: csrf("multipart/form-data; boundary=x")},
	{name: "CSRF without a type", run: csrf("")},
	{name: "CSRF from a page of the same site", run: func(c *club) {
		for _, site := range []string{"same-site", "cross-site"} {
			c.want(403, c.ask("Olga", "POST", "/people", `{"name":"Evil"}`, set("Sec-Fetch-Site", site)))
			c.want(403, c.ask("Olga", "GET", "/people", "", set("Sec-Fetch-Site", site)))
		}
	}},
	{name: "CSRF of a browser that says nothing", run: func(c *club) {
		c.want(403, c.ask("Olga", "POST", "/people", `{"name":"Evil"}`, func(r *http.Request) { r.Header.Del("Sec-Fetch-Site") }))
	}},
	{name: "logging a victim in as the attacker", run: func(c *club) {
		k, a := c.enter(c.invited("Mia"), set("Sec-Fetch-Site", "cross-site"), set("Origin", "https://evil.example"))
		if c.want(403, a); k != nil {
			c.t.Error("another site logs somebody in")
		}
	}},
	{name: "forms that our own pages do not send", run: func(c *club) {
		for _, kind := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
			c.want(415, c.ask("Olga", "POST", "/people", `{"name":"Evil"}`, set("Content-Type", kind)))
		}
	}},
	{name: "cookie tossing: two cookies of one name", run: func(c *club) {
		both := "qipu-login=" + c.cookie["Mia"] + "; qipu-login=" + c.cookie["Olga"]
		if m := c.me("", set("Cookie", both)); m.ID != "" {
			c.t.Errorf("it is taken for %s", m.Name)
		}
	}},
	{name: "cookie tossing: a plain cookie under TLS", run: func(c *club) {
		tls := func(r *http.Request) {
			r.RemoteAddr = "127.0.0.1:4000"
			r.Header.Set("X-Forwarded-Proto", "https")
		}
		if m := c.me("Mia", tls); m.ID != "" || !m.Secure {
			c.t.Errorf("it is taken for %s, secure %t", m.Name, m.Secure)
		}
		k, a := c.enter(c.invited("Mia"), tls)
		if c.want(200, a); k == nil || k.Name != "__Host-qipu-login" || !k.Secure || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Domain != "" || k.Path != "/" {
			c.t.Errorf("%+v", k)
		}
	}},
	{name: "reading the cookie by a script, or at another host", run: func(c *club) {
		k, _ := c.enter(c.invited("Mia"))
		if k == nil || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Domain != "" || k.Secure {
			c.t.Errorf("%+v", k)
		}
	}},
	{name: "X-Forwarded-For from who is no proxy", run: func(c *club) {
		waits := 0
		for i := range 12 {
			if _, a := c.enter("GUESSEDGUESSEDGUESSEDGUESS", set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))); a.Code == http.StatusTooManyRequests {
				waits++
			}
		}
		if waits < 5 {
			c.t.Errorf("only %d of 12 guesses were told to wait", waits)
		}
	}},
	{name: "X-Forwarded-Proto from who is no proxy", run: func(c *club) {
		if c.me("Mia", set("X-Forwarded-Proto", "https")).Secure {
			c.t.Error("it is believed")
		}
	}},
	{name: "a role that a header claims", run: func(c *club) {
		for _, h := range []string{"X-Role", "X-User", "X-Forwarded-User", "Remote-User", "X-Original-User"} {
			if m := c.me("Mia", set(h, "owner")); m.Role != "member" {
				c.t.Errorf("%s makes an %s", h, m.Role)
			}
		}
	}},
	{name: "a revoked key", run: func(c *club) {
		k, key, err := c.room.AddKey(c.ctx, c.id["Olga"], "laptop")
		if err != nil {
			c.t.Fatal(err)
		}
		in, _ := c.enter(key)
		as := set("Cookie", "qipu-login="+in.Value)
		c.want(200, c.ask("", "GET", "/people", "", as))
		if err := c.room.RevokeKey(c.ctx, c.id["Olga"], k.ID); err != nil {
			c.t.Fatal(err)
		}
		c.want(401, c.ask("", "GET", "/people", "", as))
		c.want(401, c.ask("", "GET", "/people", "", set("Authorization", "Bearer "+key)))
		_, a := c.enter(key)
		c.want(401, a)
	}},
	{name: "a key that another program revokes", run: func(c *club) {
		c.want(200, c.ask("Olga", "GET", "/people", ""))
		other := profiles.Open(c.lib.Records().Dir())
		defer other.Close()
		if err := other.RevokeAll(c.ctx, c.id["Olga"]); err != nil {
			c.t.Fatal(err)
		}
		c.want(401, c.ask("Olga", "GET", "/people", ""))
	}},
	{name: "a removed profile that is logged in", run: func(c *club) {
		c.want(200, c.ask("Eve", "GET", "/jobs", ""))
		c.want(204, c.ask("Olga", "DELETE", "/people/"+c.id["Eve"], ""))
		c.want(401, c.ask("Eve", "GET", "/jobs", ""))
		if m := c.me("Eve"); m.ID != "" {
			c.t.Errorf("still %s", m.Name)
		}
	}},
	{name: "a role that is lowered while one is logged in", run: func(c *club) {
		c.want(200, c.ask("Eve", "GET", "/jobs", ""))
		c.want(200, c.ask("Olga", "PUT", "/people/"+c.id["Eve"], `{"role":"guest"}`))
		c.want(403, c.ask("Eve", "GET", "/jobs", ""))
	}},
	{name: "raising one's own role", run: func(c *club) {
		c.want(403, c.ask("Eve", "PUT", "/people/"+c.id["Eve"], `{"role":"owner"}`))
		c.want(422, c.ask("Mia", "PUT", "/me", `{"name":"Mia","role":"owner"}`))
		if m := c.me("Mia"); m.Role != "member" {
			c.t.Errorf("Mia is %s", m.Role)
		}
	}},
	{name: "a link for somebody else", run: func(c *club) {
		c.want(403, c.ask("Eve", "POST", "/people/"+c.id["Olga"]+"/link", ""))
		c.want(401, c.ask("", "POST", "/people/"+c.id["Olga"]+"/link", ""))
	}},
	{name: "choosing a name where one has to log in", run: func(c *club) {
		if a := c.ask("Olga", "POST", "/people/"+c.id["Eve"]+"/choose", ""); a.Code < 400 || len(a.Result().Cookies()) > 0 {
			c.t.Errorf("%d %v", a.Code, a.Result().Cookies())
		}
	}},
	{name: "ending log-ins and keys of somebody else", run: func(c *club) {
		k, _, err := c.room.AddKey(c.ctx, c.id["Max"], "")
		if err != nil {
			c.t.Fatal(err)
		}
		list, _, err := c.room.Logins(c.ctx, c.id["Max"], "")
		if err != nil || len(list) != 1 {
			c.t.Fatal(list, err)
		}
		c.want(404, c.ask("Mia", "DELETE", "/me/keys/"+k.ID, ""))
		c.want(404, c.ask("Mia", "DELETE", "/me/logins/"+list[0].ID, ""))
		if c.me("Max").ID == "" {
			c.t.Error("Max was logged out")
		}
	}},
	{name: "an upload that is not allowed is not read", run: func(c *club) {
		body := &unread{}
		a := c.ask("Gus", "POST", "/jobs/upload", "", set("Content-Type", "multipart/form-data; boundary=x"), func(r *http.Request) { r.Body, r.ContentLength = body, 1<<30 })
		if c.want(403, a); body.read {
			c.t.Error("the body was read")
		}
	}},
	{name: "a name of 100,000 characters", run: func(c *club) {
		a := c.ask("Olga", "POST", "/people", `{"name":"`+strings.Repeat("a", 100_000)+`"}`)
		if c.want(422, a); len(a.Body.String()) > 2000 {
			c.t.Errorf("the answer has %d bytes", a.Body.Len())
		}
		if _, err := c.room.Add(c.ctx, strings.Repeat("é", 100_000), people.Member); err == nil {
			c.t.Error("it is taken")
		}
	}},
	{name: "names that turn text around, or cannot be seen", run: func(c *club) {
		for _, name := range []string{"Ol\u202ega", "\u2066Olga", "Olga\u200b", "Ol\u0000ga", "Olga\n", "O\u0301\u0301\u0301\u0301\u0301lga", "\u2028", "...", "  ", "\ufeffOlga", "\ue000x"} {
			text, _ := json.Marshal(map[string]string{"name": name})
			if a := c.ask("Mia", "PUT", "/me", string(text)); a.Code == 200 && strings.TrimSpace(name) != "Olga" {
				c.t.Errorf("%q is a name", name)
			}
		}
		for _, name := range []string{"OLGA", "Ólga", "Ｏｌｇａ", " olga "} {
			text, _ := json.Marshal(map[string]string{"name": name})
			c.want(409, c.ask("Mia", "PUT", "/me", string(text)))
		}
	}},
	{name: "two of one name at once", run: func(c *club) {
		var all sync.WaitGroup
		made := make(chan error, 8)
		for i := range cap(made) {
			all.Go(func() {
				_, err := c.room.Add(c.ctx, []string{"Twin", "TWIN", "twin", "Ｔｗｉｎ"}[i%4], people.Member)
				made <- err
			})
		}
		all.Wait()
		close(made)
		n := 0
		for err := range made {
			if err == nil {
				n++
			} else if !errors.Is(err, people.ErrTaken) {
				c.t.Error(err)
			}
		}
		if n != 1 {
			c.t.Errorf("%d have the name", n)
		}
	}},
	{name: "secrets in the files of the library", run: func(c *club) {
		key := c.invited("Mia")
		in, _ := c.enter(key)
		secrets := []string{key, in.Value, c.cookie["Olga"]}
		err := filepath.WalkDir(c.lib.Records().Dir(), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, s := range secrets {
				if strings.Contains(string(data), s) {
					c.t.Errorf("%s has a secret", filepath.Base(path))
				}
			}
			if info, e := d.Info(); e == nil && strings.HasPrefix(d.Name(), people.FileName) && info.Mode().Perm()&0o077 != 0 {
				c.t.Errorf("%s may be read by others: %v", d.Name(), info.Mode())
			}
			return err
		})
		if err != nil {
			c.t.Error(err)
		}
	}},
	{name: "what was removed, in the files of the library", run: func(c *club) {
		p, err := c.room.Add(c.ctx, "Ephemera Zzyzx", people.Member)
		if err != nil {
			c.t.Fatal(err)
		}
		if c.cookie["E"], err = c.room.Choose(c.ctx, p.ID, "browser-of-ephemera"); err != nil {
			c.t.Fatal(err)
		}
		c.want(200, c.ask("E", "PUT", "/queries/ephemeral-query", `{"query":"player:Demo"}`))
		c.want(204, c.ask("E", "DELETE", "/me", ""))
		err = filepath.WalkDir(c.lib.Records().Dir(), func(path string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, s := range []string{"Ephemera", "ephemera", "Zzyzx"} {
				if strings.Contains(string(data), s) {
					c.t.Errorf("%s still has %s", filepath.Base(path), s)
				}
			}
			return err
		})
		if err != nil {
			c.t.Error(err)
		}
	}},
	{name: "secrets in the log", run: func(c *club) {
		var log strings.Builder
		s, err := New(c.ctx, c.lib, Options{Exposed: true, Token: "owner-token", Holder: "another server", Rate: -1, Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		if err != nil {
			c.t.Fatal(err)
		}
		defer s.Close(context.Background())
		c.handler = s.Guard.Wrap(s.Handler())
		local := func(r *http.Request) { r.Host = "localhost" }
		key := c.invited("Mia")
		in, _ := c.enter(key, local)
		c.ask("Olga", "GET", "/people", "", local)
		for _, s := range []string{key, in.Value, c.cookie["Olga"], "owner-token"} {
			if strings.Contains(log.String(), s) {
				c.t.Errorf("the log has a secret: %s", log.String())
			}
		}
	}},
	{name: "an old invitation", run: func(c *club) {
		dir := c.t.TempDir()
		db := people.Open(dir)
		defer db.Close()
		p, err := db.Add(c.ctx, "Mia", "mia", people.Member)
		if err != nil {
			c.t.Fatal(err)
		}
		_, key, err := db.AddKey(c.ctx, p.ID, "", true, db.Now().Add(-time.Second))
		if err != nil {
			c.t.Fatal(err)
		}
		if _, _, err := db.Enter(c.ctx, key, ""); !errors.Is(err, people.ErrSpent) {
			c.t.Errorf("an old invitation: %v", err)
		}
	}},
	{name: "queries of somebody else by list, name and text of errors", run: func(c *club) {
		c.want(200, c.ask("Mia", "PUT", "/queries/hush-hush", `{"query":"player:Demo"}`))
		c.want(200, c.ask("Mia", "GET", "/find?q=named:hush-hush", ""))
		for _, who := range []string{"Max", "Eve", "Olga", "Gus", ""} {
			for _, path := range []string{"/queries", "/queries/hush-hush", "/find?q=named:hush-hush", "/find?q=named:hush-hus", "/query?q=named:hush-hush",
				"/query/complete?q=named:hush&at=10", "/find/explain?q=named:hush-hush", "/records?q=named:hush-hush", "/records/export?q=named:hush-hush&format=csv", "/find/events?q=named:hush-hush"} {
				a := c.ask(who, "GET", path, "")
				told := strings.ReplaceAll(a.Body.String(), `nothing is called \"hush-hus`, "")
				if a.Code == 200 && (strings.Contains(told, "Demo") || strings.Contains(told, `"hush-hush"`) && strings.HasPrefix(path, "/quer")) && !strings.Contains(told, "problem") || strings.Contains(told, "is it hush-hush") {
					c.t.Errorf("%q reads %s: %.200s", who, path, a.Body)
				}
			}
		}
	}},
	{name: "private tags and collections of somebody else", run: func(c *club) {
		for _, kind := range []string{"tag", "collection"} {
			c.want(200, c.ask("Mia", "POST", "/me/labels/"+kind, `{"query":"player:Demo","add":["hush-hush"]}`))
		}
		if a := c.want(200, c.ask("Mia", "GET", "/find?q=tag:hush-hush", "")); !strings.Contains(a.Body.String(), "Demo") {
			c.t.Errorf("Mia does not find hers: %.300s", a.Body)
		}
		if a := c.want(200, c.ask("Mia", "GET", "/query/complete?q=tag:hus&at=7", "")); !strings.Contains(a.Body.String(), "hush-hush") {
			c.t.Errorf("it is not completed: %.300s", a.Body)
		}
		c.want(200, c.ask("Mia", "GET", "/find?q=collection:hush-hush", ""))
		for _, who := range []string{"Max", "Eve", "Olga", "Gus", ""} {
			for _, path := range []string{"/find?q=tag:hush-hush", "/find?q=collection:hush-hush", "/records?q=tag:hush-hush", "/records/export?q=tag:hush-hush&format=csv", "/find/events?q=tag:hush-hush",
				"/query/complete?q=tag:hus&at=7", "/query/complete?q=collection:hus&at=14", "/tags", "/collections", "/records/facets?by=tag,collection", "/find?q=all&by=tag", "/find?q=collection:hush-hus", "/me/labels", "/me/export"} {
				a := c.ask(who, "GET", path, "")
				told := a.Body.String()
				if strings.Contains(path, "hush-hush") { // what was asked may be said again
					told = strings.ReplaceAll(told, "hush-hush", "")
				}
				if strings.Contains(told, "hush-hush") || strings.Contains(path, "q=tag:hush-hush") && a.Code == 200 && strings.Contains(told, "Demo") {
					c.t.Errorf("%q reads %s: %.300s", who, path, a.Body)
				}
			}
		}
		if a := c.want(200, c.ask("Mia", "GET", "/me/export", "")); !strings.Contains(a.Body.String(), "hush-hush") {
			c.t.Error("Mia's export lacks hers")
		}
	}},
	{name: "what was kept for somebody, by ETag and from memory", run: func(c *club) {
		c.want(200, c.ask("Mia", "PUT", "/queries/hush-hush", `{"query":"player:Demo"}`))
		mine := c.want(200, c.ask("Mia", "GET", "/find?q=named:hush-hush", ""))
		c.want(200, c.ask("Mia", "GET", "/find?q=named:hush-hush", ""))
		other := c.ask("Max", "GET", "/find?q=named:hush-hush", "", set("If-None-Match", mine.Header().Get("ETag")))
		if other.Code == http.StatusNotModified || other.Code == 200 {
			c.t.Errorf("%d %.200s", other.Code, other.Body)
		}
	}},
	{name: "a stream of somebody else", run: func(c *club) {
		c.want(200, c.ask("Mia", "PUT", "/queries/hush-hush", `{"query":"player:Demo"}`))
		a := c.ask("Mia", "GET", "/find/events?q=named:hush-hush", "")
		_, id, _ := strings.Cut(a.Body.String(), "id: ")
		id, _, _ = strings.Cut(id, "\n")
		if id == "" {
			c.t.Fatalf("no id in %.300s", a.Body)
		}
		for _, who := range []string{"Max", "Olga", ""} {
			b := c.ask(who, "GET", "/find/events?q=player:Nobody", "", set("Last-Event-ID", strings.TrimSuffix(id, id[strings.LastIndexByte(id, '-')+1:])+"0"))
			if strings.Contains(b.Body.String(), "hush") || strings.Contains(b.Body.String(), "Demo") {
				c.t.Errorf("%q follows it: %.300s", who, b.Body)
			}
		}
	}},
	{name: "imports of somebody else", options: func(o *Options) { o.Holder, o.Approve = "", true }, run: func(c *club) {
		a := c.want(200, c.ask("Mia", "POST", "/jobs", `{"text":"(;GM[1]SZ[9];B[ee])","title":"secret-title"}`))
		var job view.Job
		if err := json.Unmarshal(a.Body.Bytes(), &job); err != nil || job.State != "held" || job.By != c.id["Mia"] {
			c.t.Fatalf("%+v %v", job, err)
		}
		at := fmt.Sprintf("/jobs/%d", job.ID)
		for _, path := range []string{at, at + "/events", at + "/faults"} {
			c.want(404, c.ask("Max", "GET", path, ""))
		}
		if a := c.want(200, c.ask("Max", "GET", "/jobs", "")); strings.Contains(a.Body.String(), "secret-title") {
			c.t.Error("Max sees it")
		}
		for _, who := range []string{"Mia", "Max", "Gus"} {
			c.want(403, c.ask(who, "POST", at+"/accept", ""))
		}
		c.want(200, c.ask("Mia", "GET", at, ""))
		if a := c.want(200, c.ask("Eve", "GET", "/jobs", "")); !strings.Contains(a.Body.String(), `"byName":"Mia"`) {
			c.t.Errorf("an editor does not see whose it is: %.300s", a.Body)
		}
		c.want(200, c.ask("Eve", "POST", at+"/accept", ""))
	}},
	{name: "files of the server as a member", options: func(o *Options) { o.Holder = "" }, run: func(c *club) {
		c.want(403, c.ask("Mia", "POST", "/jobs", `{"paths":["/etc"]}`))
		c.want(403, c.ask("Eve", "POST", "/jobs", `{"paths":["/etc"]}`))
		c.want(403, c.ask("Mia", "POST", "/jobs", `{"text":"(;GM[1]SZ[9];B[ee])","collection":"demo"}`))
	}},
	{name: "an operation that /me does not name", run: func(c *club) {
		for _, who := range []string{"", "Gus", "Mia", "Eve", "Olga"} {
			may := map[string]bool{}
			for _, id := range c.me(who).Operations {
				may[id] = true
			}
			for _, e := range endpoints(c.server) {
				if strings.HasSuffix(e.path, "/events") || e.path == "/analysis" || e.path == "/review" {
					continue
				}
				ctx, cancel := context.WithCancel(c.ctx)
				cancel()
				a := c.ask(who, e.method, strings.NewReplacer("{", "", "}", "").Replace(e.path), "{}", func(r *http.Request) { *r = *r.WithContext(ctx) })
				if refused := a.Code == 401 || a.Code == 403; refused == may[e.op.OperationID] && !(e.op.OperationID == "enter" && a.Code == 401) {
					c.t.Errorf("%q: %s %s: %d, /me says %t", who, e.method, e.path, a.Code, may[e.op.OperationID])
				}
			}
		}
	}},
}

// csrf has a page of another site send a request in the browser of the owner, with a
// body of a type.
func csrf(kind string) func(*club) {
	return func(c *club) {
		elsewhere := func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Origin", "https://evil.example")
			r.Header.Set("Content-Type", kind)
		}
		// An old browser says less.
		old := func(r *http.Request) {
			elsewhere(r)
			r.Header.Del("Sec-Fetch-Site")
		}
		for _, how := range []func(*http.Request){elsewhere, old} {
			for path, body := range map[string]string{"/people": `{"name":"Evil"}`, "/tags": `{"query":"all","add":["evil"]}`, "/jobs/upload": "--x\r\n\r\n--x--", "/leave": "", "/me/keys": "{}"} {
				c.want(403, c.ask("Olga", "POST", path, body, how))
			}
			c.want(403, c.ask("Olga", "DELETE", "/me", "", how))
		}
		if _, err := c.room.Find(c.ctx, "Evil"); !errors.Is(err, people.ErrNobody) {
			c.t.Error("it was done")
		}
		if c.me("Olga").ID == "" {
			c.t.Error("Olga was logged out, or removed")
		}
	}
}
