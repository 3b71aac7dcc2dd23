// Package life has the commands that measure and teach judgements of life and death.
package life

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu/cli"
	"qipu/game"
	"qipu/game/weiqi/judge"
	"qipu/record"
	"qipu/sample"
	"qipu/workshop/counted"
)

// BenchCommand returns the command that measures judgements.
func BenchCommand(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how well and how fast the program does something",
		Long:  `Measure how well and how fast the program does something, and print the tables.`,
		Example: `  qipu workshop bench life --gnugo off
  qipu workshop bench life games/go-9x9-1.sgf --methods verdict --json`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(benchLifeCommand(a))
	return cmd
}

type benchLifeOptions struct {
	cli.ReadFlags
	methods         []string
	perGame, errors bool
	limit           int
	folds           int
	teach           []string
	gnugo           string
	gnugoBoards     int
}

func benchLifeCommand(a *cli.App) *cobra.Command {
	var o benchLifeOptions
	cmd := &cobra.Command{
		Use:   "life [PATH...]",
		Short: "Measure judgements of life and death in Go by counted boards",
		Long: `Judge the last boards of games of Go by every method, and compare with what is
known of them: whose every point is, which strings were dead, and the result.

PATHs are files, folders and archives. A board is known by a file X.own beside
X.sgf (rows of stones, an empty line, rows of owners), by territory marks (TB, TW)
in the last node of a record, or, of the score alone, by a result in points.
Without a PATH the four counted games of the demo set are judged.

points   whose owner is right: Black, White or nobody
groups   points in the right group: stones whose fate is right, in a group whose
         strings all share it, and other points whose owner is right
strings  that stay and are said to, or are dead and said to be
unclear  strings of which the method says itself that it is guessing
rest     the share of wrong ones among those that it is sure of
false    proofs that the board contradicts: there must be none

--folds teaches the verdict anew on the boards themselves ("folds"), each part by
the others: what it is worth on boards that it does not know, which the weights of
the program may do. Records of --teach are learnt from besides, and not measured.

On boards of IGS_31_counted what the paper of the string graph prints stands beside
it ("printed").

Where GNU Go is installed it is measured in the same run, on a few boards, since
it takes seconds for each; its time is that of its processor. Times are the best
of three, on one core.`,
		Example: `  qipu workshop bench life --gnugo off
  qipu workshop bench life games --methods verdict --errors --gnugo off
  qipu workshop bench life games/go-9x9-1.sgf --per-game --gnugo off --csv`,
		RunE: func(cmd *cobra.Command, args []string) error { return benchLife(cmd.Context(), a, &o, args) },
	}
	f := cmd.Flags()
	o.Register(f)
	f.StringSliceVar(&o.methods, "methods", nil, "methods to measure (default: all, "+strings.Join(judgeMethods(), ", ")+")")
	_ = cmd.RegisterFlagCompletionFunc("methods", cobra.FixedCompletions(judgeMethods(), cobra.ShellCompDirectiveNoFileComp))
	f.BoolVar(&o.perGame, "per-game", false, "a table of every board too")
	f.BoolVar(&o.errors, "errors", false, "list every string that is judged wrong, by kind")
	f.IntVar(&o.limit, "limit", 0, "measure on so many boards, spread over all (0: all)")
	f.IntVar(&o.folds, "folds", 0, "teach the verdict so many times, each time without a part of the boards, and measure it on that part (0: do not)")
	f.StringSliceVar(&o.teach, "teach", nil, "with --folds: files, folders and archives to learn from besides")
	f.StringVar(&o.gnugo, "gnugo", "auto", "GNU Go: auto, off, or the path of the program")
	f.IntVar(&o.gnugoBoards, "gnugo-boards", 20, "how many boards GNU Go is given (0: all)")
	return cmd
}

func judgeMethods() (names []string) {
	for _, m := range judge.Methods() {
		names = append(names, m.Name)
	}
	return names
}

