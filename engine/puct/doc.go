// Package puct plays Go by a search that a net guides (engine/sight): a tree that
// grows where moves look likely and go well (PUCT: C. D. Rosin, "Multi-armed bandits
// with episode context", 2011; D. Silver et al., "Mastering the game of Go without
// human knowledge", 2017).
//
//	e, err := puct.New(puct.Options{})
//	r, err := e.Think(ctx, task, engine.Limits{Nodes: 400}, nil)
//	r.Lines[0].Move, r.Lines[0].Value, r.Lines[0].Chance, r.Owner
//
// A visit is one look of the net at one position; Limits.Nodes counts them, and a
// single one is the net alone. A depth in plies such a tree does not have: what stands
// for it is how often the visits were doubled, 1 for a single one, 4 for eight. Values
// are leads in points, chances those of a win.
//
// # What is known, and not guessed
//
// The rules decide what may be played (superko by the whole history), and what a
// game is worth that is counted as it stands. Ladders are read (game/weiqi/tactics):
// a string that a ladder takes does not run, and a move that takes one is looked at
// whatever the net thinks of it. Where one side has proved more than half of the
// board (game/weiqi/life/proof), it has won. A game that both have ended is counted
// by the judge where he is sure.
//
// # The end of a game
//
// Before it thinks, the engine asks the judge what is left. In land that both he and
// the net give to one side nobody plays, unless the judge says that it has to be
// filled; where nothing is left the engine passes. So it does not fill its own
// territory, which costs points by some rules.
//
// # The same again
//
// With a limit of nodes, one thread and a seed the same task gives the same answer.
// The tree of the last thought is used again only where time is the limit.
package puct
