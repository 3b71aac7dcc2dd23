package guard

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net/http"
	"strings"
	"time"
)

// Role is what somebody who sends a request may do, each what those before may.
type Role int

// Where a program is not exposed everybody is its owner, and where it has no
// token for reading everybody is a reader.
const (
	Stranger Role = iota
	Reader
	Owner
)

// String returns the word.
func (r Role) String() string { return [...]string{"stranger", "reader", "owner"}[r] }

// roleKey is the key of the role in the context of a request.
type roleKey struct{}

// RoleOf returns the role of who sent the request of the context: the owner where
// no guard stands before the handler.
func RoleOf(ctx context.Context) Role {
	if role, ok := ctx.Value(roleKey{}).(Role); ok {
		return role
	}
	return Owner
}

// byMethod has readers read and the owner change.
func byMethod(r *http.Request) Role {
	if safe(r) {
		return Reader
	}
	return Owner
}

// tokens are what an exposed program knows its owner and its readers by. Sums are
// compared, so that neither the length nor the content of a token shows in the
// time.
type tokens struct {
	owner, reader       [sha256.Size]byte
	hasOwner, hasReader bool
	cookie              string // what a browser bears for reading
}

// cookieName is the cookie by which pictures and links of a page, which can carry
// no header, are read by who has a token. It is good for reading alone, and no
// token: what is sent to other ports of the machine, as cookies are, changes nothing.
const cookieName = "qipu-reader"

func newTokens(owner, reader string) tokens {
	t := tokens{owner: sha256.Sum256([]byte(owner)), reader: sha256.Sum256([]byte(reader)), hasOwner: owner != "", hasReader: reader != ""}
	if t.hasReader {
		mac := hmac.New(sha256.New, []byte(reader))
		mac.Write([]byte(cookieName))
		t.cookie = hex.EncodeToString(mac.Sum(nil))
	}
	return t
}

// bearer returns the token of a request.
func bearer(r *http.Request) (token string, ok bool) {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// role returns what the token of a request makes its bearer, and whether it has
// one that is wrong.
func (t *tokens) role(r *http.Request) (role Role, wrong bool) {
	least := Reader
	if t.hasReader {
		least = Stranger
	}
	if token, ok := bearer(r); ok {
		sum := sha256.Sum256([]byte(token))
		if t.hasOwner && subtle.ConstantTimeCompare(sum[:], t.owner[:]) == 1 {
			return Owner, false
		}
		if t.hasReader && subtle.ConstantTimeCompare(sum[:], t.reader[:]) == 1 {
			return Reader, false
		}
		return least, true
	}
	if c, err := r.Cookie(cookieName); err == nil && t.hasReader && safe(r) && subtle.ConstantTimeCompare([]byte(c.Value), []byte(t.cookie)) == 1 {
		return Reader, false
	}
	return least, false
}

// lend gives the cookie to who came with a token. Pages take it away when they
// forget the token.
func (t *tokens) lend(h http.Header, r *http.Request, role Role) {
	if _, ok := bearer(r); !ok || !t.hasReader || role == Stranger {
		return
	}
	if c, err := r.Cookie(cookieName); err == nil && c.Value == t.cookie {
		return
	}
	c := http.Cookie{Name: cookieName, Value: t.cookie, Path: "/api", SameSite: http.SameSiteStrictMode}
	h.Set("Set-Cookie", c.String())
}

// role returns who sent a request, and whether it bears a wrong token.
func (g *Guard) role(r *http.Request) (role Role, wrong bool) {
	if !g.o.Exposed {
		return Owner, false
	}
	return g.tokens.role(r)
}

// checkRole refuses what somebody may not ask. Wrong tokens are counted wherever they
// are sent, and whoever sends too many is told to wait instead of what is wrong; the
// right token is let in all the same, because whoever shares an address with a
// guesser, or mistyped it before, has a right to it.
func (g *Guard) checkRole(r *http.Request, role Role, wrong bool) *Problem {
	var wait time.Duration
	if wrong {
		wait = g.clients.failed(address(r), time.Now())
	}
	needs := g.o.Needs(r)
	if role >= needs {
		return nil
	}
	if needs == Owner && !g.tokens.hasOwner {
		return NewProblem(http.StatusForbidden, "read-only",
			"this server is open to the network and can only be read",
			"start it with a token to do this through it")
	}
	if wait > 0 {
		return NewProblem(http.StatusTooManyRequests, "too-many-tokens",
			"too many wrong tokens came from this address",
			"wait as long as Retry-After says, or send the right token").After(wait)
	}
	code, detail, realm := "no-token", "this needs the token of the server", `Bearer realm="qipu"`
	switch {
	case wrong:
		code, detail, realm = "wrong-token", "this is not the token of this server", realm+`, error="invalid_token"`
	case needs == Reader:
		code, detail = "no-read-token", "reading needs a token of the server"
	case g.tokens.hasReader && role == Reader:
		code, detail, realm = "read-token", "this needs the token of the owner: that for reading is not enough", realm+`, error="insufficient_scope"`
	}
	return NewProblem(http.StatusUnauthorized, code, detail,
		"send the header Authorization: Bearer TOKEN with the token that the server was started with").With("WWW-Authenticate", realm)
}
