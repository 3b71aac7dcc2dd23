package api

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"qipu"
	"qipu/engine/guests"
	"qipu/library/ask"
	"qipu/library/fetch"
	"qipu/library/knowledge"
	"qipu/server/guard"
	"qipu/server/memo"
	"qipu/server/stream"
	"qipu/store"
	"qipu/store/people"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// Prefix is the path under which the interface lies.
const Prefix = "/api/v1"

// Options say how to serve. The zero value serves a library to its owner, on
// the machine that it is on.
type Options struct {
	// Exposed tells that others than the owner's machine can reach the server:
	// then every change needs the Token, and so does what is private.
	Exposed   bool
	Token     string
	ReadToken string   // what all else needs there; empty for nothing
	Hosts     []string // further names under which the server may be asked for

	// Guests lets everybody who reaches the server play without the token. Their
	// games become records. How many one address may play at once is bounded.
	Guests bool

	// Approve has what members send, and where they may play guests, wait for an editor
	// before it comes into the library.
	Approve bool

	// Proxies are believed what they say of others: see [guard.Options].
	Proxies []netip.Prefix

	// TLS has the server speak TLS; nil for plain HTTP.
	TLS *tls.Config

	// Engines are other programs that the owner has named; nil for none. Whoever may
	// ask our own engine may ask them, by their names.
	Engines *guests.File

	// ImportRoot is a folder below which files may be imported by their path;
	// empty for none.
	ImportRoot string
	MaxUpload  int64 // bytes; default 2 GiB

	// Net asks public sites for records; by default by [fetch.NewClient].
	Net *fetch.Client

	// Backups is the folder in which backups are kept; empty for none. Every is how
	// often one is made by itself; 0 for never.
	Backups string
	Every   time.Duration

	// Wait is how long heavy requests wait for their turn before they are told that the
	// server is busy: 10 seconds by default.
	Wait time.Duration

	// Budget is how much work one request may have, in time for which it keeps one
	// processor busy: as [guard.Options] says by default.
	Budget time.Duration

	// Rate is how many requests a second one client may send: by default 50
	// where the server is exposed, and any number where it is not.
	Rate float64

	// Holder tells who else writes to the library, where it is open for
	// reading only.
	Holder string

	// Unwritable tells that the disk of the library takes no changes.
	Unwritable bool

	// Web answers everything that is not the interface: the pages.
	Web http.Handler

	Log *slog.Logger // default: slog.Default
}

// Service answers requests about one library: what rooms have registered. It is
// safe for concurrent use once all have.
type Service struct {
	Options
	Lib     *qipu.Library // nil where the interface is described alone
	Guard   *guard.Guard
	Kept    *memo.Memo
	Hub     stream.Hub // of searches, imports and games that are followed
	Rows    *answerview.Lister
	Kinds   *gameview.Kinds
	Context context.Context // of all that is done for nobody's request; ends with Close

	// Policies are those of all routes, by the pattern of the mux.
	Policies policies

	// Importing is the import that runs, 0 for none: while one does, the library
	// changes all the time.
	Importing atomic.Int64

	mux      *http.ServeMux
	huma     huma.API
	meanings []*Meaning
	metrics  *prometheus.Registry
	closers  []func(context.Context) error // the last first
	stop     context.CancelFunc
}

// New returns a service for a library, which stays the caller's. Close it before the
// library.
func New(ctx context.Context, lib *qipu.Library, o Options) *Service {
	o.Log, o.MaxUpload = cmp.Or(o.Log, slog.Default()), cmp.Or(o.MaxUpload, 2<<30)
	s := &Service{Options: o, Lib: lib, mux: http.NewServeMux(), Policies: policies{}, metrics: prometheus.NewRegistry()}
	s.meanLibrary()
	if lib != nil {
		s.Kinds = gameview.NewKinds(lib.Records())
		s.Rows = answerview.NewLister(lib.Records(), s.Kinds, o.Log, s.state)
		lib.Records().KeepNames(func(err error) { o.Log.Warn("the index of names could not be made", "error", err) })
	}
	s.Kept = memo.New(memo.Options{Version: s.state, Keep: s.keeps, For: func(r *http.Request) string { return ask.Behalf(r.Context()) }, Changes: func(r *http.Request) bool { return s.Policy(r).Changes }})
	s.Context, s.stop = context.WithCancel(ctx)
	s.Guard = guard.New(guard.Options{
		Exposed: o.Exposed, Token: o.Token, ReadToken: o.ReadToken, Hosts: o.Hosts, Rate: o.Rate, HeavyWait: o.Wait, Budget: o.Budget, Log: o.Log, Registry: s.metrics, Context: s.Context,
		MaxBody: 2 << 20, MaxUpload: o.MaxUpload,
		Upload: func(r *http.Request) bool { return s.Policy(r).Upload },
		Needs:  s.needs,
		Known:  s.known, Proxies: o.Proxies,
		MaxURL: 256 << 10, // a query may have 64 KiB, each byte of it written as %xx
	})
	s.Gauge("server", "streams", "Searches and imports that are followed, or may be gone on with.", s.Hub.Len)
	s.huma = humago.NewWithPrefix(s.mux, Prefix, config())
	s.huma.UseMiddleware(metered)
	for _, form := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		s.Policies.add(Policy{Who: Anybody, Keep: true}, "GET "+Prefix+"/openapi"+form)
	}
	s.handle(Open, "GET /healthz", http.HandlerFunc(s.health))
	s.handle(Private, "GET /metrics", s.Guard.Metrics())
	s.mux.HandleFunc(Prefix+"/", s.unknown)
	if o.Web != nil {
		s.mux.Handle("/", o.Web)
	}
	return s
}

