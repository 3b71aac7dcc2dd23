// Package counted holds boards of Go whose owners are known, and measures
// judgements by them.
//
// [Read] finds such boards in folders and archives. What is known of a board
// comes from one of three sources, the surest first:
//
//	X.own beside X.sgf   the owner of every point (see [Own])
//	marks TB and TW      in the last node of a record: the players' own count
//	a numeric result     the score alone
//
// [Board.Compare] holds a judgement against a board, and a [Tally] adds such
// comparisons up; [Board.Mistakes] names the strings that are wrong, by [Class].
// [Bench] runs methods over boards and times them:
//
//	boards, err := counted.Read(ctx, ingest.Options{Formats: ..., Games: ...}, "counted.tar.gz")
//	methods, err := counted.Judges()
//	report, err := counted.Bench(ctx, boards, counted.Options{Methods: methods})
//
// A method that has to learn first is measured by folds: [Board.Fold] tells the
// part that a board is in, and [Method.Judge] may judge each part by what was
// learned from the others.
//
// A string is right when it is said to stay and stays, or said to be dead and was
// taken off: whether it lives in seki is no matter of the marks. A point is right
// when its owner is, be that nobody.
package counted
