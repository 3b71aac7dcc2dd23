package alphabeta_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/alphabeta"
	"qipu/game"
	"qipu/game/kalah"
	"qipu/game/othello"
)

// tree is a game whose tree is given: every node has the same number of moves,
// and a value of its own. It is the model that paper 002 reckons with.
type tree struct {
	game.Rules // only Start and Arrange are asked for
	width      int
	value      func(path []int) engine.Value // for the side to move; of leaves alone
	over       int                           // the ply at which the game ends; 0 for none
	turns      uint64                        // by ply and what was played, the side to move; 0 for taking turns
}

func (t *tree) Start() game.Position { return &node{tree: t} }

type node struct {
	*tree
	path []int
}

func (n *node) Turn() game.Side {
	if n.turns == 0 {
		return game.Side(len(n.path) & 1)
	}
	return game.Side(board.Mix(n.Hash()^n.turns) & 1)
}

func (n *node) AppendMoves(dst []game.Move) []game.Move {
	if n.Outcome().Final() {
		return dst
	}
	for i := range n.width {
		dst = append(dst, game.Drop(board.At(i%25, i/25)))
	}
	return dst
}

func (n *node) Play(m game.Move) error {
	n.path = append(n.path, m.To().Y()*25+m.To().X())
	return nil
}

func (n *node) Undo() { n.path = n.path[:len(n.path)-1] }

func (n *node) Outcome() (o game.Outcome) {
	if n.over == 0 || len(n.path) < n.over {
		return o
	}
	v := n.value(n.path)
	switch {
	case v == 0:
		return game.Outcome{State: game.Drawn, Reason: game.ByCount}
	case v > 0:
		return game.Outcome{State: game.Won, Winner: n.Turn(), Margin: int(2 * v / engine.Unit), Reason: game.ByCount}
	}
	return game.Outcome{State: game.Won, Winner: n.Turn().Opponent(), Margin: int(-2 * v / engine.Unit), Reason: game.ByCount}
}

func (n *node) Hash() uint64 {
	h := uint64(n.width)
	for _, i := range n.path {
		h = board.Mix(h*64 + uint64(i) + 1)
	}
	return h
}

// counter counts the leaves that are judged.
type counter struct{ leaves int }

func (c *counter) Evaluate(p game.Position) engine.Value {
	c.leaves++
	n := p.(*node)
	return n.value(n.path)
}

// plain reads without any of the techniques but the cuts.
var plain = alphabeta.Options{
	Quiesce: -1, NoDeepening: true, NoAspiration: true, NoScout: true, NoTable: true, NoKillers: true, NoHistory: true, NoExtension: true,
}

func power(b, n int) int {
	p := 1
	for range n {
		p *= b
	}
	return p
}

// ordered gives every node a value such that its moves are in the order of
// their worth: the best first, or last.
func ordered(width int, bestFirst bool) func(path []int) engine.Value {
	return func(path []int) engine.Value {
		v, step := engine.Value(0), engine.Value(1<<16)
		for _, i := range path {
			if !bestFirst {
				i = width - 1 - i
			}
			// The best move hands the value on; every other is worse by more
			// than all that can happen behind it.
			v = -(v - engine.Value(i)*step)
			step /= engine.Value(width) * 2
		}
		return v
	}
}

// TestLeaves counts leaves on uniform trees: where the best move always comes
// first, the number of paper 002 (section 2.1 and its footnote), which is
// 2B^(D/2)-1 for even depths and B^((D+1)/2)+B^((D-1)/2)-1 for odd ones; where it
// comes last, all of them.
func TestLeaves(t *testing.T) {
	for width := 2; width <= 5; width++ {
		for depth := 1; depth <= 6; depth++ {
			if width == 5 && depth == 6 {
				continue // the values would no longer differ
			}
			for _, first := range []bool{true, false} {
				c := &counter{}
				r := think(t, alphabeta.New(c, plain), &tree{width: width, value: ordered(width, first)}, engine.Limits{Depth: depth})
				want := power(width, depth)
				if first {
					want = power(width, (depth+1)/2) + power(width, depth/2) - 1
				}
				if c.leaves != want {
					t.Errorf("width %d, depth %d, best first %v: %d leaves, want %d", width, depth, first, c.leaves, want)
				}
				if r.Best().Value != 0 {
					t.Errorf("width %d, depth %d: value %d, want 0", width, depth, r.Best().Value)
				}
			}
		}
	}
}

// minimax is the plain one: no window, no table, nothing. Whose value is whose
// goes by the turn.
func minimax(p game.Position, e engine.Evaluator, depth, ply int) engine.Value {
	if o := p.Outcome(); o.Over() {
		switch {
		case o.State != game.Won:
			return 0
		case o.Margin > 0 && o.Winner == p.Turn():
			return engine.Value(o.Margin) * engine.Unit / 2
		case o.Margin > 0:
			return -engine.Value(o.Margin) * engine.Unit / 2
		case o.Winner == p.Turn():
			return engine.Win - engine.Value(ply)
		}
		return -engine.Win + engine.Value(ply)
	}
	if depth == 0 {
		return e.Evaluate(p)
	}
	best, side := -engine.Win-1, p.Turn()
	for _, m := range p.AppendMoves(nil) {
		if err := p.Play(m); err != nil {
			panic(err)
		}
		best = max(best, minimaxFor(side, p, e, depth-1, ply+1))
		p.Undo()
	}
	return best
}

// minimaxFor is minimax for a side, be it to move or not.
func minimaxFor(side game.Side, p game.Position, e engine.Evaluator, depth, ply int) engine.Value {
	v := minimax(p, e, depth, ply)
	if p.Turn() != side {
		return -v
	}
	return v
}

