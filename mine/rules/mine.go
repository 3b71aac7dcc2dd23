package rules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"qipu/mine/dataset"
)

// Options say what is looked for. The zero value is what is usual.
type Options struct {
	Support float64 // the least share of rows that have a set; 0 for 2 %
	Size    int     // the most items of a set; 0 for 3
	Rate    float64 // of false discoveries; 0 for 5 %
	Control Control // empty for Yekutieli
	Then    string  // what rules are about: Results, Items or Next; empty for Results
	Judge   string  // the judgement that stands for results: dataset.Result, or dataset.Value; empty for the first
	Within  int     // of sequences: within so many plies; 0 for 12
	Growth  bool    // sets are found by FP-growth, and else by Apriori

	// Most is how many items are looked at, the most frequent; 0 for MostColumns.
	Most int

	// Progress is told how many of how many hypotheses are tested.
	Progress func(done, total int)
}

// What rules are about.
const (
	Results = "results" // who wins
	Items   = "items"   // another item
	Next    = "next"    // the next move
)

// MostColumns is how many items are looked at.
const MostColumns = 2000

func (o *Options) fill() error {
	o.Support = cmp.Or(o.Support, .02)
	o.Size = cmp.Or(o.Size, 3)
	o.Rate = cmp.Or(o.Rate, .05)
	o.Control = cmp.Or(o.Control, Yekutieli)
	o.Then = cmp.Or(o.Then, Results)
	o.Judge = cmp.Or(o.Judge, dataset.Result)
	o.Within = cmp.Or(o.Within, 12)
	o.Most = cmp.Or(o.Most, MostColumns)
	switch {
	case o.Support <= 0 || o.Support > 1:
		return fmt.Errorf("a support of %g is none: want a share such as .02", o.Support)
	case o.Size < 1 || o.Size > MostItems:
		return fmt.Errorf("sets of %d items: want 1 to %d", o.Size, MostItems)
	case o.Rate <= 0 || o.Rate >= 1:
		return fmt.Errorf("a rate of %g is none: want one such as .05", o.Rate)
	case o.Control != Yekutieli && o.Control != Hochberg:
		return fmt.Errorf("%q is no control of false discoveries: want %s or %s", o.Control, Yekutieli, Hochberg)
	case o.Then != Results && o.Then != Items && o.Then != Next:
		return fmt.Errorf("rules about %q: want %s, %s or %s", o.Then, Results, Items, Next)
	case o.Within < 1 || o.Within > 1000:
		return fmt.Errorf("within %d plies: want 1 to 1000", o.Within)
	}
	return nil
}

// Rule says that rows with all items of a set are more often, or less often, such that
// something is true.
type Rule struct {
	Items []int // of the table

	// Wins is the side whose win the rule is about, where it is about results; Item the
	// other item, where it is about one; Next the next move. Those that it is not about
	// are -1 and empty.
	Wins, Item int
	Next       string

	Square
	P, Q float64 // of Fisher's test, and the rate of false discoveries at which it is one

	// Effect is within strata, of the score of the first side: of rules about results.
	// AdjustedQ is Q for it.
	Effect
	AdjustedQ float64

	Closed bool
	Folded int // longer rules that say no more
}

// Found is what was found.
type Found struct {
	Rules  []Rule
	Sets   int // frequent sets
	Closed int // and those of them that are closed
	Tests  int // hypotheses that were tested
	Passed int // rules that are true discoveries at the rate, before strata and folding
	Held   int // and that hold within strata, before folding
	Strata Strata

	// Defined is how many sets were left out that go together by definition: of rules about
	// other items.
	Defined int

	Rows int      // that were looked at
	Left []string // what was left out, as sentences
}

// The mistakes that a table may be.
var (
	ErrNoResults = errors.New("no row has a result: rules about results need some")
	ErrOneResult = errors.New("all rows have the same result: nothing can go with it")
	ErrNoItems   = errors.New("no item is as frequent as the support asks, and not in all rows: ask for a lower one, or for more games")
)

