package external

import (
	"math"

	"qipu/engine"
	"qipu/game"
)

// pawns is the lead that is worth 73 per cent where the rules say nothing else.
const pawns = 1.7

// fromShare returns the value of which a share of a win is worth the same: engines
// that tell how likely a win is are shown as what they have said. Nothing is
// certain that was not read to its end.
func fromShare(r game.Rules, share float64) engine.Value {
	steep := pawns
	if w, ok := r.(interface{ Lead() float64 }); ok {
		steep = w.Lead()
	}
	share = min(max(share, 1e-4), 1-1e-4)
	return engine.Value(math.Round(steep * math.Log(share/(1-share)) * float64(engine.Unit)))
}

// fromUnits returns a number of discs, points or pawns as a value, inside of what is
// no win.
func fromUnits(units float64) engine.Value {
	most := float64(engine.Decided-1) / float64(engine.Unit)
	if math.IsNaN(units) {
		return engine.NoValue
	}
	return engine.Value(math.Round(min(max(units, -most), most) * float64(engine.Unit)))
}

// fromMate returns the value of a mate in so many moves of the side to move;
// negative, or nothing, where that side is mated.
func fromMate(moves int) engine.Value {
	if moves > 0 {
		return engine.Win - engine.Value(min(2*moves-1, 4000))
	}
	return -engine.Win + engine.Value(min(-2*moves, 4000))
}
