package learn

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"qipu/engine/reversi"
	"qipu/engine/reversi/eval"
	"qipu/game/othello"
	"qipu/workshop/parallel"
)

// Options say how weights are fitted. What is zero has a usual value.
type Options struct {
	Threads int     // default 1
	Beside  int     // positions beside the games, for each number of empty squares; negative for none
	Most    int     // positions of games, for each number of empty squares; default all
	Solve   int     // empty squares up to which positions are solved; default 12
	Guess   int     // empty squares up to which they are read to the end, less surely; default 16
	Depth   int     // of the search that values the others, two more up to TheoryEmpties+1; default 8
	Steps   int     // of conjugate gradients for each stage; default 30
	Ridge   float64 // how many samples' worth rare weights hold on to the stage before; default 8
	Seed    uint64  // what positions beside the games are drawn by
}

func (o *Options) defaults() {
	o.Threads, o.Beside, o.Most = cmp.Or(o.Threads, 1), cmp.Or(o.Beside, 100_000), cmp.Or(o.Most, math.MaxInt)
	o.Solve, o.Guess, o.Depth = cmp.Or(o.Solve, 12), cmp.Or(o.Guess, 16), cmp.Or(o.Depth, 8)
	o.Steps, o.Ridge = cmp.Or(o.Steps, 30), cmp.Or(o.Ridge, 8)
}

// ErrFew tells that there are too few games to learn from.
var ErrFew = errors.New("learn: too few games of Othello on 8x8 to learn from: a few thousand are needed")

// Train fits a model to the games that are not held out, and tells how far it has come.
func Train(ctx context.Context, games []Game, o Options, tell func(done, total int)) (*eval.Model, error) {
	o.defaults()
	if tell == nil {
		tell = func(int, int) {}
	}
	t := &trainer{o: o, at: gather(games, &o), model: eval.NewModel()}
	total := 0
	for _, list := range t.at {
		total += len(list)
	}
	if total == 0 {
		return nil, ErrFew
	}
	done := 0
	var before []float32
	for k := range eval.Knots {
		samples, err := t.stage(ctx, k)
		if err != nil {
			return nil, err
		}
		w, err := t.fit(ctx, samples, before)
		if err != nil {
			return nil, err
		}
		// Stages to come are judged by the nearest one that is there.
		for later := k; later < eval.Knots; later++ {
			t.model.At[later] = quantise(w)
		}
		before = w
		for e := range t.at {
			if a, b, _ := eval.Blend(e); a == k || b == k && a == b {
				done += len(t.at[e])
			}
		}
		tell(done, total)
	}
	if err := t.settle(ctx); err != nil {
		return nil, err
	}
	if err := t.level(ctx); err != nil {
		return nil, err
	}
	return t.model, even(t.model, games)
}

type trainer struct {
	o     Options
	at    [61][]Sample // by empty squares; a weight of 0 tells that the value is not known yet
	model *eval.Model
}

// stage returns the samples that a knot is fitted to, and values those that
// have no value yet. A sample counts as much as the knot has a share in judging
// it.
func (t *trainer) stage(ctx context.Context, knot int) ([]Sample, error) {
	w, err := eval.NewWeights(t.model)
	if err != nil {
		return nil, err
	}
	var list []Sample
	for e := range t.at {
		a, b, share := eval.Blend(e)
		if b == knot && a == b || a == knot {
			share = 1 - share
		} else if b != knot {
			continue
		}
		if share <= 0 {
			continue
		}
		if err := t.label(ctx, t.at[e], w, e); err != nil {
			return nil, err
		}
		for _, s := range t.at[e] {
			s.Weight *= float32(share)
			list = append(list, s)
		}
	}
	return list, nil
}

