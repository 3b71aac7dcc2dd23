package ladder

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"qipu/arena"
	"qipu/engine"
	"qipu/game/othello"
)

// TestRate finds the strengths by which games were made, and tells how sure it is.
func TestRate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	players := []string{"a", "b", "c", "d"}
	truth := []float64{0, 150, 200, 600}
	inside, trials := 0, 200
	for range trials {
		var pairs []Pair
		for i := range players {
			for j := range i {
				share := 1 / (1 + math.Pow(10, (truth[j]-truth[i])/400))
				for range 40 {
					p := Pair{A: players[i], B: players[j]}
					for range 2 {
						if r.Float64() < share {
							p.Points++
						}
					}
					pairs = append(pairs, p)
				}
			}
		}
		list := Rate(players, pairs)
		mean := 0.0
		for i := range list {
			mean += (list[i].Elo - truth[i]) / float64(len(list))
		}
		for i := range list {
			if math.Abs(list[i].Elo-truth[i]-mean) <= list[i].Margin {
				inside++
			}
		}
		if list[0].Elo != 0 || !list[3].Apart || list[3].Games != 240 || list[3].Met != 80 {
			t.Fatalf("%+v", list)
		}
	}
	if share := float64(inside) / float64(trials*len(players)); share < 0.92 || share > 0.98 {
		t.Errorf("%.3f of the intervals hold the truth, want 0.95", share)
	}
}

// TestRateWhitewash rates one who won all games, and one who played none.
func TestRateWhitewash(t *testing.T) {
	list := Rate([]string{"a", "b", "c"}, []Pair{{A: "b", B: "a", Points: 2}, {A: "b", B: "a", Points: 2}})
	if math.IsNaN(list[1].Elo) || list[1].Elo < 100 || list[1].Elo > 1500 || list[2].Margin < list[1].Margin {
		t.Errorf("%+v", list)
	}
}

// TestResume goes on where a run was cut off in the middle of a line, plays what
// is missing and nothing twice, and leaves out games of players that have changed.
func TestResume(t *testing.T) {
	players := []Player{}
	for i := range 3 {
		p := Player{Work: "chance"}
		p.Name, p.Make = fmt.Sprint("p", i), func() (engine.Engine, error) { return engine.Random{}, nil }
		players = append(players, p)
	}
	o := Options{
		Rules: othello.Standard, Players: players, Log: filepath.Join(t.TempDir(), "log"), Pairs: 2, Parallel: 2,
		Opening: func(_ context.Context, n int) (arena.Opening, error) {
			return arena.Random(othello.Standard, 8, uint64(n))
		},
	}
	first, err := Play(t.Context(), o)
	if err != nil || len(first) != 2+2+1 {
		t.Fatalf("%d pairs, %v", len(first), err)
	}
	data, err := os.ReadFile(o.Log)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Log, data[:len(data)-10], 0o666); err != nil {
		t.Fatal(err)
	}
	played := 0
	o.Done = func(*Pair) { played++ }
	again, err := Play(t.Context(), o)
	if err != nil || played != 1 || len(again) != len(first) {
		t.Fatalf("%d pairs of which %d were played, %v", len(again), played, err)
	}
	seen := map[string]bool{}
	for _, p := range again {
		at := fmt.Sprint(p.A, p.B, p.Number)
		if seen[at] || len(p.Lines) != 2 || len(p.Lines[0]) < 8 {
			t.Errorf("%+v", p)
		}
		seen[at] = true
	}
	o.Players[2].Work = "more"
	if left, err := Read(o.Log, "othello", o.Players); err != nil || len(left) != 2 {
		t.Errorf("%d pairs are left, %v", len(left), err)
	}
}
