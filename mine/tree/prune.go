package tree

import (
	"math"
	"slices"
)

// weakest works out from which cost of complexity on each node is a leaf, weakest
// link first: a node falls when its leaves together gain less than the cost of
// having them.
func weakest(root *Node) {
	floor := 0.0
	for root.Split != nil && math.IsInf(root.collapse, 1) {
		least := math.Inf(1)
		walkInner(root, func(n *Node, risk float64, leaves int) {
			least = min(least, (n.impurity-risk)/float64(leaves-1))
		})
		floor = max(floor, least)
		walkInner(root, func(n *Node, risk float64, leaves int) {
			if (n.impurity-risk)/float64(leaves-1) <= least+1e-12 {
				n.collapse = floor
			}
		})
	}
}

// walkInner visits the nodes that have not fallen, those below first, with the
// impurity and number of the leaves below each.
func walkInner(n *Node, visit func(n *Node, risk float64, leaves int)) (risk float64, leaves int) {
	if n.Split == nil || !math.IsInf(n.collapse, 1) {
		return n.impurity, 1
	}
	for _, k := range n.Kids {
		r, l := walkInner(k, visit)
		risk, leaves = risk+r, leaves+l
	}
	visit(n, risk, leaves)
	return risk, leaves
}

// costs returns the costs at which a tree becomes another, least first.
func costs(root *Node) []float64 {
	list := []float64{0}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n.Split == nil {
			return
		}
		if !math.IsInf(n.collapse, 1) { // else it falls with a node above it
			list = append(list, n.collapse)
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(root)
	slices.Sort(list)
	return slices.Compact(list)
}

// fell cuts what is a leaf at a cost.
func fell(n *Node, cost float64) {
	if n.Split == nil {
		return
	}
	if n.collapse <= cost && cost > 0 {
		n.Split, n.Kids = nil, nil
		return
	}
	for _, k := range n.Kids {
		fell(k, cost)
	}
}

// pessimistic cuts, from below, what would not err more as a leaf. Errors are
// counted at the upper end of an interval of certainty .25, as C4.5 does; scale
// makes an average row count as one. It returns the errors of what is left.
func pessimistic(n *Node, scale float64) float64 {
	w := n.Weight * scale
	wrong := w * min(n.Mean, 1-n.Mean)
	leaf := wrong + extra(w, wrong)
	if n.Split == nil {
		return leaf
	}
	below := 0.0
	for _, k := range n.Kids {
		below += pessimistic(k, scale)
	}
	if leaf <= below+.1 {
		n.Split, n.Kids = nil, nil
		return leaf
	}
	return below
}

// extra is how many errors are to be added to e of n for the upper end of an
// interval of certainty .25.
func extra(n, e float64) float64 {
	const certainty, z = .25, .6744897501960817 // the quantile of 1 - certainty
	switch {
	case n <= 0:
		return 0
	case e < 1e-6:
		return n * (1 - math.Exp(math.Log(certainty)/n))
	case e < 1:
		whole := n * (1 - math.Exp(math.Log(certainty)/n))
		return whole + e*(extra(n, 1)-whole)
	case e+.5 >= n:
		return max(n-e, 0) * .67
	}
	p := (e + .5) / n
	upper := (p + z*z/(2*n) + z*math.Sqrt(p/n-p*p/n+z*z/(4*n*n))) / (1 + z*z/n)
	return max(upper*n-e, 0)
}
