package rules

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/internal/testkit"
	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
)

// TestFrequent: Apriori, FP-growth and trying every set give the same answer.
func TestFrequent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	some := 0
	for try := range 200 {
		items, rows := 1+rng.IntN(10), 1+rng.IntN(150)
		columns := make([]dataset.Bits, items)
		for i := range columns {
			columns[i] = dataset.NewBits(rows)
			share := rng.Float64()
			for r := range rows {
				if i > 0 && rng.IntN(3) == 0 && columns[i-1].Has(r) || rng.Float64() < share {
					columns[i].Set(r)
				}
			}
		}
		least, size := 1+rng.IntN(rows), 1+rng.IntN(5)
		want := brute(columns, rows, least, size)
		some += len(want)
		for name, find := range map[string]func() ([]Frequent, error){
			"Apriori": func() ([]Frequent, error) { return Apriori(t.Context(), columns, least, size) },
			"Growth":  func() ([]Frequent, error) { return Growth(t.Context(), columns, least, size) },
		} {
			got, err := find()
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("try %d: %s finds %d sets, there are %d (%v)", try, name, len(got), len(want), err)
			}
		}
		for i, closed := range Closed(columns, want) {
			if is := isClosed(columns, rows, want[i]); closed != is {
				t.Fatalf("try %d: %v closed: %v", try, want[i], closed)
			}
		}
	}
	if some < 1000 {
		t.Errorf("%d sets alone were compared", some)
	}
}

// brute tries every set.
func brute(columns []dataset.Bits, rows, least, size int) (list []Frequent) {
	for mask := 1; mask < 1<<len(columns); mask++ {
		var items []int32
		for i := range columns {
			if mask>>i&1 != 0 {
				items = append(items, int32(i))
			}
		}
		if n := countAll(columns, rows, items); len(items) <= size && n >= least {
			list = append(list, Frequent{items, n})
		}
	}
	slices.SortFunc(list, func(a, b Frequent) int {
		if len(a.Items) != len(b.Items) {
			return len(a.Items) - len(b.Items)
		}
		return slices.Compare(a.Items, b.Items)
	})
	return list
}

func countAll(columns []dataset.Bits, rows int, items []int32) (n int) {
	for r := range rows {
		if !slices.ContainsFunc(items, func(it int32) bool { return !columns[it].Has(r) }) {
			n++
		}
	}
	return n
}

func isClosed(columns []dataset.Bits, rows int, f Frequent) bool {
	for i := range columns {
		if it := int32(i); !slices.Contains(f.Items, it) && countAll(columns, rows, append(slices.Clone(f.Items), it)) == f.Count {
			return false
		}
	}
	return true
}

// TestFisher compares with the sum over all squares.
func TestFisher(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		n := 1 + rng.IntN(400)
		q := Square{Rows: n, With: rng.IntN(n + 1), Truths: rng.IntN(n + 1)}
		low, high := max(0, q.With+q.Truths-n), min(q.With, q.Truths)
		q.Both = low + rng.IntN(high-low+1)
		l := NewLogs(n)
		chance := func(k int) float64 {
			return math.Exp(l.choose(q.Truths, k) + l.choose(n-q.Truths, q.With-k) - l.choose(n, q.With))
		}
		want := 0.0
		for k := low; k <= high; k++ {
			if p := chance(k); p <= chance(q.Both)*(1+1e-7) {
				want += p
			}
		}
		if got := l.Fisher(q); math.Abs(got-min(1, want)) > 1e-9+1e-6*want {
			t.Fatalf("%+v: %g, want %g", q, got, want)
		}
	}
	// The lady tasting tea.
	if p := NewLogs(8).Fisher(Square{With: 4, Both: 4, Rows: 8, Truths: 4}); math.Abs(p-2.0/70) > 1e-12 {
		t.Errorf("tea: %g", p)
	}
}

func TestAdjust(t *testing.T) {
	p := []float64{.01, .04, .03, .005}
	if got := Adjust(Hochberg, p, 4); !close4(got, []float64{.02, .04, .04, .02}) {
		t.Errorf("Benjamini and Hochberg: %v", got)
	}
	h := 1 + 1./2 + 1./3 + 1./4
	if got := Adjust(Yekutieli, p, 4); !close4(got, []float64{.02 * h, .04 * h, .04 * h, .02 * h}) {
		t.Errorf("Benjamini and Yekutieli: %v", got)
	}
	if math.Abs(harmonic(1000)-(math.Log(1000)+.57721566490153286+1./2000)) > 1e-6 {
		t.Error("the sum and its formula differ")
	}
}

