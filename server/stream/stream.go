package stream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Gap is the name of the event that stands for kept events that were dropped
// before a listener could have them. Its data is {"name": "page"}: the name of
// the events that are missing. No event can be sent under this name.
const Gap = "gap"

// DefaultKept is how many events of a name given to Keep are kept.
const DefaultKept = 1024

// ErrClosed is returned by Send after Close.
var ErrClosed = errors.New("stream: closed, no more events can be sent")

// ErrAbandoned is the cause of a context of Watch that ended because nobody
// listened any more.
var ErrAbandoned = errors.New("stream: nobody listens any more")

// Event is one event. Data is JSON on one line; it is shared by all listeners
// and must not be changed.
type Event struct {
	Seq  uint64
	Name string
	Data json.RawMessage
}

// Stream is a sequence of events. All methods may be called at the same time.
type Stream struct {
	id   string
	kept int // how many events a list of lists may hold

	mu     sync.Mutex
	seq    uint64
	latest map[string]Event
	lists  map[string]*list
	closed bool
	// changed is closed at the next Send or Close. It is nil while nobody
	// waits, so that Send costs nothing for it then.
	changed chan struct{}
	// listeners counts who follows; watches hear when it becomes 0 or 1.
	listeners int
	watches   map[*watch]struct{}
	onClose   func(*Stream)
}

// list holds the events of one name that are all kept, by rising Seq.
type list struct {
	events  []Event
	dropped uint64 // Seq of the newest event that is gone, or 0
}

// Option changes how a new stream keeps its events.
type Option func(*Stream)

// Keep makes a stream keep all events of the names, up to DefaultKept of each,
// or as many as KeepAtMost says.
func Keep(names ...string) Option {
	return func(s *Stream) {
		for _, n := range names {
			s.lists[n] = &list{}
		}
	}
}

// KeepAtMost bounds how many events of each name given to Keep are kept.
func KeepAtMost(n int) Option {
	return func(s *Stream) { s.kept = max(n, 1) }
}

// New returns an empty stream. The id is part of the ids of its events:
// whatever is not a letter, a digit or one of "._-" in it becomes "_".
func New(id string, options ...Option) *Stream {
	s := &Stream{
		id: clean(id), kept: DefaultKept,
		latest: map[string]Event{}, lists: map[string]*list{}, watches: map[*watch]struct{}{},
	}
	for _, o := range options {
		o(s)
	}
	return s
}

// clean makes an id that can stand in an event id and in a header.
func clean(id string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, id)
}

// ParseID takes an event id apart. It reports false for what cannot be one.
func ParseID(eventID string) (id string, seq uint64, ok bool) {
	i := strings.LastIndexByte(eventID, '-')
	if i < 0 {
		return "", 0, false
	}
	seq, err := strconv.ParseUint(eventID[i+1:], 10, 64)
	if err != nil || clean(eventID[:i]) != eventID[:i] {
		return "", 0, false
	}
	return eventID[:i], seq, true
}

