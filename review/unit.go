package review

import (
	"math"

	"qipu/engine"
	"qipu/game"
)

// Unit is what values are counted in. There is one rule for all of the program,
// for what engines read as for what a book says of results: discs where the rules
// of a game count pieces to its end, and the share of a win everywhere else. That
// is so in Go, too: most of its games are given up before anybody counts points. Only
// engines that themselves count points ([engine.Info.Points]) are told of in these.
type Unit string

// The units.
const (
	Discs  Unit = "discs"  // the lead at the end of the game
	Points Unit = "points" // the lead as an engine expects it
	Share  Unit = "share"  // of a win, from 0 to 1
)

// Scale turns the values of engines into amounts of a unit.
type Scale struct {
	Unit

	// steep is the lead, in what engines count in, that is worth 73 per cent.
	steep float64
}

// Weighed is a Rules whose engines count leads in something else than pawns.
type Weighed interface {
	// Lead returns the lead that is worth 73 per cent.
	Lead() float64
}

// pawns is the lead that is worth 73 per cent where engines count in pawns.
const pawns = 1.7

// discs is the lead that is worth 73 per cent where engines count in discs: they are
// wrong by more than five in the middle of a game, and a logistic curve of that
// width is as steep as this.
const discs = 3.3

// ScaleOf returns the scale of a game.
func ScaleOf(r game.Rules) Scale {
	if r.Info().Discs {
		return Scale{Unit: Discs}
	}
	if w, ok := r.(Weighed); ok {
		return Scale{Share, w.Lead()}
	}
	return Scale{Share, pawns}
}

// ScaleBy returns the scale of what an engine says of a game; points tells that it
// counts them.
func ScaleBy(r game.Rules, points bool) Scale {
	s := ScaleOf(r)
	if points && s.Unit == Share {
		s.Unit = Points
	}
	return s
}

// UnitOf returns the unit of a game.
func UnitOf(r game.Rules) Unit { return ScaleOf(r).Unit }

// Amount returns a value in the unit, for the side that the value is for. Of a
// game that is counted, a decided one has no other amount than its count; where
// an engine knows nothing better, it is as much as a board has.
func (s Scale) Amount(v engine.Value) float64 {
	switch s.Unit {
	case Discs:
		return min(max(v.Units(), -64), 64)
	case Points:
		return v.Units()
	}
	switch {
	case v >= engine.Decided:
		return 1
	case v <= -engine.Decided:
		return 0
	}
	return 1 / (1 + math.Exp(-v.Units()/s.steep))
}

// Chance returns how likely a win is, from 0 to 1, for the side that the value is
// for. It is what other programs want to be told; where a game is counted, an
// amount says more.
func (s Scale) Chance(v engine.Value) float64 {
	if s.Unit == Discs {
		s.steep = discs
	}
	s.Unit = Share
	return s.Amount(v)
}

// reverse returns an amount as the other side has it.
func (u Unit) reverse(x float64) float64 {
	if u == Share {
		return 1 - x
	}
	if x == 0 {
		return 0 // and not -0
	}
	return -x
}

// Grade tells how bad a move is.
type Grade string

// The marks.
const (
	Fine       Grade = ""
	Inaccuracy Grade = "inaccuracy"
	Mistake    Grade = "mistake"
	Blunder    Grade = "blunder"
)

// Mark returns the mark of a loss.
func (u Unit) Mark(loss float64) Grade {
	steps := [3]float64{0.05, 0.10, 0.20}
	if u != Share {
		steps = [3]float64{2, 4, 8}
	}
	switch {
	case loss >= steps[2]:
		return Blunder
	case loss >= steps[1]:
		return Mistake
	case loss >= steps[0]:
		return Inaccuracy
	}
	return Fine
}
