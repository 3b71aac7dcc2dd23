package advise

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"qipu/board"
	"qipu/game"
	"qipu/game/weiqi"
	"qipu/game/weiqi/tactics"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/pattern/window"
)

// Options of an adviser; the zero value advises without conditions.
type Options struct {
	// Conditions are what advice must meet, nil for none at all: then moves
	// that the rules forbid are advised too.
	Conditions *Conditions

	// Safety is asked before reading, where it is not nil.
	Safety Safety

	// Limit is the number of moves that the reading of one question may play;
	// 0 is DefaultLimit.
	Limit int
}

// DefaultLimit keeps the reading of a question below a millisecond. One of
// twenty questions comes to it; two and a half times as much finds out a fifth
// of those, and doubles the time that advice takes.
const DefaultLimit = 400

// Adviser is a base ready to be asked about positions. Many may ask at once.
type Adviser struct {
	base   *kb.Base
	set    *window.Set
	plans  []plan // by the numbers of shapes in the set
	safety Safety
	rules  bool // there are conditions
	limit  int
	desks  sync.Pool
}

// plan is what an adviser keeps of an entry.
type plan struct {
	entry      *kb.Entry
	own, enemy []kb.Spot // the cells that can be nothing else
	detail     int       // how much the shape says: what comes first of equal urgency
	rules      []*needed
	replaces   []int32 // the plans that it silences, sorted
	instead    string  // what is said of those
}

// needed is a rule with its words ready.
type needed struct {
	*Rule
	words string
}

// New returns an adviser on a base. Entries without good points are left out.
func New(base *kb.Base, o Options) (*Adviser, error) {
	a := &Adviser{base: base, safety: o.Safety, rules: o.Conditions != nil, limit: o.Limit}
	if a.limit <= 0 {
		a.limit = DefaultLimit
	}
	var rules []*needed
	if o.Conditions != nil {
		for i := range o.Conditions.Rules {
			r := &o.Conditions.Rules[i]
			rules = append(rules, &needed{r, r.words()})
		}
	}
	var shapes []window.Shape
	numbers := map[*kb.Entry]int32{}
	for i := range base.Entries {
		e := &base.Entries[i]
		if len(e.Ours)+len(e.Theirs) == 0 {
			continue
		}
		numbers[e] = int32(len(a.plans))
		a.plans = append(a.plans, planOf(e, rules))
		shapes = append(shapes, e.Shape())
	}
	a.silence(numbers)
	set, err := window.Compile(shapes, window.Options{})
	if err != nil {
		return nil, fmt.Errorf("advise: the base cannot be looked for: run lint on it: %w", err)
	}
	a.set = set
	a.desks.New = func() any { return &desk{a: a, windows: window.NewWindows(board.Size{W: 19, H: 19})} }
	return a, nil
}

func planOf(e *kb.Entry, rules []*needed) plan {
	p := plan{entry: e, instead: "replaced by " + e.ID}
	for i, c := range e.Cells {
		at := kb.Spot{X: int8(i % e.Size.W), Y: int8(i / e.Size.W)}
		switch c {
		case kb.Own:
			p.own = append(p.own, at)
		case kb.Enemy:
			p.enemy = append(p.enemy, at)
		}
		for _, state := range []pattern.Set{pattern.Empty, pattern.Off, kb.Own, kb.Enemy} {
			if c&state == 0 {
				p.detail++
			}
		}
	}
	for _, l := range e.Place {
		if l != 0 {
			p.detail += 3
		}
	}
	for _, r := range rules {
		if r.Covers(e) {
			p.rules = append(p.rules, r)
		}
	}
	return p
}

// silence notes which plans replace which.
func (a *Adviser) silence(numbers map[*kb.Entry]int32) {
	named := func(name string) []*kb.Entry {
		if e := a.base.Entry(name); e != nil {
			return []*kb.Entry{e}
		}
		if len(name) > len(termPrefix) && name[:len(termPrefix)] == termPrefix {
			return a.base.Of(name[len(termPrefix):])
		}
		return nil
	}
	note := func(winner, loser *kb.Entry) {
		w, ok1 := numbers[winner]
		l, ok2 := numbers[loser]
		if ok1 && ok2 && w != l && kb.Replaces(winner, loser) {
			a.plans[w].replaces = append(a.plans[w].replaces, l)
		}
	}
	for i := range a.plans {
		e := a.plans[i].entry
		for _, name := range e.Overrides {
			for _, other := range named(name) {
				note(e, other)
			}
		}
		for _, name := range e.Yields {
			for _, other := range named(name) {
				note(other, e)
			}
		}
	}
	for i := range a.plans {
		slices.Sort(a.plans[i].replaces)
		a.plans[i].replaces = slices.Compact(a.plans[i].replaces)
	}
}

