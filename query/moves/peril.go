package moves

import (
	"qipu/board"
	"qipu/game"
)

// peril tells whether a king is attacked, for each point that it may stand on: by the
// men of the other side, from where, and over which points.
type peril struct {
	king    [2]board.Piece
	threats [2][][]threat // by the side of the king and its point
}

// threat is a man on a point that attacks a king if so many men stand on its way.
type threat struct {
	from    uint16
	piece   board.Piece
	between []uint16
	screens int
}

// perilOf works out the threats of a game; nil for a game without men.
func perilOf(rules game.Rules) *peril {
	manned, ok := rules.(game.Manned)
	if !ok {
		return nil
	}
	men, g := manned.Men(), rules.Geometry()
	size := g.Size
	p := &peril{}
	for side := range p.threats {
		p.king[side] = men.Kinds[0].Piece
		if side == 1 {
			p.king[side] = g.Pieces[p.king[side]-1].Swap
		}
		p.threats[side] = make([][]threat, size.Area())
	}
	for _, man := range men.Kinds {
		if !man.Harms {
			continue
		}
		for side, piece := range [2]board.Piece{man.Piece, g.Pieces[man.Piece-1].Swap} {
			for at := range size.Points() {
				if !men.Stands(piece, at) {
					continue
				}
				for _, w := range men.Ways(piece, at) {
					path := make([]uint16, len(w.Path))
					for i, x := range w.Path {
						path[i] = uint16(size.Index(x))
					}
					add := func(n, screens int) {
						on := &p.threats[1-side][path[n]]
						*on = append(*on, threat{uint16(size.Index(at)), piece, path[:n], screens})
					}
					switch w.Kind {
					case game.Stride, game.Strike:
						add(len(path)-1, 0)
					case game.Slide:
						for n := range path {
							add(n, 0)
						}
					case game.Shoot:
						for n := range path {
							add(n, 1)
						}
					}
				}
			}
		}
	}
	return p
}

// attacked reports whether the king of a side is.
func (p *peril) attacked(w *walk, side game.Side) bool {
	k := w.kings[side]
	if k < 0 || w.on[k] != p.king[side] {
		return false
	}
	for i := range p.threats[side][k] {
		t := &p.threats[side][k][i]
		if w.on[t.from] != t.piece {
			continue
		}
		men := 0
		for _, x := range t.between {
			if w.on[x] != board.Empty {
				if men++; men > t.screens {
					break
				}
			}
		}
		if men == t.screens {
			return true
		}
	}
	return false
}
