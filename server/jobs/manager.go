package jobs

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"qipu/internal/filelock"
	"qipu/library"
	"qipu/library/fetch"
	"qipu/store"
	"qipu/view"
)

// Importer is what jobs need of a library.
type Importer interface {
	Import(ctx context.Context, o library.ImportOptions, paths ...string) (*library.ImportReport, error)
	Stored(ctx context.Context, key string, c *library.Checkpoint) (bool, error)
	Journal() store.Journal
	Dir() string
}

var _ Importer = (*library.Library)(nil)

// Options say how jobs are run; the zero value of a field means its default.
type Options struct {
	Log *slog.Logger // default: none

	// Root is the folder of the server whose files may be imported by path. Where
	// it is empty, none may.
	Root string

	MaxUpload int64 // bytes in the spool, of all jobs together; default 16 GiB
	MaxFiles  int   // files of a job; default 100,000
	MaxJobs   int   // jobs that wait or are being uploaded; default 100
	Keep      int   // jobs that have ended and are kept; default 200
	Workers   int   // files read at the same time; default: all cores but one

	Net *fetch.Client // asks public sites; default: fetch.NewClient

	// OnChange hears of every change of a state at once, and of progress about
	// ten times a second. Calls come one at a time, the newest state last; it
	// may read from the Manager, and must not change anything by it.
	OnChange func(Job)

	batch int // games stored together; for tests
}

func (o *Options) defaults() {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	o.MaxUpload = cmp.Or(o.MaxUpload, 16<<30)
	o.MaxFiles = cmp.Or(o.MaxFiles, 100_000)
	o.MaxJobs = cmp.Or(o.MaxJobs, 100)
	o.Keep = cmp.Or(o.Keep, 200)
	o.Workers = cmp.Or(o.Workers, max(1, min(8, runtime.NumCPU()-1))) // readers keep a core while an import takes the others
	o.batch = cmp.Or(o.batch, 4096)
	if o.OnChange == nil {
		o.OnChange = func(Job) {}
	}
}

// Manager keeps the jobs of a library. It is safe for concurrent use.
type Manager struct {
	dir     string
	lock    *os.File // of the folder
	lib     Importer
	options Options
	root    *os.Root // nil where no path may be imported
	rootDir string

	mu      sync.Mutex
	tasks   map[int64]*task
	last    int64 // number given last
	spooled int64 // bytes in the spool
	closed  bool

	wake map[lane]chan struct{} // there may be a job to run
	stop context.CancelCauseFunc
	done chan struct{} // the runners have ended
	turn chan struct{} // whoever stores holds it: one at a time

	hook sync.Mutex // held while OnChange is called
}

// lane tells jobs that wait for sites of the net, which takes hours, from others, which do
// not wait for them.
type lane bool

const (
	near lane = false
	far  lane = true
)

func (t *task) lane() lane { return lane(t.Source == FromNet) }

// task is a job in the Manager, which guards it.
type task struct {
	stored
	upload *Upload                 // while it is Uploading
	cancel context.CancelCauseFunc // while it is Running
}

// What ends a run on purpose.
var (
	errCancelled = errors.New("cancelled")
	errStopped   = errors.New("the server was stopped")
)

const jobFile = "job.json"

// Open opens the jobs in a folder, which is made where there is none. Jobs that
// were running when the process before ended go on at once; uploads that were
// never started are removed. The library must stay open until Close. Where another
// process has the jobs of the folder, those of one beside it are opened.
func Open(ctx context.Context, dir string, lib Importer, o Options) (_ *Manager, err error) {
	o.defaults()
	m := &Manager{lib: lib, options: o, tasks: map[int64]*task{}, done: make(chan struct{}), turn: make(chan struct{}, 1),
		wake: map[lane]chan struct{}{near: make(chan struct{}, 1), far: make(chan struct{}, 1)}}
	if m.dir, m.lock, err = take(dir); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			m.lock.Close()
		}
	}()
	if o.Root != "" {
		root, err := filepath.EvalSymlinks(o.Root)
		if err == nil {
			root, err = filepath.Abs(root)
		}
		if err == nil {
			m.rootDir = root
			m.root, err = os.OpenRoot(root)
		}
		if err != nil {
			return nil, fmt.Errorf("jobs: the folder for imports: %w", err)
		}
	}
	if err := m.load(); err != nil {
		if m.root != nil {
			m.root.Close()
		}
		return nil, err
	}
	run, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	m.stop = stop
	go func() {
		defer close(m.done)
		var lanes sync.WaitGroup
		for l := range m.wake {
			lanes.Go(func() { m.loop(run, l) })
		}
		lanes.Wait()
	}()
	return m, nil
}

