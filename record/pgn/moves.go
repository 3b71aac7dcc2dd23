package pgn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/record"
)

// The properties that the format has words for.
const (
	propNAG    = "NAG"
	propSuffix = "Suffix"
	propNumber = "MN"
	propChoice = "Choice"
)

// parser reads one game. It walks over the text once and keeps its own stack,
// so that nesting costs no more than what it takes to write it.
type parser struct {
	kinds  kinds
	text   string
	pos    int
	limits record.Limits
	game   record.Game

	line   line   // the line of moves that is being read
	stack  []line // the lines that it branched off
	notes  []note // comments, joined when all are known
	before []record.Prop

	shapes  shape
	first   string // the first token with a shape
	known   int    // tokens with a shape
	number  int    // the number in front of the first move; 0 for none
	horizon int    // text before this is known to be followed by a move

	result  string // the result at the end of the moves
	ended   bool   // a result was there
	full    bool   // a limit has been reached: moves and what belongs to them are left out
	crowd   bool   // some node has too many properties
	weight  int    // bytes of memory that comments and properties take, about
	pairs   bool   // moves are pairs of letters
	nothing bool   // no tag, no move, no result: this is no game
}

// line is a line of moves: the main one or a variation.
type line struct {
	cur   int32 // the node that the next move is played behind
	fresh bool  // a variation without a move so far: comments belong to the next node
	notes int   // where the notes of a fresh variation begin
}

// note is a piece of the comment of a node.
type note struct {
	node int32
	text string
}

// parse reads a game and returns the text behind it: empty, unless another
// game without tags follows.
func (p *parser) parse() (rest string) {
	p.tags()
	p.pairs = strings.EqualFold(p.game.Tag("Format"), "sgf")
	// A Chinese move and its share of the numbers take fifteen bytes.
	p.game.Nodes = make([]record.Node, 1, 2+p.textLength(4096)/14)
	for p.pos < len(p.text) && !p.ended {
		p.item()
	}
	if len(p.stack) > 0 {
		p.fault(record.Marked, record.KindSyntax, "%d variations are not closed", len(p.stack))
		for len(p.stack) > 0 {
			p.close()
		}
	}
	rest = p.text[p.pos:]
	if at := skipSpace(rest, 0); at == len(rest) {
		return ""
	} else if p.startsGame(rest[at:]) {
		return rest[at:]
	}
	p.footer(rest, "behind the result")
	return ""
}

// textLength returns the length of the move text, but no more than most: games
// without tags that follow each other should not all make room for the longest.
func (p *parser) textLength(most int) int {
	text := p.text[p.pos:min(len(p.text), p.pos+most)]
	if i := strings.IndexByte(text, '*'); i >= 0 {
		return i
	}
	return len(text)
}

// startsGame reports whether a text begins with the number 1 and a move.
func (p *parser) startsGame(text string) bool {
	if !strings.HasPrefix(text, "1.") {
		return false
	}
	q := parser{text: text, pairs: p.pairs}
	tok := stripNumber(q.token())
	if tok == "" {
		q.pos = skipSpace(text, q.pos)
		if q.pos == len(text) {
			return false
		}
		tok = q.token()
	}
	return tok != "" && shapeOf(tok, p.pairs) != unshaped
}

// footer keeps text that is not part of the moves as a comment.
func (p *parser) footer(text, where string) {
	text = trim(record.LineFeeds(text))
	if text == "" {
		return
	}
	p.notes = append(p.notes, note{p.mainEnd(), text})
	p.fault(record.Note, record.KindSyntax, "there is text %s; it was kept as a comment", where)
}

// mainEnd returns the last node of the main line so far.
func (p *parser) mainEnd() int32 {
	if len(p.stack) > 0 {
		return p.stack[0].cur
	}
	return p.line.cur
}

// maxFaults is how many faults of one game are told: finding the line of each
// costs a walk over the text.
const maxFaults = 50

// fault adds a fault at the line of the file that is being read.
func (p *parser) fault(s record.Severity, kind, format string, args ...any) {
	g := &p.game
	if len(g.Faults) >= maxFaults {
		return
	}
	g.Fault(s, kind, 0, format, args...)
	f := &g.Faults[len(g.Faults)-1]
	f.Place.Line += strings.Count(p.text[:min(p.pos, len(p.text))], "\n")
}

