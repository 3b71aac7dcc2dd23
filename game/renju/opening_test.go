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
			if o.Direct() != (second.X() == 7 || second.Y() == 7) || o.Direct() != strings.HasSuffix(o.Code, "D") {
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
			if again, ok := renju.OpeningOn(p.Planes()); !ok || again != o {
				t.Errorf("%s on the board is %v", o.Code, again)
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
	if _, ok := renju.OpeningOn(renju.Renju.Start().(*renju.Position).Planes()); ok {
		t.Error("an empty board has an opening")
	}
}

// TestOpeningRules checks where games depart from opening rules.
func TestOpeningRules(t *testing.T) {
	for _, c := range []struct {
		rule, moves, offers string
		swaps               []int
		want                string
	}{
		{"rif", "h8 h9 i9 a1 b2 c3", "", []int{3}, ""},
		{"rif", "h8 h9 i9 a1 b2", "b2 c3", nil, ""},
		{"rif", "g8 h10 k9", "", nil, "1: move 1 must be in the centre; 2: move 2 must be in the central 3x3; 3: move 3 must be in the central 5x5"},
		{"rif", "h8 h9 i9 a1 b2", "b2", nil, "5: 1 fifth moves offered, want 2"},
		{"rif", "h8 h9 i9 a1 b2", "c3 c4", nil, "5: the fifth move is not among those offered"},
		{"rif", "h8 h9 pass", "", []int{2}, "2: no swap after move 2; 3: move 3 must be in the central 5x5"},
		{"yamaguchi", "h8 h9 i9 a1 b2", "b2 b3 b4 b5 b6 b7 b8 b9 c2", nil, ""},
		{"soosyrv-8", "h8 h9 i9 a1 b2", "b2 b3 b4 b5 b6 b7 b8 b9 c2", nil, "5: 9 fifth moves offered, want 1 to 8"},
		{"soosyrv-8", "h8 h9 i9 a1 b2", "b2", []int{3, 4}, ""},
		// Kept in its column and turned about its middle, the shape h6 to h9
		// has four pictures of one fifth move.
		{"soosyrv-8", "h8 h9 h7 h6 g8", "g8 i8", nil, "5: two of the fifth moves offered are symmetrical or equal"},
		{"soosyrv-8", "h8 h9 h7 h6 g8", "g8 g7", nil, "5: two of the fifth moves offered are symmetrical or equal"},
		{"soosyrv-8", "h8 h9 h7 h6 g8", "g8 g9", nil, ""},
		{"taraguchi-10", "h8 h9 i9 k11 l12", "", []int{1, 2, 3, 4, 5}, ""},
		{"taraguchi-10", "h8 h9 i9 l11", "", nil, "4: move 4 must be in the central 7x7"},
		{"taraguchi-10", "h8 h9 i9 k11 a1", "", nil, ""},
		{"taraguchi-10", "h8 h9 i9 k11 a1", "a1 a2 a3 a4 a5 a6 a7 a8 a9 a10", nil, ""},
		{"taraguchi-10", "h8 h9 i9 k11 a1", "a1 a2", []int{4}, "4: no swap after move 4; 5: 2 fifth moves offered, want 10"},
		{"tarannikov", "h8 h9 i9 k11 a1", "", nil, "5: move 5 must be in the central 9x9"},
		{"sakata", "h8 h9 i9 k11 l12", "l12", []int{5}, "5: no fifth moves are offered under this rule"},
		{"pro", "h8 a1 i10", "", nil, "3: move 3 must be outside the central 5x5"},
		{"pro", "h8 a1 i11", "", nil, ""},
		{"long-pro", "h8 a1 i11", "", nil, "3: move 3 must be outside the central 7x7"},
		{"swap2", "a1 b1 c9 d4 e5", "", []int{5}, ""},
		{"swap", "a1 b1 c9 d4", "", []int{4}, "4: no swap after move 4"},
		{"classic", "a1 b1", "", nil, ""},
	} {
		p := renju.Renju.Start().(*renju.Position)
		play(t, renju.Renju, p, c.moves)
		opened := renju.Opened{Moves: p.Moves(), Swaps: c.swaps}
		for _, name := range strings.Fields(c.offers) {
			at, _ := renju.Renju.Geometry().Point(name)
			opened.Offers = append(opened.Offers, at)
		}
		rule := renju.OpeningRuleNamed(c.rule)
		var got []string
		for _, d := range rule.Check(board.Size{W: 15, H: 15}, opened) {
			got = append(got, fmt.Sprintf("%d: %s", d.Move, d.Text))
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s, %s: %q, want %q", c.rule, c.moves, text, c.want)
		}
	}
	if renju.OpeningRuleNamed("none") != nil {
		t.Error("a rule without a name")
	}
}
