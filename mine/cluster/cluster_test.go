package cluster_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qipu/mine/cluster"
	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
)

// planted makes vectors around centres, with noise of so many distances of centres.
func planted(groups, each, dim int, noise float64, seed uint64) (vectors [][]float64, classes []int) {
	rng := rand.New(rand.NewPCG(seed, 0))
	for g := range groups {
		centre := make([]float64, dim)
		for i := range centre {
			centre[i] = rng.NormFloat64()
		}
		for range each {
			v := make([]float64, dim)
			for i := range v {
				v[i] = centre[i] + noise*rng.NormFloat64()
			}
			vectors, classes = append(vectors, v), append(classes, g)
		}
	}
	return vectors, classes
}

// TestPlanted recovers planted clusters by all methods, and prints how much of them
// is left as noise grows.
func TestPlanted(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, noise := range []float64{.2, .5, 1, 2} {
		vectors, classes := planted(6, 20, 10, noise, 5)
		m, err := cluster.Distances(vectors)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, groups []int) {
			a := cluster.Agree(groups, classes, nil, rng.Shuffle)
			t.Logf("noise %.1f %-8s precision %.2f recall %.2f Rand %.2f purity %.2f (chance %.2f)", noise, name, a.Precision, a.Recall, a.Rand, a.Purity, a.Chance)
			if noise <= .2 && a.Rand < .999 || noise <= .5 && name != "map" && a.Rand < .9 || noise <= .5 && a.Rand < .8 {
				t.Errorf("noise %.1f: %s agrees by %.3f", noise, name, a.Rand)
			}
		}
		for _, link := range []cluster.Linkage{cluster.Average, cluster.Ward} {
			h, err := cluster.Join(t.Context(), m, link)
			if err != nil {
				t.Fatal(err)
			}
			check(fmt.Sprint("linkage ", link), h.Cut(6))
			if k, _ := h.Best(m, 20); noise == .2 && k != 6 {
				t.Errorf("%v: %d groups look best, planted were 6", link, k)
			}
		}
		som, err := cluster.Train(t.Context(), vectors, cluster.MapOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		groups, err := som.Groups(t.Context(), 6)
		if err != nil {
			t.Fatal(err)
		}
		check("map", groups)
		again, _ := cluster.Train(t.Context(), vectors, cluster.MapOptions{Seed: 1})
		if !slices.Equal(som.Place, again.Place) {
			t.Error("the same seed gives another map")
		}
	}
}

// TestJoinBySlowWay holds hierarchies against the plain way: of all pairs of groups
// the nearest are joined.
func TestJoinBySlowWay(t *testing.T) {
	for seed := range uint64(8) {
		vectors, _ := planted(3, 7, 3, 1, seed)
		m, _ := cluster.Distances(vectors)
		for _, link := range []cluster.Linkage{cluster.Average, cluster.Ward} {
			h, err := cluster.Join(t.Context(), m, link)
			if err != nil {
				t.Fatal(err)
			}
			slow := slowly(vectors, link)
			for i, merge := range h.Merges {
				if math.Abs(merge.Height-slow[i]) > 1e-4 {
					t.Fatalf("%v, seed %d: merge %d at %.5f, slowly at %.5f", link, seed, i, merge.Height, slow[i])
				}
			}
		}
	}
}

// slowly returns the heights of a hierarchy, straight from the definitions.
func slowly(vectors [][]float64, link cluster.Linkage) (heights []float64) {
	var groups [][]int
	for i := range vectors {
		groups = append(groups, []int{i})
	}
	dist := func(a, b []float64) (v float64) {
		for i := range a {
			v += (a[i] - b[i]) * (a[i] - b[i])
		}
		return v
	}
	mean := func(g []int) []float64 {
		v := make([]float64, len(vectors[0]))
		for _, i := range g {
			for j, x := range vectors[i] {
				v[j] += x / float64(len(g))
			}
		}
		return v
	}
	for len(groups) > 1 {
		bi, bj, low := 0, 0, math.Inf(1)
		for i := range groups {
			for j := range i {
				a, b := groups[i], groups[j]
				d := 0.0
				if link == cluster.Ward {
					na, nb := float64(len(a)), float64(len(b))
					d = math.Sqrt(2 * na * nb / (na + nb) * dist(mean(a), mean(b)))
				} else {
					for _, x := range a {
						for _, y := range b {
							d += math.Sqrt(dist(vectors[x], vectors[y])) / float64(len(a)*len(b))
						}
					}
				}
				if d < low {
					bi, bj, low = i, j, d
				}
			}
		}
		heights = append(heights, low)
		groups[bj] = append(groups[bj], groups[bi]...)
		groups = slices.Delete(groups, bi, bi+1)
	}
	return heights
}

