package records

import (
	"context"
	"net/http"

	"qipu/server/api"
	"qipu/store"
	"qipu/view"
)

func (s *room) registerOwn() {
	api.Get(s.Service, api.Mine, "/me/labels", "my-labels", "labels", "One's own tags and collections, which nobody else sees", s.ownLabels)
	api.Register(s.Service, api.Noting, http.MethodPost, "/me/labels/{kind}", "label-mine", "labels", "Put tags of one's own on the records of a selection, or them into collections of one's own, or take them off", s.labelOwn)
	api.Register(s.Service, api.Noting, http.MethodDelete, "/me/labels/{kind}/{name}", "drop-mine", "labels", "Forget a tag or a collection of one's own; its records stay", s.dropOwn)
}

// OwnKind is a tag or a collection. It is embedded, which needs an exported type.
type OwnKind struct {
	Kind string `path:"kind" enum:"tag,collection" doc:"What it is"`
}

func (s *room) owner(ctx context.Context) (string, error) {
	if id := store.Who(ctx); id != "" {
		return id, nil
	}
	return "", api.Conflict("no-profile", "Choose a name, or log in.", "this is kept for profiles, and you have none")
}

func (s *room) ownLabels(ctx context.Context, _ *struct{}) (*view.OwnLabels, error) {
	id, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	w := &view.OwnLabels{Tags: []view.OwnLabel{}, Collections: []view.OwnLabel{}}
	for kind, into := range map[string]*[]view.OwnLabel{"tag": &w.Tags, "collection": &w.Collections} {
		list, err := s.Lib.People().Labels(ctx, id, kind)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			*into = append(*into, view.OwnLabel{Name: t.Name, Games: int(t.Games.GetCardinality())})
		}
	}
	return w, nil
}

type labelOwnInput struct {
	OwnKind
	Body view.Labelling
}

func (s *room) labelOwn(ctx context.Context, in *labelOwnInput) (*view.Changed, error) {
	id, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	if len(in.Body.Add)+len(in.Body.Remove) == 0 {
		return nil, api.Bad("nothing", "Give names to add or to remove.", "there is nothing to change")
	}
	ids, err := s.selected(ctx, &in.Body.Selection)
	if err != nil {
		return nil, err
	}
	for _, name := range in.Body.Add {
		if name, err = api.NewName(name); err != nil {
			return nil, err
		}
		if err := s.Lib.People().Label(ctx, id, in.Kind, name, ids, nil); err != nil {
			return nil, err
		}
	}
	for _, name := range in.Body.Remove {
		if err := s.Lib.People().Label(ctx, id, in.Kind, name, nil, ids); err != nil {
			return nil, err
		}
	}
	return &view.Changed{Records: len(ids), Changed: len(ids)}, nil
}

type dropOwnInput struct {
	OwnKind
	api.NamedInput
}

func (s *room) dropOwn(ctx context.Context, in *dropOwnInput) (*api.Nothing, error) {
	id, err := s.owner(ctx)
	if err != nil {
		return nil, err
	}
	return nil, s.Lib.People().DropLabel(ctx, id, in.Kind, in.Name)
}
