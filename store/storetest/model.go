package storetest

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/index"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
	"qipu/record"
)

// Model is what a store should hold: games by number, each replayed to plain
// boards. It is not safe for concurrent use.
type Model struct {
	games   map[uint32]*entry
	trash   map[uint32]*entry // games that were deleted: those that come back do so as they were
	events  map[uint32]string // that were corrected
	kinds   *index.Kinds
	referee *record.Referee
	classes map[int]uint16 // of windows, by their cells in base 3
}

// entry is a game of the model.
type entry struct {
	kind   string
	plies  int
	lines  []*line
	record *record.Game
}

// line is a line of play as plain boards.
type line struct {
	game  uint32
	main  bool
	facts index.Facts
	from  int // the first position that is its own
	end   uint16

	boards []*board.Planes
	cells  [][]board.Piece // the same, by dense index
	turns  []game.Side     // to move in each position
	slots  []uint16
	moves  []game.Move // that lead on from each position; NoMove behind the last
	keys   []uint64    // 0 where a position cannot be found, or came before
	found  []bool      // whether each is found by its key
	sum    uint64      // of all this, but for what follows from the boards

	windows map[uint16]bool // made when first asked for
}

// NewModel returns an empty model for stores of these games.
func NewModel(games game.Catalog) *Model {
	return &Model{games: map[uint32]*entry{}, trash: map[uint32]*entry{}, events: map[uint32]string{}, kinds: index.NewKinds(games), referee: record.NewReferee(games), classes: map[int]uint16{}}
}

// Clone returns a copy, to hold an old view against.
func (m *Model) Clone() *Model {
	c := *m
	c.games, c.trash, c.events = maps.Clone(m.games), maps.Clone(m.trash), maps.Clone(m.events)
	return &c
}

// Len returns the number of games, those without a board included.
func (m *Model) Len() int { return len(m.games) }

// IDs returns the numbers of the games, rising.
func (m *Model) IDs() []uint32 { return slices.Sorted(maps.Keys(m.games)) }

// Delete takes games out.
func (m *Model) Delete(ids []uint32) {
	for _, id := range ids {
		if e := m.games[id]; e != nil {
			m.trash[id] = e
			delete(m.games, id)
		}
	}
}

// Revive has a game that was deleted come back as it was, and reports whether there is one.
func (m *Model) Revive(id uint32) bool {
	e := m.trash[id]
	if e != nil {
		m.games[id] = e
		delete(m.trash, id)
	}
	return e != nil
}

// Discard notes that the games that another model has beside those of this one are in the
// trash: what brought them was undone.
func (m *Model) Discard(from *Model) {
	for id, e := range from.games {
		if m.games[id] == nil {
			m.trash[id] = e
		}
	}
}

// Correct gives a game another event, whatever record it has.
func (m *Model) Correct(id uint32, event string) {
	m.events[id] = event
	e := *m.games[id]
	if e.record != nil {
		g := *e.record
		g.Facts.Event = event
		e.record = &g
	}
	e.lines = slices.Clone(e.lines)
	for i, l := range e.lines {
		c := *l
		c.facts.Texts[query.Event] = event
		e.lines[i] = &c
	}
	m.games[id] = &e
}

