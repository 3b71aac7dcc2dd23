package kb

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"qipu/board"
)

// Kind is a kind of finding.
type Kind string

// The kinds.
const (
	Syntax        Kind = "syntax"        // a file could not be read in full
	Identical     Kind = "identical"     // two entries are the same shape
	Implied       Kind = "implied"       // an entry adds nothing to another
	Override      Kind = "override"      // a special case that does not say so, or says so in vain
	Contradictory Kind = "contradictory" // one says play, the other avoid, and both can match
	Unreachable   Kind = "unreachable"   // an entry never speaks
	Unnamed       Kind = "unnamed"       // a name or a term is missing
	Fixture       Kind = "fixture"       // a check fails, or there is none
	Uncounted     Kind = "evidence"      // the evidence is of another diagram
)

// Weight tells how bad a finding is.
type Weight string

// The weights. A base without errors and warnings is clean.
const (
	Fault   Weight = "error"
	Warning Weight = "warning"
)

// Finding is something that Lint found.
type Finding struct {
	Kind   Kind
	Weight Weight
	ID     string // of the entry or term; empty for a fault of a file
	Other  string // of the other entry of a pair
	File   string
	Line   int
	Text   string // in words, with what to do
}

// String returns the finding as one line.
func (f *Finding) String() string {
	at := ""
	if f.File != "" {
		at = fmt.Sprintf("%s:%d: ", f.File, f.Line)
	}
	return fmt.Sprintf("%s%s: %s: %s", at, f.Weight, f.Kind, f.Text)
}

// LintOptions choose what is looked at; the zero value looks at all of a base.
type LintOptions struct {
	// Only, if not nil, leaves out findings that are not about these ids, and
	// most of the work of finding them.
	Only []string

	// Evidence, if not nil, is compared with the entries.
	Evidence map[string]*Evidence
}

// linter is one run of Lint.
type linter struct {
	*Base
	LintOptions
	out   []Finding
	roots [][]root // by entry

	turned []bool // the entries of which all pictures are made

	special [][]int // special[i] lists the entries that i implies: see implies
	known   []bool  // which of them were worked out

	never map[string]bool // the entries that never match, of which nothing else is to be said
}

// wants tells whether findings about an id are asked for.
func (l *linter) wants(id string) bool { return l.Only == nil || slices.Contains(l.Only, id) }

// root is an entry seen from one of its good points.
type root struct {
	drawn  *view
	turned []*view // all different pictures, the drawn one first: see turn
	enemy  bool    // it is a good point of the enemy
}

