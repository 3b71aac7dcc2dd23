package switching

import "qipu/game"

// Wins tells by theory who wins the position, whoever is to move.
func (p *Position) Wins() game.Side {
	if p.winner >= 0 {
		return game.Side(p.winner)
	}
	if p.turn == Cut {
		if p.twoTrees() {
			return Short
		}
		return Cut
	}
	// Short moves first: it wins where some link makes it win as the second.
	for i := range p.owner {
		if p.owner[i] >= 0 {
			continue
		}
		p.owner[i] = int8(Short)
		won := p.joined(true) || p.twoTrees()
		p.owner[i] = -1
		if won {
			return Short
		}
	}
	return Cut
}

// twoTrees reports whether Short wins with Cut to move. The links of Short are points
// that have become one, those of Cut are gone. Two forests without a common link are
// grown as large as they can be; then it is asked whether a link from edge to edge
// could be added to them. Where it cannot, what it would have to push out spans the
// same points in both forests, and both edges are among them.
func (p *Position) twoTrees() bool {
	g := p.contract()
	u := &union{graph: g, in: make([]int8, len(g.links))}
	for i := range u.in {
		u.in[i] = -1
	}
	terminal := len(g.links) - 1
	for i := range terminal {
		u.augment(i)
	}
	return !u.augment(terminal)
}

// graph is what is left of the grid; its last link is one from edge to edge.
type graph struct {
	points int
	links  [][2]int
}

func (p *Position) contract() graph {
	root := make([]int, p.kind.points)
	for i := range root {
		root[i] = i
	}
	find := func(x int) int {
		for root[x] != x {
			x = root[x]
		}
		return x
	}
	for i, l := range p.kind.links {
		if p.owner[i] == int8(Short) {
			root[find(l.a)] = find(l.b)
		}
	}
	g := graph{points: p.kind.points}
	for i, l := range p.kind.links {
		if a, b := find(l.a), find(l.b); p.owner[i] < 0 && a != b {
			g.links = append(g.links, [2]int{a, b})
		}
	}
	g.links = append(g.links, [2]int{find(0), find(1)})
	return g
}

// union is two forests without a common link.
type union struct {
	graph
	in []int8 // the forest that a link is in, -1 for none
}

// augment adds a link to the forests, where need be by moving others from one to the
// other; it reports whether that is possible. It looks for the shortest row of such
// exchanges.
func (u *union) augment(start int) bool {
	if u.links[start][0] == u.links[start][1] {
		return false
	}
	from := make([]int, len(u.links)) // the link that pushes this one out, and 1
	from[start] = start + 1
	queue := []int{start}
	for len(queue) > 0 {
		x := queue[0]
		queue = queue[1:]
		for f := int8(0); f < 2; f++ {
			if u.in[x] == f {
				continue
			}
			path := u.path(f, u.links[x][0], u.links[x][1])
			if path == nil {
				// x fits into f; what it leaves takes what pushed it.
				for {
					old := u.in[x]
					u.in[x] = f
					if x == start {
						return true
					}
					x, f = from[x]-1, old
				}
			}
			for _, y := range path {
				if from[y] == 0 {
					from[y] = x + 1
					queue = append(queue, y)
				}
			}
		}
	}
	return false
}

// path returns the links of a forest between two points; nil where they do not hang
// together.
func (u *union) path(f int8, a, b int) []int {
	by := make([]int, u.points)
	for i := range by {
		by[i] = -1
	}
	by[a] = len(u.links)
	queue := []int{a}
	for len(queue) > 0 && by[b] < 0 {
		x := queue[0]
		queue = queue[1:]
		for i, l := range u.links {
			if u.in[i] != f {
				continue
			}
			y := -1
			switch x {
			case l[0]:
				y = l[1]
			case l[1]:
				y = l[0]
			}
			if y >= 0 && by[y] < 0 {
				by[y] = i
				queue = append(queue, y)
			}
		}
	}
	if by[b] < 0 {
		return nil
	}
	list := []int{}
	for x := b; x != a; {
		l := by[x]
		list = append(list, l)
		if u.links[l][0] == x {
			x = u.links[l][1]
		} else {
			x = u.links[l][0]
		}
	}
	return list
}
