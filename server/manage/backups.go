package manage

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"qipu/library/backups"
	"qipu/server/api"
	"qipu/store"
	"qipu/view"
)

// shelf is the backups that the server keeps.
type shelf struct {
	backups.Shelf
	mu     sync.Mutex
	failed string    // why the last one that was due could not be made
	next   time.Time // when the next one is due
}

func (s *room) registerBackups() {
	s.shelf.Shelf = backups.Shelf{Dir: s.Backups, Rule: backups.Usual}
	s.Mean(backups.ErrNone, http.StatusNotFound, "no-backup", "List the backups that there are.")
	api.Get(s.Service, api.Private, "/library/backups", "list-backups", "library", "The backups that the server keeps, the newest first", s.listBackups)
	api.Register(s.Service, api.Owning, http.MethodPost, "/library/backups", "make-backup", "library", "Begin to make a backup; GET /library/care tells how it stands", s.makeBackup)
	api.Register(s.Service, api.Owning, http.MethodPost, "/library/backups/{name}/restore", "restore-backup", "library", "Begin to make a library of a backup, in a new folder beside it; GET /library/care tells how it stands, and which", s.restoreBackup)
	if s.Lib == nil || s.Backups == "" || s.Every <= 0 {
		return
	}
	s.care.idle.Go(s.backUp)
}

// keepsBackups tells why no backup can be made, if so.
func (s *room) keepsBackups() error {
	if s.Backups == "" {
		return api.Conflict("no-backups", "Start the server with a folder for backups.", "the server was started without a folder for backups")
	}
	return nil
}

func (s *room) listBackups(context.Context, *struct{}) (*view.Backups, error) {
	s.shelf.mu.Lock()
	w := &view.Backups{Folder: s.Backups, Every: s.Every.Hours(), Backups: []view.Backup{}, Failed: s.shelf.failed, Next: s.shelf.next}
	s.shelf.mu.Unlock()
	if s.Backups == "" {
		return w, nil
	}
	list, err := s.shelf.List()
	for _, b := range list {
		w.Backups = append(w.Backups, view.Backup{Name: b.Name, At: b.At})
	}
	return w, err
}

func (s *room) makeBackup(context.Context, *struct{}) (*view.Care, error) {
	if err := s.keepsBackups(); err != nil {
		return nil, err
	}
	return s.begin("backup", func(ctx context.Context, _ store.Progress) ([]string, error) {
		made, err := s.shelf.Make(ctx, s.Lib.Records().Keeper(), time.Now())
		if err == nil {
			s.madeCare(made.Name)
			s.Log.Info("a backup was made", "name", made.Name)
		}
		return []string{}, err
	})
}

type backupInput struct {
	Name string `path:"name" maxLength:"100" doc:"The backup"`
}

func (s *room) restoreBackup(_ context.Context, in *backupInput) (*view.Care, error) {
	if err := s.keepsBackups(); err != nil {
		return nil, err
	}
	if list, err := s.shelf.List(); err != nil {
		return nil, err
	} else if !slices.ContainsFunc(list, func(b backups.Backup) bool { return b.Name == in.Name }) {
		return nil, fmt.Errorf("%w: %q", backups.ErrNone, in.Name)
	}
	return s.begin("restore", func(ctx context.Context, _ store.Progress) ([]string, error) {
		dir, err := s.shelf.Restore(ctx, in.Name, s.Lib.Records().Rules())
		if err == nil {
			s.madeCare(dir)
			s.Log.Info("a backup was restored", "name", in.Name, "folder", dir)
		}
		return []string{}, err
	})
}

// madeCare notes what was made by what runs.
func (s *room) madeCare(made string) {
	s.care.mu.Lock()
	defer s.care.mu.Unlock()
	next := *s.care.last
	next.Made = made
	s.care.last = &next
}

// backUp makes backups when they are due, until the server ends. Of several servers of a
// library, the one whose process writes does.
func (s *room) backUp() {
	for {
		list, err := s.shelf.List()
		wait := s.Every
		if err == nil {
			wait = backups.Wait(list, s.Every, time.Now())
		}
		s.shelf.mu.Lock()
		if s.shelf.failed != "" { // not at once again
			wait = max(wait, min(s.Every, time.Hour))
		}
		s.shelf.next = time.Now().Add(wait)
		s.shelf.mu.Unlock()
		select {
		case <-s.Context.Done():
			return
		case <-time.After(wait):
		}
		if !s.Lib.Records().Leads() {
			continue
		}
		made, err := s.shelf.Make(s.Context, s.Lib.Records().Keeper(), time.Now())
		if s.Context.Err() != nil {
			return
		}
		s.shelf.mu.Lock()
		s.shelf.failed = ""
		if err != nil {
			s.shelf.failed = s.Problem(err).Error()
		}
		s.shelf.mu.Unlock()
		if err != nil {
			s.Log.Error("a backup could not be made", "err", err)
		} else {
			s.Log.Info("a backup was made", "name", made.Name)
		}
	}
}
