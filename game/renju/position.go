package renju

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Position is a position of any of the rule sets. Play and Undo touch eight
// line words, two plane words and the hash, and allocate nothing once the
// history has grown.
type Position struct {
	rules   *Rules
	field   field
	planes  board.Planes
	rows    [2]board.Plane // what planes shows
	hash    uint64
	count   int // stones on the board
	turn    game.Side
	end     game.Outcome // set where no move can follow
	history []played
}

// played is a move and what Black did wrong with it.
type played struct {
	move game.Move
	foul Foul
}

var (
	_ game.Position    = (*Position)(nil)
	_ game.Planar      = (*Position)(nil)
	_ game.Changer     = (*Position)(nil)
	_ game.MoveCounter = (*Position)(nil)
	_ game.Copier      = (*Position)(nil)
)

// whiteTurn is the hash key of White being to move: that of a piece that is
// none on a point that is none.
var whiteTurn = board.Zobrist(board.Empty, board.NoPoint)

var errKind error = game.Illegal("a move is one point or a pass")

func newPosition(r *Rules) *Position {
	p := &Position{rules: r, hash: r.size.Key()}
	p.field.free = r.free
	p.planes = board.Planes{Size: r.size, Of: p.rows[:]}
	p.history = make([]played, 0, r.size.Area())
	return p
}

// Copy returns the position with its history.
func (p *Position) Copy() game.Position {
	c := *p
	c.history = slices.Clone(p.history)
	c.planes.Of = c.rows[:]
	return &c
}

// set puts a stone on an empty point or takes it off.
func (p *Position) set(side game.Side, at board.Point) {
	p.field.put(int(side), at.X(), at.Y())
	p.rows[side][at.Y()] ^= 1 << at.X()
	p.hash ^= board.Zobrist(board.Piece(side)+1, at)
}

func (p *Position) setTurn(side game.Side) {
	if p.turn != side {
		p.hash ^= whiteTurn
		p.turn = side
	}
}

func (p *Position) occupied(at board.Point) bool {
	return p.rows[0].Has(at) || p.rows[1].Has(at)
}

// settle finds the outcome of a board that was set up: a row that wins for the
// side that moved last comes before one of the side to move. Fouls are not
// looked for, as nobody knows which stone was the last.
func (p *Position) settle() {
	for _, side := range []game.Side{p.turn.Opponent(), p.turn} {
		if p.field.stones[side].hasFive(p.rules.longer(side)) {
			p.end = game.Outcome{State: game.Won, Winner: side, Reason: game.ByLine}
			return
		}
	}
	if p.count == p.rules.size.Area() {
		p.end = drawn(game.ByFull)
	}
}

func drawn(why game.Reason) game.Outcome {
	return game.Outcome{State: game.Drawn, Reason: why}
}

// Turn returns the side to move: game.First is Black.
func (p *Position) Turn() game.Side { return p.turn }

// Planes returns the stones: plane 0 is Black's, plane 1 White's.
func (p *Position) Planes() *board.Planes { return &p.planes }

// Hash returns the XOR of the keys of all stones and of the turn. It does not
// depend on the rule set or on passes.
func (p *Position) Hash() uint64 { return p.hash }

// Moves returns the moves that were played from the start or the setup, as a
// new slice.
func (p *Position) Moves() []game.Move {
	list := make([]game.Move, len(p.history))
	for i, h := range p.history {
		list[i] = h.move
	}
	return list
}

// AppendMoves appends every free point, row by row from the top left, and the
// pass. Forbidden points are among them: see [Position.Forbidden].
func (p *Position) AppendMoves(dst []game.Move) []game.Move {
	if p.end.State != game.Ongoing {
		return dst
	}
	for y := range p.rules.size.H {
		for row := p.field.free[0][y] >> margin; row != 0; row &= row - 1 {
			dst = append(dst, game.Drop(board.At(bits.TrailingZeros32(row), y)))
		}
	}
	return append(dst, game.Pass)
}

// CountMoves returns the number of moves without listing them.
func (p *Position) CountMoves() int {
	if p.end.State != game.Ongoing {
		return 0
	}
	return p.rules.size.Area() - p.count + 1
}

// legal returns nil or the reason why a move is refused.
func (p *Position) legal(m game.Move) error {
	to := m.To()
	switch {
	case p.end.State != game.Ongoing:
		return game.ErrOver
	case m == game.Pass:
		return nil
	case to == board.NoPoint || m != game.Drop(to):
		return errKind
	case !p.rules.size.Has(to):
		return game.ErrOffBoard
	case p.occupied(to):
		return game.ErrOccupied
	}
	return nil
}

// Play puts a stone of the side to move on a free point, or passes.
func (p *Position) Play(m game.Move) error {
	if err := p.legal(m); err != nil {
		return err
	}
	foul := NoFoul
	if m == game.Pass {
		if n := len(p.history); n > 0 && p.history[n-1].move == game.Pass {
			p.end = drawn(game.ByPasses)
		}
	} else {
		foul = p.drop(m.To())
	}
	p.history = append(p.history, played{m, foul})
	p.setTurn(p.turn.Opponent())
	return nil
}

// drop puts a stone on a free point, finds whether that ends the game, and
// returns Black's foul.
func (p *Position) drop(at board.Point) Foul {
	v := p.effect(at)
	p.set(p.turn, at)
	p.count++
	switch full := p.count == p.rules.size.Area(); {
	case v.five:
		p.end = game.Outcome{State: game.Won, Winner: p.turn, Reason: game.ByLine}
	case full && v.foul != NoFoul:
		p.end = forbidden
		p.end.Claim = false // White cannot play on
	case full:
		p.end = drawn(game.ByFull)
	}
	return v.foul
}

// effect tells what a stone of the side to move would do on a free point.
func (p *Position) effect(at board.Point) (v verdict) {
	if p.rules.set == SetRenju && p.turn == game.First {
		return p.field.judge(at.X(), at.Y())
	}
	longer := p.rules.longer(p.turn)
	for _, n := range p.field.stones[p.turn].rows(at.X(), at.Y()) {
		if n == 5 || n > 5 && longer {
			v.five = true
		}
	}
	return v
}

// Undo takes back the last move.
func (p *Position) Undo() {
	last := len(p.history) - 1
	if last < 0 {
		panic("renju: no move to take back")
	}
	m := p.history[last].move
	p.history = p.history[:last]
	p.setTurn(p.turn.Opponent())
	p.end = game.Outcome{}
	if m != game.Pass {
		p.set(p.turn, m.To())
		p.count--
	}
}

// AppendChanged appends the stone of the last move.
func (p *Position) AppendChanged(dst []game.Changed) []game.Changed {
	last := len(p.history) - 1
	if last < 0 || p.history[last].move == game.Pass {
		return dst
	}
	return append(dst, game.Changed{Point: p.history[last].move.To(), Piece: board.Piece(p.turn^1) + 1})
}

// forbidden is the outcome after a foul, until White plays on.
var forbidden = game.Outcome{State: game.Won, Winner: game.Second, Reason: game.ByForbidden, Claim: true}

// Outcome tells whether the game has ended. After a foul White has won by
// claim: moves stay possible, and with the next one the game is open again.
func (p *Position) Outcome() game.Outcome {
	if p.end.State == game.Ongoing && p.LastFoul() != NoFoul {
		return forbidden
	}
	return p.end
}
