package puct

import (
	"qipu/board"
	"qipu/engine"
	"qipu/game/weiqi"
)

// What a move decides: strings whose fate was open before it and is not behind it.
const (
	openChance = 0.25 // to stay or to go, at least, of strings whose fate is open
	sureChance = 0.9
)

// decide tells what the moves of a report decide, as the net sees the board before and
// behind each of them: looks that the search has mostly had.
func (e *Engine) decide(r *engine.Report, p *weiqi.Position, last []board.Point) error {
	w := e.workers[0]
	w.begin(p, last, w.seed)
	w.moves = w.moves[:0]
	if err := w.see(); err != nil {
		return err
	}
	size := p.Planes().Size
	// stays returns the chance of a string to stay, for the side that owner speaks for.
	var stones []board.Point
	stays := func(owner []float64, mover bool) (sum float64) {
		for _, at := range stones {
			x := owner[size.Index(at)]
			if !mover {
				x = 1 - x
			}
			sum += x / float64(len(stones))
		}
		return sum
	}
	type open struct {
		at     board.Point
		mine   bool
		stones []board.Point
	}
	var strings []open
	all := p.Planes().Occupied()
	for at := range all.Points() {
		if p.Head(at) != at {
			continue
		}
		side, _ := p.SideAt(at)
		mine := side == p.Turn()
		stones = p.AppendString(nil, at)
		if x := stays(w.sight.Owner, mine); x > openChance && x < 1-openChance {
			strings = append(strings, open{at, mine, stones})
		}
	}
	turn := p.Turn()
	for i := range r.Lines {
		l := &r.Lines[i]
		if len(strings) == 0 || !w.forth(l.Move) {
			continue
		}
		err := w.see()
		for _, s := range strings {
			side := turn
			if !s.mine {
				side = 1 - turn
			}
			stones = s.stones
			if x := stays(w.sight.Owner, !s.mine); x >= sureChance || x <= 1-sureChance {
				l.Settles = append(l.Settles, engine.Fate{At: s.at, Side: side, Lives: x >= sureChance})
			}
		}
		w.back()
		w.moves = w.moves[:0]
		if err != nil {
			return err
		}
	}
	return nil
}
