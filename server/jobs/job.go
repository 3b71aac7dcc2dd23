package jobs

import (
	"errors"
	"maps"
	"slices"
	"time"

	"qipu/library"
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
// there to one of the others; Resume takes it from those but Done to Waiting.
const (
	Uploading   State = "uploading"
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
)

// Spec is what somebody asks for.
type Spec struct {
	Title      string `json:"title"`
	Collection string `json:"collection"` // the records come into it; made where there is none
	CheckOnly  bool   `json:"checkOnly"`  // reads and reports, and stores nothing
	Variations bool   `json:"variations"` // checks the moves of all lines, not only of the main one
	Encoding   string `json:"encoding"`   // overrides what files declare
	Again      bool   `json:"again"`      // reads files of the server that are known, too
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

	Files     []File `json:"files"` // the first of them
	FileCount int    `json:"fileCount"`
	Bytes     int64  `json:"bytes"`   // of all files
	Outside   int    `json:"outside"` // links that were left out because they lead out of the folder

	Progress Progress `json:"progress"`
	Counts   Counts   `json:"counts"`
	Faults   int64    `json:"faults"` // in the list

	Runs      int    `json:"runs"`      // how often it was begun or gone on with
	Restarted bool   `json:"restarted"` // its files changed meanwhile, and were read from the start again
	Error     string `json:"error"`     // why it failed
	Hint      string `json:"hint"`      // what to do about it
}

// shownFiles is how many files a Job names itself.
const shownFiles = 100

// File is a file of a job, under the name that the user knows.
type File struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// Progress tells how far a job has come.
type Progress struct {
	Bytes   int64   `json:"bytes"` // read so far, packed as they are
	Total   int64   `json:"total"`
	Files   int64   `json:"files"` // read so far, those in archives too
	Records int64   `json:"records"`
	Rate    float64 `json:"rate"`    // records a second, lately
	Elapsed float64 `json:"elapsed"` // seconds that it ran
	ETA     float64 `json:"eta"`     // seconds that it will go on; negative where unknown
}

// Counts are what an import did. While a job runs, they are those of the last
// batch that was stored.
type Counts struct {
	New        int `json:"new"`
	Duplicates int `json:"duplicates"`
	Fuller     int `json:"fuller"`
	Twins      int `json:"twins"`

	Records  int `json:"records"`
	Legal    int `json:"legal"`
	Marked   int `json:"marked"`
	Rejected int `json:"rejected"`
	Moves    int `json:"moves"`

	FilesRead int `json:"filesRead"`
	Skipped   int `json:"skipped"`   // files of no known format
	Unchanged int `json:"unchanged"` // files that were read before

	ByFormat   map[string]int `json:"byFormat"`
	ByGame     map[string]int `json:"byGame"`
	ByEncoding map[string]int `json:"byEncoding"`
	ByFault    map[string]int `json:"byFault"`
}

func countsOf(r *library.ImportReport) Counts {
	in := r.Report.Clone()
	return Counts{
		New: r.New, Duplicates: r.Duplicates, Fuller: r.Fuller, Twins: r.Twins,
		Records: in.Games, Legal: in.Legal, Marked: in.Marked, Rejected: in.Rejected, Moves: in.Moves,
		FilesRead: in.Files, Skipped: in.Skipped, Unchanged: in.Unchanged,
		ByFormat: in.ByFormat, ByGame: in.ByGame, ByEncoding: in.ByEncoding, ByFault: in.ByFault,
	}
}

// clone returns a copy that shares nothing, with lists and maps that are not nil.
func (j *Job) clone() Job {
	c := *j
	c.Files = append([]File{}, j.Files...)
	c.Counts = j.Counts.clone()
	return c
}

func (c Counts) clone() Counts {
	for _, m := range []*map[string]int{&c.ByFormat, &c.ByGame, &c.ByEncoding, &c.ByFault} {
		if *m = maps.Clone(*m); *m == nil {
			*m = map[string]int{}
		}
	}
	return c
}

// stored is what job.json holds.
type stored struct {
	Job
	Key string `json:"key"` // of the journal in the catalogue
}

// entry is a line of files.ndjson.
type entry struct {
	File
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
