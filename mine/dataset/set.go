package dataset

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Unknown is the number that stands for none.
var Unknown = math.NaN()

// Known reports whether a number is one.
func Known(x float64) bool { return x == x }

// The judgements that a table may have. All are from the view of the first side, from 0
// (lost) to 1 (won).
const (
	Result = "result" // how the game ended: 0, .5 or 1
	Value  = "value"  // what an engine or a book expects at the row's moment
)

// Set is a table, column by column. Whoever makes it adds rows and columns; from then on
// it is not changed, and is safe for concurrent use.
type Set struct {
	Title string    // what the rows are, for people
	Game  string    // the kind of game
	Query string    // what was asked for, as text: the games of a finding are among these
	Sides [2]string // what the sides are called: red, black

	Rows       []Row
	Items      []Item
	Numbers    []Number
	Factors    []Factor
	Judgements []Number

	// Next is the move that was played at the row's moment, in words: the nearest
	// future, which only a consequent may be. It may be nil.
	Next *Factor

	// Left says what was left out, and how much of it.
	Left []Left
}

// Row is a game, or a position of one.
type Row struct {
	Game   uint32  // the number of the record
	Ply    uint16  // the moment: how many moves were made before it
	Weight float64 // rows of one game sum up to 1
}

// Item is a column of yes and no: a name, a shape or a fact.
type Item struct {
	ID    string // unique in the table
	Title string // for people
	Kind  string // what it is: "mate", "structure", "opening", "code", "shape", "fact"
	Name  string // the id of what has this name, where it has one; several items may be of one
	Side  int    // whose it is: 0, 1, or Both
	Query string // what finds the games that have it at any time; empty for none

	// Rows are those that have it. Spans are when they had it, by row and ply, up to
	// the row's moment; an item that is no matter of time has none.
	Rows  Bits
	Spans []Span
}

// Both is the side of what belongs to both sides, or to none.
const Both = -1

// Span is an interval of plies: from From, until the ply before To.
type Span struct {
	Row      uint32
	From, To uint16
}

// Number is a column of numbers, one a row, Unknown where there is none.
type Number struct {
	Name   string
	Values []float64
}

// Factor is a column of words: Of[row] is the number of a level, negative for unknown.
type Factor struct {
	Name   string
	Levels []string
	Of     []int32
}

// Left is something that was left out.
type Left struct {
	Count int
	What  string // "games without a result"
}

// New returns a table of rows without columns.
func New(title string, rows []Row) *Set { return &Set{Title: title, Rows: rows} }

// AddItem adds an item by its spans, in any order; those of a row that touch become
// one. Its Rows are made of them.
func (s *Set) AddItem(it Item, spans []Span) {
	it.Spans = unite(spans)
	it.Rows = NewBits(len(s.Rows))
	for _, sp := range it.Spans {
		it.Rows.Set(int(sp.Row))
	}
	s.Items = append(s.Items, it)
}

// AddFact adds an item that is no matter of time: a list of the rows that have it.
func (s *Set) AddFact(it Item, rows []int) {
	it.Rows = NewBits(len(s.Rows))
	for _, r := range rows {
		it.Rows.Set(r)
	}
	s.Items = append(s.Items, it)
}

// AddNumber adds a column of numbers.
func (s *Set) AddNumber(name string, values []float64) {
	s.Numbers = append(s.Numbers, Number{name, values})
}

// AddJudgement adds what a miner may want to foretell.
func (s *Set) AddJudgement(name string, values []float64) {
	s.Judgements = append(s.Judgements, Number{name, values})
}

// AddFactor adds a column of words, one a row; the empty word is unknown. Levels are in
// the order in which they come.
func (s *Set) AddFactor(name string, words []string) {
	s.Factors = append(s.Factors, newFactor(name, words))
}

// AddNext adds the move that was played at the moment of each row.
func (s *Set) AddNext(words []string) {
	f := newFactor("next", words)
	s.Next = &f
}

func newFactor(name string, words []string) Factor {
	f := Factor{Name: name, Of: make([]int32, len(words))}
	at := map[string]int32{}
	for i, w := range words {
		level, known := at[w]
		switch {
		case w == "":
			level = -1
		case !known:
			level = int32(len(f.Levels))
			at[w] = level
			f.Levels = append(f.Levels, w)
		}
		f.Of[i] = level
	}
	return f
}

