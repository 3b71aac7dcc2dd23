// Package tree learns decision trees from what was there to what came of it.
//
//	t := &tree.Table{Columns: columns, Score: scores}
//	folds, err := tree.Folds(groups, 5, seed)
//	fit, err := tree.Fit(ctx, t, folds, tree.Options{Method: tree.CART})
//	for _, s := range fit.Sentences("red") { fmt.Println(s) }
//
// Two methods grow trees: [CART] (Gini, two branches) and [C45] (gain ratio,
// a branch for each level). CART is pruned by cost against complexity, at the
// cost that cross-validation chooses; C4.5 by its pessimistic count of errors.
// The value of a leaf is shrunk towards its parent's, by as much as
// cross-validation asks for, and has an interval.
//
// [FitGiven] grows a tree on top of a regression on material and ratings: its leaves
// tell what patterns add to them.
//
// A score lies between 0 and 1; a row of a half counts as half a win and half a
// loss in all formulas.
//
// [Compare] tells whether any of it was worth while: held-out log loss of trees,
// of a boosted forest, and of a logistic regression on a few columns that need no
// mining. Rows of one group are never on both sides of a split.
package tree
