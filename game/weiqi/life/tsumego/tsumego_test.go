package tsumego_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life/tsumego"
	"qipu/internal/testkit"
)

// read makes a position of rows of X, O and dots.
func read(t testing.TB, text string) *weiqi.Position {
	rows := strings.Fields(text)
	rules, err := weiqi.New(weiqi.Options{Size: board.Size{W: len(rows[0]), H: len(rows)}})
	if err != nil {
		t.Fatal(err)
	}
	setup := game.NewSetup(rules)
	for y, row := range rows {
		for x, c := range row {
			setup.Board.Put(board.At(x, y), board.Piece(strings.IndexRune(".XO", c)))
		}
	}
	p, err := rules.Arrange(setup)
	if err != nil {
		t.Fatal(err)
	}
	return p.(*weiqi.Position)
}

// solve answers a step of the script.
func solve(t *testing.T, c testkit.Command) string {
	p := read(t, c.Input)
	rules := p.Rules()
	points := func(text string) (set board.Plane) {
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
			at, ok := rules.Geometry().Point(word)
			if !ok {
				t.Fatalf("%s is no point", word)
			}
			set.Add(at)
		}
		return set
	}
	first := weiqi.Black
	if c.Name == "white" {
		first = weiqi.White
	}
	find := tsumego.Find{Target: points(c.Named["target"]), Zone: points(c.Named["zone"])}
	q, err := find.In(p, first)
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	goal := "lives"
	if q.Kills() {
		goal = "kills"
	}
	fmt.Fprintf(&b, "%s, target %d stones of %s, zone %d points\n", goal, q.Target.Count(), rules.Info().Sides[q.Side].Name, q.Zone.Count())
	var s tsumego.Solver
	for cut := tsumego.CutNone; cut <= tsumego.CutAll; cut++ {
		x, err := s.Solve(t.Context(), &q, tsumego.Options{Cut: cut, All: true, Nodes: 50_000})
		if err != nil {
			return err.Error()
		}
		var moves []string
		for _, m := range x.Moves {
			moves = append(moves, game.FormatMove(rules, p, m, game.AnyNotation))
		}
		slices.Sort(moves)
		text := fmt.Sprintf("%v eyes=%v works=%v moves: %s", x.Outcome, x.Eyes, x.Works(&q), strings.Join(moves, " "))
		if x.Outcome == tsumego.Ko && x.KoKnown {
			text += "; takes first: " + rules.Info().Sides[x.Taker].Name
		}
		if cut == tsumego.CutNone {
			b.WriteString(text)
		} else if !strings.HasSuffix(b.String(), text) {
			fmt.Fprintf(&b, "\n%v: %s", cut, text)
		}
	}
	return b.String()
}

func TestProblems(t *testing.T) { testkit.Script(t, "testdata/problems.txt", solve) }

// TestTurned: the same problem in other colours and corners has the same answer,
// found in the same number of steps.
func TestTurned(t *testing.T) {
	p := read(t, ".X..O.... .XXXO.... XXOOO.... OOO...... ......... ......... ......... ......... .........")
	planes := p.Planes()
	var want *tsumego.Solution
	var first board.Point
	var s tsumego.Solver
	for sym := range board.NumSymmetries {
		for swap := range 2 {
			var pieces []board.Piece
			if swap == 1 {
				pieces = []board.Piece{2, 1}
			}
			setup := game.NewSetup(p.Rules())
			setup.Board = planes.Transform(sym, pieces)
			turned, err := p.Rules().Arrange(setup)
			if err != nil {
				t.Fatal(err)
			}
			q, err := tsumego.Find{}.In(turned.(*weiqi.Position), game.Side(swap))
			if err != nil {
				t.Fatal(err)
			}
			x, err := s.Solve(t.Context(), &q, tsumego.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				if want = x; len(x.Moves) == 0 || x.Outcome == tsumego.Unknown {
					t.Fatalf("not solved: %v %v", x.Outcome, x.Moves)
				}
				first = x.Moves[0].To()
			}
			if x.Outcome != want.Outcome || x.Nodes != want.Nodes || len(x.Moves) != 1 || x.Moves[0] != game.Drop(sym.Apply(planes.Size, first)) {
				t.Errorf("%v, colours exchanged %d: %v %v after %d nodes, want %v %v after %d", sym, swap, x.Outcome, x.Moves, x.Nodes, want.Outcome, want.Moves, want.Nodes)
			}
		}
	}
}

func TestFindRefuses(t *testing.T) {
	for _, text := range []string{
		"......... ......... ......... ......... ......... ......... ......... ......... .........",
		"......... ..X...... ......... ......... ....O.... ......... ......... ......... .........",
		"XX....... ......... ......... ......... ......... ......... ......... ......... .........",
	} {
		if q, err := (tsumego.Find{}).In(read(t, text), weiqi.Black); !errors.Is(err, tsumego.ErrOpen) {
			t.Errorf("%s: %v, target %v; want ErrOpen", text, err, q.Target.First())
		}
	}
	p := read(t, "XO.. .... .... ....")
	for _, f := range []tsumego.Find{
		{Target: plane(board.At(2, 0))},
		{Target: plane(board.At(0, 0), board.At(1, 0))},
		{Zone: plane(board.At(2, 0))},
	} {
		if _, err := f.In(p, weiqi.Black); err == nil {
			t.Errorf("%+v was not refused", f)
		}
	}
}

