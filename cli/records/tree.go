package records

import (
	"fmt"
	"strings"

	"qipu/board/draw"
	"qipu/cli"
	"qipu/game"
	"qipu/record"
)

// moveWriter writes the tree of a record as players read it: the main line
// with numbers, variations in brackets behind the move they replace, comments
// in braces, wrapped to the width of a terminal.
type moveWriter struct {
	*strings.Builder
	numbering
	game   *record.Game
	column int
	fresh  bool // the next move needs its number, even if it is the second of a pair
}

// numbering is what stands before moves.
type numbering struct {
	pairs  bool // a number counts a move of both sides
	begin  int  // the number of the first pair
	second bool // the second side moves first
}

// numberingOf returns how the moves of a record are numbered.
func numberingOf(p *record.Played) numbering {
	if p.Rules == nil || !p.Rules.Info().Pairs {
		return numbering{}
	}
	return numbering{pairs: true, begin: max(p.Start.Number, 1), second: p.Start.Turn == game.Second}
}

// before returns what stands before a move, which is the first behind a break or
// not; nothing where the number of the pair was written already.
func (n numbering) before(move int, fresh bool) string {
	at := move
	if n.pairs && n.second {
		at++
	}
	if at%2 == 0 && !fresh {
		return ""
	}
	if !n.pairs {
		return fmt.Sprintf("%d.", move)
	}
	dots := "."
	if at%2 == 0 {
		dots = "..."
	}
	return fmt.Sprintf("%d%s", n.begin+(at-1)/2, dots)
}

// step is something left to write: a node with what follows it, what follows a
// node, or a bracket. A list of them stands in for recursion, which a deep tree
// would exhaust.
type step struct {
	what   stepKind
	node   int32
	number int // moves before the node
}

type stepKind uint8

const (
	wholeLine stepKind = iota // a node and what follows it
	following                 // what follows a node
	openBracket
	closeBracket
)

const lineWidth = 78

func writeMoves(b *strings.Builder, g *record.Game, n numbering) {
	if len(g.Nodes) == 0 {
		return
	}
	w := &moveWriter{Builder: b, game: g, fresh: true, numbering: n}
	stack := []step{{what: wholeLine}}
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch s.what {
		case wholeLine:
			stack = append(stack, step{following, s.node, w.node(s.node, s.number)})
		case following:
			stack = w.children(stack, s)
		case openBracket:
			w.word("(")
			w.fresh = true
		case closeBracket:
			w.word(")")
			w.fresh = true
		}
	}
	if w.column > 0 {
		b.WriteByte('\n')
	}
}

// children writes the first child of a node, and leaves for later its
// variations and then what follows it.
func (w *moveWriter) children(stack []step, s step) []step {
	first := w.game.Nodes[s.node].Child
	if first == 0 {
		return stack
	}
	stack = append(stack, step{following, first, w.node(first, s.number)})
	from := len(stack)
	for c := w.game.Nodes[first].Next; c != 0; c = w.game.Nodes[c].Next {
		stack = append(stack, step{what: openBracket}, step{wholeLine, c, s.number}, step{what: closeBracket})
	}
	for i, j := from, len(stack)-1; i < j; i, j = i+1, j-1 {
		stack[i], stack[j] = stack[j], stack[i]
	}
	return stack
}

// node writes one node and returns the number of moves up to and with it.
func (w *moveWriter) node(i int32, number int) int {
	n := &w.game.Nodes[i]
	if n.Move != "" {
		number++
		if text := w.before(number, w.fresh); text != "" {
			w.word(text)
		}
		w.word(cli.Printable(n.Move))
		w.fresh = false
	}
	if n.Extra == nil {
		return number
	}
	if len(n.Setup) > 0 {
		w.word(fmt.Sprintf("[%d points set up]", len(n.Setup)))
	}
	if n.Comment != "" {
		for i, word := range strings.Fields(cli.Printable(n.Comment)) {
			if i == 0 {
				word = "{" + word
			}
			w.word(word)
		}
		w.WriteString("}")
		w.column++
		w.fresh = true
	}
	return number
}

// word writes a word, on a new line where it does not fit.
func (w *moveWriter) word(text string) {
	n := draw.Cells(text)
	switch {
	case w.column == 0 || text == ")":
	case w.column+1+n > lineWidth:
		w.WriteByte('\n')
		w.column = 0
	case strings.HasSuffix(w.String(), "("):
	default:
		w.WriteByte(' ')
		w.column++
	}
	w.WriteString(text)
	w.column += n
}
