package sgf

import (
	"strconv"
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/sgf/split"
)

// normaliseMoves brings the moves of a game into the notation that its rules
// read. For a game of Go without passes there is nothing to do.
func normaliseMoves(p *parser) {
	g := p.game
	size, _ := p.kinds.sizeOf(g)
	if k := p.kinds[g.Kind]; k.plain != nil {
		takeStart(g)
		if k.sides.White() {
			swapSides(g)
		}
		return
	}
	switch g.Kind {
	case kindGo, kindRenju:
		if !p.passes && !(p.oddMoves && g.Kind == kindRenju) {
			return
		}
		each(g, func(text string) string { return letters(g.Kind, size, text) })
	case kindOthello:
		each(g, func(text string) string { return square(size, text) })
	case kindXiangqi:
		normaliseXiangqi(g)
	}
}

// each replaces the text of every move and every point of the set-up.
func each(g *record.Game, change func(string) string) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Move != "" {
			n.Move = change(n.Move)
		}
		if n.Extra == nil {
			continue
		}
		for j := range n.Setup {
			n.Setup[j].Point = change(n.Setup[j].Point)
		}
	}
}

// letters returns a move of Go or Renju as two letters. A pass is tt where
// that is no point.
func letters(kind string, size board.Size, text string) string {
	switch {
	case text == "pass" && size.W <= 19 && size.H <= 19:
		return "tt"
	case kind == kindRenju && isSquare(text):
		x := int(text[0]|0x20) - 'a'
		row, _ := strconv.Atoi(text[1:])
		if row <= size.H {
			return pointText(x, size.H-row)
		}
	}
	return text
}

// isSquare reports whether a text is a letter and a number, as in "h8".
func isSquare(text string) bool {
	if len(text) < 2 || len(text) > 3 || !isLetter(text[0]) || text[1] < '1' || text[1] > '9' {
		return false
	}
	return len(text) == 2 || text[2] >= '0' && text[2] <= '9'
}

// square returns a move of Othello as a square: letter pairs are turned into
// them, and the ways to write a pass into one.
func square(size board.Size, text string) string {
	switch lower := strings.ToLower(text); {
	case lower == "pass" || lower == "pa" && size.W <= 15 || lower == "tt" && size.W <= 19 && size.H <= 19:
		return "pass"
	case len(lower) == 2 && isPoint(lower):
		return lower[:1] + strconv.Itoa(coordinate(lower[1])+1)
	case isSquare(text):
		return lower
	}
	return text
}

// xiangqiStep is a move of Xiangqi by columns from the left and rows from the
// top, counted from 1; zero is no move.
type xiangqiStep struct{ x1, y1, x2, y2 int }

// readStep reads a move of Xiangqi by coordinates: four letters, or ICCS.
func readStep(text string) xiangqiStep {
	lower := strings.ToLower(text)
	if len(lower) == 5 && lower[2] == '-' {
		lower = lower[:2] + lower[3:]
	}
	if len(lower) != 4 {
		return xiangqiStep{}
	}
	s := xiangqiStep{x1: int(lower[0]-'a') + 1, x2: int(lower[2]-'a') + 1}
	if split.IsLower(lower[1]) && split.IsLower(lower[3]) {
		s.y1, s.y2 = int(lower[1]-'a')+1, int(lower[3]-'a')+1
	} else {
		s.y1, s.y2 = 10-(int(lower[1])-'0'), 10-(int(lower[3])-'0')
	}
	on := func(n, max int) bool { return n >= 1 && n <= max }
	if !on(s.x1, 9) || !on(s.x2, 9) || !on(s.y1, 10) || !on(s.y2, 10) {
		return xiangqiStep{}
	}
	return s
}

func (s xiangqiStep) iccs() string {
	return string([]byte{'a' + byte(s.x1-1), '0' + byte(10-s.y1), 'a' + byte(s.x2-1), '0' + byte(10-s.y2)})
}

// normaliseXiangqi turns the moves into ICCS where they are coordinates, finds
// out which colour is Red, and takes the start position from FEN.
func normaliseXiangqi(g *record.Game) {
	takeStart(g)
	uci := uciRanks(g)
	redIsBlack, decided, phrases, steps := false, false, 0, 0
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Move == "" || n.Move == "pass" {
			continue
		}
		text := n.Move
		if uci {
			text = lowerRanks(text)
		}
		step := readStep(text)
		if step == (xiangqiStep{}) {
			phrases++
			continue
		}
		steps++
		if !decided && g.Start == "" {
			decided = true
			redIsBlack = (n.Side == record.First) == (step.y1 > 5)
		}
		n.Move = step.iccs()
	}
	if phrases > 0 {
		g.Notation = ""
		if steps == 0 {
			g.Notation = phraseNotation(g)
		}
	}
	if redIsBlack {
		exchangeColours(g)
		g.Fault(record.Note, record.KindHeader, 0, "B moves the red pieces: the colours of all properties are exchanged")
	} else {
		swapSides(g)
	}
}

