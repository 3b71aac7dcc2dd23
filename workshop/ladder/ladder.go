package ladder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"sync"
	"time"

	"qipu/arena"
	"qipu/engine"
	"qipu/game"
)

// Player is one that climbs.
type Player struct {
	arena.Player

	// Work says what the name stands for: games of the same name and other work
	// are those of another player.
	Work string
}

// Pair is two games from one opening, with the sides exchanged.
type Pair struct {
	Game   string     `json:"game"`
	A      string     `json:"a"`
	B      string     `json:"b"`
	Works  [2]string  `json:"works"`
	Number int        `json:"number"` // of the opening, from 1
	Points float64    `json:"points"` // of A, out of 2
	Moves  [2]int     `json:"moves"`  // that each has made
	Nodes  [2]int64   `json:"nodes"`
	Lines  [][]string `json:"lines"` // the moves of both games
	Cost   float64    `json:"seconds"`
}

// Options say how a ladder is played.
type Options struct {
	Rules    game.Rules
	Settlers game.Settlers // count games that end by agreement; nil where none do
	Players  []Player      // the weakest first, as far as one knows
	Log      string        // file that games are added to

	// Pairs is how many pairs two neighbours play in all, those in the log
	// included; two that have one between them play half as many.
	Pairs int

	// Time is how long this run may last, beyond the games that are being played
	// then; 0 for as long as it takes.
	Time     time.Duration
	Parallel int // pairs at once; default 1

	// Opening returns the opening of a number, from 1: the same one to everybody
	// who meets. It is not asked by two at once.
	Opening func(ctx context.Context, number int) (arena.Opening, error)

	// Done is told of every pair, one at a time; may be nil.
	Done func(*Pair)
}

// Read returns the pairs of a log that were played by these players, as they are
// today. There may be no file. A line that a crash has cut short at the end is
// passed over.
func Read(path, gameName string, players []Player) ([]Pair, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	work := map[string]string{}
	for _, p := range players {
		work[p.Name] = p.Work
	}
	var list []Pair
	lines := bufio.NewScanner(bytes.NewReader(data[:bytes.LastIndexByte(data, '\n')+1]))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var p Pair
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return nil, fmt.Errorf("%s:%d: not a line of a ladder: %w", path, n, err)
		}
		a, ok := work[p.A]
		b, ok2 := work[p.B]
		if ok && ok2 && p.Game == gameName && p.Works == [2]string{a, b} {
			list = append(list, p)
		}
	}
	return list, lines.Err()
}

// Play plays what is missing, and returns all pairs. Where the context ends it
// returns those that there are, with the cause.
func Play(ctx context.Context, o Options) ([]Pair, error) {
	pairs, err := Read(o.Log, o.Rules.Info().Name, o.Players)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(o.Log, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	if err := cut(log); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	l := &climb{Options: o, pairs: pairs, log: log, openings: map[int]arena.Opening{}}
	for i := range o.Players {
		for step, count := range map[int]int{1: o.Pairs, 2: o.Pairs / 2} {
			if i >= step && count > 0 {
				l.meetings = append(l.meetings, &meeting{a: i, b: i - step, want: count, done: map[int]bool{}})
			}
		}
	}
	for i := range pairs {
		for _, m := range l.meetings {
			if o.Players[m.a].Name == pairs[i].A && o.Players[m.b].Name == pairs[i].B {
				m.done[pairs[i].Number] = true
				m.cost += pairs[i].Cost
			}
		}
	}
	if o.Time > 0 {
		l.until = time.Now().Add(o.Time)
	}
	err = l.run(ctx)
	return l.pairs, errors.Join(err, log.Close())
}

// cut takes a line off the end of a log that a crash has left unfinished, and goes
// to its end.
func cut(f *os.File) error {
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return err
	}
	end := int64(bytes.LastIndexByte(data, '\n') + 1)
	if err := f.Truncate(end); err != nil {
		return err
	}
	_, err = f.Seek(end, 0)
	return err
}

