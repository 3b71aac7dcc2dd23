package chess

import (
	"qipu/board"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/game/chess/attack"
)

// untouched are the corners of a board on which nobody may castle.
var untouched = [4]square{attack.None, attack.None, attack.None, attack.None}

// known returns what the position is worth where somebody knows it without reading. Those
// who do know nothing of castling and of taking in passing.
func (w *worker) known(ply int) (int, bool) {
	men := w.b.own[0] | w.b.own[1]
	if men.Count() > w.truth.Few || w.b.passed != attack.None || w.b.corner != untouched {
		return 0, false
	}
	w.truth.Clear()
	for men != 0 {
		s := men.Pop()
		w.truth.Put(board.Piece(w.b.on[s]), pointOf(s))
	}
	result, plies, ok := w.truth.Plies(game.Side(w.b.turn))
	if !ok {
		return 0, false
	}
	if w.why = trace.Over; result == 0 {
		return w.drawn(ply), true
	}
	return result * (mate - ply - plies), true
}
