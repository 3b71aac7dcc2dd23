package book

import "sync"

// below keeps how many positions lie below nodes, until something changes.
type below struct {
	mu   sync.Mutex
	done map[uint32]int
}

func (w *below) reset() { w.done = nil }

// under returns how many positions of the book can be reached from a node by
// moves of games. Through other orders of moves the same position can be below
// several moves, so that no sum gives it: all of them are walked through. Those
// that one game has reached, which most are, lie side by side and cost some
// nanoseconds each.
func (b *Book) under(id uint32) int {
	b.below.mu.Lock()
	defer b.below.mu.Unlock()
	if n, ok := b.below.done[id]; ok {
		return n
	}
	if b.base.Strange+b.delta.strange == 0 && !b.delta.loops && id == b.start() {
		return b.base.Nodes + b.delta.positions - 1
	}
	met := make([]uint64, (b.base.Nodes+len(b.delta.fresh)+63)/64)
	met[id/64] |= 1 << (id % 64)
	stack := []uint32{id}
	var n node
	count := 0
	bodies, touched := b.base.nodes, b.delta.touched
	lone := uint32(b.base.Nodes) // below it, nodes may be lone
	if b.delta.loops {
		lone = 0
	}
	for len(stack) > 0 {
		last := len(stack) - 1
		at := stack[last]
		stack = stack[:last]
		b.load(at, &n)
	edges:
		for i := range n.edges {
			// Along what follows as long as one game alone has been there, and
			// could come but once: such a node has one way to it, so that nobody
			// needs to know whether it was met.
			to := n.edges[i].child
			for to < lone {
				body := le.Uint64(bodies[int(to)*nodeSize+8:])
				if body&bodyMany != 0 || touched[to/64]>>(to%64)&1 != 0 {
					break
				}
				count++
				if body>>19&noCode == noCode {
					continue edges
				}
				to = uint32(body >> 32)
			}
			if met[to/64]>>(to%64)&1 == 0 {
				met[to/64] |= 1 << (to % 64)
				count++
				stack = append(stack, to)
			}
		}
	}
	if b.below.done == nil {
		b.below.done = map[uint32]int{}
	}
	b.below.done[id] = count
	return count
}

// start returns the node of the usual start.
func (b *Book) start() uint32 {
	id, ok := b.find(b.first.print())
	if !ok {
		return none
	}
	return id
}
