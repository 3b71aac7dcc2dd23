package profile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// What cannot be told of players.
var (
	ErrFewPlayers = errors.New("profile: fewer than two players have enough games")
	ErrNoPlayer   = errors.New("profile: no such player has enough games")
)

// Styles are players by what they do on the board. They are not changed once they
// are learnt.
type Styles struct {
	Players  []Player // the most games first
	MinGames int
	Rare     int // players who have fewer games, or are behind those

	number []int32   // of each feature that is used, from 1; 0 for the others
	worth  []float32 // what each of those counts, by number
	// For each of them, how much it speaks for each player; and for each player
	// by himself.
	weights [][]float32
	bias    []float32
}

// Player is one of them.
type Player struct {
	Name  string
	Games int

	mean []float32 // of his games, by feature
}

// sample is one side of one game.
type sample struct {
	game, side int
}

// bySamples returns the sides of games by player, in the order of time; those of
// one day in the order of the library.
func (g *Games) bySamples() map[string][]sample {
	by := map[string][]sample{}
	for i := range g.List {
		for side, name := range g.List[i].Players {
			if name != "" && len(g.List[i].Steps) >= minSteps {
				by[name] = append(by[name], sample{i, side})
			}
		}
	}
	for _, list := range by {
		slices.SortStableFunc(list, func(a, b sample) int { return cmp.Compare(g.List[a.game].Day, g.List[b.game].Day) })
	}
	return by
}

// minSteps is how long a game has to be to tell of a style.
const minSteps = 10

// frequent returns the names of at most n players with at least so many games, the
// most first.
func frequent(by map[string][]sample, n, least int) []string {
	var names []string
	for name, list := range by {
		if len(list) >= least {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(by[b]), len(by[a])), strings.Compare(a, b))
	})
	return names[:min(n, len(names))]
}

// NewStyles returns what is typical of at most n players with at least so many games.
func NewStyles(ctx context.Context, g *Games, n, least int) (*Styles, error) {
	by := g.bySamples()
	names := frequent(by, n, least)
	if len(names) < 2 {
		return nil, fmt.Errorf("%w: %d games each are asked for", ErrFewPlayers, least)
	}
	s, err := learn(ctx, g, names, by, least, 0)
	if err == nil {
		s.Rare = len(by) - len(names)
	}
	return s, err
}

// How styles are learnt.
const (
	minHave = 3  // games that have a feature
	lessons = 12 // times that all games are looked at
	pace    = .02
	decay   = 2e-6
)

// learn fits, for every player, how much each feature speaks for him: a regression
// over all players at once (softmax), by small steps that grow smaller for features
// that have had many. In no rounds at all it tells what is typical of each alone.
func learn(ctx context.Context, g *Games, names []string, by map[string][]sample, least, rounds int) (*Styles, error) {
	s := &Styles{MinGames: least, number: make([]int32, 1<<featureBits), bias: make([]float32, len(names))}
	seen := newStamps()
	var rows []habit
	have := make([]int32, 1<<featureBits)
	for p, name := range names {
		for _, x := range by[name] {
			list := g.List[x.game].habits(nil, x.side, seen)
			for _, f := range list {
				have[f]++
			}
			rows = append(rows, habit{list, p})
		}
		s.Players = append(s.Players, Player{Name: name, Games: len(by[name])})
	}
	s.worth = []float32{0}
	for f, n := range have {
		if n >= minHave {
			s.number[f] = int32(len(s.worth))
			s.worth = append(s.worth, float32(idf(int(n), len(rows))))
		}
	}
	for i := range rows {
		rows[i].features = s.known(rows[i].features)
	}
	players := len(names)
	for p := range s.Players {
		s.Players[p].mean = make([]float32, len(s.worth))
	}
	for _, r := range rows {
		n := s.length(r.features)
		for _, f := range r.features {
			s.Players[r.player].mean[f] += s.worth[f] / n / float32(s.Players[r.player].Games)
		}
	}
	if rounds == 0 {
		return s, ctx.Err()
	}
	s.weights = make([][]float32, len(s.worth))
	grown := make([][]float32, len(s.worth)) // the sum of squared steps
	for f := range s.weights {
		s.weights[f], grown[f] = make([]float32, players), make([]float32, players)
	}
	rng := rand.New(rand.NewPCG(uint64(len(rows)), 5))
	chances := make([]float64, players)
	for range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, r := range rows {
			s.chances(chances, r.features)
			chances[r.player]--
			n := s.length(r.features)
			for _, f := range r.features {
				x, w, sq := s.worth[f]/n, s.weights[f], grown[f]
				for p, c := range chances {
					d := float32(c)*x + decay*w[p]
					sq[p] += d * d
					w[p] -= pace * d / float32(math.Sqrt(float64(sq[p])+1e-6))
				}
			}
			for p, c := range chances {
				s.bias[p] -= .005 * float32(c)
			}
		}
	}
	return s, nil
}

// habit is what one side of a game does, and whose side it is.
type habit struct {
	features []uint32
	player   int
}

// known returns the numbers of features, in their memory, without those that are
// not used.
func (s *Styles) known(features []uint32) []uint32 {
	kept := features[:0]
	for _, f := range features {
		if n := s.number[f]; n > 0 {
			kept = append(kept, uint32(n))
		}
	}
	return kept
}

