package qipu

import (
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"qipu/pattern/advise"
	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
	"qipu/store/shard"
)

// Layer tells where a shape is kept. Later layers lie above earlier ones: a shape
// of theirs takes the place of one with the same id below.
type Layer string

// The layers.
const (
	ShippedLayer Layer = "shipped" // with the program
	FolderLayer  Layer = "folder"  // a folder or file that the user names
	LibraryLayer Layer = "library" // the library: what can be changed through it
)

// shapeDir is the folder of shapes in a library.
const shapeDir = shard.KeptDir

// libraryPrefix stands before the names of its files in messages.
const libraryPrefix = "library/"

// The files beside those of shapes, in any folder of them.
const (
	evidenceFile   = "evidence.tsv"
	conditionsFile = "conditions.txt"
)

// Shapes is the knowledge base of Go shapes as it is at one moment: what is
// shipped, the folders of the user above it, and above these what the library
// holds. It is not changed once it is made, and may be read by many at once.
type Shapes struct {
	Base *kb.Base // its Faults are those of all files, which harm nothing else

	// Version is the same as long as no file has changed.
	Version int64

	evidence map[string]*kb.Evidence
	layers   map[string]Layer // of entries, by id
	files    []*kb.File       // that the base is made of
	lint     func() []kb.Finding
	adviser  func() (*advise.Adviser, error)
}

// LoadShapes returns the shipped shapes with those of folders, or single files,
// above them. Only files right in a folder count. What cannot be read is a fault
// of the base and harms nothing else, not even a folder that is not there.
func LoadShapes(folders ...string) *Shapes {
	places := folderPlaces(folders)
	return loadShapes(places, lookAt(places, shapeFile))
}

// place is where shapes of a layer lie.
type place struct {
	layer  Layer
	path   string
	prefix string // before the names of files in it
	absent bool   // it need not be there
}

func folderPlaces(folders []string) []place {
	list := make([]place, 0, len(folders)+1)
	for _, path := range folders {
		list = append(list, place{layer: FolderLayer, path: path, prefix: filepath.ToSlash(filepath.Clean(path)) + "/"})
	}
	return list
}

// shown returns how a file of the place is called in messages.
func (p *place) shown(path string) string {
	if path == p.path { // a file by itself
		return strings.TrimSuffix(p.prefix, "/")
	}
	return p.prefix + filepath.Base(path)
}

// foreign tells whether the place is a file by itself that belongs to another base:
// one of patterns is none of shapes. A file of any other name is taken for what is
// asked for.
func (p *place) foreign(fits func(string) bool) bool {
	name := filepath.Base(p.path)
	return !fits(name) && (shapeFile(name) || patternFile(name))
}

// stamp is what is known of the files of some places without reading them.
type stamp struct {
	files  [][]string // of each place, their paths
	faults []unread   // places
	sum    int64      // changes with names, sizes and times
}

// unread is a place that cannot be looked at, and why.
type unread struct{ path, reason string }

// shapeFile tells whether a file of that name is one of the base of shapes.
func shapeFile(name string) bool {
	return filepath.Ext(name) == ".shapes" || name == evidenceFile || name == conditionsFile
}

// lookAt looks at the files in places whose names fit. It costs some microseconds a
// file. A place that is itself a file counts if its name fits.
func lookAt(places []place, fits func(name string) bool) (s stamp) {
	h := fnv.New64a()
	for _, p := range places {
		var list []string
		info, err := os.Stat(p.path)
		switch {
		case err == nil && !info.IsDir():
			if p.foreign(fits) {
				break
			}
			list = []string{p.path}
			fmt.Fprintln(h, p.path, info.Size(), info.ModTime().UnixNano())
		case err == nil:
			var entries []os.DirEntry
			entries, err = os.ReadDir(p.path)
			for _, e := range entries {
				path := filepath.Join(p.path, e.Name())
				if !fits(e.Name()) {
					continue
				}
				list = append(list, path)
				if info, err := os.Stat(path); err == nil {
					fmt.Fprintln(h, path, info.Size(), info.ModTime().UnixNano())
				}
			}
		}
		if err != nil && !(p.absent && os.IsNotExist(err)) {
			s.faults = append(s.faults, unread{p.path, "cannot be read: " + reason(err)})
			fmt.Fprintln(h, p.path, err)
		}
		s.files = append(s.files, list)
	}
	s.sum = int64(h.Sum64() >> 1)
	return s
}

