package index_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"qipu/index"
	"qipu/internal/testkit"
	"qipu/interval"
	"qipu/query"
	"qipu/text"
)

// factsMaker makes random facts of games.
type factsMaker struct {
	*rand.Rand
	unknown [query.Columns]bool // columns of which nothing is known
	names   []string
}

func newFactsMaker(seed uint64, names int) *factsMaker {
	m := &factsMaker{Rand: rand.New(rand.NewPCG(seed, 3))}
	for i := range m.unknown {
		m.unknown[i] = m.IntN(4) == 0
	}
	m.unknown[query.Plies] = false // that is always known
	for i := range names {
		m.names = append(m.names, fmt.Sprintf([]string{"Player %d", "棋士%d號", "ŌTA-%d", "이%d", "x%d"}[i%5], i/5))
	}
	return m
}

// pick returns a number of a column, or 0 for unknown.
func (m *factsMaker) pick(col query.Column, low, high int) int32 {
	if m.unknown[col] || m.IntN(5) == 0 {
		return 0
	}
	return int32(low + m.IntN(high-low+1))
}

func (m *factsMaker) facts() (f index.Facts) {
	f.Plies = int(m.pick(query.Plies, 0, 400))
	f.Result = index.Result(m.pick(query.Result, 1, 4))
	f.Komi = m.pick(query.Komi, -20, 20)
	f.KomiKnown = f.Komi != 0 || !m.unknown[query.Komi] && m.IntN(2) == 0
	f.Handicap, f.Margin = m.pick(query.Handicap, 1, 9), m.pick(query.Margin, 1, 3000)
	for side := range 2 {
		f.Ratings[side] = uint16(m.pick(query.FirstRating, 1, math.MaxUint16))
		f.Ranks[side] = int8(m.pick(query.FirstRank, 1, 127))
	}
	if f.Day = m.pick(query.FirstDay, 1, 800000); f.Day != 0 {
		f.LastDay = f.Day + m.pick(query.LastDay, 1, 70000)
	}
	for col := range f.Texts {
		if !m.unknown[col] && m.IntN(4) > 0 {
			f.Texts[col] = m.names[m.IntN(len(m.names))]
		}
		if query.Column(col) == query.File && f.Texts[col] != "" {
			f.Texts[col] = fmt.Sprintf("%s/%d%s", []string{"a", "b.zip!c", `d\e`, ""}[m.IntN(4)], m.IntN(300), []string{".sgf", "/", ""}[m.IntN(3)])
		}
	}
	return f
}

// number returns what facts have for a column, as their comments say it.
func number(f *index.Facts, col query.Column) (int64, bool) {
	known := func(n int) (int64, bool) { return int64(n), n != 0 }
	switch col {
	case query.Plies:
		return int64(f.Plies), true
	case query.Komi:
		return int64(f.Komi), f.KomiKnown
	case query.Handicap:
		return known(int(f.Handicap))
	case query.Margin:
		return known(int(f.Margin))
	case query.Result:
		return known(int(f.Result))
	case query.FirstRating:
		return known(int(f.Ratings[0]))
	case query.SecondRating:
		return known(int(f.Ratings[1]))
	case query.FirstRank:
		return known(int(f.Ranks[0]))
	case query.SecondRank:
		return known(int(f.Ranks[1]))
	case query.FirstDay:
		return known(int(f.Day))
	}
	return known(int(f.LastDay))
}

// is decides a fact.
func is(f *index.Facts, want *query.Fact) bool {
	if want.Column >= query.TextColumns {
		n, ok := number(f, want.Column)
		return ok && n >= want.Low && n <= want.High
	}
	s := f.Texts[want.Column]
	folded := text.Fold(s)
	_, whole := want.Text.Whole[folded]
	return s != "" && (whole || slices.ContainsFunc(want.Text.Parts, func(p string) bool { return strings.Contains(folded, p) }))
}

// columns makes columns of facts, whose games have numbers from first on.
func columns(t testing.TB, first uint32, list []index.Facts) index.Columns {
	t.Helper()
	var b index.ColumnBuilder
	for i := range list {
		b.Add(first+uint32(i), &list[i])
	}
	c, ok := index.NewColumns(b.AppendTo(nil), len(list))
	if !ok || c.Len() != len(list) || b.Len() != len(list) {
		t.Fatalf("columns of %d lines have %d, %t", len(list), c.Len(), ok)
	}
	return c
}

