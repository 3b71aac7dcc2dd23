package relation

import (
	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/pattern/relation/syntax"
	"slices"
)

// The oracle looks for patterns by first principles: it turns the board so that
// the owner sits at the bottom, tries all pieces for all roles, and knows by
// itself how pieces move and what mate is. It shares the tree of a definition with
// the product and nothing else.

type spot struct{ file, rank int }

type man struct {
	mine bool
	kind int
}

type oldMove struct {
	from, to spot
	piece    man
	took     *man
}

type oracle struct {
	men    map[spot]man
	toMove bool // mine
	moves  []oldMove
	usual  bool
	fate   int // 0 not known, 1 goes on, 2 mate, 3 stalemate
}

// see turns a view for an owner.
func see(v *pattern.View, owner game.Side, mirror bool) *oracle {
	turn := func(p board.Point) spot {
		s := spot{p.X() + 1, p.Y() + 1}
		if owner == game.First {
			s = spot{9 - p.X(), 10 - p.Y()}
		}
		if mirror {
			s.file = 10 - s.file
		}
		return s
	}
	who := func(p board.Piece) man {
		return man{(p <= 7) == (owner == game.First), int(p-1) % 7}
	}
	o := &oracle{men: map[spot]man{}, toMove: v.Turn == owner, usual: v.Usual}
	for i := range v.Planes.Of {
		for p := range v.Planes.Of[i].Points() {
			o.men[turn(p)] = who(board.Piece(i + 1))
		}
	}
	for _, m := range v.Moves {
		old := oldMove{from: turn(m.From), to: turn(m.To), piece: who(m.Piece)}
		if m.Taken != board.Empty {
			taken := who(m.Taken)
			old.took = &taken
		}
		o.moves = append(o.moves, old)
	}
	return o
}

func onBoard(s spot) bool { return s.file >= 1 && s.file <= 9 && s.rank >= 1 && s.rank <= 10 }

func inPalace(s spot, mine bool) bool {
	if mine {
		return s.file >= 4 && s.file <= 6 && s.rank <= 3
	}
	return s.file >= 4 && s.file <= 6 && s.rank >= 8
}

func elephantPoint(s spot, mine bool) bool {
	r := s.rank
	if !mine {
		r = 11 - r
	}
	return onBoard(s) && ((r == 1 || r == 5) && (s.file == 3 || s.file == 7) || r == 3 && (s.file == 1 || s.file == 5 || s.file == 9))
}

// goes tells whether the man on a place reaches another; taking asks whether it
// would take something there.
func (o *oracle) goes(from, to spot, taking bool) bool {
	m, ok := o.men[from]
	if !ok || !onBoard(to) || from == to {
		return false
	}
	df, dr := to.file-from.file, to.rank-from.rank
	_, full := o.men[to]
	forward := 1
	if !m.mine {
		forward = -1
	}
	free := func(s spot) bool { _, full := o.men[s]; return !full }
	switch m.kind {
	case syntax.King:
		return df*df+dr*dr == 1 && inPalaceOf(from, to)
	case syntax.Advisor:
		return df*df == 1 && dr*dr == 1 && inPalaceOf(from, to)
	case syntax.Elephant:
		return df*df == 4 && dr*dr == 4 && elephantPoint(to, m.mine) && free(spot{from.file + df/2, from.rank + dr/2})
	case syntax.Horse:
		return df*df+dr*dr == 5 && free(spot{from.file + df/2, from.rank + dr/2})
	case syntax.Soldier:
		crossed := from.rank > 5
		if !m.mine {
			crossed = from.rank <= 5
		}
		return df == 0 && dr == forward || crossed && dr == 0 && df*df == 1
	case syntax.Chariot:
		n, ok := o.gap(from, to)
		return ok && n == 0
	}
	n, ok := o.gap(from, to)
	if full || taking {
		return ok && n == 1
	}
	return ok && n == 0
}

// inPalaceOf: kings and advisors stay in the palace that they are in.
func inPalaceOf(from, to spot) bool {
	return inPalace(from, true) && inPalace(to, true) || inPalace(from, false) && inPalace(to, false)
}

// gap counts the men between two places of one line.
func (o *oracle) gap(a, b spot) (n int, ok bool) {
	if (a.file == b.file) == (a.rank == b.rank) {
		return 0, false
	}
	for _, s := range inside(a, b) {
		if _, full := o.men[s]; full {
			n++
		}
	}
	return n, true
}

