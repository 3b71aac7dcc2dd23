package psq

import (
	"bytes"
	"fmt"
	"iter"
	"path"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// Format is the format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "psq",
	Title:      "Piskvork",
	Extensions: []string{"psq", "rec"},
	Kinds:      []string{"renju"},
}

const magic = "Piskvorky "

// Sniff knows a .psq file by its first word, a .rec file by a move on the third
// line.
func (format) Sniff(head []byte, name string) int {
	head = bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF"))
	if bytes.HasPrefix(head, []byte(magic)) {
		return 100
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".psq":
		return 20
	case ".rec":
		if lines := bytes.SplitN(head, []byte("\n"), 4); len(lines) > 2 {
			if _, ok := readMove(string(lines[2])); ok {
				return 70
			}
		}
	}
	return 0
}

// Read yields the game of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return record.ReadOne(src, func(src *record.Source) (*record.Game, *record.Fault) {
		data, fault := src.Whole()
		if fault != nil {
			return nil, fault
		}
		g, text, fault := src.Game(&info, "xy", data, "", record.Place{Line: 1, Number: 1})
		if fault != nil {
			return nil, fault
		}
		r := &reader{limits: src.Limits.WithDefaults(), lines: split(text), game: g}
		if reason := r.read(); reason != "" {
			return nil, src.Fault(record.Rejected, record.KindSyntax, 0, 1, 0, reason)
		}
		return g, nil
	})
}

func split(text string) []string {
	return strings.Split(strings.Trim(record.LineFeeds(text), "\n"), "\n")
}

// reader reads one game.
type reader struct {
	limits record.Limits
	lines  []string
	game   *record.Game
	w, h   int
	first  int // the player who begins
	base   int // the number of the first column and row in the file
}

// read reads the file, or says why it cannot.
func (r *reader) read() (reason string) {
	at := 0
	switch {
	case strings.HasPrefix(r.lines[0], magic):
		if reason := r.header(r.lines[0]); reason != "" {
			return reason
		}
		r.base, at = 1, 1
	case len(r.lines) > 2 && isMove(r.lines[2]):
		r.w, r.h = 20, 20
		r.name(0, r.lines[0])
		r.name(1, r.lines[1])
		at = 2
	default:
		return "the file begins neither with Piskvorky nor with two names and a move"
	}
	at = r.moves(at)
	r.rest(at)
	r.variant()
	return ""
}

// header reads "Piskvorky 15x15, 11:11, 0". Other programs write the end of it
// in their own ways.
func (r *reader) header(line string) (reason string) {
	text := strings.TrimSpace(line[len(magic):])
	r.tag("Header", text)
	parts := strings.Split(text, ",")
	w, h, ok := strings.Cut(strings.TrimSpace(parts[0]), "x")
	var err1, err2 error
	r.w, err1 = strconv.Atoi(w)
	r.h, err2 = strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || r.w < 1 || r.h < 1 || r.w > 1000 || r.h > 1000 {
		return fmt.Sprintf("%q is no size of a board", strings.TrimSpace(parts[0]))
	}
	if strings.TrimSpace(parts[len(parts)-1]) == "1" && len(parts) == 3 {
		r.first = 1
	}
	return ""
}

func (r *reader) tag(name, value string) {
	if len(r.game.Tags) < r.limits.Props {
		r.game.Tags = append(r.game.Tags, record.Tag{Name: name, Value: value})
	}
}

// name takes in the name of a player, counted as in the file.
func (r *reader) name(i int, text string) {
	r.tag("Player"+strconv.Itoa(i+1), text)
	r.game.Facts.Players[i^r.first].Name = facts.CleanName(text)
}

// point is a line with a move.
type point struct {
	x, y int
	ms   string
}

func isMove(line string) bool {
	_, ok := readMove(line)
	return ok
}

// readMove reads "x,y,ms" or "x,y".
func readMove(line string) (p point, ok bool) {
	left, rest, found := strings.Cut(line, ",")
	right, ms, timed := strings.Cut(rest, ",")
	var err1, err2 error
	p.x, err1 = strconv.Atoi(strings.TrimSpace(left))
	p.y, err2 = strconv.Atoi(strings.TrimSpace(right))
	if !found || err1 != nil || err2 != nil {
		return p, false
	}
	if p.ms = strings.TrimSpace(ms); timed {
		if _, err := strconv.Atoi(p.ms); err != nil {
			return p, false
		}
	}
	return p, true
}

// moves reads the lines with moves and returns the number of the line behind
// them.
func (r *reader) moves(at int) int {
	g := r.game
	last := int32(0)
	for ; at < len(r.lines); at++ {
		p, ok := readMove(r.lines[at])
		if !ok {
			break
		}
		if len(g.Nodes) > r.limits.Nodes {
			g.Fault(record.Marked, record.KindLimit, 0, "more than %d moves: the rest is left out", r.limits.Nodes)
			break
		}
		x, y := p.x+1-r.base, p.y+1-r.base
		r.grow(x, y)
		last = g.Add(last, record.Unstated, strconv.Itoa(x)+","+strconv.Itoa(y))
		if p.ms != "" {
			g.Nodes[last].More().Props = []record.Prop{{Name: "ms", Values: []string{p.ms}}}
		}
	}
	return at
}

// grow makes the board of a .rec file, which does not tell its size, large
// enough for a move.
func (r *reader) grow(x, y int) {
	if n := max(x, y); r.base == 0 && n > r.w && n <= 25 {
		r.w, r.h = n, n
	}
}

// rest reads what follows the moves: names, unless they came first, a code, and
// lines of the tournament.
func (r *reader) rest(at int) {
	names := 0
	coded := false
	for _, line := range r.lines[min(at, len(r.lines)):] {
		text := strings.TrimSpace(line)
		_, err := strconv.Atoi(text)
		switch {
		case text == "":
		case err == nil && !coded:
			coded = true
			r.tag("Code", text)
		case !coded && names < 2 && r.base == 1:
			r.name(names, text)
			names++
		default:
			r.tag("Trailer", text)
		}
	}
}

// variant names the rules and the size.
func (r *reader) variant() {
	g := r.game
	rules := "free"
	for _, t := range g.Tags {
		if t.Name != "Trailer" {
			continue
		}
		switch s := strings.ToLower(t.Value); {
		case strings.Contains(s, "renju"):
			rules = ""
		case strings.Contains(s, "standard"):
			rules = "standard"
		}
	}
	size := fmt.Sprintf("%dx%d", r.w, r.h)
	switch {
	case size == "15x15":
		g.Variant = rules
	case rules == "":
		g.Variant = size
	default:
		g.Variant = size + "," + rules
	}
}