// Mine finds the rules of a table.
func Mine(ctx context.Context, s *dataset.Set, o Options) (*Found, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	f := &Found{Strata: StrataOf(s, o.Judge)}
	var result []float64
	if o.Then == Results {
		var err error
		if result, err = results(s, o.Judge, f); err != nil {
			return nil, err
		}
	}
	if o.Then == Next && (s.Next == nil || len(s.Next.Levels) == 0) {
		return nil, errors.New("the table has no next moves")
	}
	m := &miner{ctx: ctx, set: s, Options: o, Found: f, grid: layOut(s, &f.Strata, result)}
	f.Rows = m.grid.rows
	if err := m.choose(); err != nil {
		return nil, err
	}
	m.logs = NewLogs(m.grid.rows)
	var err error
	if o.Growth {
		m.sets, err = Growth(ctx, m.columns, m.least, o.Size)
	} else {
		m.sets, err = Apriori(ctx, m.columns, m.least, o.Size)
	}
	if err != nil {
		return nil, err
	}
	f.Sets = len(m.sets)
	switch o.Then {
	case Results:
		err = m.results()
	case Items:
		err = m.items()
	default:
		err = m.next()
	}
	return f, err
}

// results returns the results of a table, or what is wrong with them. Of a judgement that is
// a chance, one of three in four counts as won, and one of one in four as lost: see layOut.
func results(s *dataset.Set, judge string, f *Found) ([]float64, error) {
	n := s.Judgement(judge)
	switch {
	case n == nil && judge != dataset.Result:
		return nil, fmt.Errorf("the table has no judgement %q: ask for the column value", judge)
	case n == nil:
		return nil, ErrNoResults
	}
	known, same, first := 0, true, dataset.Unknown
	for _, x := range n.Values {
		if !dataset.Known(x) {
			continue
		}
		if known == 0 {
			first = x
		}
		known++
		same = same && x == first
	}
	switch {
	case known == 0:
		return nil, ErrNoResults
	case same:
		return nil, ErrOneResult
	}
	if left := len(n.Values) - known; left > 0 {
		f.Left = append(f.Left, fmt.Sprintf("%d of %d rows have no result, and are left out", left, len(n.Values)))
	}
	return n.Values, nil
}

// miner is one call of Mine.
type miner struct {
	ctx context.Context
	set *dataset.Set
	Options
	*Found
	grid    *grid
	ids     []int // items of the table, by column
	columns []dataset.Bits
	least   int
	sets    []Frequent
	logs    Logs
}

// choose chooses the items that are looked at: those that are frequent and not in all rows.
func (m *miner) choose() error {
	m.least = max(1, int(math.Ceil(m.Support*float64(m.grid.rows)-1e-9)))
	rare, constant := 0, 0
	counts := map[int]int{}
	m.grid.columns = make([]dataset.Bits, len(m.set.Items))
	for i := range m.set.Items {
		rows := m.set.Items[i].Rows
		if rows.Count() < m.least { // there may be a million of these
			rare++
			continue
		}
		c := m.grid.lay(rows)
		m.grid.columns[i] = c
		switch n := c.Count(); {
		case n < m.least:
			rare++
		case n == m.grid.rows:
			constant++
		default:
			m.ids = append(m.ids, i)
			counts[i] = n
		}
	}
	left := func(n int, format string, args ...any) {
		if n > 0 {
			m.Left = append(m.Left, fmt.Sprintf(format, args...))
		}
	}
	left(rare, "items in fewer than %d rows (%g%%): %d", m.least, 100*m.Support, rare)
	left(constant, "items in all rows, which tell nothing apart: %d", constant)
	if len(m.ids) > m.Most {
		left(1, "%d items are too many: the %d most frequent are looked at", len(m.ids), m.Most)
		slices.SortStableFunc(m.ids, func(a, b int) int { return counts[b] - counts[a] })
		m.ids = m.ids[:m.Most]
		slices.Sort(m.ids)
	}
	if len(m.ids) == 0 {
		return ErrNoItems
	}
	for _, i := range m.ids {
		m.columns = append(m.columns, m.grid.columns[i])
	}
	return nil
}

// count counts the cells of a set of places.
func (g *grid) count(cells []Cell, rows dataset.Bits) {
	for s := range cells {
		var n, w, d int
		var c Cell
		for i := g.from[s]; i < g.from[s+1]; i++ {
			x := rows[i]
			if x == 0 {
				continue
			}
			if g.weights != nil {
				for ; x != 0; x &= x - 1 {
					b := bits.TrailingZeros64(x)
					weight := g.weights[64*int(i)+b]
					c.N += weight
					c.Wins += weight * float64(g.wins[i]>>b&1)
					c.Draws += weight * float64(g.draws[i]>>b&1)
				}
				continue
			}
			n += bits.OnesCount64(x)
			w += bits.OnesCount64(x & g.wins[i])
			d += bits.OnesCount64(x & g.draws[i])
		}
		if g.weights == nil {
			c = Cell{float64(n), float64(w), float64(d)}
		}
		cells[s] = c
	}
}

