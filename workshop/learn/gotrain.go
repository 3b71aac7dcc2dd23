package learn

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"qipu/board"
	"qipu/pattern/prior"
	"qipu/workshop/parallel"
)

// GoOptions say how the weights of contexts are fitted. What is zero has a
// usual value.
type GoOptions struct {
	Threads  int       // default 1
	Set      prior.Set // families of contexts; default all
	Contexts int       // how many get a weight at the most; default 1,300,000
	Least    int       // times that a context must have been played; default 20
	Rounds   int       // times that every position is learned from; default 1
	Rate     float64   // length of the steps; default 0.7
	Seed     uint64    // of the order of the games
	Source   string    // what the games are, to be told in the file
}

func (o *GoOptions) defaults() {
	usual := func(n, usual int) int { return cmp.Or(max(n, 0), usual) }
	o.Threads, o.Contexts, o.Least, o.Rounds = usual(o.Threads, 1), usual(o.Contexts, 1_300_000), usual(o.Least, 20), usual(o.Rounds, 1)
	o.Set, o.Rate = cmp.Or(o.Set, prior.All), cmp.Or(o.Rate, 0.7)
}

// ErrFewGo tells that there are too few games of Go to learn from.
var ErrFewGo = errors.New("learn: too few games of Go to learn from: a few thousand are needed")

// TrainGo fits a model that foretells moves to the games of Go that are not
// held out: weights of contexts such that the moves played are as likely as
// can be among all legal ones.
//
// Gradients are summed in whole numbers, so that the order of threads does not
// matter: the same games and options give the same weights.
func TrainGo(ctx context.Context, games []*prior.Game, o GoOptions, tell func(done, total int)) (*prior.Model, error) {
	o.defaults()
	if tell == nil {
		tell = func(int, int) {}
	}
	t := &goTrainer{o: o, boards: make([]prior.Board, o.Threads), tell: tell}
	moves := 0
	for _, g := range games {
		if !GoHeld(g) {
			t.games = append(t.games, g)
			moves += g.Len()
		}
	}
	// The order in which games were read must not matter.
	hashes := make(map[*prior.Game]uint64, len(t.games))
	for _, g := range t.games {
		hashes[g] = g.Hash(math.MaxInt)
	}
	slices.SortStableFunc(t.games, func(a, b *prior.Game) int { return cmp.Compare(hashes[a], hashes[b]) })
	t.total = (2 + o.Rounds) * len(t.games)
	if err := t.collect(ctx, moves); err != nil {
		return nil, err
	}
	if t.words.Len() == 0 {
		return nil, ErrFewGo
	}
	if err := t.fit(ctx); err != nil {
		return nil, err
	}
	return prior.NewModel(o.Set, t.words, t.weights, o.Source), nil
}

type goTrainer struct {
	o      GoOptions
	games  []*prior.Game
	boards []prior.Board // one for each thread
	words  *prior.Vocabulary

	weights []float32
	tell    func(done, total int)
	done    int
	total   int
}

// each calls do for the games of a list on several goroutines.
func (t *goTrainer) each(ctx context.Context, list []*prior.Game, do func(thread int, b *prior.Board, g *prior.Game)) error {
	parallel.Each(len(list), t.o.Threads, func(thread, i int) {
		if ctx.Err() == nil {
			do(thread, &t.boards[thread], list[i])
		}
	})
	return ctx.Err()
}

// collect chooses the vocabulary: the contexts that were played most often. A
// first pass counts keys in a table without regard to collisions, which can
// only add; a second one counts exactly those that may be often enough. A disc
// is met at least as often as a larger one that holds it, so that with a
// context all smaller ones are chosen, up to those as rare as the rarest.
func (t *goTrainer) collect(ctx context.Context, moves int) error {
	size := 1 << 16
	for size < 16*moves && size < 1<<28 {
		size *= 2
	}
	rough := make([]uint32, size)
	visit := func(b *prior.Board, g *prior.Game, next func(prior.Chain, int, prior.Key) bool) {
		g.Walk(b, func(to board.Point) bool {
			b.Contexts(to, t.o.Set, next)
			return true
		})
	}
	if err := t.each(ctx, t.games, func(_ int, b *prior.Board, g *prior.Game) {
		visit(b, g, func(_ prior.Chain, _ int, k prior.Key) bool {
			atomic.AddUint32(&rough[uint64(k)&uint64(size-1)], 1)
			return true
		})
	}); err != nil {
		return err
	}
	t.step(len(t.games))

	type shard struct {
		sync.Mutex
		of map[prior.Key]uint32
	}
	shards := make([]shard, 1024)
	for i := range shards {
		shards[i].of = map[prior.Key]uint32{}
	}
	if err := t.each(ctx, t.games, func(_ int, b *prior.Board, g *prior.Game) {
		visit(b, g, func(_ prior.Chain, _ int, k prior.Key) bool {
			if rough[uint64(k)&uint64(size-1)] < uint32(t.o.Least) {
				return false
			}
			s := &shards[uint64(k)>>54]
			s.Lock()
			s.of[k]++
			s.Unlock()
			return true
		})
	}); err != nil {
		return err
	}
	t.step(len(t.games))

	var often [1 << 12]int // contexts by times played
	for i := range shards {
		for _, n := range shards[i].of {
			often[min(n, uint32(len(often)-1))]++
		}
	}
	least, sum := len(often)-1, 0
	for least >= t.o.Least && sum+often[least] <= t.o.Contexts {
		sum += often[least]
		least--
	}
	list := make([]prior.Key, 0, sum)
	for i := range shards {
		for k, n := range shards[i].of {
			if n > uint32(least) {
				list = append(list, k)
			}
		}
	}
	t.words = prior.NewVocabulary(list)
	t.weights = make([]float32, t.words.Len())
	return nil
}

