package verdict

import (
	"bytes"
	_ "embed"
	"slices"
	"sync"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
	"qipu/game/weiqi/tactics"
)

//go:embed weights.bin
var shipped []byte

// Shipped returns the weights that come with the program.
var Shipped = sync.OnceValue(func() *Weights {
	w, err := ReadWeights(bytes.NewReader(shipped))
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return w
})

// Doubt is how likely the other status has to be for a string to be unclear.
const Doubt = 0.05

// settled is how sure a round has to be of a string for the later ones to leave it
// alone: nine strings of ten are, after the second.
const settled = 0.002

// Doubtful tells that a string is read, in the last round, since its chance leaves
// its fate open.
func Doubtful(chance float32) bool { return chance > 0.02 && chance < 0.98 }

// Judge judges boards. It keeps its buffers, so it is not for use by two at once.
type Judge struct {
	weights *Weights
	survey  Survey
	chance  []float32
	proved  []life.Status
	done    []bool
	early   bool
	rows    []float32
	sums    []float32
	seki    []bool
	lost    []float32
	steps   []int // of lands and families, while steps are made
}

// New returns a judge with the weights of the program, or others.
func New(w *Weights) *Judge {
	if w == nil {
		w = Shipped()
	}
	return &Judge{weights: w}
}

// Judge judges every string of a board, the picture of a position. The judgement was
// begun, and holds what is proved: strings of which a proof says something keep it.
// With trace it gets the steps. It plays on the position and takes the moves back.
func (j *Judge) Judge(p *weiqi.Position, b *life.Board, trace bool, out *life.Judgement) {
	j.Weigh(p, b, out.Strings)
	s := &j.survey
	s.Think(j.chance)
	if j.faceOff() {
		s.Think(j.chance)
	}
	j.findSeki()
	for i := range out.Strings {
		v := &out.Strings[i]
		if v.Proved {
			continue
		}
		c := float64(j.chance[i])
		v.Chance = c
		v.Unclear = j.early || c > Doubt && c < 1-Doubt
		switch {
		case s.dead[i]:
			v.Status = life.Dead
		case j.seki[i]:
			v.Status = life.Seki
		default:
			v.Status = life.Alive
		}
	}
	j.spreadDoubt(out)
	j.group(out)
	if trace {
		j.explain(out)
	}
	out.Fill(b)
}

// isEarly reports that the game is not over, so that what was learnt from ends of
// games does not hold.
func (j *Judge) isEarly(b *life.Board) bool {
	open, unclear := 0, 0
	for i, c := range j.chance {
		if j.proved[i] != life.Unknown {
			continue
		}
		open++
		if c > Doubt && c < 1-Doubt {
			unclear++
		}
	}
	return b.Early(unclear, open)
}

// temper turns chances at the end of a game into those while it goes on: there more
// than four strings of five stay in the end whatever is said of them, and of those
// that would be dead for certain two of five.
func (j *Judge) temper() {
	for i, c := range j.chance {
		switch {
		case j.proved[i] != life.Unknown:
		case c < 0.01:
			j.chance[i] = 0.4
		default:
			j.chance[i] = 0.7 + 0.25*c
		}
	}
}

// Weigh finds the chance of every string to stay on the board, round by round,
// and returns the list, which is good until the next call. Strings that are proved
// have theirs.
func (j *Judge) Weigh(p *weiqi.Position, b *life.Board, known []life.Verdict) []float32 {
	n := len(b.Strings)
	j.chance, j.proved, j.done = life.Zeros(j.chance, n), life.Zeros(j.proved, n), life.Zeros(j.done, n)
	for i := range known {
		if v := &known[i]; v.Proved {
			j.proved[i], j.done[i] = v.Status, true
		}
	}
	j.early = false
	s := &j.survey
	s.Look(b, j.proved)
	Begin(j.chance, j.proved)
	last := len(j.weights.Rounds) - 1
	for r := range j.weights.Rounds {
		if r == last && r > 0 {
			if j.early = j.isEarly(b); j.early {
				j.temper()
				break
			}
			some := false
			for i, c := range j.chance {
				j.done[i] = j.done[i] || !Doubtful(c)
				some = some || !j.done[i]
			}
			if !some {
				break
			}
			s.Read(p, func(i int) bool { return !j.done[i] })
		}
		s.Think(j.chance)
		j.rows = j.rows[:0]
		for i, done := range j.done {
			if !done {
				j.rows = s.Row(j.rows, i)
			}
		}
		j.sums = life.Zeros(j.sums, len(j.rows)/Features)
		j.weights.Rounds[r].Sums(j.sums, j.rows)
		sure := float32(settled)
		if r == 0 {
			sure /= 4 // it has not seen the neighbours yet
		}
		k := 0
		for i, done := range j.done {
			if done {
				continue
			}
			c := Chance(j.sums[k])
			j.chance[i], j.done[i] = c, c < sure || c > 1-sure
			k++
		}
	}
	return j.chance
}

