package play

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"qipu/board"
	"qipu/engine/swap"
	"qipu/game"
)

// ErrAsked tells that the opening waits for an answer and not for a move.
var ErrAsked = errors.New("the opening asks for an answer first")

// opening is how far the opening of a game has come, where its first moves are shared
// out by a rule. Colours may change hands in it: the settings and the seats tell who has
// which at the moment.
type opening struct {
	answers []answered
	ask     *game.OpeningAsk // nil where nothing is asked, or any more
}

// answered is an answer with who gave it.
type answered struct {
	game.OpeningAnswer
	act     game.OpeningAct // that it was the answer to
	side    game.Side       // that the player had then
	swapped bool            // whether the colours had changed hands before, an odd number of times
	steps   int             // how many moves there were
	clock                   // before it
}

// Opening is the opening of a game as it stands.
type Opening struct {
	Rule    game.OpeningRule
	Answers []game.OpeningAnswer
	Acts    []game.OpeningAct // what each answer was to
	Sides   []game.Side       // who gave each answer
	After   []int             // how many moves there were before each
	Chosen  []bool            // a person gave it, and no engine
	Ask     *game.OpeningAsk  // nil once the opening is over
}

// open begins the opening.
func (g *Session) open(given int) error {
	rule := g.settings.Opening
	switch opener, ok := g.rules.(game.Opener); {
	case rule == "":
		return nil
	case !ok:
		return fmt.Errorf("%w: %w for this game: %q", ErrInvalid, game.ErrOpening, rule)
	case given > 0 || g.start != nil:
		return fmt.Errorf("%w: an opening rule begins on the empty board", ErrInvalid)
	default:
		ask, _, err := opener.OpeningAsk(rule, nil)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInvalid, err)
		}
		g.ask = ask
	}
	return nil
}

// Opening returns how the opening stands; nil where there is none. It belongs to the caller.
func (g *Session) Opening() *Opening {
	opener, ok := g.rules.(game.Opener)
	if !ok || g.settings.Opening == "" {
		return nil
	}
	o := &Opening{Answers: g.told(), Ask: g.ask}
	for _, r := range opener.OpeningRules() {
		if r.Name == g.settings.Opening {
			o.Rule = r
		}
	}
	for i := range g.answers {
		o.Acts = append(o.Acts, g.answers[i].act)
		o.Chosen = append(o.Chosen, g.settings.Players[g.hasNow(i)].Level == 0)
		o.Sides, o.After = append(o.Sides, g.answers[i].side), append(o.After, g.answers[i].steps)
	}
	return o
}

// AnswerOf reads an answer to what the opening asks: a word, or a point by its name.
func (v *View) AnswerOf(text string) game.OpeningAnswer {
	if v.Opening != nil && v.Opening.Ask != nil && v.Opening.Ask.Act != game.ChooseWord {
		geo := v.Rules.Geometry()
		for p := range geo.Size.Points() {
			if strings.EqualFold(geo.Name(p), text) {
				return game.OpeningAnswer{At: p}
			}
		}
	}
	return game.OpeningAnswer{Word: strings.ToLower(text), At: board.NoPoint}
}

// Share returns the opening as engines want it; nil where nothing is asked.
func (g *Session) Share() *swap.Opening {
	if g.ask == nil {
		return nil
	}
	return &swap.Opening{Rules: g.rules, Rule: g.settings.Opening, Answers: g.told()}
}

// told returns the answers alone.
func (g *Session) told() (list []game.OpeningAnswer) {
	for i := range g.answers {
		list = append(list, g.answers[i].OpeningAnswer)
	}
	return list
}

// opened returns how many moves belong to the opening.
func (g *Session) opened() int {
	if len(g.answers) == 0 {
		return 0
	}
	last := &g.answers[len(g.answers)-1]
	if last.act == game.PutStone || last.act == game.TakeOffered {
		return last.steps + 1
	}
	return last.steps
}

// unanswered tells what is asked for instead of a move.
func (g *Session) unanswered() error {
	if len(g.ask.Words) > 0 {
		return fmt.Errorf("%w: %s", ErrAsked, strings.Join(g.ask.Words, ", "))
	}
	return fmt.Errorf("%w: a point", ErrAsked)
}

// Answer decides what the opening asks for, for the side that is asked. An answer that
// cannot be changes nothing, and its error wraps game.ErrIllegal.
func (g *Session) Answer(a game.OpeningAnswer, by By, now time.Time) error {
	switch {
	case g.result != nil:
		return ErrOver
	case g.ask == nil:
		return fmt.Errorf("%w: nothing is asked", ErrInvalid)
	case g.Flag(now):
		return nil
	}
	if err := g.ask.Check(g.rules, a); err != nil {
		return err
	}
	side := g.ask.Side
	before := g.clock
	if err := g.note(a, before, by); err != nil {
		return err
	}
	g.tick(side, now)
	if a.Word == game.SwapSides {
		g.exchange()
	}
	g.version++
	g.moved(-1)
	g.conclude(now)
	return nil
}

