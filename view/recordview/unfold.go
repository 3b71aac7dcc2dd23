package recordview

import (
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/record"
	"qipu/record/study"
	"qipu/view"
)

// MaxNodes is how many nodes of a tree are sent. The main line is whole in any
// case.
const MaxNodes = 20_000

// Unfolded is a record as it is shown: its tree, node by node, the main line first.
type Unfolded struct {
	game  *record.Game
	rules game.Rules // nil where the game is not known
	Start game.Setup // without a board where it cannot be set up
	Nodes []view.Node
	Cut   bool // there are more nodes

	at     []int32       // the number in nodes of each node of the record
	passes map[int]int   // the forced pass that was put in behind a node, by it
	pass   string        // how it is written
	marks  marker        //
	want   int           // a node whose line is wanted; then the tree ends with it
	Line   []record.Step // that leads to it
}

// visit adds a node of the record.
func (v *Unfolded) visit(x *record.Visit) {
	n := &v.game.Nodes[x.Node]
	parent := -1
	if x.Node != 0 {
		parent = int(v.at[n.Parent])
	}
	before := len(x.Line) - len(x.Steps)
	for range x.Passes() {
		pass, known := v.passes[parent]
		if !known {
			before++
			step := &x.Line[before-1]
			pass = v.add(view.Node{Parent: parent, Ply: before, Move: v.pass, Side: int(step.Side), From: -1, To: -1, Changes: []int{}, Turn: int(step.Turn)}, x.Line[:before])
			v.passes[parent] = pass
		}
		parent = pass
	}
	w := view.Node{Parent: parent, Ply: len(x.Line), Move: x.Text, Side: -1, From: -1, To: -1, Changes: []int{}, Turn: int(x.Turn), Fault: x.Reason}
	_, cells := game.Shown(x.Position)
	w.Texts = view.Texts(v.marks.size, cells)
	if x.Node != 0 { // the pieces of the start are told beside the tree
		w.Changes = v.changes(x)
	}
	if s, ok := x.Moved(); ok {
		w.Side, w.From, w.To = int(s.Side), view.IndexIn(v.marks.size, s.Move.From()), view.IndexIn(v.marks.size, s.Move.To())
	}
	v.annotate(&w, n)
	v.at[x.Node] = int32(v.add(w, x.Line))
}

// add adds a node, and keeps its line where that is wanted.
func (v *Unfolded) add(w view.Node, line []record.Step) int {
	i := len(v.Nodes)
	v.Nodes = append(v.Nodes, w)
	if i == v.want {
		v.Line = append([]record.Step{}, line...)
	}
	return i
}

// changes returns what a node has changed: points and pieces by turns. Where a
// set-up and a move touch the same point, the last holds.
func (v *Unfolded) changes(x *record.Visit) []int {
	list := make([]int, 0, 2*len(x.Changes))
	for i, c := range x.Changes {
		p := v.marks.size.Index(c.Point)
		if i > 0 && c.Step != x.Changes[0].Step {
			for k := 0; k < len(list); k += 2 {
				if list[k] == p {
					list = slices.Delete(list, k, k+2)
					break
				}
			}
		}
		list = append(list, p, int(c.Piece))
	}
	return list
}

// unplayed makes the tree of a record that cannot be played, for the reason
// given: it has its texts, and no boards.
func (v *Unfolded) unplayed(why string) {
	v.Nodes, v.Start = v.Nodes[:0], game.Setup{}
	main := true
	type entry struct {
		node int32
		ply  int
	}
	for stack := []entry{{}}; len(stack) > 0; {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(v.Nodes) >= MaxNodes && !main {
			v.Cut = true
			return
		}
		n := &v.game.Nodes[at.node]
		main = main && n.Child != 0
		w := view.Node{Parent: -1, Ply: at.ply, Move: n.Move, Side: -1, From: -1, To: -1, Changes: []int{}, Fault: why}
		if at.node != 0 {
			w.Parent = int(v.at[n.Parent])
		}
		if n.Move != "" {
			w.Ply++
			if n.Side != record.Unstated {
				w.Side = int(n.Side - record.First)
			}
		}
		v.annotate(&w, n)
		v.at[at.node] = int32(v.add(w, nil))
		if n.Next != 0 {
			stack = append(stack, entry{n.Next, at.ply})
		}
		if n.Child != 0 {
			stack = append(stack, entry{n.Child, w.Ply})
		}
	}
}

// At returns the number in Nodes of a node of the record; 0 where it is not shown.
func (v *Unfolded) At(node int32) int { return int(v.at[node]) }

// Main returns how many plies the main line has.
func (v *Unfolded) Main() int {
	at := 0
	for i := 1; i < len(v.Nodes) && v.Nodes[i].Parent == at; i++ {
		at = i
	}
	return v.Nodes[at].Ply
}

// annotate adds what the record says about a node.
func (v *Unfolded) annotate(w *view.Node, n *record.Node) {
	if n.Extra == nil {
		return
	}
	w.Comment = n.Comment
	for i := range n.Props {
		p := &n.Props[i]
		if q := qualityOf(p); q != "" {
			w.Quality = q
		}
		if w.Marks = v.marks.append(w.Marks, p); p.Name == "BoardText" && len(p.Values) == 1 && w.To >= 0 {
			w.Marks = append(w.Marks, view.Mark{Point: w.To, Kind: "label", Text: p.Values[0]}) // RenLib: on the stone
		}
	}
}

// NoNode is what to want where no line is.
const NoNode = -1

