package pgn

import (
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// facts fills in the normalised headers.
func (p *parser) facts() {
	g := &p.game
	f := &g.Facts
	var result, opening, variation string
	for i := range g.Tags {
		name, value := g.Tags[i].Name, said(g.Tags[i].Value)
		if value == "" {
			continue
		}
		if side, what := sideOf(name, p.kinds.sides(g.Kind)); side >= 0 {
			player(&f.Players[side], what, value)
			continue
		}
		switch strings.ToLower(name) {
		case "event":
			set(&f.Event, value)
		case "round":
			set(&f.Round, value)
		case "site":
			set(&f.Place, value)
		case "date":
			if f.Date == (facts.Date{}) {
				f.Date = facts.ParseDate(value)
			}
		case "result":
			set(&result, value)
		case "ecco", "eco":
			set(&f.Code, value)
		case "opening":
			set(&opening, value)
		case "variation":
			set(&variation, value)
		case "annotator":
			set(&f.Author, value)
		case "source":
			set(&f.Source, value)
		case "timecontrol":
			set(&f.Time, value)
		case "termination":
			set(&f.Result.How, how(value))
		}
	}
	f.Opening = strings.TrimSpace(opening + " " + variation)
	p.verdict(result)
	if g.Kind == "renju" && swapped(g) {
		f.Players[0], f.Players[1] = f.Players[1], f.Players[0]
		f.Result.Verdict = f.Result.Verdict.Turned()
	}
}

// said returns a value without the signs that stand for "unknown".
func said(value string) string {
	if strings.Trim(value, "?-. ") == "" {
		return ""
	}
	return facts.CleanName(value)
}

func set(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// how keeps the words for the end of a game that the Termination tag of this
// program has; what other programs write there is free text.
func how(value string) string {
	switch value {
	case facts.Resign, facts.Time, facts.Forfeit, facts.Count, facts.Judge, facts.Illegal, facts.Five, facts.Mate:
		return value
	}
	return ""
}

// sides returns the sides of a game.
func (list kinds) sides(kind string) facts.Sides {
	if k := list[kind]; k != nil {
		return k.Sides
	}
	if kind == "xiangqi" {
		return facts.RedFirst
	}
	return facts.BlackFirst
}

// sideOf reads tags such as RedTeam. In Xiangqi White is another word for Red.
func sideOf(name string, sides facts.Sides) (side int, what string) {
	side = -1
	switch {
	case len(name) >= 3 && strings.EqualFold(name[:3], "red"):
		side, what = 0, name[3:]
	case len(name) >= 5 && strings.EqualFold(name[:5], "white"):
		side, what = 1, name[5:]
		if sides.White() {
			side = 0
		}
	case len(name) >= 5 && strings.EqualFold(name[:5], "black"):
		side, what = 0, name[5:]
		if sides.White() {
			side = 1
		}
	}
	switch what = strings.ToLower(what); what {
	case "", "team", "elo", "rating", "rank", "title":
		return side, what
	}
	return -1, ""
}

func player(p *facts.Player, what, value string) {
	switch what {
	case "":
		set(&p.Name, value)
	case "team":
		set(&p.Team, value)
	case "elo", "rating":
		if p.Rating == 0 {
			p.Rating = facts.ParseRating(value)
		}
	case "rank", "title":
		if p.Rank == (facts.Rank{}) {
			p.Rank = facts.ParseRank(value)
		}
	}
}

// verdict takes the result from the tag, or else from the end of the moves,
// and notes where they differ.
func (p *parser) verdict(text string) {
	g := &p.game
	word := g.Facts.Result.How
	sides := p.kinds.sides(g.Kind)
	said := parseResult(sides, text)
	end := parseResult(sides, p.result)
	if said.Verdict != facts.Unknown && end.Verdict != facts.Unknown && p.result != "*" && said.Verdict != end.Verdict {
		g.Fault(record.Note, record.KindHeader, 0, "the tag Result says %q, the moves end with %q", text, p.result)
	}
	g.Facts.Result = said
	if said.Verdict == facts.Unknown && p.result != "*" {
		g.Facts.Result = end
	}
	if g.Facts.Result.How == "" {
		g.Facts.Result.How = word
	}
}

// parseResult reads a result; the most frequent ones at once.
func parseResult(sides facts.Sides, text string) facts.Result {
	switch text {
	case "", "*":
		return facts.Result{}
	case "1-0":
		return facts.Result{Verdict: facts.FirstWon}
	case "0-1":
		return facts.Result{Verdict: facts.SecondWon}
	}
	return facts.ParseResult(sides, text)
}

// swapped reports whether the players of a swap2 game exchanged colours. The
// player under the tag Black begins; players and choices take turns in the
// move text, so that the place of a choice tells who made it.
func swapped(g *record.Game) bool {
	slot, swap := 0, false
	for _, n := range g.Main() {
		if n.Move != "" {
			slot++
		}
		if n.Extra == nil {
			continue
		}
		for _, prop := range n.Props {
			if prop.Name != propChoice {
				continue
			}
			for _, word := range prop.Values {
				if word == "black" || word == "white" {
					swap = (word == "black") != (slot%2 == 0)
				}
				slot++
			}
		}
	}
	return swap
}
