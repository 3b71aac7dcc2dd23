package shard

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/query"
	"qipu/segment"
	"qipu/store/shard/internal/table"
)

// view is the store at one moment.
type view struct{ *state }

// View returns the store as it is now.
func (s *Shard) View(ctx context.Context) (index.View, error) {
	st, err := s.current(ctx)
	if err != nil {
		return nil, err
	}
	return &view{st}, nil
}

// Missing tells of games whose records cannot be read.
func (v *view) Missing() []string {
	if v.unread == nil {
		return nil
	}
	return []string{v.unread.Error()}
}

// Guard runs code that reads mapped memory.
func (v *view) Guard(read func() error) error { return segment.Guard(read) }

// Close gives the view up.
func (v *view) Close() error {
	v.release()
	return nil
}

// Tally returns how many games of each kind there are.
func (v *view) Tally() []index.Tally {
	var list []index.Tally
	for _, p := range v.parts {
		i := slices.IndexFunc(list, func(t index.Tally) bool { return t.Kind == p.Kind })
		if i < 0 {
			i = len(list)
			list = append(list, index.Tally{Kind: p.Kind})
		}
		t := &list[i]
		t.Bytes += p.File.Info().Size
		if p.Variations {
			t.Variations += p.Lines - p.deads
			continue
		}
		t.Games += p.Lines - p.deads
		t.Plies += p.Plies - p.lost
	}
	slices.SortFunc(list, func(x, y index.Tally) int { return strings.Compare(x.Kind.Name, y.Kind.Name) })
	return list
}

// Scan yields the blocks that have lines which a plan lets through.
func (v *view) Scan(ctx context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		for _, part := range v.parts {
			if part.Kind != p.Kind || part.Variations && (!p.Variations || p.Facts) {
				continue
			}
			if !part.scan(ctx, p, yield) {
				return
			}
		}
	}
}

// scan yields the blocks of one table and reports whether to go on.
func (p *part) scan(ctx context.Context, plan *index.Plan, yield func(*index.Batch, error) bool) bool {
	var f table.Filter
	err := segment.Guard(func() (err error) {
		f, err = p.Table.Filter(plan.Expr, table.Beside{Games: p.segment.Games, Marked: p.marked})
		return err
	})
	if err != nil {
		yield(nil, err)
		return false
	}
	if f.None() {
		return true
	}
	for i := range p.Opened {
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
			return false
		}
		batch := index.Batch{Main: !p.Variations, Fresh: p.segment.ID == 0}
		// The bitmaps may lie in mapped memory too.
		err := segment.Guard(func() error { return p.fill(&batch, i, &f, plan.Facts) })
		if err != nil {
			yield(nil, err)
			return false
		}
		if batch.Lanes.Empty() {
			continue
		}
		if !yield(&batch, nil) {
			return false
		}
	}
	return true
}

// fill makes a batch of a block and of those of its lines that a filter lets
// through and that are alive. The lanes stay empty where there are none, and no
// page of the block is touched then, nor where facts are all that is asked for.
func (p *part) fill(batch *index.Batch, i int, f *table.Filter, facts bool) (err error) {
	lo, hi := p.Bases[i], p.Bases[i+1]
	batch.Columns = p.Columns.Slice(lo, hi)
	batch.Lanes = table.FirstLanes(hi - lo)
	for line := lo; p.dead != nil && line < hi; line++ {
		if p.isDead(uint32(line)) {
			batch.Lanes[(line-lo)/64] &^= 1 << ((line - lo) % 64)
		}
	}
	f.Apply(&batch.Columns, lo, &batch.Lanes)
	if facts || batch.Lanes.Empty() {
		return nil
	}
	if p.marks != nil {
		batch.Marks = &blockMarks{set: p.marks, first: lo, n: hi - lo}
	}
	batch.Pages = 1
	batch.Block, err = p.Block(i)
	return err
}

// Positions yields the lines that reach positions.
func (v *view) Positions(ctx context.Context, l *index.Lookup) iter.Seq2[*index.Postings, error] {
	return func(yield func(*index.Postings, error) bool) {
		var rows []index.Posting
		for _, key := range l.Keys {
			for _, p := range v.parts {
				if p.Kind != l.Kind || p.Variations && !l.Variations {
					continue
				}
				if ctx.Err() != nil {
					yield(nil, context.Cause(ctx))
					return
				}
				err := segment.Guard(func() (err error) {
					rows, err = p.Positions(rows[:0], key)
					return err
				})
				if err != nil {
					yield(nil, err)
					return
				}
				if p.dead != nil {
					rows = slices.DeleteFunc(rows, func(r index.Posting) bool { return p.isDead(r.Line) })
				}
				if len(rows) > 0 && !yield(&index.Postings{Key: key, Columns: p.Columns, Rows: rows, Main: !p.Variations}, nil) {
					return
				}
			}
		}
	}
}

// Names yields the texts of a column.
func (v *view) Names(ctx context.Context, k *index.Kind, col query.Column) iter.Seq2[index.Name, error] {
	return func(yield func(index.Name, error) bool) {
		if col >= query.TextColumns {
			return
		}
		found := map[string]*index.Name{}
		for _, p := range v.parts {
			if p.Variations || k != nil && p.Kind != k {
				continue
			}
			if ctx.Err() != nil {
				yield(index.Name{}, context.Cause(ctx))
				return
			}
			if err := segment.Guard(func() error { p.names(found, col); return nil }); err != nil {
				yield(index.Name{}, err)
				return
			}
		}
		list := slices.SortedFunc(maps.Values(found), func(x, y *index.Name) int {
			return cmp.Or(strings.Compare(x.Folded, y.Folded), strings.Compare(x.Text, y.Text))
		})
		for _, n := range list {
			if !yield(*n, nil) {
				return
			}
		}
	}
}

// names counts the living lines of each text of a column.
func (p *part) names(found map[string]*index.Name, col query.Column) {
	dict := p.Columns.Dict(col)
	counts := make([]int, dict.Len()+1)
	for line := range p.Lines {
		if code := p.Columns.Code(line, col); int(code) < len(counts) && !p.isDead(uint32(line)) {
			counts[code]++
		}
	}
	for i, n := range counts[1:] {
		if n == 0 {
			continue
		}
		code := uint32(i) + 1
		text := dict.Text(code)
		name := found[text]
		if name == nil {
			name = &index.Name{Text: strings.Clone(text), Folded: strings.Clone(dict.Folded(code))}
			found[name.Text] = name
		}
		name.Games += n
	}
}

// Comments returns the games in one of whose comments a text stands.
func (v *view) Comments(ctx context.Context, k *index.Kind, folded string) (*roaring.Bitmap, error) {
	games := roaring.New()
	for _, p := range v.parts {
		if p.Variations || k != nil && p.Kind != k {
			continue
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		err := segment.Guard(func() error {
			lines, err := p.Remarks.Search(folded)
			if err != nil || lines == nil {
				return err
			}
			for it := lines.Iterator(); it.HasNext(); {
				if line := it.Next(); int(line) < p.Lines && !p.isDead(line) {
					games.Add(p.Columns.Game(int(line)))
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return games, nil
}
