package relation

import (
	"cmp"
	"math/bits"
	"slices"

	"qipu/game"
	"qipu/pattern/relation/syntax"
)

// ref is a place: the role of that number, or a point of the board behind them.
type ref uint8

const fixed = syntax.MaxRoles // refs from here on are points

// program is a pattern in one view. Everything in it is of the board: points and
// pieces are no longer those of the owner.
type program struct {
	owner, enemy game.Side

	slots []slot  // the roles, in the order in which pieces are tried
	pre   []*node // what depends on no role

	// first[i] are the slots in an order that begins with slots[i], for when it
	// is known which piece must have that role.
	first [][]slot

	// What must be true first; the bounds are those of plies.
	mated, stale, check bool
	least, most         int
	ourTurn, theirTurn  bool

	// settled is the number of moves of each side behind which conditions on the
	// first moves do not change any more.
	settled int

	roles   uint16 // the pieces that roles are for
	counts  uint16 // the pieces that are counted on the whole board
	watches uint16 // the pieces that matter on points that it looks at
	always  bool   // any move may change it
}

// slot is a role that is to be filled.
type slot struct {
	role  int
	group group
	mask  set
	ties  []tie // to places that are known before it is filled

	// pinner is a role that is known before it is filled and pins its piece; -1 for none.
	pinner int
	tests  []*node // what can be told once it is filled, cheap ones first
}

// tie says that a place can only be one of those that a table has for another.
type tie struct {
	to    ref
	table *[syntax.MaxPoints]set
}

// node is a condition in one view.
type node struct {
	op      syntax.ConditionOp
	a, b, c ref
	group   group   // isKind
	set     set     // of an area that is always the same
	area    *region // of one that is not; nil else
	compare syntax.Comparison
	numbers [2]*amount
	n       int
	move    *played
	before  *played
	after   *played
	unlike  bool
	kids    []*node
	cost    int
	roles   uint16 // that it depends on

	// cases, of an or whose every part says where one and the same role stands, are
	// what else must be true for each point where it may: one of them.
	cases *[syntax.MaxPoints][]*node

	// near, if not nil, holds for a place of this condition all those that the
	// other places of it can be.
	near *[syntax.MaxPoints]set
}

// refs returns the places that a condition of pieces is about.
func (n *node) refs() []ref {
	switch n.op {
	case syntax.IsBetween:
		return []ref{n.a, n.b, n.c}
	case syntax.Compared:
		a := n.numbers[0]
		return []ref{a.a, a.b}
	}
	return []ref{n.a, n.b}
}

// region is an area in one view.
type region struct {
	op   syntax.AreaOp // onPoints for all that is always the same
	set  set
	a, b ref
	heed heed
	kids [2]*region
}

// amount is a number in one view.
type amount struct {
	op    syntax.NumberOp
	n     int
	a, b  ref
	view  view
	group group
	area  *region
	kids  [2]*amount
}

// played is a move in one view.
type played struct {
	pieces   uint16
	role     ref // fixed for none
	from, to set
	took     uint16 // 0 for anything or nothing
}

// builder makes the program of a pattern in one view.
type builder struct {
	*program
	set   *Set
	p     *syntax.Pattern
	v     view
	named uint16 // the roles that the condition at hand names
}

