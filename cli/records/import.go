package records

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/spf13/cobra"

	"qipu"
	"qipu/cli"
	"qipu/ingest"
	"qipu/library"
	"qipu/record"
	"qipu/store"
)

type importOptions struct {
	collection, faults     string
	dryRun, again, verbose bool
	memory                 cli.Memory
}

func importCommand(a *cli.App) *cobra.Command {
	var flags cli.ReadFlags
	var o importOptions
	cmd := &cobra.Command{
		Use:   "import PATH...",
		Short: "Bring records into the library",
		Long: `Read every record below the paths (files, folders, archives, "-" for standard
input) into the library, which is made where there is none. Records are kept with
their original bytes. A game that is there already is not stored again: its
further source is noted, and the fuller of two records of one game is kept. Games
of the same moves whose headers contradict each other, or whose comments differ,
are both kept, as twins.

An import may be interrupted, and run again to go on: what was stored stays, and
files that were read to their end and have not changed are not read again (unless
--again or --collection is given).

It takes some 700 MB of memory for large collections, or as much as --memory, GOMEMLIMIT or the limit
of its control group say, at least 128 MB: with less it takes a little longer, and
stores the same.

Records that break the rules, or their format, are stored and marked. Exit code 3 if any file or
record could not be read; 1 if there was no record at all.`,
		Example: `  qipu import games
  qipu import games/xiangqi-mates.pgn --collection mates
  qipu import games --memory 400MB
  qipu import games --again --dry-run`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%s: PATH is missing", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return importRecords(cmd.Context(), a, &flags, &o, args)
		},
	}
	f := cmd.Flags()
	flags.Register(f)
	f.StringVar(&o.collection, "collection", "", "put all records into this collection, made where there is none")
	_ = cmd.RegisterFlagCompletionFunc("collection", a.CompleteNames("collection"))
	f.BoolVar(&o.again, "again", false, "read files that were read before, too")
	f.BoolVar(&o.dryRun, "dry-run", false, "read everything and say what would be new, but store nothing")
	f.BoolVar(&o.verbose, "verbose", false, "name records that are stored with a fault, too")
	f.Var(&o.memory, "memory", "how much memory the import may take, as in 400MB or 2GB")
	f.StringVar(&o.faults, "faults", "", "write a report of all that is wrong into this file, one JSON object a line")
	return cmd
}

func importRecords(ctx context.Context, a *cli.App, flags *cli.ReadFlags, o *importOptions, paths []string) (err error) {
	in, err := a.Options(flags)
	if err != nil {
		return err
	}
	// A library is not made for a path that was mistyped.
	for _, p := range paths {
		if _, err := os.Stat(p); p != "-" && err != nil {
			return fmt.Errorf("nothing was imported: %s: %w", p, errors.Unwrap(err))
		}
	}
	// A batch of records waits in memory to be stored together: more than other
	// commands hold, and less than the 1 GB that we promise.
	granted := a.Granted(o.memory)
	a.LimitHeap(importMemory, granted)
	l, err := openForImport(ctx, a, o.dryRun, granted.Bytes)
	if err != nil {
		return err
	}
	defer func() {
		if closing := l.close(ctx, a); err == nil {
			err = closing
		}
	}()
	im := &importing{app: a, verbose: o.verbose}
	if o.faults != "" {
		if err := im.writeFaults(o.faults); err != nil {
			return err
		}
		defer im.draft.Discard()
	}
	report, err := im.run(ctx, l.Library, library.ImportOptions{Options: in, Collection: o.collection, Again: o.again, DryRun: o.dryRun}, paths)
	if report == nil {
		return err
	}
	if reported := errors.Join(im.finish(), im.totals(report, o.dryRun, err)); reported != nil {
		return reported
	}
	if err == nil && !o.dryRun {
		_, failed := a.BuildNames(ctx, l.Library)
		if _, staged := errors.AsType[*store.StagedError](failed); failed != nil && !staged { // that is told at the end
			// The games are there, and are found all the same.
			fmt.Fprintf(a.Err, "note: the index of names is not complete: %v: qipu names build goes on with it\n", failed)
		}
	}
	stay := "what was read before is in the library; run the command again to go on"
	if o.dryRun {
		stay = "nothing was stored"
	}
	switch {
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(a.Err, "stopped: %s\n", stay)
		return cli.ErrInterrupted
	case err != nil:
		return fmt.Errorf("%w: %s", err, stay)
	case report.Rejected > 0:
		return cli.Silent(cli.ExitData)
	case report.Games == 0 && report.Unchanged == 0:
		return a.Nothing("there is no record in it that the program can read")
	}
	return nil
}

// target is a library to import into, which may be one for the time being.
type target struct {
	*qipu.Library
	temporary string // its folder
}

func (t *target) close(ctx context.Context, a *cli.App) error {
	err := a.Close(ctx, t.Library)
	if t.temporary != "" {
		err = errors.Join(err, os.RemoveAll(t.temporary))
	}
	return err
}

