package retrieve

import (
	"context"
	"fmt"
	"time"

	"qipu/game"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// ExploreRequest asks what was played in a position.
type ExploreRequest struct {
	Kind *index.Kind

	// Position is played on and restored: nobody else may use it meanwhile.
	Position game.Position

	// Within restricts the games; nil for all.
	Within query.Q

	Variations bool
	Mirror     bool // positions that are pictures of this one count
	Swap       bool // those with the sides exchanged, too
	AnyTurn    bool // whoever is to move

	Limit   int // rows of games; 0 for 30
	Cursor  string
	Order   Order
	Reverse bool

	OnTick func(games, hits int) // as in Request
}

// Explore answers what was played in a position, how it went, and how many
// games reach each next position.
func Explore(ctx context.Context, v index.View, r *ExploreRequest) (*Answer, error) {
	began := time.Now()
	shape, err := r.shape()
	if err != nil {
		return nil, err
	}
	q := r.within(shape)
	a, err := Find(ctx, v, &Request{
		Kind: r.Kind, Query: q, Variations: r.Variations, Limit: r.Limit, Cursor: r.Cursor, Order: r.Order, Reverse: r.Reverse, OnTick: r.OnTick,
	})
	if err != nil {
		return nil, err
	}
	if err := r.reached(ctx, v, a.Continuations); err != nil {
		return nil, err
	}
	a.Explain.Elapsed = time.Since(began)
	return a, nil
}

// shape returns the position as it is now as a pattern.
func (r *ExploreRequest) shape() (*query.Shape, error) {
	p, err := pattern.FromPosition(r.Position)
	if err != nil {
		return nil, fmt.Errorf("retrieve: %s: %w", r.Kind.Name, err)
	}
	if p.Size != r.Kind.Board.Size {
		return nil, fmt.Errorf("retrieve: the position is none of %s: give one of that game and size", r.Kind.Name)
	}
	p.Mirror, p.Swap = r.Mirror, r.Swap
	if !r.AnyTurn {
		p.Turn = pattern.FirstToMove + pattern.Turn(r.Position.Turn())
	}
	return &query.Shape{Pattern: p, Geometry: r.Kind.Rules.Geometry()}, nil
}

// within returns the query for a shape in the games that are asked for.
func (r *ExploreRequest) within(shape *query.Shape) query.Q {
	if r.Within == nil {
		return shape
	}
	return query.And{shape, r.Within}
}

// reached counts the games that reach the position behind each continuation, by
// whatever order of moves; -1 where that cannot be told. Behind a pass is the same
// board, which all these games have with the wrong side to move first: to look for
// it there costs a scan of them all, for next to nothing. All positions are looked
// up together: a store on other machines takes as long for twenty as for one.
func (r *ExploreRequest) reached(ctx context.Context, v index.View, list []Continuation) error {
	behind := map[uint64][]*arrival{}
	var all *index.Lookup
	for i := range list {
		c := &list[i]
		c.Reached = -1
		if c.Move == game.Pass || c.Side != r.Position.Turn() || r.Position.Play(c.Move) != nil {
			continue
		}
		shape, err := r.shape()
		r.Position.Undo()
		if err != nil {
			return err
		}
		q := query.Simplify(r.within(shape))
		if _, sets, ok := among(q); ok {
			if stones := wholeBoard(r.Kind, shape.Pattern); stones != nil {
				l := newLookup(r.Kind, shape.Pattern, stones, sets)
				if all == nil {
					all = l.ask(r.Variations, nil)
					all.Keys = nil
				}
				if behind[l.key] == nil {
					all.Keys = append(all.Keys, l.key)
				}
				behind[l.key] = append(behind[l.key], &arrival{lookup: l, of: c})
				continue
			}
		}
		a, err := Find(ctx, v, &Request{Kind: r.Kind, Query: q, Variations: r.Variations, NoContinuations: true, Limit: 1})
		if err != nil {
			return err
		}
		c.Reached = a.Games
	}
	if all == nil {
		return nil
	}
	for postings, err := range v.Positions(ctx, all) {
		if err != nil {
			return err
		}
		err := v.Guard(func() error {
			for _, a := range behind[postings.Key] {
				a.take(postings, r.Variations)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for _, same := range behind {
		for _, a := range same {
			a.of.Reached = a.games + len(a.met)
		}
	}
	return nil
}

// arrival counts the games that reach the position behind a continuation.
type arrival struct {
	*lookup
	of    *Continuation
	games int
	met   map[uint32]bool // where a game may have several lines
}

// take counts the games of postings.
func (a *arrival) take(postings *index.Postings, variations bool) {
	last := -1
	for i := range postings.Rows {
		row := &postings.Rows[i]
		line := int(row.Line)
		if last == line || !a.view(row).counts || !a.lookup.games.admits(&postings.Columns, line) {
			continue
		}
		last = line
		if !variations {
			a.games++
			continue
		}
		if a.met == nil {
			a.met = map[uint32]bool{}
		}
		a.met[postings.Game(line)] = true
	}
}
