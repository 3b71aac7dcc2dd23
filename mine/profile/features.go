package profile

import (
	"math"

	"qipu/board"
)

// A feature is a hash in so many bits. Two features that share one are rare, and
// harm little.
const featureBits = 21

func feature(sort, a, b, c uint64) uint32 {
	return uint32(board.Mix(sort<<56^a<<32^b<<12^c) >> (64 - featureBits))
}

// The sorts of features.
const (
	position = iota + 1
	arrival
	reply
	opener
)

// phase is the part of a game that a ply lies in.
func phase(ply int) uint64 {
	switch {
	case ply < 10:
		return 0
	case ply < 20:
		return 1
	case ply < 40:
		return 2
	case ply < 80:
		return 3
	}
	return 4
}

// features appends what a game is compared by: the positions of its beginning, and
// which piece went where in which part of it. Each comes once.
func (g *Game) features(dst []uint32, seen *stamps) []uint32 {
	seen.begin()
	add := func(f uint32) {
		if seen.first(f) {
			dst = append(dst, f)
		}
	}
	for i, key := range g.Keys {
		if i >= 3 {
			add(feature(position, uint64(key), 0, 0))
		}
	}
	for i, s := range g.Steps {
		if s.Point != None {
			add(feature(arrival, uint64(s.Piece), uint64(s.Point), phase(i)))
		}
	}
	return dst
}

// habits appends what one side of a game does, whoever sits opposite: its first
// steps, its replies in positions of the beginning, and which of its pieces went
// where and when.
func (g *Game) habits(dst []uint32, side int, seen *stamps) []uint32 {
	seen.begin()
	add := func(f uint32) {
		if seen.first(f) {
			dst = append(dst, f)
		}
	}
	own, line := uint64(0), uint64(side)
	for i, s := range g.Steps {
		if int(s.Side) != side || s.Point == None {
			continue
		}
		own++
		if own <= 8 {
			line = board.Mix(line ^ uint64(s.Point)<<8 ^ uint64(s.Piece))
			add(feature(opener, line&0xFFFFFF, own, 0))
		}
		if i > 0 && i-1 < len(g.Keys) {
			add(feature(reply, uint64(g.Keys[i-1])&0xFFFFFF, uint64(s.Point), uint64(s.Piece)))
		}
		add(feature(arrival, uint64(s.Piece), uint64(s.Point), phase(i)))
	}
	return dst
}

// stamps tell which features the game at hand has had.
type stamps struct {
	when []uint32
	now  uint32
}

func newStamps() *stamps { return &stamps{when: make([]uint32, 1<<featureBits)} }

func (s *stamps) begin() { s.now++ }

func (s *stamps) first(f uint32) bool {
	if s.when[f] == s.now {
		return false
	}
	s.when[f] = s.now
	return true
}

// idf is what a feature counts that some of all games have.
func idf(have, all int) float64 {
	if have < 1 {
		return 0
	}
	return math.Log(float64(all+1) / float64(have))
}
