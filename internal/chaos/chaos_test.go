package chaos

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
)

var (
	seedFlag = flag.Uint64("seed", 0, "run this sequence alone")
	opsFlag  = flag.Int("ops", 0, "operations of a sequence (default: by QIPU_SCALE)")
	onlyFlag = flag.String("only", "", "of the sequence of -seed run these operations alone, by their numbers: 3,7,12")
	shrinks  = flag.Bool("shrink", testkit.Full(), "shrink a sequence that fails (default: at full scale)")
	program  = flag.String("program", "", "run this program instead of one that is built")
)

func TestMain(m *testing.M) { os.Exit(clickhouse.Main(m)) }

// build returns the program.
func build(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("servers are ended by signals")
	}
	if *program != "" {
		return *program
	}
	path := filepath.Join(t.TempDir(), "qipu.exe")
	if out, err := testkit.Process("go", "build", "-o", path, "qipu/cmd/qipu").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// try runs operations on fresh libraries.
func try(t *testing.T, program, servers string, fleet *clickhouse.Fleet, commits func() uint64, ops []op) (err error) {
	dir, err := os.MkdirTemp("", "qipu-chaos-")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, program: program, dir: dir, tally: map[string]int{}, fleet: fleet, commits: commits}
	defer func() {
		if w.heal != nil {
			w.heal()
		}
		for _, p := range w.places {
			p.stop(true)
		}
		os.RemoveAll(dir)
	}()
	addresses := []string{filepath.Join(dir, "A"), filepath.Join(dir, "B")}
	if servers != "" {
		addresses = append(addresses, servers)
	}
	for i, address := range addresses {
		p := &place{world: w, address: address, remote: address == servers, shelf: newShelf(), pending: map[string]promise{}}
		w.places = append(w.places, p)
		if p.remote {
			init := []string{"cluster", "init", address}
			if fleet != nil {
				init = append(init, "--replicas", "2")
			}
			if c := p.run(0, 0, init...); c.code != 0 {
				return fmt.Errorf("%s", c)
			}
		}
		if err := w.begin(i); err != nil {
			return err
		}
	}
	defer func() { t.Log(w.tally) }()
	var group []op
	for i, o := range ops {
		if !together(group, o) {
			group = nil
		}
		group = append(group, o)
		if i+1 < len(ops) && together(group, ops[i+1]) {
			continue
		}
		if err := w.do(group); err != nil {
			return fmt.Errorf("operation %d: %w", group[0].number, err)
		}
	}
	return nil
}

// begin puts the first games into a library. Servers get many, by two desks that have the
// same ones; the first folder gets tables, too, which so few games have only when they are
// asked for.
func (w *world) begin(at int) error {
	first := [][]op{{{number: -1 - at, kind: "import", place: at, to: at, seed: uint64(at)}}}
	switch {
	case w.places[at].remote:
		first[0][0].kind = "many"
		first[0] = append(first[0], first[0][0])
		first[0][1].number--
	case at == 0:
		first = append(first, []op{{number: -1, kind: "reindex"}})
	}
	for _, group := range first {
		if err := w.do(group); err != nil {
			return fmt.Errorf("operation %d: %w", group[0].number, err)
		}
	}
	return nil
}

// shrink leaves out operations as long as the rest still fails.
func shrink(ops []op, fails func([]op) error) []op {
	for size := len(ops) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(ops); {
			less := slices.Delete(slices.Clone(ops), at, at+size)
			if fails(less) != nil {
				ops = less
			} else {
				at += size
			}
		}
	}
	return ops
}

// numbers names operations for -only.
func numbers(ops []op) string {
	var list []string
	for _, o := range ops {
		list = append(list, strconv.Itoa(o.number))
	}
	return strings.Join(list, ",")
}

// TestChaos runs random operations on two libraries in folders.
func TestChaos(t *testing.T) {
	tellLast(t)
	program := build(t)
	seeds, n := testkit.Scale(1, 100), testkit.Scale(100, 400)
	for seed := range max(uint64(seeds), *seedFlag) {
		chaos(t, seed+1, n, 2, false, func(ops []op) error { return try(t, program, "", nil, nil, ops) })
	}
}

