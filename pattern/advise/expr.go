package advise

import (
	"fmt"
	"strings"
)

// Op is what an Expr does.
type Op uint8

// The operations: three that join, then the questions.
const (
	And Op = iota
	Or
	Not
	Liberties
	Captures
	Atari
	SelfAtari
	Snapback
	Ko
	Ours
	Theirs
	Safe
	Dead
	Ladder
	Capture

	numOps = iota
)

// grammar is how each operation is written.
var grammar = [numOps]struct {
	word   string
	number bool // a comparison follows
	cell   bool // a cell may follow
	works  bool // works or fails follows
}{
	And:       {word: "and"},
	Or:        {word: "or"},
	Not:       {word: "not"},
	Liberties: {word: "liberties", number: true, cell: true},
	Captures:  {word: "captures", number: true},
	Atari:     {word: "atari", number: true},
	SelfAtari: {word: "self-atari"},
	Snapback:  {word: "snapback"},
	Ko:        {word: "ko"},
	Ours:      {word: "ours"},
	Theirs:    {word: "theirs"},
	Safe:      {word: "safe", cell: true},
	Dead:      {word: "dead", cell: true},
	Ladder:    {word: "ladder", cell: true, works: true},
	Capture:   {word: "capture", cell: true, works: true},
}

// compares are the comparisons as they are written, longer ones before those
// that they begin with.
var compares = []string{"<=", ">=", "!=", "<", ">", "="}

// Expr is a condition as a tree.
type Expr struct {
	Op   Op
	Args []*Expr // of And and Or two or more, of Not one

	Row, Column int // of the cell, from 1; 0 for none

	Compare string // "<", "<=", "=", "!=", ">=", ">"
	Number  int

	Works bool // works rather than fails
}

// String returns the condition as Parse reads it.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, Or)
	return b.String()
}

// write writes the tree; around tells what it stands in: Or where no
// parentheses are needed at all.
func (e *Expr) write(b *strings.Builder, around Op) {
	switch e.Op {
	case And, Or:
		inside := e.Op == Or && around != Or || e.Op == And && around == Not
		if inside {
			b.WriteByte('(')
		}
		for i, arg := range e.Args {
			if i > 0 {
				b.WriteString(" " + grammar[e.Op].word + " ")
			}
			arg.write(b, e.Op)
		}
		if inside {
			b.WriteByte(')')
		}
	case Not:
		b.WriteString("not ")
		e.Args[0].write(b, Not)
	default:
		g := &grammar[e.Op]
		b.WriteString(g.word)
		if e.Row > 0 {
			fmt.Fprintf(b, "(%d,%d)", e.Row, e.Column)
		}
		if g.number {
			fmt.Fprintf(b, " %s %d", e.Compare, e.Number)
		}
		if g.works {
			b.WriteString(map[bool]string{true: " works", false: " fails"}[e.Works])
		}
	}
}

// holds compares a number as the expression says.
func (e *Expr) holds(n int) bool {
	switch e.Compare {
	case "<":
		return n < e.Number
	case "<=":
		return n <= e.Number
	case ">":
		return n > e.Number
	case ">=":
		return n >= e.Number
	case "!=":
		return n != e.Number
	}
	return n == e.Number
}
