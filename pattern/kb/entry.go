package kb

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/window"
)

// The states that the cells of a shape are made of. In a pattern.Set own is the
// first piece and the enemy the second, whatever colour they have on a board.
const (
	Own     = window.Own
	Enemy   = window.Enemy
	OnBoard = window.OnBoard
	Any     = window.Any
)

// MaxSide is the largest number of columns and rows of a diagram.
const MaxSide = window.MaxSide

// Spot is a point of a diagram: column and row from its top left point.
type Spot struct{ X, Y int8 }

// Origin tells where a shape comes from.
type Origin uint8

// The origins.
const (
	Hand  Origin = iota // written by hand for the shipped base
	Paper               // printed in a paper
	Mined               // found in records, and so marked
	User                // of a user
)

var origins = [...]string{Hand: "hand", Paper: "paper", Mined: "mined", User: "user"}

// String returns the word of the origin.
func (o Origin) String() string {
	if int(o) < len(origins) {
		return origins[o]
	}
	return fmt.Sprintf("origin %d", uint8(o))
}

// Entry is one shape of a base. Entries are not changed once they are in one.
type Entry struct {
	ID      string   // lower-case letters, digits and hyphens; one of its kind in a base
	Terms   []string // ids, the main one first
	Names   board.Names
	Aliases []string

	Size  board.Size
	Cells []pattern.Set // row by row

	// Ours and Theirs are the good points: where own plays, and where the enemy
	// does, in reading order. Both may be empty where the shape is worth a name
	// alone. With the purpose Avoid they are the points to keep away from.
	Ours, Theirs []Spot

	Purpose Purpose
	Urgency Urgency

	// Place limits the lines that the middle point may lie on: those from the
	// nearest edge above or below, and at the left or right, as drawn; 0 is any.
	Place [2]uint8

	// Overrides are the entries whose advice this one replaces where both speak
	// of a point, and Yields those that replace it: ids, or term:id for all of a
	// term.
	Overrides, Yields []string
	Origin            Origin
	Source            string
	Note              string

	File string // that it was read from, and the line there
	Line int
}

// At returns the cell in a column and row, and Any outside the diagram.
func (e *Entry) At(x, y int) pattern.Set {
	if x < 0 || y < 0 || x >= e.Size.W || y >= e.Size.H {
		return Any
	}
	return e.Cells[y*e.Size.W+x]
}

// Shape returns the entry for the matcher. Its good points are marked, so that
// pictures are told apart in which they lie elsewhere.
func (e *Entry) Shape() window.Shape {
	s := window.Shape{Size: e.Size, Cells: e.Cells, Line: e.Place, Marks: make([]uint8, len(e.Cells))}
	for side, list := range [][]Spot{e.Ours, e.Theirs} {
		for _, at := range list {
			s.Marks[int(at.Y)*e.Size.W+int(at.X)] |= 1 << side
		}
	}
	return s
}

// Avoids tells that the points of the entry are to be kept away from.
func (e *Entry) Avoids() bool { return e.Purpose&Avoid != 0 }

// Form tells what a term names.
type Form uint8

// The forms.
const (
	Move   Form = iota // the move on a good point
	Stones             // the stones as they stand
)

// Term is a word of the game under which shapes are sorted.
type Term struct {
	ID      string
	Names   board.Names
	Aliases []string
	Purpose Purpose // that shapes of the term usually have
	Form    Form
	Note    string

	File string
	Line int
}

// Check is a fixture of an entry: a part of a board, and whether the shape
// matches there.
type Check struct {
	ID    string // of the entry
	Match bool
	Size  board.Size
	Cells []pattern.Set // single states each
	Spots []Spot        // the letters

	File string
	Line int
}

// Error is something wrong in a file of shapes.
type Error struct {
	File   string
	Line   int
	Reason string
}

// Error returns file, line and reason.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Reason) }

// validID tells whether a text may be an id.
func validID(id string) bool {
	return id != "" && len(id) <= 80 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && id[0] != '-' && id[len(id)-1] != '-'
}

// taken are words that stand in the places of ids in addresses and mean something
// else there.
var taken = []string{"check", "index", "lint", "new", "questions"}

// Validate tells what is wrong with an entry by itself: nil, or the reason. What
// depends on other entries is for Lint.
func (e *Entry) Validate() error {
	switch {
	case !validID(e.ID):
		return fmt.Errorf("kb: %q is no id: write lower-case letters, digits and hyphens", e.ID)
	case slices.Contains(taken, e.ID):
		return fmt.Errorf("kb: %q cannot be an id, since pages are called so: choose another", e.ID)
	case e.Size.W < 1 || e.Size.H < 1:
		return fmt.Errorf("kb: %s has no diagram: write rows of cells below the word draw", e.ID)
	case e.Size.W > MaxSide || e.Size.H > MaxSide:
		return fmt.Errorf("kb: the diagram of %s is %v: at most %d columns and rows", e.ID, e.Size, MaxSide)
	case len(e.Cells) != e.Size.Area():
		return fmt.Errorf("kb: %s has %d cells for %v", e.ID, len(e.Cells), e.Size)
	case e.Urgency < Special || e.Urgency > Urgent:
		return fmt.Errorf("kb: %s has no urgency: write 4 urgent, 3 important, 2 ordinary or 1 special", e.ID)
	case e.Place[0] > 9 || e.Place[1] > 9:
		return fmt.Errorf("kb: the place of %s is two digits, such as 30 or 33", e.ID)
	case e.Avoids() && len(e.Ours)+len(e.Theirs) == 0:
		return fmt.Errorf("kb: %s says avoid but names no point: say which by ours or theirs", e.ID)
	}
	says := false
	for i, set := range e.Cells {
		if set == 0 || set&^Any != 0 {
			return fmt.Errorf("kb: the cell in row %d, column %d of %s allows no state", i/e.Size.W+1, i%e.Size.W+1, e.ID)
		}
		says = says || set&(Own|Enemy) != 0 && set&pattern.Empty == 0
	}
	if !says {
		return fmt.Errorf("kb: %s has no stone: it would match nearly everywhere", e.ID)
	}
	for _, s := range slices.Concat(e.Ours, e.Theirs) {
		if e.At(int(s.X), int(s.Y)) != pattern.Empty {
			return fmt.Errorf("kb: the good point in row %d, column %d of %s is not empty", s.Y+1, s.X+1, e.ID)
		}
	}
	return nil
}