// termPrefix marks a term in lists of overrides.
const termPrefix = "term:"

// Who tells whose good points are asked for.
type Who uint8

// The sides that advice is for.
const (
	ToMove Who = iota // the side to move
	Both
	First
	Second
)

// wants reports whether advice for a side is asked for.
func (w Who) wants(side, turn game.Side) bool {
	switch w {
	case Both:
		return true
	case First:
		return side == game.First
	case Second:
		return side == game.Second
	}
	return side == turn
}

// Ask is a question; the zero value asks for what the side to move should do.
type Ask struct {
	Who     Who
	Refused bool // list advice that was refused or silenced too, with the reason
}

// Advice is what one shape says of one point.
type Advice struct {
	Point   board.Point
	Side    game.Side // who should play there, or should not
	Entry   *kb.Entry
	Hit     window.Hit // where the shape stands
	Urgency kb.Urgency
	Purpose kb.Purpose

	// Avoid tells that the shape speaks against the point. Warned tells that
	// another one does.
	Avoid, Warned bool

	// Refused tells in words why the advice does not stand: the condition that
	// it does not meet, or the shape that speaks instead. It is empty where it
	// stands.
	Refused string

	plan     int32
	silenced bool // it met its conditions and was replaced
	twice    bool // the same shape says it from another place
}

// Theirs tells that the shape is that of the other side: to play on the point is
// to take it away from them.
func (a *Advice) Theirs() bool { return a.Side != a.Hit.Side() }

// Advise returns what the base says of a position, the most urgent first; each
// shape once for a point and a side. It plays on the position and takes the
// moves back, so nobody else may use it meanwhile.
func (a *Adviser) Advise(p *weiqi.Position, ask Ask) []Advice {
	return a.AppendAdvice(nil, p, ask)
}

// AppendAdvice is Advise that appends to a list, and allocates nothing else.
func (a *Adviser) AppendAdvice(dst []Advice, p *weiqi.Position, ask Ask) []Advice {
	d := a.desks.Get().(*desk)
	defer a.desks.Put(d)
	d.windows.Reset(p.Planes())
	d.hits = a.set.AppendHits(d.hits[:0], d.windows)
	return d.advise(dst, p, d.hits, ask)
}

// desk is an adviser at work: what it needs for one position, and keeps for the
// next.
type desk struct {
	a       *Adviser
	windows *window.Windows
	hits    []window.Hit
	pos     *weiqi.Position
	read    *tactics.Reader

	opinion Opinion // on the position
	thought bool    // it was asked for
	stones  []board.Point

	facts []facts
	index [2][board.MaxPoints]int32 // of facts, from 1
	dead  [board.MaxPoints]answer   // by the heads of strings

	last [2][board.MaxPoints]int32 // the last advice for a point, from 1
	prev []int32                   // the one before, by advice
}

func (d *desk) advise(dst []Advice, p *weiqi.Position, hits []window.Hit, ask Ask) []Advice {
	d.pos = p
	if d.read == nil {
		d.read = tactics.New(p)
		d.read.Limit(d.a.limit)
	}
	d.read.Reset(p)
	first := len(dst)
	d.prev = d.prev[:0]
	turn := p.Turn()
	for _, h := range hits {
		e := d.a.plans[h.Shape].entry
		if own := h.Side(); ask.Who.wants(own, turn) {
			for _, s := range e.Ours {
				dst = d.add(dst, h, own, s)
			}
		}
		if enemy := h.Side().Opponent(); ask.Who.wants(enemy, turn) {
			for _, s := range e.Theirs {
				dst = d.add(dst, h, enemy, s)
			}
		}
	}
	list := dst[first:]
	for i := range list {
		d.judge(list, i)
	}
	d.compare(list)
	for i := range list {
		d.last[list[i].Side][list[i].Point] = 0
	}
	d.forget()
	d.pos = nil
	list = slices.DeleteFunc(list, func(v Advice) bool { return v.twice || v.Refused != "" && !ask.Refused })
	slices.SortFunc(list, d.a.order)
	return dst[:first+len(list)]
}

