package proof

import (
	"math/bits"
	"slices"

	"qipu/game/weiqi/life"
)

// budget bounds the choices of pairs that are tried in one region. Few regions
// offer more than a handful.
const budget = 400

// vital looks into single regions.
type vital struct {
	s *static

	region int
	mask   [life.Cells]uint32 // of empty cells: chains of the border beside them
	chains []int16            // roots of these chains; their place is their bit
	group  [maxChains]uint32  // while connecting: the bits joined with a bit

	joints   []life.Cell // empty points beside two chains or more
	inner    []life.Cell // interior points that are to be covered
	splits   []life.Cell // points that part the region and are beside its border
	taken    []life.Cell // points in pairs, two by two
	list     []int16
	eyes     uint8
	pairs    int // of points that the solution holds
	links    int // of these, pairs that connect
	tries    int
	best     []life.Cell
	match    [life.Cells]int16 // who a covering point serves, -1 if nobody
	tried    life.Marks
	depth    [life.Cells]uint16
	low      [life.Cells]uint16
	stack    []life.Cell
	marked   life.Marks
	excluded [2]life.Cell
	narrow   bool // only strings that need the region count as its border
}

func (v *vital) begin(s *static) { v.s = s }

// fragile reports whether the stones inside a region, once taken, could leave
// interior points that pairs do not cover. Then the defender had better not answer
// there: what he takes may turn out to be no eye.
func (v *vital) fragile(i int) bool {
	b, r := v.s.b, v.s.r
	v.inner = v.inner[:0]
	for _, c := range r.Stones(i) {
		if r.Interior(b, c) {
			v.inner = append(v.inner, c)
		}
	}
	return len(v.inner) > 0 && !v.cover(i, true)
}

// hollow reports whether a region has too many empty interior points for each to
// have two of the others to itself. Most large regions do, and are done with.
func (v *vital) hollow(i int) bool {
	n := 0
	for _, c := range v.s.r.Empties(i) {
		if v.s.r.Interior(v.s.b, c) {
			n++
		}
	}
	return 3*n > v.s.r.List[i].Empty
}

// inside reports whether a cell is away from the border, or with narrow from those of
// its strings that need the region.
func (v *vital) inside(c life.Cell) bool {
	s := v.s
	if !v.narrow {
		return s.r.Interior(s.b, c)
	}
	for _, step := range life.Steps {
		if s.b.Stone[c+step] == s.r.Colour && s.needy[s.b.Of[c+step]] {
			return false
		}
	}
	return true
}

// cover reports whether every interior point of the list has two points beside it,
// next to the border, that serve no other. When the stones inside have been taken,
// all points of the region are empty; else only those that are and are in no pair.
func (v *vital) cover(i int, all bool) bool {
	cells := v.s.r.Empties(i)
	if all {
		cells = v.s.r.Cells(i)
	}
	for _, c := range cells {
		v.match[c] = -1
	}
	for k, c := range v.inner {
		if c == v.excluded[0] || c == v.excluded[1] {
			continue
		}
		for range 2 {
			v.tried.Begin()
			if !v.augment(k, all) {
				return false
			}
		}
	}
	return true
}

// augment finds one more point for an interior point, moving others where needed.
func (v *vital) augment(k int, all bool) bool {
	s := v.s
	for _, step := range life.Steps {
		c := v.inner[k] + step
		stone := s.b.Stone[c]
		if stone == life.Wall || v.tried.Has(c) || v.inside(c) || !all && (stone != life.Empty || s.used[c]) {
			continue
		}
		v.tried.Add(c)
		if v.match[c] < 0 || v.augment(int(v.match[c]), all) {
			v.match[c] = int16(k)
			return true
		}
	}
	return false
}

// look fills the tables of a region, and reports whether it is worth more.
func (v *vital) look(i int) bool {
	s := v.s
	v.region = i
	v.chains = v.chains[:0]
	for _, c := range s.r.Border(i) {
		root := s.chain(c)
		if slices.Contains(v.chains, root) {
			continue
		}
		if len(v.chains) == maxChains {
			return false
		}
		v.chains = append(v.chains, root)
	}
	for k, root := range v.chains {
		s.count[root] = int16(k)
	}
	v.joints, v.inner = v.joints[:0], v.inner[:0]
	for _, c := range s.r.Empties(i) {
		var near [4]int16
		n := s.chainsBeside(c, &near)
		v.mask[c] = 0
		for _, root := range near[:n] {
			v.mask[c] |= 1 << s.count[root]
		}
		switch {
		case n == 0:
			v.inner = append(v.inner, c)
		case n > 1:
			v.joints = append(v.joints, c)
		}
	}
	for _, root := range v.chains {
		s.count[root] = 0
	}
	return true
}

