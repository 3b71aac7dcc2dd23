package tree

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Fold is one way to part the rows: what is learnt from, and what it is tried on.
type Fold struct{ Train, Test []int32 }

// Folds parts rows into folds so that every row is tried once, and no group is on
// both sides of one. A row may belong to several groups, as a game does to two
// players: it is tried with its first group, and learnt from where none of its
// groups is tried. A row without a group is one of its own. The result depends on
// nothing but its arguments.
func Folds(groups [][]string, k int, seed uint64) ([]Fold, error) {
	groups = slices.Clone(groups)
	size := map[string]int{}
	var names []string
	for i, list := range groups {
		if len(list) == 0 {
			list = []string{fmt.Sprintf("\x00%d", i)}
			groups[i] = list
		}
		for j, name := range list {
			if _, ok := size[name]; !ok {
				names = append(names, name)
				size[name] = 0
			}
			if j == 0 {
				size[name]++
			}
		}
	}
	if len(names) < k || k < 2 {
		return nil, fmt.Errorf("tree: %d groups cannot be parted into %d folds; at least as many groups as folds are needed, and two of each", len(names), k)
	}
	slices.Sort(names)
	rng := rand.New(rand.NewPCG(seed, 1))
	rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(size[b], size[a]) })
	in, load := make(map[string]int, len(names)), make([]int, k)
	for _, name := range names {
		least := 0
		for f := range load {
			if load[f] < load[least] {
				least = f
			}
		}
		in[name] = least
		load[least] += size[name]
	}
	// Groups that are nowhere first would all be in one fold.
	for i, name := range names {
		if size[name] == 0 {
			in[name] = i % k
		}
	}
	folds := make([]Fold, k)
	for i, list := range groups {
		for f := range folds {
			switch {
			case in[list[0]] == f:
				folds[f].Test = append(folds[f].Test, int32(i))
			case !slices.ContainsFunc(list, func(name string) bool { return in[name] == f }):
				folds[f].Train = append(folds[f].Train, int32(i))
			}
		}
	}
	for _, f := range folds {
		if len(f.Train) == 0 || len(f.Test) == 0 {
			return nil, fmt.Errorf("tree: the groups are too unlike in size to be parted into %d folds", k)
		}
	}
	return folds, nil
}
