package syntax

import (
	"maps"
	"slices"
)

// condition reads conditions joined by or; and binds tighter, not tightest.
func (r *reader) condition() *Condition {
	r.enter()
	defer r.leave()
	return r.join("or", Or, func() *Condition {
		return r.join("and", And, r.simple)
	})
}

// join reads a list. Lists in lists of the same kind are one list, so that what is
// printed reads back as the same.
func (r *reader) join(word string, op ConditionOp, read func() *Condition) *Condition {
	c := read()
	if t := r.peek(); t.text != word {
		return c
	}
	list := &Condition{Op: op}
	for {
		if c.Op == op {
			list.Kids = append(list.Kids, c.Kids...)
		} else {
			list.Kids = append(list.Kids, c)
		}
		if !r.is(word) {
			return list
		}
		c = read()
	}
}

func (r *reader) simple() *Condition {
	r.enter()
	defer r.leave()
	t := r.peek()
	switch {
	case t.text == "(":
		// It may hold a condition, or a number that is compared.
		at, nodes := r.at, r.nodes
		c, fault := r.try(func() *Condition {
			r.next()
			c := r.condition()
			r.want(")")
			return c
		})
		if fault == nil && !r.compares(r.peek()) {
			return c
		}
		r.at, r.nodes = at, nodes
		n, other := r.try(r.comparison)
		if other != nil {
			if fault == nil {
				fault = other
			}
			panic(fault)
		}
		return n
	case t.kind == aNumber:
		return r.comparison()
	case t.kind == aPoint:
		r.fail(t, "write a role first, as in h on 5.9", "a condition cannot begin with the point %s", t.text)
	case t.kind != aWord:
		r.fail(t, "", "%v stands where a condition is wanted", t)
	case r.roleOf(t.text) != NoRole:
		return r.verb()
	}
	switch t.text {
	case "not":
		r.next()
		return &Condition{Op: Not, Kids: []*Condition{r.simple()}}
	case "mated", "stalemated", "check":
		r.next()
		return &Condition{Op: ConditionOp(slices.Index(plainWords[:], t.text))}
	case "our", "their":
		r.next()
		r.want("turn")
		if t.text == "our" {
			return &Condition{Op: OurTurn}
		}
		return &Condition{Op: TheirTurn}
	case "empty":
		r.next()
		if u := r.peek(); r.isPlace(u) && u.kind == aWord {
			r.fail(u, "write a point or an area", "a piece stands on %v", u)
		}
		return &Condition{Op: Empty, Area: r.area()}
	case "essential":
		r.next()
		u := r.next()
		return &Condition{Op: Essential, A: Place{r.role(u), 0}}
	case "lately", "always", "early", "last":
		return r.history()
	}
	if _, ok := numberWords[t.text]; ok {
		return r.comparison()
	}
	r.fail(t, oneOf(t.text, slices.Concat(conditionWords, slices.Collect(maps.Keys(numberWords)), r.pattern.Roles(), []string{"not", "our turn", "their turn", "k", "g"})),
		"%v begins no condition", t)
	return nil
}

// try reads something that may turn out to be something else.
func (r *reader) try(read func() *Condition) (c *Condition, fault *Error) {
	depth := r.depth
	defer func() {
		if e := recover(); e != nil {
			err, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			fault, r.depth = err, depth
		}
	}()
	return read(), nil
}

// verb reads what is said of a role.
func (r *reader) verb() *Condition {
	c := &Condition{A: r.place()}
	t := r.next()
	op, ok := verbs[t.text]
	if t.kind != aWord || !ok {
		r.fail(t, oneOf(t.text, slices.Sorted(maps.Keys(verbs))), "%v says nothing of a piece", t)
	}
	c.Op = op
	switch op {
	case Checks:
	case OnArea:
		c.Area = r.area()
	case IsKind:
		c.Kinds = r.kinds()
	case IsBetween:
		c.B = r.place()
		c.C = r.place()
	case Shuts, Attacks, Guards, Reaches, IsBeside:
		c.B = r.place()
	default:
		c.B = Place{r.role(r.next()), 0}
	}
	return c
}

func (r *reader) compares(t token) bool {
	return t.kind == aSign && (slices.Contains(ComparisonWords[:], t.text) || t.text == "+" || t.text == "-")
}

func (r *reader) comparison() *Condition {
	c := &Condition{Op: Compared}
	c.Numbers[0] = r.number()
	t := r.next()
	i := slices.Index(ComparisonWords[:], t.text)
	if t.kind != aSign || i < 0 {
		r.fail(t, "compare the number by =, !=, <, <=, > or >=", "%v stands behind a number", t)
	}
	c.Compare = Comparison(i)
	c.Numbers[1] = r.number()
	return c
}

// number reads sums and differences.
func (r *reader) number() *Number {
	r.enter()
	defer r.leave()
	n := r.term()
	for {
		switch {
		case r.is("+"):
			n = &Number{Op: Plus, Kids: [2]*Number{n, r.term()}}
		case r.is("-"):
			n = &Number{Op: Minus, Kids: [2]*Number{n, r.term()}}
		default:
			return n
		}
	}
}

func (r *reader) term() *Number {
	r.enter()
	defer r.leave()
	t := r.next()
	if t.kind == aNumber {
		return &Number{Op: Literal, N: t.n}
	}
	if t.text == "(" {
		n := r.number()
		r.want(")")
		return n
	}
	op, ok := numberWords[t.text]
	if t.kind != aWord || !ok {
		r.fail(t, oneOf(t.text, slices.Sorted(maps.Keys(numberWords))), "%v is no number", t)
	}
	n := &Number{Op: op}
	if op == Checkers || op == Needed || op == Plies {
		return n
	}
	r.want("(")
	switch op {
	case FileOf, RankOf:
		n.A = r.place()
	case CountPieces:
		if w := r.peek(); slices.Contains(whoWords[:], w.text) && !r.isArea(0) {
			n.Pieces = r.pieces()
			if r.is("on") {
				n.Area = r.area()
			}
		} else {
			n.Op, n.Area = CountPoints, r.area()
		}
	default:
		n.A = r.place()
		r.want(",")
		n.B = r.place()
	}
	r.want(")")
	return n
}

// history reads a condition on moves.
func (r *reader) history() *Condition {
	t := r.next()
	c := &Condition{Op: historyWords[t.text]}
	if c.Op != Last {
		n := r.next()
		if n.kind != aNumber || n.n < 1 {
			r.fail(n, "write "+t.text+" N: MOVE", "%v is no number of moves", n)
		}
		c.N = n.n
	}
	r.want(":")
	c.Move = r.move(c.Op)
	switch {
	case c.Op == Early:
		if r.is("before") {
			c.Before = r.move(c.Op)
		}
	case r.peek().text == "after" || r.peek().text == "not" && r.ahead(1).text == "after":
		c.Unlike = r.is("not")
		r.want("after")
		c.After = r.move(Last) // whose move it was does not matter
	}
	return c
}

func (r *reader) move(op ConditionOp) *Move {
	m := &Move{Role: NoRole}
	t := r.peek()
	if t.kind == aWord && r.roleOf(t.text) != NoRole {
		m.Role = r.role(r.next())
	} else {
		if m.Pieces = r.pieces(); m.Pieces.Whose == Their && (op == Lately || op == Always) {
			r.fail(t, "use early or last", "only the owner's moves are looked at here")
		}
	}
	r.still = true
	defer func() { r.still = false }()
	if r.is("from") {
		m.From = r.area()
	}
	if r.is("to") {
		m.To = r.area()
	}
	if r.is("took") {
		took := r.pieces()
		m.Took = &took
	}
	return m
}
