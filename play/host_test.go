//qipu:race

package play_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/play"
	"qipu/record"
)

// memory is a store, and a library, in memory. Saving fails while it is told to.
type memory struct {
	mu      sync.Mutex
	next    int64
	rows    map[int64]play.Stored
	records map[string]uint32 // by their bytes
	fails   map[string]error  // by what is done
	keeps   int
}

func newMemory() *memory {
	return &memory{rows: map[int64]play.Stored{}, records: map[string]uint32{}, fails: map[string]error{}}
}

func (m *memory) fail(what string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fails[what] = err
}

func (m *memory) Create(_ context.Context, s *play.Stored) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.next++
	x := *s
	x.ID, x.State = m.next, bytes.Clone(s.State)
	m.rows[m.next] = x
	return m.next, nil
}

func (m *memory) Save(_ context.Context, s *play.Stored) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	what := "save"
	if s.Record != 0 {
		what = "note record"
	}
	if err := m.fails[what]; err != nil {
		return err
	}
	if _, ok := m.rows[s.ID]; !ok {
		return play.ErrUnknown
	}
	x := *s
	x.State = bytes.Clone(s.State)
	m.rows[s.ID] = x
	return nil
}

func (m *memory) Drop(_ context.Context, id int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.rows, id)
	return nil
}

func (m *memory) Load(_ context.Context, token string) (*play.Stored, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, x := range m.rows {
		if x.Token == token {
			return &x, nil
		}
	}
	return nil, play.ErrUnknown
}

func (m *memory) Open(context.Context) (list []*play.Stored, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, x := range m.rows {
		if !x.Over || x.Record == 0 {
			list = append(list, &x)
		}
	}
	return list, nil
}

func (m *memory) Tidy(context.Context, time.Time) error { return nil }

func (m *memory) Fresh(context.Context, *play.Session, int64) (int, error) { return 7, nil }

func (m *memory) Keep(_ context.Context, s *play.Session, id int64) (uint32, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keeps++
	if err := m.fails["keep"]; err != nil {
		return 0, false, err
	}
	key := string(record.AppendGame(nil, s.Record(id)))
	if _, ok := m.records[key]; !ok {
		m.records[key] = uint32(len(m.records) + 1)
	}
	return m.records[key], false, nil
}

// dice plays by chance, which the seed and the moves so far decide.
type dice struct {
	gate chan struct{} // where it is not nil, every move waits for it
	err  error
}

func (d dice) Reply(ctx context.Context, q *play.Query) (play.Reply, error) {
	if d.gate != nil {
		select {
		case <-d.gate:
		case <-ctx.Done():
			return play.Reply{}, ctx.Err()
		}
	}
	if d.err != nil {
		return play.Reply{}, d.err
	}
	p, err := q.Position()
	if err != nil {
		return play.Reply{}, err
	}
	moves := p.AppendMoves(nil)
	r := rand.New(rand.NewPCG(q.Seed, uint64(len(q.Moves))))
	return play.Reply{Move: moves[r.IntN(len(moves))], By: play.By{Note: "book"}}, nil
}

