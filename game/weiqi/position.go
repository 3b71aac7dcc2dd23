package weiqi

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Black and White are the sides of the game; Black moves first unless there
// are handicap stones.
const (
	Black = game.First
	White = game.Second
)

// The reasons for refusing a move that are Go's own.
var (
	ErrKo       error = game.Illegal("the ko may not be retaken at once")
	ErrSuperko  error = game.Illegal("the move repeats an earlier position")
	ErrSuicide  error = game.Illegal("the stone would have no liberty")
	ErrNotDrop  error = game.Illegal("a move places one stone or passes")
	ErrLastPass error = game.Illegal("white passes last: only a pass is left")
)

// Position is one moment of a game of Go. It implements game.Position,
// game.Planar, game.Changer, game.Noted and game.MoveCounter.
//
// It keeps strings with their liberties, bit planes and the hash of the stones
// up to date move by move, and a journal of all moves since it was made. A
// move and its undo touch the neighbourhood of the point, the stones captured
// and, where strings join, the smaller of them; they allocate nothing once the
// journal has grown.
type Position struct {
	rules     *Rules
	colour    [numCells]stone
	node      [numCells]node
	stones    [2]board.Plane
	planes    board.Planes // planes.Of is stones[:]
	hash      uint64       // of the stones alone
	turn      game.Side
	passes    uint8 // consecutive passes, each in turn; more than 2 count as 2
	ko        cell
	prisoners [2]int32
	journal   []frame

	// gone counts how often a stone was taken off a point; vacated holds the
	// points where that is not zero. A stone can recreate an earlier position
	// only on such a point, since it lay there in that position. (Suicide, which
	// leaves no stone, is the exception.)
	gone    [numCells]uint32
	vacated board.Plane
}

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.Noted       = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
)

// newPosition returns an empty board.
func newPosition(r *Rules) *Position {
	p := &Position{rules: r}
	for c := range p.colour {
		p.colour[c] = edge
	}
	for q := range r.size.Points() {
		p.colour[cellOf(q)] = empty
	}
	p.planes = board.Planes{Size: r.size, Of: p.stones[:]}
	return p
}

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	c := *p
	c.journal = slices.Clone(p.journal)
	c.planes.Of = c.stones[:]
	return &c
}

// Rules returns the rules that the position is played by.
func (p *Position) Rules() *Rules { return p.rules }

// Turn returns the side to move.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the stones: plane 0 holds the black ones, plane 1 the white.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Hash returns the key of stones, turn and ko point.
func (p *Position) Hash() uint64 {
	h := p.hash ^ turnKeys[p.turn] ^ p.rules.sizeKey
	if p.ko != 0 {
		h ^= board.Zobrist(koPiece, p.ko.point())
	}
	return h
}

// Kinds of pieces that stand for what is no stone in hashes.
const koPiece, turnPiece board.Piece = 3, 4

// Each side has a key, so that the empty board is not 0.
var turnKeys = [2]uint64{board.Zobrist(turnPiece, 0), board.Zobrist(turnPiece, 1)}

// Note tells the ko point and the prisoners.
func (p *Position) Note(s *game.Setup) {
	if p.ko != 0 {
		s.Ko = p.ko.point()
	}
	s.Prisoners = [2]int{int(p.prisoners[Black]), int(p.prisoners[White])}
}

// over reports whether the passes have ended the game.
func (p *Position) over() bool {
	return p.passes >= 2 && (p.turn == Black || !p.rules.set.WhiteLast)
}

// mustPass reports whether White owes the pass that AGA rules want last.
func (p *Position) mustPass() bool {
	return p.passes >= 2 && !p.over()
}

// Check tells whether Play would make the move: nil, or the reason why not.
func (p *Position) Check(m game.Move) error {
	switch {
	case p.over():
		return game.ErrOver
	case m == game.Pass:
		return nil
	case p.mustPass():
		return ErrLastPass
	}
	to := m.To()
	switch {
	case game.Drop(to) != m:
		return ErrNotDrop
	case to >= board.MaxPoints:
		return game.ErrOffBoard
	}
	return p.check(stoneOf(p.turn), cellOf(to))
}

