package book_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/book"
	"qipu/builtin"
	"qipu/game"
	"qipu/game/gametest/pocket"
	"qipu/game/kalah"
)

// model is a book as plainly as it can be written: positions are texts, and
// everything is worked out anew whenever it is asked for.
type model struct {
	rules game.Rules
	nodes map[string]*place
}

// place is a position of a model.
type place struct {
	book.Counts
	ways map[game.Move]*way // by the smallest of the moves that are the same by symmetry
}

// way is a move from a place.
type way struct {
	book.Counts
	to   string
	same bool
}

func newModel(r game.Rules, games ...book.Game) *model {
	m := &model{rules: r, nodes: map[string]*place{}}
	for i := range games {
		m.add(&games[i])
	}
	return m
}

// seen returns the smallest picture of a position, and the symmetries that give
// it.
func (m *model) seen(p game.Position) (text string, by []game.Symmetry) {
	setup := game.SetupOf(p)
	setup.Ko, setup.Prisoners, setup.Quiet, setup.Number = board.NoPoint, [2]int{}, 0, 1
	for _, sym := range m.rules.Info().Symmetries {
		s := string(game.AppendSetup(nil, m.rules, setup.Transform(m.rules, sym)))
		switch {
		case by == nil || s < text:
			text, by = s, []game.Symmetry{sym}
		case s == text:
			by = append(by, sym)
		}
	}
	return text, by
}

// forced reports whether the side to move must pass. In Go it may always.
func forced(r game.Rules, p game.Position) bool {
	moves := p.AppendMoves(nil)
	return r.Info().Name == "othello" && len(moves) == 1 && moves[0] == game.Pass
}

// fold plays a pass that is forced.
func fold(r game.Rules, p game.Position) {
	if forced(r, p) {
		p.Play(game.Pass)
	}
}

func (m *model) canonical(move game.Move, by []game.Symmetry) game.Move {
	best := game.Move(math.MaxUint32)
	for _, sym := range by {
		best = min(best, move.Transform(m.rules.Geometry().Size, sym.Board))
	}
	return best
}

// counts returns the counts of one game for a side.
func counts(r book.Result, side game.Side) book.Counts {
	c := book.Counts{N: 1}
	switch {
	case r.Verdict == book.Drawn:
		c.Draws = 1
	case r.Verdict != book.Unknown && (r.Verdict == book.FirstWon) == (side == game.First):
		c.Wins = 1
	case r.Verdict != book.Unknown:
		c.Losses = 1
	}
	if r.Scored {
		c.Scored, c.Sum = 1, r.Score
		if side == game.Second {
			c.Sum = -c.Sum
		}
	}
	return c
}

func plus(a, b book.Counts) book.Counts {
	return book.Counts{N: a.N + b.N, Wins: a.Wins + b.Wins, Draws: a.Draws + b.Draws, Losses: a.Losses + b.Losses, Scored: a.Scored + b.Scored, Sum: a.Sum + b.Sum}
}

func (m *model) add(g *book.Game) {
	p := m.rules.Start()
	met := map[string]bool{}
	var from *way
	var mover game.Side
	for i := 0; ; i++ {
		fold(m.rules, p)
		text, by := m.seen(p)
		if from != nil {
			from.to, from.same = text, p.Turn() == mover
		}
		from = nil
		at := m.nodes[text]
		if at == nil {
			at = &place{ways: map[game.Move]*way{}}
			m.nodes[text] = at
		}
		if !met[text] {
			met[text] = true
			at.Counts = plus(at.Counts, counts(g.Result, p.Turn()))
		}
		if i == len(g.Moves) || i == book.Plies(m.rules) {
			return
		}
		move := m.canonical(g.Moves[i], by)
		if made := fmt.Sprint(text, move); !met[made] {
			met[made] = true
			if at.ways[move] == nil {
				at.ways[move] = &way{}
			}
			from, mover = at.ways[move], p.Turn()
			from.Counts = plus(from.Counts, counts(g.Result, mover))
		}
		if p.Play(g.Moves[i]) != nil {
			panic("an illegal move in a made game")
		}
	}
}

// below returns the positions that can be reached, the first left out unless
// there is a way back to it.
func (m *model) below(text string, only func(string) bool) map[string]bool {
	met := map[string]bool{}
	todo := []string{text}
	for len(todo) > 0 {
		at := m.nodes[todo[0]]
		todo = todo[1:]
		for _, w := range at.ways {
			if !met[w.to] && (only == nil || only(w.to)) {
				met[w.to] = true
				todo = append(todo, w.to)
			}
		}
	}
	return met
}

