package web

import (
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The pattern style* takes style.css and the folder styles that it imports from.
//
//go:embed index.html style* src i18n static
var sources embed.FS

// Options says where the client comes from. The zero value is the embedded one.
type Options struct {
	// Dir is a folder with the sources of the client, laid out as this package's
	// own. They are read at every request, which costs about a millisecond, and
	// bundled anew when they have changed.
	Dir string

	// Log is told how long bundling took and what it complained of. Nil tells
	// nobody.
	Log *slog.Logger
}

// App serves the client. It may be used by many goroutines.
type App struct {
	sources fs.FS
	log     *slog.Logger
	first   func() *bundle // the bundle of sources that cannot change

	mu     sync.Mutex // guards the two below, which are for Dir alone
	digest [sha256.Size]byte
	last   *bundle
}

var _ http.Handler = (*App)(nil)

// New starts to bundle the client and does not wait for it: [App.Err] does.
// It fails where Options.Dir is not a folder with a client.
func New(o Options) (*App, error) {
	a := &App{sources: sources, log: o.Log}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if o.Dir != "" {
		a.sources = os.DirFS(o.Dir)
		for _, name := range []string{shellFile, entryScript, entryStyle} {
			if _, err := fs.Stat(a.sources, name); err != nil {
				return nil, fmt.Errorf("web: %s is no folder with the sources of the client: %w", o.Dir, err)
			}
		}
		go a.bundle()
		return a, nil
	}
	a.first = sync.OnceValue(func() *bundle {
		t, err := snapshot(a.sources)
		if err != nil {
			return &bundle{err: err}
		}
		return a.build(t, false)
	})
	go a.first()
	return a, nil
}

// Err waits until the client is bundled and returns what went wrong: a
// *[BuildError], or an error of reading the sources.
func (a *App) Err() error { return a.bundle().err }

// Size waits until the client is bundled and tells the bytes of all its scripts,
// as they are and as they travel. Both are 0 where bundling failed.
func (a *App) Size() (raw, gzipped int) {
	b := a.bundle()
	if b.err != nil {
		return 0, 0
	}
	return b.size(b.scripts())
}

// bundle returns the bundle of the sources as they are now.
func (a *App) bundle() *bundle {
	if a.first != nil {
		return a.first()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	t, err := snapshot(a.sources)
	if err != nil {
		a.last = nil
		return &bundle{err: err}
	}
	if d := t.digest(); a.last == nil || d != a.digest {
		a.last, a.digest = a.build(t, true), d
	}
	return a.last
}

func (a *App) build(t tree, debug bool) *bundle {
	start := time.Now()
	b := makeBundle(t, debug)
	for _, w := range b.warnings {
		a.log.Warn("client", "warning", w)
	}
	took := time.Since(start)
	if b.err != nil {
		a.log.Error("client is not bundled", "error", b.err, "took", took)
		return b
	}
	raw, gzipped := b.size(b.scripts())
	a.log.Info("client bundled", "took", took, "bytes", raw, "gzip", gzipped)
	return b
}

// How long a browser may keep an answer.
const (
	cacheForever = "public, max-age=31536000, immutable" // the name holds a hash
	cacheAsk     = "no-cache"                            // asks every time, and is mostly answered 304
	cacheDay     = "public, max-age=86400"
)

// ServeHTTP answers with a page or a file of the client. Only GET and HEAD are
// known.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD are known here; the API is under /api/v1", http.StatusMethodNotAllowed)
		return
	}
	b := a.bundle()
	if b.err != nil {
		serveFailure(w, r, b.err)
		return
	}
	if f, ok := b.files[r.URL.Path]; ok && r.URL.RawPath == "" {
		f.serve(w, r, http.StatusOK)
		return
	}
	switch kind := classify(r); kind {
	case slashed:
		to := url.URL{Path: strings.TrimSuffix(r.URL.Path, "/"), RawQuery: r.URL.RawQuery}
		http.Redirect(w, r, to.String(), http.StatusPermanentRedirect)
	case foreign:
		h.Set("Cache-Control", "no-store")
		http.Error(w, "there is no such file", http.StatusNotFound)
	default:
		h.Add("Vary", "Accept-Language")
		status := http.StatusOK
		if kind == unknown {
			status = http.StatusNotFound
		}
		b.shell(choose(r.Header.Get("Accept-Language")), r.URL.Path).serve(w, r, status)
	}
}

