package opening

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"qipu/board"
	"qipu/book"
	"qipu/game"
	"qipu/pattern"
)

// Teller is a Rules that names openings of its game.
type Teller interface {
	// Openings returns the openings as text: a table of lines, or where drawn
	// is true one of diagrams. It is empty where the board or the variant has
	// none.
	//
	// A table has one opening a line: moves, then its names in English, Japanese,
	// traditional Chinese, simplified Chinese and Korean, parted by bars. A
	// seventh cell is its identifier, which is its moves if there is none, an
	// eighth one another name. Lines that begin with @ say where those below are
	// from, lines that begin with # are comments. One of diagrams tells its form
	// itself: see that of Go.
	//
	// Where openings have codes, the code is the ninth cell, and a line may be moves,
	// a name in English and a code alone; without a name the line has a code and is
	// no opening. A name may have several lines, its identifier is made of it, and a
	// position whose sides are exchanged is another opening.
	Openings() (text string, drawn bool)
}

// Kind is what an opening is made of.
type Kind string

// The kinds. All but Position are drawn.
const (
	Position  Kind = "position"  // of the whole board
	Corner    Kind = "corner"    // the first stone of a corner
	Enclosure Kind = "enclosure" // the second one of the same side
	Joseki    Kind = "joseki"    // the first moves of both sides in a corner
	Fuseki    Kind = "fuseki"    // stones of a side, or of several corners
)

// Opening is a beginning that has a name.
type Opening struct {
	ID      string // the line of one of Othello, a word otherwise
	Kind    Kind
	Names   board.Names
	Aliases []string // other names in any language
	Note    string   // what a player should know; may be empty
	Source  string   // where it is from; may be empty
	Parent  string   // the opening that it is a case of or goes on from; empty for none

	Code string // of an encyclopaedia of openings; empty where the table has none

	Moves []game.Move   // a line to it, for a Position; nil else
	also  [][]game.Move // lines to further positions of the same name

	shapes []*pattern.Pattern // for the others: any of them
}

// Names are the openings of one kind of game. It is immutable and safe for
// concurrent use.
type Names struct {
	rules  game.Rules
	list   []Opening // positions first
	lines  int       // how many are positions
	at     map[book.Key]int
	coded  *codes // of positions; nil where the table has none
	keyers sync.Pool
	drawn  []drawn
	words  func() map[string][]int // openings by folded name
}

// Of returns the openings of a game. It reads and plays them all, which costs
// some milliseconds: keep what it returns. A game, board or variant without names
// has none.
func Of(r game.Rules) *Names {
	n := newNames(r)
	// A table that cannot be read is a mistake in this package, which its tests
	// find; users are not to suffer from it.
	_ = n.load()
	return n
}

func newNames(r game.Rules) *Names {
	n := &Names{rules: r, at: map[book.Key]int{}}
	n.keyers.New = func() any { return book.NewKeyer(r) }
	n.words = sync.OnceValue(n.index)
	return n
}

// load takes over what there is for the game.
func (n *Names) load() error {
	t, ok := n.rules.(Teller)
	if !ok {
		return nil
	}
	text, drawn := t.Openings()
	if drawn {
		return n.readDrawn(text)
	}
	return n.readLines(text)
}

// The sources of openings.
const (
	Gatliff   = "Gatliff"   // the catalogue of named openings of Othello by Robert Gatliff
	Egaroucid = "Egaroucid" // further ones that have names in Japan, as listed by that program
)

// readLines takes over a table of positions.
func (n *Names) readLines(text string) error {
	var list []Opening
	source := ""
	for i, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if name, ok := strings.CutPrefix(line, "@"); ok {
			source = strings.TrimSpace(name)
			continue
		}
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		code := ""
		if len(cells) == 3 || len(cells) == 9 {
			code = cells[len(cells)-1]
			if len(cells) == 3 && cells[1] == "" { // a code alone
				if err := n.readCode(cells[0], code); err != nil {
					return fmt.Errorf("opening: line %d: %w", i+1, err)
				}
				continue
			}
			if len(cells) == 3 {
				cells = []string{cells[0], cells[1], cells[1], cells[1], cells[1], cells[1], "", ""}
			}
			if cells[6] == "" {
				cells[6] = idOf(cells[1])
			}
			if cells = cells[:8]; cells[7] == "" {
				cells = cells[:7]
			}
		}
		if len(cells) < 6 || len(cells) > 8 || slices.Contains(cells, "") {
			return fmt.Errorf("opening: line %d: want moves and names in five languages, parted by bars", i+1)
		}
		moves, err := game.ParseMoves(n.rules, n.rules.Start(), cells[0])
		if err != nil {
			return fmt.Errorf("opening: line %d: %w", i+1, err)
		}
		o := Opening{ID: cells[0], Moves: moves, Source: source, Code: code,
			Names: board.Names{En: cells[1], Ja: cells[2], Hant: cells[3], Hans: cells[4], Ko: cells[5]}}
		if len(cells) > 6 {
			o.ID, o.Aliases = cells[6], cells[7:]
		}
		list = append(list, o)
	}
	if slices.ContainsFunc(list, func(o Opening) bool { return o.Code != "" }) {
		var err error
		if list, err = n.takeCodes(list); err != nil {
			return err
		}
	}
	return n.take(list)
}

