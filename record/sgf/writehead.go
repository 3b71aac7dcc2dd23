package sgf

import (
	"strconv"
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/facts"
)

// root writes the headers.
func (e *encoder) root() {
	g := e.game
	e.out = append(e.out, ";FF[4]CA[UTF-8]"...)
	if g.Kind != "" {
		e.property("GM")
		e.text(e.kind.gm)
		if e.kind.plain != nil {
			e.property(gameName)
			e.text(strings.TrimSuffix(g.Kind+":"+g.Variant, ":"))
		}
		if !e.kind.pieces() {
			e.property("SZ")
			e.text(sizeText(e.size))
		}
	}
	tags := g.Tags
	if !e.own {
		tags = e.foreignTags()
	}
	if len(tags) > 0 {
		e.newLine()
	}
	var rest []record.Tag
	for i := 0; i < len(tags); i++ {
		t := tags[i]
		if !isHeader[t.Name] {
			rest = append(rest, t)
			continue
		}
		if i == 0 || tags[i-1].Name != t.Name {
			e.property(t.Name)
		}
		if t.Name == "AP" && e.own {
			e.asIs(t.Value)
		} else {
			e.text(t.Value)
		}
	}
	if len(rest) > 0 {
		e.property("GC")
		e.text(lines(rest))
	}
}

// lines returns headers that have no property, one a line.
func lines(tags []record.Tag) string {
	var b strings.Builder
	for i, t := range tags {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(t.Name + ": " + t.Value)
	}
	return b.String()
}

// foreignTags returns the headers of a game that another format has read: the
// facts under the names of SGF, and what the facts do not say under its own.
func (e *encoder) foreignTags() []record.Tag {
	g := e.game
	tags := factTags(e.kind, g)
	said := map[string]bool{"": true}
	for _, t := range tags {
		said[t.Value] = true
	}
	if variant := rulesWord(g.Variant); variant != "" && e.kind.plain == nil && g.Facts.Ruleset == "" {
		tags = append(tags, record.Tag{Name: "RU", Value: variant})
	}
	for _, t := range g.Tags {
		value := strings.TrimSpace(t.Value)
		if said[value] || said[facts.CleanName(value)] || factKnown(g, t) {
			continue
		}
		name := t.Name
		if isHeader[name] {
			name = "(" + name + ")"
		}
		tags = append(tags, record.Tag{Name: name, Value: value})
	}
	return tags
}

// factKnown reports whether a header is one whose meaning the facts hold in
// other words.
func factKnown(g *record.Game, t record.Tag) bool {
	switch strings.ToLower(t.Name) {
	case "result":
		return g.Facts.Result.Verdict != facts.Unknown
	case "date":
		return g.Facts.Date.Known()
	case "fen":
		return g.Start != ""
	case "game", "format", "setup":
		return true
	}
	return false
}

// rulesWord returns the words of a variant that are not its size.
func rulesWord(variant string) string {
	var words []string
	for word := range strings.SplitSeq(variant, ",") {
		if _, ok := parseSize(word); !ok && word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ",")
}

// moveText returns a move as it is written, and whether that can be.
func (e *encoder) moveText(text string) (string, bool) {
	g := e.game
	if text == "pass" || !e.kind.pieces() && strings.EqualFold(text, "pass") && !e.own {
		return "", true
	}
	switch g.Kind {
	case kindGo, kindRenju:
		return e.lettersOf(text)
	case kindOthello:
		if isSquare(text) {
			if x, y, ok := e.onBoard(int(text[0]|0x20)-'a', text[1:], false); ok {
				return pointText(x, y), true
			}
		}
		return text, e.own || !isPoint(text)
	case kindXiangqi:
		if g.Notation == "uci" {
			text = lowerRanks(text)
		}
		if step := readStep(text); step != (xiangqiStep{}) && (g.Notation == "iccs" || g.Notation == "uci") {
			return step.iccs(), true
		}
		return text, e.own || g.Notation != "iccs" && g.Notation != "uci"
	}
	return text, true
}

// lettersOf returns a move of Go or Renju as two letters.
func (e *encoder) lettersOf(text string) (string, bool) {
	g := e.game
	if e.own || g.Notation == "sgf" {
		if text == "tt" && e.size.W <= 19 && e.size.H <= 19 {
			return "", true
		}
		return text, true
	}
	if a, b, ok := strings.Cut(text, "-"); ok && (g.Notation == "1-1" || g.Notation == "") {
		return e.pair(a, b)
	}
	if a, b, ok := strings.Cut(text, ","); ok && (g.Notation == "xy" || g.Notation == "") {
		return e.pair(a, b)
	}
	if isSquare(text) {
		column := int(text[0]|0x20) - 'a'
		if g.Kind == kindGo { // without the letter i
			if column == 'i'-'a' {
				return "", false
			}
			if column > 'i'-'a' {
				column--
			}
		}
		if x, y, ok := e.onBoard(column, text[1:], true); ok {
			return pointText(x, y), true
		}
	}
	// What is no move stays as it is, unless it would become one.
	return text, !isSquare(text) && isPoint(text) == (g.Notation == "")
}

