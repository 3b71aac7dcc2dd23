package chaos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// storm is two libraries, whose commands are killed one after the other at any moment of
// their work.
type storm struct {
	*world
	*testing.T
	rng    *rand.Rand
	places [2]*lot // on servers, or in a folder, and in a folder
	took   map[string]time.Duration
	kills  map[string]int
	past   map[*lot]map[int][]string // what was done to each game
	number int
}

// blow is a command of a storm.
type blow struct {
	name string
	run  func(name string)
}

// lot is a library and what is known of its games, by their numbers in the model.
type lot struct {
	address string
	remote  bool
	have    map[int]truth
	ids     map[int]int // numbers in the library, as far as they were seen
}

// newStorm returns a storm over the library of an address, or over one in a folder, and
// another one in a folder.
func newStorm(t *testing.T, address string) *storm {
	s := &storm{world: &world{t: t, program: build(t), dir: t.TempDir()}, T: t, rng: rand.New(rand.NewPCG(*seedFlag, 9)), took: map[string]time.Duration{}, kills: map[string]int{}, past: map[*lot]map[int][]string{}}
	remote := address != ""
	if !remote {
		address = filepath.Join(s.dir, "first")
	}
	s.places[0] = &lot{address: address, remote: remote, have: map[int]truth{}, ids: map[int]int{}}
	s.places[1] = &lot{address: filepath.Join(s.dir, "folder"), have: map[int]truth{}, ids: map[int]int{}}
	return s
}

// blows are the commands of every storm.
func (s *storm) blows() []blow {
	return []blow{
		{"import many", func(name string) { s.imports(name, 256+s.rng.IntN(100)) }},
		{"import few", func(name string) { s.imports(name, 1+s.rng.IntN(40)) }},
		{"import few", func(name string) { s.imports(name, 1+s.rng.IntN(40)) }},
		{"delete", s.deletes},
		{"copy there", func(name string) { s.copies(name, s.places[1], s.places[0]) }},
		{"copy here", func(name string) { s.copies(name, s.places[0], s.places[1]) }},
		{"repair", func(name string) { s.one(name, s.places[0], "doctor", "--repair") }},
		{"tag", s.tags},
		{"serve", s.serves},
	}
}

// rage kills commands until so many were killed, and looks at both libraries now and then.
func (s *storm) rage(blows []blow, most int) {
	total := 0
	for total < most && !s.Failed() {
		for range testkit.Scale(12, 40) {
			b := blows[s.rng.IntN(len(blows))]
			b.run(b.name)
		}
		s.check()
		total = 0
		for _, n := range s.kills {
			total += n
		}
	}
	s.Logf("%d kills: %v", total, s.kills)
}

// TestStorm kills writing commands and servers, one after the other: what was
// acknowledged is there, nothing is there twice, and nothing else is.
func TestStorm(t *testing.T) {
	if !testkit.Full() {
		t.Skip("many writers and kills take minutes: QIPU_SCALE=full")
	}
	s := newStorm(t, clickhouse.Shared(t).URL())
	if c := s.run(0, 0, "cluster", "init", s.places[0].address); c.code != 0 {
		t.Fatal(c)
	}
	s.rage(append(s.blows(),
		blow{"ship", func(name string) { s.one(name, s.places[0], "cluster", "ship") }},
		blow{"sweep", func(name string) { s.one(name, s.places[0], "cluster", "sweep") }},
	), cmp.Or(*opsFlag, 500))
}

// TestStormFolders does the same to libraries in folders, and to a backup that is brought
// up to date: whatever it was in when it was killed, the next one makes it whole.
func TestStormFolders(t *testing.T) {
	s := newStorm(t, "")
	backup := filepath.Join(s.dir, "backup")
	s.rage(append(s.blows(),
		blow{"reindex", func(name string) { s.one(name, s.place(), "reindex") }},
		blow{"compact", func(name string) { s.one(name, s.place(), "reindex", "--compact") }},
		blow{"backup", func(name string) { s.backup(name, s.places[0], backup) }},
		blow{"export", func(name string) { s.moves(name, s.places[0]) }},
	), cmp.Or(*opsFlag, testkit.Scale(10, 1000)))
}

