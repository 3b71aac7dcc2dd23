package judging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"qipu/builtin"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/verdict"
	"qipu/ingest"
	"qipu/workshop/counted"
)

// read reads boards from files of their own: names and texts by turns.
func read(t testing.TB, files ...string) []*counted.Board {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := counted.Read(context.Background(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}, dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// invaded draws a board of nine lines: Black has the left, White the right, and each
// has a few stones in the other's land, which are dead.
func invaded(r *rand.Rand) (stones, owners [9]string) {
	var board, owner [9][9]byte
	for y := range board {
		for x := range board[y] {
			switch {
			case x == 3, x == 4 && y == 4:
				board[y][x], owner[y][x] = 'X', 'B'
			case x == 5, x == 4:
				board[y][x], owner[y][x] = 'O', 'W'
			case x < 3:
				board[y][x], owner[y][x] = '.', 'B'
			default:
				board[y][x], owner[y][x] = '.', 'W'
			}
		}
	}
	for range 2 {
		y := 1 + r.IntN(7)
		board[y][1], board[8-y][7] = 'O', 'X'
		if r.IntN(2) == 0 {
			board[y][r.IntN(2)*2] = 'O'
		}
	}
	for y := range board {
		stones[y], owners[y] = string(board[y][:]), string(owner[y][:])
	}
	return stones, owners
}

// labelled are boards whose owners are known.
func labelled(t testing.TB, n int, seed uint64) []*counted.Board {
	r := rand.New(rand.NewPCG(seed, 1))
	var files []string
	for i := range n {
		stones, owners := invaded(r)
		files = append(files, fmt.Sprintf("%d.own", i), "#\n"+strings.Join(stones[:], "\n")+"\n\n"+strings.Join(owners[:], "\n")+"\n")
	}
	return read(t, files...)
}

// scored is a board of nine lines where Black has the left and White the right, and
// of which the result alone is known: White has stones in Black's land.
func scored(t testing.TB, result string, white ...string) *counted.Board {
	text := "(;GM[1]SZ[9]RU[Chinese]KM[0]RE[" + result + "]AB[da][db][dc][dd][de][df][dg][dh][di]AW[ea][eb][ec][ed][ee][ef][eg][eh][ei]"
	for _, at := range white {
		text += "[" + at + "]"
	}
	list := read(t, "a.sgf", text+")")
	if len(list) != 1 {
		t.Fatalf("%d boards", len(list))
	}
	return list[0]
}

// unsure are weights by which every string stays, by a hair.
func unsure() *verdict.Weights {
	return &verdict.Weights{Rounds: []verdict.Forest{{Bias: 0.1}}}
}

// quick are options for tests.
var quick = Options{Rounds: 3, Trees: 30, Rate: 0.2, Folds: 2}

func weights(t testing.TB, w *verdict.Weights) []byte {
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestForest: a forest finds a rule of two features among noise, and looks at no
// rows but those that it is given.
func TestForest(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 1500
	x, label := make([]float32, rows*verdict.Features), make([]float32, rows)
	for i := range x {
		x[i] = float32(r.IntN(100)) / 100
	}
	at := func(i, column int) float32 { return x[i*verdict.Features+column] }
	rule := func(i int) bool { return at(i, 3) > 0.4 != (at(i, 7) > 0.6) }
	var known []int32
	for i := range rows {
		if rule(i) {
			label[i] = 1
		}
		if i%3 > 0 {
			known = append(known, int32(i))
		}
	}
	o := forestOptions{trees: 60, rate: 0.2, least: 1, lambda: 1, rows: 0.7, seed: 1}
	f := newTable(x, verdict.Features).grow(t.Context(), known, label, o)
	wrong, unseen := 0, 0
	for i := range rows {
		if sum := f.Sum(x[i*verdict.Features:][:verdict.Features]); i%3 == 0 {
			if unseen++; (sum > 0) != rule(i) {
				wrong++
			}
		}
	}
	if wrong*50 > unseen {
		t.Errorf("%d of %d rows that it did not know are wrong", wrong, unseen)
	}
	for i := 0; i < rows; i += 3 {
		label[i] = 1 - label[i]
	}
	again := newTable(x, verdict.Features).grow(t.Context(), known, label, o)
	a, b := verdict.Weights{Rounds: []verdict.Forest{f}}, verdict.Weights{Rounds: []verdict.Forest{again}}
	if !bytes.Equal(weights(t, &a), weights(t, &b)) {
		t.Error("labels of rows that it was not given change it")
	}
}

// TestForestOfNothing: without rows there is no reason to lean to either side.
func TestForestOfNothing(t *testing.T) {
	f := newTable(nil, verdict.Features).grow(t.Context(), nil, nil, forestOptions{trees: 2, rate: 1, lambda: 1, rows: 1})
	if got := f.Sum(make([]float32, verdict.Features)); got != 0 {
		t.Errorf("it says %v", got)
	}
}

// TestTeach: what is learnt from some boards holds on others of the same kind, and
// does not hang on how many cores there are.
func TestTeach(t *testing.T) {
	boards := labelled(t, 30, 1)
	var first []byte
	for _, cores := range []int{1, 4} {
		was := runtime.GOMAXPROCS(cores)
		done, total := 0, 0
		o := quick
		o.Progress = func(d, of int) { done, total = d, of }
		w, lessons, err := Teach(t.Context(), boards, o)
		runtime.GOMAXPROCS(was)
		if err != nil {
			t.Fatal(err)
		}
		if lessons != (Lessons{Known: 30}) || len(w.Rounds) != o.Rounds || done == 0 || done > total {
			t.Errorf("lessons %+v, %d rounds, %d of %d forests", lessons, len(w.Rounds), done, total)
		}
		if first == nil {
			first = weights(t, w)
		} else if !bytes.Equal(first, weights(t, w)) {
			t.Error("another number of cores, other weights")
		}
	}
	w, err := verdict.ReadWeights(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	taught, untaught := judge.With(w), judge.With(unsure())
	var right, before counted.Tally
	for _, c := range labelled(t, 10, 2) {
		for j, sum := range map[*judge.Judge]*counted.Tally{taught: &right, untaught: &before} {
			r, err := j.Judge(c.Position(), judge.Options{})
			if err != nil {
				t.Fatal(err)
			}
			one := c.Compare(j.Board(), &r.Judgement)
			sum.Add(&one)
		}
	}
	if right.StringsWrong > 0 || right.PointsWrong > 0 || before.StringsWrong == 0 {
		t.Errorf("%d strings of %d are wrong, %d before it was taught", right.StringsWrong, right.Strings, before.StringsWrong)
	}
}

// TestTeachByScore: boards of which the score alone is known are learnt from where
// it comes out.
func TestTeachByScore(t *testing.T) {
	boards := labelled(t, 12, 3)
	boards = append(boards, scored(t, "W+9"), scored(t, "W+9", "bb"), scored(t, "B+50"))
	_, l, err := Teach(t.Context(), boards, quick)
	if err != nil {
		t.Fatal(err)
	}
	if l.Known != 12 || l.ByScore+l.Turned != 2 || l.Left != 1 {
		t.Errorf("lessons %+v", l)
	}
}

func TestTeachErrors(t *testing.T) {
	if _, _, err := Teach(t.Context(), nil, quick); !errors.Is(err, ErrNothing) {
		t.Errorf("no boards: %v", err)
	}
	if _, _, err := Teach(t.Context(), []*counted.Board{scored(t, "W+9")}, quick); !errors.Is(err, ErrNothing) {
		t.Errorf("no labels: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Teach(ctx, labelled(t, 2, 1), quick); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	o := quick
	ctx, cancel = context.WithCancel(t.Context())
	o.Progress = func(int, int) { cancel() }
	if _, _, err := Teach(ctx, labelled(t, 2, 1), o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled on the way: %v", err)
	}
}

// TestFewRounds: a verdict of one round is taught as well, though no reading follows.
func TestFewRounds(t *testing.T) {
	o := quick
	o.Rounds = 1
	w, _, err := Teach(t.Context(), labelled(t, 10, 1), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Rounds) != 1 || len(w.Rounds[0].Trees) != o.Trees || w.Rounds[0].Trees[0].Leaf == [1 << verdict.Depth]float32{} {
		t.Errorf("%d rounds, nothing learnt", len(w.Rounds))
	}
}

func TestKnown(t *testing.T) {
	if _, ok := Known(scored(t, "W+9")); ok {
		t.Error("a board without labels is known")
	}
	c := labelled(t, 1, 1)[0]
	e, ok := Known(c)
	if !ok || e.Board != c {
		t.Fatal("a board with labels is not known")
	}
	var b life.Board
	b.Reset(c.Setup.Board)
	for i, stays := range e.Stays {
		if walls := b.Strings[i].Stones > 5; stays != walls {
			t.Errorf("string %d of %d stones stays: %v", i, b.Strings[i].Stones, stays)
		}
	}
}

// TestByScore: with a judge that lets everything live, by a hair.
func TestByScore(t *testing.T) {
	for _, c := range []struct {
		name       string
		board      *counted.Board
		turned, ok bool
		dead       int
	}{
		{"as it was counted", scored(t, "W+9"), false, true, 0},
		{"a dead stone has to be turned", scored(t, "W+9", "bb"), true, true, 1},
		{"two stones in one place", scored(t, "W+9", "bb", "cb"), true, true, 1},
		{"either of two would do", scored(t, "W+37", "bb", "bg"), false, false, 0},
		{"no way to come to that", scored(t, "B+50", "bb"), false, false, 0},
		{"not counted", labelled(t, 1, 1)[0], false, false, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, turned, ok := ByScore(judge.With(unsure()), c.board)
			if turned != c.turned || ok != c.ok {
				t.Fatalf("turned %v, ok %v", turned, ok)
			}
			if !ok {
				return
			}
			dead := 0
			for _, stays := range e.Stays {
				if !stays {
					dead++
				}
			}
			if dead != c.dead || e.Board != c.board {
				t.Errorf("%d strings are dead, want %d", dead, c.dead)
			}
		})
	}
}