// inside returns the places strictly between two of one line.
func inside(a, b spot) (list []spot) {
	if (a.file == b.file) == (a.rank == b.rank) {
		return nil
	}
	for f := 1; f <= 9; f++ {
		for r := 1; r <= 10; r++ {
			s := spot{f, r}
			if a.file == b.file && f == a.file && (r-a.rank)*(r-b.rank) < 0 || a.rank == b.rank && r == a.rank && (f-a.file)*(f-b.file) < 0 {
				list = append(list, s)
			}
		}
	}
	return list
}

func (o *oracle) kingOf(mine bool) (spot, bool) {
	for s, m := range o.men {
		if m.kind == syntax.King && m.mine == mine {
			return s, true
		}
	}
	return spot{}, false
}

// attackers returns those who attack the king of a side, facing kings aside.
func (o *oracle) attackers(mine bool) (list []spot) {
	k, ok := o.kingOf(mine)
	if !ok {
		return nil
	}
	for s, m := range o.men {
		if m.mine != mine && m.kind != syntax.King && o.goes(s, k, false) {
			list = append(list, s)
		}
	}
	return list
}

func (o *oracle) inCheck(mine bool) bool {
	a, ok := o.kingOf(mine)
	b, both := o.kingOf(!mine)
	if ok && both && a.file == b.file {
		if n, _ := o.gap(a, b); n == 0 {
			return true
		}
	}
	return len(o.attackers(mine)) > 0
}

func (o *oracle) canMove(mine bool) bool {
	for from, m := range o.men {
		if m.mine != mine {
			continue
		}
		for f := 1; f <= 9; f++ {
			for r := 1; r <= 10; r++ {
				to := spot{f, r}
				taken, full := o.men[to]
				if full && taken.mine == mine || !o.goes(from, to, false) {
					continue
				}
				delete(o.men, from)
				o.men[to] = m
				safe := !o.inCheck(mine)
				o.men[from] = m
				delete(o.men, to)
				if full {
					o.men[to] = taken
				}
				if safe {
					return true
				}
			}
		}
	}
	return false
}

// end returns how the enemy, to move, is lost: 1 not at all, 2 mated, 3 stuck.
func (o *oracle) end() int {
	if o.fate == 0 {
		o.fate = 1
		if !o.toMove && !o.canMove(false) {
			o.fate = 3
			if o.inCheck(false) {
				o.fate = 2
			}
		}
	}
	return o.fate
}

func (o *oracle) matedWithout(s spot) bool {
	m := o.men[s]
	if m.kind == syntax.King && !m.mine {
		return false
	}
	delete(o.men, s)
	mate := o.inCheck(false) && !o.canMove(false)
	o.men[s] = m
	return mate
}

// finds tells whether a pattern stands there in this view.
func (o *oracle) finds(p *syntax.Pattern) bool {
	at := make(map[int]spot)
	if s, ok := o.kingOf(false); ok {
		at[syntax.RoleK] = s
	}
	if s, ok := o.kingOf(true); ok {
		at[syntax.RoleG] = s
	}
	ofKings := usesKings(p)
	return o.assign(p, 0, at, ofKings)
}

// usesKings returns the kings that a definition names: no other role may stand
// where they do.
func usesKings(p *syntax.Pattern) map[int]bool {
	text := p.Definition()
	m := map[int]bool{}
	for _, word := range tokenWords(text) {
		switch word {
		case "k":
			m[syntax.RoleK] = true
		case "g":
			m[syntax.RoleG] = true
		}
	}
	// To check is to attack the king, but names no role.
	return m
}

func tokenWords(text string) (list []string) {
	word := ""
	for _, r := range text + " " {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			word += string(r)
			continue
		}
		list = append(list, word)
		word = ""
	}
	return list
}

