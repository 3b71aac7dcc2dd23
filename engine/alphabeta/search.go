package alphabeta

import (
	"slices"
	"sync/atomic"
	"time"

	"qipu/board"
	"qipu/engine"
	"qipu/engine/trace"
	"qipu/game"
)

const (
	maxDepth = 60
	maxPly   = 2*maxDepth + 40 // with extensions and quiescence

	inf = engine.Win + 1

	// passKey marks positions that a pass has led to: two passes may end a game,
	// but the hash of a position knows nothing of the first.
	passKey = 0x5A17_0C3B_94E2_D681

	historyBits = 14
)

// checked is a Position that knows a king in check: such a position is not
// judged as it stands.
type checked interface{ InCheck() bool }

// search is one thought.
type search struct {
	*Options
	eval  engine.Evaluator
	table *transpositions // nil where there is none
	p     game.Position

	// What the evaluator and the position know beyond the rest; nil where they
	// do not.
	candidates Candidates
	tactician  Tactician
	pressed    Presser
	follower   Follower
	checked    checked
	changer    game.Changer
	planar     game.Planar

	rules game.Rules // where somebody knows positions
	few   int        // men on the board where Known knows anything; 0 for never

	depth      int // the most that is read
	nodeLimit  int64
	began      time.Time
	soft, hard time.Time // zero where there is no limit of time
	note       string
	halt       atomic.Bool // set from outside

	root      []game.Move
	multi     int
	values    [2]engine.Value // of the last even and the last odd depth
	iteration int             // the depth that is being read
	must      bool
	stopped   bool
	nodes     int64
	err       error

	// horizon counts what made a value less than certain: judgements, moves
	// left out, table entries of limited depth. A position below which it did
	// not rise was read to the end of the game.
	horizon int64

	moves   []game.Move // those of all plies, one behind the other
	scores  []int32     // by which they are ordered
	loud    []game.Move
	changed []game.Changed
	last    [maxPly + 1]game.Move // that led to a ply
	killers [maxPly + 1][2]game.Move
	history [2][1 << historyBits]int32
	pv      [maxPly + 2][]game.Move

	report *engine.Report

	// record is told of the search; nil for nobody. Why is the reason for which the
	// last position was left, and by the number of the move that cut it.
	record *trace.Recorder
	why    trace.Reason
	by     int
}

// choose returns those of the legal moves that are worth reading.
func (s *search) choose(moves []game.Move) []game.Move {
	if s.candidates == nil || len(moves) < 2 {
		return moves
	}
	few := s.candidates.Candidates(s.p, moves)
	if len(few) < len(moves) {
		s.horizon++
	}
	return few
}

// over reports whether the thought has to end.
func (s *search) over() bool {
	if s.stopped {
		return true
	}
	switch {
	case s.halt.Load():
		s.stopped = true
	case s.must:
	case s.nodeLimit > 0 && s.nodes >= s.nodeLimit:
		s.stopped = true
	case s.nodes&31 == 0 && !s.hard.IsZero() && time.Now().After(s.hard):
		s.stopped = true
	}
	return s.stopped
}

// play makes a move that is in the list of the legal ones.
func (s *search) play(m game.Move, ply int) {
	if err := s.p.Play(m); err != nil {
		s.err, s.stopped = err, true // the game breaks its own law; nothing was played
		return
	}
	s.last[ply+1] = m
	if s.follower != nil {
		s.follower.Made(s.p, m)
	}
}

// undo takes back what play has made.
func (s *search) undo() {
	s.p.Undo()
	if s.follower != nil {
		s.follower.Undone()
	}
}

// ended returns the value of a game that is over, for the side to move.
func (s *search) ended(o game.Outcome, ply int) engine.Value {
	if o.Claim {
		s.horizon++ // it depends on the way that led here
	}
	var v engine.Value
	switch o.State {
	case game.Won:
		v = engine.Win - engine.Value(ply)
		if o.Margin > 0 {
			v = min(engine.Value(o.Margin)*engine.Unit/2, engine.Decided-1)
		}
		if o.Winner != s.p.Turn() {
			v = -v
		}
	case game.Unscored:
		return s.judge()
	}
	return v
}

