package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// refuse returns why a request may not go on, or nil. The checks go from the
// cheap to the dear, and nothing is told of a token before the name and the
// site are right.
func (g *Guard) refuse(r *http.Request) *Problem {
	for _, check := range []func(*http.Request) *Problem{
		g.checkTarget, g.checkHost, g.checkRate, g.checkSite, g.checkToken, g.checkSize,
	} {
		if p := check(r); p != nil {
			return p
		}
	}
	return nil
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
	if g.o.Exposed && len(g.hosts) == 0 {
		return nil
	}
	host := hostName(r.Host)
	if local(host) {
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
		"open it as http://localhost, or start it with --host and the name")
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
	if wait := g.clients.take(address(r), now); wait > 0 {
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
	return NewProblem(http.StatusForbidden, "cross-site",
		"a page of another site started this request",
		"start it from the pages of this server, or from a program that is no browser")
}

// open reports whether everybody may send a request to an exposed server: one
// that changes nothing, and tells nothing that is the owner's alone.
func (g *Guard) open(r *http.Request) bool {
	if g.o.Private != nil && g.o.Private(r) {
		return false
	}
	return safe(r) || g.o.Harmless != nil && g.o.Harmless(r)
}

// checkToken asks for the token where an exposed server is to be changed, or to
// tell what is its owner's. The sums are compared, so that neither the length
// nor the content of the token shows in the time.
func (g *Guard) checkToken(r *http.Request) *Problem {
	if !g.o.Exposed || g.open(r) {
		return nil
	}
	if g.o.Token == "" {
		return NewProblem(http.StatusForbidden, "read-only",
			"this server is open to the network and can only be read",
			"start it with a token to do this through it")
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return NewProblem(http.StatusUnauthorized, "no-token",
			"this needs the token of the server",
			"send the header Authorization: Bearer TOKEN with the token that the server was started with").With("WWW-Authenticate", `Bearer realm="qipu"`)
	}
	// A client that guessed wrong too often is not even compared: else it could
	// go on guessing at the pace of all other requests.
	who, now := address(r), time.Now()
	if wait := g.clients.barred(who, now); wait > 0 {
		return NewProblem(http.StatusTooManyRequests, "too-many-tokens",
			"too many wrong tokens came from this address",
			"wait as long as Retry-After says, then send the right token").After(wait)
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1 {
		return nil
	}
	g.clients.failed(who, now)
	return NewProblem(http.StatusUnauthorized, "wrong-token",
		"this is not the token of this server",
		"send the token that the server was started with").With("WWW-Authenticate", `Bearer realm="qipu", error="invalid_token"`)
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
