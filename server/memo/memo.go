// Package memo keeps answers of an HTTP handler for as long as they hold: a
// second request for the same thing costs a look into a table, requests that
// come while the answer is being made wait for that one, and a client that has
// the answer already is told so by its ETag.
//
//	m := memo.New(memo.Options{Version: version})
//	handler = m.Wrap(handler)
//
// An answer holds while the version of what it was made from is the same. While
// that changes all the time, as during an import, answers may be up to MaxAge
// old: readers would otherwise make everything anew for every batch of games.
// One that is older, but not by much, is given a last time and made anew behind
// the back of who asked, so that nobody waits for what everybody asks. Whoever
// changes something through the handler sees it all the same: no answer is older
// than the last request that could.
//
// The package knows nothing of what is asked. It keeps only answers of GET with
// status 200 to requests that Options.Keep approves of; all others pass through.
package memo

import (
	"bytes"
	"cmp"
	"container/list"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/zeebo/xxh3"
)

// MaxAge is how old an answer may be by default while the version keeps changing.
const MaxAge = 2 * time.Second

// Options say what to keep. Version and Keep are needed.
type Options struct {
	// Version returns a value that can be compared, is equal as long as answers hold,
	// and differs once they do not; and whether it is about to change again and again.
	Version func(context.Context) (version any, busy bool)

	// Keep reports whether the answer to a request may be kept, unless the answer
	// says no-store (Cache-Control). It must not be one that is written piece by
	// piece.
	Keep func(*http.Request) bool

	// For tells clients apart that get different answers to the same request; nil
	// where all get the same.
	For func(*http.Request) string

	// Changes reports whether a request of another method than GET may change
	// what answers are made from, so that none of before may be given any more;
	// nil for all of them.
	Changes func(*http.Request) bool

	MaxAge   time.Duration // of an answer while the version keeps changing; default MaxAge
	MaxBytes int           // of all answers; default 64 MiB
	MaxOne   int           // of one answer that is kept; default 2 MiB
}

// Memo is a table of answers. It is safe for concurrent use.
type Memo struct {
	options Options

	mu      sync.Mutex
	entries map[string]*list.Element // of *answer
	recent  *list.List               // the one used last first
	bytes   int
	flights map[flightKey]*flight
	changed time.Time // when a request that may have changed something was answered last
}

// answer is an answer that is kept. It is not changed once it is made, but for
// the packed form, which the first client that takes it has made.
type answer struct {
	key     string
	version any
	begun   time.Time // what was changed later may not be in it
	status  int
	header  http.Header
	body    []byte
	etag    string
	pattern string // of the mux that chose the handler

	pack   sync.Once
	packed []byte
}

// flightKey is what an answer that is being made is asked under, and for which version;
// refreshing stands for whichever there is when it is made.
type flightKey struct {
	key     string
	version any
}

type refreshing struct{}

// flight is an answer that is being made. It is cancelled when nobody waits for
// it any more.
type flight struct {
	done    chan struct{}
	answer  *answer
	waiting int
	cancel  context.CancelFunc
}

// New returns an empty table.
func New(o Options) *Memo {
	o.MaxAge, o.MaxBytes, o.MaxOne = cmp.Or(o.MaxAge, MaxAge), cmp.Or(o.MaxBytes, 64<<20), cmp.Or(o.MaxOne, 2<<20)
	return &Memo{options: o, entries: map[string]*list.Element{}, recent: list.New(), flights: map[flightKey]*flight{}}
}

// Wrap returns a handler that answers from the table where it can.
func (m *Memo) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			if m.options.Changes == nil || m.options.Changes(r) {
				defer m.Changed()
			}
			next.ServeHTTP(w, r)
			return
		}
		if r.Header.Get("Range") != "" || !m.options.Keep(r) {
			next.ServeHTTP(w, r)
			return
		}
		version, busy := m.options.Version(r.Context())
		key, ok := m.keyOf(r)
		if !ok {
			next.ServeHTTP(w, r)
			return
		}
		a, old := m.lookup(key, version, busy)
		if old {
			m.refresh(next, r, key, version)
		}
		made := a == nil
		if made {
			if a = m.make(next, r, key, version); a == nil {
				return // the client has gone
			}
		}
		a.serve(w, r, made)
	})
}

// keyOf returns what a request asks for, however its parameters are ordered.
func (m *Memo) keyOf(r *http.Request) (string, bool) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return "", false
	}
	key := r.URL.EscapedPath() + "?" + values.Encode() + "\n" + r.Header.Get("Accept")
	if m.options.For != nil {
		key += "\n" + m.options.For(r)
	}
	return key, true
}

// Changed notes that something may be otherwise from now on.
func (m *Memo) Changed() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.changed = time.Now()
}

// lookup returns the answer that is kept, if it is still good; old tells that it
// is good for the last time.
func (m *Memo) lookup(key string, version any, busy bool) (a *answer, old bool) {
	const patience = 5 // in units of MaxAge
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.entries[key]
	if e == nil {
		return nil, false
	}
	a = e.Value.(*answer)
	age := time.Since(a.begun)
	if a.version != version && (!busy || age > patience*m.options.MaxAge || a.begun.Before(m.changed)) {
		m.drop(e)
		return nil, false
	}
	m.recent.MoveToFront(e)
	return a, a.version != version && age > m.options.MaxAge
}

