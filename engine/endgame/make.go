package endgame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"qipu/game"
	"qipu/segment"
)

// MakeOptions say how tables are made.
type MakeOptions struct {
	Dir     string // of all games; a folder below it is that of one
	Workers int    // 0 for as many as there are cores

	// Progress, which may be nil, is told of the table that is under way, and how many
	// of its positions were looked at for the first time. Several may tell at once.
	Progress func(name string, done, total int64)

	// Done, which may be nil, is told of every table that is there then. Took is 0 for
	// one that was there before.
	Done func(l Listed, took time.Duration)
}

// Make makes tables, and all that these need, which are not there yet: what was ended in
// the middle goes on where it was. A damaged table is made anew.
func Make(ctx context.Context, r game.Manned, list []Material, o MakeOptions) error {
	l, err := newLaw(r)
	if err != nil {
		return err
	}
	all := order(l, list)
	for _, x := range all { // what cannot be is told before hours have gone by
		if x.passing() {
			return fmt.Errorf("%s: a man of one side might take one of the other in passing, which tables cannot tell: such endings cannot be made", x)
		}
		if _, err := newShape(l, x); err != nil {
			return err
		}
	}
	dir := filepath.Join(o.Dir, l.men.Name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	m := &maker{r: r, law: l, dir: dir, o: o, made: map[string]*values{}}
	for _, x := range all {
		if err := m.one(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// maker makes tables one after the other.
type maker struct {
	r    game.Manned
	law  *law
	dir  string
	o    MakeOptions
	made map[string]*values // unpacked
	held int
}

// unpackedMost is how many bytes of unpacked tables are kept for those that need them.
const unpackedMost = 1 << 30

func (m *maker) keep(v *values) {
	if m.held += 2 * v.size; m.held > unpackedMost {
		clear(m.made)
		m.held = 2 * v.size
	}
	m.made[v.x.String()] = v
}

func (m *maker) one(ctx context.Context, x Material) error {
	t, err := m.open(x)
	switch {
	case err == nil:
		defer t.file.Close()
		m.done(Listed{About: t.about, Bytes: t.bytes, Men: len(t.slots)}, 0)
		return nil
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, segment.ErrCorrupt), errors.Is(err, segment.ErrOlder):
		if err := os.Remove(filepath.Join(m.dir, x.String()+suffix)); err != nil {
			return err
		}
	default:
		return err
	}
	began := time.Now()
	need := map[string]*values{} // held here, whatever keep lets go of
	for _, y := range x.needs(m.law) {
		if need[y.String()], err = m.values(y); err != nil {
			return err
		}
	}
	s, err := newShape(m.law, x)
	if err != nil {
		return err
	}
	v, err := build(ctx, s, func(y Material) *values { return need[y.String()] }, m.o.Workers, func(done, total int64) {
		if m.o.Progress != nil {
			m.o.Progress(x.String(), done, total)
		}
	})
	if err != nil {
		return err
	}
	a := About{Game: m.law.men.Name, Material: x.String(), Positions: 2 * int64(s.size), Counts: v.counts(), Example: v.example(m.r), Build: method}
	size, err := store(m.dir, a, v)
	if err != nil {
		return err
	}
	m.keep(v)
	m.done(Listed{About: a, Bytes: size, Men: len(s.slots)}, time.Since(began))
	return nil
}

func (m *maker) done(l Listed, took time.Duration) {
	if m.o.Done != nil {
		m.o.Done(l, took)
	}
}

// open opens a table and checks all of it.
func (m *maker) open(x Material) (*table, error) {
	f, err := segment.Open(filepath.Join(m.dir, x.String()+suffix), kinds)
	if err != nil {
		return nil, err
	}
	var t *table
	if err = f.Verify(context.Background()); err == nil {
		t, err = openFile(f, m.law, nil)
	}
	if err == nil && t.about.Build != method {
		err = segment.ErrOlder
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return t, nil
}

// values returns a table that is there, unpacked.
func (m *maker) values(x Material) (*values, error) {
	if v := m.made[x.String()]; v != nil {
		return v, nil
	}
	t, err := m.open(x)
	if err != nil {
		return nil, err
	}
	defer t.file.Close()
	v, err := t.values()
	if err == nil {
		m.keep(v)
	}
	return v, err
}

// setup returns a number as an arrangement.
func (s *shape) setup(r game.Manned, number, turn int) game.Setup {
	var p place
	s.put(&p, number)
	set := game.NewSetup(r)
	for slot, m := range s.slots {
		piece := s.men.Kinds[m.kind()].Piece
		if m.side() == game.Second {
			piece = r.Geometry().Pieces[piece-1].Swap
		}
		set.Board.Put(s.law.size.Point(int(p.sq[slot])), piece)
	}
	set.Turn = game.Side(turn)
	return set
}

// example returns one of the longest wins as a position text; empty where nothing is won.
func (v *values) example(r game.Manned) string {
	best, side, at := 1, 0, -1
	for turn := range v.of {
		for i, c := range v.of[turn] {
			if c < heldByMover && c&1 == 0 && int(c) > best {
				best, side, at = int(c), turn, i
			}
		}
	}
	if at < 0 {
		return ""
	}
	return string(game.AppendSetup(nil, r, v.setup(r, at, side)))
}
