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
// token for reading everybody is a reader. Guests and those behind them have a
// profile, by which they are known.
const (
	Stranger Role = iota
	Reader
	Guest
	Member
	Editor
	Owner
)

// String returns the word.
func (r Role) String() string {
	return [...]string{"stranger", "reader", "guest", "member", "editor", "owner"}[r]
}

// Identity is who sent a request, as far as that is known.
type Identity struct {
	ID     string // of a profile; empty for who has none
	Role   Role
	Cookie bool // a cookie told it, which browsers send by themselves

	// Session tells log-ins, keys and, of those who have none, programs apart, as far
	// as they say what they are. It is no secret, and gives no rights.
	Session string
}

// identityKey is the key of the identity in the context of a request.
type identityKey struct{}

// IdentityOf returns who sent the request of the context: the owner where no guard
// stands before the handler.
func IdentityOf(ctx context.Context) Identity {
	if who, ok := ctx.Value(identityKey{}).(Identity); ok {
		return who
	}
	return Identity{Role: Owner}
}

// RoleOf returns the role of who sent the request of the context.
func RoleOf(ctx context.Context) Role { return IdentityOf(ctx).Role }

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

// least returns what everybody is who reaches the program.
func (t *tokens) least() Role {
	if t.hasReader {
		return Stranger
	}
	return Reader
}

// role returns what a token makes its bearer, and whether it is one of the server.
func (t *tokens) role(token string) (Role, bool) {
	sum := sha256.Sum256([]byte(token))
	if t.hasOwner && subtle.ConstantTimeCompare(sum[:], t.owner[:]) == 1 {
		return Owner, true
	}
	if t.hasReader && subtle.ConstantTimeCompare(sum[:], t.reader[:]) == 1 {
		return Reader, true
	}
	return t.least(), false
}

// lent reports whether a request has the cookie for reading.
func (t *tokens) lent(r *http.Request) bool {
	c, err := r.Cookie(cookieName)
	return err == nil && t.hasReader && safe(r) && subtle.ConstantTimeCompare([]byte(c.Value), []byte(t.cookie)) == 1
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
	h.Add("Set-Cookie", c.String())
}

// identify returns who sent a request, and whether it bears a wrong token or key. A
// token goes before a cookie, which browsers send unasked. On the own machine everybody
// is the owner, and the cookie tells under which name.
func (g *Guard) identify(r *http.Request) (who Identity, wrong bool) {
	who.Role, who.Session = Owner, sessionOf(r.UserAgent())
	token, bears := bearer(r)
	switch {
	case g.o.Exposed && bears:
		var ok bool
		if who.Role, ok = g.tokens.role(token); ok {
			return who, false
		}
		if id, role, ok := g.o.known(r.Context(), false, token); ok {
			return Identity{ID: id, Role: role, Session: sessionOf(token)}, false
		}
		return who, true
	case g.o.Exposed && g.tokens.lent(r):
		who.Role = Reader
	case g.o.Exposed:
		who.Role = g.tokens.least()
	}
	if id, role, ok := g.o.known(r.Context(), true, g.Login(r)); ok {
		who = Identity{ID: id, Role: max(role, who.Role), Cookie: true, Session: sessionOf(g.Login(r))}
	}
	return who, false
}

// sessionOf returns a session by what tells it apart, which it does not tell.
func sessionOf(by string) string {
	sum := sha256.Sum256([]byte(by))
	return hex.EncodeToString(sum[:8])
}

// known asks who has a secret. Nobody has none.
func (o *Options) known(ctx context.Context, login bool, secret string) (id string, role Role, ok bool) {
	if o.Known == nil || secret == "" {
		return "", Stranger, false
	}
	return o.Known(ctx, login, secret)
}

// checkRole refuses what somebody may not ask. Wrong tokens are counted wherever they
// are sent, and whoever sends too many is told to wait instead of what is wrong; the
// right token is let in all the same, because whoever shares an address with a
// guesser, or mistyped it before, has a right to it.
func (g *Guard) checkRole(r *http.Request, who Identity, wrong bool) *Problem {
	var wait time.Duration
	if wrong {
		wait = g.clients.failed(g.address(r), time.Now())
	}
	needs := g.o.Needs(r)
	if who.Role >= needs {
		return nil
	}
	if who.ID != "" {
		return NewProblem(http.StatusForbidden, "not-allowed",
			"this needs the role "+needs.String()+", and you are "+who.Role.String()+" here",
			"ask the owner of the library for it")
	}
	if needs == Owner && !g.tokens.hasOwner {
		return NewProblem(http.StatusForbidden, "read-only",
			"this server is open to the network and can only be read",
			"start it with a token to do this through it")
	}
	if wait > 0 {
		return tooManyKeys(wait)
	}
	code, detail, realm := "no-token", "this needs the token of the server", `Bearer realm="qipu"`
	hint := "send the header Authorization: Bearer TOKEN with the token that the server was started with"
	switch {
	case wrong:
		code, detail, realm = "wrong-token", "this is not the token of this server", realm+`, error="invalid_token"`
	case needs == Reader:
		code, detail = "no-read-token", "reading needs a token of the server"
	case needs < Owner:
		code, detail, hint = "no-profile", "this needs a profile with the role "+needs.String(), "log in with a link from the owner of the library, or send the key of a profile as Authorization: Bearer KEY"
	case g.tokens.hasReader && who.Role == Reader:
		code, detail, realm = "read-token", "this needs the token of the owner: that for reading is not enough", realm+`, error="insufficient_scope"`
	}
	return NewProblem(http.StatusUnauthorized, code, detail, hint).With("WWW-Authenticate", realm)
}

func tooManyKeys(wait time.Duration) *Problem {
	return NewProblem(http.StatusTooManyRequests, "too-many-tokens",
		"too many wrong tokens came from this address",
		"wait as long as Retry-After says, or send the right token").After(wait)
}

// Wrong counts a wrong key that a handler was given, and returns what to refuse it with
// where too many came from there; nil else.
func (g *Guard) Wrong(ctx context.Context) *Problem {
	a, ok := clientOf(ctx)
	if g.clients == nil || !ok {
		return nil
	}
	if wait := g.clients.failed(a, time.Now()); wait > 0 {
		return tooManyKeys(wait)
	}
	return nil
}
