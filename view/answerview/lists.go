package answerview

import (
	"qipu/library/ask"
	"qipu/library/players"
	"qipu/query"
	"qipu/store"
	"qipu/view"
	"qipu/view/gameview"
	"slices"
	"time"
)

// CollectionOf returns a collection.
func CollectionOf(c *store.Collection) view.Named {
	return view.Named{Name: c.Name, Note: c.Note, Games: c.Games, Created: c.Created.UTC()}
}

// TagOf returns a tag.
func TagOf(t *store.Tag) view.Named {
	return view.Named{Name: t.Name, Games: t.Games, Created: t.Created.UTC()}
}

// EditOf returns what was said about the names of players.
func EditOf(e *players.Edit) view.PlayerEdited {
	return view.PlayerEdited{ID: e.ID, Op: e.Op, Names: append([]string{}, e.Names...), Into: e.Into, Undone: e.Undone, At: e.When.UTC().Truncate(time.Second), Before: []string{}}
}

// EditedOf returns an edit that was made, with who the players were before and are now.
func EditedOf(e *players.Edited) view.PlayerEdited {
	w := EditOf(&e.Edit)
	for _, name := range e.Names {
		if c := e.Before.Canonical(name); !slices.Contains(w.Before, c) {
			w.Before = append(w.Before, c)
		}
	}
	w.After = e.After.Canonical(e.Names[0])
	return w
}

// FieldOf returns a field of the query language.
func FieldOf(f *query.FieldHelp) view.Field {
	return view.Field{
		Name:    f.Name,
		Names:   map[string]string{"en": f.Names.En, "zh-Hant": f.Names.Hant, "zh-Hans": f.Names.Hans, "ja": f.Names.Ja, "ko": f.Names.Ko},
		Aliases: append([]string{}, f.Aliases...), Value: string(f.Kind), Values: append([]string{}, f.Values...), Sided: f.Sided, Moment: f.Moment,
		Meaning: f.Help, Example: f.Example,
	}
}

// ExplainedOf returns what a query means for one kind of game.
func ExplainedOf(p *ask.ExplainedPart) view.ExplainedPart {
	return view.ExplainedPart{
		Game: gameview.SpecOf(p.Kind), Query: p.Part.Query.String(), Plan: p.Plan.String(), Placements: p.Places, Blocks: p.Pages, Candidates: p.Explain.Lines, Lines: p.Total,
	}
}
