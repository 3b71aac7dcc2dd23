package exact

import (
	"context"
	"errors"
	"fmt"

	"qipu/game"
	"qipu/game/kalah"
	"qipu/game/weiqi"
)

// Limits bound a reading.
type Limits struct {
	Nodes  int64 // positions that may be entered; 0 for as many as it takes
	Memory int64 // bytes for what was read before; 0 for 256 MiB
}

const usualMemory = 256 << 20

// Answer is what a position is worth.
type Answer struct {
	// Value is for the side to move: the margin in points or seeds, and in games that
	// are only won or lost 1, 0 or -1.
	Value int
	Move  game.Move // one that is worth it
	Nodes int64     // positions entered
	Hits  int64     // of which memory knew enough
	Kept  int64     // positions in memory at the end
	Rules string    // what was read by, where a game has several
}

// ErrNodes tells that a limit came first.
var ErrNodes = errors.New("the limit of positions was reached before the value was known")

// Solve reads a position to the end of all games. What was played before it is not
// looked at.
//
// Go is read by area, with positional superko, without suicide and komi. Superko makes
// the value of a board depend on the boards before it, and a memory of boards alone
// would be wrong. Let A be the arrangements that have not been on the board, and R those
// of A that a sequence of moves by any side reaches from the board through A alone.
// Whatever is played from here on stays within R: a move leads to an arrangement of A
// that is adjacent, which is in R by its definition, and all it can reach through A
// without itself is in R again. A move out of R would lead to one that is not in A, and
// is forbidden. So board, side to move, whether the last move was a pass, and R decide
// all that can follow; two histories with the same R are the same game, and memory is
// keyed by these four. The board at the end is in R, or the present one: the least and
// the greatest count among them bound the value, and so do stones that live by Benson's
// theorem.
func Solve(ctx context.Context, r game.Rules, p game.Position, l Limits) (*Answer, error) {
	if p.Outcome().Final() || len(p.AppendMoves(nil)) == 0 {
		return nil, errors.New("the game is over in this position")
	}
	if l.Nodes < 0 || l.Memory < 0 {
		return nil, fmt.Errorf("limits of %d positions and %d bytes: want none below 0", l.Nodes, l.Memory)
	}
	if l.Memory == 0 {
		l.Memory = usualMemory
	}
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	m := &meter{ctx: ctx, most: l.Nodes}
	var a *Answer
	var err error
	switch q := p.(type) {
	case *weiqi.Position:
		a, err = solveGo(m, q, l)
	case *kalah.Position:
		a, err = solveKalah(m, q, l)
	default:
		a, err = solveAny(m, r, p, l)
	}
	if err == nil {
		err = m.stop
	}
	if err != nil {
		return nil, err
	}
	a.Nodes, a.Hits = m.nodes, m.hits
	return a, nil
}

// meter counts positions and ends a reading.
type meter struct {
	ctx   context.Context
	most  int64
	nodes int64
	hits  int64
	stop  error
}

// step counts a position, and reports whether the reading has to end.
func (m *meter) step() bool {
	switch {
	case m.stop != nil:
		return true
	case m.most > 0 && m.nodes >= m.most:
		m.stop = ErrNodes
		return true
	case m.nodes&1023 == 0 && m.ctx.Err() != nil:
		m.stop = context.Cause(m.ctx)
		return true
	}
	m.nodes++
	return false
}

// search finds a value between two bounds by asking again and again whether it is at
// least a guess.
func search(m *meter, low, high, guess int, atLeast func(int) bool) int {
	for low < high && m.stop == nil {
		guess = min(max(guess, low+1), high)
		if atLeast(guess) {
			low = guess
			guess++
		} else {
			high = guess - 1
			guess--
		}
	}
	return low
}
