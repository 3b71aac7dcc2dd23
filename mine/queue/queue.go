package queue

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"qipu/library"
)

// file is the name of the queue in the library.
const file = "queue.findings"

// Bounds of a queue: what is longer is refused in a sentence.
const (
	Most       = 10_000 // findings
	mostName   = 100    // letters of the name of a reader
	mostReason = 1000   // and of a reason
)

// What a reader may say.
const (
	Accept = "accept"
	Reject = "reject"
	Unsure = "unsure"
)

// Words returns what a reader may say.
func Words() []string { return []string{Accept, Reject, Unsure} }

// What has become of a finding.
const (
	Open     = "open"     // nobody has read it
	Accepted = "accepted" // and nobody has rejected it
	Rejected = "rejected" // and nobody has accepted it
	Disputed = "disputed" // readers differ
	Doubtful = "unsure"   // who has read it is not sure
)

// States returns what may become of findings, in the order in which they want work.
func States() []string { return []string{Open, Disputed, Doubtful, Accepted, Rejected} }

// Errors that callers tell apart.
var (
	ErrNone    = errors.New("no such finding is in the queue")
	ErrVerdict = errors.New("it is no verdict")
	ErrFull    = fmt.Errorf("the queue has %d findings, and takes no more: judge some, and take them out", Most)
	ErrNotYet  = errors.New("only what is accepted, and rejected by nobody, becomes an entry")
)

// Place is a position of a game that a finding is about.
type Place struct {
	Record uint32 `json:"record"`
	Ply    int    `json:"ply"`
}

// Verdict is what a reader says of a finding.
type Verdict struct {
	Reader string `json:"reader"`
	Says   string `json:"says"`
	Reason string `json:"reason,omitempty"`
	Day    string `json:"day,omitempty"` // 2026-01-31
}

// Finding is something that waits for readers, or was judged by them.
type Finding struct {
	ID       string  `json:"id"`
	Kind     string  `json:"kind"` // rule, sequence, together, next
	Game     string  `json:"game"`
	Among    string  `json:"among"` // the query whose games were mined
	At       string  `json:"at"`    // the moment at which they were looked at
	Title    string  `json:"title"` // what it is about, in a few words
	Sentence string  `json:"sentence"`
	Query    string  `json:"query"` // what finds the games behind it
	Games    int     `json:"games"`
	Effect   float64 `json:"effect"`
	Error    float64 `json:"error"`
	Q        float64 `json:"q"`
	Samples  []Place `json:"samples"`
	Day      string  `json:"day"` // when it was found

	// Names are the ids of what has a name and the finding is about, and Sides whose each
	// is: 0, 1, or -1 for both.
	Names []string `json:"names,omitempty"`
	Sides []int    `json:"sides,omitempty"`

	Verdicts []Verdict `json:"verdicts,omitempty"`
	Entry    string    `json:"entry,omitempty"`   // the name of what it has become
	As       string    `json:"as,omitempty"`      // and what that is: AsQuery where it is empty
	Entered  string    `json:"entered,omitempty"` // the day
}

// Identify gives a finding its id, which is the same whenever the same is found again.
func (f *Finding) Identify() {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n%s", f.Game, f.Kind, f.At, f.Query, f.Title)
	f.ID = fmt.Sprintf("%010x", h.Sum64()>>24)
}

// State returns what has become of a finding.
func (f *Finding) State() string {
	switch yes, no := f.count(Accept), f.count(Reject); {
	case len(f.Verdicts) == 0:
		return Open
	case yes > 0 && no > 0:
		return Disputed
	case yes > 0:
		return Accepted
	case no > 0:
		return Rejected
	}
	return Doubtful
}

func (f *Finding) count(says string) (n int) {
	for i := range f.Verdicts {
		if f.Verdicts[i].Says == says {
			n++
		}
	}
	return n
}

// Ripe reports whether two readers have accepted a finding that is no entry yet, and none
// has rejected it.
func (f *Finding) Ripe() bool {
	return f.Entry == "" && f.count(Accept) >= 2 && f.State() == Accepted
}

// Queue is all findings, in the order in which they came.
type Queue struct{ Findings []Finding }

// Read reads the queue of a library.
func Read(lib *library.Library) (*Queue, error) {
	data, err := lib.Kept(file)
	if err != nil {
		return nil, err
	}
	return parse(data)
}

