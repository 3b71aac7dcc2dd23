//qipu:race

package guard

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// quiet is a log that nobody reads.
var quiet = slog.New(slog.DiscardHandler)

// ok answers "ok" after it has read the body, as a handler of the API does.
var ok = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		p, known := TooLarge(err)
		if !known {
			p, known = TooSlow(err)
		}
		if !known {
			p = &Problem{Status: http.StatusBadRequest, Code: "bad-body", Detail: err.Error()}
		}
		Write(w, r, p)
		return
	}
	io.WriteString(w, "ok")
})

// problem reads the problem of an answer.
func problem(t *testing.T, h http.Header, body io.Reader) Problem {
	t.Helper()
	if ct := h.Get("Content-Type"); ct != ProblemType {
		t.Fatalf("content type %q of a problem", ct)
	}
	var p Problem
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		t.Fatal(err)
	}
	if p.Type != "about:blank" || p.Title == "" || p.Detail == "" || p.Hint == "" || p.RequestID == "" || p.RequestID != h.Get("X-Request-Id") {
		t.Errorf("incomplete problem %+v", p)
	}
	return p
}

func TestRefusals(t *testing.T) {
	open := Options{}
	machine := func() ([]string, []netip.Addr) {
		return []string{"box.lan", "box", "box.local"}, []netip.Addr{netip.MustParseAddr("192.168.1.2"), netip.MustParseAddr("fe80::1"), netip.MustParseAddr("2001:db8::5")}
	}
	exposed := Options{Exposed: true, Token: "secret", Machine: machine}
	reading := Options{Exposed: true, Token: "secret", ReadToken: "look", Machine: machine}
	pages := reading
	pages.Needs = func(*http.Request) Role { return Stranger }
	private := Options{Exposed: true, Token: "secret", Needs: func(r *http.Request) Role {
		if r.URL.Path == "/figures" {
			return Owner
		}
		return Reader
	}}
	cookie := cookieName + "=" + newTokens("secret", "look").cookie
	named := Options{Hosts: []string{"Qipu.example:8080", "*.go.example"}}
	both := Options{Exposed: true, Hosts: named.Hosts}
	upload := Options{MaxBody: 10, MaxUpload: 100, Upload: func(r *http.Request) bool { return r.URL.Path == "/up" }}
	h := func(kv ...string) http.Header {
		h := http.Header{}
		for i := 0; i < len(kv); i += 2 {
			h.Set(kv[i], kv[i+1])
		}
		return h
	}
	for _, c := range []struct {
		name   string
		o      Options
		method string
		target string
		host   string
		header http.Header
		body   string
		status int
		code   string
	}{
		{name: "plain", o: open, status: 200},
		{name: "post", o: open, method: "POST", body: "x", status: 200},

		{name: "long", o: open, target: "/?q=" + strings.Repeat("x", 64<<10), status: 414, code: "long-url"},
		{name: "nearly long", o: open, target: "/?q=" + strings.Repeat("x", 64<<10-4), status: 200},
		{name: "control in path", o: open, target: "/a%00b", status: 400, code: "bad-path"},
		{name: "path not utf-8", o: open, target: "/a%ffb", status: 400, code: "bad-path"},
		{name: "chinese path", o: open, target: "/%E6%A3%8B", status: 200},

		{name: "loopback 4", o: open, host: "127.0.0.1:8080", status: 200},
		{name: "loopback 4 other", o: open, host: "127.9.9.9", status: 200},
		{name: "loopback 6", o: open, host: "[::1]:8080", status: 200},
		{name: "loopback 6 bare", o: open, host: "[::1]", status: 200},
		{name: "below localhost", o: open, host: "Qipu.LOCALHOST.:80", status: 200},
		{name: "rebinding", o: open, host: "evil.example:8080", status: 421, code: "unknown-host"},
		{name: "like localhost", o: open, host: "localhost.evil.example", status: 421, code: "unknown-host"},
		{name: "ends like localhost", o: open, host: "evillocalhost", status: 421, code: "unknown-host"},
		{name: "like loopback", o: open, host: "127.0.0.1.evil.example", status: 421, code: "unknown-host"},
		{name: "other address", o: open, host: "192.168.1.2", status: 421, code: "unknown-host"},
		{name: "any address", o: open, host: "0.0.0.0:8080", status: 421, code: "unknown-host"},
		{name: "named", o: named, host: "qipu.example", status: 200},
		{name: "named below", o: named, host: "a.b.go.example:1", status: 200},
		{name: "named not itself", o: named, host: "go.example", status: 421, code: "unknown-host"},
		{name: "named and local", o: named, host: "localhost", status: 200},
		{name: "not named", o: named, host: "example", status: 421, code: "unknown-host"},
		{name: "exposed, any name", o: exposed, host: "any.example", status: 421, code: "unknown-host"},
		{name: "exposed, like the name", o: exposed, host: "box.evil.example", status: 421, code: "unknown-host"},
		{name: "exposed, the name with its domain", o: exposed, host: "BOX.lan.:7070", status: 200},
		{name: "exposed, the name", o: exposed, host: "box:7070", status: 200},
		{name: "exposed, the name by multicast", o: exposed, host: "box.local", status: 200},
		{name: "exposed, own address", o: exposed, host: "192.168.1.2:7070", status: 200},
		{name: "exposed, own address as one of IPv6", o: exposed, host: "[::ffff:192.168.1.2]:7070", status: 200},
		{name: "exposed, own IPv6", o: exposed, host: "[2001:db8::5]", status: 200},
		{name: "exposed, own IPv6 of a link", o: exposed, host: "[fe80::1%25eth0]:7070", status: 200},
		{name: "exposed, other address", o: exposed, host: "192.168.1.3", status: 421, code: "unknown-host"},
		{name: "exposed, any address", o: exposed, host: "0.0.0.0:7070", status: 421, code: "unknown-host"},
		{name: "exposed, localhost", o: exposed, status: 200},
		{name: "own address, for oneself", o: Options{Machine: machine}, host: "192.168.1.2", status: 421, code: "unknown-host"},
		{name: "exposed, not named", o: both, host: "any.example", status: 421, code: "unknown-host"},
		{name: "exposed, named", o: both, host: "qipu.example", status: 200},

		{name: "post by origin", o: open, method: "POST", header: h("Origin", "http://evil.example"), status: 403, code: "cross-site"},
		{name: "post by own origin", o: open, method: "POST", header: h("Origin", "http://localhost:8080"), status: 200},
		{name: "post of null origin", o: open, method: "POST", header: h("Origin", "null"), status: 403, code: "cross-site"},
		{name: "post by site", o: open, method: "POST", header: h("Sec-Fetch-Site", "cross-site"), status: 403, code: "cross-site"},
		{name: "post by other port", o: open, method: "POST", header: h("Sec-Fetch-Site", "same-site"), status: 403, code: "cross-site"},
		{name: "post by own site", o: open, method: "POST", header: h("Sec-Fetch-Site", "same-origin"), status: 200},
		{name: "delete by site", o: open, method: "DELETE", header: h("Sec-Fetch-Site", "cross-site"), status: 403, code: "cross-site"},
		{name: "api by site", o: open, target: "/api/v1/find", header: h("Sec-Fetch-Site", "cross-site"), status: 403, code: "cross-site"},
		{name: "api by own site", o: open, target: "/api/v1/find", header: h("Sec-Fetch-Site", "same-origin"), status: 200},
		{name: "api by address bar", o: open, target: "/api/v1/find", header: h("Sec-Fetch-Site", "none"), status: 200},
		{name: "page by link", o: open, target: "/records/1", header: h("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), status: 200},

		{name: "no token", o: exposed, method: "POST", status: 401, code: "no-token"},
		{name: "no token to read", o: exposed, status: 200},
		{name: "no token to read what is private", o: private, target: "/figures", status: 401, code: "no-token"},
		{name: "private with the token", o: private, target: "/figures", header: h("Authorization", "Bearer secret"), status: 200},
		{name: "beside what is private", o: private, target: "/other", status: 200},
		{name: "private on the own machine", o: Options{Needs: private.Needs}, target: "/figures", status: 200},
		{name: "other scheme", o: exposed, method: "PUT", header: h("Authorization", "Basic secret"), status: 401, code: "no-token"},
		{name: "wrong token", o: exposed, method: "DELETE", header: h("Authorization", "Bearer secret2"), status: 401, code: "wrong-token"},
		{name: "empty token", o: exposed, method: "POST", header: h("Authorization", "Bearer "), status: 401, code: "wrong-token"},
		{name: "right token", o: exposed, method: "POST", header: h("Authorization", "bearer secret"), status: 200},
		{name: "odd method", o: exposed, method: "BREW", status: 401, code: "no-token"},
		{name: "right token, wrong site", o: exposed, method: "POST", header: h("Authorization", "Bearer secret", "Sec-Fetch-Site", "cross-site"), status: 403, code: "cross-site"},
		{name: "none set", o: Options{Exposed: true}, method: "POST", header: h("Authorization", "Bearer "), status: 403, code: "read-only"},
		{name: "harmless", o: Options{Exposed: true, Needs: func(*http.Request) Role { return Reader }}, method: "POST", status: 200},

		{name: "reading, no token", o: reading, status: 401, code: "no-read-token"},
		{name: "reading, page", o: pages, status: 200},
		{name: "reading, page with a wrong token", o: pages, header: h("Authorization", "Bearer guess"), status: 200},
		{name: "reading, wrong token", o: reading, header: h("Authorization", "Bearer guess"), status: 401, code: "wrong-token"},
		{name: "reading, its token", o: reading, header: h("Authorization", "Bearer look"), status: 200},
		{name: "reading, owner's token", o: reading, header: h("Authorization", "Bearer secret"), status: 200},
		{name: "reading, cookie", o: reading, header: h("Cookie", cookie), status: 200},
		{name: "reading, wrong cookie", o: reading, header: h("Cookie", cookieName+"=look"), status: 401, code: "no-read-token"},
		{name: "cookie of nothing", o: reading, header: h("Cookie", cookieName+"="), status: 401, code: "no-read-token"},
		{name: "change with the token for reading", o: reading, method: "POST", header: h("Authorization", "Bearer look"), status: 401, code: "read-token"},
		{name: "change with the cookie", o: reading, method: "POST", header: h("Cookie", cookie), status: 401, code: "no-token"},
		{name: "change with the owner's token", o: reading, method: "POST", header: h("Authorization", "Bearer secret"), status: 200},
		{name: "reading alone", o: Options{Exposed: true, ReadToken: "look"}, method: "POST", header: h("Authorization", "Bearer look"), status: 403, code: "read-only"},

		{name: "large", o: upload, method: "POST", body: strings.Repeat("x", 11), status: 413, code: "too-large"},
		{name: "just not large", o: upload, method: "POST", body: strings.Repeat("x", 10), status: 200},
		{name: "upload", o: upload, method: "POST", target: "/up", body: strings.Repeat("x", 100), status: 200},
		{name: "large upload", o: upload, method: "POST", target: "/up", body: strings.Repeat("x", 101), status: 413, code: "too-large"},
		{name: "large by default", o: open, method: "POST", body: strings.Repeat("x", 1<<20+1), status: 413, code: "too-large"},
	} {
		// Once with its length declared, and once without, where only reading
		// finds out. All else must be the same.
		for _, declared := range []bool{true, false} {
			t.Run(c.name+"/"+strconv.FormatBool(declared), func(t *testing.T) {
				c.o.Log = quiet
				r := httptest.NewRequest(cmp.Or(c.method, "GET"), cmp.Or(c.target, "/"), strings.NewReader(c.body))
				r.Host = cmp.Or(c.host, "localhost:8080")
				for k, v := range c.header {
					r.Header[k] = v
				}
				if !declared {
					r.ContentLength = -1
				}
				w := httptest.NewRecorder()
				New(c.o).Wrap(ok).ServeHTTP(w, r)
				if w.Code != c.status {
					t.Fatalf("status %d, want %d: %s", w.Code, c.status, w.Body)
				}
				if c.code == "" {
					return
				}
				p := problem(t, w.Header(), w.Body)
				if p.Code != c.code || p.Status != c.status {
					t.Errorf("problem %+v, want code %s", p, c.code)
				}
				if c.status == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ") {
					t.Errorf("401 with WWW-Authenticate %q", w.Header().Get("WWW-Authenticate"))
				}
			})
		}
	}
}

func TestHeaders(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "http://localhost/", nil)
	New(Options{Log: quiet}).Wrap(ok).ServeHTTP(w, r)
	for k, want := range map[string]string{
		"Content-Security-Policy":      "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy":   "same-origin",
	} {
		if got := w.Header().Get(k); got != want {
			t.Errorf("%s: %q", k, got)
		}
	}
	if w.Header().Get("Permissions-Policy") == "" || w.Header().Get("X-Request-Id") == "" {
		t.Errorf("headers %v", w.Header())
	}
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Options{Exposed: true, Log: quiet}).Wrap(ok)
		ask := func(from string) (int, string) {
			r := httptest.NewRequest("GET", "http://localhost/", nil)
			r.RemoteAddr = from
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code == 429 {
				if p := problem(t, w.Header(), w.Body); p.Code != "too-many" {
					t.Errorf("code %s", p.Code)
				}
			}
			return w.Code, w.Header().Get("Retry-After")
		}
		for i := range 200 {
			if code, _ := ask("[2001:db8::" + strconv.Itoa(i) + "]:1"); code != 200 {
				t.Fatalf("request %d of the burst: %d", i, code)
			}
		}
		if code, after := ask("[2001:db8::ffff]:1"); code != 429 || after != "1" {
			t.Errorf("after the burst: %d, Retry-After %q", code, after)
		}
		if code, _ := ask("[2001:db8:0:1::1]:1"); code != 200 {
			t.Errorf("another network: %d", code)
		}
		if code, _ := ask("[::ffff:192.0.2.1]:1"); code != 200 {
			t.Errorf("another client: %d", code)
		}
		time.Sleep(time.Second)
		for i := range 50 {
			if code, _ := ask("[2001:db8::1]:1"); code != 200 {
				t.Fatalf("request %d of the next second: %d", i, code)
			}
		}
		if code, _ := ask("[2001:db8::1]:1"); code != 429 {
			t.Errorf("after the next second: %d", code)
		}
	})
	h := New(Options{Log: quiet}).Wrap(ok)
	for range 1000 {
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil)); w.Code != 200 {
			t.Fatalf("limited on loopback: %d", w.Code)
		}
	}
}

