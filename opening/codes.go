package opening

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"unicode"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
	"qipu/text"
)

// idOf makes an identifier of a name: "sicilian-defense-najdorf-variation".
func idOf(name string) string {
	words := strings.FieldsFunc(text.Fold(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return strings.Join(words, "-")
}

// codes are those that positions have in an encyclopaedia of openings.
type codes struct {
	at    map[uint64]string // by the hash of a position
	lines map[string][][]game.Move
	list  []Code // rising
	most  int    // plies of the longest line
	print uint64 // hash of all lines
}

// Code is a class of openings.
type Code struct {
	Code  string // "B90"
	Names board.Names
}

func newCodes() *codes {
	return &codes{at: map[uint64]string{}, lines: map[string][][]game.Move{}}
}

// readCode takes over a line whose position has a code and no name, or has it in spite
// of what a line of its name says.
func (n *Names) readCode(text, code string) error {
	moves, err := game.ParseMoves(n.rules, n.rules.Start(), text)
	if err != nil {
		return err
	}
	p, err := n.position(moves)
	if err != nil {
		return err
	}
	if n.coded == nil {
		n.coded = newCodes()
	}
	n.coded.take(p.Hash(), moves, code)
	return nil
}

// take gives a position a code, unless it has one.
func (c *codes) take(hash uint64, line []game.Move, code string) {
	if c.at[hash] != "" {
		return
	}
	c.at[hash] = code
	c.lines[code] = append(c.lines[code], line)
	c.most = max(c.most, len(line))
	c.print = board.Mix(c.print ^ hash)
	for _, b := range []byte(code) {
		c.print = board.Mix(c.print ^ uint64(b))
	}
}

// takeCodes notes the codes of lines, and makes one opening of those of one name,
// whose first line is the shortest.
func (n *Names) takeCodes(list []Opening) ([]Opening, error) {
	if n.coded == nil {
		n.coded = newCodes()
	}
	c := n.coded
	slices.SortStableFunc(list, func(a, b Opening) int { return cmp.Compare(len(a.Moves), len(b.Moves)) })
	var merged []Opening
	known := map[string]int{}
	first := map[string]bool{}
	for _, o := range list {
		p, err := n.position(o.Moves)
		if err != nil {
			return nil, err
		}
		if o.Code != "" {
			c.take(p.Hash(), o.Moves, o.Code)
			if !first[o.Code] {
				first[o.Code] = true
				c.list = append(c.list, Code{o.Code, o.Names})
			}
		}
		i, ok := known[o.ID]
		if !ok {
			known[o.ID] = len(merged)
			merged = append(merged, o)
			continue
		}
		shortest := &merged[i]
		shortest.also = append(shortest.also, o.Moves)
		if shortest.Names.Ja == shortest.Names.En { // the names in other languages may be with a longer line
			shortest.Names = o.Names
		}
	}
	slices.SortFunc(c.list, func(a, b Code) int { return strings.Compare(a.Code, b.Code) })
	return merged, nil
}

// Codes returns the classes of openings that positions are said to be of, rising,
// each with the name of its shortest line. It is empty where openings have no codes.
func (n *Names) Codes() []Code {
	if n.coded == nil {
		return nil
	}
	return slices.Clone(n.coded.list)
}

// CodeSource tells where codes are from.
func (n *Names) CodeSource() string {
	if n.coded == nil {
		return ""
	}
	return n.list[0].Source
}

// CodeLines returns the lines to the positions that have a code, which are its
// definition.
func (n *Names) CodeLines(code string) [][]game.Move {
	if n.coded == nil {
		return nil
	}
	return n.coded.lines[code]
}

// Coded returns the code of a game from the usual start: that of the last position on
// its way which has one; and after how many plies that stood. It is empty where none
// had.
func (n *Names) Coded(moves []game.Move) (code string, ply int) {
	if n.coded == nil {
		return "", 0
	}
	n.walk(nil, moves[:min(len(moves), n.coded.most)], func(p game.Position, at int) {
		if c := n.coded.at[p.Hash()]; c != "" {
			code, ply = c, at
		}
	})
	return code, ply
}

// Marker returns a marker with a column for each code, in the order of [Names.Codes]; nil
// where openings have none. A line has its code from the position on that gives it,
// and it is the first side's. Lines that begin elsewhere have none.
func (n *Names) Marker() interval.Marker {
	start, ok := n.rules.Start().(game.Planar)
	if n.coded == nil || !ok {
		return nil
	}
	m := &marker{names: n, column: map[string]uint16{}}
	size, planes := n.rules.Geometry().Size, start.Planes()
	for p := range size.Points() {
		m.start = append(m.start, planes.At(p))
		if planes.At(p) != board.Empty {
			m.set++
		}
	}
	for i, c := range n.coded.list {
		h := fnv.New64a()
		h.Write([]byte(c.Code))
		m.keys = append(m.keys, h.Sum64()^n.coded.print)
		m.column[c.Code] = uint16(i)
	}
	m.positions.New = func() any { return n.rules.Start() }
	return m
}

// marker marks the codes of lines.
type marker struct {
	names     *Names
	start     []board.Piece // by dense index
	set       int           // pieces at the start
	keys      []uint64
	column    map[string]uint16
	positions sync.Pool // of game.Position, at the start
}

func (m *marker) Keys() []uint64 { return m.keys }

func (m *marker) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	if !m.usual(l) {
		return dst
	}
	p := m.positions.Get().(game.Position)
	defer m.positions.Put(p)
	c, size := m.names.coded, m.names.rules.Geometry().Size
	code, ply, played := c.at[p.Hash()], 0, 0
	for _, mv := range l.Moves[:min(len(l.Moves), c.most)] {
		if mv == interval.NoMove || p.Play(game.Step(size.Point(int(mv>>8)), size.Point(int(mv&255)))) != nil {
			break // what becomes another piece on the way is no opening
		}
		played++
		if at := c.at[p.Hash()]; at != "" {
			code, ply = at, played
		}
	}
	for range played {
		p.Undo()
	}
	column, ok := m.column[code]
	if !ok || want != nil && !want(int(column)) {
		return dst
	}
	return append(dst, interval.Mark{Column: column, Side: game.First, From: uint16(ply), To: l.End})
}

// usual reports whether a line begins at the usual start and the sides take turns for
// as long as it matters.
func (m *marker) usual(l *interval.Line) bool {
	if len(l.Skips) > 0 && int(l.Skips[0]) <= min(len(l.Moves), m.names.coded.most) {
		return false
	}
	set := 0
	for _, c := range l.Changes {
		if c.Slot > 0 {
			break
		}
		if int(c.Point) >= len(m.start) || c.Piece != m.start[c.Point] {
			return false
		}
		if c.Piece != board.Empty {
			set++
		}
	}
	return set == m.set
}
