package chess

import (
	"math/bits"

	"qipu/board"
	"qipu/game"
	"qipu/game/chess/attack"
)

// Men tells how the pieces move. Castling is none of it: positions with a right to it
// are no endings.
func (r *Rules) Men() *game.Men {
	m := &game.Men{
		Name: "chess",
		Kinds: []game.Man{
			{Piece: WhiteKing, Letter: 'K', Most: 1},
			{Piece: WhiteQueen, Letter: 'Q', Worth: 90, Most: 9, Harms: true},
			{Piece: WhiteRook, Letter: 'R', Worth: 50, Most: 10, Harms: true},
			{Piece: WhiteBishop, Letter: 'B', Worth: 31, Most: 10, Harms: true},
			{Piece: WhiteKnight, Letter: 'N', Worth: 30, Most: 10, Harms: true},
			{Piece: WhitePawn, Letter: 'P', Worth: 10, Most: 8, Harms: true},
		},
		Stands:  r.stands,
		Ways:    r.ways,
		Passing: r.double[0] != 0,
	}
	if r.info.Variant != "" && !r.onto { // the endings of Chess960 are those of chess
		m.Name += "-" + r.info.Variant
	}
	return m
}

// stands tells whether a man can stand on a point.
func (r *Rules) stands(man board.Piece, at board.Point) bool {
	if !r.geo.Size.Has(at) {
		return false
	}
	switch s, k := r.squareOf[at], kindOf(man); k {
	case pawn:
		return !(r.last[0] | r.last[1]).Has(s)
	case bishop:
		return r.mayBecome(bishop)
	}
	return true
}

// ways returns the ways of a man.
func (r *Rules) ways(man board.Piece, from board.Point) (list []game.Way) {
	attack.Fill()
	s, side := r.squareOf[from], sideOf(man)
	line := func(df, dr int) {
		w := game.Way{Kind: game.Slide}
		for f, n := s.File()+df, s.Rank()+dr; f >= 0 && f < 8 && n >= 0 && n < 8 && !r.walls.Has(attack.At(f, n)); f, n = f+df, n+dr {
			w.Path = append(w.Path, r.pointOf[attack.At(f, n)])
		}
		if len(w.Path) > 0 {
			list = append(list, w)
		}
	}
	k := kindOf(man)
	if k == rook || k == queen {
		line(1, 0)
		line(-1, 0)
		line(0, 1)
		line(0, -1)
	}
	if k == bishop || k == queen {
		line(1, 1)
		line(-1, 1)
		line(1, -1)
		line(-1, -1)
	}
	to := func(kind game.WayKind, over, to square) {
		w := game.Way{Kind: kind}
		if over != attack.None {
			w.Path = append(w.Path, r.pointOf[over])
		}
		w.Path = append(w.Path, r.pointOf[to])
		if k == pawn && r.last[side].Has(to) {
			for _, b := range r.becomes {
				w.Becomes = append(w.Becomes, pieceOf(White, b))
			}
		}
		list = append(list, w)
	}
	switch k {
	case king, knight:
		reach := attack.Leaps[attack.OfKing][s]
		if k == knight {
			reach = attack.Leaps[attack.OfKnight][s]
		}
		for b := uint64(reach &^ r.walls); b != 0; b &= b - 1 {
			to(game.Stride, attack.None, square(bits.TrailingZeros64(b)))
		}
	case pawn:
		forward := square(8)
		if side == Black {
			forward = ^square(7) // eight back
		}
		to(game.Advance, attack.None, s+forward)
		if r.double[side].Has(s + forward) {
			to(game.Advance, s+forward, s+2*forward)
		}
		for b := uint64(attack.Strikes[side][s] &^ r.walls); b != 0; b &= b - 1 {
			to(game.Strike, attack.None, square(bits.TrailingZeros64(b)))
		}
	}
	return list
}
