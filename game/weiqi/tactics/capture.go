package tactics

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
)

// Verdict is what a reading found out about a string.
type Verdict uint8

// The verdicts; the package documentation says what each of them proves.
const (
	Unknown Verdict = iota
	Caught
	Free
	Ko
)

// String returns "unknown", "caught", "free" or "ko".
func (v Verdict) String() string {
	return [...]string{"unknown", "caught", "free", "ko"}[v&3]
}

// Result is the outcome of a reading.
type Result struct {
	Verdict Verdict

	// Line is how it goes, the side that was named first to move, against the
	// longest resistance: the capture where the string is caught, or would be by
	// ko, and the way out where Capture says that it is free. Else it is empty. A
	// NoPoint in it is a pass. It belongs to the reader and is good until its
	// next reading.
	Line []board.Point

	Nodes int // moves played
}

// Ladder reads whether the string with a stone on a point is caught by ataris
// alone, when the given side moves first. There is nothing to read where no
// stone is: that is Unknown.
func (r *Reader) Ladder(at board.Point, first game.Side) Result {
	s, ok := r.start(at, first)
	if !ok {
		return Result{}
	}
	defer r.finish(s)
	s.unbarred = s.prey
	if s.hunt(first, 0) {
		return s.result(Caught)
	}
	if s.ko && !s.spent {
		s.unbarred = s.hunter
		if s.hunt(first, 0) {
			return s.result(Ko)
		}
	}
	s.clear()
	return s.result(Free)
}

// mostQuiet bounds the number of quiet moves in a line. Readings come to their
// limit of nodes before.
const mostQuiet = 8

// Capture reads whether the string with a stone on a point can be captured when
// the given side moves first.
func (r *Reader) Capture(at board.Point, first game.Side) Result {
	s, ok := r.start(at, first)
	if !ok {
		return Result{}
	}
	defer r.finish(s)
	for quiet := 0; quiet <= mostQuiet && !s.spent; quiet++ {
		s.unbarred = s.prey
		if s.hunt(first, quiet) {
			return s.result(Caught)
		}
		s.unbarred = s.hunter
		if s.flee(first, quiet+1) {
			return s.result(Free)
		}
	}
	// What is left to find out is cheap and worth a second helping: whether a
	// ko decides.
	if s.ko {
		s.nodes, s.spent = 0, false
		for quiet := 0; quiet <= 1 && !s.spent; quiet++ {
			s.unbarred = s.hunter
			if s.hunt(first, quiet) {
				return s.result(Ko)
			}
		}
	}
	return s.result(Unknown)
}

// search is one reading: is the stone on target taken?
type search struct {
	*Reader
	target   board.Point
	prey     game.Side
	hunter   game.Side
	unbarred game.Side // the side that may ignore ko: it has all the threats there are
	nodes    int
	ko       bool // a ko was met: with another side unbarred it may go otherwise
	spent    bool // the limit was reached: what is not proved stays open
	passed   bool // finish has a pass to take back

	moves []board.Point   // a stack of the moves to try
	lines [][]board.Point // by ply: the line that was found from there on
	path  []uint64        // the hashes of the positions above
	ply   int
}

// start prepares a reading; it is false where there is no stone.
func (r *Reader) start(at board.Point, first game.Side) (*search, bool) {
	prey, ok := r.pos.SideAt(at)
	if !ok {
		return nil, false
	}
	s := &r.s
	*s = search{Reader: r, target: at, prey: prey, hunter: prey.Opponent(), moves: s.moves[:0], lines: s.lines, path: s.path[:0]}
	if r.pos.Turn() != first {
		s.passed = true
		s.pass(r.pos.Turn())
	}
	return s, true
}

func (r *Reader) finish(s *search) {
	if s.passed {
		r.pos.Undo()
	}
}

func (s *search) result(v Verdict) Result {
	if s.spent && v == Free {
		v = Unknown // nothing was found, and not all was looked at
	}
	res := Result{Verdict: v, Nodes: s.nodes}
	if v != Unknown {
		res.Line = s.lines[0]
	}
	return res
}

// hunt proves that the target is taken, flee that it gets away, with the given
// side to move and so many quiet moves allowed.
func (s *search) hunt(first game.Side, quiet int) bool {
	s.clear()
	if first == s.hunter {
		return s.attack(quiet, board.NoPoint, nil)
	}
	return s.cornered(quiet, board.NoPoint, nil)
}

func (s *search) flee(first game.Side, moves int) bool {
	s.clear()
	if first == s.prey {
		return s.escape(moves, board.NoPoint, nil)
	}
	return s.holds(moves, board.NoPoint, nil)
}

