package draw

import (
	"math"
	"slices"

	"qipu/board"
)

// TextOptions chooses how a board of text looks. The zero value gives plain
// ASCII without colours.
type TextOptions struct {
	// Unicode draws stones and Chinese characters instead of letters.
	Unicode bool

	// Color tells the sides apart and lights up the last move by terminal
	// escape sequences; without it there are none.
	Color bool
}

// Text returns a scene as a board for terminals, one line per row, with the
// last move in round brackets, the point it came from shown as "_", possible
// moves as "-", and labels of one letter on empty points. Heat, arrows, regions,
// tints and what is faded are for pictures only. The ASCII signs of empty points
// are . + - and _, which position texts read as empty points, too.
func Text(s *Scene, o TextOptions) string { return string(AppendText(nil, s, o)) }

// AppendText appends what [Text] returns to dst.
//
// Terminals disagree about the width of ● ○ ┼, and agree that Chinese
// characters take two cells. Therefore all places of one board hold characters
// of the same class, parted by ASCII, so that columns stay aligned either way.
// In the boards of stones this goes for the letters above them, too, which are
// circled.
func AppendText(dst []byte, s *Scene, o TextOptions) []byte {
	g := s.geometry()
	if !g.Size.Valid() {
		return dst
	}
	t := sheet{out: dst, s: s, g: g, o: o, size: g.Size}
	s.pieces(g.Size, &t.at)
	if len(s.Texts) > 0 {
		o.Unicode = false // numbers stand beside them
	}
	t.alphabet = chooseAlphabet(g, o)
	t.measure()
	sides := s.labels()
	t.header(0, sides[0])
	for y := range t.size.H {
		t.row(y, sides[3], sides[1])
		if y+1 < t.size.H && t.river(y) {
			t.water(y)
		}
	}
	t.header(t.size.H-1, sides[2])
	return t.out
}

// sheet is one text board being written. Columns and rows are counted as they
// are seen.
type sheet struct {
	out      []byte
	s        *Scene
	g        *board.Geometry
	o        TextOptions
	size     board.Size
	at       [board.MaxPoints]board.Piece
	alphabet *alphabet

	place   int // width of what stands on a point
	side    int // width of the row names
	column  int // width of a column without the separator
	palaces []palace
	colour  string // now in force
}

// palace is the rectangle of points around diagonal lines.
type palace struct{ left, right, top, bottom int }

// measure finds the widths of columns and row names, and the palaces.
func (t *sheet) measure() {
	t.place = t.alphabet.width
	for _, text := range t.s.Texts {
		t.place = max(t.place, Cells(t.alphabet.keep(text)))
	}
	t.column = t.place
	if t.s.Coordinates {
		sides := t.s.labels()
		for i, names := range sides {
			for j, name := range names {
				if i%2 == 0 && j < t.size.W {
					t.column = max(t.column, Cells(t.alphabet.place(name)))
				} else if i == 3 && j < t.size.H {
					t.side = max(t.side, Cells(t.alphabet.plain(name)))
				}
			}
		}
	}
	for i := range t.g.Lines {
		a, b := t.g.Lines[i].From, t.g.Lines[i].To
		if a.X == b.X || a.Y == b.Y {
			continue
		}
		p := palace{
			int(math.Ceil(min(a.X, b.X))), int(math.Floor(max(a.X, b.X))),
			int(math.Ceil(min(a.Y, b.Y))), int(math.Floor(max(a.Y, b.Y))),
		}
		if p.left > 0 && p.right < t.size.W-1 && p.left < p.right {
			t.palaces = append(t.palaces, p)
		}
	}
}

// point returns the point that is seen in a column and row.
func (t *sheet) point(x, y int) board.Point {
	return board.At(t.s.turned(x, t.size.W), t.s.turned(y, t.size.H))
}

// shift writes the space before a row that begins further to the right.
func (t *sheet) shift(y int) {
	lo, hi := t.g.Extent()
	shift := t.g.Shift(t.s.turned(y, t.size.H)) - lo.X
	if t.s.Flip {
		shift = hi.X - lo.X - float64(t.size.W-1) - shift
	}
	t.spaces(int(math.Round(max(0, min(far, shift*float64(t.column+1))))))
}

