package pattern

import (
	"cmp"
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Ground is what likeness needs to know of a game besides its board.
type Ground struct {
	Board Board

	// Steps appends the points that a piece reaches by one step or jump; nil
	// where pieces do not move.
	Steps func(dst []board.Point, piece board.Piece, at board.Point) []board.Point

	// Relations appends what the pieces of a board do to each other; nil where
	// nothing is known of it.
	Relations func(dst []game.Relation, b *board.Planes) []game.Relation
}

// GroundOf returns the ground of a game.
func GroundOf(r game.Rules) Ground {
	g := Ground{Board: BoardOf(r), Relations: game.Relations(r)}
	if s, ok := r.(game.Stepper); ok {
		g.Steps = s.AppendSteps
	}
	return g
}

// Rank returns how far the picture that a symmetry makes is from the pattern as
// drawn: 0 for that itself, 1 for it turned or mirrored, 2 with the sides
// exchanged. Of boards that are as like, those of lower ranks come first.
func Rank(sym game.Symmetry) uint8 {
	switch {
	case sym.Swap:
		return 2
	case sym.Board != board.Identity:
		return 1
	}
	return 0
}

// Like measures how like boards are to a pattern. It is immutable and safe for
// concurrent use.
//
// Each cell of a placement that says something has a weight: one that must be
// occupied that of the heaviest piece it allows, any other Weights.Empty. Every
// two cells that must be occupied and lie on one line add Weights.Line, for the
// lines of the axis that [Pattern.Lines] chooses. The sum of all is the total.
//
// A board scores
//
//   - the weight of each cell that is as it must be,
//   - Weights.Line for each two that must be occupied, are, and lie on a line,
//   - Weights.Moved of the weight of a cell that must be occupied and is not as
//     it must be, if a piece that it allows stands a step away: on one of the
//     eight points around it, or so that a move of Ground.Steps leads from one
//     of the two points to the other. A piece serves one cell; those on cells
//     that are as they must be serve no other. Pieces are dealt out so that the
//     score is the largest possible.
//
// The likeness is the score divided by the total; where that is 0, every board
// is like. With Weights.Relation r it is (1-r) of that and r times the share of
// the pattern's relations that the board has as well. Relations are equal where
// their kind and both pieces are, each counts as often as it is there, and of
// the board those count that lie in the region of the placement. Of a pattern
// those between cells of one certain piece are known. A pattern without any is
// measured by places alone.
type Like struct {
	Placements []Placement
	From, To   int // plies, as in Pattern

	ground   Ground
	relation float64
	segment  int // Weights.Line in units
	places   []likePlace
	near     [][]uint16 // by piece and point: see Near
}

// Cell is one cell of a placement that says something, with its weights in the
// units of its Like.
type Cell struct {
	Set    Set
	Point  uint16 // dense index
	X, Y   int8   // in the frame as drawn
	Line   int8   // the line that it lies on, for those that must be occupied
	Needed bool   // it must be occupied
	Weight int32
	Moved  int32 // what a piece a step away scores
}

type likePlace struct {
	cells []Cell           // those that must be occupied first, from the heaviest
	lines [MaxRegion]int16 // how many of those lie on each line
	total int
	edges map[edge]int // relations of the pattern, and how often
	count int          // of all of them
}

// edge is a relation without its points.
type edge struct {
	kind   game.RelationKind
	by, on board.Piece
}

// NewLike prepares a pattern, whose placements are given, for measuring.
func NewLike(places []Placement, p *Pattern, w *Weights, g Ground) (*Like, error) {
	if err := w.Check(g.Board.Kinds); err != nil {
		return nil, err
	}
	u := w.units()
	l := &Like{Placements: places, From: p.From, To: p.To, ground: g, segment: u.line, places: make([]likePlace, len(places))}
	across := p.Lines(w).Across
	n := 0
	for i := range places {
		n += len(places[i].Points)
	}
	cells := slab[Cell]{make([]Cell, n)}
	for i := range places {
		l.places[i] = likePlace{cells: cells.take(len(places[i].Points))}
		l.places[i].fill(&places[i], g.Board.Size, &u, across)
	}
	if w.Moved > 0 {
		l.neighbours()
	}
	if w.Relation > 0 && g.Relations != nil {
		l.relation = w.Relation
		l.relate()
	}
	return l, nil
}

// fill weighs the cells of a placement.
func (pl *likePlace) fill(q *Placement, size board.Size, u *units, across bool) {
	for j, pt := range q.Points {
		c := &pl.cells[j]
		x, y := q.Back(size.Point(int(pt)))
		*c = Cell{Set: q.Sets[j], Point: pt, X: int8(x), Y: int8(y), Weight: int32(u.empty)}
		if c.Needed = needed(c.Set); c.Needed {
			c.Weight = 0
			for p := board.Piece(1); int(p) < len(u.piece); p++ {
				if w := int32(u.piece[p]); c.Set.Has(p) && w >= c.Weight {
					c.Weight, c.Moved = w, int32(u.moved[p])
				}
			}
			if c.Line = c.X; across {
				c.Line = c.Y
			}
			pl.total += u.line * int(pl.lines[c.Line])
			pl.lines[c.Line]++
		}
		pl.total += int(c.Weight)
	}
	slices.SortFunc(pl.cells, func(a, b Cell) int {
		if a.Needed != b.Needed {
			if a.Needed {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
}

// neighbours fills in which points are a step away from which.
func (l *Like) neighbours() {
	size, area := l.ground.Board.Size, l.ground.Board.Size.Area()
	var around [][]uint16
	for at := range size.Points() {
		var list []uint16
		for y := max(at.Y()-1, 0); y <= min(at.Y()+1, size.H-1); y++ {
			for x := max(at.X()-1, 0); x <= min(at.X()+1, size.W-1); x++ {
				if board.At(x, y) != at {
					list = append(list, uint16(y*size.W+x))
				}
			}
		}
		around = append(around, list)
	}
	l.near = make([][]uint16, (l.ground.Board.Kinds+1)*area)
	var steps []board.Point
	for p := board.Piece(1); int(p) <= l.ground.Board.Kinds; p++ {
		list := l.near[int(p)*area:][:area]
		copy(list, around)
		if l.ground.Steps == nil {
			continue
		}
		add := func(a, b int) {
			if i, known := slices.BinarySearch(list[a], uint16(b)); !known {
				list[a] = slices.Insert(slices.Clone(list[a]), i, uint16(b))
			}
		}
		for at := range area {
			steps = l.ground.Steps(steps[:0], p, size.Point(at))
			for _, to := range steps {
				add(at, size.Index(to))
				add(size.Index(to), at)
			}
		}
	}
}

// relate finds the relations of the pattern in every placement.
func (l *Like) relate() {
	b := board.NewPlanes(l.ground.Board.Size, l.ground.Board.Kinds)
	var list []game.Relation
	for i := range l.places {
		pl := &l.places[i]
		for j := range b.Of {
			b.Of[j] = board.Plane{}
		}
		for _, c := range pl.cells {
			if p, ok := single(c.Set); ok {
				b.Of[p-1].Add(b.Size.Point(int(c.Point)))
			}
		}
		list = l.ground.Relations(list[:0], b)
		pl.edges, pl.count = map[edge]int{}, len(list)
		for _, r := range list {
			pl.edges[edge{r.Kind, r.By, r.On}]++
		}
	}
}

// single returns the one piece of a set.
func single(set Set) (board.Piece, bool) {
	if set&(Empty|Off) != 0 || set == 0 || set&(set-1) != 0 {
		return board.Empty, false
	}
	return board.Piece(bits.TrailingZeros32(uint32(set))), true
}

// Cells returns the cells of a placement: first those that must be occupied,
// from the heaviest. They belong to l.
func (l *Like) Cells(placement int) []Cell { return l.places[placement].cells }

// Total returns the score of a board that has all of a placement.
func (l *Like) Total(placement int) int { return l.places[placement].total }

// Segment returns what two pieces on a line score.
func (l *Like) Segment() int { return l.segment }

// Near returns the points from which a piece would be a step away from a point,
// rising: none where Weights.Moved is 0. They belong to l.
func (l *Like) Near(p board.Piece, point uint16) []uint16 {
	if l.near == nil {
		return nil
	}
	return l.near[int(p)*l.ground.Board.Size.Area()+int(point)]
}

// Board returns what the pattern is laid onto.
func (l *Like) Board() *Board { return &l.ground.Board }

// RelationShare returns the share that relations can add to the likeness of a
// placement: 0 where its likeness is that of places.
func (l *Like) RelationShare(placement int) float64 {
	if l.places[placement].count == 0 {
		return 0
	}
	return l.relation
}

// Scratch holds the buffers of measuring. It is not safe for concurrent use;
// the zero value is ready.
type Scratch struct {
	missed  []int32   // cells that are not as they must be
	serving []serving // what pieces serve
	tried   []uint16
	planes  *board.Planes
	list    []game.Relation
	edges   map[edge]int
}

// serving is a piece a step away from the cell that it serves.
type serving struct {
	point uint16
	cell  int32
}

// Score returns what a board scores in a placement by places. On holds what
// stands on each point, by dense index. Once it is certain that the score does
// not reach least, any score below it may come back.
func (l *Like) Score(s *Scratch, placement int, on []board.Piece, least int) int {
	pl := &l.places[placement]
	cells := pl.cells
	left := pl.lines
	s.missed, s.serving = s.missed[:0], s.serving[:0]
	segment := int32(l.segment)
	// Most boards that are measured are not so like after all, and the heaviest
	// cells tell it: what is lost for good is counted from them on.
	sum, hope, least32 := int32(pl.total), int32(0), int32(min(least, pl.total+1))
	for j := range cells {
		c := &cells[j]
		if c.Set.Has(on[c.Point]) {
			continue
		}
		sum -= c.Weight
		if c.Needed {
			left[c.Line]--
			sum -= segment * int32(left[c.Line])
		}
		if c.Moved > 0 {
			hope += c.Moved
			s.missed = append(s.missed, int32(j))
		}
		if sum+hope < least32 {
			return int(sum)
		}
	}
	for _, j := range s.missed {
		if sum+hope < least32 {
			return int(sum)
		}
		hope -= cells[j].Moved
		s.tried = s.tried[:0]
		if l.serve(s, cells, on, j) {
			sum += cells[j].Moved
		}
	}
	return int(sum)
}

// serve finds a piece for a cell, and where it is taken another one for the
// cell that has it. Since cells come from the heaviest to the lightest and one
// that is served stays so, the score is the largest possible.
func (l *Like) serve(s *Scratch, cells []Cell, on []board.Piece, j int32) bool {
	c := &cells[j]
	if p, ok := single(c.Set); ok {
		return l.serveWith(s, cells, on, j, p)
	}
	for p := board.Piece(1); int(p) <= l.ground.Board.Kinds; p++ {
		if c.Set.Has(p) && l.serveWith(s, cells, on, j, p) {
			return true
		}
	}
	return false
}

func (l *Like) serveWith(s *Scratch, cells []Cell, on []board.Piece, j int32, p board.Piece) bool {
	for _, at := range l.Near(p, cells[j].Point) {
		if on[at] != p || slices.Contains(s.tried, at) || kept(cells, on, at) {
			continue
		}
		s.tried = append(s.tried, at)
		i := slices.IndexFunc(s.serving, func(x serving) bool { return x.point == at })
		if i < 0 {
			s.serving = append(s.serving, serving{at, j})
			return true
		}
		if l.serve(s, cells, on, s.serving[i].cell) {
			s.serving[i].cell = j
			return true
		}
	}
	return false
}

// kept tells whether a point is a cell that is as it must be.
func kept(cells []Cell, on []board.Piece, at uint16) bool {
	for i := range cells {
		if cells[i].Point == at {
			return cells[i].Set.Has(on[at])
		}
	}
	return false
}

// Value returns the likeness of a board that scores so much in a placement. It
// looks at the board only where relations count.
func (l *Like) Value(s *Scratch, placement int, on []board.Piece, score int) float64 {
	pl := &l.places[placement]
	places := 1.
	if pl.total > 0 {
		places = float64(score) / float64(pl.total)
	}
	if pl.count == 0 {
		return places
	}
	related := float64(l.related(s, placement, on)) / float64(pl.count)
	// Each product is rounded by itself, so that all machines agree.
	return float64((1-l.relation)*places) + float64(l.relation*related)
}

// related returns how many relations of the pattern a board has.
func (l *Like) related(s *Scratch, placement int, on []board.Piece) (n int) {
	q, pl := &l.Placements[placement], &l.places[placement]
	size := l.ground.Board.Size
	if s.planes == nil || s.planes.Size != size || len(s.planes.Of) != l.ground.Board.Kinds {
		s.planes, s.edges = board.NewPlanes(size, l.ground.Board.Kinds), map[edge]int{}
	}
	for i := range s.planes.Of {
		clear(s.planes.Of[i][:size.H])
	}
	for i, p := range on[:size.Area()] {
		if p != board.Empty {
			s.planes.Of[p-1].Add(size.Point(i))
		}
	}
	s.list = l.ground.Relations(s.list[:0], s.planes)
	clear(s.edges)
	inside := func(p board.Point) bool {
		return p.X() >= q.X && p.X() < q.X+q.Size.W && p.Y() >= q.Y && p.Y() < q.Y+q.Size.H
	}
	for _, r := range s.list {
		e := edge{r.Kind, r.By, r.On}
		if s.edges[e] < pl.edges[e] && inside(r.From) && inside(r.To) {
			s.edges[e]++
			n++
		}
	}
	return n
}

// DifferenceKind says in which way a board is not as a cell asks.
type DifferenceKind uint8

// The kinds of differences.
const (
	Missing DifferenceKind = iota // the cell must be occupied, and is empty
	Taken                         // another piece stands there
	Moved                         // the piece stands a step away
	Filled                        // the cell must be empty, and is not
)

// String returns the name of the kind: "missing", "taken", "moved" or "filled".
func (k DifferenceKind) String() string {
	return [...]string{"missing", "taken", "moved", "filled"}[k&3]
}

// Difference is what a board has otherwise than a pattern, in one cell.
type Difference struct {
	Kind  DifferenceKind
	X, Y  int         // the cell, in the frame as drawn
	Point board.Point // the cell on the board
	Want  Set         // what may stand there: on the board, with the sides exchanged where the placement does so
	Found board.Piece // what stands there
	At    board.Point // where the piece that has moved stands; NoPoint else
}

// AppendDifferences appends what a board has otherwise than a placement, row by
// row of the pattern as drawn.
func (l *Like) AppendDifferences(dst []Difference, s *Scratch, placement int, on []board.Piece) []Difference {
	l.Score(s, placement, on, 0)
	size, begin := l.ground.Board.Size, len(dst)
	for j, c := range l.places[placement].cells {
		found := on[c.Point]
		if c.Set.Has(found) {
			continue
		}
		d := Difference{Filled, int(c.X), int(c.Y), size.Point(int(c.Point)), c.Set, found, board.NoPoint}
		if c.Needed {
			if d.Kind = Taken; found == board.Empty {
				d.Kind = Missing
			}
			if i := slices.IndexFunc(s.serving, func(x serving) bool { return int(x.cell) == j }); i >= 0 {
				d.Kind, d.At = Moved, size.Point(int(s.serving[i].point))
			}
		}
		dst = append(dst, d)
	}
	slices.SortFunc(dst[begin:], func(a, b Difference) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	return dst
}
