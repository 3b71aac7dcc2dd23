// Package arena lets two engines play matches and tells what they prove.
//
//	result, err := arena.Match(ctx, a, b, arena.Options{Rules: othello.Standard, Games: 100})
//	fmt.Println(result.Elo, result.Margin) // 35 +- 48
//
// Every opening is played twice, colours exchanged: a pair. The strength is
// reckoned by pairs, since the two games of one are not independent; that makes
// the error smaller where openings are one-sided. No game is judged early; who
// resigns or runs out of its clock has lost.
//
// An engine that fails, makes an illegal move or takes longer for a move than it may
// has made a fault: the game scores nothing, and a match with a fault proves
// nothing ([FaultError]).
//
// With a seed, and engines limited by depth or nodes, a match is the same every
// time, however many games are played at once.
package arena
