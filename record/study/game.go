package study

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"qipu/board"
	"qipu/record"
)

// Game returns the record with what was written on it. What nobody has changed is shared
// with the base.
func (t *Tree) Game() *record.Game { return t.game(false) }

// Apart returns what was written alone: the nodes that were added or of which something
// was said, and those that lead to them. Nothing that the base says stands in it but its
// headers and moves.
func (t *Tree) Apart() *record.Game { return t.game(true) }

func (t *Tree) game(apart bool) *record.Game {
	l := t.log
	g := *l.base
	g.Raw, g.Faults = nil, nil
	keep := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		keep[i] = keep[i] || i == 0 || !apart || n.Added != nil || len(l.sets[n.ID]) > 0
		keep[n.Parent] = keep[n.Parent] || keep[i]
	}
	g.Nodes = make([]record.Node, 0, len(t.Nodes))
	at := make([]int32, len(t.Nodes))
	for i := range t.Nodes {
		if !keep[i] {
			continue
		}
		n := &t.Nodes[i]
		at[i] = int32(len(g.Nodes))
		side, move := t.move(n)
		g.Nodes = append(g.Nodes, record.Node{Parent: at[n.Parent], Side: side, Move: move, Extra: t.extra(n, apart)})
	}
	g.Link()
	return &g
}

// extra returns what a node says beside its move.
func (t *Tree) extra(n *Node, apart bool) *record.Extra {
	l := t.log
	var had *record.Extra
	if n.Base >= 0 {
		had = l.base.Nodes[n.Base].Extra
	}
	sets := l.sets[n.ID]
	if len(sets) == 0 && (!apart || had == nil) {
		return had
	}
	var x record.Extra
	if had != nil {
		x = *had
		x.Props = slices.Clone(had.Props)
		if apart { // what a record sets up belongs to its moves
			x.Comment = ""
			x.Props = nil
		}
	}
	if s, ok := l.Value(n.ID, Comment); ok {
		x.Comment = s
	}
	if s, ok := l.Value(n.ID, Turn); ok {
		x.Turn = record.Side(len(s))
		if s != "" {
			x.Turn = record.Side(s[0] - '0')
		}
	}
	if s, ok := l.Value(n.ID, Setup); ok {
		x.Setup = parseSetup(s)
	}
	x.Props = append(x.Props, l.props(n.ID)...)
	if s, ok := l.Value(n.ID, Glyph); ok {
		x.Props = putGlyph(x.Props, s, l.base.Format)
	}
	t.putSigns(&x, n.ID)
	if x.Comment == "" && len(x.Setup) == 0 && x.Turn == record.Unstated && len(x.Props) == 0 {
		return nil
	}
	return &x
}

// props returns the properties that were written on a node, in their order.
func (l *Log) props(id ID) []record.Prop {
	type numbered struct {
		number int
		record.Prop
	}
	var list []numbered
	for key := range l.sets[id] {
		rest, ok := strings.CutPrefix(string(key), propKey)
		if !ok {
			continue
		}
		number, name, _ := strings.Cut(rest, "/")
		n, err := strconv.Atoi(number)
		value, written := l.Value(id, key)
		if err != nil || !written || value == "" {
			continue
		}
		var values []string
		if json.Unmarshal([]byte(value), &values) == nil {
			list = append(list, numbered{n, record.Prop{Name: name, Values: values}})
		}
	}
	slices.SortFunc(list, func(x, y numbered) int { return cmp.Or(cmp.Compare(x.number, y.number), cmp.Compare(x.Name, y.Name)) })
	out := make([]record.Prop, len(list))
	for i := range list {
		out[i] = list[i].Prop
	}
	return out
}

// glyphProps are what says the same in a record, by format: numbers of PGN, and else
// properties of SGF.
var (
	glyphNumbers = map[string]string{"!": "1", "?": "2", "!!": "3", "??": "4", "!?": "5", "?!": "6"}
	glyphProps   = map[string]record.Prop{
		"!": {Name: "TE", Values: []string{"1"}}, "!!": {Name: "TE", Values: []string{"2"}}, "?": {Name: "BM", Values: []string{"1"}},
		"??": {Name: "BM", Values: []string{"2"}}, "!?": {Name: "IT", Values: []string{""}}, "?!": {Name: "DO", Values: []string{""}},
	}
)

