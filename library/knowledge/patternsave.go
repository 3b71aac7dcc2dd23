package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"qipu/pattern/relation/syntax"
)

// ErrPattern tells that a text has no pattern.
var ErrPattern = errors.New("it has no pattern")

// SavePatterns keeps relational patterns with their fixtures in the library, in place
// of those with the same ids. All else in the files that they stand in stays as it
// is; new ones go into a file for their kind. Each file is written once, whole or not
// at all. A file that has a fault is refused as a whole.
func (l *Layers) SavePatterns(ctx context.Context, f *syntax.File) error {
	switch {
	case len(f.Faults) > 0:
		return f.Faults[0]
	case len(f.Patterns) == 0:
		return fmt.Errorf("qipu: %w", ErrPattern)
	}
	for _, c := range f.Checks {
		if !slices.ContainsFunc(f.Patterns, func(p *syntax.Pattern) bool { return p.ID == c.ID }) {
			return fmt.Errorf("qipu: %s:%d: there is a check of %s, and no such pattern in the file: put both into one", c.File, c.Line, c.ID)
		}
	}
	return l.change(ctx, &patternForm, func(own *ownFiles) error {
		for _, p := range f.Patterns {
			path := own.file(p.ID)
			if path == "" {
				path = own.path(string(p.Kind) + "s")
			}
			blocks := []string{string(p.AppendTo(nil))}
			for _, c := range f.Checks {
				if c.ID == p.ID {
					blocks = append(blocks, string(c.AppendTo(nil)))
				}
			}
			own.put(path, withBlocks(own.texts[path], own.form, p.ID, nil, blocks))
		}
		return nil
	})
}

// DeletePattern takes a pattern of the library out of it, with its fixtures. One that
// lies below it counts again then. It fails with ErrNotOwn where the library has none
// with the id.
func (l *Layers) DeletePattern(ctx context.Context, id string) error {
	return l.deleteBlock(ctx, &patternForm, id)
}
