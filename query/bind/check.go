package bind

import (
	"errors"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/game"
	"qipu/query"
)

// Check tells what is wrong with a query as far as that is known without a
// library: fields, games, sides, dates, numbers, ranks, results, pieces and
// boards must mean something in one of the games that the query names, or of
// all where it names none. Collections, tags, players and saved queries may have
// any name. Boards of sizes that are not the usual ones need the name of the
// game, as in game:go:11x11.
//
// The error is an *Error that knows the place, but not the text.
func Check(q query.Q, games game.Catalog) error {
	kinds := named(q, games)
	var worst error
	for _, rules := range kinds {
		_, err := (&Binder{Rules: rules, Names: anyNames{}, Games: games}).Bind(loose(q))
		if err == nil {
			return nil
		}
		if worse(err, worst) {
			worst = err
		}
	}
	return worst
}

// named returns the games that a query names; else all, and the usual variants
// behind them.
func named(q query.Q, games game.Catalog) (list []game.Rules) {
	for _, spec := range query.GameSpecs(q) {
		if r, err := games.Find(spec); err == nil {
			list = append(list, r)
		}
	}
	if len(list) > 0 {
		return list
	}
	list = append(list, games...)
	for _, r := range games {
		for _, variant := range r.Info().Usual {
			if v, err := games.Find(r.Info().Name + ":" + variant); err == nil {
				list = append(list, v)
			}
		}
	}
	return list
}

// worse reports whether an error tells more than another one: those about what
// the game does not have tell least, and of others the one farther on is of the
// game for which more of the query was right.
func worse(err, than error) bool {
	if than == nil {
		return true
	}
	if a, b := errors.Is(err, ErrOtherGame), errors.Is(than, ErrOtherGame); a != b {
		return b
	}
	x, ok1 := errors.AsType[*query.Error](err)
	y, ok2 := errors.AsType[*query.Error](than)
	return ok1 && ok2 && x.At > y.At
}

// loose returns a query that does not ask that a saved board, which nobody
// knows, lies where another one does.
func loose(q query.Q) query.Q {
	q, _ = query.MapParts(q, func(part query.Q) (query.Q, error) { return loose(part), nil }, func(leaf query.Q) (query.Q, error) { return leaf, nil })
	if t, ok := q.(query.Then); ok && t.Here {
		_, a := t.A.(query.Named)
		_, b := t.B.(query.Named)
		t.Here = !a && !b
		return t
	}
	return q
}

// anyNames knows every name, and nothing about it.
type anyNames struct{}

func (anyNames) Collection(string) (*roaring.Bitmap, error)  { return nil, nil }
func (anyNames) Tag(string) (*roaring.Bitmap, error)         { return nil, nil }
func (anyNames) Added(int64, int64) (*roaring.Bitmap, error) { return nil, nil }
func (anyNames) Change(int64) (*roaring.Bitmap, error)       { return nil, nil }
func (anyNames) Here() (*roaring.Bitmap, error)              { return nil, nil }
func (anyNames) Comment(string) (*roaring.Bitmap, error)     { return nil, nil }
func (anyNames) Term(word string) (query.Q, error) {
	return query.Field{Name: "event", Value: word}, nil
}
func (anyNames) Player(string, bool) (*query.Texts, error)       { return nil, nil }
func (anyNames) Event(string, bool) (map[string]struct{}, error) { return nil, nil }

// Named returns a query for a player, so that a win may be that player's.
func (anyNames) Named(string) (query.Q, error) {
	return query.Field{Name: "player", Value: "somebody"}, nil
}
