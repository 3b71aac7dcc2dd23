package mine

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"qipu/board"
	"qipu/pattern/kb"
	"qipu/workshop/mine/classify"
	"qipu/workshop/parallel"
)

// Figures are how a shape fared in some games.
type Figures struct {
	Seen   int `json:"seen"`   // occurrences
	Played int `json:"played"` // that ended with own on the good point
	Theirs int `json:"theirs"` // that ended with the enemy there
	Prompt int `json:"prompt"` // of the played ones, within two moves
}

// Rate returns the share of occurrences that were played.
func (f *Figures) Rate() float64 { return float64(f.Played) / float64(max(f.Seen, 1)) }

// Low returns the lower bound of the rate (Wilson, two standard deviations).
func (f *Figures) Low() float64 { return wilson(f.Played, f.Seen, -1) }

// High returns the upper bound of the rate.
func (f *Figures) High() float64 { return wilson(f.Played, f.Seen, 1) }

// Candidate is a mined shape, ready to be taken into a base.
type Candidate struct {
	Entry  kb.Entry
	Checks []kb.Check

	// Found and Confirmed are the figures in the half of the games that the
	// shape was found in, and in the other half.
	Found, Confirmed Figures

	// Lift is how many times as often a context of the shape is played as those
	// with the same points around the middle alone, or as any, where the shape
	// has no further points. For shapes to avoid it is below one.
	Lift float64

	Facts classify.Facts

	form form
}

// Result is what mining has found.
type Result struct {
	// Games are those of the half to find in and of the half to confirm by. Of each,
	// contexts are told apart in the first tableGames alone.
	Games [2]int

	Contexts   int // that were told apart
	Sprouts    int // forms that the trees grew
	Forms      int // that were left when they had been loosened and equal ones joined
	Candidates []Candidate
}

// Contexts are told apart in so many games of each half at the most, and what was
// chosen is counted exactly in so many.
const (
	tableGames = 6000
	countGames = 1000
)

// Mine finds shapes in games that a base does not have. The base may have no
// entries, but must have the terms for shapes to be named; nil is an empty one.
//
// Games are held in memory, some 500 bytes each. Copies of a game count once.
// Thirty-six thousand games take one and a half minutes of one core; the memory of
// the tables, some hundreds of megabytes, is bounded by tableGames.
func Mine(ctx context.Context, base *kb.Base, games iter.Seq2[Game, error], o Options) (*Result, error) {
	o = o.withDefaults()
	if base == nil {
		base = kb.New()
	}
	halves, err := halve(ctx, games)
	if err != nil {
		return nil, err
	}
	r := &Result{Games: [2]int{len(halves[0]), len(halves[1])}}
	m := &miner{options: &o, base: base, halves: halves}
	for half, games := range halves {
		if m.tables[half], err = gather(ctx, games[:min(len(games), tableGames)], o); err != nil {
			return nil, err
		}
	}
	r.Contexts = len(m.tables[0].rows)
	sprouts := m.tables[0].grow(&o)
	r.Sprouts = len(sprouts)
	forms := m.tables[0].ripen(sprouts, &o)
	r.Forms = len(forms)
	forms = m.confirm(forms)
	chosen := m.choose(forms)
	list, err := m.judge(ctx, chosen)
	if err != nil {
		return nil, err
	}
	if list, err = m.check(ctx, list); err != nil {
		return nil, err
	}
	// What is cut off may have stood between two others: lint looks again.
	r.Candidates = Settle(base, m.cut(Settle(base, list)))
	number(r.Candidates)
	return r, nil
}

// miner is one run of Mine.
type miner struct {
	options *Options
	base    *kb.Base
	halves  [2][]Game
	tables  [2]*contexts
}

// halve reads the games, in the order of their hashes, and parts them. Games of
// less than twenty moves are left out.
func halve(ctx context.Context, games iter.Seq2[Game, error]) (h [2][]Game, err error) {
	type hashed struct {
		hash uint64
		Game
	}
	var all []hashed
	for g, err := range games {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return h, fmt.Errorf("mine: %w", err)
		}
		if g.Len() >= 20 {
			all = append(all, hashed{g.hash(), g})
		}
	}
	slices.SortFunc(all, func(a, b hashed) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.File, b.File), slices.Compare(a.steps, b.steps))
	})
	all = slices.CompactFunc(all, func(a, b hashed) bool { return a.hash == b.hash })
	for _, g := range all {
		half := g.hash & 1
		h[half] = append(h[half], g.Game)
	}
	if len(h[0]) == 0 || len(h[1]) == 0 {
		return h, fmt.Errorf("mine: %d games of Go are too few: mining wants thousands", len(all))
	}
	return h, nil
}

