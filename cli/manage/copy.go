package manage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library"
	"qipu/store"
)

type copyOptions struct {
	noVerify, anew bool
}

func copyCommand(a *cli.App) *cobra.Command {
	var o copyOptions
	cmd := &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy a library into another, in a folder or on servers",
		Long: `Add all games of one library to another, with their sources, collections and
tags: records as they were read, and the bytes of their sources. Each library is
a folder, or the address of servers (clickhouse://user@host1,host2/database; see
qipu cluster). The library that games go to is made where there is none.

Every game is read back and compared; at the end the games of each kind are
counted on both sides, and the checksum of all new records is told. A copy that
was interrupted goes on where it was when it is run again, and one that was done
brings what is new: games, and the collections and tags of those it has brought.
Games that were deleted there come again; --anew goes through all games in any
case. Games that are there already are known, and stay one. Exit code 3 if any
game could not be read and stayed behind.`,
		Example: `  qipu copy qipu-backup copied
  qipu copy qipu-backup copied --json`,
		Args: cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return copyLibrary(cmd.Context(), a, args[0], args[1], o)
		},
	}
	cmd.Flags().BoolVar(&o.noVerify, "no-verify", false, "do not read games back")
	cmd.Flags().BoolVar(&o.anew, "anew", false, "begin with the first game, whatever an earlier run has done")
	return cmd
}

// placeOf names a library for the one that is copied to.
func placeOf(library string) string {
	if store.OnServers(library) {
		return library
	}
	if abs, err := filepath.Abs(library); err == nil {
		return abs
	}
	return library
}

func copyLibrary(ctx context.Context, a *cli.App, from, to string, o copyOptions) error {
	if placeOf(from) == placeOf(to) {
		return cli.Usagef("%s and %s are one library", from, to)
	}
	source, err := a.OpenAt(ctx, from, qipu.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer source.Close()
	if err := library.Begin(to, "qipu copy of "+placeOf(from)); err != nil {
		return err
	}
	target, err := a.OpenAt(ctx, to, qipu.Options{Create: true, Holder: "qipu copy"})
	if err != nil {
		return err
	}
	copied, err := copyGames(ctx, a, source, target, from, o)
	var told cli.Figures
	if err == nil {
		told, err = compared(ctx, source, target, copied)
	}
	if closing := a.Close(ctx, target); err == nil {
		err = closing
	}
	if err == nil && library.Unfinished(to) == "qipu copy of "+placeOf(from) {
		err = library.Finish(to)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return fmt.Errorf("%w: run the command again to go on", err)
	}
	verified := ""
	if !o.noVerify {
		verified = fmt.Sprintf(", %d read back and equal, checksum %016x", copied.Verified, copied.Sum)
	}
	err = a.Say(append(cli.Figures{{Name: "type", Value: "copy"}, {Name: "from", Value: from}, {Name: "to", Value: to}}, told...),
		"%d new, %d known, %d done before%s; %d games there, %d here", copied.New, copied.Known, copied.Before, verified,
		told.Of("gamesThere").(int), told.Of("gamesHere").(int))
	if err == nil && copied.Left > 0 {
		fmt.Fprintf(a.Err, "%s could not be read and stayed behind: run qipu doctor --library %s\n", cli.Plural(copied.Left, "game"), from)
		err = cli.Silent(cli.ExitData)
	}
	return err
}

func copyGames(ctx context.Context, a *cli.App, source, target *qipu.Library, from string, o copyOptions) (*library.Copied, error) {
	ids, unlisted, err := source.Records().List(ctx)
	if err != nil {
		return nil, err
	}
	bar := a.NewProgress("games", len(ids))
	defer bar.Close()
	co := library.CopyOptions{Verify: !o.noVerify, OnGame: func(id uint32, err error) {
		if err != nil {
			fmt.Fprintf(a.Err, "game %d: %v\n", id, err)
		}
		bar.Step(1)
	}}
	if !o.anew {
		co.Key = placeOf(from)
	}
	copied, err := source.Records().Copy(ctx, target.Records(), ids, co)
	if copied != nil {
		copied.Left += unlisted
	}
	return copied, err
}

// compared counts the games of both sides.
func compared(ctx context.Context, source, target *qipu.Library, c *library.Copied) (cli.Figures, error) {
	here, err := source.Records().Counts(ctx)
	if err != nil {
		return nil, err
	}
	there, err := target.Records().Counts(ctx)
	if err != nil {
		return nil, err
	}
	sum := func(counts map[string]int) (n int) {
		for _, k := range counts {
			n += k
		}
		return n
	}
	for kind, n := range here.Games {
		// Some of those that came before may have been deleted since.
		if c.Left == 0 && there.Games[kind] < n && c.Known == 0 && c.Before == 0 {
			return nil, fmt.Errorf("of %d games of %s only %d are there", n, kind, there.Games[kind])
		}
	}
	return cli.Figures{
		{Name: "new", Value: c.New}, {Name: "known", Value: c.Known}, {Name: "before", Value: c.Before}, {Name: "left", Value: c.Left}, {Name: "verified", Value: c.Verified}, {Name: "checksum", Value: fmt.Sprintf("%016x", c.Sum)},
		{Name: "collections", Value: c.Collections}, {Name: "tags", Value: c.Tags}, {Name: "gamesHere", Value: sum(here.Games)}, {Name: "gamesThere", Value: sum(there.Games)},
	}, nil
}
