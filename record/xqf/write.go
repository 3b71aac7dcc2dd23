package xqf

import (
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
	"qipu/record/fen"
)

// encoding is that of all text that is written.
const encoding = "gb18030"

// Write writes one game as a plain file of version 10. A file holds no more
// than one game.
func (format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	var file []byte
	for g := range games {
		if file != nil {
			return fmt.Errorf("xqf: more than one game in a file: %w", record.ErrInexpressible)
		}
		var err error
		if file, err = encode(g); err != nil {
			return err
		}
	}
	if file == nil {
		return fmt.Errorf("xqf: a file without a game: %w", record.ErrInexpressible)
	}
	_, err := w.Write(file)
	return err
}

// encode returns the file of a game.
func encode(g *record.Game) ([]byte, error) {
	switch {
	case g.Kind != "xiangqi":
		return nil, record.Inexpressible("a game of %s", g.Kind)
	case g.Variant != "":
		return nil, record.Inexpressible("the variant %q", g.Variant)
	case len(g.Nodes) == 0:
		return nil, record.Inexpressible("a game without a root")
	}
	g = g.WithoutBlanks()
	file := make([]byte, headerSize, headerSize+8*len(g.Nodes))
	copy(file, "XQ\x0A")
	if err := putStart(file, g); err != nil {
		return nil, err
	}
	surplus, err := putHeaders(file, headersOf(g))
	if err != nil {
		return nil, err
	}
	w := writer{file: file, game: g}
	if err := w.tree(surplus); err != nil {
		return nil, err
	}
	file = w.file
	copy(file[encodingAt:], encoding)
	return file, nil
}

// putStart writes the pieces and the side to move.
func putStart(file []byte, g *record.Game) error {
	board, black, err := parseStart(g.Start)
	if err != nil {
		return record.Inexpressible("%v", err)
	}
	if x := g.Nodes[0].Extra; x != nil && (len(x.Setup) > 0 || x.Turn != record.Unstated) {
		return record.Inexpressible("set-up by single points")
	}
	l, surplus := layoutOf(board)
	if surplus != 0 {
		return record.Inexpressible("a further %c on the board", surplus)
	}
	copy(file[pieceAt:], l[:])
	if black {
		file[blackAt] = 1
	}
	// The first piece that moves tells the side; a game that says otherwise
	// would come back changed.
	if first := g.Nodes[0].Child; first != 0 {
		from, _, ok := parseMove(g.Nodes[first].Move)
		if ok && from < fen.Squares && board[at(from)] != 0 && (board[at(from)] >= 'a') != black {
			return record.Inexpressible("a first move of the side that is not to move")
		}
	}
	return nil
}

// headersOf returns the headers under the names of the format. A game of
// another format gives its facts, and whatever header these do not say.
func headersOf(g *record.Game) []record.Tag {
	if g.Format == info.Name {
		return g.Tags
	}
	f := &g.Facts
	var tags []record.Tag
	said := map[record.Tag]bool{}
	add := func(name, value string) {
		if t := (record.Tag{Name: name, Value: value}); value != "" {
			tags = append(tags, t)
			said[t] = true
		}
	}
	either := func(name, fact string) {
		if value := g.Tag(name); value != "" {
			fact = value
		}
		add(name, fact)
	}
	add("Title", g.Tag("Title"))
	either("Event", f.Event)
	either("Date", f.Date.String())
	either("Site", f.Place)
	add("Red", f.Players[0].Name)
	add("Black", f.Players[1].Name)
	either("TimeRule", f.Time)
	either("Annotator", f.Author)
	either("Round", f.Round)
	either("RedTeam", f.Players[0].Team)
	either("BlackTeam", f.Players[1].Team)
	either("Opening", f.Opening)
	either("ECCO", f.Code)
	either("Source", f.Source)
	either(tagType, typeOf(g))
	add(tagResult, strings.Trim(f.Result.PGN(), "*"))
	written := writtenFacts(f)
	for _, t := range g.Tags {
		if !said[t] && !expressed[t.Name] && !written.Says(facts.RedFirst, t.Name, t.Value) {
			add(t.Name, t.Value)
		}
	}
	return tags
}

// writtenFacts returns the facts that the headers say.
func writtenFacts(f *facts.Facts) *facts.Facts {
	written := *f
	for side := range written.Players {
		written.Players[side].Rating = 0
	}
	switch f.Result {
	case facts.Result{Verdict: facts.FirstWon}, facts.Result{Verdict: facts.SecondWon}, facts.Result{Verdict: facts.Drawn}:
	default:
		written.Result = facts.Result{}
	}
	return &written
}

// expressed are headers of other formats that say what the file itself shows.
var expressed = map[string]bool{"Format": true, "Variant": true}

func typeOf(g *record.Game) string {
	if g.Start == "" {
		return types[0]
	}
	return types[3]
}

