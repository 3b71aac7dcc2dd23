package chess

import "qipu/game/chess/attack"

// score is two values in one word, which add up and can be multiplied together: that of a
// full board in the high half, and that of an empty one in the low half.
type score int32

func both(full, empty int) score { return score(full)<<16 + score(empty) }

func (s score) full() int  { return int((s + 0x8000) >> 16) }
func (s score) empty() int { return int(int16(s)) }

// The terms of the evaluation that are not where a piece stands. Each is counted for White
// and taken off for Black; names with a number of values have one for each.
const (
	knightGoes    = 0                 // by the squares that a knight may go to, 9
	bishopGoes    = knightGoes + 9    // 14
	rookGoes      = bishopGoes + 14   // 15
	queenGoes     = rookGoes + 15     // 28
	passedPawn    = queenGoes + 28    // by the rank that it has reached, 8
	passedFree    = passedPawn + 8    // whose next square is free, likewise
	passedGuarded = passedFree + 8    // that a pawn guards
	passedOwnKing = passedGuarded + 1 // by the distance of its own king from the next square, 8
	passedKing    = passedOwnKing + 8 // by that of the other one, 8
	candidate     = passedKing + 8    // pawns with a free way ahead and not enough enemies beside it
	isolated      = candidate + 1
	doubled       = isolated + 1
	backward      = doubled + 1
	besides       = backward + 1 // pawns that stand side by side, by rank, 8
	chained       = besides + 8  // that are guarded by another, by rank, 8
	bishopPair    = chained + 8
	bishopPawns   = bishopPair + 1  // own pawns on the colour of a bishop
	outpostKnight = bishopPawns + 1 // guarded by a pawn, out of the reach of others
	outpostBishop = outpostKnight + 1
	behindPawn    = outpostBishop + 1 // minor pieces with a pawn before them
	openRook      = behindPawn + 1
	halfOpenRook  = openRook + 1
	seventhRook   = halfOpenRook + 1
	behindPasser  = seventhRook + 1  // rooks behind a passed pawn of their own
	shield        = behindPasser + 1 // pawns before the king: on the next rank, on the one behind
	bareFile      = shield + 2       // files at the king without own pawns, without any pawns
	storm         = bareFile + 2     // enemy pawns that come near the king, by rank, 8
	danger        = storm + 8        // by what attacks the squares around the enemy's king, 24
	checkKnight   = danger + 24      // squares from which a piece gives check unharmed
	checkBishop   = checkKnight + 1
	checkRook     = checkBishop + 1
	checkQueen    = checkRook + 1
	pawnHitsMinor = checkQueen + 1 // threats
	pawnHitsMajor = pawnHitsMinor + 1
	minorHits     = pawnHitsMajor + 1 // minor pieces that hit a rook or a queen
	rookHits      = minorHits + 1     // rooks that hit a queen
	loosePiece    = rookHits + 1      // pieces that are attacked and not guarded
	loosePawn     = loosePiece + 1
	pushThreat    = loosePawn + 1  // pieces that a safe step of a pawn would attack
	space         = pushThreat + 1 // safe squares behind the own pawns in the centre
	tempo         = space + 1
	terms         = tempo + 1
)

// counts are how often each term holds, White's less Black's.
type counts [terms]int16

// phaseOf is how full the board is.
var phaseOf = [kinds]int{0, 8, 4, 2, 2, 0}

const fullPhase = 2 * (8 + 2*4 + 4*2)

// evaluate returns the value of the position for the side to move, in hundredths of a pawn.
func (b *position) evaluate() int {
	var c counts
	b.tell(&c)
	sum := b.sum
	for i, n := range c {
		if n != 0 {
			sum += score(n) * weights[i]
		}
	}
	v := b.mix(sum)
	if b.turn == 1 {
		v = -v
	}
	return v
}

