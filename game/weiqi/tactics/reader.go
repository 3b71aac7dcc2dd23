package tactics

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
)

// Reach is the number of liberties that a string has to exceed, with the hunter
// to move, to count as free.
const Reach = 3

// Reader reads one position. It plays on it and takes the moves back, so it
// must not be used while somebody else plays on the position; between two calls
// the position may move on.
type Reader struct {
	pos     *weiqi.Position
	suicide bool // the rules allow it
	limit   int
	s       search
}

// DefaultLimit is the number of moves that a reading may play where nobody says
// otherwise. It costs some milliseconds, and is reached by few strings.
const DefaultLimit = 4000

// New returns a reader of a position.
func New(p *weiqi.Position) *Reader {
	r := &Reader{limit: DefaultLimit}
	r.Reset(p)
	return r
}

// Reset turns to another position and keeps the buffers.
func (r *Reader) Reset(p *weiqi.Position) {
	r.pos, r.suicide = p, p.Rules().RuleSet().Suicide
}

// Limit sets the number of moves that one reading may play, DefaultLimit if n
// is 0 or less.
func (r *Reader) Limit(n int) {
	if n <= 0 {
		n = DefaultLimit
	}
	r.limit = n
}

// Move is what a stone does when it is put down.
type Move struct {
	// Legal is false where the rules of the position refuse the stone (except
	// superko, which needs a history that a reading has not); nothing else is
	// filled in then.
	Legal bool

	Liberties int // of the string that the stone belongs to afterwards, up to 8
	Stones    int // of that string; 0 after a suicide
	Captured  int // enemy stones taken off
	Atari     int // enemy strings beside the stone that are left with one liberty

	// Ko tells that the stone takes a ko: the enemy may not take back at once.
	Ko bool
}

// SelfAtari reports whether the stone leaves its own string with one liberty,
// so that it can be taken at once; not if it takes a ko, which cannot.
func (m Move) SelfAtari() bool { return m.Liberties == 1 && !m.Ko }

// mostLiberties is how far After counts.
const mostLiberties = 8

// legal reports whether the rules let a side put a stone on a point, superko
// aside.
func (r *Reader) legal(side game.Side, at board.Point) bool {
	p := r.pos
	if at == p.Ko() && side == p.Turn() {
		return false
	}
	return p.Breathes(side, at) || r.suicide && r.empty(at)
}

func (r *Reader) empty(at board.Point) bool {
	_, taken := r.pos.SideAt(at)
	return !taken && r.pos.Rules().Size().Has(at)
}

// After tells what a stone of a side does on a point.
func (r *Reader) After(side game.Side, at board.Point) (m Move) {
	p := r.pos
	if !r.legal(side, at) {
		return Move{}
	}
	r.put(side, at)
	defer p.Undo()
	m.Legal = true
	if m.Stones = p.StringSize(at); m.Stones == 0 {
		return m // a suicide has taken itself off
	}
	m.Liberties = p.Liberties(at, mostLiberties)
	m.Captured = p.Taken()
	m.Ko = p.Ko() != board.NoPoint
	var heads [4]board.Point
	for i, q := range around(at) {
		heads[i] = board.NoPoint
		if s, ok := p.SideAt(q); ok && s != side && p.Liberties(q, 2) == 1 {
			heads[i] = p.Head(q)
			if !slices.Contains(heads[:i], heads[i]) {
				m.Atari++
			}
		}
	}
	return m
}

// put forces a stone onto a point that is known to be empty.
func (r *Reader) put(side game.Side, at board.Point) {
	if err := r.pos.Force(side, game.Drop(at)); err != nil {
		panic(err) // every caller has asked whether the point is empty
	}
}

// Snapback reports whether a stone of a side on a point is a snapback: it can
// be taken at once, alone or with its string, and what takes it is then taken
// back, more stones than were given.
func (r *Reader) Snapback(side game.Side, at board.Point) bool {
	m := r.After(side, at)
	if !m.SelfAtari() {
		return false
	}
	p := r.pos
	r.put(side, at)
	defer p.Undo()
	var last [1]board.Point
	take := p.AppendLiberties(last[:0], at, 1)[0]
	if !r.legal(side.Opponent(), take) {
		return false
	}
	r.put(side.Opponent(), take)
	defer p.Undo()
	return p.Ko() == board.NoPoint && p.Liberties(take, 2) == 1 && p.StringSize(take) > m.Stones
}

// around returns the four neighbours of a point. Those off the board are
// points that have no stone and are not empty.
func around(p board.Point) [4]board.Point {
	return [4]board.Point{p - board.Stride, p - 1, p + 1, p + board.Stride}
}