func (s *Set) build(p *syntax.Pattern, v view) *program {
	b := builder{program: &program{owner: v.owner(), enemy: v.owner().Opponent(), most: 1 << 30}, set: s, p: p, v: v}
	var tests []*node
	for _, c := range p.Wheres {
		tests = b.conjuncts(tests, c)
	}
	var slots []slot
	for i, r := range p.Lets {
		slots = append(slots, slot{role: i + syntax.FirstRole, group: s.group(s.ground.maskOf(r.Pieces, b.owner)), mask: s.ground.everyone})
		if r.Area != nil {
			tests = append(tests, b.node(&syntax.Condition{Op: syntax.OnArea, A: syntax.Place{Role: i + syntax.FirstRole}, Area: r.Area}))
		}
	}
	used := uint16(0)
	for _, t := range tests {
		used |= t.roles
	}
	for role, whose := range []syntax.Who{syntax.RoleK: syntax.Their, syntax.RoleG: syntax.Our} {
		if used>>role&1 != 0 {
			slots = append(slots, slot{role: role, group: s.group(s.ground.maskOf(syntax.Pieces{Whose: whose, Kinds: 1 << syntax.King}, b.owner)), mask: s.ground.everyone})
		}
	}
	tests = narrow(slots, tests)
	for _, t := range tests {
		if t.roles == 0 {
			b.pre = append(b.pre, t)
		}
	}
	slices.SortStableFunc(b.pre, byCost)
	b.slots = order(s.ground, slots, tests, -1)
	for i := range b.slots {
		b.first = append(b.first, order(s.ground, slots, tests, b.slots[i].role))
		b.roles |= b.slots[i].group.pieces
	}
	for _, t := range tests {
		b.look(t)
	}
	b.always = b.always || b.mated || b.stale || b.check
	return b.program
}

func byCost(a, b *node) int { return cmp.Compare(a.cost, b.cost) }

// conjuncts appends what must be true at once, each by itself.
func (b *builder) conjuncts(dst []*node, c *syntax.Condition) []*node {
	if c.Op == syntax.And {
		for _, kid := range c.Kids {
			dst = b.conjuncts(dst, kid)
		}
		return dst
	}
	n := b.node(c)
	switch n.op {
	case syntax.Mated:
		b.mated = true
		return dst
	case syntax.Stalemated:
		b.stale = true
		return dst
	case syntax.InCheck:
		b.check = true
		return dst
	case syntax.OurTurn:
		b.ourTurn = true
		return dst
	case syntax.TheirTurn:
		b.theirTurn = true
		return dst
	case syntax.Checks:
		b.check = true
	case syntax.Essential:
		b.mated = true
	case syntax.Compared:
		if b.bound(n) {
			return dst
		}
		l, r := n.numbers[0], n.numbers[1]
		b.check = b.check || l.op == syntax.Checkers && r.op == syntax.Literal && (n.compare == syntax.Equal && r.n > 0 || n.compare == syntax.More && r.n >= 0 || n.compare == syntax.MoreEqual && r.n > 0)
	}
	return append(dst, n)
}

// bound takes comparisons of the ply with a number into the bounds.
func (b *builder) bound(n *node) bool {
	l, r, how := n.numbers[0], n.numbers[1], n.compare
	if l.op == syntax.Literal && r.op == syntax.Plies {
		l, r, how = r, l, [...]syntax.Comparison{syntax.Equal, syntax.Unequal, syntax.More, syntax.MoreEqual, syntax.Less, syntax.LessEqual}[how]
	}
	if l.op != syntax.Plies || r.op != syntax.Literal {
		return false
	}
	switch how {
	case syntax.Equal:
		b.least, b.most = max(b.least, r.n), min(b.most, r.n)
	case syntax.Less:
		b.most = min(b.most, r.n-1)
	case syntax.LessEqual:
		b.most = min(b.most, r.n)
	case syntax.More:
		b.least = max(b.least, r.n+1)
	case syntax.MoreEqual:
		b.least = max(b.least, r.n)
	default:
		return false
	}
	return true
}

// narrow takes tests that a role stands on an area that is always the same into
// the mask of its slot.
func narrow(slots []slot, tests []*node) []*node {
	return slices.DeleteFunc(tests, func(n *node) bool {
		if n.op != syntax.OnArea || n.area != nil || n.a >= fixed {
			return false
		}
		for i := range slots {
			if slots[i].role == int(n.a) {
				slots[i].mask = slots[i].mask.and(n.set)
			}
		}
		return true
	})
}

