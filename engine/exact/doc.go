// Package exact reads whole games on small boards: what a position is worth when both
// sides play perfectly, and how many positions that took.
//
//	a, err := exact.Solve(ctx, rules, rules.Start(), exact.Limits{})
//	fmt.Println(a.Value, a.Nodes) // kalah:houses=4,seeds=3: 6
//
// Three readers share the form of the answer. Go has its own, since what may be played
// depends on all that was on the board before ([Solve] says why its memory is sound).
// So has Kalah, whose seeds in store change nothing about what is best. All other games
// are read as they come, and refused where a position can come back.
//
// Nothing here guesses: keys in memory are whole positions, not hashes of them. An
// answer is Whole, or it is none.
package exact
