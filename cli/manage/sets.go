package manage

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
)

// membership is a command that puts games into a set that has a name, a tag or a
// collection, or takes them out of it.
type membership struct {
	noun                 string // tag or collection
	verb, short, example string
	done, would          string // behind the number of games, before the name

	// check refuses a name that cannot be meant; change changes the set.
	check  func(ctx context.Context, l *qipu.Library, name string) error
	change func(ctx context.Context, l *qipu.Library, tx store.Tx, name string, ids []uint32) error
}

func membershipCommand(a *cli.App, m membership) *cobra.Command {
	var chosen cli.Choice
	var dryRun bool
	cmd := &cobra.Command{
		Use:   m.verb + " NAME [ID...]",
		Short: m.short,
		Long: `Numbers of games come as arguments, or from standard input for "-"; --query takes
all games that a query finds.`,
		Example: m.example,
		Args:    cli.ArgCount(1, 1<<30),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := chosen.Take(a, args[1:], " or --query"); err != nil {
				return err
			}
			ctx, name := cmd.Context(), args[0]
			done := m.done
			if dryRun {
				done = m.would
			}
			return changeSet(a, cmd, m.noun, name, dryRun, func(l *qipu.Library) (int, error) {
				if err := m.check(ctx, l, name); err != nil {
					return 0, err
				}
				ids, err := chosen.Games(ctx, a, l)
				if err != nil || dryRun {
					return len(ids), err
				}
				return len(ids), l.Records().Edit(ctx, func(tx store.Tx) error { return m.change(ctx, l, tx, name, ids) })
			}, func(games int) string { return fmt.Sprintf("%s %s %q", cli.Plural(games, "game"), done, name) })
		},
		ValidArgsFunction: a.CompleteFirst(m.noun, 1),
	}
	chosen.Register(a, cmd, m.verb)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say how many games it would be, and change nothing")
	return cmd
}

// changeSet changes something about tags or collections and says so. The
// function returns how many games it concerned.
func changeSet(a *cli.App, cmd *cobra.Command, noun, name string, dryRun bool, change func(*qipu.Library) (int, error), done func(games int) string) error {
	return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
		games, err := change(l)
		if err != nil {
			return err
		}
		told := cli.Figures{{Name: "type", Value: noun}, {Name: "change", Value: cmd.Name()}, {Name: "name", Value: name}, {Name: "games", Value: games}, {Name: "dryRun", Value: dryRun}}
		return a.Say(told, "%s", done(games))
	})
}