func close4(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) < 1e-12 })
}

func TestMeasures(t *testing.T) {
	q := Square{With: 40, Both: 30, Rows: 200, Truths: 100}
	for name, pair := range map[string][2]float64{
		"support": {q.Support(), .15}, "confidence": {q.Confidence(), .75}, "lift": {q.Lift(), 1.5},
		"leverage": {q.Leverage(), .05}, "conviction": {q.Conviction(), 2},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s %g, want %g", name, pair[0], pair[1])
		}
	}
}

// TestCompare: an example of Mantel and Haenszel by hand, and Simpson's paradox: what seems
// to win does nothing among those that are alike.
func TestCompare(t *testing.T) {
	e := Compare([]Cell{{N: 20, Wins: 10}, {N: 10, Wins: 8}}, []Cell{{N: 10, Wins: 3}, {N: 30, Wins: 18}})
	odds := (10*7/30.0 + 8*12/40.0) / (3*10/30.0 + 18*2/40.0)
	if math.Abs(e.Odds-odds) > 1e-12 || e.Low >= odds || e.High <= odds || e.Strata != 2 {
		t.Errorf("odds %+v, want %g", e, odds)
	}
	w1, w2 := 20*10/30.0, 10*30/40.0
	if score := (w1*.2 + w2*.2) / (w1 + w2); math.Abs(e.Score-score) > 1e-12 {
		t.Errorf("score %g, want %g", e.Score, score)
	}
	if e := Compare([]Cell{{N: 900, Wins: 810}, {N: 100, Wins: 10}}, []Cell{{N: 100, Wins: 90}, {N: 900, Wins: 90}}); e.Score != 0 || e.P != 1 {
		t.Errorf("nothing within strata: %+v", e)
	}
}

// world is a table with noise and with rules that were planted: the truth is what makes
// results.
type world struct {
	*dataset.Set
	rules     [][]int // that make results
	sequences [][2]int
}

// planted makes a table of games in which material decides most, some items come with
// material, and pairs and sequences of items decide beside it.
func planted(rows, items int, seed uint64) *world {
	rng := rand.New(rand.NewPCG(seed, 77))
	w := &world{Set: dataset.New("planted", datasettest.GameRows(rows))}
	has := make([][]uint16, items) // the ply by row, 0 for none
	material := make([]float64, rows)
	for r := range material {
		material[r] = float64(rng.IntN(5) - 2)
	}
	for i := range has {
		has[i] = make([]uint16, rows)
		share := .1 + .3*rng.Float64()
		for r := range rows {
			p := share
			if i%5 == 4 && material[r] > 0 { // comes with winning, and does nothing
				p *= 2
			}
			if rng.Float64() < p {
				has[i][r] = uint16(1 + rng.IntN(60))
			}
		}
	}
	w.rules = [][]int{{0}, {1}, {2, 3}, {5, 6}}
	effects := []float64{.15, -.12, .25, -.25}
	w.sequences = [][2]int{{7, 8}, {10, 11}}
	// Those that follow do so more often than by chance.
	for _, q := range w.sequences {
		for r := range rows {
			if a := has[q[0]][r]; a != 0 && rng.IntN(2) == 0 {
				has[q[1]][r] = a + uint16(1+rng.IntN(12))
			}
		}
	}
	result := make([]float64, rows)
	for r := range rows {
		p := .5 + .12*material[r]
		for i, rule := range w.rules {
			if !slices.ContainsFunc(rule, func(it int) bool { return has[it][r] == 0 }) {
				p += effects[i]
			}
		}
		for _, q := range w.sequences {
			if a, b := has[q[0]][r], has[q[1]][r]; a != 0 && b > a && b <= a+12 {
				p += .25
			}
		}
		if rng.Float64() < p {
			result[r] = 1
		}
	}
	for i := range has {
		var spans []dataset.Span
		for r, ply := range has[i] {
			if ply != 0 {
				spans = append(spans, dataset.Span{Row: uint32(r), From: ply, To: ply + 2})
			}
		}
		w.AddItem(dataset.Item{ID: fmt.Sprint("i", i)}, spans)
	}
	w.AddNumber("material", material)
	w.AddJudgement(dataset.Result, result)
	return w
}

