package retrieve

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/pattern"
	"qipu/query"
	"qipu/query/bind"
	"qipu/record"
	"qipu/store/storetest"
)

// asked is what a condition on moves asks for, in the words of this test.
type asked struct {
	text           string
	who, takes     pattern.Set
	from, to       []int // dense indices; nil for any
	taken          int
	becomes        bool
	check, castles bool
	drops, passes  bool
}

// asks remembers what each mark on moves was made of.
var asks = map[*query.Mark]*asked{}

// met reports whether the ply that leads to a board is a move of the kind. It looks at
// the move of the record, at the boards before and behind it, and asks the rules about
// check: nothing of it goes by columns.
func (a *asked) met(k *index.Kind, l *line, ply int) bool {
	if ply == 0 {
		return false
	}
	before, after, m, side := l.boards[ply-1], l.boards[ply], l.moves[ply-1], l.turns[ply-1]
	index := func(p board.Point) int { return k.Board.Size.Index(p) }
	mine := func(p board.Piece) bool { return p != board.Empty && game.Side(k.Owners[p-1]) == side }
	var arrived, lost []int
	for at := range before {
		if before[at] == after[at] {
			continue
		}
		if mine(after[at]) {
			arrived = append(arrived, at)
		}
		if before[at] != board.Empty && !mine(before[at]) {
			lost = append(lost, at)
		}
	}
	if a.passes {
		return slices.Equal(before, after) && (m == game.Pass || !k.Moving)
	}
	from, to, who, became := -1, -1, board.Empty, board.Empty
	if k.Moving {
		if m == game.NoMove || m == game.Pass {
			return false
		}
		to = index(m.To())
		if m.From() != board.NoPoint {
			from = index(m.From())
			who = before[from]
		} else {
			who = after[to]
		}
		if became = after[to]; len(arrived) > 1 {
			became = who
			to = arrived[slices.IndexFunc(arrived, func(at int) bool { return after[at] == who })]
		}
	} else {
		fresh := slices.DeleteFunc(slices.Clone(arrived), func(at int) bool { return before[at] != board.Empty })
		dropped := 0
		for at := range before {
			if before[at] == board.Empty && after[at] != board.Empty {
				dropped++
			}
		}
		if len(fresh) != 1 || dropped != 1 {
			return false // a pass, a set-up, or stones that took themselves off
		}
		to, who, became = fresh[0], after[fresh[0]], after[fresh[0]]
	}
	switch {
	case a.who != 0 && !a.who.Has(who), a.from != nil && !slices.Contains(a.from, from), a.to != nil && !slices.Contains(a.to, to),
		a.becomes && became == who, a.castles && (!k.Moving || len(arrived) < 2), a.drops && from >= 0, len(lost) < a.taken,
		a.takes != 0 && !slices.ContainsFunc(lost, func(at int) bool { return a.takes.Has(before[at]) }):
		return false
	}
	return !a.check || checked(k, after, side.Opponent())
}

// checked asks the rules whether the side to move is in check.
func checked(k *index.Kind, cells []board.Piece, turn game.Side) bool {
	planes := board.NewPlanes(k.Board.Size, k.Board.Kinds)
	for at, p := range cells {
		if p != board.Empty {
			planes.Of[p-1].Add(k.Board.Size.Point(at))
		}
	}
	pos, err := k.Rules.Arrange(game.Setup{Board: planes, Turn: turn, Number: 1})
	if err != nil {
		panic(fmt.Sprintf("%s: %v", k.Name, err))
	}
	return pos.(interface{ InCheck() bool }).InCheck()
}

// marked reports for each ply of a line whether a move of a side led there.
func (a *asked) marked(k *index.Kind, l *line, of interval.Owner, side game.Side) []bool {
	on := make([]bool, len(l.boards))
	for ply := range on {
		on[ply] = ply > 0 && l.turns[ply-1] == side && of.Has(side) && a.met(k, l, ply)
	}
	return on
}

