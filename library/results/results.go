// Package results mends results that earlier versions of the program stored wrongly:
// of games that were played here, ended by two passes, and were counted with every
// stone on the board alive. A record is put in the place of each that has the count of
// the settler, its marks of territory, and the old result, by which it can be undone.
package results

import (
	"context"
	"crypto/rand"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/library"
	"qipu/play"
	"qipu/record"
	"qipu/record/facts"
	"qipu/record/score"
	"qipu/store"
)

// before is the property of a record that has the result it had before.
const before = "QIPURE"

// Wrong is a game whose stored result is not what the settler counts.
type Wrong struct {
	Game    uint32
	Rules   game.Rules
	Stored  facts.Result
	Counted facts.Result
	Dead    []board.Point

	// Sure tells that the settler is sure: only then is it mended.
	Sure bool

	record *record.Game
	land   [2][]board.Point
}

// Names returns the dead stones by the names of their points.
func (w *Wrong) Names() []string {
	names := []string{}
	for _, at := range w.Dead {
		names = append(names, w.Rules.Geometry().Name(at))
	}
	return names
}

// Find returns the games that were played here and are stored with a wrong result,
// by rising number.
func Find(ctx context.Context, l *library.Library) (list []Wrong, err error) {
	err = played(ctx, l, func(g *store.Game, r *record.Game) error {
		w, err := judge(ctx, l, g, r)
		if err == nil && w != nil {
			list = append(list, *w)
		}
		return err
	})
	return list, err
}

// chunk is how many games are looked at together.
const chunk = 1000

// played goes through the records of counted games that were played here.
func played(ctx context.Context, l *library.Library, f func(*store.Game, *record.Game) error) error {
	ids, err := l.IDs(ctx, "")
	if err != nil {
		return err
	}
	for some := range slices.Chunk(ids.ToArray(), chunk) {
		games, err := l.Games(ctx, some)
		if err != nil {
			return err
		}
		for i := range games {
			g := &games[i]
			if g.Source.File != record.PlayFile || g.Format != "" {
				continue
			}
			r, _, err := l.Record(ctx, g.ID)
			if err == nil {
				err = f(g, r)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// judge counts a game anew; nil where its result is right, or no count at all.
func judge(ctx context.Context, l *library.Library, g *store.Game, r *record.Game) (*Wrong, error) {
	p := record.NewReferee(l.Rules()).Play(r)
	n := len(p.Steps)
	if p.Rules == nil || p.Unplayed > 0 || n < 2 || p.Steps[n-1].Move != game.Pass || p.Steps[n-2].Move != game.Pass {
		return nil, nil
	}
	settler := l.Settler(p.Rules)
	_, counted := score.Margin(r.Facts.Result)
	if settler == nil || !counted || marked(r) {
		return nil, nil
	}
	rules, _, err := score.RulesOf(p.Rules.Geometry().Size, &r.Facts)
	if err != nil {
		return nil, nil // of rules that nobody counts by
	}
	at, err := record.At(p, n)
	if err != nil {
		return nil, err
	}
	pos, err := rules.Arrange(game.SetupOf(at))
	if err != nil {
		return nil, nil
	}
	s, err := settler.Propose(ctx, pos)
	if err != nil {
		return nil, err
	}
	w := &Wrong{Game: g.ID, Rules: rules, Stored: r.Facts.Result, Counted: play.FactsOf(s.Outcome), Dead: s.Dead(), Sure: s.Sure, record: r, land: s.Land}
	if w.Counted == w.Stored {
		return nil, nil
	}
	return w, nil
}

// marked reports whether a record says itself whose the points are.
func marked(r *record.Game) bool {
	return slices.ContainsFunc(r.Nodes, func(n record.Node) bool {
		return n.Extra != nil && slices.ContainsFunc(n.Props, func(p record.Prop) bool { return p.Name == "TB" || p.Name == "TW" })
	})
}

// Mend puts a record with the right result in the place of each game that the settler
// is sure of, and returns the new numbers by the old ones.
func Mend(ctx context.Context, l *library.Library, list []Wrong) (map[uint32]uint32, error) {
	ctx = store.Within(ctx, store.Deed{Key: "results:" + rand.Text(), Op: store.OpResults})
	numbers := map[uint32]uint32{}
	for i := range list {
		w := &list[i]
		if !w.Sure {
			continue
		}
		r := w.record
		last := int32(0)
		for i := range r.Main() {
			last = i
		}
		play.Territory(r, last, w.land)
		root := r.Nodes[0].More()
		root.Props = append(root.Props, record.Prop{Name: before, Values: []string{w.Stored.String()}})
		r.Facts.Result = w.Counted
		id, err := replace(ctx, l, w.Game, r)
		if err != nil {
			return numbers, err
		}
		numbers[w.Game] = id
	}
	return numbers, nil
}

// Undo gives the games that Mend has mended their old results back, and returns the
// new numbers by the old ones.
func Undo(ctx context.Context, l *library.Library) (map[uint32]uint32, error) {
	ctx = store.Within(ctx, store.Deed{Key: "results:" + rand.Text(), Op: store.OpResults})
	numbers := map[uint32]uint32{}
	err := played(ctx, l, func(g *store.Game, r *record.Game) error {
		root := r.Nodes[0].More()
		at := slices.IndexFunc(root.Props, func(p record.Prop) bool { return p.Name == before && len(p.Values) == 1 })
		if at < 0 {
			return nil
		}
		r.Facts.Result = facts.ParseResult(facts.BlackFirst, root.Props[at].Values[0])
		root.Props = slices.Delete(root.Props, at, at+1)
		for i := range r.Nodes {
			if n := &r.Nodes[i]; n.Extra != nil {
				n.Props = slices.DeleteFunc(n.Props, func(p record.Prop) bool { return p.Name == "TB" || p.Name == "TW" })
			}
		}
		id, err := replace(ctx, l, g.ID, r)
		numbers[g.ID] = id
		return err
	})
	return numbers, err
}

// replace puts a record in the place of a game: it gets a number of its own, and the
// collections and tags of the other, which is deleted.
func replace(ctx context.Context, l *library.Library, old uint32, r *record.Game) (uint32, error) {
	collections, err := l.Notes().CollectionsOf(ctx, old)
	if err != nil {
		return 0, err
	}
	tags, err := l.Notes().TagsOf(ctx, old)
	if err != nil {
		return 0, err
	}
	r.Raw = nil // it is no more what was read
	referee := record.NewReferee(l.Rules())
	referee.Trace = true
	added, err := l.Add(ctx, referee.Play(r))
	if err != nil || added.ID == old {
		return added.ID, err
	}
	if len(collections)+len(tags) > 0 {
		err = l.Notes().Edit(ctx, func(tx store.Tx) error {
			for _, c := range collections {
				if err := tx.Collect(c.ID, []uint32{added.ID}); err != nil {
					return err
				}
			}
			for _, t := range tags {
				if err := tx.Tag(t.Name, []uint32{added.ID}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err != nil {
		return added.ID, err
	}
	return added.ID, l.Delete(ctx, old)
}
