package jobs

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"qipu/ingest"
	"qipu/library"
	"qipu/library/fetch"
	"qipu/record"
	"qipu/store"
	"qipu/view"
)

// loop runs the jobs of a lane, one at a time, until the Manager is closed.
func (m *Manager) loop(ctx context.Context, l lane) {
	for {
		t := m.next(ctx, l)
		if t == nil {
			select {
			case <-m.wake[l]:
				continue
			case <-ctx.Done():
				return
			}
		}
		m.run(ctx, t)
	}
}

// next returns the job of a lane whose turn it is, or nil.
func (m *Manager) next(ctx context.Context, l lane) *task {
	m.mu.Lock()
	defer m.mu.Unlock()
	var waiting []*task
	for _, t := range m.tasks {
		if t.State == Waiting && t.lane() == l {
			waiting = append(waiting, t)
		}
	}
	if len(waiting) == 0 || ctx.Err() != nil {
		return nil
	}
	byQueue(waiting)
	return waiting[0]
}

// run runs a job to whatever end it comes to.
func (m *Manager) run(ctx context.Context, t *task) {
	ctx, cancel := context.WithCancelCause(store.As(ctx, t.By))
	defer cancel(nil)
	m.mu.Lock()
	if t.State != Waiting { // cancelled just now
		m.mu.Unlock()
		return
	}
	t.State, t.cancel = Running, cancel
	t.Runs++
	if t.Started.IsZero() {
		t.Started = time.Now()
	}
	err := m.save(t)
	m.mu.Unlock()
	m.changed(t.ID)
	m.options.Log.Info("import begins", "job", t.ID, "title", t.Title, "files", t.FileCount, "bytes", t.Bytes, "run", t.Runs)
	if err == nil {
		err = m.work(ctx, t)
	}
	m.finish(ctx, t, err)
}

// finish puts a job into the state that its run ended in.
func (m *Manager) finish(ctx context.Context, t *task, err error) {
	cause := context.Cause(ctx)
	stopped := errors.Is(err, cause) || errors.Is(err, context.Canceled)
	m.mu.Lock()
	t.cancel = nil
	t.Progress.ETA = -1
	t.Ended = time.Now()
	switch {
	case err == nil:
		t.State = Done
		t.Progress.ETA = 0
		t.Progress.Bytes = t.Progress.Total
	case stopped && cause == errStopped:
		t.State, t.Ended = Interrupted, time.Time{}
	case stopped && cause == errCancelled:
		t.State = Cancelled
	default:
		t.State, t.Error, t.Hint = Failed, m.told(t.ID, err), hint(err)
	}
	saved := m.save(t)
	if saved != nil {
		// On the disk it still runs: the next start goes on with it.
		m.options.Log.Error("the state of a job cannot be written", "job", t.ID, "error", saved)
	}
	m.options.Log.Info("import ends", "job", t.ID, "state", t.State, "new", t.Counts.New, "records", t.Counts.Records,
		"rejected", t.Counts.Rejected, "seconds", t.Progress.Elapsed, "error", t.Error)
	tidy := t.State == Done && saved == nil
	m.mu.Unlock()
	m.changed(t.ID)
	if tidy {
		m.tidy(t.ID) // many files take their time: nobody waits for it
	}
	if tidy && t.Source != FromPath {
		m.give(t.Bytes)
	}
	m.prune()
}

// told returns the text of an error as everybody may read it who sees a job:
// with files as the user knows them, and without where the server keeps them.
func (m *Manager) told(id int64, err error) string {
	text, cut := err.Error(), []string{filepath.Join(m.folder(id), spoolDir), m.folder(id), m.dir, filepath.Dir(m.dir), m.rootDir}
	for _, dir := range cut {
		if dir != "" && dir != "." {
			text = strings.ReplaceAll(text, dir+string(filepath.Separator), "")
		}
	}
	return strings.TrimPrefix(text, "fetch: ")
}

// hint tells what to do about an error that ended an import.
func hint(err error) string {
	switch {
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC):
		return "free some space on the disk of the library, then resume the job: what was stored is safe"
	case errors.Is(err, store.ErrDamaged), store.Repairable(err):
		return "have the library repaired, then resume the job"
	case errors.Is(err, store.ErrReadOnly):
		return "open the library for writing, then resume the job"
	case errors.Is(err, fetch.ErrNotFound):
		return "look at how the name is written on the site, and fetch it under that"
	case strings.HasPrefix(err.Error(), "fetch: "):
		return "resume the job later: what has come is kept, and is not asked for again"
	case errors.Is(err, os.ErrPermission):
		return "let the server read and write the folder, then resume the job"
	}
	return "resume the job; what was stored is safe"
}