// takeStart takes the start position from FEN.
func takeStart(g *record.Game) {
	root := &g.Nodes[0]
	if root.Extra == nil {
		return
	}
	for i, prop := range root.Props {
		if prop.Name == "FEN" && len(prop.Values) == 1 {
			g.Start = strings.TrimSpace(plainText(prop.Values[0], true))
			root.Props = append(root.Props[:i:i], root.Props[i+1:]...)
			return
		}
	}
}

// uciRanks reports whether the moves count ranks from 1 to 10.
func uciRanks(g *record.Game) bool {
	for i := range g.Nodes {
		if m := g.Nodes[i].Move; len(m) >= 5 && strings.Contains(m, "10") && lowerRanks(m) != m && readStep(lowerRanks(m)) != (xiangqiStep{}) {
			return true
		}
	}
	return false
}

// lowerRanks turns UCI ranks 1 to 10 into those of ICCS, 0 to 9; texts of
// another shape stay.
func lowerRanks(text string) string {
	var out [4]byte
	rest := strings.ToLower(text)
	for i := 0; i < 4; i += 2 {
		if len(rest) < 2 || !split.IsLower(rest[0]) {
			return text
		}
		out[i] = rest[0]
		rest = rest[1:]
		n := 1
		if strings.HasPrefix(rest, "10") {
			n = 2
		}
		rank, err := strconv.Atoi(rest[:n])
		if err != nil || rank < 1 {
			return text
		}
		out[i+1] = '0' + byte(rank-1)
		rest = rest[n:]
	}
	if rest != "" {
		return text
	}
	return string(out[:])
}

// phraseNotation names the notation of moves that are no coordinates.
func phraseNotation(g *record.Game) string {
	notation := ""
	for i := range g.Nodes {
		m := g.Nodes[i].Move
		if m == "" || m == "pass" {
			continue
		}
		this := "wxf"
		for _, r := range m {
			if r > 0x7F {
				this = "chinese"
			}
		}
		if notation != "" && notation != this {
			return ""
		}
		notation = this
	}
	return notation
}

// swapSides makes W the first side.
func swapSides(g *record.Game) {
	other := func(s *record.Side) {
		if *s != record.Unstated {
			*s = record.First + record.Second - *s
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		other(&n.Side)
		if n.Extra != nil {
			other(&n.Turn)
		}
	}
}

// colourPairs are the properties that differ by colour alone.
var colourPairs = map[string]string{
	"PB": "PW", "BR": "WR", "BT": "WT", "BS": "WS", "NB": "NW", "BC": "WC",
	"B": "W", "BL": "WL", "OB": "OW", "GB": "GW", "TB": "TW",
	"PW": "PB", "WR": "BR", "WT": "BT", "WS": "BS", "NW": "NB", "WC": "BC",
	"W": "B", "WL": "BL", "OW": "OB", "GW": "GB", "TW": "TB",
}

// exchangeColours brings a game whose red pieces are moved by B into the form
// of all others, where they are moved by W.
func exchangeColours(g *record.Game) {
	letter := func(value *string) {
		if v := *value; v != "" {
			if i := strings.IndexByte("BWbw", v[0]); i >= 0 && (len(v) == 1 || v[1] == '+') {
				*value = "WBwb"[i:i+1] + v[1:]
			}
		}
	}
	for i := range g.Tags {
		t := &g.Tags[i]
		if other, ok := colourPairs[t.Name]; ok {
			t.Name = other
		} else if t.Name == "RE" {
			letter(&t.Value)
		}
	}
	for i := range g.Nodes {
		if g.Nodes[i].Extra == nil {
			continue
		}
		for j := range g.Nodes[i].Props {
			p := &g.Nodes[i].Props[j]
			if other, ok := colourPairs[p.Name]; ok {
				p.Name = other
			} else if p.Name == "PL" && len(p.Values) > 0 {
				letter(&p.Values[0])
			}
		}
	}
}
