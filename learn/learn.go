// Package learn is what programs that learn from games have in common: a [Learner] looks
// at games and becomes a [Model], which prefers some moves to others and can tell why. The
// methods are those of the first thirty years, each in a package below this one with a
// [Card] that says where it is from.
//
// What they learn from is one thing: at every position of a game with a choice, which of
// the moves was made. [Held] keeps openings aside to measure them by.
package learn

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"qipu/board"
	"qipu/engine"
	"qipu/game"
	"qipu/record"
)

// Card says what a method is.
type Card struct {
	Name    string // "samuel67"
	Title   string
	Year    int
	People  string
	Learns  string // what is learnt
	From    string // from what
	How     string //
	Kept    string // how it is kept
	Effect  string // what its author reported
	Reading string // what is our reading of it
}

// Learner learns from games, shown one after the other.
type Learner interface {
	Card() *Card
	Look(g *record.Played)

	// Done returns what was learnt; an error says in a sentence why there is nothing.
	Done() (Model, error)
}

// Model is what was learnt about the moves of a game.
type Model interface {
	// Prefer appends how much each of the legal moves of a position is liked, for the side
	// to move; more is better. The position is as it was when it returns.
	Prefer(dst []float64, p game.Position, moves []game.Move) []float64

	// Judge tells how good a position is for the side that has just moved into it, in a
	// measure of its own; ok is false where the method likes moves and not positions.
	Judge(p game.Position) (v float64, ok bool)

	// Lines tells what was learnt, what counts most first.
	Lines() []Line
}

// Line is a thing that was learnt.
type Line struct {
	Text   string  // what it is about
	Value  float64 // between -1 and 1
	Weight int     // how often it was met
}

// ErrNothing is why nothing was learnt: there was nothing to learn from.
var ErrNothing = errors.New("there is no position with a choice in these games: nothing can be learnt")

// openingPlies is how long games have to be alike to be of one opening.
const openingPlies = 8

// Held reports whether the opening of a game is kept aside, as one of five is. Games that
// begin alike, and pictures of each other in a mirror, are kept together, so that no copy
// of a game is learnt from that others are measured by.
func Held(g *record.Played, seed uint64) bool {
	return Fold(g, seed)%5 == 0
}

// Fold returns a number that games of one opening share.
func Fold(g *record.Played, seed uint64) uint64 {
	p, err := g.Rules.Arrange(g.Start)
	if err != nil {
		return 0
	}
	for i, s := range g.Steps {
		if i == openingPlies || p.Play(s.Move) != nil {
			break
		}
	}
	setup := game.SetupOf(p)
	key := p.Hash()
	for _, sym := range g.Rules.Info().Symmetries[1:] {
		if q, err := g.Rules.Arrange(setup.Transform(g.Rules, sym)); err == nil {
			key = min(key, q.Hash())
		}
	}
	return board.Mix(key ^ board.Mix(seed))
}

// Choices goes through a game and tells each position with a choice that players met: the
// legal moves, and which of them was made. It ends where the rules refuse a move, and where
// tell returns false. Shuffled, the move told is any of them, by chance: what nobody can
// learn from.
func Choices(g *record.Played, shuffled *rand.Rand, tell func(p game.Position, moves []game.Move, made int) bool) {
	if g.Start.Board == nil {
		return
	}
	p, err := g.Rules.Arrange(g.Start)
	if err != nil {
		return
	}
	var moves []game.Move
	for _, s := range g.Steps {
		moves = p.AppendMoves(moves[:0])
		made := -1
		for i, m := range moves {
			if m == s.Move {
				made = i
			}
		}
		if made >= 0 && len(moves) > 1 {
			told := made
			if shuffled != nil {
				told = shuffled.IntN(len(moves))
			}
			if !tell(p, moves, told) {
				return
			}
		}
		if p.Play(s.Move) != nil {
			return
		}
	}
}

// Score is how well moves of games were foretold.
type Score struct {
	Positions int
	First     float64 // share of positions in which the move that was made is liked most
	Chance    float64 // the same for a move by chance
	C         float64 // (L-H)/(L+H): of the other moves, L are liked less than the one made, H more
	Games     []GameScore
}

// GameScore is the score within a game.
type GameScore struct {
	Positions     int
	First         float64 // positions; one that is liked as much as others counts for its share
	Lower, Higher float64
	chance        float64
}

