// Package libraryview is the public form of what a library has and of how it is.
package libraryview

import (
	"context"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"qipu/library"
	"qipu/record"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
)

// Of returns what a library has. What may be done with it is the face's to say.
func Of(ctx context.Context, lib *library.Library) (*view.Library, error) {
	version, err := lib.Version(ctx)
	if err != nil {
		return nil, err
	}
	counts, err := lib.Counts(ctx)
	if err != nil {
		return nil, err
	}
	tally, err := lib.Tally(ctx)
	if err != nil {
		return nil, err
	}
	w := &view.Library{
		Name: nameOf(lib.Place()), ByGame: []view.GameCount{}, Collections: counts.Collections, Tags: counts.Tags, Saved: counts.Saved,
		Bytes: counts.Bytes, Generation: version.Near + version.Far, Formats: []view.FormatInfo{},
	}
	for kind, n := range counts.Games {
		if kind == store.UnknownKind {
			w.Unknown = n
		} else {
			w.Records += n
		}
	}
	for _, t := range tally {
		w.Bytes += t.Bytes
		if t.Games > 0 {
			w.ByGame = append(w.ByGame, view.GameCount{Game: gameview.SpecOf(t.Kind), Records: t.Games})
		}
	}
	for _, f := range lib.Formats() {
		info := f.Info()
		_, writes := f.(record.Writer)
		w.Formats = append(w.Formats, view.FormatInfo{
			Name: info.Name, Title: info.Title, Extensions: append([]string{}, info.Extensions...), Games: append([]string{}, info.Kinds...), Writes: writes,
		})
	}
	return w, nil
}

// GamesOf returns the kinds that there are: every game on its usual board, then the
// others that the library has games of.
func GamesOf(ctx context.Context, lib *library.Library, kinds *gameview.Kinds) ([]view.Game, error) {
	tally, err := lib.Tally(ctx)
	if err != nil {
		return nil, err
	}
	records := map[string]int{}
	for _, t := range tally {
		records[gameview.SpecOf(t.Kind)] += t.Games
	}
	specs := []string{}
	for _, r := range lib.Rules().Shown() {
		specs = append(specs, r.Info().Name)
	}
	for _, spec := range slices.Sorted(maps.Keys(records)) {
		if records[spec] > 0 && !slices.Contains(specs, spec) {
			specs = append(specs, spec)
		}
	}
	list := []view.Game{}
	for _, spec := range specs {
		k, err := kinds.Find(spec)
		if err != nil {
			return nil, err
		}
		g := k.Game
		g.Records = records[spec]
		list = append(list, g)
	}
	return list, nil
}

// maxProblems bounds how many problems are told.
const maxProblems = 1000

// Problems returns in words what a check of a library has found; partial tells that the
// records were not compared with the tables.
func Problems(found []store.Problem, partial bool) []string {
	list := []string{}
	for _, p := range found[:min(len(found), maxProblems)] {
		list = append(list, strings.TrimSpace(p.What+" "+p.Name)+": "+p.Reason)
	}
	if partial {
		list = append(list, "records were not compared with tables, which have to be made anew first")
	}
	return list
}

// nameOf returns the name of a library: that of its folder, or of the one
// that it is hidden in.
func nameOf(dir string) string {
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
