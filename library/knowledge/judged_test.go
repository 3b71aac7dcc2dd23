package knowledge_test

import (
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/library/knowledge"
	"qipu/pattern/advise"
	"qipu/pattern/kb/shipped"
)

// Figure 20 of paper 000 shows a cut by two stones that are dead. The picture is
// lost, and this one is drawn by what the text says of it: the stones have more
// liberties than reading takes away, and no room to live.
const figure20 = `
	. O . O . X . . .
	O O O O . X . . .
	O O O O X X . . .
	O O O * O O X . .
	O O . X . O X . .
	O O . X . O X . .
	O O . . . O X . .
	O O O O O O X . .
	. O . O . . X . .`

// Reading alone lets the cut stand; who knows that the stones are dead refuses it.
func TestFigure20(t *testing.T) {
	p, cut := drawnBoard(t, figure20)
	find := func(list []advise.Advice) *advise.Advice {
		for i := range list {
			if a := &list[i]; a.Point == cut && a.Entry.ID == "paper-figure-17" && a.Side == weiqi.Black {
				return a
			}
		}
		return nil
	}
	conditions, _ := advise.Parse("conditions.txt", shipped.Conditions())
	reading, err := advise.New(shipped.Base(), advise.Options{Conditions: conditions})
	if err != nil {
		t.Fatal(err)
	}
	if a := find(reading.Advise(p, advise.Ask{})); a == nil {
		t.Error("reading alone refuses the cut")
	}
	shapes := knowledge.LoadShapes()
	said := func(ask advise.Ask) *advise.Advice {
		points, err := shapes.Advise(p, ask)
		if err != nil {
			t.Fatal(err)
		}
		var list []advise.Advice
		for i := range points {
			list = append(list, points[i].Advice...)
		}
		return find(list)
	}
	if a := said(advise.Ask{Refused: true}); a == nil || !strings.Contains(a.Refused, "lost already") {
		t.Errorf("the cut is not refused: %+v", a)
	}
	if a := said(advise.Ask{}); a != nil {
		t.Errorf("unasked for what is refused it stands: %+v", a)
	}
}

func BenchmarkAdviseJudged(b *testing.B) {
	p, _ := drawnBoard(b, figure20)
	shapes := knowledge.LoadShapes()
	if _, err := shapes.Advise(p, advise.Ask{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		shapes.Advise(p, advise.Ask{})
	}
}

// drawnBoard makes a position of a drawing as the tests of package advise have it:
// X is Black, O White, an asterisk the empty point in question.
func drawnBoard(t testing.TB, text string) (*weiqi.Position, board.Point) {
	t.Helper()
	rows := strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: len(rows[0]), H: len(rows)}})
	if err != nil {
		t.Fatal(err)
	}
	s, mark := game.NewSetup(r), board.NoPoint
	for y, row := range rows {
		for x, c := range row {
			switch at := board.At(x, y); c {
			case 'X':
				s.Board.Put(at, 1)
			case 'O':
				s.Board.Put(at, 2)
			case '*':
				mark = at
			}
		}
	}
	p, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position), mark
}
