package endgame

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"qipu/board"
	"qipu/game"
)

// square is a point of a board, counted row by row; a set of them is two words.
type square = uint8

// maxSquares is how many points a board can have here.
const maxSquares = 128

type set struct{ lo, hi uint64 }

func (a *set) add(s square) {
	if s < 64 {
		a.lo |= 1 << s
	} else {
		a.hi |= 1 << (s - 64)
	}
}

func (a *set) remove(s square) {
	if s < 64 {
		a.lo &^= 1 << s
	} else {
		a.hi &^= 1 << (s - 64)
	}
}

func (a set) meets(b set) bool { return a.lo&b.lo|a.hi&b.hi != 0 }

func (a set) count(b set) int { return bits.OnesCount64(a.lo&b.lo) + bits.OnesCount64(a.hi&b.hi) }

// man is a kind with its side: 2*kind + side. Kind 0 is the king.
type man uint8

// noMan is none of them.
const noMan man = 255

func manOf(kind int, side game.Side) man { return man(2*kind + int(side)) }
func (m man) side() game.Side            { return game.Side(m & 1) }
func (m man) kind() int                  { return int(m >> 1) }

// way is a game.Way by squares.
type way struct {
	kind    game.WayKind
	path    []square
	over    set // of a leap: the squares that must be empty
	becomes []int
}

// blow is how a man on one square reaches a king on another: where just so many men
// stand between.
type blow struct {
	between set
	need    int8 // -1: in no way
}

// hop is how a man came to a square in one leap.
type hop struct {
	from square
	over set
}

// law is what game.Men say, in tables.
type law struct {
	men     *game.Men
	size    board.Size
	area    int
	ways    [][][]way            // by man and square
	blows   [][]blow             // by man: from*area + to
	hops    [][][]hop            // by man and square that it came to
	lines   [][][][]square       // by man and square: along these it may have slid there
	home    [][]square           // by man: where it can stand, ascending
	turn    [][maxSquares]square // by symmetry of the board
	keeps   [][]bool             // by man and symmetry: its ways are the same in the picture
	swap    int                  // the symmetry by which the sides change places
	byPiece [64]man              // noMan where there is none

	mu     sync.Mutex
	kinged map[string]*kings // by symmetries
}

// newLaw makes the tables of a game.
func newLaw(r game.Manned) (*law, error) {
	m, g := r.Men(), r.Geometry()
	l := &law{men: m, size: g.Size, area: g.Size.Area(), swap: -1, kinged: map[string]*kings{}}
	if l.area > maxSquares {
		return nil, fmt.Errorf("endgame: a board of %v is too large for tables of endings", l.size)
	}
	for _, sym := range l.size.Symmetries() {
		var t [maxSquares]square
		for i := range l.area {
			t[i] = square(l.size.Index(sym.Apply(l.size, l.size.Point(i))))
		}
		l.turn = append(l.turn, t)
	}
	for i := range l.byPiece {
		l.byPiece[i] = noMan
	}
	for kind := range m.Kinds {
		for side := range game.Side(2) {
			piece := m.Kinds[kind].Piece
			if side == game.Second {
				piece = g.Pieces[piece-1].Swap
			}
			l.byPiece[piece] = manOf(kind, side)
			l.enlist(piece)
		}
	}
	for s := range l.turn {
		if l.swap < 0 && l.swaps(s) {
			l.swap = s
		}
	}
	if l.swap < 0 {
		return nil, fmt.Errorf("endgame: the sides of %s do not move alike", m.Name)
	}
	for x := range l.ways {
		l.keeps = append(l.keeps, make([]bool, len(l.turn)))
		for s := range l.turn {
			l.keeps[x][s] = l.alike(x, x, s)
		}
	}
	return l, nil
}

// enlist makes the tables of one man.
func (l *law) enlist(piece board.Piece) {
	ways, hops, lines := make([][]way, l.area), make([][]hop, l.area), make([][][]square, l.area)
	blows := make([]blow, l.area*l.area)
	for i := range blows {
		blows[i].need = -1
	}
	var home []square
	for i := range l.area {
		at := l.size.Point(i)
		if !l.men.Stands(piece, at) {
			continue
		}
		home = append(home, square(i))
		for _, w := range l.men.Ways(piece, at) {
			own := l.way(w)
			last := own.path[len(own.path)-1]
			if w.Kind == game.Stride || w.Kind == game.Strike {
				blows[i*l.area+int(last)] = blow{own.over, 0}
			}
			if (w.Kind == game.Stride || w.Kind == game.Advance) && w.Becomes == nil {
				hops[last] = append(hops[last], hop{square(i), own.over})
			}
			if w.Kind >= game.Slide {
				need := int8(0)
				if w.Kind == game.Shoot {
					need = 1
				}
				var between set
				for _, s := range own.path {
					blows[i*l.area+int(s)] = blow{between, need}
					between.add(s)
				}
			}
			if w.Kind == game.Face {
				continue
			}
			ways[i] = append(ways[i], own)
			if w.Kind >= game.Slide {
				lines[i] = append(lines[i], own.path)
			}
		}
	}
	l.ways, l.hops, l.lines = append(l.ways, ways), append(l.hops, hops), append(l.lines, lines)
	l.blows, l.home = append(l.blows, blows), append(l.home, home)
}

// way returns a way by squares.
func (l *law) way(w game.Way) way {
	own := way{kind: w.Kind}
	for i, p := range w.Path {
		own.path = append(own.path, square(l.size.Index(p)))
		if i < len(w.Path)-1 {
			own.over.add(own.path[i])
		}
	}
	for _, b := range w.Becomes {
		own.becomes = append(own.becomes, slices.IndexFunc(l.men.Kinds, func(m game.Man) bool { return m.Piece == b }))
	}
	return own
}

// swaps reports whether a symmetry makes every man of one side that of the other.
func (l *law) swaps(sym int) bool {
	for x := 0; x < len(l.ways); x += 2 {
		if !l.alike(x, x+1, sym) || !l.alike(x+1, x, sym) {
			return false
		}
	}
	return true
}

// alike reports whether the ways of a man are, in a picture of the board, those of another.
func (l *law) alike(x, y, sym int) bool {
	if len(l.home[x]) != len(l.home[y]) {
		return false
	}
	t := &l.turn[sym]
	for _, s := range l.home[x] {
		if _, ok := slices.BinarySearch(l.home[y], t[s]); !ok || len(l.ways[x][s]) != len(l.ways[y][t[s]]) {
			return false
		}
		for _, w := range l.ways[x][s] {
			if !slices.ContainsFunc(l.ways[y][t[s]], func(v way) bool { return w.same(&v, t) }) {
				return false
			}
		}
		for k := range l.area { // what reaches a king, by facing it too
			if l.blows[x][int(s)*l.area+k].need != l.blows[y][int(t[s])*l.area+int(t[k])].need {
				return false
			}
		}
	}
	return true
}

// same reports whether the picture of a way is another.
func (w *way) same(v *way, t *[maxSquares]square) bool {
	if w.kind != v.kind || len(w.path) != len(v.path) || !slices.Equal(w.becomes, v.becomes) {
		return false
	}
	for i, s := range w.path {
		if t[s] != v.path[i] {
			return false
		}
	}
	return true
}