func host(t *testing.T, m *memory, o play.Opponent, change func(*play.Options)) *play.Host {
	t.Helper()
	options := play.Options{Store: m, Keeper: m, Opponent: o, Games: builtin.Games(), Log: slog.New(slog.NewTextHandler(io.Discard, nil))}
	if change != nil {
		change(&options)
	}
	h, err := play.NewHost(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// settled waits until it is not the engine's turn any more.
func settled(t *testing.T, h *play.Host, token string) *play.View {
	t.Helper()
	for end := time.Now().Add(testkit.Patience); ; {
		v, err := h.View(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		if v.State == play.Yours || v.State == play.Over && v.Result.Record != 0 {
			return v
		}
		if time.Now().After(end) {
			t.Fatalf("still %s: %s", v.State, v.Trouble)
		}
		time.Sleep(time.Millisecond)
	}
}

// finish plays a game by chance until it is over.
func finish(t *testing.T, h *play.Host, token string, r *rand.Rand) *play.View {
	t.Helper()
	for {
		v := settled(t, h, token)
		if v.State == play.Over {
			return v
		}
		_, err := h.Play(t.Context(), token, v.Version, func(s *play.Session) (game.Move, error) { return anyMove(s, r) })
		if err != nil {
			t.Fatal(err)
		}
	}
}

func anyMove(s *play.Session, r *rand.Rand) (game.Move, error) {
	p, err := s.Task().Position()
	if err != nil {
		return game.NoMove, err
	}
	moves := p.AppendMoves(nil)
	return moves[r.IntN(len(moves))], nil
}

// TestHost: many games at once, each of which becomes one record, and those who
// watch see every version in its order.
func TestHost(t *testing.T) {
	m := newMemory()
	var mu sync.Mutex
	seen := map[string][]int{}
	h := host(t, m, dice{}, func(o *play.Options) {
		o.OnChange = func(v *play.View) {
			mu.Lock()
			defer mu.Unlock()
			seen[v.Token] = append(seen[v.Token], v.Version)
		}
	})
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			token := fmt.Sprint("game", i)
			s := session(t, "othello", 5, func(x *play.Settings) { x.Seed = uint64(i) }, "")
			if _, err := h.Create(t.Context(), "me", token, s); err != nil {
				t.Error(err)
				return
			}
			v := finish(t, h, token, rand.New(rand.NewPCG(uint64(i), 0)))
			if r := v.Result; r.Record == 0 || r.Fresh != 7 || len(r.Counts) != 2 {
				t.Errorf("%+v", r)
			}
		})
	}
	wg.Wait()
	h.Close() // whoever told the last is done then
	if len(m.records) != 20 || h.Len() != 0 {
		t.Errorf("%d records, %d games left", len(m.records), h.Len())
	}
	for token, versions := range seen {
		if len(versions) < 20 || !slices.IsSorted(versions) {
			t.Errorf("%s: %v", token, versions)
		}
	}
}

// TestRestart: a host that is closed at any moment is gone on with by the next,
// and the same seeds give the same games as without it.
func TestRestart(t *testing.T) {
	lines := map[bool]string{}
	for _, often := range []bool{false, true} {
		m := newMemory()
		h := host(t, m, dice{}, nil)
		r := rand.New(rand.NewPCG(3, 4))
		s := session(t, "othello", 5, func(x *play.Settings) { x.Seed = 99 }, "")
		if _, err := h.Create(t.Context(), "me", "token", s); err != nil {
			t.Fatal(err)
		}
		for {
			v, err := h.View(t.Context(), "token")
			if err != nil {
				t.Fatal(err)
			}
			if v.State == play.Over {
				lines[often] = fmt.Sprint(v.Task.Moves)
				break
			}
			if v.State == play.Yours {
				if _, err := h.Play(t.Context(), "token", 0, func(s *play.Session) (game.Move, error) { return anyMove(s, r) }); err != nil {
					t.Fatal(err)
				}
			}
			if often { // while the engine thinks, mostly
				h.Close()
				h = host(t, m, dice{}, nil)
			}
		}
	}
	if lines[false] != lines[true] {
		t.Errorf("%s\n%s", lines[false], lines[true])
	}
}

// TestCrashWhileKeeping: a crash between the record and the note of its number
// makes no second record, and one before it loses none.
func TestCrashWhileKeeping(t *testing.T) {
	for _, where := range []string{"keep", "note record"} {
		m := newMemory()
		h := host(t, m, dice{}, nil)
		s := session(t, "othello", 0, nil, "f5 d6")
		if _, err := h.Create(t.Context(), "me", "token", s); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Play(t.Context(), "token", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("c3") }); err != nil {
			t.Fatal(err)
		}
		m.fail(where, errors.New("the power is gone"))
		v, err := h.Resign(t.Context(), "token")
		if err != nil || v.State != play.Over || v.Result.Record != 0 && where == "keep" || v.Trouble == "" {
			t.Fatalf("%s: %+v, %v", where, v, err)
		}
		h.Close()
		m.fail(where, nil)
		h = host(t, m, dice{}, nil)
		if v := settled(t, h, "token"); v.Result.Record != 1 || v.Result.Fresh != 7 || len(m.records) != 1 || v.Trouble != "" {
			t.Errorf("%s: %+v, %d records", where, v.Result, len(m.records))
		}
		h.Close()
		host(t, m, dice{}, nil)
		if len(m.records) != 1 {
			t.Errorf("%s: %d records", where, len(m.records))
		}
	}
}

