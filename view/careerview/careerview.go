// Package careerview has the public form of how the games of one person went.
package careerview

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"qipu/game"
	"qipu/index"
	"qipu/library/career"
	"qipu/library/players"
	"qipu/query"
	"qipu/record"
	"qipu/retrieve"
	"qipu/view"
	"qipu/view/answerview"
	"qipu/view/gameview"
)

// Namer returns who names the openings of games.
func Namer(kinds *gameview.Kinds) func(*record.Played) career.Opening {
	return func(p *record.Played) (o career.Opening) {
		if p.Rules == nil || p.Start.Board == nil {
			return o
		}
		k, err := kinds.Find(gameview.RulesSpec(p.Rules))
		if err != nil {
			return o
		}
		at := &gameview.Standing{Kind: k}
		if start := string(game.AppendSetup(nil, p.Rules, p.Start)); start != k.StartText {
			at.Base = start
		}
		for _, s := range p.Steps[:min(len(p.Steps), maxOpening)] {
			if s.Move == game.NoMove {
				break
			}
			at.Moves = append(at.Moves, s.Move)
		}
		w := at.Opening()
		if w.Name == "" {
			w.Name = w.Code
		}
		return career.Opening{Name: w.Name, Told: w}
	}
}

// maxOpening is how many moves an opening has at most.
const maxOpening = 60

// maxRows is how many groups are told.
const maxRows = 100

// Of returns a career without its games.
func Of(kinds *index.Kinds, c *career.Career) *view.Career {
	w := &view.Career{
		Names: []view.MyName{}, Score: answerview.ScoreOf(&c.Score), Kinds: []view.Group{}, Colours: []view.Group{}, Years: []view.Group{},
		Strength: []view.StrengthGroup{}, Rivals: []view.Group{}, Openings: []view.OpeningGroup{}, Games: []view.CareerGame{}, Named: c.Named,
	}
	for i := range c.Kinds {
		g := &c.Kinds[i]
		key := g.Key
		if k, err := kinds.Find(key); err == nil {
			key = gameview.SpecOf(k)
		}
		w.Kinds = append(w.Kinds, groupOf(key, &g.Score))
	}
	for i := range c.Colours {
		w.Colours = append(w.Colours, groupOf([...]string{"first", "second", "both"}[c.Colours[i].Key], &c.Colours[i].Score))
	}
	for i := range c.Years {
		year := ""
		if c.Years[i].Key != 0 {
			year = strconv.Itoa(c.Years[i].Key)
		}
		w.Years = append(w.Years, groupOf(year, &c.Years[i].Score))
	}
	for i := range c.Strength {
		g := &c.Strength[i]
		w.Strength = append(w.Strength, view.StrengthGroup{Kind: g.Key.Kind, Key: g.Key.Text, Score: answerview.ScoreOf(&g.Score)})
	}
	for i := range c.Rivals[:min(len(c.Rivals), maxRows)] {
		w.Rivals = append(w.Rivals, groupOf(c.Rivals[i].Key, &c.Rivals[i].Score))
	}
	for i := range c.Openings[:min(len(c.Openings), maxRows)] {
		g := &c.Openings[i]
		o, _ := c.Told[g.Key].(view.Opening)
		o.Name = cmp.Or(o.Name, g.Key)
		o.Games = g.Count
		w.Openings = append(w.Openings, view.OpeningGroup{Opening: o, Score: answerview.ScoreOf(&g.Score)})
	}
	return w
}

func groupOf(key string, s *retrieve.Score) view.Group {
	return view.Group{Key: key, Score: answerview.ScoreOf(s)}
}

// GamesOf returns games of a career.
func GamesOf(kinds *index.Kinds, seats []career.Seat) []view.CareerGame {
	list := make([]view.CareerGame, len(seats))
	for i := range seats {
		s := &seats[i]
		list[i] = view.CareerGame{Record: answerview.SummaryOf(kinds, &s.Game), Side: int(s.Side)}
		switch winner := list[i].Record.Winner; {
		case s.Side == career.Both || winner < 0:
		case winner == 2:
			list[i].Won = "draw"
		case winner == int(s.Side):
			list[i].Won = "win"
		default:
			list[i].Won = "loss"
		}
	}
	return list
}

// NamesOf returns the names of a profile with their games: those of the persons that
// they mean, in the order of the names.
func NamesOf(names []string, persons []*players.Person) []view.MyName {
	list := []view.MyName{}
	for _, name := range names {
		w := view.MyName{Name: name}
		for _, p := range persons {
			if p.Name == name || slices.ContainsFunc(p.Spellings, func(s players.Spelling) bool { return s.Name == name }) {
				w.Games = p.Games
			}
		}
		list = append(list, w)
	}
	return list
}

// QueryOf returns a query for the games of the library under names.
func QueryOf(names []view.MyName) string {
	var list []string
	for _, n := range names {
		if n.Games > 0 {
			list = append(list, query.Field{Name: "player", Op: query.Equal, Value: n.Name}.String())
		}
	}
	if len(list) > 1 {
		return "(" + strings.Join(list, " or ") + ")"
	}
	return strings.Join(list, "")
}

// TreeOf returns the beginnings of the games in which somebody had a side.
func TreeOf(t *career.Tree, side game.Side, n game.Notation) view.MyTree {
	w := view.MyTree{Side: int(side), Tree: *answerview.TreeAt(t.Frame, t.Root, n)}
	if side == game.Second {
		turn(&w.Tree)
	}
	return w
}

// turn makes the wins of the second side those that count first.
func turn(t *view.Tree) {
	s := &t.Score
	s.First, s.Second = s.Second, s.First
	if s.Rate != nil {
		rate, low, high := view.Rounded(1-*s.Rate), view.Rounded(1-*s.High), view.Rounded(1-*s.Low)
		s.Rate, s.Low, s.High = &rate, &low, &high
	}
	for i := range t.Children {
		turn(&t.Children[i])
	}
}