// minus makes out the cells of all rows without those of some.
func minus(out, all, some []Cell) {
	for i := range out {
		out[i] = Cell{all[i].N - some[i].N, all[i].Wins - some[i].Wins, all[i].Draws - some[i].Draws}
		if out[i].N < 1e-9 {
			out[i] = Cell{}
		}
	}
}

// square returns the square of some cells, of wins of a side, in whole games: of rows that
// weigh less than one the sums are rounded down, which is never too sure.
func square(with, all []Cell, side int) (q Square) {
	var n, w, N, W float64
	add := func(list []Cell) (n, w float64) {
		for _, c := range list {
			n += c.N
			if w += c.Wins; side == 1 {
				w += c.N - 2*c.Wins - c.Draws
			}
		}
		return n, w
	}
	n, w = add(with)
	N, W = add(all)
	whole := func(x float64) int { return int(x + 1e-6) }
	q = Square{With: whole(n), Both: whole(w), Rows: whole(N), Truths: whole(W)}
	q.Both = min(q.Both, q.With)
	q.Truths = max(min(q.Truths, q.Rows), q.Both)
	if extra := q.With - q.Both - (q.Rows - q.Truths); extra > 0 {
		q.With -= extra
	}
	return q
}

// tested is a set with its two hypotheses.
type tested struct {
	set     int32
	side    int8
	p, q    float64
	effect  Effect
	square  Square
	adjustQ float64
}

// results tests all sets against wins of both sides.
func (m *miner) results() error {
	n := m.grid.from[len(m.grid.from)-1]
	rows := make(dataset.Bits, n)
	cells, rest, all := make([]Cell, m.Strata.N), make([]Cell, m.Strata.N), make([]Cell, m.Strata.N)
	m.grid.count(all, m.grid.all)
	list := make([]tested, 0, 2*len(m.sets))
	ps, adjusted := make([]float64, 0, 2*len(m.sets)), make([]float64, 0, len(m.sets))
	for i := range m.sets {
		if i&0x3FFF == 0 {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			if m.Progress != nil {
				m.Progress(i, len(m.sets))
			}
		}
		rowsOf(rows, m.columns, m.sets[i].Items)
		m.grid.count(cells, rows)
		minus(rest, all, cells)
		effect := Compare(cells, rest)
		adjusted = append(adjusted, effect.P)
		for side := range 2 {
			q := square(cells, all, side)
			p := m.logs.Fisher(q)
			ps = append(ps, p)
			list = append(list, tested{set: int32(i), side: int8(side), p: p, effect: effect, square: q})
		}
	}
	m.Tests = len(ps)
	qs := Adjust(m.Control, ps, m.Tests)
	aq := Adjust(m.Control, adjusted, len(adjusted))
	best := map[int32]*tested{} // the surer one of both hypotheses
	for i := range list {
		t := &list[i]
		t.q, t.adjustQ = qs[i], aq[t.set]
		if t.q > m.Rate {
			continue
		}
		m.Passed++
		if t.adjustQ > m.Rate {
			continue
		}
		if b := best[t.set]; b == nil || t.p < b.p {
			best[t.set] = t
		}
	}
	m.Held = len(best)
	return m.fold(best, all)
}

// surely is how sure it must be that a longer rule says more than a shorter one: five
// standard errors would hide what is there, two let through what a thousand tries bring.
const surely = 3.5

