package xqf

import (
	"bytes"
	"encoding/binary"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/fen"
)

// newest is the last version that is known.
const newest = 18

// keys undo what hides the pieces and the moves from version 11 on.
type keys struct {
	pieces, from, to byte
	length           int32
	stream           [32]byte
}

// mask is what the key stream is cut from.
const mask = "[(C) Copyright Mr. Dong Shiwei.]"

func newKeys(h []byte) (k keys) {
	if h[2] <= 10 {
		return k
	}
	scramble := func(b byte) byte { return 54*b*b + 221 }
	k.pieces = scramble(h[13]) * h[13]
	k.from = scramble(h[14]) * k.pieces
	k.to = scramble(h[15]) * k.from
	k.length = (int32(h[12])<<8+int32(h[13]))%32000 + 767
	for i := range k.stream {
		k.stream[i] = (h[8+i%4] | h[12+i%4]&h[3]) & mask[i]
	}
	return k
}

// reader reads one file.
type reader struct {
	src   *record.Source
	raw   []byte
	h     []byte // the header, padded where the file is shorter
	keys  keys
	body  []byte // the tree, in the clear
	at    int    // next byte of body
	limit int    // of nodes
	g     *record.Game

	further int // faults beyond the limit

	// texts are the bytes of all strings: the fields in order, then the
	// comments of the nodes in owners.
	texts  [][]byte
	owners []int32
}

func newReader(src *record.Source, raw []byte, limit int) *reader {
	r := &reader{src: src, raw: raw, limit: limit}
	r.h = raw[:min(len(raw), headerSize)]
	if len(raw) < headerSize {
		r.h = append(bytes.Clone(raw), make([]byte, headerSize-len(raw))...)
	}
	r.keys = newKeys(r.h)
	if len(raw) > headerSize {
		r.body = raw[headerSize:]
	}
	if r.keys.stream != [32]byte{} {
		r.body = bytes.Clone(r.body)
		for i := range r.body {
			r.body[i] -= r.keys.stream[i%32]
		}
	}
	r.g = &record.Game{
		Kind: "xiangqi", Notation: "iccs", Format: info.Name, Raw: raw,
		Place: record.Place{File: src.Name, Number: 1},
	}
	return r
}

// fault adds a fault at a place of the file.
func (r *reader) fault(sev record.Severity, kind string, offset int, format string, args ...any) {
	r.g.FaultAt(&r.further, sev, kind, int64(offset), format, args...)
}

func (r *reader) read() (*record.Game, error) {
	r.checkHeader()
	for i := range fields {
		r.texts = append(r.texts, r.pascal(&fields[i]))
	}
	r.tree()
	if err := r.decode(); err != nil {
		return nil, err
	}
	r.start()
	fillFacts(r.g)
	r.g.FurtherFaults(r.further)
	return r.g, nil
}

func (r *reader) checkHeader() {
	switch version := r.h[2]; {
	case len(r.raw) < headerSize:
		r.fault(record.Marked, record.KindSyntax, len(r.raw), "the file ends inside the header, after %d of %d bytes", len(r.raw), headerSize)
	case version > newest:
		r.fault(record.Note, record.KindHeader, 2, "version %d is newer than %d: read as if it were %d", version, newest, newest)
	}
	if sum(r.h) != 0 {
		r.fault(record.Marked, record.KindHeader, 12, "the key bytes do not add up to zero: the moves may be unreadable")
	}
}

// pascal returns the bytes of a field.
func (r *reader) pascal(f *field) []byte {
	n := int(r.h[f.at])
	if n >= f.size {
		r.fault(record.Note, record.KindHeader, f.at, "%s is %d bytes long, but its field holds %d", f.name, n, f.size-1)
		n = f.size - 1
	}
	return bytes.TrimRight(r.h[f.at+1:f.at+1+n], "\x00")
}

// tree reads the nodes.
func (r *reader) tree() {
	r.g.Nodes = make([]record.Node, 1, min(r.count(), r.limit)+1)
	whole, full := r.g.Unfold(r.limit, r.node)
	if full {
		r.fault(record.Marked, record.KindLimit, headerSize+r.at, "more than %d nodes: the rest of the tree is left out", r.limit)
	}
	if !whole {
		return
	}
	if rest := r.body[r.at:]; len(bytes.Trim(rest, "\x00")) > 0 {
		r.fault(record.Note, record.KindSyntax, headerSize+r.at, "%d bytes follow the last move", len(rest))
	}
}

// count returns how many nodes the file has room for, going from node to node
// by their lengths. It is exact for a sound file, and saves growing the list.
func (r *reader) count() (n int) {
	for at := 0; at+4 <= len(r.body); n++ {
		flags := r.body[at+2]
		at += 4
		if r.h[2] > 10 && flags&0x20 == 0 {
			continue
		}
		if at+4 > len(r.body) {
			break
		}
		length := int64(int32(binary.LittleEndian.Uint32(r.body[at:]))) - int64(r.keys.length)
		if length < 0 || length > int64(len(r.body)-at-4) {
			break
		}
		at += 4 + int(length)
	}
	return n
}

