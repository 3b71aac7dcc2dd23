package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// damage spoils a file that the library can make anew. The doctor is asked, and says so.
func (t *task) damage() error {
	p, r := t.p, t.r
	if p.remote {
		return nil
	}
	t.run = func() (outcome, error) {
		if err := p.stop(false); err != nil {
			return unknown, err
		}
		tables, err := filepath.Glob(filepath.Join(p.address, "segments", "*.seg"))
		if err == nil && len(tables) == 0 { // so few games get them only when they are asked for
			if c := p.run(0, 0, "--library", p.address, "reindex"); c.code != 0 {
				return unknown, errors.New(c.String())
			}
			tables, err = filepath.Glob(filepath.Join(p.address, "segments", "*.seg"))
		}
		others, err2 := filepath.Glob(filepath.Join(p.address, "marks", "*"))
		if err := errors.Join(err, err2); err != nil || len(tables)+len(others) == 0 {
			return done, err
		}
		files := tables
		if len(tables) == 0 || len(others) > 0 && r.IntN(4) == 0 {
			files = others
		}
		p.harmed = true
		path := files[r.IntN(len(files))]
		data, err := os.ReadFile(path)
		if err != nil {
			return unknown, err
		}
		now := spoilt(slices.Clone(data), 1+r.IntN(8), r)
		switch {
		case r.IntN(6) == 0:
			err = os.Remove(path)
		case r.IntN(6) == 0:
			now = data[:r.IntN(len(data)+1)/2]
			fallthrough
		default:
			err = os.WriteFile(path, now, 0o666)
		}
		if err != nil || filepath.Ext(path) != ".seg" || bytes.Equal(now, data) || r.IntN(4) == 0 {
			return done, err // others notice when they read it
		}
		if c := p.run(0, 0, "--library", p.address, "doctor"); c.code == 0 {
			return unknown, fmt.Errorf("%s is damaged, and %s", filepath.Base(path), c)
		}
		return done, nil
	}
	return nil
}

