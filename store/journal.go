package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// TrashTerm is how long games and records stay in the trash.
const TrashTerm = 30 * 24 * time.Hour

// What entries of the journal are about.
const (
	OpImport  = "import"  // records were read, in any number of batches
	OpAdd     = "add"     // records were added, such as that of a game that was played
	OpSources = "sources" // places were noted where games were found
	OpDelete  = "delete"
	OpRestore = "restore" // out of the trash
	OpEdit    = "edit"    // headers were corrected
	OpResults = "results" // results that were stored wrongly were counted anew
	OpUndo    = "undo"
	OpSeveral = "several" // more than one of these at once

	OpTag, OpUntag, OpRenameTag, OpDropTag = "tag", "untag", "rename-tag", "drop-tag"

	OpCollect, OpUncollect                                   = "collect", "uncollect"
	OpCreateCollection, OpRenameCollection, OpDropCollection = "create-collection", "rename-collection", "drop-collection"

	OpSaveQuery, OpRenameQuery, OpDropQuery = "save-query", "rename-query", "drop-query"

	OpNames, OpUndoNames = "names", "undo-names"
)

// Change is an entry of the journal: something that was changed, by whom and when.
type Change struct {
	ID       int64
	At       time.Time
	Who      string // the id of a profile, "" for the owner of the machine
	Op       string
	Args     map[string]any // what people are told of it: texts, lists of texts, numbers
	Key      string         // of the deed that it is, where that has one
	Count    int            // how many games, or where it is about none how many other things
	Undoes   int64          // the entry that it undoes; 0 for none
	UndoneBy int64          // the entry that has undone it; 0 for none
}

// Text returns an argument that is a text, "" where there is none.
func (e *Change) Text(name string) string {
	s, _ := e.Args[name].(string)
	return s
}

// Undone is what an undo did: the entry that it is itself, and what it left as it is,
// in sentences.
type Undone struct {
	Change
	Left []string
}

// Deed is what the changes of a context are part of, where they are more than each for
// itself: an import in many batches is one entry of the journal. Whoever hands changes on to
// another process hands the deed on, too, as it does with Who.
type Deed struct {
	Key  string // changes under one key are one entry; "" for an entry of its own
	Op   string // "" for what the changes themselves are
	Args map[string]any
}

type deedKey struct{}

// Within returns a context for what is part of a deed. Within another one it stays part of
// that.
func Within(ctx context.Context, d Deed) context.Context {
	if had := DeedOf(ctx); had.Op != "" || had.Key != "" {
		return ctx
	}
	return context.WithValue(ctx, deedKey{}, d)
}

// DeedOf returns what the changes of a context are part of; the zero value for nothing.
func DeedOf(ctx context.Context) Deed {
	d, _ := ctx.Value(deedKey{}).(Deed)
	return d
}

// Page chooses some of a long list, the newest first.
type Page struct {
	Before int64 // entries older than the one of this number; 0 from the newest on
	Limit  int   // at most so many; 0 for all
	Op     string
	Who    *string
	Key    string // of a deed
}

// Trashed is a deleted game.
type Trashed struct {
	Game
	At    time.Time // when it was deleted
	Until time.Time // when it goes for good
	By    int64     // the entry of the journal that deleted it
}

// Correction is a header of a game that was corrected. A value of nil is what the record
// says itself.
type Correction struct {
	Game  uint32
	Field string // see facts.Fields
	Value *string
}

// Journal tells what was changed in a library. What is not there is ErrNoRow. Bitmaps are
// the caller's.
type Journal interface {
	// Changes returns entries, the newest first.
	Changes(ctx context.Context, p Page) ([]Change, error)

	// Change returns one, and ChangeGames the games that it was about, which may be gone.
	Change(ctx context.Context, id int64) (Change, error)
	ChangeGames(ctx context.Context, id int64) (*roaring.Bitmap, error)

	// Added returns the games that came into the library from a moment on, before another.
	Added(ctx context.Context, from, to time.Time) (*roaring.Bitmap, error)

	// Trash returns the games that can be brought back, those deleted last first.
	Trash(ctx context.Context, p Page) ([]Trashed, error)

	// Corrections returns what was corrected of games, by rising number and field; of
	// all where ids is nil.
	Corrections(ctx context.Context, ids []uint32) ([]Correction, error)
}

// Mender takes changes back.
type Mender interface {
	// Undo undoes an entry of the journal, as far as it still holds: what was changed anew
	// since, or is gone for good, stays. It fails with a *NotUndoneError where there is
	// nothing that it could do.
	Undo(ctx context.Context, id int64) (Undone, error)

	// Restore brings games back out of the trash, with their tags and collections.
	Restore(ctx context.Context, ids []uint32) (Undone, error)

	// Correct corrects headers of games. Records stay as they came; all that is asked of
	// the library follows. Corrections that change nothing are passed over. It returns
	// how many games have other headers now.
	Correct(ctx context.Context, list []Correction) (int, error)

	// Purge deletes what has been in the trash since a moment or longer, for good: its
	// bytes are overwritten. It returns how many games that were.
	Purge(ctx context.Context, until time.Time) (int, error)
}

// ErrUndone tells that an entry has been undone already.
var ErrUndone = errors.New("it is undone already")

// NotUndoneError tells why nothing of an entry could be undone.
type NotUndoneError struct {
	ID   int64
	Left []string
}

func (e *NotUndoneError) Error() string {
	if len(e.Left) == 0 {
		return fmt.Sprintf("change %d cannot be undone: nothing of it is left", e.ID)
	}
	return fmt.Sprintf("change %d cannot be undone: %s", e.ID, strings.Join(e.Left, "; "))
}

// On their way to another process, changes and corrections are JSON: the coding of the
// standard library drops what is empty.

func (c Correction) GobEncode() ([]byte, error)   { return json.Marshal(correction(c)) }
func (c *Correction) GobDecode(data []byte) error { return json.Unmarshal(data, (*correction)(c)) }

type correction Correction // without the methods

func (u Undone) GobEncode() ([]byte, error) { return json.Marshal(undone{u.Change, u.Left}) }

func (u *Undone) GobDecode(data []byte) error {
	var x undone
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&x); err != nil {
		return err
	}
	for name, v := range x.Change.Args {
		if n, ok := v.(json.Number); ok {
			x.Change.Args[name], _ = n.Int64()
		}
	}
	u.Change, u.Left = x.Change, x.Left
	return nil
}

type undone struct {
	Change Change
	Left   []string
}
