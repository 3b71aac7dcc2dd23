package play

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/game"
	"qipu/record"
	"qipu/record/facts"
)

// Event is what records of games that were played here have as their event.
const Event = "Qipu play"

// EngineName returns the name of the engine in records.
func EngineName(level int) string { return "Qipu level " + strconv.Itoa(level) }

// Record returns the game as a record. The number is that of the session among
// all of a library: it stands in the headers, so that two games of the same
// moves stay two, and one that is made into a record twice stays one. Everything
// comes from the state of the session, so that the record of a game that has
// ended is always the same. Forced passes are left out, as in all records of
// games that have them.
func (g *Session) Record(number int64) *record.Game {
	info := g.rules.Info()
	r := &record.Game{Kind: info.Name, Start: g.settings.Start, Notation: string(info.Notations[0].Name), Place: record.Place{File: record.PlayFile, Number: int(number)}}
	f := &r.Facts
	f.Event, f.Round = Event, strconv.FormatInt(number, 10)
	g.variant(r)
	for i, p := range g.settings.Players {
		f.Players[i].Name = p.Title()
	}
	if g.settings.Main > 0 {
		f.Time = fmt.Sprintf("%g+%g", g.settings.Main.Minutes(), g.settings.Increment.Seconds())
	}
	if s := &g.settings; s.Periods > 0 {
		f.Time = fmt.Sprintf("%g + %dx%g byo-yomi", s.Main.Minutes(), s.Periods, s.Period.Seconds())
	}
	f.Result = facts.Result{Verdict: facts.Unfinished}
	comment := "Game " + f.Round + " of " + Event
	if g.result != nil {
		f.Result = g.result.Facts
		day := facts.Day{Year: g.result.At.Year(), Month: int(g.result.At.Month()), Day: g.result.At.Day()}
		f.Date = facts.Date{From: day, To: day}
		comment += ", " + g.result.At.UTC().Format("2006-01-02 15:04")
	}
	at := r.Add(0, record.Unstated, "")
	if o := g.Opening(); o != nil {
		comment += "\nOpening rule: " + o.Rule.Titles.En
	}
	r.Nodes[at].More().Comment = comment
	for i := range g.steps {
		if s := &g.steps[i]; !s.forced {
			at = r.Add(at, record.First+record.Side(s.side), s.text)
			if said := g.said(i + 1); said != "" {
				r.Nodes[at].More().Comment = said
			}
		}
	}
	if g.result != nil {
		Territory(r, at, g.result.Land)
	}
	return r
}

// decided says in records what a word means; numbers are asked for.
var decided = map[string]string{
	game.SwapSides: "swaps colours", game.KeepSides: "keeps the colours", game.PutMore: "puts more stones", game.OfferMany: "does not swap, and offers many points",
}

// said tells what was decided in the opening after some moves, one answer a line:
// "White swaps colours", "Black offers h9, i9".
func (g *Session) said(moves int) string {
	var lines []string
	for i := range g.answers {
		a := &g.answers[i]
		if a.steps != moves || a.act != game.ChooseWord && a.act != game.OfferStone {
			continue
		}
		name := g.rules.Info().Sides[a.side].Titles.En
		switch {
		case a.act == game.ChooseWord:
			lines = append(lines, name+" "+cmp.Or(decided[a.Word], "asks for "+a.Word))
		case i > 0 && g.answers[i-1].act == game.OfferStone:
			lines[len(lines)-1] += ", " + g.rules.Geometry().Name(a.At)
		default:
			lines = append(lines, name+" offers "+g.rules.Geometry().Name(a.At))
		}
	}
	return strings.Join(lines, "\n")
}

// Territory marks in a node of a record whose points count for which side, as
// records of Go have it.
func Territory(r *record.Game, at int32, land [2][]board.Point) {
	for side, name := range [2]string{"TB", "TW"} {
		if len(land[side]) == 0 {
			continue
		}
		prop := record.Prop{Name: name}
		for _, p := range land[side] {
			prop.Values = append(prop.Values, string([]byte{'a' + byte(p.X()), 'a' + byte(p.Y())}))
		}
		r.Nodes[at].More().Props = append(r.Nodes[at].More().Props, prop)
	}
}

// variant tells a record which variant it is of: the board is one, the rules of
// Go and its komi are headers.
func (g *Session) variant(r *record.Game) {
	var words []string
	for word := range strings.SplitSeq(g.rules.Info().Variant, ",") {
		if set := facts.ParseRuleset(word); set != "" {
			r.Facts.Ruleset = set
			continue
		}
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "komi":
			r.Facts.Komi = facts.ParseKomi(value)
		case "handicap":
			r.Facts.Handicap, _ = strconv.Atoi(value)
			if r.Start == "" {
				r.Start = game.FormatPosition(g.rules, g.rules.Start())
			}
		default:
			if word != "" {
				words = append(words, word)
			}
		}
	}
	r.Variant = strings.Join(words, ",")
	// What is usual is said too: readers of a record need not know what is.
	if k, ok := g.rules.(counted); ok {
		r.Facts.Ruleset = cmp.Or(r.Facts.Ruleset, k.Ruleset())
		r.Facts.Komi = facts.Komi{Half: k.Komi(), Known: true}
	}
}

// counted is a Rules of a game that is counted by one of several rule sets.
type counted interface {
	Ruleset() string // as records name it
	Komi() int       // in half points
}
