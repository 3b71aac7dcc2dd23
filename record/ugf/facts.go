package ugf

import (
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// facts normalises the headers.
func (r *reader) facts() {
	f := &r.game.Facts
	for i, side := range []string{"B", "W"} {
		f.Players[i] = player(r.header["Player"+side])
		if second := player(r.header["Player"+side+"2"]); second.Name != "" {
			f.Players[i].Name += " & " + second.Name
			f.Players[i].Rank = facts.Rank{}
		}
		if f.Players[i].Name == "" {
			f.Players[i] = player(r.header[side+"Memb1"])
		}
	}
	f.Event = facts.CleanName(strings.Join(strings.FieldsFunc(r.header["Title"], func(c rune) bool { return c == ',' }), " "))
	f.Place = facts.CleanName(r.header["Place"])
	f.Author = facts.CleanName(r.header["Commentator"])
	f.Time = facts.CleanName(r.header["Ptime"])
	f.Ruleset = facts.ParseRuleset(r.header["Rule"])
	f.Date = date(r.header["Date"])
	stones, komi, _ := strings.Cut(r.header["Hdcp"], ",")
	f.Handicap = facts.ParseHandicap(stones)
	f.Komi = facts.ParseKomi(komi)
	f.Result = result(r.header["Winner"])
	root := &r.game.Nodes[0]
	if root.Extra != nil && len(root.Setup) > 0 && f.Handicap >= 2 {
		root.Turn = record.Second
	}
}

// player reads "name,rank,...".
func player(text string) facts.Player {
	fields := strings.Split(text, ",")
	p := facts.Player{Name: facts.CleanName(fields[0])}
	if len(fields) > 1 {
		p.Rank = facts.ParseRank(fields[1])
	}
	return p
}

// date reads "2019/03/08,22:09:00,2019/03/09,07:16:59": from and to.
func date(text string) facts.Date {
	fields := strings.Split(text, ",")
	from := facts.ParseDate(strings.ReplaceAll(fields[0], "/", "-"))
	if len(fields) >= 3 {
		to := facts.ParseDate(strings.ReplaceAll(fields[2], "/", "-"))
		switch {
		case !from.Known():
			return to
		case to.Known() && from.Compare(to) <= 0:
			from.To = to.To
		}
	}
	return from
}

// result reads "B,7.50", "W,C".
func result(text string) facts.Result {
	who, how, _ := strings.Cut(strings.TrimSpace(text), ",")
	var r facts.Result
	switch who {
	case "B":
		r.Verdict = facts.FirstWon
	case "W":
		r.Verdict = facts.SecondWon
	case "D":
		r.Verdict = facts.Drawn
	case "O":
		r.Verdict = facts.BothLost
	case "N", "N1":
		r.Verdict = facts.Void
	case "A", "P":
		r.Verdict = facts.Unfinished
	}
	if r.Verdict != facts.FirstWon && r.Verdict != facts.SecondWon {
		return r
	}
	switch {
	case strings.HasPrefix(how, "C") || strings.HasPrefix(how, "c"):
		r.How = facts.Resign
	case strings.HasPrefix(how, "T"):
		r.How = facts.Time
	case strings.HasPrefix(how, "F"):
		r.How = facts.Forfeit
	default:
		if margin, err := strconv.ParseFloat(how, 64); err == nil && margin > 0 && margin < 1000 {
			r.Margin, r.How = margin, facts.Count
		}
	}
	return r
}