// node reads the node that is to become node i of the tree. Nothing is read
// where the file ends before it; a comment that is cut short is kept.
func (r *reader) node(i int32) (child, sibling, ok bool) {
	at := r.at
	rest := r.body[at:]
	if len(rest) < 4 {
		switch {
		case len(r.raw) < headerSize: // said already
		case i == 0:
			r.fault(record.Marked, record.KindSyntax, len(r.raw), "the file ends before the first move")
		default:
			r.fault(record.Marked, record.KindSyntax, len(r.raw), "the file ends before a move that it announces")
		}
		return false, false, false
	}
	n := &r.g.Nodes[i]
	n.Offset = int32(headerSize + at)
	if i != 0 {
		var sound bool
		if n.Move, sound = moveText(rest[0]-24-r.keys.from, rest[1]-32-r.keys.to); !sound {
			r.fault(record.Marked, record.KindNoMove, headerSize+at, "a move %s leads from or to a square outside the board", n.Move)
		}
	}
	flags := rest[2]
	r.at += 4
	if r.h[2] <= 10 {
		r.comment(i)
		return flags&0xF0 != 0, flags&0x0F != 0, true
	}
	if flags&0x20 != 0 {
		r.comment(i)
	}
	return flags&0x80 != 0, flags&0x40 != 0, true
}

// comment reads the length of a comment and the comment of node i.
func (r *reader) comment(i int32) {
	rest := r.body[r.at:]
	if len(rest) < 4 {
		r.fault(record.Marked, record.KindSyntax, len(r.raw), "the file ends inside a move")
		r.at = len(r.body)
		return
	}
	length := int64(int32(binary.LittleEndian.Uint32(rest)))
	if length != 0 || r.h[2] > 10 {
		length -= int64(r.keys.length)
	}
	r.at += 4
	rest = rest[4:]
	switch {
	case length < 0:
		r.fault(record.Marked, record.KindSyntax, headerSize+r.at-4, "a comment of %d bytes", length)
		return
	case length > int64(len(rest)):
		r.fault(record.Marked, record.KindSyntax, headerSize+r.at-4, "the file ends inside a comment: %d of %d bytes are there", len(rest), length)
		length = int64(len(rest))
	}
	r.at += int(length)
	if length > 0 {
		r.texts = append(r.texts, rest[:length])
		r.owners = append(r.owners, i)
	}
}

// decode turns the bytes of all texts into headers and comments.
func (r *reader) decode() error {
	g := r.g
	override := r.src.Encoding
	if override == "" && string(bytes.TrimRight(r.h[encodingAt:encodingAt+encodingLen], "\x00")) == encoding {
		override = encoding // Write says so
	}
	texts, about, err := charset.Fields(r.texts, "", override, encoding, "big5")
	if err != nil {
		return err
	}
	g.Encoding, g.Guessed = about.Encoding, about.Guessed
	names, comments := texts[:len(fields)], texts[len(fields):]
	for i := range fields {
		if whole, cut := strings.CutSuffix(names[i], "\uFFFD"); cut && len(r.texts[i]) == fields[i].size-1 {
			names[i] = whole
			about.Broken--
			r.fault(record.Note, record.KindEncoding, fields[i].at, "%s is cut in the middle of a character", fields[i].name)
		}
	}
	if about.Broken > 0 {
		g.Fault(record.Note, record.KindEncoding, 0, "text that is no %s; broken places: %d", about.Encoding, about.Broken)
	}
	var extra []record.Tag
	left := maxLines
	for k, i := range r.owners {
		text, entries := cutEntries(lines(comments[k]), i == 0, left)
		left -= len(entries)
		var props []record.Prop
		for _, e := range entries {
			if e.isProp() {
				props = append(props, record.Prop{Name: e.name[len(propMark):], Values: e.values})
			} else {
				extra = append(extra, record.Tag{Name: e.name, Value: e.values[0]})
			}
		}
		if text != "" || len(props) > 0 {
			x := g.Nodes[i].More()
			x.Comment, x.Props = text, props
		}
	}
	r.headers(names, extra)
	return nil
}

// headers sets the tags from the fields, and from the extra ones for which a
// writer found no other place than the first comment.
func (r *reader) headers(names []string, extra []record.Tag) {
	g := r.g
	for i := range fields {
		if text := take(extra, fields[i].name, names[i]); text != "" {
			g.Tags = append(g.Tags, record.Tag{Name: fields[i].name, Value: text})
		}
	}
	code := binary.LittleEndian.Uint16(r.h[typeAt:])
	g.Tags = append(g.Tags, record.Tag{Name: tagType, Value: codeText(types[:], int(code))})
	text := codeText(results[:], int(r.h[resultAt]))
	if text == "" {
		text = take(extra, tagResult, "")
	}
	if text != "" {
		g.Tags = append(g.Tags, record.Tag{Name: tagResult, Value: text})
	}
	for _, t := range extra {
		if t.Name != "" {
			g.Tags = append(g.Tags, t)
		}
	}
}

// take returns the first value under a name that continues a text, and takes it
// off the list; the text itself where there is none.
func take(tags []record.Tag, name, text string) string {
	for i := range tags {
		if tags[i].Name == name && strings.HasPrefix(tags[i].Value, text) {
			tags[i].Name = ""
			return tags[i].Value
		}
	}
	return text
}

// start sets the start position from the pieces and the first move.
func (r *reader) start() {
	var l layout
	for i := range l {
		s := r.h[pieceAt+i] - r.keys.pieces
		if r.h[2] >= 12 {
			l[(int(r.keys.pieces)+1+i)%slots] = s
		} else {
			l[i] = s
		}
	}
	b, ok := l.board()
	if !ok {
		r.fault(record.Marked, record.KindSetup, pieceAt, "two pieces stand on one square: the first of them is kept")
	}
	black := r.h[blackAt] == 1
	if first := r.g.Nodes[0].Child; first != 0 {
		if from, _, ok := parseMove(r.g.Nodes[first].Move); ok && from < fen.Squares && b[at(from)] != 0 {
			black = b[at(from)] >= 'a'
		}
	}
	r.g.Start = b.Text(black)
}

// lines returns a comment with plain line ends and without one at its end.
func lines(text string) string { return strings.TrimRight(record.LineFeeds(text), "\n\x00") }
