package learn

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/pattern/prior"
	"qipu/record"
	"qipu/record/sgf"
)

// goGames plays games in which most moves follow one law: to the right of the
// last stone where that is empty, else anywhere.
func goGames(t testing.TB, seed uint64, n int) (list []*prior.Game) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	r, err := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}})
	if err != nil {
		t.Fatal(err)
	}
	for range n {
		g := prior.NewGame(r, nil)
		p := r.Start()
		last := game.Pass
		for range 40 {
			legal := p.AppendMoves(nil)
			m := legal[rng.IntN(len(legal)-1)]
			if rng.IntN(4) > 0 && last != game.Pass {
				if next := game.Drop(last.To() + 1); slices.Contains(legal, next) {
					m = next
				}
			}
			g.Add(p.Turn(), m)
			if err := p.Play(m); err != nil {
				t.Fatal(err)
			}
			last = m
		}
		list = append(list, g)
	}
	return list
}

func modelBytes(t *testing.T, games []*prior.Game, o GoOptions) []byte {
	t.Helper()
	m, err := TrainGo(t.Context(), games, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// TestTrainGo has the law of the games found, and found again with other threads
// and the games in another order.
func TestTrainGo(t *testing.T) {
	games := goGames(t, 1, 100)
	o := GoOptions{Threads: 2, Least: 3, Rounds: 3, Seed: 3}
	told := 0
	m, err := TrainGo(t.Context(), games, o, func(done, total int) {
		if done < told || done > total {
			t.Errorf("%d of %d after %d", done, total, told)
		}
		told = done
	})
	if err != nil {
		t.Fatal(err)
	}
	// The law holds for three of four moves where the edge and other stones do
	// not forbid it, the others are any of some sixty. Right is the same as left
	// to contexts, and as up and down, until two stones show the direction.
	r := m.Measure(goGames(t, 2, 40), 2)
	if r.Positions != 1600 || r.Top1 < 0.35 || r.Top5 < 0.5 {
		t.Errorf("unseen games of the same law: %+v", r.Figures)
	}
	sum := 0
	for _, p := range r.Phases {
		sum += p.Positions
	}
	if sum != r.Positions {
		t.Errorf("%d positions in parts, %d in all", sum, r.Positions)
	}

	want := modelBytes(t, games, o)
	rand.New(rand.NewPCG(9, 9)).Shuffle(len(games), func(i, j int) { games[i], games[j] = games[j], games[i] })
	o.Threads = 3
	if !bytes.Equal(want, modelBytes(t, games, o)) {
		t.Error("other threads and another order of the games give other weights")
	}
	o.Contexts = 200
	if m, err := TrainGo(t.Context(), games, o, nil); err != nil || m.Len() > 200 || m.Len() == 0 {
		t.Errorf("at most 200 contexts: %v", err)
	}
}

func TestTrainGoStops(t *testing.T) {
	if _, err := TrainGo(t.Context(), nil, GoOptions{}, nil); !errors.Is(err, ErrFewGo) {
		t.Errorf("no games: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := TrainGo(ctx, goGames(t, 3, 5), GoOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// readGo reads one game of SGF.
func readGo(t *testing.T, text string) (*prior.Game, bool) {
	t.Helper()
	for r, err := range sgf.Format.Read(&record.Source{Name: "x.sgf", Reader: strings.NewReader(text), Size: -1}) {
		if err != nil {
			t.Fatal(err)
		}
		return GoGame(record.NewReferee(game.Catalog{weiqi.Standard}).Play(r))
	}
	return nil, false
}

func TestGoGame(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		ok         bool
		moves      int
	}{
		{"a game", "(;GM[1]SZ[19];B[pd];W[dp];B[pp];W[dd])", true, 4},
		{"handicap", "(;GM[1]SZ[19]HA[2]AB[pd][dp];W[dd];B[pq])", true, 2},
		{"a pass", "(;GM[1]SZ[9];B[ee];W[];B[ce])", true, 3},
		{"no moves", "(;GM[1]SZ[19])", false, 0},
		{"stones set up on the way", "(;GM[1]SZ[19];B[pd];AW[dp];B[pp])", false, 0},
	} {
		g, ok := readGo(t, tt.text)
		if ok != tt.ok || ok && g.Len() != tt.moves {
			t.Errorf("%s: %v, %+v", tt.name, ok, g)
		}
	}
}

// TestGoHeld checks that copies of a game stay on one side: turned boards, and
// records that end earlier.
func TestGoHeld(t *testing.T) {
	n := 0
	games := goGames(t, 8, 2000)
	for _, g := range games {
		if GoHeld(g) {
			n++
		}
	}
	if n < 60 || n > 140 {
		t.Errorf("%d of 2000 games are held out, want one of twenty", n)
	}
	a, _ := readGo(t, "(;GM[1]SZ[19]AB[dd];W[pd];B[dp];W[qc])")
	for name, text := range map[string]string{
		"mirrored":   "(;GM[1]SZ[19]AB[pd];W[dd];B[pp];W[cc])",
		"transposed": "(;GM[1]SZ[19]AB[dd];W[dp];B[pd];W[cq])",
	} {
		b, _ := readGo(t, text)
		if a.Hash(sameGame) != b.Hash(sameGame) {
			t.Errorf("%s: another game", name)
		}
	}
	b, _ := readGo(t, "(;GM[1]SZ[19]AB[dd];W[pd];B[dp];W[qd])")
	if a.Hash(sameGame) == b.Hash(sameGame) || a.Hash(2) != b.Hash(2) {
		t.Error("the third move makes no difference, or more than it should")
	}
}
