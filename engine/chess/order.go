package chess

import "qipu/engine/tree"

// memory is what a thread has learnt of moves in this thought.
type memory struct {
	history  [13][64]int16          // quiet moves by piece and target
	takes    [13][64][kinds]int16   // captures by piece, target and what is taken
	follows  [13 * 64][13][64]int16 // quiet moves behind the move before
	counters [13][64]move
}

// The stages of a picker.
const (
	stageHash = iota
	stageMakeCaptures
	stageCaptures
	stageKillers
	stageMakeQuiets
	stageQuiets
	stageLosing
	stageDone
)

// picker hands out the moves of a position, what looks best first.
type picker struct {
	w      *worker
	ply    int
	hash   move
	quiets bool // quiet moves are wanted, too
	stage  int
	at     int
	list   []tree.Scored
	losing []tree.Scored
	kept   [3]move
	given  int
}

// start readies the picker of a ply.
func (w *worker) start(ply int, hash move, quiets bool) *picker {
	p := &w.pickers[ply]
	p.w, p.ply, p.quiets, p.hash, p.stage, p.losing = w, ply, quiets, 0, stageHash, p.losing[:0]
	if hash != 0 && w.b.can(hash) && (quiets || w.b.loud(hash)) {
		p.hash = hash
	}
	return p
}

// next returns the next move, 0 at the end.
func (p *picker) next() move {
	w := p.w
	for {
		switch p.stage {
		case stageHash:
			p.stage++
			if p.hash != 0 {
				return p.hash
			}
		case stageMakeCaptures:
			p.fill(false)
			p.stage++
		case stageCaptures:
			for p.at < len(p.list) {
				s := tree.First(p.list[p.at:])
				p.at++
				if move(s.Move()) == p.hash {
					continue
				}
				if !w.b.gains(move(s.Move()), 0) {
					p.losing = append(p.losing, s)
					continue
				}
				return move(s.Move())
			}
			if p.stage++; !p.quiets {
				p.stage = stageDone
			} else {
				f := &w.stack[p.ply+frames]
				p.kept = [3]move{f.killers[0], f.killers[1], w.counter(p.ply)}
				p.given = 0
			}
		case stageKillers:
			for p.given < len(p.kept) {
				m := p.kept[p.given]
				twice := false
				for _, other := range p.kept[:p.given] {
					twice = twice || other == m
				}
				if p.given++; m != p.hash && !twice && w.b.can(m) && !w.b.loud(m) {
					return m
				}
				p.kept[p.given-1] = 0
			}
			p.stage++
		case stageMakeQuiets:
			p.fill(true)
			p.stage++
		case stageQuiets:
			for p.at < len(p.list) {
				m := move(tree.First(p.list[p.at:]).Move())
				p.at++
				if m != p.hash && m != p.kept[0] && m != p.kept[1] && m != p.kept[2] {
					return m
				}
			}
			p.stage, p.at = stageLosing, 0
		case stageLosing:
			if p.at < len(p.losing) {
				p.at++
				return move(p.losing[p.at-1].Move())
			}
			p.stage++
		default:
			return 0
		}
	}
}

// loud leaves out the quiet moves that have not been handed out.
func (p *picker) loud() {
	if p.stage >= stageKillers && p.stage < stageLosing {
		p.stage, p.at = stageLosing, 0
	}
}

// fill lists and scores captures, or quiet moves.
func (p *picker) fill(quiet bool) {
	w := p.w
	p.at, p.list = 0, p.list[:0]
	if !quiet {
		w.made = w.b.captures(w.made[:0])
		for _, m := range w.made {
			mover := w.b.on[m.from()]
			v := int32(-worth[kindOf[mover&15]])
			if taken, ok := w.b.target(m); ok {
				v += int32(16*worth[taken]) + int32(w.takes[mover][m.to()][taken])/4
			}
			if n := m.become(); n == queen {
				v += 16 * int32(worth[queen])
			} else if n != 0 {
				v -= 20000
			}
			p.list = append(p.list, tree.Rate(uint16(m), v))
		}
		return
	}
	w.made = w.b.quiets(w.made[:0])
	one, two := w.before(p.ply, 1), w.before(p.ply, 2)
	for _, m := range w.made {
		to := m.to()
		mover := w.b.on[m.from()]
		v := int32(w.history[mover][to])
		if one != nil {
			v += int32(one[mover][to])
		}
		if two != nil {
			v += int32(two[mover][to])
		}
		p.list = append(p.list, tree.Rate(uint16(m), v))
	}
}

// before returns what is known of moves behind the one so many plies ago, nil for
// nothing.
func (w *worker) before(ply, ago int) *[13][64]int16 {
	f := &w.stack[ply+frames-ago]
	if f.move == 0 {
		return nil
	}
	return &w.follows[int(f.mover)*64+int(f.move.to())]
}

// counter returns the move that answered the last one before.
func (w *worker) counter(ply int) move {
	f := &w.stack[ply+frames-1]
	if f.move == 0 {
		return 0
	}
	return w.counters[f.mover][f.move.to()]
}

// merit is what is known of a quiet move.
func (w *worker) merit(ply int, m move) int {
	mover, to := w.b.on[m.from()], m.to()
	v := int(w.history[mover][to])
	for ago := 1; ago <= 2; ago++ {
		if t := w.before(ply, ago); t != nil {
			v += int(t[mover][to])
		}
	}
	return v
}

// reward notes the move that cut, and those that were tried before it.
func (w *worker) reward(ply, depth int, best move, quiets, takes []move) {
	bonus := tree.Bonus(depth)
	if w.b.loud(best) {
		w.merited(best, bonus)
	} else {
		f := &w.stack[ply+frames]
		if f.killers[0] != best {
			f.killers[0], f.killers[1] = best, f.killers[0]
		}
		if last := &w.stack[ply+frames-1]; last.move != 0 {
			w.counters[last.mover][last.move.to()] = best
		}
		w.learn(ply, best, bonus)
		for _, m := range quiets {
			if m != best {
				w.learn(ply, m, -bonus)
			}
		}
	}
	for _, m := range takes {
		if m != best {
			w.merited(m, -bonus)
		}
	}
}

func (w *worker) learn(ply int, m move, by int) {
	mover, to := w.b.on[m.from()], m.to()
	tree.Adjust(&w.history[mover][to], by)
	for ago := 1; ago <= 2; ago++ {
		if t := w.before(ply, ago); t != nil {
			tree.Adjust(&t[mover][to], by)
		}
	}
}

// merited notes how good a capture was.
func (w *worker) merited(m move, by int) {
	if k, ok := w.b.target(m); ok {
		tree.Adjust(&w.takes[w.b.on[m.from()]][m.to()][k], by)
	}
}
