package query

import (
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/board"
	"qipu/pattern"
)

// Q is a node of a query. Nodes are not changed once they are made.
type Q interface{ String() string }

// The nodes that combine others.
type (
	// And asks for games that all of its parts ask for.
	And []Q
	// Or asks for games that one of its parts asks for.
	Or []Q
	// Not asks for games that its part does not ask for.
	Not struct{ Q Q }
	// Const asks for all games, or for none.
	Const bool
)

// Shape asks for games in which a pattern occurs.
type Shape struct {
	Pattern  *pattern.Pattern
	Geometry *board.Geometry // of the board it is for
}

// Collection asks for the games of a collection.
type Collection struct{ Name string }

// Games asks for certain games. Bind makes it of what names them.
type Games struct {
	Set *roaring.Bitmap
	Why string // what named them
}

func (q And) String() string { return list("and", q) }
func (q Or) String() string  { return list("or", q) }
func (q Not) String() string { return "(not " + q.Q.String() + ")" }

func (q Const) String() string {
	if q {
		return "all"
	}
	return "none"
}

func (q *Shape) String() string {
	p := q.Pattern
	var b strings.Builder
	// The diagram tells where it is fixed; on one line it reads back the same.
	diagram := strings.ReplaceAll(strings.TrimSpace(p.Format(q.Geometry)), "\n", "/")
	fmt.Fprintf(&b, "(shape %q %v", diagram, p.Anchor)
	if p.Mirror {
		b.WriteString(" mirror")
	}
	if p.Swap {
		b.WriteString(" swap")
	}
	if p.Turn != pattern.AnyTurn {
		fmt.Fprintf(&b, " turn:%d", p.Turn)
	}
	if p.From > 0 || p.To >= 0 {
		fmt.Fprintf(&b, " plies:%d..", p.From)
		if p.To >= 0 {
			fmt.Fprint(&b, p.To)
		}
	}
	b.WriteByte(')')
	return b.String()
}

func (q Collection) String() string { return fmt.Sprintf("(collection %q)", q.Name) }
func (q Games) String() string      { return fmt.Sprintf("(games %d %q)", q.Set.GetCardinality(), q.Why) }

func list(word string, parts []Q) string {
	var b strings.Builder
	b.WriteString("(" + word)
	for _, p := range parts {
		b.WriteString(" " + p.String())
	}
	b.WriteByte(')')
	return b.String()
}

// Map returns the tree with every leaf replaced by what f makes of it. It asks
// f for the leaves in their order, and ends with its first error.
func Map(q Q, f func(Q) (Q, error)) (Q, error) {
	switch q := q.(type) {
	case And:
		parts, err := mapAll(q, f)
		if err != nil {
			return nil, err
		}
		return And(parts), nil
	case Or:
		parts, err := mapAll(q, f)
		if err != nil {
			return nil, err
		}
		return Or(parts), nil
	case Not:
		part, err := Map(q.Q, f)
		if err != nil {
			return nil, err
		}
		return Not{part}, nil
	}
	return f(q)
}

func mapAll(parts []Q, f func(Q) (Q, error)) ([]Q, error) {
	out := make([]Q, len(parts))
	for i, p := range parts {
		var err error
		if out[i], err = Map(p, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Names knows what the names in queries stand for.
type Names interface {
	Collection(name string) (*roaring.Bitmap, error)
}

// Bind replaces names by what they stand for.
func Bind(q Q, names Names) (Q, error) {
	return Map(q, func(q Q) (Q, error) {
		c, ok := q.(Collection)
		if !ok {
			return q, nil
		}
		set, err := names.Collection(c.Name)
		if err != nil {
			return nil, err
		}
		return Games{Set: set, Why: "collection " + c.Name}, nil
	})
}

// Simplify returns a tree that asks for the same: no conjunction stands in a
// conjunction, no disjunction in a disjunction, no negation in a negation; none
// has fewer than two parts; a constant is there only where it is all. The tree
// it is given is not changed.
func Simplify(q Q) Q {
	switch q := q.(type) {
	case And:
		return combine(q, true)
	case Or:
		return combine(q, false)
	case Not:
		switch part := Simplify(q.Q).(type) {
		case Const:
			return !part
		case Not:
			return part.Q
		default:
			return Not{part}
		}
	}
	return q
}

// combine simplifies a conjunction (all) or a disjunction.
func combine(parts []Q, all bool) Q {
	var flat []Q
	for _, p := range parts {
		p = Simplify(p)
		switch inner := p.(type) {
		case Const:
			if bool(inner) != all {
				return inner
			}
			continue
		case And:
			if all {
				flat = append(flat, inner...)
				continue
			}
		case Or:
			if !all {
				flat = append(flat, inner...)
				continue
			}
		}
		flat = append(flat, p)
	}
	switch {
	case len(flat) == 0:
		return Const(all)
	case len(flat) == 1:
		return flat[0]
	case all:
		return And(flat)
	}
	return Or(flat)
}

// Focus returns the shape whose occurrences an answer shows: the first one that
// is not negated, or nil.
func Focus(q Q) *Shape {
	switch q := q.(type) {
	case And:
		return focus(q)
	case Or:
		return focus(q)
	case *Shape:
		return q
	}
	return nil
}

func focus(parts []Q) *Shape {
	for _, p := range parts {
		if s := Focus(p); s != nil {
			return s
		}
	}
	return nil
}
