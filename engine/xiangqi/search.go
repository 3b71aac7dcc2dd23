package xiangqi

import (
	"math"
	"sync/atomic"
	"time"

	"qipu/engine"
	"qipu/engine/trace"
	"qipu/engine/tree"
	"qipu/game"
	"qipu/game/xiangqi/attack"
)

const (
	maxPly = 120

	// Values are hundredths of a soldier. A mate in n plies is mate-n; a line that the
	// rules about repetition decide is worth ruled, which is no mate.
	mate    = tree.Mate
	mated   = tree.Mated // where values of mates begin
	ruled   = 20000
	most    = 12000 // that an evaluation says
	worst   = -32000
	unknown = 32001

	frames = 4 // of the stack before the root, so that looks back need no test
)

// frame is what is kept of a ply of the line that is being read.
type frame struct {
	move    move  // made here; 0 for none, or a pass
	mover   piece // that made it
	eval    int   // unknown in check
	check   bool  // the side to move is attacked
	killers [2]move
	without move // that is left out, to see whether it is the only good one
}

// shared is what the threads of a thought have in common.
type shared struct {
	table *tree.Table
	stop  atomic.Bool
	nodes atomic.Int64 // told by threads now and then
	limit int64
	hard  time.Time
	still int32 // plies without a capture that make a draw; 0 for never
	off   Switches
	turns *turns // nil where threads read at once
}

// worker is a thread of a thought.
type worker struct {
	*shared
	memory
	b       position
	stack   [maxPly + frames + 4]frame
	pickers [maxPly + 2]picker
	made    []move
	pv      [maxPly + 2][]move
	path    []uint64 // hashes of the positions of the game and of the line, this one last
	line    []move   // from the root
	referee func() game.Position
	term    Further     // nil for none
	outer   []game.Move // for it: the line
	verdict map[uint64]int
	looks   [looks]look // the last evaluations, by hash
	eyes    eyes
	truth   tree.Truth

	number  int // of the thread
	nodes   int64
	told    int64
	stopped bool
	must    bool // the first depth is read whatever the limits say
	depth0  int  // of the root

	record *trace.Recorder // of the first thread; nil for nobody
	why    trace.Reason
	by     int
}

// over reports whether the thought has to end.
func (w *worker) over() bool {
	if w.stopped {
		return true
	}
	if w.turns != nil && w.nodes%span == 0 {
		w.turns.pass(w.number)
	}
	if w.must {
		if w.nodes&1023 == 0 && w.stop.Load() && w.nodes > 1<<16 {
			w.stopped = true
		}
		return w.stopped
	}
	if w.limit > 0 && w.nodes >= w.limit {
		w.stopped = true
	} else if w.nodes&1023 == 0 {
		w.shared.nodes.Add(w.nodes - w.told)
		w.told = w.nodes
		w.stopped = w.stop.Load() || !w.hard.IsZero() && time.Now().After(w.hard)
	}
	return w.stopped
}

// play makes a move on the line; it returns false, with nothing done, where the move
// leaves the king attacked.
func (w *worker) play(m move, ply int) (former, bool) {
	mover := w.b.on[m.from()]
	f := w.b.play(m)
	here := &w.stack[ply+frames]
	side := w.b.turn
	if (here.check || kindOf[mover&15] == attack.King || w.b.touches(m, side^1)) && w.b.attacked(side^1) {
		w.b.back(m, f)
		return f, false
	}
	w.table.Ready(w.b.hash)
	here.move, here.mover = m, mover
	w.eyes.move(m, mover, f.taken)
	w.stack[ply+frames+1].check = w.b.touches(m, side) && w.b.attacked(side)
	w.path = append(w.path, w.b.hash)
	w.line = append(w.line, m)
	return f, true
}

func (w *worker) back(m move, f former) {
	w.b.back(m, f)
	w.eyes.back()
	w.path = w.path[:len(w.path)-1]
	w.line = w.line[:len(w.line)-1]
}

