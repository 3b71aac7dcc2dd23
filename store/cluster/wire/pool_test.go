package wire

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qipu/index"
)

// fake is a line that does what a test says.
type fake struct{ do func() error }

func (f *fake) Exec(context.Context, string) error                        { return f.do() }
func (f *fake) Query(context.Context, string, func() error, ...any) error { return f.do() }
func (f *fake) Insert(context.Context, string, []string, []any) error     { return f.do() }
func (f *fake) Close() error                                              { return nil }

// fakes returns a pool of shards with one replica each.
func fakes(t testing.TB, lines ...func() error) *Pool {
	p := NewPool(time.Second, t.Logf)
	for i, do := range lines {
		s := &Shard{Pool: p, Number: i}
		s.Replicas = []*Replica{{Host: fmt.Sprintf("host%d", i+1), Conn: &fake{do}}}
		p.Shards = append(p.Shards, s)
	}
	t.Cleanup(func() {
		p.Stop()
		p.Background.Wait()
	})
	return p
}

func TestEach(t *testing.T) {
	well := func() error { return nil }
	down := func() error { return &DownError{Host: "h", fresh: true, Err: errors.New("gone")} }
	ill := func() error { return &refusal{host: "h", code: 47, message: "no such column"} }
	partial := index.AllowPartial(t.Context())
	for _, c := range []struct {
		name  string
		ctx   context.Context
		lines []func() error
		want  string // of the error; empty for none
		gone  string
	}{
		{"all well", t.Context(), []func() error{well, well}, "", ""},
		{"one down", t.Context(), []func() error{well, down}, "shard 2 cannot be reached (host2): h does not answer: gone", ""},
		{"one down, partial", partial, []func() error{down, well, down}, "", "shard 1 shard 3"},
		{"all down, partial", partial, []func() error{down, down}, "no shard answers", "shard 1 shard 2"},
		{"one ill, partial", partial, []func() error{well, ill}, "asking: shard 2: h says: no such column (code 47)", ""},
	} {
		var m Missing
		f := fakes(t, c.lines...)
		err := f.Each(Collect(c.ctx, &m), "asking", func(s *Shard) error {
			return s.Read(c.ctx, "asking", func(line Conn) error { return line.Exec(c.ctx, "") })
		})
		if text := fmt.Sprint(err); (err == nil) != (c.want == "") || !strings.Contains(text, c.want) && c.want != "" {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if got := strings.Join(m.List(), " "); got != c.gone {
			t.Errorf("%s: missing %q, want %q", c.name, got, c.gone)
		}
	}
	f := fakes(t, down)
	if err := f.Each(partial, "asking", func(s *Shard) error { return s.Read(partial, "", func(l Conn) error { return l.Exec(partial, "") }) }); err == nil {
		t.Error("a shard is left out where nobody keeps account")
	}
}

// A write waits for a shard that takes none, and not for ever.
func TestWriteWaits(t *testing.T) {
	var tries atomic.Int64
	c := fakes(t, func() error {
		if tries.Add(1) < 3 {
			return &refusal{host: "h", code: codeReadOnly, message: "readonly mode"}
		}
		return nil
	}, func() error { return &refusal{host: "h", code: codeReadOnly, message: "readonly mode"} })
	put := func(s *Shard) error {
		return s.Write(t.Context(), "adding", func(line Conn) error { return line.Exec(t.Context(), "") })
	}
	if err := put(c.Shards[0]); err != nil || tries.Load() != 3 {
		t.Errorf("%v after %d tries", err, tries.Load())
	}
	if err := put(c.Shards[1]); err == nil || !strings.Contains(err.Error(), "adding: shard 2") || !strings.Contains(err.Error(), "readonly mode") {
		t.Errorf("%v, want shard 2 in readonly mode", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := c.Shards[1].Write(ctx, "adding", func(line Conn) error { return line.Exec(ctx, "") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// TestPatience says how soon statements give up: by tries, and by a clock of their
// own.
func TestPatience(t *testing.T) { synctest.Test(t, testPatience) }

func testPatience(t *testing.T) {
	gone := func(fresh bool) error { return &DownError{Host: "h", fresh: fresh, Err: errors.New("gone")} }
	readOnly := &refusal{host: "h", code: codeReadOnly, message: "readonly mode"}
	read := func(s *Shard, do func(Conn) error) error { return s.Read(t.Context(), "asking", do) }
	write := func(s *Shard, do func(Conn) error) error { return s.Write(t.Context(), "writing", do) }
	brief := func(s *Shard, do func(Conn) error) error {
		return s.Write(WithPatience(t.Context(), time.Second), "writing", do)
	}
	for _, c := range []struct {
		name     string
		patience time.Duration
		err      error
		run      func(*Shard, func(Conn) error) error
		tries    int // on two replicas
		took     time.Duration
	}{
		// A server that takes no connection is asked once, one whose connection ended
		// twice: it may be back since.
		{"reading, dead", time.Hour, gone(true), read, 2, 0},
		{"reading, cut off", time.Hour, gone(false), read, 4, 0},
		// Pauses are 0.1, 0.2, 0.4, 0.8, 1.6 and then 2 seconds, within 20 where no
		// server answers, and within the patience of the pool where one takes no writes.
		{"writing, dead", time.Hour, gone(true), write, 2 * (1 + 5 + 8), 19100 * time.Millisecond},
		{"writing, dead, hasty", time.Second, gone(true), write, 2 * (1 + 3), 700 * time.Millisecond},
		{"writing, read-only", time.Minute, readOnly, write, 1 + 5 + 28, 59100 * time.Millisecond},
		{"writing, read-only, others are at stake", time.Hour, readOnly, brief, 1 + 3, 700 * time.Millisecond},
		{"writing, dead, others are at stake", time.Hour, gone(true), brief, 2 * (1 + 3), 700 * time.Millisecond},
	} {
		p := NewPool(c.patience, t.Logf)
		s := &Shard{Pool: p}
		for range 2 {
			s.Replicas = append(s.Replicas, &Replica{Host: "h", Conn: &fake{func() error { return c.err }}})
		}
		began, tries := time.Now(), 0
		err := c.run(s, func(line Conn) error { tries++; return line.Exec(t.Context(), "") })
		took := time.Since(began)
		if err == nil || took != c.took || tries != c.tries {
			t.Errorf("%s: %v after %v and %d tries, want %v and %d", c.name, err, took, tries, c.took, c.tries)
		}
		p.Stop()
		p.Background.Wait()
	}
	// One that took no writes for long, and then dies, is waited for as long as another.
	p := NewPool(time.Hour, t.Logf)
	s := &Shard{Pool: p, Replicas: []*Replica{{Host: "h"}}}
	began := time.Now()
	err := write(s, func(Conn) error {
		if time.Since(began) < time.Minute {
			return readOnly
		}
		return gone(true)
	})
	if took := time.Since(began); !IsDown(err) || took < time.Minute+restart-2*time.Second || took > time.Minute+restart+2*time.Second {
		t.Errorf("read-only and then dead: %v after %v", err, took)
	}
}

// A server that hangs is waited for once, for about a second where another one has
// the same, and a shard of which none answers is told soon. What was noted before
// spares that, too.
func TestHangs(t *testing.T) { synctest.Test(t, testHangs) }

func testHangs(t *testing.T) {
	type step struct {
		after time.Duration // a pause before it
		tries int           // how often the statement is begun
		took  time.Duration
		ends  string // of the error; empty for none
	}
	well := func() Conn { return &fake{func() error { return nil }} }
	hung := func() Conn { return new(silent) }
	const gone = "does not answer: it hangs"
	for _, c := range []struct {
		name    string
		lines   []Conn
		suspect bool // those that hang did so before, or have been silent
		steps   []step
	}{
		{"one of two", []Conn{hung(), well()}, false, []step{{0, 2, quiet + ProbeLimit, ""}, {0, 1, 0, ""}, {time.Minute, 1, 0, ""}}},
		{"one of two, known", []Conn{hung(), well()}, true, []step{{0, 1, 0, ""}, {time.Minute, 1, 0, ""}}},
		{"the only one", []Conn{hung()}, false, []step{{0, 1, quiet + lastLimit, gone}, {0, 0, quiet, gone}, {time.Minute, 0, lastLimit, gone}}},
		{"the only one, known", []Conn{hung()}, true, []step{{0, 0, lastLimit, gone}, {0, 0, quiet, gone}}},
		{"both", []Conn{hung(), hung()}, false, []step{{0, 2, 2*quiet + ProbeLimit + lastLimit, gone}, {0, 0, 2 * quiet, gone}}},
		{"both, known", []Conn{hung(), hung()}, true, []step{{0, 0, lastLimit + quiet, gone}, {0, 0, 2 * quiet, gone}}},
	} {
		p := NewPool(time.Hour, t.Logf)
		s := &Shard{Pool: p}
		p.Shards = []*Shard{s}
		for i, line := range c.lines {
			s.Replicas = append(s.Replicas, &Replica{Host: fmt.Sprintf("host%d", i+1), Conn: line})
		}
		if c.suspect {
			for i, line := range c.lines {
				if _, ok := line.(*silent); ok && i%2 == 0 {
					p.Suspect(nil, []string{s.Replicas[i].Host})
				} else if ok {
					p.Suspect([]string{s.Replicas[i].Host}, nil)
				}
			}
		}
		for i, want := range c.steps {
			time.Sleep(want.after)
			began, tries := time.Now(), 0
			err := s.Read(t.Context(), "asking", func(line Conn) error { tries++; return line.Exec(t.Context(), "") })
			took := time.Since(began)
			// Those that were given up are asked in the background, too, which an answer may
			// be spared by.
			if want.ends != "" && took < want.took && i > 0 {
				took = want.took
			}
			if (err == nil) != (want.ends == "") || err != nil && !strings.HasSuffix(err.Error(), want.ends) || tries != want.tries || took != want.took {
				t.Errorf("%s, %d: %v after %v and %d tries, want %q, %v and %d", c.name, i+1, err, took, tries, want.ends, want.took, want.tries)
			}
		}
		away := p.Away()
		for i, line := range c.lines {
			if _, ok := line.(*silent); ok != slices.Contains(away, s.Replicas[i].Host) {
				t.Errorf("%s: away are %q", c.name, away)
			}
		}
		p.Stop()
		p.Background.Wait()
	}
	// The only one is used as soon as it is back.
	only := new(silent)
	lone := &Shard{Pool: NewPool(time.Hour, t.Logf), Replicas: []*Replica{{Host: "host1", Conn: only}}}
	ask := func() error {
		return lone.Read(t.Context(), "asking", func(line Conn) error { return line.Exec(t.Context(), "") })
	}
	if err := ask(); err == nil {
		t.Error("one that hangs answers")
	}
	only.back.Store(true)
	if err := ask(); err != nil {
		t.Errorf("it is back, and not used: %v", err)
	}
	// One that is back is asked again, and no longer away.
	p := NewPool(time.Hour, t.Logf)
	defer p.Background.Wait()
	defer p.Stop()
	line := new(silent)
	s := &Shard{Pool: p, Replicas: []*Replica{{Host: "host1", Conn: line}, {Host: "host2", Conn: well()}}}
	p.Shards = []*Shard{s}
	p.Suspect([]string{"host2", "host3"}, []string{"host1"})
	synctest.Wait()
	if away := p.Away(); !slices.Equal(away, []string{"host1"}) {
		t.Errorf("away are %q", away)
	}
	line.back.Store(true)
	time.Sleep(2 * probeEvery)
	if away := p.Away(); away != nil {
		t.Errorf("all are back, and away are %q", away)
	}
}

// silent is a line on which nothing comes back, until the server is.
type silent struct {
	fake
	back atomic.Bool
}

func (l *silent) ping(context.Context) error {
	if !l.back.Load() {
		return errors.New("no answer")
	}
	return nil
}

func (l *silent) Exec(ctx context.Context, _ string) error {
	if l.back.Load() {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

func (l *silent) Query(ctx context.Context, _ string, _ func() error, _ ...any) error {
	return l.Exec(ctx, "")
}

// told is a line of one connection that notes statements.
type told struct{ said *[]string }

func (l told) made() int64 { return 1 }
func (l told) Exec(_ context.Context, sql string) error {
	*l.said = append(*l.said, sql)
	return nil
}
func (l told) Query(context.Context, string, func() error, ...any) error { return nil }
func (l told) Insert(context.Context, string, []string, []any) error     { return nil }
func (l told) Close() error                                              { return nil }

// The first answer of a replica counts when it has the tables that are shared, and what
// was known counts no longer when there are more of them.
func TestShare(t *testing.T) {
	p := NewPool(time.Second, t.Logf)
	defer p.Stop()
	var said []string
	s := &Shard{Pool: p, Replicas: []*Replica{{Host: "host1", Conn: told{&said}}, {Host: "host2", Conn: told{new([]string)}}}}
	p.Shards = []*Shard{s}
	for _, c := range []struct {
		share []string
		want  string
	}{
		{[]string{"log"}, "ask, SYSTEM SYNC REPLICA log, ask"},
		{nil, "ask"},
		{[]string{"bits"}, "ask, SYSTEM SYNC REPLICA bits, ask"},
	} {
		said = nil
		if c.share != nil {
			p.Share(c.share)
		}
		if err := s.Read(t.Context(), "asking", func(line Conn) error { return line.Exec(t.Context(), "ask") }); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("tables %q: %q, want %q", c.share, got, c.want)
		}
	}
}