// solve reports whether the defender can connect all chains of the border inside
// the region and cover all of its interior, by pairs of points. It leaves the eyes
// that the region is then, and the points of the pairs for take.
func (v *vital) solve(i int) bool {
	s := v.s
	if s.state[i].hollow || !v.look(i) {
		return false
	}
	free := s.r.List[i].Empty - len(v.inner)
	if 2*(len(v.inner)+len(v.chains)-1) > free || len(v.chains) > 1 && len(v.joints) < 2 {
		return false
	}
	pairs := len(v.inner) > 0 || len(v.chains) > 1 || s.state[i].pairs
	if pairs && s.state[i].fragile {
		return false
	}
	for k := range v.chains {
		v.group[k] = 1 << k
	}
	v.taken, v.best, v.eyes, v.tries = v.taken[:0], v.best[:0], 0, 0
	v.splits = v.splits[:0]
	if !s.state[i].fragile {
		v.findSplits(i)
	}
	v.connect()
	if v.eyes == 0 || v.tries > budget {
		return false
	}
	v.pairs = len(v.best) / 2
	return true
}

// take takes the points of the pairs that solve found out of use.
func (v *vital) take() {
	for _, c := range v.best {
		v.s.used[c] = true
	}
}

// connect tries all ways to connect the chains by pairs, in every order: a pair may
// become one only when others have joined chains. It does not stop at the first that
// will do, so that what it costs, and whether that is too much, does not hang on how
// the board is turned.
func (v *vital) connect() {
	if v.tries++; v.tries > budget {
		return
	}
	if v.group[0] == uint32(1)<<len(v.chains)-1 {
		v.finish()
		return
	}
	for k, c := range v.joints {
		if v.s.used[c] {
			continue
		}
		for _, d := range v.joints[k+1:] {
			reach := v.reach(c) & v.reach(d)
			if v.s.used[d] || reach == 0 || reach&^v.group[bits.TrailingZeros32(reach)] == 0 {
				continue
			}
			saved := v.group
			for rest := reach; rest != 0; rest &= rest - 1 {
				v.group[bits.TrailingZeros32(rest)] = reach
			}
			v.s.used[c], v.s.used[d] = true, true
			v.taken = append(v.taken, c, d)
			v.connect()
			v.taken = v.taken[:len(v.taken)-2]
			v.s.used[c], v.s.used[d] = false, false
			v.group = saved
		}
	}
}

// reach returns the chains beside a point and those joined with them already.
func (v *vital) reach(c life.Cell) (reach uint32) {
	for rest := v.mask[c]; rest != 0; rest &= rest - 1 {
		reach |= v.group[bits.TrailingZeros32(rest)]
	}
	return reach
}

// finish covers the interior once all chains are connected: with two points left
// that each part the region, if there are such, which makes two eyes.
func (v *vital) finish() {
	s := v.s
	if v.eyes == 2 {
		return
	}
	for k, c := range v.splits {
		for _, d := range v.splits[k+1:] {
			if s.used[c] || s.used[d] {
				continue
			}
			s.used[c], s.used[d] = true, true
			good := v.cover(v.region, false) && (len(v.taken) == 0 || v.roomy(c) && v.roomy(d))
			s.used[c], s.used[d] = false, false
			if good {
				v.keep(2)
				v.best = append(v.best, c, d)
				return
			}
		}
	}
	if v.eyes == 0 && v.cover(v.region, false) {
		v.keep(1)
	}
}

// keep notes the pairs at hand as those of the region.
func (v *vital) keep(eyes uint8) {
	v.eyes = eyes
	v.best = append(v.best[:0], v.taken...)
	v.links = len(v.taken) / 2
	for _, c := range v.s.r.Empties(v.region) {
		if v.match[c] >= 0 && len(v.inner) > 0 {
			v.best = append(v.best, c)
		}
	}
}