// putGlyph has properties say one thing of a move, or nothing.
func putGlyph(props []record.Prop, glyph, format string) []record.Prop {
	out := slices.DeleteFunc(props, func(p record.Prop) bool {
		switch p.Name {
		case "TE", "BM", "IT", "DO":
			return true
		case "Suffix":
			return len(p.Values) == 0 || glyphNumbers[strings.Trim(p.Values[0], "+#")] != ""
		case "NAG":
			return slices.ContainsFunc(p.Values, func(v string) bool { return len(v) == 1 && v >= "1" && v <= "6" })
		}
		return false
	})
	switch {
	case glyph == "":
		return out
	case format == "pgn":
		return append(out, record.Prop{Name: "NAG", Values: []string{glyphNumbers[glyph]}})
	}
	return append(out, glyphProps[glyph])
}

// PutSign is a sign that was written on a node, or taken away where its value is empty.
type PutSign struct{ Kind, Points, Value string }

// Signs returns those of a node, in one order for all.
func (l *Log) Signs(id ID) (list []PutSign) {
	for key := range l.sets[id] {
		if kind, points, ok := SignOf(key); ok {
			if value, written := l.Value(id, key); written {
				list = append(list, PutSign{kind, points, value})
			}
		}
	}
	slices.SortFunc(list, func(x, y PutSign) int { return cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Points, y.Points)) })
	return list
}

