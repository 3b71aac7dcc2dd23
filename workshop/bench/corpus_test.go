package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/index"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/record"
	"qipu/retrieve"
)

// corpora are the collections of real games that speed is measured on.
var corpora = map[string][]string{
	"weiqi":   {"go/go-pro-6300.tar.gz", "go/go-pro-more.tar.gz"},
	"paper":   {"go/go-pro-6300.tar.gz"}, // as many games as the paper has
	"xiangqi": {"xiangqi/xiangqi-games.tar.gz"},
	"othello": {"othello/wthor.tar.gz"},
	"renju":   {"renju/renju-games.tar.gz"},
}

// libraries are made once in a process, each by a process of its own, so that
// the memory and the time of an import are its own too.
var libraries struct {
	sync.Mutex
	dir  string
	made map[string]importStats
}

// libraryDir returns the folder of the library of a corpus and what its import
// took. The test is skipped where there are no such games.
func libraryDir(tb testing.TB, corpus string) (string, importStats) {
	tb.Helper()
	var paths []string
	for _, name := range corpora[corpus] {
		paths = append(paths, testkit.Data(tb, name))
	}
	libraries.Lock()
	defer libraries.Unlock()
	if libraries.dir == "" {
		dir, err := os.MkdirTemp("", "qipu-bench-")
		if err != nil {
			tb.Fatal(err)
		}
		libraries.dir, libraries.made = dir, map[string]importStats{}
	}
	dir := filepath.Join(libraries.dir, corpus)
	stats, ok := libraries.made[corpus]
	if !ok {
		stats = importAlone(tb, dir, paths)
		libraries.made[corpus] = stats
	}
	return dir, stats
}

// openLibrary opens the library of a corpus for reading.
func openLibrary(tb testing.TB, corpus string) *qipu.Library {
	tb.Helper()
	dir, _ := libraryDir(tb, corpus)
	return openDir(tb, dir)
}

