package retrieve

import (
	"qipu/board"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// among returns the parts of a query that asks for one shape in games that some
// conditions on games are true of. It reports false for any other query.
func among(q query.Q) (shape *query.Shape, games []query.Q, ok bool) {
	parts, and := q.(query.And)
	if !and {
		parts = query.And{q}
	}
	for _, part := range parts {
		s := plainShape(part)
		switch {
		case s != nil && shape == nil:
			shape = s
		case hasMoments(part):
			return nil, nil, false
		default:
			games = append(games, part)
		}
	}
	return shape, games, shape != nil
}

// byLine reports whether a query can be answered line by line: whether it is
// true of a game exactly where it is true of one of its lines alone, and all
// occurrences of the focus are in such lines. It is not where two parts are about
// moments, which may be in different lines, nor where one must not be in any.
func byLine(q query.Q) bool {
	switch q.(type) {
	case query.And, query.Or:
		parts := 0
		for _, part := range query.Parts(q) {
			if !byLine(part) {
				return false
			}
			if hasMoments(part) {
				parts++
			}
		}
		return parts <= 1
	case query.Not:
		return !hasMoments(q)
	}
	return true
}

// stone is a piece on a point.
type stone struct {
	at    board.Point
	piece board.Piece
}

// wholeBoard returns the pieces of the position that a pattern is, where it can
// be found by its hash; else nil.
func wholeBoard(k *index.Kind, p *pattern.Pattern) []stone {
	if p.Anchor != pattern.Fixed || p.At != 0 || p.Size != k.Board.Size || len(p.Cells) != p.Size.Area() || p.Turn > pattern.SecondToMove {
		return nil
	}
	stones := make([]stone, 0, 64)
	for i, set := range p.Cells {
		if set == pattern.Empty {
			continue
		}
		piece := board.Piece(1)
		for ; int(piece) <= k.Board.Kinds && set != pattern.Of(piece); piece++ {
		}
		if int(piece) > k.Board.Kinds {
			return nil
		}
		stones = append(stones, stone{p.Size.Point(i), piece})
	}
	if k.MaxPieces > 0 && len(stones) > k.MaxPieces {
		return nil
	}
	return stones
}

// canonical returns the hash of a position that is the same for all its
// pictures, and the number of the picture that has it.
func canonical(k *index.Kind, stones []stone) (key uint64, img int) {
	planes := board.NewPlanes(k.Board.Size, k.Board.Kinds)
	for _, s := range stones {
		planes.Of[s.piece-1].Add(s.at)
	}
	return k.Canonical(planes)
}

// planOf returns what the index can decide of a query.
func (f *finder) planOf(q query.Q) index.Expr {
	switch q := q.(type) {
	case query.And:
		return f.every(q...)
	case query.Or:
		var any index.Any
		for _, part := range q {
			e := f.planOf(part)
			if e == (index.All{}) {
				return e
			}
			any = append(any, e)
		}
		return any
	case query.Const:
		if !q {
			return index.Any{}
		}
	case query.Games:
		return index.Games{Bitmap: q.Set}
	case *query.Fact:
		return index.Selected{Selection: f.selections[q]}
	case *query.Mark:
		return index.Marked{Keys: f.keys[q], Of: q.Of, Name: q.Name}
	case *query.Shape:
		switch {
		case q.Reaches != nil:
			return planShape(f.Kind, q.Reaches)
		case len(q.Next) > 0 && f.Variations:
			return index.All{} // it may stand in the trunk, which is another line's
		}
		return planShape(f.Kind, q.Pattern)
	case query.When, query.For, query.First, query.Last:
		return f.planOf(query.Parts(q)[0])
	case query.Then:
		if f.Variations {
			return f.planOf(q.B) // the trunk, where A may be, is another line's
		}
		return f.every(q.A, q.B)
	}
	return index.All{}
}

// every returns what the index can decide of a conjunction.
func (f *finder) every(parts ...query.Q) index.Expr {
	var all index.Every
	for _, part := range parts {
		if e := f.planOf(part); e != (index.All{}) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		return index.All{}
	}
	return all
}

// planShape returns what the index knows about a pattern: the position that it
// is, or the corners and windows that it contains.
func planShape(k *index.Kind, p *pattern.Pattern) index.Expr {
	if stones := wholeBoard(k, p); stones != nil {
		key, _ := canonical(k, stones)
		return index.Reaches(key)
	}
	var all index.Every
	for _, key := range index.CornersOf(k, p) {
		all = append(all, index.InCorner(key))
	}
	if len(all) > 0 {
		return all // windows would add nothing to a corner
	}
	if !k.HasWindows() {
		return index.All{}
	}
	seen := map[uint16]bool{}
	for _, class := range index.WindowsOf(p) {
		if !seen[class] {
			seen[class] = true
			all = append(all, index.Window(class))
		}
	}
	if len(all) == 0 {
		return index.All{}
	}
	return all
}