// repeats returns what a position is worth that was there before, for the side to move.
// One that the line itself comes back to counts at once, others when they are there for
// the third time.
func (w *worker) repeats(ply int) (int, bool) {
	end := len(w.path) - 1
	met := 0
	for back := 4; back <= end && back <= int(w.b.quiet); back += 2 {
		if w.path[end-back] != w.b.hash {
			continue
		}
		if met++; back < ply || met == 2 {
			return w.judge(back, ply), true
		}
	}
	return 0, false
}

// judge returns the value of a line that comes back to where it was so many plies ago:
// the rules are asked who is to blame if it goes on like that.
func (w *worker) judge(back, ply int) int {
	if back > len(w.line) {
		return w.ruling(back, ply)
	}
	key := w.b.hash
	for _, h := range w.path[len(w.path)-back:] {
		key = key*0x9E3779B97F4A7C15 ^ h
	}
	v, ok := w.verdict[key]
	if !ok {
		v = w.ruling(back, 0)
		w.verdict[key] = v
	}
	switch {
	case v > 0:
		return v - ply
	case v < 0:
		return v + ply
	}
	return 0
}

// ruling plays the line on until the rules decide.
func (w *worker) ruling(back, ply int) int {
	p := w.referee()
	for _, m := range w.line {
		if p.Play(m.outer()) != nil {
			return 0
		}
	}
	circle := w.line[len(w.line)-min(back, len(w.line)):]
	for n := 0; n < 3*len(circle) || n == 0; n++ {
		if o := p.Outcome(); o.Over() {
			if o.State != game.Won {
				return 0
			}
			v := ruled - ply
			if int(o.Winner) != w.b.turn {
				v = -v
			}
			return v
		}
		if len(circle) == 0 || p.Play(circle[n%len(circle)].outer()) != nil {
			return 0
		}
	}
	return 0
}

// lifeless reports whether neither side has a piece that could mate.
func (b *position) lifeless() bool {
	for k := attack.Chariot; k < attack.Kinds; k++ {
		if b.count[k+1] > 0 || b.count[k+1+attack.Kinds] > 0 {
			return false
		}
	}
	return true
}

// read returns the value of the position for the side to move as far as it lies between
// alpha and beta; outside it is a bound. Record and counters are seen to by node.
func (w *worker) read(alpha, beta, depth, ply int, cut bool) int {
	if w.record == nil {
		return w.node(alpha, beta, depth, ply, cut)
	}
	m := game.NoMove
	if n := len(w.line); n > 0 && w.stack[ply+frames-1].move != 0 {
		m = w.line[n-1].outer()
	}
	w.record.Enter(m, false, int32(alpha), int32(beta))
	w.why, w.by = trace.Read, 0
	v := w.node(alpha, beta, depth, ply, cut)
	why := w.why
	if w.stopped {
		why = trace.Stopped
	}
	w.record.Leave(int32(v), why, w.by)
	w.why, w.by = trace.Read, 0
	return v
}

