package jobs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"qipu/library/fetch"
	"qipu/view"
)

// Fetch makes a job of what a public site has: SITE:USER, or the address of a file. What
// comes is kept beside the library until all of it is there, and then imported as one: a
// job that was stopped asks for the rest alone.
func (m *Manager) Fetch(spec Spec, source string) (Job, error) {
	from, err := fetch.Parse(source)
	if wrong, ok := errors.AsType[*fetch.SourceError](err); ok {
		return Job{}, fmt.Errorf("%w: %s", ErrInvalid, wrong.Why)
	}
	if err != nil {
		return Job{}, err
	}
	spec.Fetch = from.String()
	if err := check(&spec); err != nil {
		return Job{}, err
	}
	m.mu.Lock()
	t, err := m.create(FromNet, spec)
	m.mu.Unlock()
	if err != nil {
		return Job{}, err
	}
	j, err := m.enqueue(t, nil)
	if err != nil {
		m.mu.Lock()
		dropped := m.drop(t)
		m.mu.Unlock()
		if dropped == nil {
			m.sweep(t.ID)
		}
	}
	return j, err
}

// fetch brings what is to come, and stores it. That there is nothing new is an end as good
// as another.
func (r *running) fetch(ctx context.Context) error {
	from, err := fetch.Parse(r.spec.Fetch)
	if err != nil {
		return err
	}
	f, err := fetch.Begin(r.lib.Dir(), from, r.options.Net)
	if err != nil {
		return err
	}
	defer f.Close()
	paths, err := f.Load(ctx, r.came)
	if errors.Is(err, fetch.ErrNothing) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.task.Counts = cloned(view.JobCounts{})
		return nil
	}
	if err != nil {
		return err
	}
	files := make([]entry, len(paths))
	for i, p := range paths {
		r.base = filepath.Dir(p)
		files[i] = entry{JobFile: view.JobFile{Name: filepath.Base(p)}, Path: filepath.Base(p)}
	}
	if err := r.store(ctx, files); err != nil {
		return err
	}
	return f.Done()
}

// came takes how much has come.
func (r *running) came(p fetch.Progress) {
	r.mu.Lock()
	r.task.Progress.Pieces, r.task.Progress.Fetched = p.Pieces, p.Bytes
	r.mu.Unlock()
	r.changed(r.task.ID)
}
