package pattern

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// MaxRegion is the largest width and height of a region: the largest board and
// a rim of points outside it.
const MaxRegion = board.MaxSide + 2

// ErrNoFit is wrapped by the error for a pattern that is sound but lies nowhere
// on the board, such as one for a larger board. Who searches boards of several
// sizes takes it for no hits.
var ErrNoFit = errors.New("it lies nowhere on the board")

// Compile returns every way in which a pattern lies on a board.
//
// The pictures are the pattern as drawn, with Mirror its images under the
// symmetries of the game that keep the sides, and with Swap those that exchange
// them. Without Mirror, Swap adds one picture: the exchange alone, or where the
// game has no such symmetry, the half turn with exchange, which is what the
// opponent across the board sees. A game without any exchanging symmetry takes
// the plain exchange of colours for one, because a shape is of interest even
// where the rules treat the sides differently.
//
// Where a picture lies is up to its anchor:
//
//	Floating  anywhere with a point of the region on the board
//	Fixed     with its top left point on At, and the images of that place
//	Corner    over the first lines of all its Edges, two or more that meet;
//	          none given means Top and Left
//	Side      over the first line of its Edges, and over no other first line:
//	          one edge or two opposite ones; none given means Top
//	Centre    over no first line
//
// Everywhere a cell with Off may lie outside the board, one of nothing but Off
// must, and one without must not.
//
// Pictures that are equal in cells and turn lie at one place only once. The
// pattern as drawn comes first, then the other pictures in the order of
// Board.Symmetries; each goes through its places row by row. Points are in the
// order in which a matcher best looks at them: first those that must not be
// empty, and among those and the rest the smallest sets. The list may hold
// placements without Points, which hold on every board.
//
// The slices of the placements share memory and must not be changed.
func Compile(p *Pattern, b Board) ([]Placement, error) {
	if err := p.check(b); err != nil {
		return nil, err
	}
	c := compiler{board: b, on: AnyOn(b.Kinds)}
	pics, room := make([]picture, 0, 16), 0
	for _, sym := range p.symmetries(b) {
		pic := c.picture(p, sym)
		idle := pic.x1 < pic.x0 || pic.y1 < pic.y0
		for i := range pics {
			if q := &pics[i]; q.turn == pic.turn && q.size == pic.size && slices.Equal(q.cells, pic.cells) {
				pic.known = append(pic.known, q.area)
				idle = idle || q.area == pic.area
			}
		}
		if !idle {
			pics = append(pics, pic)
			room += pic.places()
		}
	}
	c.out = make([]Placement, 0, room)
	for i := range pics {
		c.lay(&pics[i])
	}
	if len(c.out) == 0 {
		why := "its anchor, borders and cells outside the board (# and ~) leave no place for it"
		if p.Size.W > b.Size.W || p.Size.H > b.Size.H {
			why = "the region is larger than the board"
		}
		return nil, fmt.Errorf("pattern: a %v region on a %v board: %w: %s", p.Size, b.Size, ErrNoFit, why)
	}
	return c.out, nil
}

// check tells whether the pattern means something on the board.
func (p *Pattern) check(b Board) error {
	if !b.Size.Valid() || b.Kinds < 1 || b.Kinds > 30 {
		return fmt.Errorf("pattern: cannot search a %v board with %d kinds of pieces", b.Size, b.Kinds)
	}
	if p.Size.W < 1 || p.Size.H < 1 || p.Size.W > MaxRegion || p.Size.H > MaxRegion {
		return fmt.Errorf("pattern: a region of %v is out of range: 1 to %d columns and rows", p.Size, MaxRegion)
	}
	if len(p.Cells) != p.Size.Area() {
		return fmt.Errorf("pattern: %d cells for a region of %v: give one for each of its %d points", len(p.Cells), p.Size, p.Size.Area())
	}
	may := AnyOn(b.Kinds) | Off
	for i, set := range p.Cells {
		if set == 0 {
			return fmt.Errorf("pattern: the cell in row %d, column %d allows no state: allow one", i/p.Size.W+1, i%p.Size.W+1)
		}
		if set&^may != 0 {
			return fmt.Errorf("pattern: the cell in row %d, column %d allows piece %d: the game has %d kinds",
				i/p.Size.W+1, i%p.Size.W+1, bits.TrailingZeros32(uint32(set&^may)), b.Kinds)
		}
	}
	switch {
	case int(p.Anchor) >= len(anchorNames):
		return fmt.Errorf("pattern: %v is no anchor", p.Anchor)
	case p.Edges&^allEdges != 0:
		return fmt.Errorf("pattern: a board has four edges: the set %#x is none of them", uint8(p.Edges))
	case p.Anchor == Corner && p.Edges != 0 && !p.Edges.meet():
		return errors.New("pattern: a corner needs two edges that meet: give both")
	case p.Anchor == Corner && p.Edges == allEdges:
		return errors.New("pattern: a region that touches all four edges is the whole board: fix it there")
	case p.Anchor == Side && p.Edges.meet():
		return errors.New("pattern: the side has one edge, or two opposite ones: two that meet are a corner")
	case p.Anchor == Fixed && !b.Size.Has(p.At):
		return fmt.Errorf("pattern: a region cannot be fixed outside the %v board: choose its top left point on it", b.Size)
	case p.Turn > SecondToMove:
		return fmt.Errorf("pattern: %d is no turn", p.Turn)
	case p.To >= 0 && p.From > p.To:
		return fmt.Errorf("pattern: no ply lies between %d and %d: exchange them", p.From, p.To)
	case p.Swap && len(b.Swap) != b.Kinds:
		return fmt.Errorf("pattern: the board names %d of %d pieces with the sides exchanged", len(b.Swap), b.Kinds)
	}
	return nil
}

