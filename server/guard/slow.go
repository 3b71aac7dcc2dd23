package guard

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

// chunk is how much of an answer is handed to the connection at once: each has
// to be taken within Options.Stall.
const chunk = 32 << 10

// linger is how long the rest of a body that is too large is read.
const linger = 250 * time.Millisecond

// tap is the response writer behind all others. It sees what goes over the wire
// for the log, and moves the deadlines of the connection on as bytes go, so
// that a client that takes nothing is cut off and one that takes all day to
// take much is not.
type tap struct {
	http.ResponseWriter
	rc     *http.ResponseController
	stall  time.Duration
	status int // 0 until the header is written
	bytes  int64
	body   *body // nil where the request has none
}

func newTap(w http.ResponseWriter, stall time.Duration) *tap {
	return &tap{ResponseWriter: w, rc: http.NewResponseController(w), stall: stall}
}

// Unwrap lets http.ResponseController find what the tap does not have.
func (t *tap) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// extend gives the client another time to take something. Before the server
// sends the header it reads the rest of the body, for which the client has a
// time as well. Writers without deadlines, as in tests, do without.
func (t *tap) extend() {
	d := t.stall
	if t.body != nil && !t.body.done {
		d *= 2
	}
	t.rc.SetWriteDeadline(time.Now().Add(d))
}

func (t *tap) WriteHeader(status int) {
	// Those below 200 are notes that come before the answer.
	if t.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		t.status = status
	}
	t.extend()
	t.ResponseWriter.WriteHeader(status)
}

func (t *tap) Write(b []byte) (n int, err error) {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	for {
		part := b[n:min(len(b), n+chunk)]
		t.extend()
		m, err := t.ResponseWriter.Write(part)
		n += m
		t.bytes += int64(m)
		if err != nil || n == len(b) {
			return n, err
		}
	}
}

// FlushError is what http.ResponseController calls.
func (t *tap) FlushError() error {
	if t.status == 0 {
		t.status = http.StatusOK
	}
	t.extend()
	return t.rc.Flush()
}

// Flush makes the tap an http.Flusher, for which the compression asks.
func (t *tap) Flush() { t.FlushError() }

// watchBody sets limits to the size of the body of the request and to the time
// that it takes. The first deadline holds even where no handler reads: the
// server itself reads a rest before it answers.
func (t *tap) watchBody(r *http.Request, o Options, limit int64) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	t.body = &body{
		// The innermost writer is the one that knows how to close the
		// connection after the answer.
		ReadCloser: http.MaxBytesReader(t.ResponseWriter, r.Body, limit),
		rc:         t.rc, stall: o.Stall, grace: o.Grace, rate: o.MinRate,
	}
	t.rc.SetReadDeadline(time.Now().Add(o.Stall))
	r.Body = t.body
}

// body is a request body that has to keep coming.
type body struct {
	io.ReadCloser
	rc           *http.ResponseController
	stall, grace time.Duration
	rate         int64
	n            int64
	done         bool          // there is nothing more to read
	waited       time.Duration // spent in Read alone: a slow handler is not the client's fault
}

// Read fails with an error that is os.ErrDeadlineExceeded when the client has
// sent nothing for too long or too little on the whole.
func (b *body) Read(p []byte) (int, error) {
	if b.done {
		return b.ReadCloser.Read(p) // the end again, or that it was closed
	}
	// The client has until its average falls under the rate.
	left := max(b.grace, time.Duration(b.n/b.rate)*time.Second) - b.waited
	if left <= 0 {
		return 0, fmt.Errorf("guard: body slower than %d bytes a second: %w", b.rate, os.ErrDeadlineExceeded)
	}
	start := time.Now()
	b.rc.SetReadDeadline(start.Add(min(left, b.stall)))
	n, err := b.ReadCloser.Read(p)
	b.waited += time.Since(start)
	b.n += int64(n)
	var large *http.MaxBytesError
	switch {
	case err == io.EOF:
		b.done = true
		// From now on the server listens whether the client goes: a deadline
		// would look like that.
		b.rc.SetReadDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("guard: body stopped after %d bytes: %w", b.n, err)
	case errors.As(err, &large):
		// The server reads what is on its way before it answers, so that the
		// answer arrives; there is no need to wait for more.
		b.rc.SetReadDeadline(time.Now().Add(min(b.stall, linger)))
	}
	return n, err
}

// Close reads a rest of the body, which has to come in time, too.
func (b *body) Close() error {
	if b.done {
		return b.ReadCloser.Close()
	}
	b.rc.SetReadDeadline(time.Now().Add(b.stall))
	err := b.ReadCloser.Close()
	b.done = true
	b.rc.SetReadDeadline(time.Time{})
	return err
}
