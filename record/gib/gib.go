package gib

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"qipu/record"
)

// Format is the GIB format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "gib",
	Title:      "Tygem GIB",
	Extensions: []string{"gib"},
	Kinds:      []string{"weiqi"},
}

// Sniff looks for the header.
func (f format) Sniff(head []byte, name string) int {
	switch {
	case begins(head) && bytes.Contains(head, []byte(`\[G`)):
		return 95
	case bytes.Contains(head, []byte(`\[GAME`)) && bytes.Contains(head, []byte(`\HE`)):
		return 80
	case f.Named(name):
		return 20
	}
	return 0
}

func begins(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")), " \t\r\n")
	return bytes.HasPrefix(text, []byte(`\HS`))
}

// Read yields the games of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return func(yield func(*record.Game, error) bool) {
		limits := src.Limits.WithDefaults()
		data, fault := src.Whole()
		if fault != nil {
			yield(nil, fault)
			return
		}
		number, line := 0, 1
		for from := 0; from < len(data); {
			end := cut(data, from)
			raw := data[from:end:end]
			place := record.Place{Offset: int64(from), Line: line, Number: number + 1}
			line += bytes.Count(raw, []byte{'\n'})
			from = end
			if len(bytes.TrimSpace(raw)) == 0 {
				continue
			}
			number++
			g, err := read(src, limits, place, raw)
			if !yield(g, err) {
				return
			}
		}
	}
}

// cut returns where the game that begins at from ends: before the header of
// the next one.
func cut(data []byte, from int) int {
	next := bytes.Index(data[from+1:], []byte("\n\\HS"))
	if next < 0 || len(bytes.TrimSpace(data[from:from+1+next])) == 0 {
		return len(data)
	}
	return from + 1 + next + 1
}

// reader reads one game.
type reader struct {
	game   *record.Game
	limits record.Limits
	header map[string]string
	cur    int32
	side   record.Side // of the last move
}

// read returns the game of a text, or a fault.
func read(src *record.Source, limits record.Limits, place record.Place, raw []byte) (*record.Game, error) {
	fault := func(kind, reason string) *record.Fault {
		return src.Fault(record.Rejected, kind, place.Offset, place.Line, place.Number, reason)
	}
	g, text, undecoded := src.Game(&info, "sgf", raw, "", place)
	if undecoded != nil {
		return nil, undecoded
	}
	r := reader{game: g, limits: limits, header: map[string]string{}}
	rest := r.headers(text)
	seen := r.moves(rest)
	if len(r.game.Tags) == 0 && !seen {
		return nil, fault(record.KindSyntax, `no game: there is no header and no line that begins with INI or STO`)
	}
	if len(r.game.Nodes) > limits.Nodes {
		return nil, fault(record.KindLimit, "too many moves")
	}
	r.facts()
	return r.game, nil
}

// headers reads "\[NAME=value\]" up to the moves, and returns the rest of the
// text.
func (r *reader) headers(text string) string {
	head := text
	for _, mark := range []string{`\GS`, "\nINI ", "\nSTO "} {
		if i := strings.Index(head, mark); i >= 0 {
			head = head[:i]
		}
	}
	rest := text[len(head):]
	for {
		from := strings.Index(head, `\[`)
		if from < 0 {
			break
		}
		head = head[from+2:]
		limit := strings.Index(head, `\[`)
		if limit < 0 {
			limit = len(head)
		}
		end := strings.Index(head[:limit], `\]`)
		if end < 0 {
			// A value that is not closed ends with its line.
			if end = strings.IndexAny(head[:limit], "\r\n"); end < 0 {
				end = limit
			}
			r.note("a header is not closed: %q", head[:min(end, 40)])
		}
		name, value, ok := strings.Cut(head[:end], "=")
		head = head[end:]
		if !ok || len(r.game.Tags) >= r.limits.Props {
			continue
		}
		value = strings.Join(strings.FieldsFunc(value, func(c rune) bool { return c == '\r' || c == '\n' }), " ")
		r.game.Tags = append(r.game.Tags, record.Tag{Name: name, Value: value})
		if _, twice := r.header[name]; !twice {
			r.header[name] = value
		}
	}
	return rest
}

