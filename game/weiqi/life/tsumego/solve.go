package tsumego

import (
	"context"
	"slices"
	"time"

	"qipu/game"
	"qipu/game/weiqi/life/pn"
)

// Options are the choices of a solution; the zero value is ready to use.
type Options struct {
	// Nodes bounds the positions looked at for each of the questions that a problem
	// is made of; 0 means Nodes. A question that needs more stays open.
	Nodes int

	// Cut says which static verdicts end lines early; 0 means the strongest.
	Cut Cut

	// All asks for every first move that is as good as the best, not only for one.
	All bool
}

// Nodes is the budget of a question unless told: a few seconds.
const Nodes = 1_000_000

// Outcome is what becomes of the target with the best play of both sides.
type Outcome uint8

// The outcomes. Alive is life whatever the ko threats, with two eyes where
// Solution.Eyes says so; Seki is life without two eyes, and Ko that it is decided by
// a fight for a ko, or by another repetition.
const (
	Unknown Outcome = iota // the budget was spent
	Alive
	Seki
	Ko
	Dead
)

var outcomeNames = [...]string{"unknown", "alive", "seki", "ko", "dead"}

// String returns "unknown", "alive", "seki", "ko" or "dead".
func (o Outcome) String() string { return outcomeNames[o] }

// Solution is what a solver found.
type Solution struct {
	Outcome Outcome

	// Eyes tells that a target that is alive was shown to get two eyes.
	Eyes bool

	// Taker is who wins a ko where neither side has threats: he takes first, and
	// the other one has to find the first threat. It counts with the outcome Ko
	// alone, and where KoKnown tells that the budget was enough to find out.
	Taker   game.Side
	KoKnown bool

	// Moves are the first moves that bring the outcome about, the one of the line
	// first; none if it is what the other side wants, and all first moves fail.
	Moves []game.Move

	// Every tells that Moves has all of them: all were asked for, and decided.
	Every bool

	// Line is a play under which the outcome shows, from the first move, passes
	// included.
	Line []game.Move

	Nodes   int // positions looked at
	Elapsed time.Duration
}

// Works reports whether the side that moves first has its way: unconditionally, or
// in a ko that it takes first.
func (s *Solution) Works(q *Problem) bool {
	switch s.Outcome {
	case Alive, Seki:
		return !q.Kills()
	case Dead:
		return q.Kills()
	case Ko:
		return s.KoKnown && s.Taker == q.First
	}
	return false
}

// Solver solves problems. The zero value is ready; it keeps its tables, so use one
// for many problems, but not at once.
type Solver struct {
	searches [questions]pn.Search
	asked    [questions]bool // of this problem: the tables hold answers of it
	reading  reading
	frame    *frame
	options  Options
	ctx      context.Context
	solution *Solution
}

// question is one of the questions of which a problem is made.
type question uint8

const (
	hard      question = iota // the side that moves first has no ko threats, the other one as many as it likes
	easy                      // the other way round
	plain                     // nobody has ko threats
	eyes                      // the defender needs two eyes, and has no ko threats
	questions = 4
)

// Solve solves a problem. The error is that of a problem that makes no sense, or of
// the context.
func (s *Solver) Solve(ctx context.Context, q *Problem, o Options) (*Solution, error) {
	f, err := newFrame(q)
	if err != nil {
		return nil, err
	}
	if o.Nodes <= 0 {
		o.Nodes = Nodes
	}
	if o.Cut == 0 {
		o.Cut = CutShapes
	}
	start := time.Now()
	s.frame, s.options, s.ctx, s.solution = f, o, ctx, &Solution{Moves: []game.Move{}, Line: []game.Move{}}
	s.asked = [questions]bool{}
	s.reading.reset(f, o.Cut)
	s.decide(q)
	s.solution.Elapsed = time.Since(start)
	return s.solution, ctx.Err()
}

