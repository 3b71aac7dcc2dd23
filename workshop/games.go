package workshop

import (
	"context"
	"errors"
	"iter"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/library/ask"
	"qipu/record"
	"qipu/retrieve"
	"qipu/workshop/counted"
	"qipu/workshop/mine"
)

// goGames are the flags that choose games of Go: of the library, or of files.
type goGames struct {
	app   *cli.App
	files []string
	read  cli.ReadFlags
	most  int

	failed error // what ended the games, where somebody else was given it
}

func (o *goGames) register(cmd *cobra.Command, most int) {
	cmd.Flags().StringArrayVar(&o.files, "files", nil, "read games from this file, folder or archive, and not from the library; may be repeated")
	cmd.Flags().IntVar(&o.most, "games", most, "games to look at, spread over all (0: all)")
	o.read.Register(cmd.Flags())
}

// errEnough ends the reading of files.
var errEnough = errors.New("enough")

// each gives every game of Go that a query finds, or of the files, to a function.
func (o *goGames) each(ctx context.Context, query string, do func(*record.Played) bool) error {
	if o.most < 0 {
		return cli.Usagef("--games %d: want a number of games, or 0 for all", o.most)
	}
	if len(o.files) > 0 {
		if query != "" {
			return cli.Usagef("a query asks the library: leave out --files, or import them first")
		}
		from, err := o.app.Options(&o.read)
		if err != nil {
			return err
		}
		left := o.most
		from.Sink = cli.SinkFunc(func(p *record.Played) error {
			if !do(p) {
				return errEnough
			}
			if left--; left == 0 {
				return errEnough
			}
			return nil
		})
		_, err = o.app.Ingest(ctx, from, o.files)
		if errors.Is(err, errEnough) {
			err = nil
		}
		return err
	}
	if query == "" {
		query = "all"
	}
	return o.app.Reading(ctx, func(l *qipu.Library) error {
		reply, err := o.app.Found(ctx, l, &ask.Question{Text: query, Game: "go", Request: retrieve.Request{Limit: 1, NoContinuations: true}})
		if err != nil {
			return err
		}
		ids := reply.Found.ToArray()
		return o.app.PlayStored(ctx, l, counted.Spread(ids, o.most), do)
	})
}

// mined yields the games for package mine.
func (o *goGames) mined(ctx context.Context, query string) iter.Seq2[mine.Game, error] {
	return func(yield func(mine.Game, error) bool) {
		stopped := false
		err := o.each(ctx, query, func(p *record.Played) bool {
			if g, ok := mine.FromRecord(p, ""); ok {
				stopped = !yield(g, nil)
			}
			return !stopped
		})
		if err != nil && !stopped {
			o.failed = err
			yield(mine.Game{}, err)
		}
	}
}
