package shard

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/facts"
	"qipu/store"
	"qipu/store/storetest"
)

// Some tests need other processes: the test binary runs itself, and this
// variable tells it what to be.
const roleVariable = "QIPU_TEST_SHARD_ROLE"

var roles = map[string]func(dir string) error{"import": importer, "read": reader, "hold": holder, "mark": marker}

func TestMain(m *testing.M) {
	role := os.Getenv(roleVariable)
	if role == "" {
		os.Exit(m.Run())
	}
	if err := roles[role](os.Getenv(roleVariable + "_DIR")); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// child is a process in some role.
type child struct {
	*exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, role, dir string, more ...string) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{Cmd: testkit.Process(exe)}
	c.Env = append(os.Environ(), roleVariable+"="+role, roleVariable+"_DIR="+dir)
	c.Env = append(c.Env, more...)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		c.in, err = c.StdinPipe()
	}
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.out = bufio.NewScanner(out)
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	return c
}

// line returns the next line that a child prints.
func (c *child) line(t *testing.T) string {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the other process ended: %v", c.out.Err())
	}
	return c.out.Text()
}

// numbered returns the game of a number, the same in every process. Some go on
// where the game before them ends, and some have variations.
func numbered(n int) *record.Game {
	m := storetest.NewMaker(builtin.Games(), uint64(n))
	if n%7 == 3 {
		m = storetest.NewMaker(builtin.Games(), uint64(n-1))
	}
	g := named(m.Game("weiqi", "9x9", 24), "Ito", "Park", facts.Unknown)
	switch {
	case n%7 == 3:
		m.Grow(g, 8)
	case n%5 == 1:
		m.Branch(g, 2)
	}
	g.Place.File = fmt.Sprintf("numbered/%d", n)
	return g
}

// importer adds numbered games for ever, and prints what is acknowledged.
func importer(dir string) error {
	ctx := context.Background()
	o := small()
	o.NoMerge = false
	s, err := Open(ctx, dir, o)
	if err != nil {
		return err
	}
	maker := storetest.NewMaker(builtin.Games(), 0)
	var n int
	fmt.Sscan(os.Getenv("FROM"), &n)
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	for end := time.Now().Add(testkit.Patience); time.Now().Before(end); {
		var b store.Batch
		var numbers []int
		for range 1 + rng.IntN(20) {
			b.Records = append(b.Records, maker.Play(numbered(n)))
			numbers = append(numbers, n)
			n++
		}
		added, err := s.Add(ctx, b)
		if err != nil {
			return err
		}
		var text strings.Builder
		for i, a := range added {
			fmt.Fprintln(&text, "added", numbers[i], a.ID)
		}
		fmt.Print(text.String())
		if rng.IntN(4) == 0 {
			gone := added[rng.IntN(len(added))].ID
			fmt.Println("delete", gone)
			if err := s.Delete(ctx, []uint32{gone}); err != nil {
				return err
			}
		}
	}
	return s.Close()
}

// lastKey returns the kind of a game and the key of its last position.
func lastKey(kinds *index.Kinds, p *record.Played) (*index.Kind, uint64) {
	maker := index.Documents{Kinds: kinds}
	doc, _ := maker.Make(p)
	list := new(index.Positions).Append(nil, doc.Kind, &doc.Lines[0])
	return doc.Kind, list[len(list)-1].Key
}

// reachingGames returns the games whose main line reaches a position.
func reachingGames(s *Shard, k *index.Kind, key uint64) (ids []uint32, err error) {
	v, err := s.View(context.Background())
	if err != nil {
		return nil, err
	}
	defer v.Close()
	for p, err := range v.Positions(context.Background(), &index.Lookup{Kind: k, Keys: []uint64{key}}) {
		if err != nil {
			return nil, err
		}
		for _, r := range p.Rows {
			ids = append(ids, p.Game(int(r.Line)))
		}
	}
	return ids, nil
}

