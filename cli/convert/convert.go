// Package convert writes records in the form that a flag or the name of a file asks
// for: into one file, a folder, or as a tree of moves.
package convert

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

	"qipu/cli"
	"qipu/ingest"
	"qipu/record"
)

// Options say how records are written.
type Options struct {
	To, Game, Notation string
	Skip, DryRun       bool
	Keep               bool // files that are there already are not written over
}

// Writable returns the names of the formats that can be written.
func Writable(a *cli.App) []string {
	var list []string
	for _, f := range a.Formats {
		if _, ok := f.(record.Writer); ok {
			list = append(list, f.Info().Name)
		}
	}
	slices.Sort(list)
	return list
}

// Target returns the format to write, from --to or from the name of the file.
func Target(a *cli.App, o *Options, out string) (record.Format, error) {
	name := o.To
	if name == "" {
		name = strings.ToLower(strings.TrimPrefix(filepath.Ext(out), "."))
	}
	for _, f := range a.Formats {
		if f.Info().Name != name && (o.To != "" || !slices.Contains(f.Info().Extensions, name)) {
			continue
		}
		if _, ok := f.(record.Writer); !ok {
			return nil, cli.Usagef("%s can be read but not written: the formats to write are %s", f.Info().Title, strings.Join(Writable(a), ", "))
		}
		return f, nil
	}
	if name == "" {
		return nil, cli.Usagef("which format? Give --to: %s", strings.Join(Writable(a), ", "))
	}
	return nil, cli.Usagef("no format is called %q: the formats to write are %s%s", name, strings.Join(Writable(a), ", "), cli.DidYouMean(name, Writable(a)))
}

// IsFolder reports whether a path is that of a folder.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Converter reads records, makes them fit for a format, and passes them on.
type Converter struct {
	App     *cli.App
	Format  record.Format
	Options *Options
	Kind    string // "" for every game

	Left    int   // counted where records are read
	Foreign bool  // a record of another format was passed on
	Written int   // counted where they are written
	Failed  error // why reading broke off; set before the last record is passed
}

// Destination takes converted records.
type Destination interface {
	// write writes all records that come, and returns when there are no more.
	Write(games <-chan *record.Game) error
}

// Run reads everything below a path and passes it to the destination, which
// works beside the reading.
func (c *Converter) Run(ctx context.Context, o ingest.Options, in string, dest Destination) (*ingest.Report, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	games := make(chan *record.Game)
	finished := make(chan error, 1)
	go func() {
		err := dest.Write(games)
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
			fmt.Fprintf(c.App.Err, "%s\n", cli.Printable(f.Error()))
		}
	}
	o.Sink = ingest.SinkFunc(func(p *record.Played) error {
		g := c.Fit(p)
		if g == nil {
			return nil
		}
		if err := record.CheckWrite(c.Format, g); errors.Is(err, record.ErrInexpressible) {
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
	report, err := c.App.Ingest(ctx, o, []string{in})
	c.Failed = err // what was written so far must not pass for the whole
	close(games)
	if werr := <-finished; werr != nil {
		return report, werr
	}
	return report, err
}

// Fit returns the record in the notation of the format, or nil where it is
// left out.
func (c *Converter) Fit(p *record.Played) *record.Game {
	if c.Kind != "" && p.Game.Kind != c.Kind {
		return nil
	}
	g, err := c.Adapt(p)
	if err != nil {
		return c.leave(p.Game, err)
	}
	return g
}

// Adapt returns the record in the notation of the format, or why the format
// cannot hold it.
func (c *Converter) Adapt(p *record.Played) (*record.Game, error) {
	g, err := record.Fit(c.Format, p, c.Options.Notation)
	if err == nil {
		c.Foreign = c.Foreign || p.Game.Format != c.Format.Info().Name
	}
	return g, err
}

// leave says why a record is not written.
func (c *Converter) leave(g *record.Game, err error) *record.Game {
	c.Left++
	if !c.Options.Skip {
		fmt.Fprintf(c.App.Err, "%s: game %d: left out: %v\n", g.Place.File, g.Place.Number, err)
	}
	return nil
}

// Single writes all records into one file, which appears whole or not at all.
type Single struct {
	*Converter
	Out  io.Writer // or
	Path string

	// part tells that this is one file of many, each whole by itself: reading
	// may go on, or break off, behind it.
	Part bool
}

// broken returns why the records that were to be written are not all there.
func (s *Single) broken() error {
	if s.Part {
		return nil
	}
	return s.Failed // no more records come: reading is over
}

// free returns an error where a file is there that must not be written over. Devices and
// pipes are written to.
func (c *Converter) free(path string) error {
	if info, err := os.Stat(path); c.Options.Keep && err == nil && info.Mode().IsRegular() {
		return cli.Usagef("%s is there already, and stays as it is: --force writes over it", path)
	}
	return nil
}

// Write writes games into the file.
func (s *Single) Write(games <-chan *record.Game) error {
	if err := s.free(s.Path); err != nil {
		return err
	}
	first, ok := <-games
	if !ok {
		return nil // nothing to write makes no file
	}
	all := func(yield func(*record.Game) bool) {
		for g, ok := first, true; ok; g, ok = <-games {
			s.Written++
			if !yield(g) {
				return
			}
		}
	}
	set, several := s.Format.(record.SetWriter)
	if several && s.Path != "" {
		return s.files(set, all)
	}
	if s.Path == "" {
		return s.stream(s.Out, all)
	}
	return cli.Atomically(s.Path, func(w io.Writer) error { return s.stream(w, all) })
}

func (s *Single) stream(w io.Writer, games iter.Seq[*record.Game]) error {
	buf := bufio.NewWriter(w)
	if err := s.Format.(record.Writer).Write(buf, games); err != nil {
		return err
	}
	if err := s.broken(); err != nil {
		return err
	}
	return buf.Flush()
}

// files writes the files of a set beside each other; they appear together or
// not at all.
func (s *Single) files(set record.SetWriter, games iter.Seq[*record.Game]) error {
	var drafts []*cli.Draft
	defer func() {
		for _, d := range drafts {
			d.Discard()
		}
	}()
	base := strings.TrimSuffix(s.Path, filepath.Ext(s.Path))
	err := set.WriteSet(func(ext string) (io.Writer, error) {
		if err := s.free(base + "." + ext); err != nil {
			return nil, err
		}
		d, err := cli.NewDraft(base + "." + ext)
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
			err = d.Publish()
		}
	}
	return err
}

// Folder writes each record into a file of its own.
type Folder struct {
	*Converter
	Dir string
}

// Write writes each game into a file of its own.
func (f *Folder) Write(games <-chan *record.Game) error {
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return err
	}
	for g := range games {
		path := filepath.Join(f.Dir, fmt.Sprintf("%06d.%s", f.Written+1, f.Format.Info().Extensions[0]))
		one := &Single{Converter: f.Converter, Path: path, Part: true}
		if err := one.Write(Alone(g)); err != nil {
			return err
		}
	}
	return nil
}
