package retrieve

import (
	"cmp"
	"slices"

	"qipu/game"
	"qipu/interval"
	"qipu/pattern"
)

// Node is a move of a tree of continuations, in the frame of the pattern; the
// root is the pattern itself. Lines that a symmetry of the pattern takes to each
// other are one.
type Node struct {
	Move game.Move
	Side game.Side // who played it, as drawn

	// Score counts games, each once however often its line occurs in it.
	Score
	Children []*Node // the most frequent first, once the tree is complete

	last uint32 // the game that was counted last
}

// child returns the node of a move behind another.
func (n *Node) child(m game.Move, side game.Side) *Node {
	for _, c := range n.Children {
		if c.Move == m && c.Side == side {
			return c
		}
	}
	c := &Node{Move: m, Side: side}
	n.Children = append(n.Children, c)
	return c
}

// merge adds another tree of the same root. The games of both are different.
func (n *Node) merge(o *Node) {
	n.Score.merge(&o.Score)
	for _, c := range o.Children {
		n.child(c.Move, c.Side).merge(c)
	}
}

// sort puts the most frequent moves first.
func (n *Node) sort() {
	slices.SortFunc(n.Children, func(x, y *Node) int {
		return cmp.Or(cmp.Compare(y.Count, x.Count), cmp.Compare(x.Move, y.Move), cmp.Compare(x.Side, y.Side))
	})
	for _, c := range n.Children {
		c.sort()
	}
}

// Prune takes off what fewer than so many games have, and counts the nodes that
// are left.
func (n *Node) Prune(least int) (nodes int) {
	n.Children = slices.DeleteFunc(n.Children, func(c *Node) bool { return c.Count < least })
	for _, c := range n.Children {
		nodes += 1 + c.Prune(least)
	}
	return nodes
}

// grow adds the moves behind an occurrence to the tree. Hits come game by game.
func (w *worker) grow(h *interval.Hit, place *pattern.Placement) {
	b, lane := w.job.batch, int(h.Lane)
	id, result := b.Game(lane), b.Result(lane)
	// The pictures in which the line so far is the one that stands for all: all
	// symmetries of the pattern at first, one of them in the end.
	pictures := []game.Symmetry{{}}
	if w.fold != nil {
		pictures = append(pictures, w.fold.group...)
	}
	count := func(n *Node) {
		if n.Count == 0 || n.last != id {
			n.last = id
			n.add(result, b.Day(lane), b.LastDay(lane), place.Symmetry.Swap != pictures[0].Swap)
		}
	}
	node, slot := w.job.tree, h.Slot
	count(node)
	for range w.Depth {
		key, next, ok := w.following(place, lane, slot)
		if !ok {
			return
		}
		if w.fold != nil {
			key, pictures = w.fold.narrow(key, pictures)
		}
		node = node.child(key.move(), key.side)
		count(node)
		slot = next.Slot
	}
}

// narrow returns the move that stands for the same one in several pictures, and
// the pictures in which it is that.
func (f *fold) narrow(key moveKey, pictures []game.Symmetry) (moveKey, []game.Symmetry) {
	best, kept := key, pictures[:0]
	for i, sym := range pictures {
		m := f.apply(key, sym)
		if i > 0 && m != best && !m.before(best) {
			continue
		}
		if i == 0 || m != best {
			best, kept = m, pictures[:0]
		}
		kept = append(kept, sym)
	}
	return best, kept
}
