package jobs

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"qipu/record"
	"qipu/record/charset"
	"qipu/segment"
	"qipu/view"
)

const (
	spoolDir  = "spool"
	filesFile = "files.ndjson"
)

// Upload is a job that takes its files. It is safe for concurrent use.
type Upload struct {
	m    *Manager
	task *task
	root *os.Root // the spool

	mu    sync.Mutex
	names map[string]bool // that users know
	files []entry
	adds  int  // running
	over  bool // started or given up
	told  time.Time
}

// Begin begins a job whose files are uploaded. It waits for nobody; Start or
// Abort ends it.
func (m *Manager) Begin(spec Spec) (*Upload, error) { return m.begin(FromUpload, spec) }

func (m *Manager) begin(source Source, spec Spec) (*Upload, error) {
	if err := check(&spec); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	t, err := m.create(source, spec)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Join(m.folder(t.ID), spoolDir))
	if err != nil {
		m.drop(t)
		return nil, fmt.Errorf("jobs: %w", err)
	}
	t.upload = &Upload{m: m, task: t, root: root, names: map[string]bool{}}
	return t.upload, nil
}

// check makes a spec fit to be kept.
func check(s *Spec) error {
	s.Title, s.Collection = clip(s.Title), clip(s.Collection)
	if s.Encoding != "" && !charset.Known(s.Encoding) {
		return fmt.Errorf("%w: no encoding is called %q; try utf-8, gb18030, big5, shift_jis, euc-jp, euc-kr or windows-1252", ErrInvalid, s.Encoding)
	}
	return nil
}

// Add takes a file, to its end. The name may have folders, as in a folder that
// was dropped; whatever it is, the file stays inside the spool. Where it cannot
// be taken whole, nothing of it is.
func (u *Upload) Add(name string, r io.Reader) (view.JobFile, error) {
	e, f, err := u.create(name)
	if err != nil {
		return view.JobFile{}, err
	}
	in := &meter{u: u, r: r}
	n, err := io.Copy(f, in)
	err = errors.Join(err, f.Close())
	if err != nil {
		u.root.Remove(e.Path)
	}
	u.mu.Lock()
	if err == nil && u.over {
		err = fmt.Errorf("%w: the upload was given up", ErrState)
	}
	if err == nil {
		e.Size = n
		u.files = append(u.files, e)
		u.m.note(u.task, e.JobFile)
	} else {
		delete(u.names, e.Name)
		u.m.give(in.n)
	}
	u.adds--
	last := u.over && u.adds == 0
	u.mu.Unlock()
	if last {
		u.clear()
	}
	if err != nil {
		return view.JobFile{}, fmt.Errorf("jobs: %s cannot be taken: %w", e.Name, err)
	}
	if u.due() {
		u.m.changed(u.task.ID)
	}
	return e.JobFile, nil
}

// due reports whether it is time to tell of progress again.
func (u *Upload) due() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if time.Since(u.told) < 100*time.Millisecond {
		return false
	}
	u.told = time.Now()
	return true
}

// note counts a file that was taken.
func (m *Manager) note(t *task, f view.JobFile) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t.FileCount++
	t.Bytes += f.Size
	t.Progress.Total = t.Bytes
	if len(t.Files) < shownFiles {
		t.Files = append(t.Files, f)
	}
}

// create makes a new file in the spool, under a name that is free.
func (u *Upload) create(name string) (entry, *os.File, error) {
	shown, disk := Sanitise(name)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.over {
		return entry{}, nil, fmt.Errorf("%w: the upload is over", ErrState)
	}
	if len(u.files)+u.adds >= u.m.options.MaxFiles {
		return entry{}, nil, fmt.Errorf("%w: a job has %d files at most; put them into an archive", ErrTooLarge, u.m.options.MaxFiles)
	}
	e := entry{JobFile: view.JobFile{Name: shown}}
	for i := 2; u.names[e.Name]; i++ {
		e.Name = numbered(shown, fmt.Sprintf(" (%d)", i))
	}
	// Names that differ by case or by the form of their letters are one name on
	// some disks, and a folder may be called as a file is.
	e.Path = disk
	for i := 2; ; i++ {
		err := u.root.MkdirAll(path.Dir(e.Path), 0o700)
		if err == nil {
			var f *os.File
			if f, err = u.root.OpenFile(e.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				u.names[e.Name] = true
				u.adds++
				return e, f, nil
			}
			if !errors.Is(err, fs.ErrExist) {
				return entry{}, nil, fmt.Errorf("jobs: %w", err)
			}
			e.Path = numbered(disk, fmt.Sprintf("~%d", i))
		} else {
			e.Path = fmt.Sprintf("~%d/%s", i, path.Base(disk))
		}
		if i > 10_000 {
			return entry{}, nil, fmt.Errorf("jobs: no name can be found for %s: %w", shown, err)
		}
	}
}

