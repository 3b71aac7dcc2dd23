package data

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/store/cluster/ledger"
	"qipu/store/cluster/rows"
	"qipu/store/cluster/wire"
)

// Swept is what Sweep has done.
type Swept struct {
	Joined    int `json:"joined"`    // games that were there more than once, and are one with another now
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

// Sweep removes rows of documents that are of no use to anybody: those which
// count no more since some time, and those which an interrupted import has left.
// A batch that is being written has no commit yet either, and its rows do not
// tell when they came: so what is found of no commit is noted first, and removed
// by a sweep that finds it still so as much later as is said. Servers work in the
// background; Sweep waits for them. Games that are there more than once are joined
// before: see Join. All shards must answer.
func (rs *Records) Sweep(ctx context.Context, olderThan time.Duration) (*Swept, error) {
	if err := rs.Writable(); err != nil {
		return nil, err
	}
	joined, err := rs.Join(ctx)
	if err != nil {
		return nil, err
	}
	seen, err := rs.Sightings(ctx)
	if err != nil {
		return nil, err
	}
	left, err := rs.strays(ctx)
	if err != nil {
		return nil, err
	}
	done := &Swept{Joined: joined}
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
			for _, x := range ledger.ExtentOf(part) {
				s.Spans = append(s.Spans, [2]uint32{x.Low, x.High})
			}
			keep = append(keep, s)
		}
	}
	done.Abandoned = int(abandoned.GetCardinality())
	dead, err := rs.longDead(ctx, olderThan)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	err = rs.Each(ctx, "sweeping", func(s *wire.Shard) error {
		n, err := sweepShard(ctx, s, abandoned, dead)
		mu.Lock()
		defer mu.Unlock()
		done.Dead += n
		return err
	})
	if err != nil {
		return nil, err
	}
	return done, rs.sight(ctx, keep)
}

// Sightings returns what earlier sweeps have noted, the oldest first.
func (rs *Records) Sightings(ctx context.Context) (list []sighting, err error) {
	err = rs.Shards[0].Read(ctx, "reading what was swept", func(line wire.Conn) error {
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
func (rs *Records) sight(ctx context.Context, list []sighting) error {
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return rs.Shards[0].Write(ctx, "noting what was swept", func(line wire.Conn) error { return ledger.WriteMeta(ctx, line, metaGarbage, string(text)) })
}

// strays returns the documents that tables have rows of and no commit has. The log
// is read again behind the tables: what is committed meanwhile is none.
func (rs *Records) strays(ctx context.Context) (*roaring.Bitmap, error) {
	st, err := rs.Fresh(ctx)
	if err != nil {
		return nil, err
	}
	gaps := ledger.Extent{{High: math.MaxUint32}}.Without(st.Spans)
	found := roaring.New()
	var mu sync.Mutex
	err = rs.Each(ctx, "looking for garbage", func(s *wire.Shard) error {
		for _, t := range rows.Tables {
			for part := range gaps.Parts() {
				var list []uint32
				var n uint32
				err := s.Read(ctx, "looking for garbage", func(line wire.Conn) error {
					list = nil
					sql := fmt.Sprintf("SELECT DISTINCT %s AS n FROM %s WHERE %s", t.Within, t.Name, part.Where(t.Within))
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
	if st, err = rs.Fresh(ctx); err != nil {
		return nil, err
	}
	found.AndNot(st.Spans.Documents())
	return found, nil
}

// longDead returns the documents that the log has called gone long enough ago for
// nobody to look at them any more.
func (rs *Records) longDead(ctx context.Context, olderThan time.Duration) (*roaring.Bitmap, error) {
	dead := roaring.New()
	var mu sync.Mutex
	err := rs.Each(ctx, "reading the log", func(s *wire.Shard) error {
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
	spans := ledger.ExtentOf(abandoned)
	spansOnly := len(spans)
	spans = append(spans, ledger.ExtentOf(roaring.BitmapOf(here...))...)
	if len(spans) == 0 {
		return 0, nil
	}
	for _, t := range append(slices.Clone(rows.Tables), rows.Table{Name: "mark", Within: "doc"}) {
		list := spans
		if t.Within != "doc" {
			list = spans[:spansOnly] // rows of a whole batch
		}
		for part := range list.Parts() {
			sql := "ALTER TABLE " + t.Name + " DELETE WHERE " + part.Where(t.Within)
			if err := s.Write(ctx, "sweeping", func(line wire.Conn) error { return line.Exec(ctx, sql) }); err != nil {
				return 0, err
			}
		}
	}
	return len(here), s.Settle(ctx)
}
