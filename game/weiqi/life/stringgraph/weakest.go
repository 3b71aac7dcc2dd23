package stringgraph

import (
	"math"
	"slices"

	"qipu/game/weiqi/life"
)

// removeWeakest takes the weakest group that is not alive off the board, or finds
// it in seki, and reports whether there was one. Groups that are equally weak
// share their fate, so that the answer is the same for a board that is turned or
// whose colours are exchanged.
func (g *Judge) removeWeakest() bool {
	g.doomed = g.doomed[:0]
	lowest, spread := math.MaxInt, false
	for i := range g.group {
		if g.first[i] < 0 || g.asg[i] || g.status[i] == life.Seki {
			continue
		}
		if !spread {
			g.spread()
			spread = true
		}
		s := g.strength(int16(i))
		if s < lowest {
			lowest = s
			g.doomed = g.doomed[:0]
		}
		if s == lowest {
			g.doomed = append(g.doomed, int16(i))
		}
	}
	if len(g.doomed) == 0 {
		return false
	}
	for _, r := range g.doomed {
		g.findSeki(r)
	}
	g.doomed = slices.DeleteFunc(g.doomed, func(r int16) bool { return g.status[r] == life.Seki })
	tie := slices.ContainsFunc(g.doomed, func(r int16) bool { return g.b.Strings[r].Colour != g.b.Strings[g.doomed[0]].Colour })
	for _, r := range g.doomed {
		g.doubt(r, tie)
	}
	for _, r := range g.doomed {
		if g.trace != nil {
			g.trace.dead(r)
		}
		g.kill(r)
	}
	return true
}

// doubt tells whether it is a guess that a group is dead: if it is one anyway, if
// it has an eye, if what is around it leans to its own side, or if one of those who
// are to capture it is in atari. In that case all hangs on who plays first, and
// what that one is is a guess too.
func (g *Judge) doubt(r int16, unsure bool) {
	unsure = unsure || g.halves[r] >= oneEye || g.influence(r) > 0
	for s := g.first[r]; s >= 0; s = g.next[s] {
		for _, e := range g.b.Enemies(int(s)) {
			if g.status[e] != life.Dead && g.breathless(e) {
				unsure, g.unsure[e] = true, true
			}
		}
	}
	for s := g.first[r]; s >= 0; s = g.next[s] {
		g.unsure[s] = g.unsure[s] || unsure
	}
}

// kill takes a group off the board.
func (g *Judge) kill(r int16) {
	for s := g.first[r]; s >= 0; s = g.next[s] {
		g.status[s] = life.Dead
		for _, c := range g.b.Stones(int(s)) {
			g.stone[c] = life.Empty
		}
	}
}

// breathless reports whether a string has one liberty or none.
func (g *Judge) breathless(s int16) bool {
	breath := life.Cell(0)
	for _, c := range g.b.Stones(int(s)) {
		for _, step := range life.Steps {
			if d := c + step; g.stone[d] == life.Empty {
				if breath != 0 && breath != d {
					return false
				}
				breath = d
			}
		}
	}
	return true
}

// The parts of strength, in thousandths: what a board full of own stones would be
// as influence is 1000.
const (
	strengthHalfEye = 100
	strengthLog     = 300 // for the natural logarithm of the stones
)

// strength returns how strong a group is that is not alive: the mean influence, in
// its favour, over the points and the enemy stones beside its stones, its halves
// of eyes, and the logarithm of the number of its stones. The order that this
// makes decides the result; the weights were found on the boards of the paper.
func (g *Judge) strength(r int16) int {
	return g.influence(r) + strengthHalfEye*g.halves[r] + int(math.Round(strengthLog*math.Log(float64(g.stones[r]))))
}

// influence returns the mean influence beside a group, in its favour, in
// thousandths.
func (g *Judge) influence(r int16) int {
	sum, n := 0, 0
	for s := g.first[r]; s >= 0; s = g.next[s] {
		for _, c := range g.b.Stones(int(s)) {
			for _, step := range life.Steps {
				if v := g.stone[c+step]; v != life.Wall && v != g.b.Strings[s].Colour {
					sum += int(g.field[0][c+step])
					n++
				}
			}
		}
	}
	if n > 0 {
		sum = sum * 1000 / (n * fieldFull)
	}
	if g.b.Strings[r].Colour == life.White {
		sum = -sum
	}
	return sum
}

// Influence spreads from the stones, which keep their value, in so many sweeps:
// every empty point becomes the mean of itself and its neighbours, where it stands
// in for those off the board, so that nothing leaks over the edge. What is kept is
// not the mean but the sum, so that a stone is worth five to the power of the
// sweeps in the end: whole numbers make it the same for every turned board.
const (
	fieldSweeps = 12
	fieldFull   = 244140625
)