// Send adds an event with the data as JSON. It never waits for a listener. The
// number of different names should be small and fixed: one event of each is
// held as long as the stream.
func (s *Stream) Send(name string, data any) error {
	if name == "" || name == Gap || strings.ContainsAny(name, "\r\n\x00") {
		return fmt.Errorf("stream: %q cannot be the name of an event", name)
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("stream: event %s: %w", name, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.seq++
	e := Event{Seq: s.seq, Name: name, Data: raw}
	if l := s.lists[name]; l == nil {
		s.latest[name] = e
	} else {
		if len(l.events) == s.kept {
			l.dropped = l.events[0].Seq
			// Cleared, since the array outlives the place in the slice.
			l.events[0] = Event{}
			l.events = l.events[1:]
		}
		l.events = append(l.events, e)
	}
	s.wake()
	return nil
}

// Close ends the stream. Listeners end after the last event. Closing twice does
// no harm.
func (s *Stream) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	s.wake()
	for w := range s.watches {
		w.timer.Stop()
		w.end(ErrClosed)
	}
	clear(s.watches)
	onClose := s.onClose
	s.mu.Unlock()
	if onClose != nil {
		onClose(s)
	}
}

// resume returns the number after which to go on for a client that had the
// event of the id. An id of another stream, or a number that this one has not
// reached, which is of a stream of the same id before a restart, means from the
// start.
func (s *Stream) resume(eventID string) uint64 {
	id, seq, ok := ParseID(eventID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !ok || id != s.id || seq > s.seq {
		return 0
	}
	return seq
}

// wake lets everybody look again. The caller holds mu.
func (s *Stream) wake() {
	if s.changed != nil {
		close(s.changed)
		s.changed = nil
	}
}

// next returns the kept event with the lowest number above after. Where there
// is none it returns the channel that is closed when it is worth asking again,
// or nil when the stream has ended. The cost grows with the number of names and
// not with that of events.
func (s *Stream) next(after uint64) (e Event, ok bool, wait <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	take := func(c Event) {
		if c.Seq > after && (!ok || c.Seq < e.Seq) {
			e, ok = c, true
		}
	}
	for _, c := range s.latest {
		take(c)
	}
	for name, l := range s.lists {
		if l.dropped > after {
			data, _ := json.Marshal(map[string]string{"name": name})
			take(Event{Seq: l.dropped, Name: Gap, Data: data})
			continue
		}
		i, _ := slices.BinarySearchFunc(l.events, after+1, func(e Event, seq uint64) int {
			return cmp.Compare(e.Seq, seq)
		})
		if i < len(l.events) {
			take(l.events[i])
		}
	}
	if ok || s.closed {
		return e, ok, nil
	}
	if s.changed == nil {
		s.changed = make(chan struct{})
	}
	return e, false, s.changed
}

// Events yields the events after the number that are still kept, then those to
// come, until the stream or the context ends. A loop that is slower than the
// sender misses events that newer ones of the same name have replaced.
func (s *Stream) Events(ctx context.Context, after uint64) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		defer s.listen()()
		for ctx.Err() == nil {
			e, ok, wait := s.next(after)
			switch {
			case ok:
				after = e.Seq
				if !yield(e) {
					return
				}
			case wait == nil:
				return
			default:
				select {
				case <-wait:
				case <-ctx.Done():
				}
			}
		}
	}
}

// listen counts a listener until the function it returns is called.
func (s *Stream) listen() (leave func()) {
	s.count(1)
	return func() { s.count(-1) }
}

func (s *Stream) count(d int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners += d
	for w := range s.watches {
		switch {
		case s.listeners == 0:
			w.timer.Reset(w.grace)
		case s.listeners == 1 && d > 0:
			w.timer.Stop()
		}
	}
}

// watch ends a context when nobody listened for the time of grace.
type watch struct {
	grace time.Duration
	timer *time.Timer
	end   context.CancelCauseFunc
}

// Watch returns a context for the work that feeds the stream. It ends when the
// stream is closed, or when nobody has listened for the time of grace, within
// which a listener that lost its connection may come back; context.Cause tells
// ErrAbandoned then. The caller calls stop when the work is done.
func (s *Stream) Watch(parent context.Context, grace time.Duration) (ctx context.Context, stop context.CancelFunc) {
	ctx, end := context.WithCancelCause(parent)
	w := &watch{grace: grace, end: end}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		end(ErrClosed)
		return ctx, func() {}
	}
	w.timer = time.AfterFunc(grace, func() {
		// A timer that fires just as a listener comes does not count.
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.listeners == 0 {
			end(ErrAbandoned)
		}
	})
	if s.listeners > 0 {
		w.timer.Stop()
	}
	s.watches[w] = struct{}{}
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		w.timer.Stop()
		delete(s.watches, w)
		end(context.Canceled)
	}
}
