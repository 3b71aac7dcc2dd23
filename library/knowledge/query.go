package knowledge

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/index"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/query"
)

// HasShapes tells whether a kind of game is the one that the base is about.
func HasShapes(k *index.Kind) bool {
	_, ok := k.Rules.(*weiqi.Rules)
	return ok
}

// maxShapePlaces is in how many ways the boards of one name may lie: half of what
// a query may, so that two names go together. A small shape without any symmetry
// has about six thousand on a large board.
const maxShapePlaces = 100_000

// Query returns what finds a name of the base in records, on boards of a kind of
// Go: nil where nothing is called so. A term stands for its shapes that were
// written by people, and for the mined ones where there are no others. Left is
// how many shapes had no room in the query.
//
// A term that names a move is found where the move is played: from a moment at
// which the stones of a shape stand, the next move in their region is one on a
// good point. One that names stones is found where these stand, by the shapes that
// draw them without good points, if there are some; where they are to be avoided,
// with the point filled that should not be. A shape by its own name is found as its
// main term is.
func (s *Shapes) Query(name string, k *index.Kind) (q query.Q, left int) {
	list, form := s.meant(name)
	if len(list) == 0 {
		return nil, 0
	}
	size := k.Rules.Geometry().Size
	var any query.Or
	room := maxShapePlaces
	for i, e := range list {
		shapes := queries(e, form(e), k.Rules.Geometry())
		cost := 0
		for _, q := range shapes {
			cost += 2 * e.Orientations() * placesOf(q.(*query.Shape).Pattern, size)
		}
		if room -= cost; room < 0 && i > 0 {
			left++
			room += cost
			continue
		}
		any = append(any, shapes...)
	}
	if len(any) == 1 {
		return any[0], left
	}
	return query.When{Q: any}, left
}

// placesOf returns in about how many places a picture lies on a board: a border of
// cells outside leaves one line for it.
func placesOf(p *pattern.Pattern, size board.Size) int {
	across, down := size.W, size.H
	rows, columns := make([]int, p.Size.H), make([]int, p.Size.W) // cells outside
	for i, set := range p.Cells {
		if set == pattern.Off {
			rows[i/p.Size.W]++
			columns[i%p.Size.W]++
		}
	}
	if slices.Contains(rows, p.Size.W) {
		down = 1
	}
	if slices.Contains(columns, p.Size.H) {
		across = 1
	}
	return across * down
}

// meant returns the entries that a name stands for in a query, and what of each is
// looked for.
func (s *Shapes) meant(name string) (list []*kb.Entry, form func(*kb.Entry) kb.Form) {
	main := func(e *kb.Entry) kb.Form {
		if len(e.Terms) > 0 {
			if t := s.Base.Term(e.Terms[0]); t != nil {
				return t.Form
			}
		}
		return kb.Move
	}
	term := s.Base.Term(name)
	if e := s.Base.Entry(name); e != nil && term == nil {
		return []*kb.Entry{e}, main
	}
	list, err := s.Find(name)
	if err != nil {
		return nil, nil
	}
	if m := s.Base.Find(name); term == nil && m != nil {
		term = m.Term
	}
	list = written(list)
	if term == nil {
		return list, main
	}
	// Stones that have a name are drawn without good points, and moves with them.
	fitting := slices.DeleteFunc(slices.Clone(list), func(e *kb.Entry) bool {
		return (len(e.Ours)+len(e.Theirs) == 0) != (term.Form == kb.Stones)
	})
	if len(fitting) > 0 {
		list = fitting
	}
	return list, func(*kb.Entry) kb.Form { return term.Form }
}

// written returns the entries that people wrote, or all where there are none.
func written(list []*kb.Entry) []*kb.Entry {
	some := slices.DeleteFunc(slices.Clone(list), func(e *kb.Entry) bool { return e.Origin == kb.Mined })
	if len(some) > 0 {
		return some
	}
	return list
}

// queries returns what finds an entry: one shape for each of its good points that
// differ, and for each edge that its place may be counted from.
func queries(e *kb.Entry, form kb.Form, g *board.Geometry) (list []query.Q) {
	good, side := e.Ours, game.First
	if len(good) == 0 {
		good, side = e.Theirs, game.Second
	}
	add := func(cells []pattern.Set, next []kb.Spot) {
		for _, part := range placed(e, cells) {
			shape := &query.Shape{Pattern: part.pattern(), Geometry: g}
			for _, at := range next {
				shape.Next = append(shape.Next, query.Step{X: at.X - int8(part.left), Y: at.Y - int8(part.top), Side: side, Piece: board.Piece(side) + 1})
			}
			list = append(list, shape)
		}
	}
	switch {
	case len(good) == 0 || form == kb.Stones && !e.Avoids():
		add(e.Cells, nil)
	case form == kb.Stones:
		for _, at := range distinct(e, good) {
			cells := slices.Clone(e.Cells)
			cells[int(at.Y)*e.Size.W+int(at.X)] = pattern.Of(board.Piece(side) + 1)
			add(cells, nil)
		}
	default:
		for _, at := range distinct(e, good) {
			add(e.Cells, []kb.Spot{at})
		}
	}
	return list
}

