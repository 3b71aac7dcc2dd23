package index

import (
	"bytes"
	"math/bits"
	"strings"
	"sync"
	"sync/atomic"

	"qipu/interval"
	"qipu/query"
	"qipu/text"
)

// Selection decides a fact for lines by their columns. It is safe for concurrent
// use, and is made once for a query: what it finds out about the texts of a
// table, each of which is looked at once, it keeps.
type Selection struct {
	fact  *query.Fact
	none  bool // nothing is asked for
	texts bool // it is about a column of texts

	// column is the number of the column among those of its sort. Texts lie in
	// the dictionary dict. Of numbers, low is the least and span how many there
	// are above it.
	column, dict uint8
	low, span    uint64

	// last is the answer about the texts that were asked about last, which
	// needs no lock; all are those about all texts so far.
	last atomic.Pointer[chosen]
	mu   sync.Mutex
	all  map[*Dictionary]*chosen
}

// mostChosen is of how many dictionaries a selection keeps the answers. A store in
// files has fewer, and is asked about each again and again; one that sends batches
// over a network makes one for each, and nobody asks about it twice.
const mostChosen = 256

// chosen are the texts of a dictionary that a fact asks for.
type chosen struct {
	of   *Dictionary
	bits []uint64 // by code
}

// bit returns 1 for a text that is asked for. Code 0 never is.
func (c *chosen) bit(code uint32) uint64 {
	if word := int(code / 64); word < len(c.bits) {
		return c.bits[word] >> (code % 64) & 1
	}
	return 0
}

// NewSelection returns the selection of a fact, which must not change from then
// on.
func NewSelection(f *query.Fact) *Selection {
	s := &Selection{fact: f}
	switch {
	case f.Column >= query.Columns:
		s.none = true
	case f.Column < query.TextColumns:
		s.none, s.texts = f.Text == nil, true
		s.column, s.dict = uint8(f.Column), dictOf[f.Column]
		s.all = map[*Dictionary]*chosen{}
	default:
		s.none = f.Low > f.High
		s.column = uint8(f.Column - query.TextColumns)
		s.low, s.span = uint64(f.Low), uint64(f.High)-uint64(f.Low)
	}
	return s
}

// Fact returns the fact.
func (s *Selection) Fact() *query.Fact { return s.fact }

// String returns the fact's text.
func (s *Selection) String() string { return s.fact.String() }

// Match reports whether the fact is true of line i. What is unknown is never
// asked for. It reads mapped memory: see View.Guard. Filter costs less for many
// lines.
func (s *Selection) Match(c *Columns, i int) bool {
	i += c.from
	switch {
	case s.none:
		return false
	case s.texts:
		d := c.set.dicts[s.dict]
		t := s.last.Load()
		if t == nil || t.of != d {
			t = s.chosen(d)
		}
		return t.bit(c.set.codes[s.column].at(i)) != 0
	case s.column == uint8(query.LastDay-query.TextColumns):
		return s.inside(c.set.lastDay(i)) != 0
	}
	return s.inside(c.set.numbers[s.column].value(i)) != 0
}

// inside returns 1 for a number that is known and within the bounds. Neither it
// nor bit has a branch that cannot be foretold.
func (s *Selection) inside(v int64, known bool) uint64 {
	return bit(known) & bit(uint64(v)-s.low <= s.span) // what is below wraps around
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Filter takes the lanes out of a set that the fact is not true of; lane i is
// row i of the columns. It reads mapped memory: see View.Guard.
func (s *Selection) Filter(c *Columns, lanes *interval.Mask) {
	if s.none || c.n == 0 {
		*lanes = interval.Mask{}
		return
	}
	var texts *chosen
	var a *array
	if s.texts {
		texts, a = s.chosen(c.set.dicts[s.dict]), &c.set.codes[s.column]
	} else {
		a = &c.set.numbers[s.column]
	}
	for w, word := range lanes {
		keep, at := uint64(0), c.from+64*w
		switch {
		case s.fact.Column == query.LastDay:
			for rest := word; rest != 0; rest &= rest - 1 {
				lane := bits.TrailingZeros64(rest)
				keep |= s.inside(c.set.lastDay(at+lane)) << lane
			}
		case texts != nil:
			for rest := word; rest != 0; rest &= rest - 1 {
				lane := bits.TrailingZeros64(rest)
				keep |= texts.bit(a.at(at+lane)) << lane
			}
		default:
			for rest := word; rest != 0; rest &= rest - 1 {
				lane := bits.TrailingZeros64(rest)
				keep |= s.inside(a.value(at+lane)) << lane
			}
		}
		lanes[w] = keep
	}
}

// chosen returns which texts of a dictionary are asked for.
func (s *Selection) chosen(d *Dictionary) *chosen {
	s.mu.Lock()
	defer s.mu.Unlock() // also where the dictionary lies in a file that is gone
	c := s.all[d]
	if c == nil {
		c = &chosen{of: d, bits: make([]uint64, d.n/64+1)}
		c.choose(s.fact.Text)
		if len(s.all) >= mostChosen {
			clear(s.all)
		}
		s.all[d] = c
	}
	s.last.Store(c)
	return c
}

// choose looks at all texts of the dictionary.
func (c *chosen) choose(t *query.Texts) {
	d := c.of
	var name, folded []byte
	for i := range d.n {
		var ok bool
		if d.tree {
			name = d.appendFile(name[:0], i)
			folded = text.AppendFold(folded[:0], string(name))
			ok = matchBytes(t, folded)
		} else {
			ok = matchText(t, d.folded.at(i))
		}
		if code := uint32(i) + 1; ok {
			c.bits[code/64] |= 1 << (code % 64)
		}
	}
}

func matchText(t *query.Texts, folded string) bool {
	if _, ok := t.Whole[folded]; ok {
		return true
	}
	for _, part := range t.Parts {
		if strings.Contains(folded, part) {
			return true
		}
	}
	return false
}

func matchBytes(t *query.Texts, folded []byte) bool {
	if _, ok := t.Whole[string(folded)]; ok {
		return true
	}
	for _, part := range t.Parts {
		if bytes.Contains(folded, []byte(part)) {
			return true
		}
	}
	return false
}