// header writes the names of the columns above or below a row.
func (t *sheet) header(y int, names []string) {
	if !t.s.Coordinates || len(names) == 0 {
		return
	}
	t.shift(y)
	t.spaces(t.side)
	for x := range t.size.W {
		name := ""
		if i := t.s.turned(x, t.size.W); i < len(names) {
			name = t.alphabet.place(names[i])
		}
		t.spaces(1 + t.column - Cells(name))
		t.out = append(t.out, name...)
	}
	t.endLine()
}

// row writes one row of the board with its names.
func (t *sheet) row(y int, left, right []string) {
	t.shift(y)
	if t.s.Coordinates {
		name := t.rowName(left, y)
		t.spaces(t.side - Cells(name))
		t.out = append(t.out, name...)
	}
	for x := range t.size.W {
		if pad := t.column - t.place; pad > 0 {
			t.separator(x, y, false)
			t.spaces(pad - 1)
			t.opening(x, y)
		} else {
			t.separator(x, y, true)
		}
		t.cell(t.point(x, y))
	}
	t.separator(t.size.W, y, true)
	if t.s.Coordinates {
		t.out = append(t.out, t.rowName(right, y)...)
	}
	t.endLine()
}

func (t *sheet) rowName(names []string, y int) string {
	if i := t.s.turned(y, t.size.H); i < len(names) {
		return t.alphabet.plain(names[i])
	}
	return ""
}

// separator writes what stands before column x: a bracket of the last move,
// the wall of a palace, or a space. The opening bracket is left out where
// columns are so wide that it stands next to its piece.
func (t *sheet) separator(x, y int, open bool) {
	sign := byte(' ')
	switch {
	case t.isLast(x-1, y):
		sign = ')'
	case open && t.isLast(x, y):
		sign = '('
	case t.isWall(x, y):
		sign = '|'
	}
	if sign != ' ' || x == t.size.W {
		t.pen("")
	}
	t.out = append(t.out, sign)
}

func (t *sheet) opening(x, y int) {
	if t.isLast(x, y) {
		t.pen("")
		t.out = append(t.out, '(')
	} else {
		t.out = append(t.out, ' ')
	}
}

func (t *sheet) isLast(x, y int) bool {
	return t.s.Last != nil && x >= 0 && x < t.size.W && t.point(x, y) == t.s.Last.To
}

func (t *sheet) isWall(x, y int) bool {
	y = t.s.turned(y, t.size.H)
	if t.s.Flip {
		x = t.size.W - x
	}
	for _, p := range t.palaces {
		if (x == p.left || x == p.right+1) && y >= p.top && y <= p.bottom {
			return true
		}
	}
	return false
}

// cell writes what stands on a point.
func (t *sheet) cell(p board.Point) {
	text, colour := "", ""
	if piece := t.at[p]; piece != board.Empty {
		text, colour = t.symbol(piece)
		if t.s.Last != nil && t.s.Last.To == p {
			colour += ";7"
		}
	} else if text = t.alphabet.keep(t.s.Texts[p]); text != "" {
		colour = "1"
		t.spaces(t.place - Cells(text)) // numbers end below each other
	} else {
		text, colour = t.empty(p)
		t.spaces(t.place - t.alphabet.width)
	}
	t.pen(colour)
	t.out = append(t.out, text...)
	t.spaces(t.alphabet.width - Cells(text))
}

// pen sets the colour of what follows, "" for none.
func (t *sheet) pen(colour string) {
	if !t.o.Color || colour == t.colour {
		return
	}
	t.colour = colour
	if colour == "" {
		t.out = append(t.out, "\x1b[0m"...)
		return
	}
	t.out = append(append(append(t.out, "\x1b[0;"...), colour...), 'm')
}

