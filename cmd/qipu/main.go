// Command qipu turns board-game records into knowledge: see README.md.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"qipu/builtin"
	"qipu/cli"
	"qipu/cli/alike"
	"qipu/cli/book"
	"qipu/cli/drill"
	"qipu/cli/endgame"
	"qipu/cli/engines"
	"qipu/cli/journal"
	"qipu/cli/knowledge"
	"qipu/cli/lab"
	"qipu/cli/man"
	"qipu/cli/manage"
	"qipu/cli/match"
	"qipu/cli/mine"
	"qipu/cli/people"
	"qipu/cli/pictures"
	"qipu/cli/play"
	"qipu/cli/protocols"
	"qipu/cli/records"
	"qipu/cli/search"
	"qipu/cli/sheets"
	"qipu/cli/study"
	"qipu/cli/teach"
	"qipu/workshop"
	"qipu/workshop/accuracy"
	chesswork "qipu/workshop/chess"
	"qipu/workshop/proving"
	fives "qipu/workshop/renju"
	"qipu/workshop/sight"
	"qipu/workshop/valuing"
	"qipu/workshop/weighing"
	"qipu/workshop/xiangqi"
)

// rooms are the parts of the program, each with its commands.
var rooms = []cli.Room{
	search.Commands,
	records.Commands,
	pictures.Commands,
	knowledge.Commands,
	play.Commands,
	match.Commands,
	protocols.Commands,
	engines.Commands,
	book.Commands,
	study.Commands,
	sheets.Commands,
	endgame.Commands,
	drill.Commands,
	func(a *cli.App) []*cobra.Command { return teach.Commands(a, builtin.Ground) },
	func(a *cli.App) []*cobra.Command { return mine.Commands(a, alike.Commands(a)...) },
	func(a *cli.App) []*cobra.Command { return lab.Commands(a, builtin.Whole().Games(), builtin.Judge) },
	manage.Commands,
	man.Commands,
	people.Commands,
	journal.Commands,
	func(a *cli.App) []*cobra.Command {
		return workshop.Commands(a, accuracy.Command(a), proving.Command(a, builtin.Judge), fives.Command(a), sight.Command(a), valuing.Command(a), weighing.Command(a, builtin.Judge), xiangqi.Command(a), chesswork.Command(a))
	},
}

func main() {
	// Records are garbage as soon as they are read: collecting it at every
	// doubling of a small heap costs a fifth of an import. Beyond the limit that is set
	// below, which leaves room below the 200 MB we promise, it is collected sooner.
	debug.SetGCPercent(400)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, quit := context.WithCancelCause(ctx)
	// Nobody reads what is printed any more: the command ends in its own time too,
	// and puts away what it has laid out. The signal itself would kill it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a := &cli.App{
		Rooms:    rooms,
		Games:    builtin.Whole().Games(),
		Formats:  builtin.Whole().Formats(),
		Settlers: builtin.Settler,
		Judges:   builtin.Judge,
		Theory:   builtin.Theory,
		Net:      builtin.Net,
		Taught:   builtin.Taught,
		In:       os.Stdin,
		Out:      cli.Watched(os.Stdout, quit),
		Err:      os.Stderr,
		InTerm:   term.IsTerminal(int(os.Stdin.Fd())),
		OutTerm:  term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerm:  term.IsTerminal(int(os.Stderr.Fd())),
		LookupOS: os.LookupEnv,
	}
	a.LimitHeap(150<<20, a.Granted(0))
	a.Engine = engines.Maker(a, builtin.Engine)
	if a.OutTerm {
		a.Width, _, _ = term.GetSize(int(os.Stdout.Fd()))
	}
	// The first interrupt, or a plain kill, ends the command in its own time, the second at once.
	context.AfterFunc(ctx, stop)
	code := a.Run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}
