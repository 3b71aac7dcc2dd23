package score

import (
	"fmt"

	"qipu/game"
	"qipu/game/weiqi"
	"qipu/record"
	"qipu/record/facts"
)

// Counted is a position of a record of Go as it is counted.
type Counted struct {
	// Position is under the rules that the record is counted by. Moves before it are
	// not known to it.
	Position *weiqi.Position

	Ply    int          // steps of the main line before it
	Last   bool         // it is the end of the main line
	Counts Counting     // by which rules
	Result facts.Result // as the record has it, for the end of the game
}

// Counting tells by which rules a board is counted, and which of them nobody has
// named.
type Counting struct {
	Rules *weiqi.Rules

	// UsualRules and UsualKomi tell that the record names none, so that the usual
	// ones are taken.
	UsualRules, UsualKomi bool
}

// NotGoError tells that life and death was asked about in another game.
type NotGoError struct{ Title string }

func (e *NotGoError) Error() string {
	return fmt.Sprintf("life and death is judged in Go alone, and this is %s", e.Title)
}

// CountedAt returns the position after so many steps of the main line of a
// record, -1 for its end, under the rules that it is counted by.
// It fails with a *NotGoError for other games.
func CountedAt(p *record.Played, ply int) (*Counted, error) {
	rules, ok := p.Rules.(*weiqi.Rules)
	switch {
	case !ok && p.Rules == nil:
		return nil, fmt.Errorf("it is not known which game the record is of: SGF names Go as GM[1]")
	case !ok:
		return nil, &NotGoError{Title: p.Rules.Info().Titles.En}
	case p.Start.Board == nil:
		return nil, fmt.Errorf("the record has no board: its start cannot be set up")
	case ply > len(p.Steps) || ply < -1:
		return nil, fmt.Errorf("there is no ply %d in the record: the last is %d", ply, len(p.Steps))
	case ply < 0:
		ply = len(p.Steps)
	}
	pos, err := record.At(p, ply)
	if err != nil {
		return nil, err
	}
	at := &Counted{Ply: ply, Last: ply == len(p.Steps) && p.Unplayed == 0, Counts: CountingOf(rules, &p.Game.Facts), Result: p.Game.Facts.Result}
	if at.Position, err = at.Counts.Stand(pos.(*weiqi.Position)); err != nil {
		return nil, err
	}
	return at, nil
}

// CountingOf returns the rules that a record is counted by on the board of some
// rules: see [RulesOf]. Where there are no such rules, it is counted by
// those that it was played by.
func CountingOf(played *weiqi.Rules, f *facts.Facts) Counting {
	c := Counting{UsualRules: f.Ruleset == "", UsualKomi: !f.Komi.Known}
	var err error
	if c.Rules, _, err = RulesOf(played.Size(), f); err != nil {
		c.Rules, c.UsualKomi = played, true
	}
	return c
}

// Stand returns a position under the rules of the count. It knows no moves before
// it. The one that is given is not changed.
func (c *Counting) Stand(p *weiqi.Position) (*weiqi.Position, error) {
	stands, err := c.Rules.Arrange(game.SetupOf(p))
	if err != nil {
		return nil, err
	}
	return stands.(*weiqi.Position), nil
}
