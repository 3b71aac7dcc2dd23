package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/store"
)

// Some tests need a process that can be killed: the test binary runs itself, and
// these variables tell it so.
const (
	dirVariable = "QIPU_TEST_JOBS_DIR"
	dieVariable = "QIPU_TEST_JOBS_DIE" // at which moment it kills itself; 0: never
)

func TestMain(m *testing.M) {
	dir := os.Getenv(dirVariable)
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := victim(dir); err != nil {
		fmt.Fprintln(os.Stderr, "failed:", err)
		os.Exit(1)
	}
}

// victim goes on with the jobs of a library until there are no more to do.
func victim(dir string) error {
	ctx := context.Background()
	lib, err := library.Open(ctx, dir, library.Options{Games: builtin.Games(), Formats: builtin.Formats()})
	// The system may free the lock of a process a moment after its end was told.
	var locked *store.LockedError
	for end := time.Now().Add(testkit.Patience); errors.As(err, &locked) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
		lib, err = library.Open(ctx, dir, library.Options{Games: builtin.Games(), Formats: builtin.Formats()})
	}
	if err != nil {
		return err
	}
	var importer Importer = lib
	if n, _ := strconv.Atoi(os.Getenv(dieVariable)); n > 0 {
		importer = &mortal{Library: lib, left: n}
	}
	m, err := Open(ctx, filepath.Join(dir, "jobs"), importer, testOptions())
	if err != nil {
		return err
	}
	for {
		busy := false
		for _, j := range m.List() {
			busy = busy || !j.State.Ended()
			if j.State == Failed {
				return fmt.Errorf("job %d: %s", j.ID, j.Error)
			}
		}
		if !busy {
			if err := m.Close(ctx); err != nil {
				return err
			}
			return lib.Close()
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// mortal kills its process at one of the moments that matter: before a
// checkpoint is saved, between that and the storing of its batch, and when the
// batch is stored and nobody has heard of it.
type mortal struct {
	*library.Library
	left int
}

func (l *mortal) moment() {
	if l.left--; l.left == 0 {
		p, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = p.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {}
	}
}

func (l *mortal) Import(ctx context.Context, o library.ImportOptions, paths ...string) (*library.ImportReport, error) {
	save, heard := o.Journal.Save, o.OnStored
	journal := *o.Journal
	journal.Save = func(c *library.Checkpoint) error {
		l.moment()
		err := save(c)
		l.moment()
		return err
	}
	o.Journal = &journal
	o.OnStored = func(r *library.ImportReport) {
		l.moment()
		heard(r)
	}
	report, err := l.Library.Import(ctx, o, paths...)
	l.moment()
	return report, err
}

// TestKilled states the law: a job that is killed again and again ends as one
// that never was.
func TestKilled(t *testing.T) {
	records := testkit.Scale(1000, 4000)
	set := damaged(t, records, 1)
	want := uninterrupted(t, set)
	if want.Job.Counts.New < records/4 || want.Job.Counts.Duplicates == 0 || want.Job.Counts.Marked == 0 || want.Job.Counts.Rejected == 0 || want.Job.Counts.Skipped == 0 || want.Job.Counts.Fuller == 0 || want.Job.Counts.Twins == 0 {
		t.Fatalf("the set tests little: %+v", want.Job.Counts)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 0))
	for trial := range testkit.Scale(2, 40) {
		dir := t.TempDir()
		lib := open(t, dir)
		// A job is begun by a process that has no time to run it.
		m, err := Open(t.Context(), filepath.Join(dir, "jobs"), stuck{lib}, testOptions())
		if err != nil {
			t.Fatal(err)
		}
		job := upload(t, m, Spec{Title: "damaged", Collection: "set"}, set)
		closeAll(t, m, lib)
		kills := 0
		for run := 0; ; run++ {
			c := testkit.Process(exe)
			c.Env = append(os.Environ(), dirVariable+"="+dir)
			c.Stderr = os.Stderr
			// Mostly at a moment that matters, sometimes at any, and enough is enough.
			spared := kills >= testkit.Scale(8, 100)
			if !spared && rng.IntN(3) > 0 {
				c.Env = append(c.Env, fmt.Sprintf("%s=%d", dieVariable, 1+rng.IntN(12)))
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			// A slow machine gets the time it needs to come on at all.
			timer := time.AfterFunc(time.Duration(20+rng.IntN(400+20*kills))*time.Millisecond, func() { c.Process.Kill() })
			if spared {
				timer.Stop()
			}
			err := c.Wait()
			timer.Stop()
			if err == nil {
				break
			}
			if spared || c.ProcessState.Exited() && c.ProcessState.ExitCode() == 1 {
				t.Fatalf("trial %d, run %d: %v", trial, run, err)
			}
			kills++
		}
		got := outcome(t, dir, job.ID)
		t.Logf("trial %d: %d kills, %d runs", trial, kills, got.Job.Runs)
		compare(t, fmt.Sprintf("trial %d after %d kills", trial, kills), got, want)
		if t.Failed() {
			return
		}
	}
}

// stuck is a library whose imports never begin.
type stuck struct{ *library.Library }

func (stuck) Import(ctx context.Context, o library.ImportOptions, paths ...string) (*library.ImportReport, error) {
	<-ctx.Done()
	return nil, context.Cause(ctx)
}

// compare compares what jobs came to.
func compare(t *testing.T, what string, got, want *result) {
	t.Helper()
	if got.Job.State != Done || got.Job.Restarted {
		t.Errorf("%s: %s, restarted %v: %s", what, got.Job.State, got.Job.Restarted, got.Job.Error)
	}
	same(t, what+": counts", got.Job.Counts, want.Job.Counts)
	if got.Job.Faults != want.Job.Faults || int(got.Job.Faults) != len(got.Faults) {
		t.Errorf("%s: %d faults counted, %d listed, not %d", what, got.Job.Faults, len(got.Faults), want.Job.Faults)
	}
	same(t, what+": faults", got.Faults, want.Faults)
	same(t, what+": games", got.Games, want.Games)
	same(t, what+": collection", got.Members, want.Members)
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) == string(b) {
		return
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	from := max(0, at-200)
	t.Errorf("%s differ\n got …%s\nwant …%s", what, a[from:min(len(a), at+200)], b[from:min(len(b), at+200)])
}
