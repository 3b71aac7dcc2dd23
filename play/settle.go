package play

import (
	"context"
	"slices"
	"time"

	"qipu/board"
	"qipu/game"
	"qipu/record/facts"
)

// Count is a game that is being settled: both sides have passed, no clock runs, and
// what is dead is to be agreed upon.
type Count struct {
	*game.Settlement // as it is marked now

	// Agreed tells which sides agree to that. An engine says when it is asked: it
	// agrees to what the settler proposes, and to nothing else.
	Agreed [2]bool

	// Proposed tells that the marks are those of the settler.
	Proposed bool

	proposal []board.Point // the dead stones of the settler
}

// Facts returns the result as records would have it.
func (c *Count) Facts() facts.Result { return FactsOf(c.Outcome) }

// Count returns how the game is being settled; nil where it is not. It belongs to
// the session.
func (g *Session) Count() *Count { return g.count }

// propose begins to settle the game, and reports whether that can be done.
func (g *Session) propose() bool {
	if g.settler == nil {
		return false
	}
	s, err := g.settler.Propose(context.Background(), g.pos)
	if err != nil {
		return false
	}
	g.count, g.since = &Count{Settlement: s, Proposed: true, proposal: s.Dead()}, time.Time{}
	return true
}

// Mark says of all groups with a stone on one of the points that they are dead, or
// that they are not. Whoever has agreed before has to agree again.
func (g *Session) Mark(points []board.Point, dead bool) error {
	if g.count == nil {
		return g.unsettled()
	}
	return g.recount(g.count.Marked(points, dead))
}

// recount counts the game with other stones dead.
func (g *Session) recount(dead []board.Point) error {
	s, err := g.settler.Count(g.pos, dead)
	if err != nil {
		return err
	}
	proposal := g.count.proposal
	g.count = &Count{Settlement: s, Proposed: slices.Equal(s.Dead(), proposal), proposal: proposal}
	g.version++
	return nil
}

// unsettled tells why there is nothing to agree about.
func (g *Session) unsettled() error {
	if g.result != nil {
		return ErrOver
	}
	return ErrPlaying
}

// Agree says that a side agrees to the count as it is marked; -1 for all people.
// With the agreement of both the game is over. An engine that does not agree plays
// on.
func (g *Session) Agree(side int, now time.Time) error {
	if g.count == nil {
		return g.unsettled()
	}
	c := g.count
	for i, p := range g.settings.Players {
		switch {
		case p.Level == 0:
			c.Agreed[i] = c.Agreed[i] || side < 0 || side == i
		case c.Proposed:
			c.Agreed[i] = true
		default:
			return g.Resume(now)
		}
	}
	g.version++
	if c.Agreed == [2]bool{true, true} {
		g.close(c.Settlement, now)
	}
	return nil
}

// Settle ends a game that is being settled by a count; nil where nobody can tell how
// it has ended.
func (g *Session) Settle(s *game.Settlement, now time.Time) error {
	if g.count == nil {
		return g.unsettled()
	}
	g.version++
	if s == nil {
		g.end(&Result{Winner: -1, Reason: ByBoard, Facts: facts.Result{Verdict: facts.Unfinished}}, now)
		return nil
	}
	g.close(s, now)
	return nil
}

// close ends the game by a count.
func (g *Session) close(s *game.Settlement, now time.Time) {
	r := resultBy(s.Outcome, nil)
	r.Dead, r.Land = s.Dead(), s.Land
	g.end(r, now)
}

// Resume has the game go on: it is the turn of who passed first. The passes that did
// not end the game are taken back, and are no part of it.
func (g *Session) Resume(now time.Time) error {
	if g.count == nil {
		return g.unsettled()
	}
	for n := len(g.steps); n > g.given && g.steps[n-1].move == game.Pass; n = len(g.steps) {
		g.takeBack()
	}
	g.count = nil
	if g.clocked() {
		g.since = now
	}
	g.version++
	return nil
}

// spent reports whether the side to move may as well pass: the other has just done
// so, and the settler is sure of the count and sees no move that is worth anything.
func (g *Session) spent() bool {
	n := len(g.steps)
	if g.settler == nil || n == 0 || g.steps[n-1].move != game.Pass || g.steps[n-1].forced {
		return false
	}
	s, err := g.settler.Propose(context.Background(), g.pos)
	return err == nil && s.Sure && len(s.Left) == 0
}