// order puts the roles with the fewest places first, and behind those the ones
// that are tied to them; every test comes as early as it can be made. A role may
// be given that is the first.
func order(g *ground, slots []slot, tests []*node, begin int) (list []slot) {
	slots = slices.Clone(slots)
	bound := uint16(0)
	for len(slots) > 0 {
		best := 0
		for i := range slots {
			if len(list) == 0 && slots[i].role == begin {
				best = i
				break
			}
			if slots[i].weight(g, bound, tests) < slots[best].weight(g, bound, tests) {
				best = i
			}
		}
		s := slots[best]
		slots = slices.Delete(slots, best, best+1)
		before := bound
		bound |= 1 << s.role
		for _, t := range tests {
			if t.roles&^bound == 0 && t.roles&^before != 0 {
				s.tests = append(s.tests, t)
			}
		}
		slices.SortStableFunc(s.tests, byCost)
		s.ties = tiesOf(s.role, before, tests)
		s.pinner = -1
		for _, t := range tests {
			if t.op == syntax.Pins && int(t.b) == s.role && t.a < fixed && before>>t.a&1 != 0 {
				s.pinner = int(t.a)
			}
		}
		list = append(list, s)
	}
	return list
}

// weight estimates in how many ways a slot can be filled once some roles are
// known.
func (s *slot) weight(g *ground, bound uint16, tests []*node) int {
	w := 0
	for m := s.group.pieces; m != 0; m &= m - 1 {
		w += g.weight[bits.TrailingZeros16(m)%g.kinds]
	}
	w *= 20 + s.mask.count()
	for _, t := range tests {
		if t.roles&^(bound|1<<s.role) == 0 && t.roles>>s.role&1 != 0 {
			w = w * 2 / 3
		}
	}
	if len(tiesOf(s.role, bound, tests)) > 0 {
		w /= 3
	}
	return w
}

// tiesOf returns how a role is tied to those that are known, and to points.
func tiesOf(role int, bound uint16, tests []*node) (list []tie) {
	for _, t := range tests {
		if t.near == nil || !slices.Contains(t.refs(), ref(role)) {
			continue
		}
		for _, r := range t.refs() {
			known := r >= fixed || bound>>r&1 != 0
			if same := (tie{r, t.near}); known && r != ref(role) && !slices.Contains(list, same) {
				list = append(list, same)
			}
		}
	}
	return list
}

// anyPiece is said of points where every piece matters.
const anyPiece = 1<<(2*syntax.MaxKinds) - 1

// look notes what a condition depends on besides the places of roles.
func (b *builder) look(n *node) {
	switch n.op {
	case syntax.IsKind, syntax.IsBetween, syntax.IsBeside, syntax.Blocks:
	case syntax.OnArea, syntax.Empty:
		if n.op == syntax.Empty {
			b.watches = anyPiece
		}
		b.lookAt(n.area)
	case syntax.Attacks, syntax.Guards, syntax.Reaches, syntax.Pins, syntax.Screens:
		b.watches = anyPiece
	case syntax.Early:
		b.settled = max(b.settled, n.n)
	case syntax.Compared:
		for _, a := range n.numbers {
			b.lookFor(a)
		}
	case syntax.Not, syntax.And, syntax.Or:
		for _, kid := range n.kids {
			b.look(kid)
		}
	default:
		b.always = true
	}
}

func (b *builder) lookAt(r *region) {
	if r == nil {
		return
	}
	if r.op == syntax.ReachOf || r.op == syntax.BesideOf {
		b.watches = anyPiece
	}
	b.lookAt(r.kids[0])
	b.lookAt(r.kids[1])
}

func (b *builder) lookFor(a *amount) {
	if a == nil {
		return
	}
	switch a.op {
	case syntax.CountPieces:
		if a.area == nil {
			b.counts |= a.group.pieces
		} else {
			b.watches |= a.group.pieces
		}
	case syntax.PiecesBetween:
		b.watches = anyPiece
	case syntax.Checkers, syntax.Needed, syntax.Plies:
		b.always = true
	}
	b.lookAt(a.area)
	b.lookFor(a.kids[0])
	b.lookFor(a.kids[1])
}

// The costs of tests, which are made in their order.
const (
	costMask = iota
	costNumber
	costHistory
	costReach
	costRules
	costMate
)

