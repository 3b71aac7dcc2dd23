package manage

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
	"qipu/store/cluster"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

func clusterCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cluster",
		Short: "Keep a library on ClickHouse servers",
		Long: `A library may lie on ClickHouse servers instead of in a folder: one server, or any
number of shards with any number of replicas each. Its address

  clickhouse://user@host1,host2/database

goes wherever a folder does: in --library, in QIPU_LIBRARY, in qipu copy. Behind a
question mark: tls=1, ca=FILE, password-file=FILE, timeout=60s. The password comes
from QIPU_CLICKHOUSE_PASSWORD or from a file (password-file=, or the variable
QIPU_CLICKHOUSE_PASSWORD_FILE), never from the address.

Games that come one by one lie on a desk first: a folder on this machine (QIPU_DESK,
else one in the user's data folder), with the trash and a copy of the collections, tags
and saved queries that all machines share. Several machines may write to the same
servers, each from a desk of its own. docs/scale.md is the guide.`,
		Example: `  qipu cluster --help
  qipu cluster init --help`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(clusterInit(a), clusterStatus(a), clusterUpgrade(a), clusterSweep(a), clusterShip(a))
	return cmd
}

// servers returns the servers that a command is about: those of its argument, or
// of the library.
func servers(a *cli.App, args []string) (*wire.Config, error) {
	address := ""
	if len(args) > 0 {
		address = args[0]
	} else {
		var err error
		if address, err = qipu.Locate(a.Library, a.LookupOS); err != nil {
			return nil, err
		}
	}
	if !store.OnServers(address) {
		return nil, cli.Usagef("%s is no address of servers: name one, as in %s", address, wire.Form)
	}
	return wire.Parse(address)
}

func clusterInit(a *cli.App) *cobra.Command {
	var replicas int
	cmd := &cobra.Command{
		Use:   "init [ADDRESS]",
		Short: "Make a library on servers, or add shards to it",
		Long: `Make the tables of a library on the servers that the address names: each host is a
shard, or with --replicas R every R hosts in a row are the replicas of one, for
which the servers need a ZooKeeper or Keeper in their settings.

What is there is left alone, so that it may be run again after it was interrupted.
Run with more hosts behind the old ones, it adds shards: new games go to all of
them, old ones stay where they are.`,
		Example: `  qipu cluster init clickhouse://default@host1,host2/games
  qipu cluster init clickhouse://default@host1,host2/games --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := servers(a, args)
			if err != nil {
				return err
			}
			t, err := ledger.Init(cmd.Context(), cfg, ledger.InitOptions{Replicas: replicas, Logf: a.Logf})
			if err != nil {
				return err
			}
			return a.Say(cli.Figures{{Name: "type", Value: "cluster"}, {Name: "address", Value: cfg.String()}, {Name: "epoch", Value: t.Epoch}, {Name: "shards", Value: t.Shards}},
				"%s: %s of %s each, ready for --library %s", cfg, cli.Plural(len(t.Shards), "shard"), cli.Plural(t.Replicas(), "server"), cfg)
		},
	}
	cmd.Flags().IntVar(&replicas, "replicas", 0, "servers of each shard (default: 1, or as many as there are)")
	return cmd
}

func clusterUpgrade(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "upgrade [ADDRESS]",
		Short: "Bring the tables of a library on servers up to date",
		Long: `Change the tables of a library on servers to the form that this version of the
program writes. It is safe to run it again, and others may read meanwhile.`,
		Example: `  qipu cluster upgrade clickhouse://default@host1,host2/games
  qipu cluster upgrade clickhouse://default@host1,host2/games --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := servers(a, args)
			if err != nil {
				return err
			}
			from, to, err := ledger.Upgrade(cmd.Context(), cfg, a.Logf)
			if err != nil {
				return err
			}
			if from == to {
				return a.Say(cli.Figures{{Name: "type", Value: "cluster"}, {Name: "from", Value: from}, {Name: "to", Value: to}}, "%s is up to date (version %d)", cfg, to)
			}
			return a.Say(cli.Figures{{Name: "type", Value: "cluster"}, {Name: "from", Value: from}, {Name: "to", Value: to}}, "%s: version %d became %d", cfg, from, to)
		},
	}
}

