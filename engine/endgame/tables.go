package endgame

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/segment"
)

//go:embed shipped
var shipped embed.FS

// Tables are the tables of a folder and those that come with the program, of any games.
// They may be asked by many at once. A table that is damaged is as one that is not there,
// and Faults tells of it.
type Tables struct {
	dir  string
	mu   sync.RWMutex
	kits map[string]*kit
	kept atomic.Int64
	bad  []error
}

// keepMost is how many bytes of unpacked blocks are kept before they are let go of.
const keepMost = 64 << 20

// kit is what there is for one game.
type kit struct {
	law    *law
	tables map[string]*table // by name
	keyed  map[uint64]*entry // by the men on the board
	most   int               // men of the largest table
}

// entry is how a board with certain men is looked up.
type entry struct {
	*table
	swap  bool
	first [32]uint8 // by man: its first slot
}

// Open returns the tables of a folder, which need not exist; empty for those that come
// with the program alone.
func Open(dir string) *Tables { return &Tables{dir: dir, kits: map[string]*kit{}} }

// Close gives all files back. Nobody may ask any more.
func (t *Tables) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	var faults []error
	for _, k := range t.kits {
		for _, f := range k.tables {
			faults = append(faults, f.file.Close())
		}
	}
	t.kits = map[string]*kit{}
	return errors.Join(faults...)
}

// Faults returns why tables are not used that are there.
func (t *Tables) Faults() []error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Clone(t.bad)
}

// kitOf returns what there is for a game; nil where its rules do not tell of men.
func (t *Tables) kitOf(r game.Rules) (*kit, error) {
	m, ok := r.(game.Manned)
	if !ok {
		return nil, nil
	}
	name := m.Men().Name
	t.mu.RLock()
	k := t.kits[name]
	t.mu.RUnlock()
	if k != nil {
		return k, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if k := t.kits[name]; k != nil {
		return k, nil
	}
	l, err := newLaw(m)
	if err != nil {
		return nil, err
	}
	k = &kit{law: l, tables: map[string]*table{}, keyed: map[uint64]*entry{}}
	if err := t.fill(k); err != nil {
		return nil, err
	}
	t.kits[name] = k
	return k, nil
}

// fill opens all tables of a game. Those of the folder go before those of the program.
func (t *Tables) fill(k *kit) error {
	take := func(name string, f *segment.File, err error) {
		if err == nil {
			var opened *table
			if opened, err = openFile(f, k.law, &t.kept); err == nil {
				k.tables[name] = opened
				k.key(opened)
				return
			}
			f.Close()
		}
		t.bad = append(t.bad, err)
	}
	if t.dir != "" {
		dir := filepath.Join(t.dir, k.law.men.Name)
		names, err := tablesIn(dir)
		if err != nil {
			return fmt.Errorf("endgame: %w", err)
		}
		for _, name := range names {
			f, err := segment.Open(filepath.Join(dir, name+suffix), kinds)
			take(name, f, err)
		}
	}
	entries, err := shipped.ReadDir(path.Join("shipped", k.law.men.Name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), suffix)
		if k.tables[name] != nil {
			continue
		}
		data, err := shipped.ReadFile(path.Join("shipped", k.law.men.Name, e.Name()))
		if err != nil {
			return err
		}
		f, err := segment.OpenBytes(data, kinds)
		take(name, f, err)
	}
	return nil
}

// key enters a table under the men that boards have which it answers for.
func (k *kit) key(t *table) {
	k.most = max(k.most, len(t.slots))
	for _, swap := range []bool{false, true} {
		e := &entry{table: t, swap: swap}
		key := uint64(0)
		for slot, m := range slices.Backward(t.slots) {
			e.first[m] = uint8(slot)
			if swap {
				m ^= 1
			}
			key += 1 << (4 * m)
		}
		if _, ok := k.keyed[key]; !ok {
			k.keyed[key] = e
		}
	}
}

// Verdict is what a table says of a position, for the side to move.
type Verdict struct {
	Result int // 1 won, 0 drawn, -1 lost
	Plies  int // until the end, where it is won or lost
	Checks int // of a draw: 1 where the side to move holds it by checks alone, -1 where the other does
}

