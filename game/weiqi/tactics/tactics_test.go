package tactics_test

import (
	"fmt"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
)

// draw makes a position of a drawing: X is Black, O White, and a small letter
// marks the stone in question. An asterisk is an empty point in question. Black
// is to move. The edges of the drawing are those of the board.
func draw(t testing.TB, text string) (p *weiqi.Position, mark board.Point) {
	t.Helper()
	rows := strings.Fields(strings.ReplaceAll(strings.TrimSpace(text), " ", ""))
	size := board.Size{W: len(rows[0]), H: len(rows)}
	r, err := weiqi.New(weiqi.Options{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	s := game.NewSetup(r)
	mark = board.NoPoint
	for y, row := range rows {
		for x, c := range row {
			at := board.At(x, y)
			if strings.ContainsRune("xo*", c) {
				mark = at
			}
			switch c {
			case 'x', 'X':
				s.Board.Put(at, 1)
			case 'o', 'O':
				s.Board.Put(at, 2)
			default:
				s.Board.Put(at, board.Empty)
			}
		}
	}
	pos, err := r.Arrange(s)
	if err != nil {
		t.Fatal(err)
	}
	return pos.(*weiqi.Position), mark
}

// Readings with Black first, then with White first.
var readings = []struct {
	name, board     string
	ladder, capture string
}{
	{"a ladder that works", `
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. X o . . . . . .
		. . X X . . . . .
		. . . . . . . . .
		. . . . . . . . .`,
		"caught free", "caught free"},
	{"the same with a breaker on its way", `
		. . . . . . . . .
		. . . . . . . . .
		. . . . . O . . .
		. . . . . . . . .
		. . . . . . . . .
		. X o . . . . . .
		. . X X . . . . .
		. . . . . . . . .
		. . . . . . . . .`,
		"free free", "unknown free"},
	{"a breaker that stands beside the way", `
		. . . . . . . . .
		. O . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .
		. X o . . . . . .
		. . X X . . . . .
		. . . . . . . . .
		. . . . . . . . .`,
		"caught free", "caught free"},
	{"along the edge, nowhere to go", `
		. . . . . . . .
		. . . . . . . .
		X X X X X X X .
		X O o . . . . .`,
		"caught caught", "caught caught"},
	{"along the edge, a friend at the end", `
		. . . . . . . .
		. . . . O . . .
		X X X . O . . .
		X O o . O . . .`,
		"caught free", "caught free"},
	{"a net holds where the ladder is broken", `
		. . . . . . . . .
		. . X X . . . . .
		. X o . . . . . .
		. X . . . . . . .
		. . . . . . . . .
		. . . . . O . . .
		. . . . . . . . .
		. . . . . . . . .
		. . . . . . . . .`,
		"free free", "caught unknown"},
	{"saved by taking what gives atari", `
		. . . . .
		. X . O .
		X o X O .
		. . O . .
		. . . . .`,
		"caught free", "caught free"},
	{"four liberties are free", `
		. . . . .
		. . . . .
		. . o . .
		. . . . .
		. . . . .`,
		"free free", "free free"},
	{"two eyes are another question", `
		. O . O X
		O o O O X
		X X X X X
		. . . . .`,
		"free free", "unknown unknown"},
}

func TestReadings(t *testing.T) {
	for _, c := range readings {
		t.Run(c.name, func(t *testing.T) {
			p, at := draw(t, c.board)
			r := tactics.New(p)
			before := game.FormatPosition(p.Rules(), p)
			if got := fmt.Sprint(r.Ladder(at, weiqi.Black).Verdict, " ", r.Ladder(at, weiqi.White).Verdict); got != c.ladder {
				t.Errorf("ladder: %s, want %s", got, c.ladder)
			}
			if got := fmt.Sprint(r.Capture(at, weiqi.Black).Verdict, " ", r.Capture(at, weiqi.White).Verdict); got != c.capture {
				t.Errorf("capture: %s, want %s", got, c.capture)
			}
			if got := game.FormatPosition(p.Rules(), p); got != before {
				t.Errorf("the position is %s, was %s", got, before)
			}
		})
	}
}

// The line of a capture can be played, and takes the stone.
func TestLine(t *testing.T) {
	p, at := draw(t, readings[0].board)
	for i, q := range tactics.New(p).Ladder(at, weiqi.Black).Line {
		if err := p.Play(game.Drop(q)); err != nil {
			t.Fatalf("move %d: %v", i+1, err)
		}
	}
	if _, there := p.SideAt(at); there {
		t.Error("the stone is still there")
	}
}

func TestAfter(t *testing.T) {
	for _, c := range []struct {
		name, board string
		want        tactics.Move
		snapback    bool
	}{
		{"alone", ". . .\n. * .\n. . .", tactics.Move{Legal: true, Liberties: 4, Stones: 1}, false},
		{"captures", ". X .\nX O *\n. X .", tactics.Move{Legal: true, Liberties: 3, Stones: 1, Captured: 1}, false},
		{"takes a ko", ". X O .\nX O * O\n. X O .", tactics.Move{Legal: true, Liberties: 1, Stones: 1, Captured: 1, Atari: 2, Ko: true}, false},
		{"no liberty", ". O .\nO * O\n. O .", tactics.Move{}, false},
		{"occupied", ". . .\n. o .\n. . .", tactics.Move{}, false},
		{"double atari", ". . X . .\n. X O . .\n. . * O X\n. . . X .", tactics.Move{Legal: true, Liberties: 2, Stones: 1, Atari: 2}, false},
		{"a snapback", `
			. X O * O O .
			. X O . X X .
			. X X X X . .`, tactics.Move{Legal: true, Liberties: 1, Stones: 1, Atari: 2}, true},
		{"a stone thrown away", `
			. O * . O .
			. O O O O .
			. . . . . .`, tactics.Move{Legal: true, Liberties: 1, Stones: 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, at := draw(t, c.board)
			r := tactics.New(p)
			if got := r.After(weiqi.Black, at); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
			if got := r.Snapback(weiqi.Black, at); got != c.snapback {
				t.Errorf("snapback is %v", got)
			}
		})
	}
}

func TestNoAllocation(t *testing.T) {
	p, at := draw(t, readings[0].board)
	r := tactics.New(p)
	r.Capture(at, weiqi.Black)
	if n := testing.AllocsPerRun(10, func() {
		r.Ladder(at, weiqi.Black)
		r.Capture(at, weiqi.White)
		r.After(weiqi.Black, board.At(0, 0))
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func Example() {
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}})
	if err != nil {
		fmt.Println(err)
		return
	}
	pos, err := game.ParsePosition(r, "9/9/9/9/9/1XO6/2XX5/9/9 b")
	if err != nil {
		fmt.Println(err)
		return
	}
	read := tactics.New(pos.(*weiqi.Position))
	fmt.Println("Black first:", read.Ladder(board.At(2, 5), weiqi.Black).Verdict)
	fmt.Println("White first:", read.Ladder(board.At(2, 5), weiqi.White).Verdict)
	// Output:
	// Black first: caught
	// White first: free
}

func BenchmarkLadder(b *testing.B) {
	p, at := draw(b, readings[0].board)
	r := tactics.New(p)
	for b.Loop() {
		r.Ladder(at, weiqi.Black)
	}
	b.ReportMetric(float64(len(r.Ladder(at, weiqi.Black).Line)), "plies")
}

func BenchmarkNet(b *testing.B) {
	p, at := draw(b, readings[5].board)
	r := tactics.New(p)
	for b.Loop() {
		r.Capture(at, weiqi.Black)
	}
	b.ReportMetric(float64(r.Capture(at, weiqi.Black).Nodes), "nodes")
}

func BenchmarkAfter(b *testing.B) {
	p, _ := draw(b, readings[0].board)
	r := tactics.New(p)
	for b.Loop() {
		r.After(weiqi.Black, board.At(2, 4))
	}
}