// add notes the advice of a shape on one of its points.
func (d *desk) add(dst []Advice, h window.Hit, side game.Side, s kb.Spot) []Advice {
	e := d.a.plans[h.Shape].entry
	at := h.Point(e.Size, int(s.X), int(s.Y))
	last := &d.last[side][at]
	d.prev = append(d.prev, *last)
	*last = int32(len(d.prev))
	return append(dst, Advice{
		Point: at, Side: side, Entry: e, Hit: h, plan: h.Shape,
		Urgency: e.Urgency, Purpose: e.Purpose, Avoid: e.Avoids(),
	})
}

// judge refuses advice that does not meet its conditions. A shape that says the
// same from several places says it once: from the first where the conditions
// hold, or from the first of all.
func (d *desk) judge(list []Advice, i int) {
	v := &list[i]
	var before *Advice // what the shape said from the last place
	for j := d.prev[i]; j != 0; j = d.prev[j-1] {
		if w := &list[j-1]; w.plan == v.plan && !w.twice {
			before = w
			break
		}
	}
	if before != nil && before.Refused == "" {
		v.twice = true
		return
	}
	if v.Refused = d.refusal(v); before == nil {
		return
	}
	if v.Refused == "" {
		before.twice = true
	} else {
		v.twice = true
	}
}

// refusal returns why advice does not stand, or nothing.
func (d *desk) refusal(v *Advice) string {
	if !d.a.rules {
		return ""
	}
	f := d.factsOf(v.Side, v.Point)
	if !f.move.Legal {
		return "the rules forbid the move"
	}
	q := asked{facts: f, shape: &d.a.plans[v.plan], hit: v.Hit}
	for _, r := range q.shape.rules {
		if !d.holds(r.Expr, &q) {
			return r.words
		}
	}
	return ""
}

// compare lets the shapes that stand on a point silence others there, and warn
// of it. What is silenced still silences others.
func (d *desk) compare(list []Advice) {
	for i := range list {
		v := &list[i]
		if v.Refused != "" || v.twice {
			continue
		}
		for j := d.last[v.Side][v.Point]; j != 0; j = d.prev[j-1] {
			w := &list[j-1]
			if w == v || w.twice || w.Refused != "" && !w.silenced {
				continue
			}
			if _, ok := slices.BinarySearch(d.a.plans[w.plan].replaces, v.plan); ok {
				v.Refused, v.silenced = d.a.plans[w.plan].instead, true
				break
			}
		}
	}
	for i := range list {
		v := &list[i]
		if v.Avoid || v.Refused != "" {
			continue
		}
		for j := d.last[v.Side][v.Point]; j != 0; j = d.prev[j-1] {
			if w := &list[j-1]; w.Avoid && w.Refused == "" && !w.twice {
				v.Warned = true
				break
			}
		}
	}
}

// order sorts advice: what stands before what was refused, play before avoid,
// urgent before the rest, the shapes that say more before those that say less.
func (a *Adviser) order(v, w Advice) int {
	return cmp.Or(
		compareBool(v.Refused != "", w.Refused != ""),
		compareBool(v.Avoid || v.Warned, w.Avoid || w.Warned),
		-cmp.Compare(v.Urgency, w.Urgency),
		-cmp.Compare(a.plans[v.plan].detail, a.plans[w.plan].detail),
		cmp.Compare(v.plan, w.plan),
		cmp.Compare(v.Point, w.Point),
		cmp.Compare(v.Side, w.Side),
	)
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// Point is what all shapes together say of a point.
type Point struct {
	Point   board.Point
	Side    game.Side
	Urgency kb.Urgency // the highest of the advice that stands
	Purpose kb.Purpose // of all advice that stands

	// Avoid tells that a shape speaks against the point, Refused that nothing
	// that was said of it stands.
	Avoid, Refused bool

	Advice []Advice // in the order of the list
}

// Merge gathers advice by point and side. The points come in the order of their
// first advice: the most urgent first, those to keep away from behind.
func Merge(list []Advice) []Point {
	type key struct {
		at   board.Point
		side game.Side
	}
	where := map[key]int{}
	points := []Point{}
	for _, v := range list {
		k := key{v.Point, v.Side}
		i, ok := where[k]
		if !ok {
			i = len(points)
			where[k] = i
			points = append(points, Point{Point: v.Point, Side: v.Side, Refused: true})
		}
		p := &points[i]
		p.Advice = append(p.Advice, v)
		if v.Refused == "" {
			p.Refused = false
			p.Avoid = p.Avoid || v.Avoid
			p.Urgency = max(p.Urgency, v.Urgency)
			p.Purpose |= v.Purpose
		}
	}
	return points
}
