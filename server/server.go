package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/prometheus/client_golang/prometheus"

	"qipu"
	"qipu/engine"
	"qipu/game/weiqi/judge"
	"qipu/library/knowledge"
	"qipu/play"
	"qipu/server/guard"
	"qipu/server/jobs"
	"qipu/server/memo"
	"qipu/server/stream"
	"qipu/store"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// prefix is the path under which the interface lies.
const prefix = "/api/v1"

// Options say how to serve. The zero value serves a library to its owner, on
// the machine that it is on.
type Options struct {
	// Exposed tells that others than the owner's machine can reach the server:
	// then every change needs the Token.
	Exposed bool
	Token   string
	Hosts   []string // further names under which the server may be asked for

	// Guests lets everybody who reaches the server play without the token. Their
	// games become records. How many one address may play at once is bounded.
	Guests bool

	// ImportRoot is a folder below which files may be imported by their path;
	// empty for none.
	ImportRoot string
	MaxUpload  int64 // bytes; default 2 GiB

	// Rate is how many requests a second one client may send: by default 50
	// where the server is exposed, and any number where it is not.
	Rate float64

	// Holder tells who else writes to the library, where it is open for
	// reading only.
	Holder string

	// Web answers everything that is not the interface: the pages.
	Web http.Handler

	Log *slog.Logger // default: slog.Default
}

// Server answers requests about one library. It is safe for concurrent use.
type Server struct {
	lib       *qipu.Library
	options   Options
	log       *slog.Logger
	guard     *guard.Guard
	metrics   *prometheus.Registry
	api       huma.API
	mux       *http.ServeMux
	policies  policies
	kept      *memo.Memo
	hub       stream.Hub    // of searches and imports that are followed
	jobs      *jobs.Manager // nil where the library is open for reading only
	play      *play.Host    // the same
	engines   *engine.Pool  // of engines that play
	critics   *engine.Pool  // of engines that judge, which may take longer
	judges    judge.Pool    // of life and death
	teacher   *teacher      // nil as play is
	reviews   reviews
	lastShown shownGames
	rows      *answerview.Lister
	kinds     *gameview.Kinds

	importing atomic.Int64 // the import that runs; 0 for none
	files     *guard.Gate  // of exports, whose clients may take their time

	ctx  context.Context // of all requests; ends with Close
	stop context.CancelFunc
}

// ShareProcessors has the program run more threads at once than there are
// processors. While an import keeps these busy, a request would otherwise wait
// for its turn behind ten milliseconds of reading records, several times on its
// way; the system gives a thread that has slept its turn at once. With 100
// clients on two cores and an import running, the 99th percentile of the explorer
// falls to half. It is for programs that do nothing but serve.
func ShareProcessors() {
	if n := runtime.NumCPU(); runtime.GOMAXPROCS(0) <= n {
		runtime.GOMAXPROCS(4 * runtime.GOMAXPROCS(0))
	}
}

