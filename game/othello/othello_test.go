package othello

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/internal/testkit"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, Standard, gametest.Options{Games: testkit.Scale(30, 1000)})
	for _, spec := range []string{"4x4", "6x6", "10x10", "4x8", "24x24"} {
		r, err := Standard.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) { gametest.Run(t, r, gametest.Options{Games: testkit.Scale(4, 50)}) })
	}
}

func TestPerft(t *testing.T) { gametest.Perft(t, Standard, "testdata/perft.txt") }

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, Standard, "testdata/play.txt") }

// TestWideAgrees plays the same games on both implementations of 8x8.
func TestWideAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range testkit.Scale(100, 5000) {
		p := Standard.Start().(*Position)
		w := newWide(game.SetupOf(p))
		for {
			moves := p.AppendMoves(nil)
			if other := w.AppendMoves(nil); !slices.Equal(moves, other) {
				t.Fatalf("moves %v and %v in %s", moves, other, game.FormatPosition(Standard, p))
			}
			if !p.Planes().Equal(w.Planes()) || p.Outcome() != w.Outcome() {
				t.Fatalf("boards differ: %s and %s", game.FormatPosition(Standard, p), game.FormatPosition(Standard, w))
			}
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if p.Play(m) != nil || w.Play(m) != nil {
				t.Fatalf("move %v refused", m)
			}
		}
	}
}

// TestUniquePositions counts the positions after n moves up to symmetry,
// published by the Edax and Egaroucid projects. Passes are no moves.
func TestUniquePositions(t *testing.T) {
	want := []int{1, 3, 14, 60, 322, 1773, 10649, 67245, 434029}
	want = want[:testkit.Scale(7, len(want))]
	level := map[string]game.Setup{}
	start := game.SetupOf(Standard.Start())
	level[canonical(start)] = start
	for n, count := range want {
		next := map[string]game.Setup{}
		for _, s := range level {
			p, _ := Standard.Arrange(s)
			for _, m := range p.AppendMoves(nil) {
				if err := p.Play(m); err != nil {
					t.Fatal(err)
				}
				after := game.SetupOf(p)
				if q := p.AppendMoves(nil); len(q) == 1 && q[0] == game.Pass {
					after.Turn ^= 1 // a position is told by who can move
				}
				next[canonical(after)] = after
				p.Undo()
			}
		}
		if len(next) != count {
			t.Fatalf("%d positions after %d moves, want %d", len(next), n+1, count)
		}
		level = next
	}
}

func canonical(s game.Setup) string {
	least := ""
	for _, sym := range game.BoardSymmetries(s.Board.Size) {
		text := string(game.AppendSetup(nil, Standard, s.Transform(Standard, sym)))
		if least == "" || text < least {
			least = text
		}
	}
	return least
}

// TestSolveSmall solves Othello on 4x4: with best play White wins 11 to 3, and
// the two empty squares count for the winner.
func TestSolveSmall(t *testing.T) {
	r, err := New(board.Size{W: 4, H: 4})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Start()
	var solve func(alpha, beta int) int
	solve = func(alpha, beta int) int {
		moves := p.AppendMoves(nil)
		if len(moves) == 0 {
			o := p.Outcome()
			if o.State == game.Won && o.Winner != p.Turn() {
				return -o.Margin / 2
			}
			return o.Margin / 2
		}
		for _, m := range moves {
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			v := -solve(-beta, -alpha)
			p.Undo()
			if alpha = max(alpha, v); alpha >= beta {
				break
			}
		}
		return alpha
	}
	if v := solve(-17, 17); v != -10 {
		t.Errorf("4x4 is worth %d for Black, want -10", v)
	}
}

func TestParseMove(t *testing.T) {
	p := Standard.Start()
	for _, c := range []struct {
		text string
		want error
	}{
		{"f5", nil}, {"F5", nil}, {"d3", nil},
		{"e5", game.ErrOccupied}, {"a1", errNoFlip}, {"pa", game.ErrNoPass}, {"PASS", game.ErrNoPass},
		{"h9", game.ErrOffBoard}, {"i1", game.ErrOffBoard}, {"z9", game.ErrSyntax}, {"f0", game.ErrSyntax}, {"f05", game.ErrSyntax},
		{"PA", game.ErrNoPass}, {"Pa", game.ErrNoPass}, {"pA", game.ErrNoPass}, {"--", game.ErrNoPass},
		{"a:", game.ErrSyntax}, {"dA", game.ErrSyntax}, {"a1:", game.ErrSyntax},
		{"", game.ErrSyntax}, {"f", game.ErrSyntax}, {"5f", game.ErrSyntax}, {"f5x", game.ErrSyntax}, {"résumé", game.ErrSyntax},
	} {
		_, err := Standard.ParseMove(p, c.text, game.AnyNotation)
		if !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.text, err, c.want)
		}
	}
}

// TestTranscript reads a game with passes left out and writes it back.
func TestTranscript(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	passes := 0
	for range 200 {
		p := Standard.Start()
		var played []game.Move
		for {
			moves := p.AppendMoves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			if m == game.Pass {
				passes++
			}
			played = append(played, m)
			_ = p.Play(m)
		}
		text := string(AppendTranscript(nil, played))
		q := Standard.Start()
		got, err := game.ParseMoves(Standard, q, strings.ToUpper(text))
		if err != nil || q.Hash() != p.Hash() {
			t.Fatalf("%s: %v", text, err)
		}
		// A pass at the very end is not visible in a transcript, but a game
		// never ends with one: the mover could move or the game was over.
		if !slices.Equal(got, played) {
			t.Fatalf("%s reads back as %v", text, got)
		}
	}
	if passes == 0 {
		t.Error("no game with a pass was tried")
	}
}

func TestSizes(t *testing.T) {
	for _, spec := range []string{"7x7", "2x2", "8x5", "26x26", "x"} {
		if _, err := Standard.Variant(spec); err == nil {
			t.Errorf("size %q accepted", spec)
		}
	}
}

// perftConcrete is game.Perft written for this type: what the interface costs
// is measured against it.
func perftConcrete(p *Position, depth int, stack []game.Move) uint64 {
	if depth == 1 {
		return max(1, uint64(p.CountMoves()))
	}
	base := len(stack)
	stack = p.AppendMoves(stack)
	n := uint64(0)
	for _, m := range stack[base:] {
		if p.Play(m) != nil {
			panic("listed move refused")
		}
		n += perftConcrete(p, depth-1, stack)
		p.Undo()
	}
	return n
}

func BenchmarkPerft(b *testing.B) {
	const depth = 8
	report := func(b *testing.B, leaves uint64) {
		b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
	}
	b.Run("interface", func(b *testing.B) {
		b.ReportAllocs()
		p, n := Standard.Start(), uint64(0)
		for b.Loop() {
			n += game.Perft(p, depth, game.PerftOptions{KeepEnded: true})
		}
		report(b, n)
	})
	b.Run("concrete", func(b *testing.B) {
		b.ReportAllocs()
		p, n := Standard.Start().(*Position), uint64(0)
		stack := make([]game.Move, 0, 1024)
		for b.Loop() {
			n += perftConcrete(p, depth, stack)
		}
		report(b, n)
	})
}
