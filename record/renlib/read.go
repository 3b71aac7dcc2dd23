package renlib

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/charset"
)

const size = 15

// points holds the names of the points by their bytes: empty for none.
var points = allPoints()

func allPoints() (names [256]string) {
	names[0] = "pass"
	for b := 1; b < 256; b++ {
		if x, y := b%16, b/16; x >= 1 && y < size {
			names[b] = string(rune('a'+x-1)) + strconv.Itoa(size-y)
		}
	}
	return names
}

// The flags of a node; the label is in the further flags.
const (
	flagSibling = 0x80
	flagLeaf    = 0x40
	flagOld     = 0x20
	flagMark    = 0x10
	flagComment = 0x08
	flagStart   = 0x04
	flagNoMove  = 0x02
	flagMore    = 0x01

	moreLabel = 0x01
)

// Names of properties.
const (
	propText  = "BoardText"
	propLabel = "Label"
	propMark  = "Mark"
	propStart = "Start"
	propPoint = "Point"
)

// node is a node of the file.
type node struct {
	at      int64
	point   byte
	flags   byte
	comment []byte
	old     bool // the comment is of the old kind, and decoded
	label   []byte
}

// place is where the next node goes: below parent, behind elder if that is
// not 0.
type place struct{ parent, elder int32 }

// part is a game in the making: a library, or as much of one as a game may
// hold.
type part struct {
	g    *record.Game
	from int64 // where in the file it begins

	// texts are decoded when the part is finished, since the encoding is
	// guessed from all of them together; owners tells where each belongs.
	texts  [][]byte
	owners []owner

	further int // faults beyond the limit
}

// owner is the comment of a node (prop is -1) or a value of a property.
type owner struct{ node, prop, value int32 }

// reader reads one file.
type reader struct {
	src    *record.Source
	in     *bufio.Reader
	at     int64
	limits record.Limits
	raw    []byte // of the first part; nil once there is another
	err    error

	part     *part
	encoding string // of the parts so far
	next     place
	stack    []place
	complete bool // the tree has come to its end
	surplus  bool // and yet there was more
}

func newReader(src *record.Source, in *bufio.Reader) *reader {
	r := &reader{src: src, in: in, limits: src.Limits.WithDefaults(), raw: []byte{}}
	r.begin(1)
	return r
}

// begin starts the part with this number.
func (r *reader) begin(number int) {
	r.part = &part{from: r.at, g: &record.Game{
		Kind: "renju", Notation: "plain", Format: info.Name,
		Place: record.Place{File: r.src.Name, Offset: r.at, Number: number},
		Nodes: make([]record.Node, 1, 64),
	}}
}

// note adds a note on the file.
func (r *reader) note(kind, reason string) {
	r.part.g.Fault(record.Note, kind, 0, "%s", reason)
}

// mark adds a fault at a place of the file.
func (r *reader) mark(kind string, at int64, format string, args ...any) {
	r.part.g.FaultAt(&r.part.further, record.Marked, kind, at, format, args...)
}

// byte returns the next byte; ok is false at the end of the file.
func (r *reader) byte() (b byte, ok bool) {
	b, err := r.in.ReadByte()
	if err != nil {
		if err != io.EOF {
			r.err = err
		}
		return 0, false
	}
	r.at++
	if r.raw != nil {
		r.raw = append(r.raw, b)
	}
	return b, true
}

func (r *reader) read(yield func(*record.Game, error) bool) {
	first := true
	for {
		if r.full() {
			if !r.finish(yield) {
				return
			}
			if !r.carryOn() {
				yield(nil, r.src.Fault(record.Rejected, record.KindLimit, r.at, 0, r.part.g.Place.Number,
					"a line is too long for a game: the rest of the library is not read"))
				return
			}
		}
		n, ok := r.node()
		if !ok {
			break
		}
		r.add(&n, first && n.point == 0)
		first = false
	}
	if r.err != nil {
		r.mark(record.KindIO, r.at, "%v", r.err)
	}
	if first && r.err == nil {
		r.mark(record.KindEmpty, r.at, "the library has no moves")
	}
	r.finish(yield)
}

// full reports whether the part has all that a game may hold. A text takes the
// memory of three nodes.
func (r *reader) full() bool {
	read := r.at - r.part.from
	return read > 0 && (len(r.part.g.Nodes)+3*len(r.part.texts) >= r.limits.Nodes || read >= int64(r.limits.GameBytes))
}

