package mine

import (
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"qipu/board"
	"qipu/pattern"
	"qipu/pattern/kb"
	"qipu/workshop/mine/classify"
)

// describe gives a candidate its terms, purposes, urgency, names, id and note.
func (m *miner) describe(c *Candidate, avoid bool) {
	e := &c.Entry
	facts := &c.Facts
	if avoid {
		facts = nil // the few who play there have reasons that the shape has not
	}
	e.Terms, e.Purpose = classify.Terms(e, e.Ours[0], facts)
	e.Urgency = urgency(&c.Found)
	if avoid {
		e.Purpose, e.Urgency = kb.Avoid, kb.Ordinary
	}
	e.ID = id(&c.form, e.Terms[0], avoid)
	e.Names = nameOf(m.base, e, &c.form)
	e.Source = fmt.Sprintf("%s: %d games for finding, %d for confirming", m.options.Corpus, min(len(m.halves[0]), tableGames), min(len(m.halves[1]), tableGames))
	n, k := len(m.counted(0)), len(m.counted(1))
	if avoid {
		e.Note = fmt.Sprintf("Own plays here in %.1f %% of %d occurrences in %d games, and in %.1f %% of %d in %d others: %.2f times as often as in what it is a special case of.",
			100*c.Found.Rate(), c.Found.Seen, n, 100*c.Confirmed.Rate(), c.Confirmed.Seen, k, c.Lift)
		return
	}
	e.Note = fmt.Sprintf("Played in %.0f %% of %d occurrences in %d games, and in %.0f %% of %d in %d others; %.0f %% of the plays came within two moves; %.1f times as often as its closest points alone.",
		100*c.Found.Rate(), c.Found.Seen, n, 100*c.Confirmed.Rate(), c.Confirmed.Seen, k, 100*float64(c.Found.Prompt)/float64(max(c.Found.Played, 1)), c.Lift)
}

// id returns a name for a form that stays the same as long as the form does.
func id(f *form, term string, avoid bool) string {
	h := fnv.New64a()
	h.Write(f.cells[:])
	h.Write(f.line[:])
	kind := "mined"
	if avoid {
		kind = "mined-avoid"
	}
	return fmt.Sprintf("%s-%s-%07x", kind, term, board.Mix(h.Sum64())>>36)
}

// nameOf returns names that say what a shape looks like: its term, the line, and
// how many stones are for and against.
func nameOf(base *kb.Base, e *kb.Entry, f *form) board.Names {
	n := board.Names{En: e.Terms[0], Hant: e.Terms[0], Hans: e.Terms[0], Ja: e.Terms[0], Ko: e.Terms[0]}
	if t := base.Term(e.Terms[0]); t != nil {
		n = t.Names
	}
	avoid := e.Avoids()
	if avoid {
		n = board.Names{En: "Bad " + strings.ToLower(n.En), Hant: "惡形：" + n.Hant, Hans: "恶形：" + n.Hans, Ja: "悪形の" + n.Ja, Ko: "악형 " + n.Ko}
	}
	if row, column := f.lines(); row > 0 && column > 0 {
		corner := fmt.Sprintf("%d-%d", min(row, column), max(row, column))
		n = board.Names{
			En: n.En + " on the " + corner + " point", Hant: n.Hant + "・角上" + corner, Hans: n.Hans + "・角上" + corner,
			Ja: n.Ja + "・隅の" + corner, Ko: n.Ko + " · 귀 " + corner,
		}
	} else if line := max(row, column); line > 0 {
		n = board.Names{
			En: n.En + " on the " + ordinals[line] + " line", Hant: numerals[line] + "線" + n.Hant, Hans: numerals[line] + "线" + n.Hans,
			Ja: numerals[line] + "線の" + n.Ja, Ko: fmt.Sprintf("%d선 %s", line, n.Ko),
		}
	}
	mine, theirs := f.stones()
	return board.Names{
		En:   fmt.Sprintf("%s, %d against %d", n.En, mine, theirs),
		Hant: fmt.Sprintf("%s（%d對%d）", n.Hant, mine, theirs),
		Hans: fmt.Sprintf("%s（%d对%d）", n.Hans, mine, theirs),
		Ja:   fmt.Sprintf("%s（%d対%d）", n.Ja, mine, theirs),
		Ko:   fmt.Sprintf("%s (%d대%d)", n.Ko, mine, theirs),
	}
}

