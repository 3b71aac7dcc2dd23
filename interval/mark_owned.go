package interval

import (
	"cmp"
	"slices"

	"qipu/game"
)

// Owner says whose marks are meant.
type Owner uint8

// The owners.
const (
	Anyone Owner = iota
	FirstSide
	SecondSide
)

// Has reports whether a side is meant.
func (o Owner) Has(side game.Side) bool { return o == Anyone || o == FirstSide+Owner(side&1) }

// Owned is an interval of a lane with whose it is.
type Owned struct {
	Span
	Side game.Side
}

func (o Owned) order(p Owned) int {
	return cmp.Or(o.Span.order(p.Span), cmp.Compare(o.Side, p.Side))
}

// AppendMarks appends the intervals of marks of a line in a lane, without what
// lies behind the end of the line.
func AppendMarks(dst []Owned, lane int, l *Line, marks []Mark) []Owned {
	for _, m := range marks {
		if to := min(m.To, l.End); m.From < to {
			dst = append(dst, Owned{Span{uint16(lane), m.From, to}, m.Side & 1})
		}
	}
	return dst
}

// UniteOwned brings intervals in any order into that of lanes, of slots and of
// sides, where they lie, and makes one of those of a side that touch: they may
// be of several columns. The result is the beginning of the list.
func UniteOwned(list []Owned) []Owned {
	if !slices.IsSortedFunc(list, Owned.order) {
		slices.SortFunc(list, Owned.order)
	}
	last := [2]int{-1, -1} // of each side, in the result
	united := list[:0]
	for _, o := range list {
		side := o.Side & 1
		if i := last[side]; i >= 0 && united[i].Lane == o.Lane && united[i].To >= o.From {
			united[i].To = max(united[i].To, o.To)
			continue
		}
		last[side] = len(united)
		united = append(united, o)
	}
	return united
}

// AppendOwners appends the moments of intervals that UniteOwned has put in order,
// of one side or of both.
func AppendOwners(dst Timeline, list []Owned, of Owner) Timeline {
	base := len(dst)
	for _, o := range list {
		if of.Has(o.Side) {
			dst = dst.unite(base, o.Span)
		}
	}
	return dst
}