// may reports whether a side may put a stone on a point, and notes where that
// hangs on a ko.
func (s *search) may(side game.Side, at board.Point) bool {
	p := s.pos
	if at == p.Ko() && side == p.Turn() {
		s.ko = true
		if side != s.unbarred {
			return false
		}
	}
	return p.Breathes(side, at) || s.suicide && side == s.unbarred && s.empty(at)
}

// do plays a move, counts it and goes one ply down; undo takes it back.
func (s *search) do(side game.Side, at board.Point) {
	if s.nodes++; s.nodes >= s.limit {
		s.spent = true
	}
	s.path = append(s.path, s.pos.Hash())
	if at == board.NoPoint {
		s.pass(side)
	} else {
		s.put(side, at)
	}
	s.ply++
	s.clear()
}

func (s *search) undo() {
	s.pos.Undo()
	s.ply--
	s.path = s.path[:s.ply]
}

// stuck tells a side that has to prove something to look no further: the limit
// is reached, or the position was there before, and going round proves nothing.
func (s *search) stuck() bool {
	return s.spent || slices.Contains(s.path, s.pos.Hash())
}

func (s *search) pass(side game.Side) {
	if err := s.pos.Force(side, game.Pass); err != nil {
		panic(err) // a pass can always be forced
	}
}

// clear empties the line of this ply.
func (s *search) clear() {
	for len(s.lines) <= s.ply {
		s.lines = append(s.lines, nil)
	}
	s.lines[s.ply] = s.lines[s.ply][:0]
}

// keep makes a move and the line below it the line of this ply, if it is
// longer than what is there; a pass gives way to a stone.
func (s *search) keep(at board.Point) {
	line, below := s.lines[s.ply], s.lines[s.ply+1]
	if len(line) <= len(below) || len(line) == len(below)+1 && line[0] == board.NoPoint {
		s.lines[s.ply] = append(append(line[:0], at), below...)
	}
}

// end makes a single move the line of this ply.
func (s *search) end(at board.Point) {
	s.lines[s.ply] = append(s.lines[s.ply][:0], at)
}

// there reports whether the target is on the board.
func (s *search) there() bool {
	side, ok := s.pos.SideAt(s.target)
	return ok && side == s.prey
}

// attack proves, with the hunter to move, that the target is taken. last is the
// move before, z receives the zone of the proof unless it is nil. Zones cost
// more than the proofs, so they are asked for once a proof is known to succeed.
func (s *search) attack(quiet int, last board.Point, z *board.Plane) bool {
	if !s.there() {
		s.rest(last, z) // the prey took itself off
		return true
	}
	if s.stuck() {
		return false
	}
	base := len(s.moves)
	defer func() { s.moves = s.moves[:base] }()
	s.moves = s.pos.AppendLiberties(s.moves, s.target, Reach+1)
	libs := s.moves[base:]
	n := len(libs)
	switch {
	case n == 1:
		if s.may(s.hunter, libs[0]) {
			s.end(libs[0])
			s.rest(last, z)
			return true
		}
	case n == 2:
		a, b := libs[0], libs[1]
		if s.room(a) > s.room(b) {
			a, b = b, a // the prey would extend to a: take away the wider side first
		}
		if s.try(b, quiet, last, z) || s.try(a, quiet, last, z) {
			return true
		}
	case n > Reach:
		return false
	}
	if quiet == 0 {
		return false
	}
	// Quiet moves: what takes away a liberty, then what lies one step further,
	// then what strengthens the hunter's own strings around.
	var near [Reach]board.Point
	copy(near[:], libs)
	if n < 3 {
		s.moves = s.moves[:base] // they were tried above
	}
	further := len(s.moves)
	for _, l := range near[:n] {
		s.addAround(further, l)
	}
	first := len(s.moves)
	s.moves = s.pos.AppendTouching(s.moves, s.target, s.hunter)
	heads := len(s.moves)
	for i := first; i < heads; i++ {
		if h := s.moves[i]; s.pos.Liberties(h, 3) <= 2 {
			s.moves = s.pos.AppendLiberties(s.moves, h, 2)
		}
	}
	for i := base; i < len(s.moves); i++ {
		if i >= first && i < heads || slices.Contains(s.moves[base:i], s.moves[i]) {
			continue
		}
		if s.try(s.moves[i], quiet-1, last, z) {
			return true
		}
		if s.spent {
			return false
		}
	}
	return false
}

// addAround pushes the empty neighbours of a liberty onto the stack. One that is
// there already, from a place on, is beside two liberties: where nets are thrown
// from. It comes first.
func (s *search) addAround(from int, l board.Point) {
	for _, q := range around(l) {
		if !s.empty(q) {
			continue
		}
		if i := slices.Index(s.moves[from:], q); i >= 0 {
			s.moves[from], s.moves[from+i] = q, s.moves[from]
			continue
		}
		s.moves = append(s.moves, q)
	}
}

