package tactics_test

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
	"qipu/internal/testkit"
)

// brute is the plain exhaustive reading that verdicts are held against: every
// point of the board and the pass, for both sides, to a number of plies. It
// shares nothing with the reader but the rules of the game.
type brute struct {
	p        *weiqi.Position
	target   board.Point
	prey     game.Side
	unbarred game.Side // who may ignore ko
	ataris   bool      // the hunter may only give atari, and three liberties are free
	memo     map[bruteKey]bool
}

type bruteKey struct {
	hash  uint64
	plies int
}

func (b *brute) liberties() int {
	if side, ok := b.p.SideAt(b.target); !ok || side != b.prey {
		return 0
	}
	// By planes, where the reader walks the position's own strings.
	planes := b.p.Planes()
	var s board.Plane
	s.Add(b.target)
	s = s.Flood(planes.Size, &planes.Of[b.prey])
	around := s.Neighbours(planes.Size)
	for i := range planes.Of {
		around.AndNot(&planes.Of[i])
	}
	return around.Count()
}

// breathable reports whether the last liberty of the target is not the ko point.
func (b *brute) breathable() bool {
	return b.p.Head(b.target) == board.NoPoint || !touches(b.p, b.p.Ko(), b.target)
}

// touches reports whether a string has a stone beside a point.
func touches(p *weiqi.Position, at, stone board.Point) bool {
	for _, q := range []board.Point{at - 1, at + 1, at - board.Stride, at + board.Stride} {
		if at != board.NoPoint && p.Head(q) == p.Head(stone) {
			return true
		}
	}
	return false
}

// each plays every move of a side in turn until f says stop.
func (b *brute) each(side game.Side, f func() (stop bool)) bool {
	ko := b.p.Ko()
	for at := range b.p.Planes().Size.Points() {
		_, taken := b.p.SideAt(at)
		if at == ko && side != b.unbarred || taken || !b.p.Rules().RuleSet().Suicide && !b.p.Breathes(side, at) {
			continue
		}
		if err := b.p.Force(side, game.Drop(at)); err != nil {
			panic(err)
		}
		stop := f()
		b.p.Undo()
		if stop {
			return true
		}
	}
	if err := b.p.Force(side, game.Pass); err != nil {
		panic(err)
	}
	defer b.p.Undo()
	return f()
}

// taken reports whether the hunter can take the target in so many plies, the
// given side to move. With hunter it is he who has to.
func (b *brute) taken(toMove game.Side, plies int) bool {
	n := b.liberties()
	hunter := b.prey.Opponent()
	if n == 0 {
		return true
	}
	mine := plies / 2
	if toMove == hunter {
		mine = (plies + 1) / 2
		if b.ataris && n > 2 || !b.ataris && n > tactics.Reach {
			return false
		}
	} else if b.ataris && n > 1 {
		return false
	}
	if n > mine {
		return false // he fills one at a time
	}
	if toMove == hunter && n == 1 && (b.unbarred == hunter || b.p.Ko() == board.NoPoint) {
		return true
	}
	if toMove == hunter && n == 1 && b.ataris && !b.breathable() {
		return false // ko forbids to take it, and to wait is no atari
	}
	key := bruteKey{b.p.Hash(), plies}
	if v, ok := b.memo[key]; ok {
		return v
	}
	var v bool
	if toMove == hunter {
		v = b.each(hunter, func() bool { return b.taken(b.prey, plies-1) })
	} else {
		v = !b.each(b.prey, func() bool { return !b.taken(hunter, plies-1) })
	}
	b.memo[key] = v
	return v
}

// away reports whether the prey can come to more than Reach liberties, with the
// hunter to move, in so many plies.
func (b *brute) away(toMove game.Side, plies int) bool {
	n := b.liberties()
	hunter := b.prey.Opponent()
	switch {
	case n == 0:
		return false
	case toMove == hunter && n > tactics.Reach:
		return true
	case plies == 0, toMove == hunter && n == 1:
		return false
	}
	key := bruteKey{b.p.Hash(), plies}
	if v, ok := b.memo[key]; ok {
		return v
	}
	var v bool
	if toMove == hunter {
		v = !b.each(hunter, func() bool { return !b.away(b.prey, plies-1) })
	} else {
		v = b.each(b.prey, func() bool { return b.away(hunter, plies-1) })
	}
	b.memo[key] = v
	return v
}

func (b *brute) reset(unbarred game.Side, ataris bool) *brute {
	b.unbarred, b.ataris, b.memo = unbarred, ataris, map[bruteKey]bool{}
	return b
}

// randomBoard plays random stones, not in turn.
func randomBoard(rnd *rand.Rand, size board.Size, stones int) *weiqi.Position {
	set := weiqi.Japanese
	if rnd.IntN(4) == 0 {
		set = weiqi.TrompTaylor // with suicide
	}
	r, err := weiqi.New(weiqi.Options{Size: size, RuleSet: set})
	if err != nil {
		panic(err)
	}
	p := r.Start().(*weiqi.Position)
	for range stones {
		side := game.Side(rnd.IntN(2))
		at := board.At(rnd.IntN(size.W), rnd.IntN(size.H))
		if p.Breathes(side, at) {
			if err := p.Force(side, game.Drop(at)); err != nil {
				panic(err)
			}
		}
	}
	return p
}

