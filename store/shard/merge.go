package shard

import (
	"context"
	"errors"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/segment"
	"qipu/store/shard/internal/catalog"
	"qipu/store/shard/internal/table"
)

const (
	// mergeWidth is how many tables of about one size are made into one.
	mergeWidth = 16

	// mergeLines is the size beyond which tables are left alone: merging takes
	// memory, and a few dozen tables cost a query next to nothing.
	mergeLines = 1 << 16

	// lineBytes is about how much memory a line of a large board takes while tables are
	// merged, mergeShare the part of the memory that all lines of one merge may take.
	lineBytes  = 6 << 10
	mergeShare = 4

	// deadShare: a table is made anew when one line in so many is dead.
	deadShare = 4
)

func (s *Shard) wakeMerge() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// mergeInBackground merges tables whenever there are enough of them, and once
// more at the end where that is due. A failure leaves everything as it is;
// Trouble tells it.
func (s *Shard) mergeInBackground() {
	defer s.merging.Done()
	for {
		select {
		case <-s.wake:
			s.mergeAll()
		case <-s.last.Done():
			select {
			case <-s.wake:
				s.mergeAll()
			default:
			}
			return
		}
	}
}

// mergeAll merges until there is nothing to merge. Tables that turn out to be
// damaged are made anew.
func (s *Shard) mergeAll() {
	_, err := mended(s.stopped, s, func() (struct{}, error) {
		for {
			if more, err := s.Merge(s.stopped); err != nil || !more {
				return struct{}{}, err
			}
		}
	})
	if s.stopped.Err() != nil {
		return
	}
	s.mu.Lock()
	s.failed = err
	s.mu.Unlock()
}

// Merge makes one table of several small ones, if there are enough, and reports
// whether it did.
func (s *Shard) Merge(ctx context.Context) (bool, error) {
	s.tidy.Lock()
	defer s.tidy.Unlock()
	st, err := s.current(ctx)
	if err != nil {
		return false, err
	}
	defer st.release()
	group := s.chooseMerge(st.parts)
	if len(group) == 0 {
		return false, nil
	}
	return true, s.replaceParts(ctx, group)
}

// chooseMerge returns tables that are best made into one.
func (s *Shard) chooseMerge(parts []*part) []*part {
	width := s.options.mergeWidth
	type tier struct {
		kind       *index.Kind
		variations bool
		size       int
	}
	tiers := map[tier][]*part{}
	for _, p := range parts {
		if p.segment.ID == 0 {
			continue
		}
		if p.gone()*deadShare > p.Lines {
			return []*part{p}
		}
		live := p.Lines - p.gone()
		if live >= s.options.mergeLines/2 {
			continue
		}
		size := 0
		for n := live; n >= s.options.tableLines*width; n /= width {
			size++
		}
		t := tier{p.Kind, p.Variations, size}
		tiers[t] = append(tiers[t], p)
		if len(tiers[t]) >= width {
			return fitting(tiers[t], s.options.mergeLines)
		}
	}
	return nil
}

// fitting returns as many of the tables as may be made into one of so many lines, at
// least two.
func fitting(parts []*part, most int) []*part {
	lines := 0
	for i, p := range parts {
		if lines += p.Lines; lines > most && i >= 2 {
			return parts[:i]
		}
	}
	return parts
}

var errGone = errors.New("shard: a table to be merged is gone")

// replaceParts makes one table of several and puts it in their place.
func (s *Shard) replaceParts(ctx context.Context, group []*part) error {
	lines := 0
	for _, p := range group {
		lines += p.Lines
	}
	b := table.NewBuilder(group[0].Kind, group[0].Variations, lines)
	err := segment.Guard(func() error {
		for _, p := range group {
			// What may come back out of the trash stays, dead as it is.
			if err := b.AddTable(ctx, p.Table, func(line uint32) bool { return p.isDead(line) && !p.isSpare(line) }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var seg catalog.Segment
	if b.Len() > 0 {
		if seg, err = s.writeFile(b); err != nil {
			return err
		}
	}
	s.write.Lock()
	defer s.write.Unlock()
	st, err := s.current(ctx)
	if err != nil {
		return err
	}
	defer st.release()
	c := &change{Shard: s, st: st}
	if b.Len() > 0 {
		c.files = []string{seg.File}
	}
	err = s.cat.Update(ctx, func(tx *catalog.Tx) error {
		// What died while the new table was made is dead in it too.
		dead, spare := roaring.New(), roaring.New()
		var ids []int64
		for _, p := range group {
			now := slices.IndexFunc(st.parts, func(q *part) bool { return q.segment.ID == p.segment.ID })
			if now < 0 {
				return errGone
			}
			since := st.parts[now].segment.Dead.Clone()
			since.AndNot(roaring.AndNot(p.segment.Dead, p.segment.Spare))
			dead.Or(since)
			spare.Or(st.parts[now].segment.Spare)
			ids = append(ids, p.segment.ID)
		}
		if b.Len() > 0 {
			spare.And(seg.Games)
		}
		if err := tx.DropSegments(ids, spare); err != nil {
			return err
		}
		if b.Len() == 0 {
			return nil
		}
		dead.And(seg.Games)
		seg.Dead, seg.Spare = dead, roaring.And(spare, dead)
		_, err := tx.AddSegment(seg)
		return err
	})
	if err != nil {
		c.undo()
		if errors.Is(err, errGone) {
			return nil // somebody else was faster
		}
		return err
	}
	if err := s.publish(context.WithoutCancel(ctx), st.waiting); err != nil {
		s.forget()
	}
	return s.clean(context.WithoutCancel(ctx))
}
