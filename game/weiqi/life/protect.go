package life

import "qipu/board"

// Protect finds the points that their owner has to fill once the neutral points
// are filled, lest a living string be taken: connections that look like eyes. By
// area they count for him all the same, by territory they do not. The judgement is
// filled in already; dead stones count as taken off.
//
// A string needs protection where all of its liberties but one are neutral, and the
// one left lies in the territory of its side beside another of its strings. What is
// filled becomes stone, so that one protection may make the next one needed. Where
// the score is by territory, the points have no owner from here on.
//
// It comes to an end, since every round but the last fills a point. The order of
// strings means nothing: a chain with one liberty left is touched by no protection
// but the one of that liberty. It allocates next to nothing.
func (j *Judgement) Protect(b *Board, territory bool) {
	j.Fills = board.Plane{}
	p := protector{j: j, b: b}
	for again := true; again; {
		again = false
		p.seen.Begin()
		for i := range b.Strings {
			v := &j.Strings[i]
			if v.Status == Dead || v.Proved || p.seen.Has(b.Strings[i].Head) || p.breathes(i) {
				continue
			}
			if at, more := p.lastLiberty(i); at != 0 && !more && p.joins(at, b.Strings[i].Colour) {
				p.filled[at], again = true, true
				j.Fills.Add(at.Point())
			}
		}
	}
	if territory {
		for p := range j.Fills.Points() {
			j.Owner[p] = Neutral
		}
	}
}

// protector looks for points to fill.
type protector struct {
	j      *Judgement
	b      *Board
	filled [Cells]bool
	seen   Marks // strings of chains that were looked at in this round
	chain  Marks // of the last chain: its strings, and the points in it and beside it
	queue  []Cell
}

// breathes reports whether a string has two liberties of its own that are not
// neutral: most have, which spares the walk along the chain.
func (p *protector) breathes(i int) bool {
	n := 0
	for _, c := range p.b.Liberties(i) {
		if !p.filled[c] && p.j.Owner[c.Point()] != Neutral {
			n++
		}
	}
	return n > 1
}

// lastLiberty returns a liberty of the chain that a string belongs to which is not
// neutral, 0 if there is none; more tells that there are others. Strings that are
// joined to it by filled points, or by neutral ones, which he can fill as well, are
// part of the chain, and noted as seen.
func (p *protector) lastLiberty(i int) (at Cell, more bool) {
	b, colour := p.b, p.b.Strings[i].Colour
	p.chain.Begin()
	p.queue = p.queue[:0]
	p.take(i)
	for k := 0; k < len(p.queue); k++ {
		for _, step := range Steps {
			c := p.queue[k] + step
			stone := b.Stone[c]
			if stone == colour {
				p.take(int(b.Of[c]))
				continue
			}
			if !p.chain.Add(c) {
				continue
			}
			switch {
			case stone == Empty && (p.filled[c] || p.j.Owner[c.Point()] == Neutral):
				p.queue = append(p.queue, c)
			case stone == Empty, stone == colour.Other() && p.j.Strings[b.Of[c]].Status == Dead:
				at, more = c, more || at != 0
			}
		}
	}
	return at, more
}

// take adds a string to the chain.
func (p *protector) take(i int) {
	if head := p.b.Strings[i].Head; p.chain.Add(head) {
		p.seen.Add(head)
		p.queue = append(p.queue, p.b.Stones(i)...)
	}
}

// joins reports whether a point is empty territory of a colour where a stone would
// join the last chain to others of its side that stay, or two strings of the chain:
// between these the enemy may come as well.
func (p *protector) joins(at Cell, colour Stone) bool {
	b := p.b
	if b.Stone[at] != Empty || Stone(p.j.Owner[at.Point()]) != colour {
		return false
	}
	first := int16(-1) // a string of the chain
	for _, step := range Steps {
		c := at + step
		switch {
		case b.Stone[c] == Empty && p.filled[c] && !p.chain.Has(c):
			return true
		case b.Stone[c] != colour || p.j.Strings[b.Of[c]].Status == Dead:
		case !p.chain.Has(b.Strings[b.Of[c]].Head), first >= 0 && first != b.Of[c]:
			return true
		default:
			first = b.Of[c]
		}
	}
	return false
}
