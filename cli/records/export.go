package records

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/cli/convert"
	"qipu/library"
	"qipu/record"
	"qipu/retrieve"
	"qipu/store"
)

type exportOptions struct {
	cli.Choice
	convert.TreeOptions
	output, to, library string
	game, sort          string
	limit               int
	tree, force, dryRun bool
	edited              bool
}

func exportCommand(a *cli.App) *cobra.Command {
	var o exportOptions
	cmd := &cobra.Command{
		Use:   "export [QUERY|ID...] [OUT]",
		Short: "Write games of the library as files, as a table, or as a library",
		Long: `Write the games that a query finds, or those with some numbers, those of a
collection (--collection), or --all. OUT, or --output, tells what becomes of them:

  copies/      a folder gets one file a game, named by the number of the game and
               the file that it came from, with the bytes of the game as its
               writer left them. Where these are no file by themselves (a record
               of WTHOR, a part of an XML document), or were not kept, the game is
               written by its format, or in another one that can hold it, and that
               is said. --to has all games written in one format.
  games.sgf    a file of a format that can be written, or --to with "-" for
               standard output, gets all games; moves are translated where need be
  games.csv    a table gets a row a game, with all that is known of it, how often
               the board of the query occurs in it, and at which ply first; where
               the query is fuzzy, how like the board is, and in what it differs

--to-library makes a new library in a folder, with the records as they were read,
their sources, and the collections and tags of the games. --tree writes no games:
it writes the moves behind the board of the query as one record with variations,
a dictionary, in which every node tells how many games went there and how.

What a format cannot hold is said, and left out. A file that is there already is
not overwritten without --force. Exit code 3 if any game could not be written.`,
		Example: `  qipu export 1 2 --output copies
  qipu export game:othello othello.sgf
  qipu export "player:alpha moves>40" alpha.csv
  qipu export game:othello newest.sgf --sort date --limit 2
  qipu export --collection masters --output copies --force
  qipu export game:go --to-library go-library
  qipu export "game:go:9x9 position:'F6 C6'" opening.sgf --tree --min 1
  qipu export --all --output everything --dry-run`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.read(a, cmd, args); err != nil {
				return err
			}
			return export(cmd.Context(), a, &o)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, last string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 { // where to write to
				return nil, cobra.ShellCompDirectiveDefault
			}
			return a.CompleteQuery(cmd, nil, last)
		},
	}
	f := cmd.Flags()
	o.Choice.Register(a, cmd, "export")
	o.RegisterCollection(a, cmd, "export")
	f.BoolVar(&o.All, "all", false, "export all games")
	f.StringVar(&o.output, "output", ".", "the same as OUT: a folder, made where there is none, or a file")
	f.StringVar(&o.to, "to", "", "format to write: csv, "+strings.Join(convert.Writable(a), ", "))
	f.StringVar(&o.library, "to-library", "", "folder of a new library for the games")
	f.BoolVar(&o.tree, "tree", false, "write the moves behind the board of the query as one record with variations")
	o.TreeOptions.Register(f)
	a.TakesGame(cmd, &o.game)
	cli.Enum(cmd, &o.sort, "sort", "", "order of the games that a query finds, as that of qipu find", retrieve.Orders()...)
	f.IntVar(&o.limit, "limit", 0, "only so many of the games that a query finds (0: all)")
	f.BoolVar(&o.edited, "edited", false, "write headers as they were corrected (else as they came, and that is said)")
	f.BoolVar(&o.force, "force", false, "overwrite files that are there; with --to-library: add to a library that is there")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be written, and write nothing")
	return cmd
}

