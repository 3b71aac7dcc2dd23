package tsumego

import (
	"context"
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/pn"
	"qipu/game/weiqi/life/proof"
	"qipu/internal/testkit"
)

// rules is a frame as the rules of the game have it: every move, no verdicts, on the
// board of the game itself.
type rules struct {
	position *weiqi.Position
	zone     board.Plane
	threats  threats
	eyes     bool
	stack    []moment
	board    life.Board
	prover   proof.Prover
}

// moment is what the board alone does not tell.
type moment struct {
	left   board.Plane
	passes int
}

func (r *rules) now() *moment { return &r.stack[len(r.stack)-1] }

func (r *rules) key() uint64 {
	m := r.now()
	key := r.position.Hash() ^ uint64(m.passes)*0x9e3779b97f4a7c15
	for at := range m.left.Points() {
		key ^= board.Zobrist(3, at)
	}
	return key
}

func (r *rules) proves() bool { return r.position.Turn() == weiqi.White }

// ko returns the point that the ko forbids the side to move.
func (r *rules) ko() board.Point {
	if r.threats == attacker && r.proves() || r.threats == defender && !r.proves() {
		return board.NoPoint
	}
	return r.position.Ko()
}

func (r *rules) end() pn.Result {
	m := r.now()
	switch {
	case m.left.Empty(), m.passes >= 2 && r.eyes:
		return pn.Proved
	case m.passes >= 2:
		return pn.Disproved
	}
	if r.eyes {
		r.board.Reset(r.position.Planes())
		found := r.prover.Benson(&r.board)
		for at := range m.left.Points() {
			if found.Strings[r.board.Of[life.CellOf(at)]] == life.Alive {
				return pn.Disproved
			}
		}
	}
	return pn.Unknown
}

func (r *rules) moves() (list []game.Move) {
	side, ko := r.position.Turn(), r.ko()
	for at := range r.zone.Points() {
		if at != ko && r.position.Breathes(side, at) {
			list = append(list, game.Drop(at))
		}
	}
	if side == weiqi.Black || r.eyes || ko != board.NoPoint {
		list = append(list, game.Pass)
	}
	return list
}

func (r *rules) play(m game.Move) {
	p, now := r.position, *r.now()
	waits := r.ko() != board.NoPoint
	_ = p.Force(p.Turn(), m)
	if now.passes++; m != game.Pass || waits { // a pass that waits for a ko ends nothing
		now.passes = 0
	}
	now.left.And(&p.Planes().Of[weiqi.Black])
	r.stack = append(r.stack, now)
}

func (r *rules) undo() {
	r.stack = r.stack[:len(r.stack)-1]
	r.position.Undo()
}

// graph is all positions that can be reached, for answers without any search: who
// wins is found by going back from the ends until nothing changes.
type graph struct {
	index  map[uint64]int
	proves []bool
	ends   []pn.Result
	next   [][]int
}

// explore adds the position of a reading and all below it. It gives up, with -1,
// when they are too many.
func (g *graph) explore(r *rules, most int) int {
	key := r.key()
	if i, ok := g.index[key]; ok {
		return i
	}
	if len(g.ends) >= most {
		return -1
	}
	i := len(g.ends)
	g.index[key] = i
	end := r.end()
	g.proves, g.ends, g.next = append(g.proves, r.proves()), append(g.ends, end), append(g.next, nil)
	if end != pn.Unknown {
		return i
	}
	var next []int
	for _, m := range r.moves() {
		r.play(m)
		to := g.explore(r, most)
		r.undo()
		if to < 0 {
			return -1
		}
		next = append(next, to)
	}
	if g.next[i] = next; len(next) == 0 {
		if g.ends[i] = pn.Proved; g.proves[i] {
			g.ends[i] = pn.Disproved
		}
	}
	return i
}

// solve returns who wins at position 0, if a play without end is won by whom repeats
// says: the other one has to reach an end.
func (g *graph) solve(repeats pn.Result) pn.Result {
	active := pn.Proved
	if repeats == pn.Proved {
		active = pn.Disproved
	}
	won := make([]bool, len(g.ends))
	for changed := true; changed; {
		changed = false
		for i := range g.ends {
			if won[i] {
				continue
			}
			switch {
			case g.ends[i] != pn.Unknown:
				won[i] = g.ends[i] == active
			case g.proves[i] == (active == pn.Proved):
				for _, to := range g.next[i] {
					won[i] = won[i] || won[to]
				}
			default:
				won[i] = true
				for _, to := range g.next[i] {
					won[i] = won[i] && won[to]
				}
			}
			changed = changed || won[i]
		}
	}
	if won[0] {
		return active
	}
	return repeats
}

// corner makes a problem of random stones in a corner of w by h points.
func corner(t *testing.T, rng *rand.Rand, w, h int) *Problem {
	for {
		setup := game.NewSetup(weiqi.Standard)
		q := &Problem{First: game.Side(rng.IntN(2)), Side: weiqi.Black}
		var blacks []board.Point
		for y := range h {
			for x := range w {
				at := board.At(x, y)
				q.Zone.Add(at)
				switch rng.IntN(5) {
				case 0, 1:
					setup.Board.Put(at, 1)
					blacks = append(blacks, at)
				case 2:
					setup.Board.Put(at, 2)
				}
			}
		}
		for i := range max(w, h) + 1 {
			if i <= h {
				setup.Board.Put(board.At(w, i), 2)
			}
			if i <= w {
				setup.Board.Put(board.At(i, h), 2)
			}
		}
		p, err := weiqi.Standard.Arrange(setup)
		if err != nil || len(blacks) == 0 {
			continue
		}
		q.Position = p.(*weiqi.Position)
		q.Target.Add(blacks[rng.IntN(len(blacks))])
		q.Target = q.Target.Flood(setup.Board.Size, &setup.Board.Of[0])
		return q
	}
}

