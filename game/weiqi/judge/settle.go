package judge

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/tactics"
)

// Settler settles games of Go by the verdict. The zero value is ready, and safe for
// concurrent use.
type Settler struct{ pool Pool }

var _ game.Settler = (*Settler)(nil)

// Propose counts a position as the verdict judges it. On a board that is not that
// of a finished game nothing is taken off but what is proved dead.
func (s *Settler) Propose(ctx context.Context, p game.Position) (*game.Settlement, error) {
	return s.settle(ctx, p, nil)
}

// Count counts a position with the dead stones that it is told.
func (s *Settler) Count(p game.Position, dead []board.Point) (*game.Settlement, error) {
	var told board.Plane
	for _, at := range dead {
		told.Add(at)
	}
	return s.settle(context.Background(), p, &told)
}

// own returns a position as that of the game that is settled here.
func own(p game.Position) (*weiqi.Position, error) {
	q, ok := p.(*weiqi.Position)
	if !ok {
		return nil, fmt.Errorf("judge: %T is no position of Go", p)
	}
	return q, nil
}

// settle judges a position, and counts it with the dead stones that it is told, or
// with those that it has found where it is told nothing.
func (s *Settler) settle(ctx context.Context, at game.Position, told *board.Plane) (out *game.Settlement, err error) {
	p, err := own(at)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	s.pool.Do(func(j *Judge) {
		var r *Report
		if r, err = j.Judge(p, Options{}); err != nil {
			return
		}
		doubt := j.doubt(p, r)
		left := j.worth(p, r)
		if told != nil && j.restate(p, r, func(v *life.Verdict) bool { return j.told(told, v) }) {
			doubt = cmp.Or(doubt, game.Unclear) // somebody knows better
		}
		out = j.settlement(p, r)
		out.Left, out.Why, out.Sure = left, doubt, doubt == ""
	})
	return out, err
}

// How often a board is played out, and how often one fate of a string has to come
// about then, less how often the other does, to be believed.
const (
	settleTimes = 200
	settleSure  = 0.6
)

// doubt plays the board out many times, and returns why a judgement may be wrong.
// What becomes of a string then is its fate where the verdict leaves that open, or
// where nearly all games say otherwise: then both are in doubt. Where large parts of
// the board are nobody's yet, nothing stays dead that is not proved to be.
func (j *Judge) doubt(p *weiqi.Position, r *Report) (d game.Doubt) {
	owner := playouts(p, settleTimes)
	early := j.board.Early(0, 0)
	off := make([]bool, len(r.Strings))
	for i := range r.Strings {
		v := &r.Strings[i]
		off[i] = v.Status == life.Dead
		if v.Proved {
			continue
		}
		mean := 0.0 // from 1 where it always stays to -1
		for _, c := range j.board.Stones(i) {
			mean += owner[c.Point()] / float64(v.Stones)
		}
		if v.Side == weiqi.White {
			mean = -mean
		}
		plain := mean >= settleSure || mean <= -settleSure
		switch {
		case v.Unclear:
			v.Unclear = !plain
			if v.Status != life.Seki {
				off[i] = mean < 0
			}
		case plain && off[i] != (mean < 0):
			v.Unclear, off[i] = true, mean < 0
		}
		if v.Unclear {
			d = game.Unclear
		}
		if early {
			off[i] = false
		}
	}
	if early {
		d = game.TooEarly
	}
	j.restate(p, r, func(v *life.Verdict) bool { return off[j.board.Of[life.CellOf(v.Head)]] })
	return d
}

// told reports whether a stone of a string is among those that are told to be dead.
func (j *Judge) told(dead *board.Plane, v *life.Verdict) bool {
	return slices.ContainsFunc(j.board.Stones(int(j.board.Of[life.CellOf(v.Head)])), func(c life.Cell) bool { return dead.Has(c.Point()) })
}

// restate takes over what somebody says is dead, counts anew, and reports whether
// that is anything new. Who calls stones alive that were judged dead says nothing of
// seki; a seki of which one side is taken off is none.
func (j *Judge) restate(p *weiqi.Position, r *Report, dead func(*life.Verdict) bool) (changed bool) {
	var taken board.Plane
	for i := range r.Strings {
		v := &r.Strings[i]
		switch off := dead(v); {
		case off == (v.Status == life.Dead):
		case off:
			v.Status, changed = life.Dead, true
			for _, c := range j.board.Stones(i) {
				taken.Add(c.Point())
			}
		default:
			v.Status, changed = life.Alive, true
		}
	}
	if !changed {
		return false
	}
	beside := taken.Neighbours(r.Size)
	for i := range r.Strings {
		v := &r.Strings[i]
		if v.Status == life.Seki && slices.ContainsFunc(j.board.Stones(i), func(c life.Cell) bool { return beside.Has(c.Point()) }) {
			v.Status = life.Alive
		}
	}
	r.Fill(&j.board)
	r.Protect(&j.board, p.Rules().RuleSet().Scoring == weiqi.Territory)
	r.Score = p.Score(r.ScoreOptions())
	return true
}

