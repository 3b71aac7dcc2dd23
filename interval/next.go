package interval

import (
	"slices"

	"qipu/board"
	"qipu/pattern"
)

// Next is what came behind a hit inside the region of its pattern.
type Next struct {
	Slot  uint16 // 0 where nothing more arrived there
	Point uint16
	Piece board.Piece // where pieces are dropped; not told where they move

	From int // the point it came from; -1 where it was dropped

	// Direct tells that it was the very next move of the game.
	Direct bool
}

// Next returns the first piece that arrived in the region of a placement after
// a slot. A disc that is turned over does not arrive.
func (b *Block) Next(q *pattern.Placement, lane int, after uint16) Next {
	const none = 1<<16 - 1
	skips := b.Skips(lane)
	if b.moves != nil {
		return b.nextMove(q, lane, skips, after)
	}
	best := Next{Slot: none}
	// Whoever arrives behind the slot has a byte of at least t. Taking t off
	// each byte sends the earlier ones beyond all others, so that one
	// comparison tells whether a point can be next.
	t := uint8(min(int(after)/2+2, never-1))
	cut := never - 1 - t
	first := -1
	column := b.first[lane:]
	for _, pt := range q.Region {
		v := column[int(pt)*b.stride]
		d := v - t
		if d > cut {
			if v == complex {
				if slot, piece := b.arriving(int(pt), lane, after); slot < best.Slot {
					best = Next{Slot: slot, Point: pt, Piece: piece, From: -1}
				}
			}
			continue
		}
		if d == 0 && after&1 == 1 && b.arrival(v, b.only(int(pt), lane)) <= after {
			continue // the very move that made the hit
		}
		// Several points may share a byte: moves of both sides, or a set-up.
		if d < cut || first < 0 || b.arrival(v, b.only(int(pt), lane)) < b.arrival(v, b.only(first, lane)) {
			first, cut = int(pt), d
		}
	}
	if first >= 0 {
		piece := b.only(first, lane)
		slot := b.arrival(column[first*b.stride], piece)
		if slot > after && (slot < best.Slot || slot == best.Slot && first < int(best.Point)) {
			best = Next{Slot: slot, Point: uint16(first), Piece: piece, From: -1}
		}
	}
	if best.Slot == none {
		return Next{}
	}
	best.Direct = best.Slot == b.next(skips, after, b.End(lane))
	return best
}

// arriving returns the first arrival behind a slot at a point that changes more
// than once.
func (b *Block) arriving(pt, lane int, after uint16) (uint16, board.Piece) {
	slots, pieces := b.history(pt, lane)
	before := board.Empty
	for i, p := range pieces {
		piece := board.Piece(p)
		if slot := u16(slots, i); slot > after && piece != board.Empty && (before == board.Empty || b.Moving) {
			return slot, piece
		}
		before = piece
	}
	return 1<<16 - 1, board.Empty
}

// nextMove is Next where the moves are listed.
func (b *Block) nextMove(q *pattern.Placement, lane int, skips []uint16, after uint16) Next {
	list := b.lineMoves(lane)
	first := plyOf(skips, after)
	for ply := first; ply < len(list)/2; ply++ {
		m := u16(list, ply)
		if m == NoMove {
			continue
		}
		to := m & 0xFF
		if len(q.Region) < b.Points {
			if _, in := slices.BinarySearch(q.Region, to); !in {
				continue
			}
		}
		slot := uint16(plySlotOf(skips, ply+1))
		n := Next{Slot: slot, Point: to, From: int(m >> 8), Direct: ply == first}
		if n.From == int(to) {
			n.From = -1
		}
		return n
	}
	return Next{}
}
