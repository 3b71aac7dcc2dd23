package query

import (
	"math/rand/v2"
	"strconv"
)

// maker makes random trees. What stands in the leaves is up to its user.
type maker struct {
	rng  *rand.Rand
	leaf func(*maker) Q

	// loose makes trees that no text reads as, too: lists of one part or none,
	// and constants anywhere.
	loose bool
}

// tree returns a tree of a depth at most.
func (g *maker) tree(depth int) Q {
	if depth <= 1 || g.rng.IntN(5) == 0 {
		if g.loose && g.rng.IntN(8) == 0 {
			return Const(g.rng.IntN(2) == 0)
		}
		return g.leaf(g)
	}
	switch g.rng.IntN(12) {
	case 0, 1, 2:
		return And(g.parts(depth))
	case 3, 4:
		return Or(g.parts(depth))
	case 5, 6:
		return Not{g.tree(depth - 1)}
	case 7:
		return When{g.tree(depth - 1)}
	case 8:
		return Then{A: g.tree(depth - 1), B: g.tree(depth - 1), Within: g.rng.IntN(3)}
	case 9:
		return For{g.tree(depth - 1), g.rng.IntN(3)}
	case 10:
		return First{g.tree(depth - 1)}
	}
	return Last{g.tree(depth - 1)}
}

func (g *maker) parts(depth int) (list []Q) {
	n := 2 + g.rng.IntN(2)
	if g.loose {
		n = g.rng.IntN(4)
	}
	for range n {
		list = append(list, g.tree(depth-1))
	}
	return list
}

// pick returns one of some texts.
func (g *maker) pick(list ...string) string { return list[g.rng.IntN(len(list))] }

// value returns a value, plain or not.
func (g *maker) value() string {
	return g.pick("a", "Ke Jie", "柯潔", `"quoted"`, `back\slash`, "two\nlines", "", "and", "1990..1999", "-5", "go:9x9", "＂full＂", "O'Meara", "x,", "(y)", "{z}", "「c」", "é", "́", "１２")
}

// written returns a leaf as a text may have it.
func (g *maker) written() Q {
	ops := []Op{Is, Equal, Below, AtMost, Above, AtLeast}
	switch g.rng.IntN(8) {
	case 0:
		return Named{Name: g.value()}
	case 1:
		d := Diagram{Word: g.pick("board", "position"), Text: g.value()}
		for range g.rng.IntN(3) {
			if g.rng.IntN(2) == 0 {
				d.Options = append(d.Options, Option{Name: g.pick("corner", "no-mirror", "swap")})
			} else {
				d.Options = append(d.Options, Option{Name: g.pick("at", "plies", "next", "turn"), Value: g.pick("D4", "a b", "3..5", `"`, "a;b", "x,y", "=")})
			}
		}
		return d
	case 2:
		return Number{Pieces: g.pick("R", "[R r]", "red chariot", "discs", "俥"), Area: g.pick("", "file 3", "D4", "C3:F6 own half"), Op: ops[1+g.rng.IntN(5)], N: g.rng.IntN(9)}
	case 3:
		return Const(g.rng.IntN(2) == 0)
	}
	f := fields[g.rng.IntN(len(fields)-4)]
	if f.Name == "named" {
		f = fields[0]
	}
	name := f.Name
	if f.Sided && g.rng.IntN(2) == 0 {
		name += "." + g.pick("any", "black", "second")
	}
	return Field{Name: name, Op: ops[g.rng.IntN(len(ops))], Value: g.value()}
}

// letters is how many leaves lettered knows.
const letters = 5

// lettered returns a leaf that stands for a set of moments: one of the first
// numbers, which evaluate reads.
func (g *maker) lettered() Q { return Named{Name: strconv.Itoa(g.rng.IntN(letters))} }
