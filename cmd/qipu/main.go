// Command qipu turns board-game records into knowledge: see README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"qipu/builtin"
)

// rooms are the parts of the program, each with its commands.
var rooms = []room{
	func(a *app) []*cobra.Command { return a.searchCommands() },
	func(a *app) []*cobra.Command { return a.recordsCommands() },
	func(a *app) []*cobra.Command { return a.knowledgeCommands() },
	func(a *app) []*cobra.Command { return a.playCommands() },
	func(a *app) []*cobra.Command { return a.studyCommands() },
	func(a *app) []*cobra.Command { return a.manageCommands() },
	func(a *app) []*cobra.Command { return a.workshopCommands() },
}

func main() {
	// Records are garbage as soon as they are read: collecting it at every
	// doubling of a small heap costs a fifth of an import. Beyond the limit,
	// which leaves room below the 200 MB we promise, it is collected sooner.
	debug.SetGCPercent(400)
	debug.SetMemoryLimit(150 << 20)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	a := &app{
		rooms:    rooms,
		games:    builtin.Games(),
		formats:  builtin.Formats(),
		in:       os.Stdin,
		out:      os.Stdout,
		err:      os.Stderr,
		inTerm:   isTerminal(os.Stdin),
		outTerm:  isTerminal(os.Stdout),
		errTerm:  isTerminal(os.Stderr),
		lookupOS: os.LookupEnv,
	}
	if a.outTerm {
		a.width = terminalWidth(os.Stdout)
	}
	// The first interrupt, or a plain kill, ends the command in its own time, the second at once.
	context.AfterFunc(ctx, stop)
	code := a.run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