// Number returns a column of numbers by its name, or nil.
func (s *Set) Number(name string) *Number { return find(s.Numbers, name) }

// Judgement returns a judgement by its name, or nil.
func (s *Set) Judgement(name string) *Number { return find(s.Judgements, name) }

func find(list []Number, name string) *Number {
	if i := slices.IndexFunc(list, func(n Number) bool { return n.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// Factor returns a column of words by its name, or nil.
func (s *Set) Factor(name string) *Factor {
	if i := slices.IndexFunc(s.Factors, func(f Factor) bool { return f.Name == name }); i >= 0 {
		return &s.Factors[i]
	}
	return nil
}

// Weight returns what all rows weigh: as many as there are games.
func (s *Set) Weight() (sum float64) {
	for i := range s.Rows {
		sum += s.Rows[i].Weight
	}
	return sum
}

// Check tells what is wrong with a table: a column that is too short or too long, a
// span behind the moment of its row, a weight that is none, an id that is there twice.
func (s *Set) Check() error {
	n := len(s.Rows)
	for i, r := range s.Rows {
		if !(r.Weight > 0 && r.Weight <= 1) {
			return fmt.Errorf("dataset: row %d has the weight %v", i, r.Weight)
		}
	}
	ids := map[string]bool{}
	for i := range s.Items {
		it := &s.Items[i]
		if ids[it.ID] {
			return fmt.Errorf("dataset: two items are called %q", it.ID)
		}
		ids[it.ID] = true
		if len(it.Rows) != len(NewBits(n)) {
			return fmt.Errorf("dataset: item %s is not as long as the table", it.ID)
		}
		for _, sp := range it.Spans {
			switch {
			case int(sp.Row) >= n || sp.From >= sp.To:
				return fmt.Errorf("dataset: item %s has the bad span %v", it.ID, sp)
			case sp.From > s.Rows[sp.Row].Ply:
				return fmt.Errorf("dataset: item %s knows ply %d of row %d, whose moment is ply %d", it.ID, sp.From, sp.Row, s.Rows[sp.Row].Ply)
			}
		}
	}
	for _, list := range [][]Number{s.Numbers, s.Judgements} {
		for _, c := range list {
			if len(c.Values) != n {
				return fmt.Errorf("dataset: column %s has %d values for %d rows", c.Name, len(c.Values), n)
			}
		}
	}
	for _, f := range s.Factors {
		if len(f.Of) != n {
			return fmt.Errorf("dataset: column %s has %d values for %d rows", f.Name, len(f.Of), n)
		}
		for _, level := range f.Of {
			if int(level) >= len(f.Levels) {
				return fmt.Errorf("dataset: column %s has no level %d", f.Name, level)
			}
		}
	}
	return nil
}

// unite sorts spans and makes one of those of a row that touch.
func unite(list []Span) []Span {
	slices.SortFunc(list, func(a, b Span) int {
		if a.Row != b.Row {
			return int(a.Row) - int(b.Row)
		}
		return int(a.From) - int(b.From)
	})
	out := list[:0]
	for _, sp := range list {
		if n := len(out); n > 0 && out[n-1].Row == sp.Row && out[n-1].To >= sp.From {
			out[n-1].To = max(out[n-1].To, sp.To)
			continue
		}
		out = append(out, sp)
	}
	return slices.Clip(out)
}

// Bits is a set of rows.
type Bits []uint64

// NewBits returns the empty set of n rows.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds a row.
func (b Bits) Set(row int) { b[row/64] |= 1 << (row % 64) }

// Has reports whether a row is in the set.
func (b Bits) Has(row int) bool { return b[row/64]>>(row%64)&1 != 0 }

// Count returns the number of rows.
func (b Bits) Count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// CountAnd returns the number of rows that are in both sets.
func (b Bits) CountAnd(c Bits) (n int) {
	c = c[:len(b)]
	for i, w := range b {
		n += bits.OnesCount64(w & c[i])
	}
	return n
}

// And makes b the rows that are in both of two sets as long as it.
func (b Bits) And(c, d Bits) {
	c, d = c[:len(b)], d[:len(b)]
	for i := range b {
		b[i] = c[i] & d[i]
	}
}

// All yields the rows, rising.
func (b Bits) All() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(64*i + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Word returns the word of a row; empty where it is unknown.
func (f *Factor) Word(row int) string {
	if level := f.Of[row]; level >= 0 {
		return f.Levels[level]
	}
	return ""
}