// TestBrute compares every question, with every cut-off, with the answer that the
// graph of all positions gives.
func TestBrute(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 5))
	sizes := [][2]int{{3, 2}, {4, 2}, {3, 3}, {5, 2}}
	compared := 0
	for range testkit.Scale(60, 3000) {
		size := sizes[rng.IntN(len(sizes))]
		q := corner(t, rng, size[0], size[1])
		f, err := newFrame(q)
		if err != nil {
			t.Fatal(err)
		}
		s := Solver{frame: f, ctx: context.Background()}
		for k := range question(questions) {
			// The graph knows no verdicts, but what two eyes are.
			s.options = Options{Nodes: 1, Cut: CutNone}
			s.reading.reset(f, CutNone)
			s.solution = &Solution{}
			s.ask(k)
			g := &graph{index: map[uint64]int{}}
			all := &rules{position: f.position, zone: f.zone, threats: s.reading.threats, eyes: s.reading.eyes, stack: []moment{{left: f.target}}}
			if g.explore(all, testkit.Scale(20_000, 400_000)) < 0 {
				continue
			}
			want := g.solve(s.searches[k].Repeats)
			for cut := CutNone; cut <= CutAll; cut++ {
				s.reading.reset(f, cut)
				s.options = Options{Nodes: 2_000_000, Cut: cut}
				s.asked[k] = false
				if got := s.ask(k).Result; got != want {
					t.Fatalf("question %d, cut-offs %v: %v, want %v\n%s target %v kills %v", k, cut, got, want,
						game.FormatPosition(weiqi.Standard, q.Position), q.Target.First(), q.Kills())
				}
				compared++
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d answers were compared", compared)
	}
}

// TestEyeShapes solves every eye of up to six points, in the open and on an edge,
// without cut-offs, and compares it with what the shape says.
func TestEyeShapes(t *testing.T) {
	shapes := polyominoes(mostEye)
	seen := map[int]int{}
	var s Solver
	for _, list := range shapes {
		for _, shape := range list {
			for _, top := range []int{2, 0} {
				checkShape(t, &s, shape, top, seen)
			}
		}
	}
	for _, kind := range []int{oneEye, oneMove, twoEyes} {
		if seen[kind] == 0 {
			t.Errorf("no shape of kind %d was tried", kind)
		}
	}
}

func checkShape(t *testing.T, s *Solver, shape board.Plane, top int, seen map[int]int) {
	size := board.Size{W: 13, H: 13}
	rules, err := weiqi.New(weiqi.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	area := shape.Shift(size, 3, top)
	setup := game.NewSetup(rules)
	// The stones around, those at the corners included, so that they are one
	// string; where a bay of the edge parts them the shape says nothing.
	target := area
	for _, step := range [][2]int{{1, 0}, {-1, 0}} {
		moved := target.Shift(size, step[0], step[1])
		target.Or(&moved)
	}
	for _, step := range [][2]int{{0, 1}, {0, -1}} {
		moved := target.Shift(size, step[0], step[1])
		target.Or(&moved)
	}
	target.AndNot(&area)
	one := board.Plane{}
	one.Add(target.First())
	if one = one.Flood(size, &target); one != target {
		return
	}
	setup.Board.Of[0] = target
	zone := area
	zone.Or(&target)
	setup.Board.Of[1] = zone.Neighbours(size)
	p, err := rules.Arrange(setup)
	if err != nil {
		t.Fatal(err)
	}
	f, err := newFrame(&Problem{Position: p.(*weiqi.Position), Side: weiqi.Black, Target: target, Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	var l little
	l.reset(f)
	kind := l.eyeShape(andNot(l.full, l.now().occupied()))
	seen[kind]++
	for first := range game.Side(2) {
		q := Problem{Position: p.(*weiqi.Position), First: first, Side: weiqi.Black, Target: target, Zone: zone}
		got, err := s.Solve(context.Background(), &q, Options{Cut: CutNone})
		if err != nil {
			t.Fatal(err)
		}
		want := Dead
		if kind == twoEyes || kind == oneMove && first == weiqi.Black {
			want = Alive
		}
		if got.Outcome != want {
			t.Errorf("%s, %d first: %v, the shape says %v", game.FormatPosition(rules, p), first, got.Outcome, want)
		}
	}
}

// polyominoes returns all shapes of 1 to n connected points, as they lie.
func polyominoes(n int) map[int][]board.Plane {
	size := board.Size{W: 13, H: 13}
	var dot board.Plane
	dot.Add(board.At(0, 0))
	all := map[int][]board.Plane{1: {dot}}
	for k := 2; k <= n; k++ {
		seen := map[board.Plane]bool{}
		for _, shape := range all[k-1] {
			moved := shape.Shift(size, 1, 1)
			around := moved.Neighbours(size)
			for at := range around.Points() {
				more := moved
				more.Add(at)
				x0, y0, _, _ := bounds(&more)
				if more = more.Shift(size, -x0, -y0); !seen[more] {
					seen[more] = true
					all[k] = append(all[k], more)
				}
			}
		}
	}
	return all
}