// knows returns what is known of a position without reading.
func (s *search) knows(ply int) (engine.Value, bool) {
	if s.few == 0 {
		return 0, false
	}
	v, ok := s.Known.Knows(s.rules, s.p)
	switch {
	case !ok:
		return 0, false
	case v > 0:
		v -= engine.Value(ply)
	case v < 0:
		v += engine.Value(ply)
	}
	s.why = trace.Over
	return v, true
}

// judge returns the value of a position as it stands.
func (s *search) judge() engine.Value {
	s.horizon++
	var v engine.Value
	if s.record == nil {
		v = s.eval.Evaluate(s.p)
	} else {
		began := s.record.Begin(trace.Evaluate)
		v = s.eval.Evaluate(s.p)
		s.record.End(trace.Evaluate, began)
	}
	return min(max(v, 1-engine.Decided), engine.Decided-1)
}

func (s *search) key(ply int) uint64 {
	k := s.p.Hash()
	if s.last[ply] == game.Pass {
		k ^= passKey
	}
	return k
}

// Wins are counted from the root in the search, and from the position itself in
// the table.
func fromTable(v engine.Value, ply int) engine.Value { return shift(v, -ply) }
func toTable(v engine.Value, ply int) engine.Value   { return shift(v, ply) }

func shift(v engine.Value, by int) engine.Value {
	switch {
	case v >= engine.Decided:
		return v + engine.Value(by)
	case v <= -engine.Decided:
		return v - engine.Value(by)
	}
	return v
}

// read returns the value of the position for the side to move, as far as it
// lies between alpha and beta; outside it is a bound.
func (s *search) read(depth, ply int, alpha, beta engine.Value) engine.Value {
	s.nodes++
	s.pv[ply] = s.pv[ply][:0]
	if s.over() {
		return 0
	}
	if o := s.p.Outcome(); o.Over() {
		s.why = trace.Over
		return s.ended(o, ply)
	}
	if v, ok := s.knows(ply); ok {
		return v
	}
	if s.checked != nil && !s.NoExtension && ply < 2*s.iteration && s.checked.InCheck() {
		depth++
	}
	if depth <= 0 || ply >= maxPly-1 {
		return s.quiet(s.Quiesce, ply, alpha, beta)
	}
	var hint game.Move
	key := s.key(ply)
	if s.table != nil {
		if e := s.table.find(key); e != nil {
			hint = e.move
			if s.record != nil {
				s.record.Hit()
			}
			v := fromTable(e.value, ply)
			if int(e.depth) >= depth && (e.bound == engine.Even || e.bound == engine.AtLeast && v >= beta || e.bound == engine.AtMost && v <= alpha) && !s.NoCuts {
				if e.depth != whole {
					s.horizon++
				}
				s.why = trace.Table
				return v
			}
		}
	}
	horizon := s.horizon
	base := len(s.moves)
	if s.record == nil {
		s.moves = s.p.AppendMoves(s.moves)
	} else {
		s.generate()
	}
	s.moves = s.moves[:base+len(s.choose(s.moves[base:]))]
	best, move := s.readAll(base, depth, ply, alpha, beta, hint)
	s.moves = s.moves[:base]
	if s.stopped {
		return 0
	}
	if s.table != nil {
		e := entry{move: move, value: toTable(best, ply), depth: uint8(depth)}
		switch {
		case best >= beta:
			e.bound = engine.AtLeast
		case best <= alpha:
			e.bound = engine.AtMost
		}
		if s.horizon == horizon {
			e.depth = whole
		}
		s.table.store(key, e)
	}
	return best
}

// readAll reads the moves of a position, which lie on the stack from base on,
// and returns the best value and its move.
func (s *search) readAll(base, depth, ply int, alpha, beta engine.Value, hint game.Move) (best engine.Value, move game.Move) {
	moves := s.moves[base:]
	next := depth - 1
	if len(moves) == 1 && !s.NoExtension && ply < 2*s.iteration {
		next = depth
	}
	side := s.p.Turn()
	if s.record == nil {
		s.order(base, ply, side, hint)
	} else {
		began := s.record.Begin(trace.Order)
		s.order(base, ply, side, hint)
		s.record.End(trace.Order, began)
	}
	best = -inf
	why, by := trace.Read, 0
	for i := range moves {
		m := s.pick(base, i)
		s.play(m, ply)
		if s.stopped {
			return 0, 0
		}
		v := s.child(side, next, ply, alpha, beta, i > 0)
		s.undo()
		if s.stopped {
			return 0, 0
		}
		if v > best {
			best, move = v, m
		}
		if s.NoCuts {
			if v == best && move == m {
				s.line(ply, m)
			}
			continue
		}
		if v > alpha {
			alpha = v
			s.line(ply, m)
			if v >= beta {
				s.praise(m, side, depth, ply)
				why, by = trace.Cut, i+1
				break
			}
		}
	}
	s.why, s.by = why, by
	return best, move
}

