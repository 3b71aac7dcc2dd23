package library

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
)

// Version is another one whenever an answer of the library may be another one.
func (l *Library) Version(ctx context.Context) (store.Version, error) {
	return l.store.Records().Version(ctx)
}

// Counts returns figures of the library.
func (l *Library) Counts(ctx context.Context) (store.Counts, error) {
	return l.store.Records().Counts(ctx)
}

// IDs returns the games of a kind, or all for "". The bitmap is the caller's.
func (l *Library) IDs(ctx context.Context, kind string) (*roaring.Bitmap, error) {
	return l.store.Records().IDs(ctx, kind)
}

// Games returns what lists show of games, in the order asked. It fails with
// store.ErrNoGame where one is not there.
func (l *Library) Games(ctx context.Context, ids []uint32) ([]store.Game, error) {
	return l.store.Records().Games(ctx, ids)
}

// Sources returns all places where a game was found, the first one first.
func (l *Library) Sources(ctx context.Context, id uint32) ([]store.Source, error) {
	return l.store.Records().Sources(ctx, id)
}

// Links returns the games that a game is linked to.
func (l *Library) Links(ctx context.Context, id uint32) ([]store.Link, error) {
	return l.store.Records().Links(ctx, id)
}

// Texts yields the encoded records of games: see [store.Records]. Those that cannot be
// read are noted: see Unread.
func (l *Library) Texts(ctx context.Context, ids []uint32) iter.Seq2[store.Text, error] {
	return func(yield func(store.Text, error) bool) {
		for text, err := range l.store.Records().Texts(ctx, ids) {
			if text.ID != 0 && Damaged(err) {
				l.unread.add(text.ID, err)
			}
			if !yield(text, err) {
				return
			}
		}
	}
}

// unread is the games whose records somebody wanted and could not have.
type unread struct {
	sync.Mutex
	games  roaring.Bitmap
	reason error // of the first
}

func (u *unread) add(id uint32, reason error) {
	u.Lock()
	defer u.Unlock()
	if u.games.Add(id); u.reason == nil {
		u.reason = reason
	}
}

// Unread names the games that were missing from what the library was asked so far,
// because their records cannot be read, by a *store.UnreadableError; nil where there
// were none. Whoever answers goes on without them, and tells in the end.
func (l *Library) Unread() error {
	l.unread.Lock()
	all := store.UnreadableError{Reason: l.unread.reason}
	games := l.unread.games.Clone()
	l.unread.Unlock()
	if l.viewed.Load() {
		if lost, ok := errors.AsType[*store.UnreadableError](l.store.Unread()); ok {
			games.AddMany(lost.Games)
			all.Count, all.Reason = lost.Number(), cmp.Or(all.Reason, lost.Reason)
		}
	}
	if all.Games = games.ToArray(); all.Number() == 0 {
		return nil
	}
	return &all
}

// Results yields moves and results of games of a kind, given by rising number, or of
// all where ids is nil.
func (l *Library) Results(ctx context.Context, kind string, ids []uint32) iter.Seq2[store.ResultRow, error] {
	if ids == nil {
		return l.store.Records().ScanResults(ctx, kind)
	}
	return l.store.Records().Results(ctx, kind, ids)
}

// Keeper returns who keeps the library in order: see [store.Keeper]. Check and Repair
// of the library itself do more.
func (l *Library) Keeper() store.Keeper { return l.store }

// MarksVersion is another one when the index of names has changed.
func (l *Library) MarksVersion() store.Version { return l.store.MarksVersion() }
