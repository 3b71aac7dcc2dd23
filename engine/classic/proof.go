package classic

import (
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

// pnode is a position of the tree of a proof-number search.
type pnode struct {
	parent   int32
	first, n int32
	move     game.Move
	pn, dn   uint32 // how many positions prove or disprove it at least
	own      bool
	again    bool
	over     bool
}

const never = 1 << 30

// proof finds out whether the side to move wins, and how good anything else is it does
// not ask: it opens next the position that belongs to the smallest proof and to the
// smallest disproof.
func proof(w *walk) error {
	side := w.p.Turn()
	list := []pnode{{parent: -1, own: true, pn: 1, dn: 1}}
	most := min(w.Nodes, room)
	var path []int32
	for w.stop == nil && list[0].pn > 0 && list[0].dn > 0 {
		if w.result.Nodes >= most {
			w.stop = errNodes
			break
		}
		i := int32(0)
		path = path[:0]
		for list[i].n > 0 {
			n := &list[i]
			pick := n.first
			for j := n.first; j < n.first+n.n; j++ {
				if n.own && list[j].pn < list[pick].pn || !n.own && list[j].dn < list[pick].dn {
					pick = j
				}
			}
			i = pick
			path = append(path, i)
		}
		played := 0
		for _, j := range path {
			if err := w.p.Play(list[j].move); err != nil {
				w.err, w.stop = err, err
				break
			}
			played++
		}
		if w.stop == nil {
			turn, first := w.p.Turn(), int32(len(list))
			for _, m := range w.generate() {
				if w.halted() {
					break
				}
				if err := w.p.Play(m); err != nil {
					w.err, w.stop = err, err
					break
				}
				w.result.Nodes++
				c := pnode{parent: i, move: m, own: w.p.Turn() == side, again: w.p.Turn() == turn, pn: 1, dn: 1}
				if o := w.p.Outcome(); o.Over() {
					w.result.Leaves++
					c.over, c.pn, c.dn = true, never, 0
					if o.State == game.Won && o.Winner == side {
						c.pn, c.dn = 0, never
					}
				}
				w.p.Undo()
				list = append(list, c)
			}
			list[i].first, list[i].n = first, int32(len(list))-first
		}
		for range played {
			w.p.Undo()
		}
		for j := i; j >= 0; j = list[j].parent {
			n := &list[j]
			if n.n == 0 {
				continue
			}
			least, sum := uint32(never), uint32(0)
			for _, c := range list[n.first : n.first+n.n] {
				a, b := c.pn, c.dn
				if !n.own {
					a, b = b, a
				}
				least, sum = min(least, a), min(sum+b, never)
			}
			n.pn, n.dn = least, sum
			if !n.own {
				n.pn, n.dn = sum, least
			}
		}
	}
	root := &list[0]
	r := &w.result
	r.Kept = int64(len(list))
	if root.n == 0 {
		return nil
	}
	pick := root.first
	for j := root.first; j < root.first+root.n; j++ {
		if list[j].pn < list[pick].pn || list[j].pn == list[pick].pn && list[j].dn > list[pick].dn {
			pick = j
		}
	}
	r.Move, r.Line = list[pick].move, []game.Move{list[pick].move}
	switch {
	case root.pn == 0:
		r.Proved, r.Value, r.Note = true, engine.Win-1, "the side to move wins"
		r.Low, r.High = engine.Decided, engine.Win
	case root.dn == 0:
		r.Proved, r.Value, r.Note = true, 0, "the side to move does not win"
		r.Low, r.High = -engine.Win, engine.Decided-1
	default:
		r.Note = "neither proved nor disproved"
		r.Low, r.High = -engine.Win, engine.Win
	}
	if w.Record != nil {
		var tell func(i int32)
		tell = func(i int32) {
			n := &list[i]
			w.Record.Grown(int(i) + 1)
			w.Record.Enter(n.move, n.again, -int32(n.dn), int32(n.pn))
			for j := n.first; j < n.first+n.n; j++ {
				tell(j)
			}
			v, why := int32(0), trace.Horizon
			switch {
			case n.over:
				why = trace.Over
			case n.pn == 0 || n.dn == 0:
				why = trace.Proved
			}
			if n.pn == 0 {
				v = int32(engine.Win)
			}
			if n.dn == 0 {
				v = -int32(engine.Win)
			}
			if !n.own {
				v = -v
			}
			w.Record.Leave(v, why, 0)
		}
		tell(0)
	}
	return nil
}
