package chaos

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

// crowd is writers that bring the same games to one library on servers at the same
// time.
type crowd struct {
	*world
	*testing.T
	address string
	games   []*game
	faults  bool         // servers fail: what fails is done again
	parts   atomic.Int64 // that servers took at once: desks get on without them
	longest atomic.Int64 // the longest command that was not killed or stopped, in nanoseconds
}

// writer is one of them, with a desk of its own.
type writer struct {
	of *crowd
	*place
	name string
	rng  *rand.Rand

	told  int  // games that it was told are new
	cut   int  // how often it was killed
	stops bool // it is stopped once
	// exact tells that what it was told is final: games that lie on a desk are new,
	// until another writer turns out to have brought them.
	exact bool
}

// TestCrowd has writers bring the same games at once: commands with many games and
// with few, and HTTP servers; all are killed at random, and one is stopped for longer
// than a writer may be silent. At full scale a server dies and another one hangs
// meanwhile, and ZooKeeper is away for a while. In the end every game is there once,
// and everybody was told the truth.
func TestCrowd(t *testing.T) {
	if !testkit.Full() {
		t.Skip("many writers and kills take minutes: QIPU_SCALE=full")
	}
	program := build(t)
	var f *clickhouse.Fleet
	if testkit.Full() {
		f = clickhouse.Start(t, clickhouse.Options{Shards: 2, Replicas: 2})
	} else {
		f = clickhouse.Shared(t)
	}
	for seed := range max(uint64(testkit.Scale(1, 20)), *seedFlag) {
		if *seedFlag != 0 && *seedFlag != seed+1 {
			continue
		}
		t.Run(strconv.FormatUint(seed+1, 10), func(t *testing.T) {
			began, used := time.Now(), testkit.CPU()
			database := clickhouse.Fresh()
			c := &crowd{world: &world{t: t, program: program, dir: t.TempDir()}, T: t, address: f.URLOf(database, f.Nodes()...), faults: testkit.Full()}
			defer func() {
				// Servers that failed are long in removing what they share; they end with the test.
				for _, n := range f.Nodes() {
					if !c.faults {
						n.Exec(t, "DROP DATABASE IF EXISTS "+database)
					}
				}
			}()
			c.meet(f, rand.New(rand.NewPCG(seed, 8)))
			t.Logf("%v, %v of processor time of the test alone", time.Since(began).Round(time.Second), (testkit.CPU() - used).Round(time.Second/10))
		})
	}
}

// meet is one run.
func (c *crowd) meet(f *clickhouse.Fleet, rng *rand.Rand) {
	init := []string{"cluster", "init", c.address}
	if c.faults {
		init = append(init, "--replicas", "2")
	}
	if made := c.run(0, 0, init...); made.code != 0 {
		c.Fatal(made)
	}
	for i := range testkit.Scale(600, 5000) {
		c.games = append(c.games, makeGame(i))
	}
	var writers []*writer
	var wait sync.WaitGroup
	for i := range testkit.Scale(4, 8) {
		w := &writer{of: c, name: fmt.Sprintf("writer%d", i), rng: rand.New(rand.NewPCG(rng.Uint64(), 1)), stops: i == 0}
		w.place = &place{world: c.world, address: c.address, seat: i, remote: true, shelf: newShelf(), pending: map[string]promise{}}
		writers = append(writers, w)
		defer func() { w.stop(true) }()
		wait.Go(func() {
			switch i % 4 {
			case 2:
				w.bring(100, w.imports)
			case 3:
				w.bring(testkit.Scale(300, 1250), w.upload)
			default:
				w.exact = true
				w.bring(testkit.Scale(300, 1250), w.imports)
			}
		})
	}
	heal := func() {}
	if c.faults {
		heal = c.harm(f, rng)
	}
	over := make(chan struct{})
	go func() { wait.Wait(); close(over) }()
	c.patience(over, heal)
	c.Logf("the longest command took %v", time.Duration(c.longest.Load()).Round(time.Second/10))
	for _, w := range writers {
		w.stop(false)
		w.ship()
	}
	c.check(writers)
}

// harm has servers fail, and returns what brings them back.
func (c *crowd) harm(f *clickhouse.Fleet, rng *rand.Rand) (heal func()) {
	pause := func() { time.Sleep(time.Duration(rng.IntN(4000)) * time.Millisecond) }
	dead, hung := f.Node(0, rng.IntN(2)), f.Node(1, rng.IntN(2))
	pause()
	dead.Kill()
	pause()
	hung.Stop(c.T)
	pause()
	f.ZooKeeper().Kill()
	pause()
	f.ZooKeeper().Start(c.T)
	return func() {
		hung.Continue(c.T)
		dead.Start(c.T)
	}
}

// patience waits for the writers, and then has the servers back. Where nobody gets on,
// they are back before: a server that was stopped in the middle of a write may be the
// only one that has it, which the other one of its shard knows, and then says that it
// lacks something. Commands fail for that, each in its time.
func (c *crowd) patience(over <-chan struct{}, heal func()) {
	last, since := c.parts.Load(), time.Now()
	for stuck := false; ; {
		select {
		case <-over:
			if !stuck {
				heal()
			}
			return
		case <-time.After(time.Second):
		}
		if now := c.parts.Load(); now != last || stuck {
			last, since = now, time.Now()
		} else if time.Since(since) > time.Minute {
			c.Logf("nobody gets on for a minute: the servers are brought back")
			stuck = true
			heal()
		}
	}
}

