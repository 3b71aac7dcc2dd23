package storetest_test

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/builtin"
	"qipu/index"
	"qipu/interval"
	"qipu/query"
	"qipu/record"
	"qipu/store"
	"qipu/store/storetest"
	"qipu/text"
)

// memory is the simplest store that keeps the laws, and where law is not empty,
// one that breaks one of them.
type memory struct {
	law   string
	kinds *index.Kinds
	docs  map[uint32]*index.Document
	last  uint32
	marks map[uint64]column
}

// column is one of a marker.
type column struct {
	interval.Marker
	i int
}

func newMemory(law string) *memory {
	return &memory{law: law, kinds: index.NewKinds(builtin.Games()), docs: map[uint32]*index.Document{}}
}

func (s *memory) Kinds() *index.Kinds { return s.kinds }

func (s *memory) Add(_ context.Context, records []*record.Played) ([]store.Added, error) {
	var added []store.Added
	maker := index.Documents{Kinds: s.kinds}
	for _, p := range records {
		if doc, ok := maker.Make(p); ok {
			if id := s.find(doc.Key); id != 0 {
				added = append(added, store.Added{ID: id, Status: store.StatusDuplicate})
				continue
			}
			s.last++
			doc.Game = s.last
			s.docs[s.last] = doc
			added = append(added, store.Added{ID: s.last})
		} else {
			s.last++
			added = append(added, store.Added{ID: s.last})
		}
	}
	return added, nil
}

// find returns the game of the same moves, 0 for none.
func (s *memory) find(key uint64) uint32 {
	for id, d := range s.docs {
		if d.Key == key {
			return id
		}
	}
	return 0
}

func (s *memory) Delete(_ context.Context, ids []uint32) error {
	if s.law == "dead" {
		ids = ids[:len(ids)/2]
	}
	for _, id := range ids {
		delete(s.docs, id)
	}
	return nil
}

func (s *memory) BuildMarks(_ context.Context, markers map[*index.Kind][]interval.Marker) error {
	marks := maps.Clone(s.marks) // views have the old ones
	if marks == nil {
		marks = map[uint64]column{}
	}
	for _, list := range markers {
		for _, m := range list {
			for i, key := range m.Keys() {
				marks[key] = column{m, i}
			}
		}
	}
	if s.law != "unkept" {
		s.marks = marks
	}
	return nil
}

// memoryMarks works the columns of a block out when it is asked for them.
type memoryMarks struct {
	*memoryView
	block *interval.Block
}

func (m *memoryMarks) Has(key uint64) bool {
	_, ok := m.marks[key]
	return ok
}

func (m *memoryMarks) AppendMarks(dst []interval.Owned, key uint64, lanes *interval.Mask) ([]interval.Owned, bool) {
	c, ok := m.marks[key]
	if !ok {
		return dst, false
	}
	for lane := range m.block.N {
		if !lanes.Has(lane) {
			continue
		}
		l := m.block.Line(lane)
		begin := len(dst)
		dst = interval.AppendMarks(dst, lane, &l, c.AppendMarks(nil, &l, func(i int) bool { return i == c.i }))
		own := interval.UniteOwned(dst[begin:])
		switch {
		case m.law == "marks" && len(own) > 0:
			own[len(own)-1].To--
		case m.law == "owner" && len(own) > 0:
			own[0].Side ^= 1
		}
		dst = dst[:begin+len(own)]
	}
	return dst, true
}

func (s *memory) View(context.Context) (index.View, error) {
	v := &memoryView{s}
	if s.law != "unsteady" {
		v.memory = &memory{law: s.law, kinds: s.kinds, docs: maps.Clone(s.docs), marks: s.marks}
	}
	return v, nil
}

// memoryView makes blocks when it is asked for them.
type memoryView struct{ *memory }

func (v *memoryView) Close() error                  { return nil }
func (v *memoryView) Missing() []string             { return nil }
func (v *memoryView) Guard(read func() error) error { return read() }

func (v *memoryView) of(k *index.Kind) (list []*index.Document) {
	for _, id := range slices.Sorted(maps.Keys(v.docs)) {
		if d := v.docs[id]; d.Kind == k {
			list = append(list, d)
		}
	}
	return list
}

func (v *memoryView) Tally() []index.Tally {
	by := map[*index.Kind]*index.Tally{}
	for _, d := range v.docs {
		t := by[d.Kind]
		if t == nil {
			t = &index.Tally{Kind: d.Kind, Bytes: 1}
			by[d.Kind] = t
		}
		t.Games++
		t.Variations += len(d.Lines) - 1
		t.Plies += int64(d.Plies)
		if v.law == "tally" {
			t.Plies++
		}
	}
	var list []index.Tally
	for _, t := range by {
		list = append(list, *t)
	}
	return list
}

