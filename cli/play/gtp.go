package play

import (
	"math"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"qipu"
	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/library"
	"qipu/library/livebook"
	"qipu/protocol"
	"qipu/protocol/gtp"
)

// engineFlags are the flags of every command that has an engine think.
type engineFlags struct {
	engine                string // of the owner; empty for the one of this program
	level, depth, threads int
	time                  time.Duration
	hash                  int // megabytes
	make                  library.EngineMaker
}

// register adds the flags. level is the default.
func (o *engineFlags) register(a *cli.App, f *pflag.FlagSet, level int, what string) {
	o.make = a.Engine
	f.StringVar(&o.engine, "engine", "", "another program that "+what+": one that qipu engines list shows")
	f.IntVarP(&o.level, "level", "l", level, "how strong the engine "+what+", 1 to 12")
	f.DurationVar(&o.time, "time", 0, "time for a move, as in 500ms or 10s (default: the work of the level)")
	f.IntVar(&o.depth, "depth", 0, "plies that are read at most (default: those of the level)")
	f.IntVar(&o.threads, "threads", 1, "threads that the engine uses")
	f.IntVar(&o.hash, "hash", 0, "megabytes for what the engine remembers (default: a usual amount)")
}

// check refuses values that make no sense.
func (o *engineFlags) check() error {
	switch {
	case o.level < engine.MinLevel || o.level > engine.MaxLevel:
		return cli.Usagef("--level %d: the levels are %d to %d", o.level, engine.MinLevel, engine.MaxLevel)
	case o.depth < 0:
		return cli.Usagef("--depth %d: want a number of plies", o.depth)
	case o.time < 0:
		return cli.Usagef("--time %v: want a time, as in 500ms", o.time)
	case o.threads < 1 || o.threads > 256:
		return cli.Usagef("--threads %d: want 1 to 256", o.threads)
	case o.hash < 0 || o.hash > 1<<20:
		return cli.Usagef("--hash %d: want a number of megabytes", o.hash)
	}
	return nil
}

// open makes an engine for a game as the flags say.
func (o *engineFlags) open(r game.Rules) (engine.Engine, error) {
	return o.openWith(r, engine.Options{})
}

// openWith makes an engine for a game. What it remembers is far more than the
// program needs otherwise: the bound of memory, which is there for imports, is
// lifted. What the options do not say the flags do.
func (o *engineFlags) openWith(r game.Rules, want engine.Options) (engine.Engine, error) {
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(100)
	if want.Hash == 0 {
		want.Hash = int64(o.hash) << 20
	}
	if want.Threads == 0 {
		want.Threads = o.threads
	}
	want.Name = o.engine
	return o.make(r, want)
}

// limits are those of the flags: of a level where neither time nor depth is
// given, else these. Engines of others know no levels: they have limits of their own.
func (o *engineFlags) limits() engine.Limits {
	l := engine.Limits{Depth: o.depth, Time: o.time}
	if l == (engine.Limits{}) && o.engine == "" {
		l = engine.LevelOf(o.level).Limits
		l.Multi = 0
	}
	if l.Threads = o.threads; o.engine != "" && o.threads == 1 {
		l.Threads = 0 // as its owner has said
	}
	return l
}

// player makes an engine that plays as the flags say: as a level does, or where
// a time or a depth is given, as well as it can.
func (o *engineFlags) player(cmd *cobra.Command) protocol.Open {
	return func(r game.Rules, want engine.Options) (engine.Engine, error) {
		e, err := o.openWith(r, want)
		if err != nil || o.engine != "" || (o.time > 0 || o.depth > 0) && !cmd.Flags().Changed("level") {
			return e, err
		}
		return engine.AtLevel(e, o.level), nil
	}
}

// bookish makes engines that play by the book of a library first.
func (o *engineFlags) bookish(l *qipu.Library, open protocol.Open) protocol.Open {
	return func(r game.Rules, want engine.Options) (engine.Engine, error) {
		e, err := open(r, want)
		if err != nil {
			return nil, err
		}
		return engine.WithProber(e, &livebook.BookProber{Book: l.Books().Opponent(), Level: o.level}), nil
	}
}

func gtpCommand(a *cli.App) *cobra.Command {
	var o engineFlags
	var spec string
	var book bool
	cmd := &cobra.Command{
		Use:   "gtp",
		Short: "Play with programs that speak GTP",
		Long: `Serve the engine to other programs by the Go Text Protocol, version 2, on standard
input and output. It plays every game, not only Go: --game chooses one, and so does
the command set_game.

Othello has rank 1 at the top, and a pass only where it is forced; Renju and Gomoku
have the points of Go; Xiangqi has moves as h2e2, and the colours r and b.

With --book the engine plays from the book of the library as far as its level knows
it by heart, and thinks then.

list_commands tells all commands. lz-analyze, kata-analyze and qipu-analyze tell what
the engine thinks until the next line comes, and lz-genmove_analyze and
kata-genmove_analyze while it chooses a move; a line "# interrupt" ends a thought.`,
		Example: `  echo genmove black | qipu gtp --game othello --level 8
  echo genmove black | qipu gtp --game othello --level 12 --book
  echo showboard | qipu gtp --game go:9x9 --time 1s`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if spec == "" {
				return cli.Usagef("%s: --game is missing: name one, as in --game othello", cmd.CommandPath())
			}
			r, err := a.Game(spec)
			if err == nil {
				err = o.check()
			}
			if err != nil {
				return err
			}
			g := gtp.Server{
				Rules: r, Open: o.player(cmd), Games: a.Games, Formats: a.Formats, Settlers: a.Settlers, Name: "Qipu", Version: qipu.Version,
				Limits: engine.Limits{Depth: o.depth, Time: o.time, Threads: o.threads},
			}
			if !book {
				return g.Serve(cmd.Context(), a.In, a.Out)
			}
			return a.Reading(cmd.Context(), func(l *qipu.Library) error {
				g.Open = o.bookish(l, g.Open)
				return g.Serve(cmd.Context(), a.In, a.Out)
			})
		},
	}
	cmd.Flags().BoolVar(&book, "book", false, "play from the book of the library")
	a.GameFlag(cmd, &spec, "", "the game, as in othello or go:9x9")
	o.register(a, cmd.Flags(), engine.MaxLevel, "is")
	return cmd
}
