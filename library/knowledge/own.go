package knowledge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"qipu/pattern/kb"
	"qipu/segment"
)

// ErrNotOwn tells that a shape is not one of the library, and cannot be changed
// through it.
var ErrNotOwn = errors.New("it is not kept in the library")

// ErrShape tells that a text is not one shape.
var ErrShape = errors.New("it is not one shape")

// ParseShape reads a text that is to be one shape with its fixtures and, where it
// brings new ones, its terms. It fails with ErrShape, or with the *kb.Error of
// the first fault.
func ParseShape(name, text string) (*kb.File, error) {
	f := kb.Parse(name, []byte(text))
	switch {
	case len(f.Faults) > 0:
		return nil, f.Faults[0]
	case len(f.Entries) != 1:
		return nil, fmt.Errorf("qipu: %w: the text has %d blocks that begin with shape", ErrShape, len(f.Entries))
	}
	for _, c := range f.Checks {
		if c.ID != f.Entries[0].ID {
			return nil, fmt.Errorf("qipu: %w: there is a check of %s beside the shape %s", ErrShape, c.ID, f.Entries[0].ID)
		}
	}
	return f, nil
}

// SaveShapes keeps shapes with their fixtures in the library, in place of those
// with the same ids. All else in the files that they stand in stays as it is; new
// ones go into the files of their main terms. Each file is written once, whole or
// not at all. A library that is open for reading only is opened for writing for
// that while.
func (l *Layers) SaveShapes(ctx context.Context, f *kb.File) error {
	if len(f.Entries) == 0 {
		return fmt.Errorf("qipu: %w: there is none", ErrShape)
	}
	for i := range f.Entries {
		if err := f.Entries[i].Validate(); err != nil {
			return err
		}
		if slices.ContainsFunc(f.Entries[:i], func(e kb.Entry) bool { return e.ID == f.Entries[i].ID }) {
			return fmt.Errorf("qipu: %w: there are two that are called %s", ErrShape, f.Entries[i].ID)
		}
	}
	return l.change(ctx, &shapeForm, func(own *ownFiles) error {
		terms := f.Terms
		for i := range f.Entries {
			e := f.Entries[i]
			if e.Origin == kb.Hand { // which is what the program brings along
				e.Origin = kb.User
			}
			path := own.file(e.ID)
			if path == "" {
				name := "own"
				if len(e.Terms) > 0 && fileWord(e.Terms[0]) {
					name = e.Terms[0]
				}
				path = own.path(name)
			}
			var blocks []string
			for i := range terms { // with the first shape, before all that name them
				blocks = append(blocks, string(terms[i].AppendTo(nil)))
			}
			blocks = append(blocks, string(e.AppendTo(nil)))
			for i := range f.Checks {
				if f.Checks[i].ID == e.ID {
					blocks = append(blocks, string(f.Checks[i].AppendTo(nil)))
				}
			}
			own.put(path, withBlocks(own.texts[path], own.form, e.ID, func(id string) bool {
				return slices.ContainsFunc(terms, func(t kb.Term) bool { return t.ID == id })
			}, blocks))
			terms = nil
		}
		return nil
	})
}

// DeleteShape takes a shape of the library out of it, with its fixtures. One that
// lies below it, in a folder or among the shipped ones, counts again then. It
// fails with ErrNotOwn where the library has none with the id.
func (l *Layers) DeleteShape(ctx context.Context, id string) error {
	return l.deleteBlock(ctx, &shapeForm, id)
}

// deleteBlock takes a shape or pattern of the library out of it, with its fixtures.
func (l *Layers) deleteBlock(ctx context.Context, form *fileForm, id string) error {
	return l.change(ctx, form, func(own *ownFiles) error {
		path := own.file(id)
		if path == "" {
			return fmt.Errorf("qipu: the %s %q: %w: only what was added to the library can be deleted", form.kind, id, ErrNotOwn)
		}
		own.put(path, withBlocks(own.texts[path], form, id, nil, nil))
		return nil
	})
}

// fileForm is a form of files that a base is made of.
type fileForm struct {
	ext    string
	beside []string // names of further files of the base
	kind   string   // the word that begins the blocks that have ids of their own
	blocks []string // all words that begin blocks
}

var (
	shapeForm   = fileForm{".shapes", []string{evidenceFile, conditionsFile}, "shape", []string{"term", "shape", "check"}}
	patternForm = fileForm{".patterns", nil, "pattern", []string{"pattern", "check"}}
)

// has tells whether a file of a name is of the form.
func (form *fileForm) has(name string) bool {
	return filepath.Ext(name) == form.ext || slices.Contains(form.beside, name)
}

// ownFiles are the files of a form of a library while they are changed.
type ownFiles struct {
	dir     string
	form    *fileForm
	texts   map[string]string // by path
	files   map[string]string // of a shape or pattern, by id: the last one, which counts
	unread  map[string]error  // why a file could not be read, by path
	changed []string          // paths
}

