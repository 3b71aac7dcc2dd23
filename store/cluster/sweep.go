package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/store/cluster/ledger"
	"qipu/store/cluster/wire"
)

// noKinds is for those who count documents and want no boards.
var noKinds = index.NewKinds(nil)

// Swept is what Sweep has done.
type Swept struct {
	Abandoned int `json:"abandoned"` // documents of no commit that were removed
	Dead      int `json:"dead"`      // documents that were removed because they count no more
	Waiting   int `json:"waiting"`   // documents of no commit that may be of a batch that is being written
}

// metaGarbage is the key under which Sweep notes what it found of no commit, on
// the first shard.
const metaGarbage = "garbage"

// sighting is documents of no commit, and when they were first seen to be so.
type sighting struct {
	At    int64       `json:"at"`    // in seconds
	Spans [][2]uint32 `json:"spans"` // the first, and the one behind the last
}

func (s *sighting) set() *roaring.Bitmap {
	b := roaring.New()
	for _, x := range s.Spans {
		b.AddRange(uint64(x[0]), uint64(x[1]))
	}
	return b
}

// spansOf returns a set as spans.
func spansOf(b *roaring.Bitmap) (list []ledger.Span) {
	for it := b.Iterator(); it.HasNext(); {
		if n := it.Next(); len(list) > 0 && list[len(list)-1].High == n {
			list[len(list)-1].High++
		} else {
			list = append(list, ledger.Span{Low: n, High: n + 1})
		}
	}
	return list
}

// Sweep removes rows of documents that are of no use to anybody: those which
// count no more since some time, and those which an interrupted import has left.
// A batch that is being written has no commit yet either, and its rows do not
// tell when they came: so what is found of no commit is noted first, and removed
// by a sweep that finds it still so as much later as is said. Servers work in the
// background; Sweep waits for them. All shards must answer.
func (c *Cluster) Sweep(ctx context.Context, olderThan time.Duration) (*Swept, error) {
	if c.options.ReadOnly {
		return nil, fmt.Errorf("cluster: %s is open for reading only", c.config)
	}
	seen, err := c.sightings(ctx)
	if err != nil {
		return nil, err
	}
	left, err := c.strays(ctx)
	if err != nil {
		return nil, err
	}
	done := &Swept{}
	now := time.Now().Unix()
	abandoned := roaring.New()
	var keep []sighting
	for _, s := range append(seen, sighting{At: now, Spans: [][2]uint32{{0, 1<<32 - 1}}}) {
		part := roaring.And(left, s.set())
		left.AndNot(part)
		if time.Duration(now-s.At)*time.Second >= olderThan {
			abandoned.Or(part)
		} else if !part.IsEmpty() {
			done.Waiting += int(part.GetCardinality())
			s.Spans = nil
			for _, x := range spansOf(part) {
				s.Spans = append(s.Spans, [2]uint32{x.Low, x.High})
			}
			keep = append(keep, s)
		}
	}
	done.Abandoned = int(abandoned.GetCardinality())
	dead, err := c.longDead(ctx, olderThan)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	err = c.Each(ctx, "sweeping", func(s *wire.Shard) error {
		n, err := sweepShard(ctx, s, abandoned, dead)
		mu.Lock()
		defer mu.Unlock()
		done.Dead += n
		return err
	})
	if err != nil {
		return nil, err
	}
	return done, c.sight(ctx, keep)
}

// sightings returns what earlier sweeps have noted, the oldest first.
func (c *Cluster) sightings(ctx context.Context) (list []sighting, err error) {
	err = c.Shards[0].Read(ctx, "reading what was swept", func(line wire.Conn) error {
		list = nil
		values, err := ledger.ReadMeta(ctx, line)
		if err != nil || values[metaGarbage] == "" {
			return err
		}
		if err := json.Unmarshal([]byte(values[metaGarbage]), &list); err != nil {
			return fmt.Errorf("the table meta: %w", err)
		}
		return nil
	})
	slices.SortFunc(list, func(a, b sighting) int { return int(a.At - b.At) })
	return list, err
}

// sight notes what was found.
func (c *Cluster) sight(ctx context.Context, list []sighting) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return c.Shards[0].Write(ctx, "noting what was swept", func(line wire.Conn) error { return ledger.WriteMeta(ctx, line, metaGarbage, string(text)) })
}

