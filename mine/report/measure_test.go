package report_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"qipu"
	"qipu/internal/testkit"
	"qipu/library"
	"qipu/mine/dataset"
	"qipu/mine/gather"
	"qipu/mine/report"
	"qipu/mine/rules"
)

// TestMeasure makes the figures of docs/mining.md that need real games: QIPU_BENCH=1 runs it,
// on the library that QIPU_LIBRARY names, or on one that it makes.
func TestMeasure(t *testing.T) {
	if os.Getenv("QIPU_BENCH") == "" {
		t.Skip("QIPU_BENCH is not set")
	}
	dir := os.Getenv("QIPU_LIBRARY")
	fresh := dir == ""
	if fresh {
		dir = t.TempDir()
	}
	l, err := qipu.Open(t.Context(), dir, qipu.Options{Create: fresh, ReadOnly: !fresh})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if fresh {
		if _, err := l.Import(t.Context(), library.ImportOptions{}, testkit.Data(t, "xiangqi/xiangqi-games.tar.gz")); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Records().BuildNames(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, ply := range []int{20, 40, 60} {
		o := report.Options{Options: gather.Options{Game: "xiangqi", At: gather.Moment{Ply: ply}}, Rules: rules.Options{Size: 2}}
		r, err := report.Make(t.Context(), l.Records(), l.Search(), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("ply %d: %d rows, %d rules, %d sequences; halves %+v, unseen %+v, after %d %+v, touched %.3f", ply, len(r.Set.Rows), len(r.Found.Rules), len(r.Followed.Sequences), r.Halves, r.Unseen, r.Until, r.Years, r.Touched)
		if ply != 40 {
			continue
		}
		result := r.Set.Judgement(dataset.Result).Values
		rng := rand.New(rand.NewPCG(1, 1))
		const runs, rate = 200, .05
		some, follow := 0, 0
		for range runs {
			rng.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
			f, err := rules.Mine(t.Context(), r.Set, rules.Options{Size: 2, Rate: rate})
			if err != nil {
				t.Fatal(err)
			}
			q, err := rules.Sequences(t.Context(), r.Set, rules.Options{Rate: rate})
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Rules) > 0 {
				some++
			}
			if len(q.Sequences) > 0 {
				follow++
			}
		}
		t.Logf("%d shuffles: %d with a rule, %d with a sequence", runs, some, follow)
		if some > rate*runs || follow > rate*runs {
			t.Error("more findings than the rate allows")
		}
	}
}
