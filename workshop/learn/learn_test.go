package learn

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/engine/reversi/eval"
	"qipu/game"
	"qipu/game/othello"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/record"
	"qipu/record/transcript"
	"qipu/record/wthor"
)

// randomGames plays games: any move at first, quiet ones later, so that there is
// something to learn.
func randomGames(seed uint64, n int) (list []Game) {
	rng := rand.New(rand.NewPCG(seed, 2))
	for range n {
		var g Game
		p := startPosition
		for {
			legal := othello.Movable(p.own, p.opp)
			if legal == 0 {
				break
			}
			sq := quiet(&p, legal)
			if p.empties() > 50 || rng.IntN(4) == 0 {
				for range rng.IntN(bits.OnesCount64(legal)) {
					legal &= legal - 1
				}
				sq = uint8(bits.TrailingZeros64(legal))
			}
			p.play(sq)
			g.squares = append(g.squares, sq)
		}
		list = append(list, g)
	}
	return list
}

func samplesOf(games []Game, value func(own, opp uint64) float32) (list []Sample) {
	for i := range games {
		games[i].walk(func(p *position) {
			if e := p.empties(); e > 20 && e < 40 {
				list = append(list, Sample{Own: p.own, Opp: p.opp, Value: value(p.own, p.opp), Weight: 1})
			}
		})
	}
	return list
}

// TestFitRecovers makes values of known weights and has weights found for them:
// not the same ones, since different ones give the same sums, but with the same
// values, also of positions that the fit has not seen where all that they use
// was seen often.
func TestFitRecovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	truth := make([]float32, eval.PackedWeights())
	for i := range truth {
		truth[i] = float32(rng.NormFloat64())
	}
	value := func(own, opp uint64) (sum float32) {
		for _, f := range eval.AppendFeatures(nil, own, opp) {
			sum += truth[f]
		}
		return sum
	}
	train, test := samplesOf(randomGames(1, 600), value), samplesOf(randomGames(9, 200), value)
	uses := map[uint32]int{}
	for _, s := range train {
		for _, f := range eval.AppendFeatures(nil, s.Own, s.Opp) {
			uses[f]++
		}
	}
	target := make([]float32, len(train))
	variance := 0.0
	for i, s := range train {
		target[i] = s.Value
		variance += float64(s.Value) * float64(s.Value)
	}
	w := make([]float32, len(truth))
	p := newProblem(train, len(w), 2, 0.01)
	if err := p.solve(t.Context(), w, target, 60); err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(train))
	p.apply(w, out)
	rest := 0.0
	for i := range out {
		rest += math.Pow(float64(out[i]-target[i]), 2)
	}
	if rest > variance/1e4 {
		t.Errorf("the fit leaves %.3f of %.3f", rest, variance)
	}

	// What is rare in training cannot be known: its share is not counted.
	var known, off, n float64
	for _, s := range test {
		var want, got float64
		for _, f := range eval.AppendFeatures(nil, s.Own, s.Opp) {
			if uses[f] > 100 {
				want += float64(truth[f])
				got += float64(w[f])
			}
		}
		known += want * want
		off += (got - want) * (got - want)
		n++
	}
	if n == 0 || off > known/2 {
		t.Errorf("unseen positions: the fit leaves %.3f of %.3f", off/n, known/n)
	}

	w = make([]float32, len(truth))
	again := make([]float32, len(truth))
	if err := p.solve(t.Context(), w, target, 5); err != nil {
		t.Fatal(err)
	}
	p = newProblem(train, len(again), 5, 0.01)
	if err := p.solve(t.Context(), again, target, 5); err != nil {
		t.Fatal(err)
	}
	for i := range w {
		if w[i] != again[i] {
			t.Fatalf("weight %d: %v with two threads, %v with five", i, w[i], again[i])
		}
	}
}