// take returns the first folder of a name that no other process has, locked: the name
// itself, or with a number.
func take(dir string) (string, *os.File, error) {
	const most = 16
	for n := 1; ; n++ {
		folder := dir
		if n > 1 {
			folder = fmt.Sprintf("%s-%d", dir, n)
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return "", nil, fmt.Errorf("jobs: %w", err)
		}
		f, err := os.OpenFile(filepath.Join(folder, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return "", nil, fmt.Errorf("jobs: %w", err)
		}
		if err = filelock.Lock(f); err == nil {
			return folder, f, nil
		}
		f.Close()
		if err != filelock.ErrHeld || n == most {
			return "", nil, fmt.Errorf("jobs: %s cannot be locked: %w", folder, err)
		}
	}
}

// load reads the jobs of the folder.
func (m *Manager) load() error {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if err := Load(filepath.Join(m.dir, "last"), &m.last); err != nil && !errors.Is(err, os.ErrNotExist) {
		m.options.Log.Warn("the number of the last job cannot be read: counting on from the jobs there are", "error", err)
	}
	for _, e := range entries {
		id, err := strconv.ParseInt(e.Name(), 10, 64)
		if err != nil || !e.IsDir() || id <= 0 {
			continue
		}
		m.last = max(m.last, id)
		t := &task{}
		err = Load(filepath.Join(m.folder(id), jobFile), &t.stored)
		switch {
		case errors.Is(err, os.ErrNotExist), err == nil && t.State == Uploading:
			// Nobody was told that it has started.
			m.sweep(id)
			continue
		case err != nil:
			m.options.Log.Error("a job cannot be read, and is left as it is", "job", id, "error", err)
			continue
		}
		t.ID = id
		switch t.State {
		case Running, Interrupted:
			t.State = Waiting
		case Done:
			// A kill may have come between the end and the tidying.
			m.tidy(id)
		}
		if t.Source != FromPath && t.State != Done {
			m.spooled += t.Bytes
		}
		m.tasks[id] = t
	}
	m.prune()
	return nil
}

func (m *Manager) folder(id int64) string { return filepath.Join(m.dir, strconv.FormatInt(id, 10)) }

// Close stops the job that runs, which goes on when the folder is opened
// again, and waits for it as long as the context lasts. What was stored stays.
func (m *Manager) Close(ctx context.Context) error {
	m.mu.Lock()
	already := m.closed
	m.closed = true
	var uploads []*Upload
	for _, t := range m.tasks {
		if t.upload != nil {
			uploads = append(uploads, t.upload)
		}
	}
	m.mu.Unlock()
	if already {
		return nil
	}
	for _, u := range uploads {
		u.Abort()
	}
	m.stop(errStopped)
	select {
	case <-m.done:
	case <-ctx.Done():
		return fmt.Errorf("jobs: the import has not stopped yet: %w", context.Cause(ctx))
	}
	m.lock.Close()
	if m.root != nil {
		return m.root.Close()
	}
	return nil
}

// List returns all jobs, the newest first.
func (m *Manager) List() []Job {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Job, 0, len(m.tasks))
	for _, t := range m.tasks {
		list = append(list, t.clone())
	}
	slices.SortFunc(list, func(a, b Job) int { return int(b.ID - a.ID) })
	return list
}

// Get returns a job.
func (m *Manager) Get(id int64) (Job, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.find(id)
	if err != nil {
		return Job{}, err
	}
	return t.clone(), nil
}

// find returns a task. The caller holds the lock.
func (m *Manager) find(id int64) (*task, error) {
	if t := m.tasks[id]; t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("%w: %d", ErrNotFound, id)
}

// Cancel stops a job soon. What was stored stays, and Resume goes on with it. An
// upload that was not started is removed.
func (m *Manager) Cancel(id int64) error {
	m.mu.Lock()
	t, err := m.find(id)
	if err != nil {
		m.mu.Unlock()
		return err
	}
	switch t.State {
	case Running:
		t.cancel(errCancelled)
		m.mu.Unlock()
		return nil
	case Uploading:
		up := t.upload
		m.mu.Unlock()
		up.Abort()
		return nil
	case Waiting, Held:
		t.State, t.Ended = Cancelled, time.Now()
		err := m.save(t)
		m.mu.Unlock()
		m.changed(id)
		return err
	}
	defer m.mu.Unlock()
	return fmt.Errorf("%w: job %d is %s, and cannot be cancelled", ErrState, id, t.State)
}

// Accept has a job that is Held wait for its turn.
func (m *Manager) Accept(id int64) error {
	return m.requeue(id, "accepted", func(t *task) bool { return t.State == Held })
}

// Resume has a job that failed or was cancelled go on where it stopped, when its
// turn comes.
func (m *Manager) Resume(id int64) error {
	return m.requeue(id, "resumed", func(t *task) bool { return t.State == Failed || t.State == Cancelled })
}