// New returns a server for a library, which stays the caller's. Close it before
// the library.
func New(ctx context.Context, lib *qipu.Library, o Options) (*Server, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.MaxUpload == 0 {
		o.MaxUpload = 2 << 30
	}
	s := &Server{lib: lib, options: o, log: o.Log, mux: http.NewServeMux(), policies: policies{}, files: guard.NewGate(runtime.GOMAXPROCS(0), 0), metrics: prometheus.NewRegistry()}
	if lib != nil {
		s.kinds = gameview.NewKinds(lib.Records())
		s.rows = answerview.NewLister(lib.Records(), s.kinds, o.Log, s.state)
	}
	s.kept = memo.New(memo.Options{Version: s.state, Keep: s.keeps, Changes: func(r *http.Request) bool { return s.policy(r).Changes }})
	s.ctx, s.stop = context.WithCancel(ctx)
	s.guard = guard.New(guard.Options{
		Exposed: o.Exposed, Token: o.Token, Hosts: o.Hosts, Rate: o.Rate, Log: o.Log, Registry: s.metrics, Context: s.ctx,
		MaxBody: 2 << 20, MaxUpload: o.MaxUpload,
		Upload:  func(r *http.Request) bool { return s.policy(r).Upload },
		Private: func(r *http.Request) bool { return s.policy(r).Who == Owner },
		Harmless: func(r *http.Request) bool {
			who := s.policy(r).Who
			return who == Anybody || o.Guests && who == Players
		},
		MaxURL: 256 << 10, // a query may have 64 KiB, each byte of it written as %xx
	})
	if o.Holder == "" && lib != nil {
		var err error
		s.jobs, err = jobs.Open(s.ctx, filepath.Join(lib.Records().Dir(), "jobs"), lib.Records(), jobs.Options{
			Log: o.Log, Root: o.ImportRoot, MaxUpload: max(16<<30, o.MaxUpload), OnChange: s.jobChanged,
		})
		if err != nil {
			s.stop()
			return nil, err
		}
	}
	if lib != nil {
		lib.Records().KeepNames(func(err error) { o.Log.Warn("the index of names could not be made", "error", err) })
	}
	s.startEngines()
	if s.jobs != nil {
		if err := s.startPlay(ctx); err != nil {
			return nil, errors.Join(err, s.Close(ctx))
		}
	}
	s.api = humago.NewWithPrefix(s.mux, prefix, config())
	s.register()
	for _, form := range []string{".json", ".yaml", "-3.0.json", "-3.0.yaml"} {
		s.policies.add(kept, "GET "+prefix+"/openapi"+form)
	}
	s.mux.HandleFunc("GET /healthz", s.health)
	s.policies.add(fresh, "GET /healthz")
	s.mux.Handle("GET /metrics", s.guard.Metrics())
	s.policies.add(private, "GET /metrics")
	s.mux.HandleFunc(prefix+"/", s.unknown)
	if o.Web != nil {
		s.mux.Handle("/", o.Web)
	}
	return s, nil
}

// register registers everything that can be asked.
func (s *Server) register() {
	s.registerGames()
	s.registerFind()
	s.registerExplore()
	s.registerRecords()
	s.registerOccurrences()
	s.registerLabels()
	s.registerQueries()
	s.registerPlayers()
	s.registerJobs()
	s.registerLibrary()
	s.registerTools()
	s.registerRead()
	s.registerSessions()
	s.registerValues()
	s.registerReview()
	s.registerBook()
	s.registerOpenings()
	s.registerShapes()
	s.registerNames()
	s.registerAdvice()
	s.registerJudge()
}

// unknown answers for addresses of the interface under which there is nothing,
// or nothing for this method.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
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
	guard.Write(w, r, guard.NewProblem(http.StatusNotFound, "not-found", "There is nothing under this address.", "See "+prefix+"/openapi.json for what there is."))
}

// Handler returns the handler of all requests, without the guard before it.
func (s *Server) Handler() http.Handler {
	return s.kept.Wrap(s.mux)
}

// Serve answers requests until the context ends; then it waits some seconds for
// those that are being answered.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := s.guard.Server("", s.Handler())
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.hub.Close() // streams would be followed for ever
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(ctx); err != nil {
		s.stop()
		return server.Close()
	}
	return nil
}

// Close ends what the server does on its own. An import that runs is left as it
// is, and gone on with by the next server of the library.
func (s *Server) Close(ctx context.Context) error {
	s.hub.Close()
	defer s.stop()
	if s.play != nil {
		s.play.Close()
		s.teacher.close()
	}
	err := errors.Join(s.engines.Close(), s.critics.Close())
	if s.jobs != nil {
		err = errors.Join(err, s.jobs.Close(ctx))
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
func (s *Server) state(ctx context.Context) (any, bool) {
	records, err := s.lib.Records().Version(ctx)
	if err != nil {
		return version{records: store.Unique()}, false // nothing may be kept then
	}
	return version{records, s.lib.Knowledge().Versions(), s.lib.Records().MarksVersion()}, s.importing.Load() != 0
}

// enter waits for its turn among the requests that keep the processors busy.
// The caller must leave.
func (s *Server) enter(ctx context.Context) (leave func(), err error) {
	return s.guard.Gate().Enter(ctx)
}

// health tells that the server answers and that the library can be read.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if _, err := s.lib.Records().Version(ctx); err != nil {
		guard.Write(w, r, &guard.Problem{Status: http.StatusServiceUnavailable, Code: "unhealthy", Detail: "The library cannot be read.", Hint: "The keeper of the server can have it checked and repaired."})
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Write([]byte("ok\n"))
}
