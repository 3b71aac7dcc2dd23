package sight

import (
	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/judge"
	"qipu/game/weiqi/life"
)

// Judge returns a judge of life and death with an eye; without one where the net
// cannot be read.
func Judge() *judge.Judge {
	e, err := New()
	if err != nil {
		return judge.New()
	}
	return judge.Seeing(&guesser{eye: e})
}

// Look tells what the net says of the next move.
func (e *guesser) Look(p *weiqi.Position, last []board.Point) (moves, mine []float64, pass float64, err error) {
	err = e.eye.Look(&e.sight, p, last[:min(len(last), Recent)], 0)
	return e.sight.Moves, e.sight.Owner, e.sight.Pass, err
}

// guesser looks at boards for a judge.
type guesser struct {
	eye   *Eye
	sight Sight
}

// looks is in how many ways a board is looked at for one guess.
const looks = 2

// Guess looks at a board. The last moves are not told: a board has none.
func (e *guesser) Guess(p *weiqi.Position, g *life.Guess) error {
	*g = life.Guess{}
	for k := range looks {
		if err := e.eye.Look(&e.sight, p, nil, uint(k*5)); err != nil {
			return err
		}
		s := &e.sight
		if p.Turn() == weiqi.White {
			for i := range s.Owner {
				s.Owner[i] = 1 - s.Owner[i]
			}
			s.Win, s.Lead = 1-s.Win, -s.Lead
		}
		for i, x := range s.Owner {
			g.Black[board.At(i%s.Size.W, i/s.Size.W)] += x / looks
		}
		g.Win += s.Win / looks
		g.Lead += s.Lead / looks
		g.Spread += s.Spread / looks
	}
	return nil
}
