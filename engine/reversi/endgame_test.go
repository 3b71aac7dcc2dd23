package reversi

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"qipu/engine"
	"qipu/game"
	"qipu/game/othello"
	"qipu/internal/testkit"
)

// ffo are the positions 40 to 49 of the test of the French federation, with the
// value for the side to move and all best moves.
var ffo = []struct {
	board string
	score int
	best  string
}{
	{"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, "a2"},
	{"-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, "h4"},
	{"--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, "g2"},
	{"--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, "c7 g3"},
	{"--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, "d2 b8"},
	{"---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", 6, "b2"},
	{"---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", -8, "b3"},
	{"-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", 4, "g2"},
	{"-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", 28, "f6"},
	{"--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", 16, "e1"},
}

// setup reads 64 squares and the side to move.
func setup(t testing.TB, board string) *game.Setup {
	t.Helper()
	var rows []string
	for i := 0; i < 64; i += 8 {
		rows = append(rows, board[i:i+8])
	}
	text := strings.Join(rows, "/")
	for n := 8; n > 0; n-- {
		text = strings.ReplaceAll(text, strings.Repeat("-", n), strconv.Itoa(n))
	}
	s, err := game.ParseSetup(othello.Standard, text+board[64:])
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

// position makes a position of two words; Black is to move.
func position(t testing.TB, own, opp uint64) *othello.Position {
	t.Helper()
	board := []byte(strings.Repeat("-", 64) + " X")
	for s := range 64 {
		if own>>s&1 != 0 {
			board[s] = 'X'
		} else if opp>>s&1 != 0 {
			board[s] = 'O'
		}
	}
	p, err := othello.Standard.Arrange(*setup(t, string(board)))
	if err != nil {
		t.Fatal(err)
	}
	return p.(*othello.Position)
}

// minimax is what all of the solver is held against: alpha-beta without
// anything else.
func minimax(own, opp uint64, alpha, beta int) int {
	moves := movable(own, opp)
	if moves == 0 {
		if movable(opp, own) == 0 {
			return finish(own, opp)
		}
		return -minimax(opp, own, -beta, -alpha)
	}
	best := lost
	for ; moves != 0 && best < beta; moves &= moves - 1 {
		s := uint(bits.TrailingZeros64(moves))
		x, y := play(own, opp, flips(own, opp, s), s)
		best = max(best, -minimax(x, y, -beta, -max(alpha, best)))
	}
	return best
}

func testWorker(bytes int64) *worker {
	return newWorker(newTable(bytes), &shared{ctx: context.Background(), threads: 1}, 0)
}

// TestWindows searches few empty squares with every window and holds the bounds
// against minimax.
func TestWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	w := testWorker(1 << 20)
	for n := 1; n <= 9; n++ {
		for range testkit.Scale(30, 300) {
			own, opp := wander(r, n)
			want := minimax(own, opp, -64, 64)
			w.feat[n].Set(own, opp)
			moves, odd := movable(own, opp), oddQuarters(^(own | opp))
			for alpha := -64; alpha < 64; alpha++ {
				got := w.exact(own, opp, alpha, alpha+1, n, moves, odd, certain)
				if want > alpha && (got <= alpha || got > want) || want <= alpha && (got > alpha || got < want) {
					t.Fatalf("%x %x, %d empty, alpha %d: %d, the value is %d", own, opp, n, alpha, got, want)
				}
			}
			if got := w.exact(own, opp, -64, 64, n, moves, odd, certain); got != want {
				t.Fatalf("%x %x, %d empty: %d, want %d", own, opp, n, got, want)
			}
		}
	}
}

// TestMinimax solves more empty squares with a small table, so that entries
// throw each other out.
func TestMinimax(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	e := New(engine.Options{Hash: 1 << 16})
	defer e.Close()
	for n := 10; n <= testkit.Scale(11, 13); n++ {
		for range testkit.Scale(6, 40) {
			own, opp := wander(r, n)
			want := minimax(own, opp, -64, 64)
			s, err := e.Solve(t.Context(), position(t, own, opp), SolveOptions{}, nil)
			if err != nil || s.Value != want || !s.Exact {
				t.Fatalf("%x %x: %+v, %v, want %d", own, opp, s, err, want)
			}
		}
	}
}

func TestFFO(t *testing.T) {
	e := New(engine.Options{Hash: 256 << 20})
	defer e.Close()
	for i := range ffo[:testkit.Scale(3, len(ffo))] {
		p, err := othello.Standard.Arrange(*setup(t, ffo[i].board))
		if err != nil {
			t.Fatal(err)
		}
		s, err := e.Solve(t.Context(), p.(*othello.Position), SolveOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		best := string(othello.Standard.AppendMove(nil, nil, s.Moves[0].Move, game.AnyNotation))
		t.Logf("%d: %+d %s, %.1f million nodes, %.2f s", 40+i, s.Value, best, float64(s.Nodes)/1e6, s.Elapsed.Seconds())
		if s.Value != ffo[i].score || !s.Exact || !strings.Contains(ffo[i].best, best) {
			t.Errorf("position %d: %+d %s, want %+d %s", 40+i, s.Value, best, ffo[i].score, ffo[i].best)
		}
	}
}

// TestTheory solves positions of recorded games with 24 empty squares, whose
// values their database knows.
func TestTheory(t *testing.T) {
	if !testkit.Full() {
		t.Skip("takes minutes: QIPU_SCALE=full")
	}
	list := theoretical(t)
	r := rand.New(rand.NewPCG(24, 24))
	e := New(engine.Options{Hash: 256 << 20})
	defer e.Close()
	spent, nodes := time.Duration(0), int64(0)
	for range 200 {
		x := list[r.IntN(len(list))]
		s, err := e.Solve(t.Context(), x.position, SolveOptions{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if s.Value != x.value {
			t.Errorf("%s: %+d, the database says %+d", game.FormatPosition(othello.Standard, x.position), s.Value, x.value)
		}
		spent += s.Elapsed
		nodes += s.Nodes
	}
	t.Logf("200 positions, %.2f s and %.1f million nodes each", spent.Seconds()/200, float64(nodes)/200e6)
}

type theory struct {
	position *othello.Position
	value    int // for the side to move
}

// theoretical reads the positions with 24 empty squares of all games: records of
// 68 bytes behind a header of 16.
func theoretical(t *testing.T) (list []theory) {
	t.Helper()
	for name, data := range testkit.Files(t, "othello/wthor.tar.gz") {
		if !strings.HasSuffix(strings.ToLower(name), ".wtb") {
			continue
		}
		games := bytes.Clone(data[16:])
		for range binary.LittleEndian.Uint32(data[4:]) {
			if x, ok := theoryOf(games[:68]); ok {
				list = append(list, x)
			}
			games = games[68:]
		}
	}
	return list
}

func theoryOf(g []byte) (theory, bool) {
	p := othello.Standard.Start().(*othello.Position)
	for _, m := range g[8:44] {
		if p.Legal() == 0 {
			if p.Play(game.Pass) != nil {
				return theory{}, false
			}
		}
		if m == 0 || p.Play(move((m/10-1)*8+m%10-1)) != nil {
			return theory{}, false
		}
	}
	value := 2*int(g[7]) - 64
	if p.Turn() == 1 {
		value = -value
	}
	return theory{p, value}, true
}

// FuzzSolve states two laws: the value is that of minimax, and it is the same
// for the board turned and mirrored.
func FuzzSolve(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed+3))
	}
	w := testWorker(1 << 18)
	f.Fuzz(func(t *testing.T, seed uint64, n uint8) {
		own, opp := wander(rand.New(rand.NewPCG(seed, 7)), 1+int(n)%10)
		empty := ^(own | opp)
		want := minimax(own, opp, -64, 64)
		for s := range 8 {
			var a, b uint64
			for sq := range 64 {
				to := sq ^ 7*(s&1) ^ 56*(s>>1&1)
				if s&4 != 0 {
					to = to&7<<3 | to>>3
				}
				a |= own >> sq & 1 << to
				b |= opp >> sq & 1 << to
			}
			k := bits.OnesCount64(empty)
			w.feat[k].Set(a, b)
			if got := w.exact(a, b, -64, 64, k, movable(a, b), oddQuarters(^(a | b)), certain); got != want {
				t.Fatalf("%x %x under symmetry %d: %d, want %d", own, opp, s, got, want)
			}
		}
	})
}
