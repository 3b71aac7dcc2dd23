package server

import (
	"context"
	"maps"
	"slices"

	"qipu/view"
	"qipu/view/gameview"
)

// tallied returns the kinds that there are: every game on its usual board, then
// the others that the library has games of.
func (s *Server) tallied(ctx context.Context) ([]view.Game, error) {
	tally, err := s.lib.Records().Tally(ctx)
	if err != nil {
		return nil, err
	}
	records := map[string]int{}
	for _, t := range tally {
		records[gameview.SpecOf(t.Kind)] += t.Games
	}
	specs := []string{}
	for _, r := range s.lib.Records().Rules() {
		specs = append(specs, r.Info().Name)
	}
	for _, spec := range slices.Sorted(maps.Keys(records)) {
		if records[spec] > 0 && !slices.Contains(specs, spec) {
			specs = append(specs, spec)
		}
	}
	list := []view.Game{}
	for _, spec := range specs {
		k, err := s.kinds.Find(spec)
		if err != nil {
			return nil, err
		}
		g := k.Game
		g.Records = records[spec]
		list = append(list, g)
	}
	return list, nil
}
