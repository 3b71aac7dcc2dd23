package table

import (
	"errors"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/segment"
	"qipu/text"
)

// comment is what people wrote about the game of a line, as index.Document has
// it.
type comment struct {
	line   uint32
	folded string
}

// commentBytes returns the section of comments.
func commentBytes(list []comment) []byte {
	var b text.Builder
	for _, c := range list {
		b.Add(c.line, c.folded)
	}
	return b.AppendTo(nil)
}

// remarks are the comments of a table: a section of its file, which is opened
// when it is first asked for, or a list in memory, by rising lines. A table
// without comments has neither. They are read inside segment.Guard.
type remarks struct {
	path    string
	section *segment.Section
	List    []comment

	mu    sync.Mutex
	index *text.Index
}

// opened returns the index of the section, nil where there is none.
func (r *remarks) opened() (*text.Index, error) {
	if r.section == nil {
		return nil, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock() // also where the file is gone
	if r.index != nil {
		return r.index, nil
	}
	data, err := r.section.Bytes()
	if err != nil {
		return nil, err
	}
	r.index, err = text.Open(data)
	return r.index, r.explain(err)
}

// Search returns the lines in one of whose comments a text stands, nil for none.
func (r *remarks) Search(folded string) (*roaring.Bitmap, error) {
	ix, err := r.opened()
	if err != nil {
		return nil, err
	}
	if ix != nil {
		lines, err := ix.Search(folded)
		return lines, r.explain(err)
	}
	var lines *roaring.Bitmap
	for _, c := range r.List {
		if strings.Contains(c.folded, folded) {
			if lines == nil {
				lines = roaring.New()
			}
			lines.Add(c.line)
		}
	}
	return lines, nil
}

// Each calls f for the comments on every line that has some. The bytes lie in
// the memory of the table.
func (r *remarks) Each(f func(line uint32, folded []byte) error) error {
	ix, err := r.opened()
	if err != nil {
		return err
	}
	if ix != nil {
		return r.explain(ix.Each(f))
	}
	for _, c := range r.List {
		if err := f(c.line, []byte(c.folded)); err != nil {
			return err
		}
	}
	return nil
}

// All returns a copy of the comments by line, nil where there are none.
func (r *remarks) All() (map[uint32]string, error) {
	var all map[uint32]string
	err := r.Each(func(line uint32, folded []byte) error {
		if all == nil {
			all = map[uint32]string{}
		}
		all[line] = string(folded)
		return nil
	})
	return all, err
}

// explain makes an error about bytes that make no sense one that says where.
func (r *remarks) explain(err error) error {
	if errors.Is(err, text.ErrDamaged) {
		return &segment.CorruptError{Path: r.path, Section: SecComment, Page: -1, Reason: err.Error()}
	}
	return err
}