// ref returns a place in the view, and notes the role that it may be.
func (b *builder) ref(p syntax.Place) ref {
	if p.Role == syntax.NoRole {
		return fixed + ref(b.set.ground.turn(b.v, p.Point))
	}
	b.named |= 1 << p.Role
	return ref(p.Role)
}

// kindsOf returns what can stand on a place.
func (b *builder) kindsOf(p syntax.Place) uint8 {
	switch {
	case p.Role == syntax.NoRole:
		return b.p.Board.AnyKind()
	case p.Role < syntax.FirstRole:
		return 1 << syntax.King
	}
	return b.p.Lets[p.Role-syntax.FirstRole].Pieces.Kinds
}

func (b *builder) node(c *syntax.Condition) *node {
	outer := b.named
	b.named = 0
	n := &node{op: c.Op, compare: c.Compare, n: c.N, unlike: c.Unlike}
	switch c.Op {
	case syntax.Checks:
		n.a, n.cost = b.ref(c.A), costRules
	case syntax.Essential:
		n.a, n.cost = b.ref(c.A), costMate
	case syntax.Shuts:
		n.a, n.b, n.cost = b.ref(c.A), b.ref(c.B), costMate
	case syntax.Attacks, syntax.Guards, syntax.Reaches, syntax.Blocks, syntax.Pins, syntax.Screens, syntax.IsBeside:
		n.a, n.b, n.cost = b.ref(c.A), b.ref(c.B), costReach
		switch c.Op {
		case syntax.IsBeside:
			n.cost, n.near = costMask, &b.set.ground.beside
		case syntax.Blocks:
			n.near = &b.set.ground.around
		case syntax.Pins, syntax.Screens:
			n.near = &b.set.ground.crossing
		default:
			n.near = b.set.ground.spans(b.kindsOf(c.A))
		}
	case syntax.IsKind:
		n.a, n.group = b.ref(c.A), b.set.group(b.set.ground.maskOf(syntax.Pieces{Whose: syntax.Either, Kinds: c.Kinds}, b.owner))
	case syntax.IsBetween:
		n.a, n.b, n.c, n.near = b.ref(c.A), b.ref(c.B), b.ref(c.C), &b.set.ground.crossing
	case syntax.OnArea, syntax.Empty:
		if c.Op == syntax.OnArea {
			n.a = b.ref(c.A)
		}
		if n.area = b.region(c.Area); n.area.op == syntax.OnPoints {
			n.set, n.area = n.area.set, nil
		} else {
			n.cost = costNumber
		}
	case syntax.Compared:
		n.cost = costNumber
		l, r := c.Numbers[0], c.Numbers[1]
		if l.Op == syntax.FileOf && r.Op == syntax.FileOf && c.Compare <= syntax.Unequal {
			// So it is the same for the mirrored picture.
			l, r = &syntax.Number{Op: syntax.Across, A: l.A, B: r.A}, &syntax.Number{Op: syntax.Literal}
		}
		n.numbers = [2]*amount{b.amount(l), b.amount(r)}
		if l.Op == syntax.PiecesBetween || l.Op == syntax.Distance {
			n.near = &b.set.ground.crossing // else it is no number
		}
	case syntax.Lately, syntax.Always, syntax.Early, syntax.Last:
		n.cost = costHistory
		n.move, n.before, n.after = b.move(c.Move), b.move(c.Before), b.move(c.After)
	case syntax.Mated, syntax.Stalemated, syntax.InCheck:
		n.cost = costRules
	case syntax.Not, syntax.And, syntax.Or:
		for _, kid := range c.Kids {
			k := b.node(kid)
			n.kids = append(n.kids, k)
			n.cost = max(n.cost, k.cost)
		}
		if c.Op != syntax.Not {
			slices.SortStableFunc(n.kids, byCost)
		}
	}
	n.roles = b.named
	b.named |= outer
	if n.op == syntax.Or {
		n.sort()
	}
	return n
}