// label values samples.
func (t *trainer) label(ctx context.Context, list []Sample, w *eval.Weights, empties int) error {
	judges := make([]*reversi.Judge, t.o.Threads)
	const part = 256
	parallel.Each((len(list)+part-1)/part, t.o.Threads, func(thread, i int) {
		if ctx.Err() != nil {
			return
		}
		if judges[thread] == nil {
			judges[thread] = reversi.NewJudge(w)
		}
		j := judges[thread]
		for n := i * part; n < min(len(list), (i+1)*part); n++ {
			s := &list[n]
			if s.Weight != 0 {
				continue
			}
			s.Weight = 1
			switch {
			case empties <= t.o.Solve:
				s.Value = float32(j.Solve(s.Own, s.Opp))
			case empties <= t.o.Guess:
				s.Value = float32(j.Guess(s.Own, s.Opp))
			case empties <= TheoryEmpties+1:
				s.Value = float32(j.Search(s.Own, s.Opp, t.o.Depth+2)) / 100
			default:
				s.Value = float32(j.Search(s.Own, s.Opp, t.o.Depth)) / 100
			}
		}
	})
	return ctx.Err()
}

// fit finds weights, starting from those of the stage before.
func (t *trainer) fit(ctx context.Context, samples []Sample, before []float32) ([]float32, error) {
	w := make([]float32, eval.PackedWeights())
	copy(w, before)
	p := newProblem(samples, len(w), t.o.Threads, t.o.Ridge)
	target := make([]float32, len(samples))
	for i := range samples {
		target[i] = samples[i].Value
	}
	return w, p.solve(ctx, w, target, t.o.Steps)
}

// settle fits the two stages around the recorded values to these once more. They
// are exact, and among a million others they would count for little; but they
// are few, and so the weights hold on to what they are.
func (t *trainer) settle(ctx context.Context) error {
	w, err := eval.NewWeights(t.model)
	if err != nil {
		return err
	}
	var list []Sample
	var target []float32
	mean := 0.0
	for _, s := range t.at[TheoryEmpties] {
		if s.Weight == sure {
			s.Weight = 1
			off := float64(s.Value) - float64(w.Evaluate(s.Own, s.Opp))/100
			mean += off
			list, target = append(list, s), append(target, float32(off))
		}
	}
	if len(list) == 0 {
		return nil
	}
	for i := range target {
		target[i] -= float32(mean / float64(len(list))) // the constant is for level to set
	}
	change := make([]float32, eval.PackedWeights())
	p := newProblem(list, len(change), t.o.Threads, settled)
	if err := p.solve(ctx, change, target, t.o.Steps/2); err != nil {
		return err
	}
	a, b, _ := eval.Blend(TheoryEmpties)
	for i, d := range quantise(change) {
		t.model.At[a][i] += d
		if b != a {
			t.model.At[b][i] += d
		}
	}
	return nil
}

// settled is the ridge of settle.
const settled = 400

// levelled is how many positions a constant is the mean of, where they have to
// be valued for it.
const levelled = 1500

// level sets the constants, so that the mean error in the games is nothing at
// any number of empty squares, as far as searches tell. Positions beside the games have no say: in most
// of them one side is far ahead. Their values are found anew, by all of the
// weights.
func (t *trainer) level(ctx context.Context) error {
	w, err := eval.NewWeights(t.model)
	if err != nil {
		return err
	}
	for e := range t.at {
		var list []Sample
		for _, s := range t.at[e] {
			if !s.beside && (e != TheoryEmpties || s.Weight == sure) {
				list = append(list, s)
			}
		}
		if e != TheoryEmpties {
			rng := rand.New(rand.NewPCG(t.o.Seed, uint64(e)))
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:min(len(list), levelled)]
			for i := range list {
				list[i].Weight = 0
			}
		}
		if err := t.label(ctx, list, w, e); err != nil {
			return err
		}
		sum := 0.0
		for i := range list {
			s := &list[i]
			sum += 100*float64(s.Value) - float64(w.Evaluate(s.Own, s.Opp))
		}
		// A few positions, as there are at the start of the game, have little
		// say.
		t.model.Base[e] += int16(math.Round(sum / float64(len(list)+levelled/10)))
	}
	return ctx.Err()
}

