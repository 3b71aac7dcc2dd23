package ugf

import (
	"bytes"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/record"
)

// Format is the UGF format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "ugf",
	Title:      "Pandanet UGF",
	Extensions: []string{"ugf", "ugi"},
	Kinds:      []string{"weiqi"},
}

// Sniff looks for the header.
func (f format) Sniff(head []byte, name string) int {
	text := bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	header := bytes.Index(text, []byte("[Header]"))
	switch {
	case header >= 0 && bytes.Contains(text, []byte("Ver=UG")):
		return 95
	case header == 0 && bytes.Contains(text, []byte("\nSize=")):
		return 85
	case f.Named(name):
		return 20
	}
	return 0
}

// Read yields the game of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return record.ReadOne(src, read)
}

// reader reads one game.
type reader struct {
	game   *record.Game
	limits record.Limits
	header map[string]string
	size   board.Size
	below  bool // rows count from below
	line   int
	at     int32   // the last move
	number []int32 // nodes by the number of the move; 0 is the root
	last   record.Side
	left   map[string]bool // what is not read
}

func read(src *record.Source) (*record.Game, *record.Fault) {
	limits := src.Limits.WithDefaults()
	reject := func(kind, reason string) (*record.Game, *record.Fault) {
		return nil, src.Fault(record.Rejected, kind, 0, 0, 0, reason)
	}
	data, fault := src.Whole()
	if fault != nil {
		return nil, fault
	}
	g, text, fault := src.Game(&info, "sgf", data, language(data), record.Place{Line: 1, Number: 1})
	if fault != nil {
		return nil, fault
	}
	r := reader{game: g, limits: limits, header: map[string]string{}, size: board.Size{W: 19, H: 19}, number: []int32{0}, left: map[string]bool{}}
	if !r.sections(text) {
		return reject(record.KindSyntax, "no game: there is no section [Header] or [Data]")
	}
	if len(r.game.Nodes) > limits.Nodes {
		return reject(record.KindLimit, "too many moves")
	}
	if len(r.left) > 0 {
		r.game.Fault(record.Note, record.KindSyntax, 0, "parts of the file are not read: %s", strings.Join(slices.Sorted(maps.Keys(r.left)), " "))
	}
	r.facts()
	return r.game, nil
}

// language returns the encoding that Lang names.
func language(data []byte) string {
	_, rest, ok := bytes.Cut(data, []byte("\nLang="))
	if !ok {
		return "shift_jis"
	}
	word, _, _ := bytes.Cut(rest, []byte("\n"))
	switch lang := strings.TrimSpace(string(word)); strings.ToUpper(lang) {
	case "SJIS", "":
		return "shift_jis"
	case "EUC":
		return "euc-jp"
	case "KOR", "KS":
		return "euc-kr"
	case "GB":
		return "gb18030"
	default:
		return lang
	}
}

// sections reads the file section by section, and reports whether one of them
// is a game's.
func (r *reader) sections(text string) bool {
	section, known, ready := "", false, false
	var figure figure
	for line := range strings.SplitSeq(text, "\n") {
		r.line++
		line = strings.TrimRight(line, "\r")
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = line[1 : len(line)-1]
			if section != "Header" && !ready {
				r.board()
				ready = true
			}
			switch section {
			case "Header", "Data":
				known = true
			case "Figure", "End":
			default:
				r.leave("[" + cut(section) + "]")
			}
			continue
		}
		switch section {
		case "Header":
			r.headerLine(line)
		case "Data":
			r.dataLine(line)
		case "Figure":
			figure.line(r, line)
		}
	}
	figure.end(r)
	return known
}

// leave notes a part of the file that is not read.
func (r *reader) leave(name string) {
	if len(r.left) < 20 {
		r.left[name] = true
	}
}