// mix returns the value between those of a full board and of an empty one. Where the side
// ahead has little left to win with, it counts less.
func (b *position) mix(sum score) int {
	phase := min(b.full, fullPhase)
	v := (sum.full()*phase + sum.empty()*(fullPhase-phase)) / fullPhase
	return v * b.hope(v > 0) / 64
}

// hope is how much of an advantage can become a win, in parts of 64.
func (b *position) hope(white bool) int {
	us := 1
	if white {
		us = 0
	}
	own, other := &b.of[us], &b.of[us^1]
	pieces := func(of *[kinds]set) int {
		return 3*(of[knight]|of[bishop]).Count() + 5*of[rook].Count() + 9*of[queen].Count()
	}
	n := own[pawn].Count()
	if n == 0 {
		if x, y := pieces(own), pieces(other); x-y <= 3 {
			if x <= 3 {
				return 0
			}
			return 8
		}
		if own[rook]|own[queen]|own[bishop] == 0 && own[knight].Count() <= 2 {
			return 0 // two knights
		}
	}
	if (own[queen]|own[rook]|own[knight]|other[queen]|other[rook]|other[knight]) == 0 && own[bishop].Count() == 1 && other[bishop].Count() == 1 &&
		(own[bishop]&attack.Dark == 0) != (other[bishop]&attack.Dark == 0) {
		return 32 // bishops that never meet
	}
	return min(64, 44+6*n)
}

var (
	fileOf  [64]set
	beside  [64]set    // files next to that of a square
	ahead   [2][64]set // squares before one, on its file
	span    [2][64]set // those and the ones beside them
	ring    [2][64]set // around a king, and a rank further
	flanks  [64]set    // the file of a square and those next to it
	steps   [64][64]uint8
	towards [2][64]uint8 // the rank as a side counts it
)

func init() {
	for s := range square(64) {
		f := s.File()
		fileOf[s] = attack.FileA << f
		if f > 0 {
			beside[s] |= attack.FileA << (f - 1)
		}
		if f < 7 {
			beside[s] |= attack.FileA << (f + 1)
		}
		flanks[s] = fileOf[s] | beside[s]
		for r := range 8 {
			row := attack.Rank1 << (8 * r)
			if r > s.Rank() {
				ahead[0][s] |= fileOf[s] & row
				span[0][s] |= flanks[s] & row
			}
			if r < s.Rank() {
				ahead[1][s] |= fileOf[s] & row
				span[1][s] |= flanks[s] & row
			}
		}
		towards[0][s], towards[1][s] = uint8(s.Rank()), uint8(7-s.Rank())
		for t := range square(64) {
			x, y := s.File()-t.File(), s.Rank()-t.Rank()
			steps[s][t] = uint8(max(x, -x, y, -y))
		}
		for side := range ring {
			for t := range square(64) {
				y := t.Rank() - s.Rank()
				if side == 1 {
					y = -y
				}
				x := t.File() - min(max(f, 1), 6)
				if x >= -1 && x <= 1 && y >= -1 && y <= 2 {
					ring[side][s] |= t.Bit()
				}
			}
		}
	}
}

// forward and struck return the squares that a side's pawns go to, or strike.
func forward(side int, pawns set) set {
	if side == 0 {
		return pawns << 8
	}
	return pawns >> 8
}

func struck(side int, pawns set) set {
	if side == 0 {
		return pawns&^attack.FileA<<7 | pawns&^attack.FileH<<9
	}
	return pawns&^attack.FileA>>9 | pawns&^attack.FileH>>7
}

// sight is what the pieces of a side see.
type sight struct {
	by    [kinds]set
	all   set
	twice set
	units int // of danger to the other king
}

func (s *sight) add(k int, to set) {
	s.twice |= s.all & to
	s.all |= to
	s.by[k] |= to
}

// centre are the squares that space is counted on, by side.
var centre = [2]set{
	0x3C3C3C << 8,
	0x3C3C3C << 32,
}