// room counts the empty points around one: what a string would win there.
func (s *search) room(at board.Point) (n int) {
	for _, q := range around(at) {
		if s.empty(q) {
			n++
		}
	}
	return n
}

// try makes a move of the hunter and asks for the proof below.
func (s *search) try(at board.Point, quiet int, last board.Point, z *board.Plane) bool {
	if !s.may(s.hunter, at) {
		return false
	}
	s.do(s.hunter, at)
	ok := s.cornered(quiet, at, z)
	s.undo()
	if !ok {
		return false
	}
	s.clear()
	s.keep(at)
	if z != nil {
		z.Add(at)
		s.close(last, z)
	}
	return true
}

// cornered proves, with the prey to move, that the target is taken whatever it
// does.
func (s *search) cornered(quiet int, last board.Point, z *board.Plane) bool {
	if s.spent {
		return false
	}
	base := len(s.moves)
	defer func() { s.moves = s.moves[:base] }()
	s.moves = s.pos.AppendLiberties(s.moves, s.target, Reach+1)
	switch n := len(s.moves) - base; {
	case n > Reach:
		return false
	case n == 1:
		return s.inAtari(quiet, last, z)
	}
	s.moves = s.moves[:base]
	return s.answered(s.prey, quiet, last, z)
}

// inAtari is cornered for a target in atari, whose liberty is on top of the
// stack: only that liberty and captures beside it are answers.
func (s *search) inAtari(quiet int, last board.Point, z *board.Plane) bool {
	base := len(s.moves) - 1
	libs := len(s.moves)
	s.moves = s.pos.AppendTouching(s.moves, s.target, s.hunter)
	heads := len(s.moves)
	for i := libs; i < heads; i++ {
		if h := s.moves[i]; s.pos.Liberties(h, 2) == 1 {
			s.moves = s.pos.AppendLiberties(s.moves, h, 1)
		}
	}
	s.lines[s.ply] = append(s.lines[s.ply][:0], board.NoPoint, s.moves[base])
	var all, child board.Plane
	sub := &child
	if z == nil {
		sub = nil
	} else {
		s.rest(last, &all)
	}
	for i := len(s.moves) - 1; i >= base; i-- {
		if i >= libs && i < heads {
			continue
		}
		at := s.moves[i]
		if slices.Contains(s.moves[i+1:], at) {
			continue
		}
		if !s.may(s.prey, at) {
			if z != nil {
				s.ring(at, &all) // as in answered
			}
			continue
		}
		s.do(s.prey, at)
		ok := s.attack(quiet, at, sub)
		s.undo()
		if !ok {
			return false
		}
		s.keep(at)
		if z != nil {
			all.Or(&child)
		}
	}
	if z != nil {
		*z = all
		s.close(last, z)
	}
	return true
}

// escape proves, with the prey to move, that the target gets away.
func (s *search) escape(moves int, last board.Point, z *board.Plane) bool {
	if s.stuck() || !s.there() {
		return false
	}
	if s.far(last, z) {
		return true
	}
	if moves == 0 {
		return false
	}
	base := len(s.moves)
	defer func() { s.moves = s.moves[:base] }()
	s.moves = s.pos.AppendTouching(s.moves, s.target, s.hunter)
	heads := len(s.moves)
	for n := 1; n <= 2; n++ { // captures, then liberties, then threats to capture
		for _, h := range s.moves[base:heads] {
			if s.pos.Liberties(h, 3) == n {
				s.moves = s.pos.AppendLiberties(s.moves, h, n)
			}
		}
		if n == 1 {
			s.moves = s.pos.AppendLiberties(s.moves, s.target, Reach)
		}
	}
	for i := heads; i < len(s.moves); i++ {
		at := s.moves[i]
		if slices.Contains(s.moves[heads:i], at) || !s.may(s.prey, at) {
			continue
		}
		s.do(s.prey, at)
		ok := s.holds(moves-1, at, z)
		s.undo()
		if ok {
			s.clear()
			s.keep(at)
			if z != nil {
				z.Add(at)
				s.close(last, z)
			}
			return true
		}
		if s.spent {
			return false
		}
	}
	return false
}

// far reports whether the target has more liberties than the hunter can hope to
// fill, and then sets the zone.
func (s *search) far(last board.Point, z *board.Plane) bool {
	if s.pos.Liberties(s.target, Reach+1) <= Reach {
		return false
	}
	if z == nil {
		return true
	}
	*z = board.Plane{}
	base := len(s.moves)
	s.moves = s.pos.AppendLiberties(s.moves, s.target, Reach+1)
	s.moves = s.pos.AppendString(s.moves, s.target)
	for _, q := range s.moves[base:] {
		z.Add(q)
	}
	s.moves = s.moves[:base]
	s.close(last, z)
	return true
}