func benchLife(ctx context.Context, a *cli.App, o *benchLifeOptions, paths []string) error {
	if o.limit < 0 || o.gnugoBoards < 0 {
		return cli.Usagef("--limit and --gnugo-boards: want a number of boards, 0 for all")
	}
	if o.folds < 0 || o.folds == 1 {
		return cli.Usagef("--folds=%d: want 2 or more, 0 for none", o.folds)
	}
	methods, err := counted.Judges(o.methods...)
	if err != nil {
		return cli.Usagef("--methods: %s", strings.TrimPrefix(err.Error(), "counted: "))
	}
	boards, err := countedBoards(ctx, a, &o.ReadFlags, paths)
	if err != nil {
		return err
	}
	boards = counted.Spread(boards, o.limit)
	if len(boards) == 0 {
		fmt.Fprintln(a.Err, "there is no counted board of Go in it: want records with territory marks (TB, TW), files .own beside them, or results in points")
		return cli.Silent(cli.ExitNothing)
	}
	if len(o.teach) > 0 && o.folds == 0 {
		return cli.Usagef("--teach is for --folds: say how many")
	}
	if o.folds > 0 {
		learnt := boards
		if len(o.teach) > 0 {
			more, err := countedBoards(ctx, a, &o.ReadFlags, o.teach)
			if err != nil {
				return err
			}
			learnt = slices.Concat(boards, more)
		}
		m, err := foldedVerdict(ctx, a, learnt, o.folds)
		if err != nil {
			return err
		}
		methods = append(methods, m)
	}
	other, err := GNUGo(ctx, o.gnugo)
	if err != nil {
		return err
	}
	if other != nil {
		defer other.Close()
		methods = append(methods, other.method(o.gnugoBoards))
	}
	bar := a.NewProgress("judgements", 0)
	report, err := counted.Bench(ctx, boards, counted.Options{Methods: methods, Mistakes: o.errors, Progress: bar.Games})
	bar.Close()
	if err != nil {
		return err
	}
	if len(o.methods) == 0 {
		// The baseline is wrong of everything that is dead: who wants that names it.
		report.Mistakes = slices.DeleteFunc(report.Mistakes, func(w counted.Wrong) bool { return w.Method == "fill" })
	}
	if sets, each := counted.Printed(boards); len(each) > 0 && len(o.methods) == 0 {
		methods = append(methods, counted.Method{Name: counted.PrintedMethod})
		report.Sets, report.Boards = insertRows(report.Sets, sets), insertRows(report.Boards, each)
	}
	return printBench(a, report, methods, o)
}

// insertRows puts rows behind those of the same board or set.
func insertRows(rows, more []counted.Row) []counted.Row {
	for _, row := range more {
		for i := len(rows); i > 0; i-- {
			if rows[i-1].Set == row.Set && rows[i-1].Board == row.Board {
				rows = slices.Insert(rows, i, row)
				break
			}
		}
	}
	return rows
}

// countedBoards reads the boards below paths, or those of the demo set.
func countedBoards(ctx context.Context, a *cli.App, flags *cli.ReadFlags, paths []string) ([]*counted.Board, error) {
	if len(paths) == 0 {
		return sampleBoards(a)
	}
	in, err := a.Options(flags)
	if err != nil {
		return nil, err
	}
	bar := a.NewProgress("KiB", 0)
	defer bar.Close()
	in.OnProgress = bar.Ingest
	in.OnFault = func(f *record.Fault) {
		if f.Severity == record.Rejected {
			fmt.Fprintf(a.Err, "%v: %s\n", f.Severity, cli.Printable(f.Error()))
		}
	}
	return counted.Read(ctx, in, paths...)
}

// sampleBoards returns the counted boards of the demo set.
func sampleBoards(a *cli.App) (list []*counted.Board, err error) {
	referee := record.NewReferee(a.Games)
	files := sample.Files()
	names, err := fs.Glob(files, "*.sgf")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		f := record.Detect(a.Formats, data[:min(len(data), record.SniffLen)], name)
		for g, err := range f.Read(&record.Source{Name: "games/" + name, Reader: bytes.NewReader(data), Size: int64(len(data))}) {
			if err != nil {
				continue // one file is broken on purpose
			}
			if b, err := counted.FromRecord(referee.Play(g)); err == nil && b.Labelled {
				list = append(list, b)
			}
		}
	}
	return list, nil
}

// benchRowJSON is a row of the tables as --json prints it.
type benchRowJSON struct {
	Type string `json:"type"` // "set" or "board"
	counted.Row
}

