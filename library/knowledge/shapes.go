package knowledge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"qipu/pattern/advise"
	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
	"qipu/remedy"
)

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

	// Version is the same as long as no file has changed; zero of shapes that no library keeps.
	Version Version

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
	return loadShapes(places, lookAtAll(places), Version{})
}

// loadShapes reads the files of places.
func loadShapes(places []place, found []seen, v Version) *Shapes {
	s := &Shapes{Version: v, evidence: maps.Clone(shipped.Evidence()), layers: map[string]Layer{}}
	files := slices.Clone(shipped.Files())
	layers := slices.Repeat([]Layer{ShippedLayer}, len(files))
	faults := new(kb.File)
	conditions := new(advise.Conditions)
	add := func(name string, data []byte) {
		c, wrong := advise.Parse(name, data)
		conditions.Rules = append(conditions.Rules, c.Rules...)
		faults.Faults = append(faults.Faults, wrong...)
	}
	add("shipped/"+conditionsFile, shipped.Conditions())
	shapeForm.read(places, found, func(layer Layer, shown, name string, data []byte) {
		switch name {
		case evidenceFile:
			list, wrong := kb.ParseEvidence(shown, data)
			for i := range list {
				s.evidence[list[i].ID] = &list[i]
			}
			faults.Faults = append(faults.Faults, wrong...)
		case conditionsFile:
			add(shown, data)
		default:
			files, layers = append(files, kb.Parse(shown, data)), append(layers, layer)
		}
	}, func(shown, reason string) {
		faults.Faults = append(faults.Faults, &kb.Error{File: shown, Reason: reason})
	})
	// The checks of a shape that is drawn anew above were those of another one.
	from := map[string]int{}
	for i, f := range files {
		for _, e := range f.Entries {
			from[e.ID], s.layers[e.ID] = i, layers[i]
		}
	}
	for i, f := range files {
		files[i] = without(f, func(c kb.Check) bool { at, ok := from[c.ID]; return ok && layers[at] != layers[i] && at > i })
	}
	s.files = append(files, faults)
	s.Base = kb.New(s.files...)
	s.adviser = adviserOf(s.Base, conditions)
	s.lint = sync.OnceValue(func() []kb.Finding { return s.Base.Lint(kb.LintOptions{Evidence: s.evidence}) })
	return s
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
		files[i] = without(old, func(c kb.Check) bool {
			return slices.ContainsFunc(f.Entries, func(e kb.Entry) bool { return e.ID == c.ID })
		})
	}
	return kb.New(append(files, f)...)
}

// without returns a file without some of its checks: a copy, where it has such.
func without(f *kb.File, drop func(kb.Check) bool) *kb.File {
	if !slices.ContainsFunc(f.Checks, drop) {
		return f
	}
	less := *f
	less.Checks = slices.DeleteFunc(slices.Clone(f.Checks), drop)
	return &less
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
		return fmt.Sprintf("qipu: no shape is called %q", e.Name)
	}
	return fmt.Sprintf("qipu: no shape is called %q: is it %s?", e.Name, strings.Join(e.Near, " or "))
}

// Remedy returns what can be done where no name is like it.
func (e *NoShapeError) Remedy() remedy.Remedy {
	if len(e.Near) > 0 {
		return remedy.Remedy{}
	}
	return remedy.ListShapes.With("")
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
