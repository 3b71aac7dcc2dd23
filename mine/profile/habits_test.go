package profile_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"qipu/mine/dataset"
	"qipu/mine/dataset/datasettest"
	"qipu/mine/profile"
)

// habitSet is a table of games in which the first of many players does something
// that the others seldom do, and two other things go together.
func habitSet(rows, strength int, seed uint64) (*dataset.Set, func(row, side int) bool) {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := dataset.New("planted", datasettest.GameRows(rows))
	s.Sides = [2]string{"red", "black"}
	plays := func(row, side int) bool { return row%20 == side }
	have := make([][]int, 40)
	for row := range rows {
		for side := range 2 {
			for k := range 20 {
				p := 20
				if k == 3 && plays(row, side) {
					p += strength
				}
				if k == 8 && len(have[7*2+side]) > 0 && have[7*2+side][len(have[7*2+side])-1] == row {
					p += strength
				}
				if rng.IntN(100) < p {
					have[k*2+side] = append(have[k*2+side], row)
				}
			}
		}
	}
	for i, list := range have {
		name := fmt.Sprintf("n%d", i/2)
		s.AddFact(dataset.Item{ID: s.Sides[i%2] + "." + name, Title: s.Sides[i%2] + " " + name, Name: name, Side: i % 2}, list)
	}
	return s, plays
}

// TestHabits finds planted habits, and of shuffled ones hardly any.
func TestHabits(t *testing.T) {
	s, plays := habitSet(2000, 30, 1)
	h := profile.Distinct(s, plays)
	if len(h.More) != 1 || h.More[0].Name != "n3" || h.More[0].Title != "n3" || len(h.Less) != 0 || h.Of != 200 {
		t.Errorf("a player's own: %+v", h)
	}
	w := profile.With(s, "n7", nil)
	if len(w.More) != 1 || w.More[0].Name != "n8" || w.More[0].Other || w.More[0].Lift() < 1.5 || len(w.Less) != 0 {
		t.Errorf("goes with: %+v", w)
	}
	if profile.With(s, "nothing", nil) != nil {
		t.Error("nothing goes with something")
	}
	found := 0
	for seed := range uint64(100) {
		s, plays := habitSet(400, 0, seed)
		h, w := profile.Distinct(s, plays), profile.With(s, "n7", nil)
		if len(h.More)+len(h.Less) > 0 {
			found++
		}
		if len(w.More)+len(w.Less) > 0 {
			found++
		}
	}
	t.Logf("without habits: %d of 200 lists are not empty; 1 %% is said", found)
	if found > 8 {
		t.Errorf("%d of 200 lists of chance are not empty", found)
	}
}
