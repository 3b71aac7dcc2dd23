package guard

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// refuse returns who sent a request, and why it may not go on, or nil. The checks go
// from the cheap to the dear, and nobody is asked for or told anything of a token
// before the name and the site are right.
func (g *Guard) refuse(r *http.Request) (who Identity, p *Problem) {
	for _, check := range []func(*http.Request) *Problem{g.checkTarget, g.checkHost, g.checkRate, g.checkSite} {
		if p := check(r); p != nil {
			return who, p
		}
	}
	who, wrong := g.identify(r)
	if p := g.checkCookie(r, who); p != nil {
		return who, p
	}
	if p := g.checkRole(r, who, wrong); p != nil {
		return who, p
	}
	return who, g.checkSize(r)
}

func (g *Guard) checkTarget(r *http.Request) *Problem {
	if len(r.RequestURI) > g.o.MaxURL {
		return NewProblem(http.StatusRequestURITooLong, "long-url",
			"the address of the request is longer than "+size(int64(g.o.MaxURL)),
			"shorten the query, or save parts of it under a name and use the name")
	}
	if !utf8.ValidString(r.URL.Path) || strings.ContainsFunc(r.URL.Path, unicode.IsControl) {
		return NewProblem(http.StatusBadRequest, "bad-path",
			"the path of the request holds characters that are not text",
			"encode the path as UTF-8")
	}
	return nil
}

// hostName returns the name of a Host header without port, brackets, final dot
// and difference of case.
func hostName(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// local reports names that always mean this machine: no site can make a
// browser send them to it under a name of its own.
func local(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}

// checkHost keeps out pages of other sites whose name was made to point to this
// machine (DNS rebinding): for the browser they are of the same origin, and
// only the name tells them apart.
func (g *Guard) checkHost(r *http.Request) *Problem {
	host := hostName(r.Host)
	if local(host) || g.o.Exposed && g.machine.is(host, time.Now()) {
		return nil
	}
	for _, h := range g.hosts {
		below, ok := strings.CutPrefix(h, "*")
		if h == host || ok && strings.HasPrefix(below, ".") && strings.HasSuffix(host, below) && len(host) > len(below) {
			return nil
		}
	}
	return NewProblem(http.StatusMisdirectedRequest, "unknown-host",
		"this server does not answer to the name "+quote(host),
		"open it by the address of its machine, or start it with --host and the name")
}

// quote puts a text of a client in quotes, cut where it is long.
func quote(s string) string { return "\"" + cut(strings.ToValidUTF8(s, "?"), 100) + "\"" }

// cut shortens a text to n bytes, with a mark where it was longer.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

func (g *Guard) checkRate(r *http.Request) *Problem {
	if g.o.Rate <= 0 {
		return nil
	}
	now := time.Now()
	if wait := g.clients.take(g.address(r), now); wait > 0 {
		return NewProblem(http.StatusTooManyRequests, "too-many",
			"more requests came from this address than the server takes",
			"wait as long as Retry-After says, then go on more slowly").After(wait)
	}
	return nil
}

// safe reports the methods that by their definition change nothing.
func safe(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead || r.Method == http.MethodOptions
}

// checkSite refuses what pages of other sites start in the user's browser: all
// that may change something, and reading of the API. That they open a page is
// what links are for.
func (g *Guard) checkSite(r *http.Request) *Problem {
	if g.site.Check(r) == nil && (r.Header.Get("Sec-Fetch-Site") != "cross-site" || !strings.HasPrefix(r.URL.Path, "/api/")) {
		return nil
	}
	return crossSite()
}

func crossSite() *Problem {
	return NewProblem(http.StatusForbidden, "cross-site",
		"a page of another site started this request",
		"start it from the pages of this server, or from a program that is no browser")
}

// limit returns how large the body of the request may be.
func (g *Guard) limit(r *http.Request) int64 {
	if g.o.Upload != nil && g.o.Upload(r) {
		return g.o.MaxUpload
	}
	return g.o.MaxBody
}

func (g *Guard) checkSize(r *http.Request) *Problem {
	if limit := g.limit(r); r.ContentLength > limit {
		return tooLarge(limit)
	}
	return nil
}
