package game

import (
	"context"
	"iter"
)

// PerftOptions are the points in which published counts differ.
type PerftOptions struct {
	// FreePass makes a forced pass no ply of its line: the line goes on as if
	// the other side had moved twice. A pass that is a choice is a ply.
	FreePass bool

	// KeepEnded counts a line that ends early as one leaf. Without it such
	// lines vanish, as is the custom for games of the chess family.
	KeepEnded bool
}

// Perft counts the leaves of the tree of all lines of the given depth: the
// standard proof that a move generator is right.
//
// It is the cheapest walk there is through the interface: moves are kept on
// one stack, and the last ply is counted, not played.
func Perft(p Position, depth int, o PerftOptions) uint64 {
	return newWalk(context.Background(), p, o).count(depth)
}

// Divide yields the legal moves of p and the Perft below each. The position is
// as before between two moves. When ctx is done it ends within some thousand
// positions, and leaves out the move whose count is not whole.
func Divide(ctx context.Context, p Position, depth int, o PerftOptions) iter.Seq2[Move, uint64] {
	return func(yield func(Move, uint64) bool) {
		w := newWalk(ctx, p, o)
		moves := p.AppendMoves(nil)
		for _, m := range moves {
			if n := w.below(m, w.left(moves, depth)); ctx.Err() != nil || !yield(m, n) {
				return
			}
		}
	}
}

type walk struct {
	PerftOptions
	ctx     context.Context
	visits  uint // positions whose moves were listed
	over    bool // ctx is done: counts mean nothing any more
	pos     Position
	counter MoveCounter // nil where the game has none
	stack   []Move
}

func newWalk(ctx context.Context, p Position, o PerftOptions) *walk {
	c, _ := p.(MoveCounter)
	return &walk{PerftOptions: o, ctx: ctx, pos: p, counter: c, stack: make([]Move, 0, 1024)}
}

func (w *walk) count(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 && w.counter != nil {
		// A single move may be a pass, which is no leaf if passes are free.
		if n := w.counter.CountMoves(); n > 1 || n == 1 && !w.FreePass {
			return uint64(n)
		}
	}
	if w.visits++; w.visits%4096 == 0 {
		w.over = w.ctx.Err() != nil
	}
	if w.over {
		return 0
	}
	base := len(w.stack)
	w.stack = w.pos.AppendMoves(w.stack)
	moves := w.stack[base:]
	n := uint64(0)
	switch {
	case len(moves) == 0 && w.KeepEnded:
		n = 1
	case w.left(moves, depth) == 0:
		n = uint64(len(moves))
	default:
		for _, m := range moves {
			n += w.below(m, w.left(moves, depth))
		}
	}
	w.stack = w.stack[:base]
	return n
}

// left returns the depth that is left behind any of these moves.
func (w *walk) left(moves []Move, depth int) int {
	if w.FreePass && len(moves) == 1 && moves[0] == Pass {
		return depth
	}
	return depth - 1
}

// below counts the leaves of the given depth behind one move.
func (w *walk) below(m Move, depth int) uint64 {
	if err := w.pos.Play(m); err != nil {
		panic("game: listed move refused: " + err.Error())
	}
	n := w.count(depth)
	w.pos.Undo()
	return n
}