// importMemory is from which size of the heap on an import collects garbage
// early.
const importMemory = 500 << 20

// openForImport opens the library, or makes it. For a dry run it is opened for
// reading, and where there is none an empty one stands in.
func openForImport(ctx context.Context, a *cli.App, dryRun bool, memory int64) (*target, error) {
	dir, err := qipu.Locate(a.Library, a.LookupOS)
	if err != nil {
		return nil, err
	}
	// An import that was killed at its very beginning leaves a database without
	// tables, which is no library yet: it is made as if nothing were there.
	o := qipu.Options{ReadOnly: dryRun, Create: !dryRun, Holder: "qipu import", Games: a.Games, Formats: a.Formats, Env: a.LookupOS, Logf: a.Logf, Memory: memory}
	if !dryRun && !library.Exists(dir) {
		fmt.Fprintf(a.Err, "a new library is made in %s\n", dir)
	}
	t := new(target)
	t.Library, err = qipu.Open(ctx, dir, o)
	if !dryRun || !cli.NoFolder(err) {
		return t, err
	}
	fmt.Fprintf(a.Err, "there is no library in %s: the import would make one\n", dir)
	if t.temporary, err = os.MkdirTemp("", "qipu-"); err != nil {
		return nil, err
	}
	o.ReadOnly, o.Create = false, true
	if t.Library, err = qipu.Open(ctx, t.temporary, o); err != nil {
		os.RemoveAll(t.temporary)
	}
	return t, err
}

// importing is one run of import: what it says as it goes.
type importing struct {
	app     *cli.App
	verbose bool
	draft   *cli.Draft // of the report of faults; nil for none
	faults  *bufio.Writer
	failed  error // of writing
}

func (im *importing) writeFaults(path string) (err error) {
	if im.draft, err = cli.NewDraft(path); err == nil {
		im.faults = bufio.NewWriter(im.draft)
	}
	return err
}

// finish publishes the report of faults, of an import that was stopped too.
func (im *importing) finish() error {
	if im.draft == nil || im.failed != nil {
		return im.failed
	}
	if err := im.faults.Flush(); err != nil {
		return err
	}
	return im.draft.Publish()
}

func (im *importing) run(ctx context.Context, l *qipu.Library, o library.ImportOptions, paths []string) (*library.ImportReport, error) {
	bar := im.app.NewProgress("KiB", 0)
	defer bar.Close()
	var stored atomic.Int64
	o.OnStored = func(r *library.ImportReport) { stored.Store(int64(r.New + r.Fuller + r.Twins)) }
	o.OnProgress = func(p ingest.Progress) {
		bar.Stored = stored.Load()
		bar.Ingest(p)
	}
	o.OnFault = im.fault
	return l.Import(ctx, o, paths...)
}

func (im *importing) fault(f *record.Fault) {
	if im.failed != nil || f.Severity < record.Marked {
		return
	}
	if im.draft != nil {
		line, err := cli.MarshalLine(faultLine(f))
		if err == nil {
			_, err = im.faults.Write(line)
		}
		im.failed = err
	}
	switch {
	case im.app.CSV || im.failed != nil || f.Severity != record.Rejected && !im.verbose:
	case im.app.JSON:
		im.failed = im.app.PrintJSON(faultLine(f))
	default:
		_, im.failed = fmt.Fprintf(im.app.Out, "%v: %s\n", f.Severity, cli.Printable(f.Error()))
	}
}

// imported is what an import did as --json prints it.
type imported struct {
	DryRun   bool `json:"dryRun"`
	Complete bool `json:"complete"` // nothing stopped it
	counted
}

// totals prints what became of everything. An import that was stopped by an
// error has totals too.
func (im *importing) totals(r *library.ImportReport, dryRun bool, stopped error) error {
	if im.app.JSON {
		w := imported{DryRun: dryRun, Complete: stopped == nil, counted: countedOf(r.Report)}
		w.New, w.Duplicates, w.Fuller, w.Twins = r.New, r.Duplicates, r.Fuller, r.Twins
		return im.app.PrintJSON(cli.Typed("total", w))
	}
	t := totals{
		{"files", "read", r.Files}, {"files", "unchanged", r.Unchanged}, {"files", "skipped", r.Skipped},
		{"records", "read", r.Games}, {"records", "new", r.New}, {"records", "duplicates", r.Duplicates}, {"records", "fuller", r.Fuller},
		{"records", "twins", r.Twins}, {"records", "marked", r.Marked}, {"records", "rejected", r.Rejected},
	}
	if err := im.app.Print(t.table()); err != nil {
		return err
	}
	if r.Marked > 0 && !im.verbose && im.draft == nil {
		fmt.Fprintf(im.app.Err, "note: %s marked for faults: --again --verbose names them, --again --faults FILE reports them\n", cli.Plural(r.Marked, "record"))
	}
	return nil
}
