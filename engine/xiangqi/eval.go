package xiangqi

import (
	"math/bits"

	"qipu/game/xiangqi/attack"
)

// score is two values in one word, which add up and can be multiplied together: that of
// a full board in the high half, and that of an empty one in the low half.
type score int32

func both(full, empty int) score { return score(full)<<16 + score(empty) }

func (s score) full() int  { return int((s + 0x8000) >> 16) }
func (s score) empty() int { return int(int16(s)) }

// The terms of the evaluation that are not where a piece stands. Each is counted for
// Red and taken off for Black.
const (
	freeChariot    = iota // squares that chariots go to
	freeCannon            // empty squares that cannons go to
	freeHorse             // squares that horses go to
	stuckHorse            // horses that go to one square or none
	hollowCannon          // cannons on the file of the king with nothing between
	boltCannon            // with two pieces between, one of them an advisor or elephant of the king
	bottomCannon          // on the last row, the row clear up to the king's wing
	palaceHits            // attacks on squares of the enemy's palace
	palaceCrowd           // the square of the number of attackers of the palace
	ringSafe              // squares around the own king that the enemy does not attack
	bareAdvisor           // missing advisors of the enemy for every chariot and horse
	bareElephant          // missing elephants of the enemy for every cannon and horse
	loneCannon            // cannons without an advisor or elephant of their own as a screen
	threatMinor           // horses and cannons attacked by soldiers, advisors, elephants, or unguarded
	threatMajor           // chariots attacked by anything else than a chariot, or unguarded
	threatSoldier         // soldiers attacked and unguarded
	linkedHorses          // horses that guard each other
	pairSoldiers          // soldiers beyond the river side by side
	guardedSoldier        // soldiers beyond the river that are guarded
	openChariot           // chariots on files without soldiers of their own
	homeChariot           // chariots in their corner whose row is shut
	cannonPieces          // cannons for every other piece on the board beyond 16
	horsePieces           // horses likewise
	chariotPair           //
	tempo                 // the move
	terms
)

// counts are how often each term holds, Red's less Black's.
type counts [terms]int32

// worth is the value of a kind of piece for exchanges.
var worth = [attack.Kinds + 1]int{10000, 170, 180, 900, 400, 440, 110, 0}

// phaseOf is how full the board is: of 32 shares for the start of the game.
var phaseOf = [attack.Kinds]int{0, 0, 0, 6, 3, 3, 1}

const fullPhase = 2*(2*6+2*3+2*3) + 10

// evaluate returns the value of the position for the side to move, in hundredths of a
// soldier.
func (b *position) evaluate() int {
	var c counts
	b.tell(&c)
	sum := b.sum
	for i := range c {
		sum += score(c[i]) * weights[i]
	}
	phase := b.phase()
	v := (sum.full()*phase + sum.empty()*(fullPhase-phase)) / fullPhase
	if b.turn == 1 {
		v = -v
	}
	return v
}

func (b *position) phase() int {
	n := 0
	for k := attack.Chariot; k < attack.Kinds; k++ {
		n += phaseOf[k] * int(b.count[k+1]+b.count[k+1+attack.Kinds])
	}
	return min(n, fullPhase)
}

// sight is what the pieces of a side see.
type sight struct {
	all   set // squares that some piece attacks or guards
	twice set
	minor set // by soldiers, advisors, elephants
	line  set // by anything but chariots
}

// tell counts the terms.
func (b *position) tell(c *counts) {
	var seen [2]sight
	var crowd [2]int
	for side := range 2 {
		sign := int32(1 - 2*side)
		see := &seen[side]
		palace := attack.Home[side^1][attack.King]
		own := b.own[side]
		enemy := side ^ 1
		ek := b.king[enemy]
		for rest := own; !rest.Empty(); {
			s := rest.Pop()
			k := kindOf[b.on[s]&15]
			r := b.reach(side, k, s)
			hits := r
			free := r.Less(own)
			switch k {
			case attack.Chariot:
				c[freeChariot] += sign * int32(free.Count())
				if b.count[pieceOf(side, attack.Soldier)] == 0 || !b.soldierOn(side, attack.X[s]) {
					c[openChariot] += sign
				}
			case attack.Cannon:
				// What it attacks lies behind a screen; what it goes to does not.
				c[freeCannon] += sign * int32(free.Less(b.own[enemy]).Count())
				x, y := attack.X[s], attack.Y[s]
				hits = attack.Column(x, behind[y][b.file(x)]).Or(attack.Row(y, behind[x][b.row(y)]&511))
				b.cannon(c, side, s, ek, sign)
			case attack.Horse:
				n := free.Count()
				c[freeHorse] += sign * int32(n)
				if n <= 1 {
					c[stuckHorse] += sign
				}
				for mates := r.And(own); !mates.Empty(); {
					if m := mates.Pop(); b.on[m] == b.on[s] && m > s {
						c[linkedHorses] += sign
					}
				}
			}
			see.twice = see.twice.Or(see.all.And(hits))
			see.all = see.all.Or(hits)
			switch k {
			case attack.Advisor, attack.Elephant, attack.Soldier:
				see.minor = see.minor.Or(hits)
			}
			if k != attack.Chariot {
				see.line = see.line.Or(hits)
			}
			if k >= attack.Chariot {
				if n := hits.And(palace).Count(); n > 0 {
					c[palaceHits] += sign * int32(n)
					crowd[side]++
				}
			}
		}
		c[palaceCrowd] += sign * int32(crowd[side]*crowd[side])
	}
	for side := range 2 {
		b.tellSide(c, side, &seen[side], &seen[side^1])
	}
	c[tempo] = int32(1 - 2*b.turn)
}