// mistakeJSON is a string that is judged wrong.
type mistakeJSON struct {
	Type    string `json:"type"` // "mistake"
	Set     string `json:"set"`
	Board   string `json:"board"`
	Method  string `json:"method"`
	String  string `json:"string"` // the point of its first stone
	Side    string `json:"side"`
	Stones  int    `json:"stones"`
	Said    string `json:"said"`
	Truth   string `json:"truth"`
	Unclear bool   `json:"unclear"`
	Proved  bool   `json:"proved"`
	Class   string `json:"class"`
}

// classJSON counts the mistakes of a method of one kind.
type classJSON struct {
	Type   string `json:"type"` // "class"
	Method string `json:"method"`
	Class  string `json:"class"`
	Number int    `json:"number"`
}

// section is a table with its title.
type section struct {
	title string
	*cli.Table
}

// printBench prints the tables: for people several, as CSV one, that of the
// mistakes, of the boards or of the sets.
func printBench(a *cli.App, r *counted.Report, methods []counted.Method, o *benchLifeOptions) error {
	list := []section{{"Points and strings", accuracyTable(r.Sets)}, {"Score against the record", scoreTable(r.Sets)}}
	if o.perGame {
		list = append(list, section{"Every board", boardTable(r.Boards, methods)})
	}
	if o.errors {
		list = append(list, section{"Strings judged wrong", mistakeTable(r)}, section{"Kinds of mistakes", classTable(r, methods)})
	}
	list = append(list, section{"Microseconds for a board", timeTable(r.Sets)})
	switch {
	case a.JSON:
		for i := range r.Sets {
			if err := a.PrintJSON(benchRowJSON{"set", r.Sets[i]}); err != nil {
				return err
			}
		}
		if o.perGame {
			for i := range r.Boards {
				if err := a.PrintJSON(benchRowJSON{"board", r.Boards[i]}); err != nil {
					return err
				}
			}
		}
		if o.errors {
			if err := a.Print(mistakeTable(r)); err != nil {
				return err
			}
			return a.Print(classTable(r, methods))
		}
		return nil
	case a.CSV && o.errors:
		return a.Print(mistakeTable(r))
	case a.CSV && o.perGame:
		return a.Print(rowTable(r.Boards))
	case a.CSV:
		return a.Print(rowTable(r.Sets))
	}
	for i, s := range list {
		if len(s.Rows) == 0 {
			continue
		}
		if i > 0 {
			fmt.Fprintln(a.Out)
		}
		fmt.Fprintf(a.Out, "%s\n\n", s.title)
		if err := a.Print(s.Table); err != nil {
			return err
		}
	}
	return nil
}

// portion writes a share, and a dash for one of nothing.
func portion(n, of, digits int) string {
	if of == 0 {
		return "-"
	}
	return strconv.FormatFloat(100*float64(n)/float64(of), 'f', digits, 64) + "%"
}

func setName(set string) string {
	if set == "" {
		return "all"
	}
	return set
}

// rowTable has all numbers of rows, one in each column.
func rowTable(rows []counted.Row) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "board", "method", "proof", "boards", "points", "points_right", "points_wrong", "groups_right",
		"strings", "strings_right", "strings_wrong", "proved", "proved_wrong", "unclear", "unclear_wrong",
		"games", "exact", "within_1", "within_2", "over_10", "winner", "median_us", "mean_us", "worst_us"}}
	for i := range rows {
		r := &rows[i]
		cells := []string{r.Set, r.Board, r.Method, strconv.FormatBool(r.Proof)}
		for _, n := range []int{r.Boards, r.Points, r.PointsRight, r.PointsWrong, r.GroupsRight,
			r.Strings, r.StringsRight, r.StringsWrong, r.Proved, r.ProvedWrong, r.Unclear, r.UnclearWrong,
			r.Scores.Games, r.Scores.Exact, r.Scores.Within1, r.Scores.Within2, r.Scores.Over10, r.Scores.Winner} {
			cells = append(cells, strconv.Itoa(n))
		}
		for _, x := range []float64{r.Time.Median, r.Time.Mean, r.Time.Worst} {
			cells = append(cells, strconv.FormatFloat(x, 'f', 1, 64))
		}
		t.Add(nil, cells...)
	}
	return t
}