// distinct returns good points of which none is another one in a picture of the
// shape that looks the same.
func distinct(e *kb.Entry, good []kb.Spot) (list []kb.Spot) {
	plain := e.Shape()
	plain.Marks = nil
	for _, at := range good {
		known := slices.ContainsFunc(plain.Own(), func(sym board.Symmetry) bool {
			p := sym.Apply(e.Size, board.At(int(at.X), int(at.Y)))
			return slices.Contains(list, kb.Spot{X: int8(p.X()), Y: int8(p.Y())})
		})
		if !known {
			list = append(list, at)
		}
	}
	return list
}

// region is cells of a diagram, and where its first one lies in the entry.
type region struct {
	left, top int
	size      board.Size
	cells     []pattern.Set
}

func (r *region) pattern() *pattern.Pattern {
	return &pattern.Pattern{Size: r.size, Cells: r.cells, Anchor: pattern.Floating, Mirror: true, Swap: true, To: -1}
}

// at returns the set of a cell in the frame of the entry, which must be inside.
func (r *region) at(x, y int) *pattern.Set { return &r.cells[(y-r.top)*r.size.W+x-r.left] }

// within returns the region made larger, or smaller, to certain columns and rows.
func (r *region) within(left, top, right, bottom int) *region {
	out := &region{left: left, top: top, size: board.Size{W: right - left + 1, H: bottom - top + 1}}
	for y := top; y <= bottom; y++ {
		for x := left; x <= right; x++ {
			set := kb.Any
			if x >= r.left && y >= r.top && x < r.left+r.size.W && y < r.top+r.size.H {
				set = *r.at(x, y)
			}
			out.cells = append(out.cells, set)
		}
	}
	return out
}

// trim cuts off columns and rows that say nothing.
func (r *region) trim() *region {
	left, top, right, bottom := r.left+r.size.W, r.top+r.size.H, r.left, r.top
	for i, set := range r.cells {
		if set != kb.Any {
			x, y := r.left+i%r.size.W, r.top+i/r.size.W
			left, right, top, bottom = min(left, x), max(right, x), min(top, y), max(bottom, y)
		}
	}
	return r.within(left, top, right, bottom)
}

// placed returns the diagrams that together say what the cells of an entry say
// with its place: that the middle point lies on a line is told by cells outside
// the board beyond it, which may be on either side.
func placed(e *kb.Entry, cells []pattern.Set) []*region {
	whole := &region{size: e.Size, cells: cells}
	list := []*region{whole}
	x, y := (e.Size.W-1)/2, (e.Size.H-1)/2
	for axis, line := range e.Place {
		if line == 0 {
			continue
		}
		var next []*region
		for _, r := range list {
			for _, sign := range []int{-1, 1} {
				if limited := r.limit(x, y, axis == 1, sign, int(line)); limited != nil {
					next = append(next, limited)
				}
			}
		}
		list = next
	}
	for i, r := range list {
		list[i] = r.trim()
	}
	return slices.CompactFunc(list, func(a, b *region) bool { return a.size == b.size && slices.Equal(a.cells, b.cells) })
}

// limit returns the region with the middle point on a line counted from one of
// two opposite edges, the nearer one; nil where the cells contradict that.
func (r *region) limit(x, y int, across bool, sign, line int) *region {
	at := func(n int) (int, int) { // so many points from the middle, towards the edge
		if across {
			return x + sign*n, y
		}
		return x, y + sign*n
	}
	x1, y1 := at(line)
	x2, y2 := at(1 - line)
	out := r.within(min(r.left, x1, x2), min(r.top, y1, y2), max(r.left+r.size.W-1, x1, x2), max(r.top+r.size.H-1, y1, y2))
	for _, c := range []struct {
		n    int
		keep pattern.Set
	}{{line, pattern.Off}, {line - 1, kb.OnBoard}, {0, kb.OnBoard}, {1 - line, kb.OnBoard}} {
		set := out.at(at(c.n))
		if *set &= c.keep; *set == 0 {
			return nil
		}
	}
	return out
}
