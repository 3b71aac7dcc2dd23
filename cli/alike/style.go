package alike

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	room "qipu/mine/alike"
	"qipu/mine/profile"
	"qipu/view"
	"qipu/view/alikeview"
)

func (m *miner) styleCommand() *cobra.Command {
	var game string
	var most, least, limit int
	var seed uint64
	var measure bool
	cmd := &cobra.Command{
		Use:   "style [PLAYER]",
		Short: "How a player plays: like whom, and what others do not do",
		Long: `Tell who plays like a player, and what the player does that others do not: what has a
name and is on the player's side of the board more often, or more seldom, than it is
where others sit there. About one in a hundred of what is listed is by chance.

--measure learns from four fifths of the games of the players with most games, and
tells how often the player of an unseen game is known by the moves alone: of games by
chance, and of the latest of each player, which is harder.`,
		Example: `  qipu mine style "Hu Ronghua" --game xiangqi
  qipu mine style 胡榮華 --game xiangqi --json
  qipu mine style --measure --game xiangqi --most 50`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			switch {
			case measure == (len(args) == 1):
				return cli.Usagef("%s wants a player, or --measure", cmd.CommandPath())
			case most < 2 || most > 1000 || least < 1 || limit < 1:
				return cli.Usagef("--most wants 2 to 1000, --min-games and --limit a number from 1 on")
			}
			return m.ask(ctx, func(l *qipu.Library, r *room.Room, p room.Progress) error {
				k, err := m.kind(ctx, l, game)
				if err != nil {
					return err
				}
				if measure {
					games, err := r.Games(ctx, k, p)
					if err != nil {
						return err
					}
					for _, late := range []bool{false, true} {
						a, err := games.Authorship(ctx, most, least, late, seed)
						if err != nil {
							return plainly(err)
						}
						w := alikeview.AuthorshipOf(k.Name, a, late)
						if m.JSON {
							if err := m.PrintJSON(cli.Typed("authorship", w)); err != nil {
								return err
							}
							continue
						}
						fmt.Fprintf(m.Out, "%s, %d unseen games, %s, of %d players: the player comes first in %.1f %% (by chance %.1f %%, always the one with most games %.1f %%), is among five in %.1f %%\n",
							w.Game, w.Tried, w.Unseen, w.Players, 100*w.First, 100*w.Chance, 100*w.Most, 100*w.Five)
					}
					return nil
				}
				w, err := alikeview.Style(ctx, r, k, args[0], most, least, limit, p)
				if err != nil {
					if errors.Is(err, profile.ErrNoPlayer) || errors.Is(err, profile.ErrFewPlayers) {
						return plainly(err)
					}
					return err
				}
				return m.style(w)
			})
		},
	}
	f := cmd.Flags()
	m.GameFlag(cmd, &game, "", "the game")
	f.IntVar(&most, "most", 200, "players who are compared, those with most games")
	f.IntVar(&least, "min-games", 10, "games that a player has at least to be compared")
	f.IntVarP(&limit, "limit", "l", 10, "rows of each list")
	f.BoolVar(&measure, "measure", false, "tell how often the player of an unseen game is known")
	f.Uint64Var(&seed, "seed", 1, "of what is done by chance")
	return cmd
}

// style prints how a player plays.
func (m *miner) style(w *view.PlayerStyle) error {
	if m.JSON {
		return m.PrintJSON(cli.Typed("style", w))
	}
	fmt.Fprintf(m.Out, "%s, %s of %s\n", w.Player, cli.Plural(w.Games, "game"), w.Game)
	table := &cli.Table{Columns: []string{"plays like", "games", "like"}}
	for _, x := range w.Like {
		table.Add(nil, x.Name, fmt.Sprint(x.Games), fmt.Sprintf("%+.2f", x.Like))
	}
	if len(w.Like) > 0 {
		if err := m.PrintColumns(table); err != nil {
			return err
		}
	}
	for _, part := range []struct {
		title string
		list  []view.Habit
	}{{"more than others", w.Habits.More}, {"less than others", w.Habits.Less}} {
		if len(part.list) == 0 {
			continue
		}
		table := &cli.Table{Columns: []string{part.title, "games", "expected", "times", "deviations"}}
		for _, h := range part.list {
			table.Add(nil, h.Title, fmt.Sprintf("%d of %d", h.Have, h.Of), fmt.Sprintf("%.1f", h.Expected), fmt.Sprintf("%.2f", h.Lift), fmt.Sprintf("%+.1f", h.Z))
		}
		fmt.Fprintln(m.Out)
		if err := m.PrintColumns(table); err != nil {
			return err
		}
	}
	if len(w.Habits.More)+len(w.Habits.Less) == 0 {
		fmt.Fprintf(m.Out, "of %s with a name, none is certainly more or less frequent than with others\n", cli.Plural(w.Habits.Tested, "thing"))
	}
	m.notes(w.Left)
	return nil
}
