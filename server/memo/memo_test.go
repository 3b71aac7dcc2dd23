//qipu:race

package memo

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// world is a handler that counts how often it was asked, with a memo before it.
type world struct {
	version atomic.Int64
	busy    atomic.Bool
	made    atomic.Int64
	body    func(w http.ResponseWriter, r *http.Request)
	handler http.Handler
}

func newWorld(o Options) *world {
	x := &world{}
	x.body = func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s %s %d", r.URL.Path, r.URL.Query().Get("q"), x.version.Load())
	}
	o.Version = func(context.Context) (any, bool) { return x.version.Load(), x.busy.Load() }
	if o.Keep == nil {
		o.Keep = func(r *http.Request) bool { return r.URL.Path != "/stream" }
	}
	x.handler = New(o).Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.made.Add(1)
		x.body(w, r)
	}))
	return x
}

func (x *world) ask(t *testing.T, method, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	x.handler.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestKeeps runs by a clock of its own, so that a busy machine changes nothing.
func TestKeeps(t *testing.T) { synctest.Test(t, testKeeps) }

func testKeeps(t *testing.T) {
	x := newWorld(Options{MaxAge: 50 * time.Millisecond})
	steps := []struct {
		name   string
		do     func()
		method string
		target string
		want   string
		made   int64
	}{
		{"first", nil, "GET", "/a?q=1&z=2", "/a 1 0", 1},
		{"again", nil, "GET", "/a?q=1&z=2", "/a 1 0", 1},
		{"other order of parameters", nil, "GET", "/a?z=2&q=1", "/a 1 0", 1},
		{"other parameters", nil, "GET", "/a?q=2", "/a 2 0", 2},
		{"a change", func() { x.version.Store(1) }, "GET", "/a?q=2", "/a 2 1", 3},
		{"a change while busy", func() { x.version.Store(2); x.busy.Store(true) }, "GET", "/a?q=2", "/a 2 1", 3},
		{"busy for long", func() { time.Sleep(60 * time.Millisecond) }, "GET", "/a?q=2", "/a 2 1", 4},
		{"made anew meanwhile", func() { time.Sleep(20 * time.Millisecond) }, "GET", "/a?q=2", "/a 2 2", 4},
		{"not busy any more", func() { x.version.Store(3); x.busy.Store(false) }, "GET", "/a?q=2", "/a 2 3", 5},
		{"not to be kept", nil, "GET", "/stream", "/stream  3", 6},
		{"not to be kept, again", nil, "GET", "/stream", "/stream  3", 7},
		{"a change by post", nil, "POST", "/a?q=2", "/a 2 3", 8},
		{"head of a kept one", nil, "HEAD", "/a?q=2", "", 8},
	}
	for _, s := range steps {
		if s.do != nil {
			s.do()
		}
		if got := text(t, x.ask(t, s.method, s.target)); got != s.want {
			t.Errorf("%s: %q, want %q", s.name, got, s.want)
		}
		time.Sleep(5 * time.Millisecond) // what is made behind the back of who asked
		if got := x.made.Load(); got != s.made {
			t.Errorf("%s: made %d answers, want %d", s.name, got, s.made)
		}
	}
}

// TestHead: the answer to HEAD is kept for GET, and has all of it.
func TestHead(t *testing.T) {
	x := newWorld(Options{})
	head := x.ask(t, "HEAD", "/a?q=1")
	if got := text(t, head); got != "" || head.Header.Get("Content-Length") != "6" {
		t.Errorf("HEAD: %q, %v", got, head.Header)
	}
	if got := text(t, x.ask(t, "GET", "/a?q=1")); got != "/a 1 0" || x.made.Load() != 1 {
		t.Errorf("GET: %q, made %d", got, x.made.Load())
	}
}

func TestETag(t *testing.T) {
	x := newWorld(Options{})
	first := x.ask(t, "GET", "/a")
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("headers %v", first.Header)
	}
	for _, list := range []string{tag, `"other", ` + tag, "*", strings.TrimPrefix(tag, "W/")} {
		if r := x.ask(t, "GET", "/a", "If-None-Match", list); r.StatusCode != http.StatusNotModified || text(t, r) != "" {
			t.Errorf("If-None-Match %s: %d", list, r.StatusCode)
		}
	}
	x.version.Store(1)
	if r := x.ask(t, "GET", "/a", "If-None-Match", tag); r.StatusCode != http.StatusOK || r.Header.Get("ETag") == tag {
		t.Errorf("after a change: %d %s", r.StatusCode, r.Header.Get("ETag"))
	}
}