// putHeaders writes the headers into their fields, and returns those that have
// none or do not fit. Of the latter the field holds as much as it can.
func putHeaders(file []byte, tags []record.Tag) (surplus []record.Tag, err error) {
	seen := map[string]bool{}
	for _, t := range tags {
		again := seen[t.Name]
		seen[t.Name] = true
		switch {
		case again:
			surplus = append(surplus, t)
		case t.Name == tagType:
			code, ok := codeOf(types[:], t.Value, 0xFFFF)
			if !ok {
				code = 0
				surplus = append(surplus, t)
			}
			binary.LittleEndian.PutUint16(file[typeAt:], uint16(code))
		case t.Name == tagResult:
			code, ok := codeOf(results[:], t.Value, 0xFF)
			if !ok {
				code = 0
				surplus = append(surplus, t)
			}
			file[resultAt] = byte(code)
		case fieldOf(t.Name) == nil:
			surplus = append(surplus, t)
		default:
			whole, err := putField(file, t)
			if err != nil {
				return nil, err
			}
			if !whole {
				surplus = append(surplus, t)
			}
		}
	}
	return surplus, nil
}

// putField writes a header into its field and reports whether all of it fits.
func putField(file []byte, t record.Tag) (whole bool, err error) {
	f, text := fieldOf(t.Name), t.Value
	for n := range text {
		if n > 4*f.size { // no character takes more than four bytes
			text = text[:n]
			break
		}
	}
	for {
		data, err := charset.Encode(text, encoding)
		if err != nil {
			return false, record.Inexpressible("%s %q", t.Name, t.Value)
		}
		// Where a field is cut, its last bytes may look like half a character.
		if back, err := charset.Decode(data, "", encoding); err != nil || string(back.UTF8) != text {
			data = nil
		}
		if len(data) < f.size && (data != nil || text == "") {
			file[f.at] = byte(len(data))
			copy(file[f.at+1:], data)
			// A NUL at the end would read as padding, and a mark of broken text
			// at the end of a full field as half a character.
			cut := strings.HasSuffix(text, "\x00") || len(data) == f.size-1 && strings.HasSuffix(text, "\uFFFD")
			return text == t.Value && !cut, nil
		}
		_, last := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-last]
	}
}

// writer writes the tree.
type writer struct {
	file    []byte
	game    *record.Game
	entries int // lines with headers and properties so far
}

// text returns the comment of a node with what has no other place behind it:
// the surplus headers, at the root, and the properties.
func (w *writer) text(n *record.Node, surplus []record.Tag) (string, error) {
	comment := lines(n.Text())
	var entries []entry
	for _, t := range surplus {
		e := tagEntry(t)
		if !e.valid() || e.isProp() {
			return "", record.Inexpressible("a header named %q", t.Name)
		}
		entries = append(entries, e)
	}
	if n.Extra != nil {
		for _, p := range n.Props {
			e := propEntry(p)
			if !e.valid() {
				return "", record.Inexpressible("a property named %q", p.Name)
			}
			entries = append(entries, e)
		}
	}
	if w.entries += len(entries); w.entries > maxLines {
		return "", record.Inexpressible("more than %d headers and properties", maxLines)
	}
	if _, more := cutEntries(comment, n == &w.game.Nodes[0], 1); len(more) > 0 && w.entries < maxLines {
		return "", record.Inexpressible("a comment that ends in %q", more[0].append(nil))
	}
	if len(entries) == 0 {
		return comment, nil
	}
	text := []byte(comment)
	for _, e := range entries {
		if len(text) > 0 {
			text = append(text, '\n')
		}
		text = e.append(text)
	}
	return string(text), nil
}

// tree appends the nodes, depth first.
func (w *writer) tree(surplus []record.Tag) error {
	nodes := w.game.Nodes
	if err := w.node([4]byte{24, 32, 0, 0xFF}, &nodes[0], surplus); err != nil {
		return err
	}
	var stack []int32
	for i := nodes[0].Child; i != 0; {
		n := &nodes[i]
		from, to, ok := parseMove(n.Move)
		if !ok {
			return record.Inexpressible("the move %q", n.Move)
		}
		if x := n.Extra; x != nil && (len(x.Setup) > 0 || x.Turn != record.Unstated) {
			return record.Inexpressible("set-up at the move %q", n.Move)
		}
		if err := w.node([4]byte{from + 24, to + 32}, n, nil); err != nil {
			return err
		}
		if n.Next != 0 {
			stack = append(stack, n.Next)
		}
		if i = n.Child; i == 0 && len(stack) > 0 {
			i = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
	}
	return nil
}

func (w *writer) node(head [4]byte, n *record.Node, surplus []record.Tag) error {
	if n.Child != 0 {
		head[2] |= 0xF0
	}
	if n.Next != 0 {
		head[2] |= 0x0F
	}
	text, err := w.text(n, surplus)
	if err != nil {
		return err
	}
	data, err := charset.Encode(strings.ReplaceAll(text, "\n", "\r\n"), encoding)
	if err != nil {
		return record.Inexpressible("the comment %q", text)
	}
	w.file = append(w.file, head[:]...)
	w.file = binary.LittleEndian.AppendUint32(w.file, uint32(len(data)))
	w.file = append(w.file, data...)
	return nil
}