// work reads the files of a job into the library. Where they are not those
// any more that an earlier run has read, it begins anew.
func (m *Manager) work(ctx context.Context, t *task) error {
	r := &running{Manager: m, task: t, began: time.Now(), base: filepath.Join(m.folder(t.ID), spoolDir)}
	m.mu.Lock()
	r.spec, r.source, r.elapsed = t.Spec, t.Source, t.Progress.Elapsed
	m.mu.Unlock()
	switch r.source {
	case FromNet:
		return r.fetch(ctx)
	case FromPath:
		r.base = m.rootDir
	}
	files, err := readLines[entry](filepath.Join(m.folder(t.ID), filesFile))
	if err != nil {
		return fmt.Errorf("jobs: the list of files: %w", err)
	}
	return r.store(ctx, files)
}

// store reads files into the library when nobody else does.
func (r *running) store(ctx context.Context, files []entry) error {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for {
		err := r.run(ctx, files)
		if !errors.Is(err, ingest.ErrChanged) {
			return err
		}
		r.options.Log.Warn("the files of a job have changed: reading them from the start", "job", r.task.ID)
		if err := r.forget(true); err != nil {
			return err
		}
	}
}

// running is a run of a job.
type running struct {
	*Manager
	task    *task
	spec    Spec
	source  Source
	base    string // the folder that its files are in
	began   time.Time
	elapsed float64 // of the runs before
	faults  *faultList
	journal journal
	speed   speed
}

// journal is what journal.json holds: the checkpoint whose batch is stored, and
// the one whose batch is about to be.
type journal struct {
	Last *library.Checkpoint `json:"last"`
	Next *library.Checkpoint `json:"next"`
}

const journalFile = "journal.json"

func (r *running) path(name string) string { return filepath.Join(r.folder(r.task.ID), name) }

// run imports all that is not imported yet.
func (r *running) run(ctx context.Context, files []entry) error {
	from, err := r.resume(ctx)
	if err != nil {
		return err
	}
	o := library.ImportOptions{
		Collection: r.spec.Collection, Again: r.spec.Again, DryRun: r.spec.CheckOnly,
		Transient: r.source != FromPath, BatchGames: r.options.batch,
		Journal: &library.Journal{Key: r.task.Key, From: from, Save: r.keep},
		Options: ingest.Options{
			Workers: r.options.Workers, Encoding: r.spec.Encoding, Variations: r.spec.Variations,
			OnFaultBytes: func(f *record.Fault, at []byte) { r.faults.add(f, at) },
			OnProgress:   r.progress,
		},
	}
	o.OnStored = r.publish
	paths := r.paths(files, &o)
	if r.source == FromNet {
		o.From = []string{r.spec.Fetch}
	} else {
		for _, f := range files {
			o.From = append(o.From, f.Name)
		}
	}
	report, err := r.lib.Import(ctx, o, paths...)
	err = errors.Join(err, r.faults.close())
	change := r.change(ctx)
	r.mu.Lock()
	r.task.Change = change
	// A run that did not come to its end leaves the counts of what is stored.
	if err == nil {
		r.task.Counts = countsOf(report)
	}
	r.task.Faults = r.faults.count()
	r.task.Progress.Elapsed = r.elapsed + time.Since(r.began).Seconds()
	r.mu.Unlock()
	return err
}

// change returns what the import is in the journal of the library, 0 where it has stored nothing.
func (r *running) change(ctx context.Context) int64 {
	list, err := r.lib.Journal().Changes(context.WithoutCancel(ctx), store.Page{Limit: 1, Key: library.ImportKey(r.task.Key)})
	if err != nil || len(list) == 0 || r.spec.CheckOnly {
		return 0
	}
	return list[0].ID
}

// paths returns what to read, and has the options give users' names to it.
func (r *running) paths(files []entry, o *library.ImportOptions) []string {
	base := r.base
	paths := make([]string, len(files))
	renamed := map[string]string{} // names that could not be kept on the disk
	for i, f := range files {
		paths[i] = filepath.Join(base, filepath.FromSlash(f.Path))
		if f.Name != f.Path {
			renamed[paths[i]] = f.Name
		}
	}
	o.Names = func(path string) string {
		if name, ok := renamed[path]; ok {
			return name
		}
		rel := strings.TrimPrefix(strings.TrimPrefix(path, base), string(filepath.Separator))
		return filepath.ToSlash(rel)
	}
	return paths
}