// verdictOf tells what a byte says.
func verdictOf(c byte) Verdict {
	switch {
	case c == heldByMover:
		return Verdict{Checks: 1}
	case c == heldByOther:
		return Verdict{Checks: -1}
	case c == unknown || c == nothing:
		return Verdict{}
	case c&1 == 0:
		return Verdict{Result: 1, Plies: int(c) - 1}
	}
	return Verdict{Result: -1, Plies: int(c) - 1}
}

// Word returns "won", "drawn" or "lost".
func (v Verdict) Word() string { return [3]string{"lost", "drawn", "won"}[v.Result+1] }

// Holder returns who holds a draw by checks alone, as the side to move sees it: "self" or
// "other"; else nothing.
func (v Verdict) Holder() string { return [3]string{"other", "", "self"}[v.Checks+1] }

// Value returns the verdict in an engine's measure.
func (v Verdict) Value() engine.Value {
	switch {
	case v.Result > 0:
		return engine.Win - engine.Value(v.Plies)
	case v.Result < 0:
		return engine.Value(v.Plies) - engine.Win
	}
	return 0
}

// order is greater for what is better: wins by their length, draws, then losses, the
// longest first.
func (v Verdict) order() int {
	if v.Result == 0 {
		return -v.Checks
	}
	return v.Result * (1<<12 - v.Plies)
}

// Value returns what is known of a position; ok is false where nothing is.
func (t *Tables) Value(r game.Rules, p game.Position) (v Verdict, ok bool, err error) {
	k, err := t.kitOf(r)
	q, planar := p.(game.Planar)
	if err != nil || k == nil || !planar {
		return v, false, err
	}
	if n, ok := p.(game.Noted); ok && len(r.Info().Extra) > 0 {
		var s game.Setup
		if n.Note(&s); s.Extra != "" {
			return v, false, nil
		}
	}
	return t.board(k, q.Planes(), p.Turn())
}

// board looks a board up.
func (t *Tables) board(k *kit, b *board.Planes, turn game.Side) (v Verdict, ok bool, err error) {
	var men [maxMen]man
	var at [maxMen]square
	n := 0
	for i := range b.Of {
		for y := range b.Size.H {
			for row := b.Of[i][y]; row != 0; row &= row - 1 {
				if n == maxMen {
					return v, false, nil
				}
				men[n], at[n] = k.law.byPiece[i+1], square(y*b.Size.W+bits.TrailingZeros32(row))
				n++
			}
		}
	}
	return t.look(k, men[:n], at[:n], int(turn))
}

// Knows returns the value of a position for the side to move: Tables are an
// engine.Knower. Where a table cannot be read, nothing is known.
func (t *Tables) Knows(r game.Rules, p game.Position) (engine.Value, bool) {
	v, ok, err := t.Value(r, p)
	return v.Value(), ok && err == nil
}

// KnowsMen is the same of pieces on points.
func (t *Tables) KnowsMen(r game.Rules, pieces []board.Piece, points []board.Point, turn game.Side) (engine.Value, bool) {
	k, err := t.kitOf(r)
	if err != nil || k == nil || len(pieces) > maxMen {
		return 0, false
	}
	var men [maxMen]man
	var at [maxMen]square
	for i, p := range pieces {
		men[i], at[i] = k.law.byPiece[p], square(k.law.size.Index(points[i]))
	}
	v, ok, err := t.look(k, men[:len(pieces)], at[:len(pieces)], int(turn))
	return v.Value(), ok && err == nil
}

// MostMen returns how many men the largest table of a game has; 0 where there is none.
func (t *Tables) MostMen(r game.Rules) int {
	k, err := t.kitOf(r)
	if err != nil || k == nil {
		return 0
	}
	return k.most
}

// look looks men up by where they stand.
func (t *Tables) look(k *kit, men []man, at []square, turn int) (v Verdict, ok bool, err error) {
	key := uint64(0)
	for _, m := range men {
		key += 1 << (4 * m)
	}
	e := k.keyed[key]
	if e == nil {
		return v, false, nil
	}
	next := e.first
	var p place
	for i, m := range men {
		s := at[i]
		if e.swap {
			m, s = m^1, e.turn[e.law.swap][s]
		}
		p.sq[next[m]] = s
		next[m]++
	}
	if e.swap {
		turn = 1 - turn
	}
	if e.pairOf[int(p.sq[0])*e.area+int(p.sq[1])] < 0 {
		return v, false, nil
	}
	number, _ := e.number(&p)
	c, err := e.value(turn, number)
	if err != nil {
		return v, false, err
	}
	if t.kept.Load() > keepMost {
		t.forget()
	}
	return verdictOf(c), true, nil
}

