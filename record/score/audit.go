// Package score reads what a record of Go says about its own count (rules, marks of
// territory, result), and holds it against a judgement of the board.
package score

import (
	"strconv"

	"qipu/board"
	"qipu/game/weiqi"
	"qipu/game/weiqi/life"
)

// Audit is a recorded score beside the judged one. Leads are Black's, in half
// points.
type Audit struct {
	Recorded, Judged int
	Scoring          weiqi.Scoring // that the judged score is by

	// Marked is what the marks of the record count, where it has any: if they
	// agree with the result, it is rather the judgement that is wrong.
	Marked  int
	HasMark bool

	// Unclear are the strings that the judgement is not sure of, by their first
	// stones.
	Unclear []board.Point

	// Agrees names other readings of the record by which it would be right.
	Agrees []Reading
}

// Reading is a way to read a record that is not the one which it asks for.
type Reading string

// The readings.
const (
	ByArea      Reading = "area"        // counted by area, though its rules say territory
	ByTerritory Reading = "territory"   // counted by territory, though its rules say area
	NoReturn    Reading = "no-handicap" // White got nothing for the handicap stones
	NoKomi      Reading = "no-komi"     // the komi was left out
	OtherSide   Reading = "other-side"  // the right margin for the wrong side
)

// Off returns how far the scores are apart, in half points.
func (a *Audit) Off() int { return max(a.Recorded-a.Judged, a.Judged-a.Recorded) }

// Audit compares the recorded score with what follows from a judgement. A record
// that does not name its rules may have been counted either way: the judged score
// is then by that which is nearer to the record, by territory if both are as near.
func (c *Board) Audit(j *life.Judgement) *Audit {
	p, o := c.Position(), j.ScoreOptions()
	var scores [weiqi.Territory + 1]weiqi.Score
	for _, way := range []weiqi.Scoring{weiqi.Area, weiqi.Territory} {
		o.Scoring = way
		scores[way] = p.Score(o)
	}
	a := &Audit{Recorded: c.Result, Scoring: c.Rules.RuleSet().Scoring}
	off := func(lead int) int { return max(lead-c.Result, c.Result-lead) }
	other := weiqi.Area + weiqi.Territory - a.Scoring
	if !c.Named && off(Lead(scores[other])) < off(Lead(scores[a.Scoring])) {
		a.Scoring, other = other, a.Scoring
	}
	s := &scores[a.Scoring]
	a.Judged = Lead(*s)
	for i := range j.Strings {
		if v := &j.Strings[i]; v.Unclear || v.Status == life.Unknown {
			a.Unclear = append(a.Unclear, v.Head)
		}
	}
	if c.Labelled {
		a.Marked, a.HasMark = c.Lead(), true
	}
	if a.Judged == a.Recorded {
		return a
	}
	way := ByArea
	if other == weiqi.Territory {
		way = ByTerritory
	}
	for _, r := range []struct {
		reading Reading
		lead    int
		other   bool // it is another reading at all
	}{
		{way, Lead(scores[other]), true}, {NoReturn, a.Judged + s.Handicap + c.inKomi, s.Handicap+c.inKomi != 0},
		{NoKomi, a.Judged + s.Komi - c.inKomi, s.Komi != c.inKomi}, {OtherSide, -a.Judged, true},
	} {
		if r.other && r.lead == a.Recorded {
			a.Agrees = append(a.Agrees, r.reading)
		}
	}
	return a
}

// Text returns a lead as records write it: "B+3.5", "W+10", "Draw".
func Text(lead int) string {
	switch {
	case lead > 0:
		return "B+" + Points(lead)
	case lead < 0:
		return "W+" + Points(-lead)
	}
	return "Draw"
}

// Points returns half points as points: "3.5", "10".
func Points(half int) string { return strconv.FormatFloat(float64(half)/2, 'f', -1, 64) }

// JudgedLead returns Black's lead in half points that follows from a judgement.
func (c *Board) JudgedLead(j *life.Judgement) int {
	return Lead(c.Position().Score(j.ScoreOptions()))
}

// Lead returns Black's lead in half points of a score.
func Lead(s weiqi.Score) int { return s.Total[0] - s.Total[1] }