// TestNotSafe: a move that cannot be stored is refused and has not happened.
func TestNotSafe(t *testing.T) {
	m := newMemory()
	h := host(t, m, dice{}, nil)
	if _, err := h.Create(t.Context(), "me", "token", session(t, "othello", 5, nil, "")); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	m.fail("save", full)
	play1 := func() (*play.View, error) {
		return h.Play(t.Context(), "token", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("f5") })
	}
	if _, err := play1(); !errors.Is(err, full) {
		t.Fatal(err)
	}
	if v, err := h.View(t.Context(), "token"); err != nil || len(v.Task.Moves) != 0 || v.State != play.Yours {
		t.Fatalf("%+v, %v", v, err)
	}
	m.fail("save", nil)
	if _, err := play1(); err != nil {
		t.Fatal(err)
	}
	if v := settled(t, h, "token"); len(v.Task.Moves) != 2 || v.Note != "book" {
		t.Errorf("%d moves, %q", len(v.Task.Moves), v.Note)
	}
}

// TestThinking: nobody moves for the engine, a move that is taken back ends its
// thought, and a game that is given up does too.
func TestThinking(t *testing.T) {
	m := newMemory()
	gate := make(chan struct{})
	h := host(t, m, dice{gate: gate}, nil)
	if _, err := h.Create(t.Context(), "me", "token", session(t, "othello", 5, nil, "")); err != nil {
		t.Fatal(err)
	}
	move := func(text string, version int) (*play.View, error) {
		return h.Play(t.Context(), "token", version, func(s *play.Session) (game.Move, error) { return s.ParseMove(text) })
	}
	if v, err := move("f5", 0); err != nil || v.State != play.Thinking {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := move("d6", 0); !errors.Is(err, play.ErrTurn) {
		t.Error(err)
	}
	if _, err := move("d6", 77); !errors.Is(err, play.ErrStale) {
		t.Error(err)
	}
	if v, err := h.Undo(t.Context(), "token"); err != nil || v.State != play.Yours || len(v.Task.Moves) != 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := move("a1", 0); !errors.Is(err, game.ErrIllegal) {
		t.Error(err)
	}
	if _, err := move("d3", 0); err != nil {
		t.Fatal(err)
	}
	close(gate)
	if v := settled(t, h, "token"); len(v.Task.Moves) != 2 {
		t.Errorf("%d moves", len(v.Task.Moves))
	}
	if v, err := h.Resign(t.Context(), "token"); err != nil || v.Result.Record == 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	if _, err := move("f6", 0); !errors.Is(err, play.ErrOver) {
		t.Error(err)
	}
	if err := h.Drop(t.Context(), "token"); err != nil {
		t.Error(err)
	}
	if _, err := h.View(t.Context(), "token"); !errors.Is(err, play.ErrUnknown) {
		t.Error(err)
	}
}

// TestFlag: a clock that runs out ends the game without anybody asking.
func TestFlag(t *testing.T) { synctest.Test(t, testFlag) }

func testFlag(t *testing.T) {
	m := newMemory()
	h := host(t, m, dice{}, nil)
	s := session(t, "othello", 0, func(x *play.Settings) { x.Main = 30 * time.Millisecond }, "")
	if _, err := h.Create(t.Context(), "me", "token", s); err != nil {
		t.Fatal(err)
	}
	time.Sleep(60 * time.Millisecond) // no clock runs before the first move
	if _, err := h.Play(t.Context(), "token", 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("f5") }); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(testkit.Patience); h.Len() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if v := settled(t, h, "token"); v.State != play.Over || v.Result.Reason != play.ByTime || v.Result.Winner != 0 {
		t.Errorf("%+v", v.Result)
	}
}

// TestLimits: so many games and no more, of one owner and of all; a game that
// nobody has moved in is dropped; one without a move leaves nothing.
func TestLimits(t *testing.T) {
	m := newMemory()
	h := host(t, m, dice{}, func(o *play.Options) { o.Most, o.MostOwned = 3, 2 })
	create := func(owner, token string) error {
		_, err := h.Create(t.Context(), owner, token, session(t, "othello", 5, nil, ""))
		return err
	}
	if err := errors.Join(create("a", "1"), create("a", "2"), create("b", "3")); err != nil {
		t.Fatal(err)
	}
	for _, owner := range []string{"a", "c"} {
		if err := create(owner, "4"); !errors.Is(err, play.ErrMany) {
			t.Error(err)
		}
	}
	if v, err := h.Resign(t.Context(), "1"); err != nil || v.Result.Record != 0 || len(m.records) != 0 || len(m.rows) != 2 {
		t.Errorf("%+v, %v, %d rows", v, err, len(m.rows))
	}
	h.Close()
	for id, x := range m.rows {
		x.Changed = time.Now().Add(-8 * 24 * time.Hour)
		m.rows[id] = x
	}
	dropped := make(chan string, 2)
	h = host(t, m, dice{}, func(o *play.Options) { o.OnDrop = func(token string) { dropped <- token } })
	if a, b := <-dropped, <-dropped; a == b || h.Len() != 0 {
		t.Errorf("%s and %s are dropped, %d left", a, b, h.Len())
	}
}

