package cluster

import "math"

// Silhouette is how much nearer items are to their own group than to the next one,
// from -1 to 1, in the mean. An item that is alone has 0.
func Silhouette(m *Matrix, groups []int) float64 {
	k := count(groups)
	size := make([]int, k)
	for _, g := range groups {
		size[g]++
	}
	total := 0.0
	sum := make([]float64, k)
	for i, own := range groups {
		if size[own] == 1 {
			continue
		}
		clear(sum)
		for j, g := range groups {
			sum[g] += m.At(i, j)
		}
		a, b := sum[own]/float64(size[own]-1), math.Inf(1)
		for g := range sum {
			if g != own {
				b = min(b, sum[g]/float64(size[g]))
			}
		}
		if worst := max(a, b); worst > 0 && !math.IsInf(b, 1) {
			total += (b - a) / worst
		}
	}
	return total / float64(len(groups))
}

// Agreement is how far two groupings of the same items agree.
type Agreement struct {
	Items, Groups, Classes int

	// Purity is the share of items that are of the most frequent class of their
	// group; Chance what it is where the same groups are filled blindly, which is
	// not little where groups are many.
	Purity, Chance float64

	// Precision and Recall are of pairs: how many pairs of a group are of one
	// class, and how many pairs of a class are in one group. Rand is the adjusted
	// index of Rand: 1 for the same grouping, 0 for chance.
	Precision, Recall, Rand float64
}

// Agree holds groups against classes. Weights may be nil. The chance is that of
// classes drawn anew for every item, so many of them as there are.
func Agree(groups, classes []int, weights []float64, shuffle func(n int, swap func(i, j int))) Agreement {
	a := Agreement{Items: len(groups), Groups: count(groups), Classes: count(classes)}
	if len(groups) == 0 {
		return a
	}
	a.Purity = purity(groups, classes, weights)
	if shuffle != nil {
		const times = 20
		mixed := append([]int(nil), classes...)
		for range times {
			shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			a.Chance += purity(groups, mixed, weights) / times
		}
	}
	pairs := func(n float64) float64 { return n * (n - 1) / 2 }
	both, inGroup, inClass := map[[2]int]float64{}, map[int]float64{}, map[int]float64{}
	for i, g := range groups {
		both[[2]int{g, classes[i]}]++
		inGroup[g]++
		inClass[classes[i]]++
	}
	var hit, g, c float64 // whole numbers: their order does not matter
	for _, n := range both {
		hit += pairs(n)
	}
	for _, n := range inGroup {
		g += pairs(n)
	}
	for _, n := range inClass {
		c += pairs(n)
	}
	if g > 0 {
		a.Precision = hit / g
	}
	if c > 0 {
		a.Recall = hit / c
	}
	all := pairs(float64(len(groups)))
	if expected := g * c / max(all, 1); (g+c)/2 != expected {
		a.Rand = (hit - expected) / ((g+c)/2 - expected)
	}
	return a
}

func purity(groups, classes []int, weights []float64) float64 {
	n := make(map[[2]int]float64)
	total := 0.0
	for i, g := range groups {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		n[[2]int{g, classes[i]}] += w
		total += w
	}
	most := make([]float64, count(groups))
	for k, w := range n {
		most[k[0]] = max(most[k[0]], w)
	}
	sum := 0.0
	for _, w := range most {
		sum += w
	}
	return sum / total
}

// count returns the number of groups, which are numbered from 0.
func count(groups []int) (k int) {
	for _, g := range groups {
		k = max(k, g+1)
	}
	return k
}
