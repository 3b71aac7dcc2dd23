package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// storm is a library on servers and one in a folder, whose commands are killed one
// after the other at any moment of their work.
type storm struct {
	*world
	*testing.T
	rng    *rand.Rand
	places [2]*lot // on servers, and in a folder
	took   map[string]time.Duration
	kills  map[string]int
	past   map[*lot]map[int][]string // what was done to each game
	number int
}

// lot is a library and what is known of its games, by their numbers in the model.
type lot struct {
	address string
	have    map[int]truth
	ids     map[int]int // numbers in the library, as far as they were seen
}

// TestStorm kills writing commands and servers, one after the other: what was
// acknowledged is there, nothing is there twice, and nothing else is.
func TestStorm(t *testing.T) {
	if !testkit.Full() {
		t.Skip("many writers and kills take minutes: QIPU_SCALE=full")
	}
	fleet := clickhouse.Shared(t)
	s := &storm{world: &world{t: t, program: build(t), dir: t.TempDir()}, T: t, rng: rand.New(rand.NewPCG(*seedFlag, 9)), took: map[string]time.Duration{}, kills: map[string]int{}, past: map[*lot]map[int][]string{}}
	s.places[0] = &lot{address: fleet.URL(), have: map[int]truth{}, ids: map[int]int{}}
	s.places[1] = &lot{address: filepath.Join(s.dir, "folder"), have: map[int]truth{}, ids: map[int]int{}}
	if c := s.run(0, 0, "cluster", "init", fleet.URL()); c.code != 0 {
		t.Fatal(c)
	}
	commands := []struct {
		name string
		run  func(name string)
	}{
		{"import many", func(name string) { s.imports(name, 256+s.rng.IntN(100)) }},
		{"import few", func(name string) { s.imports(name, 1+s.rng.IntN(40)) }},
		{"import few", func(name string) { s.imports(name, 1+s.rng.IntN(40)) }},
		{"delete", s.deletes},
		{"copy there", func(name string) { s.copies(name, s.places[1], s.places[0]) }},
		{"copy here", func(name string) { s.copies(name, s.places[0], s.places[1]) }},
		{"ship", func(name string) { s.one(name, s.places[0], "cluster", "ship") }},
		{"sweep", func(name string) { s.one(name, s.places[0], "cluster", "sweep") }},
		{"repair", func(name string) { s.one(name, s.places[0], "doctor", "--repair") }},
		{"tag", s.tags},
		{"serve", s.serves},
	}
	total := 0
	for most := testkit.Scale(15, 500); total < most && !t.Failed(); {
		for range testkit.Scale(12, 40) {
			c := commands[s.rng.IntN(len(commands))]
			c.run(c.name)
		}
		s.check()
		total = 0
		for _, n := range s.kills {
			total += n
		}
	}
	t.Logf("%d kills: %v", total, s.kills)
}

// one runs a command on a library. It may be killed, at any moment of the time that it
// takes; what it did then is not known. A command that is not killed succeeds.
func (s *storm) one(name string, l *lot, args ...string) (done bool) {
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
	if _, err := os.Stat(s.places[1].address); err != nil && from == s.places[1] {
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
	t.upload(p, file{path, list})
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
		if _, err := os.Stat(l.address); err != nil && l == s.places[1] {
			continue // nobody has made it yet
		}
		for _, args := range [][]string{{"cluster", "ship"}, {"doctor", "--deep"}} {
			if l == s.places[1] && args[0] == "cluster" {
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
