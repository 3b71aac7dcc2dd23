package tree

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Model is how one way to foretell fared on rows that it had not seen.
type Model struct {
	Name  string // "constant", "base", "CART", "C4.5", Given, "forest"
	Loss  float64
	Gain  float64 // log loss of "base" less its own: above 0 it is better
	Error float64 // the standard error of Gain
	AUC   float64 // of rows that were won or lost
	Curve []Bin   // how true its values are
	Gap   float64 // mean distance between value and score over the bins
}

// Given is the name of a tree on top of the base.
const Given = "given"

// Bin is a tenth of the rows, by foretold value.
type Bin struct {
	Rows         int
	Value, Score float64
}

// Progress is told how many of all steps are done.
type Progress func(done, all int)

// Compare foretells every row by what the other folds teach, in several ways. The
// base is a logistic regression on some columns; trees and forest see all of
// them. Rows of one of clusters are taken to err together.
func Compare(ctx context.Context, t *Table, folds []Fold, base []int, clusters []string, opts Options, boost BoostOptions, p Progress) ([]Model, error) {
	b, err := bin(t)
	if err != nil {
		return nil, err
	}
	names := []string{"constant", "base", CART.String(), C45.String(), Given, "forest"}
	values := make([][]float64, len(names))
	for i := range values {
		values[i] = make([]float64, len(t.Score))
	}
	for i, f := range folds {
		if p != nil {
			p(i, len(folds))
		}
		inner, watch := without(folds, i)
		var all sums
		for _, r := range f.Train {
			all = all.add(sums{b.weights[r], b.weights[r] * b.Score[r]})
		}
		regression := b.logit(base, f.Train)
		models := []func(func(int) float32) float64{
			func(func(int) float32) float64 { return all.s / all.w },
			regression.Value,
		}
		for _, m := range []Method{CART, C45} {
			o := opts
			o.Method = m
			tree, err := b.fit(ctx, f.Train, inner, o)
			if err != nil {
				return nil, err
			}
			models = append(models, tree.Value)
		}
		given, err := b.fitGiven(ctx, f.Train, inner, base, regression, opts)
		if err != nil {
			return nil, err
		}
		models = append(models, given.Value)
		forest, err := b.boost(ctx, watch.Train, watch.Test, boost)
		if err != nil {
			return nil, err
		}
		if n := len(forest.Trees); n > 0 { // as many, on all rows
			o := boost
			o.Trees = n
			if forest, err = b.boost(ctx, f.Train, nil, o); err != nil {
				return nil, err
			}
		}
		models = append(models, forest.Value)
		for _, r := range f.Test {
			for m := range models {
				values[m][r] = models[m](func(c int) float32 { return b.Columns[c].Values[r] })
			}
		}
	}
	list := make([]Model, len(names))
	for i := range names {
		list[i] = b.measure(names[i], values[i], values[1], clusters)
	}
	return list, nil
}

// without returns the folds but one, as folds of its training rows, and one of
// them by which a forest can be watched.
func without(folds []Fold, out int) (inner []Fold, watch Fold) {
	in := map[int32]bool{}
	for _, r := range folds[out].Train {
		in[r] = true
	}
	only := func(list []int32) []int32 {
		return slices.DeleteFunc(slices.Clone(list), func(r int32) bool { return !in[r] })
	}
	for i, f := range folds {
		if i != out {
			inner = append(inner, Fold{only(f.Train), only(f.Test)})
		}
	}
	return inner, inner[out%len(inner)]
}

// measure holds foretold values against scores.
func (b *binned) measure(name string, values, base []float64, clusters []string) Model {
	m := Model{Name: name}
	total := 0.0
	gains := map[string]float64{} // by cluster
	weights := map[string]float64{}
	for r, v := range values {
		w := b.weights[r]
		loss := logLoss(b.Score[r], v)
		gain := logLoss(b.Score[r], base[r]) - loss
		m.Loss += w * loss
		m.Gain += w * gain
		total += w
		key := ""
		if clusters != nil {
			key = clusters[r]
		}
		if key == "" {
			key = "\x00" + string(rune(r))
		}
		gains[key] += w * gain
		weights[key] += w
	}
	m.Loss, m.Gain = m.Loss/total, m.Gain/total
	keys := make([]string, 0, len(gains))
	for k := range gains {
		keys = append(keys, k)
	}
	slices.Sort(keys) // sums of floats depend on their order
	v := 0.0
	for _, k := range keys {
		d := gains[k] - weights[k]*m.Gain
		v += d * d
	}
	m.Error = math.Sqrt(v) / total
	m.AUC = b.auc(values)
	m.Curve = b.curve(values)
	rows := 0.0
	for _, c := range m.Curve {
		m.Gap += float64(c.Rows) * math.Abs(c.Value-c.Score)
		rows += float64(c.Rows)
	}
	m.Gap /= rows
	return m
}

// auc is how often a row that was won has a higher value than one that was lost.
func (b *binned) auc(values []float64) float64 {
	type row struct{ v, won, lost float64 }
	var list []row
	for r, v := range values {
		switch b.Score[r] {
		case 1:
			list = append(list, row{v, b.weights[r], 0})
		case 0:
			list = append(list, row{v, 0, b.weights[r]})
		}
	}
	slices.SortFunc(list, func(a, b row) int { return cmp.Compare(a.v, b.v) })
	won, lost, area := 0.0, 0.0, 0.0
	for i := 0; i < len(list); {
		w, l := 0.0, 0.0
		for v := list[i].v; i < len(list) && list[i].v == v; i++ {
			w, l = w+list[i].won, l+list[i].lost
		}
		area += w * (lost + l/2)
		won, lost = won+w, lost+l
	}
	if won == 0 || lost == 0 {
		return math.NaN()
	}
	return area / won / lost
}

// curve parts the rows into tenths by value.
func (b *binned) curve(values []float64) []Bin {
	rows := b.rows()
	slices.SortStableFunc(rows, func(x, y int32) int { return cmp.Compare(values[x], values[y]) })
	var list []Bin
	for i := range 10 {
		part := rows[i*len(rows)/10 : (i+1)*len(rows)/10]
		if len(part) == 0 {
			continue
		}
		bin, w := Bin{Rows: len(part)}, 0.0
		for _, r := range part {
			w += b.weights[r]
			bin.Value += b.weights[r] * values[r]
			bin.Score += b.weights[r] * b.Score[r]
		}
		bin.Value, bin.Score = bin.Value/w, bin.Score/w
		list = append(list, bin)
	}
	return list
}