// child reads the position behind a move that a side has played: where another
// move came first, only whether it is better, and how much only if it is. The
// value is for that side.
func (s *search) child(side game.Side, depth, ply int, alpha, beta engine.Value, later bool) engine.Value {
	again := s.p.Turn() == side // it moves once more: the values stay its own
	if s.NoCuts {
		return s.behind(again, depth, ply, -inf, inf)
	}
	if later && !s.NoScout && alpha > -inf && beta > alpha+1 {
		v := s.behind(again, depth, ply, alpha, alpha+1)
		if s.stopped || v <= alpha || v >= beta {
			return v
		}
	}
	return s.behind(again, depth, ply, alpha, beta)
}

// behind reads the position behind a move within the window of the side that
// has played it, whether that moves again or not.
func (s *search) behind(again bool, depth, ply int, alpha, beta engine.Value) engine.Value {
	if s.record != nil {
		return s.told(again, depth, ply, alpha, beta)
	}
	if again {
		return s.read(depth, ply+1, alpha, beta)
	}
	return -s.read(depth, ply+1, -beta, -alpha)
}

// told is behind, with the recorder being told.
func (s *search) told(again bool, depth, ply int, alpha, beta engine.Value) engine.Value {
	sign := engine.Value(1)
	if !again {
		sign, alpha, beta = -1, -beta, -alpha
	}
	s.record.Enter(s.last[ply+1], again, int32(alpha), int32(beta))
	v := s.read(depth, ply+1, alpha, beta)
	s.record.Leave(int32(v), s.reason(), s.by)
	return sign * v
}

// reason returns why the last position was left.
func (s *search) reason() trace.Reason {
	if s.stopped {
		return trace.Stopped
	}
	return s.why
}

// generate puts the legal moves onto the stack, with the recorder being told.
func (s *search) generate() {
	began := s.record.Begin(trace.Generate)
	s.moves = s.p.AppendMoves(s.moves)
	s.record.End(trace.Generate, began)
}

// line sets the best line of a ply: a move, and the best line behind it.
func (s *search) line(ply int, m game.Move) {
	s.pv[ply] = append(append(s.pv[ply][:0], m), s.pv[ply+1]...)
}

// quiet reads on until nothing is to be taken any more, at most left plies.
func (s *search) quiet(left, ply int, alpha, beta engine.Value) engine.Value {
	attacked := left > 0 && (s.checked != nil && s.checked.InCheck() || s.pressed != nil && s.pressed.Pressed(s.p))
	best := -inf
	if !attacked {
		best = s.judge()
		if left <= 0 || ply >= maxPly-1 || best >= beta && !s.NoCuts {
			s.why, s.by = trace.Horizon, 0
			if left > 0 && best >= beta {
				s.why = trace.Quiet
			}
			return best
		}
		alpha = max(alpha, best)
	}
	base := len(s.moves)
	if s.record == nil {
		s.moves = s.p.AppendMoves(s.moves)
	} else {
		s.generate()
	}
	if !attacked {
		s.moves = s.moves[:base+len(s.taking(s.moves[base:]))]
	}
	side, end := s.p.Turn(), len(s.moves)
	why, by := trace.Read, 0
	if end == base {
		why = trace.Horizon
	}
	for i := base; i < end; i++ {
		m := s.moves[i]
		s.play(m, ply)
		if s.stopped {
			break
		}
		s.nodes++
		lo, hi, again := alpha, beta, s.p.Turn() == side
		if s.NoCuts {
			lo, hi = -inf, inf
		}
		if !again {
			lo, hi = -hi, -lo
		}
		if s.record != nil {
			s.record.Enter(m, again, int32(lo), int32(hi))
		}
		var v engine.Value
		s.pv[ply+1] = s.pv[ply+1][:0]
		switch o := s.p.Outcome(); {
		case s.over():
		case o.Over():
			s.why = trace.Over
			v = s.ended(o, ply+1)
		default:
			if known, ok := s.knows(ply + 1); ok {
				v = known
				break
			}
			v = s.quiet(left-1, ply+1, lo, hi)
		}
		if s.record != nil {
			s.record.Leave(int32(v), s.reason(), s.by)
		}
		if !again {
			v = -v
		}
		s.undo()
		if s.stopped {
			break
		}
		if v > best {
			best = v
			if v > alpha || s.NoCuts {
				s.line(ply, m)
			}
		}
		alpha = max(alpha, v)
		if alpha >= beta && !s.NoCuts {
			why, by = trace.Cut, i-base+1
			break
		}
	}
	s.why, s.by = why, by
	s.moves = s.moves[:base]
	return best
}

