package workshop

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"qipu/board"
	"qipu/cli"
	"qipu/game/weiqi"
	"qipu/pattern/prior"
	"qipu/record"
	"qipu/workshop/learn"
)

func goTraining(a *cli.App, o *trainOptions) *training[*prior.Game, *prior.Model] {
	o.goes.Threads, o.goes.Seed = o.Threads, o.Seed
	return &training[*prior.Game, *prior.Model]{
		rules: weiqi.Standard, title: "Go on 19x19", unit: "games",
		game: func(p *record.Played) (*prior.Game, bool) {
			g, ok := learn.GoGame(p)
			return g, ok && g.Size() == (board.Size{W: 19, H: 19})
		},
		fit: func(ctx context.Context, games []*prior.Game, tell func(done, total int)) (io.WriterTo, error) {
			return learn.TrainGo(ctx, games, o.goes, tell)
		},
		own:    prior.Load,
		read:   prior.ReadModel,
		report: func(m *prior.Model, games []*prior.Game) error { return printFigures(a, m, games, o) },
	}
}

// figuresJSON is a row of the table of figures as --json prints it.
type figuresJSON struct {
	Type      string  `json:"type"` // "figures"
	From      int     `json:"from"` // the first and the last move of the part of the game
	To        int     `json:"to"`   // 0: to the end
	Positions int     `json:"positions"`
	Top1      float64 `json:"top1"`
	Top5      float64 `json:"top5"`
	Top10     float64 `json:"top10"`
	LogLoss   float64 `json:"logLoss"`
}

func printFigures(a *cli.App, m *prior.Model, games []*prior.Game, o *trainOptions) error {
	began := time.Now()
	all := len(games)
	if !o.all {
		var held []*prior.Game
		for _, g := range games {
			if learn.GoHeld(g) {
				held = append(held, g)
			}
		}
		games = held
	}
	t := &cli.Table{Columns: []string{"moves", "positions", "top1", "top5", "top10", "loss"}}
	r := m.Measure(games, o.Threads)
	add := func(name string, from, to int, f *prior.Figures) {
		if f.Positions == 0 {
			return
		}
		row := figuresJSON{"figures", from, to, f.Positions, f.Top1, f.Top5, f.Top10, f.LogLoss}
		share := func(x float64) string { return strconv.FormatFloat(100*x, 'f', 1, 64) + "%" }
		t.Add(row, name, strconv.Itoa(f.Positions), share(f.Top1), share(f.Top5), share(f.Top10), strconv.FormatFloat(f.LogLoss, 'f', 3, 64))
	}
	for i := range r.Phases {
		p := &r.Phases[i]
		name := fmt.Sprintf("%d-%d", p.From, p.To)
		if p.To == 0 {
			name = fmt.Sprintf("%d-", p.From)
		}
		add(name, p.From, p.To, &p.Figures)
	}
	add("all", 1, 0, &r.Figures)
	if len(t.Rows) == 0 {
		fmt.Fprintln(a.Err, "none of the games is among those that are kept out (one of twenty): there is nothing to measure by")
	}
	if a.ErrTerm {
		fmt.Fprintf(a.Err, "%d games, %d of them measured in %v\n", all, r.Games, time.Since(began).Round(time.Millisecond))
	}
	return a.Print(t)
}
