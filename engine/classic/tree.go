package classic

import (
	"math"
	"math/rand/v2"
	"strconv"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
)

// Tree is a game that is nothing but a tree: every position has as many moves as the
// tree is wide, sides take turns, and after as many moves as it is deep it is judged
// by what its leaf is worth. It is a position and its own evaluation.
type Tree struct {
	Width, Deep int

	// Leaf returns the value of a leaf for the side that begins. The path belongs to
	// the tree.
	Leaf func(path []int) engine.Value

	path []int
}

var (
	_ game.Position    = (*Tree)(nil)
	_ engine.Evaluator = (*Tree)(nil)
)

// Turn returns the side to move.
func (t *Tree) Turn() game.Side { return game.Side(len(t.path) % 2) }

// AppendMoves appends the moves, from left to right.
func (t *Tree) AppendMoves(dst []game.Move) []game.Move {
	for i := range t.Width {
		dst = append(dst, game.Drop(board.At(i%board.MaxSide, i/board.MaxSide)))
	}
	return dst
}

// Play goes down.
func (t *Tree) Play(m game.Move) error {
	i := m.To().X() + m.To().Y()*board.MaxSide
	if m != game.Drop(m.To()) || i >= t.Width {
		return game.ErrOffBoard
	}
	t.path = append(t.path, i)
	return nil
}

// Undo goes up.
func (t *Tree) Undo() { t.path = t.path[:len(t.path)-1] }

// Outcome is never one: a tree ends at the horizon.
func (t *Tree) Outcome() game.Outcome { return game.Outcome{} }

// Hash returns a key of the path.
func (t *Tree) Hash() (h uint64) {
	for _, i := range t.path {
		h = board.Mix(h + uint64(i) + 1)
	}
	return h
}

// Evaluate returns what a position is worth for the side to move.
func (t *Tree) Evaluate(game.Position) engine.Value {
	v := t.Leaf(t.path)
	if t.Turn() == game.Second {
		v = -v
	}
	return v
}

// ByChance returns leaves that are independent of each other, from a seed.
func ByChance(seed uint64) func(path []int) engine.Value {
	return func(path []int) engine.Value {
		h := board.Mix(seed)
		for _, i := range path {
			h = board.Mix(h + uint64(i) + 1)
		}
		return spread(h)
	}
}

// ByBranch returns leaves that are the sum of what the branches on the way are worth
// by chance, which Newborn studied: the ranks of moves are the same everywhere below.
func ByBranch(seed uint64) func(path []int) engine.Value {
	return func(path []int) (v engine.Value) {
		h := board.Mix(seed)
		for ply, i := range path {
			h = board.Mix(h + uint64(i) + 1)
			worth := spread(h) / 16
			if ply%2 == 1 {
				worth = -worth
			}
			v += worth
		}
		return v
	}
}

// spread makes a value of a hash, as many as there are below those of games won.
func spread(h uint64) engine.Value {
	const most = int64(engine.Decided) - 1
	return engine.Value(int64(h%uint64(2*most+1)) - most)
}

// BestLeaves returns how many leaves alpha-beta judges at least on a uniform tree.
func BestLeaves(width, deep int) int64 {
	return power(width, (deep+1)/2) + power(width, deep/2) - 1
}

func power(b, n int) int64 {
	p := int64(1)
	for range n {
		p *= int64(b)
	}
	return p
}

// Growth returns two limits of how many times more leaves a ply more costs alpha-beta
// on trees of chance: b/ln b, which Knuth and Moore found for large b, and
// x/(1-x) with x^b + x = 1, Pearl's exact one.
func Growth(b int) (knuth, pearl float64) { return GrowthOf(float64(b)) }

// GrowthOf is Growth for any width, as curves need it.
func GrowthOf(b float64) (knuth, pearl float64) {
	lo, hi := 0.0, 1.0
	for range 100 {
		if mid := (lo + hi) / 2; math.Pow(mid, b)+mid < 1 {
			lo = mid
		} else {
			hi = mid
		}
	}
	return b / math.Log(b), lo / (1 - lo)
}

// Mean is a mean with its standard error.
type Mean struct{ Mean, Error float64 }

// MeanOf returns the mean of numbers.
func MeanOf(list []float64) (m Mean) {
	for _, x := range list {
		m.Mean += x / float64(len(list))
	}
	sum := 0.0
	for _, x := range list {
		sum += (x - m.Mean) * (x - m.Mean)
	}
	if n := float64(len(list)); n > 1 {
		m.Error = math.Sqrt(sum / (n - 1) / n)
	}
	return m
}

// String writes the mean with its error.
func (m Mean) String() string {
	return strconv.FormatFloat(m.Mean, 'f', 1, 64) + " +- " + strconv.FormatFloat(m.Error, 'f', 1, 64)
}

// Seeds returns so many seeds from one.
func Seeds(seed uint64, n int) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 7))
	list := make([]uint64, n)
	for i := range list {
		list[i] = rng.Uint64()
	}
	return list
}

// Path returns the way from the root; it belongs to the tree.
func (t *Tree) Path() []int { return t.path }
