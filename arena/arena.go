package arena

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/play"
	"qipu/record"
	"qipu/record/facts"
)

// Player is one of the two.
type Player struct {
	Name   string
	Limits engine.Limits // of its thoughts; the seed is that of the game

	// Make returns an engine. Each of the games that are played at once has its
	// own, which it closes when the match is over.
	Make func() (engine.Engine, error)
}

// Opening is where a game begins.
type Opening struct {
	Name  string
	Moves []game.Move
}

// Options say how a match is played.
type Options struct {
	Rules    game.Rules
	Games    int       // rounded up to whole pairs; default 2
	Openings []Opening // taken in turn; nil for those of Random
	Parallel int       // how many games are played at once; default 1
	Seed     uint64

	// Plies is how many moves are made by chance where Openings is nil; 0 for
	// 8.
	Plies int

	// Main and Increment are a clock for both sides; 0 for none.
	Main, Increment time.Duration

	// Grace is how much longer than its limit of time a thought may take before
	// that is a fault; default a second.
	Grace time.Duration

	Test *SPRT // nil for none

	// Event is the event in the records; default "Qipu match".
	Event string

	// Settlers count games that end by agreement; nil where none do.
	Settlers game.Settlers

	// Now is the clock of records; nil for that of the machine.
	Now func() time.Time

	// Done is told of every game when it has ended, one at a time but in any
	// order; may be nil.
	Done func(*Game)
}

// Game is one game of a match.
type Game struct {
	Number  int // from 1; an odd one and the next are a pair
	Opening string
	First   int     // who had the first move: 0 or 1
	Points  float64 // for player 0: 1, 0.5 or 0
	Plies   int
	Record  *record.Game

	// Fault says what a player did wrong that ended the game, and Faulty who it
	// was: -1 for nobody. Such a game scores nothing for either.
	Fault  string
	Faulty int

	// Unsettled tells that both have passed, and nobody can tell what is dead. Such a
	// game scores nothing either.
	Unsettled bool

	// Moves is how many each player has made here, Time and Nodes what it has used.
	Moves [2]int
	Time  [2]time.Duration
	Nodes [2]int64
}

// Result is a match. The score is that of the games without faults; where there
// was one, nothing is reckoned from it.
type Result struct {
	Score
	Games []*Game

	// Unsettled counts the games that nobody could count.
	Unsettled int

	// Faults counts the games that ended by a fault of each player, and Moves
	// those that it has made.
	Faults, Moves [2]int
}

// mostFaults is how often a player may fail before the match is broken off.
const mostFaults = 3

// FaultError tells that a match proves nothing, since a player failed in it, or
// never moved.
type FaultError struct {
	Player        string
	Faults, Games int
	Fault         string // the first one; empty where it never moved
}

func (e *FaultError) Error() string {
	if e.Fault == "" {
		return fmt.Sprintf("%s made no move in %d games: nothing is scored", e.Player, e.Games)
	}
	return fmt.Sprintf("%s failed in %d of %d games: nothing is scored; first: %s", e.Player, e.Faults, e.Games, e.Fault)
}

