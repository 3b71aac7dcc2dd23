package opening

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// readDrawn takes over a table of openings that are drawn. Its own comment
// describes the form.
func (n *Names) readDrawn(text string) error {
	r := reader{names: n, board: pattern.BoardOf(n.rules)}
	for i, line := range strings.Split(text, "\n") {
		r.line = i + 1
		if err := r.read(line); err != nil {
			return fmt.Errorf("opening: line %d: %w", r.line, err)
		}
	}
	if err := r.close(); err != nil {
		return fmt.Errorf("opening: line %d: %w", r.line, err)
	}
	return nil
}

// reader reads openings that are drawn, line by line.
type reader struct {
	names *Names
	board pattern.Board
	line  int

	o        *Opening // the one at hand
	from, to int
	turn     pattern.Turn
	diagram  []string // its lines so far, where inside says that one is being read
	inside   bool
}

func (r *reader) read(line string) error {
	if r.inside && strings.HasPrefix(line, "\t") {
		r.diagram = append(r.diagram, line)
		return nil
	}
	if err := r.closeDiagram(); err != nil {
		return err
	}
	switch {
	case strings.HasPrefix(line, "//"):
		return nil
	case strings.TrimSpace(line) == "":
		return r.close()
	}
	field, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	if field == "opening" {
		if err := r.close(); err != nil {
			return err
		}
		r.o, r.from, r.to, r.turn = &Opening{ID: value}, 0, -1, pattern.AnyTurn
		return nil
	}
	if r.o == nil {
		return fmt.Errorf("%q stands in no opening: begin one with a line \"opening ID\"", field)
	}
	switch field {
	case "kind":
		r.o.Kind = Kind(value)
	case "name":
		names := split(value)
		if len(names) != 5 {
			return fmt.Errorf("%d names: give five, in English, 繁體, 简体, 日本語 and 한국어", len(names))
		}
		r.o.Names = board.Names{En: names[0], Hant: names[1], Hans: names[2], Ja: names[3], Ko: names[4]}
	case "alias":
		r.o.Aliases = split(value)
	case "parent":
		r.o.Parent = value
	case "note":
		r.o.Note = value
	case "plies":
		return r.plies(value)
	case "turn":
		turn, ok := map[string]pattern.Turn{"X": pattern.FirstToMove, "O": pattern.SecondToMove}[value]
		if !ok {
			return fmt.Errorf("turn %q: write X or O", value)
		}
		r.turn = turn
	case "diagram":
		r.inside = true
	case "stones":
		return r.stones(value)
	default:
		return fmt.Errorf("there is no field %q", field)
	}
	return nil
}

