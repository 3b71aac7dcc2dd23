//qipu:race

package stream

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// serve starts a server for one stream. The errors of Serve come by the channel.
func serve(t *testing.T, x Writer, s *Stream) (*httptest.Server, <-chan error) {
	t.Helper()
	errs := make(chan error, 16)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		errs <- x.Serve(w, r, s)
	}))
	t.Cleanup(srv.Close)
	return srv, errs
}

func get(t *testing.T, ctx context.Context, url, last string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

func TestServe(t *testing.T) {
	s := New("find", Keep("page"))
	srv, errs := serve(t, Writer{}, s)
	resp := get(t, t.Context(), srv.URL, "")
	for k, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
	} {
		if got := resp.Header.Get(k); got != want {
			t.Errorf("%s: %q, want %q", k, got, want)
		}
	}
	// Each event arrives while the stream goes on.
	in := bufio.NewReader(resp.Body)
	expect := func(want string) {
		t.Helper()
		var got strings.Builder
		for !strings.HasSuffix(got.String(), "\n\n") {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatalf("after %q: %v", got.String(), err)
			}
			got.WriteString(line)
		}
		if got.String() != want {
			t.Errorf("got %q\nwant %q", got.String(), want)
		}
	}
	expect("retry: 1000\n\n")
	send(t, s, "page", map[string]any{"text": "line\none"})
	expect("id: find-1\nevent: page\ndata: {\"text\":\"line\\none\"}\n\n")
	send(t, s, "page", 2)
	expect("id: find-2\nevent: page\ndata: 2\n\n")
	s.Close()
	if rest, err := io.ReadAll(in); err != nil || len(rest) != 0 {
		t.Errorf("after Close: %q %v", rest, err)
	}
	if err := <-errs; err != nil {
		t.Error(err)
	}

	for _, c := range []struct {
		name, header, query string
		status              int
		want                string
	}{
		{"from the start", "", "", 200, "retry: 1000\n\nid: find-1\nevent: page\ndata: {\"text\":\"line\\none\"}\n\nid: find-2\nevent: page\ndata: 2\n\n"},
		{"in the middle", "find-1", "", 200, "retry: 1000\n\nid: find-2\nevent: page\ndata: 2\n\n"},
		{"by the query", "", "?lastEventId=find-1", 200, "retry: 1000\n\nid: find-2\nevent: page\ndata: 2\n\n"},
		{"the header wins", "find-2", "?lastEventId=find-1", 204, ""},
		{"after the end", "find-2", "", 204, ""},
		{"of another stream", "other-2", "", 200, "retry: 1000\n\nid: find-1\nevent: page\ndata: {\"text\":\"line\\none\"}\n\nid: find-2\nevent: page\ndata: 2\n\n"},
		{"of a stream before", "find-3", "", 200, "retry: 1000\n\nid: find-1\nevent: page\ndata: {\"text\":\"line\\none\"}\n\nid: find-2\nevent: page\ndata: 2\n\n"},
		{"of nothing", "garbage", "", 200, "retry: 1000\n\nid: find-1\nevent: page\ndata: {\"text\":\"line\\none\"}\n\nid: find-2\nevent: page\ndata: 2\n\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			resp := get(t, t.Context(), srv.URL+c.query, c.header)
			got, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != c.status || string(got) != c.want {
				t.Errorf("status %d %v\n got %q\nwant %q", resp.StatusCode, err, got, c.want)
			}
		})
	}
}

func TestServeHeartbeat(t *testing.T) {
	s := New("x")
	srv, errs := serve(t, Writer{Heartbeat: time.Millisecond, Retry: 5 * time.Second}, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resp := get(t, ctx, srv.URL, "")
	want := "retry: 5000\n\n:\n\n:\n\n"
	got := make([]byte, len(want))
	if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != want {
		t.Errorf("got %q %v", got, err)
	}
	// A client that goes ends its goroutine.
	cancel()
	select {
	case err := <-errs:
		if err == nil {
			t.Error("no error for a client that went")
		}
	case <-time.After(testkit.Patience):
		t.Fatal("the client went and its goroutine stayed")
	}
	if n := s.Listeners(); n != 0 {
		t.Errorf("%d listeners are left", n)
	}
}

// A client that is connected but takes nothing is let go.
func TestServeDeadClient(t *testing.T) {
	s := New("x", Keep("page"))
	big := strings.Repeat("x", 1<<20)
	for range 32 {
		send(t, s, "page", big) // more than the buffers of the system hold
	}
	srv, errs := serve(t, Writer{Timeout: 50 * time.Millisecond}, s)
	c, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-errs:
		if !errors.Is(err, os.ErrDeadlineExceeded) && !errors.Is(err, context.Canceled) {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(testkit.Patience):
		t.Fatal("a dead client holds its goroutine")
	}
}

func TestServeHead(t *testing.T) {
	w := httptest.NewRecorder()
	if err := Serve(w, httptest.NewRequest("HEAD", "/", nil), New("x")); err != nil {
		t.Fatal(err)
	}
	if w.Header().Get("Content-Type") != ContentType || w.Body.Len() != 0 {
		t.Errorf("%v %q", w.Header(), w.Body)
	}
}

// plain is a response that cannot be flushed.
type plain struct{ http.ResponseWriter }

func (p plain) Write(b []byte) (int, error) { return len(b), nil }

func TestServeNeedsFlush(t *testing.T) {
	w := struct{ http.ResponseWriter }{plain{httptest.NewRecorder()}}
	if err := Serve(w, httptest.NewRequest("GET", "/", nil), New("x")); !errors.Is(err, http.ErrNotSupported) {
		t.Errorf("got %v", err)
	}
}