// Match plays a match. Where the context ends, it returns what was played until
// then, with the cause. Where a player failed, the error is a FaultError; after
// three faults of one player the match is broken off.
func Match(ctx context.Context, a, b Player, o Options) (*Result, error) {
	if o.Rules == nil || a.Make == nil || b.Make == nil {
		return nil, errors.New("arena: a match needs rules and two engines")
	}
	settler := o.Settlers.Of(o.Rules)
	o.Rules = play.Rules(o.Rules, settler)
	o.Games += o.Games & 1
	o.Games, o.Parallel = max(o.Games, 2), max(o.Parallel, 1)
	if o.Plies <= 0 {
		o.Plies = 8
		if s, ok := o.Rules.(Sharp); ok {
			o.Plies = s.RandomPlies()
		}
	}
	if o.Grace <= 0 {
		o.Grace = time.Second
	}
	if o.Event == "" {
		o.Event = "Qipu match"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &match{Options: o, settler: settler, players: [2]Player{a, b}, games: make([]*Game, o.Games)}
	return m.run(ctx)
}

// Sharp is a Rules that says how many moves may be made by chance.
type Sharp interface{ RandomPlies() int }

type match struct {
	Options
	players [2]Player
	settler game.Settler // nil where the rules see the end of a game alone

	mu     sync.Mutex
	next   int // number of games that were begun
	games  []*Game
	ended  int // how many from the first on have ended, in whole pairs
	result Result
	failed error
}

func (m *match) run(ctx context.Context) (*Result, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var workers sync.WaitGroup
	for range min(m.Parallel, m.Options.Games) {
		workers.Go(func() {
			if err := m.work(ctx, stop); err != nil {
				m.mu.Lock()
				m.failed = errors.Join(m.failed, err)
				m.mu.Unlock()
				stop(err)
			}
		})
	}
	workers.Wait()
	r := &m.result
	if m.failed == nil && r.Verdict == "" && m.ended < len(m.games) && !m.hopeless() {
		m.failed = context.Cause(ctx)
	}
	if m.failed == nil {
		m.failed = m.faulty()
	}
	r.reckon(m.Test, r.Faults == [2]int{})
	return r, m.failed
}

// hopeless reports whether a player has failed too often.
func (m *match) hopeless() bool { return max(m.result.Faults[0], m.result.Faults[1]) >= mostFaults }

// faulty returns the FaultError of the match; nil where both players played.
func (m *match) faulty() error {
	r := &m.result
	for i, p := range m.players {
		if r.Faults[i] == 0 && (r.Moves[i] > 0 || len(r.Games) == 0) {
			continue
		}
		e := &FaultError{Player: p.Name, Faults: r.Faults[i], Games: len(r.Games)}
		if at := slices.IndexFunc(r.Games, func(g *Game) bool { return g.Faulty == i }); at >= 0 {
			e.Fault = r.Games[at].Fault
		}
		if e.Fault != "" || r.Faults[1-i] == 0 { // who never moved since the other failed did nothing wrong
			return e
		}
	}
	return nil
}

// work plays games until there are no more.
func (m *match) work(ctx context.Context, stop context.CancelCauseFunc) error {
	var engines [2]engine.Engine
	defer func() {
		for _, e := range engines {
			if e != nil {
				_ = e.Close() // what it has answered counts
			}
		}
	}()
	for i := range engines {
		e, err := m.players[i].Make()
		if err != nil {
			return fmt.Errorf("arena: %s: %w", m.players[i].Name, err)
		}
		engines[i] = e
	}
	for {
		m.mu.Lock()
		n := m.next
		m.next++
		m.mu.Unlock()
		if n >= len(m.games) || ctx.Err() != nil {
			return nil
		}
		g, err := m.play(ctx, n, &engines)
		if err != nil {
			return err
		}
		if g == nil {
			return nil // broken off
		}
		if m.add(n, g) {
			stop(nil)
		}
	}
}

// add counts a game, and reports whether the match is decided. Games count in
// their order and in pairs, so that a test ends at the same game however many are
// played at once.
func (m *match) add(n int, g *Game) (decided bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.games[n] = g
	if m.Done != nil {
		m.Done(g)
	}
	r := &m.result
	for r.Verdict == "" && !m.hopeless() && m.ended < len(m.games) && m.games[m.ended] != nil && m.games[m.ended+1] != nil {
		points, sound := 0.0, 0
		for _, g := range m.games[m.ended : m.ended+2] {
			r.Games = append(r.Games, g)
			for i, n := range g.Moves {
				r.Moves[i] += n
			}
			if g.Faulty >= 0 {
				r.Faults[g.Faulty]++
				continue
			}
			if g.Unsettled {
				r.Unsettled++
				continue
			}
			sound++
			r.Score.Games++
			points += g.Points
			switch g.Points {
			case 1:
				r.Wins++
			case 0:
				r.Losses++
			default:
				r.Draws++
			}
		}
		if sound == 2 {
			r.Pairs[int(points*2)]++
		}
		m.ended += 2
		r.reckon(m.Test, r.Faults == [2]int{})
	}
	return r.Verdict != "" || m.hopeless()
}

// play plays one game. It returns nil where the context has ended.
func (m *match) play(ctx context.Context, n int, engines *[2]engine.Engine) (*Game, error) {
	o, err := m.opening(n / 2)
	if err != nil {
		return nil, err
	}
	g := &Game{Number: n + 1, Opening: o.Name, First: n & 1, Faulty: -1}
	var names [2]play.Player
	for side := range names {
		names[side].Name = m.players[g.player(side)].Name
	}
	settings := play.Settings{Game: m.Rules.Info().Name, Players: names, Main: m.Main, Increment: m.Increment}
	s, err := play.New(m.Rules, m.settler, settings, o.Moves, m.Now())
	if err != nil {
		return nil, fmt.Errorf("arena: opening %q: %w", o.Name, err)
	}
	for s.Result() == nil && g.Faulty < 0 {
		if s.State() == play.Settling {
			if err := m.settle(ctx, g, s, engines); ctx.Err() != nil || err != nil {
				return nil, err
			}
			break
		}
		who := g.player(int(s.Turn()))
		move, err := m.ask(ctx, g, s, who, engines[who])
		if ctx.Err() != nil {
			return nil, nil
		}
		switch {
		case errors.Is(err, engine.ErrResigned):
			err = s.Concede(m.Now())
		case err == nil:
			if err = s.Play(move, play.By{}, m.Now()); err == nil {
				g.Moves[who]++
			}
		}
		if err != nil {
			g.Faulty, g.Fault = who, err.Error()
		}
	}
	g.Plies, _ = s.Len()
	m.score(g, s)
	return g, nil
}

// player returns who plays a side.
func (g *Game) player(side int) int { return side ^ g.First }

// seed is what the choices of a game hang on; never 0, so that engines choose
// among equals.
func (m *match) seed(n int) uint64 { return board.Mix(m.Seed+uint64(n)*0x9E3779B97F4A7C15) | 1 }

var errSlow = errors.New("ran out of time")

// ask has an engine think. What it does wrong, and a panic too, is an error.
func (m *match) ask(ctx context.Context, g *Game, s *play.Session, who int, e engine.Engine) (move game.Move, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("crashed: %v", v)
		}
	}()
	l := m.players[who].Limits
	l.Seed = m.seed(g.Number)
	most := l.Time
	if left, _ := s.Clocks(m.Now()); left != nil {
		l.Clock = &engine.Clock{Left: left[s.Turn()], Increment: m.Increment}
		if most == 0 || l.Clock.Left < most {
			most = l.Clock.Left
		}
	}
	limited := ctx
	if most > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeoutCause(ctx, most+10*m.Grace, errSlow)
		defer cancel()
	}
	start := time.Now()
	r, err := e.Think(limited, s.Task(), l, nil)
	took := time.Since(start)
	g.Time[who] += took
	if err != nil {
		return game.NoMove, err
	}
	g.Nodes[who] += r.Nodes
	if l.Time > 0 && took > l.Time+m.Grace { // its clock is the business of the session
		return game.NoMove, fmt.Errorf("%w: a thought took %v of %v", errSlow, took.Round(time.Millisecond), l.Time)
	}
	if len(r.Lines) == 0 {
		return game.NoMove, errors.New("it answered without a move")
	}
	return r.Lines[0].Move, nil
}

// score fills in who has won, and the record.
func (m *match) score(g *Game, s *play.Session) {
	rec := s.Record(int64(g.Number))
	rec.Facts.Event, rec.Facts.Opening = m.Event, g.Opening
	note := "Game " + strconv.Itoa(g.Number) + " of " + m.Event
	rec.Nodes[0].More().Comment = note
	g.Record = rec
	if g.Faulty >= 0 {
		rec.Nodes[0].More().Comment += ". " + m.players[g.Faulty].Name + " failed: " + g.Fault
		rec.Facts.Result = facts.Result{Verdict: facts.Void}
		now := m.Now()
		day := facts.Day{Year: now.Year(), Month: int(now.Month()), Day: now.Day()}
		rec.Facts.Date = facts.Date{From: day, To: day}
		return
	}
	switch s.Result().Winner {
	case -1:
		g.Points = 0.5
	case g.First: // player 0 has the side of this number
		g.Points = 1
	}
}
