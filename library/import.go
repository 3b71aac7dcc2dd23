package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"qipu/ingest"
	"qipu/record"
	"qipu/store"
)

// ImportOptions say what to import and how. Reading is as ingest.Options say;
// their Formats, Games, Trace, Prepare, Track, Skip and OnRead are set by
// Import.
type ImportOptions struct {
	ingest.Options

	Collection string // the records come into it; made where there is none
	Again      bool   // read files that are known, too

	// Transient tells that the files are there for this import alone: they are
	// not noted as read, and read whether or not they are known.
	Transient bool

	// BatchGames is how many records are stored together at most; default 8192.
	BatchGames int

	// From is what people are told of where the records came from; default: the paths.
	From []string

	// Journal makes an import one that can be killed at any moment and gone on
	// with; see Journal. It is of no use to a dry run, which begins anew.
	Journal *Journal

	// DryRun reads everything and counts what would become of it, but stores
	// nothing; the library may be open for reading only. A record that would be
	// one with another of the same import is found by its moves alone.
	DryRun bool

	// OnStored is told after every batch what became of it: from then on its
	// games are safe, whatever happens to the process or to the machine.
	OnStored func(*ImportReport)
}

// ImportReport counts what an import did.
type ImportReport struct {
	*ingest.Report
	ImportCounts
}

// ImportCounts count what became of records.
type ImportCounts struct {
	New        int `json:"new"`        // games that were not there
	Duplicates int `json:"duplicates"` // records of games that were: their sources are noted
	Fuller     int `json:"fuller"`     // records that took the place of shorter or poorer ones
	Twins      int `json:"twins"`      // games of the same moves whose headers or comments differ: both kept, linked
}

// batchGames and batchBytes bound the records that are stored together, and so
// what an import holds in memory and what it loses when it is killed.
const (
	batchGames = 8192
	batchBytes = 256 << 20 // of what is prepared, as store.Prepared.Weight has it
)

// batchShare: while one batch is stored another is gathered, and the garbage of both is
// about as much again. So a batch has this part of the memory at most.
const batchShare = 8

// Import reads records into the library: files, folders, archives, streams. It
// may be interrupted and run again: what was stored is there, and nothing is
// there twice; files that were read to their end and did not change are not
// opened again.
func (l *Library) Import(ctx context.Context, o ImportOptions, paths ...string) (*ImportReport, error) {
	imp := &importer{Library: l, options: &o, report: &ImportReport{}}
	if o.BatchGames <= 0 {
		o.BatchGames = batchGames
	}
	imp.most = batchBytes
	if memory := l.options.Memory; memory > 0 { // what is stored is the same
		imp.most = int(min(batchBytes, memory/batchShare))
		o.Archives.Buffer = min(cmp.Or(o.Archives.Buffer, 32<<20), memory/16)
		o.Ahead = min(cmp.Or(o.Ahead, 24<<20), memory/16)
	}
	key := ""
	if o.Journal != nil && !o.DryRun {
		imp.begin()
		key = o.Journal.Key
	}
	if o.From == nil {
		o.From = paths
	}
	ctx = store.Within(ctx, importDeed(key, o.From))
	imp.batch.DryRun = o.DryRun
	if o.Collection != "" && !o.DryRun {
		var err error
		if imp.batch.Collection, err = l.EnsureCollection(ctx, o.Collection); err != nil {
			return nil, err
		}
	}
	in := o.Options
	in.Formats, in.Games, in.Trace = l.options.Formats, l.options.Games, true
	in.OnRead, in.Prepare, in.Track = imp.onRead, imp.prepare, imp.track
	if !o.Again && !o.Transient && o.Collection == "" {
		in.Skip = func(path string, info fs.FileInfo) bool {
			known, ok := inputOf(path, info)
			if !ok {
				return false
			}
			done, err := l.Notes().InputDone(ctx, known)
			return err == nil && done
		}
	}
	report, err := ingest.Run(ctx, in, paths...)
	imp.report.Report = report
	imp.last = err == nil
	// What was read is stored even when the rest was interrupted. With a journal
	// it is read again instead: what becomes of records depends a little on which
	// of them are stored together, and that is to be the same in the end.
	if imp.last || imp.track == nil {
		imp.flush(ctx)
	}
	if failed := imp.await(); failed != nil && !errors.Is(err, failed) {
		err = errors.Join(err, failed)
	}
	return imp.report, err
}

// importer is one call of Import: it gathers records into batches.
// While one batch is being stored, the next is read.
type importer struct {
	*Library
	options *ImportOptions
	report  *ImportReport
	batch   store.Batch
	bytes   int         // about, of the batch
	most    int         // bytes of a batch
	storing chan stored // of the batch that is being stored; nil if none is
	failed  error       // of a batch; nothing is tried after it

	track   *ingest.Track // nil without a journal
	batches int64         // begun so far, with a journal
	noted   int64         // events of the track that the last batch was stored with
	read    []store.Input // with a journal: files read to their end, noted with the last batch
	last    bool          // everything was read

	seen map[uint64]bool // keys of the games that a dry run would have stored
}

