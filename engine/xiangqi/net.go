package xiangqi

import (
	_ "embed"
	"sync"

	"github.com/klauspost/compress/zstd"

	"qipu/engine/nnue"
	"qipu/game/xiangqi/attack"
)

// The net that came out of workshop/xiangqi/training: for each place of the own king, left
// and right exchanged where it stands to the right, every piece on every square.
//
//go:embed xiangqi.nnue.zst
var netFile []byte

var shippedNet = sync.OnceValue(func() *nnue.Net {
	var n *nnue.Net
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20))
	if err == nil {
		defer d.Close()
		var file []byte
		if file, err = d.DecodeAll(netFile, nil); err == nil {
			n, err = nnue.Read(file)
		}
	}
	if err != nil || n.Inputs != netInputs || n.Buckets != netRanges {
		panic("engine/xiangqi: the net that comes with the program cannot be read") // a test reads it
	}
	return n
})

const (
	netKings  = 6 // places of a king, two files of three rows
	netPieces = 2 * int(attack.Kinds)
	netInputs = netKings * netPieces * area
	netRanges = 8 // of four pieces each
)

var (
	netKing  [2][area]struct{ base, turned int32 } // by side and the square of its king
	netPiece [2][15]int32
	netAt    [2][2][area]int32 // by side, whether it is turned, and square
)

func init() {
	for side := range 2 {
		for s := range square(area) {
			x, y := int32(attack.X[s]), int32(attack.Y[s])
			if side == 1 {
				y = 9 - y
			}
			netAt[side][0][s], netAt[side][1][s] = y*attack.Width+x, y*attack.Width+8-x
			if attack.Home[side][attack.King].Has(s) {
				k := &netKing[side][s]
				k.turned = int32(b2i(x > 4))
				k.base = ((min(x, 8-x)-3)*3 + y - 7) * int32(netPieces*area)
			}
		}
		for p := piece(1); p < 15; p++ {
			k := int32(kindOf[p])
			if sideOf(p) != side {
				k += int32(attack.Kinds)
			}
			netPiece[side][p] = k * area
		}
	}
}

// sums are what the net sees of a position of the line: each side's sums where they are known,
// and the move that led here.
type sums struct {
	of           [2]nnue.Sums
	known        [2]bool
	moved, taken piece // moved is 0 for a pass
	from, to     square
}

// eyes keep the sums of a line in step with it. Those of a position are made when it is
// judged, from the nearest position before that has some.
type eyes struct {
	net  *nnue.Net // nil where the terms judge
	line []sums
	at   int
}

// open begins a line.
func (e *eyes) open(n *nnue.Net) {
	e.net, e.at = n, 0
	if n != nil && e.line == nil {
		e.line = make([]sums, maxPly+8)
	}
	if n != nil {
		e.line[0].known = [2]bool{}
	}
}

// move follows a move, or a pass.
func (e *eyes) move(m move, moved, taken piece) {
	if e.net == nil {
		return
	}
	e.at++
	s := &e.line[e.at]
	s.known = [2]bool{}
	s.moved, s.taken, s.from, s.to = moved, taken, m.from(), m.to()
}

func (e *eyes) back() { e.at-- }

// judge returns what the net says of the position at the end of the line.
func (e *eyes) judge(b *position) int {
	s := &e.line[e.at]
	for side := range 2 {
		if !s.known[side] {
			e.see(b, side)
		}
	}
	pieces := b.own[0].Count() + b.own[1].Count()
	return e.net.Value(&s.of[b.turn], &s.of[b.turn^1], min((pieces-2)/4, netRanges-1))
}

// see makes the sums of a side.
func (e *eyes) see(b *position, side int) {
	king := pieceOf(side, attack.King)
	place := &netKing[side][b.king[side]]
	piecesOf, at := &netPiece[side], &netAt[side][place.turned]
	input := func(p piece, s square) int { return int(place.base + piecesOf[p] + at[s]) }
	from := e.at
	for !e.line[from].known[side] {
		if from == 0 || e.line[from].moved == king {
			s := &e.line[e.at]
			e.net.Begin(&s.of[side])
			for rest := b.own[0].Or(b.own[1]); !rest.Empty(); {
				sq := rest.Pop()
				e.net.Add(&s.of[side], input(b.on[sq], sq))
			}
			s.known[side] = true
			return
		}
		from--
	}
	for ; from < e.at; from++ {
		src, dst := &e.line[from].of[side], &e.line[from+1]
		switch {
		case dst.moved == 0:
			dst.of[side] = *src
		case dst.taken == 0:
			e.net.Shift(&dst.of[side], src, input(dst.moved, dst.to), input(dst.moved, dst.from))
		default:
			e.net.Take(&dst.of[side], src, input(dst.moved, dst.to), input(dst.moved, dst.from), input(dst.taken, dst.to))
		}
		dst.known[side] = true
	}
}