// sameColumns compares columns with the facts that they were made of.
func sameColumns(t testing.TB, c *index.Columns, first uint32, list []index.Facts) {
	t.Helper()
	for i := range list {
		f := &list[i]
		if got := c.Facts(i); got != *f || c.Game(i) != first+uint32(i) {
			t.Fatalf("line %d: game %d %+v, want %d %+v", i, c.Game(i), got, first+uint32(i), *f)
		}
		for col := query.TextColumns; col < query.Columns; col++ {
			n, known := c.Number(i, col)
			if want, ok := number(f, col); known != ok || ok && n != want {
				t.Fatalf("line %d, column %d: %d, %t; want %d, %t", i, col, n, known, want, ok)
			}
		}
		for col := range query.TextColumns {
			code := c.Code(i, col)
			d := c.Dict(col)
			if c.Text(i, col) != f.Texts[col] || d.Text(code) != f.Texts[col] || (code == 0) != (f.Texts[col] == "") || d.Folded(code) != text.Fold(f.Texts[col]) {
				t.Fatalf("line %d, column %d: %q by the code %d, want %q", i, col, c.Text(i, col), code, f.Texts[col])
			}
		}
	}
}

// TestColumns writes facts and reads them back: whole, sliced, and copied from
// several tables into one.
func TestColumns(t *testing.T) {
	for seed := range uint64(testkit.Scale(20, 200)) {
		m := newFactsMaker(seed, []int{1, 3, 200, 40000}[seed%4])
		var list []index.Facts
		for range []int{0, 1, 2, 300, 3000}[m.IntN(5)] {
			list = append(list, m.facts())
		}
		first := []uint32{1, 5, math.MaxUint32 - 4000}[m.IntN(3)]
		c := columns(t, first, list)
		sameColumns(t, &c, first, list)
		if n := len(list); n > 1 {
			from, to := m.IntN(n), 0
			to = from + m.IntN(n-from)
			s := c.Slice(from, to)
			s = s.Slice(0, s.Len())
			sameColumns(t, &s, first+uint32(from), list[from:to])
		}
		// The lines of two tables by turns, and some twice.
		other := columns(t, 9, []index.Facts{m.facts(), m.facts()})
		var b index.ColumnBuilder
		for i := range list {
			if m.IntN(100) == 0 {
				b.Copy(&other, i%2)
				b.Copy(&c, i)
			}
		}
		n := b.Len()
		for i := range list {
			b.Copy(&c, i)
		}
		merged, ok := index.NewColumns(b.AppendTo(nil), b.Len())
		if !ok {
			t.Fatal("copied columns cannot be read")
		}
		rest := merged.Slice(n, merged.Len())
		sameColumns(t, &rest, first, list)
		if n > 0 && merged.Facts(0) != other.Facts(0) && merged.Facts(0) != other.Facts(1) {
			t.Errorf("the first line is %+v", merged.Facts(0))
		}
	}
}

// TestColumnBytes checks that columns of which nothing is known cost nothing a
// line, and others no more bits than they need.
func TestColumnBytes(t *testing.T) {
	const n = 8000
	for _, c := range []struct {
		name string
		fill func(i int, f *index.Facts)
		bits int // a line, beside the bit of a length that is the same for all
	}{
		{"nothing", func(int, *index.Facts) {}, 0},
		{"plies", func(i int, f *index.Facts) { f.Plies = 200 + i%60 }, 5},
		{"komi", func(i int, f *index.Facts) { f.Komi, f.KomiKnown = int32(i%14), true }, 4},
		{"days", func(i int, f *index.Facts) { f.Day, f.LastDay = 700000+int32(8*i), 700000+int32(8*i) }, 16},
		{"a name", func(i int, f *index.Facts) { f.Texts[query.Event] = "Cup" }, 1},
		{"the same players", func(i int, f *index.Facts) {
			f.Texts[query.FirstPlayer], f.Texts[query.SecondPlayer] = fmt.Sprint("a", i%10), fmt.Sprint("a", (i+1)%10)
		}, 8},
		{"a file each", func(i int, f *index.Facts) { f.Texts[query.File] = fmt.Sprintf("all/games/%d/%d.sgf", i/100, i%100) }, 15},
	} {
		var b index.ColumnBuilder
		for i := range n {
			var f index.Facts
			c.fill(i, &f)
			b.Add(uint32(i+1), &f)
		}
		got := len(b.AppendTo(nil)) - n/8
		if want := c.bits * n / 8; got < want || got > want+2500 {
			t.Errorf("%s: %d bytes, want about %d", c.name, got, want)
		}
	}
}

