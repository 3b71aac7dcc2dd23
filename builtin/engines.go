package builtin

import (
	"slices"
	"strings"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/engine/reversi"
	"qipu/engine/simple"
	"qipu/game"
)

// Engine returns the engine that plays a game best. Games that nobody has
// written an evaluation for are played too, by reading alone.
func Engine(r game.Rules, o engine.Options) (engine.Engine, error) {
	info := r.Info()
	a := alphabeta.Options{Name: "Qipu " + info.Titles.En, Games: []string{info.Name}, Hash: o.Hash}
	var e engine.Evaluator = simple.Nothing{}
	switch info.Name {
	case "othello":
		if r.Geometry().Size == (board.Size{W: 8, H: 8}) {
			return reversi.New(o), nil
		}
		e, a.Quiesce = simple.Discs{}, -1
	case "xiangqi":
		e = simple.Xiangqi{}
	case "renju":
		// Black's longer rows are nothing in renju; in standard gomoku nobody's
		// are, in free gomoku all win.
		exact := [2]bool{true, false}
		words := strings.Split(info.Variant, ",")
		switch {
		case slices.Contains(words, "free"):
			exact = [2]bool{}
		case slices.Contains(words, "standard"):
			exact = [2]bool{true, true}
		}
		e, a.Quiesce = simple.Rows{Exact: exact}, -1
	case "weiqi":
		e, a.Quiesce = simple.Weiqi{}, 3
	}
	return alphabeta.New(e, a), nil
}