// fold tells the rules that say more than every shorter one. A rule that does not is
// counted with the shortest that says the same.
func (m *miner) fold(best map[int32]*tested, all []Cell) error {
	known := newIndex(m.sets)
	order := make([]int32, 0, len(best))
	for set := range best {
		order = append(order, set)
	}
	slices.Sort(order) // shorter ones come first
	rows := make(dataset.Bits, len(m.grid.all))
	cells, parent, rest := make([]Cell, len(all)), make([]Cell, len(all)), make([]Cell, len(all))
	under := map[int32]int32{} // where a set is folded
	at := map[int32]int{}
	var part [MostItems]int32
	for n, set := range order {
		if n&0xFFF == 0 {
			if err := m.ctx.Err(); err != nil {
				return err
			}
		}
		items := m.sets[set].Items
		rowsOf(rows, m.columns, items)
		m.grid.count(cells, rows)
		into, tells := int32(-1), true
		for skip := 0; skip < len(items) && len(items) > 1; skip++ {
			short := append(append(part[:0], items[:skip]...), items[skip+1:]...)
			p, ok := known[keyOf(short)]
			if !ok {
				continue
			}
			rowsOf(rows, m.columns, short)
			m.grid.count(parent, rows)
			minus(rest, parent, cells)
			if e := Compare(cells, rest); e.Error == 0 || math.Abs(e.Score)*sigma95 < surely*e.Error {
				tells = false
				if best[p] != nil && into < 0 {
					into = p
				}
			}
		}
		if !tells {
			for into >= 0 {
				next, folded := under[into]
				if !folded {
					break
				}
				into = next
			}
			under[set] = into
			if i, ok := at[into]; ok {
				m.Rules[i].Folded++
			}
			continue
		}
		t := best[set]
		r := Rule{Wins: int(t.side), Item: -1, Square: t.square, P: t.p, Q: t.q, Effect: t.effect, AdjustedQ: t.adjustQ}
		for _, it := range items {
			r.Items = append(r.Items, m.ids[it])
		}
		at[set] = len(m.Rules)
		m.Rules = append(m.Rules, r)
	}
	slices.SortStableFunc(m.Rules, func(a, b Rule) int { return cmp.Compare(b.sure(), a.sure()) })
	m.close()
	return nil
}

// sure is the effect that is there at least.
func (r *Rule) sure() float64 { return math.Abs(r.Effect.Score) - r.Effect.Error }

// close tells which rules are of closed sets.
func (m *miner) close() {
	column := map[int]int32{}
	for c, id := range m.ids {
		column[id] = int32(c)
	}
	list := make([]Frequent, len(m.Rules))
	for i, r := range m.Rules {
		for _, id := range r.Items {
			list[i].Items = append(list[i].Items, column[id])
		}
	}
	for i, closed := range Closed(m.columns, list) {
		m.Rules[i].Closed = closed
		if closed {
			m.Found.Closed++
		}
	}
}

// items tests for each frequent set whether each of its items goes with the others.
func (m *miner) items() error {
	known := newIndex(m.sets)
	var ps []float64
	var list []Rule
	var part [MostItems]int32
	by := defined{m.set, map[[2]int]bool{}}
	for i, set := range m.sets {
		if i&0x3FFF == 0 {
			if err := m.ctx.Err(); err != nil {
				return err
			}
			if m.Progress != nil {
				m.Progress(i, len(m.sets))
			}
		}
		if len(set.Items) < 2 {
			continue
		}
		if by.any(set.Items, m.ids) {
			m.Defined++
			continue
		}
		for skip, then := range set.Items {
			short := append(append(part[:0], set.Items[:skip]...), set.Items[skip+1:]...)
			q := Square{With: m.sets[known[keyOf(short)]].Count, Both: set.Count, Rows: m.grid.rows, Truths: m.columns[then].Count()}
			p := m.logs.Fisher(q)
			ps = append(ps, p)
			r := Rule{Wins: -1, Item: m.ids[then], Square: q, P: p}
			for _, it := range short {
				r.Items = append(r.Items, m.ids[it])
			}
			list = append(list, r)
		}
	}
	if m.Defined > 0 {
		m.Left = append(m.Left, fmt.Sprintf("%d sets go together by definition: one of their items stands wherever another comes to stand", m.Defined))
	}
	m.tell(list, ps)
	return nil
}