// numbered puts a number before the extension of a name.
func numbered(name, number string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + number + ext
}

// meter takes bytes of the spool for what is read through it.
type meter struct {
	u *Upload
	r io.Reader
	n int64
}

func (r *meter) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	m := r.u.m
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed:
		return 0, ErrClosed
	case m.spooled+int64(n) > m.options.MaxUpload:
		return 0, fmt.Errorf("%w: all uploads together may be %d bytes; wait until a job has run, or remove one that cannot be resumed", ErrTooLarge, m.options.MaxUpload)
	}
	m.spooled += int64(n)
	r.n += int64(n)
	return n, err
}

// give gives bytes of the spool back.
func (m *Manager) give(n int64) {
	m.mu.Lock()
	m.spooled -= n
	m.mu.Unlock()
}

// Start ends the upload and has the job wait for its turn. When it returns, the
// job survives a power cut.
func (u *Upload) Start() (Job, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.over:
		return Job{}, fmt.Errorf("%w: the upload is over", ErrState)
	case u.adds > 0:
		return Job{}, fmt.Errorf("%w: %d files are still being taken", ErrState, u.adds)
	case len(u.files) == 0:
		return Job{}, fmt.Errorf("%w: there is no file in the upload", ErrInvalid)
	}
	if err := syncTree(filepath.Join(u.m.folder(u.task.ID), spoolDir)); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	j, err := u.m.enqueue(u.task, u.files)
	if err != nil {
		return Job{}, err
	}
	u.over = true
	u.root.Close()
	return j, nil
}

// enqueue has a job wait for its turn.
func (m *Manager) enqueue(t *task, files []entry) (Job, error) {
	dir := m.folder(t.ID)
	if err := writeLines(filepath.Join(dir, filesFile), files); err != nil {
		return Job{}, fmt.Errorf("jobs: %w", err)
	}
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return Job{}, ErrClosed
	}
	t.State, t.Queued = Waiting, time.Now()
	if t.Hold {
		t.State = Held
	}
	if t.Title == "" {
		t.Title = title(t)
	}
	err := m.save(t)
	if err == nil {
		err = segment.SyncDir(m.dir)
	}
	if err != nil {
		t.State = Uploading
		m.mu.Unlock()
		return Job{}, err
	}
	t.upload = nil
	j := t.clone()
	m.mu.Unlock()
	m.changed(t.ID)
	m.poke()
	return j, nil
}

// title makes a title of the files of a job.
func title(t *task) string {
	if len(t.Files) == 0 {
		return cmp.Or(t.Fetch, string(t.Source))
	}
	name := t.Files[0].Name
	if folder, _, ok := strings.Cut(name, "/"); ok && t.FileCount > 1 {
		name = folder
	}
	if t.FileCount > 1 && name == t.Files[0].Name {
		return fmt.Sprintf("%s +%d", name, t.FileCount-1)
	}
	return name
}

// Abort gives the upload up and removes its files. After Start it does nothing.
func (u *Upload) Abort() {
	u.mu.Lock()
	if u.over {
		u.mu.Unlock()
		return
	}
	u.over = true
	last := u.adds == 0
	u.mu.Unlock()
	if last {
		u.clear()
	}
}

// clear removes an upload that was given up, when nobody adds to it any more.
func (u *Upload) clear() {
	u.root.Close()
	u.m.mu.Lock()
	err := u.m.drop(u.task)
	u.m.mu.Unlock()
	if err == nil {
		u.m.sweep(u.task.ID)
	}
}