// moves reads the lines of the game and reports whether there are any.
func (r *reader) moves(text string) bool {
	seen, ended := false, false
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || ended || len(r.game.Nodes) > r.limits.Nodes {
			continue
		}
		switch strings.ToUpper(fields[0]) {
		case "INI":
			seen = true
			r.start(line, fields)
		case "STO":
			seen = true
			r.stone(fields)
		case "SKI":
			seen = true
			r.pass(fields)
		case `\GE`:
			ended = true
		case "REM", "IDX":
			n := r.game.Nodes[r.cur].More()
			if len(n.Props) < r.limits.Props {
				n.Props = append(n.Props, record.Prop{Name: fields[0], Values: []string{strings.Join(fields[1:], " ")}})
			}
			r.note("a line whose meaning is not known is kept as a property: %q", strings.TrimSpace(line))
		}
	}
	if seen && !ended {
		r.note(`the game is not closed with \GE`)
	}
	return seen
}

func (r *reader) note(format string, args ...any) {
	if len(r.game.Faults) < 100 {
		r.game.Fault(record.Note, record.KindSyntax, 0, format, args...)
	}
}

// start reads "INI 0 1 3 &4 comment": the handicap.
func (r *reader) start(line string, fields []string) {
	if _, comment, ok := strings.Cut(line, "&4"); ok {
		if comment = strings.TrimSpace(comment); comment != "" {
			r.game.Nodes[0].More().Comment = comment
		}
	}
	if len(fields) < 4 {
		return
	}
	n, err := strconv.Atoi(fields[3])
	switch {
	case err != nil || n < 0 || n > 9:
		r.game.Fault(record.Marked, record.KindSetup, 0, "%q is no handicap", fields[3])
	case n >= 2:
		r.game.Facts.Handicap = n
		root := r.game.Nodes[0].More()
		if len(root.Setup) == 0 {
			for _, point := range handicap(n) {
				root.Setup = append(root.Setup, record.Put{Piece: 1, Point: point})
			}
		}
		root.Turn = record.Second
		r.side = record.First
	}
}

// handicap returns the points that Tygem puts handicap stones on.
func handicap(n int) []string {
	points := []string{"pd", "dp", "dd", "pp"}
	switch {
	case n < 4:
		return points[:n]
	case n >= 8:
		points = append(points, "dj", "pj", "jd", "jp")
	case n >= 6:
		points = append(points, "dj", "pj")
	}
	if n%2 == 1 {
		points = append(points, "jj")
	}
	return points
}

// stone reads "STO 0 2 1 16 2".
func (r *reader) stone(fields []string) {
	var n [3]int
	for i := range n {
		if len(fields) < 6 {
			r.unreadable(fields)
			return
		}
		var err error
		if n[i], err = strconv.Atoi(fields[3+i]); err != nil {
			r.unreadable(fields)
			return
		}
	}
	side := record.Unstated
	if n[0] == 1 || n[0] == 2 {
		side = record.Side(n[0])
	}
	text := fmt.Sprintf("%d-%d", n[1], n[2])
	if x, y := n[1], n[2]; x >= 0 && x < 19 && y >= 0 && y < 19 {
		text = string([]byte{'a' + byte(x), 'a' + byte(y)})
	}
	r.add(side, text)
}

// unreadable keeps a move that is none as it is, for the rules to mark.
func (r *reader) unreadable(fields []string) {
	r.add(record.Unstated, strings.Join(fields, " "))
}

// pass reads "SKI 0 3", which need not say whose pass it is.
func (r *reader) pass(fields []string) {
	side := record.First
	if r.side == record.First {
		side = record.Second
	}
	if len(fields) > 3 && (fields[3] == "1" || fields[3] == "2") {
		side = record.Side(fields[3][0] - '0')
	}
	r.add(side, "tt")
}

func (r *reader) add(side record.Side, text string) {
	if side != record.Unstated {
		r.side = side
	}
	r.cur = r.game.Add(r.cur, side, text)
}
