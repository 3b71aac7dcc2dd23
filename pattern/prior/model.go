package prior

import (
	"cmp"
	"math"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Model holds the weights of contexts. It does not change once made, and any
// number of goroutines may use it, each with a Board of its own.
type Model struct {
	set     Set
	words   *Vocabulary // its slots hold weights
	weights []int8      // in the order of the words
	source  string
}

// quantum is the step of weights.
const quantum = 1.0 / 24

// NewModel returns the model with these weights, one for each word, which are
// rounded. The source says what they were made of. The vocabulary belongs to
// the model from now on.
func NewModel(set Set, words *Vocabulary, weights []float32, source string) *Model {
	m := &Model{set: set, words: words, source: source, weights: make([]int8, len(weights))}
	for i, w := range weights {
		m.weights[i] = int8(max(-127, min(127, math.Round(float64(w)/quantum))))
	}
	m.fill()
	return m
}

// fill puts the weights into the slots of the vocabulary.
func (m *Model) fill() {
	for i := range m.words.slots {
		if s := &m.words.slots[i]; s.value != none {
			s.value = math.Float32bits(float32(m.weights[s.value]) * quantum)
		}
	}
}

// Len returns the number of contexts that have a weight.
func (m *Model) Len() int { return len(m.weights) }

// Guess is a point and how likely the next move is there.
type Guess struct {
	Point board.Point
	P     float64
}

// Predict appends all points where the side to move may play, the likeliest
// first, and returns dst. The probabilities add up to 1: that of a pass is not
// told. It appends nothing where no stone may be put. Points that are equally
// likely come row by row from the top left.
func (m *Model) Predict(dst []Guess, b *Board) []Guess {
	first := len(dst)
	dst = m.score(dst, b)
	list := dst[first:]
	if len(list) == 0 {
		return dst
	}
	slices.SortFunc(list, func(x, y Guess) int {
		return cmp.Or(cmp.Compare(y.P, x.P), cmp.Compare(x.Point, y.Point))
	})
	top, sum := list[0].P, 0.0
	for i := range list {
		list[i].P = math.Exp(list[i].P - top)
		sum += list[i].P
	}
	for i := range list {
		list[i].P /= sum
	}
	return dst
}

// score appends the legal points with the sums of their weights.
func (m *Model) score(dst []Guess, b *Board) []Guess {
	b.Candidates(m.words, m.set, func(p board.Point, list []uint32) {
		var sum float32
		for _, v := range list {
			sum += math.Float32frombits(v)
		}
		dst = append(dst, Guess{p, float64(sum)})
	})
	return dst
}

// Candidates calls visit for every point where the side to move may play with
// the numbers of the contexts that it has in the vocabulary, for training. The
// list is valid during the call.
func (b *Board) Candidates(words *Vocabulary, set Set, visit func(p board.Point, list []uint32)) {
	b.look()
	b.recall(words, set)
	for p := range b.size.Points() {
		if b.colour[p] == vacant && b.pos.Check(game.Drop(p)) == nil {
			b.found = b.find(b.found[:0], p)
			visit(p, b.found)
		}
	}
}

// Contexts calls next for the contexts of an empty point, family by family
// from the smallest disc on; where it returns false, the family ends.
func (b *Board) Contexts(p board.Point, set Set, next func(c Chain, level int, k Key) bool) {
	b.look()
	b.read(p, set, next)
}
