package wire

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
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