// next tests whether sets go with next moves.
func (m *miner) next() error {
	moves := make([]dataset.Bits, len(m.set.Next.Levels))
	for at, r := range m.grid.order {
		if r < 0 || m.set.Next.Of[r] < 0 {
			continue
		}
		if l := m.set.Next.Of[r]; moves[l] == nil {
			moves[l] = dataset.NewBits(len(m.grid.order))
		}
		moves[m.set.Next.Of[r]].Set(at)
	}
	var ps []float64
	var list []Rule
	rows := make(dataset.Bits, len(m.grid.all))
	rare := 0
	for l, b := range moves {
		if n := b.Count(); n < m.least {
			rare++
			moves[l] = nil
		}
	}
	if rare > 0 {
		m.Left = append(m.Left, fmt.Sprintf("%d next moves were played in fewer than %d rows", rare, m.least))
	}
	for i, set := range m.sets {
		if err := m.ctx.Err(); err != nil {
			return err
		}
		if m.Progress != nil && i&0xFFF == 0 {
			m.Progress(i, len(m.sets))
		}
		rowsOf(rows, m.columns, set.Items)
		for l, b := range moves {
			if b == nil {
				continue
			}
			q := Square{With: set.Count, Both: rows.CountAnd(b), Rows: m.grid.rows, Truths: b.Count()}
			p := m.logs.Fisher(q)
			ps = append(ps, p)
			r := Rule{Wins: -1, Item: -1, Next: m.set.Next.Levels[l], Square: q, P: p}
			for _, it := range set.Items {
				r.Items = append(r.Items, m.ids[it])
			}
			list = append(list, r)
		}
	}
	m.tell(list, ps)
	return nil
}

// tell tells the rules that pass, without those that a shorter one says as well: whose share
// differs from that of every shorter one of the same consequent by less than it may by chance.
func (m *miner) tell(list []Rule, ps []float64) {
	m.Tests = len(ps)
	for i, q := range Adjust(m.Control, ps, m.Tests) {
		list[i].Q = q
	}
	type key struct {
		items [8]int32
		item  int
		next  string
	}
	keyed := func(items []int, r *Rule) (k key) {
		for i, it := range items {
			k.items[i] = int32(it) + 1
		}
		k.item, k.next = r.Item, r.Next
		return k
	}
	type under struct {
		rule int // where it is told
		Square
	}
	told := map[key]under{}
	mirrors := map[[8]int32]int{} // the same items the other way round
	slices.SortStableFunc(list, func(a, b Rule) int {
		return cmp.Or(len(a.Items)-len(b.Items), cmp.Compare(b.Confidence(), a.Confidence()))
	})
	for i := range list {
		r := &list[i]
		if r.Q > m.Rate {
			continue
		}
		m.Passed++
		into, adds := -1, true
		for skip := 0; skip < len(r.Items) && len(r.Items) > 1; skip++ {
			short := slices.Delete(slices.Clone(r.Items), skip, skip+1)
			p, ok := told[keyed(short, r)]
			if !ok || !adds {
				continue
			}
			inner := Square{With: r.With, Both: r.Both, Rows: p.With, Truths: p.Both}
			if rest := inner.Rows - inner.With; rest == 0 || !differs(inner) {
				into, adds = p.rule, false
			}
		}
		all := r.all()
		if j, ok := mirrors[all]; ok && adds && r.Item >= 0 {
			into, adds = j, false
		}
		if adds {
			into = len(m.Rules)
			mirrors[all] = into
			m.Rules = append(m.Rules, *r)
		} else {
			m.Rules[into].Folded++
		}
		told[keyed(r.Items, r)] = under{into, r.Square}
	}
	m.Held = m.Passed
	slices.SortStableFunc(m.Rules, func(a, b Rule) int {
		return cmp.Compare(math.Abs(b.Leverage()), math.Abs(a.Leverage()))
	})
	m.close()
}

// all returns all items of a rule, the one that it is about among them.
func (r *Rule) all() [8]int32 {
	var list []int32
	for _, it := range append(slices.Clone(r.Items), r.Item) {
		list = append(list, int32(it))
	}
	slices.Sort(list)
	return keyOf(list)
}

// differs reports whether the share of those with it is surely another than of the others.
func differs(q Square) bool {
	rest, truths := q.Rows-q.With, q.Truths-q.Both
	mean := ratio(q.Truths, q.Rows)
	sd := math.Sqrt(mean * (1 - mean) * (1/float64(q.With) + 1/float64(rest)))
	return sd > 0 && math.Abs(q.Confidence()-ratio(truths, rest)) > surely*sd
}

// Rows returns the rows of a table that a rule is about.
func (r *Rule) Rows(s *dataset.Set) dataset.Bits {
	b := slices.Clone(s.Items[r.Items[0]].Rows)
	for _, it := range r.Items[1:] {
		b.And(b, s.Items[it].Rows)
	}
	return b
}
