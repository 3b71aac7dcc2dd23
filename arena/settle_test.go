package arena_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/arena"
	"qipu/board"
	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/internal/testkit"
	"qipu/record"
)

// passer plays a list of moves and passes then; it has an opinion about what is dead.
type passer struct {
	line []game.Move // of both sides
	dead []board.Point
	mute bool // it has no opinion
}

func (e *passer) Info() engine.Info { return engine.Info{Name: "passer", Games: []string{"weiqi"}} }
func (e *passer) Close() error      { return nil }

func (e *passer) Think(_ context.Context, t *engine.Task, _ engine.Limits, _ func(*engine.Report)) (*engine.Report, error) {
	m := game.Pass
	if n := len(t.Moves); n < len(e.line) {
		m = e.line[n]
	}
	return &engine.Report{Lines: []engine.Line{{Move: m}}}, nil
}

func (e *passer) Dead(context.Context, *engine.Task) ([]board.Point, error) {
	if e.mute {
		return nil, errors.New("no opinion")
	}
	return e.dead, nil
}

// TestSettle ends matches of players that only pass, from the board that a line of
// moves leads to. Commands:
//
//	match RULES [a=A1,B2] [b=none] [a=mute]    what each player calls dead; mute: nothing
func TestSettle(t *testing.T) {
	testkit.Script(t, "testdata/settle.txt", func(t *testing.T, c testkit.Command) string {
		r, err := weiqi.Standard.Variant(c.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		line, err := game.ParseMoves(r, r.Start(), c.Input)
		if err != nil {
			t.Fatal(err)
		}
		player := func(name string) arena.Player {
			e := &passer{line: line, mute: c.Named[name] == "mute"}
			for at := range r.Geometry().Size.Points() {
				if slices.Contains(strings.Split(c.Named[name], ","), r.Geometry().Name(at)) {
					e.dead = append(e.dead, at)
				}
			}
			return arena.Player{Name: name, Make: func() (engine.Engine, error) { return e, nil }}
		}
		result, err := arena.Match(t.Context(), player("a"), player("b"), arena.Options{
			Rules: r, Settlers: builtin.Settler, Openings: []arena.Opening{{Name: "line", Moves: line}},
		})
		if err != nil {
			return err.Error() + "\n"
		}
		text := fmt.Sprintf("games %d, unsettled %d, points %g\n", result.Score.Games, result.Unsettled, result.Points)
		for _, g := range result.Games {
			text += fmt.Sprintf("%s, %d plies\n", g.Record.Facts.Result.SGF(record.SidesOf(r)), g.Plies)
		}
		return text
	})
}
