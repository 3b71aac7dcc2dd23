// Package weiqi is the game of Go: its rules, its notations and its score.
//
// [Rules] is Go on one size of board under one rule set; [Standard] is the
// plain one. Its positions are of type [*Position], which adds to
// game.Position what only Go has: [Position.Force] for records that break the
// rules, and [Position.Score].
//
//	r, err := weiqi.Standard.Variant("9x9,chinese,komi=7")
//	p := r.Start().(*weiqi.Position)
//	m, err := r.ParseMove(p, "E5", game.AnyNotation)
//	err = p.Play(m)
//	fmt.Println(p.Score(weiqi.ScoreOptions{})) // B+74
//
// # Rule sets
//
// Boards are 1x1 to 25x25, square or not. Under all rules a stone is put on an
// empty point, enemy strings without liberties are taken off, then the stone's
// own string if it has none; a pass is always possible, and two passes in a
// row end the game.
//
//	                  japanese   chinese     aga          computer     new-zealand  tromp-taylor
//	ko                simple     positional  situational  positional   situational  positional
//	long cycle        void       -           -            -            -            -
//	suicide           no         no          no           no           yes          yes
//	score             territory  area        area         area         area         area
//	eyes in seki      nothing    count       count        count        count        count
//	komi              6.5        7.5         7.5          7.5          7            7.5
//	pass stones       no         no          yes          no           no           no
//	White passes last no         no          yes          no           no           no
//	two passes        unscored   unscored    unscored     counted      counted      counted
//	for n handicap    0          n           n-1          n            0            0
//
// ko: simple = a single stone that has just taken a single stone may not be
// retaken at once; positional = no stone may recreate an earlier arrangement
// of the whole board; situational = the same, but only with the same side to
// move next. Passes are never forbidden. Superko knows what happened since the
// position was made, and the ko point that it was arranged with.
//
// long cycle: when the whole board comes back with the same side to move, the
// outcome is Void by repetition as a claim, and moves stay possible.
//
// suicide: one's own string without liberties is taken off. Of a single stone
// that repeats the board, which positional superko always forbids.
//
// White passes last: if Black's pass is the second in a row, White has the one
// move Pass left.
//
// two passes: counted = won or drawn by the area as it stands, all stones
// alive; unscored = the players first agree on the dead stones, for which
// [Position.Score] waits.
//
// for n handicap: what White gets in an area count. Games with handicap stones
// have a komi of 0.5 unless told otherwise, under all rule sets.
//
// The facts follow the Japanese rules of 1989 (Nihon Ki-in);
// the Chinese rules of 2002 as written (in practice referees there treat long
// cycles as the Japanese do); the Concise Rules of the American Go
// Association; the rules of the New Zealand Go Society, where dead stones have
// to be taken before the end; the logical rules of Tromp and Taylor, which
// name no komi: 7.5 is that of computer tournaments. Handicap stones lie where
// the command fixed_handicap of the Go Text Protocol, version 2, puts them.
//
// The default is Japanese because it forbids the fewest repetitions, and most
// records do not name their rules: of some 91,000 records of professional and
// server games, at least 27 go through a cycle that positional superko refuses.
//
// # What it does not do
//
// It does not find dead stones or sekis: Score is told. It does not arbitrate
// disputes, confirm life by playing on, or judge the special cases of the
// Japanese rules (bent four in the corner, points that need a protecting move,
// one-sided dame); fill the dame and protect the cuts before counting. It
// knows no clock and no resignation: those are no moves.
package weiqi
