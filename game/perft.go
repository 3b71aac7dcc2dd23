package game

// Perft counts the leaves of the tree of all lines of the given depth: the
// standard proof that a move generator is right. A forced pass is one ply of
// its line.
//
// It is the cheapest walk there is through the interface: moves are kept on
// one stack, and the last ply is counted, not played.
func Perft(p Position, depth int) uint64 {
	w := newWalk(p)
	return w.count(depth)
}

// PerftFreePass is Perft with a pass as no ply: the line goes on as if the
// other side had moved twice. Publications differ in this.
func PerftFreePass(p Position, depth int) uint64 {
	w := newWalk(p)
	w.freePass = true
	return w.count(depth)
}

// Divide returns the legal moves of p and the Perft of each.
func Divide(p Position, depth int, freePass bool) ([]Move, []uint64) {
	moves := p.AppendMoves(nil)
	counts := make([]uint64, len(moves))
	w := newWalk(p)
	w.freePass = freePass
	for i, m := range moves {
		if err := p.Play(m); err != nil {
			panic("game: listed move refused: " + err.Error())
		}
		if freePass && m == Pass {
			counts[i] = w.count(depth)
		} else {
			counts[i] = w.count(depth - 1)
		}
		p.Undo()
	}
	return moves, counts
}

type walk struct {
	pos      Position
	counter  MoveCounter // nil where the game has none
	stack    []Move
	freePass bool
}

func newWalk(p Position) *walk {
	c, _ := p.(MoveCounter)
	return &walk{pos: p, counter: c, stack: make([]Move, 0, 1024)}
}

func (w *walk) count(depth int) uint64 {
	if depth <= 0 {
		return 1
	}
	if depth == 1 && w.counter != nil {
		// A single move may be a pass, which is no leaf if passes are free.
		if n := w.counter.CountMoves(); n != 1 || !w.freePass {
			return uint64(n)
		}
	}
	base := len(w.stack)
	w.stack = w.pos.AppendMoves(w.stack)
	end := len(w.stack)
	n := uint64(0)
	if depth == 1 && !(w.freePass && end == base+1 && w.stack[base] == Pass) {
		n = uint64(end - base)
	} else {
		for i := base; i < end; i++ {
			m := w.stack[i]
			if err := w.pos.Play(m); err != nil {
				panic("game: listed move refused: " + err.Error())
			}
			if m == Pass && w.freePass {
				n += w.count(depth)
			} else {
				n += w.count(depth - 1)
			}
			w.pos.Undo()
		}
	}
	w.stack = w.stack[:base]
	return n
}