func TestGzip(t *testing.T) {
	x := newWorld(Options{})
	long := strings.Repeat("a long answer ", 500)
	x.body = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, long) }
	for range 2 {
		r := x.ask(t, "GET", "/a", "Accept-Encoding", "br, gzip;q=0.5")
		if r.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("headers %v", r.Header)
		}
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := io.ReadAll(z); err != nil || string(b) != long {
			t.Fatalf("unpacked %d bytes, %v", len(b), err)
		}
	}
	for _, accept := range []string{"", "br", "gzip;q=0"} {
		if r := x.ask(t, "GET", "/a", "Accept-Encoding", accept); r.Header.Get("Content-Encoding") != "" || text(t, r) != long {
			t.Errorf("Accept-Encoding %q: packed", accept)
		}
	}
}

// TestErrors: a refusal is told to everybody, and is not kept.
func TestErrors(t *testing.T) {
	x := newWorld(Options{})
	x.body = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(422); io.WriteString(w, "no") }
	for i := range 2 {
		r := x.ask(t, "GET", "/a")
		if r.StatusCode != 422 || text(t, r) != "no" || r.Header.Get("ETag") != "" || x.made.Load() != int64(i+1) {
			t.Errorf("%d: %d %v", i, r.StatusCode, r.Header)
		}
	}
}

func TestPanic(t *testing.T) {
	x := newWorld(Options{})
	x.body = func(http.ResponseWriter, *http.Request) { panic("broken") }
	defer func() {
		// With the place of it, which is on the stack of another goroutine.
		if v, _ := recover().(string); !strings.HasPrefix(v, "broken\n") || !strings.Contains(v, "memo.TestPanic.func1") {
			t.Errorf("recovered %v", v)
		}
	}()
	x.ask(t, "GET", "/a")
	t.Error("no panic")
}

// TestTogether: those who ask for the same at once get one answer.
func TestTogether(t *testing.T) { synctest.Test(t, testTogether) }

func testTogether(t *testing.T) {
	x := newWorld(Options{})
	release := make(chan struct{})
	x.body = func(w http.ResponseWriter, _ *http.Request) { <-release; io.WriteString(w, "yes") }
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if got := text(t, x.ask(t, "GET", "/a")); got != "yes" {
				t.Errorf("%q", got)
			}
		})
	}
	time.Sleep(20 * time.Millisecond)
	close(release)
	wg.Wait()
	if n := x.made.Load(); n != 1 {
		t.Errorf("made %d answers", n)
	}
}

// TestGone: an answer that nobody waits for is given up, and not while somebody
// does.
func TestGone(t *testing.T) { synctest.Test(t, testGone) }

func testGone(t *testing.T) {
	x := newWorld(Options{})
	given := make(chan struct{})
	x.body = func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(given)
		w.WriteHeader(503)
	}
	ask := func(ctx context.Context) chan int {
		done := make(chan int)
		go func() {
			w := httptest.NewRecorder()
			x.handler.ServeHTTP(w, httptest.NewRequest("GET", "/a", nil).WithContext(ctx))
			done <- w.Code
		}()
		return done
	}
	one, cancelOne := context.WithCancel(context.Background())
	two, cancelTwo := context.WithCancel(context.Background())
	a, b := ask(one), ask(two)
	time.Sleep(20 * time.Millisecond)
	cancelOne()
	<-a
	select {
	case <-given:
		t.Fatal("given up while somebody waits")
	case <-time.After(20 * time.Millisecond):
	}
	cancelTwo()
	<-b
	<-given
}

