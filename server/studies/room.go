// Package studies is the room of the server for what people write on records.
package studies

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"qipu/game"
	"qipu/library/studies"
	"qipu/record"
	"qipu/record/study"
	"qipu/server/api"
	"qipu/server/guard"
	"qipu/server/stream"
	"qipu/store"
	"qipu/store/sheets"
	"qipu/view/answerview"
	"qipu/view/gameview"
	"qipu/view/studyview"
)

type room struct{ *api.Service }

// Register registers what can be asked here.
func Register(service *api.Service) {
	s := &room{service}
	api.Get(s.Service, api.Fresh, "/sheets", "list-sheets", "studies", "Records on which something is written", s.list)
	api.Get(s.Service, api.Fresh, "/records/{id}/sheet", "get-sheet", "studies", "A record with what was written on it", s.sheet)
	api.Register(s.Service, api.Annotating, http.MethodPost, "/records/{id}/sheet", "write-sheet", "studies", "Write on a record: on a sheet of one's own, or as an editor on that of the library", s.write)
	api.Register(s.Service, api.Annotating, http.MethodPut, "/records/{id}/sheet/sharing", "share-sheet", "studies", "Say who may read one's own sheet", s.share)
	api.Get(s.Service, api.Fresh, "/records/{id}/sheet/log", "sheet-log", "studies", "All that was ever written on a record", s.log)
	api.Plain(s.Service, api.Fresh, "/records/{id}/sheet/file", "sheet-file", "studies", "A record with what was written on it as a file, or that alone", "application/octet-stream", s.file)
	api.Plain(s.Service, api.Fresh, "/records/{id}/sheet/events", "follow-sheet", "studies", "What is written on a record as a stream of events (revision), as it comes", "text/event-stream", s.events)
	s.Mean(sheets.ErrNone, http.StatusNotFound, "not-found", "Nobody has written there.")
	s.Mean(studies.ErrNoNode, http.StatusNotFound, "not-found", "It may have been deleted: look at the sheet again.")
	s.Mean(studies.ErrNothing, http.StatusConflict, "nothing", "All that you did is taken back already.")
	s.Mean(study.ErrBad, http.StatusUnprocessableEntity, "no-change", "See the description of the interface for what can be written.")
	s.Mean(study.ErrFull, http.StatusInsufficientStorage, "sheet-full", "Begin another one.")
	s.Mean(sheets.ErrMoved, http.StatusConflict, "busy", "Try again.")
}

// SheetInput names a sheet.
type SheetInput struct {
	api.IDInput
	api.Writing
	api.Sheet
}

func (s *room) key(ctx context.Context, in *SheetInput) (studies.Key, error) {
	return s.Key(ctx, in.ID, in.Of)
}

// writes reports whether whoever asks may write on a sheet.
func (s *room) writes(ctx context.Context, k studies.Key) bool {
	if k.Owner == "" {
		return s.May(ctx, api.Editors)
	}
	return k.Owner == store.Who(ctx) && s.May(ctx, api.Members)
}

// told returns the answer about a sheet.
func (s *room) told(ctx context.Context, p *studies.Page, write string, last study.ID) (*studyview.StudySheet, error) {
	names, err := studyview.NamesOf(ctx, s.Lib.People())
	if err != nil {
		return nil, err
	}
	n := game.AnyNotation
	if p.Rules != nil && p.Meta != nil {
		if _, n, err = s.Written(p.Meta, write); err != nil {
			return nil, err
		}
	}
	l := s.Lib.Records()
	w := studyview.SheetOf(p, l.Kinds(), l.Formats(), n, names, store.Who(ctx), last)
	w.Writes = s.writes(ctx, p.Key)
	if p.Meta != nil {
		if err := answerview.AddAbout(ctx, l, &w.Record, p.Record); err != nil {
			return nil, err
		}
		if g, _, err := s.Lib.Record(ctx, p.Record); err == nil {
			w.Stale = p.Stale(g)
		}
	}
	for i := range w.Record.Sources {
		w.Record.Sources[i].File = s.ShownFile(w.Record.Sources[i].File)
	}
	return w, nil
}

func (s *room) sheet(ctx context.Context, in *SheetInput) (w *studyview.StudySheet, err error) {
	k, err := s.key(ctx, in)
	if err != nil {
		return nil, err
	}
	err = s.Lib.Studies().View(ctx, k, func(p *studies.Page) (err error) {
		w, err = s.told(ctx, p, in.Write, study.Root)
		return err
	})
	return w, err
}

type writeInput struct {
	SheetInput
	Body studyview.StudyEdits
}

func (s *room) write(ctx context.Context, in *writeInput) (w *studyview.StudySheet, err error) {
	k, err := s.mine(ctx, &in.SheetInput)
	if err != nil {
		return nil, err
	}
	_, meta, err := s.Lib.Record(ctx, in.ID)
	var kind *gameview.Kind
	if err == nil {
		kind, _, err = s.Written(meta, "")
	}
	if err != nil && !errors.Is(err, store.ErrNoGame) {
		return nil, err
	}
	by := studies.Writer{By: store.Who(ctx), Page: in.Body.Page, Seen: in.Body.Seen, Sent: in.Body.Sent}
	edits := make([]studies.Edit, len(in.Body.Edits))
	for i := range edits {
		e := &in.Body.Edits[i]
		edits[i] = studies.Edit{Do: e.Do, Node: study.Root, Text: e.Text, Sign: e.Sign}
		if e.Node != "" {
			if edits[i].Node, err = study.ParseID(e.Node); err != nil {
				return nil, api.Bad("no-node", "Take the names of nodes from the sheet.", "%v", err)
			}
		}
		if e.Points != "" && kind != nil {
			points, ok := studyview.Points(kind.Rules.Geometry(), e.Points)
			if !ok {
				return nil, api.Bad("no-point", "Name points as the board does.", "%q is not on the board", e.Points)
			}
			edits[i].Points = points
		}
	}
	if kind != nil {
		by.Parse = kind.Parse
	}
	err = s.Lib.Studies().Write(ctx, k, by, edits, func(p *studies.Page, last study.ID) (err error) {
		w, err = s.told(ctx, p, in.Write, last)
		return err
	})
	if err == nil {
		if st, ok := s.Hub.Get(streamName(k)); ok {
			_ = st.Send("revision", revision{w.Revision}) // an error means that nobody follows any more
		}
	}
	return w, err
}

