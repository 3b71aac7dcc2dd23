package chaos

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// backs makes a backup, or brings one up to date.
func (t *task) backs() error {
	w, p := t.w, t.p
	b := backup{dir: filepath.Join(w.dir, "backup"+strconv.Itoa(t.number)), of: p, shelf: p.shelf.clone()}
	args := []string{"backup", b.dir}
	if i := slices.IndexFunc(w.backups, func(b backup) bool { return b.of == p }); i >= 0 && t.r.IntN(2) == 0 {
		b.dir = w.backups[i].dir
		args = []string{"backup", b.dir, "--incremental"}
		w.backups = slices.Delete(w.backups, i, i+1) // until it is what the library is now
	}
	t.cli(nil, args...)
	run := t.run
	t.run = func() (outcome, error) {
		out, err := run()
		if out != done {
			os.RemoveAll(b.dir)
		}
		return out, err
	}
	t.after = func() {
		if t.beside { // of what others did meanwhile it may have a part
			os.RemoveAll(b.dir)
			return
		}
		w.backups = append(w.backups, b)
	}
	return nil
}

// restores puts a backup in the place of a library.
func (t *task) restores() error {
	w, to := t.w, t.other
	if len(w.backups) == 0 || to.remote {
		return nil
	}
	b := w.backups[t.r.IntN(len(w.backups))]
	t.run = func() (outcome, error) {
		if err := to.stop(true); err != nil {
			return unknown, err
		}
		for kill := t.kill; ; kill = 0 {
			if err := os.RemoveAll(to.address); err != nil {
				return unknown, err
			}
			c := w.run(0, kill, "--library", to.address, "restore", b.dir)
			if out, err := c.outcome(); out == done || err != nil {
				return out, err
			}
		}
	}
	t.after = func() {
		to.shelf, to.harmed, to.session = b.shelf.clone(), false, nil
		clear(to.pending)
		w.backups = slices.DeleteFunc(w.backups, func(b backup) bool { return b.of == to }) // of a library that is gone
	}
	return nil
}

// copies copies all games into the other library, with what the user made of them.
func (t *task) copies() error {
	p, to := t.p, t.other
	if to.server != nil {
		return nil
	}
	for _, e := range p.shelf.sorted() {
		t.effects = append(t.effects, effect{to.shelf, e.game, add, ""})
		for name, have := range e.tags {
			if have == yes {
				t.effects = append(t.effects, effect{to.shelf, e.game, tag, name})
			}
		}
		for name, have := range e.sets {
			if have == yes {
				t.effects = append(t.effects, effect{to.shelf, e.game, collect, name})
			}
		}
	}
	args := []string{"copy", p.address, to.address}
	if t.r.IntN(3) == 0 {
		args = append(args, "--anew")
	}
	if t.kind == "library" {
		if len(t.effects) == 0 {
			return nil
		}
		args = []string{"--library", p.address, "export", "--all", "--to-library", to.address, "--force"}
	}
	t.run = func() (outcome, error) { return t.w.run(0, t.kill, args...).outcome() }
	return nil
}

// passes hands some games on as a file.
func (t *task) passes() error {
	p, to := t.p, t.other
	a := makeAsk(t.r)
	a.tag, a.set = "", ""
	file := filepath.Join(t.w.dir, "pass"+strconv.Itoa(t.number)+".sgf")
	ids := a.ids(p.shelf)
	if len(ids) == 0 || to.server != nil {
		return nil
	}
	for _, e := range p.shelf.sorted() {
		if slices.Contains(ids, e.id) {
			t.effects = append(t.effects, effect{to.shelf, e.game, add, ""})
		}
	}
	t.run = func() (outcome, error) {
		if c := t.w.run(0, 0, "--library", p.address, "export", a.String(), file); c.code != 0 {
			return unknown, errors.New(c.String())
		}
		return t.w.run(0, t.kill, "--library", to.address, "import", file).outcome()
	}
	return nil
}

// moves makes a new library of all games, and kills that when it begins to be there, or
// soon after. What is left then is whole, or is told not to be; the same command goes on
// to the end.
func (t *task) moves() error {
	p, w := t.p, t.w
	to := filepath.Join(t.dir(), "moved")
	if len(p.shelf.sorted()) == 0 {
		return nil
	}
	args := []string{"--library", p.address, "export", "--all", "--to-library", to}
	if t.r.IntN(2) == 0 {
		args = []string{"copy", p.address, to}
	}
	// Its first tables are in the journal: a library without games.
	made, least := filepath.Join(to, "catalog.db-wal"), int64(1)
	if t.r.IntN(4) == 0 {
		made, least = filepath.Join(to, "catalog.db"), 0 // not even that
	}
	begun := func() string {
		info, err := os.Stat(made)
		return fmt.Sprint(err == nil && info.Size() >= least)
	}
	after := time.Duration(t.r.IntN(20)) * time.Millisecond
	whole := func() error {
		list, err := w.list(to)
		if err == nil {
			err = p.shelf.same(list)
		}
		return err
	}
	t.run = func() (outcome, error) {
		defer os.RemoveAll(t.dir())
		c := w.watched(0, 0, begun, after, args...)
		if !c.killed && c.code != 0 {
			return unknown, errors.New(c.String())
		}
		if c.killed && begun() == "true" {
			if look := w.run(0, 0, "--library", to, "doctor"); look.code == 0 {
				if err := whole(); err != nil {
					return unknown, fmt.Errorf("%w\nin what is left of a command that was killed, of which %s", err, look)
				}
			}
		}
		if c.killed {
			if c = w.run(0, 0, args...); c.code != 0 {
				return unknown, fmt.Errorf("a command that was killed does not go on: %s", c)
			}
		}
		if look := w.run(0, 0, "--library", to, "doctor"); look.code != 0 {
			return unknown, errors.New(look.String())
		}
		return done, whole()
	}
	return nil
}