var (
	ordinals = []string{"", "first", "second", "third", "fourth"}
	numerals = []string{"", "一", "二", "三", "四"}
)

// lines returns the lines that the middle lies on by the cells and by the place,
// up and down and left and right; 0 where they are open.
func (f *form) lines() (row, column uint8) {
	row, column = f.line[0], f.line[1]
	for i, c := range f.cells {
		if c != off {
			continue
		}
		switch x, y := max(spots[i][0], -spots[i][0]), max(spots[i][1], -spots[i][1]); {
		case x == 0:
			row = least(row, uint8(y))
		case y == 0:
			column = least(column, uint8(x))
		}
	}
	return row, column
}

func least(a, b uint8) uint8 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// reach is how far the board of a check goes around the good point.
const reach = 4

// check looks for a board on which each candidate stands, and one where it nearly
// does: real positions of the games that were mined. Where no near miss comes
// up soon, the first board with one point changed is one. Candidates that are not
// met are left out.
func (m *miner) check(ctx context.Context, list []Candidate) ([]Candidate, error) {
	n := len(list)
	entries := make([]kb.Entry, 0, 2*n)
	for i := range list {
		entries = append(entries, list[i].Entry)
	}
	misses := make([]form, n)
	for i := range list {
		misses[i] = m.miss(&list[i])
		entries = append(entries, misses[i].entry())
	}
	yes, no := make([]*kb.Check, n), make([]*kb.Check, n)
	// Most are met in a few games; the rest is looked for by itself, which costs
	// little.
	for _, part := range [][2]int{{0, checkGames}, {checkGames, 20 * checkGames}} {
		games := m.halves[0][min(part[0], len(m.halves[0])):min(part[1], len(m.halves[0]))]
		if err := m.meet(ctx, games, list, entries, yes, no); err != nil {
			return nil, err
		}
		for i := range no {
			if no[i] == nil && yes[i] != nil {
				no[i] = spoil(&list[i], &misses[i], yes[i])
			}
		}
	}
	var out []Candidate
	for i, c := range list {
		if yes[i] != nil && no[i] != nil {
			c.Checks = []kb.Check{*yes[i], *no[i]}
			out = append(out, c)
		}
	}
	return out, nil
}

// meet replays games for the checks that are missing. The entries are those of
// the candidates, then those of their near misses.
func (m *miner) meet(ctx context.Context, games []Game, list []Candidate, entries []kb.Entry, yes, no []*kb.Check) error {
	n := len(list)
	var wanted []kb.Entry
	var number []int
	for i := range entries {
		if i < n && yes[i] == nil || i >= n && no[i-n] == nil {
			wanted, number = append(wanted, entries[i]), append(number, i)
		}
	}
	left := len(wanted)
	if left == 0 {
		return nil
	}
	set, err := compile(wanted)
	if err != nil {
		return err
	}
	w := newWatch(set)
	for i := range games {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("mine: %w", err)
		}
		given := 0
		games[i].replay(w.begin, func(mv *move) bool {
			for _, h := range w.hits {
				k := number[h.Shape]
				stands := k < n
				to := &yes[k%n]
				if !stands {
					to = &no[k%n]
				}
				if *to != nil || given == checksOfGame {
					continue
				}
				c, e := &list[k%n].Entry, &wanted[h.Shape]
				at := h.Point(e.Size, int(e.Ours[0].X), int(e.Ours[0].Y))
				// A shape is best shown where it was played.
				if stands && !c.Avoids() && (at != mv.to || h.Side() != mv.side) {
					continue
				}
				check := excerpt(mv.pos.Planes(), at, h.Symmetry.Swap)
				check.ID, check.Match = c.ID, stands
				if c.Fails(check) == "" {
					*to = check
					given++
					left--
				}
			}
			w.step(mv)
			return left > 0 && given < checksOfGame
		})
		if left == 0 {
			break
		}
	}
	return nil
}

