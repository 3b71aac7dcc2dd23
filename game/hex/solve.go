package hex

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
)

// solvable is the largest side of a board that is read to its end.
const solvable = 4

// Solved tells who wins if both sides play perfectly; ok is false on boards larger than
// 4x4, and the answer is no guess: all games are read, as far as it takes.
func (p *Position) Solved() (winner game.Side, ok bool) {
	n := p.kind.n
	switch {
	case p.winner >= 0:
		return game.Side(p.winner), true
	case n > solvable:
		return 0, false
	}
	var s reader
	s.n = n
	for i := range n * n {
		x, y := i%n, i/n
		for _, d := range around {
			if a, b := x+d[0], y+d[1]; a >= 0 && b >= 0 && a < n && b < n {
				s.beside[i] |= 1 << (b*n + a)
			}
		}
	}
	for i := range n {
		s.edges[game.First][0] |= 1 << i
		s.edges[game.First][1] |= 1 << ((n-1)*n + i)
		s.edges[game.Second][0] |= 1 << (i * n)
		s.edges[game.Second][1] |= 1 << (i*n + n - 1)
	}
	var stones [2]uint16
	for i := range n * n {
		for side := range stones {
			if p.planes.Of[side].Has(board.At(i%n, i/n)) {
				stones[side] |= 1 << i
			}
		}
	}
	s.known = map[[2]uint16]bool{}
	if s.wins(p.turn, stones) {
		return p.turn, true
	}
	return p.turn.Opponent(), true
}

// reader reads a small board, a bit to a cell.
type reader struct {
	n      int
	beside [solvable * solvable]uint16
	edges  [2][2]uint16
	known  map[[2]uint16]bool // whether the side to move wins; who that is, stones tell
}

// wins reports whether the side to move wins; nobody has joined its sides yet.
func (s *reader) wins(side game.Side, stones [2]uint16) bool {
	if won, ok := s.known[stones]; ok {
		return won
	}
	free := uint16(1<<(s.n*s.n)-1) &^ (stones[0] | stones[1])
	won := false
	// Cells beside more cells come first: the middle of the board.
	for least := 6; least >= 2 && !won; least-- {
		for left := free; left != 0 && !won; left &= left - 1 {
			i := bits.TrailingZeros16(left)
			if bits.OnesCount16(s.beside[i]) != least {
				continue
			}
			next := stones
			next[side] |= 1 << i
			won = s.joins(side, next[side]) || !s.wins(side.Opponent(), next)
		}
	}
	s.known[stones] = won
	return won
}

// joins reports whether stones join the two sides of the board that are their owner's.
func (s *reader) joins(side game.Side, stones uint16) bool {
	for reached := stones & s.edges[side][0]; ; {
		next := reached
		for left := reached; left != 0; left &= left - 1 {
			next |= s.beside[bits.TrailingZeros16(left)] & stones
		}
		switch {
		case next&s.edges[side][1] != 0:
			return true
		case next == reached:
			return false
		}
		reached = next
	}
}