// item reads one thing of the move text.
func (p *parser) item() {
	if p.pos = skipSpace(p.text, p.pos); p.pos == len(p.text) {
		return
	}
	switch c := p.text[p.pos]; c {
	case '{':
		p.brace()
	case ';', '%':
		end := strings.IndexAny(p.text[p.pos:], "\r\n")
		if end < 0 {
			end = len(p.text) - p.pos
		}
		p.comment(p.text[p.pos+1 : p.pos+end])
		p.pos += end
	case '(':
		p.pos++
		p.open()
	case ')':
		if len(p.stack) == 0 {
			p.fault(record.Note, record.KindSyntax, "a variation is closed that was not opened")
		} else {
			p.close()
		}
		p.pos++
	case '}':
		p.fault(record.Note, record.KindSyntax, "a comment is closed that was not opened")
		p.pos++
	case '$':
		end := p.pos + 1
		for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
			end++
		}
		if end > p.pos+1 {
			p.annotate(p.text[p.pos+1 : end])
		}
		p.pos = end
	default:
		begin := p.pos
		p.word(begin, p.token())
	}
}

func (p *parser) brace() {
	text := p.text[p.pos+1:]
	end := strings.IndexByte(text, '}')
	if end < 0 {
		p.fault(record.Marked, record.KindSyntax, "a comment is not closed")
		p.comment(text)
		p.pos = len(p.text)
		return
	}
	text = text[:end]
	p.pos += end + 2
	if !strings.HasPrefix(text, commandMark) || !p.commands(text) {
		p.comment(text)
	}
}

// token takes the token at pos.
func (p *parser) token() string {
	s, i := p.text, p.pos
	for i < len(s) {
		c := s[i]
		if c < 0x80 {
			if c <= ' ' || stops[c] {
				break
			}
		} else if (c == 0xE3 || c == 0xEF) && separator(s, i) > 0 {
			break
		}
		i++
	}
	tok := s[p.pos:i]
	p.pos = i
	return tok
}

// stops are the characters that end a token and stand for themselves.
var stops = [128]bool{'{': true, '}': true, '(': true, ')': true, ';': true, '$': true}

// separator returns the length of the punctuation that parts tokens at a place
// of the text as white space does: the ideographic space, full-width full
// stops, commas and semicolons. It returns 0 where there is none.
func separator(s string, i int) int {
	if len(s) < i+3 {
		return 0
	}
	switch s[i] {
	case 0xE3: // U+3000 to U+3002
		if s[i+1] == 0x80 && s[i+2] <= 0x82 {
			return 3
		}
	case 0xEF: // U+FF0C, U+FF0E, U+FF1B, U+FEFF
		if s[i+1] == 0xBC && (s[i+2] == 0x8C || s[i+2] == 0x8E || s[i+2] == 0x9B) || s[i+1] == 0xBB && s[i+2] == 0xBF {
			return 3
		}
	}
	return 0
}

// word takes in one token: a result, a move number, a move, or none of them.
func (p *parser) word(begin int, tok string) {
	if tok == "" { // a lone character that ends tokens
		p.pos++
		return
	}
	if c := tok[0]; c <= '9' || c == 0xEF || c == 0xC2 || c == 0xE2 { // also ½, … and full-width digits
		rest := stripNumber(tok)
		if isResult(tok) {
			rest = tok
		} else if p.number == 0 && len(p.game.Nodes) == 1 && len(rest) < len(tok) {
			p.number = leadingNumber(tok)
		}
		switch tok = rest; {
		case tok == "":
			return
		case p.castles(tok):
			tok = "O-O" // which no reader takes for a result
		case isResult(tok):
			p.end(tok)
			return
		}
	}
	if (tok == "e.p." || tok == "ep") && p.line.cur > 0 && !p.line.fresh { // of the move before it
		p.game.Nodes[p.line.cur].Move += tok
		return
	}
	move, suffix := cutSuffix(tok)
	if move == "" {
		p.suffix(suffix)
		return
	}
	if move == "black" || move == "white" {
		p.choose(move)
		return
	}
	s := shapeOf(move, p.pairs)
	if s == unshaped {
		p.strange(begin, tok, move, suffix)
		return
	}
	if s == null && p.chosen() {
		p.choose(move)
		return
	}
	p.shaped(s, move)
	p.move(begin, move, suffix)
}

// castles reports whether 0-0 is a move: in a game of chess that goes on behind it.
func (p *parser) castles(tok string) bool {
	return tok == "0-0" && p.kinds[ownGame] != nil && p.shapes&(san|point|square) != 0 &&
		skipSpace(p.text, p.pos) < len(p.text) && !p.startsGame(p.text[skipSpace(p.text, p.pos):])
}