// ripen loosens what the trees grew and joins what has become equal, also with
// the colours exchanged; of those the one that own plays more often stays.
func (t *contexts) ripen(sprouts []sprout, o *Options) []sprout {
	done := make([]sprout, len(sprouts))
	parallel.Each(len(sprouts), o.workers(), func(_, i int) { done[i] = t.loosen(sprouts[i]) })
	known := map[form]int{}
	var list []sprout
	for _, s := range done {
		s.form = s.form.canonical()
		if mine, theirs := s.stones(); mine+theirs == 0 {
			continue
		}
		if s.form.codes(nil) > maxCodes {
			continue
		}
		swapped := s.form.swap()
		swapped = swapped.canonical()
		key := s.form
		if swapped.less(&key) {
			key = swapped
		}
		if i, twice := known[key]; twice {
			if old := &list[i]; old.avoid == s.avoid && s.rate() > old.rate() {
				*old = s
			}
			continue
		}
		known[key] = len(list)
		list = append(list, s)
	}
	return list
}

// swap returns the form with own and enemy exchanged.
func (f *form) swap() (g form) {
	g = *f
	for i, c := range f.cells {
		g.cells[i] = c&^(own|enemy) | c&own<<1 | c&enemy>>1
	}
	return g
}

// less orders forms.
func (f *form) less(g *form) bool {
	return cmp.Or(slices.Compare(f.cells[:], g.cells[:]), slices.Compare(f.line[:], g.line[:])) < 0
}

// confirm keeps the forms that hold in both halves, counted in contexts.
func (m *miner) confirm(forms []sprout) []sprout {
	o := m.options
	return slices.DeleteFunc(forms, func(s sprout) bool {
		other := m.tables[1].count(&s.form)
		if s.avoid {
			return other.rate() > s.parent.rate()/4 || s.rate() > s.parent.rate()/4
		}
		return int(s.own) < o.MinPlayed || wilson(int(s.own), int(s.seen), -1) < o.MinRate/2 || wilson(int(other.own), int(other.seen), -1) < .8*o.MinRate/2
	})
}

// judge counts what was chosen exactly in both halves, keeps what holds in both,
// and says what it is.
func (m *miner) judge(ctx context.Context, forms []sprout) ([]Candidate, error) {
	o := m.options
	entries := make([]kb.Entry, len(forms))
	for i := range forms {
		entries[i] = forms[i].entry()
		entries[i].ID = fmt.Sprint(i)
		entries[i].Theirs = entries[i].Ours
	}
	var counts [2][]count
	for half := range counts {
		var err error
		if counts[half], err = tally(ctx, entries, list(m.counted(half)), o, half == 0); err != nil {
			return nil, err
		}
	}
	var out []Candidate
	for i := range forms {
		s := &forms[i]
		c := Candidate{Entry: entries[i], form: s.form, Facts: counts[0][i].facts, Lift: m.lift(s)}
		for half, f := range []*Figures{&c.Found, &c.Confirmed} {
			n := &counts[half][i]
			*f = Figures{Seen: n.seen, Played: n.ours, Theirs: n.theirs, Prompt: n.quick}
		}
		if often := float64(c.Found.Seen) / float64(len(m.counted(0))); often > o.MaxOften && c.Found.Low() < .5 {
			continue
		}
		if s.avoid {
			if c.Found.High() > maxAvoid || c.Confirmed.High() > maxAvoid {
				continue
			}
			c.Entry.Theirs = nil
		} else {
			if c.Found.Low() < o.MinRate || c.Confirmed.Low() < .8*o.MinRate {
				continue
			}
			if wilson(c.Found.Theirs, c.Found.Seen, -1) < o.MinRate || 2*c.Found.Theirs < c.Found.Played {
				c.Entry.Theirs = nil
			}
		}
		m.describe(&c, s.avoid)
		out = append(out, c)
	}
	return out, nil
}

// counted returns the games of a half that shapes are counted in exactly.
func (m *miner) counted(half int) []Game {
	games := m.halves[half]
	return games[:min(len(games), countGames)]
}

// maxAvoid is how often a shape to avoid may be played at the most.
const maxAvoid = .03

