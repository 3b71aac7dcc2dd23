package sgf

import (
	"fmt"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// readFacts normalises the headers. Where the root has none, the first node of
// the main line that has some speaks for the game.
func readFacts(k kind, g *record.Game) {
	f := &g.Facts
	black, white := 0, 1
	if k.sides.White() {
		black, white = 1, 0
	}
	komi, program := "", ""
	take := func(name, value string) bool {
		switch name {
		case "PB":
			setOnce(&f.Players[black].Name, value)
		case "PW":
			setOnce(&f.Players[white].Name, value)
		case "BT":
			setOnce(&f.Players[black].Team, value)
		case "WT":
			setOnce(&f.Players[white].Team, value)
		case "BR":
			setRank(&f.Players[black], value)
		case "WR":
			setRank(&f.Players[white], value)
		case "EV":
			setOnce(&f.Event, value)
		case "RO":
			setOnce(&f.Round, value)
		case "PC":
			setOnce(&f.Place, value)
		case "ECCO":
			setOnce(&f.Code, value)
		case "ON":
			setOnce(&f.Opening, value)
		case "SO":
			setOnce(&f.Source, value)
		case "AN":
			setOnce(&f.Author, value)
		case "DT":
			if !f.Date.Known() {
				f.Date = facts.ParseDate(value)
			}
		case "RE":
			if f.Result == (facts.Result{}) {
				f.Result = facts.ParseResult(k.sides, value)
			}
		case "KM":
			komi = value
		case "HA":
			f.Handicap = facts.ParseHandicap(value)
		case "RU":
			f.Ruleset = facts.ParseRuleset(value)
		case "TM":
			setOnce(&f.Time, value)
		case "OT":
			f.Time = strings.TrimPrefix(f.Time+" + "+strings.TrimSpace(value), " + ")
		case "AP", "TC", "TT", "RL":
			program += name + value + "\n"
			return false
		default:
			return false
		}
		return true
	}
	any := false
	for _, t := range g.Tags {
		any = take(t.Name, t.Value) || any
	}
	if !any {
		laterFacts(g, take)
	}
	f.Komi = readKomi(g, komi, program)
	if g.Kind == kindRenju && f.Event == "" {
		// iwzq.com gives the event as the copyright.
		if g.Tag("5A") != "" || g.Tag("SW") != "" {
			f.Event = facts.CleanName(g.Tag("CP"))
		}
	}
}

// laterFacts looks for headers in the nodes of the main line up to the first
// move.
func laterFacts(g *record.Game, take func(name, value string) bool) {
	for _, n := range g.Main() {
		found := false
		if n.Extra != nil {
			for _, p := range n.Props {
				if isHeader[p.Name] && len(p.Values) > 0 {
					found = take(p.Name, plainText(p.Values[0], true)) || found
				}
			}
		}
		if found || n.Move != "" {
			return
		}
	}
}

func setOnce(field *string, value string) {
	if *field == "" {
		*field = facts.CleanName(value)
	}
}

func setRank(p *facts.Player, value string) {
	if p.Rank == (facts.Rank{}) {
		p.Rank = facts.ParseRank(value)
	}
	if p.Rank == (facts.Rank{}) && p.Rating == 0 {
		p.Rating = facts.ParseRating(value)
	}
}

// readKomi reads KM. The Fox server is known by its name, or by the properties
// that only it writes together.
func readKomi(g *record.Game, value, program string) facts.Komi {
	if g.Kind != kindGo || value == "" {
		return facts.Komi{}
	}
	lower := strings.ToLower(program)
	fox := strings.Contains(lower, "foxwq") || strings.Contains(program, "TC") && strings.Contains(program, "TT")
	if fox {
		return facts.ParseKomiFox(value, g.Facts.Handicap)
	}
	return facts.ParseKomi(value)
}

// factTags returns the headers that say what the facts of a game are: those of
// a game that another format has read.
func factTags(k kind, g *record.Game) []record.Tag {
	f := &g.Facts
	first, second := "B", "W"
	if k.sides.White() {
		first, second = "W", "B"
	}
	var tags []record.Tag
	add := record.PutTags(&tags)
	add("EV", f.Event)
	add("RO", f.Round)
	add("PC", f.Place)
	add("DT", f.Date.SGF())
	for i, side := range []string{first, second} {
		p := &f.Players[i]
		add("P"+side, p.Name)
		rank := p.Rank.String()
		if rank == "" && p.Rating != 0 {
			rank = fmt.Sprint(p.Rating)
		}
		add(side+"R", rank)
		add(side+"T", p.Team)
	}
	if g.Kind == kindGo {
		add("KM", f.Komi.String())
		if f.Handicap > 1 {
			add("HA", fmt.Sprint(f.Handicap))
		}
	}
	add("RU", f.Ruleset)
	if f.Result != (facts.Result{}) {
		add("RE", g.Facts.Result.SGF(k.written()))
	}
	add("TM", f.Time)
	add("ECCO", f.Code)
	add("ON", f.Opening)
	add("SO", f.Source)
	add("AN", f.Author)
	return tags
}

// written returns the sides as results have them in files: Red is W.
func (k kind) written() facts.Sides {
	if k.sides.White() {
		return facts.WhiteFirst
	}
	return facts.BlackFirst
}