// putSigns brings the properties of a node in line with the signs that were written on it.
func (t *Tree) putSigns(x *record.Extra, id ID) {
	own := t.log.base.Format == "sgf"
	for _, s := range t.log.Signs(id) {
		name := Signs[s.Kind]
		if s.Kind == "arrow" { // those of other colours than the usual one have a property of their own
			other := coloured
			if s.Value != "" && s.Value != Colours[0] {
				name, other = other, name
			}
			dropSign(x, other, s)
		}
		at := slices.IndexFunc(x.Props, func(p record.Prop) bool { return p.Name == name })
		if at < 0 {
			if s.Value == "" {
				continue
			}
			at = len(x.Props)
			x.Props = append(x.Props, record.Prop{Name: name})
		}
		p := &x.Props[at]
		p.Values = without(p.Values, s)
		switch {
		case s.Value == "":
		case s.Kind == "label":
			text := s.Value
			if own {
				text = strings.NewReplacer(`\`, `\\`, `]`, `\]`, `:`, `\:`).Replace(text)
			}
			p.Values = append(p.Values, s.Points+":"+text)
		case s.Kind == "region" || name == coloured:
			p.Values = append(p.Values, s.Points+":"+s.Value)
		default:
			p.Values = append(p.Values, s.Points)
		}
		if len(p.Values) == 0 {
			x.Props = slices.Delete(x.Props, at, at+1)
		}
	}
}

// coloured is the property of arrows in other colours than that of AR.
const coloured = "ARROW"

// dropSign takes a sign out of a property, and the property where nothing else is in it.
func dropSign(x *record.Extra, name string, s PutSign) {
	at := slices.IndexFunc(x.Props, func(p record.Prop) bool { return p.Name == name })
	if at < 0 {
		return
	}
	if x.Props[at].Values = without(x.Props[at].Values, s); len(x.Props[at].Values) == 0 {
		x.Props = slices.Delete(x.Props, at, at+1)
	}
}

// without returns values of a property without those on the points of a sign. Rectangles
// are taken apart.
func without(values []string, s PutSign) []string {
	out := make([]string, 0, len(values)+1)
	for _, v := range values {
		switch points, _, _ := strings.Cut(v, ":"); {
		case s.Kind == "arrow":
			if v != s.Points && !strings.HasPrefix(v, s.Points+":") {
				out = append(out, v)
			}
		case s.Kind == "label":
			if points != s.Points {
				out = append(out, v)
			}
		case s.Kind == "region":
			if !strings.HasPrefix(v, s.Points+":") {
				out = append(out, v)
			}
		default:
			for _, p := range rectangle(v) {
				if p != s.Points {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// rectangle returns the points that a value of SGF names: one, or all from a corner to
// another.
func rectangle(v string) []string {
	if len(v) != 5 || v[2] != ':' {
		return []string{v}
	}
	a, okA := ParsePoint(v[:2])
	b, okB := ParsePoint(v[3:])
	if !okA || !okB {
		return []string{v}
	}
	var list []string
	for y := min(a.Y(), b.Y()); y <= max(a.Y(), b.Y()); y++ {
		for x := min(a.X(), b.X()); x <= max(a.X(), b.X()); x++ {
			list = append(list, PointText(board.At(x, y)))
		}
	}
	return list
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// PointText writes a point as signs have it, and as SGF does: two letters, for column and
// row from the upper left.
func PointText(p board.Point) string { return string([]byte{letters[p.X()], letters[p.Y()]}) }

// ParsePoint reads one.
func ParsePoint(s string) (board.Point, bool) {
	if len(s) != 2 {
		return board.NoPoint, false
	}
	x, y := strings.IndexByte(letters, s[0]), strings.IndexByte(letters, s[1])
	if x < 0 || y < 0 || x >= board.MaxSide || y >= board.MaxSide {
		return board.NoPoint, false
	}
	return board.At(x, y), true
}

// ParsePoints reads the points of a sign: one, or two parted by a colon.
func ParsePoints(s string) (a, b board.Point, ok bool) {
	from, to, two := strings.Cut(s, ":")
	a, ok = ParsePoint(from)
	if !two {
		return a, a, ok
	}
	b, okB := ParsePoint(to)
	return a, b, ok && okB
}

// put is one piece of a set-up, as it is kept.
type put struct {
	Piece board.Piece `json:"piece"`
	Point string      `json:"point"`
}

func parseSetup(s string) (list []record.Put) {
	var puts []put
	if json.Unmarshal([]byte(s), &puts) != nil {
		return nil
	}
	for _, p := range puts {
		list = append(list, record.Put(p))
	}
	return list
}

// Copy writes all that a record of the same game says onto the sheet: its nodes where
// they are not there yet, its comments, and its properties. Moves are compared as they
// are written, so that both have to be in one notation. It returns how many nodes were
// added.
func (p *Pen) Copy(g *record.Game, at time.Time) (added int, err error) {
	if len(g.Nodes) == 0 {
		return 0, bad("the record has no nodes")
	}
	l := p.log
	t := l.Tree()
	kids := map[int32][]int32{}
	for i := 1; i < len(t.Nodes); i++ {
		kids[t.Nodes[i].Parent] = append(kids[t.Nodes[i].Parent], int32(i))
	}
	type task struct {
		node int32
		id   ID
		tree int32 // the node of the tree that it is; -1 for one that was added
	}
	for stack := []task{{}}; len(stack) > 0; {
		now := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &g.Nodes[now.node]
		if now.node == 0 {
			now.id = Root
		}
		var had *record.Extra
		if now.tree >= 0 {
			had = t.extra(&t.Nodes[now.tree], false)
		}
		if err := p.say(now.id, n.Extra, had, at); err != nil {
			return added, err
		}
		from := len(stack)
		used := map[int32]bool{}
		for c := n.Child; c != 0; c = g.Nodes[c].Next {
			next := task{node: c, tree: -1}
			if now.tree >= 0 {
				for _, k := range kids[now.tree] {
					if _, move := t.move(&t.Nodes[k]); move == g.Nodes[c].Move && !used[k] {
						next.tree, next.id = k, t.Nodes[k].ID
						used[k] = true
						break
					}
				}
			}
			if next.tree < 0 {
				next.id = p.Add(now.id, g.Nodes[c].Side, g.Nodes[c].Move, at)
				if err := l.ops[next.id].Check(); err != nil {
					return added, err
				}
				added++
			}
			stack = append(stack, next)
		}
		slices.Reverse(stack[from:])
		if l.Len() > MaxOps {
			return added, ErrFull
		}
	}
	return added, nil
}

// say writes what a node of a record says, as far as it is not said already.
func (p *Pen) say(id ID, x, had *record.Extra, at time.Time) error {
	if x == nil {
		return nil
	}
	if had == nil {
		had = &record.Extra{}
	}
	set := func(key Key, value string) error {
		return p.log.ops[p.Set(id, key, value, at)].Check()
	}
	var err error
	if x.Comment != "" && x.Comment != had.Comment {
		err = set(Comment, x.Comment)
	}
	if err == nil && x.Turn != record.Unstated && x.Turn != had.Turn {
		err = set(Turn, strconv.Itoa(int(x.Turn)))
	}
	if err == nil && len(x.Setup) > 0 && !slices.Equal(x.Setup, had.Setup) {
		puts := make([]put, len(x.Setup))
		for i := range puts {
			puts[i] = put(x.Setup[i])
		}
		err = set(Setup, jsonText(puts))
	}
	for i := range x.Props {
		if err != nil {
			break
		}
		prop := &x.Props[i]
		if slices.ContainsFunc(had.Props, func(h record.Prop) bool { return h.Name == prop.Name && slices.Equal(h.Values, prop.Values) }) {
			continue
		}
		err = set(Key(fmt.Sprintf("%s%d/%s", propKey, len(had.Props)+i, prop.Name)), jsonText(append([]string{}, prop.Values...)))
	}
	return err
}

func jsonText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // lists of texts and numbers can be written always
	}
	return string(text)
}