// value returns R of a position; NaN where it has none. Known holds values that
// were worked out, and sets of positions that can be reached.
func (m *model) value(text string, t int, known map[string]float64, reach map[string]map[string]bool) float64 {
	if v, ok := known[text]; ok {
		return v
	}
	often := func(s string) bool { return m.nodes[s].N >= t }
	within := func(s string) map[string]bool {
		if reach[s] == nil {
			reach[s] = m.below(s, often)
		}
		return reach[s]
	}
	best, found := math.NaN(), false
	for _, w := range m.nodes[text].ways {
		if !often(w.to) || often(text) && within(w.to)[text] {
			continue
		}
		v := m.value(w.to, t, known, reach)
		if math.IsNaN(v) {
			continue
		}
		if !w.same {
			v = -v
		}
		if !found || v > best {
			best, found = v, true
		}
	}
	if !found {
		if mean, ok := m.nodes[text].Mean(); ok {
			best = mean
		}
	}
	known[text] = best
	return best
}

// thresholds are those that books are compared at.
var thresholds = []int{1, 2, 5}

// compare checks that a book says of every position of its games, and of their
// neighbours, what the model does.
func (m *model) compare(t *testing.T, b *book.Book, games []book.Game) {
	t.Helper()
	moves := 0
	for _, n := range m.nodes {
		moves += len(n.ways)
	}
	if i := b.Info(); i.Positions != len(m.nodes) || i.Moves != moves {
		t.Fatalf("the book has %d positions and %d moves, and not %d and %d", i.Positions, i.Moves, len(m.nodes), moves)
	}
	known := map[int]map[string]float64{}
	reach := map[int]map[string]map[string]bool{}
	for _, th := range thresholds {
		known[th], reach[th] = map[string]float64{}, map[string]map[string]bool{}
	}
	k := book.NewKeyer(m.rules)
	done := map[string]bool{}
	size := m.rules.Geometry().Size
	for _, g := range games {
		p := m.rules.Start()
		for i := 0; ; i++ {
			asked := game.SetupOf(p)
			e, ok := b.Look(p, book.LookOptions{Threshold: thresholds[0]})
			if now := game.SetupOf(p); !now.Board.Equal(asked.Board) || now.Turn != asked.Turn {
				t.Fatal("a look changes the position")
			}
			fold(m.rules, p)
			text, by := m.seen(p)
			want := m.nodes[text]
			if want == nil {
				if ok {
					t.Fatalf("the book knows %q, where nobody was", text)
				}
			} else if !done[text] {
				done[text] = true
				if !ok || e.Counts != want.Counts || e.Side != p.Turn() || len(e.Moves) != len(want.ways) {
					t.Fatalf("%q: %v %+v and %d moves, and not %+v and %d", text, ok, e.Counts, len(e.Moves), want.Counts, len(want.ways))
				}
				below := m.below(text, nil)
				delete(below, text)
				if e.Below != len(below) {
					t.Fatalf("%q: %d positions below, and not %d", text, e.Below, len(below))
				}
				if c, ok := b.Node(e.Key); !ok || c != e.Counts {
					t.Fatalf("%q: Node says %+v", text, c)
				}
				if key, sym := k.Key(p); key != e.Key || sym != e.Symmetry {
					t.Fatalf("%q: Key says %v %v, and Look %v %v", text, key, sym, e.Key, e.Symmetry)
				}
				for _, th := range thresholds {
					e, _ := b.Look(p, book.LookOptions{Threshold: th, NoBelow: true})
					same(t, text, e.R, e.HasR, m.value(text, th, known[th], reach[th]))
					for _, c := range e.Moves {
						w := want.ways[m.canonical(c.Move, by)]
						if w == nil || w.Counts != c.Counts || w.same != c.Again {
							t.Fatalf("%q: move %v has %+v", text, c.Move, c)
						}
						reached, v := m.nodes[w.to].Counts, m.value(w.to, th, known[th], reach[th])
						if !w.same {
							reached, v = reached.Flip(), -v
						}
						if c.Reached != reached {
							t.Fatalf("%q: move %v reaches %+v, and not %+v", text, c.Move, c.Reached, reached)
						}
						if reached.N < th {
							v = math.NaN() // too few games for a value
						}
						same(t, text, c.R, c.HasR, v)
						for _, sym := range by {
							other := c.Move.Transform(size, sym.Board)
							for _, back := range by {
								o := other.Transform(size, back.Board.Inverse())
								if o != game.Pass && o.To().X() > c.Move.To().X() {
									t.Fatalf("%q: move %v, where %v is further right", text, c.Move, o)
								}
							}
						}
					}
				}
			}
			if i >= len(g.Moves) || p.Play(g.Moves[i]) != nil {
				break
			}
		}
	}
	if len(done) != len(m.nodes) && m.total() == len(games) {
		t.Fatalf("only %d of %d positions were compared", len(done), len(m.nodes))
	}
	walked := 0
	if err := b.Walk(func(s *book.Spot) bool {
		walked++
		text, _ := m.seen(s.Position)
		if n := m.nodes[text]; n == nil || n.Counts != s.Counts || s.Position.Turn() != s.Side {
			t.Fatalf("a walk comes to %q with %+v", text, s.Counts)
		}
		return true
	}); err != nil || walked != len(m.nodes) {
		t.Fatalf("a walk comes to %d of %d positions: %v", walked, len(m.nodes), err)
	}
}

