//qipu:race

package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// text writes events as "seq:name=data".
func text(events []Event) string {
	var b strings.Builder
	for i, e := range events {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%d:%s=%s", e.Seq, e.Name, e.Data)
	}
	return b.String()
}

func collect(ctx context.Context, s *Stream, after uint64) []Event {
	var all []Event
	for e := range s.Events(ctx, after) {
		all = append(all, e)
	}
	return all
}

func send(t testing.TB, s *Stream, name string, data any) {
	t.Helper()
	if err := s.Send(name, data); err != nil {
		t.Fatal(err)
	}
}

func TestKept(t *testing.T) {
	s := New("find", Keep("page"), KeepAtMost(2))
	send(t, s, "progress", 1)
	send(t, s, "page", "a")
	send(t, s, "progress", 2)
	send(t, s, "page", "b")
	send(t, s, "progress", 3)
	send(t, s, "page", "c")
	send(t, s, "done", nil)
	s.Close()
	for _, c := range []struct {
		after uint64
		want  string
	}{
		{0, `2:gap={"name":"page"} 4:page="b" 5:progress=3 6:page="c" 7:done=null`},
		{2, `4:page="b" 5:progress=3 6:page="c" 7:done=null`},
		{4, `5:progress=3 6:page="c" 7:done=null`},
		{6, `7:done=null`},
		{7, ``},
		{99, ``},
	} {
		if got := text(collect(t.Context(), s, c.after)); got != c.want {
			t.Errorf("after %d:\n got %s\nwant %s", c.after, got, c.want)
		}
	}
}

func TestSendRefuses(t *testing.T) {
	s := New("x")
	for _, name := range []string{"", Gap, "a\nb", "a\rb"} {
		if err := s.Send(name, 1); err == nil {
			t.Errorf("name %q was taken", name)
		}
	}
	if err := s.Send("a", func() {}); err == nil {
		t.Error("a function was taken as data")
	}
	s.Close()
	s.Close()
	if err := s.Send("a", 1); !errors.Is(err, ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// A listener that is slow gets what is current when it is ready, and the sender
// never waits for it.
func TestSlowListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New("x", Keep("page"))
		var got []Event
		done := make(chan struct{})
		go func() {
			defer close(done)
			for e := range s.Events(t.Context(), 0) {
				got = append(got, e)
				time.Sleep(time.Second)
			}
		}()
		start := time.Now()
		send(t, s, "progress", 0)
		synctest.Wait()
		for i := 1; i <= 1000; i++ {
			send(t, s, "progress", i)
			if i%500 == 0 {
				send(t, s, "page", i)
			}
		}
		if d := time.Since(start); d != 0 {
			t.Errorf("Send waited %v", d)
		}
		s.Close()
		<-done
		if got, want := text(got), "1:progress=0 502:page=500 1002:progress=1000 1003:page=1000"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestEventsEndWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New("x")
		ctx, cancel := context.WithCancel(t.Context())
		ended := false
		go func() {
			collect(ctx, s, 0)
			ended = true
		}()
		synctest.Wait()
		if ended || s.Listeners() != 1 {
			t.Fatalf("ended %v with %d listeners before the context did", ended, s.Listeners())
		}
		cancel()
		synctest.Wait()
		if !ended || s.Listeners() != 0 {
			t.Errorf("ended %v with %d listeners after the context did", ended, s.Listeners())
		}
	})
}