// shaped remembers the shape of a move.
func (p *parser) shaped(s shape, move string) {
	p.shapes |= s
	p.known++
	if p.first == "" && s != null {
		p.first = move
	}
}

// strange takes in a token that looks like no move. Where moves follow it must
// have been meant for one: it is kept, and the rules will refuse it. Otherwise
// it and what follows is text. In games whose moves are carried as they are, all
// tokens are moves.
func (p *parser) strange(begin int, tok, move, suffix string) {
	if tok[0] >= 0x80 || tok[0] <= '9' {
		if list := chineseMoves(move); list != nil {
			for i, m := range list {
				p.shaped(chineseShape(m), m)
				if i < len(list)-1 {
					p.move(begin, m, "")
				} else {
					p.move(begin, m, suffix)
				}
			}
			return
		}
	}
	if begin < p.horizon || len(p.stack) > 0 || p.kinds.named(p.game.Tags) != nil {
		p.move(begin, move, suffix)
		return
	}
	end, words, found := p.ahead(begin)
	if found {
		p.horizon = end
		p.move(begin, move, suffix)
		return
	}
	if words == 1 && p.known > 0 { // a move that was cut or mistyped
		p.move(begin, move, suffix)
		return
	}
	p.footer(p.text[begin:end], "between the moves")
	p.pos = end
}

// ahead looks for the next token with a shape. It returns its place, or that
// of the result or the end of the text, and how many tokens are before it.
func (p *parser) ahead(begin int) (end, words int, found bool) {
	q := parser{text: p.text, pos: begin, pairs: p.pairs}
	for {
		if q.pos = skipSpace(q.text, q.pos); q.pos == len(q.text) {
			return q.pos, words, false
		}
		switch at := q.pos; q.text[at] {
		case '{':
			end := strings.IndexByte(q.text[at:], '}')
			if end < 0 {
				return at, words, false
			}
			q.pos += end + 1
		case ';', '%', '(', ')', '}', '$':
			q.pos++
		default:
			tok := q.token()
			if isResult(tok) || isResult(stripNumber(tok)) {
				return at, words, false
			}
			if tok, _ = cutSuffix(stripNumber(tok)); tok == "" {
				continue
			}
			if shapeOf(tok, p.pairs) != unshaped || chineseMoves(tok) != nil || tok == "black" || tok == "white" {
				return at, words, true
			}
			words++
		}
	}
}

// end takes in a result. In a variation it is only a remark.
func (p *parser) end(tok string) {
	if len(p.stack) > 0 {
		p.comment(tok)
		return
	}
	p.result = tok
	p.ended = true
}

func isResult(tok string) bool {
	switch tok {
	case "1-0", "0-1", "1/2-1/2", "1/2", "*", "0-0", "½-½", "0.5-0.5":
		return true
	}
	return false
}

// stripNumber removes a move number and dots: "12.", "12...", "1.炮二平五",
// "１" of which the full-width stop has been cut off already.
func stripNumber(tok string) string {
	for {
		i := 0
		for i < len(tok) {
			if tok[i] >= '0' && tok[i] <= '9' {
				i++
			} else if tok[i] == 0xEF && len(tok) > i+2 && tok[i+1] == 0xBC && tok[i+2] >= 0x90 && tok[i+2] <= 0x99 {
				i += 3
			} else {
				break
			}
		}
		if i == len(tok) {
			return ""
		}
		dots := i
		for i < len(tok) {
			if tok[i] == '.' {
				i++
			} else if tok[i] == 0xE2 && strings.HasPrefix(tok[i:], "…") {
				i += len("…")
			} else {
				break
			}
		}
		if i == dots {
			return tok
		}
		tok = tok[i:]
	}
}

// leadingNumber returns the number that a token begins with, or 0.
func leadingNumber(tok string) int {
	n := 0
	for i := 0; i < len(tok) && tok[i] >= '0' && tok[i] <= '9' && n < 100_000; i++ {
		n = n*10 + int(tok[i]-'0')
	}
	return n
}

// cutSuffix parts a move from the marks that are glued to it.
func cutSuffix(tok string) (move, suffix string) {
	i := len(tok)
	for i > 0 {
		switch c := tok[i-1]; {
		case c == '!' || c == '?' || c == '+' || c == '#':
			i--
		case strings.HasSuffix(tok[:i], "！") || strings.HasSuffix(tok[:i], "？"):
			i -= 3
		default:
			return tok[:i], tok[i:]
		}
	}
	return "", tok
}

