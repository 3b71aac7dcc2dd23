package alike

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	room "qipu/mine/alike"
	"qipu/mine/cluster"
	"qipu/mine/profile"
	"qipu/view"
	"qipu/view/alikeview"
)

func (m *miner) clusterCommand() *cobra.Command {
	var game, by, link string
	var o room.ClusterOptions
	var svg, dendrogram bool
	cmd := &cobra.Command{
		Use:   "cluster patterns|openings|players",
		Short: "What is alike, put together: in a hierarchy and on a map",
		Long: `Put the patterns, the openings or the players of a game together by what is alike.

Patterns are compared by what they stand together with, by where on the board they
come about, by what follows them, or by all three. Openings are the positions after
eighteen plies that enough games share, by which piece went where; with --from, games
that share none are put together by positions after fewer plies. Players are compared by
how they differ from all others.

There are two ways, side by side: a hierarchy, and a self-organising map, on which
neighbours are alike and dark cells are borders. --svg draws the map, --tree the
hierarchy; names in them are links to pages of "qipu serve".`,
		Example: `  qipu mine cluster patterns --game xiangqi
  qipu mine cluster patterns --game xiangqi --by follows --svg
  qipu mine cluster openings --game xiangqi --groups 40
  qipu mine cluster openings --game xiangqi --from 8 --min-games 20 --groups 200
  qipu mine cluster players --game go --tree`,
		Args:      cli.ArgCount(1, 1),
		ValidArgs: room.Sorts(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(room.Sorts(), args[0]) {
				return cli.Usagef("%q cannot be clustered: want %s", args[0], strings.Join(room.Sorts(), ", "))
			}
			if o.Groups < 0 || o.MinGames < 0 || o.Most < 0 || o.Most > 1000 {
				return cli.Usagef("--groups, --min-games and --most want numbers from 0 on, --most up to 1000")
			}
			if o.From < 0 || o.From > profile.OpeningPly {
				return cli.Usagef("--from wants a ply from 1 to %d", profile.OpeningPly)
			}
			o.By = cluster.By(by)
			if link == "ward" {
				o.Link = cluster.Ward
			}
			return m.ask(cmd.Context(), func(l *qipu.Library, r *room.Room, p room.Progress) error {
				k, err := m.kind(cmd.Context(), l, game)
				if err != nil {
					return err
				}
				o.Progress = p
				c, err := r.Cluster(cmd.Context(), k, room.Sort(args[0]), o)
				if err != nil {
					return plainly(err)
				}
				switch {
				case svg:
					_, err = fmt.Fprint(m.Out, c.Map.SVG(c.Labels(true)))
				case dendrogram:
					_, err = fmt.Fprint(m.Out, c.Hierarchy.SVG(c.Labels(false)))
				default:
					err = m.clusters(alikeview.ClustersOf(c, k.Name, by))
				}
				return err
			})
		},
	}
	f := cmd.Flags()
	m.GameFlag(cmd, &game, "", "the game")
	cli.Enum(cmd, &by, "by", string(cluster.All), "what makes patterns alike", string(cluster.Together), string(cluster.Place), string(cluster.Follows), string(cluster.All))
	cli.Enum(cmd, &link, "link", "ward", "the distance of two groups", "ward", "average")
	f.IntVar(&o.Groups, "groups", 0, "how many groups (0: as many as look best)")
	f.IntVar(&o.MinGames, "min-games", 0, "games that a thing has at least (0: 20, of openings 12)")
	f.IntVar(&o.From, "from", 0, fmt.Sprintf("openings: the fewest plies after which games are put together (0: %d)", profile.OpeningPly))
	f.IntVar(&o.Most, "most", 0, "players, those with most games (0: 60)")
	f.Uint64Var(&o.Seed, "seed", 1, "of what is done by chance")
	f.BoolVar(&svg, "svg", false, "the map as a picture")
	f.BoolVar(&dendrogram, "tree", false, "the hierarchy as a picture")
	cmd.MarkFlagsMutuallyExclusive("svg", "tree")
	return cmd
}

// clusters prints groups.
func (m *miner) clusters(w *view.MinedClusters) error {
	if m.JSON {
		return m.PrintJSON(cli.Typed("clusters", w))
	}
	by := ""
	if w.By != "" {
		by = " by " + w.By
	}
	fmt.Fprintf(m.Out, "%d %s of %s%s in %d groups, from %s\n", len(w.Things), w.Sort, w.Game, by, w.Groups, cli.Plural(w.Games, "game"))
	table := &cli.Table{Columns: []string{"group", "things", "which"}}
	for g := range w.Groups {
		var names []string
		for _, t := range w.Things {
			if t.Group == g {
				names = append(names, t.Title)
			}
		}
		table.Add(nil, fmt.Sprint(g+1), fmt.Sprint(len(names)), strings.Join(names, ", "))
	}
	if err := m.PrintColumns(table); err != nil {
		return err
	}
	fmt.Fprintf(m.Out, "silhouette %.2f; hierarchy and map agree by %.2f (0 chance, 1 wholly); %.0f %% of the map is torn\n", w.Silhouette, w.Same, 100*w.Torn)
	for _, t := range w.Truth {
		fmt.Fprintf(m.Out, "%s against %d %s, %s: purity %.3f (blindly %.3f), pairs: precision %.2f, recall %.2f, Rand %.2f\n",
			t.Of, t.Classes, t.What, cli.Plural(t.Games, "game"), t.Purity, t.Chance, t.Precision, t.Recall, t.Rand)
	}
	m.notes(w.Left)
	return nil
}