// backup brings a backup up to date, which may be killed, and then once more, which is
// not. What is restored of it is the library.
func (s *storm) backup(name string, l *lot, dir string) {
	if !l.there() {
		return
	}
	s.one(name, l, "backup", dir, "--incremental")
	c := s.run(0, 0, "--library", l.address, "backup", dir, "--incremental")
	if c.code != 0 {
		// One that was killed before it was whole for the first time is no backup.
		if first := s.run(0, 0, "--library", dir, "doctor"); first.code == 0 {
			s.Errorf("a backup that is whole is not brought up to date: %s", c)
			return
		}
		os.RemoveAll(dir)
		if c = s.run(0, 0, "--library", l.address, "backup", dir); c.code != 0 {
			s.Error(c)
			return
		}
	}
	restored := filepath.Join(s.dir, "restored")
	defer os.RemoveAll(restored)
	if c := s.run(0, 0, "--library", restored, "restore", dir); c.code != 0 {
		s.Error(c)
		return
	}
	s.same(l.address, restored, true)
}

// moves has all games written into a new library, which may be killed: where it was, the
// new one is not there, or says that it is not whole, or is.
func (s *storm) moves(name string, l *lot) {
	to := filepath.Join(s.dir, "moved")
	defer os.RemoveAll(to)
	if list, err := s.list(l.address); err != nil || len(list) == 0 {
		return
	}
	if s.one(name, l, "export", "--all", "--to-library", to) {
		s.same(l.address, to, false)
		return
	}
	if _, err := os.Stat(filepath.Join(to, "catalog.db")); err == nil && s.run(0, 0, "--library", to, "doctor").code == 0 {
		s.same(l.address, to, false)
	}
}

// same compares two libraries, game by game, and their numbers where these are to stay.
func (s *storm) same(a, b string, numbered bool) {
	var sums [2][]string
	for i, address := range []string{a, b} {
		list, err := s.list(address)
		if err != nil {
			s.Error(err)
			return
		}
		for _, g := range list {
			if !numbered {
				g.id = 0
			}
			sums[i] = append(sums[i], fmt.Sprintf("%d %s %q", g.id, g.key(), g.tags))
		}
		slices.Sort(sums[i])
	}
	if !slices.Equal(sums[0], sums[1]) {
		s.Errorf("%s has %d games, %s has %d, or others", filepath.Base(a), len(sums[0]), filepath.Base(b), len(sums[1]))
	}
}

// there reports whether somebody has made a library.
func (l *lot) there() bool {
	if l.remote {
		return true
	}
	_, err := os.Stat(filepath.Join(l.address, "catalog.db"))
	return err == nil
}

// one runs a command on a library. It may be killed, at any moment of the time that it
// takes; what it did then is not known. A command that is not killed succeeds.
func (s *storm) one(name string, l *lot, args ...string) (done bool) {
	if !l.there() && args[0] != "import" {
		return true // nobody has made it yet
	}
	return s.command(name, append([]string{"--library", l.address}, args...)...)
}

func (s *storm) command(name string, args ...string) (done bool) {
	kill := time.Duration(0)
	if took := s.took[name]; took > 0 && s.rng.IntN(4) > 0 {
		kill = 1 + time.Duration(s.rng.Int64N(int64(took+took/4)))
	}
	for {
		began := time.Now()
		c := s.run(0, kill, args...)
		switch out, err := c.outcome(1); {
		case err != nil:
			s.Errorf("%s: %v", name, err)
			return false
		case out == refused: // the system frees locks a moment after an end
			time.Sleep(10 * time.Millisecond)
			continue
		case out == unknown:
			s.kills[name]++
			return false
		}
		s.took[name] = time.Since(began)
		return true
	}
}

// place returns one of the libraries, more often that on servers.
func (s *storm) place() *lot { return s.places[s.rng.IntN(3)/2] }

// file writes some games.
func (s *storm) file(n int) (path string, games []int) {
	s.number++
	path = filepath.Join(s.dir, fmt.Sprintf("storm%d.sgf", s.number))
	var text strings.Builder
	first := s.rng.IntN(2 * universe)
	for i := range n {
		games = append(games, (first+i)%(2*universe))
		text.WriteString(makeGame(games[i]).sgf())
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		s.Fatal(err)
	}
	return path, games
}

