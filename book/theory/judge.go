package theory

import (
	"context"
	"math"
	"time"

	"qipu/engine"
	"qipu/game"
)

// unsure is how many discs the value of a position is wrong on average of which
// games alone tell, and of which part of that remains with every ply of a search:
// ten plies leave 0.74 of 4.0, as was measured.
const (
	unsure = 4.0
	leaves = 0.845
)

// Doubt returns how much a search of a level would tell about a position, in
// discs or points; 0 where it would tell nothing.
func (t *Theory) Doubt(p game.Position, level int) float64 {
	k := t.keyer()
	key, _ := k.Key(p)
	t.keyers.Put(k)
	t.mu.RLock()
	defer t.mu.RUnlock()
	f, ok := t.graph.Look(key)
	switch {
	case !ok:
		if t.options.Exact != nil {
			if _, ok := t.options.Exact(key); ok {
				return 0
			}
		}
		return unsure
	case f.Row.Human != engine.NoValue || f.X != engine.NoValue:
		return 0
	case f.Row.Level < level:
		return unsure * (math.Pow(leaves, float64(f.Row.Level)) - math.Pow(leaves, float64(level)))
	case f.Partial && f.Row.Value > f.Value:
		return (f.Row.Value - f.Value).Units() // the move that was best is not so good: another may be
	}
	return 0
}

// Judge values one position by a search of its own, which is cheaper than Add: where
// positions behind its moves are valued, it does not ask for the best of the other
// moves but where the best one has turned out to be worse than it seemed.
//
// What it finds is written from time to time: call Theory.Flush at the end.
func (l *Learner) Judge(ctx context.Context, position string) error {
	a := &learning{Learner: l, Theory: l.Theory, keys: l.Theory.keyer(), began: time.Now()}
	defer l.Theory.keyers.Put(a.keys)
	p, err := game.ParsePosition(a.rules, position)
	if err != nil || a.Doubt(p, a.level()) <= 0 {
		return err
	}
	q, row, _, err := a.keys.Smallest(p)
	if err != nil {
		return err
	}
	a.mu.RLock()
	f, ok := a.graph.Look(row.Key)
	a.mu.RUnlock()
	if ok {
		row = f.Row
	}
	if ok && row.Level >= a.level() {
		err = a.leaf(ctx, q, &row)
	} else {
		err = a.best(ctx, q, &row)
	}
	if err != nil {
		return err
	}
	if err := a.set(row); err != nil {
		return err
	}
	if l.flushed.IsZero() {
		l.flushed = time.Now()
	}
	a.flushed = l.flushed
	err = a.tick(ctx)
	l.flushed = a.flushed
	return err
}

// best searches the best move of a position, and sets it in the row, whether or not
// it leads to a valued position.
func (a *learning) best(ctx context.Context, p game.Position, row *Row) error {
	list, err := a.Searcher.Values(ctx, p, a.level(), 1)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNoMove
	}
	a.found(p, list[0], row)
	if list[0].Exact {
		row.Exact = list[0].Value
	}
	return nil
}
