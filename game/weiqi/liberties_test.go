package weiqi_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// What the position tells of its strings is what flood fills of its planes
// tell, after any moves and undos.
func TestStrings(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 40 {
		size := board.Size{W: 1 + rnd.IntN(9), H: 1 + rnd.IntN(9)}
		r, err := weiqi.New(weiqi.Options{Size: size, RuleSet: weiqi.TrompTaylor})
		if err != nil {
			t.Fatal(err)
		}
		p := r.Start().(*weiqi.Position)
		played := 0
		for range 2 * size.Area() {
			at := board.At(rnd.IntN(size.W), rnd.IntN(size.H))
			side := game.Side(rnd.IntN(2))
			before := p.Planes().Of[side.Opponent()].Count()
			if _, taken := p.SideAt(at); !taken {
				if err := p.Force(side, game.Drop(at)); err != nil {
					t.Fatal(err)
				}
				played++
				if got, want := p.Taken(), before-p.Planes().Of[side.Opponent()].Count(); got != want {
					t.Fatalf("%d taken, want %d", got, want)
				}
			} else if played > 0 && rnd.IntN(2) == 0 {
				p.Undo()
				played--
			}
			compareStrings(t, p)
		}
	}
}

func compareStrings(t *testing.T, p *weiqi.Position) {
	t.Helper()
	planes := p.Planes()
	for at := range planes.Size.Points() {
		piece := planes.At(at)
		side, ok := p.SideAt(at)
		if ok != (piece != board.Empty) || ok && side != game.Side(piece-1) {
			t.Fatalf("%v is %v's, want %v", at, side, piece)
		}
		if !ok {
			if p.Head(at) != board.NoPoint || p.StringSize(at) != 0 || p.Liberties(at, 9) != 0 || p.AppendString(nil, at) != nil {
				t.Fatalf("%v is empty and has a string", at)
			}
			continue
		}
		var s board.Plane
		s.Add(at)
		s = s.Flood(planes.Size, &planes.Of[side])
		libs := s.Neighbours(planes.Size)
		enemies := libs
		enemies.And(&planes.Of[side.Opponent()])
		libs.AndNot(&planes.Of[0])
		libs.AndNot(&planes.Of[1])
		same := slices.Collect(s.Points())
		for _, q := range same {
			if p.Head(q) != p.Head(at) {
				t.Fatalf("%v and %v have different heads", at, q)
			}
		}
		sameSet(t, p.AppendString(nil, at), same)
		sameSet(t, p.AppendLiberties(nil, at, 1000), slices.Collect(libs.Points()))
		n := libs.Count()
		for _, limit := range []int{0, 1, 2, 3, 1000} {
			if p.Liberties(at, limit) != min(n, limit) || len(p.AppendLiberties(nil, at, limit)) != min(n, limit) {
				t.Fatalf("%v has %d liberties up to %d, want %d", at, p.Liberties(at, limit), limit, min(n, limit))
			}
		}
		if p.StringSize(at) != len(same) {
			t.Fatalf("%v has a string of %d, want %d", at, p.StringSize(at), len(same))
		}
		var heads []board.Point
		for q := range enemies.Points() {
			if h := p.Head(q); !slices.Contains(heads, h) {
				heads = append(heads, h)
			}
		}
		sameSet(t, p.AppendTouching(nil, at, side.Opponent()), heads)
	}
	for _, out := range []board.Point{board.NoPoint, board.Outside, board.At(planes.Size.W, 0)} {
		if p.Head(out) != board.NoPoint || p.StringSize(out) != 0 || p.Breathes(0, out) {
			t.Fatalf("%v is off the board and has a string", out)
		}
	}
}

func sameSet(t *testing.T, got, want []board.Point) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
}
