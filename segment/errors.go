package segment

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// What callers branch on. All but ErrNewer are answered by building the file
// anew.
var (
	ErrCorrupt = errors.New("damaged: rebuild the index")
	ErrNewer   = errors.New("written by a newer qipu: update this one, or rebuild the index with it")
	ErrOlder   = errors.New("written by an older qipu: rebuild the index")
	ErrKind    = errors.New("another kind of segment than was asked for")
)

// CorruptError tells where a file is damaged. It matches ErrCorrupt.
type CorruptError struct {
	Path    string // empty where Guard cannot know it
	Section string // empty where the damage is in no section
	Page    int    // -1 where the damage is in no page
	Reason  string
}

func (e *CorruptError) Error() string {
	var b strings.Builder
	b.WriteString("segment: ")
	if e.Path != "" {
		b.WriteString(e.Path + ": ")
	}
	if e.Section != "" {
		fmt.Fprintf(&b, "section %q: ", e.Section)
	}
	if e.Page >= 0 {
		fmt.Fprintf(&b, "page %d: ", e.Page)
	}
	return b.String() + e.Reason + ": " + ErrCorrupt.Error()
}

// Is makes errors.Is(err, ErrCorrupt) true.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// Guard runs fn and turns a memory fault in it into a CorruptError: a file that
// was shortened, or that cannot be read, faults where its map is touched. All
// other panics go on. What fn leaves half done when it faults is its own
// affair: it must hold no locks that it does not release by defer.
//
// Only the goroutine of the call is guarded; goroutines that fn starts need a
// Guard each. Guards may be nested. One costs some ten nanoseconds: put it
// around a query, not around a look-up.
func Guard(fn func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr // only faults at an address have it; a nil pointer has not
		}:
			err = &CorruptError{Page: -1, Reason: "a mapped file cannot be read any more; it was shortened, or its disk fails"}
		default:
			panic(r)
		}
	}()
	return fn()
}
