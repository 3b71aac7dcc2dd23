package index

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"qipu/text"
)

// Dictionary is the distinct texts of a column of one table, numbered from 1. It
// lies in bytes that it does not own, is immutable and safe for concurrent use.
//
//	u32 number of texts
//	the texts
//	the texts as package text folds them; left out where all are so already
//
// Names of files are nearly all different, and long. They are kept as the tree
// that they are, and are not folded before somebody asks:
//
//	u32 number of files | u32 number of folders
//	the distinct names of files and folders, with what ends those
//	arrays: the parent of each folder, 0 for none, and its name
//	arrays: the folder of each file, 0 for none, and its name
type Dictionary struct {
	n             int
	texts, folded strs

	tree           bool
	folders, files branches
}

// branches are files, or folders: the parent and the name of each, counted from
// 1. Parents of folders come before them.
type branches struct {
	n             int
	parent, names array
}

// strs is a list of texts: where each ends, and all of them in a row.
//
//	u32 number | u32 size | u16 an end, or u32 where they need it | the texts
type strs struct {
	n    int
	wide bool
	ends []byte
	data []byte
}

// at returns text i, which is there.
func (s *strs) at(i int) string {
	from := 0
	if i > 0 {
		from = s.end(i - 1)
	}
	part := s.data[from:s.end(i)]
	return unsafe.String(unsafe.SliceData(part), len(part))
}

func (s *strs) end(i int) int {
	if s.wide {
		return int(binary.LittleEndian.Uint32(s.ends[4*i:]))
	}
	return int(binary.LittleEndian.Uint16(s.ends[2*i:]))
}

// strs reads a list of texts and checks their places.
func (r *reader) strs() (s strs) {
	s.n = r.u32()
	size := r.u32()
	s.wide = size > 1<<16-1
	width := 2
	if s.wide {
		width = 4
	}
	s.ends, s.data = r.cut(width*s.n), r.cut(size)
	if r.bad {
		return strs{}
	}
	last := 0
	for i := range s.n {
		end := s.end(i)
		if end < last || end > size {
			r.bad = true
			return strs{}
		}
		last = end
	}
	return s
}

// dictionary reads the dictionary of a table of so many lines: a tree of files,
// of which each line has one at most, or a list of texts.
func (r *reader) dictionary(lines int, tree bool) *Dictionary {
	d := &Dictionary{n: r.u32(), tree: tree}
	if tree {
		r.bad = r.bad || d.n > lines
		d.files.n, d.folders.n = d.n, r.u32()
		d.texts = r.strs()
		for _, b := range []*branches{&d.folders, &d.files} {
			b.parent, b.names = r.array(b.n), r.array(b.n)
		}
		return d
	}
	d.texts, d.folded = r.strs(), r.strs()
	if d.folded.n == 0 {
		d.folded = d.texts
	}
	r.bad = r.bad || d.texts.n != d.n || d.folded.n != d.n
	return d
}

// Len returns the number of texts: their codes are 1 to Len.
func (d *Dictionary) Len() int { return d.n }

// Text returns the text of a code as it was written, "" for a code that there is
// not. See Columns.Text for how long it is valid.
func (d *Dictionary) Text(code uint32) string {
	i := int(code) - 1
	if i < 0 || i >= d.n {
		return ""
	}
	if d.tree {
		return string(d.appendFile(nil, i))
	}
	return d.texts.at(i)
}

// Folded returns the text of a code as package text folds it. It lies where that
// of Text does; that of a file is worked out.
func (d *Dictionary) Folded(code uint32) string {
	i := int(code) - 1
	if i < 0 || i >= d.n {
		return ""
	}
	if d.tree {
		return text.Fold(string(d.appendFile(nil, i)))
	}
	return d.folded.at(i)
}

// appendFile appends the name of file i.
func (d *Dictionary) appendFile(dst []byte, i int) []byte {
	dst = d.appendFolder(dst, d.files.parent.at(i))
	return d.appendName(dst, d.files.names.at(i))
}

func (d *Dictionary) appendFolder(dst []byte, code uint32) []byte {
	if code == 0 || int(code) > d.folders.n {
		return dst
	}
	if parent := d.folders.parent.at(int(code) - 1); parent < code {
		dst = d.appendFolder(dst, parent)
	}
	return d.appendName(dst, d.folders.names.at(int(code)-1))
}

func (d *Dictionary) appendName(dst []byte, code uint32) []byte {
	if code == 0 || int(code) > d.texts.n {
		return dst
	}
	return append(dst, d.texts.at(int(code)-1)...)
}

// cutFile cuts the last name off a file or folder, which is not empty. What ends
// the name of a folder, or of an archive, belongs to it.
func cutFile(file string) (folder, name string) {
	i := strings.LastIndexAny(file[:len(file)-1], `/\!`) + 1
	return file[:i], file[i:]
}
