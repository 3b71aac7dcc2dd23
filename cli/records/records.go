package records

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/ingest"
	"qipu/record"
)

// recordJSON is a record as check --json prints it.
type recordJSON struct {
	Type       string      `json:"type"` // "record"
	File       string      `json:"file"`
	Number     int         `json:"number"`
	Offset     int64       `json:"offset"`
	Line       int         `json:"line"`
	Format     string      `json:"format"`
	Encoding   string      `json:"encoding"`
	Guessed    bool        `json:"encoding_guessed"`
	Game       string      `json:"game"`
	Variant    string      `json:"variant"`
	Moves      int         `json:"moves"`
	Nodes      int         `json:"nodes"`
	Legal      bool        `json:"legal"`
	LegalMoves int         `json:"legal_moves"` // moves before the first one that breaks the rules
	Faults     []faultJSON `json:"faults"`
}

// faultJSON is a fault as check --json prints it.
type faultJSON struct {
	Type     string `json:"type"` // "fault"
	Severity string `json:"severity"`
	Kind     string `json:"kind"`
	File     string `json:"file"`
	Offset   int64  `json:"offset"`
	Line     int    `json:"line"`
	Number   int    `json:"number"`
	Move     int    `json:"move"`
	Reason   string `json:"reason"`
}

func describeFault(f *record.Fault) faultJSON {
	return faultJSON{"fault", f.Severity.String(), f.Kind, f.Place.File, f.Place.Offset, f.Place.Line, f.Place.Number, f.Move, f.Reason}
}

func describeRecord(p *record.Played) recordJSON {
	g := p.Game
	r := recordJSON{
		Type: "record", File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset, Line: g.Place.Line,
		Format: g.Format, Encoding: g.Encoding, Guessed: g.Guessed, Game: g.Kind, Variant: g.Variant,
		Moves: g.Moves(), Nodes: len(g.Nodes), Legal: p.Legal(), Faults: []faultJSON{},
	}
	r.LegalMoves = r.Moves
	if len(p.Marks) > 0 {
		r.LegalMoves = p.Marks[0].Number - 1
	} else if p.Start.Board == nil {
		r.LegalMoves = 0
	}
	for i := range g.Faults {
		r.Faults = append(r.Faults, describeFault(&g.Faults[i]))
	}
	return r
}

func checkCommand(a *cli.App) *cobra.Command {
	var flags cli.ReadFlags
	var all, score bool
	cmd := &cobra.Command{
		Use:   "check PATH...",
		Short: "Read records and say what is in them and what is wrong with them",
		Long: `Read every record below the paths (files, folders, archives, "-" for standard
input), play it out by the rules of its game, and say what is wrong: file, line,
game, move, reason. Totals follow. Nothing is written.

With --score, games of Go that were counted are judged instead, as "qipu judge"
does, under the rules, komi and handicap of the record, and those are listed whose
recorded result differs: recorded, judged, strings that are unclear, and other
ways to count by which the record would be right. Where the rules are not named it
says whether area or territory is nearer. Only games that end by two passes, or
with territory marks, are held against their results; --all lists the others too.

Exit code 3 if anything is wrong with any record; 1 if there is no record at all,
or with --score none that was counted.`,
		Example: `  qipu check games/xiangqi-big5.pgn games/othello.wtb
  qipu check games/go-9x9-1.sgf --json
  qipu check --score games/go-9x9-1.sgf
  echo (;GM[1]SZ[9];B[ee];W[gc]) | qipu check - --all`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%s: PATH is missing", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if score {
				return checkScores(cmd.Context(), a, &flags, all, args)
			}
			return check(cmd.Context(), a, &flags, all, args)
		},
	}
	flags.Register(cmd.Flags())
	cmd.Flags().BoolVar(&all, "all", false, "list every record and every note, not only what is wrong")
	cmd.Flags().BoolVar(&score, "score", false, "judge games of Go that were counted, and list results that differ")
	return cmd
}