// empty returns the text and colour of an empty point.
func (t *sheet) empty(p board.Point) (text, colour string) {
	if label := t.s.Labels[p]; len(label) == 1 && label[0] > ' ' && label[0] < 0x7f {
		return t.alphabet.place(label), "1"
	}
	if t.s.Marks[p]&(Legal|Hint) != 0 {
		return t.alphabet.legal, "1"
	}
	if t.s.Last != nil && t.s.Last.From == p {
		return t.alphabet.left, "1"
	}
	for _, spots := range [2][]board.Spot{t.g.Dots, t.g.Ticks} {
		for _, s := range spots {
			if s == t.g.Spot(p) {
				return t.alphabet.star, "2"
			}
		}
	}
	for _, shade := range t.g.Shades {
		if slices.Contains(shade.Points, t.size.Index(p)) {
			return t.alphabet.shade, "2"
		}
	}
	x, y := t.s.turned(p.X(), t.size.W), t.s.turned(p.Y(), t.size.H)
	return t.alphabet.point(x, y, t.size), "2"
}

// symbol returns the text and colour of a piece. Both sides may share a
// simplified character; without colours the one is then kept that tells them
// apart.
func (t *sheet) symbol(piece board.Piece) (text, colour string) {
	if int(piece) > len(t.g.Pieces) {
		return "?", "1"
	}
	l := &t.g.Pieces[piece-1]
	colour = sideColour(l)
	if t.o.Unicode && l.Symbol != "" {
		text = l.Symbol
		if t.s.Simplified && l.Simplified != "" && l.Symbol == l.Glyph && (t.o.Color || t.unique(l.Simplified)) {
			text = l.Simplified
		}
		return t.alphabet.keep(text), colour
	}
	if l.Letters == "" {
		return "?", colour
	}
	return t.alphabet.keep(l.Letters[:1]), colour
}

func (t *sheet) unique(simplified string) bool {
	n := 0
	for i := range t.g.Pieces {
		if t.g.Pieces[i].Simplified == simplified {
			n++
		}
	}
	return n == 1
}

// sideColour returns the terminal colour of a piece. Pieces with red letters
// are red; the rest go by side, in colours that can be read on black and on
// white.
func sideColour(l *board.Look) string {
	ink := parseRGB(l.Ink, grey)
	if ink.r > 120 && int(ink.r) > 2*int(ink.g) && int(ink.r) > 2*int(ink.b) {
		return "1;31"
	}
	return [4]string{"1;35", "1;36", "1;33", "1;32"}[l.Owner&3]
}

// river reports whether no line joins the rows y and y+1 inside the board.
func (t *sheet) river(y int) bool {
	if t.g.Cells || len(t.g.Lines) == 0 || t.size.W < 3 {
		return false
	}
	y = min(t.s.turned(y, t.size.H), t.s.turned(y+1, t.size.H))
	top, bottom := float64(y), float64(y+1)
	for i := range t.g.Lines {
		a, b := t.g.Lines[i].From, t.g.Lines[i].To
		inside := a.X > 0 && a.X < float64(t.size.W-1)
		if inside && min(a.Y, b.Y) <= top && max(a.Y, b.Y) >= bottom {
			return false
		}
	}
	return true
}

// water writes the line between the rows y and y+1, with the words on it if
// the alphabet has room for them.
func (t *sheet) water(y int) {
	cells := make([]string, t.size.W)
	for x := range cells {
		cells[x] = t.alphabet.water
	}
	middle := float64(t.s.turned(y, t.size.H)+t.s.turned(y+1, t.size.H)) / 2
	for i := range t.g.Texts {
		c := &t.g.Texts[i]
		if c.At.Y != middle || t.alphabet.width < 2 {
			continue
		}
		runes := []rune(c.Text)
		x := c.At.X
		if t.s.Flip {
			x = float64(t.size.W-1) - x
		}
		first := int(math.Round(max(-far, min(far, x-float64(len(runes)-1)/2))))
		for i, r := range runes {
			if at := first + i; at >= 0 && at < len(cells) && wide(r) {
				cells[at] = string(r)
			}
		}
	}
	t.spaces(t.side)
	for _, c := range cells {
		t.spaces(1 + t.column - Cells(c))
		t.out = append(t.out, c...)
	}
	t.endLine()
}

func (t *sheet) spaces(n int) {
	for range n {
		t.out = append(t.out, ' ')
	}
}

// endLine ends a line without blanks at its end.
func (t *sheet) endLine() {
	n := len(t.out)
	for n > 0 && t.out[n-1] == ' ' {
		n--
	}
	t.out = append(t.out[:n], '\n')
}
