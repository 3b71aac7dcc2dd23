package learn

import (
	"qipu/board"
	"qipu/game/weiqi"
	"qipu/pattern/prior"
	"qipu/record"
)

// GoGame reads the main line of a record of Go; ok is false for other games,
// for records without moves and for those that set up stones on the way.
func GoGame(p *record.Played) (g *prior.Game, ok bool) {
	r, ok := p.Rules.(*weiqi.Rules)
	if !ok || len(p.Steps) == 0 || p.Start.Board == nil {
		return nil, false
	}
	g = prior.NewGame(r, p.Start.Board)
	for _, s := range p.Steps {
		if s.Move == 0 {
			return nil, false
		}
		g.Add(s.Side, s.Move)
	}
	return g, true
}

// sameGame is how many moves two records must share to be taken for the same
// game: copies may lack the end, or differ in how it is told.
const sameGame = 40

// GoHeld reports whether a game is kept out of training to measure by: one of
// twenty, by its first moves as they are under all symmetries, so that copies
// of a game stay together.
func GoHeld(g *prior.Game) bool { return board.Mix(g.Hash(sameGame))%20 == 0 }
