package retrieve

import (
	"qipu/board"
	"qipu/index"
	"qipu/pattern"
	"qipu/query"
)

// among returns the parts of a query that asks for one shape in certain games:
// those of all the sets. It reports false for any other query.
func among(q query.Q) (shape *query.Shape, sets []query.Games, ok bool) {
	parts, and := q.(query.And)
	if !and {
		parts = query.And{q}
	}
	for _, part := range parts {
		switch part := part.(type) {
		case query.Games:
			sets = append(sets, part)
		case *query.Shape:
			if shape != nil {
				return nil, nil, false
			}
			shape = part
		default:
			return nil, nil, false
		}
	}
	return shape, sets, shape != nil
}

// byLine reports whether a query is true of a game exactly where it is true of
// one of its lines alone. It is not where two shapes must occur, be it in
// different lines, nor where one must not occur in any.
func byLine(q query.Q) bool {
	switch q := q.(type) {
	case query.And:
		shapes := 0
		for _, part := range q {
			if !byLine(part) {
				return false
			}
			if hasShape(part) {
				shapes++
			}
		}
		return shapes <= 1
	case query.Or:
		for _, part := range q {
			if !byLine(part) {
				return false
			}
		}
	case query.Not:
		return !hasShape(q.Q)
	}
	return true
}

func hasShape(q query.Q) (has bool) {
	query.Map(q, func(q query.Q) (query.Q, error) { // which fails only where its function does
		_, shape := q.(*query.Shape)
		has = has || shape
		return q, nil
	})
	return has
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
func planOf(k *index.Kind, q query.Q) index.Expr {
	switch q := q.(type) {
	case query.And:
		var all index.Every
		for _, part := range q {
			if e := planOf(k, part); e != (index.All{}) {
				all = append(all, e)
			}
		}
		if len(all) == 0 {
			return index.All{}
		}
		return all
	case query.Or:
		var any index.Any
		for _, part := range q {
			e := planOf(k, part)
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
	case *query.Shape:
		return planShape(k, q.Pattern)
	}
	return index.All{}
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
