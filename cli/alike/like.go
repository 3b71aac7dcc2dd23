package alike

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	room "qipu/mine/alike"
	"qipu/record"
	"qipu/store"
	"qipu/view/alikeview"
)

func (m *miner) likeCommand() *cobra.Command {
	var read cli.ReadFlags
	var game string
	var number, limit, tries int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "like ID|FILE",
		Short: "The games of the library that are most like one",
		Long: `List the games of the library that are most like a game of it, or like a record from
anywhere: which positions they reach, which piece goes where and when, rare things
counting more. No header is looked at.

--measure asks for the ten nearest of so many games by chance, and tells how many of
them have the same opening, or a player in common, beside what chance would give.`,
		Example: `  qipu mine like 17
  qipu mine like games/go-9x9-1.sgf --limit 5
  qipu mine like --measure 500 --game xiangqi`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if limit < 1 || limit > 1000 {
				return cli.Usagef("--limit %d: want 1 to 1000", limit)
			}
			if tries < 0 || (tries > 0) == (len(args) == 1) {
				return cli.Usagef("%s wants a game, ID or FILE, or --measure", cmd.CommandPath())
			}
			return m.ask(ctx, func(l *qipu.Library, r *room.Room, p room.Progress) error {
				if tries > 0 {
					k, err := m.kind(ctx, l, game)
					if err != nil {
						return err
					}
					games, err := r.Games(ctx, k, p)
					if err != nil {
						return err
					}
					x := games.Likeness().Measure(tries, 10, seed, func() bool { return ctx.Err() != nil })
					if err := ctx.Err(); err != nil {
						return err
					}
					w := alikeview.MeasureOf(k.Name, &x, games.Left)
					if m.JSON {
						return m.PrintJSON(cli.Typed("measure", w))
					}
					fmt.Fprintf(m.Out, "%s: of the ten games nearest to each of %d, %.1f %% have its opening (blindly %.1f %%), %.1f %% one of its players (blindly %.1f %%)\n",
						w.Game, w.Tried, 100*w.Opening, 100*w.OpeningChance, 100*w.Player, 100*w.PlayerChance)
					m.notes(w.Left)
					return nil
				}
				id, stored := cli.GameNumber(args[0])
				var g *record.Game
				var err error
				if stored {
					g, _, err = l.Record(ctx, id)
					if errors.Is(err, store.ErrNoGame) {
						return fmt.Errorf("the library has no game %d: qipu find lists games with their numbers", id)
					}
				} else {
					id = 0
					var played *record.Played
					if played, err = m.FindRecord(ctx, &read, args[0], number); err == nil {
						g = played.Game
					}
				}
				if err != nil {
					return err
				}
				likes, err := r.Like(ctx, g, id, limit, p)
				if err != nil {
					return err
				}
				w := alikeview.LikesOf(id, likes)
				if m.JSON {
					return m.PrintJSON(cli.Typed("like", w))
				}
				table := &cli.Table{Columns: []string{"game", "like", "same board until", "first", "second", "year", "opening", "won"}}
				for _, x := range w.Rows {
					year, shared := "", ""
					if x.Year != 0 {
						year = fmt.Sprint(x.Year)
					}
					if x.Shared > 0 {
						shared = fmt.Sprintf("ply %d", x.Shared)
					}
					table.Add(nil, fmt.Sprint(x.ID), fmt.Sprintf("%.2f", x.Like), shared, x.Players[0], x.Players[1], year, x.Opening, strings.Replace(x.Result, "unknown", "?", 1))
				}
				if len(w.Rows) == 0 {
					m.Notes([]string{fmt.Sprintf("none of %s has anything in common with it", cli.Plural(w.Of, "game"))})
					return cli.Silent(cli.ExitNothing)
				}
				if err := m.Print(table); err != nil {
					return err
				}
				m.notes(w.Left)
				return nil
			})
		},
	}
	f := cmd.Flags()
	read.Register(f)
	m.GameFlag(cmd, &game, "", "the game that --measure is about")
	f.IntVarP(&number, "game-number", "n", 1, "number of the record in the file, from 1")
	f.IntVarP(&limit, "limit", "l", 10, "games that are listed")
	f.IntVar(&tries, "measure", 0, "tell how good the answers are, by so many games")
	f.Uint64Var(&seed, "seed", 1, "of what is done by chance")
	return cmd
}
