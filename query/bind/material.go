package bind

import (
	"fmt"
	"slices"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
	"qipu/query"
)

// army is how many pieces of each kind one side has; kinds are those of armies.
type army []int

// armies reads the pieces of two sides: KRPKR, KRPvKR, R-BN. Without a sign between
// them the second side begins where the letter that the first begins with comes again.
type armies struct {
	letters string // of the kinds
	pieces  [2][]board.Piece
	minor   []bool // kinds that count least
}

// kindsOf returns the kinds of pieces of a game that both sides have and letters name.
func kindsOf(g *board.Geometry) (a armies) {
	for i, look := range g.Pieces {
		if look.Owner != 0 || look.Letters == "" {
			continue
		}
		for j, other := range g.Pieces {
			if other.Owner == 1 && strings.EqualFold(other.Letters[:min(1, len(other.Letters))], look.Letters[:1]) {
				a.letters += strings.ToUpper(look.Letters[:1])
				a.pieces[0] = append(a.pieces[0], board.Piece(i+1))
				a.pieces[1] = append(a.pieces[1], board.Piece(j+1))
				a.minor = append(a.minor, look.Weight <= 1)
				break
			}
		}
	}
	return a
}

// read reads the letters of one side.
func (a *armies) read(text string) (army, error) {
	list := make(army, len(a.letters))
	for _, c := range strings.ToUpper(text) {
		i := strings.IndexRune(a.letters, c)
		if i < 0 {
			return nil, fmt.Errorf("%q is no letter of a piece: they are %s", c, a.letters)
		}
		list[i]++
	}
	return list, nil
}

// cut parts the two sides.
func (a *armies) cut(text string) (first, second string, ok bool) {
	for _, sign := range []string{" vs ", "vs", " v ", "v", "-", "/", ":"} {
		if first, second, ok = strings.Cut(text, sign); ok {
			return strings.TrimSpace(first), strings.TrimSpace(second), true
		}
	}
	if at := strings.Index(strings.ToUpper(text[min(1, len(text)):]), strings.ToUpper(text[:min(1, len(text))])); at >= 0 && len(text) > 1 {
		return text[:at+1], text[at+1:], true
	}
	return text, "", false
}

// material binds a question about all pieces on the board.
func (x *binding) material(f query.Field, name, side string) (query.Q, error) {
	g := x.Rules.Geometry()
	kinds := kindsOf(g)
	if len(kinds.letters) < 2 {
		return nil, x.fail(f.At, fmt.Sprintf("%s has no kinds of pieces", x.Rules.Info().Titles.En), "", ErrOtherGame)
	}
	hint := "write it as in " + map[string]string{"material": "material:KRPKR", "imbalance": "imbalance:RvBN"}[name]
	first, second, ok := kinds.cut(f.Value)
	if !ok && name == "material" {
		return nil, x.failValue(f, fmt.Sprintf("%q are the pieces of one side", f.Value), hint, nil)
	}
	var lists [2]army
	for i, text := range []string{first, second} {
		list, err := kinds.read(text)
		if err != nil {
			return nil, x.failValue(f, err.Error(), hint, nil)
		}
		lists[i] = list
	}
	if name == "imbalance" && slices.Equal(lists[0], lists[1]) {
		return nil, x.failValue(f, fmt.Sprintf("%q is no difference", f.Value), hint, nil)
	}
	if len(first)+len(second) > 2*len(g.Pieces)+32 {
		return nil, x.failValue(f, "these are too many pieces", hint, nil)
	}
	ask := func(owner game.Side) query.Q {
		if name == "material" {
			return x.exactly(&kinds, lists, owner)
		}
		return x.ahead(&kinds, lists, owner)
	}
	if side != "" && side != "any" {
		s, err := x.side(side, f)
		if err != nil {
			return nil, err
		}
		return ask(s), nil
	}
	return query.Or{ask(game.First), ask(game.Second)}, nil
}

// many is the condition that so many pieces of a kind stand on the board.
func (x *binding) many(piece board.Piece, n int) query.Q {
	g := x.Rules.Geometry()
	points := make([]uint16, g.Size.Area())
	for i := range points {
		points[i] = uint16(i)
	}
	return &query.Count{Set: pattern.Of(piece), Points: points, Op: query.Equal, N: n, Text: "[" + g.Pieces[piece-1].Letters[:1] + "]"}
}

// exactly is the condition that the owner has the first pieces, the other side the
// second ones, and neither any more. Kings come last: they are on every board.
func (x *binding) exactly(kinds *armies, lists [2]army, owner game.Side) query.Q {
	var all query.And
	for i := len(kinds.letters) - 1; i >= 0; i-- {
		for k, list := range lists {
			all = append(all, x.many(kinds.pieces[(int(owner)+k)%2][i], list[i]))
		}
	}
	return query.When{Q: all}
}

// ahead is the condition that the owner has more of the first pieces, the other side
// more of the second ones, and of all others but those that count least as many.
func (x *binding) ahead(kinds *armies, lists [2]army, owner game.Side) query.Q {
	const most = 4 // of one kind: more than two come of pawns
	var all query.And
	for i := len(kinds.letters) - 1; i >= 0; i-- {
		more := lists[0][i] - lists[1][i]
		if kinds.minor[i] && lists[0][i] == 0 && lists[1][i] == 0 {
			continue
		}
		up := most
		if kinds.minor[i] {
			up = 2 * most
		}
		var some query.Or
		for n := max(0, more); n <= up && n-more <= up; n++ {
			some = append(some, query.And{x.many(kinds.pieces[owner][i], n), x.many(kinds.pieces[owner^1][i], n-more)})
		}
		all = append(all, some)
	}
	return query.When{Q: all}
}
