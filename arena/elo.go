package arena

import "math"

// Score is what a match has come to, from the first player's side.
type Score struct {
	Games, Wins, Draws, Losses int

	// Pairs counts the pairs that are complete by what the first player made of
	// them: nothing, half a point, one, one and a half, two.
	Pairs [5]int

	Points float64 // of Games
	Elo    float64 // by which the first player is stronger
	Margin float64 // half of the interval that has the true Elo in 95 of 100 matches
	Better float64 // probability that the first player is the stronger one

	// LLR is the logarithm of how much likelier the second hypothesis of a
	// sequential test is than the first, and Verdict what it proves: "" as long
	// as it proves nothing. See SPRT.
	LLR     float64
	Verdict string
}

// SPRT is a sequential test: a match ends as soon as it proves one of two
// hypotheses.
type SPRT struct {
	Low, High float64 // Elo by the hypotheses
	Error     float64 // of either kind; default 0.05
}

// The verdicts of a test.
const (
	ProvesHigh = "high" // the first player is stronger by SPRT.High rather than by SPRT.Low
	ProvesLow  = "low"
)

// expected is the share of points by which a player is stronger.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

func elo(share float64) float64 { return 400 * math.Log10(share/(1-share)) }

// reckon fills in what follows from the counts. Where a match has been won to
// nothing, there is no upper end to the Elo: it is taken as if a half point had
// been lost. A match that is not sound has points and no Elo.
func (s *Score) reckon(test *SPRT, sound bool) {
	s.Points = float64(s.Wins) + float64(s.Draws)/2
	pairs, sum, squares := 0.0, 0.0, 0.0
	for i, n := range s.Pairs {
		share := float64(i) / 4
		pairs += float64(n)
		sum += share * float64(n)
		squares += share * share * float64(n)
	}
	s.Elo, s.Margin, s.Better, s.LLR, s.Verdict = 0, 0, 0.5, 0, ""
	if pairs == 0 || !sound {
		return
	}
	least := 1 / (4 * pairs)
	share := min(max(sum/pairs, least), 1-least)
	// The variance of a pair, never less than that of half a point in all.
	variance := max(squares/pairs-(sum/pairs)*(sum/pairs), least*(1-least)/4)
	deviation := math.Sqrt(variance / pairs)
	s.Elo = elo(share)
	low := elo(max(share-1.96*deviation, least/4))
	high := elo(min(share+1.96*deviation, 1-least/4))
	s.Margin = (high - low) / 2
	s.Better = 0.5 * math.Erfc(-(share-0.5)/(deviation*math.Sqrt2))
	if test == nil {
		return
	}
	p0, p1 := expected(test.Low), expected(test.High)
	s.LLR = (p1 - p0) * (2*share - p0 - p1) / (2 * variance / pairs)
	risk := test.Error
	if risk <= 0 {
		risk = 0.05
	}
	bound := math.Log((1 - risk) / risk)
	switch {
	case s.LLR >= bound:
		s.Verdict = ProvesHigh
	case s.LLR <= -bound:
		s.Verdict = ProvesLow
	}
}
