package judging

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"

	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/proof"
	"qipu/game/weiqi/life/verdict"
	"qipu/workshop/counted"
	"qipu/workshop/parallel"
)

// Options chooses how the verdict is taught; the zero value is how the weights of
// the program were made.
type Options struct {
	Rounds int     // forests, one after the other, the last of several with reading: 4
	Trees  int     // of each: 150
	Rate   float64 // share of the advice of each tree that is taken: 0.06
	Share  float64 // share of the strings that each tree is grown on: 0.5
	Least  float64 // weight that a leaf must have: 2
	Lambda float64 // how firmly leaves are held to nothing: 8
	Folds  int     // parts that chances are found by: 4, see Train

	// Progress, where it is given, is told how many forests of how many are grown.
	Progress func(done, total int)
}

func (o Options) withDefaults() Options {
	o.Rounds, o.Trees, o.Folds = cmp.Or(o.Rounds, 4), cmp.Or(o.Trees, 150), cmp.Or(o.Folds, 4)
	o.Rate, o.Share, o.Least, o.Lambda = cmp.Or(o.Rate, 0.06), cmp.Or(o.Share, 0.5), cmp.Or(o.Least, 2), cmp.Or(o.Lambda, 8)
	return o
}

// Lessons tell what the verdict was taught by.
type Lessons struct {
	Known   int // boards whose owners are known
	ByScore int // boards that came out as counted
	Turned  int // boards that did so with one group the other way round
	Left    int // boards that did not
}

// ErrNothing tells that there is no board to learn from.
var ErrNothing = errors.New("judging: none of the boards has known owners, and there is nothing to begin with")

// Teach trains on the boards whose owners are known, judges those of which the
// score alone is known, and trains on all that came out right.
func Teach(ctx context.Context, boards []*counted.Board, o Options) (*verdict.Weights, Lessons, error) {
	var l Lessons
	var known []*Example
	for _, c := range boards {
		if e, ok := Known(c); ok {
			known = append(known, e)
		}
	}
	if l.Known = len(known); l.Known == 0 {
		return nil, l, ErrNothing
	}
	report, done := o.Progress, 0
	o = o.withDefaults()
	total := 2 * (1 + (o.Rounds-1)*(o.Folds+1))
	o.Progress = func(int, int) {
		if done++; report != nil {
			report(done, total)
		}
	}
	w, err := Train(ctx, known, o)
	if err != nil {
		return nil, l, err
	}
	j := judge.With(w)
	all := known
	for _, c := range boards {
		if err := ctx.Err(); err != nil {
			return nil, l, err
		}
		if c.Labelled || !c.Counted {
			continue
		}
		switch e, turned, ok := ByScore(j, c); {
		case !ok:
			l.Left++
		case turned:
			l.Turned++
			all = append(all, e)
		default:
			l.ByScore++
			all = append(all, e)
		}
	}
	if len(all) == len(known) {
		return w, l, nil
	}
	w, err = Train(ctx, all, o)
	return w, l, err
}

// Train fits the forests of the verdict, one round after the other. A round
// looks at the chances that the one before gave; what a forest says of boards that
// it was taught with is better than what it says of others, so each round is
// taught with chances by forests that did not know the board.
func Train(ctx context.Context, boards []*Example, o Options) (*verdict.Weights, error) {
	o = o.withDefaults()
	w := new(verdict.Weights)
	chances := make([][]float32, len(boards))
	first := make([]int, len(boards)+1)
	proved := make([][]life.Status, len(boards))
	eachBoard(ctx, boards, func(s *verdict.Survey, p *proof.Prover, b *life.Board, i int) {
		proved[i] = slices.Clone(p.Static(b).Strings)
		chances[i] = make([]float32, len(b.Strings))
		verdict.Begin(chances[i], proved[i])
	})
	for i, b := range boards {
		first[i+1] = first[i] + len(b.Stays)
	}
	rows := first[len(boards)]
	label := make([]float32, rows)
	for i, b := range boards {
		for k, stays := range b.Stays {
			if stays {
				label[first[i]+k] = 1
			}
		}
	}
	x := make([]float32, rows*verdict.Features)
	done := 0
	for round := range o.Rounds {
		last := round > 0 && round == o.Rounds-1 // with reading, of the doubtful strings
		eachBoard(ctx, boards, func(s *verdict.Survey, _ *proof.Prover, b *life.Board, i int) {
			s.Look(b, proved[i])
			if last {
				s.Read(boards[i].Board.Position(), func(k int) bool { return verdict.Doubtful(chances[i][k]) })
			}
			s.Think(chances[i])
			for k := range b.Strings {
				at := (first[i] + k) * verdict.Features
				s.Row(x[at:at:at+verdict.Features], k)
			}
		})
		t := newTable(x, verdict.Features)
		trees := o.Trees
		if last {
			trees /= 3 // there are few strings to learn from
		}
		fo := forestOptions{trees: trees, rate: o.Rate, least: o.Least, lambda: o.Lambda, rows: o.Share, seed: uint64(round) + 1}
		for fold := range o.Folds + 1 {
			if fold < o.Folds && round == o.Rounds-1 {
				continue // no round looks at these chances
			}
			var list []int32
			for i := range boards {
				if fold == o.Folds || i%o.Folds != fold {
					for k, known := range proved[i] {
						if known == life.Unknown && (!last || verdict.Doubtful(chances[i][k])) {
							list = append(list, int32(first[i]+k))
						}
					}
				}
			}
			f := t.grow(ctx, list, label, fo)
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if done++; o.Progress != nil {
				o.Progress(done, 1+(o.Rounds-1)*(o.Folds+1))
			}
			if fold == o.Folds {
				w.Rounds = append(w.Rounds, f)
				break
			}
			for i := range boards {
				if i%o.Folds == fold {
					for k, known := range proved[i] {
						if known != life.Unknown {
							continue
						}
						at := (first[i] + k) * verdict.Features
						chances[i][k] = verdict.Chance(f.Sum(x[at : at+verdict.Features]))
					}
				}
			}
		}
	}
	return w, nil
}

// eachBoard calls back for every board, on all cores, until the context is done. The
// prover goes by the rules of the board, as it does when the board is judged.
func eachBoard(ctx context.Context, boards []*Example, visit func(s *verdict.Survey, p *proof.Prover, b *life.Board, i int)) {
	type mind struct {
		survey verdict.Survey
		prover proof.Prover
		board  life.Board
	}
	minds := make([]mind, runtime.GOMAXPROCS(0))
	parallel.Each(len(boards), len(minds), func(worker, i int) {
		if ctx.Err() != nil {
			return
		}
		m, b := &minds[worker], boards[i].Board
		m.board.Reset(b.Setup.Board)
		m.prover.Suicide = b.Rules.RuleSet().Suicide
		visit(&m.survey, &m.prover, &m.board, i)
	})
}