// read takes the arguments apart: numbers of games, or a query, and then where
// to write to.
func (o *exportOptions) read(a *cli.App, cmd *cobra.Command, args []string) error {
	const ways = ", a query, --collection or --all"
	var ids []string
	chosen := o.Query != "" || o.Collection != "" || o.All
	isNumber := func(arg string) bool {
		_, err := strconv.ParseUint(arg, 10, 32)
		return err == nil || arg == "-" && len(ids) == 0 && !chosen // else it is where to write to
	}
	for len(args) > 0 && isNumber(args[0]) {
		ids, args = append(ids, args[0]), args[1:]
	}
	if !chosen && len(ids) == 0 && len(args) > 0 {
		o.Query, args = args[0], args[1:]
		if o.Query == "" {
			return cli.Usagef("which games? Give either their numbers%s", ways)
		}
	}
	switch {
	case len(args) > 1:
		return cli.Usagef("%s: unexpected argument %q: put a query of several words in quotes", cmd.CommandPath(), args[1])
	case len(args) == 1 && cmd.Flags().Changed("output"):
		return cli.Usagef("where to? Give either %s or --output %s", args[0], o.output)
	case len(args) == 1:
		o.output = args[0]
	}
	if err := o.Take(a, ids, ways); err != nil {
		return err
	}
	named := len(args) == 1 || cmd.Flags().Changed("output")
	switch {
	case o.library != "" && (named || o.to != "" || o.tree):
		return cli.Usagef("--to-library takes the games: leave out --to, --tree and where else to write them")
	case o.tree && o.Query == "":
		return cli.Usagef("--tree is about a query with a board: give one")
	case o.tree && !named:
		return cli.Usagef("--tree: where to? Give a file, such as tree.sgf")
	case (o.game != "" || o.sort != "" || o.limit != 0) && o.Query == "":
		return cli.Usagef("--game, --sort and --limit are for a query: numbers, --collection and --all tell the games themselves")
	case o.limit < 0:
		return cli.Usagef("--limit %d: want a number of games, or 0 for all", o.limit)
	case o.Query != "" && !named && o.library == "":
		return cli.Usagef("where to? Give a file or a folder behind the query, as in games.sgf, games.csv or games/")
	case o.output == "-" && (a.JSON || a.CSV):
		return cli.Usagef("--json and --csv tell about files: leave them out where the games go to standard output")
	}
	return o.TreeOptions.Check(cmd.Flags(), o.tree)
}

func export(ctx context.Context, a *cli.App, o *exportOptions) error {
	if o.tree {
		return exportTree(ctx, a, o)
	}
	write, err := exportTo(a, o)
	if err != nil {
		return err
	}
	return a.Reading(ctx, func(l *qipu.Library) error {
		e := &exporter{app: a, options: o, library: l, converted: map[string]int{}, refused: map[string][]uint32{}, referee: record.NewReferee(a.Games)}
		ids, err := e.choose(ctx)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return a.Nothing("there are no games to write")
		}
		e.bar = a.NewProgress("games", len(ids))
		err = write(e, ctx, ids)
		e.bar.Close()
		if err != nil {
			return err
		}
		return e.totals()
	})
}

// exportTo returns what writes the games to where they shall go.
func exportTo(a *cli.App, o *exportOptions) (func(*exporter, context.Context, []uint32) error, error) {
	out, ext := o.output, strings.ToLower(filepath.Ext(o.output))
	folder := out != "-" && (strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) || convert.IsFolder(out) || ext == "" && o.to != "csv")
	switch {
	case o.library != "":
		return (*exporter).intoLibrary, nil
	case folder && o.to == "":
		return (*exporter).intoFolder, nil
	case folder && o.to == "csv":
		return nil, cli.Usagef("a table is one file: give its name, such as %s", filepath.Join(out, "games.csv"))
	case o.to == "csv" || o.to == "" && ext == ".csv":
		return (*exporter).intoTable, nil
	}
	format, err := convert.Target(a, &convert.Options{To: o.to}, out)
	if err != nil {
		return nil, err
	}
	if _, ok := format.(record.SetWriter); ok && out == "-" {
		return nil, cli.Usagef("%s needs several files: give a file name, not -", format.Info().Title)
	}
	if folder {
		return func(e *exporter, ctx context.Context, ids []uint32) error {
			e.only = format
			return e.intoFolder(ctx, ids)
		}, nil
	}
	return func(e *exporter, ctx context.Context, ids []uint32) error { return e.intoFile(ctx, ids, format) }, nil
}

