package draw

import (
	"cmp"
	"math"
	"slices"

	"qipu/board"
)

// Tint colours the ground of a point, below the lines: whose it is, how much of
// something is there. Values below 0 and above 1 are drawn as 0 and 1, NaN is
// left out.
type Tint struct {
	Piece   board.Piece // whose colour it has; that of marks if it is Empty
	Share   float64     // of that colour
	Hatched bool        // strokes in place of a full ground, for what is not certain
}

// tints paints the grounds of points, all of one look as one path.
func (c *canvas) tints() {
	groups := map[Tint][]board.Point{}
	for p := range c.size.Points() {
		if t, ok := c.s.Tints[p]; ok && !math.IsNaN(t.Share) && t.Share > 0 {
			t.Share = math.Round(100*min(1, t.Share)) / 100
			groups[t] = append(groups[t], p)
		}
	}
	looks := make([]Tint, 0, len(groups))
	for t := range groups {
		looks = append(looks, t)
	}
	slices.SortFunc(looks, func(a, b Tint) int {
		return cmp.Or(int(a.Piece)-int(b.Piece), cmp.Compare(a.Share, b.Share), cmp.Compare(groups[a][0], groups[b][0]))
	})
	for _, t := range looks {
		colour := c.mark
		if t.Piece != board.Empty && int(t.Piece) <= len(c.g.Pieces) {
			colour = parseRGB(c.g.Pieces[t.Piece-1].Fill, grey)
		}
		if t.Hatched {
			c.put(`<path fill="none" stroke-width="3" stroke-opacity="%" stroke="%" d="`, t.Share, colour)
		} else {
			c.put(`<path fill-opacity="%" fill="%" d="`, t.Share, colour)
		}
		for _, p := range groups[t] {
			if t.Hatched {
				c.hatch(p)
			} else {
				c.tile(p)
			}
		}
		c.raw(`"/>`)
	}
}

// tile adds the square or hexagon around a point to a path.
func (c *canvas) tile(p board.Point) {
	if len(c.g.Shifts) > 0 {
		at := c.g.Spot(p)
		c.polygon(at.X, at.Y, c.g.Corners())
		return
	}
	x, y := c.xy(p)
	c.put("M% %h40v40h-40z", x-step/2, y-step/2)
}

// hatch adds strokes across the square around a point to a path. Those of
// neighbours go on where they end.
func (c *canvas) hatch(p board.Point) {
	x, y := c.xy(p)
	left, bottom := x-step/2, y+step/2
	c.put("M% %l20-20M% %l40-40M% %l20-20", left, bottom-step/2, left, bottom, left+step/2, bottom)
}

// fade lays a veil of the colour of the board over pieces that are as good as
// gone.
func (c *canvas) fade() {
	for p := range c.size.Points() {
		l := c.under(p)
		if l == nil || !c.s.Faded[p] {
			continue
		}
		x, y := c.xy(p)
		c.put(`<circle cx="%" cy="%" r="%" fill-opacity=".5" fill="%"/>`, x, y, l.radius+0.5, c.board)
	}
}