// FuzzColumns: bytes that are no columns are refused, or can be read without
// harm.
func FuzzColumns(f *testing.F) {
	m := newFactsMaker(1, 3)
	var list []index.Facts
	for range 4 {
		list = append(list, m.facts())
	}
	var b index.ColumnBuilder
	for i := range list {
		b.Add(uint32(i), &list[i])
	}
	f.Add(b.AppendTo(nil), 4)
	f.Add([]byte{}, 0)
	f.Fuzz(func(t *testing.T, data []byte, n int) {
		if n > 1000 {
			return
		}
		c, ok := index.NewColumns(data, n)
		if !ok {
			return
		}
		var b index.ColumnBuilder
		for i := range n {
			c.Facts(i)
			b.Copy(&c, i)
		}
		for col := range query.TextColumns {
			s := index.NewSelection(&query.Fact{Column: col, Text: &query.Texts{Parts: []string{"a"}}})
			for i := range n {
				s.Match(&c, i)
			}
		}
	})
}

// TestDamagedColumns shortens and changes bytes everywhere.
func TestDamagedColumns(t *testing.T) {
	m := newFactsMaker(2, 30)
	var b index.ColumnBuilder
	for i := range uint32(50) {
		f := m.facts()
		b.Add(i, &f)
	}
	data := b.AppendTo(nil)
	for range testkit.Scale(5000, 100000) {
		bad := slices.Clone(data[:len(data)-m.IntN(2)*m.IntN(len(data))])
		for range m.IntN(4) {
			if len(bad) > 0 {
				bad[m.IntN(len(bad))] ^= byte(1 << m.IntN(8))
			}
		}
		c, ok := index.NewColumns(bad, 50)
		if len(bad) < len(data)/2 && ok {
			t.Fatalf("%d of %d bytes are enough", len(bad), len(data))
		}
		for i := range c.Len() {
			c.Facts(i)
		}
	}
}

// randomFact returns a condition that some of the facts may satisfy.
func randomFact(m *factsMaker, list []index.Facts) *query.Fact {
	of := &list[m.IntN(len(list))]
	f := &query.Fact{Column: query.Column(m.IntN(int(query.Columns))), Why: "a fact"}
	if f.Column < query.TextColumns {
		folded := text.Fold(of.Texts[f.Column])
		runes := []rune(folded)
		from := m.IntN(len(runes) + 1)
		f.Text = &query.Texts{Parts: []string{string(runes[from:]), "nothing"}[m.IntN(2):]}
		if m.IntN(2) == 0 {
			f.Text.Whole = map[string]struct{}{folded: {}}
		}
		return f
	}
	f.Low, _ = number(of, f.Column)
	f.High = f.Low + int64(m.IntN(100)-10)
	switch m.IntN(4) {
	case 0:
		f.Low = math.MinInt64
	case 1:
		f.High = math.MaxInt64
	}
	return f
}

// TestSelection compares what a selection says of lines with what the facts say,
// in several tables, for single lines and for blocks, by many at once.
func TestSelection(t *testing.T) {
	m := newFactsMaker(5, 60)
	m.unknown = [query.Columns]bool{query.Author: true, query.Handicap: true}
	var lists [3][]index.Facts
	var tables [3]index.Columns
	for i := range lists {
		for range 700 {
			lists[i] = append(lists[i], m.facts())
		}
		tables[i] = columns(t, 1, lists[i])
	}
	met := 0
	for range testkit.Scale(300, 5000) {
		f := randomFact(m, lists[0])
		s := index.NewSelection(f)
		if s.String() != f.Why || s.Fact() != f {
			t.Fatalf("it is %v", s)
		}
		from, n := m.IntN(180), 1+m.IntN(interval.Lanes)
		var asked interval.Mask
		for lane := range n {
			if m.IntN(3) > 0 {
				asked.Set(lane)
			}
		}
		var wg sync.WaitGroup
		for i := range tables {
			wg.Go(func() {
				c := tables[i].Slice(from, from+n)
				lanes := asked
				s.Filter(&c, &lanes)
				for lane := range n {
					want := is(&lists[i][from+lane], f)
					if s.Match(&c, lane) != want || lanes.Has(lane) != (want && asked.Has(lane)) {
						t.Errorf("%+v: line %d of %+v: matches %t, is left %t; want %t", f, lane, lists[i][from+lane], s.Match(&c, lane), lanes.Has(lane), want)
						return
					}
				}
				if i == 0 && !lanes.Empty() {
					met++
				}
			})
		}
		wg.Wait()
	}
	if met < 50 {
		t.Errorf("only %d facts are met by any line", met)
	}
	for _, f := range []*query.Fact{{Column: query.Event}, {Column: query.Columns, High: math.MaxInt64}, {Column: query.Plies, Low: 5, High: 4}} {
		lanes := interval.Mask{1}
		c := tables[0].Slice(0, 64)
		if s := index.NewSelection(f); s.Match(&c, 0) {
			t.Errorf("%+v matches", f)
		} else if s.Filter(&c, &lanes); !lanes.Empty() {
			t.Errorf("%+v leaves a line", f)
		}
	}
}