// lift returns how many times as often as its 3x3 a form is played, counted in
// contexts.
func (m *miner) lift(s *sprout) float64 {
	if s.avoid {
		return s.rate() / s.parent.rate()
	}
	parent := m.tables[0].total
	if !s.narrow() || s.line != [2]uint8{} {
		f := s.form
		for i := range numRing {
			f.cells[1+numNear+i] = anyCell
		}
		f.line = [2]uint8{}
		parent = m.tables[0].count(&f)
	}
	return s.rate() / max(parent.rate(), 1e-9)
}

// Prompt play is what makes a shape urgent: the share of occurrences in which own
// plays within two moves of when the shape came to stand.
const (
	urgentShare    = .45
	importantShare = .28
	ordinaryShare  = .12
)

// urgency returns the urgency of a shape by its figures.
func urgency(f *Figures) kb.Urgency {
	switch share := float64(f.Prompt) / float64(max(f.Seen, 1)); {
	case share >= urgentShare:
		return kb.Urgent
	case share >= importantShare:
		return kb.Important
	case share >= ordinaryShare:
		return kb.Ordinary
	}
	return kb.Special
}

// choose takes the forms that add most to what those already taken explain of the
// confirming games: the sum, over all played contexts, of the best rate of a form
// that holds in them. Twice as many as are asked for are taken, since some will not
// stand what follows. Forms to avoid come last, by how often they occur.
func (m *miner) choose(all []sprout) []sprout {
	t := m.tables[1]
	rows := make([][]int32, len(all)) // that were played, by form
	rate := make([]float64, len(all))
	for i := range all {
		rate[i] = wilson(int(all[i].own), int(all[i].seen), -1)
		if !all[i].avoid {
			rows[i] = t.played(&all[i].form)
		}
	}
	best := make([]float64, len(t.rows))
	gain := func(i int) (g float64) {
		for _, k := range rows[i] {
			g += float64(t.rows[k].own) * max(0, rate[i]-best[k])
		}
		return g
	}
	// Gains only shrink: a form that is still best when asked again is the best.
	var heap []promise
	for i := range all {
		if !all[i].avoid {
			heap = append(heap, promise{gain(i), i})
		}
	}
	var out []sprout
	for len(out) < 2*m.options.Shapes && len(heap) > 0 {
		at := 0
		for k := range heap {
			if heap[k].gain > heap[at].gain {
				at = k
			}
		}
		p := heap[at]
		if g := gain(p.form); g < p.gain {
			heap[at].gain = g
			continue
		}
		if p.gain <= 0 {
			break
		}
		heap = slices.Delete(heap, at, at+1)
		if slices.ContainsFunc(out, func(s sprout) bool { return s.tells(&all[p.form]) }) {
			continue
		}
		for _, k := range rows[p.form] {
			best[k] = max(best[k], rate[p.form])
		}
		out = append(out, all[p.form])
	}
	var bad []sprout
	for i := range all {
		if all[i].avoid {
			bad = append(bad, all[i])
		}
	}
	slices.SortStableFunc(bad, func(a, b sprout) int { return cmp.Compare(b.seen, a.seen) })
	return append(out, bad...)
}

// tells tells that one of two forms is a special case of the other and is played
// about as often, so that it is not worth a shape of its own.
func (s *sprout) tells(u *sprout) bool {
	ratio := s.rate() / u.rate()
	return ratio < nested && ratio > 1/nested && (s.form.implies(&u.form) || u.form.implies(&s.form))
}

// nested is how many times as often a special case must be played, or the shape
// that it is one of.
const nested = 1.4

// promise is what a form would add when it was last asked.
type promise struct {
	gain float64
	form int
}

// played returns the rows of the table that a form holds in and that were played.
func (t *contexts) played(f *form) (list []int32) {
	t.each(f, func(from int32, rows []row, g *form, _ board.Symmetry) {
		m := g.allowed()
		for i := range rows {
			if r := &rows[i]; r.own > 0 && wrong(r.lo, r.hi, &m) == 0 && g.lies(r.lines) {
				list = append(list, from+int32(i))
			}
		}
	})
	slices.Sort(list)
	return slices.Compact(list)
}

// cut keeps as many as were asked for, the first of each kind and not too many of
// one term.
func (m *miner) cut(list []Candidate) []Candidate {
	var out []Candidate
	good, bad := 0, 0
	per := map[string]int{}
	each := max(20, m.options.Shapes/8)
	for _, c := range list {
		n, most := &good, m.options.Shapes
		if c.Entry.Avoids() {
			n, most = &bad, m.options.Avoid
		}
		if *n < most && (c.Entry.Avoids() || per[c.Entry.Terms[0]] < each) {
			*n++
			per[c.Entry.Terms[0]]++
			out = append(out, c)
		}
	}
	return out
}
