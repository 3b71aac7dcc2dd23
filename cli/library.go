package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/remedy"
	"qipu/remedy/shellwords"
	"qipu/store"
)

// OpenLibrary opens the library that the flags mean.
func (a *App) OpenLibrary(ctx context.Context, o qipu.Options) (*qipu.Library, error) {
	dir, err := qipu.Locate(a.Library, a.LookupOS)
	if err != nil {
		return nil, err
	}
	return a.OpenAt(ctx, dir, o)
}

// OpenAt opens the library in a folder, or on servers.
func (a *App) OpenAt(ctx context.Context, dir string, o qipu.Options) (*qipu.Library, error) {
	o.Games, o.Formats, o.Engine, o.Settlers, o.Judges, o.Theory, o.Shapes, o.Env, o.Logf = a.Games, a.Formats, a.Engine, a.Settlers, a.Judges, a.Theory, a.ShapeFolders(), a.LookupOS, a.Logf
	if o.Holder == "" {
		o.Holder = "qipu"
	}
	l, err := qipu.Open(ctx, dir, o)
	if NoFolder(err) {
		return nil, noLibrary(dir)
	}
	return l, err
}

// NoFolder reports whether an error tells that a folder has no library. Servers
// that have none come with a remedy of their own.
func NoFolder(err error) bool {
	_, advised := remedy.Of(err)
	return errors.Is(err, store.ErrNoLibrary) && !advised
}

// Logf tells on standard error what a library on servers waits for.
func (a *App) Logf(format string, args ...any) {
	if a.progress != "off" {
		fmt.Fprintf(a.Err, format+"\n", args...)
	}
}

// noLibrary is the folder in which there is no library.
type noLibrary string

func (dir noLibrary) Error() string {
	return fmt.Sprintf("there is no library in %s: make one with qipu import PATH..., or name another with --library", string(dir))
}

// Unwrap tells what it is.
func (noLibrary) Unwrap() error { return store.ErrNoLibrary }

// Reading opens the library for reading, runs a function on it, and closes it.
func (a *App) Reading(ctx context.Context, do func(*qipu.Library) error) error {
	return a.With(ctx, qipu.Options{ReadOnly: true}, do)
}

// Writing does the same for writing. The holder is the command, for the message
// to a second writer.
func (a *App) Writing(ctx context.Context, holder string, do func(*qipu.Library) error) error {
	return a.With(ctx, qipu.Options{Holder: holder}, do)
}

// Opening opens the library for what a command changes: for reading only where
// it is a dry run.
func (a *App) Opening(cmd *cobra.Command, dryRun bool, do func(*qipu.Library) error) error {
	if dryRun {
		return a.Reading(cmd.Context(), do)
	}
	return a.Writing(cmd.Context(), cmd.CommandPath(), do)
}

// With opens the library, runs a function on it, and closes it.
func (a *App) With(ctx context.Context, o qipu.Options, do func(*qipu.Library) error) error {
	l, err := a.OpenLibrary(ctx, o)
	if err != nil {
		return err
	}
	err = do(l)
	if quiet, ok := errors.AsType[Silent](err); err == nil || ok && quiet == ExitNothing {
		// An answer that lacks games says so.
		if unread := l.Records().Unread(); unread != nil {
			err = unread
		}
	}
	if closing := a.Close(ctx, l); err == nil {
		err = closing
	}
	if errors.Is(err, context.Canceled) {
		return ErrInterrupted
	}
	return err
}

// Close closes a library. Who has interrupted the command does not wait for
// tables to be merged; where they could not be, that is worth a word, but nothing
// is lost.
func (a *App) Close(ctx context.Context, l *qipu.Library) error {
	if ctx.Err() != nil {
		l.Records().Keeper().StopMerging()
	}
	err := l.Close()
	trouble := l.Records().Keeper().Trouble()
	switch _, staged := errors.AsType[*store.StagedError](trouble); {
	case staged:
		fmt.Fprintf(a.Err, "note: %s\n", shellwords.Text(trouble))
	case trouble != nil:
		fmt.Fprintf(a.Err, "note: everything is stored, but small tables could not be merged: %v\n", trouble)
	}
	return err
}
