// Package endgame knows the truth about positions with few men, from tables that are
// worked out backwards from the mates, for any game whose rules tell of its men
// ([game.Manned]).
//
//	x, err := endgame.ParseMaterial(rules.Men(), "KR-KAAEE")
//	err = endgame.Make(ctx, rules, []endgame.Material{x}, endgame.MakeOptions{Dir: dir})
//	tables := endgame.Open(dir)
//	v, ok, err := tables.Value(rules, position) // v.Result, v.Plies
//
// A [Tables] is an [engine.Prober]. What it says counts plies to the end; neither the
// count of quiet moves nor repetition is looked at.
//
// # How a table is made
//
// Every position has a number (index.go). A first pass finds those that cannot be and
// those that are over, counts for each the moves that stay in the table, and looks up
// what the others lead to (build.go). Then all that is lost in n plies makes what leads
// there won in n+1, and all that is won in n takes a move from what leads there, which
// is lost when it has none left, for n = 0, 1, 2 and so on. Moves and moves taken back
// that lead to pictures of one position count once.
package endgame
