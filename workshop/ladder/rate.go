package ladder

import "math"

// Rating is the strength of a player.
type Rating struct {
	Player string  `json:"player"`
	Elo    float64 `json:"elo"`    // above the first player
	Margin float64 `json:"margin"` // half of the interval of 95 per cent, as a distance to the mean of all
	Games  int     `json:"games"`

	// Against the player before: points of games, the share that the ratings
	// expect, and whether the two are told apart with 95 per cent.
	Points float64 `json:"points"`
	Met    int     `json:"met"`
	Share  float64 `json:"share"`
	Apart  bool    `json:"apart"`

	Nodes float64 `json:"nodes"` // for a move
}

// certainty is the number of standard errors of an interval of 95 per cent.
const certainty = 1.96

// scale turns the natural logarithm of odds into Elo.
var scale = 400 / math.Ln10

// Rate returns the ratings of players, in their order, from what happened between
// them. A game counts as a trial of its own; that two games of a pair begin alike,
// and that games are drawn, makes the truth a little surer than the margins say.
// Every player has half a drawn pair against an unseen one of mean strength, so
// that one who always won has a rating, too.
func Rate(players []string, pairs []Pair) []Rating {
	n := len(players)
	at := map[string]int{}
	list := make([]Rating, n)
	for i, p := range players {
		at[p], list[i].Player = i, p
	}
	games, points := square(n), square(n)
	nodes, moves := make([]float64, n), make([]float64, n)
	for i := range pairs {
		p := &pairs[i]
		a, ok := at[p.A]
		b, ok2 := at[p.B]
		if !ok || !ok2 {
			continue
		}
		games[a][b] += 2
		games[b][a] += 2
		points[a][b] += p.Points
		points[b][a] += 2 - p.Points
		for k, who := range []int{a, b} {
			list[who].Games += 2
			nodes[who] += float64(p.Nodes[k])
			moves[who] += float64(p.Moves[k])
		}
	}
	strength, covariance := fit(games, points)
	for i := range list {
		r := &list[i]
		r.Elo = scale * (strength[i] - strength[0])
		r.Margin = certainty * scale * math.Sqrt(covariance[i][i])
		r.Nodes = nodes[i] / max(moves[i], 1)
		if i == 0 {
			continue
		}
		gap := strength[i] - strength[i-1]
		r.Points, r.Met = points[i][i-1], int(games[i][i-1])
		r.Share = 1 / (1 + math.Exp(-gap))
		r.Apart = gap > certainty*deviation(covariance, i, i-1)
	}
	return list
}

// deviation is the standard error of the distance of two players.
func deviation(c [][]float64, i, j int) float64 {
	return math.Sqrt(max(c[i][i]+c[j][j]-2*c[i][j], 0))
}

// prior is the weight of the drawn games against the unseen player.
const prior = 0.5

// fit returns the strengths under which the points are likeliest, with a mean of
// nothing, and their covariance: Newton's method on a function with one peak.
func fit(games, points [][]float64) (strength []float64, covariance [][]float64) {
	n := len(games)
	strength = make([]float64, n)
	for range 100 {
		slope := make([]float64, n)
		bend := square(n)
		for i := range n {
			e := 1 / (1 + math.Exp(-strength[i]))
			slope[i] = prior * (0.5 - e)
			bend[i][i] = prior * e * (1 - e)
		}
		for i := range n {
			for j := range n {
				if games[i][j] == 0 {
					continue
				}
				e := 1 / (1 + math.Exp(strength[j]-strength[i]))
				slope[i] += points[i][j] - games[i][j]*e
				bend[i][i] += games[i][j] * e * (1 - e)
				bend[i][j] -= games[i][j] * e * (1 - e)
			}
		}
		covariance = inverse(bend)
		step := 0.0
		for i := range n {
			d := 0.0
			for j := range n {
				d += covariance[i][j] * slope[j]
			}
			// A step of Newton's may go too far where a player won all games.
			d = max(-1, min(1, d))
			strength[i] += d
			step = max(step, math.Abs(d))
		}
		if step < 1e-9 {
			break
		}
	}
	return strength, centred(covariance)
}

// centred is the covariance of the distances to the mean of all.
func centred(c [][]float64) [][]float64 {
	n := len(c)
	row, all := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			row[i] += c[i][j] / float64(n)
		}
		all += row[i] / float64(n)
	}
	out := square(n)
	for i := range n {
		for j := range n {
			out[i][j] = c[i][j] - row[i] - row[j] + all
		}
	}
	return out
}

func square(n int) [][]float64 {
	m := make([][]float64, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// inverse of a matrix that is symmetric and positive definite: Gauss and Jordan.
func inverse(m [][]float64) [][]float64 {
	n := len(m)
	out := square(n)
	for i := range n {
		out[i][i] = 1
	}
	for i := range n {
		d := m[i][i]
		for j := range n {
			m[i][j] /= d
			out[i][j] /= d
		}
		for k := range n {
			if f := m[k][i]; k != i && f != 0 {
				for j := range n {
					m[k][j] -= f * m[i][j]
					out[k][j] -= f * out[i][j]
				}
			}
		}
	}
	return out
}