func openDir(tb testing.TB, dir string) *qipu.Library {
	tb.Helper()
	l, err := qipu.Open(tb.Context(), dir, qipu.Options{ReadOnly: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { l.Close() })
	return l
}

// TestMain runs the tests, or the task of a child process.
func TestMain(m *testing.M) {
	if task := os.Getenv(childTask); task != "" {
		if err := runChild(task, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if libraries.dir != "" {
		os.RemoveAll(libraries.dir)
	}
	os.Exit(code)
}

// childTask names the variable that makes the test binary a child process.
const childTask = "QIPU_BENCH_TASK"

// inChild has a child process run a task and returns what it printed as JSON.
func inChild(tb testing.TB, result any, task string, args ...string) {
	tb.Helper()
	exe, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.Command(exe, args...)
	cmd.Env = append(os.Environ(), childTask+"="+task)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("%s %q: %v", task, args, err)
	}
	if err := json.Unmarshal(out, result); err != nil {
		tb.Fatalf("%s %q: %v: %s", task, args, err, out)
	}
}

// runChild is the main function of a child process.
func runChild(task string, args []string) error {
	// As the program does.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(500 << 20)
	ctx := context.Background()
	var result any
	var err error
	switch task {
	case "import":
		runtime.GOMAXPROCS(1) // one core: idle ones would help to collect garbage, and count
		result, err = importFiles(ctx, args[0], args[1:])
	case "grow":
		var n int
		if n, err = strconv.Atoi(args[2]); err == nil {
			result, err = grow(ctx, args[0], args[1], n)
		}
	case "query":
		result, err = queryAll(ctx, args[0], args[1])
	default:
		err = fmt.Errorf("no task is called %q", task)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// importStats tell what an import took.
type importStats struct {
	Games, New int
	CPU, Wall  time.Duration // of reading, storing and indexing, durably, with the merging of tables meanwhile
	Merge      time.Duration // processor time of the merging that was still to do
	Peak       int64         // bytes of memory, -1 unknown
	Index      int64         // bytes of tables
	Catalog    int64         // bytes of the catalogue, records and all
	Generate   time.Duration // processor time of making the games, where they are made
}

func importAlone(tb testing.TB, dir string, paths []string) (s importStats) {
	tb.Helper()
	inChild(tb, &s, "import", append([]string{dir}, paths...)...)
	return s
}

// importFiles makes a library of files with one worker.
func importFiles(ctx context.Context, dir string, paths []string) (s importStats, err error) {
	l, err := qipu.Open(ctx, dir, qipu.Options{Create: true})
	if err != nil {
		return s, err
	}
	began, cpu := time.Now(), testkit.CPU()
	report, err := l.Import(ctx, library.ImportOptions{Options: ingest.Options{Workers: 1}}, paths...)
	if err != nil {
		l.Close()
		return s, err
	}
	s.CPU, s.Wall = testkit.CPU()-cpu, time.Since(began)
	s.Games, s.New = report.Games, report.New+report.Twins
	return s, finish(ctx, l, &s)
}

// finish merges what there is to merge, measures the library and closes it.
func finish(ctx context.Context, l *qipu.Library, s *importStats) error {
	defer l.Close()
	cpu := testkit.CPU()
	for more := true; more; {
		var err error
		if more, err = l.Records().Keeper().Merge(ctx); err != nil {
			return err
		}
	}
	s.Merge = testkit.CPU() - cpu
	_, s.Peak = residentBytes()
	tally, err := l.Records().Tally(ctx)
	if err != nil {
		return err
	}
	for _, t := range tally {
		s.Index += t.Bytes
		// Speed that comes of leaving games out is none.
		ids, err := l.Records().IDs(ctx, t.Kind.Name)
		if err != nil {
			return err
		}
		if n := int(ids.GetCardinality()); n != t.Games {
			return fmt.Errorf("the catalogue has %d games of %s, the index %d", n, t.Kind.Name, t.Games)
		}
	}
	all := folderBytes(l.Records().Dir())
	s.Catalog = all - folderBytes(filepath.Join(l.Records().Dir(), "segments"))
	return l.Close()
}

func folderBytes(dir string) (n int64) {
	filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && !d.IsDir() {
			n += info.Size()
		}
		return nil
	})
	return n
}

// queryStats tell what a process that only asks has in memory.
type queryStats struct {
	Mapped   int64 // bytes of tables
	Resident int64
	Peak     int64
}

// queryAll opens a library and asks all queries of a game.
func queryAll(ctx context.Context, dir, name string) (s queryStats, err error) {
	l, err := qipu.Open(ctx, dir, qipu.Options{ReadOnly: true})
	if err != nil {
		return s, err
	}
	defer l.Close()
	list, err := readQueries(builtin.Games(), name)
	if err != nil {
		return s, err
	}
	for i := range list {
		r, err := list[i].request(l)
		if err != nil {
			return s, err
		}
		if _, err := l.Search().Find(ctx, r); err != nil {
			return s, err
		}
	}
	s.Mapped = folderBytes(filepath.Join(dir, "segments"))
	s.Resident, s.Peak = residentBytes()
	return s, nil
}

// request returns the request of a query for one core.
func (q *benchQuery) request(l *qipu.Library) (*retrieve.Request, error) {
	k, err := l.Records().Kind(q.game)
	return &retrieve.Request{Kind: k, Query: q.shape, Workers: 1}, err
}

// find answers a query.
func find(tb testing.TB, l *qipu.Library, q *benchQuery) *retrieve.Answer {
	tb.Helper()
	r, err := q.request(l)
	if err != nil {
		tb.Fatal(err)
	}
	a, err := l.Search().Find(tb.Context(), r)
	if err != nil {
		tb.Fatalf("%s: %v", q.name, err)
	}
	return a
}

// playAll plays all records of a kind of game that a library has, in the order
// of their numbers.
func playAll(ctx context.Context, l *qipu.Library, spec string, take func(id uint32, p *record.Played) error) error {
	k, err := l.Records().Kind(spec)
	if err != nil {
		return err
	}
	ids, err := l.Records().IDs(ctx, k.Name)
	if err != nil {
		return err
	}
	referee := record.NewReferee(builtin.Games())
	referee.Trace = true
	for text, err := range l.Records().Texts(ctx, ids.ToArray()) {
		if err != nil {
			return err
		}
		g, err := record.DecodeGame(text.Record)
		if err != nil {
			return err
		}
		if err := take(text.ID, referee.Play(g)); err != nil {
			return err
		}
	}
	return nil
}

// cost is what one call of something takes: medians of several samples.
type cost struct {
	CPU, Wall time.Duration
	Least     time.Duration // processor time of the best sample
}

// measure measures a call. Calls that are short are repeated in each sample:
// the system counts processor time in steps that are longer than some of them.
func measure(samples int, call func()) cost {
	const enough = 20 * time.Millisecond
	began := time.Now()
	call()
	first := time.Since(began)
	repeat := min(max(int(enough/max(first, 1)), 1), 5000)
	var cpus, walls []time.Duration
	for range samples {
		cpu, wall := testkit.CPU(), time.Now()
		for range repeat {
			call()
		}
		cpus = append(cpus, (testkit.CPU()-cpu)/time.Duration(repeat))
		walls = append(walls, time.Since(wall)/time.Duration(repeat))
	}
	return cost{CPU: median(cpus), Wall: median(walls), Least: slices.Min(cpus)}
}

// median returns the middle of a list, the mean of both middles where there are
// two.
func median(list []time.Duration) time.Duration {
	list = slices.Sorted(slices.Values(list))
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

// percentile returns the least value of a list that so many per cent of it do
// not exceed.
func percentile(list []time.Duration, percent int) time.Duration {
	list = slices.Sorted(slices.Values(list))
	return list[max((len(list)*percent+99)/100, 1)-1]
}

func kindOf(tb testing.TB, l *qipu.Library, spec string) *index.Kind {
	tb.Helper()
	k, err := l.Records().Kind(spec)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// writeFiles copies files into a folder of the test and returns it.
func writeFiles(tb testing.TB, files fs.FS) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "files")
	if err := os.CopyFS(dir, files); err != nil {
		tb.Fatal(err)
	}
	return dir
}