// spread fills field[0] with the influence of the stones that are on the board.
func (g *Judge) spread() {
	for _, c := range g.b.On {
		v := int32(0)
		switch g.stone[c] {
		case life.Black:
			v = 1
		case life.White:
			v = -1
		}
		g.field[0][c] = v
	}
	size, worth := g.b.Size, int32(1)
	for i := range fieldSweeps {
		worth *= 5
		from, to := &g.field[i&1], &g.field[1-i&1]
		for y := range size.H {
			row := int(g.b.On[y*size.W])
			up, here, down := from[row-int(life.Down):][:size.W], from[row-1:][:size.W+2], from[row+int(life.Down):][:size.W]
			out, stone, self := to[row:][:size.W], g.stone[row:][:size.W], g.self[row:][:size.W]
			for x := range out {
				switch stone[x] {
				case life.Empty:
					out[x] = here[x+1]*self[x] + up[x] + down[x] + here[x] + here[x+2]
				case life.Black:
					out[x] = worth
				default:
					out[x] = -worth
				}
			}
		}
	}
}

// findSeki finds out whether a group is in seki with an enemy group that is not
// alive either: each has no way out but over the other, both or none of them have
// an eye, equally many liberties of their own, and share two, or one if each has
// an eye. Both are marked then.
func (g *Judge) findSeki(r int16) {
	colour := g.b.Strings[r].Colour
	g.mark.Begin()
	g.enemy = g.enemy[:0]
	mine := 0
	for s := g.first[r]; s >= 0; s = g.next[s] {
		for _, c := range g.b.Stones(int(s)) {
			for _, step := range life.Steps {
				if d := c + step; g.stone[d] == life.Empty && g.mark.Add(d) {
					mine++
					for _, step := range life.Steps {
						if g.stone[d+step] != colour.Other() {
							continue
						}
						if e := g.group.Root(g.b.Of[d+step]); !g.asg[e] && !slices.Contains(g.enemy, e) {
							g.enemy = append(g.enemy, e)
						}
					}
				}
			}
		}
	}
	for _, e := range g.enemy {
		shared, theirs := g.liberties(e)
		eye := g.halves[r] >= oneEye
		if mine == theirs && eye == (g.halves[e] >= oneEye) && (shared >= 2 || shared == 1 && eye) &&
			g.enclosed(r, e) && g.enclosed(e, r) && !g.nakade(r) && !g.nakade(e) {
			g.setSeki(r, e)
		}
	}
}

// liberties counts the liberties of a group, and those of them that are marked.
func (g *Judge) liberties(r int16) (marked, all int) {
	g.seen.Begin()
	for s := g.first[r]; s >= 0; s = g.next[s] {
		for _, c := range g.b.Stones(int(s)) {
			for _, step := range life.Steps {
				d := c + step
				if g.stone[d] != life.Empty || !g.seen.Add(d) {
					continue
				}
				all++
				if g.mark.Has(d) {
					marked++
				}
			}
		}
	}
	return marked, all
}

// nakade reports whether a group lies in a small space of the enemy with two
// liberties, and its side may fill one of them: if it is captured then, it leaves no
// two eyes. So that enemy is dead, and not in seki.
func (g *Judge) nakade(r int16) bool {
	colour := g.b.Strings[r].Colour
	g.seen.Begin()
	space := append(g.space[:0], g.b.Strings[r].Head)
	g.seen.Add(space[0])
	for i := 0; i < len(space) && len(space) <= smallArea+1; i++ {
		for _, step := range life.Steps {
			c := space[i] + step
			if s := g.stone[c]; (s == life.Empty || s == colour) && g.seen.Add(c) {
				space = append(space, c)
			}
		}
	}
	g.space = space
	if len(space) > smallArea+1 {
		return false
	}
	free, fatal := 0, false
	for _, last := range space {
		if g.stone[last] == life.Empty {
			free++
			fatal = fatal || areaEyes(space, func(c life.Cell) bool { return c != last }) < twoEyes
		}
	}
	return fatal && free == 2
}

// enclosed reports whether all liberties of a group are its own or beside another
// group: it has no way out but over that one.
func (g *Judge) enclosed(r, e int16) bool {
	for s := g.first[r]; s >= 0; s = g.next[s] {
		for _, c := range g.b.Stones(int(s)) {
			for _, step := range life.Steps {
				d := c + step
				if g.stone[d] != life.Empty || g.es[g.of[d]].closed() {
					continue
				}
				beside := false
				for _, step := range life.Steps {
					beside = beside || g.stone[d+step] == g.b.Strings[e].Colour && g.group.Root(g.b.Of[d+step]) == e
				}
				if !beside {
					return false
				}
			}
		}
	}
	return true
}

func (g *Judge) setSeki(a, b int16) {
	for _, r := range [2]int16{a, b} {
		if g.status[r] == life.Seki {
			continue
		}
		if g.trace != nil {
			g.trace.seki(r)
		}
		for s := g.first[r]; s >= 0; s = g.next[s] {
			g.status[s], g.unsure[s] = life.Seki, true
		}
	}
}