// reason returns what a system says without the path, which is told already.
func reason(err error) string {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// loadShapes reads the files of places.
func loadShapes(places []place, found stamp) *Shapes {
	s := &Shapes{
		Version: found.sum, evidence: map[string]*kb.Evidence{}, layers: map[string]Layer{},
	}
	for id, v := range shipped.Evidence() {
		s.evidence[id] = v
	}
	files := slices.Clone(shipped.Files())
	layers := make([]Layer, len(files))
	for i := range layers {
		layers[i] = ShippedLayer
	}
	faults := new(kb.File)
	for _, f := range found.faults {
		faults.Faults = append(faults.Faults, &kb.Error{File: f.path, Reason: f.reason})
	}
	conditions := new(advise.Conditions)
	add := func(name string, data []byte) {
		c, wrong := advise.Parse(name, data)
		conditions.Rules = append(conditions.Rules, c.Rules...)
		faults.Faults = append(faults.Faults, wrong...)
	}
	add("shipped/"+conditionsFile, shipped.Conditions())
	for i, p := range places {
		for _, path := range found.files[i] {
			name := filepath.Base(path)
			data, err := readSmall(path)
			switch shown := p.shown(path); {
			case err != nil:
				faults.Faults = append(faults.Faults, &kb.Error{File: shown, Reason: "cannot be read: " + reason(err)})
			case name == evidenceFile:
				list, wrong := kb.ParseEvidence(shown, data)
				for i := range list {
					s.evidence[list[i].ID] = &list[i]
				}
				faults.Faults = append(faults.Faults, wrong...)
			case name == conditionsFile:
				add(shown, data)
			default:
				files, layers = append(files, kb.Parse(shown, data)), append(layers, p.layer)
			}
		}
	}
	// The checks of a shape that is drawn anew above were those of another one.
	from := map[string]int{}
	for i, f := range files {
		for _, e := range f.Entries {
			from[e.ID], s.layers[e.ID] = i, layers[i]
		}
	}
	for i, f := range files {
		old := func(c kb.Check) bool { at, ok := from[c.ID]; return ok && layers[at] != layers[i] && at > i }
		if slices.ContainsFunc(f.Checks, old) {
			less := *f
			less.Checks = slices.DeleteFunc(slices.Clone(f.Checks), old)
			files[i] = &less
		}
	}
	s.files = append(files, faults)
	s.Base = kb.New(s.files...)
	s.adviser = adviserOf(s.Base, conditions)
	s.lint = sync.OnceValue(func() []kb.Finding { return s.Base.Lint(kb.LintOptions{Evidence: s.evidence}) })
	return s
}

// readSmall reads a file that is no larger than one of shapes may be.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is no file")
	}
	if info.Size() > kb.MaxFile {
		return nil, fmt.Errorf("%d bytes are more than the %d that are read: cut it into several", info.Size(), kb.MaxFile)
	}
	return os.ReadFile(path)
}

// Evidence returns what records say of a shape, or nil. Stale tells that the
// shape has changed since.
func (s *Shapes) Evidence(e *kb.Entry) (v *kb.Evidence, stale bool) {
	v = s.evidence[e.ID]
	return v, v != nil && v.Print != e.Fingerprint()
}

// AllEvidence returns what records say, by id. It must not be changed.
func (s *Shapes) AllEvidence() map[string]*kb.Evidence { return s.evidence }

// Faulty tells whether a file of the base could not be read in full.
func (s *Shapes) Faulty(file string) bool {
	return slices.ContainsFunc(s.Base.Faults, func(f *kb.Error) bool { return f.File == file })
}

