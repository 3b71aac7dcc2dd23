package pattern

import (
	"slices"

	"qipu/game"
)

// Images returns every picture of a board that counts as the same: the game's
// symmetries, with the sides exchanged and without. The identity is the first.
func (b Board) Images() []game.Symmetry {
	return (&Pattern{Mirror: true, Swap: true}).symmetries(b)
}

// Pictures returns the symmetries in which a pattern is searched. The identity
// is the first.
func (p *Pattern) Pictures(b Board) []game.Symmetry { return p.symmetries(b) }

// Own returns the symmetries that a pattern has itself, among those it is
// searched in: they take it to the same cells at the same places. The identity
// is the first.
func (p *Pattern) Own(b Board) []game.Symmetry {
	c := compiler{board: b, on: AnyOn(b.Kinds)}
	drawn := c.picture(p, game.Symmetry{})
	return slices.DeleteFunc(p.symmetries(b), func(sym game.Symmetry) bool {
		q := c.picture(p, sym)
		return q.size != drawn.size || q.turn != drawn.turn || q.area != drawn.area || !slices.Equal(q.cells, drawn.cells)
	})
}