// split returns the parts of a value that bars part.
func split(value string) []string {
	parts := strings.Split(value, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

func (r *reader) plies(value string) (err error) {
	from, to, _ := strings.Cut(value, "..")
	if r.from, err = strconv.Atoi(from); err == nil {
		r.to, err = strconv.Atoi(to)
	}
	if err != nil || r.from < 0 || r.to < r.from {
		return fmt.Errorf("plies %q: write FROM..TO, the number of moves that have been played", value)
	}
	return nil
}

// closeDiagram takes over the diagram that has come to its end.
func (r *reader) closeDiagram() error {
	if !r.inside {
		return nil
	}
	r.inside = false
	p, err := pattern.Parse(r.names.rules.Geometry(), strings.Join(r.diagram, "\n"))
	if err != nil {
		return fmt.Errorf("the diagram above: %w", err)
	}
	r.diagram = nil
	r.o.shapes = append(r.o.shapes, p)
	return nil
}

// stone is a point of the whole board and what must stand there.
type stone struct {
	at  board.Point
	set pattern.Set
}

// maxChoices bounds how many shapes a line of stones may mean: choices multiply.
const maxChoices = 256

// stones reads "X Q16 D4|C4 O D16" and makes a shape of every choice, leaving out
// those that are pictures of others.
func (r *reader) stones(value string) error {
	sets := map[string]pattern.Set{"X": pattern.Of(1), "O": pattern.Of(2), ".": pattern.Empty}
	set := pattern.Set(0)
	choices := [][]stone{nil}
	for _, word := range strings.Fields(value) {
		if s, ok := sets[word]; ok {
			set = s
			continue
		}
		var longer [][]stone
		for _, name := range split(word) {
			at, ok := r.names.rules.Geometry().Point(name)
			if !ok || set == 0 {
				return fmt.Errorf("stones: %q: write X, O or . and then points of the board", name)
			}
			for _, c := range choices {
				longer = append(longer, append(slices.Clip(c), stone{at, set}))
			}
		}
		if choices = longer; len(choices) > maxChoices {
			return fmt.Errorf("stones: more than %d choices", maxChoices)
		}
	}
	seen := map[string]bool{}
	for _, c := range choices {
		var least []uint64
		for _, sym := range r.board.Images() {
			if image := r.image(c, sym); least == nil || slices.Compare(image, least) < 0 {
				least = image
			}
		}
		if key := fmt.Sprint(least); !seen[key] {
			seen[key] = true
			r.o.shapes = append(r.o.shapes, r.whole(c))
		}
	}
	return nil
}

// image returns stones as a symmetry shows them, as numbers in rising order.
func (r *reader) image(stones []stone, sym game.Symmetry) []uint64 {
	list := make([]uint64, 0, len(stones))
	for _, s := range stones {
		if p, ok := s.set.Only(); ok && p != board.Empty && sym.Swap {
			s.set = pattern.Of(r.board.Swap[p-1])
		}
		list = append(list, uint64(sym.Board.Apply(r.board.Size, s.at))<<32|uint64(s.set))
	}
	slices.Sort(list)
	return list
}

// whole returns the shape of a whole board with some stones, and anything
// elsewhere.
func (r *reader) whole(stones []stone) *pattern.Pattern {
	size := r.board.Size
	p := &pattern.Pattern{Size: size, Anchor: pattern.Fixed, At: board.At(0, 0)}
	p.Cells = slices.Repeat([]pattern.Set{pattern.AnyOn(r.board.Kinds)}, size.Area())
	for _, s := range stones {
		p.Cells[size.Index(s.at)] = s.set
	}
	return p
}

// close takes over the opening that has come to its end.
func (r *reader) close() error {
	if err := r.closeDiagram(); err != nil || r.o == nil {
		return err
	}
	o, n := r.o, r.names
	r.o = nil
	known := func(id string) bool {
		return slices.ContainsFunc(n.list, func(o Opening) bool { return o.ID == id })
	}
	switch {
	case o.ID == "" || known(o.ID):
		return fmt.Errorf("%q is no id, or that of another opening", o.ID)
	case o.Names.En == "" || r.to < 0 || len(o.shapes) == 0:
		return fmt.Errorf("%s lacks a name, plies or a diagram", o.ID)
	case !slices.Contains([]Kind{Corner, Enclosure, Joseki, Fuseki}, o.Kind):
		return fmt.Errorf("%s: there is no kind %q", o.ID, o.Kind)
	case o.Parent != "" && !known(o.Parent):
		return fmt.Errorf("%s: no opening above is its parent %q", o.ID, o.Parent)
	}
	d := drawn{opening: len(n.list), from: r.from, to: r.to}
	for _, p := range o.shapes {
		p.Mirror, p.Swap, p.Turn, p.From, p.To = true, true, r.turn, r.from, r.to
		places, err := pattern.Compile(p, r.board)
		if err != nil {
			return fmt.Errorf("%s: %w", o.ID, err)
		}
		for i := range places {
			d.places = append(d.places, placeOf(&places[i]))
		}
	}
	n.list = append(n.list, *o)
	n.drawn = append(n.drawn, d)
	return nil
}