// TestWrongTokens: who guesses has to wait, and who has the right token does not,
// from whatever address. Guesses count wherever they are sent.
func TestWrongTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := New(Options{Exposed: true, Token: "secret", ReadToken: "look", Log: quiet}).Wrap(ok)
		send := func(method, token string) (int, string) {
			r := httptest.NewRequest(method, "http://localhost/", nil)
			r.Header.Set("Authorization", "Bearer "+token)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			return w.Code, w.Header().Get("Retry-After")
		}
		for i := range 5 {
			if code, _ := send([]string{"GET", "POST"}[i%2], "guess"); code != 401 {
				t.Fatalf("wrong token: %d", code)
			}
		}
		for range 3 {
			if code, after := send("POST", "guess"); code != 429 || after != "10" {
				t.Errorf("after wrong tokens: %d, Retry-After %q", code, after)
			}
			if code, _ := send("POST", "secret"); code != 200 {
				t.Errorf("the right token, after wrong ones: %d", code)
			}
			if code, _ := send("GET", "look"); code != 200 {
				t.Errorf("the right token for reading, after wrong ones: %d", code)
			}
			if code, _ := send("POST", "look"); code != 401 { // it is no guess
				t.Errorf("a change with the token for reading: %d", code)
			}
		}
		time.Sleep(10 * time.Second)
		if code, _ := send("POST", "guess"); code != 401 {
			t.Errorf("after the wait: %d", code)
		}
	})
}

