package chess

import (
	"qipu/engine"
	"qipu/engine/tree"
	"qipu/game"
)

// Still reports whether the side to move is not in check and wins nothing by taking, so
// that the worth of the position can be told by looking, and returns what a look sees.
func Still(p game.Position) (s tree.Sample, ok bool) {
	b := arrange(p)
	if b.attacked(b.turn) {
		return s, false
	}
	for _, m := range b.captures(nil) {
		if b.gains(m, 1) {
			return s, false
		}
	}
	var times [places + terms]int16
	for at, piece := range b.on {
		if piece != 0 {
			side := sideOf(piece)
			times[place(side, kindOf[piece&15], square(at))] += int16(1 - 2*side)
		}
	}
	var c counts
	b.tell(&c)
	copy(times[places:], c[:])
	for i, n := range times {
		if n != 0 {
			s.Terms = append(s.Terms, tree.Term{Weight: int16(i), Times: n})
		}
	}
	v := b.evaluate()
	if b.turn == 1 {
		v = -v
	}
	s.Full, s.Part = float64(min(b.full, fullPhase))/fullPhase, float64(b.hope(v > 0))/64
	return s, true
}

// Evaluate returns what a position is worth to the side to move, as it stands.
func (e *Engine) Evaluate(p game.Position) engine.Value {
	b := arrange(p)
	return engine.Value(b.evaluate())
}

// Shipped returns the weights that the engine goes by.
func Shipped() *Weights {
	w, _ := ParseWeights(weightsText)
	return w
}
