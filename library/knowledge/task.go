package knowledge

import (
	"math/rand/v2"
	"slices"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/pattern/window"
)

// ShapeTask is a part of a board on which one looks for the good point of a
// shape. Own is to play.
type ShapeTask struct {
	Entry  *kb.Entry
	Size   board.Size
	Cells  []pattern.Set // single states
	Answer []kb.Spot     // all good points of the shape there, in reading order
}

// Task makes a task of a fixture in which a shape stands, seen in a symmetry. It
// is false where the fixture has no good point that lies in it.
func Task(e *kb.Entry, c *kb.Check, sym board.Symmetry) (*ShapeTask, bool) {
	planes, left, top, err := c.Board()
	if err != nil || !c.Match {
		return nil, false
	}
	good, theirs := e.Ours, len(e.Ours) == 0
	if theirs { // who is to play is own
		good = e.Theirs
	}
	t := &ShapeTask{Entry: e, Size: sym.Turned(c.Size), Cells: make([]pattern.Set, len(c.Cells))}
	e.Find(planes, func(to func(kb.Spot) board.Point) bool {
		for _, s := range good {
			p := to(s)
			x, y := p.X()-left, p.Y()-top
			if x < 0 || y < 0 || x >= c.Size.W || y >= c.Size.H {
				continue
			}
			q := sym.Apply(c.Size, board.At(x, y))
			if spot := (kb.Spot{X: int8(q.X()), Y: int8(q.Y())}); !slices.Contains(t.Answer, spot) {
				t.Answer = append(t.Answer, spot)
			}
		}
		return true
	})
	slices.SortFunc(t.Answer, func(a, b kb.Spot) int { return (int(a.Y)-int(b.Y))*board.MaxSide + int(a.X) - int(b.X) })
	for i, cell := range c.Cells {
		if theirs {
			cell = window.Swapped(cell)
		}
		t.Cells[t.Size.Index(sym.Apply(c.Size, c.Size.Point(i)))] = cell
	}
	return t, len(t.Answer) > 0
}

// Tasks returns up to n tasks, from the shapes that fit: those that people wrote,
// and mined ones where there are no others, whose fixtures have the point in the
// middle. The same seed gives the same tasks of the same base.
func (s *Shapes) Tasks(fits func(*kb.Entry) bool, n int, seed uint64) []*ShapeTask {
	byID := map[string][]*kb.Check{}
	for i := range s.Base.Checks {
		if c := &s.Base.Checks[i]; c.Match {
			byID[c.ID] = append(byID[c.ID], c)
		}
	}
	var list []*kb.Entry
	for i := range s.Base.Entries {
		e := &s.Base.Entries[i]
		if len(byID[e.ID]) > 0 && len(e.Ours)+len(e.Theirs) > 0 && fits(e) {
			list = append(list, e)
		}
	}
	list = written(list)
	chance := rand.New(rand.NewPCG(seed, 1))
	chance.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var tasks []*ShapeTask
	for _, e := range list {
		if len(tasks) == n {
			break
		}
		checks := byID[e.ID]
		sym := board.Symmetry(chance.IntN(int(board.NumSymmetries)))
		if t, ok := Task(e, checks[chance.IntN(len(checks))], sym); ok {
			tasks = append(tasks, t)
		}
	}
	return tasks
}
