//go:build !amd64

package reversi

const lanes = false

func fiveLanes(own, opp uint64, alpha int, moves, odd uint64) (value int, nodes int64) {
	panic("reversi: no lanes")
}

func expandLanes(c *children, own, opp, moves uint64) (wiped bool) { panic("reversi: no lanes") }