// Change changes the queue of a library while nobody else writes to it.
func Change(ctx context.Context, lib *library.Library, change func(*Queue) error) error {
	return lib.Keep(ctx, file, func(old []byte) ([]byte, error) {
		q, err := parse(old)
		if err == nil {
			err = change(q)
		}
		if err != nil {
			return nil, err
		}
		return q.lines()
	})
}

// parse reads the lines of a queue. One that cannot be read is an error that names it, so
// that nothing is lost when the queue is written again.
func parse(data []byte) (*Queue, error) {
	q := &Queue{}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var f Finding
		if err := json.Unmarshal(line, &f); err != nil {
			return nil, fmt.Errorf("line %d of %s is no finding: %w", n, file, err)
		}
		if f.ID == "" || f.Sentence == "" {
			return nil, fmt.Errorf("line %d of %s is no finding: it has no id or no sentence", n, file)
		}
		if len(f.Sides) != len(f.Names) {
			return nil, fmt.Errorf("line %d of %s is no finding: %d names and %d sides", n, file, len(f.Names), len(f.Sides))
		}
		q.Findings = append(q.Findings, f)
	}
	return q, nil
}

func (q *Queue) lines() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range q.Findings {
		if err := e.Encode(&q.Findings[i]); err != nil {
			return nil, fmt.Errorf("the queue cannot be written: %w", err)
		}
	}
	return b.Bytes(), nil
}

// Find returns the finding of an id, or of the beginning of one where it is the only one.
func (q *Queue) Find(id string) (*Finding, error) {
	var found *Finding
	for i := range q.Findings {
		f := &q.Findings[i]
		if f.ID == id {
			return f, nil
		}
		if id != "" && strings.HasPrefix(f.ID, id) {
			if found != nil {
				return nil, fmt.Errorf("%w: %q begins several ids", ErrNone, id)
			}
			found = f
		}
	}
	if found == nil {
		return nil, fmt.Errorf("%w: %q", ErrNone, id)
	}
	return found, nil
}

// Add puts a finding into the queue. One that is there already gets its new figures and
// keeps its verdicts; then false is returned.
func (q *Queue) Add(f Finding) (bool, error) {
	f.Identify()
	if old, err := q.Find(f.ID); err == nil && old.ID == f.ID {
		f.Verdicts, f.Entry, f.Entered, f.Day = old.Verdicts, old.Entry, old.Entered, old.Day
		f.As = old.As
		*old = f
		return false, nil
	}
	if len(q.Findings) >= Most {
		return false, ErrFull
	}
	q.Findings = append(q.Findings, f)
	return true, nil
}

// Drop takes a finding out of the queue. The entry that it has become stays.
func (q *Queue) Drop(id string) error {
	f, err := q.Find(id)
	if err != nil {
		return err
	}
	q.Findings = slices.DeleteFunc(q.Findings, func(x Finding) bool { return x.ID == f.ID })
	return nil
}

// Judge notes the verdict of a reader, in place of the one that the reader gave before.
func (q *Queue) Judge(id string, v Verdict) (*Finding, error) {
	f, err := q.Find(id)
	if err != nil {
		return nil, err
	}
	v.Reader, v.Reason = strings.TrimSpace(v.Reader), strings.TrimSpace(v.Reason)
	switch {
	case !slices.Contains(Words(), v.Says):
		return nil, fmt.Errorf("%w: %q; a reader says accept, reject or unsure", ErrVerdict, v.Says)
	case v.Reader == "":
		return nil, fmt.Errorf("%w: nobody is named who gives it", ErrVerdict)
	case utf8.RuneCountInString(v.Reader) > mostName || strings.ContainsFunc(v.Reader, unicode.IsControl):
		return nil, fmt.Errorf("%w: the name of a reader is a line of at most %d letters", ErrVerdict, mostName)
	case v.Says == Reject && v.Reason == "":
		return nil, fmt.Errorf("%w: who rejects a finding gives a reason", ErrVerdict)
	case utf8.RuneCountInString(v.Reason) > mostReason:
		return nil, fmt.Errorf("%w: a reason has at most %d letters", ErrVerdict, mostReason)
	}
	at := slices.IndexFunc(f.Verdicts, func(x Verdict) bool { return x.Reader == v.Reader })
	if at < 0 {
		f.Verdicts = append(f.Verdicts, v)
	} else {
		f.Verdicts[at] = v
	}
	return f, nil
}
