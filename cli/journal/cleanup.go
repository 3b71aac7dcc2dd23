package journal

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/cleanup"
	"qipu/view/journalview"
)

func cleanupCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cleanup",
		Short: "Put headers right: proposals with what speaks for them",
		Long: `Look for headers that may be put right, and say how many proposals there are of
each kind. Each rests on something else that the library says:

  date      it cannot be, by the other games of the players; or only the title has one
  colours   the title or the name of the file names the sides the other way round
  result    only the title has one
  text      read in the wrong encoding, or not readable at all
  name      only the title has it, or has it in full
  team      a team stands in front of a name: 廣東呂欽 is 呂欽 of 廣東
  event     the title of the game stands where the event should be

Nothing changes until you accept a proposal. Records stay as they came: what is
accepted is a correction as qipu edit makes it, which qipu undo takes back. Proposals
about events come last: other proposals rest on the titles.`,
		Example: `  qipu cleanup
  qipu cleanup list --kind event
  qipu cleanup accept --kind team --dry-run`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return summarise(cmd.Context(), a) },
	}
	cmd.AddCommand(cleanupList(a), cleanupAccept(a), cleanupDismiss(a))
	return cmd
}

func summarise(ctx context.Context, a *cli.App) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Cleanup().Proposals(ctx, false)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Say(done("proposals", 0, 0, false), "there is nothing to put right")
		}
		t := &cli.Table{Columns: []string{"kind", "proposals", "games", "such as"}}
		for _, k := range journalview.KindsOf(list) {
			p := list[slices.IndexFunc(list, func(p *cleanup.Proposal) bool { return string(p.Kind) == k.Kind })]
			t.Add(cli.Typed("kind", k), k.Kind, fmt.Sprint(k.Proposals), fmt.Sprint(k.Records), cli.Shorten(cli.Printable(p.Before), 30)+" → "+cli.Shorten(become(p.After), 30))
		}
		return a.Print(t)
	})
}

// become is what a header would say.
func become(after string) string {
	if after == "" {
		return "(unknown)"
	}
	return cli.Printable(after)
}

// takesKinds adds the flag that chooses proposals by kind.
func takesKinds(cmd *cobra.Command, kinds *[]string) {
	var all []string
	for _, k := range cleanup.Kinds {
		all = append(all, string(k))
	}
	cmd.Flags().StringSliceVar(kinds, "kind", nil, "only of this kind: "+strings.Join(all, ", "))
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(all, cobra.ShellCompDirectiveNoFileComp))
}

func kindsOf(words []string) (kinds []cleanup.Kind, err error) {
	for _, w := range words {
		if !slices.Contains(cleanup.Kinds, cleanup.Kind(w)) {
			return nil, cli.Usagef("--kind %s: there is no such kind: there are %v", w, cleanup.Kinds)
		}
		kinds = append(kinds, cleanup.Kind(w))
	}
	return kinds, nil
}