func think(t testing.TB, e engine.Engine, r game.Rules, l engine.Limits, moves ...game.Move) *engine.Report {
	t.Helper()
	report, err := e.Think(context.Background(), &engine.Task{Rules: r, Moves: moves}, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// random gives leaves values by chance, few enough that some are equal.
func random(seed uint64, spread int64) func(path []int) engine.Value {
	return func(path []int) engine.Value {
		h := seed
		for _, i := range path {
			h = board.Mix(h + uint64(i) + 1)
		}
		return engine.Value(int64(h%uint64(2*spread+1))-spread) * engine.Unit
	}
}

// switches are the techniques, each left out alone; and all of them used.
var switches = map[string]alphabeta.Options{
	"all":        {Hash: 1 << 20, Quiesce: -1, NoExtension: true},
	"plain":      plain,
	"no cuts":    {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoCuts: true},
	"deepening":  {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoDeepening: true},
	"aspiration": {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoAspiration: true},
	"scout":      {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoScout: true},
	"table":      {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoTable: true},
	"killers":    {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoKillers: true},
	"history":    {Hash: 1 << 20, Quiesce: -1, NoExtension: true, NoHistory: true},
	"tiny table": {Hash: 1, Quiesce: -1, NoExtension: true},
}

// TestMinimax holds the search, with and without each technique, to the value of
// plain minimax, on trees of chance that end at their horizon or not, and in
// which sides take turns or not; and the values of all moves too.
func TestMinimax(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for i := range 40 {
		width, depth := 2+rng.IntN(4), 1+rng.IntN(5)
		r := &tree{width: width, value: random(rng.Uint64(), 1+rng.Int64N(30))}
		if rng.IntN(2) == 0 {
			r.over = 1 + rng.IntN(depth)
		}
		if i%2 == 1 {
			r.turns = rng.Uint64() | 1 // any side may move at any node
		}
		p := r.Start()
		e := &counter{}
		want := minimax(p, e, depth, 0)
		byMove := map[game.Move]engine.Value{}
		for _, m := range p.AppendMoves(nil) {
			_ = p.Play(m)
			byMove[m] = minimaxFor(r.Start().Turn(), p, e, depth-1, 1)
			p.Undo()
		}
		for name, o := range switches {
			report := think(t, alphabeta.New(e, o), r, engine.Limits{Depth: depth})
			best := report.Best()
			if best.Value != want || byMove[best.Move] != want {
				t.Errorf("%s: width %d, depth %d: move %v of value %d, want %d", name, width, depth, best.Move.To(), best.Value, want)
			}
			if exact := r.over > 0; best.Exact != exact {
				t.Errorf("%s: width %d, depth %d, over at %d: exact is %v", name, width, depth, r.over, best.Exact)
			}
			all := think(t, alphabeta.New(e, o), r, engine.Limits{Depth: depth, Multi: -1})
			if len(all.Lines) != width {
				t.Fatalf("%s: %d lines, want %d", name, len(all.Lines), width)
			}
			for i, line := range all.Lines {
				if line.Value != byMove[line.Move] || i > 0 && line.Value > all.Lines[i-1].Value {
					t.Errorf("%s: line %d has value %d, want %d, and lines in their order", name, i, line.Value, byMove[line.Move])
				}
			}
			two := think(t, alphabeta.New(e, o), r, engine.Limits{Depth: depth, Multi: 2})
			for i, line := range two.Lines {
				if line.Value != all.Lines[i].Value || line.Bound != engine.Even {
					t.Errorf("%s: best move %d of two has value %d, want %d", name, i, line.Value, all.Lines[i].Value)
				}
			}
		}
	}
}

// stores judges Kalah by what is stored.
type stores struct{}

func (stores) Evaluate(p game.Position) engine.Value {
	return engine.Value(p.(*kalah.Position).Lead(p.Turn())) * engine.Unit
}

// TestKalah reads a game in which a side may move twice. With three seeds a
// house and two plies, South sows from d into its store, moves again, and takes
// four: five seeds more than North.
func TestKalah(t *testing.T) {
	for name, o := range switches {
		best := think(t, alphabeta.New(stores{}, o), kalah.Rules{Seeds: 3}, engine.Limits{Depth: 2}).Best()
		if best.Value != 5*engine.Unit {
			t.Errorf("%s: three seeds, depth 2: %d, want %d", name, best.Value, 5*engine.Unit)
		}
	}
	rng := rand.New(rand.NewPCG(6, 3))
	for range 12 {
		r, p := kalah.Rules{Seeds: 1 + rng.IntN(5)}, game.Position(nil)
		var line []game.Move
		for p = r.Start(); len(line) < 20 && rng.IntN(12) != 0; {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				p.Undo()
				line = line[:len(line)-1]
				break
			}
			line = append(line, moves[rng.IntN(len(moves))])
			if err := p.Play(line[len(line)-1]); err != nil {
				t.Fatal(err)
			}
		}
		if p.Outcome().Over() {
			continue
		}
		for depth := 1; depth <= 5; depth++ {
			want := minimax(p, stores{}, depth, 0)
			for name, o := range switches {
				report := think(t, alphabeta.New(stores{}, o), r, engine.Limits{Depth: depth}, line...)
				if best := report.Best(); best.Value != want {
					t.Errorf("%s: %s, depth %d: %d, want %d", name, game.FormatPosition(r, p), depth, best.Value, want)
				}
			}
		}
	}
}

// mobility is a judgement of Othello that depends on the board alone.
type mobility struct{}

func (mobility) Evaluate(p game.Position) engine.Value {
	q := p.(*othello.Position)
	own, other := q.Discs(q.Turn()), q.Discs(q.Turn().Opponent())
	return engine.Value(q.CountMoves()*60) + engine.Value(board.Mix(own^board.Mix(other))%20)
}
