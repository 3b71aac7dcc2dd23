package manage

import (
	"context"

	"qipu"
	"qipu/sample"
	"qipu/server/api"
	"qipu/view"
	"qipu/view/libraryview"
)

func (s *room) registerLibrary() {
	api.Get(s.Service, api.Fresh, "/library", "library", "library", "What the library has, and what may be done with it", s.library)
}

func (s *room) library(ctx context.Context, _ *struct{}) (*view.Library, error) {
	w, err := libraryview.Of(ctx, s.Lib.Records())
	if err != nil {
		return nil, err
	}
	w.Version, w.Sample, w.Played = qipu.Version, sample.Games, sample.PlayedGames
	w.Owner, w.Analyses = s.Owns(ctx), s.Plays(ctx)
	if !w.Owner {
		w.Saved = 0
	}
	w.Writable, w.Holder, w.Token, w.ImportRoot, w.MaxUpload = s.Writes(), s.ShownHolder(s.Holder), s.Exposed, s.ImportRoot != "", s.MaxUpload
	return w, nil
}