// Unfold plays a record out. A forced pass that it leaves out becomes a node of
// its own, which all moves behind it share: boards and sides are then told as
// they were, and plies count as those of hits do.
func Unfold(g *record.Game, rules game.Rules, n game.Notation, want int) *Unfolded {
	v := &Unfolded{
		game: g, rules: rules, want: want, at: make([]int32, len(g.Nodes)),
		Nodes: make([]view.Node, 0, min(len(g.Nodes), MaxNodes)), passes: map[int]int{},
	}
	if rules == nil {
		v.unplayed("")
		return v
	}
	v.marks = marker{game: g, size: rules.Geometry().Size}
	v.marks.coords, _ = rules.(record.Coordinates)
	main := true
	start, err := record.Walk(rules, g, n, func(x *record.Visit) bool {
		if len(v.Nodes) >= MaxNodes && !main {
			v.Cut = true
			return false
		}
		main = main && g.Nodes[x.Node].Child != 0
		if x.Passes() > 0 && v.pass == "" {
			v.pass = string(rules.AppendMove(nil, rules.Start(), game.Pass, n))
		}
		v.visit(x)
		return v.Line == nil
	})
	if err != nil {
		v.unplayed(err.Error())
		return v
	}
	v.Start = start
	return v
}

// qualities are what annotators say of moves: by the numbers of PGN, and by the
// properties of SGF, of which those with a value of 2 are emphatic.
var (
	numbered   = map[string]string{"1": "!", "2": "?", "3": "!!", "4": "??", "5": "!?", "6": "?!"}
	properties = map[string][2]string{"TE": {"!", "!!"}, "BM": {"?", "??"}, "IT": {"!?", "!?"}, "DO": {"?!", "?!"}}
)

// qualityOf returns what a property says of a move; empty for nothing.
func qualityOf(p *record.Prop) string {
	switch p.Name {
	case "NAG":
		for _, value := range p.Values {
			if q := numbered[strings.TrimPrefix(value, "$")]; q != "" {
				return q
			}
		}
	case "Suffix":
		if len(p.Values) == 0 {
			return ""
		}
		q := strings.Trim(p.Values[0], "+#")
		for _, known := range numbered {
			if q == known {
				return q
			}
		}
	default:
		if q, ok := properties[p.Name]; ok {
			if len(p.Values) > 0 && strings.TrimSpace(p.Values[0]) == "2" {
				return q[1]
			}
			return q[0]
		}
	}
	return ""
}

// signs are the properties that put signs on points, by the sign.
var signs = map[string]string{
	"CR": "circle", "SQ": "square", "TR": "triangle", "MA": "cross", "M": "cross", "SL": "square", "LB": "label", "L": "label",
	"TB": "first", "TW": "second", "Label": "label", "AR": "arrow", "ARROW": "arrow", "REGION": "region",
}

// maxMarks bounds the signs of one node: no board has more points.
const maxMarks = 1024

// marker reads signs on points.
type marker struct {
	game   *record.Game
	size   board.Size
	coords record.Coordinates // nil where points have no names without a position
}

// append adds the signs of a property.
func (m *marker) append(list []view.Mark, p *record.Prop) []view.Mark {
	kind, ok := signs[p.Name]
	if !ok {
		return list
	}
	for i, value := range p.Values {
		name, text := value, ""
		switch p.Name {
		case "REGION", "ARROW": // from, to, colour
			if k := strings.LastIndexByte(value, ':'); k > 0 {
				name, text = value[:k], value[k+1:]
			}
		case "LB":
			name, text, _ = strings.Cut(value, ":")
		case "L": // of old files: the first is A
			text = string(rune('A' + i%26))
		case "Label": // of RenLib: point, blank, text
			name, text, _ = strings.Cut(value, " ")
		}
		from, to, rectangle := strings.Cut(name, ":")
		if !rectangle {
			to = from
		}
		a, ok1 := m.point(from)
		b, ok2 := m.point(to)
		if !ok1 || !ok2 {
			continue
		}
		if kind == "arrow" || kind == "region" {
			if len(list) < maxMarks {
				list = append(list, view.Mark{Point: m.size.Index(a), To: m.size.Index(b), Kind: kind, Text: text})
			}
			continue
		}
		for y := min(a.Y(), b.Y()); y <= max(a.Y(), b.Y()); y++ {
			for x := min(a.X(), b.X()); x <= max(a.X(), b.X()) && len(list) < maxMarks; x++ {
				list = append(list, view.Mark{Point: m.size.Index(board.At(x, y)), Kind: kind, Text: unescape(text)})
			}
		}
	}
	return list
}

// point reads a point as the record writes its moves, or else by the two letters of SGF.
func (m *marker) point(name string) (board.Point, bool) {
	name = strings.TrimSpace(name)
	if m.coords != nil {
		if move, ok := m.coords.Coordinates(name, game.Notation(m.game.Notation)); ok && m.size.Has(move.To()) {
			return move.To(), true
		}
	}
	p, ok := study.ParsePoint(name)
	return p, ok && m.size.Has(p)
}

// unescape takes the backslashes of SGF out of a text, and makes it one line.
func unescape(text string) string {
	if !strings.ContainsAny(text, "\\\n\r\t") {
		return text
	}
	var b strings.Builder
	escaped := false
	for _, r := range text {
		switch {
		case r == '\\' && !escaped:
			escaped = true
			continue
		case r == '\n' || r == '\r' || r == '\t':
			if !escaped {
				b.WriteByte(' ')
			}
		default:
			b.WriteRune(r)
		}
		escaped = false
	}
	return strings.TrimSpace(b.String())
}