// check tells why the side to move may not put a stone on c.
func (p *Position) check(s stone, c cell) error {
	switch {
	case p.colour[c] == edge:
		return game.ErrOffBoard
	case p.colour[c] != empty:
		return game.ErrOccupied
	case c == p.ko:
		return ErrKo
	}
	suicide := !p.breathes(s, c)
	if suicide && !p.rules.set.Suicide {
		return ErrSuicide
	}
	if p.rules.set.Ko != SimpleKo && (suicide || p.gone[c] != 0) {
		if p.occurred(p.hashAfter(s, c, suicide), s.opponent().side(), p.rules.set.Ko == SituationalSuperko) {
			return ErrSuperko
		}
	}
	return nil
}

// occurred reports whether these stones lay on the board before or lie there
// now, with the given side to move if that matters.
func (p *Position) occurred(hash uint64, turn game.Side, sameTurn bool) bool {
	return p.hash == hash && (p.turn == turn || !sameTurn) || cameUp(p.journal, hash, turn, sameTurn)
}

// cameUp looks for a position in a part of the journal, the latest first.
func cameUp(journal []frame, hash uint64, turn game.Side, sameTurn bool) bool {
	for i := len(journal) - 1; i >= 0; i-- {
		if f := &journal[i]; f.hash == hash && (f.turn == turn || !sameTurn) {
			return true
		}
	}
	return false
}

// legalRow returns the points of a row where the side to move may play.
//
// A point with an empty neighbour needs no look at strings; only under superko
// it needs a look at the history if a stone was taken there.
func (p *Position) legalRow(y int) uint32 {
	size := p.rules.size
	row := uint32(1)<<size.W - 1
	free := row &^ (p.stones[0][y] | p.stones[1][y])
	near := free<<1 | free>>1
	if y > 0 {
		near |= row &^ (p.stones[0][y-1] | p.stones[1][y-1])
	}
	if y+1 < size.H {
		near |= row &^ (p.stones[0][y+1] | p.stones[1][y+1])
	}
	legal := free & near
	if p.rules.set.Ko != SimpleKo {
		legal &^= p.vacated[y]
	}
	s := stoneOf(p.turn)
	for rest := free &^ legal; rest != 0; rest &= rest - 1 {
		x := bits.TrailingZeros32(rest)
		if p.check(s, cellOf(board.At(x, y))) == nil {
			legal |= 1 << x
		}
	}
	return legal
}

// AppendMoves appends the legal moves, row by row from the top left; the pass
// comes last.
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.over() {
		return dst
	}
	if !p.mustPass() {
		for y := range p.rules.size.H {
			for row := p.legalRow(y); row != 0; row &= row - 1 {
				dst = append(dst, game.Drop(board.At(bits.TrailingZeros32(row), y)))
			}
		}
	}
	return append(dst, game.Pass)
}

// CountMoves returns the number of legal moves.
func (p *Position) CountMoves() int {
	switch {
	case p.over():
		return 0
	case p.mustPass():
		return 1
	}
	n := 1
	for y := range p.rules.size.H {
		n += bits.OnesCount32(p.legalRow(y))
	}
	return n
}

// Play makes a legal move; any other changes nothing.
func (p *Position) Play(m game.Move) error {
	if err := p.Check(m); err != nil {
		return err
	}
	p.apply(p.turn, m)
	return nil
}

