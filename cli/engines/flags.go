package engines

import (
	"math"
	"runtime/debug"
	"time"

	"github.com/spf13/pflag"

	"qipu/cli"
	"qipu/engine"
	"qipu/game"
	"qipu/library"
)

// Flags are the flags of every command that has an engine think.
type Flags struct {
	Engine                string // of the owner; empty for the one of this program
	Level, Depth, Threads int
	Time                  time.Duration
	Hash                  int // megabytes
	make                  library.EngineMaker
}

// Register adds the flags. level is the default.
func (o *Flags) Register(a *cli.App, f *pflag.FlagSet, level int, what string) {
	o.make = a.Engine
	f.StringVar(&o.Engine, "engine", "", "another program that "+what+": one that qipu engines list shows")
	f.IntVarP(&o.Level, "level", "l", level, "how strong the engine "+what+", 1 to 12")
	f.DurationVar(&o.Time, "time", 0, "time for a move, as in 500ms or 10s (default: the work of the level)")
	f.IntVar(&o.Depth, "depth", 0, "plies that are read at most (default: those of the level)")
	f.IntVar(&o.Threads, "threads", 1, "threads that the engine uses")
	f.IntVar(&o.Hash, "hash", 0, "megabytes for what the engine remembers (default: a usual amount)")
}

// Check refuses values that make no sense.
func (o *Flags) Check() error {
	switch {
	case o.Level < engine.MinLevel || o.Level > engine.MaxLevel:
		return cli.Usagef("--level %d: the levels are %d to %d", o.Level, engine.MinLevel, engine.MaxLevel)
	case o.Depth < 0:
		return cli.Usagef("--depth %d: want a number of plies", o.Depth)
	case o.Time < 0:
		return cli.Usagef("--time %v: want a time, as in 500ms", o.Time)
	case o.Threads < 1 || o.Threads > 256:
		return cli.Usagef("--threads %d: want 1 to 256", o.Threads)
	case o.Hash < 0 || o.Hash > 1<<20:
		return cli.Usagef("--hash %d: want a number of megabytes", o.Hash)
	}
	return nil
}

// Open makes an engine for a game as the flags say.
func (o *Flags) Open(r game.Rules) (engine.Engine, error) {
	return o.OpenWith(r, engine.Options{})
}

// OpenWith makes an engine for a game. What it remembers is far more than the
// program needs otherwise: the bound of memory, which is there for imports, is
// lifted. What the options do not say the flags do.
func (o *Flags) OpenWith(r game.Rules, want engine.Options) (engine.Engine, error) {
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(100)
	if want.Hash == 0 {
		want.Hash = int64(o.Hash) << 20
	}
	if want.Threads == 0 {
		want.Threads = o.Threads
	}
	want.Name = o.Engine
	return o.make(r, want)
}

// Limits are those of the flags: of a level of the engine where neither time nor depth is
// given, else these. Engines of others know no levels: they have limits of their own.
func (o *Flags) Limits(info engine.Info) engine.Limits {
	l := engine.Limits{Depth: o.Depth, Time: o.Time}
	if l == (engine.Limits{}) && o.Engine == "" {
		l = engine.Judging(info, o.Level)
	}
	if l.Threads = o.Threads; o.Engine != "" && o.Threads == 1 {
		l.Threads = 0 // as its owner has said
	}
	return l
}
