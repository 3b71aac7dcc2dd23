package mine

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"qipu/board"
	"qipu/pattern/kb"
)

// Coverage tells how much of play a base explains.
type Coverage struct {
	Games int `json:"games"`
	Moves int `json:"moves"`

	// Covered counts the moves on a good point of some shape, for the side that
	// made them; Suggested are all such points of all positions.
	Covered   int `json:"covered"`
	Suggested int `json:"suggested"`

	// Top1 and Top5 count the moves on the first, and among the first five, of
	// the good points in the order of their scores.
	Top1 int `json:"top1"`
	Top5 int `json:"top5"`

	// Avoided counts the moves on a point that a shape says to avoid, and that no
	// other shape calls good; Warned are all such points of all positions.
	Avoided int `json:"avoided"`
	Warned  int `json:"warned"`
}

func (c *Coverage) add(d *Coverage) {
	c.Games += d.Games
	c.Moves += d.Moves
	c.Covered += d.Covered
	c.Suggested += d.Suggested
	c.Top1 += d.Top1
	c.Top5 += d.Top5
	c.Avoided += d.Avoided
	c.Warned += d.Warned
}

// Measure plays games and asks the shapes of a base for the good points before
// every move. Points are ranked by the best rate of the shapes that call them
// good, those of shapes that have just come to stand before the others: what the
// last moves have changed is what most moves answer. Shapes without evidence
// count by their urgency.
func Measure(ctx context.Context, base *kb.Base, evidence map[string]*kb.Evidence, games iter.Seq2[Game, error], o Options) (Coverage, error) {
	set, err := compile(base.Entries)
	if err != nil {
		return Coverage{}, err
	}
	rates := make([][2]float32, len(base.Entries))
	for i := range base.Entries {
		rates[i] = scores(&base.Entries[i], evidence[base.Entries[i].ID])
	}
	var all []*Coverage
	err = each(ctx, games, &o, func() func(*Game) {
		own := new(Coverage)
		all = append(all, own)
		w := newWatch(set)
		var r ranking
		return func(g *Game) {
			own.Games++
			g.replay(w.begin, func(m *move) bool {
				r.fill(base, rates, w, m)
				own.Moves++
				own.Suggested += len(r.good)
				switch i := r.rank(m.to); {
				case i == 0:
					own.Top1++
					fallthrough
				case i > 0 && i < 5:
					own.Top5++
					fallthrough
				case i >= 0:
					own.Covered++
				}
				for _, p := range r.bad {
					if r.score[p] == 0 {
						own.Warned++
						if p == m.to {
							own.Avoided++
						}
					}
				}
				w.step(m)
				return true
			})
		}
	})
	var total Coverage
	for _, own := range all {
		total.add(own)
	}
	return total, err
}

// scores returns what a shape adds to a good point of own and of the enemy: how
// often such a point is played, or a guess by urgency.
func scores(e *kb.Entry, v *kb.Evidence) (s [2]float32) {
	if v == nil || v.Print != e.Fingerprint() || v.Seen == 0 {
		guess := float32(e.Urgency) / 20
		return [2]float32{guess, guess}
	}
	// Two occurrences that were not played steady what is rarely seen.
	rate := func(played, points int) float32 {
		return float32(played) / float32(v.Seen+2) / float32(max(points, 1))
	}
	return [2]float32{rate(v.Ours, len(e.Ours)), rate(v.Theirs, len(e.Theirs))}
}

// ranking is the good points of one position.
type ranking struct {
	score     [board.MaxPoints]float32 // 0 for points that no shape calls good
	good, bad []board.Point
	isBad     [board.MaxPoints]bool
}

// fill asks the hits of a watch about the move.
func (r *ranking) fill(base *kb.Base, rates [][2]float32, w *watch, m *move) {
	for _, p := range r.good {
		r.score[p] = 0
	}
	for _, p := range r.bad {
		r.isBad[p] = false
	}
	r.good, r.bad = r.good[:0], r.bad[:0]
	for i, h := range w.hits {
		e := &base.Entries[h.Shape]
		spots, score := e.Ours, rates[h.Shape][0]
		if h.Side() != m.side {
			spots, score = e.Theirs, rates[h.Shape][1]
		}
		if len(spots) == 0 {
			continue
		}
		if m.ply-int(w.since[i]) < 2 && m.ply > 0 {
			score++
		}
		for _, s := range spots {
			p := h.Point(e.Size, int(s.X), int(s.Y))
			if e.Avoids() {
				if !r.isBad[p] {
					r.isBad[p] = true
					r.bad = append(r.bad, p)
				}
				continue
			}
			score = max(score, 1e-6)
			if r.score[p] == 0 {
				r.good = append(r.good, p)
			}
			r.score[p] = max(r.score[p], score)
		}
	}
	slices.SortFunc(r.good, func(a, b board.Point) int {
		return cmp.Or(cmp.Compare(r.score[b], r.score[a]), cmp.Compare(a, b))
	})
}

// rank returns the place of a point among the good ones, or -1.
func (r *ranking) rank(p board.Point) int { return slices.Index(r.good, p) }
