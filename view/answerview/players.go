package answerview

import (
	"qipu/library/ask"
	"qipu/library/players"
	"qipu/query"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/gameview"
)

const (
	maxAliases = 20   // names of one player in a list
	maxNames   = 1000 // and where one is told about
	maxYears   = 1000
)

// PlayerOf returns a player as lists show one.
func PlayerOf(p *players.Person) view.PlayerRow {
	row := view.PlayerRow{Name: p.Name, Aliases: []string{}, Games: p.Games, Score: ScoreOf(&p.Score)}
	for _, x := range p.Spellings {
		if x.Name != p.Name && len(row.Aliases) < maxAliases {
			row.Aliases = append(row.Aliases, x.Name)
		}
	}
	return row
}

// EventOf returns an event as lists show one.
func EventOf(p *players.Person) view.EventRow {
	like, score := PlayerOf(p), ScoreOf(&p.Score)
	return view.EventRow{
		Name: like.Name, Aliases: like.Aliases, Games: p.Games, Since: score.Since, Until: score.Until,
		Query: query.Field{Name: "event", Op: query.Equal, Value: p.Name}.String(),
	}
}

// PlayerDetailOf returns a player with everything that is known, and so many opponents
// and openings; 0 for all.
func PlayerDetailOf(r *players.Register, p *players.Person, portrait *ask.Portrait, most int) *view.PlayerDetail {
	listed, also := r.Book.Person(p.Name)
	w := &view.PlayerDetail{
		Name: p.Name, Known: append([]string{listed}, also...), Names: []view.NameRow{}, Score: ScoreOf(&portrait.Score), Games: []view.GameCount{},
		Rivals: GroupsOf(portrait.Rivals, most), Years: GroupsOf(portrait.Years, maxYears), Openings: GroupsOf(portrait.Openings, most),
		Query: query.Field{Name: "player", Op: query.Equal, Value: p.Name}.String(),
	}
	for i := range w.Rivals {
		if rival := r.Person(w.Rivals[i].Key); rival != nil {
			w.Rivals[i].Key = rival.Name
		}
	}
	for _, x := range p.Spellings[:min(len(p.Spellings), maxNames)] {
		w.Names = append(w.Names, view.NameRow{Name: x.Name, Games: x.Games})
	}
	for _, x := range p.Kinds {
		w.Games = append(w.Games, view.GameCount{Game: gameview.SpecOf(x.Kind), Records: x.Games})
	}
	return w
}

// GroupsOf returns the first so many groups; 0 for all.
func GroupsOf(list []retrieve.Group, most int) []view.Group {
	if most > 0 {
		list = list[:min(len(list), most)]
	}
	out := make([]view.Group, len(list))
	for i := range out {
		out[i] = GroupOf(&list[i])
	}
	return out
}
