package query

// Simplify returns a tree that asks for the same:
//   - no conjunction stands in a conjunction, no disjunction in a disjunction,
//     no negation in a negation, and none has fewer than two parts;
//   - a When holds a conjunction, a disjunction or a negation, and no When is
//     in it but below another node about time;
//   - what a Then, For, First or Last holds is never a bare conjunction,
//     disjunction or negation: they are of one moment there, and stand in a When;
//   - a constant is there only where it is all, or true in a Then, For, First
//     or Last.
//
// The tree it is given is not changed.
func Simplify(q Q) Q { return simplify(q, false) }

// simplify is Simplify of a node; moment tells that it stands in a When, so that
// another one would say nothing new.
func simplify(q Q, moment bool) Q {
	switch q := q.(type) {
	case And:
		return combine(q, true, moment)
	case Or:
		return combine(q, false, moment)
	case Not:
		switch part := simplify(q.Q, moment).(type) {
		case Const:
			return !part
		case Not:
			return part.Q
		default:
			return Not{part}
		}
	case When:
		part := simplify(q.Q, true)
		if moment || !joined(part) {
			return part
		}
		return When{part}
	case Then:
		q.A, q.B = operand(q.A), operand(q.B)
		if q.A == Q(Const(false)) || q.B == Q(Const(false)) {
			return Const(false)
		}
		return q
	case For:
		switch part := operand(q.Q); {
		case part == Q(Const(false)):
			return part
		case q.N > 0:
			return For{part, q.N}
		default:
			return bare(part, moment)
		}
	case First:
		part := operand(q.Q)
		if once(part) {
			return part
		}
		return First{part}
	case Last:
		part := operand(q.Q)
		if once(part) {
			return part
		}
		return Last{part}
	}
	return q
}

// joined reports whether a node is one that When is about.
func joined(q Q) bool {
	switch q.(type) {
	case And, Or, Not:
		return true
	}
	return false
}

// operand simplifies what a node about time holds.
func operand(q Q) Q { return simplify(When{q}, false) }

// bare takes off a When that stands in another one.
func bare(q Q, moment bool) Q {
	if w, ok := q.(When); ok && moment {
		return w.Q
	}
	return q
}

// once reports whether a simple node is true of one moment of a line at most,
// which is its first and its last one.
func once(q Q) bool {
	switch q := q.(type) {
	case First, Last:
		return true
	case Const:
		return !bool(q)
	}
	return false
}

// combine simplifies a conjunction (all) or a disjunction.
func combine(parts []Q, all, moment bool) Q {
	var flat []Q
	for _, p := range parts {
		p = simplify(p, moment)
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
