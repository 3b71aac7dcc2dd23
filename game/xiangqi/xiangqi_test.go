package xiangqi_test

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

func TestLaws(t *testing.T) { gametest.Run(t, xiangqi.Standard, gametest.Options{}) }

// The rule sets differ in verdicts alone: fewer games will do.
func TestLawsOfVariants(t *testing.T) {
	for _, r := range []*xiangqi.Rules{xiangqi.CheckOnly, xiangqi.Free} {
		t.Run(r.Info().Variant, func(t *testing.T) { gametest.Run(t, r, gametest.Options{Games: 3, Seed: 1}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, xiangqi.Standard, "testdata/perft.txt") }

func TestPlay(t *testing.T) { gametest.Playthrough(t, xiangqi.Standard, "testdata/play.txt") }

// position reads a position text with moves.
func position(t testing.TB, text string) game.Position {
	t.Helper()
	p, err := game.ParsePosition(xiangqi.Standard, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestRepetition runs a script whose steps are
//
//	cycle [times=I] [variant=SPEC]     or     end [variant=SPEC]
//	a position
//	moves
//	----
//	the verdict at the end
//
// A cycle leads back to its position; it is played twice unless told, and no
// verdict may be given before its last move.
func TestRepetition(t *testing.T) {
	testkit.Script(t, "testdata/repetition.txt", func(t *testing.T, c testkit.Command) string {
		r, err := xiangqi.Standard.Variant(cmp.Or(c.Named["variant"], "asian"))
		if err != nil {
			t.Fatal(err)
		}
		text, moves, _ := strings.Cut(c.Input, "\n")
		p, err := game.ParsePosition(r, text)
		if err != nil {
			return err.Error()
		}
		start := p.Hash()
		if c.Name == "cycle" && c.Named["times"] == "" {
			moves += " " + moves
		}
		for _, text := range strings.Fields(moves) {
			if o := p.Outcome(); o.Over() {
				return "early: " + o.Describe(r.Info()) + " before " + text
			}
			if _, err := game.ParseMoves(r, p, text); err != nil {
				return err.Error()
			}
		}
		if c.Name == "cycle" && p.Hash() != start {
			return "the moves do not lead back"
		}
		return verdict(r, p)
	})
}

func verdict(r game.Rules, p game.Position) string {
	o := p.Outcome()
	text := o.Describe(r.Info())
	if o.Claim {
		text += ", by claim"
	}
	return text
}

// TestRepetitionKeepsPosition checks that judging leaves no trace.
func TestRepetitionKeepsPosition(t *testing.T) {
	p := position(t, "5k3/9/9/6n2/9/R8/9/9/9/3K5 w moves a4a6 g6h4 a6a4 h4g6 a4a6 g6h4 a6a4 h4g6")
	before, hash := game.FormatPosition(xiangqi.Standard, p), p.Hash()
	first := p.Outcome()
	if !first.Over() || p.Outcome() != first {
		t.Errorf("verdicts %+v and %+v", first, p.Outcome())
	}
	if after := game.FormatPosition(xiangqi.Standard, p); after != before || p.Hash() != hash {
		t.Errorf("judging changed %s to %s", before, after)
	}
	for range 8 {
		p.Undo()
	}
	if o := p.Outcome(); o.Over() {
		t.Errorf("the start of the cycle: %+v", o)
	}
}

func TestIllegalReasons(t *testing.T) {
	const (
		start = "start"
		pin   = "4k4/4r4/9/9/9/9/9/4R4/9/4K4 w"
	)
	for _, c := range []struct {
		position string
		from, to board.Point
		want     error
	}{
		{start, board.At(4, 4), board.At(4, 3), xiangqi.ErrNoPiece},
		{start, board.At(0, 0), board.At(0, 1), xiangqi.ErrNotYours},
		{start, board.At(0, 9), board.At(1, 9), xiangqi.ErrOwnPiece},
		{start, board.At(0, 9), board.At(1, 8), xiangqi.ErrNotItsMove},
		{start, board.At(0, 9), board.At(0, 3), xiangqi.ErrBlocked},
		{start, board.At(1, 9), board.At(3, 8), xiangqi.ErrLeg},
		{start, board.At(1, 7), board.At(1, 2), xiangqi.ErrScreen},
		{start, board.At(0, 6), board.At(1, 6), xiangqi.ErrUncrossed},
		{start, board.At(0, 6), board.At(0, 7), xiangqi.ErrBackward},
		{start, board.At(0, 6), board.At(0, 4), xiangqi.ErrNotItsMove},
		{start, board.At(3, 9), board.At(2, 8), xiangqi.ErrPalace},
		{start, board.At(9, 9), board.At(2, 8), game.ErrOffBoard},
		{"4k4/9/9/9/9/2B6/9/9/9/3K5 w", board.At(2, 5), board.At(4, 3), xiangqi.ErrRiver},
		{"4k4/9/9/9/9/2B6/9/9/9/3K5 w", board.At(2, 5), board.At(4, 7), nil},
		{"4k4/9/9/9/9/2B6/3R5/9/9/3K5 w", board.At(2, 5), board.At(4, 7), xiangqi.ErrEye},
		{"4k4/9/9/9/9/9/9/9/9/3K5 w", board.At(3, 9), board.At(4, 9), xiangqi.ErrFacing},
		{"4k4/9/9/9/9/9/9/9/9/3K5 w", board.At(3, 9), board.At(2, 9), xiangqi.ErrPalace},
		{pin, board.At(4, 7), board.At(3, 7), xiangqi.ErrExposed},
		{pin, board.At(4, 7), board.At(4, 6), nil},
		{"4k4/9/9/4r4/9/9/9/9/R8/4K4 w", board.At(0, 8), board.At(0, 7), xiangqi.ErrInCheck},
		{"4k4/9/9/4r4/9/9/9/9/R8/4K4 w", board.At(0, 8), board.At(4, 8), nil},
	} {
		p := position(t, c.position)
		if err := p.Play(game.Step(c.from, c.to)); err != c.want {
			t.Errorf("%s: %v to %v: %v, want %v", c.position, c.from, c.to, err, c.want)
		}
	}
	p := position(t, start)
	if err := p.Play(game.Pass); err != game.ErrNoPass {
		t.Errorf("pass: %v", err)
	}
	if err := p.Play(game.Drop(0)); err != xiangqi.ErrNotStep {
		t.Errorf("drop: %v", err)
	}
}

func TestArrangeRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"4k4/9/9/9/9/9/9/9/9/9 w", "red has 0 kings, want 1"},
		{"3kk4/9/9/9/9/9/9/9/9/3K5 w", "black has 2 kings, want 1"},
		{"4k4/9/9/9/9/9/9/9/2K6/9 w", "a red king cannot stand on c1"},
		{"4k4/9/9/9/9/9/9/9/9/4K4 w", "the kings face each other on file e"},
		{"4k4/9/9/9/9/9/9/9/4R4/3K5 w", "the king of black on e9 is in check, but red is to move"},
		{"4k4/9/9/9/9/9/9/9/A8/3K5 w", "a red advisor cannot stand on a1"},
		{"4k4/9/b8/9/2B6/9/9/9/9/3K5 w", "a red elephant cannot stand on c5"},
		{"4k4/9/9/9/9/9/1P7/9/9/3K5 w", "a red soldier cannot stand on b3"},
		{"4k4/9/p8/9/9/9/9/9/9/3K5 w", "a black soldier cannot stand on a7"},
		{"4k4/9/9/9/9/9/RRRRRR3/9/9/3K5 w", "6 times red chariot, want at most 5"},
		{"4k4/9/9/9/RRRRR4/NNNNN4/CCCCC4/9/9/A2K1A3 w", "a red advisor cannot stand on a0"},
		{"4k4/9/9/9/RRRRR4/NNNNN4/CCCCC4/9/9/3AKA3 w", "red has more than 16 pieces"},
	} {
		_, err := game.ParsePosition(xiangqi.Standard, c.text)
		if err == nil || err.Error() != "xiangqi: "+c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	s := game.NewSetup(xiangqi.Standard)
	s.Turn = 2
	if _, err := xiangqi.Standard.Arrange(s); err == nil {
		t.Error("a third side was accepted")
	}
	s.Board = board.NewPlanes(board.Size{W: 9, H: 9}, 14)
	if _, err := xiangqi.Standard.Arrange(s); err == nil {
		t.Error("a board of 9x9 was accepted")
	}
	s = game.NewSetup(xiangqi.Standard)
	s.Board.Of[xiangqi.RedKing-1].Add(board.At(4, 9))
	s.Board.Of[xiangqi.RedAdvisor-1].Add(board.At(4, 9))
	if _, err := xiangqi.Standard.Arrange(s); err == nil {
		t.Error("two pieces on a point were accepted")
	}
}

// TestArrangeAccepts holds positions that no game leads to but that puzzles
// and tests of other programs use.
func TestArrangeAccepts(t *testing.T) {
	for _, text := range []string{
		"4k4/9/9/9/9/9/9/RRR6/9/3K5 w",                // a third chariot
		"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/9/9/9/4K4 r", // other letters
		"3k5/9/9/9/9/9/9/9/9/4K4 b - - 12 40",         // bare kings
		"4k4/9/9/9/4PP3/9/9/9/9/3K5 w",                // soldiers side by side beyond the river
		"4k4/9/9/9/9/9/9/9/4p4/3K1p3 b",               // soldiers on the last ranks
		"2bakab2/9/9/9/9/9/9/9/9/2BA1AB2 b",           // refused: no red king
	} {
		_, err := game.ParsePosition(xiangqi.Standard, text)
		if refused := strings.Contains(text, "2BA1AB2"); (err != nil) != refused {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestClocks(t *testing.T) {
	p := position(t, "start moves h2e2 h9g7 e2e6")
	if got, want := game.FormatPosition(xiangqi.Standard, p), "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	p = position(t, "3k5/9/9/9/9/9/9/9/9/4K4 b - - 12 40 moves d9d8")
	if got, want := game.FormatPosition(xiangqi.Standard, p), "9/3k5/9/9/9/9/9/9/9/4K4 w - - 13 41"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestVariants(t *testing.T) {
	for spec, want := range map[string]*xiangqi.Rules{
		"asian": xiangqi.Standard, "Check-Only": xiangqi.CheckOnly, "free": xiangqi.Free,
	} {
		if got, err := xiangqi.CheckOnly.Variant(spec); err != nil || got != want {
			t.Errorf("%s: %v, %v", spec, got, err)
		}
	}
	if _, err := xiangqi.Standard.Variant("9x9"); err == nil {
		t.Error("variant 9x9 was accepted")
	}
	if p := xiangqi.Free.Start().(*xiangqi.Position); p.Rules() != xiangqi.Free {
		t.Error("a position forgot its rules")
	}
}

func TestGeometry(t *testing.T) {
	g := xiangqi.Standard.Geometry()
	if len(g.Lines) != 10+2+7*2+4 || len(g.Ticks) != 4+10 || len(g.Pieces) != 14 {
		t.Errorf("%d lines, %d ticks, %d pieces", len(g.Lines), len(g.Ticks), len(g.Pieces))
	}
	// Inner files stop at the river.
	for _, l := range g.Lines {
		if l.From.X == l.To.X && l.From.X != 0 && l.From.X != 8 && l.From.Y < 4.5 && l.To.Y > 4.5 {
			t.Errorf("line %v crosses the river", l)
		}
	}
	if got := strings.Join(g.Labels.Bottom, ""); got != "九八七六五四三二一" {
		t.Error(got)
	}
}

func TestUndoTooFar(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Undo at the start did not panic")
		}
	}()
	xiangqi.Standard.Start().Undo()
}

// TestAllocations covers what the kit does not: verdicts, planes, texts and
// refusals.
func TestAllocations(t *testing.T) {
	r := xiangqi.Standard
	p := position(t, "5k3/9/9/6n2/9/R8/9/9/9/3K5 w moves a4a6 g6h4 a6a4 h4g6 a4a6 g6h4 a6a4 h4g6")
	if o := p.Outcome(); o.Reason != game.ByPerpetualChase {
		t.Fatal(o)
	}
	buf := make([]byte, 0, 64)
	for name, f := range map[string]func(){
		"Outcome": func() { p.Outcome() },
		"Planes": func() {
			p.(game.Planar).Planes()
			if p.Play(game.Step(board.At(0, 5), board.At(0, 4))) != nil {
				t.Fatal("refused")
			}
			p.(game.Planar).Planes()
			p.Undo()
		},
		"refusal": func() {
			if err := p.Play(game.Pass); !errors.Is(err, game.ErrIllegal) {
				t.Error(err)
			}
		},
		"text": func() {
			for _, text := range []string{"a4a5", "a5a6", "R9+1", "車九進一", "車五進一", "what"} {
				if m, err := r.ParseMove(p, text, game.AnyNotation); err == nil {
					for _, n := range r.Info().Notations {
						buf = r.AppendMove(buf[:0], p, m, n.Name)
					}
				}
			}
		},
	} {
		f()
		if n := testing.AllocsPerRun(10, f); n > 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
