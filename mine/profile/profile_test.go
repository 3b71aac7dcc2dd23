package profile_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/index"
	"qipu/interval"
	"qipu/mine/profile"
)

// lineOf returns a line of stones that are put down in turn, seen in a picture of
// the board.
func lineOf(k *index.Kind, points []int, image int) *interval.Line {
	size := k.Board.Size
	l := &interval.Line{End: uint16(len(points) + 1)}
	for i, p := range points {
		to := size.Index(k.Image(image).Board.Apply(size, size.Point(p)))
		l.Changes = append(l.Changes, interval.Change{Slot: uint16(i + 1), Point: uint16(to), Piece: board.Piece(1 + i%2)})
	}
	return l
}

// TestPictures: all pictures of a game are the same game.
func TestPictures(t *testing.T) {
	rules, err := weiqi.New(weiqi.Options{Size: board.Size{W: 9, H: 9}})
	if err != nil {
		t.Fatal(err)
	}
	k := index.NewKind(rules)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		points := rng.Perm(81)[:30]
		want := profile.Of(k, lineOf(k, points, 0))
		for i := range k.Images() {
			if k.Image(i).Swap {
				continue
			}
			got := profile.Of(k, lineOf(k, points, i))
			if !slices.Equal(got.Steps, want.Steps) || !slices.Equal(got.Keys, want.Keys) {
				t.Fatalf("picture %d of %v is another game", i, points)
			}
		}
		// Another order of moves leads to the same board.
		points[4], points[6] = points[6], points[4]
		other := profile.Of(k, lineOf(k, points, 0))
		if len(other.Keys) != 30 {
			t.Fatalf("%d keys", len(other.Keys))
		}
	}
}

// planted makes games of players with habits of their own: so many of their steps,
// of a hundred, are to points that they like.
func planted(players, each, habit int, seed uint64) *profile.Games {
	rng := rand.New(rand.NewPCG(seed, 1))
	likes := make([][]int, players)
	for p := range likes {
		likes[p] = rng.Perm(300)[:30]
	}
	g := &profile.Games{}
	for i := range players * each {
		who := [2]int{i % players, rng.IntN(players)}
		x := profile.Game{Number: uint32(i + 1), Opening: fmt.Sprint(who[0] % 7)}
		for ply := range 60 {
			side := ply % 2
			point := rng.IntN(300)
			if rng.IntN(100) < habit {
				point = likes[who[side]][rng.IntN(30)]
			}
			x.Steps = append(x.Steps, profile.Step{Point: uint16(point), Piece: uint8(1 + side), Side: uint8(side)})
		}
		for side := range 2 {
			x.Players[side] = fmt.Sprintf("player %02d", who[side])
		}
		g.List = append(g.List, x)
	}
	return g
}

