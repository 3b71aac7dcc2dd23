package syntax

import (
	"fmt"
	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"slices"
)

func (c *Check) Sides(r game.Rules) ([]game.Side, error) {
	if c.Side == "" {
		return []game.Side{game.First, game.Second}, nil
	}
	var names []string
	for i, s := range r.Info().Sides {
		if s.Name == c.Side {
			return []game.Side{game.Side(i)}, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("%q is no side: %s", c.Side, oneOf(c.Side, names))
}

// Stands returns where the roles of a check stand; nil for none.
func (c *Check) Stands(p *Pattern, g *board.Geometry) (map[int]uint8, error) {
	if len(c.Roles) == 0 {
		return nil, nil
	}
	stands := map[int]uint8{}
	for _, s := range c.Roles {
		role := slices.Index(append([]string{"k", "g"}, p.Roles()...), s.Role)
		if role < 0 {
			return nil, fmt.Errorf("%s has no role %q: %s", p.ID, s.Role, oneOf(s.Role, p.Roles()))
		}
		at, ok := g.Point(s.At)
		if !ok {
			return nil, fmt.Errorf("%q is no point of the board", s.At)
		}
		stands[role] = uint8(g.Size.Index(at))
	}
	return stands, nil
}

// View returns the position of the check, with its moves and its facts.
func (c *Check) View(r game.Rules) (*pattern.View, error) {
	p := r.Start()
	usual := p.Hash()
	if c.FEN != "" {
		setup, err := game.ParseSetup(r, c.FEN)
		if err != nil {
			return nil, err
		}
		if p, err = r.Arrange(setup); err != nil {
			return nil, err
		}
	}
	begins := p.Hash() == usual
	moves, err := game.ParseMoves(r, p, c.Moves)
	if err != nil {
		return nil, err
	}
	for range moves { // which reading them has played
		p.Undo()
	}
	return pattern.Replay(p, moves, begins)
}
