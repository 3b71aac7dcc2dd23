package pgn

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qipu/record"
	"qipu/record/charset"
)

// Write writes games as one file in UTF-8. A game that was read from PGN keeps
// its tags; for others they are made from the facts.
func (f *format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	var buf []byte
	first := true
	for g := range games {
		buf = buf[:0]
		if !first {
			buf = append(buf, '\n')
		}
		var err error
		if buf, err = f.kinds.appendGame(buf, g, first); err != nil {
			return fmt.Errorf("pgn: %s: %w", name(g), err)
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		first = false
	}
	return nil
}

func name(g *record.Game) string {
	return fmt.Sprintf("%s game %d", g.Place.File, g.Place.Number)
}

func (list kinds) appendGame(dst []byte, g *record.Game, first bool) ([]byte, error) {
	if g.Kind != "xiangqi" && g.Kind != "renju" && list[g.Kind] == nil {
		return dst, record.Inexpressible("games of %q", g.Kind)
	}
	g, err := prune(g)
	if err != nil {
		return dst, err
	}
	w := writer{kinds: list, g: g, dst: dst, pairs: g.Notation == "sgf"}
	if err := w.check(); err != nil {
		return dst, err
	}
	tags, err := w.allTags()
	if err != nil {
		return dst, err
	}
	if len(tags) == 0 && !first { // it could not be told from the game before
		tags = append(tags, record.Tag{Name: "Game", Value: list.word(g)})
	}
	rest := w.tagPairs(tags)
	if len(tags) > len(rest) {
		w.dst = append(w.dst, '\n')
	}
	begin := len(w.dst)
	for _, t := range rest {
		w.dst = append(appendCommand(w.dst, "tag", t.Name, t.Value), '\n')
	}
	w.moves()
	if len(w.dst) > begin && w.dst[len(w.dst)-1] != '\n' {
		w.dst = append(w.dst, '\n')
	}
	w.dst = append(append(w.dst, resultWord(g, tags)...), '\n')
	if w.strange {
		if err := w.readBack(len(dst)); err != nil {
			return dst, err
		}
	}
	return certain(w.dst, len(dst)), nil
}

// certain puts a byte order mark before a game that would be taken for another
// encoding, as can happen to a few letters with accents.
func certain(dst []byte, from int) []byte {
	if t, err := charset.Decode(dst[from:], "", ""); err == nil && t.Encoding == "utf-8" {
		return dst
	}
	return slices.Insert(dst, from, []byte(byteOrderMark)...)
}

// writer writes one game.
type writer struct {
	kinds kinds
	g     *record.Game
	dst   []byte
	pairs bool

	second  bool          // the second side begins
	movers  []record.Side // by node, where sides need not take turns; else nil
	shapes  shape         // of all moves
	token   string        // the first of them
	strange bool          // some look like no move

	depth int  // of variations, at this place
	fresh bool // a number is due even for the second side
}

// check refuses what PGN cannot say, and looks at the moves.
func (w *writer) check() error {
	g := w.g
	if len(g.Nodes) == 0 {
		return record.Inexpressible("a game without a root")
	}
	if fields := strings.Fields(g.Start); len(fields) > 1 {
		w.second = (fields[1] == "b") == (g.Kind == "xiangqi")
		if k := w.kinds[g.Kind]; k != nil {
			w.second = k.Turn(g.Start) == record.Second
		}
	}
	if k := w.kinds[g.Kind]; k != nil {
		w.movers = k.Movers(g)
	}
	next := make([]record.Side, len(g.Nodes)) // who moves behind a node
	next[0] = side(w.second)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if x := n.Extra; x != nil {
			if len(x.Setup) > 0 {
				return record.Inexpressible("set-up of single points")
			}
			if x.Turn != record.Unstated && (i > 0 || x.Turn != next[0]) {
				return record.Inexpressible("a stated turn")
			}
		}
		if i == 0 {
			continue
		}
		mover := next[n.Parent]
		if w.movers != nil {
			mover = cmp.Or(w.movers[i], mover)
			w.movers[i] = mover
		}
		next[i] = record.First + record.Second - mover
		if n.Side != record.Unstated && n.Side != mover {
			return record.Inexpressible("one side moving twice, at %q", n.Move)
		}
		if err := w.checkToken(n.Move); err != nil {
			return err
		}
	}
	return nil
}

func side(second bool) record.Side {
	if second {
		return record.Second
	}
	return record.First
}