// taking returns those of the legal moves that take something.
func (s *search) taking(moves []game.Move) []game.Move {
	if s.tactician != nil {
		return s.tactician.Loud(s.p, moves)
	}
	var occupied board.Plane
	if s.planar != nil {
		occupied = s.planar.Planes().Occupied()
	}
	return slices.DeleteFunc(moves, func(m game.Move) bool {
		switch {
		case m == game.Pass:
			return true
		case m.From() != board.NoPoint:
			return s.planar == nil || !occupied.Has(m.To())
		case s.changer == nil || s.p.Play(m) != nil:
			return true
		}
		s.changed = s.changer.AppendChanged(s.changed[:0])
		s.p.Undo()
		return !slices.ContainsFunc(s.changed, func(c game.Changed) bool { return c.Piece == board.Empty })
	})
}

// The places in the order of moves, the first read first.
const (
	asHint   = 1 << 30
	asLoud   = 1 << 29
	asKiller = 1 << 28
	mostSeen = 1 << 26 // of history
)

// order gives the moves of a position the scores by which pick takes them.
func (s *search) order(base, ply int, side game.Side, hint game.Move) {
	moves := s.moves[base:]
	s.scores = slices.Grow(s.scores[:base], len(moves))[:base+len(moves)]
	scores := s.scores[base:]
	if s.tactician != nil && s.Quiesce > 0 {
		s.loud = s.tactician.Loud(s.p, append(s.loud[:0], moves...))
	}
	for i, m := range moves {
		scores[i] = int32(-i)
		switch {
		case m == hint:
			scores[i] = asHint
		case s.tactician != nil && slices.Contains(s.loud, m):
			scores[i] = asLoud - int32(slices.Index(s.loud, m))
		case !s.NoKillers && m == s.killers[ply][0]:
			scores[i] = asKiller
		case !s.NoKillers && m == s.killers[ply][1]:
			scores[i] = asKiller - 1
		case !s.NoHistory:
			scores[i] += s.history[side&1][historyAt(m)]
		}
	}
}

// pick brings the best of the moves from number i on to that place.
func (s *search) pick(base, i int) game.Move {
	moves, scores := s.moves[base:], s.scores[base:]
	at := i
	for j := i + 1; j < len(moves) && j < len(scores); j++ {
		if scores[j] > scores[at] {
			at = j
		}
	}
	// The others keep their order: that of the evaluator, or of the game.
	m, score := moves[at], scores[at]
	copy(moves[i+1:at+1], moves[i:at])
	copy(scores[i+1:at+1], scores[i:at])
	moves[i], scores[i] = m, score
	return m
}

func historyAt(m game.Move) uint32 { return uint32(m) * 0x9E3779B1 >> (32 - historyBits) }

// praise notes a move that made all others needless.
func (s *search) praise(m game.Move, side game.Side, depth, ply int) {
	if k := &s.killers[ply]; k[0] != m {
		k[0], k[1] = m, k[0]
	}
	h := &s.history[side&1]
	if h[historyAt(m)] += int32(depth * depth); h[historyAt(m)] > mostSeen {
		for i := range h {
			h[i] /= 2
		}
	}
}