// TestSelectionMemory checks that neither matching nor reading takes memory.
func TestSelectionMemory(t *testing.T) {
	m := newFactsMaker(6, 60)
	var list []index.Facts
	for range interval.Lanes {
		list = append(list, m.facts())
	}
	c := columns(t, 1, list)
	s := index.NewSelection(&query.Fact{Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{"1"}}})
	var length int
	if n := testing.AllocsPerRun(10, func() {
		lanes := interval.Mask{^uint64(0)}
		s.Filter(&c, &lanes)
		for i := range c.Len() {
			s.Match(&c, i)
			length += len(c.Text(i, query.FirstPlayer)) + len(c.Text(i, query.Event))
			c.Number(i, query.Komi)
		}
	}); n > 0 {
		t.Errorf("%v pieces of memory", n)
	}
}

// TestSelectionForgets checks that a selection does not hold on to all tables
// that it has met, and goes on to tell right of them.
func TestSelectionForgets(t *testing.T) {
	const tables = 1000
	s := index.NewSelection(&query.Fact{Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{"7"}}})
	var freed atomic.Int64
	for i := range tables {
		var b index.ColumnBuilder
		b.Add(1, &index.Facts{Texts: [query.TextColumns]string{query.FirstPlayer: fmt.Sprint("Player ", i%100)}})
		data := b.AppendTo(nil)
		runtime.AddCleanup(&data[0], func(n *atomic.Int64) { n.Add(1) }, &freed)
		c, ok := index.NewColumns(data, 1)
		if want := strings.Contains(fmt.Sprint(i%100), "7"); !ok || s.Match(&c, 0) != want || s.Match(&c, 0) != want {
			t.Fatalf("table %d: wrong", i)
		}
	}
	for end := time.Now().Add(testkit.Patience); freed.Load() < tables/2 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		runtime.GC()
	}
	if n := freed.Load(); n < tables/2 {
		t.Errorf("only %d of %d tables were given up", n, tables)
	}
	runtime.KeepAlive(s)
}

func BenchmarkSelection(b *testing.B) {
	m := newFactsMaker(7, 3000)
	m.unknown = [query.Columns]bool{}
	var list []index.Facts
	for range 100 * interval.Lanes {
		list = append(list, m.facts())
	}
	c := columns(b, 1, list)
	for _, x := range []struct {
		name string
		fact query.Fact
	}{
		{"text", query.Fact{Column: query.FirstPlayer, Text: &query.Texts{Parts: []string{"player 1"}}}},
		{"number", query.Fact{Column: query.Plies, Low: 390, High: 400}},
		{"day", query.Fact{Column: query.LastDay, Low: 800000, High: 900000}},
	} {
		s := index.NewSelection(&x.fact)
		s.Match(&c, 0)
		b.Run(x.name+"/match", func(b *testing.B) {
			n := 0
			for b.Loop() {
				for i := range c.Len() {
					if s.Match(&c, i) {
						n++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Len()), "ns/line")
		})
		b.Run(x.name+"/filter", func(b *testing.B) {
			for b.Loop() {
				for from := 0; from < c.Len(); from += interval.Lanes {
					part := c.Slice(from, from+interval.Lanes)
					var lanes interval.Mask
					for w := range lanes {
						lanes[w] = ^uint64(0)
					}
					s.Filter(&part, &lanes)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Len()), "ns/line")
		})
	}
}
