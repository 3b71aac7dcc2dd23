package relation

// symmetric tells that the mirrored picture of a pattern is the pattern itself, so
// that it need not be looked for twice. It may say no where it is so after all.
func (p *Pattern) symmetric() bool {
	for _, r := range p.roles {
		if !r.area.symmetric() {
			return false
		}
	}
	for _, c := range p.wheres {
		if !c.symmetric() {
			return false
		}
	}
	return true
}

func mirrorOf(p uint8) uint8 { return p + width - 1 - 2*(p%width) }

func (p place) symmetric() bool { return p.role != noRole || mirrorOf(p.point) == p.point }

func (a *area) symmetric() bool {
	if a == nil {
		return true
	}
	switch a.op {
	case onFiles:
		for f := 1; f <= width; f++ {
			if a.lines>>f&1 != a.lines>>(width+1-f)&1 {
				return false
			}
		}
	case onPoints:
		for s := a.set; !s.empty(); {
			if !a.set.has(mirrorOf(s.pop())) {
				return false
			}
		}
	case besideOf, reachOf, lineOf:
		return a.a.symmetric()
	case betweenOf:
		return a.a.symmetric() && a.b.symmetric()
	case both, one, without:
		return a.kids[0].symmetric() && a.kids[1].symmetric()
	}
	return true
}

func (n *number) symmetric() bool {
	switch n.op {
	case fileOf:
		return false
	case piecesBetween, distance, across, along:
		return n.a.symmetric() && n.b.symmetric()
	case countPieces, countPoints:
		return n.area.symmetric()
	case plus, minus:
		return n.kids[0].symmetric() && n.kids[1].symmetric()
	}
	return true
}

func (c *condition) symmetric() bool {
	switch c.op {
	case shuts, attacks, guards, reaches, isBeside:
		return c.b.symmetric()
	case isBetween:
		return c.b.symmetric() && c.c.symmetric()
	case onArea, empty:
		return c.area.symmetric()
	case compared:
		l, r := c.numbers[0], c.numbers[1]
		if l.op == fileOf && r.op == fileOf && c.compare <= unequal {
			return l.a.symmetric() && r.a.symmetric()
		}
		return l.symmetric() && r.symmetric()
	case lately, always, early, last:
		return c.move.symmetric() && (c.before == nil || c.before.symmetric()) && (c.after == nil || c.after.symmetric())
	case not, and, or:
		for _, kid := range c.kids {
			if !kid.symmetric() {
				return false
			}
		}
	}
	return true
}

func (m *move) symmetric() bool { return m.from.symmetric() && m.to.symmetric() }
