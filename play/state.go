package play

import (
	"encoding/json"
	"fmt"
	"time"

	"qipu/game"
)

// stateVersion is that of the documents that State writes.
const stateVersion = 1

// state is a session as it is stored. Moves are texts in the first notation of
// the game, which every version of the program can read.
type state struct {
	Version  int         `json:"version"`
	Settings Settings    `json:"settings"`
	Given    int         `json:"given,omitempty"`
	Changes  int         `json:"changes"`
	Moves    []stateMove `json:"moves"`
	Left     []int64     `json:"left,omitempty"` // milliseconds
	Running  bool        `json:"running,omitempty"`
	Result   *Result     `json:"result,omitempty"`
}

type stateMove struct {
	Text   string  `json:"m"`
	Forced bool    `json:"f,omitempty"`
	Note   string  `json:"n,omitempty"`
	Loss   float64 `json:"l,omitempty"`
	Left   []int64 `json:"c,omitempty"` // milliseconds on the clocks before it
}

// Encode returns the whole state of the session at a moment, for Restore.
func (g *Session) Encode(now time.Time) ([]byte, error) {
	s := state{Version: stateVersion, Settings: g.settings, Given: g.given, Changes: g.version, Moves: make([]stateMove, len(g.steps)), Result: g.result}
	p, err := g.begin()
	if err != nil {
		return nil, err
	}
	clocks := g.settings.Main > 0
	for i := range g.steps {
		at := &g.steps[i]
		s.Moves[i] = stateMove{Text: game.FormatMove(g.rules, p, at.move, game.AnyNotation), Forced: at.forced, Note: at.by.Note, Loss: at.by.Loss}
		if clocks {
			s.Moves[i].Left = milliseconds(at.left)
		}
		if err := p.Play(at.move); err != nil {
			return nil, fmt.Errorf("play: move %d of a game that was played: %w", i+1, err)
		}
	}
	if clocks {
		left, running := g.Clocks(now)
		s.Left, s.Running = milliseconds([2]time.Duration(left)), running >= 0
	}
	return json.Marshal(s)
}

// begin returns the position that the session begins at.
func (g *Session) begin() (game.Position, error) {
	if g.start != nil {
		return g.rules.Arrange(*g.start)
	}
	return g.rules.Start(), nil
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

// Restore makes a session of what Encode returned. A clock that ran then runs on
// from now: nobody loses time while no program runs.
func Restore(games game.Catalog, data []byte, now time.Time) (*Session, error) {
	var s state
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("play: the stored game cannot be read: %w", err)
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
	g := &Session{settings: s.Settings, rules: rules, given: s.Given, version: s.Changes, result: s.Result, left: durations(s.Left)}
	if err := g.check(); err != nil {
		return nil, err
	}
	usual := rules.Info().Notations[0].Name
	for i := range s.Moves {
		at := &s.Moves[i]
		side := g.pos.Turn()
		m, err := rules.ParseMove(g.pos, at.Text, usual)
		if err == nil {
			err = g.pos.Play(m)
		}
		if err != nil {
			return nil, fmt.Errorf("play: move %d of the stored game, %s: %w", i+1, at.Text, err)
		}
		g.steps = append(g.steps, step{move: m, side: side, forced: at.Forced, by: By{at.Note, at.Loss}, left: durations(at.Left)})
	}
	if s.Running && g.result == nil {
		g.since = now
	}
	return g, nil
}