// Paste makes a job of a text.
func (m *Manager) Paste(spec Spec, text []byte, formats []record.Format) (Job, error) {
	name := "pasted.txt"
	if f := record.Detect(formats, text[:min(len(text), record.SniffLen)], ""); f != nil && len(f.Info().Extensions) > 0 {
		name = "pasted." + f.Info().Extensions[0]
	}
	return m.whole(FromPaste, spec, func(u *Upload) error {
		_, err := u.Add(name, strings.NewReader(string(text)))
		return err
	})
}

// Sample makes a job of games that come with the program: sample.JobFiles or
// sample.Played.
func (m *Manager) Sample(spec Spec, files fs.FS) (Job, error) {
	return m.whole(FromSample, spec, func(u *Upload) error {
		return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			f, err := files.Open(name)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = u.Add("sample/"+name, f)
			return err
		})
	})
}

// whole makes a job whose files are all at hand.
func (m *Manager) whole(source Source, spec Spec, add func(*Upload) error) (Job, error) {
	u, err := m.begin(source, spec)
	if err != nil {
		return Job{}, err
	}
	defer u.Abort()
	if err := add(u); err != nil {
		return Job{}, err
	}
	return u.Start()
}

// Paths makes a job of files and folders of the server, all below Options.Root,
// given relative to it. Links that lead out of it are not followed.
func (m *Manager) Paths(spec Spec, paths ...string) (Job, error) {
	if m.root == nil {
		return Job{}, fmt.Errorf("%w: this server reads no files of its own; start it with a folder for that (--import-root)", ErrOutside)
	}
	var list listing
	for _, p := range paths {
		if err := list.add(m, p); err != nil {
			return Job{}, err
		}
	}
	if len(list.files) == 0 {
		return Job{}, fmt.Errorf("%w: there is no file below %s", ErrInvalid, strings.Join(paths, ", "))
	}
	u, err := m.begin(FromPath, spec)
	if err != nil {
		return Job{}, err
	}
	defer u.Abort()
	m.mu.Lock()
	t := u.task
	t.FileCount, t.Bytes, t.Outside = len(list.files), list.bytes, list.outside
	t.Progress.Total = t.Bytes
	for _, f := range list.files[:min(len(list.files), shownFiles)] {
		t.Files = append(t.Files, f.JobFile)
	}
	m.mu.Unlock()
	u.mu.Lock()
	u.files = list.files
	u.mu.Unlock()
	return u.Start()
}

// listing is the files below paths of the root.
type listing struct {
	files   []entry
	bytes   int64
	outside int
}

func (l *listing) add(m *Manager, p string) error {
	p = path.Clean(filepath.ToSlash(p))
	if path.IsAbs(p) || filepath.IsAbs(filepath.FromSlash(p)) {
		rel, err := filepath.Rel(m.rootDir, filepath.FromSlash(p))
		if err != nil {
			return fmt.Errorf("%w: %s", ErrOutside, p)
		}
		p = filepath.ToSlash(rel)
	}
	if !fs.ValidPath(p) || !filepath.IsLocal(filepath.FromSlash(p)) {
		return fmt.Errorf("%w: %s", ErrOutside, p)
	}
	info, err := m.root.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%w: there is no %s", ErrInvalid, p)
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrOutside, p, err)
	case !info.IsDir():
		return l.file(m, p)
	}
	return fs.WalkDir(m.root.FS(), p, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // a folder that cannot be read is left out
		}
		return l.file(m, name)
	})
}

// file adds a file. Where it leads out of the root, it is counted.
func (l *listing) file(m *Manager, name string) error {
	info, err := m.root.Stat(name)
	if err != nil {
		l.outside++
		return nil
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	if len(l.files) >= m.options.MaxFiles {
		return fmt.Errorf("%w: a job has %d files at most; import the folders one by one", ErrTooLarge, m.options.MaxFiles)
	}
	l.files = append(l.files, entry{JobFile: view.JobFile{Name: name, Size: info.Size()}, Path: name})
	l.bytes += info.Size()
	return nil
}