// take makes the move of a reply, or gives its answers.
func (g *Session) take(r *Reply, now time.Time) error {
	if g.ask == nil {
		return g.Play(r.Move, r.By, now)
	}
	if len(r.Answers) == 0 {
		return g.unanswered()
	}
	for _, a := range r.Answers {
		if err := g.Answer(a, r.By, now); err != nil {
			return err
		}
	}
	return nil
}

// note takes an answer down, with the move that it is if it is one.
func (g *Session) note(a game.OpeningAnswer, before clock, by By) error {
	x := answered{OpeningAnswer: a, act: g.ask.Act, side: g.ask.Side, swapped: g.swapped(), steps: len(g.steps), clock: before}
	ask, moves, err := g.rules.(game.Opener).OpeningAsk(g.settings.Opening, append(g.told(), a))
	if err == nil && len(moves) > len(g.steps) {
		err = g.step(step{move: moves[len(moves)-1], by: by, clock: before})
	}
	if err == nil {
		g.answers, g.ask = append(g.answers, x), ask
	}
	return err
}

// swapped reports whether the players have the other colours than in the beginning.
func (g *Session) swapped() (odd bool) {
	for i := range g.answers {
		odd = odd != (g.answers[i].Word == game.SwapSides)
	}
	return odd
}

// exchange gives each player the other colour, with the clock and the seat.
func (g *Session) exchange() {
	p := &g.settings.Players
	p[0], p[1] = p[1], p[0]
	g.left[0], g.left[1] = g.left[1], g.left[0]
	g.spare[0], g.spare[1] = g.spare[1], g.spare[0]
	if s := g.seats; s != nil {
		s.Keys[0], s.Keys[1] = s.Keys[1], s.Keys[0]
		s.Taken[0], s.Taken[1] = s.Taken[1], s.Taken[0]
		s.By = 1 - s.By
	}
}

// hasNow returns the colour that the player has now who gave an answer.
func (g *Session) hasNow(answer int) game.Side {
	a := &g.answers[answer]
	if a.swapped != g.swapped() {
		return a.side.Opponent()
	}
	return a.side
}

// lastAnswer returns the last answer that a person gave, the one that has a side now or
// for -1 any; -1 for none, and where moves that a person chose have followed the opening.
func (g *Session) lastAnswer(side int) int {
	for i := len(g.answers) - 1; i >= 0; i-- {
		has := g.hasNow(i)
		if g.settings.Players[has].Level == 0 && (side < 0 || side == int(has)) {
			return i
		}
	}
	return -1
}

// unanswer takes an answer back and those that followed; their moves are gone already.
func (g *Session) unanswer(at int) {
	if g.swapped() != g.answers[at].swapped {
		g.exchange()
	}
	g.clock = g.answers[at].clock
	g.answers = g.answers[:at]
	if ask, _, err := g.rules.(game.Opener).OpeningAsk(g.settings.Opening, g.told()); err == nil {
		g.ask = ask
	}
	if len(g.answers) == 0 {
		g.since = time.Time{}
	}
}

// encodeAnswers returns the answers as they are stored.
func (g *Session) encodeAnswers() (list []stateAnswer) {
	for i := range g.answers {
		a := &g.answers[i]
		s := stateAnswer{Word: a.Word}
		if a.Word == "" {
			s.Point = g.rules.Geometry().Name(a.At)
		}
		if g.clocked() {
			s.Left = milliseconds(a.left)
		}
		if g.settings.Periods > 0 {
			s.Spare = a.spare[:]
		}
		list = append(list, s)
	}
	return list
}

// restoreOpening goes through the answers of a stored game, whose moves are made.
func (g *Session) restoreOpening(list []stateAnswer) error {
	if err := g.open(0); err != nil || g.settings.Opening == "" {
		return err
	}
	opener := g.rules.(game.Opener)
	size := g.rules.Geometry().Size
	for i, s := range list {
		a := game.OpeningAnswer{Word: s.Word, At: board.NoPoint}
		if s.Word == "" {
			for p := range size.Points() {
				if g.rules.Geometry().Name(p) == s.Point {
					a.At = p
				}
			}
		}
		_, before, err := opener.OpeningAsk(g.settings.Opening, g.told())
		if err == nil && g.ask == nil {
			err = errors.New("the opening was over")
		}
		if err != nil {
			return fmt.Errorf("play: answer %d of the stored opening: %w", i+1, err)
		}
		x := answered{OpeningAnswer: a, act: g.ask.Act, side: g.ask.Side, swapped: g.swapped(), steps: len(before), clock: clock{durations(s.Left), periods(s.Spare)}}
		ask, moves, err := opener.OpeningAsk(g.settings.Opening, append(g.told(), a))
		if err == nil && (len(moves) > len(g.steps) || len(moves) > 0 && moves[len(moves)-1] != g.steps[len(moves)-1].move) {
			err = errors.New("it does not fit the moves")
		}
		if err != nil {
			return fmt.Errorf("play: answer %d of the stored opening, %s%s: %w", i+1, s.Word, s.Point, err)
		}
		g.answers, g.ask = append(g.answers, x), ask
	}
	return nil
}
