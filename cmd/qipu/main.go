// Command qipu turns board-game records into knowledge: see README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"qipu/builtin"
	"qipu/cli"
	"qipu/cli/knowledge"
	"qipu/cli/manage"
	"qipu/cli/play"
	"qipu/cli/records"
	"qipu/cli/search"
	"qipu/cli/study"
	"qipu/workshop"
)

// rooms are the parts of the program, each with its commands.
var rooms = []cli.Room{
	search.Commands,
	records.Commands,
	knowledge.Commands,
	play.Commands,
	study.Commands,
	manage.Commands,
	workshop.Commands,
}

func main() {
	// Records are garbage as soon as they are read: collecting it at every
	// doubling of a small heap costs a fifth of an import. Beyond the limit,
	// which leaves room below the 200 MB we promise, it is collected sooner.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(150 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &cli.App{
		Rooms:    rooms,
		Games:    builtin.Games(),
		Formats:  builtin.Formats(),
		In:       os.Stdin,
		Out:      os.Stdout,
		Err:      os.Stderr,
		InTerm:   isTerminal(os.Stdin),
		OutTerm:  isTerminal(os.Stdout),
		ErrTerm:  isTerminal(os.Stderr),
		LookupOS: os.LookupEnv,
	}
	if a.OutTerm {
		a.Width = cli.TerminalWidth(os.Stdout)
	}
	// The first interrupt, or a plain kill, ends the command in its own time, the second at once.
	context.AfterFunc(ctx, stop)
	code := a.Run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