// spoilt returns bytes of which some are others.
func spoilt(data []byte, n int, r *rand.Rand) []byte {
	for range min(n, len(data)) {
		data[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
	}
	return data
}

// salvage damages the catalogues of copies, and has all taken out of them that can still
// be read: by a salvage, and by a copy.
func (t *task) salvage() error {
	if t.p.remote {
		return nil
	}
	t.run = func() (outcome, error) {
		if err := t.p.stop(false); err != nil {
			return unknown, err
		}
		// Whoever has written and ends in good order leaves all in one file, with tables of
		// all games, or without some.
		whole := []string{"--library", t.p.address, "doctor", "--repair"}
		if t.r.IntN(2) == 0 {
			whole = []string{"--library", t.p.address, "reindex"}
		}
		if c := t.p.run(0, 0, whole...); c.code != 0 {
			return unknown, errors.New(c.String())
		}
		t.p.harmed = false
		for _, size := range []int{t.r.IntN(9), t.r.IntN(13), 9 + t.r.IntN(8)} {
			if err := t.hurt(1 << size); err != nil {
				return unknown, err
			}
		}
		return done, nil
	}
	return nil
}

// hurt overwrites some bytes of the catalogue of a copy.
func (t *task) hurt(n int) error {
	sick := filepath.Join(t.dir(), "sick")
	defer os.RemoveAll(t.dir())
	if err := os.CopyFS(sick, os.DirFS(t.p.address)); err != nil {
		return err
	}
	data, err := os.ReadFile(filepath.Join(sick, "catalog.db"))
	if err != nil {
		return err
	}
	at := spot(data, t.r)
	spoilt(data[at:min(at+n, len(data))], n, t.r)
	if err := os.WriteFile(filepath.Join(sick, "catalog.db"), data, 0o666); err != nil {
		return err
	}
	for _, look := range []func(sick string, n int) error{t.unearth, t.copySick} {
		if err := look(sick, n); err != nil {
			return fmt.Errorf("%d bytes at %d: %w", n, at, err)
		}
	}
	return nil
}

// spot chooses a place in a file: any, or one that looks like packed records, in which
// all bytes are as frequent.
func spot(data []byte, r *rand.Rand) (at int) {
	tries, most := 1+r.IntN(2)*40, 0
	for range tries {
		try, seen := r.IntN(len(data)), map[byte]bool{}
		for _, b := range data[try:min(try+256, len(data))] {
			seen[b] = true
		}
		if len(seen) > most {
			at, most = try, len(seen)
		}
	}
	return at
}

// unearth has a damaged library salvaged. What comes out is of the games that there
// are, under their numbers; what does not is told of, game by game, and by the exit code.
func (t *task) unearth(sick string, n int) error {
	p, to := t.p, filepath.Join(t.dir(), "salvaged")
	c := p.run(0, 0, "--library", sick, "doctor", "--salvage", to, "--json")
	if c.code != 0 && c.code != 3 {
		return errors.New(c.String())
	}
	told, err := totals[struct {
		Type, State                   string
		Game                          int
		Whole, Rebuilt, Lost, Unnamed int
	}](c)
	if err != nil || len(told) == 0 {
		return fmt.Errorf("a salvage tells nothing: %v %s", err, c)
	}
	sum := told[len(told)-1]
	list, err := p.list(to)
	if err != nil {
		return err
	}
	fates, lost := map[int]string{}, 0
	for _, f := range told[:len(told)-1] {
		fates[f.Game] = f.State
		if f.State == "lost" {
			lost++
		}
	}
	there := 0
	for _, g := range list {
		e := p.shelf.games[g.key()]
		switch {
		case fates[g.id] == "rebuilt":
		case e == nil && n < 4096: // more may bring back what was deleted
			return fmt.Errorf("game %d has come up, which there was not", g.id)
		case e == nil:
			continue
		case e.id != g.id || e.differs(g.game) != "":
			return fmt.Errorf("game %d is told to be whole, and is another: it was %d", g.id, e.id)
		}
		there++
	}
	all := len(p.shelf.sorted())
	if sum.Whole+sum.Rebuilt != len(list) || sum.Lost != lost || all-there > sum.Lost+sum.Unnamed || (all > there || sum.Rebuilt > 0) && c.code == 0 {
		return fmt.Errorf("of %d games %d are there, and %s", all, there, c)
	}
	t.w.tally["salvage rebuilt"] += sum.Rebuilt
	t.w.tally["salvage lost"] += all - there
	return nil
}

// copySick copies a damaged library. The copy fails, or says how many games stayed
// behind, and ends with 0 only where it has all of them.
func (t *task) copySick(sick string, n int) error {
	p, to := t.p, filepath.Join(t.dir(), "copied")
	c := p.run(0, 0, "copy", sick, to, "--json")
	if c.code != 0 && c.code != 3 {
		return nil // it has told
	}
	told, err := totals[struct {
		Type string
		Left int
	}](c)
	if err != nil {
		return err
	}
	if len(told) == 0 && c.code == 3 {
		return nil // it could not even be read
	}
	list, err := p.list(to)
	if err != nil || len(told) == 0 {
		return fmt.Errorf("%v: %s", err, c)
	}
	there := 0
	for _, g := range list {
		if e := p.shelf.games[g.key()]; e != nil && e.differs(g.game) == "" {
			there++
		}
	}
	all, left := len(p.shelf.sorted()), told[len(told)-1].Left
	if there < all && c.code == 0 || there+left < all || (left > 0) != (c.code == 3) {
		return fmt.Errorf("of %d games %d are there, and %s", all, there, c)
	}
	t.w.tally["copy left"] += all - there
	return nil
}

// dir is a folder for one operation.
func (t *task) dir() string { return filepath.Join(t.w.dir, "op"+strconv.Itoa(t.number)) }
