package window

import (
	"errors"
	"fmt"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// What a point of a shape may be, besides pattern.Empty and pattern.Off. Own is
// the side that the shape is drawn for.
const (
	Own     pattern.Set = 1 << 1
	Enemy   pattern.Set = 1 << 2
	OnBoard             = pattern.Empty | Own | Enemy
	Any                 = OnBoard | pattern.Off
)

// MaxSide is the largest width and height of a shape.
const MaxSide = 19

// Shape is a local pattern: the states that each point of a region may be in,
// and how far from the edges the region may lie.
type Shape struct {
	Size  board.Size
	Cells []pattern.Set // row by row; len = Size.Area()

	// Line limits where the centre cell may lie: its line seen from the nearest
	// edge, counted from 1, or 0 for anywhere. The first speaks of its row (up
	// and down), the second of its column, as drawn; both turn with the shape.
	Line [2]uint8

	// Marks, where there are any, tell cells apart that their sets do not: two
	// pictures of a shape that differ in marks alone are two, and both are
	// reported. A shape whose good point lies off its own axis of symmetry has
	// them; len = Size.Area() or 0.
	Marks []uint8
}

// Centre returns the cell that Line speaks of: the middle, or the one left of
// and above it where a side is even.
func (s *Shape) Centre() (x, y int) { return (s.Size.W - 1) / 2, (s.Size.H - 1) / 2 }

// At returns what the cell in column x and row y may be, and Any outside the
// region.
func (s *Shape) At(x, y int) pattern.Set {
	if x < 0 || y < 0 || x >= s.Size.W || y >= s.Size.H {
		return Any
	}
	return s.Cells[y*s.Size.W+x]
}

// Swapped returns a set with own and enemy exchanged.
func Swapped(s pattern.Set) pattern.Set { return s&^(Own|Enemy) | s&Own<<1 | s&Enemy>>1 }

// Check tells what makes a shape none that can be looked for. Shapes that are
// merely never found pass.
func (s *Shape) Check() error {
	if s.Size.W < 1 || s.Size.H < 1 || s.Size.W > MaxSide || s.Size.H > MaxSide {
		return fmt.Errorf("size %s is out of range: draw 1 to %d columns and rows", s.Size, MaxSide)
	}
	if len(s.Cells) != s.Size.Area() {
		return fmt.Errorf("%d cells for a region of %s: give %d", len(s.Cells), s.Size, s.Size.Area())
	}
	if len(s.Marks) != 0 && len(s.Marks) != s.Size.Area() {
		return fmt.Errorf("%d marks for a region of %s: give none or %d", len(s.Marks), s.Size, s.Size.Area())
	}
	on := false
	for i, set := range s.Cells {
		if set == 0 || set&^Any != 0 {
			return fmt.Errorf("cell %d,%d has the states %#x: it may be any of empty, own, enemy and off the board, and must be one",
				i%s.Size.W+1, i/s.Size.W+1, uint32(set))
		}
		on = on || set&pattern.Off == 0
	}
	if !on {
		return errors.New("every cell may lie outside the board, so that it fits anywhere beyond: let one be a point of the board")
	}
	return nil
}

// Picture is a shape as one symmetry shows it.
type Picture struct {
	Shape
	Symmetry game.Symmetry // takes the shape as drawn to this picture
	X, Y     int           // where the centre cell of the shape as drawn has come to lie
}

// Picture returns the shape as a symmetry shows it; with Swap own and enemy are
// exchanged.
func (s *Shape) Picture(sym game.Symmetry) Picture {
	p := Picture{Symmetry: sym}
	p.Size = sym.Board.Turned(s.Size)
	p.Cells = make([]pattern.Set, len(s.Cells))
	if len(s.Marks) > 0 {
		p.Marks = make([]uint8, len(s.Marks))
	}
	for i, set := range s.Cells {
		to := p.Size.Index(sym.Board.Apply(s.Size, s.Size.Point(i)))
		if sym.Swap {
			set = Swapped(set)
		}
		p.Cells[to] = set
		if p.Marks != nil {
			p.Marks[to] = s.Marks[i]
		}
	}
	p.Line = s.Line
	if sym.Board&board.Transpose != 0 {
		p.Line[0], p.Line[1] = s.Line[1], s.Line[0]
	}
	c := sym.Board.Apply(s.Size, board.At(s.Centre()))
	p.X, p.Y = c.X(), c.Y()
	return p
}

// same reports whether two pictures cannot be told apart.
func (p *Picture) same(q *Picture) bool {
	if p.Line != q.Line || !p.looks(q) {
		return false
	}
	a, b := p.said(), q.said()
	return (p.Line[0] == 0 || p.Y-a.y == q.Y-b.y) && (p.Line[1] == 0 || p.X-a.x == q.X-b.x)
}

// looks reports whether two pictures have the same cells and marks, be their
// lines as they may. Columns and rows at the rim that say nothing are no part of
// that: a shape that is drawn beside the middle of its region turns around its
// own middle.
func (p *Picture) looks(q *Picture) bool {
	a, b := p.said(), q.said()
	if a.w != b.w || a.h != b.h {
		return false
	}
	for y := range a.h {
		i, j := (a.y+y)*p.Size.W+a.x, (b.y+y)*q.Size.W+b.x
		if !slices.Equal(p.Cells[i:i+a.w], q.Cells[j:j+a.w]) ||
			p.Marks != nil && !slices.Equal(p.Marks[i:i+a.w], q.Marks[j:j+a.w]) {
			return false
		}
	}
	return true
}

// area is a rectangle of cells.
type area struct{ x, y, w, h int }

// said returns the smallest area that holds all cells that say something or
// have a mark.
func (s *Shape) said() area {
	left, right, top, below := s.Size.W, -1, s.Size.H, -1
	for i, set := range s.Cells {
		if set != Any || s.Marks != nil && s.Marks[i] != 0 {
			x, y := i%s.Size.W, i/s.Size.W
			left, right, top, below = min(left, x), max(right, x), min(top, y), max(below, y)
		}
	}
	return area{left, top, right - left + 1, below - top + 1}
}

// Variants returns the distinct pictures of a shape under the eight symmetries,
// the identity first, then the same with own and enemy exchanged: 2 to 16 of
// them. Half the length is the number of orientations.
//
// The exchanged half is there even where it looks like the first: the same
// stones then are the shape for both sides. Pictures that differ in Line alone
// are distinct here, but a place where both hold is one hit.
func (s *Shape) Variants() []Picture {
	list := s.orientations()
	for _, p := range list {
		list = append(list, s.Picture(game.Symmetry{Board: p.Symmetry.Board, Swap: true}))
	}
	return list
}

// orientations returns the distinct pictures without exchange of colours.
func (s *Shape) orientations() []Picture {
	list := make([]Picture, 0, 2*board.NumSymmetries)
	for sym := range board.NumSymmetries {
		p := s.Picture(game.Symmetry{Board: sym})
		if !slices.ContainsFunc(list, func(q Picture) bool { return p.same(&q) }) {
			list = append(list, p)
		}
	}
	return list
}

// Own returns the symmetries that show the shape as it is drawn, the identity
// first: the number of orientations is eight by their number.
func (s *Shape) Own() []board.Symmetry {
	drawn := s.Picture(game.Symmetry{})
	var list []board.Symmetry
	for sym := range board.NumSymmetries {
		if p := s.Picture(game.Symmetry{Board: sym}); p.same(&drawn) {
			list = append(list, sym)
		}
	}
	return list
}

// Hit is a shape found on a board.
type Hit struct {
	Shape int32 // the number of the shape in the list that was compiled

	// Symmetry takes the shape as drawn to the board. Swap tells that Own is
	// the second side.
	Symmetry game.Symmetry

	// X and Y are where the top left cell of the picture lies on the board,
	// negative where that is outside.
	X, Y int16
}

// Side returns the side that is Own.
func (h Hit) Side() game.Side {
	if h.Symmetry.Swap {
		return game.Second
	}
	return game.First
}

// Point returns where the cell in column x and row y of the shape as drawn lies
// on the board, or NoPoint where that is left of or above any board, or right
// of or below the largest. A cell that must be on the board always has a point.
func (h Hit) Point(size board.Size, x, y int) board.Point {
	q := h.Symmetry.Board.Apply(size, board.At(x, y))
	bx, by := int(h.X)+q.X(), int(h.Y)+q.Y()
	if bx < 0 || by < 0 || bx >= board.MaxSide || by >= board.MaxSide {
		return board.NoPoint
	}
	return board.At(bx, by)
}
