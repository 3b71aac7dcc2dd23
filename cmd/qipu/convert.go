package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"qipu/ingest"
	"qipu/record"
)

func (a *app) convertCommand() *cobra.Command {
	var flags readFlags
	var o convertOptions
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Write records in another format",
		Long: `Read records (a file, a folder, an archive, "-" for standard input) and write them
in another format, which --to or the extension of OUT tells. OUT may be "-" for
standard output, or a folder (with a slash at its end), which gets one file a record.

Moves are translated into the notation of the format. What a format cannot hold
is said, and the record is left out: nothing is lost silently.`,
		Example: `  qipu convert games/xiangqi-big5.pgn game.xqf
  qipu convert games pgn/ --to pgn --game xiangqi --notation wxf
  echo f5d6c3d3c4 | qipu convert - - --to ggf`,
		Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.convert(cmd.Context(), &flags, &o, args[0], args[1])
		},
	}
	f := cmd.Flags()
	flags.register(f)
	f.StringVar(&o.to, "to", "", "format to write: "+strings.Join(a.writable(), ", "))
	f.StringVar(&o.game, "game", "", "only records of this game")
	f.StringVar(&o.notation, "notation", "", "notation of the moves, where the format takes several")
	f.BoolVar(&o.skip, "skip", false, "do not count what the format cannot hold as an error")
	f.BoolVar(&o.dryRun, "dry-run", false, "say what would be written, and write nothing")
	return cmd
}

type convertOptions struct {
	to, game, notation string
	skip, dryRun       bool
}

// writable returns the names of the formats that can be written.
func (a *app) writable() []string {
	var list []string
	for _, f := range a.formats {
		if _, ok := f.(record.Writer); ok {
			list = append(list, f.Info().Name)
		}
	}
	slices.Sort(list)
	return list
}

// target returns the format to write, from --to or from the name of the file.
func (a *app) target(o *convertOptions, out string) (record.Format, error) {
	name := o.to
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	for _, f := range a.formats {
		if f.Info().Name != name && (o.to != "" || !slices.Contains(f.Info().Extensions, name)) {
			continue
		}
		if _, ok := f.(record.Writer); !ok {
			return nil, usagef("%s can be read but not written: the formats to write are %s", f.Info().Title, strings.Join(a.writable(), ", "))
		}
		return f, nil
	}
	if name == "" {
		return nil, usagef("which format? Give --to: %s", strings.Join(a.writable(), ", "))
	}
	return nil, usagef("no format is called %q: the formats to write are %s%s", name, strings.Join(a.writable(), ", "), didYouMean(name, a.writable()))
}

