package relation

import (
	"fmt"
	"sync"

	"qipu/board"
	"qipu/game"
)

// All that is Xiangqi's own in the language is in this file: the board, the kinds
// of pieces and the names of areas.

const (
	gameName      = "xiangqi"
	width, height = 9, 10
	points        = width * height
)

var size = board.Size{W: width, H: height}

// The kinds of pieces, in the order of the pieces of a side.
const (
	king = iota
	advisor
	elephant
	chariot
	horse
	cannon
	soldier
	kinds
	anyKind = 1<<kinds - 1
)

var pieceWords = [kinds]string{"king", "advisor", "elephant", "chariot", "horse", "cannon", "soldier"}

// pieceWord is the word for any kind.
const pieceWord = "piece"

// The points of a pattern are those of its owner: file f from the owner's right
// and rank r from the owner's back rank are the point (r-1)*9 + f-1. That is how
// the board lies for the second side; for the first it is turned by half.
func pointAt(file, rank int) uint8 { return uint8((rank-1)*width + file - 1) }

func fileAt(p uint8) int { return int(p%width) + 1 }
func rankAt(p uint8) int { return int(p/width) + 1 }

// view is how a pattern lies on the board: by its owner, and mirrored or not.
type view uint8

const (
	mirrored view = 2
	views    view = 4
)

func viewOf(owner game.Side, mirror bool) view {
	v := view(owner & 1)
	if mirror {
		v |= mirrored
	}
	return v
}

func (v view) owner() game.Side { return game.Side(v & 1) }

// turn takes a point of the pattern to the board, and back.
func (v view) turn(p uint8) uint8 {
	if v.owner() == game.First {
		p = points - 1 - p
	}
	if v&mirrored != 0 {
		p += width - 1 - 2*(p%width)
	}
	return p
}

func (v view) turnSet(s set) (t set) {
	for !s.empty() {
		t.add(v.turn(s.pop()))
	}
	return t
}

// areaNames are the areas that have names, first those of the owner's enemy.
var areaNames = []struct {
	name string
	in   func(file, rank int) bool
}{
	{"palace", func(f, r int) bool { return f >= 4 && f <= 6 && r >= 8 }},
	{"our palace", func(f, r int) bool { return f >= 4 && f <= 6 && r <= 3 }},
	{"their half", func(_, r int) bool { return r >= 6 }},
	{"our half", func(_, r int) bool { return r <= 5 }},
	{"river", func(_, r int) bool { return r == 5 || r == 6 }},
	{"edge", func(f, _ int) bool { return f == 1 || f == 9 }},
	{"board", func(_, _ int) bool { return true }},
}

// The tables of the board are filled once: about 8,000 sets.
var (
	namedSets [16]set // by areaNames
	palaces   set     // both
	everyone  set     // the whole board
	fileSets  [width + 1]set
	rankSets  [height + 1]set
	beside    [points]set
	crossing  [points]set // the file and the rank of a point, without it
	diagonal  [points]set
	around    [points]set         // beside and diagonal
	between   [points][points]set // strictly, where two lie on one line
	rays      [points][4]set      // the points of each direction: by direction

	// way holds the points that decide whether a piece on one point reaches
	// another that is occupied: those between, or the leg or the eye.
	way [points][points]set
)

func init() {
	for p := range uint8(points) {
		f, r := fileAt(p), rankAt(p)
		for i, a := range areaNames {
			if a.in(f, r) {
				namedSets[i].add(p)
			}
		}
		everyone.add(p)
		fileSets[f].add(p)
		rankSets[r].add(p)
	}
	palaces = namedSets[0].or(namedSets[1])
	for p := range uint8(points) {
		crossing[p] = fileSets[fileAt(p)].or(rankSets[rankAt(p)])
		crossing[p].remove(p)
		for q := range uint8(points) {
			df, dr := fileAt(q)-fileAt(p), rankAt(q)-rankAt(p)
			if df*df+dr*dr == 1 {
				beside[p].add(q)
			}
			if (df == 0) != (dr == 0) {
				rays[p][direction(p, q)].add(q)
			}
			if df*df == 1 && dr*dr == 1 {
				diagonal[p].add(q)
			}
			if p != q && df*df <= 1 && dr*dr <= 1 {
				around[p].add(q)
			}
			if df != 0 && dr != 0 {
				if abs(df*dr) == 2 || abs(df) == 2 && abs(dr) == 2 {
					way[p][q].add(uint8(int(p) + dr/2*width + df/2))
				}
				continue
			}
			step := sign(dr)*width + sign(df)
			for m := int(p) + step; p != q && m != int(q); m += step {
				between[p][q].add(uint8(m))
			}
			way[p][q] = between[p][q]
		}
	}
}