// decide asks one question after the other, until the outcome is known.
func (s *Solver) decide(q *Problem) {
	x, won, lost := s.solution, pn.Disproved, pn.Proved
	success, failure := Alive, Dead
	if q.Kills() {
		won, lost, success, failure = lost, won, failure, success
	}
	answer := s.ask(hard)
	switch answer.Result {
	case won:
		x.Outcome = success
		s.moves(hard, won, answer.Line)
	case lost:
		if answer = s.ask(easy); answer.Result == lost {
			x.Outcome = failure
			x.Every = s.options.All
			x.Line = s.outside(answer.Line)
		} else if answer.Result == won {
			s.ko(q, won, answer.Line)
		}
	}
	if x.Outcome == Alive {
		switch s.ask(eyes).Result {
		case pn.Disproved:
			x.Eyes = true
		case pn.Proved:
			x.Outcome = Seki
		}
	}
}

// ko finds out who takes a ko first, when the side that moves first wins with all
// ko threats and loses without.
func (s *Solver) ko(q *Problem, won pn.Result, line []pn.Move) {
	x := s.solution
	x.Outcome = Ko
	line = slices.Clone(line)
	answer := s.ask(plain)
	x.KoKnown = answer.Result != pn.Unknown
	if x.Taker = 1 - q.First; answer.Result == won {
		x.Taker = q.First
		s.moves(plain, won, answer.Line)
		return
	}
	s.moves(easy, won, line)
}

// moves notes the line and the first moves with which a question is won.
func (s *Solver) moves(k question, won pn.Result, line []pn.Move) {
	x := s.solution
	found := pn.Move(mostPoints)
	if x.Line = s.outside(line); len(line) > 0 {
		found = line[0]
		x.Moves = append(x.Moves, x.Line[0])
	}
	if !s.options.All {
		return
	}
	x.Every = true
	first := s.reading.AppendMoves(nil)
	for _, m := range first {
		if m == found {
			continue
		}
		s.reading.Play(m)
		answer := s.ask(k)
		s.reading.Undo()
		switch answer.Result {
		case won:
			x.Moves = append(x.Moves, s.outside([]pn.Move{m})...)
		case pn.Unknown:
			x.Every = false
		}
	}
}

// slice is how many positions are looked at before the context is asked again.
const slice = 1 << 16

// ask answers a question at the position of the reading.
func (s *Solver) ask(k question) pn.Answer {
	r, search := &s.reading, &s.searches[k]
	r.eyes, r.threats = k == eyes, nobody
	switch kills := s.frame.kills; {
	case k == eyes, k == hard && !kills, k == easy && kills:
		r.threats = attacker
	case k != plain:
		r.threats = defender
	}
	// The size goes with the budget alone, so that answers do not depend on what
	// was solved before.
	if size := tableSize(s.options.Nodes); search.Size != size {
		*search = pn.Search{Size: size}
		s.asked[k] = false
	}
	search.Repeats = pn.Disproved
	if r.threats == attacker {
		search.Repeats = pn.Proved
	}
	var answer pn.Answer
	for left := s.options.Nodes; left > 0 && s.ctx.Err() == nil; left -= slice {
		nodes := answer.Nodes
		if s.asked[k] {
			answer = search.Continue(r, min(left, slice))
		} else {
			answer = search.Solve(r, min(left, slice))
		}
		answer.Nodes += nodes
		s.asked[k] = true
		if answer.Result != pn.Unknown {
			break
		}
	}
	s.solution.Nodes += answer.Nodes
	return answer
}

// tableSize returns how many positions the table of a question holds: 16 MiB at the
// most.
func tableSize(nodes int) int {
	size := 1 << 12
	for size < 1<<19 && size < nodes {
		size *= 2
	}
	return size
}

// outside returns moves of the frame as moves of the given board.
func (s *Solver) outside(line []pn.Move) []game.Move {
	out := make([]game.Move, 0, len(line))
	for _, m := range line {
		if m == pass {
			out = append(out, game.Pass)
			continue
		}
		out = append(out, game.Drop(s.frame.outer(s.reading.points[m])))
	}
	return out
}