func (a *app) convert(ctx context.Context, flags *readFlags, o *convertOptions, in, out string) error {
	format, err := a.target(o, out)
	if err != nil {
		return err
	}
	c := &converter{app: a, format: format, options: o}
	if o.game != "" {
		r, err := a.game(o.game)
		if err != nil {
			return err
		}
		c.kind = r.Info().Name
	}
	var dest destination
	switch {
	case o.dryRun:
		dest = &single{converter: c, out: io.Discard}
	case out == "-":
		if _, ok := format.(record.SetWriter); ok {
			return usagef("%s needs several files: give a file name, not -", format.Info().Title)
		}
		dest = &single{converter: c, out: a.out}
	case strings.HasSuffix(out, "/") || strings.HasSuffix(out, string(filepath.Separator)) || isFolder(out):
		dest = &folder{converter: c, dir: out}
	default:
		dest = &single{converter: c, path: out}
	}
	options, err := a.options(flags)
	if err != nil {
		return err
	}
	report, err := c.run(ctx, options, in, dest)
	if err != nil {
		return err
	}
	if keeps := format.Info().Keeps; keeps != "" && c.foreign {
		fmt.Fprintf(a.err, "note: %s keeps only %s\n", format.Info().Title, keeps)
	}
	fmt.Fprintf(a.err, "%d records written, %d left out, %d could not be read\n", c.written, c.left, report.Rejected)
	switch {
	case report.Rejected > 0 || c.left > 0 && !o.skip:
		return silent(exitData)
	case c.written == 0:
		return silent(exitNothing)
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// converter reads records, makes them fit for a format, and passes them on.
type converter struct {
	*app
	format  record.Format
	options *convertOptions
	kind    string // "" for every game

	left    int   // counted where records are read
	foreign bool  // a record of another format was passed on
	written int   // counted where they are written
	failed  error // why reading broke off; set before the last record is passed
}

// destination takes converted records.
type destination interface {
	// write writes all records that come, and returns when there are no more.
	write(games <-chan *record.Game) error
}

// run reads everything below a path and passes it to the destination, which
// works beside the reading.
func (c *converter) run(ctx context.Context, o ingest.Options, in string, dest destination) (*ingest.Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	games := make(chan *record.Game)
	finished := make(chan error, 1)
	go func() {
		err := dest.write(games)
		if err != nil {
			cancel(err)
			for range games { // let the reader go on to its end
			}
		}
		finished <- err
	}()
	o.Workers = 1 // records come in the order of the input
	o.OnFault = func(f *record.Fault) {
		if f.Severity == record.Rejected {
			fmt.Fprintf(c.err, "%s\n", printable(f.Error()))
		}
	}
	o.Sink = sinkFunc(func(p *record.Played) error {
		g := c.fit(p)
		if g == nil {
			return nil
		}
		if err := record.CheckWrite(c.format, g); errors.Is(err, record.ErrInexpressible) {
			c.leave(g, err)
			return nil
		} else if err != nil {
			return err
		}
		select {
		case games <- g:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	report, err := c.ingest(ctx, o, []string{in})
	c.failed = err // what was written so far must not pass for the whole
	close(games)
	if werr := <-finished; werr != nil {
		return report, werr
	}
	return report, err
}

// fit returns the record in the notation of the format, or nil where it is
// left out.
func (c *converter) fit(p *record.Played) *record.Game {
	if c.kind != "" && p.Game.Kind != c.kind {
		return nil
	}
	g, err := c.adapt(p)
	if err != nil {
		return c.leave(p.Game, err)
	}
	return g
}

// adapt returns the record in the notation of the format, or why the format
// cannot hold it.
func (c *converter) adapt(p *record.Played) (*record.Game, error) {
	g, err := record.Fit(c.format, p, c.options.notation)
	if err == nil {
		c.foreign = c.foreign || p.Game.Format != c.format.Info().Name
	}
	return g, err
}

// leave says why a record is not written.
func (c *converter) leave(g *record.Game, err error) *record.Game {
	c.left++
	if !c.options.skip {
		fmt.Fprintf(c.err, "%s: game %d: left out: %v\n", g.Place.File, g.Place.Number, err)
	}
	return nil
}

// single writes all records into one file, which appears whole or not at all.
type single struct {
	*converter
	out  io.Writer // or
	path string

	// part tells that this is one file of many, each whole by itself: reading
	// may go on, or break off, behind it.
	part bool
}

// broken returns why the records that were to be written are not all there.
func (s *single) broken() error {
	if s.part {
		return nil
	}
	return s.failed // no more records come: reading is over
}

func (s *single) write(games <-chan *record.Game) error {
	first, ok := <-games
	if !ok {
		return nil // nothing to write makes no file
	}
	all := func(yield func(*record.Game) bool) {
		for g, ok := first, true; ok; g, ok = <-games {
			s.written++
			if !yield(g) {
				return
			}
		}
	}
	set, several := s.format.(record.SetWriter)
	if several && s.path != "" {
		return s.files(set, all)
	}
	if s.path == "" {
		return s.stream(s.out, all)
	}
	return atomically(s.path, func(w io.Writer) error { return s.stream(w, all) })
}

func (s *single) stream(w io.Writer, games iter.Seq[*record.Game]) error {
	buf := bufio.NewWriter(w)
	if err := s.format.(record.Writer).Write(buf, games); err != nil {
		return err
	}
	if err := s.broken(); err != nil {
		return err
	}
	return buf.Flush()
}

// files writes the files of a set beside each other; they appear together or
// not at all.
func (s *single) files(set record.SetWriter, games iter.Seq[*record.Game]) error {
	var drafts []*draft
	defer func() {
		for _, d := range drafts {
			d.discard()
		}
	}()
	base := strings.TrimSuffix(s.path, filepath.Ext(s.path))
	err := set.WriteSet(func(ext string) (io.Writer, error) {
		d, err := newDraft(base + "." + ext)
		if err != nil {
			return nil, err
		}
		drafts = append(drafts, d)
		return d, nil
	}, games)
	if err == nil {
		err = s.broken()
	}
	for _, d := range drafts {
		if err == nil {
			err = d.publish()
		}
	}
	return err
}

// folder writes each record into a file of its own.
type folder struct {
	*converter
	dir string
}

func (f *folder) write(games <-chan *record.Game) error {
	if err := os.MkdirAll(f.dir, 0o777); err != nil {
		return err
	}
	for g := range games {
		path := filepath.Join(f.dir, fmt.Sprintf("%06d.%s", f.written+1, f.format.Info().Extensions[0]))
		one := &single{converter: f.converter, path: path, part: true}
		if err := one.write(alone(g)); err != nil {
			return err
		}
	}
	return nil
}
