// Package drill has exercises and those who do them: what is cut from games, how well it
// is known, when it comes again, how hard it is and how strong somebody is.
package drill

import (
	"encoding/hex"
	"fmt"

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
	Kind     string   `json:"kind"`  // "win" where one move wins, "save" where one holds the draw
	Theme    string   `json:"theme"` // the ending: "KR-KAAEE"
	Move     string   `json:"move"`  // the right one
	Line     []string `json:"line"`  // best play to the end, where it is won
	Moves    int      `json:"moves"` // legal ones
	Plies    int      `json:"plies"` // until the end, where it is won
	Proof    string   `json:"proof"` // what proves it: "table"
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
	s := game.SetupOf(p)
	s.Number, s.Quiet = 1, 0 // how it came about is no part of it
	text := string(game.AppendSetup(nil, r, s))
	sum := xxh3.HashString(r.Info().Name + " " + text)
	e = Exercise{
		ID: hex.EncodeToString([]byte{byte(sum >> 40), byte(sum >> 32), byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), Game: r.Info().Name, Position: text,
		Kind: "save", Theme: endgame.Name(r, p), Move: game.FormatMove(r, p, list[0].Move, game.AnyNotation), Line: []string{},
		Moves: len(list), Plies: list[0].Plies, Proof: "table",
	}
	if list[0].Result > 0 {
		e.Kind = "win"
	}
	if next != game.NoMove {
		e.Played = game.FormatMove(r, p, next, game.AnyNotation)
	}
	// Longer wins are harder to see through, and so is one move among many.
	e.Start = Rating{1000 + 25*float64(min(e.Plies, 40)) + 8*float64(min(e.Moves, 40)), 250}
	if e.Played != "" && e.Played != e.Move {
		e.Start.Points += 150 // somebody has missed it
	}
	line, err := t.Line(r, p, 200)
	if err != nil {
		return e, false, err
	}
	e.Line, err = texts(r, p, line)
	return e, true, err
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