// Put makes a record the one that the store has under a number.
func (m *Model) Put(id uint32, p *record.Played) error {
	e := &entry{}
	m.games[id] = e
	if event, ok := m.events[id]; ok {
		defer m.Correct(id, event)
	}
	if p.Rules == nil || p.Start.Board == nil {
		return nil
	}
	k := m.kinds.Of(p.Rules)
	e.kind, e.plies, e.record = k.Name, len(p.Steps), p.Game
	facts := index.FactsOf(&p.Game.Facts)
	facts.Plies, facts.Texts[query.Format], facts.Texts[query.File] = e.plies, p.Game.Format, p.Game.Place.File
	add := func(main bool, p *record.Played, steps []record.Step, from int) error {
		l := &line{game: id, main: main, facts: facts, from: from}
		if err := l.replay(k, p, steps); err != nil {
			return fmt.Errorf("indextest: game %d: %w", id, err)
		}
		e.lines = append(e.lines, l)
		return nil
	}
	if err := add(true, p, p.Steps, 0); err != nil {
		return err
	}
	if !p.Game.Variations() {
		return nil
	}
	for l := range record.Lines(p.Rules, p.Game) {
		w := m.referee.Play(wayTo(p.Game, l.Steps[len(l.Steps)-1].Node))
		// Who begins may be guessed from the first move: the position before a set-up is
		// that of the main line, whoever moves first in the variation.
		w.Start = p.Start
		if err := add(false, w, l.Steps, l.From+1); err != nil {
			return err
		}
	}
	return nil
}

// wayTo returns a record that is nothing but the way to a node.
func wayTo(g *record.Game, to int32) *record.Game {
	w := *g
	w.Nodes, w.Faults = []record.Node{{Move: g.Nodes[0].Move, Side: g.Nodes[0].Side, Extra: g.Nodes[0].Extra}}, nil
	var list []int32
	for i := to; i != 0; i = g.Nodes[i].Parent {
		list = append(list, i)
	}
	for _, i := range slices.Backward(list) {
		n := w.Add(int32(len(w.Nodes)-1), g.Nodes[i].Side, g.Nodes[i].Move)
		w.Nodes[n].Extra = g.Nodes[i].Extra
	}
	return &w
}

// replay fills in the boards of the first steps of a record.
func (l *line) replay(k *index.Kind, p *record.Played, steps []record.Step) error {
	pos, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return err
	}
	size := k.Board.Size
	for i := 0; ; i++ {
		planes := game.SetupOf(pos).Board // a copy, empty where there are no pieces
		cells := make([]board.Piece, size.Area())
		for j := range planes.Of {
			for pt := range planes.Of[j].Points() {
				cells[size.Index(pt)] = board.Piece(j + 1)
			}
		}
		l.boards, l.cells = append(l.boards, planes), append(l.cells, cells)
		turn := pos.Turn()
		switch {
		case i < len(steps) && steps[i].Move != game.NoMove:
			turn = steps[i].Side
		case i > 0 && steps[i-1].Move == game.NoMove:
			// Whose turn it is behind a set-up may depend on what follows it in
			// the main line, which a variation played alone does not show.
			turn = steps[i-1].Side
		}
		l.turns = append(l.turns, turn)
		if i == 0 {
			l.slots = append(l.slots, 0)
		} else {
			l.slots = append(l.slots, interval.NextSlot(l.slots[i-1], l.turns[i-1]))
		}
		if i == len(steps) {
			break
		}
		// What the rules refuse, the record's own way of playing takes.
		if steps[i].Move == game.NoMove || pos.Turn() != steps[i].Side || pos.Play(steps[i].Move) != nil {
			if pos, err = record.At(p, i+1); err != nil {
				return err
			}
		}
	}
	l.end = interval.NextSlot(l.slots[len(steps)], l.turns[len(steps)])
	l.findKeys(k)
	for i := range l.cells {
		l.moves = append(l.moves, l.moveAt(k, steps, i))
	}
	l.sum = sum(l.slots[l.from], l.end, l.slots, l.cells)
	return nil
}

// findKeys notes by which key each position of the line's own is found: each
// picture of it, with each side to move, at its first occurrence, if it does not
// have too many pieces.
func (l *line) findKeys(k *index.Kind) {
	l.keys, l.found = make([]uint64, len(l.boards)), make([]bool, len(l.boards))
	met := map[uint64]bool{}
	for i := l.from; i < len(l.boards); i++ {
		occupied := l.boards[i].Occupied()
		if k.MaxPieces > 0 && occupied.Count() > k.MaxPieces {
			continue
		}
		key, img := k.Canonical(l.boards[i])
		if picture := key ^ uint64(2*img) ^ uint64(l.turns[i]); !met[picture] {
			met[picture] = true
			l.keys[i], l.found[i] = key, true
		}
	}
}