func TestTrain(t *testing.T) {
	games := randomGames(2, 800)
	o := Options{Threads: 2, Beside: 100, Most: 300, Solve: 6, Guess: 7, Depth: 1, Steps: 5, Seed: 4}
	told := 0
	model, err := Train(t.Context(), games, o, func(done, total int) {
		if done < told || done > total {
			t.Errorf("%d of %d after %d", done, total, told)
		}
		told = done
	})
	if err != nil {
		t.Fatal(err)
	}
	w, err := eval.NewWeights(model)
	if err != nil {
		t.Fatal(err)
	}
	none, err := eval.NewWeights(eval.NewModel())
	if err != nil {
		t.Fatal(err)
	}
	got, before := Measure(w, games, MeasureOptions{Solve: 6, Depth: 1}), Measure(none, games, MeasureOptions{Solve: 6, Depth: 1})
	for _, e := range []int{1, 3, 6} {
		if got[e].Against != Solved || got[e].Positions == 0 || got[e].Mean > 0.7*before[e].Mean {
			t.Errorf("%d empty squares: error %+v, before training %+v", e, got[e], before[e])
		}
	}

	// Neither threads nor the order of the games make a difference.
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	o.Threads = 3
	again, err := Train(t.Context(), games, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k := range model.At {
		for i, v := range model.At[k] {
			if again.At[k][i] != v {
				t.Fatalf("knot %d, weight %d: %d, and %d the second time", k, i, v, again.At[k][i])
			}
		}
	}
}

func TestTrainStops(t *testing.T) {
	if _, err := Train(t.Context(), nil, Options{}, nil); !errors.Is(err, ErrFew) {
		t.Errorf("no games: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ctx, randomGames(3, 50), Options{Beside: -1}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFromRecord(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		ok         bool
		moves      int
	}{
		{"a game", "f5d6c3d3c4f4", true, 6},
		{"another corner", "c4e3f6e6f5c5", true, 6},
		{"an illegal move", "f5d6a1", false, 0},
		{"no moves", "", false, 0},
	} {
		ok := false
		var g Game
		for r, err := range transcript.Format.Read(&record.Source{Name: "x.txt", Reader: strings.NewReader(tt.text), Size: -1}) {
			if err == nil {
				g, ok = FromRecord(record.Play(othello.Standard, r))
			}
		}
		if ok != tt.ok || ok && len(g.squares) != tt.moves {
			t.Errorf("%s: %v, %d moves", tt.name, ok, len(g.squares))
		}
	}
}

func TestHeld(t *testing.T) {
	games := randomGames(5, 4000)
	n := 0
	for i := range games {
		if games[i].Held() {
			n++
		}
	}
	if n < 150 || n > 250 {
		t.Errorf("%d of 4000 games are held out, want one of twenty", n)
	}
}

// TestBeside holds positions beside games to what they are said to be.
func TestBeside(t *testing.T) {
	games := randomGames(6, 20)
	rng := rand.New(rand.NewPCG(1, 1))
	found := 0
	for e := range 60 {
		for range 50 {
			s, ok := beside(&games[rng.IntN(len(games))], e, rng)
			if !ok {
				continue
			}
			found++
			if got := 64 - bits.OnesCount64(s.Own|s.Opp); got != e || s.Own&s.Opp != 0 || othello.Movable(s.Own, s.Opp) == 0 {
				t.Fatalf("%d empty squares wanted: %x %x", e, s.Own, s.Opp)
			}
		}
	}
	if found < 2500 {
		t.Errorf("only %d positions", found)
	}
}

// TestHeldOutError measures the weights of the program in real games that they
// were not trained on.
func TestHeldOutError(t *testing.T) {
	var games []Game
	_, err := ingest.Run(t.Context(), ingest.Options{
		Formats: []record.Format{wthor.Format}, Games: game.Catalog{othello.Standard}, Workers: 2,
		Sink: sink(func(p *record.Played) {
			if g, ok := FromRecord(p); ok && g.Held() {
				games = append(games, g)
			}
		}),
	}, testkit.Data(t, "othello/wthor.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	list := Measure(eval.Trained(), games, MeasureOptions{Threads: 2, Most: testkit.Scale(50, 2000), Solve: testkit.Scale(8, 12), Depth: testkit.Scale(2, 6)})
	for _, want := range []struct {
		empties int
		against string
		most    float64
	}{{24, Recorded, 5.5}, {25, Played, 6.5}} {
		got := list[want.empties]
		if got.Positions < 4000 || got.Against != want.against || got.Mean > want.most {
			t.Errorf("%d empty squares: %+v, want a mean error of %.1f against %s", want.empties, got, want.most, want.against)
		}
	}
	if got := list[24].Bias; math.Abs(got) > 0.5 {
		t.Errorf("24 empty squares: a bias of %.2f discs", got)
	}
	for _, e := range list {
		t.Logf("%2d empty squares: %5d positions, mean %5.2f, root %5.2f, bias %5.2f, against %s", e.Empties, e.Positions, e.Mean, e.Root, e.Bias, e.Against)
	}
}

// sink takes played records.
type sink func(*record.Played)

func (s sink) Add(_ context.Context, p *record.Played) error {
	s(p)
	return nil
}
