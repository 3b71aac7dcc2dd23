package records

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/ingest"
	"qipu/record"
	"qipu/view"
	"qipu/view/recordview"
)

// checked is a record as check --json prints it.
type checked struct {
	view.Source
	Line       int          `json:"line"`
	Format     string       `json:"format"`
	Encoding   string       `json:"encoding"`
	Guessed    bool         `json:"guessed"` // the encoding was
	Game       string       `json:"game"`    // as a spec; empty where it is not known
	Plies      int          `json:"plies"`
	Nodes      int          `json:"nodes"`
	Legal      bool         `json:"legal"`
	LegalPlies int          `json:"legalPlies"` // before the first that breaks the rules
	Faults     []view.Fault `json:"faults"`
}

func checkedOf(p *record.Played) checked {
	g := p.Game
	r := checked{
		Source: view.Source{File: g.Place.File, Number: g.Place.Number, Offset: g.Place.Offset}, Line: g.Place.Line,
		Format: g.Format, Encoding: g.Encoding, Guessed: g.Guessed, Game: g.Kind,
		Plies: g.Moves(), Nodes: len(g.Nodes), Legal: p.Legal(), Faults: []view.Fault{},
	}
	if g.Variant != "" {
		r.Game += ":" + g.Variant
	}
	r.LegalPlies = r.Plies
	if len(p.Marks) > 0 {
		r.LegalPlies = p.Marks[0].Number - 1
	} else if p.Start.Board == nil {
		r.LegalPlies = 0
	}
	for i := range g.Faults {
		r.Faults = append(r.Faults, recordview.FaultOf(i+1, &g.Faults[i]))
	}
	return r
}

// faultLine returns a fault as --json prints it by itself.
func faultLine(f *record.Fault) any { return cli.Typed("fault", recordview.FaultOf(1, f)) }

// counted is what became of files and records as --json prints it.
type counted struct {
	view.JobCounts
	Files      int `json:"files"`      // that were read
	Plies      int `json:"plies"`      // of all main lines
	Variations int `json:"variations"` // records with more than one line
}

func countedOf(r *ingest.Report) counted {
	return counted{
		JobCounts: view.JobCounts{
			Records: r.Games, Marked: r.Marked, Rejected: r.Rejected, Legal: r.Legal, Skipped: r.Skipped, Unchanged: r.Unchanged,
			ByFormat: r.ByFormat, ByGame: r.ByGame, ByEncoding: r.ByEncoding, ByFault: r.ByFault,
		},
		Files: r.Files, Plies: r.Moves, Variations: r.Variations,
	}
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
	o.Sink = ingest.SinkFunc(out.record)
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

// totals are what was counted, in words.
type totals []total

type total struct {
	what, name string
	n          int
}

func (list totals) table() *cli.Table {
	t := &cli.Table{Columns: []string{"total", "", "number"}}
	for _, x := range list {
		t.Add(nil, x.what, x.name, fmt.Sprint(x.n))
	}
	return t
}

// checkPrinter prints what check finds, as it is found.
type checkPrinter struct {
	app *cli.App
	all bool
	err error
}

func (c *checkPrinter) record(p *record.Played) error {
	r := checkedOf(p)
	switch {
	case c.app.JSON:
		c.err = c.app.PrintJSON(cli.Typed("record", r))
	case c.app.CSV:
		c.err = c.app.PrintRow(r.File, fmt.Sprint(r.Number), r.Format, r.Encoding, p.Game.Kind, p.Game.Variant, fmt.Sprint(r.Plies), fmt.Sprint(r.LegalPlies), fmt.Sprint(len(r.Faults)))
	case c.all:
		verdict := "legal"
		if !r.Legal {
			verdict = fmt.Sprintf("legal for %d moves", r.LegalPlies)
		}
		_, c.err = fmt.Fprintf(c.app.Out, "%s: game %d: %s, %s, %s, %d moves, %s\n",
			cli.Printable(r.File), r.Number, r.Format, r.Encoding, cmp.Or(p.Game.Kind, "unknown"), r.Plies, verdict)
	}
	return c.err
}

func (c *checkPrinter) fault(f *record.Fault) {
	switch {
	case c.err != nil:
	case c.app.JSON:
		if f.Place.Number == 0 || f.Severity == record.Rejected {
			c.err = c.app.PrintJSON(faultLine(f)) // faults of records are in their objects
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
		return c.app.PrintJSON(cli.Typed("total", countedOf(r)))
	}
	t := totals{
		{"files", "read", r.Files}, {"files", "skipped", r.Skipped}, {"records", "", r.Games}, {"records", "legal to the end", r.Legal},
		{"records", "marked", r.Marked}, {"records", "rejected", r.Rejected}, {"records", "with variations", r.Variations}, {"moves", "", r.Moves},
	}
	for _, group := range []struct {
		name   string
		counts map[string]int
	}{{"game", r.ByGame}, {"format", r.ByFormat}, {"encoding", r.ByEncoding}, {"fault", r.ByFault}} {
		names := slices.SortedFunc(maps.Keys(group.counts), func(x, y string) int {
			return cmp.Or(group.counts[y]-group.counts[x], strings.Compare(x, y))
		})
		for _, name := range names {
			t = append(t, total{group.name, name, group.counts[name]})
		}
	}
	return c.app.Print(t.table())
}
