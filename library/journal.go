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
// The batch itself carries a mark into the catalogue, in the same transaction,
// so that afterwards Library.Stored tells which of the saved checkpoints
// holds. The last two saved are enough: a batch is begun when the one before is
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

// Checkpoint is a moment of an import that it can go on from. What it counts is
// stored if its batch is.
type Checkpoint struct {
	Batch int64         `json:"batch"` // number of the batch, from 1
	Track *ingest.Track `json:"track"`

	New        int `json:"new"`
	Duplicates int `json:"duplicates"`
	Fuller     int `json:"fuller"`
	Twins      int `json:"twins"`
}

// Report returns what the import has done at the checkpoint.
func (c *Checkpoint) Report() *ImportReport {
	return &ImportReport{
		Report: c.Track.Report.Clone(), New: c.New, Duplicates: c.Duplicates, Fuller: c.Fuller, Twins: c.Twins,
	}
}

// Faults returns how many faults the import has told of at the checkpoint.
func (c *Checkpoint) Faults() int {
	n := 0
	for _, k := range c.Track.Report.ByFault {
		n += k
	}
	return n
}

// mark returns what stands in the catalogue for a batch of an import. The
// catalogue keeps one for each import: that of its last batch.
func mark(key string, batch int64) store.Input {
	return store.Input{Path: "import:" + key, Size: batch, ModTime: time.Unix(0, 0)}
}

// Stored reports whether a batch is the last that was stored of the import that
// a journal calls by key.
func (l *Library) Stored(ctx context.Context, key string, batch int64) (bool, error) {
	return l.Notes().InputDone(ctx, mark(key, batch))
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

// checkpoint returns the checkpoint of the batch that is about to be stored,
// without what becomes of its records.
func (imp *importer) checkpoint() *Checkpoint {
	imp.batches++
	imp.noted = imp.track.Events
	return &Checkpoint{Batch: imp.batches, Track: imp.track.Clone()}
}

// foretell saves a checkpoint with what will become of the records of its batch,
// and puts its mark into the batch. To ask costs little beside storing.
// Nobody else adds games between it and the batch, or hardly ever: then the
// counts of a run that is killed in between are those of a moment before.
func (imp *importer) foretell(ctx context.Context, b *store.Batch, c *Checkpoint) error {
	pretended := *b
	pretended.DryRun = true
	added, err := imp.store.Add(ctx, pretended)
	if err != nil {
		return err
	}
	r := ImportReport{New: imp.report.New, Duplicates: imp.report.Duplicates, Fuller: imp.report.Fuller, Twins: imp.report.Twins}
	r.count(added)
	c.New, c.Duplicates, c.Fuller, c.Twins = r.New, r.Duplicates, r.Fuller, r.Twins
	b.Inputs = append(b.Inputs, mark(imp.options.Journal.Key, c.Batch))
	return imp.options.Journal.Save(c)
}