// TestPlanted: what was planted is found, what goes with material alone is not, and what
// says no more is folded.
func TestPlanted(t *testing.T) {
	found, right, planned := 0, 0, 0
	foundSeq, rightSeq, planSeq := 0, 0, 0
	confounded, causal := 0, 0
	causes := []int{0, 1, 2, 3, 5, 6, 7, 8, 10, 11} // all items that have a part in a result
	for seed := range uint64(testkit.Scale(2, 20)) {
		w := planted(8000, 40, seed)
		f, err := Mine(t.Context(), w.Set, Options{Size: 2, Support: .01})
		if err != nil {
			t.Fatal(err)
		}
		found, planned = found+len(f.Rules), planned+len(w.rules)
		for _, rule := range w.rules {
			if slices.ContainsFunc(f.Rules, func(r Rule) bool { return slices.Equal(r.Items, rule) }) {
				right++
			}
		}
		for _, r := range f.Rules {
			if !slices.ContainsFunc(r.Items, func(it int) bool { return !slices.Contains(causes, it) }) {
				causal++
			}
			for _, it := range r.Items {
				if it%5 == 4 {
					confounded++
				}
			}
		}
		q, err := Sequences(t.Context(), w.Set, Options{Support: .01})
		if err != nil {
			t.Fatal(err)
		}
		planSeq += len(w.sequences)
		foundSeq += len(q.Sequences)
		for _, seq := range w.sequences {
			if slices.ContainsFunc(q.Sequences, func(s Sequence) bool { return s.First == seq[0] && s.Then == seq[1] }) {
				rightSeq++
			}
		}
		for _, s := range q.Sequences {
			if n := s.Rows(w.Set).Count(); n != s.With {
				t.Errorf("sequence %d then %d: %d rows, counted %d", s.First, s.Then, n, s.With)
			}
		}
	}
	// The items of a pair have an effect of their own, on the average of the other, and
	// effects add up: such rules are true findings, too.
	t.Logf("rules: %d planted, %d told: recall %.2f, precision %.2f; %d about items that only go with material", planned, found, float64(right)/float64(planned), float64(causal)/float64(found), confounded)
	t.Logf("sequences: %d planted, %d told, %d of the planted ones: precision %.2f, recall %.2f", planSeq, foundSeq, rightSeq, float64(rightSeq)/float64(max(foundSeq, 1)), float64(rightSeq)/float64(planSeq))
	if right != planned || confounded > 0 || float64(causal) < .95*float64(found) || float64(rightSeq) < .8*float64(foundSeq) || rightSeq != planSeq {
		t.Error("what was planted is not found, or what was not is")
	}
}

// TestShuffled: with results by chance there is a finding in no more runs than the rate says.
func TestShuffled(t *testing.T) {
	w := planted(2000, 25, 5)
	result := w.Judgement(dataset.Result).Values
	rng := rand.New(rand.NewPCG(6, 6))
	runs, any, anySeq := 200, 0, 0
	if !testkit.Full() {
		runs = 60
	}
	const rate = .05
	for range runs {
		rng.Shuffle(len(result), func(i, j int) { result[i], result[j] = result[j], result[i] })
		f, err := Mine(t.Context(), w.Set, Options{Size: 2, Rate: rate})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Rules) > 0 {
			any++
		}
		q, err := Sequences(t.Context(), w.Set, Options{Rate: rate})
		if err != nil {
			t.Fatal(err)
		}
		if len(q.Sequences) > 0 {
			anySeq++
		}
	}
	t.Logf("%d runs with shuffled results: %d with a rule, %d with a sequence; the rate is %g", runs, any, anySeq, rate)
	if float64(any) > rate*float64(runs) || float64(anySeq) > rate*float64(runs) {
		t.Error("there are findings where nothing is to be found")
	}
}

