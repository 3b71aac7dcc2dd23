package playview

import (
	"qipu/engine/trace"
	"qipu/view"
)

// CountersOf returns the counts of a search in their public form.
func CountersOf(c *trace.Counters) view.Counters {
	v := view.Counters{Hits: c.Hits, Untold: c.Untold, Plies: []view.PlyCount{}, Left: []view.NamedCount{}, CutAt: []int64{}, Work: []view.WorkCount{}}
	v.Nodes, v.Leaves = c.Sum()
	for ply, n := range c.Nodes {
		row := view.PlyCount{Ply: ply, Nodes: n}
		if ply < len(c.Leaves) {
			row.Leaves = c.Leaves[ply]
		}
		v.Plies = append(v.Plies, row)
	}
	for why, n := range c.By {
		if n > 0 {
			v.Left = append(v.Left, view.NamedCount{Name: trace.Reason(why).String(), Count: n})
		}
	}
	if c.Cuts() > 0 {
		v.CutAt = append(v.CutAt, c.CutAt[:]...)
	}
	for w, calls := range c.Calls {
		if calls > 0 {
			v.Work = append(v.Work, view.WorkCount{Name: trace.Work(w).String(), Calls: calls, Seconds: c.Times[w].Seconds()})
		}
	}
	return v
}