func (r *reader) headerLine(line string) {
	name, value, ok := strings.Cut(line, "=")
	if !ok || len(r.game.Tags) >= r.limits.Props {
		if strings.TrimSpace(line) != "" {
			r.note("a line of the header is left out: %q", cut(line))
		}
		return
	}
	r.game.Tags = append(r.game.Tags, record.Tag{Name: name, Value: value})
	if _, twice := r.header[name]; !twice {
		r.header[name] = value
	}
}

// board takes size and coordinates from the header.
func (r *reader) board() {
	if text := strings.TrimSpace(r.header["Size"]); text != "" {
		if n, err := strconv.Atoi(text); err == nil && n >= 2 && n <= board.MaxSide {
			r.size = board.Size{W: n, H: n}
		} else {
			r.game.Fault(record.Marked, record.KindHeader, 0, "%q is no size of a board; it is read as 19x19", text)
		}
	}
	if r.size.W != 19 {
		r.game.Variant = r.size.String()
	}
	r.below = strings.EqualFold(strings.TrimSpace(r.header["CoordinateType"]), "IGS")
}

// dataLine reads a move: "QP,B1,1,0".
func (r *reader) dataLine(line string) {
	line = strings.TrimSpace(line)
	if line == "" || strings.HasPrefix(line, ".") || len(r.game.Nodes) > r.limits.Nodes {
		if line != "" {
			r.leave(word(line))
		}
		return
	}
	fields := strings.Split(line, ",")
	if len(fields) < 3 || len(fields[0]) < 2 {
		r.note("a line among the moves is left out: %q", cut(line))
		return
	}
	side := record.First
	if r.last == record.First {
		side = record.Second
	}
	switch {
	case strings.HasPrefix(fields[1], "B"):
		side = record.First
	case strings.HasPrefix(fields[1], "W"):
		side = record.Second
	}
	number, err := strconv.Atoi(strings.TrimSpace(fields[2]))
	point := r.point(fields[0])
	if err == nil && number == 0 && !isPass(fields[0]) {
		root := r.game.Nodes[0].More()
		if len(root.Setup) < r.limits.Props {
			root.Setup = append(root.Setup, record.Put{Piece: board.Piece(side), Point: point})
		}
		return
	}
	r.at = r.game.Add(r.at, side, point)
	r.last = side
	r.number = append(r.number, r.at)
	if number != len(r.number)-1 {
		r.note("the move %q is number %d", cut(line), len(r.number)-1)
	}
	if len(fields) > 3 {
		if secs, _, _ := strings.Cut(strings.TrimSpace(fields[3]), " "); secs != "0" && secs != "" {
			x := r.game.Nodes[r.at].More()
			x.Props = append(x.Props, record.Prop{Name: "SECS", Values: []string{secs}})
		}
	}
}

func isPass(text string) bool { return text[0] == 'Y' || text[0] == 'Z' }

// point returns the letters of a point, or what stands there if it is none.
func (r *reader) point(text string) string {
	if isPass(text) && r.size.W < 25 {
		if r.size.W <= 19 {
			return "tt"
		}
		return "pass"
	}
	return r.letters(int(text[0])-'A', int(text[1])-'A', text)
}

// letters returns the letters of column x and row y, both from 0.
func (r *reader) letters(x, y int, otherwise string) string {
	if x < 0 || x >= r.size.W || y < 0 || y >= r.size.H {
		return otherwise + "?" // for the rules to mark
	}
	if r.below {
		y = r.size.H - 1 - y
	}
	return string([]byte{'a' + byte(x), 'a' + byte(y)})
}

func (r *reader) note(format string, args ...any) {
	if len(r.game.Faults) < 100 {
		r.game.Fault(record.Note, record.KindSyntax, 0, format, args...)
		r.game.Faults[len(r.game.Faults)-1].Place.Line = r.line
	}
}

// cut returns the beginning of a line, for messages.
func cut(line string) string { return line[:min(len(line), 40)] }

// word returns the command at the beginning of a line: ".Fig".
func word(line string) string {
	if i := strings.IndexAny(line, ", "); i >= 0 {
		line = line[:i]
	}
	return cut(line)
}
