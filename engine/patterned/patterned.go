// Package patterned adds to an evaluation what patterns with names are worth: a hollow
// cannon, a pinned horse, a chariot on the rib file.
//
// The weights were fitted on what searches say of positions of master games
// ("qipu workshop weigh"): what is left of the value of a search once the plain evaluation
// is taken away, told by the patterns that stand there. A tracker of patterns is kept for
// each ply of a search, so that a move costs what it has changed.
package patterned

import (
	"bufio"
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qipu/engine"
	"qipu/game"
	"qipu/pattern"
	"qipu/pattern/relation"
	"qipu/pattern/relation/shipped"
	"qipu/pattern/relation/syntax"
)

//go:embed weights.txt
var weights string // beside the plain evaluation

//go:embed term.txt
var termWeights string // beside that of the engine

// Base is what the patterns are added to.
type Base interface {
	engine.Evaluator
	Loud(p game.Position, moves []game.Move) []game.Move
	Slip() engine.Value
}

// Evaluator is an evaluation with such a term. It follows one search at a time.
type Evaluator struct {
	Base
	set      *relation.Set
	patterns []*syntax.Pattern
	worth    []engine.Value
	plies    []*relation.Tracker // of the search: the position at its root, and so on
	ply      int
}

// New returns an evaluation of a game with the weights that come with the program. The
// rules must be those of the patterns.
func New(base Base, r game.Rules) (*Evaluator, error) {
	kept, worth, err := weighed(r, weights)
	if err != nil {
		return nil, err
	}
	return with(base, r, kept, worth)
}

// weighed returns the patterns that have weights.
func weighed(r game.Rules, text string) (kept []*syntax.Pattern, worth []engine.Value, err error) {
	list, err := parse(text)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range Patterns(r) {
		if w := list[p.ID]; w != 0 {
			kept, worth = append(kept, p), append(worth, w)
		}
	}
	return kept, worth, nil
}

// Unweighed returns an evaluation that knows all patterns which may have a weight, and has
// none for them: what weights are fitted with.
func Unweighed(base Base, r game.Rules) (*Evaluator, error) {
	list := Patterns(r)
	return with(base, r, list, make([]engine.Value, len(list)))
}

func with(base Base, r game.Rules, list []*syntax.Pattern, worth []engine.Value) (*Evaluator, error) {
	set, err := relation.Compile(list, r)
	if err != nil {
		return nil, err
	}
	return &Evaluator{Base: base, set: set, patterns: list, worth: worth}, nil
}

// Patterns returns the shipped patterns of a game that may have weights: structures, which
// stand on a board whatever led to it. A mate needs no weight, and an opening is over.
func Patterns(r game.Rules) (list []*syntax.Pattern) {
	for _, p := range shipped.Base().Patterns {
		if p.Game == r.Info().Name && p.Kind == "structure" {
			list = append(list, p)
		}
	}
	return slices.Clip(list)
}

// parse reads lines of ids with hundredths of a unit.
func parse(text string) (map[string]engine.Value, error) {
	list := map[string]engine.Value{}
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("patterned: line %d is no id with a weight", n)
		}
		w, err := strconv.Atoi(words[1])
		if err != nil || w < -1000 || w > 1000 {
			return nil, fmt.Errorf("patterned: line %d: %q is no weight", n, words[1])
		}
		list[words[0]] = engine.Value(w)
	}
	return list, nil
}

// Begin follows a search from a position on.
func (e *Evaluator) Begin(p game.Position) {
	e.ply = 0
	e.at(0).Reset(viewOf(p))
}

// at returns the tracker of a ply.
func (e *Evaluator) at(ply int) *relation.Tracker {
	for len(e.plies) <= ply {
		e.plies = append(e.plies, e.set.NewTracker())
	}
	return e.plies[ply]
}

func viewOf(p game.Position) *pattern.View {
	v := &pattern.View{Turn: p.Turn()}
	if planar, ok := p.(game.Planar); ok {
		v.Planes = planar.Planes()
	}
	if facts, ok := p.(relation.Facts); ok {
		v.Facts = facts
	}
	return v
}

// Made follows a move.
func (e *Evaluator) Made(p game.Position, m game.Move) {
	e.ply++
	facts, _ := p.(relation.Facts)
	e.at(e.ply).Follow(e.plies[e.ply-1], m.From(), m.To(), p.Turn(), facts)
}

// Undone goes back by a move.
func (e *Evaluator) Undone() { e.ply-- }

// Evaluate returns the value for the side to move. Where no search is followed, call Begin
// before it.
func (e *Evaluator) Evaluate(p game.Position) engine.Value {
	return e.Base.Evaluate(p) + e.sum(p.Turn())
}

// sum returns what the patterns of the ply are worth to a side.
func (e *Evaluator) sum(side game.Side) (v engine.Value) {
	t := e.plies[e.ply]
	for i, w := range e.worth {
		if t.Holds(i, side) {
			v += w
		}
		if t.Holds(i, side.Opponent()) {
			v -= w
		}
	}
	return v
}

// Term is what patterns are worth beside the evaluation of an engine that has a board of
// its own, with weights that were fitted beside that: it is told lines of moves, and plays
// no more of them than differs from the one before. It follows one search at a time.
type Term struct {
	eval *Evaluator
	p    game.Position
	line []game.Move
}

// NewTerm returns one for a game, which must be that of the patterns.
func NewTerm(r game.Rules) (*Term, error) {
	kept, worth, err := weighed(r, termWeights)
	if err != nil {
		return nil, err
	}
	e, err := with(nil, r, kept, worth)
	return &Term{eval: e}, err
}

// Begin follows a search from a position on, which is the term's from then on.
func (t *Term) Begin(p game.Position) {
	t.p, t.line = p, t.line[:0]
	t.eval.Begin(p)
}

// Worth returns what patterns are worth to a side behind a line of moves. A search may pass
// where the rules do not: behind a move that they refuse, the board before it counts.
func (t *Term) Worth(line []game.Move, side game.Side) engine.Value {
	same := 0
	for same < len(line) && same < len(t.line) && line[same] == t.line[same] {
		same++
	}
	for len(t.line) > same {
		t.p.Undo()
		t.eval.Undone()
		t.line = t.line[:len(t.line)-1]
	}
	for _, m := range line[same:] {
		if t.p.Play(m) != nil {
			break
		}
		t.eval.Made(t.p, m)
		t.line = append(t.line, m)
	}
	return t.eval.sum(side)
}

// Features returns for each pattern whether it holds for the first side (1), for the second
// (-1), or for both or none of them.
func (e *Evaluator) Features(p game.Position) []float64 {
	e.Begin(p)
	list := make([]float64, len(e.patterns))
	for i := range list {
		if e.plies[0].Holds(i, game.First) {
			list[i]++
		}
		if e.plies[0].Holds(i, game.Second) {
			list[i]--
		}
	}
	return list
}
