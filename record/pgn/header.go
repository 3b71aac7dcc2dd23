package pgn

import (
	"slices"
	"strconv"
	"strings"

	"qipu/record"
	"qipu/record/facts"
)

// allTags returns the tags to write: those of a game from PGN as they are,
// otherwise what the facts say and then the tags of the other format. Tags are
// added where the file would be read as another game, position or notation
// without them.
func (w *writer) allTags() ([]record.Tag, error) {
	g := w.g
	tags := slices.Clone(g.Tags)
	if g.Format != info.Name {
		tags = w.ownTags()
	}
	put := func(name, value string) {
		for i := range tags {
			if strings.EqualFold(tags[i].Name, name) {
				tags[i].Value = value
				return
			}
		}
		tags = append(tags, record.Tag{Name: name, Value: value})
	}
	if kind, _ := w.kinds.of(tags, w.shapes, w.token); kind != g.Kind {
		put("Game", w.kinds.word(g))
	}
	if w.kinds.variantOf(tags, g.Kind) != g.Variant {
		put("Variant", g.Variant)
	}
	if startOf(tags, g.Kind) != g.Start {
		put("FEN", g.Start)
	}
	if found, _ := w.kinds.notationOf(tags, g.Kind, g.Start, w.shapes, w.token); found != g.Notation && g.Notation != "" {
		put("Format", formatWord(g.Notation))
	}
	kind, _ := w.kinds.of(tags, w.shapes, w.token)
	notation, _ := w.kinds.notationOf(tags, g.Kind, g.Start, w.shapes, w.token)
	switch {
	case kind != g.Kind:
		return nil, record.Inexpressible("a game of %s with such tags", g.Kind)
	case w.kinds.variantOf(tags, kind) != g.Variant:
		return nil, record.Inexpressible("the variant %q", g.Variant)
	case startOf(tags, kind) != g.Start:
		return nil, record.Inexpressible("the position %q", g.Start)
	case notation != g.Notation && g.Notation != "" && w.token != "":
		return nil, record.Inexpressible("moves in the notation %q that look like %s", g.Notation, w.token)
	}
	return tags, nil
}

// word returns the value of the Game tag.
func (list kinds) word(g *record.Game) string {
	switch {
	case list[g.Kind] != nil:
		return g.Kind
	case g.Kind == "xiangqi":
		return "Chinese Chess"
	case strings.Contains(g.Variant, "free"), strings.Contains(g.Variant, "standard"):
		return "Gomoku"
	}
	return "Renju"
}

func formatWord(notation string) string {
	for _, n := range notations {
		if n.name == notation {
			return n.word
		}
	}
	return notation
}

// ownTags makes tags for a game of another format.
func (w *writer) ownTags() (tags []record.Tag) {
	g := w.g
	f := &g.Facts
	put := record.PutTags(&tags)
	put("Game", w.kinds.word(g))
	put("Variant", g.Variant)
	put("Event", f.Event)
	put("Site", f.Place)
	if f.Date.Known() {
		put("Date", f.Date.PGN())
	}
	put("Round", f.Round)
	names := [2]string{"Black", "White"}
	switch sides := w.kinds.sides(g.Kind); {
	case sides == facts.RedFirst:
		names = [2]string{"Red", "Black"}
	case sides.White() || g.Kind == "renju" && swapped(g):
		names[0], names[1] = names[1], names[0]
	}
	for i, name := range names {
		p := &f.Players[i]
		put(name, p.Name)
		put(name+"Team", p.Team)
		if p.Rating > 0 {
			put(name+"Elo", strconv.Itoa(p.Rating))
		}
		if p.Rank != (facts.Rank{}) {
			put(name+"Rank", p.Rank.String())
		}
	}
	put("Result", resultWord(g, nil))
	put("Termination", f.Result.How)
	put("ECCO", f.Code)
	put("Opening", f.Opening)
	put("TimeControl", f.Time)
	put("Annotator", f.Author)
	put("Source", f.Source)
	put("FEN", g.Start)
	if g.Notation != "" {
		put("Format", formatWord(g.Notation))
	}
	said := map[string]bool{}
	for _, t := range tags {
		said[t.Value] = true
	}
	for _, t := range g.Tags {
		value := strings.TrimSpace(t.Value)
		if !taken(tags, t.Name) && !said[value] && !said[facts.CleanName(value)] && !w.written(t.Name) {
			tags = append(tags, t)
		}
	}
	return tags
}

// written reports whether a tag of another format is a fact that has been written
// in other words, and whole.
func (w *writer) written(name string) bool {
	f := &w.g.Facts
	switch name {
	case "DT":
		return f.Date.Known() && facts.ParseDate(f.Date.PGN()) == f.Date
	case "RE":
		return f.Result.Margin == 0 && resultWord(w.g, nil) != "*"
	}
	return false
}

// taken reports whether a tag of another format would be mistaken for one of
// this format, whose facts have been written.
func taken(tags []record.Tag, name string) bool {
	for _, own := range []string{"Game", "Variant", "FEN", "Format", "Result", "GameType", "ECO", "Termination"} {
		if strings.EqualFold(name, own) {
			return true
		}
	}
	return has(tags, name)
}

// resultWord returns the word that ends the moves.
func resultWord(g *record.Game, tags []record.Tag) string {
	if word := tag(tags, "Result"); isResult(word) {
		return word
	}
	r := g.Facts.Result
	if g.Kind == "renju" && swapped(g) {
		r.Verdict = r.Verdict.Turned()
	}
	if r.Verdict == facts.BothLost {
		return "0-0"
	}
	return r.PGN()
}
