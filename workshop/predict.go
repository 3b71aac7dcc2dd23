package workshop

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/library/knowledge"
	"qipu/pattern/prior"
	"qipu/record"
	"qipu/workshop/learn"
	"qipu/workshop/mine"
)

func predictCommand(a *cli.App) *cobra.Command {
	o := goGames{app: a}
	cmd := &cobra.Command{
		Use:   "predict [QUERY]",
		Short: "Measure how well moves of Go are foretold",
		Long: `Measure how often the moves of games are foretold: by the shapes of the base, ranked by
how often each was played in records, and by the model of local patterns alone. The
games are those that QUERY finds in the library, or of --files; they should be others
than those that the shapes were mined from, and that the model was trained on: qipu
workshop train go --check takes only games that were kept out of its training. Top 1
and top 5 are the shares of moves that were the first guess, and among the first five.`,
		Example: `  qipu workshop predict --games 5
  qipu workshop predict --files games/go-9x9-1.sgf --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.WithShapes(cmd.Context(), func(s *knowledge.Shapes) error { return o.predict(cmd.Context(), s, strings.Join(args, " ")) })
		},
	}
	o.register(cmd, 1000)
	return cmd
}

// predictJSON is how well something foretells moves.
type predictJSON struct {
	Type  string  `json:"type"` // "prediction"
	By    string  `json:"by"`   // "shapes" or "patterns"
	From  int     `json:"from"` // the moves of the game, both in it
	To    int     `json:"to"`   // 0: to its end
	Moves int     `json:"moves"`
	Top1  float64 `json:"top1"`
	Top5  float64 `json:"top5"`

	// Of shapes: the share of moves on a good point, and how many of these a
	// position has.
	Covered   float64 `json:"covered"`
	Suggested float64 `json:"suggested"`

	LogLoss float64 `json:"logLoss"` // of patterns
}

func (o *goGames) predict(ctx context.Context, s *knowledge.Shapes, query string) error {
	model, err := prior.Load()
	if err != nil {
		return err
	}
	var games []mine.Game
	var contexts []*prior.Game
	err = o.each(ctx, query, func(p *record.Played) bool {
		g, ok := mine.FromRecord(p, "")
		c, too := learn.GoGame(p)
		if ok && too {
			games, contexts = append(games, g), append(contexts, c)
		}
		return ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	if len(games) == 0 {
		fmt.Fprintln(o.app.Err, "no game of Go was found")
		return cli.Silent(cli.ExitNothing)
	}
	bar := o.app.NewProgress("games measured", len(games))
	cover, err := mine.Measure(ctx, s.Base, s.AllEvidence(), func(yield func(mine.Game, error) bool) {
		for _, g := range games {
			if !yield(g, nil) {
				return
			}
		}
	}, mine.Options{Workers: o.read.Workers, Progress: func(done int) { bar.Games(done, len(games)) }})
	bar.Close()
	if err != nil {
		return err
	}
	t := &cli.Table{Columns: []string{"by", "moves", "number", "top 1", "top 5", "covered", "points", "log loss"}}
	add := func(p predictJSON) {
		part := "all"
		switch {
		case p.To > 0:
			part = fmt.Sprintf("%d-%d", p.From, p.To)
		case p.From > 0:
			part = fmt.Sprintf("%d-", p.From)
		}
		covered, points, loss := "", "", fmt.Sprintf("%.3f", p.LogLoss)
		if p.By == "shapes" {
			covered, points, loss = cli.Percent(p.Covered), fmt.Sprintf("%.1f", p.Suggested), ""
		}
		t.Add(p, p.By, part, strconv.Itoa(p.Moves), cli.Percent(p.Top1), cli.Percent(p.Top5), covered, points, loss)
	}
	moves := float64(max(cover.Moves, 1))
	add(predictJSON{Type: "prediction", By: "shapes", Moves: cover.Moves, Top1: float64(cover.Top1) / moves, Top5: float64(cover.Top5) / moves, Covered: float64(cover.Covered) / moves, Suggested: float64(cover.Suggested) / moves})
	report := model.Measure(contexts, runtime.GOMAXPROCS(0))
	add(predictJSON{Type: "prediction", By: "patterns", Moves: report.Positions, Top1: report.Top1, Top5: report.Top5, LogLoss: report.LogLoss})
	for _, p := range report.Phases {
		if p.Positions > 0 {
			add(predictJSON{Type: "prediction", By: "patterns", From: p.From, To: p.To, Moves: p.Positions, Top1: p.Top1, Top5: p.Top5, LogLoss: p.LogLoss})
		}
	}
	if !o.app.JSON && !o.app.CSV {
		fmt.Fprintf(o.app.Out, "%s\n", cli.Plural(len(games), "game"))
	}
	return o.app.Print(t)
}