// TestLent: whoever reads with a token gets a cookie that is good for reading, and holds
// no token.
func TestLent(t *testing.T) {
	get := func(o Options, header ...string) *httptest.ResponseRecorder {
		o.Exposed, o.Token, o.Log = true, "secret", quiet
		r := httptest.NewRequest("GET", "http://localhost/", nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		New(o).Wrap(ok).ServeHTTP(w, r)
		return w
	}
	reading := Options{ReadToken: "look"}
	for _, token := range []string{"look", "secret"} {
		cookies := get(reading, "Authorization", "Bearer "+token).Result().Cookies()
		if len(cookies) != 1 || cookies[0].SameSite != http.SameSiteStrictMode || cookies[0].Path != "/api" || strings.Contains(cookies[0].Value, token) {
			t.Fatalf("%s: %v", token, cookies)
		}
		w := get(reading, "Cookie", cookies[0].Name+"="+cookies[0].Value)
		if w.Code != 200 || len(w.Result().Cookies()) != 0 {
			t.Errorf("with the cookie: %d, %v", w.Code, w.Result().Cookies())
		}
	}
	for name, w := range map[string]*httptest.ResponseRecorder{
		"a wrong token":             get(reading, "Authorization", "Bearer guess"),
		"no token for reading":      get(Options{}, "Authorization", "Bearer secret"),
		"nothing, to nothing asked": get(Options{}),
	} {
		if len(w.Result().Cookies()) != 0 {
			t.Errorf("%s: %v", name, w.Result().Cookies())
		}
	}
}

// TestMachine: this machine has a name and an address that a guard knows; what it gets
// later is looked up, though not for every request of a stranger.
func TestMachine(t *testing.T) {
	looks := 0
	addrs := []netip.Addr{netip.MustParseAddr("10.0.0.1")}
	m := &machine{look: func() ([]string, []netip.Addr) { looks++; return nil, addrs }}
	now := time.Now()
	for range 100 {
		if m.is("10.0.0.2", now) || !m.is("10.0.0.1", now) {
			t.Fatal("the machine is another")
		}
	}
	if looks != 1 {
		t.Errorf("looked %d times", looks)
	}
	addrs = append(addrs, netip.MustParseAddr("10.0.0.2"))
	if !m.is("10.0.0.2", now.Add(time.Second)) {
		t.Error("a new address is not found")
	}
	if names, addrs := thisMachine(); len(names) == 0 || len(addrs) == 0 {
		t.Errorf("this machine: %v, %v", names, addrs)
	}
}

func TestClientsAreForgotten(t *testing.T) {
	c := newClients(1, 1)
	now := time.Now()
	for i := range maxClients + 10 {
		c.take(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), now)
	}
	if len(c.by) != maxClients || c.order.Len() != maxClients {
		t.Errorf("%d clients in the table, %d in the list", len(c.by), c.order.Len())
	}
	c.take(netip.IPv6Loopback(), now.Add(forgetAfter))
	if len(c.by) != 1 || c.order.Len() != 1 {
		t.Errorf("%d clients are left, %d in the list", len(c.by), c.order.Len())
	}
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(2, 10*time.Second)
		leave1, err1 := g.Enter(t.Context())
		leave2, err2 := g.Enter(t.Context())
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		start := time.Now()
		_, err := g.Enter(t.Context())
		var p *Problem
		if !errors.As(err, &p) || p.Status != 503 || p.Code != "busy" || p.Header.Get("Retry-After") != "5" {
			t.Fatalf("third: %v", err)
		}
		if d := time.Since(start); d != 10*time.Second {
			t.Errorf("refused after %v", d)
		}
		go func() {
			time.Sleep(3 * time.Second)
			leave1()
			leave1() // no second place becomes free
		}()
		start = time.Now()
		leave3, err := g.Enter(t.Context())
		if d := time.Since(start); err != nil || d != 3*time.Second {
			t.Errorf("admitted after %v: %v", d, err)
		}
		if _, err := g.Enter(t.Context()); !errors.As(err, &p) {
			t.Errorf("leaving twice made two places: %v", err)
		}
		leave2()
		leave3()
		if inside, waiting, refused := loaded(g); inside != 0 || waiting != 0 || refused != 2 || len(g.clients) != 0 {
			t.Errorf("%d inside, %d waiting, %d refused, %d clients", inside, waiting, refused, len(g.clients))
		}
	})
}