// spoil returns the board of a check with one point changed so that the shape no
// longer stands there, or nil.
func spoil(c *Candidate, miss *form, yes *kb.Check) *kb.Check {
	e := miss.entry()
	at := yes.Spots[0]
	for i, set := range yes.Cells {
		x, y := i%yes.Size.W, i/yes.Size.W
		dx, dy := x-int(at.X), y-int(at.Y)
		if set == pattern.Off || max(dx, -dx, dy, -dy) > 2 || dx == 0 && dy == 0 {
			continue
		}
		for _, other := range []pattern.Set{pattern.Empty, kb.Own, kb.Enemy} {
			if other == set {
				continue
			}
			no := *yes
			no.Match = false
			no.Cells = slices.Clone(yes.Cells)
			no.Cells[i] = other
			as := no
			as.Match = true
			if c.Entry.Fails(&no) == "" && e.Fails(&as) == "" {
				return &no
			}
		}
	}
	return nil
}

// checkGames is how many games are looked through for all checks; those that are
// rare are looked for in more.
const checkGames = 60

// checksOfGame is how many checks one game gives at the most.
const checksOfGame = 40

// miss returns the form that differs from a candidate in the one cell that
// matters most: that is seen often, and played otherwise.
func (m *miner) miss(c *Candidate) form {
	_, added := m.tables[0].around(&c.form)
	f := c.form
	best := -1.0
	rate := c.Found.Rate()
	for i := 1; i < len(spots); i++ {
		for st := range 4 {
			if c.form.cells[i]>>st&1 != 0 || added[i][st].seen == 0 {
				continue
			}
			a := added[i][st]
			diff := rate - a.rate()
			if c.Entry.Avoids() {
				diff = -diff
			}
			if score := float64(a.seen) * max(diff, 1e-3); score > best {
				best = score
				f = c.form
				f.cells[i] = 1 << st
			}
		}
	}
	return f
}

// excerpt returns the board around a point as a check draws it: own stones as O,
// and one line beyond an edge.
func excerpt(b *board.Planes, at board.Point, swap bool) *kb.Check {
	x0, x1 := max(at.X()-reach, -1), min(at.X()+reach, b.Size.W)
	y0, y1 := max(at.Y()-reach, -1), min(at.Y()+reach, b.Size.H)
	c := &kb.Check{Size: board.Size{W: x1 - x0 + 1, H: y1 - y0 + 1}, Spots: []kb.Spot{{X: int8(at.X() - x0), Y: int8(at.Y() - y0)}}}
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			set := pattern.Off
			if x >= 0 && y >= 0 && x < b.Size.W && y < b.Size.H {
				switch p := b.At(board.At(x, y)); {
				case p == board.Empty:
					set = pattern.Empty
				case (p == 1) != swap:
					set = kb.Own
				default:
					set = kb.Enemy
				}
			}
			c.Cells = append(c.Cells, set)
		}
	}
	return c
}

// Format returns candidates as files of shapes, by the name of the file without
// its ending: one file for each main term with its shapes and their checks.
func Format(list []Candidate) map[string][]byte {
	byTerm := map[string][]*Candidate{}
	for i := range list {
		c := &list[i]
		byTerm[c.Entry.Terms[0]] = append(byTerm[c.Entry.Terms[0]], c)
	}
	files := map[string][]byte{}
	for term, cs := range byTerm {
		slices.SortFunc(cs, func(a, b *Candidate) int { return strings.Compare(a.Entry.ID, b.Entry.ID) })
		var out []byte
		for _, c := range cs {
			if len(out) > 0 {
				out = append(out, '\n')
			}
			out = c.Entry.AppendTo(out)
			for i := range c.Checks {
				out = append(out, '\n')
				out = c.Checks[i].AppendTo(out)
			}
		}
		files["mined-"+term] = out
	}
	return files
}

// number tells candidates apart that are called alike, in their order.
func number(list []Candidate) {
	alike := map[string]int{}
	for i := range list {
		alike[list[i].Entry.Names.En]++
	}
	given := map[string]int{}
	for i := range list {
		n := &list[i].Entry.Names
		if alike[n.En] < 2 {
			continue
		}
		given[n.En]++
		k := given[n.En]
		n.En += fmt.Sprintf(", no. %d", k)
		n.Hant += fmt.Sprintf("之%d", k)
		n.Hans += fmt.Sprintf("之%d", k)
		n.Ja += fmt.Sprintf("その%d", k)
		n.Ko += fmt.Sprintf(" 제%d", k)
	}
}
