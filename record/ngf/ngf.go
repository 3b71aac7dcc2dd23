package ngf

import (
	"bytes"
	"iter"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/facts"
)

// Format is the NGF format.
var Format record.Format = format{&info}

type format struct{ *record.FormatInfo }

var info = record.FormatInfo{
	Name:       "ngf",
	Title:      "WBaduk NGF",
	Extensions: []string{"ngf"},
	Kinds:      []string{"weiqi"},
}

// Sniff looks for moves.
func (f format) Sniff(head []byte, name string) int {
	moves, others := 0, 0
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if _, _, ok := readMove(string(line)); ok {
			moves++
		} else if moves > 0 && len(line) > 0 && !bytes.HasPrefix(line, []byte("GI")) && !bytes.HasPrefix(line, []byte("ID")) {
			others++
		}
	}
	switch {
	case moves >= 3 && others <= 1:
		return 95
	case moves > 0 && others <= 1:
		return 70
	case f.Named(name):
		return 20
	}
	return 0
}

// readMove reads "PMABBQEEQ": the side and the point, column and row from 0;
// -1,-1 is a pass.
func readMove(line string) (side record.Side, point [2]int, ok bool) {
	if len(line) < 9 || line[:2] != "PM" || line[4] != 'B' && line[4] != 'W' {
		return 0, point, false
	}
	for _, c := range []byte(line[2:9]) {
		if c < 'A' || c > 'Z' {
			return 0, point, false
		}
	}
	side = record.First
	if line[4] == 'W' {
		side = record.Second
	}
	return side, [2]int{int(line[5]) - 'B', int(line[6]) - 'B'}, true
}

// Read yields the game of a file.
func (format) Read(src *record.Source) iter.Seq2[*record.Game, error] {
	return record.ReadOne(src, read)
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
	g, text, fault := src.Game(&info, "sgf", data, "", record.Place{Line: 1, Number: 1})
	if fault != nil {
		return nil, fault
	}
	lines := strings.Split(text, "\n")
	head := 0
	for head < len(lines) && !strings.HasPrefix(lines[head], "PM") {
		head++
	}
	known := readHeader(g, lines[:head])
	moves := 0
	if !known.ok && head == len(lines) {
		return reject(record.KindSyntax, "no game: there are no moves, and no header of eleven or twelve lines")
	}
	if moves = readMoves(g, lines[head:], head+1, known.size, limits); moves > limits.Nodes {
		return reject(record.KindLimit, "too many moves")
	}
	if known.moves > 0 && known.moves != moves && known.moves != moves-1 && known.moves != moves+1 {
		g.Fault(record.Note, record.KindHeader, 0, "the header announces %d moves, but there are %d", known.moves, moves)
	}
	return g, nil
}

// readMoves reads the lines of moves and returns how many there are.
func readMoves(g *record.Game, lines []string, number int, size board.Size, limits record.Limits) int {
	moves, at := 0, int32(0)
	var text comment
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if text.open || !strings.HasPrefix(line, "PM") {
			if line != "" && !text.line(g, line) && len(g.Tags) < 100 {
				g.Tags = append(g.Tags, record.Tag{Name: "line " + strconv.Itoa(number+i), Value: line})
			}
			continue
		}
		if moves++; moves > limits.Nodes {
			return moves
		}
		side, p, ok := readMove(line)
		token := line // what is no move on this board stays, for the rules to mark
		switch {
		case !ok:
		case p == [2]int{-1, -1} && size.W <= 19:
			token = "tt"
		case p == [2]int{-1, -1}:
			token = "pass"
		case p[0] >= 0 && p[1] >= 0 && p[0] < size.W && p[1] < size.H:
			token = string([]byte{'a' + byte(p[0]), 'a' + byte(p[1])})
		}
		at = g.Add(at, side, token)
	}
	text.end(g)
	return moves
}

// comment reads comments among and behind the moves: "IDB[211] text[EndTxt]",
// over several lines.
type comment struct {
	open  bool
	node  int
	lines map[int][]string // by node
}

// line takes a line and reports whether it is one of a comment.
func (c *comment) line(g *record.Game, line string) bool {
	if !c.open {
		_, rest, ok1 := strings.Cut(line, "[")
		label, text, ok2 := strings.Cut(rest, "]")
		n, err := strconv.Atoi(label)
		if !strings.HasPrefix(line, "ID") || !ok1 || !ok2 || err != nil || n < 0 || n >= len(g.Nodes) {
			return false
		}
		c.open, c.node, line = true, n, text // node n is move n
	}
	text, _, closed := strings.Cut(line, "[EndTxt]")
	c.open = !closed
	if text = strings.TrimSpace(text); text != "" {
		if c.lines == nil {
			c.lines = map[int][]string{}
		}
		c.lines[c.node] = append(c.lines[c.node], text)
	}
	return true
}

