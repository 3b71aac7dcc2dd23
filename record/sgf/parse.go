package sgf

import (
	"strings"

	"qipu/board"
	"qipu/record"
	"qipu/record/sgf/split"
)

// parser makes the tree of one game. Its buffers are used again for the next
// one; what it hands out is new.
type parser struct {
	text   string
	end    int // where the last item of the text ends, parentheses apart
	game   *record.Game
	kinds  kinds
	limits record.Limits
	mode   mode

	nodes []record.Node
	cur   int32           // the node that properties go to; -1 before the root
	stack []int32         // the nodes that open parentheses stand behind
	last  map[int32]int32 // the last child of nodes with variations

	// The node as the file has it, which may be several nodes of the tree.
	open   bool
	closed bool // a variation has been closed since the last node
	isRoot bool
	moved  bool // a move has been read
	side   record.Side
	values int // number of values so far, for the limit
	weight int // bytes of memory that properties and set-up take, about

	// What the current node of the tree collects until flush.
	comments   []string
	puts       []record.Put
	turn       record.Side
	props      []record.Prop
	edits      bool  // AB, AW or AE has been read
	placed     int   // stones set up in the game
	structural []tag // GM, SZ, FF, CA of the root

	// Blocks that the small slices of nodes are cut from, to spare the heap.
	extras   []record.Extra
	propPool []record.Prop
	textPool []string

	oddMoves bool // some move is not two letters
	passes   bool // some move is empty
	issues   issues
	tooMuch  string // the limit that was passed, in words
}

type tag struct{ name, value string }

// mode is how much of a game is understood.
type mode uint8

const (
	stones  mode = iota // a game of black and white stones
	pieces              // set-up and turns stay properties
	unknown             // and moves may be any text
)

// parse reads the text of one game into g. It returns false where a limit is
// passed; tooMuch says which.
func (p *parser) parse(text string, g *record.Game, m mode) bool {
	*p = parser{
		text: text, game: g, kinds: p.kinds, limits: p.limits, mode: m, cur: -1,
		stack: p.stack[:0], comments: p.comments[:0], puts: p.puts[:0], props: p.props[:0], structural: p.structural[:0],
	}
	p.end = len(strings.TrimRight(text, " \t\r\n\x00)"))
	g.Tags = make([]record.Tag, 0, 16)
	p.nodes = make([]record.Node, 0, min(strings.Count(text, ";")+2, p.limits.Nodes))
	for i := 0; i < len(text) && p.tooMuch == ""; {
		i = p.step(p.plainMoves(i))
	}
	p.endNode()
	if len(p.nodes) == 0 && p.tooMuch == "" {
		p.begin(0)
	}
	if len(p.stack) > 0 {
		p.issues.add(issueUnclosed, len(text), "")
	}
	g.Nodes = p.nodes
	return p.tooMuch == ""
}

// plainMoves reads nodes with nothing but a move, ";B[pd]", as long as they
// come, and returns the index behind the last. Nearly all of a file is this.
func (p *parser) plainMoves(i int) int {
	text := p.text
	if i >= len(text) || text[i] != ';' || p.cur < 0 {
		return i
	}
	p.endNode()
	cur := p.cur
	for i+6 < len(text) && text[i] == ';' && text[i+2] == '[' && text[i+5] == ']' && split.IsLower(text[i+3]) && split.IsLower(text[i+4]) {
		side := record.First
		if text[i+1] == 'W' {
			side = record.Second
		} else if text[i+1] != 'B' {
			break
		}
		next := i + 6
		for next < len(text) && text[next] <= ' ' {
			next++
		}
		// What else may belong to the node is left to step.
		n := len(p.nodes)
		if next < len(text) && (text[next] == '[' || split.IsIdent[text[next]]) || n >= p.limits.Nodes || p.nodes[cur].Child != 0 {
			break
		}
		p.nodes = append(p.nodes, record.Node{Parent: cur, Offset: int32(i), Move: text[i+3 : i+5], Side: side})
		p.nodes[cur].Child = int32(n)
		cur = int32(n)
		i = next
	}
	p.cur = cur
	return i
}

