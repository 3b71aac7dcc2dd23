package verdict_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/verdict"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/workshop/counted"
)

func boards(t testing.TB, sets ...string) (list []*counted.Board) {
	t.Helper()
	path := testkit.Games(t, "go-testsets/counted.tar.gz")
	all, err := counted.Read(context.Background(), ingest.Options{Formats: builtin.Formats(), Games: builtin.Games()}, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		for _, set := range sets {
			if strings.HasSuffix(b.Set, set) {
				list = append(list, b)
			}
		}
	}
	if len(list) == 0 {
		t.Fatalf("no boards of %v", sets)
	}
	return list
}

// TestUnknown judges boards that the weights were not made from. The floors are what
// the program must reach, not what it does.
func TestUnknown(t *testing.T) {
	j := judge.New()
	var sum counted.Tally
	sets, want := []string{"igs31", "set2-czd", "set3-korea"}, 48
	if !testkit.Shared() {
		sets, want = []string{"own"}, 32
	}
	for _, c := range boards(t, sets...) {
		r, err := j.Judge(c.Position(), judge.Options{})
		if err != nil {
			t.Fatal(err)
		}
		tally := c.Compare(j.Board(), &r.Judgement)
		sum.Add(&tally)
	}
	wrong, of := sum.ClearWrong()
	t.Logf("%d boards: strings %d of %d, points %d of %d, unclear %d, wrong among the rest %d of %d",
		sum.Boards, sum.StringsRight, sum.Strings, sum.PointsRight, sum.Points, sum.Unclear, wrong, of)
	share := func(a, b int) float64 { return float64(a) / float64(b) }
	switch {
	case sum.Boards != want:
		t.Errorf("%d boards, want %d", sum.Boards, want)
	case share(sum.StringsRight, sum.Strings) < 0.995:
		t.Errorf("strings: %d of %d", sum.StringsRight, sum.Strings)
	case share(sum.PointsRight, sum.Points) < 0.995:
		t.Errorf("points: %d of %d", sum.PointsRight, sum.Points)
	case share(sum.Unclear, sum.Strings) > 0.05:
		t.Errorf("unclear: %d of %d", sum.Unclear, sum.Strings)
	case share(wrong, of) > 0.005:
		t.Errorf("wrong among the rest: %d of %d", wrong, of)
	case sum.ProvedWrong > 0:
		t.Errorf("%d proofs are wrong", sum.ProvedWrong)
	}
}

func TestWeights(t *testing.T) {
	w := verdict.Shipped()
	if len(w.Rounds) < 2 || len(w.Rounds[0].Trees) == 0 {
		t.Fatalf("%d rounds", len(w.Rounds))
	}
	var file bytes.Buffer
	if _, err := w.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	again, err := verdict.ReadWeights(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, verdict.Features)
	for i := range row {
		row[i] = float32(i%5) - 1
	}
	for r := range w.Rounds {
		if a, b := w.Rounds[r].Sum(row), again.Rounds[r].Sum(row); a != b {
			t.Errorf("round %d: %v before, %v after", r, a, b)
		}
	}
	broken := func(change func([]byte) []byte) []byte { return change(bytes.Clone(data)) }
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"empty":    {nil, "begin"},
		"other":    {[]byte("something else altogether"), "begin"},
		"features": {broken(func(d []byte) []byte { d[9]--; return d }), "features"},
		"short":    {data[:len(data)-1], "end"},
		"long":     {append(bytes.Clone(data), 0), "left over"},
		"feature":  {broken(func(d []byte) []byte { d[17] = 255; return d }), "asks for feature"},
	} {
		_, err := verdict.ReadWeights(bytes.NewReader(c.data))
		if !errors.Is(err, verdict.ErrWeights) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRow checks that rows are as long as the names say.
func TestRow(t *testing.T) {
	var b life.Board
	var s verdict.Survey
	rules, err := weiqi.Standard.Variant("9x9")
	if err != nil {
		t.Fatal(err)
	}
	p := rules.Start().(*weiqi.Position)
	for i := range 40 {
		if err := p.Force(game.Side(i%2), game.Drop(board.At(i*4%9, i*7%9))); err != nil && !errors.Is(err, game.ErrIllegal) {
			t.Fatal(err)
		}
	}
	b.Reset(p.Planes())
	if len(b.Strings) == 0 {
		t.Fatal("no strings")
	}
	s.Look(&b, make([]life.Status, len(b.Strings)))
	chance := make([]float32, len(b.Strings))
	verdict.Begin(chance, make([]life.Status, len(b.Strings)))
	s.Think(chance)
	for i := range b.Strings {
		if n := len(s.Row(nil, i)); n != verdict.Features || n != len(verdict.Names()) {
			t.Fatalf("%d features, %d names", n, len(verdict.Names()))
		}
	}
}

func BenchmarkVerdict(b *testing.B) {
	list := boards(b, "igs31")
	j := judge.New()
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := j.Judge(list[i%len(list)].Position(), judge.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
