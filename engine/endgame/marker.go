package endgame

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
)

// The first columns of a Marker: somebody has a position that is won by the tables, with
// either side to move, and the position is drawn by them. Behind them is one for each
// ending, which belongs to the side that is named first.
const (
	WonColumn = iota
	DrawnColumn
	EndingColumns
)

// Marker tells in lines of play when tables know a position, and which ending it is. It
// looks at the men on the board and at who is to move alone.
type Marker struct {
	tables *Tables
	kit    *kit
	keys   []uint64
	column map[uint64]owned // by the men on the board: its ending
	walks  sync.Pool        // of *walk
}

// owned is an ending with the side that is named first.
type owned struct {
	column uint16
	side   game.Side
}

var _ interval.Marker = (*Marker)(nil)

// NewMarker returns a marker for endings, which tables have; nil where the game has none.
func NewMarker(t *Tables, r game.Manned, endings []string) (*Marker, error) {
	k, err := t.kitOf(r)
	if err != nil || k == nil || len(k.tables) == 0 {
		return nil, err
	}
	var names []string
	for name := range k.tables {
		names = append(names, name)
	}
	slices.Sort(names)
	// What tables say follows from the rules: which there are is all that can differ.
	of := func(what string) uint64 {
		return xxh3.HashString("endgame " + method + " " + k.law.men.Name + " " + what)
	}
	all := strings.Join(names, " ")
	m := &Marker{tables: t, kit: k, keys: []uint64{of("won " + all), of("drawn " + all)}, column: map[uint64]owned{}}
	for i, name := range endings {
		m.keys = append(m.keys, of("ending "+name))
		for key, e := range k.keyed {
			if e.about.Material == name {
				side := game.First
				if e.swap {
					side = game.Second
				}
				m.column[key] = owned{uint16(EndingColumns + i), side}
			}
		}
	}
	m.walks.New = func() any { return &walk{Marker: m} }
	return m, nil
}

// Keys returns one key for each column.
func (m *Marker) Keys() []uint64 { return m.keys }

// AppendMarks appends when tables know a line.
func (m *Marker) AppendMarks(dst []interval.Mark, l *interval.Line, want func(column int) bool) []interval.Mark {
	w := m.walks.Get().(*walk)
	defer m.walks.Put(w)
	w.want = want
	w.run(l)
	slices.SortFunc(w.marks, func(a, b interval.Mark) int {
		return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Side, b.Side), cmp.Compare(a.From, b.From))
	})
	return append(dst, w.marks...)
}

// walk is one way through a line.
type walk struct {
	*Marker
	want  func(column int) bool
	on    [maxSquares]board.Piece
	count int
	marks []interval.Mark
	open  []interval.Mark // that go on
	now   []interval.Mark
}

func (w *walk) run(l *interval.Line) {
	w.on, w.count = [maxSquares]board.Piece{}, 0
	w.marks, w.open = w.marks[:0], w.open[:0]
	changes, skips := l.Changes, l.Skips
	for slot := uint16(0); slot < l.End; {
		for ; len(changes) > 0 && changes[0].Slot <= slot; changes = changes[1:] {
			w.put(changes[0])
		}
		next := slot + 1
		for ; next < l.End; next++ {
			for len(skips) > 0 && skips[0] < next {
				skips = skips[1:]
			}
			if len(skips) == 0 || skips[0] != next {
				break
			}
		}
		w.look(slot, interval.Mover(min(next, l.End)))
		slot = next
	}
	for _, m := range w.open {
		m.To = l.End
		w.marks = append(w.marks, m)
	}
}

func (w *walk) put(c interval.Change) {
	if int(c.Point) >= w.kit.law.area || int(c.Piece) >= len(w.kit.law.byPiece) {
		return
	}
	if w.on[c.Point] != board.Empty {
		w.count--
	}
	if w.on[c.Point] = c.Piece; c.Piece != board.Empty {
		w.count++
	}
}

// look ends and begins intervals at a slot.
func (w *walk) look(slot uint16, turn game.Side) {
	w.now = w.now[:0]
	if w.count <= w.kit.most {
		w.find(turn)
	}
	same := func(a interval.Mark) func(interval.Mark) bool {
		return func(b interval.Mark) bool { return a.Column == b.Column && a.Side == b.Side }
	}
	w.open = slices.DeleteFunc(w.open, func(m interval.Mark) bool {
		gone := !slices.ContainsFunc(w.now, same(m))
		if gone {
			m.To = slot
			w.marks = append(w.marks, m)
		}
		return gone
	})
	for _, m := range w.now {
		if !slices.ContainsFunc(w.open, same(m)) {
			m.From = slot
			w.open = append(w.open, m)
		}
	}
}

// find tells what is true of the board as it is.
func (w *walk) find(turn game.Side) {
	var men [maxMen]man
	var at [maxMen]square
	n, key := 0, uint64(0)
	for s, piece := range w.on[:w.kit.law.area] {
		if piece != board.Empty {
			men[n], at[n] = w.kit.law.byPiece[piece], square(s)
			key += 1 << (4 * men[n])
			n++
		}
	}
	if e, ok := w.column[key]; ok && w.wants(int(e.column)) {
		w.now = append(w.now, interval.Mark{Column: e.column, Side: e.side})
	}
	if !w.wants(WonColumn) && !w.wants(DrawnColumn) {
		return
	}
	v, ok, err := w.tables.look(w.kit, men[:n], at[:n], int(turn))
	switch {
	case err != nil || !ok:
	case v.Result == 0 && w.wants(DrawnColumn):
		w.now = append(w.now, interval.Mark{Column: DrawnColumn})
	case v.Result != 0 && w.wants(WonColumn):
		side := turn
		if v.Result < 0 {
			side = turn.Opponent()
		}
		w.now = append(w.now, interval.Mark{Column: WonColumn, Side: side})
	}
}

func (w *walk) wants(column int) bool { return w.want == nil || w.want(column) }
