package query

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
