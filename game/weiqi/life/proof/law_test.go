package proof

import (
	"math/rand/v2"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/internal/testkit"
)

// boardOf makes a board of bytes: the size, then the points.
func boardOf(data []byte) *board.Planes {
	if len(data) < 2 {
		return nil
	}
	size := board.Size{W: 1 + int(data[0])%board.MaxSide, H: 1 + int(data[1])%board.MaxSide}
	p := board.NewPlanes(size, 2)
	for i, c := range data[2:] {
		if i == size.Area() {
			break
		}
		if piece := board.Piece(c % 3); piece != 0 {
			p.Put(size.Point(i), piece)
		}
	}
	return p
}

// laws checks what holds of all boards: a proof is the same for the colours
// exchanged and the board turned, Benson proves no more than the unconditional proof and Static, and no point of
// a living string is anybody else's.
func laws(t *testing.T, planes *board.Planes) {
	t.Helper()
	var b, c life.Board
	var p, q Prover
	b.Reset(planes)
	var u Prover
	var j life.Judgement
	j.Begin("static", &b)
	u.JudgeStatic(&b, true, &j)
	for i := range j.Strings {
		if v := &j.Strings[i]; v.Proved && len(v.Steps) == 0 {
			t.Fatalf("%+v: proved without a step", v)
		}
	}
	static, benson, more := q.Static(&b), p.Benson(&b), u.unconditional(&b)
	for i, status := range benson.Strings {
		if status != life.Unknown && static.Strings[i] != status {
			t.Fatalf("string %d is %s, static says %s", i, status, static.Strings[i])
		}
	}
	points := [2]int{}
	for _, cell := range b.On {
		if o := benson.Owner[cell]; o != life.Nobody && (static.Owner[cell] != o || more.Owner[cell] != o) {
			t.Fatalf("%d is %s's, static says %s, unconditional %s", cell, o, static.Owner[cell], more.Owner[cell])
		}
		o := static.Owner[cell]
		if o != life.Nobody {
			points[o-1]++
		}
		if s := b.Stone[cell]; s != life.Empty {
			want := life.Unknown
			switch o {
			case life.Nobody:
			case life.Owner(s):
				want = life.Alive
			default:
				want = life.Dead
			}
			if got := static.Strings[b.Of[cell]]; got != want {
				t.Fatalf("a stone of a string that is %s is %s's", got, o)
			}
		}
	}
	if points != static.Points {
		t.Fatalf("counted %v, told %v", points, static.Points)
	}
	for _, sym := range planes.Size.Symmetries() {
		for _, swap := range [][]board.Piece{nil, {2, 1}} {
			c.Reset(planes.Transform(sym, swap))
			for range 2 {
				turned := p.Static(&c)
				for _, cell := range b.On {
					want := static.Owner[cell]
					if swap != nil && want != life.Nobody {
						want = 3 - want
					}
					if got := turned.Owner[life.CellOf(sym.Apply(planes.Size, cell.Point()))]; got != want {
						t.Fatalf("%s, swapped %v: %s's, want %s's", sym, swap != nil, got, want)
					}
				}
			}
		}
	}
}

func FuzzLaws(f *testing.F) {
	f.Add([]byte{18, 18})
	f.Add([]byte{0, 0, 1})
	f.Add([]byte{4, 4, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 0, 2, 0, 2, 0})
	f.Add([]byte{24, 0, 0, 1, 0, 1, 0, 2, 0, 2, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		if p := boardOf(data); p != nil {
			laws(t, p)
		}
	})
}

// TestLaws is the same on random boards with many eyes, and on real ones.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		g := newSmall(3+rng.IntN(3), 3+rng.IntN(3))
		laws(t, g.planes(randomBoard(g, rng)))
	}
	boards, _ := readCounted(t, testkit.Scale(12, 1000))
	for i := range boards {
		laws(t, boards[i].planes)
	}
}
