package cli

import (
	"context"
	"errors"
	"fmt"
	"os"

	"qipu"
	"qipu/library/knowledge"
	"qipu/store"
)

// WithShapes runs a function on the base of shapes: with what the library has,
// where there is one. What cannot be read is told, and harms nothing else.
func (a *App) WithShapes(ctx context.Context, do func(*knowledge.Shapes) error) error {
	return a.WithLayers(ctx, func(s *knowledge.Shapes) error {
		const most = 5
		for i, f := range s.Base.Faults {
			if i == most {
				fmt.Fprintf(a.Err, "note: %s more: qipu shapes lint tells all\n", Plural(len(s.Base.Faults)-most, "fault"))
				break
			}
			fmt.Fprintf(a.Err, "note: %s\n", Printable(f.Error()))
		}
		return do(s)
	})
}

// WithLayers is WithShapes without a word on faults.
func (a *App) WithLayers(ctx context.Context, do func(*knowledge.Shapes) error) error {
	for _, path := range a.Shapes {
		if _, err := os.Stat(path); err != nil {
			return Usagef("--shapes %s: there is no such folder or file", path)
		}
	}
	l, err := a.OpenLibrary(ctx, qipu.Options{ReadOnly: true})
	switch {
	case err == nil:
		defer l.Close()
		return do(l.Knowledge().Shapes())
	case a.Library != "":
		return err
	case !errors.Is(err, store.ErrNoLibrary):
		fmt.Fprintf(a.Err, "note: without the shapes of the library: %v\n", err)
	}
	return do(knowledge.LoadShapes(a.ShapeFolders()...))
}
