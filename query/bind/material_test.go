package bind

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess"
	"qipu/internal/testkit"
	"qipu/pattern"
	"qipu/query"
)

// holds tells whether a bound question about material is true of a board.
func holds(t *testing.T, q query.Q, b *board.Planes) bool {
	t.Helper()
	switch q := q.(type) {
	case query.When:
		return holds(t, q.Q, b)
	case query.And:
		for _, part := range q {
			if !holds(t, part, b) {
				return false
			}
		}
		return true
	case query.Or:
		for _, part := range q {
			if holds(t, part, b) {
				return true
			}
		}
		return false
	case *query.Count:
		n := 0
		for _, i := range q.Points {
			if piece := b.At(b.Size.Point(int(i))); q.Set&pattern.Of(piece) != 0 {
				n++
			}
		}
		return n == q.N
	}
	t.Fatalf("%T is no question about material", q)
	return false
}

// Questions about material are true of the boards whose pieces, written down, say so.
func TestMaterial(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	letters := func(p game.Position, side int, of string) (text string) {
		b := p.(game.Planar).Planes()
		for k, c := range "KQRBNP" {
			if strings.ContainsRune(of, c) {
				text += strings.Repeat(string(c), b.Of[side*6+k].Count())
			}
		}
		return text
	}
	bound := func(text string) query.Q {
		q, err := (&Binder{Rules: chess.Standard, Names: names, Text: text}).Bind(tree(t, text))
		if err != nil {
			t.Fatal(show(err))
		}
		return q
	}
	more := func(mine, theirs string) (left string) {
		for _, c := range "KQRBN" {
			left += strings.Repeat(string(c), max(0, strings.Count(mine, string(c))-strings.Count(theirs, string(c))))
		}
		return left
	}
	asked := 0
	for range testkit.Scale(20, 300) {
		p := chess.Standard.Start()
		for range 150 {
			list := p.AppendMoves(nil)
			if len(list) == 0 {
				break
			}
			if err := p.Play(list[rng.IntN(len(list))]); err != nil {
				t.Fatal(err)
			}
			if rng.IntN(10) > 0 {
				continue
			}
			b := p.(game.Planar).Planes()
			white, black := letters(p, 0, "KQRBNP"), letters(p, 1, "KQRBNP")
			for _, text := range []string{
				"material.white:" + white + "v" + black, "material.black:" + black + "-" + white,
				"material:" + white + black, "material:" + black + "/" + white,
			} {
				if !holds(t, bound(text), b) {
					t.Errorf("%s is not true of %v", text, game.SetupOf(p))
				}
			}
			if white != black && holds(t, bound("material.white:"+black+"v"+white), b) {
				t.Errorf("white has %s, and %s too", white, black)
			}
			// Pawns do not count where nobody names them.
			up, down := more(white, black), more(black, white)
			if up == down {
				continue
			}
			text := fmt.Sprintf("imbalance.white:%q", up+"v"+down)
			if !holds(t, bound(text), b) || holds(t, bound(strings.Replace(text, "white", "black", 1)), b) {
				t.Errorf("%s is not true of %v", text, game.SetupOf(p))
			}
			if up+"R" != down && holds(t, bound(fmt.Sprintf("imbalance:%q", up+"Rv"+down)), b) {
				t.Errorf("%s and a rook is true of %v", text, game.SetupOf(p))
			}
			asked++
		}
	}
	if asked == 0 {
		t.Error("no side was ahead")
	}
}