func (o *oracle) assign(p *syntax.Pattern, i int, at map[int]spot, kings map[int]bool) bool {
	if i == len(p.Lets) {
		for j, r := range p.Lets {
			if r.Area != nil && !o.area(r.Area, at)[at[j+syntax.FirstRole]] {
				return false
			}
		}
		for _, c := range p.Wheres {
			if !o.says(c, at) {
				return false
			}
		}
		return true
	}
next:
	for s, m := range o.men {
		if !isOf(p.Lets[i].Pieces, m) {
			continue
		}
		for j, other := range at {
			if other == s && j != i+syntax.FirstRole && (j >= syntax.FirstRole || kings[j]) {
				continue next
			}
		}
		at[i+syntax.FirstRole] = s
		found := o.assign(p, i+1, at, kings)
		delete(at, i+syntax.FirstRole)
		if found {
			return true
		}
	}
	return false
}

func isOf(p syntax.Pieces, m man) bool {
	return p.Kinds>>m.kind&1 != 0 && (p.Whose == syntax.Either || (p.Whose == syntax.Our) == m.mine)
}

func spotOf(p syntax.Place, at map[int]spot) spot {
	if p.Role == syntax.NoRole {
		return spot{int(p.Point)%9 + 1, int(p.Point)/9 + 1}
	}
	return at[p.Role]
}

// area returns the points of an area.
func (o *oracle) area(a *syntax.Area, at map[int]spot) map[spot]bool {
	set := map[spot]bool{}
	for f := 1; f <= 9; f++ {
		for r := 1; r <= 10; r++ {
			s := spot{f, r}
			in := false
			switch a.Op {
			case syntax.OnFiles:
				in = a.Lines>>f&1 != 0
			case syntax.OnRanks:
				in = a.Lines>>r&1 != 0
			case syntax.OnPoints:
				in = slices.Contains(a.Points, uint8((r-1)*9+f-1))
			case syntax.NamedArea:
				switch syntax.Xiangqi.Areas[a.Named].Name {
				case "palace":
					in = inPalace(s, false)
				case "our palace":
					in = inPalace(s, true)
				case "their half":
					in = r > 5
				case "our half":
					in = r < 6
				case "river":
					in = r == 5 || r == 6
				case "edge":
					in = f == 1 || f == 9
				case "board":
					in = true
				}
			case syntax.BesideOf:
				p := spotOf(a.A, at)
				in = near(p, s)
				if m, ok := o.men[p]; ok && m.kind == syntax.King {
					in = in && (inPalace(s, true) || inPalace(s, false))
				}
			case syntax.LineOf:
				p := spotOf(a.A, at)
				in = p != s && (p.file == f || p.rank == r)
			case syntax.ReachOf:
				in = o.goes(spotOf(a.A, at), s, false)
			}
			if in {
				set[s] = true
			}
		}
	}
	switch a.Op {
	case syntax.BetweenOf:
		for _, s := range inside(spotOf(a.A, at), spotOf(a.B, at)) {
			set[s] = true
		}
	case syntax.Both, syntax.One, syntax.Without:
		x, y := o.area(a.Kids[0], at), o.area(a.Kids[1], at)
		for f := 1; f <= 9; f++ {
			for r := 1; r <= 10; r++ {
				s := spot{f, r}
				if a.Op == syntax.Both && x[s] && y[s] || a.Op == syntax.One && (x[s] || y[s]) || a.Op == syntax.Without && x[s] && !y[s] {
					set[s] = true
				}
			}
		}
	}
	return set
}

func near(a, b spot) bool {
	df, dr := a.file-b.file, a.rank-b.rank
	return df*df+dr*dr == 1
}

