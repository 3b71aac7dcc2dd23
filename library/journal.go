package library

import (
	"context"
	"time"

	"qipu/ingest"
	"qipu/store"
)

// Journal has an import that was killed at any moment end, when it is run
// again, with the library and the report of one that never was: no record is
// counted twice, as new by one run and as a duplicate of itself by the next.
//
// Before a batch is stored, Save is given the checkpoint that holds from then on.
// The batch itself carries a mark into the library, in the same transaction, with
// what became of all records up to it, so that afterwards Library.Stored tells which
// of the saved checkpoints holds, and what it counts. The last two saved are enough: a batch is begun when the one before is
// stored.
//
// Batches are the same however often an import is stopped: one that is not full
// when a run is stopped is not stored, but read again by the next.
//
// A run that goes on reads what is behind its checkpoint again, without
// playing the records of files that are done. Where the files are not
// the same any more, it ends with ingest.ErrChanged, and nothing is lost: begin
// anew, with another key.
type Journal struct {
	Key  string      // names the import in the catalogue, the same in all its runs
	From *Checkpoint // where to go on; nil to begin

	// Save keeps a checkpoint, durably before it returns. Its error ends the
	// import. Calls come one at a time, from a goroutine of their own.
	Save func(*Checkpoint) error
}

// Checkpoint is a moment of an import that it can go on from. What it counts of the
// records is of the batches before it until Library.Stored has looked.
type Checkpoint struct {
	Batch int64         `json:"batch"` // number of the batch, from 1
	Track *ingest.Track `json:"track"`
	ImportCounts
}

// Report returns what the import has done at the checkpoint.
func (c *Checkpoint) Report() *ImportReport {
	return &ImportReport{Report: c.Track.Report.Clone(), ImportCounts: c.ImportCounts}
}

// Faults returns how many faults the import has told of at the checkpoint.
func (c *Checkpoint) Faults() int {
	n := 0
	for _, k := range c.Track.Report.ByFault {
		n += k
	}
	return n
}

// marks returns what stands in the library for a batch of an import. There is one of
// each for an import: those of its last batch.
func (c *Checkpoint) marks(key string) []store.Input {
	path := "import:" + key
	return []store.Input{
		inputMark(path, c.Batch), inputMark(path+":new", int64(c.New)), inputMark(path+":duplicates", int64(c.Duplicates)),
		inputMark(path+":fuller", int64(c.Fuller)), inputMark(path+":twins", int64(c.Twins)),
	}
}

func inputMark(path string, n int64) store.Input {
	return store.Input{Path: path, Size: n, ModTime: time.Unix(0, 0)}
}

// Stored reports whether the batch of a checkpoint is the last that was stored of the
// import that a journal calls by key. The checkpoint counts then what became of the
// records.
func (l *Library) Stored(ctx context.Context, key string, c *Checkpoint) (bool, error) {
	marks := c.marks(key)
	stored, err := l.Notes().InputDone(ctx, marks[0])
	if err != nil || !stored {
		return false, err
	}
	for i, to := range []*int{&c.New, &c.Duplicates, &c.Fuller, &c.Twins} {
		in, err := l.Notes().InputOf(ctx, marks[1+i].Path)
		if err != nil {
			return false, err
		}
		if in != nil { // else an older program has stored it, and the checkpoint counts already
			*to = int(in.Size)
		}
	}
	return true, nil
}

// begin has the importer begin where its journal tells.
func (imp *importer) begin() {
	imp.track = new(ingest.Track)
	if from := imp.options.Journal.From; from != nil {
		imp.track = from.Track.Clone()
		imp.report = from.Report()
		imp.batches = from.Batch
	}
	imp.noted = imp.track.Events
}

// checkpoint returns the checkpoint of the batch that is about to be stored, without
// what becomes of its records, and has the batch note that with its mark.
func (imp *importer) checkpoint(b *store.Batch) *Checkpoint {
	imp.batches++
	imp.noted = imp.track.Events
	c := &Checkpoint{Batch: imp.batches, Track: imp.track.Clone(), ImportCounts: imp.report.ImportCounts}
	done := *c // not that which is kept: whoever keeps it may change it
	b.Note = func(added []store.Added) []store.Input {
		told := done
		told.count(added)
		return told.marks(imp.options.Journal.Key)
	}
	return c
}