// symmetries returns those under which the pattern is searched, the identity
// first.
func (p *Pattern) symmetries(b Board) []game.Symmetry {
	list := []game.Symmetry{{}}
	add := func(sym game.Symmetry) {
		if sym.Board.Turned(b.Size) == b.Size && !slices.Contains(list, sym) {
			list = append(list, sym)
		}
	}
	exchanges := slices.ContainsFunc(b.Symmetries, func(sym game.Symmetry) bool { return sym.Swap })
	if p.Mirror {
		for _, sym := range b.Symmetries {
			if !sym.Swap || p.Swap {
				add(sym)
			}
		}
	}
	if !p.Swap {
		return list
	}
	if !exchanges {
		for _, sym := range slices.Clone(list) {
			add(game.Symmetry{Board: sym.Board, Swap: true})
		}
		return list
	}
	if p.Mirror {
		return list
	}
	for _, sym := range []board.Symmetry{board.Identity, board.HalfTurn, board.Flip, board.Mirror} {
		if s := (game.Symmetry{Board: sym, Swap: true}); slices.Contains(b.Symmetries, s) {
			add(s)
			break
		}
	}
	return list
}

// area is a range of places for the top left point of a region, bounds
// included.
type area struct{ x0, x1, y0, y1 int }

func (a area) places() int { return (a.x1 - a.x0 + 1) * (a.y1 - a.y0 + 1) }

func (a area) has(x, y int) bool { return x >= a.x0 && x <= a.x1 && y >= a.y0 && y <= a.y1 }

// picture is the pattern after one symmetry.
type picture struct {
	sym   game.Symmetry
	size  board.Size
	cells []Set
	turn  Turn
	area         // where it may lie, but for what single cells say about the outside
	known []area // where equal pictures before it lie
}

// compiler carries what all pictures of a pattern share, and the slabs that the
// slices of the placements are cut from: three allocations for each placement
// would cost more than all the rest.
type compiler struct {
	board   Board
	on      Set
	out     []Placement
	indices slab[uint16]
	sets    slab[Set]
	spots   []spot
}

// spot is a cell that says something.
type spot struct {
	dx, dy int
	set    Set
}

// picture returns the pattern after a symmetry.
func (c *compiler) picture(p *Pattern, sym game.Symmetry) picture {
	pic := picture{sym: sym, size: sym.Board.Turned(p.Size), cells: make([]Set, len(p.Cells)), turn: p.Turn}
	for i, set := range p.Cells {
		if sym.Swap {
			set = c.exchange(set)
		}
		q := sym.Board.Apply(p.Size, p.Size.Point(i))
		pic.cells[pic.size.Index(q)] = set
	}
	if sym.Swap && p.Turn != AnyTurn {
		pic.turn = FirstToMove + SecondToMove - p.Turn
	}
	pic.area = c.area(p, &pic)
	return pic
}

// exchange returns the set with the sides exchanged.
func (c *compiler) exchange(set Set) Set {
	to := set & (Empty | Off)
	for i, swap := range c.board.Swap {
		if set.Has(board.Piece(i + 1)) {
			to |= Of(swap)
		}
	}
	return to
}

// area returns where the picture may lie: so that it meets the board, that the
// cells that must be on the board are, and that the anchor is kept.
func (c *compiler) area(p *Pattern, pic *picture) area {
	s, w, h := c.board.Size, pic.size.W, pic.size.H
	a := area{1 - w, s.W - 1, 1 - h, s.H - 1}
	for i, set := range pic.cells {
		if set&Off == 0 {
			x, y := i%w, i/w
			a.x0, a.x1 = max(a.x0, -x), min(a.x1, s.W-1-x)
			a.y0, a.y1 = max(a.y0, -y), min(a.y1, s.H-1-y)
		}
	}
	var over, free Edges // the first lines that the region covers, and those that it must not
	switch p.Anchor {
	case Fixed:
		x, y := moved(s, p.Size, p.At, pic.sym.Board)
		a.x0, a.x1 = max(a.x0, x), min(a.x1, x)
		a.y0, a.y1 = max(a.y0, y), min(a.y1, y)
	case Corner:
		over = p.touches().transform(pic.sym.Board)
	case Side:
		over = p.touches().transform(pic.sym.Board)
		free = allEdges &^ over
	case Centre:
		free = allEdges
	}
	if over&Left != 0 {
		a.x1 = min(a.x1, 0)
	}
	if over&Right != 0 {
		a.x0 = max(a.x0, s.W-w)
	}
	if over&Top != 0 {
		a.y1 = min(a.y1, 0)
	}
	if over&Bottom != 0 {
		a.y0 = max(a.y0, s.H-h)
	}
	if free&Left != 0 {
		a.x0 = max(a.x0, 1)
	}
	if free&Right != 0 {
		a.x1 = min(a.x1, s.W-1-w)
	}
	if free&Top != 0 {
		a.y0 = max(a.y0, 1)
	}
	if free&Bottom != 0 {
		a.y1 = min(a.y1, s.H-1-h)
	}
	return a
}

