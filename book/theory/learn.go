package theory

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"qipu/book"
	"qipu/book/theory/internal/graph"
	"qipu/engine"
	"qipu/game"
)

// Add values the positions of a game, from the last to the first: so each of
// them is searched once, when those behind it are known.
func (l *Learner) Add(ctx context.Context, start game.Position, moves []game.Move) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		played := 0
		defer func() { graph.Undo(start, played) }()
		for _, m := range moves {
			if err := start.Play(m); err != nil {
				return fmt.Errorf("theory: move %d: %w", played+1, err)
			}
			played++
		}
		for {
			a.report.Left = played + 1
			if err := a.add(ctx, start); err != nil {
				return err
			}
			if played == 0 {
				return nil
			}
			start.Undo()
			played--
		}
	})
}

// Deviate goes on from every leaf that is reached from a position when one side,
// now this one and now that, may lose up to r with each of its moves, while the
// other plays its best, as long as all values stay within a of that of the
// position. It works out what follows, and repeats that until there is no such
// leaf any more.
func (l *Learner) Deviate(ctx context.Context, p game.Position, r, abs engine.Value) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		root, err := a.root(ctx, p)
		for err == nil {
			var jobs []job
			a.deviations(root, r, abs, func(n *graph.Node) {
				if a.graph.Stale(n) {
					jobs = append(jobs, job{n.Row.Key, true})
				}
			}, func(n *graph.Node, leaf graph.Worth) {
				if a.grows(n, leaf) {
					jobs = append(jobs, job{n.Row.Key, false})
				}
			})
			if len(jobs) == 0 {
				return nil
			}
			err = a.do(ctx, sorted(jobs))
		}
		return err
	})
}

// deviations walks over the positions that Deviate speaks of. node is told of
// each of them, and leaf of the leaves on the way; both may be told twice.
func (a *learning) deviations(root book.Key, r, abs engine.Value, node func(*graph.Node), leaf func(*graph.Node, graph.Worth)) {
	a.mu.Lock() // it fetches
	defer a.mu.Unlock()
	g := a.graph
	id, ok := g.Find(root)
	if !ok {
		return
	}
	top := g.Nodes[id].Decides().Value
	for _, side := range []bool{true, false} { // whether the side to move at the root may err
		type visit struct {
			id  int32
			own bool // the side to move is that at the root
		}
		seen := map[visit]bool{}
		var walk func(v visit)
		walk = func(v visit) {
			if seen[v] {
				return
			}
			seen[v] = true
			n := &g.Nodes[v.id]
			node(n)
			if n.X != engine.NoValue || !n.Known() {
				return
			}
			slack, base := engine.Value(0), top
			if v.own == side {
				slack = r
			}
			if !v.own {
				base = -top
			}
			within := func(w graph.Worth) bool {
				return w.Known() && n.Value-w.Value <= slack && w.Value-base <= abs && base-w.Value <= abs
			}
			if w := g.LeafOf(n); within(w) {
				leaf(n, w)
			}
			for i := range n.Count {
				if e := g.Edges[n.First+i]; e.Child != graph.Nowhere && within(g.Behind(&e)) {
					walk(visit{g.Follow(n.First + i), v.own == e.Same})
				}
			}
		}
		walk(visit{id, true})
	}
}

// Enhance goes on from leaves until the bounds of the values tell which move is
// best, in a position and all along its best line. Values that are known to
// within tolerance are good enough.
func (l *Learner) Enhance(ctx context.Context, p game.Position, tolerance engine.Value) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		root, err := a.root(ctx, p)
		for err == nil {
			jobs := a.doubts(root, tolerance)
			if len(jobs) == 0 {
				return nil
			}
			err = a.do(ctx, sorted(jobs))
		}
		return err
	})
}

