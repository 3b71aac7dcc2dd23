package factors

import (
	"math/bits"

	"qipu/game"
	"qipu/game/othello"
)

// Othello has the factors of Othello on 8x8.
type Othello struct{}

var othelloNames = []string{
	"discs", "mobility", "potential mobility", "frontier", "corners", "corners to take", "squares beside empty corners", "squares aslant of empty corners",
	"edge", "discs joined to corners", "middle", "parity",
}

// Names names them.
func (Othello) Names() []string { return othelloNames }

// Sets of squares, eight to a row.
const (
	corners  uint64 = 0x8100000000000081
	border   uint64 = 0xFF818181818181FF
	middle   uint64 = 0x00003C3C3C3C0000
	notRight uint64 = 0x7F7F7F7F7F7F7F7F
	notLeft  uint64 = 0xFEFEFEFEFEFEFEFE
)

// step moves a set by one of eight steps.
func step(s uint64, d int) uint64 {
	switch d {
	case 0:
		return s << 8
	case 1:
		return s >> 8
	case 2:
		return s & notRight << 1
	case 3:
		return s & notLeft >> 1
	case 4:
		return s & notRight << 9
	case 5:
		return s & notLeft << 7
	case 6:
		return s & notRight >> 7
	}
	return s & notLeft >> 9
}

func around(s uint64) (all uint64) {
	for d := range 8 {
		all |= step(s, d)
	}
	return all
}

// playable returns where a side can play.
func playable(own, other uint64) (all uint64) {
	empty := ^(own | other)
	for d := range 8 {
		run := step(own, d) & other
		for range 5 {
			run |= step(run, d) & other
		}
		all |= step(run, d) & empty
	}
	return all
}

// joined returns the discs of a side that reach a corner along an edge.
func joined(own uint64) uint64 {
	run := own & corners
	for range 7 {
		for d := range 4 {
			run |= step(run, d) & own & border
		}
	}
	return run
}

// AppendFactors counts them.
func (Othello) AppendFactors(dst []int8, pos game.Position, side game.Side) []int8 {
	p := pos.(*othello.Position)
	own, other := p.Discs(side), p.Discs(side^1)
	empty := ^(own | other)
	n := bits.OnesCount64
	mine, theirs := playable(own, other), playable(other, own)
	beside, aslant := uint64(0), uint64(0)
	for rest := corners & empty; rest != 0; rest &= rest - 1 {
		c := rest & -rest
		all := around(c)
		beside |= all & border
		aslant |= all &^ border
	}
	parity := -1 // who moves last if nobody passes
	if n(empty)%2 == 1 == (p.Turn() == side) {
		parity = 1
	}
	for _, v := range [...]int{
		n(own) - n(other), n(mine) - n(theirs), n(around(other)&empty) - n(around(own)&empty), n(around(empty)&other) - n(around(empty)&own),
		n(own&corners) - n(other&corners), n(mine&corners) - n(theirs&corners), n(other&beside) - n(own&beside), n(other&aslant) - n(own&aslant),
		n(own&border) - n(other&border), n(joined(own)) - n(joined(other)), n(own&middle) - n(other&middle), parity,
	} {
		dst = append(dst, clamp(v))
	}
	return dst
}