func (o *oracle) says(c *syntax.Condition, at map[int]spot) bool {
	a, b := spotOf(c.A, at), spotOf(c.B, at)
	switch c.Op {
	case syntax.Mated:
		return o.end() == 2
	case syntax.Stalemated:
		return o.end() == 3
	case syntax.InCheck:
		return len(o.attackers(false)) > 0
	case syntax.OurTurn:
		return o.toMove
	case syntax.TheirTurn:
		return !o.toMove
	case syntax.Checks:
		for _, s := range o.attackers(false) {
			if s == a {
				return true
			}
		}
		return false
	case syntax.Shuts:
		return o.shuts(a, func(s spot) bool { return c.B.Role == syntax.RoleK || s == b })
	case syntax.Attacks:
		m, ok := o.men[b]
		return ok && m.mine != o.men[a].mine && o.goes(a, b, false)
	case syntax.Guards:
		if c.B.Role == syntax.NoRole {
			return o.goes(a, b, true)
		}
		return o.men[b].mine == o.men[a].mine && o.goes(a, b, false)
	case syntax.Reaches:
		return o.goes(a, b, false)
	case syntax.Blocks:
		return o.blocks(a, b)
	case syntax.Pins:
		return o.pins(a, b)
	case syntax.Screens:
		return o.screens(a, b)
	case syntax.OnArea:
		return o.area(c.Area, at)[a]
	case syntax.IsKind:
		return c.Kinds>>o.men[a].kind&1 != 0
	case syntax.IsBetween:
		for _, s := range inside(b, spotOf(c.C, at)) {
			if s == a {
				return true
			}
		}
		return false
	case syntax.IsBeside:
		return near(a, b)
	case syntax.Empty:
		for s := range o.area(c.Area, at) {
			if _, full := o.men[s]; full {
				return false
			}
		}
		return true
	case syntax.Essential:
		return o.end() == 2 && !o.matedWithout(a)
	case syntax.Compared:
		x, ok := o.number(c.Numbers[0], at)
		y, too := o.number(c.Numbers[1], at)
		return ok && too && [...]bool{x == y, x != y, x < y, x <= y, x > y, x >= y}[c.Compare]
	case syntax.Not:
		return !o.says(c.Kids[0], at)
	case syntax.And:
		for _, kid := range c.Kids {
			if !o.says(kid, at) {
				return false
			}
		}
		return true
	case syntax.Or:
		for _, kid := range c.Kids {
			if o.says(kid, at) {
				return true
			}
		}
		return false
	}
	return o.happened(c, at)
}

// shuts: the king goes to each point beside it in turn, and who attacks it there is
// looked at.
func (o *oracle) shuts(a spot, asked func(spot) bool) bool {
	k, ok := o.kingOf(false)
	if !ok || a == k {
		return false
	}
	blocker := !o.men[a].mine
	for f := 4; f <= 6; f++ {
		for r := 8; r <= 10; r++ {
			to := spot{f, r}
			taken, full := o.men[to]
			if !near(k, to) || !asked(to) || full && !taken.mine && to != a {
				continue
			}
			delete(o.men, k)
			o.men[to] = man{false, syntax.King}
			who := o.attackers(false)
			if g, ok := o.kingOf(true); ok && g.file == to.file {
				if n, ok := o.gap(g, to); ok && n == 0 {
					who = append(who, g)
				}
			}
			delete(o.men, to)
			if full {
				o.men[to] = taken
			}
			o.men[k] = man{false, syntax.King}
			if blocker && to == a && len(who) == 0 || !blocker && len(who) == 1 && who[0] == a {
				return true
			}
		}
	}
	return false
}

// blocks: without the man on a, the one on b would reach more.
func (o *oracle) blocks(a, b spot) bool {
	by, on := o.men[a], o.men[b]
	if on.kind != syntax.Horse && on.kind != syntax.Elephant {
		return false
	}
	count := func() (n int) {
		for f := 1; f <= 9; f++ {
			for r := 1; r <= 10; r++ {
				if o.goes(b, spot{f, r}, false) {
					n++
				}
			}
		}
		return n
	}
	before := count()
	delete(o.men, a)
	after := count()
	o.men[a] = by
	return after > before
}

// pins: without the man on b, the one on a would reach what it does not reach now.
func (o *oracle) pins(a, b spot) bool {
	by, on := o.men[a], o.men[b]
	if by.mine == on.mine || by.kind != syntax.King && by.kind != syntax.Chariot && by.kind != syntax.Cannon {
		return false
	}
	hits := func(t spot) bool {
		if by.kind == syntax.King {
			n, ok := o.gap(a, t)
			return ok && n == 0 && a.file == t.file
		}
		return o.goes(a, t, false)
	}
	for t, m := range o.men {
		if t == b || m.mine == by.mine || m.kind != syntax.King && (m.kind != syntax.Chariot || by.kind == syntax.King) || hits(t) {
			continue
		}
		delete(o.men, b)
		now := hits(t)
		o.men[b] = on
		between := false
		for _, s := range inside(a, t) {
			between = between || s == b
		}
		if now && between {
			return true
		}
	}
	return false
}

