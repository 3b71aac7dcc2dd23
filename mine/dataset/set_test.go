package dataset_test

import (
	"slices"
	"strings"
	"testing"

	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
)

func toy() *dataset.Set {
	rows := datasettest.GameRows(70)
	for i := range rows {
		rows[i].Ply = 40
	}
	s := dataset.New("toy", rows)
	s.AddItem(dataset.Item{ID: "a", Side: 0}, []dataset.Span{{69, 30, 41}, {0, 9, 12}, {0, 3, 9}, {0, 20, 21}})
	s.AddFact(dataset.Item{ID: "b", Side: dataset.Both}, []int{1, 69})
	s.AddNumber("material", make([]float64, 70))
	s.AddFactor("opening", append(slices.Repeat([]string{"x", "", "y"}, 23), "x"))
	s.AddJudgement(dataset.Result, slices.Repeat([]float64{1, 0}, 35))
	return s
}

func TestSet(t *testing.T) {
	s := toy()
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	a := s.Items[datasettest.Item(s, "a")]
	if want := []dataset.Span{{0, 3, 12}, {0, 20, 21}, {69, 30, 41}}; !slices.Equal(a.Spans, want) {
		t.Errorf("spans %v, want %v", a.Spans, want)
	}
	b := s.Items[datasettest.Item(s, "b")]
	if a.Rows.Count() != 2 || a.Rows.CountAnd(b.Rows) != 1 || !b.Rows.Has(69) || b.Rows.Has(68) {
		t.Errorf("rows %v and %v", a.Rows, b.Rows)
	}
	both := dataset.NewBits(70)
	both.And(a.Rows, b.Rows)
	if got := slices.Collect(both.All()); !slices.Equal(got, []int{69}) {
		t.Errorf("both %v", got)
	}
	if f := s.Factor("opening"); f.Word(0) != "x" || f.Word(1) != "" || f.Word(2) != "y" || len(f.Levels) != 2 {
		t.Errorf("factor %v", f)
	}
	if s.Weight() != 70 || s.Number("none") != nil || s.Judgement(dataset.Result) == nil {
		t.Error("weight, bits or columns")
	}
}

func TestCheckRefuses(t *testing.T) {
	for want, spoil := range map[string]func(*dataset.Set){
		"whose moment is ply 40": func(s *dataset.Set) { s.AddItem(dataset.Item{ID: "late"}, []dataset.Span{{3, 41, 50}}) },
		"two items":              func(s *dataset.Set) { s.AddFact(dataset.Item{ID: "a"}, nil) },
		"weight":                 func(s *dataset.Set) { s.Rows[4].Weight = 0 },
		"3 values for 70":        func(s *dataset.Set) { s.AddNumber("short", make([]float64, 3)) },
		"1 values for 70":        func(s *dataset.Set) { s.AddFactor("short", []string{"x"}) },
	} {
		s := toy()
		spoil(s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDiffer: a table that knows more than the one of its games cut off is told.
func TestDiffer(t *testing.T) {
	if list := datasettest.Differ(toy(), toy()); len(list) > 0 {
		t.Errorf("equal tables differ: %q", list)
	}
	leak := toy()
	leak.Items[0].Rows.Set(5)
	leak.Numbers[0].Values[7] = dataset.Unknown
	leak.Factors[0].Of[1] = 0
	leak.AddFact(dataset.Item{ID: "future"}, []int{9})
	if list := datasettest.Differ(leak, toy()); len(list) != 4 {
		t.Errorf("told: %q", list)
	}
	if list := datasettest.Differ(toy(), leak); len(list) != 4 {
		t.Errorf("told: %q", list)
	}
}
