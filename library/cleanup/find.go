package cleanup

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"qipu/library"
	"qipu/record/caption"
	"qipu/record/facts"
	"qipu/store"
	"qipu/text"
)

// chunk is how many games are read at once.
const chunk = 5000

// find goes through the headers of all games, kind by kind: what is learnt of names in one is
// not held against another.
func find(ctx context.Context, l *library.Library) ([]*Proposal, error) {
	tally, err := l.Tally(ctx)
	if err != nil {
		return nil, err
	}
	var list []*Proposal
	done := map[string]bool{}
	for _, t := range tally {
		if done[t.Kind.Name] {
			continue
		}
		done[t.Kind.Name] = true
		ids, err := l.IDs(ctx, t.Kind.Name)
		if err != nil {
			return nil, err
		}
		f := finder{gatherer: gatherer{byKey: map[string]*Proposal{}, spelt: map[string]map[string]bool{}}}
		for some := range slices.Chunk(ids.ToArray(), chunk) {
			games, err := l.Games(ctx, some)
			if err != nil {
				return nil, err
			}
			f.games = append(f.games, games...)
		}
		f.learn()
		for i := range f.games {
			if i%chunk == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			f.look(&f.games[i])
		}
		list = append(list, f.list...)
	}
	slices.SortStableFunc(list, func(a, b *Proposal) int {
		return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(len(b.Games), len(a.Games)), cmp.Compare(a.After, b.After))
	})
	return list, nil
}

// finder looks at the games of one kind.
type finder struct {
	gatherer
	games   []store.Game
	lexicon *caption.Lexicon
	years   map[string][]int     // of the games of a player, by folded name
	events  map[string]bool      // folded texts that stand as the event of some games
	split   map[string][2]string // team and player of a name, by name
}

// learn takes what all games together say.
func (f *finder) learn() {
	names := map[string]int{}
	events := map[string]int{}
	for i := range f.games {
		for _, p := range f.games[i].Facts.Players {
			if p.Name != "" {
				names[p.Name]++
			}
		}
		events[f.games[i].Facts.Event]++
	}
	f.lexicon = caption.Learn(func(yield func(string, int) bool) {
		for name, n := range names {
			if !yield(name, n) {
				return
			}
		}
	})
	f.split, f.years = map[string][2]string{}, map[string][]int{}
	for name := range names {
		team, player, ok := f.lexicon.Split(name)
		if !ok {
			player = name
		}
		f.split[name] = [2]string{team, player}
	}
	f.events = map[string]bool{}
	for event, n := range events {
		if n > 1 {
			f.events[text.Fold(event)] = true
		}
	}
	for i := range f.games {
		if d := f.games[i].Facts.Date; d.Known() {
			for _, p := range f.games[i].Facts.Players {
				if p.Name != "" {
					key := f.person(p.Name)
					f.years[key] = append(f.years[key], d.From.Year)
				}
			}
		}
	}
}

// person returns a player by a key that does not depend on the team in front of the name.
func (f *finder) person(name string) string { return text.Fold(f.split[name][1]) }

// look proposes what is to be put right in one game.
func (f *finder) look(g *store.Game) {
	title := f.title(g)
	dated := f.date(g)
	f.garbled(g)
	named := f.colours(g, title)
	told := f.result(g, title)
	if !named {
		named = f.names(g, title)
	}
	if !named {
		f.team(g)
	}
	if !dated && !told && !named { // what rests on the title goes first: then it may go
		f.event(g, title)
	}
}

// title takes the event of a game apart; nil where it is not understood.
func (f *finder) title(g *store.Game) *caption.Title {
	if g.Facts.Event == "" {
		return nil
	}
	if t, ok := f.lexicon.Take(g.Facts.Event, f.split[g.Facts.Players[0].Name][1], f.split[g.Facts.Players[1].Name][1]); ok {
		return &t
	}
	return nil
}

