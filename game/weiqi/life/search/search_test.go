package search_test

import (
	"bytes"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/life/search"
	"qipu/internal/testkit"
)

// planesOf reads rows of X, O and points.
func planesOf(rows []string) *board.Planes {
	p := board.NewPlanes(board.Size{W: len(rows[0]), H: len(rows)}, 2)
	for y, row := range rows {
		for x, c := range row {
			p.Put(board.At(x, y), board.Piece(max(strings.IndexRune(".XO", c), 0)))
		}
	}
	return p
}

// disputed are stones that the players counted as living and forgot to mark: each
// is in atari inside an eye, or dead as it stands, and other programs agree.
var disputed = map[string]int{
	"kgs-19-2017-01-new_2017-01-15-17": 2,
	"kgs-19-2017-03-new_2017-03-13-3":  4,
	"kgs-19-2017-05-new_2017-05-12-25": 2,
}

// TestCounted holds the proofs against final boards with known owners.
func TestCounted(t *testing.T) {
	var s search.Searcher
	var b life.Board
	var j life.Judgement
	nodes, kgs := testkit.Scale(20_000, search.Nodes), testkit.Scale(4, 1000)
	least := map[string]float64{"igs31": 40, "set2-czd": 42, "set3-korea": 36, "kgs": 36}
	if testkit.Full() {
		least = map[string]float64{"igs31": 51, "set2-czd": 54, "set3-korea": 46, "kgs": 54}
	}
	if !testkit.Shared() {
		least = map[string]float64{"own": 90}
	}
	proved, all := map[string]int{}, map[string]int{}
	for name, data := range testkit.Archive(t, testkit.Games(t, "go-testsets/counted.tar.gz")) {
		set, file := path.Base(path.Dir(name)), path.Base(name)
		if path.Ext(file) != ".own" {
			continue
		}
		if set == "kgs" {
			if kgs--; kgs < 0 {
				continue
			}
		}
		rows := strings.Split(string(bytes.TrimSpace(data)), "\n")[1:]
		n := (len(rows) - 1) / 2
		p, owners := planesOf(rows[:n]), rows[n+1:]
		b.Reset(p)
		j.Begin("search", &b)
		s.Judge(&b, nodes, false, &j)
		wrong := 0
		for at := range p.Size.Points() {
			all[set]++
			if j.Owner[at] == life.Nobody {
				continue
			}
			proved[set]++
			if "?BW="[j.Owner[at]] != owners[at.Y()][at.X()] {
				wrong++
			}
		}
		if wrong > disputed[strings.TrimSuffix(file, ".own")] {
			t.Errorf("%s: %d points contradicted", name, wrong)
		}
	}
	for set := range all {
		share := 100 * float64(proved[set]) / float64(all[set])
		t.Logf("%-10s %d of %d points proved, %.1f %%", set, proved[set], all[set], share)
		if share < least[set] {
			t.Errorf("%s: %.1f %% proved, want %.0f", set, share, least[set])
		}
	}
}

// TestTurned: the same board turned, or with the colours exchanged, gives the same
// answer turned or exchanged; the board is not asked to be a square.
func TestTurned(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	for i := range testkit.Scale(60, 2000) {
		size := []board.Size{{W: 6, H: 5}, {W: 7, H: 7}, {W: 9, H: 4}, {W: 1, H: 8}}[i%4]
		if p := settledBoard(r, size, 4+r.IntN(10)); p != nil {
			checkTurned(t, p)
		}
	}
}

func checkTurned(t *testing.T, p *board.Planes) {
	t.Helper()
	var s search.Searcher
	var b life.Board
	var first, second life.Judgement
	b.Reset(p)
	first.Begin("search", &b)
	s.Judge(&b, 3000, false, &first)
	for sym := range board.NumSymmetries {
		for _, swap := range [][]board.Piece{{1, 2}, {2, 1}} {
			q := p.Transform(sym, swap)
			b.Reset(q)
			second.Begin("search", &b)
			s.Judge(&b, 3000, false, &second)
			for at := range p.Size.Points() {
				want := first.Owner[at]
				if want == life.OwnedByBlack || want == life.OwnedByWhite {
					want = life.Owner(swap[want-1])
				}
				if got := second.Owner[sym.Apply(p.Size, at)]; got != want {
					t.Fatalf("%v, colours %v: %v at %v, want %v", sym, swap, got, at, want)
				}
			}
		}
	}
}

