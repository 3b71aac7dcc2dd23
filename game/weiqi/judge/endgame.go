package judge

import (
	"cmp"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/tactics"
)

// EndKind says what a last move is for.
type EndKind string

// What a last move may be for.
const (
	// Border closes or pushes back a border: the count changes by more than the
	// stone itself, since empty points beside it become somebody's.
	Border EndKind = "border"
	// TakeKo takes a single living stone in a ko.
	TakeKo EndKind = "ko"
	// FillKo ends such a ko by a connection.
	FillKo EndKind = "fill-ko"
	// Take is the way to take stones that are judged to live: whoever moves there
	// first has them.
	Take EndKind = "take"
	// Save is the answer to Take, to be played at once.
	Save EndKind = "save"
	// Reinforce is a move in one's own territory that is needed once the neutral
	// points are filled, and not before.
	Reinforce EndKind = "reinforce"
)

// EndMove is a move that is left.
type EndMove struct {
	At   board.Point
	Kind EndKind

	// Value is what the move is worth to who plays it, in half points: the change
	// of the count, of a ko the half point that it is called after, and of stones
	// that are taken or saved two points each, which leaves out what else hangs on
	// them.
	Value int

	// Strings are first stones of the strings that are taken or saved.
	Strings []board.Point
}

// Endgame is what is left to play on a judged board.
type Endgame struct {
	// Dame are the neutral points between living stones of both sides, row by row:
	// worth a point each to who fills them where the area is counted, and nothing
	// where territory is.
	Dame []board.Point

	// Open are points of areas where the border is not closed, and no single move
	// closes it: there the game is not over.
	Open []board.Point

	// Moves are those of each side, the most valuable first.
	Moves [2][]EndMove
}

// Over reports whether nothing but neutral points is left.
func (e *Endgame) Over() bool { return len(e.Moves[0])+len(e.Moves[1])+len(e.Open) == 0 }

// The bounds of reading: how many moves a question may cost, and with how many
// liberties a string is worth it.
const (
	endLimit     = 400
	endLiberties = 2
)

// Endgame tells what is left to play on a board, whoever's turn it is: neutral
// points, moves that change the count, kos, and stones that have to be
// reinforced, now or once the neutral points are filled. It takes the statuses of
// the report as they are, looks one move ahead for borders, and reads a few moves
// for stones that can be taken; it is made for boards where the borders are
// nearly closed and claims nothing of others. Points beside stones in seki are no
// moves. It plays on the position and takes the moves back. Cost: about a
// millisecond on a finished board.
func (j *Judge) Endgame(p *weiqi.Position, r *Report) Endgame {
	read := tactics.New(p)
	read.Limit(endLimit)
	e := ending{p: p, r: r, read: read, how: r.ScoreOptions(), size: r.Size}
	e.how.Seki.AndNot(&r.Fills) // they are territory as long as nobody has filled them
	e.stand()
	e.borders()
	e.kos()
	e.threats()
	e.fills()
	for side := range e.out.Moves {
		slices.SortFunc(e.out.Moves[side], func(a, b EndMove) int { return cmp.Or(b.Value-a.Value, int(a.At)-int(b.At)) })
	}
	return e.out
}

// ending is an endgame that is being looked for.
type ending struct {
	p    *weiqi.Position
	r    *Report
	read *tactics.Reader
	how  weiqi.ScoreOptions
	size board.Size
	out  Endgame

	lives [2]board.Plane // stones that live, each by itself
	seki  board.Plane    // points that belong to a seki, and those beside it
	base  weiqi.Score
}

// stand finds what lives and what is in seki.
func (e *ending) stand() {
	planes := e.p.Planes()
	for i := range e.r.Strings {
		v := &e.r.Strings[i]
		var one board.Plane
		one.Add(v.Head)
		one = one.Flood(e.size, &planes.Of[v.Side])
		switch v.Status {
		case life.Alive:
			e.lives[v.Side].Or(&one)
		case life.Seki:
			e.seki.Or(&one)
		}
	}
	beside := e.seki.Neighbours(e.size)
	e.seki.Or(&beside)
	e.base = e.p.Score(e.how)
}

// lead returns by how much a side leads in a count.
func lead(s *weiqi.Score, side game.Side) int { return s.Total[side] - s.Total[side.Opponent()] }

// borders tries the neutral points, area by area.
func (e *ending) borders() {
	var beside [2]board.Plane
	for side := range beside {
		beside[side] = e.lives[side].Neighbours(e.size)
	}
	left := e.base.Dame
	left.AndNot(&e.seki)
	for !left.Empty() {
		var area board.Plane
		area.Add(left.First())
		area = area.Flood(e.size, &e.base.Dame)
		left.AndNot(&area)
		both := beside[0]
		both.And(&beside[1])
		switch {
		case area.Meets(&e.seki):
		case !area.Meets(&beside[0]) || !area.Meets(&beside[1]):
			e.out.Open = appendPoints(e.out.Open, &area) // no border is there to close
		case e.close(&area):
		case area.Within(&both):
			e.out.Dame = appendPoints(e.out.Dame, &area)
		default:
			e.out.Open = appendPoints(e.out.Open, &area)
		}
	}
	slices.Sort(e.out.Dame)
	slices.Sort(e.out.Open)
}