// requeue has a job wait for its turn, if it may.
func (m *Manager) requeue(id int64, what string, may func(*task) bool) error {
	m.mu.Lock()
	t, err := m.find(id)
	switch {
	case err != nil:
	case !may(t):
		err = fmt.Errorf("%w: job %d is %s, and cannot be %s", ErrState, id, t.State, what)
	default:
		if err = m.room(); err != nil {
			break
		}
		before := t.stored
		t.State, t.Queued, t.Ended, t.Error, t.Hint = Waiting, time.Now(), time.Time{}, "", ""
		if err = m.save(t); err != nil {
			t.stored = before
		}
	}
	m.mu.Unlock()
	if err != nil {
		return err
	}
	m.changed(id)
	m.poke()
	return nil
}

// Remove forgets a job that does not run, with its report, its list of faults
// and what is left of its files. Records that it stored stay in the library.
func (m *Manager) Remove(id int64) error {
	m.mu.Lock()
	t, err := m.find(id)
	if err == nil && (t.State == Running || t.State == Uploading) {
		err = fmt.Errorf("%w: job %d is %s: cancel it first", ErrState, id, t.State)
	}
	if err == nil {
		err = m.drop(t)
	}
	m.mu.Unlock()
	if err == nil {
		m.sweep(id)
	}
	return err
}

// drop forgets a job, whose folder is to be swept without the lock then: many
// files take their time. The caller holds the lock.
func (m *Manager) drop(t *task) error {
	// Without job.json, Open takes the rest for an upload that was given up.
	if err := os.Remove(filepath.Join(m.folder(t.ID), jobFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("jobs: %w", err)
	}
	if t.Source != FromPath && t.State != Done {
		m.spooled -= t.Bytes
	}
	delete(m.tasks, t.ID)
	return nil
}

// sweep removes the folders of jobs that were dropped.
func (m *Manager) sweep(ids ...int64) {
	for _, id := range ids {
		if err := os.RemoveAll(m.folder(id)); err != nil {
			m.options.Log.Warn("the folder of a job cannot be removed; the next start tries again", "job", id, "error", err)
		}
	}
}

// prune forgets the oldest jobs that have ended, beyond Keep. Those that can go
// on are no less forgotten: their files must not fill the disk for ever.
func (m *Manager) prune() {
	m.mu.Lock()
	var ended []*task
	var gone []int64
	for _, t := range m.tasks {
		if t.State.Ended() {
			ended = append(ended, t)
		}
	}
	slices.SortFunc(ended, func(a, b *task) int { return int(a.ID - b.ID) })
	for _, t := range ended[:max(0, len(ended)-m.options.Keep)] {
		if err := m.drop(t); err != nil {
			m.options.Log.Warn("an old job cannot be removed", "job", t.ID, "error", err)
			continue
		}
		gone = append(gone, t.ID)
	}
	m.mu.Unlock()
	m.sweep(gone...)
}

// tidy removes what a job that is done needs no more.
func (m *Manager) tidy(id int64) {
	dir := m.folder(id)
	for _, name := range []string{spoolDir, journalFile, filesFile} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			m.options.Log.Warn("the files of a job cannot be removed; the next start tries again", "job", id, "error", err)
		}
	}
}

// room reports whether another job may wait. The caller holds the lock.
func (m *Manager) room() error {
	if m.closed {
		return ErrClosed
	}
	n := 0
	for _, t := range m.tasks {
		if t.State == Waiting || t.State == Uploading || t.State == Held {
			n++
		}
	}
	if n >= m.options.MaxJobs {
		return fmt.Errorf("%w: %d, which is the limit; wait until one of them has run", ErrBusy, n)
	}
	return nil
}

// create makes a job that is Uploading. The caller holds the lock.
func (m *Manager) create(source Source, spec Spec) (*task, error) {
	if err := m.room(); err != nil {
		return nil, err
	}
	id := m.last + 1
	// The number is kept first: it is never given again, whatever is removed.
	if err := Replace(filepath.Join(m.dir, "last"), id); err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	m.last = id
	t := &task{stored: stored{
		Job: Job{ID: id, Source: source, Spec: spec, State: Uploading, Created: time.Now(), Progress: view.Progress{ETA: -1}},
		Key: rand.Text(),
	}}
	if err := os.MkdirAll(filepath.Join(m.folder(id), spoolDir), 0o700); err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	m.tasks[id] = t
	return t, nil
}

// save writes job.json. The caller holds the lock.
func (m *Manager) save(t *task) error {
	s := t.stored
	s.Job = s.clone()
	if err := Replace(filepath.Join(m.folder(t.ID), jobFile), &s); err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	return nil
}

// changed tells of a job as it is now.
func (m *Manager) changed(id int64) {
	m.hook.Lock()
	defer m.hook.Unlock()
	if j, err := m.Get(id); err == nil {
		m.options.OnChange(j)
	}
}

// poke has the runners look for a job.
func (m *Manager) poke() {
	for _, wake := range m.wake {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
}
