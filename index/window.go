package index

import (
	"sync"

	"qipu/board"
	"qipu/interval"
	"qipu/pattern"
)

// Windows are the classes of 3x3 windows of a board with two kinds of pieces:
// windows that are pictures of each other, colours exchanged or not, are one
// class. A line has a class if such a window stood somewhere on its board at
// some time. Classes are the inverted file of shapes.
type Windows struct {
	class []uint16 // by code: base 3, the top left point first
	n     int
}

// windowCodes is the number of codes: 3 to the power of 9.
const windowCodes = 19683

var windows = sync.OnceValue(func() *Windows {
	w := &Windows{class: make([]uint16, windowCodes)}
	for i := range w.class {
		w.class[i] = windowCodes
	}
	side := board.Size{W: 3, H: 3}
	for code := range windowCodes {
		if w.class[code] != windowCodes {
			continue
		}
		cells := [9]int{}
		for i, rest := 8, code; i >= 0; i, rest = i-1, rest/3 {
			cells[i] = rest % 3
		}
		for sym := board.Identity; sym < board.NumSymmetries; sym++ {
			for _, swap := range [][3]int{{0, 1, 2}, {0, 2, 1}} {
				var turned [9]int
				for p := range side.Points() {
					turned[side.Index(sym.Apply(side, p))] = swap[cells[side.Index(p)]]
				}
				image := 0
				for _, c := range turned {
					image = 3*image + c
				}
				w.class[image] = uint16(w.n)
			}
		}
		w.n++
	}
	return w
})

// HasWindows reports whether lines of this kind have classes of windows: boards
// with two kinds of pieces and more than 64 points have. On smaller ones the
// points alone say more than windows that may lie anywhere.
func (k *Kind) HasWindows() bool {
	return k.Board.Kinds == 2 && k.Board.Size.Area() > 64 && k.Board.Size.W >= 3 && k.Board.Size.H >= 3
}

// NumWindows returns the number of classes.
func NumWindows() int { return windows().n }

// Scanner finds the classes of lines. It holds buffers and is not safe for
// concurrent use.
type Scanner struct {
	code  []uint16 // of the window around each point
	state []uint8
	seen  []uint64
}

// power is the weight of each cell of a window in its code.
var power = [9]int{6561, 2187, 729, 243, 81, 27, 9, 3, 1}

// Append appends the classes that a line has at slots that are its own, in
// rising order.
func (s *Scanner) Append(dst []uint16, k *Kind, l *interval.Line) []uint16 {
	w, size := windows(), k.Board.Size
	n := size.Area()
	s.code = append(s.code[:0], make([]uint16, n)...)
	s.state = append(s.state[:0], make([]uint8, n)...)
	s.seen = append(s.seen[:0], make([]uint64, (w.n+63)/64)...)
	if l.From == 0 {
		s.mark(w.class[0]) // the empty window: the start, nearly always
	}
	changes := l.Changes
	for len(changes) > 0 {
		slot, n := changes[0].Slot, 1
		for n < len(changes) && changes[n].Slot == slot {
			n++
		}
		if own := slot >= l.From; n == 1 {
			s.change(size, changes[0], w.class, own)
		} else {
			// Windows may be touched by several of the changes: what counts is
			// how they are behind all of them.
			for _, c := range changes[:n] {
				s.change(size, c, w.class, false)
			}
			for i := 0; own && i < n; i++ {
				s.change(size, changes[i], w.class, true) // nothing changes any more
			}
		}
		changes = changes[n:]
	}
	if l.From > 0 {
		s.whole(w, k, l)
	}
	for i, word := range s.seen {
		for b := 0; word != 0; b, word = b+1, word>>1 {
			if word&1 != 0 {
				dst = append(dst, uint16(i*64+b))
			}
		}
	}
	return dst
}

// change changes the codes of the windows around a point and, if asked to, notes
// their classes.
func (s *Scanner) change(size board.Size, c interval.Change, class []uint16, note bool) {
	x, y := int(c.Point)%size.W, int(c.Point)/size.W
	diff := int(c.Piece) - int(s.state[c.Point])
	s.state[c.Point] = uint8(c.Piece)
	left, right := max(x-1, 1), min(x+1, size.W-2)
	for cy := max(y-1, 1); cy <= min(y+1, size.H-2); cy++ {
		weights := power[3*(y-cy)+3:]
		row := s.code[cy*size.W : (cy+1)*size.W]
		for cx := left; cx <= right; cx++ {
			code := uint16(int(row[cx]) + diff*weights[x-cx+1])
			row[cx] = code
			if note {
				s.mark(class[code])
			}
		}
	}
}

// whole marks the classes of all windows of the first position that is a
// variation's own: they stood there already.
func (s *Scanner) whole(w *Windows, k *Kind, l *interval.Line) {
	size := k.Board.Size
	clear(s.state)
	for _, c := range l.Changes {
		if c.Slot > l.From {
			break
		}
		s.state[c.Point] = uint8(c.Piece)
	}
	for y := 1; y < size.H-1; y++ {
		for x := 1; x < size.W-1; x++ {
			code := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					code = 3*code + int(s.state[(y+dy)*size.W+x+dx])
				}
			}
			s.mark(w.class[code])
		}
	}
}

func (s *Scanner) mark(class uint16) { s.seen[class/64] |= 1 << (class % 64) }

// WindowsOf returns the classes that every line must have in which a pattern
// holds: those of the 3x3 windows of which it fixes every point.
func WindowsOf(p *pattern.Pattern) []uint16 {
	w := windows()
	var list []uint16
	for y := 0; y+3 <= p.Size.H; y++ {
		for x := 0; x+3 <= p.Size.W; x++ {
			code, fixed := 0, true
			for dy := range 3 {
				for dx := range 3 {
					digit := map[pattern.Set]int{pattern.Empty: 0, pattern.Of(1): 1, pattern.Of(2): 2}
					d, ok := digit[p.Cells[(y+dy)*p.Size.W+x+dx]]
					fixed = fixed && ok
					code = 3*code + d
				}
			}
			if fixed {
				list = append(list, w.class[code])
			}
		}
	}
	return list
}
