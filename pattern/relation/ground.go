package relation

import (
	"fmt"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/pattern/relation/syntax"
)

// view is how a pattern lies on the board: by its owner, and mirrored or not.
type view uint8

const (
	mirrored view = 2
	views    view = 4
)

func viewOf(owner game.Side, mirror bool) view {
	v := view(owner & 1)
	if mirror {
		v |= mirrored
	}
	return v
}

func (v view) owner() game.Side { return game.Side(v & 1) }

// ground is the board of a game with its tables.
type ground struct {
	*syntax.Board
	size   board.Size
	points int
	kinds  int
	weight []int // of kinds: in how many places a piece may stand, roughly

	named    []set // by Board.Areas
	palaces  set   // where kings may go: both palaces, or the whole board
	everyone set   // the whole board
	files    [16]set
	ranks    [16]set
	beside   [syntax.MaxPoints]set
	crossing [syntax.MaxPoints]set                   // the lines of a point that pieces slide along, without it
	diagonal [syntax.MaxPoints]set                   // the next points on its diagonals
	around   [syntax.MaxPoints]set                   // beside and diagonal
	between  [syntax.MaxPoints][syntax.MaxPoints]set // strictly, where two lie on one line
	rays     [syntax.MaxPoints][9]set                // the points of each direction: by direction

	// way holds the points that decide whether a piece on one point reaches
	// another that is occupied: those between, or the leg or the eye.
	way [syntax.MaxPoints][syntax.MaxPoints]set

	spanned struct {
		sync.Mutex
		by [1 << syntax.MaxKinds]*[syntax.MaxPoints]set
	}
}

// grounds are the boards that there are patterns for. Their tables are filled once:
// about 8,000 sets each.
var grounds = sync.OnceValue(func() (list []*ground) {
	for _, b := range syntax.Boards {
		list = append(list, newGround(b))
	}
	return list
})

// groundOf returns the board of some rules; an error tells why patterns cannot be
// looked for under them.
func groundOf(r game.Rules) (*ground, error) {
	geo := r.Geometry()
	for _, g := range grounds() {
		if g.Game == r.Info().Name && geo.Size == g.size && len(geo.Pieces) == 2*g.kinds {
			return g, nil
		}
	}
	return nil, fmt.Errorf("relation: patterns of pieces are not known for %s on a board of %v", r.Info().Name, geo.Size)
}

// turn takes a point of the pattern to the board, and back.
func (g *ground) turn(v view, p uint8) uint8 {
	w := uint8(g.Width)
	if v.owner() == game.First {
		if g.Squares {
			p = uint8(g.points) - w - p/w*w + p%w
		} else {
			p = uint8(g.points) - 1 - p
		}
	}
	if v&mirrored != 0 {
		p += w - 1 - 2*(p%w)
	}
	return p
}

func (g *ground) turnSet(v view, s set) (t set) {
	for !s.empty() {
		t.add(g.turn(v, s.pop()))
	}
	return t
}

func newGround(b *syntax.Board) *ground {
	g := &ground{Board: b, size: board.Size{W: b.Width, H: b.Height}, points: b.Points(), kinds: len(b.Kinds)}
	g.named = make([]set, len(b.Areas))
	slants := b == syntax.Chess
	g.weight = []int{syntax.King: 4, syntax.Advisor: 8, syntax.Elephant: 8, syntax.Chariot: 8, syntax.Horse: 8, syntax.Cannon: 8, syntax.Soldier: 20}
	if slants {
		g.weight = []int{syntax.King: 4, syntax.Queen: 4, syntax.Rook: 8, syntax.Bishop: 8, syntax.Knight: 8, syntax.Pawn: 32}
	}
	for i := range g.points {
		p := uint8(i)
		f, r := g.FileAt(p), g.RankAt(p)
		for i, a := range b.Areas {
			if a.In(f, r) {
				g.named[i].add(p)
			}
			if (a.Name == "palace" || a.Name == "our palace") && a.In(f, r) {
				g.palaces.add(p)
			}
		}
		g.everyone.add(p)
		g.files[f].add(p)
		g.ranks[r].add(p)
	}
	if g.palaces.empty() {
		g.palaces = g.everyone
	}
	for i := range g.points {
		p := uint8(i)
		for j := range g.points {
			q := uint8(j)
			df, dr := g.FileAt(q)-g.FileAt(p), g.RankAt(q)-g.RankAt(p)
			straight := (df == 0) != (dr == 0) || slants && df != 0 && abs(df) == abs(dr)
			if straight {
				g.crossing[p].add(q)
				g.rays[p][g.direction(p, q)].add(q)
			}
			if df*df+dr*dr == 1 || slants && p != q && df*df <= 1 && dr*dr <= 1 {
				g.beside[p].add(q)
			}
			if df*df == 1 && dr*dr == 1 {
				g.diagonal[p].add(q)
			}
			if p != q && df*df <= 1 && dr*dr <= 1 {
				g.around[p].add(q)
			}
			if !straight {
				if !slants && df != 0 && dr != 0 && (abs(df*dr) == 2 || abs(df) == 2 && abs(dr) == 2) {
					g.way[p][q].add(uint8(int(p) + dr/2*g.Width + df/2))
				}
				continue
			}
			step := sign(dr)*g.Width + sign(df)
			for m := int(p) + step; m != int(q); m += step {
				g.between[p][q].add(uint8(m))
			}
			g.way[p][q] = g.between[p][q]
		}
	}
	return g
}

