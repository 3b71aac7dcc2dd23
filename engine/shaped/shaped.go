// Package shaped corrects where a net expects the next move of Go by the shapes of the
// knowledge base: a point that a shape calls good, or to be avoided, becomes likelier or
// less likely by what that was worth in games.
//
// The weights were fitted ("qipu workshop sight shapes") on positions of professional games
// that the net was not trained on: the chance of a move is what the net says, times e to the
// sum of the weights of the shapes that speak of the point. Only where the stones lie is
// looked at; nothing is read.
package shaped

import (
	"bufio"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/pattern/kb"
	"qipu/pattern/kb/shipped"
	"qipu/pattern/window"
)

//go:embed weights.txt
var weights string

// Word is what a shape says of a point: its number in the list of [Names].
type Word struct {
	Point board.Point
	What  int32
}

// shapes are the entries of the shipped base that name points, ready to be looked for. Each
// says two things: where its own side plays, and where the other one does.
type shapes struct {
	set     *window.Set
	entries []*kb.Entry
}

var load = sync.OnceValues(func() (*shapes, error) {
	s := &shapes{}
	var list []window.Shape
	base := shipped.Base()
	for i := range base.Entries {
		if e := &base.Entries[i]; len(e.Ours)+len(e.Theirs) > 0 {
			s.entries, list = append(s.entries, e), append(list, e.Shape())
		}
	}
	set, err := window.Compile(list, window.Options{})
	if err != nil {
		return nil, fmt.Errorf("shaped: %w", err)
	}
	s.set = set
	return s, nil
})

// ours and theirs are behind the id of a shape in the name of what it says.
const ours, theirs = "ours", "theirs"

// Names returns what can be said, by number: the id of a shape, and whose point it is.
func Names() ([]string, error) {
	s, err := load()
	if err != nil {
		return nil, err
	}
	list := make([]string, 0, 2*len(s.entries))
	for _, e := range s.entries {
		list = append(list, e.ID+" "+ours, e.ID+" "+theirs)
	}
	return list, nil
}

// Finder finds what shapes say of positions. It is not safe for use by two at once.
type Finder struct {
	*shapes
	windows *window.Windows
	hits    []window.Hit
	words   []Word
}

// NewFinder returns one for the shapes that come with the program.
func NewFinder() (*Finder, error) {
	s, err := load()
	if err != nil {
		return nil, err
	}
	return &Finder{shapes: s, windows: window.NewWindows(board.Size{W: 19, H: 19})}, nil
}

// Words returns what shapes say of the points that a side may play on, each shape once for
// a point. The list is good until the next call.
func (f *Finder) Words(b *board.Planes, turn game.Side) []Word {
	f.windows.Reset(b)
	f.hits = f.set.AppendHits(f.hits[:0], f.windows)
	f.words = f.words[:0]
	for _, h := range f.hits {
		e := f.entries[h.Shape]
		spots, what := e.Ours, 2*h.Shape
		if h.Side() != turn {
			spots, what = e.Theirs, what+1
		}
		for _, s := range spots {
			f.words = append(f.words, Word{h.Point(e.Size, int(s.X), int(s.Y)), what})
		}
	}
	slices.SortFunc(f.words, func(a, b Word) int {
		if a.Point != b.Point {
			return int(a.Point) - int(b.Point)
		}
		return int(a.What - b.What)
	})
	f.words = slices.Compact(f.words)
	return f.words
}

// Prior corrects chances. It is not safe for use by two at once.
type Prior struct {
	finder *Finder
	worth  []float64 // by number
	sums   []float64 // by point, row by row
}

var worths = sync.OnceValues(func() ([]float64, error) { return parse(weights) })

// New returns a prior with the weights that come with the program.
func New() (*Prior, error) {
	f, err := NewFinder()
	if err != nil {
		return nil, err
	}
	w, err := worths()
	if err != nil {
		return nil, err
	}
	return &Prior{finder: f, worth: w}, nil
}

// Correct changes the chances of points, row by row, that a net gives to moves of a side.
// Their sum stays what it is.
func (p *Prior) Correct(b *board.Planes, turn game.Side, chances []float64) {
	p.sums = append(p.sums[:0], make([]float64, len(chances))...)
	for _, w := range p.finder.Words(b, turn) {
		p.sums[w.Point.Y()*b.Size.W+w.Point.X()] += p.worth[w.What]
	}
	before, after := 0.0, 0.0
	for i, c := range chances {
		before += c
		if c > 0 && p.sums[i] != 0 {
			chances[i] = c * math.Exp(p.sums[i])
		}
		after += chances[i]
	}
	if after > 0 {
		for i := range chances {
			chances[i] *= before / after
		}
	}
}

// mostWorth bounds a weight, in thousandths.
const mostWorth = 5000

// parse reads lines of an id, ours or theirs, and thousandths. Shapes that are no longer in
// the base have none.
func parse(text string) ([]float64, error) {
	names, err := Names()
	if err != nil {
		return nil, err
	}
	numbers := make(map[string]int, len(names))
	for i, name := range names {
		numbers[name] = i
	}
	list := make([]float64, len(names))
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 3 || words[1] != ours && words[1] != theirs {
			return nil, fmt.Errorf("shaped: line %d is no id, ours or theirs, and weight", n)
		}
		w, err := strconv.Atoi(words[2])
		if err != nil || w < -mostWorth || w > mostWorth {
			return nil, fmt.Errorf("shaped: line %d: %q is no weight", n, words[2])
		}
		if i, ok := numbers[words[0]+" "+words[1]]; ok {
			list[i] = float64(w) / 1000
		}
	}
	return list, nil
}
