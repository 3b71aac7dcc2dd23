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
	var incremental bool
	cmd := &cobra.Command{
		Use:   "backup DIR",
		Short: "Copy the library into a new folder, and verify the copy",
		Long: `Copy the library, as it is at one moment, into a folder that must not exist yet.
Others may read and write meanwhile. Every byte of the copy is verified; a backup
that is not sound is removed again. A backup is a library itself, and may be
looked at with --library DIR. The checksums of its files lie in SHA256SUMS; qipu
restore and qipu doctor compare them.

With --incremental, a backup that was made before is brought up to date: no more is
written than what has changed since. One that is damaged, or of another library, is
refused.`,
		Example: `  qipu backup qipu-backup
  qipu backup qipu-backup --incremental
  qipu backup qipu-backup-2 --json`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return backup(cmd.Context(), a, args[0], incremental) },
	}
	cmd.Flags().BoolVar(&incremental, "incremental", false, "bring the backup in DIR up to date, if there is one")
	return cmd
}

func backup(ctx context.Context, a *cli.App, dir string, incremental bool) error {
	return a.Reading(ctx, func(l *qipu.Library) error {
		_, err := os.Lstat(dir)
		there := err == nil
		if there && !incremental {
			return fmt.Errorf("%s is there already: name a new folder, or bring it up to date with --incremental", dir)
		}
		write := l.Records().Keeper().Backup
		if there {
			write = l.Records().Keeper().UpdateBackup
		}
		if err := write(ctx, dir); err != nil {
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
