package renju

import (
	"math/bits"

	"qipu/board"
)

// Foul is what makes a move forbidden for Black. Where one stone commits
// several fouls, the first of this list is named.
type Foul uint8

// The fouls.
const (
	NoFoul Foul = iota
	Overline
	DoubleFour
	DoubleThree
)

var foulNames = [...]board.Names{
	{En: "none", Hant: "無", Hans: "无", Ja: "なし", Ko: "없음"},
	{En: "overline", Hant: "長連", Hans: "长连", Ja: "長連", Ko: "장목"},
	{En: "double-four", Hant: "四四", Hans: "四四", Ja: "四四", Ko: "사사"},
	{En: "double-three", Hant: "三三", Hans: "三三", Ja: "三三", Ko: "삼삼"},
}

// Names returns the name of the foul in all languages.
func (f Foul) Names() board.Names { return foulNames[f] }

// String returns the English name: "double-three".
func (f Foul) String() string { return foulNames[f].En }

// field is a board in all four directions.
type field struct {
	stones [2]lines // by side
	free   lines
}

// verdict is what a black stone does under the rules of Renju.
type verdict struct {
	five bool // it wins; then there is no foul
	foul Foul
}

// judge tells what a black stone on the free point (x, y) would do. It puts
// stones on the field to look further and takes them off again.
//
// The cost is four line look-ups where no two threes meet, as nearly always;
// each nested question costs the same again.
func (f *field) judge(x, y int) (v verdict) {
	var shapes [directions]shape
	fours, threes := 0, 0
	for d := range shapes {
		line, i := place(d, x, y)
		s := shapeOf(f.stones[0][d][line], f.free[d][line], i)
		switch {
		case s.length == 5:
			return verdict{five: true}
		case s.length > 5:
			v.foul = Overline
		}
		fours += s.fours
		if s.n > 0 {
			threes++
		}
		shapes[d] = s
	}
	switch {
	case v.foul != NoFoul:
	case fours > 1:
		v.foul = DoubleFour
	case threes > 1 && f.twoReal(x, y, &shapes, threes):
		v.foul = DoubleThree
	}
	return v
}

// twoReal reports whether at least two of the threes of a stone on (x, y) are
// real.
func (f *field) twoReal(x, y int, shapes *[directions]shape, threes int) bool {
	f.put(0, x, y)
	found := 0
	for d := range shapes {
		s := &shapes[d]
		if s.n == 0 {
			continue
		}
		if f.real(d, x, y, s) {
			found++
		} else {
			threes--
		}
		if found == 2 || threes < 2 {
			break
		}
	}
	f.put(0, x, y)
	return found == 2
}

// real reports whether a three of the stone that now stands on (x, y) has a
// key that Black may play without making a five elsewhere.
func (f *field) real(d, x, y int, s *shape) bool {
	_, i := place(d, x, y)
	for _, key := range s.keys[:s.n] {
		n := key - i
		if f.judge(x+n*step[d].x, y+n*step[d].y) == (verdict{}) {
			return true
		}
	}
	return false
}

// put places a stone of a side, or takes it off.
func (f *field) put(side, x, y int) {
	f.stones[side].flip(x, y)
	f.free.flip(x, y)
}

// Foul tells which foul a black stone on the point would be, whoever is to
// move. It is NoFoul for stones that make five, on occupied points, and under
// the rules of Gomoku.
func (p *Position) Foul(at board.Point) Foul {
	if p.rules.set != SetRenju || !p.rules.size.Has(at) || p.occupied(at) {
		return NoFoul
	}
	return p.field.judge(at.X(), at.Y()).foul
}

// Forbidden returns the points where a black stone would be a foul, whoever is
// to move: the empty set under the rules of Gomoku. It asks about every free
// point and costs a few microseconds.
func (p *Position) Forbidden() (set board.Plane) {
	if p.rules.set != SetRenju {
		return set
	}
	for y := range p.rules.size.H {
		for row := p.field.free[0][y] >> margin; row != 0; row &= row - 1 {
			x := bits.TrailingZeros32(row)
			if p.field.judge(x, y).foul != NoFoul {
				set[y] |= 1 << x
			}
		}
	}
	return set
}

// LastFoul returns the foul of the last move, or NoFoul.
func (p *Position) LastFoul() Foul {
	if len(p.history) == 0 {
		return NoFoul
	}
	return p.history[len(p.history)-1].foul
}
