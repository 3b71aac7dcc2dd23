package cluster

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"qipu/mine/dataset"
)

// By is what makes patterns alike.
type By string

// The ways to compare patterns.
const (
	Together By = "together" // they stand in the same games
	Place    By = "place"    // they come about on the same part of the board
	Follows  By = "follows"  // the same comes after them
	All      By = "all"      // all three, each counting as much
)

// PatternOptions are how patterns are described.
type PatternOptions struct {
	By      By
	MinRows int // that have a pattern; 20 where 0
	Within  int // plies in which something follows; 12 where 0

	// Points is the number of points of the board, and Point the one that the move
	// which leads to a ply of a row goes to, seen by a side; -1 for none. Without
	// them places cannot be compared.
	Points int
	Point  func(row int, ply uint16, side int) int
}

// ErrPlaces tells that the table knows no places.
var ErrPlaces = errors.New("cluster: nothing tells where on the board these items come about")

// Patterns are items as vectors.
type Patterns struct {
	Items   []int // of the table
	Vectors [][]float64
	Rare    int // items that were left out, since too few rows have them
}

// Describe describes the items of a table that hold for a time.
func Describe(s *dataset.Set, o PatternOptions) (*Patterns, error) {
	if o.MinRows <= 0 {
		o.MinRows = 20
	}
	if o.Within <= 0 {
		o.Within = 12
	}
	p := &Patterns{}
	for i := range s.Items {
		switch n := s.Items[i].Rows.Count(); {
		case len(s.Items[i].Spans) == 0 || n == len(s.Rows):
		case n < o.MinRows:
			p.Rare++
		default:
			p.Items = append(p.Items, i)
		}
	}
	if len(p.Items) < 3 {
		return nil, ErrFew
	}
	if len(p.Items) > MaxItems {
		return nil, ErrMany
	}
	switch o.By {
	case Together:
		p.Vectors = p.together(s)
	case Follows:
		p.Vectors = p.follows(s, o.Within)
	case Place, All, "":
		if o.Point == nil || o.Points <= 0 {
			return nil, ErrPlaces
		}
		p.Vectors = p.places(s, &o)
		if o.By != Place {
			p.Vectors = beside(p.together(s), p.Vectors, p.follows(s, o.Within))
		}
	default:
		return nil, errors.New("cluster: patterns are not compared by " + string(o.By))
	}
	return p, nil
}

// together describes each item by how it goes with all others: the coefficient of
// correlation over the rows.
func (p *Patterns) together(s *dataset.Set) [][]float64 {
	n := float64(len(s.Rows))
	list := make([][]float64, len(p.Items))
	for a, i := range p.Items {
		list[a] = make([]float64, len(p.Items))
		x := float64(s.Items[i].Rows.Count())
		for b, j := range p.Items[:a] {
			y, both := float64(s.Items[j].Rows.Count()), float64(s.Items[i].Rows.CountAnd(s.Items[j].Rows))
			phi := (n*both - x*y) / math.Sqrt(x*(n-x)*y*(n-y))
			list[a][b], list[b][a] = phi, phi
		}
		list[a][a] = 1
	}
	for _, v := range list {
		Unit(v)
	}
	return list
}

// places describes each item by where the moves go that bring it about.
func (p *Patterns) places(s *dataset.Set, o *PatternOptions) [][]float64 {
	list := make([][]float64, len(p.Items))
	for a, i := range p.Items {
		it := &s.Items[i]
		counts := make([]float64, o.Points)
		for _, sp := range it.Spans {
			if pt := o.Point(int(sp.Row), sp.From, it.Side); pt >= 0 && pt < o.Points {
				counts[pt]++
			}
		}
		list[a] = Hellinger(counts)
	}
	return list
}

// follows describes each item by which of the others begin within some plies of
// its own beginning.
func (p *Patterns) follows(s *dataset.Set, within int) [][]float64 {
	type start struct {
		row  uint32
		ply  uint16
		item int
	}
	var starts []start
	for a, i := range p.Items {
		for _, sp := range s.Items[i].Spans {
			starts = append(starts, start{sp.Row, sp.From, a})
		}
	}
	slices.SortFunc(starts, func(x, y start) int {
		return cmp.Or(cmp.Compare(x.row, y.row), cmp.Compare(x.ply, y.ply), cmp.Compare(x.item, y.item))
	})
	counts := make([][]float64, len(p.Items))
	for a := range counts {
		counts[a] = make([]float64, len(p.Items)+1) // the last: nothing follows
	}
	for i, x := range starts {
		none := true
		for _, y := range starts[i+1:] {
			if y.row != x.row || int(y.ply)-int(x.ply) > within {
				break
			}
			if y.item != x.item && y.ply > x.ply {
				counts[x.item][y.item]++
				none = false
			}
		}
		if none {
			counts[x.item][len(p.Items)]++
		}
	}
	for a := range counts {
		counts[a] = Hellinger(counts[a])
	}
	return counts
}

// beside puts descriptions side by side, each scaled so that items differ as much
// in all of them.
func beside(parts ...[][]float64) [][]float64 {
	list := make([][]float64, len(parts[0]))
	for _, part := range parts {
		sum, n := 0.0, 0.0
		for i := range part {
			for j := range i {
				sum += math.Sqrt(square(part[i], part[j]))
				n++
			}
		}
		scale := 1.0
		if sum > 0 {
			scale = n / sum
		}
		for i, v := range part {
			for _, x := range v {
				list[i] = append(list[i], x*scale)
			}
		}
	}
	return list
}