// prepare returns what a worker does to the records that it reads.
func (imp *importer) prepare() func(*record.Played) ingest.Deliver {
	prepare := imp.store.Preparer()
	return func(p *record.Played) ingest.Deliver {
		ready := prepare(p)
		return func(ctx context.Context) error { return imp.take(ctx, p, ready) }
	}
}

// take takes a record on its way into the library.
func (imp *importer) take(ctx context.Context, p *record.Played, ready *store.Prepared) error {
	if imp.batch.Prepared == nil {
		imp.batch.Prepared = store.Preparations{}
	}
	imp.batch.Records, imp.batch.Prepared[p] = append(imp.batch.Records, p), ready
	imp.bytes += len(p.Game.Raw) + ready.Weight()
	// The tree is encoded, and the steps are in the document: nobody needs them any
	// more, and they are most of what a batch would hold.
	p.Game.Nodes, p.Steps = nil, nil
	if len(imp.batch.Records) < imp.options.BatchGames && imp.bytes < imp.most {
		return nil
	}
	return imp.flush(ctx)
}

func (imp *importer) onRead(path string, info fs.FileInfo) {
	if imp.options.Transient {
		return
	}
	if in, ok := inputOf(path, info); ok {
		list := &imp.batch.Inputs
		if imp.track != nil {
			list = &imp.read
		}
		*list = append(*list, in)
	}
}

func inputOf(path string, info fs.FileInfo) (store.Input, bool) {
	path, err := filepath.Abs(path)
	return store.Input{Path: path, Size: info.Size(), ModTime: info.ModTime()}, err == nil
}

// stored is what became of a batch.
type stored struct {
	added []store.Added
	err   error
}

// flush begins to store the batch, when the one before is stored. A batch that
// was begun is stored to its end, interrupted or not.
func (imp *importer) flush(ctx context.Context) error {
	if err := imp.await(); err != nil {
		return err
	}
	if imp.last {
		imp.batch.Inputs = append(imp.batch.Inputs, imp.read...)
	}
	if len(imp.batch.Records) == 0 && len(imp.batch.Inputs) == 0 && (imp.track == nil || imp.track.Events == imp.noted) {
		return nil
	}
	batch, done := imp.batch, make(chan stored, 1)
	var next *Checkpoint
	if imp.track != nil {
		next = imp.checkpoint(&batch)
	}
	imp.storing = done
	go func() {
		var s stored
		defer func() {
			if v := recover(); v != nil {
				s.err = fmt.Errorf("qipu: internal error while storing: %v", v)
			}
			done <- s
		}()
		ctx := context.WithoutCancel(ctx)
		if next != nil {
			if s.err = imp.options.Journal.Save(next); s.err != nil {
				return
			}
		}
		s.added, s.err = imp.add(ctx, batch)
	}()
	imp.batch.Records, imp.batch.Prepared, imp.batch.Inputs, imp.bytes = nil, nil, nil, 0
	return nil
}

// await waits for the batch that is being stored, and counts it.
func (imp *importer) await() error {
	if imp.storing == nil || imp.failed != nil {
		return imp.failed
	}
	s := <-imp.storing
	imp.storing = nil
	if s.err != nil {
		imp.failed = s.err
		return s.err
	}
	if imp.options.DryRun {
		imp.pretend(s.added)
	}
	imp.report.count(s.added)
	if imp.options.OnStored != nil {
		imp.options.OnStored(imp.report)
	}
	return nil
}

// pretend has records of a dry run be duplicates of ones that came in an
// earlier batch, and would be in the library by now.
func (imp *importer) pretend(added []store.Added) {
	if imp.seen == nil {
		imp.seen = map[uint64]bool{}
	}
	for i := range added {
		if a := &added[i]; a.Status == store.StatusNew && imp.seen[a.Key] {
			a.Status = store.StatusDuplicate
		}
	}
	for i := range added {
		imp.seen[added[i].Key] = true
	}
}

// count counts what became of records.
func (c *ImportCounts) count(added []store.Added) {
	for _, a := range added {
		switch a.Status {
		case store.StatusNew:
			c.New++
		case store.StatusDuplicate:
			c.Duplicates++
		case store.StatusFuller:
			c.Fuller++
		case store.StatusTwin:
			c.Twins++
		}
	}
}

// Add adds one record, played with a trace (record.Referee.Trace). It is found
// by the next search.
func (l *Library) Add(ctx context.Context, p *record.Played) (store.Added, error) {
	added, err := l.AddAll(ctx, []*record.Played{p})
	if err != nil {
		return store.Added{}, err
	}
	return added[0], nil
}

// AddAll adds records together, and tells what became of each.
func (l *Library) AddAll(ctx context.Context, list []*record.Played) ([]store.Added, error) {
	return l.add(ctx, store.Batch{Records: list})
}

// EnsureCollection returns the number of a collection, made if need be.
func (l *Library) EnsureCollection(ctx context.Context, name string) (int64, error) {
	c, err := l.Collection(ctx, name)
	if err == nil {
		return c.ID, nil
	}
	var none *NoCollectionError
	if !errors.As(err, &none) {
		return 0, err
	}
	var id int64
	err = l.Notes().Edit(ctx, func(tx store.Tx) (err error) {
		id, err = tx.CreateCollection(name, "")
		return err
	})
	return id, err
}