// Every string of random small boards, either side to move first: a ladder is
// what an exhaustive reading of ataris says it is, and no verdict on a capture
// is contradicted by an exhaustive reading of all moves.
func TestBrute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 8))
	count := map[string]int{}
	for range testkit.Scale(60, 3000) {
		size := board.Size{W: 3 + rnd.IntN(3), H: 4 + rnd.IntN(2)}
		p := randomBoard(rnd, size, 6+rnd.IntN(14))
		r := tactics.New(p)
		before := p.Hash()
		for at := range size.Points() {
			if p.Head(at) != at {
				continue
			}
			for first := range game.Side(2) {
				prey, _ := p.SideAt(at)
				b := &brute{p: p, target: at, prey: prey}
				ladder := r.Ladder(at, first)
				checkLadder(t, b, ladder, first)
				count["ladder "+ladder.Verdict.String()]++
				c := r.Capture(at, first)
				count["capture "+c.Verdict.String()]++
				if ladder.Verdict == tactics.Caught && c.Verdict != tactics.Caught {
					t.Fatalf("a ladder works, but the capture is %v\n%v", c.Verdict, show(p, at))
				}
				checkCapture(t, b, c, first)
				if p.Hash() != before {
					t.Fatal("the position is not as it was")
				}
			}
		}
	}
	t.Log(count)
	for _, want := range []string{"ladder caught", "ladder free", "ladder ko", "capture caught", "capture free"} {
		if count[want] == 0 {
			t.Errorf("no case of %q", want)
		}
	}
}

// ladderPlies is as far as ladders are read exhaustively. Few on the small
// boards are longer, and all of those go round in a ko.
const ladderPlies = 12

func checkLadder(t *testing.T, b *brute, l tactics.Result, first game.Side) {
	t.Helper()
	start(b, first, func() {
		hunter := b.prey.Opponent()
		caught := b.reset(b.prey, true).ladder(first, ladderPlies)
		withKo := b.reset(hunter, true).ladder(first, ladderPlies)
		want := tactics.Free
		switch {
		case caught:
			want = tactics.Caught
		case withKo:
			want = tactics.Ko
		}
		if l.Verdict != want && len(l.Line) <= ladderPlies {
			t.Fatalf("ladder is %v %v, want %v; %v first\n%v", l.Verdict, l.Line, want, first, show(b.p, b.target))
		}
	})
}

// ladder is taken by ataris; a prey that moves first may be out of atari.
func (b *brute) ladder(first game.Side, plies int) bool {
	if first == b.prey && b.liberties() > 1 {
		return !b.each(b.prey, func() bool { return !b.taken(b.prey.Opponent(), plies) })
	}
	return b.taken(first, plies)
}

func checkCapture(t *testing.T, b *brute, c tactics.Result, first game.Side) {
	t.Helper()
	plies := testkit.Scale(5, 7)
	hunter := b.prey.Opponent()
	start(b, first, func() {
		switch c.Verdict {
		case tactics.Caught:
			if b.reset(b.prey, false).away(first, plies-2) {
				t.Fatalf("caught, but gets away; %v first\n%v", first, show(b.p, b.target))
			}
			if len(c.Line) <= plies && !b.reset(b.prey, false).taken(first, len(c.Line)) {
				t.Fatalf("caught by %v, but not in so many plies; %v first\n%v", c.Line, first, show(b.p, b.target))
			}
		case tactics.Free:
			if b.reset(hunter, false).taken(first, plies) {
				t.Fatalf("free, but is taken; %v first\n%v", first, show(b.p, b.target))
			}
			if len(c.Line) <= plies-2 && !b.reset(hunter, false).away(first, len(c.Line)+1) {
				t.Fatalf("free by %v, but not in so many plies; %v first\n%v", c.Line, first, show(b.p, b.target))
			}
		}
	})
}

// start has a side move first.
func start(b *brute, first game.Side, f func()) {
	if b.p.Turn() != first {
		if err := b.p.Force(b.p.Turn(), game.Pass); err != nil {
			panic(err)
		}
		defer b.p.Undo()
	}
	f()
}

// show draws a board with the target in brackets.
func show(p *weiqi.Position, target board.Point) string {
	planes := p.Planes()
	var out []byte
	for y := range planes.Size.H {
		for x := range planes.Size.W {
			at := board.At(x, y)
			c := ".XO"[planes.At(at)]
			if at == target {
				c = c + 'a' - 'A'
			}
			out = append(out, c, ' ')
		}
		out = append(out, '\n')
	}
	if ko := p.Ko(); ko != board.NoPoint {
		out = append(out, "ko "+ko.String()...)
	}
	return string(out)
}