// exportTree writes the moves behind the board of the query.
func exportTree(ctx context.Context, a *cli.App, o *exportOptions) error {
	w, err := convert.NewTreeWriter(a, o.output, o.to, o.force || o.dryRun)
	if err != nil {
		return err
	}
	q, err := a.Question(o.Query, o.game, retrieve.Request{Depth: o.Depth, Limit: 1})
	if err != nil {
		return err
	}
	return a.Reading(ctx, func(l *qipu.Library) error {
		reply, err := a.Found(ctx, l, q)
		if err != nil {
			return err
		}
		shape := retrieve.Anchor(reply.Bound)
		if shape == nil {
			return cli.Usagef("%w", convert.ErrNoTree)
		}
		moves, err := w.Write(reply.Kinds[0], shape, reply.Tree, o.Least, o.dryRun)
		if err != nil {
			return err
		}
		if moves == 0 {
			return convert.NoMoves(a, reply.Games, o.Least)
		}
		verb := "written to"
		if o.dryRun {
			verb = "would be written to"
		}
		told := *a
		if o.output == "-" {
			told.Out = a.Err
		}
		return told.Say(cli.Figures{{Name: "type", Value: "tree"}, {Name: "games", Value: reply.Games}, {Name: "moves", Value: moves}, {Name: "depth", Value: o.Depth}, {Name: "file", Value: o.output}, {Name: "dryRun", Value: o.dryRun}},
			"%s of %s %s %s", cli.Plural(moves, "move"), cli.Plural(reply.Games, "game"), verb, o.output)
	})
}

// exporter writes games.
type exporter struct {
	app     *cli.App
	options *exportOptions
	library *qipu.Library
	referee *record.Referee
	bar     *cli.Progress
	only    record.Format // that games are written in; nil for their own

	rows          map[uint32]*retrieve.Row // of the query, for a table
	frame         *cli.Frame               // of boards that are like that of the query
	written, left int
	refused       map[string][]uint32 // games that are left out, by the reason
	reasons       []string            // in their order
	converted     map[string]int      // by format
	anew          string              // why games were converted
	copied        *library.Copied     // into another library
}

// exported is a file as export --json prints it.
type exported struct {
	ID       uint32 `json:"id"`
	File     string `json:"file"`
	Format   string `json:"format"`
	Original bool   `json:"original"` // the bytes are those of the source
}

// choose returns the games to write.
func (e *exporter) choose(ctx context.Context) ([]uint32, error) {
	o := e.options
	if o.All {
		ids, unlisted, err := e.library.Records().List(ctx)
		if unlisted > 0 {
			e.left += unlisted
			fmt.Fprintf(e.app.Err, "%s cannot even be listed, and left out: the catalogue is damaged\n", cli.Plural(unlisted, "game"))
		}
		return ids, err
	}
	if o.Query == "" {
		return o.Games(ctx, e.app, e.library)
	}
	q, err := e.app.Question(o.Query, o.game, retrieve.Request{Limit: -1, NoContinuations: true})
	if err != nil {
		return nil, err
	}
	if o.limit > 0 {
		q.Limit = o.limit
	}
	if q.Order, err = e.app.Order(ctx, e.library, q, o.sort); err != nil {
		return nil, err
	}
	reply, err := e.app.Found(ctx, e.library, q)
	if err != nil {
		return nil, err
	}
	if k, like := reply.Kinds[0], retrieve.Likeness(reply.Bound); like != nil {
		e.frame = cli.FrameOf(k, reply.Query, &like.Shape)
	}
	ids := make([]uint32, len(reply.Rows))
	e.rows = make(map[uint32]*retrieve.Row, len(reply.Rows))
	for i := range reply.Rows {
		ids[i] = reply.Rows[i].Game
		e.rows[ids[i]] = &reply.Rows[i]
	}
	return ids, nil
}

// exportChunk is how many games are looked up together.
const exportChunk = 256

