package cbridge

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/charset"
	"qipu/record/facts"
)

// Offsets in a record.
const (
	versionAt  = 0x13
	idAt       = 0x14
	idLen      = 16
	typeAt     = 0x7F8
	resultAt   = 0x81C
	turnAt     = 0x840 // 1 for Red, 2 for Black
	roundAt    = 0x844 // number of the first move pair
	boardAt    = 0x848
	treeAt     = 0x8A6
	headerSize = treeAt

	version = 2
)

// field is a UTF-16LE text field, padded with zeros.
type field struct {
	name     string
	at, size int
}

var fields = [...]field{
	{"Script", 0x34, 128},
	{"Title", 0xB4, 128},
	{"Category", 0x134, 256},
	{"Source", 0x234, 64},
	{"EventClass", 0x274, 64},
	{"Event", 0x2B4, 64},
	{"Round", 0x2F4, 64},
	{"Group", 0x334, 32},
	{"Table", 0x354, 32},
	{"Date", 0x374, 64},
	{"Site", 0x3B4, 64},
	{"TimeRule", 0x3F4, 64},
	{"Red", 0x434, 64},
	{"RedTeam", 0x474, 64},
	{"RedTime", 0x4B4, 64},
	{"RedRating", 0x4F4, 32},
	{"Black", 0x514, 64},
	{"BlackTeam", 0x554, 64},
	{"BlackTime", 0x594, 64},
	{"BlackRating", 0x5D4, 32},
	{"Referee", 0x5F4, 64},
	{"Recorder", 0x634, 64},
	{"Annotator", 0x674, 64},
	{"AnnotatorMail", 0x6B4, 64},
	{"Author", 0x6F4, 64},
	{"AuthorMail", 0x734, 64},
	{"Created", 0x774, 40},
	{"Modified", 0x7B4, 40},
	{"Nature", 0x7FC, 32},
	{"Ending", 0x820, 32},
}

var (
	types = [...]string{"played game", "composed game", "played ending", "composed ending"}
	// A record with several lines of different outcome has the result "several".
	results = [...]string{"", "1-0", "0-1", "1/2-1/2", "several"}
)

func codeText(texts []string, code byte) string {
	if int(code) < len(texts) {
		return texts[code]
	}
	return strconv.Itoa(int(code))
}

// reader reads one record.
type reader struct {
	data  []byte // the bytes in use
	at    int
	limit int
	g     *record.Game
	short bool // the record ends too early, and the user has been told

	further int // faults beyond the limit
}

// newReader returns a reader of the first used bytes of raw, which are at least
// a header.
func newReader(raw []byte, used, limit int, place record.Place) *reader {
	return &reader{data: raw[:used], at: treeAt, limit: limit, g: &record.Game{
		Kind: "xiangqi", Notation: "iccs", Format: info.Name, Encoding: "utf-16le", Raw: raw, Place: place,
	}}
}

// fault adds a fault at a place of the record.
func (r *reader) fault(sev record.Severity, kind string, offset int, format string, args ...any) {
	r.g.FaultAt(&r.further, sev, kind, r.g.Place.Offset+int64(offset), format, args...)
}

func (r *reader) read() *record.Game {
	if v := r.data[versionAt]; v != version {
		r.fault(record.Note, record.KindHeader, versionAt, "version %d: read as if it were %d", v, version)
	}
	r.headers()
	r.tree()
	r.start()
	r.g.FurtherFaults(r.further)
	return r.g
}

func (r *reader) headers() {
	g := r.g
	add := record.PutTags(&g.Tags)
	for i := range fields {
		f := &fields[i]
		add(f.name, text(r.data[f.at:f.at+f.size]))
	}
	add("Type", codeText(types[:], r.data[typeAt]))
	add("Result", codeText(results[:], r.data[resultAt]))
	if round := binary.LittleEndian.Uint16(r.data[roundAt:]); round > 1 {
		add("FirstMove", strconv.Itoa(int(round)))
	}
	if id := identifier(r.data[idAt : idAt+idLen]); id != "" {
		add("Id", id)
	}
	f := &g.Facts
	f.Players[0] = player(g.Tag("Red"), g.Tag("RedTeam"), g.Tag("RedRating"))
	f.Players[1] = player(g.Tag("Black"), g.Tag("BlackTeam"), g.Tag("BlackRating"))
	f.Event = g.Tag("Event")
	f.Round = g.Tag("Round")
	f.Place = g.Tag("Site")
	f.Date = facts.ParseDate(g.Tag("Date"))
	f.Source = g.Tag("Source")
	f.Author = g.Tag("Annotator")
	f.Time = g.Tag("TimeRule")
	switch r.data[resultAt] {
	case 1:
		f.Result.Verdict = facts.FirstWon
	case 2:
		f.Result.Verdict = facts.SecondWon
	case 3:
		f.Result.Verdict = facts.Drawn
	}
}

