package describe

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// Options says how names are written. The zero value is ready for use.
type Options struct {
	// Language is the tag of the language that names are written in: "zh-Hant",
	// which the empty tag means too, or "zh-Hans"; any other is English.
	Language string
}

// Namer gives patterns of one game on one board their names. It does not change
// and is safe for concurrent use.
type Namer struct {
	g      *board.Geometry
	b      pattern.Board
	on     pattern.Set
	fill   pattern.Set            // of points that a name does not mention
	lang   int                    // zh or en
	hans   bool                   // writes simplified characters
	posts  []int                  // of the kinds of pieces, where they are told in phrases
	sides  [2]text                // what the sides are called
	men    [2]pattern.Set         // all pieces of the sides
	pieces []text                 // pieces[p-1]
	full   []text                 // the same with the side
	words  []word                 // the longest first
	labels []string               // names of points, by dense index
	at     map[string]board.Point // by that name in lower case
}

// text is a word in the languages of names.
type text [2]string

const (
	zh = iota
	en
)

// New returns the namer of a game.
func New(r game.Rules, o Options) *Namer {
	g := r.Geometry()
	n := &Namer{g: g, b: pattern.BoardOf(r), on: pattern.AnyOn(len(g.Pieces)), fill: pattern.Empty, lang: en}
	switch o.Language {
	case "", "zh-Hant":
		n.lang = zh
	case "zh-Hans":
		n.lang, n.hans = zh, true
	}
	if s, ok := r.(Seated); ok && g.Size == (board.Size{W: files, H: ranks}) && len(g.Pieces) == 2*kinds {
		n.posts = s.Posts()
	}
	if len(g.Pieces) > 2 {
		n.fill = n.on
	}
	n.label()
	n.learn(r.Info())
	return n
}

// Normal returns the pattern that the name of p gives back. It differs from p
// in nothing that decides what is found: edges that a corner or a side leaves
// open are those that Compile takes, a region that is the whole board touches
// all edges, other edges and places that the anchor does not look at are zero,
// and so are bounds in time that bound nothing (To is -1 then). It shares no
// memory with p.
func (n *Namer) Normal(p *pattern.Pattern) *pattern.Pattern {
	q := *p
	q.Cells = slices.Clone(p.Cells)
	switch {
	case q.Anchor == pattern.Corner && q.Edges == 0:
		q.Edges = pattern.Top | pattern.Left
	case q.Anchor == pattern.Side && q.Edges == 0:
		q.Edges = pattern.Top
	case q.Anchor == pattern.Corner || q.Anchor == pattern.Side:
	case n.whole(&q):
		q.Edges = everyEdge
	default:
		q.Edges = 0
	}
	if q.Anchor != pattern.Fixed {
		q.At = 0
	}
	q.From, q.To = max(q.From, 0), max(q.To, -1)
	return &q
}

const everyEdge = pattern.Top | pattern.Right | pattern.Bottom | pattern.Left

// whole reports whether the pattern is one of the whole board.
func (n *Namer) whole(p *pattern.Pattern) bool {
	return p.Anchor == pattern.Fixed && p.At == 0 && p.Size == n.g.Size
}

// check refuses what Compile calls wrong. A pattern that lies nowhere on the
// board is not wrong: it has a name too. Without its images a pattern is
// compiled in some microseconds.
func (n *Namer) check(p *pattern.Pattern) error {
	plain := *p
	plain.Mirror = false
	if _, err := pattern.Compile(&plain, n.b); err != nil && !errors.Is(err, pattern.ErrNoFit) {
		return err
	}
	return nil
}

// longest is the number of pieces, points and states of sets that a name lists
// before it draws them.
const longest = 24

// Name returns the name of a pattern, or nothing for a pattern that Compile
// calls wrong.
func (n *Namer) Name(p *pattern.Pattern) string {
	if n.check(p) != nil {
		return ""
	}
	p = n.Normal(p)
	for _, form := range []func(*pattern.Pattern) string{n.phrases, n.list} {
		name := n.spell(form(p))
		if name == "" {
			continue
		}
		if q, err := n.Parse(name); err == nil && equal(p, q) {
			return name
		}
	}
	return n.spell(n.diagram(p))
}

// equal reports whether two patterns are the same in all fields.
func equal(p, q *pattern.Pattern) bool {
	return p.Size == q.Size && p.Anchor == q.Anchor && p.Edges == q.Edges && p.At == q.At &&
		p.Mirror == q.Mirror && p.Swap == q.Swap && p.Turn == q.Turn && p.From == q.From && p.To == q.To &&
		slices.Equal(p.Cells, q.Cells)
}

// maxName bounds the names that are read. The longest that is written is a
// region of 27x27 points with sets of 14 kinds of pieces on all of them.
const maxName = 1 << 16

// Parse returns the pattern of a name. Errors name the place in the text by its
// column, counted in characters from 1.
func (n *Namer) Parse(name string) (*pattern.Pattern, error) {
	if len(name) > maxName {
		return nil, fmt.Errorf("describe: a name of %d bytes: %d are the most: name a smaller region", len(name), maxName)
	}
	if i := strings.IndexFunc(name, func(c rune) bool { return c == utf8.RuneError }); i >= 0 {
		return nil, fmt.Errorf("describe: column %d: a character that is no UTF-8: write the name anew", utf8.RuneCountInString(name[:i])+1)
	}
	r := n.reader(name)
	d := draft{Pattern: pattern.Pattern{Mirror: true, Swap: true, To: -1}, fill: n.fill}
	if err := r.options(&d); err != nil {
		return nil, err
	}
	headed, err := r.head(&d)
	switch {
	case err != nil:
	case headed:
		err = r.region(&d)
	case n.posts != nil:
		err = r.phrases(&d)
	default:
		err = r.errorf(r.at, "%s is no place: begin with one such as 全盤 (whole board), 角7x7 (corner 7x7), 浮動3x3 (floating 3x3)", r.rest())
	}
	if err != nil {
		return nil, err
	}
	if err := n.check(&d.Pattern); err != nil {
		return nil, fmt.Errorf("describe: %q: %w", name, err)
	}
	return n.Normal(&d.Pattern), nil
}

// draft is a pattern that is being read.
type draft struct {
	pattern.Pattern
	fill   pattern.Set
	filled int // where the text says so, from 1; 0 where it does not
	within int // the same of the region
}

// blank makes all cells of the region what the name does not mention.
func (d *draft) blank() {
	d.Cells = make([]pattern.Set, d.Size.Area())
	for i := range d.Cells {
		d.Cells[i] = d.fill
	}
}
