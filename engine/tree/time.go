package tree

import (
	"time"

	"qipu/engine"
)

// Budget is the time of a thought: after Soft no further depth is begun, at Hard it
// ends. Both are zero where time does not matter.
type Budget struct{ Soft, Hard time.Time }

// Spend shares out the time that limits give for a move.
func Spend(began time.Time, l engine.Limits) (b Budget) {
	soft, hard := l.Time*6/10, l.Time
	if c := l.Clock; c != nil {
		moves := c.Moves
		if moves <= 0 {
			moves = 30
		}
		share := c.Left/time.Duration(moves+1) + c.Increment*3/4
		most := max(c.Left-50*time.Millisecond, c.Left/2) * 3 / 4
		share, most = min(share, most), min(share*3, most)
		if hard == 0 || most < hard {
			soft, hard = share*6/10, most
		}
	}
	if hard > 0 {
		b = Budget{began.Add(soft), began.Add(hard)}
	}
	return b
}
