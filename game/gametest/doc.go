// Package gametest is the conformance kit for games: a game's test is a few
// calls of it.
//
//	func TestLaws(t *testing.T)  { gametest.Run(t, othello.Standard, gametest.Options{}) }
//	func TestPerft(t *testing.T) { gametest.Perft(t, othello.Standard, "testdata/perft.txt") }
//	func TestPlay(t *testing.T)  { gametest.Playthrough(t, othello.Standard, "testdata/play.txt") }
//
// Run plays random games and checks the laws of [game.Position] and
// [game.Rules] at every ply. Perft compares counts with published ones.
// Playthrough prints everything observable of given games, ply by ply, into a
// golden file.
//
// Everything here is for tests alone; it fails the test on the first broken
// law and names the line of play that breaks it.
package gametest
