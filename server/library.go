package server

import (
	"context"
	"errors"
	"net/http"
	"path"
	"path/filepath"
	"strings"
	"time"

	"qipu"
	"qipu/record"
	"qipu/sample"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

func (s *Server) registerLibrary() {
	get(s, fresh, "/library", "library", "library", "What the library has, and what may be done with it", s.library)
	register(s, change, http.MethodPost, "/library/check", "check-library", "library", "Check the library, and tell whatever is wrong", s.checkLibrary)
	register(s, change, http.MethodPost, "/library/reindex", "reindex-library", "library", "Make the tables for searching anew from the records", s.reindexLibrary)
}

func (s *Server) library(ctx context.Context, _ *struct{}) (*view.Library, error) {
	o := &s.options
	version, err := s.lib.Records().Version(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := s.lib.Records().Counts(ctx)
	if err != nil {
		return nil, err
	}
	tally, err := s.lib.Records().Tally(ctx)
	if err != nil {
		return nil, err
	}
	w := &view.Library{
		Version: qipu.Version, Name: libraryName(s.lib.Place()), ByGame: []view.GameCount{},
		Collections: counts.Collections, Tags: counts.Tags, Saved: counts.Saved, Bytes: counts.Bytes, Generation: version.Near + version.Far,
		Writable: o.Holder == "", Holder: s.shownHolder(o.Holder), Token: o.Exposed, ImportRoot: o.ImportRoot != "", MaxUpload: o.MaxUpload,
		Formats: []view.FormatInfo{}, Sample: sample.Games, Played: sample.PlayedGames,
	}
	for _, n := range counts.Games {
		w.Records += n
	}
	for _, t := range tally {
		w.Bytes += t.Bytes
		if t.Games > 0 {
			w.ByGame = append(w.ByGame, view.GameCount{Game: gameview.SpecOf(t.Kind), Records: t.Games})
		}
	}
	for _, f := range s.lib.Records().Formats() {
		info := f.Info()
		_, writes := f.(record.Writer)
		w.Formats = append(w.Formats, view.FormatInfo{
			Name: info.Name, Title: info.Title, Extensions: append([]string{}, info.Extensions...), Games: append([]string{}, info.Kinds...), Writes: writes,
		})
	}
	return w, nil
}

// libraryName returns the name of a library: that of its folder, or of the one
// that it is hidden in.
func libraryName(dir string) string {
	if store.OnServers(dir) {
		return path.Base(strings.SplitN(dir, "?", 2)[0]) // the database
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	name := filepath.Base(dir)
	if strings.HasPrefix(name, ".") {
		name = filepath.Base(filepath.Dir(dir))
	}
	return name
}

type checkInput struct {
	Full bool `query:"full" doc:"Unpack and play every record, too, and compare it with the tables"`
}

// maxProblems bounds how many problems are told.
const maxProblems = 1000

func (s *Server) checkLibrary(ctx context.Context, in *checkInput) (*view.CheckReport, error) {
	began := time.Now()
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	found, partial, err := s.lib.Records().Check(ctx, in.Full)
	if err != nil {
		return nil, err
	}
	w := &view.CheckReport{OK: len(found) == 0, Problems: []string{}}
	for _, p := range found[:min(len(found), maxProblems)] {
		w.Problems = append(w.Problems, strings.TrimSpace(p.What+" "+p.Name)+": "+p.Reason)
	}
	if partial {
		w.Problems = append(w.Problems, "records were not compared with tables, which have to be made anew first")
	}
	w.Elapsed = view.Milliseconds(began)
	return w, nil
}

func (s *Server) reindexLibrary(ctx context.Context, _ *struct{}) (*view.CheckReport, error) {
	began := time.Now()
	if s.options.Holder != "" {
		return nil, s.readOnly()
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	w := &view.CheckReport{OK: true, Problems: []string{}}
	err = s.lib.Records().Keeper().Reindex(ctx, nil)
	if unreadable, ok := errors.AsType[*store.UnreadableError](err); ok {
		w.OK, w.Problems, err = false, append(w.Problems, unreadable.Error()), nil
	}
	w.Elapsed = view.Milliseconds(began)
	return w, err
}