// strays returns the documents that tables have rows of and no commit has. The log
// is read again behind the tables: what is committed meanwhile is none.
func (c *Cluster) strays(ctx context.Context) (*roaring.Bitmap, error) {
	st, err := c.Fresh(ctx)
	if err != nil {
		return nil, err
	}
	var gaps []ledger.Span
	next := uint32(0)
	for _, x := range st.Spans {
		if next < x.Low {
			gaps = append(gaps, ledger.Span{Low: next, High: x.Low})
		}
		next = x.High
	}
	gaps = append(gaps, ledger.Span{Low: next, High: 1<<32 - 1})
	found := roaring.New()
	var mu sync.Mutex
	err = c.Each(ctx, "looking for garbage", func(s *wire.Shard) error {
		for _, t := range tables {
			for part := range slices.Chunk(gaps, spansAtOnce) {
				var list []uint32
				var n uint32
				err := s.Read(ctx, "looking for garbage", func(line wire.Conn) error {
					list = nil
					sql := fmt.Sprintf("SELECT DISTINCT %s AS n FROM %s WHERE %s", t.within, t.name, ledger.Extent(part).Where(t.within))
					return line.Query(ctx, sql, func() error { list = append(list, n); return nil }, &n)
				})
				if err != nil {
					return err
				}
				mu.Lock()
				found.AddMany(list)
				mu.Unlock()
			}
		}
		return nil
	})
	if err != nil || found.IsEmpty() {
		return found, err
	}
	if st, err = c.Fresh(ctx); err != nil {
		return nil, err
	}
	for _, x := range st.Spans {
		found.RemoveRange(uint64(x.Low), uint64(x.High))
	}
	return found, nil
}

// longDead returns the documents that the log has called gone long enough ago for
// nobody to look at them any more.
func (c *Cluster) longDead(ctx context.Context, olderThan time.Duration) (*roaring.Bitmap, error) {
	dead := roaring.New()
	var mu sync.Mutex
	err := c.Each(ctx, "reading the log", func(s *wire.Shard) error {
		return s.Read(ctx, "reading the log", func(line wire.Conn) error {
			var gone []uint32
			sql := fmt.Sprintf("SELECT gone FROM log WHERE notEmpty(gone) AND at <= now() - %d", int64(olderThan/time.Second))
			return line.Query(ctx, sql, func() error {
				mu.Lock()
				defer mu.Unlock()
				dead.AddMany(gone)
				return nil
			}, &gone)
		})
	})
	return dead, err
}

// sweepShard removes documents of a shard, and returns how many of the dead it had.
func sweepShard(ctx context.Context, s *wire.Shard, abandoned, dead *roaring.Bitmap) (int, error) {
	var here []uint32
	for part := range slices.Chunk(dead.ToArray(), 10_000) {
		var list []uint32
		var n uint32
		err := s.Read(ctx, "sweeping", func(line wire.Conn) error {
			list = nil
			return line.Query(ctx, "SELECT DISTINCT doc FROM game WHERE doc IN ("+wire.Numbers(part)+")", func() error { list = append(list, n); return nil }, &n)
		})
		if err != nil {
			return 0, err
		}
		here = append(here, list...)
	}
	spans := spansOf(abandoned)
	spansOnly := len(spans)
	spans = append(spans, spansOf(roaring.BitmapOf(here...))...)
	if len(spans) == 0 {
		return 0, nil
	}
	for _, t := range append(slices.Clone(tables), table{name: "mark", within: "doc"}) {
		list := spans
		if t.within != "doc" {
			list = spans[:spansOnly] // rows of a whole batch
		}
		for part := range slices.Chunk(list, spansAtOnce) {
			sql := "ALTER TABLE " + t.name + " DELETE WHERE " + ledger.Extent(part).Where(t.within)
			if err := s.Write(ctx, "sweeping", func(line wire.Conn) error { return line.Exec(ctx, sql) }); err != nil {
				return 0, err
			}
		}
	}
	return len(here), settleShard(ctx, s)
}

// settleTime is how long a shard is waited for that does not get on with what it
// was told to delete. Old servers leave the part of a replicated table alone that
// came last, until another has come.
const settleTime = 10 * time.Second

// settleShard waits until a shard has done what it was told to delete, or as much of it
// as it does for now.
func settleShard(ctx context.Context, s *wire.Shard) error {
	var last int64
	since := time.Now()
	for {
		var n uint64
		var parts int64
		var why string
		err := s.Read(ctx, "sweeping", func(line wire.Conn) error {
			return line.Query(ctx, "SELECT count() AS n, sum(parts_to_do) AS p, max(command) AS c FROM system.mutations WHERE database = currentDatabase() AND is_done = 0", func() error { return nil }, &n, &parts, &why)
		})
		if err != nil || n == 0 {
			return err
		}
		if left := int64(n) + parts; left != last {
			last, since = left, time.Now()
			s.Pool.Logf("%v removes documents: %d deletions are left, such as %.60s", s, n, strings.TrimSpace(why))
		}
		if time.Since(since) > settleTime {
			s.Pool.Logf("%v goes on to remove documents later: %d deletions are left", s, n)
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
