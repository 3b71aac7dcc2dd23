// Package journalview makes the answers about changes of a library: the journal, the trash,
// and what a cleaning up proposes.
package journalview

import (
	"fmt"
	"slices"
	"strings"

	"qipu/library/cleanup"
	"qipu/record/facts"
	"qipu/store"
	"qipu/view"
)

// ChangeOf returns an entry of the journal.
func ChangeOf(c *store.Change) view.Change {
	w := view.Change{
		ID: c.ID, At: c.At.UTC(), Who: c.Who, Op: c.Op, Args: map[string]any{}, Count: c.Count, Undoes: c.Undoes, UndoneBy: c.UndoneBy, What: Sentence(c),
	}
	for name, v := range c.Args {
		switch name {
		case "of":
			w.Of, _ = v.(string)
		case "again":
			w.Again, _ = v.(bool)
		case "left":
			w.Left = texts(v)
		default:
			w.Args[name] = v
		}
	}
	if aboutGames(c) {
		w.Query = fmt.Sprintf("import:%d", c.ID)
	}
	return w
}

// aboutGames reports whether there may be games to look at.
func aboutGames(c *store.Change) bool {
	switch c.Op {
	case store.OpImport, store.OpAdd, store.OpRestore, store.OpEdit, store.OpTag, store.OpUntag, store.OpCollect, store.OpUncollect:
		return c.Count > 0
	}
	return false
}

func texts(v any) (list []string) {
	switch v := v.(type) {
	case []string:
		return v
	case []any:
		for _, x := range v {
			if s, ok := x.(string); ok {
				list = append(list, s)
			}
		}
	}
	return list
}

// plural returns a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Sentence tells what a change did.
func Sentence(c *store.Change) string {
	if c.Op != store.OpUndo {
		return sentence(c.Op, c)
	}
	was := sentence(c.Text("of"), c)
	if again, _ := c.Args["again"].(bool); again {
		return fmt.Sprintf("done again (change %d): %s", c.Undoes, was)
	}
	return fmt.Sprintf("undone (change %d): %s", c.Undoes, was)
}

func sentence(op string, c *store.Change) string {
	name := c.Text("name")
	games := plural(c.Count, "game")
	switch op {
	case store.OpImport:
		return "import of " + imported(c)
	case store.OpAdd:
		return games + " added"
	case store.OpSources:
		return "places noted where games were found"
	case store.OpDelete:
		return games + " deleted"
	case store.OpRestore:
		return games + " brought back from the trash"
	case store.OpEdit:
		fields := strings.Join(texts(c.Args["fields"]), ", ")
		if v, ok := c.Args["value"].(string); ok {
			return fmt.Sprintf("%s of %s corrected to %q", fields, games, v)
		}
		return fmt.Sprintf("%s of %s corrected", fields, games)
	case store.OpResults:
		return "results of " + games + " counted anew"
	case store.OpTag:
		return fmt.Sprintf("tag %q put on %s", name, games)
	case store.OpUntag:
		return fmt.Sprintf("tag %q taken off %s", name, games)
	case store.OpRenameTag:
		return fmt.Sprintf("tag %q renamed to %q", name, c.Text("into"))
	case store.OpDropTag:
		return fmt.Sprintf("tag %q removed", name)
	case store.OpCollect:
		return fmt.Sprintf("%s put into collection %q", games, name)
	case store.OpUncollect:
		return fmt.Sprintf("%s taken out of collection %q", games, name)
	case store.OpCreateCollection:
		return fmt.Sprintf("collection %q made", name)
	case store.OpRenameCollection:
		return fmt.Sprintf("collection %q renamed to %q", name, c.Text("into"))
	case store.OpDropCollection:
		return fmt.Sprintf("collection %q removed", name)
	case store.OpSaveQuery:
		return fmt.Sprintf("query %q saved", name)
	case store.OpRenameQuery:
		return fmt.Sprintf("query %q renamed to %q", name, c.Text("into"))
	case store.OpDropQuery:
		return fmt.Sprintf("query %q removed", name)
	case store.OpNames, store.OpUndoNames:
		return names(op, c)
	}
	if c.Count > 0 {
		return fmt.Sprintf("%s: %s", op, games)
	}
	return op
}

func imported(c *store.Change) string {
	from := texts(c.Args["from"])
	what := strings.Join(from, ", ")
	if more, ok := c.Args["more"].(int64); ok {
		what += fmt.Sprintf(" and %d more", more)
	}
	if what == "" {
		what = "records"
	}
	var counts []string
	for _, k := range []string{"new", "fuller", "twin", "duplicate"} {
		if n, ok := c.Args[k].(int64); ok && n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, k))
		}
	}
	if len(counts) == 0 {
		return what
	}
	return what + " (" + strings.Join(counts, ", ") + ")"
}

// names tells of a change of the names of players or events.
func names(op string, c *store.Change) string {
	list := slices.Clone(texts(c.Args["names"]))
	for i := range list {
		list[i] = fmt.Sprintf("%q", list[i])
	}
	edit, what := c.Text("edit"), "player"
	if edit == cleanup.Dismiss {
		s := plural(c.Count, "proposal") + " to clean up dismissed"
		if op == store.OpUndoNames {
			s += ", taken back"
		}
		return s
	}
	if event, ok := strings.CutPrefix(edit, "event-"); ok {
		edit, what = event, "event"
	}
	s := fmt.Sprintf("%s names: %s %s", what, edit, strings.Join(list, ", "))
	if into := c.Text("into"); into != "" {
		s += fmt.Sprintf(" as %q", into)
	}
	if op == store.OpUndoNames {
		s += ", taken back"
	}
	return s
}

// TrashedOf returns a deleted game.
func TrashedOf(t *store.Trashed) view.TrashedRecord {
	f := &t.Facts
	return view.TrashedRecord{
		ID: t.ID, Game: t.Kind, First: f.Players[0].Name, Second: f.Players[1].Name, Event: f.Event, Date: f.Date.String(),
		At: t.At.UTC(), Until: t.Until.UTC(), Change: t.By,
	}
}

// HeadersOf returns the headers of a record: what it says itself, with corrections laid over it.
func HeadersOf(said *facts.Facts, list []store.Correction) *view.RecordHeaders {
	w := &view.RecordHeaders{}
	for _, name := range facts.Fields {
		h := view.RecordHeader{Name: name, Original: said.Get(name)}
		h.Value = h.Original
		if i := slices.IndexFunc(list, func(c store.Correction) bool { return c.Field == name && c.Value != nil }); i >= 0 {
			h.Value, h.Edited = *list[i].Value, true
		}
		w.Headers = append(w.Headers, h)
	}
	return w
}
