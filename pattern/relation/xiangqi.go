package relation

import (
	"fmt"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/pattern/relation/syntax"
)

var size = board.Size{W: syntax.Width, H: syntax.Height}

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
		p = syntax.Points - 1 - p
	}
	if v&mirrored != 0 {
		p += syntax.Width - 1 - 2*(p%syntax.Width)
	}
	return p
}

func (v view) turnSet(s set) (t set) {
	for !s.empty() {
		t.add(v.turn(s.pop()))
	}
	return t
}

// The tables of the board are filled once: about 8,000 sets.
var (
	namedSets [16]set // by syntax.AreaNames
	palaces   set     // both
	everyone  set     // the whole board
	fileSets  [syntax.Width + 1]set
	rankSets  [syntax.Height + 1]set
	beside    [syntax.Points]set
	crossing  [syntax.Points]set // the file and the rank of a point, without it
	diagonal  [syntax.Points]set
	around    [syntax.Points]set                // beside and diagonal
	between   [syntax.Points][syntax.Points]set // strictly, where two lie on one line
	rays      [syntax.Points][4]set             // the points of each direction: by direction

	// way holds the points that decide whether a piece on one point reaches
	// another that is occupied: those between, or the leg or the eye.
	way [syntax.Points][syntax.Points]set
)

func init() {
	for p := range uint8(syntax.Points) {
		f, r := syntax.FileAt(p), syntax.RankAt(p)
		for i, a := range syntax.AreaNames {
			if a.In(f, r) {
				namedSets[i].add(p)
			}
		}
		everyone.add(p)
		fileSets[f].add(p)
		rankSets[r].add(p)
	}
	palaces = namedSets[0].or(namedSets[1])
	for p := range uint8(syntax.Points) {
		crossing[p] = fileSets[syntax.FileAt(p)].or(rankSets[syntax.RankAt(p)])
		crossing[p].remove(p)
		for q := range uint8(syntax.Points) {
			df, dr := syntax.FileAt(q)-syntax.FileAt(p), syntax.RankAt(q)-syntax.RankAt(p)
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
					way[p][q].add(uint8(int(p) + dr/2*syntax.Width + df/2))
				}
				continue
			}
			step := sign(dr)*syntax.Width + sign(df)
			for m := int(p) + step; p != q && m != int(q); m += step {
				between[p][q].add(uint8(m))
			}
			way[p][q] = between[p][q]
		}
	}
}

// spans returns, for every point, the points that pieces of some kinds may reach
// from there on one board or another. It is the same table for the same kinds.
func spans(list uint8) *[syntax.Points]set {
	spanned.Lock()
	defer spanned.Unlock()
	t := spanned.by[list]
	if t != nil {
		return t
	}
	t = new([syntax.Points]set)
	for p := range t {
		if list&(1<<syntax.Chariot|1<<syntax.Cannon) != 0 {
			t[p] = crossing[p]
		}
		if list&(1<<syntax.King|1<<syntax.Soldier) != 0 {
			t[p] = t[p].or(beside[p])
		}
		if list&(1<<syntax.Advisor) != 0 {
			t[p] = t[p].or(diagonal[p])
		}
		for q := range uint8(syntax.Points) {
			df, dr := abs(syntax.FileAt(q)-syntax.FileAt(uint8(p))), abs(syntax.RankAt(q)-syntax.RankAt(uint8(p)))
			if list&(1<<syntax.Horse) != 0 && df*dr == 2 || list&(1<<syntax.Elephant) != 0 && df == 2 && dr == 2 {
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
	by [syntax.AnyKind + 1]*[syntax.Points]set
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
	if kinds&(1<<syntax.Chariot|1<<syntax.Cannon) != 0 {
		h |= heedLines
	}
	if kinds&(1<<syntax.Horse) != 0 {
		h |= heedLegs
	}
	if kinds&(1<<syntax.Elephant) != 0 {
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
	case from/syntax.Width != to/syntax.Width && to > from:
		return 0
	case from/syntax.Width != to/syntax.Width:
		return 1
	case to > from:
		return 2
	}
	return 3
}

func sign(n int) int { return max(-1, min(n, 1)) }

// pieceOf returns the number of a piece in a set of pieces: that of board.Piece,
// from 0.
func pieceOf(side game.Side, kind int) int { return int(side&1)*syntax.Kinds + kind }

func sideOf(p board.Piece) game.Side {
	if p > syntax.Kinds {
		return game.Second
	}
	return game.First
}

// maskOf returns the pieces that a pattern means for one of its owners: bit n is
// piece n+1 of the board.
func maskOf(p syntax.Pieces, owner game.Side) (m uint16) {
	if p.Whose != syntax.Their {
		m |= uint16(p.Kinds) << pieceOf(owner, 0)
	}
	if p.Whose != syntax.Our {
		m |= uint16(p.Kinds) << pieceOf(owner.Opponent(), 0)
	}
	return m
}

// fits tells why patterns cannot be looked for under some rules; nil if they can.
func fits(r game.Rules) error {
	g := r.Geometry()
	if r.Info().Name != syntax.Game || g.Size != size || len(g.Pieces) != 2*syntax.Kinds {
		return fmt.Errorf("relation: patterns of pieces are known for %s alone, not for %s", syntax.Game, r.Info().Name)
	}
	return nil
}
