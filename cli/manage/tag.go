package manage

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"qipu/view/answerview"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/store"
)

func tagsCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tags",
		Short: "Mark games with tags",
		Long: `List the tags of the library, or put them on games and take them off. A tag comes
into being with its first use; queries ask for it with tag:NAME.`,
		Example: `  qipu tags add study 1 2 3
  qipu tags
  qipu tags add "to print" --query game:xiangqi`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return listTags(cmd.Context(), a, "") },
	}
	cmd.AddCommand(tagsList(a), tagsRename(a), tagsDrop(a),
		membershipCommand(a, membership{
			noun: "tag", verb: "add", short: "Put a tag on games", done: "tagged", would: "would be tagged",
			example: `  qipu tags add draft 4
  qipu tags add study --query game:othello --dry-run
  qipu tags add study --query game:othello`,
			check: func(_ context.Context, _ *qipu.Library, name string) error { // the first use makes it
				if n := utf8.RuneCountInString(name); n > maxTag {
					return cli.Usagef("tags add: the tag has %d characters: give it at most %d", n, maxTag)
				}
				return nil
			},
			change: func(_ context.Context, _ *qipu.Library, tx store.Tx, name string, ids []uint32) error {
				return tx.Tag(name, ids)
			},
		}),
		membershipCommand(a, membership{
			noun: "tag", verb: "remove", short: "Take a tag off games", done: "no longer tagged", would: "would no longer be tagged",
			example: `  qipu tags remove study 2
  qipu tags remove study --query game:othello`,
			check: func(ctx context.Context, l *qipu.Library, name string) error {
				_, err := taggedGames(ctx, l, name)
				return err
			},
			change: func(_ context.Context, _ *qipu.Library, tx store.Tx, name string, ids []uint32) error {
				return tx.Untag(name, ids)
			},
		}))
	return cmd
}

// maxTag is how many characters a tag may have, as on the pages.
const maxTag = 200

func tagsList(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "list [ID]",
		Short: "List the tags, or those of one game",
		Example: `  qipu tags list
  qipu tags list 1 --json`,
		Args: cli.ArgCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTags(cmd.Context(), a, "")
			}
			return listTags(cmd.Context(), a, args[0])
		},
	}
}

// listTags lists all tags, or those of a game.
func listTags(ctx context.Context, a *cli.App, game string) error {
	var ids []uint32
	if game != "" {
		var err error
		if ids, err = a.Numbers([]string{game}); err != nil {
			return err
		}
		if len(ids) != 1 {
			return cli.Usagef("tags list: want the number of one game")
		}
	}
	return a.Reading(ctx, func(l *qipu.Library) error {
		list, err := l.Notes().Tags(ctx)
		if ids != nil {
			if err := cli.Present(ctx, l, ids); err != nil {
				return err
			}
			list, err = l.Notes().TagsOf(ctx, ids[0])
		}
		if err != nil {
			return err
		}
		if len(list) == 0 {
			none := "there are no tags"
			if ids != nil {
				none = fmt.Sprintf("game %d has no tags", ids[0])
			}
			return a.Nothing("%s: qipu tags add NAME ID... puts one on games", none)
		}
		t := &cli.Table{Columns: []string{"name", "games"}}
		for _, tag := range list {
			t.Add(cli.Typed("tag", answerview.TagOf(&tag)), cli.Printable(tag.Name), fmt.Sprint(tag.Games))
		}
		return a.Print(t)
	})
}

func tagsRename(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "rename OLD NEW",
		Short: "Give a tag another name",
		Example: `  qipu tags rename study "to study"
  qipu tags rename "to study" study --json`,
		Args:              cli.ArgCount(2, 2),
		ValidArgsFunction: a.CompleteFirst("tag", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeTag(a, cmd, args[0], args[1], func(tx store.Tx) error { return tx.RenameTag(args[0], args[1]) },
				fmt.Sprintf("tag %q is now %q", args[0], args[1]))
		},
	}
}

func tagsDrop(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "drop NAME",
		Short: "Take a tag off all games and forget it",
		Example: `  qipu tags drop draft
  qipu tags drop "to print" --json`,
		Args:              cli.ArgCount(1, 1),
		ValidArgsFunction: a.CompleteFirst("tag", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeTag(a, cmd, args[0], args[0], func(tx store.Tx) error { return tx.DropTag(args[0]) },
				fmt.Sprintf("tag %q dropped: its games stay in the library", args[0]))
		},
	}
}

// changeTag changes a tag as a whole.
func changeTag(a *cli.App, cmd *cobra.Command, old, name string, change func(store.Tx) error, done string) error {
	return changeSet(a, cmd, "tag", name, false, func(l *qipu.Library) (int, error) {
		games, err := taggedGames(cmd.Context(), l, old)
		if err != nil {
			return 0, err
		}
		return games, l.Records().Edit(cmd.Context(), change)
	}, func(int) string { return done })
}

// taggedGames returns how many games have a tag that must be there.
func taggedGames(ctx context.Context, l *qipu.Library, name string) (int, error) {
	games, err := l.Notes().Tagged(ctx, name)
	switch {
	case errors.Is(err, store.ErrNoRow):
		return 0, noTag(ctx, l, name)
	case err != nil:
		return 0, err
	}
	return int(games.GetCardinality()), nil
}

// noTag tells of a tag that is not there which ones are.
func noTag(ctx context.Context, l *qipu.Library, name string) error {
	list, err := l.Notes().Tags(ctx)
	if err != nil {
		return err
	}
	var known []string
	for _, tag := range list {
		known = append(known, cli.Printable(tag.Name))
	}
	if known == nil {
		return fmt.Errorf("there is no tag %q, nor any other: qipu tags add NAME ID... makes one", name)
	}
	return fmt.Errorf("there is no tag %q: there are %s%s", name, strings.Join(known, ", "), cli.DidYouMean(name, known))
}
