package term

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// MinerOptions bound what a Miner keeps and what it takes for a word. The zero
// value works.
type MinerOptions struct {
	MaxLen      int     // most characters of a word; 6
	MinCount    int     // how often a word must occur; 3
	MinBranch   float64 // least entropy of its neighbours on either side, in bits; 1
	MinCohesion float64 // least pointwise mutual information of its parts, in bits; 2
	MaxGrams    int     // most runs of characters that are counted at a time; 200,000
}

func (o MinerOptions) withDefaults() MinerOptions {
	o.MaxLen = cmp.Or(o.MaxLen, 6)
	o.MinCount = cmp.Or(o.MinCount, 3)
	o.MinBranch = cmp.Or(o.MinBranch, 1)
	o.MinCohesion = cmp.Or(o.MinCohesion, 2)
	o.MaxGrams = cmp.Or(o.MaxGrams, 200_000)
	return o
}

// Candidate is what may be a term and is in no dictionary.
type Candidate struct {
	Text     string // as it was first written
	Count    int
	Games    int
	Branch   float64  // entropy of the neighbours, of the side that has less
	Cohesion float64  // mutual information at the place where it is weakest
	Examples []string // some places where it was met again, with what is around it
}

// Use is how often a term of the dictionary was met.
type Use struct {
	Term         *Term
	Count, Games int
}

// Miner counts the words of many texts. What stands between the terms of the
// dictionary is counted in all runs of some characters; a run is taken for a word
// if its parts go together more often than by chance and if what stands beside it
// changes, which is not so for a part of a longer word.
//
// Texts are read once. Memory is bounded by MaxGrams: where there are more runs,
// the rarest are forgotten, and counts may then fall short by Missed. The outcome
// does not depend on anything but the texts and their order. A Miner is not safe
// for concurrent use.
type Miner struct {
	dict   *Dict
	opts   MinerOptions
	grams  map[string]*gram
	chars  map[rune]int
	total  int // characters that were counted
	uses   map[*Term]*use
	missed int

	buf    []byte
	starts []int
}

type use struct {
	count, games int
	last         int64
}

// examples is how many contexts of a word are kept, around is how many characters
// they show on either side.
const (
	examples = 3
	around   = 8
)

// neighbours is how many different neighbours of a run are counted. Others are
// taken as one, so that entropy is rather too low.
const neighbours = 8

// gram is a run of characters.
type gram struct {
	use
	text        string
	left, right beside
	examples    []string
}

// beside counts the characters on one side of a run.
type beside struct {
	runes  [neighbours]rune
	counts [neighbours]int32
	n      int8
	others int32
	ends   int32 // no unknown character stands there: an end of the text, or a term
}

func (b *beside) add(r rune) {
	if r == 0 {
		b.ends++
		return
	}
	for i := range b.n {
		if b.runes[i] == r {
			b.counts[i]++
			return
		}
	}
	if b.n == neighbours {
		b.others++
		return
	}
	b.runes[b.n], b.counts[b.n] = r, 1
	b.n++
}

// entropy returns how uncertain the neighbour is, in bits. Every end counts as a
// neighbour of its own: that a run stands alone speaks for a word.
func (b *beside) entropy(count int) float64 {
	h := float64(b.ends) * part(1, count)
	for i := range b.n {
		h += part(int(b.counts[i]), count)
	}
	return h + part(int(b.others), count)
}

func part(n, of int) float64 {
	if n == 0 {
		return 0
	}
	p := float64(n) / float64(of)
	return -p * math.Log2(p)
}

// NewMiner returns a miner of what a dictionary does not hold.
func NewMiner(d *Dict, o MinerOptions) *Miner {
	return &Miner{
		dict: d, opts: o.withDefaults(),
		grams: map[string]*gram{}, chars: map[rune]int{}, uses: map[*Term]*use{},
	}
}

// Add reads a title or a comment of a game. All texts of one game come one after
// the other, under a number that is not negative.
func (m *Miner) Add(game int64, s string) {
	pieces := m.dict.Split(s)
	for i := 0; i < len(pieces); {
		switch p := &pieces[i]; p.Class {
		case Known:
			u := m.uses[p.Term]
			if u == nil {
				u = &use{last: -1}
				m.uses[p.Term] = u
			}
			u.add(game)
			i++
		case Unknown, Phrase:
			for i < len(pieces) && (pieces[i].Class == Unknown || pieces[i].Class == Phrase) {
				i++
			}
			last := &pieces[i-1]
			m.run(game, s, p.At, last.At+len(last.Text))
		default:
			i++
		}
	}
	if len(m.grams) > m.opts.MaxGrams {
		m.forget()
	}
}

