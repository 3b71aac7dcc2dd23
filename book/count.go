package book

import (
	"fmt"

	"qipu/game"
)

// Counts are games and how they ended, seen by one side. A game whose result is
// unknown is counted in N alone, one that was won by an unknown margin not in
// Scored.
type Counts struct {
	N      int `json:"n"`
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
	Scored int `json:"scored"` // games with a score
	Sum    int `json:"sum"`    // of these scores: see Unit
}

// Flip returns the counts as the other side sees them.
func (c Counts) Flip() Counts {
	c.Wins, c.Losses, c.Sum = c.Losses, c.Wins, -c.Sum
	return c
}

// Mean returns the mean of the scores; it reports false where there is none.
func (c Counts) Mean() (float64, bool) {
	if c.Scored <= 0 {
		return 0, false
	}
	return float64(c.Sum) / float64(c.Scored), true
}

// plus returns the counts with sign times those of another.
func (c Counts) plus(o Counts, sign int) Counts {
	c.N += sign * o.N
	c.Wins += sign * o.Wins
	c.Draws += sign * o.Draws
	c.Losses += sign * o.Losses
	c.Scored += sign * o.Scored
	c.Sum += sign * o.Sum
	return c
}

// Unit is what scores are counted in.
type Unit string

// The units.
const (
	Discs Unit = "discs" // the lead in discs at the end
	Share Unit = "share" // 1 for a game won, -1 for one lost
)

// UnitOf returns what scores of a game are counted in.
func UnitOf(r game.Rules) Unit {
	if r.Info().Discs {
		return Discs
	}
	return Share
}

// Verdict tells who has won a game.
type Verdict uint8

// The verdicts.
const (
	Unknown Verdict = iota
	FirstWon
	SecondWon
	Drawn
)

// Result is how a game ended.
type Result struct {
	Verdict Verdict
	Scored  bool
	Score   int // of the first side
}

// check tells what is wrong with a result.
func (r Result) check() error {
	switch {
	case r.Verdict > Drawn:
		return fmt.Errorf("book: verdict %d is none", r.Verdict)
	case r.Scored && (r.Score < -maxScore || r.Score > maxScore):
		return fmt.Errorf("book: a score of %d is beyond %d", r.Score, maxScore)
	case r.Scored && (r.Verdict == Unknown || r.Verdict == FirstWon && r.Score <= 0 || r.Verdict == SecondWon && r.Score >= 0 || r.Verdict == Drawn && r.Score != 0):
		return fmt.Errorf("book: a score of %d contradicts the verdict %d", r.Score, r.Verdict)
	}
	return nil
}

// outcome is the result of one game as one side sees it, in 16 bits: its score,
// or one of the codes below.
type outcome int16

const (
	maxScore         = 1000
	unknown  outcome = 2000
	won      outcome = 2001 // by an unknown margin
	lost     outcome = 2002
	drawn    outcome = 2003
)

// of returns the result as a side sees it.
func (r Result) of(side game.Side) outcome {
	score := r.Score
	if side == game.Second {
		score = -score
	}
	switch {
	case r.Scored:
		return outcome(score)
	case r.Verdict == Unknown:
		return unknown
	case r.Verdict == Drawn:
		return drawn
	case (r.Verdict == FirstWon) == (side == game.First):
		return won
	}
	return lost
}

// counts returns the counts of one game.
func (o outcome) counts() Counts {
	c := Counts{N: 1}
	switch {
	case o == unknown:
		return c
	case o == won:
		c.Wins = 1
		return c
	case o == lost:
		c.Losses = 1
		return c
	case o == drawn:
		c.Draws = 1
		return c
	case o > 0:
		c.Wins = 1
	case o < 0:
		c.Losses = 1
	default:
		c.Draws = 1
	}
	c.Scored, c.Sum = 1, int(o)
	return c
}
