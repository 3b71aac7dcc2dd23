package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
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
	"qipu/store/people"
	"qipu/view"
)

// someone is who asks, and where: those that are shown are columns of the table of
// docs/server.md.
type someone struct {
	title, place, token        string
	role                       string // of the profile, if there is one
	guests, approve, readToken bool
	shown                      bool
}

// everyone are all who may ask, on every kind of server.
var everyone = func() (list []someone) {
	list = append(list, someone{title: "own machine: everybody", place: "loopback", shown: true})
	for _, role := range roleNames {
		list = append(list, someone{title: "own machine: " + role, place: "loopback", role: role})
	}
	for _, place := range []string{"LAN", "public"} {
		list = append(list, someone{title: "stranger", place: place, shown: place == "public"})
		for _, role := range roleNames {
			list = append(list, someone{title: role, place: place, role: role, shown: place == "public"})
		}
		list = append(list,
			someone{title: "token", place: place, token: "secret"},
			someone{title: "`--guests`: stranger", place: place, guests: true, shown: place == "public"},
			someone{title: "`--guests --approve`: stranger", place: place, guests: true, approve: true, shown: place == "public"},
			someone{title: "`--read-token`: stranger", place: place, guests: true, readToken: true, shown: place == "public"},
			someone{title: "`--read-token`: reader", place: place, readToken: true, token: "look"},
			someone{title: "`--read-token`: guest", place: place, readToken: true, role: "guest"},
			someone{title: "`--read-token`: token", place: place, readToken: true, token: "secret"},
		)
	}
	return list
}()

var roleNames = []string{"guest", "member", "editor", "owner"}

// may reports what the policy of a route gives to someone.
func (x *someone) may(who api.Who) bool {
	if x.place == "loopback" || x.token == "secret" {
		return true
	}
	rank := slices.Index(roleNames, x.role) // -1 without a profile
	reads := !x.readToken || x.token == "look" || rank >= 0
	switch who {
	case api.Anybody:
		return true
	case api.Readers:
		return reads
	case api.Players:
		return reads && x.guests || rank >= 1
	case api.Senders:
		return reads && x.guests && x.approve || rank >= 1
	case api.Profiles:
		return rank >= 0
	case api.Members:
		return rank >= 1
	case api.Editors:
		return rank >= 2
	case api.Owner:
		return rank >= 3
	}
	return false
}

// options are those of the server that someone asks.
func (x *someone) options() Options {
	o := Options{Log: slog.New(slog.DiscardHandler), Holder: "another server", Rate: -1}
	if x.place != "loopback" {
		o.Exposed, o.Token, o.Guests, o.Approve = true, "secret", x.guests, x.approve
	}
	if x.place == "public" {
		o.Hosts = []string{"games.example.org"}
	}
	if x.readToken {
		o.ReadToken = "look"
	}
	return o
}

// login logs the profile of someone in, where there is one, and returns the cookie.
func (x *someone) login(t testing.TB, w *world) string {
	if x.role == "" {
		return ""
	}
	role, err := people.ParseRole(x.role)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.lib.People().Find(w.ctx, x.role)
	if errors.Is(err, people.ErrNobody) {
		p, err = w.lib.People().Add(w.ctx, x.role, role)
	}
	if err != nil {
		t.Fatal(err)
	}
	secret, err := w.lib.People().Choose(w.ctx, p.ID, "test")
	if err != nil {
		t.Fatal(err)
	}
	return "qipu-login=" + secret
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
	r.Header.Set("Sec-Fetch-Site", "same-origin")
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

// unread is a body that nobody may read.
type unread struct{ read bool }

func (u *unread) Read([]byte) (int, error) { u.read = true; return 0, io.EOF }
func (u *unread) Close() error             { return nil }

// TestAccess asks every route by every method as everyone, everywhere, and compares it
// with what its policy says; that is the table of docs/server.md, which -rewrite makes.
// The requests have ended before they begin, so that routes do no work: who may not ask
// is told so before that, and before the body is read.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	var table strings.Builder
	table.WriteString("| route |")
	columns := 0
	handlers, cookies := make([]http.Handler, len(everyone)), make([]string, len(everyone))
	for i := range everyone {
		if everyone[i].shown {
			table.WriteString(" " + everyone[i].title + " |")
			columns++
		}
		s, err := New(w.ctx, w.lib, everyone[i].options())
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close(context.Background())
		handlers[i], cookies[i] = s.Guard.Wrap(s.Handler()), everyone[i].login(t, w)
	}
	table.WriteString("\n|---|" + strings.Repeat("---|", columns) + "\n")
	ended, cancel := context.WithCancel(w.ctx)
	cancel()

	asked := 0
	ask := func(i int, method, path, host string, body io.ReadCloser) (int, string) {
		x := &everyone[i]
		r := x.request(method, slot.ReplaceAllString(path, "77"), "{}").WithContext(context.WithoutCancel(ended))
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		if body == nil {
			cancel() // it ends before it begins
		} else {
			r.Body = body
		}
		r = r.WithContext(ctx)
		r.Host = cmp.Or(host, r.Host)
		if cookies[i] != "" {
			r.Header.Set("Cookie", cookies[i])
		}
		answer := httptest.NewRecorder()
		handlers[i].ServeHTTP(answer, r)
		var p struct{ Code string }
		json.Unmarshal(answer.Body.Bytes(), &p) // what is no problem has no code
		asked++
		return answer.Code, p.Code
	}
	refused := func(code int) bool {
		return code == http.StatusUnauthorized || code == http.StatusForbidden || code == http.StatusMisdirectedRequest
	}
	row := func(pattern, method, path string, who api.Who) {
		table.WriteString("| `" + method + " " + strings.TrimPrefix(path, api.Prefix) + "` |")
		for i := range everyone {
			x := &everyone[i]
			may := x.may(who)
			if x.shown {
				table.WriteString(map[bool]string{true: " yes |", false: " no |"}[may])
			}
			code, why := ask(i, method, path, "", nil)
			if refused(code) == may {
				t.Errorf("%s: %s, %s: %d %s, may %t", pattern, x.place, x.title, code, why, may)
			}
			if !may {
				body := &unread{}
				if code, why := ask(i, method, path, "", body); !refused(code) || body.read {
					t.Errorf("%s: %s, %s: %d %s, the body was read: %t", pattern, x.place, x.title, code, why, body.read)
				}
			}
			if !x.shown {
				continue
			}
			if code, why := ask(i, method, path, "evil.example", nil); code != http.StatusMisdirectedRequest {
				t.Errorf("%s: %s, %s: under the name of another site: %d %s", pattern, x.place, x.title, code, why)
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
		// What is not registered is nothing that anybody can ask for.
		for _, other := range []string{"GET", "POST", "PUT", "DELETE", "PATCH"} {
			if w.Policy(httptest.NewRequest(other, slot.ReplaceAllString(path, "77"), nil)).Who != api.Nobody {
				continue
			}
			for i := range everyone {
				code, why := ask(i, other, path, "", nil)
				if code < 400 || code >= 500 {
					t.Errorf("%s %s, which there is not: %s, %s: %d %s", other, path, everyone[i].place, everyone[i].title, code, why)
				}
			}
		}
	}
	t.Logf("%d requests: %d routes, %d who ask", asked, len(w.Policies), len(everyone))
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

// slot is a part of a path that differs between requests.
var slot = regexp.MustCompile(`\{\w+\}`)