// doubts lists the leaves on which a best move may hang.
func (a *learning) doubts(root book.Key, tolerance engine.Value) (jobs []job) {
	a.mu.Lock() // it fetches
	defer a.mu.Unlock()
	g := a.graph
	type visit struct {
		id      int32
		tighten bool // the value is asked for, and not only the best move
	}
	seen := map[visit]bool{}
	var walk func(v visit)
	walk = func(v visit) {
		n := &g.Nodes[v.id]
		if seen[v] || n.X != engine.NoValue || v.tighten && n.Upper-n.Lower <= tolerance {
			return
		}
		seen[v] = true
		if g.Stale(n) {
			jobs = append(jobs, job{n.Row.Key, true})
			return
		}
		if !n.Known() {
			return
		}
		// The candidates are the moves that may be the best one.
		floor, candidates := engine.NoValue, 0
		leaf := g.LeafOf(n)
		each := func(do func(w graph.Worth, child int32)) {
			if leaf.Known() {
				do(leaf, -1)
			}
			for i := range n.Count {
				if w := g.Behind(&g.Edges[n.First+i]); w.Known() {
					if child := g.Follow(n.First + i); child >= 0 {
						do(w, child)
					} else {
						do(w, -2)
					}
				}
			}
		}
		each(func(w graph.Worth, _ int32) { floor = max(floor, w.Lower) })
		may := func(w graph.Worth) bool { return w.Upper > floor || w.Value == n.Value }
		each(func(w graph.Worth, _ int32) {
			if may(w) {
				candidates++
			}
		})
		settled := candidates == 1 && !v.tighten
		each(func(w graph.Worth, child int32) {
			switch {
			case !may(w):
			case child >= 0:
				walk(visit{child, !settled})
			case child == -1 && !settled && a.grows(n, w):
				jobs = append(jobs, job{n.Row.Key, false})
			}
		})
	}
	if id, ok := g.Find(root); ok {
		walk(visit{id, false})
	}
	return jobs
}

// Extend goes one move on from every position below one, itself among them,
// whose best move is its leaf. Positions that are added on the way wait for the
// next call.
func (l *Learner) Extend(ctx context.Context, p game.Position) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		jobs, err := a.each(ctx, p, func(n *graph.Node) (job, bool) {
			leaf := a.graph.LeafOf(n)
			return job{n.Row.Key, false}, a.grows(n, leaf) && leaf.Value >= n.Value
		})
		if err != nil {
			return err
		}
		return a.do(ctx, jobs)
	})
}

// Deepen searches the leaves of all positions below one anew whose level is
// lower than that of the learner, and finds the leaves that lack.
func (l *Learner) Deepen(ctx context.Context, p game.Position) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		jobs, err := a.each(ctx, p, func(n *graph.Node) (job, bool) {
			return job{n.Row.Key, true}, n.X == engine.NoValue && n.Row.Level < a.level() && (n.Leaf != game.NoMove || a.graph.Stale(n))
		})
		for i, j := range jobs {
			a.report.Left = len(jobs) - i
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if row, ok := a.row(j.key); ok {
				err = a.again(ctx, row)
			}
		}
		a.report.Left = 0
		return err
	})
}

// each lists the jobs at the positions below one.
func (a *learning) each(ctx context.Context, p game.Position, of func(*graph.Node) (job, bool)) ([]job, error) {
	root, err := a.root(ctx, p)
	if err != nil {
		return nil, err
	}
	a.mu.Lock() // it fetches
	defer a.mu.Unlock()
	var jobs []job
	for _, id := range a.graph.Below(root) {
		if j, ok := of(&a.graph.Nodes[id]); ok {
			jobs = append(jobs, j)
		}
	}
	return sorted(jobs), nil
}

// Fill joins valued positions that lie near each other: wherever a line of up to
// depth moves leads from one below p to another through positions that are not
// valued, these are.
func (l *Learner) Fill(ctx context.Context, p game.Position, depth int) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		if _, err := a.root(ctx, p); err != nil {
			return err
		}
		a.mu.Lock() // it fetches
		var texts []string
		root, _ := a.keys.Key(p)
		for _, id := range a.graph.Below(root) {
			texts = append(texts, a.graph.Nodes[id].Row.Position)
		}
		a.mu.Unlock()
		slices.Sort(texts)
		for i, text := range texts {
			a.report.Left = len(texts) - i
			q, err := game.ParsePosition(a.rules, text)
			if err != nil {
				return err
			}
			if _, err := a.bridge(ctx, q, depth); err != nil {
				return err
			}
		}
		a.report.Left = 0
		return nil
	})
}

