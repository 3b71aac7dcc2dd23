package manage

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library"
	"qipu/store"
)

func backupCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "backup DIR",
		Short: "Copy the library into a new folder, and verify the copy",
		Long: `Copy the library, as it is at one moment, into a folder that must not exist yet.
Others may read and write meanwhile. Every byte of the copy is verified; a backup
that is not sound is removed again. A backup is a library itself, and may be
looked at with --library DIR.`,
		Example: `  qipu backup qipu-backup
  qipu backup qipu-backup-2 --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return backup(cmd.Context(), a, args[0]) },
	}
}

func backup(ctx context.Context, a *cli.App, dir string) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		if _, err := os.Lstat(dir); err == nil {
			return fmt.Errorf("%s is there already: name a new folder", dir)
		}
		if err := l.Records().Keeper().Backup(ctx, dir); err != nil {
			return err
		}
		return copied(ctx, a, "backup", dir)
	})
}

// copied says what is in a new copy of a library.
func copied(ctx context.Context, a *cli.App, what, dir string) error {
	l, err := qipu.Open(ctx, dir, qipu.Options{ReadOnly: true, Games: a.Games, Formats: a.Formats})
	if err != nil {
		return err
	}
	defer l.Close()
	told, err := measure(ctx, l)
	if err != nil {
		return err
	}
	return a.Say(append(cli.Figures{{Name: "type", Value: what}, {Name: "folder", Value: dir}}, told...),
		"%s copied to %s and verified, %s", cli.Plural(told.Of("games").(int), "game"), dir, cli.Size(told.Of("bytes").(int64)))
}

func restoreCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "restore BACKUP",
		Short: "Make a library of a backup",
		Long: `Make the library (that of --library, or the usual one) from a backup, and verify
it. A library that is there already is not touched: move it away, or name another
folder with --library.`,
		Example: `  qipu restore qipu-backup --library restored
  qipu restore qipu-backup --library restored-2 --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return restore(cmd.Context(), a, args[0]) },
	}
}

func restore(ctx context.Context, a *cli.App, from string) error {
	dir, err := qipu.Locate(a.Library, a.LookupOS)
	if err != nil {
		return err
	}
	if store.OnServers(dir) {
		return fmt.Errorf("a backup is a folder, and %s are servers: qipu copy %s %s brings its games there", dir, from, dir)
	}
	if _, err := os.Lstat(dir); err == nil {
		return fmt.Errorf("%s is there already: move it away, or name another folder with --library", dir)
	}
	switch err := library.Restore(ctx, from, dir, a.Games); {
	case errors.Is(err, store.ErrNoLibrary):
		return fmt.Errorf("there is no backup in %s: name the folder that qipu backup has made", from)
	case errors.Is(err, context.Canceled):
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	return copied(ctx, a, "restored", dir)
}