// bring brings all games, so many at a time, in an order of its own.
func (w *writer) bring(part int, how func(path string, games []*game) (fresh int, err error)) {
	order := slices.Clone(w.of.games)
	w.rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	number := 0
	for games := range slices.Chunk(order, part) {
		var text strings.Builder
		for _, g := range games {
			text.WriteString(g.sgf())
		}
		path := filepath.Join(w.dir, fmt.Sprintf("%s-%d.sgf", w.name, number))
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			w.of.Error(err)
			return
		}
		number++
		for end := time.Now().Add(testkit.Patience); ; time.Sleep(50 * time.Millisecond) {
			fresh, err := how(path, games)
			switch {
			case err == nil:
				w.told += fresh
				if part >= atOnce {
					w.of.parts.Add(1)
				}
			case errors.Is(err, errCut):
				w.cut++
				continue
			case w.of.faults && time.Now().Before(end):
				w.of.Logf("%s: %v", w.name, err)
				continue
			default:
				w.of.Errorf("%s: %v", w.name, err)
				return
			}
			break
		}
	}
}

// doomed chooses whether something is to be killed, and when: not for ever.
func (w *writer) doomed() (after time.Duration, yes bool) {
	return time.Duration(w.rng.IntN(1500)) * time.Millisecond, w.cut < 4 && w.rng.IntN(3) == 0
}

// imports imports by a command, which may be killed.
func (w *writer) imports(path string, games []*game) (fresh int, err error) {
	cmd := w.command(w.seat, "--library", w.address, "import", path, "--json")
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	after, kill := w.doomed()
	over := make(chan struct{})
	go func() { cmd.Wait(); close(over) }()
	stops := w.stops && clickhouse.CanStop
	if kill || stops {
		select {
		case <-time.After(after):
		case <-over:
		}
	}
	if stops {
		w.stops = false
		if clickhouse.StopProcess(cmd.Process) == nil {
			time.Sleep(8 * time.Second)
			clickhouse.ContinueProcess(cmd.Process)
		}
	} else if kill {
		cmd.Process.Kill()
	}
	<-over
	if took := int64(time.Since(began)); !kill && !stops {
		for old := w.of.longest.Load(); took > old && !w.of.longest.CompareAndSwap(old, took); old = w.of.longest.Load() {
		}
	}
	c := &command{args: cmd.Args[1:], out: out.String(), err: said.String(), code: cmd.ProcessState.ExitCode(), killed: kill}
	switch {
	case c.code == -1 && kill:
		return 0, errCut
	case c.code != 0:
		return 0, errors.New(c.String())
	}
	list, err := totals[counts](c)
	if err != nil || len(list) == 0 {
		return 0, fmt.Errorf("an import tells nothing: %v %s", err, c)
	}
	told := list[len(list)-1]
	return told.New, told.check(len(games), told.New)
}

// upload imports by a server, which may be killed.
func (w *writer) upload(path string, games []*game) (fresh int, err error) {
	if w.server == nil {
		if err := w.serve(); err != nil {
			return 0, err
		}
	}
	if after, kill := w.doomed(); kill {
		dies := time.AfterFunc(after, func() { w.stop(true) })
		defer dies.Stop()
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if part, err := form.CreateFormFile("file", filepath.Base(path)); err == nil {
		part.Write(data)
	}
	form.Close()
	job, err := w.finish(func(job *job) error {
		return w.http("POST", "/jobs/upload", form.FormDataContentType(), body.Bytes(), job)
	})
	if err != nil {
		return 0, err
	}
	return job.Counts.New, job.Counts.check(len(games), job.Counts.New)
}

// ship sends what still lies on the desk.
func (w *writer) ship() {
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(time.Second) {
		c := w.run(w.seat, 0, "--library", w.address, "cluster", "ship")
		if c.code == 0 {
			return
		}
		if !w.of.faults || time.Now().After(end) {
			w.of.Error(c)
			return
		}
	}
}

// check looks whether every game is there once, and whose it was first.
func (c *crowd) check(writers []*writer) {
	shelf := newShelf()
	for _, g := range c.games {
		effect{shelf, g, add, ""}.apply(true)
	}
	list, err := c.list(c.address)
	if err == nil {
		err = shelf.compare(list, false)
	}
	if err != nil {
		c.Error(err)
	}
	if doctor := c.run(0, 0, "--library", c.address, "doctor", "--deep"); doctor.code != 0 {
		c.Error(doctor)
	}
	first := map[string]int{} // the games that came from each writer
	for _, g := range list {
		name, _, _ := strings.Cut(filepath.Base(g.file), "-")
		first[name]++
	}
	for _, w := range writers {
		brought := first[w.name]
		c.Logf("%s was told of %d new games, brought %d first, was killed %d times", w.name, w.told, brought, w.cut)
		if w.exact && w.told > brought || w.cut == 0 && (w.told < brought || w.exact && w.told != brought) {
			c.Errorf("%s was told of %d new games, and brought %d first", w.name, w.told, brought)
		}
	}
}
