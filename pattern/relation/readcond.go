package relation

import (
	"maps"
	"slices"
)

// condition reads conditions joined by or; and binds tighter, not tightest.
func (r *reader) condition() *condition {
	r.enter()
	defer r.leave()
	return r.join("or", or, func() *condition {
		return r.join("and", and, r.simple)
	})
}

// join reads a list. Lists in lists of the same kind are one list, so that what is
// printed reads back as the same.
func (r *reader) join(word string, op conditionOp, read func() *condition) *condition {
	c := read()
	if t := r.peek(); t.text != word {
		return c
	}
	list := &condition{op: op}
	for {
		if c.op == op {
			list.kids = append(list.kids, c.kids...)
		} else {
			list.kids = append(list.kids, c)
		}
		if !r.is(word) {
			return list
		}
		c = read()
	}
}

func (r *reader) simple() *condition {
	r.enter()
	defer r.leave()
	t := r.peek()
	switch {
	case t.text == "(":
		// It may hold a condition, or a number that is compared.
		at, nodes := r.at, r.nodes
		c, fault := r.try(func() *condition {
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
	case r.roleOf(t.text) != noRole:
		return r.verb()
	}
	switch t.text {
	case "not":
		r.next()
		return &condition{op: not, kids: []*condition{r.simple()}}
	case "mated":
		r.next()
		return &condition{op: mated}
	case "stalemated":
		r.next()
		return &condition{op: stalemated}
	case "check":
		r.next()
		return &condition{op: check}
	case "our", "their":
		r.next()
		r.want("turn")
		if t.text == "our" {
			return &condition{op: ourTurn}
		}
		return &condition{op: theirTurn}
	case "empty":
		r.next()
		if u := r.peek(); r.isPlace(u) && u.kind == aWord {
			r.fail(u, "write a point or an area", "a piece stands on %v", u)
		}
		return &condition{op: empty, area: r.area()}
	case "essential":
		r.next()
		u := r.next()
		return &condition{op: essential, a: place{r.role(u), 0}}
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
func (r *reader) try(read func() *condition) (c *condition, fault *Error) {
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
func (r *reader) verb() *condition {
	c := &condition{a: r.place()}
	t := r.next()
	op, ok := verbs[t.text]
	if t.kind != aWord || !ok {
		r.fail(t, oneOf(t.text, slices.Sorted(maps.Keys(verbs))), "%v says nothing of a piece", t)
	}
	c.op = op
	switch op {
	case checks:
	case onArea:
		c.area = r.area()
	case isKind:
		c.kinds = r.kinds()
	case isBetween:
		c.b = r.place()
		c.c = r.place()
	case shuts, attacks, guards, reaches, isBeside:
		c.b = r.place()
	default:
		c.b = place{r.role(r.next()), 0}
	}
	return c
}

func (r *reader) compares(t token) bool {
	return t.kind == aSign && (slices.Contains(comparisonWords[:], t.text) || t.text == "+" || t.text == "-")
}

func (r *reader) comparison() *condition {
	c := &condition{op: compared}
	c.numbers[0] = r.number()
	t := r.next()
	i := slices.Index(comparisonWords[:], t.text)
	if t.kind != aSign || i < 0 {
		r.fail(t, "compare the number by =, !=, <, <=, > or >=", "%v stands behind a number", t)
	}
	c.compare = comparison(i)
	c.numbers[1] = r.number()
	return c
}

// number reads sums and differences.
func (r *reader) number() *number {
	r.enter()
	defer r.leave()
	n := r.term()
	for {
		switch {
		case r.is("+"):
			n = &number{op: plus, kids: [2]*number{n, r.term()}}
		case r.is("-"):
			n = &number{op: minus, kids: [2]*number{n, r.term()}}
		default:
			return n
		}
	}
}

func (r *reader) term() *number {
	r.enter()
	defer r.leave()
	t := r.next()
	if t.kind == aNumber {
		return &number{op: literal, n: t.n}
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
	n := &number{op: op}
	if op == checkers || op == needed || op == plies {
		return n
	}
	r.want("(")
	switch op {
	case fileOf, rankOf:
		n.a = r.place()
	case countPieces:
		if w := r.peek(); slices.Contains(whoWords[:], w.text) && !r.isArea(0) {
			n.pieces = r.pieces()
			if r.is("on") {
				n.area = r.area()
			}
		} else {
			n.op, n.area = countPoints, r.area()
		}
	default:
		n.a = r.place()
		r.want(",")
		n.b = r.place()
	}
	r.want(")")
	return n
}

// history reads a condition on moves.
func (r *reader) history() *condition {
	t := r.next()
	c := &condition{op: map[string]conditionOp{"lately": lately, "always": always, "early": early, "last": last}[t.text]}
	if c.op != last {
		n := r.next()
		if n.kind != aNumber || n.n < 1 {
			r.fail(n, "write "+t.text+" N: MOVE", "%v is no number of moves", n)
		}
		c.n = n.n
	}
	r.want(":")
	c.move = r.move(c.op)
	switch {
	case c.op == early:
		if r.is("before") {
			c.before = r.move(c.op)
		}
	case r.peek().text == "after" || r.peek().text == "not" && r.ahead(1).text == "after":
		c.unlike = r.is("not")
		r.want("after")
		c.after = r.move(last) // whose move it was does not matter
	}
	return c
}

func (r *reader) move(op conditionOp) *move {
	m := &move{role: noRole}
	t := r.peek()
	if t.kind == aWord && r.roleOf(t.text) != noRole {
		m.role = r.role(r.next())
	} else {
		if m.pieces = r.pieces(); m.pieces.whose == their && (op == lately || op == always) {
			r.fail(t, "use early or last", "only the owner's moves are looked at here")
		}
	}
	r.still = true
	defer func() { r.still = false }()
	if r.is("from") {
		m.from = r.area()
	}
	if r.is("to") {
		m.to = r.area()
	}
	if r.is("took") {
		took := r.pieces()
		m.took = &took
	}
	return m
}
