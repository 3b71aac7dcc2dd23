//qipu:race

package guard

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"qipu/internal/testkit"
)

// dial opens a connection that the test cannot hang on.
func dial(t testing.TB, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(testkit.Patience))
	return c
}

func hello(t testing.TB, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// closedSoon fails unless the other side closes the connection.
func closedSoon(t *testing.T, in io.Reader) {
	t.Helper()
	if _, err := io.Copy(io.Discard, in); os.IsTimeout(err) {
		t.Error("the connection stays open")
	}
}

func TestSlowHeader(t *testing.T) {
	t.Parallel()
	addr := start(t, New(Options{Log: quiet, Stall: 100 * time.Millisecond}), ok)
	c := dial(t, addr)
	hello(t, c, "GET / HTTP/1.1\r\nHost: localhost\r\nX-")
	closedSoon(t, c)
}

func TestSlowBody(t *testing.T) {
	t.Parallel()
	deaf := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	for _, c := range []struct {
		name   string
		o      Options
		h      http.Handler
		send   time.Duration // between single bytes; 0 is never
		status int
	}{
		{"stops", Options{Stall: 100 * time.Millisecond}, ok, 0, 408},
		{"trickles", Options{Grace: 100 * time.Millisecond}, ok, 10 * time.Millisecond, 408},
		{"is not read", Options{Stall: 100 * time.Millisecond}, deaf, 0, 200},
		{"is refused", Options{Stall: 100 * time.Millisecond, Hosts: []string{"x"}, Exposed: true}, ok, 0, 421},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.o.Log = quiet
			conn := dial(t, start(t, New(c.o), c.h))
			host := "localhost"
			if c.status == 421 {
				host = "other"
			}
			hello(t, conn, "POST / HTTP/1.1\r\nHost: "+host+"\r\nContent-Length: 100000\r\n\r\nabc")
			if c.send > 0 {
				go func() {
					for {
						if _, err := conn.Write([]byte{'x'}); err != nil {
							return
						}
						time.Sleep(c.send)
					}
				}()
			}
			in := bufio.NewReader(conn)
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != c.status {
				t.Errorf("status %d, want %d", resp.StatusCode, c.status)
			}
			if resp.StatusCode == 408 {
				if p := problem(t, resp.Header, resp.Body); p.Code != "too-slow" {
					t.Errorf("%+v", p)
				}
			}
			closedSoon(t, in)
		})
	}
}

// A body that comes slowly but well, a handler that works for longer than the
// client may stall, and the same connection used again are no reasons to cut.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const long = 30 * time.Second // by default a client may stall for 20
		ended := make(chan error, 1)
		slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(long)
			n, err := io.Copy(io.Discard, r.Body)
			r.Body.Read(make([]byte, 1)) // the end once more, as decoders do
			r.Body.Close()
			time.Sleep(long)
			fmt.Fprintf(w, "%d %v", n, err)
			time.Sleep(long)
			ended <- r.Context().Err()
		})
		l := newPipes()
		srv := New(Options{Log: quiet, MinRate: 1}).Server("", slow)
		go srv.Serve(l)
		conn := l.dial()
		in := bufio.NewReader(conn)
		for range 2 {
			hello(t, conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 80\r\nExpect: 100-continue\r\n\r\n")
			if resp, err := http.ReadResponse(in, nil); err != nil || resp.StatusCode != 100 {
				t.Fatal(resp, err)
			}
			for range 4 {
				time.Sleep(9 * time.Second)
				hello(t, conn, strings.Repeat("x", 20))
			}
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(resp.Body); err != nil || string(b) != "80 <nil>" {
				t.Errorf("%q %v", b, err)
			}
			if err := <-ended; err != nil {
				t.Errorf("the context ended: %v", err)
			}
			time.Sleep(long)
		}
		conn.Close()
		srv.Close()
	})
}

// A client that takes nothing of a large answer is cut off.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	large := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, err := w.Write(make([]byte, 64<<20))
		failed <- err
	})
	conn := dial(t, start(t, New(Options{Log: quiet, Stall: 100 * time.Millisecond}), large))
	hello(t, conn, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	select {
	case err := <-failed:
		if !os.IsTimeout(err) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(testkit.Patience):
		t.Fatal("the handler still writes")
	}
}

// A body without a declared length is cut at the limit over a real connection,
// which is closed then.
func TestStreamedTooLarge(t *testing.T) {
	t.Parallel()
	conn := dial(t, start(t, New(Options{Log: quiet, MaxBody: 1000}), ok))
	hello(t, conn, "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
	for range 4 {
		hello(t, conn, "100\r\n"+strings.Repeat("x", 256)+"\r\n")
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := problem(t, resp.Header, resp.Body)
	if resp.StatusCode != 413 || p.Code != "too-large" || !strings.Contains(p.Detail, "1000 bytes") || !resp.Close {
		t.Errorf("%d %+v, close %v", resp.StatusCode, p, resp.Close)
	}
	closedSoon(t, in)
}

// Events go through the compression, the log and the deadlines one by one, even
// where the client takes gzip.
func TestEventsAreNotHeld(t *testing.T) {
	step := make(chan string)
	addr := start(t, New(Options{Log: quiet}), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		rc := http.NewResponseController(w)
		if err := rc.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Error(err)
		}
		for s := range step {
			io.WriteString(w, s)
			if err := rc.Flush(); err != nil {
				t.Error(err)
			}
		}
	}))
	req, _ := http.NewRequest("GET", "http://"+addr+"/events", nil)
	req.Header.Set("Accept-Encoding", "gzip")
	go func() { step <- ": hello\n\n" }()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("events are compressed: %v", resp.Header)
	}
	in := bufio.NewReader(resp.Body)
	for i := range 3 {
		if i > 0 {
			step <- ": hello\n\n"
		}
		for _, want := range []string{": hello\n", "\n"} {
			if got, err := in.ReadString('\n'); got != want || err != nil {
				t.Fatalf("%q %v", got, err)
			}
		}
	}
	close(step)
}

