package ingest

import (
	"errors"
	"maps"

	"github.com/zeebo/xxh3"

	"qipu/record"
)

// Track is how far an import has come, in what it handed on: records, faults,
// ends of files. Their order is the same in every run over the same files, so
// that a run which stopped, or was killed, can be gone on with by another one:
// what is behind the track is read again, but neither handed on nor counted.
//
// Run keeps the track up to date. A sink may read it in Add, where the record
// that it is given is behind it already; others may when Run has returned.
type Track struct {
	Events int64   `json:"events"` // handed on so far
	Sum    uint64  `json:"sum"`    // tells them from other ones
	File   int64   `json:"file"`   // the number of the file that they end in: those before are done
	Report *Report `json:"report"` // what they add up to; Unchanged is not among it
}

// ErrChanged tells that the files are not those that a track has come through.
var ErrChanged = errors.New("ingest: the files are not those that were read before")

// Clone returns a copy that no run changes.
func (t *Track) Clone() *Track {
	c := *t
	c.Report = t.Report.Clone()
	return &c
}

// Clone returns a copy that no run changes.
func (r *Report) Clone() *Report {
	if r == nil {
		return newReport()
	}
	c := *r
	for _, m := range []*map[string]int{&c.ByFormat, &c.ByGame, &c.ByEncoding, &c.ByFault} {
		if *m = maps.Clone(*m); *m == nil {
			*m = map[string]int{}
		}
	}
	return &c
}

// passing is how a collector passes over what is behind a track.
type passing struct {
	pass int64  // events still to be passed over
	sum  uint64 // of those that were
}

// start has the collector begin where a track has come to.
func (c *collector) start(t *Track) {
	c.pass = t.Events
	c.report = t.Report.Clone()
	t.Report = c.report
}

// tracked brings the track up to date, and reports whether the event is behind
// it and to be passed over.
func (c *collector) tracked(e *event) bool {
	t := c.Track
	if t == nil || e.played == nil && e.fault == nil && !e.file {
		return false
	}
	if c.pass == 0 {
		if e.bare {
			c.cancel(ErrChanged)
			return true
		}
		t.Events, t.Sum, t.File = t.Events+1, e.sum(t.Sum), e.number
		return false
	}
	c.pass--
	c.sum = e.sum(c.sum)
	switch {
	case c.pass == 0 && c.sum != t.Sum:
		c.cancel(ErrChanged)
	case e.file:
		c.files.Add(1)
	case e.played != nil:
		c.games.Add(1)
	}
	return true
}

// sum adds an event to the sum of those before.
func (e *event) sum(before uint64) uint64 {
	var at record.Place
	kind := uint64(1)
	switch {
	case e.played != nil:
		at, kind = e.played.Game.Place, 2
	case e.fault != nil:
		at, kind = e.fault.Place, 3
	}
	n := (uint64(at.Number)<<40^uint64(at.Offset))<<2 | kind
	return xxh3.HashStringSeed(at.File, before^n*0x9e3779b97f4a7c15)
}

// bytes returns the bytes at the place of a fault of the event.
func (e *event) bytes(i int) []byte {
	if i < len(e.at) {
		return e.at[i]
	}
	return nil
}