// step reads one item at i and returns the index behind it.
func (p *parser) step(i int) int {
	text := p.text
	if i >= len(text) {
		return i
	}
	switch c := text[i]; {
	case c == ';':
		p.endNode()
		p.begin(i)
		return i + 1
	case (c == 'B' || c == 'W') && !p.moved && i+4 < len(text) && text[i+1] == '[' && text[i+4] == ']' && split.IsLower(text[i+2]) && split.IsLower(text[i+3]):
		if !p.open {
			p.begin(i)
			p.issues.add(issueNoSemicolon, i, "")
		}
		side := record.First
		if c == 'W' {
			side = record.Second
		}
		p.move(side, text[i+2:i+4], i)
		i += 5
		for i < len(text) && text[i] <= ' ' {
			i++
		}
		if i < len(text) && text[i] == '[' {
			return p.moreMoves(side, i)
		}
		return i
	case c <= ' ':
		return i + 1
	case c == '(':
		p.endNode()
		p.open, p.closed = false, false
		if len(p.stack) >= p.limits.Depth {
			p.tooMuch = "variations nested too deeply"
		}
		p.stack = append(p.stack, p.cur)
		return i + 1
	case c == ')':
		p.endNode()
		p.close(i)
		return i + 1
	case split.IsIdent[c]:
		return p.property(i)
	case c == '[':
		_, _, next := p.value(i)
		p.issues.add(issueJunk, i, text[i:next])
		return next
	}
	end := i + 1
	for end < len(text) && !isSyntax[text[end]] {
		end++
	}
	p.issues.add(issueJunk, i, text[i:end])
	return end
}

// close goes back to the node that the parenthesis closes for.
func (p *parser) close(i int) {
	switch n := len(p.stack); {
	case n == 0:
		p.issues.add(issueExtra, i, "")
	case n == 1 && i+1 < p.end:
		// The tree goes on behind its end.
		p.issues.add(issueEarly, i, "")
	default:
		if p.cur != p.stack[n-1] || n == 1 {
			p.cur = p.stack[n-1]
			p.closed = true
		} else {
			p.issues.add(issueEmptyVariation, i, "")
		}
		p.stack = p.stack[:n-1]
	}
	p.open = false
}

// begin opens a node behind the current one.
func (p *parser) begin(i int) {
	p.open, p.moved, p.side, p.values = true, false, record.Unstated, 0
	p.isRoot = len(p.nodes) == 0
	if p.closed {
		p.issues.add(issueLate, i, "")
		p.closed = false
	}
	p.add(i)
}

// add appends a node to the tree below the current one and makes it current.
func (p *parser) add(i int) {
	n := int32(len(p.nodes))
	if int(n) >= p.limits.Nodes {
		p.tooMuch = "too many nodes"
		return
	}
	if n == 0 {
		p.nodes = append(p.nodes, record.Node{Offset: int32(i)})
		p.cur = 0
		return
	}
	parent := max(p.cur, 0)
	p.nodes = append(p.nodes, record.Node{Parent: parent, Offset: int32(i)})
	if up := &p.nodes[parent]; up.Child == 0 {
		up.Child = n
	} else {
		last, ok := p.last[parent]
		if !ok {
			last = up.Child
			if p.last == nil {
				p.last = map[int32]int32{}
			}
		}
		p.nodes[last].Next = n
		p.last[parent] = n
	}
	p.cur = n
}

// move takes a move of the current node.
func (p *parser) move(side record.Side, text string, i int) {
	switch {
	case p.isRoot && !p.moved:
		p.flush()
		p.add(i)
		p.issues.add(issueRootMove, i, "")
	case !p.moved:
	case p.side != side:
		p.flush()
		p.add(i)
		p.issues.add(issueTwoMoves, i, text)
	}
	if p.tooMuch != "" {
		return
	}
	n := &p.nodes[p.cur]
	n.Move, n.Side = text, side
	p.moved, p.side = true, side
}

