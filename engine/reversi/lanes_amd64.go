package reversi

import "golang.org/x/sys/cpu"

// lanes tells that the processor has what the routines in lanes_amd64.s need.
// They find what their counterparts in Golang find, and visit the same nodes.
var lanes = cpu.X86.HasAVX2 && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasPOPCNT

// square is what those routines know of a square; they rely on its layout.
type square struct {
	rising, falling [4]uint64 // the squares beyond, in each direction
	bit             uint64
	slopes          [2]uint64
	row, col        uint64 // how far its row and its column have to be shifted
	rowAt, colAt    uint64 // its places in the lines, in the table closing
	quarter         uint64
}

//lint:ignore U1000 the routines in lanes_amd64.s read it
var squares = makeSquares()

func makeSquares() (t [64]square) {
	for s := range t {
		x, y := s&7, s>>3
		q := &t[s]
		for d, step := range [4][2]int{{1, 0}, {-1, 1}, {0, 1}, {1, 1}} {
			for k := 1; k < 8; k++ {
				if a, b := x+k*step[0], y+k*step[1]; uint(a) < 8 && uint(b) < 8 {
					q.rising[d] |= 1 << (8*b + a)
				}
				if a, b := x-k*step[0], y-k*step[1]; uint(a) < 8 && uint(b) < 8 {
					q.falling[d] |= 1 << (8*b + a)
				}
			}
		}
		q.bit, q.slopes = 1<<s, slopes[s]
		q.row, q.col = uint64(8*y), uint64(x)
		q.rowAt, q.colAt = uint64(x)<<8, uint64(y)<<8
		q.quarter = uint64(quadrant[s])
	}
	return t
}

// fiveLanes searches five empty squares as plain does, behind its test of
// stability; there is at least one move.
//
//go:noescape
func fiveLanes(own, opp uint64, alpha int, moves, odd uint64) (value int, nodes int64)

// expandLanes is children.expand; there is at least one move.
//
//go:noescape
func expandLanes(c *children, own, opp, moves uint64) (wiped bool)