// TestItemsAndMoves: rules about other items and about the next move.
func TestItemsAndMoves(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const n = 3000
	s := dataset.New("next", datasettest.GameRows(n))
	var a, b, c []int
	next := make([]string, n)
	for r := range n {
		next[r] = "quiet"
		if rng.IntN(4) == 0 {
			a = append(a, r)
			if rng.IntN(10) < 8 {
				b = append(b, r)
			}
			if rng.IntN(10) < 7 {
				next[r] = "attack"
			}
		} else if rng.IntN(4) == 0 {
			b = append(b, r)
		}
		if rng.IntN(3) == 0 {
			c = append(c, r)
		}
	}
	for i, rows := range [][]int{a, b, c} {
		s.AddFact(dataset.Item{ID: fmt.Sprint(i)}, rows)
	}
	s.AddNext(next)
	f, err := Mine(t.Context(), s, Options{Then: Items, Growth: true})
	if err != nil || len(f.Rules) != 1 || f.Rules[0].Items[0]+f.Rules[0].Item != 1 {
		t.Errorf("%+v, %v", f.Rules, err)
	}
	if f, err = Mine(t.Context(), s, Options{Then: Next}); err != nil || len(f.Rules) == 0 || f.Rules[0].Items[0] != 0 {
		t.Errorf("%+v, %v", f.Rules, err)
	}
}

// TestDefined: a name that stands wherever another comes to stand is no finding beside it,
// however often both are there; what merely stands in the same games is one.
func TestDefined(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n = 1000
	s := dataset.New("defined", datasettest.GameRows(n))
	var wide, narrow, after, code []dataset.Span
	var coded []int
	for r := range uint32(n) {
		if rng.IntN(2) == 0 {
			continue
		}
		wide = append(wide, dataset.Span{Row: r, From: 10, To: 30})
		coded = append(coded, int(r))
		if rng.IntN(2) == 0 {
			from := uint16(10 + rng.IntN(20))
			narrow = append(narrow, dataset.Span{Row: r, From: from, To: from + 5})
			after = append(after, dataset.Span{Row: r, From: 40, To: 50})
		}
	}
	s.AddItem(dataset.Item{ID: "wide"}, wide)
	s.AddItem(dataset.Item{ID: "narrow"}, narrow)
	s.AddItem(dataset.Item{ID: "after"}, after) // in no game without the wide one, and never with it
	s.AddItem(dataset.Item{ID: "none"}, code)
	s.AddFact(dataset.Item{ID: "code"}, coded)
	for _, c := range []struct {
		narrow, wide string
		want         bool
	}{{"narrow", "wide", true}, {"wide", "narrow", false}, {"after", "wide", false}, {"code", "wide", true}, {"narrow", "code", true}, {"none", "wide", false}} {
		if got := Implies(s, datasettest.Item(s, c.narrow), datasettest.Item(s, c.wide)); got != c.want {
			t.Errorf("%s implies %s: %v", c.narrow, c.wide, got)
		}
	}
	f, err := Mine(t.Context(), s, Options{Then: Items, Size: 2})
	if err != nil || f.Defined != 4 || len(f.Rules) != 2 || !strings.Contains(strings.Join(f.Left, "; "), "4 sets go together by definition") {
		t.Errorf("%+v, %v", f, err)
	}
}