func cleanupList(a *cli.App) *cobra.Command {
	var words []string
	var limit int
	var dismissed bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List proposals, with some games of each",
		Example: `  qipu cleanup list --limit 5
  qipu cleanup list --kind name --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 0 {
				return cli.Usagef("--limit %d: want a number of proposals, or 0 for all", limit)
			}
			kinds, err := kindsOf(words)
			if err != nil {
				return err
			}
			return listProposals(cmd.Context(), a, kinds, dismissed, limit)
		},
	}
	takesKinds(cmd, &words)
	cmd.Flags().IntVar(&limit, "limit", 20, "only so many (0: all)")
	cmd.Flags().BoolVar(&dismissed, "dismissed", false, "list those that were dismissed")
	return cmd
}

func listProposals(ctx context.Context, a *cli.App, kinds []cleanup.Kind, dismissed bool, limit int) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Cleanup().Proposals(ctx, dismissed, kinds...)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return a.Say(done("proposals", 0, 0, false), "there are no such proposals")
		}
		shown := list
		if limit > 0 {
			shown = list[:min(limit, len(list))]
		}
		views, err := journalview.ProposalsOf(ctx, shown, l.Records().Games)
		if err != nil {
			return err
		}
		t := &cli.Table{Columns: []string{"proposal", "games", "now", "would be", "because", "for example"}}
		for i := range views {
			w := &views[i]
			var ids []string
			for _, s := range w.Samples {
				ids = append(ids, fmt.Sprint(s.ID))
			}
			now := cli.Printable(w.Before)
			if w.Spelt > 1 {
				now += fmt.Sprintf(" (and %d more)", w.Spelt-1)
			}
			t.Add(cli.Typed("proposal", w), w.ID, fmt.Sprint(w.Records), now, become(w.After), journalview.Because(w.Reason), strings.Join(ids, " "))
		}
		if err := a.Print(t); err != nil {
			return err
		}
		if more := len(list) - len(shown); more > 0 && !a.JSON && !a.CSV {
			fmt.Fprintf(a.Out, "%s: --limit 0\n", cli.Plural(more, "more proposal"))
		}
		return nil
	})
}

// chosen returns the proposals of a command line.
func chosen(ctx context.Context, l *qipu.Library, ids []string, kinds []cleanup.Kind) ([]*cleanup.Proposal, error) {
	if len(ids) > 0 {
		return l.Cleanup().Find(ctx, ids)
	}
	return l.Cleanup().Proposals(ctx, false, kinds...)
}

// either refuses both ids and kinds, and none of them.
func either(verb string, ids, words []string) error {
	if (len(ids) == 0) == (len(words) == 0) {
		return cli.Usagef("cleanup %s: name proposals (qipu cleanup list has them), or --kind", verb)
	}
	return nil
}

func cleanupAccept(a *cli.App) *cobra.Command {
	var words []string
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "accept [PROPOSAL...]",
		Short: "Correct headers as proposals say",
		Long: `Correct headers as proposals say, by their names in qipu cleanup list, or all of a
kind. All of them together are one change, which qipu undo takes back.`,
		Example: `  qipu cleanup accept --kind date,name --dry-run
  qipu cleanup accept --kind team`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := either("accept", ids, words); err != nil {
				return err
			}
			kinds, err := kindsOf(words)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			return a.Opening(cmd, dryRun, func(l *qipu.Library) error {
				list, err := chosen(ctx, l, ids, kinds)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return a.Say(done("proposals", 0, 0, false), "there are no such proposals")
				}
				if dryRun {
					n := 0
					for _, k := range journalview.KindsOf(list) {
						n += k.Records
					}
					return a.Say(done("accepted", len(list), n, true), "%s would be accepted, about %s", cli.Plural(len(list), "proposal"), cli.Plural(n, "game"))
				}
				n, err := l.Cleanup().Accept(ctx, list)
				if err != nil {
					return err
				}
				return a.Say(done("accepted", len(list), n, false), "%s accepted: headers of %s corrected; qipu undo takes that back", cli.Plural(len(list), "proposal"), cli.Plural(n, "game"))
			})
		},
	}
	takesKinds(cmd, &words)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "say how many games there are, and change nothing")
	return cmd
}

func done(what string, proposals, games int, dryRun bool) cli.Figures {
	return cli.Figures{{Name: "type", Value: what}, {Name: "proposals", Value: proposals}, {Name: "games", Value: games}, {Name: "dryRun", Value: dryRun}}
}

func cleanupDismiss(a *cli.App) *cobra.Command {
	var words []string
	cmd := &cobra.Command{
		Use:   "dismiss [PROPOSAL...]",
		Short: "Have proposals not come back",
		Long: `Have proposals not come back, by their names in qipu cleanup list, or all of a kind.
That is a change, too: qipu undo has them come back.`,
		Example: `  qipu cleanup dismiss --kind event
  qipu cleanup list --dismissed`,
		RunE: func(cmd *cobra.Command, ids []string) error {
			if err := either("dismiss", ids, words); err != nil {
				return err
			}
			kinds, err := kindsOf(words)
			if err != nil {
				return err
			}
			ctx := cmd.Context()
			return a.Writing(ctx, cmd.CommandPath(), func(l *qipu.Library) error {
				list, err := chosen(ctx, l, ids, kinds)
				if err != nil {
					return err
				}
				if len(list) == 0 {
					return a.Say(done("proposals", 0, 0, false), "there are no such proposals")
				}
				if err := l.Cleanup().DismissAll(ctx, list); err != nil {
					return err
				}
				return a.Say(done("dismissed", len(list), 0, false), "%s dismissed; qipu undo takes that back", cli.Plural(len(list), "proposal"))
			})
		},
	}
	takesKinds(cmd, &words)
	return cmd
}
