package profile

import (
	"cmp"
	"math"
	"slices"

	"qipu/mine/dataset"
)

// Habit is something with a name that is on the board more often, or more seldom,
// than it would be if something else did not matter: who plays, or what else stands
// there.
type Habit struct {
	Name  string // of the item: its id without a side
	Title string
	Kind  string
	Other bool // it is the other side's

	Have, Of int     // so many of so many sides of games have it
	Expected float64 // and so many would
	Z        float64 // by how many standard deviations that is more
	Query    string  // what finds it
}

// Lift is how many times as often it is there as it would be.
func (h *Habit) Lift() float64 {
	if h.Expected <= 0 {
		return math.Inf(1)
	}
	return float64(h.Have) / h.Expected
}

// Habits are those that are not by chance, the most certain first.
type Habits struct {
	More, Less []Habit
	Tested     int // so many were looked at: of those listed, 1 in 100 is by chance
	Of         int // sides of games
}

// The bounds of habits: so many cases have to be expected at least for the normal
// law to hold, and such a share of what is listed may be false.
const (
	minExpected = 5
	falseShare  = .01
)

// tables finds the items of a set by name and side.
type namedItem struct {
	of    [2]*dataset.Item // by side; the same twice where it belongs to both
	first *dataset.Item
}

func itemsByName(s *dataset.Set) []namedItem {
	at := map[string]int{}
	var list []namedItem
	for i := range s.Items {
		it := &s.Items[i]
		if it.Name == "" {
			continue
		}
		k, ok := at[it.Name]
		if !ok {
			k = len(list)
			at[it.Name] = k
			list = append(list, namedItem{first: it})
		}
		for side := range 2 {
			if it.Side == side || it.Side == dataset.Both {
				list[k].of[side] = it
			}
		}
	}
	return list
}

func (x *namedItem) shared() bool { return x.first.Side == dataset.Both }

// title is what people call it, without the side.
func (x *namedItem) title(s *dataset.Set) string {
	t := x.first.Title
	if side := x.first.Side; side >= 0 && side < 2 && len(t) > len(s.Sides[side]) && t[:len(s.Sides[side])] == s.Sides[side] {
		t = t[len(s.Sides[side])+1:]
	}
	if t == "" {
		t = x.first.Name
	}
	return t
}

// Distinct returns what a player does that others do not: in the rows of a table,
// which are games. Others are compared where they sit on the same side.
func Distinct(s *dataset.Set, plays func(row, side int) bool) *Habits {
	var own, others [2]dataset.Bits
	h := &Habits{}
	for side := range 2 {
		own[side], others[side] = dataset.NewBits(len(s.Rows)), dataset.NewBits(len(s.Rows))
		for row := range s.Rows {
			if plays(row, side) {
				own[side].Set(row)
				h.Of++
			} else {
				others[side].Set(row)
			}
		}
	}
	var all []Habit
	for _, x := range itemsByName(s) {
		b := Habit{Name: x.first.Name, Title: x.title(s), Kind: x.first.Kind, Query: x.first.Query}
		v := 0.0
		for side := range 2 {
			it := x.of[side]
			n, m := own[side].Count(), others[side].Count()
			if it == nil || n == 0 || m == 0 {
				continue
			}
			b.Have += it.Rows.CountAnd(own[side])
			b.Of += n
			rate := float64(it.Rows.CountAnd(others[side])) / float64(m)
			b.Expected += rate * float64(n)
			v += float64(n) * rate * (1 - rate) * (1 + float64(n)/float64(m))
		}
		if max(b.Expected, float64(b.Have)) >= minExpected && v > 0 {
			b.Z = (float64(b.Have) - b.Expected) / math.Sqrt(v)
			all = append(all, b)
		}
	}
	h.keep(all)
	return h
}

// With returns what goes with something that has a name, and what goes against it:
// over the sides of games, its owner's own and the other side's. It returns nil where
// nothing has the name.
func With(s *dataset.Set, name string, skip func(other string) bool) *Habits {
	list := itemsByName(s)
	at := slices.IndexFunc(list, func(x namedItem) bool { return x.first.Name == name })
	if at < 0 {
		return nil
	}
	x := &list[at]
	n := len(s.Rows)
	h := &Habits{}
	var all []Habit
	for side := range 2 {
		if x.of[side] != nil {
			h.Of += x.of[side].Rows.Count()
		}
	}
	for i := range list {
		y := &list[i]
		if i == at || skip != nil && skip(y.first.Name) {
			continue
		}
		for _, other := range []bool{false, true} {
			if other && (x.shared() || y.shared()) {
				continue
			}
			b := Habit{Name: y.first.Name, Title: y.title(s), Kind: y.first.Kind, Other: other, Query: y.first.Query}
			v := 0.0
			for side := range 2 {
				its := side
				if other {
					its = 1 - side
				}
				if x.of[side] == nil || y.of[its] == nil || x.shared() && y.shared() && side == 1 {
					continue
				}
				a, c := float64(x.of[side].Rows.Count()), float64(y.of[its].Rows.Count())
				b.Have += x.of[side].Rows.CountAnd(y.of[its].Rows)
				b.Of += int(a)
				b.Expected += a * c / float64(n)
				v += a * c * (float64(n) - a) * (float64(n) - c) / (float64(n) * float64(n) * max(1, float64(n-1)))
			}
			if max(b.Expected, float64(b.Have)) >= minExpected && v > 0 {
				b.Z = (float64(b.Have) - b.Expected) / math.Sqrt(v)
				all = append(all, b)
			}
		}
	}
	h.keep(all)
	return h
}

// keep keeps what is not by chance, by the rule of Benjamini and Hochberg over all
// that was tested.
func (h *Habits) keep(all []Habit) {
	h.Tested = len(all)
	slices.SortStableFunc(all, func(a, b Habit) int { return cmp.Compare(math.Abs(b.Z), math.Abs(a.Z)) })
	last := 0
	for i, b := range all {
		if p := math.Erfc(math.Abs(b.Z) / math.Sqrt2); p <= falseShare*float64(i+1)/float64(len(all)) {
			last = i + 1
		}
	}
	for _, b := range all[:last] {
		if b.Z > 0 {
			h.More = append(h.More, b)
		} else {
			h.Less = append(h.Less, b)
		}
	}
}
