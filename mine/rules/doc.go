// Package rules finds what goes with what in a table, and what goes with winning.
//
//	found, err := rules.Mine(ctx, set, rules.Options{Support: .02, Size: 3})
//	sequences, err := rules.Sequences(ctx, set, rules.Options{Within: 12})
//
// [Apriori] and [Growth] find all sets of items that are frequent; both give the same
// answer. [Mine] makes rules of them. Every rule that could have been told is a tested
// hypothesis and counts for the control of false discoveries, whether it is told or not.
// The sets overlap, and a win of one side is no win of the other, so that tests depend on
// each other in both directions: the step-up of Benjamini and Yekutieli holds under any
// dependence, and is the usual one here; that of Benjamini and Hochberg can be asked for.
//
// A rule about results is told only if it also holds among rows of like material and like
// strength (see [Strata]): what a pattern seems to win is mostly what was won already. A rule that says no more than a
// shorter one is folded under it.
package rules