// TestBounded: the table never holds more than it may.
func TestBounded(t *testing.T) {
	x := newWorld(Options{MaxBytes: 20_000, MaxOne: 5_000})
	x.body = func(w http.ResponseWriter, r *http.Request) {
		n := 1000
		if r.URL.Path == "/large" {
			n = 6000
		}
		io.WriteString(w, strings.Repeat("x", n))
	}
	for range 2 {
		x.ask(t, "GET", "/large")
	}
	if x.made.Load() != 2 {
		t.Error("an answer that is too large was kept")
	}
	for i := range 100 {
		x.ask(t, "GET", fmt.Sprintf("/%d", i))
	}
	made := x.made.Load()
	x.ask(t, "GET", "/99")
	if x.made.Load() != made {
		t.Error("the last answer was not kept")
	}
	x.ask(t, "GET", "/0")
	if x.made.Load() != made+1 {
		t.Error("the first answer is still kept")
	}
}

func BenchmarkHit(b *testing.B) {
	x := newWorld(Options{})
	x.body = func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat("a long answer ", 500)) }
	r := httptest.NewRequest("GET", "/a?q=1&game=weiqi&line=Q16", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	b.ReportAllocs()
	for b.Loop() {
		x.handler.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// TestOwnChanges: whoever changes something sees it at once, even while the
// version changes all the time and answers may be old; an answer that was begun
// before the change and is done after it does not count.
func TestOwnChanges(t *testing.T) {
	x := newWorld(Options{MaxAge: time.Hour})
	x.busy.Store(true)
	for _, s := range []struct{ method, want string }{
		{"GET", "/a  0"}, {"POST", "/a  1"}, {"GET", "/a  1"}, {"HEAD", ""}, {"GET", "/a  1"}, {"DELETE", "/a  2"}, {"GET", "/a  2"},
	} {
		if s.method == "POST" || s.method == "DELETE" {
			x.version.Add(1)
		}
		if got := text(t, x.ask(t, s.method, "/a")); got != s.want {
			t.Errorf("%s: %q, want %q", s.method, got, s.want)
		}
	}

	// What changes nothing lets answers be; what has changed without a request is
	// told.
	y := newWorld(Options{MaxAge: time.Hour, Changes: func(r *http.Request) bool { return r.URL.Path != "/play" }})
	y.busy.Store(true)
	for i, s := range []struct{ method, path, want string }{
		{"GET", "/a", "/a  0"}, {"POST", "/play", "/play  1"}, {"GET", "/a", "/a  0"}, {"POST", "/a", "/a  3"}, {"GET", "/a", "/a  4"},
	} {
		y.version.Store(int64(i))
		if got := text(t, y.ask(t, s.method, s.path)); got != s.want {
			t.Errorf("%s %s: %q, want %q", s.method, s.path, got, s.want)
		}
	}

	x.version.Store(10)
	begun, goOn := make(chan struct{}), make(chan struct{})
	plain := x.body
	x.body = func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" && x.version.Load() == 10 {
			close(begun)
			<-goOn
			fmt.Fprint(w, "as it was")
			return
		}
		plain(w, r)
	}
	var wg sync.WaitGroup
	wg.Go(func() { x.ask(t, "GET", "/b") })
	<-begun
	x.version.Store(11)
	x.ask(t, "PUT", "/b")
	close(goOn)
	wg.Wait()
	if got := text(t, x.ask(t, "GET", "/b")); got != "/b  11" {
		t.Errorf("after the change: %q", got)
	}
}

// TestRefreshesOnce: while the version changes faster than an answer can be made,
// only one is made behind the back of those who ask.
func TestRefreshesOnce(t *testing.T) { synctest.Test(t, testRefreshesOnce) }

func testRefreshesOnce(t *testing.T) {
	x := newWorld(Options{MaxAge: time.Second})
	x.busy.Store(true)
	x.ask(t, "GET", "/a")
	time.Sleep(1100 * time.Millisecond)
	hold := make(chan struct{})
	x.body = func(w http.ResponseWriter, r *http.Request) { <-hold }
	for range 5 {
		x.version.Add(1)
		if got := text(t, x.ask(t, "GET", "/a")); got != "/a  0" {
			t.Errorf("meanwhile: %q", got)
		}
	}
	close(hold)
	time.Sleep(10 * time.Millisecond)
	if got := x.made.Load(); got != 2 {
		t.Errorf("made %d answers, want 2", got)
	}
}