// pages are the routes of the client, as main.ts has them: a test compares the
// two. A segment that begins with a colon is any name.
var pages = map[string]bool{
	"/": true, "/search": true, "/explore": true, "/play": true, "/learn": true, "/learn/openings": true, "/learn/shapes": true, "/learn/sets": true, "/learn/sets/:id": true, "/records": true, "/records/:id": true,
	"/shapes": true, "/shapes/new": true, "/shapes/:id": true, "/shapes/:id/edit": true, "/names": true, "/names/:game/:id": true, "/judge": true, "/lab": true, "/import": true, "/players": true, "/events": true, "/players/:name": true,
	"/log": true, "/cleanup": true, "/me": true, "/enter": true, "/insights": true, "/insights/queue": true, "/settings": true, "/help": true, "/gallery": true, "/api": true,
}

// routed reports whether a path is one of a route with names in it.
func routed(route, path string) bool {
	want, have := strings.Split(route, "/"), strings.Split(path, "/")
	return strings.Contains(route, ":") && slices.EqualFunc(want, have, func(w, h string) bool {
		return w == h || strings.HasPrefix(w, ":") && h != ""
	})
}

// shell returns the page that names the scripts of an address, in a language.
func (b *bundle) shell(lang, at string) *file {
	if f := b.shells[lang+at]; f != nil {
		return f
	}
	for route := range b.needs {
		if routed(route, at) {
			return b.shells[lang+route]
		}
	}
	return b.shells[lang]
}

const (
	page    = iota // a page of the client
	slashed        // a page of the client, with a slash at the end
	unknown        // a page that the client does not have
	foreign        // no page at all: a file, or a path that no link of ours has
)

// classify tells what a path that is no file asks for.
func classify(r *http.Request) int {
	p := r.URL.Path
	escaped := strings.ToLower(r.URL.EscapedPath())
	if !strings.HasPrefix(p, "/") || strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' || c == 0xfffd }) ||
		strings.Contains(escaped, "%2f") || strings.Contains(escaped, "%5c") {
		return foreign
	}
	if short, ok := strings.CutSuffix(p, "/"); ok && pages[short] && !strings.HasSuffix(short, "/") && !strings.Contains(short, ":") {
		return slashed
	}
	if pages[p] {
		return page
	}
	for part := range strings.SplitSeq(p[1:], "/") {
		if part == "" || strings.HasPrefix(part, ".") {
			return foreign
		}
	}
	for route := range pages {
		if routed(route, p) {
			return page
		}
	}
	if strings.Contains(p[strings.LastIndexByte(p, '/')+1:], ".") {
		return foreign
	}
	return unknown
}

// file is an answer that is ready to be sent. Its bytes are never changed.
type file struct {
	body  []byte
	gzip  []byte // nil where compressing saves nothing
	mime  string
	cache string
	etag  string // without quotes
}

func (f *file) serve(w http.ResponseWriter, r *http.Request, status int) {
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	h.Set("Cache-Control", f.cache)
	body, etag := f.body, f.etag
	if f.gzip != nil && acceptsGzip(r.Header.Get("Accept-Encoding")) {
		body, etag = f.gzip, etag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("ETag", `"`+etag+`"`)
	if status == http.StatusOK && matches(r.Header.Get("If-None-Match"), f.etag) {
		h.Del("Content-Encoding")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", f.mime)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(body) // a client that went away is no fault of ours
	}
}

// matches reports whether an If-None-Match header names the content, in either
// encoding: a cache that holds one of them holds the content.
func matches(header, etag string) bool {
	for tag := range strings.SplitSeq(header, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		if tag == "*" || tag == `"`+etag+`"` || tag == `"`+etag+`-gzip"` {
			return true
		}
	}
	return false
}

// acceptsGzip reads an Accept-Encoding header.
func acceptsGzip(header string) bool {
	accepted := false
	for name, q := range weighted(header) {
		if strings.EqualFold(name, "gzip") {
			return q > 0
		}
		accepted = accepted || name == "*" && q > 0
	}
	return accepted
}

// serveFailure tells those who work on the client what esbuild said. A released
// client cannot fail, as a test sees to it.
func serveFailure(w http.ResponseWriter, r *http.Request, err error) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusInternalServerError)
	if r.Method == http.MethodHead {
		return
	}
	text := err.Error()
	var be *BuildError
	if errors.As(err, &be) {
		text = strings.Join(be.Messages, "\n\n")
	}
	w.Write(failurePage(text))
}