// tellSide counts what needs the sight of both sides.
func (b *position) tellSide(c *counts, side int, see, other *sight) {
	sign := int32(1 - 2*side)
	enemy := side ^ 1
	n := func(side int, k attack.Kind) int32 { return int32(b.count[pieceOf(side, k)]) }
	c[ringSafe] += sign * int32(attack.KingReach[b.king[side]].Less(other.all).Count())
	rest := n(enemy, attack.Advisor)
	c[bareAdvisor] += sign * (2 - min(rest, 2)) * (n(side, attack.Chariot) + n(side, attack.Horse))
	c[bareElephant] += sign * (2 - min(n(enemy, attack.Elephant), 2)) * (n(side, attack.Cannon) + n(side, attack.Horse))
	if n(side, attack.Advisor)+n(side, attack.Elephant) == 0 {
		c[loneCannon] += sign * n(side, attack.Cannon)
	}
	// Threats of the side against the pieces of the other.
	loose := see.all.Less(other.all)
	for hit := b.own[enemy].And(see.all); !hit.Empty(); {
		s := hit.Pop()
		switch kindOf[b.on[s]&15] {
		case attack.Horse, attack.Cannon:
			if see.minor.Has(s) || loose.Has(s) {
				c[threatMinor] += sign
			}
		case attack.Chariot:
			if see.line.Has(s) || loose.Has(s) {
				c[threatMajor] += sign
			}
		case attack.Soldier:
			if loose.Has(s) {
				c[threatSoldier] += sign
			}
		}
	}
	own := pieceOf(side, attack.Soldier)
	if b.count[own] > 0 {
		for y := range 5 {
			row := y
			if side == 1 {
				row = 9 - y
			}
			for line := b.row(uint8(row)); line != 0; line &= line - 1 {
				x := bits.TrailingZeros16(line)
				s := row*attack.Width + x
				if b.on[s] != own {
					continue
				}
				if x < attack.Width-1 && b.on[s+1] == own {
					c[pairSoldiers] += sign
				}
				if see.all.Has(square(s)) {
					c[guardedSoldier] += sign
				}
			}
		}
	}
	all := int32(b.own[0].Count() + b.own[1].Count())
	c[cannonPieces] += sign * n(side, attack.Cannon) * (all - 16)
	c[horsePieces] += sign * n(side, attack.Horse) * (all - 16)
	if n(side, attack.Chariot) >= 2 {
		c[chariotPair] += sign
	}
	back := 9 * (1 - side)
	for _, x := range [2]int{0, 8} {
		s := back*attack.Width + x
		if b.on[s] == pieceOf(side, attack.Chariot) {
			next, ahead := s+1-x/4, s-attack.Width+2*side*attack.Width
			if b.on[next] != 0 && b.on[ahead] != 0 {
				c[homeChariot] += sign
			}
		}
	}
}

// cannon counts what a cannon does to a king.
func (b *position) cannon(c *counts, side int, s, king square, sign int32) {
	x, y, kx, ky := attack.X[s], attack.Y[s], attack.X[king], attack.Y[king]
	if x == kx {
		between := b.file(x) & attack.Between[y][ky]
		switch bits.OnesCount16(between) {
		case 0:
			c[hollowCannon] += sign
		case 2:
			c[boltCannon] += sign
		}
	}
	last := uint8(9 * side)
	if y == last {
		between := b.row(y) & attack.Between[x][kx]
		if bits.OnesCount16(between) <= 2 {
			c[bottomCannon] += sign
		}
	}
}

// soldierOn reports whether a side has a soldier on a file.
func (b *position) soldierOn(side int, x uint8) bool {
	own := pieceOf(side, attack.Soldier)
	for line := b.file(x); line != 0; line &= line - 1 {
		if b.on[bits.TrailingZeros16(line)*attack.Width+int(x)] == own {
			return true
		}
	}
	return false
}
