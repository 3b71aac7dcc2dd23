package sgf

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"qipu/board"
	"qipu/record"
)

// Write writes games as one collection in FF[4] and UTF-8.
func (f *format) Write(w io.Writer, games iter.Seq[*record.Game]) error {
	out := bufio.NewWriter(w)
	e := encoder{kinds: f.kinds}
	for g := range games {
		if err := e.encode(g); err != nil {
			return err
		}
		if _, err := out.Write(e.out); err != nil {
			return err
		}
	}
	return out.Flush()
}

// encoder writes one game after the other; it keeps its buffer.
type encoder struct {
	kinds kinds
	game  *record.Game
	kind  kind
	white bool // the first side is W
	own   bool // the game was read from SGF: its values are as in a file
	size  board.Size
	sides []record.Side // by node, where the record does not state them
	out   []byte
	line  int // where the current line begins in out
}

// lineLength is where lines are broken; values never are.
const lineLength = 75

// encode writes a game into out.
func (e *encoder) encode(g *record.Game) error {
	e.game, e.kind, e.own, e.sides, e.out, e.line = g, kind{}, g.Format == info.Name, nil, e.out[:0], 0
	if len(g.Nodes) == 0 || g.Nodes[0].Move != "" {
		return e.refuse("a game without a root of its own")
	}
	if g.Kind == "" && !e.own {
		return e.refuse("a game of no known kind")
	}
	if g.Kind != "" {
		var ok bool
		if e.kind, ok = e.kinds[g.Kind]; !ok {
			return e.refuse("the game " + g.Kind)
		}
		e.size, _ = e.kinds.sizeOf(g)
	}
	e.white = e.kind.sides.White()
	e.findSides()
	if err := e.tree(); err != nil {
		return err
	}
	e.out = append(e.out, '\n')
	return nil
}

func (e *encoder) refuse(what string) error {
	return fmt.Errorf("sgf: %s, game %d: %s: %w", e.game.Place.File, e.game.Place.Number, what, record.ErrInexpressible)
}

// findSides finds out whose the moves are, where the record leaves it to the
// rules: as these have it where they are known, else in turns.
func (e *encoder) findSides() {
	nodes := e.game.Nodes
	unstated := func(n record.Node) bool { return n.Move != "" && n.Side == record.Unstated }
	if !slices.ContainsFunc(nodes, unstated) {
		return
	}
	e.sides = make([]record.Side, len(nodes))
	if e.kind.plain != nil {
		e.sides = e.kind.plain.Movers(e.game)
	}
	next := make([]record.Side, len(nodes)) // who is to move behind the node
	next[0] = e.firstSide()
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		e.sides[i] = cmp.Or(n.Side, e.sides[i], next[n.Parent])
		next[i] = e.sides[i]
		if n.Move != "" {
			next[i] = record.First + record.Second - e.sides[i]
		}
		if n.Extra != nil && n.Turn != record.Unstated {
			next[i] = n.Turn
		}
	}
}

// firstSide returns who begins.
func (e *encoder) firstSide() record.Side {
	g := e.game
	if root := &g.Nodes[0]; root.Extra != nil && root.Turn != record.Unstated {
		return root.Turn
	}
	if g.Start != "" {
		turn := startTurn(g.Start)
		if e.kind.plain != nil {
			turn = e.kind.plain.Turn(g.Start)
		}
		if turn != record.Unstated {
			return turn
		}
	}
	if g.Kind == kindGo && g.Facts.Handicap > 1 {
		return record.Second
	}
	return record.First
}

// tree writes all nodes, with a stack of what is still to be written.
func (e *encoder) tree() error {
	const end = -1 // closes a parenthesis
	nodes := e.game.Nodes
	limits := record.Limits{}.WithDefaults()
	if len(nodes) > limits.Nodes {
		return e.refuse("more than " + strconv.Itoa(limits.Nodes) + " nodes")
	}
	depth := 0
	for stack := []int32{0}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if i == end {
			e.out = append(e.out, ')')
			depth--
			continue
		}
		if i != 0 {
			e.newLine()
		}
		e.out = append(e.out, '(')
		if depth++; depth > limits.Depth {
			// Every branching of a line takes one more parenthesis around the rest.
			return e.refuse("variations nested deeper than " + strconv.Itoa(limits.Depth))
		}
		if len(e.out) > limits.GameBytes {
			return e.refuse("more than " + strconv.Itoa(limits.GameBytes) + " bytes")
		}
		stack = append(stack, end)
		for {
			if err := e.node(i); err != nil {
				return err
			}
			child := nodes[i].Child
			if child == 0 {
				break
			}
			if nodes[child].Next == 0 {
				i = child
				continue
			}
			from := len(stack)
			for ; child != 0; child = nodes[child].Next {
				stack = append(stack, child)
			}
			slices.Reverse(stack[from:])
			break
		}
	}
	return nil
}

