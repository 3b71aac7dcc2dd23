package protocols

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/engines"
	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/play"
	"qipu/protocol/nboard"
	"qipu/record"
	"qipu/record/ggf"
	"qipu/view/gameview"
)

func nboardCommand(a *cli.App) *cobra.Command {
	var o engines.Flags
	var ponder, learn bool
	cmd := &cobra.Command{
		Use:   "nboard",
		Short: "Play Othello with programs that speak the protocol of NBoard",
		Long: `Serve the Othello engine to NBoard and other programs that speak its protocol, on
standard input and output. The other program sets the depth; --depth is what counts
until then.

With --learn, games that the other program wants to be learnt are added to the
library, and so to the book. The library must be there: qipu import makes one.`,
		Example: `  echo go | qipu nboard --depth 6
  echo hint 3 | qipu nboard --depth 4`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.Check(); err != nil {
				return err
			}
			n := nboard.Server{
				Rules: othello.Standard, Open: o.OpenWith, Format: ggf.Format, Games: a.Games, Name: "Qipu", Ponder: ponder,
				Limits: o.Limits(engine.Info{}), // of the usual levels
			}
			if learn {
				n.Learn = func(ctx context.Context, t *engine.Task) error { return learnGame(ctx, a, t) }
			}
			return n.Serve(cmd.Context(), a.In, a.Out)
		},
	}
	o.Register(a, cmd.Flags(), engine.MaxLevel, "is")
	cmd.Flags().BoolVar(&learn, "learn", false, "add games that are to be learnt to the library")
	cmd.Flags().BoolVar(&ponder, "ponder", false, "think while nothing else is to be done; of use with --time, or more than one of --threads")
	return cmd
}

// learnGame adds a game to the library. That is open no longer than this takes:
// others may write to it, while a session goes on for hours.
func learnGame(ctx context.Context, a *cli.App, t *engine.Task) error {
	if len(t.Moves) == 0 {
		return errors.New("there is no move to learn")
	}
	now := time.Now()
	set := play.Settings{Game: gameview.RulesSpec(t.Rules), Players: [2]play.Player{{Name: "Black"}, {Name: "White"}}}
	if t.Start != nil {
		set.Start = string(game.AppendSetup(nil, t.Rules, *t.Start))
	}
	s, err := play.New(t.Rules, nil, set, nil, now)
	if err != nil {
		return err
	}
	for n, _ := s.Len(); n < len(t.Moves); n, _ = s.Len() { // forced passes come by themselves
		if err := s.Play(t.Moves[n], play.By{}, now); err != nil {
			return fmt.Errorf("move %d: %w", n+1, err)
		}
	}
	g := s.Record(now.Unix())
	// It was not played here, nor is anything known of who played, or when: the
	// same moves are the same game.
	unknown := new(record.Game).Facts
	g.Facts.Event, g.Facts.Round, g.Facts.Players, g.Facts.Date = "NBoard", "", unknown.Players, unknown.Date
	g.Place = record.Place{File: "nboard"}
	g.Nodes[0].Extra = nil
	referee := record.NewReferee(a.Games)
	referee.Trace = true
	return a.Writing(ctx, "qipu nboard", func(l *qipu.Library) error {
		_, err := l.Records().Add(ctx, referee.Play(g))
		return err
	})
}