// readOwn reads the files of a folder, which need not be there. One that cannot be
// read is a fault of the base, and told there; it cannot be changed.
func readOwn(dir string, form *fileForm) (*ownFiles, error) {
	own := &ownFiles{dir: dir, form: form, texts: map[string]string{}, files: map[string]string{}, unread: map[string]error{}}
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("qipu: %w", err)
	}
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if filepath.Ext(path) != form.ext {
			continue
		}
		data, err := readSmall(path)
		if err != nil {
			own.unread[path] = err
			continue
		}
		own.take(path, string(data))
	}
	return own, nil
}

func (o *ownFiles) take(path, text string) {
	o.texts[path] = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r\n", "\n")
	for _, b := range o.form.blocksOf(o.texts[path]) {
		if b.kind == o.form.kind && path >= o.files[b.id] {
			o.files[b.id] = path
		}
	}
}

// path returns that of a file by its name.
func (o *ownFiles) path(name string) string { return filepath.Join(o.dir, name+o.form.ext) }

// file returns the path of the file that has a shape or pattern, or "".
func (o *ownFiles) file(id string) string { return o.files[id] }

// put changes the text of a file.
func (o *ownFiles) put(path, text string) {
	o.take(path, text)
	if !slices.Contains(o.changed, path) {
		o.changed = append(o.changed, path)
	}
}

// write writes the files that were changed, and removes those that have nothing
// left.
func (o *ownFiles) write() error {
	if err := os.MkdirAll(o.dir, 0o777); err != nil {
		return fmt.Errorf("qipu: %w", err)
	}
	for _, path := range o.changed {
		if err := o.unread[path]; err != nil {
			return fmt.Errorf("qipu: %s cannot be read, and stays as it is: %w", path, err)
		}
		if len(o.texts[path]) > kb.MaxFile {
			return fmt.Errorf("qipu: %s would have more than %d bytes: move some of it into another file", path, kb.MaxFile)
		}
	}
	for _, path := range o.changed {
		var err error
		if text := o.texts[path]; strings.TrimSpace(text) == "" {
			err = os.Remove(path)
		} else {
			err = segment.Replace(path, 0o644, []byte(text))
		}
		if err != nil {
			return fmt.Errorf("qipu: %w", err)
		}
	}
	return nil
}

// fileWord tells whether an id makes a name of a file on every system.
func fileWord(id string) bool {
	return id != "" && len(id) <= 60 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" &&
		!slices.Contains([]string{"con", "prn", "aux", "nul"}, id) && !strings.HasPrefix(id, "com") && !strings.HasPrefix(id, "lpt")
}

// span is where a block stands in a text of shapes.
type span struct {
	kind, id string
	from, to int // bytes
}

// blocksOf returns where the blocks of a text stand. Comments right above a block
// are part of it, so that they come and go with it.
func (form *fileForm) blocksOf(text string) (list []span) {
	at, comment := 0, -1 // where the comments before a block begin
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		plain := line[0] != ' ' && line[0] != '\t'
		switch {
		case plain && len(words) > 0 && slices.Contains(form.blocks, words[0]):
			from := at
			if comment >= 0 {
				from = comment
			}
			if n := len(list); n > 0 {
				list[n-1].to = from
			}
			b := span{kind: words[0], from: from, to: len(text)}
			if len(words) > 1 {
				b.id = words[1]
			}
			list, comment = append(list, b), -1
		case len(words) == 0:
			comment = -1
		case plain && strings.HasPrefix(line, "//"):
			if comment < 0 {
				comment = at
			}
		default:
			comment = -1
		}
		at += len(line)
	}
	return list
}

// withBlocks returns a text with new blocks in place of those of a shape or pattern
// and its checks, and of some terms; at its end where it has none. Lines end in \n
// alone.
func withBlocks(text string, form *fileForm, id string, term func(id string) bool, blocks []string) string {
	var out strings.Builder
	put := func() {
		for i, b := range blocks {
			if i > 0 {
				out.WriteByte('\n')
			}
			out.WriteString(b)
		}
		blocks = nil
	}
	at := 0
	for _, b := range form.blocksOf(text) {
		own := b.kind != "term" && b.id == id || b.kind == "term" && term != nil && term(b.id)
		if !own {
			continue
		}
		out.WriteString(text[at:b.from])
		at = b.to
		if blocks != nil && b.kind == form.kind {
			put()
			if at < len(text) {
				out.WriteByte('\n')
			}
		}
	}
	out.WriteString(text[at:])
	if blocks != nil {
		if s := out.String(); s != "" {
			out.WriteString(strings.Repeat("\n", max(0, 2-len(s)+len(strings.TrimRight(s, "\n")))))
		}
		put()
	}
	return out.String()
}