// change notes that games are in a library now, or no longer, or may be.
func (s *storm) change(name string, l *lot, games []int, to truth, done bool) {
	if s.past[l] == nil {
		s.past[l] = map[int][]string{}
	}
	for _, g := range games {
		s.past[l][g] = append(s.past[l][g], fmt.Sprintf("%s, done %v", name, done))
		if done {
			l.have[g] = to
		} else if l.have[g] != to {
			l.have[g] = open
		}
	}
}

func (s *storm) imports(name string, n int) {
	l := s.place()
	path, games := s.file(n)
	s.change(name, l, games, yes, s.one(name, l, "import", path))
}

// known returns some games that are in a library for certain.
func (s *storm) known(l *lot) (games []int, words []string) {
	for g := range 2 * universe {
		if l.have[g] == yes && l.ids[g] != 0 && len(games) < 10 && s.rng.IntN(4) == 0 {
			games, words = append(games, g), append(words, strconv.Itoa(l.ids[g]))
		}
	}
	return games, words
}

func (s *storm) deletes(name string) {
	l := s.place()
	if games, words := s.known(l); len(games) > 0 {
		s.change(name, l, games, no, s.one(name, l, append([]string{"delete", "--yes"}, words...)...))
		for _, g := range games {
			delete(l.ids, g)
		}
	}
}

func (s *storm) tags(name string) {
	l := s.place()
	if games, words := s.known(l); len(games) > 0 {
		s.one(name, l, append([]string{"tags", "add", "study"}, words...)...)
	}
}

func (s *storm) copies(name string, from, to *lot) {
	if !from.there() {
		return // nobody has made it yet
	}
	done := s.command(name, "copy", from.address, to.address)
	for g, have := range from.have {
		if have != no {
			s.change(name, to, []int{g}, yes, done && have == yes)
		}
	}
}

// serves serves a library, uploads games, and kills the server.
func (s *storm) serves(name string) {
	l := s.place()
	p := &place{world: s.world, address: l.address, pending: map[string]promise{}}
	if err := p.serve(); err != nil {
		s.Error(err)
		return
	}
	path, games := s.file(1 + s.rng.IntN(40))
	t := &task{}
	var list []*game
	for _, g := range games {
		list = append(list, makeGame(g))
	}
	p.shelf = newShelf()
	t.upload(p, &file{path: path, games: list})
	if took := s.took[name]; took > 0 {
		time.AfterFunc(time.Duration(s.rng.Int64N(int64(took+took/4))), func() { p.stop(true) })
	}
	began := time.Now()
	out, err := t.run()
	s.took[name] = max(s.took[name], time.Since(began))
	if err != nil {
		s.Error(err)
	}
	p.stop(true)
	s.kills[name]++
	if out != done { // what was accepted is done by the next who serves
		if err := p.serve(); err != nil {
			s.Error(err)
		}
		p.stop(false)
	}
	s.change(name, l, games, yes, out == done || out == accepted)
}

// check holds both libraries against what was acknowledged.
func (s *storm) check() {
	for _, l := range s.places {
		if !l.there() {
			continue // nobody has made it yet
		}
		for _, args := range [][]string{{"cluster", "ship"}, {"doctor", "--deep"}} {
			if !l.remote && args[0] == "cluster" {
				continue
			}
			if c := s.run(0, 0, append([]string{"--library", l.address}, args...)...); c.code != 0 {
				s.Error(c)
			}
		}
		list, err := s.list(l.address)
		if err != nil {
			s.Error(err)
			return
		}
		clear(l.ids)
		for _, g := range list {
			switch at := g.number; {
			case l.ids[at] != 0:
				s.Errorf("%s: game %d is there as %d and %d: %q", filepath.Base(l.address), at, l.ids[at], g.id, s.past[l][at])
			case l.have[at] == no:
				s.Errorf("%s: game %d should not be there: %q", filepath.Base(l.address), at, s.past[l][at])
			case makeGame(at).key() != g.key():
				s.Errorf("%s: game %d is another one", filepath.Base(l.address), at)
			}
			l.ids[g.number] = g.id
		}
		for at, have := range l.have {
			if have == yes && l.ids[at] == 0 {
				s.Errorf("%s: game %d is gone: %q", filepath.Base(l.address), at, s.past[l][at])
			}
			l.have[at] = no
			if l.ids[at] != 0 {
				l.have[at] = yes
			}
		}
	}
}