func (u *use) add(game int64) {
	u.count++
	if u.last != game {
		u.games++
		u.last = game
	}
}

// run counts all parts of a stretch of a text.
func (m *Miner) run(game int64, s string, start, end int) {
	cells := m.dict.words.cells(s[start:end])
	m.buf, m.starts = m.buf[:0], m.starts[:0]
	for _, c := range cells {
		m.starts = append(m.starts, len(m.buf))
		m.buf = utf8.AppendRune(m.buf, c.r)
		m.chars[c.r]++
		m.total++
	}
	m.starts = append(m.starts, len(m.buf))
	for i := range cells {
		for n := 2; n <= m.opts.MaxLen && i+n <= len(cells); n++ {
			key := m.buf[m.starts[i]:m.starts[i+n]]
			g := m.grams[string(key)]
			if g == nil {
				g = &gram{use: use{last: -1}, text: strings.Clone(s[start+cells[i].start : m.stop(cells, i+n, start, end)])}
				m.grams[string(key)] = g
			}
			g.add(game)
			g.left.add(m.at(cells, i-1))
			g.right.add(m.at(cells, i+n))
			if g.count > 1 && len(g.examples) < examples && g.games > len(g.examples) {
				g.examples = append(g.examples, context(s, start+cells[i].start, m.stop(cells, i+n, start, end)))
			}
		}
	}
}

// stop returns where in the whole text a run ends before a cell.
func (m *Miner) stop(cells []cell, i, start, end int) int {
	if i == len(cells) {
		return end
	}
	return start + cells[i].start
}

func (m *Miner) at(cells []cell, i int) rune {
	if i < 0 || i >= len(cells) {
		return 0
	}
	return cells[i].r
}

// context returns a part of a text with some characters around it.
func context(s string, start, end int) string {
	for n := 0; n < around && start > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(s[:start])
		start -= size
	}
	for n := 0; n < around && end < len(s); n++ {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return strings.Join(strings.Fields(s[start:end]), " ")
}

// forget drops the rarest runs until half of what may be kept is left.
func (m *Miner) forget() {
	for len(m.grams) > m.opts.MaxGrams/2 {
		m.missed++
		for key, g := range m.grams {
			if g.count <= m.missed {
				delete(m.grams, key)
			}
		}
	}
}

// Candidates returns what may be terms, the most frequent first.
func (m *Miner) Candidates() []Candidate {
	words := map[string]Candidate{}
	for key, g := range m.grams {
		if g.count < m.opts.MinCount {
			continue
		}
		c := Candidate{Text: g.text, Count: g.count, Games: g.games, Examples: g.examples}
		c.Branch = min(g.left.entropy(g.count), g.right.entropy(g.count))
		if c.Branch < m.opts.MinBranch {
			continue
		}
		if c.Cohesion = m.cohesion(key, g.count); c.Cohesion >= m.opts.MinCohesion {
			words[key] = c
		}
	}
	// A word that is nearly always a part of one longer word is a fragment.
	keys := make([]string, 0, len(words))
	for key := range words {
		keys = append(keys, key)
	}
	fragment := map[string]bool{}
	for _, key := range keys {
		for part := range within(key) {
			if w, ok := words[part]; ok && 5*words[key].Count >= 4*w.Count {
				fragment[part] = true
			}
		}
	}
	list := make([]Candidate, 0, len(words))
	slices.Sort(keys)
	for _, key := range keys {
		if !fragment[key] {
			list = append(list, words[key])
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Or(b.Count-a.Count, len(b.Text)-len(a.Text)) })
	return list
}

// within yields the runs of two characters and more within a run.
func within(key string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := range key {
			for j := range key[i:] {
				if at := i + j; at < len(key) {
					_, size := utf8.DecodeRuneInString(key[at:])
					run := key[i : at+size]
					if j > 0 && len(run) < len(key) && !yield(run) {
						return
					}
				}
			}
		}
	}
}

// cohesion returns the least mutual information between two parts of a run.
func (m *Miner) cohesion(key string, count int) float64 {
	least := math.Inf(1)
	for i := range key {
		if i == 0 {
			continue
		}
		a, b := m.count(key[:i]), m.count(key[i:])
		least = min(least, math.Log2(float64(count)*float64(m.total)/(float64(a)*float64(b))))
	}
	return least
}

// count returns how often a part was met. One that was forgotten had no more than
// has been missed.
func (m *Miner) count(key string) int {
	if r, n := utf8.DecodeRuneInString(key); n == len(key) {
		return max(m.chars[r], 1)
	}
	if g := m.grams[key]; g != nil {
		return g.count
	}
	return max(m.missed, 1)
}
