package profiles

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"qipu/store"
	"qipu/store/people"
	"qipu/text"
)

// maxSearches is how many of the last searches of a profile are kept.
const maxSearches = 50

// kept is a query as it lies in the database.
type kept struct {
	Query     string    `json:"query"`
	Kind      string    `json:"kind,omitempty"`
	Described string    `json:"described,omitempty"`
	Note      string    `json:"note,omitempty"`
	Found     int       `json:"found"`
	Hits      int       `json:"hits"`
	Created   time.Time `json:"created"`
}

// SaveQuery keeps a query of a profile's own, in the place of the one of its name.
func (r *Room) SaveQuery(ctx context.Context, id string, s store.Saved) error {
	return r.keepQuery(ctx, id, Queries, s.Name, s.Fold, s)
}

// NoteSearch keeps a search of a profile as one of its last.
func (r *Room) NoteSearch(ctx context.Context, id string, s store.Saved) error {
	if err := r.keepQuery(ctx, id, Searches, s.Described, s.Kind+"\n"+s.Query, s); err != nil {
		return err
	}
	return r.db.Trim(ctx, id, Searches, maxSearches)
}

func (r *Room) keepQuery(ctx context.Context, id, kind, name, fold string, s store.Saved) error {
	return r.db.Keep(ctx, id, kind, name, fold, func(t *people.Thing) (bool, error) {
		k := kept{Query: s.Query, Kind: s.Kind, Described: s.Described, Note: s.Note, Found: s.Found, Hits: s.Hits, Created: r.db.Now().UTC()}
		var old kept
		if json.Unmarshal([]byte(t.Value), &old) == nil && !old.Created.IsZero() {
			k.Created = old.Created
		}
		value, err := json.Marshal(&k)
		t.Name, t.Value = name, string(value)
		return true, err
	})
}

// SavedQueries returns the queries that a profile has saved, and its last searches.
func (r *Room) SavedQueries(ctx context.Context, id string) (list []store.Saved, err error) {
	for _, kind := range []string{Queries, Searches} {
		things, err := r.db.Things(ctx, id, kind)
		if err != nil {
			return nil, err
		}
		for i := range things {
			s, err := savedOf(&things[i])
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	return list, nil
}

// SavedQuery returns the query of a profile that a name means; store.ErrNoRow where
// there is none.
func (r *Room) SavedQuery(ctx context.Context, id, name string) (store.Saved, error) {
	t, err := r.db.Thing(ctx, id, Queries, text.Fold(name))
	if errors.Is(err, people.ErrNoThing) {
		return store.Saved{}, store.ErrNoRow
	}
	if err != nil {
		return store.Saved{}, err
	}
	return savedOf(&t)
}

// DropQuery forgets a saved query of a profile, or a search by the name that describes it.
func (r *Room) DropQuery(ctx context.Context, id, name string) error {
	err := r.db.Drop(ctx, id, Queries, text.Fold(name))
	if !errors.Is(err, people.ErrNoThing) {
		return err
	}
	list, err := r.db.Things(ctx, id, Searches)
	if err != nil {
		return err
	}
	for i := range list {
		if list[i].Name == name {
			return r.db.Drop(ctx, id, Searches, list[i].Fold)
		}
	}
	return store.ErrNoRow
}

func savedOf(t *people.Thing) (store.Saved, error) {
	var k kept
	if err := json.Unmarshal([]byte(t.Value), &k); err != nil {
		return store.Saved{}, fmt.Errorf("profiles: a saved query: %w", err)
	}
	s := store.Saved{Name: t.Name, Fold: t.Fold, Kind: k.Kind, Query: k.Query, Described: k.Described, Note: k.Note, Found: k.Found, Hits: k.Hits, Created: k.Created, Used: t.Changed}
	if t.Kind == Searches {
		s.Name, s.Fold, s.Auto = "", "", true
	}
	return s, nil
}