func check(ctx context.Context, a *cli.App, flags *cli.ReadFlags, all bool, paths []string) error {
	o, err := a.Options(flags)
	if err != nil {
		return err
	}
	o.Variations = true
	out := &checkPrinter{app: a, all: all}
	if a.CSV {
		out.err = a.PrintRow("file", "number", "format", "encoding", "game", "variant", "moves", "legal_moves", "faults")
	}
	o.Sink = cli.SinkFunc(out.record)
	o.OnFault = out.fault
	report, err := a.Ingest(ctx, o, paths)
	if err == nil {
		err = out.err
	}
	if err != nil {
		return err
	}
	if err := out.totals(report); err != nil {
		return err
	}
	switch {
	case report.Rejected > 0 || report.Marked > 0:
		return cli.Silent(cli.ExitData)
	case report.Games == 0:
		return cli.Silent(cli.ExitNothing)
	}
	return nil
}

// checkPrinter prints what check finds, as it is found.
type checkPrinter struct {
	app *cli.App
	all bool
	err error
}

func (c *checkPrinter) record(p *record.Played) error {
	switch {
	case c.app.JSON:
		c.err = c.app.PrintJSON(describeRecord(p))
	case c.app.CSV:
		r := describeRecord(p)
		c.err = c.app.PrintRow(r.File, fmt.Sprint(r.Number), r.Format, r.Encoding, r.Game, r.Variant, fmt.Sprint(r.Moves), fmt.Sprint(r.LegalMoves), fmt.Sprint(len(r.Faults)))
	case c.all:
		r := describeRecord(p)
		verdict := "legal"
		if !r.Legal {
			verdict = fmt.Sprintf("legal for %d moves", r.LegalMoves)
		}
		_, c.err = fmt.Fprintf(c.app.Out, "%s: game %d: %s, %s, %s, %d moves, %s\n", cli.Printable(r.File), r.Number, r.Format, r.Encoding, orUnknown(r.Game), r.Moves, verdict)
	}
	return c.err
}

func orUnknown(text string) string {
	if text == "" {
		return "unknown"
	}
	return text
}

func (c *checkPrinter) fault(f *record.Fault) {
	switch {
	case c.err != nil:
	case c.app.JSON:
		if f.Place.Number == 0 || f.Severity == record.Rejected {
			c.err = c.app.PrintJSON(describeFault(f)) // faults of records are in their objects
		}
	case c.app.CSV:
	case c.all || f.Severity != record.Note:
		_, c.err = fmt.Fprintf(c.app.Out, "%v: %s\n", f.Severity, cli.Printable(f.Error()))
	}
}

func (c *checkPrinter) totals(r *ingest.Report) error {
	if c.app.CSV {
		return nil
	}
	if c.app.JSON {
		return c.app.PrintJSON(struct {
			Type string `json:"type"`
			*ingest.Report
		}{"total", r})
	}
	t := &cli.Table{Columns: []string{"total", "", "number"}}
	row := func(what, name string, n int) { t.Add(nil, what, name, fmt.Sprint(n)) }
	row("files", "read", r.Files)
	row("files", "skipped", r.Skipped)
	row("records", "", r.Games)
	row("records", "legal to the end", r.Legal)
	row("records", "marked", r.Marked)
	row("records", "rejected", r.Rejected)
	row("records", "with variations", r.Variations)
	row("moves", "", r.Moves)
	for _, group := range []struct {
		name   string
		counts map[string]int
	}{{"game", r.ByGame}, {"format", r.ByFormat}, {"encoding", r.ByEncoding}, {"fault", r.ByFault}} {
		var names []string
		for name := range group.counts {
			names = append(names, name)
		}
		slices.SortFunc(names, func(x, y string) int {
			if d := group.counts[y] - group.counts[x]; d != 0 {
				return d
			}
			return strings.Compare(x, y)
		})
		for _, name := range names {
			row(group.name, name, group.counts[name])
		}
	}
	return c.app.Print(t)
}
