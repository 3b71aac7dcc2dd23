package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"qipu/library/knowledge"
	"qipu/remedy"
	"qipu/store"
	"qipu/store/people"
	"qipu/store/sheets"
)

// Check returns what is wrong with the library: the catalogue, every byte of
// every table, and that each game is in exactly one table. With deep every
// record is unpacked and played again, and compared with the tables; partial
// tells that this could not be done, because tables have to be repaired first.
// Files of shapes that the library keeps and that cannot be read in full are
// told as well.
//
// The parts of a check see the library at different moments: where somebody has
// written meanwhile, it begins anew. Progress may be nil.
func (l *Library) Check(ctx context.Context, deep bool, progress store.Progress) (found []store.Problem, partial bool, err error) {
	for range 10 {
		before, err := l.store.Records().Version(ctx)
		if err != nil {
			return nil, false, err
		}
		found, partial = nil, false
		err = l.store.Check(ctx, deep, progress, func(p store.Problem) {
			if !slices.Contains(found, p) {
				found = append(found, p)
			}
		})
		if err != nil && ctx.Err() == nil && store.Repairable(err) {
			if len(found) == 0 {
				found = append(found, store.Problem{What: "table", Reason: err.Error(), Remedy: remedy.Repair.With("")})
			}
			err, partial = nil, true
		}
		if err != nil || len(found) == 0 {
			return slices.Concat(l.checkFinished(), found, l.checkShapes(), l.checkBeside(ctx)), partial, err
		}
		after, err := l.store.Records().Version(ctx)
		if err != nil || after == before {
			return slices.Concat(l.checkFinished(), found, l.checkShapes(), l.checkBeside(ctx)), partial, err
		}
	}
	return nil, false, errors.New("the library changes faster than it can be checked: wait until its writer is done")
}

// checkBeside returns what is wrong with the profiles and the studies, which are kept apart
// from the records.
func (l *Library) checkBeside(ctx context.Context) (list []store.Problem) {
	profiles, studies := people.Open(l.Dir()), sheets.Open(l.Dir())
	defer profiles.Close()
	defer studies.Close()
	for _, x := range []struct {
		what, file, without string
		check               func(context.Context) ([]string, error)
	}{
		{"people", people.FileName, "nobody has a profile", profiles.Check},
		{"studies", sheets.FileName, "nothing is written on records", studies.Check},
	} {
		found, err := x.check(ctx)
		if err != nil {
			found = append(found, err.Error())
		}
		for _, reason := range found {
			list = append(list, store.Problem{What: x.what, Name: x.file, Reason: reason + ": take the file from a backup; without it " + x.without + ", and the records are as they are"})
		}
	}
	return list
}

// ShapeProblem is what a problem of the shapes that the library keeps is called.
const ShapeProblem = "shapes"

// checkShapes returns which files of shapes of the library cannot be read in full:
// of each what is wrong with it first.
func (l *Library) checkShapes() (list []store.Problem) {
	met := map[string]int{}
	for _, f := range l.knowledge.Shapes().Base.Faults {
		name, ok := strings.CutPrefix(f.File, knowledge.LibraryPrefix)
		if met[name]++; !ok || met[name] > 1 {
			continue
		}
		list = append(list, store.Problem{
			What: ShapeProblem, Name: fmt.Sprintf("%s line %d", name, f.Line), Reason: f.Reason, Remedy: remedy.LintShapes.With(""),
		})
	}
	return list
}
