package advise

import (
	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
	"qipu/pattern/kb"
	"qipu/pattern/window"
)

// Safety knows of life and death what reading does not find out. Many may ask it
// at once.
type Safety interface {
	// Opinion tells what is known of a position, which is not to be kept. It is
	// asked at most once a position, and only if a rule needs it.
	Opinion(p *weiqi.Position) Opinion
}

// Opinion is what is known of life and death on a board. What it leaves out is
// left to reading.
type Opinion struct {
	Safe board.Plane // stones that stay on the board whatever is played
	Dead board.Plane // stones that are lost whoever moves first

	// Land are the empty points that are a side's without doubt: a stone that the
	// other side puts there is lost, unless it takes something or joins stones that
	// are not.
	Land [2]board.Plane
}

// answer is that of a question that may not have been asked yet.
type answer uint8

const (
	unasked answer = iota
	no
	yes
	open // could not be found out
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// facts are what is known of a move: of one side on one point. What costs
// reading is found out when it is asked for.
type facts struct {
	at       board.Point
	side     game.Side
	move     tactics.Move
	snapback answer
	safe     answer
	caught   []capture
}

// capture is what is known of an enemy string after the move.
type capture struct {
	head           board.Point // of the string before the move
	ladder, anyhow answer
}

// facts returns what is known of a move; the pointer is good until the next
// call.
func (d *desk) factsOf(side game.Side, at board.Point) *facts {
	i := &d.index[side][at]
	if *i == 0 {
		if len(d.facts) < cap(d.facts) {
			d.facts = d.facts[:len(d.facts)+1] // with the list of captures that it had
		} else {
			d.facts = append(d.facts, facts{})
		}
		f := &d.facts[len(d.facts)-1]
		*f = facts{at: at, side: side, move: d.read.After(side, at), caught: f.caught[:0]}
		*i = int32(len(d.facts))
	}
	return &d.facts[*i-1]
}

// forget makes the facts those of another position.
func (d *desk) forget() {
	for i := range d.facts {
		f := &d.facts[i]
		d.index[f.side][f.at] = 0
	}
	d.facts = d.facts[:0]
	clear(d.dead[:])
	d.thought = false
}

// think asks for the opinion on the position, before anything is played on it.
func (d *desk) think() {
	if d.a.safety != nil && !d.thought {
		d.opinion, d.thought = d.a.safety.Opinion(d.pos), true
	}
}

// asked is what a condition is evaluated for: a move and the place of the shape
// that advises it.
type asked struct {
	*facts
	shape *plan
	hit   window.Hit
}

func (q *asked) point(s kb.Spot) board.Point {
	return q.hit.Point(q.shape.entry.Size, int(s.X), int(s.Y))
}

// cell returns the point that an expression names.
func (q *asked) cell(e *Expr) board.Point {
	size := q.shape.entry.Size
	if e.Row > size.H || e.Column > size.W {
		return board.NoPoint
	}
	return q.hit.Point(size, e.Column-1, e.Row-1)
}

// drawn returns the cells that the shape draws for a side.
func (q *asked) drawn(side game.Side) []kb.Spot {
	if side == q.hit.Side() {
		return q.shape.own
	}
	return q.shape.enemy
}

// holds tells whether a condition holds.
func (d *desk) holds(e *Expr, q *asked) bool {
	switch e.Op {
	case And:
		for _, arg := range e.Args {
			if !d.holds(arg, q) {
				return false
			}
		}
		return true
	case Or:
		for _, arg := range e.Args {
			if d.holds(arg, q) {
				return true
			}
		}
		return false
	case Not:
		return !d.holds(e.Args[0], q)
	case Liberties:
		if e.Row == 0 {
			return e.holds(q.move.Liberties)
		}
		return e.holds(d.liberties(q, q.cell(e)))
	case Captures:
		return e.holds(q.move.Captured)
	case Atari:
		return e.holds(q.move.Atari)
	case SelfAtari:
		return q.move.SelfAtari()
	case Ko:
		return q.move.Ko
	case Ours:
		return q.side == q.hit.Side()
	case Theirs:
		return q.side != q.hit.Side()
	case Snapback:
		if q.snapback == unasked {
			q.snapback = answerOf(d.read.Snapback(q.side, q.at))
		}
		return q.snapback == yes
	case Safe:
		return d.safe(e, q)
	case Dead:
		return d.lost(e, q)
	}
	return d.taken(e, q)
}

// after does something in the position after the move.
func (d *desk) after(q *asked, f func()) {
	if err := d.pos.Force(q.side, game.Drop(q.at)); err != nil {
		return // the move is legal, or nothing would be asked about it
	}
	f()
	d.pos.Undo()
}

// maxLiberties is how far the liberties of a cell are counted, as those of the
// move are.
const maxLiberties = 8

func (d *desk) liberties(q *asked, at board.Point) (n int) {
	d.after(q, func() { n = d.pos.Liberties(at, maxLiberties) })
	return n
}

// safe tells that the mover's string is not found to be taken after the move.
func (d *desk) safe(e *Expr, q *asked) bool {
	if e.Row > 0 {
		return d.stays(q, q.cell(e))
	}
	if q.safe == unasked {
		q.safe = answerOf(d.stays(q, q.at))
	}
	return q.safe == yes
}

func (d *desk) stays(q *asked, at board.Point) (ok bool) {
	d.think()
	d.after(q, func() {
		if side, there := d.pos.SideAt(at); there && side == q.side {
			ok = d.remains(q, at)
		}
	})
	return ok
}

// remains tells, after the move, that a string of the mover's is not found to be
// taken. What was known before the move holds for strings that grow by it: those
// that are safe stay so, unless the stone fills their own land, which may be an
// eye; those that are dead stay so, unless the stone takes something or has room.
func (d *desk) remains(q *asked, at board.Point) bool {
	if d.thought {
		d.stones = d.pos.AppendString(d.stones[:0], at)
		dead := q.move.Captured == 0
		for _, s := range d.stones {
			switch {
			case s == q.at:
				dead = dead && d.opinion.Land[q.side.Opponent()].Has(s)
			case d.opinion.Safe.Has(s) && !d.opinion.Land[q.side].Has(q.at):
				return true
			default:
				dead = dead && d.opinion.Dead.Has(s)
			}
		}
		if dead {
			return false
		}
	}
	return d.read.Capture(at, q.side.Opponent()).Verdict != tactics.Caught
}

// lost tells that one of the strings that the shape draws for the mover, or the
// one in a cell, was lost before the move.
func (d *desk) lost(e *Expr, q *asked) bool {
	if e.Row > 0 {
		return d.gone(q.cell(e), q.side)
	}
	for _, s := range q.drawn(q.side) {
		if d.gone(q.point(s), q.side) {
			return true
		}
	}
	return false
}

func (d *desk) gone(at board.Point, side game.Side) bool {
	if s, ok := d.pos.SideAt(at); !ok || s != side {
		return false
	}
	a := &d.dead[d.pos.Head(at)]
	if *a == unasked {
		switch d.think(); {
		case d.thought && d.opinion.Safe.Has(at):
			*a = no
		case d.thought && d.opinion.Dead.Has(at):
			*a = yes
		default:
			*a = answerOf(d.read.Capture(at, side).Verdict == tactics.Caught)
		}
	}
	return *a == yes
}

// taken answers the questions of ladders and captures.
func (d *desk) taken(e *Expr, q *asked) bool {
	if e.Row > 0 {
		a := d.catch(e.Op, q, q.cell(e))
		return a == yes && e.Works || a == no && !e.Works
	}
	any, certain := false, true
	for _, s := range q.drawn(q.side.Opponent()) {
		a := d.catch(e.Op, q, q.point(s))
		any = any || a == yes
		certain = certain && a != open
		if any {
			break
		}
	}
	if e.Works {
		return any
	}
	return !any && certain
}

// catch tells whether the enemy string with a stone on a point is taken after
// the move, the enemy playing first.
func (d *desk) catch(op Op, q *asked, at board.Point) answer {
	if side, ok := d.pos.SideAt(at); !ok || side == q.side {
		return no
	}
	head := d.pos.Head(at)
	var c *capture
	for i := range q.caught {
		if q.caught[i].head == head {
			c = &q.caught[i]
		}
	}
	if c == nil {
		q.caught = append(q.caught, capture{head: head})
		c = &q.caught[len(q.caught)-1]
	}
	a := &c.anyhow
	if op == Ladder {
		a = &c.ladder
	}
	if *a == unasked {
		d.after(q, func() { *a = d.read1(op, at, q.side.Opponent()) })
	}
	return *a
}

func (d *desk) read1(op Op, at board.Point, prey game.Side) answer {
	if side, ok := d.pos.SideAt(at); !ok || side != prey {
		return yes // the move itself has taken it
	}
	read := d.read.Capture
	if op == Ladder {
		read = d.read.Ladder
	}
	switch read(at, prey).Verdict {
	case tactics.Caught:
		return yes
	case tactics.Free:
		return no
	}
	return open
}
