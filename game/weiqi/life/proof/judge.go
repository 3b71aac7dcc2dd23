package proof

import (
	"slices"

	"qipu/board"
	"qipu/game/weiqi/life"
)

// tracer writes down the steps of a proof.
type tracer struct {
	b     *life.Board
	steps []life.Step
	of    [][]int // of strings: the steps that name them
}

// JudgeBenson adds what Benson's theorem proves to a judgement that was begun: the
// status of strings, and the owner of points; those that nothing is proved of stay
// as they are. With trace it adds the steps: the sets of safe strings with their
// regions, then the territory.
func (p *Prover) JudgeBenson(b *life.Board, trace bool, j *life.Judgement) {
	var t *tracer
	if trace {
		t = &tracer{b: b, of: make([][]int, len(b.Strings))}
	}
	p.bensonTo(b, t)
	p.tell(b, t, j)
}

// JudgeStatic is the same with the static rules. The groups of the judgement are
// the chains that pairs of points hold together. With trace it adds a step for every
// chain, vital region, safe set and territory.
func (p *Prover) JudgeStatic(b *life.Board, trace bool, j *life.Judgement) {
	var t *tracer
	if trace {
		t = &tracer{b: b, of: make([][]int, len(b.Strings))}
	}
	p.static.trace = t
	p.Static(b)
	p.static.trace = nil
	p.tell(b, t, j)
	j.Groups = j.Groups[:0]
	for i := range j.Strings {
		v := &j.Strings[i]
		if root := p.groups[i]; root >= 0 && int(root) != i {
			v.Group = j.Strings[root].Group
			g := &j.Groups[v.Group]
			g.Strings = append(g.Strings, i)
			continue
		}
		v.Group = len(j.Groups)
		g := life.Group{Side: v.Side, Strings: []int{i}, Status: v.Status}
		if v.Status == life.Alive {
			g.Eyes = 2
		}
		j.Groups = append(j.Groups, g)
	}
	for i := range j.Strings {
		if t == nil {
			break
		}
		// What is said of one string of a chain is said of all.
		v := &j.Strings[i]
		for _, k := range j.Groups[v.Group].Strings {
			v.Steps = append(v.Steps, t.of[k]...)
		}
		slices.Sort(v.Steps)
		v.Steps = slices.Compact(v.Steps)
	}
}

// tell puts the last proof into a judgement.
func (p *Prover) tell(b *life.Board, t *tracer, j *life.Judgement) {
	for i, status := range p.proof.Strings {
		v := &j.Strings[i]
		if status == life.Unknown {
			continue
		}
		v.Status, v.Proved, v.Chance = status, true, 0
		if status == life.Alive {
			v.Chance = 1
			j.Groups[v.Group].Eyes = 2
		}
		j.Groups[v.Group].Status = status
	}
	for _, c := range b.On {
		if o := p.proof.Owner[c]; o != life.Nobody {
			j.Owner[c.Point()] = o
		}
	}
	if t != nil {
		j.Steps = append(j.Steps, t.steps...)
		for i := range j.Strings {
			j.Strings[i].Steps = append(j.Strings[i].Steps, t.of[i]...)
		}
	}
}

// note adds a step about strings by number, resting on cells.
func (t *tracer) note(rule life.Rule, colour life.Stone, strings []int16, cells []life.Cell, status life.Status, count int) {
	s := life.Step{Rule: rule, Side: colour.Side(), Status: status, Count: count,
		Strings: make([]board.Point, 0, len(strings)), Points: make([]board.Point, 0, len(cells))}
	for _, i := range strings {
		s.Strings = append(s.Strings, t.b.Strings[i].Head.Point())
		t.of[i] = append(t.of[i], len(t.steps))
	}
	for _, c := range cells {
		s.Points = append(s.Points, c.Point())
	}
	t.steps = append(t.steps, s)
}

// benson adds a step for every set of strings that Benson's theorem proves: those
// that share vital regions, directly or through others.
func (t *tracer) benson(r *life.Regions, n *benson) {
	done := make([]bool, len(n.alive))
	taken := make([]bool, len(r.List))
	for first, alive := range n.alive {
		if !alive || done[first] {
			continue
		}
		done[first] = true
		strings, cells, regions := []int16{int16(first)}, []life.Cell{}, 0
		for k := 0; k < len(strings); k++ {
			for _, i := range n.vital[n.of[strings[k]].from:n.of[strings[k]].to] {
				if !n.whole[i] || taken[i] {
					continue
				}
				taken[i] = true
				regions++
				cells = append(cells, r.Cells(int(i))...)
				for _, s := range r.Border(int(i)) {
					if !done[s] {
						done[s] = true
						strings = append(strings, s)
					}
				}
			}
		}
		t.note(life.RuleBenson, r.Colour, strings, cells, life.Alive, regions)
	}
}

// territory adds the step of a territory: about the dead strings inside.
func (t *tracer) territory(r *life.Regions, i int) {
	status := life.Unknown
	if len(r.Inside(i)) > 0 {
		status = life.Dead
	}
	from := len(t.steps)
	t.note(life.RuleTerritory, r.Colour, r.Inside(i), r.Cells(i), status, 0)
	for _, s := range r.Border(i) {
		t.of[s] = append(t.of[s], from)
	}
}