// pair returns the letters for a column and a row that count from 1.
func (e *encoder) pair(column, row string) (string, bool) {
	x, err := strconv.Atoi(column)
	if err != nil {
		return "", false
	}
	x, y, ok := e.onBoard(x-1, row, false)
	if !ok {
		return "", false
	}
	return pointText(x, y), true
}

// onBoard returns column and row from the top left, if they are on the board.
// The row counts from 1, from below or from above.
func (e *encoder) onBoard(x int, row string, below bool) (int, int, bool) {
	y, err := strconv.Atoi(row)
	y--
	if below {
		y = e.size.H - 1 - y
	}
	return x, y, err == nil && x >= 0 && x < e.size.W && y >= 0 && y < e.size.H
}

// start writes the start position: as FEN in games of pieces, as set-up else.
func (e *encoder) start() error {
	g := e.game
	if e.kind.pieces() {
		e.property("FEN")
		e.text(g.Start)
		return nil
	}
	puts, turn, ok := readStart(g.Start, e.size, g.Kind == kindOthello)
	if !ok {
		return e.refuse("the start position " + short(g.Start))
	}
	e.stones(puts)
	if root := &g.Nodes[0]; turn == record.Second && (root.Extra == nil || root.Turn == record.Unstated) {
		e.property("PL")
		e.text("W")
	}
	return nil
}

// startTurn returns who is to move in a position text.
func startTurn(text string) record.Side {
	fields := strings.Fields(text)
	if len(fields) < 2 {
		return record.Unstated
	}
	switch strings.ToLower(fields[1]) {
	case "b", "x", "*", "black", "r", "red":
		if strings.ContainsAny(fields[0], "kK") && fields[1] == "b" { // Xiangqi
			return record.Second
		}
		return record.First
	case "w", "o", "0", "white":
		if strings.ContainsAny(fields[0], "kK") {
			return record.First
		}
		return record.Second
	}
	return record.Unstated
}

// readStart reads a position text of black and white stones. In Othello the
// middle of the board must be emptied where it is empty.
func readStart(text string, size board.Size, othello bool) (puts []record.Put, turn record.Side, ok bool) {
	fields := strings.Fields(text)
	for _, f := range fields[min(len(fields), 2):] {
		if strings.Contains(f, "=") {
			return nil, 0, false
		}
	}
	if len(fields) == 0 {
		return nil, 0, false
	}
	var stones [3][]record.Put
	n := 0
	for i := 0; i < len(fields[0]); i++ {
		c := fields[0][i]
		piece := board.Empty
		switch {
		case c == '/':
			continue
		case c >= '0' && c <= '9':
			count := int(c - '0')
			for i+1 < len(fields[0]) && fields[0][i+1] >= '0' && fields[0][i+1] <= '9' && count < 10_000 {
				i++
				count = 10*count + int(fields[0][i]-'0')
			}
			n += count
			continue
		case strings.IndexByte("Xx#*Bb", c) >= 0:
			piece = 1
		case strings.IndexByte("OoWw", c) >= 0:
			piece = 2
		case strings.IndexByte(".-_+", c) < 0:
			return nil, 0, false
		}
		if n >= size.Area() {
			return nil, 0, false
		}
		if piece != board.Empty {
			stones[piece] = append(stones[piece], record.Put{Piece: piece, Point: pointText(n%size.W, n/size.W)})
		}
		n++
	}
	if n != size.Area() {
		return nil, 0, false
	}
	puts = append(stones[1], stones[2]...)
	if othello {
		puts = append(puts, emptyMiddle(puts, size)...)
	}
	return puts, startTurn(text), true
}

// emptyMiddle returns the squares in the middle that no disc stands on.
func emptyMiddle(puts []record.Put, size board.Size) (empty []record.Put) {
	for _, d := range [][2]int{{-1, -1}, {0, -1}, {-1, 0}, {0, 0}} {
		point := pointText(size.W/2+d[0], size.H/2+d[1])
		found := false
		for _, put := range puts {
			found = found || put.Point == point
		}
		if !found {
			empty = append(empty, record.Put{Piece: board.Empty, Point: point})
		}
	}
	return empty
}
