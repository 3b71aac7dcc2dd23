package chaos

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"qipu/internal/testkit"
)

// writers are four who import, correct, undo and undo that again, while a server of the same
// library comes and goes: all of them are killed at any moment. Whoever writes at a time writes
// for the others, too.
type writers struct {
	*place
	*testing.T
	kills atomic.Int64
	most  int64

	mu    sync.Mutex
	files []*written
}

// written is what became of the games of one file.
type written struct {
	name  string
	games []int
	event string // that they were given
	gone  bool   // the import was undone, and not done again
}

// noted is a line of the journal as the program prints it.
type noted struct {
	ID, Count, UndoneBy int
	Op                  string
	Args                struct{ From []string }
}

// TestStormWriters: what was acknowledged holds, nothing is there twice, and the journal has each
// deed once, as it was.
func TestStormWriters(t *testing.T) {
	w := &world{t: t, program: build(t), dir: t.TempDir()}
	s := &writers{place: &place{world: w, address: filepath.Join(w.dir, "library"), pending: map[string]promise{}, shelf: newShelf()}, T: t, most: int64(cmp.Or(*opsFlag, testkit.Scale(8, 200)))}
	if c := w.run(0, 0, "--library", s.address, "doctor"); c.code == 0 {
		t.Fatal("there is a library")
	}
	var all, server sync.WaitGroup
	over := make(chan struct{})
	server.Go(func() { s.serves(over, rand.New(rand.NewPCG(*seedFlag, 99))) })
	for i := range 4 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(*seedFlag, uint64(100+i)))
			for n := 0; s.kills.Load() < s.most && !t.Failed(); n++ {
				s.writes(r, i, n)
			}
		})
	}
	all.Wait()
	close(over)
	server.Wait()
	s.check()
	t.Logf("%d kills, %d imports", s.kills.Load(), len(s.files))
}

// serves serves the library and is killed, again and again.
func (s *writers) serves(over chan struct{}, r *rand.Rand) {
	for {
		if err := s.serve(); err != nil {
			s.Error(err)
			return
		}
		select {
		case <-over:
			if err := s.stop(false); err != nil {
				s.Error(err)
			}
			return
		case <-time.After(time.Duration(100+r.IntN(3000)) * time.Millisecond):
			s.stop(true)
			s.kills.Add(1)
		}
	}
}

// must runs a command that is killed some times, at any moment of its work, until it is not: that
// one succeeds. Those before it may have done nothing, or all.
func (s *writers) must(r *rand.Rand, args ...string) {
	for {
		killed := time.Duration(0)
		if r.IntN(3) > 0 && s.kills.Load() < s.most {
			killed = time.Duration(1 + r.IntN(400_000_000))
		}
		c := s.run(0, killed, append([]string{"--library", s.address}, args...)...)
		if c.killed {
			s.kills.Add(1)
			continue
		}
		if c.code != 0 && !(args[0] == "undo" && strings.Contains(c.err, "undone already")) {
			s.Error(c)
		}
		return
	}
}

// writes imports a file, corrects its games, and may take the import back and do it again.
func (s *writers) writes(r *rand.Rand, who, n int) {
	f := &written{name: fmt.Sprintf("writer%d-%d.sgf", who, n), event: fmt.Sprintf("event %d %d", who, n)}
	var text strings.Builder
	for i := range 1 + r.IntN(20) {
		f.games = append(f.games, 10_000*(who+1)+20*n+i)
		text.WriteString(makeGame(f.games[i]).sgf())
	}
	path := filepath.Join(s.dir, f.name)
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		s.Error(err)
		return
	}
	s.must(r, "import", path)
	id := s.of(f, "import")
	if id == 0 {
		return
	}
	s.must(r, "edit", "--query", "import:"+strconv.Itoa(id), "--set", "event="+f.event)
	if r.IntN(2) == 0 {
		s.must(r, "undo", strconv.Itoa(id))
		f.gone = true
		if by := s.undoer(id); by != 0 && r.IntN(2) == 0 {
			s.must(r, "undo", strconv.Itoa(by))
			f.gone = false
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files = append(s.files, f)
}

func (s *writers) journal() []noted {
	c := s.run(0, 0, "--library", s.address, "log", "--limit", "0", "--json")
	if c.code != 0 {
		s.Error(c)
		return nil
	}
	list, err := totals[noted](c)
	if err != nil {
		s.Error(err)
	}
	return list
}

// of returns the one entry of the journal that is the import of a file.
func (s *writers) of(f *written, op string) (id int) {
	for _, c := range s.journal() {
		if c.Op != op || len(c.Args.From) != 1 || filepath.Base(c.Args.From[0]) != f.name {
			continue
		}
		if id != 0 {
			s.Errorf("%s is in the journal as %d and %d", f.name, id, c.ID)
		}
		if id = c.ID; c.Count != len(f.games) {
			s.Errorf("%s: the journal tells %d games, of %d", f.name, c.Count, len(f.games))
		}
	}
	if id == 0 {
		s.Errorf("%s is not in the journal", f.name)
	}
	return id
}

// undoer returns the entry that has undone another.
func (s *writers) undoer(id int) int {
	for _, c := range s.journal() {
		if c.ID == id {
			if c.UndoneBy == 0 {
				s.Errorf("change %d was undone, and the journal does not know", id)
			}
			return c.UndoneBy
		}
	}
	return 0
}

// check holds the library and its journal against what was acknowledged.
func (s *writers) check() {
	if c := s.run(0, 0, "--library", s.address, "doctor", "--deep"); c.code != 0 {
		s.Error(c)
	}
	table := filepath.Join(s.dir, "all.csv")
	if c := s.run(0, 0, "--library", s.address, "export", "--all", table); c.code > 1 {
		s.Fatal(c)
	}
	events := map[int]string{}
	if data, err := os.ReadFile(table); err == nil {
		rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
		if err != nil {
			s.Fatal(err)
		}
		column := map[string]int{}
		for i, name := range rows[0] {
			column[name] = i
		}
		for _, row := range rows[1:] {
			number, err := strconv.Atoi(row[column["round"]])
			if err != nil {
				s.Error(err)
			}
			if _, twice := events[number]; twice {
				s.Errorf("game %d is there twice", number)
			}
			events[number] = row[column["event"]]
		}
	}
	edits := 0
	for _, f := range s.files {
		s.of(f, "import")
		for _, g := range f.games {
			switch event, there := events[g]; {
			case there == f.gone:
				s.Errorf("%s: game %d is there: %t", f.name, g, there)
			case there && event != f.event:
				s.Errorf("%s: game %d is of %q, and was corrected to %q", f.name, g, event, f.event)
			}
			delete(events, g)
		}
	}
	for _, c := range s.journal() {
		if c.Op == "edit" && c.UndoneBy == 0 {
			edits++
		}
	}
	if edits != len(s.files) && !s.Failed() {
		s.Errorf("the journal has %d corrections, and there were %d", edits, len(s.files))
	}
	if len(events) > 0 && !s.Failed() {
		s.Errorf("%d games nobody has imported: %v", len(events), events)
	}
}
