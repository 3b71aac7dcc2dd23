package query

import (
	"slices"
	"strings"
)

// node is a query that is made of others. A new kind of node says here once what
// its parts are; everything that only passes through it (Map, Walk, Parts, and
// the questions that package retrieve asks of a tree) goes by that.
type node interface {
	Q
	parts() []Q
	with(parts []Q) Q // the same node over other parts, of the same number
}

func (q And) parts() []Q   { return q }
func (q Or) parts() []Q    { return q }
func (q Not) parts() []Q   { return []Q{q.Q} }
func (q When) parts() []Q  { return []Q{q.Q} }
func (q Then) parts() []Q  { return []Q{q.A, q.B} }
func (q For) parts() []Q   { return []Q{q.Q} }
func (q First) parts() []Q { return []Q{q.Q} }
func (q Last) parts() []Q  { return []Q{q.Q} }

func (q And) with(parts []Q) Q   { return And(parts) }
func (q Or) with(parts []Q) Q    { return Or(parts) }
func (q Not) with(parts []Q) Q   { return Not{parts[0]} }
func (q When) with(parts []Q) Q  { return When{parts[0]} }
func (q Then) with(parts []Q) Q  { q.A, q.B = parts[0], parts[1]; return q }
func (q For) with(parts []Q) Q   { q.Q = parts[0]; return q }
func (q First) with(parts []Q) Q { return First{parts[0]} }
func (q Last) with(parts []Q) Q  { return Last{parts[0]} }

// Parts returns the parts of a node; a leaf has none. They are not to be changed.
func Parts(q Q) []Q {
	if n, ok := q.(node); ok {
		return n.parts()
	}
	return nil
}

// MapParts returns a node with each of its parts replaced by what part makes of
// it, or of a leaf what leaf makes of it.
func MapParts(q Q, part, leaf func(Q) (Q, error)) (Q, error) {
	n, ok := q.(node)
	if !ok {
		return leaf(q)
	}
	parts := n.parts()
	out := make([]Q, len(parts))
	for i, p := range parts {
		var err error
		if out[i], err = part(p); err != nil {
			return nil, err
		}
	}
	return n.with(out), nil
}

// Map returns the tree with every leaf replaced by what f makes of it. It asks
// f for the leaves in their order, and ends with its first error.
func Map(q Q, f func(Q) (Q, error)) (Q, error) {
	return MapParts(q, func(p Q) (Q, error) { return Map(p, f) }, f)
}

// Some reports whether something is true of a node of a tree.
func Some(q Q, is func(Q) bool) bool {
	return is(q) || slices.ContainsFunc(Parts(q), func(p Q) bool { return Some(p, is) })
}

// Walk shows f every node of a tree, each before its parts. It leaves out the
// parts of a node for which f returns false.
func Walk(q Q, f func(Q) bool) {
	if !f(q) {
		return
	}
	for _, p := range Parts(q) {
		Walk(p, f)
	}
}

// GameSpecs returns the games that a tree asks for: the values of its game
// fields that are not negated, in their order, each once.
func GameSpecs(q Q) []string {
	var list []string
	Walk(q, func(q Q) bool {
		switch q := q.(type) {
		case Not:
			return false
		case Field:
			if q.Name == "game" && !slices.Contains(list, q.Value) {
				list = append(list, q.Value)
			}
		}
		return true
	})
	return list
}

// HasBoards reports whether a tree asks for boards or pieces, which mean
// something on one kind of board alone.
func HasBoards(q Q) bool {
	return Some(q, func(q Q) bool {
		switch q := q.(type) {
		case Field:
			base, _, _ := strings.Cut(q.Name, ".")
			return base == "move"
		case Diagram, Number, *Shape, *Fuzzy, *Count, *Mark:
			return true
		}
		return false
	})
}

// Moved returns a leaf at another place, and where it was.
func Moved(q Q, at int) (_ Q, was int) {
	switch q := q.(type) {
	case Field:
		was, q.At = q.At, at
		return q, was
	case Diagram:
		was, q.At = q.At, at
		q.Options = slices.Clone(q.Options)
		for i := range q.Options {
			q.Options[i].At = at
		}
		return q, was
	case Number:
		was, q.At = q.At, at
		return q, was
	case Named:
		was, q.At = q.At, at
		return q, was
	}
	return q, 0
}
