package knowledge

import (
	"slices"
	"sync"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
	"qipu/pattern/advise"
	"qipu/pattern/kb"
)

// adviserOf returns who advises by a base, made when it is first asked for.
func adviserOf(b *kb.Base, c *advise.Conditions) func() (*advise.Adviser, error) {
	return sync.OnceValues(func() (*advise.Adviser, error) {
		return advise.New(b, advise.Options{Conditions: c, Safety: new(judgedSafety)})
	})
}

// judgedSafety is what is proved of life and death, for the conditions of shapes.
// What the verdict weighs is left out: it is learned from ends of games, and while
// a game goes on professionals play what it would refuse as often as other advice.
// It costs about a tenth of a millisecond a position.
type judgedSafety struct{ judges judge.Pool }

func (s *judgedSafety) Opinion(p *weiqi.Position) (o advise.Opinion) {
	s.judges.Do(func(j *judge.Judge) {
		r, err := j.Judge(p, judge.Options{Method: "static"})
		if err != nil {
			return // then nothing is known
		}
		b := j.Board()
		for _, c := range b.On {
			at := c.Point()
			v := r.At(b, at)
			switch {
			case v == nil && (r.Owner[at] == life.OwnedByBlack || r.Owner[at] == life.OwnedByWhite):
				o.Land[life.Stone(r.Owner[at]).Side()].Add(at)
			case v != nil && v.Proved && v.Status == life.Alive:
				o.Safe.Add(at)
			case v != nil && v.Proved && v.Status == life.Dead:
				o.Dead.Add(at)
			}
		}
	})
	return o
}

// Advise returns what the shapes of the base say of a position, point by point,
// the most urgent first. It plays on the position and takes the moves back, so
// nobody else may use it meanwhile.
func (s *Shapes) Advise(p *weiqi.Position, ask advise.Ask) ([]advise.Point, error) {
	a, err := s.adviser()
	if err != nil {
		return nil, err
	}
	return advise.Merge(a.Advise(p, ask)), nil
}

// Covers returns the points of a board that the shape of an advice speaks of, row
// by row.
func Covers(a *advise.Advice, size board.Size) (list []board.Point) {
	e := a.Entry
	for i, set := range e.Cells {
		if p := a.Hit.Point(e.Size, i%e.Size.W, i/e.Size.W); set != kb.Any && size.Has(p) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return list
}

// Reasons returns what speaks of a point in the order in which people want to
// read it: what stands before what is refused, and shapes that people wrote before
// mined ones, of which many may say the same. At most so many are returned; 0 is
// all.
func Reasons(p *advise.Point, most int) []advise.Advice {
	rank := func(a *advise.Advice) int {
		n := 0
		if a.Refused != "" {
			n += 2
		}
		if a.Entry.Origin == kb.Mined {
			n++
		}
		return n
	}
	list := slices.Clone(p.Advice)
	slices.SortStableFunc(list, func(a, b advise.Advice) int { return rank(&a) - rank(&b) })
	if most > 0 && len(list) > most {
		list = list[:most]
	}
	return list
}
