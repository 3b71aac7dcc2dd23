package search

import (
	"math/bits"
	"slices"

	"qipu/game/weiqi/life"
)

// zone is a part of the board that is searched by itself, and what was found of it.
// The defender is Black: the board of a search is turned and coloured so.
type zone struct {
	cells  []life.Cell // index = number of the cell in sets
	blocks []int16     // strings of the defender's around it, likewise
	mine   set         // cells with a stone of the defender's that may be taken
	open   set

	kept   bool // Benson's theorem rests on it: not to be played in
	solved bool
	claim  set // cells that were proved the defender's
	rests  marks
	nodes  int

	// What the last proof assumed, and the blocks that it keeps a liberty for.
	safe, held, keeps set

	tried []attempt
}

// attempt is a search that has been made.
type attempt struct {
	safe, held, claim set
	nodes             int
	settled, proved   bool
}

// marks is a set of zones.
type marks [4]uint64

const zoneLimit = 256

func (m *marks) add(i int)      { m[i>>6] |= 1 << (i & 63) }
func (m *marks) has(i int) bool { return m[i>>6]>>(i&63)&1 != 0 }
func (m *marks) or(n *marks) {
	for i := range m {
		m[i] |= n[i]
	}
}

// findZones finds the zones of a board: every region of the defender's that is
// small enough, and of the larger ones every empty area with the attacker's strings
// that breathe nowhere else, open to the rest.
func (s *Searcher) findZones() {
	b := &s.board
	s.regions.Reset(b, life.Black)
	s.zones = s.zones[:0]
	for i := range s.regions.List {
		r := &s.regions.List[i]
		if r.Empty <= s.empties && r.Empty+r.Stones <= limit {
			s.cells = append(s.cells[:0], s.regions.Cells(i)...)
			if s.addZone(island) {
				continue
			}
		}
		for _, c := range s.regions.Empties(i) {
			area := b.Of[c]
			switch a := &b.Areas[area]; {
			case a.Head != c || !a.Touches(life.Black):
			case a.Size <= s.empties:
				s.openZone(int(area))
			default:
				s.windows(int(area))
			}
		}
	}
}

// openZone adds the zone around an empty area.
func (s *Searcher) openZone(area int) {
	b := &s.board
	s.cells = append(s.cells[:0], b.Empties(area)...)
	for _, n := range b.StringsOf(area) {
		if b.Strings[n].Colour != life.White {
			continue
		}
		inside := true
		for _, a := range b.AreasOf(int(n)) {
			inside = inside && (int(a) == area || b.Areas[a].Size <= 3 && len(b.StringsOf(int(a))) == 1)
		}
		if !inside {
			continue
		}
		s.cells = append(s.cells, b.Stones(int(n))...)
		for _, a := range b.AreasOf(int(n)) {
			if int(a) != area {
				s.cells = append(s.cells, b.Empties(int(a))...)
			}
		}
	}
	s.addZone(island)
}

// windows adds zones for parts of an area that is too large as a whole: around the
// liberties of one string after the other, the points nearest to them.
func (s *Searcher) windows(area int) {
	b := &s.board
	var taken [life.Cells]bool
	for _, n := range b.StringsOf(area) {
		if b.Strings[n].Colour != life.Black {
			continue
		}
		s.cells = s.cells[:0]
		for _, c := range b.Liberties(int(n)) {
			if int(b.Of[c]) == area && !taken[c] && len(s.cells) < window {
				taken[c] = true
				s.cells = append(s.cells, c)
			}
		}
		for i := 0; i < len(s.cells); i++ {
			for _, step := range life.Steps {
				c := s.cells[i] + step
				if len(s.cells) < window && b.Stone[c] == life.Empty && !taken[c] {
					taken[c] = true
					s.cells = append(s.cells, c)
				}
			}
		}
		if len(s.cells) > 0 {
			s.addZone(island)
		}
	}
}