// mine returns the sheet that a request is about, where whoever asks may write on it.
func (s *room) mine(ctx context.Context, in *SheetInput) (studies.Key, error) {
	k, err := s.key(ctx, in)
	if err == nil && !s.writes(ctx, k) {
		err = &guard.Problem{Status: http.StatusForbidden, Code: "not-yours", Detail: "this sheet is written on by others", Hint: "Write on a sheet of your own: log in, and leave out of."}
	}
	return k, err
}

type shareInput struct {
	SheetInput
	Body studyview.StudySharing
}

func (s *room) share(ctx context.Context, in *shareInput) (*api.Nothing, error) {
	k, err := s.mine(ctx, &in.SheetInput)
	if err != nil {
		return nil, err
	}
	sharing, ok := studyview.ParseSharing(in.Body.Sharing)
	if !ok || k.Owner == "" {
		return nil, api.Bad("sharing", "Choose a name, or log in, for a sheet of your own.", "the sheet of the library is for all who may read it")
	}
	return nil, s.Lib.Studies().Share(ctx, k, sharing)
}

func (s *room) list(ctx context.Context, _ *struct{}) (*studyview.StudyList, error) {
	names, err := studyview.NamesOf(ctx, s.Lib.People())
	if err != nil {
		return nil, err
	}
	all, err := s.Lib.Studies().List(ctx)
	w := &studyview.StudyList{Sheets: []studyview.StudyRow{}}
	for i := range all {
		x := &all[i]
		if x.Owner == "" || x.Owner == store.Who(ctx) || x.Sharing == sheets.Public || x.Sharing == sheets.Members && s.May(ctx, api.Members) {
			w.Sheets = append(w.Sheets, studyview.RowOf(x, names))
		}
	}
	return w, err
}

func (s *room) log(ctx context.Context, in *SheetInput) (*studyview.StudyLog, error) {
	k, err := s.key(ctx, in)
	if err != nil {
		return nil, err
	}
	names, err := studyview.NamesOf(ctx, s.Lib.People())
	if err != nil {
		return nil, err
	}
	w := &studyview.StudyLog{}
	return w, s.Lib.Studies().View(ctx, k, func(p *studies.Page) error {
		w.Changes = studyview.EntriesOf(p, names)
		return nil
	})
}

type fileInput struct {
	SheetInput
	Format string `query:"format" maxLength:"20" doc:"As in sgf, pgn; else that of the record"`
	Apart  bool   `query:"apart" doc:"What was written alone, with the moves that lead there"`
}

func (s *room) file(ctx context.Context, in *fileInput, w http.ResponseWriter, _ *http.Request) error {
	k, err := s.key(ctx, &in.SheetInput)
	if err != nil {
		return err
	}
	return s.Lib.Studies().View(ctx, k, func(p *studies.Page) error {
		tree := p.Log.Tree()
		g := tree.Game()
		if in.Apart {
			g = tree.Apart()
		}
		f, err := studies.FormatFor(s.Lib.Records().Formats(), g, in.Format, "")
		if err != nil {
			return api.Bad("inexpressible", "Choose another format.", "%v", err)
		}
		fit, err := record.Fit(f, &record.Played{Game: g, Rules: p.Rules}, "")
		if err == nil {
			err = record.CheckWrite(f, fit)
		}
		if err != nil {
			return api.Bad("inexpressible", "Choose another format.", "record %d: %v", in.ID, err)
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%d-study.%s", in.ID, f.Info().Extensions[0]))
		return f.(record.Writer).Write(w, func(yield func(*record.Game) bool) { yield(fit) })
	})
}

// revision is an event of a sheet: how much is written on it.
type revision struct {
	Revision int `json:"revision"`
}

func streamName(k studies.Key) string { return fmt.Sprintf("sheet.%d.%s", k.Record, k.Owner) }

// look is how often a sheet is looked at for what other processes write.
const look = 400 * time.Millisecond

// events tells those who look at a sheet that somebody has written on it.
func (s *room) events(ctx context.Context, in *SheetInput, w http.ResponseWriter, r *http.Request) error {
	k, err := s.key(ctx, in)
	if err != nil {
		return err
	}
	n, err := s.Lib.Studies().Revision(ctx, k)
	if err != nil {
		return err
	}
	st, made := s.Hub.Open(streamName(k))
	if made {
		if err := st.Send("revision", revision{n}); err != nil {
			return err
		}
		watched, stop := st.Watch(s.Context, 5*time.Second)
		go func() {
			defer stop()
			tick := time.NewTicker(look)
			defer tick.Stop()
			for sent := n; ; {
				select {
				case <-watched.Done():
					s.Hub.Drop(st)
					return
				case <-tick.C:
				}
				if n, err := s.Lib.Studies().Revision(watched, k); err == nil && n != sent {
					sent = n
					_ = st.Send("revision", revision{n})
				}
			}
		}()
	}
	return stream.Serve(w, r, st)
}