// Begin sets the chances before the first round: all strings stay but those that
// are proved dead.
func Begin(chance []float32, proved []life.Status) {
	for i := range chance {
		chance[i] = 1
		if proved[i] == life.Dead {
			chance[i] = 0
		}
	}
}

// standOff is the chance of strings that face each other over two liberties.
const standOff = 0.97

// faceOff finds pairs of strings that have the same two liberties and no others:
// whoever plays on one of them is taken on the other, so both stay, if the stones
// around them do. It reports whether that changes the fate of a string.
func (j *Judge) faceOff() (changed bool) {
	s := &j.survey
	b := s.b
	for _, t := range s.touch {
		x, y := b.Liberties(int(t.a)), b.Liberties(int(t.b))
		if len(x) != 2 || len(y) != 2 || !(x[0] == y[0] && x[1] == y[1] || x[0] == y[1] && x[1] == y[0]) {
			continue
		}
		if j.proved[t.a] != life.Unknown || j.proved[t.b] != life.Unknown || !s.alone(x[0], t) || !s.alone(x[1], t) ||
			!s.heldBeside(t.a, t.b) || !s.heldBeside(t.b, t.a) {
			continue
		}
		for _, i := range [...]int16{t.a, t.b} {
			if j.chance[i] < standOff {
				changed = changed || j.chance[i] < 0.5
				j.chance[i] = standOff
			}
		}
	}
	return changed
}

// alone reports whether nothing but two strings and empty points lies beside a cell.
func (s *Survey) alone(c life.Cell, t contact) bool {
	for _, step := range life.Steps {
		d := c + step
		if stone := s.b.Stone[d]; (stone == life.Black || stone == life.White) && s.b.Of[d] != t.a && s.b.Of[d] != t.b {
			return false
		}
	}
	return true
}

// heldBeside reports whether a string has enemies beside it other than one, and all of
// them live: it cannot get out that way.
func (s *Survey) heldBeside(i, but int16) (held bool) {
	for _, e := range s.b.Enemies(int(i)) {
		if e != but {
			if s.dead[e] {
				return false
			}
			held = true
		}
	}
	return held
}

// spreadDoubt makes unclear what lives by the death of strings that are unclear: who
// would have fewer than two eyes without the lands that they lie in.
func (j *Judge) spreadDoubt(out *life.Judgement) {
	s := &j.survey
	j.lost = life.Zeros(j.lost, len(out.Strings)) // eyes in doubt, by family
	doubt := false
	for k := range s.lands {
		l := &s.lands[k]
		if l.owner == life.Empty || l.dead[2-l.owner] == 0 {
			continue
		}
		for i := range out.Strings {
			if s.dead[i] && int(s.landOf[i]) == k && out.Strings[i].Unclear {
				j.lost[s.family[l.only[l.owner-1]]] += l.eye
				doubt = true
				break
			}
		}
	}
	if !doubt {
		return
	}
	for i := range out.Strings {
		v := &out.Strings[i]
		if k := &s.kin[s.family[i]]; !v.Proved && !s.dead[i] && k.proved == 0 && j.lost[s.family[i]] > 0 && k.eyes-j.lost[s.family[i]] < 2 {
			v.Unclear = true
		}
	}
}

// findSeki finds strings that stay on the board without two eyes beside enemies of
// which that is true as well: neither side can begin to take the other. It is
// strict, since points left open at the end of a game look much like it.
func (j *Judge) findSeki() {
	s := &j.survey
	b := s.b
	j.seki = life.Zeros(j.seki, len(b.Strings))
	weak := func(i int) bool {
		if s.dead[i] || s.strings[i].proved {
			return false
		}
		k := &s.kin[s.family[i]]
		return k.proved == 0 && k.eyes < 2
	}
	for l := range s.lands {
		d := &s.lands[l]
		if d.border[0] == 0 || d.border[1] == 0 || d.size > 4 {
			continue
		}
		// Every string beside the land is weak, and has nowhere else to go.
		ok := true
		for i := range b.Strings {
			if ok && !s.dead[i] && s.besides(i, int16(l)) {
				ok = weak(i) && j.confined(i)
			}
		}
		for i := range b.Strings {
			if ok && !s.dead[i] && s.besides(i, int16(l)) {
				j.mark(s.family[i])
			}
		}
	}
}

// besides reports whether a living string lies beside a land.
func (s *Survey) besides(i int, l int16) (yes bool) {
	s.eachLand(i, func(k int16) { yes = yes || k == l })
	return yes
}

// confined reports whether all open lands beside the family of a string are small.
func (j *Judge) confined(i int) bool {
	s := &j.survey
	for k := range s.strings {
		if s.family[k] != s.family[i] || s.dead[k] {
			continue
		}
		narrow := true
		s.eachLand(k, func(l int16) { narrow = narrow && (s.lands[l].owner != life.Empty || s.lands[l].size <= 4) })
		if !narrow {
			return false
		}
	}
	return true
}

