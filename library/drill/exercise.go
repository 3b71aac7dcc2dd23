// Package drill has exercises and those who do them: what is cut from games, how well it
// is known, when it comes again, how hard it is and how strong somebody is.
package drill

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/zeebo/xxh3"

	"qipu/engine/endgame"
	"qipu/game"
	"qipu/record"
)

// Exercise is a position in which one move is right.
type Exercise struct {
	ID       string   `json:"id"` // of game and position
	Game     string   `json:"game"`
	Position string   `json:"position"`
	Kind     string   `json:"kind"`  // "win" where one move wins, "save" where one holds, "own" and "guess"
	Theme    string   `json:"theme"` // the ending, "KR-KAAEE"; else the kind
	Move     string   `json:"move"`  // the right one
	Line     []string `json:"line"`  // best play to the end, where it is won
	Moves    int      `json:"moves"` // legal ones
	Plies    int      `json:"plies"` // until the end, where it is won
	Proof    string   `json:"proof"` // what proves it: "table", or the engine that has read it
	Source   string   `json:"source"`
	Ply      int      `json:"ply"`    // of the game that it is from
	Played   string   `json:"played"` // there; empty where the record ends
	Start    Rating   `json:"start"`  // before anybody has done it
}

// leastMoves is of how many moves one must be the right one.
const leastMoves = 3

// Cut returns the exercises of a game that tables prove: one move wins and no other does,
// or one holds the draw and all others lose.
func Cut(t *endgame.Tables, g *record.Played, source string) (list []Exercise, err error) {
	r, ok := g.Rules.(game.Manned)
	if !ok {
		return nil, nil
	}
	p, err := g.Rules.Arrange(g.Start)
	if err != nil {
		return nil, nil // such a board cannot be played on
	}
	for ply := 0; ; ply++ {
		next := game.NoMove
		if ply < len(g.Steps) {
			next = g.Steps[ply].Move
		}
		if !p.Outcome().Final() {
			e, ok, err := cut(t, r, p, next)
			if err != nil {
				return nil, err
			}
			if ok {
				e.Source, e.Ply = source, ply
				list = append(list, e)
			}
		}
		if next == game.NoMove || p.Play(next) != nil {
			return list, nil
		}
	}
}

// cut makes an exercise of a position, where it is one.
func cut(t *endgame.Tables, r game.Manned, p game.Position, next game.Move) (e Exercise, ok bool, err error) {
	list, ok, err := t.Choices(r, p)
	if err != nil || !ok || len(list) < leastMoves || list[0].Result < 0 || list[1].Result == list[0].Result {
		return e, false, err
	}
	e = exerciseOf(r, p, "save")
	e.Theme, _ = endgame.Name(r, p)
	e.Move, e.Moves, e.Plies, e.Proof = game.FormatMove(r, p, list[0].Move, game.AnyNotation), len(list), list[0].Plies, "table"
	if list[0].Result > 0 {
		e.Kind = "win"
	}
	e.rate(r, p, next)
	line, err := t.Line(r, p, 200)
	if err != nil {
		return e, false, err
	}
	e.Line, err = texts(r, p, line)
	return e, true, err
}

// exerciseOf returns an exercise of a position without its answer.
func exerciseOf(r game.Rules, p game.Position, kind string) Exercise {
	s := game.SetupOf(p)
	s.Number, s.Quiet = 1, 0 // how it came about is no part of it
	text := string(game.AppendSetup(nil, r, s))
	spec := r.Info().Name
	if v := r.Info().Variant; v != "" {
		spec += ":" + v
	}
	return Exercise{ID: idOf(spec + " " + text), Game: spec, Position: text, Kind: kind, Line: []string{}}
}