// Many listeners that come, break off and resume see every kept event once and
// in order, and the last of each other name.
func TestManyListeners(t *testing.T) {
	const pages, listeners = 200, 20
	s := New("x", Keep("page"))
	var wg sync.WaitGroup
	for i := range listeners {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(i)))
			var after uint64
			var seen, progress int
			for end := false; !end; {
				stop := rng.IntN(20)
				end = true
				for e := range s.Events(t.Context(), after) {
					if e.Seq <= after {
						t.Errorf("event %d after %d", e.Seq, after)
					}
					after = e.Seq
					switch e.Name {
					case "page":
						if want := fmt.Sprint(seen); string(e.Data) != want {
							t.Errorf("page %s instead of %s", e.Data, want)
						}
						seen++
					case "progress":
						fmt.Sscan(string(e.Data), &progress)
					}
					if stop--; stop < 0 {
						end = false
						break
					}
				}
			}
			if seen != pages || progress != pages-1 {
				t.Errorf("saw %d pages and progress %d", seen, progress)
			}
		})
	}
	for i := range pages {
		send(t, s, "page", i)
		send(t, s, "progress", i)
	}
	s.Close()
	wg.Wait()
	if n := s.Listeners(); n != 0 {
		t.Errorf("%d listeners are left", n)
	}
}

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New("x")
		ctx, stop := s.Watch(t.Context(), 10*time.Second)
		defer stop()
		listen := func(d time.Duration) {
			c, cancel := context.WithTimeout(t.Context(), d)
			defer cancel()
			collect(c, s, 0)
		}
		time.Sleep(9 * time.Second)
		listen(time.Minute)
		time.Sleep(9 * time.Second)
		listen(time.Minute)
		if ctx.Err() != nil {
			t.Fatalf("ended while listeners came back in time: %v", context.Cause(ctx))
		}
		time.Sleep(11 * time.Second)
		if !errors.Is(context.Cause(ctx), ErrAbandoned) {
			t.Errorf("cause %v after nobody listened", context.Cause(ctx))
		}
	})
	s := New("y")
	ctx, stop := s.Watch(t.Context(), time.Hour)
	defer stop()
	s.Close()
	if !errors.Is(context.Cause(ctx), ErrClosed) {
		t.Errorf("cause %v after Close", context.Cause(ctx))
	}
	if ctx, stop := s.Watch(t.Context(), time.Hour); ctx.Err() == nil {
		t.Error("the watch of a closed stream goes on")
		stop()
	}
}

func TestHub(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &Hub{Linger: time.Minute, Max: 2}
		a, made := h.Open("a/b")
		if !made || a.ID() != "a_b" {
			t.Fatalf("Open: made %v, id %s", made, a.ID())
		}
		if again, made := h.Open("a/b"); made || again != a {
			t.Error("Open made a second stream of the same id")
		}
		for _, id := range []string{a.ID(), a.EventID(7)} {
			if got, ok := h.Get(id); !ok || got != a {
				t.Errorf("Get(%q) did not find the stream", id)
			}
		}
		for _, id := range []string{"", "-", "-1", "b-1", "a_b-x", "a/b-1"} {
			if _, ok := h.Get(id); ok {
				t.Errorf("Get(%q) found a stream", id)
			}
		}

		a.Close()
		time.Sleep(59 * time.Second)
		if _, ok := h.Get("a_b"); !ok {
			t.Error("the stream is gone before its time")
		}
		time.Sleep(2 * time.Second)
		if _, ok := h.Get("a_b"); ok || h.Len() != 0 {
			t.Error("the stream is there after its time")
		}

		open := h.New()
		var ended []*Stream
		for range 3 {
			s := h.New()
			s.Close()
			ended = append(ended, s)
		}
		for i, want := range []bool{false, true, true} {
			if _, ok := h.Get(ended[i].ID()); ok != want {
				t.Errorf("ended stream %d: there %v, want %v", i, ok, want)
			}
		}
		if _, ok := h.Get(open.ID()); !ok {
			t.Error("an open stream gave way to ended ones")
		}

		h.Close()
		if !open.Closed() || h.Len() != 0 {
			t.Error("Close left a stream")
		}
		if s := h.New(); !s.Closed() {
			t.Error("a closed hub gave an open stream")
		}
	})
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"a-1", "a-b-2", "-3", "a-", "a-18446744073709551616", "a\n-1"} {
		f.Add(s)
	}
	// What is taken apart is put together again as it stands for the stream.
	f.Fuzz(func(t *testing.T, s string) {
		id, seq, ok := ParseID(s)
		if !ok {
			return
		}
		again, n, ok := ParseID(New(id).EventID(seq))
		if !ok || again != id || n != seq {
			t.Errorf("%q: %q %d became %q %d %v", s, id, seq, again, n, ok)
		}
	})
}

// TestHubDrop: a stream that is dropped is not found again, and its listeners end.
func TestHubDrop(t *testing.T) {
	var h Hub
	s := h.New()
	if err := s.Send("tick", 1); err != nil {
		t.Fatal(err)
	}
	h.Drop(s)
	if _, ok := h.Get(s.EventID(1)); ok || !s.Closed() || h.Len() != 0 {
		t.Errorf("found again: %t, closed: %t, %d streams", ok, s.Closed(), h.Len())
	}
	h.Drop(s) // does no harm
	var closed Hub
	left := closed.New()
	closed.Close()
	closed.Drop(left)
}