// worth returns the points that are worth a move: neutral ones where the area is
// counted, and whatever changes the count.
func (j *Judge) worth(p *weiqi.Position, r *Report) []board.Point {
	e := j.Endgame(p, r)
	left := slices.Clone(e.Open)
	if r.Score.Scoring == weiqi.Area {
		left = append(left, e.Dame...)
	}
	for side := range e.Moves {
		for _, m := range e.Moves[side] {
			if m.Kind != Reinforce || r.Score.Scoring == weiqi.Area {
				left = append(left, m.At)
			}
		}
	}
	slices.Sort(left)
	return slices.Compact(left)
}

var fates = map[life.Status]game.Fate{life.Alive: game.Alive, life.Dead: game.Dead, life.Seki: game.Seki}

// settlement returns what follows from a judgement. Strings of one group that have
// different fates are groups of their own.
func (j *Judge) settlement(p *weiqi.Position, r *Report) *game.Settlement {
	out := &game.Settlement{Totals: r.Score.Total, Outcome: game.Outcome{State: game.Drawn, Reason: game.ByCount}}
	if winner, ok := r.Score.Winner(); ok {
		out.Outcome = game.Outcome{State: game.Won, Winner: winner, Reason: game.ByCount, Margin: r.Score.Margin()}
	}
	for side := range out.Land {
		out.Land[side] = appendPoints([]board.Point{}, &r.Score.Territory[side])
	}
	type part struct {
		group  int
		status life.Status
	}
	numbers := map[part]int{}
	for i := range r.Strings {
		v := &r.Strings[i]
		key := part{v.Group, v.Status}
		n, ok := numbers[key]
		if !ok {
			n = len(out.Groups)
			numbers[key] = n
			out.Groups = append(out.Groups, game.Settled{Side: v.Side, Fate: fates[v.Status], Sure: true})
		}
		g := &out.Groups[n]
		g.Sure = g.Sure && !v.Unclear
		for _, c := range j.board.Stones(i) {
			g.Points = append(g.Points, c.Point())
		}
	}
	for i := range out.Groups {
		slices.Sort(out.Groups[i].Points)
	}
	return out
}

// Clear returns a move that takes a string of the other side which is judged dead or
// unclear, or one of its liberties away, so that no string of the mover's own that
// lives is any worse for it; the string with the fewest liberties first.
func (s *Settler) Clear(at game.Position) game.Move {
	best := game.Pass
	p, err := own(at)
	if err != nil {
		return best
	}
	s.pool.Do(func(j *Judge) {
		r, err := j.Judge(p, Options{})
		if err != nil {
			return
		}
		side := p.Turn()
		safe := living(j, r, side)
		var prey []int
		for i := range r.Strings {
			if v := &r.Strings[i]; v.Side != side && (v.Status == life.Dead || v.Unclear) {
				prey = append(prey, i)
			}
		}
		heads := make([]board.Point, len(prey))
		slices.SortFunc(prey, func(a, b int) int { return len(j.board.Liberties(a)) - len(j.board.Liberties(b)) })
		for k, i := range prey {
			heads[k] = r.Strings[i].Head
		}
		read := tactics.New(p)
		for _, head := range heads {
			for _, q := range p.AppendLiberties(nil, head, board.MaxPoints) {
				m := read.After(side, q)
				if p.Check(game.Drop(q)) != nil || m.SelfAtari() && m.Captured == 0 || p.Play(game.Drop(q)) != nil {
					continue
				}
				after, err := j.Judge(p, Options{})
				well := err == nil && j.keeps(after, side, &safe)
				p.Undo()
				if well {
					best = game.Drop(q)
					return
				}
			}
		}
	})
	return best
}

// living returns the stones of a side that are surely alive.
func living(j *Judge, r *Report, side game.Side) (set board.Plane) {
	for i := range r.Strings {
		if v := &r.Strings[i]; v.Side == side && v.Status.Stays() && !v.Unclear {
			for _, c := range j.board.Stones(i) {
				set.Add(c.Point())
			}
		}
	}
	return set
}

// keeps reports whether these stones of a side are still surely alive.
func (j *Judge) keeps(r *Report, side game.Side, stones *board.Plane) bool {
	now := living(j, r, side)
	return stones.Within(&now)
}
