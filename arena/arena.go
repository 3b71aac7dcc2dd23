package arena

import (
	"context"
	"errors"
	"fmt"
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
	// the game is lost by it; default a second.
	Grace time.Duration

	Test *SPRT // nil for none

	// Event is the event in the records; default "Qipu match".
	Event string

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

	// Trouble says why a game was lost otherwise than on the board, and Lost who
	// did: -1 for nobody.
	Trouble string
	Lost    int

	// Time and Nodes are what each player has used.
	Time  [2]time.Duration
	Nodes [2]int64
}

// Result is a match.
type Result struct {
	Score
	Games []*Game

	// Troubles counts the games that each player lost otherwise than on the
	// board.
	Troubles [2]int
}

// Match plays a match. Where the context ends, it returns what was played until
// then, with the cause.
func Match(ctx context.Context, a, b Player, o Options) (*Result, error) {
	if o.Rules == nil || a.Make == nil || b.Make == nil {
		return nil, errors.New("arena: a match needs rules and two engines")
	}
	o.Rules = play.Rules(o.Rules)
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
	m := &match{Options: o, players: [2]Player{a, b}, games: make([]*Game, o.Games)}
	return m.run(ctx)
}

// Sharp is a Rules that says how many moves may be made by chance.
type Sharp interface{ RandomPlies() int }

type match struct {
	Options
	players [2]Player

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
	if m.failed == nil && m.result.Verdict == "" && m.ended < len(m.games) {
		m.failed = context.Cause(ctx)
	}
	m.result.reckon(m.Test)
	return &m.result, m.failed
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
	for r.Verdict == "" && m.ended < len(m.games) && m.games[m.ended] != nil && m.games[m.ended+1] != nil {
		points := 0.0
		for _, g := range m.games[m.ended : m.ended+2] {
			r.Games = append(r.Games, g)
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
			if g.Lost >= 0 {
				r.Troubles[g.Lost]++
			}
		}
		r.Pairs[int(points*2)]++
		m.ended += 2
		r.reckon(m.Test)
	}
	return r.Verdict != ""
}

// play plays one game. It returns nil where the context has ended.
func (m *match) play(ctx context.Context, n int, engines *[2]engine.Engine) (*Game, error) {
	o, err := m.opening(n / 2)
	if err != nil {
		return nil, err
	}
	g := &Game{Number: n + 1, Opening: o.Name, First: n & 1, Lost: -1}
	var names [2]play.Player
	for side := range names {
		names[side].Name = m.players[g.player(side)].Name
	}
	settings := play.Settings{Game: m.Rules.Info().Name, Players: names, Main: m.Main, Increment: m.Increment}
	s, err := play.New(m.Rules, settings, o.Moves, m.Now())
	if err != nil {
		return nil, fmt.Errorf("arena: opening %q: %w", o.Name, err)
	}
	for s.Result() == nil && g.Lost < 0 {
		who := g.player(int(s.Turn()))
		move, err := m.ask(ctx, g, s, who, engines[who])
		if ctx.Err() != nil {
			return nil, nil
		}
		if err == nil {
			err = s.Play(move, play.By{}, m.Now())
		}
		if err != nil {
			g.Lost, g.Trouble = who, err.Error()
		}
	}
	g.Plies, _ = s.Len()
	return g, m.score(g, s)
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
	if most > 0 && took > most+m.Grace {
		return game.NoMove, fmt.Errorf("%w: a thought took %v of %v", errSlow, took.Round(time.Millisecond), most)
	}
	if len(r.Lines) == 0 {
		return game.NoMove, errors.New("it answered without a move")
	}
	return r.Lines[0].Move, nil
}

// score fills in who has won, and the record.
func (m *match) score(g *Game, s *play.Session) error {
	rec, err := s.Record(int64(g.Number))
	if err != nil {
		return err
	}
	rec.Facts.Event, rec.Facts.Opening = m.Event, g.Opening
	note := "Game " + strconv.Itoa(g.Number) + " of " + m.Event
	winner := -1
	if g.Lost >= 0 {
		side := g.Lost ^ g.First
		winner = 1 - side
		note += ". " + m.players[g.Lost].Name + " lost: " + g.Trouble
		rec.Facts.Result = facts.Result{Verdict: facts.FirstWon + facts.Verdict(winner), How: facts.Forfeit}
		now := m.Now()
		day := facts.Day{Year: now.Year(), Month: int(now.Month()), Day: now.Day()}
		rec.Facts.Date = facts.Date{From: day, To: day}
	} else if r := s.Result(); r.Winner >= 0 {
		winner = r.Winner
		if r.Reason == play.ByTime {
			g.Lost, g.Trouble = g.player(1-winner), errSlow.Error()
		}
	}
	rec.Nodes[0].More().Comment = note
	g.Record = rec
	switch winner {
	case -1:
		g.Points = 0.5
	case g.First: // player 0 has the side of this number
		g.Points = 1
	}
	return nil
}
