package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// reader reads the definition of a pattern, one field after another, by recursive
// descent. It gives up by panicking with an *Error, which run catches.
type reader struct {
	block   *block
	pattern *Pattern
	fd      field
	tokens  []token
	at      int
	nodes   int
	depth   int
	still   bool // areas name no roles: that of a move
}

// reserved are the words that cannot name roles.
var reserved = func() map[string]bool {
	m := map[string]bool{"k": true, "g": true}
	for w := range maps.Keys(verbs) {
		m[w] = true
	}
	for w := range maps.Keys(numberWords) {
		m[w] = true
	}
	for _, b := range Boards {
		for _, w := range b.Kinds {
			m[w] = true
		}
	}
	for _, list := range [][]string{whoWords[:], conditionWords, areaWords,
		{PieceWord, "turn", "half", "and", "or", "not", "but", "from", "to", "took", "before", "after"}} {
		for _, w := range list {
			m[w] = true
		}
	}
	return m
}()

var (
	conditionWords = []string{"mated", "stalemated", "check", "empty", "essential", "lately", "always", "early", "last"}
	areaWords      = []string{"file", "rank", "palace", "river", "edge", "board", "centre", "queenside", "kingside", "light", "dark", "beside", "between", "reach", "line"}
)

// run reads a field.
func (r *reader) run(fd field, read func()) (fault *Error) {
	tokens, fault := r.block.scan(fd, r.pattern.Board)
	if fault != nil {
		return fault
	}
	r.fd, r.tokens, r.at, r.depth = fd, tokens, 0, 0
	defer func() {
		if e := recover(); e != nil {
			err, ok := e.(*Error)
			if !ok {
				panic(e)
			}
			fault = err
		}
	}()
	read()
	if t := r.peek(); t.kind != theEnd {
		r.fail(t, "join conditions by and, or, or write another line", "%v is left over", t)
	}
	return nil
}

func (r *reader) fail(t token, hint, format string, args ...any) {
	panic(r.block.fault(r.fd.line, t.column, hint, format, args...))
}

func (r *reader) peek() token { return r.tokens[r.at] }

func (r *reader) ahead(n int) token { return r.tokens[min(r.at+n, len(r.tokens)-1)] }

func (r *reader) next() token {
	t := r.tokens[r.at]
	if t.kind != theEnd {
		r.at++
	}
	return t
}

// is takes a word or sign if it is the next token.
func (r *reader) is(word string) bool {
	t := r.peek()
	if (t.kind == aWord || t.kind == aSign) && t.text == word {
		r.at++
		return true
	}
	return false
}

func (r *reader) want(word string) {
	if t := r.peek(); !r.is(word) {
		r.fail(t, "", "%v stands where %q is wanted", t, word)
	}
}

// enter counts the parts of a definition and how deep they are.
func (r *reader) enter() {
	r.nodes++
	r.depth++
	if r.nodes > maxNodes || r.depth > maxDepth {
		r.fail(r.peek(), "make several of it", "the definition is too large")
	}
}

func (r *reader) leave() { r.depth-- }

// let reads NAME = PIECES [on AREA].
func (r *reader) let() {
	t := r.next()
	switch {
	case t.kind != aWord:
		r.fail(t, "write NAME = PIECES", "%v is no name of a role", t)
	case reserved[t.text]:
		r.fail(t, "choose another, such as c1", "%v means something else", t)
	case r.roleOf(t.text) != NoRole:
		r.fail(t, "choose another", "there is a role %v already", t)
	case len(r.pattern.Lets)+FirstRole >= MaxRoles:
		r.fail(t, "", "a pattern has at most %d roles", MaxRoles-FirstRole)
	}
	r.want("=")
	ro := Role{Name: t.text, Pieces: r.pieces()}
	if r.is("on") {
		ro.Area = r.area()
	}
	r.pattern.Lets = append(r.pattern.Lets, ro)
}

func (r *reader) where() { r.pattern.Wheres = append(r.pattern.Wheres, r.condition()) }

func (r *reader) roleOf(name string) int {
	switch name {
	case "k":
		return RoleK
	case "g":
		return RoleG
	}
	i := slices.IndexFunc(r.pattern.Lets, func(o Role) bool { return o.Name == name })
	if i < 0 {
		return NoRole
	}
	return i + FirstRole
}

// pieces reads our|their|any KIND {or KIND}.
func (r *reader) pieces() (p Pieces) {
	t := r.next()
	i := slices.Index(whoWords[:], t.text)
	if t.kind != aWord || i < 0 {
		r.fail(t, oneOf(t.text, whoWords[:]), "%v does not say whose pieces", t)
	}
	p.Whose = Who(i)
	p.Kinds = r.kinds()
	return p
}

// kinds reads KIND {or KIND}.
func (r *reader) kinds() (list uint8) {
	for {
		t := r.next()
		k := r.pattern.Board.kindsOf(t.text)
		if t.kind != aWord || k == 0 {
			r.fail(t, oneOf(t.text, append(slices.Clone(r.pattern.Board.Kinds), PieceWord)), "%v is no kind of piece", t)
		}
		list |= k
		if o := r.peek(); o.text != "or" || r.pattern.Board.kindsOf(r.ahead(1).text) == 0 {
			return list
		}
		r.next()
	}
}