// checkToken refuses a move that would not be read back as one token, signs of check apart.
func (w *writer) checkToken(tok string) error {
	p := parser{text: tok}
	move, suffix := cutSuffix(tok)
	if !utf8.ValidString(tok) || tok[0] == '%' || p.token() != tok || isResult(tok) || stripNumber(tok) != tok ||
		move == "" || strings.Trim(suffix, "+#") != "" || tok == "black" || tok == "white" {
		return record.Inexpressible("the move %q", tok)
	}
	s := shapeOf(move, w.pairs)
	if s == unshaped {
		w.strange = true
		if chineseMoves(move) != nil {
			return record.Inexpressible("the move %q", tok)
		}
	}
	w.shapes |= s
	if w.token == "" && s != unshaped && s != null {
		w.token = move
	}
	return nil
}

// readBack makes sure that a game with moves that look like none is read back
// as it is.
func (w *writer) readBack(from int) error {
	p := parser{text: string(w.dst[from:]), limits: record.Limits{}.WithDefaults(), kinds: w.kinds}
	rest := p.parse()
	p.join()
	if rest != "" || len(p.game.Nodes) != len(w.g.Nodes) {
		return record.Inexpressible("moves that look like none, as %q", beginning(w.g.Nodes[len(w.g.Nodes)-1].Move))
	}
	return nil
}

// tagPairs writes tags and returns those that need a command, from the first
// such on, so that they stay in order.
func (w *writer) tagPairs(tags []record.Tag) (rest []record.Tag) {
	for i, t := range tags {
		if !tagLine(t) {
			return tags[i:]
		}
		w.dst = append(append(append(w.dst, '['), t.Name...), ' ', '"')
		for j := range len(t.Value) {
			if c := t.Value[j]; c == '"' || c == '\\' {
				w.dst = append(w.dst, '\\')
			}
			w.dst = append(w.dst, t.Value[j])
		}
		w.dst = append(w.dst, '"', ']', '\n')
	}
	return nil
}

// tagLine reports whether a tag can be written as a tag pair.
func tagLine(t record.Tag) bool {
	for i := range len(t.Name) {
		if !nameByte(t.Name[i], i == 0) {
			return false
		}
	}
	return t.Name != "" && utf8.ValidString(t.Name) && plainText(t.Value)
}

// plainText reports whether a text has no character that is lost or mistaken
// in a file: control characters and broken UTF-8.
func plainText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7F {
			return false
		}
	}
	return utf8.ValidString(s)
}

// task is something left to do on the walk over the tree.
type task struct {
	node int32
	slot int  // moves and choices before it
	do   byte // 'm' a move and its variations, 'v' a move alone, '(' and ')'
}

// moves writes the tree. It keeps its own stack, as the reader does.
func (w *writer) moves() {
	g := w.g
	root := &g.Nodes[0]
	slot := 0
	if w.second {
		slot = 1
	}
	w.comment(root)
	if root.Extra != nil {
		w.props(root, root.Props, slot)
	}
	if root.Child == 0 {
		return
	}
	slot += 2 * (firstNumber(g) - 1)
	stack := []task{{root.Child, slot, 'm'}}
	w.fresh = true
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch t.do {
		case '(':
			w.space()
			w.dst = append(w.dst, '(')
			w.depth++
			w.fresh = true
			continue
		case ')':
			w.dst = append(w.dst, ')')
			w.depth--
			w.fresh = true
			continue
		}
		n := &g.Nodes[t.node]
		if next := w.node(n, t); n.Child != 0 {
			stack = append(stack, task{n.Child, next, 'm'})
		}
		if t.do == 'm' {
			from := len(stack)
			for s := n.Next; s != 0; s = g.Nodes[s].Next {
				stack = append(stack, task{s, t.slot, '('}, task{s, t.slot, 'v'}, task{s, t.slot, ')'})
			}
			slices.Reverse(stack[from:])
		}
	}
}

// node writes one move with all that belongs to it, and returns the slot of
// the next.
func (w *writer) node(n *record.Node, t task) int {
	if w.movers != nil && (t.slot%2 == 1) != (w.movers[t.node] == record.Second) {
		t.slot++ // the other side does not move in between
		w.fresh = true
	}
	w.numberAt(t.slot)
	w.dst = append(w.dst, n.Move...)
	slot := t.slot + 1
	if n.Extra == nil {
		return slot
	}
	props := n.Props
	if len(props) > 0 && props[0].Name == propSuffix && isSuffix(props[0]) {
		w.dst = append(w.dst, props[0].Values[0]...)
		props = props[1:]
	}
	if t.node == 1 && len(props) > 0 && numbered(props[0]) > 1 {
		props = props[1:]
	}
	w.comment(n)
	return w.props(n, props, slot)
}

