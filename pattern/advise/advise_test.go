package advise_test

import (
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/advise"
	"qipu/pattern/kb/shipped"
)

// draw makes a position of a drawing: X is Black, O White, an asterisk the
// empty point in question. Black is to move; the edges of the drawing are those
// of the board.
func draw(t testing.TB, text string) (p *weiqi.Position, mark board.Point) {
	t.Helper()
	rows := strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: len(rows[0]), H: len(rows)}})
	if err != nil {
		t.Fatal(err)
	}
	s := game.NewSetup(r)
	mark = board.NoPoint
	for y, row := range rows {
		for x, c := range row {
			at := board.At(x, y)
			switch c {
			case 'X':
				s.Board.Put(at, 1)
			case 'O':
				s.Board.Put(at, 2)
			case '*':
				mark = at
			}
		}
	}
	pos, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return pos.(*weiqi.Position), mark
}

func shippedAdviser(t testing.TB, rules bool) *advise.Adviser {
	t.Helper()
	var o advise.Options
	if rules {
		c, faults := advise.Parse("conditions.txt", shipped.Conditions())
		for _, f := range faults {
			t.Error(f)
		}
		o.Conditions = c
	}
	a, err := advise.New(shipped.Base(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Figures 18 and 20 of the paper are pictures that its text has lost. These
// positions are rebuilt from what it says of them: in 18(a) the cut at A is
// severe; in 18(b) and, otherwise arranged, in 18(c) White takes the stones with
// the next move; in 20 Black's two stones are dead, though they have liberties.
// The shape is that of figure 17 and Black's.
var figures = []struct{ name, board, refused string }{
	{"18(a)", `
		. . . . . . . . .
		. . . . . . . . .
		. . . O X X . . .
		. . O * O . . . .
		. . . X . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .`, ""},
	{"18(b)", `
		. . . . . . . . .
		. . . . . . . . .
		. . . O X X . . .
		. . O * O . . . .
		. . O X O . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .`, "taken at once"},
	{"18(c)", `
		. . . . . . . . .
		. . . . . . . . .
		. . . O X X . . .
		. . O * O . . . .
		. . O X O . . . .
		. . O X . . . . .
		. . . O . . . . .
		. . . . . . . . .
		. . . . . . . . .`, "taken at once"},
	{"20", `
		. . . . . . . . .
		. . . . . . . . .
		. . . O X X . . .
		. . O * O . . . .
		. . O X O . . . .
		. . O X . O . . .
		. . O . O . . . .
		. . . O . . . . .
		. . . . . . . . .`, "lost already"},
}

func TestFigures(t *testing.T) {
	with, without := shippedAdviser(t, true), shippedAdviser(t, false)
	for _, f := range figures {
		t.Run(f.name, func(t *testing.T) {
			p, at := draw(t, f.board)
			before := p.Hash()
			if v := find(without.Advise(p, advise.Ask{}), "paper-figure-17", at); v == nil || v.Refused != "" {
				t.Errorf("without conditions the shape says %+v", v)
			}
			v := find(with.Advise(p, advise.Ask{Refused: true}), "paper-figure-17", at)
			switch {
			case v == nil:
				t.Fatal("the shape is not found")
			case f.refused == "" && v.Refused != "":
				t.Errorf("refused: %s", v.Refused)
			case !strings.Contains(v.Refused, f.refused):
				t.Errorf("refused is %q, want something with %q", v.Refused, f.refused)
			}
			if v := find(with.Advise(p, advise.Ask{}), "paper-figure-17", at); (v == nil) != (f.refused != "") {
				t.Errorf("unasked for the refused ones it says %+v", v)
			}
			if p.Hash() != before {
				t.Error("the position has changed")
			}
		})
	}
}

func find(list []advise.Advice, id string, at board.Point) *advise.Advice {
	for i := range list {
		if list[i].Entry.ID == id && list[i].Point == at && list[i].Side == weiqi.Black {
			return &list[i]
		}
	}
	return nil
}

// The shipped conditions speak of what the shipped base has.
func TestShipped(t *testing.T) {
	c, faults := advise.Parse("conditions.txt", shipped.Conditions())
	for _, f := range append(faults, c.Check(shipped.Base())...) {
		t.Error(f)
	}
}