// holds proves, with the hunter to move, that the target gets away whatever he
// does.
func (s *search) holds(moves int, last board.Point, z *board.Plane) bool {
	if s.spent || !s.there() {
		return false
	}
	if s.far(last, z) {
		return true
	}
	if moves == 0 || s.pos.Liberties(s.target, 2) == 1 {
		return false
	}
	return s.answered(s.hunter, moves, last, z)
}

// answered proves that whatever a side plays the other reaches its goal: first
// against a pass, then against every point of the zone on which the answer to
// the pass rests.
func (s *search) answered(side game.Side, depth int, last board.Point, z *board.Plane) bool {
	var null, child board.Plane
	if !s.reply(side, depth, board.NoPoint, nil) || !s.reply(side, depth, board.NoPoint, &null) {
		return false
	}
	s.close(last, &null)
	all := null
	sub := &child
	if z == nil {
		sub = nil
	}
	var done board.Plane
	// The liberties of the target refute most of what can be refuted.
	base := len(s.moves)
	defer func() { s.moves = s.moves[:base] }()
	s.moves = s.pos.AppendLiberties(s.moves, s.target, Reach)
	for i := base; i < len(s.moves); i++ {
		if at := s.moves[i]; null.Has(at) && s.may(side, at) {
			done.Add(at)
			if !s.reply(side, depth, at, sub) {
				return false
			}
			all.Or(&child)
		}
	}
	for again := true; again; {
		again = false
		for y := range s.pos.Rules().Size().H {
			occupied := s.pos.Planes().Of[0][y] | s.pos.Planes().Of[1][y]
			for row := null[y] &^ done[y] &^ occupied; row != 0; row &= row - 1 {
				at := board.At(bits.TrailingZeros32(row), y)
				done.Add(at)
				if !s.may(side, at) {
					// It may become possible once what stands around it is
					// gone: the zone has to keep that.
					s.ring(at, &null)
					s.close(last, &null)
					again = true
					continue
				}
				if !s.reply(side, depth, at, sub) {
					return false
				}
				all.Or(&child)
			}
		}
	}
	if z != nil {
		all.Or(&null)
		*z = all
		s.close(last, z)
	}
	return true
}

// reply makes a move, or a pass, of a side and proves that the other one then
// reaches its goal.
func (s *search) reply(side game.Side, depth int, at board.Point, z *board.Plane) (ok bool) {
	s.do(side, at)
	if side == s.prey {
		ok = s.attack(depth, at, z)
	} else {
		ok = s.escape(depth, at, z)
	}
	s.undo()
	if ok {
		s.keep(at)
	}
	return ok
}

// rest sets the zone of a target that is taken with the next move, or is gone:
// its stones and what is around them.
func (s *search) rest(last board.Point, z *board.Plane) {
	if z == nil {
		return
	}
	*z = board.Plane{}
	z.Add(s.target)
	base := len(s.moves)
	s.moves = s.pos.AppendString(s.moves, s.target)
	for _, q := range s.moves[base:] {
		z.Add(q)
		s.ring(q, z)
	}
	s.moves = s.moves[:base]
	s.close(last, z)
}

// ring adds the neighbours of a point.
func (s *search) ring(at board.Point, z *board.Plane) {
	for _, q := range around(at) {
		if s.pos.Rules().Size().Has(q) {
			z.Add(q)
		}
	}
}

// close widens a zone until moves outside of it cannot change what is inside:
// of every string that reaches into it, two liberties are in it, or all of them
// and the neighbours of the string too where it has no more than two. A string
// can then be taken only from inside, and is taken by a move inside if and only
// if it would be with other stones outside. The move that led to the position
// counts as inside.
func (s *search) close(last board.Point, z *board.Plane) {
	if last != board.NoPoint {
		z.Add(last)
	}
	var seen board.Plane
	base := len(s.moves)
	defer func() { s.moves = s.moves[:base] }()
	h := s.pos.Rules().Size().H
	of := s.pos.Planes().Of
	for again := true; again; {
		again = false
		for y := range h {
			for row := z[y] & (of[0][y] | of[1][y]) &^ seen[y]; row != 0; row = z[y] & (of[0][y] | of[1][y]) &^ seen[y] {
				at := board.At(bits.TrailingZeros32(row), y)
				s.moves = s.pos.AppendString(s.moves[:base], at)
				stones := len(s.moves)
				s.moves = s.pos.AppendLiberties(s.moves, at, 3)
				few := len(s.moves)-stones <= 2
				for _, q := range s.moves[base:stones] {
					seen.Add(q)
					z.Add(q)
					if few {
						s.ring(q, z)
						again = true
					}
				}
				for _, q := range s.moves[stones:min(stones+2, len(s.moves))] {
					z.Add(q)
				}
			}
		}
	}
}