// TestKilled kills an importing process at random moments. Whatever it has
// acknowledged is there, once, and everything is sound.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	maker := storetest.NewMaker(builtin.Games(), 0)
	acknowledged, deleted := map[int]uint32{}, map[uint32]bool{}
	from, kills := 0, testkit.Scale(6, 200)
	for round := range kills {
		c := start(t, "import", dir, fmt.Sprintf("FROM=%d", from))
		delay := time.Duration(rng.IntN(250)) * time.Millisecond
		if round%4 == 0 { // while it opens the library
			time.AfterFunc(delay/4, func() { c.Process.Kill() })
		}
		for first := true; c.out.Scan(); first = false {
			if first && round%4 != 0 {
				time.AfterFunc(delay, func() { c.Process.Kill() })
			}
			var n int
			var id uint32
			switch text := c.out.Text(); {
			case strings.HasPrefix(text, "failed"):
				t.Fatal(text)
			case strings.HasPrefix(text, "delete"):
				fmt.Sscanf(text, "delete %d", &id)
				deleted[id] = true
			default:
				if k, _ := fmt.Sscanf(text, "added %d %d", &n, &id); k == 2 {
					acknowledged[n] = id
					from = max(from, n+1)
				}
			}
		}
		c.Wait()
		o := small()
		s, err := Open(context.Background(), dir, o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if err := problems(s); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		recent := from - 200
		if round == kills-1 {
			recent = 0
		}
		keys := map[uint64]uint32{}
		for row, err := range s.cat.ScanKeys(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if other, ok := keys[row.Key]; ok {
				t.Errorf("round %d: games %d and %d are the same", round, other, row.ID)
			}
			keys[row.Key] = row.ID
		}
		for n, id := range acknowledged {
			if n < recent || deleted[id] {
				continue
			}
			k, key := lastKey(s.Kinds(), maker.Play(numbered(n)))
			ids, err := reachingGames(s, k, key)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(ids, id) {
				t.Errorf("round %d: game %d was acknowledged as %d, and is not found by its position", round, n, id)
			}
			gamesOf(t, s, id)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) == 0 {
		t.Error("nothing was acknowledged")
	}
	t.Logf("%d kills, %d games acknowledged, %d deleted", kills, len(acknowledged), len(deleted))
}

// holder opens a library for writing and waits.
func holder(dir string) error {
	s, err := Open(context.Background(), dir, Options{Create: true, Games: builtin.Games(), Holder: "the first program"})
	if err != nil {
		return err
	}
	fmt.Println("open")
	io.Copy(io.Discard, os.Stdin)
	return s.Close()
}

//qipu:race
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	c := start(t, "hold", dir)
	c.line(t)
	var locked *store.LockedError
	_, err := Open(context.Background(), dir, small())
	if !errors.As(err, &locked) || !strings.Contains(err.Error(), "the first program") || !strings.Contains(err.Error(), fmt.Sprint(c.Process.Pid)) {
		t.Errorf("a second writer gets %v, want one that names the first", err)
	}
	s, err := Open(context.Background(), dir, Options{ReadOnly: true, Games: builtin.Games()})
	if err != nil {
		t.Fatalf("a reader beside the writer gets %v", err)
	}
	if _, err := s.Add(context.Background(), store.Batch{}); err == nil {
		t.Error("a reader could write")
	}
	s.Close()
	c.in.Close()
	c.Wait()
	open(t, dir, small())
}

// reader waits for positions: it is given keys, and prints when each was found.
func reader(dir string) error {
	s, err := Open(context.Background(), dir, Options{ReadOnly: true, Games: builtin.Games()})
	if err != nil {
		return err
	}
	fmt.Println("open")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var kind, size string
		var key uint64
		fmt.Sscan(in.Text(), &kind, &size, &key)
		k, err := s.Kinds().Find(kind + " " + size)
		if err != nil {
			return err
		}
		fmt.Println("waiting")
		for {
			ids, err := reachingGames(s, k, key)
			if err != nil {
				return err
			}
			if len(ids) > 0 {
				fmt.Println(time.Now().UnixNano())
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	return s.Close()
}

// TestVisible measures how soon a game that was added is found, in the same
// process and in another one, while the writer merges and while many games wait
// for their table; and that old views stay as they are.
//
//qipu:race
func TestVisible(t *testing.T) {
	ctx := context.Background()
	merging := small()
	merging.NoMerge = false
	for _, c := range []struct {
		name    string
		options Options
		before  int
	}{
		{"while merging", merging, 40},
		{"many waiting", Options{Create: true, Games: builtin.Games()}, 220},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, t.TempDir(), c.options)
			maker := storetest.NewMaker(builtin.Games(), 0)
			next := func() *record.Played {
				g := maker.Game("weiqi", "", 200)
				return maker.Play(g)
			}
			var b store.Batch
			for range c.before {
				b.Records = append(b.Records, next())
			}
			if _, err := s.Add(ctx, b); err != nil {
				t.Fatal(err)
			}
			old, err := s.View(ctx)
			if err != nil {
				t.Fatal(err)
			}
			defer old.Close()
			child := start(t, "read", s.Dir())
			child.line(t)
			var adds, finds, others []time.Duration
			for range testkit.Scale(15, 200) {
				p := next()
				k, key := lastKey(s.Kinds(), p)
				fmt.Fprintln(child.in, k.Name, key)
				child.line(t) // it waits
				t0 := time.Now()
				added, err := s.Add(ctx, store.Batch{Records: []*record.Played{p}})
				if err != nil {
					t.Fatal(err)
				}
				t1 := time.Now()
				ids, err := reachingGames(s, k, key)
				if err != nil || !slices.Equal(ids, []uint32{added[0].ID}) {
					t.Fatalf("the game is not found: %v, %v", ids, err)
				}
				t2 := time.Now()
				var at int64
				fmt.Sscan(child.line(t), &at)
				adds, finds, others = append(adds, t1.Sub(t0)), append(finds, t2.Sub(t1)), append(others, time.Unix(0, at).Sub(t1))
			}
			for _, m := range []struct {
				what string
				list []time.Duration
			}{{"added, in this process", adds}, {"then found here", finds}, {"then found by another process", others}} {
				slices.Sort(m.list)
				t.Logf("%s: median %v, nineteen in twenty %v, most %v", m.what, m.list[len(m.list)/2], m.list[len(m.list)*19/20], m.list[len(m.list)-1])
				if worst := m.list[len(m.list)-1]; worst > 2*time.Second {
					t.Errorf("%s: took %v", m.what, worst)
				}
			}
			if n := old.Tally()[0].Games; n != c.before {
				t.Errorf("an old view has %d games, %d before", n, c.before)
			}
			sound(t, s)
		})
	}
}
