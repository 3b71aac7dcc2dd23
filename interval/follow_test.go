package interval

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/internal/testkit"
	"qipu/pattern"
)

// naiveFollowed plays on from every position of every interval.
func (a *alphabet) naiveFollowed(p *pattern.Pattern, places []pattern.Placement, in []Placed, steps []FollowStep, lines []*played) (list []Placed) {
	for i, s := range in {
		if i > 0 && in[i-1].Placement == s.Placement && in[i-1].Lane == s.Lane {
			continue // with the first of them
		}
		q, l := &places[s.Placement], lines[s.Lane]
		on := map[uint16]bool{} // slots
		for _, s := range runOf(in, s.Placement, s.Lane) {
			for _, at := range l.positions {
				if at.slot < s.From || at.slot >= s.To {
					continue
				}
				for _, sym := range p.Pictures(a.board) {
					if same(p, a.board, sym, q.Symmetry) {
						a.playOn(q, sym, l, at.slot, steps, on)
					}
				}
			}
		}
		for _, span := range intervalsOf(int(s.Lane), l, func(at *position) bool { return on[at.slot] }) {
			list = append(list, Placed{span, s.Placement})
		}
	}
	return list
}

// playOn marks the slots at which the steps have been played from a slot on, in
// one picture.
func (a *alphabet) playOn(q *pattern.Placement, sym game.Symmetry, l *played, slot uint16, steps []FollowStep, on map[uint16]bool) {
	for _, step := range steps {
		n := a.naiveNext(q, l, slot)
		if n.Slot == 0 || !a.means(q, sym, n, step) {
			return
		}
		slot = n.Slot
	}
	until := l.End
	if n := a.naiveNext(q, l, slot); n.Slot > 0 {
		until = n.Slot
	}
	for ; slot < until; slot++ {
		on[slot] = true
	}
}

// means tells whether an arrival is a step, by taking it back to the frame of
// the pattern as drawn.
func (a *alphabet) means(q *pattern.Placement, sym game.Symmetry, n Next, step FollowStep) bool {
	x, y := (&pattern.Placement{Symmetry: sym, Size: q.Size, X: q.X, Y: q.Y}).Back(a.board.Size.Point(int(n.Point)))
	piece := n.Piece
	if sym.Swap {
		piece = a.board.Swap[piece-1] // an exchange is its own inverse
	}
	return x == int(step.X) && y == int(step.Y) && a.owners[piece-1] == uint8(step.Side) && (step.Piece == board.Empty || step.Piece == piece)
}

// TestFollowed compares moves in a region with lines played on move by move.
func TestFollowed(t *testing.T) {
	for i, a := range alphabets() {
		if a.long {
			continue
		}
		t.Run(a.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(51, uint64(i)))
			var m Matcher
			cases, found, inside, swapped := 0, 0, 0, 0
			for range testkit.Scale(80, 2000) {
				lines, b := a.block(t, rng, 1+rng.IntN(24))
				p := a.randomPattern(rng, lines)
				places, err := pattern.Compile(p, a.board)
				if err != nil {
					continue
				}
				all := b.All()
				in := m.AppendSpans(nil, b, Compile(places, p, b.Points, b.Kinds), &all)
				for range 4 {
					if len(in) == 0 {
						break
					}
					s := in[rng.IntN(len(in))]
					steps := a.randomSteps(rng, &places[s.Placement], lines[s.Lane], s.Span)
					if len(steps) == 0 {
						continue
					}
					f := NewFollow(Half{p, places}, steps, a.board)
					got := m.AppendFollowed(nil, b, f, in)
					want := a.naiveFollowed(p, places, in, steps, lines)
					if !slices.Equal(got, want) {
						t.Fatalf("%+v behind %+v: %s", steps, p, differAt(got, want))
					}
					cases++
					found += len(want)
					for _, w := range want {
						if places[w.Placement].Symmetry.Swap {
							swapped++
						}
						for _, s := range runOf(in, w.Placement, w.Lane) {
							if s.From < w.From && w.From < s.To {
								inside++
							}
						}
					}
				}
			}
			if found < cases || inside < cases/4 || swapped < cases/10 || cases < 50 {
				t.Errorf("%d cases, %d found, %d inside an interval, %d with the sides exchanged: the test has become empty", cases, found, inside, swapped)
			}
		})
	}
}

// randomSteps returns moves that followed a random moment of an interval, most
// often, in the frame of the pattern as drawn.
func (a *alphabet) randomSteps(rng *rand.Rand, q *pattern.Placement, l *played, s Span) (steps []FollowStep) {
	at := l.positions[rng.IntN(len(l.positions))]
	for at.slot < s.From || at.slot >= s.To {
		at = l.positions[rng.IntN(len(l.positions))]
	}
	slot := at.slot
	for range 1 + rng.IntN(3) {
		n := a.naiveNext(q, l, slot)
		if n.Slot == 0 {
			break
		}
		slot = n.Slot
		x, y := q.Back(a.board.Size.Point(int(n.Point)))
		if q.Symmetry.Swap {
			n.Piece = a.board.Swap[n.Piece-1]
		}
		step := FollowStep{X: int8(x), Y: int8(y), Side: game.Side(a.owners[n.Piece-1])}
		if rng.IntN(2) == 0 {
			step.Piece = n.Piece
		}
		switch rng.IntN(20) {
		case 0:
			step.Side = step.Side.Opponent()
		case 1:
			step.X++
		}
		steps = append(steps, step)
	}
	return steps
}

// TestFollowedOutside checks steps that lead nowhere, none at all, and another
// board.
func TestFollowedOutside(t *testing.T) {
	a := alphabets()[0]
	_, b := a.block(t, rand.New(rand.NewPCG(1, 1)), 3)
	p := &pattern.Pattern{Size: board.Size{W: 2, H: 1}, Cells: []pattern.Set{pattern.AnyOn(2) | pattern.Off, pattern.AnyOn(2) | pattern.Off}, To: -1, Mirror: true, Swap: true}
	places, err := pattern.Compile(p, a.board)
	if err != nil {
		t.Fatal(err)
	}
	all := b.All()
	var m Matcher
	in := m.AppendSpans(nil, b, Compile(places, p, b.Points, b.Kinds), &all)
	for _, step := range []FollowStep{{X: -1}, {X: 2}, {Y: 1}, {Y: -128}, {X: 127, Y: 127}, {Piece: 31}, {Piece: 200}, {Side: 7}} {
		if got := m.AppendFollowed(nil, b, NewFollow(Half{p, places}, []FollowStep{step}, a.board), in); len(got) > 0 {
			t.Errorf("%+v: %+v", step, got)
		}
	}
	if got := m.AppendFollowed(nil, b, NewFollow(Half{p, places}, nil, a.board), in); !slices.Equal(got, in) || len(in) == 0 {
		t.Errorf("without steps: %+v", got)
	}
	if got := m.AppendFollowed(nil, b, NewFollow(Half{p, places}, []FollowStep{{}}, stones(9, 9)), in); len(got) > 0 {
		t.Errorf("on another board: %+v", got)
	}
}
