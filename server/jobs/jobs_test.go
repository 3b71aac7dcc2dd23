package jobs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"qipu/builtin"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/record"
	"qipu/sample"
	"qipu/store"
	"qipu/view"
)

// setup opens a new library and its jobs.
func setup(t testing.TB, o Options) (*Manager, *library.Library) {
	t.Helper()
	lib := open(t, t.TempDir())
	m, err := Open(t.Context(), filepath.Join(lib.Dir(), "jobs"), lib, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeAll(t, m, lib) })
	return m, lib
}

// TestStopped states the law for stops that are no kills: cancelled and
// resumed, closed and opened, failed and resumed.
func TestStopped(t *testing.T) {
	set := damaged(t, 400, 2)
	want := uninterrupted(t, set)
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	for trial := range testkit.Scale(2, 60) {
		dir := t.TempDir()
		var m *Manager
		var lib *library.Library
		var frail *frail
		reopen := func() {
			lib = open(t, dir)
			frail = newFrail(lib)
			var err error
			if m, err = Open(t.Context(), filepath.Join(dir, "jobs"), frail, testOptions()); err != nil {
				t.Fatal(err)
			}
		}
		reopen()
		job := upload(t, m, Spec{Title: "damaged", Collection: "set"}, set)
		for range testkit.Scale(4, 8) {
			time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
			switch rng.IntN(3) {
			case 0:
				if err := m.Cancel(job.ID); err == nil {
					if j := await(t, m, job.ID, Cancelled, Done); j.State == Cancelled {
						check0(t, m.Resume(job.ID))
					}
				} else if !errors.Is(err, ErrState) {
					t.Fatal(err)
				}
			case 1:
				closeAll(t, m, lib)
				reopen()
			case 2:
				frail.fail(syscall.ENOSPC)
				if j := await(t, m, job.ID, Failed, Done); j.State == Failed {
					if !strings.Contains(j.Hint, "space") || j.Error == "" {
						t.Errorf("%q, %q", j.Error, j.Hint)
					}
					frail.fail(nil)
					check0(t, m.Resume(job.ID))
				}
				frail.fail(nil)
			}
		}
		await(t, m, job.ID, Done)
		got := gathered(t, m, lib, job.ID)
		closeAll(t, m, lib)
		compare(t, fmt.Sprintf("trial %d", trial), got, want)
		if t.Failed() {
			return
		}
	}
}

