package guard

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Options says what a guard allows. Its zero value is right for a program that
// listens on the loopback address.
type Options struct {
	// Exposed tells that others than the user of this machine can reach the
	// program.
	Exposed bool
	// Token makes its bearer the owner of an exposed program. Without one, an
	// exposed program has none.
	Token string
	// ReadToken makes its bearer a reader of an exposed program. Without one,
	// everybody who reaches it is a reader.
	ReadToken string
	// Known tells who has a secret: that of a log-in, which a cookie brings, or a key,
	// which stands where a token may. Nil where nobody has a profile.
	Known func(ctx context.Context, login bool, secret string) (id string, role Role, ok bool)
	// Proxies are believed what they say of others: the address of a client
	// (X-Forwarded-For), and that it came under TLS (X-Forwarded-Proto). By default
	// these are the programs on this machine.
	Proxies []netip.Prefix
	// Needs tells who may send a request to an exposed program. By default
	// readers may send what changes nothing by its method, and the owner the rest.
	Needs func(*http.Request) Role
	// Hosts are the names under which the program may be asked for, besides
	// those of the loopback address; "*.example.org" stands for all names
	// below. An exposed program also answers to the names and the addresses of
	// its machine.
	Hosts []string
	// Machine returns the names and addresses of the machine: by default its
	// host name, and the addresses of its interfaces.
	Machine func() (names []string, addrs []netip.Addr)

	// MaxBody bounds the body of a request: 1 MiB by default.
	MaxBody int64
	// MaxUpload bounds the body of the requests that Upload reports: 2 GiB by
	// default.
	MaxUpload int64
	Upload    func(*http.Request) bool
	// MaxURL bounds the target of a request: 64 KiB by default.
	MaxURL int

	// Stall is how long a client may send or take nothing: 20 seconds by
	// default. The header of a request has to come within half of it.
	Stall time.Duration
	// MinRate is how many bytes a second a body must bring on the whole once
	// it has been waited for longer than Grace: 512 after 10 seconds by default.
	MinRate int64
	Grace   time.Duration

	// Rate and Burst bound the requests per second of one client address. By
	// default there is no bound, or 50 with a burst of 200 when exposed. A
	// negative rate means no bound.
	Rate  float64
	Burst int

	// Heavy is how many heavy requests run at once: twice the processors by
	// default. Others wait as long as HeavyWait: 10 seconds by default.
	Heavy     int
	HeavyWait time.Duration
	// Budget is how much work one request may have, in time for which it keeps one
	// processor busy: by default a minute, or 20 seconds when exposed. A negative
	// one means no bound.
	Budget time.Duration

	// Log takes one line of each request. slog.Default by default.
	Log *slog.Logger
	// Registry takes the metrics: one of its own by default.
	Registry *prometheus.Registry
	// Context is the parent of the contexts of all requests of Server.
	Context context.Context
}

// withDefaults returns the options with what was left open filled in.
func (o Options) withDefaults() Options {
	o.MaxBody = cmp.Or(o.MaxBody, 1<<20)
	o.MaxUpload = cmp.Or(o.MaxUpload, 2<<30)
	o.MaxURL = cmp.Or(o.MaxURL, 64<<10)
	o.Stall = cmp.Or(o.Stall, 20*time.Second)
	o.MinRate = cmp.Or(o.MinRate, 512)
	o.Grace = cmp.Or(o.Grace, 10*time.Second)
	if o.Rate == 0 && o.Exposed {
		o.Rate = 50
		o.Burst = cmp.Or(o.Burst, 200)
	}
	o.Burst = cmp.Or(o.Burst, max(1, int(o.Rate)))
	if o.Budget == 0 {
		o.Budget = time.Minute
		if o.Exposed {
			o.Budget = 20 * time.Second
		}
	}
	if o.Needs == nil {
		o.Needs = byMethod
	}
	if o.Machine == nil {
		o.Machine = thisMachine
	}
	o.Log = cmp.Or(o.Log, slog.Default())
	o.Registry = cmp.Or(o.Registry, prometheus.NewRegistry())
	o.Context = cmp.Or(o.Context, context.Background())
	return o
}

