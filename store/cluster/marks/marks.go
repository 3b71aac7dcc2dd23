package marks

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync"
	"time"

	"qipu/game"
	"qipu/interval"
	"qipu/store"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// Age is how old what is known of the columns on a shard may be.
const Age = 2 * time.Second

// Columns is which columns of marks the shards of a library have. It is safe for
// concurrent use.
type Columns struct {
	*ledger.Library
	building sync.Mutex // held by who makes columns, while servers are asked; before mu

	mu sync.Mutex
	of map[int]*Kept // by shard
}

// New returns the columns of a library, of which nothing is known yet.
func New(l *ledger.Library) *Columns { return &Columns{Library: l, of: map[int]*Kept{}} }

// Kept are the columns of marks of one shard. They do not change.
type Kept struct {
	at      time.Time // when they were asked for
	sum     uint64    // of the table: it is another one when something has changed
	Columns map[ColumnKey]*Column
}

// ColumnKey names a column.
type ColumnKey struct {
	Kind string
	Key  uint64
}

// Column is a column of marks.
type Column struct {
	turn  uint32
	Spans []ledger.Span // of the documents that it is kept of: rising, apart
	Rows  int           // of the table that say so
}

// On returns the columns of a shard, as they were so long ago at most.
func (c *Columns) On(ctx context.Context, s *wire.Shard, age time.Duration) (*Kept, error) {
	c.mu.Lock()
	have := c.of[s.Number]
	c.mu.Unlock()
	if have != nil && time.Since(have.at) < age {
		return have, nil
	}
	next := &Kept{at: time.Now()}
	err := s.Read(ctx, "columns of marks", func(db wire.Conn) error {
		var rows, sum uint64
		sql := "SELECT count() AS n, sum(cityHash64(kind, key, turn, low, high)) AS h FROM marked"
		if err := db.Query(ctx, sql, func() error { return nil }, &rows, &sum); err != nil {
			return err
		}
		next.sum = sum + rows
		if have != nil && have.sum == next.sum {
			next.Columns = have.Columns
			return nil
		}
		return next.Read(ctx, db)
	})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[s.Number] = next
	return next, nil
}

// Read reads the whole table.
func (k *Kept) Read(ctx context.Context, db wire.Conn) error {
	k.Columns = map[ColumnKey]*Column{}
	var kind string
	var key uint64
	var turn uint32
	var docs ledger.Span
	err := db.Query(ctx, "SELECT DISTINCT kind, key, turn, low, high FROM marked", func() error {
		of := ColumnKey{kind, key}
		c := k.Columns[of]
		if c == nil {
			c = &Column{}
			k.Columns[of] = c
		}
		dropped := docs.Low >= docs.High
		if dropped {
			turn++
		}
		if turn > c.turn {
			*c = Column{turn: turn}
		}
		if turn == c.turn && !dropped {
			c.Rows++
			c.Spans = append(c.Spans, docs)
		}
		return nil
	}, &kind, &key, &turn, &docs.Low, &docs.High)
	for _, c := range k.Columns {
		c.Spans = ledger.Unite(c.Spans)
	}
	return err
}

// Version is the same as long as no columns of marks have come or gone. What
// others have done it may learn some seconds later; while a shard does not answer,
// it is what it was.
func (c *Columns) Version() store.Version {
	ctx := wire.WithLimit(c.Closing, Age)
	var wait sync.WaitGroup
	for _, s := range c.Shards {
		wait.Go(func() {
			if _, err := c.On(ctx, s, Age); err != nil {
				c.postpone(s.Number) // or everybody would wait for it
			}
		})
	}
	wait.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	var sum uint64
	for number, k := range c.of {
		sum += k.sum * uint64(2*number+1)
	}
	return store.Version{Far: int64(sum)}
}

// postpone has nobody ask a shard for its columns for a while.
func (c *Columns) postpone(shard int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	next := Kept{}
	if have := c.of[shard]; have != nil {
		next = *have
	}
	next.at = time.Now()
	c.of[shard] = &next
}

// KeySet is a set of keys, by their place among those that a plan asks for. Sets
// of a coverage are the same where they are equal.
type KeySet []bool

