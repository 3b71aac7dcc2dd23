package remote

import (
	"context"
	"errors"

	"qipu/play"
	"qipu/record/facts"
	"qipu/remedy"
	"qipu/store"
)

// fault is an error on its way to another process: what callers branch on, and the
// text.
type fault struct {
	Text   string
	Is     []int // the errors of known that it is
	Remedy remedy.Remedy

	Unreadable *unreadable
	Staged     *store.StagedError // without its reason
	NotUndone  *store.NotUndoneError
}

type unreadable struct {
	Games  []uint32
	Count  int
	Reason *fault
}

// known are the errors that both sides know by number: new ones come behind the others.
var known = []error{
	store.ErrNoLibrary, store.ErrNoGame, store.ErrNoRow, store.ErrExists, store.ErrReadOnly, store.ErrTooLarge, store.ErrDamaged, store.ErrFull,
	store.ErrClosed, play.ErrUnknown, play.ErrStale, context.Canceled, context.DeadlineExceeded, ErrStalled,
	store.ErrUndone, facts.ErrField,
}

// ErrStalled tells that a transaction was rolled back because its owner did not go on
// with it while others waited.
var ErrStalled = errors.New("remote: the change was taken back, because this program did not go on with it for ten seconds while others waited: do it again")

func faultOf(err error) *fault {
	if err == nil {
		return nil
	}
	f := &fault{Text: err.Error()}
	for i, e := range known {
		if errors.Is(err, e) {
			f.Is = append(f.Is, i)
		}
	}
	f.Remedy, _ = remedy.Of(err)
	if u, ok := errors.AsType[*store.UnreadableError](err); ok {
		f.Unreadable = &unreadable{u.Games, u.Count, faultOf(u.Reason)}
	}
	if s, ok := errors.AsType[*store.StagedError](err); ok {
		f.Staged = &store.StagedError{Games: s.Games, Dir: s.Dir}
	}
	f.NotUndone, _ = errors.AsType[*store.NotUndoneError](err)
	return f
}

// told is an error of another process.
type told struct {
	text string
	is   []error
}

func (e *told) Error() string   { return e.text }
func (e *told) Unwrap() []error { return e.is }

func (f *fault) err() error {
	if f == nil {
		return nil
	}
	if u := f.Unreadable; u != nil {
		return &store.UnreadableError{Games: u.Games, Count: u.Count, Reason: u.Reason.err()}
	}
	if f.NotUndone != nil {
		return f.NotUndone
	}
	e := &told{text: f.Text}
	for _, i := range f.Is {
		if i >= 0 && i < len(known) {
			e.is = append(e.is, known[i])
		}
	}
	if s := f.Staged; s != nil {
		return &store.StagedError{Games: s.Games, Dir: s.Dir, Err: e}
	}
	if f.Remedy.Code != "" {
		return remedy.ForThis(e, f.Remedy)
	}
	return e
}