func appendPoints(list []board.Point, set *board.Plane) []board.Point {
	for q := range set.Points() {
		list = append(list, q)
	}
	return list
}

// close tries every point of an area, and tells whether a single move there
// changes the count.
func (e *ending) close(area *board.Plane) (any bool) {
	plain := 0 // what a stone is worth by itself
	if e.base.Scoring == weiqi.Area {
		plain = 2
	}
	for q := range area.Points() {
		if _, taken := e.p.SideAt(q); taken {
			continue
		}
		for side := game.First; side <= game.Second; side++ {
			m := e.read.After(side, q)
			if !m.Legal || m.Captured > 0 || m.SelfAtari() {
				continue // of stones that can be taken kos and threats speak
			}
			if gain := e.gain(side, q); gain > plain {
				e.add(side, EndMove{At: q, Kind: Border, Value: gain})
				any = true
			}
		}
	}
	return any
}

// kos looks for living single stones that can be taken in a ko.
func (e *ending) kos() {
	for side := range e.lives {
		side := game.Side(side)
		for at := range e.lives[side].Points() {
			if !e.inKo(at, side.Opponent()) {
				continue
			}
			q := e.p.AppendLiberties(nil, at, 1)[0]
			e.add(side.Opponent(), EndMove{At: q, Kind: TakeKo, Value: 1, Strings: []board.Point{at}})
			if m := e.read.After(side, q); m.Legal && !m.SelfAtari() {
				e.add(side, EndMove{At: q, Kind: FillKo, Value: 1, Strings: []board.Point{at}})
			}
		}
	}
}

// gain returns what a stone changes in the count.
func (e *ending) gain(side game.Side, q board.Point) int {
	if e.p.Force(side, game.Drop(q)) != nil {
		return 0
	}
	after := e.p.Score(e.how)
	e.p.Undo()
	return lead(&after, side) - lead(&e.base, side)
}

// threats looks for living stones that can be taken: as the board stands, and
// after the neutral points are filled by who attacks.
func (e *ending) threats() {
	for side := game.First; side <= game.Second; side++ {
		hunter := side.Opponent()
		var known board.Plane // stones of which it was said
		e.hunt(side, &known, func(take, save board.Point, heads []board.Point, value int) {
			e.add(hunter, EndMove{At: take, Kind: Take, Value: value, Strings: heads})
			if save != board.NoPoint {
				e.add(side, EndMove{At: save, Kind: Save, Value: value, Strings: heads})
			}
		})
		filled := 0
		for _, q := range e.out.Dame {
			m := e.read.After(hunter, q)
			if m.Legal && !m.SelfAtari() && m.Captured == 0 && e.p.Force(hunter, game.Drop(q)) == nil {
				filled++
			}
		}
		e.hunt(side, &known, func(_, save board.Point, heads []board.Point, value int) {
			if save != board.NoPoint && e.base.Territory[side].Has(save) {
				e.add(side, EndMove{At: save, Kind: Reinforce, Value: value, Strings: heads})
			}
		})
		for range filled {
			e.p.Undo()
		}
	}
}

// fills adds the points that have to be filled by the report, as far as reading
// has not come to the same.
func (e *ending) fills() {
	for q := range e.r.Fills.Points() {
		for side := range e.lives {
			if !e.base.Territory[side].Has(q) {
				continue
			}
			m := EndMove{At: q, Kind: Reinforce}
			for i := range e.r.Strings {
				if v := &e.r.Strings[i]; int(v.Side) == side && v.Status == life.Alive && e.touches(q, v.Head) {
					m.Strings = append(m.Strings, v.Head)
					if n := 4 * v.Stones; m.Value == 0 || n < m.Value {
						m.Value = n
					}
				}
			}
			known := slices.ContainsFunc(e.out.Moves[side], func(o EndMove) bool { return o.At == q })
			if !known && m.Value > 0 && e.read.After(game.Side(side), q).Legal {
				e.add(game.Side(side), m)
			}
		}
	}
}

// touches tells whether a point is a liberty of the string of a stone.
func (e *ending) touches(q, head board.Point) bool {
	var point board.Plane
	point.Add(q)
	beside := point.Neighbours(e.size)
	for at := range beside.Points() {
		if _, stone := e.p.SideAt(at); stone && e.p.Head(at) == e.p.Head(head) {
			return true
		}
	}
	return false
}