// move adds a node.
func (p *parser) move(begin int, move, suffix string) {
	g := &p.game
	if len(g.Nodes) > p.limits.Nodes {
		p.fill("more than %d moves: the rest is left out", p.limits.Nodes)
	}
	if p.full {
		return
	}
	if len(g.Nodes) == cap(g.Nodes) && cap(g.Nodes) > 4096 {
		g.Nodes = slices.Grow(g.Nodes, p.room())
	}
	if len(g.Nodes) == 1 && p.number > 1 {
		p.before = append(p.before, record.Prop{Name: propNumber, Values: []string{strconv.Itoa(p.number)}})
	}
	i := int32(len(g.Nodes))
	g.Nodes = append(g.Nodes, record.Node{Parent: p.line.cur, Move: move, Offset: int32(begin)})
	p.line.cur, p.line.fresh = i, false
	if suffix != "" {
		p.suffix(suffix)
	}
	if p.before != nil {
		x := g.Nodes[i].More()
		x.Props = append(x.Props, p.before...)
		p.before = nil
	}
}

// room guesses how many nodes are still to come, from the length of the text
// that those so far have taken: a large list is not copied again and again.
func (p *parser) room() int {
	n := len(p.game.Nodes)
	more := int(float64(n) * float64(len(p.text)-p.pos) / float64(p.pos+1) * 1.02)
	return max(1, min(more, 4*n, p.limits.Nodes+1-n))
}

// fill leaves out the rest of the moves, and says so once.
func (p *parser) fill(format string, args ...any) {
	if !p.full {
		p.full = true
		p.fault(record.Marked, record.KindLimit, format, args...)
	}
}

// What comments, properties and their values take in memory.
const (
	noteWeight  = 32
	propWeight  = 48
	valueWeight = 16
	extraWeight = 80
)

// weigh counts memory, and reports false where there is too much: text and
// nodes have limits of their own, but what belongs to a node can take far more
// than its text.
func (p *parser) weigh(n int) bool {
	if p.weight += n; p.weight > max(128*p.limits.Nodes, 4<<20) {
		p.fill("too many comments and properties: the rest is left out")
	}
	return !p.full
}

// open begins a variation of the last move.
func (p *parser) open() {
	if len(p.stack) >= p.limits.Depth {
		p.fault(record.Marked, record.KindLimit, "variations are nested deeper than %d: the rest is left out", p.limits.Depth)
		p.pos = len(p.text)
		return
	}
	p.stack = append(p.stack, p.line)
	parent := p.line.cur
	if !p.line.fresh {
		parent = p.game.Nodes[parent].Parent
	}
	p.line = line{cur: parent, fresh: true, notes: len(p.notes)}
}

// close ends a variation. What was said in one without moves belongs to the
// move before it.
func (p *parser) close() {
	empty := p.line
	p.line = p.stack[len(p.stack)-1]
	p.stack = p.stack[:len(p.stack)-1]
	if !empty.fresh {
		return
	}
	node := p.target()
	for i := empty.notes; i < len(p.notes); i++ {
		p.notes[i].node = node
	}
	if p.before != nil && !p.line.fresh {
		x := p.game.Nodes[node].More()
		x.Props = append(x.Props, p.before...)
		p.before = nil
	}
}

// target returns the node that a comment belongs to at this place.
func (p *parser) target() int32 {
	if p.line.fresh {
		return int32(len(p.game.Nodes))
	}
	return p.line.cur
}

// comment adds to the comment of the node.
func (p *parser) comment(text string) {
	if text = trim(record.LineFeeds(text)); text != "" && p.weigh(noteWeight+extraWeight) {
		p.notes = append(p.notes, note{p.target(), text})
	}
}

// props returns the list that properties go to at this place.
func (p *parser) props() *[]record.Prop {
	if p.line.fresh {
		return &p.before
	}
	return &p.game.Nodes[p.line.cur].More().Props
}

// add adds a value to the last property of the node if it has that name, and a
// new property otherwise.
func (p *parser) add(name, value string) {
	if !p.weigh(valueWeight) {
		return
	}
	props := p.props()
	if n := len(*props); n > 0 && (*props)[n-1].Name == name {
		if last := &(*props)[n-1]; len(last.Values) < p.limits.Props {
			last.Values = append(last.Values, value)
			return
		}
	} else if n < p.limits.Props {
		p.weigh(propWeight + extraWeight)
		*props = append(*props, record.Prop{Name: name, Values: []string{value}})
		return
	}
	p.crowded()
}