// TestBadTables: what cannot be mined is said in one sentence.
func TestBadTables(t *testing.T) {
	half := planted(400, 12, 1)
	for r := range 200 {
		half.Judgements[0].Values[r] = dataset.Unknown
	}
	all := make([]int, 400)
	for i := range all {
		all[i] = i
	}
	half.AddFact(dataset.Item{ID: "always"}, all)
	f, err := Mine(t.Context(), half.Set, Options{Most: 5})
	if err != nil {
		t.Fatal(err)
	}
	told := strings.Join(f.Left, "; ")
	for _, want := range []string{"200 of 400 rows have no result", "in all rows", "too many: the 5 most frequent"} {
		if !strings.Contains(told, want) {
			t.Errorf("no %q in %q", want, told)
		}
	}
	many := planted(200, 12, 1) // very many items, of which hardly any is frequent
	rares := testkit.Scale(50_000, 1_000_000)
	rare := dataset.NewBits(200)
	rare.Set(7)
	for range rares {
		many.Items = append(many.Items, dataset.Item{Rows: rare})
	}
	if f, err := Mine(t.Context(), many.Set, Options{}); err != nil || !strings.Contains(strings.Join(f.Left, "; "), fmt.Sprint("items in fewer than 4 rows (2%): ", rares)) {
		t.Errorf("a million items: %v", err)
	}
	none := planted(50, 12, 1)
	values := none.Judgements[0].Values
	for r := range values {
		values[r] = 1
	}
	if _, err := Mine(t.Context(), none.Set, Options{}); !errors.Is(err, ErrOneResult) {
		t.Errorf("one result: %v", err)
	}
	for r := range values {
		values[r] = dataset.Unknown
	}
	if _, err := Mine(t.Context(), none.Set, Options{}); !errors.Is(err, ErrNoResults) {
		t.Errorf("no result: %v", err)
	}
	if _, err := Mine(t.Context(), planted(50, 12, 1).Set, Options{Support: 1}); !errors.Is(err, ErrNoItems) {
		t.Errorf("no item: %v", err)
	}
	valued := planted(2000, 12, 1) // the value judges as the result does
	valued.AddJudgement(dataset.Value, slices.Clone(valued.Judgements[0].Values))
	byResult, err := Mine(t.Context(), valued.Set, Options{Size: 1})
	if err != nil {
		t.Fatal(err)
	}
	if byValue, err := Mine(t.Context(), valued.Set, Options{Size: 1, Judge: dataset.Value}); err != nil || fmt.Sprint(byValue.Rules) != fmt.Sprint(byResult.Rules) || len(byValue.Rules) == 0 {
		t.Errorf("by value: %v", err)
	}
	if _, err := Mine(t.Context(), planted(50, 12, 1).Set, Options{Judge: dataset.Value}); err == nil || !strings.Contains(err.Error(), "column value") {
		t.Errorf("no value: %v", err)
	}
	for _, o := range []Options{{Support: 2}, {Size: 9}, {Rate: 1}, {Control: "x"}, {Then: "x"}, {Within: -1}} {
		if _, err := Mine(t.Context(), planted(50, 12, 1).Set, o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// TestYears cuts games by their years, as near to halves as these allow.
func TestYears(t *testing.T) {
	s := planted(10, 12, 1).Set
	if _, until := Years(s); until != 0 {
		t.Error("there are no years, and a cut at", until)
	}
	for _, c := range []struct {
		years  []float64
		until  int
		before int
	}{
		{[]float64{1990, 1991, 1992, 1993, 1994, 1995, 1996, 1997, 1998, 1999}, 1994, 5},
		{[]float64{1999, 1999, 1999, 1999, 1999, 1999, 1999, 1999, 1998, 1990}, 1998, 2},
		{[]float64{2001, 2001, 2001, 2001, 2001, 2001, 2001, 2001, 2001, dataset.Unknown}, 0, 0},
		{slices.Repeat([]float64{dataset.Unknown}, 10), 0, 0},
	} {
		s.Numbers = slices.DeleteFunc(s.Numbers, func(n dataset.Number) bool { return n.Name == "year" })
		s.AddNumber("year", c.years)
		part, until := Years(s)
		if until != c.until || until > 0 && part[0].Count() != c.before {
			t.Errorf("%v: until %d", c.years, until)
		}
		if until > 0 && part[0].Count()+part[1].Count() != 10 {
			t.Errorf("%v: %d and %d rows", c.years, part[0].Count(), part[1].Count())
		}
	}
}

// TestInterest ranks rules by several measures together, and tells how many rows they touch.
func TestInterest(t *testing.T) {
	list := []Rule{
		{Square: Square{With: 100, Both: 52, Rows: 1000, Truths: 500}, Q: .04},  // next to nothing
		{Square: Square{With: 100, Both: 90, Rows: 1000, Truths: 500}, Q: .001}, // the most by all
		{Square: Square{With: 100, Both: 30, Rows: 1000, Truths: 500}, Q: .01},  // against
	}
	if got := Interest(list); !slices.Equal(got, []int{3, 1, 2}) {
		t.Error(got)
	}
	if got := Interest(nil); len(got) != 0 {
		t.Error(got)
	}
	w := planted(1000, 12, 1)
	one, both := w.Items[0].Rows.Count(), 0
	for r := range 1000 {
		if w.Items[0].Rows.Has(r) || w.Items[1].Rows.Has(r) {
			both++
		}
	}
	if got := Touched(w.Set, []Rule{{Items: []int{0}}}); math.Abs(got-float64(one)/1000) > 1e-9 {
		t.Error(got)
	}
	if got := Touched(w.Set, []Rule{{Items: []int{0}}, {Items: []int{1}}}); math.Abs(got-float64(both)/1000) > 1e-9 {
		t.Error(got)
	}
	if got := Touched(w.Set, nil); got != 0 {
		t.Error(got)
	}
}