// spans returns, for every point, the points that pieces of some kinds may reach
// from there on one board or another. It is the same table for the same kinds.
func spans(list uint8) *[points]set {
	spanned.Lock()
	defer spanned.Unlock()
	t := spanned.by[list]
	if t != nil {
		return t
	}
	t = new([points]set)
	for p := range t {
		if list&(1<<chariot|1<<cannon) != 0 {
			t[p] = crossing[p]
		}
		if list&(1<<king|1<<soldier) != 0 {
			t[p] = t[p].or(beside[p])
		}
		if list&(1<<advisor) != 0 {
			t[p] = t[p].or(diagonal[p])
		}
		for q := range uint8(points) {
			df, dr := abs(fileAt(q)-fileAt(uint8(p))), abs(rankAt(q)-rankAt(uint8(p)))
			if list&(1<<horse) != 0 && df*dr == 2 || list&(1<<elephant) != 0 && df == 2 && dr == 2 {
				t[p].add(q)
			}
		}
	}
	spanned.by[list] = t
	return t
}

// spanned are the tables that were asked for: some of 128.
var spanned struct {
	sync.Mutex
	by [anyKind + 1]*[points]set
}

// heed is what the reach of a piece depends on, besides where it stands.
type heed uint8

const (
	heedLines heed = 1 << iota // what stands on its lines
	heedLegs                   // what stands beside it
	heedEyes                   // what stands diagonally beside it
)

// heeds returns what the reach of some kinds of pieces depends on.
func heeds(kinds uint8) (h heed) {
	if kinds&(1<<chariot|1<<cannon) != 0 {
		h |= heedLines
	}
	if kinds&(1<<horse) != 0 {
		h |= heedLegs
	}
	if kinds&(1<<elephant) != 0 {
		h |= heedEyes
	}
	return h
}

// around returns the points that decide what a piece reaches.
func (h heed) around(a uint8) (s set) {
	if h&heedLines != 0 {
		s = crossing[a]
	}
	if h&heedLegs != 0 {
		s = s.or(beside[a])
	}
	if h&heedEyes != 0 {
		s = s.or(diagonal[a])
	}
	return s
}

// direction returns which way a point lies from another on its line.
func direction(from, to uint8) int {
	switch {
	case from/width != to/width && to > from:
		return 0
	case from/width != to/width:
		return 1
	case to > from:
		return 2
	}
	return 3
}

func sign(n int) int { return max(-1, min(n, 1)) }

// pieceOf returns the number of a piece in a set of pieces: that of board.Piece,
// from 0.
func pieceOf(side game.Side, kind int) int { return int(side&1)*kinds + kind }

func sideOf(p board.Piece) game.Side {
	if p > kinds {
		return game.Second
	}
	return game.First
}

// mask returns the pieces that a pattern means for one of its owners: bit n is
// piece n+1 of the board.
func (p pieces) mask(owner game.Side) (m uint16) {
	if p.whose != their {
		m |= uint16(p.kinds) << pieceOf(owner, 0)
	}
	if p.whose != our {
		m |= uint16(p.kinds) << pieceOf(owner.Opponent(), 0)
	}
	return m
}

// fits tells why patterns cannot be looked for under some rules; nil if they can.
func fits(r game.Rules) error {
	g := r.Geometry()
	if r.Info().Name != gameName || g.Size != size || len(g.Pieces) != 2*kinds {
		return fmt.Errorf("relation: patterns of pieces are known for %s alone, not for %s", gameName, r.Info().Name)
	}
	return nil
}
