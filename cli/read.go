package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/pflag"

	"qipu"
	"qipu/ingest"
	"qipu/record"
	"qipu/record/charset"
	"qipu/store"
)

// MatchMemory is from which size of the heap on a match collects garbage: its
// engines have tables.
const MatchMemory = 2 << 30

// BuildNames makes the index of names complete, and tells how far it is.
func (a *App) BuildNames(ctx context.Context, l *qipu.Library) (store.Marked, error) {
	bar := a.NewProgress("lines named", 0)
	defer bar.Close()
	return l.Records().BuildNames(ctx, func(done, total int) { bar.Games(done, total) })
}

// ReadFlags are the flags of every command that reads records.
type ReadFlags struct {
	encoding  string
	maxErrors int
	Workers   int
}

// Register adds the flags.
func (f *ReadFlags) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.encoding, "encoding", "", "encoding of the files, where they declare a wrong one or none (gbk, big5, shift_jis, ...)")
	flags.IntVar(&f.maxErrors, "max-errors", 0, "stop after so many files or records that cannot be read (0: never)")
	flags.IntVar(&f.Workers, "workers", 0, "files read at the same time (0: one per core)")
}

// Options returns what ingest needs for these flags.
func (a *App) Options(f *ReadFlags) (ingest.Options, error) {
	if f.encoding != "" && !charset.Known(f.encoding) {
		return ingest.Options{}, Usagef("--encoding %s: no such encoding; try utf-8, gb18030, big5, shift_jis, euc-jp, euc-kr or windows-1252", f.encoding)
	}
	return ingest.Options{
		Formats: a.Formats, Games: a.Games, Workers: f.Workers, Encoding: f.encoding, MaxErrors: f.maxErrors,
		Stdin: ingest.Input{Reader: a.In},
	}, nil
}

// Ingest reads paths, with progress, and turns an interrupt into its error.
func (a *App) Ingest(ctx context.Context, o ingest.Options, paths []string) (*ingest.Report, error) {
	bar := a.NewProgress("KiB", 0)
	defer bar.Close()
	o.OnProgress = func(p ingest.Progress) { bar.Ingest(p) }
	report, err := ingest.Run(ctx, o, paths...)
	// Standard input may end with the context a moment before the reading of it hears of
	// that, and be taken for a fault of what was typed.
	if errors.Is(err, context.Canceled) || err == nil && ctx.Err() != nil {
		return report, ErrInterrupted
	}
	return report, err
}

// SinkFunc makes a sink for Options of a function.
type SinkFunc = ingest.SinkFunc

// ShapeFolders returns the folders of shapes that the user names: those of the
// environment below those of the command line.
func (a *App) ShapeFolders() []string {
	var list []string
	if env, ok := a.LookupOS("QIPU_SHAPES"); ok {
		for _, dir := range filepath.SplitList(env) {
			if dir != "" {
				list = append(list, dir)
			}
		}
	}
	return append(list, a.Shapes...)
}

// PlayStored replays games of the library for a function until that has enough.
// Games whose records are damaged are left out.
func (a *App) PlayStored(ctx context.Context, l *qipu.Library, ids []uint32, do func(*record.Played) bool) error {
	bar := a.NewProgress("games", len(ids))
	defer bar.Close()
	referee := record.NewReferee(a.Games)
	for s, err := range l.Records().Walk(ctx, ids) {
		switch {
		case err != nil && s.Game == nil:
			return err
		case err == nil && !do(referee.Play(s.Record)):
			return nil
		}
		bar.Step(1)
	}
	return nil
}