func (w *worker) node(alpha, beta, depth, ply int, cut bool) int {
	if depth <= 0 {
		return w.quiesce(alpha, beta, ply, true)
	}
	w.nodes++
	w.pv[ply] = w.pv[ply][:0]
	if w.over() {
		return 0
	}
	f := &w.stack[ply+frames]
	if f.without == 0 {
		if v, ok := w.repeats(ply); ok {
			w.why = trace.Over
			return v
		}
		if w.still > 0 && w.b.quiet >= w.still || w.b.lifeless() {
			w.why = trace.Over
			return w.drawn(ply)
		}
	}
	if v, ok := w.known(ply); ok && f.without == 0 && ply > 0 {
		return v
	}
	check := f.check
	if ply >= maxPly {
		w.why = trace.Horizon
		return w.judged()
	}
	alpha, beta = max(alpha, ply-mate), min(beta, mate-ply-1)
	if alpha >= beta {
		return alpha
	}
	pv := beta-alpha > 1
	key := w.b.hash
	if f.without != 0 {
		key ^= uint64(f.without) * 0x9E3779B97F4A7C15
	}
	e, hit := w.table.Find(key)
	var hash move
	value := unknown
	if hit {
		if w.record != nil {
			w.record.Hit()
		}
		hash = move(e.Move)
		value = tree.FromTable(e.Value, ply)
		if !pv && f.without == 0 && int(e.Depth) >= depth && (e.Bound == engine.Even || e.Bound == engine.AtLeast && value >= beta || e.Bound == engine.AtMost && value <= alpha) {
			w.why = trace.Table
			return value
		}
	}
	w.stack[ply+frames+1].killers = [2]move{}
	eval := unknown
	switch {
	case check:
	case hit && e.Eval != math.MaxInt16:
		eval = int(e.Eval)
	default:
		eval = w.judged()
	}
	f.eval = eval
	if hit && eval != unknown && value < mated && value > -mated && (e.Bound == engine.Even || e.Bound == engine.AtLeast && value > eval || e.Bound == engine.AtMost && value < eval) {
		eval = value // a search knows better than a look
	}
	improving := false
	if !check {
		if two := w.stack[ply+frames-2].eval; two != unknown {
			improving = f.eval > two
		} else {
			improving = true
		}
	}
	if !pv && !check && f.without == 0 && beta > -mated && beta < mated {
		if v, ok := w.prune(alpha, beta, depth, ply, eval, improving, cut); ok {
			w.why = trace.Forward
			return v
		}
		if w.stopped {
			return 0
		}
	}
	if hash == 0 && depth >= 4 && !w.off.Internal {
		depth--
	}
	return w.loop(alpha, beta, depth, ply, key, hash, value, e, hit, check, improving, cut)
}

// drawn returns a draw, which mate goes before.
func (w *worker) drawn(ply int) int {
	if w.stack[ply+frames].check && !w.b.movable() {
		return ply - mate
	}
	return 0
}

// movable reports whether the side to move has a legal move.
func (b *position) movable() bool {
	var list [128]move
	for _, m := range b.moves(list[:0], b.captures().Or(b.empty())) {
		f := b.play(m)
		safe := !b.attacked(b.turn ^ 1)
		b.back(m, f)
		if safe {
			return true
		}
	}
	return false
}

// judged is the evaluation, remembered for a while and timed where somebody counts.
func (w *worker) judged() int {
	known := &w.looks[w.b.hash&(looks-1)]
	if known.hash == w.b.hash {
		return known.value
	}
	*known = look{w.b.hash, 0}
	if w.record == nil {
		known.value = w.look() + w.further()
		return known.value
	}
	began := w.record.Begin(trace.Evaluate)
	known.value = w.look() + w.further()
	w.record.End(trace.Evaluate, began)
	return known.value
}

// look judges the position by the net, or by the terms where there is none.
func (w *worker) look() int {
	if w.eyes.net == nil {
		return w.b.evaluate()
	}
	return min(max(w.eyes.judge(&w.b), -most), most)
}

// further is what the further term of the evaluation says.
func (w *worker) further() int {
	if w.term == nil {
		return 0
	}
	w.outer = w.outer[:0]
	for _, m := range w.line {
		w.outer = append(w.outer, m.outer())
	}
	return int(w.term.Worth(w.outer, game.Side(w.b.turn)))
}

// look is an evaluation that was made.
type look struct {
	hash  uint64
	value int
}

const looks = 1 << 14

// armed reports whether the side to move has pieces beside soldiers, so that a pass is
// unlikely to be its best move.
func (b *position) armed() bool {
	base := attack.Kinds * piece(b.turn)
	return b.count[base+attack.Chariot+1]+b.count[base+attack.Horse+1]+b.count[base+attack.Cannon+1] > 0
}

