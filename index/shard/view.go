package shard

import (
	"context"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/segment"
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
		i := slices.IndexFunc(list, func(t index.Tally) bool { return t.Kind == p.kind })
		if i < 0 {
			i = len(list)
			list = append(list, index.Tally{Kind: p.kind})
		}
		t := &list[i]
		t.Bytes += p.file.Info().Size
		if p.variations {
			t.Variations += p.lines - p.deads
			continue
		}
		t.Games += p.lines - p.deads
		t.Plies += p.plies - p.lost
	}
	return list
}

// Scan yields the blocks that have lines which a plan lets through.
func (v *view) Scan(ctx context.Context, p *index.Plan) iter.Seq2[*index.Batch, error] {
	return func(yield func(*index.Batch, error) bool) {
		for _, part := range v.parts {
			if part.kind != p.Kind || part.variations && !p.Variations {
				continue
			}
			if !part.scan(ctx, p.Expr, yield) {
				return
			}
		}
	}
}

// scan yields the blocks of one table and reports whether to go on.
func (p *part) scan(ctx context.Context, e index.Expr, yield func(*index.Batch, error) bool) bool {
	var lines *roaring.Bitmap // nil for all
	err := segment.Guard(func() (err error) {
		lines, err = p.lookUp(e)
		return err
	})
	if err != nil {
		yield(nil, err)
		return false
	}
	for i := range p.opened {
		if ctx.Err() != nil {
			yield(nil, context.Cause(ctx))
			return false
		}
		batch := index.Batch{Main: !p.variations, Pages: 1}
		// The bitmap may lie in mapped memory too.
		err := segment.Guard(func() error { return p.fill(&batch, i, lines) })
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

// fill makes a batch of a block and of those of its lines, nil for all, that are
// alive. The lanes stay empty where there are none.
func (p *part) fill(batch *index.Batch, i int, lines *roaring.Bitmap) (err error) {
	lo, hi := p.bases[i], p.bases[i+1]
	if lines != nil && !within(lines, uint32(lo), uint32(hi)) {
		return nil
	}
	if batch.Block, err = p.block(i); err != nil {
		return err
	}
	batch.Lanes = batch.Block.All()
	if lines != nil {
		batch.Lanes = interval.Mask{}
		it := lines.Iterator()
		it.AdvanceIfNeeded(uint32(lo))
		for it.HasNext() {
			line := it.Next()
			if line >= uint32(hi) {
				break
			}
			batch.Lanes.Set(int(line) - lo)
		}
	}
	for line := lo; p.dead != nil && line < hi; line++ {
		if p.isDead(uint32(line)) {
			batch.Lanes[(line-lo)/64] &^= 1 << ((line - lo) % 64)
		}
	}
	batch.Columns = p.columns.Slice(lo, hi)
	return nil
}

func within(m *roaring.Bitmap, lo, hi uint32) bool {
	it := m.Iterator()
	it.AdvanceIfNeeded(lo)
	return it.HasNext() && it.PeekNext() < hi
}

// lookUp returns the lines that an expression lets through, nil for all.
func (p *part) lookUp(e index.Expr) (*roaring.Bitmap, error) {
	switch e := e.(type) {
	case nil, index.All:
		return nil, nil
	case index.Window:
		if p.windows == nil {
			return nil, nil
		}
		return p.window(uint16(e))
	case index.InCorner:
		if p.corners[0] == nil {
			return nil, nil
		}
		return p.corner(uint64(e))
	case index.Reaches:
		postings, err := p.positions(nil, uint64(e))
		m := roaring.New()
		for _, r := range postings {
			m.Add(r.Line)
		}
		return m, err
	case index.Games:
		m := roaring.New()
		for line := range p.lines {
			if e.Contains(p.columns.Game(line)) {
				m.Add(uint32(line))
			}
		}
		return m, nil
	case index.Every:
		var all *roaring.Bitmap
		for _, x := range e {
			m, err := p.lookUp(x)
			if err != nil {
				return nil, err
			}
			switch {
			case m == nil:
			case all == nil:
				all = m.Clone()
			default:
				all.And(m)
			}
			if all != nil && all.IsEmpty() {
				break
			}
		}
		return all, nil
	case index.Any:
		any := roaring.New()
		for _, x := range e {
			m, err := p.lookUp(x)
			if err != nil || m == nil {
				return nil, err
			}
			any.Or(m)
		}
		return any, nil
	}
	return nil, nil // an index may always let everything through
}

// Positions yields the lines that reach positions.
func (v *view) Positions(ctx context.Context, k *index.Kind, variations bool, keys []uint64) iter.Seq2[*index.Postings, error] {
	return func(yield func(*index.Postings, error) bool) {
		var rows []index.Posting
		for _, key := range keys {
			for _, p := range v.parts {
				if p.kind != k || p.variations && !variations {
					continue
				}
				if ctx.Err() != nil {
					yield(nil, context.Cause(ctx))
					return
				}
				err := segment.Guard(func() (err error) {
					rows, err = p.positions(rows[:0], key)
					return err
				})
				if err != nil {
					yield(nil, err)
					return
				}
				if p.dead != nil {
					rows = slices.DeleteFunc(rows, func(r index.Posting) bool { return p.isDead(r.Line) })
				}
				if len(rows) > 0 && !yield(&index.Postings{Key: key, Columns: p.columns, Rows: rows, Main: !p.variations}, nil) {
					return
				}
			}
		}
	}
}