// rows returns the lines of a kind with their games and facts.
func (v *memoryView) rows(k *index.Kind, variations bool) (lines []*interval.Line, games []uint32, facts []index.Facts) {
	for _, d := range v.of(k) {
		for i := range d.Lines {
			if i > 0 != variations {
				continue
			}
			lines, games, facts = append(lines, &d.Lines[i]), append(games, d.Game), append(facts, d.Facts)
		}
	}
	return lines, games, facts
}

func (v *memoryView) Scan(_ context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		for _, variations := range []bool{false, true} {
			if variations && (!p.Variations || p.Facts) {
				continue
			}
			lines, games, facts := v.rows(p.Kind, variations)
			for len(lines) > 0 {
				b := interval.NewBuilder(p.Kind.Board.Size.Area(), p.Kind.Owners, p.Kind.Moving)
				n := 0
				for n < len(lines) {
					if _, ok := b.Add(lines[n]); !ok {
						break
					}
					n++
				}
				block, err := interval.Open(b.Bytes())
				if err != nil {
					yield(nil, err)
					return
				}
				batch := &index.Batch{Block: block, Lanes: block.All(), Main: !variations, Marks: &memoryMarks{v, block}}
				switch v.law {
				case "held back":
					if _, ok := p.Expr.(index.Window); ok && n > 1 {
						batch.Lanes[0] &^= 1
					}
				case "twice":
					if len(lines) > 2 {
						n--
					}
				case "facts":
					facts[0].Day++
				case "games":
					if n > 1 {
						games[0], games[1] = games[1], games[0]
					}
				case "role":
					batch.Main = true
				}
				batch.Columns = columnsOf(games[:block.N], facts[:block.N])
				v.choose(batch, p)
				if !batch.Lanes.Empty() && !yield(batch, nil) {
					return
				}
				lines, games, facts = lines[n:], games[n:], facts[n:]
			}
		}
	}
}

func columnsOf(games []uint32, facts []index.Facts) index.Columns {
	var b index.ColumnBuilder
	for i := range games {
		b.Add(games[i], &facts[i])
	}
	c, ok := index.NewColumns(b.AppendTo(nil), len(games))
	if !ok {
		panic("columns that cannot be read back")
	}
	return c
}

// choose takes the lanes out of a batch that a plan does not let through by
// their headers.
func (v *memoryView) choose(b *index.Batch, p *index.Plan) {
	var lets func(e index.Expr, lane int) bool
	lets = func(e index.Expr, lane int) bool {
		switch e := e.(type) {
		case index.Selected:
			switch v.law {
			case "unselected":
				return true
			case "text":
				return e.Match(&b.Columns, lane) && e.Fact().Column != query.SecondPlayer
			case "unknown":
				if e.Fact().Column < query.TextColumns {
					return e.Match(&b.Columns, lane)
				}
				_, known := b.Number(lane, e.Fact().Column)
				return !known || e.Match(&b.Columns, lane)
			}
			return e.Match(&b.Columns, lane)
		case index.Marked:
			var one interval.Mask
			one.Set(lane)
			for _, key := range e.Keys {
				list, ok := b.Marks.AppendMarks(nil, key, &one)
				if !ok {
					return true
				}
				if v.law == "side" && len(list) > 0 || slices.ContainsFunc(list, func(o interval.Owned) bool { return e.Of.Has(o.Side) }) {
					return v.law != "marked" || lane%2 != 0
				}
			}
			return false
		case index.Every:
			return !slices.ContainsFunc(e, func(x index.Expr) bool { return !lets(x, lane) })
		case index.Any:
			return slices.ContainsFunc(e, func(x index.Expr) bool { return lets(x, lane) })
		}
		return true
	}
	for lane := range b.Block.N {
		if !lets(p.Expr, lane) {
			b.Lanes[lane/64] &^= 1 << (lane % 64)
		}
	}
	if p.Facts && v.law != "block" {
		b.Block = nil
	}
}

func (v *memoryView) Names(_ context.Context, k *index.Kind, col query.Column) iter.Seq2[index.Name, error] {
	return func(yield func(index.Name, error) bool) {
		if col >= query.TextColumns {
			return
		}
		count := map[string]int{}
		for _, d := range v.docs {
			if s := d.Texts[col]; s != "" && (k == nil || d.Kind == k) {
				count[s]++
			}
		}
		var list []index.Name
		for s, n := range count {
			list = append(list, index.Name{Text: s, Folded: text.Fold(s), Games: n})
		}
		slices.SortFunc(list, func(x, y index.Name) int {
			return cmp.Or(strings.Compare(x.Folded, y.Folded), strings.Compare(x.Text, y.Text))
		})
		if v.law == "names" && len(list) > 1 {
			list[1].Games++
		}
		for _, n := range list {
			if !yield(n, nil) {
				return
			}
		}
	}
}