// node reads a node; ok is false at the end of the file.
func (r *reader) node() (n node, ok bool) {
	n.at = r.at
	if n.point, ok = r.byte(); !ok {
		return n, false
	}
	if n.flags, ok = r.byte(); !ok {
		r.mark(record.KindSyntax, n.at, "the file ends inside a node: this one is left out")
		return n, false
	}
	more := byte(0)
	if n.flags&flagMore != 0 {
		if _, ok = r.byte(); ok {
			more, ok = r.byte()
		}
	}
	if ok && n.flags&flagOld != 0 {
		n.old = true
		n.comment, ok = r.oldText()
	} else if ok && n.flags&flagComment != 0 {
		n.comment, ok = r.text()
	}
	if ok && more&moreLabel != 0 {
		n.label, ok = r.text()
	}
	if !ok {
		r.mark(record.KindSyntax, n.at, "the file ends inside a node")
	}
	return n, true
}

// text reads a text that ends with NUL, and the padding behind it: texts come
// in pairs of bytes.
func (r *reader) text() (text []byte, ok bool) {
	for len(text) <= r.limits.GameBytes {
		first, ok := r.byte()
		if !ok {
			return text, false
		}
		if first != 0 {
			text = append(text, first)
		}
		second, ok := r.byte()
		if first == 0 || second == 0 {
			return text, ok
		}
		text = append(text, second)
	}
	return text, false
}

// oldText reads a text whose last byte has the top bit set, and the padding
// behind it, and decodes it.
func (r *reader) oldText() (text []byte, ok bool) {
	for len(text) <= r.limits.GameBytes {
		first, ok := r.byte()
		if !ok {
			return swedish(text), false
		}
		text = append(text, first&0x7F)
		second, ok := r.byte()
		if first >= 0x80 || !ok {
			return swedish(text), ok
		}
		if text = append(text, second&0x7F); second >= 0x80 {
			return swedish(text), true
		}
	}
	return swedish(text), false
}