func (s *Styles) length(features []uint32) float32 {
	v := float32(0)
	for _, f := range features {
		v += s.worth[f] * s.worth[f]
	}
	return float32(math.Sqrt(float64(max(v, 1e-6))))
}

// chances works out how likely each player is.
func (s *Styles) chances(list []float64, features []uint32) {
	for p := range list {
		list[p] = float64(s.bias[p])
	}
	n := s.length(features)
	for _, f := range features {
		x := s.worth[f] / n
		for p, w := range s.weights[f] {
			list[p] += float64(w * x)
		}
	}
	best, sum := slices.Max(list), 0.0
	for p := range list {
		list[p] = math.Exp(list[p] - best)
		sum += list[p]
	}
	for p := range list {
		list[p] /= sum
	}
}

// Guess is how likely a player is to have played a side of a game.
type Guess struct {
	Name   string
	Chance float64
}

// guesses returns who may have done something, the likeliest first.
func (s *Styles) guesses(features []uint32) []Guess {
	chances := make([]float64, len(s.Players))
	s.chances(chances, s.known(features))
	list := make([]Guess, len(s.Players))
	for p, c := range chances {
		list[p] = Guess{s.Players[p].Name, c}
	}
	slices.SortStableFunc(list, func(a, b Guess) int { return cmp.Compare(b.Chance, a.Chance) })
	return list
}

// Alike is a player who plays like another.
type Alike struct {
	Name  string
	Games int
	Like  float64 // from -1 to 1: how far both differ from all players in the same way
}

// Like returns the n players who play most like one of the list.
func (s *Styles) Like(name string, n int) ([]Alike, error) {
	at := slices.IndexFunc(s.Players, func(p Player) bool { return p.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("%w: %s; %d are asked for", ErrNoPlayer, name, s.MinGames)
	}
	all := s.average()
	var list []Alike
	for i := range s.Players {
		if i != at {
			p := &s.Players[i]
			list = append(list, Alike{p.Name, p.Games, correlation(s.Players[at].mean, p.mean, all)})
		}
	}
	slices.SortStableFunc(list, func(a, b Alike) int { return cmp.Compare(b.Like, a.Like) })
	return list[:min(n, len(list))], nil
}

// Vectors returns the profiles of all players as they differ from the average, in a
// form that clusters are made of: the likeness of each to all.
func (s *Styles) Vectors() [][]float64 {
	all := s.average()
	list := make([][]float64, len(s.Players))
	for i := range list {
		list[i] = make([]float64, len(s.Players))
		list[i][i] = 1
		for j := range i {
			v := correlation(s.Players[i].mean, s.Players[j].mean, all)
			list[i][j], list[j][i] = v, v
		}
	}
	return list
}

func (s *Styles) average() []float32 {
	all := make([]float32, len(s.worth))
	for _, p := range s.Players {
		for f, x := range p.mean {
			all[f] += x / float32(len(s.Players))
		}
	}
	return all
}

func correlation(a, b, mean []float32) float64 {
	var ab, aa, bb float64
	for f := range mean {
		x, y := float64(a[f]-mean[f]), float64(b[f]-mean[f])
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

// Authorship is how often the player of an unseen game is known.
type Authorship struct {
	Players, Tried int
	First, Five    float64 // that he is the first guess, or among five
	Chance         float64 // of the first guess, blindly
	Most           float64 // of the first guess, where it is always the one with most games
}

// Authorship learns styles from four fifths of the games of n players, and asks for
// the players of the others: the last ones by time where late is set, and else some
// by chance.
func (g *Games) Authorship(ctx context.Context, n, least int, late bool, seed uint64) (*Authorship, error) {
	by := g.bySamples()
	names := frequent(by, n, least)
	if len(names) < 2 {
		return nil, fmt.Errorf("%w: %d games each are asked for", ErrFewPlayers, least)
	}
	if !late {
		rng := rand.New(rand.NewPCG(seed, 6))
		for _, name := range names {
			list := by[name]
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		}
	}
	train, test := map[string][]sample{}, map[string][]sample{}
	unseen := map[int]bool{} // a game that is asked about on one side is not learnt from on the other
	for _, name := range names {
		cut := len(by[name]) * 4 / 5
		test[name] = by[name][cut:]
		for _, x := range test[name] {
			unseen[x.game] = true
		}
	}
	for _, name := range names {
		train[name] = slices.DeleteFunc(slices.Clone(by[name][:len(by[name])*4/5]), func(x sample) bool { return unseen[x.game] })
	}
	s, err := learn(ctx, g, names, train, least, lessons)
	if err != nil {
		return nil, err
	}
	a := &Authorship{Players: len(names), Chance: 1 / float64(len(names))}
	seen := newStamps()
	for _, name := range names {
		for _, x := range test[name] {
			list := s.guesses(g.List[x.game].habits(nil, x.side, seen))
			a.Tried++
			switch at := slices.IndexFunc(list, func(q Guess) bool { return q.Name == name }); {
			case at == 0:
				a.First++
				a.Five++
			case at < 5:
				a.Five++
			}
		}
	}
	a.Most = float64(len(test[names[0]])) / float64(a.Tried)
	a.First, a.Five = a.First/float64(a.Tried), a.Five/float64(a.Tried)
	return a, nil
}
