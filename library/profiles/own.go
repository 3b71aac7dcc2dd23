package profiles

import (
	"context"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store"
	"qipu/text"
)

// The kinds of things that a profile keeps.
const (
	Tags        = "tag"
	Collections = "collection"
	Queries     = "query"
	Searches    = "search" // the last ones
	Boxes       = "box"    // of quizzes: what comes back, and when
	Names       = "name"   // by which the profile stands in records
	Games       = "game"   // that the profile plays here, or has played
	Reviews     = "review" // of games that the profile has asked for
)

// Own is what a profile keeps that queries can name. It is not changed once it is made;
// whoever asks on behalf of the profile finds by it what nobody else does.
type Own struct {
	key     string
	games   map[string]map[string]*roaring.Bitmap // of tags and collections, by kind and name
	queries map[string]store.Saved                // by folded name
}

// Own returns what a profile keeps that queries can name; nil where there is nothing, as
// for who has no profile.
func (r *Room) Own(ctx context.Context, id string) (*Own, error) {
	if id == "" {
		return nil, nil
	}
	version, err := r.db.Version(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.seen != version {
		r.seen, r.own = version, map[string]*Own{}
	}
	o, ok := r.own[id]
	r.mu.Unlock()
	if ok {
		return o, nil
	}
	if o, err = r.readOwn(ctx, id); err != nil {
		return nil, err
	}
	r.mu.Lock()
	if r.seen == version {
		r.own[id] = o
	}
	r.mu.Unlock()
	return o, nil
}

func (r *Room) readOwn(ctx context.Context, id string) (*Own, error) {
	o := &Own{games: map[string]map[string]*roaring.Bitmap{Tags: {}, Collections: {}}, queries: map[string]store.Saved{}}
	latest, count := int64(0), 0
	for _, kind := range []string{Tags, Collections, Queries} {
		list, err := r.db.Things(ctx, id, kind)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			latest = max(latest, t.Changed.UnixNano())
			count++
			if kind == Queries {
				if o.queries[t.Fold], err = savedOf(&t); err != nil {
					return nil, err
				}
				continue
			}
			if t.Games == nil {
				t.Games = roaring.New()
			}
			o.games[kind][t.Name] = t.Games
		}
	}
	if count == 0 {
		return nil, nil
	}
	o.key = fmt.Sprintf("%s %d %d", id, latest, count)
	return o, nil
}

// Key is another text when there may be other answers.
func (o *Own) Key() string { return o.key }

// Tagged returns the games with a tag of the profile's own; nil where there is none.
func (o *Own) Tagged(name string) *roaring.Bitmap { return o.of(Tags, name) }

// Collected returns the games of a collection of the profile's own; nil where there is none.
func (o *Own) Collected(name string) *roaring.Bitmap { return o.of(Collections, name) }

func (o *Own) of(kind, name string) *roaring.Bitmap {
	if games := o.games[kind][name]; games != nil {
		return games.Clone()
	}
	return nil
}

// Query returns the text of a query that the profile has saved under a name.
func (o *Own) Query(name string) (string, bool) {
	s, ok := o.queries[text.Fold(name)]
	return s.Query, ok
}

// Called returns the names of what the profile keeps of a kind.
func (o *Own) Called(kind string) (list []string) {
	for name := range o.games[kind] {
		list = append(list, name)
	}
	if kind == Queries {
		for _, s := range o.queries {
			list = append(list, s.Name)
		}
	}
	slices.Sort(list)
	return list
}