// even sets the constants of what comes before the recorded values. Searches of
// even depth think too well of the side to move there, a little more with every
// stage, and nothing exact is near that would tell. But both sides of a
// tournament game err alike: the mean of the values that are recorded later is
// that of the positions on the way there.
func even(m *eval.Model, games []Game) error {
	w, err := eval.NewWeights(m)
	if err != nil {
		return err
	}
	var sum, n [61]float64
	for i := range games {
		g := &games[i]
		if g.Held() || g.solved != TheoryEmpties {
			continue
		}
		g.walk(func(p *position) {
			if e := p.empties(); e > TheoryEmpties {
				v, _ := g.known(p, 60)
				sum[e] += 100*float64(v) - float64(w.Evaluate(p.own, p.opp))
				n[e]++
			}
		})
	}
	for e := range sum {
		m.Base[e] += int16(math.Round(sum[e] / (n[e] + levelled/10)))
	}
	return nil
}

func quantise(w []float32) []int16 {
	list := make([]int16, len(w))
	for i, v := range w {
		q := math.Round(float64(v) * 100 / eval.Quantum)
		list[i] = int16(max(-4000, min(4000, q)))
	}
	return list
}

// gather takes the positions of the games that are not held out, each once, and
// positions beside them.
func gather(games []Game, o *Options) (at [61][]Sample) {
	var kept []*Game
	for i := range games {
		if !games[i].Held() {
			kept = append(kept, &games[i])
		}
	}
	// The order of the games must not matter: files are read side by side.
	slices.SortFunc(kept, func(a, b *Game) int { return slices.Compare(a.squares, b.squares) })
	for _, g := range kept {
		g.walk(func(p *position) {
			s := Sample{Own: p.own, Opp: p.opp}
			if v, ok := g.known(p, 0); ok {
				s.Value, s.Weight = v, sure
			}
			at[p.empties()] = append(at[p.empties()], s)
		})
	}
	parallel.Each(len(at), o.Threads, func(_, e int) {
		rng := rand.New(rand.NewPCG(o.Seed, uint64(e)))
		list := once(at[e])
		if len(list) > o.Most {
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			list = list[:o.Most]
		}
		if len(kept) > 0 && e < 60 {
			for range max(0, o.Beside) {
				if s, ok := beside(kept[rng.IntN(len(kept))], e, rng); ok {
					list = append(list, s)
				}
			}
		}
		at[e] = once(list)
	})
	return at
}

// sure is the weight of a value that was solved long before.
const sure = 4

// once sorts samples and drops copies: one with a value stays, else one of a
// game.
func once(list []Sample) []Sample {
	slices.SortFunc(list, func(a, b Sample) int {
		if c := cmp.Or(cmp.Compare(a.Own, b.Own), cmp.Compare(a.Opp, b.Opp), cmp.Compare(b.Weight, a.Weight)); c != 0 {
			return c
		}
		switch {
		case a.beside == b.beside:
			return 0
		case a.beside:
			return 1
		}
		return -1
	})
	return slices.CompactFunc(list, func(a, b Sample) bool { return a.Own == b.Own && a.Opp == b.Opp })
}

// beside returns a position with so many empty squares that lies one to four
// moves beside a game: each of them is any move or, as often, the one that
// leaves the opponent the fewest.
func beside(g *Game, empties int, rng *rand.Rand) (s Sample, ok bool) {
	p := startPosition
	moves := 60 - empties
	off := min(1+rng.IntN(4), moves)
	if moves-off > len(g.squares) {
		return s, false
	}
	for _, sq := range g.squares[:moves-off] {
		p.play(sq)
	}
	for i := range off {
		legal := othello.Movable(p.own, p.opp)
		if legal == 0 {
			return s, false
		}
		if i == 0 || rng.IntN(2) == 0 {
			for range rng.IntN(bits.OnesCount64(legal)) {
				legal &= legal - 1
			}
			p.play(uint8(bits.TrailingZeros64(legal)))
		} else {
			p.play(quiet(&p, legal))
		}
	}
	return Sample{Own: p.own, Opp: p.opp, beside: true}, othello.Movable(p.own, p.opp) != 0
}

// quiet returns the move that leaves the opponent the fewest.
func quiet(p *position, legal uint64) (best uint8) {
	least := 1 << 10
	for ; legal != 0; legal &= legal - 1 {
		sq := uint8(bits.TrailingZeros64(legal))
		turned := othello.Flips(p.own, p.opp, uint(sq))
		replies := bits.OnesCount64(othello.Movable(p.opp&^turned, p.own|turned|1<<sq))
		if replies < least {
			least, best = replies, sq
		}
	}
	return best
}
