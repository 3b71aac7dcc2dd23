package ladder

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"qipu/arena"
	"qipu/board"
	"qipu/cli"
	"qipu/cli/match"
	"qipu/engine"
	"qipu/game"
)

type flags struct {
	game, log, out         string
	pairs, parallel, plies int
	time                   time.Duration
}

// Command returns the command that plays a ladder.
func Command(a *cli.App) *cobra.Command {
	f := flags{}
	cmd := &cobra.Command{
		Use:   "ladder [PLAYER...]",
		Short: "Find out how strong the levels of a game are, and other engines beside them",
		Long: `Have players meet in pairs of games and rate all of them together. Players are given as
to the command match, the weakest first; without any they are one who makes any move,
and the levels of the game. Each meets the two below it. Every pair of games begins
with an opening that an engine finds even, once with either colour.

Games are added to a log when they have ended: the same command goes on where it was
interrupted, and with more --pairs it plays the ones that are missing. Games of a level
whose work was changed since do not count. --pairs 0 rates what the log has.

Elo is counted from the first player. Margins are half of the interval that has the
true distance to the mean of all players in 95 of 100 ladders.`,
		Example: `  qipu workshop ladder --pairs 2 --time 1s --log ladder.log
  qipu workshop ladder random level=1 depth=2 --pairs 1 --log ladder.log --json
  qipu workshop ladder --pairs 0 --log ladder.log --out ratings.json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			defer debug.SetMemoryLimit(debug.SetMemoryLimit(cli.MatchMemory))
			return run(cmd.Context(), a, &f, args)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	p := cmd.Flags()
	a.GameFlag(cmd, &f.game, "othello", "game, such as go:9x9, othello, xiangqi, renju")
	p.StringVar(&f.log, "log", "ladder.log", "file that games are added to")
	p.StringVar(&f.out, "out", "", "file for the ratings, as builtin takes them")
	p.IntVar(&f.pairs, "pairs", 50, "pairs of games between neighbours, those of the log included")
	p.IntVar(&f.plies, "plies", 8, "moves that an opening has")
	p.IntVar(&f.parallel, "parallel", 1, "pairs that are played at once; 0 for one a processor")
	p.DurationVar(&f.time, "time", 0, "begin no game after that long, as in 20m (default: play all)")
	return cmd
}

func run(ctx context.Context, a *cli.App, f *flags, specs []string) error {
	switch {
	case f.pairs < 0 || f.parallel < 0 || f.plies < 0 || f.time < 0:
		return cli.Usagef("--pairs, --plies, --parallel and --time are not negative")
	case f.log == "":
		return cli.Usagef("--log: where are the games to be kept?")
	}
	r, err := a.Game(f.game)
	if err != nil {
		return err
	}
	judge, err := a.Engine(r, engine.Options{})
	if err != nil {
		return err
	}
	defer judge.Close()
	players, err := climbers(ctx, a, r, engine.LevelsOf(judge), specs)
	if err != nil {
		return err
	}
	feed := a.NewProgress("pairs", 0)
	o := Options{
		Rules: r, Settlers: a.Settlers, Players: players, Log: f.log, Pairs: f.pairs, Time: f.time, Parallel: cmp.Or(f.parallel, runtime.GOMAXPROCS(0)),
		Done: func(*Pair) { feed.Step(1) },
		Opening: func(ctx context.Context, number int) (arena.Opening, error) {
			moves, err := arena.Balanced(ctx, r, judge, f.plies, board.Mix(uint64(number)))
			return arena.Opening{Name: "balanced " + strconv.Itoa(number), Moves: moves}, err
		},
	}
	pairs, err := Play(ctx, o)
	feed.Close()
	if err != nil {
		return err
	}
	names := make([]string, len(players))
	for i, p := range players {
		names[i] = p.Name
	}
	ratings := Rate(names, pairs)
	if f.out != "" {
		if err := write(f.out, ratings, players); err != nil {
			return err
		}
	}
	return print(a, ratings)
}

// climbers are the players of a command.
func climbers(ctx context.Context, a *cli.App, r game.Rules, levels []engine.Level, specs []string) (list []Player, err error) {
	if len(specs) == 0 {
		specs = []string{"random"}
		for _, l := range levels {
			specs = append(specs, fmt.Sprintf("level=%d", l.Number))
		}
	}
	seen := map[string]bool{}
	for _, spec := range specs {
		p := Player{Work: spec}
		if p.Player, err = match.Player(ctx, a, r, spec); err != nil {
			return nil, err
		}
		for _, l := range levels {
			if spec == fmt.Sprintf("level=%d", l.Number) {
				p.Work = l.Work()
			}
		}
		if seen[p.Name] {
			return nil, cli.Usagef("%q plays twice: give one of them another name, as in depth=3,name=B", p.Name)
		}
		seen[p.Name] = true
		list = append(list, p)
	}
	if len(list) < 2 {
		return nil, cli.Usagef("a ladder needs two players")
	}
	return list, nil
}

func print(a *cli.App, ratings []Rating) error {
	t := &cli.Table{Columns: []string{"player", "Elo", "±", "games", "nodes a move", "against the one before", "expected", "told apart"}}
	for i, r := range ratings {
		row := []string{r.Player, fmt.Sprintf("%.0f", r.Elo), fmt.Sprintf("%.0f", r.Margin), strconv.Itoa(r.Games), fmt.Sprintf("%.0f", r.Nodes), "", "", ""}
		if i > 0 {
			row[5], row[6], row[7] = fmt.Sprintf("%g of %d", r.Points, r.Met), fmt.Sprintf("%.0f %%", 100*r.Share), "no"
			if r.Apart {
				row[7] = "yes"
			}
		}
		t.Add(cli.Typed("rating", r), row...)
	}
	return a.Print(t)
}

// write writes ratings for the bundle of a game.
func write(path string, ratings []Rating, players []Player) error {
	type row struct {
		Rating
		Work string `json:"work"`
	}
	list := make([]row, len(ratings))
	for i := range ratings {
		list[i] = row{ratings[i], players[i].Work}
	}
	data, err := json.MarshalIndent(list, "", "  ")
	if err != nil {
		return err
	}
	return cli.Atomically(path, func(w io.Writer) error {
		_, err := w.Write(append(data, '\n'))
		return err
	})
}