// tell counts the terms.
func (b *position) tell(c *counts) {
	var seen [2]sight
	for side := range seen {
		seen[side].add(pawn, struck(side, b.of[side][pawn]))
		seen[side].add(king, attack.Leaps[attack.OfKing][b.of[side][king].First()&63])
	}
	b.tellPawns(c)
	for side := range seen {
		b.tellPieces(c, side, &seen)
	}
	for side := range seen {
		b.tellThreats(c, side, &seen[side], &seen[side^1])
	}
	c[tempo] = int16(1 - 2*b.turn)
}

// tellPawns counts what pawns alone decide.
func (b *position) tellPawns(c *counts) {
	all := b.all()
	for side := range 2 {
		sign := int16(1 - 2*side)
		own, other := b.of[side][pawn], b.of[side^1][pawn]
		guarded := struck(side, own)
		for rest := own; rest != 0; {
			s := rest.Pop() & 63
			r := int(towards[side][s])
			mates := own & beside[s]
			switch {
			case mates == 0:
				c[isolated] += sign
			case mates&^(span[side][s]) == 0 && mates&(attack.Rank1<<(s&56)) == 0 && attack.Strikes[side][forward(side, s.Bit()).First()&63]&other != 0:
				c[backward] += sign // all the pawns beside it have gone by, and an enemy waits
			}
			if ahead[side][s]&own != 0 {
				c[doubled] += sign
			}
			if mates&(attack.Rank1<<(s&56)) != 0 {
				c[besides+r] += sign
			}
			if guarded.Has(s) {
				c[chained+r] += sign
			}
			if ahead[side][s]&(own|other) != 0 {
				continue
			}
			if span[side][s]&other != 0 {
				if r >= 3 && (span[side][s]&^fileOf[s]&other).Count() <= mates.Count() {
					c[candidate] += sign
				}
				continue
			}
			next := forward(side, s.Bit())
			c[passedPawn+r] += sign
			if next&all == 0 {
				c[passedFree+r] += sign
			}
			if guarded.Has(s) {
				c[passedGuarded] += sign
			}
			if r >= 3 {
				n := next.First() & 63
				c[passedOwnKing+int(steps[b.of[side][king].First()&63][n])] += sign
				c[passedKing+int(steps[b.of[side^1][king].First()&63][n])] += sign
			}
			if ahead[side^1][s]&b.of[side][rook] != 0 {
				c[behindPasser] += sign
			}
		}
		// The king behind its pawns.
		k := b.of[side][king].First() & 63
		near := flanks[k]
		if f := k.File(); f == 0 || f == 7 {
			near |= beside[k^1]
		}
		first := forward(side, attack.Rank1<<(k&56))
		c[shield] += sign * int16((own & near & first).Count())
		c[shield+1] += sign * int16((own & near & forward(side, first)).Count())
		for f := max(k.File()-1, 0); f <= min(k.File()+1, 7); f++ {
			line := attack.FileA << f
			switch {
			case own&line == 0 && other&line == 0:
				c[bareFile+1] += sign
			case own&line == 0:
				c[bareFile] += sign
			}
		}
		for rest := other & near & span[side][k]; rest != 0; {
			c[storm+int(towards[side][rest.Pop()&63])] += sign
		}
	}
}

// units are what an attack on a square around the king counts, by kind.
var units = [kinds]int{0, 4, 3, 2, 2, 0}

