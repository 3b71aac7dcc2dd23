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

// inexpressible returns an error that names what the format has no place for.
func encode(g *record.Game) ([]byte, error) {
	switch {
	case g.Kind != "xiangqi":
		return nil, record.Inexpressible("a game of %s", g.Kind)
	case g.Variant != "":
		return nil, record.Inexpressible("the variant %q", g.Variant)
	case len(g.Nodes) == 0:
		return nil, record.Inexpressible("a game without a root")
	}
	file := make([]byte, headerSize, headerSize+8*len(g.Nodes))
	copy(file, "XQ\x0A")
	if err := putStart(file, g); err != nil {
		return nil, err
	}
	surplus, err := putHeaders(file, headersOf(g))
	if err != nil {
		return nil, err
	}
	comment, err := withTags(g.Nodes[0].Text(), surplus)
	if err != nil {
		return nil, err
	}
	if file, err = appendTree(file, g, comment); err != nil {
		return nil, err
	}
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
	l, surplus := board.layout()
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
		if ok && from < squares && board[from] != 0 && (board[from] >= 'a') != black {
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
	said := map[string]bool{"": true}
	var tags []record.Tag
	add := func(name, value string) {
		if value != "" {
			tags = append(tags, record.Tag{Name: name, Value: value})
			said[value] = true
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
	add(tagResult, resultOf(g))
	for _, t := range g.Tags {
		if !said[t.Value] && !expressed[t.Name] {
			add(t.Name, t.Value)
		}
	}
	return tags
}

// expressed are headers of other formats that say what the file itself shows.
var expressed = map[string]bool{
	"Game": true, "FEN": true, "SetUp": true, "Format": true, "Variant": true, tagResult: true, tagType: true,
}

func typeOf(g *record.Game) string {
	if g.Start == "" {
		return types[0]
	}
	return types[3]
}

func resultOf(g *record.Game) string {
	switch g.Facts.Result.Verdict {
	case facts.FirstWon:
		return results[1]
	case facts.SecondWon:
		return results[2]
	case facts.Drawn:
		return results[3]
	}
	return ""
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
		case !isField(t.Name):
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
	var f *field
	for i := range fields {
		if fields[i].name == t.Name {
			f = &fields[i]
		}
	}
	text := t.Value
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
		if len(data) < f.size {
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

// withTags returns the first comment with the headers behind it that have no
// place in the header.
func withTags(comment string, surplus []record.Tag) (string, error) {
	if comment = lines(comment); len(surplus) == 0 {
		return comment, nil
	}
	var b strings.Builder
	b.WriteString(comment)
	for _, t := range surplus {
		if !tagName(t.Name) {
			return "", record.Inexpressible("a header named %q", t.Name)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(formatTag(t))
	}
	return b.String(), nil
}

// appendTree appends the nodes, depth first.
func appendTree(file []byte, g *record.Game, comment string) ([]byte, error) {
	file, err := appendNode(file, [4]byte{24, 32, 0, 0xFF}, g.Nodes[0].Child != 0, false, comment)
	if err != nil {
		return nil, err
	}
	var stack []int32
	for i := g.Nodes[0].Child; i != 0; {
		n := &g.Nodes[i]
		from, to, ok := parseMove(n.Move)
		if !ok {
			return nil, record.Inexpressible("the move %q", n.Move)
		}
		if x := n.Extra; x != nil && (len(x.Setup) > 0 || x.Turn != record.Unstated || len(x.Props) > 0) {
			return nil, record.Inexpressible("set-up or properties at the move %q", n.Move)
		}
		file, err = appendNode(file, [4]byte{from + 24, to + 32}, n.Child != 0, n.Next != 0, lines(n.Text()))
		if err != nil {
			return nil, err
		}
		if n.Next != 0 {
			stack = append(stack, n.Next)
		}
		if i = n.Child; i == 0 && len(stack) > 0 {
			i = stack[len(stack)-1]
			stack = stack[:len(stack)-1]
		}
	}
	return file, nil
}

func appendNode(file []byte, node [4]byte, child, sibling bool, comment string) ([]byte, error) {
	if child {
		node[2] |= 0xF0
	}
	if sibling {
		node[2] |= 0x0F
	}
	data, err := charset.Encode(strings.ReplaceAll(comment, "\n", "\r\n"), encoding)
	if err != nil {
		return nil, record.Inexpressible("the comment %q", comment)
	}
	file = append(file, node[:]...)
	file = binary.LittleEndian.AppendUint32(file, uint32(len(data)))
	return append(file, data...), nil
}
