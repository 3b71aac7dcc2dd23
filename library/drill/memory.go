package drill

import (
	"math"
	"time"
)

// Memory is how well somebody knows one exercise.
type Memory struct {
	Stability  float64 // days until it is recalled nine times in ten; 0 for what was never seen
	Difficulty float64 // 1 to 10
	Last       time.Time
	Times      int // it was done
	Lapses     int // of these, how often it was wrong
}

// Parameters are those of how memory grows and fades.
type Parameters struct {
	First, Failed       float64 // days of stability behind a first answer, right or wrong
	Growth, Ageing, Gap float64 // of a right answer: how much it adds, less for what is stable, more for what was nearly forgotten
	Left, Rest          float64 // of a wrong one: what is left, and by which power of what there was
}

// Usual are the parameters of those whose answers are too few for their own.
var Usual = Parameters{First: 3, Failed: 0.6, Growth: 0.35, Ageing: 0.15, Gap: 5, Left: 1, Rest: 0.3}

const day = 24 * time.Hour

// Recall returns how likely the exercise is known at a time.
func (m Memory) Recall(now time.Time) float64 {
	if m.Stability == 0 {
		return 0
	}
	days := max(float64(now.Sub(m.Last))/float64(day), 0)
	return 1 / (1 + days/(9*m.Stability))
}

// Due returns when the exercise will be known with a likelihood no more.
func (m Memory) Due(recall float64) time.Time {
	return m.Last.Add(time.Duration(9 * m.Stability * (1/recall - 1) * float64(day)))
}

// After returns the memory behind an answer.
func (p Parameters) After(m Memory, right bool, now time.Time) Memory {
	known := m.Recall(now)
	switch {
	case m.Times == 0:
		m.Difficulty = 5
		if m.Stability = p.Failed; right {
			m.Stability = p.First
		}
	case right:
		m.Stability *= 1 + p.Growth*(11-m.Difficulty)*math.Pow(m.Stability, -p.Ageing)*(math.Exp(p.Gap*(1-known))-1)
	default:
		m.Stability = min(m.Stability, p.Left*math.Pow(m.Stability, p.Rest))
	}
	if right {
		m.Difficulty += 0.1 * (5 - m.Difficulty)
	} else {
		m.Difficulty = min(m.Difficulty+1, 10)
		m.Lapses++
	}
	m.Stability = min(max(m.Stability, 0.1), 36500)
	m.Last = now
	m.Times++
	return m
}

// enough is how many answers to what was seen before are enough for parameters of one's own.
const enough = 200

// Fit returns the parameters under which the answers of somebody are the most likely;
// the usual ones where there are too few. The answers are in the order of their times.
func Fit(answers []Answer) Parameters {
	seen := map[string]bool{}
	again := 0
	for _, a := range answers {
		if seen[a.Exercise] {
			again++
		}
		seen[a.Exercise] = true
	}
	best := Usual
	if again < enough {
		return best
	}
	least := loss(best, answers)
	for round := 0; round < 40; round++ {
		better := false
		step := math.Pow(2, 1/float64(1+round/4))
		for i := range 7 {
			for _, by := range []float64{step, 1 / step} {
				p := best
				*[]*float64{&p.First, &p.Failed, &p.Growth, &p.Ageing, &p.Gap, &p.Left, &p.Rest}[i] *= by
				if l := loss(p, answers); l < least {
					best, least, better = p, l, true
				}
			}
		}
		if !better && round > 20 {
			break
		}
	}
	return best
}

// loss is how unlikely answers are.
func loss(p Parameters, answers []Answer) (sum float64) {
	memory := map[string]Memory{}
	for _, a := range answers {
		m := memory[a.Exercise]
		if m.Times > 0 {
			known := min(max(m.Recall(a.At), 0.001), 0.999)
			if !a.Right {
				known = 1 - known
			}
			sum -= math.Log(known)
		}
		memory[a.Exercise] = p.After(m, a.Right, a.At)
	}
	return sum
}