// numberAt writes what stands before a slot: a line break or a space, and a
// number where one is due.
func (w *writer) numberAt(slot int) {
	odd := slot%2 == 1
	if !odd && w.depth == 0 && len(w.dst) > 0 && w.dst[len(w.dst)-1] != '\n' {
		w.dst = append(w.dst, '\n')
	}
	w.space()
	fresh := w.fresh
	w.fresh = false
	if odd && !fresh {
		return
	}
	w.dst = strconv.AppendInt(w.dst, int64(slot/2+1), 10)
	if odd {
		w.dst = append(w.dst, "... "...)
	} else {
		w.dst = append(w.dst, ". "...)
	}
}

// space parts what comes from what is there.
func (w *writer) space() {
	if n := len(w.dst); n > 0 {
		switch w.dst[n-1] {
		case '\n', ' ', '(':
			return
		}
		w.dst = append(w.dst, ' ')
	}
}

// comment writes the comment of a node.
func (w *writer) comment(n *record.Node) {
	text := n.Text()
	if text == "" {
		return
	}
	w.space()
	w.fresh = true
	if !plainComment(text) {
		w.dst = appendCommand(w.dst, "text", "", text)
		return
	}
	w.dst = append(w.dst, '{')
	w.dst = append(append(w.dst, text...), '}')
}

// plainComment reports whether a comment can be written between braces: it has
// none that closes it, no white space around it, which is not kept, and no line
// that would be taken for a tag pair.
func plainComment(text string) bool {
	if trim(text) != text || strings.IndexByte(text, '}') >= 0 {
		return false
	}
	if strings.HasPrefix(text, commandMark) {
		if _, ok := readCommands(text); ok {
			return false
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !plainText(line) || tagName([]byte(strings.TrimLeft(line, " \t"))) != nil {
			return false
		}
	}
	return true
}

// props writes properties of a node in their order and returns the slot behind
// the choices among them. The list lacks those that have been written with the
// move.
func (w *writer) props(n *record.Node, list []record.Prop, slot int) int {
	skipped := len(n.Props) - len(list)
	for i, p := range list {
		// The reader joins what stands side by side under one name.
		joined := skipped+i > 0 && n.Props[skipped+i-1].Name == p.Name
		switch {
		case p.Name == propNAG && isNAG(p) && !joined:
			for _, v := range p.Values {
				w.space()
				w.dst = append(append(w.dst, '$'), v...)
			}
		case p.Name == propSuffix && isSuffix(p) && !joined:
			w.space()
			w.dst = append(w.dst, p.Values[0]...)
		case p.Name == propChoice && isChoice(p) && !joined && (n.Move != "--" || p.Values[0] == "--"):
			for _, v := range p.Values {
				if n.Move != "" { // the first number is that of the first move
					w.numberAt(slot)
				}
				w.space()
				w.dst = append(w.dst, v...)
				slot++
			}
		default:
			w.space()
			w.dst = appendCommand(w.dst, "prop", p.Name, p.Values...)
			w.fresh = true
		}
	}
	return slot
}

func isNAG(p record.Prop) bool {
	for _, v := range p.Values {
		if !digits(v) {
			return false
		}
	}
	return len(p.Values) > 0
}

func isSuffix(p record.Prop) bool {
	if len(p.Values) != 1 || p.Values[0] == "" {
		return false
	}
	move, _ := cutSuffix(p.Values[0])
	return move == ""
}

// isChoice reports whether the reader would make this property of its words.
func isChoice(p record.Prop) bool {
	values := p.Values
	if len(values) > 1 && values[0] == "--" {
		values = values[1:]
	}
	if len(values) == 0 || values[0] == "--" {
		return false
	}
	for _, v := range values {
		if v != "black" && v != "white" && v != "--" {
			return false
		}
	}
	return true
}

// firstNumber returns the number that the first move of a game has.
func firstNumber(g *record.Game) int {
	x := g.Nodes[g.Nodes[0].Child].Extra
	if g.Nodes[0].Child != 1 || x == nil {
		return 1
	}
	for i := range min(2, len(x.Props)) {
		if i == 0 || x.Props[0].Name == propSuffix && isSuffix(x.Props[0]) {
			if n := numbered(x.Props[i]); n > 1 {
				return n
			}
		}
	}
	return 1
}

// numbered returns the number that a property gives to a move, or 0.
func numbered(p record.Prop) int {
	if p.Name != propNumber || len(p.Values) != 1 {
		return 0
	}
	n, err := strconv.Atoi(p.Values[0])
	if err != nil || n < 2 || n > 99_999 || strconv.Itoa(n) != p.Values[0] {
		return 0
	}
	return n
}