// sort makes cases of an or that says what must be true here and what there.
func (n *node) sort() {
	stands := func(k *node) bool {
		return k.op == syntax.OnArea && k.area == nil && k.a < fixed
	}
	var cases [syntax.MaxPoints][]*node
	role := ref(fixed)
	for _, kid := range n.kids {
		parts := []*node{kid}
		if kid.op == syntax.And {
			parts = kid.kids
		}
		i := slices.IndexFunc(parts, func(k *node) bool { return stands(k) && (role == fixed || k.a == role) })
		if i < 0 {
			return
		}
		role = parts[i].a
		rest := &node{op: syntax.And, kids: slices.Delete(slices.Clone(parts), i, i+1)}
		if len(rest.kids) == 1 {
			rest = rest.kids[0]
		}
		for on := parts[i].set; !on.empty(); {
			at := on.pop()
			cases[at] = append(cases[at], rest)
		}
	}
	n.a, n.cases = role, &cases
}

func (b *builder) region(a *syntax.Area) *region {
	still := func(s set) *region { return &region{op: syntax.OnPoints, set: b.set.ground.turnSet(b.v, s)} }
	switch a.Op {
	case syntax.OnFiles, syntax.OnRanks:
		sets := b.set.ground.files[:]
		if a.Op == syntax.OnRanks {
			sets = b.set.ground.ranks[:]
		}
		var s set
		for i, line := range sets {
			if a.Lines>>i&1 != 0 {
				s = s.or(line)
			}
		}
		return still(s)
	case syntax.OnPoints:
		var s set
		for _, p := range a.Points {
			s.add(p)
		}
		return still(s)
	case syntax.NamedArea:
		return still(b.set.ground.named[a.Named])
	case syntax.Both, syntax.One, syntax.Without:
		r := &region{op: a.Op, kids: [2]*region{b.region(a.Kids[0]), b.region(a.Kids[1])}}
		if r.kids[0].op == syntax.OnPoints && r.kids[1].op == syntax.OnPoints {
			return &region{op: syntax.OnPoints, set: join(r.op, r.kids[0].set, r.kids[1].set)}
		}
		return r
	}
	r := &region{op: a.Op, heed: b.set.ground.heeds(b.kindsOf(a.A))}
	r.a = b.ref(a.A)
	r.b = r.a
	if a.Op == syntax.BetweenOf {
		r.b = b.ref(a.B)
	}
	return r
}

// join puts two areas together.
func join(op syntax.AreaOp, a, b set) set {
	switch op {
	case syntax.Both:
		return a.and(b)
	case syntax.One:
		return a.or(b)
	}
	return a.less(b)
}

func (b *builder) amount(n *syntax.Number) *amount {
	a := &amount{op: n.Op, n: n.N}
	switch n.Op {
	case syntax.Plus, syntax.Minus:
		a.kids = [2]*amount{b.amount(n.Kids[0]), b.amount(n.Kids[1])}
	case syntax.CountPieces:
		a.group = b.set.group(b.set.ground.maskOf(n.Pieces, b.owner))
		if n.Area != nil {
			a.area = b.region(n.Area)
		}
	case syntax.CountPoints:
		a.area = b.region(n.Area)
	case syntax.FileOf:
		a.a, a.view = b.ref(n.A), b.v
	case syntax.RankOf:
		a.a, a.view = b.ref(n.A), b.v&^mirrored
	case syntax.PiecesBetween, syntax.Distance, syntax.Across, syntax.Along:
		a.a, a.b = b.ref(n.A), b.ref(n.B)
	}
	return a
}

// move returns a move in the view; nil for none.
func (b *builder) move(m *syntax.Move) *played {
	if m == nil {
		return nil
	}
	p := &played{role: fixed, from: b.set.ground.everyone, to: b.set.ground.everyone}
	if m.Role == syntax.NoRole {
		p.pieces = b.set.ground.maskOf(m.Pieces, b.owner)
	} else {
		p.role = b.ref(syntax.Place{Role: m.Role})
	}
	if m.From != nil {
		p.from = b.region(m.From).set
	}
	if m.To != nil {
		p.to = b.region(m.To).set
	}
	if m.Took != nil {
		p.took = b.set.ground.maskOf(*m.Took, b.owner)
	}
	return p
}
