package ask

import (
	"context"
	"errors"

	"qipu/game"
	"qipu/index"
	"qipu/library"
	"qipu/named"
	"qipu/pattern"
	"qipu/record"
	"qipu/retrieve"
)

// NameBoard is a board of a record on which something stands that has a name.
type NameBoard struct {
	Record   uint32
	Ply      int
	Game     *record.Game
	Position game.Position
	Side     int            // whose it is, or named.Both
	Roles    []pattern.Role // nil where it is found by a picture
}

// NameBoards returns boards of records on which an item stands, the first n that are
// found, one of each game; none where to look for them is too much.
func (sr *Searcher) NameBoards(ctx context.Context, k *index.Kind, it *named.Item, n int) ([]NameBoard, error) {
	book, err := sr.library.Knowledge().Names(k)
	if err != nil {
		return nil, err
	}
	a, err := sr.Find(ctx, &retrieve.Request{Kind: k, Query: it.Query(), Limit: n, NoContinuations: true})
	if errors.Is(err, retrieve.ErrTooMuch) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []NameBoard
	referee := record.NewReferee(sr.library.Rules())
	for i := range a.Rows {
		row := &a.Rows[i]
		g, _, err := sr.library.Record(ctx, row.Game)
		if err != nil {
			if library.Damaged(err) {
				continue
			}
			return nil, err
		}
		b := NameBoard{Record: row.Game, Ply: int(row.Ply), Game: g, Side: named.Both}
		if it.Owned() {
			b.Side = 0
			if row.Symmetry.Swap {
				b.Side = 1
			}
		}
		var hits []named.Hit
		if b.Position, hits, err = NamesAt(book, referee.Play(g), b.Ply); err != nil {
			continue
		}
		for _, hit := range hits {
			if hit.ID == it.ID && hit.Side == b.Side {
				b.Roles = hit.Roles
			}
		}
		list = append(list, b)
	}
	return list, nil
}

// NamesAt returns the position of a record after so many steps, and what has a name
// there. Where the moves cannot be played on by the rules, one behind the other, the
// board is looked at alone.
func NamesAt(book *named.Items, p *record.Played, steps int) (game.Position, []named.Hit, error) {
	at, err := record.At(p, steps)
	if err != nil {
		return nil, nil, err
	}
	hits, ok := namesBehind(book, p, steps, at.Hash())
	if !ok {
		hits, err = book.At(at, nil)
	}
	return at, hits, err
}

// namesBehind returns what has a name behind the moves of a record, if these lead to
// the position with a hash.
func namesBehind(book *named.Items, p *record.Played, steps int, hash uint64) ([]named.Hit, bool) {
	start, err := p.Rules.Arrange(p.Start)
	if err != nil {
		return nil, false
	}
	moves := make([]game.Move, steps)
	for i := range moves {
		moves[i] = p.Steps[i].Move
		if start.Play(moves[i]) != nil {
			return nil, false
		}
	}
	if start.Hash() != hash {
		return nil, false
	}
	for range moves {
		start.Undo()
	}
	hits, err := book.At(start, moves)
	return hits, err == nil
}
