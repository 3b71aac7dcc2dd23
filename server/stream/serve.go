package stream

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// ContentType is the media type of server-sent events.
const ContentType = "text/event-stream"

// Writer writes streams as server-sent events. Its zero value is ready.
type Writer struct {
	// Heartbeat is the time after which a comment is sent while there are no
	// events, so that a dead client and an idle proxy are noticed: 15 seconds
	// by default.
	Heartbeat time.Duration
	// Timeout is how long the client may take to accept one event: 10 seconds
	// by default. Its goroutine is free after that.
	Timeout time.Duration
	// Retry is how long the client waits before it connects again: one second
	// by default.
	Retry time.Duration
}

// Serve writes a stream with the defaults of Writer.
func Serve(w http.ResponseWriter, r *http.Request, s *Stream) error {
	return Writer{}.Serve(w, r, s)
}

// Serve writes the stream until it or the request ends. It goes on after the
// event that the header Last-Event-ID, or the query parameter lastEventId,
// names, where that is one of this stream, and else starts with the first event
// that is kept. A client that has had the last event of a stream that has ended
// is answered with 204, at which browsers stop to connect again. The error is
// that of the connection or of the request's context; there is nobody left to
// tell it to.
func (x Writer) Serve(w http.ResponseWriter, r *http.Request, s *Stream) error {
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = r.URL.Query().Get("lastEventId")
	}
	after := s.resume(last)
	if after > 0 {
		if _, more, wait := s.next(after); !more && wait == nil {
			w.Header().Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusNoContent)
			return nil
		}
	}
	h := w.Header()
	h.Set("Content-Type", ContentType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	if r.Method == http.MethodHead {
		return nil
	}
	defer s.listen()()
	return x.write(r.Context(), w, s, after)
}

func (x Writer) write(ctx context.Context, w http.ResponseWriter, s *Stream, after uint64) error {
	heartbeat, timeout, retry := cmp.Or(x.Heartbeat, 15*time.Second), cmp.Or(x.Timeout, 10*time.Second), cmp.Or(x.Retry, time.Second)
	rc := http.NewResponseController(w)
	put := func(b []byte) error {
		// A writer without deadlines, as in tests, is taken as it is.
		if err := rc.SetWriteDeadline(time.Now().Add(timeout)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return fmt.Errorf("stream: %w", err)
		}
		if _, err := w.Write(b); err != nil {
			return fmt.Errorf("stream: %w", err)
		}
		return nil
	}
	flush := func() error {
		if err := rc.Flush(); err != nil {
			return fmt.Errorf("stream: events cannot be sent one by one: %w", err)
		}
		return nil
	}

	// Sent at once, so that the client knows that it is connected.
	if err := put(fmt.Appendf(nil, "retry: %d\n\n", retry.Milliseconds())); err != nil {
		return err
	}
	if err := flush(); err != nil {
		return err
	}
	beat := time.NewTimer(heartbeat)
	defer beat.Stop()
	var b bytes.Buffer
	for ctx.Err() == nil {
		e, ok, wait := s.next(after)
		if ok {
			after = e.Seq
			b.Reset()
			b.WriteString("id: " + s.id + "-")
			b.Write(strconv.AppendUint(b.AvailableBuffer(), e.Seq, 10))
			b.WriteString("\nevent: " + e.Name + "\ndata: ")
			b.Write(e.Data)
			b.WriteString("\n\n")
			if err := put(b.Bytes()); err != nil {
				return err
			}
			// One flush for all events that are there.
			if _, more, _ := s.next(after); !more {
				if err := flush(); err != nil {
					return err
				}
			}
			beat.Reset(heartbeat)
			continue
		}
		if wait == nil {
			return put(nil) // the end of the response is written within the time, too
		}
		select {
		case <-wait:
		case <-ctx.Done():
		case <-beat.C:
			if err := put([]byte(":\n\n")); err != nil {
				return err
			}
			if err := flush(); err != nil {
				return err
			}
			beat.Reset(heartbeat)
		}
	}
	return context.Cause(ctx)
}
