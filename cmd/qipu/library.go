package main

import (
	"context"
	"errors"
	"fmt"

	"qipu/store"

	"github.com/spf13/cobra"

	"qipu"
)

// openLibrary opens the library that the flags mean.
func (a *app) openLibrary(ctx context.Context, o qipu.Options) (*qipu.Library, error) {
	dir, err := qipu.Locate(a.library, a.lookupOS)
	if err != nil {
		return nil, err
	}
	return a.openAt(ctx, dir, o)
}

// openAt opens the library in a folder, or on servers.
func (a *app) openAt(ctx context.Context, dir string, o qipu.Options) (*qipu.Library, error) {
	o.Games, o.Formats, o.Shapes, o.Env, o.Logf = a.games, a.formats, a.shapeFolders(), a.lookupOS, a.logf
	if o.Holder == "" {
		o.Holder = "qipu"
	}
	l, err := qipu.Open(ctx, dir, o)
	if errors.Is(err, store.ErrNoLibrary) {
		return nil, noLibrary(dir)
	}
	return l, err
}

// logf tells on standard error what a library on servers waits for.
func (a *app) logf(format string, args ...any) {
	if a.progress != "off" {
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}

// noLibrary is the folder in which there is no library.
type noLibrary string

func (dir noLibrary) Error() string {
	return fmt.Sprintf("there is no library in %s: make one with qipu import PATH..., or name another with --library", string(dir))
}

// Unwrap tells what it is.
func (noLibrary) Unwrap() error { return store.ErrNoLibrary }

// reading opens the library for reading, runs a function on it, and closes it.
func (a *app) reading(ctx context.Context, do func(*qipu.Library) error) error {
	return a.with(ctx, qipu.Options{ReadOnly: true}, do)
}

// writing does the same for writing. The holder is the command, for the message
// to a second writer.
func (a *app) writing(ctx context.Context, holder string, do func(*qipu.Library) error) error {
	return a.with(ctx, qipu.Options{Holder: holder}, do)
}

// opening opens the library for what a command changes: for reading only where
// it is a dry run.
func (a *app) opening(cmd *cobra.Command, dryRun bool, do func(*qipu.Library) error) error {
	if dryRun {
		return a.reading(cmd.Context(), do)
	}
	return a.writing(cmd.Context(), cmd.CommandPath(), do)
}

func (a *app) with(ctx context.Context, o qipu.Options, do func(*qipu.Library) error) error {
	l, err := a.openLibrary(ctx, o)
	if err != nil {
		return err
	}
	err = do(l)
	if closing := a.close(ctx, l); err == nil {
		err = closing
	}
	if errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

// close closes a library. Who has interrupted the command does not wait for
// tables to be merged; where they could not be, that is worth a word, but nothing
// is lost.
func (a *app) close(ctx context.Context, l *qipu.Library) error {
	if ctx.Err() != nil {
		l.Store().StopMerging()
	}
	err := l.Close()
	if trouble := l.Store().Trouble(); trouble != nil {
		fmt.Fprintf(a.err, "note: everything is stored, but small tables could not be merged: %v\n", trouble)
	}
	return err
}