// isPlace tells whether a place begins at a token.
func (r *reader) isPlace(t token) bool {
	return t.kind == aPoint || t.kind == aWord && r.roleOf(t.text) != NoRole
}

// place reads a role or a point.
func (r *reader) place() Place {
	t := r.next()
	if t.kind == aPoint {
		return Place{NoRole, t.point}
	}
	return Place{r.role(t), 0}
}

// role returns the role that a token names.
func (r *reader) role(t token) int {
	i := r.roleOf(t.text)
	if t.kind != aWord || i == NoRole {
		r.fail(t, oneOf(t.text, append(r.pattern.Roles(), "k", "g")), "%v is no role of the pattern", t)
	}
	if r.still {
		r.fail(t, "write points, files or ranks", "the areas of moves name no roles, and %v is one", t)
	}
	return i
}

// area reads areas joined by or; and, but bind tighter. What follows a joining
// word is an area, or else the word joins conditions.
func (r *reader) area() *Area {
	r.enter()
	defer r.leave()
	a := r.both()
	for r.joined("or") {
		a = &Area{Op: One, Kids: [2]*Area{a, r.both()}}
	}
	return a
}

func (r *reader) both() *Area {
	a := r.single()
	for {
		switch {
		case r.joined("and"):
			a = &Area{Op: Both, Kids: [2]*Area{a, r.single()}}
		case r.is("but"):
			a = &Area{Op: Without, Kids: [2]*Area{a, r.single()}}
		default:
			return a
		}
	}
}

// joined takes a joining word if an area follows it.
func (r *reader) joined(word string) bool {
	if t := r.peek(); t.kind != aWord || t.text != word || !r.isArea(1) {
		return false
	}
	r.next()
	return true
}

// isArea tells whether an area begins so many tokens ahead.
func (r *reader) isArea(n int) bool {
	t, u := r.ahead(n), r.ahead(n+1)
	switch {
	case t.kind == aPoint:
		// A point may also begin a number or be what a condition is about; only
		// an area is written alone.
		return true
	case t.text == "{":
		return true
	case t.text == "(":
		return r.isArea(n + 1)
	case t.kind != aWord:
		return false
	case t.text == "our" || t.text == "their":
		return u.text == "palace" || u.text == "half"
	}
	return slices.Contains(areaWords, t.text) && u.text != "("
}

func (r *reader) single() *Area {
	r.enter()
	defer r.leave()
	t := r.next()
	switch {
	case t.kind == aPoint:
		return &Area{Op: OnPoints, Points: []uint8{t.point}}
	case t.text == "{":
		a := &Area{Op: OnPoints}
		for {
			p := r.next()
			if p.kind != aPoint {
				r.fail(p, "write "+r.pattern.Board.pointText(0)+", for example", "%v is no point", p)
			}
			a.Points = append(a.Points, p.point)
			if r.is("}") {
				slices.Sort(a.Points)
				a.Points = slices.Compact(a.Points)
				return a
			}
			r.want(",")
		}
	case t.text == "(":
		a := r.area()
		r.want(")")
		return a
	case t.kind != aWord:
		r.fail(t, "write one of "+strings.Join(areaWords, ", ")+", or points", "%v is no area", t)
	case t.text == "file":
		return &Area{Op: OnFiles, Lines: r.lines(r.pattern.Board.Width)}
	case t.text == "rank":
		return &Area{Op: OnRanks, Lines: r.lines(r.pattern.Board.Height)}
	case t.text == "beside":
		return &Area{Op: BesideOf, A: r.place()}
	case t.text == "reach":
		u := r.peek()
		a := &Area{Op: ReachOf, A: r.place()}
		if a.A.Role == NoRole {
			r.fail(u, "name a role", "a point reaches nothing")
		}
		return a
	case t.text == "line":
		return &Area{Op: LineOf, A: r.place()}
	case t.text == "between":
		a := &Area{Op: BetweenOf, A: r.place()}
		a.B = r.place()
		return a
	}
	name := t.text
	if name == "our" || name == "their" {
		name += " " + r.next().text
	}
	if name == "their palace" {
		name = "palace"
	}
	for i, a := range r.pattern.Board.Areas {
		if a.Name == name {
			return &Area{Op: NamedArea, Named: i}
		}
	}
	r.fail(t, oneOf(name, append(slices.Clone(areaWords), "our palace", "our half", "their half")), "%q is no area", name)
	return nil
}

// lines reads the numbers of files or ranks: 4, 4,6 or 4..6.
func (r *reader) lines(limit int) (mask uint16) {
	number := func() int {
		t := r.next()
		if t.kind != aNumber || t.n < 1 || t.n > limit {
			r.fail(t, fmt.Sprintf("write 1 to %d", limit), "%v is no number of a line", t)
		}
		return t.n
	}
	for {
		from := number()
		to := from
		if r.is("..") {
			t := r.peek()
			if to = number(); to < from {
				r.fail(t, "write the smaller number first", "nothing lies from %d to %d", from, to)
			}
		}
		mask |= 2<<to - 1<<from
		if t := r.peek(); t.text != "," || r.ahead(1).kind != aNumber {
			return mask
		}
		r.next()
	}
}
