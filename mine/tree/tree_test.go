package tree_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"qipu/mine/tree"
)

// planted makes rows whose score follows a tree: with column 3 they are won by
// high, without it where column 7 lies above .6, by middle; low otherwise.
func planted(rows, columns int, high, middle, low float64, seed uint64) *tree.Table {
	rng := rand.New(rand.NewPCG(seed, 0))
	t := &tree.Table{Score: make([]float64, rows)}
	for c := range columns {
		col := tree.Column{Name: "c" + strconv.Itoa(c), Values: make([]float32, rows), Flag: c != 7}
		for r := range rows {
			if c == 7 {
				col.Values[r] = rng.Float32()
			} else if rng.Float64() < .3 {
				col.Values[r] = 1
			}
		}
		t.Columns = append(t.Columns, col)
	}
	for r := range rows {
		p := low
		switch {
		case t.Columns[3].Values[r] == 1:
			p = high
		case t.Columns[7].Values[r] > .6:
			p = middle
		}
		if rng.Float64() < p {
			t.Score[r] = 1
		}
	}
	return t
}

func folds(t *testing.T, rows, k int) []tree.Fold {
	t.Helper()
	groups := make([][]string, rows)
	for i := range groups {
		groups[i] = []string{strconv.Itoa(i % 97)}
	}
	list, err := tree.Folds(groups, k, 1)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPlanted grows trees on rows that follow one, with more and more noise, and
// prints how many of its two splits were found and how many others.
func TestPlanted(t *testing.T) {
	const rows, columns = 4000, 40
	for _, gap := range []float64{.3, .15, .08, 0} {
		table := planted(rows, columns, .5+gap, .5+gap/4, .5-gap, 7)
		f := folds(t, rows, 5)
		for _, m := range []tree.Method{tree.CART, tree.C45} {
			fit, err := tree.Fit(t.Context(), table, f, tree.Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			found, other := map[int]bool{}, 0
			var walk func(n *tree.Node)
			walk = func(n *tree.Node) {
				if n.Split == nil {
					return
				}
				switch c := n.Split.Column; {
				case c == 3, c == 7 && math.Abs(float64(n.Split.At)-.6) < .05:
					found[c] = true
				default:
					other++
				}
				for _, k := range n.Kids {
					walk(k)
				}
			}
			walk(fit.Root)
			t.Logf("gap %.2f, %v: recall %d of 2, other splits %d, shrink %v", gap, m, len(found), other, fit.Shrink)
			if gap >= .15 && m == tree.CART && (len(found) != 2 || other > 0) {
				t.Errorf("gap %.2f: CART found %d of 2 planted splits and %d others\n%s", gap, len(found), other, fit.Text())
			}
			if gap >= .3 && len(found) != 2 {
				t.Errorf("gap %.2f: %v found %d of 2\n%s", gap, m, len(found), fit.Text())
			}
			if gap == 0 && m == tree.CART && fit.Leaves() > 1 {
				t.Errorf("noise grew a tree of %d leaves", fit.Leaves())
			}
			if gap == .3 && m == tree.CART {
				checkLeaves(t, fit, table)
			}
		}
	}
}

// checkLeaves holds the leaves of the tree that was planted against the chances
// that it was planted with.
func checkLeaves(t *testing.T, fit *tree.Tree, table *tree.Table) {
	for _, l := range fit.List() {
		want := .2
		for _, c := range l.Conditions {
			switch {
			case c.Column == "c3" && c.There:
				want = .8
			case c.Column == "c7" && c.From != nil:
				want = .575
			}
		}
		if want < l.Low-.03 || want > l.High+.03 || l.Low > l.Value || l.High < l.Value {
			t.Errorf("leaf %v has %.3f (%.3f-%.3f), planted was %.3f", l.Conditions, l.Value, l.Low, l.High, want)
		}
	}
	text, picture := fit.Text(), fit.SVG()
	for _, part := range []string{"with c3", "without c3", "c7 at most", "c7 above"} {
		if !strings.Contains(text, part) || !strings.Contains(picture, part) {
			t.Errorf("drawings do not have %q:\n%s", part, text)
		}
	}
	said := fit.Sentences("Red")
	if len(said) != fit.Leaves() || !strings.Contains(strings.Join(said, "\n"), "Without c3, c7 above") {
		t.Errorf("sentences: %q", said)
	}
}

// TestLevels plants a category: CART parts its levels in two, C4.5 gives each a
// branch.
func TestLevels(t *testing.T) {
	const rows = 3000
	rng := rand.New(rand.NewPCG(3, 3))
	table := &tree.Table{Score: make([]float64, rows), Columns: []tree.Column{
		{Name: "opening", Levels: []string{"A", "B", "C", "D"}, Values: make([]float32, rows)},
		{Name: "noise", Values: make([]float32, rows)},
	}}
	for r := range rows {
		level := rng.IntN(4)
		table.Columns[0].Values[r] = float32(level)
		table.Columns[1].Values[r] = rng.Float32()
		if rng.IntN(20) == 0 {
			table.Columns[0].Values[r] = float32(math.NaN())
		}
		if p := []float64{.8, .2, .8, .2}[level]; rng.Float64() < p {
			table.Score[r] = 1
		}
	}
	f := folds(t, rows, 5)
	cart, err := tree.Fit(t.Context(), table, f, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := cart.Text(); cart.Leaves() != 2 || !strings.Contains(text, "opening A or C") || !strings.Contains(text, "opening B or D") {
		t.Errorf("CART:\n%s", text)
	}
	c45, err := tree.Fit(t.Context(), table, f, tree.Options{Method: tree.C45})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(c45.Root.Kids); n < 4 {
		t.Errorf("C4.5:\n%s", c45.Text())
	}
}

// TestCompare asks for honest figures: what was planted is found by trees and
// forest and not by a base that does not see it; without a plant nothing is better
// than the base. Values of the forest are as true as they say.
func TestCompare(t *testing.T) {
	const rows = 2500
	for _, gap := range []float64{.25, 0} {
		table := planted(rows, 20, .5+gap, .5+gap/4, .5-gap, 11)
		list, err := tree.Compare(t.Context(), table, folds(t, rows, 3), []int{0, 1}, nil, tree.Options{}, tree.BoostOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			t.Logf("gap %.2f %-8s loss %.4f gain %+.4f ± %.4f auc %.3f gap %.3f", gap, m.Name, m.Loss, m.Gain, m.Error, m.AUC, m.Gap)
			learns := m.Name != "constant" && m.Name != "base"
			if want := learns && gap > 0; m.Better() != want {
				t.Errorf("gap %.2f: %s is better than its base: %v, want %v", gap, m.Name, m.Better(), want)
			}
			if learns && gap > 0 && m.Gap > .05 {
				t.Errorf("%s is off by %.3f", m.Name, m.Gap)
			}
		}
	}
}

// TestGiven plants a score that follows a number, which a regression knows, and a
// flag beside it that goes with the number: a tree on top tells what the flag adds, and
// a plain one takes for its work what is the number's.
func TestGiven(t *testing.T) {
	const rows, adds = 6000, .6
	rng := rand.New(rand.NewPCG(8, 8))
	table := &tree.Table{Score: make([]float64, rows)}
	for _, name := range []string{"material", "idle", "works"} {
		table.Columns = append(table.Columns, tree.Column{Name: name, Flag: name != "material", Values: make([]float32, rows)})
	}
	sum := 0.0
	for r := range rows {
		m := rng.NormFloat64()
		odds := m
		table.Columns[0].Values[r] = float32(m)
		if rng.NormFloat64()+m > 0 {
			table.Columns[1].Values[r] = 1
		}
		if rng.IntN(2) == 0 {
			table.Columns[2].Values[r] = 1
			odds += adds
			sum += 1/(1+math.Exp(-odds)) - 1/(1+math.Exp(-m))
		}
		if rng.Float64() < 1/(1+math.Exp(-odds)) {
			table.Score[r] = 1
		}
	}
	fit, err := tree.FitGiven(t.Context(), table, folds(t, rows, 5), []int{0}, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := fit.Text()
	t.Logf("planted %+.3f\n%s", 2*sum/rows, text)
	if fit.Leaves() != 2 || !strings.Contains(text, "with works") || strings.Contains(text, "idle") {
		t.Fatal("the tree is not the one that was planted")
	}
	with, without := fit.Root.Kids[1], fit.Root.Kids[0]
	if gap := with.More - without.More; math.Abs(gap-2*sum/rows) > .03 {
		t.Errorf("the flag adds %.3f, planted was %.3f", gap, 2*sum/rows)
	}
	if with.Low > with.More || with.High < with.More || with.Low < 0 {
		t.Errorf("%.3f lies in %.3f to %.3f", with.More, with.Low, with.High)
	}
	if said := fit.Sentences("Red"); !strings.Contains(said[1], "With works: Red scores +") {
		t.Errorf("%q", said)
	}
}

// TestWeights: rows of weight 3 are as good as three rows.
func TestWeights(t *testing.T) {
	one := planted(900, 9, .8, .5, .2, 5)
	thrice := &tree.Table{Columns: make([]tree.Column, len(one.Columns))}
	for i, c := range one.Columns {
		thrice.Columns[i] = c
		thrice.Columns[i].Values = append(append(append([]float32{}, c.Values...), c.Values...), c.Values...)
	}
	thrice.Score = append(append(append([]float64{}, one.Score...), one.Score...), one.Score...)
	one.Weight = make([]float64, len(one.Score))
	for i := range one.Weight {
		one.Weight[i] = 3
	}
	for _, m := range []tree.Method{tree.CART, tree.C45} {
		opts := tree.Options{Method: m, MinLeaf: 60}
		a, err := tree.Fit(t.Context(), one, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		b, err := tree.Fit(t.Context(), thrice, nil, opts)
		if err != nil {
			t.Fatal(err)
		}
		if m == tree.C45 { // its pessimism counts rows, of which one has fewer
			continue
		}
		if a.Leaves() != b.Leaves() || math.Abs(a.Root.Kids[0].Value-b.Root.Kids[0].Value) > 1e-9 {
			t.Errorf("%v: weights\n%s\nrows\n%s", m, a.Text(), b.Text())
		}
	}
}

// TestFolds: every row is tried once, and no player is on both sides.
func TestFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	groups := make([][]string, 500)
	for i := range groups {
		groups[i] = []string{strconv.Itoa(rng.IntN(60)), strconv.Itoa(rng.IntN(60))}
	}
	list, err := tree.Folds(groups, 5, 4)
	if err != nil {
		t.Fatal(err)
	}
	tried := make([]int, len(groups))
	for _, f := range list {
		first := map[string]bool{}
		for _, r := range f.Test {
			tried[r]++
			first[groups[r][0]] = true
		}
		for _, r := range f.Train {
			if first[groups[r][0]] || first[groups[r][1]] {
				t.Fatalf("a player of row %d is on both sides", r)
			}
		}
	}
	for r, n := range tried {
		if n != 1 {
			t.Fatalf("row %d is tried %d times", r, n)
		}
	}
	if _, err := tree.Folds([][]string{{"a"}, {"a"}}, 2, 1); err == nil {
		t.Error("one group was parted")
	}
}

func TestRefuses(t *testing.T) {
	flat := []tree.Column{{Name: "flat", Values: []float32{1, 1, 1}}}
	varied := []tree.Column{{Name: "varied", Values: []float32{0, 1, 1}}}
	for _, c := range []struct {
		table tree.Table
		want  error
	}{
		{tree.Table{}, tree.ErrEmpty},
		{tree.Table{Columns: varied, Score: []float64{1, 1, 1}}, tree.ErrOneScore},
		{tree.Table{Columns: flat, Score: []float64{1, 0, 1}}, tree.ErrConstant},
		{tree.Table{Columns: make([]tree.Column, 20_001), Score: []float64{1, 0, 1}}, tree.ErrTooLarge},
	} {
		if _, err := tree.Fit(t.Context(), &c.table, nil, tree.Options{}); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := tree.Fit(ctx, planted(500, 8, .8, .5, .2, 1), nil, tree.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a stopped run returned %v", err)
	}
}