// moved returns where a symmetry of the board takes the top left corner of a
// region. The region may reach over the right and lower edge, and so the result
// may be negative.
func moved(s, region board.Size, at board.Point, sym board.Symmetry) (x, y int) {
	x, y = at.X(), at.Y()
	if sym&board.Transpose != 0 {
		x, y = y, x
		region = board.Size{W: region.H, H: region.W}
	}
	if sym&board.Mirror != 0 {
		x = s.W - x - region.W
	}
	if sym&board.Flip != 0 {
		y = s.H - y - region.H
	}
	return x, y
}

// lay appends the placements of a picture, except where an equal one lies
// already.
func (c *compiler) lay(pic *picture) {
	s, w, h := c.board.Size, pic.size.W, pic.size.H
	outside := false // some cell must be
	c.spots = c.spots[:0]
	for i, set := range pic.cells {
		outside = outside || set&c.on == 0
		if set &= c.on; set != c.on {
			c.spots = append(c.spots, spot{i % w, i / w, set})
		}
	}
	slices.SortStableFunc(c.spots, func(a, b spot) int { return rank(a.set) - rank(b.set) })
	// Away from the edges, all placements of a picture share their sets.
	sets := c.sets.take(len(c.spots))
	offsets := c.indices.take(len(c.spots))
	for i, at := range c.spots {
		sets[i], offsets[i] = at.set, uint16(at.dy*s.W+at.dx)
	}
	for y := pic.y0; y <= pic.y1; y++ {
	places:
		for x := pic.x0; x <= pic.x1; x++ {
			for _, a := range pic.known {
				if a.has(x, y) {
					continue places
				}
			}
			inside := x >= 0 && y >= 0 && x+w <= s.W && y+h <= s.H
			if inside && outside || !inside && !c.hangs(pic, x, y) {
				continue
			}
			c.out = append(c.out, Placement{Symmetry: pic.sym, Size: pic.size, X: x, Y: y, Turn: pic.turn})
			place := &c.out[len(c.out)-1]
			if inside {
				place.Sets, place.Points = sets, c.indices.take(len(offsets))
				base := uint16(y*s.W + x)
				for i, at := range offsets {
					place.Points[i] = base + at
				}
			} else {
				c.clip(place)
			}
			left, right := max(x, 0), min(x+w, s.W)
			top, below := max(y, 0), min(y+h, s.H)
			place.Region = c.indices.take((right - left) * (below - top))
			row, rest := right-left, place.Region
			for r := top; r < below; r++ {
				for i := range row {
					rest[i] = uint16(r*s.W + left + i)
				}
				rest = rest[row:]
			}
		}
	}
}

// rank orders sets by how few boards they let through.
func rank(set Set) int {
	n := bits.OnesCount32(uint32(set))
	if set&Empty != 0 {
		n += 32
	}
	return n
}

// hangs reports whether the picture may lie partly outside the board as it does
// there.
func (c *compiler) hangs(pic *picture, x, y int) bool {
	w := pic.size.W
	for i, set := range pic.cells {
		want := Off
		if c.has(x+i%w, y+i/w) {
			want = c.on
		}
		if set&want == 0 {
			return false
		}
	}
	return true
}

func (c *compiler) has(x, y int) bool {
	return x >= 0 && y >= 0 && x < c.board.Size.W && y < c.board.Size.H
}

// clip gives a placement those of the spots that lie on the board.
func (c *compiler) clip(place *Placement) {
	place.Points, place.Sets = c.indices.take(len(c.spots))[:0], c.sets.take(len(c.spots))[:0]
	for _, at := range c.spots {
		if x, y := place.X+at.dx, place.Y+at.dy; c.has(x, y) {
			place.Points = append(place.Points, uint16(y*c.board.Size.W+x))
			place.Sets = append(place.Sets, at.set)
		}
	}
}

// slab hands out pieces of larger allocations.
type slab[T any] struct{ free []T }

// take returns a slice of n zeros, which cannot grow into its neighbours.
func (s *slab[T]) take(n int) []T {
	if n > len(s.free) {
		s.free = make([]T, max(n, 4096))
	}
	piece := s.free[:n:n]
	s.free = s.free[n:]
	return piece
}