// Force makes a move as records demand it: by either side whoever's turn it
// is, also where ko, superko, suicide or the end of the game forbid it. A
// string without liberties is taken off, the mover's own last. The turn goes
// to the other side, and Undo takes the move back like any other.
//
// It refuses, with an error that wraps game.ErrIllegal, what cannot be carried
// out at all: a stone outside the board or on another stone.
func (p *Position) Force(side game.Side, m game.Move) error {
	if m != game.Pass {
		to := m.To()
		switch {
		case game.Drop(to) != m:
			return ErrNotDrop
		case to >= board.MaxPoints || p.colour[cellOf(to)] == edge:
			return game.ErrOffBoard
		case p.colour[cellOf(to)] != empty:
			return game.ErrOccupied
		}
	}
	p.apply(side, m)
	return nil
}

// apply carries out a move that is known to be possible.
func (p *Position) apply(side game.Side, m game.Move) {
	n := len(p.journal)
	if n == cap(p.journal) {
		p.journal = slices.Grow(p.journal, max(n, 64))
	}
	p.journal = p.journal[:n+1]
	f := &p.journal[n]
	f.hash, f.ko, f.prisoners, f.turn, f.passes = p.hash, p.ko, p.prisoners, p.turn, p.passes
	f.at, f.suicide, f.merged, f.captured = 0, 0, 0, 0
	if m == game.Pass {
		p.pass(side)
	} else {
		p.play(f, stoneOf(side), cellOf(m.To()))
		p.passes = 0
	}
	p.turn = side.Opponent()
}

func (p *Position) pass(side game.Side) {
	if side != p.turn {
		p.passes = 0 // a forced pass out of turn answers none
	}
	p.passes = min(p.passes+1, 2)
	p.ko = 0
	if p.rules.set.PassStones {
		p.prisoners[side.Opponent()]++
	}
}

// Undo takes back the last move, be it played or forced.
func (p *Position) Undo() {
	n := len(p.journal) - 1
	if n < 0 {
		panic("weiqi: undo without a move")
	}
	f := &p.journal[n]
	if f.at != 0 {
		p.unplay(f)
	}
	p.hash, p.ko, p.prisoners, p.turn, p.passes = f.hash, f.ko, f.prisoners, f.turn, f.passes
	p.journal = p.journal[:n]
}

// AppendChanged appends what the last move changed: its stone and the stones
// that it took off, be it played or forced. The rings of strings that were
// taken stay whole until a stone is put where one of theirs was, which would be
// a later move; that makes a list of captured stones needless.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	n := len(p.journal)
	if n == 0 || p.journal[n-1].at == 0 {
		return dst
	}
	f := &p.journal[n-1]
	if f.suicide == 0 {
		dst = append(dst, game.Changed{Point: f.at.point(), Piece: board.Piece(f.stone)})
		if f.captured == 0 {
			return dst
		}
	}
	return p.appendTaken(dst, f)
}

// Outcome tells whether and how the game has ended: by passes, counted or not
// as the rule set says, or under Japanese rules, as a claim, by a repetition
// of the whole board with the same side to move.
func (p *Position) Outcome() game.Outcome {
	switch {
	case p.over() && p.rules.set.AsItStands:
		s := p.Score(ScoreOptions{})
		winner, ok := s.Winner()
		if !ok {
			return game.Outcome{State: game.Drawn, Reason: game.ByCount}
		}
		return game.Outcome{State: game.Won, Winner: winner, Reason: game.ByCount, Margin: s.Margin()}
	case p.over():
		return game.Outcome{State: game.Unscored, Reason: game.ByPasses}
	case p.rules.set.LongCycle && p.recurs():
		return game.Outcome{State: game.Void, Reason: game.ByRepetition, Claim: true}
	}
	return game.Outcome{}
}

// recurs reports whether the whole board was there before with the same side
// to move, and something else in between. Most moves answer at once: their
// point has never lost a stone.
func (p *Position) recurs() bool {
	n := len(p.journal)
	for n > 0 && p.journal[n-1].at == 0 {
		n--
	}
	if n < 2 || p.gone[p.journal[n-1].at] == 0 {
		return false
	}
	// Only a forced retake of a ko brings back the board of two plies ago: that
	// is a foul, not a long cycle.
	return cameUp(p.journal[:n-2], p.hash, p.turn, true)
}