// Lint looks through a base: all pairs of entries under all pictures of both,
// exactly, and every entry by itself. The findings are in the order of the
// entries.
func (b *Base) Lint(o LintOptions) []Finding {
	l := &linter{Base: b, LintOptions: o, never: map[string]bool{}}
	for _, f := range b.Faults {
		l.out = append(l.out, Finding{Syntax, Fault, "", "", f.File, f.Line, f.Reason})
	}
	l.terms()
	for i := range b.Entries {
		if l.wants(b.Entries[i].ID) {
			l.entry(&b.Entries[i])
		}
	}
	l.checks()
	l.look()
	l.identical()
	l.relations()
	l.circles()
	if o.Only != nil {
		l.out = slices.DeleteFunc(l.out, func(f Finding) bool {
			return f.ID != "" && !slices.Contains(o.Only, f.ID) && !slices.Contains(o.Only, f.Other)
		})
	}
	order := b.entries.Index
	slices.SortStableFunc(l.out, func(a, b Finding) int {
		return cmp.Or(order(a.ID)-order(b.ID), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	return l.out
}

// add notes a finding about an entry. What is wrong with a shape of a user is a
// warning where the base still works.
func (l *linter) add(k Kind, w Weight, e *Entry, other, format string, args ...any) {
	l.out = append(l.out, Finding{k, w, e.ID, other, e.File, e.Line, e.ID + " " + fmt.Sprintf(format, args...)})
}

// terms looks at the terms.
func (l *linter) terms() {
	for i := range l.Terms {
		t := &l.Terms[i]
		n := t.Names
		if slices.Contains([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko}, "") {
			l.out = append(l.out, Finding{Unnamed, Warning, t.ID, "", t.File, t.Line, "the term " + t.ID + " has not all of its five names: add them to name"})
		}
	}
}

// entry looks at one entry by itself.
func (l *linter) entry(e *Entry) {
	if len(e.Terms) == 0 {
		l.add(Unnamed, Warning, e, "", "belongs to no term: add one, or it cannot be found by its kind")
	}
	for _, id := range e.Terms {
		if l.Term(id) == nil {
			l.add(Unnamed, Fault, e, "", "has the term %s, which there is not: correct it or add the term", id)
		}
	}
	n := l.Title(e)
	if slices.Contains([]string{n.En, n.Hant, n.Hans, n.Ja, n.Ko}, "") {
		l.add(Unnamed, Warning, e, "", "has not all of its five names, and neither has its term: add them to name")
	}
	if ok, why := e.possible(); !ok {
		l.never[e.ID] = true
		l.add(Unreachable, Fault, e, "", "never matches: %s", why)
	}
	for _, id := range slices.Concat(e.Overrides, e.Yields) {
		term, isTerm := strings.CutPrefix(id, "term:")
		if isTerm && l.Term(term) == nil || !isTerm && l.Entry(id) == nil {
			l.add(Override, Fault, e, id, "names %s, which there is not: correct it", id)
		}
	}
	if l.Evidence != nil {
		if v := l.Evidence[e.ID]; v != nil && v.Print != e.Fingerprint() {
			l.add(Uncounted, Warning, e, "", "was changed since its occurrences were counted: count them anew")
		}
	}
}

// checks runs the fixtures. A shape needs one of each kind; those of users are
// let off.
func (l *linter) checks() {
	var yes, no = map[string]bool{}, map[string]bool{}
	for i := range l.Checks {
		c := &l.Checks[i]
		if !l.wants(c.ID) {
			continue
		}
		e := l.Entry(c.ID)
		if e == nil {
			l.out = append(l.out, Finding{Fixture, Fault, c.ID, "", c.File, c.Line, "a check of " + c.ID + ", which there is not: correct the id"})
			continue
		}
		if why := e.Fails(c); why != "" {
			l.out = append(l.out, Finding{Fixture, Fault, e.ID, "", c.File, c.Line, "the check of " + e.ID + " fails: " + why})
		}
		if c.Match {
			yes[e.ID] = true
		} else {
			no[e.ID] = true
		}
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if e.Origin != User && !(yes[e.ID] && no[e.ID]) {
			l.add(Fixture, Warning, e, "", "has not both a check that matches and one that does not: write them")
		}
	}
}

// look makes the views of all entries: all pictures of those that are asked
// about, and of the others as they are drawn.
func (l *linter) look() {
	l.roots, l.turned = make([][]root, len(l.Entries)), make([]bool, len(l.Entries))
	for i := range l.Entries {
		e := &l.Entries[i]
		if l.never[e.ID] {
			continue
		}
		for k, list := range [][]Spot{e.Ours, e.Theirs} {
			for _, at := range list {
				v := newView(e, at, k == 1, board.Identity)
				v.pack()
				l.roots[i] = append(l.roots[i], root{drawn: v, turned: []*view{v}, enemy: k == 1})
			}
		}
		if l.wants(e.ID) {
			l.turn(i)
		}
	}
}

// turn makes the other pictures of an entry. Those that are equal are kept once.
func (l *linter) turn(i int) {
	if l.turned[i] {
		return
	}
	l.turned[i] = true
	for k := range l.roots[i] {
		r := &l.roots[i][k]
		for sym := board.Identity + 1; sym < board.NumSymmetries; sym++ {
			v := newView(&l.Entries[i], r.drawn.at, r.enemy, sym)
			if !slices.ContainsFunc(r.turned, func(w *view) bool { return w.equal(v) }) {
				v.pack()
				r.turned = append(r.turned, v)
			}
		}
	}
}

// equal tells whether two views of one entry are the same picture.
func (v *view) equal(w *view) bool {
	if v.across != w.across || v.along != w.along || v.middle != w.middle || len(v.cells) != len(w.cells) {
		return false
	}
	for _, c := range v.cells {
		if w.set(c.offset) != c.set {
			return false
		}
	}
	return true
}

// identical finds entries of the same shape, whatever their good points are:
// those that are equal in one of the sixteen pictures, wherever in their diagrams
// they are drawn.
func (l *linter) identical() {
	known := map[string]int{}
	sizes := map[int]bool{} // how many cells of those that are asked about say something
	for i := range l.Entries {
		if e := &l.Entries[i]; l.wants(e.ID) {
			sizes[e.says()] = true
		}
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		if !sizes[e.says()] {
			continue
		}
		key := e.canonical()
		if j, twice := known[key]; twice {
			l.add(Identical, Fault, e, l.Entries[j].ID, "is the same shape as %s: make one of both", l.Entries[j].ID)
			continue
		}
		known[key] = i
	}
}

// says returns how many cells say something.
func (e *Entry) says() (n int) {
	for _, set := range e.Cells {
		if set != Any {
			n++
		}
	}
	return n
}

// canonical returns a text that is the same for all pictures of a shape, and for
// other shapes another one. Lines that say nothing are cut off.
func (e *Entry) canonical() string {
	least := ""
	for sym := range board.NumSymmetries {
		for _, swap := range []bool{false, true} {
			v := newView(e, Spot{}, swap, sym)
			if len(v.cells) == 0 {
				continue
			}
			low := v.cells[0].offset
			for _, c := range v.cells {
				low = offset{min(low.x, c.x), min(low.y, c.y)}
			}
			for i := range v.cells {
				v.cells[i].x -= low.x
				v.cells[i].y -= low.y
			}
			slices.SortFunc(v.cells, func(a, b seen) int { return cmp.Or(int(a.y)-int(b.y), int(a.x)-int(b.x)) })
			place := ""
			if v.across != 0 || v.along != 0 {
				place = fmt.Sprint(v.across, v.along, v.middle.x-low.x, v.middle.y-low.y)
			}
			if text := fmt.Sprint(v.cells, place); least == "" || text < least {
				least = text
			}
		}
	}
	return least
}

// relations finds special cases and contradictions among the entries that speak
// of the same point.
func (l *linter) relations() {
	n := len(l.Entries)
	l.special, l.known = make([][]int, n), make([]bool, n)
	together := map[[2]int]bool{}
	cases := make([][]int, n)     // of special, those that are asked about
	general := map[int][]string{} // shapes of users, and what was shipped that is a special case of them
	for i := range n {
		a := &l.Entries[i]
		all := l.wants(a.ID)
		for j := range n {
			b := &l.Entries[j]
			if i == j || !all && !l.wants(b.ID) {
				continue
			}
			switch rel := l.relate(i, j); {
			case rel == implied:
				cases[i] = append(cases[i], j)
			case rel == opposed && i < j:
				if !Replaces(a, b) && !Replaces(b, a) {
					l.add(Contradictory, Fault, b, a.ID, "and %s can match at once, and one says to play where the other says not to: let one override the other", a.ID)
				}
			}
			if named(a.Overrides, b) > 0 {
				together[[2]int{i, j}] = l.some(i, j, compatible)
			}
		}
		if all {
			l.special[i], l.known[i] = cases[i], true
		}
	}
	for i := range n {
		a := &l.Entries[i]
		for _, j := range cases[i] {
			b := &l.Entries[j]
			switch {
			case slices.Contains(l.implies(j), i):
				// They are the same shape, though drawn otherwise: cells beyond the
				// edge may say the same twice.
				if i > j && a.canonical() != b.canonical() {
					l.add(Identical, Fault, a, b.ID, "is the same shape as %s: make one of both", b.ID)
				}
			case Replaces(b, a):
				l.add(Unreachable, Fault, a, b.ID, "is never heard: %s matches wherever it does, and overrides it: take one of them out", b.ID)
			case l.named(i, j, map[int]bool{}):
			case a.Purpose == b.Purpose && a.Urgency == b.Urgency && slices.Equal(a.Terms, b.Terms):
				if !l.covers(i, j) {
					continue // it speaks of other points too
				}
				l.add(Implied, Fault, a, b.ID, "adds nothing to %s, which matches wherever it does with the same advice: take it out", b.ID)
			case b.Origin == User && a.Origin != User:
				// One who draws a simple shape is not to be told of all that was
				// shipped before.
				general[j] = append(general[j], a.ID)
			default:
				l.add(Override, Fault, a, b.ID, "is a special case of %s with other advice: say overrides %s in it, or yields %s in the other", b.ID, b.ID, a.ID)
			}
		}
		for _, id := range a.Overrides {
			if j := l.entries.Index(id); j >= 0 && !together[[2]int{i, j}] && (l.wants(a.ID) || l.wants(id)) {
				l.add(Override, Warning, a, id, "overrides %s, but they never speak of one point at once: take that out", id)
			}
		}
	}
	for j, ids := range general {
		l.add(Override, Warning, &l.Entries[j], ids[0], "is more general than %d others with other advice, such as %s: say yields with their ids, or with term:ID, where they are to be heard instead",
			len(ids), strings.Join(ids[:min(len(ids), 3)], ", "))
	}
}

// implies returns the entries that one implies.
func (l *linter) implies(i int) []int {
	if !l.known[i] {
		l.known[i] = true
		for j := range l.Entries {
			if i != j && l.some(i, j, implies) {
				l.special[i] = append(l.special[i], j)
			}
		}
	}
	return l.special[i]
}

// covers tells whether j speaks of every point that i does, wherever i matches.
func (l *linter) covers(i, j int) bool {
	l.turn(j)
	for _, a := range l.roots[i] {
		if !slices.ContainsFunc(l.roots[j], func(b root) bool {
			return slices.ContainsFunc(b.turned, func(v *view) bool { return implies(a.drawn, v) })
		}) {
			return false
		}
	}
	return true
}

// circles finds entries that override each other round some others: where all of
// them match, none would be heard.
func (l *linter) circles() {
	over := make([][]int, len(l.Entries)) // the entries that each replaces, as far as they say so
	ofTerm := map[string][]int{}
	for i := range l.Entries {
		for _, id := range l.Entries[i].Terms {
			ofTerm[id] = append(ofTerm[id], i)
		}
	}
	note := func(i, j int) {
		if i != j && Replaces(&l.Entries[i], &l.Entries[j]) {
			over[i] = append(over[i], j)
		}
	}
	each := func(names []string, f func(j int)) {
		for _, id := range names {
			if j := l.entries.Index(id); j >= 0 {
				f(j)
			}
			if term, ok := strings.CutPrefix(id, "term:"); ok {
				for _, j := range ofTerm[term] {
					f(j)
				}
			}
		}
	}
	for i := range l.Entries {
		each(l.Entries[i].Overrides, func(j int) { note(i, j) })
		each(l.Entries[i].Yields, func(j int) { note(j, i) })
	}
	// Only those that can match at once do harm; that is worked out for few.
	prune(over)
	for i := range over {
		over[i] = slices.DeleteFunc(over[i], func(j int) bool { return !l.some(i, j, compatible) })
	}
	prune(over)
	for i, list := range over {
		if len(list) > 0 {
			other := l.Entries[list[0]].ID
			l.add(Unreachable, Fault, &l.Entries[i], other, "overrides %s and is overridden by it in turn, through others: where they all match none is heard: take one of these out", other)
		}
	}
}

// prune takes out of a graph the edges that are on no way round: those from or to
// a node where no way goes on or comes from.
func prune(edges [][]int) {
	for again := true; again; {
		again = false
		reached := make([]bool, len(edges))
		for _, list := range edges {
			for _, j := range list {
				reached[j] = true
			}
		}
		for i := range edges {
			n := len(edges[i])
			if !reached[i] {
				edges[i] = nil
			}
			edges[i] = slices.DeleteFunc(edges[i], func(j int) bool { return len(edges[j]) == 0 })
			again = again || len(edges[i]) < n
		}
	}
}

// named tells whether i says that it overrides j, or something between them.
func (l *linter) named(i, j int, tried map[int]bool) bool {
	if Replaces(&l.Entries[i], &l.Entries[j]) {
		return true
	}
	tried[i] = true
	for _, k := range l.implies(i) {
		if !tried[k] && k != j && Replaces(&l.Entries[i], &l.Entries[k]) && slices.Contains(l.implies(k), j) && l.named(k, j, tried) {
			return true
		}
	}
	return false
}

// relation is how two entries stand to each other.
type relation uint8

const (
	apart   relation = iota
	implied          // wherever the first speaks of a point, the second does
	opposed          // one says play and the other avoid, and both may be right
)

// relate returns how entry i stands to entry j.
func (l *linter) relate(i, j int) relation {
	switch against := l.Entries[i].Avoids() != l.Entries[j].Avoids(); {
	case l.some(i, j, implies):
		return implied
	case against && l.some(i, j, compatible):
		return opposed
	}
	return apart
}

// some tells whether two entries, seen from one point by one side, are related
// in some picture. It is the same to turn the one or the other way round.
func (l *linter) some(i, j int, related func(a, b *view) bool) bool {
	if !l.turned[i] {
		l.turn(j)
	}
	for _, a := range l.roots[i] {
		for _, b := range l.roots[j] {
			if l.turned[j] {
				for _, v := range b.turned {
					if related(a.drawn, v) {
						return true
					}
				}
				continue
			}
			for _, v := range a.turned {
				if related(v, b.drawn) {
					return true
				}
			}
		}
	}
	return false
}