// each gives a function all games with their records, and leaves out those that
// cannot be read.
func (e *exporter) each(ctx context.Context, ids []uint32, do func(*store.Game, *record.Game) error) error {
	corrected, err := e.corrections(ctx, ids)
	if err != nil {
		return err
	}
	for g, err := range e.library.Records().Walk(ctx, ids) {
		switch {
		case g.Game != nil && err != nil:
			err = e.leave(g.ID, err)
		case err == nil:
			if e.options.edited {
				library.Corrected(g.Record, corrected[g.ID])
			}
			err = do(g.Game, g.Record)
		}
		if err != nil {
			return err
		}
		e.bar.Step(1)
	}
	return nil
}

// corrections returns the corrections of the games. Where they are not written, that is said.
func (e *exporter) corrections(ctx context.Context, ids []uint32) (map[uint32][]store.Correction, error) {
	list, err := e.library.Records().Journal().Corrections(ctx, ids)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	by := map[uint32][]store.Correction{}
	for _, c := range list {
		by[c.Game] = append(by[c.Game], c)
	}
	if !e.options.edited {
		fmt.Fprintf(e.app.Err, "note: headers of %s were corrected, and are written as they came: --edited writes the corrections\n", cli.Plural(len(by), "game"))
	}
	return by, nil
}

// intoFolder writes one file a game.
func (e *exporter) intoFolder(ctx context.Context, ids []uint32) error {
	if !e.options.dryRun {
		if err := os.MkdirAll(e.options.output, 0o777); err != nil {
			return err
		}
	}
	e.anew = "the original bytes are no files by themselves"
	if err := e.head(); err != nil {
		return err
	}
	return e.each(ctx, ids, e.game)
}

// head prints the heads of the columns.
func (e *exporter) head() error {
	if !e.app.CSV {
		return nil
	}
	return e.app.PrintRow("id", "file", "format", "original")
}

// game writes one game: its own bytes where they are a file, else as its format
// or another one writes it.
func (e *exporter) game(g *store.Game, stored *record.Game) error {
	base := filepath.Join(e.options.output, fmt.Sprintf("%06d%s", g.ID, stem(g.Source.File)))
	if f := e.format(g.Format); f != nil && (e.only == nil || e.only == f) && record.ReadsBack(f, g.Source.File, stored) {
		path := base + extension(f, g.Source.File)
		if e.free(path) != nil {
			return e.leave(g.ID, errThere)
		}
		if !e.options.dryRun {
			err := cli.Atomically(path, func(w io.Writer) error {
				_, err := w.Write(stored.Raw)
				return err
			})
			if err != nil {
				return err
			}
		}
		return e.tell(exported{g.ID, path, g.Format, true})
	}
	return e.convert(g.ID, e.referee.Play(stored), base)
}

// convert writes a game with the first format that can hold it, its own first.
func (e *exporter) convert(id uint32, p *record.Played, base string) error {
	why := fmt.Errorf("no format that can be written holds games of %s", cmp.Or(p.Game.Kind, "unknown"))
	if e.only != nil {
		why = fmt.Errorf("%s does not hold games of %s", e.only.Info().Title, cmp.Or(p.Game.Kind, "unknown"))
	}
	for _, f := range e.candidates(p.Game) {
		c := &convert.Converter{App: e.app, Format: f, Options: &convert.Options{}}
		g, err := c.Adapt(p)
		if err == nil {
			err = record.CheckWrite(f, g)
		}
		if err != nil {
			why = err
			continue
		}
		path := base + "." + f.Info().Extensions[0]
		if e.free(path) != nil {
			return e.leave(id, errThere)
		}
		if !e.options.dryRun {
			if err := (&convert.Single{Converter: c, Path: path, Part: true}).Write(convert.Alone(g)); err != nil {
				return err
			}
		}
		e.converted[f.Info().Name]++
		return e.tell(exported{id, path, f.Info().Name, false})
	}
	return e.leave(id, why)
}