func (v *memoryView) Comments(_ context.Context, k *index.Kind, folded string) (*roaring.Bitmap, error) {
	games := roaring.New()
	for id, d := range v.docs {
		if (k == nil || d.Kind == k) && d.Comment != "" && strings.Contains(d.Comment, folded) {
			games.Add(id)
		}
	}
	if v.law == "comments" && !games.IsEmpty() {
		games.Remove(games.Minimum())
	}
	return games, nil
}

func (v *memoryView) Positions(_ context.Context, l *index.Lookup) iter.Seq2[*index.Postings, error] {
	return func(yield func(*index.Postings, error) bool) {
		var found index.Positions
		for _, key := range l.Keys {
			for _, role := range []bool{false, true} {
				if role && !l.Variations {
					continue
				}
				lines, games, facts := v.rows(l.Kind, role)
				p := &index.Postings{Key: key, Main: !role}
				p.Columns = columnsOf(games, facts)
				for i, line := range lines {
					for _, x := range found.Append(nil, l.Kind, line) {
						if x.Key != key {
							continue
						}
						switch v.law {
						case "next":
							if l.Kind.Moving || x.Next >= index.NextPass {
								break
							}
							x.Next ^= 1
						case "ply":
							x.Ply++
						case "turn":
							x.Turn = x.Turn.Opponent()
						}
						p.Rows = append(p.Rows, index.Posting{Line: uint32(i), Ply: x.Ply, Next: x.Next, Image: x.Image, Turn: x.Turn})
					}
				}
				if v.law == "posting" && len(p.Rows) > 1 {
					p.Rows = p.Rows[1:]
				}
				if len(p.Rows) > 0 && !yield(p, nil) {
					return
				}
			}
		}
	}
}

func TestRun(t *testing.T) {
	maker := storetest.NewMaker(builtin.Games(), 3)
	var samples []*record.Played
	for range 12 {
		samples = append(samples, maker.Play(maker.Random(30)))
	}
	samples = slices.DeleteFunc(samples, func(p *record.Played) bool { return p.Start.Board == nil })
	storetest.Run(t, storetest.Config{
		Games: builtin.Games(), Samples: samples, Seed: 11,
		Open: func(*testing.T) storetest.Library { return newMemory("") },
	})
}

// TestNotices breaks the laws one by one: the kit must notice each.
func TestNotices(t *testing.T) {
	for _, law := range []string{"dead", "unsteady", "tally", "held back", "twice", "facts", "games", "role", "next", "ply", "turn", "posting", "unselected", "text", "unknown", "block", "names", "comments", "unkept", "marks", "owner", "marked", "side"} {
		t.Run(law, func(t *testing.T) {
			if err := story(t, law); err == nil {
				t.Errorf("a store that breaks the law %q passes", law)
			} else {
				t.Log(err)
			}
		})
	}
	if err := story(t, ""); err != nil {
		t.Errorf("a store that keeps all laws fails: %v", err)
	}
}

// story is a short history.
func story(t *testing.T, law string) error {
	s := newMemory(law)
	h := storetest.NewHistory(t.Context(), builtin.Games(), s, 5)
	defer h.Close()
	var games []*record.Game
	for range 30 {
		g := h.Game("weiqi", "9x9", 4+h.Rng.IntN(8))
		h.Head(g)
		h.Branch(g, 2)
		h.Remark(g)
		games = append(games, g)
	}
	if err := h.Put(games...); err != nil {
		return err
	}
	kind, err := s.kinds.Find("weiqi 9x9")
	if err != nil {
		return err
	}
	if err := s.BuildMarks(t.Context(), map[*index.Kind][]interval.Marker{kind: {storetest.NewPoints(kind, 1)}}); err != nil {
		return err
	}
	if err := h.Kept(1); err != nil {
		return err
	}
	v, err := s.View(t.Context())
	if err != nil {
		return err
	}
	before := h.Model.Clone()
	ids := h.Model.IDs()[:10]
	h.Model.Delete(ids)
	if err := s.Delete(t.Context(), ids); err != nil {
		return err
	}
	effort := storetest.Effort{Exprs: 150, Keys: 20, Patterns: 5}
	rng := rand.New(rand.NewPCG(1, 1))
	return errors.Join(h.Check(effort), storetest.Check(t.Context(), v, s.kinds, before, rng, effort))
}