// end gives the comments to their moves. One to the last move may hold the
// result.
func (c *comment) end(g *record.Game) {
	for node, lines := range c.lines {
		g.Nodes[node].More().Comment = strings.Join(lines, "\n")
	}
	last := len(g.Nodes) - 1
	if lines := c.lines[last]; len(lines) > 0 && g.Facts.Result == (facts.Result{}) {
		g.Facts.Result = facts.ParseResult(facts.BlackFirst, lines[0])
	}
}

// header is what the first lines say about the moves.
type header struct {
	ok    bool
	size  board.Size
	moves int
}

// The lines of the two forms of the header, by name.
var (
	plainNames = []string{"title", "size", "white", "black", "site", "handicap", "line 7", "komi", "date", "minutes", "result", "moves"}
	giNames    = []string{"title", "white", "black", "line 4", "line 5", "date", "size", "handicap", "line 9", "komi", "moves"}
)

// readHeader reads the lines before the moves.
func readHeader(g *record.Game, lines []string) header {
	h := header{size: board.Size{W: 19, H: 19}}
	gi := len(lines) > 0
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(line, "\uFEFF"), "\r \t\u3000")
		gi = gi && strings.HasPrefix(lines[i], "GI")
	}
	names := plainNames
	if gi {
		names = giNames
		for i := range lines {
			lines[i] = lines[i][2:]
		}
		g.Fault(record.Note, record.KindHeader, 0, "the record does not say who is White: the first player is taken to be")
	}
	value := map[string]string{}
	for i, line := range lines {
		name := "line " + strconv.Itoa(i+1)
		if i < len(names) {
			name = names[i]
		}
		if i >= 100 {
			break
		}
		g.Tags = append(g.Tags, record.Tag{Name: name, Value: line})
		value[name] = strings.TrimSpace(line)
	}
	h.ok = len(lines) >= len(names)
	if len(lines) != len(names) {
		g.Fault(record.Marked, record.KindHeader, 0, "the header has %d lines, want %d", len(lines), len(names))
	}
	if n, err := strconv.Atoi(value["size"]); err == nil && n >= 2 && n <= board.MaxSide {
		h.size = board.Size{W: n, H: n}
	} else if value["size"] != "" {
		g.Fault(record.Marked, record.KindHeader, 0, "%q is no size of a board; it is read as 19x19", value["size"])
	}
	if h.size.W != 19 {
		g.Variant = h.size.String()
	}
	h.moves, _ = strconv.Atoi(value["moves"])
	readFacts(g, value, h.size)
	return h
}

// readFacts normalises the headers.
func readFacts(g *record.Game, value map[string]string, size board.Size) {
	f := &g.Facts
	f.Players[0] = player(value["black"])
	f.Players[1] = player(value["white"])
	f.Event = facts.CleanName(value["title"])
	f.Place = facts.CleanName(value["site"])
	f.Date = date(value["date"])
	f.Result = facts.ParseResult(facts.BlackFirst, value["result"])
	if n, err := strconv.Atoi(value["minutes"]); err == nil && n > 0 {
		f.Time = strconv.Itoa(n) + " minutes"
	}
	f.Handicap = facts.ParseHandicap(value["handicap"])
	if komi, err := strconv.Atoi(value["komi"]); err == nil && komi >= 0 && komi < 100 {
		f.Komi = facts.Komi{Half: 2 * komi, Known: true}
		if f.Handicap == 0 {
			f.Komi.Half++
		}
	}
	if f.Handicap < 2 {
		return
	}
	points := handicap(f.Handicap, size)
	if points == nil {
		g.Fault(record.Marked, record.KindSetup, 0, "where %d handicap stones stand on %v is not known", f.Handicap, size)
		return
	}
	root := g.Nodes[0].More()
	for _, p := range points {
		root.Setup = append(root.Setup, record.Put{Piece: 1, Point: p})
	}
	root.Turn = record.Second
}

// handicap returns the usual points for handicap stones.
func handicap(n int, size board.Size) []string {
	if size.W != 19 || n > 9 {
		return nil
	}
	points := []string{"pd", "dp", "pp", "dd"}
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

// player splits "name   5D*" into name and rank.
func player(text string) facts.Player {
	text = facts.CleanName(text)
	if i := strings.LastIndexByte(text, ' '); i > 0 {
		rank := strings.TrimSuffix(text[i+1:], "*")
		if strings.HasSuffix(rank, "P") && strings.Contains(rank, "段") {
			rank = "P" + strings.TrimSuffix(rank, "P") // 5段P is a professional
		}
		if r := facts.ParseRank(rank); r != (facts.Rank{}) {
			return facts.Player{Name: text[:i], Rank: r}
		}
	}
	return facts.Player{Name: text}
}

// date reads "20170316 [09:51]", or a date of any other form.
func date(text string) facts.Date {
	day, _, _ := strings.Cut(text, " ")
	if len(day) == 8 {
		if _, err := strconv.Atoi(day); err == nil {
			return facts.ParseDate(day[:4] + "-" + day[4:6] + "-" + day[6:])
		}
	}
	return facts.ParseDate(text)
}