// property reads an identifier and its values.
func (p *parser) property(i int) int {
	text := p.text
	end := i
	lower := false
	for end < len(text) && split.IsIdent[text[end]] {
		lower = lower || split.IsLower(text[end])
		end++
	}
	name := text[i:end]
	next := end
	for next < len(text) && text[next] <= ' ' {
		next++
	}
	if next >= len(text) || text[next] != '[' {
		p.issues.add(issueJunk, i, name)
		return next
	}
	if lower {
		name = p.longName(name, i)
	}
	if !p.open {
		p.begin(i)
		p.issues.add(issueNoSemicolon, i, "")
		if p.tooMuch != "" {
			return next
		}
	}
	switch name {
	case "B":
		return p.moreMoves(record.First, next)
	case "W":
		return p.moreMoves(record.Second, next)
	case "AB", "AW", "AE":
		if p.mode == stones {
			return p.setup(name, next)
		}
	case "PL":
		if p.mode == stones {
			return p.player(next)
		}
	case "C":
		return p.comment(next)
	case carrier:
		return p.carried(next)
	case "FF", "CA", "GM", "SZ", gameName:
		if p.isRoot {
			return p.header(name, next, &p.structural)
		}
	default:
		if p.isRoot && isHeader[name] {
			return p.header(name, next, nil)
		}
	}
	return p.other(name, next)
}

// longName returns the short form of an identifier with small letters, as
// FF[1] to FF[3] allow them: "Black" is B. Unknown names stay as they are.
func (p *parser) longName(name string, i int) string {
	short := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return -1
		}
		return r
	}, name)
	if isKnown(short) {
		return short
	}
	if upper := strings.ToUpper(name); isKnown(upper) {
		p.issues.add(issueLower, i, name)
		return upper
	}
	return name
}

// each calls take for every value from i on, and returns the index behind the
// last.
func (p *parser) each(i int, take func(text string, escaped bool, at int)) int {
	text := p.text
	for i < len(text) && text[i] == '[' && p.tooMuch == "" {
		value, escaped, next := p.value(i)
		p.count()
		take(value, escaped, i)
		i = next
		for i < len(text) && text[i] <= ' ' {
			i++
		}
	}
	return i
}

func (p *parser) count() {
	if p.values++; p.values > p.limits.Props {
		p.tooMuch = "too many properties in one node"
	}
	p.weigh(valueWeight)
}

// What values, properties and the rest of a node take in memory.
const (
	valueWeight = 16
	propWeight  = 40
	putWeight   = 24
	extraWeight = 80
)

// weigh counts memory. The text and the nodes have limits of their own; without
// this one a few bytes of text, such as A[], could cost twenty times as much.
func (p *parser) weigh(n int) {
	if p.weight += n; p.weight > max(128*p.limits.Nodes, 4<<20) {
		p.tooMuch = "too many properties"
	}
}

// value returns the text between the bracket at i and the one that closes it,
// whether there are backslashes in it, and the index behind it.
func (p *parser) value(i int) (value string, escaped bool, next int) {
	text := p.text
	nested, literal := 0, false
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case ']':
			if nested > 0 && p.goesOn(j+1) {
				nested--
				literal = true
				p.issues.add(issueBracket, j, text[i:j+1])
				continue
			}
			value = text[i+1 : j]
			if literal {
				value = escapeBrackets(value)
			}
			return value, escaped || literal, j + 1
		case '[':
			nested++
		case '\\':
			escaped = true
			j++
		}
	}
	p.issues.add(issueCut, i, "")
	value = text[i+1:]
	if n := len(value) - len(strings.TrimRight(value, "\\")); n%2 == 1 {
		value = value[:len(value)-1] // what it would escape is lost
	}
	if literal {
		value = escapeBrackets(value)
	}
	return value, escaped || literal, len(text)
}

// goesOn reports whether a value seems to go on behind a bracket: some programs
// do not escape those inside names, as in PW[[clan]name].
func (p *parser) goesOn(i int) bool {
	text := p.text
	for i < len(text) && split.IsIdent[text[i]] {
		i++
	}
	return i < len(text) && (text[i] >= 0x80 || text[i] == ']' && split.IsIdent[text[i-1]])
}

// moreMoves reads the values of B or W.
func (p *parser) moreMoves(side record.Side, i int) int {
	name := "B"
	if side == record.Second {
		name = "W"
	}
	var surplus []string
	end := p.each(i, func(value string, escaped bool, at int) {
		if p.moved && p.side == side {
			surplus = append(surplus, value)
			p.issues.add(issueSameMove, at, value)
			return
		}
		p.move(side, p.moveText(value, escaped, at), at)
	})
	if surplus != nil {
		p.props = append(p.props, record.Prop{Name: name, Values: surplus})
	}
	return end
}

