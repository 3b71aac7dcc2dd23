package book

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/library"
	"qipu/library/librarian"
	"qipu/review"
	"qipu/view/bookview"
)

func bookLibrarian(a *cli.App) *cobra.Command {
	var o learnOptions
	var reached int
	var minutes float64
	cmd := &cobra.Command{
		Use:   "learn",
		Short: "Value the positions of the library's games, what matters most first",
		Long: `Search the positions that at least --games games have reached, those first that matter
most: by how many games reached them, times how much doubt there is about what they
are worth. Near the end of a game of Othello they are solved. It takes cores that
nobody else wants, and ends when all positions are as sure as --level makes them.

--engine has another program search, whose name is kept with its values. One that
knows no plies thinks as long as its owner has said, and its values have level 1. The
engine of this program teaches the games in which its error is known.

In Go the net looks at whole games instead, the latest first: who leads behind each
move, how likely each side is to win, and when groups died. It takes about two seconds
of one core for a long game; qipu show --json and the page of a game tell what it says.

Whatever is found is kept within seconds: stop it with Ctrl-C, and run it again to go
on. qipu serve does the same in the background: see the book on the page of the
explorer.`,
		Example: `  qipu book learn --level 2 --games 2 --limit 5
  qipu book learn --level 2 --games 3 --minutes 0.1 --json`,
		Args: cli.ArgCount(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.check(true); err != nil {
				return err
			}
			if reached < 1 || minutes < 0 {
				return cli.Usagef("--games %d, --minutes %v: want a number of games from 1, and minutes from 0", reached, minutes)
			}
			return withBook(a, cmd, &o.bookOptions, false, func(v *volume) error {
				teacher, threads := a.Engine, o.threads
				var games *library.Library
				if o.engine == "" && librarian.Whole(v.Rules) {
					games = v.Records()
				} else if o.engine != "" {
					threads = 1 // of each program there is one process
					teacher = func(r game.Rules, want engine.Options) (engine.Engine, error) { return o.open(a, r, want) }
				} else if err := measured(a, v); err != nil {
					return err
				}
				l := librarian.New(librarian.Options{
					Books: v.Books(), Kind: v.Index, Engine: teacher, Teacher: o.engine, Level: o.level, Reached: reached, Threads: threads, Limit: o.limit,
					Games: games,
				})
				return runLibrarian(cmd.Context(), a, v, l, minutes)
			})
		},
	}
	o.bookOptions.register(a, cmd)
	f := cmd.Flags()
	o.teacher(f)
	f.IntVar(&o.level, "level", librarian.UsualLevel, "how deep to search, in plies")
	f.IntVar(&reached, "games", librarian.UsualGames, "how many games a position needs")
	f.IntVar(&o.threads, "threads", runtime.NumCPU(), "searches at a time")
	f.IntVar(&o.limit, "limit", 0, "search so many positions at most (0: all)")
	f.Float64Var(&minutes, "minutes", 0, "stop after so many minutes (0: when all is done)")
	return cmd
}

// measured refuses games in which nobody knows how wrong the engine of the program is:
// its values would stand in the book as if they were worth something.
func measured(a *cli.App, v *volume) error {
	e, err := a.Engine(v.Rules, engine.Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	if info := e.Info(); info.Points {
		return cli.Usagef("the engine of this program knows no plies in %s, which a book counts in: name another one with --engine (see qipu engines)", v.Rules.Info().Titles.En)
	} else if !review.OpinionOf(info, false).Counts {
		return cli.Usagef("nobody has measured how wrong the engine of this program is in %s: name another one with --engine (see qipu engines)", v.Rules.Info().Titles.En)
	}
	return nil
}

// runLibrarian lets a librarian work, and tells how far it is.
func runLibrarian(ctx context.Context, a *cli.App, v *volume, l *librarian.Librarian, minutes float64) error {
	if minutes > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(minutes*float64(time.Minute)))
		defer cancel()
	}
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	counted := "positions"
	if l.State().Whole {
		counted = "games"
	}
	far := a.NewProgress(counted, 0)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	var err error
	for running := true; running; {
		select {
		case <-tick.C:
			s := l.State()
			far.Games(s.Valued, s.Total)
		case err = <-done:
			running = false
		}
	}
	far.Close()
	if err != nil {
		return err
	}
	s := l.State()
	if a.JSON {
		return a.PrintJSON(cli.Typed("learning", bookview.LearningOf(s, v.Spec)))
	}
	if s.Whole {
		fmt.Fprintf(a.Out, "the net has looked at %s; %d of %s have what it says of them\n", cli.Plural(s.Searched, "game"), s.Valued, cli.Plural(s.Total, "game"))
	} else {
		fmt.Fprintf(a.Out, "%s searched; %d of %s with %s or more are valued at level %d\n",
			cli.Plural(s.Searched, "position"), s.Valued, cli.Plural(s.Total, "position"), cli.Plural(s.Games, "game"), s.Level)
	}
	if s.Valued < s.Total {
		fmt.Fprintln(a.Err, "there is more to do: run it again to go on")
	}
	return nil
}
