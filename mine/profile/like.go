package profile

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Likeness finds games like a game. It is not changed once it is made, and safe for
// concurrent use but for Nearest's own buffers, which each call has.
type Likeness struct {
	games    *Games
	features [][]uint32
	weight   []float32 // of each feature
	norm     []float64 // of each game
}

// NewLikeness makes games ready to be compared: in about a second for a hundred
// thousand.
func NewLikeness(games *Games) *Likeness {
	l := &Likeness{games: games, features: make([][]uint32, len(games.List)), weight: make([]float32, 1<<featureBits)}
	have := make([]int32, 1<<featureBits)
	seen := newStamps()
	for i := range games.List {
		l.features[i] = games.List[i].features(nil, seen)
		for _, f := range l.features[i] {
			have[f]++
		}
	}
	for f, n := range have {
		l.weight[f] = float32(idf(int(n), len(games.List)))
	}
	l.norm = make([]float64, len(games.List))
	for i, list := range l.features {
		l.norm[i] = l.length(list)
	}
	return l
}

func (l *Likeness) length(features []uint32) float64 {
	v := 0.0
	for _, f := range features {
		v += float64(l.weight[f]) * float64(l.weight[f])
	}
	return math.Sqrt(v)
}

// Near is a game that is like another.
type Near struct {
	*Game
	Like   float64 // from 0 to 1
	Shared int     // so many plies they have been on the same board, at any of them; 0 for never
}

// Nearest returns the n games that are most like one, without itself.
func (l *Likeness) Nearest(g *Game, n int) []Near {
	own := g.features(nil, newStamps())
	in := make([]bool, 1<<featureBits)
	for _, f := range own {
		in[f] = true
	}
	length := l.length(own)
	var list []Near
	for i, features := range l.features {
		other := &l.games.List[i]
		if other.Number == g.Number && g.Number != 0 || l.norm[i] == 0 || length == 0 {
			continue
		}
		v := 0.0
		for _, f := range features {
			if in[f] {
				v += float64(l.weight[f]) * float64(l.weight[f])
			}
		}
		v /= length * l.norm[i]
		if v == 0 || len(list) == n && v <= list[n-1].Like {
			continue
		}
		at, _ := slices.BinarySearchFunc(list, v, func(x Near, v float64) int { return cmp.Compare(v, x.Like) })
		for at < len(list) && list[at].Like == v { // the earlier record first
			at++
		}
		if len(list) == n {
			list = list[:n-1]
		}
		list = slices.Insert(list, at, Near{Game: other, Like: v})
	}
	for i := range list {
		list[i].Shared = shared(g, list[i].Game)
	}
	return list
}

// shared returns the last ply at which two games were on the same board.
func shared(a, b *Game) int {
	for i := min(len(a.Keys), len(b.Keys)) - 1; i >= 0; i-- {
		if a.Keys[i] == b.Keys[i] {
			return i + 1
		}
	}
	return 0
}

// Precision is how many of the games that are told to be like one have something in
// common with it that was not looked at, and how many have where games are drawn
// blindly.
type Precision struct {
	Tried                int // games with an opening
	Opening, ChanceOf    float64
	TriedPlayers         int // games with a player who has others
	Player, ChancePlayer float64
}

// Measure asks for the n nearest of some games drawn by chance. Games that are
// records of one game (the same steps) are left out of answers, since finding a copy
// is easy.
func (l *Likeness) Measure(tries, n int, seed uint64, stop func() bool) (p Precision) {
	rng := rand.New(rand.NewPCG(seed, 4))
	order := rng.Perm(len(l.games.List))
	common := func(a, b *Game) bool {
		for _, x := range a.Players {
			if x != "" && (x == b.Players[0] || x == b.Players[1]) {
				return true
			}
		}
		return false
	}
	for _, i := range order {
		if p.Tried >= tries || stop != nil && stop() {
			break
		}
		g := &l.games.List[i]
		near := l.Nearest(g, n+5)
		near = slices.DeleteFunc(near, func(x Near) bool { return slices.Equal(x.Steps, g.Steps) })
		near = near[:min(n, len(near))]
		if len(near) == 0 {
			continue
		}
		share := func(list []Near, has func(x *Game) bool) float64 {
			v := 0.0
			for _, x := range list {
				if has(x.Game) {
					v += 1 / float64(len(list))
				}
			}
			return v
		}
		blind := make([]Near, 50)
		for j := range blind {
			k := rng.IntN(len(l.games.List) - 1)
			if k >= i {
				k++
			}
			blind[j].Game = &l.games.List[k]
		}
		if g.Opening != "" {
			same := func(x *Game) bool { return x.Opening == g.Opening }
			p.Tried++
			p.Opening += share(near, same)
			p.ChanceOf += share(blind, same)
		}
		if g.Players[0] != "" || g.Players[1] != "" {
			same := func(x *Game) bool { return common(g, x) }
			p.TriedPlayers++
			p.Player += share(near, same)
			p.ChancePlayer += share(blind, same)
		}
	}
	p.Opening, p.ChanceOf = p.Opening/max(1, float64(p.Tried)), p.ChanceOf/max(1, float64(p.Tried))
	p.Player, p.ChancePlayer = p.Player/max(1, float64(p.TriedPlayers)), p.ChancePlayer/max(1, float64(p.TriedPlayers))
	return p
}