// prune answers for positions that are far from the window without reading their moves.
func (w *worker) prune(alpha, beta, depth, ply, eval int, improving, cut bool) (int, bool) {
	if !w.off.Razor && depth <= 3 && eval+220*depth < alpha {
		if v := w.quiesce(alpha, alpha+1, ply, true); v <= alpha {
			return v, true
		}
	}
	margin := 85 * depth
	if improving {
		margin -= 50
	}
	if !w.off.Futility && depth <= 8 && eval-margin >= beta {
		return (eval + beta) / 2, true
	}
	if w.off.Null || depth < 3 || eval < beta || w.stack[ply+frames-1].move == 0 || !w.b.armed() {
		return 0, false
	}
	reduced := depth - (3 + depth/4 + min((eval-beta)/180, 3))
	w.stack[ply+frames].move = 0
	w.stack[ply+frames+1].check = false
	w.b.pass()
	quiet := w.b.quiet
	w.b.quiet = 0 // what repeats does not reach over a pass
	w.path = append(w.path, w.b.hash)
	w.eyes.move(0, 0, 0)
	v := -w.read(-beta, -beta+1, reduced, ply+1, !cut)
	w.eyes.back()
	w.path = w.path[:len(w.path)-1]
	w.b.quiet = quiet
	w.b.pass()
	if w.stopped || v < beta {
		return 0, false
	}
	if v >= mated {
		v = beta
	}
	if depth < 10 {
		return v, true
	}
	// Deep cuts are verified by a search without the pass.
	if u := w.verify(beta, reduced, ply); u >= beta {
		return v, true
	}
	return 0, false
}

// verify reads a position without passing in it.
func (w *worker) verify(beta, depth, ply int) int {
	last := w.stack[ply+frames-1].move
	w.stack[ply+frames-1].move = 0 // behind a pass nobody passes
	v := w.node(beta-1, beta, max(depth, 1), ply, false)
	w.stack[ply+frames-1].move = last
	return v
}