// handle registers a route that the description of the interface does not have.
func (s *Service) handle(p Policy, pattern string, h http.Handler) {
	s.Policies.add(p, pattern)
	s.mux.Handle(pattern, h)
}

// Gauge adds a figure to the metrics.
func (s *Service) Gauge(subsystem, name, help string, value func() int) {
	o := prometheus.GaugeOpts{Namespace: "qipu", Subsystem: subsystem, Name: name, Help: help}
	s.metrics.MustRegister(prometheus.NewGaugeFunc(o, func() float64 { return float64(value()) }))
}

// OpenAPI returns the description of the interface.
func (s *Service) OpenAPI() *huma.OpenAPI { return s.huma.OpenAPI() }

// unknown answers for addresses of the interface under which there is nothing,
// or nothing for this method.
func (s *Service) unknown(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := s.mux.Handler(other); strings.HasPrefix(pattern, method+" ") {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) > 0 {
		p := guard.NewProblem(http.StatusMethodNotAllowed, "method", r.Method+" is not for this address.", "Use "+strings.Join(allowed, " or ")+".")
		guard.Write(w, r, p.With("Allow", strings.Join(allowed, ", ")))
		return
	}
	guard.Write(w, r, guard.NewProblem(http.StatusNotFound, "not-found", "There is nothing under this address.", "See "+Prefix+"/openapi.json for what there is."))
}

// Handler returns the handler of all requests, without the guard before it. What it
// hands on knows who asks: by the id of the profile what is done is noted, and what is
// private is known to questions of its owner alone.
func (s *Service) Handler() http.Handler {
	kept := s.Kept.Wrap(s.mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if !s.Owns(ctx) {
			ctx = ask.Discreet(ctx)
		}
		if who := guard.IdentityOf(ctx).ID; who != "" {
			ctx = store.As(ctx, who)
			own, err := s.Lib.People().Own(context.WithoutCancel(ctx), who) // a look into a table
			if err != nil {
				p, _ := errors.AsType[*guard.Problem](s.Problem(err))
				guard.Write(w, r, p)
				return
			}
			if own != nil {
				ctx = ask.Privately(ctx, own)
			}
		}
		// The mux notes the pattern in the request that it gets, for the guard.
		*r = *r.WithContext(ctx)
		kept.ServeHTTP(w, r)
	})
}

// known tells the guard whose a log-in or a key is.
func (s *Service) known(ctx context.Context, login bool, secret string) (string, guard.Role, bool) {
	find := s.Lib.People().Bearer
	if login {
		find = s.Lib.People().Known
	}
	p, err := find(context.WithoutCancel(ctx), secret) // a look into a table
	if err != nil {
		if !errors.Is(err, people.ErrNoKey) {
			s.Log.Error("profiles cannot be read", "error", err)
		}
		return "", guard.Stranger, false
	}
	return p.ID, guard.Guest + guard.Role(p.Role), true
}

// Serve answers requests until the context ends; then it waits some seconds for
// those that are being answered.
func (s *Service) Serve(ctx context.Context, l net.Listener) error {
	server := s.Guard.Server("", s.Handler())
	failed := make(chan error, 1)
	server.TLSConfig = s.TLS
	go func() {
		if s.TLS != nil {
			failed <- server.ServeTLS(l, "", "")
			return
		}
		failed <- server.Serve(l)
	}()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.Hub.Close() // streams would be followed for ever
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		s.stop()
		return server.Close()
	}
	return nil
}

// OnClose has a function called when the service is closed: before those that were
// added earlier.
func (s *Service) OnClose(f func(context.Context) error) { s.closers = append(s.closers, f) }

// Close ends what the rooms do on their own.
func (s *Service) Close(ctx context.Context) (err error) {
	s.Hub.Close()
	defer s.stop()
	for _, f := range slices.Backward(s.closers) {
		err = errors.Join(err, f(ctx))
	}
	return err
}

// version is a state of the library: of its records, of the shapes and patterns that
// may be named in queries, and of the index of names, of which answers tell what it
// lacks.
type version struct {
	records   store.Version
	knowledge knowledge.Versions
	marks     store.Version
}

// state tells which state of the library answers are about, and whether it
// changes all the time.
func (s *Service) state(ctx context.Context) (any, bool) {
	records, err := s.Lib.Records().Version(ctx)
	if err != nil {
		return version{records: store.Unique()}, false // nothing may be kept then
	}
	return version{records, s.Lib.Knowledge().Versions(), s.Lib.Records().MarksVersion()}, s.Importing.Load() != 0
}

// Enter waits for its turn among the requests that keep the processors busy.
// The caller must leave.
func (s *Service) Enter(ctx context.Context) (leave func(), err error) {
	return s.Guard.Gate().Enter(ctx)
}

// health tells that the server answers and that the library can be read.
func (s *Service) health(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if _, err := s.Lib.Records().Version(ctx); err != nil {
		guard.Write(w, r, &guard.Problem{Status: http.StatusServiceUnavailable, Code: "unhealthy", Detail: "The library cannot be read.", Hint: "The keeper of the server can have it checked and repaired."})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte("ok\n"))
}