func (o *oracle) screens(x, c spot) bool {
	if o.men[c].kind != syntax.Cannon {
		return false
	}
	for t, m := range o.men {
		if m.mine == o.men[c].mine || !o.goes(c, t, false) {
			continue
		}
		for _, s := range inside(c, t) {
			if s == x {
				return true
			}
		}
	}
	return false
}

func (o *oracle) number(n *syntax.Number, at map[int]spot) (int, bool) {
	a, b := spotOf(n.A, at), spotOf(n.B, at)
	switch n.Op {
	case syntax.Literal:
		return n.N, true
	case syntax.FileOf:
		return a.file, true
	case syntax.RankOf:
		return a.rank, true
	case syntax.PiecesBetween:
		return o.gap(a, b)
	case syntax.Distance:
		_, ok := o.gap(a, b)
		return abs(a.file-b.file) + abs(a.rank-b.rank), ok
	case syntax.Across:
		return abs(a.file - b.file), true
	case syntax.Along:
		return abs(a.rank - b.rank), true
	case syntax.CountPieces:
		in := map[spot]bool(nil)
		if n.Area != nil {
			in = o.area(n.Area, at)
		}
		k := 0
		for s, m := range o.men {
			if isOf(n.Pieces, m) && (in == nil || in[s]) {
				k++
			}
		}
		return k, true
	case syntax.CountPoints:
		return len(o.area(n.Area, at)), true
	case syntax.Checkers:
		return len(o.attackers(false)), true
	case syntax.Needed:
		if o.end() != 2 {
			return 0, true
		}
		k := 0
		for f := 1; f <= 9; f++ {
			for r := 1; r <= 10; r++ {
				if m, ok := o.men[spot{f, r}]; ok && m.mine && !o.matedWithout(spot{f, r}) {
					k++
				}
			}
		}
		return k, true
	case syntax.Plies:
		if o.usual {
			return len(o.moves), true
		}
		return 1000, true
	}
	x, ok := o.number(n.Kids[0], at)
	y, too := o.number(n.Kids[1], at)
	if n.Op == syntax.Minus {
		y = -y
	}
	return x + y, ok && too
}

// happened tells whether a condition on moves is true. Every move is replayed
// backwards with the men marked by where they stand now.
func (o *oracle) happened(c *syntax.Condition, at map[int]spot) bool {
	now := make([]spot, len(o.moves)) // where the mover of each move stands now; rank 0 where it was taken
	where := map[spot]spot{}
	for f := 1; f <= 9; f++ {
		for r := 1; r <= 10; r++ {
			where[spot{f, r}] = spot{f, r}
		}
	}
	for i := len(o.moves) - 1; i >= 0; i-- {
		m := o.moves[i]
		now[i] = where[m.to]
		where[m.from] = where[m.to]
		where[m.to] = spot{} // who stood there then was taken
	}
	fits := func(m *syntax.Move, i int) bool {
		mv := o.moves[i]
		if m.Role != syntax.NoRole && now[i] != at[m.Role] || m.Role == syntax.NoRole && !isOf(m.Pieces, mv.piece) {
			return false
		}
		if m.From != nil && !o.area(m.From, at)[mv.from] || m.To != nil && !o.area(m.To, at)[mv.to] {
			return false
		}
		return m.Took == nil || mv.took != nil && isOf(*m.Took, *mv.took)
	}
	both := func(i int) bool {
		before := c.After != nil && i > 0 && fits(c.After, i-1)
		return fits(c.Move, i) && (c.After == nil || before != c.Unlike)
	}
	switch c.Op {
	case syntax.Last:
		return len(o.moves) > 0 && both(len(o.moves)-1)
	case syntax.Early:
		if !o.usual {
			return false
		}
		count := map[bool]int{}
		for i, mv := range o.moves {
			count[mv.piece.mine]++
			if count[mv.piece.mine] <= c.N && fits(c.Move, i) {
				return true
			}
			if c.Before != nil && fits(c.Before, i) {
				return false
			}
		}
		return false
	}
	var mine []int
	for i, mv := range o.moves {
		if mv.piece.mine {
			mine = append(mine, i)
		}
	}
	if c.Op == syntax.Always && len(mine) < c.N {
		return false
	}
	some, all := false, true
	for _, i := range mine[max(0, len(mine)-c.N):] {
		if both(i) {
			some = true
		} else {
			all = false
		}
	}
	return c.Op == syntax.Lately && some || c.Op == syntax.Always && all
}
