package gametest

import (
	"slices"

	"qipu/board"
	"qipu/game"
)

// boardOf returns a copy of the board of a position that tells changes; nil for
// any other.
func (k *kit) boardOf(p game.Position) *board.Planes {
	k.t.Helper()
	if _, ok := p.(game.Changer); !ok {
		return nil
	}
	planar, ok := p.(game.Planar)
	if !ok {
		k.fatal("a game.Changer must be a game.Planar too: nothing tells what a change is else")
	}
	return planar.Planes().Clone()
}

// checkChanged compares what the position says of its last move with the board
// before it, and returns it.
func (k *kit) checkChanged(p game.Position, m game.Move, before *board.Planes) []game.Changed {
	k.t.Helper()
	if before == nil {
		return nil
	}
	got := k.changed(p)
	if want := difference(before, p.(game.Planar).Planes(), m); !slices.Equal(got, want) {
		k.fatal("AppendChanged says %v, the boards differ by %v", got, want)
	}
	return got
}

// changed returns what the position says of its last move, nil where it says
// nothing.
func (k *kit) changed(p game.Position) []game.Changed {
	k.t.Helper()
	c, ok := p.(game.Changer)
	if !ok {
		return nil
	}
	mark := game.Changed{Point: board.NoPoint}
	list := c.AppendChanged([]game.Changed{mark})
	if len(list) == 0 || list[0] != mark {
		k.fatal("AppendChanged does not append")
	}
	return list[1:]
}

// difference finds by comparing boards what game.Changer promises to tell.
func difference(before, after *board.Planes, m game.Move) (list []game.Changed) {
	first := []board.Point{m.To(), m.From()}
	points := slices.Collect(after.Size.Points())
	points = slices.DeleteFunc(points, func(q board.Point) bool { return slices.Contains(first, q) })
	for _, q := range append(first, points...) {
		if q != board.NoPoint && before.At(q) != after.At(q) {
			list = append(list, game.Changed{Point: q, Piece: after.At(q)})
		}
	}
	return list
}
