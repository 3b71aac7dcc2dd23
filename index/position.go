package index

import (
	"slices"

	"qipu/board"
	"qipu/game"
	"qipu/interval"
)

// Position is one position of a line, as the index of whole boards keeps it.
type Position struct {
	Key   uint64    // the same for all pictures
	Ply   uint16    //
	Next  uint16    // the move played next, as it is in the picture Image: see Kind.Move
	Image uint8     // the picture whose hash is Key
	Turn  game.Side // the side to move
}

// The codes of Position.Next that are no moves.
const (
	NextNone = 1<<16 - 1 // the line ends here
	NextPass = 1<<16 - 2 // a pass, or a set-up
)

// Positions computes the positions of lines. It holds buffers and is not safe
// for concurrent use.
type Positions struct {
	hashes []uint64
	state  []board.Piece
	seen   []stamp // a hash table of the pictures that the line at hand has
	now    uint32  // its stamp: whatever bears another is of a line before
}

// stamp is a picture that was seen in some line.
type stamp struct {
	picture uint64
	when    uint32
}

// first notes a picture and reports whether it is new in the line at hand.
func (s *Positions) first(picture uint64) bool {
	mask := uint64(len(s.seen) - 1)
	i := picture & mask
	for ; s.seen[i].when == s.now; i = (i + 1) & mask {
		if s.seen[i].picture == picture {
			return false
		}
	}
	s.seen[i] = stamp{picture, s.now}
	return true
}

// begin readies the table for a line of so many positions.
func (s *Positions) begin(positions int) {
	size := 256
	for size < 2*positions {
		size *= 2
	}
	s.now++
	if len(s.seen) < size || s.now == 0 {
		s.seen, s.now = make([]stamp, size), 1
	}
}

// Append appends the positions of a line that can be found by their hash, each
// once, at its first occurrence. Another picture of a position is another one,
// and so is the same board with the other side to move.
func (s *Positions) Append(dst []Position, k *Kind, l *interval.Line) []Position {
	s.begin(int(l.End) + 1)
	s.hashes = append(s.hashes[:0], make([]uint64, len(k.images))...)
	s.state = append(s.state[:0], make([]board.Piece, k.Board.Size.Area())...)
	pieces, ply, open := 0, 0, -1 // open: the position whose next move is awaited
	changes, skips := l.Changes, l.Skips
	for slot := uint16(0); slot < l.End; slot++ {
		if len(skips) > 0 && skips[0] == slot {
			skips = skips[1:]
			continue
		}
		arrived, arrivals := -1, 0
		mover := s.mover(k, l, ply)
		for len(changes) > 0 && changes[0].Slot == slot {
			c := changes[0]
			changes = changes[1:]
			old := s.state[c.Point]
			if old != board.Empty {
				xor(s.hashes, k.key(c.Point, old))
				pieces--
			}
			if c.Piece != board.Empty {
				xor(s.hashes, k.key(c.Point, c.Piece))
				pieces++
				if old == board.Empty || k.Moving {
					arrived = int(c.Point)
					arrivals++
				}
			}
			s.state[c.Point] = c.Piece
		}
		if arrivals > 1 {
			arrived = -1 // a set-up: moves drop one piece
		}
		if slot > 0 {
			ply++
		}
		if open >= 0 {
			dst[open].Next = k.nextCode(l, ply, arrived, int(dst[open].Image))
			if k.names != nil {
				dst[open].Next = s.nameCode(k, l, ply, arrived, mover, dst[open].Next)
			}
			open = -1
		}
		if slot < l.From || k.MaxPieces > 0 && pieces > k.MaxPieces {
			continue
		}
		next := slot + 1
		for i := 0; i < len(skips) && skips[i] == next; i++ {
			next++
		}
		turn := interval.Mover(next)
		key, img := least(s.hashes)
		if !s.first(key ^ uint64(2*img+int(turn))*0x9E3779B97F4A7C15) {
			continue
		}
		open = len(dst)
		dst = append(dst, Position{Key: key, Ply: uint16(ply), Next: NextNone, Image: uint8(img), Turn: turn})
	}
	return dst
}

func xor(hashes, keys []uint64) {
	if len(hashes) == 16 && len(keys) == 16 { // without checks of bounds: most games have 16 pictures
		h, k := (*[16]uint64)(hashes), (*[16]uint64)(keys)
		for i := range h {
			h[i] ^= k[i]
		}
		return
	}
	for i, k := range keys[:len(hashes)] {
		hashes[i] ^= k
	}
}

// nextCode returns the code of the move of a ply, as it is in a picture. Where
// pieces are dropped, the point that a piece arrived at tells it.
func (k *Kind) nextCode(l *interval.Line, ply, arrived, img int) uint16 {
	point := k.images[img].point
	if k.Moving {
		if ply > len(l.Moves) || l.Moves[ply-1] == interval.NoMove {
			return NextPass
		}
		m := l.Moves[ply-1]
		return uint16(int(point[m>>8])*len(point) + int(point[m&0xFF]))
	}
	if arrived < 0 {
		return NextPass
	}
	return point[arrived]
}

// mover returns what moves next where moves name pieces: Empty where a piece is
// dropped, and elsewhere.
func (s *Positions) mover(k *Kind, l *interval.Line, ply int) board.Piece {
	if k.names == nil || ply >= len(l.Moves) || l.Moves[ply] == interval.NoMove || l.Moves[ply]>>8 == l.Moves[ply]&0xFF {
		return board.Empty
	}
	return s.state[l.Moves[ply]>>8]
}

// nameCode adds the piece that the move of a ply named to its code: so many times
// the codes of moves that name none. A move that does not fit is not told.
func (s *Positions) nameCode(k *Kind, l *interval.Line, ply, arrived int, mover board.Piece, code uint16) uint16 {
	if code == NextPass {
		return code
	}
	if k.Moving {
		arrived = int(l.Moves[ply-1] & 0xFF)
	}
	n := int(code) + k.unnamed()*(1+slices.Index(k.names, k.Named(mover, s.state[arrived])))
	if n >= NextPass {
		return NextNone
	}
	return uint16(n)
}

// unnamed returns how many codes moves that name no piece have.
func (k *Kind) unnamed() int {
	if k.Moving {
		return k.Board.Size.Area() * k.Board.Size.Area()
	}
	return k.Board.Size.Area()
}

// Move returns the move that a code of Position.Next stands for, taken from the
// picture it is in by a symmetry; NoMove where it stands for none.
func (k *Kind) Move(code uint16, sym game.Symmetry) game.Move {
	size := k.Board.Size
	switch {
	case code == NextNone:
		return game.NoMove
	case code == NextPass:
		return game.Pass
	}
	n, named := size.Area(), board.Empty
	if name := int(code) / k.unnamed(); name > 0 && name <= len(k.names) {
		named = k.names[name-1]
	}
	plain := int(code) % k.unnamed()
	m := game.Drop(size.Point(plain % n))
	if k.Moving && plain/n != plain%n {
		m = game.Step(size.Point(plain/n), m.To())
	}
	return m.Naming(named).Transform(size, sym.Board)
}
