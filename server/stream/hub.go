package stream

import (
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// Hub finds streams by their ids, and keeps those that have ended for a while,
// so that a listener that lost its connection can fetch the rest. Its zero
// value is ready. It runs no goroutine.
type Hub struct {
	// Linger is how long a stream that has ended is kept: 60 seconds by default.
	Linger time.Duration
	// Max bounds the number of streams that have ended: 256 by default. The one
	// that ended first goes first.
	Max int

	mu      sync.Mutex
	streams map[string]*Stream
	ended   []*Stream // by the time of their end
	closed  bool
}

// New returns a stream with an id that nobody can guess.
func (h *Hub) New(options ...Option) *Stream {
	s, _ := h.Open(rand.Text(), options...)
	return s
}

// Open returns the stream of the id, which is made with the options where there
// is none, and whether it was made now. A closed hub gives closed streams.
func (h *Hub) Open(id string, options ...Option) (s *Stream, made bool) {
	id = clean(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.streams[id]; s != nil {
		return s, false
	}
	s = New(id, options...)
	if h.closed {
		s.Close()
		return s, true
	}
	s.onClose = h.retire
	if h.streams == nil {
		h.streams = map[string]*Stream{}
	}
	h.streams[id] = s
	return s, true
}

// Get returns the stream that an event id, as in Last-Event-ID, or a bare
// stream id names.
func (h *Hub) Get(id string) (*Stream, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s, ok := h.streams[id]; ok {
		return s, true
	}
	id, _, ok := ParseID(id)
	if !ok {
		return nil, false
	}
	s, ok := h.streams[id]
	return s, ok
}

// Drop ends a stream and forgets it at once: whoever comes back to it finds none,
// and begins anew.
func (h *Hub) Drop(s *Stream) {
	h.mu.Lock()
	if h.streams[s.id] == s {
		delete(h.streams, s.id)
	}
	h.mu.Unlock()
	s.Close()
}

// Len returns how many streams the hub holds.
func (h *Hub) Len() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.streams)
}

// Close ends all streams, so that their listeners end, and forgets them. A
// server calls it when it shuts down, which would else wait for the listeners.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	streams := h.streams
	h.streams, h.ended = nil, nil
	h.mu.Unlock()
	for _, s := range streams {
		s.Close()
	}
}

// retire takes note of a stream that has ended.
func (h *Hub) retire(s *Stream) {
	linger, bound := h.Linger, h.Max
	if linger <= 0 {
		linger = time.Minute
	}
	if bound <= 0 {
		bound = 256
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.streams[s.id] != s {
		return // the hub was closed
	}
	h.ended = append(h.ended, s)
	for len(h.ended) > bound {
		h.forget(h.ended[0])
	}
	// The timer holds the stream no longer than the hub should.
	time.AfterFunc(linger, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.forget(s)
	})
}

// forget drops a stream that has ended. The caller holds mu.
func (h *Hub) forget(s *Stream) {
	if i := slices.Index(h.ended, s); i >= 0 {
		h.ended = slices.Delete(h.ended, i, i+1)
		delete(h.streams, s.id)
	}
}
