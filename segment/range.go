package segment

import (
	"fmt"
	"sort"
)

// Range returns n bytes of the section from an offset on, and checks the pages
// that they lie in when these are first touched. Offsets count the padding
// between pages, which sections have none of whose pages are multiples of 64
// bytes long.
func (s *Section) Range(offset, n int) ([]byte, error) {
	if offset < 0 || n < 0 || offset > s.len-n {
		return nil, fmt.Errorf("%w: section %q of %s has %d bytes, not those from %d to %d", ErrCorrupt, s.name, s.file.info.Path, s.len, offset, offset+n)
	}
	if s.whole.Load() || n == 0 {
		if s.file.refs.Load() <= 0 {
			return nil, s.file.gone()
		}
		return s.file.data[s.data+offset : s.data+offset+n : s.data+offset+n], nil
	}
	p := s.state.Load()
	first := 0
	if p != nil {
		first = sort.SearchInts(p.ends, offset+1)
	}
	for i := first; i < s.pages; i++ {
		if p != nil {
			if start, end := p.bounds(i); end <= offset {
				continue
			} else if start >= offset+n {
				break
			}
		}
		if _, err := s.Page(i); err != nil {
			return nil, err
		}
		p = s.state.Load()
	}
	return s.file.data[s.data+offset : s.data+offset+n : s.data+offset+n], nil
}
