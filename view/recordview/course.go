package recordview

import (
	"qipu/board"
	"qipu/engine/sight"
	"qipu/view"
)

// CourseOf dresses what a net says of a game on a board.
func CourseOf(c *sight.Course, g *board.Geometry) *view.Course {
	w := &view.Course{Net: c.Net, Version: c.Version, Depth: c.Depth, Moments: make([]view.CourseMoment, len(c.Moments)), Falls: make([]view.CourseFall, len(c.Falls))}
	for i, m := range c.Moments {
		w.Moments[i] = view.CourseMoment{Lead: view.Rounded(m.Lead), Win: view.Rounded(m.Win), First: view.Rounded(m.Black), Other: view.Rounded(m.White), Clear: view.Rounded(m.Clear)}
	}
	for i, f := range c.Falls {
		w.Falls[i] = view.CourseFall{Ply: f.Ply, Side: int(f.Side), At: g.Size.Index(f.At), Name: g.Name(f.At), Stones: f.Stones, Taken: f.Taken}
	}
	return w
}
