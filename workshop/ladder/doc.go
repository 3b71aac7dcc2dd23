// Package ladder finds out how strong players are: they meet in pairs of games,
// and their ratings are those under which what happened is likeliest
// (Bradley and Terry), with the intervals that follow.
//
// A [Ladder] is a log on the disk, to which every pair of games is added when it
// has ended: a run that was interrupted goes on where it was, and one that was
// finished can be made longer. Which players meet next is decided by what their
// meeting would tell and what it costs. [Rate] needs nothing but the log.
package ladder
