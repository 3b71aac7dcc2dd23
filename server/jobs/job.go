package jobs

import (
	"errors"
	"maps"
	"slices"
	"time"

	"qipu/library"
	"qipu/view"
)

// What callers branch on.
var (
	ErrNotFound = errors.New("jobs: there is no such job")
	ErrState    = errors.New("jobs: the job is not in a state for that")
	ErrBusy     = errors.New("jobs: too many jobs are waiting")
	ErrTooLarge = errors.New("jobs: too large")
	ErrOutside  = errors.New("jobs: outside the folder that may be read")
	ErrInvalid  = errors.New("jobs: cannot be done")
	ErrClosed   = errors.New("jobs: closed")
)

// State is where a job stands.
type State string

// The states of a job. A job goes from Uploading to Waiting to Running, and from
// there to one of the others; Resume takes it from those but Done to Waiting. One that
// somebody has to agree to is Held before it is Waiting, until Accept.
const (
	Uploading   State = "uploading"
	Held        State = "held"
	Waiting     State = "waiting"
	Running     State = "running"
	Done        State = "done"
	Failed      State = "failed"
	Cancelled   State = "cancelled"
	Interrupted State = "interrupted" // the server was stopped; goes on by itself
)

// Ended reports whether nothing more happens to a job in the state by itself.
func (s State) Ended() bool { return s == Done || s == Failed || s == Cancelled }

// Source is where the records of a job come from.
type Source string

// The sources.
const (
	FromUpload Source = "upload"
	FromPaste  Source = "paste"
	FromSample Source = "sample"
	FromPath   Source = "path" // a folder of the server
	FromNet    Source = "net"  // a public site
)

// Spec is what somebody asks for.
type Spec struct {
	Title      string `json:"title"`
	Collection string `json:"collection"` // the records come into it; made where there is none
	CheckOnly  bool   `json:"checkOnly"`  // reads and reports, and stores nothing
	Variations bool   `json:"variations"` // checks the moves of all lines, not only of the main one
	Encoding   string `json:"encoding"`   // overrides what files declare
	Again      bool   `json:"again"`      // reads files of the server that are known, too
	Fetch      string `json:"fetch"`      // what is fetched from the net: SITE:USER or an address
	By         string `json:"by"`         // the profile that sent it; empty for the owner and for who has none
	Hold       bool   `json:"hold"`       // waits for somebody to agree
}

// Job is an import, as it stands at one moment. It shares nothing with the
// Manager.
type Job struct {
	ID     int64  `json:"id"`
	Source Source `json:"source"`
	Spec
	State State `json:"state"`

	Created time.Time `json:"created"`
	Queued  time.Time `json:"queued"`  // when it began to wait last
	Started time.Time `json:"started"` // when it ran first; zero before
	Ended   time.Time `json:"ended"`   // zero before

	Files     []view.JobFile `json:"files"` // the first of them
	FileCount int            `json:"fileCount"`
	Bytes     int64          `json:"bytes"`   // of all files
	Outside   int            `json:"outside"` // links that were left out because they lead out of the folder

	Progress view.Progress  `json:"progress"`
	Counts   view.JobCounts `json:"counts"`
	Faults   int64          `json:"faults"` // in the list
	Change   int64          `json:"change"` // what it is in the journal of the library; 0 where nothing was stored

	Runs      int    `json:"runs"`      // how often it was begun or gone on with
	Restarted bool   `json:"restarted"` // its files changed meanwhile, and were read from the start again
	Error     string `json:"error"`     // why it failed
	Hint      string `json:"hint"`      // what to do about it
}

// shownFiles is how many files a Job names itself.
const shownFiles = 100

// countsOf returns what an import did. While a job runs, it is what it did up to the
// last batch that was stored.
func countsOf(r *library.ImportReport) view.JobCounts {
	in := r.Report.Clone()
	return view.JobCounts{
		New: r.New, Duplicates: r.Duplicates, Fuller: r.Fuller, Twins: r.Twins,
		Records: in.Games, Legal: in.Legal, Marked: in.Marked, Rejected: in.Rejected,
		Skipped: in.Skipped, Unchanged: in.Unchanged,
		ByFormat: in.ByFormat, ByGame: in.ByGame, ByEncoding: in.ByEncoding, ByFault: in.ByFault,
	}
}

// clone returns a copy that shares nothing, with lists and maps that are not nil.
func (j *Job) clone() Job {
	c := *j
	c.Files = append([]view.JobFile{}, j.Files...)
	c.Counts = cloned(j.Counts)
	return c
}

func cloned(c view.JobCounts) view.JobCounts {
	for _, m := range []*map[string]int{&c.ByFormat, &c.ByGame, &c.ByEncoding, &c.ByFault} {
		if *m = maps.Clone(*m); *m == nil {
			*m = map[string]int{}
		}
	}
	return c
}

// View returns the public form of a job.
func (j *Job) View() *view.Job {
	return &view.Job{
		ID: j.ID, By: j.By, Title: j.Title, Source: string(j.Source), State: string(j.State), Collection: j.Collection, DryRun: j.CheckOnly,
		Variations: j.Variations, Encoding: j.Encoding, Files: append([]view.JobFile{}, j.Files...), FileCount: j.FileCount, Bytes: j.Bytes, Outside: j.Outside,
		Progress: j.Progress, Counts: j.Counts, Faults: int(j.Faults), Change: j.Change, Error: j.Error, Hint: j.Hint, Runs: j.Runs, Created: j.Created, Started: timeOf(j.Started), Ended: timeOf(j.Ended),
	}
}

// timeOf returns a time, or nil where it is not known.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// stored is what job.json holds.
type stored struct {
	Job
	Key string `json:"key"` // of the journal in the catalogue
}

// entry is a line of files.ndjson.
type entry struct {
	view.JobFile
	Path string `json:"path"` // in the spool or below the root, with slashes
}

// byQueue orders jobs as they are run.
func byQueue(list []*task) {
	slices.SortFunc(list, func(a, b *task) int {
		if c := a.Queued.Compare(b.Queued); c != 0 {
			return c
		}
		return int(a.ID - b.ID)
	})
}
