package relation

import (
	"cmp"
	"math/bits"
	"slices"

	"qipu/game"
)

// ref is a place: the role of that number, or a point of the board behind them.
type ref uint8

const fixed = maxRoles // refs from here on are points

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
	watches bool   // it looks at points
	always  bool   // any move may change it
}

// slot is a role that is to be filled.
type slot struct {
	role  int
	group group
	mask  set
	ties  []tie   // to places that are known before it is filled
	tests []*node // what can be told once it is filled, cheap ones first
}

// tie says that a place can only be one of those that a table has for another.
type tie struct {
	to    ref
	table *[points]set
}

// node is a condition in one view.
type node struct {
	op      conditionOp
	a, b, c ref
	group   group   // isKind
	set     set     // of an area that is always the same
	area    *region // of one that is not; nil else
	compare comparison
	numbers [2]*amount
	n       int
	move    *played
	before  *played
	after   *played
	unlike  bool
	kids    []*node
	cost    int
	roles   uint16 // that it depends on

	// near, if not nil, holds for a place of this condition all those that the
	// other places of it can be.
	near *[points]set
}

// refs returns the places that a condition of pieces is about.
func (n *node) refs() []ref {
	switch n.op {
	case isBetween:
		return []ref{n.a, n.b, n.c}
	case compared:
		a := n.numbers[0]
		return []ref{a.a, a.b}
	}
	return []ref{n.a, n.b}
}

// region is an area in one view.
type region struct {
	op   areaOp // onPoints for all that is always the same
	set  set
	a, b ref
	heed heed
	kids [2]*region
}

// amount is a number in one view.
type amount struct {
	op    numberOp
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
	set *Set
	p   *Pattern
	v   view
}

