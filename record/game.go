package record

import (
	"iter"
	"strings"

	"qipu/board"
	"qipu/record/facts"
)

// Game is one recorded game as it was written down.
//
// The zero value of most fields means "the record does not say".
type Game struct {
	Kind    string // name of the game: "weiqi", "othello", "xiangqi", "renju"
	Variant string // what game.Varied understands: "9x9"; rule sets are Facts

	// Start is the position text that the game begins from (game.ParseSetup);
	// empty for the usual start. Set-up by single points is in the Extra of
	// nodes instead.
	Start string

	// Tags are the headers in the order and under the names of the format
	// ("PB", "Event"), decoded to UTF-8 and otherwise untouched. A name may
	// occur more than once.
	Tags  []Tag
	Facts facts.Facts // the same, normalised

	// Nodes is the tree; Nodes[0] is the root and has no move. A game of plain
	// moves is simply a list.
	Nodes []Node

	// Notation names how the moves are written (game.Notation), where the
	// format knows; empty lets the game find out.
	Notation string

	Format   string // name of the format it was read by
	Encoding string // character encoding of the text, as "gb18030"
	Guessed  bool   // the encoding was guessed, not declared
	Place    Place  // where it was read from

	// Raw is the game's own bytes in its file, where they can be cut out, as
	// the writer of the file left them. It belongs to the Game. It is nil for
	// SGF in UTF-16, for RIF in other encodings than UTF-8, and for the later
	// parts of a RenLib library that is read in several; and what belongs to a
	// file rather than to a game (the header of WTHOR, the index of CBL, a byte
	// order mark) is not in it.
	Raw []byte

	Faults []Fault
}

// Tag is one header.
type Tag struct{ Name, Value string }

// Tag returns the first value under a name, or "".
func (g *Game) Tag(name string) string {
	for i := range g.Tags {
		if g.Tags[i].Name == name {
			return g.Tags[i].Value
		}
	}
	return ""
}

// FindTag returns the first value under a name in any case; ok is false where
// there is none.
func FindTag(tags []Tag, name string) (value string, ok bool) {
	for i := range tags {
		if strings.EqualFold(tags[i].Name, name) {
			return tags[i].Value, true
		}
	}
	return "", false
}

// PutTags returns a function that adds headers to a list, but those without a
// value.
func PutTags(to *[]Tag) func(name, value string) {
	return func(name, value string) {
		if value != "" {
			*to = append(*to, Tag{Name: name, Value: value})
		}
	}
}

// Node is one node of the tree. Links are indices into Game.Nodes; 0, the
// root, stands for none.
type Node struct {
	Parent, Child, Next int32 // Next is the next sibling: another variation
	Offset              int32 // byte offset in the decoded text of the game, for messages; 0 unknown
	Move                string
	Side                Side
	*Extra              // what most nodes have not; may be nil
}

// Extra is what only some nodes have.
type Extra struct {
	Comment string
	Setup   []Put
	Turn    Side   // the side to move next, where the record says so
	Props   []Prop // everything else, in the order of the file
}

// Side is the side that a record states: a small integer that is 0 where it
// states none.
type Side int8

// The sides that a record can state.
const (
	Unstated Side = 0
	First    Side = 1
	Second   Side = 2
)

// Put places a piece (or board.Empty) on a point, given in the notation of the
// moves.
type Put struct {
	Piece board.Piece
	Point string
}

// Prop is a property that the format carries along without understanding it.
// Values are the bytes of the file, escapes and all, decoded to UTF-8.
type Prop struct {
	Name   string
	Values []string
}

// Add appends a node below parent, as its last variation, and returns its
// index. On an empty Game it adds the root.
func (g *Game) Add(parent int32, side Side, move string) int32 {
	i := int32(len(g.Nodes))
	g.Nodes = append(g.Nodes, Node{Parent: parent, Side: side, Move: move})
	if i == 0 {
		return 0
	}
	link := &g.Nodes[parent].Child
	for *link != 0 {
		link = &g.Nodes[*link].Next
	}
	*link = i
	return i
}

// Link makes the tree of the parents of the nodes, in their order: it sets
// Child and Next of all of them. Readers that meet many variations append nodes
// with their parents and link them at the end; Add would walk along all
// variations for each new one.
func (g *Game) Link() {
	var last []int32 // the last child of each node; made when one has a second
	for i := 1; i < len(g.Nodes); i++ {
		parent := g.Nodes[i].Parent
		if last == nil && g.Nodes[parent].Child == 0 {
			g.Nodes[parent].Child = int32(i)
			continue
		}
		if last == nil {
			last = make([]int32, len(g.Nodes))
			for j := 1; j < i; j++ {
				last[g.Nodes[j].Parent] = int32(j)
			}
		}
		if last[parent] == 0 {
			g.Nodes[parent].Child = int32(i)
		} else {
			g.Nodes[last[parent]].Next = int32(i)
		}
		last[parent] = int32(i)
	}
}

// More returns the Extra of a node, made if need be.
func (n *Node) More() *Extra {
	if n.Extra == nil {
		n.Extra = new(Extra)
	}
	return n.Extra
}

// Text returns the comment of a node.
func (n *Node) Text() string {
	if n.Extra == nil {
		return ""
	}
	return n.Comment
}

// Main yields the main line: the root and then every first child.
func (g *Game) Main() iter.Seq2[int32, *Node] {
	return func(yield func(int32, *Node) bool) {
		if len(g.Nodes) == 0 {
			return
		}
		for i := int32(0); ; {
			n := &g.Nodes[i]
			if !yield(i, n) || n.Child == 0 {
				return
			}
			i = n.Child
		}
	}
}

// Moves returns the number of moves of the main line.
func (g *Game) Moves() int {
	n := 0
	for _, node := range g.Main() {
		if node.Move != "" {
			n++
		}
	}
	return n
}

// Variations reports whether the tree has more than one line.
func (g *Game) Variations() bool {
	for i := range g.Nodes {
		if g.Nodes[i].Next != 0 {
			return true
		}
	}
	return false
}