func (e *encoder) newLine() {
	if len(e.out) > e.line {
		e.out = append(e.out, '\n')
	}
	e.line = len(e.out)
}

// wrap breaks the line if it is long enough.
func (e *encoder) wrap() {
	if len(e.out)-e.line >= lineLength {
		e.newLine()
	}
}

// property writes the name of a property.
func (e *encoder) property(name string) {
	e.wrap()
	e.out = append(e.out, name...)
}

// text writes a value, escaped.
func (e *encoder) text(value string) {
	e.out = append(e.out, '[')
	e.out = appendEscaped(e.out, value)
	e.out = append(e.out, ']')
}

// asIs writes a value as it stood in a file.
func (e *encoder) asIs(value string) {
	if !wellFormed(value) {
		e.text(value)
		return
	}
	e.out = append(e.out, '[')
	e.out = append(e.out, value...)
	e.out = append(e.out, ']')
}

// node writes one node.
func (e *encoder) node(i int32) error {
	n := &e.game.Nodes[i]
	if i == 0 {
		e.root()
		if e.game.Start != "" {
			if err := e.start(); err != nil {
				return err
			}
		}
	} else {
		if e.game.Nodes[0].Child == i && n.Parent == 0 {
			e.newLine()
		}
		e.wrap()
		e.out = append(e.out, ';')
	}
	if n.Move != "" {
		if err := e.move(i, n); err != nil {
			return err
		}
	}
	if n.Extra == nil {
		return nil
	}
	if err := e.setup(n.Setup); err != nil {
		return err
	}
	if n.Turn != record.Unstated {
		e.property("PL")
		e.text(e.colour(n.Turn))
	}
	if n.Comment != "" {
		e.property("C")
		e.text(n.Comment)
	}
	return e.props(n.Props, i == 0)
}

// colour returns the letter of a side: Red is W.
func (e *encoder) colour(s record.Side) string {
	if (s == record.First) == e.white {
		return "W"
	}
	return "B"
}

func (e *encoder) move(i int32, n *record.Node) error {
	side := n.Side
	if side == record.Unstated {
		side = e.sides[i]
	}
	text, ok := e.moveText(n.Move)
	if !ok {
		return e.refuse("the move " + short(n.Move))
	}
	e.wrap()
	e.out = append(e.out, e.colour(side)...)
	e.text(text)
	return nil
}

// setup writes stones that are set up.
func (e *encoder) setup(puts []record.Put) error {
	if len(puts) == 0 {
		return nil
	}
	written := make([]record.Put, len(puts))
	for i, put := range puts {
		text, ok := e.moveText(put.Point)
		if !ok || text == "" || pieceName(put.Piece) == "" || e.kind.pieces() {
			if !e.own {
				return e.refuse("the set-up of " + short(put.Point))
			}
			text = put.Point
		}
		written[i] = record.Put{Piece: put.Piece, Point: text}
	}
	e.stones(groupPuts(written))
	return nil
}

// stones writes stones, those of one colour under one property.
func (e *encoder) stones(puts []record.Put) {
	for i, put := range puts {
		if i == 0 || put.Piece != puts[i-1].Piece {
			e.property(pieceName(put.Piece))
		}
		e.wrap()
		e.text(put.Point)
	}
}

// props writes the other properties of a node.
func (e *encoder) props(props []record.Prop, root bool) error {
	for _, p := range props {
		if !isUpper(p.Name) {
			e.property(carrier)
			e.text(p.Name)
			for _, v := range p.Values {
				e.wrap()
				e.text(v)
			}
			continue
		}
		if !e.own && (!writable(p.Name) || root && isHeader[p.Name]) {
			return e.refuse("the property " + short(p.Name))
		}
		e.property(p.Name)
		if len(p.Values) == 0 {
			e.text("")
		}
		for _, v := range p.Values {
			e.wrap()
			if e.own {
				e.asIs(v)
			} else {
				e.text(v)
			}
		}
	}
	return nil
}

// writable reports whether a property of another format can have its name
// here, and be read back as a property.
func writable(name string) bool {
	switch name {
	case "", "B", "W", "AB", "AW", "AE", "PL", "C", "FF", "GM", "CA", "SZ", "FEN", carrier:
		return false
	}
	return true
}

// sizeText returns a size as SZ has it.
func sizeText(s board.Size) string {
	if s.Square() {
		return strconv.Itoa(s.W)
	}
	return strconv.Itoa(s.W) + ":" + strconv.Itoa(s.H)
}
