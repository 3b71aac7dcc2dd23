// Package protocols has the commands that serve an engine to other programs.
package protocols

import (
	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/engine"
	"qipu/game"
	"qipu/library/livebook"
	"qipu/protocol"
)

// Commands returns the commands that serve an engine to other programs.
func Commands(a *cli.App) []*cobra.Command {
	return []*cobra.Command{gtpCommand(a), uciCommand(a), ucciCommand(a), gomocupCommand(a), nboardCommand(a)}
}

// served are the flags of the commands that serve an engine of any game.
type served struct {
	engines.Flags
	spec string
	book bool
}

// registerServed adds the flags. spec is the game by default.
func (o *served) registerServed(a *cli.App, cmd *cobra.Command, spec, example string) {
	f := cmd.Flags()
	f.BoolVar(&o.book, "book", false, "play from the book of the library")
	a.GameFlag(cmd, &o.spec, spec, "the game, as in "+example)
	o.Register(a, f, engine.MaxLevel, "is at most; without it as strong as it can be")
}

// bounds are the limits of thoughts that the other program sets none to.
func (o *served) bounds() engine.Limits {
	return engine.Limits{Depth: o.Depth, Time: o.Time, Threads: o.Threads}
}

// opener makes engines that are as strong as they can be, or as a level that the
// flags name.
func (o *served) opener(cmd *cobra.Command) protocol.Open {
	if cmd.Flags().Changed("level") {
		return o.player(cmd)
	}
	return o.OpenWith
}

// run has a protocol served: by an engine alone, or by the book of the library,
// too.
func (o *served) run(a *cli.App, cmd *cobra.Command, open protocol.Open, serve func(r game.Rules, open protocol.Open) error) error {
	r, err := a.Game(o.spec)
	if err == nil {
		err = o.Check()
	}
	if err != nil {
		return err
	}
	if !o.book {
		return serve(r, open)
	}
	return a.Reading(cmd.Context(), func(l *qipu.Library) error { return serve(r, o.bookish(l, open)) })
}

// player makes an engine that plays as the flags say: as a level does, or where
// a time or a depth is given, as well as it can.
func (o *served) player(cmd *cobra.Command) protocol.Open {
	return func(r game.Rules, want engine.Options) (engine.Engine, error) {
		e, err := o.OpenWith(r, want)
		if err != nil || o.Engine != "" || (o.Time > 0 || o.Depth > 0) && !cmd.Flags().Changed("level") {
			return e, err
		}
		return engine.AtLevel(e, o.Level), nil
	}
}

// bookish makes engines that play by the book of a library first.
func (o *served) bookish(l *qipu.Library, open protocol.Open) protocol.Open {
	return func(r game.Rules, want engine.Options) (engine.Engine, error) {
		e, err := open(r, want)
		if err != nil {
			return nil, err
		}
		return engine.WithProber(e, &livebook.BookProber{Book: l.Books().Opponent(), Level: o.Level}), nil
	}
}