// resume returns the checkpoint to go on from, nil to begin, and has the list
// of faults be what it was then.
func (r *running) resume(ctx context.Context) (*library.Checkpoint, error) {
	from, err := r.checkpoint(ctx)
	if err != nil {
		return nil, err
	}
	n := int64(0)
	if from != nil {
		n = int64(from.Faults())
	}
	whole := true
	if r.faults, whole, err = openFaults(r.path(faultsFile), n); err != nil {
		return nil, fmt.Errorf("jobs: the list of faults: %w", err)
	}
	if !whole {
		// The journal outlived the list, as a damaged disk may have it.
		if err := r.forget(true); err != nil {
			r.faults.close()
			return nil, err
		}
		from = nil
	}
	r.mu.Lock()
	r.journal = journal{Last: from}
	if from != nil {
		r.task.Counts = countsOf(from.Report())
	} else {
		r.task.Counts = cloned(view.JobCounts{})
	}
	r.task.Faults = r.faults.count()
	r.mu.Unlock()
	return from, nil
}

// checkpoint returns the newest checkpoint that is in the library, nil if there
// is none.
func (r *running) checkpoint(ctx context.Context) (*library.Checkpoint, error) {
	if r.spec.CheckOnly {
		return nil, nil // nothing is stored, so nothing is kept: it begins anew
	}
	var j journal
	err := Load(r.path(journalFile), &j)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		for _, c := range []*library.Checkpoint{j.Next, j.Last} {
			if c == nil || c.Track == nil {
				continue
			}
			stored, err := r.lib.Stored(ctx, r.task.Key, c)
			if err != nil {
				return nil, fmt.Errorf("jobs: what is stored already: %w", err)
			}
			if stored {
				return c, nil
			}
		}
	}
	if err == nil && j.Last == nil {
		return nil, nil // not even the first batch was stored
	}
	// The library is another one, or the journal cannot be read.
	r.options.Log.Warn("what a job has stored is not known any more: reading its files from the start", "job", r.task.ID, "error", err)
	return nil, r.forget(true)
}

// forget has the job begin anew, under another key.
func (r *running) forget(restarted bool) error {
	if err := os.Remove(r.path(journalFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("jobs: %w", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.task.Key, r.task.Restarted = rand.Text(), restarted
	return r.save(r.task)
}

// keep writes a checkpoint, and all faults that it counts, to the disk.
func (r *running) keep(c *library.Checkpoint) error {
	if err := r.faults.flush(true); err != nil {
		return fmt.Errorf("jobs: the list of faults: %w", err)
	}
	r.mu.Lock()
	j := journal{Last: r.journal.Next, Next: c}
	if j.Last == nil {
		j.Last = r.journal.Last
	}
	r.journal = j
	r.mu.Unlock()
	if err := Replace(r.path(journalFile), &j); err != nil {
		return fmt.Errorf("jobs: the journal: %w", err)
	}
	return nil
}

// publish shows what the last batch has added. A job that only checks has no
// journal, and what it read is counted at its end.
func (r *running) publish(report *library.ImportReport) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := &r.task.Counts
	if next := r.journal.Next; next != nil {
		*c = countsOf(next.Report())
	}
	c.New, c.Duplicates, c.Fuller, c.Twins = report.New, report.Duplicates, report.Fuller, report.Twins
}

// progress takes what ingest tells about ten times a second.
func (r *running) progress(p ingest.Progress) {
	// A page of faults is to show those of just now.
	if err := r.faults.flush(false); err != nil {
		r.options.Log.Warn("faults cannot be written", "job", r.task.ID, "error", err)
	}
	r.mu.Lock()
	q := &r.task.Progress
	q.Total = max(p.Total, r.task.Bytes)
	q.Bytes = min(p.Bytes, q.Total)
	q.Files, q.Records = p.Files, p.Games
	q.Elapsed = r.elapsed + time.Since(r.began).Seconds()
	q.Rate, q.ETA = r.speed.at(time.Now(), p.Games, p.Bytes, q.Total)
	r.task.Faults = r.faults.count()
	r.mu.Unlock()
	r.changed(r.task.ID)
}

// speed is how fast an import has been over the last seconds.
type speed struct {
	samples []reading
}

type reading struct {
	at             time.Time
	records, bytes int64
}

// speedSpan is the time that a speed is that of. It is longer than the storing
// of a batch, during which little is read.
const speedSpan = 10 * time.Second

// at takes what was read until now, and returns the records a second and the
// seconds that are left, which are negative where nobody can tell.
func (s *speed) at(now time.Time, records, bytes, total int64) (rate, left float64) {
	s.samples = append(s.samples, reading{now, records, bytes})
	for len(s.samples) > 2 && now.Sub(s.samples[1].at) > speedSpan {
		s.samples = s.samples[1:]
	}
	first := s.samples[0]
	seconds := now.Sub(first.at).Seconds()
	if seconds < 0.2 {
		return 0, -1
	}
	rate = float64(records-first.records) / seconds
	if flow := float64(bytes-first.bytes) / seconds; flow > 0 {
		return rate, float64(max(0, total-bytes)) / flow
	}
	return rate, -1
}