// tellPieces counts what the pieces of a side do.
func (b *position) tellPieces(c *counts, side int, seen *[2]sight) {
	sign := int16(1 - 2*side)
	see, other := &seen[side], &seen[side^1]
	all := b.all()
	pawns, theirs := b.of[side][pawn], b.of[side^1][pawn]
	around := ring[side^1][b.of[side^1][king].First()&63]
	free := ^(b.of[side][king] | other.by[pawn] | pawns&forward(side^1, all))
	attackers := 0
	through := [kinds]set{queen: all, rook: all &^ (b.of[side][rook] | b.of[side][queen]), bishop: all &^ b.of[side][queen], knight: all}
	for k := queen; k <= knight; k++ {
		for rest := b.of[side][k]; rest != 0; {
			s := rest.Pop() & 63
			to := reach(uint8(k), s, through[k])
			see.add(k, to)
			if hits := (to & around).Count(); hits > 0 {
				attackers++
				see.units += units[k] * hits
			}
			n := (to & free).Count()
			switch k {
			case queen:
				c[queenGoes+min(n, 27)] += sign
			case rook:
				c[rookGoes+min(n, 14)] += sign
				switch {
				case fileOf[s]&(pawns|theirs) == 0:
					c[openRook] += sign
				case fileOf[s]&pawns == 0:
					c[halfOpenRook] += sign
				}
				if towards[side][s] == 6 && (theirs&(attack.Rank1<<(s&56)) != 0 || towards[side][b.of[side^1][king].First()&63] == 7) {
					c[seventhRook] += sign
				}
			case bishop:
				c[bishopGoes+min(n, 13)] += sign
				shade := attack.Dark
				if !attack.Dark.Has(s) {
					shade = ^attack.Dark
				}
				c[bishopPawns] += sign * int16((pawns & shade).Count())
			case knight:
				c[knightGoes+min(n, 8)] += sign
			}
			if k >= bishop {
				if r := towards[side][s]; r >= 3 && r <= 5 && see.by[pawn].Has(s) && span[side][s]&^fileOf[s]&theirs == 0 {
					c[outpostKnight+(knight-k)] += sign
				}
				if forward(side, s.Bit())&pawns != 0 {
					c[behindPawn] += sign
				}
			}
		}
	}
	if b.of[side][bishop]&attack.Dark != 0 && b.of[side][bishop]&^attack.Dark != 0 {
		c[bishopPair] += sign
	}
	if attackers > 1 || attackers == 1 && b.of[side][queen] != 0 {
		c[danger+min(see.units*(1+attackers)/4, 23)] += sign
	}
}

// tellThreats counts what needs the sight of both sides.
func (b *position) tellThreats(c *counts, side int, see, other *sight) {
	sign := int16(1 - 2*side)
	them := &b.of[side^1]
	all, own, enemy := b.all(), b.own[side], b.own[side^1]
	// Checks from squares that are not guarded, or only by the king and attacked twice.
	k := them[king].First()
	safe := ^own & (^other.all | see.twice&^other.twice&other.by[king]&^(other.by[pawn]|other.by[knight]|other.by[bishop]|other.by[rook]|other.by[queen]))
	slant, straight := attack.Slide(attack.OfBishop, k, all&^them[queen]), attack.Slide(attack.OfRook, k, all&^them[queen])
	n := func(term int, to set) { c[term] += sign * int16((to & safe).Count()) }
	n(checkKnight, attack.Leaps[attack.OfKnight][k&63]&see.by[knight])
	n(checkBishop, slant&see.by[bishop])
	n(checkRook, straight&see.by[rook])
	n(checkQueen, (slant|straight)&see.by[queen])
	// Threats.
	minor, major := them[knight]|them[bishop], them[rook]|them[queen]
	count := func(term int, to set) { c[term] += sign * int16(to.Count()) }
	count(pawnHitsMinor, see.by[pawn]&minor)
	count(pawnHitsMajor, see.by[pawn]&major)
	count(minorHits, (see.by[knight]|see.by[bishop])&major)
	count(rookHits, see.by[rook]&them[queen])
	loose := see.all &^ other.all & enemy
	count(loosePiece, loose&(minor|major))
	count(loosePawn, loose&them[pawn])
	to := forward(side, b.of[side][pawn]) &^ all
	to &^= other.by[pawn] | other.all&^see.all
	count(pushThreat, struck(side, to)&(minor|major)&^see.by[pawn])
	room := centre[side] &^ b.of[side][pawn] &^ other.by[pawn]
	count(space, room)
}
