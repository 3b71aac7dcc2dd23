package library

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/record"
	"qipu/store"
)

// Journal tells what was changed in the library: see [store.Journal].
func (l *Library) Journal() store.Journal { return l.store.Journal() }

// Undo undoes a change: see [store.Mender].
func (l *Library) Undo(ctx context.Context, id int64) (store.Undone, error) {
	return l.mend(ctx, func() (store.Undone, error) { return l.store.Undo(ctx, id) })
}

// Restore brings games back out of the trash.
func (l *Library) Restore(ctx context.Context, ids []uint32) (store.Undone, error) {
	return l.mend(ctx, func() (store.Undone, error) { return l.store.Restore(ctx, ids) })
}

// mend tells the watcher of the games of a change that is known when it is done.
func (l *Library) mend(ctx context.Context, do func() (store.Undone, error)) (undone store.Undone, err error) {
	games := map[uint32]*record.Played{}
	if l.watcher != nil {
		l.watcher.Begin()
		defer func() { l.watcher.End(games) }()
	}
	undone, err = do()
	if err != nil || l.watcher == nil {
		return undone, err
	}
	var set *roaring.Bitmap
	if set, err = l.Journal().ChangeGames(context.WithoutCancel(ctx), undone.ID); err == nil {
		for it := set.Iterator(); it.HasNext(); {
			games[it.Next()] = nil
		}
	}
	return undone, err
}

// Correct corrects headers of games, and returns how many have others now: see
// [store.Mender].
func (l *Library) Correct(ctx context.Context, list []store.Correction) (int, error) {
	if l.watcher != nil {
		l.watcher.Begin()
		games := map[uint32]*record.Played{}
		for _, c := range list {
			games[c.Game] = nil
		}
		defer l.watcher.End(games)
	}
	return l.store.Correct(ctx, list)
}

// Purge deletes what has been in the trash since a moment or longer, for good.
func (l *Library) Purge(ctx context.Context, until time.Time) (int, error) {
	return l.store.Purge(ctx, until)
}

// ImportKey returns the key in the journal of the library of an import by the key of its own
// journal.
func ImportKey(key string) string { return "import:" + key }

// importDeed returns what the batches of an import are part of. One that is gone on with is
// the same change.
func importDeed(key string, from []string) store.Deed {
	if key == "" {
		key = rand.Text()
	}
	const most = 8
	args := map[string]any{"from": from[:min(len(from), most)]}
	if len(from) > most {
		args["more"] = len(from) - most
	}
	return store.Deed{Key: ImportKey(key), Op: store.OpImport, Args: args}
}

// headerTags are the names that formats give to headers, by what is corrected of them.
var headerTags = map[string][]string{
	"result": {"re", "result"}, "date": {"dt", "date"}, "event": {"ev", "event", "gn"}, "round": {"ro", "round"}, "place": {"pc", "site", "place"},
	"komi": {"km", "komi"}, "handicap": {"ha", "handicap"}, "ruleset": {"ru", "rules"}, "first": {"pb", "pw", "black", "red", "white"}, "second": {"pb", "pw", "black", "red", "white"},
	"first-rank": {"br", "wr"}, "second-rank": {"br", "wr"}, "opening": {"on", "opening"}, "code": {"ecco", "eco", "code"}, "source": {"so", "source"},
	"author": {"an", "annotator", "author"}, "time": {"tm", "time"},
}

// Corrected lays corrections over a record. Its headers are then what any format writes of
// them: the bytes that it came in, and the words of its own format for what was corrected, are
// gone.
func Corrected(g *record.Game, list []store.Correction) {
	if len(list) == 0 {
		return
	}
	gone := map[string]bool{}
	for _, c := range list {
		if c.Value == nil || g.Facts.Set(c.Field, *c.Value) != nil {
			continue
		}
		for _, name := range headerTags[c.Field] {
			gone[name] = true
		}
	}
	g.Raw, g.Format = nil, ""
	g.Tags = slices.DeleteFunc(slices.Clone(g.Tags), func(t record.Tag) bool { return gone[strings.ToLower(t.Name)] })
}
