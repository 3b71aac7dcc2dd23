package judge

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
)

// bentFours finds groups that look as if they were in seki and are dead: the four in
// the corner, bent. Three stones of the hunter's stand inside a group without other
// liberties than the two that both share, and a fourth would make the bent four of
// the corner. The hunter may begin a ko there whenever no threat is left; the other
// side can never begin. Japanese rules say so, and where the area is counted it can
// be played out.
func (j *Judge) bentFours(p *weiqi.Position, r *life.Judgement, trace bool) {
	size, found := r.Size, false
	for _, shape := range corners(size) {
		for hunter := game.First; hunter <= game.Second; hunter++ {
			if prey := j.bentFour(p, r, &shape, hunter); len(prey) > 0 {
				found = true
				j.bury(r, prey, shape[:], trace)
			}
		}
	}
	if found {
		r.Fill(&j.board)
	}
}

// corners returns the eight bent fours of a board.
func corners(size board.Size) (list [][4]board.Point) {
	if size.W < 3 || size.H < 3 {
		return nil
	}
	for _, x := range [2]int{0, size.W - 1} {
		for _, y := range [2]int{0, size.H - 1} {
			dx, dy := 1, 1
			if x > 0 {
				dx = -1
			}
			if y > 0 {
				dy = -1
			}
			at := func(i, k int) board.Point { return board.At(x+i*dx, y+k*dy) }
			list = append(list, [4]board.Point{at(0, 0), at(1, 0), at(2, 0), at(0, 1)}, [4]board.Point{at(0, 0), at(0, 1), at(0, 2), at(1, 0)})
		}
	}
	return list
}

// bentFour returns the strings, by number, that are dead by a bent four of the
// hunter's; none where there is no such thing.
func (j *Judge) bentFour(p *weiqi.Position, r *life.Judgement, shape *[4]board.Point, hunter game.Side) (prey []int) {
	b := &j.board
	var inside, free board.Plane // the three stones; what both sides could play
	for _, q := range shape {
		switch side, stone := p.SideAt(q); {
		case !stone:
			free.Add(q)
		case side != hunter:
			return nil
		default:
			inside.Add(q)
		}
	}
	if inside.Count() != 3 {
		return nil
	}
	planes := p.Planes()
	whole := inside.Flood(r.Size, &planes.Of[hunter])
	if whole != inside {
		return nil
	}
	beside := inside.Neighbours(r.Size)
	around := beside
	around.And(&planes.Of[hunter.Opponent()])
	beside.AndNot(&planes.Of[hunter.Opponent()])
	beside.AndNot(&inside)
	free.Or(&beside)
	if free.Count() != 2 {
		return nil
	}
	edge := free.Neighbours(r.Size)
	edge.And(&planes.Of[hunter.Opponent()])
	around.Or(&edge)
	for i := range b.Strings {
		if r.Strings[i].Side == hunter || !slices.ContainsFunc(b.Stones(i), func(c life.Cell) bool { return around.Has(c.Point()) }) {
			continue
		}
		if r.Strings[i].Proved || slices.ContainsFunc(b.Liberties(i), func(c life.Cell) bool { return !free.Has(c.Point()) }) {
			return nil
		}
		// Who is outside must live.
		for _, n := range b.Enemies(i) {
			if v := &r.Strings[n]; v.Status == life.Dead && !inside.Has(v.Head) {
				return nil
			}
		}
		prey = append(prey, i)
	}
	for _, i := range prey {
		for _, k := range r.Groups[r.Strings[i].Group].Strings {
			if !slices.Contains(prey, k) {
				return nil
			}
		}
	}
	return prey
}

// bury notes that strings are dead, and that the stones which kill them live.
func (j *Judge) bury(r *life.Judgement, prey []int, shape []board.Point, trace bool) {
	step := life.Step{Rule: life.RuleBentFour, Side: r.Strings[prey[0]].Side, Status: life.Dead, Points: slices.Clone(shape)}
	for _, i := range prey {
		step.Strings = append(step.Strings, r.Strings[i].Head)
	}
	say := func(i int, status life.Status, chance float64) {
		v := &r.Strings[i]
		v.Status, v.Unclear, v.Chance = status, false, chance
		for _, k := range r.Groups[v.Group].Strings {
			if r.Strings[k].Status != status {
				return
			}
		}
		r.Groups[v.Group].Status = status
	}
	for _, i := range prey {
		say(i, life.Dead, 0)
		if trace {
			r.Strings[i].Steps = append(r.Strings[i].Steps, len(r.Steps))
		}
	}
	for _, q := range shape {
		if v := r.At(&j.board, q); v != nil {
			say(int(j.board.Of[life.CellOf(q)]), life.Alive, 1)
		}
	}
	if trace {
		r.Steps = append(r.Steps, step)
	}
}
