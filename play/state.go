package play

import (
	"encoding/json"
	"fmt"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// stateVersion is that of the documents that Encode writes. Version 1 counted
// levels from 1 to 20.
const stateVersion = 2

// state is a session as it is stored. Moves are texts in the first notation of
// the game, which every version of the program can read.
type state struct {
	Version  int           `json:"version"`
	Settings Settings      `json:"settings"`
	Given    int           `json:"given,omitempty"`
	Changes  int           `json:"changes"`
	Moves    []stateMove   `json:"moves"`
	Left     []int64       `json:"left,omitempty"` // milliseconds
	Spare    []int         `json:"spare,omitempty"`
	Running  bool          `json:"running,omitempty"`
	Seats    *Seats        `json:"seats,omitempty"`
	Count    *stateCount   `json:"count,omitempty"`
	Result   *Result       `json:"result,omitempty"`
	Answers  []stateAnswer `json:"answers,omitempty"` // of the opening
}

// stateAnswer is what was decided in an opening: a word, or the name of a point.
type stateAnswer struct {
	Word  string  `json:"w,omitempty"`
	Point string  `json:"p,omitempty"`
	Left  []int64 `json:"c,omitempty"` // as of a move
	Spare []int   `json:"s,omitempty"`
}

// stateCount is a game that is being settled.
type stateCount struct {
	Dead   []board.Point `json:"dead"`
	Agreed [2]bool       `json:"agreed"`
}

type stateMove struct {
	Text   string  `json:"m"`
	Forced bool    `json:"f,omitempty"`
	Note   string  `json:"n,omitempty"`
	Loss   float64 `json:"l,omitempty"`
	Left   []int64 `json:"c,omitempty"` // milliseconds on the clocks before it
	Spare  []int   `json:"p,omitempty"` // and periods
}

// Encode returns the whole state of the session at a moment, for Restore.
func (g *Session) Encode(now time.Time) ([]byte, error) {
	s := state{Version: stateVersion, Settings: g.settings, Given: g.given, Changes: g.version, Moves: make([]stateMove, len(g.steps)), Result: g.result, Seats: g.seats}
	clocks, periods := g.clocked(), g.settings.Periods > 0
	for i := range g.steps {
		at := &g.steps[i]
		s.Moves[i] = stateMove{Text: at.text, Forced: at.forced, Note: at.by.Note, Loss: at.by.Loss}
		if clocks {
			s.Moves[i].Left = milliseconds(at.left)
		}
		if periods {
			s.Moves[i].Spare = at.spare[:]
		}
	}
	if clocks {
		rest := g.rest(g.Turn(), now)
		s.Left, s.Running = milliseconds(rest.left), !g.since.IsZero() && g.result == nil
		if periods {
			s.Spare = rest.spare[:]
		}
	}
	s.Answers = g.encodeAnswers()
	if g.count != nil {
		s.Count = &stateCount{g.count.Dead(), g.count.Agreed}
	}
	return json.Marshal(s)
}

func milliseconds(d [2]time.Duration) []int64 {
	return []int64{d[0].Milliseconds(), d[1].Milliseconds()}
}

func durations(ms []int64) (d [2]time.Duration) {
	for i := range min(len(ms), len(d)) {
		d[i] = time.Duration(ms[i]) * time.Millisecond
	}
	return d
}

func periods(n []int) (p [2]int) {
	copy(p[:], n)
	return p
}

// Restore makes a session of what Encode returned. A clock that ran then runs on
// from now: nobody loses time while no program runs.
func Restore(games game.Catalog, settlers game.Settlers, data []byte, now time.Time) (*Session, error) {
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("play: the stored game cannot be read: %w", err)
	}
	if s.Version == 1 {
		s.Version = stateVersion
		for i := range s.Settings.Players {
			p := &s.Settings.Players[i]
			p.Level = engine.FormerLevel(p.Level)
		}
	}
	if s.Version != stateVersion {
		return nil, fmt.Errorf("play: the stored game has format %d, and this program knows format %d: use a newer version of the program", s.Version, stateVersion)
	}
	rules, err := games.Find(s.Settings.Game)
	if err != nil {
		return nil, err
	}
	if s.Given < 0 || s.Given > len(s.Moves) || len(s.Moves) > 2*MaxPlies {
		return nil, fmt.Errorf("%w: the stored game has %d moves, of which %d were given", ErrInvalid, len(s.Moves), s.Given)
	}
	g := &Session{settings: s.Settings, rules: rules, settler: settlers.Of(rules), given: s.Given, version: s.Changes, result: s.Result, clock: clock{durations(s.Left), periods(s.Spare)}, seats: s.Seats}
	if err := g.check(); err != nil {
		return nil, err
	}
	usual := rules.Info().Notations[0].Name
	for i := range s.Moves {
		at := &s.Moves[i]
		m, err := rules.ParseMove(g.pos, at.Text, usual)
		if err == nil {
			err = g.step(step{move: m, text: at.Text, forced: at.Forced, by: By{at.Note, at.Loss}, clock: clock{durations(at.Left), periods(at.Spare)}})
		}
		if err != nil {
			return nil, fmt.Errorf("play: move %d of the stored game, %s: %w", i+1, at.Text, err)
		}
	}
	if err := g.restoreOpening(s.Answers); err != nil {
		return nil, err
	}
	if s.Running && g.result == nil {
		g.since = now
	}
	return g, g.restoreCount(&s)
}

// restoreCount goes on with settling a game. One that was left behind two passes by a
// program that did not settle any is settled from here on.
func (g *Session) restoreCount(s *state) error {
	if g.result != nil || !game.Settles(g.pos.Outcome()) || !g.propose() || s.Count == nil {
		return nil
	}
	if err := g.recount(s.Count.Dead); err != nil {
		return fmt.Errorf("play: the stored game cannot be counted: %w", err)
	}
	g.count.Agreed, g.version = s.Count.Agreed, s.Changes
	return nil
}