// hunt tells of living strings of a side that the other side, moving first, can
// take as the board is now: where, which move saves them if there is one, and
// what they are worth. Strings that were told of before are passed over.
func (e *ending) hunt(side game.Side, known *board.Plane, tell func(take, save board.Point, heads []board.Point, value int)) {
	hunter := side.Opponent()
	var few []board.Point // a stone of each string that has few liberties
	for i := range e.r.Strings {
		v := &e.r.Strings[i]
		if v.Side == side && v.Status == life.Alive && !known.Has(v.Head) && e.p.Liberties(v.Head, endLiberties+1) <= endLiberties {
			few = append(few, v.Head)
		}
	}
	for _, at := range few {
		if e.inKo(at, hunter) {
			continue
		}
		if e.read.Capture(at, side).Verdict == tactics.Caught {
			known.Add(at) // it is lost already, and no move helps
			continue
		}
		found := e.read.Capture(at, hunter)
		if found.Verdict != tactics.Caught || len(found.Line) == 0 {
			continue
		}
		take := found.Line[0]
		known.Add(at)
		tell(take, e.rescue(side, take, at), []board.Point{at}, 4*e.p.StringSize(at))
	}
	e.forks(side, few, known, tell)
}

// inKo tells that a string is a single stone which can be taken in a ko.
func (e *ending) inKo(at board.Point, hunter game.Side) bool {
	if e.p.StringSize(at) != 1 || e.p.Liberties(at, 2) != 1 {
		return false
	}
	return e.read.After(hunter, e.p.AppendLiberties(nil, at, 1)[0]).Ko
}

// rescue returns a move after which strings cannot be taken any more: the one that
// the enemy would play, or one of their liberties.
func (e *ending) rescue(side game.Side, take board.Point, strings ...board.Point) board.Point {
	tried := []board.Point{take}
	for _, at := range strings {
		tried = e.p.AppendLiberties(tried, at, endLiberties)
	}
	for _, q := range tried {
		if m := e.read.After(side, q); m.Legal && !m.SelfAtari() && e.p.Force(side, game.Drop(q)) == nil {
			holds := e.holds(side, strings)
			e.p.Undo()
			if holds {
				return q
			}
		}
	}
	return board.NoPoint
}

// holds tells whether none of some strings of a side can be taken as the board is now.
func (e *ending) holds(side game.Side, strings []board.Point) bool {
	return !slices.ContainsFunc(strings, func(at board.Point) bool {
		return e.read.Capture(at, side.Opponent()).Verdict == tactics.Caught
	})
}

// forks looks for moves that threaten two strings at once, of which one can be
// saved.
func (e *ending) forks(side game.Side, few []board.Point, known *board.Plane, tell func(take, save board.Point, heads []board.Point, value int)) {
	hunter := side.Opponent()
	beside := map[board.Point][]board.Point{} // strings of two liberties by their liberties
	var points []board.Point
	for _, at := range few {
		if known.Has(at) || e.p.Liberties(at, 3) != 2 {
			continue
		}
		for _, q := range e.p.AppendLiberties(nil, at, 2) {
			if beside[q] == nil {
				points = append(points, q)
			}
			beside[q] = append(beside[q], at)
		}
	}
	slices.Sort(points)
	for _, q := range points {
		pair := slices.DeleteFunc(slices.Clone(beside[q]), known.Has)
		m := e.read.After(hunter, q)
		if len(pair) < 2 || !m.Legal || m.Ko || m.SelfAtari() && m.Captured == 0 || e.p.Force(hunter, game.Drop(q)) != nil {
			continue
		}
		parried := e.parried(side, q, pair)
		e.p.Undo()
		if parried {
			continue
		}
		least := e.p.StringSize(pair[0])
		for _, at := range pair {
			known.Add(at)
			least = min(least, e.p.StringSize(at))
		}
		tell(q, e.rescue(side, q, pair...), pair, 4*least)
	}
}

// parried tells whether a side has an answer to a stone that threatens several of
// its strings after which none of them can be taken: a liberty of theirs, or one
// of the stone that threatens.
func (e *ending) parried(side game.Side, threat board.Point, strings []board.Point) bool {
	var answers []board.Point
	for _, at := range strings {
		answers = e.p.AppendLiberties(answers, at, endLiberties)
		for _, enemy := range e.p.AppendTouching(nil, at, side.Opponent()) {
			if e.p.Liberties(enemy, 2) == 1 {
				answers = e.p.AppendLiberties(answers, enemy, 1)
			}
		}
	}
	answers = e.p.AppendLiberties(answers, threat, endLiberties)
	slices.Sort(answers)
	for _, q := range slices.Compact(answers) {
		if !e.read.After(side, q).Legal || e.p.Force(side, game.Drop(q)) != nil {
			continue
		}
		holds := e.holds(side, strings)
		e.p.Undo()
		if holds {
			return true
		}
	}
	return false
}

// add notes a move, unless the side has it already: then it is worth both.
func (e *ending) add(side game.Side, m EndMove) {
	for i := range e.out.Moves[side] {
		if old := &e.out.Moves[side][i]; old.At == m.At && old.Kind == m.Kind {
			old.Value += m.Value
			old.Strings = append(old.Strings, m.Strings...)
			return
		}
	}
	e.out.Moves[side] = append(e.out.Moves[side], m)
}
