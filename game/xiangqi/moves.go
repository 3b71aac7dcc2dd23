package xiangqi

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

// view is what the side to move must heed to keep its king safe. It is made
// at most once per position, and decides most moves without trying them.
type view struct {
	known bool
	check bool // the king is attacked

	// allow holds the squares that pieces other than the king may go to: in
	// check those that may end it, otherwise all but the ones that would become
	// a screen for a bare cannon.
	allow set

	// test holds the own pieces whose moves are tried one by one, because they
	// stand on the line of a chariot or cannon or on the leg of a horse.
	test set
}

var everywhere = attack.Everywhere

// survey returns the view of the side to move.
func (p *Position) survey() *view {
	if !p.view.known {
		p.view = p.viewOf(p.turn)
	}
	return &p.view
}

func (p *Position) viewOf(side game.Side) view {
	v := view{known: true, allow: everywhere}
	enemy := side ^ 1
	at, first := &p.at[enemy], &p.first[enemy]
	k := p.at[side][0]
	kx, ky := attack.X[k], attack.Y[k]
	if s := at[0]; attack.X[s] == kx {
		v.line(noScreen, s, attack.Column(kx, attack.Between[attack.Y[s]][ky]), attack.Column(kx, p.files[kx]>>1&attack.Between[attack.Y[s]][ky]))
	}
	for i := first[chariot]; i < first[horse]; i++ {
		p.lineTo(&v, at[i&(maxPieces-1)], k, noScreen)
	}
	for i := first[cannon]; i < first[soldier]; i++ {
		p.lineTo(&v, at[i&(maxPieces-1)], k, oneScreen)
	}
	for i := first[horse]; i < first[cannon]; i++ {
		h := at[i&(maxPieces-1)]
		if h == none {
			continue
		}
		if leg := attack.HorseLeg[k][h]; leg != none {
			if p.on[leg] == board.Empty {
				v.attacked(attack.Bit[leg].Or(attack.Bit[h]))
			} else {
				v.test.Add(leg)
			}
		}
	}
	pawn := pieceOf(enemy, soldier)
	for _, s := range [3]square{ahead(side, k), k - 1, k + 1} {
		if p.on[s] == pawn {
			v.attacked(attack.Bit[s])
		}
	}
	v.test = v.test.And(p.own[side])
	return v
}

const (
	noScreen  = 0 // screens that an attack along a line needs
	oneScreen = 1
)

// ahead returns the square in front of a king.
func ahead(side game.Side, k square) square {
	if side == game.First {
		return k - width
	}
	return k + width
}

// lineTo adds to the view what a chariot or cannon on s does along a line to
// the king on k.
func (p *Position) lineTo(v *view, s, k square, screens int) {
	if s == none {
		return
	}
	x, y, kx, ky := attack.X[s], attack.Y[s], attack.X[k], attack.Y[k]
	if x == kx {
		gap := attack.Between[y][ky]
		v.line(screens, s, attack.Column(x, gap), attack.Column(x, p.files[x]>>1&gap))
	} else if y == ky {
		gap := attack.Between[x][kx]
		v.line(screens, s, attack.Row(y, gap), attack.Row(y, p.rows[y+1]>>1&gap))
	}
}

// line adds a chariot or cannon on s, with the squares between it and the king
// and those of them that are occupied.
func (v *view) line(screens int, s square, gap, full set) {
	switch full.Count() - screens {
	case 0:
		v.attacked(gap.Or(attack.Bit[s]))
		v.test = v.test.Or(full) // a screen may step away
	case 1:
		v.test = v.test.Or(full)
	case -1:
		v.allow = v.allow.Less(gap)
	}
}

// attacked notes an attack on the king that can be ended only on these
// squares, or by the screen or the king stepping away.
func (v *view) attacked(ends set) {
	v.check = true
	v.allow = v.allow.And(ends)
}