func check0(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// frail is a library whose disk is full at times.
type frail struct {
	*library.Library
	mu  sync.Mutex
	err error
}

func newFrail(lib *library.Library) *frail { return &frail{Library: lib} }

func (f *frail) fail(err error) {
	f.mu.Lock()
	f.err = err
	f.mu.Unlock()
}

func (f *frail) Import(ctx context.Context, o library.ImportOptions, paths ...string) (*library.ImportReport, error) {
	journal := *o.Journal
	journal.Save = func(c *library.Checkpoint) error {
		if err := o.Journal.Save(c); err != nil {
			return err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.err
	}
	p := o
	p.Journal = &journal
	return f.Library.Import(ctx, p, paths...)
}

// TestFaultList checks what users read about what was wrong: their own names, and
// numbers that lead to the place.
func TestFaultList(t *testing.T) {
	m, lib := setup(t, testOptions())
	good := "(;GM[1]SZ[9];B[aa];W[bb];B[cc])"
	bad := "(;GM[1]SZ[9];B[aa];W[aa])"
	j := upload(t, m, Spec{}, []given{
		{"C:\\Users\\me\\dropped/a?.sgf", []byte(good + "\n" + bad)},
		{"empty.sgf", nil},
		{"noise.bin", []byte("\x00\x01\x02\x03 nothing")},
	})
	j = await(t, m, j.ID, Done)
	if j.Title != "Users" || j.FileCount != 3 || j.Counts.Records != 2 || j.Counts.Marked != 1 || j.Counts.Skipped != 1 || j.Counts.Rejected != 1 || j.Faults != 3 {
		t.Errorf("%+v", j)
	}
	list := allFaults(t, m, j.ID, 1)
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	want := view.Fault{
		Number: 1, File: "Users/me/dropped/a?.sgf", Record: 2, Offset: int64(len(good)) + 1 + 18, Line: 2, Move: 2,
		Kind: record.KindIllegal, Severity: "marked", Reason: list[0].Reason, Excerpt: ";W[aa])",
	}
	if list[0] != want || want.Reason == "" {
		t.Errorf("got  %+v\nwant %+v", list[0], want)
	}
	if list[1].File != "empty.sgf" || list[1].Kind != record.KindEmpty || list[2].File != "noise.bin" || list[2].Severity != "note" {
		t.Errorf("%+v", list[1:])
	}
	sources, err := lib.Sources(t.Context(), 1)
	if err != nil || len(sources) != 1 || sources[0].File != "Users/me/dropped/a?.sgf" || sources[0].Number != 1 {
		t.Errorf("%+v, %v", sources, err)
	}
	page, err := m.Faults(j.ID, 0, 10, Filter{Severity: "note", Kind: record.KindUnknown})
	if err != nil || len(page.Faults) != 1 || page.Faults[0].Number != 3 || page.Next != 0 {
		t.Errorf("%+v, %v", page, err)
	}
	if _, err := m.Faults(j.ID, 5, 10, Filter{}); !errors.Is(err, ErrInvalid) {
		t.Errorf("a cursor in the middle of a line: %v", err)
	}
	for end := time.Now().Add(testkit.Patience); ; time.Sleep(time.Millisecond) {
		if _, err := os.Stat(filepath.Join(m.folder(j.ID), spoolDir)); errors.Is(err, os.ErrNotExist) {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the spool is still there")
		}
	}
}

// TestOrder checks that jobs run one at a time, in the order of coming, and that
// the hook hears of all states.
//
//qipu:race
func TestOrder(t *testing.T) {
	var mu sync.Mutex
	var heard []string
	o := testOptions()
	o.OnChange = func(j Job) {
		mu.Lock()
		defer mu.Unlock()
		s := fmt.Sprintf("%d %s", j.ID, j.State)
		if len(heard) == 0 || heard[len(heard)-1] != s {
			heard = append(heard, s)
		}
	}
	lib := open(t, t.TempDir())
	m, err := Open(t.Context(), filepath.Join(lib.Dir(), "jobs"), stuck{lib}, o)
	check0(t, err)
	a := upload(t, m, Spec{}, damaged(t, 80, 3))
	await(t, m, a.ID, Running)
	b := upload(t, m, Spec{}, damaged(t, 80, 4))
	if err := m.Remove(a.ID); !errors.Is(err, ErrState) {
		t.Errorf("a running job was removed: %v", err)
	}
	if err := m.Resume(b.ID); !errors.Is(err, ErrState) {
		t.Errorf("a waiting job was resumed: %v", err)
	}
	check0(t, m.Cancel(a.ID))
	await(t, m, a.ID, Cancelled)
	await(t, m, b.ID, Running)
	check0(t, m.Resume(a.ID))
	check0(t, m.Close(t.Context()))
	mu.Lock()
	got := strings.Join(heard, ", ")
	heard = nil
	mu.Unlock()
	want := "1 uploading, 1 waiting, 1 running, 2 uploading, 2 waiting, 1 cancelled, 2 running, 1 waiting, 2 interrupted"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if m, err = Open(t.Context(), filepath.Join(lib.Dir(), "jobs"), lib, o); err != nil {
		t.Fatal(err)
	}
	defer func() { closeAll(t, m, lib) }()
	await(t, m, a.ID, Done)
	want = "2 running, 2 done, 1 running, 1 done"
	for end := time.Now().Add(testkit.Patience); got != want && time.Now().Before(end); time.Sleep(time.Millisecond) {
		mu.Lock()
		got = strings.Join(heard, ", ")
		mu.Unlock()
	}
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if list := m.List(); len(list) != 2 || list[0].ID != b.ID || list[0].Counts.New == 0 {
		t.Errorf("%+v", list)
	}
	check0(t, m.Remove(b.ID))
	if _, err := m.Get(b.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("%v", err)
	}
	// Numbers are not given again.
	c := upload(t, m, Spec{}, damaged(t, 40, 5))
	if c.ID != 3 {
		t.Errorf("job %d", c.ID)
	}
	await(t, m, c.ID, Done)
}

func TestCheckOnly(t *testing.T) {
	m, lib := setup(t, testOptions())
	set := damaged(t, 200, 6)
	j := upload(t, m, Spec{CheckOnly: true, Collection: "none"}, set)
	j = await(t, m, j.ID, Done)
	if j.Counts.New == 0 || j.Counts.Records == 0 || j.Counts.Rejected == 0 || len(allFaults(t, m, j.ID, 50)) != int(j.Faults) {
		t.Errorf("%+v", j.Counts)
	}
	counts, err := lib.Counts(t.Context())
	if err != nil || len(counts.Games) != 0 || counts.Collections != 0 {
		t.Errorf("something was stored: %+v, %v", counts, err)
	}
}

func TestSampleAndPaste(t *testing.T) {
	m, _ := setup(t, Options{})
	j, err := m.Sample(Spec{Title: "demo"}, sample.Files())
	check0(t, err)
	j = await(t, m, j.ID, Done)
	if j.Counts.New < 20 || j.Counts.Marked != 1 || j.Counts.Rejected != 0 || j.Source != FromSample || j.Counts.ByFormat["wthor"] != 4 {
		t.Errorf("%+v", j.Counts)
	}
	p, err := m.Paste(Spec{}, []byte("(;GM[1]SZ[9]PB[甲];B[ee];W[dd])"), builtin.Formats())
	check0(t, err)
	p = await(t, m, p.ID, Done)
	if p.Title != "pasted.sgf" || p.Counts.New != 1 {
		t.Errorf("%+v", p)
	}
	if _, err := m.Paste(Spec{Encoding: "klingon"}, []byte("(;)"), nil); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
}

func TestPaths(t *testing.T) {
	root, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret.sgf")
	game := []byte("(;GM[1]SZ[9];B[aa];W[bb])")
	check0(t, os.WriteFile(secret, game, 0o600))
	check0(t, os.MkdirAll(filepath.Join(root, "a", "b"), 0o700))
	check0(t, os.WriteFile(filepath.Join(root, "a", "b", "one.sgf"), []byte("(;GM[1]SZ[9];B[cc];W[dd])"), 0o600))
	links := os.Symlink(secret, filepath.Join(root, "a", "out.sgf")) == nil
	if links {
		check0(t, os.Symlink(filepath.Dir(secret), filepath.Join(root, "outside")))
		check0(t, os.Symlink(filepath.Join("b", "one.sgf"), filepath.Join(root, "a", "in.sgf")))
	}
	lib := open(t, t.TempDir())
	frail := newFrail(lib)
	var filling atomic.Bool // the disk is full once something is stored
	o := testOptions()
	o.Root = root
	o.OnChange = func(j Job) {
		if filling.Load() && j.Counts.Records > 0 && j.State == Running {
			frail.fail(syscall.ENOSPC)
		}
	}
	m, err := Open(t.Context(), filepath.Join(lib.Dir(), "jobs"), frail, o)
	check0(t, err)
	defer func() { closeAll(t, m, lib) }()
	for _, p := range []string{"../x", "a/../../x", secret, "outside/secret.sgf", "outside", "a/out.sgf", "/etc/passwd"} {
		if strings.Contains(p, "out") && !links {
			continue
		}
		if _, err := m.Paths(Spec{}, p); !errors.Is(err, ErrOutside) && !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v", p, err)
		}
	}
	if _, err := m.Paths(Spec{}, "none"); !errors.Is(err, ErrInvalid) {
		t.Errorf("%v", err)
	}
	if n := len(m.List()); n != 0 {
		t.Errorf("%d jobs are left over", n)
	}
	j, err := m.Paths(Spec{}, "a")
	check0(t, err)
	j = await(t, m, j.ID, Done)
	if j.Counts.New != 1 || links && (j.Outside != 1 || j.Counts.Duplicates != 1) {
		t.Errorf("%+v", j)
	}
	sources, err := lib.Sources(t.Context(), 1)
	if err != nil || !slices.Contains(sources, store.Source{File: "a/b/one.sgf", Number: 1}) {
		t.Errorf("%+v, %v", sources, err)
	}
	// Known files are not read again, unless asked for.
	j, err = m.Paths(Spec{}, filepath.Join(root, "a", "b"))
	check0(t, err)
	if j = await(t, m, j.ID, Done); j.Counts.Unchanged != 1 || j.Counts.Records != 0 {
		t.Errorf("%+v", j.Counts)
	}
	j, err = m.Paths(Spec{Again: true}, "a/b/one.sgf")
	check0(t, err)
	if j = await(t, m, j.ID, Done); j.Counts.Duplicates != 1 {
		t.Errorf("%+v", j.Counts)
	}
	// Files that change while a job is stopped are read from the start.
	for i, g := range damaged(t, 120, 7) {
		check0(t, os.WriteFile(filepath.Join(root, fmt.Sprintf("more%02d.sgf", i)), g.data, 0o600))
	}
	filling.Store(true)
	j, err = m.Paths(Spec{}, ".")
	check0(t, err)
	j = await(t, m, j.ID, Failed)
	check0(t, os.WriteFile(filepath.Join(root, "a", "b", "one.sgf"), append(game, game...), 0o600))
	check0(t, os.WriteFile(filepath.Join(root, "more00.sgf"), append(game, game...), 0o600))
	filling.Store(false)
	frail.fail(nil)
	check0(t, m.Resume(j.ID))
	if j = await(t, m, j.ID, Done); j.Runs < 2 {
		t.Errorf("%+v", j)
	}
	if list := allFaults(t, m, j.ID, 100); len(list) != int(j.Faults) || int64(sum(j.Counts.ByFault)) != j.Faults {
		t.Errorf("%d faults, %d counted, %v", len(list), j.Faults, j.Counts.ByFault)
	}
}

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

func TestLimits(t *testing.T) {
	m, lib := setup(t, Options{MaxUpload: 100, MaxFiles: 2, MaxJobs: 1, Keep: 2})
	u, err := m.Begin(Spec{})
	check0(t, err)
	if _, err := m.Begin(Spec{}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second upload: %v", err)
	}
	if _, err := u.Start(); !errors.Is(err, ErrInvalid) {
		t.Errorf("an empty upload: %v", err)
	}
	if _, err := u.Add("large", bytes.NewReader(make([]byte, 101))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a large file: %v", err)
	}
	broken := io.MultiReader(strings.NewReader("some"), failing{})
	if _, err := u.Add("broken", broken); err == nil {
		t.Error("a broken stream was taken")
	}
	if m.spooled != 0 {
		t.Errorf("%d bytes are counted for nothing", m.spooled)
	}
	for _, name := range []string{"a", "A"} {
		if _, err := u.Add(name, strings.NewReader(strings.Repeat(name, 50))); err != nil {
			t.Error(err)
		}
	}
	if _, err := u.Add("c", strings.NewReader("")); !errors.Is(err, ErrTooLarge) {
		t.Errorf("a third file: %v", err)
	}
	check0(t, m.Cancel(u.task.ID))
	if _, err := u.Add("d", strings.NewReader("")); !errors.Is(err, ErrState) {
		t.Errorf("after the end: %v", err)
	}
	if _, err := m.Get(u.task.ID); !errors.Is(err, ErrNotFound) || m.spooled != 0 {
		t.Errorf("%v, %d", err, m.spooled)
	}
	for range 4 {
		j := upload(t, m, Spec{}, []given{{"a", []byte("x")}})
		await(t, m, j.ID, Done)
	}
	// An upload that nobody starts is gone after a crash.
	u, err = m.Begin(Spec{})
	check0(t, err)
	_, err = u.Add("a", strings.NewReader("x"))
	check0(t, err)
	beside, err := Open(t.Context(), m.dir, lib, Options{})
	check0(t, err)
	if beside.dir != m.dir+"-2" || len(beside.List()) != 0 {
		t.Errorf("a second process has the jobs of the first: %s", beside.dir)
	}
	check0(t, beside.Close(t.Context()))
	check0(t, m.lock.Close())
	other, err := Open(t.Context(), m.dir, lib, Options{Keep: 2})
	check0(t, err)
	if list := other.List(); len(list) != 2 || list[0].ID != 5 || list[1].ID != 4 {
		t.Errorf("%+v", list)
	}
	check0(t, other.Close(t.Context()))
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("the line is dead") }

// TestTold: why a job failed can be read by everybody, and does not tell where
// the server keeps things.
func TestTold(t *testing.T) {
	at := filepath.FromSlash
	m := &Manager{dir: at("/srv/games/jobs"), rootDir: at("/srv/incoming")}
	for text, want := range map[string]string{
		"open /srv/games/jobs/3/spool/a/b.sgf: no such file":   "open a/b.sgf: no such file",
		"write /srv/games/jobs/3/journal.json: no space":       "write journal.json: no space",
		"catalog: /srv/games/catalog.db is damaged":            "catalog: catalog.db is damaged",
		"open /srv/incoming/deep/x.sgf: permission denied":     "open deep/x.sgf: permission denied",
		"jobs: the list of faults: disk I/O error":             "jobs: the list of faults: disk I/O error",
		"open /srv/games/jobs/4/spool/other.sgf: no such file": "open 4/spool/other.sgf: no such file",
	} {
		if got := m.told(3, errors.New(at(text))); got != at(want) {
			t.Errorf("%s is told as %s, want %s", text, got, want)
		}
	}
	m.dir, m.rootDir = "jobs", "" // a library in the working folder
	if got := m.told(3, errors.New(at("jobs: open jobs/3/spool/x: no"))); got != "jobs: open x: no" {
		t.Error(got)
	}
}
