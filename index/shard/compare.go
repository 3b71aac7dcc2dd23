package shard

import (
	"context"
	"slices"
	"strconv"

	"github.com/RoaringBitmap/roaring/v2"

	"qipu/index"
	"qipu/interval"
	"qipu/segment"
)

// compare makes the document of every game again and compares its main line
// with that of its table.
func (s *Shard) compare(ctx context.Context, all *roaring.Bitmap, report func(Problem)) error {
	st, err := s.current(ctx)
	if err != nil {
		return err
	}
	defer st.release()
	type place struct {
		part *part
		line int
	}
	places := make(map[uint32]place, all.GetCardinality())
	err = segment.Guard(func() error {
		for _, p := range st.parts {
			for line := 0; !p.variations && line < p.lines; line++ {
				if !p.isDead(uint32(line)) {
					places[p.columns.Game(line)] = place{p, line}
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.eachDocument(ctx, all.ToArray(), func(doc *index.Document) error {
		if doc == nil {
			return nil
		}
		at, ok := places[doc.Game]
		if !ok {
			return nil // reported already
		}
		wrong := ""
		err := segment.Guard(func() error {
			block, lane := at.part.locate(at.line)
			b, err := at.part.block(block)
			if err != nil {
				return err
			}
			switch {
			case at.part.kind != doc.Kind:
				wrong = "is in a table of another kind of game"
			case !equalLines(b.Line(lane), doc.Lines[0]):
				wrong = "differs from its record in the table"
			case at.part.columns.Facts(at.line) != doc.Facts:
				wrong = "has other headers in the table than in its record"
			}
			return nil
		})
		if err == nil && wrong != "" {
			report(Problem{What: "game", Name: strconv.Itoa(int(doc.Game)), Reason: wrong, Advice: "run qipu reindex"})
		}
		return err
	})
}

func equalLines(a, b interval.Line) bool {
	byPoint := func(x, y interval.Change) int {
		if x.Beat != y.Beat {
			return int(x.Beat) - int(y.Beat)
		}
		return int(x.Point) - int(y.Point)
	}
	b.Changes = slices.Clone(b.Changes)
	slices.SortFunc(b.Changes, byPoint)
	return a.End == b.End && a.From == b.From && slices.Equal(a.Skips, b.Skips) && slices.Equal(a.Moves, b.Moves) && slices.Equal(a.Changes, b.Changes)
}