// take makes openings with lines the positions of n.
func (n *Names) take(list []Opening) error {
	n.list = list
	n.lines = len(list)
	slices.SortStableFunc(n.list, func(a, b Opening) int { return cmp.Compare(len(a.Moves), len(b.Moves)) })
	for i := range n.list {
		o := &n.list[i]
		o.Kind = Position
		for _, line := range o.Lines() {
			p, err := n.position(line)
			if err != nil {
				return fmt.Errorf("opening: %s: %w", o.ID, err)
			}
			key := n.key(p)
			if other, ok := n.at[key]; ok && other != i {
				return fmt.Errorf("opening: the position of %s is that of %s", o.ID, n.list[other].ID)
			}
			n.at[key] = i
		}
	}
	for i := range n.list {
		o := &n.list[i]
		for end := len(o.Moves) - 1; end > 0 && o.Parent == ""; end-- {
			if parent, ok := n.Deepest(nil, o.Moves[:end]); ok && parent.ID != o.ID {
				o.Parent = parent.ID
			} else if !ok {
				break
			}
		}
	}
	return nil
}

// Lines returns a line to each position of an opening that is one, the shortest
// first.
func (o *Opening) Lines() [][]game.Move {
	if o.Moves == nil {
		return nil
	}
	return append([][]game.Move{o.Moves}, o.also...)
}

// position plays a line.
func (n *Names) position(line []game.Move) (game.Position, error) {
	p := n.rules.Start()
	for _, m := range line {
		if err := p.Play(m); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (n *Names) key(p game.Position) book.Key {
	if n.coded != nil {
		return book.Key{Hi: p.Hash()}
	}
	k := n.keyers.Get().(*book.Keyer)
	defer n.keyers.Put(k)
	key, _ := k.Key(p)
	return key
}

// List returns the openings that are positions, shorter lines first. The list
// belongs to the caller, what it points to does not.
func (n *Names) List() []Opening { return slices.Clone(n.list[:n.lines]) }

// All returns all openings: those of List, then those that are drawn, wider ones
// before their cases. The list belongs to the caller, what it points to does not.
func (n *Names) All() []Opening { return slices.Clone(n.list) }

// Patterns returns what finds an opening of this list in records: an opening
// stands where any of them does. For a position it is the whole board with the
// side to move, in all pictures that At takes for the same; for one that is drawn
// they have bounds in time. They must not be changed.
func (n *Names) Patterns(o Opening) []*pattern.Pattern {
	if o.Kind != Position {
		return o.shapes
	}
	var shapes []*pattern.Pattern
	for _, line := range o.Lines() {
		p, err := n.position(line)
		if err != nil {
			return nil // no opening of this list
		}
		b, ok := p.(game.Planar)
		if !ok {
			return nil
		}
		shape := pattern.FromBoard(b.Planes())
		shape.Mirror = n.coded == nil
		shape.Swap = shape.Mirror && slices.ContainsFunc(n.rules.Info().Symmetries, func(s game.Symmetry) bool { return s.Swap })
		if shape.Turn = pattern.FirstToMove; p.Turn() == game.Second {
			shape.Turn = pattern.SecondToMove
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// At returns the opening that a position is, however it came about and however
// the board is turned. It costs the key of a position. Openings that are drawn are
// none: see AppendAt.
func (n *Names) At(p game.Position) (Opening, bool) {
	if n.lines == 0 {
		return Opening{}, false
	}
	i, ok := n.at[n.key(p)]
	if !ok {
		return Opening{}, false
	}
	return n.list[i], true
}

// Deepest returns the opening that names a game: the last position on the way
// that has a name. The game begins at start, which is played on and restored;
// nil is the usual start. Moves behind one that cannot be played do not count.
// Openings that are drawn are none: see Fuseki.
func (n *Names) Deepest(start game.Position, moves []game.Move) (found Opening, ok bool) {
	if n.lines == 0 {
		return Opening{}, false
	}
	most := 0
	for i := range n.lines {
		most = max(most, len(n.list[i].Moves))
	}
	// A game that begins elsewhere may come to a name late.
	n.walk(start, moves[:min(len(moves), 2*most)], func(p game.Position, _ int) {
		if o, named := n.At(p); named {
			found, ok = o, true
		}
	})
	return found, ok
}

// walk calls look with every position of a game, which begins at start or at the
// usual start, and with the number of moves up to there.
func (n *Names) walk(start game.Position, moves []game.Move, look func(p game.Position, ply int)) {
	if start == nil {
		start = n.rules.Start()
	}
	look(start, 0)
	played := 0
	for _, m := range moves {
		if start.Play(m) != nil {
			break
		}
		played++
		look(start, played)
	}
	for range played {
		start.Undo()
	}
}