// idOf returns a short identifier.
func idOf(text string) string {
	sum := xxh3.HashString(text)
	return hex.EncodeToString([]byte{byte(sum >> 40), byte(sum >> 32), byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

// rate says how hard it is before anybody has done it. Longer wins are harder to see
// through, and so is one move among many, and what somebody has missed.
func (e *Exercise) rate(r game.Rules, p game.Position, next game.Move) {
	if next != game.NoMove {
		e.Played = game.FormatMove(r, p, next, game.AnyNotation)
	}
	e.Start = Rating{1000 + 25*float64(min(e.Plies, 40)) + 8*float64(min(e.Moves, 40)), 250}
	if e.Played != "" && e.Played != e.Move {
		e.Start.Points += 150
	}
}

// texts writes moves that follow each other.
func texts(r game.Rules, p game.Position, line []game.Move) ([]string, error) {
	list := []string{}
	defer func() {
		for range list {
			p.Undo()
		}
	}()
	for _, m := range line {
		text := game.FormatMove(r, p, m, game.AnyNotation)
		if err := p.Play(m); err != nil {
			return list, err
		}
		list = append(list, text)
	}
	return list, nil
}

// Refute says what comes of a move that is not right: how the game stands behind it for who
// made it, and how the other side goes on.
func Refute(t *endgame.Tables, r game.Rules, p game.Position, m game.Move) (v endgame.Verdict, line []string, err error) {
	list, ok, err := t.Choices(r, p)
	if err != nil || !ok {
		return v, nil, err
	}
	for _, c := range list {
		if c.Move != m {
			continue
		}
		if err := p.Play(m); err != nil {
			return v, nil, err
		}
		defer p.Undo()
		best, err := t.Line(r, p, 200)
		if err != nil {
			return v, nil, err
		}
		line, err = texts(r, p, best)
		return c.Verdict, line, err
	}
	return v, nil, fmt.Errorf("the move cannot be made here")
}

// tries is how many positions of a table are looked at for each exercise that is wanted.
const tries = 60

// FromTables returns exercises out of tables themselves: positions by chance in which one
// move is right, about as many of each ending.
func FromTables(t *endgame.Tables, r game.Manned, most int, seed uint64) (list []Exercise, err error) {
	tables, err := t.List(r)
	if err != nil {
		return nil, err
	}
	tables = slices.DeleteFunc(tables, func(l endgame.Listed) bool { return l.Counts[0].Won == 0 || l.Men < 3 })
	if len(tables) == 0 {
		return nil, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	each := (most + len(tables) - 1) / len(tables)
	seen := map[string]bool{}
	for _, l := range tables {
		x, err := endgame.ParseMaterial(r.Men(), l.Material)
		if err != nil {
			return nil, err
		}
		for found, try := 0, 0; found < each && try < each*tries; try++ {
			p, ok := t.Sample(r, x, rng)
			if !ok {
				continue
			}
			e, ok, err := cut(t, r, p, game.NoMove)
			if err != nil {
				return nil, err
			}
			if !ok || seen[e.ID] || e.Kind == "win" && e.Plies < 3 {
				continue
			}
			seen[e.ID] = true
			list = append(list, e)
			found++
		}
	}
	return list, nil
}

// Own returns a position in which somebody made a mistake, with what was better.
func Own(r game.Rules, p game.Position, better, played string) (e Exercise, ok bool) {
	m, err := r.ParseMove(p, better, game.AnyNotation)
	if err != nil || len(p.AppendMoves(nil)) < leastMoves {
		return e, false
	}
	e = exerciseOf(r, p, "own")
	e.Theme, e.Move, e.Played, e.Moves = "own", game.FormatMove(r, p, m, game.AnyNotation), played, len(p.AppendMoves(nil))
	e.Start = Rating{1300, 250}
	return e, true
}

// Guess returns a position in which somebody is to find what a player chose.
func Guess(r game.Rules, p game.Position, m game.Move) (e Exercise, ok bool) {
	if e.Moves = len(p.AppendMoves(nil)); e.Moves < leastMoves {
		return e, false
	}
	n := e.Moves
	e = exerciseOf(r, p, "guess")
	e.Theme, e.Move, e.Moves = "guess", game.FormatMove(r, p, m, game.AnyNotation), n
	e.Start = Rating{1500, 300}
	return e, true
}