// called returns the name of a file without its folder and ending.
func called(g *store.Game) string {
	base := path.Base(strings.ReplaceAll(g.Source.File, "\\", "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// agrees reports whether a result may be what a caption says, as of the order in which the
// sides are named.
func agrees(r facts.Result, c *caption.Caption) bool {
	return c.Verdict == facts.Unknown || r.Verdict == c.Verdict
}

// same reports whether a header names who a caption names, be it with a team.
func (f *finder) same(header string, s caption.Side) bool {
	return header != "" && f.person(header) == text.Fold(s.Name)
}

// swapped are the corrections that exchange the players.
func swapped(g *store.Game) (list []store.Correction) {
	now := g.Facts
	now.Players[0], now.Players[1] = now.Players[1], now.Players[0]
	for _, field := range []string{"first", "second", "first-rank", "second-rank", "first-rating", "second-rating", "first-team", "second-team"} {
		if value := now.Get(field); value != g.Facts.Get(field) {
			list = append(list, set(field, value))
		}
	}
	return list
}

func versus(a, b string) string { return a + " – " + b }

// colours proposes to exchange the players where something else of the record names them the
// other way round, and the result speaks for that.
func (f *finder) colours(g *store.Game, title *caption.Title) bool {
	a, b := g.Facts.Players[0].Name, g.Facts.Players[1].Name
	if a == "" || b == "" {
		return false
	}
	propose := func(c *caption.Caption, why Reason) bool {
		if c == nil || !c.Ordered || !f.same(a, c.Sides[1]) || !f.same(b, c.Sides[0]) || c.Verdict == facts.Unknown || g.Facts.Result.Verdict != c.Verdict {
			return false
		}
		f.add(g.ID, Colours, why, versus(a, b), versus(a, b), versus(b, a), swapped(g)...)
		return true
	}
	if title != nil && propose(title.Caption, ByTitle) {
		return true
	}
	return propose(f.lexicon.Find(called(g)), ByFile)
}

// result proposes the result that the title tells where there is none.
func (f *finder) result(g *store.Game, title *caption.Title) bool {
	if g.Facts.Result.Verdict != facts.Unknown || title == nil || title.Caption == nil {
		return false
	}
	c := title.Caption
	a, b := g.Facts.Players[0].Name, g.Facts.Players[1].Name
	if c.Verdict == facts.Unknown || !c.Ordered && !(f.same(a, c.Sides[0]) && f.same(b, c.Sides[1])) {
		return false
	}
	if c.Ordered && a != "" && b != "" && !f.same(a, c.Sides[0]) {
		return false
	}
	now := facts.Facts{Result: facts.Result{Verdict: c.Verdict}}
	f.add(g.ID, Results, ByTitle, g.Facts.Event, g.Facts.Event, now.Get("result"), set("result", now.Get("result")))
	return true
}

// names proposes names that only the title has, and those that it has in full where the header
// has been cut off. Who is named first moved first where the title says so, or where the result
// is that of this order.
func (f *finder) names(g *store.Game, title *caption.Title) bool {
	if title == nil || title.Caption == nil {
		return false
	}
	c := title.Caption
	won := c.Verdict == facts.FirstWon || c.Verdict == facts.SecondWon
	if !agrees(g.Facts.Result, c) || !c.Ordered && !won {
		return false
	}
	var list []store.Correction
	for side, field := range []string{"first", "second"} {
		p, said := &g.Facts.Players[side], c.Sides[side]
		switch {
		case p.Name == "":
		case f.same(p.Name, said):
			continue
		case cut(p.Name, said):
		default:
			return false // somebody else
		}
		list = append(list, set(field, said.Name))
		if said.Team != "" && p.Team == "" {
			list = append(list, set(field+"-team", said.Team))
		}
	}
	if len(list) == 0 {
		return false
	}
	a, b := g.Facts.Players[0].Name, g.Facts.Players[1].Name
	f.add(g.ID, Names, ByTitle, versus(a, b)+"\x00"+g.Facts.Event, versus(a, b), versus(c.Sides[0].Team+" "+c.Sides[0].Name, c.Sides[1].Team+" "+c.Sides[1].Name), list...)
	return true
}

// cut reports whether a header has the beginning of what is said of a side, as formats with
// names of a few bytes leave it.
func cut(header string, s caption.Side) bool {
	whole, have := text.Fold(s.Team+s.Name), text.Fold(header)
	return s.Team != "" && len(have) > len(text.Fold(s.Team)) && len(have) < len(whole) && strings.HasPrefix(whole, have)
}

// team proposes to part the team from the names of players.
func (f *finder) team(g *store.Game) {
	if a, b := g.Facts.Players[0].Name, g.Facts.Players[1].Name; f.person(a) == f.person(b) {
		return // two of one name, whom only the teams tell apart
	}
	for side, field := range []string{"first", "second"} {
		p := &g.Facts.Players[side]
		parts := f.split[p.Name]
		if p.Name == "" || parts[0] == "" || p.Team != "" && p.Team != parts[0] {
			continue
		}
		list := []store.Correction{set(field, parts[1])}
		if p.Team == "" {
			list = append(list, set(field+"-team", parts[0]))
		}
		f.add(g.ID, Teams, ByLibrary, parts[0], p.Name, parts[1]+" ("+parts[0]+")", list...)
	}
}

// event proposes the event in the place of a title that has it.
func (f *finder) event(g *store.Game, title *caption.Title) {
	if title == nil || title.Event == g.Facts.Event {
		return
	}
	if c := title.Caption; c != nil { // the names must not be lost with the title
		for _, p := range g.Facts.Players {
			if p.Name == "" {
				return
			}
		}
	}
	list := []store.Correction{set("event", title.Event)}
	if title.Round != "" && g.Facts.Round == "" {
		list = append(list, set("round", title.Round))
	}
	if title.Opening != "" && g.Facts.Opening == "" {
		list = append(list, set("opening", title.Opening))
	}
	f.add(g.ID, Events, ByTitle, title.Event, g.Facts.Event, title.Event, list...)
}
