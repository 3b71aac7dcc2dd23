package chaos

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// deletes deletes games.
func (t *task) deletes() error {
	list, words, ids := t.some(6)
	if len(list) == 0 {
		return nil
	}
	t.each(list, drop, "")
	if t.served() {
		t.web(func() error {
			return t.p.post("/records/delete", map[string]any{"ids": ids, "expect": len(ids)}, nil)
		})
		return nil
	}
	t.cli(nil, append([]string{"delete", "--yes"}, words...)...)
	return nil
}

// labels gives games a tag, or puts them into a collection, or takes that back.
func (t *task) labels() error {
	list, words, ids := t.some(8)
	if len(list) == 0 {
		return nil
	}
	p := t.p
	command, path, all, c, back := "tags", "/tags", tags, tag, untag
	if t.kind == "collect" {
		command, path, all, c, back = "collections", "/collections/records", sets, collect, release
	}
	name, off := all[t.r.IntN(len(all))], t.r.IntN(4) == 0
	if t.kind == "collect" && !t.served() {
		// Games go into a collection that there is.
		if c := p.run(0, 0, "--library", p.address, "collections", "create", name); c.code != 0 && !strings.Contains(c.err, "already") {
			return errors.New(c.String())
		}
	}
	if t.kind == "tag" && off && t.r.IntN(3) == 0 && !t.served() {
		for _, e := range p.shelf.games {
			t.effects = append(t.effects, effect{p.shelf, e.game, untag, name})
		}
		if slices.ContainsFunc(list, func(e *entry) bool { return e.tags[name] == yes }) { // else there may be no such tag
			t.cli(nil, "tags", "drop", name)
		}
		return nil
	}
	verb, field := "add", "add"
	if off {
		if len((ask{tag: name}).ids(p.shelf))+len((ask{set: name}).ids(p.shelf)) == 0 {
			return nil
		}
		verb, field, c = "remove", "remove", back
	}
	t.each(list, c, name)
	if !t.served() {
		t.cli(nil, append([]string{command, verb, name}, words...)...)
		return nil
	}
	if t.kind == "collect" {
		if err := p.post("/collections", map[string]any{"name": name}, nil); err != nil && !strings.Contains(err.Error(), "409") {
			return err
		}
	}
	t.web(func() error { return p.post(path, map[string]any{"ids": ids, field: []string{name}}, nil) })
	return nil
}

// saves saves a query.
func (t *task) saves() error {
	a, p := makeAsk(t.r), t.p
	a.tag, a.set = "", ""
	name := []string{"mine", "yours"}[t.r.IntN(2)]
	t.after = func() { p.shelf.queries[name] = a }
	if t.served() {
		t.web(func() error {
			return p.http("PUT", "/queries/"+name, "application/json", fmt.Appendf(nil, `{"query":%q,"replace":true}`, a), nil)
		})
		return nil
	}
	p.run(0, 0, "--library", p.address, "query", "drop", name)
	delete(p.shelf.queries, name)
	t.cli(nil, "query", "save", name, a.String())
	return nil
}
