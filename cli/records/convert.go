package records

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/cli/convert"
	"qipu/record"
)

func convertCommand(a *cli.App) *cobra.Command {
	var flags cli.ReadFlags
	var o convert.Options
	var force bool
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write records in another format",
		Long: `Read records (a file, a folder, an archive, "-" for standard input) and write them
in another format, which --to or the extension of OUT tells. OUT may be "-" for
standard output, or a folder (with a slash at its end), which gets one file a record.

Moves are translated into the notation of the format. What a format cannot hold
is said, and the record is left out: nothing is lost silently. A file that is there
already is not written over without --force.`,
		Example: `  qipu convert games/xiangqi-big5.pgn game.xqf
  qipu convert games pgn/ --to pgn --game xiangqi --notation wxf
  echo f5d6c3d3c4 | qipu convert - - --to ggf`,
		Args: cli.ArgCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Keep = !force
			return convertRecords(cmd.Context(), a, &flags, &o, args[0], args[1])
		},
	}
	f := cmd.Flags()
	flags.Register(f)
	f.StringVar(&o.To, "to", "", "format to write: "+strings.Join(convert.Writable(a), ", "))
	f.StringVar(&o.Game, "game", "", "only records of this game")
	f.StringVar(&o.Notation, "notation", "", "notation of the moves, where the format takes several")
	f.BoolVar(&o.Skip, "skip", false, "do not count what the format cannot hold as an error")
	f.BoolVar(&force, "force", false, "write over files that are there already")
	f.BoolVar(&o.DryRun, "dry-run", false, "say what would be written, and write nothing")
	return cmd
}

func convertRecords(ctx context.Context, a *cli.App, flags *cli.ReadFlags, o *convert.Options, in, out string) error {
	format, err := convert.Target(a, o, out)
	if err != nil {
		return err
	}
	c := &convert.Converter{App: a, Format: format, Options: o}
	if o.Game != "" {
		r, err := a.Game(o.Game)
		if err != nil {
			return err
		}
		c.Kind = r.Info().Name
	}
	var dest convert.Destination
	switch {
	case o.DryRun:
		dest = &convert.Single{Converter: c, Out: io.Discard}
	case out == "-":
		if _, ok := format.(record.SetWriter); ok {
			return cli.Usagef("%s needs several files: give a file name, not -", format.Info().Title)
		}
		dest = &convert.Single{Converter: c, Out: a.Out}
	case strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) || convert.IsFolder(out):
		dest = &convert.Folder{Converter: c, Dir: out}
	default:
		dest = &convert.Single{Converter: c, Path: out}
	}
	options, err := a.Options(flags)
	if err != nil {
		return err
	}
	report, err := c.Run(ctx, options, in, dest)
	if err != nil {
		return err
	}
	if keeps := format.Info().Keeps; keeps != "" && c.Foreign {
		fmt.Fprintf(a.Err, "note: %s keeps only %s\n", format.Info().Title, keeps)
	}
	fmt.Fprintf(a.Err, "%d records written, %d left out, %d could not be read\n", c.Written, c.Left, report.Rejected)
	switch {
	case report.Rejected > 0 || c.Left > 0 && !o.Skip:
		return cli.Silent(cli.ExitData)
	case c.Written == 0:
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}
