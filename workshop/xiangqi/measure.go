package xiangqi

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/spf13/cobra"

	"qipu/arena"
	"qipu/cli"
	base "qipu/engine"
	engine "qipu/engine/xiangqi"
	rules "qipu/game/xiangqi"
)

// measuredJSON is what a technique is worth, as --json prints it.
type measuredJSON struct {
	Without string  `json:"without"`
	Games   int     `json:"games"`
	Won     int     `json:"won"`
	Drawn   int     `json:"drawn"`
	Lost    int     `json:"lost"`
	Elo     float64 `json:"elo"`
	Margin  float64 `json:"margin"`
	Nodes   int64   `json:"nodes"`
	Other   int64   `json:"other_nodes"`
}

// without returns the switches with one of them on, by its name.
func without(name string) (off engine.Switches, ok bool) {
	v := reflect.ValueOf(&off).Elem()
	for i := range v.NumField() {
		if strings.EqualFold(v.Type().Field(i).Name, name) {
			v.Field(i).SetBool(true)
			return off, true
		}
	}
	return off, false
}

// techniques returns the names of all switches.
func techniques() (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[engine.Switches]()) {
		names = append(names, strings.ToLower(f.Name))
	}
	return names
}

// twoThreads is what is measured of threads.
const twoThreads = "threads"

func measureCommand(a *cli.App) *cobra.Command {
	var games, parallel int
	var nodes, other int64
	var seed uint64
	cmd := &cobra.Command{
		Use:   "measure TECHNIQUE...",
		Short: "Measure what techniques of the engine are worth",
		Long: `Play the engine against itself without a technique, each side with so many positions a
move, and print how much stronger it is with it. Openings are moves by chance, each is
played twice with the sides exchanged. Techniques: ` + strings.Join(techniques(), ", ") + `;
all for each in turn. "threads" has two threads with so many positions each play one
thread: they read in turns, so that the answer does not depend on the machine.`,
		Example: `  qipu workshop xiangqi measure null --games 20 --nodes 1000
  qipu workshop xiangqi measure threads --games 4 --nodes 500
  qipu workshop xiangqi measure all --games 2 --nodes 200 --json`,
		Args: cli.ArgCount(1, 100),
		RunE: func(cmd *cobra.Command, args []string) error {
			if games < 2 || nodes < 100 || other < 0 || parallel < 1 {
				return cli.Usagef("want --games from 2, --nodes from 100, --parallel from 1")
			}
			if other == 0 {
				other = nodes
			}
			if len(args) == 1 && args[0] == "all" {
				args = techniques()
			}
			for _, name := range args {
				if _, ok := without(name); !ok && name != twoThreads {
					return cli.Usagef("no technique is called %q; there are %s", name, strings.Join(append(techniques(), twoThreads), ", "))
				}
			}
			bar := a.NewProgress("games", games*len(args))
			defer bar.Close()
			for _, name := range args {
				off, _ := without(name)
				threads := 1
				if name == twoThreads {
					threads = 2
				}
				m, err := measure(cmd.Context(), threads, off, arena.Options{Rules: rules.Standard, Games: games, Parallel: parallel, Seed: seed, Done: func(*arena.Game) { bar.Step(1) }}, nodes, other)
				if err != nil {
					return err
				}
				m.Without = name
				if a.JSON {
					if err := a.PrintJSON(cli.Typed("measured", m)); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(a.Out, "%-10s %+4.0f ± %.0f Elo (%d games: +%d =%d -%d)\n", name, m.Elo, m.Margin, m.Games, m.Won, m.Drawn, m.Lost)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.IntVar(&games, "games", 100, "games for each technique; rounded up to pairs")
	f.IntVar(&parallel, "parallel", 1, "games that are played at once")
	f.Int64Var(&nodes, "nodes", 2000, "positions a move of the engine as it is")
	f.Int64Var(&other, "other-nodes", 0, "positions a move of the engine without the technique (0: as many)")
	f.Uint64Var(&seed, "seed", 1, "what chance begins with")
	return cmd
}

// measure plays the engine with some threads against the one without what is off.
func measure(ctx context.Context, threads int, off engine.Switches, o arena.Options, nodes, other int64) (m measuredJSON, err error) {
	player := func(name string, threads int, off engine.Switches, nodes int64) arena.Player {
		return arena.Player{Name: name, Limits: base.Limits{Nodes: nodes, Threads: threads}, Make: func() (base.Engine, error) {
			return engine.New(engine.Options{Name: name, Hash: 4 << 20, Off: off, Threads: threads, InTurns: threads > 1}), nil
		}}
	}
	r, err := arena.Match(ctx, player("with", threads, engine.Switches{}, nodes), player("without", 1, off, other), o)
	if err != nil {
		return m, err
	}
	return measuredJSON{Games: len(r.Games), Won: r.Wins, Drawn: r.Draws, Lost: r.Losses, Elo: r.Elo, Margin: r.Margin, Nodes: nodes, Other: other}, nil
}