// loop reads the moves.
func (w *worker) loop(alpha, beta, depth, ply int, key uint64, hash move, value int, e tree.Entry, hit, check, improving, cut bool) int {
	pv := beta-alpha > 1
	f := &w.stack[ply+frames]
	without := f.without
	best, bestMove, old := worst, move(0), alpha
	var quiets, takes [64]move
	nq, nt, n := 0, 0, 0
	p := w.start(ply, hash, true)
	skip := false
	for m := p.next(); m != 0; m = p.next() {
		if m == without {
			continue
		}
		taken := w.b.on[m.to()]
		quiet := taken == 0
		reduced := depth - 1 - tree.Reduction(depth, n+1)
		if n > 0 && best > -mated && !pv && w.b.armed() {
			if quiet {
				if !w.off.Count && !check && n >= tree.Late(depth, improving) {
					skip = true
					p.loud()
					continue
				}
				merit := w.merit(ply, m)
				if !w.off.Merit && depth <= 5 && merit < -4000*depth {
					continue
				}
				if !w.off.Futility && !check && reduced <= 6 && f.eval != unknown && f.eval+120+100*max(reduced, 0) <= alpha && !w.b.gives(m) {
					continue
				}
				if !w.off.Exchange && depth <= 7 && !w.b.gains(m, -45*max(depth-1, 0)) {
					continue
				}
			} else if !w.off.Exchange && depth <= 7 && p.stage == stageLosing && !w.b.gains(m, -100*depth) {
				continue
			}
		}
		extend := 0
		if !w.off.Singular && m == hash && ply > 0 && depth >= 8 && without == 0 && hit && e.Bound != engine.AtMost && int(e.Depth) >= depth-3 && value < mated && value > -mated {
			bound := value - 2*depth
			f.without = m
			v := w.node(bound-1, bound, (depth-1)/2, ply, cut)
			f.without = 0
			if w.stopped {
				return 0
			}
			p = w.start(ply, hash, true) // the look has used the place of this one
			p.next()
			switch {
			case v < bound:
				extend = 1
			case bound >= beta:
				w.why = trace.Forward
				return bound // several moves are good enough
			case value >= beta:
				extend = -1
			}
		}
		merit := 0
		if quiet {
			merit = w.merit(ply, m)
		}
		former, ok := w.play(m, ply)
		if !ok {
			continue
		}
		n++
		gives := w.stack[ply+frames+1].check
		if gives && extend == 0 && !w.off.Check && ply < 2*w.depth0 {
			extend = w.sound(m, former)
		}
		next := depth - 1 + extend
		var v int
		switch {
		case n == 1:
			v = -w.read(-beta, -alpha, next, ply+1, !pv && !cut)
		default:
			r := 0
			if !w.off.Late && depth >= 3 && n > 1+b2i(pv) && (quiet || p.stage == stageLosing) {
				r = tree.Reduction(depth, n)
				r -= b2i(pv) + b2i(gives) + b2i(check) - b2i(!improving) - b2i(cut)
				r -= merit / 9000
				r = min(max(r, 0), next-1)
			}
			v = alpha + 1
			if r > 0 {
				v = -w.read(-alpha-1, -alpha, next-r, ply+1, true)
			}
			if v > alpha {
				v = -w.read(-alpha-1, -alpha, next, ply+1, !cut)
			}
			if v > alpha && pv {
				v = -w.read(-beta, -alpha, next, ply+1, false)
			}
		}
		w.back(m, former)
		if w.stopped {
			return 0
		}
		if v > best {
			best = v
			if v > alpha {
				bestMove = m
				if pv {
					w.pv[ply] = append(append(w.pv[ply][:0], m), w.pv[ply+1]...)
				}
				if v >= beta {
					w.reward(ply, depth, m, quiets[:nq], takes[:nt])
					w.why, w.by = trace.Cut, n
					break
				}
				alpha = v
			}
		}
		if quiet && nq < len(quiets) {
			quiets[nq] = m
			nq++
		} else if !quiet && nt < len(takes) {
			takes[nt] = m
			nt++
		}
	}
	if best == worst {
		if without != 0 {
			return alpha
		}
		if n == 0 && !skip {
			w.why = trace.Over
			return ply - mate // without a move the game is lost
		}
		return alpha
	}
	bound := engine.Even
	switch {
	case best >= beta:
		bound = engine.AtLeast
	case best <= old:
		bound = engine.AtMost
	}
	eval := int16(math.MaxInt16)
	if f.eval != unknown {
		eval = int16(f.eval)
	}
	w.table.Store(key, tree.Entry{Move: uint16(bestMove), Value: tree.ToTable(best, ply), Eval: eval, Depth: int8(min(depth, 127)), Bound: bound, PV: pv})
	return best
}