func TestCompression(t *testing.T) {
	text := strings.Repeat("a game of go ", 1000)
	addr := start(t, New(Options{Log: quiet}), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		w.Header().Set("ETag", `"v1"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	get := func(kind string, header ...string) *http.Response {
		req, _ := http.NewRequest("GET", "http://"+addr+"/?type="+kind, nil)
		req.Header.Set("Accept-Encoding", "gzip, zstd")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	for kind, want := range map[string]bool{
		"application/json": true, "application/problem%2Bjson": true, "text/css": true, "text/javascript;charset=utf-8": true,
		"image/svg%2Bxml": true, "text/event-stream": false, "image/png": false, "application/zip": false,
	} {
		resp := get(kind)
		if got := resp.Header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%s: compressed %v", kind, got)
		}
		if want {
			z, err := gzip.NewReader(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(z); err != nil || string(b) != text {
				t.Errorf("%s: %d bytes, %v", kind, len(b), err)
			}
			// The tag is another than that of the plain answer, and is known again.
			if tag := resp.Header.Get("ETag"); tag != `"v1-gzip"` {
				t.Errorf("%s: ETag %s", kind, tag)
			} else if again := get(kind, "If-None-Match", tag); again.StatusCode != 304 {
				t.Errorf("%s: status %d for a known tag", kind, again.StatusCode)
			}
		}
	}
	if resp := get("text/css", "Accept-Encoding", "identity", "If-None-Match", `"v2-gzip", "v1"`); resp.StatusCode != 304 {
		t.Errorf("status %d for a list of tags", resp.StatusCode)
	}
}

// What goes wrong below the handlers goes to the log, too.
func TestErrorLog(t *testing.T) {
	var log bytes.Buffer
	srv := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil))}).Server("", ok)
	srv.ErrorLog.Print("trouble")
	if !strings.Contains(log.String(), "level=WARN msg=trouble") {
		t.Errorf("log %q", log.String())
	}
}

// pipes is a listener whose connections are in memory.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

// dial returns the client's end of a new connection.
func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// FuzzRequest states that no bytes on a connection make the server panic or
// answer that it is at fault. The two statuses above 500 that the standard
// library gives for requests of another protocol are no fault.
func FuzzRequest(f *testing.F) {
	f.Add("GET", "/", "Host: localhost", "")
	f.Add("POST", "/api/v1/x?q=%zz", "Host: localhost\r\nContent-Length: 3", "abc")
	f.Add("POST", "/panic/../%00", "Host: [::1\r\nTransfer-Encoding: chunked", "1\r\nx\r\n0\r\n\r\n")
	f.Add("BREW", "http://a:b@c/%2e%2e//", "Host: localhost\r\nAuthorization: Bearer", "")
	f.Add("OPTIONS", "*", "Host: localhost\r\nOrigin: :\r\nAccept-Encoding: gzip;q=x", "")
	f.Add("CONNECT", "x:1", "Host: localhost\r\nIf-None-Match: -gzip\"", "")
	f.Add("POST", "/", "Host: localhost\r\nExpect: 100-continue\r\nContent-Length: 9", "x")
	l := newPipes()
	g := New(Options{Log: quiet, Exposed: true, Token: "x", Rate: -1, Hosts: []string{"*.x"}, Stall: 40 * time.Millisecond, MaxBody: 100})
	mux := http.NewServeMux()
	mux.Handle("/", ok)
	mux.Handle("GET /api/v1/{rest...}", heavy(g, ok))
	srv := g.Server("", mux)
	go srv.Serve(l)
	f.Cleanup(func() { srv.Close() })
	f.Fuzz(func(t *testing.T, method, target, header, body string) {
		client := l.dial()
		defer client.Close()
		client.SetDeadline(time.Now().Add(testkit.Patience))
		go fmt.Fprintf(client, "%s %s HTTP/1.1\r\nConnection: close\r\n%s\r\n\r\n%s", method, target, header, body)
		in := bufio.NewReader(client)
		for {
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				if os.IsTimeout(err) {
					t.Error("no answer and no end")
				}
				break
			}
			io.Copy(io.Discard, resp.Body)
			if s := resp.StatusCode; s >= 500 && s != http.StatusNotImplemented && s != http.StatusHTTPVersionNotSupported {
				t.Errorf("status %d", s)
			}
		}
		if n := value(t, g, "qipu_http_panics_total "); n != "0" {
			t.Errorf("%s panics", n)
		}
	})
}

// A request that ends takes its context with it, also behind the guard.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	addr := start(t, New(Options{Log: quiet}), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if RequestID(r.Context()) == "" {
			t.Error("no id of the request")
		}
		select {
		case <-r.Context().Done():
		case <-time.After(testkit.Patience):
		}
		ended <- r.Context().Err()
	}))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "POST", "http://"+addr, strings.NewReader("body"))
	if _, err := http.DefaultClient.Do(req); err == nil {
		t.Fatal("answered")
	}
	if err := <-ended; err != context.Canceled {
		t.Errorf("the context ended with %v", err)
	}
}
