package game

import (
	"context"
	"slices"

	"qipu/board"
)

// Fate is what becomes of stones when a game is counted.
type Fate string

// The fates.
const (
	Alive Fate = "alive"
	Dead  Fate = "dead" // taken off before the count
	Seki  Fate = "seki" // they stay, and by some rules what they surround does not count
)

// Settled is a group of stones of one side that live or die together.
type Settled struct {
	Side   Side
	Points []board.Point // row by row
	Fate   Fate
	Sure   bool // otherwise the fate is the better guess of two
}

// Settlement is a count of a game whose end its rules cannot see alone: what is
// taken off the board, whose the points are, and who has won.
type Settlement struct {
	Groups []Settled // all stones of the board, by their first ones

	// Land is what counts for each side beside its living stones: empty points,
	// and those under dead stones of the other. Row by row.
	Land [2][]board.Point

	// Totals are the sums of both sides in half points, with what the second side
	// is given; Outcome tells who has won by them.
	Totals  [2]int
	Outcome Outcome

	// Left are points that are worth a move by the rules of the game, though
	// neither side has made it.
	Left []board.Point

	// Sure tells that the settler would be surprised by any other count. Where it
	// is not, Why says what is doubtful.
	Sure bool
	Why  Doubt
}

// Doubt is why a settlement may be another one.
type Doubt string

// The doubts.
const (
	// TooEarly tells that large parts of the board are nobody's yet: nothing is
	// taken off that is not proved dead.
	TooEarly Doubt = "early"
	// Unclear tells that the fate of some groups is the better guess of two.
	Unclear Doubt = "unclear"
)

// Dead returns the stones that are taken off, row by row.
func (s *Settlement) Dead() []board.Point { return s.Of(Dead) }

// Of returns the stones of a fate, row by row.
func (s *Settlement) Of(f Fate) []board.Point {
	list := []board.Point{}
	for i := range s.Groups {
		if s.Groups[i].Fate == f {
			list = append(list, s.Groups[i].Points...)
		}
	}
	slices.Sort(list)
	return list
}

// Marked returns the dead stones after all groups with a stone on one of the points
// were said to be dead, or not to be. Points without a stone mean nothing.
func (s *Settlement) Marked(points []board.Point, dead bool) []board.Point {
	list := []board.Point{}
	for i := range s.Groups {
		g := &s.Groups[i]
		off := g.Fate == Dead
		if slices.ContainsFunc(points, func(p board.Point) bool { return slices.Contains(g.Points, p) }) {
			off = dead
		}
		if off {
			list = append(list, g.Points...)
		}
	}
	slices.Sort(list)
	return list
}

// Settler settles games of a kind that ends when both sides pass, and is counted
// then by an agreement about what is dead. It is safe for concurrent use. The
// positions that it is given stay as they are, and are those of one game.
type Settler interface {
	// Propose tells how it would count a position.
	Propose(ctx context.Context, p Position) (*Settlement, error)

	// Count counts a position in which these stones are dead and all others are
	// not. One stone of a string stands for all of it. Sure tells that it would
	// have proposed the same, and is sure of that.
	Count(p Position, dead []board.Point) (*Settlement, error)

	// Clear returns a move of the side to move towards taking stones of the other
	// off the board that it holds for dead, or whose fate is unclear; Pass where
	// there is none.
	Clear(p Position) Move
}

// Settles tells that a game has ended so that it has to be settled: play is over,
// and who has won is for an agreement to say.
func Settles(o Outcome) bool { return o.State == Unscored && !o.Claim }

// Settlers finds who settles games of a kind; nil for a kind whose rules see the end
// of a game alone. The nil function knows of none.
type Settlers func(Rules) Settler

// Of returns who settles games of a kind, or nil.
func (f Settlers) Of(r Rules) Settler {
	if f == nil {
		return nil
	}
	return f(r)
}