func (s *Set) build(p *Pattern, v view) *program {
	b := builder{&program{owner: v.owner(), enemy: v.owner().Opponent(), most: 1 << 30}, s, p, v}
	var tests []*node
	for _, c := range p.wheres {
		tests = b.conjuncts(tests, c)
	}
	var slots []slot
	for i, r := range p.roles {
		slots = append(slots, slot{role: i + firstRole, group: s.group(r.pieces.mask(b.owner)), mask: everyone})
		if r.area != nil {
			tests = append(tests, b.node(&condition{op: onArea, a: place{role: i + firstRole}, area: r.area}))
		}
	}
	used := uint16(0)
	for _, t := range tests {
		used |= t.roles
	}
	for role, whose := range []who{roleK: their, roleG: our} {
		if used>>role&1 != 0 {
			slots = append(slots, slot{role: role, group: s.group(pieces{whose, 1 << king}.mask(b.owner)), mask: everyone})
		}
	}
	tests = narrow(slots, tests)
	for _, t := range tests {
		if t.roles == 0 {
			b.pre = append(b.pre, t)
		}
	}
	slices.SortStableFunc(b.pre, byCost)
	b.slots = order(slots, tests, -1)
	for i := range b.slots {
		b.first = append(b.first, order(slots, tests, b.slots[i].role))
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
func (b *builder) conjuncts(dst []*node, c *condition) []*node {
	if c.op == and {
		for _, kid := range c.kids {
			dst = b.conjuncts(dst, kid)
		}
		return dst
	}
	n := b.node(c)
	switch n.op {
	case mated:
		b.mated = true
		return dst
	case stalemated:
		b.stale = true
		return dst
	case check:
		b.check = true
		return dst
	case ourTurn:
		b.ourTurn = true
		return dst
	case theirTurn:
		b.theirTurn = true
		return dst
	case checks:
		b.check = true
	case essential:
		b.mated = true
	case compared:
		if b.bound(n) {
			return dst
		}
	}
	return append(dst, n)
}

// bound takes comparisons of the ply with a number into the bounds.
func (b *builder) bound(n *node) bool {
	l, r, how := n.numbers[0], n.numbers[1], n.compare
	if l.op == literal && r.op == plies {
		l, r, how = r, l, [...]comparison{equal, unequal, more, moreEqual, less, lessEqual}[how]
	}
	if l.op != plies || r.op != literal {
		return false
	}
	switch how {
	case equal:
		b.least, b.most = max(b.least, r.n), min(b.most, r.n)
	case less:
		b.most = min(b.most, r.n-1)
	case lessEqual:
		b.most = min(b.most, r.n)
	case more:
		b.least = max(b.least, r.n+1)
	case moreEqual:
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
		if n.op != onArea || n.area != nil || n.a >= fixed {
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
func order(slots []slot, tests []*node, begin int) (list []slot) {
	slots = slices.Clone(slots)
	bound := uint16(0)
	for len(slots) > 0 {
		best := 0
		for i := range slots {
			if len(list) == 0 && slots[i].role == begin {
				best = i
				break
			}
			if slots[i].weight(bound, tests) < slots[best].weight(bound, tests) {
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
		list = append(list, s)
	}
	return list
}

// weight estimates in how many ways a slot can be filled once some roles are
// known.
func (s *slot) weight(bound uint16, tests []*node) int {
	w := 0
	for m := s.group.pieces; m != 0; m &= m - 1 {
		w += [kinds]int{king: 4, advisor: 8, elephant: 8, chariot: 8, horse: 8, cannon: 8, soldier: 20}[bits.TrailingZeros16(m)%kinds]
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

// look notes what a condition depends on besides the places of roles.
func (b *builder) look(n *node) {
	switch n.op {
	case isKind, isBetween, isBeside, blocks:
	case onArea, empty:
		b.watches = b.watches || n.op == empty
		b.lookAt(n.area)
	case attacks, guards, reaches, pins, screens:
		b.watches = true
	case early:
		b.settled = max(b.settled, n.n)
	case compared:
		for _, a := range n.numbers {
			b.lookFor(a)
		}
	case not, and, or:
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
	if r.op == reachOf || r.op == besideOf {
		b.watches = true
	}
	b.lookAt(r.kids[0])
	b.lookAt(r.kids[1])
}

func (b *builder) lookFor(a *amount) {
	if a == nil {
		return
	}
	switch a.op {
	case countPieces:
		if a.area == nil {
			b.counts |= a.group.pieces
		} else {
			b.watches = true
		}
	case piecesBetween:
		b.watches = true
	case checkers, needed, plies:
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

func (b *builder) ref(p place) (ref, uint16) {
	if p.role == noRole {
		return fixed + ref(b.v.turn(p.point)), 0
	}
	return ref(p.role), 1 << p.role
}

// kindsOf returns what can stand on a place.
func (b *builder) kindsOf(p place) uint8 {
	switch {
	case p.role == noRole:
		return anyKind
	case p.role < firstRole:
		return 1 << king
	}
	return b.p.roles[p.role-firstRole].pieces.kinds
}

func (b *builder) node(c *condition) *node {
	n := &node{op: c.op, compare: c.compare, n: c.n, unlike: c.unlike}
	takes := func(to *ref, p place) {
		var roles uint16
		*to, roles = b.ref(p)
		n.roles |= roles
	}
	switch c.op {
	case checks:
		takes(&n.a, c.a)
		n.cost = costRules
	case essential:
		takes(&n.a, c.a)
		n.cost = costMate
	case shuts:
		takes(&n.a, c.a)
		takes(&n.b, c.b)
		n.cost = costMate
	case attacks, guards, reaches, blocks, pins, screens, isBeside:
		takes(&n.a, c.a)
		takes(&n.b, c.b)
		n.cost = costReach
		switch c.op {
		case isBeside:
			n.cost, n.near = costMask, &beside
		case blocks:
			n.near = &around
		case pins, screens:
			n.near = &crossing
		default:
			n.near = spans(b.kindsOf(c.a))
		}
	case isKind:
		takes(&n.a, c.a)
		n.group = b.set.group(pieces{either, c.kinds}.mask(b.owner))
	case isBetween:
		takes(&n.a, c.a)
		takes(&n.b, c.b)
		takes(&n.c, c.c)
		n.near = &crossing
	case onArea, empty:
		if c.op == onArea {
			takes(&n.a, c.a)
		}
		if n.area = b.region(c.area); n.area.op == onPoints {
			n.set, n.area = n.area.set, nil
		} else {
			n.roles |= regionRoles(n.area)
			n.cost = costNumber
		}
	case compared:
		n.cost = costNumber
		for i := range n.numbers {
			n.numbers[i] = b.amount(c.numbers[i])
			n.roles |= amountRoles(n.numbers[i])
		}
		if op := n.numbers[0].op; op == piecesBetween || op == distance {
			n.near = &crossing // else it is no number
		}
	case lately, always, early, last:
		n.cost = costHistory
		n.move = b.move(c.move, &n.roles)
		if c.before != nil {
			n.before = b.move(c.before, &n.roles)
		}
		if c.after != nil {
			n.after = b.move(c.after, &n.roles)
		}
	case mated, stalemated, check:
		n.cost = costRules
	case not, and, or:
		for _, kid := range c.kids {
			k := b.node(kid)
			n.kids = append(n.kids, k)
			n.roles |= k.roles
			n.cost = max(n.cost, k.cost)
		}
		if c.op != not {
			slices.SortStableFunc(n.kids, byCost)
		}
	}
	return n
}

func (b *builder) region(a *area) *region {
	still := func(s set) *region { return &region{op: onPoints, set: b.v.turnSet(s)} }
	switch a.op {
	case onFiles, onRanks:
		sets := fileSets[:]
		if a.op == onRanks {
			sets = rankSets[:]
		}
		var s set
		for i, line := range sets {
			if a.lines>>i&1 != 0 {
				s = s.or(line)
			}
		}
		return still(s)
	case onPoints:
		return still(a.set)
	case namedArea:
		return still(namedSets[a.named])
	case both, one, without:
		r := &region{op: a.op, kids: [2]*region{b.region(a.kids[0]), b.region(a.kids[1])}}
		if r.kids[0].op == onPoints && r.kids[1].op == onPoints {
			return &region{op: onPoints, set: r.op.join(r.kids[0].set, r.kids[1].set)}
		}
		return r
	}
	r := &region{op: a.op, heed: heeds(b.kindsOf(a.a))}
	r.a, _ = b.ref(a.a)
	r.b = r.a
	if a.op == betweenOf {
		r.b, _ = b.ref(a.b)
	}
	return r
}

// join puts two areas together.
func (op areaOp) join(a, b set) set {
	switch op {
	case both:
		return a.and(b)
	case one:
		return a.or(b)
	}
	return a.less(b)
}

func regionRoles(r *region) (roles uint16) {
	switch {
	case r == nil || r.op == onPoints:
		return 0
	case r.op == both || r.op == one || r.op == without:
		return regionRoles(r.kids[0]) | regionRoles(r.kids[1])
	}
	return refRoles(r.a) | refRoles(r.b)
}

func refRoles(r ref) uint16 {
	if r >= fixed {
		return 0
	}
	return 1 << r
}

func (b *builder) amount(n *number) *amount {
	a := &amount{op: n.op, n: n.n, view: b.v}
	switch n.op {
	case plus, minus:
		a.kids = [2]*amount{b.amount(n.kids[0]), b.amount(n.kids[1])}
	case countPieces:
		a.group = b.set.group(n.pieces.mask(b.owner))
		if n.area != nil {
			a.area = b.region(n.area)
		}
	case countPoints:
		a.area = b.region(n.area)
	case fileOf, rankOf:
		a.a, _ = b.ref(n.a)
	case piecesBetween, distance, across, along:
		a.a, _ = b.ref(n.a)
		a.b, _ = b.ref(n.b)
	}
	return a
}

func amountRoles(a *amount) uint16 {
	switch a.op {
	case plus, minus:
		return amountRoles(a.kids[0]) | amountRoles(a.kids[1])
	case countPieces, countPoints:
		return regionRoles(a.area)
	case fileOf, rankOf:
		return refRoles(a.a)
	case piecesBetween, distance, across, along:
		return refRoles(a.a) | refRoles(a.b)
	}
	return 0
}

func (b *builder) move(m *move, roles *uint16) *played {
	p := &played{role: fixed, from: everyone, to: everyone}
	if m.role == noRole {
		p.pieces = m.pieces.mask(b.owner)
	} else {
		p.role = ref(m.role)
		*roles |= 1 << m.role
	}
	if m.from != nil {
		p.from = b.region(m.from).set
	}
	if m.to != nil {
		p.to = b.region(m.to).set
	}
	if m.took != nil {
		p.took = m.took.mask(b.owner)
	}
	return p
}
