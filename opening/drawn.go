package opening

import (
	"math/bits"
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/pattern"
)

// drawn is an opening as it is looked for on boards.
type drawn struct {
	opening  int // in Names.list
	from, to int
	places   []place // of all its shapes
}

// place is what a placement says of points, by dense index.
type place struct {
	points []uint16
	sets   []pattern.Set
	turn   pattern.Turn
}

// placeOf copies what is looked at, so that the regions of placements, which are
// whole boards for many, can go.
func placeOf(p *pattern.Placement) place {
	return place{slices.Clone(p.Points), slices.Clone(p.Sets), p.Turn}
}

// AppendAt appends the openings that are drawn and stand on a board after so many
// moves, with a side to move, in the order of All, and returns dst. They belong to
// n and must not be changed. It costs some microseconds, next to nothing behind the
// last ply that an opening may come at, and does not allocate where dst has room.
func (n *Names) AppendAt(dst []*Opening, b *board.Planes, turn game.Side, ply int) []*Opening {
	n.stand(b, turn, ply, func(i int) { dst = append(dst, &n.list[i]) })
	return dst
}

// Fuseki returns the opening that names a game where openings are drawn: of those
// of Kind Fuseki that stand on the way the one that says most, which is the last in
// All. The game begins at start, which is played on and restored; nil is the usual
// start.
func (n *Names) Fuseki(start game.Position, moves []game.Move) (Opening, bool) {
	best, most := -1, 0
	for i := range n.drawn {
		if n.list[n.drawn[i].opening].Kind == Fuseki {
			most = max(most, n.drawn[i].to)
		}
	}
	n.walk(start, moves[:min(len(moves), most)], func(p game.Position, ply int) {
		if b, ok := p.(game.Planar); ok {
			n.stand(b.Planes(), p.Turn(), ply, func(i int) {
				if n.list[i].Kind == Fuseki {
					best = max(best, i)
				}
			})
		}
	})
	if best < 0 {
		return Opening{}, false
	}
	return n.list[best], true
}

// stand calls yield with the place in the list of every opening that stands.
func (n *Names) stand(b *board.Planes, turn game.Side, ply int, yield func(i int)) {
	var states [board.MaxSide * board.MaxSide]board.Piece
	seen := false
	for i := range n.drawn {
		d := &n.drawn[i]
		if ply < d.from || ply > d.to {
			continue
		}
		if !seen {
			if b.Size != n.rules.Geometry().Size {
				return
			}
			fill(&states, b)
			seen = true
		}
		for j := range d.places {
			if d.places[j].holds(&states, turn) {
				yield(d.opening)
				break
			}
		}
	}
}

// fill writes down what stands on every point, by dense index.
func fill(states *[board.MaxSide * board.MaxSide]board.Piece, b *board.Planes) {
	for piece := range b.Of {
		for y, row := range b.Of[piece][:b.Size.H] {
			for ; row != 0; row &= row - 1 {
				states[y*b.Size.W+bits.TrailingZeros32(row)] = board.Piece(piece + 1)
			}
		}
	}
}

// holds reports whether a shape lies at a place. Points that need a stone come
// first, so that most places are refused by the first.
func (p *place) holds(states *[board.MaxSide * board.MaxSide]board.Piece, turn game.Side) bool {
	if p.turn == pattern.FirstToMove && turn != game.First || p.turn == pattern.SecondToMove && turn != game.Second {
		return false
	}
	for i, at := range p.points {
		if !p.sets[i].Has(states[at]) {
			return false
		}
	}
	return true
}