var swedishLetters = strings.NewReplacer("}", "å", "{", "ä", "|", "ö", "]", "Å", "[", "Ä", `\`, "Ö")

// swedish decodes the seven-bit text of old comments.
func swedish(text []byte) []byte { return []byte(swedishLetters.Replace(string(text))) }

// add puts a node of the file into the tree, and sets where the next one goes.
func (r *reader) add(n *node, root bool) {
	g := r.part.g
	if r.complete && !r.surplus {
		r.surplus = true
		r.mark(record.KindSyntax, n.at, "moves follow the end of the tree: they are read as a continuation of the last line")
	}
	i := r.next.parent
	switch {
	case root:
	case n.flags&(flagNoMove|flagLeaf) == flagNoMove|flagLeaf && len(n.comment) == 0 && n.flags&(flagMark|flagStart) == 0 && points[n.point] != "":
		r.label(i, n)
		r.advance(n.flags, r.next)
		return
	default:
		i = int32(len(g.Nodes))
		if len(g.Nodes) == cap(g.Nodes) { // twice, not by a quarter: these lists are long
			g.Nodes = slices.Grow(g.Nodes, max(min(len(g.Nodes), r.limits.Nodes-len(g.Nodes)), 1))
		}
		g.Nodes = append(g.Nodes, record.Node{Parent: r.next.parent, Offset: int32(n.at - r.part.from)})
		if r.next.elder != 0 {
			g.Nodes[r.next.elder].Next = i
		} else {
			g.Nodes[r.next.parent].Child = i
		}
		r.setMove(i, n)
	}
	r.setTexts(i, n)
	if root {
		return // whatever its flags, what follows is below it
	}
	r.advance(n.flags, place{r.next.parent, i})
}

// advance sets the place of the next node, where behind is the place of a
// sibling of the last one.
func (r *reader) advance(flags byte, behind place) {
	switch sibling := flags&flagSibling != 0; {
	case flags&flagLeaf == 0:
		if sibling {
			r.stack = append(r.stack, behind)
		}
		r.next = place{behind.elder, 0}
	case sibling:
		r.next = behind
	case len(r.stack) > 0:
		r.next = r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
	default:
		// RenLib goes on below the last move if there is more, and so do we.
		r.complete = true
		if behind != r.next {
			r.next = place{behind.elder, 0}
		}
	}
}

// setMove gives node i of the tree its move.
func (r *reader) setMove(i int32, n *node) {
	name := points[n.point]
	if name == "" {
		name = strconv.Itoa(int(n.point))
		r.mark(record.KindNoMove, n.at, "the move byte %d is no point of the board", n.point)
	}
	if n.flags&flagNoMove != 0 {
		x := r.part.g.Nodes[i].More()
		x.Props = append(x.Props, record.Prop{Name: propPoint, Values: []string{name}})
		return
	}
	r.part.g.Nodes[i].Move = name
}

// setTexts gives node i of the tree its comment, label and marks.
func (r *reader) setTexts(i int32, n *node) {
	g := r.part.g
	flag := func(bit byte, name string) {
		if n.flags&bit != 0 {
			x := g.Nodes[i].More()
			x.Props = append(x.Props, record.Prop{Name: name})
		}
	}
	flag(flagMark, propMark)
	flag(flagStart, propStart)
	if len(n.label) > 0 {
		x := g.Nodes[i].More()
		r.later(n.label, owner{i, int32(len(x.Props)), 0})
		x.Props = append(x.Props, record.Prop{Name: propText, Values: make([]string, 1)})
	}
	switch {
	case len(n.comment) == 0:
	case n.old:
		g.Nodes[i].More().Comment = paragraphs(string(n.comment))
	default:
		g.Nodes[i].More()
		r.later(n.comment, owner{i, -1, 0})
	}
}

// label gives node i of the tree a label on an empty point.
func (r *reader) label(i int32, n *node) {
	x := r.part.g.Nodes[i].More()
	last := len(x.Props) - 1
	if last < 0 || x.Props[last].Name != propLabel {
		x.Props = append(x.Props, record.Prop{Name: propLabel})
		last++
	}
	p := &x.Props[last]
	if len(p.Values) == r.limits.Props {
		r.mark(record.KindLimit, n.at, "more than %d labels: this one on %s is left out", r.limits.Props, points[n.point])
		return
	}
	r.later(n.label, owner{i, int32(last), int32(len(p.Values))})
	p.Values = append(p.Values, points[n.point])
}

func (r *reader) later(text []byte, o owner) {
	r.part.texts = append(r.part.texts, text)
	r.part.owners = append(r.part.owners, o)
}

// put gives a text to whom it belongs.
func (o owner) put(g *record.Game, text string) {
	x := g.Nodes[o.node].Extra
	if o.prop < 0 {
		x.Comment = paragraphs(text)
		return
	}
	value := &x.Props[o.prop].Values[o.value]
	if *value != "" && text != "" {
		*value += " "
	}
	*value += text
}

// paragraphs returns a comment with its first line and the text behind it as
// paragraphs.
func paragraphs(text string) string {
	line, rest, _ := strings.Cut(text, "\b")
	if rest != "" && line != "" {
		line += "\n"
	}
	return strings.TrimRight(record.LineFeeds(line+rest), "\n")
}

// finish decodes the texts of the part and yields it.
func (r *reader) finish(yield func(*record.Game, error) bool) bool {
	p := r.part
	g := p.g
	texts, about, err := charset.Fields(p.texts, r.encoding, r.src.Encoding)
	if err != nil {
		return yield(nil, r.src.Fault(record.Rejected, record.KindEncoding, g.Place.Offset, 0, g.Place.Number, err.Error()))
	}
	for i, text := range texts {
		p.owners[i].put(g, text)
	}
	g.Encoding, g.Guessed = about.Encoding, about.Guessed
	if about.Broken > 0 {
		g.Fault(record.Note, record.KindEncoding, 0, "text that is no %s; broken places: %d", about.Encoding, about.Broken)
	}
	g.FurtherFaults(p.further)
	if about.Guessed {
		r.encoding = about.Encoding
	}
	g.Raw = r.raw
	return yield(g, nil)
}

// carryOn begins a further part with the line that leads to where the last one
// broke off. It fails where that line alone nearly fills a game.
func (r *reader) carryOn() bool {
	old := r.part.g
	var line []int32 // from the place of the next node to the root
	for i := r.next.parent; i != 0; i = old.Nodes[i].Parent {
		line = append(line, i)
	}
	if 2*len(line) > r.limits.Nodes {
		return false
	}
	r.raw = nil
	r.begin(old.Place.Number + 1)
	g := r.part.g
	g.Tags = append(g.Tags, record.Tag{Name: "Part", Value: strconv.Itoa(g.Place.Number)})
	r.note(record.KindLimit, fmt.Sprintf("part %d of a library that is too large for one game", g.Place.Number))
	renamed := map[int32]int32{0: 0}
	at := int32(0)
	for k := len(line) - 1; k >= 0; k-- {
		at = g.Add(at, record.Unstated, old.Nodes[line[k]].Move)
		renamed[line[k]] = at
	}
	// Whoever waits for a sibling is on the line, or has a parent there.
	move := func(p place) place { return place{renamed[p.parent], renamed[p.elder]} }
	r.next = move(r.next)
	for k := range r.stack {
		r.stack[k] = move(r.stack[k])
	}
	return true
}