func (p *parser) crowded() {
	if !p.crowd {
		p.crowd = true
		p.fault(record.Marked, record.KindLimit, "more than %d properties of one move: the rest is left out", p.limits.Props)
	}
}

func (p *parser) annotate(nag string) { p.add(propNAG, nag) }

// suffix adds marks that are glued to a move, or stand behind it.
func (p *parser) suffix(marks string) {
	if p.full {
		return
	}
	props := p.props()
	if n := len(*props); n > 0 && (*props)[n-1].Name == propSuffix {
		if last := &(*props)[n-1].Values[0]; len(*last) < p.limits.Props {
			*last += marks
		} else {
			p.crowded()
		}
		return
	}
	p.add(propSuffix, marks)
}

// chosen reports whether a choice of swap2 was the last thing before this
// place.
func (p *parser) chosen() bool {
	if p.line.fresh {
		return false
	}
	x := p.game.Nodes[p.line.cur].Extra
	return x != nil && len(x.Props) > 0 && x.Props[len(x.Props)-1].Name == propChoice
}

// choose takes in a word of swap2. The dashes before it, where somebody had
// nothing to do, were no passes then.
func (p *parser) choose(word string) {
	if p.full {
		return
	}
	g := &p.game
	last := len(g.Nodes) - 1
	if n := &g.Nodes[last]; last > 0 && int32(last) == p.line.cur && n.Move == "--" && n.Extra == nil && (word == "black" || word == "white") &&
		(len(p.notes) == 0 || p.notes[len(p.notes)-1].node != int32(last)) && n.Parent == int32(last)-1 {
		p.line.cur = n.Parent
		g.Nodes = g.Nodes[:last]
		p.add(propChoice, "--")
	}
	p.add(propChoice, word)
}

// join links the nodes and puts the comments together.
func (p *parser) join() {
	g := &p.game
	g.Link()
	for i := range p.notes {
		p.notes[i].node = min(p.notes[i].node, int32(len(g.Nodes)-1))
	}
	slices.SortStableFunc(p.notes, func(a, b note) int { return int(a.node) - int(b.node) })
	for i := 0; i < len(p.notes); {
		j := i + 1
		for j < len(p.notes) && p.notes[j].node == p.notes[i].node {
			j++
		}
		text := p.notes[i].text
		if j > i+1 {
			var b strings.Builder
			for k, n := range p.notes[i:j] {
				if k > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(n.text)
			}
			text = b.String()
		}
		g.Nodes[p.notes[i].node].More().Comment = text
		i = j
	}
}

// blank reports whether nothing at all was read.
func (p *parser) blank() bool {
	return len(p.game.Tags) == 0 && len(p.game.Nodes) == 1 && len(p.notes) == 0 && !p.ended && p.game.Nodes[0].Extra == nil
}

// finish makes a game of what was read, or says why it is none.
func (p *parser) finish() *record.Fault {
	g := &p.game
	p.join()
	if len(g.Tags) == 0 && p.known == 0 {
		p.nothing = true
		return &record.Fault{Severity: record.Rejected, Kind: record.KindSyntax, Place: record.Place{File: g.Place.File, Offset: g.Place.Offset, Line: g.Place.Line},
			Reason: fmt.Sprintf("this is no game: %q", beginning(p.text))}
	}
	kind, reason := p.kinds.of(g.Tags, p.shapes, p.first)
	if kind == "" {
		return &record.Fault{Severity: record.Rejected, Kind: record.KindUnknown, Place: g.Place, Reason: reason}
	}
	g.Kind = kind
	g.Variant = p.kinds.variantOf(g.Tags, kind)
	g.Start = startOf(g.Tags, kind)
	var doubt string
	if g.Notation, doubt = p.kinds.notationOf(g.Tags, kind, g.Start, p.shapes, p.first); doubt != "" {
		g.Fault(record.Note, record.KindHeader, 0, "%s", doubt)
	}
	p.facts()
	return nil
}

// beginning returns the first words of a text, for messages.
func beginning(text string) string {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, "\r\n"); i >= 0 {
		text = text[:i]
	}
	for i := range text {
		if i >= 40 {
			return text[:i] + "..."
		}
	}
	return text
}

// trim removes white space around a text, but not ideographic spaces, which
// indent paragraphs.
func trim(s string) string { return strings.Trim(s, " \t\r\n\v\f") }