// refresh has an answer made for whoever asks next. Of each only one is made at a
// time, however fast the version changes.
func (m *Memo) refresh(next http.Handler, r *http.Request, key string, version any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if name := (flightKey{key, refreshing{}}); m.flights[name] == nil {
		m.begin(next, r, name, key, version).waiting++ // for ever: it is wanted
	}
}

// drop takes an answer out of the table, which is locked.
func (m *Memo) drop(e *list.Element) {
	a := m.recent.Remove(e).(*answer)
	delete(m.entries, a.key)
	m.bytes -= a.size()
}

// size returns what an answer costs, its packed form as a guess.
func (a *answer) size() int { return len(a.body) + len(a.body)/4 + len(a.key) + 512 }

// make has the answer made, or waits for one that is being made of the same
// version. It returns nil where the client has gone.
func (m *Memo) make(next http.Handler, r *http.Request, key string, version any) *answer {
	name := flightKey{key, version}
	m.mu.Lock()
	f := m.flights[name]
	if f == nil {
		f = m.begin(next, r, name, key, version)
	}
	f.waiting++
	m.mu.Unlock()
	select {
	case <-f.done:
		return f.answer
	case <-r.Context().Done():
		m.mu.Lock()
		if f.waiting--; f.waiting == 0 {
			f.cancel()
			if m.flights[name] == f {
				delete(m.flights, name) // whoever comes now wants an answer that is not cut short
			}
		}
		m.mu.Unlock()
		return nil
	}
}

// begin has an answer made. The table is locked.
func (m *Memo) begin(next http.Handler, r *http.Request, name flightKey, key string, version any) *flight {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	f := &flight{done: make(chan struct{}), cancel: cancel}
	m.flights[name] = f
	whole := r.Clone(ctx)
	whole.Method = http.MethodGet // HEAD is answered from the same
	go m.fly(f, name, next, whole, key, version)
	return f
}

// fly makes one answer and keeps it. A panic of the handler is handed to those
// who wait as an answer that cannot be kept.
func (m *Memo) fly(f *flight, name flightKey, next http.Handler, r *http.Request, key string, version any) {
	rec := &recorder{header: http.Header{}}
	begun, failed := time.Now(), true
	defer func() {
		if v := recover(); v != nil || failed {
			// The place is known here alone: who panics with it next is another.
			why := fmt.Sprintf("%v\n%s", v, debug.Stack())
			rec = &recorder{header: http.Header{"X-Failed": {why}}, status: http.StatusInternalServerError}
		}
		a := rec.answer(key, version, begun)
		m.mu.Lock()
		f.answer = a
		if m.flights[name] == f {
			delete(m.flights, name)
		}
		if a.status == http.StatusOK && a.size() <= m.options.MaxOne && a.header.Get("Cache-Control") != "no-store" {
			m.keep(a)
		}
		m.mu.Unlock()
		f.cancel()
		close(f.done)
	}()
	next.ServeHTTP(rec, r)
	rec.pattern = r.Pattern
	failed = false
}

// keep puts an answer into the table, which is locked.
func (m *Memo) keep(a *answer) {
	if e := m.entries[a.key]; e != nil {
		m.drop(e)
	}
	m.entries[a.key] = m.recent.PushFront(a)
	m.bytes += a.size()
	for m.bytes > m.options.MaxBytes {
		m.drop(m.recent.Back())
	}
}

// serve writes the answer, or that the client has it already. What it took to make it is
// told when it was made for this request.
func (a *answer) serve(w http.ResponseWriter, r *http.Request, made bool) {
	if reason := a.header.Get("X-Failed"); a.status == http.StatusInternalServerError && reason != "" {
		panic(reason) // whoever guards the server writes and counts it
	}
	r.Pattern = a.pattern // as if the mux had seen it, for those who count requests
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if !made {
		h.Del("Server-Timing")
	}
	body := a.body
	if a.status == http.StatusOK {
		h.Set("ETag", a.etag)
		h.Set("Vary", "Accept-Encoding")
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", "no-cache")
		}
		if matches(r.Header.Get("If-None-Match"), a.etag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
		if len(body) > 1024 && acceptsGzip(r) {
			body = a.gzip()
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(a.status)
	if r.Method != http.MethodHead {
		w.Write(body) // an error means that the client has gone
	}
}

func (a *answer) gzip() []byte {
	a.pack.Do(func() {
		var out bytes.Buffer
		z, _ := gzip.NewWriterLevel(&out, 1) // a level that there is; higher ones cost more than they save
		z.Write(a.body)                      // a buffer takes everything
		z.Close()
		a.packed = out.Bytes()
	})
	return a.packed
}

// matches reports whether a client's list of tags has one.
func matches(tags, etag string) bool {
	for tag := range strings.SplitSeq(tags, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) != "gzip" {
			continue
		}
		weight, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(q), "q="), 64)
		return q == "" || err == nil && weight > 0
	}
	return false
}

// recorder is a response that is kept in memory.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer

	pattern string
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(p)
}

func (r *recorder) answer(key string, version any, begun time.Time) *answer {
	r.WriteHeader(http.StatusOK)
	a := &answer{key: key, version: version, begun: begun, status: r.status, header: r.header, body: r.body.Bytes(), pattern: r.pattern}
	a.etag = fmt.Sprintf(`W/"%016x"`, xxh3.Hash(a.body))
	return a
}
