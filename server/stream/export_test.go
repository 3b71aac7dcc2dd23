package stream

import "strconv"

// ID returns the id of the stream.
func (s *Stream) ID() string { return s.id }

// EventID returns the id that an event of the stream has for its listeners.
func (s *Stream) EventID(seq uint64) string {
	return s.id + "-" + strconv.FormatUint(seq, 10)
}

// Closed reports whether the stream has ended.
func (s *Stream) Closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// Listeners returns how many follow the stream now.
func (s *Stream) Listeners() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listeners
}