// sound returns 1 for a check that does not give the piece away. The move was made.
func (w *worker) sound(m move, f former) int {
	w.b.back(m, f)
	ok := w.b.gains(m, 0)
	w.b.play(m)
	return b2i(ok)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// quiesce reads captures, and ways out of check, until the position can be judged; at its
// first ply checks, too.
func (w *worker) quiesce(alpha, beta, ply int, first bool) int {
	w.nodes++
	w.pv[ply] = w.pv[ply][:0]
	if w.over() {
		return 0
	}
	if v, ok := w.repeats(ply); ok {
		w.why = trace.Over
		return v
	}
	if v, ok := w.known(ply); ok {
		return v
	}
	check := w.stack[ply+frames].check
	if ply >= maxPly {
		w.why = trace.Horizon
		return w.judged()
	}
	e, hit := w.table.Find(w.b.hash)
	hash := move(0)
	if hit {
		v := tree.FromTable(e.Value, ply)
		if beta-alpha == 1 && (e.Bound == engine.Even || e.Bound == engine.AtLeast && v >= beta || e.Bound == engine.AtMost && v <= alpha) {
			w.why = trace.Table
			return v
		}
		hash = move(e.Move)
	}
	best := ply - mate
	eval := unknown
	if !check {
		if hit && e.Eval != math.MaxInt16 {
			eval = int(e.Eval)
		} else {
			eval = w.judged()
		}
		best = eval
		if best >= beta {
			w.why = trace.Quiet
			if !hit {
				w.table.Store(w.b.hash, tree.Entry{Value: tree.ToTable(best, ply), Eval: int16(eval), Bound: engine.AtLeast})
			}
			return best
		}
	}
	old := alpha
	alpha = max(alpha, best)
	bestMove := move(0)
	p := w.start(ply, hash, check)
	n := 0
	for m := p.next(); m != 0; m = p.next() {
		if !check {
			taken := w.b.on[m.to()]
			if taken == 0 {
				continue
			}
			if eval+worth[kindOf[taken&15]]+180 <= alpha && !w.b.gives(m) {
				best = max(best, min(eval+worth[kindOf[taken&15]]+180, alpha))
				continue
			}
			if m == hash && !w.b.gains(m, 0) {
				continue
			}
		} else if n > 2 && w.b.on[m.to()] == 0 && best > -mated {
			continue // some ways out of a check are enough
		}
		former, ok := w.play(m, ply)
		if !ok {
			continue
		}
		n++
		v := -w.quieted(-beta, -alpha, ply+1)
		w.back(m, former)
		if w.stopped {
			return 0
		}
		if v > best {
			best = v
			if v > alpha {
				bestMove = m
				if beta-alpha > 1 {
					w.pv[ply] = append(append(w.pv[ply][:0], m), w.pv[ply+1]...)
				}
				if v >= beta {
					w.why, w.by = trace.Cut, n
					break
				}
				alpha = v
			}
		}
	}
	if first && !check && best < beta && !w.off.Loud && eval+loudest > alpha {
		if v, m := w.loud(max(alpha, best), beta, ply); w.stopped {
			return 0
		} else if v > best {
			best, bestMove = v, m
		}
	}
	if w.why == trace.Read {
		w.why = trace.Quiet
	}
	bound := engine.AtMost
	if best >= beta {
		bound = engine.AtLeast
	} else if best > old {
		bound = engine.Even
	}
	stored := int16(math.MaxInt16)
	if eval != unknown {
		stored = int16(eval)
	}
	w.table.Store(w.b.hash, tree.Entry{Move: uint16(bestMove), Value: tree.ToTable(best, ply), Eval: stored, Bound: bound})
	return best
}

// loudest is how much checks behind the last ply may gain.
const loudest = 150

// loud reads the quiet moves that give check and lose nothing by it, and returns the best
// value with its move; 0 for none that is above alpha.
func (w *worker) loud(alpha, beta, ply int) (best int, by move) {
	var list [128]move
	best = worst
	enemy := w.b.turn ^ 1
	n := 0
	for _, m := range w.b.moves(list[:0], w.b.empty()) {
		if !w.b.touches(m, enemy) || !w.b.gives(m) || !w.b.gains(m, 0) {
			continue
		}
		former, ok := w.play(m, ply)
		if !ok {
			continue
		}
		n++
		v := -w.quieted(-beta, -alpha, ply+1)
		w.back(m, former)
		if w.stopped {
			return worst, 0
		}
		if v > best {
			if best = v; v > alpha {
				by, alpha = m, v
				if beta-alpha > 1 {
					w.pv[ply] = append(append(w.pv[ply][:0], m), w.pv[ply+1]...)
				}
				if v >= beta {
					w.why, w.by = trace.Cut, n
					break
				}
			}
		}
	}
	return best, by
}

// quieted is quiesce with a record of it.
func (w *worker) quieted(alpha, beta, ply int) int {
	if w.record == nil {
		return w.quiesce(alpha, beta, ply, false)
	}
	w.record.Enter(w.line[len(w.line)-1].outer(), false, int32(alpha), int32(beta))
	w.why, w.by = trace.Read, 0
	v := w.quiesce(alpha, beta, ply, false)
	why := w.why
	if w.stopped {
		why = trace.Stopped
	}
	w.record.Leave(int32(v), why, w.by)
	w.why, w.by = trace.Read, 0
	return v
}
