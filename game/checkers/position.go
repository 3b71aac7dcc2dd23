package checkers

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/checkers/squares"
)

// quietPlies is how many plies without a capture, and without a man that moves, are a
// draw by claim.
const quietPlies = 80

// ByBlock is how games end: the side to move cannot.
const ByBlock game.Reason = "no move"

// The reasons why a move is refused.
var (
	errNotYours error = game.Illegal("no piece of yours stands there")
	errLight    error = game.Illegal("pieces stand on dark squares alone")
	errTaken    error = game.Illegal("a piece stands there")
	errForward  error = game.Illegal("men step forward by one square")
	errFar      error = game.Illegal("pieces step by one square")
	errMust     error = game.Illegal("there is a piece to be taken, and it must be")
	errJump     error = game.Illegal("no capture leads there")
	errOnward   error = game.Illegal("the capture goes on")
)

// state is what a move changes.
type state struct {
	men, kings [2]set
	turn       game.Side
	quiet      uint16
	hash       uint64
	from, to   board.Point
}

// Position is a moment of a game.
type Position struct {
	state
	planes  board.Planes
	history []state
	jumps   []capture // kept for its memory
}

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
)

// capture is a move that takes pieces: where from, where to, and which.
type capture struct {
	from, to uint8
	way      uint8
	taken    set
}

func (c *capture) move() game.Move {
	return game.Step(pointOf[c.from], pointOf[c.to]).By(int(c.way))
}

// put makes st the state, and the board and the key what it says.
func (p *Position) put(st state) {
	old := p.state
	p.state = st
	p.hash = old.hash
	for side := range st.men {
		p.redraw(2*side, old.men[side]^st.men[side])
		p.redraw(2*side+1, old.kings[side]^st.kings[side])
	}
	if old.turn != st.turn {
		p.hash ^= turnKey
	}
}

var turnKey = board.Mix(1 << 40)

// redraw turns over the squares that changed in one plane.
func (p *Position) redraw(plane int, changed set) {
	for ; changed != 0; changed &= changed - 1 {
		s := first(changed)
		p.hash ^= keys[plane][s]
		if p.planes.Of[plane].Has(pointOf[s]) {
			p.planes.Of[plane].Remove(pointOf[s])
		} else {
			p.planes.Of[plane].Add(pointOf[s])
		}
	}
}

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the board.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Hash returns a key of the position.
func (p *Position) Hash() uint64 { return p.hash }

// Men and Kings return where the pieces of a side stand: bit n-1 is the square of
// number n.
func (p *Position) Men(side game.Side) uint32 { return p.men[side] }

// Kings returns where the kings of a side stand.
func (p *Position) Kings(side game.Side) uint32 { return p.kings[side] }

// MustTake reports whether the side to move has a piece to take.
func (p *Position) MustTake() bool { return p.canJump(p.turn) }

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	return &Position{state: p.state, planes: *p.planes.Clone(), history: slices.Clone(p.history)}
}

// all returns the pieces of a side.
func (s *state) all(side game.Side) set { return s.men[side] | s.kings[side] }

func (s *state) empty() set { return ^(s.all(0) | s.all(1)) }

// goes returns the pieces of a side that can go in a direction, counted as the side
// sees it.
func (s *state) goes(side game.Side, d int) set {
	if d < 2 {
		return s.all(side)
	}
	return s.kings[side]
}

// canJump returns whether a side has a piece to take.
func (s *state) canJump(side game.Side) bool {
	other, empty := s.all(side^1), s.empty()
	for d := range directions {
		t := towards(int(side), d)
		if shift(shift(s.goes(side, d), t)&other, t)&empty != 0 {
			return true
		}
	}
	return false
}

func (s *state) canStep(side game.Side) bool {
	empty := s.empty()
	for d := range directions {
		if shift(s.goes(side, d), towards(int(side), d))&empty != 0 {
			return true
		}
	}
	return false
}

// captures lists the captures of the side to move: every way over other pieces once,
// ways that share their ends numbered in the order of the directions that they take.
func (p *Position) captures() []capture {
	p.jumps = p.jumps[:0]
	own := p.all(p.turn)
	other, empty := p.all(p.turn^1), p.empty()
	for ; own != 0; own &= own - 1 {
		s := first(own)
		bit, last := set(1)<<s, directions
		if p.men[p.turn]&bit != 0 {
			last = 2
		}
		p.jump(uint8(s), bit, other, empty|bit, 0, last)
	}
	return p.jumps
}

// jump goes on with a capture from a square.
func (p *Position) jump(from uint8, at, other, empty, taken set, last int) {
	crowned := last == 2 && at&lastRow[p.turn] != 0
	onward := false
	for d := 0; d < last && !crowned; d++ {
		t := towards(int(p.turn), d)
		over := shift(at, t) & other
		to := shift(over, t) & empty
		if to == 0 {
			continue
		}
		onward = true
		p.jump(from, to, other&^over, empty, taken|over, last)
	}
	if onward || taken == 0 {
		return
	}
	c := capture{from: from, to: uint8(first(at)), taken: taken}
	for i := range p.jumps {
		if o := &p.jumps[i]; o.from == c.from && o.to == c.to {
			if o.taken == c.taken {
				return
			}
			c.way++
		}
	}
	p.jumps = append(p.jumps, c)
}