// roomy reports whether, with a stone of the defender on a point, every part of the
// region keeps a point that connects nothing: else an answer could fill the part.
func (v *vital) roomy(split life.Cell) bool {
	s := v.s
	v.marked.Begin()
	v.marked.Add(split)
	for _, from := range s.r.Cells(v.region) {
		if !v.marked.Add(from) {
			continue
		}
		v.stack = append(v.stack[:0], from)
		rest := 0
		for k := 0; k < len(v.stack); k++ {
			c := v.stack[k]
			if !slices.Contains(v.taken, c) {
				rest++
			}
			for _, step := range life.Steps {
				d := c + step
				if s.r.Of[d] == int16(v.region) && v.marked.Add(d) {
					v.stack = append(v.stack, d)
				}
			}
		}
		if rest == 0 {
			return false
		}
	}
	return true
}

// findSplits finds the empty points beside the border without which the region
// falls apart.
func (v *vital) findSplits(i int) {
	s := v.s
	if s.r.List[i].Empty+s.r.List[i].Stones < 4 {
		return
	}
	cells := s.r.Cells(i)
	for _, c := range cells {
		v.depth[c] = 0
	}
	v.descend(cells[0], 0, 1)
}

// descend is the usual depth-first search for points that part a graph.
func (v *vital) descend(c, from life.Cell, depth uint16) {
	s := v.s
	v.depth[c], v.low[c] = depth, depth
	children, parts := 0, false
	for _, step := range life.Steps {
		d := c + step
		if s.r.Of[d] != int16(v.region) || d == from {
			continue
		}
		if v.depth[d] != 0 {
			v.low[c] = min(v.low[c], v.depth[d])
			continue
		}
		children++
		v.descend(d, c, depth+1)
		v.low[c] = min(v.low[c], v.low[d])
		parts = parts || from != 0 && v.low[d] >= depth
	}
	if (parts || from == 0 && children > 1) && s.b.Stone[c] == life.Empty && v.mask[c] != 0 && !s.used[c] {
		v.splits = append(v.splits, c)
	}
}

// linkOpen connects chains in an open region by points that are beside the same
// chains, and reports whether there are any.
func (v *vital) linkOpen(i int) (found bool) {
	if !v.look(i) {
		return false
	}
	s := v.s
	for k, c := range v.joints {
		if s.used[c] {
			continue
		}
		for _, d := range v.joints[k+1:] {
			if s.used[d] || v.mask[c] != v.mask[d] {
				continue
			}
			found = true
			s.used[c], s.used[d] = true, true
			v.list = v.list[:0]
			for rest := v.mask[c]; rest != 0; rest &= rest - 1 {
				v.list = append(v.list, v.chains[bits.TrailingZeros32(rest)])
			}
			s.joinAll(i, v.list)
			if s.trace != nil {
				s.trace.note(life.RuleChain, s.r.Colour, v.list, []life.Cell{c, d}, life.Unknown, 0)
			}
		}
	}
	return found
}

// noTwoEyes reports whether the other side cannot get two eyes in a region that is
// walled in by safe strings: all interior points but one, or but two that are
// neighbours, are covered. Unless the border can spare the region, all of them are.
func (v *vital) noTwoEyes(i int, spare, narrow bool) bool {
	s := v.s
	v.narrow = narrow
	defer func() { v.narrow = false }()
	all := v.stack[:0]
	for _, c := range s.r.Cells(i) {
		if v.inside(c) {
			all = append(all, c)
		}
	}
	v.stack = all
	if len(all) == 0 {
		return true
	}
	if 2*(len(all)-2) > s.r.List[i].Empty+s.r.List[i].Stones-len(all) {
		return false
	}
	if v.covered(i, 0, 0) {
		return true
	}
	if !spare {
		return false
	}
	for _, c := range all {
		if v.covered(i, c, 0) || v.covered(i, c, c+life.Right) || v.covered(i, c, c+life.Down) {
			return true
		}
	}
	return false
}

// covered reports whether the interior of a region is covered but for two points.
func (v *vital) covered(i int, c, d life.Cell) bool {
	s := v.s
	v.excluded = [2]life.Cell{c, d}
	good := true
	if !s.state[i].solved {
		v.inner = v.inner[:0]
		for _, c := range v.stack {
			if s.b.Stone[c] == life.Empty {
				v.inner = append(v.inner, c)
			}
		}
		good = v.cover(i, false)
	}
	if good {
		v.inner = v.inner[:0]
		for _, c := range v.stack {
			if s.b.Stone[c] != life.Empty {
				v.inner = append(v.inner, c)
			}
		}
		good = v.cover(i, true)
	}
	v.excluded = [2]life.Cell{}
	return good
}
