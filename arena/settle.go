package arena

import (
	"context"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/play"
)

// settle ends a game in which both players have passed and nothing is counted yet:
// where they agree about what is dead, by that; else by what the settler says, where
// it is sure; else by playing on, from the board on which they passed, until it is.
// Where that does not help, the game has no result, and scores nothing.
func (m *match) settle(ctx context.Context, g *Game, s *play.Session, engines *[2]engine.Engine) error {
	proposal := s.Count().Settlement
	var dead [2][]board.Point
	for i, e := range engines {
		dead[i] = m.opinion(ctx, s, e, proposal)
	}
	switch {
	case slices.Equal(dead[0], dead[1]):
		agreed, err := m.settler.Count(s.Position(), dead[0])
		if err != nil {
			return err
		}
		return s.Settle(agreed, m.Now())
	case proposal.Sure:
		return s.Settle(proposal, m.Now())
	}
	proved, err := m.playOn(ctx, g, s, engines)
	if err != nil {
		return err
	}
	g.Unsettled = proved == nil
	return s.Settle(proved, m.Now())
}

// opinion returns the stones that an engine holds for dead: those that it names, or
// where it cannot or will not, those of the settler.
func (m *match) opinion(ctx context.Context, s *play.Session, e engine.Engine, proposal *game.Settlement) []board.Point {
	if judge, ok := e.(engine.Settles); ok {
		if list, err := judge.Dead(ctx, s.Task()); err == nil {
			// It may name one stone of a string, or all of them.
			if counted, err := m.settler.Count(s.Position(), list); err == nil {
				return counted.Dead()
			}
		}
	}
	return proposal.Dead()
}

// playOn has both engines play on where the settler is not sure, and returns the
// count of the board on which they passed once what came of it is plain: stones that
// were taken off, or are dead then, are dead. It is nil where nothing was proved.
// Where an engine would pass, it takes what the settler thinks can be taken.
func (m *match) playOn(ctx context.Context, g *Game, s *play.Session, engines *[2]engine.Engine) (*game.Settlement, error) {
	t := s.Task()
	for n := len(t.Moves); n > 0 && t.Moves[n-1] == game.Pass; n = len(t.Moves) {
		t.Moves = t.Moves[:n-1]
	}
	p, err := t.Position()
	if err != nil {
		return nil, err
	}
	for range 2 * m.Rules.Geometry().Size.Area() {
		who := g.player(int(p.Turn()))
		l := m.players[who].Limits
		l.Seed = m.seed(g.Number)
		move := game.Pass
		if r, err := engines[who].Think(ctx, t, l, nil); err == nil {
			move = r.Best().Move
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if move == game.Pass || move == game.NoMove {
			move = m.settler.Clear(p)
		}
		if err := p.Play(move); err != nil {
			return nil, nil
		}
		t.Moves = append(t.Moves, move)
		over := p.Outcome().Over()
		if !over && len(t.Moves)%8 != 0 {
			continue
		}
		now, err := m.settler.Propose(ctx, p)
		if err != nil {
			return nil, err
		}
		if now.Sure {
			return m.settler.Count(s.Position(), gone(s.Position(), p, now))
		}
		if over {
			return nil, nil
		}
	}
	return nil, nil
}

// gone returns the stones of a board that are no more on a later one, or are dead
// there.
func gone(then, now game.Position, s *game.Settlement) (list []board.Point) {
	before, _ := game.Shown(then)
	after, _ := game.Shown(now)
	dead := s.Dead()
	for at := range before.Size.Points() {
		if piece := before.At(at); piece != board.Empty && (after.At(at) != piece || slices.Contains(dead, at)) {
			list = append(list, at)
		}
	}
	return list
}
