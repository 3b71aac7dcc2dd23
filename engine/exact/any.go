package exact

import (
	"errors"

	"qipu/game"
)

// anyGame reads games in which no position comes back. Positions are remembered by
// their texts.
type anyGame struct {
	*meter
	r     game.Rules
	p     game.Position
	known map[string]span
	path  map[string]bool
	room  int
	move  game.Move
}

// span is what is known of a value.
type span struct{ low, high int16 }

const wide = 1 << 14

var errRepeats = errors.New("positions of this game can come back: it cannot be read to its end so")

// textCost is about what a text and its span cost in memory.
const textCost = 160

func solveAny(m *meter, r game.Rules, p game.Position, l Limits) (*Answer, error) {
	s := &anyGame{meter: m, r: r, p: p, known: map[string]span{}, path: map[string]bool{}, room: int(l.Memory / textCost)}
	side, best := p.Turn(), game.NoMove
	v := search(m, -wide+1, wide-1, 0, func(want int) bool {
		yes := s.atLeast(side, want, 0)
		if yes && m.stop == nil {
			best = s.move
		}
		return yes
	})
	return &Answer{Value: v, Move: best, Kept: int64(len(s.known))}, m.stop
}

// ended returns what a game that is over is worth to a side.
func ended(o game.Outcome, side game.Side) (int, error) {
	v := 0
	switch o.State {
	case game.Won:
		v = 1
		if o.Margin > 0 {
			v = o.Margin / 2
		}
		if o.Winner != side {
			v = -v
		}
	case game.Unscored:
		return 0, errors.New("games of this kind are counted by agreement")
	}
	return v, nil
}

// atLeast reports whether a side gets at least so much.
func (s *anyGame) atLeast(side game.Side, want, ply int) bool {
	if s.step() {
		return false
	}
	if o := s.p.Outcome(); o.Over() {
		v, err := ended(o, side)
		if err != nil || o.Claim {
			s.stop = errRepeats
			if err != nil {
				s.stop = err
			}
		}
		return v >= want
	}
	// The bounds in memory are those of the first side that asks: all questions of one
	// reading are about the side of the root.
	key := game.FormatPosition(s.r, s.p)
	known, ok := s.known[key]
	if !ok {
		known = span{-wide, wide}
	}
	if ply > 0 {
		switch {
		case int(known.low) >= want:
			s.hits++
			return true
		case int(known.high) < want:
			s.hits++
			return false
		}
	}
	if s.path[key] {
		s.stop = errRepeats
		return false
	}
	s.path[key] = true
	own := s.p.Turn() == side
	yes := !own
	for _, m := range s.p.AppendMoves(nil) {
		if err := s.p.Play(m); err != nil {
			s.stop = err
			break
		}
		v := s.atLeast(side, want, ply+1)
		s.p.Undo()
		if s.stop != nil {
			break
		}
		if v == own {
			if yes = own; ply == 0 {
				s.move = m
			}
			break
		}
	}
	delete(s.path, key)
	if s.stop != nil {
		return false
	}
	if yes {
		known.low = max(known.low, int16(want))
	} else {
		known.high = min(known.high, int16(want-1))
	}
	if ok || len(s.known) < s.room {
		s.known[key] = known
	}
	return yes
}