func clusterSweep(a *cli.App) *cobra.Command {
	var age time.Duration
	cmd := &cobra.Command{
		Use:   "sweep [ADDRESS]",
		Short: "Remove what nobody sees from servers",
		Long: `Remove documents that were deleted or replaced, and what imports left behind that
were killed, from the tables of the servers. Nobody sees them; they take room.
Games that are there twice, since writers knew nothing of each other, become one.
Those that are younger than --older-than stay: somebody may read or write them.`,
		Example: `  qipu cluster sweep clickhouse://default@host1,host2/games
  qipu cluster sweep clickhouse://default@host1,host2/games --older-than 24h`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := servers(a, args)
			if err != nil {
				return err
			}
			c, err := cluster.Open(cmd.Context(), cfg, cluster.Options{Games: a.Games, Logf: a.Logf})
			if err != nil {
				return err
			}
			defer c.Close()
			s, err := c.Sweep(cmd.Context(), age)
			if err != nil {
				return err
			}
			joined := ""
			if s.Joined > 0 {
				joined = cli.Plural(s.Joined, "game") + " that were there twice became one with the other; "
			}
			return a.Say(cli.Figures{{Name: "type", Value: "cluster"}, {Name: "joined", Value: s.Joined}, {Name: "abandoned", Value: s.Abandoned}, {Name: "dead", Value: s.Dead}, {Name: "waiting", Value: s.Waiting}},
				"%s%d documents of no import and %d that count no more were removed; %d may be of an import that runs, and wait for the next time", joined, s.Abandoned, s.Dead, s.Waiting)
		},
	}
	cmd.Flags().DurationVar(&age, "older-than", time.Hour, "age from which on they are removed")
	return cmd
}

// shipper is a store that has games to ship.
type shipper interface {
	Ship(ctx context.Context) error
}

func clusterShip(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "ship",
		Short: "Bring the games that lie on the desk to the servers now",
		Long: `Bring the games that lie on the desk of this machine to the servers of the library.
That happens by itself after half a minute, and when a command ends.`,
		Example: `  qipu cluster ship --library clickhouse://default@host1,host2/games
  qipu cluster ship --library clickhouse://default@host1,host2/games --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.Writing(cmd.Context(), "qipu cluster ship", func(l *qipu.Library) error {
				s, ok := l.Records().Keeper().(shipper)
				if !ok || !store.OnServers(l.Records().Place()) {
					return cli.Usagef("%s is no library on servers", l.Records().Place())
				}
				if err := s.Ship(cmd.Context()); err != nil {
					return err
				}
				return a.Say(cli.Figures{{Name: "type", Value: "cluster"}, {Name: "shipped", Value: true}}, "nothing lies on the desk any more")
			})
		},
	}
}

func clusterStatus(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "status [ADDRESS]",
		Short: "Say how the servers of a library are",
		Long: `Ask all servers of a library how they are: whether they answer, their versions,
rows and bytes of the tables, free room, how far replicas are behind; what the log
says, and whether all shards agree on it. The exit code is 1 where something is
wrong that somebody should look after.`,
		Example: `  qipu cluster status clickhouse://default@host1,host2/games
  qipu cluster status --library clickhouse://default@host1,host2/games --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := servers(a, args)
			if err != nil {
				return err
			}
			s, err := cluster.StatusOf(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			return printStatus(a, cfg, s)
		},
	}
}

func printStatus(a *cli.App, cfg *wire.Config, s *cluster.Status) error {
	if a.JSON {
		if err := a.PrintJSON(s); err != nil {
			return err
		}
	} else {
		if !a.CSV {
			fmt.Fprintf(a.Out, "%s: %s, %d documents, %d that count no more, %s by %s\n\n", cfg, cli.Plural(len(s.Shards), "shard"),
				s.Log.Documents, s.Log.Dead, cli.Plural(int(s.Log.Commits), "commit"), cli.Plural(int(s.Log.Writers), "writer"))
		}
		if err := a.Print(statusTable(s)); err != nil {
			return err
		}
	}
	for _, p := range s.Problems {
		fmt.Fprintln(a.Err, p)
	}
	if len(s.Problems) > 0 {
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

// statusTable lists the servers.
func statusTable(s *cluster.Status) *cli.Table {
	t := &cli.Table{Columns: []string{"shard", "host", "state", "version", "documents", "size", "free", "behind"}}
	for _, sh := range s.Shards {
		for _, n := range sh.Nodes {
			state, free, behind := "up", "", ""
			switch {
			case !n.Up:
				state = "down"
			case n.ReadOnly:
				state = "read only"
			}
			if n.Free >= 0 {
				free = cli.Size(n.Free)
			}
			if len(sh.Nodes) > 1 && n.Up {
				behind = "?"
				if n.Delay >= 0 {
					behind = fmt.Sprintf("%d s", n.Delay)
				}
			}
			t.Add(nil, fmt.Sprint(sh.Number), n.Host, state, n.Version, fmt.Sprint(sh.Documents), cli.Size(n.Bytes), free, behind)
		}
	}
	return t
}