// Coverage is which of the columns that a plan asks for are kept of which
// documents of a shard.
type Coverage struct {
	Keys    []uint64 // rising
	borders []uint32 // rising
	sets    []KeySet // of the documents from a border on, below the next; nil for none
}

// Coverage returns what is kept of columns of a kind; nil for nothing.
func (k *Kept) Coverage(kind string, keys []uint64) *Coverage {
	c := &Coverage{Keys: slices.Compact(slices.Sorted(slices.Values(keys)))}
	spans := make([][]ledger.Span, len(c.Keys))
	for i, key := range c.Keys {
		if column := k.Columns[ColumnKey{kind, key}]; column != nil {
			spans[i] = column.Spans
		}
		for _, s := range spans[i] {
			c.borders = append(c.borders, s.Low, s.High)
		}
	}
	if len(c.borders) == 0 {
		return nil
	}
	slices.Sort(c.borders)
	c.borders = slices.Compact(c.borders)
	same := map[string]KeySet{}
	for _, at := range c.borders {
		set, name, some := make(KeySet, len(c.Keys)), make([]byte, len(c.Keys)), false
		for i := range spans {
			for len(spans[i]) > 0 && spans[i][0].High <= at {
				spans[i] = spans[i][1:]
			}
			if len(spans[i]) > 0 && spans[i][0].Low <= at {
				set[i], name[i], some = true, 1, true
			}
		}
		switch have, ok := same[string(name)]; {
		case !some:
			set = nil
		case ok:
			set = have
		default:
			same[string(name)] = set
		}
		c.sets = append(c.sets, set)
	}
	return c
}

// At returns the keys whose columns are kept of a document.
func (c *Coverage) At(doc uint32) KeySet {
	i := sort.Search(len(c.borders), func(i int) bool { return c.borders[i] > doc })
	if i == 0 {
		return nil
	}
	return c.sets[i-1]
}

// Covers reports whether a key is in a set.
func (c *Coverage) Covers(set KeySet, key uint64) bool {
	i, ok := slices.BinarySearch(c.Keys, key)
	return ok && set != nil && set[i]
}

// HasAll reports whether keys are all in a set.
func (c *Coverage) HasAll(set KeySet, keys []uint64) bool {
	return !slices.ContainsFunc(keys, func(key uint64) bool { return !c.Covers(set, key) })
}

// Lacking returns the documents of some of which not all columns of keys are kept.
// It reports false where that is all of them, or where there are too many spans of
// them to be named. A nil coverage keeps nothing.
func (c *Coverage) Lacking(of ledger.Extent, keys []uint64) (lack ledger.Extent, ok bool) {
	if len(keys) == 0 {
		return nil, true
	}
	if c == nil {
		return nil, false
	}
	var kept []ledger.Span
	for i, set := range c.sets {
		if i+1 < len(c.sets) && c.HasAll(set, keys) {
			kept = append(kept, ledger.Span{Low: c.borders[i], High: c.borders[i+1]})
		}
	}
	lack = of.Without(ledger.Unite(kept))
	return lack, len(lack) <= ledger.SpansAtOnce && !slices.Equal(lack, of)
}

// SameSet reports whether two sets of one coverage are equal.
func SameSet(x, y KeySet) bool { return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0]) }

// Row is a row of the table mark.
type Row struct {
	Key  uint64
	Line uint64 // the document << 16 | the line
	What uint64 // low << 24 | high << 8 | owner
}

// LineID names a line of a document.
func LineID(doc uint32, line uint16) uint64 { return uint64(doc)<<16 | uint64(line) }

// NewRow returns the row of an interval.
func NewRow(key, line uint64, o interval.Owned) Row {
	return Row{key, line, uint64(o.From)<<24 | uint64(o.To)<<8 | uint64(o.Side&1)}
}

// Owned returns the interval.
func (r *Row) Owned(lane int) interval.Owned {
	return interval.Owned{Span: interval.Span{Lane: uint16(lane), From: uint16(r.What >> 24), To: uint16(r.What >> 8)}, Side: game.Side(r.What & 1)}
}

// Order compares rows by key, line and interval.
func (r Row) Order(o Row) int {
	if c := cmp.Compare(r.Key, o.Key); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(r.Line, o.Line), cmp.Compare(r.What, o.What))
}