// total returns the games of the model, which all begin at the start.
func (m *model) total() int {
	text, _ := m.seen(m.rules.Start())
	if m.nodes[text] == nil {
		return 0
	}
	return m.nodes[text].N
}

func same(t *testing.T, text string, got float64, has bool, want float64) {
	t.Helper()
	if has == math.IsNaN(want) || has && math.Abs(got-want) > 1e-12 {
		t.Fatalf("%q: R %v %v, and not %v", text, got, has, want)
	}
}

// randomGames makes games whose moves are mostly among the first few, so that
// they meet in many positions.
func randomGames(r game.Rules, rng *rand.Rand, n, plies int) []book.Game {
	list := make([]book.Game, n)
	for i := range list {
		g := &list[i]
		g.ID, g.Stamp = uint32(i+1), rng.Uint64()
		p := r.Start()
		for range plies {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			// From the middle of the list: in Go the first moves are all on one
			// side, and in Xiangqi of one piece.
			move := moves[(len(moves)/2+rng.IntN(min(3, len(moves))))%len(moves)]
			if rng.IntN(8) == 0 {
				move = moves[rng.IntN(len(moves))]
			}
			p.Play(move)
			if move != game.Pass || len(moves) > 1 || r.Info().Name != "othello" || rng.IntN(2) == 0 {
				g.Moves = append(g.Moves, move) // forced passes may be left out
			}
		}
		g.Result = randomResult(book.UnitOf(r), rng)
	}
	return list
}

func randomResult(unit book.Unit, rng *rand.Rand) book.Result {
	score := 1
	if unit == book.Discs {
		score += rng.IntN(20)
	}
	switch rng.IntN(8) {
	case 0:
		return book.Result{}
	case 1:
		return book.Result{Verdict: book.FirstWon}
	case 2:
		return book.Result{Verdict: book.Drawn, Scored: true}
	case 3, 4, 5:
		return book.Result{Verdict: book.FirstWon, Scored: true, Score: score}
	}
	return book.Result{Verdict: book.SecondWon, Scored: true, Score: -score}
}

// kinds are games and boards, with how many plies are played: small boards, on
// which positions come back, and the usual ones.
var kinds = []struct {
	spec  string
	plies int
}{
	{"othello", 20}, {"othello:4x4", 14}, {"othello:6x6", 34}, {"go:3x3", 25}, {"go:9x9", 12}, {"go", 6}, {"xiangqi", 12}, {"renju", 8}, {"gomoku", 8},
	{"kalah", 12}, {"pocket", 14},
}

func rulesOf(t testing.TB, spec string) game.Rules {
	r, err := append(builtin.Games(), kalah.Rules{Seeds: 2}, pocket.Rules{}).Find(spec)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// strip leaves out the passes that are forced, which the model plays by itself.
func strip(r game.Rules, games []book.Game) []book.Game {
	games = slices.Clone(games)
	for i := range games {
		p, kept := r.Start(), []game.Move(nil)
		for _, m := range games[i].Moves {
			if !forced(r, p) {
				kept = append(kept, m)
			} else if m != game.Pass {
				p.Play(game.Pass)
				kept = append(kept, m)
			}
			if p.Play(m) != nil {
				panic(fmt.Sprintf("game %d: an illegal move", i))
			}
		}
		games[i].Moves = kept
	}
	return games
}
