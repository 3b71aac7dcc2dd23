package records

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/library/fetch"
)

func fetchCommand(a *cli.App) *cobra.Command {
	var collection string
	cmd := &cobra.Command{
		Use:   "fetch SITE:USER|URL",
		Short: "Bring the games of a user of a site, or a public collection, into the library",
		Long: `Fetch records from the net into the library: lichess:USER and ogs:USER are the games
of a user of lichess.org and online-go.com, https://... is a public file or archive. It
asks one thing at a time, and waits as long as a server says. What is fetched is imported
as one batch, which "qipu undo" takes back. A run that was stopped goes on where it was,
and the next one asks for what is new since. Private addresses are not asked.`,
		Example: `  qipu fetch lichess:USER
  qipu fetch ogs:USER --collection mine
  qipu fetch https://games.example.org/all.zip`,
		Args: cli.ArgCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return fetchRecords(cmd.Context(), a, args[0], collection)
		},
	}
	cmd.Flags().StringVar(&collection, "collection", "", "put all records into this collection, made where there is none")
	_ = cmd.RegisterFlagCompletionFunc("collection", a.CompleteNames("collection"))
	return cmd
}

func fetchRecords(ctx context.Context, a *cli.App, text, collection string) (err error) {
	source, err := fetch.Parse(text)
	if wrong, ok := errors.AsType[*fetch.SourceError](err); ok {
		return cli.Usagef("%s", wrong.Why)
	}
	if err != nil {
		return err
	}
	l, err := openForImport(ctx, a, false, a.Granted(0).Bytes)
	if err != nil {
		return err
	}
	defer func() {
		if closing := l.close(ctx, a); err == nil {
			err = closing
		}
	}()
	report, err := fetch.Run(ctx, l.Records(), source, fetch.Options{Collection: collection, OnProgress: func(p fetch.Progress) {
		a.Logf("%s: %s, %d KiB", source, cli.Plural(p.Pieces, "piece"), p.Bytes>>10)
	}})
	switch {
	case errors.Is(err, fetch.ErrNothing):
		return a.Nothing("there is nothing new from %s", source)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(a.Err, "stopped: what has come is kept; run the command again to go on")
		return cli.ErrInterrupted
	case err != nil:
		return err
	}
	return a.Say(cli.Figures{{Name: "type", Value: "fetched"}, {Name: "source", Value: source.String()}, {Name: "records", Value: report.Games}, {Name: "new", Value: report.New}, {Name: "duplicates", Value: report.Duplicates}},
		"%s from %s, %d of them new: qipu undo takes them back", cli.Plural(report.Games, "record"), source, report.New)
}
