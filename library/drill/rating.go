package drill

import "math"

// Rating is how strong somebody is, or how hard an exercise: both are on one scale. The
// true value lies within 1.96 times Doubt of Points in nineteen of twenty cases.
type Rating struct {
	Points float64 `json:"points"`
	Doubt  float64 `json:"doubt"`
}

// Unrated is the rating of whom nobody knows.
var Unrated = Rating{1500, 350}

// least is the doubt that is left, since people and what they can change.
const least = 45

const scale = math.Ln10 / 400

// weight is how much a result against somebody of a doubt tells.
func weight(doubt float64) float64 {
	return 1 / math.Sqrt(1+3*scale*scale*doubt*doubt/(math.Pi*math.Pi))
}

// Expect returns how likely one solves an exercise.
func (a Rating) Expect(b Rating) float64 {
	return 1 / (1 + math.Exp(-scale*weight(b.Doubt)*(a.Points-b.Points)))
}

// After returns a rating behind a result against another: 1 for a win, 0 for a loss. This
// is the method of Glickman (1999) for one game.
func (a Rating) After(b Rating, result float64) Rating {
	g, e := weight(b.Doubt), a.Expect(b)
	precision := 1/(a.Doubt*a.Doubt) + scale*scale*g*g*e*(1-e)
	return Rating{a.Points + scale/precision*g*(result-e), max(math.Sqrt(1/precision), least)}
}