// TestTooLarge: a zone that the board of the search cannot hold is refused.
func TestTooLarge(t *testing.T) {
	rows := strings.Repeat("XXXXXXXXXXXXX ", 12) + "X...........O"
	p := read(t, rows)
	q := tsumego.Problem{Position: p, Side: weiqi.Black, Target: plane(board.At(0, 0)), Zone: p.Planes().Size.Full()}
	var s tsumego.Solver
	if _, err := s.Solve(t.Context(), &q, tsumego.Options{}); err == nil || !strings.Contains(err.Error(), "169 points") {
		t.Errorf("error %v", err)
	}
}

func plane(points ...board.Point) (set board.Plane) {
	for _, at := range points {
		set.Add(at)
	}
	return set
}

func TestCancel(t *testing.T) {
	p := read(t, "......O.. .XXXX.O.. OOOOXXO.. ...OOOO.. ......... ......... ......... ......... .........")
	q, err := tsumego.Find{}.In(p, weiqi.Black)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var s tsumego.Solver
	if x, err := s.Solve(ctx, &q, tsumego.Options{}); !errors.Is(err, context.Canceled) || x.Outcome != tsumego.Unknown {
		t.Errorf("outcome %v, error %v", x.Outcome, err)
	}
}

func TestParseJSON(t *testing.T) {
	z, err := tsumego.ParseJSON([]byte(`{"AB": ["aa", "ba"], "AW": ["ca"], "SZ": "9", "C": "White to play: hard", "SOL": [["W", "ab", "", ""], ["W"]]}`))
	if err != nil {
		t.Fatal(err)
	}
	if z.First != weiqi.White || z.Position.Turn() != weiqi.White || len(z.Answers) != 1 || z.Answers[0] != board.At(0, 1) || z.Position.Planes().Size.W != 9 {
		t.Errorf("read %+v", z)
	}
	for _, text := range []string{``, `{}`, `{"AB": ["a"]}`, `{"AB": ["tt"]}`, `{"AB": ["aa"], "SZ": "99"}`, `{"AB": ["aa"], "AW": ["ab", "ba"]}`, `{"AB": ["aa"], "SZ": "x"}`} {
		if _, err := tsumego.ParseJSON([]byte(text)); err == nil || !strings.HasPrefix(err.Error(), "tsumego: ") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// FuzzSolve: no board brings the package down, and all cut-offs find the same
// outcome where they find one.
func FuzzSolve(f *testing.F) {
	f.Add(uint8(9), uint8(9), []byte{0x11, 0x22, 0x12, 0, 0x40}, false)
	f.Add(uint8(1), uint8(7), []byte{0x12}, true)
	f.Add(uint8(25), uint8(2), []byte{0x66, 0x99}, false)
	f.Fuzz(func(t *testing.T, w, h uint8, stones []byte, white bool) {
		size := board.Size{W: 1 + int(w)%25, H: 1 + int(h)%25}
		rules, err := weiqi.New(weiqi.Options{Size: size})
		if err != nil {
			t.Fatal(err)
		}
		setup := game.NewSetup(rules)
		for i := range size.Area() {
			if i/4 < len(stones) {
				if piece := stones[i/4] >> (i % 4 * 2) & 3; piece < 3 {
					setup.Board.Put(size.Point(i), board.Piece(piece))
				}
			}
		}
		p, err := rules.Arrange(setup)
		if err != nil {
			t.Skip("no position can have these stones")
		}
		first := weiqi.Black
		if white {
			first = weiqi.White
		}
		finds := []tsumego.Find{{}}
		if occupied := setup.Board.Occupied(); !occupied.Empty() && size.Area() <= 50 {
			finds = append(finds, tsumego.Find{Target: plane(occupied.First()), Zone: size.Full(), Most: 50})
		}
		var s tsumego.Solver
		for _, find := range finds {
			q, err := find.In(p.(*weiqi.Position), first)
			if err != nil {
				continue
			}
			known := tsumego.Unknown
			for cut := tsumego.CutNone; cut <= tsumego.CutAll; cut++ {
				x, err := s.Solve(t.Context(), &q, tsumego.Options{Cut: cut, Nodes: 300})
				if err != nil {
					break
				}
				got := x.Outcome
				if got == tsumego.Seki {
					got = tsumego.Alive // eyes may be left open
				}
				if got == tsumego.Unknown {
					continue
				}
				if known != tsumego.Unknown && known != got {
					t.Fatalf("%s: %v and %v", game.FormatPosition(rules, p), known, got)
				}
				known = got
			}
		}
	})
}

func ExampleSolver() {
	rules, _ := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}})
	p, _ := game.ParsePosition(rules, "9/9/9/9/9/6OO1/OOOOOO3/XXXXXO3/5O3 O")
	q, err := tsumego.Find{}.In(p.(*weiqi.Position), weiqi.White)
	if err != nil {
		fmt.Println(err)
		return
	}
	var s tsumego.Solver
	x, err := s.Solve(context.Background(), &q, tsumego.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Outcome, game.FormatMove(rules, p, x.Moves[0], game.AnyNotation))
	// Output:
	// dead E1
}
