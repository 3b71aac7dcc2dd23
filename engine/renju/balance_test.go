package renju_test

import (
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/renju"
	"qipu/game"
	rules "qipu/game/renju"
)

// TestBalance: all 26 openings are known under the rules of Renju, in all their mirrors, and
// nothing else is.
func TestBalance(t *testing.T) {
	e := renju.New(engine.Options{})
	size := rules.Renju.Geometry().Size
	for _, rule := range rules.Renju.OpeningRules() {
		for i := range rules.Openings {
			o := &rules.Openings[i]
			var first engine.Value
			for n, sym := range size.Symmetries() {
				var moves []game.Move
				for _, p := range []board.Point{board.At(7, 7), o.Second, o.Third} {
					moves = append(moves, game.Drop(sym.Apply(size, p)))
				}
				v, ok := e.Balance(rules.Renju, rule.Name, moves)
				if n == 0 {
					first = v
				}
				if !ok || v != first || v >= engine.Decided || v <= -engine.Decided {
					t.Errorf("%s, %s: %d, %v, and %d in the first mirror", rule.Name, o.Code, v, ok, first)
				}
			}
		}
	}
	free, _ := rules.Renju.Variant("free")
	three := []game.Move{game.Drop(board.At(7, 7)), game.Drop(board.At(7, 6)), game.Drop(board.At(7, 5))}
	corner := []game.Move{game.Drop(board.At(0, 0)), game.Drop(board.At(0, 1)), game.Drop(board.At(1, 1))}
	for name, ok := range map[string]bool{
		"another rule":  known(e.Balance(rules.Renju, "swap2", three)),
		"another game":  known(e.Balance(free, "rif", three)),
		"two stones":    known(e.Balance(rules.Renju, "rif", three[:2])),
		"in the corner": known(e.Balance(rules.Renju, "rif", corner)),
	} {
		if ok {
			t.Errorf("%s: known", name)
		}
	}
}

func known(_ engine.Value, ok bool) bool { return ok }