func TestHeavy(t *testing.T) {
	g := New(Options{Heavy: 1, HeavyWait: time.Millisecond, Log: quiet})
	h := g.Wrap(heavy(g, ok))
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/", nil))
		return w
	}
	leave, err := g.Gate().Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w := ask()
	if p := problem(t, w.Header(), w.Body); w.Code != 503 || p.Code != "busy" || w.Header().Get("Retry-After") != "1" {
		t.Errorf("%d %+v %v", w.Code, p, w.Header())
	}
	leave()
	if w := ask(); w.Code != 200 {
		t.Errorf("with a place free: %d", w.Code)
	}
}

func TestPanics(t *testing.T) {
	var log bytes.Buffer
	g := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	mux := http.NewServeMux()
	mux.HandleFunc("/early", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"x"`)
		panic("early trouble")
	})
	mux.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "half of an ans")
		panic("late trouble")
	})
	mux.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	srv := httptest.NewServer(g.Wrap(mux))
	defer srv.Close()
	// On a connection that was used before, the client would try again.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

	resp, err := client.Get(srv.URL + "/early")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if p := problem(t, resp.Header, resp.Body); resp.StatusCode != 500 || p.Code != "internal" || strings.Contains(p.Detail, "trouble") {
		t.Errorf("%d %+v", resp.StatusCode, p)
	} else if !strings.Contains(log.String(), p.RequestID) || resp.Header.Get("ETag") != "" {
		t.Errorf("log without the request, or headers of another answer %v", resp.Header)
	}
	for _, path := range []string{"/late", "/abort"} {
		resp, err := client.Get(srv.URL + path)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: the broken answer looks whole", path)
		}
	}
	srv.Close() // the log is complete
	for _, want := range []string{"early trouble", "late trouble", "TestPanics", "route=/early"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %q:\n%s", want, log.String())
		}
	}
	if n := value(t, g, "qipu_http_panics_total "); n != "2" {
		t.Errorf("%s panics were counted", n)
	}
	if n := value(t, g, "qipu_http_in_flight "); n != "0" {
		t.Errorf("%s requests in flight at the end", n)
	}
}

// value returns the value of the metric whose line starts with the prefix.
func value(t *testing.T, g *Guard, prefix string) string {
	t.Helper()
	w := httptest.NewRecorder()
	g.Metrics().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for line := range strings.Lines(w.Body.String()) {
		if rest, ok := strings.CutPrefix(line, prefix); ok {
			return strings.TrimSpace(rest)
		}
	}
	t.Errorf("no metric %s in\n%s", prefix, w.Body)
	return ""
}

func TestLogAndMetrics(t *testing.T) {
	var log bytes.Buffer
	g := New(Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	mux := http.NewServeMux()
	mux.Handle("/api/v1/records/{id}", ok)
	mux.Handle("GET /healthz", ok)
	h := g.Wrap(mux)
	ask := func(method, target string) {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "http://localhost"+target, strings.NewReader("body")))
	}
	ask("POST", "/api/v1/records/7?q=private")
	ask("BREW", "/api/v1/records/8")
	ask("GET", "/healthz")
	ask("GET", "/"+strings.Repeat("棋", 100))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 || strings.Contains(log.String(), "healthz") || strings.Contains(log.String(), "private") {
		t.Fatalf("log:\n%s", log.String())
	}
	var line map[string]any
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{
		"method": "POST", "path": "/api/v1/records/7", "status": 200.0, "bytes": 2.0,
		"client": "192.0.2.1", "route": "/api/v1/records/{id}",
	} {
		if line[k] != want {
			t.Errorf("%s: %v, want %v", k, line[k], want)
		}
	}
	if line["request"] == "" || line["ms"] == nil {
		t.Errorf("log line %v", line)
	}
	if err := json.Unmarshal([]byte(lines[2]), &line); err != nil || len(line["path"].(string)) > 204 {
		t.Errorf("path of %d bytes in the log (%v)", len(line["path"].(string)), err)
	}
	for k, want := range map[string]string{
		`qipu_http_requests_total{code="200",method="POST",route="/api/v1/records/{id}"} `:  "1",
		`qipu_http_requests_total{code="200",method="other",route="/api/v1/records/{id}"} `: "1",
		`qipu_http_requests_total{code="404",method="GET",route="none"} `:                   "1",
		`qipu_http_request_seconds_count{route="/healthz"} `:                                "1",
		`qipu_http_received_bytes_total `:                                                   "12",
	} {
		if got := value(t, g, k); got != want {
			t.Errorf("%s%s, want %s", k, got, want)
		}
	}
	if value(t, g, "go_goroutines ") == "" {
		t.Error("nothing of the runtime")
	}
	// A second guard on the same registry counts on.
	New(Options{Log: quiet, Registry: g.m.registry}).Wrap(mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "http://evil/", nil))
	if got := value(t, g, `qipu_http_refused_total{reason="unknown-host"} `); got != "1" {
		t.Errorf("refused %s", got)
	}
}

// The limits of the server are set, whatever else it does.
func TestServer(t *testing.T) {
	srv := New(Options{Log: quiet}).Server("localhost:1", ok)
	if srv.Addr != "localhost:1" || srv.ReadHeaderTimeout != 10*time.Second || srv.IdleTimeout == 0 || srv.MaxHeaderBytes < 2*64<<10 || srv.ErrorLog == nil {
		t.Errorf("%+v", srv)
	}
}

// start serves on a free port until the test ends.
func start(t testing.TB, g *Guard, h http.Handler) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := g.Server("", h)
	go srv.Serve(l)
	t.Cleanup(func() { srv.Close() })
	return l.Addr().String()
}

// TestAddress: a proxy on this machine tells whose request it brings; nobody else
// is believed.
func TestAddress(t *testing.T) {
	for _, c := range []struct{ remote, forwarded, want string }{
		{"192.0.2.1:5", "", "192.0.2.1"},
		{"192.0.2.1:5", "198.51.100.7", "192.0.2.1"},
		{"127.0.0.1:5", "", "127.0.0.1"},
		{"127.0.0.1:5", "198.51.100.7", "198.51.100.7"},
		{"127.0.0.1:5", "203.0.113.9, 198.51.100.7", "198.51.100.7"},
		{"[::1]:5", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"},
		{"127.0.0.1:5", "198.51.100.7, nonsense", "127.0.0.1"},
		{"[2001:db8::1]:5", "", "2001:db8::"},
		{"pipe", "198.51.100.7", "invalid IP"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.remote
		if c.forwarded != "" {
			r.Header.Set("X-Forwarded-For", c.forwarded)
		}
		if got := New(Options{}).address(r).String(); got != c.want {
			t.Errorf("%s for %q: %s, want %s", c.remote, c.forwarded, got, c.want)
		}
	}
}

// heavy returns a handler behind the gate of a guard.
func heavy(g *Guard, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leave, err := g.Gate().Enter(r.Context())
		if p, ok := errors.AsType[*Problem](err); ok {
			Write(w, r, p)
			return
		}
		if err == nil {
			defer leave()
			next.ServeHTTP(w, r)
		}
	})
}