// spans returns, for every point, the points that pieces of some kinds may reach
// from there on one board or another. It is the same table for the same kinds.
func (g *ground) spans(list uint8) *[syntax.MaxPoints]set {
	g.spanned.Lock()
	defer g.spanned.Unlock()
	t := g.spanned.by[list]
	if t != nil {
		return t
	}
	t = new([syntax.MaxPoints]set)
	has := func(kinds ...int) bool {
		for _, k := range kinds {
			if list>>k&1 != 0 {
				return true
			}
		}
		return false
	}
	for i := range g.points {
		p := uint8(i)
		for j := range g.points {
			q := uint8(j)
			df, dr := abs(g.FileAt(q)-g.FileAt(p)), abs(g.RankAt(q)-g.RankAt(p))
			reaches := false
			if g.Board == syntax.Chess {
				reaches = has(syntax.King) && g.around[p].has(q) || has(syntax.Queen, syntax.Rook) && df*dr == 0 && p != q ||
					has(syntax.Queen, syntax.Bishop) && df == dr && df > 0 || has(syntax.Knight) && df*dr == 2 || has(syntax.Pawn) && df == 1 && dr == 1
			} else {
				reaches = has(syntax.Chariot, syntax.Cannon) && g.crossing[p].has(q) || has(syntax.King, syntax.Soldier) && g.beside[p].has(q) ||
					has(syntax.Advisor) && g.diagonal[p].has(q) || has(syntax.Horse) && df*dr == 2 || has(syntax.Elephant) && df == 2 && dr == 2
			}
			if reaches {
				t[p].add(q)
			}
		}
	}
	g.spanned.by[list] = t
	return t
}

// heed is what the reach of a piece depends on, besides where it stands.
type heed uint8

const (
	heedLines heed = 1 << iota // what stands on its lines
	heedLegs                   // what stands beside it
	heedEyes                   // what stands diagonally beside it
)

// heeds returns what the reach of some kinds of pieces depends on.
func (g *ground) heeds(kinds uint8) (h heed) {
	if g.Board == syntax.Chess {
		if kinds&(1<<syntax.Queen|1<<syntax.Rook|1<<syntax.Bishop) != 0 {
			h |= heedLines
		}
		return h
	}
	if kinds&(1<<syntax.Chariot|1<<syntax.Cannon) != 0 {
		h |= heedLines
	}
	if kinds&(1<<syntax.Horse) != 0 {
		h |= heedLegs
	}
	if kinds&(1<<syntax.Elephant) != 0 {
		h |= heedEyes
	}
	return h
}

// heeded returns the points that decide what a piece reaches.
func (g *ground) heeded(h heed, a uint8) (s set) {
	if h&heedLines != 0 {
		s = g.crossing[a]
	}
	if h&heedLegs != 0 {
		s = s.or(g.beside[a])
	}
	if h&heedEyes != 0 {
		s = s.or(g.diagonal[a])
	}
	return s
}

// direction returns which way a point lies from another on its line.
func (g *ground) direction(from, to uint8) int {
	w := uint8(g.Width)
	df, dr := int(to%w)-int(from%w), int(to/w)-int(from/w)
	return 3*(sign(dr)+1) + sign(df) + 1
}

func sign(n int) int { return max(-1, min(n, 1)) }

// pieceOf returns the number of a piece in a set of pieces: that of board.Piece,
// from 0.
func (g *ground) pieceOf(side game.Side, kind int) int { return int(side&1)*g.kinds + kind }

func (g *ground) sideOf(p board.Piece) game.Side {
	if int(p) > g.kinds {
		return game.Second
	}
	return game.First
}

// maskOf returns the pieces that a pattern means for one of its owners: bit n is
// piece n+1 of the board.
func (g *ground) maskOf(p syntax.Pieces, owner game.Side) (m uint16) {
	if p.Whose != syntax.Their {
		m |= uint16(p.Kinds) << g.pieceOf(owner, 0)
	}
	if p.Whose != syntax.Our {
		m |= uint16(p.Kinds) << g.pieceOf(owner.Opponent(), 0)
	}
	return m
}
