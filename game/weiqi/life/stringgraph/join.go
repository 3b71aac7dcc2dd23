package stringgraph

import "qipu/game/weiqi/life"

// findAreas finds the empty vertices of the board without its dead. A point beside
// stones of both colours is one of its own, and a wall to the others: else a
// single neutral point would join the territories of both sides to one area.
func (g *Judge) findAreas() {
	for _, c := range g.b.On {
		if g.stone[c] != life.Empty {
			continue
		}
		touch := uint8(0)
		for _, step := range life.Steps {
			if s := g.stone[c+step]; s == life.Black || s == life.White {
				touch |= uint8(s)
			}
		}
		g.touch[c], g.of[c] = touch, -1
	}
	g.es, g.cells, g.strings = g.es[:0], g.cells[:0], g.strings[:0]
	for _, c := range g.b.On {
		if g.stone[c] == life.Empty && g.of[c] < 0 {
			g.addArea(c)
		}
	}
	if g.trace != nil {
		g.trace.areas()
	}
}

func (g *Judge) addArea(head life.Cell) {
	number := int16(len(g.es))
	g.mark.Begin()
	from, links := len(g.cells), len(g.strings)
	e := es{dame: g.touch[head] == 3}
	g.of[head] = number
	g.cells = append(g.cells, head)
	for i := from; i < len(g.cells); i++ {
		c := g.cells[i]
		e.touch |= g.touch[c]
		for _, step := range life.Steps {
			d := c + step
			switch g.stone[d] {
			case life.Empty:
				if g.touch[d] == 3 {
					e.open = true
				} else if g.of[d] < 0 && !e.dame {
					g.of[d] = number
					g.cells = append(g.cells, d)
				}
			case life.Black, life.White:
				n := g.b.Of[d]
				if g.mark.Add(g.b.Strings[n].Head) {
					g.strings = append(g.strings, n)
				}
			}
		}
	}
	e.cells, e.strings = span{uint16(from), uint16(len(g.cells))}, span{uint16(links), uint16(len(g.strings))}
	g.es = append(g.es, e)
}

func (g *Judge) cellsOf(e *es) []life.Cell { return g.cells[e.cells.from:e.cells.to] }
func (g *Judge) stringsOf(e *es) []int16   { return g.strings[e.strings.from:e.strings.to] }

// closed reports whether an es touches stones of one colour alone.
func (e *es) closed() bool { return e.touch == 1 || e.touch == 2 }

// findCircles marks the strings on circles: string, area, string, area and back,
// over areas that the enemy can neither enter nor come near. What is left when
// everything with one neighbour or none is taken away, again and again, is such
// circles and what joins them.
func (g *Judge) findCircles() {
	clear(g.degree)
	for i := range g.es {
		e := &g.es[i]
		if e.ring = e.closed() && !e.open; e.ring {
			for _, s := range g.stringsOf(e) {
				g.degree[s]++
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range g.es {
			e := &g.es[i]
			if !e.ring {
				continue
			}
			n := 0
			for _, s := range g.stringsOf(e) {
				if g.degree[s] >= 2 {
					n++
				}
			}
			if n >= 2 {
				continue
			}
			e.ring, changed = false, true
			for _, s := range g.stringsOf(e) {
				g.degree[s]--
			}
		}
	}
	for i := range g.degree {
		g.circle[i] = g.circle[i] || g.degree[i] >= 2
	}
	if g.trace != nil {
		g.trace.circles()
	}
}

// join makes groups of strings: SR. Areas that touch one colour alone join what is
// around them, but single points do so last, since they are no eyes then. Beside
// the enemy it takes two liberties that both strings share, or one where an enemy
// stone would be in atari. All that holds at the same time is done at the same
// time, so that the answer does not hang on any order.
func (g *Judge) join() {
	for i := range g.es {
		if e := &g.es[i]; e.closed() && len(g.cellsOf(e)) > 1 {
			g.joinAround(e)
		}
	}
	g.findPairs()
	for {
		g.joinPairs()
		if !g.joinSingles() {
			break
		}
	}
}

func (g *Judge) joinAround(e *es) {
	strings := g.stringsOf(e)
	for _, s := range strings[1:] {
		if g.group.Root(s) == g.group.Root(strings[0]) {
			continue
		}
		if g.trace != nil {
			g.trace.joinOver(strings[0], s, e)
		}
		g.group.Join(strings[0], s)
	}
}

// findPairs lists the liberties that two groups share where the enemy may come.
func (g *Judge) findPairs() {
	g.pairs = g.pairs[:0]
	for i := range g.es {
		e := &g.es[i]
		if e.touch != 3 {
			continue
		}
		for _, c := range g.cellsOf(e) {
			for k, step := range life.Steps {
				s := g.stone[c+step]
				if s != life.Black && s != life.White {
					continue
				}
				for _, other := range life.Steps[k+1:] {
					if g.stone[c+other] != s {
						continue
					}
					a, b := g.group.Root(g.b.Of[c+step]), g.group.Root(g.b.Of[c+other])
					if a == b {
						continue
					}
					if g.inAtari(c, s.Other()) {
						if g.trace != nil {
							g.trace.joinAt(a, b, c)
						}
						g.group.Join(a, b)
					} else {
						g.pairs = append(g.pairs, pair{min(a, b), max(a, b), c})
					}
				}
			}
		}
	}
}

// inAtari reports whether a stone of a colour on an empty cell would have one
// liberty or none.
func (g *Judge) inAtari(at life.Cell, colour life.Stone) bool {
	breath := at
	for _, step := range life.Steps {
		c := at + step
		switch g.stone[c] {
		case life.Empty:
			if breath != at && breath != c {
				return false
			}
			breath = c
		case colour:
			for _, s := range g.b.Stones(int(g.b.Of[c])) {
				for _, step := range life.Steps {
					c := s + step
					if g.stone[c] != life.Empty || c == at {
						continue
					}
					if breath != at && breath != c {
						return false
					}
					breath = c
				}
			}
		}
	}
	return true
}

// joinPairs unites groups that share two liberties.
func (g *Judge) joinPairs() {
	for changed := true; changed; {
		changed = false
		left := g.pairs[:0]
		for _, p := range g.pairs {
			if a, b := g.group.Root(p.a), g.group.Root(p.b); a != b {
				left = append(left, pair{min(a, b), max(a, b), p.at})
			}
		}
		g.pairs = left
		for i, p := range g.pairs {
			for _, q := range g.pairs[:i] {
				if p.a != q.a || p.b != q.b || p.at == q.at || g.group.Root(p.a) == g.group.Root(p.b) {
					continue
				}
				if g.trace != nil {
					g.trace.joinAt(p.a, p.b, q.at, p.at)
				}
				g.group.Join(p.a, p.b)
				changed = true
			}
		}
	}
}

// joinSingles unites what closed single points join and nothing else does, and
// reports whether there was such.
func (g *Judge) joinSingles() (joined bool) {
	for round := range 2 { // first all that join are found, then they join
		for i := range g.es {
			e := &g.es[i]
			if cells := g.cellsOf(e); len(cells) == 1 && e.closed() {
				if round == 0 {
					for _, s := range g.stringsOf(e)[1:] {
						if g.group.Root(s) != g.group.Root(g.stringsOf(e)[0]) {
							g.link[cells[0]], joined = true, true
						}
					}
				} else if g.link[cells[0]] {
					g.joinAround(e)
				}
			}
		}
		if !joined {
			break
		}
	}
	return joined
}
