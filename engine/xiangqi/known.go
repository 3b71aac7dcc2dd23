package xiangqi

import (
	"qipu/board"
	"qipu/engine/trace"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// known returns what the position is worth where somebody knows it without reading.
func (w *worker) known(ply int) (int, bool) {
	if men := w.b.own[0].Or(w.b.own[1]); w.truth.Few > 0 && men.Count() <= w.truth.Few {
		w.truth.Clear()
		for !men.Empty() {
			s := men.Pop()
			w.truth.Put(board.Piece(w.b.on[s]), attack.PointOf[s])
		}
		if result, plies, ok := w.truth.Plies(game.Side(w.b.turn)); ok {
			if w.why = trace.Over; result == 0 {
				return w.drawn(ply), true
			}
			return result * (mate - ply - plies), true
		}
	}
	return 0, false
}