// window is the number of points of such a part: enough for a liberty or an eye.
const window = 8

// island is the largest string of the defender's that counts as lying in a zone
// and not around it, where its own life is not asked for.
const island = 8

// addZone adds the zone of the cells in s.cells, unless it is too large. Strings of
// the defender's up to a size that lie inside are part of it.
func (s *Searcher) addZone(island int) bool {
	b := &s.board
	if len(s.cells) > limit || len(s.zones) == zoneLimit {
		return false
	}
	for _, c := range s.cells {
		s.in[c] = 1
	}
	if len(s.zones) < cap(s.zones) {
		s.zones = s.zones[:len(s.zones)+1]
	} else {
		s.zones = append(s.zones, zone{})
	}
	z := &s.zones[len(s.zones)-1]
	*z = zone{cells: append(z.cells[:0], s.cells...), blocks: z.blocks[:0], tried: z.tried[:0]}
	for i := 0; i < len(z.cells); i++ {
		if b.Stone[z.cells[i]] == life.Black {
			continue
		}
		for _, step := range life.Steps {
			c := z.cells[i] + step
			if b.Stone[c] != life.Black || s.in[c] != 0 {
				continue
			}
			n := b.Of[c]
			if b.Strings[n].Stones <= island && s.lies(int(n)) && len(z.cells)+b.Strings[n].Stones <= limit {
				for _, c := range b.Stones(int(n)) {
					s.in[c] = 1
					z.mine |= 1 << len(z.cells)
					z.cells = append(z.cells, c)
				}
				continue
			}
			if !slices.Contains(z.blocks, n) {
				z.blocks = append(z.blocks, n)
			}
		}
	}
	for i, c := range z.cells {
		for _, step := range life.Steps {
			if at := c + step; s.in[at] == 0 && (b.Stone[at] == life.Empty || b.Stone[at] == life.White) {
				z.open |= 1 << i
			}
		}
	}
	for _, c := range z.cells {
		s.in[c] = 0
	}
	if len(z.blocks) > limit {
		s.zones = s.zones[:len(s.zones)-1]
		return false
	}
	return true
}

// lies reports whether a string of the defender's has only cells of the zone that
// is being made beside it.
func (s *Searcher) lies(n int) bool {
	b := &s.board
	for _, c := range b.Stones(n) {
		for _, step := range life.Steps {
			if at := c + step; s.in[at] == 0 && (b.Stone[at] == life.Empty || b.Stone[at] == life.White) {
				return false
			}
		}
	}
	return true
}

// enter sets the local game up for a zone.
func (s *Searcher) enter(z *zone) {
	b, l := &s.board, &s.local
	for i, c := range z.cells {
		s.in[c] = uint8(i + 1)
	}
	n := len(z.cells)
	l.full = ^set(0) >> (limit - n)
	l.open, l.mine, l.theirs = z.open, z.mine, 0
	l.blocks = 0
	for i := range z.blocks {
		l.rim[i] = 0
		l.blocks |= 1 << i
	}
	for i, c := range z.cells {
		l.near[i], l.walls[i] = 0, 0
		if b.Stone[c] == life.White {
			l.theirs |= 1 << i
		}
		for _, step := range life.Steps {
			at := c + step
			if k := s.in[at]; k != 0 {
				l.near[i] |= 1 << (k - 1)
				continue
			}
			if b.Stone[at] != life.Black {
				continue
			}
			for k, block := range z.blocks {
				if block == b.Of[at] {
					l.walls[i] |= 1 << k
					l.rim[k] |= 1 << i
				}
			}
		}
	}
	for _, c := range z.cells {
		s.in[c] = 0
	}
	l.safe, l.held, l.claim, l.target, l.wall, l.demands = 0, 0, 0, 0, 0, 0
	l.defends, l.lost, l.past = false, false, l.past[:0]
}

// count returns the size of a set.
func count(s set) int { return bits.OnesCount64(s) }
