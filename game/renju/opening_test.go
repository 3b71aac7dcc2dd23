package renju_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/renju"
)

// TestOpenings puts every second stone next to the centre and every third one
// in the central 5x5: up to symmetry there are 26, and each has its own name.
func TestOpenings(t *testing.T) {
	size := board.Size{W: 15, H: 15}
	centre := board.At(7, 7)
	classes := map[string]string{} // least picture -> code
	codes := map[string]int{}
	square := func(r int) (list []board.Point) {
		for y := -r; y <= r; y++ {
			for x := -r; x <= r; x++ {
				list = append(list, board.At(7+x, 7+y))
			}
		}
		return list
	}
	for _, second := range square(1) {
		for _, third := range square(2) {
			if second == centre || third == centre || second == third {
				continue
			}
			moves := []game.Move{game.Drop(centre), game.Drop(second), game.Drop(third)}
			o, ok := renju.OpeningOf(size, moves)
			if !ok {
				t.Fatalf("%v %v has no name", second, third)
			}
			if direct := second.X() == 7 || second.Y() == 7; direct != strings.HasSuffix(o.Code, "D") {
				t.Errorf("%v %v is %s", second, third, o.Code)
			}
			var pictures []string
			for _, sym := range size.Symmetries() {
				pictures = append(pictures, fmt.Sprint(sym.Apply(size, second), sym.Apply(size, third)))
			}
			least := slices.Min(pictures)
			if old, ok := classes[least]; ok && old != o.Code {
				t.Errorf("%v %v is %s and %s", second, third, old, o.Code)
			}
			classes[least] = o.Code
			codes[o.Code]++

			p := renju.Renju.Start().(*renju.Position)
			for _, m := range moves {
				must(t, p.Play(m))
			}
		}
	}
	if len(classes) != 26 || len(codes) != 26 || len(renju.Openings) != 26 {
		t.Errorf("%d classes, %d names", len(classes), len(codes))
	}
}

func TestOpeningNames(t *testing.T) {
	for _, c := range []struct{ variant, moves, want string }{
		{"", "h8 h9 i9", "4D"}, {"", "h8 g8 g7 a1", "4D"}, {"", "h8 i9 i7", "7I"}, {"", "h8 g7 i7 i8", "7I"},
		{"", "h8 i9 f6", "13I"}, {"19x19", "j10 j11 j12", "1D"}, {"5x5", "c3 c4 c5", "1D"},
		{"", "h8 h9", ""}, {"", "h8 h9 h11", ""}, {"", "h8 h10 h9", ""}, {"", "g8 g9 h9", ""},
		{"", "h8 pass i9", ""}, {"", "h8 h9 pass", ""}, {"20x20", "j10 j11 j12", ""},
	} {
		r := variant(t, c.variant)
		p := r.Start().(*renju.Position)
		play(t, r, p, c.moves)
		got := ""
		if o, ok := renju.OpeningOf(r.Geometry().Size, p.Moves()); ok {
			got = o.Code
		}
		if got != c.want {
			t.Errorf("%s %s is %q, want %q", c.variant, c.moves, got, c.want)
		}
	}
}
