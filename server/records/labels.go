package records

import (
	"context"
	"errors"
	"net/http"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/server/api"
	"qipu/store"
	"qipu/view"
	"qipu/view/answerview"
)

func (s *room) registerLabels() {
	api.Get(s.Service, api.Kept, "/tags", "list-tags", "labels", "Tags and how many records have them", s.tags)
	api.Register(s.Service, api.Change, http.MethodPost, "/tags", "tag-records", "labels", "Put tags on the records of a selection, or take them off", s.tag)
	api.Register(s.Service, api.Change, http.MethodPut, "/tags/{name}", "rename-tag", "labels", "Rename a tag", s.renameTag)
	api.Register(s.Service, api.Change, http.MethodDelete, "/tags/{name}", "drop-tag", "labels", "Take a tag off all records", s.dropTag)
	api.Get(s.Service, api.Kept, "/collections", "list-collections", "labels", "Collections and how many records they hold", s.collections)
	api.Register(s.Service, api.Change, http.MethodPost, "/collections", "make-collection", "labels", "Make a collection", s.makeCollection)
	api.Register(s.Service, api.Change, http.MethodPost, "/collections/records", "collect-records", "labels", "Put the records of a selection into collections, or take them out", s.collect)
	api.Register(s.Service, api.Change, http.MethodPut, "/collections/{name}", "rename-collection", "labels", "Rename a collection, or change its note", s.renameCollection)
	api.Register(s.Service, api.Change, http.MethodDelete, "/collections/{name}", "drop-collection", "labels", "Forget a collection; its records stay", s.dropCollection)
}

type labellingInput struct{ Body view.Labelling }

type newNameInput struct{ Body view.NewName }

func (s *room) tags(ctx context.Context, _ *struct{}) (*view.NamedList, error) {
	list, err := s.Lib.Notes().Tags(ctx)
	w := &view.NamedList{Items: make([]view.Named, len(list))}
	for i, t := range list {
		w.Items[i] = answerview.TagOf(&t)
	}
	return w, err
}

func (s *room) tag(ctx context.Context, in *labellingInput) (*view.Changed, error) {
	return s.label(ctx, &in.Body, labels{
		games: func(name string) (*roaring.Bitmap, error) { return s.Lib.Notes().Tagged(ctx, name) },
		add:   store.Tx.Tag, remove: store.Tx.Untag, fresh: true,
	})
}

func (s *room) renameTag(ctx context.Context, in *api.RenameInput) (*api.Nothing, error) {
	name, err := api.NewName(in.Body.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.RenameTag(in.Name, name) })
}

func (s *room) dropTag(ctx context.Context, in *api.NamedInput) (*api.Nothing, error) {
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.DropTag(in.Name) })
}

func (s *room) collections(ctx context.Context, _ *struct{}) (*view.NamedList, error) {
	list, err := s.Lib.Notes().Collections(ctx)
	w := &view.NamedList{Items: make([]view.Named, len(list))}
	for i := range list {
		w.Items[i] = answerview.CollectionOf(&list[i])
	}
	return w, err
}

func (s *room) makeCollection(ctx context.Context, in *newNameInput) (*view.Named, error) {
	name, err := api.NewName(in.Body.Name)
	if err != nil {
		return nil, err
	}
	err = s.Lib.Records().Edit(ctx, func(tx store.Tx) error {
		_, err := tx.CreateCollection(name, in.Body.Note)
		return err
	})
	if err != nil {
		return nil, err
	}
	c, err := s.Lib.Records().Collection(ctx, name)
	if err != nil {
		return nil, err
	}
	w := answerview.CollectionOf(c)
	return &w, nil
}

func (s *room) collect(ctx context.Context, in *labellingInput) (*view.Changed, error) {
	id := func(name string) (int64, error) {
		c, err := s.Lib.Records().Collection(ctx, name)
		if err != nil {
			return 0, err
		}
		return c.ID, nil
	}
	change := func(f func(store.Tx, int64, []uint32) error) func(store.Tx, string, []uint32) error {
		return func(tx store.Tx, name string, ids []uint32) error {
			n, err := id(name)
			if err != nil {
				return err
			}
			return f(tx, n, ids)
		}
	}
	return s.label(ctx, &in.Body, labels{
		games: func(name string) (*roaring.Bitmap, error) {
			n, err := id(name)
			if err != nil {
				return nil, err
			}
			return s.Lib.Notes().Members(ctx, n)
		},
		add: change(store.Tx.Collect), remove: change(store.Tx.Uncollect),
	})
}

func (s *room) renameCollection(ctx context.Context, in *api.RenameInput) (*api.Nothing, error) {
	c, err := s.Lib.Records().Collection(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	name, err := api.NewName(in.Body.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.RenameCollection(c.ID, name, in.Body.Note) })
}

func (s *room) dropCollection(ctx context.Context, in *api.NamedInput) (*api.Nothing, error) {
	c, err := s.Lib.Records().Collection(ctx, in.Name)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.Records().Edit(ctx, func(tx store.Tx) error { return tx.DropCollection(c.ID) })
}

// labels are names that records have, tags or collections.
type labels struct {
	games       func(name string) (*roaring.Bitmap, error)
	add, remove func(tx store.Tx, name string, ids []uint32) error
	fresh       bool // a new name is made by its first use
}

// label puts names on the records of a selection and takes others off, all or
// nothing, and counts the records that are otherwise then.
func (s *room) label(ctx context.Context, l *view.Labelling, kind labels) (*view.Changed, error) {
	if len(l.Add)+len(l.Remove) == 0 {
		return nil, api.Bad("nothing", "Give names to add or to remove.", "there is nothing to change")
	}
	ids, err := s.selected(ctx, &l.Selection)
	if err != nil {
		return nil, err
	}
	selected, changed := roaring.BitmapOf(ids...), roaring.New()
	var add []string
	for _, name := range l.Add {
		if name, err = api.NewName(name); err != nil {
			return nil, err
		}
		have, err := kind.games(name)
		switch {
		case kind.fresh && errors.Is(err, store.ErrNoRow):
			have = roaring.New()
		case err != nil:
			return nil, err
		}
		add = append(add, name)
		changed.Or(roaring.AndNot(selected, have))
	}
	for _, name := range l.Remove {
		have, err := kind.games(name)
		if err != nil {
			return nil, err
		}
		changed.Or(roaring.And(selected, have))
	}
	ctx, change := s.noting(ctx)
	err = s.Lib.Records().Edit(ctx, func(tx store.Tx) error {
		for _, name := range add {
			if err := kind.add(tx, name, ids); err != nil {
				return err
			}
		}
		for _, name := range l.Remove {
			if err := kind.remove(tx, name, ids); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &view.Changed{Records: len(ids), Changed: int(changed.GetCardinality()), Change: change()}, nil
}