// patternSet is a table in which items come in three families: those of a family
// stand together, on one part of the board, and one behind the other.
func patternSet(rows int) (*dataset.Set, cluster.PatternOptions) {
	rng := rand.New(rand.NewPCG(2, 2))
	s := dataset.New("planted", datasettest.GameRows(rows))
	spans := make([][]dataset.Span, 12)
	point := map[[2]int]int{}
	for r := range rows {
		for f := range 3 {
			if rng.Float64() > .4 {
				continue
			}
			at := 10 + rng.IntN(20)
			for i := f; i < 12; i += 3 {
				if rng.Float64() < .7 {
					spans[i] = append(spans[i], dataset.Span{Row: uint32(r), From: uint16(at), To: uint16(at + 4)})
					point[[2]int{r, at}] = 20*f + rng.IntN(15)
				}
				at += 3
			}
		}
	}
	for i, list := range spans {
		s.AddItem(dataset.Item{ID: strconv.Itoa(i)}, list)
	}
	s.AddItem(dataset.Item{ID: "rare"}, []dataset.Span{{Row: 1, From: 3, To: 4}})
	return s, cluster.PatternOptions{Points: 60, Point: func(row int, ply uint16, side int) int {
		if pt, ok := point[[2]int{row, int(ply)}]; ok {
			return pt
		}
		return -1
	}}
}

// TestPatterns recovers planted families of patterns by each way to compare them.
func TestPatterns(t *testing.T) {
	s, o := patternSet(600)
	for _, by := range []cluster.By{cluster.Together, cluster.Place, cluster.Follows, cluster.All} {
		o.By = by
		p, err := cluster.Describe(s, o)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rare != 1 || len(p.Items) != 12 {
			t.Fatalf("%s: %d items, %d rare", by, len(p.Items), p.Rare)
		}
		m, err := cluster.Distances(p.Vectors)
		if err != nil {
			t.Fatal(err)
		}
		h, err := cluster.Join(t.Context(), m, cluster.Average)
		if err != nil {
			t.Fatal(err)
		}
		var want []int
		for _, i := range p.Items {
			want = append(want, i%3)
		}
		a := cluster.Agree(h.Cut(3), want, nil, nil)
		t.Logf("%s: precision %.2f recall %.2f", by, a.Precision, a.Recall)
		// What follows the last of a family is something of any.
		if a.Rand < .999 && by != cluster.Follows {
			t.Errorf("%s: families agree by %.2f", by, a.Rand)
		}
		labels := make([]cluster.Label, 12)
		for i := range labels {
			labels[i] = cluster.Label{Text: "item <" + strconv.Itoa(i) + ">", Link: "/names/x/" + strconv.Itoa(i)}
		}
		som, err := cluster.Train(t.Context(), p.Vectors, cluster.MapOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, svg := range []string{h.SVG(labels), som.SVG(labels)} {
			if !strings.Contains(svg, `<a href="/names/x/7">`) || strings.Contains(svg, "item <") || !strings.HasSuffix(svg, "</svg>\n") {
				t.Errorf("%s: the picture is not what it should be:\n%.400s", by, svg)
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	two, _ := cluster.Distances([][]float64{{1}, {2}})
	if _, err := cluster.Join(t.Context(), two, cluster.Ward); !errors.Is(err, cluster.ErrFew) {
		t.Error(err)
	}
	same, _ := cluster.Distances([][]float64{{1}, {1}, {1}})
	if _, err := cluster.Join(t.Context(), same, cluster.Ward); !errors.Is(err, cluster.ErrSame) {
		t.Error(err)
	}
	if _, err := cluster.Train(t.Context(), [][]float64{{1}, {1}, {1}}, cluster.MapOptions{}); !errors.Is(err, cluster.ErrSame) {
		t.Error(err)
	}
	if _, err := cluster.Train(t.Context(), nil, cluster.MapOptions{}); !errors.Is(err, cluster.ErrFew) {
		t.Error(err)
	}
	if _, err := cluster.NewMatrix(1_000_000, nil); !errors.Is(err, cluster.ErrMany) {
		t.Error(err)
	}
	if _, err := cluster.Train(t.Context(), make([][]float64, 1_000_000), cluster.MapOptions{}); !errors.Is(err, cluster.ErrMany) {
		t.Error(err)
	}
	if _, err := cluster.Describe(dataset.New("empty", nil), cluster.PatternOptions{By: cluster.Together}); !errors.Is(err, cluster.ErrFew) {
		t.Error(err)
	}
	s, _ := patternSet(100)
	if _, err := cluster.Describe(s, cluster.PatternOptions{By: cluster.Place}); !errors.Is(err, cluster.ErrPlaces) {
		t.Error(err)
	}
}