// meeting is two players with what they have played.
type meeting struct {
	a, b int
	want int
	done map[int]bool // by the number of the opening; those that are being played, too
	cost float64      // seconds of those that have ended
}

type climb struct {
	Options
	until time.Time

	mu       sync.Mutex
	meetings []*meeting
	pairs    []Pair
	log      *os.File

	opening  sync.Mutex
	openings map[int]arena.Opening
}

func (l *climb) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	for range max(l.Parallel, 1) {
		workers.Go(func() {
			if err := l.work(ctx); err != nil {
				stop(err)
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

// next returns who meets next: two whose distance another pair tells most about
// for what it costs. With n pairs behind them it is known to 1/n, so that is where
// n times the root of the cost is least.
func (l *climb) next() (*meeting, int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.until.IsZero() && time.Now().After(l.until) {
		return nil, 0
	}
	var best *meeting
	least := math.Inf(1)
	for _, m := range l.meetings {
		n := float64(len(m.done))
		if len(m.done) >= m.want {
			continue
		}
		if v := n * math.Sqrt(m.cost/max(n, 1)) * float64(m.a-m.b); v < least {
			best, least = m, v
		}
	}
	if best == nil {
		return nil, 0
	}
	number := 1
	for best.done[number] {
		number++
	}
	best.done[number] = true
	return best, number
}

// lent is an engine that outlives the match that closes it.
type lent struct{ engine.Engine }

func (lent) Close() error { return nil }

func (l *climb) work(ctx context.Context) error {
	engines := map[string]engine.Engine{}
	defer func() {
		for _, e := range engines {
			_ = e.Close() // what it has answered counts
		}
	}()
	player := func(p Player) arena.Player {
		open := p.Make
		p.Make = func() (engine.Engine, error) {
			e := engines[p.Name]
			if e == nil {
				var err error
				if e, err = open(); err != nil {
					return nil, err
				}
				engines[p.Name] = e
			}
			return lent{e}, nil
		}
		return p.Player
	}
	for ctx.Err() == nil {
		m, number := l.next()
		if m == nil {
			return nil
		}
		start, err := l.begin(ctx, number)
		if err != nil {
			return err
		}
		a, b := l.Players[m.a], l.Players[m.b]
		began := time.Now()
		r, err := arena.Match(ctx, player(a), player(b), arena.Options{
			Rules: l.Rules, Settlers: l.Settlers, Games: 2, Openings: []arena.Opening{start}, Seed: uint64(number), Event: "Qipu ladder",
		})
		if err != nil {
			return err
		}
		p := Pair{
			Game: l.Rules.Info().Name, A: a.Name, B: b.Name, Works: [2]string{a.Work, b.Work},
			Number: number, Points: r.Points, Moves: r.Moves, Cost: time.Since(began).Seconds(),
		}
		for _, g := range r.Games {
			line := []string{}
			for _, n := range g.Record.Nodes[1:] {
				line = append(line, n.Move)
			}
			p.Lines = append(p.Lines, line)
			p.Nodes[0] += g.Nodes[0]
			p.Nodes[1] += g.Nodes[1]
		}
		if err := l.add(m, p); err != nil {
			return err
		}
	}
	return nil
}

// begin returns the opening of a number.
func (l *climb) begin(ctx context.Context, number int) (arena.Opening, error) {
	l.opening.Lock()
	defer l.opening.Unlock()
	o, ok := l.openings[number]
	if ok {
		return o, nil
	}
	o, err := l.Opening(ctx, number)
	if err == nil {
		l.openings[number] = o
	}
	return o, err
}

// add writes a pair down before it counts.
func (l *climb) add(m *meeting, p Pair) error {
	line, err := json.Marshal(p)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.log.Write(append(line, '\n')); err != nil {
		return err
	}
	m.cost += p.Cost
	l.pairs = append(l.pairs, p)
	if l.Done != nil {
		l.Done(&p)
	}
	return nil
}