// mark marks a family as in seki.
func (j *Judge) mark(family int16) {
	for k := range j.seki {
		if j.survey.family[k] == family && !j.survey.dead[k] {
			j.seki[k] = true
		}
	}
}

// group makes groups of the strings: those that live by families, those that are
// dead by the land that they lie in.
func (j *Judge) group(out *life.Judgement) {
	s := &j.survey
	out.Groups = out.Groups[:0]
	list := make([]int, 0, len(out.Strings)) // one for all groups
	for i := range out.Strings {
		out.Strings[i].Group = -1
	}
	for i := range out.Strings {
		v := &out.Strings[i]
		if v.Group >= 0 {
			continue
		}
		g := life.Group{Side: v.Side, Status: v.Status}
		if !s.dead[i] {
			g.Eyes = float64(s.kin[s.family[i]].eyes)
		}
		from := len(list)
		for k := i; k < len(out.Strings); k++ {
			if w := &out.Strings[k]; w.Side == v.Side && s.dead[i] == s.dead[k] &&
				(!s.dead[i] && s.family[i] == s.family[k] || s.dead[i] && s.landOf[i] == s.landOf[k]) {
				w.Group = len(out.Groups)
				list = append(list, k)
			}
		}
		g.Strings = list[from:len(list):len(list)]
		out.Groups = append(out.Groups, g)
	}
}

// explain adds the steps: what is proved keeps its own; each group gets one that
// names what speaks for its status, and rests on those of the groups around it.
func (j *Judge) explain(out *life.Judgement) {
	s := &j.survey
	b, n := s.b, len(s.b.Strings)
	j.steps = life.Zeros(j.steps, len(out.Groups))
	// The dead first: what the living have is made of them.
	for _, dead := range [...]bool{true, false} {
		for g := range out.Groups {
			group := &out.Groups[g]
			first := group.Strings[0]
			if s.dead[first] != dead {
				continue
			}
			step := life.Step{Side: group.Side, Status: group.Status}
			for _, i := range group.Strings {
				step.Strings = append(step.Strings, out.Strings[i].Head)
			}
			rests := []int(nil)
			if dead {
				l := &s.lands[s.landOf[first]]
				step.Rule, step.Count = j.cause(group.Strings, l), l.size
				step.Points = j.points(s.landOf[first], life.StoneOf(group.Side))
			} else {
				k := &s.kin[s.family[first]]
				step.Count = int(2 * k.eyes)
				switch {
				case group.Status == life.Seki:
					step.Rule = life.RuleSeki
				case k.eyes >= 2:
					step.Rule = life.RuleEyes
				case k.proved > 0:
					step.Rule = life.RuleJoined
				case k.captives > 0:
					step.Rule = life.RuleTaken
				default:
					step.Rule = life.RuleWeighed
				}
				for l := range s.lands {
					d := &s.lands[l]
					beside := d.owner == life.StoneOf(group.Side) && s.family[d.only[d.owner-1]] == s.family[first]
					if !beside {
						continue
					}
					step.Points = append(step.Points, j.points(int16(l), life.Empty)...)
					for i := range n {
						if s.dead[i] && s.landOf[i] == int16(l) && b.Strings[i].Colour != d.owner {
							rests = append(rests, j.steps[out.Strings[i].Group])
						}
					}
				}
			}
			j.steps[g] = len(out.Steps)
			slices.Sort(rests)
			rests = append(slices.Compact(rests), len(out.Steps))
			out.Steps = append(out.Steps, step)
			for _, i := range group.Strings {
				if v := &out.Strings[i]; !v.Proved {
					v.Steps = append(v.Steps, rests...)
				}
			}
		}
	}
}

// cause returns what speaks for the death of a group that lies in a land.
func (j *Judge) cause(group []int, l *land) life.Rule {
	s := &j.survey
	for _, i := range group {
		if s.read[i][0] == float32(tactics.Caught) {
			return life.RuleCaught
		}
	}
	if l.owner == life.Empty {
		return life.RuleWeighed
	}
	// Who has too few eyes elsewhere lives by taking it.
	if k := &s.kin[s.family[l.only[l.owner-1]]]; k.proved == 0 && k.eyes-l.eye < 2 && l.dead[2-l.owner] > 1 {
		return life.RuleRace
	}
	return life.RuleNoRoom
}

// points returns the points of a land without the stones of a colour.
func (j *Judge) points(l int16, but life.Stone) (list []board.Point) {
	for _, c := range j.survey.landCells(l) {
		if stone := j.survey.b.Stone[c]; stone == life.Empty || stone != but {
			list = append(list, c.Point())
		}
	}
	return list
}
