package counted_test

import (
	"strings"
	"testing"

	"qipu/board"
	"qipu/game/weiqi/life"
	"qipu/workshop/counted"
)

// TestClasses has a board for each kind of mistake. The string in question has a
// stone on the point that is named; false is said of it, and of those further
// points that follow.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		class          counted.Class
		stones, owners string
		wrong          []board.Point
	}{
		{counted.OpenKo, // White's stone in the middle of the top takes and is taken
			".XO.|XO.O|.XO.|XXOO", "BBWW|BWWW|BBWW|BBWW", []board.Point{board.At(1, 1)}},
		{counted.Squeeze, // a stone of Black's thrown in
			"XOX..|.OX..|XOX..|XOX..|XXX..", "BBBBB|BBBBB|BBBBB|BBBBB|BBBBB", []board.Point{board.At(1, 0)}},
		{counted.InSeki, // both stay, and share three points
			"XX.OO|X..OO", "BB=WW|B==WW", []board.Point{board.At(3, 0)}},
		{counted.Race, // Black took White, and it is said the other way round
			"XXOO.|XXOO.|.....", "BBBBB|BBBBB|BBBBB", []board.Point{board.At(0, 0), board.At(2, 0)}},
		{counted.Reinforcement, // Black owes a move in the eye
			"XXO.|.XO.|XXO.", "BBWW|BBWW|BBWW", []board.Point{board.At(0, 0)}},
		{counted.Invader, // one stone in a large framework
			"XXXXXXX|X.....X|X.....X|X..O..X|X.....X|X.....X|XXXXXX.", "BBBBBBB|BBBBBBB|BBBBBBB|BBBBBBB|BBBBBBB|BBBBBBB|BBBBBBB", []board.Point{board.At(3, 3)}},
		{counted.CutOff, // a diagonal with White on one side of it
			"......|......|..XO..|...X..|......|......", "......|......|..BW..|...B..|......|......", []board.Point{board.At(2, 2)}},
		{counted.Other,
			"XXXXX|X.OX.|X..XX|XXXX.|....X", "BBBBB|BBBBB|BBBBB|BBBBB|BBBBB", []board.Point{board.At(2, 1)}},
	} {
		t.Run(string(c.class), func(t *testing.T) {
			text := "#\n" + strings.ReplaceAll(c.stones, "|", "\n") + "\n\n" + strings.ReplaceAll(strings.ReplaceAll(c.owners, ".", "="), "|", "\n") + "\n"
			list := read(t, files(t, "a.own", text))
			if len(list) != 1 {
				t.Fatalf("%d boards", len(list))
			}
			var b life.Board
			b.Reset(list[0].Setup.Board)
			j := list[0].Judgement(&b)
			for _, p := range c.wrong {
				v := j.At(&b, p)
				if v.Status == life.Dead {
					v.Status = life.Alive
				} else {
					v.Status = life.Dead
				}
			}
			got := list[0].Mistakes(nil, &b, j)
			if len(got) != len(c.wrong) || got[0].Class != c.class {
				t.Errorf("%+v", got)
			}
		})
	}
}