// moveAt returns the move behind a position as an index tells it: where pieces
// are dropped, by the one point where a piece arrived.
func (l *line) moveAt(k *index.Kind, steps []record.Step, i int) game.Move {
	if i == len(steps) {
		return game.NoMove
	}
	m := steps[i].Move
	if k.Moving {
		if m == game.NoMove {
			return game.Pass
		}
		return m
	}
	arrived := []board.Point{}
	for j, piece := range l.cells[i+1] {
		if piece != board.Empty && l.cells[i][j] == board.Empty {
			arrived = append(arrived, k.Board.Size.Point(j))
		}
	}
	if len(arrived) != 1 {
		return game.Pass
	}
	return game.Drop(arrived[0])
}

// sum returns a hash of a line: its boards, and when they stood.
func sum(from, end uint16, slots []uint16, cells [][]board.Piece) uint64 {
	h := fnv.New64a()
	buf := binary.LittleEndian.AppendUint16(nil, from)
	buf = binary.LittleEndian.AppendUint16(buf, end)
	for i, c := range cells {
		buf = binary.LittleEndian.AppendUint16(buf, slots[i])
		for j, piece := range c {
			if i == 0 && piece != 0 || i > 0 && piece != cells[i-1][j] {
				buf = append(buf, byte(j), byte(j>>8), byte(piece))
			}
		}
		h.Write(buf)
		buf = buf[:0]
	}
	return h.Sum64()
}

// sumOf returns the same hash of a line of a block.
func sumOf(size board.Size, l *interval.Line) uint64 {
	state := make([]board.Piece, size.Area())
	var slots []uint16
	var cells [][]board.Piece
	changes, skips := l.Changes, l.Skips
	for slot := uint16(0); slot < l.End; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		for ; len(changes) > 0 && changes[0].Slot == slot; changes = changes[1:] {
			state[changes[0].Point] = changes[0].Piece
		}
		slots, cells = append(slots, slot), append(cells, slices.Clone(state))
	}
	return sum(l.From, l.End, slots, cells)
}

// lines returns the lines of a kind, in the order of the games.
func (m *Model) lines(kind string, variations bool) []*line {
	var list []*line
	for _, id := range m.IDs() {
		if e := m.games[id]; e.kind == kind {
			for _, l := range e.lines {
				if l.main || variations {
					list = append(list, l)
				}
			}
		}
	}
	return list
}

// kindNames returns the kinds that there are games of, in order.
func (m *Model) kindNames() []string {
	set := map[string]bool{}
	for _, e := range m.games {
		if e.kind != "" {
			set[e.kind] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// classesOf returns the classes of the windows of all positions that are a
// line's own.
func (m *Model) classesOf(l *line, size board.Size) map[uint16]bool {
	if l.windows != nil {
		return l.windows
	}
	l.windows = map[uint16]bool{}
	for _, cells := range l.cells[l.from:] {
		for y := range size.H - 2 {
			for x := range size.W - 2 {
				l.windows[m.class(cells, y*size.W+x, size.W)] = true
			}
		}
	}
	return l.windows
}

// class returns the class of the window whose top left point is at.
func (m *Model) class(cells []board.Piece, at, width int) uint16 {
	code := 0
	for i := range 9 {
		code = 3*code + int(cells[at+i/3*width+i%3])
	}
	if c, ok := m.classes[code]; ok {
		return c
	}
	p := &pattern.Pattern{Size: board.Size{W: 3, H: 3}, To: -1}
	for i := range 9 {
		p.Cells = append(p.Cells, pattern.Of(cells[at+i/3*width+i%3]))
	}
	c := index.WindowsOf(p)[0]
	m.classes[code] = c
	return c
}
