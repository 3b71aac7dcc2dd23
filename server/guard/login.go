package guard

import (
	"context"
	"mime"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// The cookies of a log-in. Under TLS the name binds it to this host: no other host of the
// same site can give a browser one, and it is sent under TLS alone.
const (
	plainLogin  = "qipu-login"
	secureLogin = "__Host-qipu-login"
)

// trusts reports whether what an address says of others is believed: a proxy that was
// named, or where none was one on this machine.
func (g *Guard) trusts(a netip.Addr) bool {
	if len(g.o.Proxies) == 0 {
		return a.IsLoopback()
	}
	for _, p := range g.o.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// Secure reports whether a request came under TLS, as far as this program or the proxy
// before it knows.
func (g *Guard) Secure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && g.trusts(ap.Addr().Unmap().WithZone("")) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func (g *Guard) loginName(r *http.Request) string {
	if g.Secure(r) {
		return secureLogin
	}
	return plainLogin
}

// Login returns the secret of the log-in that a request bears, or "". Of several nobody
// knows which is ours: somebody else may have given the browser another.
func (g *Guard) Login(r *http.Request) string {
	list := r.CookiesNamed(g.loginName(r))
	if len(list) != 1 {
		return ""
	}
	return list[0].Value
}

// visit is what a handler that has but the context of a request needs to log somebody
// in or out.
type visit struct {
	guard  *Guard
	header http.Header // of the answer
	r      *http.Request
}

type visitKey struct{}

// SetLogin has the browser that sent the request of a context keep the secret of a
// log-in for a while, or forget it where it is empty. Scripts cannot read it, and pages
// of other sites cannot have it sent.
func SetLogin(ctx context.Context, secret string, lasts time.Duration) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return
	}
	c := http.Cookie{Name: v.guard.loginName(v.r), Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: v.guard.Secure(v.r), MaxAge: int(lasts / time.Second)}
	if secret == "" {
		c.MaxAge = -1
	}
	v.header.Add("Set-Cookie", c.String())
}

// LoginOf returns the secret of the log-in that the request of a context bears, or "".
func LoginOf(ctx context.Context) string {
	if v, ok := ctx.Value(visitKey{}).(*visit); ok {
		return v.guard.Login(v.r)
	}
	return ""
}

// Visited returns how the request of a context came: the address that the browser used,
// without a path, the browser in its own words, and whether it came under TLS.
func Visited(ctx context.Context) (address, browser string, secure bool) {
	v, ok := ctx.Value(visitKey{}).(*visit)
	if !ok {
		return "", "", false
	}
	address = "http://" + v.r.Host
	if secure = v.guard.Secure(v.r); secure {
		address = "https://" + v.r.Host
	}
	return address, v.r.UserAgent(), secure
}

// checkCookie refuses what a page of another origin may have started in the browser of
// somebody who is logged in. That the browser says nothing of where a request comes from
// is no excuse here: all that know such cookies say it with whatever may change something.
func (g *Guard) checkCookie(r *http.Request, who Identity) *Problem {
	if !who.Cookie {
		return nil
	}
	site := r.Header.Get("Sec-Fetch-Site")
	elsewhere := site != "" && site != "same-origin" && site != "none"
	if safe(r) {
		if elsewhere && strings.HasPrefix(r.URL.Path, "/api/") {
			return crossSite()
		}
		return nil
	}
	if elsewhere || site == "" && r.Header.Get("Origin") == "" { // that a given Origin is ours was looked at before
		return crossSite()
	}
	// What a form of any page can send is taken from forms of uploads alone.
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	none := r.Header.Get("Content-Type") == "" && r.ContentLength == 0
	upload := kind == "multipart/form-data" && g.o.Upload != nil && g.o.Upload(r)
	if none || err == nil && (kind == "application/json" || upload) {
		return nil
	}
	return NewProblem(http.StatusUnsupportedMediaType, "content-type",
		"the body of the request has to be JSON", "send it with the header Content-Type: application/json")
}