// Lint returns what is wrong with the base. The first call works it out; the
// list must not be changed.
func (s *Shapes) Lint() []kb.Finding { return s.lint() }

// LintOf returns what is wrong with one shape, which costs less.
func (s *Shapes) LintOf(id string) []kb.Finding {
	return slices.DeleteFunc(s.Base.Lint(kb.LintOptions{Only: []string{id}, Evidence: s.evidence}), func(f kb.Finding) bool { return f.ID == "" })
}

// With returns the base with a shape laid above it, which is not kept: for lint
// to look at.
func (s *Shapes) With(f *kb.File) *kb.Base {
	files := slices.Clone(s.files)
	for i, old := range files {
		has := func(c kb.Check) bool {
			return slices.ContainsFunc(f.Entries, func(e kb.Entry) bool { return e.ID == c.ID })
		}
		if slices.ContainsFunc(old.Checks, has) {
			less := *old
			less.Checks = slices.DeleteFunc(slices.Clone(old.Checks), has)
			files[i] = &less
		}
	}
	return kb.New(append(files, f)...)
}

// Layer returns where a shape is kept.
func (s *Shapes) Layer(id string) Layer { return s.layers[id] }

// Checks returns the fixtures of a shape.
func (s *Shapes) Checks(id string) (list []*kb.Check) {
	for i := range s.Base.Checks {
		if s.Base.Checks[i].ID == id {
			list = append(list, &s.Base.Checks[i])
		}
	}
	return list
}

// Text returns a shape and its fixtures as they are written in files.
func (s *Shapes) Text(e *kb.Entry) string {
	out := e.AppendTo(nil)
	for _, c := range s.Checks(e.ID) {
		out = c.AppendTo(append(out, '\n'))
	}
	return string(out)
}

// NoShapeError tells that nothing in the base has a name, and what has a similar
// one.
type NoShapeError struct {
	Name string
	Near []string
}

func (e *NoShapeError) Error() string {
	if len(e.Near) == 0 {
		return fmt.Sprintf("qipu: no shape is called %q: qipu shapes list tells which there are", e.Name)
	}
	return fmt.Sprintf("qipu: no shape is called %q: is it %s?", e.Name, strings.Join(e.Near, " or "))
}

// Find returns the shapes that a name means: that of an entry, or all of a term.
// It fails with a *NoShapeError.
func (s *Shapes) Find(name string) ([]*kb.Entry, error) {
	if e := s.Base.Entry(name); e != nil {
		return []*kb.Entry{e}, nil
	}
	m := s.Base.Find(name)
	if m == nil {
		return nil, &NoShapeError{Name: name, Near: s.Base.Nearest(name, 3)}
	}
	list := m.Entries
	if m.Term != nil {
		for _, e := range s.Base.Of(m.Term.ID) {
			if !slices.Contains(list, e) {
				list = append(list[:len(list):len(list)], e)
			}
		}
	}
	return list, nil
}

// heldShapes are the shapes of a library as they were read last.
type heldShapes struct {
	sync.Mutex
	now     *Shapes
	changes int64      // through this process, which clocks of files may be too coarse to tell
	saving  sync.Mutex // one change at a time
}

// Shapes returns the knowledge base of Go shapes: the shipped ones, those of
// Options.Shapes, and those of the library. It is kept and read anew where a file
// has changed; to ask costs some microseconds a file of the user's.
func (l *Library) Shapes() *Shapes {
	places := l.shapePlaces()
	found := lookAt(places, shapeFile)
	held := &l.shapes
	held.Lock()
	defer held.Unlock()
	if found.sum += held.changes; held.now == nil || held.now.Version != found.sum {
		held.now = loadShapes(places, found)
	}
	return held.now
}

func (l *Library) shapePlaces() []place {
	return append(folderPlaces(l.options.Shapes), place{layer: LibraryLayer, path: filepath.Join(l.Dir(), shapeDir), prefix: libraryPrefix, absent: true})
}