// TestAuthorship knows players by planted habits, and knows nobody where there are
// none.
func TestAuthorship(t *testing.T) {
	for _, c := range []struct {
		habit    int
		from, to float64
	}{{60, .9, 1}, {30, .3, 1}, {0, 0, .12}} {
		g := planted(20, 25, c.habit, 3)
		for _, late := range []bool{c.habit == 30} {
			a, err := g.Authorship(t.Context(), 20, 10, late, 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("habit %d late %v: first %.2f, among five %.2f of %d; chance %.2f", c.habit, late, a.First, a.Five, a.Tried, a.Chance)
			if a.First < c.from || a.First > c.to || a.Chance != .05 {
				t.Errorf("habit %d: %.2f known, want %.2f to %.2f", c.habit, a.First, c.from, c.to)
			}
		}
	}
}

// TestOpenings: all games of an opening had one board after as many plies as it says, and
// no game that is left shares a board that late with enough others.
func TestOpenings(t *testing.T) {
	g := &profile.Games{}
	rng := rand.New(rand.NewPCG(4, 4))
	for range 400 {
		x := profile.Game{}
		at := uint64(rng.IntN(3))
		for range 20 {
			at = at*64 + uint64(rng.IntN(10)/9) // games part slowly
			at = board.Mix(at)
			x.Keys = append(x.Keys, uint32(at))
			x.Steps = append(x.Steps, profile.Step{Point: uint16(at % 90), Piece: 1})
		}
		g.List = append(g.List, x)
	}
	last := -1
	for _, from := range []int{1, 6, 12, profile.OpeningPly} {
		s, err := g.Openings(8, from)
		if err != nil {
			t.Fatal(err)
		}
		opening := map[int]int{}
		for n, o := range s.List {
			if o.Ply < from || o.Ply > profile.OpeningPly || len(o.Games) < 8 {
				t.Errorf("from %d: %d games after %d plies", from, len(o.Games), o.Ply)
			}
			for _, i := range o.Games {
				if _, twice := opening[i]; twice || g.List[i].Keys[o.Ply-1] != g.List[o.Games[0]].Keys[o.Ply-1] {
					t.Errorf("game %d is not of opening %d", i, n)
				}
				opening[i] = n
			}
		}
		left := map[uint32]int{}
		for i := range g.List {
			if _, ok := opening[i]; !ok {
				for ply := from; ply <= profile.OpeningPly; ply++ {
					key := g.List[i].Keys[ply-1]
					if left[key]++; left[key] >= 8 {
						t.Errorf("from %d: enough games share a board after %d plies, and are left", from, ply)
					}
				}
			}
		}
		if s.Rest != 400-len(opening) || s.Rest < last {
			t.Errorf("from %d: %d games are left, %d before", from, s.Rest, last)
		}
		last = s.Rest
	}
	for _, from := range []int{0, profile.OpeningPly + 1} {
		if _, err := g.Openings(8, from); err == nil {
			t.Errorf("from %d is taken", from)
		}
	}
}

// TestStyles: those who share habits play alike.
func TestStyles(t *testing.T) {
	g := planted(10, 40, 60, 5)
	for i := range g.List { // player 03 takes over games of player 07
		for side, name := range g.List[i].Players {
			if name == "player 07" && i%4 < 2 {
				g.List[i].Players[side] = "player 03"
			}
		}
	}
	s, err := profile.NewStyles(t.Context(), g, 50, 10)
	if err != nil {
		t.Fatal(err)
	}
	like, err := s.Like("player 07", 3)
	if err != nil || like[0].Name != "player 03" || like[0].Like < like[1].Like+.1 {
		t.Errorf("like player 07: %v, %v", like, err)
	}
	if v := s.Vectors(); len(v) != 10 || v[2][2] != 1 || v[2][5] != v[5][2] {
		t.Error("vectors")
	}
	if _, err := s.Like("nobody", 3); !errors.Is(err, profile.ErrNoPlayer) {
		t.Error(err)
	}
	if _, err := profile.NewStyles(t.Context(), g, 50, 1000); !errors.Is(err, profile.ErrFewPlayers) {
		t.Error(err)
	}
}

// TestNearest: a game that was changed in a few steps finds itself, and games of one
// player's habits find each other more than by chance.
func TestNearest(t *testing.T) {
	g := planted(20, 20, 50, 9)
	l := profile.NewLikeness(g)
	for _, i := range []int{0, 17, 200} {
		probe := g.List[i]
		probe.Number = 0
		probe.Steps = slices.Clone(probe.Steps)
		for j := 0; j < 60; j += 6 {
			probe.Steps[j].Point = uint16(j)
		}
		near := l.Nearest(&probe, 5)
		if len(near) != 5 || near[0].Number != g.List[i].Number || near[0].Like < .5 || near[1].Like > near[0].Like {
			t.Errorf("game %d: nearest is %d at %.2f", i+1, near[0].Number, near[0].Like)
		}
	}
	p := l.Measure(50, 10, 1, nil)
	t.Logf("%+v", p)
	if p.Tried != 50 || p.Player < 2*p.ChancePlayer {
		t.Errorf("precision %.2f, chance %.2f", p.Player, p.ChancePlayer)
	}
	if near := l.Nearest(&profile.Game{}, 5); len(near) != 0 {
		t.Errorf("nothing is like %d games", len(near))
	}
}
