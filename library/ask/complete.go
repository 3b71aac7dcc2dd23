package ask

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"qipu/board"
	"qipu/index"
	"qipu/named"
	"qipu/pattern/kb"
	"qipu/query"
	"qipu/store"
	"qipu/text"
	"qipu/text/term"
)

// Completer returns who knows the names of the library: of games, of collections,
// tags and saved queries, and of all that records name, such as players and
// events. It is for [query.Complete]. It asks as long as the context holds, reads
// what is there at the moment, and has no names where that cannot be read: nobody
// who types wants an error.
func (sr *Searcher) Completer(ctx context.Context) query.Completer {
	return &completer{searcher: sr, ctx: ctx}
}

type completer struct {
	searcher *Searcher
	ctx      context.Context
}

// Names returns up to limit names of a field that begin with a prefix, or have a
// word that does.
func (c *completer) Names(field, prefix string, limit int) []string {
	found := &offer{folded: text.Fold(prefix), limit: limit, met: map[string]bool{}}
	switch help, _ := query.FieldOf(field); help.Kind {
	case query.GameValue:
		c.games(found)
	case query.NameValue:
		if name, side, _ := strings.Cut(help.Name, "."); side == "" || side == "any" {
			c.kept(name, found)
		} else {
			c.items(found, true)
		}
	case query.TextValue:
		c.written(help.Columns, found)
		slices.SortFunc(found.list, func(x, y string) int { return cmp.Or(cmp.Compare(text.Fold(x), text.Fold(y)), cmp.Compare(x, y)) })
	}
	return found.list
}

// games gathers what games are called: their names, else the first other word
// for them that fits.
func (c *completer) games(found *offer) {
	for _, r := range c.searcher.library.Rules().Shown() {
		info := r.Info()
		if name := found.first(append([]string{info.Name}, info.Aliases...)...); name != "" {
			for _, variant := range info.Usual {
				found.add(name + ":" + variant)
			}
		}
	}
}

// kept gathers the names of what the user keeps.
func (c *completer) kept(field string, found *offer) {
	switch db := c.searcher.library.Notes(); field {
	case "collection":
		for _, name := range ownOf(c.ctx).Called("collection") {
			found.add(name)
		}
		list, _ := db.Collections(c.ctx) // none where it cannot be read
		for i := range list {
			found.add(list[i].Name)
		}
	case "tag":
		for _, name := range ownOf(c.ctx).Called("tag") {
			found.add(name)
		}
		list, _ := db.Tags(c.ctx)
		for i := range list {
			found.add(list[i].Name)
		}
	case "import":
		list, _ := c.searcher.library.Journal().Changes(c.ctx, store.Page{Limit: 50, Op: store.OpImport})
		for i := range list {
			found.add(strconv.FormatInt(list[i].ID, 10))
		}
	case "named":
		list, _ := c.searcher.allSaved(c.ctx)
		for i := range list {
			if list[i].Name != "" {
				found.add(list[i].Name)
			} else {
				found.add(list[i].Described)
			}
		}
		c.items(found, false)
		c.shapes(found)
	case "endgame":
		found.add("win")
		found.add("draw")
		for _, r := range c.searcher.library.Rules().Shown() {
			book, err := c.searcher.library.Knowledge().Names(c.searcher.library.Kinds().Of(r))
			if err != nil {
				continue
			}
			for _, it := range book.Items() {
				if it.Kind == named.Ending && it.ID != named.WonEnding && it.ID != named.DrawnEnding && !found.add(it.ID) {
					return
				}
			}
		}
	case "term":
		for _, r := range c.searcher.library.Rules().Shown() {
			for t := range term.Of(r.Info().Name).All() {
				if !found.add(t.Names.Hant) {
					return
				}
			}
		}
	}
}

// items gathers what has a name on boards, or what of it belongs to one side: of each
// the first name that fits, Chinese before English in the games that have Chinese
// pieces.
func (c *completer) items(found *offer, owned bool) {
	for _, r := range c.searcher.library.Rules().Shown() {
		kind := c.searcher.library.Kinds().Of(r)
		book, err := c.searcher.library.Knowledge().Names(kind)
		if err != nil {
			continue
		}
		for _, it := range book.Items() {
			if it.Kind == named.Code && found.folded == "" {
				break // hundreds, of which nobody has begun to write one
			}
			if owned && !it.Owned() {
				continue
			}
			words := it.Words()
			if kind.Moving && it.Names.Hant != "" {
				words = append([]string{it.Names.Hant}, words...)
			}
			if found.first(words...); len(found.list) >= found.limit {
				return
			}
		}
	}
}

// shapes gathers the names of terms of Go: of each the first that fits, English
// before other languages, and then those of single shapes.
func (c *completer) shapes(found *offer) {
	base := c.searcher.library.Knowledge().Shapes().Base
	first := func(n board.Names, others ...string) bool {
		found.first(append([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko}, others...)...)
		return len(found.list) < found.limit
	}
	for i := range base.Terms {
		if !first(base.Terms[i].Names, append([]string{base.Terms[i].ID}, base.Terms[i].Aliases...)...) {
			return
		}
	}
	if found.folded == "" {
		return // hundreds, of which nobody has begun to write one
	}
	for i := range base.Entries {
		if e := &base.Entries[i]; e.Origin != kb.Mined && !first(e.Names, e.Aliases...) {
			return
		}
	}
}

// written gathers what records have in some columns.
func (c *completer) written(columns []query.Column, found *offer) {
	_ = c.searcher.library.TryView(c.ctx, func(v index.View) error {
		for _, col := range columns {
			for name, err := range v.Names(c.ctx, nil, col) {
				if err != nil || !found.take(name.Text, name.Folded) {
					return err
				}
			}
		}
		return nil
	})
}

// offer gathers names that begin with something, each once.
type offer struct {
	folded string
	limit  int
	met    map[string]bool
	list   []string
}

// first takes the first of the names of one thing that fits, and returns it; "" where
// none does, or there is no room.
func (o *offer) first(names ...string) string {
	for _, name := range names {
		before := len(o.list)
		if o.add(name); len(o.list) > before {
			return name
		}
	}
	return ""
}

// add takes a name, and reports whether there is room for more.
func (o *offer) add(name string) bool { return o.take(name, text.Fold(name)) }

// take is add for a name that is folded already.
func (o *offer) take(name, folded string) bool {
	fits := strings.HasPrefix(folded, o.folded) || strings.Contains(folded, " "+o.folded)
	if fits && len(o.list) < o.limit && name != "" && !o.met[name] {
		o.met[name] = true
		o.list = append(o.list, name)
	}
	return len(o.list) < o.limit
}
