package study

import (
	"cmp"
	"slices"
	"strings"

	"qipu/record"
)

// Tree is what a sheet shows: the base with all that was written on it.
type Tree struct {
	log   *Log
	Nodes []Node // parents before their children, what follows the first child before the second; the first is the root
	// Conflicts are where people who did not know of each other said different things.
	Conflicts []Conflict
}

// Node is one node of the tree.
type Node struct {
	ID     ID
	Parent int32 // in Nodes; 0 for the root
	Added  *Op   // nil for a node of the base
	Base   int32 // the node of the base that it is; -1 for one that was added
}

// Conflict is a place where several values stand, or a branch that was deleted by
// somebody who did not know all of it.
type Conflict struct {
	Node   ID
	Key    Key   // Gone for a branch that stays although it was deleted
	Values []*Op // the one that is shown first
}

// Tree works out what the sheet shows. The cost is that of all operations.
func (l *Log) Tree() *Tree {
	t := &Tree{log: l}
	type task struct {
		id     ID
		parent int32
		added  *Op
		base   int32
	}
	for stack := []task{{id: Root}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		i := int32(len(t.Nodes))
		t.Nodes = append(t.Nodes, Node{ID: at.id, Parent: at.parent, Added: at.added, Base: at.base})
		t.told(at.id)
		var kids []task
		var ranks []string
		for _, id := range l.below(at.id) {
			if l.gone(t, id) {
				continue
			}
			k := task{id: id, parent: i, base: -1}
			if id.Device == baseDevice {
				k.base = int32(id.Seq)
			} else {
				k.added = l.ops[id]
			}
			kids = append(kids, k)
			ranks = append(ranks, l.rankAt(id))
		}
		sorted := make([]int, len(kids))
		for i := range sorted {
			sorted[i] = i
		}
		slices.SortStableFunc(sorted, func(x, y int) int { return cmp.Compare(ranks[x], ranks[y]) })
		for _, k := range slices.Backward(sorted) {
			stack = append(stack, kids[k])
		}
	}
	return t
}

// below returns the children of a node that are there: those of the base and those that
// were added and not undone, in an order that all devices share.
func (l *Log) below(id ID) []ID {
	var list []ID
	if id.Device == baseDevice && id.Seq < uint64(len(l.base.Nodes)) {
		for c := l.base.Nodes[id.Seq].Child; c != 0; c = l.base.Nodes[c].Next {
			list = append(list, Base(c))
		}
	}
	var added []*Op
	for _, o := range l.kids[id] {
		if !l.off(o) {
			added = append(added, o)
		}
	}
	slices.SortFunc(added, order)
	for _, o := range added {
		list = append(list, o.ID)
	}
	return list
}

// rankAt returns where a node stands among its siblings.
func (l *Log) rankAt(id ID) string {
	if o := first(l.standing(id, Rank)); o != nil {
		return o.Value
	}
	if id.Device == baseDevice {
		return rankOf(Base(int32(l.rank[int32(id.Seq)])), 0)
	}
	return rankOf(id, l.ops[id].Clock)
}

// gone reports whether a node is not shown because it was deleted, and notes one that
// stays because somebody has changed what is below it without knowing.
func (l *Log) gone(t *Tree, id ID) bool {
	if len(l.sets[id][Gone]) == 0 {
		return false
	}
	values := l.standing(id, Gone)
	if len(values) == 0 {
		return false
	}
	back := slices.IndexFunc(values, func(o *Op) bool { return o.Value == "" })
	switch {
	case back >= 0:
		if len(values) > 1 {
			values[0], values[back] = values[back], values[0]
			t.Conflicts = append(t.Conflicts, Conflict{id, Gone, values})
		}
		return false
	case l.changedUnseen(id, values):
		t.Conflicts = append(t.Conflicts, Conflict{id, Gone, values})
		return false
	}
	return true
}

// changedUnseen reports whether anything counts on a node or below it that none of those
// knew who deleted it.
func (l *Log) changedUnseen(id ID, deletes []*Op) bool {
	unseen := func(o *Op) bool {
		return !slices.ContainsFunc(deletes, func(d *Op) bool { return d.saw(o.ID) || d.ID == o.ID })
	}
	for stack := []ID{id}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if o := l.ops[at]; o != nil && unseen(o) {
			return true
		}
		for key := range l.sets[at] {
			if key == Gone || key == Off {
				continue // who deletes below deletes less
			}
			if slices.ContainsFunc(l.standing(at, key), unseen) {
				return true
			}
		}
		stack = append(stack, l.below(at)...)
	}
	return false
}

// told notes where several values of a node stand.
func (t *Tree) told(id ID) {
	sets := t.log.sets[id]
	if len(sets) == 0 {
		return
	}
	var found []Conflict
	for key := range sets {
		if key == Gone || key == Off {
			continue
		}
		values := t.log.standing(id, key)
		same := func(o *Op) bool { return o.Value == values[0].Value }
		if len(values) > 1 && !allOf(values, same) {
			found = append(found, Conflict{id, key, values})
		}
	}
	slices.SortFunc(found, func(x, y Conflict) int { return cmp.Compare(x.Key, y.Key) })
	t.Conflicts = append(t.Conflicts, found...)
}

func allOf(list []*Op, is func(*Op) bool) bool {
	return !slices.ContainsFunc(list, func(o *Op) bool { return !is(o) })
}

func first(list []*Op) *Op {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// Value returns what was said of a node under a key; written is false where nobody has
// said anything, and the base speaks.
func (l *Log) Value(node ID, key Key) (value string, written bool) {
	values := l.standing(node, key)
	if len(values) == 0 {
		return "", false
	}
	if key != Comment || len(values) == 1 {
		return values[0].Value, true
	}
	var parts []string
	for _, o := range slices.Backward(values) { // the earliest first
		if o.Value != "" && !slices.Contains(parts, o.Value) {
			parts = append(parts, o.Value)
		}
	}
	return strings.Join(parts, "\n\n"), true
}

// Find returns the number of a node in the tree; ok is false where it is not shown.
func (t *Tree) Find(id ID) (int32, bool) {
	for i := range t.Nodes {
		if t.Nodes[i].ID == id {
			return int32(i), true
		}
	}
	return 0, false
}

// Kids returns the children of a node, the main line first.
func (t *Tree) Kids(node int32) (list []int32) {
	for i := int(node) + 1; i < len(t.Nodes); i++ {
		if t.Nodes[i].Parent == node {
			list = append(list, int32(i))
		}
	}
	return list
}

// Rise returns the rank that a node needs to stand before the sibling that it stands
// behind, or with all before all of them; ok is false where it is the first.
func (t *Tree) Rise(node int32, all bool) (rank string, ok bool) {
	if node == 0 {
		return "", false
	}
	kids := t.Kids(t.Nodes[node].Parent)
	at := slices.Index(kids, node)
	if at <= 0 {
		return "", false
	}
	if all {
		at = 1
	}
	high, low := t.log.rankAt(t.Nodes[kids[at-1]].ID), ""
	for _, k := range kids[:at-1] {
		if r := t.log.rankAt(t.Nodes[k].ID); r < high { // two who did not know of each other may have given one rank twice
			low = r
		}
	}
	return Between(low, high), true
}

// Move returns who made the move of a node, and what it was.
func (t *Tree) Move(node int32) (record.Side, string) { return t.move(&t.Nodes[node]) }

func (t *Tree) move(n *Node) (side record.Side, move string) {
	if n.Added != nil {
		return n.Added.sideOf(), n.Added.Value
	}
	b := &t.log.base.Nodes[n.Base]
	return b.Side, b.Move
}