// Guard is the middleware of one server. All methods may be called at the same
// time.
type Guard struct {
	o       Options
	tokens  tokens
	hosts   []string
	machine machine
	site    *http.CrossOriginProtection
	clients *clients // nil where no client is limited
	gate    *Gate
	m       *metrics

	idPrefix string
	idCount  atomic.Uint64
}

// New returns a guard.
func New(o Options) *Guard {
	o = o.withDefaults()
	g := &Guard{
		o: o, tokens: newTokens(o.Token, o.ReadToken), machine: machine{look: o.Machine}, site: http.NewCrossOriginProtection(),
		gate: NewGate(o.Heavy, o.HeavyWait), idPrefix: rand.Text()[:8],
	}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, hostName(h))
	}
	if o.Exposed || o.Rate > 0 {
		g.clients = newClients(o.Rate, o.Burst)
	}
	g.gate.budget = max(0, o.Budget)
	g.m = newMetrics(o.Registry, o.Log, g.gate)
	return g
}

// Gate returns the gate for heavy requests.
func (g *Guard) Gate() *Gate { return g.gate }

// Server returns a server whose requests the guard checks before the handler
// gets them. The limits that the standard library keeps itself are set.
func (g *Guard) Server(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           g.Wrap(handler),
		ReadHeaderTimeout: g.o.Stall / 2,
		IdleTimeout:       2 * time.Minute,
		// Room for a target that is too long, so that it gets its own answer,
		// and for the headers.
		MaxHeaderBytes: 2*g.o.MaxURL + 32<<10,
		BaseContext:    func(net.Listener) context.Context { return g.o.Context },
		ErrorLog:       slog.NewLogLogger(g.o.Log.Handler(), slog.LevelWarn),
	}
}

// Wrap returns the handler behind all checks. The order matters: what is
// counted and logged is outside, so that refusals and panics are, too; the
// checks go from the cheap to the dear; the compression is inside, so that
// the bytes that are counted and timed are those on the wire.
func (g *Guard) Wrap(next http.Handler) http.Handler {
	next = compress(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := g.idPrefix + "-" + strconv.FormatUint(g.idCount.Add(1), 36)
		// The copy is the guard's own, so that it may be changed below.
		ctx := context.WithValue(r.Context(), idKey{}, id)
		r = r.WithContext(context.WithValue(ctx, clientKey{}, g.address(r)))
		t := newTap(w, g.o.Stall)
		start := time.Now()
		g.m.inFlight.Inc()
		defer func() { g.finish(t, r, start, recover()) }()

		setHeaders(w.Header(), id)
		t.watchBody(r, g.o, g.limit(r))
		who, p := g.refuse(r)
		ctx = context.WithValue(r.Context(), identityKey{}, who)
		*r = *r.WithContext(context.WithValue(ctx, visitKey{}, &visit{g, w.Header(), r}))
		if p != nil {
			g.m.refused.WithLabelValues(p.Code).Inc()
			Write(t, r, p)
			return
		}
		g.tokens.lend(w.Header(), r, who.Role)
		plainETags(r)
		next.ServeHTTP(t, r)
	})
}

// idKey is the key of the id of a request in its context.
type idKey struct{}

// RequestID returns the id of the request of the context, as it stands in the
// log and in the header X-Request-Id, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(idKey{}).(string)
	return id
}

// clientKey is the key of the address of a client in the context of a request.
type clientKey struct{}

// Client returns whose request the context is of: the address by which clients
// are told apart, or "".
func Client(ctx context.Context) string {
	a, ok := clientOf(ctx)
	if !ok || !a.IsValid() {
		return ""
	}
	return a.String()
}

func clientOf(ctx context.Context) (a netip.Addr, ok bool) {
	a, ok = ctx.Value(clientKey{}).(netip.Addr)
	return a, ok
}

// setHeaders sets what every answer carries. A handler may change them.
func setHeaders(h http.Header, id string) {
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("X-Request-Id", id)
}
