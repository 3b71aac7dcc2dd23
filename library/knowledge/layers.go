package knowledge

import (
	"context"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"qipu/engine/endgame"
	"qipu/game"
	"qipu/index"
	"qipu/named"
	"qipu/pattern/kb"
)

// Layer tells where a shape or pattern is kept. Later layers lie above earlier ones:
// what they have takes the place of what has the same id below.
type Layer string

// The layers.
const (
	ShippedLayer Layer = "shipped" // with the program
	FolderLayer  Layer = "folder"  // a folder or file that the user names
	LibraryLayer Layer = "library" // the library: what can be changed through it
)

// LibraryPrefix stands before the names of the library's own files in messages.
const LibraryPrefix = "library/"

// Options say where the layers of a library lie.
type Options struct {
	Games   game.Catalog
	Dir     string   // the folder of the library's own files, which need not be there
	Folders []string // of the user, or single files, each above the one before

	// Endings are the tables of endings, whose endings have names; nil for none.
	Endings *endgame.Tables

	// Write runs a change of the library's own files while nobody else writes to
	// the library.
	Write func(ctx context.Context, change func() error) error
}

// Layers is what a library knows: the shipped shapes and patterns, the folders of the
// user above them, and above these the library's own files. It is safe for concurrent
// use.
//
// What is read is kept. A change through this process counts at once. One that is made
// outside counts for the next who asks, if the system gives the file or its folder
// another time or size: to see that costs one Stat for each folder and for each file
// in it, and no folder is listed unless its time has changed.
type Layers struct {
	options Options
	places  []place
	saving  sync.Mutex // one change at a time

	mu       sync.Mutex
	seen     []seen               // of each place
	changes  map[*fileForm]uint64 // through this process, which clocks of files may be too coarse to tell
	shapes   *Shapes
	patterns *Patterns
}

// Open returns the layers of a library. Nothing is read before it is asked for.
func Open(o Options) *Layers {
	own := place{layer: LibraryLayer, path: o.Dir, prefix: LibraryPrefix, absent: true}
	return &Layers{options: o, places: append(folderPlaces(o.Folders), own), changes: map[*fileForm]uint64{}}
}

// Version is that of the files of a base: another one once they have changed. Two
// processes that read the same files have the same one, as long as neither changes
// them.
type Version struct {
	Files   uint64 // changes with names, sizes and times
	Changes uint64 // through this process
}

// Versions are those of both bases.
type Versions struct{ Shapes, Patterns Version }

// Versions returns the state that the bases are in. What is read afterwards may be of
// a later one.
func (l *Layers) Versions() Versions {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	return Versions{l.version(&shapeForm), l.version(&patternForm)}
}

// Shapes returns the knowledge base of Go shapes.
func (l *Layers) Shapes() *Shapes {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	if v := l.version(&shapeForm); l.shapes == nil || l.shapes.Version != v {
		l.shapes = loadShapes(l.places, l.seen, v)
	}
	return l.shapes
}

// Patterns returns the relational patterns.
func (l *Layers) Patterns() *Patterns {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.look()
	if v := l.version(&patternForm); l.patterns == nil || l.patterns.Version != v {
		l.patterns = loadPatterns(l.options.Games, l.options.Endings, l.places, l.seen, v)
	}
	return l.patterns
}

// Names returns what has a name on the boards of a kind of game.
func (l *Layers) Names(k *index.Kind) (*named.Items, error) { return l.Patterns().Book(k) }

// look has seen be what lies in the places. The lock is held.
func (l *Layers) look() {
	if l.seen == nil {
		l.seen = make([]seen, len(l.places))
	}
	for i := range l.places {
		if s := &l.seen[i]; !s.holds(l.places[i].path) {
			*s = lookAt(l.places[i].path)
		}
	}
}

// version returns that of the files of a form, of which seen tells. The lock is held.
func (l *Layers) version(form *fileForm) Version {
	h := fnv.New64a()
	for i := range l.places {
		p := &l.places[i]
		for _, f := range l.seen[i].of(p, form) {
			fmt.Fprintln(h, f.path, f.state)
		}
		if reason := l.seen[i].fault(p); reason != "" {
			fmt.Fprintln(h, p.path, reason)
		}
	}
	return Version{h.Sum64(), l.changes[form]}
}

