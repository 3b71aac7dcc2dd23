package jobs

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"qipu/record"
	"qipu/view"
	"qipu/view/recordview"
)

// Filter chooses faults. The zero value means all.
type Filter struct {
	Kind     string
	Severity string
}

func (f Filter) fits(x *view.Fault) bool {
	return (f.Kind == "" || f.Kind == x.Kind) && (f.Severity == "" || f.Severity == x.Severity)
}

const (
	// maxFaults bounds a page, and scanBytes what is read for one: where few
	// faults fit a filter, a page may have less than was asked for.
	maxFaults = 1000
	scanBytes = 64 << 20
)

// Faults returns a page of the list of a job: the faults that fit, behind a
// cursor, which is 0 for the first page and then Page.Next of the page before.
// While a job runs, its list grows: to ask for what has come since the last
// page, Page.At is the cursor. It costs what the page has lines, not the list.
func (m *Manager) Faults(id, after int64, limit int, filter Filter) (Page, error) {
	page := Page{Faults: []view.Fault{}, At: after}
	if _, err := m.Get(id); err != nil {
		return page, err
	}
	if limit <= 0 || limit > maxFaults {
		limit = maxFaults
	}
	if after < 0 {
		return page, fmt.Errorf("%w: a cursor is not negative", ErrInvalid)
	}
	f, err := os.Open(filepath.Join(m.folder(id), faultsFile))
	if errors.Is(err, os.ErrNotExist) {
		return page, nil
	}
	if err != nil {
		return page, err
	}
	defer f.Close()
	if after > 0 { // a cursor stands behind a line
		var before [1]byte
		if _, err := f.ReadAt(before[:], after-1); err != nil || before[0] != '\n' {
			return page, fmt.Errorf("%w: no such place in the list of faults: begin again without a cursor", ErrInvalid)
		}
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f, after, 1<<62), 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return page, nil // a line that is being written is for the next time
		}
		if err != nil {
			return page, err
		}
		var x view.Fault
		if err := json.Unmarshal(line, &x); err != nil {
			return page, fmt.Errorf("jobs: the list of faults of job %d is damaged: %w", id, err)
		}
		page.At += int64(len(line))
		if filter.fits(&x) {
			page.Faults = append(page.Faults, x)
		}
		if len(page.Faults) == limit || page.At-after > scanBytes {
			if _, err := r.Peek(1); err == nil {
				page.Next = page.At
			}
			return page, nil
		}
	}
}

// Page is a part of a list of faults.
type Page struct {
	Faults []view.Fault
	Next   int64 // the cursor of the next page; 0 where there is none yet
	At     int64 // the cursor behind this page
}

const faultsFile = "faults.ndjson"

// faultList writes the list of a job.
type faultList struct {
	mu   sync.Mutex
	file *os.File
	w    *bufio.Writer
	n    int64
	err  error // of the first line that could not be written
}

// openFaults opens the list of a job, cut to its first n lines. It reports false
// where there are fewer: the list is empty then.
func openFaults(path string, n int64) (*faultList, bool, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, false, err
	}
	whole, err := cutLines(f, n)
	if err != nil {
		f.Close()
		return nil, false, err
	}
	if !whole {
		n = 0
	}
	return &faultList{file: f, w: bufio.NewWriter(f), n: n}, whole, nil
}

// faultOf returns what users read of a fault.
func faultOf(f *record.Fault, at []byte, number int) view.Fault {
	w := recordview.FaultOf(number, f)
	w.Excerpt = excerpt(at)
	return w
}

// add appends a fault.
func (l *faultList) add(f *record.Fault, at []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	line, err := json.Marshal(faultOf(f, at, int(l.n)))
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	if l.err == nil {
		l.err = err
	}
}

// count returns how many there are.
func (l *faultList) count() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// flush has all readers see what was added, and with sync survive a power cut.
func (l *faultList) flush(sync bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.w.Flush(); l.err == nil {
		l.err = err
	}
	if l.err == nil && sync {
		l.err = l.file.Sync()
	}
	return l.err
}

func (l *faultList) close() error { return errors.Join(l.flush(true), l.file.Close()) }

// excerptRunes is how long an excerpt is at most.
const excerptRunes = 60

// excerpt makes bytes of a file fit to be shown: one line, without what cannot
// be printed. Bytes that are no UTF-8, be they text in another encoding or none,
// are a dot each.
func excerpt(data []byte) string {
	var b strings.Builder
	for n := 0; len(data) > 0 && n < excerptRunes; n++ {
		c, size := utf8.DecodeRune(data)
		switch {
		case c == utf8.RuneError && size <= 1:
			if !utf8.FullRune(data) {
				return strings.TrimSpace(b.String()) // a character that the end cuts
			}
			c = '·'
		case c == '\n' || c == '\r' || c == '\t':
			c = ' '
		case !unicode.IsPrint(c):
			c = '·'
		}
		b.WriteRune(c)
		data = data[size:]
	}
	return strings.TrimSpace(b.String())
}