// bridge values the positions on ways of up to depth moves from p to a valued
// one, the last of them first. It reports whether there is such a way.
func (a *learning) bridge(ctx context.Context, p game.Position, depth int) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	found := false
	for _, m := range p.AppendMoves(nil) {
		s, err := a.keys.Step(p, m)
		if err != nil {
			return false, err
		}
		_, known := a.row(s.Key)
		if known || s.Over || depth < 2 {
			found = found || known
			continue
		}
		if err := p.Play(m); err != nil {
			return false, err
		}
		passes := a.keys.Fold(p)
		far, err := a.bridge(ctx, p, depth-1)
		if err == nil && far {
			err = a.add(ctx, p)
			found = true
		}
		graph.Undo(p, passes+1)
		if err != nil {
			return false, err
		}
	}
	return found, nil
}

// Prune removes the positions below one that Deviate with the same numbers would
// not come to. What a person set stays. The moves that led to what is removed
// keep their values as leaves, where they are the best of those.
func (l *Learner) Prune(ctx context.Context, p game.Position, r, abs engine.Value) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		root, _ := a.keys.Key(p)
		keep := map[book.Key]bool{}
		a.deviations(root, r, abs, func(n *graph.Node) { keep[n.Row.Key] = true }, func(*graph.Node, graph.Worth) {})
		return a.cut(root, func(n *graph.Node, below bool) bool { return below && !keep[n.Row.Key] })
	})
}

// Subtree removes all positions that cannot be reached from one. What a person
// set stays.
func (l *Learner) Subtree(ctx context.Context, p game.Position) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		root, _ := a.keys.Key(p)
		return a.cut(root, func(_ *graph.Node, below bool) bool { return !below })
	})
}

// cut removes positions. The root has to be known, so that a mistyped position
// does not remove everything.
func (a *learning) cut(root book.Key, doomed func(n *graph.Node, below bool) bool) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	g := a.graph
	g.FetchAll()
	if _, ok := g.Find(root); !ok {
		return fmt.Errorf("theory: the position is not in the book: nothing was removed")
	}
	below := map[int32]bool{}
	for _, n := range g.Below(root) {
		below[n] = true
	}
	var gone []int32
	for id := range g.Nodes {
		if n := &g.Nodes[id]; !n.Gone && !n.Shipped && n.Row.Human == engine.NoValue && n.Row.Note == "" && doomed(n, below[int32(id)]) {
			gone = append(gone, int32(id))
		}
	}
	heirs, err := a.heirs(gone)
	if err != nil {
		return err
	}
	for _, id := range gone {
		key := g.Nodes[id].Row.Key
		a.dirty[key] = false
		g.Remove(id)
		if err := a.restore(key); err != nil {
			return err
		}
	}
	a.report.Removed = len(gone)
	a.changed()
	return a.putAll(heirs)
}

// heirs returns the rows of the positions that stay when others go, with leaves
// that keep what was known of the moves to those.
func (a *learning) heirs(gone []int32) ([]Row, error) {
	g := a.graph
	going := make(map[int32]bool, len(gone))
	for _, id := range gone {
		going[id] = true
	}
	best := map[int32]graph.Worth{}
	by := map[int32]game.Move{}
	for _, id := range gone {
		for e := g.First(g.Nodes[id].Row.Key); e >= 0; e = g.Edges[e].Next {
			edge := &g.Edges[e]
			if going[edge.From] {
				continue
			}
			w := g.Behind(edge)
			if b, ok := best[edge.From]; w.Known() && (!ok || w.Value > b.Value) {
				best[edge.From], by[edge.From] = w, edge.Move
			}
		}
	}
	var rows []Row
	for id, w := range best {
		n := &g.Nodes[id]
		if leaf := g.LeafOf(n); leaf.Known() && leaf.Value >= w.Value {
			continue
		}
		p, err := game.ParsePosition(a.rules, n.Row.Position)
		if err != nil {
			return nil, err
		}
		row := n.Row
		row.Leaf = game.FormatMove(a.rules, p, by[id], game.AnyNotation)
		row.Value, row.Lower, row.Upper, row.Level = w.Value, graph.Bounded(w.Lower), graph.Bounded(w.Upper), int(w.Level)
		rows = append(rows, row)
	}
	return rows, nil
}

