package profile

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Opening is a position of the beginning that several games have reached, by
// whatever order of moves.
type Opening struct {
	Games  []int  // in the list
	Called string // what most of them are called; empty where no game says it
	Vector []float64
	Ply    int // after which they all have had the same board
}

// ErrFewOpenings tells that too few positions are shared.
var ErrFewOpenings = errors.New("profile: fewer than three positions of the beginning are shared by enough games")

// How openings are told apart.
const (
	OpeningPly  = 18 // the last after which games of one opening have the same board
	openingEnd  = 20 // steps that describe one
	fade        = .9 // what a step counts of the one before it: systems are chosen early
	maxOpenings = 3000
)

// OpeningSet is the openings of some games.
type OpeningSet struct {
	List []Opening // the most games first
	Rest int       // games that are in none of them

	at map[[2]uint16]int // of a piece and point in vectors
}

// Openings returns the positions after eighteen plies that at least so many games
// have reached, and of the games that are left those after fewer plies, down to a
// first number, described by which piece went where in the first twenty.
func (g *Games) Openings(least, from int) (*OpeningSet, error) {
	if from < 1 || from > OpeningPly {
		return nil, fmt.Errorf("profile: openings from ply %d on: want 1 to %d", from, OpeningPly)
	}
	var list []Opening
	placed := make([]bool, len(g.List))
	for ply := OpeningPly; ply >= from; ply-- {
		by := map[uint32][]int{}
		for i := range g.List {
			if !placed[i] && len(g.List[i].Keys) >= ply {
				key := g.List[i].Keys[ply-1]
				by[key] = append(by[key], i)
			}
		}
		for _, games := range by {
			if len(games) >= least {
				list = append(list, Opening{Games: games, Ply: ply})
				for _, i := range games {
					placed[i] = true
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b Opening) int {
		return cmp.Or(cmp.Compare(len(b.Games), len(a.Games)), cmp.Compare(a.Games[0], b.Games[0]))
	})
	list = list[:min(len(list), maxOpenings)]
	if len(list) < 3 {
		return nil, fmt.Errorf("%w: %d games are asked for", ErrFewOpenings, least)
	}
	s := &OpeningSet{Rest: len(g.List), at: map[[2]uint16]int{}}
	for _, o := range list {
		s.Rest -= len(o.Games)
		o.Called = g.called(o.Games)
		s.List = append(s.List, o)
		for _, i := range o.Games {
			for _, x := range g.List[i].first(openingEnd) {
				k := [2]uint16{uint16(x.Piece), x.Point}
				if _, ok := s.at[k]; !ok && x.Point != None {
					s.at[k] = len(s.at)
				}
			}
		}
	}
	for i := range s.List {
		o := &s.List[i]
		o.Vector = make([]float64, len(s.at))
		for _, n := range o.Games {
			for k, x := range s.vector(&g.List[n]) {
				o.Vector[k] += x / float64(len(o.Games))
			}
		}
	}
	return s, nil
}

// vector describes the beginning of a game.
func (s *OpeningSet) vector(g *Game) []float64 {
	v := make([]float64, len(s.at))
	worth := 1.0
	for _, x := range g.first(openingEnd) {
		if k, ok := s.at[[2]uint16{uint16(x.Piece), x.Point}]; ok && v[k] == 0 {
			v[k] = worth
		}
		worth *= fade
	}
	return v
}

// Nearest returns the opening that the beginning of a game is most like.
func (s *OpeningSet) Nearest(g *Game) (best int) {
	v, low := s.vector(g), math.Inf(1)
	for i := range s.List {
		d := 0.0
		for k, x := range s.List[i].Vector {
			d += (x - v[k]) * (x - v[k])
		}
		if d < low {
			best, low = i, d
		}
	}
	return best
}

func (g *Game) first(n int) []Step { return g.Steps[:min(n, len(g.Steps))] }

// called returns what most of some games are called.
func (g *Games) called(games []int) (name string) {
	n := map[string]int{}
	for _, i := range games {
		if o := g.List[i].Opening; o != "" {
			n[o]++
		}
	}
	for o := range n {
		if name == "" || n[o] > n[name] || n[o] == n[name] && o < name {
			name = o
		}
	}
	return name
}
