package theory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/segment"
)

// maxLoose is how many positions are held beside the file before a new one is
// made, and minFile from how many on one is worth making.
const (
	maxLoose = 1 << 15
	minFile  = 512
)

// Save makes a new file where much is held beside the old one, and lets go of what
// it holds. Where somebody changes values meanwhile, it is left for another time.
func (t *Theory) Save(ctx context.Context) error {
	if t.options.Dir == "" {
		return nil
	}
	if err := t.Flush(ctx); err != nil {
		return err
	}
	t.saving.Lock()
	defer t.saving.Unlock()
	t.mu.RLock()
	turns, changed, held := t.turns, 0, len(t.graph.Nodes)
	for id := range t.graph.Nodes {
		if n := &t.graph.Nodes[id]; n.Changed || n.Gone {
			changed++
		}
	}
	var made *graph.Base
	var err error
	if changed >= t.leastFile() {
		made, err = t.make(t.graph, t.file, t.state)
	}
	t.mu.RUnlock()
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case made != nil && t.turns == turns:
		old := t.file
		t.file, t.graph = made, t.begin(made)
		t.forget()
		t.clean()
		return old.Close()
	case made != nil:
		path := made.File.Info().Path
		return errors.Join(made.Close(), os.Remove(path))
	case changed == 0 && held > maxLoose:
		t.graph = t.begin(t.file)
		t.forget()
	}
	return nil
}

// loose returns how many positions are held in memory.
func (t *Theory) loose() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.graph.Nodes)
}

// leastFile is how many changes are worth a file: with values that came with the
// program few are, since those above them are looked for each time.
func (t *Theory) leastFile() int {
	if t.options.Shipped != nil && t.file == nil {
		return 1
	}
	return t.least
}

// make writes a new file of a graph over an old one.
func (t *Theory) make(g *graph.Graph, old *graph.Base, m Mark) (made *graph.Base, err error) {
	if err := os.MkdirAll(t.options.Dir, 0o777); err != nil {
		return nil, err
	}
	_, last := graph.BaseFiles(t.options.Dir, t.options.Name)
	name := fmt.Sprintf("%s%06d.seg", t.options.Name, last+1)
	err = segment.Guard(func() (err error) {
		made, err = g.Write(old, t.options.Dir, name, graph.KindOf(t.rules), m)
		return err
	})
	return made, err
}

// clean removes all files but the newest. On Windows those that others have open
// stay, for the next time.
func (t *Theory) clean() {
	names, _ := graph.BaseFiles(t.options.Dir, t.options.Name)
	for _, n := range names[min(1, len(names)):] {
		os.Remove(filepath.Join(t.options.Dir, n))
	}
}

// Ship writes the positions that were searched as deep as a level, for the program
// to bring along. What people have said stays here.
func (t *Theory) Ship(w io.Writer, level int) (positions int, err error) {
	if err := graph.UsualOthello(t.rules, "shipped"); err != nil {
		return 0, err
	}
	var list []graph.Fact
	t.mu.RLock()
	t.graph.Each(func(f graph.Fact) {
		if f.Row.Level >= level && f.Known() && f.Row.Human == engine.NoValue {
			list = append(list, f)
		}
	})
	t.mu.RUnlock()
	slices.SortFunc(list, func(a, b graph.Fact) int { return graph.CompareKeys(a.Row.Key, b.Row.Key) })
	return len(list), graph.WriteShipped(w, t.rules, list)
}
