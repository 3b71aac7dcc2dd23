package checkers

import (
	"strconv"
	"strings"

	"qipu/game"
	"qipu/game/checkers/squares"
)

// errWays is why a capture by its ends alone is refused.
var errWays error = game.Illegal("several captures lead there: name every square on which the piece comes down")

// ParseMove reads numbers of squares with signs between them: 11-15, 15x22, 15x22x31.
// Of a capture the ends will do where they tell which it is.
func (Rules) ParseMove(pos game.Position, text string, _ game.Notation) (game.Move, error) {
	path, ok := numbers(text)
	if !ok {
		return game.NoMove, game.ErrSyntax
	}
	p := pos.(*Position)
	m := game.Step(pointOf[path[0]], pointOf[path[len(path)-1]])
	if !p.canJump(p.turn) {
		if len(path) > 2 {
			return game.NoMove, errJump
		}
		_, _, _, err := p.find(m)
		return m, err
	}
	found := 0
	for _, c := range p.captures() {
		if c.from != path[0] || c.to != path[len(path)-1] {
			continue
		}
		if len(path) == 2 {
			m = c.move()
			found++
		} else if p.leads(path, c.taken) {
			return c.move(), nil
		}
	}
	switch {
	case found == 1:
		return m, nil
	case found > 1:
		return game.NoMove, errWays
	case len(path) > 2:
		return game.NoMove, errJump
	}
	_, _, _, err := p.find(m)
	return m, err
}

// numbers reads the squares of a move, counted from 0.
func numbers(text string) ([]uint8, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == '-' || r == 'x' || r == 'X' || r == ':' })
	if len(fields) < 2 || len(fields) > 12 || strings.Count(text, "-")+strings.Count(strings.ToLower(text), "x")+strings.Count(text, ":") != len(fields)-1 {
		return nil, false
	}
	path := make([]uint8, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil || len(f) > 2 || n < 1 || n > squares.Count {
			return nil, false
		}
		path[i] = uint8(n - 1)
	}
	return path, true
}

// leads reports whether jumps along a path take the pieces of a set.
func (p *Position) leads(path []uint8, taken set) bool {
	other := p.all(p.turn ^ 1)
	for i, from := range path[:len(path)-1] {
		over := set(0)
		for d := range directions {
			if mid := shift(1<<from, d) & other; shift(mid, d) == 1<<path[i+1] {
				over = mid
			}
		}
		if over == 0 || taken&over == 0 {
			return false
		}
		taken &^= over
	}
	return taken == 0
}

// AppendMove appends the squares of a move.
func (Rules) AppendMove(dst []byte, pos game.Position, m game.Move, n game.Notation) []byte {
	p := pos.(*Position)
	from, to := squareOf[m.From()], squareOf[m.To()]
	dst = strconv.AppendInt(dst, int64(from)+1, 10)
	if !p.canJump(p.turn) {
		return strconv.AppendInt(append(dst, '-'), int64(to)+1, 10)
	}
	var taken set
	same := 0
	for _, c := range p.captures() {
		if c.from == from && c.to == to {
			same++
			if int(c.way) == m.Way() {
				taken = c.taken
			}
		}
	}
	if n != Long && same == 1 {
		return strconv.AppendInt(append(dst, 'x'), int64(to)+1, 10)
	}
	last := directions
	if p.men[p.turn]&(1<<from) != 0 {
		last = 2
	}
	steps, _ := p.path(nil, 1<<from, 1<<to, taken, p.empty()|1<<from, last)
	for _, s := range steps {
		dst = strconv.AppendInt(append(dst, 'x'), int64(s)+1, 10)
	}
	return dst
}

// path appends the squares on which a piece comes down that takes all pieces of a set
// and ends on a square, in the first order in which it can.
func (p *Position) path(steps []int, at, to, taken, free set, last int) ([]int, bool) {
	if taken == 0 {
		return steps, at == to
	}
	for d := range last {
		t := towards(int(p.turn), d)
		over := shift(at, t) & taken
		next := shift(over, t) & free
		if next == 0 {
			continue
		}
		if list, ok := p.path(append(steps, first(next)), next, to, taken&^over, free, last); ok {
			return list, true
		}
	}
	return nil, false
}
