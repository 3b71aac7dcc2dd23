package server

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
	"qipu/server/api"
	"qipu/server/guard"
)

// TestRefused: what strangers may try is refused, by the real server on a real
// port.
func TestRefused(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	host := strings.TrimPrefix(base, "http://")
	const form = "multipart/form-data; boundary=x"
	tests := []struct {
		name, method, path string
		header             []string
		body               string
		status             int
		code               string // of the problem; empty for pages
	}{
		{"how it is", "GET", "/healthz", nil, "", 200, ""},
		{"a good question", "GET", api.Prefix + "/library", nil, "", 200, ""},
		{"a path that climbs", "GET", "/../../../etc/passwd", nil, "", 307, ""}, // to /etc/passwd, where nothing is
		{"a path that climbs, written otherwise", "GET", "/%2e%2e/%2e%2e/etc/passwd", nil, "", 404, ""},
		{"a path that climbs out of the interface", "GET", api.Prefix + "/records/..%2f..%2f..%2fetc%2fpasswd", nil, "", 422, "invalid"},
		{"a name that climbs", "GET", api.Prefix + "/jobs/%2e%2e%2f1", nil, "", 422, "invalid"},
		{"a file of the server", "POST", api.Prefix + "/jobs", []string{"Content-Type", "application/json"}, `{"paths":["/etc/passwd"]}`, 403, "outside"},
		{"a post from another site", "POST", api.Prefix + "/jobs", []string{"Content-Type", "application/json", "Origin", "http://evil.example"}, `{"sample":true}`, 403, "cross-site"},
		{"a post from another site, as browsers tell", "POST", api.Prefix + "/jobs", []string{"Content-Type", "application/json", "Sec-Fetch-Site", "cross-site"}, `{"sample":true}`, 403, "cross-site"},
		{"a post by a form of another site", "POST", api.Prefix + "/jobs/upload", []string{"Content-Type", form, "Sec-Fetch-Site", "cross-site"}, "--x--\r\n", 403, "cross-site"},
		{"a question of another site", "GET", api.Prefix + "/library", []string{"Sec-Fetch-Site", "cross-site"}, "", 403, "cross-site"},
		{"a name that leads here from elsewhere", "GET", api.Prefix + "/library", []string{"Host", "evil.example"}, "", 421, "unknown-host"},
		{"a body that is too large", "POST", api.Prefix + "/read", []string{"Content-Type", "application/json"}, `{"text":"` + strings.Repeat("x", 3<<20) + `"}`, 413, "too-large"},
		{"an address that is too long", "GET", api.Prefix + "/find?q=" + strings.Repeat("x", 300<<10), nil, "", 414, "long-url"},
		{"a method that is not there", "PATCH", api.Prefix + "/library", nil, "", 405, "method"},
		{"a text that is no JSON", "POST", api.Prefix + "/jobs", []string{"Content-Type", "application/json"}, `{"sample":`, 400, "invalid"},
		{"an unknown parameter", "GET", api.Prefix + "/find?unheard=1", nil, "", 422, "invalid"},
		{"nothing", "GET", api.Prefix + "/nothing", nil, "", 404, "not-found"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			fmt.Fprintf(&out, "%s %s HTTP/1.1\r\n", tt.method, tt.path)
			named := false
			for i := 0; i < len(tt.header); i += 2 {
				fmt.Fprintf(&out, "%s: %s\r\n", tt.header[i], tt.header[i+1])
				named = named || tt.header[i] == "Host"
			}
			if !named {
				fmt.Fprintf(&out, "Host: %s\r\n", host)
			}
			fmt.Fprintf(&out, "Content-Length: %d\r\nConnection: close\r\n\r\n%s", len(tt.body), tt.body)
			reply, body := exchange(t, host, out.String())
			if reply.StatusCode != tt.status || tt.code != "" && !strings.Contains(body, `"code":"`+tt.code+`"`) {
				t.Errorf("%d %s, want %d %s", reply.StatusCode, clip(body), tt.status, tt.code)
			}
			if strings.Contains(body, "root:") {
				t.Error("a file of the server came back")
			}
			if csp := reply.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'self'") {
				t.Errorf("Content-Security-Policy %q", csp)
			}
		})
	}
}

// exchange sends bytes, and reads one answer.
func exchange(t *testing.T, host, request string) (*http.Response, string) {
	t.Helper()
	c, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(testkit.Patience))
	go io.WriteString(c, request) // the server may answer before it has read everything
	reply, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply, string(body)
}

// TestToken: where others can reach the server, everybody reads, and changes
// need the token.
func TestToken(t *testing.T) {
	w := newWorld(t)
	s, err := New(t.Context(), w.lib, Options{Exposed: true, Token: "secret", Holder: "another server", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	handler := s.Guard.Wrap(s.Handler())
	n := 0
	for _, e := range endpoints(s) {
		if e.method == "GET" {
			continue
		}
		for token, want := range map[string]bool{"": false, "wrong": false, "secret": true} {
			a := &asker{Rand: newRand(), doc: s.OpenAPI()}
			r := a.request(e)
			n++
			r.RemoteAddr = fmt.Sprintf("198.18.%d.%d:1", n/250, n%250) // who guesses has to wait, and others have not
			if token != "" {
				r.Header.Set("Authorization", "Bearer "+token)
			}
			code := request(t, handler, r)
			let := code != http.StatusUnauthorized
			who := s.Policy(r).Who
			harmless := who == api.Anybody || who == api.Readers
			if let != want && !harmless {
				t.Errorf("%s %s with the token %q: %d", e.method, e.path, token, code)
			}
		}
	}
}

// TestSlow: a client that stops in the middle of a body does not hold the
// server up: others are answered meanwhile.
//
//qipu:race
func TestSlow(t *testing.T) {
	w := newWorld(t)
	_, base := served(t, w.lib)
	host := strings.TrimPrefix(base, "http://")
	var stopped []net.Conn
	for range 50 {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		stopped = append(stopped, c)
		fmt.Fprintf(c, "POST %s/jobs/upload HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n--x\r\n", api.Prefix, host)
	}
	reply, err := http.Get(base + api.Prefix + "/library")
	if err != nil {
		t.Fatal(err)
	}
	reply.Body.Close()
	if reply.StatusCode != 200 {
		t.Errorf("%d", reply.StatusCode)
	}
	for i, c := range stopped {
		c.SetReadDeadline(time.Now().Add(time.Millisecond))
		if n, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("client %d was done with before others were answered: %d bytes, %v", i, n, err)
		}
	}
}

// TestFieldOfQuery: a mistake in a query is told with the parameter that it stands
// in.
func TestFieldOfQuery(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		field, path string
		params      []string
	}{
		{"query.q", "/find", []string{"q", "moves>"}},
		{"query.within", "/explore", []string{"game", "othello", "within", "moves>"}},
		{"query.within", "/explore", []string{"game", "othello", "within", "named:nothing"}},
		{"query.a", "/find/compare", []string{"a", "moves>", "b", "all"}},
		{"query.b", "/find/compare", []string{"a", "all", "b", "moves>"}},
	} {
		p := refused(w, c.path, c.params...)
		if len(p.Errors) != 1 || p.Errors[0].Field != c.field || p.Code != "query" {
			t.Errorf("%s %q: %+v", c.path, c.params, p)
		}
	}
	p := send[guard.Problem](w, 422, "PUT", "/queries/mine", map[string]string{"query": "moves>"})
	if len(p.Errors) != 1 || p.Errors[0].Field != "body.query" {
		t.Errorf("%+v", p)
	}
}