// TestTrouble: where no engine can answer, those who watch are told, and the
// game goes on as soon as one can.
func TestTrouble(t *testing.T) {
	m := newMemory()
	told := make(chan string, 100)
	h := host(t, m, dice{err: engine.ErrBusy}, func(o *play.Options) {
		o.OnChange = func(v *play.View) { told <- v.Trouble }
	})
	if _, err := h.Create(t.Context(), "me", "token", session(t, "othello", 5, nil, "f5")); err != nil {
		t.Fatal(err)
	}
	for trouble := range told {
		if strings.Contains(trouble, "tried again") {
			break
		}
	}
	h.Close()
	h = host(t, m, dice{}, nil)
	if v := settled(t, h, "token"); v.Trouble != "" || len(v.Task.Moves) != 2 {
		t.Errorf("%+v", v)
	}
}

// mad panics once, and then plays.
type mad struct {
	dice
	done *atomic.Bool
}

func (m mad) Reply(ctx context.Context, q *play.Query) (play.Reply, error) {
	if !m.done.Swap(true) {
		panic("out of its mind")
	}
	return m.dice.Reply(ctx, q)
}

// TestCrash: an engine that panics is trouble of one game, which goes on.
func TestCrash(t *testing.T) {
	h := host(t, newMemory(), mad{done: new(atomic.Bool)}, nil)
	if _, err := h.Create(t.Context(), "me", "token", session(t, "othello", 5, nil, "f5")); err != nil {
		t.Fatal(err)
	}
	if v := settled(t, h, "token"); v.Trouble != "" || len(v.Task.Moves) != 2 {
		t.Errorf("%+v", v)
	}
}

// TestRestartMany: a host begins with many games that do something at once:
// those that are over are kept, engines move, clocks run out. It is worth most
// under the race detector.
func TestRestartMany(t *testing.T) {
	m := newMemory()
	m.fail("keep", errors.New("the disk is full"))
	gate := make(chan struct{})
	h := host(t, m, dice{gate: gate}, nil)
	const each = 40
	for i := range 3 * each {
		token := fmt.Sprint("game", i)
		level, clock := 0, time.Duration(0)
		switch i % 3 {
		case 1:
			level = 5
		case 2:
			clock = time.Minute
		}
		if _, err := h.Create(t.Context(), "me", token, session(t, "othello", level, func(x *play.Settings) { x.Main = clock }, "")); err != nil {
			t.Fatal(err)
		}
		if _, err := h.Play(t.Context(), token, 0, func(s *play.Session) (game.Move, error) { return s.ParseMove("f5") }); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			if v, err := h.Resign(t.Context(), token); err != nil || v.Trouble == "" {
				t.Fatalf("%+v, %v", v, err)
			}
		}
	}
	h.Close()
	close(gate)
	m.fail("keep", nil)
	for id, x := range m.rows { // a minute that is nearly over
		x.State = bytes.ReplaceAll(x.State, []byte("60000"), []byte("1"))
		m.rows[id] = x
	}
	h = host(t, m, dice{gate: gate}, nil)
	for i := range 3 * each {
		v := settled(t, h, fmt.Sprint("game", i))
		for end := time.Now().Add(testkit.Patience); i%3 == 2 && v.State != play.Over && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
			v = settled(t, h, v.Token)
		}
		switch {
		case i%3 == 1 && (v.State != play.Yours || len(v.Task.Moves) != 2):
			t.Errorf("game %d: %s, %d moves", i, v.State, len(v.Task.Moves))
		case i%3 != 1 && v.State != play.Over:
			t.Errorf("game %d: %s", i, v.State)
		}
	}
	if h.Len() != each || len(m.records) != 2*each {
		t.Errorf("%d games and %d records", h.Len(), len(m.records))
	}
}
