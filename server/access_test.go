package server

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/view"
)

// someone is who asks, and where: a column of the table of docs/server.md.
type someone struct {
	title, place, token string
	guests, readToken   bool
}

var everyone = []someone{
	{title: "loopback: stranger, guest, owner", place: "loopback"},
	{title: "LAN: stranger", place: "LAN"},
	{title: "LAN: guest", place: "LAN", guests: true},
	{title: "LAN: owner", place: "LAN", token: "secret"},
	{title: "public: stranger", place: "public"},
	{title: "public: guest", place: "public", guests: true},
	{title: "public: owner", place: "public", token: "secret"},
	{title: "`--read-token`: stranger", place: "public", guests: true, readToken: true},
	{title: "`--read-token`: reader", place: "public", readToken: true, token: "look"},
	{title: "`--read-token`: owner", place: "public", readToken: true, token: "secret"},
}

// may reports what the policy of a route gives to someone.
func (x *someone) may(who api.Who) bool {
	if x.place == "loopback" || x.token == "secret" {
		return true
	}
	reads := !x.readToken || x.token == "look"
	switch who {
	case api.Anybody:
		return true
	case api.Readers:
		return reads
	case api.Players:
		return reads && x.guests
	}
	return false
}

// options are those of the server that someone asks.
func (x *someone) options() Options {
	o := Options{Log: slog.New(slog.DiscardHandler), Holder: "another server", Rate: -1}
	if x.place != "loopback" {
		o.Exposed, o.Token, o.Guests = true, "secret", x.guests
	}
	if x.place == "public" {
		o.Hosts = []string{"games.example.org"}
	}
	if x.readToken {
		o.ReadToken = "look"
	}
	return o
}

// request returns a request as it comes from someone: on the LAN from another machine
// under the name of this one, in public from a proxy.
func (x *someone) request(method, path string, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Host = "localhost:7070"
	switch x.place {
	case "loopback":
		r.RemoteAddr = "127.0.0.1:4000"
	case "LAN":
		name, err := os.Hostname()
		if err != nil {
			panic(err)
		}
		r.Host, r.RemoteAddr = name+":7070", "192.168.1.77:4000"
	case "public":
		r.Host, r.RemoteAddr = "games.example.org", "127.0.0.1:4000"
		r.Header.Set("X-Forwarded-For", "203.0.113.9")
	}
	if x.token != "" {
		r.Header.Set("Authorization", "Bearer "+x.token)
	}
	return r
}

// byPath returns the patterns of all routes in the order of their paths.
func byPath(s *Server) []string {
	return slices.SortedFunc(maps.Keys(s.Policies), func(a, b string) int {
		x, y := strings.Fields(a), strings.Fields(b)
		return strings.Compare(x[1]+" "+x[0], y[1]+" "+y[0])
	})
}

// TestAccess asks every route as everyone, everywhere, and compares it with what its
// policy says; that is the table of docs/server.md, which -rewrite makes. The requests
// have ended before they begin, so that routes do no work: who may not ask is told so
// before that.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	var table strings.Builder
	table.WriteString("| route |")
	for i := range everyone {
		table.WriteString(" " + everyone[i].title + " |")
	}
	table.WriteString("\n|---|" + strings.Repeat("---|", len(everyone)) + "\n")
	handlers := make([]http.Handler, len(everyone))
	for i := range everyone {
		s, err := New(w.ctx, w.lib, everyone[i].options())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(context.Background())
		handlers[i] = s.Guard.Wrap(s.Handler())
	}
	ended, cancel := context.WithCancel(w.ctx)
	cancel()
	slot := regexp.MustCompile(`\{\w+\}`)
	row := func(pattern, method, path string, who api.Who) {
		table.WriteString("| `" + method + " " + strings.TrimPrefix(path, api.Prefix) + "` |")
		for i := range everyone {
			x := &everyone[i]
			ask := func(host string) (int, string) {
				r := x.request(method, slot.ReplaceAllString(path, "77"), "{}").WithContext(ended)
				r.Host = cmp.Or(host, r.Host)
				answer := httptest.NewRecorder()
				handlers[i].ServeHTTP(answer, r)
				var p struct{ Code string }
				json.Unmarshal(answer.Body.Bytes(), &p) // what is no problem has no code
				return answer.Code, p.Code
			}
			may := x.may(who)
			table.WriteString(map[bool]string{true: " yes |", false: " no |"}[may])
			code, why := ask("")
			if refused := code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusMisdirectedRequest; refused == may {
				t.Errorf("%s: %s: %d %s, may %t", pattern, x.title, code, why, may)
			}
			if code, why := ask("evil.example"); code != http.StatusMisdirectedRequest {
				t.Errorf("%s: %s: under the name of another site: %d %s", pattern, x.title, code, why)
			}
		}
		table.WriteString("\n")
	}
	for _, pattern := range byPath(w.Server) {
		method, path, _ := strings.Cut(pattern, " ")
		row(pattern, method, path, w.Policies[pattern].Who)
		if who := w.Policies[pattern].Engine; who != api.Nobody {
			row(pattern, method, path+"?engine=NAME", who)
		}
	}
	testkit.GoldenSection(t, "../docs/server.md", "routes", table.String())
}

// TestPrivate: what the owner keeps to himself is told to nobody else by any way, and
// the owner is told it as before.
func TestPrivate(t *testing.T) {
	w := newWorld(t)
	send[view.Saved](w, 200, "PUT", "/queries/hush-hush", view.SaveQuery{Query: "player:Demo"})
	s, err := New(w.ctx, w.lib, Options{Exposed: true, Token: "secret", Holder: "another server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	paths := []string{
		target("/queries"), target("/queries/hush-hush"), target("/jobs"), target("/query/complete", "q", "named:hush", "at", "10"),
		target("/find", "q", "named:hush-hush"), target("/find/explain", "q", "named:hush-hush"), target("/find/events", "q", "named:hush-hush"),
		target("/records", "q", "named:hush-hush"), target("/query", "q", "named:hush-hush"), target("/find", "q", "named:hush-hus"),
	}
	// The owner asks first: what is kept for him is his.
	for _, x := range []someone{{place: "LAN", token: "secret"}, {place: "LAN"}} {
		owner := x.token != ""
		ask := func(path string) (int, string) {
			answer := httptest.NewRecorder()
			s.Guard.Wrap(s.Handler()).ServeHTTP(answer, x.request("GET", path, ""))
			return answer.Code, answer.Body.String()
		}
		for i, path := range paths {
			code, body := ask(path)
			found := code == http.StatusOK && (strings.Contains(body, `"hush-hush"`) || strings.Contains(body, "Demo"))
			if !owner && (found || strings.Contains(body, "is it hush-hush")) {
				t.Errorf("%s tells a stranger: %.300s", path, body)
			}
			if owner && (code != http.StatusOK) != (i == len(paths)-1) {
				t.Errorf("%s: the owner gets %d %.300s", path, code, body)
			}
		}
		var lib view.Library
		_, body := ask(target("/library"))
		if err := json.Unmarshal([]byte(body), &lib); err != nil || lib.Owner != owner || (lib.Saved == 1) != owner {
			t.Errorf("%q: %v, %+v", x.token, err, lib)
		}
	}
}