// moveText cleans the text of a move: the games know no blanks in them.
func (p *parser) moveText(value string, escaped bool, at int) string {
	text := plainText(value, escaped)
	if p.mode != unknown && strings.ContainsAny(text, " \t\r\n\x00") {
		text = strings.Map(func(r rune) rune {
			if r <= ' ' {
				return -1
			}
			return r
		}, text)
		if text != "" {
			p.issues.add(issueBlanks, at, value)
		}
	}
	if text == "" || strings.EqualFold(text, "pass") {
		p.passes = true
		return "pass"
	}
	if len(text) != 2 || !isLetter(text[0]) || !isLetter(text[1]) {
		p.oddMoves = true
	}
	return text
}

// setup reads the values of AB, AW or AE.
func (p *parser) setup(name string, i int) int {
	piece := board.Empty
	switch name[1] {
	case 'B':
		piece = 1
	case 'W':
		piece = 2
	}
	p.edits = true
	var empty []string
	end := p.each(i, func(value string, escaped bool, at int) {
		text := strings.TrimSpace(plainText(value, escaped))
		if text == "" {
			empty = append(empty, value)
			return
		}
		p.place(piece, text, at)
	})
	if empty != nil {
		p.props = append(p.props, record.Prop{Name: name, Values: empty})
	}
	return end
}

// place sets up a point, a rectangle, or several points with commas between
// them, as some programs write.
func (p *parser) place(piece board.Piece, text string, at int) {
	switch {
	case len(text) == 5 && text[2] == ':' && isPoint(text[:2]) && isPoint(text[3:]):
		x1, y1 := coordinate(text[0]), coordinate(text[1])
		x2, y2 := coordinate(text[3]), coordinate(text[4])
		if !p.room((max(x1, x2) - min(x1, x2) + 1) * (max(y1, y2) - min(y1, y2) + 1)) {
			return
		}
		for y := min(y1, y2); y <= max(y1, y2); y++ {
			for x := min(x1, x2); x <= max(x1, x2); x++ {
				p.puts = append(p.puts, record.Put{Piece: piece, Point: pointText(x, y)})
			}
		}
	case strings.IndexByte(text, ',') > 0 && allPoints(text):
		p.issues.add(issueCommas, at, text)
		if !p.room(strings.Count(text, ",") + 1) {
			return
		}
		for point := range strings.SplitSeq(text, ",") {
			p.puts = append(p.puts, record.Put{Piece: piece, Point: strings.TrimSpace(point)})
		}
	case p.room(1):
		p.puts = append(p.puts, record.Put{Piece: piece, Point: text})
	}
}

// room reports whether n more stones may be set up.
func (p *parser) room(n int) bool {
	if p.placed+len(p.puts)+n > p.limits.Nodes {
		p.tooMuch = "too many stones set up"
	}
	p.weigh(n * putWeight)
	return p.tooMuch == ""
}

// player reads PL.
func (p *parser) player(i int) int {
	var rest []string
	end := p.each(i, func(value string, escaped bool, at int) {
		side := sideOf(value)
		if side == record.Unstated || p.turn != record.Unstated || p.moved && !p.isRoot {
			rest = append(rest, value)
			if side == record.Unstated {
				p.issues.add(issuePlayer, at, value)
			}
			return
		}
		p.turn = side
	})
	if rest != nil {
		p.props = append(p.props, record.Prop{Name: "PL", Values: rest})
	}
	return end
}

// comment reads C. Several comments of a node follow each other.
func (p *parser) comment(i int) int {
	return p.each(i, func(value string, escaped bool, at int) {
		if len(p.comments) > 0 {
			p.issues.add(issueTwice, at, "C")
		}
		p.comments = append(p.comments, plainText(value, escaped))
	})
}

// header reads a property of the root that is about the whole game.
func (p *parser) header(name string, i int, structural *[]tag) int {
	n := 0
	return p.each(i, func(value string, escaped bool, at int) {
		if n++; n == 2 {
			p.issues.add(issueTwice, at, name)
		}
		switch {
		case structural != nil:
			*structural = append(*structural, tag{name, value})
		case name == "AP":
			p.game.Tags = append(p.game.Tags, record.Tag{Name: name, Value: value})
		default:
			p.game.Tags = append(p.game.Tags, record.Tag{Name: name, Value: plainText(value, escaped)})
		}
	})
}

