package rules

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"qipu/mine/dataset"
)

// Strata are the rows in groups that are alike in what decides games without any pattern.
type Strata struct {
	Of   []int32 // by row
	N    int
	By   []string // the columns that they are made of
	Text string   // the same as a sentence
}

// confounders are the columns that rows of a stratum share, with how many parts each is cut
// into: of those in one list the first is taken that most rows have.
var confounders = []struct {
	names []string
	parts int
}{
	{[]string{"material"}, 5},
	{[]string{"rating", "rank", "strength"}, 3},
	{[]string{"value"}, 4},
}

// StrataOf groups rows by material, by the difference of strength and, where the table has
// it, by value, but not by what is judged. Numbers are cut at their quantiles; what is unknown is a part by itself.
func StrataOf(s *dataset.Set, judge string) Strata {
	out := Strata{Of: make([]int32, len(s.Rows)), N: 1}
	for _, c := range confounders {
		var best *dataset.Number
		most := 0
		for _, name := range c.names {
			if n := s.Number(name); n != nil && name != judge {
				known := 0
				for _, x := range n.Values {
					if dataset.Known(x) {
						known++
					}
				}
				if known > most {
					best, most = n, known
				}
			}
		}
		if best == nil {
			continue
		}
		cuts := quantiles(best.Values, c.parts)
		if len(cuts) == 0 && most == len(s.Rows) {
			continue // a constant tells nothing
		}
		out.By = append(out.By, best.Name)
		levels := int32(len(cuts) + 2)
		for r, x := range best.Values {
			part := levels - 1
			if dataset.Known(x) {
				at, found := slices.BinarySearch(cuts, x)
				if found {
					at++
				}
				part = int32(at)
			}
			out.Of[r] = out.Of[r]*levels + part
		}
		out.N *= int(levels)
	}
	// Only those that rows are in.
	at := map[int32]int32{}
	for r, x := range out.Of {
		n, ok := at[x]
		if !ok {
			n = int32(len(at))
			at[x] = n
		}
		out.Of[r] = n
	}
	out.N = max(len(at), 1)
	out.Text = "no strata: the table has no column of material, strength or value that varies"
	if len(out.By) > 0 {
		out.Text = "within " + strconv.Itoa(out.N) + " strata of " + strings.Join(out.By, " and ")
	}
	return out
}

// quantiles returns where to cut numbers into parts of about the same size: each cut is the
// least number of its part, and there are fewer of them where numbers repeat.
func quantiles(values []float64, parts int) (cuts []float64) {
	var list []float64
	for _, x := range values {
		if dataset.Known(x) {
			list = append(list, x)
		}
	}
	slices.Sort(list)
	last := math.Inf(-1)
	if len(list) > 0 {
		last = list[0]
	}
	for i := 1; i < parts && len(list) > 0; i++ {
		if x := list[i*len(list)/parts]; x > last {
			cuts, last = append(cuts, x), x
		}
	}
	return cuts
}

// grid is the rows of a table sorted by stratum, so that the rows of one are words on end
// of every column.
type grid struct {
	rows    int
	order   []int32        // rows of the table by place; -1 where there is none
	from    []int32        // the first word of each stratum, and the end
	columns []dataset.Bits // of items, nil for those that are rare
	wins    dataset.Bits   // of the first side
	draws   dataset.Bits
	all     dataset.Bits
	weights []float64 // by place; nil where all are 1
}

// layOut lays out the rows that have a known result, or all where result is nil.
func layOut(s *dataset.Set, strata *Strata, result []float64) *grid {
	g := &grid{}
	lists := make([][]int32, strata.N)
	plain := true
	for r := range s.Rows {
		if result == nil || dataset.Known(result[r]) {
			lists[strata.Of[r]] = append(lists[strata.Of[r]], int32(r))
			g.rows++
			plain = plain && s.Rows[r].Weight == 1
		}
	}
	for _, list := range lists {
		g.from = append(g.from, int32(len(g.order)/64))
		g.order = append(g.order, list...)
		for len(g.order)%64 != 0 {
			g.order = append(g.order, -1)
		}
	}
	g.from = append(g.from, int32(len(g.order)/64))
	n := len(g.order)
	g.all, g.wins, g.draws = dataset.NewBits(n), dataset.NewBits(n), dataset.NewBits(n)
	if !plain {
		g.weights = make([]float64, n)
	}
	for at, r := range g.order {
		if r < 0 {
			continue
		}
		g.all.Set(at)
		if !plain {
			g.weights[at] = s.Rows[r].Weight
		}
		if result != nil {
			switch x := result[r]; {
			case x >= .75:
				g.wins.Set(at)
			case x > .25:
				g.draws.Set(at)
			}
		}
	}
	return g
}

// lay returns a set of rows of the table as one of places.
func (g *grid) lay(rows dataset.Bits) dataset.Bits {
	b := dataset.NewBits(len(g.order))
	for at, r := range g.order {
		if r >= 0 && rows.Has(int(r)) {
			b.Set(at)
		}
	}
	return b
}
