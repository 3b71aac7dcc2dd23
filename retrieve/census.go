package retrieve

import (
	"context"
	"slices"

	"qipu/index"
	"qipu/interval"
	"qipu/query"
)

// Census counts the games of all columns of some markers in one pass, which costs
// about as much as a few queries. Scores are by marker and column, each game once,
// from the view of the side that had the thing first. Missing are the columns that are not
// kept of all games yet, whose scores mean nothing; games in memory are walked along.
func Census(ctx context.Context, v index.View, k *index.Kind, markers []interval.Marker) (scores [][]Score, missing [][]bool, err error) {
	keys := make([][]uint64, len(markers))
	scores, missing = make([][]Score, len(markers)), make([][]bool, len(markers))
	for i, m := range markers {
		keys[i] = m.Keys()
		scores[i], missing[i] = make([]Score, len(keys[i])), make([]bool, len(keys[i]))
	}
	var list []interval.Owned
	plan := &index.Plan{Kind: k, Expr: index.All{}, Columns: index.ColumnsOf(query.Result, query.FirstDay, query.LastDay), Marks: slices.Concat(keys...)}
	for batch, err := range v.Scan(ctx, plan) {
		if err != nil {
			return nil, nil, err
		}
		err = v.Guard(func() error {
			if batch.Fresh {
				walkAlong(batch, markers, scores)
				return nil
			}
			for i := range keys {
				for j, key := range keys[i] {
					kept := false
					if batch.Marks != nil {
						list, kept = batch.Marks.AppendMarks(list[:0], key, &batch.Lanes)
					}
					if !kept {
						missing[i][j] = true
						continue
					}
					countFirst(&scores[i][j], batch, list)
				}
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return scores, missing, ctx.Err()
}

// Total adds up the scores of some columns of a census, which exclude each other.
func Total(scores []Score, columns []int) (sum Score) {
	for _, c := range columns {
		sum.merge(&scores[c])
	}
	return sum
}

// countFirst counts each lane of intervals, which are in the order of lanes and
// slots, by its first one.
func countFirst(s *Score, b *index.Batch, list []interval.Owned) {
	last := -1
	for _, o := range list {
		if lane := int(o.Lane); lane != last {
			last = lane
			s.add(b.Result(lane), b.Day(lane), b.LastDay(lane), o.Side != 0)
		}
	}
}

// walkAlong counts the lines of a batch that has no columns.
func walkAlong(b *index.Batch, markers []interval.Marker, scores [][]Score) {
	var found []interval.Mark
	var owned []interval.Owned
	for lane := range b.N() {
		if !b.Lanes.Has(lane) {
			continue
		}
		line := b.Block.Line(lane)
		for i, m := range markers {
			found = m.AppendMarks(found[:0], &line, nil)
			for rest := found; len(rest) > 0; {
				n := 1
				for n < len(rest) && rest[n].Column == rest[0].Column {
					n++
				}
				owned = interval.UniteOwned(interval.AppendMarks(owned[:0], lane, &line, rest[:n]))
				countFirst(&scores[i][rest[0].Column], b, owned)
				rest = rest[n:]
			}
		}
	}
}
