// Package dataset is what miners read: a table of rows, each of which is a game, or a
// position of one, at its moment.
//
//	set := dataset.New("toy", dataset.GameRows(4))
//	set.AddItem(dataset.Item{ID: "a"}, []dataset.Span{{Row: 0, From: 3, To: 9}})
//	set.AddNumber("material", []float64{0, 1, -2, 0})
//	set.AddJudgement(dataset.Result, []float64{1, 0, .5, dataset.Unknown})
//	err := set.Check()
//
// A [Set] has columns of four sorts: items, which a row has or has not, kept as bit
// maps over the rows with the plies at which they held ([Item], [Span]); numbers; factors,
// which are one of several words (opening, players: what rows share, so that a
// cross-validation can keep them together); and judgements, which are what a miner wants
// to foretell. Rows carry weights: those of one game sum up to 1, however many of its
// positions are in the table.
//
// No column but the judgements may know the future: what an item, a number or a factor
// says of a row was known at the row's moment. [Set.Check] refuses spans behind it, and
// [Differ] compares a table with one of the same games cut off at their moments, which
// must have the same columns.
package dataset