// exposed reports whether the king of a side is attacked after one of its
// pieces has gone from one square to another. The move need not be legal
// otherwise, and nothing is changed.
func (p *Position) exposed(side game.Side, from, to square) bool {
	enemy := side ^ 1
	at, first := &p.at[enemy], &p.first[enemy]
	k := p.at[side][0]
	if k == from {
		k = to
	}
	kx, ky := attack.X[k], attack.Y[k]
	file, rank := p.files[kx]>>1, p.rows[ky+1]>>1
	if attack.X[from] == kx {
		file &^= 1 << attack.Y[from]
	}
	if attack.X[to] == kx {
		file |= 1 << attack.Y[to]
	}
	if attack.Y[from] == ky {
		rank &^= 1 << attack.X[from]
	}
	if attack.Y[to] == ky {
		rank |= 1 << attack.X[to]
	}
	if s := at[0]; attack.X[s] == kx && s != to && file&attack.Between[attack.Y[s]][ky] == 0 {
		return true
	}
	for i := first[chariot]; i < first[horse]; i++ {
		s := at[i&(maxPieces-1)]
		if s == none || s == to {
			continue
		}
		if x, y := attack.X[s], attack.Y[s]; x == kx && file&attack.Between[y][ky] == 0 || y == ky && rank&attack.Between[x][kx] == 0 {
			return true
		}
	}
	for i := first[cannon]; i < first[soldier]; i++ {
		s := at[i&(maxPieces-1)]
		if s == none || s == to {
			continue
		}
		if x, y := attack.X[s], attack.Y[s]; x == kx && single(file&attack.Between[y][ky]) || y == ky && single(rank&attack.Between[x][kx]) {
			return true
		}
	}
	for i := first[horse]; i < first[cannon]; i++ {
		s := at[i&(maxPieces-1)]
		if s == none || s == to {
			continue
		}
		leg := attack.HorseLeg[k][s]
		if leg != none && leg != to && (leg == from || p.on[leg] == board.Empty) {
			return true
		}
	}
	pawn := pieceOf(enemy, soldier)
	for _, s := range [3]square{ahead(side, k), k - 1, k + 1} {
		if p.on[s] == pawn && s != to {
			return true
		}
	}
	return false
}

func single(line uint16) bool { return line != 0 && line&(line-1) == 0 }

// reach returns the squares that a piece goes to or protects: own pieces are
// not left out, and the safety of the king is not looked at. For a cannon the
// empty squares are those it goes to, the others those it takes or protects.
func (p *Position) reach(side game.Side, k kind, s square) set {
	x, y := attack.X[s], attack.Y[s]
	switch k {
	case chariot:
		return attack.Column(x, attack.Slide[y][p.files[x]>>1&1023]).Or(attack.Row(y, attack.Slide[x][p.rows[y+1]>>1&1023]&511))
	case cannon:
		return attack.Column(x, attack.Shoot[y][p.files[x]>>1&1023]).Or(attack.Row(y, attack.Shoot[x][p.rows[y+1]>>1&1023]&511))
	case horse:
		legs := p.rows[y+1]>>x&5 | p.files[x]>>y&5<<1
		return attack.HorseReach[s][legs&15]
	case soldier:
		return attack.SoldierReach[side&1][s]
	case elephant:
		eyes := p.rows[y]>>x&5 | p.rows[y+2]>>x&5<<1
		return attack.ElephantReach[side&1][s][eyes&15]
	case advisor:
		return attack.AdvisorReach[s]
	}
	return attack.KingReach[s]
}

// targets returns the squares that a piece of the side to move can legally go
// to.
func (p *Position) targets(v *view, k kind, s square) set {
	t := p.reach(p.turn, k, s).Less(p.own[p.turn])
	if k == king || v.test.Has(s) {
		return p.safe(s, t)
	}
	t = t.And(v.allow)
	if v.check {
		return p.safe(s, t)
	}
	return t
}

// safe returns the targets of a piece that do not leave its king attacked.
func (p *Position) safe(from square, targets set) set {
	for rest := targets; !rest.Empty(); {
		if to := rest.Pop(); p.exposed(p.turn, from, to) {
			targets = targets.Less(attack.Bit[to])
		}
	}
	return targets
}

// AppendMoves appends the legal moves to dst and returns it.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	v := p.survey()
	at, first := &p.at[p.turn], &p.first[p.turn]
	for k := range kinds {
		for i := first[k]; i < first[k+1]; i++ {
			s := at[i&(maxPieces-1)]
			if s == none {
				continue
			}
			for t := p.targets(v, k, s); !t.Empty(); {
				dst = append(dst, step(s, t.Pop()))
			}
		}
	}
	return dst
}

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() int {
	v := p.survey()
	at, first := &p.at[p.turn], &p.first[p.turn]
	n := 0
	for k := range kinds {
		for i := first[k]; i < first[k+1]; i++ {
			if s := at[i&(maxPieces-1)]; s != none {
				n += p.targets(v, k, s).Count()
			}
		}
	}
	return n
}

// stuck reports whether there is no legal move.
func (p *Position) stuck() bool {
	v := p.survey()
	at, first := &p.at[p.turn], &p.first[p.turn]
	for k := range kinds {
		// Backwards: soldiers and chariots have moves more often than kings.
		k = kinds - 1 - k
		for i := first[k]; i < first[k+1]; i++ {
			if s := at[i]; s != none && !p.targets(v, k, s).Empty() {
				return false
			}
		}
	}
	return true
}

// legal reports whether the side to move may go from one square to another.
func (p *Position) legal(from, to square) bool {
	piece := p.on[from]
	if !p.own[p.turn].Has(from) || p.own[p.turn].Has(to) {
		return false
	}
	k := kindOf(piece)
	if !p.reach(p.turn, k, from).Has(to) {
		return false
	}
	v := p.survey()
	if k == king || v.test.Has(from) {
		return !p.exposed(p.turn, from, to)
	}
	return v.allow.Has(to) && !(v.check && p.exposed(p.turn, from, to))
}
