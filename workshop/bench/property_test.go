package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu"
	"qipu/board"
	"qipu/builtin"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/library/ask"
	"qipu/pattern"
	"qipu/record"
	"qipu/record/facts"
	"qipu/retrieve"
	"qipu/store"
	"qipu/store/storetest"
)

// The property test asks a library random queries in the language and compares
// what it finds with what a look at every position of every record tells. Terms
// are made as pairs of a text and of what it means, so that parsing, binding,
// planning and matching are all under test and share nothing with the check but
// how a pattern is laid onto a board, which has tests of its own.

// told is a game as the check knows it.
type told struct {
	id    uint32
	rules game.Rules
	game  *record.Game
	plies int
	lines []*toldLine // the main one first

	collections, tags []string
	comment           string
}

// toldLine is a line of play, position by position.
type toldLine struct {
	from   int // the first position of its own
	boards [][]board.Piece
	turns  []game.Side // to move
	moves  []game.Move // moves[t] led to boards[t]; NoMove for a set-up
}

// term is a part of a query: its text, and what it is true of. One of both
// functions is nil: a term is about games or about moments.
type term struct {
	text    string
	game    func(*told) bool
	moments func(*told, *toldLine) []bool
	alike   bool // a row shows the best moment, not the first
}

// holds reports whether a term is true of a game, in lines beside the main one
// too where these count.
func (x *term) holds(g *told, variations bool) bool {
	if x.game != nil {
		return x.game(g)
	}
	return x.first(g, variations) >= 0
}

// first returns the first ply at which a term about moments is true.
func (x *term) first(g *told, variations bool) int {
	best := -1
	for i, l := range g.lines {
		if i > 0 && !variations {
			break
		}
		at := x.moments(g, l)
		for t := l.from; t < len(at); t++ {
			if at[t] && (best < 0 || t < best) {
				best = t
			}
		}
	}
	return best
}

// at returns the moments of a term inside a query about moments, where a term
// about games is true of all or of none.
func (x *term) at(g *told, l *toldLine) []bool {
	if x.moments != nil {
		return x.moments(g, l)
	}
	return l.all(func(int) bool { return x.game(g) })
}

func (l *toldLine) all(is func(t int) bool) []bool {
	out := make([]bool, len(l.boards))
	for t := range out {
		out[t] = is(t)
	}
	return out
}

// asker makes terms about one kind of game.
type asker struct {
	rng        *rand.Rand
	games      []*told // of the kind
	rules      game.Rules
	board      pattern.Board
	variations bool
}