// change runs a change of the library's own files of a form while nobody else writes.
func (l *Layers) change(ctx context.Context, form *fileForm, change func(*ownFiles) error) error {
	l.saving.Lock()
	defer l.saving.Unlock()
	return l.options.Write(ctx, func() error {
		own, err := readOwn(l.options.Dir, form)
		if err == nil {
			err = change(own)
		}
		if err == nil {
			err = own.write()
		}
		l.mu.Lock()
		l.changes[form]++
		l.seen = nil
		l.mu.Unlock()
		return err
	})
}

// place is where files of a layer lie.
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

// lookAtAll looks at places for the first time.
func lookAtAll(places []place) []seen {
	list := make([]seen, len(places))
	for i := range places {
		list[i] = lookAt(places[i].path)
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

// state is what a system tells of a file or folder without reading it.
type state struct {
	size   int64
	time   int64
	folder bool
	reason string // why nothing is told
	absent bool
}

func stateOf(path string) state {
	info, err := os.Stat(path)
	if err != nil {
		return state{reason: "cannot be read: " + reason(err), absent: os.IsNotExist(err)}
	}
	s := state{time: info.ModTime().UnixNano(), folder: info.IsDir()}
	if !s.folder {
		s.size = info.Size()
	}
	return s
}

// reason returns what a system says without the path, which is told already.
func reason(err error) string {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// seen is what a place had when it was looked at last.
type seen struct {
	looked bool
	state  state
	fresh  bool   // the folder had changed just before: its time may stay while it changes once more
	files  []file // files that may be of a base, in the order of their names
	failed string
}

// file is one of a place.
type file struct {
	path  string
	state state
}

// coarse is how coarse the clock of a file system may be.
const coarse = 2 * time.Second

// lookAt looks at a folder or a single file.
func lookAt(path string) seen {
	s := seen{looked: true, state: stateOf(path)}
	switch {
	case s.state.reason != "":
	case !s.state.folder:
		s.files = []file{{path, s.state}}
	default:
		s.fresh = time.Since(time.Unix(0, s.state.time)) < coarse
		entries, err := os.ReadDir(path)
		if err != nil {
			s.failed = "cannot be read: " + reason(err)
		}
		for _, e := range entries {
			if shapeForm.has(e.Name()) || patternForm.has(e.Name()) {
				at := filepath.Join(path, e.Name())
				s.files = append(s.files, file{at, stateOf(at)})
			}
		}
	}
	return s
}

// holds tells whether what was seen is still so.
func (s *seen) holds(path string) bool {
	return s.looked && !s.fresh && s.failed == "" && s.state == stateOf(path) &&
		!slices.ContainsFunc(s.files, func(f file) bool { return f.state != stateOf(f.path) })
}

// fault returns why a place cannot be read, or "".
func (s *seen) fault(p *place) string {
	if s.state.absent && p.absent {
		return ""
	}
	return s.state.reason + s.failed
}

// of returns the files of a form. A place that is a single file counts unless its name
// is one of another form.
func (s *seen) of(p *place, form *fileForm) (list []file) {
	for _, f := range s.files {
		name := filepath.Base(f.path)
		if form.has(name) || f.path == p.path && !shapeForm.has(name) && !patternForm.has(name) {
			list = append(list, f)
		}
	}
	return list
}

// read reads the files of a form in places, from the lowest layer up: take is given
// each, and fault what cannot be read, by the name that it has in messages.
func (form *fileForm) read(places []place, list []seen, take func(layer Layer, shown, name string, data []byte), fault func(shown, reason string)) {
	for i := range places {
		if reason := list[i].fault(&places[i]); reason != "" {
			fault(places[i].path, reason)
		}
	}
	for i := range places {
		p := &places[i]
		for _, f := range list[i].of(p, form) {
			shown := p.shown(f.path)
			data, err := readSmall(f.path)
			if err != nil {
				fault(shown, "cannot be read: "+reason(err))
				continue
			}
			take(p.layer, shown, filepath.Base(f.path), data)
		}
	}
}

// readSmall reads a file that is no larger than one of a base may be.
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