// intoFile writes all games into one file, which appears whole or not at all.
func (e *exporter) intoFile(ctx context.Context, ids []uint32, format record.Format) error {
	o := e.options
	if err := e.ready(); err != nil {
		return err
	}
	c := &convert.Converter{App: e.app, Format: format, Options: &convert.Options{}}
	dest := &convert.Single{Converter: c, Path: o.output}
	switch {
	case o.dryRun:
		dest.Path, dest.Out = "", io.Discard
	case o.output == "-":
		dest.Path, dest.Out = "", e.app.Out
	}
	games, finished := make(chan *record.Game), make(chan error, 1)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		err := dest.Write(games)
		if err != nil {
			cancel(err)
		}
		finished <- err
	}()
	err := e.head()
	if err == nil {
		err = e.each(ctx, ids, func(g *store.Game, stored *record.Game) error {
			fit, err := c.Adapt(e.referee.Play(stored))
			if err == nil {
				err = record.CheckWrite(format, fit)
			}
			if err != nil {
				return e.leave(g.ID, err)
			}
			select {
			case games <- fit:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
			if g.Format != format.Info().Name {
				e.converted[format.Info().Name]++
			}
			if e.app.JSON || e.app.CSV {
				return e.tell(exported{g.ID, o.output, format.Info().Name, false})
			}
			e.written++
			return nil
		})
	}
	c.Failed = err // what was written so far must not pass for the whole
	close(games)
	if werr := <-finished; werr != nil {
		return werr
	}
	if keeps := format.Info().Keeps; err == nil && keeps != "" && c.Foreign {
		fmt.Fprintf(e.app.Err, "note: %s keeps only %s\n", format.Info().Title, keeps)
	}
	return err
}

// ready checks that the file to write is free, and makes its folder.
func (e *exporter) ready() error {
	o := e.options
	if o.output == "-" {
		return nil
	}
	if err := e.free(o.output); err != nil || o.dryRun {
		return err
	}
	return os.MkdirAll(filepath.Dir(o.output), 0o777)
}

