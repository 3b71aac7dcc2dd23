package retrieve

import (
	"math"
	"strconv"
)

// Year is one year of a trend.
type Year struct {
	Year  int     `json:"year"`
	Games int     `json:"games"` // that were found
	Of    int     `json:"of"`    // that there are
	Share float64 `json:"share"`
	Low   float64 `json:"low"` // the 95 % interval of Wilson
	High  float64 `json:"high"`
	Rate  float64 `json:"rate"` // of the first side, as in Score.Rate
	Rated int     `json:"rated"`
}

// Trend is how the share of the games that a query finds went over the years.
type Trend struct {
	Years []Year `json:"years"`

	// Change is by what factor the odds change in ten years, with its 95 %
	// interval: the slope of a logistic regression over all games with a date.
	// Where the years differ by more than chance around the curve, the interval
	// is as much wider (quasi-binomial).
	Change float64 `json:"change"`
	Low    float64 `json:"low"`
	High   float64 `json:"high"`

	// Direction is rising or falling where the interval does not hold 1, and
	// steady else; unknown with fewer than three years or no hits.
	Direction string `json:"direction"`
}

// TrendOf returns the trend of games by year among others: of an answer that is
// grouped by year among those of a wider query.
func TrendOf(found, all []Group) *Trend {
	byYear := map[string]*Group{}
	for i := range found {
		byYear[found[i].Key] = &found[i]
	}
	t := &Trend{Direction: "unknown", Years: []Year{}}
	hits := 0
	for i := range all {
		year, err := strconv.Atoi(all[i].Key)
		if err != nil {
			continue // games without a year
		}
		y := Year{Year: year, Of: all[i].Count}
		if g := byYear[all[i].Key]; g != nil {
			y.Games = min(g.Count, y.Of)
			y.Rated = g.First + g.Second + g.Draws
			y.Rate, _, _ = g.Rate()
		}
		y.Share, y.Low, y.High = wilson(float64(y.Games), float64(y.Of))
		hits += y.Games
		t.Years = append(t.Years, y)
	}
	if len(t.Years) < 3 || hits == 0 {
		return t
	}
	slope, err, ok := t.logistic()
	if !ok {
		return t
	}
	const decade = 10
	t.Change = math.Exp(decade * slope)
	t.Low, t.High = math.Exp(decade*(slope-z95*err)), math.Exp(decade*(slope+z95*err))
	switch {
	case t.Low > 1:
		t.Direction = "rising"
	case t.High < 1:
		t.Direction = "falling"
	default:
		t.Direction = "steady"
	}
	return t
}

// logistic fits log odds = a + b*(year - mean) by Newton's method and returns b
// with its standard error. It fails where the shares are all none or all.
func (t *Trend) logistic() (b, err float64, ok bool) {
	var n, mean, hits float64
	for _, y := range t.Years {
		n += float64(y.Of)
		hits += float64(y.Games)
		mean += float64(y.Of) * float64(y.Year)
	}
	if hits == 0 || hits == n {
		return 0, 0, false
	}
	mean /= n
	a := math.Log(hits / (n - hits))
	for range 50 {
		var ga, gb, haa, hab, hbb float64
		for _, y := range t.Years {
			x := float64(y.Year) - mean
			p := 1 / (1 + math.Exp(-(a + b*x)))
			w := float64(y.Of) * p * (1 - p)
			d := float64(y.Games) - float64(y.Of)*p
			ga, gb = ga+d, gb+d*x
			haa, hab, hbb = haa+w, hab+w*x, hbb+w*x*x
		}
		det := haa*hbb - hab*hab
		if !(det > 1e-12) {
			return 0, 0, false
		}
		da, db := (hbb*ga-hab*gb)/det, (haa*gb-hab*ga)/det
		a, b, err = a+da, b+db, math.Sqrt(haa/det)
		if math.Abs(da) < 1e-9 && math.Abs(db) < 1e-9 {
			return b, err * math.Sqrt(t.dispersion(a, b, mean)), true
		}
	}
	return 0, 0, false // all games of some years and none of the others: no slope is steep enough
}

// dispersion returns by how much more than chance the shares of years vary
// around the curve: Pearson's statistic for each degree of freedom, at least 1.
func (t *Trend) dispersion(a, b, mean float64) float64 {
	sum, years := 0.0, 0
	for _, y := range t.Years {
		n := float64(y.Of)
		p := 1 / (1 + math.Exp(-(a + b*(float64(y.Year)-mean))))
		if v := n * p * (1 - p); v > 0 {
			d := float64(y.Games) - n*p
			sum += d * d / v
			years++
		}
	}
	if years <= 2 {
		return 1
	}
	return max(1, sum/float64(years-2))
}

// Comparison is the rates of two answers side by side.
type Comparison struct {
	A, B float64 // the rates of the first side

	// Difference is B less A, with its 95 % interval (Newcombe's, from those of
	// Wilson).
	Difference float64
	Low, High  float64

	// P is the chance of a difference at least as large where there is none:
	// that of a test of two proportions, a draw counting as half a win.
	P float64
}

// Compare compares two scores. Where one has no results, everything is 0 and P
// is 1.
func Compare(a, b *Score) Comparison {
	na, nb := float64(a.First+a.Second+a.Draws), float64(b.First+b.Second+b.Draws)
	if na == 0 || nb == 0 {
		return Comparison{P: 1}
	}
	var c Comparison
	var la, ha, lb, hb float64
	c.A, la, ha = a.Rate()
	c.B, lb, hb = b.Rate()
	c.Difference = c.B - c.A
	c.Low = c.Difference - math.Hypot(c.B-lb, ha-c.A)
	c.High = c.Difference + math.Hypot(hb-c.B, c.A-la)
	p := (c.A*na + c.B*nb) / (na + nb)
	c.P = 1
	if s := math.Sqrt(p * (1 - p) * (1/na + 1/nb)); s > 0 {
		c.P = math.Erfc(math.Abs(c.Difference) / s / math.Sqrt2)
	}
	return c
}

// z95 is the quantile of the normal distribution for 95 %.
const z95 = 1.959964

// wilson returns a share and the interval of Wilson around it; everything where
// there is nothing to go by.
func wilson(hits, n float64) (share, low, high float64) {
	if n == 0 {
		return 0, 0, 1
	}
	share = hits / n
	centre := (share + z95*z95/(2*n)) / (1 + z95*z95/n)
	half := z95 / (1 + z95*z95/n) * math.Sqrt(share*(1-share)/n+z95*z95/(4*n*n))
	return share, max(centre-half, 0), min(centre+half, 1)
}
