package records

import (
	"context"
	"crypto/rand"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"qipu/record/facts"
	"qipu/server/api"
	"qipu/store"
	"qipu/view"
	"qipu/view/journalview"
)

func (s *room) registerJournal() {
	s.Mean(store.ErrUndone, http.StatusConflict, "undone", "Undo the undo instead, if you want it back.")
	s.Mean(facts.ErrField, http.StatusUnprocessableEntity, "header", "Write the value as the message says.")
	api.Get(s.Service, api.Editing, "/journal", "list-changes", "journal", "What was changed in the library, the newest first", s.changes)
	api.Get(s.Service, api.Editing, "/journal/{id}", "get-change", "journal", "One change", s.change)
	api.Register(s.Service, api.Change, http.MethodPost, "/journal/{id}/undo", "undo-change", "journal", "Undo a change, as far as it still holds; an undo is a change itself", s.undoChange)
	api.Get(s.Service, api.Editing, "/records/{id}/headers", "get-headers", "journal", "The headers of a record that can be corrected, with what the record says itself", s.recordHeaders)
	api.Register(s.Service, api.Change, http.MethodPost, "/records/edit", "edit-records", "journal", "Correct headers of the records of a selection; records stay as they came", s.editRecords)
	api.Get(s.Service, api.Editing, "/trash", "list-trash", "journal", "Deleted records that can be brought back", s.trash)
	api.Register(s.Service, api.Change, http.MethodPost, "/trash/restore", "restore-records", "journal", "Bring deleted records back", s.restore)
	api.Register(s.Service, api.Owning, http.MethodDelete, "/trash", "empty-trash", "journal", "Delete what is in the trash for good", s.emptyTrash)
}

// noting returns a context whose changes are one entry of the journal, and a function that
// returns the number of that entry, 0 where nothing has changed.
func (s *room) noting(ctx context.Context) (context.Context, func() int64) {
	key := "request:" + rand.Text()
	return store.Within(ctx, store.Deed{Key: key}), func() int64 {
		list, err := s.Lib.Records().Journal().Changes(context.WithoutCancel(ctx), store.Page{Limit: 1, Key: key})
		if err != nil || len(list) == 0 {
			return 0
		}
		return list[0].ID
	}
}

type changesInput struct {
	Before int64  `query:"before" minimum:"0" doc:"Only changes before this one: next of the answer before"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"Changes a page"`
	Op     string `query:"op" maxLength:"40" doc:"Only changes of this kind, such as import"`
}

func (s *room) changes(ctx context.Context, in *changesInput) (*view.Changes, error) {
	list, err := s.Lib.Records().Journal().Changes(ctx, store.Page{Before: in.Before, Limit: in.Limit, Op: in.Op})
	if err != nil {
		return nil, err
	}
	w := &view.Changes{Changes: []view.Change{}}
	for i := range list {
		w.Changes = append(w.Changes, s.shown(ctx, &list[i]))
	}
	if len(list) == in.Limit && list[len(list)-1].ID > 1 {
		w.Next = list[len(list)-1].ID
	}
	return w, nil
}

type changeInput struct {
	ID int64 `path:"id" minimum:"1" doc:"The number of the change"`
}

func (s *room) change(ctx context.Context, in *changeInput) (*view.Change, error) {
	c, err := s.Lib.Records().Journal().Change(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	w := s.shown(ctx, &c)
	return &w, nil
}

// shown returns a change as it is shown, with the name of who did it.
func (s *room) shown(ctx context.Context, c *store.Change) view.Change {
	w := journalview.ChangeOf(c)
	if w.Who != "" {
		if p, err := s.Lib.People().Profile(ctx, w.Who); err == nil {
			w.ByName = p.Name
		}
	}
	return w
}

func (s *room) undoChange(ctx context.Context, in *changeInput) (*view.Change, error) {
	done, err := s.Lib.Records().Undo(ctx, in.ID)
	if err != nil {
		return nil, s.refused(err)
	}
	w := s.shown(ctx, &done.Change)
	w.Left = done.Left
	return &w, nil
}

// refused says what stands against an undo.
func (s *room) refused(err error) error {
	if not, ok := err.(*store.NotUndoneError); ok {
		why := strings.Join(not.Left, "; ")
		if why == "" {
			why = "nothing of it is left"
		}
		return api.Conflict("not-undone", "Look at the journal: it tells what came after it.", "change %d cannot be undone: %s", not.ID, why)
	}
	return err
}

func (s *room) recordHeaders(ctx context.Context, in *api.IDInput) (*view.RecordHeaders, error) {
	said, list, err := s.Lib.Records().Headers(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return journalview.HeadersOf(said, list), nil
}

type editInput struct{ Body view.RecordEdit }

func (s *room) editRecords(ctx context.Context, in *editInput) (*view.RecordEdited, error) {
	values := map[string]*string{}
	for name, value := range in.Body.Set {
		value, err := facts.Canon(name, value)
		if err != nil {
			return nil, err
		}
		values[name] = &value
	}
	for _, name := range in.Body.Reset {
		if !slices.Contains(facts.Fields, name) {
			return nil, api.Bad("header", "There are "+strings.Join(facts.Fields, ", ")+".", "there is no header %q", name)
		}
		values[name] = nil
	}
	if len(values) == 0 {
		return nil, api.Bad("header", "Give values of headers, or headers to reset.", "nothing is to be changed")
	}
	ids, err := s.selected(ctx, &in.Body.Selection)
	if err != nil {
		return nil, err
	}
	if in.Body.Expect != nil && len(ids) != *in.Body.Expect {
		return nil, api.Conflict("other-count", "Look at the records again: the library may have changed.", "%d records are selected, and %d were expected: nothing was changed", len(ids), *in.Body.Expect)
	}
	list := make([]store.Correction, 0, len(ids)*len(values))
	for _, id := range ids {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			list = append(list, store.Correction{Game: id, Field: name, Value: values[name]})
		}
	}
	ctx, change := s.noting(ctx)
	n, err := s.Lib.Records().Correct(ctx, list)
	if err != nil {
		return nil, err
	}
	return &view.RecordEdited{Records: len(ids), Changed: n, Change: change()}, nil
}

type trashInput struct {
	Before int64 `query:"before" minimum:"0" doc:"Only records behind this one: next of the answer before"`
	Limit  int   `query:"limit" minimum:"1" maximum:"500" default:"50" doc:"Records a page"`
}

func (s *room) trash(ctx context.Context, in *trashInput) (*view.Trash, error) {
	list, err := s.Lib.Records().Journal().Trash(ctx, store.Page{Before: in.Before, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	w := &view.Trash{Records: []view.TrashedRecord{}}
	for i := range list {
		w.Records = append(w.Records, journalview.TrashedOf(&list[i]))
	}
	if len(list) == in.Limit {
		w.Next = int64(list[len(list)-1].ID)
	}
	return w, nil
}

type restoringInput struct{ Body view.Restoring }

func (s *room) restore(ctx context.Context, in *restoringInput) (*view.Change, error) {
	done, err := s.Lib.Records().Restore(ctx, in.Body.IDs)
	if err != nil {
		return nil, err
	}
	w := s.shown(ctx, &done.Change)
	w.Left = done.Left
	return &w, nil
}

func (s *room) emptyTrash(ctx context.Context, _ *struct{}) (*view.Purged, error) {
	// Records of a clock that was ahead once are meant as well.
	n, err := s.Lib.Records().Purge(ctx, time.Now().AddDate(100, 0, 0))
	return &view.Purged{Records: n}, err
}
