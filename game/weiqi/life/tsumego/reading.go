package tsumego

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life/pn"
)

// threats tells who may retake a ko at once, as who has more ko threats does.
type threats uint8

const (
	nobody threats = iota
	attacker
	defender
)

// reading is a frame as the search walks through it. The prover is the attacker,
// White; the defender is Black. Moves are numbers of points, or pass.
type reading struct {
	little
	threats threats
	eyes    bool // the defender needs two eyes: seki is not enough
	cutter
}

const pass = pn.Move(none)

// reset sets the reading up at the beginning of a problem.
func (r *reading) reset(f *frame, cut Cut) {
	r.little.reset(f)
	r.cutter.reset(f, cut)
}

// Key implements pn.Problem.
func (r *reading) Key() uint64 { return r.now().key }

// Proves implements pn.Problem.
func (r *reading) Proves() bool { return r.now().turn == weiqi.White }

// mayRetake reports whether the side to move may take back a ko at once.
func (r *reading) mayRetake() bool {
	return r.threats == attacker && r.Proves() || r.threats == defender && !r.Proves()
}

// ko returns the point that the ko forbids the side to move, or none.
func (r *reading) ko() int {
	if r.mayRetake() {
		return none
	}
	return int(r.now().ko)
}

// Evaluate implements pn.Problem.
func (r *reading) Evaluate() (result pn.Result, proof, disproof uint32) {
	s := r.now()
	if empty(s.left) {
		return pn.Proved, 0, 0
	}
	if s.last != none && r.Proves() {
		if at := first(s.liberties(&s.blocks[s.last])); at != r.ko() {
			return pn.Proved, 0, 0
		}
	}
	if result = r.judge(&r.little, r.eyes); result == pn.Unknown {
		proof, disproof = r.guess(&r.little)
	}
	return result, proof, disproof
}

// AppendMoves implements pn.Problem.
func (r *reading) AppendMoves(dst []pn.Move) []pn.Move {
	s, side, ko := r.now(), r.now().turn, r.ko()
	try := andNot(s.reach, s.occupied())
	rescues := side == weiqi.Black && s.last != none
	if rescues {
		try = r.rescues(s)
	}
	// Who takes a ko from a side with threats has it taken back at once, and nothing
	// has changed.
	vain := r.threats != nobody && !r.mayRetake()
	for !empty(try) {
		at := pop(&try)
		if at == ko || !r.breathes(s, side, at) || vain && r.takesKo(s, side, at) || side == weiqi.Black && r.fillsEye(s, at) {
			continue
		}
		dst = append(dst, pn.Move(at))
	}
	// Where the attacker passes the defender passes too, and lives: a pass is of
	// use to him only to wait for the ko, or to be shown two eyes. Where these are
	// asked for, the attacker answers a pass with a pass.
	if !rescues && (r.eyes != (side == weiqi.Black) || ko != none) {
		dst = append(dst, pass)
	}
	return dst
}

// rescues returns the points where a defender whose last block is in atari may save
// it: its liberty, and those of enemies beside it that are in atari.
func (r *reading) rescues(s *state) set {
	b := &s.blocks[s.last]
	try := s.liberties(b)
	for enemy := and(b.near, s.stones[weiqi.White]); !empty(enemy); {
		e := s.at(first(enemy))
		enemy = andNot(enemy, e.stones)
		if l := s.liberties(e); !e.safe && single(l) {
			try = or(try, l)
		}
	}
	return try
}

// fillsEye reports whether a point is an eye of one black block: to fill it is never
// better than to pass, since White can play there only to take the block.
func (r *reading) fillsEye(s *state, at int) bool {
	near := r.near[at]
	return !empty(near) && !has(r.wallside, at) && within(near, s.stones[weiqi.Black]) && within(near, s.at(first(near)).stones)
}

// takesKo reports whether a move takes a stone that can be taken back at once, and
// is none of the target.
func (r *reading) takesKo(s *state, side game.Side, at int) bool {
	near := r.near[at]
	if !within(near, s.stones[1-side]) || side == weiqi.White && has(r.wallside, at) {
		return false
	}
	var taken set
	for enemy := near; !empty(enemy); {
		b := s.at(first(enemy))
		enemy = andNot(enemy, b.stones)
		if !b.safe && single(s.liberties(b)) {
			taken = or(taken, b.stones)
		}
	}
	return single(taken) && !meets(taken, s.left)
}

// Play implements pn.Problem.
func (r *reading) Play(m pn.Move) {
	r.play(int(m))
	if s := r.now(); s.ko != none && r.threats != nobody {
		// One side may take back at once, the other one does not want to.
		s.key ^= board.Zobrist(koKey, r.points[s.ko])
		s.ko = none
	}
}

// Undo implements pn.Problem.
func (r *reading) Undo() { r.stack = r.stack[:len(r.stack)-1] }
