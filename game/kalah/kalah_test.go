package kalah_test

import (
	"strconv"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/gametest"
	"qipu/game/kalah"
)

func TestLaws(t *testing.T) {
	gametest.Run(t, kalah.Rules{}, gametest.Options{})
	for _, spec := range []string{"houses=1,seeds=3", "houses=3", "houses=8,seeds=15", "seeds=2"} {
		r, err := kalah.Rules{}.Variant(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(spec, func(t *testing.T) { gametest.Run(t, r, gametest.Options{Games: 6}) })
	}
}

func TestVariants(t *testing.T) {
	for _, spec := range []string{"houses=0", "houses=9", "seeds=0", "seeds=16", "houses=x", "3x4"} {
		if _, err := (kalah.Rules{}).Variant(spec); err == nil {
			t.Errorf("%q: accepted", spec)
		}
	}
}

func TestPlaythrough(t *testing.T) { gametest.Playthrough(t, kalah.Rules{}, "testdata/play.txt") }

// ring is Kalah as one ring of fourteen numbers, South's store being the
// seventh and North's the last: another way to the same game.
type ring struct {
	pits  [14]int
	north bool
}

// sow empties a pit of the ring and returns what becomes of it.
func (r ring) sow(pit int) ring {
	mine, theirs := 6, 13
	if r.north {
		mine, theirs = 13, 6
	}
	hand := r.pits[pit]
	r.pits[pit] = 0
	for hand > 0 {
		if pit = (pit + 1) % 14; pit != theirs {
			r.pits[pit]++
			hand--
		}
	}
	own := pit != mine && pit/7 == mine/7
	if across := 12 - pit; own && r.pits[pit] == 1 && r.pits[across] > 0 {
		r.pits[mine] += 1 + r.pits[across]
		r.pits[pit], r.pits[across] = 0, 0
	}
	if pit != mine {
		r.north = !r.north
	}
	south, north := 0, 0
	for i := range 6 {
		south, north = south+r.pits[i], north+r.pits[7+i]
	}
	if south == 0 || north == 0 {
		r.pits = [14]int{6: r.pits[6] + south, 13: r.pits[13] + north}
	}
	return r
}

func (r ring) leaves(depth int) (n uint64) {
	if depth == 0 {
		return 1
	}
	first := 0
	if r.north {
		first = 7
	}
	for pit := first; pit < first+6; pit++ {
		if r.pits[pit] > 0 {
			n += r.sow(pit).leaves(depth - 1)
		}
	}
	return n
}

// TestPerft counts lines against the ring. A line in which one side moves twice
// has a ply for each of its moves.
func TestPerft(t *testing.T) {
	for _, seeds := range []int{1, 3, 4, 6} {
		var r ring
		for i := range 6 {
			r.pits[i], r.pits[7+i] = seeds, seeds
		}
		for depth := 1; depth <= 7; depth++ {
			want := r.leaves(depth)
			if got := game.Perft(kalah.Rules{Seeds: seeds}.Start(), depth, game.PerftOptions{}); got != want {
				t.Errorf("%d seeds, depth %d: %d leaves, want %d", seeds, depth, got, want)
			}
		}
	}
}

// TestAgain plays the moves that give another move, and checks whose turn it is
// on the way there and back.
func TestAgain(t *testing.T) {
	p := kalah.Rules{Seeds: 3}.Start()
	turns := []game.Side{p.Turn()}
	for _, text := range strings.Fields("d a d a") {
		m, err := kalah.Rules{}.ParseMove(p, text, game.AnyNotation)
		if err == nil {
			err = p.Play(m)
		}
		if err != nil {
			t.Fatal(text, err)
		}
		turns = append(turns, p.Turn())
	}
	if want := []game.Side{0, 0, 1, 1, 0}; len(turns) != len(want) || [5]game.Side(turns) != [5]game.Side(want) {
		t.Fatalf("turns %v, want %v", turns, want)
	}
	for i := len(turns) - 2; i >= 0; i-- {
		if p.Undo(); p.Turn() != turns[i] {
			t.Errorf("undone to ply %d it is the turn of %d, want %d", i, p.Turn(), turns[i])
		}
	}
}

func TestCells(t *testing.T) {
	planes, cells := game.Shown(kalah.Rules{Seeds: 3}.Start())
	if planes != nil || len(cells) != 14 || cells[board.At(7, 1)] != "0" || cells[board.At(1, 0)] != strconv.Itoa(3) {
		t.Errorf("shown are %v and %v", planes, cells)
	}
}

func TestArrange(t *testing.T) {
	for _, text := range []string{
		"S", "S seeds=1,2", "S seeds=1,1,1,1,1,1,0,0,0,0,0,0,0,6", "S seeds=1,1,1,1,1,1,0,0,0,0,0,0,-1,6",
		"S seeds=1,1,1,1,1,1,0,01,0,0,0,0,0,6", "S houses=4", "X seeds=4,4,4,4,4,4,0,4,4,4,4,4,4,0", "8/8 S",
	} {
		if _, err := game.ParsePosition(kalah.Rules{}, text); err == nil {
			t.Errorf("%q: accepted", text)
		}
	}
}
