package search

import (
	"context"
	"slices"

	"qipu/index"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// The positions of the first moves are those that everybody asks for, and that
// most lines reach. The rows of positions are kept, and only those of documents
// that were committed since are fetched again.
const (
	// hotBytes is what all that are kept may take, and rowBytes what one does.
	hotBytes = 64 << 20
	rowBytes = 24

	// mostGaps is in how many pieces documents may be asked for that were
	// committed since.
	mostGaps = 64
)

// hotKey names the rows of a position.
type hotKey struct {
	shard      int
	kind       string
	hash       uint64
	variations bool
}

// hot is the rows of a position: all that the documents of an extent have.
type hot struct {
	ledger.Extent
	rows []reached // sorted; some may be of documents that are dead by now
}

// rowsOf returns the lines of a shard that reach positions, dead ones among them.
func (v *view) rowsOf(ctx context.Context, s *wire.Shard, l *index.Lookup, keys []uint64) (map[uint64][]reached, error) {
	if v.narrow(l, "") != wire.Always {
		return v.fetchReached(ctx, s, l, keys, nil)
	}
	var lack, stale []uint64 // positions of which nothing is kept, and those of which not everything is
	have := map[uint64]hot{}
	var oldest ledger.Extent
	for _, key := range keys {
		h, ok := v.Hot.get(hotKey{s.Number, l.Kind.Name, key, l.Variations})
		if !ok {
			lack = append(lack, key)
			continue
		}
		have[key] = h
		if len(v.now.Spans.Without(h.Extent)) > 0 {
			stale = append(stale, key)
			if oldest == nil || h.Size() < oldest.Size() {
				oldest = h.Extent
			}
		}
	}
	// All are asked for together: of documents that the oldest does not have.
	since := v.now.Spans.Without(oldest)
	stale = slices.DeleteFunc(stale, func(key uint64) bool {
		anew := len(since) > mostGaps || len(oldest.Without(have[key].Extent)) > 0
		if anew {
			delete(have, key)
			lack = append(lack, key)
		}
		return anew
	})
	found, err := v.fetchReached(ctx, s, l, lack, nil)
	if err != nil {
		return nil, err
	}
	for _, key := range lack {
		v.keep(hotKey{s.Number, l.Kind.Name, key, l.Variations}, found[key])
	}
	newer, err := v.fetchReached(ctx, s, l, stale, since)
	if err != nil {
		return nil, err
	}
	for key, h := range have {
		found[key] = h.rows
	}
	for _, key := range stale {
		h := have[key]
		more := slices.DeleteFunc(newer[key], func(r reached) bool { return h.Has(r.Doc()) })
		rows := slices.Concat(h.rows, more)
		sortReached(rows)
		v.keep(hotKey{s.Number, l.Kind.Name, key, l.Variations}, rows)
		found[key] = rows
	}
	return found, nil
}

// keep keeps the rows of a position that are of committed documents: of others
// some may still be missing.
func (v *view) keep(key hotKey, rows []reached) {
	if rowBytes*len(rows) > v.Hot.Most/4 {
		return
	}
	h := hot{v.now.Spans, make([]reached, 0, len(rows))}
	for i := range rows {
		if v.now.Spans.Has(rows[i].Doc()) {
			h.rows = append(h.rows, rows[i])
		}
	}
	v.Hot.put(key, h, rowBytes*len(h.rows)+256, func(there hot) bool { return there.Size() > h.Size() })
}
