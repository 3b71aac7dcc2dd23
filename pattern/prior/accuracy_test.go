package prior_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"qipu/game"
	"qipu/game/weiqi"
	"qipu/ingest"
	"qipu/internal/testkit"
	"qipu/pattern/prior"
	"qipu/record"
	"qipu/record/sgf"
	"qipu/workshop/learn"
)

// sink takes played records.
type sink func(*record.Played)

func (s sink) Add(_ context.Context, p *record.Played) error {
	s(p)
	return nil
}

// heldOut returns games of an archive on 19x19 that training leaves out, most of
// them at the most.
func heldOut(t testing.TB, name string, most int) (games []*prior.Game) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := ingest.Run(ctx, ingest.Options{
		Formats: []record.Format{sgf.Format}, Games: game.Catalog{weiqi.Standard}, Workers: 1,
		Sink: sink(func(p *record.Played) {
			if g, ok := learn.GoGame(p); ok && len(games) < most && g.Size() == weiqi.Standard.Size() && learn.GoHeld(g) {
				if games = append(games, g); len(games) == most {
					cancel()
				}
			}
		}),
	}, testkit.Data(t, name))
	if err != nil && len(games) < most {
		t.Fatal(err)
	}
	return games
}

// TestForetellsHeldOutGames measures the embedded weights in games that they
// were not trained on. At full size it takes every such game.
func TestForetellsHeldOutGames(t *testing.T) {
	m, err := prior.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		top1, top5 float64
	}{
		{"go/go-kgs6d.tar.gz", 0.44, 0.73},
		{"go/go-pro-6300.tar.gz", 0.40, 0.67},
		{"go/go-pro-more.tar.gz", 0.40, 0.67},
		{"go/go-tom9d.tar.gz", 0.43, 0.71},
		{"go/go-tygem9d.tar.gz", 0.43, 0.71},
	} {
		most := testkit.Scale(10, 1<<30)
		if !testkit.Full() && tt.name != "go/go-kgs6d.tar.gz" && tt.name != "go/go-pro-6300.tar.gz" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			games := heldOut(t, tt.name, most)
			began := time.Now()
			r := m.Measure(games, 1)
			t.Logf("%d games, %d positions: top-1 %.1f %%, top-5 %.1f %%, top-10 %.1f %%, loss %.3f, %.0f us a position", r.Games, r.Positions,
				100*r.Top1, 100*r.Top5, 100*r.Top10, r.LogLoss, float64(time.Since(began).Microseconds())/float64(r.Positions))
			for _, p := range r.Phases {
				t.Logf("moves %3d-%3d: %6d positions, top-1 %.1f %%, top-5 %.1f %%", p.From, p.To, p.Positions, 100*p.Top1, 100*p.Top5)
			}
			slack := 0.0
			if !testkit.Full() {
				slack = 0.06 // three deviations of a thousand positions, and more: games differ
			}
			if r.Games == 0 || r.Top1 < tt.top1-slack || r.Top5 < tt.top5-slack {
				t.Errorf("top-1 %.3f, top-5 %.3f of %d positions, want %.2f and %.2f less %.2f", r.Top1, r.Top5, r.Positions, tt.top1, tt.top5, slack)
			}
		})
	}
}

// TestAnswers looks at positions whose next move nobody doubts.
func TestAnswers(t *testing.T) {
	testkit.Script(t, "testdata/answers.txt", func(t *testing.T, c testkit.Command) string {
		p, moves, err := game.ParseLine(weiqi.Standard, c.Input)
		if err != nil {
			return err.Error()
		}
		m, err := prior.Load()
		if err != nil {
			return err.Error()
		}
		var b prior.Board
		b.Reset(p.(*weiqi.Position), moves...)
		var out string
		for _, g := range m.Predict(nil, &b)[:3] {
			out += fmt.Sprintf("%s %.0f%%\n", game.FormatMove(weiqi.Standard, p, game.Drop(g.Point), weiqi.GTP), 100*g.P)
		}
		return out
	})
}

func ExampleModel_Predict() {
	p, moves, err := game.ParseLine(weiqi.Standard, "Q16 D4 C17 Q4 D17 R17")
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := prior.Load()
	if err != nil {
		fmt.Println(err)
		return
	}
	var b prior.Board
	b.Reset(p.(*weiqi.Position), moves...)
	best := model.Predict(nil, &b)[0]
	fmt.Println(game.FormatMove(weiqi.Standard, p, game.Drop(best.Point), weiqi.GTP))
	// Output: Q17
}

func BenchmarkPredict(b *testing.B) {
	p, moves, err := game.ParseLine(weiqi.Standard, "Q16 D4 Q4 D16 F17 C14 R14 O17 R10 Q17 R17 P17 R18 O3 R6 F3 C6")
	if err != nil {
		b.Fatal(err)
	}
	model, err := prior.Load()
	if err != nil {
		b.Fatal(err)
	}
	var on prior.Board
	var list []prior.Guess
	b.Run("fresh", func(b *testing.B) {
		for b.Loop() {
			on.Reset(p.(*weiqi.Position), moves...)
			list = model.Predict(list[:0], &on)
		}
	})
	b.Run("follow", func(b *testing.B) {
		on.Reset(p.(*weiqi.Position), moves...)
		list = model.Predict(list[:0], &on)
		move := game.Drop(list[0].Point)
		for b.Loop() {
			if err := on.Play(move); err != nil {
				b.Fatal(err)
			}
			list = model.Predict(list[:0], &on)
			on.Undo()
		}
	})
}