func player(name, team, rating string) facts.Player {
	p := facts.Player{Name: strings.TrimSpace(name), Team: strings.TrimSpace(team)}
	if n, err := strconv.Atoi(strings.TrimSpace(rating)); err == nil && n >= 100 && n < 10_000 {
		p.Rating = n
	}
	return p
}

// identifier returns the text of a GUID, empty for one of zeros.
func identifier(b []byte) string {
	if strings.Trim(string(b), "\x00") == "" {
		return ""
	}
	return fmt.Sprintf("{%08X-%04X-%04X-%04X-%012X}", binary.LittleEndian.Uint32(b),
		binary.LittleEndian.Uint16(b[4:]), binary.LittleEndian.Uint16(b[6:]), b[8:10], b[10:16])
}

// The flags of a node.
const (
	flagEnd     = 1
	flagSibling = 2
	flagComment = 4
)

// tree reads the nodes.
func (r *reader) tree() {
	r.g.Nodes = make([]record.Node, 1, min((len(r.data)-treeAt)/4+1, 1024))
	if _, full := r.g.Unfold(r.limit, r.node); full {
		r.fault(record.Marked, record.KindLimit, r.at, "more than %d nodes: the rest of the tree is left out", r.limit)
	}
}

// node reads the node that is to become node i of the tree. Nothing is read
// where the record ends before it; a comment that is cut short is kept.
func (r *reader) node(i int32) (child, sibling, ok bool) {
	rest := r.data[r.at:]
	if len(rest) < 4 {
		r.tooShort("before a move that it announces")
		return false, false, false
	}
	n := &r.g.Nodes[i]
	n.Offset = int32(r.at)
	flags := rest[0]
	if i != 0 {
		var sound bool
		if n.Move, sound = moveText(rest[2], rest[3]); !sound {
			r.fault(record.Marked, record.KindNoMove, r.at, "a move %s leads from or to a square outside the board", n.Move)
		}
	}
	r.at += 4
	if flags&flagComment != 0 {
		r.comment(n)
	}
	return flags&flagEnd == 0, flags&flagSibling != 0, true
}

func (r *reader) tooShort(where string) {
	if !r.short {
		r.fault(record.Marked, record.KindSyntax, len(r.data), "the record ends %s", where)
		r.short = true
	}
	r.at = len(r.data)
}

// comment reads the length of a comment and the comment of a node.
func (r *reader) comment(n *record.Node) {
	rest := r.data[r.at:]
	if len(rest) < 4 {
		r.tooShort("inside a move")
		return
	}
	length := int(int32(binary.LittleEndian.Uint32(rest)))
	rest = rest[4:]
	r.at += 4
	if length < 0 {
		r.fault(record.Marked, record.KindSyntax, r.at-4, "a comment of %d bytes", length)
		return
	}
	at := r.at
	if length > len(rest) {
		r.tooShort("inside a comment")
		length = len(rest)
	}
	if s := lines(text(rest[:length])); s != "" {
		n.More().Comment = s
	}
	r.at = at + length
}

var utf16le = charset.Lookup("utf-16le")

// text decodes UTF-16LE up to the first NUL. Half characters become U+FFFD.
func text(data []byte) string {
	n := 0
	for n+1 < len(data) && (data[n] != 0 || data[n+1] != 0) {
		n += 2
	}
	if n == 0 {
		return ""
	}
	out, _ := utf16le.Append(make([]byte, 0, 2*n), data[:n])
	return string(out)
}

// lines returns a comment with plain line ends and without one at its end.
func lines(text string) string { return strings.TrimRight(record.LineFeeds(text), "\n") }