// Measure holds a model against a game.
func Measure(m Model, g *record.Played, shuffled *rand.Rand) (s GameScore) {
	var liked []float64
	Choices(g, shuffled, func(p game.Position, moves []game.Move, made int) bool {
		liked = m.Prefer(liked[:0], p, moves)
		lower, higher, same := 0, 0, 1
		for i, v := range liked {
			switch {
			case i == made:
			case v < liked[made]:
				lower++
			case v > liked[made]:
				higher++
			default:
				same++
			}
		}
		s.Positions++
		if higher == 0 {
			s.First += 1 / float64(same)
		}
		s.Lower += float64(lower)
		s.Higher += float64(higher)
		s.chance += 1 / float64(len(moves))
		return true
	})
	return s
}

// Sum adds up the scores of games.
func Sum(list []GameScore) Score {
	s := Score{Games: list}
	var lower, higher float64
	for _, g := range list {
		s.Positions += g.Positions
		s.First += g.First
		s.Chance += g.chance
		lower += g.Lower
		higher += g.Higher
	}
	if s.Positions > 0 {
		s.First /= float64(s.Positions)
		s.Chance /= float64(s.Positions)
	}
	if lower+higher > 0 {
		s.C = (lower - higher) / (lower + higher)
	}
	return s
}

// Better returns in which share of samples of games, drawn again and again, the first of
// two scores over the same games has no higher C than the second: small where it is better
// beyond chance.
func Better(a, b []GameScore, samples int, seed uint64) float64 {
	rng := rand.New(rand.NewPCG(seed, 0xB007))
	worse := 0
	for range samples {
		var la, ha, lb, hb float64
		for range a {
			i := rng.IntN(len(a))
			la, ha, lb, hb = la+a[i].Lower, ha+a[i].Higher, lb+b[i].Lower, hb+b[i].Higher
		}
		if (la-ha)/(la+ha) <= (lb-hb)/(lb+hb) {
			worse++
		}
	}
	return float64(worse) / float64(samples)
}

// Set is positions with a choice, each move with its factors: what the learners of
// factors keep while they look.
type Set struct {
	Of      engine.Factors
	Factors []int8  // of all moves, one behind the other
	Ends    []int32 // of each position: the moves up to its last one
	Made    []uint8 // which of its moves was made
	Phase   []uint8 // how many pieces there are, at most 255
	full    bool
}

// maxMoves bounds what a Set keeps: moves of all positions.
const maxMoves = 4 << 20

// Look adds the positions of a game.
func (s *Set) Look(g *record.Played) {
	Choices(g, nil, func(p game.Position, moves []game.Move, made int) bool {
		last := int32(0)
		if n := len(s.Ends); n > 0 {
			last = s.Ends[n-1]
		}
		if int(last)+len(moves) > maxMoves || len(moves) > 255 {
			s.full = true
			return len(moves) > 255 && int(last)+len(moves) <= maxMoves
		}
		s.Factors = After(s.Factors, s.Of, p, moves)
		s.Ends = append(s.Ends, last+int32(len(moves)))
		s.Made = append(s.Made, uint8(made))
		s.Phase = append(s.Phase, Phase(p))
		return true
	})
}

// At returns the first move of a position, how many it has and which was made.
func (s *Set) At(i int) (first, n, made int) {
	if i > 0 {
		first = int(s.Ends[i-1])
	}
	return first, int(s.Ends[i]) - first, int(s.Made[i])
}

// Check tells why nothing can be learnt, if so.
func (s *Set) Check() error {
	if len(s.Ends) == 0 {
		return ErrNothing
	}
	return nil
}

// Same tells where a model that was read is not about the factors that there are today:
// it was taught by another version of the program.
func Same(names []string, of engine.Factors, lengths ...int) error {
	if !slices.Equal(names, of.Names()) {
		return fmt.Errorf("it was taught by another version of the program, with other factors: teach it anew")
	}
	for _, n := range lengths {
		if n != len(names) {
			return fmt.Errorf("it has %d numbers for %d factors", n, len(names))
		}
	}
	return nil
}

// After appends the factors of the positions behind moves, for the side that makes them.
func After(dst []int8, of engine.Factors, p game.Position, moves []game.Move) []int8 {
	side := p.Turn()
	for _, m := range moves {
		if err := p.Play(m); err != nil {
			panic(fmt.Sprintf("learn: a listed move is refused: %v", err))
		}
		dst = of.AppendFactors(dst, p, side)
		p.Undo()
	}
	return dst
}

// Phase tells how far a game has come: how many pieces there are.
func Phase(p game.Position) uint8 {
	planes, _ := game.Shown(p)
	if planes == nil {
		return 0
	}
	n := 0
	for i := range planes.Of {
		n += planes.Of[i].Count()
	}
	return uint8(min(n, 255))
}
