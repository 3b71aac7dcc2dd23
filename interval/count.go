package interval

import (
	"math/bits"

	"qipu/board"
	"qipu/pattern"
)

// Counter is a condition on how many of some points are in a state of a set.
type Counter struct {
	Set    pattern.Set
	Points []uint16 // dense indices, each once

	// Low and High are the bounds of the number, both included. There is no
	// other sign for no bound than 0 and len(Points), or what lies beyond them.
	Low, High int
}

// AppendCount appends the intervals of the lanes of a mask at which the number
// of points lies within the bounds. A counter with points that a block does not
// have finds nothing there.
//
// The cost is that of the changes at points where a piece of the set once
// stood. A set that includes Empty is counted by the pieces that it leaves out,
// so that points where none of those stood cost nothing.
func (m *Matcher) AppendCount(dst Timeline, b *Block, c *Counter, lanes *Mask) Timeline {
	n := len(c.Points)
	for _, pt := range c.Points {
		if int(pt) >= b.Points {
			return dst
		}
	}
	set, low, high := c.Set&pattern.AnyOn(b.Kinds), max(c.Low, 0), min(c.High, n)
	if set.Has(board.Empty) {
		set = pattern.AnyOn(b.Kinds) &^ set
		low, high = n-high, n-low
	}
	if low > high {
		return dst
	}
	m.Work.Blocks++
	all := b.All()
	for w := range b.stride / 64 {
		left := all[w] & lanes[w]
		if left == 0 {
			continue
		}
		var at [65]int // where the slots of each lane begin
		for i := range 64 {
			at[i+1] = at[i]
			if left>>i&1 != 0 {
				at[i+1] += int(b.End(w*64 + i))
			}
		}
		if len(m.counts) < at[64] {
			m.counts = make([]int16, at[64])
		}
		touched := m.tally(b, set, c.Points, w, left, &at)
		for ; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			lane := uint16(w*64 + i)
			slots := m.counts[at[i]:at[i+1]]
			if touched>>i&1 == 0 {
				if low <= 0 && len(slots) > 0 {
					dst = append(dst, Span{lane, 0, uint16(len(slots))})
				}
				continue
			}
			dst = between(dst, lane, slots, low, high)
		}
	}
	return dst
}

// tally adds up by how much the number changes at each slot, in the lanes of one
// word, and returns those in which it ever does. The set has no Empty.
func (m *Matcher) tally(b *Block, set pattern.Set, points []uint16, w int, lanes uint64, at *[65]int) (touched uint64) {
	// Where all pieces of the set are of one side, the byte of a point tells the
	// slot whichever arrived.
	one := board.Empty
	for p := board.Piece(1); int(p) <= b.Kinds; p++ {
		if !set.Has(p) {
			continue
		}
		if one != board.Empty && b.owner[p] != b.owner[one] {
			one = board.Empty
			break
		}
		one = p
	}
	for _, pt := range points {
		ever := b.everAny(int(pt), set, w) & lanes
		touched |= ever
		row := b.first[int(pt)*b.stride+w*64:][:64]
		entry, change, count, isDense := b.dir(int(pt))
		// The lanes are looked up in the order in which they are listed.
		starts, listed, k := b.entries[entry:], []byte(nil), 0
		if !isDense {
			starts, listed = starts[2*count:], starts[:2*count]
			k = lowerBound(listed, w*64)
		}
		for ; ever != 0; ever &= ever - 1 {
			i := bits.TrailingZeros64(ever)
			slots := m.counts[at[i]:at[i+1]]
			lane := w*64 + i
			if v := row[i]; v != complex {
				piece := one
				if piece == board.Empty {
					piece = b.only(int(pt), lane)
				}
				if slot := int(b.arrival(v, piece)); slot < len(slots) {
					slots[slot]++
				}
				continue
			}
			if isDense {
				k = lane
			} else {
				for 2*k < len(listed) && int(u16(listed, k)) < lane {
					k++
				}
				if 2*k >= len(listed) || int(u16(listed, k)) != lane {
					continue // of a damaged block
				}
			}
			from, to := change+int(u16(starts, k)), change+int(u16(starts, k+1))
			before := int16(0)
			when := b.slots[2*from : 2*to]
			for j, p := range b.pieces[from:to] {
				now := int16(set >> (p & 31) & 1)
				if slot := int(u16(when, j)); slot < len(slots) {
					slots[slot] += now - before
				}
				before = now
			}
		}
	}
	return touched
}

// lowerBound returns how many of the rising lanes of a list lie below one.
func lowerBound(listed []byte, lane int) int {
	lo, hi := 0, len(listed)/2
	for lo < hi {
		if mid := (lo + hi) / 2; int(u16(listed, mid)) < lane {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// between appends the intervals at which the sum of the changes so far lies
// within bounds, and clears the changes.
func between(dst Timeline, lane uint16, changes []int16, low, high int) Timeline {
	n, from, in := 0, 0, low <= 0
	for slot, by := range changes {
		if by == 0 {
			continue
		}
		changes[slot] = 0
		n += int(by)
		if now := n >= low && n <= high; now != in {
			if in && slot > from {
				dst = append(dst, Span{lane, uint16(from), uint16(slot)})
			}
			from, in = slot, now
		}
	}
	if in && from < len(changes) {
		dst = append(dst, Span{lane, uint16(from), uint16(len(changes))})
	}
	return dst
}
