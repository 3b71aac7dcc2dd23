package shaped

import (
	"math"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// TestWeights holds the weights against the shapes that there are.
func TestWeights(t *testing.T) {
	list, err := parse(weights)
	if err != nil {
		t.Fatal(err)
	}
	some := 0
	for _, w := range list {
		if w != 0 {
			some++
		}
	}
	if some < 100 {
		t.Errorf("%d of %d weights", some, len(list))
	}
	for _, text := range []string{"hane", "hane ours", "hane mine 3", "hane ours x", "hane ours 99999"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	if list, err := parse("no-such-shape ours 100 # gone\n"); err != nil || len(list) == 0 {
		t.Errorf("a shape that is no longer there: %v", err)
	}
}

// TestCorrect: the sum of chances stays, and a board that is turned by half is corrected as
// it was.
func TestCorrect(t *testing.T) {
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	size := board.Size{W: 9, H: 9}
	rules, err := weiqi.New(weiqi.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	stones := []board.Point{board.At(2, 2), board.At(3, 2), board.At(2, 3), board.At(3, 3), board.At(4, 3)}
	boards := [2]game.Position{rules.Start(), rules.Start()}
	for _, at := range stones {
		for i, p := range boards {
			if i == 1 {
				at = board.At(8-at.X(), 8-at.Y())
			}
			if err := p.Play(game.Drop(at)); err != nil {
				t.Fatal(err)
			}
		}
	}
	var seen [2][]float64
	for i, p := range boards {
		list := make([]float64, 81)
		for k := range list {
			list[k] = .9 / 81
		}
		c.Correct(p.(game.Planar).Planes(), p.Turn(), list)
		sum := 0.0
		for _, x := range list {
			sum += x
		}
		if math.Abs(sum-.9) > 1e-9 {
			t.Errorf("the sum is %v", sum)
		}
		seen[i] = list
	}
	changed := 0
	for k, x := range seen[0] {
		if math.Abs(x-seen[1][80-k]) > 1e-12 {
			t.Errorf("point %d: %v, turned %v", k, x, seen[1][80-k])
		}
		if x != seen[0][80] {
			changed++
		}
	}
	if changed == 0 {
		t.Error("no shape says anything")
	}
}