// FuzzJudge states the laws for any board at all: no panic, owners agree with
// strings, and proofs of one side do not contradict those of the other.
func FuzzJudge(f *testing.F) {
	f.Add(uint8(4), uint8(4), []byte("\x01\x02\x00\x01"))
	f.Add(uint8(1), uint8(9), []byte{1, 0, 1, 0, 2})
	f.Add(uint8(19), uint8(19), []byte{0})
	f.Add(uint8(7), uint8(3), []byte{1, 1, 0, 2, 1, 0, 0, 1, 1, 2, 2, 2})
	var s search.Searcher
	f.Fuzz(func(t *testing.T, w, h uint8, stones []byte) {
		size := board.Size{W: int(w)%25 + 1, H: int(h)%25 + 1}
		p := board.NewPlanes(size, 2)
		for i, c := range stones {
			if i < size.Area() {
				p.Put(size.Point(i), board.Piece(c%3))
			}
		}
		var b life.Board
		var j life.Judgement
		b.Reset(p)
		j.Begin("search", &b)
		s.Judge(&b, 2000, true, &j)
		for i := range b.Strings {
			v := &j.Strings[i]
			own := life.Owner(life.StoneOf(v.Side))
			for _, c := range b.Stones(i) {
				at := j.Owner[c.Point()]
				if v.Status == life.Alive && at != own || v.Status == life.Dead && at != 3-own {
					t.Fatalf("string at %v is %v, its point %v's", v.Head, v.Status, at)
				}
			}
			for _, n := range v.Steps {
				if n < 0 || n >= len(j.Steps) {
					t.Fatalf("step %d of %d", n, len(j.Steps))
				}
			}
			if b.Choked() >= 0 && v.Status != life.Unknown {
				t.Fatal("something is said of a board that is none of the game")
			}
			s.XLife(&b, v.Head, 1, 300)
		}
	})
}

// TestTrace: every string that search proved names steps, and they name it.
func TestTrace(t *testing.T) {
	// Black's eye space of five needs answers; the stone inside is dead.
	p := planesOf([]string{
		"O....XO.",
		"XXXXXXOO",
		"OOOOOOO.",
		"........",
	})
	var s search.Searcher
	var b life.Board
	var j life.Judgement
	b.Reset(p)
	j.Begin("search", &b)
	s.Judge(&b, 0, true, &j)
	for _, k := range []struct {
		at     board.Point
		status life.Status
	}{{board.At(5, 0), life.Alive}, {board.At(0, 0), life.Dead}} {
		v := j.At(&b, k.at)
		if v.Status != k.status || !v.Proved {
			t.Fatalf("%v is %v, want %v", k.at, v.Status, k.status)
		}
		named := false
		for _, n := range v.Steps {
			named = named || slices.Contains(j.Steps[n].Strings, v.Head)
		}
		if !named {
			t.Errorf("no step of %v speaks of %v", v.Steps, k.at)
		}
	}
	if j.Owner[board.At(0, 0)] != life.OwnedByBlack {
		t.Error("the corner is not Black's")
	}
	if v := j.At(&b, board.At(5, 0)); v.Side != game.First || j.Groups[v.Group].Status != life.Alive {
		t.Error("its group does not live")
	}
}

// TestAllocates: a searcher that has grown its buffers allocates nothing more.
func TestAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := settledBoard(r, board.Size{W: 7, H: 7}, 20)
	for p == nil {
		p = settledBoard(r, board.Size{W: 7, H: 7}, 20)
	}
	var s search.Searcher
	var b life.Board
	var j life.Judgement
	b.Reset(p)
	j.Begin("search", &b)
	s.Judge(&b, 5000, false, &j)
	if n := testing.AllocsPerRun(3, func() { s.Judge(&b, 5000, false, &j) }); n > 20 {
		t.Errorf("%v allocations", n)
	}
}
