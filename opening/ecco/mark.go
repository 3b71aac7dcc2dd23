package ecco

import (
	"hash/fnv"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
)

// marker marks the openings of lines.
type marker struct {
	table *codebook
	start []board.Piece
	set   int // points with a piece at the start
	keys  []uint64
}

var _ interval.Marker = (*marker)(nil)

// Marker returns a marker with a column for each opening, in the order of [List]. A
// line has its opening from the slot at which no move can change it any more, and
// it is the first side's. Start is the usual start: what stands on each point, by
// its dense index. Lines that begin elsewhere have no opening.
func Marker(start []board.Piece) interval.Marker {
	m := &marker{table: load(), start: start}
	for _, p := range start {
		if p != board.Empty {
			m.set++
		}
	}
	for _, e := range m.table.entries {
		h := fnv.New64a()
		h.Write([]byte(e.Code))
		for i := range 8 {
			h.Write([]byte{byte(m.table.print >> (8 * i))})
		}
		m.keys = append(m.keys, h.Sum64())
	}
	return m
}

func (m *marker) Keys() []uint64 { return m.keys }

func (m *marker) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	if !m.usual(l) {
		return dst
	}
	code, ply := m.table.classify(l.Moves)
	column, ok := m.table.find(code)
	if !ok || want != nil && !want(column) {
		return dst
	}
	return append(dst, interval.Mark{Column: uint16(column), Side: game.First, From: uint16(ply), To: l.End})
}

// usual reports whether a line begins at the usual start and the sides take turns
// for as long as it matters.
func (m *marker) usual(l *interval.Line) bool {
	if len(l.Skips) > 0 && int(l.Skips[0]) <= min(len(l.Moves), 2*rounds) {
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
