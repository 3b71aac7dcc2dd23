package exact_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"qipu/board"
	"qipu/engine/exact"
	"qipu/game"
	"qipu/game/connect4"
	"qipu/game/hex"
	"qipu/game/kalah"
	"qipu/game/nim"
	"qipu/game/othello"
	"qipu/game/tictactoe"
	"qipu/game/weiqi"
	"qipu/game/xiangqi"
	"qipu/internal/testkit"
)

func variant(t testing.TB, r game.Varied, spec string) game.Rules {
	t.Helper()
	v, err := r.Variant(spec)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func solve(t testing.TB, r game.Rules, p game.Position) *exact.Answer {
	t.Helper()
	a, err := exact.Solve(context.Background(), r, p, exact.Limits{Memory: int64(testkit.Scale(8, 512)) << 20})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestKalah holds the margins of the side that begins against those of an independent
// program.
func TestKalah(t *testing.T) {
	for _, c := range []struct {
		houses int
		want   []int
		few    int // as many at the scale of every day
	}{
		{3, []int{0, 4, 2, 2, 6, -8}, 6},
		{4, []int{2, 6, 6, 2, 4}, 4},
		{6, []int{2, 6, 2}, 2},
	} {
		for i, want := range c.want[:testkit.Scale(c.few, len(c.want))] {
			r := variant(t, kalah.Rules{}, fmt.Sprintf("houses=%d,seeds=%d", c.houses, i+1))
			a := solve(t, r, r.Start())
			if a.Value != want {
				t.Errorf("kalah(%d,%d): %+d, want %+d", c.houses, i+1, a.Value, want)
			}
			t.Logf("kalah(%d,%d): %+d, %d positions", c.houses, i+1, a.Value, a.Nodes)
		}
	}
}

// TestGo holds the margins of Black on small boards: up to five points they are those of
// an independent program, which did not come to an end on the others.
func TestGo(t *testing.T) {
	boards := []struct {
		size string
		want int
	}{{"1x1", 0}, {"2x1", 0}, {"3x1", 3}, {"4x1", 4}, {"2x2", 1}, {"5x1", 0}, {"6x1", 1}, {"3x2", 0}}
	for _, b := range boards {
		r := variant(t, weiqi.Standard, b.size)
		a := solve(t, r, r.Start())
		if a.Value != b.want {
			t.Errorf("go %s: %+d, want %+d", b.size, a.Value, b.want)
		}
		t.Logf("go %s: %+d, %d positions, %d known from before", b.size, a.Value, a.Nodes, a.Hits)
	}
}

// plain reads Go by the rules of the game itself, with no memory but of positions that
// were reached with all the same boards before them.
type plain struct {
	p     game.Position
	at    map[string]int // boards by number
	known map[plainKey][2]int
	left  int64
}

type plainKey struct {
	board  string
	turn   game.Side
	pass   bool
	before uint64
}

// value returns what the side to move gets, as far as it lies between the bounds.
func (s *plain) value(pass bool, before uint64, low, high int) int {
	if s.left--; s.left < 0 {
		return 0
	}
	if o := s.p.Outcome(); o.Over() {
		v := o.Margin / 2
		if o.Winner != s.p.Turn() {
			v = -v
		}
		return v
	}
	var text []byte
	for q := range s.p.(game.Planar).Planes().Size.Points() {
		text = append(text, byte(s.p.(game.Planar).Planes().At(q)))
	}
	n, ok := s.at[string(text)]
	if !ok {
		n = len(s.at)
		s.at[string(text)] = n
	}
	before |= 1 << n
	key := plainKey{string(text), s.p.Turn(), pass, before}
	known, ok := s.known[key]
	if !ok {
		known = [2]int{-100, 100}
	}
	if known[0] >= high || known[0] == known[1] {
		return known[0]
	}
	if known[1] <= low {
		return known[1]
	}
	best, moves := -100, s.p.AppendMoves(nil)
	slices.SortStableFunc(moves, func(a, b game.Move) int { // a pass first: games are short then
		return cmp.Compare(boolInt(b == game.Pass), boolInt(a == game.Pass))
	})
	for _, m := range moves {
		if err := s.p.Play(m); err != nil {
			panic(err)
		}
		best = max(best, -s.value(m == game.Pass, before, -high, -max(low, best)))
		s.p.Undo()
		if s.left < 0 {
			return 0
		}
		if best >= high {
			break
		}
	}
	switch {
	case best >= high:
		known[0] = max(known[0], best)
	case best <= low:
		known[1] = min(known[1], best)
	default:
		known = [2]int{best, best}
	}
	s.known[key] = known
	return best
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestHistory holds all arrangements of boards up to four points, with either side to
// move, against a plain search, as far as that comes to an end.
func TestHistory(t *testing.T) {
	most := int64(testkit.Scale(20_000, 1_000_000))
	for _, c := range []struct {
		size  string
		least int // as many must come to an end
	}{{"2x1", 10}, {"3x1", 30}, {"4x1", 82}, {"2x2", 114}} {
		r := variant(t, weiqi.Standard, c.size+",computer,komi=0")
		size := r.Geometry().Size
		ended := 0
		for code := range int(math.Pow(3, float64(size.Area()))) {
			for turn := range game.Side(2) {
				s := game.NewSetup(r)
				s.Turn = turn
				left := code
				for q := range size.Points() {
					if left%3 > 0 {
						s.Board.Put(q, board.Piece(left%3))
					}
					left /= 3
				}
				p, err := r.Arrange(s)
				if err != nil {
					continue // a string without liberties
				}
				o := &plain{p: p, at: map[string]int{}, known: map[plainKey][2]int{}, left: most}
				want := o.value(false, 0, -100, 100)
				if o.left < 0 {
					continue
				}
				ended++
				if got := solve(t, r, p); got.Value != want {
					t.Errorf("go %s: %s: %+d, want %+d", c.size, game.FormatPosition(r, p), got.Value, want)
				}
			}
		}
		t.Logf("go %s: %d positions alike", c.size, ended)
		if ended < c.least {
			t.Errorf("go %s: only %d positions were compared", c.size, ended)
		}
	}
}

func TestAny(t *testing.T) {
	for _, c := range []struct {
		r    game.Rules
		want int
	}{
		{tictactoe.Standard, 0},
		{variant(t, hex.Standard, "2x2"), 1},
		{variant(t, hex.Standard, "3x3"), 1},
		{variant(t, nim.Standard, "heaps=1-2-3"), -1},
		{variant(t, nim.Standard, "heaps=1-2-4"), 1},
	} {
		a := solve(t, c.r, c.r.Start())
		if a.Value != c.want {
			t.Errorf("%s %s: %d, want %d", c.r.Info().Name, c.r.Info().Variant, a.Value, c.want)
		}
		t.Logf("%s %s: %d, %d positions", c.r.Info().Name, c.r.Info().Variant, a.Value, a.Nodes)
	}
}

// TestRefused: what cannot be read is said, and what is told to stop stops.
func TestRefused(t *testing.T) {
	background := context.Background()
	done, cancel := context.WithCancel(background)
	cancel()
	if _, err := exact.Solve(done, connect4.Rules{}, connect4.Rules{}.Start(), exact.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for _, r := range []game.Rules{connect4.Rules{}, othello.Standard, xiangqi.Standard, variant(t, kalah.Rules{}, "houses=6,seeds=4")} {
		p := r.Start()
		text := game.FormatPosition(r, p)
		if _, err := exact.Solve(background, r, p, exact.Limits{Nodes: 2000, Memory: 1 << 20}); err == nil {
			t.Errorf("%s: solved", r.Info().Name)
		} else {
			t.Logf("%s: %v", r.Info().Name, err)
		}
		if game.FormatPosition(r, p) != text {
			t.Errorf("%s: the position was changed", r.Info().Name)
		}
	}
	if _, err := exact.Solve(background, weiqi.Standard, weiqi.Standard.Start(), exact.Limits{}); err == nil {
		t.Error("19x19 was solved")
	}
}