func (t *goTrainer) step(n int) {
	t.done += n
	t.tell(t.done, t.total)
}

const (
	goBatch = 128     // games that a step takes positions from
	goParts = 2       // it takes one position of so many
	unit    = 1 << 16 // of gradients: no sum over a step leaves 31 bits
)

// fit finds the weights by steps down the gradient, each weight with a step of
// its own that shrinks as it moves (Adagrad: Duchi, Hazan and Singer 2011).
func (t *goTrainer) fit(ctx context.Context) error {
	square := make([]float32, t.words.Len())
	work := make([]softmax, t.o.Threads)
	for i := range work {
		work[i].gradient = make([]int32, t.words.Len())
	}
	rng := rand.New(rand.NewPCG(t.o.Seed, 8))
	order := slices.Clone(t.games)
	for round := range t.o.Rounds {
		for part := range goParts {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			for from := 0; from < len(order); from += goBatch {
				list := order[from:min(from+goBatch, len(order))]
				if err := t.each(ctx, list, func(thread int, b *prior.Board, g *prior.Game) {
					n := int(g.Hash(8) % goParts)
					g.Walk(b, func(to board.Point) bool {
						if n++; n%goParts == part {
							t.learn(&work[thread], b, to)
						}
						return true
					})
				}); err != nil {
					return err
				}
				progress := (float64(round) + (float64(part)+float64(from)/float64(len(order)))/goParts) / float64(t.o.Rounds)
				t.move(work, square, t.o.Rate*(1-0.9*progress))
				if part == goParts-1 {
					t.step(len(list))
				}
			}
		}
	}
	return nil
}

// softmax is the memory of a thread.
type softmax struct {
	list  []uint32 // contexts of all candidates, one after the other
	ends  []int
	score []float64

	gradient []int32
}

// learn adds the gradient of one position.
func (t *goTrainer) learn(s *softmax, b *prior.Board, to board.Point) {
	s.list, s.ends, s.score = s.list[:0], s.ends[:0], s.score[:0]
	played := -1
	top := math.Inf(-1)
	b.Candidates(t.words, t.o.Set, func(p board.Point, list []uint32) {
		if p == to {
			played = len(s.ends)
		}
		var sum float64
		for _, w := range list {
			sum += float64(t.weights[w])
		}
		s.list = append(s.list, list...)
		s.ends = append(s.ends, len(s.list))
		s.score = append(s.score, sum)
		top = max(top, sum)
	})
	var all float64
	for i, x := range s.score {
		s.score[i] = math.Exp(x - top)
		all += s.score[i]
	}
	from := 0
	for i, end := range s.ends {
		g := -s.score[i] / all
		if i == played {
			g++
		}
		if n := int32(math.Round(g * unit)); n != 0 {
			for _, w := range s.list[from:end] {
				s.gradient[w] += n
			}
		}
		from = end
	}
}

// move makes a step and clears the gradients.
func (t *goTrainer) move(work []softmax, square []float32, rate float64) {
	const block = 1 << 14
	parallel.Each((len(square)+block-1)/block, t.o.Threads, func(_, i int) {
		var sum [block]int32
		from, to := i*block, min(len(square), (i+1)*block)
		for k := range work {
			for j, g := range work[k].gradient[from:to] {
				sum[j] += g
			}
			clear(work[k].gradient[from:to])
		}
		for j, n := range sum[:to-from] {
			if n != 0 {
				g := float32(n) / unit
				s := square[from+j] + float32(g*g)
				square[from+j] = s
				t.weights[from+j] += float32(rate) * g / (float32(math.Sqrt(float64(s))) + 1)
			}
		}
	})
}