// putAll puts rows and works out what follows, once. The caller holds the lock.
func (t *Theory) putAll(rows []Row) error {
	defer t.graph.Settle()
	t.changed()
	for _, row := range rows {
		n, edges, err := t.graph.Read(row)
		if err != nil {
			return err
		}
		t.graph.Insert(n, edges)
		t.dirty[row.Key] = true
	}
	return nil
}

// Merge takes over rows of another theory. Of two leaves that of the higher
// level stays; what a person set here outranks what one set there. With a
// Searcher the leaves that have come to lead to valued positions are searched
// anew. An error of the rows ends it; what came before it is kept.
func (l *Learner) Merge(ctx context.Context, rows iter.Seq2[Row, error]) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		var batch []Row
		at := map[book.Key]int{} // in the batch
		write := func() error {
			a.mu.Lock()
			err := a.putAll(batch)
			a.mu.Unlock()
			batch = batch[:0]
			clear(at)
			if err != nil {
				return err
			}
			return a.tick(ctx)
		}
		for row, err := range rows {
			if err == nil {
				err = ctx.Err()
			}
			if err == nil {
				row, err = a.keys.Normal(row)
			}
			if err != nil {
				_ = write()
				return err
			}
			if row.Empty() {
				continue
			}
			old, ok := a.row(row.Key)
			if i, again := at[row.Key]; again {
				batch[i] = joined(batch[i], row)
				continue
			}
			if !ok {
				a.report.Added++
			} else if row = joined(old, row); row == old {
				continue
			} else {
				a.report.Changed++
			}
			at[row.Key] = len(batch)
			if batch = append(batch, row); len(batch) >= 4096 {
				if err := write(); err != nil {
					return err
				}
			}
		}
		if err := write(); err != nil {
			return err
		}
		return a.mendAll(ctx)
	})
}

// joined returns the row of a position that two theories have. Where both
// searched the same move as deeply, what is here stays: a file may have been
// rounded.
func joined(a, b Row) Row {
	if b.Level > a.Level || b.Level == a.Level && b.Leaf != a.Leaf && cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(b.Leaf, a.Leaf)) > 0 {
		a.Leaf, a.Value, a.Lower, a.Upper, a.Level, a.Teacher = b.Leaf, b.Value, b.Lower, b.Upper, b.Level, b.Teacher
	}
	if a.Exact == engine.NoValue {
		a.Exact = b.Exact
	}
	if a.Human == engine.NoValue {
		a.Human = b.Human
	}
	if a.Note == "" {
		a.Note = b.Note
	}
	return a
}

// mendAll finds the leaves that lack, if there is an engine.
func (a *learning) mendAll(ctx context.Context) error {
	if a.Searcher == nil {
		return nil
	}
	a.mu.RLock()
	var jobs []job
	a.graph.Each(func(f graph.Fact) {
		if f.Stale && !f.Shipped {
			jobs = append(jobs, job{f.Row.Key, true})
		}
	})
	a.mu.RUnlock()
	return a.do(ctx, sorted(jobs))
}

// Fix works out all values anew, whatever was known of them, and with a Searcher
// finds the leaves that lack. Changed counts the positions whose values were not
// what they should be.
func (l *Learner) Fix(ctx context.Context) (Report, error) {
	return l.run(ctx, func(a *learning) error {
		a.mu.Lock()
		a.changed()
		a.graph.FetchAll()
		before := make([]graph.Node, len(a.graph.Nodes))
		copy(before, a.graph.Nodes)
		for id := range a.graph.Nodes {
			a.graph.Push(int32(id))
		}
		a.graph.Settle()
		for id := range before {
			if n := &a.graph.Nodes[id]; n.Worth != before[id].Worth || n.X != before[id].X {
				a.report.Changed++
			}
		}
		a.mu.Unlock()
		return a.mendAll(ctx)
	})
}