// intoLibrary adds the games to a library.
func (e *exporter) intoLibrary(ctx context.Context, ids []uint32) error {
	o := e.options
	o.output = o.library
	command := fmt.Sprintf("qipu export --to-library, of %s of %s,", cli.Plural(len(ids), "game"), e.library.Records().Place())
	to, err := qipu.Open(ctx, o.library, qipu.Options{ReadOnly: true, Games: e.app.Games, Formats: e.app.Formats})
	switch {
	case err == nil:
		to.Close()
		if !o.force && library.Unfinished(o.library) != command {
			return fmt.Errorf("there is a library in %s already: --force adds the games to it", o.library)
		}
	case !errors.Is(err, store.ErrNoLibrary):
		return err
	}
	if o.dryRun {
		o.output = "the library " + o.library
		e.written = len(ids)
		return nil
	}
	if err := library.Begin(o.library, command); err != nil {
		return err
	}
	if to, err = qipu.Open(ctx, o.library, qipu.Options{Create: true, Holder: "qipu export", Games: e.app.Games, Formats: e.app.Formats}); err != nil {
		return err
	}
	e.copied, err = e.library.Records().Copy(ctx, to.Records(), ids, library.CopyOptions{OnGame: func(id uint32, err error) {
		if err != nil {
			_ = e.leave(id, err)
		}
		e.bar.Step(1)
	}})
	if closing := e.app.Close(ctx, to); err == nil {
		err = closing
	}
	again := "run the command again with --force to go on"
	if library.Unfinished(o.library) == command {
		again = "run the command again to go on"
		if err == nil {
			err = library.Finish(o.library)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %s", o.library, err, again)
	}
	e.written = e.copied.New + e.copied.Known
	return nil
}

// candidates returns the formats that may be able to hold a game: its own, and
// then those that keep the most.
func (e *exporter) candidates(g *record.Game) []record.Format {
	return slices.DeleteFunc(record.Writers(e.app.Formats, g), func(f record.Format) bool { return e.only != nil && e.only != f })
}

func (e *exporter) format(name string) record.Format {
	for _, f := range e.app.Formats {
		if f.Info().Name == name {
			return f
		}
	}
	return nil
}

// free reports a file that is there and must stay.
func (e *exporter) free(path string) error {
	if _, err := os.Lstat(path); err == nil && !e.options.force {
		return fmt.Errorf("%s is there already: --force overwrites it", path)
	}
	return nil
}

// errThere is what keeps one file of many from being written.
var errThere = errors.New("there is a file of its name already: --force overwrites it")

// leave leaves a game out. Why is told at the end, once for all games.
func (e *exporter) leave(id uint32, err error) error {
	e.left++
	why := err.Error()
	if e.refused[why] == nil {
		e.reasons = append(e.reasons, why)
	}
	e.refused[why] = append(e.refused[why], id)
	return nil
}

// tellRefused tells which games are left out, and why.
func (e *exporter) tellRefused() {
	const most = 3
	for _, why := range e.reasons {
		ids := e.refused[why]
		list := "game"
		if len(ids) > 1 {
			list = "games"
		}
		for i, id := range ids[:min(len(ids), most)] {
			if i > 0 {
				list += ","
			}
			list += fmt.Sprintf(" %d", id)
		}
		if len(ids) > most {
			list += fmt.Sprintf(" and %d more", len(ids)-most)
		}
		fmt.Fprintf(e.app.Err, "%s: left out: %s\n", list, why)
	}
}

func (e *exporter) tell(file exported) error {
	e.written++
	switch {
	case e.app.JSON:
		return e.app.PrintJSON(cli.Typed("file", file))
	case e.app.CSV:
		return e.app.PrintRow(fmt.Sprint(file.ID), file.File, file.Format, fmt.Sprint(file.Original))
	case e.options.dryRun:
		_, err := fmt.Fprintln(e.app.Out, file.File)
		return err
	}
	return nil
}

func (e *exporter) totals() error {
	o, anew := e.options, 0
	e.tellRefused()
	for _, name := range slices.Sorted(maps.Keys(e.converted)) {
		n := e.converted[name]
		anew += n
		if e.anew != "" && e.only == nil {
			fmt.Fprintf(e.app.Err, "note: %s written anew as %s: %s\n", cli.Plural(n, "game"), name, e.anew)
		}
	}
	told := *e.app
	if o.output == "-" {
		told.Out = e.app.Err
	}
	if !e.app.CSV {
		verb := "written to"
		if o.dryRun {
			verb = "would be written to"
		}
		total := cli.Figures{{Name: "type", Value: "total"}, {Name: "games", Value: e.written}, {Name: "converted", Value: anew}, {Name: "leftOut", Value: e.left}, {Name: "dryRun", Value: o.dryRun}}
		sentence := fmt.Sprintf("%s %s %s, %d of them converted, %d left out", cli.Plural(e.written, "game"), verb, o.output, anew, e.left)
		if c := e.copied; c != nil {
			total = append(total, cli.Figures{{Name: "new", Value: c.New}, {Name: "known", Value: c.Known}, {Name: "collections", Value: c.Collections}, {Name: "tags", Value: c.Tags}}...)
			sentence = fmt.Sprintf("%s %s the library %s: %d new, %d known, in %s, with %s; %d left out", cli.Plural(e.written, "game"), verb, o.output,
				c.New, c.Known, cli.Plural(c.Collections, "collection"), cli.Plural(c.Tags, "tag"), e.left)
		}
		if err := told.Say(total, "%s", sentence); err != nil {
			return err
		}
	}
	if e.left > 0 {
		return cli.Silent(cli.ExitData)
	}
	return nil
}

// inner returns the name of a file without its folders and archives.
func inner(file string) string {
	return filepath.Base(filepath.ToSlash(file[strings.LastIndex(file, "!")+1:]))
}

// stem makes a part of a file name of the file that a game came from: "-name",
// or nothing where no letter of it would do.
func stem(file string) string {
	name := inner(file)
	name = strings.TrimSuffix(name, filepath.Ext(name))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`<>:"/\|?* `, r) {
			return '-'
		}
		return r
	}, name)
	const most = 60 // letters; file systems take 255 bytes
	if list := []rune(name); len(list) > most {
		name = string(list[:most])
	}
	if name = strings.Trim(name, "-. "); name == "" {
		return ""
	}
	return "-" + name
}

// extension returns the extension of the file that a game came from, where its
// format has it, else the usual one.
func extension(f record.Format, file string) string {
	ext := filepath.Ext(inner(file))
	if slices.Contains(f.Info().Extensions, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ext
	}
	return "." + f.Info().Extensions[0]
}