// randomMove returns a condition on moves of a kind of game.
func (w *world) randomMove(k *index.Kind) *query.Mark {
	rng, g := w.rng, k.Rules.Geometry()
	a := &asked{}
	var words []string
	letters := func(either bool) (set pattern.Set, text string) {
		for range 1 + rng.IntN(3) {
			p := board.Piece(1 + rng.IntN(len(g.Pieces)))
			set |= pattern.Of(p)
			text += g.Pieces[p-1].Letters[:1]
			if either {
				set |= pattern.Of(g.Pieces[p-1].Swap)
			}
		}
		return set, "[" + text + "]"
	}
	area := func() (list []int, text string) {
		x, y := rng.IntN(g.Size.W), rng.IntN(g.Size.H)
		if rng.IntN(3) == 0 {
			return []int{k.Board.Size.Index(board.At(x, y))}, g.Name(board.At(x, y))
		}
		x2, y2 := rng.IntN(g.Size.W), rng.IntN(g.Size.H)
		for at := range g.Size.Area() {
			p := g.Size.Point(at)
			if p.X() >= min(x, x2) && p.X() <= max(x, x2) && p.Y() >= min(y, y2) && p.Y() <= max(y, y2) {
				list = append(list, at)
			}
		}
		return list, g.Name(board.At(x, y)) + ":" + g.Name(board.At(x2, y2))
	}
	_, manned := k.Rules.(game.Manned)
	if rng.IntN(12) == 0 {
		a.passes = true
		words = []string{"pass"}
	} else {
		var text string
		if rng.IntN(2) == 0 {
			a.who, text = letters(false)
			words = append(words, text)
		}
		if k.Moving && rng.IntN(5) == 0 {
			a.from, text = area()
			words = append(words, "from", text)
		}
		if rng.IntN(3) == 0 {
			a.to, text = area()
			words = append(words, "to", text)
		}
		switch rng.IntN(6) {
		case 0:
			a.taken = 1
			words = append(words, "takes")
		case 1:
			a.taken = 1 + rng.IntN(4)
			words = append(words, fmt.Sprint("takes ", a.taken))
		case 2:
			a.taken = 1
			a.takes, text = letters(true)
			words = append(words, "takes", text)
		}
		switch rng.IntN(10) {
		case 0, 1:
			if a.check = manned; manned {
				words = append(words, "check")
			}
		case 2:
			a.castles = true
			words = append(words, "castles")
		case 3:
			a.drops = true
			words = append(words, "drops")
		case 4:
			a.becomes = true
			words = append(words, "promotes")
		}
		if len(words) == 0 {
			words = []string{"any"}
		}
	}
	a.text = strings.Join(words, " ")
	name := "move" + []string{"", ".first", ".second"}[rng.IntN(3)]
	q, err := query.Parse(name + `:"` + a.text + `"`)
	if err == nil {
		q, err = (&bind.Binder{Rules: k.Rules, Games: builtin.Games()}).Bind(q)
	}
	if err != nil {
		panic(fmt.Sprintf("%s: %s: %v", k.Name, a.text, err))
	}
	m := q.(*query.Mark)
	asks[m] = a
	return m
}

// TestMoveOracle compares answers to random conditions on moves, alone and beside
// others, in all games, with those of somebody who looks at every move and board.
func TestMoveOracle(t *testing.T) {
	found := map[string]int{} // by what was asked
	for seed := range uint64(testkit.Scale(1, 8)) {
		w := newWorld(t, 700+seed, 330)
		maker := storetest.NewMaker(builtin.Games(), 900+seed)
		var chess []*record.Played
		for i := range 60 {
			chess = append(chess, maker.Play(maker.Game("chess", "", 20+3*i)))
		}
		w.add(t, chess)
		w.reopen(t)
		for _, k := range w.kinds() {
			p := storetest.NewPoints(k, 0)
			n := testkit.Scale(134, 300)
			if k.Moving {
				n *= 4
			}
			for i := range n {
				r := &Request{Kind: k, Variations: w.rng.IntN(2) == 0, Limit: -1, All: w.rng.IntN(2) == 0, Workers: 1 + w.rng.IntN(3)}
				r.Query = w.randomMove(k)
				m := r.Query.(*query.Mark)
				switch w.rng.IntN(6) {
				case 0:
					r.Query = query.And{m, w.randomMarked(k, p, 1)}
				case 1:
					r.Query = query.Then{A: m, B: w.randomMove(k), Within: w.rng.IntN(8)}
				case 2:
					r.Query = query.When{Q: query.And{m, w.randomMoment(k, p, 0)}}
				case 3:
					r.Query = query.Last{Q: query.When{Q: query.And{m, query.Not{Q: w.randomMove(k)}}}}
				}
				a, err := Find(context.Background(), w.view, r)
				if err == nil {
					err = w.compareMarks(t, r, a)
				}
				if err != nil {
					t.Fatalf("seed %d, %s, request %d, variations %t: %v\n%v", seed, k.Name, i, r.Variations, err, r.Query)
				}
				if a.Games > 0 {
					for _, word := range strings.Fields(asks[m].text) {
						found[word]++
					}
				}
			}
		}
	}
	for _, word := range []string{"any", "pass", "from", "to", "takes", "check", "drops", "castles", "promotes"} {
		if found[word] < 2 {
			t.Errorf("%s was found %d times: the test tests little", word, found[word])
		}
	}
}
