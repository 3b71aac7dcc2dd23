package mine

import (
	"slices"

	"qipu/pattern/kb"
)

// Settle fits candidates into a base that has none of them: it leaves out those
// that kb.Lint finds to say nothing new, or what the base says already, and lets
// the others say which they override and which they yield to. What the base says
// is never touched. The same candidates can be settled again when the base has
// changed.
func Settle(base *kb.Base, list []Candidate) []Candidate {
	list = slices.Clone(list)
	for i := range list {
		e := &list[i].Entry
		e.Overrides, e.Yields = nil, nil
		if e.Avoids() {
			// A bad shape is bad for want of a better reason: all others are heard
			// first.
			for k := range base.Terms {
				e.Yields = append(e.Yields, "term:"+base.Terms[k].ID)
			}
		}
	}
	for {
		next, changed := settle(base, list)
		list = next
		if !changed {
			break
		}
	}
	for i := range list {
		slices.Sort(list[i].Entry.Overrides)
		slices.Sort(list[i].Entry.Yields)
	}
	return list
}

// settle does what lint asks for once. Every round leaves something out or says
// something new of a pair, so that there are not many.
func settle(base *kb.Base, list []Candidate) (out []Candidate, changed bool) {
	f := &kb.File{}
	at := map[string]int{}
	for i := range list {
		f.Entries = append(f.Entries, list[i].Entry)
		f.Checks = append(f.Checks, list[i].Checks...)
		at[list[i].Entry.ID] = i
	}
	drop := map[int]bool{}
	yield := func(i int, id string) {
		e := &list[i].Entry
		if !slices.Contains(e.Yields, id) {
			e.Yields = append(e.Yields, id)
			changed = true
		}
	}
	all := kb.New(&kb.File{Terms: base.Terms, Entries: base.Entries}, f)
	for _, x := range all.Lint(kb.LintOptions{}) {
		i, mined := at[x.ID]
		j, other := at[x.Other]
		switch {
		case !mined && !other || x.Kind == kb.Unnamed:
		case x.Kind == kb.Override && x.Weight == kb.Warning:
			// Said of one that was left out since: said no more at the end.
			if mined {
				e := &list[i].Entry
				e.Overrides = slices.DeleteFunc(e.Overrides, func(id string) bool { return id == x.Other })
				changed = true
			}
		case x.Kind == kb.Override && mined:
			e := &list[i].Entry
			e.Overrides = append(e.Overrides, x.Other)
			changed = true
		case x.Kind == kb.Override:
			// A shape of the base is a special case of a mined one, and is heard.
			yield(j, x.ID)
		case x.Kind == kb.Contradictory:
			// What the base says is heard; of two mined ones the good one.
			if !mined || other && list[j].Entry.Avoids() {
				yield(j, x.ID)
			} else {
				yield(i, x.Other)
			}
		case mined:
			drop[i] = true
		default:
			drop[j] = true
		}
	}
	if len(drop) == 0 {
		return list, changed
	}
	gone := func(id string) bool { i, ok := at[id]; return ok && drop[i] }
	for i := range list {
		if drop[i] {
			continue
		}
		c := list[i]
		c.Entry.Overrides = slices.DeleteFunc(c.Entry.Overrides, gone)
		c.Entry.Yields = slices.DeleteFunc(c.Entry.Yields, gone)
		out = append(out, c)
	}
	return out, true
}