// other keeps a property as it is.
func (p *parser) other(name string, i int) int {
	lower := !isUpper(name)
	if cap(p.textPool)-len(p.textPool) < 8 {
		p.textPool = make([]string, 0, min(max(16, 4*cap(p.textPool)), 256))
	}
	from := len(p.textPool)
	end := p.each(i, func(value string, _ bool, _ int) {
		if lower {
			value = lineFeeds(value) // it will be written under the carrier
		}
		p.textPool = append(p.textPool, value)
	})
	to := len(p.textPool)
	p.props = append(p.props, record.Prop{Name: name, Values: p.textPool[from:to:to]})
	p.weigh(propWeight)
	return end
}

// carrier is the private property that properties of other formats travel
// under, whose names are no identifiers here: XPROP[name][value][value].
const carrier = "XPROP"

// carried reads the carrier. Names that need none are not for it: the property
// is kept as it is then.
func (p *parser) carried(i int) int {
	end := p.other(carrier, i)
	prop := &p.props[len(p.props)-1]
	if len(prop.Values) == 0 {
		return end
	}
	name := plainText(prop.Values[0], true)
	if isUpper(name) {
		return end
	}
	for j, value := range prop.Values {
		prop.Values[j] = plainText(value, true)
	}
	*prop = record.Prop{Name: name, Values: prop.Values[1:]}
	return end
}

// endNode ends the node of the file that is open, if one is.
func (p *parser) endNode() {
	if p.open && p.tooMuch == "" {
		p.flush()
	}
	p.open = false
}

// flush gives what has been collected to the current node of the tree. Set-up
// in the root node of the file always belongs to the root of the tree.
func (p *parser) flush() {
	if len(p.comments) == 0 && !p.edits && p.turn == record.Unstated && len(p.props) == 0 {
		return
	}
	target := p.cur
	if p.isRoot {
		target = 0
	}
	if n := &p.nodes[target]; p.turn != record.Unstated && (n.Move != "" || n.Extra != nil && n.Turn != record.Unstated) {
		// Beside a move it speaks of what follows, and changes nothing here.
		p.props = append(p.props, record.Prop{Name: "PL", Values: []string{colourName(p.turn)}})
		p.turn = record.Unstated
	}
	comment := ""
	if len(p.comments) > 0 {
		comment = strings.Join(p.comments, "\n")
	}
	if len(p.comments) > 0 && comment == "" {
		p.props = append(p.props, record.Prop{Name: "C", Values: []string{""}})
	}
	if n := len(p.props); n > 0 {
		if cap(p.propPool)-len(p.propPool) < n {
			p.propPool = make([]record.Prop, 0, max(n, min(max(8, 4*cap(p.propPool)), 256)))
		}
		from := len(p.propPool)
		p.propPool = append(p.propPool, p.props...)
		p.more(p.cur).Props = p.propPool[from : from+n : from+n]
	}
	if comment != "" {
		p.more(p.cur).Comment = comment
	}
	if len(p.puts) > 0 {
		p.giveStones(target)
	}
	if p.turn != record.Unstated {
		p.more(target).Turn = p.turn
	}
	p.edits, p.turn = false, record.Unstated
	clear(p.props)
	clear(p.comments)
	p.comments, p.props, p.puts = p.comments[:0], p.props[:0], p.puts[:0]
}

// giveStones gives the stones set up to a node.
func (p *parser) giveStones(target int32) {
	n := &p.nodes[target]
	x := p.more(target)
	if n.Move != "" {
		p.issues.add(issueSetupMove, int(n.Offset), "")
	}
	p.placed += len(p.puts)
	all := append(x.Setup, p.puts...)
	x.Setup = groupPuts(all)
	if point, twice := overlap(x.Setup); twice {
		p.issues.add(issueOverlap, int(n.Offset), point)
	}
}

// more returns the Extra of a node, made if need be.
func (p *parser) more(i int32) *record.Extra {
	n := &p.nodes[i]
	if n.Extra == nil {
		if len(p.extras) == cap(p.extras) {
			p.extras = make([]record.Extra, 0, min(max(4, 4*cap(p.extras)), 64))
		}
		p.weigh(extraWeight)
		p.extras = append(p.extras, record.Extra{})
		n.Extra = &p.extras[len(p.extras)-1]
	}
	return n.Extra
}
