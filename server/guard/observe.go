package guard

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the counts of a guard. Their labels take few values: a route is
// the pattern of the mux and never a path.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec   // by route, method, code
	seconds  *prometheus.HistogramVec // by route
	refused  *prometheus.CounterVec   // by reason
	inFlight prometheus.Gauge
	sent     prometheus.Counter
	received prometheus.Counter
	panics   prometheus.Counter
	worked   *prometheus.CounterVec   // by weight
	waited   *prometheus.HistogramVec // by weight
}

func newMetrics(reg *prometheus.Registry, log *slog.Logger, gate *Gate) *metrics {
	name := func(n, help string) prometheus.Opts {
		return prometheus.Opts{Namespace: "qipu", Subsystem: "http", Name: n, Help: help}
	}
	counter := func(n, help string) prometheus.Counter {
		return register(reg, log, prometheus.NewCounter(prometheus.CounterOpts(name(n, help))))
	}
	gauge := func(n, help string, value func() float64) {
		register(reg, log, prometheus.NewGaugeFunc(prometheus.GaugeOpts(name(n, help)), value))
	}
	m := &metrics{
		registry: reg,
		requests: register(reg, log, prometheus.NewCounterVec(prometheus.CounterOpts(
			name("requests_total", "Requests by route, method and status.")), []string{"route", "method", "code"})),
		seconds: register(reg, log, prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "qipu", Subsystem: "http", Name: "request_seconds", Help: "Time of requests by route, without event streams.",
			Buckets: []float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10},
		}, []string{"route"})),
		refused: register(reg, log, prometheus.NewCounterVec(prometheus.CounterOpts(
			name("refused_total", "Requests that were refused, by reason.")), []string{"reason"})),
		inFlight: register(reg, log, prometheus.NewGauge(prometheus.GaugeOpts(name("in_flight", "Requests being served.")))),
		sent:     counter("sent_bytes_total", "Bytes of answers, as sent."),
		received: counter("received_bytes_total", "Bytes of bodies of requests."),
		panics:   counter("panics_total", "Handlers that panicked."),
	}
	count := func(i int) float64 {
		inside, waiting, refused, cut := gate.load()
		return float64([...]int{inside, waiting, refused, cut}[i])
	}
	gauge("heavy_running", "Places of the gate that are taken.", func() float64 { return count(0) })
	gauge("heavy_waiting", "Requests that wait for a place.", func() float64 { return count(1) })
	total := func(n, help string, i int) {
		register(reg, log, prometheus.NewCounterFunc(prometheus.CounterOpts(name(n, help)), func() float64 { return count(i) }))
	}
	total("heavy_refused_total", "Requests that waited for a place in vain.", 2)
	total("work_cut_total", "Requests whose budget ended before their work.", 3)
	limits := register(reg, log, prometheus.NewGaugeVec(prometheus.GaugeOpts(name("limit", "What is allowed: places, those of heavy requests, requests of a client that wait, seconds of waiting and of work.")), []string{"of"}))
	for of, value := range map[string]float64{
		"places": float64(gate.places), "heavy_places": float64(gate.heavy), "waiting_of_client": mostWaiting,
		"wait_seconds": gate.wait.Seconds(), "work_seconds": gate.budget.Seconds(),
	} {
		limits.WithLabelValues(of).Set(value)
	}
	m.worked = register(reg, log, prometheus.NewCounterVec(prometheus.CounterOpts(
		name("work_seconds_total", "Time that places of the gate were held, by the weight of requests.")), []string{"weight"}))
	m.waited = register(reg, log, prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Namespace: "qipu", Subsystem: "http", Name: "wait_seconds", Help: "Time that requests waited for places, by their weight.",
		Buckets: []float64{.001, .01, .05, .1, .25, .5, 1, 2, 5, 10},
	}, []string{"weight"}))
	gate.done = func(heavy bool, worked, waited time.Duration) {
		weight := "light"
		if heavy {
			weight = "heavy"
		}
		m.worked.WithLabelValues(weight).Add(worked.Seconds())
		m.waited.WithLabelValues(weight).Observe(waited.Seconds())
	}
	register(reg, log, collectors.NewGoCollector())
	register(reg, log, collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// register adds a collector, or returns the one that the registry has of it
// already. One that it refuses counts all the same and is not seen.
func register[C prometheus.Collector](reg *prometheus.Registry, log *slog.Logger, c C) C {
	err := reg.Register(c)
	var there prometheus.AlreadyRegisteredError
	if errors.As(err, &there) {
		if old, ok := there.ExistingCollector.(C); ok {
			return old
		}
	}
	if err != nil {
		log.Error("metric is not shown", "error", err)
	}
	return c
}

// Metrics returns the handler that shows the metrics, in the text format of
// Prometheus.
func (g *Guard) Metrics() http.Handler {
	return promhttp.HandlerFor(g.m.registry, promhttp.HandlerOpts{DisableCompression: true})
}

// route returns the pattern under which the mux found the handler, without the
// method, or "none".
func route(r *http.Request) string {
	p := r.Pattern
	if i := strings.IndexByte(p, ' '); i >= 0 {
		p = strings.TrimLeft(p[i+1:], " \t")
	}
	if p == "" {
		return "none"
	}
	return p
}

// method returns the method where it is a usual one, since clients can make up
// any.
func method(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "other"
}

// finish ends a request: it turns a panic into an answer, and counts and logs.
// Where part of an answer was sent before a panic, the connection is cut, so
// that the client does not take the part for the whole.
func (g *Guard) finish(t *tap, r *http.Request, start time.Time, panicked any) {
	g.m.inFlight.Dec()
	abort := panicked == http.ErrAbortHandler
	if panicked != nil && !abort {
		g.m.panics.Inc()
		g.o.Log.Error("handler panicked", "panic", fmt.Sprint(panicked), "request", RequestID(r.Context()),
			"route", route(r), "stack", string(debug.Stack()))
		if abort = t.status != 0; !abort {
			Write(t, r, NewProblem(http.StatusInternalServerError, "internal",
				"the server made a mistake",
				"tell its owner the id of the request; the log has the rest under it"))
		}
	}
	// What is left in buffers is sent after this, whenever the handler wrote it.
	t.extend()

	took, status := time.Since(start), t.status
	if status == 0 {
		status = http.StatusOK // as the server answers for a handler that did not
	}
	name := route(r)
	g.m.requests.WithLabelValues(name, method(r), strconv.Itoa(status)).Inc()
	if !strings.HasPrefix(t.Header().Get("Content-Type"), "text/event-stream") {
		g.m.seconds.WithLabelValues(name).Observe(took.Seconds())
	}
	g.m.sent.Add(float64(t.bytes))
	if t.body != nil {
		g.m.received.Add(float64(t.body.n))
	}
	level := slog.LevelInfo
	switch {
	case status >= 500 || abort:
		level = slog.LevelWarn
	case r.URL.Path == "/healthz" || r.URL.Path == "/metrics":
		level = slog.LevelDebug
	}
	// The query stays out: it may be long, and it is what a person looked for.
	g.o.Log.LogAttrs(r.Context(), level, "request",
		slog.String("method", cut(r.Method, 20)), slog.String("path", cut(r.URL.Path, 200)),
		slog.Int("status", status), slog.Int64("bytes", t.bytes), slog.Float64("ms", float64(took.Microseconds())/1000),
		slog.String("client", g.address(r).String()), slog.String("request", RequestID(r.Context())), slog.String("route", name))
	if abort {
		panic(http.ErrAbortHandler)
	}
}
