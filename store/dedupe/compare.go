package dedupe

import (
	"slices"
	"strings"

	"qipu/index"
	"qipu/record/facts"
	"qipu/store"
)

// Games that begin alike are common; ones that go on alike are one game.
const (
	// LeastBeginning is how many plies a record must have to count as the
	// beginning of another.
	LeastBeginning = 10
	// SurePlies is from how many equal plies on two records are one game even if
	// their headers name different players: names are spelt in many ways.
	SurePlies = 100
)

// relation is what two records are to each other.
type relation uint8

const (
	strangers relation = iota
	same               // one game: the same moves, or one goes on where the other breaks off
	twins              // the same moves, but headers that contradict each other
)

// relate compares the headers of two records of which the shorter one, of so
// many plies, is the beginning of the other.
func relate(a, b *facts.Facts, plies int, equal bool) relation {
	results := a.Result.Verdict != b.Result.Verdict && decided(a.Result.Verdict) && decided(b.Result.Verdict)
	names := clash(a.Players[0].Name, b.Players[0].Name) || clash(a.Players[1].Name, b.Players[1].Name)
	years := a.Date.Known() && b.Date.Known() && !overlap(a.Date, b.Date)
	switch {
	case !equal && (plies < LeastBeginning || names && years || (names || years) && plies < SurePlies):
		return strangers
	case !equal && plies < index.HeadPlies && !bothNamed(a, b):
		return strangers // theory that many games have in common
	case results || names && years || (names || years) && plies < index.HeadPlies:
		return twins
	}
	return same
}

// bothNamed reports whether both records name both players. They do not contradict
// each other, or nobody would ask.
func bothNamed(a, b *facts.Facts) bool {
	return a.Players[0].Name != "" && a.Players[1].Name != "" && b.Players[0].Name != "" && b.Players[1].Name != ""
}

func decided(v facts.Verdict) bool {
	return v == facts.FirstWon || v == facts.SecondWon || v == facts.Drawn
}

func clash(a, b string) bool { return a != "" && b != "" && !strings.EqualFold(a, b) }

func overlap(a, b facts.Date) bool {
	af, al, _ := a.Bounds()
	bf, bl, _ := b.Bounds()
	const year = 366 // dates of one game differ by the calendar, or by the day it was published
	return af <= bl+year && bf <= al+year
}

// The reasons that link games.
const (
	WhyContradict = "same moves"
	WhyComments   = "same moves, other comments"
	WhyNames      = "same moves, only one names the players"
	WhyLonger     = "one goes on where the other ends"
)

// content is what a record says beside its moves.
type content struct {
	record []byte // encoded
	facts  *facts.Facts
	notes  Notes
}

// beside decides between a record and one that is there, of the same game and of
// so many plies each. Comments are never lost: a record gives way only where it
// has none, or the same ones, and where it does not name a player whom the other
// leaves out. Between records with the same comments, headers that say more win,
// and among equal ones the longer record. Each of these only grows when a record
// takes the place of another, so that no two take turns when they come again.
func (a *content) beside(b *content, plies, others int) (store.Status, string) {
	switch {
	case plies > others:
		if !b.givesWay(a, others) {
			return store.StatusTwin, WhyLonger
		}
		return store.StatusFuller, ""
	case plies < others:
		if !a.givesWay(b, plies) {
			return store.StatusTwin, WhyLonger
		}
		return store.StatusDuplicate, ""
	case slices.Equal(a.notes, b.notes):
		x, y := weight(a.facts), weight(b.facts)
		// Encoded records hold the place and other trifles: a little more is
		// not more.
		if x > y || x == y && len(a.record) > len(b.record)+len(b.record)/8+64 {
			return store.StatusFuller, ""
		}
		return store.StatusDuplicate, ""
	case len(a.notes) > 0 && len(b.notes) > 0:
		return store.StatusTwin, WhyComments
	case len(b.notes) == 0 && b.givesWay(a, plies):
		return store.StatusFuller, ""
	case len(a.notes) == 0 && a.givesWay(b, plies):
		return store.StatusDuplicate, ""
	}
	return store.StatusTwin, WhyNames
}

// givesWay reports whether a record of so many plies has no comments and no names
// that another lacks.
func (a *content) givesWay(b *content, plies int) bool {
	for i := range a.facts.Players {
		if a.facts.Players[i].Name != "" && b.facts.Players[i].Name == "" {
			return false
		}
	}
	return len(a.notes) == 0 || a.notes.Sum() == b.notes.UpTo(plies).Sum()
}

// weight tells how much headers say: names above all, then date and result, then
// how many others there are. Headers that fill a gap in others, and lack nothing
// of them, weigh more.
func weight(f *facts.Facts) (n int) {
	add := func(known bool, by int) {
		if known {
			n += by
		}
	}
	for i := range f.Players {
		p := &f.Players[i]
		add(p.Name != "", 1000)
		add(p.Team != "", 1)
		add(p.Rank != facts.Rank{}, 1)
		add(p.Rating != 0, 1)
	}
	add(f.Date.Known(), 100)
	add(f.Result.Verdict != facts.Unknown, 100)
	add(f.Result.Margin != 0, 1)
	add(f.Komi.Known, 1)
	add(f.Handicap != 0, 1)
	for _, text := range []string{f.Event, f.Round, f.Place, f.Result.How, f.Ruleset, f.Opening, f.Code, f.Source, f.Author, f.Time} {
		add(text != "", 1)
	}
	return n
}