// forget lets go of all blocks.
func (t *Tables) forget() {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, k := range t.kits {
		for _, f := range k.tables {
			f.forget()
		}
	}
}

// Choice is a move with what it leads to.
type Choice struct {
	Move    game.Move
	Verdict // for the side that makes it
}

// Choices returns all legal moves of a position, the best first: wins by their length,
// then draws, then losses, the longest first. ok is false where a table is missing.
// The position is played on and taken back.
func (t *Tables) Choices(r game.Rules, p game.Position) (list []Choice, ok bool, err error) {
	if _, ok, err = t.Value(r, p); !ok || err != nil {
		return nil, false, err
	}
	side := p.Turn()
	for _, m := range p.AppendMoves(nil) {
		if err := p.Play(m); err != nil {
			return nil, false, err
		}
		v, ok, err := t.after(r, p, side)
		p.Undo()
		if err != nil || !ok {
			return nil, false, err
		}
		list = append(list, Choice{m, v})
	}
	slices.SortStableFunc(list, func(a, b Choice) int { return cmp.Compare(b.order(), a.order()) })
	return list, true, nil
}

// after returns what a position is worth for who has just moved.
func (t *Tables) after(r game.Rules, p game.Position, side game.Side) (v Verdict, ok bool, err error) {
	if o := p.Outcome(); o.Final() {
		switch {
		case o.State != game.Won:
			return Verdict{}, true, nil
		case o.Winner == side:
			return Verdict{Result: 1, Plies: 1}, true, nil
		}
		return Verdict{Result: -1, Plies: 1}, true, nil
	}
	if v, ok, err = t.Value(r, p); err != nil || !ok {
		return v, ok, err
	}
	v.Result, v.Checks = -v.Result, -v.Checks
	if v.Result != 0 {
		v.Plies++
	}
	return v, true, nil
}

// Line returns the best play from a position to its end, at most so many plies of it.
func (t *Tables) Line(r game.Rules, p game.Position, most int) (line []game.Move, err error) {
	defer func() {
		for range line {
			p.Undo()
		}
	}()
	for len(line) < most && !p.Outcome().Final() {
		list, ok, err := t.Choices(r, p)
		if err != nil || !ok || len(list) == 0 || list[0].Result == 0 {
			return line, err
		}
		if err := p.Play(list[0].Move); err != nil {
			return line, err
		}
		line = append(line, list[0].Move)
	}
	return line, nil
}

// Probe answers a task from the tables: it makes them an engine.Prober.
func (t *Tables) Probe(_ context.Context, task *engine.Task) (*engine.Report, bool, error) {
	p, err := task.Position()
	if err != nil || p.Outcome().Over() {
		return nil, false, err
	}
	list, ok, err := t.Choices(task.Rules, p)
	if err != nil || !ok {
		return nil, false, err
	}
	report := &engine.Report{Note: "table", Selectivity: 100}
	for i, c := range list {
		line := engine.Line{Move: c.Move, Value: c.Value(), Exact: true, Moves: []game.Move{c.Move}}
		if i == 0 {
			best, err := t.Line(task.Rules, p, deepest)
			if err != nil {
				return nil, false, err
			}
			if len(best) > 0 {
				line.Moves = best
			}
			report.Depth = len(line.Moves)
		}
		report.Lines = append(report.Lines, line)
	}
	return report, true, nil
}

// Listed is a table that is there.
type Listed struct {
	About
	Men     int
	Bytes   int64
	Shipped bool // it comes with the program
}

// List returns what tables there are of a game, by the number of their men and their
// names.
func (t *Tables) List(r game.Rules) (list []Listed, err error) {
	k, err := t.kitOf(r)
	if err != nil || k == nil {
		return nil, err
	}
	for _, f := range k.tables {
		list = append(list, Listed{About: f.about, Bytes: f.bytes, Men: len(f.slots), Shipped: f.file.Info().Path == ""})
	}
	slices.SortFunc(list, func(a, b Listed) int {
		return cmp.Or(cmp.Compare(a.Men, b.Men), cmp.Compare(a.Material, b.Material))
	})
	return list, nil
}