// AppendMoves appends the captures or, where there are none, the steps.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.canJump(p.turn) {
		for i := range p.captures() {
			dst = append(dst, p.jumps[i].move())
		}
		return dst
	}
	empty := p.empty()
	for d := range directions {
		t := towards(int(p.turn), d)
		for to := shift(p.goes(p.turn, d), t) & empty; to != 0; to &= to - 1 {
			at := to & -to
			dst = append(dst, game.Step(pointOf[first(shift(at, 3-t))], pointOf[first(at)]))
		}
	}
	return dst
}

// CountMoves counts the moves.
func (p *Position) CountMoves() (n int) {
	if p.canJump(p.turn) {
		return len(p.captures())
	}
	empty := p.empty()
	for d := range directions {
		for to := shift(p.goes(p.turn, d), towards(int(p.turn), d)) & empty; to != 0; to &= to - 1 {
			n++
		}
	}
	return n
}

// find returns what a legal move takes.
func (p *Position) find(m game.Move) (from, to uint8, taken set, err error) {
	if m.From() == board.NoPoint || m != game.Step(m.From(), m.To()).By(m.Way()) || !squares.Size.Has(m.From()) || !squares.Size.Has(m.To()) {
		return 0, 0, 0, game.ErrOffBoard
	}
	from, to = squareOf[m.From()], squareOf[m.To()]
	if from == squares.Count || to == squares.Count {
		return 0, 0, 0, errLight
	}
	a, b := set(1)<<from, set(1)<<to
	switch {
	case p.all(p.turn)&a == 0:
		return 0, 0, 0, errNotYours
	case p.empty()&b == 0 && from != to:
		return 0, 0, 0, errTaken
	case p.canJump(p.turn):
		for _, c := range p.captures() {
			if c.from == from && c.to == to && int(c.way) == m.Way() {
				return from, to, c.taken, nil
			}
		}
		return 0, 0, 0, p.whyNot(from, a, b)
	}
	for d := range directions {
		if shift(a, towards(int(p.turn), d)) == b && m.Way() == 0 {
			if p.goes(p.turn, d)&a == 0 {
				return 0, 0, 0, errForward
			}
			return from, to, 0, nil
		}
	}
	if p.kings[p.turn]&a != 0 {
		return 0, 0, 0, errFar
	}
	return 0, 0, 0, errForward
}

// whyNot tells why a move is none where there are captures.
func (p *Position) whyNot(from uint8, a, b set) error {
	for d := range directions {
		if shift(a, d) == b {
			return errMust
		}
		if over := shift(a, d) & p.all(p.turn^1); shift(over, d) == b && slices.ContainsFunc(p.jumps, func(c capture) bool { return c.from == from && c.taken&over != 0 }) {
			return errOnward
		}
	}
	return errJump
}

// Play makes a move.
func (p *Position) Play(m game.Move) error {
	from, to, taken, err := p.find(m)
	if err != nil {
		return err
	}
	st := p.state
	us, them := st.turn, st.turn^1
	a, b := set(1)<<from, set(1)<<to
	st.quiet++
	if st.kings[us]&a != 0 {
		st.kings[us] = st.kings[us]&^a | b
	} else {
		st.quiet = 0
		st.men[us] &^= a
		if b&lastRow[us] != 0 {
			st.kings[us] |= b
		} else {
			st.men[us] |= b
		}
	}
	if taken != 0 {
		st.quiet = 0
	}
	st.men[them] &^= taken
	st.kings[them] &^= taken
	st.turn = them
	st.from, st.to = m.From(), m.To()
	p.history = append(p.history, p.state)
	p.put(st)
	return nil
}

// Undo takes the last move back.
func (p *Position) Undo() {
	last := p.history[len(p.history)-1]
	p.history = p.history[:len(p.history)-1]
	p.put(last)
	p.state = last
}

// AppendChanged appends what the last move changed.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	if len(p.history) == 0 {
		return dst
	}
	last := &p.history[len(p.history)-1]
	to, from := squareOf[p.to], squareOf[p.from]
	if to != from {
		dst = append(dst, game.Changed{Point: p.to, Piece: p.planes.At(p.to)}, game.Changed{Point: p.from})
	}
	for gone := last.all(p.turn) &^ p.all(p.turn); gone != 0; gone &= gone - 1 {
		dst = append(dst, game.Changed{Point: pointOf[first(gone)]})
	}
	return dst
}

// Outcome looks whether the side to move can.
func (p *Position) Outcome() game.Outcome {
	switch {
	case !p.canStep(p.turn) && !p.canJump(p.turn):
		return game.Outcome{State: game.Won, Winner: p.turn ^ 1, Reason: ByBlock}
	case p.repeated():
		return game.Outcome{State: game.Drawn, Reason: game.ByRepetition, Claim: true}
	case p.quiet >= quietPlies:
		return game.Outcome{State: game.Drawn, Reason: game.ByQuietMoves, Claim: true}
	}
	return game.Outcome{}
}

// repeated reports whether the position has come for the third time.
func (p *Position) repeated() bool {
	n := len(p.history)
	for i, times := 4, 1; i <= int(p.quiet) && i <= n; i += 2 {
		if p.history[n-i].hash == p.hash {
			if times++; times == 3 {
				return true
			}
		}
	}
	return false
}
