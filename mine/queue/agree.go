package queue

import "slices"

// Agreement is how far two readers say the same of the findings that both have read.
type Agreement struct {
	Readers  [2]string
	Findings int     // that both have read
	Same     float64 // the share of which they say the same
	Chance   float64 // the share that they would by chance, each saying what he says as often
	Kappa    float64 // Cohen's: 0 is chance, 1 is all; 1 where both always say the same one thing
}

// Readers returns the names of all who have given verdicts, in the order of letters.
func (q *Queue) Readers() (list []string) {
	for i := range q.Findings {
		for _, v := range q.Findings[i].Verdicts {
			if !slices.Contains(list, v.Reader) {
				list = append(list, v.Reader)
			}
		}
	}
	slices.Sort(list)
	return list
}

// Agreements returns how far each two readers agree who have read a finding in common.
func (q *Queue) Agreements() (list []Agreement) {
	readers := q.Readers()
	for i, a := range readers {
		for _, b := range readers[i+1:] {
			if x := q.agree(a, b); x.Findings > 0 {
				list = append(list, x)
			}
		}
	}
	return list
}

func (q *Queue) agree(a, b string) Agreement {
	said := map[[2]string]int{}
	of := [2]map[string]int{{}, {}}
	x := Agreement{Readers: [2]string{a, b}}
	same := 0
	for i := range q.Findings {
		var says [2]string
		for _, v := range q.Findings[i].Verdicts {
			switch v.Reader {
			case a:
				says[0] = v.Says
			case b:
				says[1] = v.Says
			}
		}
		if says[0] == "" || says[1] == "" {
			continue
		}
		x.Findings++
		said[says]++
		of[0][says[0]]++
		of[1][says[1]]++
		if says[0] == says[1] {
			same++
		}
	}
	if x.Findings == 0 {
		return x
	}
	n := float64(x.Findings)
	x.Same = float64(same) / n
	for _, word := range Words() {
		x.Chance += float64(of[0][word]) / n * float64(of[1][word]) / n
	}
	if x.Chance < 1 {
		x.Kappa = (x.Same - x.Chance) / (1 - x.Chance)
	} else {
		x.Kappa = 1
	}
	return x
}