func accuracyTable(rows []counted.Row) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "method", "boards", "points", "", "groups", "strings", "", "wrong", "proved", "false", "unclear", "rest"}}
	for i := range rows {
		r := &rows[i]
		if r.Boards == 0 {
			continue
		}
		wrong, of := r.ClearWrong()
		t.Add(nil, setName(r.Set), r.Method, strconv.Itoa(r.Boards),
			fmt.Sprintf("%d of %d", r.PointsRight, r.Points), portion(r.PointsRight, r.Points, 2), portion(r.GroupsRight, r.Points, 2),
			fmt.Sprintf("%d of %d", r.StringsRight, r.Strings), portion(r.StringsRight, r.Strings, 2),
			strconv.Itoa(r.StringsWrong), strconv.Itoa(r.Proved), strconv.Itoa(r.ProvedWrong),
			portion(r.Unclear, r.Strings, 2), portion(wrong, of, 2))
	}
	return t
}

func scoreTable(rows []counted.Row) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "method", "games", "exact", "within 1", "within 2", "over 10", "winner"}}
	for i := range rows {
		s := &rows[i].Scores
		if s.Games == 0 {
			continue
		}
		t.Add(nil, setName(rows[i].Set), rows[i].Method, strconv.Itoa(s.Games), portion(s.Exact, s.Games, 1), portion(s.Within1, s.Games, 1),
			portion(s.Within2, s.Games, 1), portion(s.Over10, s.Games, 1), portion(s.Winner, s.Games, 1))
	}
	return t
}

func timeTable(rows []counted.Row) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "method", "median", "mean", "worst"}}
	micro := func(x float64) string { return strconv.FormatFloat(x, 'f', 0, 64) }
	for i := range rows {
		r := &rows[i]
		if r.Time.Worst == 0 {
			continue // it is from print
		}
		t.Add(nil, setName(r.Set), r.Method, micro(r.Time.Median), micro(r.Time.Mean), micro(r.Time.Worst))
	}
	return t
}

// boardTable has a line for each board, with the points and strings that every
// method has right.
func boardTable(rows []counted.Row, methods []counted.Method) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "board", "points", "strings"}}
	for i := range methods {
		t.Columns = append(t.Columns, methods[i].Name, "groups", "strings")
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Board == rows[0].Board && rows[n].Set == rows[0].Set {
			n++
		}
		r := &rows[0]
		cells := []string{setName(r.Set), r.Board, strconv.Itoa(r.Points), strconv.Itoa(r.Strings)}
		for i := range methods {
			at := slices.IndexFunc(rows[:n], func(r counted.Row) bool { return r.Method == methods[i].Name })
			if at < 0 {
				cells = append(cells, "-", "-", "-")
				continue
			}
			cells = append(cells, strconv.Itoa(rows[at].PointsRight), strconv.Itoa(rows[at].GroupsRight), strconv.Itoa(rows[at].StringsRight))
		}
		if r.Boards > 0 {
			t.Add(nil, cells...)
		}
		rows = rows[n:]
	}
	return t
}

func mistakeTable(r *counted.Report) *cli.Table {
	t := &cli.Table{Columns: []string{"set", "board", "method", "string", "side", "stones", "said", "truth", "sure", "kind"}}
	for i := range r.Mistakes {
		m := &r.Mistakes[i]
		truth, sure := "dead", "sure"
		if !m.Said.Stays() {
			truth = "stays"
		}
		switch {
		case m.Proved:
			sure = "proved"
		case m.Unclear:
			sure = "unclear"
		}
		side := []string{"black", "white"}[m.Side]
		at := game.FormatMove(m.Rules, nil, game.Drop(m.Head), game.AnyNotation)
		t.Add(mistakeJSON{"mistake", m.Set, m.Board, m.Method, at, side, m.Stones, m.Said.String(), truth, m.Unclear, m.Proved, string(m.Class)},
			setName(m.Set), m.Board, m.Method, at, side, strconv.Itoa(m.Stones), m.Said.String(), truth, sure, string(m.Class))
	}
	return t
}

func classTable(r *counted.Report, methods []counted.Method) *cli.Table {
	t := &cli.Table{Columns: []string{"method", "kind", "strings"}}
	for i := range methods {
		for _, class := range counted.Classes {
			n := 0
			for k := range r.Mistakes {
				if m := &r.Mistakes[k]; m.Method == methods[i].Name && m.Class == class {
					n++
				}
			}
			if n > 0 {
				t.Add(classJSON{"class", methods[i].Name, string(class), n}, methods[i].Name, string(class), strconv.Itoa(n))
			}
		}
	}
	return t
}