func pickOf[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// query returns a random term that is about games, or stands for games.
func (a *asker) query(depth int) *term {
	if depth == 0 || a.rng.IntN(3) == 0 {
		return a.leaf(depth)
	}
	switch a.rng.IntN(5) {
	case 0, 1:
		x, y := a.query(depth-1), a.query(depth-1)
		word := pickOf(a.rng, []string{" and ", " ", " 且 "})
		return a.ofGames("("+x.text+word+y.text+")", func(g *told) bool { return x.holds(g, a.variations) && y.holds(g, a.variations) })
	case 2, 3:
		x, y := a.query(depth-1), a.query(depth-1)
		return a.ofGames("("+x.text+" or "+y.text+")", func(g *told) bool { return x.holds(g, a.variations) || y.holds(g, a.variations) })
	}
	x := a.query(depth - 1)
	return a.ofGames("not ("+x.text+")", func(g *told) bool { return !x.holds(g, a.variations) })
}

func (a *asker) ofGames(text string, f func(*told) bool) *term { return &term{text: text, game: f} }

func (a *asker) leaf(depth int) *term {
	switch n := a.rng.IntN(20); {
	case n < 10:
		return a.fact()
	case n == 10:
		return a.fuzzy()
	}
	return a.time(depth)
}

// fuzzy asks for boards that are like some of a real one, with one cell changed.
func (a *asker) fuzzy() *term {
	p, _ := a.cut(pickOf(a.rng, a.games))
	p.Cells[a.rng.IntN(len(p.Cells))] = pattern.Of(board.Piece(1 + a.rng.IntN(a.board.Kinds)))
	p.Mirror, p.Swap = a.rng.IntN(2) == 0, a.rng.IntN(2) == 0
	words := fmt.Sprintf("fixed at:%s", a.rules.Geometry().Name(p.At))
	if !p.Mirror {
		words += " no-mirror"
	}
	if !p.Swap {
		words += " no-swap"
	}
	least := float64(5+a.rng.IntN(6)) / 10
	weights := pattern.DefaultWeights(a.rules.Geometry())
	var like *pattern.Like
	if places, err := pattern.Compile(p, a.board); err == nil {
		like, _ = pattern.NewLike(places, p, &weights, pattern.GroundOf(a.rules))
	}
	plain := *p
	plain.Anchor, plain.At = pattern.Floating, 0
	diagram := strings.ReplaceAll(strings.TrimSpace(plain.Format(a.rules.Geometry())), "\n", "/")
	var scratch pattern.Scratch
	return &term{text: fmt.Sprintf("fuzzy:%q{%s min:%v}", diagram, words, least), moments: func(_ *told, l *toldLine) []bool {
		return l.all(func(t int) bool {
			if like == nil {
				return false
			}
			for i := range like.Placements {
				if like.Value(&scratch, i, l.boards[t], like.Score(&scratch, i, l.boards[t], 0)) >= least-1e-9 {
					return true
				}
			}
			return false
		})
	}, alike: true}
}

// cut cuts a region out of some position of a game, fixed where it lies.
func (a *asker) cut(from *told) (p *pattern.Pattern, place cutting) {
	l := pickOf(a.rng, from.lines)
	t := a.rng.IntN(len(l.boards))
	size := a.board.Size
	planes := board.NewPlanes(size, a.board.Kinds)
	for i, on := range l.boards[t] {
		if on != board.Empty {
			planes.Of[on-1].Add(size.Point(i))
		}
	}
	w, h := 1+a.rng.IntN(min(size.W, 5)), 1+a.rng.IntN(min(size.H, 5))
	x, y := a.rng.IntN(size.W-w+1), a.rng.IntN(size.H-h+1)
	p = pattern.Region(planes, x, y, w, h)
	p.Anchor, p.Edges, p.At, p.To = pattern.Fixed, 0, board.At(x, y), -1
	return p, cutting{l, t, x, y, w, h}
}

// cutting is where a region was cut out.
type cutting struct {
	*toldLine
	t, x, y, w, h int
}

// time returns a term about moments.
func (a *asker) time(depth int) *term {
	n := a.rng.IntN(9)
	if depth <= 0 {
		n = 8
	}
	of := func(text string, f func(x []bool) []bool, x *term) *term {
		return &term{text: text, moments: func(g *told, l *toldLine) []bool { return f(x.at(g, l)) }}
	}
	switch n {
	case 0:
		x := a.joined(depth)
		return &term{text: "when(" + x.text + ")", moments: x.at}
	case 1, 2, 3:
		x, y := a.time(depth-1), a.time(depth-1)
		within := a.rng.IntN(12)
		text := "(" + x.text + " then " + y.text
		if within > 0 {
			text += fmt.Sprintf(" within %d plies", within)
		}
		return &term{text: text + ")", moments: func(g *told, l *toldLine) []bool {
			before, behind := x.at(g, l), y.at(g, l)
			return l.all(func(t int) bool {
				if !behind[t] {
					return false
				}
				for s := t - 1; s >= 0 && (within == 0 || t-s <= within); s-- {
					if before[s] {
						return true
					}
				}
				return false
			})
		}}
	case 4:
		x, n := a.time(depth-1), a.rng.IntN(6)
		return of(fmt.Sprintf("(%s for %d plies)", x.text, n), func(at []bool) []bool {
			return keepRuns(at, func(length int) bool { return length > n })
		}, x)
	case 5:
		x := a.time(depth - 1)
		return of("first("+x.text+")", func(at []bool) []bool {
			return keepOne(at, slices.Index(at, true))
		}, x)
	case 6:
		x := a.time(depth - 1)
		return of("last("+x.text+")", func(at []bool) []bool {
			last := -1
			for t := range at {
				if at[t] {
					last = t
				}
			}
			return keepOne(at, last)
		}, x)
	}
	return a.moment()
}

// joined returns terms joined moment by moment.
func (a *asker) joined(depth int) *term {
	if depth <= 0 {
		return a.moment()
	}
	switch x := a.joined(depth - 1); a.rng.IntN(4) {
	case 0:
		return &term{text: "not (" + x.text + ")", moments: func(g *told, l *toldLine) []bool {
			at := x.at(g, l)
			return l.all(func(t int) bool { return !at[t] })
		}}
	case 1:
		y := a.fact()
		return &term{text: "(" + x.text + " and " + y.text + ")", moments: func(g *told, l *toldLine) []bool {
			at := x.at(g, l)
			return l.all(func(t int) bool { return at[t] && y.game(g) })
		}}
	default:
		y := a.joined(depth - 1)
		and := a.rng.IntN(2) == 0
		word := " or "
		if and {
			word = " and "
		}
		return &term{text: "(" + x.text + word + y.text + ")", moments: func(g *told, l *toldLine) []bool {
			p, q := x.at(g, l), y.at(g, l)
			return l.all(func(t int) bool { return and && p[t] && q[t] || !and && (p[t] || q[t]) })
		}}
	}
}

// keepRuns keeps the runs of moments that are long enough.
func keepRuns(at []bool, keep func(length int) bool) []bool {
	out := make([]bool, len(at))
	for t := 0; t < len(at); t++ {
		from := t
		for t < len(at) && at[t] {
			t++
		}
		if keep(t - from) {
			for s := from; s < t; s++ {
				out[s] = true
			}
		}
	}
	return out
}

// keepOne keeps one moment; none where it is negative.
func keepOne(at []bool, t int) []bool {
	out := make([]bool, len(at))
	if t >= 0 {
		out[t] = true
	}
	return out
}

// moment returns a term about single positions.
func (a *asker) moment() *term {
	switch a.rng.IntN(7) {
	case 0:
		from := a.rng.IntN(20)
		to := from + a.rng.IntN(20)
		return &term{text: fmt.Sprintf("ply:%d..%d", from, to), moments: func(g *told, l *toldLine) []bool {
			return l.all(func(t int) bool { return t >= from && t <= to })
		}}
	case 1:
		side := game.Side(a.rng.IntN(2))
		word := pickOf(a.rng, []string{a.rules.Info().Sides[side].Name, []string{"first", "second"}[side]})
		return &term{text: "turn:" + strings.ToLower(word), moments: func(g *told, l *toldLine) []bool {
			return l.all(func(t int) bool { return l.turns[t] == side })
		}}
	case 2:
		return a.count()
	}
	return a.shape()
}

func (a *asker) count() *term {
	g := a.rules.Geometry()
	look := a.rng.IntN(len(g.Pieces))
	piece := board.Piece(look + 1)
	size := g.Size
	p, q := size.Point(a.rng.IntN(size.Area())), size.Point(a.rng.IntN(size.Area()))
	x0, x1, y0, y1 := min(p.X(), q.X()), max(p.X(), q.X()), min(p.Y(), q.Y()), max(p.Y(), q.Y())
	area := " " + g.Name(p) + ":" + g.Name(q)
	if a.rng.IntN(3) == 0 {
		area, x0, y0, x1, y1 = "", 0, 0, size.W-1, size.H-1
	}
	n := a.rng.IntN(6)
	op := pickOf(a.rng, []string{"=", "<", "<=", ">", ">="})
	return &term{
		text: fmt.Sprintf("count(%s%s) %s %d", g.Pieces[look].Letters[:1], area, op, n),
		moments: func(_ *told, l *toldLine) []bool {
			return l.all(func(t int) bool {
				k := 0
				for i, on := range l.boards[t] {
					if at := size.Point(i); on == piece && at.X() >= x0 && at.X() <= x1 && at.Y() >= y0 && at.Y() <= y1 {
						k++
					}
				}
				return map[string]bool{"=": k == n, "<": k < n, "<=": k <= n, ">": k > n, ">=": k >= n}[op]
			})
		},
	}
}

// shape cuts a region out of some position, and opens some of its cells.
func (a *asker) shape() *term {
	p, place := a.cut(pickOf(a.rng, a.games))
	options := []string{"fixed", "at:" + a.rules.Geometry().Name(p.At)}
	if a.rng.IntN(3) > 0 && p.Size != a.board.Size { // which has but one place
		p.Anchor, p.At = pattern.Floating, 0
		options = []string{"floating"}
	}
	for i := range p.Cells {
		switch a.rng.IntN(5) {
		case 0:
			p.Cells[i] = pattern.AnyOn(a.board.Kinds)
		case 1:
			p.Cells[i] |= pattern.Empty
		}
	}
	p.Mirror, p.Swap = a.rng.IntN(3) > 0, a.rng.IntN(3) > 0
	if !p.Mirror {
		options = append(options, "no-mirror")
	}
	if !p.Swap {
		options = append(options, "no-swap")
	}
	if a.rng.IntN(4) == 0 {
		p.Turn = pattern.FirstToMove
		options = append(options, "turn:first")
	}
	g := a.rules.Geometry()
	plain := *p
	plain.Anchor, plain.At = pattern.Floating, 0
	diagram := strings.ReplaceAll(strings.TrimSpace(plain.Format(g)), "\n", "/")
	places, err := pattern.Compile(p, a.board)
	if err != nil {
		places = nil
	}
	text := fmt.Sprintf("board:%q", diagram)
	// Moves that followed, one time in three.
	if steps, words := a.next(place, p); len(steps) > 0 {
		options = append(options, fmt.Sprintf("next:%q", strings.Join(words, " ")))
		return &term{text: text + "{" + strings.Join(options, " ") + "}", moments: func(_ *told, l *toldLine) []bool {
			out := make([]bool, len(l.boards))
			for i := range places {
				for _, own := range p.Own(a.board) {
					l.followed(out, &places[i], own, p.Size, steps, a.board)
				}
			}
			return out
		}}
	}
	return &term{text: text + "{" + strings.Join(options, " ") + "}", moments: func(_ *told, l *toldLine) []bool {
		return l.all(func(t int) bool {
			for i := range places {
				if l.stands(&places[i], t) {
					return true
				}
			}
			return false
		})
	}}
}

// stands reports whether a placement stands on the board at a time.
func (l *toldLine) stands(q *pattern.Placement, t int) bool {
	for i, pt := range q.Points {
		if !q.Sets[i].Has(l.boards[t][pt]) {
			return false
		}
	}
	return q.Turn == pattern.AnyTurn || q.Turn == pattern.FirstToMove+pattern.Turn(l.turns[t])
}

// played is a move in the frame of a pattern.
type played struct {
	x, y  int
	piece board.Piece
}

// next returns the moves that followed in a region behind a time.
func (a *asker) next(l cutting, p *pattern.Pattern) (steps []played, words []string) {
	if a.rng.IntN(3) > 0 {
		return nil, nil
	}
	g := a.rules.Geometry()
	for s := l.t + 1; s < len(l.boards) && len(steps) < 1+a.rng.IntN(3); s++ {
		for _, at := range l.arrivals(s) {
			if at.X() < l.x || at.Y() < l.y || at.X() >= l.x+l.w || at.Y() >= l.y+l.h {
				continue
			}
			piece := l.boards[s][a.board.Size.Index(at)]
			step := played{at.X() - l.x, at.Y() - l.y, piece}
			word := fmt.Sprintf("%c%d", 'a'+step.x, step.y+1)
			if p.Anchor == pattern.Fixed {
				word = g.Name(at)
			}
			steps, words = append(steps, step), append(words, g.Pieces[piece-1].Letters[:1]+":"+word)
			break
		}
	}
	return steps, words
}

// arrivals returns where pieces arrived with a step: not discs turned over. Of
// several, the lowest point counts.
func (l *toldLine) arrivals(t int) []board.Point {
	if m := l.moves[t]; m != game.NoMove {
		if m == game.Pass {
			return nil
		}
		return []board.Point{m.To()}
	}
	return nil
}

// followed notes when the moves behind a placement have been played.
func (l *toldLine) followed(out []bool, q *pattern.Placement, own game.Symmetry, drawn board.Size, steps []played, b pattern.Board) {
	sym := own.Then(q.Symmetry)
	for t := range l.boards {
		if !l.stands(q, t) {
			continue
		}
		i, done := 0, -1
		for s := t + 1; s < len(l.boards); s++ {
			inside := false
			for _, at := range l.arrivals(s) {
				_, inside = slices.BinarySearch(q.Region, uint16(b.Size.Index(at)))
				if !inside {
					continue
				}
				if done >= 0 {
					break
				}
				to := sym.Board.Apply(drawn, board.At(steps[i].x, steps[i].y))
				piece := steps[i].piece
				if sym.Swap {
					piece = b.Swap[piece-1]
				}
				if to.X()+q.X != at.X() || to.Y()+q.Y != at.Y() || l.boards[s][b.Size.Index(at)] != piece {
					i = -1
					break
				}
				if i++; i == len(steps) {
					done = s
				}
			}
			if i < 0 || done >= 0 && inside && s > done {
				break
			}
			if done >= 0 {
				out[s] = true
			}
		}
	}
}

// fact returns a term about what is known of games.
func (a *asker) fact() *term {
	text := func(name, value string, of func(*told) []string) *term {
		part := strings.ToLower(value)
		return a.ofGames(fmt.Sprintf("%s:%q", name, value), func(g *told) bool {
			return slices.ContainsFunc(of(g), func(s string) bool { return strings.Contains(strings.ToLower(s), part) })
		})
	}
	name := pickOf(a.rng, []string{"Ito", "uro", "李白", "李", "PARK", "nowak"})
	info := a.rules.Info()
	number := func(field string, low, high int, of func(*told) (int, bool)) *term {
		n := low + a.rng.IntN(high-low)
		m := n + a.rng.IntN(high-n)
		form := a.rng.IntN(4)
		words := []string{fmt.Sprintf("%s:%d..%d", field, n, m), fmt.Sprintf("%s:%d..", field, n), fmt.Sprintf("%s:..%d", field, m), fmt.Sprintf("%s>%d", field, n)}
		return a.ofGames(words[form], func(g *told) bool {
			v, known := of(g)
			return known && []bool{v >= n && v <= m, v >= n, v <= m, v > n}[form]
		})
	}
	side := a.rng.IntN(2)
	switch a.rng.IntN(12) {
	case 0:
		return text("player", name, func(g *told) []string { return []string{g.game.Facts.Players[0].Name, g.game.Facts.Players[1].Name} })
	case 1:
		return text(strings.ToLower(info.Sides[side].Name), name, func(g *told) []string { return []string{g.game.Facts.Players[side].Name} })
	case 2:
		return text("event", pickOf(a.rng, []string{"cup", "名人", "Open"}), func(g *told) []string { return []string{g.game.Facts.Event} })
	case 3:
		verdict := []facts.Verdict{facts.FirstWon, facts.SecondWon, facts.Drawn}[a.rng.IntN(3)]
		word := map[facts.Verdict]string{facts.FirstWon: strings.ToLower(info.Sides[0].Name), facts.SecondWon: "second", facts.Drawn: "draw"}[verdict]
		return a.ofGames("result:"+word, func(g *told) bool { return g.game.Facts.Result.Verdict == verdict })
	case 4:
		// A player who won, whichever side it had.
		return a.ofGames(fmt.Sprintf("(player:%q and result:win)", name), func(g *told) bool {
			f := &g.game.Facts
			has := func(i int) bool { return strings.Contains(strings.ToLower(f.Players[i].Name), strings.ToLower(name)) }
			return has(0) && f.Result.Verdict == facts.FirstWon || has(1) && f.Result.Verdict == facts.SecondWon
		})
	case 5:
		n := 1900 + a.rng.IntN(110)
		m := n + a.rng.IntN(12)
		return a.ofGames(fmt.Sprintf("date:%d..%d", n, m), func(g *told) bool {
			d := g.game.Facts.Date
			return d.Known() && d.From.Year >= n && d.To.Year <= m
		})
	case 6:
		n := 1 + a.rng.IntN(2000)
		m := n + a.rng.IntN(1500)
		return a.ofGames(fmt.Sprintf("rating:%d..%d", n, m), func(g *told) bool {
			in := func(i int) bool { r := g.game.Facts.Players[i].Rating; return r > 0 && r >= n && r <= m }
			return in(0) && in(1)
		})
	case 7:
		return number("moves", 0, 40, func(g *told) (int, bool) { return g.plies, true })
	case 8:
		tag := pickOf(a.rng, []string{"odd", "third"})
		return a.ofGames("tag:"+tag, func(g *told) bool { return slices.Contains(g.tags, tag) })
	case 9:
		return a.ofGames("collection:half", func(g *told) bool { return slices.Contains(g.collections, "half") })
	case 10:
		part := pickOf(a.rng, []string{"good", "move", "妙", "no such"})
		return a.ofGames(fmt.Sprintf("comment:%q", part), func(g *told) bool { return strings.Contains(g.comment, part) })
	}
	return number(fmt.Sprintf("rating.%s", []string{"first", "second"}[side]), 1, 3000, func(g *told) (int, bool) {
		r := g.game.Facts.Players[side].Rating
		return r, r > 0
	})
}

// tell returns a record as the check knows it.
func tell(p *record.Played, id uint32) *told {
	g := &told{id: id, rules: p.Rules, game: p.Game, plies: len(p.Steps)}
	size := p.Rules.Geometry().Size
	line := func(steps []record.Step, changes []record.Change, turn game.Side, from int) {
		l := &toldLine{from: from, moves: []game.Move{game.NoMove}}
		on := make([]board.Piece, size.Area())
		next := 0
		take := func(step int) {
			for ; next < len(changes) && int(changes[next].Step) == step; next++ {
				on[size.Index(changes[next].Point)] = changes[next].Piece
			}
			l.boards = append(l.boards, slices.Clone(on))
		}
		take(0)
		for i, s := range steps {
			l.moves = append(l.moves, s.Move)
			l.turns = append(l.turns, s.Side) // of the position before
			take(i + 1)
		}
		l.turns = append(l.turns, turn)
		g.lines = append(g.lines, l)
	}
	line(p.Steps, p.Changes, p.Turn, 0)
	for l := range record.Lines(p.Rules, p.Game) {
		line(slices.Clone(l.Steps), slices.Clone(l.Changes), l.Turn, l.From+1)
	}
	for i := range p.Game.Nodes {
		g.comment += p.Game.Nodes[i].Text() + "\n"
	}
	return g
}

// propertyLibrary fills a library with random games of some kinds.
func propertyLibrary(t *testing.T, l *qipu.Library, seed uint64, games int) map[string][]*told {
	t.Helper()
	ctx := t.Context()
	m := storetest.NewMaker(builtin.Games(), seed)
	rng := m.Rng
	byKind := map[string][]*told{}
	half, third := []uint32{}, []uint32{}
	for _, b := range []struct{ kind, variant string }{{"weiqi", "5x5"}, {"weiqi", "9x9"}, {"othello", "6x6"}, {"xiangqi", ""}, {"renju", ""}} {
		for range games {
			g := m.Game(b.kind, b.variant, 6+rng.IntN(40))
			if rng.IntN(3) == 0 {
				m.Branch(g, 1+rng.IntN(3))
			}
			m.Head(g)
			for i := range g.Facts.Players { // people whom the book of players does not know
				g.Facts.Players[i].Name = pickOf(rng, []string{"", "Ito", "Kuroda", "李白", "Park", "Nowak"})
			}
			g.Facts.Event = pickOf(rng, []string{"", "Spring Cup", "名人戰", "US Open"})
			for i := range g.Nodes {
				if rng.IntN(12) == 0 {
					g.Nodes[i].More().Comment = pickOf(rng, []string{"a good point", "this move is slow", "妙手"})
				}
			}
			p := m.Play(g)
			added, err := l.Records().Add(ctx, p)
			if err != nil {
				t.Fatal(err)
			}
			if added.Status != store.StatusNew {
				continue
			}
			x := tell(p, added.ID)
			if rng.IntN(2) == 0 {
				x.collections, half = []string{"half"}, append(half, x.id)
			}
			if rng.IntN(3) == 0 {
				x.tags, third = []string{"third"}, append(third, x.id)
			}
			name := strings.TrimSuffix(b.kind+":"+b.variant, ":")
			byKind[name] = append(byKind[name], x)
		}
	}
	collection, err := l.Records().EnsureCollection(ctx, "half")
	if err != nil {
		t.Fatal(err)
	}
	err = l.Records().Edit(ctx, func(tx store.Tx) error {
		if err := tx.Collect(collection, half); err != nil {
			return err
		}
		return tx.Tag("third", third)
	})
	if err != nil {
		t.Fatal(err)
	}
	return byKind
}

// TestQueriesAgainstRecords compares random queries with a look at all records.
func TestQueriesAgainstRecords(t *testing.T) {
	ctx := context.Background()
	l, err := qipu.Open(ctx, t.TempDir(), qipu.Options{Create: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	byKind := propertyLibrary(t, l, 5, testkit.Scale(40, 200))
	rng := rand.New(rand.NewPCG(5, 5))
	found, empty := 0, 0
	for name, games := range byKind {
		for range testkit.Scale(120, 1500) {
			a := &asker{rng: rng, games: games, rules: games[0].rules, board: pattern.BoardOf(games[0].rules), variations: rng.IntN(3) == 0}
			x := a.query(1 + rng.IntN(3))
			want := roaring.New()
			for _, g := range games {
				if x.holds(g, a.variations) {
					want.Add(g.id)
				}
			}
			reply, err := l.Ask(ctx, &ask.Question{Text: x.text, Game: name, Request: retrieve.Request{Variations: a.variations, Limit: -1}})
			if err != nil {
				t.Fatalf("%s: %s: %v", name, x.text, err)
			}
			if !reply.Found.Equals(want) || reply.Games != int(want.GetCardinality()) || len(reply.Rows) != reply.Games {
				t.Fatalf("%s, variations %t: %s\nfound %v\nwant  %v", name, a.variations, x.text, reply.Found, want)
			}
			if reply.Games == 0 {
				empty++
			} else {
				found++
			}
			if x.moments == nil || x.alike {
				continue
			}
			for _, row := range reply.Rows {
				i := slices.IndexFunc(games, func(g *told) bool { return g.id == row.Game })
				if ply := x.first(games[i], a.variations); int(row.Ply) != ply {
					t.Fatalf("%s, variations %t: %s\ngame %d: ply %d, want %d", name, a.variations, x.text, row.Game, row.Ply, ply)
				}
			}
		}
	}
	if found < empty/4 {
		t.Errorf("only %d of %d queries found anything: the test says little", found, found+empty)
	}
}
