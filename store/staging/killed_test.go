package staging_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qipu"
	"qipu/builtin"
	"qipu/internal/clickhouse"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/sample"
	"qipu/store"
	"qipu/store/cluster"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// An import that can be killed runs in a process of its own: the test binary runs
// itself, with these variables and QIPU_DESK.
const (
	importInto = "QIPU_TEST_DESK_INTO"
	importFrom = "QIPU_TEST_DESK_FROM"
)

// TestImportProcess is that process, and no test.
func TestImportProcess(t *testing.T) {
	url := os.Getenv(importInto)
	if url == "" {
		t.Skip("other tests run this one")
	}
	lib := openPatiently(t, url)
	fmt.Println("open")
	stored := func(r *library.ImportReport) { fmt.Println("stored", r.New+r.Duplicates+r.Fuller+r.Twins) }
	if _, err := lib.Import(t.Context(), library.ImportOptions{BatchGames: batchGames(), OnStored: stored}, os.Getenv(importFrom)); err != nil {
		t.Fatal(err)
	}
	if err := lib.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("done")
}

// batchGames is how many games are stored together: the last of an import are few
// enough to lie on the desk for a while.
func batchGames() int { return testkit.Scale(280, 1000) }

// openPatiently opens a library whose last writer was killed: the system may free
// its lock a moment after its end was told.
func openPatiently(t *testing.T, url string) *qipu.Library {
	t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		lib, err := qipu.Open(t.Context(), url, qipu.Options{Logf: t.Logf})
		var locked *store.LockedError
		if err == nil {
			return lib
		}
		if !errors.As(err, &locked) || time.Since(began) > testkit.Patience {
			t.Fatal(err)
		}
	}
}

// TestKilled kills an import into servers at random moments and goes on with it,
// again and again. In the end every game is there once, and nothing else is.
func TestKilled(t *testing.T) {
	f := clickhouse.Start(t, clickhouse.Options{Shards: 2})
	cfg, err := wire.Parse(f.URL())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ledger.Init(t.Context(), cfg, ledger.InitOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("QIPU_DESK", filepath.Join(t.TempDir(), "desk"))
	from := filepath.Join(t.TempDir(), "games")
	if testkit.Full() {
		from = testkit.Data(t, "go/go-pro-more.tar.gz")
	} else if err := errors.Join(os.CopyFS(from, sample.Files()), os.CopyFS(filepath.Join(from, "played"), sample.Played())); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	kills, tries := 0, testkit.Scale(4, 25)
	for range tries {
		if importing(t, f.URL(), from, rng.IntN(testkit.Scale(3, 25)), time.Duration(rng.IntN(testkit.Scale(300, 1000)))*time.Millisecond) {
			break
		}
		kills++
	}
	if kills == 0 {
		t.Error("no import was killed")
	}
	if !importing(t, f.URL(), from, 0, time.Hour) {
		t.Fatal("an import that nobody kills does not end")
	}
	lib := openPatiently(t, f.URL())
	defer lib.Close()
	near, err := qipu.Open(t.Context(), filepath.Join(t.TempDir(), "library"), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	if _, err := near.Import(t.Context(), library.ImportOptions{BatchGames: batchGames()}, from); err != nil {
		t.Fatal(err)
	}
	got, want := keys(t, lib), keys(t, near)
	if !maps.Equal(got, want) {
		t.Errorf("%d games are there, want %d", len(got), len(want))
		for key, n := range want {
			if got[key] != n {
				t.Errorf("%s is there %d times, want %d", key, got[key], n)
			}
		}
	}
	sound(t, lib)
	servers, err := cluster.Open(t.Context(), cfg, cluster.Options{Games: builtin.Games()})
	if err != nil {
		t.Fatal(err)
	}
	defer servers.Close()
	swept, err := servers.Sweep(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills, %d games, swept %+v", kills, len(got), *swept)
	st, err := cluster.StatusOf(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	for _, s := range st.Shards {
		n += s.Documents
	}
	total := 0
	for _, times := range want {
		total += times
	}
	if len(st.Problems) != 0 || n != int64(total) || st.Log.Documents != n {
		t.Errorf("%d documents of %d games, %+v, problems %q", n, total, st.Log, st.Problems)
	}
	sound(t, lib)
	if again := keys(t, lib); !maps.Equal(again, want) {
		t.Errorf("%d games are there after a sweep, want %d", len(again), len(want))
	}
}

// importing imports in a process of its own that is killed a while after it has
// stored so many batches, and reports whether it came to its end before.
func importing(t *testing.T, url, from string, batches int, delay time.Duration) (done bool) {
	t.Helper()
	c := testkit.Process(os.Args[0], "-test.run=^TestImportProcess$")
	c.Env = append(os.Environ(), importInto+"="+url, importFrom+"="+from)
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var said []string
	for in := bufio.NewScanner(out); in.Scan(); {
		if said = append(said, in.Text()); len(said) == batches+1 {
			go func() {
				select {
				case <-time.After(delay):
					c.Process.Kill()
				case <-ctx.Done():
				}
			}()
		}
	}
	io.Copy(io.Discard, out)
	err = c.Wait()
	cancel()
	if done = err == nil; !done && c.ProcessState.Exited() {
		t.Fatalf("the import failed: %v\n%s", err, strings.Join(said, "\n"))
	}
	t.Logf("%d batches stored, done %v", len(said)-1, done)
	return done
}

// keys counts the games of a library by what they are known by.
func keys(t *testing.T, lib *qipu.Library) map[string]int {
	t.Helper()
	all, err := lib.Records().IDs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for part := range slices.Chunk(all.ToArray(), 4096) {
		games, err := lib.Records().Games(t.Context(), part)
		if err != nil || len(games) != len(part) {
			t.Fatalf("%d games of %d: %v", len(games), len(part), err)
		}
		for _, g := range games {
			n[fmt.Sprintf("%s %x", g.Kind, g.Key)]++
		}
	}
	counted := 0
	tally, err := lib.Records().Tally(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range tally {
		counted += x.Games
	}
	for _, times := range n {
		counted -= times
	}
	if counted != 0 {
		t.Errorf("the tally has %d games too many", counted)
	}
	return n
}

// sound checks a library in depth.
func sound(t *testing.T, lib *qipu.Library) {
	t.Helper()
	found, partial, err := lib.Records().Check(t.Context(), true, nil)
	if err != nil || partial || len(found) > 0 {
		t.Errorf("problems %v, %v, %v", found, partial, err)
	}
}
