package builtin_test

import (
	"context"
	"fmt"

	"qipu/builtin"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
)

// mobile judges a position by how many moves there are.
type mobile struct{}

func (mobile) Evaluate(p game.Position) engine.Value {
	return engine.Unit * engine.Value(len(p.AppendMoves(nil)))
}

// An evaluation of one's own makes an engine that reads ahead.
func ExampleSet_Engine() {
	set := builtin.Set{{Rules: othello.Standard, Engine: builtin.Reads(mobile{}, -1)}}
	e, err := set.Engine(othello.Standard, engine.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	moves, err := game.ParseMoves(othello.Standard, othello.Standard.Start(), "f5 d6")
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := e.Think(context.Background(), &engine.Task{Rules: othello.Standard, Moves: moves}, engine.Limits{Depth: 3}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(e.Info().Name, "reads", report.Depth, "plies and plays", game.FormatMove(othello.Standard, nil, report.Best().Move, game.AnyNotation))
	// Output:
	// Qipu Othello reads 3 plies and plays c4
}