// TestChaosServers has a library on servers beside them, to which two desks write. At
// full scale every shard has two servers, of which one dies or hangs now and then.
func TestChaosServers(t *testing.T) {
	tellLast(t)
	var fleet, several *clickhouse.Fleet
	if testkit.Full() {
		several = clickhouse.Start(t, clickhouse.Options{Replicas: 2})
		fleet = several
	} else {
		fleet = clickhouse.Shared(t)
	}
	program := build(t)
	seeds, n := testkit.Scale(1, 40), testkit.Scale(40, 120)
	for seed := range max(uint64(seeds), *seedFlag) {
		chaos(t, seed+1, n, 3, true, func(ops []op) error {
			database := clickhouse.Fresh()
			defer func() {
				for _, node := range fleet.Nodes() {
					if several == nil { // else they may have failed, and end with the test
						node.Exec(t, "DROP DATABASE IF EXISTS "+database)
					}
				}
			}()
			commits, end := fleet.Node(0, 0).Counter("SELECT count() FROM " + database + ".log")
			defer end()
			return try(t, program, fleet.URLOf(database, fleet.Nodes()...), several, commits, ops)
		})
	}
}

// TestChaosPlay kills a server at any moment of a game: in a move, in one that is taken
// back, between the end and the record. The game goes on where it was, or is a record,
// once, when the server is there again, and no later.
func TestChaosPlay(t *testing.T) {
	w := &world{t: t, program: build(t), dir: t.TempDir(), tally: map[string]int{}}
	p := &place{world: w, address: filepath.Join(w.dir, "A"), shelf: newShelf(), pending: map[string]promise{}}
	w.places = []*place{p}
	defer func() { p.stop(true) }()
	r := rand.New(rand.NewPCG(*seedFlag, 3))
	do := func(ops ...op) {
		t.Helper()
		if err := w.do(ops); err != nil {
			t.Fatalf("%v: %v", ops, err)
		}
	}
	do(op{kind: "import"})
	do(op{kind: "serve"})
	for i := range testkit.Scale(12, 200) {
		do(op{number: 2 * i, kind: "play", seed: r.Uint64()})
		after := time.Duration(r.Int64N(int64(w.took)))
		if i%2 == 0 { // every other one near its end
			after = w.took*3/4 + after/4
		}
		do(op{number: 2*i + 1, kind: "play", seed: r.Uint64()}, op{number: 2*i + 1, kind: "crash", after: max(1, after), along: true})
		do(op{kind: "serve"}) // again, and then no longer
		do(op{kind: "serve", seed: r.Uint64()})
		do(op{kind: "serve"})
	}
	t.Log(w.tally)
}

// failures are what sequences failed with.
var failures []string

// fail notes what a sequence failed with, which is told once more when all else has been
// told: of a long log often the end alone is kept.
func fail(t *testing.T, format string, args ...any) {
	failures = append(failures, fmt.Sprintf("%s: ", t.Name())+fmt.Sprintf(format, args...))
	t.Errorf(format, args...)
}

// tellLast has a test end with what its sequences failed with. It is called before
// anything that has something to tell when the test is over.
func tellLast(t *testing.T) {
	t.Cleanup(func() {
		for _, s := range failures {
			t.Log(s)
		}
		failures = nil
	})
}

// listed writes operations in little room.
func listed(ops []op) string {
	var b strings.Builder
	for i, o := range ops {
		sep := "; "
		if i%8 == 0 {
			sep = "\n"
		}
		b.WriteString(sep + strings.TrimSpace(o.String()))
	}
	return b.String()
}

// chaos runs the sequence of a seed. One that fails is shrunk.
func chaos(t *testing.T, seed uint64, n, places int, servers bool, run func([]op) error) {
	if *seedFlag != 0 && *seedFlag != seed {
		return
	}
	if *opsFlag > 0 {
		n = *opsFlag
	}
	t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
		ops := sequence(seed, n, places, servers)
		if *onlyFlag != "" {
			only := strings.Split(*onlyFlag, ",")
			ops = slices.DeleteFunc(ops, func(o op) bool { return !slices.Contains(only, strconv.Itoa(o.number)) })
		}
		err := run(ops)
		if err == nil {
			return
		}
		if !*shrinks || *onlyFlag != "" {
			t.Logf("the operations:%s", listed(ops))
			fail(t, "seed %d: %v", seed, err)
			return
		}
		t.Logf("seed %d: %v", seed, err)
		ops = shrink(ops, func(less []op) error {
			again := run(less)
			if again != nil {
				err = again
			}
			return again
		})
		t.Logf("the operations:%s", listed(ops))
		fail(t, "shrunk to %d operations (-seed %d -ops %d -only %s): %v", len(ops), seed, n, numbers(ops), err)
	})
}
